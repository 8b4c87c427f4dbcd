/* maze_fixture.c: see maze_fixture.h. */
#include "maze_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* chance */

static uint64_t given_seed(void)
{
    const char *given = getenv("WARREN_SEED");
    return given != NULL ? strtoull(given, NULL, 0) : 19970401;
}

uint64_t fixture_seed(void)
{
    const uint64_t seed = given_seed();
    printf("WARREN_SEED=%" PRIu64 "\n", seed);
    return seed;
}

uint64_t fixture_random64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t fixture_random(uint64_t *state, uint32_t below)
{
    return (uint32_t)((fixture_random64(state) >> 32) * below >> 32);
}

/* worlds */

enum { FIXTURE_SETTINGS = 64 };

static void print_log(void *context, uint32_t world, wn_log_level level, const char *text)
{
    (void)context;
    if (level <= WN_LOG_WARNING) {
        printf("world %u, level %d: %s\n", world, level, text);
    }
}

/* Splits "name=value name=value" in place; of a name given twice the later value counts. */
static size_t parse_settings(char *text, Warren__SettingValue *values, const Warren__SettingValue **pointers)
{
    size_t count = 0;
    char *rest = text;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        REQUIRE(equals != NULL);
        *equals = '\0';
        size_t i = 0;
        while (i < count && strcmp(values[i].name, word) != 0) {
            i++;
        }
        REQUIRE(i < FIXTURE_SETTINGS);
        warren__setting_value__init(&values[i]);
        values[i].name = word;
        values[i].value = equals + 1;
        pointers[i] = &values[i];
        count += i == count;
    }
    return count;
}

static wn_hosted *host_world(const fixture *world, const wn_buffer *snapshot, uint64_t turn, wn_error *error)
{
    char text[sizeof world->settings];
    strcpy(text, world->settings);
    Warren__SettingValue values[FIXTURE_SETTINGS];
    const Warren__SettingValue *pointers[FIXTURE_SETTINGS];
    wn_world_options options = {.id = 1, .seed = world->seed, .log = print_log};
    options.setting_count = parse_settings(text, values, pointers);
    options.settings = pointers;
    if (snapshot != NULL) {
        options.snapshot = snapshot->data;
        options.snapshot_size = snapshot->size;
        options.snapshot_turn = turn;
    }
    return wn_hosted_new(world->plugin, &options, error);
}

/* `like`: whose plugin to use; NULL: opens it. */
static fixture *make(const fixture *like, uint64_t seed, const char *settings, const wn_buffer *snapshot,
                     wn_error *error)
{
    fixture *world = calloc(1, sizeof *world);
    REQUIRE(world != NULL);
    REQUIRE(strlen(settings) < sizeof world->settings);
    strcpy(world->settings, settings);
    world->seed = seed;
    world->arena = wn_arena_new(64 << 20);
    world->borrowed = like != NULL;
    world->plugin = like != NULL ? like->plugin : wn_plugin_open(MAZE_MODE, error);
    ck_assert_msg(world->plugin != NULL, "%s", error->text);
    world->hosted = host_world(world, snapshot, like != NULL ? wn_hosted_turn_number(like->hosted) : 0, error);
    if (world->hosted == NULL) {
        fixture_close(world);
        return NULL;
    }
    return world;
}

fixture *fixture_try(uint64_t seed, const char *settings, wn_error *error)
{
    return make(NULL, seed, settings, NULL, error);
}

fixture *fixture_open(uint64_t seed, const char *settings)
{
    wn_error error = {0};
    fixture *world = fixture_try(seed, settings, &error);
    ck_assert_msg(world != NULL, "%s", error.text);
    return world;
}

fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error)
{
    fixture *world = make(like, like->seed, like->settings, snapshot, error);
    if (world != NULL) {
        memcpy(world->numbers, like->numbers, sizeof world->numbers);
    }
    return world;
}

void fixture_close(fixture *world)
{
    if (world->hosted != NULL) {
        wn_hosted_free(world->hosted);
    }
    if (!world->borrowed) {
        wn_plugin_close(world->plugin);
    }
    wn_arena_free(world->arena);
    wn_buffer_free(&world->inputs);
    wn_buffer_free(&world->out);
    free(world);
}

game *fixture_game(const fixture *world)
{
    return wn_hosted_handle(world->hosted)->state;
}

wn_world *fixture_world(const fixture *world)
{
    return wn_hosted_handle(world->hosted);
}

struct runner *runner(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->runners[seat];
}

/* turns */

static void add_input(fixture *world, Warren__Host__Input *input)
{
    Warren__Host__Input *list[] = {input};
    Warren__Host__Inputs inputs = WARREN__HOST__INPUTS__INIT;
    inputs.n_input = 1;
    inputs.input = list;
    wn_encode(&world->inputs, &inputs.base); /* encoded messages one behind the other are one with all their entries */
}

void fixture_add_join(fixture *world, uint32_t seat, const char *name)
{
    char text[WN_NAME_BYTES + 1];
    snprintf(text, sizeof text, "%s", name);
    Warren__Host__SeatJoins input_join = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    input_join.seat = seat;
    input_join.player = text;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &input_join;
    add_input(world, &input);
}

void fixture_add_leave(fixture *world, uint32_t seat)
{
    Warren__Host__SeatLeaves leave = WARREN__HOST__SEAT_LEAVES__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    leave.seat = seat;
    input.body_case = WARREN__HOST__INPUT__BODY_LEAVE;
    input.leave = &leave;
    add_input(world, &input);
}

void fixture_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    command.seat = seat;
    command.number = ++world->numbers[seat];
    command.action = action;
    command.has_argument = action == ACTION_STEP || action == ACTION_FACE;
    command.argument = argument;
    input.body_case = WARREN__HOST__INPUT__BODY_COMMAND;
    input.command = &command;
    add_input(world, &input);
}

void fixture_add_wake(fixture *world)
{
    Warren__Host__Wake wake = WARREN__HOST__WAKE__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    input.body_case = WARREN__HOST__INPUT__BODY_WAKE;
    input.wake = &wake;
    add_input(world, &input);
}

void fixture_turn(fixture *world)
{
    wn_error error = {0};
    world->out.size = 0;
    wn_arena_reset(world->arena);
    const bool done = wn_hosted_turn(world->hosted, wn_hosted_turn_number(world->hosted) + 1, world->inputs.data,
                                     world->inputs.size, &world->out, &error);
    if (!done) {
        ck_abort_msg("%s", error.text);
    }
    world->inputs.size = 0;
    size_t offset = 0, size;
    const uint8_t *bytes;
    REQUIRE(wn_frame_next(&world->out, &offset, &bytes, &size) == 1);
    const Warren__Host__FromHost *message = wn_from_host_decode(world->arena, bytes, size, &error);
    if (message == NULL) {
        ck_abort_msg("%s", error.text);
    }
    REQUIRE(message->body_case == WARREN__HOST__FROM_HOST__BODY_DONE);
    world->done = message->done;
}

void join(fixture *world, uint32_t seat, const char *name)
{
    fixture_add_join(world, seat, name);
    fixture_turn(world);
}

void act(fixture *world, uint32_t seat, uint32_t action)
{
    fixture_add(world, seat, action, 0);
    fixture_turn(world);
}

void walk(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_STEP, direction * 2);
    fixture_turn(world);
}

void wake(fixture *world)
{
    fixture_add_wake(world);
    fixture_turn(world);
}

/* scenes */

static void clear(game *state)
{
    memset(state->squares, 1, (size_t)state->side * (size_t)state->side);
    memset(state->boulders, 0, state->words * sizeof *state->boulders);
    state->monster_count = 0;
}

static void paint(game *state, struct maze_square at, char sign)
{
    uint8_t *square = &state->squares[at.y * state->side + at.x];
    *square = sign == '#' ? 1 : 0;
    if (sign == 'O') {
        flip_bit(state, state->boulders, at);
    } else if (sign == 'M') {
        state->monsters[state->monster_count++] = (struct monster){.at = at, .lair = at, .facing = EAST};
    } else if (sign >= '0' && sign <= '9') {
        REQUIRE(state->runners[sign - '0'].taken);
        state->runners[sign - '0'].at = at;
    }
}

static void find_features(game *state, const char *const *rows)
{
    state->north = state->finale = (struct maze_square){0, 0}; /* in the wall, unless they are drawn */
    for (int32_t y = 0; rows[y] != NULL; y++) {
        const char *north = strchr(rows[y], '='), *finale = strchr(rows[y], '*');
        if (north != NULL) {
            state->north = (struct maze_square){(int32_t)(north - rows[y]) + 1, y + 1};
        }
        if (finale != NULL) {
            state->finale = (struct maze_square){(int32_t)(finale - rows[y]) + 1, y + 1};
        }
    }
    state->sanctuary = (struct box){state->north.x, state->north.y, state->north.x, state->north.y};
}

void scene(fixture *world, const char *const *rows)
{
    game *state = fixture_game(world);
    clear(state);
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            REQUIRE(x + 2 < state->side && y + 2 < state->side);
            paint(state, (struct maze_square){x + 1, y + 1}, rows[y][x]);
        }
    }
    game_survey(state);
    find_features(state, rows);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        if (state->runners[seat].taken) {
            look_forget(state, seat);
            look_around(state, seat);
        }
    }
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i]) {
            fixture_watch(world, i - 1, false);
            fixture_watch(world, i - 1, true);
        }
    }
}

/* What stands in a square of the truth. */
static char sign_at(const game *state, struct maze_square at)
{
    for (uint32_t seat = 0; seat < 10; seat++) {
        if (state->runners[seat].taken && !state->runners[seat].arrived && is_same(state->runners[seat].at, at)) {
            return (char)('0' + seat);
        }
    }
    for (uint32_t i = 0; i < state->monster_count; i++) {
        if (is_same(state->monsters[i].at, at)) {
            return 'M';
        }
    }
    if (height_at(state, at) > 0) {
        return '#';
    }
    if (bit_of(state, state->boulders, at)) {
        return 'O';
    }
    return is_same(at, state->finale) ? '*' : is_same(at, state->north) ? '=' : ' ';
}

void expect(const fixture *world, const char *const *rows)
{
    const game *state = fixture_game(world);
    char text[4096];
    size_t size = 0;
    bool same = true;
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            text[size] = sign_at(state, (struct maze_square){x + 1, y + 1});
            same = same && text[size] == rows[y][x];
            size++;
        }
        size += (size_t)snprintf(text + size, 64, "    %.50s\n", rows[y]);
    }
    ck_assert_msg(same, "is, and should be:\n%.*s", (int)size, text);
}

/* views */

void fixture_watch(fixture *world, int32_t seat, bool on)
{
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, seat, on, &keyframe);
    world->watched[seat + 1] = on;
    wn_buffer_free(&keyframe);
}

uint16_t fixture_cell(const fixture *world, int32_t seat, struct maze_square at)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    REQUIRE(view.cells != NULL);
    return view.cells[(size_t)at.y * view.width + (size_t)at.x];
}

bool fixture_shows_sprite(const fixture *world, int32_t seat, uint32_t id)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        if (view.sprites[i].id == id) {
            return true;
        }
    }
    return false;
}

const Warren__Update *fixture_update(const fixture *world, int32_t seat)
{
    for (size_t i = 0; i < world->done->n_updates; i++) {
        const Warren__Host__ViewUpdate *update = world->done->updates[i];
        if (update->has_seat ? (int32_t)update->seat == seat : seat == WN_SPECTATORS) {
            wn_error error = {0};
            const Warren__Update *decoded =
                wn_update_decode(world->arena, update->update.data, update->update.len, &error);
            ck_assert_msg(decoded != NULL, "%s", error.text);
            return decoded;
        }
    }
    return NULL;
}

uint32_t heard(const fixture *world, int32_t seat, const char *text)
{
    const Warren__Update *update = fixture_update(world, seat);
    uint32_t count = 0;
    if (update == NULL || update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return 0;
    }
    for (size_t i = 0; i < update->delta->n_messages; i++) {
        count += strcmp(update->delta->messages[i]->text, text) == 0;
    }
    return count;
}

/* invariants */

/* Which squares can be walked to from the northern feature, if boulders are walls. */
static void flood(const game *state, uint8_t *reached, struct maze_square *queue)
{
    uint32_t head = 0, tail = 0;
    memset(reached, 0, (size_t)state->side * (size_t)state->side);
    queue[tail++] = state->north;
    reached[state->north.y * state->side + state->north.x] = 1;
    while (head < tail) {
        const struct maze_square at = queue[head++];
        for (uint32_t i = 0; i < DIRECTIONS; i++) {
            const struct maze_square to = next_to(at, i);
            uint8_t *mark = &reached[to.y * state->side + to.x];
            if (*mark == 0 && is_free(state, to)) {
                *mark = 1;
                queue[tail++] = to;
            }
        }
    }
}

/* No boulder keeps anybody from the finale, nor where halls are wide from anything. */
static void check_ways(const game *state)
{
    const size_t squares = (size_t)state->side * (size_t)state->side;
    uint8_t *reached = malloc(squares);
    struct maze_square *queue = malloc(squares * sizeof *queue), at;
    REQUIRE(reached != NULL && queue != NULL);
    flood(state, reached, queue);
    REQUIRE(reached[state->finale.y * state->side + state->finale.x]);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        const struct runner *who = &state->runners[seat];
        REQUIRE(!who->taken || who->arrived || reached[who->at.y * state->side + who->at.x]);
    }
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < state->side; at.x++) {
            const bool boulder = bit_of(state, state->boulders, at), wall = height_at(state, at) > 0;
            REQUIRE(!(boulder && wall));
            REQUIRE(is_free(state, at) == !(boulder || wall));
            REQUIRE(state->shape.hall == 1 || !is_free(state, at) || reached[at.y * state->side + at.x]);
        }
    }
    free(queue);
    free(reached);
}

static void check_runner(const game *state, uint32_t seat)
{
    const struct runner *who = &state->runners[seat];
    struct wn_sight fresh = {.width = (uint32_t)state->side, .height = (uint32_t)state->side, .stride = state->stride};
    uint64_t *visible = calloc(state->words, sizeof *visible);
    REQUIRE(visible != NULL);
    fresh.opaque = state->opaque;
    fresh.visible = visible;
    wn_sight_look(&fresh, who->at.x, who->at.y, 0);
    REQUIRE(is_free(state, who->at));
    REQUIRE(who->arrived || !is_same(who->at, state->finale));
    REQUIRE(!(who->running && who->arrived));
    REQUIRE(who->arrived || memcmp(visible, who->sight.visible, state->words * sizeof *visible) == 0);
    for (uint32_t word = 0; word < state->words && !who->arrived; word++) {
        REQUIRE((visible[word] & ~who->known[word]) == 0);
        REQUIRE(((state->boulders[word] ^ who->boulders[word]) & visible[word]) == 0);
        REQUIRE((who->boulders[word] & ~who->known[word]) == 0);
    }
    free(visible);
}

static uint32_t tile_of(const game *state, struct maze_square at, bool boulder)
{
    if (height_at(state, at) > 0) {
        return TILE_WALL + height_at(state, at) - 1u;
    }
    return boulder                      ? TILE_BOULDER
           : is_same(at, state->finale) ? TILE_FINALE
           : is_same(at, state->north)  ? TILE_NORTH
                                        : TILE_FLOOR;
}

/* A watched view shows what its seat has seen, as it saw it, and nobody whom it does not see now. */
static void check_view(const fixture *world, int32_t seat)
{
    const game *state = fixture_game(world);
    const struct runner *who = seat >= 0 && !state->runners[seat].arrived ? &state->runners[seat] : NULL;
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    struct maze_square at;
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < state->side; at.x++) {
            uint16_t is = WN_CELL(tile_of(state, at, bit_of(state, state->boulders, at)));
            if (who != NULL && !bit_of(state, who->known, at)) {
                is = WN_CELL(TILE_UNKNOWN);
            } else if (who != NULL && !wn_sight_sees(&who->sight, at.x, at.y)) {
                is = WN_REMEMBERED(tile_of(state, at, bit_of(state, who->boulders, at)));
            }
            REQUIRE(view.cells[at.y * state->side + at.x] == is);
        }
    }
    uint32_t sprites = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS + state->monster_count; i++) {
        const bool there = i >= WN_MAX_SEATS || (state->runners[i].taken && !state->runners[i].arrived);
        at = i < WN_MAX_SEATS ? state->runners[i].at : state->monsters[i - WN_MAX_SEATS].at;
        sprites += there && (who == NULL || wn_sight_sees(&who->sight, at.x, at.y));
    }
    REQUIRE(view.sprite_count == sprites);
}

void fixture_check(const fixture *world)
{
    const game *state = fixture_game(world);
    uint32_t arrived = 0;
    if (state->north.x > 0 && state->finale.x > 0) { /* a scene may have drawn none */
        check_ways(state);
    }
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        if (state->runners[seat].taken) {
            check_runner(state, seat);
            arrived += state->runners[seat].arrived;
        }
    }
    REQUIRE(arrived <= state->arrived);
    for (uint32_t i = 0; i < state->monster_count; i++) {
        REQUIRE(is_free(state, state->monsters[i].at));
        REQUIRE(!is_in(&state->sanctuary, state->monsters[i].at));
        REQUIRE(!is_same(state->monsters[i].at, state->finale));
        for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
            const struct runner *who = &state->runners[seat];
            REQUIRE(!who->taken || who->arrived || !is_same(who->at, state->monsters[i].at));
        }
    }
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i] && (i == 0 || state->runners[i - 1].taken)) {
            check_view(world, i - 1);
        }
    }
}

int fixture_run(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create(name);
    tcase_set_timeout(all, 100);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test(all, tests[i]);
    }
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
