/* store.c: what the store keeps and how it comes back, seen through store.h. */
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_fixture.h"

/* ----------------------------------------------------------------------------------------------------------- worlds */

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
    ck_assert_str_eq(world->settings[2].name, "a");
    ck_assert_uint_eq(world->turn, 0);
    ++*(int *)context;
    return false;
}

START_TEST(a_world_comes_back_as_it_was_created)
{
    static const wn_stored_setting settings[] = {{"width", "160"}, {"empty", ""}, {"a", "z"}};
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
    static const wn_stored_setting setting = {"width", "160"};
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

START_TEST(a_world_that_is_not_there_is_said_to_be_missing)
{
    wn_store *store = open_store();
    wn_error errors[3] = {0};
    ck_assert(!wn_store_set_outcome(store, 77, "x", false, &errors[0]));
    ck_assert(!wn_store_delete_world(store, 77, &errors[1]));
    ck_assert(!wn_store_put_snapshot(store, 77, 1, "1", "b", "s", 1, &errors[2]));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(errors[i].code, WARREN__ERROR_CODE__ERROR_NOT_FOUND);
        ck_assert_ptr_nonnull(strstr(errors[i].text, "77"));
    }
    create_world(store, "and the store still works");
    wn_store_close(store);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- journal and snapshot
 */

START_TEST(entries_are_there_after_the_commit_and_not_before)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    for (uint64_t turn = 1; turn <= 200; turn++)
        append(store, world, turn);
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
    if (chain->turn == 5)
        return;
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
    for (size_t i = 0; i < STATE; i++)
        state[i] = (uint8_t)(i * 17 + i / 251);
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    wn_snapshot snapshot;
    ck_assert(wn_store_get_snapshot(store, world, &snapshot, NULL));
    ck_assert_uint_eq(snapshot.turn, 0);
    ck_assert_uint_eq(snapshot.size, 0);
    for (uint64_t turn = 1; turn <= 20; turn++)
        append(store, world, turn);
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

START_TEST(scores_are_kept_with_all_they_say)
{
    wn_store *store = open_store();
    wn_store_put_score(store, "hunt", "kills", "ann", 3, -5, "with a \"gun\"", 1767225600);
    wn_store_put_score(store, "hunt", "kills", "bob", 3, 9, NULL, 1767225601);
    ck_assert_uint_eq(wn_store_gathered(store), 2);
    commit(store);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE mode = 'hunt' AND list = 'kills' AND player = 'ann' AND "
                         "world = 3 AND value = -5 AND detail = 'with a \"gun\"' AND at = 1767225600"),
                     1);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 2);
}
END_TEST

/* Whatever is done in whatever order, with the store closed and opened in between, it holds what a plain model holds.
 */
enum { MODEL_WORLDS = 6, MODEL_STEPS = 1500 };

struct model_world {
    uint32_t id;
    uint64_t trimmed, committed, appended;
};

static void check_model(wn_store *store, const struct model_world *worlds)
{
    size_t alive = 0;
    for (size_t i = 0; i < MODEL_WORLDS; i++) {
        if (worlds[i].id == 0)
            continue;
        alive++;
        struct reading reading = read_all(store, worlds[i].id, 0);
        ck_assert_uint_eq(reading.count, worlds[i].committed - worlds[i].trimmed);
        if (reading.count > 0)
            ck_assert_uint_eq(reading.first, worlds[i].trimmed + 1);
        wn_snapshot snapshot;
        ck_assert(wn_store_get_snapshot(store, worlds[i].id, &snapshot, NULL));
        ck_assert_uint_eq(snapshot.turn, worlds[i].trimmed);
    }
    struct listing listing = list_worlds(store);
    ck_assert_uint_eq(listing.count, alive);
    for (size_t i = 1; i < listing.count; i++)
        ck_assert_uint_lt(listing.ids[i - 1], listing.ids[i]);
}

static void all_committed(struct model_world *worlds)
{
    for (size_t i = 0; i < MODEL_WORLDS; i++)
        worlds[i].committed = worlds[i].appended;
}

START_TEST(any_sequence_of_acts_leaves_what_a_plain_model_says)
{
    unsigned seed = seed_of_run(), made = 0;
    struct model_world worlds[MODEL_WORLDS] = {0};
    wn_store *store = open_store();
    for (int step = 0; step < MODEL_STEPS; step++) {
        struct model_world *world = &worlds[(size_t)rand_r(&seed) % MODEL_WORLDS];
        int what = rand_r(&seed) % 100;
        if (world->id == 0) {
            char name[16];
            snprintf(name, sizeof name, "w%u", made++);
            *world = (struct model_world){.id = create_world(store, name)};
        } else if (what < 70) {
            append(store, world->id, ++world->appended);
        } else if (what < 85) {
            commit(store);
            all_committed(worlds);
        } else if (what < 92 && world->committed > 0) {
            world->trimmed += (uint64_t)rand_r(&seed) % (world->committed - world->trimmed + 1);
            ck_assert(wn_store_put_snapshot(store, world->id, world->trimmed, "1", "b", "state", 5, NULL));
        } else if (what < 94) {
            ck_assert(wn_store_delete_world(store, world->id, NULL));
            *world = (struct model_world){0};
        } else if (what < 96) {
            wn_store_close(store);
            all_committed(worlds);
            store = open_store();
        } else {
            check_model(store, worlds);
        }
    }
    wn_store_close(store);
    all_committed(worlds);
    store = open_store();
    check_model(store, worlds);
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *worlds = new_case(suite, "worlds"), *journal = new_case(suite, "journal");
    tcase_add_test(worlds, a_world_comes_back_as_it_was_created);
    tcase_add_test(worlds, a_name_belongs_to_one_world);
    tcase_add_test(worlds, the_number_of_a_deleted_world_is_not_given_again);
    tcase_add_test(worlds, with_a_world_go_its_journal_snapshot_settings_and_what_was_gathered);
    tcase_add_test(worlds, an_outcome_is_kept);
    tcase_add_test(worlds, a_world_that_is_not_there_is_said_to_be_missing);
    tcase_add_test(journal, entries_are_there_after_the_commit_and_not_before);
    tcase_add_test(journal, closing_keeps_what_was_gathered);
    tcase_add_test(journal, the_callback_may_append_and_commit_again);
    tcase_add_test(journal, a_snapshot_replaces_the_older_one_and_trims_the_journal);
    tcase_add_test(journal, scores_are_kept_with_all_they_say);
    tcase_add_test(journal, any_sequence_of_acts_leaves_what_a_plain_model_says);
    return run_suite(suite);
}
