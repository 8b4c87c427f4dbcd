/* publish.h: the XPUB socket. Who may hear a view is who knows its key: 16 random bytes, given with a seat or with the
 * right to watch. A subscription to anything else is not accepted and stays silent.
 */
#ifndef WARREN_PUBLISH_H
#define WARREN_PUBLISH_H

#include "daemon.h"

bool wn_publish_open(wn_daemon *daemon, wn_error *error);
void wn_publish_close(wn_daemon *daemon);

/* A view with a fresh key. */
wn_published_view *wn_published_view_new(wn_game *game, int32_t seat);
/* Its key is void from now on. NULL is fine. */
void wn_published_view_free(wn_published_view *view);

/* Sends an encoded Update to whoever subscribed. */
void wn_publish(wn_published_view *view, const Warren__Host__ViewUpdate *update);

/* Asks the host for a keyframe: at once, or as soon as limits.keyframes_per_second allows; many askers share one. */
void wn_published_view_want_keyframe(wn_published_view *view);
/* After a host came back: what is subscribed to is to be drawn again. */
void wn_published_view_watch_again(wn_published_view *view);

#endif
