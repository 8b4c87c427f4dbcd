/* Whom rights and bans are about: which texts are understood, in which form they are kept, and who is meant.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "configuration/subject.h"

#define KEY "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define Z85 "HelloWorldHelloWorldHelloWorldHelloWorld"

static const struct {
    const char *text, *kept; /* NULL: it is nobody */
} table[] = {
    {"key:" KEY, "key:" KEY},
    {KEY, "key:" KEY},
    {"00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF", "key:" KEY},
    {Z85, "key:864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b"},
    {"key:" Z85, "key:864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b"},
    {"uid:0", "uid:0"},
    {"uid:4294967295", "uid:4294967295"},
    {"192.0.2.1", "address:192.0.2.1"},
    {"address:192.0.2.1/32", "address:192.0.2.1"},
    {"192.0.2.130/25", "address:192.0.2.128/25"},
    {"192.0.2.130/0", "address:0.0.0.0/0"},
    {"::ffff:192.0.2.1", "address:192.0.2.1"},
    {"2001:db8::1", "address:2001:db8::1"},
    {"2001:DB8:0:0:ffff::1/64", "address:2001:db8::/64"},
    {"::/0", "address:::/0"},
    {"", NULL},
    {"ann", NULL},
    {"key:", NULL},
    {"key:0011", NULL},
    {KEY "0", NULL},
    {"g0112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", NULL},
    {"uid:", NULL},
    {"uid:-1", NULL},
    {"uid:1x", NULL},
    {"uid:4294967296", NULL},
    {"192.0.2", NULL},
    {"192.0.2.1/33", NULL},
    {"192.0.2.1/", NULL},
    {"192.0.2.1/ 8", NULL},
    {"::/129", NULL},
    {"1::2::3", NULL},
    {"10.0.0.0/8/8", NULL},
};

START_TEST(text_is_kept_in_one_form)
{
    char subject[WN_SUBJECT_BYTES], again[WN_SUBJECT_BYTES];
    const bool good = wn_subject_parse(subject, table[_i].text);
    ck_assert_msg(good == (table[_i].kept != NULL), "\"%s\"", table[_i].text);
    if (good) {
        ck_assert_str_eq(subject, table[_i].kept);
        ck_assert(wn_subject_parse(again, subject));
        ck_assert_str_eq(again, subject);
    }
}
END_TEST

static bool is(const char *text, const char *identity, const char *address)
{
    char subject[WN_SUBJECT_BYTES];
    ck_assert(wn_subject_parse(subject, text));
    return wn_subject_is(subject, identity, address);
}

START_TEST(networks_hold_what_is_in_them)
{
    for (unsigned bits = 0; bits <= 32; bits++) {
        char text[32];
        const unsigned inside = bits == 0 ? 0 : 32 - bits; /* bits that are free */
        for (unsigned flipped = 0; flipped < 32; flipped++) {
            const unsigned long one = 0xc0000201ul ^ 1ul << flipped; /* 192.0.2.1 but for one bit */
            char address[32];
            snprintf(text, sizeof text, "192.0.2.1/%u", bits);
            snprintf(address, sizeof address, "%lu.%lu.%lu.%lu", one >> 24, one >> 16 & 255, one >> 8 & 255, one & 255);
            ck_assert_msg(is(text, "", address) == (bits == 0 || flipped < inside), "%s in %s", address, text);
        }
    }
    ck_assert(is("2001:db8::/32", "", "2001:db8:1::1"));
    ck_assert(!is("2001:db8::/33", "", "2001:db8:8000::1"));
    ck_assert(!is("0.0.0.0/0", "", "2001:db8::1"));
    ck_assert(is("::/0", "", "192.0.2.1"));
}
END_TEST

START_TEST(identities_are_the_same_or_not)
{
    ck_assert(is("uid:7", "uid:7", ""));
    ck_assert(!is("uid:7", "uid:77", ""));
    ck_assert(is(KEY, "key:" KEY, "192.0.2.1"));
    ck_assert(!is(KEY, "", "192.0.2.1"));
    ck_assert(!is("127.0.0.1", "uid:0", "")); /* on ipc there is no address */
}
END_TEST

START_TEST(a_peer_s_address_has_one_form_and_no_zone)
{
    static const struct {
        const char *told, *kept;
    } addresses[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"::ffff:1", "::ffff:1"},
        {"2001:db8::1", "2001:db8::1"},
        {"fe80::1%eth0", "fe80::1"},
        {"fe80::1%a-long-interf", "fe80::1"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        char address[64];
        wn_subject_address(address, sizeof address, addresses[i].told);
        ck_assert_str_eq(address, addresses[i].kept);
        if (address[0] != '\0' && strchr(address, '.') == NULL) {
            ck_assert(is("::/0", "", address));
        }
    }
    char address[64];
    wn_subject_address(address, sizeof address, "fe80::1%eth0");
    ck_assert(is("fe80::/10", "", address));
    ck_assert(is("fe80::1", "", address));
    ck_assert(!is("fe80::2", "", address));
    wn_subject_address(address, 8, "2001:db8::1");
    ck_assert_str_eq(address, "2001:db");
}
END_TEST

START_TEST(a_name_is_told_from_a_subject)
{
    static const char *const taken[] = {"name:bob", "name:", "uid:x", "key:ann", "address:", "192.0.2.1", "::/0", KEY};
    static const char *const free_ones[] = {"bob", "", "name", "uid 0", "10 little", "a:b"};
    ck_assert_str_eq(wn_subject_name("name:uid:0"), "uid:0");
    ck_assert_ptr_null(wn_subject_name("uid:0"));
    ck_assert_ptr_null(wn_subject_name("nam"));
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        ck_assert_msg(wn_subject_written(taken[i]), "%s", taken[i]);
    }
    for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++) {
        ck_assert_msg(!wn_subject_written(free_ones[i]), "%s", free_ones[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("subject");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, text_is_kept_in_one_form, 0, sizeof table / sizeof *table);
    tcase_add_test(tests, networks_hold_what_is_in_them);
    tcase_add_test(tests, identities_are_the_same_or_not);
    tcase_add_test(tests, a_peer_s_address_has_one_form_and_no_zone);
    tcase_add_test(tests, a_name_is_told_from_a_subject);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
