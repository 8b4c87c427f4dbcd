/* watchers.h: who watches a world, told to everyone who plays or watches there.
 */
#ifndef WARREN_WATCHERS_H
#define WARREN_WATCHERS_H

#include "daemon.h"

void wn_watchers_open(wn_daemon *daemon);
void wn_watchers_close(wn_daemon *daemon);

/* Somebody came or went: within a moment all there get one Notice, however many did. */
void wn_watchers_changed(wn_game *game);
/* Fills in Joined.watchers: names that stay the sessions', a list until the next call. */
void wn_watchers_fill(const wn_game *game, Warren__Joined *joined);

#endif
