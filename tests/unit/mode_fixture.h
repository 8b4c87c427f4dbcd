/* mode_fixture.h: a world of a mode as it is installed, run by the host's core in the test's own process: turns go in
 * encoded, as the daemon sends them, and what comes out is decoded again. Each mode's fixture stands on this one and
 * adds its scenes.
 */
#ifndef WARREN_TESTS_MODE_FIXTURE_H
#define WARREN_TESTS_MODE_FIXTURE_H

#include "world.h"

#include "suite.h" /* last: Check has a macro named fail, which would change mode.h */

/* What a mode's fixture has to define. */
extern const struct fixture_mode {
    const char *path;     /* of the plugin */
    uint64_t seed;        /* without WARREN_SEED */
    const char *settings; /* of each world that is opened without other values for them */
} fixture_mode;

typedef struct fixture_options {
    uint64_t seed;
    const char *settings; /* "width=40 height=16 pvp=yes"; of a name given twice the later value counts */
    /* A setting that is a file: its name, the file's name and its text, which has to stay. NULL: none. */
    const char *file_setting, *file_name, *file_text;
    size_t memory_limit; /* bytes; 0: the host's own */
} fixture_options;

typedef struct fixture {
    wn_plugin *plugin;
    bool borrowed; /* the plugin is another fixture's */
    wn_hosted *hosted;
    fixture_options options;
    char settings[512]; /* what options.settings points to */
    uint32_t numbers[WN_MAX_SEATS];
    wn_buffer inputs; /* encoded Input entries of the turn that is being gathered */
    wn_buffer out;
    wn_arena *arena;
    bool watched[WN_MAX_SEATS + 1];     /* the spectators' view, then the seats' */
    const Warren__Host__TurnDone *done; /* of the last turn; valid until the next */
    uint32_t asked;                     /* the question that fixture_work() answered last */
} fixture;

/* From WARREN_SEED, or the mode's; printed. */
uint64_t fixture_seed(void);

fixture *fixture_open(uint64_t seed, const char *settings);
/* The same, and one with all options; NULL with the error filled in where the world cannot be made. */
fixture *fixture_try(uint64_t seed, const char *settings, wn_error *error);
fixture *fixture_make(const fixture_options *options, wn_error *error);
/* A world like `like` from a snapshot; NULL with the error filled in if the mode refuses it. It uses the plugin of
 * `like`: close it before that one. */
fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error);
/* The world is saved and loaded, so that the host knows what a test changed in the mode's state: pointers into the old
 * state are void. Views that were watched are watched again. */
void fixture_reload(fixture *world);
void fixture_close(fixture *world);

wn_world *fixture_world(const fixture *world);
/* The mode's state; each mode's fixture has a fixture_game() that gives it its type. */
void *fixture_state(const fixture *world);

/* The next turn's inputs, in order; then the turn itself. */
void fixture_add_join(fixture *world, uint32_t seat, const char *name); /* the mode's first way to enter */
void fixture_add_join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry);
void fixture_add_leave(fixture *world, uint32_t seat);
void fixture_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument);
void fixture_add_wake(fixture *world);
void fixture_turn(fixture *world);

/* One turn with one input. */
void join(fixture *world, uint32_t seat, const char *name);
void leave(fixture *world, uint32_t seat);
void act(fixture *world, uint32_t seat, uint32_t action); /* with argument 0 */
void wake(fixture *world);

/* What the mode's work() says to the first question of the last turn, which must have one; the turn with its answer. */
size_t fixture_work(fixture *world, uint8_t answer[WN_MAX_QUESTION]);
void fixture_answer(fixture *world, const void *answer, size_t size); /* NULL: there is none */

/* What is done with a world that was loaded, to see that it can be played. */
typedef void fixture_play_on(fixture *world, uint64_t *seed);
/* Loads the world's save `times` times, with a few bytes changed: each is refused with a sentence, or makes a world
 * that can be played. Returns how many were refused. */
uint32_t fixture_refused_when_damaged(const fixture *world, uint32_t times, fixture_play_on *play_on);
/* Fails unless the world's save can be loaded and played, and cut short is refused. */
void fixture_expect_refused_when_cut(const fixture *world, fixture_play_on *play_on);

void fixture_watch(fixture *world, int32_t seat, bool on);
/* The last turn's update of a watched view; NULL: it had none. */
const Warren__Update *fixture_update(const fixture *world, int32_t seat);
/* How often that update has this message; NULL: how many messages. A keyframe has all that are kept. */
uint32_t heard(const fixture *world, int32_t seat, const char *text);
/* How often it has an effect with this cue. */
uint32_t saw(const fixture *world, int32_t seat, const char *cue);
/* A view's cell, as the mode drew it. */
uint16_t fixture_cell(const fixture *world, int32_t seat, uint32_t x, uint32_t y);

#endif
