/* delay.c: see delay.h. */
#include "delay.h"

#include <stdlib.h>
#include <string.h>

#include "hosted.h"

enum {
    WAITING_BYTES = 32 << 20, /* what more would wait is dropped, and spectators go on from a later keyframe */
    KEYFRAME_TURNS = 256      /* between keyframes that nobody may ever see */
};

/* What stands before each Update that waits. */
typedef enum entry_kind {
    CHANGES, /* since the entry before */
    NEW_PICTURE /* a keyframe, since there is no way from what was before to what is */,
    RESUME /* a keyframe to begin with: it shows what the entry before leads to */
} entry_kind;

typedef struct entry {
    uint64_t turn;
    uint32_t size;
    uint32_t body; /* where the update's keyframe or delta begins in it */
    entry_kind kind;
} entry;

/* applying an update */

static void apply_cells(wn_cells *cells, const uint32_t *numbers, size_t count)
{
    uint32_t at = 0;
    for (size_t i = 0; i < count;) {
        const uint32_t kind = numbers[i] & 3;
        const uint32_t end = at + (numbers[i] >> 2);
        i++;
        if (end > cells->count) {
            return; /* the host wrote it, so it cannot be */
        }
        for (; kind != WN_CELLS_SKIP && at < end; at++) {
            wn_cells_put(cells, at, (uint16_t)numbers[i]);
            i += kind == WN_CELLS_COPY;
        }
        i += kind == WN_CELLS_FILL;
        at = end;
    }
}

/* Of a known sprite only what changed is there. */
static void apply_sprite(wn_sprites *sprites, const Warren__Sprite *change)
{
    const wn_view_sprite *known = wn_sprites_find(sprites, change->id);
    wn_view_sprite sprite = known ? *known : (wn_view_sprite){.id = change->id, .facing = WN_HERE, .label = ""};
    sprite.at = change->has_at ? change->at : sprite.at;
    sprite.tile = change->has_tile ? change->tile : sprite.tile;
    sprite.facing = change->has_facing ? change->facing : sprite.facing;
    sprite.label = change->label ? change->label : sprite.label;
    wn_sprites_draw(sprites, &sprite);
}

static void apply_fields(wn_picture *picture, const wn_mode_descriptor *mode, Warren__FieldValue *const *fields,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (mode->status[fields[i]->field].kind == WN_STATUS_TEXT) {
            wn_picture_text(picture, fields[i]->field, fields[i]->text);
        } else {
            wn_picture_number(picture, fields[i]->field, fields[i]->number, fields[i]->maximum);
        }
    }
}

static void apply_rows(wn_picture *picture, Warren__BoardRow *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wn_picture_row(picture, rows[i]->row, rows[i]->n_columns ? (const char *const *)rows[i]->columns : NULL,
                       (uint32_t)rows[i]->n_columns);
    }
}

static void apply_regions(wn_picture *picture, Warren__Region *const *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Warren__Region *region = regions[i];
        const wn_region area = {.width = region->width, .height = region->height, .title = region->title};
        wn_picture_region(picture, region->region, region->at, region->has_at ? &area : NULL);
    }
}

/* They keep their numbers, which count up by one. */
static void apply_messages(wn_message_log *log, Warren__Message *const *messages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        log->last = messages[i]->number - 1;
        wn_messages_add(log, messages[i]->kind, messages[i]->from, messages[i]->text);
    }
}

static void apply_keyframe(wn_hosted *world, const Warren__Keyframe *keyframe)
{
    wn_delay *delay = &world->delay;
    wn_picture *picture = delay->shown.picture;
    delay->shown.width = keyframe->width;
    delay->shown.height = keyframe->height;
    wn_picture_empty(picture, keyframe->width * keyframe->height);
    apply_cells(&picture->cells, keyframe->cells, keyframe->n_cells);
    for (size_t i = 0; i < keyframe->n_sprites; i++) {
        apply_sprite(&picture->sprites, keyframe->sprites[i]);
    }
    apply_fields(picture, world->plugin->mode, keyframe->fields, keyframe->n_fields);
    apply_rows(picture, keyframe->board, keyframe->n_board);
    apply_regions(picture, keyframe->regions, keyframe->n_regions);
    picture->focus = keyframe->has_focus ? keyframe->focus : UINT32_MAX;
    picture->facing = keyframe->has_facing ? keyframe->facing : WN_HERE;
    wn_picture_banner(picture, keyframe->banner);
    wn_messages_clear(&delay->shown.messages);
    apply_messages(&delay->shown.messages, keyframe->messages, keyframe->n_messages);
}

static void apply_delta(wn_hosted *world, const Warren__Delta *delta)
{
    wn_delay *delay = &world->delay;
    wn_picture *picture = delay->shown.picture;
    apply_cells(&picture->cells, delta->cells, delta->n_cells);
    for (size_t i = 0; i < delta->n_gone; i++) {
        wn_sprites_remove(&picture->sprites, delta->gone[i]);
    }
    wn_sprites_settle(&picture->sprites);
    for (size_t i = 0; i < delta->n_sprites; i++) {
        apply_sprite(&picture->sprites, delta->sprites[i]);
    }
    apply_fields(picture, world->plugin->mode, delta->fields, delta->n_fields);
    apply_rows(picture, delta->board, delta->n_board);
    apply_regions(picture, delta->regions, delta->n_regions);
    picture->focus = delta->has_focus ? delta->focus : picture->focus;
    picture->facing = delta->has_facing ? delta->facing : picture->facing;
    if (delta->banner) {
        wn_picture_banner(picture, delta->banner);
    }
    apply_messages(&delay->shown.messages, delta->messages, delta->n_messages);
}

static void apply(wn_hosted *world, const uint8_t *bytes, size_t size)
{
    wn_delay *delay = &world->delay;
    wn_error error = {0};
    wn_arena_reset(delay->arena);
    const Warren__Update *update = wn_update_decode(delay->arena, bytes, size, &error);
    if (!update) {
        wn_world_log(world, WN_LOG_ERROR, "the spectators' view cannot be shown: %s", error.text);
    } else if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        apply_keyframe(world, update->keyframe);
    } else if (update->body_case == WARREN__UPDATE__BODY_DELTA) {
        apply_delta(world, update->delta);
    }
}

/* what waits */

static entry entry_at(const wn_delay *delay, size_t at)
{
    entry found;
    memcpy(&found, delay->waiting.data + at, sizeof found);
    return found;
}

/* Adds what the spectators' view has shown new since the last time, or all of it; nothing, if that is nothing. */
static void keep(wn_hosted *world, entry_kind kind)
{
    wn_view *drawn = wn_hosted_seat_view(world, WN_SPECTATORS);
    wn_buffer *waiting = &world->delay.waiting;
    const size_t at = waiting->size;
    const bool keyframe = kind != CHANGES || drawn->picture->keyframe_due;
    wn_buffer_reserve(waiting, sizeof(entry));
    waiting->size += sizeof(entry);
    const size_t body = wn_view_write_bare(drawn, keyframe, waiting);
    if (body == 0) {
        waiting->size = at;
        return;
    }
    const size_t begin = at + sizeof(entry);
    const entry kept = {.turn = world->turn,
                        .size = (uint32_t)(waiting->size - begin),
                        .body = (uint32_t)(body - begin),
                        .kind = keyframe && kind == CHANGES ? NEW_PICTURE : kind};
    memcpy(waiting->data + at, &kept, sizeof kept);
    world->delay.key_turn = keyframe ? world->turn : world->delay.key_turn;
}

/* What the last turn changed. */
static void keep_turn(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    if (delay->waiting.size - delay->first > WAITING_BYTES) {
        wn_delay_catch_up(world); /* what is due need not wait in the picture's stead */
    }
    const bool full = delay->waiting.size - delay->first > WAITING_BYTES;
    if (full) {
        delay->waiting.size = 0;
        delay->first = 0;
        delay->due = 0;
    }
    keep(world, full ? NEW_PICTURE : CHANGES);
    if (delay->key_turn + KEYFRAME_TURNS <= world->turn) {
        keep(world, RESUME);
    }
}

/* What is not needed any more makes room once it is more than what waits: so moving costs no more than it was to write
 * it. */
static void make_room(wn_delay *delay)
{
    wn_buffer *waiting = &delay->waiting;
    const size_t left = waiting->size - delay->first;
    if (delay->first > left) {
        memmove(waiting->data, waiting->data + delay->first, left);
        waiting->size = left;
        delay->due -= delay->first;
        delay->first = 0;
    }
}

/* Counts what is of turn `last` or before as due. Returns how many updates that are, and where the last of them is. */
static uint32_t advance(wn_delay *delay, uint64_t last, size_t *update)
{
    uint32_t count = 0;
    while (delay->due < delay->waiting.size) {
        const entry next = entry_at(delay, delay->due);
        if (next.turn > last) {
            break;
        }
        if (next.kind != CHANGES) {
            delay->first = delay->due; /* what was before does not matter any more */
        }
        if (next.kind != RESUME) {
            *update = delay->due;
            count++;
        }
        delay->due += sizeof next + next.size;
    }
    return count;
}

/* The same for what is due now. */
static uint32_t advance_now(wn_hosted *world, size_t *update)
{
    wn_delay *delay = &world->delay;
    return world->turn >= delay->turns ? advance(delay, world->turn - delay->turns, update) : 0;
}

void wn_delay_catch_up(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    while (delay->first < delay->due) {
        const entry next = entry_at(delay, delay->first);
        apply(world, delay->waiting.data + delay->first + sizeof next, next.size);
        delay->first += sizeof next + next.size;
    }
    make_room(delay);
}

void wn_delay_write_keyframe(wn_hosted *world, wn_buffer *buffer, uint32_t field)
{
    size_t update;
    advance_now(world, &update);
    wn_delay_catch_up(world);
    wn_view_write(&world->delay.shown, true, buffer, field);
}

void wn_delay_write(wn_hosted *world, wn_buffer *buffer, uint32_t field)
{
    wn_delay *delay = &world->delay;
    size_t at = 0;
    keep_turn(world);
    const uint32_t count = advance_now(world, &at);
    if (delay->watched && count > 1) { /* turns were played unseen */
        wn_delay_write_keyframe(world, buffer, field);
    } else if (delay->watched && count == 1) {
        const entry update = entry_at(delay, at);
        const uint8_t *bytes = delay->waiting.data + at + sizeof update;
        wn_view_pass_on(&delay->shown, update.kind != CHANGES, bytes + update.body, update.size - update.body, buffer,
                        field);
    }
    make_room(delay);
}

void wn_delay_begin(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    char sentence[WN_TEXT_BYTES];
    size_t update;
    if (delay->turns == 0) {
        return;
    }
    delay->arena = wn_arena_new(WN_ARENA_UPDATE);
    if (!delay->arena) {
        wn_world_log(world, WN_LOG_ERROR, "there is no memory for the spectators' view");
        abort();
    }
    delay->shown = (wn_view){.world = world, .seat = WN_SPECTATORS, .x = -1, .y = -1, .facing = WN_HERE};
    wn_view_watch(&delay->shown, true);
    delay->shown.width = 1;
    delay->shown.height = 1;
    wn_picture_empty(delay->shown.picture, 1);
    snprintf(sentence, sizeof sentence, "Not yet\nSpectators see this world %u turns late.", delay->turns);
    wn_picture_banner(delay->shown.picture, sentence);
    wn_view *drawn = wn_hosted_seat_view(world, WN_SPECTATORS);
    wn_view_watch(drawn, true);
    wn_view_draw(drawn, WN_DRAW_ALL);
    keep(world, NEW_PICTURE);
    if (world->turn == 0) {
        advance(delay, 0, &update); /* nobody has played yet: there is nothing to hide */
    }
}

void wn_delay_free(wn_delay *delay)
{
    wn_view_free(&delay->shown);
    wn_buffer_free(&delay->waiting);
    wn_arena_free(delay->arena);
}
