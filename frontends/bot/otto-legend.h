/* otto-legend.h: what otto has to find in a mode's description to play it, by name: tiles, actions, status fields. The
 * numbers behind the names are each mode's own.
 */
#ifndef WARREN_BOT_OTTO_LEGEND_H
#define WARREN_BOT_OTTO_LEGEND_H

#include "wire.h"

/* What a tile means to otto. */
typedef enum wn_thing {
    WN_THING_UNKNOWN,
    WN_THING_FLOOR,
    WN_THING_WALL,
    WN_THING_SLASH, /* a reflecting wall */
    WN_THING_BACKSLASH,
    WN_THING_DOOR,
    WN_THING_SMALL_MINE,
    WN_THING_LARGE_MINE,
    WN_THING_BOOT,
    WN_THING_BOOTS,
    WN_THING_BULLET, /* the missiles, in the order of their size */
    WN_THING_GRENADE,
    WN_THING_SATCHEL,
    WN_THING_BOMB,
    WN_THING_SLIME,
    WN_THING_LAVA,
    WN_THING_DRONE,
    WN_THING_BLAST,
    WN_THING_ME,
    WN_THING_FOE,
    WN_THING_FRIEND,
    WN_THING_FLYER,
    WN_THING_OTHER /* of no interest: letters over the map */
} wn_thing;

typedef enum wn_move {
    WN_MOVE_WALK, /* with a direction, as is the next */
    WN_MOVE_FACE,
    WN_MOVE_BULLET, /* the weapons, in the order of their size */
    WN_MOVE_GRENADE,
    WN_MOVE_SATCHEL,
    WN_MOVE_BOMB,
    WN_MOVE_SLIME,
    WN_MOVE_SCAN,
    WN_MOVE_CLOAK,
    WN_MOVES
} wn_move;

typedef enum wn_gauge { WN_GAUGE_AMMO, WN_GAUGE_GUN, WN_GAUGE_DAMAGE, WN_GAUGES } wn_gauge;

/* Ways to enter. A mode need not have them. */
#define WN_NO_ENTRANCE 0xffffffffu
typedef enum wn_entrance { WN_ENTER_CLOAKED, WN_ENTER_SCANNING, WN_ENTER_FLYING, WN_ENTRANCES } wn_entrance;

typedef struct wn_otto_legend {
    uint8_t *thing_of; /* by tile */
    uint32_t tile_count;
    uint32_t action_of[WN_MOVES];
    uint32_t field_of[WN_GAUGES];
    uint32_t entry_of[WN_ENTRANCES]; /* WN_NO_ENTRANCE: it is not there */
} wn_otto_legend;

/* false: something is missing, or memory is, and the sentence names it. Free it in any case. */
bool wn_otto_legend_read(wn_otto_legend *legend, const Warren__Mode *mode, wn_error *error);
void wn_otto_legend_free(wn_otto_legend *legend);

#endif
