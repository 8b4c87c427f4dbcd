/* hunt_fixture.c: see hunt_fixture.h. */
#include "hunt_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct fixture_mode fixture_mode = {.path = HUNT_MODE, .seed = 19851026, .settings = "spectator_delay=0"};

hunt *fixture_game(const fixture *world)
{
    return fixture_state(world);
}

struct player *player(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->players[seat];
}

struct ident *ident(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->idents[player(world, seat)->ident];
}

/* turns */

void join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry)
{
    fixture_add_join_as(world, seat, name, entry);
    fixture_turn(world);
}

void walk(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_MOVE, direction * 2);
    fixture_turn(world);
}

void face(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_FACE, direction * 2);
    fixture_turn(world);
}

void pass(fixture *world, uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        fixture_add_wake(world);
        fixture_turn(world);
    }
}

/* scenes */

/* Nothing that a scene does not ask for. */
static const char no_chance[] = "boots=no mines=0 pmiss=0 pgren_catch=0 pshot_coll=0 pgren_coll=0 ptrip_face=0 "
                                "ptrip_side=0 ptrip_back=0 pdrone=0 prandom=0 preflect=0 volcano_max=100000";

static void clear(hunt *game)
{
    memset(game->item, 0, game->cells);
    memset(game->player_at, 0, game->cells);
    game->opened_count = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        struct player *who = &game->players[i];
        who->cloak = 0;
        who->scan = 0;
        who->ammo = (uint32_t)game->set[SETTING_ISHOTS];
    }
}

static void paint_cell(hunt *game, cell at, char sign, uint32_t *others)
{
    static const char terrain[] = " -|+/\\#", items[] = ";gbB", you[] = "^>v<", other[] = "i}!{";
    const char *found = strchr(terrain, sign);
    game->terrain[at] = found != NULL ? (uint8_t)(TILE_FLOOR + (found - terrain)) : TILE_FLOOR;
    if ((found = strchr(items, sign)) != NULL) {
        game->item[at] = (uint8_t)(TILE_SMALL_MINE + (found - items));
    }
    const char *mine = strchr(you, sign), *theirs = strchr(other, sign);
    if (mine == NULL && theirs == NULL) {
        return;
    }
    const uint32_t seat = mine != NULL ? 0 : ++*others;
    struct player *who = &game->players[seat];
    REQUIRE(who->state == SEAT_PLAYING);
    who->facing = (uint8_t)(mine != NULL ? mine - you : theirs - other);
    who->at = at;
    game->player_at[at] = (uint8_t)(seat + 1);
}

static uint32_t count_signs(const char *const *rows, const char *signs)
{
    uint32_t count = 0;
    for (; *rows != NULL; rows++) {
        for (const char *sign = *rows; *sign != '\0'; sign++) {
            count += strchr(signs, *sign) != NULL;
        }
    }
    return count;
}

void scene_fly(fixture *world, uint32_t seat, uint32_t turns, int32_t fly_x, int32_t fly_y)
{
    hunt *game = fixture_game(world);
    struct player *who = &game->players[seat];
    game->player_at[who->at] = 0;
    game->flyers |= seat_bit(seat);
    who->flying = (uint8_t)turns;
    who->fly_x = (int8_t)fly_x;
    who->fly_y = (int8_t)fly_y;
}

void scene_look_anew(fixture *world)
{
    hunt *game = fixture_game(world);
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        sight_begin(game, seat);
        sight_look(game, seat);
    }
}

fixture *scene_named(const char *const *names, const char *settings, const char *const *rows)
{
    char text[512];
    int height = 0;
    while (rows[height] != NULL) {
        height++;
    }
    snprintf(text, sizeof text, "width=%zu height=%d %s %s", strlen(rows[0]), height, no_chance, settings);
    fixture *world = fixture_open(suite_given_seed(fixture_mode.seed), text);
    const uint32_t others = count_signs(rows, "i}!{"), you = count_signs(rows, "^>v<");
    for (uint32_t seat = you > 0 ? 0 : 1; seat <= others && names[seat] != NULL; seat++) {
        join(world, seat, names[seat]);
    }
    hunt *game = fixture_game(world);
    clear(game);
    uint32_t painted = 0;
    for (int32_t y = 0; y < height; y++) {
        REQUIRE((int32_t)strlen(rows[y]) == game->width);
        for (int32_t x = 0; x < game->width; x++) {
            paint_cell(game, cell_at(game, x, y), rows[y][x], &painted);
        }
    }
    for (uint32_t at = 0; at < game->cells; at++) {
        maze_refresh(game, (cell)at);
    }
    scene_look_anew(world);
    for (int32_t seat = you > 0 ? 0 : 1; seat <= (int32_t)others; seat++) {
        world->watched[seat + 1] = true;
    }
    world->watched[0] = true;
    fixture_reload(world);
    return world;
}

fixture *scene(const char *settings, const char *const *rows)
{
    static const char *const names[] = {"ann", "bob", "cid", "dan", "eve", NULL};
    return scene_named(names, settings, rows);
}

/* views */

char glyph(const fixture *world, int32_t x, int32_t y)
{
    const hunt *game = fixture_game(world);
    return hunt_tiles[game->truth[cell_at(game, x, y)]].ascii[0];
}

char view_glyph(const fixture *world, int32_t seat, int32_t x, int32_t y)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    const uint32_t at = (uint32_t)y * view.width + (uint32_t)x;
    REQUIRE(at < view.width * view.height);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        if (view.sprites[i].at == at) {
            return hunt_tiles[view.sprites[i].tile].ascii[0];
        }
    }
    return hunt_tiles[view.cells[at] >> 1].ascii[0];
}

typedef char reader(const fixture *world, int32_t seat, int32_t x, int32_t y);

static void expect(const fixture *world, reader *read, int32_t seat, const char *const *rows)
{
    const hunt *game = fixture_game(world);
    bool same = true;
    char text[8192];
    size_t size = 0;
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            const char is = read(world, seat, x, y);
            same = same && (rows[y][x] == '?' || rows[y][x] == is);
            text[size++] = is;
        }
        size += (size_t)snprintf(text + size, 64, "    %.50s\n", rows[y]);
    }
    ck_assert_msg(same, "view %d: is, and should be:\n%.*s", seat, (int)size, text);
}

static char maze_reader(const fixture *world, int32_t seat, int32_t x, int32_t y)
{
    (void)seat;
    return glyph(world, x, y);
}

void expect_view(const fixture *world, int32_t seat, const char *const *rows)
{
    expect(world, view_glyph, seat, rows);
}

void expect_maze(const fixture *world, const char *const *rows)
{
    expect(world, maze_reader, 0, rows);
}

const char *ended(const fixture *world, uint32_t seat)
{
    for (size_t i = 0; i < world->done->n_ended; i++) {
        if (world->done->ended[i]->seat == seat) {
            return world->done->ended[i]->text;
        }
    }
    return NULL;
}

/* invariants */

static void check_players(const hunt *game)
{
    uint32_t standing = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const struct player *who = &game->players[i];
        REQUIRE((who->state == SEAT_PLAYING) == (game->playing >> i & 1));
        if (who->state != SEAT_PLAYING) {
            continue;
        }
        REQUIRE(!is_border(game, who->at));
        REQUIRE(who->damage <= who->capacity);
        REQUIRE((who->flying > 0) == (game->flyers >> i & 1));
        REQUIRE(who->cloak == 0 || who->scan == 0);
        if (who->flying == 0) {
            REQUIRE(game->player_at[who->at] == i + 1);
            REQUIRE(game->terrain[who->at] == TILE_FLOOR || game->terrain[who->at] == TILE_DOOR);
            REQUIRE(game->item[who->at] == 0);
            standing++;
        }
    }
    for (uint32_t at = 0; at < game->cells; at++) {
        standing -= game->player_at[at] != 0;
    }
    REQUIRE(standing == 0);
}

static void check_things(const hunt *game)
{
    uint32_t boots = (uint32_t)game->boots[0].flying + game->boots[1].flying, resting = 0, blasts = 0;
    for (uint32_t at = 0; at < game->cells; at++) {
        boots += game->item[at] == TILE_BOOTS ? 2 : game->item[at] == TILE_BOOT;
        resting += game->shot_count[at];
        blasts += game->blast_left[at] > 0;
        REQUIRE((game->shot_count[at] > 0) == (game->shot_tile[at] != 0));
        REQUIRE((game->blast_left[at] > 0) == (game->blast[at] != 0));
        REQUIRE(game->terrain[at] != TILE_FLOOR || !is_border(game, (cell)at));
    }
    for (uint64_t left = game->playing; left != 0;) {
        boots += game->players[next_seat(&left)].boots;
    }
    REQUIRE(boots == (game->set[SETTING_BOOTS] ? BOOTS : 0));
    REQUIRE(resting == game->shot_total);
    REQUIRE(blasts == game->blast_count);
    REQUIRE(game->opened_count <= (uint32_t)game->set[SETTING_MAXREMOVE]);
    for (uint32_t i = 0; i < game->opened_count; i++) {
        REQUIRE(game->terrain[game->opened[i].at] == TILE_FLOOR);
    }
}

/* A watched view shows what drawing it anew shows. */
static void check_view(const fixture *world, int32_t seat)
{
    const hunt *game = fixture_game(world);
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    const struct player *who = seat >= 0 ? &game->players[seat] : NULL;
    for (uint32_t at = 0; at < game->cells; at++) {
        uint16_t is = WN_CELL(game->truth[at]);
        if (game->blast[at] != 0) {
            is = WN_CELL(game->blast[at]);
        } else if (who != NULL && is_seen(who, (cell)at)) {
            is = WN_CELL(known_tile(who, (cell)at) >= TILE_YOU ? game->terrain[at] : known_tile(who, (cell)at));
        } else if (who != NULL && known_tile(who, (cell)at) != TILE_UNKNOWN && !is_border(game, (cell)at)) {
            is = WN_REMEMBERED(known_tile(who, (cell)at));
        } else if (who != NULL) {
            is = WN_CELL(known_tile(who, (cell)at));
        }
        REQUIRE(view.cells[at] == is);
    }
    const uint64_t seats = who != NULL ? who->sighted : game->playing;
    REQUIRE(view.sprite_count == (uint32_t)__builtin_popcountll(seats));
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        REQUIRE(seats >> (view.sprites[i].id - 1) & 1);
        REQUIRE(view.sprites[i].at == game->players[view.sprites[i].id - 1].at);
    }
}

void fixture_check(const fixture *world)
{
    const hunt *game = fixture_game(world);
    check_players(game);
    check_things(game);
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i] && (i == 0 || game->players[i - 1].state == SEAT_PLAYING)) {
            check_view(world, i - 1);
        }
    }
}
