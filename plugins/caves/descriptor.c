/* descriptor.c: the tables that tell the host and the frontends what this mode is: tiles, actions, settings, status. No
 * behaviour. Their order is that of the enumerations in caves.h.
 */
#include "caves.h"

#define EARTH WN_COLOUR(0x1c, 0x19, 0x17)
#define STONE WN_COLOUR(0x33, 0x2e, 0x29)
/* Of region tiles: neighbours in number differ in colour. */
#define REGION(sign, colour)                                                                                           \
    {                                                                                                                  \
        "region " sign, sign, sign, colour, EARTH, WN_TILE_UNLISTED, 0                                                 \
    }
#define ROSE  WN_COLOUR(0xe8, 0x8a, 0x8a)
#define AMBER WN_COLOUR(0xe0, 0xb0, 0x60)
#define LEAF  WN_COLOUR(0x8f, 0xc4, 0x6a)
#define TEAL  WN_COLOUR(0x6a, 0xc4, 0xb8)
#define SKY   WN_COLOUR(0x7a, 0xa8, 0xe0)
#define LILAC WN_COLOUR(0xb8, 0x94, 0xe0)
#define SIX_REGIONS(a, b, c, d, e, f)                                                                                  \
    REGION(a, ROSE), REGION(b, AMBER), REGION(c, LEAF), REGION(d, TEAL), REGION(e, SKY), REGION(f, LILAC)

const wn_tile caves_tiles[TILE_COUNT] = {
    [TILE_OUTSIDE] = {"outside", "X", "X", WN_COLOUR(0x3a, 0x38, 0x36), WN_COLOUR(0x10, 0x0f, 0x0e),
                      WN_TILE_OPAQUE | WN_TILE_BLOCKS, 20},
    [TILE_FLOOR] = {"floor", ".", ".", WN_COLOUR(0x6b, 0x63, 0x5a), EARTH, 0, 0},
    [TILE_WALL] = {"wall", "#", "#", WN_COLOUR(0x93, 0x87, 0x78), STONE, WN_TILE_OPAQUE | WN_TILE_BLOCKS, 12},
    [TILE_LICHEN] = {"lichen", "F", "F", WN_COLOUR(0x6c, 0xc2, 0x4a), EARTH, WN_TILE_BLOCKS, 0},
    [TILE_BUNNY] = {"bunny", "v", "v", WN_COLOUR(0xf2, 0xd9, 0x5c), EARTH, WN_TILE_BLOCKS | WN_TILE_ANIMATED, 0},
    [TILE_SILVERFISH] = {"silverfish", "~", "~", WN_COLOUR(0xf0, 0xf4, 0xf8), EARTH, WN_TILE_BLOCKS | WN_TILE_ANIMATED,
                         0},
    [TILE_PLAYER] = {"player", "@", "@", WN_COLOUR(0xc8, 0xd6, 0xea), EARTH, WN_TILE_BLOCKS | WN_TILE_ANIMATED, 0},
    [TILE_YOU] = {"you", "@", "@", WN_COLOUR(0xff, 0xff, 0xff), EARTH, WN_TILE_BLOCKS | WN_TILE_ANIMATED | WN_TILE_BOLD,
                  0},
    [TILE_REGIONS] = SIX_REGIONS("0", "1", "2", "3", "4", "5"),
    SIX_REGIONS("6", "7", "8", "9", "a", "b"),
    SIX_REGIONS("c", "d", "e", "f", "g", "h"),
    SIX_REGIONS("i", "j", "k", "l", "m", "n"),
    SIX_REGIONS("o", "p", "q", "r", "s", "t"),
    SIX_REGIONS("u", "v", "w", "x", "y", "z"),
    SIX_REGIONS("A", "B", "C", "D", "E", "F"),
    SIX_REGIONS("G", "H", "I", "J", "K", "L"),
    SIX_REGIONS("M", "N", "O", "P", "Q", "R"),
    SIX_REGIONS("S", "T", "U", "V", "W", "X"),
    REGION("Y", ROSE),
    REGION("Z", AMBER),
    [TILE_UNKNOWN] = {"unknown", " ", " ", WN_COLOUR_NONE, WN_COLOUR(0x08, 0x08, 0x08), 0, 0},
};

static const wn_key step_keys[] = {
    {"h", WN_WEST},
    {"j", WN_SOUTH},
    {"k", WN_NORTH},
    {"l", WN_EAST},
    {"y", WN_NORTH_WEST},
    {"u", WN_NORTH_EAST},
    {"b", WN_SOUTH_WEST},
    {"n", WN_SOUTH_EAST},
    {"left", WN_WEST},
    {"down", WN_SOUTH},
    {"up", WN_NORTH},
    {"right", WN_EAST},
    {"home", WN_NORTH_WEST},
    {"pageup", WN_NORTH_EAST},
    {"end", WN_SOUTH_WEST},
    {"pagedown", WN_SOUTH_EAST},
    {"kp7", WN_NORTH_WEST},
    {"kp8", WN_NORTH},
    {"kp9", WN_NORTH_EAST},
    {"kp4", WN_WEST},
    {"kp6", WN_EAST},
    {"kp1", WN_SOUTH_WEST},
    {"kp2", WN_SOUTH},
    {"kp3", WN_SOUTH_EAST},
    {NULL, 0},
};
static const wn_key rest_keys[] = {{".", 0}, {"space", 0}, {"kp5", 0}, {NULL, 0}};
static const wn_key regions_keys[] = {{"R", 0}, {NULL, 0}};

const wn_action caves_actions[CAVES_ACTION_COUNT] = {
    {ACTION_STEP, "step", "Walk, attack what is in the way, or dig into a wall", WN_ARGUMENT_DIRECTION, step_keys,
     WN_PURPOSE_STEP},
    {ACTION_REST, "rest", "Let a turn pass", WN_ARGUMENT_NONE, rest_keys, WN_PURPOSE_OTHER},
    {ACTION_REGIONS, "regions", "Show or hide the numbers of connected areas (takes no turn)", WN_ARGUMENT_NONE,
     regions_keys, WN_PURPOSE_OTHER},
};

static const char *const no_sight[] = {"off", NULL};

const wn_setting caves_settings[SETTING_COUNT] = {
    [SETTING_WIDTH] = {"width", WN_SETTING_INTEGER, 16, WN_MAX_SIDE, "160", NULL, "Columns of the cave"},
    [SETTING_HEIGHT] = {"height", WN_SETTING_INTEGER, 16, WN_MAX_SIDE, "50", NULL, "Rows of the cave"},
    [SETTING_SMOOTHING] = {"smoothing", WN_SETTING_INTEGER, 0, 10, "3", NULL,
                           "Passes that smooth the cave; 0 leaves noise"},
    [SETTING_LICHENS] = {"lichens", WN_SETTING_INTEGER, 0, WN_MAX_SIDE *WN_MAX_SIDE, "30", NULL,
                         "Lichens at the start; 0 makes a world that is never won"},
    [SETTING_BUNNIES] = {"bunnies", WN_SETTING_INTEGER, 0, WN_MAX_SIDE *WN_MAX_SIDE, "0", NULL, "Bunnies at the start"},
    [SETTING_SILVERFISH] = {"silverfish", WN_SETTING_INTEGER, 0, WN_MAX_SIDE *WN_MAX_SIDE, "0", NULL,
                            "Silverfish at the start; they swim through rock"},
    [SETTING_GROWTH] = {"growth_permille", WN_SETTING_INTEGER, 0, 1000, "10", NULL,
                        "Chance of a lichen to spread in a turn, in thousandths; alone, 5 is a fair game"},
    [SETTING_LICHEN_HP] = {"lichen_hp", WN_SETTING_INTEGER, 1, 1000, "1", NULL, "Hit points of a lichen"},
    [SETTING_ATTACK] = {"attack", WN_SETTING_INTEGER, 1, 1000, "1", NULL, "Damage of an attack on what has no defence"},
    [SETTING_DEFENCE] = {"defence", WN_SETTING_INTEGER, 0, 1000, "0", NULL,
                         "If not 0, damage is 1 plus a random number below attack - defence"},
    [SETTING_MORTAL] = {"mortal", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Players have 40 hit points and can die"},
    [SETTING_PVP] = {"pvp", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Players can strike each other"},
    [SETTING_WAIT] = {"wait_ms", WN_SETTING_INTEGER, 0, 10000, "0", NULL,
                      "How long a turn waits for the other players' commands, in milliseconds"},
    [SETTING_OVERRUN] = {"overrun", WN_SETTING_INTEGER, 1, 100, "50", NULL,
                         "The world is lost when lichens cover more of the floor than this, in percent"},
    [SETTING_SIGHT] = {"sight", WN_SETTING_INTEGER, 0, WN_MAX_SIDE, "0", no_sight,
                       "Cells that players see by a line of sight, and then remember; off: everyone sees everything"},
};

const wn_status caves_status[STATUS_COUNT] = {
    [STATUS_HIT_POINTS] = {"hit_points", WN_STATUS_GAUGE, "Hit points"},
    [STATUS_LIFE] = {"life", WN_STATUS_TEXT, "Life"},
    [STATUS_POSITION] = {"position", WN_STATUS_TEXT, "Position"},
    [STATUS_LICHENS] = {"lichens", WN_STATUS_NUMBER, "Lichens left"},
    [STATUS_OVERGROWN] = {"overgrown", WN_STATUS_LOAD, "Overgrown %"},
    [STATUS_BUNNIES] = {"bunnies", WN_STATUS_NUMBER, "Bunnies left"},
    [STATUS_SILVERFISH] = {"silverfish", WN_STATUS_NUMBER, "Silverfish left"},
};

const wn_column caves_columns[CAVES_COLUMN_COUNT] = {{"Player", false}, {"Kills", true}};
