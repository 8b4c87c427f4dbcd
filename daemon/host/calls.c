/* calls.c: what a mode can call: the functions behind warren/mode.h. Each checks where it may be called and what it is
 * given, does nothing if that is wrong, and logs it once a world. What the calls lead to is in view.c and turn.c.
 */
#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pb.h"

enum {
    IN_PLAY = WN_PHASE_JOINED | WN_PHASE_LEFT | WN_PHASE_TURN | WN_PHASE_ANSWERED,
    IN_CHANGE = IN_PLAY | WN_PHASE_CREATE,
    IN_MAKING = IN_CHANGE | WN_PHASE_LOAD
};

static bool allowed(wn_hosted *world, unsigned phases, const char *call)
{
    if (world->phase & phases) {
        return true;
    }
    wn_world_complain(world, WN_RULE_PHASE, "%s was called in a callback where it may not be; ignored", call);
    return false;
}

/* A seat that is taken, or WN_SPECTATORS. */
static bool someone(wn_hosted *world, int32_t seat, const char *call)
{
    if (wn_hosted_present(world, seat)) {
        return true;
    }
    wn_world_complain(world, WN_RULE_SEAT, "%s was called for seat %d, which is free or none; ignored", call, seat);
    return false;
}

/* Somebody has the seat. */
static bool player(wn_hosted *world, uint32_t seat, const char *call)
{
    if (wn_hosted_taken(world, seat)) {
        return true;
    }
    wn_world_complain(world, WN_RULE_SEAT, "%s was called for seat %u, which is free or none; ignored", call, seat);
    return false;
}

/* chance, memory, settings */

static uint64_t random64(wn_world *handle)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_CHANGE, "wn_random()")) {
        return wn_generator_next(&world->plugin->scratch.stray);
    }
    return wn_generator_next(&world->random);
}

static void *checked(wn_hosted *world, void *memory, size_t bytes)
{
    if (!memory) {
        wn_world_complain(world, WN_RULE_MEMORY, "%zu bytes more are not to be had: %zu of at most %zu are in use",
                          bytes, world->heap.used, world->heap.limit);
    }
    return memory;
}

static void *alloc(wn_world *handle, size_t bytes)
{
    wn_hosted *world = wn_hosted_of(handle);
    return checked(world, wn_heap_take(&world->heap, bytes), bytes);
}

static void *resize(wn_world *handle, void *memory, size_t bytes)
{
    wn_hosted *world = wn_hosted_of(handle);
    return checked(world, wn_heap_resize(&world->heap, memory, bytes), bytes);
}

static void release(wn_world *handle, void *memory)
{
    wn_heap_release(&wn_hosted_of(handle)->heap, memory);
}

static const wn_setting_state *setting_at(const wn_world *handle, uint32_t setting)
{
    static const wn_setting_state none = {0};
    wn_hosted *world = wn_hosted_of(handle);
    if (setting < world->plugin->mode->setting_count) {
        return &world->settings[setting];
    }
    wn_world_complain(world, WN_RULE_SETTING, "there is no setting %u: the table has %u", setting,
                      world->plugin->mode->setting_count);
    return &none;
}

static int64_t setting_integer(const wn_world *handle, uint32_t setting)
{
    return setting_at(handle, setting)->number;
}

static const char *setting_text(const wn_world *handle, uint32_t setting)
{
    const char *text = setting_at(handle, setting)->text;
    return text ? text : "";
}

static const char *setting_file(const wn_world *handle, uint32_t setting)
{
    return setting_at(handle, setting)->file;
}

/* drawing */

/* The picture to draw into. NULL: draw() is not running for this view, or only the view's size is wanted. */
static wn_picture *canvas(wn_view *view)
{
    if (!view->drawing) {
        wn_world_complain(view->world, WN_RULE_PHASE,
                          "something was drawn outside of draw() or on a view other than "
                          "the one it was given; ignored");
        return NULL;
    }
    return view->picture;
}

static void view_size(wn_view *view, uint32_t width, uint32_t height)
{
    wn_picture *picture = canvas(view);
    if (width < 1 || height < 1 || width > WN_MAX_SIDE || height > WN_MAX_SIDE) {
        wn_world_complain(view->world, WN_RULE_SIZE, "a view cannot have %u by %u cells: from 1 to %d each; ignored",
                          width, height, WN_MAX_SIDE);
        return;
    }
    if ((picture || view->probe) && (view->width != width || view->height != height)) {
        view->width = width;
        view->height = height;
        if (picture) {
            wn_picture_empty(picture, width * height);
        }
    }
}

static bool known_tile(wn_view *view, uint32_t tile)
{
    const uint32_t count = view->world->plugin->mode->tile_count;
    if (tile < count) {
        return true;
    }
    wn_world_complain(view->world, WN_RULE_TILE, "tile %u was drawn, but there are %u; ignored", tile, count);
    return false;
}

/* Is the cell in the view? Gives its number. */
static bool cell_at(wn_view *view, int32_t x, int32_t y, uint32_t *at)
{
    if (x >= 0 && y >= 0 && (uint32_t)x < view->width && (uint32_t)y < view->height) {
        *at = (uint32_t)y * view->width + (uint32_t)x;
        return true;
    }
    wn_world_complain(view->world, WN_RULE_OUTSIDE, "(%d, %d) was drawn in a view of %u by %u cells; ignored", x, y,
                      view->width, view->height);
    return false;
}

/* Says what is wrong with a cell that put() cannot draw, if anything is. Not in put(), which is to be short. */
static __attribute__((noinline, cold)) void refuse(wn_view *view, int32_t x, int32_t y, uint32_t cell)
{
    uint32_t at;
    if (canvas(view) && cell_at(view, x, y, &at)) {
        known_tile(view, cell >> 1);
    }
}

/* The call that modes make most often. */
static void put(wn_view *view, int32_t x, int32_t y, uint32_t cell)
{
    wn_picture *picture = view->picture;
    if (picture && view->drawing && (uint32_t)x < view->width && (uint32_t)y < view->height &&
        cell >> 1 < picture->tile_count) {
        wn_cells_put(&picture->cells, (uint32_t)y * view->width + (uint32_t)x, (uint16_t)cell);
    } else {
        refuse(view, x, y, cell);
    }
}

/* Draws what differs from what is there; most of a row does not. */
static void put_cells(wn_view *view, wn_cells *map, uint32_t at, const uint16_t *cells, uint32_t count)
{
    enum { STEP = 32 };
    for (uint32_t done = 0; done < count; done += STEP) {
        const uint32_t end = count - done < STEP ? count : done + STEP;
        if (memcmp(map->now + at + done, cells + done, (end - done) * sizeof *cells) == 0) {
            continue;
        }
        for (uint32_t i = done; i < end; i++) {
            if (map->now[at + i] != cells[i] && known_tile(view, cells[i] >> 1)) {
                wn_cells_put(map, at + i, cells[i]);
            }
        }
    }
}

static void put_row(wn_view *view, int32_t x, int32_t y, const uint16_t *cells, uint32_t count)
{
    wn_picture *picture = canvas(view);
    uint32_t at;
    if (!picture || count == 0) {
        return;
    }
    const int64_t first = x < 0 ? -(int64_t)x : 0;
    const int64_t room = (int64_t)view->width - x;
    const int64_t last = room < count ? room : count;
    if (first > 0 || last < count) {
        wn_world_complain(view->world, WN_RULE_OUTSIDE,
                          "a row of %u cells from (%d, %d) leaves a view of %u by %u "
                          "cells; the rest is ignored",
                          count, x, y, view->width, view->height);
    }
    if (first < last && cell_at(view, (int32_t)(x + first), y, &at)) {
        put_cells(view, &picture->cells, at, cells + first, (uint32_t)(last - first));
    }
}

static void sprites_begin(wn_view *view)
{
    wn_picture *picture = canvas(view);
    if (picture) {
        wn_sprites_begin_round(&picture->sprites);
    }
}

static void sprite(wn_view *view, uint32_t id, int32_t x, int32_t y, uint32_t tile, uint32_t facing, const char *label)
{
    wn_picture *picture = canvas(view);
    uint32_t at;
    if (!picture || !known_tile(view, tile) || !cell_at(view, x, y, &at)) {
        return;
    }
    if (facing > WN_HERE) {
        wn_world_complain(view->world, WN_RULE_FACING, "a sprite cannot face %u: a direction or WN_HERE; ignored",
                          facing);
        return;
    }
    if (!wn_sprites_draw(&picture->sprites, &(wn_view_sprite){id, at, tile, facing, label})) {
        wn_world_complain(view->world, WN_RULE_SPRITES, "a view has at most %d sprites; sprite %u is ignored",
                          WN_MAX_SPRITES, id);
    }
}

static void sprite_gone(wn_view *view, uint32_t id)
{
    wn_picture *picture = canvas(view);
    if (picture) {
        wn_sprites_remove(&picture->sprites, id);
    }
}

static bool known_field(wn_view *view, uint32_t field, bool text)
{
    const wn_mode_descriptor *mode = view->world->plugin->mode;
    if (field < mode->status_count && (mode->status[field].kind == WN_STATUS_TEXT) == text) {
        return true;
    }
    wn_world_complain(view->world, WN_RULE_FIELD, "status field %u is not in the table or does not take a %s; ignored",
                      field, text ? "text" : "number");
    return false;
}

static void status_number(wn_view *view, uint32_t field, int64_t number, int64_t maximum)
{
    wn_picture *picture = canvas(view);
    if (picture && known_field(view, field, false)) {
        const bool gauge = view->world->plugin->mode->status[field].kind != WN_STATUS_NUMBER;
        wn_picture_number(picture, field, number, gauge ? maximum : 0);
    }
}

static void status_text(wn_view *view, uint32_t field, const char *text)
{
    wn_picture *picture = canvas(view);
    if (picture && known_field(view, field, true)) {
        wn_picture_text(picture, field, text);
    }
}

static void board_row(wn_view *view, uint32_t row, const char *const *columns)
{
    wn_picture *picture = canvas(view);
    const uint32_t count = view->world->plugin->mode->column_count;
    if (row >= WN_MAX_ROWS || count == 0) {
        wn_world_complain(view->world, WN_RULE_ROW, "scoreboard row %u: there are at most %d, and %u columns; ignored",
                          row, WN_MAX_ROWS, count);
    } else if (picture) {
        wn_picture_row(picture, row, columns, count);
    }
}

static void banner(wn_view *view, const char *text)
{
    wn_picture *picture = canvas(view);
    if (picture) {
        wn_picture_banner(picture, text);
    }
}

static bool region_fits(const wn_view *view, const wn_region *area)
{
    return area->width > 0 && area->height > 0 && area->x < view->width && area->y < view->height &&
           area->width <= view->width - area->x && area->height <= view->height - area->y;
}

static void region(wn_view *view, uint32_t number, const wn_region *area)
{
    wn_picture *picture = canvas(view);
    if (number >= WN_MAX_REGIONS || (picture && area && !region_fits(view, area))) {
        wn_world_complain(view->world, WN_RULE_REGION,
                          "region %u is empty, leaves the view or is one of more than %d; ignored", number,
                          WN_MAX_REGIONS);
    } else if (picture) {
        wn_picture_region(picture, number, area ? area->y * view->width + area->x : 0, area);
    }
}

/* messages, effects, places */

/* The first kinds of the protocol are those of modes; chat and the rest are not theirs to use. */
static Warren__MessageKind kind_of(wn_message_kind kind)
{
    return (unsigned)kind > WN_ALERT ? WARREN__MESSAGE_KIND__MESSAGE_INFO : (Warren__MessageKind)kind;
}

static void say(wn_world *handle, int32_t seat, wn_message_kind kind, const char *text)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_PLAY, "wn_say()")) {
        return;
    }
    if (seat != WN_EVERYONE) {
        if (someone(world, seat, "wn_say()")) {
            wn_messages_add(&wn_hosted_seat_view(world, seat)->messages, kind_of(kind), NULL, text);
        }
        return;
    }
    wn_hosted_tell_all(world, kind_of(kind), NULL, text);
}

static bool is_near(const wn_view *view, int32_t x, int32_t y, uint32_t distance)
{
    return view->x >= 0 && llabs((long long)view->x - x) <= distance && llabs((long long)view->y - y) <= distance;
}

static void say_near(wn_world *handle, int32_t x, int32_t y, uint32_t distance, wn_message_kind kind, const char *text)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_PLAY, "wn_say_near()")) {
        return;
    }
    wn_messages_add(&wn_hosted_seat_view(world, WN_SPECTATORS)->messages, kind_of(kind), NULL, text);
    for (uint64_t left = world->taken; left; left &= left - 1) {
        wn_view *view = wn_hosted_seat_view(world, __builtin_ctzll(left));
        if (is_near(view, x, y, distance)) {
            wn_messages_add(&view->messages, kind_of(kind), NULL, text);
        }
    }
}

static void effect(wn_world *handle, int32_t seat, const wn_effect *shown)
{
    wn_hosted *world = wn_hosted_of(handle);
    wn_scratch *scratch = &world->plugin->scratch;
    if (!allowed(world, IN_PLAY, "wn_show_effect()") ||
        (seat != WN_EVERYONE && !someone(world, seat, "wn_show_effect()")) || world->unseen) {
        return;
    }
    if (scratch->effect_count == WN_MAX_EFFECTS || shown->tile >= world->plugin->mode->tile_count ||
        (unsigned)shown->kind > WN_SOUND || shown->radius > WN_MAX_SIDE) {
        wn_world_complain(world, WN_RULE_EFFECTS,
                          "an effect was one of more than %d in a turn, of no known kind or "
                          "tile, or wider than %d cells; ignored",
                          WN_MAX_EFFECTS, WN_MAX_SIDE);
        return;
    }
    if (scratch->effect_count == scratch->effect_capacity) {
        scratch->effect_capacity = scratch->effect_capacity ? scratch->effect_capacity * 2 : 16;
        scratch->effects = wn_must_resize(scratch->effects, scratch->effect_capacity * sizeof *scratch->effects);
    }
    wn_turn_effect *kept = &scratch->effects[scratch->effect_count++];
    *kept = (wn_turn_effect){seat,        shown->kind,   shown->x,    shown->y, shown->to_x,
                             shown->to_y, shown->radius, shown->tile, ""};
    wn_text_copy(kept->cue, WN_NAME_BYTES, shown->cue, false);
}

static void place(wn_world *handle, int32_t seat, int32_t x, int32_t y)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_MAKING, "wn_place()") || !someone(world, seat, "wn_place()")) {
        return;
    }
    if (x < 0 || y < 0 || x >= WN_MAX_SIDE || y >= WN_MAX_SIDE) {
        wn_world_complain(world, WN_RULE_PLACE, "seat %d cannot be placed at (%d, %d): from 0 to %d each; ignored",
                          seat, x, y, WN_MAX_SIDE - 1);
        return;
    }
    wn_view *view = wn_hosted_seat_view(world, seat);
    view->x = x;
    view->y = y;
}

static void face(wn_world *handle, int32_t seat, uint32_t facing)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_MAKING, "wn_face()") || !someone(world, seat, "wn_face()")) {
        return;
    }
    if (facing > WN_HERE) {
        wn_world_complain(world, WN_RULE_FACING, "seat %d cannot face %u: a direction or WN_HERE; ignored", seat,
                          facing);
        return;
    }
    wn_hosted_seat_view(world, seat)->facing = facing;
}

static void delay_spectators(wn_world *handle, uint32_t turns)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, WN_PHASE_CREATE | WN_PHASE_LOAD, "wn_delay_spectators()")) {
        return;
    }
    if (turns > WN_MAX_DELAY) {
        wn_world_complain(world, WN_RULE_DELAY, "spectators cannot be %u turns late, only %d", turns, WN_MAX_DELAY);
        turns = WN_MAX_DELAY;
    }
    world->delay.turns = turns;
}

/* turns, ends, everything else */

static void wake(wn_world *handle, uint32_t milliseconds)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (allowed(world, IN_MAKING, "wn_wake()")) {
        world->wake_ms = milliseconds;
        world->wake_asked = true;
    }
}

static void end_seat(wn_world *handle, uint32_t seat, const char *text)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_PLAY, "wn_end_seat()") || !player(world, seat, "wn_end_seat()") ||
        (world->ended >> seat & 1)) {
        return;
    }
    world->ended |= UINT64_C(1) << seat;
    wn_hosted_report(world, WN_REPORT_ENDED, seat, text);
}

static void end_world(wn_world *handle, const char *outcome)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (allowed(world, IN_PLAY, "wn_end_world()") && !world->over) {
        world->over = true;
        world->over_now = true;
        wn_kept_set(&world->outcome, outcome, WN_MAX_TEXT, false);
    }
}

/* Score { seat = 1, table = 2, value = 3, detail = 4 } */
static void score(wn_world *handle, uint32_t seat, const char *table, int64_t value, const char *detail)
{
    wn_hosted *world = wn_hosted_of(handle);
    char clean[WN_MAX_TEXT + 1];
    if (!allowed(world, IN_PLAY, "wn_record_score()") || !player(world, seat, "wn_record_score()")) {
        return;
    }
    size_t size = wn_text_copy(clean, WN_MAX_TEXT, table, false);
    if (size == 0) {
        wn_world_complain(world, WN_RULE_SCORE, "a score was recorded in a table without a name; ignored");
        return;
    }
    wn_buffer *events = &world->plugin->scratch.events;
    const size_t mark = wn_pb_begin(events, 8);
    wn_pb_varint(events, 1, seat);
    wn_pb_bytes(events, 2, clean, size);
    wn_pb_varint(events, 3, (uint64_t)value);
    size = wn_text_copy(clean, WN_MAX_TEXT, detail, false);
    if (size > 0) {
        wn_pb_bytes(events, 4, clean, size);
    }
    wn_pb_end(events, mark);
}

static void fail(wn_world *handle, const char *text)
{
    wn_text_copy(wn_hosted_of(handle)->plugin->scratch.failure, WN_MAX_TEXT, text, false);
}

static void write_log(wn_world *handle, wn_log_level level, const char *text)
{
    wn_world_log(wn_hosted_of(handle), (unsigned)level > WN_LOG_DEBUG ? WN_LOG_DEBUG : level, "%s", text);
}

static const char *seat_name(const wn_world *handle, uint32_t seat)
{
    const wn_hosted *world = wn_hosted_of(handle);
    return wn_hosted_taken(world, seat) ? world->names[seat] : NULL;
}

static uint32_t seat_entry(const wn_world *handle, uint32_t seat)
{
    const wn_hosted *world = wn_hosted_of(handle);
    return wn_hosted_taken(world, seat) ? wn_hosted_seat_view(world, (int32_t)seat)->entry : 0;
}

static bool ask(wn_world *handle, uint32_t job, const void *question, size_t size, uint32_t milliseconds)
{
    wn_hosted *world = wn_hosted_of(handle);
    if (!allowed(world, IN_PLAY, "wn_ask()")) {
        return false;
    }
    if (!world->plugin->mode->work || size > WN_MAX_QUESTION || milliseconds < 1 || milliseconds > WN_MAX_JOB_TIME) {
        wn_world_complain(world, WN_RULE_ASK,
                          "wn_ask() was called by a mode without work(), with more than %d bytes or for a time that is "
                          "not 1 to %d milliseconds; ignored",
                          WN_MAX_QUESTION, WN_MAX_JOB_TIME);
        return false;
    }
    return wn_jobs_add(&world->jobs, job, question, size, milliseconds) != NULL;
}

static void write_bytes(wn_writer *writer, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(wn_buffer_reserve(writer->buffer, size), bytes, size);
        writer->buffer->size += size;
    }
}

static bool read_bytes(wn_reader *reader, void *bytes, size_t size)
{
    if (size == 0) {
        return reader->ok;
    }
    if (!reader->ok || size > reader->left) {
        reader->ok = false;
        reader->left = 0;
        memset(bytes, 0, size);
        return false;
    }
    memcpy(bytes, reader->at, size);
    reader->at += size;
    reader->left -= size;
    return true;
}

static size_t read_left(const wn_reader *reader)
{
    return reader->left;
}

static bool read_ok(const wn_reader *reader)
{
    return reader->ok;
}

const wn_host wn_host_calls = {
    .size = sizeof(wn_host),
    .random64 = random64,
    .alloc = alloc,
    .resize = resize,
    .release = release,
    .setting_integer = setting_integer,
    .setting_text = setting_text,
    .view_size = view_size,
    .put = put,
    .put_row = put_row,
    .sprites_begin = sprites_begin,
    .sprite = sprite,
    .sprite_gone = sprite_gone,
    .status_number = status_number,
    .status_text = status_text,
    .board_row = board_row,
    .banner = banner,
    .say = say,
    .say_near = say_near,
    .effect = effect,
    .place = place,
    .wake = wake,
    .end_seat = end_seat,
    .end_world = end_world,
    .score = score,
    .fail = fail,
    .log = write_log,
    .seat_name = seat_name,
    .write = write_bytes,
    .read = read_bytes,
    .read_left = read_left,
    .read_ok = read_ok,
    .setting_file = setting_file,
    .face = face,
    .region = region,
    .delay_spectators = delay_spectators,
    .seat_entry = seat_entry,
    .ask = ask,
};
