/* host_view.c: what a view's updates hold, case by case: nothing for what was drawn again, little for little, and the
 * rest as warren.proto says.
 */
#include "host_replica.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 50 };

/* What the puppet draws in these tests. */
typedef struct stage {
    uint16_t floor; /* of all cells */
    uint16_t spot;  /* of the cell at (spot_x, spot_y) */
    int32_t spot_x, spot_y;
    int32_t walker_x; /* sprite 7; -1: not there */
    bool sweep;       /* draw all sprites each time */
    bool gone;        /* say that sprite 7 is gone */
    const char *label, *mood, *banner;
    int64_t score;
    const char *row[2]; /* NULL: none */
    wn_region region;   /* number 3; without a title: none */
    uint32_t width;     /* 0: WIDTH */
} stage;

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    const stage *shown = context;
    const uint32_t width = shown->width ? shown->width : WIDTH;
    (void)seat;
    (void)what;
    wn_view_size(world, view, width, HEIGHT);
    for (int32_t y = 0; y < HEIGHT; y++) {
        for (int32_t x = 0; x < (int32_t)width; x++) {
            const bool spot = x == shown->spot_x && y == shown->spot_y;
            wn_put(world, view, x, y, spot ? shown->spot : shown->floor);
        }
    }
    if (shown->sweep) {
        wn_sprites_begin(world, view);
    }
    if (shown->gone) {
        wn_sprite_gone(world, view, 7);
    } else if (shown->walker_x >= 0) {
        wn_sprite(world, view, 7, shown->walker_x, 2, 3, WN_EAST, shown->label);
    }
    wn_status_number(world, view, PUPPET_SCORE, shown->score);
    wn_status_text(world, view, PUPPET_MOOD, shown->mood);
    wn_banner(world, view, shown->banner);
    wn_board_row(world, view, 1, shown->row[0] ? shown->row : NULL);
    wn_name_region(world, view, 3, shown->region.title ? &shown->region : NULL);
}

typedef struct playhouse {
    scene fixture;
    stage stage;
    mirror *mirror;
} playhouse;

static void open_theatre(playhouse *theatre)
{
    memset(theatre, 0, sizeof *theatre);
    theatre->stage = (stage){.floor = WN_CELL(2), .spot = WN_CELL(9), .walker_x = 5};
    fixture_open(&theatre->fixture, "puppet", 1);
    input_join(&theatre->fixture, 0, "ann");
    run_turn(&theatre->fixture);
    fixture_puppet(&theatre->fixture)->draw = draw;
    fixture_puppet(&theatre->fixture)->context = &theatre->stage;
    theatre->mirror = calloc(1, sizeof *theatre->mirror);
    replica_apply(theatre->mirror, open_update(watch(&theatre->fixture, WN_SPECTATORS, true)));
}

static void close_theatre(playhouse *theatre)
{
    free(theatre->mirror);
    fixture_close(&theatre->fixture);
}

/* The spectators' update of a turn in which the mode runs; NULL: none. Applied and compared. */
static const Warren__Update *next_update(playhouse *theatre)
{
    const Warren__Host__ViewUpdate *update = update_of(run_wait(&theatre->fixture), WN_SPECTATORS);
    if (!update) {
        return NULL;
    }
    const Warren__Update *opened = open_update(update);
    replica_apply(theatre->mirror, opened);
    replica_compare(theatre->mirror, theatre->fixture.world, WN_SPECTATORS);
    return opened;
}

static const Warren__Delta *next_delta(playhouse *theatre)
{
    const Warren__Update *update = next_update(theatre);
    ck_assert_ptr_nonnull(update);
    ck_assert_int_eq(update->body_case, WARREN__UPDATE__BODY_DELTA);
    return update->delta;
}

START_TEST(drawing_the_same_again_sends_nothing)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.mood = "calm";
    theatre.stage.banner = "Hello\nthere";
    theatre.stage.row[0] = "ann";
    theatre.stage.sweep = true;
    ck_assert_ptr_nonnull(next_update(&theatre));
    for (int i = 0; i < 5; i++) {
        const uint32_t draws = fixture_puppet(&theatre.fixture)->draws;
        ck_assert_ptr_null(next_update(&theatre));
        ck_assert_uint_eq(fixture_puppet(&theatre.fixture)->draws, draws + 1);
    }
    ck_assert_str_eq(theatre.mirror->banner, "Hello\nthere");
    close_theatre(&theatre);
}
END_TEST

START_TEST(one_changed_cell_costs_at_most_25_bytes)
{
    playhouse theatre;
    open_theatre(&theatre);
    for (uint32_t i = 0; i < 300; i++) {
        run_wait(&theatre.fixture); /* numbers of the size that they have in play */
    }
    theatre.stage.spot_x = WIDTH - 1;
    theatre.stage.spot_y = HEIGHT - 1;
    theatre.stage.spot = WN_CELL(2);
    theatre.stage.floor = WN_CELL(2);
    next_update(&theatre);
    theatre.stage.spot = WN_CELL(70);
    const Warren__Host__ViewUpdate *update = update_of(run_wait(&theatre.fixture), WN_SPECTATORS);
    ck_assert_ptr_nonnull(update);
    ck_assert_uint_le(update->update.len, 25);
    replica_apply(theatre.mirror, open_update(update));
    replica_compare(theatre.mirror, theatre.fixture.world, WN_SPECTATORS);
    close_theatre(&theatre);
}
END_TEST

START_TEST(a_moved_sprite_sends_its_place_only)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.walker_x = 6;
    const Warren__Delta *delta = next_delta(&theatre);
    ck_assert_uint_eq(delta->n_cells, 0);
    ck_assert_uint_eq(delta->n_sprites, 1);
    ck_assert_uint_eq(delta->sprites[0]->id, 7);
    ck_assert_uint_eq(delta->sprites[0]->at, 2 * WIDTH + 6);
    ck_assert(!delta->sprites[0]->has_tile && !delta->sprites[0]->has_facing && !delta->sprites[0]->label);
    close_theatre(&theatre);
}
END_TEST

START_TEST(a_sprite_not_drawn_after_sprites_begin_is_gone)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.walker_x = -1;
    ck_assert_ptr_null(next_update(&theatre)); /* without sprites_begin it stays */
    theatre.stage.sweep = true;
    const Warren__Delta *delta = next_delta(&theatre);
    ck_assert_uint_eq(delta->n_gone, 1);
    ck_assert_uint_eq(delta->gone[0], 7);
    theatre.stage.walker_x = 5;
    theatre.stage.label = "ann";
    delta = next_delta(&theatre);
    ck_assert(delta->sprites[0]->has_tile && delta->sprites[0]->has_facing);
    ck_assert_str_eq(delta->sprites[0]->label, "ann");
    theatre.stage.label = NULL;
    ck_assert_str_eq(next_delta(&theatre)->sprites[0]->label, "");
    theatre.stage.sweep = false;
    theatre.stage.gone = true;
    ck_assert_uint_eq(next_delta(&theatre)->n_gone, 1);
    ck_assert_ptr_null(next_update(&theatre));
    close_theatre(&theatre);
}
END_TEST

START_TEST(status_board_and_banner_are_sent_when_they_change)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.score = -12;
    theatre.stage.mood = "calm";
    const Warren__Delta *delta = next_delta(&theatre);
    ck_assert_uint_eq(delta->n_fields, 2);
    ck_assert_int_eq(delta->fields[0]->number, -12);
    ck_assert_str_eq(delta->fields[1]->text, "calm");
    theatre.stage.row[0] = "ann";
    theatre.stage.row[1] = "12";
    delta = next_delta(&theatre);
    ck_assert_uint_eq(delta->n_board, 1);
    ck_assert_uint_eq(delta->board[0]->row, 1);
    ck_assert_uint_eq(delta->board[0]->n_columns, PUPPET_COLUMNS);
    ck_assert_str_eq(delta->board[0]->columns[1], "12");
    theatre.stage.row[0] = NULL;
    delta = next_delta(&theatre);
    ck_assert_uint_eq(delta->board[0]->n_columns, 0);
    theatre.stage.banner = "You win";
    ck_assert_str_eq(next_delta(&theatre)->banner, "You win");
    theatre.stage.banner = NULL;
    ck_assert_str_eq(next_delta(&theatre)->banner, "");
    ck_assert_ptr_null(next_update(&theatre));
    close_theatre(&theatre);
}
END_TEST

static const Warren__Region *only_region(const Warren__Delta *delta)
{
    ck_assert_uint_eq(delta->n_regions, 1);
    ck_assert_uint_eq(delta->regions[0]->region, 3);
    return delta->regions[0];
}

START_TEST(regions_are_sent_when_they_change_and_with_a_keyframe)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.region = (wn_region){10, 2, 20, 5, "ann's"};
    const Warren__Region *region = only_region(next_delta(&theatre));
    ck_assert_uint_eq(region->at, 2 * WIDTH + 10);
    ck_assert(region->width == 20 && region->height == 5);
    ck_assert_str_eq(region->title, "ann's");
    ck_assert_ptr_null(next_update(&theatre));
    theatre.stage.region.title = "bob's";
    ck_assert_str_eq(only_region(next_delta(&theatre))->title, "bob's");
    const Warren__Update *update = open_update(watch(&theatre.fixture, WN_SPECTATORS, true));
    ck_assert_uint_eq(update->keyframe->n_regions, 1);
    ck_assert_str_eq(update->keyframe->regions[0]->title, "bob's");
    replica_apply(theatre.mirror, update);
    theatre.stage.region.title = NULL;
    ck_assert(!only_region(next_delta(&theatre))->has_at);
    ck_assert_ptr_null(next_update(&theatre));
    theatre.stage.region = (wn_region){WIDTH - 5, 2, 6, 5, "outside"};
    ck_assert_ptr_null(next_update(&theatre));
    ck_assert_ptr_nonnull(strstr(theatre.fixture.log, "region 3"));
    close_theatre(&theatre);
}
END_TEST

START_TEST(a_new_size_gives_a_keyframe_drawn_whole)
{
    playhouse theatre;
    open_theatre(&theatre);
    const uint32_t draws = fixture_puppet(&theatre.fixture)->draws;
    theatre.stage.width = 20;
    const Warren__Update *update = next_update(&theatre);
    ck_assert_int_eq(update->body_case, WARREN__UPDATE__BODY_KEYFRAME);
    ck_assert_uint_eq(update->keyframe->width, 20);
    ck_assert_uint_eq(theatre.mirror->sprite_count, 1);
    ck_assert_uint_eq(fixture_puppet(&theatre.fixture)->draws, draws + 2);
    close_theatre(&theatre);
}
END_TEST

START_TEST(a_whole_floor_is_one_fill_and_a_late_reader_gets_a_keyframe_in_sequence)
{
    playhouse theatre;
    open_theatre(&theatre);
    theatre.stage.spot = WN_CELL(2);
    ck_assert_uint_eq(next_delta(&theatre)->n_cells, 2);
    const uint32_t draws = fixture_puppet(&theatre.fixture)->draws;
    const Warren__Update *late = open_update(watch(&theatre.fixture, WN_SPECTATORS, true));
    ck_assert_uint_eq(late->sequence, theatre.mirror->sequence + 1);
    ck_assert_uint_eq(late->keyframe->n_cells, 2);
    ck_assert_uint_eq(late->keyframe->cells[0], WIDTH * HEIGHT * 4 + 1);
    ck_assert_uint_eq(late->keyframe->cells[1], WN_CELL(2));
    ck_assert_uint_eq(fixture_puppet(&theatre.fixture)->draws, draws);
    close_theatre(&theatre);
}
END_TEST

START_TEST(a_view_goes_on_behind_the_last_number_that_was_published_and_never_goes_back)
{
    scene fixture;
    fixture_open(&fixture, "dice", 1);
    input_join(&fixture, 0, "ann");
    run_turn(&fixture);
    wn_hosted_continue(fixture.world, 0, UINT64_C(5000000000));
    wn_hosted_continue(fixture.world, WN_SPECTATORS, 7);
    wn_hosted_continue(fixture.world, 3, 9); /* dice has three seats */
    wn_hosted_continue(fixture.world, -2, 9);
    ck_assert_uint_eq(open_update(watch(&fixture, 0, true))->sequence, UINT64_C(5000000001));
    ck_assert_uint_eq(open_update(watch(&fixture, WN_SPECTATORS, true))->sequence, 8);
    wn_hosted_continue(fixture.world, 0, 3);
    ck_assert_uint_eq(open_update(watch(&fixture, 0, true))->sequence, UINT64_C(5000000002));
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_view_that_nobody_watches_is_not_drawn_and_shows_nothing)
{
    playhouse theatre;
    wn_view_state view;
    open_theatre(&theatre);
    ck_assert_ptr_null(watch(&theatre.fixture, WN_SPECTATORS, false));
    const uint32_t draws = fixture_puppet(&theatre.fixture)->draws;
    theatre.stage.walker_x = 20;
    ck_assert_uint_eq(run_wait(&theatre.fixture)->n_updates, 0);
    ck_assert_uint_eq(fixture_puppet(&theatre.fixture)->draws, draws);
    wn_hosted_view(theatre.fixture.world, WN_SPECTATORS, &view);
    ck_assert(view.width == 0 && view.cells == NULL && view.sprites == NULL);
    replica_apply(theatre.mirror, open_update(watch(&theatre.fixture, WN_SPECTATORS, true)));
    replica_compare(theatre.mirror, theatre.fixture.world, WN_SPECTATORS);
    close_theatre(&theatre);
}
END_TEST

/* what is wrong */

static void draw_wrongly(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    static const uint16_t row[] = {2, 4, 6, 8};
    (void)seat;
    (void)what;
    (void)context;
    wn_view_size(world, view, 0, 7);
    wn_view_size(world, view, WN_MAX_SIDE + 1, 7);
    wn_view_size(world, view, 3, 2);
    wn_put(world, view, 3, 0, WN_CELL(1));
    wn_put(world, view, 0, -1, WN_CELL(1));
    wn_put(world, view, 0, 0, WN_CELL(PUPPET_TILES));
    wn_put_row(world, view, -1, 1, row, 4);
    wn_put_row(world, view, INT32_MAX, 1, row, 4);
    wn_put_row(world, view, 0, 5, row, 4);
    wn_sprite(world, view, 1, 3, 0, 1, WN_HERE, NULL);
    wn_sprite(world, view, 1, 0, 0, PUPPET_TILES, WN_HERE, NULL);
    wn_sprite(world, view, 1, 0, 0, 1, WN_HERE + 1, NULL);
    wn_sprite_gone(world, view, 99);
    wn_status_number(world, view, PUPPET_MOOD, 3);
    wn_status_text(world, view, PUPPET_SCORE, "no");
    wn_status_number(world, view, PUPPET_FIELDS, 3);
    wn_board_row(world, view, WN_MAX_ROWS, NULL);
    wn_random(world, 6);
    wn_wake(world, 5);
    wn_say(world, WN_EVERYONE, WN_INFO, "not from here");
}

START_TEST(drawing_out_of_range_does_nothing_and_is_logged_once)
{
    scene fixture;
    wn_view_state view;
    fixture_open(&fixture, "puppet", 1);
    input_join(&fixture, 0, "ann");
    run_turn(&fixture);
    fixture_puppet(&fixture)->draw = draw_wrongly;
    const uint64_t before = wn_hosted_hash(fixture.world);
    const Warren__Update *update = open_update(watch(&fixture, WN_SPECTATORS, true));
    ck_assert_uint_eq(wn_hosted_hash(fixture.world), before);
    ck_assert_uint_eq(update->keyframe->n_messages, 0);
    wn_hosted_view(fixture.world, WN_SPECTATORS, &view);
    const uint16_t expected[] = {0, 0, 0, 4, 6, 8};
    ck_assert(view.width == 3 && view.height == 2 && view.sprite_count == 0);
    ck_assert_mem_eq(view.cells, expected, sizeof expected);
    const size_t logged = strlen(fixture.log);
    ck_assert_uint_gt(logged, 0);
    run_wait(&fixture);
    ck_assert_uint_eq(strlen(fixture.log), logged);
    fixture_close(&fixture);
}
END_TEST

static void draw_many(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    (void)seat;
    (void)what;
    (void)context;
    wn_view_size(world, view, 2, 2);
    for (uint32_t i = 0; i < WN_MAX_SPRITES + 5; i++) {
        wn_sprite(world, view, i * 3 % 8209, 1, 1, 1, WN_HERE, NULL);
    }
}

START_TEST(a_view_has_at_most_so_many_sprites)
{
    scene fixture;
    wn_view_state view;
    fixture_open(&fixture, "puppet", 1);
    fixture_puppet(&fixture)->draw = draw_many;
    const Warren__Update *update = open_update(watch(&fixture, WN_SPECTATORS, true));
    ck_assert_uint_eq(update->keyframe->n_sprites, WN_MAX_SPRITES);
    wn_hosted_view(fixture.world, WN_SPECTATORS, &view);
    ck_assert_uint_eq(view.sprite_count, WN_MAX_SPRITES);
    ck_assert_ptr_nonnull(strstr(fixture.log, "at most 4096 sprites"));
    fixture_close(&fixture);
}
END_TEST

static void draw_text(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    (void)seat;
    (void)what;
    wn_view_size(world, view, 2, 2);
    wn_status_text(world, view, PUPPET_MOOD, context);
    wn_banner(world, view, context);
}

START_TEST(text_of_a_mode_is_made_valid_and_cut_between_characters)
{
    scene fixture;
    const char *mood;
    char text[3000];
    fixture_open(&fixture, "puppet", 1);
    fixture_puppet(&fixture)->draw = draw_text;
    fixture_puppet(&fixture)->context = text;
    strcpy(text, "a\xff\nb\x1b[m\xe2\x82");
    open_update(watch(&fixture, WN_SPECTATORS, true)); /* which checks it */
    ck_assert(wn_hosted_status(fixture.world, WN_SPECTATORS, PUPPET_MOOD, NULL, NULL, &mood));
    ck_assert_str_eq(mood, "a??b?[m");
    memset(text, 0, sizeof text);
    for (size_t i = 0; i + 3 < sizeof text; i += 3) {
        memcpy(text + i, "\xe2\x82\xac", 3);
    }
    watch(&fixture, WN_SPECTATORS, false);
    open_update(watch(&fixture, WN_SPECTATORS, true));
    ck_assert(wn_hosted_status(fixture.world, WN_SPECTATORS, PUPPET_MOOD, NULL, NULL, &mood));
    ck_assert_uint_eq(strlen(mood), WN_MAX_TEXT / 3 * 3);
    ck_assert_ptr_null(strchr(mood, '?'));
    fixture_close(&fixture);
}
END_TEST

static void draw_nothing(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    (void)world;
    (void)view;
    (void)seat;
    (void)what;
    (void)context;
}

START_TEST(a_view_without_a_size_is_one_cell)
{
    scene fixture;
    fixture_open(&fixture, "puppet", 1);
    fixture_puppet(&fixture)->draw = draw_nothing;
    const Warren__Update *update = open_update(watch(&fixture, WN_SPECTATORS, true));
    ck_assert(update->keyframe->width == 1 && update->keyframe->height == 1);
    ck_assert_ptr_nonnull(strstr(fixture.log, "size"));
    fixture_close(&fixture);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        drawing_the_same_again_sends_nothing,
        one_changed_cell_costs_at_most_25_bytes,
        a_moved_sprite_sends_its_place_only,
        a_sprite_not_drawn_after_sprites_begin_is_gone,
        status_board_and_banner_are_sent_when_they_change,
        regions_are_sent_when_they_change_and_with_a_keyframe,
        a_new_size_gives_a_keyframe_drawn_whole,
        a_whole_floor_is_one_fill_and_a_late_reader_gets_a_keyframe_in_sequence,
        a_view_goes_on_behind_the_last_number_that_was_published_and_never_goes_back,
        a_view_that_nobody_watches_is_not_drawn_and_shows_nothing,
        drawing_out_of_range_does_nothing_and_is_logged_once,
        a_view_has_at_most_so_many_sprites,
        text_of_a_mode_is_made_valid_and_cut_between_characters,
        a_view_without_a_size_is_one_cell,
    };
    return run_cases("host_view", cases, sizeof cases / sizeof cases[0]);
}
