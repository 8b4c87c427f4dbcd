/* peers.c: see peers.h.
 */
#include "network/peers.h"

#include "access/access.h"
#include "access/accounts.h"
#include "access/admission.h"
#include "map.h"
#include "memory.h"
#include "network/conduct.h"
#include "network/connections.h"
#include "sessions/sessions-internal.h"

enum {
    MISSED_HEARTBEATS = 3,  /* then a peer counts as gone */
    PEERS_REMEMBERED = 4,   /* without a session, for each allowed session */
    FOR_ADMINISTRATORS = 64 /* beyond that */
};

/* by routing id */

static size_t peer_hash(const void *key)
{
    const wn_peer *peer = key;
    return wn_map_hash(peer->id, peer->id_size);
}

static int peer_compare(const void *one, const void *other)
{
    const wn_peer *a = one, *b = other;
    return a->id_size == b->id_size ? memcmp(a->id, b->id, a->id_size) : 1;
}

/* who is there */

static void peer_forget(wn_daemon *daemon, wn_peer *peer)
{
    zhashx_delete(daemon->peers, peer);
    wn_accounts_leave(peer);
    free(peer);
}

wn_peer *wn_peer_of(wn_daemon *daemon, size_t socket, zmq_msg_t *id, zmq_msg_t *message, wn_error *error)
{
    wn_peer sought = {.id_size = 1 + zmq_msg_size(id)};
    sought.id[0] = (uint8_t)socket;
    memcpy(sought.id + 1, zmq_msg_data(id), zmq_msg_size(id));
    wn_peer *peer = zhashx_lookup(daemon->peers, &sought);
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    if (peer != NULL) {
        peer->seen_ms = now;
        return peer;
    }
    const size_t most = (size_t)daemon->config->sessions * PEERS_REMEMBERED;
    if (zhashx_size(daemon->peers) >= most + FOR_ADMINISTRATORS) {
        return NULL;
    }
    peer = wn_must_zero(1, sizeof *peer);
    memcpy(peer->id, sought.id, sought.id_size);
    peer->id_size = sought.id_size;
    wn_admission_sender(message, peer->identity, peer->address);
    peer->process = wn_admission_process(message);
    peer->connection = wn_connection_of(message);
    peer->connection_serial = wn_connections_serial(peer->connection);
    if (!wn_accounts_enter(daemon, peer, error)) {
        free(peer);
        return NULL;
    }
    wn_access_set_role(daemon, peer);
    if (zhashx_size(daemon->peers) >= most && !peer->admin) {
        wn_accounts_leave(peer);
        free(peer);
        return NULL;
    }
    peer->seen_ms = now;
    peer->requests = wn_allowance_whole(now);
    zhashx_insert(daemon->peers, peer, peer);
    wn_sessions_sweep_soon(daemon);
    return peer;
}

bool wn_peer_may_send(wn_daemon *daemon, wn_peer *peer, wn_error *error)
{
    const uint32_t rate = daemon->config->requests_per_second;
    if (!wn_allowance_take(&peer->requests, rate, wn_loop_now_ms(daemon->loop))) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "requests_per_second", rate,
                            "too many requests: the server takes %u a second from each connection; slow down", rate);
    }
    return wn_accounts_may_send(daemon, peer, error);
}

/* the silent */

static wn_peer *next_silent(wn_daemon *daemon, uint64_t now)
{
    const uint64_t patience = (uint64_t)daemon->config->heartbeat_ms * MISSED_HEARTBEATS;
    for (wn_peer *peer = zhashx_first(daemon->peers); peer != NULL; peer = zhashx_next(daemon->peers)) {
        if (now - peer->seen_ms >= patience) {
            return peer;
        }
    }
    return NULL;
}

void wn_peers_end_silent(wn_daemon *daemon)
{
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    wn_peer *silent = NULL;
    while ((silent = next_silent(daemon, now)) != NULL) {
        if (silent->session != NULL) {
            wn_log_text player;
            wn_log_line(WN_LEVEL_INFO, "session", "lost player=%s", wn_log_value(&player, silent->session->player));
            silent->session->peer = NULL;
            silent->session->lost_ms = now;
        }
        peer_forget(daemon, silent);
    }
}

void wn_peers_open(wn_daemon *daemon)
{
    daemon->peers = wn_map_new(peer_hash, peer_compare);
}

void wn_peers_close(wn_daemon *daemon)
{
    wn_peer *peer = NULL;
    while (daemon->peers != NULL && (peer = zhashx_first(daemon->peers)) != NULL) {
        peer_forget(daemon, peer);
    }
    zhashx_destroy(&daemon->peers);
}
