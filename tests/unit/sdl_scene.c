/* A view in the window, above its parts: what the player prefers holds for it from above and from inside. */
#include "app.h"
#include "scene.h"
#include "suite.h"

static char floor_name[] = "floor", wall_name[] = "wall", mode_name[] = "small";
static Warren__Tile tiles[2], *tile_list[] = {&tiles[0], &tiles[1]};
static Warren__Mode mode;
static wn_replica *replica;
static wn_scene_view view;
static wn_app app;
static uint64_t sequence;

static void setup(void)
{
    warren__mode__init(&mode);
    warren__tile__init(&tiles[0]);
    warren__tile__init(&tiles[1]);
    tiles[0].name = floor_name;
    tiles[1].name = wall_name;
    tiles[1].flags = WARREN__TILE_FLAG__TILE_OPAQUE | WARREN__TILE_FLAG__TILE_BLOCKS;
    mode.name = mode_name;
    mode.tiles = tile_list;
    mode.n_tiles = 2;
    replica = wn_replica_new(&mode);
    ck_assert_ptr_nonnull(replica);
    wn_scene_init(&view);
    wn_scene_forget(&view, &app, &mode);
}

static void teardown(void)
{
    wn_scene_free(&view);
    wn_replica_free(replica);
}

/* A room of 3 * 4 squares below a wall, with the player at `focus`. */
static void show(uint32_t focus, int64_t now)
{
    uint32_t numbers[] = {3 * 4 + 2, 2, 2, 2, 9 * 4 + 1, 0};
    Warren__Keyframe keyframe = WARREN__KEYFRAME__INIT;
    keyframe.width = 3;
    keyframe.height = 4;
    keyframe.cells = numbers;
    keyframe.n_cells = sizeof numbers / sizeof *numbers;
    keyframe.has_focus = true;
    keyframe.focus = focus;
    Warren__Update update = WARREN__UPDATE__INIT;
    update.sequence = ++sequence;
    update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update.keyframe = &keyframe;
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
    app.now = now;
    wn_scene_take(&view, &app, replica, &update);
}

/* Does a step of the player take its time, seen from inside? */
static bool step_glides(bool preferred)
{
    app.preferences.motion = preferred;
    show(7, app.now + 10000);
    show(10, app.now + 10000);
    return wn_inside_moves(&view.inside, app.now);
}

START_TEST(smooth_motion_holds_from_inside_as_well)
{
    ck_assert(wn_scene_turn_view(&view, replica, 0));
    ck_assert(view.first_person);
    ck_assert(step_glides(true));
    ck_assert(!step_glides(false));
    ck_assert(step_glides(true));
}
END_TEST

START_TEST(smooth_motion_holds_for_a_view_from_inside_that_is_made_later)
{
    app.preferences.motion = false;
    show(7, 1000);
    ck_assert_ptr_null(view.inside.view);
    ck_assert(wn_scene_turn_view(&view, replica, 1000));
    ck_assert(!step_glides(false));
    wn_scene_forget(&view, &app, &mode); /* another palette, or another window */
    ck_assert(!step_glides(false));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {smooth_motion_holds_from_inside_as_well,
                                  smooth_motion_holds_for_a_view_from_inside_that_is_made_later};
    return suite_run_with("sdl scene", tests, sizeof tests / sizeof *tests, setup, teardown);
}
