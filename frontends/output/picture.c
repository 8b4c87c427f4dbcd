/* picture.c: see picture.h. */
#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char glyph_of(const Warren__Mode *mode, uint32_t tile)
{
    const char *ascii = tile < mode->n_tiles ? mode->tiles[tile]->ascii : NULL;
    return ascii != NULL && *ascii != '\0' ? *ascii : '?';
}

/* The cells with the sprites above them, row by row. NULL: no memory. */
static char *glyphs_of(const wn_replica *replica)
{
    const size_t cells = (size_t)replica->width * replica->height;
    char *map = malloc(cells + 1);
    if (map == NULL) {
        return NULL;
    }
    for (size_t at = 0; at < cells; at++) {
        map[at] = glyph_of(replica->mode, replica->cells[at] >> 1);
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        if (replica->sprites[i].at < cells) {
            map[replica->sprites[i].at] = glyph_of(replica->mode, replica->sprites[i].tile);
        }
    }
    return map;
}

static void print_map(FILE *to, const wn_replica *replica)
{
    char *map = glyphs_of(replica);
    for (uint32_t y = 0; map != NULL && y < replica->height; y++) {
        fprintf(to, "%.*s\n", (int)replica->width, map + (size_t)y * replica->width);
    }
    free(map);
}

static void value_of(const Warren__StatusField *field, const wn_field_state *value, char *text, size_t size)
{
    if (field->kind == WARREN__STATUS_KIND__STATUS_TEXT) {
        snprintf(text, size, "%s", value->text);
    } else if (field->kind == WARREN__STATUS_KIND__STATUS_GAUGE || field->kind == WARREN__STATUS_KIND__STATUS_LOAD) {
        snprintf(text, size, "%" PRId64 "/%" PRId64, value->number, value->maximum);
    } else {
        snprintf(text, size, "%" PRId64, value->number);
    }
}

static void print_status(FILE *to, const wn_replica *replica)
{
    char text[WN_TEXT_BYTES + 1];
    for (size_t i = 0; i < replica->mode->n_status; i++) {
        const Warren__StatusField *field = replica->mode->status[i];
        if (replica->fields[i].set) {
            value_of(field, &replica->fields[i], text, sizeof text);
            fprintf(to, "%s: %s\n", field->title != NULL ? field->title : field->name, text);
        }
    }
}

void wn_picture_print(FILE *to, const wn_replica *replica)
{
    print_map(to, replica);
    print_status(to, replica);
    if (replica->banner != NULL && *replica->banner != '\0') {
        fprintf(to, "%s\n", replica->banner);
    }
    for (uint32_t i = 0; i < replica->message_count; i++) {
        const wn_message_state *message = &replica->messages[i];
        fprintf(to, "> %s%s%s\n", message->from, *message->from != '\0' ? ": " : "", message->text);
    }
}

void wn_picture_json(wn_json *json, const wn_replica *replica)
{
    char *map = glyphs_of(replica);
    char text[WN_TEXT_BYTES + 1], row[WN_SIDE + 1];
    wn_json_array(json, "map");
    for (uint32_t y = 0; map != NULL && y < replica->height; y++) {
        snprintf(row, sizeof row, "%.*s", (int)replica->width, map + (size_t)y * replica->width);
        wn_json_string(json, NULL, row);
    }
    wn_json_end(json);
    free(map);
    wn_json_object(json, "status");
    for (size_t i = 0; i < replica->mode->n_status; i++) {
        if (replica->fields[i].set) {
            value_of(replica->mode->status[i], &replica->fields[i], text, sizeof text);
            wn_json_string(json, replica->mode->status[i]->name, text);
        }
    }
    wn_json_end(json);
    wn_json_string(json, "banner", replica->banner);
    wn_json_array(json, "messages");
    for (uint32_t i = 0; i < replica->message_count; i++) {
        wn_json_object(json, NULL);
        wn_json_string(json, "from", *replica->messages[i].from != '\0' ? replica->messages[i].from : NULL);
        wn_json_string(json, "text", replica->messages[i].text);
        wn_json_end(json);
    }
    wn_json_end(json);
}
