/* encode.c: a view's picture as the bytes that are published. Written in place, once, into the frame that goes to the
 * daemon; the layout stands above each function. What the numbers mean: proto/warren.proto.
 */
#include "view.h"

#include "hosted.h"
#include "pb.h"

/* FieldValue { field = 1, number = 2, maximum = 3 of gauges } or { field = 1, text = 4 } */
static void write_field(const wn_field *value, uint32_t at, wn_status_kind kind, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, at);
    if (kind == WN_STATUS_TEXT) {
        wn_pb_string(buffer, 4, wn_kept_text(&value->text));
    } else {
        wn_pb_sint(buffer, 2, value->number);
    }
    if (kind == WN_STATUS_GAUGE || kind == WN_STATUS_LOAD) {
        wn_pb_sint(buffer, 3, value->maximum);
    }
    wn_pb_end(buffer, mark);
}

static bool field_differs(const wn_field *value)
{
    return !value->sent || value->text_changed || value->number != value->sent_number ||
           value->maximum != value->sent_maximum;
}

static void write_fields(wn_view *view, bool all, wn_buffer *buffer, uint32_t field)
{
    wn_picture *picture = view->picture;
    uint32_t left = all ? (uint32_t)((UINT64_C(1) << picture->field_count) - 1) : picture->fields_dirty;
    for (; left; left &= left - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(left);
        wn_field *value = &picture->fields[at];
        if (value->set && (all || field_differs(value))) {
            write_field(value, at, view->world->plugin->mode->status[at].kind, buffer, field);
            value->sent = true;
            value->text_changed = false;
            value->sent_number = value->number;
            value->sent_maximum = value->maximum;
        }
    }
    picture->fields_dirty = 0;
}

/* BoardRow { row = 1, columns = 2 unless the row is gone } */
static void write_row(const wn_row *row, uint32_t at, uint32_t columns, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, at);
    for (uint32_t i = 0; row->presence.shown && i < columns; i++) {
        wn_pb_string(buffer, 2, wn_kept_text(&row->columns[i]));
    }
    wn_pb_end(buffer, mark);
}

static void write_changed_rows(wn_view *view, wn_buffer *buffer, uint32_t field)
{
    wn_picture *picture = view->picture;
    for (uint32_t word = 0; word < WN_MAX_ROWS / 64; word++) {
        for (uint64_t left = picture->rows_dirty[word]; left; left &= left - 1) {
            const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (wn_presence_flush(&picture->rows[at].presence)) {
                write_row(&picture->rows[at], at, view->world->plugin->mode->column_count, buffer, field);
            }
        }
        picture->rows_dirty[word] = 0;
    }
}

static void write_all_rows(wn_view *view, wn_buffer *buffer, uint32_t field)
{
    wn_picture *picture = view->picture;
    for (uint32_t at = 0; at < picture->row_count; at++) {
        wn_presence_flush(&picture->rows[at].presence);
        if (picture->rows[at].presence.shown) {
            write_row(&picture->rows[at], at, view->world->plugin->mode->column_count, buffer, field);
        }
    }
    picture->rows_dirty[0] = 0;
    picture->rows_dirty[1] = 0;
}

/* Region { region = 1, then unless it is gone at = 2, width = 3, height = 4, title = 5 } */
static void write_region(const wn_named *region, uint32_t number, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, number);
    if (region->presence.shown) {
        wn_pb_varint(buffer, 2, region->at);
        wn_pb_varint(buffer, 3, region->width);
        wn_pb_varint(buffer, 4, region->height);
        wn_pb_string(buffer, 5, wn_kept_text(&region->title));
    }
    wn_pb_end(buffer, mark);
}

/* Those that changed, or all that are there. */
static void write_regions(wn_picture *picture, bool all, wn_buffer *buffer, uint32_t field)
{
    for (uint32_t i = 0; all && i < picture->region_count; i++) {
        picture->regions_dirty |= UINT64_C(1) << i;
    }
    for (; picture->regions_dirty; picture->regions_dirty &= picture->regions_dirty - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(picture->regions_dirty);
        wn_named *region = &picture->regions[number];
        if (wn_presence_flush(&region->presence) || (all && region->presence.shown)) {
            write_region(region, number, buffer, field);
        }
    }
}

static bool inside(const wn_view *view, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && (uint32_t)x < view->width && (uint32_t)y < view->height;
}

static uint32_t cell_of(const wn_view *view, int32_t x, int32_t y)
{
    return (uint32_t)y * view->width + (uint32_t)x;
}

/* Effect { kind = 1, at = 2, to = 3 of shots, radius = 4 of explosions, tile = 5, cue = 6 }. Those outside the view
 * are not for it; a sound from outside is heard without a place. */
static void write_effect(const wn_view *view, const wn_turn_effect *effect, wn_buffer *buffer, uint32_t field)
{
    const bool seen = inside(view, effect->x, effect->y);
    const bool shot = effect->kind == WN_SHOT;
    if ((!seen && effect->kind != WN_SOUND) || (shot && !inside(view, effect->to_x, effect->to_y))) {
        return;
    }
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, effect->kind);
    if (seen) {
        wn_pb_varint(buffer, 2, cell_of(view, effect->x, effect->y));
    }
    if (shot) {
        wn_pb_varint(buffer, 3, cell_of(view, effect->to_x, effect->to_y));
    }
    if (effect->radius > 0) {
        wn_pb_varint(buffer, 4, effect->radius);
    }
    if (effect->tile > 0) {
        wn_pb_varint(buffer, 5, effect->tile);
    }
    if (effect->cue[0]) {
        wn_pb_string(buffer, 6, effect->cue);
    }
    wn_pb_end(buffer, mark);
}

static void write_effects(const wn_view *view, wn_buffer *buffer, uint32_t field)
{
    const wn_scratch *scratch = &view->world->plugin->scratch;
    for (uint32_t i = 0; i < scratch->effect_count; i++) {
        const wn_turn_effect *effect = &scratch->effects[i];
        if (effect->target == WN_EVERYONE || effect->target == view->seat) {
            write_effect(view, effect, buffer, field);
        }
    }
}

/* Keyframe { width = 1, height = 2, cells = 3, sprites = 4, fields = 5, focus = 6, board = 7, banner = 8,
 *            messages = 9, facing = 10, regions = 11 } */
static void write_keyframe(wn_view *view, wn_buffer *buffer)
{
    wn_picture *picture = view->picture;
    wn_pb_varint(buffer, 1, view->width);
    wn_pb_varint(buffer, 2, view->height);
    wn_cells_write_all(&picture->cells, buffer, 3);
    wn_sprites_write_all(&picture->sprites, buffer, 4);
    write_fields(view, true, buffer, 5);
    if (picture->focus != UINT32_MAX) {
        wn_pb_varint(buffer, 6, picture->focus);
    }
    write_all_rows(view, buffer, 7);
    wn_presence_flush(&picture->banner);
    if (picture->banner.shown) {
        wn_pb_string(buffer, 8, wn_kept_text(&picture->banner_text));
    }
    wn_messages_write(&view->messages, 0, buffer, 9);
    if (picture->facing != WN_HERE) {
        wn_pb_varint(buffer, 10, picture->facing);
    }
    write_regions(picture, true, buffer, 11);
}

/* Delta { cells = 1, sprites = 2, gone = 3, fields = 4, focus = 5, board = 6, banner = 7, messages = 8, effects = 9,
 * facing = 10, regions = 11 }, each only if there is something */
static void write_delta(wn_view *view, wn_buffer *buffer)
{
    wn_picture *picture = view->picture;
    wn_cells_write_changes(&picture->cells, buffer, 1);
    wn_sprites_write_changes(&picture->sprites, buffer, 3, 2);
    write_fields(view, false, buffer, 4);
    if (picture->focus != picture->sent_focus) {
        wn_pb_varint(buffer, 5, picture->focus);
    }
    write_changed_rows(view, buffer, 6);
    if (wn_presence_flush(&picture->banner)) {
        wn_pb_string(buffer, 7, picture->banner.shown ? wn_kept_text(&picture->banner_text) : "");
    }
    if (view->messages.last != view->message_sent) {
        wn_messages_write(&view->messages, view->message_sent, buffer, 8);
    }
    write_effects(view, buffer, 9);
    if (picture->facing != picture->sent_facing) {
        wn_pb_varint(buffer, 10, picture->facing);
    }
    write_regions(picture, false, buffer, 11);
}

/* The beginning of an Update { sequence = 1, turn = 2, executed = 3 if it moved on, keyframe = 4 or delta = 5 or
 * neither }. */
static void write_head(const wn_view *view, bool executed, wn_buffer *buffer)
{
    wn_pb_varint(buffer, 1, view->sequence + 1);
    wn_pb_varint(buffer, 2, view->world->turn);
    if (view->seat != WN_SPECTATORS && executed) {
        wn_pb_varint(buffer, 3, view->executed);
    }
}

/* An Update; 0: there is nothing to say, else where in the buffer its keyframe or delta begins. */
static size_t write_update(wn_view *view, bool keyframe, wn_buffer *buffer)
{
    const bool moved_on = view->executed != view->executed_sent;
    write_head(view, keyframe || moved_on, buffer);
    const size_t body = buffer->size;
    const size_t mark = wn_pb_begin(buffer, keyframe ? 4 : 5);
    if (keyframe) {
        write_keyframe(view, buffer);
    } else {
        write_delta(view, buffer);
    }
    if (buffer->size > mark) {
        wn_pb_end(buffer, mark);
        return body;
    }
    buffer->size = body;
    return moved_on ? body : 0;
}

static void count_as_sent(wn_view *view)
{
    view->sequence++;
    view->executed_sent = view->executed;
    view->message_sent = view->messages.last;
    view->picture->sent_focus = view->picture->focus;
    view->picture->sent_facing = view->picture->facing;
    view->picture->keyframe_due = false;
}

size_t wn_view_write_bare(wn_view *view, bool keyframe, wn_buffer *buffer)
{
    const size_t before = buffer->size;
    const size_t body = write_update(view, keyframe, buffer);
    if (body == 0) {
        buffer->size = before;
        return 0;
    }
    count_as_sent(view);
    return body;
}

/* The beginning of a ViewUpdate { world = 1, seat = 2 unless the spectators, keyframe = 5 if it is one, sequence = 3,
 * update = 4 } */
static void write_view_head(const wn_view *view, bool keyframe, wn_buffer *buffer)
{
    wn_pb_varint(buffer, 1, view->world->id);
    if (view->seat != WN_SPECTATORS) {
        wn_pb_varint(buffer, 2, (uint32_t)view->seat);
    }
    if (keyframe) {
        wn_pb_varint(buffer, 5, 1);
    }
    wn_pb_varint(buffer, 3, view->sequence + 1);
}

bool wn_view_write(wn_view *view, bool keyframe, wn_buffer *buffer, uint32_t field)
{
    keyframe = keyframe || view->picture->keyframe_due;
    const size_t before = buffer->size;
    const size_t mark = wn_pb_begin(buffer, field);
    write_view_head(view, keyframe, buffer);
    const size_t update = wn_pb_begin(buffer, 4);
    if (write_update(view, keyframe, buffer) == 0) {
        buffer->size = before;
        return false;
    }
    wn_pb_end(buffer, update);
    wn_pb_end(buffer, mark);
    count_as_sent(view);
    return true;
}

void wn_view_pass_on(wn_view *view, bool keyframe, const uint8_t *body, size_t size, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    write_view_head(view, keyframe, buffer);
    const size_t update = wn_pb_begin(buffer, 4);
    write_head(view, false, buffer);
    wn_buffer_append(buffer, body, size);
    wn_pb_end(buffer, update);
    wn_pb_end(buffer, mark);
    view->sequence++;
}
