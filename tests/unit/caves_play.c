/* caves_play.c: long random play with random settings: invariants, determinism, save and load, and views that show
 * what the state is.
 */
#include "caves_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 4 };

static void random_settings(uint64_t *seed, char *text, size_t size)
{
    static const char *const yes_no[] = {"no", "yes"};
    snprintf(text, size,
             "width=%u height=%u smoothing=%u lichens=%u bunnies=%u silverfish=%u growth_permille=%u lichen_hp=%u "
             "attack=%u defence=%u mortal=%s pvp=%s wait_ms=%u overrun=%u sight=%u",
             16 + suite_random(seed, 70), 16 + suite_random(seed, 40), suite_random(seed, 3), suite_random(seed, 15),
             suite_random(seed, 15), suite_random(seed, 15), suite_random(seed, 3) * suite_random(seed, 20),
             1 + suite_random(seed, 6), 1 + suite_random(seed, 9), suite_random(seed, 4), yes_no[suite_random(seed, 2)],
             yes_no[suite_random(seed, 2)], suite_random(seed, 2) * 100, 40 + suite_random(seed, 61),
             suite_random(seed, 2) * (1 + suite_random(seed, 40)));
}

/* Adds one turn's random inputs: mostly steps, some of everything else. */
static void add_random_inputs(fixture *world, uint64_t *seed)
{
    const caves *game = fixture_game(world);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const uint32_t dice = suite_random(seed, 40);
        if (!game->seats[i].taken) {
            if (dice < 8) {
                fixture_add_join(world, i, "someone");
            }
        } else if (dice == 0) {
            fixture_add_leave(world, i);
        } else if (dice < 3) {
            fixture_add(world, i, ACTION_REGIONS, 0);
        } else if (dice < 5) {
            fixture_add(world, i, ACTION_REST, 0);
        } else if (dice < 25) {
            fixture_add(world, i, ACTION_STEP, suite_random(seed, 9));
        }
    }
    if (wn_hosted_wake_ms(world->hosted) > 0 && suite_random(seed, 3) == 0) {
        fixture_add_wake(world);
    }
}

static void watch_some(fixture *world, uint64_t *seed)
{
    const int32_t seat_number = (int32_t)suite_random(seed, PLAYERS + 1) - 1;
    fixture_watch(world, seat_number, suite_random(seed, 4) != 0);
}

/* views */

/* Fails unless a view that was kept up by drawing changes shows what one drawn from nothing does. */
static void check_view(fixture *world, int32_t seat_number)
{
    wn_view_state kept, fresh;
    wn_hosted_view(world->hosted, seat_number, &kept);
    if (kept.cells == NULL || (seat_number >= 0 && !fixture_game(world)->seats[seat_number].taken)) {
        return;
    }
    const size_t cells = (size_t)kept.width * kept.height * sizeof *kept.cells;
    uint16_t *kept_cells = malloc(cells);
    wn_view_sprite *kept_sprites = malloc((kept.sprite_count + 1) * sizeof *kept_sprites);
    REQUIRE(kept_cells != NULL && kept_sprites != NULL);
    memcpy(kept_cells, kept.cells, cells);
    memcpy(kept_sprites, kept.sprites, kept.sprite_count * sizeof *kept_sprites);
    char *banner = strdup(kept.banner != NULL ? kept.banner : "");
    fixture_watch(world, seat_number, false);
    fixture_watch(world, seat_number, true);
    wn_hosted_view(world->hosted, seat_number, &fresh);
    REQUIRE(fresh.width == kept.width);
    REQUIRE(memcmp(fresh.cells, kept_cells, cells) == 0);
    REQUIRE(fresh.sprite_count == kept.sprite_count);
    for (uint32_t i = 0; i < fresh.sprite_count; i++) {
        REQUIRE(fresh.sprites[i].id == kept_sprites[i].id);
        REQUIRE(fresh.sprites[i].at == kept_sprites[i].at);
        REQUIRE(fresh.sprites[i].tile == kept_sprites[i].tile);
    }
    ck_assert_str_eq(fresh.banner != NULL ? fresh.banner : "", banner);
    free(banner);
    free(kept_sprites);
    free(kept_cells);
}

/* The terrain and the entities of the state are what a view shows. */
static void check_spectators(const fixture *world)
{
    const caves *game = fixture_game(world);
    wn_view_state view;
    wn_hosted_view(world->hosted, WN_SPECTATORS, &view);
    if (view.cells == NULL) {
        return;
    }
    for (uint32_t i = 0; i < view.width * view.height; i++) {
        const bool floor = cave_is_floor(&game->map, (position){(int32_t)(i % view.width), (int32_t)(i / view.width)});
        REQUIRE(view.cells[i] == (floor ? WN_CELL(TILE_FLOOR) : WN_CELL(TILE_WALL)));
    }
    REQUIRE(view.sprite_count == game->entities.count);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        const uint32_t at = view.sprites[i].at;
        const entity *who = fixture_find(world, (int32_t)(at % view.width), (int32_t)(at / view.width));
        REQUIRE(who != NULL);
        REQUIRE(who->id == view.sprites[i].id);
    }
}

START_TEST(random_play_keeps_the_invariants_and_the_views_true)
{
    uint64_t seed = fixture_seed();
    for (int game = 0; game < 40; game++) {
        char settings[512];
        random_settings(&seed, settings, sizeof settings);
        wn_error error = {0};
        fixture *world = fixture_try(suite_random64(&seed), settings, &error);
        if (world == NULL) {
            continue; /* not enough floor for all of them */
        }
        for (int turn = 0; turn < 150; turn++) {
            watch_some(world, &seed);
            add_random_inputs(world, &seed);
            fixture_turn(world);
            fixture_check(world);
            check_spectators(world);
            for (int32_t i = WN_SPECTATORS; i < PLAYERS && turn % 5 == 0; i++) {
                check_view(world, i);
            }
            if (world->done->over != NULL) {
                break;
            }
        }
        fixture_close(world);
    }
}
END_TEST

/* Creatures that no view has room for as sprites. */
START_TEST(more_creatures_than_sprites_are_drawn_as_cells)
{
    fixture *world = fixture_open(fixture_seed(), "width=200 height=100 lichens=5000 growth_permille=0 overrun=100");
    const caves *game = fixture_game(world);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    join(world, 1, "bob");
    for (int turn = 0; turn < 100; turn++) {
        fixture_step(world, (uint32_t)turn % 2, (uint32_t)(turn / 5) % 8);
        check_view(world, 0);
    }
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    uint32_t cells = 0;
    for (uint32_t i = 0; i < view.width * view.height; i++) {
        cells += view.cells[i] == WN_CELL(TILE_LICHEN);
    }
    ck_assert_uint_le(view.sprite_count, WN_MAX_SPRITES);
    ck_assert_uint_eq(cells + view.sprite_count, game->entities.count);
    ck_assert_uint_gt(game->seats[0].kills + game->seats[1].kills, 5);
    fixture_close(world);
}
END_TEST

START_TEST(a_turn_with_more_changes_than_the_list_holds_shows_everything)
{
    uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "bunnies=270 silverfish=30");
    fixture_watch(world, WN_SPECTATORS, true);
    for (int turn = 0; turn < 60; turn++) {
        add_random_inputs(world, &seed);
        fixture_turn(world);
        check_spectators(world);
        if (turn % 3 == 0) {
            check_view(world, WN_SPECTATORS);
        }
    }
    fixture_close(world);
}
END_TEST

/* Joins and leaves do not know of turns, so what they change is kept until the turn() after the next one. */
START_TEST(joins_and_leaves_without_a_turn_may_fill_the_list)
{
    fixture *world = fixture_open(fixture_seed(), "growth_permille=0");
    fixture_watch(world, WN_SPECTATORS, true);
    join(world, 0, "steady");
    for (int i = 0; i < 400; i++) {
        if (i % 2 == 0) {
            join(world, 5, "restless");
        } else {
            leave(world, 5);
        }
        check_spectators(world);
    }
    fixture_add_join(world, 5, "restless"); /* finds the list full, and turn() comes after it */
    fixture_add(world, 0, ACTION_REST, 0);
    fixture_turn(world);
    check_spectators(world);
    for (uint32_t i = 0; i < 8; i++) {
        fixture_step(world, 0, i);
        check_spectators(world);
    }
    ck_assert(!fixture_game(world)->changes.overflow);
    fixture_close(world);
}
END_TEST

START_TEST(the_same_inputs_give_the_same_world)
{
    uint64_t seed = fixture_seed();
    for (int game = 0; game < 10; game++) {
        char settings[512];
        random_settings(&seed, settings, sizeof settings);
        wn_error error = {0};
        const uint64_t world_seed = suite_random64(&seed);
        fixture *one = fixture_try(world_seed, settings, &error), *other = fixture_try(world_seed, settings, &error);
        if (one == NULL) {
            ck_assert_ptr_null(other);
            continue;
        }
        fixture *stranger = fixture_try(world_seed + 1, settings, &error);
        ck_assert(stranger == NULL || wn_hosted_hash(stranger->hosted) != wn_hosted_hash(one->hosted));
        uint64_t same = seed;
        for (int turn = 0; turn < 100; turn++) {
            watch_some(one, &seed); /* who looks on changes nothing */
            same = seed;
            add_random_inputs(one, &seed);
            add_random_inputs(other, &same);
            fixture_turn(one);
            fixture_turn(other);
            ck_assert_uint_eq(wn_hosted_hash(one->hosted), wn_hosted_hash(other->hosted));
            if (one->done->over != NULL) {
                break;
            }
        }
        fixture_close(one);
        fixture_close(other);
        if (stranger != NULL) {
            fixture_close(stranger);
        }
    }
}
END_TEST

/* save, load */

/* Loads the world anew at every turn, and lets each copy play the next turns beside the original. */
START_TEST(a_loaded_world_goes_on_exactly_as_the_saved_one)
{
    uint64_t seed = fixture_seed();
    for (int game = 0; game < 12; game++) {
        char settings[512];
        random_settings(&seed, settings, sizeof settings);
        wn_error error = {0};
        fixture *world = fixture_try(suite_random64(&seed), settings, &error);
        fixture *copy = NULL;
        for (int turn = 0; world != NULL && turn < 80; turn++) {
            wn_buffer snapshot = {0};
            if (copy != NULL) {
                fixture_close(copy);
            }
            wn_hosted_save(world->hosted, &snapshot);
            copy = fixture_load(world, &snapshot, &error);
            ck_assert_msg(copy != NULL, "%s", error.text);
            wn_buffer_free(&snapshot);
            ck_assert_uint_eq(wn_hosted_hash(world->hosted), wn_hosted_hash(copy->hosted));
            for (int more = 0; more < 3; more++) {
                uint64_t same = seed;
                add_random_inputs(world, &seed);
                add_random_inputs(copy, &same);
                fixture_turn(world);
                fixture_turn(copy);
                fixture_check(copy);
                ck_assert_uint_eq(wn_hosted_hash(world->hosted), wn_hosted_hash(copy->hosted));
                ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), wn_hosted_wake_ms(copy->hosted));
            }
            if (world->done->over != NULL) {
                break;
            }
        }
        if (world != NULL) {
            fixture_close(copy);
            fixture_close(world);
        }
    }
}
END_TEST

/* A world with everything in it. */
static fixture *open_busy(void)
{
    fixture *world =
        fixture_open(fixture_seed(), "width=40 height=20 lichens=9 bunnies=5 silverfish=5 wait_ms=100 sight=12");
    join(world, 0, "ann");
    join(world, 2, "bob");
    fixture_act(world, 0, ACTION_REGIONS, 0);
    fixture_step(world, 0, WN_EAST); /* waits */
    return world;
}

static void play_on(fixture *world, uint64_t *seed)
{
    (void)seed;
    fixture_check(world);
    fixture_watch(world, 0, true);
    fixture_watch(world, WN_SPECTATORS, true);
    for (uint32_t i = 0; i < 3; i++) {
        fixture_step(world, 0, i);
    }
    fixture_check(world);
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

/* Breaks one thing in the state of a world before it is saved. */
typedef void damage(caves *game);

static void two_in_a_cell(caves *game)
{
    game->entities.all[1].x = game->entities.all[0].x;
    game->entities.all[1].y = game->entities.all[0].y;
}
static void two_with_one_id(caves *game)
{
    game->entities.all[1].id = game->entities.all[0].id;
}
static void no_id(caves *game)
{
    game->entities.all[1].id = 0;
}
static void id_from_the_future(caves *game)
{
    game->entities.all[1].id = game->entities.last_id + 1;
}
static void off_the_map(caves *game)
{
    game->entities.all[1].x = (uint16_t)game->map.width;
}
static void of_no_kind(caves *game)
{
    game->entities.all[1].kind = KIND_COUNT;
}
static void too_healthy(caves *game)
{
    game->entities.all[1].hit_points = 1000;
}
static void dead(caves *game)
{
    game->entities.all[1].hit_points = 0;
}
static void in_a_wall(caves *game)
{
    const position at = entity_at(&game->entities.all[1]);
    game->map.floor[cave_word(&game->map, at)] &= ~cave_bit(at);
}
static void floor_outside(caves *game)
{
    game->map.floor[2 * game->map.stride - 1] |= UINT64_C(1) << 63;
}
static void in_a_free_seat(caves *game)
{
    game->entities.all[game->seats[0].entity].seat = 1;
}
static void in_a_strange_seat(caves *game)
{
    game->entities.all[game->seats[0].entity].seat = 200;
}
static void two_in_a_seat(caves *game)
{
    game->entities.all[game->seats[0].entity].seat = 2;
}
static void unknown_command(caves *game)
{
    game->seats[0].held = 77;
}
static void unknown_direction(caves *game)
{
    game->seats[0].argument = 9;
}
static void unknown_outcome(caves *game)
{
    game->outcome = OUTCOME_COUNT;
}
static void another_size(caves *game)
{
    game->map.width--;
}

START_TEST(a_save_of_nonsense_is_refused)
{
    static damage *const all[] = {
        two_in_a_cell,   two_with_one_id,   no_id,         id_from_the_future, off_the_map,
        of_no_kind,      too_healthy,       dead,          in_a_wall,          floor_outside,
        in_a_free_seat,  in_a_strange_seat, two_in_a_seat, unknown_command,    unknown_direction,
        unknown_outcome, another_size};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        wn_buffer damaged = {0};
        fixture *world = open_busy();
        all[i](fixture_game(world));
        wn_hosted_save(world->hosted, &damaged);
        wn_error error = {0};
        ck_assert_msg(fixture_load(world, &damaged, &error) == NULL, "damage %zu was loaded", i);
        ck_assert_msg(strstr(error.text, "saved cave is damaged") != NULL, "damage %zu: %s", i, error.text);
        wn_buffer_free(&damaged);
        fixture_close(world);
    }
}
END_TEST

/* Cells that a delta names; that they are few is what makes a turn cheap. */
START_TEST(an_update_holds_what_changed_and_no_more)
{
    fixture *world = fixture_open(fixture_seed(), "lichens=30 bunnies=20 silverfish=4 growth_permille=0");
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_rest(world, 0);
    for (int turn = 0; turn < 50; turn++) {
        fixture_step(world, 0, (uint32_t)turn % 8);
        const Warren__Update *update = fixture_update(world, 0);
        ck_assert_int_eq(update->body_case, WARREN__UPDATE__BODY_DELTA);
        ck_assert_uint_le(update->delta->n_sprites, 1 + 20 + 4); /* who can move */
        ck_assert_uint_le(update->delta->n_cells, 4);            /* at most one cell dug */
        ck_assert_uint_eq(update->delta->n_board, update->delta->n_gone);
    }
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {random_play_keeps_the_invariants_and_the_views_true,
                                  more_creatures_than_sprites_are_drawn_as_cells,
                                  a_turn_with_more_changes_than_the_list_holds_shows_everything,
                                  joins_and_leaves_without_a_turn_may_fill_the_list,
                                  the_same_inputs_give_the_same_world,
                                  a_loaded_world_goes_on_exactly_as_the_saved_one,
                                  a_damaged_save_is_refused_or_harmless,
                                  a_save_that_ends_early_is_refused,
                                  a_save_of_nonsense_is_refused,
                                  an_update_holds_what_changed_and_no_more};
    return suite_run("caves: play", tests, sizeof tests / sizeof tests[0]);
}
