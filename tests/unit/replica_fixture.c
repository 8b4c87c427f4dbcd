/* replica_fixture.c: a small mode, a replica of a view of it, and updates for it, made in a line each. */
#include "replica_fixture.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

wn_arena *made;
wn_replica *replica;
static wn_arena *decoded; /* messages as the replica gets them */
static wn_buffer bytes;

/* The legend: six tiles, three fields, two columns. */
static Warren__Tile tiles[TILES];
Warren__Tile *tile_pointers[TILES];
static Warren__StatusField fields[FIELDS];
Warren__StatusField *field_pointers[FIELDS];
static Warren__Mode mode;

void setup(void)
{
    mode = (Warren__Mode)WARREN__MODE__INIT;
    for (size_t i = 0; i < TILES; i++) {
        warren__tile__init(&tiles[i]);
        tiles[i].name = (char *)"tile";
        tile_pointers[i] = &tiles[i];
    }
    for (size_t i = 0; i < FIELDS; i++) {
        warren__status_field__init(&fields[i]);
        fields[i].name = (char *)"field";
        field_pointers[i] = &fields[i];
    }
    mode.name = (char *)"test";
    mode.n_tiles = TILES;
    mode.tiles = tile_pointers;
    mode.n_status = FIELDS;
    mode.status = field_pointers;
    made = wn_arena_new(64 << 20);
    decoded = wn_arena_new(64 << 20);
    replica = wn_replica_new(&mode);
}

void teardown(void)
{
    wn_replica_free(replica);
    wn_arena_free(made);
    wn_arena_free(decoded);
    wn_buffer_free(&bytes);
}

/* making updates */

void *take(size_t size)
{
    void *memory = wn_arena_take(made, size ? size : 1);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0, size);
    return memory;
}

/* Appends a pointer to a repeated field; the arrays that tests make are small. */
void append(void *array, size_t *count, void *item)
{
    void ***pointers = array;
    void **longer = take((*count + 1) * sizeof *longer);
    if (*count > 0) {
        memcpy(longer, *pointers, *count * sizeof *longer);
    }
    longer[(*count)++] = item;
    *pointers = longer;
}

Warren__Update *update_with(uint64_t sequence)
{
    Warren__Update *update = take(sizeof *update);
    warren__update__init(update);
    update->sequence = sequence;
    return update;
}

Warren__Keyframe *keyframe(Warren__Update *update, uint32_t width, uint32_t height)
{
    Warren__Keyframe *body = take(sizeof *body);
    warren__keyframe__init(body);
    body->width = width;
    body->height = height;
    update->body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update->keyframe = body;
    return body;
}

Warren__Delta *delta(Warren__Update *update)
{
    Warren__Delta *body = take(sizeof *body);
    warren__delta__init(body);
    update->body_case = WARREN__UPDATE__BODY_DELTA;
    update->delta = body;
    return body;
}

Warren__Sprite *sprite(uint32_t id)
{
    Warren__Sprite *made_sprite = take(sizeof *made_sprite);
    warren__sprite__init(made_sprite);
    made_sprite->id = id;
    return made_sprite;
}

Warren__Sprite *whole_sprite(uint32_t id, uint32_t at, uint32_t tile)
{
    Warren__Sprite *made_sprite = sprite(id);
    made_sprite->has_at = true;
    made_sprite->at = at;
    made_sprite->has_tile = true;
    made_sprite->tile = tile;
    return made_sprite;
}

Warren__FieldValue *field(uint32_t index)
{
    Warren__FieldValue *value = take(sizeof *value);
    warren__field_value__init(value);
    value->field = index;
    return value;
}

Warren__BoardRow *row(uint32_t index, size_t columns, const char *text)
{
    Warren__BoardRow *made_row = take(sizeof *made_row);
    warren__board_row__init(made_row);
    made_row->row = index;
    for (size_t i = 0; i < columns; i++) {
        append(&made_row->columns, &made_row->n_columns, (char *)text);
    }
    return made_row;
}

Warren__Message *message(uint32_t number, const char *text)
{
    Warren__Message *made_message = take(sizeof *made_message);
    warren__message__init(made_message);
    made_message->number = number;
    made_message->text = (char *)text;
    return made_message;
}

char *text_of(const char *format, unsigned number)
{
    char *text = take(64);
    snprintf(text, 64, format, number);
    return text;
}

wn_apply apply(const Warren__Update *update)
{
    wn_error error = {.text = ""};
    bytes.size = 0;
    wn_encode(&bytes, &update->base);
    wn_arena_reset(decoded);
    const Warren__Update *arrived = wn_update_decode(decoded, bytes.data, bytes.size, &error);
    ck_assert_msg(arrived != NULL, "the wire library refuses it: %s", error.text);
    return wn_replica_apply(replica, arrived);
}

/* As apply(), for what the wire library would not let through. */
wn_apply apply_raw(const Warren__Update *update)
{
    return wn_replica_apply(replica, update);
}
