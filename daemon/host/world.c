/* world.c: makes and ends worlds, watches their views, answers questions about them. Turns are in turn.c, snapshots in
 * save.c.
 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "hosted.h"
#include "pb.h"

enum { DEFAULT_MEMORY = 64 << 20 };

static void log_line(wn_hosted *world, wn_log_level level, const char *format, va_list arguments)
{
    char raw[WN_TEXT_BYTES + 1];
    char clean[WN_TEXT_BYTES + 1];
    if (world->log) {
        vsnprintf(raw, sizeof raw, format, arguments);
        wn_text_copy(clean, WN_TEXT_BYTES, raw, false);
        world->log(world->log_context, world->id, level, clean);
    }
}

void wn_world_log(wn_hosted *world, wn_log_level level, const char *format, ...)
{
    if (world->unseen) {
        return; /* it was logged when the turn was new */
    }
    va_list arguments;
    va_start(arguments, format);
    log_line(world, level, format, arguments);
    va_end(arguments);
}

void wn_world_complain(wn_hosted *world, wn_rule rule, const char *format, ...)
{
    if (world->complained >> rule & 1) {
        return;
    }
    world->complained |= 1u << rule;
    va_list arguments;
    va_start(arguments, format);
    log_line(world, WN_LOG_WARNING, format, arguments);
    va_end(arguments);
}

static void make_views(wn_hosted *world)
{
    const uint32_t seats = world->plugin->mode->max_seats;
    world->views = wn_must_allocate((seats + 1) * sizeof *world->views);
    world->names = wn_must_allocate(seats * sizeof *world->names);
    for (uint32_t i = 0; i <= seats; i++) {
        world->views[i] = (wn_view){.world = world, .seat = (int32_t)i - 1, .x = -1, .y = -1, .facing = WN_HERE};
    }
}

static bool create(wn_hosted *world, wn_error *error)
{
    char *failure = world->plugin->scratch.failure;
    failure[0] = '\0';
    world->phase = WN_PHASE_CREATE;
    const bool created = world->plugin->mode->create(&world->handle);
    world->phase = WN_PHASE_NONE;
    if (!created) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "mode %s cannot create world %u: %.400s", world->plugin->mode->name, world->id,
                            failure[0] ? failure : "it did not say why");
    }
    return true;
}

/* Everything but what the mode holds. */
static void free_world(wn_hosted *world)
{
    const wn_mode_descriptor *mode = world->plugin->mode;
    for (uint32_t i = 0; world->views && i <= mode->max_seats; i++) {
        wn_view_free(&world->views[i]);
    }
    wn_delay_free(&world->delay);
    wn_jobs_free(&world->jobs);
    wn_heap_free(&world->heap);
    wn_setting_states_free(world->settings, mode->setting_count);
    wn_kept_free(&world->outcome);
    free(world->views);
    free(world->names);
    free(world);
}

wn_hosted *wn_hosted_new(wn_plugin *plugin, const wn_world_options *options, wn_error *error)
{
    wn_setting_state *settings = wn_setting_states_new(plugin->mode, options->settings, options->setting_count, error);
    if (!settings) {
        return NULL;
    }
    wn_hosted *world = wn_must_allocate(sizeof *world);
    world->handle.host = &wn_host_calls;
    world->plugin = plugin;
    world->settings = settings;
    world->id = options->id;
    world->heap.limit = options->memory_limit ? options->memory_limit : DEFAULT_MEMORY;
    world->log = options->log;
    world->log_context = options->log_context;
    wn_generator_seed(&world->random, options->seed);
    make_views(world);
    if (!(options->snapshot ? wn_hosted_load(world, options, error) : create(world, error))) {
        free_world(world);
        return NULL;
    }
    wn_delay_begin(world);
    return world;
}

void wn_hosted_free(wn_hosted *world)
{
    if (!world) {
        return;
    }
    if (world->plugin->mode->destroy) {
        world->plugin->mode->destroy(&world->handle);
    }
    free_world(world);
}

uint64_t wn_hosted_turn_number(const wn_hosted *world)
{
    return world->turn;
}

uint32_t wn_hosted_wake_ms(const wn_hosted *world)
{
    return world->wake_ms;
}

const char *wn_hosted_outcome(const wn_hosted *world)
{
    return world->over ? wn_kept_text(&world->outcome) : NULL;
}

const char *wn_hosted_seat(const wn_hosted *world, uint32_t seat, uint32_t *executed)
{
    if (!wn_hosted_taken(world, seat)) {
        return NULL;
    }
    if (executed) {
        *executed = wn_hosted_seat_view(world, (int32_t)seat)->executed;
    }
    return world->names[seat];
}

size_t wn_hosted_memory(const wn_hosted *world)
{
    return world->heap.used;
}

wn_world *wn_hosted_handle(wn_hosted *world)
{
    return &world->handle;
}

/* SeatState { seat = 1, player = 2, executed = 3 } */
void wn_hosted_write_seats(const wn_hosted *world, wn_buffer *buffer, uint32_t field)
{
    for (uint64_t left = world->taken; left; left &= left - 1) {
        const int seat = __builtin_ctzll(left);
        const size_t mark = wn_pb_begin(buffer, field);
        wn_pb_varint(buffer, 1, (uint32_t)seat);
        wn_pb_string(buffer, 2, world->names[seat]);
        wn_pb_varint(buffer, 3, wn_hosted_seat_view(world, seat)->executed);
        wn_pb_end(buffer, mark);
    }
}

void wn_hosted_write_asked(const wn_hosted *world, uint32_t after, wn_buffer *buffer, uint32_t field)
{
    for (uint32_t i = 0; i < world->jobs.count; i++) {
        if (world->jobs.list[i].serial > after) {
            wn_job_write(&world->jobs.list[i], buffer, field);
        }
    }
}

void wn_hosted_report_hash(wn_hosted *world)
{
    world->report_hash = true;
}

/* views */

/* The view that readers of `seat` get. */
static wn_view *published(wn_hosted *world, int32_t seat)
{
    return seat == WN_SPECTATORS && world->delay.turns > 0 ? &world->delay.shown : wn_hosted_seat_view(world, seat);
}

/* The late spectators' view is drawn whether somebody watches or not. */
static void watch_late(wn_hosted *world, bool on, wn_buffer *out)
{
    world->delay.watched = on;
    if (on) {
        const size_t frame = wn_frame_begin(out);
        wn_delay_write_keyframe(world, out, 4);
        wn_frame_end(out, frame);
    }
}

static void stop_watching(wn_hosted *world, int32_t seat)
{
    wn_view *view = wn_hosted_seat_view(world, seat);
    wn_view_watch(view, false);
    if (!wn_hosted_present(world, seat)) {
        wn_view_vacate(view);
    }
}

/* Draws a view that someone begins to look at, or whose world went on unseen. false: there is nothing to draw. */
static bool draw_anew(wn_view *view)
{
    if (!wn_hosted_present(view->world, view->seat)) {
        wn_world_log(view->world, WN_LOG_DEBUG, "seat %d is free and has nothing to watch", view->seat);
        return false;
    }
    wn_view_watch(view, true);
    wn_view_draw(view, WN_DRAW_ALL);
    return true;
}

void wn_hosted_continue(wn_hosted *world, int32_t seat, uint64_t sequence)
{
    if (seat < WN_SPECTATORS || seat >= (int32_t)world->plugin->mode->max_seats) {
        return;
    }
    wn_view *view = published(world, seat);
    if (view->sequence < sequence) {
        view->sequence = sequence;
    }
}

void wn_hosted_watch(wn_hosted *world, int32_t seat, bool on, wn_buffer *out)
{
    if (seat < WN_SPECTATORS || seat >= (int32_t)world->plugin->mode->max_seats) {
        wn_world_log(world, WN_LOG_DEBUG, "there is no seat %d to watch", seat);
        return;
    }
    wn_view *view = wn_hosted_seat_view(world, seat);
    if (seat == WN_SPECTATORS && world->delay.turns > 0) {
        watch_late(world, on, out);
        return;
    }
    if (!on) {
        stop_watching(world, seat);
        return;
    }
    const bool shows = view->picture && view->picture->cells.count > 0;
    const bool late = shows && view->picture->drawn < world->changed && wn_hosted_present(world, seat);
    if ((!shows || late) && !draw_anew(view)) {
        return;
    }
    const size_t frame = wn_frame_begin(out);
    wn_view_write(view, true, out, 4);
    wn_frame_end(out, frame);
}

/* The view if it is watched, or NULL. */
static const wn_view *watched(wn_hosted *world, int32_t seat)
{
    if (seat < WN_SPECTATORS || seat >= (int32_t)world->plugin->mode->max_seats) {
        return NULL;
    }
    if (seat == WN_SPECTATORS && world->delay.turns > 0) {
        wn_delay_catch_up(world);
        return world->delay.watched ? &world->delay.shown : NULL;
    }
    const wn_view *view = wn_hosted_seat_view(world, seat);
    return view->picture ? view : NULL;
}

void wn_hosted_view(wn_hosted *world, int32_t seat, wn_view_state *state)
{
    const wn_view *view = watched(world, seat);
    *state = (wn_view_state){.focus = UINT32_MAX, .banner = ""};
    if (!view) {
        return;
    }
    state->width = view->width;
    state->height = view->height;
    state->cells = view->picture->cells.now;
    state->sprites = view->picture->sprites.shown;
    state->sprite_count = view->picture->sprites.count;
    state->focus = view->picture->focus;
    state->banner = view->picture->banner.shown ? wn_kept_text(&view->picture->banner_text) : "";
    state->sequence = view->sequence;
}

bool wn_hosted_status(wn_hosted *world, int32_t seat, uint32_t field, int64_t *number, int64_t *maximum,
                      const char **text)
{
    const wn_view *view = watched(world, seat);
    if (!view || field >= view->picture->field_count || !view->picture->fields[field].set) {
        return false;
    }
    const wn_field *value = &view->picture->fields[field];
    if (number) {
        *number = value->number;
    }
    if (maximum) {
        *maximum = value->maximum;
    }
    if (text) {
        *text = wn_kept_text(&value->text);
    }
    return true;
}
