/* json.h: writes one JSON value to a stream, member by member (RFC 8259). It reads nothing and allocates nothing.
 *
 * Inside an object every call names its member with `key`; inside an array, and for the outermost value, `key` is NULL.
 */
#ifndef WARREN_JSON_H
#define WARREN_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WN_JSON_DEPTH = 32 };

typedef struct wn_json {
    FILE *to;
    uint32_t depth;
    char closing[WN_JSON_DEPTH]; /* what ends each open object or array */
    bool filled[WN_JSON_DEPTH];  /* whether it has a member already */
} wn_json;

void wn_json_start(wn_json *json, FILE *to);
/* Opens an object or an array, up to WN_JSON_DEPTH inside each other. */
void wn_json_object(wn_json *json, const char *key);
void wn_json_array(wn_json *json, const char *key);
/* Closes the innermost; after the outermost a line feed follows. */
void wn_json_end(wn_json *json);

/* `text` is UTF-8. NULL is written as null. */
void wn_json_string(wn_json *json, const char *key, const char *text);
void wn_json_uint(wn_json *json, const char *key, uint64_t number);
void wn_json_int(wn_json *json, const char *key, int64_t number);
/* With three decimals. What is no number is written as null. */
void wn_json_real(wn_json *json, const char *key, double number);
void wn_json_bool(wn_json *json, const char *key, bool value);
void wn_json_null(wn_json *json, const char *key);

#endif
