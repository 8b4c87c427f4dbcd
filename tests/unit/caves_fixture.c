/* caves_fixture.c: see caves_fixture.h. */
#include "caves_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct fixture_mode fixture_mode = {.path = CAVES_MODE, .seed = 20120724, .settings = ""};

caves *fixture_game(const fixture *world)
{
    return fixture_state(world);
}

entity *fixture_player(const fixture *world, uint32_t seat_number)
{
    caves *game = fixture_game(world);
    const uint32_t index = game->seats[seat_number].entity;
    return index != NOBODY ? &game->entities.all[index] : NULL;
}

entity *fixture_find(const fixture *world, int32_t x, int32_t y)
{
    caves *game = fixture_game(world);
    const uint32_t index = entities_find(&game->entities, &game->map, (position){x, y});
    return index != NOBODY ? &game->entities.all[index] : NULL;
}

/* turns */

void fixture_act(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument)
{
    fixture_add(world, seat_number, action, argument);
    fixture_turn(world);
}

void fixture_step(fixture *world, uint32_t seat_number, uint32_t direction)
{
    fixture_act(world, seat_number, ACTION_STEP, direction);
}

void fixture_rest(fixture *world, uint32_t seat_number)
{
    fixture_act(world, seat_number, ACTION_REST, 0);
}

/* scenes */

static void clear(caves *game)
{
    entities *list = &game->entities;
    const size_t words = cave_words(&game->map);
    memset(game->map.floor, 0, words * sizeof(uint64_t));
    memset(game->map.taken, 0, words * sizeof(uint64_t));
    game->map.floors = 0;
    list->count = 0;
    memset(list->of_kind, 0, sizeof list->of_kind);
    memset(list->slots, 0, (list->slot_mask + 1) * sizeof *list->slots);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        game->seats[i].entity = NOBODY;
    }
}

static void place(fixture *world, kind_id what, position at, uint32_t seat_number)
{
    caves *game = fixture_game(world);
    entity *who = entities_add(&game->entities, &game->map, wn_hosted_handle(world->hosted), what, at, 0);
    REQUIRE(who != NULL);
    who->hit_points = game->kinds[what].hit_points;
    who->seat = (uint8_t)seat_number;
    if (what == KIND_PLAYER) {
        REQUIRE(game->seats[seat_number].taken);
        game->seats[seat_number].entity = game->entities.count - 1;
    }
}

static void paint_cell(fixture *world, position at, char sign)
{
    static const char creatures[] = "Fv~=";
    static const kind_id kinds[] = {KIND_LICHEN, KIND_BUNNY, KIND_SILVERFISH, KIND_SILVERFISH};
    if (sign != '#' && sign != '=') {
        cave_dig(&fixture_game(world)->map, at);
    }
    const char *creature = strchr(creatures, sign);
    if (creature != NULL) {
        place(world, kinds[creature - creatures], at, 0);
    } else if (sign >= '0' && sign <= '9') {
        place(world, KIND_PLAYER, at, (uint32_t)(sign - '0'));
    }
}

void fixture_paint(fixture *world, const char *const *rows)
{
    caves *game = fixture_game(world);
    clear(game);
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            REQUIRE(cave_is_inside(&game->map, (position){x, y}));
            paint_cell(world, (position){x, y}, rows[y][x]);
        }
    }
    fixture_reload(world);
}

/* invariants */

static void check_entity(const fixture *world, uint32_t index, uint8_t *seen)
{
    const caves *game = fixture_game(world);
    const entity *who = &game->entities.all[index];
    const position at = entity_at(who);
    REQUIRE(cave_is_inside(&game->map, at));
    const size_t cell = (size_t)at.y * game->map.width + (size_t)at.x;
    REQUIRE(!seen[cell]);
    seen[cell] = 1;
    REQUIRE(entities_find(&game->entities, &game->map, at) == index);
    REQUIRE(who->kind == KIND_SILVERFISH || cave_is_floor(&game->map, at));
    REQUIRE(who->hit_points <= game->kinds[who->kind].hit_points);
    REQUIRE(who->hit_points > 0 || game->kinds[who->kind].hit_points == 0);
    if (who->kind == KIND_PLAYER) {
        REQUIRE(game->seats[who->seat].entity == index);
    }
}

void fixture_check(const fixture *world)
{
    const caves *game = fixture_game(world);
    const cave *map = &game->map;
    uint8_t *seen = calloc(map->width, map->height);
    REQUIRE(seen != NULL);
    uint32_t of_kind[KIND_COUNT] = {0}, taken = 0;
    for (uint32_t i = 0; i < game->entities.count; i++) {
        check_entity(world, i, seen);
        of_kind[game->entities.all[i].kind]++;
    }
    REQUIRE(memcmp(of_kind, game->entities.of_kind, sizeof of_kind) == 0);
    for (size_t i = 0; i < cave_words(map); i++) {
        taken += (uint32_t)__builtin_popcountll(map->taken[i]);
    }
    REQUIRE(taken == game->entities.count);
    cave counted = *map;
    REQUIRE(cave_count(&counted));
    REQUIRE(counted.floors == map->floors);
    free(seen);
}
