/* connections.c: see connections.h.
 */
#include "network/connections.h"

#include <inttypes.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "access/accounts.h"
#include "configuration/subject.h"
#include "log.h"
#include "memory.h"

enum { SAID_EVERY_S = 60, PLACES_MOST = 1 << 22 /* more than the kernel gives a process, unless it is told to */ };

typedef enum kind { NOBODY, USER, ADDRESS, MACHINE, KINDS } kind;

/* Whose connections they are: "user 1000", the name of an address's account, or this machine's. */
typedef struct tally {
    char name[WN_IDENTITY_BYTES];
    uint64_t count;
} tally;

/* A connection that is open. What is atomic is read and written by the thread that reads and writes the connection, and
 * by the one that handles its messages. */
typedef struct place {
    tally *counts; /* NULL: it counts for nobody. With the lock */
    atomic_uint_fast64_t serial;
    atomic_uint_fast64_t unheard, unheard_s; /* bytes, as of when */
    atomic_uint_fast64_t queued, sent;       /* bytes, in all */
} place;

/* 0: no limit. */
static atomic_uint_fast64_t limits[KINDS], refused;

/* Of the process, as its descriptors are. */
static struct {
    place *places; /* by descriptor; NULL: nothing is counted */
    size_t place_count;
    pthread_mutex_t lock; /* of what follows */
    zhashx_t *tallies;
    uint64_t accepted;
    size_t highest; /* descriptor that ever was one */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void wn_connections_open(uint64_t most)
{
    all.tallies = zhashx_new(); /* by name */
    all.place_count = (size_t)(most < PLACES_MOST ? most : PLACES_MOST);
    all.places = wn_must_zero(all.place_count, sizeof *all.places); /* memory that is not touched is not taken */
}

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

static kind name_user(int fd, char *name)
{
    struct ucred who;
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid == 0 || who.uid == geteuid()) {
        return NOBODY;
    }
    snprintf(name, WN_IDENTITY_BYTES, "user %u", who.uid);
    return USER;
}

static kind name_address(const struct sockaddr *peer, socklen_t size, char *name)
{
    char text[NI_MAXHOST], address[WN_ADDRESS_BYTES];
    if (getnameinfo(peer, size, text, sizeof text, NULL, 0, NI_NUMERICHOST) != 0) {
        return NOBODY;
    }
    wn_subject_address(address, sizeof address, text);
    if (wn_accounts_share(address)) {
        snprintf(name, WN_IDENTITY_BYTES, "this machine's own addresses");
        return MACHINE;
    }
    wn_accounts_name_address(name, address);
    return ADDRESS;
}

static kind name_origin(int fd, char name[WN_IDENTITY_BYTES])
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0) {
        return NOBODY; /* gone already */
    }
    return peer.ss_family == AF_UNIX ? name_user(fd, name) : name_address((const struct sockaddr *)&peer, size, name);
}

static void say_refused(kind from, const char *name, uint64_t most)
{
    static wn_log_pace pace;
    atomic_fetch_add(&refused, 1);
    if (!wn_log_again(&pace, SAID_EVERY_S)) {
        return;
    }
    wn_log_line(WN_LEVEL_WARNING, "daemon",
                "connections from %s are refused: there are %" PRIu64 ", as many as may be. %s",
                from == ADDRESS ? strchr(name, ':') + 1 : name, most,
                from == MACHINE ? "The other descriptors are for those from elsewhere and on ipc"
                : from == USER  ? "It is four for each session that limits.sessions_per_player allows"
                                : "It is four for each session that limits.sessions_per_address allows");
}

/* counting */

static tally *tally_of(const char *name)
{
    tally *found = zhashx_lookup(all.tallies, name);
    if (found == NULL) {
        found = wn_must_zero(1, sizeof *found);
        snprintf(found->name, sizeof found->name, "%s", name);
        zhashx_insert(all.tallies, found->name, found);
    }
    return found;
}

static void give_up(tally *counts)
{
    if (counts != NULL && --counts->count == 0) {
        zhashx_delete(all.tallies, counts->name);
        free(counts);
    }
}

static place *place_of(int fd)
{
    return fd >= 0 && (size_t)fd < all.place_count ? &all.places[fd] : NULL;
}

/* One that is counted. */
static place *open_place_of(int fd)
{
    place *found = place_of(fd);
    return found != NULL && atomic_load(&found->serial) != 0 ? found : NULL;
}

static uint64_t now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec;
}

bool wn_connections_let_in(int fd)
{
    place *taken = place_of(fd);
    if (taken == NULL) {
        return true;
    }
    char name[WN_IDENTITY_BYTES];
    const kind from = name_origin(fd, name);
    const uint64_t most = atomic_load(&limits[from]);
    pthread_mutex_lock(&all.lock);
    const tally *there = from != NOBODY ? zhashx_lookup(all.tallies, name) : NULL;
    const bool good = most == 0 || there == NULL || there->count < most;
    if (good) {
        taken->counts = from != NOBODY ? tally_of(name) : NULL;
        if (taken->counts != NULL) {
            taken->counts->count++;
        }
        all.highest = (size_t)fd > all.highest ? (size_t)fd : all.highest;
        atomic_store(&taken->unheard, 0);
        atomic_store(&taken->unheard_s, now_s());
        atomic_store(&taken->queued, 0);
        atomic_store(&taken->sent, 0);
        atomic_store(&taken->serial, ++all.accepted);
    }
    pthread_mutex_unlock(&all.lock);
    if (!good) {
        say_refused(from, name, most);
    }
    return good;
}

static void let_go(int fd)
{
    place *gone = open_place_of(fd);
    if (gone != NULL) {
        pthread_mutex_lock(&all.lock);
        give_up(gone->counts);
        gone->counts = NULL;
        atomic_store(&gone->serial, 0);
        pthread_mutex_unlock(&all.lock);
    }
}

uint64_t wn_connections_serial(int fd)
{
    const place *found = place_of(fd);
    return found != NULL ? atomic_load(&found->serial) : 0;
}

/* messages */

void wn_connections_heard(int fd)
{
    place *heard = open_place_of(fd);
    if (heard != NULL) {
        atomic_store(&heard->unheard, 0);
    }
}

/* A leaky bucket, which is emptied by each message. */
static bool may_read(int fd, size_t bytes)
{
    place *one = open_place_of(fd);
    if (one == NULL) {
        return true;
    }
    const uint64_t now = now_s(), before = atomic_load(&one->unheard);
    const uint64_t gone = (now - atomic_exchange(&one->unheard_s, now)) * WN_UNHEARD_A_SECOND;
    const uint64_t unheard = (before > gone ? before - gone : 0) + bytes;
    atomic_store(&one->unheard, unheard);
    return unheard <= WN_UNHEARD_BYTES;
}

static uint64_t unsent(const place *one)
{
    const uint64_t queued = atomic_load(&one->queued), sent = atomic_load(&one->sent);
    return queued > sent ? queued - sent : 0;
}

/* Asked for when one has much: all are looked at. */
static uint64_t unsent_of(const tally *counts)
{
    uint64_t sum = 0;
    for (size_t fd = 0; fd <= all.highest; fd++) {
        sum += counts != NULL && all.places[fd].counts == counts ? unsent(&all.places[fd]) : 0;
    }
    return sum;
}

bool wn_connections_queued(int fd, uint64_t serial, size_t bytes)
{
    place *one = open_place_of(fd);
    if (one == NULL || atomic_load(&one->serial) != serial) {
        return true;
    }
    const uint64_t sent = atomic_load(&one->sent);
    if (atomic_load(&one->queued) < sent) { /* more goes over the line than messages: frames, and what is encrypted */
        atomic_store(&one->queued, sent);
    }
    atomic_fetch_add(&one->queued, bytes);
    const uint64_t waits = unsent(one);
    if (waits <= WN_UNSENT_BYTES / 4) {
        return true;
    }
    pthread_mutex_lock(&all.lock);
    const bool good = waits <= WN_UNSENT_BYTES && unsent_of(one->counts) <= WN_UNSENT_OF_ONE;
    pthread_mutex_unlock(&all.lock);
    return good;
}

/* in place of libc's */

static void say_closed(void)
{
    static wn_log_pace pace;
    if (wn_log_again(&pace, SAID_EVERY_S)) {
        wn_log_line(WN_LEVEL_WARNING, "control", "a connection is closed: it sent %d bytes without an end",
                    (int)WN_UNHEARD_BYTES);
    }
}

__attribute__((visibility("default"))) ssize_t recv(int fd, void *into, size_t size, int flags)
{
    const ssize_t got = syscall(SYS_recvfrom, fd, into, size, flags, NULL, NULL);
    if (got > 0 && !may_read(fd, (size_t)got)) {
        say_closed();
        errno = ECONNRESET;
        return -1;
    }
    return got;
}

__attribute__((visibility("default"))) ssize_t send(int fd, const void *from, size_t size, int flags)
{
    const ssize_t sent = syscall(SYS_sendto, fd, from, size, flags, NULL, 0);
    place *one = open_place_of(fd);
    if (sent > 0 && one != NULL) {
        atomic_fetch_add(&one->sent, (uint64_t)sent);
    }
    return sent;
}

/* The number is free for the next from then on. */
__attribute__((visibility("default"))) int close(int fd)
{
    let_go(fd);
    return (int)syscall(SYS_close, fd);
}
