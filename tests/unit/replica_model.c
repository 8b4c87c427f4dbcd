/* A replica equals a plain model of its view after any sequence of updates, lost and invalid ones among them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replica_fixture.h"
#include "suite.h"

enum { MODEL_CELLS = 400, MODEL_IDS = 40, MODEL_ROWS = 6, STEPS = 2000 };

/* What the replica should be, kept in the plainest way: arrays by id. */
typedef struct plain_view {
    uint64_t sequence;
    uint32_t width, height;
    uint16_t cells[MODEL_CELLS];
    bool sprite_there[MODEL_IDS];
    wn_sprite_state sprites[MODEL_IDS];
    wn_field_state fields[FIELDS];
    char rows[MODEL_ROWS][64];
    uint32_t focus;
    char banner[64];
    unsigned messages;
} plain_view;

static uint64_t random_state;

static uint32_t chance(uint32_t below)
{
    return suite_random(&random_state, below);
}

static uint32_t *random_cells(plain_view *model, size_t *count)
{
    const uint32_t total = model->width * model->height;
    uint32_t *numbers = take((4 * total + 4) * sizeof *numbers);
    uint32_t at = 0;
    while (at < total && chance(8) > 0) {
        const uint32_t length = 1 + chance(total - at);
        const uint32_t kind = chance(3);
        numbers[(*count)++] = OPERATION(length, kind);
        const uint32_t fill = chance(TILES * 2);
        if (kind == FILL) {
            numbers[(*count)++] = fill;
        }
        for (uint32_t i = 0; i < length && kind != SKIP; i++) {
            model->cells[at + i] = (uint16_t)(kind == FILL ? fill : chance(TILES * 2));
            if (kind == COPY) {
                numbers[(*count)++] = model->cells[at + i];
            }
        }
        at += length;
    }
    return numbers;
}

static Warren__Sprite *random_sprite(plain_view *model, uint32_t id)
{
    wn_sprite_state *state = &model->sprites[id];
    Warren__Sprite *change = sprite(id * 7);
    if (!model->sprite_there[id]) {
        *state = (wn_sprite_state){.id = id * 7, .facing = 8};
        change->has_at = change->has_tile = true;
        model->sprite_there[id] = true;
    }
    change->has_at |= chance(2) == 0;
    change->has_tile |= chance(2) == 0;
    change->has_facing = chance(2) == 0;
    change->at = chance(model->width * model->height);
    change->tile = chance(TILES);
    change->facing = chance(9);
    state->at = change->has_at ? change->at : state->at;
    state->tile = change->has_tile ? change->tile : state->tile;
    state->facing = change->has_facing ? change->facing : state->facing;
    if (chance(4) == 0) {
        change->label = chance(3) ? text_of("label %u", chance(1000)) : (char *)"";
        strcpy(state->label, change->label);
    }
    return change;
}

static Warren__FieldValue *random_field(plain_view *model)
{
    Warren__FieldValue *value = field(chance(FIELDS));
    wn_field_state *state = &model->fields[value->field];
    value->has_number = chance(2) == 0;
    value->has_maximum = chance(2) == 0;
    value->number = (int64_t)chance(1000) - 500;
    value->maximum = chance(1000);
    value->text = chance(2) ? text_of("value %u", chance(1000)) : NULL;
    state->set = true;
    state->number = value->has_number ? value->number : state->number;
    state->maximum = value->has_maximum ? value->maximum : state->maximum;
    if (value->text) {
        strcpy(state->text, value->text);
    }
    return value;
}

static Warren__BoardRow *random_row(plain_view *model)
{
    const uint32_t index = chance(MODEL_ROWS);
    char *text = text_of("row %u", chance(1000));
    const bool gone = chance(3) == 0;
    strcpy(model->rows[index], gone ? "" : text);
    return row(index, gone ? 0 : 2, text);
}

static void random_keyframe(plain_view *model, Warren__Update *update)
{
    *model = (plain_view){.width = 1 + chance(20),
                          .height = 1 + chance(20),
                          .focus = WN_NO_FOCUS,
                          .messages = model->messages,
                          .sequence = model->sequence};
    Warren__Keyframe *body = keyframe(update, model->width, model->height);
    body->cells = random_cells(model, &body->n_cells);
    for (uint32_t count = chance(MODEL_IDS); count > 0; count--) {
        append(&body->sprites, &body->n_sprites, random_sprite(model, chance(MODEL_IDS)));
    }
    for (uint32_t count = chance(4); count > 0; count--) {
        append(&body->fields, &body->n_fields, random_field(model));
        append(&body->board, &body->n_board, random_row(model));
    }
    body->has_focus = chance(2) == 0;
    body->focus = chance(model->width * model->height);
    model->focus = body->has_focus ? body->focus : WN_NO_FOCUS;
    const unsigned since = model->messages > 5 ? model->messages - 5 : 0;
    model->messages += chance(3);
    for (unsigned number = since + 1; number <= model->messages; number++) {
        append(&body->messages, &body->n_messages, message(number, text_of("message %u", number)));
    }
}

static void random_gone(plain_view *model, Warren__Delta *body)
{
    body->gone = take(MODEL_IDS * sizeof *body->gone);
    for (uint32_t count = chance(4) ? 0 : chance(MODEL_IDS); count > 0; count--) {
        const uint32_t id = chance(MODEL_IDS);
        body->gone[body->n_gone++] = id * 7;
        model->sprite_there[id] = false;
    }
}

static void random_delta(plain_view *model, Warren__Update *update)
{
    Warren__Delta *body = delta(update);
    body->cells = chance(2) ? random_cells(model, &body->n_cells) : NULL;
    random_gone(model, body);
    for (uint32_t count = chance(6); count > 0; count--) {
        append(&body->sprites, &body->n_sprites, random_sprite(model, chance(MODEL_IDS)));
    }
    for (uint32_t count = chance(3); count > 0; count--) {
        append(&body->fields, &body->n_fields, random_field(model));
        append(&body->board, &body->n_board, random_row(model));
    }
    body->has_focus = chance(4) == 0;
    body->focus = chance(model->width * model->height);
    model->focus = body->has_focus ? body->focus : model->focus;
    if (chance(8) == 0) {
        body->banner = chance(2) ? text_of("banner %u", chance(100)) : (char *)"";
        strcpy(model->banner, body->banner);
    }
    for (uint32_t count = chance(3); count > 0; count--) {
        model->messages++;
        append(&body->messages, &body->n_messages, message(model->messages, text_of("message %u", model->messages)));
    }
}

static void assert_sprites(const plain_view *model)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < MODEL_IDS; id++) {
        if (!model->sprite_there[id]) {
            continue;
        }
        ck_assert_uint_lt(count, replica->sprite_count);
        const wn_sprite_state *state = &replica->sprites[count++];
        ck_assert_uint_eq(state->id, id * 7);
        ck_assert_uint_eq(state->at, model->sprites[id].at);
        ck_assert_uint_eq(state->tile, model->sprites[id].tile);
        ck_assert_uint_eq(state->facing, model->sprites[id].facing);
        ck_assert_str_eq(state->label, model->sprites[id].label);
    }
    ck_assert_uint_eq(replica->sprite_count, count);
}

static void assert_equal(const plain_view *model)
{
    ck_assert_uint_eq(replica->sequence, model->sequence);
    ck_assert_uint_eq(replica->width, model->width);
    ck_assert_uint_eq(replica->height, model->height);
    ck_assert_mem_eq(replica->cells, model->cells, (size_t)model->width * model->height * sizeof model->cells[0]);
    assert_sprites(model);
    for (uint32_t i = 0; i < FIELDS; i++) {
        ck_assert_int_eq(replica->fields[i].set, model->fields[i].set);
        ck_assert_int_eq(replica->fields[i].number, model->fields[i].number);
        ck_assert_int_eq(replica->fields[i].maximum, model->fields[i].maximum);
        ck_assert_str_eq(replica->fields[i].text, model->fields[i].text);
    }
    for (uint32_t i = 0; i < MODEL_ROWS; i++) {
        const bool there = i < replica->row_count && replica->rows[i].column_count > 0;
        ck_assert_str_eq(there ? replica->rows[i].columns[1] : "", model->rows[i]);
    }
    ck_assert_uint_eq(replica->focus, model->focus);
    ck_assert_str_eq(replica->banner, model->banner);
    const unsigned kept = model->messages < WN_CLIENT_MESSAGES ? model->messages : WN_CLIENT_MESSAGES;
    ck_assert_uint_eq(replica->message_count, kept);
    for (unsigned i = 0; i < kept; i++) {
        ck_assert_uint_eq(replica->messages[i].number, model->messages - kept + 1 + i);
    }
}

START_TEST(replica_equals_a_plain_model_after_any_sequence)
{
    static plain_view expected, before;
    random_state = suite_seed((uint64_t)time(NULL));
    expected = (plain_view){.focus = WN_NO_FOCUS};
    for (int step = 0; step < STEPS; step++) {
        wn_arena_reset(made);
        before = expected;
        const bool whole = step == 0 || chance(20) == 0;
        const uint64_t sequence = whole ? chance(1000000) : expected.sequence + 1;
        Warren__Update *update = update_with(sequence);
        if (whole) {
            random_keyframe(&expected, update);
        } else {
            random_delta(&expected, update);
        }
        expected.sequence = sequence;
        const bool lost = !whole && chance(10) == 0;
        const bool spoiled = !whole && !lost && chance(10) == 0;
        if (lost) {
            update->sequence += 1 + chance(5);
        } else if (spoiled) {
            append(&update->delta->fields, &update->delta->n_fields, field(FIELDS));
        }
        ck_assert_int_eq(apply(update), lost ? WN_APPLY_GAP : spoiled ? WN_APPLY_INVALID : WN_APPLY_DONE);
        if (lost || spoiled) {
            expected = before;
        }
        assert_equal(&expected);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replica_model");
    TCase *all = tcase_create("replica_model");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, replica_equals_a_plain_model_after_any_sequence);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
