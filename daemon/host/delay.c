/* delay.c: see delay.h. */
#include "delay.h"

#include <stdlib.h>
#include <string.h>

#include "hosted.h"

enum {
    WAITING_BYTES = 32 << 20, /* what more would wait is dropped, and spectators go on from a later keyframe */
    HEAD_BYTES = 12,
    KEYFRAME_TURNS = 256 /* between keyframes that nobody may ever see */
};

/* applying an update */

static void apply_cells(wn_cells *cells, const uint32_t *numbers, size_t count)
{
    enum { SKIP, FILL, COPY };
    uint32_t at = 0;
    for (size_t i = 0; i < count;) {
        const uint32_t kind = numbers[i] & 3;
        const uint32_t end = at + (numbers[i] >> 2);
        i++;
        if (end > cells->count) {
            return; /* the host wrote it, so it cannot be */
        }
        for (; kind != SKIP && at < end; at++) {
            wn_cells_put(cells, at, (uint16_t)numbers[i]);
            i += kind == COPY;
        }
        i += kind == FILL;
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

static void apply_messages(wn_delay *delay, Warren__Message *const *messages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (messages[i]->number > delay->heard) {
            delay->heard = messages[i]->number;
            wn_messages_add(&delay->shown.messages, messages[i]->kind, messages[i]->from, messages[i]->text);
        }
    }
}

static void apply_effects(wn_delay *delay, Warren__Effect *const *effects, size_t count)
{
    const uint32_t width = delay->shown.width;
    for (size_t i = 0; i < count && delay->effect_count < WN_MAX_EFFECTS; i++) {
        const Warren__Effect *effect = effects[i];
        if (delay->effect_count == delay->effect_capacity) {
            delay->effect_capacity = delay->effect_capacity ? 2 * delay->effect_capacity : 16;
            delay->effects = wn_must_resize(delay->effects, delay->effect_capacity * sizeof *delay->effects);
        }
        wn_turn_effect *kept = &delay->effects[delay->effect_count++];
        *kept = (wn_turn_effect){.target = WN_SPECTATORS,
                                 .kind = (wn_effect_kind)effect->kind,
                                 .x = effect->has_at ? (int32_t)(effect->at % width) : -1,
                                 .y = effect->has_at ? (int32_t)(effect->at / width) : -1,
                                 .to_x = (int32_t)(effect->to % width),
                                 .to_y = (int32_t)(effect->to / width),
                                 .radius = effect->radius,
                                 .tile = effect->tile};
        wn_text_copy(kept->cue, WN_NAME_BYTES, effect->cue, false);
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
    apply_messages(delay, keyframe->messages, keyframe->n_messages);
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
    apply_messages(delay, delta->messages, delta->n_messages);
    apply_effects(delay, delta->effects, delta->n_effects);
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

/* Keeps what the spectators' view has shown new since the last time, or all of it. */
static void keep(wn_hosted *world, bool anew)
{
    wn_delay *delay = &world->delay;
    wn_view *drawn = wn_hosted_seat_view(world, WN_SPECTATORS);
    wn_buffer *waiting = &delay->waiting;
    const bool full = waiting->size - delay->first > WAITING_BYTES;
    if (full) {
        waiting->size = 0;
        delay->first = 0;
    }
    const size_t head = waiting->size;
    if (full || anew) {
        delay->key_at = head;
        delay->key_turn = world->turn;
    }
    wn_buffer_reserve(waiting, HEAD_BYTES);
    waiting->size += HEAD_BYTES;
    if (!wn_view_write_bare(drawn, full || anew, waiting)) {
        waiting->size = head;
        return;
    }
    const uint32_t size = (uint32_t)(waiting->size - head - HEAD_BYTES);
    memcpy(waiting->data + head, &world->turn, sizeof world->turn);
    memcpy(waiting->data + head + sizeof world->turn, &size, sizeof size);
}

/* What has been shown makes room once it is more than what waits: so moving costs no more than it was to write it. */
static void make_room(wn_delay *delay)
{
    wn_buffer *waiting = &delay->waiting;
    const size_t left = waiting->size - delay->first;
    if (delay->first > left) {
        memmove(waiting->data, waiting->data + delay->first, left);
        waiting->size = left;
        delay->key_at -= delay->key_at < delay->first ? delay->key_at : delay->first;
        delay->first = 0;
    }
}

/* Shows what is of turn `last` or before. */
static void show(wn_hosted *world, uint64_t last)
{
    wn_delay *delay = &world->delay;
    while (delay->first < delay->waiting.size) {
        const uint8_t *head = delay->waiting.data + delay->first;
        uint64_t turn;
        uint32_t size;
        memcpy(&turn, head, sizeof turn);
        memcpy(&size, head + sizeof turn, sizeof size);
        if (turn > last) {
            break;
        }
        apply(world, head + HEAD_BYTES, size);
        delay->first += HEAD_BYTES + size;
    }
    make_room(delay);
}

void wn_delay_begin(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    char sentence[WN_TEXT_BYTES];
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
    keep(world, true);
    if (world->turn == 0) {
        show(world, 0); /* nobody has played yet: there is nothing to hide */
    }
}

/* Drops what a keyframe that is due replaces. */
static void forget(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    if (delay->key_at > delay->first && delay->key_turn + delay->turns <= world->turn) {
        delay->first = delay->key_at;
        make_room(delay);
    }
}

void wn_delay_pass(wn_hosted *world)
{
    wn_delay *delay = &world->delay;
    delay->effect_count = 0;
    if (delay->watched) {
        keep(world, false);
        wn_delay_catch_up(world);
        return;
    }
    forget(world);
    keep(world, delay->key_turn + delay->turns + KEYFRAME_TURNS <= world->turn);
}

void wn_delay_catch_up(wn_hosted *world)
{
    if (world->turn >= world->delay.turns) {
        show(world, world->turn - world->delay.turns);
    }
}

void wn_delay_free(wn_delay *delay)
{
    wn_view_free(&delay->shown);
    wn_buffer_free(&delay->waiting);
    wn_arena_free(delay->arena);
    free(delay->effects);
}
