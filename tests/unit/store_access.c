/* store_access.c: whose name is whose, who may do what, and whose a session is, as the store keeps it.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "store_fixture.h"

/* Everything that a listing says, as one text. */
static char listed[1024];

static bool list_claim(void *context, const wn_stored_claim *claim)
{
    (void)context;
    const size_t at = strlen(listed);
    snprintf(listed + at, sizeof listed - at, "%s=%s %d;", claim->name, claim->identity, (int)claim->used);
    return true;
}

static bool list_rule(void *context, const wn_stored_rule *rule)
{
    (void)context;
    const size_t at = strlen(listed);
    snprintf(listed + at, sizeof listed - at, "%s %s %u %s by %s %d-%d;", rule->subject, rule->role, rule->world,
             rule->reason, rule->author, (int)rule->at, (int)rule->until);
    return true;
}

static const char *claims(wn_store *store)
{
    listed[0] = '\0';
    ck_assert(wn_store_list_claims(store, list_claim, NULL, NULL));
    return listed;
}

static const char *rules(wn_store *store)
{
    listed[0] = '\0';
    ck_assert(wn_store_list_rules(store, list_rule, NULL, NULL));
    return listed;
}

static void add_rule(wn_store *store, const char *subject, const char *role, uint32_t world, int64_t at)
{
    const wn_stored_rule rule = {
        .subject = subject, .role = role, .reason = "why", .author = "ann", .world = world, .at = at, .until = at + 5};
    ck_assert(wn_store_put_rule(store, &rule, NULL));
}

START_TEST(names_belong_to_who_took_them_last_and_outlive_the_store)
{
    wn_store *store = open_store();
    ck_assert_str_eq(claims(store), "");
    wn_store_put_claim(store, &(wn_stored_claim){"bob", "uid:7", 2});
    wn_store_put_claim(store, &(wn_stored_claim){"ann", "uid:8", 1});
    wn_store_put_claim(store, &(wn_stored_claim){"ann", "key:ab", 3});
    ck_assert_str_eq(claims(store), "");
    ck_assert_uint_eq(wn_store_gathered(store), 3);
    wn_store_close(store);
    store = open_store();
    ck_assert_str_eq(claims(store), "bob=uid:7 2;ann=key:ab 3;");
    wn_store_delete_claim(store, "ann");
    wn_store_delete_claim(store, "nobody");
    wn_store_put_claim(store, &(wn_stored_claim){"bob", "uid:7", 4});
    wn_store_put_claim(store, &(wn_stored_claim){"eve", "uid:9", 3});
    wn_store_delete_claim(store, "eve");
    wn_store_put_claim(store, &(wn_stored_claim){"eve", "uid:9", 1});
    commit(store);
    ck_assert_str_eq(claims(store), "eve=uid:9 1;bob=uid:7 4;");
    wn_store_close(store);
}
END_TEST

START_TEST(rules_are_told_apart_by_subject_role_and_world)
{
    wn_store *store = open_store();
    add_rule(store, "uid:7", "player", 0, 10);
    add_rule(store, "uid:7", "banned", 0, 20);
    add_rule(store, "uid:7", "host", 3, 30);
    add_rule(store, "uid:7", "host", 4, 40);
    add_rule(store, "uid:7", "player", 0, 50);
    wn_store_close(store);
    store = open_store();
    ck_assert_str_eq(rules(store), "uid:7 banned 0 why by ann 20-25;uid:7 host 3 why by ann 30-35;"
                                   "uid:7 host 4 why by ann 40-45;uid:7 player 0 why by ann 50-55;");
    ck_assert(wn_store_delete_rule(store, "uid:7", "banned", 0, NULL));
    ck_assert(wn_store_delete_rules_of_world(store, 3, NULL));
    ck_assert_str_eq(rules(store), "uid:7 host 4 why by ann 40-45;uid:7 player 0 why by ann 50-55;");
    wn_store_close(store);
}
END_TEST

START_TEST(rules_whose_end_has_come_are_deleted_and_no_others)
{
    wn_store *store = open_store();
    const wn_stored_rule for_good = {
        .subject = "uid:8", .role = "banned", .reason = "why", .author = "ann", .at = 1, .until = 0};
    ck_assert(wn_store_put_rule(store, &for_good, NULL));
    add_rule(store, "uid:7", "banned", 3, 20); /* until 25 */
    add_rule(store, "uid:7", "banned", 4, 21);
    ck_assert(wn_store_delete_old_rules(store, 25, NULL));
    ck_assert_str_eq(rules(store), "uid:8 banned 0 why by ann 1-0;uid:7 banned 4 why by ann 21-26;");
    wn_store_close(store);
}
END_TEST

static bool check_identity(void *context, const wn_stored_session *session)
{
    ++*(int *)context;
    ck_assert_str_eq(session->identity, session->token[0] == 1 ? "key:ab" : "");
    return true;
}

START_TEST(a_session_is_somebody_s_or_whoever_s)
{
    static const uint8_t one[WN_KEY_BYTES] = {1}, other[WN_KEY_BYTES] = {2};
    wn_store *store = open_store();
    int count = 0;
    wn_store_put_session(store, &(wn_stored_session){.token = one, .player = "ann", .identity = "key:ab"});
    wn_store_put_session(store, &(wn_stored_session){.token = other, .player = "bob"});
    commit(store);
    wn_store_close(store);
    store = open_store();
    ck_assert(wn_store_list_sessions(store, check_identity, &count, NULL));
    ck_assert_int_eq(count, 2);
    wn_store_close(store);
}
END_TEST

static const char before_scores_were_folded[] =
    "DROP INDEX score_world; ALTER TABLE score DROP COLUMN worlds; ALTER TABLE score DROP COLUMN ratings;"
    "PRAGMA user_version = 4";

START_TEST(a_store_of_version_4_keeps_its_scores_and_those_of_closed_worlds_become_one)
{
    wn_store *store = open_store();
    ck_assert_uint_eq(create_world(store, "w"), 1);
    for (uint32_t world = 1; world <= 3; world++) {
        wn_store_put_score(store, "hunt", "kills", "ann", world, world, "", world);
    }
    wn_store_put_claim(store, &(wn_stored_claim){"ann", "uid:8", 1});
    wn_store_close(store);
    change(before_scores_were_folded);
    store = open_store();
    ck_assert_str_eq(claims(store), "ann=uid:8 1;");
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 2);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE world = 1 AND worlds = 1 AND ratings = 1 AND count = 1"), 1);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE world = 0 AND worlds = 2 AND ratings = 5 AND total = 5"), 1);
    ck_assert_int_eq(ask("PRAGMA user_version"), 5);
}
END_TEST

START_TEST(a_store_from_before_knows_nobody_and_keeps_its_sessions)
{
    static const uint8_t token[WN_KEY_BYTES] = {2};
    wn_store *store = open_store();
    int count = 0;
    wn_store_put_session(store, &(wn_stored_session){.token = token, .player = "bob"});
    commit(store);
    wn_store_close(store);
    change(before_scores_were_folded);
    change("DROP TABLE claim; DROP TABLE rule; ALTER TABLE session DROP COLUMN identity; PRAGMA user_version = 3");
    store = open_store();
    ck_assert_str_eq(claims(store), "");
    ck_assert_str_eq(rules(store), "");
    ck_assert(wn_store_list_sessions(store, check_identity, &count, NULL));
    ck_assert_int_eq(count, 1);
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store access");
    TCase *tests = new_case(suite, "all");
    tcase_add_test(tests, names_belong_to_who_took_them_last_and_outlive_the_store);
    tcase_add_test(tests, rules_are_told_apart_by_subject_role_and_world);
    tcase_add_test(tests, rules_whose_end_has_come_are_deleted_and_no_others);
    tcase_add_test(tests, a_session_is_somebody_s_or_whoever_s);
    tcase_add_test(tests, a_store_of_version_4_keeps_its_scores_and_those_of_closed_worlds_become_one);
    tcase_add_test(tests, a_store_from_before_knows_nobody_and_keeps_its_sessions);
    return run_suite(suite);
}
