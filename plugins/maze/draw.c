/* draw.c: shows the world on a view: a seat what look.c noted for it; everything to spectators and to who has arrived.
 * It changes nothing, and after a turn it touches only the squares in which something may look different.
 */
#include "game.h"

/* What one view is drawn with. */
struct picture {
    wn_world *world;
    wn_view *view;
    const game *state;
    int32_t seat;             /* WN_SPECTATORS: nobody's */
    const struct runner *who; /* NULL: the spectators' */
    bool sees_all;
};

static uint32_t tile_at(const struct picture *picture, struct maze_square at, bool boulder)
{
    const uint8_t height = height_at(picture->state, at);
    if (height > 0) {
        return TILE_WALL + height - 1u;
    }
    if (boulder) {
        return TILE_BOULDER;
    }
    if (is_same(at, picture->state->finale)) {
        return TILE_FINALE;
    }
    return is_same(at, picture->state->north) ? TILE_NORTH : TILE_FLOOR;
}

static uint16_t cell_at(const struct picture *picture, struct maze_square at)
{
    const game *state = picture->state;
    if (picture->sees_all) {
        return WN_CELL(tile_at(picture, at, bit_of(state, state->boulders, at)));
    }
    if (!bit_of(state, picture->who->known, at)) {
        return WN_CELL(TILE_UNKNOWN);
    }
    const uint32_t tile = tile_at(picture, at, bit_of(state, picture->who->boulders, at));
    return wn_sight_sees(&picture->who->sight, at.x, at.y) ? WN_CELL(tile) : WN_REMEMBERED(tile);
}

static void draw_squares(const struct picture *picture, const struct box *box)
{
    uint16_t row[WN_MAX_SIDE];
    struct maze_square at;
    for (at.y = box->top; at.y <= box->bottom; at.y++) {
        for (at.x = box->left; at.x <= box->right; at.x++) {
            row[at.x - box->left] = cell_at(picture, at);
        }
        wn_put_row(picture->world, picture->view, box->left, at.y, row, (uint32_t)(box->right - box->left + 1));
    }
}

/* sprites */

static bool is_visible(const struct picture *picture, struct maze_square at)
{
    return picture->sees_all || wn_sight_sees(&picture->who->sight, at.x, at.y);
}

/* Monsters first, so that who stands where one is can be told. */
static void draw_sprites(const struct picture *picture)
{
    const game *state = picture->state;
    wn_sprites_begin(picture->world, picture->view);
    for (uint32_t i = 0; i < state->monster_count; i++) {
        const struct monster *monster = &state->monsters[i];
        if (is_visible(picture, monster->at)) {
            wn_sprite(picture->world, picture->view, WN_MAX_SEATS + i, monster->at.x, monster->at.y, TILE_MONSTER,
                      monster->facing * 2u, NULL);
        }
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const struct runner *who = &state->runners[i];
        if (who->taken && !who->arrived && is_visible(picture, who->at)) {
            const uint32_t first = (int32_t)i == picture->seat ? TILE_YOU : TILE_RUNNER;
            wn_sprite(picture->world, picture->view, i, who->at.x, who->at.y, first + who->facing, who->facing * 2u,
                      wn_seat_name(picture->world, i));
        }
    }
}

/* beside the map */

static void draw_board_row(const struct picture *picture, uint32_t seat)
{
    const struct runner *who = &picture->state->runners[seat];
    if (!who->taken) {
        wn_board_row(picture->world, picture->view, seat, NULL);
        return;
    }
    char time[16] = "", best[16] = "", wins[32] = "";
    if (who->arrived) {
        snprintf(time, sizeof time, "%u", who->turns);
    } else if (who->running) {
        snprintf(time, sizeof time, "...");
    }
    if (who->best > 0) {
        snprintf(best, sizeof best, "%u", who->best);
    }
    if (who->finishes > 0) {
        snprintf(wins, sizeof wins, "%u/%u", who->wins, who->finishes);
    }
    const char *const columns[COLUMN_COUNT] = {[COLUMN_PLAYER] = wn_seat_name(picture->world, seat),
                                               [COLUMN_TIME] = time,
                                               [COLUMN_BEST] = best,
                                               [COLUMN_WINS] = wins};
    wn_board_row(picture->world, picture->view, seat, columns);
}

static void draw_board(const struct picture *picture, uint64_t seats)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if ((seats >> i & 1) != 0) {
            draw_board_row(picture, i);
        }
    }
}

static void draw_status(const struct picture *picture)
{
    static const char *const compass[DIRECTIONS] = {"north", "east", "south", "west"};
    wn_status_number(picture->world, picture->view, STATUS_MAZE, picture->state->number);
    if (picture->who == NULL) {
        return;
    }
    wn_status_text(picture->world, picture->view, STATUS_COMPASS, compass[picture->who->facing]);
    wn_status_number(picture->world, picture->view, STATUS_TURNS, picture->who->turns);
    if (picture->who->best > 0) {
        wn_status_number(picture->world, picture->view, STATUS_BEST, picture->who->best);
    }
}

/* Words that are right in every frontend: one shows signs and another pictures, keys can be others, and which key does
 * what may depend on where one looks from. */
static const char start_text[] = "Maze\n\n"
                                 "Find the finale. You remember\n"
                                 "what you have seen. The first to\n"
                                 "arrive wins; monsters send whom\n"
                                 "they touch back to the start.\n"
                                 "Boulders can be pushed.\n\n"
                                 "Help (F1) shows the keys, and\n"
                                 "what everything looks like.";

static void draw_banner(const struct picture *picture)
{
    const struct runner *who = picture->who;
    const char *text = NULL;
    char finish[160];
    if (who != NULL && !who->greeted) {
        text = start_text;
    } else if (who != NULL && who->arrived && !who->finish_seen) {
        snprintf(finish, sizeof finish,
                 "The finale!\n\n%s: %u turns.\nYour best here: %u.\n\nAsk for a new maze (help, F1, shows\nthe key), "
                 "or look on with any other.",
                 who->place == 1 ? "You win" : "You arrive", who->turns, who->best);
        text = finish;
    }
    wn_banner(picture->world, picture->view, text);
}

void game_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const game *state = game_of(world);
    struct picture picture = {.world = world, .view = view, .state = state, .seat = seat};
    picture.who = seat >= 0 ? &state->runners[seat] : NULL;
    picture.sees_all = picture.who == NULL || picture.who->arrived;
    if (what == WN_DRAW_ALL) {
        const struct box all = {0, 0, state->side - 1, state->side - 1};
        wn_view_size(world, view, (uint32_t)state->side, (uint32_t)state->side);
        draw_squares(&picture, &all);
        draw_board(&picture, UINT64_MAX);
    } else {
        if (picture.who != NULL) {
            draw_squares(&picture, &picture.who->changed);
        }
        if (picture.sees_all) {
            draw_squares(&picture, &state->changed);
        }
        draw_board(&picture, state->board_changed | state->board_late);
    }
    draw_sprites(&picture);
    draw_status(&picture);
    draw_banner(&picture);
}
