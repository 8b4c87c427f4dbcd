/* Rules: entering, walking and stabbing, damage, kills, deaths and what they leave, scores.
 */
#include "hunt_fixture.h"

#include <string.h>

static const char *const duel[] = {"+-----------+", //
                                   "|>}         |", //
                                   "+-----------+", NULL};

/* entering */

START_TEST(those_who_are_there_get_five_charges_and_the_newcomer_five_for_each)
{
    fixture *world = fixture_open(fixture_seed(), "");
    join(world, 0, "ann");
    ck_assert_uint_eq(player(world, 0)->ammo, 15);
    join(world, 5, "bob");
    ck_assert_uint_eq(player(world, 0)->ammo, 20);
    ck_assert_uint_eq(player(world, 5)->ammo, 20);
    join(world, 2, "cid");
    ck_assert_uint_eq(player(world, 0)->ammo, 25);
    ck_assert_uint_eq(player(world, 5)->ammo, 25);
    ck_assert_uint_eq(player(world, 2)->ammo, 25);
    ck_assert_uint_eq(player(world, 2)->damage, 0);
    ck_assert_uint_eq(player(world, 2)->capacity, 10);
    fixture_close(world);
}
END_TEST

static const char *card(const fixture *world, int32_t seat)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    return view.banner != NULL ? view.banner : "";
}

START_TEST(who_was_never_here_is_shown_a_card_until_the_first_command)
{
    fixture *world = fixture_open(fixture_seed(), "");
    join(world, 0, "ann");
    join(world, 1, "bob");
    for (int32_t seat = WN_SPECTATORS; seat < 2; seat++) {
        fixture_watch(world, seat, true);
    }
    ck_assert_ptr_nonnull(strstr(card(world, 0), "your first command hides this"));
    ck_assert_str_ne(card(world, 1), "");
    ck_assert_str_eq(card(world, WN_SPECTATORS), "");
    const uint32_t facing = (player(world, 0)->facing + 1u) % DIRECTIONS;
    face(world, 0, facing);
    ck_assert_uint_eq(player(world, 0)->facing, facing); /* the command was obeyed */
    ck_assert_str_eq(card(world, 0), "");
    ck_assert_str_ne(card(world, 1), ""); /* the game goes on meanwhile */
    fixture_reload(world);
    ck_assert_str_eq(card(world, 0), "");
    ck_assert_str_ne(card(world, 1), "");
    fixture_watch(world, 0, false);
    leave(world, 0);
    join(world, 0, "ann"); /* not again */
    fixture_watch(world, 0, true);
    ck_assert_str_eq(card(world, 0), "");
    fixture_close(world);
}
END_TEST

START_TEST(a_small_and_a_large_mine_are_laid_for_everyone_who_enters)
{
    fixture *world = fixture_open(fixture_seed(), "");
    const hunt *game = fixture_game(world);
    for (uint32_t seat = 0; seat < 10; seat++) {
        uint32_t small = 0, large = 0;
        for (uint32_t at = 0; at < game->cells; at++) {
            small += game->item[at] == TILE_SMALL_MINE;
            large += game->item[at] == TILE_LARGE_MINE;
        }
        ck_assert_uint_eq(small, seat);
        ck_assert_uint_eq(large, seat);
        join(world, seat, "someone");
        ck_assert(game->terrain[player(world, seat)->at] == TILE_FLOOR);
    }
    fixture_close(world);
}
END_TEST

START_TEST(you_enter_cloaked_scanning_or_flying)
{
    fixture *world = fixture_open(fixture_seed(), "");
    join(world, 0, "ann");
    ck_assert_uint_eq(player(world, 0)->cloak, 20);
    ck_assert_uint_eq(player(world, 0)->scan, 0);
    join_as(world, 1, "bob", ENTER_SCANNING);
    ck_assert_uint_eq(player(world, 1)->cloak, 0);
    ck_assert_uint_eq(player(world, 1)->scan, 40);
    join_as(world, 2, "cid", ENTER_FLYING);
    ck_assert_uint_eq(player(world, 2)->cloak, 0);
    ck_assert_uint_eq(player(world, 2)->scan, 0);
    ck_assert(fixture_game(world)->flyers == 4);
    fixture_add_leave(world, 0);
    fixture_turn(world);
    join_as(world, 0, "ann", ENTER_SCANNING);
    ck_assert_uint_eq(player(world, 0)->scan, 60);
    fixture_close(world);
}
END_TEST

START_TEST(a_flight_lasts_up_to_twenty_turns)
{
    uint64_t seed = fixture_seed();
    uint32_t longest = 0;
    for (int i = 0; i < 200; i++) {
        fixture *world = fixture_open(suite_random64(&seed), "mines=0 boots=no");
        join_as(world, 0, "ann", ENTER_FLYING);
        const uint32_t turns = player(world, 0)->flying;
        ck_assert_uint_ge(turns, 1);
        ck_assert_uint_le(turns, 20);
        longest = turns > longest ? turns : longest;
        fixture_close(world);
    }
    ck_assert_uint_ge(longest, 18);
}
END_TEST

START_TEST(names_go_to_twenty_characters_and_a_team_is_one_digit)
{
    fixture *world = fixture_open(fixture_seed(), "");
    join(world, 0, "abcdefghijklmnopqrstuvwxyz");
    ck_assert_str_eq(ident(world, 0)->name, "abcdefghijklmnopqrst");
    ck_assert_int_eq(ident(world, 0)->team, ' ');
    join(world, 1,
         "\xc3\xa9"
         "bcdefghijklmnopqrstuv/7");
    ck_assert_str_eq(ident(world, 1)->name, "\xc3\xa9"
                                            "bcdefghijklmnopqrst");
    ck_assert_int_eq(ident(world, 1)->team, '7');
    fixture_close(world);
}
END_TEST

/* stabbing */

START_TEST(walking_into_a_player_you_face_stabs_him)
{
    fixture *world = scene("", duel);
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 1)->damage, 2);
    face(world, 0, NORTH);
    walk(world, 0, EAST); /* not faced: a bell */
    ck_assert_uint_eq(player(world, 1)->damage, 2);
    ck_assert_uint_ge(fixture_update(world, 0)->delta->n_effects, 1);
    fixture_close(world);
}
END_TEST

START_TEST(you_die_when_damage_exceeds_your_capacity)
{
    fixture *world = scene("", duel);
    for (int i = 0; i < 5; i++) {
        walk(world, 0, EAST);
        ck_assert_ptr_null(ended(world, 1));
    }
    ck_assert_uint_eq(player(world, 1)->damage, 10);
    walk(world, 0, EAST);
    ck_assert_str_eq(ended(world, 1), "Stabbed to death by ann");
    fixture_close(world);
}
END_TEST

/* ann wounded, bob about to die. */
static fixture *last_stab(const char *const *names)
{
    fixture *world = scene_named(names, "", duel);
    player(world, 0)->damage = 7;
    player(world, 1)->damage = 9;
    walk(world, 0, EAST);
    return world;
}

START_TEST(a_kill_gives_capacity_and_takes_damage)
{
    static const char *const names[] = {"ann", "bob", NULL};
    fixture *world = last_stab(names);
    int64_t number = 0, maximum = 0;
    ck_assert_uint_eq(player(world, 0)->capacity, 12);
    ck_assert_uint_eq(player(world, 0)->damage, 5);
    ck_assert(wn_hosted_status(world->hosted, 0, STATUS_KILLS, &number, &maximum, NULL));
    ck_assert_int_eq(number, 1);
    ck_assert(wn_hosted_status(world->hosted, 0, STATUS_DAMAGE, &number, &maximum, NULL));
    ck_assert_int_eq(number, 5);
    ck_assert_int_eq(maximum, 12);
    fixture_close(world);
}
END_TEST

START_TEST(an_enemy_counts_for_and_a_team_mate_against)
{
    static const struct {
        const char *names[3];
        int64_t score;
        stat counted;
    } all[] = {{{"ann", "bob", NULL}, 100, STAT_ENEMIES},
               {{"ann/1", "bob/2", NULL}, 100, STAT_ENEMIES},
               {{"ann/1", "bob/1", NULL}, -100, STAT_FRIENDS}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fixture *world = last_stab(all[i].names);
        ck_assert_int_eq(idents_score(ident(world, 0)), all[i].score);
        ck_assert_uint_eq(ident(world, 0)->stats[all[i].counted], 1);
        fixture_close(world);
    }
}
END_TEST

START_TEST(killing_yourself_counts_against_you)
{
    fixture *world = scene("", (const char *const[]){"+-----+", //
                                                     "|>|   |", //
                                                     "+-----+", NULL});
    player(world, 0)->damage = 10;
    act(world, 0, ACTION_FIRE + 1);
    ck_assert_str_eq(ended(world, 0), "Bombed by ann");
    const struct ident *who = &fixture_game(world)->idents[0];
    ck_assert_int_eq(idents_score(who), -100);
    ck_assert_uint_eq(who->stats[STAT_FRIENDS], 1);
    ck_assert_uint_eq(who->stats[STAT_DEATHS], 1);
    ck_assert_uint_eq(who->stats[STAT_STILL], 0);
    fixture_close(world);
}
END_TEST

START_TEST(who_dies_without_typing_dies_still)
{
    fixture *world = scene("", duel);
    player(world, 1)->damage = 9;
    walk(world, 0, EAST);
    ck_assert_uint_eq(fixture_game(world)->idents[1].stats[STAT_STILL], 1);
    ck_assert_uint_eq(fixture_game(world)->idents[1].stats[STAT_DEATHS], 1);
    fixture_close(world);
}
END_TEST

START_TEST(kills_decay_when_there_are_fifteen_entries)
{
    fixture *world = fixture_open(fixture_seed(), "mines=0");
    join(world, 0, "ann");
    ident(world, 0)->kills = 30 * (int64_t)KILL;
    for (int i = 0; i < 16; i++) {
        fixture_add_leave(world, 0);
        fixture_turn(world);
        join(world, 0, "ann");
        const int64_t kills = i < 14 ? 30 * (int64_t)KILL : i == 14 ? 28 * (int64_t)KILL : 26133333;
        ck_assert_int_eq(ident(world, 0)->kills, kills);
        ck_assert_uint_eq(ident(world, 0)->entries, i < 14 ? (uint32_t)i + 2 : 15);
    }
    ck_assert_int_eq(idents_score(ident(world, 0)), 174);
    fixture_close(world);
}
END_TEST

/* deaths */

/* What kills, and what the dead are told. Someone else's first, then nobody's. */
START_TEST(the_dead_are_told_of_what_they_died_and_by_whom)
{
    static const struct {
        cause what;
        const char *by_ann, *by_nobody;
    } all[] = {{CAUSE_BULLET, "Shot to death by ann", "Shot to death by act of God"},
               {CAUSE_BOMB, "Bombed by ann", "Bombed by act of God"},
               {CAUSE_MINE, "Blown apart by ann", "Blown apart by a mine"},
               {CAUSE_SLIME, "Slimed by ann", "Slimed by act of God"},
               {CAUSE_LAVA, "Baked by ann", "Baked by act of God"},
               {CAUSE_DRONE, "Eliminated by ann", "Eliminated by act of God"},
               {CAUSE_KNIFE, "Stabbed to death by ann", "Stabbed to death by act of God"},
               {CAUSE_FALL, "Killed on impact by ann", "Killed on impact by act of God"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (int nobody = 0; nobody < 2; nobody++) {
            fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                             "|>        } |", //
                                                             "+-----------+", NULL});
            hunt *game = fixture_game(world);
            struct shot shot = shots_bomb(10, player(world, 1)->at, EAST);
            shot.size = 3; /* does not reach ann */
            shot.cause = (uint8_t)all[i].what;
            shot.exploding = true;
            shot.owner = nobody ? NOBODY : 0;
            shot.credit = nobody ? NO_IDENT : player(world, 0)->ident;
            shots_add(fixture_world(world), shot);
            pass(world, 1);
            ck_assert_str_eq(ended(world, 1), nobody ? all[i].by_nobody : all[i].by_ann);
            ck_assert_uint_eq(game->players[1].state, SEAT_FREE);
            fixture_close(world);
        }
    }
}
END_TEST

START_TEST(the_dead_see_it_boxed_in_the_middle_of_the_map)
{
    fixture *world = scene("", (const char *const[]){"+---------------------------+", //
                                                     "|>}                         |", //
                                                     "|---------------------------|", //
                                                     "|                           |", //
                                                     "|---------------------------|", //
                                                     "|                           |", //
                                                     "+---------------------------+", NULL});
    player(world, 1)->damage = 10;
    walk(world, 0, EAST);
    expect_view(world, 1,
                (const char *const[]){"+---------------------------+", //
                                      "|?????                      |", //
                                      "|+-------------------------+|", //
                                      "|| Stabbed to death by ann ||", //
                                      "|+-------------------------+|", //
                                      "|                           |", //
                                      "+---------------------------+", NULL});
    fixture_close(world);
}
END_TEST

/* bob dies with so many charges; what goes off. */
START_TEST(in_a_narrow_maze_the_box_holds_what_it_can)
{
    fixture *world = scene("", (const char *const[]){"+---------+", //
                                                     "|>}       |", //
                                                     "+---------+", NULL});
    player(world, 1)->damage = 10;
    walk(world, 0, EAST);
    expect_view(world, 1,
                (const char *const[]){"+---------+", //
                                      "| Stabbed |", //
                                      "+---------+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(a_dead_players_charges_may_go_off)
{
    uint64_t seed = fixture_seed();
    uint32_t detonations = 0;
    for (int i = 0; i < 200; i++) {
        fixture *world = scene("maxdam=100", duel);
        player(world, 1)->damage = 100;
        player(world, 1)->ammo = 50;
        hunt *game = fixture_game(world);
        for (uint32_t skip = suite_random(&seed, 100); skip > 0; skip--) { /* another chance each time */
            fixture_add(world, 0, ACTION_CLOAK, 0);
            fixture_turn(world);
            if (player(world, 0)->ammo == 0) {
                player(world, 0)->ammo = 10;
            }
        }
        struct shot shot = shots_bomb(0, player(world, 1)->at, EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        const uint32_t total = game->shot_total;
        detonations += heard(world, 0, "bob detonated.");
        ck_assert_uint_eq(total, heard(world, 0, "bob detonated."));
        const uint32_t used = total == 0                          ? 0
                              : game->shots[0].kind == SHOT_SLIME ? game->shots[0].charge / 3
                                                                  : game->shots[0].charge;
        ck_assert_uint_le(used, 25); /* both numbers are below 50 */
        ck_assert_uint_eq(game->volcano, 50 - used);
        ck_assert(total == 0 || game->shots[0].exploding);
        fixture_close(world);
    }
    ck_assert_uint_ge(detonations, 190);
}
END_TEST

START_TEST(a_stabbed_players_charges_do_not_go_off)
{
    fixture *world = scene("", duel);
    player(world, 1)->damage = 9;
    player(world, 1)->ammo = 5000;
    walk(world, 0, EAST);
    ck_assert_str_eq(ended(world, 1), "Stabbed to death by ann");
    ck_assert_uint_eq(fixture_game(world)->shot_total, 0);
    ck_assert_uint_eq(heard(world, 0, "bob detonated."), 0);
    fixture_close(world);
}
END_TEST

START_TEST(what_nobody_used_erupts_as_lava_near_the_middle)
{
    fixture *world = fixture_open(fixture_seed(), "volcano_max=50 pdrone=0 boots=no mines=0");
    join(world, 0, "ann");
    join(world, 1, "bob");
    hunt *game = fixture_game(world);
    game->volcano = 5000; /* a hundred percent */
    player(world, 1)->ammo = 0;
    struct shot shot = shots_bomb(3, player(world, 1)->at, EAST);
    shot.exploding = true;
    fixture_watch(world, WN_SPECTATORS, true);
    shots_add(fixture_world(world), shot);
    pass(world, 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "Volcano eruption."), 1);
    ck_assert_uint_eq(game->volcano, 0);
    ck_assert_uint_eq(game->shot_total, 1);
    ck_assert_uint_eq(game->shots[0].kind, SHOT_LAVA);
    ck_assert_uint_eq(game->shots[0].charge, 5000);
    const int32_t x = cell_x(game, game->shots[0].at), y = cell_y(game, game->shots[0].at);
    ck_assert(x >= 12 && x < 38 && y >= 5 && y < 17);
    fixture_close(world);
}
END_TEST

START_TEST(a_drone_explodes_as_slime_on_the_first_player_it_meets)
{
    fixture *world = scene("maxdam=100 pdroneabsorb=0", (const char *const[]){"+-------------+", //
                                                                              "|          }  |", //
                                                                              "+-------------+", NULL});
    hunt *game = fixture_game(world);
    shots_add(fixture_world(world), (struct shot){.kind = SHOT_DRONE,
                                                  .cause = CAUSE_DRONE,
                                                  .at = cell_at(game, 1, 1),
                                                  .charge = 25,
                                                  .direction = EAST,
                                                  .owner = NOBODY,
                                                  .credit = NO_IDENT});
    for (int32_t x = 2; x <= 10; x++) { /* does not turn back; one cell a turn */
        pass(world, 1);
        ck_assert_int_eq(cell_x(game, game->shots[0].at), x);
        ck_assert_uint_eq(player(world, 1)->damage, 0);
    }
    pass(world, 1);
    ck_assert_uint_ge(player(world, 1)->damage, 5);
    fixture_close(world);
}
END_TEST

START_TEST(landing_costs_up_to_a_fifth_of_your_damage)
{
    uint32_t seen[4] = {0};
    uint64_t seed = fixture_seed();
    for (int i = 0; i < 100; i++) {
        fixture *world = fixture_open(suite_random64(&seed), "mines=0 boots=no");
        join_as(world, 0, "ann", ENTER_FLYING);
        player(world, 0)->damage = 10;
        player(world, 0)->capacity = 20;
        pass(world, 60);
        ck_assert_uint_eq(player(world, 0)->flying, 0);
        ck_assert_uint_ge(player(world, 0)->damage, 10);
        ck_assert_uint_le(player(world, 0)->damage, 12);
        seen[player(world, 0)->damage - 10]++;
        fixture_close(world);
    }
    ck_assert(seen[0] > 10 && seen[1] > 10 && seen[2] > 10);
}
END_TEST

START_TEST(in_the_air_only_quitting_works)
{
    fixture *world = scene("flystep=0", (const char *const[]){"+-----------+", //
                                                              "|>          |", //
                                                              "+-----------+", NULL});
    scene_fly(world, 0, 50, 0, 0);
    const cell at = player(world, 0)->at;
    for (uint32_t action = ACTION_MOVE; action < ACTION_QUIT; action++) {
        fixture_add(world, 0, action, WN_EAST);
        fixture_turn(world);
    }
    ck_assert_uint_eq(player(world, 0)->at, at);
    ck_assert_uint_eq(player(world, 0)->ammo, 15);
    ck_assert_uint_eq(fixture_game(world)->shot_total, 0);
    act(world, 0, ACTION_QUIT);
    ck_assert_str_eq(ended(world, 0), "Quit");
    fixture_close(world);
}
END_TEST

START_TEST(cloak_runs_down_with_your_moves_and_scan_with_everybodys)
{
    fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                     "|>         }|", //
                                                     "+-----------+", NULL});
    act(world, 0, ACTION_CLOAK);
    act(world, 1, ACTION_SCAN);
    ck_assert_uint_eq(player(world, 0)->ammo, 14);
    ck_assert_uint_eq(player(world, 0)->cloak, 20);
    ck_assert_uint_eq(player(world, 1)->scan, 40);
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 0)->cloak, 19);
    ck_assert_uint_eq(player(world, 1)->scan, 39);
    walk(world, 1, WEST);
    ck_assert_uint_eq(player(world, 0)->cloak, 19);
    ck_assert_uint_eq(player(world, 1)->scan, 38);
    act(world, 0, ACTION_CLOAK);
    ck_assert_uint_eq(player(world, 0)->cloak, 39);
    act(world, 0, ACTION_SCAN); /* either ends the other */
    ck_assert_uint_eq(player(world, 0)->cloak, 0);
    ck_assert_uint_eq(player(world, 0)->scan, 40);
    act(world, 0, ACTION_CLOAK);
    ck_assert_uint_eq(player(world, 0)->scan, 0);
    ck_assert_uint_eq(player(world, 0)->cloak, 20);
    fixture_close(world);
}
END_TEST

START_TEST(scores_are_recorded_with_the_statistics_when_a_seat_ends)
{
    fixture *world = scene("", duel);
    player(world, 1)->damage = 9;
    walk(world, 0, EAST);
    bool score = false, deaths = false;
    for (size_t i = 0; i < world->done->n_scores; i++) {
        score = score || strcmp(world->done->scores[i]->table, "score") == 0;
        deaths = deaths || (strcmp(world->done->scores[i]->table, "deaths") == 0 && world->done->scores[i]->value == 1);
    }
    ck_assert(score);
    ck_assert(deaths);
    fixture_close(world);
}
END_TEST

static Warren__MessageKind kind_of(const fixture *world, int32_t seat, const char *text)
{
    ck_assert_msg(heard(world, seat, text) > 0, "seat %d was not told: %s", seat, text);
    const Warren__Delta *delta = fixture_update(world, seat)->delta;
    for (size_t i = 0; i < delta->n_messages; i++) {
        if (strcmp(delta->messages[i]->text, text) == 0) {
            return delta->messages[i]->kind;
        }
    }
    return WARREN__MESSAGE_KIND__MESSAGE_INFO;
}

START_TEST(what_concerns_the_reader_stands_out)
{
    fixture *world = scene("volcano_max=1", (const char *const[]){"+-----------+", //
                                                                  "|> }        |", //
                                                                  "|           |", //
                                                                  "|           |", //
                                                                  "+-----------+", NULL});
    player(world, 1)->capacity = 100;
    act(world, 0, ACTION_OOZE_LAST);
    ck_assert_int_eq(kind_of(world, 1, "You've been slimed."), WARREN__MESSAGE_KIND__MESSAGE_ALERT);
    fixture_game(world)->volcano = 100;
    player(world, 1)->damage = 100;
    struct shot shot = shots_bomb(1, player(world, 1)->at, EAST);
    shot.exploding = true;
    shots_add(fixture_world(world), shot);
    pass(world, 1);
    ck_assert_int_eq(kind_of(world, 0, "Volcano eruption."), WARREN__MESSAGE_KIND__MESSAGE_INFO);
    fixture_close(world);
}
END_TEST

START_TEST(letters_say_that_they_are_for_no_legend)
{
    fixture *world = scene("", duel);
    wn_buffer buffer = {0};
    wn_plugin_describe(world->plugin, &buffer);
    Warren__Mode *mode = warren__mode__unpack(NULL, buffer.size, buffer.data);
    ck_assert_ptr_nonnull(mode);
    for (size_t i = 0; i < mode->n_tiles; i++) {
        const bool unlisted = (mode->tiles[i]->flags & WARREN__TILE_FLAG__TILE_UNLISTED) != 0;
        ck_assert_msg(unlisted == (i >= TILE_TEXT), "%s", mode->tiles[i]->name);
    }
    warren__mode__free_unpacked(mode, NULL);
    wn_buffer_free(&buffer);
    fixture_close(world);
}
END_TEST

RUN("hunt: players", those_who_are_there_get_five_charges_and_the_newcomer_five_for_each,
    who_was_never_here_is_shown_a_card_until_the_first_command, what_concerns_the_reader_stands_out,
    letters_say_that_they_are_for_no_legend, a_small_and_a_large_mine_are_laid_for_everyone_who_enters,
    you_enter_cloaked_scanning_or_flying, a_flight_lasts_up_to_twenty_turns,
    names_go_to_twenty_characters_and_a_team_is_one_digit, walking_into_a_player_you_face_stabs_him,
    you_die_when_damage_exceeds_your_capacity, a_kill_gives_capacity_and_takes_damage,
    an_enemy_counts_for_and_a_team_mate_against, killing_yourself_counts_against_you,
    who_dies_without_typing_dies_still, kills_decay_when_there_are_fifteen_entries,
    the_dead_are_told_of_what_they_died_and_by_whom, the_dead_see_it_boxed_in_the_middle_of_the_map,
    in_a_narrow_maze_the_box_holds_what_it_can, a_dead_players_charges_may_go_off,
    a_stabbed_players_charges_do_not_go_off, what_nobody_used_erupts_as_lava_near_the_middle,
    a_drone_explodes_as_slime_on_the_first_player_it_meets, landing_costs_up_to_a_fifth_of_your_damage,
    in_the_air_only_quitting_works, cloak_runs_down_with_your_moves_and_scan_with_everybodys,
    scores_are_recorded_with_the_statistics_when_a_seat_ends)
