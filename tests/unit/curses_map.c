/* The map and the panel on an ncurses screen that nobody sees, from replicas made of updates: what stands where, and
 * that a redraw touches only what looks different. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "key.h"
#include "map.h"
#include "panel.h"

enum { FLOOR, WALL, PLAYER, TILES, WIDTH = 30, HEIGHT = 20, ROWS = 24, COLUMNS = 80 };

static const wn_rect window = {.y = 2, .x = 4, .height = 10, .width = 12};
static const wn_paint plain = {.depth = WN_DEPTH_NONE, .unicode = false};

static const Warren__Mode *mode(void)
{
    static Warren__Tile tiles[TILES];
    static Warren__Tile *tile_list[TILES];
    static Warren__StatusField fields[2];
    static Warren__StatusField *field_list[2];
    static Warren__BoardColumn columns[2];
    static Warren__BoardColumn *column_list[2];
    static Warren__Mode mode;
    static const char *const glyphs[TILES][2] = {{".", "."}, {"\xe2\x96\x88", "#"}, {"@", "@"}};
    warren__mode__init(&mode);
    for (size_t i = 0; i < TILES; i++) {
        warren__tile__init(&tiles[i]);
        tiles[i].name = (char *)"tile";
        tiles[i].glyph = (char *)glyphs[i][0];
        tiles[i].ascii = (char *)glyphs[i][1];
        tile_list[i] = &tiles[i];
    }
    for (size_t i = 0; i < 2; i++) {
        warren__status_field__init(&fields[i]);
        fields[i].name = (char *)(i == 0 ? "hp" : "where");
        fields[i].title = (char *)(i == 0 ? "Health" : "Where");
        fields[i].kind = i == 0 ? WARREN__STATUS_KIND__STATUS_GAUGE : WARREN__STATUS_KIND__STATUS_TEXT;
        field_list[i] = &fields[i];
        warren__board_column__init(&columns[i]);
        columns[i].title = (char *)(i == 0 ? "Player" : "Kills");
        columns[i].right = i == 1;
        column_list[i] = &columns[i];
    }
    mode.name = (char *)"testing";
    mode.n_tiles = TILES;
    mode.tiles = tile_list;
    mode.n_status = 2;
    mode.status = field_list;
    mode.n_board = 2;
    mode.board = column_list;
    return &mode;
}

/* Floor, a wall in the first cell of every row but remembered in row 1, and one sprite "ann" at `at`. */
static wn_replica *replica_with(uint32_t at)
{
    Warren__Update update = WARREN__UPDATE__INIT;
    Warren__Keyframe keyframe = WARREN__KEYFRAME__INIT;
    Warren__Sprite sprite = WARREN__SPRITE__INIT;
    Warren__Sprite *sprites[] = {&sprite};
    Warren__FieldValue health = WARREN__FIELD_VALUE__INIT, where = WARREN__FIELD_VALUE__INIT;
    Warren__FieldValue *fields[] = {&health, &where};
    Warren__BoardRow row = WARREN__BOARD_ROW__INIT;
    Warren__BoardRow *rows[] = {&row};
    char *columns[] = {(char *)"ann", (char *)"12"};
    uint32_t cells[HEIGHT * 4], count = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        cells[count++] = 1 * 4 + 1;
        cells[count++] = WALL * 2 + (y == 1);
        cells[count++] = (WIDTH - 1) * 4 + 1;
        cells[count++] = FLOOR * 2;
    }
    sprite.id = 7;
    sprite.has_at = sprite.has_tile = true;
    sprite.at = at;
    sprite.tile = PLAYER;
    sprite.label = (char *)"ann";
    health.has_number = health.has_maximum = true;
    health.number = 30;
    health.maximum = 40;
    where.field = 1;
    where.text = (char *)"here";
    row.n_columns = 2;
    row.columns = columns;
    keyframe.width = WIDTH;
    keyframe.height = HEIGHT;
    keyframe.n_cells = count;
    keyframe.cells = cells;
    keyframe.n_sprites = 1;
    keyframe.sprites = sprites;
    keyframe.n_fields = 2;
    keyframe.fields = fields;
    keyframe.n_board = 1;
    keyframe.board = rows;
    keyframe.has_focus = true;
    keyframe.focus = at;
    update.sequence = 1;
    update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update.keyframe = &keyframe;
    wn_replica *replica = wn_replica_new(mode());
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
    return replica;
}

/* With regions: `first` from row 2, column 4 on, 5 rows and 9 columns, and a third one without a title. */
static wn_replica *replica_with_regions(uint32_t at)
{
    wn_replica *replica = replica_with(at);
    Warren__Update update = WARREN__UPDATE__INIT;
    Warren__Delta delta = WARREN__DELTA__INIT;
    Warren__Region first = WARREN__REGION__INIT, third = WARREN__REGION__INIT;
    Warren__Region *regions[] = {&first, &third};
    first.has_at = first.has_width = first.has_height = true;
    first.at = 2 * WIDTH + 4;
    first.height = 5;
    first.width = 9;
    first.title = (char *)"first";
    third = first;
    third.region = 2;
    third.title = (char *)"";
    third.height = 15;
    third.width = 20;
    delta.n_regions = 2;
    delta.regions = regions;
    update.sequence = replica->sequence + 1;
    update.body_case = WARREN__UPDATE__BODY_DELTA;
    update.delta = &delta;
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
    return replica;
}

static void move_sprite(wn_replica *replica, uint32_t to, bool focus_too)
{
    Warren__Update update = WARREN__UPDATE__INIT;
    Warren__Delta delta = WARREN__DELTA__INIT;
    Warren__Sprite sprite = WARREN__SPRITE__INIT;
    Warren__Sprite *sprites[] = {&sprite};
    sprite.id = 7;
    sprite.has_at = true;
    sprite.at = to;
    delta.n_sprites = 1;
    delta.sprites = sprites;
    delta.has_focus = focus_too;
    delta.focus = to;
    update.sequence = replica->sequence + 1;
    update.body_case = WARREN__UPDATE__BODY_DELTA;
    update.delta = &delta;
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
}

static uint32_t cell(uint32_t y, uint32_t x)
{
    return y * WIDTH + x;
}

static chtype at_screen(int y, int x)
{
    return mvinch(y, x);
}

static void assert_glyph(int y, int x, char glyph)
{
    ck_assert_int_eq((char)(at_screen(y, x) & A_CHARTEXT), glyph);
}

static void assert_row(int y, int x, const char *text)
{
    char found[COLUMNS + 1];
    mvinnstr(y, x, found, (int)strlen(text));
    ck_assert_str_eq(found, text);
}

static SCREEN *screen;
static FILE *nowhere;

static void open_screen(void)
{
    setenv("LINES", "24", 1);
    setenv("COLUMNS", "80", 1);
    nowhere = fopen("/dev/null", "r+");
    ck_assert_ptr_nonnull(nowhere);
    screen = newterm("xterm-256color", nowhere, nowhere);
    ck_assert_ptr_nonnull(screen);
    ck_assert_int_eq(getmaxy(stdscr), ROWS);
    ck_assert_int_eq(getmaxx(stdscr), COLUMNS);
}

static void close_screen(void)
{
    endwin();
    delscreen(screen);
    fclose(nowhere);
}

START_TEST(the_player_is_in_the_middle_and_the_map_around)
{
    wn_replica *replica = replica_with(cell(10, 15));
    wn_map map = {.cursor = WN_NO_FOCUS};
    wn_map_draw(&map, &plain, replica, window);
    assert_glyph(window.y + 5, window.x + 6, '@');
    assert_glyph(window.y, window.x, '.');
    ck_assert_int_eq(map.down.first, 5);
    ck_assert_int_eq(map.across.first, 9);
    ck_assert_uint_eq(wn_map_cell_at(&map, replica, window.y + 5, window.x + 6), cell(10, 15));
    ck_assert_uint_eq(wn_map_cell_at(&map, replica, window.y - 1, window.x), WN_NO_FOCUS);
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(at_the_edge_the_map_stops_and_remembered_cells_are_dimmed)
{
    wn_replica *replica = replica_with(cell(0, 2));
    wn_map map = {.cursor = WN_NO_FOCUS};
    wn_map_draw(&map, &plain, replica, window);
    assert_glyph(window.y, window.x + 2, '@');
    assert_glyph(window.y + 1, window.x, '#');
    ck_assert((at_screen(window.y + 1, window.x) & A_DIM) != 0);
    ck_assert((at_screen(window.y + 2, window.x) & A_DIM) == 0);
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(a_redraw_without_a_change_touches_nothing_and_a_move_two_cells)
{
    wn_replica *replica = replica_with(cell(1, 2));
    wn_map map = {.cursor = WN_NO_FOCUS};
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), (size_t)(window.height * window.width));
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), 0);
    move_sprite(replica, cell(1, 3), true); /* near the edge the view does not move */
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), 2);
    wn_map_forget(&map);
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), (size_t)(window.height * window.width));
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(a_small_map_stands_in_the_middle_of_a_large_window)
{
    const wn_rect large = {.y = 0, .x = 0, .height = 24, .width = 80};
    wn_replica *replica = replica_with(cell(0, 1));
    wn_map map = {.cursor = WN_NO_FOCUS};
    wn_map_draw(&map, &plain, replica, large);
    assert_row(2, 24, " #@...");
    assert_row(21, 24, " #....");
    assert_row(22, 25, "      ");
    ck_assert_uint_eq(wn_map_cell_at(&map, replica, 2, 26), cell(0, 1));
    ck_assert_uint_eq(wn_map_cell_at(&map, replica, 1, 26), WN_NO_FOCUS);
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(names_stand_beside_others_and_not_beside_oneself)
{
    wn_replica *replica = replica_with(cell(1, 2));
    wn_map map = {.cursor = WN_NO_FOCUS, .names = true};
    wn_map_draw(&map, &plain, replica, window);
    assert_row(window.y + 1, window.x + 2, "@...");
    move_sprite(replica, cell(1, 5), false); /* someone else now: the focus stays behind */
    wn_map_draw(&map, &plain, replica, window);
    assert_row(window.y + 1, window.x + 5, "@ann.");
    move_sprite(replica, cell(1, 10), false); /* no room for all of the name */
    wn_map_draw(&map, &plain, replica, window);
    assert_row(window.y + 1, window.x + 10, "@a");
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(a_flash_shows_for_its_time_and_goes)
{
    wn_replica *replica = replica_with(cell(1, 2));
    wn_map map = {.cursor = WN_NO_FOCUS};
    Warren__Update update = WARREN__UPDATE__INIT;
    Warren__Delta delta = WARREN__DELTA__INIT;
    Warren__Effect effect = WARREN__EFFECT__INIT;
    Warren__Effect *effects[] = {&effect};
    effect.kind = WARREN__EFFECT_KIND__EFFECT_EXPLOSION;
    effect.has_at = effect.has_radius = true;
    effect.at = cell(1, 1);
    effect.radius = 1;
    delta.n_effects = 1;
    delta.effects = effects;
    update.body_case = WARREN__UPDATE__BODY_DELTA;
    update.delta = &delta;
    wn_map_draw(&map, &plain, replica, window);
    wn_map_effects(&map, &update, 1000);
    ck_assert_int_eq(wn_map_tick(&map, 1000), 1000 + WN_EFFECT_MS);
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), 9);
    assert_glyph(window.y, window.x, '*');
    ck_assert_int_eq(wn_map_tick(&map, 1000 + WN_EFFECT_MS), 0);
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), 9);
    assert_glyph(window.y, window.x, '#');
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(effects_that_never_end_up_on_the_map_harm_nobody)
{
    wn_replica *replica = replica_with(cell(1, 2));
    wn_map map = {.cursor = WN_NO_FOCUS};
    for (int kind = 0; kind < 3; kind++) {
        map.effects[kind] = (wn_map_effect){.kind = (Warren__EffectKind)kind,
                                            .at = cell(HEIGHT - 1, WIDTH - 1),
                                            .to = cell(0, 0),
                                            .radius = 5000,
                                            .tile = 5000,
                                            .until = 1};
        map.effect_count++;
    }
    ck_assert_uint_eq(wn_map_draw(&map, &plain, replica, window), (size_t)(window.height * window.width));
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(a_spectator_looks_around_and_not_beyond_the_map)
{
    wn_replica *replica = replica_with(cell(10, 15));
    wn_map map = {.cursor = WN_NO_FOCUS, .pan_y = -1000, .pan_x = 1000};
    wn_map_draw(&map, &plain, replica, window);
    ck_assert_int_eq(map.down.first, 0);
    ck_assert_int_eq(map.across.first, WIDTH - window.width);
    ck_assert_int_eq(map.pan_y, -10);
    ck_assert_int_eq(map.pan_x, WIDTH - 1 - 15);
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(looking_around_goes_on_from_what_is_in_sight)
{
    static const struct {
        uint32_t direction;
        int across, down;
    } moves[] = {{2, 17, 5}, {2, WIDTH - 12, 5}, {2, WIDTH - 12, 5}, {6, WIDTH - 20, 5}, {6, 2, 5}, {6, 0, 5},
                 {6, 0, 5},  {3, 8, 9},          {4, 8, 10},         {0, 8, 6},          {7, 0, 2}, {8, 9, 5}};
    wn_replica *replica = replica_with(cell(10, 15));
    wn_map map = {.cursor = WN_NO_FOCUS};
    wn_map_draw(&map, &plain, replica, window);
    ck_assert_int_eq(map.across.first, 9);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        wn_map_pan_towards(&map, replica, moves[i].direction);
        wn_map_draw(&map, &plain, replica, window);
        ck_assert_int_eq(map.across.first, moves[i].across);
        ck_assert_int_eq(map.down.first, moves[i].down);
    }
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(the_next_region_is_shown_alone_and_after_the_last_one_everything)
{
    wn_replica *replica = replica_with_regions(cell(3, 5));
    wn_map map = {.cursor = WN_NO_FOCUS};
    ck_assert_ptr_null(wn_map_region_title(&map, replica));
    ck_assert_str_eq(wn_map_next_region(&map, replica), "first");
    wn_map_draw(&map, &plain, replica, window);
    ck_assert_int_eq(map.down.first, 2);
    ck_assert_int_eq(map.down.count, 5);
    ck_assert_int_eq(map.across.first, 4);
    ck_assert_int_eq(map.across.count, 9);
    assert_glyph(window.y + map.down.offset + 1, window.x + map.across.offset + 1, '@');
    ck_assert_str_eq(wn_map_next_region(&map, replica), "");
    ck_assert_uint_eq(map.region, 3);
    ck_assert_ptr_null(wn_map_next_region(&map, replica));
    wn_map_draw(&map, &plain, replica, window);
    ck_assert_int_eq(map.across.first, 0);
    ck_assert_int_eq(map.across.count, window.width);
    wn_map_free(&map);
    wn_replica_free(replica);
}
END_TEST

START_TEST(in_a_region_nothing_outside_comes_into_sight)
{
    wn_replica *replica = replica_with_regions(cell(19, 29)); /* the player is elsewhere */
    for (int y = -30; y <= 30; y += 3) {
        for (int x = -40; x <= 40; x += 3) {
            wn_map map = {.cursor = WN_NO_FOCUS, .region = 3, .pan_y = y, .pan_x = x};
            wn_map_draw(&map, &plain, replica, window);
            const bool good = map.down.first >= 2 && map.down.first + map.down.count <= 17 && map.across.first >= 4 &&
                              map.across.first + map.across.count <= 24;
            wn_map_free(&map);
            ck_assert_msg(good, "moved by %d, %d", y, x);
        }
    }
    wn_replica_free(replica);
}
END_TEST

static void set_watchers(wn_replica *replica, const char *first, const char *second)
{
    replica->watcher_count = 2;
    snprintf(replica->watchers[0], sizeof replica->watchers[0], "%s", first);
    snprintf(replica->watchers[1], sizeof replica->watchers[1], "%s", second);
}

START_TEST(the_tight_panel_has_its_columns)
{
    wn_replica *replica = replica_with(cell(1, 2));
    const wn_rect status = {.y = 0, .x = 60, .height = 3, .width = WN_TIGHT_PANEL};
    const wn_rect board = {.y = 4, .x = 60, .height = 4, .width = WN_TIGHT_PANEL};
    const wn_rect watchers = {.y = 8, .x = 60, .height = 3, .width = WN_TIGHT_PANEL};
    set_watchers(replica, "eve", "somebody with a long name");
    wn_panel_tight_status(&plain, replica, status);
    wn_panel_tight_board(&plain, replica, board);
    wn_panel_tight_watchers(&plain, replica, watchers);
    assert_row(0, 60, "Health:       30/40 ");
    assert_row(1, 60, "Where:       here   ");
    assert_row(2, 60, "                    ");
    assert_row(4, 60, "Players:            ");
    assert_row(5, 60, " ann             12 ");
    assert_row(6, 60, "                    ");
    assert_row(8, 60, "Watching:           ");
    assert_row(9, 60, "       eve          ");
    assert_row(10, 60, "       somebody with");
    wn_replica_free(replica);
}
END_TEST

/* A mode of a name and four numbers. */
static void draw_wide_board(const char *name, wn_rect rect, bool tight)
{
    static const char *const titles[] = {"Player", "Turns", "Best", "Done", "Won"};
    Warren__BoardColumn columns[5];
    Warren__BoardColumn *list[5];
    Warren__Mode wide = *mode();
    wn_row_state row = {.column_count = 5};
    for (size_t i = 0; i < 5; i++) {
        warren__board_column__init(&columns[i]);
        columns[i].title = (char *)titles[i];
        columns[i].right = i > 0;
        list[i] = &columns[i];
        snprintf(row.columns[i], sizeof row.columns[i], "%s", i == 0 ? name : i == 1 ? "123" : "4");
    }
    wide.n_board = 5;
    wide.board = list;
    const wn_replica replica = {.mode = &wide, .ready = true, .rows = &row, .row_count = 1};
    if (tight) {
        wn_panel_tight_board(&plain, &replica, rect);
    } else {
        wn_panel_board(&plain, &replica, stdscr, rect);
    }
}

START_TEST(numbers_give_way_before_a_name_is_cut_short)
{
    static const struct {
        int width;
        const char *name, *heading, *row;
    } cases[] = {
        {30, "root", "Player Turns Best Done Won", "root     123    4    4   4"},
        {22, "root", "Player Tur Bes Don Won", "root   123   4   4   4"},
        {22, "a-very-long-name", "Player   Tur Best Done", "a-very-l 123    4    4"},
        {16, "a-very-long-name", "Player   Tur Bes", "a-very-l 123   4"},
        {9, "a-very-long-name", "Player  ", "a-very-lo"},
        {5, "a-very-long-name", "Playe", "a-ver"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw_wide_board(cases[i].name, (wn_rect){.y = 15, .x = 0, .height = 3, .width = cases[i].width}, false);
        assert_row(15, 0, cases[i].heading);
        assert_row(16, 0, cases[i].row);
    }
    draw_wide_board("a-very-long-name", (wn_rect){.y = 15, .x = 0, .height = 3, .width = WN_TIGHT_PANEL}, true);
    assert_row(16, 0, " a-very-long-   123 ");
}
END_TEST

START_TEST(where_one_looks_is_told_unless_the_figure_shows_it)
{
    wn_replica *replica = replica_with(cell(1, 2));
    ck_assert_ptr_null(wn_panel_facing(replica));
    replica->facing = 3;
    ck_assert_str_eq(wn_panel_facing(replica), "SE");
    ck_assert_int_eq(wn_panel_needs(replica, 60).status_rows, 4);
    const wn_rect tight = {.y = 0, .x = 60, .height = 3, .width = WN_TIGHT_PANEL};
    wn_panel_tight_status(&plain, replica, tight);
    assert_row(2, 60, "Facing:        SE   ");
    const wn_rect beside = {.y = 10, .x = 50, .height = 5, .width = 20};
    wn_panel_status(&plain, replica, beside, true);
    assert_row(13, 50, "Facing            SE");
    wn_field_state *fields = (wn_field_state *)replica->fields;
    snprintf(fields[1].text, sizeof fields[1].text, "south-east *"); /* a compass of the mode's own */
    ck_assert_ptr_null(wn_panel_facing(replica));
    snprintf(fields[1].text, sizeof fields[1].text, "south");
    ck_assert_str_eq(wn_panel_facing(replica), "SE");
    replica->mode->tiles[PLAYER]->ascii = (char *)"v";
    ck_assert_ptr_null(wn_panel_facing(replica));
    wn_replica_free(replica);
}
END_TEST

START_TEST(the_panel_shows_fields_gauges_and_scores)
{
    wn_replica *replica = replica_with(cell(1, 2));
    const wn_rect beside = {.y = 0, .x = 50, .height = 5, .width = 20};
    const wn_rect below = {.y = 10, .x = 0, .height = 1, .width = 60};
    const wn_rect board = {.y = 12, .x = 0, .height = 4, .width = 20};
    wn_panel_status(&plain, replica, beside, true);
    assert_row(0, 50, "Health         30/40");
    assert_row(1, 50, "===============-----");
    assert_row(2, 50, "Where           here");
    wn_panel_status(&plain, replica, below, false);
    assert_row(10, 0, "Health 30/40   Where here  ");
    wn_panel_board(&plain, replica, stdscr, board);
    assert_row(12, 0, "Player Kills");
    assert_row(13, 0, "ann       12");
    const wn_needs needs = wn_panel_needs(replica, 60);
    ck_assert_int_eq(needs.status_rows, 3);
    ck_assert_int_eq(needs.flowing_rows, 1);
    ck_assert_int_eq(needs.board_rows, 2);
    wn_replica_free(replica);
}
END_TEST

START_TEST(boxes_scroll_by_the_same_keys_everywhere)
{
    const int page = wn_box_rows() - 1;
    const struct {
        uint32_t key;
        int by;
    } cases[] = {{WN_KEY_UP, -1},
                 {WN_KEY_WHEEL_UP, -1},
                 {'k', -1},
                 {WN_KEY_DOWN, 1},
                 {WN_KEY_WHEEL_DOWN, 1},
                 {'j', 1},
                 {' ', page},
                 {WN_KEY_PAGE_DOWN, page},
                 {WN_KEY_PAGE_UP, -page},
                 {WN_KEY_ESCAPE, 0},
                 {'q', 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(wn_box_scroll(cases[i].key), cases[i].by);
    }
    wn_lines lines = {0};
    wn_box box = {0};
    wn_box_view view = {.selected = -1};
    for (int i = 0; i < 100; i++) {
        wn_lines_add(&lines, WN_STYLE_PLAIN, "%d", i);
    }
    view.top += wn_box_scroll(WN_KEY_END);
    wn_box_draw(&box, &plain, &lines, &view);
    ck_assert_int_eq(view.top, 100 - wn_box_rows());
    view.top += wn_box_scroll(WN_KEY_HOME);
    wn_box_draw(&box, &plain, &lines, &view);
    ck_assert_int_eq(view.top, 0);
    wn_box_close(&box);
    wn_lines_free(&lines);
}
END_TEST

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    Suite *suite = suite_create("curses map");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, open_screen, close_screen);
    tcase_add_test(tests, the_player_is_in_the_middle_and_the_map_around);
    tcase_add_test(tests, at_the_edge_the_map_stops_and_remembered_cells_are_dimmed);
    tcase_add_test(tests, a_redraw_without_a_change_touches_nothing_and_a_move_two_cells);
    tcase_add_test(tests, a_small_map_stands_in_the_middle_of_a_large_window);
    tcase_add_test(tests, names_stand_beside_others_and_not_beside_oneself);
    tcase_add_test(tests, a_flash_shows_for_its_time_and_goes);
    tcase_add_test(tests, effects_that_never_end_up_on_the_map_harm_nobody);
    tcase_add_test(tests, a_spectator_looks_around_and_not_beyond_the_map);
    tcase_add_test(tests, looking_around_goes_on_from_what_is_in_sight);
    tcase_add_test(tests, the_panel_shows_fields_gauges_and_scores);
    tcase_add_test(tests, the_tight_panel_has_its_columns);
    tcase_add_test(tests, numbers_give_way_before_a_name_is_cut_short);
    tcase_add_test(tests, where_one_looks_is_told_unless_the_figure_shows_it);
    tcase_add_test(tests, the_next_region_is_shown_alone_and_after_the_last_one_everything);
    tcase_add_test(tests, in_a_region_nothing_outside_comes_into_sight);
    tcase_add_test(tests, boxes_scroll_by_the_same_keys_everywhere);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
