/* The client library while nobody answers: it says why, as a sentence, and goes on trying. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client_peer.h"
#include "internal.h"
#include "suite.h"

static char directory[64], path[128];

static void setup_directory(void)
{
    strcpy(directory, "/tmp/warren-reach-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/control", directory);
    events.unreached = 0;
}

static void teardown_directory(void)
{
    wn_client_free(client);
    client = NULL;
    unlink(path);
    rmdir(directory);
}

static void begin(const char *text)
{
    wn_error error = {0};
    wn_address address;
    ck_assert_msg(wn_address_parse(&address, text, &error), "%s", error.text);
    client = wn_client_new(&(wn_client_options){.address = &address, .software = "test", .reconnect_ms = 20}, &error);
    ck_assert_msg(client != NULL, "%s", error.text);
}

/* Waits for an event that says `what`. */
static void assert_told(const char *what)
{
    uint64_t deadline = 0;
    wn_event event;
    for (bool told = false; !told;) {
        ck_assert_msg(!late(&deadline), "\"%s\" was never said, but \"%s\"", what, wn_client_trouble(client));
        wn_client_wait(client, 10);
        while (wn_client_next(client, &event)) {
            told = told || (event.kind == WN_EVENT_UNREACHED && strstr(event.error.text, what) != NULL);
            ck_assert_int_ne(event.kind, WN_EVENT_STATE);
        }
    }
    ck_assert_ptr_nonnull(strstr(wn_client_trouble(client), what));
}

/* A socket of this machine that is bound there. */
static int bind_path(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    strcpy(name.sun_path, path);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&name, sizeof name), 0);
    return fd;
}

/* A tcp socket with a port of its own; whoever does not listen refuses. */
static int bind_port(char *address, size_t size)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&name, length), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&name, &length), 0);
    snprintf(address, size, "tcp://127.0.0.1:%u", ntohs(name.sin_port));
    return fd;
}

START_TEST(a_directory_that_is_not_there_is_told)
{
    char address[160], wanted[160];
    snprintf(address, sizeof address, "ipc://%s/nowhere/control", directory);
    snprintf(wanted, sizeof wanted, "There is no directory %s/nowhere.", directory);
    begin(address);
    assert_told(wanted);
}
END_TEST

START_TEST(a_socket_that_is_not_there_then_unserved_then_silent_is_told_each_time)
{
    char address[160];
    snprintf(address, sizeof address, "ipc://%s", path);
    begin(address);
    assert_told("There is no socket ");
    int fd = bind_path();
    assert_told("its daemon has ended");
    ck_assert_int_eq(listen(fd, 16), 0);
    assert_told("says nothing");
    close(fd);
    assert_told("its daemon has ended");
}
END_TEST

START_TEST(a_port_that_nobody_listens_on_is_told_with_its_number)
{
    char address[64], wanted[160];
    const int fd = bind_port(address, sizeof address);
    snprintf(wanted, sizeof wanted, "The host 127.0.0.1 refuses the connection: nothing listens on port %s.",
             strrchr(address, ':') + 1);
    begin(address);
    assert_told(wanted);
    close(fd);
}
END_TEST

/* No part of a name is as long as that, so that nobody is asked for it. */
START_TEST(a_host_that_nobody_knows_is_told)
{
    char address[128];
    snprintf(address, sizeof address, "warren://%070d.invalid", 0);
    begin(address);
    assert_told("is not known");
}
END_TEST

START_TEST(the_same_is_told_once)
{
    char address[160];
    snprintf(address, sizeof address, "ipc://%s", path);
    begin(address);
    assert_told("There is no socket ");
    uint64_t deadline = 0;
    wn_event event;
    for (unsigned failed = 0; failed < 3; failed++) {
        client->attempt.since = 1; /* until an attempt has failed; where no socket is, it is of no other use */
        while (client->attempt.since == 1) {
            ck_assert_msg(!late(&deadline), "it has not been tried again");
            wn_client_wait(client, 10);
            while (wn_client_next(client, &event)) {
                ck_assert_int_ne(event.kind, WN_EVENT_UNREACHED);
            }
        }
    }
}
END_TEST

START_TEST(a_connection_leaves_nothing_to_tell)
{
    char address[160];
    test_peer peer;
    uint64_t deadline = 0;
    wn_event event;
    peer_init(&peer);
    snprintf(address, sizeof address, "%s", peer.control_endpoint);
    begin(address);
    assert_told("There is no socket ");
    peer_start(&peer);
    while (wn_client_get_state(client) != WN_CLIENT_CONNECTED) {
        ck_assert(!late(&deadline));
        peer_serve(&peer);
        wn_client_wait(client, 2);
        while (wn_client_next(client, &event)) {
        }
    }
    ck_assert_str_eq(wn_client_trouble(client), "");
    peer_free(&peer);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_directory_that_is_not_there_is_told,
                                  a_socket_that_is_not_there_then_unserved_then_silent_is_told_each_time,
                                  a_port_that_nobody_listens_on_is_told_with_its_number,
                                  a_host_that_nobody_knows_is_told,
                                  the_same_is_told_once,
                                  a_connection_leaves_nothing_to_tell};
    return suite_run_with("client reach", tests, sizeof tests / sizeof *tests, setup_directory, teardown_directory);
}
