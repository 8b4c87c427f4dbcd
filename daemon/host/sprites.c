/* sprites.c: see sprites.h. */
#include "sprites.h"

#include <stdlib.h>
#include <string.h>

#include "pb.h"

/* Finds the sprite, or where it would have to be put. */
static bool find(const wn_sprites *sprites, uint32_t id, uint32_t *index)
{
    if (sprites->next < sprites->count && sprites->shown[sprites->next].id == id) {
        *index = sprites->next;
        return true;
    }
    uint32_t low = 0;
    uint32_t high = sprites->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sprites->shown[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *index = low;
    return low < sprites->count && sprites->shown[low].id == id;
}

const wn_view_sprite *wn_sprites_find(const wn_sprites *sprites, uint32_t id)
{
    uint32_t index;
    return find(sprites, id, &index) ? &sprites->shown[index] : NULL;
}

static void add_id(wn_ids *ids, uint32_t id)
{
    if (ids->count == ids->capacity) {
        ids->capacity = ids->capacity ? ids->capacity * 2 : 16;
        ids->list = wn_must_resize(ids->list, ids->capacity * sizeof *ids->list);
    }
    ids->list[ids->count++] = id;
}

static void list_changed(wn_sprites *sprites, uint32_t index)
{
    if (!sprites->tracks[index].listed) {
        sprites->tracks[index].listed = true;
        add_id(&sprites->changed, sprites->shown[index].id);
    }
}

static void insert(wn_sprites *sprites, uint32_t index, uint32_t id)
{
    if (sprites->count == sprites->capacity) {
        sprites->capacity = sprites->capacity ? sprites->capacity * 2 : 16;
        sprites->shown = wn_must_resize(sprites->shown, sprites->capacity * sizeof *sprites->shown);
        sprites->tracks = wn_must_resize(sprites->tracks, sprites->capacity * sizeof *sprites->tracks);
    }
    const uint32_t behind = sprites->count - index;
    memmove(sprites->shown + index + 1, sprites->shown + index, behind * sizeof *sprites->shown);
    memmove(sprites->tracks + index + 1, sprites->tracks + index, behind * sizeof *sprites->tracks);
    sprites->shown[index] = (wn_view_sprite){.id = id, .label = ""};
    sprites->tracks[index] = (wn_sprite_track){0};
    sprites->count++;
    list_changed(sprites, index);
}

bool wn_sprites_draw(wn_sprites *sprites, const wn_view_sprite *sprite)
{
    uint32_t index;
    if (!find(sprites, sprite->id, &index)) {
        if (sprites->count - sprites->dead >= WN_MAX_SPRITES) {
            return false;
        }
        insert(sprites, index, sprite->id);
    }
    wn_view_sprite *shown = &sprites->shown[index];
    wn_sprite_track *track = &sprites->tracks[index];
    sprites->next = index + 1;
    track->drawn = sprites->round;
    if (track->dead) {
        track->dead = false;
        sprites->dead--;
    }
    const bool relabelled = wn_kept_set(&track->label, sprite->label, WN_MAX_TEXT, false);
    if (relabelled || shown->at != sprite->at || shown->tile != sprite->tile || shown->facing != sprite->facing) {
        track->label_changed = track->label_changed || relabelled;
        *shown = *sprite;
        shown->label = wn_kept_text(&track->label);
        list_changed(sprites, index);
    }
    return true;
}

static void kill_sprite(wn_sprites *sprites, uint32_t index)
{
    if (!sprites->tracks[index].dead) {
        sprites->tracks[index].dead = true;
        sprites->dead++;
    }
}

void wn_sprites_remove(wn_sprites *sprites, uint32_t id)
{
    uint32_t index;
    if (find(sprites, id, &index)) {
        kill_sprite(sprites, index);
    }
}

void wn_sprites_begin_round(wn_sprites *sprites)
{
    sprites->round++;
    sprites->sweep = true;
    sprites->next = 0;
}

void wn_sprites_settle(wn_sprites *sprites)
{
    sprites->next = 0;
    if (sprites->sweep) {
        sprites->sweep = false;
        for (uint32_t i = 0; i < sprites->count; i++) {
            if (sprites->tracks[i].drawn != sprites->round) {
                kill_sprite(sprites, i);
            }
        }
    }
    if (sprites->dead == 0) {
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sprites->count; i++) {
        wn_sprite_track *track = &sprites->tracks[i];
        if (!track->dead) {
            sprites->shown[kept] = sprites->shown[i];
            sprites->tracks[kept++] = *track;
            continue;
        }
        if (track->sent) {
            add_id(&sprites->gone, sprites->shown[i].id);
        }
        wn_kept_free(&track->label);
    }
    sprites->count = kept;
    sprites->dead = 0;
}

/* encoding */

static void count_as_sent(wn_sprite_track *track, const wn_view_sprite *sprite)
{
    track->sent_at = sprite->at;
    track->sent_tile = sprite->tile;
    track->sent_facing = sprite->facing;
    track->sent = true;
    track->listed = false;
    track->label_changed = false;
}

/* Sprite { id = 1, at = 2, tile = 3, facing = 4 unless none, label = 5 unless empty } */
static void write_whole(const wn_view_sprite *sprite, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, sprite->id);
    wn_pb_varint(buffer, 2, sprite->at);
    wn_pb_varint(buffer, 3, sprite->tile);
    if (sprite->facing != WN_HERE) {
        wn_pb_varint(buffer, 4, sprite->facing);
    }
    if (sprite->label[0]) {
        wn_pb_string(buffer, 5, sprite->label);
    }
    wn_pb_end(buffer, mark);
}

/* Sprite { id = 1, and those of at = 2, tile = 3, facing = 4, label = 5 that differ from what was sent } */
static void write_change(const wn_view_sprite *sprite, const wn_sprite_track *track, wn_buffer *buffer, uint32_t field)
{
    const size_t before = buffer->size;
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, sprite->id);
    const size_t empty = buffer->size;
    if (sprite->at != track->sent_at) {
        wn_pb_varint(buffer, 2, sprite->at);
    }
    if (sprite->tile != track->sent_tile) {
        wn_pb_varint(buffer, 3, sprite->tile);
    }
    if (sprite->facing != track->sent_facing) {
        wn_pb_varint(buffer, 4, sprite->facing);
    }
    if (track->label_changed) {
        wn_pb_string(buffer, 5, sprite->label);
    }
    if (buffer->size == empty) {
        buffer->size = before; /* it went and came back */
        return;
    }
    wn_pb_end(buffer, mark);
}

void wn_sprites_write_changes(wn_sprites *sprites, wn_buffer *buffer, uint32_t gone_field, uint32_t sprites_field)
{
    if (sprites->gone.count > 0) {
        const size_t mark = wn_pb_begin(buffer, gone_field);
        for (uint32_t i = 0; i < sprites->gone.count; i++) {
            wn_pb_raw(buffer, sprites->gone.list[i]);
        }
        wn_pb_end(buffer, mark);
        sprites->gone.count = 0;
    }
    for (uint32_t i = 0; i < sprites->changed.count; i++) {
        uint32_t index;
        if (!find(sprites, sprites->changed.list[i], &index) || !sprites->tracks[index].listed) {
            continue; /* it has left again */
        }
        const wn_view_sprite *sprite = &sprites->shown[index];
        wn_sprite_track *track = &sprites->tracks[index];
        if (track->sent) {
            write_change(sprite, track, buffer, sprites_field);
        } else {
            write_whole(sprite, buffer, sprites_field);
        }
        count_as_sent(track, sprite);
    }
    sprites->changed.count = 0;
}

void wn_sprites_write_all(wn_sprites *sprites, wn_buffer *buffer, uint32_t sprites_field)
{
    for (uint32_t i = 0; i < sprites->count; i++) {
        write_whole(&sprites->shown[i], buffer, sprites_field);
        count_as_sent(&sprites->tracks[i], &sprites->shown[i]);
    }
    sprites->gone.count = 0;
    sprites->changed.count = 0;
}

void wn_sprites_clear(wn_sprites *sprites)
{
    for (uint32_t i = 0; i < sprites->count; i++) {
        wn_kept_free(&sprites->tracks[i].label);
    }
    sprites->count = 0;
    sprites->changed.count = 0;
    sprites->gone.count = 0;
    sprites->next = 0;
    sprites->dead = 0;
    /* A round that began stays one: what is drawn from now on is of it. */
}

void wn_sprites_free(wn_sprites *sprites)
{
    wn_sprites_clear(sprites);
    free(sprites->shown);
    free(sprites->tracks);
    free(sprites->changed.list);
    free(sprites->gone.list);
    *sprites = (wn_sprites){0};
}
