/* replica-internal.h: what the files of the replica share. It is not for frontends: client.h is.
 *
 *   replica.c          keyframes and deltas as a whole, lifetime
 *   replica-cells.c    the cells of the map
 *   replica-sprites.c  who stands and walks on it
 *   replica-rows.c     status, scoreboard, regions, messages
 *
 * Each checks its part of an update and takes the memory that applying it will need, before anything changes; then it
 * applies it, which cannot fail.
 */
#ifndef WARREN_REPLICA_INTERNAL_H
#define WARREN_REPLICA_INTERNAL_H

#include "client.h"

/* One sprite of an update, in the order in which they are applied. */
typedef struct wn_sprite_change {
    uint32_t id;
    uint32_t index; /* in the update */
    bool fresh;     /* the first of an id that is not there */
} wn_sprite_change;

typedef struct wn_replica_data {
    wn_replica shown; /* first: what frontends hold is a pointer to it */
    uint16_t *cells;
    size_t cell_capacity;
    wn_sprite_state *sprites;
    size_t sprite_capacity;
    wn_field_state *fields;
    wn_row_state *rows;
    size_t row_capacity;
    char banner[WN_BANNER_BYTES + 1];
    wn_message_state *messages; /* the log is messages[message_first ...] */
    size_t message_capacity, message_first;
    uint32_t last_message;
    wn_region_state *regions;
    size_t region_capacity;

    wn_sprite_change *changes; /* of the update at hand, by id and index */
    size_t change_capacity, fresh_count;
    uint32_t *gone; /* likewise: ids that are there and leave, ascending */
    size_t gone_capacity, gone_count;
} wn_replica_data;

/* What keyframes and deltas have in common. */
typedef struct wn_update_content {
    const uint32_t *cells;
    size_t cell_count;
    Warren__Sprite *const *sprites;
    size_t sprite_count;
    const uint32_t *gone;
    size_t gone_count;
    Warren__FieldValue *const *fields;
    size_t field_count;
    bool has_focus, has_facing;
    uint32_t focus, facing;
    Warren__Region *const *regions;
    size_t region_count;
    Warren__BoardRow *const *board;
    size_t board_count;
    const char *banner;
    Warren__Message *const *messages;
    size_t message_count;
} wn_update_content;

/* The items with room for `count` of them; those added are zeroed. NULL: there is no memory and nothing has changed, or
 * there are none and none are wanted. */
void *wn_replica_grow(void *items, size_t *capacity, size_t count, size_t item_size);

void wn_replica_copy(char *to, size_t capacity, const char *from);

/* The operations stay within `total` cells, and their cells below `limit`. */
bool wn_replica_cells_valid(const uint32_t *numbers, size_t size, uint64_t total, uint32_t limit);
void wn_replica_apply_cells(uint16_t *cells, const uint32_t *numbers, size_t size);

bool wn_replica_prepare_gone(wn_replica_data *replica, const wn_update_content *content);
/* Once that is done, of a view of so many cells. A keyframe's are all there are. */
bool wn_replica_prepare_sprites(wn_replica_data *replica, const wn_update_content *content, uint64_t cells,
                                bool keyframe);
void wn_replica_apply_sprites(wn_replica_data *replica, const wn_update_content *content);

bool wn_replica_fields_valid(const wn_replica_data *replica, const wn_update_content *content);
void wn_replica_apply_fields(wn_replica_data *replica, const wn_update_content *content);
bool wn_replica_prepare_board(wn_replica_data *replica, const wn_update_content *content);
void wn_replica_apply_board(wn_replica_data *replica, const wn_update_content *content);
bool wn_replica_prepare_regions(wn_replica_data *replica, const wn_update_content *content, uint32_t width,
                                uint64_t cells);
void wn_replica_apply_regions(wn_replica_data *replica, const wn_update_content *content);
/* Room for `more` messages behind the log: grown up to a bound, then what is older than the log is dropped. */
bool wn_replica_reserve_messages(wn_replica_data *replica, size_t more);
void wn_replica_apply_messages(wn_replica_data *replica, const wn_update_content *content);

#endif
