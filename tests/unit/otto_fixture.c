/* otto_fixture.c: a mode and its views, made by hand. */
#include "otto_fixture.h"
#include "suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    char glyph;
    const char *name;
} tiles[] = {
    {'%', "unknown"},
    {' ', "floor"},
    {'-', "wall -"},
    {'|', "wall |"},
    {'+', "wall +"},
    {'/', "reflecting wall /"},
    {'\\', "reflecting wall \\"},
    {'#', "door"},
    {';', "small mine"},
    {'g', "large mine"},
    {'b', "boot"},
    {'B', "boots"},
    {':', "bullet"},
    {'o', "grenade"},
    {'O', "satchel"},
    {'@', "bomb"},
    {'$', "slime"},
    {'*', "explosion *"},
    {'^', "you, north"},
    {'>', "you, east"},
    {'v', "you, south"},
    {'<', "you, west"},
    {'i', "player, north"},
    {'}', "player, east"},
    {'!', "player, south"},
    {'{', "player, west"},
    {'7', "team 7"},
};
static const char *const actions[] = {"move", "face",    "bullet", "grenade", "satchel",
                                      "bomb", "slime10", "scan",   "cloak"};
static const char *const entries[] = {"swimming", "flying", "scanning", "cloaked"};
static const char *const fields[] = {"ammo", "gun", "damage"};
enum {
    TILES = sizeof tiles / sizeof *tiles,
    ACTIONS = sizeof actions / sizeof *actions,
    ENTRIES = sizeof entries / sizeof *entries,
    FIELDS = sizeof fields / sizeof *fields,
    FIRST_SPRITE = 18,
    MOST_CELLS = 4096
};

const Warren__Mode *otto_mode_without(const char *name)
{
    static Warren__Tile tile[TILES];
    static Warren__Tile *tile_list[TILES];
    static Warren__Action action[ACTIONS];
    static Warren__Action *action_list[ACTIONS];
    static Warren__StatusField field[FIELDS];
    static Warren__StatusField *field_list[FIELDS];
    static Warren__Entry entry[ENTRIES];
    static Warren__Entry *entry_list[ENTRIES];
    static Warren__Mode mode;
    mode = (Warren__Mode)WARREN__MODE__INIT;
    mode.name = "drawn", mode.tiles = tile_list, mode.actions = action_list, mode.status = field_list;
    mode.n_tiles = TILES, mode.n_actions = ACTIONS, mode.n_status = FIELDS;
    mode.entries = entry_list, mode.n_entries = ENTRIES;
    for (size_t i = 0; i < ENTRIES; i++) {
        entry[i] = (Warren__Entry)WARREN__ENTRY__INIT;
        entry[i].name = (char *)(uintptr_t)entries[i];
        entry_list[i] = &entry[i];
    }
    for (size_t i = 0; i < TILES; i++) {
        tile[i] = (Warren__Tile)WARREN__TILE__INIT;
        tile[i].name = (char *)(uintptr_t)(strcmp(tiles[i].name, name) == 0 ? "gone" : tiles[i].name);
        tile_list[i] = &tile[i];
    }
    for (size_t i = 0; i < ACTIONS; i++) {
        action[i] = (Warren__Action)WARREN__ACTION__INIT;
        action[i].id = (uint32_t)i;
        action[i].name = (char *)(uintptr_t)(strcmp(actions[i], name) == 0 ? "gone" : actions[i]);
        action[i].argument =
            i < WN_MOVE_BULLET ? WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION : WARREN__ARGUMENT_KIND__ARGUMENT_NONE;
        action_list[i] = &action[i];
    }
    static const Warren__StatusKind kinds[FIELDS] = {
        WARREN__STATUS_KIND__STATUS_NUMBER, WARREN__STATUS_KIND__STATUS_TEXT, WARREN__STATUS_KIND__STATUS_LOAD};
    for (size_t i = 0; i < FIELDS; i++) {
        field[i] = (Warren__StatusField)WARREN__STATUS_FIELD__INIT;
        field[i].name = (char *)(uintptr_t)(strcmp(fields[i], name) == 0 ? "gone" : fields[i]);
        field[i].kind = kinds[i];
        field_list[i] = &field[i];
    }
    return &mode;
}

const Warren__Mode *otto_mode(void)
{
    return otto_mode_without("");
}

void otto_born(wn_otto *otto, uint64_t chance)
{
    wn_error error = {0};
    *otto = (wn_otto){.chance = chance};
    ck_assert_msg(wn_otto_enter(otto, otto_mode(), &error), "%s", error.text);
}

static uint32_t tile_of(char glyph)
{
    for (uint32_t i = 0; i < TILES; i++) {
        if (tiles[i].glyph == glyph) {
            return i;
        }
    }
    ck_abort_msg("no tile looks like '%c'", glyph);
    return 0;
}

void otto_shown(wn_otto *otto, const char *picture, otto_state state)
{
    static uint16_t cells[MOST_CELLS];
    wn_sprite_state sprites[16] = {0};
    wn_field_state values[FIELDS] = {
        {.set = true, .number = state.ammo}, {.set = true}, {.set = true, .number = state.damage, .maximum = 10}};
    snprintf(values[1].text, sizeof values[1].text, "%s", state.hot ? "" : "ok");
    wn_replica view = {.mode = otto_mode(), .ready = true, .cells = cells, .sprites = sprites, .fields = values};
    view.turn = otto->scene.turn + 1;
    view.focus = WN_NO_FOCUS;
    uint32_t at = 0;
    for (const char *glyph = picture; *glyph != '\0'; glyph++) {
        if (*glyph == '\n') {
            view.width = view.width == 0 ? at : view.width;
            ck_assert_msg(at % view.width == 0, "the rows of the picture differ in length:\n%s", picture);
            continue;
        }
        ck_assert_uint_lt(at, MOST_CELLS);
        const uint32_t tile = tile_of(*glyph);
        if (tile >= FIRST_SPRITE) {
            ck_assert_uint_lt(view.sprite_count, 16);
            sprites[view.sprite_count] = (wn_sprite_state){.id = view.sprite_count + 1,
                                                           .at = at,
                                                           .tile = tile,
                                                           .facing = *glyph == '7' ? 0 : (tile - FIRST_SPRITE) % 4 * 2};
            view.sprite_count++;
        }
        cells[at++] = (uint16_t)(2 * (tile >= FIRST_SPRITE ? tile_of(' ') : tile));
    }
    view.height = at / view.width;
    ck_assert(wn_otto_see(otto, &view));
}

const char *otto_says(const wn_option *option)
{
    static const char *const words[WN_MOVES] = {"walk", "face",  "bullet", "grenade", "satchel",
                                                "bomb", "slime", "scan",   "cloak"};
    static const char *const ways[] = {"north", "east", "south", "west"};
    static char text[32];
    const bool aimed = option->move <= WN_MOVE_FACE;
    snprintf(text, sizeof text, "%s%s%s", words[option->move], aimed ? " " : "", aimed ? ways[option->way] : "");
    return text;
}

uint32_t otto_cell(const wn_otto *otto, uint32_t x, uint32_t y)
{
    return y * otto->scene.width + x;
}

uint64_t otto_seed(void)
{
    return suite_seed((uint64_t)time(NULL));
}
