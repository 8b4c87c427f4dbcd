/* store_journal.c: entries on their way from the commit into the journal and out of it: however many worlds play, in
 * whatever order they are read, trimmed and forgotten.
 */
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_fixture.h"

enum { SOME_WORLDS = 20 };

static void create_worlds(wn_store *store, uint32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "w%zu", i);
        ids[i] = create_world(store, name);
    }
}

/* A commit a turn, which they all play. */
static void play_together(wn_store *store, const uint32_t *ids, size_t count, uint64_t first, uint64_t last)
{
    for (uint64_t turn = first; turn <= last; turn++) {
        for (size_t i = 0; i < count; i++) {
            append(store, ids[i], turn);
        }
        commit(store);
    }
}

static void assert_holds(wn_store *store, uint32_t world, uint64_t first, uint64_t last)
{
    uint64_t found = 77;
    struct reading reading = read_all(store, world, 0);
    ck_assert_uint_eq(reading.count, last - first + 1);
    ck_assert(wn_store_first_turn(store, world, &found, NULL));
    ck_assert_uint_eq(found, reading.count == 0 ? 0 : first);
    if (reading.count > 0) {
        ck_assert_uint_eq(reading.first, first);
        ck_assert_uint_eq(reading.last, last);
    }
}

/* where they are */

START_TEST(what_many_worlds_played_together_comes_back_for_each)
{
    uint32_t ids[SOME_WORLDS];
    wn_store *store = open_store();
    create_worlds(store, ids, SOME_WORLDS);
    play_together(store, ids, SOME_WORLDS, 1, 700);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < SOME_WORLDS; i++) {
            assert_holds(store, ids[i], 1, 700);
            for (uint64_t after = 0; after < 700; after += 61) {
                ck_assert_uint_eq(read_all(store, ids[i], after).first, after + 1);
            }
            ck_assert_uint_eq(read_all(store, ids[i], 700).count, 0);
        }
        wn_store_close(store);
        /* Both kinds of rows are among it. */
        ck_assert_int_ge(ask("SELECT count(*) FROM journal"), SOME_WORLDS);
        ck_assert_int_ge(ask("SELECT count(*) FROM batch"), 1);
        store = open_store();
    }
    wn_store_close(store);
}
END_TEST

START_TEST(the_largest_and_the_emptiest_entries_come_back)
{
    enum { LARGE = 5 << 20 };
    uint8_t *large = malloc(LARGE);
    memset(large, 'x', LARGE);
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    wn_store_append(store, world, 1, large, LARGE, UINT64_MAX);
    wn_store_append(store, world, UINT32_MAX, NULL, 0, 1);
    wn_store_append(store, world, INT64_MAX, "", 0, 0);
    commit(store);
    append(store, create_world(store, "other"), 1);
    commit(store); /* the first world's go into a chunk here */
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT last = 9223372036854775807 AND length(entries) > 5242880 FROM journal"), 1);
    store = open_store();
    uint64_t first = 0;
    ck_assert(wn_store_first_turn(store, world, &first, NULL));
    ck_assert_uint_eq(first, 1);
    wn_store_close(store);
    free(large);
}
END_TEST

START_TEST(batches_that_count_for_no_world_go_although_one_world_sleeps)
{
    enum { BYTES = 64 << 10, ROUNDS = 200 };
    uint8_t *bytes = calloc(1, BYTES);
    wn_store *store = open_store();
    uint32_t sleeper = create_world(store, "sleeper"), busy = create_world(store, "busy");
    append(store, sleeper, 1);
    commit(store);
    for (uint64_t turn = 1; turn <= ROUNDS; turn++) {
        wn_store_append(store, busy, turn, bytes, BYTES, 0);
        commit(store);
    }
    assert_holds(store, sleeper, 1, 1);
    wn_store_close(store);
    ck_assert_int_lt(ask("SELECT sum(length(entries)) FROM batch"), 9 << 20); /* of 12.5 MiB */
    ck_assert_int_eq(ask("SELECT count(*) FROM journal WHERE world = 1"), 1);
    store = open_store();
    assert_holds(store, sleeper, 1, 1);
    append(store, sleeper, 2);
    wn_store_close(store);
    store = open_store();
    assert_holds(store, sleeper, 1, 2);
    wn_store_close(store);
    free(bytes);
}
END_TEST

START_TEST(numbers_of_batches_go_on_when_all_batches_are_gone)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    play_together(store, &world, 1, 1, 100);
    ck_assert(wn_store_put_snapshot(store, world, 100, "1", "b", "s", 1, NULL));
    wn_store_close(store);
    change("DELETE FROM batch"); /* none of them counts */
    for (uint64_t turn = 101; turn <= 103; turn++) {
        store = open_store();
        append(store, world, turn);
        commit(store);
        assert_holds(store, world, 101, turn);
        wn_store_close(store);
    }
}
END_TEST

START_TEST(entries_of_a_world_that_is_not_there_are_dropped)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    append(store, world + 1, 1);
    append(store, world, 1);
    commit(store);
    ck_assert_uint_eq(create_world(store, "later"), world + 1);
    assert_holds(store, world + 1, 1, 0);
    assert_holds(store, world, 1, 1);
    wn_store_close(store);
}
END_TEST

/* snapshots */

START_TEST(a_snapshot_of_any_turn_trims_up_to_that_turn)
{
    unsigned seed = seed_of_run();
    uint32_t ids[SOME_WORLDS];
    uint64_t turns[SOME_WORLDS];
    wn_store *store = open_store();
    create_worlds(store, ids, SOME_WORLDS);
    play_together(store, ids, SOME_WORLDS, 1, 600);
    for (size_t i = 0; i < SOME_WORLDS; i++) {
        turns[i] = (uint64_t)rand_r(&seed) % 600 + 1;
        ck_assert(wn_store_put_snapshot(store, ids[i], turns[i], "1", "b", "s", 1, NULL));
        assert_holds(store, ids[i], turns[i] + 1, 600);
    }
    play_together(store, ids, SOME_WORLDS, 601, 610);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < SOME_WORLDS; i++) {
            assert_holds(store, ids[i], turns[i] + 1, 610);
        }
        wn_store_close(store);
        store = open_store();
    }
    wn_store_close(store);
}
END_TEST

START_TEST(history_is_kept_where_that_is_asked_for)
{
    uint32_t world;
    options.keep_history = true;
    wn_store *store = open_store();
    create_worlds(store, &world, 1);
    play_together(store, &world, 1, 1, 500);
    ck_assert(wn_store_put_snapshot(store, world, 250, "1", "b", "s", 1, NULL));
    ck_assert(wn_store_put_snapshot(store, world, 490, "1", "b", "s", 1, NULL));
    assert_holds(store, world, 1, 500);
    wn_store_close(store);
    store = open_store();
    assert_holds(store, world, 1, 500);
    wn_store_close(store);
    options.keep_history = false;
    store = open_store();
    assert_holds(store, world, 1, 500);
    ck_assert(wn_store_put_snapshot(store, world, 495, "1", "b", "s", 1, NULL));
    assert_holds(store, world, 496, 500);
    wn_store_close(store);
}
END_TEST

/* forgetting */

static bool take_turn(void *context, const wn_stored_world *world)
{
    *(uint64_t *)context = world->turn;
    return false;
}

START_TEST(what_came_after_the_snapshot_is_forgotten_for_good)
{
    for (int keep = 0; keep < 2; keep++) {
        uint64_t turn = 0;
        options.keep_history = keep != 0;
        wn_store *store = open_store();
        uint32_t world = create_world(store, keep != 0 ? "kept" : "trimmed"),
                 other = create_world(store, keep ? "a" : "b");
        uint64_t first = keep != 0 ? 1 : 301;
        play_together(store, (uint32_t[]){world, other}, 2, 1, 700);
        ck_assert(wn_store_put_snapshot(store, world, 300, "1", "b", "s", 1, NULL));
        append(store, world, 701); /* gathered */
        append(store, other, 701);
        ck_assert(wn_store_forget_tail(store, world, NULL));
        ck_assert_uint_eq(wn_store_gathered(store), 1);
        commit(store);
        for (int round = 0; round < 2; round++) {
            assert_holds(store, world, first, 300);
            assert_holds(store, other, 1, 701);
            wn_store_close(store);
            store = open_store();
        }
        play_together(store, &world, 1, 301, 320); /* another future, with the same numbers */
        wn_store_close(store);
        store = open_store();
        assert_holds(store, world, first, 320);
        ck_assert(wn_store_delete_world(store, other, NULL));
        ck_assert(wn_store_list_worlds(store, take_turn, &turn, NULL));
        ck_assert_uint_eq(turn, 320);
        ck_assert(wn_store_delete_world(store, world, NULL));
        wn_store_close(store);
    }
}
END_TEST

START_TEST(without_a_snapshot_everything_is_forgotten)
{
    uint64_t turn = 77;
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    play_together(store, &world, 1, 1, 400);
    ck_assert(wn_store_forget_tail(store, world, NULL));
    ck_assert(wn_store_list_worlds(store, take_turn, &turn, NULL));
    ck_assert_uint_eq(turn, 0);
    wn_store_close(store);
    store = open_store();
    assert_holds(store, world, 1, 0);
    append(store, world, 1);
    wn_store_close(store);
    store = open_store();
    assert_holds(store, world, 1, 1);
    wn_store_close(store);
}
END_TEST

/* damage */

START_TEST(an_entry_that_cannot_be_read_is_said_and_the_other_worlds_are_served)
{
    wn_store *store = open_store();
    uint32_t ids[2];
    create_worlds(store, ids, 2);
    play_together(store, ids, 2, 1, 400);
    wn_store_close(store);
    ck_assert_int_ge(ask("SELECT count(*) FROM journal WHERE world = 1"), 1);
    change("UPDATE journal SET entries = substr(entries, 1, length(entries) - 1) WHERE world = 1");
    store = open_store();
    struct reading reading = {.world = ids[0], .good = true};
    wn_error error = {0};
    ck_assert(!wn_store_read_journal(store, ids[0], 0, read_entry, &reading, &error));
    ck_assert(reading.good);
    ck_assert_ptr_nonnull(strstr(error.text, "cannot be read"));
    ck_assert_ptr_nonnull(strstr(error.text, path_of("warren.db")));
    assert_holds(store, ids[1], 1, 400);
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_journal");
    TCase *rows = new_case(suite, "rows"), *trimming = new_case(suite, "trimming");
    tcase_add_test(rows, what_many_worlds_played_together_comes_back_for_each);
    tcase_add_test(rows, the_largest_and_the_emptiest_entries_come_back);
    tcase_add_test(rows, batches_that_count_for_no_world_go_although_one_world_sleeps);
    tcase_add_test(rows, numbers_of_batches_go_on_when_all_batches_are_gone);
    tcase_add_test(rows, entries_of_a_world_that_is_not_there_are_dropped);
    tcase_add_test(rows, an_entry_that_cannot_be_read_is_said_and_the_other_worlds_are_served);
    tcase_add_test(trimming, a_snapshot_of_any_turn_trims_up_to_that_turn);
    tcase_add_test(trimming, history_is_kept_where_that_is_asked_for);
    tcase_add_test(trimming, what_came_after_the_snapshot_is_forgotten_for_good);
    tcase_add_test(trimming, without_a_snapshot_everything_is_forgotten);
    return run_suite(suite);
}
