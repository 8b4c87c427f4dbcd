/* game.h: what the files of the maze mode share: the maze as a game sees it, its runners and its monsters. Not for
 * anyone else: to other programs the mode is wn_mode() and nothing more. The generator, which is for everyone, is in
 * maze.h.
 */
#ifndef MAZE_GAME_H
#define MAZE_GAME_H

#include <warren/mode.h>
#include <warren/sight.h>

#include "maze.h"

/* the tables */

/* Settings, actions, status fields and tiles by their place in the descriptor's tables (descriptor.c). */
enum {
    SETTING_CELLS,
    SETTING_HALL,
    SETTING_WALL,
    SETTING_WALL_HEIGHTS,
    SETTING_END,
    SETTING_OBSTACLES,
    SETTING_MONSTERS,
    SETTING_TICK,
    SETTING_COUNT
};
enum {
    ACTION_STEP = 1,
    ACTION_FACE,
    ACTION_FORWARD,
    ACTION_BACK,
    ACTION_SIDE_LEFT,
    ACTION_SIDE_RIGHT,
    ACTION_TURN_LEFT,
    ACTION_TURN_RIGHT,
    ACTION_REST,
    ACTION_NEW_MAZE,
    ACTION_COUNT = ACTION_NEW_MAZE
};
enum { STATUS_COMPASS, STATUS_TURNS, STATUS_BEST, STATUS_MAZE, STATUS_COUNT };
enum { COLUMN_PLAYER, COLUMN_TIME, COLUMN_BEST, COLUMN_WINS, COLUMN_COUNT };
#define TABLE_TURNS "turns " /* how the names of score tables begin */
enum { TABLE_COUNT = 1, MOST_MONSTERS = 64 };
enum {
    TILE_UNKNOWN, /* never seen */
    TILE_FLOOR,
    TILE_NORTH, /* the northern feature */
    TILE_FINALE,
    TILE_BOULDER,
    TILE_MONSTER,
    TILE_YOU, /* four, by facing */
    TILE_RUNNER = TILE_YOU + 4,
    TILE_WALL = TILE_RUNNER + 4, /* by height, from 1 on */
    TILE_COUNT = TILE_WALL + MAZE_MAX_HEIGHTS
};

/* Directions and facings of this mode; the host's are twice that. */
enum { NORTH, EAST, SOUTH, WEST, DIRECTIONS };

static inline uint32_t opposite(uint32_t direction)
{
    return direction ^ 2;
}

/* the state */

/* Squares left .. right of rows top .. bottom; none if right < left. */
struct box {
    int32_t left, top, right, bottom;
};

/* A seat. Until its first step the clock does not run for it. */
struct runner {
    bool taken;
    bool greeted;     /* has done something, ever: the start screen is gone */
    bool running;     /* is on the way: has begun and not arrived */
    bool arrived;     /* looks on, and sees everything */
    bool asked;       /* for a new maze, while others are on the way */
    bool finish_seen; /* has done something since it arrived */
    bool moved;       /* in this turn: has to look again */
    uint8_t facing;
    struct maze_square at;
    uint32_t turns; /* of this run */
    uint32_t place; /* in which it arrived, from 1 on */
    uint32_t best;  /* its fewest turns in this world; 0: none */
    uint32_t finishes, wins;
    struct wn_sight sight; /* `visible` is its own */
    uint64_t *known;       /* squares that it has seen */
    uint64_t *boulders;    /* where it saw a boulder when it saw that square last */
    struct box changed;    /* what its view has to show again */
};

struct monster {
    struct maze_square at;
    struct maze_square lair; /* where it began */
    struct maze_square goal; /* where it saw a player last, if it hunts */
    bool hunts;
    uint8_t facing;
    uint8_t chased; /* moves that this hunt has taken */
    uint8_t rests;  /* moves for which it hunts nobody */
};

typedef struct game {
    struct maze maze;
    struct maze_shape shape;
    int32_t side;
    uint32_t stride, words; /* of a grid: rows of bits, 64 squares a word */
    uint8_t *squares;       /* 0: open, else the height of the wall */
    uint64_t *opaque;       /* grid: walls and boulders */
    uint64_t *boulders;     /* grid */
    struct maze_square north, finale;
    struct box sanctuary; /* the start and its opening: monsters see nobody there and do not come in */
    uint32_t number;      /* of the maze, from 1 on */
    uint32_t arrived;     /* runners that have */
    struct runner runners[WN_MAX_SEATS];
    struct monster monsters[MOST_MONSTERS];
    uint32_t monster_count;
    uint32_t tick;      /* milliseconds, or 0 */
    uint32_t idle;      /* ticks since somebody did something */
    bool ticking;       /* a wake-up has been asked for */
    uint32_t steps;     /* without a tick: runners' turns since the monsters moved */
    struct box changed; /* where boulders moved, for those who see everything */
    uint64_t board_changed,
        board_late; /* seats whose line is to be shown again: by turn(), by joins and leaves since */
} game;

static inline game *game_of(const wn_world *world)
{
    return world->state;
}
static inline bool is_same(struct maze_square one, struct maze_square other)
{
    return one.x == other.x && one.y == other.y;
}
static inline struct maze_square next_to(struct maze_square at, uint32_t direction)
{
    static const int8_t dx[DIRECTIONS] = {0, 1, 0, -1}, dy[DIRECTIONS] = {-1, 0, 1, 0};
    return (struct maze_square){at.x + dx[direction], at.y + dy[direction]};
}
static inline bool is_in(const struct box *box, struct maze_square at)
{
    return at.x >= box->left && at.x <= box->right && at.y >= box->top && at.y <= box->bottom;
}
static inline bool bit_of(const game *state, const uint64_t *grid, struct maze_square at)
{
    return (grid[(uint32_t)at.y * state->stride + ((uint32_t)at.x >> 6)] >> (at.x & 63) & 1) != 0;
}
static inline void flip_bit(const game *state, uint64_t *grid, struct maze_square at)
{
    grid[(uint32_t)at.y * state->stride + ((uint32_t)at.x >> 6)] ^= UINT64_C(1) << (at.x & 63);
}
static inline uint8_t height_at(const game *state, struct maze_square at)
{
    return state->squares[(size_t)at.y * (size_t)state->side + (size_t)at.x];
}
/* No wall and no boulder. The outermost squares of a map are walls, so a neighbour of an open one is on it. */
static inline bool is_free(const game *state, struct maze_square at)
{
    return !bit_of(state, state->opaque, at);
}

/* descriptor.c */
extern const wn_tile maze_tiles[TILE_COUNT];
extern const wn_action maze_actions[ACTION_COUNT];
extern const wn_setting maze_settings[SETTING_COUNT];
extern const wn_status maze_status[STATUS_COUNT];
extern const wn_column maze_columns[COLUMN_COUNT];
extern const wn_score_table maze_tables[TABLE_COUNT];

/* worlds.c */
game *game_new(wn_world *world);                 /* without a maze yet; NULL after wn_fail() */
bool game_equip(wn_world *world, uint32_t seat); /* the seat's memory of the map; false: there is none left */
void game_new_maze(wn_world *world);             /* and everyone to its start */
void game_survey(game *state);                   /* what follows from the maze, its squares and boulders */
void game_put_at_start(wn_world *world, uint32_t seat);

/* turn.c */
void game_take_turn(wn_world *world, const wn_turn *turn);

/* boulders.c */
bool boulders_push(game *state, struct maze_square from, uint32_t direction);

/* monsters.c */
void monsters_place(wn_world *world);
void monsters_move(wn_world *world);
bool monsters_touch(wn_world *world, uint32_t seat); /* whether the runner meets one where it is: then it is back */

/* look.c: what seats see and remember */
void look_forget(game *state, uint32_t seat);
void look_around(game *state, uint32_t seat);
void box_empty(struct box *box);
void box_add(struct box *box, const struct box *other);
void look_follow(wn_world *world, uint32_t seat); /* the view's place and facing, and the spectators' */
void look_follow_first(wn_world *world);          /* the spectators' */

/* draw.c, save.c */
void game_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what);
void game_save(wn_world *world, wn_writer *writer);
bool game_load(wn_world *world, wn_reader *reader);

#endif
