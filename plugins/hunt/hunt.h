/* hunt.h: what the files of the hunt mode share: the map, who and what is on it, what each seat has seen of it.
 * The rules are those of the BSD game. Not for anyone else: to other programs the mode is wn_mode() and nothing more.
 */
#ifndef HUNT_H
#define HUNT_H

#include <warren/mode.h>

/* the tables */

/* Settings, actions, status fields and tiles by their place in the descriptor's tables (descriptor.c). */
enum {
    SETTING_WIDTH,
    SETTING_HEIGHT,
    SETTING_REFLECT,
    SETTING_BOOTS,
    SETTING_MONITORS,
    SETTING_SIMSTEP,
    SETTING_BULSPD,
    SETTING_ISHOTS,
    SETTING_NSHOTS,
    SETTING_MAXNCSHOT,
    SETTING_MAXDAM,
    SETTING_MINDAM,
    SETTING_STABDAM,
    SETTING_KILLGAIN,
    SETTING_SLIMEDAM,
    SETTING_LAVADAM,
    SETTING_SLIMEFACTOR,
    SETTING_SLIMESPEED,
    SETTING_LAVASPEED,
    SETTING_CLOAKLEN,
    SETTING_SCANLEN,
    SETTING_FLYTIME,
    SETTING_FLYSTEP,
    SETTING_FALL_FRAC,
    SETTING_MINES,
    SETTING_PTRIP_FACE,
    SETTING_PTRIP_SIDE,
    SETTING_PTRIP_BACK,
    SETTING_PSHOT_COLL,
    SETTING_PGREN_COLL,
    SETTING_PGREN_CATCH,
    SETTING_PMISS,
    SETTING_PDRONE,
    SETTING_PDRONEABSORB,
    SETTING_MINDSHOT,
    SETTING_VOLCANO_MAX,
    SETTING_MAXREMOVE,
    SETTING_PRANDOM,
    SETTING_PREFLECT,
    SETTING_EXPLEN,
    SETTING_SCOREDECAY,
    SETTING_SPECTATOR_DELAY,
    SETTING_COUNT
};
enum { ENTER_CLOAKED, ENTER_SCANNING, ENTER_FLYING, ENTER_COUNT };
enum { BOMBS = 11, SLIMES = 4 };
/* The two groups of weapons are in the order of their prices. */
enum {
    ACTION_MOVE = 1,
    ACTION_FACE,
    ACTION_FIRE,
    ACTION_FIRE_LAST = ACTION_FIRE + BOMBS - 1,
    ACTION_OOZE,
    ACTION_OOZE_LAST = ACTION_OOZE + SLIMES - 1,
    ACTION_SCAN,
    ACTION_CLOAK,
    ACTION_QUIT,
    HUNT_ACTION_COUNT = ACTION_QUIT
};
enum { STATUS_AMMO, STATUS_GUN, STATUS_DAMAGE, STATUS_KILLS, STATUS_COUNT };
enum { COLUMN_SCORE, COLUMN_STATE, COLUMN_NAME, COLUMN_TEAM, COLUMN_COUNT };
enum {
    TILE_UNKNOWN, /* never seen */
    TILE_FLOOR,
    TILE_HORIZONTAL,
    TILE_VERTICAL,
    TILE_CROSS,
    TILE_SLASH,
    TILE_BACKSLASH,
    TILE_DOOR,
    TILE_SMALL_MINE,
    TILE_LARGE_MINE,
    TILE_BOOT,
    TILE_BOOTS,
    TILE_BULLET,
    TILE_GRENADE,
    TILE_SATCHEL,
    TILE_BOMB,
    TILE_SLIME,
    TILE_LAVA,
    TILE_DRONE,
    TILE_BLAST,
    TILE_BLAST_VERTICAL,
    TILE_BLAST_HORIZONTAL,
    TILE_BLAST_SLASH,
    TILE_BLAST_BACKSLASH,
    TILE_YOU, /* four, by facing */
    TILE_OTHER = TILE_YOU + 4,
    TILE_FLYER = TILE_OTHER + 4,
    TILE_TEAM,                  /* ten */
    TILE_TEXT = TILE_TEAM + 10, /* ' ' to '~': what the dead are told */
    TILE_COUNT = TILE_TEXT + '~' - ' ' + 1
};

/* the map */

/* A cell: y * width + x. 255 x 255 of them fit. */
typedef uint16_t cell;
enum { HUNT_MAX_SIDE = 255, NO_CELL = UINT16_MAX };

/* Directions and facings of this mode; the host's are twice that. */
enum { NORTH, EAST, SOUTH, WEST, DIRECTIONS };
extern const int32_t hunt_dx[DIRECTIONS], hunt_dy[DIRECTIONS];

static inline uint32_t opposite(uint32_t direction)
{
    return direction ^ 2;
}

/* Cells that views have to show again. Those up to `settled` are of the last turn(): views have them since. */
struct changes {
    cell *cells;
    uint32_t count, settled;
    bool overflow;      /* more than the list has room for: show everything */
    bool late_overflow; /* and that came after the last turn() */
};
enum { CHANGE_LIMIT = 2048 };

static inline void changes_add(struct changes *changes, cell at)
{
    if (changes->count < CHANGE_LIMIT) {
        changes->cells[changes->count++] = at;
    } else {
        changes->overflow = true;
        changes->late_overflow = true;
    }
}

struct opened { /* a wall that is to come back */
    cell at;
    uint8_t tile;
};

/* shots */

typedef enum shot_kind {
    SHOT_BULLET,
    SHOT_GRENADE,
    SHOT_SATCHEL,
    SHOT_BOMB,
    SHOT_SLIME,
    SHOT_LAVA,
    SHOT_DRONE,
    SHOT_KINDS
} shot_kind;

typedef enum cause {
    CAUSE_BULLET,
    CAUSE_BOMB,
    CAUSE_MINE,
    CAUSE_SLIME,
    CAUSE_LAVA,
    CAUSE_DRONE,
    CAUSE_KNIFE,
    CAUSE_FALL,
    CAUSES
} cause;

enum { NOBODY = 255, NO_IDENT = UINT16_MAX, SHOT_LIMIT = 60000, MOST_OOZE = 4000000 };

struct shot {
    uint32_t charge; /* what it was paid with; of slime, lava and drones the cells left to ooze over */
    cell at;
    uint16_t credit; /* the identity that gets the kill, or NO_IDENT */
    uint8_t kind;    /* shot_kind */
    uint8_t cause;   /* what its victims die of */
    uint8_t direction;
    uint8_t size;  /* of the explosion: (2s - 1) x (2s - 1) cells */
    uint8_t owner; /* the seat, while its player lives, or NOBODY */
    bool exploding;
    bool dead; /* gone; taken out of the list at the end of the turn */
};

/* players */

typedef enum stat {
    STAT_DUCKED,
    STAT_ABSORBED,
    STAT_FACED,
    STAT_SHOT,
    STAT_ROBBED,
    STAT_MISSED,
    STAT_SLIME,
    STAT_ENEMIES,
    STAT_FRIENDS,
    STAT_DEATHS,
    STAT_STILL,
    STAT_SAVED,
    STATS
} stat;
enum { TABLE_COUNT = 1 + STATS, TYPE_AHEAD = 5 };

enum { NAME_CHARACTERS = 20, NAME_BYTES = NAME_CHARACTERS * 4, IDENT_LIMIT = 1024, KILL = 1000000 };

/* Whom a world remembers over deaths and departures. */
struct ident {
    char name[NAME_BYTES + 1];
    uint8_t team; /* '0' to '9', or ' ' */
    uint32_t entries;
    int64_t kills; /* in millionths: they decay */
    uint32_t stats[STATS];
    uint32_t unrecorded[STATS]; /* the part that wn_record_score() has not had */
    uint64_t used;              /* when it entered last, counting all entries */
};

typedef enum seat_state { SEAT_FREE, SEAT_PLAYING, SEAT_DEAD, SEAT_STATES } seat_state;

/* What a seat knows of a cell: the tile last seen in it, and one of two marks if it is seen now. The marks take turns:
 * what still has the other one after a look was seen before and is not any more. */
enum { KNOWN_TILE = 0x3f, MARK = 0x40, OTHER_MARK = 0x80, MARKS = MARK | OTHER_MARK };
_Static_assert(TILE_TEXT <= KNOWN_TILE + 1, "a tile that can be known does not fit beside the marks");

struct player {
    uint8_t state;
    uint8_t facing;
    uint8_t boots;
    uint8_t flying; /* turns left in the air; 0: on the ground */
    int8_t fly_x, fly_y;
    bool fresh; /* has done nothing yet */
    bool quits;
    cell at;
    uint16_t ident;
    uint32_t ammo, heat, damage, capacity, cloak, scan;
    char death[NAME_BYTES + 48]; /* of what, and by whom: leaves at the end of the turn */
    /* What the seat knows. */
    uint64_t sighted; /* seats whose players it sees now */
    uint64_t scanned; /* those that its scanner has shown since it looked last; empty between turns */
    uint8_t *known;   /* of each cell: its tile and a mark */
    uint8_t mark;     /* that of the last look */
    cell *sees;       /* the cells that have it */
    cell *saw;        /* the other list, for the next look */
    uint32_t sees_count;
    struct changes changes;
};

struct boot {
    bool flying; /* else it lies on the map or someone wears it */
    uint8_t left;
    int8_t fly_x, fly_y;
    cell at;
};
enum { BOOTS = 2 };

/* the world */

/* Where a cell is. Looked up: a division for each cell that is drawn would cost more than the drawing. */
struct place {
    uint8_t x, y;
    bool border;
};

typedef struct hunt {
    int32_t set[SETTING_COUNT]; /* the settings' values */
    int32_t width, height;
    uint32_t cells;
    int32_t step[DIRECTIONS]; /* from a cell to its neighbour */
    struct place *places;     /* of the cells */
    uint8_t *terrain;         /* a tile: floor, wall or door */
    uint8_t *item;            /* a tile: mine or boots; 0: none */
    uint8_t *shot_tile;       /* of a shot that rests there; 0: none */
    uint16_t *shot_count;     /* how many rest there */
    uint8_t *truth;           /* the three together */
    uint8_t *player_at;       /* seat + 1 of who stands there; 0: nobody */
    uint8_t *blast;           /* a tile: what an explosion shows there; 0: nothing */
    uint8_t *blast_left;      /* for how many turns still */
    cell *blasts;             /* the cells where something is shown */
    uint32_t blast_count;
    struct opened *opened; /* oldest first */
    uint32_t opened_count;
    struct shot *shots;
    uint32_t shot_total, shot_capacity;
    struct boot boots[BOOTS];
    struct player players[WN_MAX_SEATS];
    uint64_t playing, flyers; /* seats */
    struct ident *idents;
    uint32_t ident_count, ident_capacity;
    uint64_t entries;
    uint32_t volcano;       /* charges that nobody used */
    struct changes touched; /* cells whose truth changed */
    struct changes flashed; /* cells whose blast changed: everybody sees those */
    uint64_t board_changed; /* seats whose scoreboard line is to be shown again */
    uint64_t board_late;    /* those that joins and leaves changed after the last turn() */
} hunt;

static inline hunt *hunt_of(const wn_world *world)
{
    return world->state;
}
static inline int32_t cell_x(const hunt *game, cell at)
{
    return game->places[at].x;
}
static inline int32_t cell_y(const hunt *game, cell at)
{
    return game->places[at].y;
}
static inline cell cell_at(const hunt *game, int32_t x, int32_t y)
{
    return (cell)(y * game->width + x);
}
static inline cell neighbour(const hunt *game, cell at, uint32_t direction)
{
    return (cell)(at + game->step[direction]);
}
static inline bool is_border(const hunt *game, cell at)
{
    return game->places[at].border;
}
static inline bool percent(wn_world *world, int32_t chance)
{
    return wn_chance(world, (uint32_t)chance, 100);
}
static inline uint64_t seat_bit(uint32_t seat)
{
    return UINT64_C(1) << seat;
}
static inline bool is_seen(const struct player *who, cell at)
{
    return (who->known[at] & MARKS) != 0;
}
static inline uint8_t known_tile(const struct player *who, cell at)
{
    return who->known[at] & KNOWN_TILE;
}
/* The next seat of a set, which is taken out of it. */
static inline uint32_t next_seat(uint64_t *seats)
{
    const uint32_t seat = (uint32_t)__builtin_ctzll(*seats);
    *seats &= *seats - 1;
    return seat;
}

/* descriptor.c */
extern const wn_tile hunt_tiles[TILE_COUNT];
extern const wn_entry hunt_entries[ENTER_COUNT];
extern const wn_score_table hunt_tables[TABLE_COUNT];
extern const wn_action hunt_actions[HUNT_ACTION_COUNT];
extern const wn_setting hunt_settings[SETTING_COUNT];
extern const wn_status hunt_status[STATUS_COUNT];
extern const wn_column hunt_columns[COLUMN_COUNT];

/* worlds.c */
hunt *hunt_new(wn_world *world); /* an empty map; NULL after wn_fail() */
/* The seat's memory of the map; false: none left. What a seat had is used again. */
bool hunt_equip(wn_world *world, struct player *who);
void changes_begin(struct changes *changes);  /* at the beginning of turn() */
void changes_settle(struct changes *changes); /* at its end */
void hunt_wake(wn_world *world);              /* asks for the next turn, where time goes on by itself */
/* To all players, and to the spectators where there are any: calmly, for it is nobody's own affair. */
void hunt_announce(wn_world *world, const char *text);
void hunt_show(wn_world *world, const wn_effect *effect);

/* maze.c: what lies on the map */
void maze_generate(wn_world *world);
/* The look of each wall from its neighbours. */
void maze_dress(wn_world *world);
void maze_refresh(hunt *game, cell at); /* its terrain, item or shot has changed */
void maze_set_terrain(hunt *game, cell at, uint8_t tile);
void maze_set_item(hunt *game, cell at, uint8_t tile);
bool maze_is_empty(const hunt *game, cell at);
/* A random empty cell, in the middle half of the map or anywhere; NO_CELL: there is none. */
cell maze_random_empty(wn_world *world, bool middle);
void maze_lay_mines(wn_world *world);

/* walls.c: walls that are opened and come back */
void walls_open(wn_world *world, cell at);

/* players.c */
bool players_enter(wn_world *world, uint32_t seat, const char *name);
void players_leave(wn_world *world, uint32_t seat);
void players_walk(wn_world *world, uint32_t seat, cell to);
void players_follow(wn_world *world, uint32_t seat);
void players_follow_first(wn_world *world);
void players_take_off_map(wn_world *world, uint32_t seat);
/* `attacker`: a seat or NOBODY; `credit`: an identity or NO_IDENT. */
void players_hurt(wn_world *world, uint32_t victim, uint32_t attacker, uint32_t credit, int32_t damage, cause what);
void players_bury(wn_world *world); /* the dead and those who quit leave, with all that follows */
const char *players_name(const hunt *game, uint32_t seat);
/* What a player looks like to a seat, or to WN_SPECTATORS. */
uint8_t players_tile(const hunt *game, uint32_t seat, int32_t viewer);

/* idents.c: identities and their statistics */
uint32_t idents_find(wn_world *world, const char *player); /* or makes it; NO_IDENT: no memory */
void idents_enter(hunt *game, uint32_t index);
void idents_count(hunt *game, uint32_t index, stat what, uint32_t amount);
int64_t idents_score(const struct ident *who); /* in hundredths */
void idents_record(wn_world *world, uint32_t seat);

/* flight.c: players and boots in the air */
void flight_launch(wn_world *world, uint32_t seat);
void flight_move(wn_world *world);
void flight_kick_boots(wn_world *world, cell at, uint32_t force);
void flight_drop_boots(wn_world *world, cell at, uint32_t count, bool thrown);

/* shots.c */
extern const uint32_t hunt_bomb_price[BOMBS], hunt_slime_price[SLIMES];
struct shot shots_bomb(uint32_t index, cell at, uint32_t direction); /* the weapon of that price */
struct shot shots_mine(uint8_t item, cell at);                       /* going off */
/* Puts a shot on the map; without memory it is lost. */
void shots_add(wn_world *world, struct shot shot);
void shots_fire(wn_world *world, uint32_t seat, int32_t index);
void shots_ooze(wn_world *world, uint32_t seat, int32_t index);
void shots_rest(hunt *game, const struct shot *shot); /* it stands in its cell */
void shots_lift(hunt *game, const struct shot *shot);
void shots_set_off(hunt *game, cell at); /* all that are there */
void shots_move(wn_world *world);
void shots_forget_owner(hunt *game, uint32_t seat);

/* explosions.c */
void explosions_age(hunt *game);
void explosions_show(hunt *game, cell at, uint8_t tile);
void explosions_take_effect(wn_world *world);

/* slime.c */
bool slime_is_blocked(const hunt *game, cell at);
void slime_spread(wn_world *world, struct shot shot);

/* sight.c */
void sight_begin(hunt *game, uint32_t seat); /* knows nothing but the border */
void sight_look(hunt *game, uint32_t seat);
void sight_scanned(hunt *game, uint32_t seat, cell from); /* a player has moved: who scans sees it */
void sight_learn(hunt *game, cell at);                    /* an explosion's end shows everybody the terrain */
void sight_forget_seat(hunt *game, uint32_t seat);

/* turn.c, draw.c, save.c */
void hunt_take_turn(wn_world *world, const wn_turn *turn);
void hunt_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what);
void hunt_save(wn_world *world, wn_writer *writer);
bool hunt_load(wn_world *world, wn_reader *reader);

#endif
