/* host_replica.h: what a reader makes of a view's updates, written anew from warren.proto so that it shares no mistake
 * with the host or the client library.
 */
#ifndef WARREN_TEST_HOST_REPLICA_H
#define WARREN_TEST_HOST_REPLICA_H

#include "host_fixture.h"

typedef struct replica_sprite {
    uint32_t id, at, tile, facing;
    char label[WN_MAX_TEXT + 1];
} replica_sprite;

typedef struct mirror {
    uint64_t sequence;
    uint32_t executed, last_message, message_count, width, height, focus, sprite_count;
    uint16_t cells[WN_MAX_SIDE * WN_MAX_SIDE];
    replica_sprite sprites[WN_MAX_SPRITES]; /* in no order */
    struct {
        bool set;
        int64_t number, maximum;
        char text[WN_MAX_TEXT + 1];
    } fields[WN_MAX_STATUS];
    char board[WN_MAX_ROWS][WN_MAX_COLUMNS][WN_MAX_TEXT + 1];
    bool rows[WN_MAX_ROWS];
    char banner[WN_MAX_BANNER + 1];
    char message[WN_MAX_TEXT + 1]; /* the last one */
} mirror;

/* Fails the test if the update may not come now. */
void replica_apply(mirror *replica, const Warren__Update *update);
/* Fails the test if they differ. */
void replica_compare(const mirror *replica, wn_hosted *world, int32_t seat);

#endif
