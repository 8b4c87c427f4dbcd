/* host_property.c: after any random turns, watches and size changes, a reader who applied the updates sees what the
 * host's view shows, and that is what the mode drew; a late one, what it drew so many turns before.
 */
#include "host_replica.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_SPRITES = 40, MODEL_ROWS = 70, MODEL_SIDE = 70, VIEWS = 3, TURNS = 800, LATE = 4 };

/* The world that the puppet shows: a picture, the same for all views. */
typedef struct picture {
    uint64_t chance;
    uint32_t width, height;
    uint16_t cells[MODEL_SIDE * MODEL_SIDE];
    bool touched[MODEL_SIDE * MODEL_SIDE]; /* in the last turn */
    struct {
        bool there, left; /* left: in the last turn */
        uint32_t at, tile, facing, label;
    } sprites[MODEL_SPRITES];
    int64_t score, health, maximum;
    uint32_t mood, banner;     /* 0: none */
    uint32_t rows[MODEL_ROWS]; /* 0: none */
    uint32_t messages;
    bool resized;
} picture;

static const char *text_of(uint32_t number, char text[64])
{
    snprintf(text, 64, "text \xc3\xa4 %u %.*s", number, (int)(number * 7 % 30), "123456789012345678901234567890");
    return number > 0 ? text : NULL;
}

static void resize(picture *model)
{
    model->width = 1 + pick(&model->chance, MODEL_SIDE);
    model->height = 1 + pick(&model->chance, MODEL_SIDE);
    model->resized = true;
    for (uint32_t i = 0; i < MODEL_SPRITES; i++) {
        model->sprites[i].there = false;
        model->sprites[i].left = true;
    }
}

static void change_cells(picture *model)
{
    const uint32_t cells = model->width * model->height;
    uint32_t at = pick(&model->chance, cells);
    const uint32_t count = pick(&model->chance, 2) ? 1 : pick(&model->chance, cells);
    const uint32_t style = pick(&model->chance, 3);
    const uint16_t cell = (uint16_t)pick(&model->chance, 2 * PUPPET_TILES);
    for (uint32_t i = 0; i < count && at < cells; i++) {
        model->cells[at] = style == 0 ? cell : (uint16_t)pick(&model->chance, style == 1 ? 4 : 2 * PUPPET_TILES);
        model->touched[at] = true;
        at += 1 + (style == 2 ? pick(&model->chance, 6) : 0);
    }
}

static void change_sprite(picture *model)
{
    const uint32_t i = pick(&model->chance, MODEL_SPRITES);
    const bool there = pick(&model->chance, 4) > 0;
    model->sprites[i].left = model->sprites[i].left || (model->sprites[i].there && !there);
    model->sprites[i].there = there;
    model->sprites[i].at = pick(&model->chance, model->width * model->height);
    model->sprites[i].tile = pick(&model->chance, PUPPET_TILES);
    model->sprites[i].facing = pick(&model->chance, WN_HERE + 1);
    model->sprites[i].label = pick(&model->chance, 3);
}

static void change_rest(picture *model)
{
    switch (pick(&model->chance, 6)) {
    case 0:
        model->score = (int64_t)pick(&model->chance, 5) - 2;
        break;
    case 1:
        model->health = pick(&model->chance, 100);
        model->maximum = pick(&model->chance, 3) * 100;
        break;
    case 2:
        model->mood = pick(&model->chance, 4);
        break;
    case 3:
        model->banner = pick(&model->chance, 3);
        break;
    default:
        model->rows[pick(&model->chance, MODEL_ROWS)] = pick(&model->chance, 4);
    }
}

static void change(wn_world *world, const wn_turn *turn, void *context)
{
    picture *model = context;
    memset(model->touched, 0, sizeof model->touched);
    model->resized = false;
    for (uint32_t i = 0; i < MODEL_SPRITES; i++) {
        model->sprites[i].left = false;
    }
    (void)turn;
    if (pick(&model->chance, 40) == 0) {
        resize(model);
    }
    for (uint32_t changes = pick(&model->chance, 4); changes > 0; changes--) {
        change_cells(model);
        change_sprite(model);
        change_rest(model);
    }
    if (pick(&model->chance, 5) == 0) {
        wn_say(world, WN_EVERYONE, WN_GOOD, "message %u", ++model->messages);
        wn_place(world, (int32_t)pick(&model->chance, VIEWS) - 1, (int32_t)pick(&model->chance, MODEL_SIDE),
                 (int32_t)pick(&model->chance, MODEL_SIDE));
    }
}

static void draw_cells(picture *model, wn_world *world, wn_view *view, bool all)
{
    const bool rows = all && pick(&model->chance, 2);
    const uint16_t noise = (uint16_t)pick(&model->chance, 2 * PUPPET_TILES);
    for (uint32_t at = 0; at < model->width * model->height; at++) {
        const int32_t x = (int32_t)(at % model->width);
        const int32_t y = (int32_t)(at / model->width);
        if (rows && x == 0) {
            wn_put_row(world, view, x, y, model->cells + at, model->width);
        } else if (!rows && (all || model->touched[at])) {
            wn_put(world, view, x, y, noise); /* what is drawn in between is nobody's business */
            wn_put(world, view, x, y, model->cells[at]);
        }
    }
}

static void draw_sprites(picture *model, wn_world *world, wn_view *view, bool all)
{
    char label[64];
    if (all) {
        wn_sprites_begin(world, view);
    }
    const uint32_t first = pick(&model->chance, MODEL_SPRITES);
    for (uint32_t i = 0; i < MODEL_SPRITES; i++) {
        const uint32_t id = (first + i) % MODEL_SPRITES;
        if (model->sprites[id].there) {
            wn_sprite(world, view, id * 1000, (int32_t)(model->sprites[id].at % model->width),
                      (int32_t)(model->sprites[id].at / model->width), model->sprites[id].tile,
                      model->sprites[id].facing, text_of(model->sprites[id].label, label));
        } else if (!all && model->sprites[id].left) {
            wn_sprite_gone(world, view, id * 1000);
        }
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    picture *model = context;
    char first[64], second[64];
    const bool all = what == WN_DRAW_ALL || model->resized || pick(&model->chance, 2);
    (void)seat;
    wn_view_size(world, view, model->width, model->height);
    draw_cells(model, world, view, all);
    draw_sprites(model, world, view, all);
    wn_status_number(world, view, PUPPET_SCORE, model->score);
    wn_status_gauge(world, view, PUPPET_HEALTH, model->health, model->maximum);
    wn_status_text(world, view, PUPPET_MOOD, text_of(model->mood, first));
    if (pick(&model->chance, 2)) {
        wn_banner(world, view, "in between");
    }
    wn_banner(world, view, text_of(model->banner, first));
    for (uint32_t row = 0; row < MODEL_ROWS; row++) {
        const char *const columns[] = {text_of(model->rows[row], first), text_of(model->rows[row] + 1, second)};
        wn_board_row(world, view, row, NULL);
        wn_board_row(world, view, row, model->rows[row] ? columns : NULL);
    }
}

/* What the mode drew is what the reader has. */
static void compare_model(const picture *model, const mirror *replica)
{
    char text[64];
    uint32_t there = 0;
    ck_assert_uint_eq(replica->width, model->width);
    ck_assert_uint_eq(replica->height, model->height);
    ck_assert_mem_eq(replica->cells, model->cells, model->width * model->height * sizeof model->cells[0]);
    for (uint32_t i = 0; i < MODEL_SPRITES; i++) {
        there += model->sprites[i].there;
    }
    ck_assert_uint_eq(replica->sprite_count, there);
    ck_assert_int_eq(replica->fields[PUPPET_SCORE].number, model->score);
    ck_assert_int_eq(replica->fields[PUPPET_HEALTH].maximum, model->maximum);
    ck_assert_str_eq(replica->fields[PUPPET_MOOD].text, model->mood ? text_of(model->mood, text) : "");
    ck_assert_str_eq(replica->banner, model->banner ? text_of(model->banner, text) : "");
    for (uint32_t row = 0; row < MODEL_ROWS; row++) {
        ck_assert_int_eq(replica->rows[row], model->rows[row] > 0);
        if (model->rows[row]) {
            ck_assert_str_eq(replica->board[row][0], text_of(model->rows[row], text));
            ck_assert_str_eq(replica->board[row][1], text_of(model->rows[row] + 1, text));
        }
    }
}

typedef struct reader {
    mirror *replica;
    bool watching;
} reader;

/* A game that the model plays, and who reads its views. */
typedef struct game {
    scene fixture;
    picture *models; /* of the turns: the one with number n at n % (LATE + 1) */
    reader readers[VIEWS];
    uint32_t turn, late; /* late: by how many turns spectators are */
} game;

static picture *model_of(game *played, uint32_t turn)
{
    return &played->models[turn % (LATE + 1)];
}

static void game_open(game *played, uint32_t late, uint64_t seed)
{
    memset(played, 0, sizeof *played);
    played->late = late;
    played->models = calloc(LATE + 1, sizeof *played->models);
    played->models[0].chance = seed;
    resize(&played->models[0]);
    char size[16];
    snprintf(size, sizeof size, "-%u", late);
    fixture_open_with(&played->fixture, "puppet", 1, late > 0 ? "size" : NULL, size);
    for (uint32_t i = 0; i < VIEWS; i++) {
        played->readers[i].replica = calloc(1, sizeof *played->readers[i].replica);
    }
    input_join(&played->fixture, 0, "ann");
    input_join(&played->fixture, 1, "bob");
    run_turn(&played->fixture);
    puppet *self = fixture_puppet(&played->fixture);
    self->turn = change;
    self->draw = draw;
    played->fixture.log[0] = '\0'; /* a puppet that nobody moves says no size */
}

static void game_close(game *played)
{
    ck_assert_msg(strstr(played->fixture.log, "2 ") == NULL && strstr(played->fixture.log, "1 ") == NULL, "%s",
                  played->fixture.log);
    for (uint32_t i = 0; i < VIEWS; i++) {
        free(played->readers[i].replica);
    }
    fixture_close(&played->fixture);
    free(played->models);
}

static void change_watch(game *played, picture *model)
{
    const uint32_t i = pick(&model->chance, VIEWS);
    const bool on = pick(&model->chance, 4) > 0;
    const Warren__Host__ViewUpdate *keyframe = watch(&played->fixture, (int32_t)i - 1, on);
    played->readers[i].watching = on;
    ck_assert_int_eq(keyframe != NULL, on);
    if (on) {
        ck_assert(keyframe->keyframe);
        replica_apply(played->readers[i].replica, open_update(keyframe));
    }
}

/* What the reader has is what the host has, and that is what was drawn when it was to be. */
static void check_reader(game *played, uint32_t i)
{
    const uint32_t late = i == 0 ? played->late : 0;
    const mirror *replica = played->readers[i].replica;
    replica_compare(replica, played->fixture.world, (int32_t)i - 1);
    if (played->turn > late) {
        const picture *model = model_of(played, played->turn - late);
        compare_model(model, replica);
        ck_assert_uint_eq(replica->last_message, model->messages);
    }
}

static void play_turn(game *played)
{
    picture *model = model_of(played, played->turn + 1);
    *model = *model_of(played, played->turn);
    fixture_puppet(&played->fixture)->context = model;
    if (pick(&model->chance, 8) == 0) {
        change_watch(played, model);
    }
    const Warren__Host__TurnDone *done = run_wait(&played->fixture);
    played->turn++;
    for (uint32_t i = 0; i < VIEWS; i++) {
        const Warren__Host__ViewUpdate *update = update_of(done, (int32_t)i - 1);
        if (update) {
            ck_assert(played->readers[i].watching);
            replica_apply(played->readers[i].replica, open_update(update));
        }
        if (played->readers[i].watching) {
            check_reader(played, i);
        }
    }
}

static void play(uint32_t late, uint32_t turns)
{
    game played;
    game_open(&played, late, property_seed("host_property", 20261129));
    while (played.turn < turns) {
        play_turn(&played);
    }
    game_close(&played);
}

START_TEST(a_reader_sees_what_was_drawn_after_any_turns_watches_and_sizes)
{
    play(0, TURNS);
}
END_TEST

/* Longer than it takes until keyframes are laid between the changes that wait. */
START_TEST(a_late_reader_sees_what_was_drawn_so_many_turns_before)
{
    play(LATE, TURNS);
    play(1, TURNS);
}
END_TEST

/* noise: more in a few turns than may wait for its time */

static uint16_t noise(uint32_t at, uint32_t turn)
{
    uint32_t hash = (at + 1) * 2654435761u ^ turn * 40503u;
    hash ^= hash >> 15;
    return (uint16_t)(0x80 + hash % (2 * PUPPET_TILES - 0x80)); /* two bytes each */
}

static void draw_noise(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    static uint16_t row[WN_MAX_SIDE];
    const uint32_t *turn = context;
    (void)seat;
    (void)what;
    wn_view_size(world, view, WN_MAX_SIDE, WN_MAX_SIDE);
    for (uint32_t y = 0; y < WN_MAX_SIDE; y++) {
        for (uint32_t x = 0; x < WN_MAX_SIDE; x++) {
            row[x] = noise(y * WN_MAX_SIDE + x, *turn);
        }
        wn_put_row(world, view, 0, (int32_t)y, row, WN_MAX_SIDE);
    }
}

START_TEST(what_is_due_of_a_large_late_view_makes_room_for_what_is_not)
{
    static mirror replica;
    scene fixture;
    uint32_t turn = 0;
    fixture_open_with(&fixture, "puppet", 1, "size", "-4");
    input_join(&fixture, 0, "ann");
    run_turn(&fixture);
    fixture_puppet(&fixture)->draw = draw_noise;
    fixture_puppet(&fixture)->context = &turn;
    while (turn < 20) {
        turn++;
        run_wait(&fixture);
    }
    replica_apply(&replica, open_update(watch(&fixture, WN_SPECTATORS, true)));
    for (uint32_t at = 0; at < WN_MAX_SIDE * WN_MAX_SIDE; at += 97) {
        ck_assert_uint_eq(replica.cells[at], noise(at, turn - 4));
    }
    fixture_close(&fixture);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {a_reader_sees_what_was_drawn_after_any_turns_watches_and_sizes,
                                  a_late_reader_sees_what_was_drawn_so_many_turns_before,
                                  what_is_due_of_a_large_late_view_makes_room_for_what_is_not};
    return run_cases("host_property", cases, sizeof cases / sizeof cases[0]);
}
