/* A replica: what keyframes and deltas do to it, and that nothing else does anything to it. */
#include <check.h>
#include <string.h>

#include "replica_fixture.h"

/* 4x3, sprites 5 and 9, two fields, a row, a message: what most tests begin with. Sequence 10. */
static void begin(void)
{
    static uint32_t cells[] = {OPERATION(5, FILL), 2, OPERATION(1, SKIP), OPERATION(2, COPY), 3, 11};
    Warren__Update *update = update_with(10);
    Warren__Keyframe *body = keyframe(update, 4, 3);
    body->n_cells = COUNT(cells);
    body->cells = cells;
    append(&body->sprites, &body->n_sprites, whole_sprite(9, 11, 1));
    append(&body->sprites, &body->n_sprites, whole_sprite(5, 0, 2));
    Warren__FieldValue *value = field(1);
    value->has_number = value->has_maximum = true;
    value->number = -3;
    value->maximum = 20;
    append(&body->fields, &body->n_fields, value);
    append(&body->board, &body->n_board, row(1, 2, "ann"));
    append(&body->messages, &body->n_messages, message(1, "hello"));
    body->has_focus = true;
    body->focus = 6;
    body->banner = (char *)"welcome";
    update->has_turn = true;
    update->turn = 77;
    update->has_executed = true;
    update->executed = 4;
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
}

/* keyframes */

START_TEST(keyframe_replaces_everything)
{
    static const uint16_t expected[12] = {2, 2, 2, 2, 2, 0, 3, 11, 0, 0, 0, 0};
    ck_assert(!replica->ready);
    begin();
    ck_assert(replica->ready);
    ck_assert_uint_eq(replica->sequence, 10);
    ck_assert_uint_eq(replica->turn, 77);
    ck_assert_uint_eq(replica->executed, 4);
    ck_assert_uint_eq(replica->width, 4);
    ck_assert_uint_eq(replica->height, 3);
    ck_assert_mem_eq(replica->cells, expected, sizeof expected);
    ck_assert_uint_eq(replica->sprite_count, 2);
    ck_assert_uint_eq(replica->sprites[0].id, 5);
    ck_assert_uint_eq(replica->sprites[1].id, 9);
    ck_assert_uint_eq(replica->sprites[1].at, 11);
    ck_assert_uint_eq(replica->sprites[1].facing, 8);
    ck_assert_str_eq(replica->sprites[1].label, "");
    ck_assert(!replica->fields[0].set);
    ck_assert(replica->fields[1].set);
    ck_assert_int_eq(replica->fields[1].number, -3);
    ck_assert_int_eq(replica->fields[1].maximum, 20);
    ck_assert_uint_eq(replica->row_count, 2);
    ck_assert_uint_eq(replica->rows[0].column_count, 0);
    ck_assert_str_eq(replica->rows[1].columns[1], "ann");
    ck_assert_uint_eq(replica->focus, 6);
    ck_assert_str_eq(replica->banner, "welcome");
    ck_assert_uint_eq(replica->message_count, 1);

    Warren__Update *second = update_with(3); /* lower: the view began anew */
    keyframe(second, 2, 2);
    ck_assert_int_eq(apply(second), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->sequence, 3);
    ck_assert_uint_eq(replica->width, 2);
    ck_assert_uint_eq(replica->cells[3], 0);
    ck_assert_uint_eq(replica->sprite_count, 0);
    ck_assert(!replica->fields[1].set);
    ck_assert_uint_eq(replica->row_count, 0);
    ck_assert_uint_eq(replica->focus, WN_NO_FOCUS);
    ck_assert_str_eq(replica->banner, "");
    ck_assert_uint_eq(replica->turn, 77);
    ck_assert_uint_eq(replica->message_count, 1);
}
END_TEST

START_TEST(nothing_is_shown_before_the_first_keyframe)
{
    Warren__Update *update = update_with(1);
    delta(update);
    ck_assert_int_eq(apply(update), WN_APPLY_GAP);
    ck_assert_int_eq(apply(update_with(1)), WN_APPLY_GAP);
    ck_assert(!replica->ready);
    ck_assert_uint_eq(replica->sequence, 0);
}
END_TEST

/* deltas */

START_TEST(delta_changes_cells_where_it_says)
{
    static uint32_t cells[] = {OPERATION(1, SKIP), OPERATION(2, FILL), 4, OPERATION(8, SKIP), OPERATION(1, COPY), 7};
    static const uint16_t expected[12] = {2, 4, 4, 2, 2, 0, 3, 11, 0, 0, 0, 7};
    begin();
    Warren__Update *update = update_with(11);
    Warren__Delta *body = delta(update);
    body->n_cells = COUNT(cells);
    body->cells = cells;
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_mem_eq(replica->cells, expected, sizeof expected);
    ck_assert_uint_eq(replica->sequence, 11);
    ck_assert_uint_eq(replica->executed, 4);
    ck_assert_str_eq(replica->banner, "welcome");
    ck_assert_uint_eq(replica->focus, 6);
}
END_TEST

START_TEST(delta_moves_makes_and_takes_sprites)
{
    static uint32_t gone[] = {9, 700, 9};
    begin();
    Warren__Update *update = update_with(11);
    Warren__Delta *body = delta(update);
    body->n_gone = COUNT(gone);
    body->gone = gone;
    Warren__Sprite *moved = sprite(5);
    moved->has_at = moved->has_facing = true;
    moved->at = 3;
    moved->facing = 2;
    moved->label = (char *)"ann";
    append(&body->sprites, &body->n_sprites, moved);
    append(&body->sprites, &body->n_sprites, whole_sprite(1, 7, 0));
    append(&body->sprites, &body->n_sprites, whole_sprite(8, 8, 3));
    append(&body->sprites, &body->n_sprites, whole_sprite(9, 2, 4)); /* the id anew, after its sprite went */
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->sprite_count, 4);
    static const uint32_t expected[4][3] = {{1, 7, 0}, {5, 3, 2}, {8, 8, 3}, {9, 2, 4}};
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(replica->sprites[i].id, expected[i][0]);
        ck_assert_uint_eq(replica->sprites[i].at, expected[i][1]);
        ck_assert_uint_eq(replica->sprites[i].tile, expected[i][2]);
    }
    ck_assert_uint_eq(replica->sprites[1].facing, 2);
    ck_assert_str_eq(replica->sprites[1].label, "ann");

    update = update_with(12);
    body = delta(update);
    moved = sprite(5);
    moved->has_tile = true;
    moved->tile = 5;
    append(&body->sprites, &body->n_sprites, moved);
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->sprites[1].tile, 5);
    ck_assert_uint_eq(replica->sprites[1].at, 3);
    ck_assert_str_eq(replica->sprites[1].label, "ann");
}
END_TEST

START_TEST(delta_changes_fields_rows_focus_and_banner)
{
    begin();
    Warren__Update *update = update_with(11);
    Warren__Delta *body = delta(update);
    Warren__FieldValue *number = field(1);
    number->has_number = true;
    number->number = INT64_MIN;
    append(&body->fields, &body->n_fields, number);
    Warren__FieldValue *text = field(2);
    text->text = (char *)"a sword";
    append(&body->fields, &body->n_fields, text);
    append(&body->board, &body->n_board, row(1, 0, NULL));
    append(&body->board, &body->n_board, row(0, 1, "bob"));
    append(&body->board, &body->n_board, row(100, 0, NULL)); /* was never there */
    body->has_focus = true;
    body->focus = 0;
    body->banner = (char *)"";
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_int_eq(replica->fields[1].number, INT64_MIN);
    ck_assert_int_eq(replica->fields[1].maximum, 20);
    ck_assert_str_eq(replica->fields[2].text, "a sword");
    ck_assert_uint_eq(replica->row_count, 1);
    ck_assert_str_eq(replica->rows[0].columns[0], "bob");
    ck_assert_uint_eq(replica->focus, 0);
    ck_assert_str_eq(replica->banner, "");
}
END_TEST

START_TEST(update_without_body_moves_only_the_numbers)
{
    begin();
    Warren__Update *update = update_with(11);
    update->has_executed = true;
    update->executed = 5;
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->sequence, 11);
    ck_assert_uint_eq(replica->executed, 5);
    ck_assert_uint_eq(replica->sprite_count, 2);
}
END_TEST

START_TEST(gap_changes_nothing_until_a_keyframe)
{
    static const uint64_t wrong[] = {0, 9, 10, 12, UINT64_MAX};
    begin();
    for (size_t i = 0; i < COUNT(wrong); i++) {
        Warren__Update *update = update_with(wrong[i]);
        delta(update)->banner = (char *)"wrong";
        ck_assert_int_eq(apply(update), WN_APPLY_GAP);
        ck_assert_uint_eq(replica->sequence, 10);
        ck_assert_str_eq(replica->banner, "welcome");
    }
    Warren__Update *healed = update_with(12);
    keyframe(healed, 1, 1)->banner = (char *)"right";
    ck_assert_int_eq(apply(healed), WN_APPLY_DONE);
    ck_assert_str_eq(replica->banner, "right");
}
END_TEST

/* invalid updates */

static uint32_t past_the_end[] = {OPERATION(12, SKIP), OPERATION(1, FILL), 2};
static uint32_t unknown_cell[] = {OPERATION(1, FILL), TILES * 2};
static uint32_t cut_copy[] = {OPERATION(2, COPY), 2};
static uint32_t cut_fill[] = {OPERATION(2, FILL)};
static uint32_t unknown_kind[] = {OPERATION(1, 3)};
static uint32_t huge[] = {UINT32_MAX - 3, UINT32_MAX - 3};

static void set_cells(Warren__Delta *body, uint32_t *cells, size_t count)
{
    body->cells = cells;
    body->n_cells = count;
}

/* The i-th way to be wrong; false: there is none any more. */
static bool spoil(Warren__Delta *body, int i)
{
    Warren__Sprite *wrong = sprite(5);
    switch (i) {
    case 0:
        set_cells(body, past_the_end, COUNT(past_the_end));
        return true;
    case 1:
        set_cells(body, unknown_cell, COUNT(unknown_cell));
        return true;
    case 2:
        set_cells(body, cut_copy, COUNT(cut_copy));
        return true;
    case 3:
        set_cells(body, cut_fill, COUNT(cut_fill));
        return true;
    case 4:
        set_cells(body, unknown_kind, COUNT(unknown_kind));
        return true;
    case 5:
        set_cells(body, huge, COUNT(huge));
        return true;
    case 6:
        wrong->has_at = true;
        wrong->at = 12;
        break;
    case 7:
        wrong->has_tile = true;
        wrong->tile = TILES;
        break;
    case 8:
        wrong->has_facing = true;
        wrong->facing = 9;
        break;
    case 9:
        wrong = whole_sprite(6, 0, 0);
        wrong->has_tile = false;
        break;
    case 10:
        wrong = whole_sprite(6, 0, 0);
        wrong->has_at = false;
        break;
    case 11:
        append(&body->fields, &body->n_fields, field(FIELDS));
        return true;
    case 12:
        append(&body->board, &body->n_board, row(WN_ROWS, 1, "x"));
        return true;
    case 13:
        append(&body->board, &body->n_board, row(0, WN_COLUMNS + 1, "x"));
        return true;
    case 14:
        body->has_focus = true;
        body->focus = 12;
        return true;
    case 15:
        wrong = sprite(9); /* which goes, so that its change would have to be whole */
        break;
    default:
        return false;
    }
    append(&body->sprites, &body->n_sprites, wrong);
    return true;
}

enum { WAYS_TO_BE_WRONG = 16 };

/* A delta that changes everything there is, so that half of it being applied would show. */
static void change_all(Warren__Delta *body)
{
    static uint32_t cells[] = {OPERATION(12, FILL), 4};
    static uint32_t gone[] = {9};
    set_cells(body, cells, COUNT(cells));
    body->gone = gone;
    body->n_gone = 1;
    append(&body->sprites, &body->n_sprites, whole_sprite(5, 3, 3));
    append(&body->sprites, &body->n_sprites, whole_sprite(7, 3, 3));
    Warren__FieldValue *value = field(0);
    value->text = (char *)"x";
    append(&body->fields, &body->n_fields, value);
    append(&body->board, &body->n_board, row(0, 2, "x"));
    append(&body->messages, &body->n_messages, message(2, "x"));
    body->has_focus = true;
    body->banner = (char *)"x";
}

static void assert_as_begun(void)
{
    static const uint16_t expected[12] = {2, 2, 2, 2, 2, 0, 3, 11, 0, 0, 0, 0};
    ck_assert_uint_eq(replica->sequence, 10);
    ck_assert_mem_eq(replica->cells, expected, sizeof expected);
    ck_assert_uint_eq(replica->sprite_count, 2);
    ck_assert_uint_eq(replica->sprites[0].id, 5);
    ck_assert_uint_eq(replica->sprites[0].at, 0);
    ck_assert_uint_eq(replica->sprites[0].tile, 2);
    ck_assert_uint_eq(replica->sprites[1].id, 9);
    ck_assert(!replica->fields[0].set);
    ck_assert_int_eq(replica->fields[1].number, -3);
    ck_assert_uint_eq(replica->row_count, 2);
    ck_assert_uint_eq(replica->rows[0].column_count, 0);
    ck_assert_uint_eq(replica->focus, 6);
    ck_assert_str_eq(replica->banner, "welcome");
    ck_assert_uint_eq(replica->message_count, 1);
    ck_assert_uint_eq(replica->executed, 4);
}

START_TEST(invalid_delta_leaves_it_untouched)
{
    begin();
    Warren__Update *update = update_with(11);
    update->has_executed = true;
    update->executed = 5;
    change_all(delta(update));
    ck_assert(spoil(update->delta, _i));
    ck_assert_int_eq(apply_raw(update), WN_APPLY_INVALID);
    assert_as_begun();
}
END_TEST

START_TEST(every_way_to_be_wrong_is_tried)
{
    Warren__Update *update = update_with(11);
    ck_assert(!spoil(delta(update), WAYS_TO_BE_WRONG));
    begin();
    change_all(update->delta);
    ck_assert_int_eq(apply_raw(update), WN_APPLY_DONE); /* the same delta, unspoiled */
}
END_TEST

START_TEST(invalid_keyframe_leaves_it_untouched)
{
    static const uint32_t sizes[][2] = {{0, 1}, {1, 0}, {WN_SIDE + 1, 1}, {1, WN_SIDE + 1}};
    begin();
    for (size_t i = 0; i < COUNT(sizes); i++) {
        Warren__Update *update = update_with(20);
        keyframe(update, sizes[i][0], sizes[i][1])->banner = (char *)"wrong";
        ck_assert_int_eq(apply_raw(update), WN_APPLY_INVALID);
        assert_as_begun();
    }
    Warren__Update *update = update_with(20);
    Warren__Keyframe *body = keyframe(update, WN_SIDE, WN_SIDE);
    append(&body->sprites, &body->n_sprites, whole_sprite(1, WN_SIDE * WN_SIDE, 0));
    ck_assert_int_eq(apply_raw(update), WN_APPLY_INVALID);
    assert_as_begun();
}
END_TEST

START_TEST(sprites_are_limited_over_many_deltas)
{
    begin();
    for (uint32_t i = 0; i < WN_SPRITES - 2; i += 2) {
        Warren__Update *update = update_with(11 + i / 2);
        Warren__Delta *body = delta(update);
        append(&body->sprites, &body->n_sprites, whole_sprite(100000 - i, 0, 0));
        append(&body->sprites, &body->n_sprites, whole_sprite(100001 + i, 0, 0));
        ck_assert_int_eq(apply(update), WN_APPLY_DONE);
        wn_arena_reset(made);
    }
    ck_assert_uint_eq(replica->sprite_count, WN_SPRITES);
    for (uint32_t i = 1; i < WN_SPRITES; i++) {
        ck_assert_uint_lt(replica->sprites[i - 1].id, replica->sprites[i].id);
    }
    static uint32_t gone[] = {5, 5};
    Warren__Update *update = update_with(replica->sequence + 1);
    Warren__Delta *body = delta(update);
    append(&body->sprites, &body->n_sprites, whole_sprite(1, 0, 0));
    ck_assert_int_eq(apply(update), WN_APPLY_INVALID);
    body->gone = gone; /* named twice, it makes room for one */
    body->n_gone = 2;
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    update->sequence++;
    body->sprites[0]->id = 2;
    ck_assert_int_eq(apply(update), WN_APPLY_INVALID);
    ck_assert_uint_eq(replica->sprite_count, WN_SPRITES);
}
END_TEST

/* messages */

START_TEST(messages_come_once_and_the_last_thousand_stay)
{
    begin();
    unsigned number = 2;
    for (unsigned sequence = 11; sequence < 11 + 80; sequence++) {
        Warren__Update *update = update_with(sequence);
        Warren__Delta *body = delta(update);
        append(&body->messages, &body->n_messages, message(number - 1, "again"));
        for (unsigned i = 0; i < 40; i++, number++) {
            append(&body->messages, &body->n_messages, message(number, text_of("message %u", number)));
        }
        ck_assert_int_eq(apply(update), WN_APPLY_DONE);
        wn_arena_reset(made);
        const unsigned had = number - 1;
        ck_assert_uint_eq(replica->message_count, had < WN_CLIENT_MESSAGES ? had : WN_CLIENT_MESSAGES);
        for (unsigned i = 1; i <= replica->message_count && i < had; i++) {
            const wn_message_state *state = &replica->messages[replica->message_count - i];
            ck_assert_uint_eq(state->number, number - i);
            ck_assert_str_eq(state->text, text_of("message %u", number - i));
        }
        wn_arena_reset(made);
    }
}
END_TEST

START_TEST(messages_of_a_keyframe_are_new_only_if_they_are)
{
    begin();
    Warren__Update *update = update_with(30);
    Warren__Keyframe *body = keyframe(update, 4, 3);
    append(&body->messages, &body->n_messages, message(1, "hello"));
    append(&body->messages, &body->n_messages, message(2, "there"));
    body->messages[1]->has_kind = true;
    body->messages[1]->kind = WARREN__MESSAGE_KIND__MESSAGE_CHAT;
    body->messages[1]->from = (char *)"bob";
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->message_count, 2);
    ck_assert_str_eq(replica->messages[1].text, "there");
    ck_assert_str_eq(replica->messages[1].from, "bob");
    ck_assert_int_eq(replica->messages[1].kind, WARREN__MESSAGE_KIND__MESSAGE_CHAT);

    update = update_with(1); /* the view begins anew, and its numbers with it */
    body = keyframe(update, 4, 3);
    append(&body->messages, &body->n_messages, message(1, "anew"));
    ck_assert_int_eq(apply(update), WN_APPLY_DONE);
    ck_assert_uint_eq(replica->message_count, 3);
    ck_assert_str_eq(replica->messages[2].text, "anew");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replica");
    TCase *all = tcase_create("replica");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, keyframe_replaces_everything);
    tcase_add_test(all, nothing_is_shown_before_the_first_keyframe);
    tcase_add_test(all, delta_changes_cells_where_it_says);
    tcase_add_test(all, delta_moves_makes_and_takes_sprites);
    tcase_add_test(all, delta_changes_fields_rows_focus_and_banner);
    tcase_add_test(all, update_without_body_moves_only_the_numbers);
    tcase_add_test(all, gap_changes_nothing_until_a_keyframe);
    tcase_add_loop_test(all, invalid_delta_leaves_it_untouched, 0, WAYS_TO_BE_WRONG);
    tcase_add_test(all, every_way_to_be_wrong_is_tried);
    tcase_add_test(all, invalid_keyframe_leaves_it_untouched);
    tcase_add_test(all, sprites_are_limited_over_many_deltas);
    tcase_add_test(all, messages_come_once_and_the_last_thousand_stay);
    tcase_add_test(all, messages_of_a_keyframe_are_new_only_if_they_are);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
