/* caves.h: what the files of the caves mode share: the map, the entities in it, the seats, what changed.
 * The rules are those of "The Caves of Clojure" (Steve Losh). Not for anyone else: to other programs the mode is
 * wn_mode() and nothing more.
 */
#ifndef CAVES_H
#define CAVES_H

#include <warren/mode.h>
#include <warren/sight.h>

/* cave.c, regions.c */

typedef struct position {
    int32_t x, y;
} position;

/* The eight neighbours by direction, WN_NORTH first. */
extern const position cave_offset[8];

/* The map. A grid is rows of bits, 64 cells a word. A row has at least one spare bit behind its last cell, and there is
 * a spare row above the first and below the last: all spare bits are 0. So a look at any neighbour of a cell of the map
 * needs no check, and outside is not floor. */
typedef struct cave {
    uint32_t width, height;
    uint32_t stride;  /* words of a row */
    uint32_t floors;  /* cells that are floor */
    uint64_t *floor;  /* grid: 1 floor, 0 wall */
    uint64_t *taken;  /* grid: 1 where an entity stands */
    uint8_t *regions; /* of each cell its region's number modulo CAVE_REGION_NAMES, or CAVE_NO_REGION; NULL: not made */
} cave;

enum { CAVE_REGION_NAMES = 62, CAVE_NO_REGION = 255 };

static inline size_t cave_words(const cave *map)
{
    return (size_t)map->stride * (map->height + 2);
}
/* Where the bit of a cell, or of a neighbour of one, stands in a grid. */
static inline ptrdiff_t cave_word(const cave *map, position at)
{
    return (ptrdiff_t)map->stride * (at.y + 1) + (at.x >> 6);
}
static inline uint64_t cave_bit(position at)
{
    return UINT64_C(1) << (at.x & 63);
}
static inline bool cave_is_inside(const cave *map, position at)
{
    return (uint32_t)at.x < map->width && (uint32_t)at.y < map->height;
}
static inline bool cave_is_floor(const cave *map, position at)
{
    return (map->floor[cave_word(map, at)] & cave_bit(at)) != 0;
}
static inline bool cave_is_taken(const cave *map, position at)
{
    return (map->taken[cave_word(map, at)] & cave_bit(at)) != 0;
}
/* Floor, and nobody there. */
static inline bool cave_is_empty(const cave *map, position at)
{
    const ptrdiff_t word = cave_word(map, at);
    return (map->floor[word] & ~map->taken[word] & cave_bit(at)) != 0;
}
static inline position cave_neighbour(position at, uint32_t direction)
{
    return (position){at.x + cave_offset[direction].x, at.y + cave_offset[direction].y};
}

/* An unbroken map, all wall. false: no memory. */
bool cave_make(cave *map, wn_world *world, uint32_t width, uint32_t height);
/* Fills it at random and smooths it `passes` times. false: no memory. */
bool cave_generate(cave *map, wn_world *world, uint32_t passes);
void cave_dig(cave *map, position at);
/* Counts the floor anew; false if a spare bit is set (a damaged save). */
bool cave_count(cave *map);
/* A random one of all empty cells, each exactly as likely. false: there is none. */
bool cave_random_empty(const cave *map, wn_world *world, position *found);
/* `count` different empty cells, each set of them as likely as any other; wn_release() them. NULL: no memory, or there
 * are not that many. For many at a time: one pass over the map, however few cells are left over. */
position *cave_random_empties(const cave *map, wn_world *world, uint32_t count);
/* A random one of the empty cells next to `at`. false: there is none. */
bool cave_empty_neighbour(const cave *map, wn_world *world, position at, position *found);

/* Makes the regions, or makes them anew. false: no memory, and there are none. */
bool cave_make_regions(cave *map, wn_world *world);
void cave_drop_regions(cave *map, wn_world *world);

/* entities.c */

typedef enum kind_id { KIND_PLAYER, KIND_LICHEN, KIND_BUNNY, KIND_SILVERFISH, KIND_COUNT } kind_id;

/* What an entity can do and what can be done to it. The rules ask for aspects, not for kinds. */
typedef enum aspect {
    ASPECT_ATTACKER = 1,     /* strikes what it steps into */
    ASPECT_DESTRUCTIBLE = 2, /* can be struck; gone when its hit points are */
    ASPECT_MOBILE = 4,
    ASPECT_DIGGER = 8,    /* turns the wall it steps into to floor */
    ASPECT_RECEIVER = 16, /* gets messages */
    ASPECT_GROWER = 32    /* spreads */
} aspect;

typedef struct entity {
    uint32_t id; /* never used twice in a world: the sprite's */
    uint32_t hit_points;
    uint16_t x, y;
    uint8_t kind;
    uint8_t seat; /* of a player */
} entity;

/* All entities, in the order in which they take their turns. Who stands in a cell is found by hashing the cell: `slots`
 * holds indices + 1 by open addressing (linear probing, no tombstones: removing closes the gap), at most half full. */
typedef struct entities {
    entity *all;
    uint32_t count, capacity;
    uint32_t *slots;
    uint32_t slot_mask;
    uint32_t last_id;
    uint32_t of_kind[KIND_COUNT]; /* how many */
} entities;

#define NOBODY UINT32_MAX /* no index */

static inline position entity_at(const entity *who)
{
    return (position){who->x, who->y};
}
uint32_t entities_find(const entities *list, const cave *map, position at);
/* Adds at the end, on a cell that must not be taken; id 0: the next free one. NULL: no memory. */
entity *entities_add(entities *list, cave *map, wn_world *world, kind_id what, position at, uint32_t id);
void entities_move(entities *list, cave *map, uint32_t index, position to);
/* The last one takes its index. */
void entities_remove(entities *list, cave *map, uint32_t index);

/* the world */

/* Settings, actions, status fields and tiles by their place in the descriptor's tables (descriptor.c). */
enum {
    SETTING_WIDTH,
    SETTING_HEIGHT,
    SETTING_SMOOTHING,
    SETTING_LICHENS,
    SETTING_BUNNIES,
    SETTING_SILVERFISH,
    SETTING_GROWTH,
    SETTING_LICHEN_HP,
    SETTING_ATTACK,
    SETTING_DEFENCE,
    SETTING_MORTAL,
    SETTING_PVP,
    SETTING_WAIT,
    SETTING_OVERRUN,
    SETTING_SIGHT,
    SETTING_COUNT
};
enum { ACTION_STEP = 1, ACTION_REST, ACTION_REGIONS, CAVES_ACTION_COUNT = ACTION_REGIONS };
enum {
    STATUS_HIT_POINTS, /* where players are mortal */
    STATUS_LIFE,       /* where they are not */
    STATUS_POSITION,
    STATUS_LICHENS,
    STATUS_OVERGROWN,
    STATUS_BUNNIES,
    STATUS_SILVERFISH,
    STATUS_COUNT
};
enum { CAVES_COLUMN_COUNT = 2 };
enum {
    TILE_OUTSIDE,
    TILE_FLOOR,
    TILE_WALL,
    TILE_LICHEN,
    TILE_BUNNY,
    TILE_SILVERFISH,
    TILE_PLAYER,
    TILE_YOU,
    TILE_REGIONS,                                    /* CAVE_REGION_NAMES of them */
    TILE_UNKNOWN = TILE_REGIONS + CAVE_REGION_NAMES, /* with `sight`: never seen */
    TILE_COUNT
};
enum { PLAYER_HIT_POINTS = 40, BUNNY_HIT_POINTS = 4, SILVERFISH_HIT_POINTS = 15, EARSHOT = 7 };

/* A kind of entity as the settings make it. */
struct kind {
    const char *name;  /* in a sentence: "the lichen" */
    const char *title; /* at its beginning: "The lichen" */
    uint16_t tile;
    uint32_t aspects;    /* sum of aspect */
    uint32_t hit_points; /* 0: has none and cannot die */
    /* MOBILE: where it goes by itself; NULL: only where a command sends it. false: nowhere this time. */
    bool (*wander)(const cave *map, wn_world *world, position at, position *to);
};

struct seat {
    bool taken;
    bool begun; /* its player has done something: the start screen is gone */
    bool shows_regions;
    uint8_t held;     /* a command that waits for the others' (an action), 0: none */
    uint8_t argument; /* of that command */
    uint32_t entity;  /* index, or NOBODY (killed, about to leave) */
    uint32_t kills;
};

enum outcome { OUTCOME_OPEN, OUTCOME_WON, OUTCOME_LOST, OUTCOME_COUNT };

/* What draw() has to show again. May name more than what changed, never less: see changes_begin(). */
typedef enum change_kind {
    CHANGE_CELL,   /* value: x | y << 16: terrain, or who stands there */
    CHANGE_GONE,   /* value: the id of an entity that is gone */
    CHANGE_SEAT,   /* value: a seat whose scoreboard line changed */
    CHANGE_TERRAIN /* value: a seat whose whole terrain looks different, or EVERY_SEAT that shows regions */
} change_kind;

struct change {
    uint32_t kind, value;
};

enum { CHANGE_LIMIT = 256, EVERY_SEAT = WN_MAX_SEATS };

struct changes {
    uint32_t count;
    uint32_t settled; /* how many of them the last turn() made: no view needs those any more when the next one comes */
    bool overflow;    /* too many to list: show everything */
    bool late_overflow; /* and that came after the last turn() */
    struct change list[CHANGE_LIMIT];
};

/* Columns left .. right of rows top .. bottom; none if right < left. */
struct box {
    int32_t left, top, right, bottom;
};

/* What a seat sees and remembers, where players see by a line of sight. Grids as those of a cave, without spare rows.
 */
struct vision {
    struct wn_sight sight;
    uint64_t *known;    /* cells that it has seen */
    uint64_t *floor;    /* those that were floor when it saw them last */
    struct box changed; /* what its view has to show again after this turn */
};

typedef struct caves {
    cave map;
    entities entities;
    struct kind kinds[KIND_COUNT];
    struct seat seats[WN_MAX_SEATS];
    struct changes changes;
    enum outcome outcome;
    uint32_t growth_permille, attack, defence, wait_ms, overrun;
    uint32_t sight;         /* how far players see; 0: everything, and then the next two are not there */
    uint64_t *rock;         /* grid, without spare rows: what is not floor */
    struct vision *visions; /* of each seat */
    bool started_with_lichens;
} caves;

static inline caves *caves_of(const wn_world *world)
{
    return world->state;
}

/* descriptor.c */
extern const wn_tile caves_tiles[TILE_COUNT];
extern const wn_action caves_actions[CAVES_ACTION_COUNT];
extern const wn_setting caves_settings[SETTING_COUNT];
extern const wn_status caves_status[STATUS_COUNT];
extern const wn_column caves_columns[CAVES_COLUMN_COUNT];

/* caves.c */
caves *caves_new(wn_world *world);                        /* no entities yet, the map all wall; NULL after wn_fail() */
void caves_follow(wn_world *world, uint32_t seat_number); /* its player stands somewhere else: views follow */
void caves_follow_first(wn_world *world);                 /* who that is has changed */
void caves_record_kills(wn_world *world, uint32_t seat_number);
void changes_add(caves *game, change_kind what, uint32_t value);
void changes_add_cell(caves *game, position at);
void changes_begin(caves *game);
void changes_settle(caves *game); /* at the end of turn() */

/* turn.c */
void caves_take_turn(wn_world *world, const wn_turn *turn);
/* Everyone who can act has a command waiting. */
bool caves_all_have_acted(const caves *game);
entity *caves_spawn(wn_world *world, kind_id what, position at); /* NULL: no memory */
void caves_remove(wn_world *world, uint32_t index);
void caves_show_regions(wn_world *world, uint32_t seat_number, bool shown);

/* Whether an entity is drawn as a sprite. A view has room for so many; of more creatures than that the last ones of the
 * table are drawn as cells. Players always are sprites. */
enum { CREATURE_SPRITES = WN_MAX_SPRITES - WN_MAX_SEATS };
static inline bool caves_is_sprite(const caves *game, uint32_t index)
{
    return index < CREATURE_SPRITES || game->entities.all[index].kind == KIND_PLAYER;
}

/* vision.c: all does nothing where everyone sees everything */
bool vision_make(caves *game, wn_world *world); /* false: no memory */
void vision_survey(caves *game);                /* the map has been made */
void vision_dug(caves *game, position at);
bool vision_begin(caves *game, wn_world *world, uint32_t seat_number); /* has seen nothing yet; false: no memory */
void vision_look(caves *game, uint32_t seat_number);
void vision_begin_turn(caves *game);
bool vision_sees(const caves *game, int32_t seat_number, position at); /* spectators see everything */
/* Only where there is `sight`. */
bool vision_knows(const caves *game, uint32_t seat_number, position at);
bool vision_knows_floor(const caves *game, uint32_t seat_number, position at);
void vision_save(const caves *game, const wn_world *world, wn_writer *writer);
bool vision_load(caves *game, wn_world *world, wn_reader *reader); /* false: no memory */

/* draw.c, save.c */
void caves_draw(wn_world *world, wn_view *view, int32_t seat_number, wn_draw what);
void caves_save(wn_world *world, wn_writer *writer);
bool caves_load(wn_world *world, wn_reader *reader);

#endif
