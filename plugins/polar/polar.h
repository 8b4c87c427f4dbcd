/* polar.h: what the files of the mode share: a world's state, the tables in descriptor.c, and who calls whom. The rules
 * of the board are in board.h and know nothing of this.
 */
#ifndef POLAR_H
#define POLAR_H

#include "pack.h"

#include <warren/mode.h>

enum {
    TILE_SEA, /* around a board */
    TILE_PIECES,
    TILE_SNOW = TILE_PIECES, /* from here on in the order of polar_piece */
    TILE_TREE,
    TILE_MOUNTAIN,
    TILE_HOUSE,
    TILE_ICE,
    TILE_HEART,
    TILE_BOMB,
    TILE_PENGUIN, /* one for each heading */
    TILE_HINT = TILE_PENGUIN + HEADING_COUNT,
    TILE_COUNT = TILE_HINT + HEADING_COUNT
};

enum {
    ACTION_STEP = 1,
    ACTION_FACE,
    ACTION_UNDO,
    ACTION_BACK,
    ACTION_REDO,
    ACTION_RESTART,
    ACTION_NEXT,
    ACTION_PREVIOUS,
    ACTION_HINT,
    ACTION_LEVELS,
    ACTION_PLAY,
    POLAR_ACTION_COUNT = ACTION_PLAY
};

enum { SETTING_PACK, SETTING_OPEN, SETTING_SLIDE, SETTING_CALM, SETTING_COUNT };
enum {
    STATUS_LEVEL,
    STATUS_TITLE,
    STATUS_HEARTS,
    STATUS_MOVES,
    STATUS_PUSHES,
    STATUS_BEST_MOVES,
    STATUS_BEST_PUSHES,
    STATUS_RACE,
    STATUS_COUNT
};
enum { POLAR_TABLE_COUNT = 2 }; /* of scores */
enum { CALM_TICK_MS = 100 };    /* between the wake-ups of a calm */
enum { COLUMN_PLAYER, COLUMN_LEVEL, COLUMN_MOVES, COLUMN_PUSHES, COLUMN_COUNT };

enum {
    RUNNER_LIMIT = 256, /* players that a world remembers; then it forgets those who are away */
    SLIDE_FRAMES = 12   /* that a slide is shown in at most, however far it goes */
};

/* What somebody has reached, for as long as the world remembers: longer than they have a seat. */
typedef struct polar_best {
    uint32_t moves, pushes; /* the fewest; 0: not cleared */
} polar_best;

typedef struct polar_runner {
    char name[WN_MAX_NAME + 1];
    uint32_t reached; /* the highest level that may be played, of those in a row */
    uint32_t cleared; /* how many levels */
    polar_best *best; /* of each level of the pack */
} polar_runner;

typedef struct polar_seat {
    bool taken;
    bool choosing; /* looks at the list of levels */
    bool sliding;  /* the last move's slide is still being shown: so far, `shown` cells of it */
    uint8_t shown;
    uint32_t runner;
    uint32_t level, chosen; /* played; marked in the list */
    polar_board board;
    /* What was done in this level: `made` moves, and behind them those that were taken back, up to `length`. */
    packed_move *moves;
    uint32_t made, length, capacity;
    uint32_t pushes; /* among those made */
    uint16_t hint;   /* the cell of what to push, until the next command; 0: none */
    uint8_t hint_heading;
    uint32_t calm; /* milliseconds after clearing the level in which steps do not lead on: each begins it anew */
} polar_seat;

typedef struct polar {
    polar_pack pack;
    bool open;
    uint32_t slide_ms, calm_ms;
    uint32_t waking; /* milliseconds of the wake-up that was asked for and has not come; 0: none */
    polar_runner runners[RUNNER_LIMIT];
    uint32_t runner_count;
    polar_seat seats[WN_MAX_SEATS];
    /* What draw() has to draw: the seats that changed in the last turn(), and since. Joins and leaves come before
     * turn() and do not know whether it runs: what they mark stays until the end of the next one. */
    uint64_t changed, fresh;
} polar;

#define ALL_SEATS UINT64_MAX

static inline polar *polar_of(const wn_world *world)
{
    return (polar *)world->state;
}
static inline bool seat_is_cleared(const polar_seat *seat)
{
    return seat->board.hearts == 0 && !seat->sliding;
}
static inline const char *plural(uint32_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}
/* The last move made; there must be one. */
static inline polar_move seat_last_move(const polar_seat *seat)
{
    return move_unpack(seat->moves[seat->made - 1]);
}
static inline uint64_t seat_bit(uint32_t seat)
{
    return UINT64_C(1) << seat;
}

/* descriptor.c */
extern const wn_tile polar_tiles[TILE_COUNT];
extern const wn_action polar_actions[POLAR_ACTION_COUNT];
extern const wn_setting polar_settings[SETTING_COUNT];
extern const wn_status polar_status[STATUS_COUNT];
extern const wn_column polar_columns[COLUMN_COUNT];
extern const wn_score_table polar_tables[POLAR_TABLE_COUNT];

/* polar.c: worlds and seats. */
polar *polar_new(wn_world *world); /* world->state, with the pack read; NULL: wn_fail() said why */
/* The runner of that name, or a new one. RUNNER_LIMIT: no memory. */
uint32_t polar_find_runner(wn_world *world, const char *name);
/* May the seat play it? */
bool polar_may_play(const polar *game, const polar_seat *seat, uint32_t level);
/* Says where the penguin is and how it faces, and where spectators look: at the first board. */
void polar_place(wn_world *world, uint32_t seat);
/* The lowest that is taken; WN_MAX_SEATS: none. */
uint32_t polar_first_seat(const polar *game);
/* Has these seats drawn. */
void polar_mark(polar *game, uint64_t seats);

/* play.c */
void polar_take_turn(wn_world *world, const wn_turn *turn);
/* Puts the level's board before the seat; nothing was done in it yet. */
void polar_start_level(polar *game, polar_seat *seat, uint32_t level);
/* The same, and says so. */
void polar_enter_level(wn_world *world, uint32_t seat, uint32_t level);
/* Ends a slide that is still shown, with all that comes of it. */
void polar_end_slide(wn_world *world, uint32_t seat);
/* Makes room for so many moves. */
bool polar_reserve_moves(wn_world *world, polar_seat *seat, uint32_t count);

/* hint.c */
void polar_ask_hint(wn_world *world, uint32_t seat);
size_t polar_work(const void *question, size_t size, void *answer, size_t room);
void polar_answered(wn_world *world, uint32_t job, const void *answer, size_t size);

/* draw.c */
void polar_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what);
/* Where a seat's board lies in the spectators' view: its corner, edge included. */
void polar_find_board(const polar *game, uint32_t seat, uint32_t *x, uint32_t *y);

/* save.c */
void polar_save(wn_world *world, wn_writer *writer);
bool polar_load(wn_world *world, wn_reader *reader);

#endif
