/* replica.c: a view as it stands here. An update is checked as a whole before it changes anything, so that a replica
 * is never half of one picture and half of another. It knows nothing of sockets and asks for no keyframes.
 *
 * Costs: a delta costs what it changes, plus moving the sprites behind one that comes or goes.
 */
#include <stdlib.h>
#include <string.h>

#include "replica-internal.h"
#include "replica.h"

enum { CELL_VALUES = 1 << 16 };

/* memory */

void *wn_replica_grow(void *items, size_t *capacity, size_t count, size_t item_size)
{
    static const size_t first = 4;
    if (count <= *capacity) {
        return items;
    }
    size_t wanted = *capacity > 0 ? *capacity : first;
    while (wanted < count) {
        wanted *= 2;
    }
    char *grown = realloc(items, wanted * item_size);
    if (grown == NULL) {
        return NULL;
    }
    memset(grown + *capacity * item_size, 0, (wanted - *capacity) * item_size);
    *capacity = wanted;
    return grown;
}

void wn_replica_copy(char *to, size_t capacity, const char *from)
{
    const size_t size = strnlen(from, capacity - 1);
    memcpy(to, from, size);
    to[size] = '\0';
}

/* updates */

static bool focus_valid(const wn_update_content *content, uint64_t cells)
{
    return !content->has_focus || content->focus < cells || content->focus == WN_NO_FOCUS;
}

/* Checks everything and takes all memory that applying will need. */
static bool prepare(wn_replica_data *replica, const wn_update_content *content, uint32_t width, uint64_t cells,
                    bool keyframe)
{
    const size_t tiles = replica->shown.mode->n_tiles;
    const uint32_t limit = tiles * 2 < CELL_VALUES ? (uint32_t)(tiles * 2) : CELL_VALUES;
    const bool valid =
        wn_replica_cells_valid(content->cells, content->cell_count, cells, limit) &&
        wn_replica_prepare_gone(replica, content) && wn_replica_prepare_sprites(replica, content, cells, keyframe) &&
        wn_replica_fields_valid(replica, content) && focus_valid(content, cells) &&
        wn_replica_prepare_board(replica, content) && wn_replica_prepare_regions(replica, content, width, cells) &&
        (!content->has_facing || content->facing <= WN_NOWHERE) && content->message_count <= WN_MESSAGES &&
        wn_replica_reserve_messages(replica, content->message_count);
    replica->shown.sprites = replica->sprites; /* may have moved, whatever came of it */
    replica->shown.rows = replica->rows;
    replica->shown.regions = replica->regions;
    return valid;
}

static void apply(wn_replica_data *replica, const wn_update_content *content)
{
    if (content->cell_count > 0) {
        wn_replica_apply_cells(replica->cells, content->cells, content->cell_count);
    }
    wn_replica_apply_sprites(replica, content);
    wn_replica_apply_fields(replica, content);
    if (content->has_focus) {
        replica->shown.focus = content->focus;
    }
    if (content->has_facing) {
        replica->shown.facing = content->facing;
    }
    if (content->region_count > 0) {
        wn_replica_apply_regions(replica, content);
    }
    if (content->board_count > 0) {
        wn_replica_apply_board(replica, content);
    }
    if (content->banner) {
        wn_replica_copy(replica->banner, sizeof replica->banner, content->banner);
    }
    if (content->message_count > 0) {
        wn_replica_apply_messages(replica, content);
    }
}

static void clear_picture(wn_replica_data *replica)
{
    replica->shown.sprite_count = 0;
    replica->shown.row_count = 0;
    replica->shown.region_count = 0;
    replica->shown.focus = WN_NO_FOCUS;
    replica->shown.facing = WN_NOWHERE;
    replica->banner[0] = '\0';
    memset(replica->fields, 0, replica->shown.mode->n_status * sizeof *replica->fields);
    for (size_t i = 0; i < replica->row_capacity; i++) {
        replica->rows[i].column_count = 0;
    }
    for (size_t i = 0; i < replica->region_capacity; i++) {
        replica->regions[i].width = 0;
    }
}

/* A keyframe has the newest messages. If they are older than ours, or none, the view began anew with its numbers. */
static void compare_messages(wn_replica_data *replica, const Warren__Keyframe *keyframe)
{
    uint32_t newest = 0;
    for (size_t i = 0; i < keyframe->n_messages; i++) {
        newest = keyframe->messages[i]->number > newest ? keyframe->messages[i]->number : newest;
    }
    if (newest < replica->last_message) {
        replica->last_message = 0;
    }
}

static bool reserve_cells(wn_replica_data *replica, size_t count)
{
    uint16_t *grown = wn_replica_grow(replica->cells, &replica->cell_capacity, count, sizeof *grown);
    if (grown == NULL && count > 0) {
        return false;
    }
    replica->cells = grown;
    return true;
}

static bool apply_keyframe(wn_replica_data *replica, const Warren__Keyframe *keyframe)
{
    const wn_update_content content = {.cells = keyframe->cells,
                                       .cell_count = keyframe->n_cells,
                                       .sprites = keyframe->sprites,
                                       .sprite_count = keyframe->n_sprites,
                                       .fields = keyframe->fields,
                                       .field_count = keyframe->n_fields,
                                       .has_focus = keyframe->has_focus,
                                       .focus = keyframe->focus,
                                       .has_facing = keyframe->has_facing,
                                       .facing = keyframe->facing,
                                       .regions = keyframe->regions,
                                       .region_count = keyframe->n_regions,
                                       .board = keyframe->board,
                                       .board_count = keyframe->n_board,
                                       .banner = keyframe->banner,
                                       .messages = keyframe->messages,
                                       .message_count = keyframe->n_messages};
    if (keyframe->width < 1 || keyframe->width > WN_SIDE || keyframe->height < 1 || keyframe->height > WN_SIDE ||
        replica->shown.mode->n_tiles == 0) {
        return false;
    }
    const size_t cells = (size_t)keyframe->width * keyframe->height;
    if (!prepare(replica, &content, keyframe->width, cells, true) || !reserve_cells(replica, cells)) {
        return false;
    }
    clear_picture(replica);
    memset(replica->cells, 0, cells * sizeof *replica->cells);
    replica->shown.cells = replica->cells;
    replica->shown.width = keyframe->width;
    replica->shown.height = keyframe->height;
    replica->shown.ready = true;
    compare_messages(replica, keyframe);
    apply(replica, &content);
    return true;
}

static bool apply_delta(wn_replica_data *replica, const Warren__Delta *delta)
{
    const wn_update_content content = {.cells = delta->cells,
                                       .cell_count = delta->n_cells,
                                       .sprites = delta->sprites,
                                       .sprite_count = delta->n_sprites,
                                       .gone = delta->gone,
                                       .gone_count = delta->n_gone,
                                       .fields = delta->fields,
                                       .field_count = delta->n_fields,
                                       .has_focus = delta->has_focus,
                                       .focus = delta->focus,
                                       .has_facing = delta->has_facing,
                                       .facing = delta->facing,
                                       .regions = delta->regions,
                                       .region_count = delta->n_regions,
                                       .board = delta->board,
                                       .board_count = delta->n_board,
                                       .banner = delta->banner,
                                       .messages = delta->messages,
                                       .message_count = delta->n_messages};
    if (!prepare(replica, &content, replica->shown.width, (uint64_t)replica->shown.width * replica->shown.height,
                 false)) {
        return false;
    }
    apply(replica, &content);
    return true;
}

wn_apply wn_replica_apply(wn_replica *shown, const Warren__Update *update)
{
    wn_replica_data *replica = (wn_replica_data *)shown;
    const bool keyframe = update->body_case == WARREN__UPDATE__BODY_KEYFRAME;
    if (!keyframe && (!shown->ready || update->sequence != shown->sequence + 1)) {
        return WN_APPLY_GAP;
    }
    if (keyframe ? !apply_keyframe(replica, update->keyframe)
                 : update->body_case == WARREN__UPDATE__BODY_DELTA && !apply_delta(replica, update->delta)) {
        return WN_APPLY_INVALID;
    }
    shown->sequence = update->sequence;
    shown->turn = update->has_turn ? update->turn : shown->turn;
    shown->executed = update->has_executed ? update->executed : shown->executed;
    return WN_APPLY_DONE;
}

/* lifetime */

wn_replica *wn_replica_new(const Warren__Mode *mode)
{
    wn_replica_data *replica = calloc(1, sizeof *replica);
    wn_field_state *fields = calloc(mode->n_status + 1, sizeof *fields);
    if (!replica || !fields) {
        free(replica);
        free(fields);
        return NULL;
    }
    replica->fields = fields;
    replica->shown = (wn_replica){.name = "", .seat = -1, .mode = mode, .focus = WN_NO_FOCUS, .facing = WN_NOWHERE};
    replica->shown.fields = fields;
    replica->shown.banner = replica->banner;
    return &replica->shown;
}

void wn_replica_free(wn_replica *shown)
{
    if (!shown) {
        return;
    }
    wn_replica_data *replica = (wn_replica_data *)shown;
    free(replica->cells);
    free(replica->sprites);
    free(replica->fields);
    free(replica->rows);
    free(replica->messages);
    free(replica->regions);
    free(replica->changes);
    free(replica->gone);
    free(replica);
}

void wn_replica_name(wn_replica *replica, uint32_t world, const char *name, int32_t seat)
{
    replica->world = world;
    replica->name = name;
    replica->seat = seat;
}

void wn_replica_watchers(wn_replica *replica, char *const *names, size_t count)
{
    replica->watcher_count = 0;
    for (size_t i = 0; i < count && i < WN_CLIENT_WATCHERS; i++) {
        wn_replica_copy(replica->watchers[replica->watcher_count++], sizeof replica->watchers[0], names[i]);
    }
}

bool wn_replica_restart(wn_replica *shown, const Warren__Mode *mode)
{
    wn_replica_data *replica = (wn_replica_data *)shown;
    wn_field_state *fields = calloc(mode->n_status + 1, sizeof *fields);
    if (!fields) {
        return false;
    }
    free(replica->fields);
    replica->fields = fields;
    shown->fields = fields;
    shown->mode = mode;
    shown->ready = false;
    shown->width = 0;
    shown->height = 0;
    shown->executed = 0;
    clear_picture(replica);
    return true;
}
