/* place.h: where the bots will play: a world that is there or is made for them, and the mode it is of.
 */
#ifndef WARREN_BOT_PLACE_H
#define WARREN_BOT_PLACE_H

#include "brain.h"

/* A visit to the server before anyone plays. */
typedef struct wn_visit {
    wn_client *client;
    const wn_address *address;
    int64_t deadline_us;
} wn_visit;

/* Starts connecting; all that is asked has to be answered within the time. End it in any case. */
bool wn_visit_start(wn_visit *visit, const wn_address *address, double seconds, wn_error *error);
void wn_visit_end(wn_visit *visit);

/* Both fill in the error; its code is ERROR_UNAVAILABLE if nobody answered. */
bool wn_visit_make_world(wn_visit *visit, const char *mode, const Warren__SettingValue *settings, size_t setting_count,
                         uint64_t seed, char world[WN_NAME_BYTES + 1], wn_error *error);
/* `brain` NULL becomes the one that plays the world's mode best; another one has to fit it, or the code is
 * ERROR_BAD_ACTION. A world that nobody knows is left to who joins it. */
bool wn_visit_choose_brain(wn_visit *visit, const char *world, const wn_brain **brain, wn_error *error);

#endif
