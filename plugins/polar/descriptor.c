/* descriptor.c: the tables that tell the host and the frontends what this mode is: tiles, actions, settings, status. No
 * behaviour. Their order is that of the enumerations in polar.h.
 */
#include "polar.h"

#define WATER WN_COLOUR(0x12, 0x2b, 0x45)
#define SNOW  WN_COLOUR(0xe4, 0xec, 0xf2)
#define FAINT WN_COLOUR(0xb9, 0xc8, 0xd4)
#define WOOD  WN_COLOUR(0xc9, 0xdf, 0xcb)
#define GREEN WN_COLOUR(0x1f, 0x7a, 0x3d)
#define STONE WN_COLOUR(0x8d, 0x93, 0x9c)
#define CLIFF WN_COLOUR(0x3b, 0x40, 0x48)
#define BRICK WN_COLOUR(0x9a, 0x3b, 0x1e)
#define LIGHT WN_COLOUR(0xff, 0xdd, 0x8a)
#define ICE   WN_COLOUR(0x5c, 0xb8, 0xe6)
#define DEEP  WN_COLOUR(0x14, 0x5d, 0x92)
#define RED   WN_COLOUR(0xd8, 0x1e, 0x3c)
#define BLACK WN_COLOUR(0x10, 0x12, 0x16)
#define GOLD  WN_COLOUR(0xb8, 0x5a, 0x00)
#define VIVID WN_COLOUR(0x8a, 0x1f, 0xc8)

#define PENGUIN(glyph, ascii)                                                                                          \
    {                                                                                                                  \
        "penguin", glyph, ascii, BLACK, WN_COLOUR(0xff, 0xb0, 0x2e), WN_TILE_ANIMATED | WN_TILE_BOLD, 0                \
    }
#define HINT(glyph, ascii)                                                                                             \
    {                                                                                                                  \
        "hint", glyph, ascii, VIVID, WN_COLOUR_NONE, WN_TILE_ANIMATED | WN_TILE_BOLD, 0                                \
    }

const wn_tile polar_tiles[TILE_COUNT] = {
    [TILE_SEA] = {"sea", "≈", "~", WN_COLOUR(0x2c, 0x5a, 0x84), WATER, WN_TILE_BLOCKS, 0},
    [TILE_SNOW] = {"snow", "·", ".", FAINT, SNOW, 0, 0},
    [TILE_TREE] = {"tree", "♣", "T", GREEN, WOOD, WN_TILE_ANIMATED, 0}, /* alive: it stands upright */
    [TILE_MOUNTAIN] = {"mountain", "▲", "M", CLIFF, STONE, WN_TILE_BLOCKS, 0},
    [TILE_HOUSE] = {"house", "⌂", "H", BRICK, LIGHT, WN_TILE_BLOCKS | WN_TILE_BOLD, 0},
    [TILE_ICE] = {"ice", "■", "#", ICE, DEEP, WN_TILE_OPAQUE | WN_TILE_BLOCKS, 6},
    [TILE_HEART] = {"heart", "♥", "$", RED, SNOW, WN_TILE_BLOCKS | WN_TILE_BOLD, 0},
    [TILE_BOMB] = {"bomb", "●", "*", BLACK, SNOW, WN_TILE_BLOCKS | WN_TILE_BOLD, 0},
    [TILE_PENGUIN] = PENGUIN("↑", "^"),
    PENGUIN("→", ">"),
    PENGUIN("↓", "v"),
    PENGUIN("←", "<"),
    [TILE_HINT] = HINT("⇑", "N"), /* ASCII has no other arrows than the penguin's */
    HINT("⇒", "E"),
    HINT("⇓", "S"),
    HINT("⇐", "W"),
};

/* actions */

static const wn_key step_keys[] = {
    {"h", WN_WEST},     {"j", WN_SOUTH},  {"k", WN_NORTH},    {"l", WN_EAST},   {"left", WN_WEST},
    {"down", WN_SOUTH}, {"up", WN_NORTH}, {"right", WN_EAST}, {"kp4", WN_WEST}, {"kp2", WN_SOUTH},
    {"kp8", WN_NORTH},  {"kp6", WN_EAST}, {NULL, 0},
};
#define KEYS(...)                                                                                                      \
    (const wn_key[])                                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            NULL, 0                                                                                                    \
        }                                                                                                              \
    }

static const wn_key face_keys[] = {{"H", WN_WEST}, {"J", WN_SOUTH}, {"K", WN_NORTH}, {"L", WN_EAST}, {NULL, 0}};
#define SIMPLE(id, name, help, ...)                                                                                    \
    {                                                                                                                  \
        id, name, help, WN_ARGUMENT_NONE, KEYS(__VA_ARGS__), WN_PURPOSE_OTHER                                          \
    }

const wn_action polar_actions[POLAR_ACTION_COUNT] = {
    {ACTION_STEP, "step", "Turn; facing that way already: walk, or push what is there", WN_ARGUMENT_DIRECTION,
     step_keys, WN_PURPOSE_STEP},
    {ACTION_FACE, "face", "Turn without walking", WN_ARGUMENT_DIRECTION, face_keys, WN_PURPOSE_FACE},
    SIMPLE(ACTION_UNDO, "undo", "Take the last move back", {"u", 0}, {"backspace", 0}),
    SIMPLE(ACTION_BACK, "back", "Take everything back to before the last push", {"b", 0}),
    SIMPLE(ACTION_REDO, "redo", "Make a move again that was taken back", {"U", 0}, {"y", 0}),
    SIMPLE(ACTION_RESTART, "restart", "Begin the level anew; redo brings back what you did", {"r", 0}),
    SIMPLE(ACTION_NEXT, "next", "Go to the next level, if you have reached it", {"n", 0}, {"]", 0}),
    SIMPLE(ACTION_PREVIOUS, "previous", "Go to the level before", {"p", 0}, {"[", 0}),
    SIMPLE(ACTION_HINT, "hint", "Ask what to push next, or how far to go back", {"i", 0}),
    SIMPLE(ACTION_LEVELS, "levels", "Choose among the levels that you have reached", {"g", 0}),
    SIMPLE(ACTION_PLAY, "play", "Play the level that is chosen; after clearing one, the next", {"space", 0}),
};

const wn_setting polar_settings[SETTING_COUNT] = {
    [SETTING_PACK] = {"pack", WN_SETTING_FILE, 0, 0, "floe.polar", NULL, "The levels"},
    [SETTING_OPEN] = {"open", WN_SETTING_BOOLEAN, 0, 0, "no", NULL,
                      "All levels can be chosen from the start, not only those that were reached"},
    [SETTING_SLIDE] = {"slide_ms", WN_SETTING_INTEGER, 0, 1000, "30", NULL,
                       "Milliseconds between the pictures of something that slides; 0: it is there at once"},
    [SETTING_CALM] = {"calm_ms", WN_SETTING_INTEGER, 0, 10000, "600", NULL,
                      "Milliseconds without a step before one leads on from a level that was cleared; 0: any does"},
};

const wn_status polar_status[STATUS_COUNT] = {
    [STATUS_LEVEL] = {"level", WN_STATUS_TEXT, "Level"},
    [STATUS_TITLE] = {"title", WN_STATUS_TEXT, "Title"},
    [STATUS_HEARTS] = {"hearts", WN_STATUS_NUMBER, "Hearts left"},
    [STATUS_MOVES] = {"moves", WN_STATUS_NUMBER, "Moves"},
    [STATUS_PUSHES] = {"pushes", WN_STATUS_NUMBER, "Pushes"},
    [STATUS_BEST_MOVES] = {"best_moves", WN_STATUS_TEXT, "Best moves"},
    [STATUS_BEST_PUSHES] = {"best_pushes", WN_STATUS_TEXT, "Best pushes"},
    [STATUS_RACE] = {"race", WN_STATUS_TEXT, "Race"},
};

const wn_column polar_columns[COLUMN_COUNT] = {
    [COLUMN_PLAYER] = {"Player", false},
    [COLUMN_LEVEL] = {"Lvl", true},
    [COLUMN_MOVES] = {"Moves", true},
    [COLUMN_PUSHES] = {"Push", true},
};

const wn_score_table polar_tables[POLAR_TABLE_COUNT] = {
    {"moves *", "Moves", WN_SCORE_LOWEST, 0},
    {"pushes *", "Pushes", WN_SCORE_LOWEST, 0},
};
