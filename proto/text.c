/* text.c: which texts and names are valid. What a text is for, and so how long it may be, is the rules' matter.
 */
#include "wire_internal.h"

#include <string.h>

/* Well-formed sequences of more than one byte, from table 3-7 of the Unicode Standard (15.0, chapter 3.9), by the
 * range of the first and of the second byte; the others are 80 to BF. C2 starts at A0 rather than 80 because what is
 * below are the control characters U+0080 to U+009F. */
typedef struct sequence {
    uint8_t first_low, first_high, second_low, second_high, bytes;
} sequence;

static const sequence sequences[] = {
    {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* How many bytes the character at `at` takes, 0 if it is none or a control character. */
static size_t character_bytes(const uint8_t *at, size_t left, bool lines)
{
    if (at[0] < 0x80) {
        return (at[0] >= 0x20 && at[0] != 0x7f) || (lines && at[0] == '\n');
    }
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        const sequence *s = &sequences[i];
        if (at[0] < s->first_low || at[0] > s->first_high) {
            continue;
        }
        if (left < s->bytes || at[1] < s->second_low || at[1] > s->second_high) {
            return 0;
        }
        for (size_t more = 2; more < s->bytes; more++) {
            if ((at[more] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return s->bytes;
    }
    return 0;
}

/* Whether eight bytes are characters from space to ~: none has the high bit, or gets it by taking 0x20 or adding 1. */
static bool all_plain(const uint8_t *at)
{
    const uint64_t every = UINT64_C(0x0101010101010101);
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return ((word | (word - every * 0x20) | (word + every)) & every * 0x80) == 0;
}

bool wn_text_check(const char *text, size_t size, bool lines)
{
    const uint8_t *at = (const uint8_t *)text;
    const uint8_t *end = at + size;
    while (at < end) {
        if (end - at >= 8 && all_plain(at)) {
            at += 8;
            continue;
        }
        const size_t bytes = character_bytes(at, (size_t)(end - at), lines);
        if (bytes == 0) {
            return false;
        }
        at += bytes;
    }
    return true;
}

bool wn_text_valid(const char *text, size_t max_bytes, bool lines)
{
    const size_t size = strnlen(text, max_bytes + 1);
    return size <= max_bytes && wn_text_check(text, size, lines);
}

/* The character there and its bytes; 0 and 1 if there is none. */
static uint32_t decode(const uint8_t *at, size_t *bytes)
{
    *bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t character = *bytes == 1 ? at[0] : at[0] & (0x7fU >> *bytes);
    for (size_t i = 1; i < *bytes; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *bytes = 1;
            return 0;
        }
        character = character << 6 | (at[i] & 0x3f);
    }
    return character;
}

/* Default_Ignorable_Code_Point of the Unicode Standard (15.0, DerivedCoreProperties.txt), the separators of lines and
 * paragraphs, the other controls of direction, and annotations. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

size_t wn_text_unseen(const char *at, uint32_t *character)
{
    size_t bytes = 0;
    *character = decode((const uint8_t *)at, &bytes);
    for (size_t i = 0; bytes > 1 && i < sizeof unseen / sizeof *unseen; i++) {
        if (*character >= unseen[i].first && *character <= unseen[i].last) {
            return bytes;
        }
    }
    return 0;
}

bool wn_text_seen(const char *text)
{
    uint32_t character = 0;
    for (; *text != '\0'; text++) {
        if (((uint8_t)*text & 0xc0) != 0x80 && wn_text_unseen(text, &character) > 0) {
            return false;
        }
    }
    return true;
}

/* What looks like a space: the separators of the Unicode Standard (15.0, general category Zs) but U+0020, and the
 * Braille pattern without dots. */
static const struct {
    uint32_t first, last;
} blanks[] = {
    {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a}, {0x202f, 0x202f},
    {0x205f, 0x205f}, {0x2800, 0x2800}, {0x3000, 0x3000},
};

bool wn_text_blanks(const char *text)
{
    size_t bytes = 0;
    for (; *text != '\0'; text += bytes) {
        const uint32_t character = decode((const uint8_t *)text, &bytes);
        for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
            if (character >= blanks[i].first && character <= blanks[i].last) {
                return true;
            }
        }
    }
    return false;
}

/* Zero-width joiner and non-joiner, variation selectors. */
static bool is_part_of_others(uint32_t character)
{
    return character == 0x200c || character == 0x200d || (character >= 0xfe00 && character <= 0xfe0f);
}

size_t wn_text_clean(char *text, size_t max_bytes, bool lines)
{
    size_t from = 0;
    size_t to = 0;
    const size_t size = strlen(text);
    while (from < size) {
        uint32_t character = 0;
        const size_t valid = character_bytes((const uint8_t *)text + from, size - from, lines);
        const bool keep = valid > 0 && (wn_text_unseen(text + from, &character) == 0 || is_part_of_others(character));
        const size_t bytes = keep ? valid : 1;
        if (to + bytes > max_bytes) {
            break;
        }
        if (keep) {
            memmove(text + to, text + from, bytes);
        } else {
            text[to] = '?';
        }
        from += valid > 0 ? valid : 1;
        to += bytes;
    }
    text[to] = '\0';
    return to;
}

static bool letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool wn_name_valid(const char *name)
{
    const size_t size = strnlen(name, WN_NAME_BYTES + 1);
    if (size == 0 || size > WN_NAME_BYTES || !letter_or_digit(name[0])) {
        return false;
    }
    for (size_t i = 1; i < size; i++) {
        if (!letter_or_digit(name[i]) && name[i] != '.' && name[i] != '_' && name[i] != '-') {
            return false;
        }
    }
    return true;
}

bool wn_player_valid(const char *name)
{
    const size_t size = strnlen(name, WN_NAME_BYTES + 1);
    return size > 0 && size <= WN_NAME_BYTES && name[0] != ' ' && name[size - 1] != ' ' &&
           wn_text_check(name, size, false);
}
