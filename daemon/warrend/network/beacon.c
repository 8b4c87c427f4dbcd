/* beacon.c: answers whoever looks for servers. See beacon.h.
 */
#include "network/beacon.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "access/admission.h"
#include "configuration/endpoint.h"
#include "memory.h"

enum {
    DATAGRAM_BYTES = 256, /* of a question; an answer is no longer, so that nothing is gained by asking as another */
    MAGIC_BYTES = 8,
    A_PASS = 32,
    A_SECOND = 100,
    HOST_NAME_BYTES = 65
};

static const char question_magic[] = "WARREN?1", answer_magic[] = "WARREN!1";

typedef struct wn_beacon {
    wn_daemon *daemon;
    int fd;
    wn_watch *watch;
    uint64_t second; /* that `answered` is of */
    uint32_t answered;
    char name[WN_NAME_BYTES + 1];
} wn_beacon;

/* what is told */

/* Can somebody who asks from there connect to that endpoint? IPv6 has no broadcast: who asks does so by IPv4. */
static bool is_for(const char *endpoint, bool local)
{
    char address[WN_ENDPOINT_ADDRESS_BYTES];
    if (wn_endpoint_port(endpoint) == 0 || !wn_endpoint_split(wn_endpoint_tcp(endpoint), address)) {
        return false; /* a free port: nobody could know which */
    }
    if (strcmp(address, "*") == 0 || strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0) {
        return true;
    }
    return strchr(address, ':') == NULL && wn_address_is_loopback(address) == local;
}

static bool fill(const wn_beacon *beacon, bool local, Warren__Beacon *message)
{
    const wn_daemon *daemon = beacon->daemon;
    const char *rest = daemon->config->control;
    char one[WN_ENDPOINT_BYTES];
    bool found = false;
    while (!found && wn_endpoint_next(&rest, one)) {
        found = is_for(one, local);
    }
    if (found) {
        message->port = wn_endpoint_port(one);
        message->has_curve_key = wn_config_takes_keys(daemon->config, one);
    }
    message->name = (char *)(uintptr_t)beacon->name;
    message->software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    message->curve_key.data = (uint8_t *)(uintptr_t)daemon->key.public_key;
    message->curve_key.len = sizeof daemon->key.public_key;
    message->has_worlds = message->has_seats = true;
    message->worlds = (uint32_t)zhashx_size(daemon->games);
    message->seats = daemon->seats_taken;
    return found;
}

static void answer(const wn_beacon *beacon, const uint8_t *question, const struct sockaddr_in *from)
{
    Warren__Beacon message = WARREN__BEACON__INIT;
    Warren__Reply reply = WARREN__REPLY__INIT;
    wn_buffer out = {0};
    memcpy(&message.nonce, question + MAGIC_BYTES, sizeof message.nonce);
    message.nonce = le64toh(message.nonce);
    if (!fill(beacon, ntohl(from->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET, &message)) {
        return;
    }
    reply.body_case = WARREN__REPLY__BODY_BEACON;
    reply.beacon = &message;
    wn_buffer_append(&out, answer_magic, MAGIC_BYTES);
    wn_encode(&out, &reply.base);
    if (out.size <= DATAGRAM_BYTES) {
        sendto(beacon->fd, out.data, out.size, MSG_DONTWAIT, (const struct sockaddr *)from, sizeof *from);
    }
    wn_buffer_free(&out);
}

/* asking */

static bool may_answer(wn_beacon *beacon)
{
    const uint64_t second = wn_loop_now_ms(beacon->daemon->loop) / 1000;
    if (second != beacon->second) {
        beacon->second = second;
        beacon->answered = 0;
    }
    return beacon->answered++ < A_SECOND;
}

static void asked(void *context, uint32_t events)
{
    wn_beacon *beacon = context;
    (void)events;
    for (int i = 0; i < A_PASS; i++) {
        uint8_t question[DATAGRAM_BYTES + 1];
        struct sockaddr_in from = {0};
        socklen_t size = sizeof from;
        const ssize_t got =
            recvfrom(beacon->fd, question, sizeof question, MSG_DONTWAIT, (struct sockaddr *)&from, &size);
        if (got < 0) {
            return;
        }
        if (got == DATAGRAM_BYTES && memcmp(question, question_magic, MAGIC_BYTES) == 0 && !beacon->daemon->draining &&
            may_answer(beacon)) {
            answer(beacon, question, &from);
        }
    }
}

/* opening */

/* Whoever is served on this machine alone is asked there alone. */
static bool only_local(const wn_daemon *daemon)
{
    char *copy = wn_must_copy(daemon->config->control), *rest = NULL;
    bool local = true;
    for (char *one = strtok_r(copy, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        local = local && !is_for(one, false);
    }
    free(copy);
    return local;
}

static void find_name(wn_beacon *beacon)
{
    char name[HOST_NAME_BYTES] = "";
    gethostname(name, sizeof name - 1);
    snprintf(beacon->name, sizeof beacon->name, "%.*s", WN_NAME_BYTES, name[0] != '\0' ? name : "warren");
    wn_text_clean(beacon->name, WN_NAME_BYTES, false);
}

bool wn_beacon_open(wn_daemon *daemon, wn_error *error)
{
    const int on = 1;
    if (!daemon->config->beacon) {
        return true;
    }
    wn_beacon *beacon = daemon->beacon = wn_must_zero(1, sizeof *beacon);
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)daemon->config->beacon_port),
        .sin_addr.s_addr = htonl(only_local(daemon) ? INADDR_LOOPBACK : INADDR_ANY),
    };
    beacon->daemon = daemon;
    find_name(beacon);
    beacon->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* Several daemons of one machine hear the same broadcast. What is sent stays on networks that we are on. */
    setsockopt(beacon->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(beacon->fd, SOL_SOCKET, SO_DONTROUTE, &on, sizeof on);
    if (beacon->fd < 0 || bind(beacon->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "beacon", 0,
                            "cannot be found on UDP port %u: %s; choose another network.beacon_port, or beacon = no",
                            daemon->config->beacon_port, strerror(errno));
    }
    beacon->watch = wn_must(wn_loop_add_fd(daemon->loop, beacon->fd, EPOLLIN, asked, beacon));
    wn_log_line(WN_LEVEL_INFO, "beacon", "to be found as %s on UDP port %u", beacon->name, daemon->config->beacon_port);
    return true;
}

void wn_beacon_close(wn_daemon *daemon)
{
    wn_beacon *beacon = daemon->beacon;
    if (beacon == NULL) {
        return;
    }
    wn_loop_remove_fd(daemon->loop, beacon->watch);
    if (beacon->fd >= 0) {
        close(beacon->fd);
    }
    free(beacon);
    daemon->beacon = NULL;
}
