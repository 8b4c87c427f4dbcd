/* publish.h: the XPUB socket. A view is heard by its keys, 16 random bytes each: a seat's view by one, the spectators'
 * by one for each session that watches. A subscription to anything else, or by anyone else, is not accepted and stays
 * silent. No subscription can be taken back, but a key can: from then on nothing is sent under it, whoever subscribed
 * to it, over whatever connections.
 */
#ifndef WARREN_PUBLISH_H
#define WARREN_PUBLISH_H

#include "daemon.h"

bool wn_publish_open(wn_daemon *daemon, wn_error *error);
void wn_publish_close(wn_daemon *daemon);

wn_published_view *wn_published_view_new(wn_game *game, int32_t seat);
/* Its keys are void from now on. NULL is fine. */
void wn_published_view_free(wn_published_view *view);

/* The key of a seat's view, for whoever has the seat. It is made when it is asked for first. */
uint8_t *wn_published_view_key(wn_published_view *view);
/* One of the spectators' view, for a session that watches; sessions.h keeps it. */
wn_view_key *wn_view_key_new(wn_published_view *view, const wn_session *watcher);
/* It is void from now on. NULL is fine. */
void wn_view_key_free(wn_view_key *key);
/* All that there are of the view are void. */
void wn_published_view_forget_keys(wn_published_view *view);

/* Sends an encoded Update to whoever subscribed. */
void wn_publish(wn_published_view *view, const Warren__Host__ViewUpdate *update);

/* Asks the host for a keyframe: at once, or as soon as limits.keyframes_per_second allows; many askers share one. */
void wn_published_view_want_keyframe(wn_published_view *view);
/* After a host came back: what is subscribed to is to be drawn again. */
void wn_published_view_watch_again(wn_published_view *view);

#endif
