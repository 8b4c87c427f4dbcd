/* solve_terrain.c: see solve_terrain.h. Why no position is lost by it: other things are taken to be wherever they help
 * and nowhere they hinder. A heart may be pushed if the penguin could ever stand behind it (not on the edge, a house,
 * or a mountain that stays), it slides over everything that could ever be empty, and it may stop wherever it likes,
 * since anything may lie in the next cell; except before a house, where it always goes in. Every push in a real game is
 * one of these, so a real way home is never shorter, and where there is none here, there is none at all.
 */
#include "solve_terrain.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLES = 3, /* hearts: open and closed; bombs */
    LEAST_ENTRIES = 4,
    MOST_ENTRIES = 4096,
    STOP_COST = 2,          /* of putting something where a heart is to stop, in pushes: a guess */
    OPEN_COST = 4,          /* of blowing up a mountain */
    FAR = TERRAIN_NEVER - 1 /* and farther */
};

struct terrain_cache {
    polar_board ground; /* its cells: trees, houses, the mountains that are looked at */
    uint32_t cells, height;
    uint32_t entries;
    size_t stride;
    uint8_t *entry; /* each: a byte whether it is in use, the plane of mountains, the tables */
};

/* What is to come to what. */
struct question {
    polar_piece goal;
    bool closed;
};

static const struct question questions[TABLES] = {
    {PIECE_HOUSE, false},
    {PIECE_HOUSE, true},
    {PIECE_MOUNTAIN, true},
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The fewest pushes from a cell, the first of them in one direction, with what is known of the others. */
static uint32_t ask_direction(const uint8_t *ground, const struct question *question, const uint8_t *table,
                              uint32_t cell, int32_t stride)
{
    const uint8_t *at = ground + cell - stride;
    if (*at == PIECE_EDGE || *at == PIECE_HOUSE || (*at == PIECE_MOUNTAIN && question->closed)) {
        return TERRAIN_NEVER;
    }
    uint32_t result = TERRAIN_NEVER;
    for (at = ground + cell + stride; *at != question->goal; at += stride) {
        if (*at != PIECE_EMPTY && (*at != PIECE_MOUNTAIN || question->closed)) {
            return result;
        }
        if (at[stride] != question->goal && table[at - ground] != TERRAIN_NEVER) {
            result = least(result, least(FAR, 1u + table[at - ground]));
        }
    }
    return 1;
}

static void ask(const struct terrain_cache *cache, const struct question *question, uint8_t *table)
{
    const polar_board *ground = &cache->ground;
    memset(table, TERRAIN_NEVER, cache->cells);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t cell = 0; cell < cache->cells; cell++) {
            if (ground->cells[cell] != PIECE_EMPTY && ground->cells[cell] != PIECE_MOUNTAIN) {
                continue;
            }
            uint32_t cost = table[cell];
            for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
                cost = least(cost, ask_direction(ground->cells, question, table, cell, board_stride(ground, heading)));
            }
            changed |= cost != table[cell];
            table[cell] = (uint8_t)cost;
        }
    }
}

terrain_cache *terrain_cache_new(const polar_board *board, size_t memory)
{
    terrain_cache *cache = malloc(sizeof *cache);
    if (cache == NULL) {
        return NULL;
    }
    cache->ground = *board;
    cache->cells = (board->width + 2u) * (board->height + 2u);
    cache->height = board->height;
    for (uint32_t cell = 0; cell < cache->cells; cell++) {
        uint8_t *piece = &cache->ground.cells[cell];
        *piece = *piece == PIECE_TREE || *piece == PIECE_HOUSE || *piece == PIECE_EDGE ? *piece : PIECE_EMPTY;
    }
    cache->stride = 1 + cache->height * sizeof(uint64_t) + TABLES * cache->cells;
    cache->entries = 1;
    while (cache->entries < MOST_ENTRIES &&
           (cache->entries < LEAST_ENTRIES || cache->entries * 2 * cache->stride <= memory)) {
        cache->entries *= 2;
    }
    cache->entry = calloc(cache->entries, cache->stride);
    if (cache->entry == NULL) {
        free(cache);
        return NULL;
    }
    return cache;
}

void terrain_cache_free(terrain_cache *cache)
{
    if (cache != NULL) {
        free(cache->entry);
        free(cache);
    }
}

/* Mountains onto the ground, or away from it. */
static void set_mountains(terrain_cache *cache, const plane mountains, polar_piece piece)
{
    for (uint32_t y = 0; y < cache->height; y++) {
        for (uint64_t row = mountains[y]; row != 0; row &= row - 1) {
            cache->ground.cells[board_cell(&cache->ground, (uint32_t)__builtin_ctzll(row), y)] = (uint8_t)piece;
        }
    }
}

polar_terrain terrain_get(terrain_cache *cache, const plane mountains)
{
    const size_t size = cache->height * sizeof(uint64_t);
    uint64_t hash = 0;
    for (uint32_t y = 0; y < cache->height; y++) {
        hash = (hash ^ mountains[y]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    uint8_t *entry = cache->entry + (hash & (cache->entries - 1)) * cache->stride, *tables = entry + 1 + size;
    if (!entry[0] || memcmp(entry + 1, mountains, size) != 0) {
        entry[0] = 1;
        memcpy(entry + 1, mountains, size);
        set_mountains(cache, mountains, PIECE_MOUNTAIN);
        for (uint32_t i = 0; i < TABLES; i++) {
            ask(cache, &questions[i], tables + i * cache->cells);
        }
        set_mountains(cache, mountains, PIECE_EMPTY);
    }
    return (polar_terrain){
        .fewest = {tables, tables + cache->cells},
        .bomb = tables + 2 * cache->cells,
    };
}
