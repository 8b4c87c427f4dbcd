/* descriptor.c: the tables that tell the host and the frontends what this mode is: tiles, actions, settings, status. No
 * behaviour. Their order is that of the enumerations in game.h.
 */
#include "game.h"

#define EARTH WN_COLOUR(0x16, 0x17, 0x1c)
#define WHITE WN_COLOUR(0xff, 0xff, 0xff)
#define OTHER WN_COLOUR(0x6e, 0xb4, 0xff)
/* Someone who faces that way. */
#define FACING(name, glyph, ascii, colour)                                                                             \
    {                                                                                                                  \
        name, glyph, ascii, colour, EARTH, WN_TILE_ANIMATED | WN_TILE_BOLD, 0                                          \
    }
#define FOUR_FACINGS(name, colour)                                                                                     \
    FACING(name, "▲", "^", colour), FACING(name, "▶", ">", colour), FACING(name, "▼", "v", colour),                    \
        FACING(name, "◀", "<", colour)
/* A wall's height is its shade: the higher, the lighter, and the denser where there are no colours. */
#define WALL(height, glyph, shade)                                                                                     \
    {                                                                                                                  \
        "wall", glyph, "#", WN_COLOUR((shade) + 8, (shade) + 16, (shade) + 28),                                        \
            WN_COLOUR((shade)-6, (shade) + 2, (shade) + 14), WN_TILE_OPAQUE | WN_TILE_BLOCKS, 10 * (height)            \
    }

const wn_tile maze_tiles[TILE_COUNT] = {
    [TILE_UNKNOWN] = {"unknown", " ", " ", WN_COLOUR_NONE, WN_COLOUR(0x06, 0x06, 0x08), 0, 0},
    [TILE_FLOOR] = {"floor", "·", ".", WN_COLOUR(0x3c, 0x40, 0x4a), EARTH, 0, 0},
    [TILE_NORTH] = {"gate", "∩", "=", WN_COLOUR(0x5a, 0xb0, 0xe8), WN_COLOUR(0x16, 0x2a, 0x3a), 0, 0},
    [TILE_FINALE] = {"finale", "★", "*", WN_COLOUR(0xff, 0xd8, 0x4a), WN_COLOUR(0x4a, 0x36, 0x0c), WN_TILE_BOLD, 0},
    [TILE_BOULDER] = {"boulder", "●", "O", WN_COLOUR(0xd0, 0x94, 0x56), WN_COLOUR(0x2a, 0x20, 0x18),
                      WN_TILE_OPAQUE | WN_TILE_BLOCKS, 7},
    [TILE_MONSTER] = {"monster", "M", "M", WN_COLOUR(0xff, 0x5a, 0x5a), EARTH, WN_TILE_ANIMATED | WN_TILE_BOLD, 0},
    [TILE_YOU] = FOUR_FACINGS("you", WHITE),
    [TILE_RUNNER] = FOUR_FACINGS("runner", OTHER),
    [TILE_WALL] = WALL(1, "░", 0x40),
    WALL(2, "▒", 0x58),
    WALL(3, "▓", 0x70),
    WALL(4, "█", 0x80),
    WALL(5, "█", 0x90),
    WALL(6, "█", 0xa0),
    WALL(7, "█", 0xb0),
    WALL(8, "█", 0xc0),
    WALL(9, "█", 0xd0),
};

static const wn_key step_keys[] = {
    {"up", WN_NORTH},  {"right", WN_EAST}, {"down", WN_SOUTH}, {"left", WN_WEST}, {"k", WN_NORTH},
    {"l", WN_EAST},    {"j", WN_SOUTH},    {"h", WN_WEST},     {"kp8", WN_NORTH}, {"kp6", WN_EAST},
    {"kp2", WN_SOUTH}, {"kp4", WN_WEST},   {NULL, 0},
};
static const wn_key face_keys[] = {{"K", WN_NORTH}, {"L", WN_EAST}, {"J", WN_SOUTH}, {"H", WN_WEST}, {NULL, 0}};
static const wn_key forward_keys[] = {{"w", 0}, {NULL, 0}}, back_keys[] = {{"s", 0}, {NULL, 0}};
static const wn_key side_left_keys[] = {{"a", 0}, {NULL, 0}}, side_right_keys[] = {{"d", 0}, {NULL, 0}};
static const wn_key turn_left_keys[] = {{"q", 0}, {NULL, 0}}, turn_right_keys[] = {{"e", 0}, {NULL, 0}};
static const wn_key rest_keys[] = {{".", 0}, {"space", 0}, {"kp5", 0}, {NULL, 0}};
static const wn_key new_maze_keys[] = {{"n", 0}, {NULL, 0}};

#define PLAIN WN_ARGUMENT_NONE

const wn_action maze_actions[ACTION_COUNT] = {
    {ACTION_STEP, "step", "Walk north, east, south or west, and face there", WN_ARGUMENT_DIRECTION, step_keys,
     WN_PURPOSE_STEP},
    {ACTION_FACE, "face", "Face north, east, south or west (takes no turn)", WN_ARGUMENT_DIRECTION, face_keys,
     WN_PURPOSE_FACE},
    {ACTION_FORWARD, "forward", "Walk to where you face", PLAIN, forward_keys, WN_PURPOSE_FORWARD},
    {ACTION_BACK, "back", "Walk backwards", PLAIN, back_keys, WN_PURPOSE_BACK},
    {ACTION_SIDE_LEFT, "side-left", "Walk to your left without turning", PLAIN, side_left_keys, WN_PURPOSE_SIDE_LEFT},
    {ACTION_SIDE_RIGHT, "side-right", "Walk to your right without turning", PLAIN, side_right_keys,
     WN_PURPOSE_SIDE_RIGHT},
    {ACTION_TURN_LEFT, "turn-left", "Face left (takes no turn)", PLAIN, turn_left_keys, WN_PURPOSE_TURN_LEFT},
    {ACTION_TURN_RIGHT, "turn-right", "Face right (takes no turn)", PLAIN, turn_right_keys, WN_PURPOSE_TURN_RIGHT},
    {ACTION_REST, "rest", "Let a turn pass", PLAIN, rest_keys, WN_PURPOSE_OTHER},
    {ACTION_NEW_MAZE, "new-maze", "When you have reached the finale: a new maze for everyone", PLAIN, new_maze_keys,
     WN_PURPOSE_OTHER},
};

static const char *const no_tick[] = {"off", NULL};
static const char *const ends[] = {"bottom", "side", "farthest", NULL}; /* as maze_end */

const wn_setting maze_settings[SETTING_COUNT] = {
    [SETTING_CELLS] = {"cells", WN_SETTING_INTEGER, MAZE_MIN_CELLS, MAZE_MAX_CELLS, "10", NULL,
                       "Cells of a side of the maze"},
    [SETTING_HALL] = {"hall", WN_SETTING_INTEGER, 1, MAZE_MAX_WIDTH, "1", NULL, "Squares that a hall is wide"},
    [SETTING_WALL] = {"wall", WN_SETTING_INTEGER, 1, MAZE_MAX_WIDTH, "1", NULL, "Squares that a wall is thick"},
    [SETTING_WALL_HEIGHTS] = {"wall_heights", WN_SETTING_INTEGER, 1, MAZE_MAX_HEIGHTS, "3", NULL,
                              "Walls are from 1 to so high, as chance has it"},
    [SETTING_END] = {"end", WN_SETTING_CHOICE, 0, 0, "bottom", ends,
                     "Where the finale is: as far from the start as can be in the bottom row, on a side, or anywhere"},
    [SETTING_OBSTACLES] = {"obstacles", WN_SETTING_INTEGER, 0, 100, "5", NULL,
                           "Percent of the cells off the way to the finale that hold a boulder"},
    [SETTING_MONSTERS] = {"monsters", WN_SETTING_INTEGER, 0, MOST_MONSTERS, "2", NULL,
                          "Monsters that send whom they touch back to the start"},
    [SETTING_TICK] = {"tick", WN_SETTING_INTEGER, 0, 10000, "300", no_tick,
                      "Milliseconds between two moves of the monsters; off: they move when players have moved"},
};

const wn_status maze_status[STATUS_COUNT] = {
    [STATUS_COMPASS] = {"compass", WN_STATUS_TEXT, "Compass"},
    [STATUS_TURNS] = {"turns", WN_STATUS_NUMBER, "Turns"},
    [STATUS_BEST] = {"best", WN_STATUS_NUMBER, "Your best"},
    [STATUS_MAZE] = {"maze", WN_STATUS_NUMBER, "Maze"},
};

const wn_column maze_columns[COLUMN_COUNT] = {
    [COLUMN_PLAYER] = {"Player", false},
    [COLUMN_TIME] = {"Now", true},
    [COLUMN_BEST] = {"Best", true},
    [COLUMN_WINS] = {"Won", true}, /* "1/3": of those finished */
};

/* Fewest turns first, for each size of maze apart. */
const wn_score_table maze_tables[TABLE_COUNT] = {{TABLE_TURNS "*", "Turns", WN_SCORE_LOWEST, 0}};
