/* first-person.c: from a replica to a scene: what each tile is, who walks, where the eye stands. */
#include "first-person.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float eye_height = 0.5F, field_of_view = 1.35F, bob_height = 0.025F;
static const float step_back = 0.35F; /* of the eye, in its square: a wall right ahead is seen as one */
static const float sprite_height = 0.8F, thing_height = 0.7F;

enum kind { KIND_FLOOR, KIND_WALL, KIND_DOOR, KIND_THING, KIND_NOTHING };

enum { LOWEST_CEILING = 15 };
enum { GLOWS = 64, USES = 3, GLOW = WN_PICTURE_UPRIGHT + 1 };

/* Something of a moment: from the middle of one square to that of another, or in one. */
struct glow {
    wn_pose from, to;
    float size;
    uint16_t texture;
    int64_t start;
};

struct walker {
    uint32_t id, tile, facing;
    wn_motion motion;
};

/* A list that only grows. */
struct memory {
    void *items;
    size_t capacity;
};

struct wn_first_person {
    const Warren__Mode *mode;
    wn_picture_of *picture;
    void *user;
    wn_textures *textures;
    wn_sky *sky;
    wn_raycaster *raycaster;
    struct memory squares, boards, walkers, spare;
    uint32_t walker_count, things; /* boards begins with the things that are cells */
    struct glow glows[GLOWS];
    uint32_t glow_count;
    uint32_t world;
    bool jumps;  /* steps and turns take no time */
    bool placed; /* the eye has stood somewhere in this world */
    wn_motion eye;
    uint32_t facing; /* where it looks, or is turning to */
    uint32_t told;   /* where the view said last */
    wn_scene scene;
};

static bool reserve(struct memory *memory, size_t count, size_t size)
{
    if (count <= memory->capacity) {
        return true;
    }
    void *items = realloc(memory->items, count * size);
    if (!items) {
        return false;
    }
    memory->items = items;
    memory->capacity = count;
    return true;
}

/* what a tile is */

static bool is_blank(const Warren__Tile *tile)
{
    return !tile->has_foreground && !tile->has_background && (!tile->glyph || !strcmp(tile->glyph, " "));
}

static enum kind kind_of(const Warren__Mode *mode, uint32_t number)
{
    const Warren__Tile *tile = mode->tiles[number];
    const uint32_t flags = tile->flags;
    if (tile->height > 0 || flags & WARREN__TILE_FLAG__TILE_OPAQUE) {
        return flags & WARREN__TILE_FLAG__TILE_BLOCKS ? KIND_WALL : KIND_DOOR;
    }
    /* Tile 0 is all around: sea, not a million things. */
    if (number != 0 && flags & (WARREN__TILE_FLAG__TILE_BLOCKS | WARREN__TILE_FLAG__TILE_ANIMATED)) {
        return KIND_THING;
    }
    return is_blank(tile) ? KIND_NOTHING : KIND_FLOOR;
}

static uint32_t foreground(const Warren__Tile *tile)
{
    return tile->has_foreground ? tile->foreground : 0x9a9a9a;
}

static uint32_t background(const Warren__Tile *tile)
{
    return tile->has_background ? tile->background : 0x26262a;
}

/* A floor without a colour of its own, whose background is nearly black, would be a hole. */
static uint32_t floor_colour(const Warren__Tile *tile)
{
    return tile->has_foreground ? tile->foreground : background(tile) + 0x101010;
}

/* A tile is either wall or floor, so that these two have one number. */
static uint16_t texture_number(uint32_t tile, uint32_t use)
{
    return (uint16_t)(tile * USES + (use == WN_PICTURE_WALL ? WN_PICTURE_FLOOR : use) - WN_PICTURE_FLOOR);
}

static uint32_t over(uint32_t pixel, uint32_t ground)
{
    const uint32_t alpha = pixel >> 24;
    uint32_t mixed = 0xff000000;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        const uint32_t above = pixel >> shift & 0xff, below = ground >> shift & 0xff;
        mixed |= (above * alpha + below * (255 - alpha)) / 255 << shift;
    }
    return mixed;
}

/* Walls and floors have no holes: the tile's background shows through the picture. */
static void set_picture(wn_first_person *view, uint16_t number, const uint32_t *pixels, uint32_t side, uint32_t ground)
{
    uint32_t *opaque = malloc((size_t)side * side * sizeof *opaque);
    for (uint32_t i = 0; opaque && i < side * side; i++) {
        opaque[i] = over(pixels[i], ground);
    }
    if (opaque) {
        wn_textures_set(view->textures, number, opaque, side);
    }
    free(opaque);
}

static void make_picture(wn_first_person *view, uint32_t tile_number, wn_picture_use use)
{
    const Warren__Tile *tile = view->mode->tiles[tile_number];
    uint32_t pixels[WN_TEXTURE_PIXELS];
    switch (use) {
    case WN_PICTURE_WALL:
        wn_texture_bricks(pixels, foreground(tile), background(tile), tile_number);
        break;
    case WN_PICTURE_FLOOR:
        wn_texture_flagstones(pixels, floor_colour(tile), background(tile), tile_number);
        break;
    case WN_PICTURE_UPRIGHT:
        wn_texture_figure(pixels, foreground(tile));
        break;
    }
    wn_textures_set(view->textures, texture_number(tile_number, use), pixels, WN_TEXTURE_SIDE);
}

/* Without memory for it the texture stays unset, and its square's colour is seen. */
static uint16_t texture_of(wn_first_person *view, uint32_t tile_number, wn_picture_use use)
{
    const uint16_t number = texture_number(tile_number, use);
    if (wn_textures_has(view->textures, number)) {
        return number;
    }
    const Warren__Tile *tile = view->mode->tiles[tile_number];
    uint32_t side = 0;
    const uint32_t *pixels = view->picture ? view->picture(view->user, tile, use, &side) : NULL;
    if (!pixels || side < 1 || side > 256) {
        make_picture(view, tile_number, use);
    } else if (use == WN_PICTURE_UPRIGHT) {
        wn_textures_set(view->textures, number, pixels, side);
    } else {
        set_picture(view, number, pixels, side, background(tile));
    }
    return number;
}

/* Tile 0 is all around: where that is rock, the place is dug into it. */
static bool is_underground(const Warren__Mode *mode)
{
    return mode->n_tiles > 0 && kind_of(mode, 0) == KIND_WALL;
}

/* Snow and sand lie under a bright sky; which of the dark ones it is differs from mode to mode, and stays. */
static wn_sky_kind sky_of(const Warren__Mode *mode)
{
    if (is_underground(mode)) {
        return WN_SKY_UNDERGROUND;
    }
    static const wn_sky_kind dark[] = {WN_SKY_NIGHT, WN_SKY_DUSK, WN_SKY_UNDERGROUND};
    uint64_t light = 0, floors = 0, hash = 5381;
    for (size_t i = 0; i < mode->n_tiles; i++) {
        if (kind_of(mode, (uint32_t)i) == KIND_FLOOR && mode->tiles[i]->has_background) {
            const uint32_t colour = mode->tiles[i]->background;
            light += (colour >> 16 & 0xff) + (colour >> 8 & 0xff) + (colour & 0xff);
            floors++;
        }
    }
    if (light > floors * 3 * 110) {
        return WN_SKY_DAY;
    }
    for (const char *c = mode->name; *c; c++) {
        hash = hash * 33 + (unsigned char)*c;
    }
    return dark[hash % (sizeof dark / sizeof *dark)];
}

/* Rock, as high as the highest wall and a little higher than the eye is used to. */
static void make_ceiling(wn_first_person *view)
{
    const Warren__Mode *mode = view->mode;
    uint32_t pixels[WN_TEXTURE_PIXELS], highest = LOWEST_CEILING;
    const uint16_t number = (uint16_t)(mode->n_tiles * USES);
    for (size_t i = 0; i < mode->n_tiles; i++) {
        highest = mode->tiles[i]->height > highest ? mode->tiles[i]->height : highest;
    }
    wn_texture_rock(pixels, foreground(mode->tiles[0]), number);
    if (wn_textures_set(view->textures, number, pixels, WN_TEXTURE_SIDE)) {
        view->scene.ceiling = number;
        view->scene.ceiling_height = (uint16_t)(highest < WN_HEIGHT_MAX ? highest : WN_HEIGHT_MAX);
    }
}

/* lifetime */

wn_first_person *wn_first_person_new(const Warren__Mode *mode, wn_picture_of *picture, void *user)
{
    wn_first_person *view = calloc(1, sizeof *view);
    if (!view) {
        return NULL;
    }
    view->mode = mode;
    view->picture = picture;
    view->user = user;
    view->textures = wn_textures_new((uint32_t)mode->n_tiles * USES + 1); /* and the ceiling's */
    view->sky = wn_sky_new(sky_of(mode), 1);
    view->raycaster = wn_raycaster_new();
    if (!view->textures || !view->sky || !view->raycaster) {
        wn_first_person_free(view);
        return NULL;
    }
    view->told = WN_NOWHERE;
    view->scene = (wn_scene){.textures = view->textures, .sky = view->sky};
    if (is_underground(mode)) {
        make_ceiling(view);
    }
    return view;
}

void wn_first_person_free(wn_first_person *view)
{
    if (!view) {
        return;
    }
    wn_textures_free(view->textures);
    wn_sky_free(view->sky);
    wn_raycaster_free(view->raycaster);
    free(view->squares.items);
    free(view->boards.items);
    free(view->walkers.items);
    free(view->spare.items);
    free(view);
}

void wn_first_person_set_smooth(wn_first_person *view, bool smooth)
{
    view->jumps = !smooth;
}

bool wn_first_person_suits(const Warren__Mode *mode)
{
    for (size_t i = 0; i < mode->n_tiles; i++) {
        const enum kind kind = kind_of(mode, (uint32_t)i);
        if (kind == KIND_WALL || kind == KIND_DOOR) {
            return true;
        }
    }
    return false;
}

/* squares */

static wn_square square_of(wn_first_person *view, uint32_t tile_number)
{
    if (tile_number >= view->mode->n_tiles) {
        return (wn_square){.floor = WN_NOTHING};
    }
    const Warren__Tile *tile = view->mode->tiles[tile_number];
    const enum kind kind = kind_of(view->mode, tile_number);
    if (kind == KIND_NOTHING) {
        return (wn_square){.floor = WN_NOTHING};
    }
    if (kind == KIND_FLOOR) {
        return (wn_square){.floor = texture_of(view, tile_number, WN_PICTURE_FLOOR), .colour = background(tile)};
    }
    wn_square square = {.floor = WN_PLAIN, .colour = background(tile)};
    if (kind != KIND_THING) {
        const uint32_t height = tile->height < WN_HEIGHT_MAX ? tile->height : WN_HEIGHT_MAX;
        square.wall = texture_of(view, tile_number, WN_PICTURE_WALL);
        square.height = (uint16_t)(height ? height : WN_WALL_HEIGHT);
        square.colour = foreground(tile);
    }
    return square;
}

static enum kind kind_at(const wn_first_person *view, const wn_replica *replica, uint32_t at)
{
    const uint32_t tile = replica->cells[at] / 2;
    return tile < view->mode->n_tiles ? kind_of(view->mode, tile) : KIND_NOTHING;
}

/* Things and doors stand on the floor of a neighbour. */
static void borrow_floor(const wn_first_person *view, const wn_replica *replica, uint32_t at)
{
    wn_square *squares = view->squares.items;
    const uint32_t x = at % replica->width, y = at / replica->width;
    const struct {
        bool there;
        uint32_t at;
    } beside[] = {{x > 0, at - 1},
                  {x + 1 < replica->width, at + 1},
                  {y > 0, at - replica->width},
                  {y + 1 < replica->height, at + replica->width}};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (beside[i].there && kind_at(view, replica, beside[i].at) == KIND_FLOOR) {
            squares[at].floor = squares[beside[i].at].floor;
            return;
        }
    }
}

static wn_billboard *add_board(wn_first_person *view, uint32_t tile, float x, float y, float height)
{
    wn_billboard *board = (wn_billboard *)view->boards.items + view->scene.billboard_count++;
    *board = (wn_billboard){.x = x,
                            .y = y,
                            .height = height,
                            .texture = texture_of(view, tile, WN_PICTURE_UPRIGHT),
                            .frames = 1,
                            .facing = WN_NOWHERE};
    return board;
}

static void see_cells(wn_first_person *view, const wn_replica *replica)
{
    wn_square *squares = view->squares.items;
    const uint32_t count = replica->width * replica->height;
    uint32_t last = UINT32_MAX;
    wn_square square = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (replica->cells[i] / 2u != last) {
            last = replica->cells[i] / 2u;
            square = square_of(view, last);
        }
        squares[i] = square;
        squares[i].remembered = replica->cells[i] & 1;
    }
    view->scene.billboard_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const enum kind kind = kind_at(view, replica, i);
        if (kind != KIND_THING && kind != KIND_DOOR) {
            continue;
        }
        borrow_floor(view, replica, i);
        if (kind == KIND_THING && i != replica->focus) {
            add_board(view, replica->cells[i] / 2u, (float)(i % replica->width) + 0.5F,
                      (float)(i / replica->width) + 0.5F, thing_height);
        }
    }
    view->things = view->scene.billboard_count;
}

static uint32_t count_things(const wn_first_person *view, const wn_replica *replica)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < replica->width * replica->height; i++) {
        count += kind_at(view, replica, i) == KIND_THING;
    }
    return count;
}

/* sprites */

/* Both lists are sorted by id: those that were there walk on, the others just stand. */
static void see_sprites(wn_first_person *view, const wn_replica *replica, int64_t now)
{
    const struct walker *before = view->walkers.items;
    struct walker *after = view->spare.items;
    wn_square *squares = view->squares.items;
    uint32_t old = 0, count = 0;
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        while (old < view->walker_count && before[old].id < sprite->id) {
            old++;
        }
        if (sprite->at >= replica->width * replica->height || sprite->tile >= view->mode->n_tiles) {
            continue;
        }
        if (kind_at(view, replica, sprite->at) == KIND_DOOR) {
            squares[sprite->at].height = 0;
        }
        if (sprite->at == replica->focus) {
            continue;
        }
        const wn_pose there = wn_pose_in(sprite->at % replica->width, sprite->at / replica->width, 0);
        struct walker *walker = &after[count++];
        *walker = (struct walker){.id = sprite->id, .tile = sprite->tile, .facing = sprite->facing};
        if (view->placed && old < view->walker_count && before[old].id == sprite->id) {
            walker->motion = before[old].motion;
            wn_motion_go(&walker->motion, there, now, view->jumps ? 0 : WN_STEP_MS);
        } else {
            wn_motion_jump(&walker->motion, there);
        }
    }
    const struct memory walkers = view->walkers;
    view->walkers = view->spare;
    view->spare = walkers;
    view->walker_count = count;
}

/* the eye */

/* WN_NOWHERE: it is not told. */
static uint32_t facing_at_focus(const wn_replica *replica)
{
    if (replica->facing < WN_DIRECTIONS) {
        return replica->facing;
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        if (replica->sprites[i].at == replica->focus && replica->sprites[i].facing < WN_DIRECTIONS) {
            return replica->sprites[i].facing;
        }
    }
    return WN_NOWHERE;
}

static void move_eye(wn_first_person *view, wn_pose pose, int64_t now)
{
    if (view->placed && !view->jumps) {
        wn_motion_go(&view->eye, pose, now, pose.angle == view->eye.to.angle ? WN_STEP_MS : WN_TURN_MS);
    } else {
        wn_motion_jump(&view->eye, pose);
    }
}

static void see_focus(wn_first_person *view, const wn_replica *replica, int64_t now)
{
    uint32_t focus = replica->focus;
    if (focus >= replica->width * replica->height) {
        if (view->placed) {
            return;
        }
        focus = replica->height / 2 * replica->width + replica->width / 2;
    }
    const uint32_t told = facing_at_focus(replica);
    view->facing = told < WN_DIRECTIONS && told != view->told ? told : view->facing;
    view->told = told;
    move_eye(view, wn_pose_in(focus % replica->width, focus / replica->width, view->facing), now);
    view->placed = true;
}

bool wn_first_person_see(wn_first_person *view, const wn_replica *replica, int64_t now)
{
    if (!replica->ready || replica->width == 0 || replica->height == 0) {
        return true;
    }
    const size_t count = (size_t)replica->width * replica->height;
    const size_t boards = count_things(view, replica) + (size_t)replica->sprite_count + GLOWS;
    if (!reserve(&view->squares, count, sizeof(wn_square)) || !reserve(&view->boards, boards, sizeof(wn_billboard)) ||
        !reserve(&view->walkers, replica->sprite_count, sizeof(struct walker)) ||
        !reserve(&view->spare, replica->sprite_count, sizeof(struct walker))) {
        return false;
    }
    if (replica->world != view->world || replica->width != view->scene.width || replica->height != view->scene.height) {
        view->placed = false;
        view->glow_count = 0;
        view->told = WN_NOWHERE;
    }
    view->world = replica->world;
    view->scene.width = replica->width;
    view->scene.height = replica->height;
    view->scene.squares = view->squares.items;
    view->scene.billboards = view->boards.items;
    see_cells(view, replica);
    see_sprites(view, replica, now);
    see_focus(view, replica, now);
    return true;
}

void wn_first_person_face(wn_first_person *view, uint32_t direction, int64_t now)
{
    view->facing = direction % WN_DIRECTIONS;
    wn_pose pose = view->eye.to;
    pose.angle = wn_pose_in(0, 0, view->facing).angle;
    move_eye(view, pose, now);
}

uint32_t wn_first_person_facing(const wn_first_person *view)
{
    return view->facing;
}

/* effects */

void wn_first_person_effect(wn_first_person *view, const Warren__Effect *effect, int64_t now)
{
    const uint32_t width = view->scene.width, count = width * view->scene.height;
    const bool shot = effect->kind == WARREN__EFFECT_KIND__EFFECT_SHOT;
    const uint32_t to = shot ? effect->to : effect->at;
    if (effect->kind == WARREN__EFFECT_KIND__EFFECT_SOUND || !effect->has_at || effect->at >= count || to >= count ||
        effect->tile >= view->mode->n_tiles || view->glow_count == GLOWS) {
        return;
    }
    const uint16_t texture = texture_number(effect->tile, GLOW);
    if (!wn_textures_has(view->textures, texture)) {
        uint32_t pixels[WN_TEXTURE_PIXELS];
        wn_texture_glow(pixels, foreground(view->mode->tiles[effect->tile]));
        wn_textures_set(view->textures, texture, pixels, WN_TEXTURE_SIDE);
    }
    const bool explodes = effect->kind == WARREN__EFFECT_KIND__EFFECT_EXPLOSION;
    const uint32_t radius = effect->radius < 8 ? effect->radius : 8;
    view->glows[view->glow_count++] = (struct glow){.from = wn_pose_in(effect->at % width, effect->at / width, 0),
                                                    .to = wn_pose_in(to % width, to / width, 0),
                                                    .size = explodes ? 1 + 2 * (float)radius
                                                            : shot   ? 0.3F
                                                                     : 0.7F,
                                                    .texture = texture,
                                                    .start = now};
}

/* A shot flies evenly and keeps its size; what stays in its place swells and then goes. */
static void add_glow(wn_first_person *view, const struct glow *glow, int64_t now)
{
    const float progress = now > glow->start ? (float)(now - glow->start) / WN_GLOW_MS : 0;
    const bool flies = glow->from.x != glow->to.x || glow->from.y != glow->to.y;
    const float size = flies ? glow->size : glow->size * (0.3F + 2.8F * progress * (1 - progress));
    wn_billboard *board = (wn_billboard *)view->boards.items + view->scene.billboard_count++;
    *board = (wn_billboard){.x = glow->from.x + (glow->to.x - glow->from.x) * progress,
                            .y = glow->from.y + (glow->to.y - glow->from.y) * progress,
                            .lift = eye_height - size / 2,
                            .height = size,
                            .texture = glow->texture,
                            .frames = 1,
                            .facing = WN_NOWHERE};
}

static void add_glows(wn_first_person *view, int64_t now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < view->glow_count; i++) {
        if (now < view->glows[i].start + WN_GLOW_MS) {
            view->glows[kept++] = view->glows[i];
            add_glow(view, &view->glows[kept - 1], now);
        }
    }
    view->glow_count = kept;
}

/* frames */

wn_camera wn_first_person_camera(const wn_first_person *view, int64_t now)
{
    const wn_pose pose = wn_motion_at(&view->eye, now);
    return (wn_camera){.x = pose.x - step_back * sinf(pose.angle),
                       .y = pose.y + step_back * cosf(pose.angle),
                       .angle = pose.angle,
                       .eye = eye_height + bob_height * wn_motion_bob(&view->eye, now),
                       .field = field_of_view,
                       .horizon = 0.5F};
}

const wn_scene *wn_first_person_scene(const wn_first_person *view)
{
    return &view->scene;
}

bool wn_first_person_draw(wn_first_person *view, const wn_frame *frame, int64_t now)
{
    const struct walker *walkers = view->walkers.items;
    view->scene.billboard_count = view->things;
    for (uint32_t i = 0; i < view->walker_count; i++) {
        const wn_pose pose = wn_motion_at(&walkers[i].motion, now);
        wn_billboard *board = add_board(view, walkers[i].tile, pose.x, pose.y, sprite_height);
        board->facing = walkers[i].facing < WN_DIRECTIONS ? (uint8_t)walkers[i].facing : WN_NOWHERE;
    }
    if (view->scene.squares) {
        add_glows(view, now);
    }
    const wn_camera camera = wn_first_person_camera(view, now);
    return wn_raycast(view->raycaster, &view->scene, &camera, frame);
}

bool wn_first_person_moves(const wn_first_person *view, int64_t now)
{
    const struct walker *walkers = view->walkers.items;
    bool moves = wn_motion_runs(&view->eye, now) || view->glow_count > 0;
    for (uint32_t i = 0; i < view->walker_count && !moves; i++) {
        moves = wn_motion_runs(&walkers[i].motion, now);
    }
    return moves;
}
