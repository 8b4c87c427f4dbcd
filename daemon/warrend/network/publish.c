/* publish.c: the XPUB socket: subscriptions, keyframes, updates. See publish.h.
 */
#include "network/publish.h"

#include <sys/random.h>

#include "access/accounts.h"
#include "map.h"
#include "memory.h"
#include "modes/hosts.h"
#include "network/conduct.h"
#include "network/connections.h"
#include "network/unread.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"

enum { SUBSCRIPTIONS_A_PASS = 512, SUBSCRIPTION_BYTES = 1024 /* the handshake with keys takes hundreds */ };

/* keyframes */

static void watch(wn_published_view *view, bool on)
{
    wn_game *game = view->game;
    Warren__Host__Watch watch = WARREN__HOST__WATCH__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_WATCH;
    message.watch = &watch;
    watch.world = game->id;
    watch.has_seat = view->seat >= 0;
    watch.seat = (uint32_t)view->seat;
    watch.on = on;
    watch.has_after = on;
    watch.after = view->sequence;
    view->watched = on;
    if (on) {
        view->keyframe_ms = wn_loop_now_ms(game->daemon->loop);
        game->daemon->statistics.keyframes++;
    }
    wn_host_send(game->mode, &message, false); /* of a seat that was just left there is nothing to show */
}

static uint64_t keyframe_interval(const wn_daemon *daemon)
{
    return 1000 / daemon->config->keyframes_per_second;
}

void wn_published_view_want_keyframe(wn_published_view *view)
{
    wn_daemon *daemon = view->game->daemon;
    if (view->keyframe_waits || !wn_game_is_served(view->game)) {
        return; /* one is on its way, or will be asked for when the world is served again */
    }
    const uint64_t since = wn_loop_now_ms(daemon->loop) - view->keyframe_ms;
    const bool due = !view->watched || since >= keyframe_interval(daemon);
    if (due && !daemon->commit_failing) { /* else they would pile up: nothing is published until it succeeds */
        watch(view, true);
        return;
    }
    view->keyframe_waits = true;
    zlistx_add_end(daemon->keyframes_wait, view);
    if (!wn_timer_armed(daemon->keyframe_timer)) {
        wn_timer_set(daemon->keyframe_timer, due ? keyframe_interval(daemon) : keyframe_interval(daemon) - since);
    }
}

/* Those who waited longest come first; the first that is not due yet sets the timer again. */
static void keyframes_due(void *context)
{
    wn_daemon *daemon = context;
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    for (;;) {
        wn_published_view *view = zlistx_first(daemon->keyframes_wait);
        if (view == NULL) {
            return;
        }
        const uint64_t due = (daemon->commit_failing ? now : view->keyframe_ms) + keyframe_interval(daemon);
        if (due > now) {
            wn_timer_set(daemon->keyframe_timer, due - now);
            return;
        }
        zlistx_detach(daemon->keyframes_wait, NULL);
        view->keyframe_waits = false;
        if (wn_game_is_served(view->game)) {
            watch(view, true);
        }
    }
}

void wn_published_view_watch_again(wn_published_view *view)
{
    view->watched = false;
    if (view->subscribed) {
        watch(view, true);
    }
}

/* subscriptions */

static void count_for(wn_view_key *key, wn_unread *unread)
{
    wn_unread *before = key->unread;
    key->unread = wn_unread_hold(unread);
    wn_unread_release(before);
}

/* A view is drawn from its first subscription on until nobody holds it any more: until the seat is given up, or the
 * last watcher leaves and the view is made anew. libzmq's unsubscriptions do not decide it. It hands up what a closed
 * connection leaves behind without saying whose it was, and late, so whoever counted with them could be made to stop
 * drawing for somebody else. Who unsubscribes without leaving costs a little drawing. */
static void subscribe(wn_daemon *daemon, wn_view_key *key, zmq_msg_t *message)
{
    wn_subscription_held(daemon, wn_connection_of(message), true);
    count_for(key, wn_subscription_unread(daemon, message));
    zmq_setsockopt(daemon->updates, ZMQ_SUBSCRIBE, key->bytes, WN_KEY_BYTES);
    key->subscribed = true;
    key->view->subscribed = true;
    wn_published_view_want_keyframe(key->view);
}

/* Is it the key of a session of whoever sent the message? */
static bool is_theirs(wn_daemon *daemon, const wn_view_key *key, zmq_msg_t *message)
{
    const wn_account *player = wn_accounts_of(daemon, message);
    const wn_published_view *view = key->view;
    for (const wn_session *session = player != NULL ? player->first : NULL; session != NULL; session = session->next) {
        uint32_t seat = 0;
        if (view->seat < 0 ? session == key->watcher
                           : wn_session_has_seat(session, view->game, &seat) && (int32_t)seat == view->seat) {
            return true;
        }
    }
    return false;
}

/* A subscription message is 1 or 0, then what is subscribed to. In manual mode nothing is subscribed until we say so,
 * for the peer whose subscription came last. */
static void take_subscription(wn_daemon *daemon, zmq_msg_t *message)
{
    const uint8_t *bytes = zmq_msg_data(message);
    const size_t size = zmq_msg_size(message);
    const int fd = wn_connection_of(message);
    const bool whole = size == 1 + WN_KEY_BYTES;
    wn_view_key *key = whole && bytes[0] == 1 ? zhashx_lookup(daemon->view_keys, bytes + 1) : NULL;
    if (key != NULL && is_theirs(daemon, key, message)) {
        subscribe(daemon, key, message);
    } else if (whole && bytes[0] == 0 && fd >= 0) { /* a key that is void as well: libzmq need not remember it */
        wn_subscription_held(daemon, fd, false);
        zmq_setsockopt(daemon->updates, ZMQ_UNSUBSCRIBE, bytes + 1, WN_KEY_BYTES);
    } else if (size > 0 && bytes[0] == 1) {
        wn_subscription_refused(daemon, fd);
    }
}

/* What is not one frame is no subscription: libzmq hands it up as it came, and what we would say to it would be about
 * another peer. */
static void subscriptions_ready(void *context)
{
    wn_daemon *daemon = context;
    bool more = false;
    for (int i = 0; i < SUBSCRIPTIONS_A_PASS || more; i++) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        const bool got = zmq_msg_recv(&message, daemon->updates, ZMQ_DONTWAIT) >= 0;
        const bool first = !more;
        more = got && zmq_msg_more(&message) != 0;
        wn_connections_heard(got && !more ? wn_connection_of(&message) : -1);
        if (got && wn_subscription_may_come(daemon, &message) && first && !more) {
            take_subscription(daemon, &message);
        }
        zmq_msg_close(&message);
        if (!got) {
            return;
        }
    }
}

/* views */

static size_t key_hash(const void *key)
{
    size_t hash = 0; /* keys are random: any part of one is a hash */
    memcpy(&hash, key, sizeof hash);
    return hash;
}

static int key_compare(const void *one, const void *other)
{
    return memcmp(one, other, WN_KEY_BYTES);
}

wn_published_view *wn_published_view_new(wn_game *game, int32_t seat)
{
    wn_published_view *view = wn_must_zero(1, sizeof *view);
    view->game = game;
    view->seat = seat;
    return view;
}

wn_view_key *wn_view_key_new(wn_published_view *view, const wn_session *watcher)
{
    wn_view_key *key = wn_must_zero(1, sizeof *key);
    key->view = view;
    key->watcher = watcher;
    key->at = view->key_count;
    if (getrandom(key->bytes, sizeof key->bytes, 0) != (ssize_t)sizeof key->bytes) {
        wn_log_line(WN_LEVEL_ERROR, "publish", "the kernel gives no random numbers for a key: %s", strerror(errno));
        abort();
    }
    zhashx_insert(view->game->daemon->view_keys, key->bytes, key);
    WN_GROW(view->keys, view->key_count, view->key_capacity);
    view->keys[view->key_count++] = key;
    return key;
}

uint8_t *wn_published_view_key(wn_published_view *view)
{
    return view->key_count > 0 ? view->keys[0]->bytes : wn_view_key_new(view, NULL)->bytes;
}

void wn_view_key_free(wn_view_key *key)
{
    if (key == NULL) {
        return;
    }
    wn_published_view *view = key->view;
    wn_view_key *last = view->keys[--view->key_count];
    view->keys[key->at] = last;
    last->at = key->at;
    zhashx_delete(view->game->daemon->view_keys, key->bytes);
    count_for(key, NULL);
    free(key);
}

void wn_published_view_forget_keys(wn_published_view *view)
{
    while (view->key_count > 0) {
        wn_view_key_free(view->keys[view->key_count - 1]);
    }
}

void wn_published_view_free(wn_published_view *view)
{
    if (view == NULL) {
        return;
    }
    wn_daemon *daemon = view->game->daemon;
    if (view->watched && wn_game_is_served(view->game)) {
        watch(view, false);
    }
    if (view->keyframe_waits) {
        zlistx_detach(daemon->keyframes_wait, zlistx_find(daemon->keyframes_wait, view));
    }
    wn_published_view_forget_keys(view);
    free(view->keys);
    free(view);
}

/* Takes the update. */
static void send_to(wn_daemon *daemon, const wn_view_key *key, zmq_msg_t *update)
{
    zmq_send(daemon->updates, key->bytes, WN_KEY_BYTES, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    if (zmq_msg_send(update, daemon->updates, ZMQ_DONTWAIT) < 0) {
        zmq_msg_close(update);
    }
}

/* XPUB drops rather than blocks: a reader that is too slow loses updates, sees the gap and asks for a keyframe. */
static void send_small(const wn_published_view *view, const ProtobufCBinaryData *update)
{
    zmq_msg_t message, copy;
    if (zmq_msg_init_size(&message, update->len) != 0) {
        return; /* no memory: the same as an update that was dropped */
    }
    memcpy(zmq_msg_data(&message), update->data, update->len);
    for (size_t i = 0; i < view->key_count; i++) {
        if (view->keys[i]->subscribed) {
            zmq_msg_init(&copy);
            zmq_msg_copy(&copy, &message); /* of a reference, unless it is tiny */
            send_to(view->game->daemon, view->keys[i], &copy);
        }
    }
    zmq_msg_close(&message);
}

/* Likewise for who has too much unread. */
static void send_large(const wn_published_view *view, const ProtobufCBinaryData *update)
{
    zmq_msg_t message;
    wn_body *body = wn_body_new(update->data, update->len);
    for (size_t i = 0; body != NULL && i < view->key_count; i++) {
        if (view->keys[i]->subscribed && wn_body_message(body, view->keys[i]->unread, &message)) {
            send_to(view->game->daemon, view->keys[i], &message);
        }
    }
    wn_body_release(body);
}

void wn_publish(wn_published_view *view, const Warren__Host__ViewUpdate *update)
{
    wn_daemon *daemon = view->game->daemon;
    view->sequence = update->sequence;
    if (!view->subscribed) {
        return;
    }
    (update->update.len > WN_UNREAD_SMALL ? send_large : send_small)(view, &update->update);
    wn_loop_socket_used(daemon->loop, daemon->updates);
    daemon->statistics.updates++;
    daemon->statistics.update_bytes += WN_KEY_BYTES + update->update.len;
}

/* socket */

bool wn_publish_open(wn_daemon *daemon, wn_error *error)
{
    const int manual = 1, linger = 200, queue = (int)daemon->config->send_queue;
    const int64_t most = SUBSCRIPTION_BYTES;
    daemon->view_keys = wn_map_new(key_hash, key_compare);
    daemon->keyframes_wait = zlistx_new();
    daemon->keyframe_timer = wn_timer_new(daemon->loop, keyframes_due, daemon);
    daemon->updates = zmq_socket(daemon->zmq, ZMQ_XPUB);
    if (daemon->updates == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "no update socket: %s",
                            zmq_strerror(errno));
    }
    zmq_setsockopt(daemon->updates, ZMQ_XPUB_MANUAL, &manual, sizeof manual);
    zmq_setsockopt(daemon->updates, ZMQ_LINGER, &linger, sizeof linger);
    zmq_setsockopt(daemon->updates, ZMQ_SNDHWM, &queue, sizeof queue);
    zmq_setsockopt(daemon->updates, ZMQ_MAXMSGSIZE, &most, sizeof most);
    return wn_loop_add_socket(daemon->loop, daemon->updates, subscriptions_ready, daemon, error);
}

void wn_publish_close(wn_daemon *daemon)
{
    if (daemon->updates != NULL) {
        zmq_close(daemon->updates);
    }
    zhashx_destroy(&daemon->view_keys);
    zlistx_destroy(&daemon->keyframes_wait);
    wn_subscriptions_close(daemon);
    wn_timer_free(daemon->keyframe_timer);
}
