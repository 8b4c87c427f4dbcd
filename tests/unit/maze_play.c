/* Long random play with random settings: the invariants hold, no boulder is in anyone's way, views are true, saved
 * worlds go on as they would have, and damaged saves are refused or harmless.
 */
#include "maze_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { CROWD = 9 };

static void random_settings(uint64_t *seed, char *text, size_t size)
{
    static const char *const ends[] = {"bottom", "side", "farthest"};
    const uint32_t obstacles = suite_random(seed, 2) * suite_random(seed, 101);
    snprintf(text, size, "cells=%u hall=%u wall=%u wall_heights=%u end=%s obstacles=%u monsters=%u tick=%u",
             2 + suite_random(seed, 9), 1 + suite_random(seed, 3), 1 + suite_random(seed, 3), 1 + suite_random(seed, 9),
             ends[suite_random(seed, 3)], obstacles, suite_random(seed, 2) * suite_random(seed, 5),
             suite_random(seed, 2) * 300);
}

/* How far each square of a maze is from the finale, around walls; 0 for what is not measured. */
struct map {
    uint32_t number; /* of the maze; 0: none yet */
    uint32_t *distance;
    struct maze_square *queue;
};

static void measure(const game *state, struct map *map)
{
    if (map->number == state->number) {
        return;
    }
    const size_t squares = (size_t)state->side * (size_t)state->side;
    map->number = state->number;
    map->distance = realloc(map->distance, squares * sizeof *map->distance);
    map->queue = realloc(map->queue, squares * sizeof *map->queue);
    REQUIRE(map->distance != NULL && map->queue != NULL);
    memset(map->distance, 0, squares * sizeof *map->distance);
    size_t head = 0, tail = 0;
    map->queue[tail++] = state->finale;
    map->distance[state->finale.y * state->side + state->finale.x] = 1;
    while (head < tail) {
        const struct maze_square at = map->queue[head++];
        for (uint32_t i = 0; i < DIRECTIONS; i++) {
            const struct maze_square to = next_to(at, i);
            uint32_t *distance = &map->distance[to.y * state->side + to.x];
            if (*distance == 0 && height_at(state, to) == 0) {
                *distance = map->distance[at.y * state->side + at.x] + 1;
                map->queue[tail++] = to;
            }
        }
    }
}

static void forget(struct map *map)
{
    free(map->distance);
    free(map->queue);
    *map = (struct map){0};
}

static uint32_t way_to_finale(const game *state, const struct map *map, struct maze_square at)
{
    uint32_t best = NORTH, nearest = UINT32_MAX;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        const struct maze_square to = next_to(at, i);
        const uint32_t distance = map->distance[to.y * state->side + to.x];
        if (distance > 0 && distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

/* Mostly walking: who knows the way along it, others on as long as it goes, and so they push what is in the way. Now
 * and then anything. */
static void add_random_command(fixture *world, uint64_t *seed, uint32_t seat, const struct map *map)
{
    const game *state = fixture_game(world);
    const struct runner *who = runner(world, seat);
    const uint32_t whim = suite_random(seed, 10);
    uint32_t direction = suite_random(seed, DIRECTIONS);
    if (whim == 0) {
        fixture_add(world, seat, 1 + suite_random(seed, ACTION_COUNT), suite_random(seed, 9));
        return;
    }
    if (whim > 3 && map != NULL && seat % 3 == 0) {
        direction = way_to_finale(state, map, who->at);
    } else if (whim > 3 && height_at(state, next_to(who->at, who->facing)) == 0) {
        direction = who->facing;
    }
    fixture_add(world, seat, ACTION_STEP, direction * 2);
}

/* `map`: NULL if nobody knows the way. */
static void add_random_inputs(fixture *world, uint64_t *seed, const struct map *map)
{
    for (uint32_t seat = 0; seat < CROWD; seat++) {
        const bool taken = runner(world, seat)->taken;
        if (!taken && suite_random(seed, 3) == 0) {
            char name[16];
            snprintf(name, sizeof name, "p%u", suite_random(seed, 1000) * CROWD + seat);
            fixture_add_join(world, seat, name);
        } else if (taken && suite_random(seed, 200) == 0) {
            fixture_add_leave(world, seat);
        } else if (taken && suite_random(seed, 3) > 0) {
            add_random_command(world, seed, seat, map);
        }
    }
    if (suite_random(seed, 3) == 0) {
        fixture_add_wake(world);
    }
}

/* A seat is watched from the turn on in which its player came. */
static void watch_some(fixture *world)
{
    fixture_watch(world, WN_SPECTATORS, true);
    for (uint32_t seat = 0; seat < CROWD; seat += 2) {
        const bool taken = runner(world, seat)->taken;
        if (taken != world->watched[seat + 1]) {
            fixture_watch(world, (int32_t)seat, taken);
        }
    }
}

START_TEST(random_play_keeps_the_invariants_and_the_views_true)
{
    uint64_t seed = fixture_seed();
    uint32_t finishes = 0, mazes = 0;
    struct map map = {0};
    for (int i = 0; i < 30; i++) {
        char settings[256];
        random_settings(&seed, settings, sizeof settings);
        printf("%s\n", settings);
        fixture *world = fixture_open(suite_random64(&seed), settings);
        watch_some(world);
        for (int turn = 0; turn < 300; turn++) {
            measure(fixture_game(world), &map);
            add_random_inputs(world, &seed, &map);
            fixture_turn(world);
            watch_some(world);
            fixture_check(world);
        }
        mazes += fixture_game(world)->number;
        for (uint32_t seat = 0; seat < CROWD; seat++) {
            finishes += runner(world, seat)->finishes;
        }
        fixture_close(world);
        forget(&map);
    }
    printf("%u finishes, %u mazes\n", finishes, mazes);
    ck_assert_uint_gt(finishes, 8); /* so it has seen what it is about */
    ck_assert_uint_gt(mazes, 31);
}
END_TEST

START_TEST(a_loaded_world_goes_on_exactly_as_the_saved_one)
{
    uint64_t seed = fixture_seed();
    for (int i = 0; i < 12; i++) {
        char settings[256];
        random_settings(&seed, settings, sizeof settings);
        wn_error error = {0};
        fixture *world = fixture_open(suite_random64(&seed), settings), *copy = NULL;
        for (int turn = 0; turn < 100; turn++) {
            wn_buffer snapshot = {0};
            if (copy != NULL) {
                fixture_close(copy);
            }
            wn_hosted_save(world->hosted, &snapshot);
            copy = fixture_load(world, &snapshot, &error);
            ck_assert_msg(copy != NULL, "%s", error.text);
            wn_buffer_free(&snapshot);
            REQUIRE(wn_hosted_hash(world->hosted) == wn_hosted_hash(copy->hosted));
            fixture_check(copy);
            for (int more = 0; more < 4; more++) {
                uint64_t same = seed;
                add_random_inputs(world, &seed, NULL);
                add_random_inputs(copy, &same, NULL);
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

/* A world with everything in it. */
static fixture *open_busy(void)
{
    uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "cells=5 obstacles=50 monsters=5");
    for (int turn = 0; turn < 40; turn++) {
        add_random_inputs(world, &seed, NULL);
        fixture_turn(world);
    }
    return world;
}

static void play_on(fixture *world, uint64_t *seed)
{
    watch_some(world);
    for (uint32_t i = 0; i < 5; i++) {
        add_random_inputs(world, seed, NULL);
        fixture_turn(world);
    }
}

START_TEST(a_damaged_save_is_refused_or_harmless)
{
    fixture *world = open_busy();
    ck_assert_uint_gt(fixture_refused_when_damaged(world, 1500, play_on), 300);
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
    fixture *world = fixture_open(seed, "cells=125 hall=5 wall=3 monsters=64");
    ck_assert_int_eq(fixture_game(world)->side, 1024);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", seat);
        fixture_add_join(world, seat, name);
    }
    fixture_turn(world);
    for (int32_t seat = WN_SPECTATORS; seat < WN_MAX_SEATS; seat += 16) {
        fixture_watch(world, seat, true);
    }
    for (int turn = 0; turn < 30; turn++) {
        for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
            add_random_command(world, &seed, seat, NULL);
        }
        fixture_turn(world);
    }
    fixture_check(world);
    fixture_close(world);
}
END_TEST

RUN("maze: play", random_play_keeps_the_invariants_and_the_views_true, a_loaded_world_goes_on_exactly_as_the_saved_one,
    a_damaged_save_is_refused_or_harmless, a_save_that_ends_early_is_refused, sixty_four_players_fit_into_a_large_maze)
