/* replica-sprites.c: the sprites of a view, sorted by their ids. See replica-internal.h. */
#include <stdlib.h>
#include <string.h>

#include "replica-internal.h"

/* The index of the first sprite, below `count`, whose id is not less. */
static uint32_t lower_bound(const wn_sprite_state *sprites, uint32_t count, uint32_t id)
{
    uint32_t low = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        if (sprites[low + half].id < id) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

static wn_sprite_state *find_sprite(const wn_replica_data *replica, uint32_t id)
{
    const uint32_t at = lower_bound(replica->sprites, replica->shown.sprite_count, id);
    return at < replica->shown.sprite_count && replica->sprites[at].id == id ? &replica->sprites[at] : NULL;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int compare_changes(const void *a, const void *b)
{
    const wn_sprite_change *left = a;
    const wn_sprite_change *right = b;
    const int by_id = (left->id > right->id) - (left->id < right->id);
    return by_id ? by_id : (left->index > right->index) - (left->index < right->index);
}

/* memory */

static bool reserve_gone(wn_replica_data *replica, size_t count)
{
    uint32_t *grown = wn_replica_grow(replica->gone, &replica->gone_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->gone = grown;
    return true;
}

static bool reserve_changes(wn_replica_data *replica, size_t count)
{
    wn_sprite_change *grown = wn_replica_grow(replica->changes, &replica->change_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->changes = grown;
    return true;
}

static bool reserve_sprites(wn_replica_data *replica, size_t count)
{
    wn_sprite_state *grown = wn_replica_grow(replica->sprites, &replica->sprite_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->sprites = grown;
    return true;
}

/* what an update changes */

/* Fills in `gone`. Ids that are not there may be named: the picture is the same without them. */
bool wn_replica_prepare_gone(wn_replica_data *replica, const wn_update_content *content)
{
    replica->gone_count = 0;
    if (!reserve_gone(replica, content->gone_count)) {
        return false;
    }
    size_t known = 0;
    bool ascending = true;
    for (size_t i = 0; i < content->gone_count; i++) {
        if (find_sprite(replica, content->gone[i])) {
            ascending = ascending && (known == 0 || replica->gone[known - 1] < content->gone[i]);
            replica->gone[known++] = content->gone[i];
        }
    }
    if (!ascending) {
        qsort(replica->gone, known, sizeof *replica->gone, compare_ids);
    }
    for (size_t i = 0; i < known; i++) {
        if (i == 0 || replica->gone[i] != replica->gone[replica->gone_count - 1]) {
            replica->gone[replica->gone_count++] = replica->gone[i];
        }
    }
    return true;
}

static bool sprite_valid(const wn_replica_data *replica, const Warren__Sprite *sprite, uint64_t cells, bool fresh)
{
    return (!fresh || (sprite->has_at && sprite->has_tile)) && (!sprite->has_at || sprite->at < cells) &&
           (!sprite->has_tile || sprite->tile < replica->shown.mode->n_tiles) &&
           (!sprite->has_facing || sprite->facing <= WN_NOWHERE);
}

/* Fills in `changes`, once `gone` is. */
bool wn_replica_prepare_sprites(wn_replica_data *replica, const wn_update_content *content, uint64_t cells,
                                bool keyframe)
{
    replica->fresh_count = 0;
    if (!reserve_changes(replica, content->sprite_count)) {
        return false;
    }
    bool ascending = true;
    for (size_t i = 0; i < content->sprite_count; i++) {
        replica->changes[i] = (wn_sprite_change){.id = content->sprites[i]->id, .index = (uint32_t)i};
        ascending = ascending && (i == 0 || replica->changes[i - 1].id < replica->changes[i].id);
    }
    if (!ascending) {
        qsort(replica->changes, content->sprite_count, sizeof *replica->changes, compare_changes);
    }
    for (size_t i = 0; i < content->sprite_count; i++) {
        wn_sprite_change *change = &replica->changes[i];
        const bool repeated = i > 0 && replica->changes[i - 1].id == change->id;
        const bool leaves = replica->gone_count > 0 &&
                            bsearch(&change->id, replica->gone, replica->gone_count, sizeof change->id, compare_ids);
        const bool there = !keyframe && !leaves && find_sprite(replica, change->id);
        change->fresh = !repeated && !there;
        replica->fresh_count += change->fresh;
        if (!sprite_valid(replica, content->sprites[change->index], cells, change->fresh)) {
            return false;
        }
    }
    const size_t kept = keyframe ? 0 : replica->shown.sprite_count - replica->gone_count;
    const size_t total = kept + replica->fresh_count;
    return total <= WN_SPRITES && reserve_sprites(replica, total);
}

/* Closes the gaps that those gone leave, moving each run between two of them once. */
static void remove_gone(wn_replica_data *replica)
{
    wn_sprite_state *sprites = replica->sprites;
    uint32_t to = 0;
    uint32_t from = 0;
    for (size_t i = 0; i < replica->gone_count; i++) {
        const uint32_t at = lower_bound(sprites + from, replica->shown.sprite_count - from, replica->gone[i]) + from;
        memmove(sprites + to, sprites + from, (at - from) * sizeof *sprites);
        to += at - from;
        from = at + 1;
    }
    if (from > 0) {
        const uint32_t rest = replica->shown.sprite_count - from;
        memmove(sprites + to, sprites + from, rest * sizeof *sprites);
        replica->shown.sprite_count = to + rest;
    }
}

/* Opens the gaps for fresh sprites from the back, moving each run once. */
static void insert_fresh(wn_replica_data *replica, size_t change_count)
{
    wn_sprite_state *sprites = replica->sprites;
    uint32_t end = replica->shown.sprite_count;
    uint32_t left = (uint32_t)replica->fresh_count;
    replica->shown.sprite_count += left;
    for (size_t i = change_count; left > 0; i--) {
        const wn_sprite_change *change = &replica->changes[i - 1];
        if (change->fresh) {
            const uint32_t at = lower_bound(sprites, end, change->id);
            memmove(sprites + at + left, sprites + at, (end - at) * sizeof *sprites);
            end = at;
            left--;
            sprites[at + left].id = change->id;
            sprites[at + left].facing = WN_NOWHERE;
            sprites[at + left].label[0] = '\0';
        }
    }
}

void wn_replica_apply_sprites(wn_replica_data *replica, const wn_update_content *content)
{
    remove_gone(replica);
    insert_fresh(replica, content->sprite_count);
    for (size_t i = 0; i < content->sprite_count; i++) {
        const Warren__Sprite *change = content->sprites[replica->changes[i].index];
        wn_sprite_state *sprite = find_sprite(replica, change->id);
        sprite->at = change->has_at ? change->at : sprite->at;
        sprite->tile = change->has_tile ? change->tile : sprite->tile;
        sprite->facing = change->has_facing ? change->facing : sprite->facing;
        if (change->label) {
            wn_replica_copy(sprite->label, sizeof sprite->label, change->label);
        }
    }
}
