/* reach.c: why a daemon cannot be reached. libzmq tries again and again and tells only that it does (a monitor's
 * events); what it does not tell is found out here, without waiting for anything: for a socket of this machine by
 * looking at it, for tcp by how far an attempt came before it failed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

#include "internal.h"

enum { REFUSAL_MOST_US = 1000000 /* whoever refuses does so at once; no answer at all takes longer */ };

/* Only another reason than the last one is told. */
static void tell(wn_client *client, const char *why)
{
    if (why[0] == '\0' || strcmp(why, client->trouble) == 0 || client->state == WN_CLIENT_CONNECTED ||
        client->state == WN_CLIENT_REFUSED) {
        return;
    }
    snprintf(client->trouble, sizeof client->trouble, "%s", why);
    wn_fail_with(&wn_event_queue(client, WN_EVENT_UNREACHED)->error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                 "%s", why);
}

/* sockets of this machine */

static int knock(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof name.sun_path) {
        return ENAMETOOLONG;
    }
    strcpy(name.sun_path, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return 0; /* it cannot be told here */
    }
    const int failure = connect(fd, (const struct sockaddr *)&name, sizeof name) == 0 ? 0 : errno;
    close(fd);
    return failure == EAGAIN ? 0 : failure;
}

static void explain_missing(const char *path, char *why, size_t size)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 0 : slash == path ? 1 : (int)(slash - path);
    char directory[sizeof(struct sockaddr_un)];
    snprintf(directory, sizeof directory, "%.*s", length, path);
    if (length > 0 && stat(directory, &status) != 0) {
        snprintf(why, size, "There is no directory %s.", directory);
    } else {
        snprintf(why, size, "There is no socket %s: no daemon is running there.", path);
    }
}

static void explain_socket(const char *path, char *why, size_t size)
{
    const int failure = path[0] == '@' ? 0 : knock(path); /* of those in no directory nothing is known */
    if (failure == ENOENT || failure == ENOTDIR) {
        explain_missing(path, why, size);
    } else if (failure == ECONNREFUSED) {
        snprintf(why, size, "Nobody serves the socket %s: its daemon has ended.", path);
    } else if (failure == EACCES) {
        snprintf(why, size, "You are not allowed to use the socket %s (permission denied).", path);
    } else if (failure != 0) {
        snprintf(why, size, "The socket %s cannot be used: %s.", path, strerror(failure));
    }
}

/* tcp */

/* HOST and PORT of tcp://HOST:PORT. */
static void explain_tcp(const wn_client *client, const char *place, char *why, size_t size)
{
    const char *colon = strrchr(place, ':');
    const int host = colon == NULL ? (int)strlen(place) : (int)(colon - place);
    if (!client->attempt.under_way && !client->attempt.closed) {
        snprintf(why, size, "The host %.*s is not known: its name leads to no address.", host, place);
    } else if (!client->attempt.under_way) {
        snprintf(why, size, "There is no way to the host %.*s: is this machine on that network?", host, place);
    } else if (wn_clock_us() - client->attempt.since < REFUSAL_MOST_US) {
        const bool asks = client->trust == WN_TRUST_ASK; /* for the server's key, at a port of its own */
        snprintf(why, size, "The host %.*s refuses the connection: nothing listens on port %d%s.", host, place,
                 (colon == NULL ? 0 : atoi(colon + 1)) + (asks ? WN_INTRODUCTION_ABOVE : 0),
                 asks ? ", where a server tells its key" : "");
    } else {
        snprintf(why, size, "The host %.*s does not answer.", host, place);
    }
}

/* An attempt has failed before there was a connection. */
static void explain(wn_client *client)
{
    char why[WN_TEXT_BYTES + 1] = "";
    const char *endpoint = client->control_endpoint;
    if (strncmp(endpoint, "ipc://", 6) == 0) {
        explain_socket(endpoint + 6, why, sizeof why);
    } else if (strncmp(endpoint, "tcp://", 6) == 0) {
        explain_tcp(client, endpoint + 6, why, sizeof why);
    }
    tell(client, why);
}

void wn_reach_begin(wn_client *client)
{
    client->attempt = (wn_attempt){0};
}

void wn_reach_event(wn_client *client, uint16_t event)
{
    wn_attempt *attempt = &client->attempt;
    switch (event) {
    case ZMQ_EVENT_CONNECT_DELAYED:
        *attempt = (wn_attempt){.under_way = true, .since = wn_clock_us()};
        return;
    case ZMQ_EVENT_CONNECTED:
        attempt->reached = true;
        return;
    case ZMQ_EVENT_CLOSED:
        attempt->closed = true;
        attempt->reached = false;
        return;
    case ZMQ_EVENT_CONNECT_RETRIED:
        if (!attempt->reached) {
            explain(client);
        }
        *attempt = (wn_attempt){.told = !attempt->reached, .reached = attempt->reached};
        return;
    default:
        return;
    }
}

void wn_reach_given_up(wn_client *client)
{
    char why[WN_TEXT_BYTES + 1];
    const wn_attempt *attempt = &client->attempt;
    const char *place = strstr(client->control_endpoint, "://");
    if (attempt->told || place == NULL) {
        return;
    }
    snprintf(why, sizeof why,
             attempt->reached
                 ? "Somebody takes the connection to %.200s and says nothing: a busy daemon, or none at all."
                 : "There is no answer from %.200s.",
             place + 3);
    tell(client, why);
}

void wn_reach_turned_away(wn_client *client, const char *why)
{
    client->attempt.told = true;
    tell(client, why == NULL ? "" : why);
}

void wn_reach_done(wn_client *client)
{
    client->trouble[0] = '\0';
}

const char *wn_client_trouble(const wn_client *client)
{
    return client->trouble;
}
