/* descriptor.c: the tables that tell the host and the frontends what this mode is: tiles, actions, settings, status. No
 * behaviour. Their order is that of the enumerations in hunt.h.
 */
#include "hunt.h"

#define FLOOR  WN_COLOUR(0x16, 0x18, 0x1d)
#define STONE  WN_COLOUR(0xa8, 0xae, 0xba)
#define MIRROR WN_COLOUR(0x7a, 0xd0, 0xe8)
#define WOOD   WN_COLOUR(0xc8, 0x96, 0x5a)
#define STEEL  WN_COLOUR(0xd8, 0xd8, 0x60)
#define FIRE   WN_COLOUR(0xff, 0x9a, 0x3c)
#define OOZE   WN_COLOUR(0x6c, 0xe0, 0x5a)
#define MAGMA  WN_COLOUR(0xff, 0x5a, 0x36)
#define WHITE  WN_COLOUR(0xff, 0xff, 0xff)
#define ENEMY  WN_COLOUR(0xff, 0x6e, 0x7a)
#define FRIEND WN_COLOUR(0x6e, 0xb4, 0xff)
#define THING(name, sign, colour, flags)                                                                               \
    {                                                                                                                  \
        name, sign, sign, colour, FLOOR, flags, 0                                                                      \
    }
#define WALL(name, sign, colour)                                                                                       \
    {                                                                                                                  \
        name, sign, sign, colour, FLOOR, WN_TILE_OPAQUE | WN_TILE_BLOCKS, 12                                           \
    }
#define TEXT(sign) THING("text " sign, sign, WHITE, WN_TILE_BOLD | WN_TILE_UNLISTED)
#define PLAYER     WN_TILE_BLOCKS | WN_TILE_ANIMATED | WN_TILE_BOLD

const wn_tile hunt_tiles[TILE_COUNT] = {
    [TILE_UNKNOWN] = {"unknown", " ", " ", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
    [TILE_FLOOR] = THING("floor", " ", WN_COLOUR_NONE, 0),
    [TILE_HORIZONTAL] = WALL("wall -", "-", STONE),
    [TILE_VERTICAL] = WALL("wall |", "|", STONE),
    [TILE_CROSS] = WALL("wall +", "+", STONE),
    [TILE_SLASH] = WALL("reflecting wall /", "/", MIRROR),
    [TILE_BACKSLASH] = WALL("reflecting wall \\", "\\", MIRROR),
    [TILE_DOOR] = {"door", "#", "#", WOOD, FLOOR, WN_TILE_OPAQUE, 12},
    [TILE_SMALL_MINE] = THING("small mine", ";", STEEL, 0),
    [TILE_LARGE_MINE] = THING("large mine", "g", STEEL, WN_TILE_BOLD),
    [TILE_BOOT] = THING("boot", "b", WOOD, 0),
    [TILE_BOOTS] = THING("boots", "B", WOOD, WN_TILE_BOLD),
    [TILE_BULLET] = THING("bullet", ":", STEEL, WN_TILE_ANIMATED),
    [TILE_GRENADE] = THING("grenade", "o", STEEL, WN_TILE_ANIMATED),
    [TILE_SATCHEL] = THING("satchel", "O", STEEL, WN_TILE_ANIMATED),
    [TILE_BOMB] = THING("bomb", "@", STEEL, WN_TILE_ANIMATED | WN_TILE_BOLD),
    [TILE_SLIME] = THING("slime", "$", OOZE, WN_TILE_ANIMATED),
    [TILE_LAVA] = THING("lava", "~", MAGMA, WN_TILE_ANIMATED),
    [TILE_DRONE] = THING("drone", "?", MAGMA, WN_TILE_ANIMATED | WN_TILE_BOLD),
    [TILE_BLAST] = THING("explosion *", "*", FIRE, WN_TILE_ANIMATED | WN_TILE_BOLD),
    [TILE_BLAST_VERTICAL] = THING("explosion |", "|", FIRE, WN_TILE_ANIMATED),
    [TILE_BLAST_HORIZONTAL] = THING("explosion -", "-", FIRE, WN_TILE_ANIMATED),
    [TILE_BLAST_SLASH] = THING("explosion /", "/", FIRE, WN_TILE_ANIMATED),
    [TILE_BLAST_BACKSLASH] = THING("explosion \\", "\\", FIRE, WN_TILE_ANIMATED),
    [TILE_YOU] = THING("you, north", "^", WHITE, PLAYER),
    THING("you, east", ">", WHITE, PLAYER),
    THING("you, south", "v", WHITE, PLAYER),
    THING("you, west", "<", WHITE, PLAYER),
    [TILE_OTHER] = THING("player, north", "i", ENEMY, PLAYER),
    THING("player, east", "}", ENEMY, PLAYER),
    THING("player, south", "!", ENEMY, PLAYER),
    THING("player, west", "{", ENEMY, PLAYER),
    [TILE_FLYER] = THING("flyer", "&", ENEMY, PLAYER),
    [TILE_TEAM] = THING("team 0", "0", FRIEND, PLAYER),
    THING("team 1", "1", FRIEND, PLAYER),
    THING("team 2", "2", FRIEND, PLAYER),
    THING("team 3", "3", FRIEND, PLAYER),
    THING("team 4", "4", FRIEND, PLAYER),
    THING("team 5", "5", FRIEND, PLAYER),
    THING("team 6", "6", FRIEND, PLAYER),
    THING("team 7", "7", FRIEND, PLAYER),
    THING("team 8", "8", FRIEND, PLAYER),
    THING("team 9", "9", FRIEND, PLAYER),
    [TILE_TEXT] = TEXT(" "),
    TEXT("!"),
    TEXT("\""),
    TEXT("#"),
    TEXT("$"),
    TEXT("%"),
    TEXT("&"),
    TEXT("'"),
    TEXT("("),
    TEXT(")"),
    TEXT("*"),
    TEXT("+"),
    TEXT(","),
    TEXT("-"),
    TEXT("."),
    TEXT("/"),
    TEXT("0"),
    TEXT("1"),
    TEXT("2"),
    TEXT("3"),
    TEXT("4"),
    TEXT("5"),
    TEXT("6"),
    TEXT("7"),
    TEXT("8"),
    TEXT("9"),
    TEXT(":"),
    TEXT(";"),
    TEXT("<"),
    TEXT("="),
    TEXT(">"),
    TEXT("?"),
    TEXT("@"),
    TEXT("A"),
    TEXT("B"),
    TEXT("C"),
    TEXT("D"),
    TEXT("E"),
    TEXT("F"),
    TEXT("G"),
    TEXT("H"),
    TEXT("I"),
    TEXT("J"),
    TEXT("K"),
    TEXT("L"),
    TEXT("M"),
    TEXT("N"),
    TEXT("O"),
    TEXT("P"),
    TEXT("Q"),
    TEXT("R"),
    TEXT("S"),
    TEXT("T"),
    TEXT("U"),
    TEXT("V"),
    TEXT("W"),
    TEXT("X"),
    TEXT("Y"),
    TEXT("Z"),
    TEXT("["),
    TEXT("\\"),
    TEXT("]"),
    TEXT("^"),
    TEXT("_"),
    TEXT("`"),
    TEXT("a"),
    TEXT("b"),
    TEXT("c"),
    TEXT("d"),
    TEXT("e"),
    TEXT("f"),
    TEXT("g"),
    TEXT("h"),
    TEXT("i"),
    TEXT("j"),
    TEXT("k"),
    TEXT("l"),
    TEXT("m"),
    TEXT("n"),
    TEXT("o"),
    TEXT("p"),
    TEXT("q"),
    TEXT("r"),
    TEXT("s"),
    TEXT("t"),
    TEXT("u"),
    TEXT("v"),
    TEXT("w"),
    TEXT("x"),
    TEXT("y"),
    TEXT("z"),
    TEXT("{"),
    TEXT("|"),
    TEXT("}"),
    TEXT("~"),
};

/* actions */

static const wn_key move_keys[] = {
    {"h", WN_WEST},     {"j", WN_SOUTH},  {"k", WN_NORTH},    {"l", WN_EAST}, {"left", WN_WEST},
    {"down", WN_SOUTH}, {"up", WN_NORTH}, {"right", WN_EAST}, {NULL, 0},
};
static const wn_key face_keys[] = {{"H", WN_WEST}, {"J", WN_SOUTH}, {"K", WN_NORTH}, {"L", WN_EAST}, {NULL, 0}};
#define KEYS(...)                                                                                                      \
    (const wn_key[])                                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            NULL, 0                                                                                                    \
        }                                                                                                              \
    }
#define FIRE_ACTION(index, name, help, ...)                                                                            \
    {                                                                                                                  \
        ACTION_FIRE + (index), name, help, WN_ARGUMENT_NONE, KEYS(__VA_ARGS__),                                        \
            (index) == 0 ? WN_PURPOSE_USE : WN_PURPOSE_OTHER                                                           \
    }
#define OOZE_ACTION(index, name, help, key)                                                                            \
    {                                                                                                                  \
        ACTION_OOZE + (index), name, help, WN_ARGUMENT_NONE, KEYS({key, 0}), WN_PURPOSE_OTHER                          \
    }

const wn_action hunt_actions[HUNT_ACTION_COUNT] = {
    {ACTION_MOVE, "move", "Walk; into a player you face: stab", WN_ARGUMENT_DIRECTION, move_keys, WN_PURPOSE_STEP},
    {ACTION_FACE, "face", "Turn without walking", WN_ARGUMENT_DIRECTION, face_keys, WN_PURPOSE_FACE},
    FIRE_ACTION(0, "bullet", "Fire a bullet (1 charge)", {"f", 0}, {"1", 0}, {"space", 0}),
    FIRE_ACTION(1, "grenade", "Throw a grenade, 3x3 (9 charges)", {"g", 0}, {"2", 0}),
    FIRE_ACTION(2, "satchel", "Throw a satchel charge, 5x5 (25 charges)", {"F", 0}, {"3", 0}),
    FIRE_ACTION(3, "bomb", "Throw a bomb, 7x7 (49 charges)", {"G", 0}, {"4", 0}),
    FIRE_ACTION(4, "bomb9", "Throw a bomb, 9x9 (81 charges)", {"5", 0}),
    FIRE_ACTION(5, "bomb11", "Throw a bomb, 11x11 (121 charges)", {"6", 0}),
    FIRE_ACTION(6, "bomb13", "Throw a bomb, 13x13 (169 charges)", {"7", 0}),
    FIRE_ACTION(7, "bomb15", "Throw a bomb, 15x15 (225 charges)", {"8", 0}),
    FIRE_ACTION(8, "bomb17", "Throw a bomb, 17x17 (289 charges)", {"9", 0}),
    FIRE_ACTION(9, "bomb19", "Throw a bomb, 19x19 (361 charges)", {"0", 0}),
    FIRE_ACTION(10, "bomb21", "Throw a bomb, 21x21 (441 charges)", {"@", 0}),
    OOZE_ACTION(0, "slime5", "Throw slime (5 charges)", "o"),
    OOZE_ACTION(1, "slime10", "Throw slime (10 charges)", "O"),
    OOZE_ACTION(2, "slime15", "Throw slime (15 charges)", "p"),
    OOZE_ACTION(3, "slime20", "Throw slime (20 charges)", "P"),
    {ACTION_SCAN, "scan", "Scan: see who moves without a cloak (1 charge)", WN_ARGUMENT_NONE, KEYS({"s", 0}),
     WN_PURPOSE_OTHER},
    {ACTION_CLOAK, "cloak", "Cloak: hide from scanners (1 charge)", WN_ARGUMENT_NONE, KEYS({"c", 0}), WN_PURPOSE_OTHER},
    {ACTION_QUIT, "quit", "Leave the game", WN_ARGUMENT_NONE, KEYS({"q", 0}), WN_PURPOSE_OTHER},
};

/* settings The defaults are the original's: "config" those that OpenBSD's huntd names in its hunt.conf, "manual" those
 * of hunt(6), "fixed" numbers that its code has no name for; "ours" what it does not have. */

static const char *const no_delay[] = {"off", NULL};

#define NUMBER(name, least, most, standard, help)                                                                      \
    {                                                                                                                  \
        name, WN_SETTING_INTEGER, least, most, standard, NULL, help                                                    \
    }
#define PERCENT(name, standard, help) NUMBER(name, 0, 100, standard, help " (percent)")
#define SWITCH(name, help)                                                                                             \
    {                                                                                                                  \
        name, WN_SETTING_BOOLEAN, 0, 0, "yes", NULL, help                                                              \
    }

const wn_setting hunt_settings[SETTING_COUNT] = {
    /* fixed  */ [SETTING_WIDTH] = NUMBER("width", 5, HUNT_MAX_SIDE, "51", "Columns of the maze; made odd"),
    /* fixed  */[SETTING_HEIGHT] = NUMBER("height", 3, HUNT_MAX_SIDE, "23", "Rows of the maze; made odd"),
    /* config */[SETTING_REFLECT] = SWITCH("reflect", "There are reflecting walls"),
    /* config */[SETTING_BOOTS] = SWITCH("boots", "There is a pair of boots"),
    /* config */[SETTING_MONITORS] = SWITCH("monitors", "Spectators may watch"),
    /* config */
    [SETTING_SIMSTEP] = NUMBER("simstep", 0, 10000, "0",
                               "Turns go on by themselves while anything flies, so many ms apart; 0: they do not"),
    /* config */[SETTING_BULSPD] = NUMBER("bulspd", 1, 50, "5", "Cells that a shot flies in a turn"),
    /* config */[SETTING_ISHOTS] = NUMBER("ishots", 0, 10000, "15", "Charges of someone who enters"),
    /* config */[SETTING_NSHOTS] = NUMBER("nshots", 0, 1000, "5", "Charges for everyone when someone enters"),
    /* config */[SETTING_MAXNCSHOT] = NUMBER("maxncshot", 0, 1000, "2", "Heat up to which the gun fires"),
    /* config */[SETTING_MAXDAM] = NUMBER("maxdam", 1, 10000, "10", "Damage that a player can bear at first"),
    /* config */[SETTING_MINDAM] = NUMBER("mindam", 0, 1000, "5", "Damage of a bullet, and per step of an explosion"),
    /* config */[SETTING_STABDAM] = NUMBER("stabdam", 0, 1000, "2", "Damage of a stab"),
    /* config */[SETTING_KILLGAIN] = NUMBER("killgain", 0, 1000, "2", "Capacity gained, damage lost with a kill"),
    /* config */[SETTING_SLIMEDAM] = NUMBER("slimedam", 0, 1000, "5", "Damage of slime each time"),
    /* config */[SETTING_LAVADAM] = NUMBER("lavadam", 0, 1000, "5", "Damage of lava each time"),
    /* config */[SETTING_SLIMEFACTOR] = NUMBER("slimefactor", 1, 20, "3", "Cells of slime for a charge"),
    /* config */[SETTING_SLIMESPEED] = NUMBER("slimespeed", 1, 20, "5", "Cells that slime spreads in a turn"),
    /* config */[SETTING_LAVASPEED] = NUMBER("lavaspeed", 1, 20, "1", "Cells that lava spreads in a turn"),
    /* config */[SETTING_CLOAKLEN] = NUMBER("cloaklen", 0, 10000, "20", "Moves that a cloak lasts"),
    /* config */[SETTING_SCANLEN] = NUMBER("scanlen", 0, 10000, "20", "Moves that a scan lasts, times players"),
    /* config */[SETTING_FLYTIME] = NUMBER("flytime", 1, 200, "20", "Most turns of a flight"),
    /* config */[SETTING_FLYSTEP] = NUMBER("flystep", 0, 50, "5", "Most cells that a flyer moves in a turn"),
    /* config */[SETTING_FALL_FRAC] = NUMBER("fall_frac", 1, 1000, "5", "Landing costs up to 1/so much of your damage"),
    /* fixed  */[SETTING_MINES] = NUMBER("mines", 0, 20, "1", "Mines of each size laid when someone enters"),
    /* config */[SETTING_PTRIP_FACE] = PERCENT("ptrip_face", "2", "Chance to trip a mine walking ahead"),
    /* config */[SETTING_PTRIP_SIDE] = PERCENT("ptrip_side", "50", "Chance to trip a mine walking sideways"),
    /* config */[SETTING_PTRIP_BACK] = PERCENT("ptrip_back", "95", "Chance to trip a mine walking backwards"),
    /* config */[SETTING_PSHOT_COLL] = PERCENT("pshot_coll", "5", "Chance that a shot meeting a bullet goes off"),
    /* config */[SETTING_PGREN_COLL] = PERCENT("pgren_coll", "10", "Chance that a shot meeting a grenade goes off"),
    /* config */[SETTING_PGREN_CATCH] = PERCENT("pgren_catch", "10", "Chance to absorb a shot that you face"),
    /* config */[SETTING_PMISS] = PERCENT("pmiss", "5", "Chance that a shot misses a player"),
    /* fixed  */[SETTING_PDRONE] = PERCENT("pdrone", "2", "Chance of a drone at a death"),
    /* config */[SETTING_PDRONEABSORB] = PERCENT("pdroneabsorb", "1", "Chance to absorb a drone that you face"),
    /* config */[SETTING_MINDSHOT] =
        NUMBER("mindshot", 0, BOMBS - 1, "2", "Least size of a drone, as a weapon's number"),
    /* config */[SETTING_VOLCANO_MAX] = NUMBER("volcano_max", 1, 100000, "50", "Charges in the volcano for a percent"),
    /* config */[SETTING_MAXREMOVE] = NUMBER("maxremove", 0, 10000, "40", "Walls that are open at once"),
    /* config */[SETTING_PRANDOM] = PERCENT("prandom", "1", "Chance of a wall to come back as a door"),
    /* config */[SETTING_PREFLECT] = PERCENT("preflect", "1", "Chance of a wall to come back as a reflecting one"),
    /* fixed  */[SETTING_EXPLEN] = NUMBER("explen", 1, 100, "4", "Turns that an explosion shows"),
    /* config */[SETTING_SCOREDECAY] = NUMBER("scoredecay", 1, 1000, "15", "Entries after which kills decay"),
    /* ours   */
    [SETTING_SPECTATOR_DELAY] = {"spectator_delay", WN_SETTING_INTEGER, 0, WN_MAX_DELAY, "20", no_delay,
                                 "Turns that spectators are late, so that they cannot help a player"},
};

const wn_status hunt_status[STATUS_COUNT] = {
    [STATUS_AMMO] = {"ammo", WN_STATUS_NUMBER, "Ammo"},
    [STATUS_GUN] = {"gun", WN_STATUS_TEXT, "Gun"},
    [STATUS_DAMAGE] = {"damage", WN_STATUS_LOAD, "Damage"},
    [STATUS_KILLS] = {"kills", WN_STATUS_NUMBER, "Kills"},
};

const wn_column hunt_columns[COLUMN_COUNT] = {
    [COLUMN_SCORE] = {"Score", true},
    [COLUMN_STATE] = {"", false},
    [COLUMN_NAME] = {"Name", false},
    [COLUMN_TEAM] = {"Team", false},
};

/* The original's question on entering. Its first answer is what those get who do not answer. */
const wn_entry hunt_entries[ENTER_COUNT] = {
    [ENTER_CLOAKED] = {"cloaked", "Hidden from scanners, until you have moved 20 times or scan", "c"},
    [ENTER_SCANNING] = {"scanning", "Seeing whoever moves without a cloak", "s"},
    [ENTER_FLYING] = {"flying", "Through the air, over walls and shots, until you land somewhere", "f"},
};

/* The columns of the original's statistics, in its order: the score, then each stat. */
const wn_score_table hunt_tables[TABLE_COUNT] = {
    {"score", "Score", WN_SCORE_RATING, 2},  {"ducked", "Ducked", WN_SCORE_SUM, 0},
    {"absorbed", "Absorb", WN_SCORE_SUM, 0}, {"faced", "Faced", WN_SCORE_SUM, 0},
    {"shot", "Shot", WN_SCORE_SUM, 0},       {"robbed", "Robbed", WN_SCORE_SUM, 0},
    {"missed", "Missed", WN_SCORE_SUM, 0},   {"slime", "SlimeK", WN_SCORE_SUM, 0},
    {"enemies", "Enemy", WN_SCORE_SUM, 0},   {"friends", "Friend", WN_SCORE_SUM, 0},
    {"deaths", "Deaths", WN_SCORE_SUM, 0},   {"still", "Still", WN_SCORE_SUM, 0},
    {"saved", "Saved", WN_SCORE_SUM, 0},
};
