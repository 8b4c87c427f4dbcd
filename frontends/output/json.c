/* json.c: writes one JSON value to a stream. Commas, nesting and escapes; no layout, no reading. */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "wire.h"

void wn_json_start(wn_json *json, FILE *to)
{
    *json = (wn_json){.to = to};
}

/* Characters beyond the first 65536 are two of JSON's escapes, RFC 8259, 7. */
static void put_escaped(uint32_t character, FILE *to)
{
    if (character < 0x10000) {
        fprintf(to, "\\u%04" PRIx32, character);
        return;
    }
    character -= 0x10000;
    fprintf(to, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + (character >> 10), 0xdc00 + (character & 0x3ff));
}

/* What is not seen is escaped: the value stays what it is, and a terminal shows what is there. */
static void quote(FILE *to, const char *text)
{
    static const char shorts[128] = {
        ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
    };
    uint32_t character = 0;
    size_t bytes = 0;
    putc('"', to);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at < 128 && shorts[*at] != '\0') {
            putc('\\', to);
            putc(shorts[*at], to);
        } else if (*at < 0x20 || *at == 0x7f) {
            fprintf(to, "\\u%04x", *at);
        } else if ((*at & 0xc0) == 0xc0 && (bytes = wn_text_unseen((const char *)at, &character)) > 0) {
            put_escaped(character, to);
            at += bytes - 1;
        } else {
            putc(*at, to);
        }
    }
    putc('"', to);
}

/* What comes before a member: the comma after its neighbour and its key. */
static void introduce(wn_json *json, const char *key)
{
    if (json->depth > 0) {
        bool *filled = &json->filled[json->depth - 1];
        if (*filled) {
            putc(',', json->to);
        }
        *filled = true;
    }
    if (key != NULL) {
        quote(json->to, key);
        putc(':', json->to);
    }
}

static void open_with(wn_json *json, const char *key, char opening, char closing)
{
    assert(json->depth < WN_JSON_DEPTH);
    introduce(json, key);
    putc(opening, json->to);
    json->closing[json->depth] = closing;
    json->filled[json->depth] = false;
    json->depth++;
}

void wn_json_object(wn_json *json, const char *key)
{
    open_with(json, key, '{', '}');
}

void wn_json_array(wn_json *json, const char *key)
{
    open_with(json, key, '[', ']');
}

void wn_json_end(wn_json *json)
{
    assert(json->depth > 0);
    putc(json->closing[--json->depth], json->to);
    if (json->depth == 0) {
        putc('\n', json->to);
    }
}

void wn_json_string(wn_json *json, const char *key, const char *text)
{
    if (text == NULL) {
        wn_json_null(json, key);
        return;
    }
    introduce(json, key);
    quote(json->to, text);
}

void wn_json_uint(wn_json *json, const char *key, uint64_t number)
{
    introduce(json, key);
    fprintf(json->to, "%" PRIu64, number);
}

void wn_json_int(wn_json *json, const char *key, int64_t number)
{
    introduce(json, key);
    fprintf(json->to, "%" PRId64, number);
}

void wn_json_real(wn_json *json, const char *key, double number)
{
    if (!isfinite(number)) {
        wn_json_null(json, key);
        return;
    }
    introduce(json, key);
    fprintf(json->to, "%.3f", number);
}

void wn_json_bool(wn_json *json, const char *key, bool value)
{
    introduce(json, key);
    fputs(value ? "true" : "false", json->to);
}

void wn_json_null(wn_json *json, const char *key)
{
    introduce(json, key);
    fputs("null", json->to);
}
