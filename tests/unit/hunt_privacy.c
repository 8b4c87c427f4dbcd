/* That a player's view holds nothing that he cannot see: two worlds that differ only in that give the same updates.
 */
#include "hunt_fixture.h"

#include <string.h>

enum { OTHERS = 5, TOUCHED = 24 };

/* things that lie about */

/* What was changed in the second world. */
struct hidden {
    cell cells[TOUCHED + 2 * OTHERS];
    uint32_t count;
};

static cell unseen_cell(const hunt *game, uint64_t *seed)
{
    for (;;) {
        const cell at = (cell)suite_random(seed, game->cells);
        if (!is_border(game, at) && !is_seen(&game->players[0], at)) {
            return at;
        }
    }
}

/* Walls, doors, mines and players where seat 0 cannot see them. */
static void change_what_is_hidden(hunt *game, struct hidden *hidden, uint64_t *seed)
{
    static const uint8_t terrain[] = {TILE_FLOOR, TILE_HORIZONTAL, TILE_SLASH, TILE_DOOR, TILE_CROSS};
    hidden->count = 0;
    for (int i = 0; i < TOUCHED; i++) {
        const cell at = unseen_cell(game, seed);
        if (game->player_at[at] != 0) {
            continue;
        }
        game->item[at] = 0;
        game->terrain[at] = terrain[suite_random(seed, 5)];
        if (game->terrain[at] == TILE_FLOOR && suite_random(seed, 2)) {
            game->item[at] = suite_random(seed, 2) ? TILE_SMALL_MINE : TILE_LARGE_MINE;
        }
        maze_refresh(game, at);
        hidden->cells[hidden->count++] = at;
    }
    for (uint32_t seat = 1; seat <= OTHERS; seat++) {
        struct player *who = &game->players[seat];
        const cell to = unseen_cell(game, seed);
        if (who->state == SEAT_PLAYING && who->flying == 0 && !is_seen(&game->players[0], who->at) &&
            maze_is_empty(game, to)) {
            hidden->cells[hidden->count++] = who->at;
            game->player_at[who->at] = 0;
            who->at = to;
            game->player_at[to] = (uint8_t)(seat + 1);
            who->facing = (uint8_t)suite_random(seed, DIRECTIONS);
            who->ammo = suite_random(seed, 100);
            who->boots = 0;
            hidden->cells[hidden->count++] = to;
        }
    }
}

static bool any_is_seen(const hunt *game, const struct hidden *hidden)
{
    for (uint32_t i = 0; i < hidden->count; i++) {
        if (is_seen(&game->players[0], hidden->cells[i])) {
            return true;
        }
    }
    return false;
}

/* Seat 0 walks and turns; the others turn where they stand. */
static void add_quiet_inputs(fixture *world, uint64_t seed)
{
    fixture_add(world, 0, suite_random(&seed, 2) ? ACTION_MOVE : ACTION_FACE, 2 * suite_random(&seed, 4));
    for (uint32_t seat = 1; seat <= OTHERS; seat++) {
        if (player(world, seat)->state == SEAT_PLAYING) {
            fixture_add(world, seat, ACTION_FACE, 2 * suite_random(&seed, 4));
        }
    }
}

static const ProtobufCBinaryData *update_of_seat_0(const fixture *world)
{
    for (size_t i = 0; i < world->done->n_updates; i++) {
        if (world->done->updates[i]->has_seat && world->done->updates[i]->seat == 0) {
            return &world->done->updates[i]->update;
        }
    }
    return NULL;
}

static void play_to_somewhere(fixture *world, uint64_t *seed, bool scanning)
{
    for (uint32_t seat = 0; seat <= OTHERS; seat++) {
        join_as(world, seat, (const char *const[]){"ann", "bob", "cid", "dan", "eve", "fay"}[seat],
                scanning && seat == 0 ? ENTER_SCANNING : ENTER_CLOAKED);
    }
    for (int turn = 0; turn < 40; turn++) {
        for (uint32_t seat = 0; seat <= OTHERS; seat++) {
            fixture_add(world, seat, suite_random(seed, 3) ? ACTION_MOVE : ACTION_FIRE, 2 * suite_random(seed, 4));
        }
        fixture_turn(world);
    }
    pass(world, 40); /* shots and explosions are over */
}

/* Explosions that are not the same in both worlds: everybody sees them, and what they leave there. */
struct told {
    bool cells[31 * 17], any;
};

/* What the last turn told seat 0 of explosions. */
static void expect_effects_where_it_explodes(const fixture *world)
{
    const Warren__Update *update = fixture_update(world, 0);
    for (size_t i = 0; update->delta != NULL && i < update->delta->n_effects; i++) {
        const Warren__Effect *effect = update->delta->effects[i];
        REQUIRE(effect->kind != WARREN__EFFECT_KIND__EFFECT_EXPLOSION || fixture_game(world)->blast[effect->at] != 0);
    }
}

static bool effects_differ(const fixture *one, const fixture *other)
{
    const Warren__Delta *first = fixture_update(one, 0)->delta, *second = fixture_update(other, 0)->delta;
    const size_t count = first != NULL ? first->n_effects : 0;
    if (count != (second != NULL ? second->n_effects : 0)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (first->effects[i]->kind != second->effects[i]->kind || first->effects[i]->at != second->effects[i]->at ||
            first->effects[i]->radius != second->effects[i]->radius) {
            return true;
        }
    }
    return false;
}

static void note_explosions(const fixture *one, const fixture *other, struct told *told)
{
    const hunt *game = fixture_game(one), *changed = fixture_game(other);
    expect_effects_where_it_explodes(one);
    expect_effects_where_it_explodes(other);
    told->any = told->any || effects_differ(one, other);
    for (uint32_t at = 0; at < game->cells; at++) {
        if (game->blast[at] != changed->blast[at] || game->blast_left[at] != changed->blast_left[at]) {
            told->cells[at] = told->any = true;
        }
    }
}

/* One pair of worlds; how many turns could be compared. */
static uint32_t compare(uint64_t *seed, bool scanning)
{
    wn_error error = {0};
    fixture *one =
        fixture_open(suite_random64(seed), "width=31 height=17 maxdam=1000 maxremove=10000 pdrone=0 mines=3 boots=no");
    play_to_somewhere(one, seed, scanning);
    wn_buffer snapshot = {0};
    wn_hosted_save(one->hosted, &snapshot);
    fixture *other = fixture_load(one, &snapshot, &error);
    ck_assert_msg(other != NULL, "%s", error.text);
    struct hidden hidden;
    change_what_is_hidden(fixture_game(other), &hidden, seed);
    fixture_watch(one, 0, false);
    fixture_watch(one, 0, true);
    fixture_watch(other, 0, true);
    uint32_t compared = 0;
    struct told told = {0};
    for (int turn = 0; turn < 20; turn++) {
        const uint64_t inputs = suite_random64(seed);
        add_quiet_inputs(one, inputs);
        add_quiet_inputs(other, inputs);
        fixture_turn(one);
        fixture_turn(other);
        note_explosions(one, other, &told);
        if (told.any || any_is_seen(fixture_game(one), &hidden) || any_is_seen(fixture_game(other), &hidden)) {
            break;
        }
        const ProtobufCBinaryData *first = update_of_seat_0(one), *second = update_of_seat_0(other);
        ck_assert_uint_eq(first->len, second->len);
        REQUIRE(memcmp(first->data, second->data, first->len) == 0);
        compared++;
    }
    wn_buffer_free(&snapshot);
    fixture_close(other);
    fixture_close(one);
    return compared;
}

START_TEST(what_a_player_cannot_see_or_scan_does_not_change_his_view)
{
    uint64_t seed = fixture_seed();
    uint32_t compared = 0;
    for (int i = 0; i < 300; i++) {
        compared += compare(&seed, i % 2 == 0);
    }
    printf("%u turns compared\n", compared);
    ck_assert_uint_gt(compared, 300);
}
END_TEST

/* players who act: one of them does something else in the other world */

/* Nothing by chance, nobody dies, no wall comes back, no scan or cloak ends: what the one does reaches seat 0 on the
 * ways of the rules only. */
static const char no_ways[] = "width=31 height=17 maxdam=10000 pmiss=0 pgren_catch=0 pshot_coll=0 pgren_coll=0 "
                              "ptrip_face=0 ptrip_side=0 ptrip_back=0 pdrone=0 prandom=0 preflect=0 boots=no mines=3 "
                              "maxremove=10000 cloaklen=10000 scanlen=10000 ishots=2000 maxncshot=1000";

/* Is there anything in sight of seat 0 that is not the same in both worlds? */
static bool difference_is_seen(const hunt *one, const hunt *other)
{
    for (uint32_t at = 0; at < one->cells; at++) {
        const bool seen = is_seen(&one->players[0], (cell)at) || is_seen(&other->players[0], (cell)at);
        if (seen && (one->truth[at] != other->truth[at] || one->terrain[at] != other->terrain[at] ||
                     one->player_at[at] != other->player_at[at] || one->blast[at] != other->blast[at])) {
            return true;
        }
    }
    const uint64_t sighted = one->players[0].sighted | other->players[0].sighted;
    for (uint64_t left = sighted & ~seat_bit(0); left != 0;) {
        const uint32_t seat = next_seat(&left);
        if (one->players[seat].facing != other->players[seat].facing) {
            return true;
        }
    }
    return false;
}

static bool worlds_differ(const hunt *one, const hunt *other)
{
    for (uint32_t seat = 1; seat <= OTHERS; seat++) {
        const struct player *who = &one->players[seat], *same = &other->players[seat];
        if (who->at != same->at || who->facing != same->facing || who->ammo != same->ammo) {
            return true;
        }
    }
    return one->shot_total != other->shot_total;
}

/* Byte for byte, as long as no explosion told anything; from then on cell by cell, but for those that did. */
static void expect_same_view(const fixture *one, const fixture *other, const struct told *told)
{
    if (!told->any) {
        const ProtobufCBinaryData *first = update_of_seat_0(one), *second = update_of_seat_0(other);
        ck_assert_uint_eq(first->len, second->len);
        REQUIRE(memcmp(first->data, second->data, first->len) == 0);
    }
    wn_view_state views[2];
    wn_hosted_view(one->hosted, 0, &views[0]);
    wn_hosted_view(other->hosted, 0, &views[1]);
    for (uint32_t at = 0; at < fixture_game(one)->cells; at++) {
        REQUIRE(told->cells[at] || views[0].cells[at] == views[1].cells[at]);
    }
    REQUIRE(views[0].sprite_count == views[1].sprite_count);
    for (uint32_t i = 0; i < views[0].sprite_count; i++) {
        const wn_view_sprite *first = &views[0].sprites[i], *second = &views[1].sprites[i];
        REQUIRE(first->id == second->id && first->at == second->at && first->tile == second->tile &&
                first->facing == second->facing);
    }
}

static void add_action(fixture *world, uint32_t seat, uint64_t *seed)
{
    static const uint32_t actions[] = {ACTION_MOVE,     ACTION_MOVE, ACTION_FACE,    ACTION_FIRE,
                                       ACTION_FIRE + 1, ACTION_OOZE, ACTION_FIRE + 2};
    fixture_add(world, seat, actions[suite_random(seed, sizeof actions / sizeof actions[0])],
                2 * suite_random(seed, 4));
}

/* What was tried. */
struct tried {
    uint32_t same_bytes, same_cells, shooting;
};

static void compare_shooting(uint64_t *seed, bool scanning, struct tried *tried)
{
    wn_error error = {0};
    fixture *one = fixture_open(suite_random64(seed), no_ways);
    play_to_somewhere(one, seed, scanning);
    wn_buffer snapshot = {0};
    wn_hosted_save(one->hosted, &snapshot);
    fixture *other = fixture_load(one, &snapshot, &error);
    ck_assert_msg(other != NULL, "%s", error.text);
    fixture_watch(one, 0, false);
    fixture_watch(one, 0, true);
    fixture_watch(other, 0, true);
    struct told told = {0};
    for (int turn = 0; turn < 12; turn++) {
        uint64_t same = suite_random64(seed), also = same, own = suite_random64(seed);
        for (uint32_t seat = 0; seat < OTHERS; seat++) {
            add_action(one, seat, &same);
            add_action(other, seat, &also);
        }
        add_action(one, OTHERS, &own);
        add_action(other, OTHERS, seed);
        fixture_turn(one);
        fixture_turn(other);
        const hunt *game = fixture_game(one), *changed = fixture_game(other);
        note_explosions(one, other, &told);
        if (difference_is_seen(game, changed)) {
            break;
        }
        expect_same_view(one, other, &told);
        if (worlds_differ(game, changed)) {
            tried->same_bytes += !told.any;
            tried->same_cells += told.any;
            tried->shooting += game->shot_total != changed->shot_total;
        }
    }
    wn_buffer_free(&snapshot);
    fixture_close(other);
    fixture_close(one);
}

START_TEST(what_somebody_out_of_sight_does_does_not_change_a_view)
{
    uint64_t seed = fixture_seed();
    struct tried tried = {0};
    for (int i = 0; i < 300; i++) {
        compare_shooting(&seed, i % 2 == 0, &tried);
    }
    printf("%u turns with the same bytes, %u with the same cells but for explosions, %u with other shots in the air\n",
           tried.same_bytes, tried.same_cells, tried.shooting);
    ck_assert_uint_gt(tried.same_bytes, 100);
    ck_assert_uint_gt(tried.same_cells, 100);
    ck_assert_uint_gt(tried.shooting, 100);
}
END_TEST

/* And that the tests above would notice: what he does see changes it. */
START_TEST(what_a_player_sees_changes_his_view)
{
    fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                     "|>       }  |", //
                                                     "+-----------+", NULL});
    face(world, 1, WEST);
    ck_assert_int_eq(view_glyph(world, 0, 9, 1), '{');
    fixture_close(world);
}
END_TEST

START_TEST(without_monitors_spectators_see_nothing_but_that)
{
    uint64_t seed = fixture_seed();
    fixture *world =
        fixture_open(seed, "monitors=no spectator_delay=off maxdam=1 ishots=500 maxncshot=1000 volcano_max=1");
    fixture_watch(world, WN_SPECTATORS, true);
    wn_view_state view;
    uint32_t explosions = 0;
    for (int turn = 0; turn < 300; turn++) {
        for (uint32_t seat = 0; seat <= OTHERS; seat++) {
            if (player(world, seat)->state == SEAT_FREE) {
                fixture_add_join(world, seat, (const char *const[]){"ann", "bob", "cid", "dan", "eve", "fay"}[seat]);
            } else {
                add_action(world, seat, &seed);
            }
        }
        fixture_turn(world);
        explosions += fixture_game(world)->blast_count > 0;
        REQUIRE(fixture_update(world, WN_SPECTATORS) == NULL); /* after the keyframe there is nothing to tell */
    }
    ck_assert_uint_gt(explosions, 100);
    wn_hosted_view(world->hosted, WN_SPECTATORS, &view);
    ck_assert_uint_eq(view.width, 51);
    ck_assert_uint_eq(view.sprite_count, 0);
    ck_assert_ptr_nonnull(strstr(view.banner, "cannot be watched"));
    for (uint32_t at = 0; at < view.width * view.height; at++) {
        REQUIRE(view.cells[at] == WN_CELL(TILE_UNKNOWN));
    }
    fixture_close(world);
}
END_TEST

/* What everybody is told, all who play are told without monitors, too. */
START_TEST(without_monitors_players_are_told_as_ever)
{
    fixture *world = scene("monitors=no volcano_max=1", (const char *const[]){"+-----------+", //
                                                                              "|>       }  |", //
                                                                              "|           |", //
                                                                              "|           |", //
                                                                              "|           |", //
                                                                              "+-----------+", NULL});
    fixture_game(world)->volcano = 100;
    player(world, 1)->damage = 10;
    struct shot shot = shots_bomb(1, player(world, 1)->at, EAST);
    shot.exploding = true;
    shots_add(fixture_world(world), shot);
    pass(world, 1);
    ck_assert_uint_eq(heard(world, 0, "Volcano eruption."), 1);
    const Warren__Delta *delta = fixture_update(world, 0)->delta;
    uint32_t explosions = 0;
    for (size_t i = 0; i < delta->n_effects; i++) {
        explosions += delta->effects[i]->kind == WARREN__EFFECT_KIND__EFFECT_EXPLOSION;
    }
    ck_assert_uint_ge(explosions, 1);
    fixture_close(world);
}
END_TEST

RUN("hunt: privacy", what_a_player_cannot_see_or_scan_does_not_change_his_view,
    what_somebody_out_of_sight_does_does_not_change_a_view, what_a_player_sees_changes_his_view,
    without_monitors_spectators_see_nothing_but_that, without_monitors_players_are_told_as_ever)
