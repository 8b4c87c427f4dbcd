/* polar_world.c: see polar_world.h. */
#include "polar_world.h"

#include <stdio.h>

const struct fixture_mode fixture_mode = {.path = POLAR_MODE, .seed = POLAR_SEED, .settings = ""};

static fixture *make_world(const char *pack, const char *settings, size_t memory_limit, wn_error *error)
{
    const fixture_options options = {.seed = 1,
                                     .settings = settings,
                                     .file_setting = "pack",
                                     .file_name = "test.polar",
                                     .file_text = pack,
                                     .memory_limit = memory_limit};
    return fixture_make(&options, error);
}

fixture *world_try(const char *pack, uint32_t slide_ms, bool open, size_t memory_limit, wn_error *error)
{
    char settings[64];
    snprintf(settings, sizeof settings, "open=%s slide_ms=%u calm_ms=0", open ? "yes" : "no", slide_ms);
    return make_world(pack, settings, memory_limit, error);
}

fixture *world_open_calm(const char *pack, uint32_t slide_ms, uint32_t calm_ms)
{
    wn_error error = {0};
    char settings[64];
    snprintf(settings, sizeof settings, "slide_ms=%u calm_ms=%u", slide_ms, calm_ms);
    fixture *made = make_world(pack, settings, 0, &error);
    ck_assert_msg(made != NULL, "%s", error.text);
    return made;
}

fixture *world_open(const char *pack, uint32_t slide_ms, bool open)
{
    wn_error error = {0};
    fixture *made = world_try(pack, slide_ms, open, 0, &error);
    ck_assert_msg(made != NULL, "%s", error.text);
    return made;
}

polar *fixture_game(const fixture *world)
{
    return fixture_state(world);
}

polar_seat *world_seat(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->seats[seat];
}

void play(fixture *world, uint32_t seat, const char *text)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    moves_status result;
    while ((result = moves_next(&moves, &heading)) == MOVES_ONE) {
        fixture_add(world, seat, ACTION_STEP, heading * 2u);
        fixture_turn(world);
    }
    ck_assert_int_eq(result, MOVES_END);
}

/* views */

const char *picture(const fixture *world, int32_t seat)
{
    static char text[(WN_MAX_SIDE + 1) * WN_MAX_SIDE + 1];
    const wn_tile *tiles = wn_plugin_descriptor(world->plugin)->tiles;
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    REQUIRE(view.cells != NULL);
    char *end = text;
    for (uint32_t y = 0; y < view.height; y++) {
        for (uint32_t x = 0; x < view.width; x++) {
            *end++ = tiles[view.cells[y * view.width + x] >> 1].ascii[0];
        }
        *end++ = '\n';
    }
    *end = '\0';
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        const uint32_t at = view.sprites[i].at;
        text[at / view.width * (view.width + 1) + at % view.width] = tiles[view.sprites[i].tile].ascii[0];
    }
    return text;
}

const char *status(const fixture *world, int32_t seat, uint32_t field)
{
    int64_t value, maximum;
    const char *text = NULL;
    return wn_hosted_status(world->hosted, seat, field, &value, &maximum, &text) ? text : NULL;
}

int64_t number(const fixture *world, int32_t seat, uint32_t field)
{
    int64_t value = -1, maximum;
    return wn_hosted_status(world->hosted, seat, field, &value, &maximum, NULL) ? value : -1;
}

const char *banner(const fixture *world, int32_t seat)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    return view.banner != NULL ? view.banner : "";
}
