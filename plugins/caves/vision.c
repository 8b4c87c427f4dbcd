/* vision.c: with the setting `sight`: what each seat sees of the cave by a line of sight, and how it remembers the
 * rest. Without it nothing here is made, and everyone sees everything.
 */
#include <string.h>

#include "caves.h"

static size_t words_of(const cave *map)
{
    return (size_t)map->stride * map->height;
}

static size_t word_of(const cave *map, position at)
{
    return (size_t)map->stride * (size_t)at.y + ((uint32_t)at.x >> 6);
}

bool vision_make(caves *game, wn_world *world)
{
    if (game->sight == 0) {
        return true;
    }
    game->visions = wn_alloc(world, WN_MAX_SEATS * sizeof *game->visions);
    game->rock = wn_alloc(world, words_of(&game->map) * sizeof *game->rock);
    return game->visions != NULL && game->rock != NULL;
}

void vision_survey(caves *game)
{
    const size_t words = game->sight > 0 ? words_of(&game->map) : 0;
    for (size_t i = 0; i < words; i++) {
        game->rock[i] = ~game->map.floor[game->map.stride + i]; /* that grid has a spare row above */
    }
}

void vision_dug(caves *game, position at)
{
    if (game->sight > 0) {
        game->rock[word_of(&game->map, at)] &= ~cave_bit(at);
    }
}

bool vision_begin(caves *game, wn_world *world, uint32_t seat_number)
{
    if (game->sight == 0) {
        return true;
    }
    struct vision *vision = &game->visions[seat_number];
    const size_t words = words_of(&game->map);
    if (vision->known == NULL) { /* in one piece, so that a seat has all of it or nothing */
        uint64_t *grids = wn_alloc(world, 3 * words * sizeof *grids);
        if (grids == NULL) {
            return false;
        }
        vision->known = grids;
        vision->floor = grids + words;
        vision->sight = (struct wn_sight){.width = game->map.width,
                                          .height = game->map.height,
                                          .stride = game->map.stride,
                                          .opaque = game->rock,
                                          .visible = grids + 2 * words};
    }
    wn_sight_close(&vision->sight);
    memset(vision->known, 0, words * sizeof *vision->known);
    memset(vision->floor, 0, words * sizeof *vision->floor);
    return true;
}

/* Words are whole: what is left and right of the box in them is not visible, and stays as it was. */
static void remember(const caves *game, struct vision *vision)
{
    const struct wn_sight *sight = &vision->sight;
    for (int32_t y = sight->top; y <= sight->bottom; y++) {
        for (int32_t x = sight->left >> 6; x <= sight->right >> 6; x++) {
            const size_t word = (size_t)sight->stride * (size_t)y + (size_t)x;
            const uint64_t visible = sight->visible[word];
            vision->known[word] |= visible;
            vision->floor[word] = (vision->floor[word] & ~visible) | (visible & ~game->rock[word]);
        }
    }
}

static void extend(struct box *box, const struct wn_sight *sight)
{
    const struct box other = {sight->left, sight->top, sight->right, sight->bottom};
    if (box->right < box->left) {
        *box = other;
        return;
    }
    box->left = box->left < other.left ? box->left : other.left;
    box->top = box->top < other.top ? box->top : other.top;
    box->right = box->right > other.right ? box->right : other.right;
    box->bottom = box->bottom > other.bottom ? box->bottom : other.bottom;
}

void vision_look(caves *game, uint32_t seat_number)
{
    const uint32_t index = game->seats[seat_number].entity;
    if (game->sight == 0 || index == NOBODY) {
        return;
    }
    struct vision *vision = &game->visions[seat_number];
    const position at = entity_at(&game->entities.all[index]);
    extend(&vision->changed, &vision->sight);
    wn_sight_look(&vision->sight, at.x, at.y, game->sight);
    extend(&vision->changed, &vision->sight);
    remember(game, vision);
}

void vision_begin_turn(caves *game)
{
    for (uint32_t i = 0; game->sight > 0 && i < WN_MAX_SEATS; i++) {
        game->visions[i].changed = (struct box){0, 0, -1, -1};
    }
}

bool vision_sees(const caves *game, int32_t seat_number, position at)
{
    return game->sight == 0 || seat_number < 0 || wn_sight_sees(&game->visions[seat_number].sight, at.x, at.y);
}

bool vision_knows(const caves *game, uint32_t seat_number, position at)
{
    return (game->visions[seat_number].known[word_of(&game->map, at)] & cave_bit(at)) != 0;
}

bool vision_knows_floor(const caves *game, uint32_t seat_number, position at)
{
    return (game->visions[seat_number].floor[word_of(&game->map, at)] & cave_bit(at)) != 0;
}

void vision_save(const caves *game, const wn_world *world, wn_writer *writer)
{
    const size_t words = words_of(&game->map);
    for (uint32_t i = 0; game->sight > 0 && i < WN_MAX_SEATS; i++) {
        for (size_t word = 0; game->seats[i].taken && word < words; word++) {
            wn_write_u64(writer, world, game->visions[i].known[word]);
            wn_write_u64(writer, world, game->visions[i].floor[word]);
        }
    }
}

bool vision_load(caves *game, wn_world *world, wn_reader *reader)
{
    const size_t words = words_of(&game->map);
    vision_survey(game);
    for (uint32_t i = 0; game->sight > 0 && i < WN_MAX_SEATS; i++) {
        if (!game->seats[i].taken) {
            continue;
        }
        if (!vision_begin(game, world, i)) {
            return false;
        }
        for (size_t word = 0; word < words; word++) {
            game->visions[i].known[word] = wn_read_u64(reader, world);
            game->visions[i].floor[word] = wn_read_u64(reader, world);
        }
        vision_look(game, i);
    }
    return true;
}
