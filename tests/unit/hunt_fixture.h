/* hunt_fixture.h: a hunt world run by the host's core in the test's own process, and scenes: mazes drawn as the game
 * draws them, with the players in them, so that a test reads like the rule book.
 */
#ifndef HUNT_FIXTURE_H
#define HUNT_FIXTURE_H

#include "../../plugins/hunt/hunt.h"
#include "world.h"

#include <check.h> /* last: its macro fail would change mode.h */

/* As ck_assert(), which notes each of its calls in a file: this one costs nothing where it is asked a million times. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("%s", #condition);                                                                            \
        }                                                                                                              \
    } while (0)

typedef struct fixture {
    wn_plugin *plugin;
    bool borrowed; /* the plugin is another fixture's */
    wn_hosted *hosted;
    uint64_t seed;
    char settings[512];
    uint32_t numbers[WN_MAX_SEATS];
    wn_buffer inputs, out;
    wn_arena *arena;
    bool watched[WN_MAX_SEATS + 1];     /* the spectators' view, then the seats' */
    const Warren__Host__TurnDone *done; /* of the last turn */
} fixture;

/* From WARREN_SEED, or a fixed one; printed, so that a failure can be run again. */
uint64_t fixture_seed(void);
uint64_t fixture_random64(uint64_t *state);
uint32_t fixture_random(uint64_t *state, uint32_t below);

fixture *fixture_open(uint64_t seed, const char *settings);
fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error);
void fixture_close(fixture *world);
hunt *fixture_game(const fixture *world);
wn_world *fixture_world(const fixture *world);

/* A world of the drawing's size without chance that the scene does not want: '>', '<', '^', 'v' is ann, seat 0; '}',
 * '{', 'i', '!' are bob, cid, dan, eve (seats 1 to 4) as they are read; floor is ' '. Everyone has 15 charges, neither
 * cloak nor scan, nothing flies, and all views are watched. `settings` may be "". */
fixture *scene(const char *settings, const char *const *rows);
/* The same with names of one's own ("ann/1", ...); NULL ends the list. */
fixture *scene_named(const char *const *names, const char *settings, const char *const *rows);
/* What was changed in the state becomes known to the host and is drawn: the world is saved and loaded. Pointers into
 * the old state are void. */
void scene_settle(fixture *world);
/* A player is in the air for so many turns, at that speed. */
void scene_fly(fixture *world, uint32_t seat, uint32_t turns, int32_t fly_x, int32_t fly_y);
/* Makes every seat forget the map and look again. */
void scene_look_anew(fixture *world);

/* The next turn's inputs; then the turn. */
void fixture_add_join(fixture *world, uint32_t seat, const char *name);                    /* cloaked */
void fixture_add_join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry); /* ENTER_... */
void fixture_add_leave(fixture *world, uint32_t seat);
void fixture_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument);
void fixture_add_wake(fixture *world);
void fixture_turn(fixture *world);

/* One turn with one input. */
void join(fixture *world, uint32_t seat, const char *name);
void join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry); /* ENTER_... */
void act(fixture *world, uint32_t seat, uint32_t action);
void walk(fixture *world, uint32_t seat, uint32_t direction); /* NORTH, EAST, SOUTH, WEST */
void face(fixture *world, uint32_t seat, uint32_t direction);
void pass(fixture *world, uint32_t turns); /* nobody does anything, time goes on */

struct player *player(const fixture *world, uint32_t seat);
struct ident *ident(const fixture *world, uint32_t seat);
/* Glyphs: of the maze (terrain, items and shots), and of a watched view with its sprites. */
char glyph(const fixture *world, int32_t x, int32_t y);
char view_glyph(const fixture *world, int32_t seat, int32_t x, int32_t y);
/* Fails with both drawings unless the view looks like `rows`; '?' in them stands for anything. */
void expect_view(const fixture *world, int32_t seat, const char *const *rows);
void expect_maze(const fixture *world, const char *const *rows);

void fixture_watch(fixture *world, int32_t seat, bool on);
const Warren__Update *fixture_update(const fixture *world, int32_t seat);
/* How often the last turn told it to the view. */
uint32_t heard(const fixture *world, int32_t seat, const char *text);
/* What ended the seat in the last turn; NULL: nothing did. */
const char *ended(const fixture *world, uint32_t seat);

/* Fails unless the state keeps the rules' invariants and the views show what the notes say. */
void fixture_check(const fixture *world);

int fixture_run(const char *name, const TTest *const *tests, size_t count);
#define RUN(name, ...)                                                                                                 \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return fixture_run(name, tests, sizeof tests / sizeof tests[0]);                                               \
    }

#endif
