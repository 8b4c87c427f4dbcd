/* Long random play with random settings: the invariants hold, views are true, saved worlds go on as they would have,
 * and damaged saves are refused or harmless.
 */
#include "hunt_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { CROWD = 12 };

static void add_setting(char *text, size_t size, const char *name, uint32_t value)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s=%u ", name, value);
}

static void random_settings(uint64_t *seed, char *text, size_t size)
{
    snprintf(text, size, "reflect=%s boots=%s ", suite_random(seed, 4) ? "yes" : "no",
             suite_random(seed, 4) ? "yes" : "no");
    add_setting(text, size, "width", 5 + suite_random(seed, 50));
    add_setting(text, size, "height", 3 + suite_random(seed, 30));
    add_setting(text, size, "ishots", 15 + suite_random(seed, 3) * suite_random(seed, 600));
    add_setting(text, size, "bulspd", 1 + suite_random(seed, 6));
    add_setting(text, size, "maxncshot", 2 + suite_random(seed, 2) * 100);
    add_setting(text, size, "maxdam", 1 + suite_random(seed, 40));
    add_setting(text, size, "maxremove", suite_random(seed, 60));
    add_setting(text, size, "prandom", suite_random(seed, 50));
    add_setting(text, size, "preflect", suite_random(seed, 50));
    add_setting(text, size, "pdrone", suite_random(seed, 100));
    add_setting(text, size, "volcano_max", 1 + suite_random(seed, 20));
    add_setting(text, size, "slimespeed", 1 + suite_random(seed, 6));
    add_setting(text, size, "pmiss", suite_random(seed, 60));
    add_setting(text, size, "pshot_coll", suite_random(seed, 60));
    add_setting(text, size, "flytime", 1 + suite_random(seed, 20));
    add_setting(text, size, "scoredecay", 1 + suite_random(seed, 20));
    add_setting(text, size, "simstep", suite_random(seed, 2) * 55);
}

/* Shots are most of it, and all actions are in it. */
static uint32_t random_action(uint64_t *seed)
{
    switch (suite_random(seed, 4)) {
    case 0:
        return ACTION_MOVE;
    case 1:
        return ACTION_FACE;
    case 2:
        return ACTION_FIRE + suite_random(seed, 3);
    default:
        return 1 + suite_random(seed, HUNT_ACTION_COUNT);
    }
}

static void add_random_inputs(fixture *world, uint64_t *seed)
{
    const hunt *game = fixture_game(world);
    for (uint32_t seat = 0; seat < CROWD; seat++) {
        const bool taken = game->players[seat].state != SEAT_FREE;
        if (!taken && suite_random(seed, 3) == 0) {
            char name[16];
            snprintf(name, sizeof name, suite_random(seed, 2) ? "p%u" : "p%u/3", suite_random(seed, 20));
            fixture_add_join_as(world, seat, name, suite_random(seed, ENTER_COUNT));
        } else if (taken && suite_random(seed, 200) == 0) {
            fixture_add_leave(world, seat);
        } else if (taken && suite_random(seed, 3) > 0) {
            fixture_add(world, seat, random_action(seed), suite_random(seed, 9));
        }
    }
    if (suite_random(seed, 4) == 0) {
        fixture_add_wake(world);
    }
}

/* A seat is watched from the turn on in which its player came. */
static void watch_some(fixture *world)
{
    fixture_watch(world, WN_SPECTATORS, true);
    for (uint32_t seat = 0; seat < CROWD; seat += 3) {
        const bool plays = player(world, seat)->state == SEAT_PLAYING;
        if (plays != world->watched[seat + 1]) {
            fixture_watch(world, (int32_t)seat, plays);
        }
    }
}

START_TEST(random_play_keeps_the_invariants_and_the_views_true)
{
    uint64_t seed = fixture_seed();
    for (int game = 0; game < 24; game++) {
        char settings[512];
        random_settings(&seed, settings, sizeof settings);
        printf("%s\n", settings);
        fixture *world = fixture_open(suite_random64(&seed), settings);
        watch_some(world);
        for (int turn = 0; turn < 400; turn++) {
            add_random_inputs(world, &seed);
            fixture_turn(world);
            watch_some(world);
            fixture_check(world);
        }
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_loaded_world_goes_on_exactly_as_the_saved_one)
{
    uint64_t seed = fixture_seed();
    for (int game = 0; game < 12; game++) {
        char settings[512];
        random_settings(&seed, settings, sizeof settings);
        wn_error error = {0};
        fixture *world = fixture_open(suite_random64(&seed), settings), *copy = NULL;
        for (int turn = 0; turn < 150; turn++) {
            wn_buffer snapshot = {0};
            if (copy != NULL) {
                fixture_close(copy);
            }
            wn_hosted_save(world->hosted, &snapshot);
            copy = fixture_load(world, &snapshot, &error);
            ck_assert_msg(copy != NULL, "%s", error.text);
            wn_buffer_free(&snapshot);
            REQUIRE(wn_hosted_hash(world->hosted) == wn_hosted_hash(copy->hosted));
            for (int more = 0; more < 3; more++) {
                uint64_t same = seed;
                add_random_inputs(world, &seed);
                add_random_inputs(copy, &same);
                fixture_turn(world);
                fixture_turn(copy);
                REQUIRE(wn_hosted_hash(world->hosted) == wn_hosted_hash(copy->hosted));
                REQUIRE(wn_hosted_wake_ms(world->hosted) == wn_hosted_wake_ms(copy->hosted));
            }
        }
        fixture_close(copy);
        fixture_close(world);
    }
}
END_TEST

/* What two turns of one world allocate, when it has run for a while: nothing. */
enum { LATE = 7, LATE_SPRITES = 256 };

/* What spectators saw of a turn. */
typedef struct sight {
    wn_view_state state;
    uint16_t *cells;
    wn_view_sprite sprites[LATE_SPRITES];
    char labels[LATE_SPRITES][32];
    size_t effects;
} sight;

static const Warren__Update *spectators_update(const fixture *world)
{
    wn_error error = {0};
    for (size_t i = 0; i < world->done->n_updates; i++) {
        const Warren__Host__ViewUpdate *update = world->done->updates[i];
        if (!update->has_seat) {
            return wn_update_decode(world->arena, update->update.data, update->update.len, &error);
        }
    }
    return NULL;
}

static size_t effects_of(const Warren__Update *update)
{
    return update != NULL && update->body_case == WARREN__UPDATE__BODY_DELTA ? update->delta->n_effects : 0;
}

static void look(const fixture *world, sight *seen)
{
    wn_hosted_view(world->hosted, WN_SPECTATORS, &seen->state);
    const size_t cells = (size_t)seen->state.width * seen->state.height;
    REQUIRE(seen->state.sprite_count <= LATE_SPRITES);
    seen->cells = realloc(seen->cells, cells * sizeof *seen->cells);
    memcpy(seen->cells, seen->state.cells, cells * sizeof *seen->cells);
    for (uint32_t i = 0; i < seen->state.sprite_count; i++) {
        seen->sprites[i] = seen->state.sprites[i];
        snprintf(seen->labels[i], sizeof seen->labels[i], "%s", seen->state.sprites[i].label);
    }
    seen->effects = world->done != NULL ? effects_of(spectators_update(world)) : 0;
}

static void compare_sights(const sight *late, const sight *live)
{
    const size_t cells = (size_t)live->state.width * live->state.height;
    REQUIRE(late->state.width == live->state.width && late->state.height == live->state.height);
    REQUIRE(memcmp(late->cells, live->cells, cells * sizeof *live->cells) == 0);
    REQUIRE(late->state.focus == live->state.focus && late->effects == live->effects);
    REQUIRE(late->state.sprite_count == live->state.sprite_count);
    for (uint32_t i = 0; i < live->state.sprite_count; i++) {
        const wn_view_sprite *one = &late->sprites[i], *other = &live->sprites[i];
        REQUIRE(one->id == other->id && one->at == other->at && one->tile == other->tile &&
                one->facing == other->facing && strcmp(late->labels[i], live->labels[i]) == 0);
    }
}

START_TEST(late_spectators_see_what_the_others_saw_so_many_turns_before)
{
    uint64_t seed = fixture_seed(), same = seed;
    sight *seen = calloc(LATE + 1, sizeof *seen), *late = calloc(1, sizeof *late);
    fixture *live = fixture_open(seed, "maxdam=3"), *delayed = fixture_open(seed, "maxdam=3 spectator_delay=7");
    fixture_watch(live, WN_SPECTATORS, true);
    fixture_watch(delayed, WN_SPECTATORS, true);
    look(live, &seen[0]);
    for (uint32_t turn = 1; turn <= 1500; turn++) {
        add_random_inputs(live, &seed);
        add_random_inputs(delayed, &same);
        fixture_turn(live);
        fixture_turn(delayed);
        look(live, &seen[turn % (LATE + 1)]);
        const bool away = turn % 700 > 100 && turn % 700 < 690; /* nobody watches for a long while */
        const bool changes = away == delayed->watched[0];
        if (changes) {
            fixture_watch(delayed, WN_SPECTATORS, !away);
        }
        REQUIRE(wn_hosted_hash(live->hosted) == wn_hosted_hash(delayed->hosted));
        if (away) {
            continue;
        }
        look(delayed, late);
        sight *before = &seen[turn < LATE ? 0 : (turn - LATE) % (LATE + 1)];
        before->effects = changes ? 0 : before->effects; /* a keyframe has none */
        compare_sights(late, before);
        if (turn % 100 == 0) { /* a keyframe is as late as all else */
            fixture_watch(delayed, WN_SPECTATORS, false);
            fixture_watch(delayed, WN_SPECTATORS, true);
        }
    }
    for (uint32_t i = 0; i <= LATE; i++) {
        free(seen[i].cells);
    }
    free(late->cells);
    free(late);
    free(seen);
    fixture_close(live);
    fixture_close(delayed);
}
END_TEST

START_TEST(turns_allocate_nothing_after_a_while)
{
    uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "ishots=200 maxncshot=100");
    for (int turn = 0; turn < 2000; turn++) {
        add_random_inputs(world, &seed);
        fixture_turn(world);
    }
    const hunt *game = fixture_game(world);
    const uint32_t shots = game->shot_capacity, idents = game->ident_capacity;
    for (int turn = 0; turn < 2000; turn++) {
        add_random_inputs(world, &seed);
        fixture_turn(world);
    }
    ck_assert_uint_eq(game->shot_capacity, shots);
    ck_assert_uint_eq(game->ident_capacity, idents);
    fixture_close(world);
}
END_TEST

/* A world with everything in it. */
static fixture *open_busy(void)
{
    uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "width=21 height=15 ishots=60 maxncshot=50 maxdam=60 flytime=60");
    for (int turn = 0; turn < 40; turn++) {
        add_random_inputs(world, &seed);
        fixture_turn(world);
    }
    return world;
}

static void play_on(fixture *world, uint64_t *seed)
{
    watch_some(world);
    for (uint32_t i = 0; i < 5; i++) {
        add_random_inputs(world, seed);
        fixture_turn(world);
    }
}

START_TEST(a_damaged_save_is_refused_or_harmless)
{
    fixture *world = open_busy();
    ck_assert_uint_gt(fixture_refused_when_damaged(world, 3000, play_on), 500);
    fixture_close(world);
}
END_TEST

START_TEST(a_save_that_ends_early_is_refused)
{
    fixture *world = open_busy();
    fixture_expect_refused_when_cut(world, play_on);
    fixture_close(world);
}
END_TEST

START_TEST(sixty_four_players_fit_into_a_large_maze)
{
    uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "width=255 height=255 maxdam=5000");
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", seat);
        fixture_add_join_as(world, seat, name, ENTER_SCANNING);
    }
    fixture_turn(world);
    for (int32_t seat = WN_SPECTATORS; seat < WN_MAX_SEATS; seat++) {
        fixture_watch(world, seat, true);
    }
    for (int turn = 0; turn < 500; turn++) {
        for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
            if (player(world, seat)->state == SEAT_PLAYING) {
                fixture_add(world, seat, 1 + suite_random(&seed, ACTION_CLOAK), suite_random(&seed, 9));
            }
        }
        fixture_turn(world);
    }
    fixture_check(world);
    ck_assert_int_gt(__builtin_popcountll(fixture_game(world)->playing), 40);
    fixture_close(world);
}
END_TEST

/* The rule book's settings, with the original's numbers. */
START_TEST(the_settings_have_the_originals_names_and_numbers)
{
    static const struct {
        const char *name, *standard;
    } rules[] = {
        {"width", "51"},      {"height", "23"},          {"reflect", "yes"},    {"boots", "yes"},
        {"monitors", "yes"},  {"simstep", "0"},          {"bulspd", "5"},       {"ishots", "15"},
        {"nshots", "5"},      {"maxncshot", "2"},        {"maxdam", "10"},      {"mindam", "5"},
        {"stabdam", "2"},     {"killgain", "2"},         {"slimedam", "5"},     {"lavadam", "5"},
        {"slimefactor", "3"}, {"slimespeed", "5"},       {"lavaspeed", "1"},    {"cloaklen", "20"},
        {"scanlen", "20"},    {"flytime", "20"},         {"flystep", "5"},      {"fall_frac", "5"},
        {"mines", "1"},       {"ptrip_face", "2"},       {"ptrip_side", "50"},  {"ptrip_back", "95"},
        {"pshot_coll", "5"},  {"pgren_coll", "10"},      {"pgren_catch", "10"}, {"pmiss", "5"},
        {"pdrone", "2"},      {"pdroneabsorb", "1"},     {"mindshot", "2"},     {"volcano_max", "50"},
        {"maxremove", "40"},  {"prandom", "1"},          {"preflect", "1"},     {"explen", "4"},
        {"scoredecay", "15"}, {"spectator_delay", "20"},
    };
    ck_assert_uint_eq(sizeof rules / sizeof rules[0], SETTING_COUNT);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        size_t found = 0;
        while (found < SETTING_COUNT && strcmp(hunt_settings[found].name, rules[i].name) != 0) {
            found++;
        }
        ck_assert_msg(found < SETTING_COUNT, "there is no setting %s", rules[i].name);
        ck_assert_str_eq(hunt_settings[found].standard, rules[i].standard);
    }
}
END_TEST

RUN("hunt: play", the_settings_have_the_originals_names_and_numbers,
    random_play_keeps_the_invariants_and_the_views_true, a_loaded_world_goes_on_exactly_as_the_saved_one,
    turns_allocate_nothing_after_a_while, a_damaged_save_is_refused_or_harmless, a_save_that_ends_early_is_refused,
    sixty_four_players_fit_into_a_large_maze, late_spectators_see_what_the_others_saw_so_many_turns_before)
