/* accounts.c: what a player's connections, and those from one address, have in common. See accounts.h.
 */
#include "access/accounts.h"

#include <arpa/inet.h>

#include "access/admission.h"
#include "map.h"
#include "memory.h"
#include "network/unread.h"

enum {
    PEERS_A_SESSION = 2, /* control connections that may be there for each session that may */
    PREFIX_BYTES = 8     /* of an IPv6 address: at least that is one customer's, RFC 6177 */
};

static size_t name_hash(const void *key)
{
    const char *name = ((const wn_account *)key)->name;
    return wn_map_hash(name, strlen(name));
}

static int name_compare(const void *one, const void *other)
{
    return strcmp(((const wn_account *)one)->name, ((const wn_account *)other)->name);
}

void wn_accounts_open(wn_daemon *daemon)
{
    daemon->accounts = wn_map_new(name_hash, name_compare);
}

static void forget(wn_daemon *daemon, wn_account *account)
{
    zhashx_delete(daemon->accounts, account);
    wn_unread_release(account->unread);
    free(account);
}

void wn_accounts_close(wn_daemon *daemon)
{
    wn_account *account = NULL;
    while (daemon->accounts != NULL && (account = zhashx_first(daemon->accounts)) != NULL) {
        forget(daemon, account);
    }
    zhashx_destroy(&daemon->accounts);
}

/* names of accounts */

void wn_accounts_name_address(char name[WN_IDENTITY_BYTES], const char *address)
{
    struct in6_addr six;
    char text[INET6_ADDRSTRLEN];
    if (inet_pton(AF_INET6, address, &six) != 1) {
        snprintf(name, WN_IDENTITY_BYTES, "address:%s", address);
        return;
    }
    memset(six.s6_addr + PREFIX_BYTES, 0, sizeof six.s6_addr - PREFIX_BYTES);
    snprintf(name, WN_IDENTITY_BYTES, "address:%s/64", inet_ntop(AF_INET6, &six, text, sizeof text));
}

bool wn_accounts_share(const char *address)
{
    return strcmp(address, "127.0.0.1") == 0 || strcmp(address, "::1") == 0;
}

static wn_account *find(wn_daemon *daemon, const char *name)
{
    wn_account sought;
    snprintf(sought.name, sizeof sought.name, "%s", name);
    return zhashx_lookup(daemon->accounts, &sought);
}

static wn_account *find_or_make(wn_daemon *daemon, const char *name, bool unlimited)
{
    wn_account *account = find(daemon, name);
    if (account == NULL) {
        account = wn_must_zero(1, sizeof *account);
        snprintf(account->name, sizeof account->name, "%s", name);
        account->unlimited = unlimited;
        account->requests = wn_allowance_whole(wn_loop_now_ms(daemon->loop));
        zhashx_insert(daemon->accounts, account, account);
    }
    return account;
}

static wn_account *of_address(wn_daemon *daemon, const char *address)
{
    char name[WN_IDENTITY_BYTES];
    if (address[0] == '\0') {
        return NULL;
    }
    wn_accounts_name_address(name, address);
    return find_or_make(daemon, name, wn_accounts_share(address));
}

static wn_account *of_player(wn_daemon *daemon, const char *identity, wn_account *address)
{
    return identity[0] != '\0' ? find_or_make(daemon, identity, wn_is_local_admin(identity)) : address;
}

static wn_account *find_player(wn_daemon *daemon, const char *identity, const char *address)
{
    char name[WN_IDENTITY_BYTES];
    if (identity[0] != '\0') {
        return find(daemon, identity);
    }
    wn_accounts_name_address(name, address);
    return find(daemon, name);
}

wn_account *wn_accounts_of(wn_daemon *daemon, zmq_msg_t *message)
{
    char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES];
    wn_admission_sender(message, identity, address);
    return find_player(daemon, identity, address);
}

wn_unread *wn_accounts_unread(wn_daemon *daemon, zmq_msg_t *message)
{
    char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES];
    wn_admission_sender(message, identity, address);
    wn_account *account = find_player(daemon, "", address);
    if (account == NULL || account->unlimited) {
        account = find_player(daemon, identity, address);
    }
    if (account == NULL || account->unlimited) {
        return NULL;
    }
    if (account->unread == NULL) {
        account->unread = wn_unread_new(NULL);
    }
    return account->unread;
}

static void shun(const wn_daemon *daemon, wn_account *account)
{
    if (account != NULL && !account->unlimited) {
        account->shunned_ms = wn_loop_now_ms(daemon->loop) + WN_SHUN_MS;
    }
}

void wn_accounts_shun(wn_daemon *daemon, zmq_msg_t *message)
{
    char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES];
    wn_admission_sender(message, identity, address);
    wn_account *from = find_player(daemon, "", address);
    shun(daemon, find_player(daemon, identity, address));
    if (from != NULL && ++from->closings % WN_SHUNNED_OF_ADDRESS == 0) {
        shun(daemon, from);
    }
}

bool wn_accounts_shuns(wn_daemon *daemon, const char *identity, const char *address)
{
    const wn_account *player = find_player(daemon, identity, address), *from = find_player(daemon, "", address);
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    return (player != NULL && player->shunned_ms > now) || (from != NULL && from->shunned_ms > now);
}

/* allowances */

static uint32_t rate_of(const wn_daemon *daemon, const wn_peer *peer, const wn_account *account)
{
    return account == peer->from ? daemon->config->requests_per_address : daemon->config->requests_per_player;
}

bool wn_accounts_may_send(wn_daemon *daemon, wn_peer *peer, wn_error *error)
{
    wn_account *const accounts[] = {peer->player, peer->from};
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        wn_account *account = accounts[i];
        if (account == NULL || account->unlimited || (i > 0 && account == accounts[0])) {
            continue;
        }
        const uint32_t rate = rate_of(daemon, peer, account);
        if (!wn_allowance_take(&account->requests, rate, now)) {
            const bool address = account == peer->from;
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT,
                                address ? "requests_per_address" : "requests_per_player", rate,
                                "too many requests: the server takes %u a second from each %s, whatever the number of "
                                "connections; slow down",
                                rate, address ? "address" : "player");
        }
    }
    return true;
}

/* what is kept */

enum { DAY_MS = 86400000 };

static void give_back(wn_day *day, uint32_t most, uint64_t now)
{
    const uint64_t each = DAY_MS / most, back = (now - day->as_of_ms) / each;
    day->taken = back < day->taken ? day->taken - (uint32_t)back : 0;
    day->as_of_ms = day->taken > 0 ? day->as_of_ms + back * each : now;
}

static bool is_counted(const wn_peer *peer)
{
    return !peer->admin && peer->from != NULL && !peer->from->unlimited;
}

static bool has_left(const wn_daemon *daemon, wn_day *day, uint32_t most)
{
    give_back(day, most, wn_loop_now_ms(daemon->loop));
    return day->taken < most;
}

bool wn_accounts_may_make_world(wn_daemon *daemon, const wn_peer *peer, wn_error *error)
{
    const uint32_t most = daemon->config->worlds_per_address;
    return !is_counted(peer) || has_left(daemon, &peer->from->worlds, most) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "worlds_per_address", most,
                        "%u worlds were made from your address today, as many as may be: play in one of them, or try "
                        "again later",
                        most);
}

void wn_accounts_made_world(const wn_peer *peer)
{
    if (is_counted(peer)) {
        peer->from->worlds.taken++;
    }
}

bool wn_accounts_may_take_name(wn_daemon *daemon, const wn_peer *peer)
{
    return !is_counted(peer) || has_left(daemon, &peer->from->names, daemon->config->names_per_address);
}

void wn_accounts_took_name(const wn_peer *peer)
{
    if (is_counted(peer)) {
        peer->from->names.taken++;
    }
}

static bool is_whole_day(const wn_daemon *daemon, wn_account *account)
{
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    give_back(&account->worlds, daemon->config->worlds_per_address, now);
    give_back(&account->names, daemon->config->names_per_address, now);
    return account->worlds.taken == 0 && account->names.taken == 0;
}

/* connections */

static bool has_room(const wn_account *account, const char *limit, uint32_t sessions, const char *whose,
                     wn_error *error)
{
    return account == NULL || account->unlimited || account->peers < sessions * PEERS_A_SESSION ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, limit, sessions,
                        "there are %u connections of %s, twice as many as sessions may be: close some", account->peers,
                        whose);
}

bool wn_accounts_enter(wn_daemon *daemon, wn_peer *peer, wn_error *error)
{
    const wn_config *config = daemon->config;
    peer->from = of_address(daemon, peer->address);
    peer->player = of_player(daemon, peer->identity, peer->from);
    if (!has_room(peer->from, "sessions_per_address", config->sessions_per_address, "your address", error) ||
        (peer->player != peer->from &&
         !has_room(peer->player, "sessions_per_player", config->sessions_per_player, "your key", error))) {
        return false;
    }
    if (peer->from != NULL) {
        peer->from->peers++;
    }
    if (peer->player != NULL && peer->player != peer->from) {
        peer->player->peers++;
    }
    return true;
}

void wn_accounts_leave(wn_peer *peer)
{
    if (peer->from != NULL) {
        peer->from->peers--;
    }
    if (peer->player != NULL && peer->player != peer->from) {
        peer->player->peers--;
    }
}

/* sessions */

static bool may_have_more(const wn_account *account, const char *limit, uint32_t most, const char *whose,
                          wn_error *error)
{
    return account == NULL || account->unlimited || account->sessions < most ||
           wn_fail_with(
               error, WARREN__ERROR_CODE__ERROR_LIMIT, limit, most,
               "there are %u sessions of %s, as many as may be: end one, or wait until those that were lost are "
               "over",
               most, whose);
}

/* By tcp, without ipc's word for who they are: all users of this machine are one address. */
static bool machine_may_have_more(const wn_daemon *daemon, const wn_account *address, wn_error *error)
{
    const uint32_t sessions = daemon->config->sessions, most = sessions - sessions / WN_SESSIONS_OF_ALL;
    return address == NULL || !address->unlimited || address->sessions < most ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "sessions", most,
                        "there are %u sessions of this machine's own addresses, as many as may be: come by ipc", most);
}

bool wn_accounts_may_begin(wn_daemon *daemon, const wn_peer *peer, wn_error *error)
{
    return machine_may_have_more(daemon, peer->from, error) &&
           may_have_more(peer->from, "sessions_per_address", daemon->config->sessions_per_address, "your address",
                         error) &&
           (peer->player == peer->from ||
            may_have_more(peer->player, "sessions_per_player", daemon->config->sessions_per_player, "your key", error));
}

void wn_accounts_detach(wn_session *session)
{
    if (session->player_account == NULL) {
        return;
    }
    wn_session **at = &session->player_account->first;
    while (*at != session) {
        at = &(*at)->next;
    }
    *at = session->next;
    session->player_account->sessions--;
    if (session->from_account != NULL && session->from_account != session->player_account) {
        session->from_account->sessions--;
    }
    session->player_account = session->from_account = NULL;
}

void wn_accounts_attach(wn_daemon *daemon, wn_session *session, const wn_peer *peer)
{
    wn_account *from = peer != NULL ? peer->from : NULL;
    wn_account *player = peer != NULL ? peer->player : of_player(daemon, session->identity, NULL);
    if (session->player_account == player && session->from_account == from) {
        return;
    }
    wn_accounts_detach(session);
    if (player == NULL) { /* of the store, and of nobody in particular: until it is resumed */
        return;
    }
    session->player_account = player;
    session->from_account = from;
    session->next = player->first;
    player->first = session;
    player->sessions++;
    if (from != NULL && from != player) {
        from->sessions++;
    }
}

uint32_t wn_accounts_seats(const wn_session *session)
{
    size_t seats = session->seat_count + session->restored_count;
    const wn_account *account = session->player_account;
    if (session->identity[0] != '\0' && account != NULL && !account->unlimited) { /* else others may share it */
        seats = 0;
        for (const wn_session *one = account->first; one != NULL; one = one->next) {
            seats += one->seat_count + one->restored_count;
        }
    }
    return (uint32_t)seats;
}

static bool is_idle(const wn_account *account, uint64_t now)
{
    return account->peers == 0 && account->sessions == 0 && account->unaudited == 0 && account->untold == 0 &&
           wn_allowance_is_whole(&account->requests, now) && now >= account->shunned_ms &&
           wn_unread_waits(account->unread) == 0;
}

bool wn_accounts_sweep(wn_daemon *daemon)
{
    zlistx_t *idle = zlistx_new();
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    bool busy = false;
    for (wn_account *account = zhashx_first(daemon->accounts); account != NULL;
         account = zhashx_next(daemon->accounts)) {
        if (!is_idle(account, now)) {
            busy = true;
        } else if (is_whole_day(daemon, account)) {
            zlistx_add_end(idle, account);
        }
    }
    for (wn_account *account = zlistx_first(idle); account != NULL; account = zlistx_next(idle)) {
        forget(daemon, account);
    }
    zlistx_destroy(&idle);
    return busy;
}
