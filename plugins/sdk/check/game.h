/* game.h: worlds of the checked mode: their settings, their turns, inputs by chance, the pictures they show. */
#ifndef WARREN_CHECK_GAME_H
#define WARREN_CHECK_GAME_H

#include "observe.h"

/* chance of the check's own (splitmix64) */
uint64_t chance_bits(uint64_t *chance);
uint32_t chance_below(uint64_t *chance, uint32_t below); /* 0 for below < 2 */
bool chance_once_in(uint64_t *chance, uint32_t of);

/* Settings of a world. Their text is one NAME=VALUE a line. A file's value is its name, or a path with a slash, or
 * @random:N, which stands for bytes by chance. */
typedef struct setting_values {
    Warren__SettingValue list[WN_MAX_SETTINGS];
    const Warren__SettingValue *pointers[WN_MAX_SETTINGS];
    size_t count;
    char text[CHECK_SETTINGS];
    char *files[WN_MAX_SETTINGS]; /* their content, allocated */
} setting_values;

/* false with the error filled in: there is no such setting or no such file. Does not look at ranges: the host does. */
bool values_read(setting_values *values, const checker *check, const char *text, wn_error *error);
void values_free(setting_values *values);

typedef struct world_wish {
    const setting_values *values;
    uint64_t seed;
    size_t memory;          /* limit of wn_alloc(); 0: the usual one */
    const wn_buffer *saved; /* NULL: a new world */
    uint64_t turn;          /* that was saved */
    bool quiet;             /* what the host complains about is no finding */
} world_wish;

/* NULL: the mode does not make or load it; the error says why. */
wn_hosted *world_make(checker *check, const world_wish *wish, wn_error *error);
/* The next turn. `out` gets what the daemon would. */
void world_turn(wn_hosted *world, const wn_buffer *inputs, wn_buffer *out);
/* What the host answered in that turn. */
const Warren__Host__TurnDone *world_answer(wn_arena *arena, const wn_buffer *out);

/* What the next inputs are made of. */
typedef struct inputs_wish {
    wn_hosted *world; /* whose seats and views are gone by */
    const wn_mode_descriptor *mode;
    uint32_t players;
    uint32_t *numbers; /* of each seat's last command */
} inputs_wish;

/* Appends one turn's inputs: players come, go and act, and there is some of what a mode must never notice. */
void inputs_add(const inputs_wish *wish, uint64_t *chance, wn_buffer *inputs);
/* An answer to a question; NULL: there is none. */
void inputs_add_answer(wn_buffer *inputs, uint32_t serial, const void *answer, size_t size);

/* Asks for a view's keyframe, which makes it watched. NULL: there is nothing to show. */
const Warren__Keyframe *world_keyframe(wn_hosted *world, int32_t seat, wn_arena *arena, wn_buffer *out);
/* How two worlds' watched views differ, in words. false: they do not. */
bool pictures_differ(const wn_mode_descriptor *mode, int32_t seat, wn_hosted *one, const Warren__Keyframe *ours,
                     wn_hosted *other, const Warren__Keyframe *theirs, char words[CHECK_TEXT]);

/* Runs work() in a process of its own, several times with less room. false: there is no answer. `answer` has room for
 * WN_MAX_QUESTION bytes. (work.c) */
bool work_run(checker *check, const Warren__Host__Asked *asked, uint8_t *answer, size_t *size);

/* One game. (play.c) */
typedef struct game_plan {
    const char *settings; /* text; ill-fitting ones are a finding */
    uint64_t seed;
    uint32_t turns;
    size_t memory;
    bool damaged; /* damages what it saves in every turn, and plays on from that */
    bool alone;   /* only the first world, without twins and copies */
    bool quiet;   /* findings only if it crashes or hangs */
    bool record;  /* into check->record */
} game_plan;

/* Returns how many turns it lasted. `refusal` gets why there was no world; it may be NULL. */
uint32_t game_play(checker *check, const game_plan *plan, wn_error *refusal);

#endif
