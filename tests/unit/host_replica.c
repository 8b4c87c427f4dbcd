/* host_replica.c: see host_replica.h. */
#include "host_replica.h"

#include <stdio.h>
#include <string.h>

static void apply_cells(mirror *replica, const uint32_t *numbers, size_t count)
{
    uint32_t at = 0;
    for (size_t i = 0; i < count;) {
        const uint32_t kind = numbers[i] % 4;
        const uint32_t cells = numbers[i++] / 4;
        ck_assert_uint_le(kind, 2);
        ck_assert_uint_gt(cells, 0);
        ck_assert_uint_le(at + cells, replica->width * replica->height);
        for (uint32_t j = 0; j < cells && kind != 0; j++) {
            ck_assert_uint_lt(i, count);
            replica->cells[at + j] = (uint16_t)numbers[i];
            i += kind == 2 ? 1 : 0;
        }
        i += kind == 1 ? 1 : 0;
        at += cells;
    }
}

static replica_sprite *find_sprite(mirror *replica, uint32_t id)
{
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        if (replica->sprites[i].id == id) {
            return &replica->sprites[i];
        }
    }
    return NULL;
}

static void apply_gone(mirror *replica, const uint32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        replica_sprite *sprite = find_sprite(replica, ids[i]);
        ck_assert_msg(sprite != NULL, "sprite %u is gone and was never there", ids[i]);
        *sprite = replica->sprites[--replica->sprite_count];
    }
}

static void apply_sprites(mirror *replica, Warren__Sprite *const *sprites, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Warren__Sprite *change = sprites[i];
        replica_sprite *sprite = find_sprite(replica, change->id);
        if (!sprite) {
            ck_assert(change->has_at && change->has_tile);
            sprite = &replica->sprites[replica->sprite_count++];
            *sprite = (replica_sprite){.id = change->id, .facing = WN_HERE};
        }
        sprite->at = change->has_at ? change->at : sprite->at;
        sprite->tile = change->has_tile ? change->tile : sprite->tile;
        sprite->facing = change->has_facing ? change->facing : sprite->facing;
        if (change->label) {
            snprintf(sprite->label, sizeof sprite->label, "%s", change->label);
        }
    }
}

static void apply_fields(mirror *replica, Warren__FieldValue *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = fields[i]->field;
        replica->fields[at].set = true;
        replica->fields[at].number = fields[i]->number;
        replica->fields[at].maximum = fields[i]->maximum;
        snprintf(replica->fields[at].text, WN_MAX_TEXT + 1, "%s", fields[i]->text ? fields[i]->text : "");
    }
}

static void apply_board(mirror *replica, Warren__BoardRow *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        replica->rows[rows[i]->row] = rows[i]->n_columns > 0;
        for (size_t column = 0; column < rows[i]->n_columns; column++) {
            snprintf(replica->board[rows[i]->row][column], WN_MAX_TEXT + 1, "%s", rows[i]->columns[column]);
        }
    }
}

/* They count up by one; a keyframe repeats the last ones. */
static void apply_messages(mirror *replica, Warren__Message *const *messages, size_t count, bool keyframe)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = messages[i]->number;
        if (i > 0) {
            ck_assert_uint_eq(number, messages[i - 1]->number + 1);
        }
        if (!keyframe) {
            ck_assert_uint_eq(number, replica->last_message + 1);
        }
        if (number > replica->last_message) {
            replica->last_message = number;
            replica->message_count++;
            snprintf(replica->message, sizeof replica->message, "%s", messages[i]->text);
        }
    }
}

static void apply_keyframe(mirror *replica, const Warren__Keyframe *keyframe)
{
    replica->width = keyframe->width;
    replica->height = keyframe->height;
    replica->focus = keyframe->has_focus ? keyframe->focus : UINT32_MAX;
    replica->sprite_count = 0;
    memset(replica->cells, 0, replica->width * replica->height * sizeof replica->cells[0]);
    memset(replica->fields, 0, sizeof replica->fields);
    memset(replica->rows, 0, sizeof replica->rows);
    snprintf(replica->banner, sizeof replica->banner, "%s", keyframe->banner ? keyframe->banner : "");
    apply_cells(replica, keyframe->cells, keyframe->n_cells);
    apply_sprites(replica, keyframe->sprites, keyframe->n_sprites);
    apply_fields(replica, keyframe->fields, keyframe->n_fields);
    apply_board(replica, keyframe->board, keyframe->n_board);
    apply_messages(replica, keyframe->messages, keyframe->n_messages, true);
}

static void apply_delta(mirror *replica, const Warren__Delta *delta)
{
    apply_cells(replica, delta->cells, delta->n_cells);
    apply_gone(replica, delta->gone, delta->n_gone);
    apply_sprites(replica, delta->sprites, delta->n_sprites);
    apply_fields(replica, delta->fields, delta->n_fields);
    apply_board(replica, delta->board, delta->n_board);
    apply_messages(replica, delta->messages, delta->n_messages, false);
    replica->focus = delta->has_focus ? delta->focus : replica->focus;
    if (delta->banner) {
        snprintf(replica->banner, sizeof replica->banner, "%s", delta->banner);
    }
}

void replica_apply(mirror *replica, const Warren__Update *update)
{
    if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        apply_keyframe(replica, update->keyframe);
    } else {
        ck_assert_uint_eq(update->sequence, replica->sequence + 1);
        if (update->body_case == WARREN__UPDATE__BODY_DELTA) {
            apply_delta(replica, update->delta);
        }
    }
    replica->sequence = update->sequence;
    replica->executed = update->has_executed ? update->executed : replica->executed;
}

void replica_compare(const mirror *mine, wn_hosted *world, int32_t seat)
{
    wn_view_state view;
    wn_hosted_view(world, seat, &view);
    ck_assert_uint_eq(mine->width, view.width);
    ck_assert_uint_eq(mine->height, view.height);
    ck_assert_uint_eq(mine->sequence, view.sequence);
    ck_assert_uint_eq(mine->focus, view.focus);
    ck_assert_str_eq(mine->banner, view.banner);
    ck_assert_mem_eq(mine->cells, view.cells, view.width * view.height * sizeof view.cells[0]);
    ck_assert_uint_eq(mine->sprite_count, view.sprite_count);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        const wn_view_sprite *theirs = &view.sprites[i];
        const replica_sprite *sprite = find_sprite((mirror *)(uintptr_t)mine, theirs->id);
        ck_assert(i == 0 || view.sprites[i - 1].id < theirs->id);
        ck_assert_ptr_nonnull(sprite);
        ck_assert(sprite->at == theirs->at && sprite->tile == theirs->tile && sprite->facing == theirs->facing);
        ck_assert_str_eq(sprite->label, theirs->label);
    }
    for (uint32_t field = 0; field < WN_MAX_STATUS; field++) {
        int64_t number, maximum;
        const char *text;
        ck_assert_int_eq(mine->fields[field].set, wn_hosted_status(world, seat, field, &number, &maximum, &text));
        if (mine->fields[field].set) {
            ck_assert_int_eq(mine->fields[field].number, number);
            ck_assert_int_eq(mine->fields[field].maximum, maximum);
            ck_assert_str_eq(mine->fields[field].text, text);
        }
    }
}
