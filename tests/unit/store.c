/* store.c: what the store keeps and how it comes back, seen through store.h. */
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_fixture.h"

/* worlds */

struct listing {
    size_t count;
    uint32_t ids[64];
    uint64_t turns[64];
};

static bool list_one(void *context, const wn_stored_world *world)
{
    struct listing *listing = context;
    listing->ids[listing->count] = world->id;
    listing->turns[listing->count++] = world->turn;
    return true;
}

static struct listing list_worlds(wn_store *store)
{
    struct listing listing = {0};
    wn_error error = {0};
    ck_assert_msg(wn_store_list_worlds(store, list_one, &listing, &error), "%s", error.text);
    return listing;
}

static bool check_first_world(void *context, const wn_stored_world *world)
{
    ck_assert_str_eq(world->name, "deep");
    ck_assert_str_eq(world->mode, "caves");
    ck_assert_str_eq(world->owner, "J\xc3\xb6rg");
    ck_assert_uint_eq(world->seed, UINT64_MAX - 1);
    ck_assert_int_eq(world->created, 1767225600);
    ck_assert_ptr_null(world->outcome);
    ck_assert(!world->parked);
    ck_assert_uint_eq(world->setting_count, 3);
    ck_assert_str_eq(world->settings[0].name, "width");
    ck_assert_str_eq(world->settings[0].value, "160");
    ck_assert_str_eq(world->settings[1].name, "empty");
    ck_assert_str_eq(world->settings[1].value, "");
    ck_assert_str_eq(world->settings[1].file, "");
    ck_assert_str_eq(world->settings[2].name, "a");
    ck_assert_str_eq(world->settings[2].value, "1\n2\n");
    ck_assert_str_eq(world->settings[2].file, "one.level");
    ck_assert_uint_eq(world->turn, 0);
    ++*(int *)context;
    return false;
}

START_TEST(a_world_comes_back_as_it_was_created)
{
    static const wn_stored_setting settings[] = {
        {"width", "160", NULL}, {"empty", "", ""}, {"a", "1\n2\n", "one.level"}};
    wn_stored_world world = {.name = "deep",
                             .mode = "caves",
                             .owner = "J\xc3\xb6rg",
                             .seed = UINT64_MAX - 1,
                             .created = 1767225600,
                             .settings = settings,
                             .setting_count = 3};
    wn_store *store = open_store();
    ck_assert(wn_store_create_world(store, &world, NULL));
    ck_assert_uint_ne(world.id, 0);
    create_world(store, "second");
    for (int round = 0; round < 2; round++) {
        int calls = 0;
        ck_assert(wn_store_list_worlds(store, check_first_world, &calls, NULL));
        ck_assert_int_eq(calls, 1); /* it asked to stop after the first */
        wn_store_close(store);
        store = open_store();
    }
    ck_assert_uint_eq(list_worlds(store).count, 2);
    wn_store_close(store);
}
END_TEST

START_TEST(a_name_belongs_to_one_world)
{
    wn_store *store = open_store();
    uint32_t first = create_world(store, "deep");
    wn_stored_world again = {.name = "deep", .mode = "hunt", .owner = "bob"};
    wn_error error = {0};
    ck_assert(!wn_store_create_world(store, &again, &error));
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_NAME_TAKEN);
    ck_assert_str_eq(error.field, "name");
    ck_assert_ptr_nonnull(strstr(error.text, "deep"));
    ck_assert_uint_eq(list_worlds(store).count, 1);
    ck_assert(wn_store_delete_world(store, first, NULL));
    ck_assert(wn_store_create_world(store, &again, &error));
    wn_store_close(store);
}
END_TEST

START_TEST(the_number_of_a_deleted_world_is_not_given_again)
{
    wn_store *store = open_store();
    create_world(store, "a");
    uint32_t second = create_world(store, "b");
    ck_assert(wn_store_delete_world(store, second, NULL));
    wn_store_close(store);
    store = open_store();
    ck_assert_uint_gt(create_world(store, "c"), second);
    wn_store_close(store);
}
END_TEST

START_TEST(with_a_world_go_its_journal_snapshot_settings_and_what_was_gathered)
{
    static const wn_stored_setting setting = {"width", "160", ""};
    wn_store *store = open_store();
    wn_stored_world world = {.name = "w", .mode = "m", .owner = "o", .settings = &setting, .setting_count = 1};
    ck_assert(wn_store_create_world(store, &world, NULL));
    uint32_t other = create_world(store, "other");
    for (uint64_t turn = 1; turn <= 10; turn++) {
        append(store, world.id, turn);
        append(store, other, turn);
    }
    commit(store);
    ck_assert(wn_store_put_snapshot(store, world.id, 5, "1", "b", "state", 5, NULL));
    append(store, world.id, 11);
    append(store, other, 11);
    ck_assert(wn_store_delete_world(store, world.id, NULL));
    commit(store);
    ck_assert_uint_eq(read_all(store, world.id, 0).count, 0);
    ck_assert_uint_eq(read_all(store, other, 0).count, 11);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT (SELECT count(*) FROM setting) + (SELECT count(*) FROM snapshot)"), 0);
}
END_TEST

static bool check_outcomes(void *context, const wn_stored_world *world)
{
    int *calls = context;
    if (++*calls == 1) {
        ck_assert_str_eq(world->outcome, "ann won");
        ck_assert(!world->parked);
    } else {
        ck_assert_str_eq(world->outcome, "the mode kept crashing");
        ck_assert(world->parked);
    }
    return true;
}

START_TEST(an_outcome_is_kept)
{
    wn_store *store = open_store();
    uint32_t won = create_world(store, "won"), parked = create_world(store, "parked");
    ck_assert(wn_store_set_outcome(store, won, "ann won", false, NULL));
    ck_assert(wn_store_set_outcome(store, parked, "the mode kept crashing", true, NULL));
    wn_store_close(store);
    store = open_store();
    int calls = 0;
    ck_assert(wn_store_list_worlds(store, check_outcomes, &calls, NULL));
    ck_assert_int_eq(calls, 2);
    wn_store_close(store);
}
END_TEST

static bool check_builds(void *context, const wn_stored_world *world)
{
    static const char *const expected[] = {"first", "second build", ""};
    int *calls = context;
    ck_assert_str_eq(world->build, expected[(*calls)++]);
    return true;
}

START_TEST(the_build_of_a_world_is_kept)
{
    wn_store *store = open_store();
    wn_stored_world made = {.name = "made with it", .mode = "m", .owner = "o", .build = "first"};
    ck_assert(wn_store_create_world(store, &made, NULL));
    uint32_t set = create_world(store, "set later");
    create_world(store, "never set");
    ck_assert(wn_store_set_build(store, set, "first build", NULL));
    ck_assert(wn_store_set_build(store, set, "second build", NULL));
    wn_store_close(store);
    store = open_store();
    int calls = 0;
    ck_assert(wn_store_list_worlds(store, check_builds, &calls, NULL));
    ck_assert_int_eq(calls, 3);
    wn_store_close(store);
}
END_TEST

static bool write_settings(void *context, const wn_stored_world *world)
{
    char *text = context;
    for (size_t i = 0; i < world->setting_count; i++) {
        const wn_stored_setting *setting = &world->settings[i];
        sprintf(text + strlen(text), "%s=%s;", setting->name, setting->value);
    }
    strcat(text, "|");
    return true;
}

START_TEST(settings_that_are_changed_stay_in_their_place_and_new_ones_come_last)
{
    static const wn_stored_setting old[] = {{"width", "160", ""}, {"bots", "0", ""}},
                                   changed[] = {{"title", "Friday", ""}, {"bots", "3", ""}, {"title", "Sunday", ""}};
    wn_stored_world one = {.name = "one", .mode = "m", .owner = "o", .settings = old, .setting_count = 2};
    wn_stored_world other = {.name = "other", .mode = "m", .owner = "o", .settings = old, .setting_count = 2};
    wn_store *store = open_store();
    ck_assert(wn_store_create_world(store, &one, NULL) && wn_store_create_world(store, &other, NULL));
    const uint32_t bare = create_world(store, "bare");
    ck_assert(wn_store_change_settings(store, one.id, changed, 3, NULL));
    ck_assert(wn_store_change_settings(store, bare, changed, 1, NULL));
    ck_assert(wn_store_change_settings(store, other.id, changed, 0, NULL));
    wn_store_close(store);
    store = open_store();
    char text[256] = "";
    ck_assert(wn_store_list_worlds(store, write_settings, text, NULL));
    ck_assert_str_eq(text, "width=160;bots=3;title=Sunday;|width=160;bots=0;|title=Friday;|");
    wn_store_close(store);
}
END_TEST

START_TEST(a_world_that_is_not_there_is_said_to_be_missing)
{
    wn_store *store = open_store();
    enum { CALLS = 6 };
    wn_error errors[CALLS] = {0};
    ck_assert(!wn_store_set_outcome(store, 77, "x", false, &errors[0]));
    ck_assert(!wn_store_delete_world(store, 77, &errors[1]));
    ck_assert(!wn_store_put_snapshot(store, 77, 1, "1", "b", "s", 1, &errors[2]));
    ck_assert(!wn_store_set_build(store, 77, "b", &errors[3]));
    ck_assert(!wn_store_forget_tail(store, 77, &errors[4]));
    ck_assert(!wn_store_change_settings(store, 77, NULL, 0, &errors[5]));
    for (int i = 0; i < CALLS; i++) {
        ck_assert_int_eq(errors[i].code, WARREN__ERROR_CODE__ERROR_NOT_FOUND);
        ck_assert_ptr_nonnull(strstr(errors[i].text, "77"));
    }
    create_world(store, "and the store still works");
    wn_store_close(store);
}
END_TEST

/* journal and snapshot */

START_TEST(entries_are_there_after_the_commit_and_not_before)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    for (uint64_t turn = 1; turn <= 200; turn++) {
        append(store, world, turn);
    }
    ck_assert_uint_eq(wn_store_gathered(store), 200);
    ck_assert_uint_eq(read_all(store, world, 0).count, 0);
    commit(store);
    commit(store); /* of nothing: calls back as well */
    struct reading all = read_all(store, world, 0), late = read_all(store, world, 150);
    ck_assert_uint_eq(all.count, 200);
    ck_assert_uint_eq(all.first, 1);
    ck_assert_uint_eq(late.count, 50);
    ck_assert_uint_eq(late.first, 151);
    struct reading some = {.world = world, .good = true, .stop_at = 7};
    ck_assert(wn_store_read_journal(store, world, 0, read_entry, &some, NULL));
    ck_assert_uint_eq(some.count, 7);
    ck_assert_uint_eq(list_worlds(store).turns[0], 200);
    wn_store_close(store);
}
END_TEST

START_TEST(closing_keeps_what_was_gathered)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    append(store, world, 1);
    append(store, world, 2);
    wn_store_close(store);
    store = open_store();
    ck_assert_uint_eq(read_all(store, world, 0).count, 2);
    wn_store_close(store);
    wn_store_close(NULL);
}
END_TEST

static void append_another(void *context, const wn_error *error)
{
    struct chain *chain = context;
    ck_assert_ptr_null(error);
    if (chain->turn == 5) {
        return;
    }
    append(chain->store, chain->world, ++chain->turn);
    wn_store_commit(chain->store, append_another, chain);
}

START_TEST(the_callback_may_append_and_commit_again)
{
    struct chain chain = {.store = open_store()};
    chain.world = create_world(chain.store, "w");
    wn_store_commit(chain.store, append_another, &chain);
    ck_assert_uint_eq(read_all(chain.store, chain.world, 0).count, 5);
    wn_store_close(chain.store);
}
END_TEST

START_TEST(a_snapshot_replaces_the_older_one_and_trims_the_journal)
{
    enum { STATE = 3 << 20 };
    uint8_t *state = malloc(STATE);
    for (size_t i = 0; i < STATE; i++) {
        state[i] = (uint8_t)(i * 17 + i / 251);
    }
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    wn_snapshot snapshot;
    ck_assert(wn_store_get_snapshot(store, world, &snapshot, NULL));
    ck_assert_uint_eq(snapshot.turn, 0);
    ck_assert_uint_eq(snapshot.size, 0);
    for (uint64_t turn = 1; turn <= 20; turn++) {
        append(store, world, turn);
    }
    commit(store);
    ck_assert(wn_store_put_snapshot(store, world, 5, "1.0", "abc", "old", 3, NULL));
    ck_assert(wn_store_put_snapshot(store, world, 15, "1.1", "def", state, STATE, NULL));
    wn_store_close(store);
    store = open_store();
    ck_assert(wn_store_get_snapshot(store, world, &snapshot, NULL));
    ck_assert_uint_eq(snapshot.turn, 15);
    ck_assert_str_eq(snapshot.mode_version, "1.1");
    ck_assert_str_eq(snapshot.build, "def");
    ck_assert_uint_eq(snapshot.size, STATE);
    ck_assert_mem_eq(snapshot.bytes, state, STATE);
    struct reading reading = read_all(store, world, 0);
    ck_assert_uint_eq(reading.first, 16);
    ck_assert_uint_eq(reading.count, 5);
    ck_assert(wn_store_put_snapshot(store, world, 20, "1.1", "def", NULL, 0, NULL));
    ck_assert_uint_eq(read_all(store, world, 0).count, 0);
    ck_assert_uint_eq(list_worlds(store).turns[0], 20); /* the snapshot's turn counts when the journal is empty */
    wn_store_close(store);
    free(state);
}
END_TEST

static bool note_score(void *context, const wn_stored_score *score)
{
    char *at = strchr(context, '\0');
    sprintf(at, "%s %s %lld (%s) %lld (%s) %lld (%s) %lld/%u\n", score->table, score->player, (long long)score->highest,
            score->highest_detail, (long long)score->lowest, score->lowest_detail, (long long)score->newest,
            score->newest_detail, (long long)score->total, score->count);
    return true;
}

static void assert_scores(wn_store *store, uint32_t world, const char *player, const char *expected)
{
    char noted[1024] = "";
    ck_assert(wn_store_list_scores(store, "hunt", world, player, note_score, noted, NULL));
    ck_assert_str_eq(noted, expected);
}

static void create_worlds(wn_store *store, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%u", i);
        ck_assert_uint_eq(create_world(store, name), i);
    }
}

static bool note_rating(void *context, const wn_stored_score *score)
{
    char *at = strchr(context, '\0');
    sprintf(at, "%s %lld of %u;", score->player, (long long)score->ratings, score->worlds);
    return true;
}

static void assert_ratings(wn_store *store, const char *expected)
{
    char noted[1024] = "";
    ck_assert(wn_store_list_scores(store, "hunt", 0, NULL, note_rating, noted, NULL));
    ck_assert_str_eq(noted, expected);
}

START_TEST(scores_of_worlds_that_are_closed_become_one_and_still_add_up)
{
    wn_store *store = open_store();
    create_worlds(store, 4);
    wn_store_put_score(store, "hunt", "kills", "ann", 1, 5, "five", 1);
    wn_store_put_score(store, "hunt", "kills", "ann", 1, 3, "three", 2);
    wn_store_put_score(store, "hunt", "kills", "ann", 2, 9, "nine", 4);
    wn_store_put_score(store, "hunt", "kills", "ann", 3, 4, "four", 3);
    wn_store_put_score(store, "hunt", "kills", "bob", 2, 1, "one", 5);
    wn_store_put_score(store, "hunt", "kills", "bob", 4, 7, "seven", 6);
    commit(store);
    assert_ratings(store, "ann 3 of 1;ann 4 of 1;ann 9 of 1;bob 1 of 1;bob 7 of 1;");
    for (uint32_t world = 1; world <= 3; world++) {
        ck_assert(wn_store_delete_world(store, world, NULL));
    }
    assert_scores(store, 0, NULL,
                  "kills ann 9 (nine) 3 (three) 9 (nine) 21/4\nkills bob 1 (one) 1 (one) 1 (one) 1/1\n"
                  "kills bob 7 (seven) 7 (seven) 7 (seven) 7/1\n");
    assert_ratings(store, "ann 16 of 3;bob 1 of 1;bob 7 of 1;");
    wn_store_put_score(store, "hunt", "kills", "ann", 3, INT64_MAX, "late", 7); /* its world is gone already */
    wn_store_close(store);
    store = open_store();
    assert_scores(store, 0, "ann",
                  "kills ann 9223372036854775807 (late) 3 (three) 9223372036854775807 (late) 9223372036854775807/5\n");
    assert_ratings(store, "ann 16 of 4;bob 1 of 1;bob 7 of 1;");
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 3);
}
END_TEST

START_TEST(scores_add_up_by_player_table_and_world)
{
    wn_store *store = open_store();
    create_worlds(store, 4);
    wn_store_put_score(store, "hunt", "kills", "ann", 3, 5, "five", 1);
    wn_store_put_score(store, "hunt", "kills", "ann", 3, -2, "less", 2);
    wn_store_put_score(store, "hunt", "kills", "bob", 3, 1, NULL, 3);
    commit(store);
    wn_store_put_score(store, "hunt", "kills", "ann", 3, 5, "again", 4);
    wn_store_put_score(store, "hunt", "kills", "ann", 4, INT64_MAX, "much", 5);
    wn_store_put_score(store, "caves", "kills", "ann", 4, 1, "", 6);
    commit(store);
    wn_store_put_score(store, "hunt", "kills", "ann", 4, INT64_MAX, "more", 7);
    commit(store);
    wn_store_close(store);
    store = open_store();
    assert_scores(store, 3, "ann", "kills ann 5 (five) -2 (less) 5 (again) 8/3\n");
    assert_scores(store, 3, NULL, "kills ann 5 (five) -2 (less) 5 (again) 8/3\nkills bob 1 () 1 () 1 () 1/1\n");
    assert_scores(store, 4, NULL,
                  "kills ann 9223372036854775807 (much) 9223372036854775807 (much) 9223372036854775807 (more) "
                  "9223372036854775807/2\n");
    assert_scores(store, 5, NULL, "");
    char noted[1024] = "";
    ck_assert(wn_store_list_scores(store, "hunt", 0, NULL, note_score, noted, NULL));
    ck_assert_int_eq(strncmp(noted, "kills ann 5 ", 12), 0);
    ck_assert_ptr_nonnull(strstr(noted, "\nkills ann 9"));
    wn_store_close(store);
}
END_TEST

/* A row for each table. Of no world: those of worlds that there are not become one when the store is opened. */
static void put_numbered(wn_store *store, const char *player, uint32_t number, int64_t when)
{
    char table[16];
    snprintf(table, sizeof table, "t%u", number);
    wn_store_put_score(store, "hunt", table, player, 0, 1, "", when);
}

START_TEST(a_mode_has_no_more_scores_than_it_may)
{
    enum { MOST = 32, DAY_S = 86400 };
    options.scores = MOST;
    wn_store *store = open_store();
    for (uint32_t i = 0; i <= 2 * MOST; i++) {
        put_numbered(store, "guest", i, i);
    }
    wn_store_put_score(store, "caves", "kills", "guest", 1, 1, "", 1);
    commit(store);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt'"), MOST);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'caves'"), 1);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE list = 't0'"), 0); /* made room */
    /* Those of whoever owns a name stay. */
    store = open_store();
    wn_store_put_claim(store, &(wn_stored_claim){"ann", "key:1", 1});
    commit(store);
    for (uint32_t i = 1; i <= 2 * MOST; i++) {
        put_numbered(store, "ann", i, 100 * (int64_t)i);
    }
    put_numbered(store, "guest", 1, 300 * MOST);
    put_numbered(store, "ann", 1, 300 * MOST);
    commit(store);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt'"), MOST);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt' AND player = 'ann'"), MOST);
    ck_assert_int_eq(ask("SELECT count FROM score WHERE player = 'ann' AND list = 't1'"), 2); /* is no new one */
    /* But not for ever. */
    for (int days = 89; days <= 91; days += 2) {
        store = open_store();
        put_numbered(store, "guest", 1, 300 * MOST + days * DAY_S);
        commit(store);
        wn_store_close(store);
        ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt' AND player = 'guest'"), days > 90);
        ck_assert_int_le(ask("SELECT count(*) FROM score WHERE mode = 'hunt'"), MOST);
    }
    options.scores = 0;
}
END_TEST

/* In parts: nobody waits for the end of all at once. */
START_TEST(after_the_limit_was_lowered_scores_go_bit_by_bit)
{
    enum { MOST = 1000, BEFORE = 25000, LEFT = 5000, LATER = 100000 };
    options.scores = 0;
    wn_store *store = open_store();
    for (uint32_t i = 1; i <= BEFORE; i++) {
        put_numbered(store, "guest", i, i);
    }
    commit(store);
    wn_store_close(store);
    options.scores = MOST;
    store = open_store();
    for (uint32_t i = 1; i <= 10; i++) {
        put_numbered(store, "guest", BEFORE + i, LATER);
    }
    commit(store);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), LEFT);
    store = open_store();
    put_numbered(store, "guest", BEFORE + 1, LATER + 1);
    commit(store);
    wn_store_close(store);
    ck_assert_int_le(ask("SELECT count(*) FROM score"), MOST);
    ck_assert_int_eq(ask("SELECT max(at) FROM score"), LATER + 1);
    options.scores = 0;
}
END_TEST

START_TEST(a_total_ends_where_numbers_do)
{
    wn_store *store = open_store();
    for (int i = 0; i < 3; i++) {
        wn_store_put_score(store, "hunt", "kills", "ann", 3, INT64_MAX / 4 * 3, "", 1);
        wn_store_put_score(store, "hunt", "kills", "bob", 3, INT64_MIN / 4 * 3, "", 1);
        commit(store);
    }
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT total FROM score WHERE player = 'ann'"), INT64_MAX);
    ck_assert_int_eq(ask("SELECT total FROM score WHERE player = 'bob'"), INT64_MIN);
}
END_TEST

START_TEST(scores_are_kept_with_all_they_say)
{
    wn_store *store = open_store();
    create_worlds(store, 3);
    wn_store_put_score(store, "hunt", "kills", "ann", 3, -5, "with a \"gun\"", 1767225600);
    wn_store_put_score(store, "hunt", "kills", "bob", 3, 9, NULL, 1767225601);
    ck_assert_uint_eq(wn_store_gathered(store), 2);
    commit(store);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt' AND list = 'kills' AND player = 'ann' AND "
                         "world = 3 AND highest = -5 AND newest_detail = 'with a \"gun\"' AND at = 1767225600"),
                     1);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 2);
}
END_TEST

/* sessions */

enum { MANY_WATCHES = 300 };

struct sessions {
    size_t count;
    struct {
        uint8_t token[WN_KEY_BYTES];
        char player[WN_NAME_BYTES + 1];
        bool named;
        uint32_t watches[MANY_WATCHES];
        size_t watch_count;
    } one[8];
};

static bool keep_session(void *context, const wn_stored_session *session)
{
    struct sessions *kept = context;
    ck_assert_uint_lt(kept->count, 8);
    ck_assert_uint_le(session->watch_count, MANY_WATCHES);
    memcpy(kept->one[kept->count].token, session->token, WN_KEY_BYTES);
    snprintf(kept->one[kept->count].player, WN_NAME_BYTES + 1, "%s", session->player);
    kept->one[kept->count].named = session->named;
    ck_assert(session->bot == (session->token[1] % 2 == 0)); /* as put_session() says */
    kept->one[kept->count].watch_count = session->watch_count;
    for (size_t i = 0; i < session->watch_count; i++) {
        kept->one[kept->count].watches[i] = session->watches[i];
    }
    kept->count++;
    return true;
}

static struct sessions list_sessions(wn_store *store)
{
    struct sessions kept = {0};
    wn_error error = {0};
    ck_assert_msg(wn_store_list_sessions(store, keep_session, &kept, &error), "%s", error.text);
    return kept;
}

static void put_session(wn_store *store, uint8_t number, const char *player, size_t watch_count)
{
    uint8_t token[WN_KEY_BYTES] = {0, number};
    uint32_t watches[MANY_WATCHES];
    for (size_t i = 0; i < watch_count; i++) {
        watches[i] = UINT32_MAX - (uint32_t)i * 977;
    }
    wn_store_put_session(store, &(wn_stored_session){.token = token,
                                                     .player = player,
                                                     .named = player[0] != '\0',
                                                     .bot = number % 2 == 0,
                                                     .watches = watch_count == 0 ? NULL : watches,
                                                     .watch_count = watch_count});
}

START_TEST(sessions_come_back_as_they_were_put_last)
{
    static const uint8_t gone[WN_KEY_BYTES] = {0, 3};
    wn_store *store = open_store();
    put_session(store, 1, "ann", MANY_WATCHES);
    put_session(store, 2, "bob", 2);
    put_session(store, 3, "eve", 0);
    ck_assert_uint_eq(wn_store_gathered(store), 3);
    ck_assert_uint_eq(list_sessions(store).count, 0);
    commit(store);
    ck_assert_uint_eq(list_sessions(store).count, 3);
    put_session(store, 2, "rob", 1);
    put_session(store, 2, "", 0);
    wn_store_delete_session(store, gone);
    ck_assert_uint_eq(wn_store_gathered(store), 3);
    wn_store_close(store);
    store = open_store();
    struct sessions kept = list_sessions(store);
    ck_assert_uint_eq(kept.count, 2);
    ck_assert_uint_eq(kept.one[0].token[1], 1);
    ck_assert_str_eq(kept.one[0].player, "ann");
    ck_assert(kept.one[0].named);
    ck_assert_uint_eq(kept.one[0].watch_count, MANY_WATCHES);
    ck_assert_uint_eq(kept.one[0].watches[0], UINT32_MAX);
    ck_assert_uint_eq(kept.one[0].watches[MANY_WATCHES - 1], UINT32_MAX - (MANY_WATCHES - 1) * 977);
    ck_assert_uint_eq(kept.one[1].token[1], 2);
    ck_assert_str_eq(kept.one[1].player, "");
    ck_assert(!kept.one[1].named);
    ck_assert_uint_eq(kept.one[1].watch_count, 0);
    wn_store_close(store);
}
END_TEST

START_TEST(a_session_that_is_put_after_its_end_is_one_again)
{
    static const uint8_t token[WN_KEY_BYTES] = {0, 1};
    wn_store *store = open_store();
    put_session(store, 1, "ann", 0);
    wn_store_delete_session(store, token);
    commit(store);
    ck_assert_uint_eq(list_sessions(store).count, 0);
    wn_store_delete_session(store, token); /* of what is not there: no error */
    put_session(store, 1, "ann", 1);
    commit(store);
    ck_assert_uint_eq(list_sessions(store).count, 1);
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *worlds = new_case(suite, "worlds"), *journal = new_case(suite, "journal"),
          *sessions = new_case(suite, "sessions");
    tcase_add_test(worlds, a_world_comes_back_as_it_was_created);
    tcase_add_test(worlds, a_name_belongs_to_one_world);
    tcase_add_test(worlds, the_number_of_a_deleted_world_is_not_given_again);
    tcase_add_test(worlds, with_a_world_go_its_journal_snapshot_settings_and_what_was_gathered);
    tcase_add_test(worlds, an_outcome_is_kept);
    tcase_add_test(worlds, the_build_of_a_world_is_kept);
    tcase_add_test(worlds, settings_that_are_changed_stay_in_their_place_and_new_ones_come_last);
    tcase_add_test(worlds, a_world_that_is_not_there_is_said_to_be_missing);
    tcase_add_test(journal, entries_are_there_after_the_commit_and_not_before);
    tcase_add_test(journal, closing_keeps_what_was_gathered);
    tcase_add_test(journal, the_callback_may_append_and_commit_again);
    tcase_add_test(journal, a_snapshot_replaces_the_older_one_and_trims_the_journal);
    tcase_add_test(journal, a_total_ends_where_numbers_do);
    tcase_add_test(journal, scores_are_kept_with_all_they_say);
    tcase_add_test(journal, a_mode_has_no_more_scores_than_it_may);
    tcase_add_test(journal, after_the_limit_was_lowered_scores_go_bit_by_bit);
    tcase_add_test(journal, scores_add_up_by_player_table_and_world);
    tcase_add_test(journal, scores_of_worlds_that_are_closed_become_one_and_still_add_up);
    tcase_add_test(sessions, sessions_come_back_as_they_were_put_last);
    tcase_add_test(sessions, a_session_that_is_put_after_its_end_is_one_again);
    return run_suite(suite);
}
