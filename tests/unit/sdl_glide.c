/* Sprites between two cells: they arrive, jump when it is far, and fade when they are gone. */
#include "glide.h"
#include "suite.h"

enum { WIDTH = 40, HEIGHT = 20 };

static wn_replica with(const wn_sprite_state *sprites, uint32_t count)
{
    return (wn_replica){.width = WIDTH, .height = HEIGHT, .ready = true, .sprites = sprites, .sprite_count = count};
}

static void take(wn_glides *glides, const wn_sprite_state *sprites, uint32_t count, int64_t now)
{
    const wn_replica replica = with(sprites, count);
    wn_glides_take(glides, &replica, now, true);
}

static float column_of(const wn_glides *glides, uint32_t id, int64_t now)
{
    float x, y;
    wn_glide_place(wn_glides_find(glides, id), now, &x, &y);
    return x;
}

START_TEST(a_step_takes_its_time_and_arrives)
{
    wn_glides glides = {0};
    take(&glides, &(wn_sprite_state){.id = 7, .at = 5}, 1, 1000);
    ck_assert(!wn_glides_move(&glides, 1000));
    take(&glides, &(wn_sprite_state){.id = 7, .at = 6}, 1, 2000);
    ck_assert(wn_glides_move(&glides, 2000));
    ck_assert_float_eq(column_of(&glides, 7, 2000), 5);
    ck_assert_float_gt(column_of(&glides, 7, 2060), 5);
    ck_assert_float_lt(column_of(&glides, 7, 2060), 6);
    ck_assert_float_eq(column_of(&glides, 7, 2000 + WN_GLIDE_MS), 6);
    ck_assert(!wn_glides_move(&glides, 2000 + WN_GLIDE_MS));
    wn_glides_free(&glides);
}
END_TEST

START_TEST(a_step_before_the_last_is_over_goes_on_from_where_it_is)
{
    wn_glides glides = {0};
    take(&glides, &(wn_sprite_state){.id = 7, .at = 5}, 1, 1000);
    take(&glides, &(wn_sprite_state){.id = 7, .at = 6}, 1, 2000);
    const float before = column_of(&glides, 7, 2050);
    take(&glides, &(wn_sprite_state){.id = 7, .at = 7}, 1, 2050);
    ck_assert_float_eq(column_of(&glides, 7, 2050), before);
    ck_assert_float_eq(column_of(&glides, 7, 2050 + WN_GLIDE_MS), 7);
    wn_glides_free(&glides);
}
END_TEST

START_TEST(far_away_it_is_at_once)
{
    wn_glides glides = {0};
    take(&glides, &(wn_sprite_state){.id = 7, .at = 5}, 1, 1000);
    take(&glides, &(wn_sprite_state){.id = 7, .at = 30}, 1, 2000);
    ck_assert_float_eq(column_of(&glides, 7, 2000), 30);
    ck_assert(!wn_glides_move(&glides, 2000));
    wn_glides_free(&glides);
}
END_TEST

START_TEST(what_is_gone_fades_and_is_forgotten)
{
    const wn_sprite_state all[] = {{.id = 3, .at = 1}, {.id = 7, .at = 5}, {.id = 9, .at = 8}};
    wn_glides glides = {0};
    take(&glides, all, 3, 1000);
    take(&glides, all + 1, 2, 2000);
    const wn_glide *gone = wn_glides_find(&glides, 3);
    ck_assert_ptr_nonnull(gone);
    ck_assert_uint_eq(wn_glide_opacity(gone, 2000), 255);
    ck_assert_uint_lt(wn_glide_opacity(gone, 2000 + WN_FADE_MS / 2), 200);
    ck_assert_uint_eq(wn_glide_opacity(gone, 2000 + WN_FADE_MS), 0);
    ck_assert(wn_glides_move(&glides, 2100));
    take(&glides, all + 1, 2, 3000);
    ck_assert_ptr_null(wn_glides_find(&glides, 3));
    ck_assert_ptr_nonnull(wn_glides_find(&glides, 9));
    take(&glides, all, 3, 4000); /* and is back at once, where it is now */
    ck_assert_uint_eq(wn_glide_opacity(wn_glides_find(&glides, 3), 4000), 255);
    wn_glides_free(&glides);
}
END_TEST

START_TEST(another_map_begins_anew)
{
    wn_glides glides = {0};
    const wn_sprite_state sprite = {.id = 7, .at = 5};
    wn_replica replica = with(&sprite, 1);
    wn_glides_take(&glides, &replica, 1000, true);
    replica.width = 4;
    wn_glides_take(&glides, &replica, 2000, true);
    ck_assert_float_eq(column_of(&glides, 7, 2000), 1);
    wn_glides_free(&glides);
}
END_TEST

START_TEST(whoever_wants_no_motion_has_none)
{
    wn_glides glides = {0};
    const wn_sprite_state first = {.id = 7, .at = 5}, second = {.id = 7, .at = 6};
    const wn_replica one = with(&first, 1), other = with(&second, 1), none = with(NULL, 0);
    wn_glides_take(&glides, &one, 1000, false);
    wn_glides_take(&glides, &other, 2000, false);
    ck_assert_float_eq(column_of(&glides, 7, 2000), 6);
    wn_glides_take(&glides, &none, 3000, false);
    ck_assert(!wn_glides_move(&glides, 3000));
    wn_glides_free(&glides);
}
END_TEST

RUN("sdl glide", a_step_takes_its_time_and_arrives, a_step_before_the_last_is_over_goes_on_from_where_it_is,
    far_away_it_is_at_once, what_is_gone_fades_and_is_forgotten, another_map_begins_anew,
    whoever_wants_no_motion_has_none)
