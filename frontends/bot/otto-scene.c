/* otto-scene.c: from a view to what otto knows. */
#include "otto-scene.h"

#include <stdlib.h>
#include <string.h>

enum { FAR_AWAY = 8, FORGOTTEN = 20 };

/* memory */

void wn_otto_scene_free(wn_otto_scene *scene)
{
    free(scene->things);
    free(scene->fresh);
    free(scene->seen);
    free(scene->oozed);
    free(scene->burns);
    free(scene->launched);
    *scene = (wn_otto_scene){0};
}

void wn_otto_scene_forget(wn_otto_scene *scene)
{
    const size_t cells = scene->cells;
    if (cells > 0) {
        memset(scene->things, WN_THING_UNKNOWN, cells);
        memset(scene->seen, 0, cells * sizeof *scene->seen);
        memset(scene->oozed, 0, cells * sizeof *scene->oozed);
        memset(scene->launched, 0, cells);
    }
    scene->foe_count = 0;
    scene->missile_count = 0;
    scene->noise_turn = 0;
    scene->boots = 0;
    scene->stands = false;
}

static bool fit(wn_otto_scene *scene, uint32_t width, uint32_t height)
{
    if (scene->width == width && scene->height == height) {
        return true;
    }
    const size_t cells = (size_t)width * height;
    wn_otto_scene_free(scene);
    scene->things = calloc(cells, 1);
    scene->fresh = calloc(cells, sizeof *scene->fresh);
    scene->seen = calloc(cells, sizeof *scene->seen);
    scene->oozed = calloc(cells, sizeof *scene->oozed);
    scene->burns = calloc(cells, sizeof *scene->burns);
    scene->launched = calloc(cells, 1);
    if (scene->things == NULL || scene->fresh == NULL || scene->seen == NULL || scene->oozed == NULL ||
        scene->burns == NULL || scene->launched == NULL) {
        wn_otto_scene_free(scene);
        return false;
    }
    scene->width = width;
    scene->height = height;
    scene->cells = (uint32_t)cells;
    return true;
}

/* questions */

bool wn_otto_scene_on_border(const wn_otto_scene *scene, uint32_t at)
{
    const uint32_t x = at % scene->width, y = at / scene->width;
    return x == 0 || y == 0 || x == scene->width - 1 || y == scene->height - 1;
}

uint32_t wn_otto_scene_next(const wn_otto_scene *scene, uint32_t at, uint32_t way)
{
    switch (way) {
    case 0:
        return at - scene->width;
    case 1:
        return at + 1;
    case 2:
        return at + scene->width;
    default:
        return at - 1;
    }
}

uint32_t wn_otto_scene_distance(const wn_otto_scene *scene, uint32_t one, uint32_t other)
{
    const int width = (int)scene->width;
    const int dx = abs((int)one % width - (int)other % width), dy = abs((int)one / width - (int)other / width);
    return (uint32_t)(dx > dy ? dx : dy);
}

bool wn_otto_scene_open(const wn_otto_scene *scene, uint32_t at)
{
    const wn_thing thing = scene->things[at];
    return thing == WN_THING_FLOOR || thing == WN_THING_DOOR ||
           (thing >= WN_THING_SMALL_MINE && thing <= WN_THING_BOOTS);
}

const wn_foe *wn_otto_scene_foe_at(const wn_otto_scene *scene, uint32_t at)
{
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        if (scene->foes[i].at == at && scene->foes[i].fresh && !scene->foes[i].flies) {
            return &scene->foes[i];
        }
    }
    return NULL;
}

bool wn_ray_step(const wn_otto_scene *scene, wn_ray *ray)
{
    static const uint8_t by_slash[WN_WAYS] = {1, 0, 3, 2};
    ray->at = wn_otto_scene_next(scene, ray->at, ray->way);
    if (wn_otto_scene_on_border(scene, ray->at)) {
        return false;
    }
    const wn_thing thing = scene->things[ray->at];
    if (thing == WN_THING_SLASH) {
        ray->way = by_slash[ray->way];
    } else if (thing == WN_THING_BACKSLASH) {
        ray->way = wn_way_back(by_slash[ray->way]);
    } else {
        return thing != WN_THING_DOOR && wn_otto_scene_open(scene, ray->at);
    }
    return true;
}

/* players */

static wn_foe *remembered(wn_otto_scene *scene, uint32_t id)
{
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        if (scene->foes[i].id == id) {
            return &scene->foes[i];
        }
    }
    if (scene->foe_count == WN_SCENE_FOES) {
        return NULL;
    }
    scene->foes[scene->foe_count] = (wn_foe){.id = id};
    return &scene->foes[scene->foe_count++];
}

static void take_sprites(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica)
{
    scene->stands = false;
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        scene->foes[i].fresh = false;
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        const wn_thing thing = sprite->tile < legend->tile_count ? legend->thing_of[sprite->tile] : WN_THING_OTHER;
        const uint32_t facing = sprite->facing < WN_DIRECTIONS ? sprite->facing / 2 : WN_NO_WAY;
        if (sprite->at >= scene->cells || wn_otto_scene_on_border(scene, sprite->at)) {
            continue;
        }
        if (thing == WN_THING_ME) {
            scene->stands = true;
            scene->at = sprite->at;
            scene->facing = facing % WN_WAYS;
        } else if (thing == WN_THING_FOE || thing == WN_THING_FRIEND || thing == WN_THING_FLYER) {
            wn_foe *foe = sprite->at == replica->focus ? NULL : remembered(scene, sprite->id);
            if (foe != NULL) {
                const bool noticed = foe->noticed && replica->turn - foe->seen <= FORGOTTEN;
                *foe = (wn_foe){.id = sprite->id,
                                .noticed = noticed,
                                .at = sprite->at,
                                .facing = facing,
                                .seen = replica->turn,
                                .fresh = true,
                                .friendly = thing == WN_THING_FRIEND,
                                .flies = thing == WN_THING_FLYER};
            }
        }
    }
}

/* missiles */

/* From where something could have come to be where it is now: marks it, or takes the marks away. */
static void mark_launches(wn_otto_scene *scene, bool mark)
{
    for (uint32_t i = 0; i < scene->missile_count; i++) {
        scene->launched[scene->missiles[i].at] =
            mark ? (uint8_t)(scene->launched[scene->missiles[i].at] | scene->missiles[i].ways) : 0;
    }
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const uint8_t way = (uint8_t)(1u << scene->foes[i].facing & WN_ALL_WAYS);
        scene->launched[scene->foes[i].at] = mark ? (uint8_t)(scene->launched[scene->foes[i].at] | way) : 0;
    }
    if (scene->stands) {
        const uint8_t way = (uint8_t)(1u << scene->facing);
        scene->launched[scene->at] = mark ? (uint8_t)(scene->launched[scene->at] | way) : 0;
    }
}

/* Did something that flies this way leave within its reach behind the cell? */
static bool came_from(const wn_otto_scene *scene, uint32_t at, uint32_t way, uint32_t reach)
{
    wn_ray ray = {.at = at, .way = wn_way_back(way)};
    for (uint32_t i = 0; i < reach; i++) {
        if (!wn_ray_step(scene, &ray)) {
            return false;
        }
        if (scene->launched[ray.at] & 1u << wn_way_back(ray.way)) {
            return true;
        }
    }
    return false;
}

/* The ways in which a missile seen there may fly: those that lead from where something was before, or else all along
 * which it could have come and could go on. */
static uint32_t ways_of(const wn_otto_scene *scene, uint32_t at, uint32_t reach)
{
    uint32_t known = 0, possible = 0;
    for (uint32_t way = 0; way < WN_WAYS; way++) {
        wn_ray behind = {.at = at, .way = wn_way_back(way)}, ahead = {.at = at, .way = way};
        known |= came_from(scene, at, way, reach) ? 1u << way : 0;
        possible |= wn_ray_step(scene, &behind) || wn_ray_step(scene, &ahead) ? 1u << way : 0;
    }
    return known != 0 ? known : possible;
}

/* cells */

/* What stands or flies there hides the ground: it is what it was, and open if that is not known. */
static void keep_ground(wn_otto_scene *scene, uint32_t at)
{
    if (!wn_otto_scene_open(scene, at) && !wn_otto_scene_on_border(scene, at)) {
        scene->things[at] = WN_THING_FLOOR;
    }
}

static void take_cell(wn_otto_scene *scene, uint32_t at, wn_thing thing, bool fresh)
{
    const uint64_t oozed = scene->oozed[at];
    scene->fresh[at] = fresh;
    if (thing == WN_THING_BLAST && !scene->burns[at] && wn_otto_scene_distance(scene, scene->at, at) >= FAR_AWAY) {
        scene->noise = at;
        scene->noise_turn = scene->turn;
    }
    scene->burns[at] = thing == WN_THING_BLAST;
    scene->oozed[at] = 0;
    if (thing <= WN_THING_BOOTS) {
        scene->things[at] = (uint8_t)thing;
    } else if (thing == WN_THING_SLIME || thing == WN_THING_LAVA) {
        scene->oozed[at] = oozed != 0 ? oozed : scene->turn;
        keep_ground(scene, at);
    } else if (thing != WN_THING_OTHER) {
        keep_ground(scene, at); /* an explosion opens every wall that it reaches */
    }
    if (fresh && thing != WN_THING_BLAST) {
        scene->seen[at] = scene->turn;
    }
}

static void take_cells(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica)
{
    wn_missile missiles[WN_SCENE_MISSILES];
    uint32_t count = 0;
    for (uint32_t at = 0; at < scene->cells; at++) {
        const uint32_t tile = replica->cells[at] / 2;
        const wn_thing thing = tile < legend->tile_count ? legend->thing_of[tile] : WN_THING_OTHER;
        const bool fresh = replica->cells[at] % 2 == 0 && thing != WN_THING_UNKNOWN;
        take_cell(scene, at, thing, fresh);
        const bool flies = (thing >= WN_THING_BULLET && thing <= WN_THING_BOMB) || thing == WN_THING_DRONE;
        if (flies && fresh && count < WN_SCENE_MISSILES && !wn_otto_scene_on_border(scene, at)) {
            missiles[count++] = (wn_missile){.at = at, .thing = thing};
        }
    }
    /* Two turns at most: what is older tells nothing. */
    for (uint32_t i = 0; i < count; i++) {
        missiles[i].ways =
            missiles[i].thing == WN_THING_DRONE ? WN_ALL_WAYS : ways_of(scene, missiles[i].at, 2 * WN_SHOT_SPEED);
    }
    mark_launches(scene, false);
    memcpy(scene->missiles, missiles, count * sizeof *missiles);
    scene->missile_count = count;
}

/* Who is not where he was seen last has gone somewhere near: that is worth another look. */
static void miss_foes(wn_otto_scene *scene)
{
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const wn_foe *foe = &scene->foes[i];
        if (foe->fresh || !scene->fresh[foe->at]) {
            continue;
        }
        for (uint32_t at = 0; at < scene->cells; at++) {
            if (!scene->fresh[at] && wn_otto_scene_distance(scene, at, foe->at) <= 5) {
                scene->seen[at] = 0;
            }
        }
        scene->foes[i--] = scene->foes[--scene->foe_count];
    }
}

static void take_fields(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica)
{
    const wn_field_state *gun = &replica->fields[legend->field_of[WN_GAUGE_GUN]];
    const wn_field_state *damage = &replica->fields[legend->field_of[WN_GAUGE_DAMAGE]];
    scene->ammo = replica->fields[legend->field_of[WN_GAUGE_AMMO]].number;
    scene->gun_cool = gun->text[0] != '\0';
    scene->damage = damage->number;
    scene->capacity = damage->maximum;
}

/* Nothing says how many boots otto wears: he counts those that he walks onto. */
static void put_on_boots(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica)
{
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        if (sprite->at < scene->cells && sprite->tile < legend->tile_count &&
            legend->thing_of[sprite->tile] == WN_THING_ME) {
            const wn_thing thing = scene->things[sprite->at];
            scene->boots += thing == WN_THING_BOOTS ? 2 : thing == WN_THING_BOOT ? 1 : 0;
        }
    }
}

bool wn_otto_scene_take(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica)
{
    if (!fit(scene, replica->width, replica->height)) {
        return false;
    }
    scene->turn = replica->turn;
    put_on_boots(scene, legend, replica);
    mark_launches(scene, true);
    take_cells(scene, legend, replica);
    take_sprites(scene, legend, replica);
    take_fields(scene, legend, replica);
    miss_foes(scene);
    return true;
}
