/* unread.c: see unread.h.
 */
#include "network/unread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct wn_unread {
    atomic_size_t holders;
    atomic_uint_fast64_t bytes;
    wn_unread *all; /* may be NULL */
};

struct wn_body {
    atomic_size_t holders;
    size_t size;
    uint8_t bytes[];
};

/* What a message is given back with. */
typedef struct copy {
    wn_body *body;
    wn_unread *unread;
} copy;

wn_unread *wn_unread_new(wn_unread *all)
{
    wn_unread *unread = wn_must_zero(1, sizeof *unread);
    unread->all = wn_unread_hold(all);
    atomic_init(&unread->holders, 1);
    return unread;
}

wn_unread *wn_unread_hold(wn_unread *unread)
{
    if (unread != NULL) {
        atomic_fetch_add(&unread->holders, 1);
    }
    return unread;
}

void wn_unread_release(wn_unread *unread)
{
    if (unread != NULL && atomic_fetch_sub(&unread->holders, 1) == 1) {
        wn_unread_release(unread->all);
        free(unread);
    }
}

uint64_t wn_unread_waits(const wn_unread *unread)
{
    return unread != NULL ? atomic_load(&unread->bytes) : 0;
}

wn_body *wn_body_new(const void *bytes, size_t size)
{
    wn_body *body = malloc(sizeof *body + size);
    if (body != NULL) {
        atomic_init(&body->holders, 1);
        body->size = size;
        memcpy(body->bytes, bytes, size);
    }
    return body;
}

void wn_body_release(wn_body *body)
{
    if (body != NULL && atomic_fetch_sub(&body->holders, 1) == 1) {
        free(body);
    }
}

static void add(wn_unread *unread, size_t size)
{
    for (; unread != NULL; unread = unread->all) {
        atomic_fetch_add(&unread->bytes, size);
    }
}

static void subtract(wn_unread *unread, size_t size)
{
    for (; unread != NULL; unread = unread->all) {
        atomic_fetch_sub(&unread->bytes, size);
    }
}

/* Whoever reads gets on, whatever others of the same address leave unread. */
static bool has_room(const wn_unread *unread, size_t size)
{
    const uint64_t waits = wn_unread_waits(unread);
    return waits == 0 || (waits + size <= WN_UNREAD_BYTES && wn_unread_waits(unread->all) + size <= WN_UNREAD_OF_ONE);
}

/* libzmq has sent it to all who were to have it, or dropped it. */
static void let_go(void *bytes, void *context)
{
    copy *gone = context;
    (void)bytes;
    subtract(gone->unread, gone->body->size);
    wn_unread_release(gone->unread);
    wn_body_release(gone->body);
    free(gone);
}

bool wn_body_message(wn_body *body, wn_unread *unread, zmq_msg_t *message)
{
    if (!has_room(unread, body->size)) {
        return false;
    }
    copy *made = malloc(sizeof *made);
    if (made == NULL || zmq_msg_init_data(message, body->bytes, body->size, let_go, made) != 0) {
        free(made);
        return false;
    }
    *made = (copy){body, wn_unread_hold(unread)};
    atomic_fetch_add(&body->holders, 1);
    add(unread, body->size);
    return true;
}
