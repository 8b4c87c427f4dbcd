/* host_fixture.h: what the tests of the host share: a world of a test mode, inputs for its turns, and the decoded
 * answers. What a reader of a view makes of its updates is in host_replica.h.
 */
#ifndef WARREN_TEST_HOST_FIXTURE_H
#define WARREN_TEST_HOST_FIXTURE_H

#include "modes/puppet.h"
#include "world.h"

/* After mode.h: Check has a macro named fail. */
#include <check.h>

typedef struct scene {
    wn_plugin *plugin;
    wn_hosted *world;
    wn_buffer inputs;                     /* of the next turn */
    wn_buffer out;                        /* of the last call */
    wn_arena *arena;                      /* what `answer` lives in */
    const Warren__Host__FromHost *answer; /* to the last call; NULL: none */
    char log[4096];                       /* lines, each with its level before it */
} scene;

/* `mode`: "puppet" or "dice". */
void fixture_open(scene *fixture, const char *mode, uint64_t seed);
/* `setting`: NULL, or a setting that gets `value`. */
void fixture_open_with(scene *fixture, const char *mode, uint64_t seed, const char *setting, const char *value);
void fixture_close(scene *fixture);
wn_plugin *fixture_plugin(const char *mode);
/* The options of a world that logs into the fixture. */
wn_world_options fixture_options(scene *fixture, uint64_t seed);
puppet *fixture_puppet(scene *fixture);

/* Inputs of the next turn. */
void input_join(scene *fixture, uint32_t seat, const char *player);
void input_leave(scene *fixture, uint32_t seat);
void input_command(scene *fixture, uint32_t seat, uint32_t number, uint32_t action, int64_t argument); /* -1: none */
void input_chat(scene *fixture, const char *from, const char *text); /* from NULL: the daemon */
void input_wake(scene *fixture);

/* Executes the next turn with the inputs gathered, and forgets them. Returns the answer. */
const Warren__Host__TurnDone *run_turn(scene *fixture);
/* The same as a turn that was played before; the answer has a report. */
const Warren__Host__Replayed *replay_turn(scene *fixture);
const Warren__Host__Replayed *replay_turns(scene *fixture, const Warren__Host__Replay *replay);
/* A command of seat 0 and its turn: something for the mode to do. */
const Warren__Host__TurnDone *run_wait(scene *fixture);
/* The keyframe's ViewUpdate, or NULL. */
const Warren__Host__ViewUpdate *watch(scene *fixture, int32_t seat, bool on);

/* The update for the seat's view, or NULL. */
const Warren__Host__ViewUpdate *update_of(const Warren__Host__TurnDone *done, int32_t seat);
const Warren__Host__ViewUpdate *shown_of(const Warren__Host__Replayed *replayed, int32_t seat);
/* An update's content; it lives until the next call of this. */
const Warren__Update *open_update(const Warren__Host__ViewUpdate *update);

/* The seed of a property test: WARREN_SEED from the environment, or `usual`; printed. */
uint64_t property_seed(const char *test, uint64_t usual);
/* Chance for tests; below > 0. */
uint32_t pick(uint64_t *state, uint32_t below);

/* Runs the cases of a test program. */
int run_cases(const char *name, const TTest *const *cases, size_t count);

#endif
