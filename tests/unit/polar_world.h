/* polar_world.h: a world of polar run by the host's core in the test's own process, with a pack from a string. Tests
 * may look into the mode's state.
 */
#ifndef POLAR_WORLD_H
#define POLAR_WORLD_H

#include "../../plugins/polar/polar.h"
#include "world.h"

#include "polar_fixture.h" /* last: Check has a macro named fail, which would change mode.h */

typedef struct fixture {
    wn_plugin *plugin;
    bool borrowed; /* the plugin is another's */
    wn_hosted *hosted;
    const char *pack;
    uint32_t slide_ms;
    bool open;
    size_t memory_limit;
    uint32_t numbers[WN_MAX_SEATS];
    wn_buffer inputs, out;
    wn_arena *arena;
    uint32_t asked;                     /* the question that work() answered last */
    const Warren__Host__TurnDone *done; /* of the last turn */
} fixture;

/* A world with the pack's text, which has to stay. NULL with the error: it cannot be made. */
fixture *world_try(const char *pack, uint32_t slide_ms, bool open, size_t memory_limit, wn_error *error);
/* The same; fails where that does. */
fixture *world_open(const char *pack, uint32_t slide_ms, bool open);
/* Another like it from a snapshot; NULL with the error. Close it before the first. */
fixture *world_load(const fixture *like, const wn_buffer *snapshot, wn_error *error);
void world_close(fixture *world);

polar *world_game(const fixture *world);
polar_seat *world_seat(const fixture *world, uint32_t seat);

/* The next turn's inputs; then the turn. */
void world_add_join(fixture *world, uint32_t seat, const char *name);
void world_add_leave(fixture *world, uint32_t seat);
void world_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument);
void world_add_wake(fixture *world);
void world_turn(fixture *world);

/* What the mode's work() says to the first question of the last turn, which must have one; the turn with its answer. */
size_t world_work(fixture *world, uint8_t answer[WN_MAX_QUESTION]);
void world_answer(fixture *world, const void *answer, size_t size); /* NULL: there is none */

/* One turn with one input. */
void join(fixture *world, uint32_t seat, const char *name);
void leave(fixture *world, uint32_t seat);
void act(fixture *world, uint32_t seat, uint32_t action);
void wake(fixture *world);
/* A turn for every move in the notation. */
void play(fixture *world, uint32_t seat, const char *moves);

void world_watch(fixture *world, int32_t seat, bool on);
/* A watched view as text, a line a row, with its sprites: see polar_tiles for the letters. */
const char *picture(const fixture *world, int32_t seat);
const char *status(const fixture *world, int32_t seat, uint32_t field);
int64_t number(const fixture *world, int32_t seat, uint32_t field);
const char *banner(const fixture *world, int32_t seat);
/* The last turn's update of a watched view; NULL: none. */
const Warren__Update *update(const fixture *world, int32_t seat);
/* How often the last turn told it to the view, and with `cue` showed or played an effect. */
uint32_t heard(const fixture *world, int32_t seat, const char *text);
uint32_t saw(const fixture *world, int32_t seat, const char *cue);

#endif
