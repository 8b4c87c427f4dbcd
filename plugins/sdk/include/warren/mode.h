/* warren/mode.h: everything a game mode needs to know of Warren, and all it may include of it.
 *
 * A mode is a shared object that exports one function, wn_mode(), which returns a constant descriptor:
 *
 *     cc -shared -fPIC -O2 mymode.c -o mymode.so
 *
 * warren-host loads it, one process per mode, and runs any number of worlds of it.
 *
 * The words
 *   - world: one running game of the mode. The mode's part of it hangs on world->state;
 *   - seat: a player's place in a world, 0 to max_seats - 1. It is free, or taken by one player;
 *   - view: what one seat, or the spectators together, can see: cells, sprites, status fields, scoreboard, messages;
 *   - turn: one step of a world. It runs when a command or a wake-up is there, somebody joins, leaves or talks;
 *   - command: what a seat asks for in a turn: one of the mode's actions, with a direction or a cell if it takes one.
 *
 * What a mode promises
 *   - no threads, clock, files, sockets, or randomness of its own, and no mutable global state: all state hangs on a
 *     world, all chance comes from wn_random();
 *   - the same inputs give the same calls to the host, always. Recovery after a crash and replays rest on this;
 *   - a view is a function of the world's state: draw() with WN_DRAW_ALL must be able to show everything that the seat
 *     is to see, also right after load();
 *   - save() then load() gives a world that goes on exactly as the saved one would have.
 *
 * Who owns what: text and arrays passed to the host are copied before the call returns; the descriptor and its tables
 * are not, and must stay as they are. Text that the host passes to a mode lives until the callback returns.
 *
 * Text is UTF-8 without control characters: what is not becomes '?'. Only messages and banners may hold line feeds.
 * What is longer than its limit is cut, between characters.
 *
 * What goes wrong: a call that a mode may not make where it makes it, or whose arguments are out of range, does nothing
 * and returns 0 or NULL; the host logs it once a world. What the calls may be given, and where, stands with each. Where
 * it says nothing of the kind, a call can be made in every callback. Pointers must be good: the host cannot check them.
 *
 * C17 and C++17.
 */
#ifndef WARREN_MODE_H
#define WARREN_MODE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when something is added at the end of a structure; the host runs modes of every older version. */
#define WN_ABI_VERSION 1u

#if defined(__GNUC__)
#define WN_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define WN_EXPORT              __attribute__((visibility("default")))
#else
#define WN_PRINTF(text, first)
#define WN_EXPORT
#endif

/* Limits of the host. A descriptor that passes one is not loaded; a call that does so does nothing or cuts its text. */
enum {
    WN_MAX_TILES = 4096,
    WN_MAX_ACTIONS = 256,
    WN_MAX_SETTINGS = 64,
    WN_MAX_STATUS = 32,
    WN_MAX_COLUMNS = 8,
    WN_MAX_ENTRIES = 16,
    WN_MAX_TABLES = 32,  /* of scores, in the descriptor */
    WN_MAX_REGIONS = 64, /* of a view */
    WN_MAX_ROWS = 128,   /* scoreboard rows of a view */
    WN_MAX_SEATS = 64,
    WN_MAX_NAME = 32,           /* bytes of a name in the descriptor, of a player's, of a cue */
    WN_MAX_SIDE = 1024,         /* width and height of a view, in cells */
    WN_MAX_SPRITES = 4096,      /* of a view */
    WN_MAX_EFFECTS = 256,       /* of a turn, for all views together */
    WN_MAX_MESSAGES = 50,       /* that a view keeps: the newest */
    WN_MAX_TEXT = 512,          /* bytes of a message, label, status text, column, reason, line of the descriptor */
    WN_MAX_BANNER = 4096,       /* bytes of a banner */
    WN_MAX_FILE = 1 << 20,      /* bytes of a file that a setting names */
    WN_MAX_QUESTION = 64 << 10, /* bytes of a question to work(), and of an answer */
    WN_MAX_JOBS = 64,           /* questions of a world that wait for an answer */
    WN_MAX_JOB_TIME = 60000,    /* milliseconds that work() may take */
    WN_MAX_DELAY = 1000         /* turns that spectators may be behind */
};

/* the descriptor */

typedef enum wn_tile_flag {
    /* In a first-person view what is opaque or has a height is a wall, or a door if it does not block; of the others,
     * what blocks or is animated stands upright in its cell, and the rest lies on the ground. Tile 0 is always flat. */
    WN_TILE_OPAQUE = 1,   /* cannot be seen through */
    WN_TILE_BLOCKS = 2,   /* cannot be walked on */
    WN_TILE_ANIMATED = 4, /* looks alive or in motion */
    WN_TILE_BOLD = 8,
    WN_TILE_UNLISTED = 16 /* tells nothing new in a legend, which leaves it out: a letter, a number */
} wn_tile_flag;

#define WN_COLOUR(red, green, blue) ((int32_t)((red) << 16 | (green) << 8 | (blue)))
#define WN_COLOUR_NONE              (-1) /* the terminal's own */

/* What can stand in a cell or as a sprite. A tile's number is its index in the table; tile 0 is what a view shows
 * where nothing was drawn. */
typedef struct wn_tile {
    const char *name;   /* for picture frontends and legends: "floor"; tiles may share one */
    const char *glyph;  /* one Unicode character, one column wide */
    const char *ascii;  /* its stand-in, one printable ASCII character */
    int32_t foreground; /* WN_COLOUR() or WN_COLOUR_NONE */
    int32_t background;
    uint32_t flags;  /* sum of wn_tile_flag */
    uint32_t height; /* of a wall in a first-person view, in tenths of a hall's width; 0: flat */
} wn_tile;

/* Directions, clockwise. dx grows to the east, dy to the south. */
enum { WN_NORTH, WN_NORTH_EAST, WN_EAST, WN_SOUTH_EAST, WN_SOUTH, WN_SOUTH_WEST, WN_WEST, WN_NORTH_WEST, WN_HERE };

typedef enum wn_argument {
    WN_ARGUMENT_NONE,
    WN_ARGUMENT_DIRECTION, /* WN_NORTH .. WN_HERE */
    WN_ARGUMENT_POSITION   /* a cell of the seat's view, as it is before turn(): y * width + x */
} wn_argument;

/* A default key. Names: one character, or up down left right home end pageup pagedown space enter tab backspace
 * delete f1..f12 kp0..kp9. No two actions share one. */
typedef struct wn_key {
    const char *key;
    uint32_t argument; /* the direction it means, if the action takes one; else 0 */
} wn_key;

/* What an action does to the player's own figure, for frontends that have no keys of the mode's: a mouse, a gamepad, a
 * first-person view. At most one action for each; one that is for none of them says WN_PURPOSE_OTHER. */
typedef enum wn_purpose {
    WN_PURPOSE_OTHER,
    WN_PURPOSE_STEP, /* goes a cell in the direction, or acts on what is there. Takes a direction */
    WN_PURPOSE_FACE, /* turns to the direction without going. Takes one */
    WN_PURPOSE_GO,   /* goes to the cell, or acts there. Takes a position */
    WN_PURPOSE_USE,  /* the main thing to do: fire, dig. Takes none, or a direction: the facing is sent */
    /* the rest go by where the figure faces, and take none */
    WN_PURPOSE_TURN_LEFT,
    WN_PURPOSE_TURN_RIGHT,
    WN_PURPOSE_FORWARD,
    WN_PURPOSE_BACK,
    WN_PURPOSE_SIDE_LEFT, /* a cell to the left, without turning */
    WN_PURPOSE_SIDE_RIGHT
} wn_purpose;

typedef struct wn_action {
    uint32_t id;      /* what a command carries; unique */
    const char *name; /* for key files, unique: "step". Letters, digits, . _ - */
    const char *help; /* one line */
    wn_argument argument;
    const wn_key *keys; /* ends with a NULL key; may be NULL */
    wn_purpose purpose;
} wn_action;

typedef enum wn_setting_type {
    WN_SETTING_INTEGER,
    WN_SETTING_BOOLEAN,
    WN_SETTING_CHOICE,
    WN_SETTING_TEXT,
    WN_SETTING_FILE /* the name of a file of the server; the mode gets what is in it. See wn_setting_string() */
} wn_setting_type;

/* The host parses, checks and documents settings from this table: a mode never sees an invalid value.
 *
 * The server adds settings of its own to every world, which no mode sees: `bots`, `title`, and who may `join` and
 * `watch` it and finds it `listed`. Leave it their names, and five of the 64: where a mode has a setting of such a
 * name, or too many, its worlds are without the server's, so that nobody can close their doors, say. */
typedef struct wn_setting {
    const char *name; /* [a-z][a-z0-9_]*, unique */
    wn_setting_type type;
    int64_t minimum, maximum;   /* of an integer; of a text its length in bytes, 0 .. WN_MAX_TEXT; else 0 */
    const char *standard;       /* the default: a decimal number, "yes" or "no", a choice, a text, a file; not NULL */
    const char *const *choices; /* of a choice: names as an action's, ending with NULL. Of an integer: NULL, or one
                                 * such name, a word for its minimum ("off") */
    const char *help;           /* one line */
} wn_setting;

/* A way to enter a world, where a mode has several: "cloaked". Players choose one when they join, and again when they
 * come back after their seat was ended. The first is the usual one. */
typedef struct wn_entry {
    const char *name; /* as an action's */
    const char *help; /* one line */
    const char *key;  /* as a wn_key's; no two share one */
} wn_entry;

/* How the scores that a player was given in a table add up, in one world and over all of them. */
typedef enum wn_score_kind {
    WN_SCORE_HIGHEST,
    WN_SCORE_LOWEST,
    WN_SCORE_SUM,
    WN_SCORE_RATING /* in a world the newest one counts; over all worlds their mean */
} wn_score_kind;

/* A table of scores, as a column in lists of them. A table that is not described is one of WN_SCORE_HIGHEST. */
typedef struct wn_score_table {
    const char *name;  /* what wn_record_score() is given. One that ends in * stands for all that begin so: "best *" */
    const char *title; /* as shown: "Score" */
    wn_score_kind kind;
    uint32_t decimals; /* of its values, 0 to 6: 150 with 2 is shown as 1.50 */
} wn_score_table;

/* What a status field holds: a number; a number and its maximum, of which little is bad ("Hit points") or, of a load,
 * much ("Damage"); a text. */
typedef enum wn_status_kind { WN_STATUS_NUMBER, WN_STATUS_GAUGE, WN_STATUS_TEXT, WN_STATUS_LOAD } wn_status_kind;

typedef struct wn_status {
    const char *name; /* as an action's */
    wn_status_kind kind;
    const char *title; /* as shown: "Hit points" */
} wn_status;

typedef struct wn_column {
    const char *title;
    bool right; /* right-aligned */
} wn_column;

/* the callbacks */

/* The world handle. `state` is the mode's own; the rest is the host's. */
typedef struct wn_world {
    const struct wn_host *host;
    void *state;
} wn_world;

typedef struct wn_view wn_view;
typedef struct wn_writer wn_writer;
typedef struct wn_reader wn_reader;

enum { WN_SPECTATORS = -1, WN_EVERYONE = -2 }; /* where a call takes a seat: the spectators' view; all views */

typedef struct wn_command {
    uint32_t seat;
    uint32_t action;   /* one of the table's */
    uint32_t argument; /* checked: a direction, or a cell of the seat's view; 0 for actions without one */
} wn_command;

typedef struct wn_turn {
    uint64_t number;            /* of the turn. They grow, but not all come: one with neither commands nor a wake-up
                                 * (joins, leaves, talk) is not shown to turn() */
    const wn_command *commands; /* at most one a seat, in seat order; they live until turn() returns */
    size_t count;
    bool woken; /* the wake-up asked for with wn_wake() has come */
} wn_turn;

typedef enum wn_draw {
    WN_DRAW_CHANGES, /* the view still shows what was drawn into it last turn: drawing what changed is enough */
    WN_DRAW_ALL      /* the view is empty: draw everything */
} wn_draw;

/* As it is sent to frontends it may have 1 MiB, which is more than any needs. */
typedef struct wn_mode_descriptor {
    uint32_t abi;  /* WN_ABI_VERSION */
    uint32_t size; /* sizeof(wn_mode_descriptor) */

    const char *name; /* [a-z][a-z0-9-]*; how people ask for it; the file is name.so */
    const char *title;
    const char *summary; /* one line */
    const char *version;
    const char *authors;
    const char *licence; /* SPDX */
    uint32_t max_seats;  /* how many can play in a world at once, 1 .. WN_MAX_SEATS: seats are 0 .. max_seats - 1.
                          * Spectators need none. Frontends show it; the lowest free seat is taken first */

    const wn_tile *tiles;
    uint32_t tile_count;
    const wn_action *actions;
    uint32_t action_count;
    const wn_setting *settings;
    uint32_t setting_count;
    const wn_status *status;
    uint32_t status_count;
    const wn_column *columns;
    uint32_t column_count; /* of the scoreboard */

    /* Each callback but destroy, and those after load, must be there. */

    /* Makes world->state. false: wn_fail() said why, there is no world. Not called when load() makes the world. */
    bool (*create)(wn_world *world);
    /* Needed only to release what is not from wn_alloc(), so normally NULL. Not called if create() or load() failed,
     * nor when the host is killed. */
    void (*destroy)(wn_world *world);
    /* Someone takes a free seat, which counts as taken from here on. Names of players need not differ. false: no;
     * wn_fail() said why, the seat is free again and left() is not called. */
    bool (*joined)(wn_world *world, uint32_t seat, const char *player);
    /* The seat is given up: the player left, or the mode ended it. It counts as taken until this returns. */
    void (*left)(wn_world *world, uint32_t seat);
    /* One step. Called when a command is there or a wake-up has come. Joins and leaves of the same turn came before, in
     * the order in which they happened. */
    void (*turn)(wn_world *world, const wn_turn *turn);
    /* Shows the world on one view, of a taken seat or (seat is WN_SPECTATORS) the spectators': after every turn in
     * which a callback ran, for each view that someone looks at (WN_DRAW_CHANGES), and when someone begins to
     * (WN_DRAW_ALL). It may change nothing but the view, for who looks must make no difference to the world. It is
     * called as well, and what it draws dropped, where the host has to know a view's size: before turn(), for
     * WN_ARGUMENT_POSITION. */
    void (*draw)(wn_world *world, wn_view *view, int32_t seat, wn_draw what);
    /* Writes all state that create() and the turns made. Changes nothing: it is called at any time between two turns,
     * also to compare worlds, so equal worlds must write equal bytes. The host's own part is saved by the host: seats
     * and their names, places, messages, the wake-up asked for, the generator, whether the world is over. */
    void (*save)(wn_world *world, wn_writer *writer);
    /* Makes world->state from what save() wrote, maybe in an older version of the mode: begin what you save with a
     * number that says how it is written. Settings are there, and so is the host's own part. false: wn_fail() said why,
     * there is no world. Reading past the end gives zeros and makes wn_read_ok() false; check it before trusting
     * counts. */
    bool (*load)(wn_world *world, wn_reader *reader);

    const wn_entry *entries;
    uint32_t entry_count; /* 0: there is one way to enter, and nothing to choose */
    const wn_score_table *tables;
    uint32_t table_count;
    const char *players_title; /* over lists of players and of spectators; NULL: the frontend's own word */
    const char *spectators_title;
    uint32_t type_ahead; /* commands that may wait for a seat's turns; 0: as many as the daemon allows */

    /* Background work: what takes longer than a turn may, a search for a solution, say. Answers a question of wn_ask()
     * in another process, which holds no world, so it must rest on the question alone. It is ended when its time is up,
     * and may use the C library's memory, up to what a world may. Writes the answer, at most `room` bytes, and returns
     * its size. Needed if the mode calls wn_ask(). */
    size_t (*work)(const void *question, size_t size, void *answer, size_t room);
    /* The answer has come, as an input of its own: turn() follows only if there is something else. NULL: there is none,
     * for the time was up or the work failed. Called once for each wn_ask() that was not asked anew since. It may call
     * what turn() may. */
    void (*answered)(wn_world *world, uint32_t job, const void *answer, size_t size);
} wn_mode_descriptor;

/* What a mode exports. Called once, before anything else; the descriptor lives as long as the process. */
WN_EXPORT const wn_mode_descriptor *wn_mode(void);
typedef const wn_mode_descriptor *wn_mode_function(void);

/* what the host gives a mode */

/* What a message is to its reader: news, good news, bad news, something not to be missed. */
typedef enum wn_message_kind { WN_INFO, WN_GOOD, WN_BAD, WN_ALERT } wn_message_kind;

typedef enum wn_effect_kind { WN_FLASH, WN_EXPLOSION, WN_SHOT, WN_SOUND } wn_effect_kind;

/* Something that happens and is over: frontends show or play it once. */
typedef struct wn_effect {
    wn_effect_kind kind;
    int32_t x, y;       /* where, as a cell of the view; outside of it only a WN_SOUND is noticed, without its place */
    int32_t to_x, to_y; /* of a shot: where it ends, in the view as well */
    uint32_t radius;    /* of an explosion, in cells, at most WN_MAX_SIDE */
    uint32_t tile;      /* whose colours to use */
    const char *cue;    /* step dig hit hurt die grow shoot explode win lose pick; NULL: silent */
} wn_effect;

/* A part of a view with a name: a player's board among several. Frontends offer to look at one of them. */
typedef struct wn_region {
    uint32_t x, y, width, height; /* in the view, not empty */
    const char *title;
} wn_region;

typedef enum wn_log_level { WN_LOG_ERROR, WN_LOG_WARNING, WN_LOG_INFO, WN_LOG_DEBUG } wn_log_level;

/* The table behind the inline functions below. A mode does not use it directly. */
typedef struct wn_host {
    uint32_t size;
    uint64_t (*random64)(wn_world *world);
    void *(*alloc)(wn_world *world, size_t bytes);
    void *(*resize)(wn_world *world, void *memory, size_t bytes);
    void (*release)(wn_world *world, void *memory);
    int64_t (*setting_integer)(const wn_world *world, uint32_t setting);
    const char *(*setting_text)(const wn_world *world, uint32_t setting);
    void (*view_size)(wn_view *view, uint32_t width, uint32_t height);
    void (*put)(wn_view *view, int32_t x, int32_t y, uint32_t cell);
    void (*put_row)(wn_view *view, int32_t x, int32_t y, const uint16_t *cells, uint32_t count);
    void (*sprites_begin)(wn_view *view);
    void (*sprite)(wn_view *view, uint32_t id, int32_t x, int32_t y, uint32_t tile, uint32_t facing, const char *label);
    void (*sprite_gone)(wn_view *view, uint32_t id);
    void (*status_number)(wn_view *view, uint32_t field, int64_t number, int64_t maximum);
    void (*status_text)(wn_view *view, uint32_t field, const char *text);
    void (*board_row)(wn_view *view, uint32_t row, const char *const *columns);
    void (*banner)(wn_view *view, const char *text);
    void (*say)(wn_world *world, int32_t seat, wn_message_kind kind, const char *text);
    void (*say_near)(wn_world *world, int32_t x, int32_t y, uint32_t distance, wn_message_kind kind, const char *text);
    void (*effect)(wn_world *world, int32_t seat, const wn_effect *effect);
    void (*place)(wn_world *world, int32_t seat, int32_t x, int32_t y);
    void (*wake)(wn_world *world, uint32_t milliseconds);
    void (*end_seat)(wn_world *world, uint32_t seat, const char *text);
    void (*end_world)(wn_world *world, const char *outcome);
    void (*score)(wn_world *world, uint32_t seat, const char *table, int64_t value, const char *detail);
    void (*fail)(wn_world *world, const char *text);
    void (*log)(wn_world *world, wn_log_level level, const char *text);
    const char *(*seat_name)(const wn_world *world, uint32_t seat);
    void (*write)(wn_writer *writer, const void *bytes, size_t size);
    bool (*read)(wn_reader *reader, void *bytes, size_t size);
    size_t (*read_left)(const wn_reader *reader);
    bool (*read_ok)(const wn_reader *reader);
    const char *(*setting_file)(const wn_world *world, uint32_t setting);
    void (*face)(wn_world *world, int32_t seat, uint32_t facing);
    void (*region)(wn_view *view, uint32_t region, const wn_region *area);
    void (*delay_spectators)(wn_world *world, uint32_t turns);
    uint32_t (*seat_entry)(const wn_world *world, uint32_t seat);
    bool (*ask)(wn_world *world, uint32_t job, const void *question, size_t size, uint32_t milliseconds);
} wn_host;

/* Chance. The world's own generator: xoshiro256** 1.0 (Blackman and Vigna), seeded from the world's seed by
 * splitmix64; the host saves and restores it. In create, joined, left and turn; elsewhere the numbers are not the
 * world's, and it is logged. */

/* 64 random bits. */
static inline uint64_t wn_random_bits(wn_world *world)
{
    return world->host->random64(world);
}

/* A number from 0 to below - 1, each exactly as likely (Lemire's multiplication with rejection). 0 for below < 2. */
static inline uint32_t wn_random(wn_world *world, uint32_t below)
{
    if (below < 2) {
        return 0;
    }
    uint64_t product = (wn_random_bits(world) >> 32) * below;
    if ((uint32_t)product < below) {
        const uint32_t threshold = (0u - below) % below;
        while ((uint32_t)product < threshold) {
            product = (wn_random_bits(world) >> 32) * below;
        }
    }
    return (uint32_t)(product >> 32);
}

/* true with probability `chances` of `of`; always, if there are as many or more. */
static inline bool wn_chance(wn_world *world, uint32_t chances, uint32_t of)
{
    return wn_random(world, of) < chances;
}

/* Memory of the world: zeroed, aligned for any type, released with the world. NULL when the world's limit is reached
 * (64 MiB, unless the daemon was told otherwise): then wn_fail() or do without. Do not allocate in every turn: grow
 * rarely, keep what you have. */
static inline void *wn_alloc(wn_world *world, size_t bytes)
{
    return world->host->alloc(world, bytes);
}
/* As realloc(), of memory from wn_alloc() or NULL; the added part is not zeroed. NULL: the old memory is unchanged. */
static inline void *wn_resize(wn_world *world, void *memory, size_t bytes)
{
    return world->host->resize(world, memory, bytes);
}
/* Gives memory from wn_alloc() back before the world ends. NULL is fine. */
static inline void wn_release(wn_world *world, void *memory)
{
    world->host->release(world, memory);
}

/* Settings, by index in the descriptor's table; they never change. Integers as they are, booleans as 0 or 1, choices as
 * their index. */
static inline int64_t wn_setting_value(const wn_world *world, uint32_t setting)
{
    return world->host->setting_integer(world, setting);
}
/* Of a text; of a file what is in it: any characters but NUL, at most WN_MAX_FILE bytes, unchecked; of the others, as
 * it was given. Lives as long as the world.
 *
 * A file setting's value is a name, [A-Za-z0-9][A-Za-z0-9._-]*, of a file in the mode's own folder, which lies beside
 * name.so and is called `name`, or in the operator's (`mode_files` of the daemon). It is read when the world is made,
 * and belongs to the world from then on: what becomes of the file later changes no world. */
static inline const char *wn_setting_string(const wn_world *world, uint32_t setting)
{
    return world->host->setting_text(world, setting);
}
/* The name of a file setting's file, for messages about it; "" of other settings. */
static inline const char *wn_setting_file(const wn_world *world, uint32_t setting)
{
    return world->host->setting_file(world, setting);
}

/* Drawing: only in draw(), only on the view it was given. Views are retained: the host keeps what was drawn, compares
 * as you draw, and sends only what differs. Drawing the same again costs a comparison and sends nothing, so a mode may
 * redraw all or only what it knows has changed. What lies outside the view is ignored. An empty view has tile 0 in all
 * its cells, no sprites, no status fields, no scoreboard, no banner. */

/* The size of the view in cells, 1 .. WN_MAX_SIDE each. Always with WN_DRAW_ALL, before anything else is drawn; with
 * WN_DRAW_CHANGES only if it has become another: that empties the view, and draw() is called again with WN_DRAW_ALL. */
static inline void wn_view_size(wn_world *world, wn_view *view, uint32_t width, uint32_t height)
{
    world->host->view_size(view, width, height);
}

/* A cell as the host keeps it: a tile by its number, seen now or only remembered (frontends dim it). */
#define WN_CELL(tile)       ((uint16_t)((tile) << 1))
#define WN_REMEMBERED(tile) ((uint16_t)((tile) << 1 | 1))

static inline void wn_put(wn_world *world, wn_view *view, int32_t x, int32_t y, uint16_t cell)
{
    world->host->put(view, x, y, cell);
}
/* `count` cells from (x, y) to the east: the fast way to draw rows. Those inside the view are drawn. */
static inline void wn_put_row(wn_world *world, wn_view *view, int32_t x, int32_t y, const uint16_t *cells,
                              uint32_t count)
{
    world->host->put_row(view, x, y, cells, count);
}

/* Sprites stand above the cells and move. `id`: any number, the mode's choice; the same sprite has the same in all
 * turns. Drawing it again moves or changes it. A mode that draws all its sprites each time calls wn_sprites_begin()
 * first: those that are not drawn again before draw() returns are gone. One that does not says so with
 * wn_sprite_gone(), also where one has left the view: drawn outside, it would stay where it was. One that is not there
 * may be gone as well. `facing`: a direction, WN_HERE for none. `label`: a name to show, or NULL. */
static inline void wn_sprites_begin(wn_world *world, wn_view *view)
{
    world->host->sprites_begin(view);
}
static inline void wn_sprite(wn_world *world, wn_view *view, uint32_t id, int32_t x, int32_t y, uint32_t tile,
                             uint32_t facing, const char *label)
{
    world->host->sprite(view, id, x, y, tile, facing, label);
}
static inline void wn_sprite_gone(wn_world *world, wn_view *view, uint32_t id)
{
    world->host->sprite_gone(view, id);
}

/* Status fields, by index in the descriptor's table, each by the call for its kind. One is shown once it was set. */
static inline void wn_status_number(wn_world *world, wn_view *view, uint32_t field, int64_t number)
{
    world->host->status_number(view, field, number, 0);
}
static inline void wn_status_gauge(wn_world *world, wn_view *view, uint32_t field, int64_t number, int64_t maximum)
{
    world->host->status_number(view, field, number, maximum);
}
static inline void wn_status_text(wn_world *world, wn_view *view, uint32_t field, const char *text)
{
    world->host->status_text(view, field, text);
}

/* A line of the scoreboard, 0 .. WN_MAX_ROWS - 1 from the top: one text for each of the descriptor's columns, or NULL
 * to take the row away. */
static inline void wn_board_row(wn_world *world, wn_view *view, uint32_t row, const char *const *columns)
{
    world->host->board_row(view, row, columns);
}

/* Text shown over the map until it is taken away with NULL or "": start, win and lose screens. The first line is its
 * title. */
static inline void wn_banner(wn_world *world, wn_view *view, const char *text)
{
    world->host->banner(view, text);
}

/* Where the seat's player is, as a cell of the seat's view, 0 .. WN_MAX_SIDE - 1 each: frontends keep it in sight, and
 * wn_say_near() goes by it. For a taken seat; for WN_SPECTATORS: what is worth looking at. In create, joined, left,
 * turn and load, not in draw: the host shows it on the view when that is next drawn, if it lies inside. It stays until
 * it is said anew or the seat is left, also over save() and load(). */
static inline void wn_place(wn_world *world, int32_t seat, int32_t x, int32_t y)
{
    world->host->place(world, seat, x, y);
}

/* Where the seat's player looks, a direction, or WN_HERE for nowhere, as it is at first: a first-person view looks
 * there. When and for how long: as wn_place(). */
static inline void wn_face(wn_world *world, int32_t seat, uint32_t facing)
{
    world->host->face(world, seat, facing);
}

/* Names a region of the view, 0 .. WN_MAX_REGIONS - 1, until it is named anew or taken away with NULL. In draw(), as
 * all drawing; an empty view has none. */
static inline void wn_name_region(wn_world *world, wn_view *view, uint32_t region, const wn_region *area)
{
    world->host->region(view, region, area);
}

/* Spectators see the world so many turns late, so that they cannot help a player; what is said to them and shown as
 * effects comes late with it. draw() is called as ever: the host keeps what it drew. More than WN_MAX_DELAY is taken
 * for that. In create and load; 0 at first. */
static inline void wn_delay_spectators(wn_world *world, uint32_t turns)
{
    world->host->delay_spectators(world, turns);
}

/* Messages and effects: in joined, left and turn, so not in create or draw. `seat`: a taken seat, WN_SPECTATORS, or
 * WN_EVERYONE, which is all taken seats (who is joining or leaving among them) and the spectators. */

/* A message, as printf() would print it. The host keeps a view's newest WN_MAX_MESSAGES, whether anybody looks or not,
 * until the seat is taken anew: of more than that in one turn the oldest are lost. */
WN_PRINTF(4, 5)
static inline void wn_say(wn_world *world, int32_t seat, wn_message_kind kind, const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->say(world, seat, kind, text);
}
/* The same to every seat placed at most `distance` cells away (the larger of the column and the row difference), and to
 * the spectators. A seat that was never placed hears nothing. */
WN_PRINTF(6, 7)
static inline void wn_say_near(wn_world *world, int32_t x, int32_t y, uint32_t distance, wn_message_kind kind,
                               const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->say_near(world, x, y, distance, kind, text);
}
/* An effect, with this turn's update, to those who look; nothing of it is kept. At most WN_MAX_EFFECTS in a turn, for
 * all views together; one for WN_EVERYONE counts once. Those above are not shown. */
static inline void wn_show_effect(wn_world *world, int32_t seat, const wn_effect *effect)
{
    world->host->effect(world, seat, effect);
}

/* Asks for one turn, `woken`, after so many milliseconds or later. A later call replaces an earlier one, 0 cancels.
 * In create, joined, left, turn and load. After a restart the time begins anew, without the mode asking again. While
 * nothing is asked and nobody acts, nothing runs. */
static inline void wn_wake(wn_world *world, uint32_t milliseconds)
{
    world->host->wake(world, milliseconds);
}

/* Ends a taken seat after this turn ("killed by a lichen"): its view is drawn once more, then left() follows. In
 * joined, left and turn; the first text counts. */
WN_PRINTF(3, 4)
static inline void wn_end_seat(wn_world *world, uint32_t seat, const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->end_seat(world, seat, text);
}
/* Ends the world after this turn: it can still be looked at, and talked and left in, but turn() and joined() are called
 * no more. In joined, left and turn; the first text counts. */
WN_PRINTF(2, 3)
static inline void wn_end_world(wn_world *world, const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->end_world(world, text);
}

/* Records a score of a taken seat's player in a table of the mode ("level 1 moves"), for good. `table` may not be
 * empty; `detail`: more to show beside it, or NULL. In joined, left and turn. The daemon takes 1000 a second of a mode,
 * and drops the others with a line in its log. */
static inline void wn_record_score(wn_world *world, uint32_t seat, const char *table, int64_t value, const char *detail)
{
    world->host->score(world, seat, table, value, detail);
}

/* Says why create(), joined() or load() is about to return false. The last call counts. */
WN_PRINTF(2, 3)
static inline void wn_fail(wn_world *world, const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->fail(world, text);
}

/* A line for whoever runs the daemon. Turns that are played again after a crash do not log again. Of more than 50 a
 * second, all worlds of the mode together, it only hears how many there were; the same goes for lines that are printed,
 * which are for finding faults: they are logged, too. */
WN_PRINTF(3, 4)
static inline void wn_log(wn_world *world, wn_log_level level, const char *format, ...)
{
    char text[WN_MAX_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    world->host->log(world, level, text);
}

/* The player's name, or NULL if the seat is free. It lives until the seat is left. */
static inline const char *wn_seat_name(const wn_world *world, uint32_t seat)
{
    return world->host->seat_name(world, seat);
}

/* Which way the seat's player chose to enter: an index of the descriptor's entries, 0 if there are none or the seat is
 * free. It stays until the seat is left. */
static inline uint32_t wn_seat_entry(const wn_world *world, uint32_t seat)
{
    return world->host->seat_entry(world, seat);
}

/* Asks work() a question; answered() brings what it found in a later turn, after a restart too. `job`: any number, the
 * mode's choice; asking for the same again while it waits replaces the question. It may take so many milliseconds, 1 to
 * WN_MAX_JOB_TIME, of a worker that the worlds of the mode take turns with. In joined, left, turn, answered. false:
 * WN_MAX_JOBS wait, or the question is longer than WN_MAX_QUESTION; nothing was asked. */
static inline bool wn_ask(wn_world *world, uint32_t job, const void *question, size_t size, uint32_t milliseconds)
{
    return world->host->ask(world, job, question, size, milliseconds);
}

/* Saved data: little-endian, without padding. Writing in save(), reading in load(), with what they were given. Read the
 * same things in the order in which they were written; what load() leaves is logged. */
static inline void wn_write_bytes(wn_writer *writer, const wn_world *world, const void *bytes, size_t size)
{
    world->host->write(writer, bytes, size);
}
static inline void wn_write_u8(wn_writer *writer, const wn_world *world, uint8_t value)
{
    world->host->write(writer, &value, 1);
}
static inline void wn_write_u32(wn_writer *writer, const wn_world *world, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    world->host->write(writer, bytes, sizeof bytes);
}
static inline void wn_write_u64(wn_writer *writer, const wn_world *world, uint64_t value)
{
    wn_write_u32(writer, world, (uint32_t)value);
    wn_write_u32(writer, world, (uint32_t)(value >> 32));
}

/* true if that much was left; otherwise `bytes` are zeroed and wn_read_ok() is false from now on. */
static inline bool wn_read_bytes(wn_reader *reader, const wn_world *world, void *bytes, size_t size)
{
    return world->host->read(reader, bytes, size);
}
static inline uint8_t wn_read_u8(wn_reader *reader, const wn_world *world)
{
    uint8_t value = 0;
    world->host->read(reader, &value, 1);
    return value;
}
static inline uint32_t wn_read_u32(wn_reader *reader, const wn_world *world)
{
    uint8_t b[4];
    world->host->read(reader, b, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline uint64_t wn_read_u64(wn_reader *reader, const wn_world *world)
{
    const uint64_t low = wn_read_u32(reader, world);
    return low | (uint64_t)wn_read_u32(reader, world) << 32;
}
/* How many bytes there still are. */
static inline size_t wn_read_left(const wn_reader *reader, const wn_world *world)
{
    return world->host->read_left(reader);
}
/* Was all that was read there? */
static inline bool wn_read_ok(const wn_reader *reader, const wn_world *world)
{
    return world->host->read_ok(reader);
}

#ifdef __cplusplus
}
#endif

#endif
