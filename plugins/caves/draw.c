/* draw.c: shows the world on a view: terrain as cells, entities as sprites. It changes nothing, and after a turn it
 * touches only what the list of changes names.
 */
#include "caves.h"

/* What one view is drawn with. */
struct picture {
    wn_world *world;
    wn_view *view;
    const caves *game;
    int32_t seat_number;     /* WN_SPECTATORS: nobody's */
    const struct seat *seat; /* NULL: the spectators' */
    bool regions;
    bool by_sight; /* shows what its seat sees and remembers, not everything */
};

static uint32_t terrain_tile(const struct picture *picture, position at, bool floor)
{
    const cave *map = &picture->game->map;
    const uint8_t region = picture->regions ? map->regions[(size_t)at.y * map->width + (size_t)at.x] : CAVE_NO_REGION;
    if (!floor) {
        return TILE_WALL;
    }
    return region != CAVE_NO_REGION ? TILE_REGIONS + (uint32_t)region : TILE_FLOOR;
}

static uint16_t terrain_at(const struct picture *picture, position at)
{
    if (!picture->by_sight) {
        return WN_CELL(terrain_tile(picture, at, cave_is_floor(&picture->game->map, at)));
    }
    const uint32_t seat_number = (uint32_t)picture->seat_number;
    if (!vision_knows(picture->game, seat_number, at)) {
        return WN_CELL(TILE_UNKNOWN);
    }
    const uint32_t tile = terrain_tile(picture, at, vision_knows_floor(picture->game, seat_number, at));
    return vision_sees(picture->game, picture->seat_number, at) ? WN_CELL(tile) : WN_REMEMBERED(tile);
}

static void draw_box(const struct picture *picture, const struct box *box)
{
    uint16_t row[WN_MAX_SIDE];
    for (int32_t y = box->top; y <= box->bottom; y++) {
        for (int32_t x = box->left; x <= box->right; x++) {
            row[x - box->left] = terrain_at(picture, (position){x, y});
        }
        wn_put_row(picture->world, picture->view, box->left, y, row, (uint32_t)(box->right - box->left + 1));
    }
}

static void draw_terrain(const struct picture *picture)
{
    const cave *map = &picture->game->map;
    const struct box all = {0, 0, (int32_t)map->width - 1, (int32_t)map->height - 1};
    draw_box(picture, &all);
}

static void draw_entity(const struct picture *picture, uint32_t index)
{
    const caves *game = picture->game;
    const entity *who = &game->entities.all[index];
    uint32_t tile = game->kinds[who->kind].tile;
    const char *label = NULL;
    if (who->kind == KIND_PLAYER) {
        label = wn_seat_name(picture->world, who->seat);
        tile = who->seat == picture->seat_number ? TILE_YOU : TILE_PLAYER;
    }
    if (caves_is_sprite(game, index)) {
        wn_sprite(picture->world, picture->view, who->id, who->x, who->y, tile, WN_HERE, label);
    } else {
        wn_put(picture->world, picture->view, who->x, who->y, WN_CELL(tile));
    }
}

static void draw_cell(const struct picture *picture, position at)
{
    const caves *game = picture->game;
    const uint32_t who = entities_find(&game->entities, &game->map, at);
    if (who == NOBODY || caves_is_sprite(game, who)) {
        wn_put(picture->world, picture->view, at.x, at.y, terrain_at(picture, at));
    }
    if (who != NOBODY) {
        draw_entity(picture, who);
    }
}

/* Those that are not sprites are part of the terrain. */
static void draw_entities(const struct picture *picture, uint32_t first)
{
    const entities *list = &picture->game->entities;
    for (uint32_t i = first; i < list->count; i++) {
        if (!picture->by_sight || vision_sees(picture->game, picture->seat_number, entity_at(&list->all[i]))) {
            draw_entity(picture, i);
        }
    }
}

static void draw_board_row(const struct picture *picture, uint32_t seat_number)
{
    const struct seat *seat = &picture->game->seats[seat_number];
    const char *name = wn_seat_name(picture->world, seat_number);
    if (!seat->taken || name == NULL) {
        wn_board_row(picture->world, picture->view, seat_number, NULL);
        return;
    }
    char kills[16];
    snprintf(kills, sizeof kills, "%u", seat->kills);
    const char *columns[CAVES_COLUMN_COUNT] = {name, kills};
    wn_board_row(picture->world, picture->view, seat_number, columns);
}

static void draw_everything(const struct picture *picture)
{
    draw_terrain(picture);
    wn_sprites_begin(picture->world, picture->view);
    draw_entities(picture, 0);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        draw_board_row(picture, i);
    }
}

static void draw_change(const struct picture *picture, const struct change *change)
{
    switch ((change_kind)change->kind) {
    case CHANGE_CELL:
        draw_cell(picture, (position){(int32_t)(change->value & 0xffff), (int32_t)(change->value >> 16)});
        break;
    case CHANGE_GONE:
        wn_sprite_gone(picture->world, picture->view, change->value);
        break;
    case CHANGE_SEAT:
        draw_board_row(picture, change->value);
        break;
    case CHANGE_TERRAIN:
        if (change->value == EVERY_SEAT ? picture->regions : change->value == (uint32_t)picture->seat_number) {
            draw_terrain(picture);
            draw_entities(picture, CREATURE_SPRITES);
        }
        break;
    }
}

/* Where a seat sees only so far: what it sees now and saw before, and who is there now. */
static void draw_sight(const struct picture *picture)
{
    const struct changes *changes = &picture->game->changes;
    bool regions = false;
    for (uint32_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->list[i];
        regions = regions || change->kind == CHANGE_TERRAIN;
        if (change->kind == CHANGE_SEAT) {
            draw_board_row(picture, change->value);
        }
    }
    if (regions) {
        draw_terrain(picture);
    } else {
        draw_box(picture, &picture->game->visions[picture->seat_number].changed);
    }
    wn_sprites_begin(picture->world, picture->view);
    draw_entities(picture, 0);
}

/* Creatures of which the world started with none, and has none, are not worth a line. */
static void draw_count(const struct picture *picture, kind_id what, uint32_t setting, uint32_t field)
{
    const uint32_t count = picture->game->entities.of_kind[what];
    if (count > 0 || wn_setting_value(picture->world, setting) > 0) {
        wn_status_number(picture->world, picture->view, field, count);
    }
}

/* How near the world is to being lost. */
static void draw_overgrown(const struct picture *picture)
{
    const caves *game = picture->game;
    const uint64_t lichens = game->entities.of_kind[KIND_LICHEN];
    if (lichens > 0 || game->started_with_lichens) {
        wn_status_gauge(picture->world, picture->view, STATUS_OVERGROWN,
                        game->map.floors > 0 ? (int64_t)(lichens * 100 / game->map.floors) : 0, game->overrun);
    }
}

static void draw_status(const struct picture *picture)
{
    draw_count(picture, KIND_LICHEN, SETTING_LICHENS, STATUS_LICHENS);
    draw_overgrown(picture);
    draw_count(picture, KIND_BUNNY, SETTING_BUNNIES, STATUS_BUNNIES);
    draw_count(picture, KIND_SILVERFISH, SETTING_SILVERFISH, STATUS_SILVERFISH);
    if (picture->seat == NULL) {
        return;
    }
    const caves *game = picture->game;
    const entity *who = picture->seat->entity != NOBODY ? &game->entities.all[picture->seat->entity] : NULL;
    if (game->kinds[KIND_PLAYER].hit_points > 0) {
        wn_status_gauge(picture->world, picture->view, STATUS_HIT_POINTS, who != NULL ? who->hit_points : 0,
                        game->kinds[KIND_PLAYER].hit_points);
    } else {
        wn_status_text(picture->world, picture->view, STATUS_LIFE, "cannot die");
    }
    if (who != NULL) {
        char text[32];
        snprintf(text, sizeof text, "%u, %u", who->x, who->y);
        wn_status_text(picture->world, picture->view, STATUS_POSITION, text);
    }
}

/* start, win and lose screens */

/* In words that are right in every frontend: one shows signs and another pictures, and keys can be others. */
static void write_start(const struct picture *picture, char *text, size_t size)
{
    const caves *game = picture->game;
    char aim[160] = "Nothing grows here: walk, dig, look around.";
    if (game->started_with_lichens) {
        snprintf(aim, sizeof aim, "Lichens spread. Destroy all of them\nbefore they cover %u%% of the floor.",
                 game->overrun);
    }
    snprintf(text, size,
             "Caves\n\n%s\n\n"
             "Step into a creature to strike it,\n"
             "into a wall to dig. There are eight\n"
             "directions. Help (F1) shows the keys,\n"
             "and what everything looks like.\n\n"
             "The cave waits for your first move.",
             aim);
}

static void write_end(const struct picture *picture, char *text, size_t size)
{
    const caves *game = picture->game;
    static const char next[] = "\n\nThis world is over: there are others,\nand new ones can be made like it.";
    char kills[64] = "";
    if (picture->seat != NULL) {
        snprintf(kills, sizeof kills, "\n\nYour kills: %u", picture->seat->kills);
    }
    if (game->outcome == OUTCOME_WON) {
        snprintf(text, size, "The cave is yours\n\nNo lichen is left.%s%s", kills, next);
    } else {
        snprintf(text, size, "The cave is lost\n\nLichens cover more than %u%% of the floor.%s%s", game->overrun, kills,
                 next);
    }
}

static void draw_banner(const struct picture *picture)
{
    char text[WN_MAX_BANNER];
    if (picture->game->outcome != OUTCOME_OPEN) {
        write_end(picture, text, sizeof text);
    } else if (picture->seat != NULL && !picture->seat->begun) {
        write_start(picture, text, sizeof text);
    } else {
        wn_banner(picture->world, picture->view, NULL);
        return;
    }
    wn_banner(picture->world, picture->view, text);
}

void caves_draw(wn_world *world, wn_view *view, int32_t seat_number, wn_draw what)
{
    const caves *game = caves_of(world);
    const struct seat *seat = seat_number >= 0 ? &game->seats[seat_number] : NULL;
    const struct picture picture = {.world = world,
                                    .view = view,
                                    .game = game,
                                    .seat_number = seat_number,
                                    .seat = seat,
                                    .regions = seat != NULL && seat->shows_regions && game->map.regions != NULL,
                                    .by_sight = seat != NULL && game->sight > 0};
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, game->map.width, game->map.height);
    }
    if (what == WN_DRAW_ALL || game->changes.overflow) {
        draw_everything(&picture);
    } else if (picture.by_sight) {
        draw_sight(&picture);
    } else {
        for (uint32_t i = 0; i < game->changes.count; i++) {
            draw_change(&picture, &game->changes.list[i]);
        }
    }
    draw_status(&picture);
    draw_banner(&picture);
}
