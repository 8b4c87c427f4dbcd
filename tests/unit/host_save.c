/* host_save.c: the same inputs give the same world, a saved one goes on as it would have, a damaged snapshot is
 * refused; and the settings with which worlds are made.
 */
#include "host_replica.h"

#include <stdlib.h>
#include <string.h>

enum { DICE_SEATS = 3, TURNS = 400 };

/* A turn of random inputs, valid and not, the same for both worlds. */
static void add_inputs(scene *one, scene *other, uint64_t *chance, uint32_t turn)
{
    scene *const both[] = {one, other};
    const uint32_t kinds = pick(chance, 64);
    const uint32_t seat = pick(chance, DICE_SEATS + 1);
    const uint32_t direction = pick(chance, 11);
    for (size_t i = 0; i < 2; i++) {
        if (kinds % 8 == 0) {
            input_join(both[i], seat, "ann");
        }
        if (kinds % 16 == 1) {
            input_leave(both[i], seat);
        }
        if (kinds & 4) {
            input_wake(both[i]);
        }
        if (kinds % 10 == 3) {
            input_chat(both[i], "ann", "hello");
        }
        input_command(both[i], seat, turn, 1, direction);
        input_command(both[i], (seat + 1) % DICE_SEATS, turn, 1, direction % 8);
    }
}

START_TEST(the_same_seed_and_inputs_give_the_same_world_watched_or_not_played_or_replayed)
{
    scene played, replayed;
    uint64_t chance = property_seed("host_save", 4711);
    const uint64_t seed = chance;
    fixture_open(&played, "dice", seed);
    fixture_open(&replayed, "dice", seed);
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        if (turn % 7 == 0) {
            watch(&played, (int32_t)pick(&chance, DICE_SEATS + 1) - 1, pick(&chance, 3) > 0);
        }
        add_inputs(&played, &replayed, &chance, turn);
        run_turn(&played);
        replay_turn(&replayed);
        ck_assert_msg(wn_hosted_hash(played.world) == wn_hosted_hash(replayed.world), "after turn %u", turn);
    }
    scene other;
    fixture_open(&other, "dice", seed + 1);
    ck_assert(wn_hosted_hash(other.world) != wn_hosted_hash(played.world));
    fixture_close(&other);
    fixture_close(&played);
    fixture_close(&replayed);
}
END_TEST

static void load_into(scene *fixture, const wn_buffer *snapshot, uint64_t turn)
{
    wn_error error = {0};
    wn_world_options options = fixture_options(fixture, 999);
    options.snapshot = snapshot->data;
    options.snapshot_size = snapshot->size;
    options.snapshot_turn = turn;
    wn_hosted_free(fixture->world);
    fixture->world = wn_hosted_new(fixture->plugin, &options, &error);
    ck_assert_msg(fixture->world != NULL, "%s", error.text);
}

START_TEST(a_world_saved_and_loaded_at_any_turn_goes_on_as_it_would_have)
{
    scene whole, parted;
    wn_buffer snapshot = {0};
    uint64_t chance = property_seed("host_save", 815);
    fixture_open(&whole, "dice", 3);
    fixture_open(&parted, "dice", 3);
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        add_inputs(&whole, &parted, &chance, turn);
        run_turn(&whole);
        run_turn(&parted);
        snapshot.size = 0;
        wn_hosted_save(parted.world, &snapshot);
        load_into(&parted, &snapshot, turn);
        ck_assert_uint_eq(wn_hosted_wake_ms(parted.world), wn_hosted_wake_ms(whole.world));
        ck_assert_msg(wn_hosted_hash(whole.world) == wn_hosted_hash(parted.world), "after turn %u", turn);
    }
    mirror *mine = calloc(1, sizeof *mine);
    replica_apply(mine, open_update(watch(&whole, WN_SPECTATORS, true)));
    open_update(watch(&parted, WN_SPECTATORS, true));
    mine->sequence = 1;
    replica_compare(mine, parted.world, WN_SPECTATORS);
    free(mine);
    wn_buffer_free(&snapshot);
    fixture_close(&whole);
    fixture_close(&parted);
}
END_TEST

START_TEST(a_loaded_world_knows_its_seats_what_they_executed_and_where_they_are)
{
    scene fixture;
    wn_buffer snapshot = {0};
    fixture_open(&fixture, "dice", 3);
    input_join(&fixture, 1, "bob");
    input_command(&fixture, 1, 37, 1, WN_EAST);
    input_chat(&fixture, "bob", "hello");
    run_turn(&fixture);
    const Warren__Update *update = open_update(watch(&fixture, 1, true));
    const uint32_t focus = update->keyframe->focus;
    const uint32_t last = update->keyframe->messages[update->keyframe->n_messages - 1]->number;
    wn_hosted_save(fixture.world, &snapshot);
    load_into(&fixture, &snapshot, 1);
    ck_assert_str_eq(wn_seat_name(wn_hosted_handle(fixture.world), 1), "bob");
    update = open_update(watch(&fixture, 1, true));
    ck_assert_uint_eq(update->executed, 37);
    ck_assert_uint_eq(update->keyframe->focus, focus);
    input_chat(&fixture, "bob", "again");
    update = open_update(update_of(run_turn(&fixture), 1));
    ck_assert_uint_eq(update->delta->messages[0]->number, last + 1);
    wn_buffer_free(&snapshot);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_snapshot_that_is_cut_or_of_another_turn_is_refused_with_a_sentence)
{
    scene fixture;
    wn_buffer snapshot = {0};
    fixture_open(&fixture, "dice", 3);
    input_join(&fixture, 1, "bob");
    run_turn(&fixture);
    wn_hosted_save(fixture.world, &snapshot);
    wn_world_options options = fixture_options(&fixture, 3);
    options.snapshot = snapshot.data;
    for (size_t size = 0; size <= snapshot.size; size++) {
        wn_error error = {0};
        options.snapshot_size = size;
        options.snapshot_turn = size == snapshot.size ? 2 : 1;
        ck_assert_ptr_null(wn_hosted_new(fixture.plugin, &options, &error));
        ck_assert_ptr_nonnull(strstr(error.text, "world 9"));
    }
    wn_buffer_free(&snapshot);
    fixture_close(&fixture);
}
END_TEST

/* From there it would draw zeros for ever. */
START_TEST(a_snapshot_whose_generator_stands_still_is_refused)
{
    enum { GENERATOR = 4 + 8, GENERATOR_BYTES = 32 }; /* behind u32 magic, u64 turn */
    scene fixture;
    wn_buffer snapshot = {0};
    wn_error error = {0};
    fixture_open(&fixture, "dice", 3);
    run_turn(&fixture);
    wn_hosted_save(fixture.world, &snapshot);
    wn_world_options options = fixture_options(&fixture, 3);
    options.snapshot = snapshot.data;
    options.snapshot_size = snapshot.size;
    options.snapshot_turn = 1;
    memset(snapshot.data + GENERATOR, 0, GENERATOR_BYTES);
    ck_assert_ptr_null(wn_hosted_new(fixture.plugin, &options, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "is damaged"));
    memset(snapshot.data + GENERATOR, 0, GENERATOR_BYTES - 1);
    snapshot.data[GENERATOR + GENERATOR_BYTES - 1] = 1;
    wn_hosted *world = wn_hosted_new(fixture.plugin, &options, &error);
    ck_assert_msg(world != NULL, "%s", error.text);
    wn_hosted_free(world);
    wn_buffer_free(&snapshot);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_snapshot_with_a_changed_byte_is_refused_or_gives_a_world_that_runs)
{
    scene fixture;
    wn_buffer snapshot = {0};
    fixture_open(&fixture, "dice", 3);
    input_join(&fixture, 1, "bob");
    run_turn(&fixture);
    wn_hosted_save(fixture.world, &snapshot);
    wn_world_options options = fixture_options(&fixture, 3);
    options.snapshot = snapshot.data;
    options.snapshot_size = snapshot.size;
    options.snapshot_turn = 1;
    for (size_t at = 0; at < snapshot.size; at++) {
        wn_error error = {0};
        snapshot.data[at] ^= 0xff;
        wn_hosted *world = wn_hosted_new(fixture.plugin, &options, &error);
        snapshot.data[at] ^= 0xff;
        if (!world) {
            ck_assert_str_ne(error.text, "");
            continue;
        }
        fixture.out.size = 0;
        ck_assert(wn_hosted_turn(world, 2, NULL, 0, &fixture.out, &error));
        wn_hosted_watch(world, WN_SPECTATORS, true, &fixture.out);
        wn_hosted_free(world);
    }
    wn_buffer_free(&snapshot);
    fixture_close(&fixture);
}
END_TEST

/* settings */

static wn_hosted *make(scene *fixture, const char *name, const char *value, wn_error *error)
{
    Warren__SettingValue setting = WARREN__SETTING_VALUE__INIT;
    const Warren__SettingValue *const settings[] = {&setting};
    setting.name = (char *)(uintptr_t)name;
    setting.value = (char *)(uintptr_t)value;
    wn_world_options options = fixture_options(fixture, 1);
    options.settings = settings;
    options.setting_count = 1;
    return wn_hosted_new(fixture->plugin, &options, error);
}

START_TEST(a_mode_gets_its_settings_as_given_or_the_default)
{
    scene fixture;
    wn_error error = {0};
    fixture_open(&fixture, "puppet", 1);
    const wn_world *usual = wn_hosted_handle(fixture.world);
    ck_assert_int_eq(wn_setting_value(usual, PUPPET_SIZE), 7);
    ck_assert_int_eq(wn_setting_value(usual, PUPPET_HARD), 0);
    ck_assert_int_eq(wn_setting_value(usual, PUPPET_PACE), 1);
    ck_assert_str_eq(wn_setting_string(usual, PUPPET_MOTTO), "hello");
    ck_assert_int_eq(wn_setting_value(usual, 77), 0);
    ck_assert_str_eq(wn_setting_string(usual, 77), "");
    static const struct {
        const char *name, *value;
        uint32_t at;
        int64_t number;
    } given[] = {{"size", "-4", PUPPET_SIZE, -4},
                 {"size", "10", PUPPET_SIZE, 10},
                 {"hard", "yes", PUPPET_HARD, 1},
                 {"pace", "slow", PUPPET_PACE, 0}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        wn_hosted *world = make(&fixture, given[i].name, given[i].value, &error);
        ck_assert_msg(world != NULL, "%s", error.text);
        ck_assert_int_eq(wn_setting_value(wn_hosted_handle(world), given[i].at), given[i].number);
        wn_hosted_free(world);
    }
    wn_hosted *world = make(&fixture, "map", "###\n#.#\t\n", &error);
    ck_assert_str_eq(wn_setting_string(wn_hosted_handle(world), PUPPET_MAP), "###\n#.#\t\n");
    wn_hosted_free(world);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_wrong_setting_is_refused_with_its_name_value_and_range)
{
    static const struct {
        const char *name, *value, *says;
    } wrong[] = {{"size", "11", "whole number from -5 to 10"},
                 {"size", "-6", "whole number from -5 to 10"},
                 {"size", "", "whole number"},
                 {"size", " 5", "whole number"},
                 {"size", "5x", "\"5x\""},
                 {"size", "99999999999999999999", "whole number"},
                 {"hard", "maybe", "yes or no"},
                 {"pace", "medium", "one of slow, fast"},
                 {"motto", "x", "2 to 8 bytes"},
                 {"motto", "123456789", "2 to 8 bytes"},
                 {"motto", "a\xff", "UTF-8"},
                 {"colour", "red", "no setting \"colour\""}};
    scene fixture;
    fixture_open(&fixture, "puppet", 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        wn_error error = {0};
        ck_assert_ptr_null(make(&fixture, wrong[i].name, wrong[i].value, &error));
        ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_BAD_SETTING);
        ck_assert_str_eq(error.field, wrong[i].name);
        ck_assert_msg(strstr(error.text, wrong[i].says) != NULL, "%s", error.text);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_mode_that_will_not_make_a_world_says_why)
{
    scene fixture;
    wn_error error = {0};
    fixture_open(&fixture, "puppet", 1);
    ck_assert_ptr_null(make(&fixture, "size", "-5", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "a size of -5 is unlucky"));
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_world_takes_no_more_memory_than_its_limit)
{
    enum { LIMIT = 100000 };
    scene fixture;
    wn_error error = {0};
    fixture_open(&fixture, "puppet", 1);
    wn_hosted_free(fixture.world);
    wn_world_options options = fixture_options(&fixture, 1);
    options.memory_limit = LIMIT;
    fixture.world = wn_hosted_new(fixture.plugin, &options, &error);
    wn_world *handle = wn_hosted_handle(fixture.world);
    size_t taken = 0;
    uint8_t *last = NULL;
    for (uint8_t *memory; (memory = wn_alloc(handle, 1000)); last = memory) {
        ck_assert(memory[0] == 0 && memory[999] == 0);
        memset(memory, 0xab, 1000);
        taken += 1000;
    }
    ck_assert(taken > LIMIT / 2 && taken < LIMIT);
    ck_assert_ptr_nonnull(strstr(fixture.log, "not to be had"));
    ck_assert_ptr_null(wn_alloc(handle, SIZE_MAX));
    ck_assert_ptr_null(wn_alloc(handle, SIZE_MAX - 8));
    ck_assert_ptr_null(wn_resize(handle, last, LIMIT));
    ck_assert_uint_eq(last[999], 0xab);
    last = wn_resize(handle, last, 500);
    ck_assert_uint_eq(last[499], 0xab);
    wn_release(handle, last);
    wn_release(handle, NULL);
    ck_assert_ptr_nonnull(wn_resize(handle, NULL, 1000));
    fixture_close(&fixture);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        the_same_seed_and_inputs_give_the_same_world_watched_or_not_played_or_replayed,
        a_world_saved_and_loaded_at_any_turn_goes_on_as_it_would_have,
        a_loaded_world_knows_its_seats_what_they_executed_and_where_they_are,
        a_snapshot_that_is_cut_or_of_another_turn_is_refused_with_a_sentence,
        a_snapshot_whose_generator_stands_still_is_refused,
        a_snapshot_with_a_changed_byte_is_refused_or_gives_a_world_that_runs,
        a_mode_gets_its_settings_as_given_or_the_default,
        a_wrong_setting_is_refused_with_its_name_value_and_range,
        a_mode_that_will_not_make_a_world_says_why,
        a_world_takes_no_more_memory_than_its_limit,
    };
    return run_cases("host_save", cases, sizeof cases / sizeof cases[0]);
}
