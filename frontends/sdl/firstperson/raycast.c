/* raycast.c: one ray for each column of the picture, square by square away from the eye, as in a game of 1992, but with
 * walls of all heights: what is nearer is drawn first, and each further thing only in the rows above it that are still
 * free, until nothing higher can come. There is no depth buffer, and there can be no cracks.
 */
#include "raycast-internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float nearest = 1e-3F; /* distances are not divided by less */

wn_raycaster *wn_raycaster_new(void)
{
    return calloc(1, sizeof(wn_raycaster));
}

void wn_raycaster_free(wn_raycaster *raycaster)
{
    if (!raycaster) {
        return;
    }
    free(raycaster->memory);
    free(raycaster->cards);
    free(raycaster->strip_cards);
    free(raycaster);
}

/* The first row whose middle is at `y` or below it, from 0 to the height. */
int32_t wn_row_at(const wn_raycaster *r, float y)
{
    const float from = y - 0.5F;
    if (!(from > 0)) {
        return 0;
    }
    if (from >= (float)r->height) {
        return (int32_t)r->height;
    }
    const int32_t whole = (int32_t)from;
    return whole + ((float)whole < from);
}

/* One block for all tables: they live and change together. */
static bool make_tables(wn_raycaster *r, uint32_t height)
{
    if (r->memory && r->height == height) {
        return true;
    }
    /* An odd number of cache lines apart, columns do not compete for the same ones. */
    const size_t lines = (height + 15) / 16 | 1, pitch = lines * 16;
    uint32_t *memory = malloc((WN_STRIP + 7) * pitch * sizeof *memory);
    if (!memory) {
        return false;
    }
    free(r->memory);
    r->memory = memory;
    r->strip = memory;
    r->light = memory + WN_STRIP * pitch;
    r->top_light = r->light + pitch;
    r->scratch = r->top_light + pitch;
    r->distance = (float *)(r->scratch + pitch);
    r->sky_rows = (uint16_t *)(r->scratch + 2 * pitch);
    r->above = (float *)(r->scratch + 3 * pitch);
    r->above_light = r->scratch + 4 * pitch;
    r->pitch = pitch;
    r->height = height;
    return true;
}

/* How coarse a texture on the ground has to be at a distance: a texel not much smaller than a pixel. Along the view the
 * ground is foreshortened, across it is not; the geometric mean of both looks sharp enough and does not glitter. */
static uint32_t ground_level(const wn_raycaster *r, float distance, float below)
{
    const float across = distance / r->focal * WN_TEXTURE_SIDE;
    const float along = across * distance / below;
    const float texels = sqrtf(across * along);
    uint32_t level = 0;
    while (level + 1 < WN_TEXTURE_LEVELS && texels > 1.4F * (float)(1u << level)) {
        level++;
    }
    return level;
}

static void fill_tables(wn_raycaster *r)
{
    for (uint32_t row = 0; row < r->height; row++) {
        const float below = (float)row + 0.5F - r->horizon;
        r->distance[row] = below > 0.01F ? r->eye * r->focal / below : 1e6F;
        const float sky = WN_SKY_ROWS - 1 + below / r->focal * WN_SKY_SCALE;
        r->sky_rows[row] = (uint16_t)(sky < 0 ? 0 : sky > WN_SKY_ROWS - 1 ? WN_SKY_ROWS - 1 : sky);
    }
    wn_light_rows(r->light, r->distance, 1, 0, (int32_t)r->height);
    for (uint32_t level = 0, row = r->height; level < WN_TEXTURE_LEVELS; level++) {
        while (row > 0 && ground_level(r, r->distance[row - 1], r->eye) <= level) {
            row--;
        }
        r->level_top[level] = level + 1 < WN_TEXTURE_LEVELS ? (int32_t)row : 0;
    }
}

static void fill_ceiling_tables(wn_raycaster *r)
{
    const int32_t height = (int32_t)r->height;
    for (int32_t row = 0; row < height; row++) {
        const float over = r->horizon - (float)row - 0.5F;
        r->above[row] = over > 0.01F ? r->ceiling * r->focal / over : 1e6F;
    }
    wn_light_rows(r->above_light, r->above, 1, 0, height);
    for (int32_t level = 0, row = 0; level < WN_TEXTURE_LEVELS; level++) {
        while (row < height && ground_level(r, r->above[row], r->ceiling) <= (uint32_t)level) {
            row++;
        }
        r->above_end[level] = level + 1 < WN_TEXTURE_LEVELS ? row : height;
    }
}

static float finite_within(float value, float least, float most)
{
    return isfinite(value) ? fminf(fmaxf(value, least), most) : fminf(fmaxf(0, least), most);
}

static void take_camera(wn_raycaster *r, const wn_camera *camera, const wn_frame *frame)
{
    r->x = finite_within(camera->x, -1e5F, 1e5F);
    r->y = finite_within(camera->y, -1e5F, 1e5F);
    r->angle = finite_within(camera->angle, -1e5F, 1e5F);
    r->eye = finite_within(camera->eye, 0.05F, 100);
    r->focal = (float)frame->width / 2 / tanf(finite_within(camera->field, 0.2F, 2.6F) / 2);
    r->horizon = finite_within(camera->horizon, -1, 2) * (float)frame->height;
    r->forward_x = sinf(r->angle);
    r->forward_y = -cosf(r->angle);
}

static uint32_t side_within(float value, uint32_t side)
{
    return value <= 0 ? 0 : value >= (float)side ? side : (uint32_t)value;
}

/* Of those that a ray can reach: a grid may be much larger than what can be seen of it. */
static float highest_wall(const wn_raycaster *r, const wn_scene *scene, uint32_t frame_width)
{
    const float reach = WN_HAZE_SQUARES * (1 + (float)frame_width / 2 / r->focal) + 1;
    const uint32_t left = side_within(r->x - reach, scene->width), right = side_within(r->x + reach + 1, scene->width);
    const uint32_t top = side_within(r->y - reach, scene->height), end = side_within(r->y + reach + 1, scene->height);
    uint32_t highest = 0;
    for (uint32_t y = top; y < end; y++) {
        const wn_square *row = scene->squares + (size_t)y * scene->width;
        for (uint32_t x = left; x < right; x++) {
            highest = row[x].height > highest ? row[x].height : highest;
        }
    }
    return (float)highest / 10;
}

/* a ray */

struct ray {
    wn_raycaster *r;
    const wn_scene *scene;
    uint32_t *pixels;
    float dx, dy;           /* what it goes for each square of distance, which is measured straight ahead */
    int32_t bottom;         /* rows above it are free */
    int32_t covered;        /* from here down walls hide what comes behind them */
    const wn_square *floor; /* that is passed over, but not drawn yet */
    uint32_t next_card;     /* the nearest of the strip's billboards that has not been passed */
};

static const wn_square nothing = {.floor = WN_NOTHING};

static const uint32_t *texels_of(const wn_scene *scene, const wn_square *square, uint32_t number)
{
    if (number >= WN_PLAIN) {
        return NULL;
    }
    const wn_texture *texture = wn_textures_find(scene->textures, number);
    if (!texture) {
        return NULL;
    }
    return square->remembered ? texture->remembered : texture->seen;
}

static uint32_t plain_colour(const wn_square *square)
{
    return square->remembered ? wn_texel_remembered(square->colour) : square->colour;
}

/* A level surface at `below` under the eye, from row `top` down to the rows that are taken. */
static void draw_level(struct ray *ray, const wn_square *square, uint32_t number, float below, int32_t top)
{
    const wn_raycaster *r = ray->r;
    const int32_t bottom = ray->bottom;
    if (top >= bottom) {
        return;
    }
    ray->bottom = top;
    if (number == WN_NOTHING) {
        wn_span_fill(ray->pixels, ray->scene->sky->haze, top, bottom);
        return;
    }
    const float scale = below / r->eye;
    const uint32_t *light = r->light;
    if (scale != 1) {
        wn_light_rows(r->top_light, r->distance, scale, top, bottom);
        light = r->top_light;
    }
    const uint32_t *texels = texels_of(ray->scene, square, number);
    if (!texels) {
        wn_span_plain(ray->pixels, plain_colour(square), light, ray->scene->sky->haze, top, bottom);
        return;
    }
    wn_plane plane = {.x = r->x, .y = r->y, .dx = ray->dx * scale, .dy = ray->dy * scale};
    for (uint32_t level = WN_TEXTURE_LEVELS; level-- > 0;) {
        const int32_t from = r->level_top[level] > top ? r->level_top[level] : top;
        const int32_t below_it = level > 0 ? r->level_top[level - 1] : (int32_t)r->height;
        const int32_t to = below_it < bottom ? below_it : bottom;
        if (from < to) {
            plane.texels = texels + wn_texture_level[level];
            plane.side = WN_TEXTURE_SIDE >> level;
            wn_span_plane(ray->pixels, &plane, r->distance, light, ray->scene->sky->haze, r->scratch, from, to);
        }
    }
}

/* Draws the floor that the ray has passed over, up to a distance. */
static void draw_floor(struct ray *ray, float distance)
{
    const wn_raycaster *r = ray->r;
    if (ray->floor) {
        const float y = r->horizon + r->eye * r->focal / fmaxf(distance, nearest);
        draw_level(ray, ray->floor, ray->floor->floor, r->eye, wn_row_at(r, y));
        ray->floor = NULL;
    }
}

static bool same_floor(const wn_square *a, const wn_square *b)
{
    return a->floor == b->floor && a->remembered == b->remembered && (a->colour == b->colour || a->floor != WN_PLAIN);
}

/* A wall's face: one column of texels is lit and then repeated down the rows. */
static void draw_face(struct ray *ray, const wn_square *square, float distance, float across, uint32_t side_light)
{
    wn_raycaster *r = ray->r;
    const float per_row = distance / r->focal; /* squares that a row is high there */
    const float height = (float)square->height / 10;
    const int32_t top = wn_row_at(r, r->horizon - (height - r->eye) / per_row), bottom = ray->bottom;
    if (top >= bottom) {
        return;
    }
    const uint32_t haze = ray->scene->sky->haze, light = wn_light_at(distance);
    const uint32_t *texels = texels_of(ray->scene, square, square->wall);
    ray->bottom = top;
    ray->covered = top;
    if (!texels) {
        const uint32_t colour = wn_texel_lit(plain_colour(square), side_light);
        wn_span_fill(ray->pixels, wn_in_haze(colour, haze, light), top, bottom);
        return;
    }
    uint32_t level = 0;
    while (level + 1 < WN_TEXTURE_LEVELS && per_row * WN_TEXTURE_SIDE > 1.4F * (float)(1u << level)) {
        level++;
    }
    const uint32_t side = WN_TEXTURE_SIDE >> level;
    const uint32_t column = (uint32_t)(int32_t)(across * (float)side) & (side - 1);
    uint32_t lit[WN_TEXTURE_SIDE];
    for (uint32_t i = 0; i < side; i++) {
        const uint32_t texel = texels[wn_texture_level[level] + column * side + i];
        lit[i] = wn_in_haze(wn_texel_lit(texel, side_light), haze, light);
    }
    /* Textures stand on the ground: there v is a whole number of sides. */
    const double texel_rows = (double)per_row * side * 65536;
    const double down = ((double)top + 0.5 - (double)r->horizon) * texel_rows - (double)r->eye * side * 65536;
    wn_span_wall(ray->pixels, lit, side, (uint32_t)(int64_t)down, (uint32_t)(int64_t)texel_rows, top, bottom);
}

/* Those billboards that are nearer than what comes next are hidden by what has come, and by nothing else. */
static void pass_cards(struct ray *ray, float distance)
{
    wn_raycaster *r = ray->r;
    while (ray->next_card < r->strip_card_count && r->strip_cards[ray->next_card].card->distance <= distance) {
        r->strip_cards[ray->next_card++].covered = ray->covered;
    }
}

static void draw_wall(struct ray *ray, const wn_square *square, float entry, float exit, float across, uint32_t light)
{
    const wn_raycaster *r = ray->r;
    const float height = (float)square->height / 10;
    draw_floor(ray, entry);
    pass_cards(ray, entry);
    draw_face(ray, square, fmaxf(entry, nearest), across, light);
    if (height < r->eye) {
        const float y = r->horizon + (r->eye - height) * r->focal / fmaxf(exit, nearest);
        draw_level(ray, square, square->wall, r->eye - height, wn_row_at(r, y));
        ray->covered = ray->bottom < ray->covered ? ray->bottom : ray->covered;
    }
}

/* Nothing that is further away than this can be seen over what is there. */
static bool is_closed(const struct ray *ray, float distance, float highest)
{
    const wn_raycaster *r = ray->r;
    return ray->bottom <= 0 ||
           (highest >= r->eye && (float)ray->bottom < r->horizon - (highest - r->eye) * r->focal / distance - 0.5F);
}

static const wn_square *square_at(const wn_scene *scene, int32_t column, int32_t row)
{
    if (column < 0 || row < 0 || (uint32_t)column >= scene->width || (uint32_t)row >= scene->height) {
        return &nothing;
    }
    return &scene->squares[(size_t)row * scene->width + (size_t)column];
}

static void pass_floor(struct ray *ray, const wn_square *square, float entry)
{
    if (ray->floor && !same_floor(ray->floor, square)) {
        draw_floor(ray, entry);
    }
    ray->floor = square;
}

/* The walk of Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987. Distances are floats: their error stays
 * below a thousandth of a square up to 1e4 squares from the corner of the grid. */
static void cast(struct ray *ray, float highest)
{
    const wn_raycaster *r = ray->r;
    int32_t column = (int32_t)floorf(r->x), row = (int32_t)floorf(r->y);
    const int32_t step_x = ray->dx < 0 ? -1 : 1, step_y = ray->dy < 0 ? -1 : 1;
    const float per_x = ray->dx != 0 ? fabsf(1 / ray->dx) : FLT_MAX,
                per_y = ray->dy != 0 ? fabsf(1 / ray->dy) : FLT_MAX;
    const float in_x = r->x - (float)column, in_y = r->y - (float)row;
    float next_x = ray->dx != 0 ? (step_x < 0 ? in_x : 1 - in_x) * per_x : FLT_MAX;
    float next_y = ray->dy != 0 ? (step_y < 0 ? in_y : 1 - in_y) * per_y : FLT_MAX;
    bool through_x = false;
    float entry = 0;
    for (bool first = true; entry < WN_HAZE_SQUARES; first = false) {
        const wn_square *square = square_at(ray->scene, column, row);
        const float exit = next_x < next_y ? next_x : next_y;
        if (square->height > 0 && !first) {
            float across = through_x ? r->y + ray->dy * entry - (float)row : r->x + ray->dx * entry - (float)column;
            if (through_x ? step_x < 0 : step_y > 0) {
                across = 1 - across;
            }
            draw_wall(ray, square, entry, exit, fminf(fmaxf(across, 0), 0.9999F), through_x ? 196 : 256);
            if (is_closed(ray, exit, highest)) {
                break;
            }
        } else {
            pass_floor(ray, square, entry);
        }
        through_x = next_x < next_y;
        column += through_x ? step_x : 0;
        row += through_x ? 0 : step_y;
        *(through_x ? &next_x : &next_y) += through_x ? per_x : per_y;
        entry = exit;
    }
    draw_floor(ray, fminf(entry, WN_HAZE_SQUARES));
    pass_cards(ray, FLT_MAX);
}

static void draw_sky(struct ray *ray, float column_angle)
{
    const wn_raycaster *r = ray->r;
    const wn_sky *sky = ray->scene->sky;
    const int32_t horizon = wn_row_at(r, r->horizon);
    if (ray->bottom > horizon) {
        wn_span_fill(ray->pixels, sky->haze, horizon, ray->bottom);
        ray->bottom = horizon;
    }
    const float turns = column_angle * 0.15915494309F;
    const uint32_t column = (uint32_t)((turns - floorf(turns)) * WN_SKY_COLUMNS) % WN_SKY_COLUMNS;
    wn_span_sky(ray->pixels, sky->pixels[column], r->sky_rows, 0, ray->bottom);
}

/* What a ray has left free above the horizon, where no sky is. */
static void draw_ceiling(struct ray *ray, const wn_texture *texture)
{
    const wn_raycaster *r = ray->r;
    wn_plane plane = {.x = r->x, .y = r->y, .dx = ray->dx, .dy = ray->dy};
    int32_t from = 0;
    for (uint32_t level = 0; level < WN_TEXTURE_LEVELS && from < ray->bottom; level++) {
        const int32_t to = r->above_end[level] < ray->bottom ? r->above_end[level] : ray->bottom;
        if (from < to) {
            plane.texels = texture->seen + wn_texture_level[level];
            plane.side = WN_TEXTURE_SIDE >> level;
            wn_span_plane(ray->pixels, &plane, r->above, r->above_light, ray->scene->sky->haze, r->scratch, from, to);
            from = to;
        }
    }
}

static void draw_column(wn_raycaster *r, const wn_scene *scene, uint32_t column, uint32_t *pixels, uint32_t width,
                        float highest)
{
    const float across = ((float)column + 0.5F - (float)width / 2) / r->focal;
    struct ray ray = {
        .r = r,
        .scene = scene,
        .pixels = pixels,
        .dx = r->forward_x - r->forward_y * across,
        .dy = r->forward_y + r->forward_x * across,
        .bottom = (int32_t)r->height,
        .covered = (int32_t)r->height,
    };
    cast(&ray, highest);
    const wn_texture *ceiling = r->ceiling > 0 ? wn_textures_find(scene->textures, scene->ceiling) : NULL;
    if (ceiling) {
        draw_ceiling(&ray, ceiling);
    } else {
        draw_sky(&ray, r->angle + atanf(across));
    }
    wn_cards_draw(r, scene, column, pixels);
}

bool wn_raycast(wn_raycaster *raycaster, const wn_scene *scene, const wn_camera *camera, const wn_frame *frame)
{
    wn_raycaster *r = raycaster;
    if (frame->width == 0 || frame->height == 0) {
        return true;
    }
    if (!make_tables(r, frame->height) || !wn_cards_reserve(r, scene->billboard_count)) {
        return false;
    }
    take_camera(r, camera, frame);
    fill_tables(r);
    r->ceiling = (float)scene->ceiling_height / 10 - r->eye;
    if (r->ceiling > 0) {
        fill_ceiling_tables(r);
    }
    wn_cards_place(r, scene, frame->width);
    const float highest = highest_wall(r, scene, frame->width);
    for (uint32_t left = 0; left < frame->width; left += WN_STRIP) {
        const uint32_t count = frame->width - left < WN_STRIP ? frame->width - left : WN_STRIP;
        wn_cards_choose(r, left, left + count);
        for (uint32_t i = 0; i < count; i++) {
            draw_column(r, scene, left + i, r->strip + i * r->pitch, frame->width, highest);
        }
        wn_strip_copy(frame->pixels + left, frame->stride, r->strip, r->pitch, count, frame->height);
    }
    return true;
}
