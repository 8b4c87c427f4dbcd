/* otto-threat.c: flies every missile on along the ways it may be going, and lets slime ooze. */
#include "otto-threat.h"

#include <stdlib.h>
#include <string.h>

/* An explosion of size s reaches s - 1 cells and does s bullets' damage in its middle. */
static uint32_t size_of(wn_thing missile)
{
    return missile == WN_THING_DRONE                                ? 2
           : missile >= WN_THING_BULLET && missile <= WN_THING_BOMB ? (uint32_t)(missile - WN_THING_BULLET) + 1
                                                                    : 1;
}

void wn_threats_free(wn_threats *threats)
{
    free(threats->hurt);
    free(threats->from);
    free(threats->queue);
    *threats = (wn_threats){0};
}

bool wn_threats_fit(wn_threats *threats, uint32_t cells)
{
    if (threats->cells == cells) {
        return true;
    }
    wn_threats_free(threats);
    threats->hurt = calloc(cells, sizeof *threats->hurt);
    threats->from = calloc(cells, 1);
    threats->queue = calloc(cells, sizeof *threats->queue);
    if (threats->hurt == NULL || threats->from == NULL || threats->queue == NULL) {
        wn_threats_free(threats);
        return false;
    }
    threats->cells = cells;
    return true;
}

static void add(wn_threats *threats, uint32_t at, uint32_t hurt, uint32_t from)
{
    if (hurt >= 10 && from != WN_NO_WAY && (threats->from[at] == WN_NO_WAY || hurt > threats->hurt[at])) {
        threats->from[at] = (uint8_t)from;
    }
    const uint32_t sum = threats->hurt[at] + hurt;
    threats->hurt[at] = (uint16_t)(sum < UINT16_MAX ? sum : UINT16_MAX);
}

/* Damage around a place where something of that size may go off, in percent of certainty. */
static void burst(wn_threats *threats, const wn_otto_scene *scene, uint32_t at, uint32_t size, uint32_t percent)
{
    const int reach = (int)size - 1, x = (int)(at % scene->width), y = (int)(at / scene->width);
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            if (x + dx >= 0 && y + dy >= 0 && x + dx < (int)scene->width && y + dy < (int)scene->height) {
                const uint32_t cell = (uint32_t)((y + dy) * (int)scene->width + x + dx);
                const uint32_t far = wn_otto_scene_distance(scene, at, cell);
                add(threats, cell, WN_BULLET_HURTS * (size - far) * percent / 100, WN_NO_WAY);
            }
        }
    }
}

/* What the n-th turn from now on counts, in percent: much can happen until then. */
static const uint32_t weight_of_turn[] = {100, 60, 25};
enum { TURNS = sizeof weight_of_turn / sizeof *weight_of_turn };

/* Flies a shot on from a cell. Whoever stands on its way is where it goes off. */
static void fly(wn_threats *threats, const wn_otto_scene *scene, wn_ray ray, uint32_t size, uint32_t percent)
{
    for (uint32_t step = 0; step < TURNS * WN_SHOT_SPEED; step++) {
        const uint32_t chance = percent * weight_of_turn[step / WN_SHOT_SPEED] / 100;
        const bool on = wn_ray_step(scene, &ray);
        if (scene->things[ray.at] == WN_THING_DOOR) {
            add(threats, ray.at, WN_BULLET_HURTS * size * chance / 100, wn_way_back(ray.way));
            return;
        }
        if (!on) {
            burst(threats, scene, ray.at, size, chance);
            return;
        }
        if (wn_otto_scene_foe_at(scene, ray.at) != NULL) {
            burst(threats, scene, ray.at, size, chance);
            return;
        }
        add(threats, ray.at, WN_BULLET_HURTS * size * chance / 100, wn_way_back(ray.way));
    }
}

static void fly_missiles(wn_threats *threats, const wn_otto_scene *scene)
{
    for (uint32_t i = 0; i < scene->missile_count; i++) {
        const wn_missile *missile = &scene->missiles[i];
        const uint32_t size = size_of(missile->thing);
        const uint32_t percent = 100 / (uint32_t)(missile->ways != 0 ? __builtin_popcount(missile->ways) : 1);
        for (uint32_t way = 0; way < WN_WAYS; way++) {
            if (missile->ways & 1u << way) {
                fly(threats, scene, (wn_ray){.at = missile->at, .way = way}, size, percent);
            }
        }
    }
}

/* Who faces this way may fire at any time. */
static void mind_guns(wn_threats *threats, const wn_otto_scene *scene)
{
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const wn_foe *foe = &scene->foes[i];
        if (foe->fresh && !foe->friendly && !foe->flies && foe->facing < WN_WAYS) {
            fly(threats, scene, (wn_ray){.at = foe->at, .way = foe->facing}, 1, 35);
        }
    }
}

/* Fresh slime goes on over open cells; a pair of boots makes it harmless, one halves it. */
static void ooze(wn_threats *threats, const wn_otto_scene *scene, uint32_t from)
{
    static const uint32_t percent[] = {90, 70, 50, 40, 30};
    uint32_t ring = 1, next = 1, at = 0;
    threats->queue[0] = from;
    const uint32_t hurts = WN_BULLET_HURTS / (scene->boots + 1);
    for (uint32_t depth = 0; depth < sizeof percent / sizeof *percent; depth++) {
        for (; at < ring; at++) {
            for (uint32_t way = 0; way < WN_WAYS; way++) {
                const uint32_t cell = wn_otto_scene_next(scene, threats->queue[at], way);
                if (wn_otto_scene_on_border(scene, cell) || !wn_otto_scene_open(scene, cell) ||
                    scene->things[cell] == WN_THING_DOOR || scene->oozed[cell] != 0) {
                    continue;
                }
                add(threats, cell, hurts * percent[depth] / 200, WN_NO_WAY);
                if (next < threats->cells && next < 64) {
                    threats->queue[next++] = cell;
                }
            }
        }
        ring = next;
    }
}

static void mind_slime(wn_threats *threats, const wn_otto_scene *scene)
{
    if (scene->boots > 1) {
        return;
    }
    for (uint32_t at = 0; at < scene->cells; at++) {
        const bool moves = scene->oozed[at] != 0 && scene->turn - scene->oozed[at] < 2;
        if (moves && !wn_otto_scene_on_border(scene, at)) {
            add(threats, at, WN_BULLET_HURTS / (scene->boots + 1), WN_NO_WAY);
            ooze(threats, scene, at);
        }
    }
}

void wn_threats_find(wn_threats *threats, const wn_otto_scene *scene)
{
    memset(threats->hurt, 0, threats->cells * sizeof *threats->hurt);
    memset(threats->from, WN_NO_WAY, threats->cells);
    fly_missiles(threats, scene);
    mind_guns(threats, scene);
    mind_slime(threats, scene);
}

wn_aim wn_aim_from(const wn_otto_scene *scene, uint32_t way)
{
    wn_aim aim = {.at = scene->at};
    wn_ray ray = {.at = scene->at, .way = way};
    const uint32_t most = 2 * (scene->width + scene->height);
    while (aim.foe == NULL && !aim.returns && aim.steps < most) {
        const bool on = wn_ray_step(scene, &ray);
        aim.steps++;
        aim.at = ray.at;
        aim.foe = wn_otto_scene_foe_at(scene, ray.at);
        aim.returns = ray.at == scene->at;
        if (!on) {
            const wn_thing thing = scene->things[ray.at];
            aim.sure = wn_otto_scene_on_border(scene, ray.at) || thing == WN_THING_WALL;
            return aim;
        }
    }
    aim.sure = aim.foe != NULL;
    return aim;
}
