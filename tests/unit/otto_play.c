/* otto_play.c: what otto does in drawn situations, whichever way his dice fall. */
#include <stdio.h>
#include <string.h>

#include "otto_fixture.h"
#include "suite.h"

enum { LIVES = 25 };

/* He is shown the pictures, one a turn, acts in between, and does one of `expected` ("walk north|face west") after the
 * last. */
static void expect(const char *const pictures[], otto_state state, const char *expected)
{
    for (uint64_t life = 0; life < LIVES; life++) {
        wn_otto otto;
        wn_option done = {0};
        otto_born(&otto, life * 7919);
        for (size_t i = 0; pictures[i] != NULL; i++) {
            otto_shown(&otto, pictures[i], state);
            done = wn_otto_decide(&otto);
        }
        const char *found = strstr(expected, otto_says(&done));
        ck_assert_msg(found != NULL, "he does \"%s\" and not \"%s\"", otto_says(&done), expected);
        wn_otto_free(&otto);
    }
}
#define PICTURES(...)                                                                                                  \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* The same for a picture of players, who have been noticed already. */
static void expect_for(const char *picture, otto_state state, const char *expected)
{
    expect(PICTURES(picture, picture), state, expected);
}

static const otto_state usual = {.ammo = 5};

START_TEST(a_bullet_from_the_west_is_stepped_out_of)
{
    expect(PICTURES("+---------------+\n"
                    "|               |\n"
                    "|  :       v    |\n"
                    "|               |\n"
                    "+---------------+\n"),
           usual, "walk north|walk south");
}
END_TEST

START_TEST(a_bullet_in_a_corridor_is_faced)
{
    expect(PICTURES("+---------------+\n"
                    "+---------------+\n"
                    "|:          v   |\n"
                    "+---------------+\n"
                    "+---------------+\n",
                    "+---------------+\n"
                    "+---------------+\n"
                    "|     :     v   |\n"
                    "+---------------+\n"
                    "+---------------+\n"),
           usual, "face west|walk east");
    expect(PICTURES("+---------------+\n"
                    "+---------------+\n"
                    "|:          v|  |\n"
                    "+---------------+\n"
                    "+---------------+\n",
                    "+---------------+\n"
                    "+---------------+\n"
                    "|     :     v|  |\n"
                    "+---------------+\n"
                    "+---------------+\n"),
           usual, "face west");
}
END_TEST

START_TEST(a_bullet_that_flies_away_is_nothing_to_mind)
{
    /* Otto's own: it comes from where he stands and faces. A player stands on the other side. */
    expect(PICTURES("+---------------+\n"
                    "+---------------+\n"
                    "|{    <         |\n"
                    "+---------------+\n"
                    "+---------------+\n",
                    "+---------------+\n"
                    "+---------------+\n"
                    "|  {:  <        |\n"
                    "+---------------+\n"
                    "+---------------+\n"),
           usual, "bullet");
}
END_TEST

START_TEST(a_bullet_that_a_mirror_turns_is_stepped_out_of)
{
    expect(PICTURES("+---------+\n"
                    "|    v    |\n"
                    "|         |\n"
                    "|    \\   :|\n"
                    "|         |\n"
                    "+---------+\n"),
           usual, "walk east|walk west");
    expect(PICTURES("+---------+\n"
                    "|    /   :|\n"
                    "|         |\n"
                    "|    >    |\n"
                    "|         |\n"
                    "+---------+\n"),
           usual, "walk east|walk west");
}
END_TEST

START_TEST(a_mine_ahead_is_picked_up_facing_it)
{
    expect(PICTURES("+-----+\n"
                    "+-----+\n"
                    "|  >g |\n"
                    "+-----+\n"
                    "+-----+\n"),
           usual, "walk east");
    for (const char *facing = "^v<"; *facing != '\0'; facing++) {
        char picture[64];
        snprintf(picture, sizeof picture, "+-----+\n+-----+\n|  %cg |\n+-----+\n+-----+\n", *facing);
        expect(PICTURES(picture), usual, "face east");
    }
}
END_TEST

START_TEST(boots_are_put_on_and_counted)
{
    expect(PICTURES("+------+\n"
                    "|      |\n"
                    "|  ^B  |\n"
                    "|      |\n"
                    "+------+\n"),
           usual, "walk east");
    wn_otto otto;
    otto_born(&otto, 1);
    otto_shown(&otto, "+---+\n|^bB|\n+---+\n", usual);
    ck_assert_uint_eq(otto.scene.boots, 0);
    otto_shown(&otto, "+---+\n| ^B|\n+---+\n", usual);
    ck_assert_uint_eq(otto.scene.boots, 1);
    otto_shown(&otto, "+---+\n| ^ |\n+---+\n", usual);
    ck_assert_uint_eq(otto.scene.boots, 1);
    wn_otto_free(&otto);
}
END_TEST

START_TEST(a_player_in_line_and_faced_is_shot)
{
    for (const char *facing = "i}!{"; *facing != '\0'; facing++) {
        char picture[128];
        snprintf(picture, sizeof picture,
                 "+-----------+\n|           |\n| >   %c     |\n|           |\n+-----------+\n", *facing);
        expect_for(picture, usual, "bullet");
    }
}
END_TEST

START_TEST(a_player_in_line_is_faced_first)
{
    expect_for("+-----------+\n"
               "|           |\n"
               "|  v   }    |\n"
               "|           |\n"
               "+-----------+\n",
               usual, "face east");
}
END_TEST

START_TEST(the_weapon_fits_the_distance)
{
    const otto_state rich = {.ammo = 60};
    expect_for("+---------+\n"
               "|         |\n"
               "| > }     |\n"
               "|         |\n"
               "+---------+\n",
               rich, "bullet"); /* two away: a grenade might reach him */
    expect_for("+---------+\n"
               "|         |\n"
               "| >  }    |\n"
               "|         |\n"
               "+---------+\n",
               rich, "grenade"); /* three away: no satchel */
    expect_for("+------------+\n"
               "|            |\n"
               "| >    }     |\n"
               "|            |\n"
               "+------------+\n",
               rich, "satchel");
    expect_for("+------------+\n"
               "|            |\n"
               "| >    }     |\n"
               "|            |\n"
               "+------------+\n",
               (otto_state){.ammo = 8}, "bullet");
}
END_TEST

/* He never shoots in that picture, of players who have been noticed or not. */
static void expect_no_shot(const char *picture, otto_state state, uint32_t glances)
{
    for (uint64_t life = 0; life < LIVES; life++) {
        wn_otto otto;
        otto_born(&otto, life);
        for (uint32_t i = 0; i <= glances; i++) {
            otto_shown(&otto, picture, state);
            const wn_option done = wn_otto_decide(&otto);
            ck_assert_msg(done.move <= WN_MOVE_FACE || done.move >= WN_MOVE_SCAN, "he does \"%s\"", otto_says(&done));
        }
        wn_otto_free(&otto);
    }
}

START_TEST(who_comes_into_sight_is_noticed_before_he_is_shot)
{
    expect_no_shot("+-----------+\n"
                   "|           |\n"
                   "| >   }     |\n"
                   "|           |\n"
                   "+-----------+\n",
                   usual, 0);
}
END_TEST

START_TEST(a_team_mate_is_not_shot)
{
    expect_no_shot("+---------+\n"
                   "|         |\n"
                   "| > 7  }  |\n"
                   "|         |\n"
                   "+---------+\n",
                   (otto_state){.ammo = 60}, 3);
}
END_TEST

START_TEST(a_shot_that_mirrors_send_back_is_not_fired)
{
    /* East, north at /, west at \, south at /, and from below into his back; the player is far off to the side. */
    for (uint64_t life = 0; life < LIVES; life++) {
        wn_otto otto;
        otto_born(&otto, life);
        otto_shown(&otto, "+-------+\n|/    \\ |\n|       |\n|>    / |\n|       |\n+-------+\n",
                   (otto_state){.ammo = 60});
        const wn_aim aim = wn_aim_from(&otto.scene, 1);
        ck_assert(aim.returns);
        const wn_option done = wn_otto_decide(&otto);
        ck_assert_msg(done.move <= WN_MOVE_FACE || done.move >= WN_MOVE_SCAN, "he does \"%s\"", otto_says(&done));
        wn_otto_free(&otto);
    }
}
END_TEST

START_TEST(without_charges_he_stabs)
{
    expect_for("+-----+\n"
               "|     |\n"
               "| >}  |\n"
               "|     |\n"
               "+-----+\n",
               (otto_state){.ammo = 0}, "walk east");
}
END_TEST

START_TEST(a_hot_gun_is_not_fired)
{
    expect_no_shot("+---------+\n"
                   "|         |\n"
                   "| >   }   |\n"
                   "|         |\n"
                   "+---------+\n",
                   (otto_state){.ammo = 20, .hot = true}, 3);
    expect_for("+---------+\n"
               "|         |\n"
               "| >   }   |\n"
               "|         |\n"
               "+---------+\n",
               (otto_state){.ammo = 20, .hot = true},
               "walk north|walk east|walk south|walk west"); /* it cools the gun */
}
END_TEST

/* A world of one: he walks about in a picture until he stands where there is an x, or the acts are used up. */
static uint32_t acts_to_x(const char *picture, uint64_t life, uint32_t most)
{
    char map[1024], shown[1024];
    snprintf(map, sizeof map, "%s", picture);
    const size_t width = strcspn(map, "\n") + 1;
    char *const goal = strchr(map, 'x');
    const size_t to = (size_t)(goal - map);
    *goal = '%';
    size_t at = strcspn(map, "^>v<");
    uint32_t facing = (uint32_t)(strchr("^>v<", map[at]) - "^>v<");
    map[at] = ' ';
    const int step[] = {-(int)width, 1, (int)width, -1};
    wn_otto otto;
    otto_born(&otto, life);
    uint32_t acts = 0;
    for (; acts < most && at != to; acts++) {
        memcpy(shown, map, sizeof shown);
        shown[at] = "^>v<"[facing];
        otto_shown(&otto, shown, usual);
        const wn_option done = wn_otto_decide(&otto);
        const size_t next = (size_t)((int)at + step[done.way % 4]);
        if (done.move == WN_MOVE_FACE) {
            facing = done.way;
        } else if (done.move == WN_MOVE_WALK && (map[next] == ' ' || next == to)) {
            at = next;
        }
        for (int way = 0; way < 4; way++) { /* what is next to him he sees */
            if ((size_t)((int)at + step[way]) == to) {
                map[to] = ' ';
            }
        }
    }
    wn_otto_free(&otto);
    return acts;
}

START_TEST(a_dead_end_is_left)
{
    for (uint64_t life = 0; life < LIVES; life++) {
        const uint32_t acts = acts_to_x("+---------+\n"
                                        "|   |    x|\n"
                                        "| | | +-- |\n"
                                        "| |   |>  |\n"
                                        "| ++ +-+-+|\n"
                                        "|  |      |\n"
                                        "+---------+\n",
                                        life, 60);
        ck_assert_msg(acts < 20, "it took him %u acts", acts);
        const uint32_t more = acts_to_x("+---------+\n"
                                        "|   |x    |\n"
                                        "| | | +-- |\n"
                                        "|>|   |   |\n"
                                        "+-++ +-+-+|\n"
                                        "|  |      |\n"
                                        "+---------+\n",
                                        life, 60);
        ck_assert_msg(more < 30, "it took him %u acts", more);
    }
}
END_TEST

START_TEST(he_enters_cloaked_or_scanning_and_seldom_flying)
{
    enum { ENTRIES = 1000 };
    uint32_t ways[4] = {0};
    wn_otto otto = {.chance = otto_seed()};
    ck_assert_uint_eq(wn_otto_way_in(&otto), 0); /* he knows no mode yet: the usual one */
    wn_error error = {0};
    for (int i = 0; i < ENTRIES; i++) {
        ck_assert(wn_otto_enter(&otto, otto_mode(), &error));
        const uint32_t way = wn_otto_way_in(&otto);
        ck_assert_uint_lt(way, 4);
        ways[way]++;
    }
    /* 500, 400 and 100 are expected: these are more than six standard deviations away. */
    ck_assert_uint_eq(ways[0], 0);
    ck_assert_uint_gt(ways[2], 400);
    ck_assert_uint_gt(ways[3], 300);
    ck_assert_uint_gt(ways[1], 40);
    wn_otto_free(&otto);
}
END_TEST

START_TEST(what_a_mode_lacks_is_named)
{
    static const char *const names[] = {"floor", "reflecting wall \\", "player, west", "face", "slime10", "gun"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        wn_otto otto = {0};
        wn_error error = {0};
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\"", names[i]);
        ck_assert(!wn_otto_enter(&otto, otto_mode_without(names[i]), &error));
        ck_assert_msg(strstr(error.text, quoted) != NULL && strstr(error.text, "drawn") != NULL, "%s", error.text);
        wn_otto_free(&otto);
    }
}
END_TEST

RUN("otto_play", a_bullet_from_the_west_is_stepped_out_of, a_bullet_in_a_corridor_is_faced,
    a_bullet_that_flies_away_is_nothing_to_mind, a_bullet_that_a_mirror_turns_is_stepped_out_of,
    a_mine_ahead_is_picked_up_facing_it, boots_are_put_on_and_counted, a_player_in_line_and_faced_is_shot,
    a_player_in_line_is_faced_first, the_weapon_fits_the_distance, who_comes_into_sight_is_noticed_before_he_is_shot,
    a_team_mate_is_not_shot, a_shot_that_mirrors_send_back_is_not_fired, without_charges_he_stabs,
    a_hot_gun_is_not_fired, a_dead_end_is_left, he_enters_cloaked_or_scanning_and_seldom_flying,
    what_a_mode_lacks_is_named)
