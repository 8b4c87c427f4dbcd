/* discovery.c: asks who serves on the local network. See discovery.h, and Beacon in warren.proto. */
#include "discovery.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DATAGRAM_BYTES = 256, MAGIC_BYTES = 8, TOLD = 256, ARENA_BYTES = 1 << 16 };

static const char question_magic[] = "WARREN?1", answer_magic[] = "WARREN!1";

/* Who was told since it was last asked. A server that answers on several addresses has the same key and port. */
typedef struct told {
    in_addr_t address;
    uint32_t port;
    bool has_key;
    uint8_t key[WN_CURVE_BYTES];
} told;

struct wn_discovery {
    int fd;
    uint64_t nonce;
    wn_arena *arena;
    told told[TOLD];
    size_t told_count;
};

/* asking */

static void ask(const wn_discovery *discovery, in_addr_t address, uint16_t port)
{
    uint8_t question[DATAGRAM_BYTES] = {0};
    const uint64_t nonce = htole64(discovery->nonce);
    const struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = address};
    memcpy(question, question_magic, MAGIC_BYTES);
    memcpy(question + MAGIC_BYTES, &nonce, sizeof nonce);
    sendto(discovery->fd, question, sizeof question, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
}

/* ADDRESS[:PORT] and so on. What is no address is passed over: there is nobody to ask. */
static void ask_named(const wn_discovery *discovery, const char *list)
{
    for (list += strspn(list, " "); *list != '\0'; list += strspn(list, " ")) {
        char one[64];
        struct in_addr address;
        const size_t length = strcspn(list, " ");
        snprintf(one, sizeof one, "%.*s", (int)length, list);
        list += length;
        char *colon = strchr(one, ':');
        const long port = colon != NULL ? strtol(colon + 1, NULL, 10) : WN_BEACON_PORT;
        if (colon != NULL) {
            *colon = '\0';
        }
        if (inet_pton(AF_INET, one, &address) == 1 && port > 0 && port <= UINT16_MAX) {
            ask(discovery, address.s_addr, (uint16_t)port);
        }
    }
}

static void ask_all(const wn_discovery *discovery)
{
    struct ifaddrs *interfaces = NULL;
    ask(discovery, htonl(INADDR_LOOPBACK), WN_BEACON_PORT);
    if (getifaddrs(&interfaces) != 0) {
        return;
    }
    for (const struct ifaddrs *one = interfaces; one != NULL; one = one->ifa_next) {
        struct sockaddr_in broadcast;
        if (one->ifa_addr != NULL && one->ifa_addr->sa_family == AF_INET && one->ifa_broadaddr != NULL &&
            (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_BROADCAST) != 0) {
            memcpy(&broadcast, one->ifa_broadaddr, sizeof broadcast);
            ask(discovery, broadcast.sin_addr.s_addr, WN_BEACON_PORT);
        }
    }
    freeifaddrs(interfaces);
}

void wn_discovery_ask(wn_discovery *discovery)
{
    const char *named = getenv("WARREN_DISCOVERY");
    discovery->told_count = 0;
    if (named != NULL && named[0] != '\0') {
        ask_named(discovery, named);
    } else {
        ask_all(discovery);
    }
}

wn_discovery *wn_discovery_new(wn_error *error)
{
    const int on = 1;
    wn_discovery *discovery = calloc(1, sizeof *discovery);
    if (discovery != NULL) {
        discovery->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        discovery->arena = wn_arena_new(ARENA_BYTES);
    }
    if (discovery == NULL || discovery->fd < 0 || discovery->arena == NULL ||
        getrandom(&discovery->nonce, sizeof discovery->nonce, 0) != (ssize_t)sizeof discovery->nonce) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "Servers cannot be looked for: %s.",
                     strerror(errno));
        wn_discovery_free(discovery);
        return NULL;
    }
    setsockopt(discovery->fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    wn_discovery_ask(discovery);
    return discovery;
}

void wn_discovery_free(wn_discovery *discovery)
{
    if (discovery == NULL) {
        return;
    }
    if (discovery->fd >= 0) {
        close(discovery->fd);
    }
    wn_arena_free(discovery->arena);
    free(discovery);
}

int wn_discovery_fd(const wn_discovery *discovery)
{
    return discovery->fd;
}

/* answers */

static bool is_news(wn_discovery *discovery, const told *one)
{
    for (size_t i = 0; i < discovery->told_count; i++) {
        const told *other = &discovery->told[i];
        const bool same = one->has_key && other->has_key ? memcmp(one->key, other->key, sizeof one->key) == 0
                                                         : one->address == other->address;
        if (same && one->port == other->port) {
            return false;
        }
    }
    if (discovery->told_count == TOLD) {
        return false;
    }
    discovery->told[discovery->told_count++] = *one;
    return true;
}

static bool take(wn_discovery *discovery, const uint8_t *bytes, size_t size, const struct sockaddr_in *from,
                 wn_found_server *found)
{
    char host[INET_ADDRSTRLEN];
    wn_arena_reset(discovery->arena);
    if (size <= MAGIC_BYTES || memcmp(bytes, answer_magic, MAGIC_BYTES) != 0) {
        return false;
    }
    const Warren__Reply *reply = wn_reply_decode(discovery->arena, bytes + MAGIC_BYTES, size - MAGIC_BYTES, NULL);
    if (reply == NULL || reply->body_case != WARREN__REPLY__BODY_BEACON || reply->beacon->nonce != discovery->nonce) {
        return false; /* nobody who heard the question */
    }
    const Warren__Beacon *beacon = reply->beacon;
    told one = {.address = from->sin_addr.s_addr, .port = beacon->port, .has_key = beacon->has_curve_key};
    if (beacon->has_curve_key) {
        memcpy(one.key, beacon->curve_key.data, sizeof one.key);
    }
    if (!is_news(discovery, &one)) {
        return false;
    }
    *found = (wn_found_server){.has_key = one.has_key, .worlds = beacon->worlds, .seats = beacon->seats};
    memcpy(found->key, one.key, sizeof found->key);
    inet_ntop(AF_INET, &from->sin_addr, host, sizeof host);
    snprintf(found->address, sizeof found->address, "warren://%s:%u", host, beacon->port);
    snprintf(found->name, sizeof found->name, "%s", beacon->name);
    snprintf(found->software, sizeof found->software, "%s", beacon->software != NULL ? beacon->software : "");
    return true;
}

bool wn_discovery_next(wn_discovery *discovery, wn_found_server *found)
{
    for (;;) {
        uint8_t bytes[DATAGRAM_BYTES];
        struct sockaddr_in from = {0};
        socklen_t length = sizeof from;
        const ssize_t size =
            recvfrom(discovery->fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
        if (size < 0 && errno != ECONNREFUSED) {
            return false;
        }
        if (size > 0 && from.sin_family == AF_INET && take(discovery, bytes, (size_t)size, &from, found)) {
            return true;
        }
    }
}
