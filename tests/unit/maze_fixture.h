/* maze_fixture.h: a maze world run by the host's core in the test's own process, and scenes: mazes drawn by hand, with
 * the runners in them.
 */
#ifndef MAZE_FIXTURE_H
#define MAZE_FIXTURE_H

#include "../../plugins/maze/game.h"
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
/* The same from a snapshot, or NULL and why. Uses the plugin of `like`: close it before that one. */
fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error);
/* NULL where the world cannot be made. */
fixture *fixture_try(uint64_t seed, const char *settings, wn_error *error);
void fixture_close(fixture *world);
game *fixture_game(const fixture *world);
wn_world *fixture_world(const fixture *world);
struct runner *runner(const fixture *world, uint32_t seat);

/* The next turn's inputs; then the turn. */
void fixture_add_join(fixture *world, uint32_t seat, const char *name);
void fixture_add_leave(fixture *world, uint32_t seat);
void fixture_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument);
void fixture_add_wake(fixture *world);
void fixture_turn(fixture *world);

/* One turn with one input. */
void join(fixture *world, uint32_t seat, const char *name);
void act(fixture *world, uint32_t seat, uint32_t action);
void walk(fixture *world, uint32_t seat, uint32_t direction); /* NORTH, EAST, SOUTH, WEST */
void wake(fixture *world);

/* The maze becomes what is drawn, beginning in the second square of the second row, and all else wall: '#' wall, ' '
 * open, 'O' a boulder, 'M' a monster that faces east, '=' the northern feature, '*' the finale, '0' to '9' the runner
 * of that seat, who must have joined. Everyone looks anew and remembers nothing. It cannot be saved. */
void scene(fixture *world, const char *const *rows);
/* Fails with both drawings unless the truth looks so. Who has arrived is not there any more. */
void expect(const fixture *world, const char *const *rows);

void fixture_watch(fixture *world, int32_t seat, bool on);
uint16_t fixture_cell(const fixture *world, int32_t seat, struct maze_square at);
bool fixture_shows_sprite(const fixture *world, int32_t seat, uint32_t id);
const Warren__Update *fixture_update(const fixture *world, int32_t seat);
/* How often the last turn told it to the view. */
uint32_t heard(const fixture *world, int32_t seat, const char *text);

/* Fails unless the state keeps the rules' invariants and the views show what is noted for them. */
void fixture_check(const fixture *world);

int fixture_run(const char *name, const TTest *const *tests, size_t count);
#define RUN(name, ...)                                                                                                 \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return fixture_run(name, tests, sizeof tests / sizeof tests[0]);                                               \
    }

#endif
