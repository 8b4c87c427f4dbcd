/* connections.c: see connections.h.
 */
#include "connections.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accounts.h"
#include "log.h"
#include "map.h"
#include "memory.h"

enum { LOOK_AGAIN_S = 1, SAID_EVERY_S = 60 };

typedef enum kind { NOBODY, USER, ADDRESS, MACHINE, KINDS } kind;

/* Where a connection comes from. All bytes are compared. */
typedef struct origin {
    uint8_t kind, bytes[16]; /* of a user: its number */
} origin;

typedef struct tally {
    origin from;
    uint64_t count;
} tally;

/* A connection that was let in. Its number is given to the next when it is closed, which nobody tells us of; the inode
 * of a socket is not, for the next four thousand million. */
typedef struct place {
    ino_t socket;
    tally *counts; /* NULL: for nobody */
} place;

/* 0: no limit. */
static atomic_uint_fast64_t limits[KINDS], refused;

/* Of the process, as its descriptors are; of whichever thread has the lock. */
static struct {
    pthread_mutex_t lock;
    place *places; /* by descriptor */
    size_t place_count;
    zhashx_t *tallies;
    int64_t looked_s; /* when it was last found out who is gone */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void wn_connections_allow(const wn_config *config, uint64_t most)
{
    atomic_store(&limits[USER], (uint64_t)config->sessions_per_player * WN_CONNECTIONS_A_SESSION);
    atomic_store(&limits[ADDRESS], (uint64_t)config->sessions_per_address * WN_CONNECTIONS_A_SESSION);
    atomic_store(&limits[MACHINE], most - most / WN_CONNECTIONS_OF_ALL);
}

uint64_t wn_connections_refused(void)
{
    return atomic_load(&refused);
}

/* origins */

static origin of_user(int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    origin from = {.kind = NOBODY};
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid != 0 && who.uid != geteuid()) {
        from.kind = USER;
        memcpy(from.bytes, &who.uid, sizeof who.uid);
    }
    return from;
}

static origin of_ip4(const struct in_addr *address)
{
    origin from = {.kind = address->s_addr == htonl(INADDR_LOOPBACK) ? MACHINE : ADDRESS};
    if (from.kind == ADDRESS) {
        memcpy(from.bytes, address, sizeof *address);
    }
    return from;
}

static origin of_ip6(const struct in6_addr *address)
{
    origin from = {.kind = IN6_IS_ADDR_LOOPBACK(address) ? MACHINE : ADDRESS};
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        struct in_addr within;
        memcpy(&within, address->s6_addr + sizeof *address - sizeof within, sizeof within);
        return of_ip4(&within);
    }
    if (from.kind == ADDRESS) {
        memcpy(from.bytes, address, WN_ADDRESS_PREFIX_BYTES);
        from.bytes[sizeof from.bytes - 1] = 6; /* so that none is that of an IPv4 address */
    }
    return from;
}

static origin origin_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
    } peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(fd, &peer.any, &size) != 0) {
        return (origin){.kind = NOBODY}; /* gone already */
    }
    switch (peer.any.sa_family) {
    case AF_UNIX:
        return of_user(fd);
    case AF_INET:
        return of_ip4(&peer.ip4.sin_addr);
    case AF_INET6:
        return of_ip6(&peer.ip6.sin6_addr);
    default:
        return (origin){.kind = NOBODY};
    }
}

static void say_refused(const origin *from, uint64_t most)
{
    static wn_log_pace pace;
    char text[INET6_ADDRSTRLEN] = "this machine's own addresses";
    unsigned user = 0;
    atomic_fetch_add(&refused, 1);
    if (!wn_log_again(&pace, SAID_EVERY_S)) {
        return;
    }
    if (from->kind == USER) {
        memcpy(&user, from->bytes, sizeof user);
        snprintf(text, sizeof text, "user %u", user);
    } else if (from->kind == ADDRESS) {
        inet_ntop(from->bytes[sizeof from->bytes - 1] == 6 ? AF_INET6 : AF_INET, from->bytes, text, sizeof text);
    }
    wn_log_line(WN_LEVEL_WARNING, "daemon",
                "connections from %s are refused: there are %" PRIu64 ", as many as may be. %s", text, most,
                from->kind == MACHINE ? "The other descriptors are for those from elsewhere and on ipc"
                : from->kind == USER  ? "It is four for each session that limits.sessions_per_player allows"
                                      : "It is four for each session that limits.sessions_per_address allows");
}

/* counting */

static size_t tally_hash(const void *key)
{
    return wn_map_hash(key, sizeof(origin));
}

static int tally_compare(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(origin));
}

static tally *tally_of(const origin *from)
{
    tally *found = zhashx_lookup(all.tallies, from);
    if (found == NULL) {
        found = wn_must_zero(1, sizeof *found);
        found->from = *from;
        zhashx_insert(all.tallies, &found->from, found);
    }
    return found;
}

static void give_up(place *gone)
{
    tally *counts = gone->counts;
    gone->counts = NULL;
    if (counts != NULL && --counts->count == 0) {
        zhashx_delete(all.tallies, &counts->from);
        free(counts);
    }
}

/* Those that are closed by now. Not each time that somebody is refused: it asks the system about each connection. */
static void look_who_is_gone(void)
{
    struct timespec now;
    struct stat status;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (all.looked_s != 0 && now.tv_sec - all.looked_s < LOOK_AGAIN_S) {
        return;
    }
    all.looked_s = now.tv_sec > 0 ? now.tv_sec : 1;
    for (size_t fd = 0; fd < all.place_count; fd++) {
        place *one = &all.places[fd];
        if (one->counts != NULL && (fstat((int)fd, &status) != 0 || status.st_ino != one->socket)) {
            give_up(one);
        }
    }
}

/* Whoever had it before is gone. */
static place *take_place(int fd)
{
    if ((size_t)fd >= all.place_count) {
        const size_t count = (size_t)fd + 64;
        all.places = wn_must_resize(all.places, count * sizeof *all.places);
        memset(all.places + all.place_count, 0, (count - all.place_count) * sizeof *all.places);
        all.place_count = count;
    }
    give_up(&all.places[fd]);
    return &all.places[fd];
}

static bool has_room(const origin *from, uint64_t most)
{
    const tally *counts = zhashx_lookup(all.tallies, from);
    if (counts != NULL && counts->count >= most) {
        look_who_is_gone();
        counts = zhashx_lookup(all.tallies, from);
    }
    return counts == NULL || counts->count < most;
}

bool wn_connections_let_in(int fd)
{
    const origin from = origin_of(fd);
    const uint64_t most = atomic_load(&limits[from.kind]);
    struct stat status;
    pthread_mutex_lock(&all.lock);
    if (all.tallies == NULL) {
        all.tallies = wn_map_new(tally_hash, tally_compare);
    }
    place *taken = take_place(fd);
    const bool good = most == 0 || has_room(&from, most);
    if (good && from.kind != NOBODY && fstat(fd, &status) == 0) {
        taken->socket = status.st_ino;
        taken->counts = tally_of(&from);
        taken->counts->count++;
    }
    pthread_mutex_unlock(&all.lock);
    if (!good) {
        say_refused(&from, most);
    }
    return good;
}
