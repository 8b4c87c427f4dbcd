/* sequence.c: the escape sequences of keys. See sequence.h. Their grammar is ECMA-48's (CSI: parameters, intermediates,
 * a final character) with what was sent before it and beside it: SS3 of VT100 keypads, ESC [ [ A of the Linux console,
 * the $ at the end of rxvt's. Which of them mean which key is in xterm's ctlseqs, in linux(4) and in PuTTY's manual. */
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

#include "key.h"

enum { MODIFIERS = 1 + 2 + 4 + 8 + 16 + 32 }; /* Shift, Alt, Ctrl, Super, Hyper, Meta; locks are above those */

bool wn_sequence_begins(uint32_t character)
{
    return character == '[' || character == 'O';
}

static bool is_parameter(uint32_t character)
{
    return character >= '0' && character <= '?';
}

bool wn_sequence_take(wn_sequence *sequence, uint32_t character)
{
    const unsigned at = sequence->count++;
    if (at < WN_SEQUENCE_BYTES) {
        sequence->bytes[at] = character < 0x80 ? (char)character : '?';
    }
    if (at == 0) {
        return wn_sequence_begins(character);
    }
    if (sequence->bytes[0] == 'O') {
        return is_parameter(character);
    }
    if (at == 1 && character == '[') { /* the Linux console's function keys */
        return true;
    }
    return is_parameter(character) || (character >= ' ' && character < '0' && character != '$');
}

/* ESC O: keypads, also without application mode, and what else VT100 and xterm send so. */
static uint32_t key_of_ss3(char final)
{
    static const struct {
        char final;
        uint32_t key;
    } keys[] = {{'M', WN_KEY_ENTER}, {'X', '='}, {'I', WN_KEY_TAB}, {' ', ' '}};
    static const char signs[] = "*+,-./";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].final == final) {
            return keys[i].key;
        }
    }
    if (final >= 'j' && final <= 'o') {
        return (uint32_t)signs[final - 'j'];
    }
    return final >= 'p' && final <= 'y' ? WN_KEY_KP0 + (uint32_t)(final - 'p') : WN_KEY_NONE;
}

/* The letters that ESC [ and ESC O have in common. */
static uint32_t key_of_letter(char final)
{
    static const struct {
        char final;
        uint32_t key;
    } keys[] = {{'A', WN_KEY_UP},      {'B', WN_KEY_DOWN},   {'C', WN_KEY_RIGHT},   {'D', WN_KEY_LEFT},
                {'E', WN_KEY_KP0 + 5}, {'F', WN_KEY_END},    {'G', WN_KEY_KP0 + 5}, {'H', WN_KEY_HOME},
                {'P', WN_KEY_F1},      {'Q', WN_KEY_F1 + 1}, {'R', WN_KEY_F1 + 2},  {'S', WN_KEY_F1 + 3},
                {'Z', WN_KEY_BACK_TAB}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].final == final) {
            return keys[i].key;
        }
    }
    return WN_KEY_NONE;
}

/* ESC [ number ~ */
static uint32_t key_of_number(unsigned long number)
{
    static const uint32_t keys[] = {
        [1] = WN_KEY_HOME,      [2] = WN_KEY_INSERT,  [3] = WN_KEY_DELETE,  [4] = WN_KEY_END,      [5] = WN_KEY_PAGE_UP,
        [6] = WN_KEY_PAGE_DOWN, [7] = WN_KEY_HOME,    [8] = WN_KEY_END,     [11] = WN_KEY_F1,      [12] = WN_KEY_F1 + 1,
        [13] = WN_KEY_F1 + 2,   [14] = WN_KEY_F1 + 3, [15] = WN_KEY_F1 + 4, [17] = WN_KEY_F1 + 5,  [18] = WN_KEY_F1 + 6,
        [19] = WN_KEY_F1 + 7,   [20] = WN_KEY_F1 + 8, [21] = WN_KEY_F1 + 9, [23] = WN_KEY_F1 + 10, [24] = WN_KEY_F12,
    };
    return number < sizeof keys / sizeof *keys ? keys[number] : WN_KEY_NONE;
}

uint32_t wn_sequence_key(const wn_sequence *sequence)
{
    char text[WN_SEQUENCE_BYTES + 1] = "";
    const unsigned count = sequence->count;
    if (count < 2 || count > WN_SEQUENCE_BYTES) {
        return WN_KEY_NONE;
    }
    memcpy(text, sequence->bytes, count);
    const char final = text[count - 1];
    if (text[1] == '[') {
        return count == 3 && final >= 'A' && final <= 'E' ? WN_KEY_F1 + (uint32_t)(final - 'A') : WN_KEY_NONE;
    }
    if (strspn(text + 1, "0123456789;") != count - 2) {
        return WN_KEY_NONE;
    }
    char *rest;
    const unsigned long first = strtoul(text + 1, &rest, 10);
    const unsigned long modifier = *rest == ';' ? strtoul(rest + 1, &rest, 10) : 1;
    if (rest != text + count - 1 || modifier < 1 || ((modifier - 1) & MODIFIERS) != 0) {
        return WN_KEY_NONE;
    }
    if (final == '~') {
        return text[0] == '[' ? key_of_number(first) : WN_KEY_NONE;
    }
    if (first > 1) {
        return WN_KEY_NONE;
    }
    const uint32_t key = text[0] == 'O' ? key_of_ss3(final) : WN_KEY_NONE;
    return key != WN_KEY_NONE ? key : key_of_letter(final);
}
