/* sdl_first_person.c: what becomes of a replica's tiles, sprites and focus in the first-person view.
 */
#include <string.h>

#include "first-person.h"
#include "suite.h"

enum { BLANK, GROUND, WALL, DOOR, TOWER, LICHEN, WATER, PLAYER, TILES, WIDTH = 5, HEIGHT = 4 };

static const float back = 0.35F; /* the eye stands so far back from the middle of its square */

static Warren__Tile tiles[TILES];
static Warren__Tile *tile_list[TILES];
static Warren__Mode mode;
static wn_replica *replica;
static wn_first_person *view;
static uint64_t sequence;
static uint32_t facing; /* of the views that are shown */

static void describe(uint32_t number, char *name, uint32_t flags, uint32_t height)
{
    warren__tile__init(&tiles[number]);
    tiles[number].name = name;
    tiles[number].has_foreground = tiles[number].has_background = number != BLANK;
    tiles[number].foreground = 0x808080 + number;
    tiles[number].background = 0x101010 + number;
    tiles[number].flags = flags;
    tiles[number].height = height;
    tile_list[number] = &tiles[number];
}

static void setup(void)
{
    static char names[TILES][8] = {"blank", "ground", "wall", "door", "tower", "lichen", "water", "player"};
    static char glyph[] = " ";
    const uint32_t opaque = WARREN__TILE_FLAG__TILE_OPAQUE, blocks = WARREN__TILE_FLAG__TILE_BLOCKS;
    describe(BLANK, names[BLANK], 0, 0);
    describe(GROUND, names[GROUND], 0, 0);
    describe(WALL, names[WALL], opaque | blocks, 0);
    describe(DOOR, names[DOOR], opaque, 12);
    describe(TOWER, names[TOWER], opaque | blocks, 30);
    describe(LICHEN, names[LICHEN], blocks, 0);
    describe(WATER, names[WATER], WARREN__TILE_FLAG__TILE_ANIMATED, 0);
    describe(PLAYER, names[PLAYER], blocks, 0);
    tiles[BLANK].glyph = glyph;
    tiles[GROUND].glyph = glyph;
    static char name[] = "small";
    warren__mode__init(&mode);
    mode.name = name;
    mode.tiles = tile_list;
    mode.n_tiles = TILES;
    sequence = 0;
    facing = 8;
    replica = wn_replica_new(&mode);
    view = wn_first_person_new(&mode, NULL, NULL);
    ck_assert(replica && view);
}

static void teardown(void)
{
    wn_first_person_free(view);
    wn_replica_free(replica);
}

typedef struct standing {
    uint32_t id, at, tile, facing;
} standing;

/* Shows cells (a number of a tile each, *10 + 1 where it is remembered) and up to two sprites. */
static void show(const uint8_t cells[WIDTH * HEIGHT], uint32_t focus, const standing *sprites, size_t count,
                 int64_t now)
{
    uint32_t numbers[WIDTH * HEIGHT + 1] = {WIDTH * HEIGHT * 4 + 2};
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        numbers[i + 1] = cells[i] >= 10 ? (uint32_t)(cells[i] / 10 * 2 + 1) : (uint32_t)(cells[i] * 2);
    }
    Warren__Sprite made[2], *list[2];
    for (size_t i = 0; i < count; i++) {
        warren__sprite__init(&made[i]);
        made[i].id = sprites[i].id;
        made[i].has_at = made[i].has_tile = made[i].has_facing = true;
        made[i].at = sprites[i].at;
        made[i].tile = sprites[i].tile;
        made[i].facing = sprites[i].facing;
        list[i] = &made[i];
    }
    Warren__Keyframe keyframe = WARREN__KEYFRAME__INIT;
    keyframe.width = WIDTH;
    keyframe.height = HEIGHT;
    keyframe.cells = numbers;
    keyframe.n_cells = WIDTH * HEIGHT + 1;
    keyframe.has_focus = true;
    keyframe.focus = focus;
    keyframe.has_facing = true;
    keyframe.facing = facing;
    keyframe.sprites = list;
    keyframe.n_sprites = count;
    Warren__Update update = WARREN__UPDATE__INIT;
    update.sequence = ++sequence;
    update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update.keyframe = &keyframe;
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
    ck_assert(wn_first_person_see(view, replica, now));
}

static void draw(int64_t now)
{
    static uint32_t pixels[32 * 24];
    const wn_frame frame = {pixels, 32, 24, 32};
    ck_assert(wn_first_person_draw(view, &frame, now));
}

static const uint8_t room[WIDTH * HEIGHT] = {
    WALL, WALL,   DOOR,   TOWER, BLANK, /**/ WALL, GROUND, LICHEN, GROUND, BLANK,
    WALL, GROUND, GROUND, WATER, BLANK, /**/ WALL, WALL,   WALL,   WALL,   BLANK,
};

START_TEST(walls_have_the_legends_height_or_the_usual_one)
{
    show(room, 11, NULL, 0, 0);
    const wn_scene *scene = wn_first_person_scene(view);
    ck_assert_uint_eq(scene->width, WIDTH);
    ck_assert_uint_eq(scene->height, HEIGHT);
    ck_assert_uint_eq(scene->squares[0].height, WN_WALL_HEIGHT);
    ck_assert_uint_eq(scene->squares[2].height, 12);
    ck_assert_uint_eq(scene->squares[3].height, 30);
    ck_assert_uint_eq(scene->squares[6].height, 0);
    ck_assert_uint_eq(scene->squares[4].floor, WN_NOTHING);
    ck_assert_uint_ne(scene->squares[6].floor, WN_NOTHING);
    ck_assert(wn_first_person_suits(&mode));
    mode.n_tiles = WALL;
    ck_assert(!wn_first_person_suits(&mode));
    mode.n_tiles = TILES;
}
END_TEST

START_TEST(a_place_that_is_dug_into_rock_has_a_ceiling_above_its_highest_wall)
{
    ck_assert_uint_eq(wn_first_person_scene(view)->ceiling_height, 0);
    wn_first_person_free(view);
    tiles[BLANK].flags = WARREN__TILE_FLAG__TILE_OPAQUE | WARREN__TILE_FLAG__TILE_BLOCKS; /* tile 0 is all around */
    view = wn_first_person_new(&mode, NULL, NULL);
    ck_assert_ptr_nonnull(view);
    ck_assert_uint_eq(wn_first_person_scene(view)->ceiling_height, 30);
    ck_assert(wn_textures_has(wn_first_person_scene(view)->textures, wn_first_person_scene(view)->ceiling));
    show(room, 11, NULL, 0, 0);
    draw(0);
}
END_TEST

START_TEST(what_blocks_or_moves_stands_on_its_neighbours_floor)
{
    show(room, 11, NULL, 0, 0);
    draw(0);
    const wn_scene *scene = wn_first_person_scene(view);
    ck_assert_uint_eq(scene->billboard_count, 2);
    ck_assert_float_eq(scene->billboards[0].x, 2.5F);
    ck_assert_float_eq(scene->billboards[0].y, 1.5F);
    ck_assert_float_eq(scene->billboards[1].x, 3.5F);
    ck_assert_uint_eq(scene->squares[7].floor, scene->squares[6].floor);
    ck_assert_uint_eq(scene->squares[13].floor, scene->squares[12].floor);
    ck_assert_uint_eq(scene->squares[7].height, 0);
}
END_TEST

START_TEST(what_is_remembered_is_marked)
{
    uint8_t cells[WIDTH * HEIGHT];
    memcpy(cells, room, sizeof cells);
    cells[1] = WALL * 10 + 1;
    show(cells, 11, NULL, 0, 0);
    const wn_scene *scene = wn_first_person_scene(view);
    ck_assert(scene->squares[1].remembered && !scene->squares[0].remembered);
    ck_assert_uint_eq(scene->squares[1].wall, scene->squares[0].wall);
}
END_TEST

START_TEST(the_own_sprite_is_not_drawn_and_turns_the_eye)
{
    const standing sprites[] = {{1, 11, PLAYER, 2}, {2, 12, PLAYER, 8}};
    show(room, 11, sprites, 2, 0);
    draw(0);
    ck_assert_uint_eq(wn_first_person_scene(view)->billboard_count, 3);
    ck_assert_float_eq(wn_first_person_scene(view)->billboards[2].x, 2.5F);
    ck_assert_uint_eq(wn_first_person_facing(view), 2);
    const wn_camera camera = wn_first_person_camera(view, 0);
    ck_assert_float_eq_tol(camera.x, 1.5F - back, 1e-4F);
    ck_assert_float_eq_tol(camera.y, 2.5F, 1e-4F);
    ck_assert_float_eq_tol(camera.angle, 1.5707963F, 1e-5F);
    ck_assert(!wn_first_person_moves(view, 0));
}
END_TEST

START_TEST(eye_and_sprites_walk_to_where_they_are_now)
{
    const standing before[] = {{1, 11, PLAYER, 0}, {2, 12, PLAYER, 8}},
                   after[] = {{1, 6, PLAYER, 0}, {2, 13, PLAYER, 8}};
    show(room, 11, before, 2, 0);
    show(room, 6, after, 2, 1000);
    ck_assert(wn_first_person_moves(view, 1000));
    draw(1000 + WN_STEP_MS / 2);
    const wn_camera camera = wn_first_person_camera(view, 1000 + WN_STEP_MS / 2);
    ck_assert_float_eq_tol(camera.y, 2 + back, 1e-4F);
    ck_assert_float_eq_tol(wn_first_person_scene(view)->billboards[2].x, 3, 1e-4F);
    ck_assert(!wn_first_person_moves(view, 1000 + WN_STEP_MS));
    draw(1000 + WN_STEP_MS);
    ck_assert_float_eq(wn_first_person_scene(view)->billboards[2].x, 3.5F);
    ck_assert_float_eq_tol(wn_first_person_camera(view, 1000 + WN_STEP_MS).y, 1.5F + back, 1e-4F);
}
END_TEST

START_TEST(without_smooth_motion_all_stand_where_they_are_now)
{
    const standing before[] = {{1, 11, PLAYER, 0}, {2, 12, PLAYER, 8}},
                   after[] = {{1, 6, PLAYER, 2}, {2, 13, PLAYER, 8}};
    wn_first_person_set_smooth(view, false);
    show(room, 11, before, 2, 0);
    show(room, 6, after, 2, 1000);
    ck_assert(!wn_first_person_moves(view, 1000));
    draw(1000);
    ck_assert_float_eq(wn_first_person_scene(view)->billboards[2].x, 3.5F);
    const wn_camera camera = wn_first_person_camera(view, 1000);
    ck_assert_float_eq_tol(camera.x, 1.5F - back, 1e-4F);
    ck_assert_float_eq_tol(camera.y, 1.5F, 1e-4F);
    wn_first_person_face(view, 4, 1000);
    ck_assert(!wn_first_person_moves(view, 1000));
}
END_TEST

START_TEST(a_door_is_open_while_someone_stands_in_it)
{
    const standing sprites[] = {{2, 2, PLAYER, 8}};
    show(room, 11, sprites, 1, 0);
    ck_assert_uint_eq(wn_first_person_scene(view)->squares[2].height, 0);
    show(room, 11, NULL, 0, 0);
    ck_assert_uint_eq(wn_first_person_scene(view)->squares[2].height, 12);
}
END_TEST

START_TEST(the_window_can_turn_who_faces_nowhere)
{
    const standing sprites[] = {{1, 11, PLAYER, 8}};
    show(room, 11, sprites, 1, 0);
    ck_assert_uint_eq(wn_first_person_facing(view), 0);
    wn_first_person_face(view, 6, 1000);
    ck_assert(wn_first_person_moves(view, 1000));
    show(room, 11, sprites, 1, 1000 + WN_TURN_MS);
    ck_assert_uint_eq(wn_first_person_facing(view), 6);
    ck_assert_float_eq_tol(wn_first_person_camera(view, 1000 + WN_TURN_MS).angle, 4.712389F, 1e-5F);
}
END_TEST

START_TEST(the_views_facing_goes_before_the_sprites)
{
    const standing sprites[] = {{1, 11, PLAYER, 2}};
    facing = 4;
    show(room, 11, sprites, 1, 0);
    ck_assert_uint_eq(wn_first_person_facing(view), 4);
    facing = 8;
    show(room, 11, sprites, 1, 1000);
    ck_assert_uint_eq(wn_first_person_facing(view), 2);
}
END_TEST

START_TEST(the_eye_keeps_a_turn_of_its_own_until_the_view_tells_another)
{
    facing = 2;
    show(room, 11, NULL, 0, 0);
    wn_first_person_face(view, 4, 0);
    show(room, 6, NULL, 0, 0);
    ck_assert_uint_eq(wn_first_person_facing(view), 4);
    facing = 0;
    show(room, 6, NULL, 0, 0);
    ck_assert_uint_eq(wn_first_person_facing(view), 0);
}
END_TEST

static void happen(Warren__EffectKind kind, uint32_t at, uint32_t to, int64_t now)
{
    Warren__Effect effect = WARREN__EFFECT__INIT;
    effect.has_at = effect.has_to = effect.has_tile = true;
    effect.kind = kind;
    effect.at = at;
    effect.to = to;
    effect.tile = LICHEN;
    wn_first_person_effect(view, &effect, now);
}

START_TEST(effects_are_seen_for_a_moment)
{
    show(room, 11, NULL, 0, 0);
    happen(WARREN__EFFECT_KIND__EFFECT_SHOT, 6, 8, 1000);
    happen(WARREN__EFFECT_KIND__EFFECT_SOUND, 6, 8, 1000);
    happen(WARREN__EFFECT_KIND__EFFECT_FLASH, WIDTH * HEIGHT, 0, 1000);
    happen(WARREN__EFFECT_KIND__EFFECT_SHOT, 6, WIDTH * HEIGHT, 1000);
    draw(1000 + WN_GLOW_MS / 2);
    const wn_scene *scene = wn_first_person_scene(view);
    ck_assert_uint_eq(scene->billboard_count, 3);
    ck_assert_float_eq_tol(scene->billboards[2].x, 2.5F, 1e-3F);
    ck_assert_float_eq(scene->billboards[2].y, 1.5F);
    ck_assert(wn_first_person_moves(view, 1000 + WN_GLOW_MS / 2));
    draw(1000 + WN_GLOW_MS);
    ck_assert_uint_eq(scene->billboard_count, 2);
    ck_assert(!wn_first_person_moves(view, 1000 + WN_GLOW_MS));
    for (uint32_t i = 0; i < 200; i++) { /* more than are kept */
        happen(WARREN__EFFECT_KIND__EFFECT_EXPLOSION, 6, 0, 2000);
    }
    draw(2000);
    ck_assert_uint_le(scene->billboard_count, 2 + 64);
}
END_TEST

static const uint32_t *picture_of(void *user, const Warren__Tile *tile, wn_picture_use use, uint32_t *side)
{
    static const uint32_t white[16 * 16] = {0xffffffff};
    uint32_t *asked = user;
    asked[use] += 1;
    *side = 16;
    return strcmp(tile->name, "wall") ? NULL : white;
}

START_TEST(pictures_are_asked_for_once_a_tile_and_use)
{
    uint32_t asked[3] = {0};
    wn_first_person_free(view);
    view = wn_first_person_new(&mode, picture_of, asked);
    ck_assert_ptr_nonnull(view);
    const standing sprites[] = {{2, 12, PLAYER, 8}};
    for (uint32_t i = 0; i < 3; i++) {
        show(room, 11, sprites, 1, 0);
        draw(0);
    }
    ck_assert_uint_eq(asked[WN_PICTURE_WALL], 3);
    ck_assert_uint_eq(asked[WN_PICTURE_FLOOR], 1);
    ck_assert_uint_eq(asked[WN_PICTURE_UPRIGHT], 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {walls_have_the_legends_height_or_the_usual_one,
                                  a_place_that_is_dug_into_rock_has_a_ceiling_above_its_highest_wall,
                                  what_blocks_or_moves_stands_on_its_neighbours_floor,
                                  what_is_remembered_is_marked,
                                  the_own_sprite_is_not_drawn_and_turns_the_eye,
                                  eye_and_sprites_walk_to_where_they_are_now,
                                  without_smooth_motion_all_stand_where_they_are_now,
                                  a_door_is_open_while_someone_stands_in_it,
                                  the_window_can_turn_who_faces_nowhere,
                                  the_views_facing_goes_before_the_sprites,
                                  the_eye_keeps_a_turn_of_its_own_until_the_view_tells_another,
                                  effects_are_seen_for_a_moment,
                                  pictures_are_asked_for_once_a_tile_and_use};
    return suite_run_with("sdl first person", tests, sizeof tests / sizeof *tests, setup, teardown);
}
