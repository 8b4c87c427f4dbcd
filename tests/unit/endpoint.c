/* endpoint.c: addresses of sockets, taken apart. */
#include "configuration/endpoint.h"

#include <string.h>

#include "suite.h"

START_TEST(a_list_gives_each_of_its_endpoints_once)
{
    const char *list = "  ipc:///run/a tcp://*:1   tcp://[::1]:2 ";
    char one[WN_ENDPOINT_BYTES];
    static const char *const expected[] = {"ipc:///run/a", "tcp://*:1", "tcp://[::1]:2"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert(wn_endpoint_next(&list, one));
        ck_assert_str_eq(one, expected[i]);
    }
    ck_assert(!wn_endpoint_next(&list, one));
    ck_assert(!wn_endpoint_next(&list, one));
}
END_TEST

START_TEST(one_that_is_too_long_is_cut_and_the_next_is_whole)
{
    char text[WN_ENDPOINT_BYTES + 64], one[WN_ENDPOINT_BYTES];
    const char *list = text;
    memset(text, 'x', WN_ENDPOINT_BYTES + 8);
    strcpy(text + WN_ENDPOINT_BYTES + 8, " tcp://*:1");
    ck_assert(wn_endpoint_next(&list, one));
    ck_assert_uint_eq(strlen(one), WN_ENDPOINT_BYTES - 1);
    ck_assert(wn_endpoint_next(&list, one));
    ck_assert_str_eq(one, "tcp://*:1");
}
END_TEST

START_TEST(endpoints_are_taken_apart)
{
    static const struct {
        const char *endpoint, *path, *place, *address; /* NULL: it has none */
        uint16_t port;
        bool loopback;
    } table[] = {
        {"ipc:///run/warren/control", "/run/warren/control", NULL, NULL, 0, false},
        {"ipc://@warren", "@warren", NULL, NULL, 0, false},
        {"tcp://127.0.0.1:7117", NULL, "127.0.0.1:7117", "127.0.0.1", 7117, true},
        {"tcp://127.9.9.9:1", NULL, "127.9.9.9:1", "127.9.9.9", 1, true},
        {"tcp://[::1]:7117", NULL, "[::1]:7117", "::1", 7117, true},
        {"tcp://[::ffff:127.0.0.1]:7117", NULL, "[::ffff:127.0.0.1]:7117", "::ffff:127.0.0.1", 7117, true},
        {"tcp://lo:7117", NULL, "lo:7117", "lo", 7117, true},
        {"tcp://*:65535", NULL, "*:65535", "*", 65535, false},
        {"tcp://192.0.2.1:*", NULL, "192.0.2.1:*", "192.0.2.1", 0, false},
        {"tcp://[2001:db8::1]:80", NULL, "[2001:db8::1]:80", "2001:db8::1", 80, false},
        {"tcp://2001:db8::1:80", NULL, "2001:db8::1:80", NULL, 80, false},
        {"tcp://192.0.2.1:65536", NULL, "192.0.2.1:65536", NULL, 0, false},
        {"tcp://192.0.2.1:0", NULL, "192.0.2.1:0", NULL, 0, false},
        {"tcp://192.0.2.1", NULL, "192.0.2.1", NULL, 0, false},
        {"tcp://:7117", NULL, ":7117", NULL, 7117, false},
        {"tcp://[]:7117", NULL, "[]:7117", NULL, 7117, false},
        {"udp://192.0.2.1:7117", NULL, NULL, NULL, 0, false},
        {"", NULL, NULL, NULL, 0, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *endpoint = table[i].endpoint, *place = wn_endpoint_tcp(endpoint);
        char address[WN_ENDPOINT_ADDRESS_BYTES];
        ck_assert_pstr_eq(wn_endpoint_ipc(endpoint), table[i].path);
        ck_assert_pstr_eq(place, table[i].place);
        ck_assert_msg(wn_endpoint_port(endpoint) == table[i].port, "%s", endpoint);
        ck_assert_msg(wn_endpoint_is_loopback(endpoint) == table[i].loopback, "%s", endpoint);
        if (place != NULL) {
            ck_assert_msg(wn_endpoint_split(place, address) == (table[i].address != NULL), "%s", endpoint);
        }
        if (table[i].address != NULL) {
            ck_assert_str_eq(address, table[i].address);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_list_gives_each_of_its_endpoints_once,
                                  one_that_is_too_long_is_cut_and_the_next_is_whole, endpoints_are_taken_apart};
    return suite_run("endpoint", tests, sizeof tests / sizeof *tests);
}
