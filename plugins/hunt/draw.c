/* draw.c: shows the world on a view: a seat what sight.c noted for it, spectators everything. It changes nothing, and
 * after a turn it touches only what the lists of changes name.
 */
#include <string.h>

#include "hunt.h"

/* What one view is drawn with. */
struct picture {
    wn_world *world;
    wn_view *view;
    const hunt *game;
    int32_t seat;             /* WN_SPECTATORS: nobody's */
    const struct player *who; /* NULL: the spectators' */
};

static inline uint16_t cell_of(const struct picture *picture, cell at)
{
    const hunt *game = picture->game;
    if (game->blast[at] != 0) {
        return WN_CELL(game->blast[at]);
    }
    if (picture->who == NULL) {
        return WN_CELL(game->truth[at]);
    }
    const uint8_t known = known_tile(picture->who, at);
    if (is_seen(picture->who, at)) {
        return WN_CELL(known >= TILE_YOU ? game->terrain[at] : known); /* a player there is a sprite */
    }
    if (known == TILE_UNKNOWN || is_border(game, at)) {
        return WN_CELL(known);
    }
    return WN_REMEMBERED(known);
}

static void draw_cell(const struct picture *picture, cell at)
{
    const hunt *game = picture->game;
    wn_put(picture->world, picture->view, cell_x(game, at), cell_y(game, at), cell_of(picture, at));
}

static void draw_changes(const struct picture *picture, const struct changes *changes)
{
    for (uint32_t i = 0; i < changes->count; i++) {
        draw_cell(picture, changes->cells[i]);
    }
}

static void draw_map(const struct picture *picture)
{
    const hunt *game = picture->game;
    uint16_t row[HUNT_MAX_SIDE];
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            row[x] = cell_of(picture, cell_at(game, x, y));
        }
        wn_put_row(picture->world, picture->view, 0, y, row, (uint32_t)game->width);
    }
}

static void draw_players(const struct picture *picture)
{
    const hunt *game = picture->game;
    wn_sprites_begin(picture->world, picture->view);
    for (uint64_t left = picture->who != NULL ? picture->who->sighted & game->playing : game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        const struct player *who = &game->players[seat];
        wn_sprite(picture->world, picture->view, seat + 1, cell_x(game, who->at), cell_y(game, who->at),
                  players_tile(game, seat, picture->seat), who->flying > 0 ? WN_HERE : who->facing * 2u,
                  players_name(game, seat));
    }
}

/* beside the map */

static const char *state_of(const struct player *who)
{
    if (who->flying > 0) {
        return "&";
    }
    return who->scan > 0 ? "*" : who->cloak > 0 ? "+" : "";
}

/* Hundredths as "-1.25", at the end of the room there is; returns where it begins. printf() would be the greater part
 * of what a changed row costs. */
static const char *score_text(int64_t score, const char *room, char *end)
{
    uint64_t left = (uint64_t)(score < 0 ? -score : score);
    *--end = '\0';
    for (int digits = 0; digits < 3 || left > 0; digits++, left /= 10) {
        if (digits == 2) {
            *--end = '.';
        }
        *--end = (char)('0' + left % 10);
    }
    if (score < 0 && end > room) {
        *--end = '-';
    }
    return end;
}

static void draw_board_row(const struct picture *picture, uint32_t seat)
{
    const hunt *game = picture->game;
    const struct player *who = &game->players[seat];
    if (who->state == SEAT_FREE) {
        wn_board_row(picture->world, picture->view, seat, NULL);
        return;
    }
    const struct ident *ident = &game->idents[who->ident];
    char text[32];
    const char team[2] = {ident->team == ' ' ? '\0' : (char)ident->team, '\0'};
    const char *const columns[COLUMN_COUNT] = {[COLUMN_SCORE] =
                                                   score_text(idents_score(ident), text, text + sizeof text),
                                               [COLUMN_STATE] = state_of(who),
                                               [COLUMN_NAME] = ident->name,
                                               [COLUMN_TEAM] = team};
    wn_board_row(picture->world, picture->view, seat, columns);
}

static void draw_board(const struct picture *picture, uint64_t seats)
{
    while (seats != 0) {
        draw_board_row(picture, next_seat(&seats));
    }
}

static void draw_status(const struct picture *picture)
{
    const hunt *game = picture->game;
    const struct player *who = picture->who;
    const int32_t gain = game->set[SETTING_KILLGAIN];
    const int64_t gained = (int64_t)who->capacity - game->set[SETTING_MAXDAM];
    wn_status_number(picture->world, picture->view, STATUS_AMMO, who->ammo);
    wn_status_text(picture->world, picture->view, STATUS_GUN,
                   who->heat <= (uint32_t)game->set[SETTING_MAXNCSHOT] ? "ok" : "");
    wn_status_gauge(picture->world, picture->view, STATUS_DAMAGE, who->damage, who->capacity);
    wn_status_number(picture->world, picture->view, STATUS_KILLS, gain > 0 ? gained / gain : 0);
}

/* A line of the box in the middle of the map: `ends` at both ends, `text` or `fill` between. */
static void draw_box_line(const struct picture *picture, int32_t y, int32_t length, char ends, char fill,
                          const char *text)
{
    const int32_t x = (picture->game->width - length) / 2;
    for (int32_t i = 0; i < length; i++) {
        char sign = i == 0 || i == length - 1 ? ends : fill;
        if (text != NULL && i >= 2 && i < length - 2) {
            sign = text[i - 2];
        }
        const int32_t printable = sign >= ' ' && sign <= '~' ? sign : '?';
        wn_put(picture->world, picture->view, x + i, y, WN_CELL(TILE_TEXT + printable - ' '));
    }
}

/* | Shot to death by ann |, boxed; in a narrow maze as much of it as there is room for. */
static void draw_death(const struct picture *picture)
{
    const char *text = picture->who->death;
    const int32_t whole = (int32_t)strlen(text) + 4, y = picture->game->height / 2;
    const int32_t length = whole < picture->game->width ? whole : picture->game->width;
    draw_box_line(picture, y - 1, length, '+', '-', NULL);
    draw_box_line(picture, y, length, '|', ' ', text);
    draw_box_line(picture, y + 1, length, '+', '-', NULL);
}

/* What the original's players read in its manual: to who was never here, until the first command. The game goes on
 * meanwhile; who comes back is not told again. */
static void draw_card(const struct picture *picture)
{
    static const char text[] = "Hunt\n\n"
                               "Kill the others before they kill you.\n\n"
                               "You shoot where you face, and walking\n"
                               "does not turn you: turning is a command\n"
                               "of its own. Shots cost charges (Ammo),\n"
                               "and a few in a row are too hot for the\n"
                               "gun; walking cools it.\n\n"
                               "Help (F1) shows the keys. The game goes\n"
                               "on: your first command hides this.";
    const struct player *who = picture->who;
    const struct ident *ident = &picture->game->idents[who->ident];
    const bool is_new = ident->entries == 1 && ident->stats[STAT_DEATHS] == 0;
    wn_banner(picture->world, picture->view, is_new && who->fresh && who->state == SEAT_PLAYING ? text : NULL);
}

void hunt_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const hunt *game = hunt_of(world);
    const struct picture picture = {
        .world = world, .view = view, .game = game, .seat = seat, .who = seat >= 0 ? &game->players[seat] : NULL};
    const struct changes *own = picture.who != NULL ? &picture.who->changes : &game->touched;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, (uint32_t)game->width, (uint32_t)game->height);
    }
    if (picture.who == NULL && !game->set[SETTING_MONITORS]) {
        wn_banner(world, view, "This world cannot be watched\nOnly those who play in it see it.");
        return;
    }
    if (what == WN_DRAW_ALL || own->overflow || game->flashed.overflow) {
        draw_map(&picture);
        draw_board(&picture, UINT64_MAX);
    } else {
        draw_changes(&picture, own);
        draw_changes(&picture, &game->flashed);
        draw_board(&picture, game->board_changed);
    }
    if (picture.who != NULL && picture.who->state == SEAT_DEAD && picture.who->death[0] != '\0') {
        wn_sprites_begin(world, view); /* nobody stands before the box */
        draw_death(&picture);
    } else {
        draw_players(&picture);
    }
    if (picture.who != NULL) {
        draw_status(&picture);
        draw_card(&picture);
    }
}
