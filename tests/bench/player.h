/* player.h: one player by way of the client library, as a frontend would be, blocking.
 */
#ifndef WARREN_BENCH_PLAYER_H
#define WARREN_BENCH_PLAYER_H

#include "choose.h"
#include "client.h"

typedef struct wn_player {
    wn_client *client;
    char name[WN_NAME_BYTES + 1];   /* of the world */
    char action[WN_NAME_BYTES + 1]; /* the one that is used */
    uint32_t world;
    Warren__Mode legend; /* the mode's, cut down to that action */
    Warren__Action *only;
} wn_player;

/* Connects, joins and waits for the first keyframe. Leave it in any case. */
bool wn_player_join(wn_player *player, const char *control, const char *world, const char *action, wn_error *error);
/* One command by chance and the update that shows it. false: it was not executed, for the error's reason, or because
 * the mode ended the seat: then another one has been taken, and the error is empty. */
bool wn_player_round_trip(wn_player *player, uint64_t *chance, wn_error *error);
void wn_player_leave(wn_player *player);

#endif
