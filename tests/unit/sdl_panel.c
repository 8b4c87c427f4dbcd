/* The panel beside the map, drawn by a renderer that no window belongs to: nothing of the scoreboard is left out of the
 * room that it asks for, and what has its place in the status keeps it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "panel.h"
#include "sheet.h"
#include "suite.h"

enum { WIDTH = 420, HEIGHT = 900, ROWS_MOST = 20, LEFT = 10, TOP = 10 };

static SDL_Surface *surface;
static wn_ink ink;
static Warren__BoardColumn player = WARREN__BOARD_COLUMN__INIT, kills = WARREN__BOARD_COLUMN__INIT;
static Warren__BoardColumn *columns[] = {&player, &kills};
static Warren__StatusField ammo = WARREN__STATUS_FIELD__INIT, gun = WARREN__STATUS_FIELD__INIT,
                           damage = WARREN__STATUS_FIELD__INIT;
static Warren__StatusField *status[] = {&ammo, &gun, &damage};
static Warren__Mode mode = WARREN__MODE__INIT;
static wn_row_state rows[ROWS_MOST];
static wn_field_state fields[3];
static wn_replica replica;

static void setup(void)
{
    wn_error error = {0};
    surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    ck_assert_ptr_nonnull(surface);
    ink = (wn_ink){.renderer = SDL_CreateSoftwareRenderer(surface), .scale = 1};
    ck_assert_ptr_nonnull(ink.renderer);
    ink.fonts = wn_fonts_new(ink.renderer, NULL, &error);
    ck_assert_msg(ink.fonts != NULL, "%s", error.text);
    player.title = "Player";
    kills.title = "Kills";
    kills.has_right = kills.right = true;
    mode.board = columns;
    mode.n_board = 2;
    ammo.title = ammo.name = "Ammo";
    gun.title = gun.name = "Gun";
    damage.title = damage.name = "Damage";
    ammo.kind = WARREN__STATUS_KIND__STATUS_NUMBER;
    gun.kind = WARREN__STATUS_KIND__STATUS_TEXT;
    damage.kind = WARREN__STATUS_KIND__STATUS_NUMBER;
    mode.status = status;
    mode.n_status = 3;
    memset(rows, 0, sizeof rows);
    memset(fields, 0, sizeof fields);
    replica = (wn_replica){.mode = &mode, .ready = true, .rows = rows, .fields = fields};
}

static void teardown(void)
{
    wn_fonts_free(ink.fonts);
    SDL_DestroyRenderer(ink.renderer);
    SDL_FreeSurface(surface);
    SDL_Quit();
}

static void add_row(const char *name)
{
    wn_row_state *row = &rows[replica.row_count++];
    row->column_count = 2;
    snprintf(row->columns[0], sizeof row->columns[0], "%s", name);
    snprintf(row->columns[1], sizeof row->columns[1], "7");
}

static void clear(void)
{
    SDL_SetRenderDrawColor(ink.renderer, 0, 0, 0, 255);
    SDL_RenderClear(ink.renderer);
}

static bool row_is_dark(int y)
{
    const uint32_t *pixels = (const uint32_t *)surface->pixels + (size_t)y * WIDTH;
    for (int x = 0; x < WIDTH; x++) {
        if ((pixels[x] & 0xffffff) != 0) {
            return false;
        }
    }
    return true;
}

/* Lines of text: bands of rows that are not dark. */
static int lines_drawn(void)
{
    int count = 0;
    SDL_RenderFlush(ink.renderer);
    for (int y = 1; y < HEIGHT; y++) {
        count += row_is_dark(y - 1) && !row_is_dark(y);
    }
    return count;
}

static int board_lines(int height)
{
    clear();
    wn_panel_board(&ink, &replica, (SDL_Rect){LEFT, TOP, WIDTH - 2 * LEFT, height});
    return lines_drawn();
}

START_TEST(every_row_of_the_scoreboard_is_in_the_height_that_it_asks_for)
{
    for (int count = 1; count <= ROWS_MOST; count++) {
        add_row("anna");
        ck_assert_int_eq(board_lines(wn_panel_board_height(&ink, &replica)), 1 + count);
    }
}
END_TEST

START_TEST(a_row_that_is_gone_takes_no_room)
{
    for (int i = 0; i < 4; i++) {
        add_row("anna");
    }
    rows[1].column_count = 0;
    ck_assert_int_eq(board_lines(wn_panel_board_height(&ink, &replica)), 4);
    const int height = wn_panel_board_height(&ink, &replica);
    replica.row_count = 3;
    ck_assert_int_lt(wn_panel_board_height(&ink, &replica), height);
}
END_TEST

START_TEST(a_sheet_scrolls_over_a_scoreboard_that_is_higher_than_it)
{
    wn_sheet sheet = {0};
    for (int i = 0; i < ROWS_MOST; i++) {
        add_row("anna");
    }
    const int height = wn_panel_board_height(&ink, &replica);
    const SDL_Rect over = {0, 0, WIDTH, 300};
    wn_sheet_open(&sheet, "Scores", "", 400);
    wn_sheet_add_space(&sheet, height);
    wn_sheet_draw(&sheet, &ink, over, NULL, NULL);
    ck_assert_int_lt(sheet.inner.h, height);
    ck_assert_int_eq(wn_sheet_first(&sheet).y, sheet.inner.y);
    ck_assert_int_eq(wn_sheet_first(&sheet).h, height);
    wn_sheet_key(&sheet, WN_KEY_END);
    wn_sheet_draw(&sheet, &ink, over, NULL, NULL);
    ck_assert_int_eq(wn_sheet_first(&sheet).y + height, sheet.inner.y + sheet.inner.h);
    wn_sheet_free(&sheet);
}
END_TEST

static int status_height(void)
{
    clear();
    return wn_panel_status(&ink, &replica, (SDL_Rect){LEFT, TOP, WIDTH - 2 * LEFT, HEIGHT - 2 * TOP});
}

START_TEST(a_status_text_keeps_its_row_while_it_is_empty)
{
    fields[0].set = fields[1].set = fields[2].set = true;
    strcpy(fields[1].text, "ok");
    const int height = status_height();
    ck_assert_int_eq(lines_drawn(), 3);
    fields[1].text[0] = '\0';
    ck_assert_int_eq(status_height(), height);
    ck_assert_int_eq(lines_drawn(), 3);
    fields[1].set = false; /* the mode has never said anything of it */
    ck_assert_int_lt(status_height(), height);
}
END_TEST

/* Where something is drawn in the band of the scoreboard's first row, as columns: runs apart by more than letters are.
 */
static int words_in_first_row(void)
{
    enum { APART = 9 };
    const int line = wn_ink_line(&ink, WN_STYLE_BODY);
    int count = 0, empty = APART;
    SDL_RenderFlush(ink.renderer);
    for (int x = 0; x < WIDTH; x++) {
        bool dark = true;
        for (int y = TOP + line; y < TOP + 2 * line; y++) {
            dark = dark && (((const uint32_t *)surface->pixels)[y * WIDTH + x] & 0xffffff) == 0;
        }
        count += !dark && empty >= APART;
        empty = dark ? empty + 1 : 0;
    }
    return count;
}

START_TEST(numbers_are_left_out_before_a_name_is_cut_to_nothing)
{
    static Warren__BoardColumn won = WARREN__BOARD_COLUMN__INIT;
    Warren__BoardColumn *three[] = {&player, &kills, &won};
    won.title = "Won";
    won.has_right = won.right = true;
    mode.board = three;
    mode.n_board = 3;
    add_row("annabella");
    rows[0].column_count = 3;
    snprintf(rows[0].columns[2], sizeof rows[0].columns[2], "3");
    static const struct {
        int width, words;
    } cases[] = {{300, 3}, {130, 3}, {100, 2}, {60, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear();
        wn_panel_board(&ink, &replica, (SDL_Rect){LEFT, TOP, cases[i].width, 100});
        ck_assert_msg(words_in_first_row() == cases[i].words, "in %d pixels: %d", cases[i].width, words_in_first_row());
    }
}
END_TEST

START_TEST(the_panel_leaves_the_map_most_of_a_small_window)
{
    ck_assert_int_eq(wn_panel_width(&ink, 639), 0);
    ck_assert_int_le(wn_panel_width(&ink, 640), 640 * 35 / 100);
    ck_assert_int_eq(wn_panel_width(&ink, 1024), 250);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_row_of_the_scoreboard_is_in_the_height_that_it_asks_for,
                                  a_row_that_is_gone_takes_no_room,
                                  a_sheet_scrolls_over_a_scoreboard_that_is_higher_than_it,
                                  numbers_are_left_out_before_a_name_is_cut_to_nothing,
                                  the_panel_leaves_the_map_most_of_a_small_window,
                                  a_status_text_keeps_its_row_while_it_is_empty};
    return suite_run_with("sdl panel", tests, sizeof tests / sizeof *tests, setup, teardown);
}
