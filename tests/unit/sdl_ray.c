/* sdl_ray.c: what the raycaster shows of small drawn maps, to the pixel. */
#include <string.h>

#include "sdl_ray_fixture.h"
#include "suite.h"

static ray_fixture f;
static const float quarter = 1.57079633F;

static void teardown(void)
{
    ray_teardown(&f);
}

START_TEST(a_corridor_ends_in_a_wall_of_the_height_that_its_distance_gives)
{
    static const char *const rows[] = {"###", "#.#", "#.#", "#.#", "#.#", "#.#",
                                       "#.#", "#.#", "#.#", "#.#", "###", NULL};
    static const float distances[] = {0.5F, 1, 2, 4, 8};
    ray_setup(&f, rows, 64, 64);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        ray_look(&f, 1.5F, 1 + distances[i], 0);
        const uint32_t height = (uint32_t)(32 / distances[i]);
        for (uint32_t x = 31; x <= 32; x++) {
            uint32_t first = 0;
            ck_assert_uint_eq(ray_rows(&f, x, 'r', &first), height);
            ck_assert_uint_eq(first, 32 - height / 2);
            ck_assert_uint_eq(ray_rows(&f, x, 'g', NULL), 32 - height / 2);
        }
    }
}
END_TEST

START_TEST(it_is_the_same_corridor_in_all_four_directions)
{
    static const char *const rows[] = {"#####", "##.##", "#...#", "##.##", "#####", NULL};
    ray_setup(&f, rows, 64, 64);
    ray_look(&f, 2.5F, 2.5F, 0);
    uint32_t north[64];
    for (uint32_t x = 0; x < 64; x++) {
        north[x] = ray_rows(&f, x, 'r', NULL);
    }
    for (uint32_t turn = 1; turn < 8; turn++) {
        ray_look(&f, 2.5F, 2.5F, (float)turn * quarter);
        for (uint32_t x = 0; x < 64; x++) {
            const uint32_t count = ray_rows(&f, x, 'r', NULL);
            /* Edges in the middle of a row, one above and one below, may fall to either side. */
            ck_assert_msg(count + 2 >= north[x] && count <= north[x] + 2, "column %u: %u rows, not %u", x, count,
                          north[x]);
        }
    }
}
END_TEST

START_TEST(directions_go_clockwise_from_north)
{
    static const char *const rows[] = {"...", "..#", "...", NULL};
    ray_setup(&f, rows, 64, 64);
    for (uint32_t turn = 0; turn < 4; turn++) {
        ray_look(&f, 0.5F, 1.5F, (float)turn * quarter);
        ck_assert_int_eq(ray_rows(&f, 32, 'r', NULL) > 0, turn == 1);
    }
    ray_look(&f, 0.5F, 1.5F, 1); /* looking more to the north, the wall in the east is on the right */
    ck_assert_uint_gt(ray_rows(&f, 60, 'r', NULL), 0);
    ck_assert_uint_eq(ray_rows(&f, 4, 'r', NULL), 0);
}
END_TEST

/* From the top: sky, then wall, then floor, each in one piece. */
static void assert_no_cracks(uint32_t x)
{
    static const char order[] = "-rg";
    size_t at = 0;
    for (uint32_t y = 0; y < f.frame.height; y++) {
        const char *found = strchr(order, ray_seen(&f, x, y));
        ck_assert_ptr_nonnull(found);
        ck_assert_msg((size_t)(found - order) >= at, "column %u has %c under %c in row %u", x, *found, order[at], y);
        at = (size_t)(found - order);
    }
}

START_TEST(walls_are_upright_and_without_cracks)
{
    static const char *const rows[] = {"#########", "#.......#", "#.......#", "#...#...#",
                                       "#.......#", "#.......#", "#########", NULL};
    ray_setup(&f, rows, 128, 96);
    for (uint32_t i = 0; i < 63; i++) {
        ray_look(&f, 2.3F + (float)i * 0.01F, 4.1F, (float)i * 0.1F);
        for (uint32_t x = 0; x < 128; x++) {
            assert_no_cracks(x);
        }
    }
}
END_TEST

START_TEST(a_wall_straight_ahead_is_a_rectangle)
{
    static const char *const rows[] = {"###########", "...........", "...........", "...........", "...........", NULL};
    ray_setup(&f, rows, 96, 64);
    ray_look(&f, 5.5F, 4, 0);
    uint32_t first = 0;
    const uint32_t height = ray_rows(&f, 0, 'r', &first);
    ck_assert_uint_eq(height, 16);
    for (uint32_t x = 0; x < 96; x++) {
        uint32_t here = 0;
        ck_assert_uint_eq(ray_rows(&f, x, 'r', &here), height);
        ck_assert_uint_eq(here, first);
    }
}
END_TEST

START_TEST(a_symmetric_place_gives_a_symmetric_picture)
{
    static const char *const rows[] = {"zzzzzzzzz", "z...j...z", "z.c...c.z", "z.......z", "z..t.t..z",
                                       "z.......z", "z.......z", "zzzzzzzzz", NULL};
    ray_setup(&f, rows, 128, 96);
    for (uint32_t i = 0; i < 4; i++) {
        ray_look(&f, 4.5F, 4.25F + 0.5F * (float)i, 0);
        for (uint32_t y = 0; y < 96; y++) {
            for (uint32_t x = 0; x < 64; x++) {
                if (ray_seen(&f, x, y) != '-') { /* the sky is no part of the place */
                    ck_assert_uint_eq(f.pixels[y * 128 + x], f.pixels[y * 128 + 127 - x]);
                }
            }
        }
    }
}
END_TEST

START_TEST(higher_walls_are_seen_above_lower_ones)
{
    static const char *const rows[] = {"zzz", "...", "jjj", "...", "...", NULL};
    ray_setup(&f, rows, 128, 128);
    ray_look(&f, 1.5F, 5, 0);
    /* At 2 squares a wall one square high, at 4 one of 2.6 squares: 2.1 above the eye, at 16 pixels a square. */
    uint32_t first = 0;
    ck_assert_uint_eq(ray_rows(&f, 64, 'r', &first), 16 + 34);
    ck_assert_uint_eq(first, 64 - 34);
    f.squares[2 * 3].height = f.squares[2 * 3 + 1].height = f.squares[2 * 3 + 2].height = 26;
    ray_look(&f, 1.5F, 5, 0);
    ray_rows(&f, 64, 'r', &first);
    ck_assert_uint_eq(first, 0); /* now the nearer one is the higher one: 2.1 * 32 rows above the eye */
}
END_TEST

START_TEST(tops_of_walls_below_the_eye_are_drawn_and_what_is_behind_them_is_not)
{
    static const char *const rows[] = {"...", "...", "...", "...", "...", "...", "...", "...",
                                       "...", "...", "...", "bbb", "...", "...", NULL};
    ray_setup(&f, rows, 128, 128);
    ray_look(&f, 1.5F, 14, 0);
    /* Two tenths high, from 2 to 3 squares away: its top begins at 0.3 * 64 / 3 under the horizon, its foot is at 16.
     */
    uint32_t first = 0;
    ck_assert_uint_eq(ray_rows(&f, 64, 'r', &first), 80 - 70);
    ck_assert_uint_eq(first, 70);
    ck_assert_int_eq(ray_seen(&f, 64, 69), 'g'); /* the floor behind it */
    ck_assert_int_eq(ray_seen(&f, 64, 80), 'g');
}
END_TEST

START_TEST(billboards_stand_before_walls_and_are_hidden_behind_them)
{
    static const char *const rows[] = {"zzzzz", ".....", "#####", ".....", ".....", NULL};
    ray_setup(&f, rows, 128, 128);
    f.scene.billboard_count = 1;
    f.boards[0] = (wn_billboard){.x = 2.5F, .y = 3.5F, .height = 0.5F, .texture = BLUE_CARD, .frames = 1, .facing = 8};
    ray_look(&f, 2.5F, 5.5F, 0);
    /* Two squares away, at 32 pixels a square: 16 rows that end half a square under the horizon, and 16 columns. */
    uint32_t first = 0;
    ck_assert_uint_eq(ray_rows(&f, 64, 'b', &first), 16);
    ck_assert_uint_eq(first, 64);
    for (uint32_t x = 0; x < 128; x++) {
        ck_assert_uint_eq(ray_rows(&f, x, 'b', NULL), x >= 56 && x < 72 ? 16 : 0);
    }
    f.boards[0].y = 1.5F;
    ray_look(&f, 2.5F, 5.5F, 0);
    for (uint32_t x = 0; x < 128; x++) {
        ck_assert_uint_eq(ray_rows(&f, x, 'b', NULL), 0);
    }
}
END_TEST

START_TEST(a_billboard_sticks_out_above_a_low_wall)
{
    static const char *const rows[] = {".....", ".....", "ccccc", ".....", ".....", NULL};
    ray_setup(&f, rows, 128, 128);
    f.scene.billboard_count = 1;
    f.boards[0] = (wn_billboard){.x = 2.5F, .y = 1, .height = 0.75F, .texture = BLUE_CARD, .frames = 1, .facing = 8};
    ray_look(&f, 2.5F, 5, 0);
    /* It goes from a quarter of a square above the eye, at 16 pixels a square, down to the far edge of the wall's top:
     * 0.2 * 64 / 3 under the eye. */
    uint32_t first = 0;
    ck_assert_uint_eq(ray_rows(&f, 64, 'b', &first), 4 + 4);
    ck_assert_uint_eq(first, 60);
    ck_assert_int_eq(ray_seen(&f, 64, 68), 'r');
}
END_TEST

START_TEST(a_billboard_half_behind_a_corner_is_cut_there)
{
    static const char *const rows[] = {"#####", ".....", "##...", ".....", ".....", NULL};
    ray_setup(&f, rows, 128, 128);
    f.scene.billboard_count = 1;
    f.boards[0] = (wn_billboard){.x = 2, .y = 1.5F, .height = 1, .texture = BLUE_CARD, .frames = 1, .facing = 8};
    ray_look(&f, 2, 4.5F, 0);
    ck_assert_uint_eq(ray_rows(&f, 63, 'b', NULL), 0);
    ck_assert_uint_gt(ray_rows(&f, 64, 'b', NULL), 18);
}
END_TEST

START_TEST(the_nearer_of_two_billboards_lies_over_the_other)
{
    static const char *const rows[] = {"...", "...", "...", "...", "...", NULL};
    ray_setup(&f, rows, 64, 64);
    f.scene.billboard_count = 2;
    f.boards[0] = (wn_billboard){.x = 1.5F, .y = 3, .height = 0.5F, .texture = BLUE_CARD, .frames = 1, .facing = 8};
    f.boards[1] = f.boards[0];
    f.boards[1].texture = FIGURE;
    f.boards[1].y = 2;
    ray_look(&f, 1.5F, 5, 0);
    const uint32_t before = ray_rows(&f, 32, 'b', NULL);
    ck_assert_uint_ge(before, 8);
    const uint32_t pixel = f.pixels[36 * 64 + 32];
    f.scene.billboard_count = 1;
    ray_look(&f, 1.5F, 5, 0);
    ck_assert_uint_eq(f.pixels[36 * 64 + 32], pixel);
}
END_TEST

START_TEST(a_billboard_shows_the_side_that_faces_the_eye)
{
    static const char *const rows[] = {".....", ".....", ".....", ".....", ".....", NULL};
    uint32_t pixels[WN_TEXTURE_PIXELS];
    static const uint32_t colours[] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xff000000};
    ray_setup(&f, rows, 64, 64);
    for (uint32_t frame = 0; frame < 4; frame++) {
        for (uint32_t i = 0; i < WN_TEXTURE_PIXELS; i++) {
            pixels[i] = colours[frame];
        }
        ck_assert(wn_textures_set(f.textures, frame, pixels, WN_TEXTURE_SIDE));
    }
    f.scene.billboard_count = 1;
    f.boards[0] = (wn_billboard){.x = 2.5F, .y = 2.5F, .height = 0.9F, .frames = 4};
    /* The eye is south of it: who faces south shows the front, who faces east its right side. */
    static const char seen[] = {[4] = 'r', [2] = 'g', [0] = 'b', [6] = '-'};
    for (uint8_t facing = 0; facing < 8; facing += 2) {
        f.boards[0].facing = facing;
        ray_look(&f, 2.5F, 4.5F, 0);
        ck_assert_int_eq(ray_seen(&f, 32, 34), seen[facing]);
    }
}
END_TEST

START_TEST(what_is_remembered_is_dim_and_nearly_grey)
{
    static const char *const rows[] = {"###", "...", "...", NULL};
    ray_setup(&f, rows, 64, 64);
    ray_look(&f, 1.5F, 2.5F, 0);
    const uint32_t seen = f.pixels[32 * 64 + 32];
    for (size_t i = 0; i < 9; i++) {
        f.squares[i].remembered = true;
    }
    ray_look(&f, 1.5F, 2.5F, 0);
    const uint32_t remembered = f.pixels[32 * 64 + 32];
    ck_assert_uint_lt(remembered >> 16 & 0xff, (seen >> 16 & 0xff) / 2);
    ck_assert_uint_lt((remembered >> 16 & 0xff) - (remembered >> 8 & 0xff), (seen >> 16 & 0xff) / 4);
}
END_TEST

START_TEST(the_sky_turns_with_the_eye)
{
    static const char *const rows[] = {".", NULL};
    ray_setup(&f, rows, 64, 64);
    wn_sky *stars = wn_sky_new(WN_SKY_NIGHT, 3);
    ck_assert_ptr_nonnull(stars);
    f.scene.sky = stars;
    ray_look(&f, 0.5F, 0.5F, 1);
    uint32_t before[64];
    memcpy(before, f.pixels, sizeof before);
    ray_look(&f, 0.5F, 0.5F, 1 + 4 * quarter);
    uint32_t same = 0;
    for (uint32_t x = 0; x < 64; x++) {
        same += before[x] == f.pixels[x];
    }
    ck_assert_uint_ge(same, 60); /* all around; the angle is rounded */
    ray_look(&f, 0.5F, 0.5F, 2);
    ck_assert_int_ne(memcmp(before, f.pixels, sizeof before), 0);
    wn_sky_free(stars);
}
END_TEST

START_TEST(under_a_ceiling_no_sky_is_seen)
{
    static const char *const rows[] = {"#########", "........#", "........#", "........#", "#########", NULL};
    ray_setup(&f, rows, 64, 64);
    f.scene.ceiling = BLUE_CARD;
    f.scene.ceiling_height = 20;
    ray_look(&f, 4.5F, 2.5F, 0);
    ck_assert_int_eq(ray_seen(&f, 32, 0), 'b');
    uint32_t first;
    const uint32_t wall = ray_rows(&f, 32, 'r', &first);
    ck_assert_uint_gt(wall, 0);
    ck_assert_uint_lt(f.pixels[(first - 1) * 64 + 32] & 0xff, f.pixels[32] & 0xff); /* further off, and darker */
    for (uint32_t x = 0; x < 64; x++) {
        for (uint32_t y = 0; y < 10; y++) {
            ck_assert_int_eq(ray_seen(&f, x, y), 'b');
        }
    }
    ray_look(&f, 4.5F, 2.5F, quarter); /* the wall that ends the hall is as high as before */
    ck_assert_uint_gt(ray_rows(&f, 32, 'r', NULL), 0);
    f.camera.eye = 3; /* above it there is the sky again */
    ray_look(&f, 4.5F, 2.5F, 0);
    ck_assert_uint_eq(ray_rows(&f, 32, 'b', NULL), 0);
}
END_TEST

START_TEST(pictures_of_any_size_become_textures)
{
    static uint32_t pixels[257 * 257];
    wn_textures *textures = wn_textures_new(1);
    ck_assert_ptr_nonnull(textures);
    ck_assert(!wn_textures_has(textures, 0));
    ck_assert(!wn_textures_set(textures, 0, pixels, 0));
    ck_assert(!wn_textures_set(textures, 0, pixels, 257));
    ck_assert(!wn_textures_set(textures, 1, pixels, 16));
    ck_assert(!wn_textures_has(textures, 0) && !wn_textures_has(textures, 1));
    for (uint32_t side = 1; side <= 256; side++) {
        ck_assert(wn_textures_set(textures, 0, pixels, side));
    }
    ck_assert(wn_textures_has(textures, 0));
    wn_textures_free(textures);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_corridor_ends_in_a_wall_of_the_height_that_its_distance_gives,
                                  it_is_the_same_corridor_in_all_four_directions,
                                  directions_go_clockwise_from_north,
                                  walls_are_upright_and_without_cracks,
                                  a_wall_straight_ahead_is_a_rectangle,
                                  a_symmetric_place_gives_a_symmetric_picture,
                                  higher_walls_are_seen_above_lower_ones,
                                  tops_of_walls_below_the_eye_are_drawn_and_what_is_behind_them_is_not,
                                  billboards_stand_before_walls_and_are_hidden_behind_them,
                                  a_billboard_sticks_out_above_a_low_wall,
                                  a_billboard_half_behind_a_corner_is_cut_there,
                                  the_nearer_of_two_billboards_lies_over_the_other,
                                  a_billboard_shows_the_side_that_faces_the_eye,
                                  what_is_remembered_is_dim_and_nearly_grey,
                                  the_sky_turns_with_the_eye,
                                  under_a_ceiling_no_sky_is_seen,
                                  pictures_of_any_size_become_textures};
    return suite_run_with("sdl ray", tests, sizeof tests / sizeof *tests, NULL, teardown);
}
