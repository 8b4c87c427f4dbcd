/* board.c: a view seen from above. See board.h. */
#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "text.h"

/* milliseconds */
enum { FLASH_MS = 180, EXPLOSION_MS = 380, SHOT_MS = 160, FRAME_MOST_MS = 100 };
enum { LEAST_FOR_GRID = 10, LEAST_FOR_NAMES = 14, LEAST_FOR_EDGES = 12 };

typedef struct drawing {
    const wn_board *board;
    const wn_ink *ink;
    const wn_replica *replica;
    SDL_Texture *texture;
    int64_t now;
    uint32_t first_column, end_column, first_row, end_row;
} drawing;

void wn_board_init(wn_board *board)
{
    *board = (wn_board){.cursor = WN_NO_FOCUS, .hover = WN_NO_FOCUS, .smooth = true};
}

void wn_board_free(wn_board *board)
{
    wn_atlas_free(board->atlas);
    wn_glides_free(&board->glides);
    wn_board_init(board);
}

void wn_board_set_mode(wn_board *board, const Warren__Mode *mode, const wn_art *own, wn_palette palette)
{
    wn_atlas_free(board->atlas);
    board->atlas = wn_atlas_new(mode, own, palette);
}

/* what moves */

static int64_t duration_of(const wn_board_effect *effect)
{
    return effect->kind == WARREN__EFFECT_KIND__EFFECT_EXPLOSION ? EXPLOSION_MS
           : effect->kind == WARREN__EFFECT_KIND__EFFECT_SHOT    ? SHOT_MS
                                                                 : FLASH_MS;
}

static void drop_ended(wn_board *board, int64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < board->effect_count; i++) {
        if (now - board->effects[i].start < duration_of(&board->effects[i])) {
            board->effects[kept++] = board->effects[i];
        }
    }
    board->effect_count = kept;
}

void wn_board_take(wn_board *board, const wn_replica *replica, const Warren__Update *update, int64_t now)
{
    wn_glides_take(&board->glides, replica, now, board->smooth);
    drop_ended(board, now);
    if (update == NULL || update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return;
    }
    for (size_t i = 0; i < update->delta->n_effects && board->effect_count < WN_BOARD_EFFECTS; i++) {
        const Warren__Effect *effect = update->delta->effects[i];
        if (effect->kind == WARREN__EFFECT_KIND__EFFECT_SOUND || !effect->has_at) {
            continue;
        }
        board->effects[board->effect_count++] = (wn_board_effect){.kind = effect->kind,
                                                                  .at = effect->at,
                                                                  .to = effect->to,
                                                                  .radius = effect->radius,
                                                                  .tile = effect->tile,
                                                                  .start = now};
    }
}

bool wn_board_moves(const wn_board *board, int64_t now)
{
    for (size_t i = 0; i < board->effect_count; i++) {
        if (now - board->effects[i].start < duration_of(&board->effects[i])) {
            return true;
        }
    }
    return board->travels || wn_glides_move(&board->glides, now);
}

/* places */

static SDL_Rect rect_of(const wn_viewport *view, double column, double row, double width, double height)
{
    const int left = wn_viewport_column(view, column), top = wn_viewport_row(view, row);
    return (SDL_Rect){left, top, wn_viewport_column(view, column + width) - left,
                      wn_viewport_row(view, row + height) - top};
}

SDL_Rect wn_board_place(const wn_board *board, uint32_t cell)
{
    if (board->view.columns == 0) {
        return (SDL_Rect){0};
    }
    return rect_of(&board->view, cell % board->view.columns, cell / board->view.columns, 1, 1);
}

static SDL_FRect float_rect(SDL_Rect rect)
{
    return (SDL_FRect){(float)rect.x, (float)rect.y, (float)rect.w, (float)rect.h};
}

/* tiles */

static const Warren__Tile *tile_of(const Warren__Mode *mode, uint32_t number)
{
    return number < mode->n_tiles ? mode->tiles[number] : NULL;
}

static bool is_opaque(const Warren__Tile *tile)
{
    return tile != NULL && (tile->flags & WARREN__TILE_FLAG__TILE_OPAQUE) != 0;
}

static uint32_t glyph_of(const Warren__Tile *tile)
{
    uint32_t code = 0;
    if (tile->glyph != NULL && tile->glyph[0] != '\0') {
        wn_utf8_next(tile->glyph, &code);
    } else if (tile->ascii != NULL) {
        code = (unsigned char)tile->ascii[0];
    }
    return code == ' ' ? 0 : code;
}

static uint32_t foreground_of(const Warren__Tile *tile)
{
    return tile->has_foreground ? tile->foreground : WN_INK_TEXT;
}

static void draw_glyph(const wn_ink *ink, const Warren__Tile *tile, SDL_Rect rect, uint8_t opacity)
{
    const uint32_t code = glyph_of(tile);
    if (code != 0) {
        wn_ink_glyph(ink, float_rect(rect), code, (tile->flags & WARREN__TILE_FLAG__TILE_BOLD) != 0,
                     foreground_of(tile), opacity);
    }
}

/* A tile that nobody drew: its background and its glyph. */
static void draw_plain_cell(const drawing *with, const Warren__Tile *tile, SDL_Rect rect, bool remembered)
{
    if (tile->has_background) {
        wn_ink_area(with->ink, rect, tile->background, remembered ? 130 : 255);
    }
    draw_glyph(with->ink, tile, rect, remembered ? 120 : 255);
}

/* Walls have a front, an edge that catches light, and throw a shadow. What is drawn as a thing of its own (a house, a
 * mountain) has not, although nobody can look through it either. */
static bool is_wall(const drawing *with, uint32_t number)
{
    SDL_Rect unused;
    return is_opaque(tile_of(with->replica->mode, number)) &&
           (wn_atlas_find(with->board->atlas, number, WN_ATLAS_FACE, 0, &unused) ||
            !wn_atlas_find(with->board->atlas, number, WN_ATLAS_CELL, 0, &unused));
}

static wn_atlas_use use_of(const drawing *with, uint32_t column, uint32_t row)
{
    const wn_replica *replica = with->replica;
    const uint16_t *cell = replica->cells + (size_t)row * replica->width + column;
    if (is_wall(with, *cell / 2u)) {
        return row + 1 == replica->height || is_wall(with, cell[replica->width] / 2u) ? WN_ATLAS_CELL : WN_ATLAS_FACE;
    }
    return row > 0 && is_wall(with, *(cell - replica->width) / 2u) ? WN_ATLAS_SHADED : WN_ATLAS_CELL;
}

static void draw_cell(const drawing *with, uint32_t column, uint32_t row)
{
    const wn_replica *replica = with->replica;
    const uint16_t cell = replica->cells[(size_t)row * replica->width + column];
    const Warren__Tile *tile = tile_of(replica->mode, cell / 2u);
    if (tile == NULL) {
        return;
    }
    const SDL_Rect to = rect_of(&with->board->view, column, row, 1, 1);
    const uint32_t place = row * 7919u + column;
    const bool remembered = cell % 2u != 0;
    SDL_Rect from;
    wn_atlas_use use = use_of(with, column, row);
    if (use == WN_ATLAS_FACE && !wn_atlas_find(with->board->atlas, cell / 2u, use, place, &from)) {
        use = WN_ATLAS_CELL;
    }
    if (with->texture == NULL || !wn_atlas_find(with->board->atlas, cell / 2u, use, place, &from)) {
        draw_plain_cell(with, tile, to, remembered);
        return;
    }
    SDL_SetTextureColorMod(with->texture, remembered ? 96 : 255, remembered ? 98 : 255, remembered ? 116 : 255);
    SDL_RenderCopy(with->ink->renderer, with->texture, &from, &to);
}

/* Is there something that is no wall? */
static bool is_open(const drawing *with, int64_t column, int64_t row)
{
    const wn_replica *replica = with->replica;
    return column >= 0 && row >= 0 && column < replica->width && row < replica->height &&
           !is_wall(with, replica->cells[(size_t)row * replica->width + (size_t)column] / 2u);
}

/* Where a wall meets what is open, its edge catches a little light. */
static void draw_edges(const drawing *with, uint32_t column, uint32_t row)
{
    const uint32_t number = with->replica->cells[(size_t)row * with->replica->width + column] / 2u;
    const SDL_Rect at = rect_of(&with->board->view, column, row, 1, 1);
    const int thick = at.w < WN_ART_SIDE ? 1 : at.w / WN_ART_SIDE;
    const struct {
        int x, y;
        SDL_Rect edge;
    } sides[] = {{-1, 0, {at.x, at.y, thick, at.h}},
                 {1, 0, {at.x + at.w - thick, at.y, thick, at.h}},
                 {0, -1, {at.x, at.y, at.w, thick}}};
    if (!is_wall(with, number)) {
        return;
    }
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        if (is_open(with, (int64_t)column + sides[i].x, (int64_t)row + sides[i].y)) {
            wn_ink_area(with->ink, sides[i].edge, foreground_of(tile_of(with->replica->mode, number)), 90);
        }
    }
}

static void draw_cells(const drawing *with)
{
    if (with->texture != NULL) {
        SDL_SetTextureAlphaMod(with->texture, 255);
        SDL_SetTextureBlendMode(with->texture, SDL_BLENDMODE_NONE); /* they have no holes, and it is quicker */
    }
    for (uint32_t row = with->first_row; row < with->end_row; row++) {
        for (uint32_t column = with->first_column; column < with->end_column; column++) {
            draw_cell(with, column, row);
        }
    }
    if (with->texture != NULL) {
        SDL_SetTextureColorMod(with->texture, 255, 255, 255);
        SDL_SetTextureBlendMode(with->texture, SDL_BLENDMODE_BLEND);
    }
    for (uint32_t row = with->first_row; with->board->view.zoom >= LEAST_FOR_EDGES && row < with->end_row; row++) {
        for (uint32_t column = with->first_column; column < with->end_column; column++) {
            draw_edges(with, column, row);
        }
    }
}

/* Parts of the view that have a name. */

const wn_region_state *wn_board_region(const wn_board *board, const wn_replica *replica)
{
    if (board->region == 0 || board->region > replica->region_count || replica->width == 0) {
        return NULL;
    }
    const wn_region_state *region = &replica->regions[board->region - 1];
    return region->width > 0 && region->height > 0 ? region : NULL;
}

const char *wn_board_region_title(const wn_board *board, const wn_replica *replica)
{
    const wn_region_state *region = wn_board_region(board, replica);
    return region == NULL ? NULL : region->title;
}

void wn_board_next_region(wn_board *board, const wn_replica *replica)
{
    do {
        board->region = board->region < replica->region_count ? board->region + 1 : 0;
    } while (board->region != 0 && wn_board_region(board, replica) == NULL);
}

static void place(wn_board *board, const wn_replica *replica, SDL_Rect rect)
{
    const wn_region_state *region = wn_board_region(board, replica);
    wn_viewport_place(&board->view, rect.x, rect.y, rect.w, rect.h, replica->width, replica->height);
    if (region == NULL) {
        wn_viewport_part(&board->view, 0, 0, 0, 0);
    } else {
        wn_viewport_part(&board->view, region->at % replica->width, region->at / replica->width, region->width,
                         region->height);
    }
    if (!board->view.placed) {
        wn_viewport_fit(&board->view);
    }
}

/* Where the part that can be in sight is, within that part of the window. */
static SDL_Rect place_of_part(const wn_viewport *view, SDL_Rect rect)
{
    SDL_Rect part = rect_of(view, view->part_x, view->part_y, view->part_columns, view->part_rows), both;
    SDL_IntersectRect(&part, &rect, &both);
    return both;
}

static void draw_regions(const drawing *with)
{
    const wn_replica *replica = with->replica;
    const int line = wn_ink_line(with->ink, WN_STYLE_SMALL), pad = wn_ink_units(with->ink, 4);
    for (uint32_t i = 0; i < replica->region_count; i++) {
        const wn_region_state *region = &replica->regions[i];
        if (region->width == 0) {
            continue;
        }
        const SDL_Rect at = rect_of(&with->board->view, region->at % replica->width, region->at / replica->width,
                                    region->width, region->height);
        wn_ink_frame(with->ink, at, WN_INK_KEY);
        const int width = wn_ink_width(with->ink, WN_STYLE_SMALL, region->title);
        if (region->title[0] == '\0') {
            continue;
        }
        wn_ink_area(with->ink, (SDL_Rect){at.x, at.y, width + 2 * pad, line}, WN_INK_NIGHT, 190);
        wn_ink_text(with->ink, WN_STYLE_SMALL, at.x + pad, at.y, width + 1, WN_INK_KEY, region->title);
    }
}

static void draw_grid(const drawing *with)
{
    const wn_viewport *view = &with->board->view;
    if (view->zoom < LEAST_FOR_GRID) {
        return;
    }
    const int left = wn_viewport_column(view, 0), right = wn_viewport_column(view, view->columns);
    const int top = wn_viewport_row(view, 0), bottom = wn_viewport_row(view, view->rows);
    for (uint32_t column = with->first_column; column <= with->end_column; column++) {
        wn_ink_area(with->ink, (SDL_Rect){wn_viewport_column(view, column), top, 1, bottom - top}, 0xffffff, 28);
    }
    for (uint32_t row = with->first_row; row <= with->end_row; row++) {
        wn_ink_area(with->ink, (SDL_Rect){left, wn_viewport_row(view, row), right - left, 1}, 0xffffff, 28);
    }
}

/* sprites */

/* A small wedge at the edge that a sprite faces, for pictures that do not show it themselves. */
static void draw_facing(const drawing *with, SDL_Rect rect, uint32_t facing, uint32_t colour)
{
    static const float ways[WN_DIRECTIONS][2] = {{0, -1}, {0.7F, -0.7F}, {1, 0},  {0.7F, 0.7F},
                                                 {0, 1},  {-0.7F, 0.7F}, {-1, 0}, {-0.7F, -0.7F}};
    const float half = (float)rect.w / 2, x = (float)rect.x + half, y = (float)rect.y + half;
    const float ahead_x = ways[facing][0], ahead_y = ways[facing][1];
    const uint32_t mapped = wn_palette_map(with->ink->palette, colour);
    const SDL_Color ink = {(uint8_t)(mapped >> 16), (uint8_t)(mapped >> 8), (uint8_t)mapped, 230};
    const float tip = half * 1.12F, base = half * 0.82F, side = half * 0.26F;
    const SDL_Vertex corners[] = {
        {{x + ahead_x * tip, y + ahead_y * tip}, ink, {0, 0}},
        {{x + ahead_x * base - ahead_y * side, y + ahead_y * base + ahead_x * side}, ink, {0, 0}},
        {{x + ahead_x * base + ahead_y * side, y + ahead_y * base - ahead_x * side}, ink, {0, 0}}};
    SDL_SetRenderDrawBlendMode(with->ink->renderer, SDL_BLENDMODE_BLEND);
    SDL_RenderGeometry(with->ink->renderer, NULL, corners, 3, NULL, 0);
}

static void draw_shadow(const drawing *with, SDL_Rect rect)
{
    const int height = rect.h / 6, inset = rect.w / 6;
    wn_ink_area(with->ink,
                (SDL_Rect){rect.x + inset, rect.y + rect.h - height - rect.h / 16, rect.w - 2 * inset, height},
                0x000000, 70);
}

static void draw_sprite(const drawing *with, const wn_glide *glide)
{
    const Warren__Tile *tile = tile_of(with->replica->mode, glide->tile);
    const uint8_t opacity = wn_glide_opacity(glide, with->now);
    float x, y;
    SDL_Rect from;
    bool shows_facing = false;
    if (tile == NULL || opacity == 0) {
        return;
    }
    wn_glide_place(glide, with->now, &x, &y);
    const SDL_Rect to = rect_of(&with->board->view, (double)x, (double)y, 1, 1);
    if (with->texture != NULL &&
        wn_atlas_facing(with->board->atlas, glide->tile, glide->facing, &from, &shows_facing)) {
        draw_shadow(with, to);
        SDL_SetTextureAlphaMod(with->texture, opacity);
        SDL_RenderCopy(with->ink->renderer, with->texture, &from, &to);
        SDL_SetTextureAlphaMod(with->texture, 255);
    } else {
        const int inset = to.w / 12;
        wn_ink_area(with->ink, (SDL_Rect){to.x + inset, to.y + inset, to.w - 2 * inset, to.h - 2 * inset},
                    tile->has_background ? tile->background : WN_INK_NIGHT, opacity / 2);
        draw_glyph(with->ink, tile, to, opacity);
    }
    if (!shows_facing && glide->facing < WN_DIRECTIONS) {
        draw_facing(with, to, glide->facing, foreground_of(tile));
    }
}

static bool in_sight(const drawing *with, const wn_glide *glide)
{
    const double x = (double)glide->to_x, y = (double)glide->to_y;
    return x + 5 > with->first_column && x < with->end_column + 4.0 && y + 5 > with->first_row &&
           y < with->end_row + 4.0;
}

static void draw_sprites(const drawing *with)
{
    const wn_glides *glides = &with->board->glides;
    for (size_t i = 0; i < glides->count; i++) {
        if (in_sight(with, &glides->items[i])) {
            draw_sprite(with, &glides->items[i]);
        }
    }
}

static void draw_names(const drawing *with)
{
    const wn_replica *replica = with->replica;
    if (!with->board->names || with->board->view.zoom < LEAST_FOR_NAMES) {
        return;
    }
    const int line = wn_ink_line(with->ink, WN_STYLE_SMALL), pad = wn_ink_units(with->ink, 3);
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        const wn_glide *glide = wn_glides_find(&with->board->glides, sprite->id);
        float x, y;
        if (sprite->label[0] == '\0' || sprite->at == replica->focus || glide == NULL || !in_sight(with, glide)) {
            continue;
        }
        wn_glide_place(glide, with->now, &x, &y);
        const SDL_Rect at = rect_of(&with->board->view, (double)x, (double)y, 1, 1);
        const int width = wn_ink_width(with->ink, WN_STYLE_SMALL, sprite->label);
        const int left = at.x + (at.w - width) / 2, top = at.y - line - pad;
        wn_ink_area(with->ink, (SDL_Rect){left - pad, top, width + 2 * pad, line}, WN_INK_NIGHT, 215);
        wn_ink_text(with->ink, WN_STYLE_SMALL, left, top, width + 1, WN_INK_CHAT, sprite->label);
    }
}

/* effects */

static void draw_flash(const drawing *with, SDL_Rect rect, uint32_t colour, float part)
{
    wn_ink_area(with->ink, rect, colour, (uint8_t)(200 * (1 - part)));
}

/* A ring runs outward; what it has passed glows for a while. */
static void draw_explosion(const drawing *with, const wn_board_effect *effect, uint32_t colour, float part)
{
    const int width = (int)with->replica->width, height = (int)with->replica->height;
    const int x = (int)effect->at % width, y = (int)effect->at / width;
    const int radius = effect->radius < WN_SIDE ? (int)effect->radius : WN_SIDE;
    const float front = part * 1.6F * ((float)radius + 1);
    for (int row = y - radius; row <= y + radius; row++) {
        for (int column = x - radius; column <= x + radius; column++) {
            const int away = abs(row - y) > abs(column - x) ? abs(row - y) : abs(column - x);
            const float behind = front - (float)away;
            if (row < 0 || column < 0 || row >= height || column >= width || behind < 0) {
                continue;
            }
            const float glow = 1 - behind / ((float)radius + 2);
            const float left = (1 - part) * (glow > 0 ? glow : 0);
            wn_ink_area(with->ink, rect_of(&with->board->view, column, row, 1, 1),
                        wn_palette_mix(colour, 0xfff4c8, (uint32_t)(behind < 1 ? 200 : 60)), (uint8_t)(230 * left));
        }
    }
}

static void draw_shot(const drawing *with, const wn_board_effect *effect, uint32_t colour, float part)
{
    const double width = with->replica->width;
    const double from_x = effect->at % with->replica->width, from_y = (double)(effect->at / with->replica->width);
    const double to_x = effect->to % with->replica->width, to_y = (double)(effect->to / with->replica->width);
    if (width == 0) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        const double at = (double)part * 1.25 - i * 0.05;
        if (at < 0 || at > 1) {
            continue;
        }
        const SDL_Rect rect = rect_of(&with->board->view, from_x + (to_x - from_x) * at + 0.36,
                                      from_y + (to_y - from_y) * at + 0.36, 0.28, 0.28);
        wn_ink_area(with->ink, rect, colour, (uint8_t)(255 - i * 40));
    }
}

static void draw_effects(const drawing *with)
{
    for (size_t i = 0; i < with->board->effect_count; i++) {
        const wn_board_effect *effect = &with->board->effects[i];
        const Warren__Tile *tile = tile_of(with->replica->mode, effect->tile);
        const uint32_t colour = tile == NULL ? WN_INK_KEY : foreground_of(tile);
        const float part = (float)(with->now - effect->start) / (float)duration_of(effect);
        if (part < 0 || part >= 1 || with->replica->width == 0) {
            continue;
        }
        if (effect->kind == WARREN__EFFECT_KIND__EFFECT_FLASH) {
            draw_flash(with, wn_board_place(with->board, effect->at), colour, part);
        } else if (effect->kind == WARREN__EFFECT_KIND__EFFECT_EXPLOSION) {
            draw_explosion(with, effect, colour, part);
        } else {
            draw_shot(with, effect, colour, part);
        }
    }
}

/* the whole */

/* The sprite at the focus is followed on its way, so that it stands still while the map moves under it. */
static void follow(wn_board *board, const wn_replica *replica, int64_t now)
{
    const uint32_t cells = replica->width * replica->height;
    const uint32_t focus = board->cursor != WN_NO_FOCUS ? board->cursor : replica->focus;
    if (focus >= cells) {
        if (!board->view.placed) {
            wn_viewport_follow(&board->view, replica->width / 2.0, replica->height / 2.0);
        }
        return;
    }
    float x = (float)(focus % replica->width), y = (float)(focus / replica->width);
    for (size_t i = 0; i < board->glides.count; i++) {
        const wn_glide *glide = &board->glides.items[i];
        if (glide->gone == 0 && glide->to_x == x && glide->to_y == y) {
            wn_glide_place(glide, now, &x, &y);
            break;
        }
    }
    wn_viewport_follow(&board->view, (double)x + 0.5, (double)y + 0.5);
}

static void draw_mark(const drawing *with, uint32_t cell, uint32_t colour)
{
    if (cell < with->replica->width * with->replica->height) {
        wn_ink_frame(with->ink, wn_board_place(with->board, cell), colour);
    }
}

void wn_board_draw(wn_board *board, const wn_ink *ink, const wn_replica *replica, SDL_Rect rect, int64_t now)
{
    if (!replica->ready || replica->width == 0 || replica->height == 0 || board->atlas == NULL) {
        return;
    }
    place(board, replica, rect);
    follow(board, replica, now);
    const int64_t passed = now - board->drawn;
    board->travels = wn_viewport_step(&board->view, passed > FRAME_MOST_MS ? FRAME_MOST_MS : passed, board->smooth);
    board->drawn = now;
    const bool smooth = (int)(board->view.zoom + 0.5) % WN_ART_SIDE != 0 && board->view.zoom < 40;
    drawing with = {.board = board,
                    .ink = ink,
                    .replica = replica,
                    .texture = wn_atlas_texture(board->atlas, ink->renderer, smooth),
                    .now = now};
    wn_viewport_columns(&board->view, &with.first_column, &with.end_column);
    wn_viewport_rows(&board->view, &with.first_row, &with.end_row);
    const SDL_Rect part = board->region == 0 ? rect : place_of_part(&board->view, rect); /* names may stand beside it */
    wn_ink_clip(ink, &part);
    draw_cells(&with);
    if (board->grid) {
        draw_grid(&with);
    }
    if (board->regions && wn_board_region(board, replica) == NULL) {
        draw_regions(&with);
    }
    draw_sprites(&with);
    draw_effects(&with);
    draw_names(&with);
    draw_mark(&with, board->hover, WN_INK_DIM);
    draw_mark(&with, board->cursor, WN_INK_KEY);
    wn_ink_clip(ink, NULL);
}

void wn_board_tile(const wn_board *board, const wn_ink *ink, const Warren__Mode *mode, uint32_t tile, SDL_Rect rect)
{
    SDL_Texture *texture =
        board->atlas == NULL ? NULL : wn_atlas_texture(board->atlas, ink->renderer, rect.w % WN_ART_SIDE != 0);
    const Warren__Tile *legend = tile_of(mode, tile);
    SDL_Rect from;
    if (legend == NULL) {
        return;
    }
    if (legend->has_background) {
        wn_ink_area(ink, rect, legend->background, 255);
    }
    if (texture != NULL && wn_atlas_find(board->atlas, tile, WN_ATLAS_SPRITE, 0, &from)) {
        SDL_RenderCopy(ink->renderer, texture, &from, &rect);
    } else {
        draw_glyph(ink, legend, rect, 255);
    }
}
