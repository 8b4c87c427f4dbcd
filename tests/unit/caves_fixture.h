/* caves_fixture.h: a caves world run by the host's core in the test's own process: turns go in encoded, as the daemon
 * sends them, and what comes out is decoded again. Tests may look into the mode's state and set a scene up in it.
 */
#ifndef CAVES_FIXTURE_H
#define CAVES_FIXTURE_H

#include "../../plugins/caves/caves.h"
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
    wn_buffer inputs; /* encoded Input entries of the turn that is being gathered */
    wn_buffer out;
    wn_arena *arena;
    bool watched[WN_MAX_SEATS + 1];     /* the spectators' view, then the seats' */
    const Warren__Host__TurnDone *done; /* of the last turn */
} fixture;

/* From WARREN_SEED, or a fixed one; printed, so that a failure can be run again. */
uint64_t fixture_seed(void);
/* Chance of the test's own (splitmix64). */
uint64_t fixture_random64(uint64_t *state);
uint32_t fixture_random(uint64_t *state, uint32_t below);

/* `settings`: "width=40 height=16 pvp=yes". */
fixture *fixture_open(uint64_t seed, const char *settings);
/* The same from a snapshot; NULL with the error filled in if the mode refuses it. Uses the plugin of `like`: close it
 * before that one. */
fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error);
/* As fixture_open(), but NULL where the world cannot be made. */
fixture *fixture_try(uint64_t seed, const char *settings, wn_error *error);
void fixture_close(fixture *world);

caves *fixture_game(const fixture *world);
/* The player's entity; NULL: it has none. */
entity *fixture_player(const fixture *world, uint32_t seat_number);
/* Who stands there; NULL: nobody. */
entity *fixture_find(const fixture *world, int32_t x, int32_t y);

/* The next turn's inputs, in order; then the turn itself. */
void fixture_add_join(fixture *world, uint32_t seat_number, const char *name);
void fixture_add_leave(fixture *world, uint32_t seat_number);
void fixture_add(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument);
void fixture_add_wake(fixture *world);
void fixture_turn(fixture *world);

/* One turn with one input. */
void fixture_join(fixture *world, uint32_t seat_number, const char *name);
void fixture_leave(fixture *world, uint32_t seat_number);
void fixture_act(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument);
void fixture_step(fixture *world, uint32_t seat_number, uint32_t direction);
void fixture_rest(fixture *world, uint32_t seat_number);

/* Sets a scene: the map becomes wall but for `rows`, drawn at its top left: '#' wall, '.' floor, F v ~ creatures on
 * floor, '=' a silverfish in rock, '0' to '9' the player of that seat, who must have joined. Everyone else is gone.
 * What it made goes through a save and a load, so that the host knows it as well: pointers into the old state are void.
 * Views that were watched are watched again. */
void fixture_paint(fixture *world, const char *const *rows);

void fixture_watch(fixture *world, int32_t seat_number, bool on);
/* The update of a watched view in the last turn; NULL: it had none. */
const Warren__Update *fixture_update(const fixture *world, int32_t seat_number);
/* How often the last turn's updates of a view, which must be watched, had this message. NULL: how many messages. */
uint32_t fixture_heard(const fixture *world, int32_t seat_number, const char *text);
/* How often they had an effect with this cue. */
uint32_t fixture_saw(const fixture *world, int32_t seat_number, const char *cue);
/* A watched view's cell, as the mode drew it. */
uint16_t fixture_cell(const fixture *world, int32_t seat_number, uint32_t x, uint32_t y);

/* Fails unless the state keeps the rules' invariants: one entity a cell, counts that agree, who may stand where. */
void fixture_check(const fixture *world);

/* Runs a suite of one case; the program's exit status. */
int fixture_run(const char *name, const TTest *const *tests, size_t count);

#endif
