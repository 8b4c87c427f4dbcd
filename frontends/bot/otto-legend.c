/* otto-legend.c: looks up names in a mode's description. */
#include "otto-legend.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    wn_thing thing;
    bool needed;
} tiles[] = {
    {"floor", WN_THING_FLOOR, true},
    {"wall -", WN_THING_WALL, true},
    {"wall |", WN_THING_WALL, true},
    {"wall +", WN_THING_WALL, true},
    {"reflecting wall /", WN_THING_SLASH, true},
    {"reflecting wall \\", WN_THING_BACKSLASH, true},
    {"door", WN_THING_DOOR, true},
    {"small mine", WN_THING_SMALL_MINE, true},
    {"large mine", WN_THING_LARGE_MINE, true},
    {"boot", WN_THING_BOOT, true},
    {"boots", WN_THING_BOOTS, true},
    {"bullet", WN_THING_BULLET, true},
    {"grenade", WN_THING_GRENADE, true},
    {"satchel", WN_THING_SATCHEL, true},
    {"bomb", WN_THING_BOMB, true},
    {"slime", WN_THING_SLIME, true},
    {"lava", WN_THING_LAVA, false},
    {"drone", WN_THING_DRONE, false},
    {"explosion *", WN_THING_BLAST, false},
    {"explosion |", WN_THING_BLAST, false},
    {"explosion -", WN_THING_BLAST, false},
    {"explosion /", WN_THING_BLAST, false},
    {"explosion \\", WN_THING_BLAST, false},
    {"you, north", WN_THING_ME, true},
    {"you, east", WN_THING_ME, true},
    {"you, south", WN_THING_ME, true},
    {"you, west", WN_THING_ME, true},
    {"player, north", WN_THING_FOE, true},
    {"player, east", WN_THING_FOE, true},
    {"player, south", WN_THING_FOE, true},
    {"player, west", WN_THING_FOE, true},
    {"flyer", WN_THING_FLYER, false},
    {"team 0", WN_THING_FRIEND, false},
    {"team 1", WN_THING_FRIEND, false},
    {"team 2", WN_THING_FRIEND, false},
    {"team 3", WN_THING_FRIEND, false},
    {"team 4", WN_THING_FRIEND, false},
    {"team 5", WN_THING_FRIEND, false},
    {"team 6", WN_THING_FRIEND, false},
    {"team 7", WN_THING_FRIEND, false},
    {"team 8", WN_THING_FRIEND, false},
    {"team 9", WN_THING_FRIEND, false},
    {"unknown", WN_THING_UNKNOWN, false},
};

static const struct {
    const char *name;
    Warren__ArgumentKind argument;
} actions[WN_MOVES] = {
    [WN_MOVE_WALK] = {"move", WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION},
    [WN_MOVE_FACE] = {"face", WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION},
    [WN_MOVE_BULLET] = {"bullet", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_GRENADE] = {"grenade", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_SATCHEL] = {"satchel", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_BOMB] = {"bomb", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_SLIME] = {"slime10", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_SCAN] = {"scan", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    [WN_MOVE_CLOAK] = {"cloak", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
};

static const struct {
    const char *name;
    Warren__StatusKind kind;
} gauges[WN_GAUGES] = {
    [WN_GAUGE_AMMO] = {"ammo", WARREN__STATUS_KIND__STATUS_NUMBER},
    [WN_GAUGE_GUN] = {"gun", WARREN__STATUS_KIND__STATUS_TEXT},
    [WN_GAUGE_DAMAGE] = {"damage", WARREN__STATUS_KIND__STATUS_LOAD},
};

static bool lacks(const Warren__Mode *mode, const char *what, const char *name, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, NULL, 0,
                        "otto cannot play %s: it has no %s \"%s\". Take --brain auto or random.", mode->name, what,
                        name);
}

static bool read_tiles(wn_otto_legend *legend, const Warren__Mode *mode, wn_error *error)
{
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        bool found = false;
        for (uint32_t tile = 0; tile < legend->tile_count; tile++) {
            if (strcmp(mode->tiles[tile]->name, tiles[i].name) == 0) {
                legend->thing_of[tile] = (uint8_t)tiles[i].thing;
                found = true;
            }
        }
        if (!found && tiles[i].needed) {
            return lacks(mode, "tile", tiles[i].name, error);
        }
    }
    return true;
}

static bool read_actions(wn_otto_legend *legend, const Warren__Mode *mode, wn_error *error)
{
    for (uint32_t move = 0; move < WN_MOVES; move++) {
        size_t i = 0;
        while (i < mode->n_actions && (strcmp(mode->actions[i]->name, actions[move].name) != 0 ||
                                       mode->actions[i]->argument != actions[move].argument)) {
            i++;
        }
        if (i == mode->n_actions) {
            return lacks(mode, "action", actions[move].name, error);
        }
        legend->action_of[move] = mode->actions[i]->id;
    }
    return true;
}

static bool read_fields(wn_otto_legend *legend, const Warren__Mode *mode, wn_error *error)
{
    for (uint32_t gauge = 0; gauge < WN_GAUGES; gauge++) {
        uint32_t i = 0;
        while (i < mode->n_status && (strcmp(mode->status[i]->name, gauges[gauge].name) != 0 ||
                                      mode->status[i]->kind != gauges[gauge].kind)) {
            i++;
        }
        if (i == mode->n_status) {
            return lacks(mode, "status field", gauges[gauge].name, error);
        }
        legend->field_of[gauge] = i;
    }
    return true;
}

static void read_entries(wn_otto_legend *legend, const Warren__Mode *mode)
{
    static const char *const names[WN_ENTRANCES] = {"cloaked", "scanning", "flying"};
    memset(legend->entry_of, 0xff, sizeof legend->entry_of);
    for (uint32_t entry = 0; entry < mode->n_entries; entry++) {
        for (uint32_t i = 0; i < WN_ENTRANCES; i++) {
            if (strcmp(mode->entries[entry]->name, names[i]) == 0) {
                legend->entry_of[i] = entry;
            }
        }
    }
}

bool wn_otto_legend_read(wn_otto_legend *legend, const Warren__Mode *mode, wn_error *error)
{
    *legend = (wn_otto_legend){.tile_count = (uint32_t)mode->n_tiles, .thing_of = malloc(mode->n_tiles + 1)};
    if (legend->thing_of == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "No memory left for another otto.");
    }
    memset(legend->thing_of, WN_THING_OTHER, mode->n_tiles + 1);
    read_entries(legend, mode);
    return read_tiles(legend, mode, error) && read_actions(legend, mode, error) && read_fields(legend, mode, error);
}

void wn_otto_legend_free(wn_otto_legend *legend)
{
    free(legend->thing_of);
    *legend = (wn_otto_legend){0};
}
