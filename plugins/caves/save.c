/* save.c: writes a world and reads it back, believing nothing that it reads. What settings determine, and what can be
 * counted or found again (floor, occupied cells, regions), is not written.
 *
 * Format 1: u32 format, width, height, outcome, last id; u64 words of the floor, row by row without the spare rows;
 * for each seat u8 flags, held action, its argument, u32 kills; u32 entities, for each u32 id, hit points, x | y << 16,
 * u8 kind, seat. With the setting `sight`, then for each taken seat and each word of the map: u64 which of its cells
 * the seat knows, u64 which of them it knows as floor.
 */
#include <stdlib.h>

#include "caves.h"

enum { SAVE_FORMAT = 1, ENTITY_BYTES = 14 };
enum { FLAG_TAKEN = 1, FLAG_BEGUN = 2, FLAG_REGIONS = 4, FLAG_ALL = 7 };

static void save_seat(const wn_world *world, wn_writer *writer, const struct seat *seat)
{
    const uint32_t flags =
        (seat->taken ? FLAG_TAKEN : 0u) | (seat->begun ? FLAG_BEGUN : 0u) | (seat->shows_regions ? FLAG_REGIONS : 0u);
    wn_write_u8(writer, world, (uint8_t)flags);
    wn_write_u8(writer, world, seat->held);
    wn_write_u8(writer, world, seat->argument);
    wn_write_u32(writer, world, seat->kills);
}

static void save_entity(const wn_world *world, wn_writer *writer, const entity *who)
{
    wn_write_u32(writer, world, who->id);
    wn_write_u32(writer, world, who->hit_points);
    wn_write_u32(writer, world, (uint32_t)who->x | (uint32_t)who->y << 16);
    wn_write_u8(writer, world, who->kind);
    wn_write_u8(writer, world, who->seat);
}

void caves_save(wn_world *world, wn_writer *writer)
{
    const caves *game = caves_of(world);
    const cave *map = &game->map;
    const uint32_t head[] = {SAVE_FORMAT, map->width, map->height, game->outcome, game->entities.last_id};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        wn_write_u32(writer, world, head[i]);
    }
    const size_t end = (size_t)map->stride * (map->height + 1);
    for (size_t i = map->stride; i < end; i++) {
        wn_write_u64(writer, world, map->floor[i]);
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        save_seat(world, writer, &game->seats[i]);
    }
    wn_write_u32(writer, world, game->entities.count);
    for (uint32_t i = 0; i < game->entities.count; i++) {
        save_entity(world, writer, &game->entities.all[i]);
    }
    vision_save(game, world, writer);
}

/* load */

static bool damaged(wn_world *world, const char *what)
{
    wn_fail(world, "the saved cave is damaged: %s", what);
    return false;
}

static bool load_map(wn_world *world, wn_reader *reader, cave *map)
{
    const size_t end = (size_t)map->stride * (map->height + 1);
    for (size_t i = map->stride; i < end; i++) {
        map->floor[i] = wn_read_u64(reader, world);
    }
    return cave_count(map) || damaged(world, "floor outside of the map");
}

static bool load_seat(wn_world *world, wn_reader *reader, struct seat *seat)
{
    const uint32_t flags = wn_read_u8(reader, world);
    seat->held = wn_read_u8(reader, world);
    seat->argument = wn_read_u8(reader, world);
    seat->kills = wn_read_u32(reader, world);
    seat->taken = (flags & FLAG_TAKEN) != 0;
    seat->begun = (flags & FLAG_BEGUN) != 0;
    seat->shows_regions = (flags & FLAG_REGIONS) != 0;
    if (flags > FLAG_ALL || seat->held > ACTION_REST || seat->argument > WN_HERE) {
        return damaged(world, "a seat's flags or command");
    }
    if (!seat->taken && (flags != 0 || seat->held != 0 || seat->kills != 0)) {
        return damaged(world, "a free seat that is in use");
    }
    return true;
}

/* What stands where it may, as it may: the rules' own conditions. */
static const char *flaw_of(const caves *game, const entity *who)
{
    const position at = entity_at(who);
    if (who->kind >= KIND_COUNT) {
        return "an entity of no kind";
    }
    if (who->id == 0 || who->id > game->entities.last_id) {
        return "an entity's number";
    }
    if (!cave_is_inside(&game->map, at)) {
        return "an entity outside of the map";
    }
    if (cave_is_taken(&game->map, at)) {
        return "two entities in one cell";
    }
    if (who->kind != KIND_SILVERFISH && !cave_is_floor(&game->map, at)) {
        return "an entity in a wall";
    }
    const uint32_t most = game->kinds[who->kind].hit_points;
    if (who->hit_points > most || (most > 0 && who->hit_points == 0)) {
        return "an entity's hit points";
    }
    if (who->kind != KIND_PLAYER) {
        return who->seat == 0 ? NULL : "a creature with a seat";
    }
    if (who->seat >= WN_MAX_SEATS || !game->seats[who->seat].taken || game->seats[who->seat].entity != NOBODY) {
        return "a player without a seat of its own";
    }
    return NULL;
}

static bool load_entity(wn_world *world, wn_reader *reader)
{
    caves *game = caves_of(world);
    entity read = {0};
    read.id = wn_read_u32(reader, world);
    read.hit_points = wn_read_u32(reader, world);
    const uint32_t at = wn_read_u32(reader, world);
    read.x = (uint16_t)at;
    read.y = (uint16_t)(at >> 16);
    read.kind = wn_read_u8(reader, world);
    read.seat = wn_read_u8(reader, world);
    const char *flaw = flaw_of(game, &read);
    if (flaw != NULL) {
        return damaged(world, flaw);
    }
    entity *who = entities_add(&game->entities, &game->map, world, (kind_id)read.kind, entity_at(&read), read.id);
    if (who == NULL) {
        wn_fail(world, "the saved cave's entities need more memory than a world may have");
        return false;
    }
    who->hit_points = read.hit_points;
    who->seat = read.seat;
    if (read.kind == KIND_PLAYER) {
        game->seats[read.seat].entity = game->entities.count - 1;
        caves_follow(world, read.seat);
    }
    return true;
}

static int compare_ids(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static bool ids_differ(wn_world *world, const entities *list)
{
    uint32_t *ids = wn_alloc(world, (list->count + 1) * sizeof *ids);
    if (ids == NULL) {
        wn_fail(world, "checking the saved cave needs more memory than a world may have");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        ids[i] = list->all[i].id;
    }
    qsort(ids, list->count, sizeof *ids, compare_ids);
    bool differ = true;
    for (uint32_t i = 1; i < list->count; i++) {
        differ = differ && ids[i - 1] != ids[i];
    }
    wn_release(world, ids);
    return differ || damaged(world, "two entities with one number");
}

static bool load_entities(wn_world *world, wn_reader *reader)
{
    const caves *game = caves_of(world);
    const uint32_t count = wn_read_u32(reader, world);
    if (!wn_read_ok(reader, world) || count > wn_read_left(reader, world) / ENTITY_BYTES) {
        return damaged(world, "it ends too early");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!load_entity(world, reader)) {
            return false;
        }
    }
    return ids_differ(world, &game->entities);
}

bool caves_load(wn_world *world, wn_reader *reader)
{
    caves *game = caves_new(world);
    if (game == NULL) {
        return false;
    }
    if (wn_read_u32(reader, world) != SAVE_FORMAT) {
        return damaged(world, "its format is another one");
    }
    const uint32_t width = wn_read_u32(reader, world), height = wn_read_u32(reader, world);
    if (width != game->map.width || height != game->map.height) {
        return damaged(world, "its size is not that of the settings");
    }
    const uint32_t result = wn_read_u32(reader, world);
    if (result >= OUTCOME_COUNT) {
        return damaged(world, "its outcome");
    }
    game->outcome = (enum outcome)result;
    game->entities.last_id = wn_read_u32(reader, world);
    if (!load_map(world, reader, &game->map)) {
        return false;
    }
    bool regions = false;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (!load_seat(world, reader, &game->seats[i])) {
            return false;
        }
        regions = regions || game->seats[i].shows_regions;
    }
    if (!load_entities(world, reader)) {
        return false;
    }
    if (!vision_load(game, world, reader)) {
        wn_fail(world, "what the saved cave's players have seen needs more memory than a world may have");
        return false;
    }
    if (!wn_read_ok(reader, world)) {
        return damaged(world, "it ends too early");
    }
    if (regions) {
        cave_make_regions(&game->map, world);
    }
    changes_settle(game);
    return true;
}
