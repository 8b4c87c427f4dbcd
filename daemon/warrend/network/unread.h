/* unread.h: how much of what was published waits for those who do not read it. libzmq bounds the number of updates that
 * it keeps for a connection, not their bytes: a thousand keyframes of a large world are a gigabyte. Here large ones are
 * counted for whom they wait, from when they are given to libzmq until it has let go of them.
 *
 * libzmq lets go in a thread of its own: counts are atomic, and live as long as any update that they count.
 */
#ifndef WARREN_UNREAD_H
#define WARREN_UNREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zmq.h>

enum {
    WN_UNREAD_BYTES = 16 << 20,  /* for a connection: two of the largest updates */
    WN_UNREAD_OF_ONE = 32 << 20, /* for all of one user or address; but one update for whom none waits */
    WN_UNREAD_SMALL = 1024       /* bytes of an update that is not counted: of those the number is bound enough */
};

typedef struct wn_unread wn_unread;
/* Of a connection; `all`: of all that its user or its address has, which is counted with it. NULL: nobody's. */
wn_unread *wn_unread_new(wn_unread *all);
/* One more holds it. NULL is fine, and stays NULL. */
wn_unread *wn_unread_hold(wn_unread *unread);
void wn_unread_release(wn_unread *unread);         /* NULL is fine */
uint64_t wn_unread_waits(const wn_unread *unread); /* bytes; of NULL 0 */

/* The bytes of an update, for any number of messages. */
typedef struct wn_body wn_body;
wn_body *wn_body_new(const void *bytes, size_t size); /* NULL: no memory */
void wn_body_release(wn_body *body);
/* Makes `message` one with those bytes, which is counted for `unread` unless that is NULL. false: too much waits there
 * already, or there is no memory; it is the same as an update that libzmq drops. */
bool wn_body_message(wn_body *body, wn_unread *unread, zmq_msg_t *message);

#endif
