/* caves_fixture.c: see caves_fixture.h. */
#include "caves_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* chance */

uint64_t fixture_seed(void)
{
    const char *given = getenv("WARREN_SEED");
    const uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 20120724;
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

enum { FIXTURE_SETTINGS = 32 };

static void print_log(void *context, uint32_t world, wn_log_level level, const char *text)
{
    (void)context;
    if (level <= WN_LOG_WARNING) {
        printf("world %u, level %d: %s\n", world, level, text);
    }
}

/* Splits "name=value name=value" in place. */
static size_t parse_settings(char *text, Warren__SettingValue *values, const Warren__SettingValue **pointers)
{
    size_t count = 0;
    char *rest = text;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        ck_assert_uint_lt(count, FIXTURE_SETTINGS);
        char *equals = strchr(word, '=');
        ck_assert_ptr_nonnull(equals);
        *equals = '\0';
        warren__setting_value__init(&values[count]);
        values[count].name = word;
        values[count].value = equals + 1;
        pointers[count] = &values[count];
        count++;
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
    ck_assert_ptr_nonnull(world);
    ck_assert_uint_lt(strlen(settings), sizeof world->settings);
    strcpy(world->settings, settings);
    world->seed = seed;
    world->arena = wn_arena_new(64 << 20);
    world->borrowed = like != NULL;
    world->plugin = like != NULL ? like->plugin : wn_plugin_open(CAVES_MODE, error);
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

caves *fixture_game(const fixture *world)
{
    return wn_hosted_handle(world->hosted)->state;
}

entity *fixture_player(const fixture *world, uint32_t seat_number)
{
    caves *game = fixture_game(world);
    const uint32_t index = game->seats[seat_number].entity;
    return index != NOBODY ? &game->entities.all[index] : NULL;
}

entity *fixture_find(const fixture *world, int32_t x, int32_t y)
{
    caves *game = fixture_game(world);
    const uint32_t index = entities_find(&game->entities, &game->map, (position){x, y});
    return index != NOBODY ? &game->entities.all[index] : NULL;
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

void fixture_add_join(fixture *world, uint32_t seat_number, const char *name)
{
    char player[WN_NAME_BYTES + 1];
    snprintf(player, sizeof player, "%s", name);
    Warren__Host__SeatJoins join = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    join.seat = seat_number;
    join.player = player;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &join;
    add_input(world, &input);
}

void fixture_add_leave(fixture *world, uint32_t seat_number)
{
    Warren__Host__SeatLeaves leave = WARREN__HOST__SEAT_LEAVES__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    leave.seat = seat_number;
    input.body_case = WARREN__HOST__INPUT__BODY_LEAVE;
    input.leave = &leave;
    add_input(world, &input);
}

void fixture_add(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    command.seat = seat_number;
    command.number = ++world->numbers[seat_number];
    command.action = action;
    command.has_argument = action == ACTION_STEP;
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

void fixture_join(fixture *world, uint32_t seat_number, const char *name)
{
    fixture_add_join(world, seat_number, name);
    fixture_turn(world);
}

void fixture_leave(fixture *world, uint32_t seat_number)
{
    fixture_add_leave(world, seat_number);
    fixture_turn(world);
}

void fixture_act(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument)
{
    fixture_add(world, seat_number, action, argument);
    fixture_turn(world);
}

void fixture_step(fixture *world, uint32_t seat_number, uint32_t direction)
{
    fixture_act(world, seat_number, ACTION_STEP, direction);
}

void fixture_rest(fixture *world, uint32_t seat_number)
{
    fixture_act(world, seat_number, ACTION_REST, 0);
}

/* scenes */

static void clear(caves *game)
{
    entities *list = &game->entities;
    const size_t words = cave_words(&game->map);
    memset(game->map.floor, 0, words * sizeof(uint64_t));
    memset(game->map.taken, 0, words * sizeof(uint64_t));
    game->map.floors = 0;
    list->count = 0;
    memset(list->of_kind, 0, sizeof list->of_kind);
    memset(list->slots, 0, (list->slot_mask + 1) * sizeof *list->slots);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        game->seats[i].entity = NOBODY;
    }
}

static void place(fixture *world, kind_id what, position at, uint32_t seat_number)
{
    caves *game = fixture_game(world);
    entity *who = entities_add(&game->entities, &game->map, wn_hosted_handle(world->hosted), what, at, 0);
    REQUIRE(who != NULL);
    who->hit_points = game->kinds[what].hit_points;
    who->seat = (uint8_t)seat_number;
    if (what == KIND_PLAYER) {
        REQUIRE(game->seats[seat_number].taken);
        game->seats[seat_number].entity = game->entities.count - 1;
    }
}

static void paint_cell(fixture *world, position at, char sign)
{
    static const char creatures[] = "Fv~=";
    static const kind_id kinds[] = {KIND_LICHEN, KIND_BUNNY, KIND_SILVERFISH, KIND_SILVERFISH};
    if (sign != '#' && sign != '=') {
        cave_dig(&fixture_game(world)->map, at);
    }
    const char *creature = strchr(creatures, sign);
    if (creature != NULL) {
        place(world, kinds[creature - creatures], at, 0);
    } else if (sign >= '0' && sign <= '9') {
        place(world, KIND_PLAYER, at, (uint32_t)(sign - '0'));
    }
}

static void reload(fixture *world)
{
    wn_buffer snapshot = {0};
    wn_error error = {0};
    wn_hosted_save(world->hosted, &snapshot);
    wn_hosted *loaded = host_world(world, &snapshot, wn_hosted_turn_number(world->hosted), &error);
    if (loaded == NULL) {
        ck_abort_msg("%s", error.text);
    }
    wn_hosted_free(world->hosted);
    world->hosted = loaded;
    wn_buffer_free(&snapshot);
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i]) {
            fixture_watch(world, i - 1, true);
        }
    }
}

void fixture_paint(fixture *world, const char *const *rows)
{
    caves *game = fixture_game(world);
    clear(game);
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            REQUIRE(cave_is_inside(&game->map, (position){x, y}));
            paint_cell(world, (position){x, y}, rows[y][x]);
        }
    }
    reload(world);
}

/* views */

void fixture_watch(fixture *world, int32_t seat_number, bool on)
{
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, seat_number, on, &keyframe);
    world->watched[seat_number + 1] = on;
    wn_buffer_free(&keyframe);
}

const Warren__Update *fixture_update(const fixture *world, int32_t seat_number)
{
    for (size_t i = 0; i < world->done->n_updates; i++) {
        const Warren__Host__ViewUpdate *update = world->done->updates[i];
        if (update->has_seat ? (int32_t)update->seat == seat_number : seat_number == WN_SPECTATORS) {
            wn_error error = {0};
            const Warren__Update *decoded =
                wn_update_decode(world->arena, update->update.data, update->update.len, &error);
            ck_assert_msg(decoded != NULL, "%s", error.text);
            return decoded;
        }
    }
    return NULL;
}

uint32_t fixture_heard(const fixture *world, int32_t seat_number, const char *text)
{
    const Warren__Update *update = fixture_update(world, seat_number);
    uint32_t heard = 0;
    if (update == NULL || update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return 0;
    }
    for (size_t i = 0; i < update->delta->n_messages; i++) {
        heard += text == NULL || strcmp(update->delta->messages[i]->text, text) == 0;
    }
    return heard;
}

uint32_t fixture_saw(const fixture *world, int32_t seat_number, const char *cue)
{
    const Warren__Update *update = fixture_update(world, seat_number);
    uint32_t seen = 0;
    if (update == NULL || update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return 0;
    }
    for (size_t i = 0; i < update->delta->n_effects; i++) {
        seen += update->delta->effects[i]->cue != NULL && strcmp(update->delta->effects[i]->cue, cue) == 0;
    }
    return seen;
}

uint16_t fixture_cell(const fixture *world, int32_t seat_number, uint32_t x, uint32_t y)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat_number, &view);
    REQUIRE(x < view.width);
    REQUIRE(y < view.height);
    return view.cells[(size_t)y * view.width + x];
}

/* invariants */

static void check_entity(const fixture *world, uint32_t index, uint8_t *seen)
{
    const caves *game = fixture_game(world);
    const entity *who = &game->entities.all[index];
    const position at = entity_at(who);
    REQUIRE(cave_is_inside(&game->map, at));
    const size_t cell = (size_t)at.y * game->map.width + (size_t)at.x;
    REQUIRE(!seen[cell]);
    seen[cell] = 1;
    REQUIRE(entities_find(&game->entities, &game->map, at) == index);
    REQUIRE(who->kind == KIND_SILVERFISH || cave_is_floor(&game->map, at));
    REQUIRE(who->hit_points <= game->kinds[who->kind].hit_points);
    REQUIRE(who->hit_points > 0 || game->kinds[who->kind].hit_points == 0);
    if (who->kind == KIND_PLAYER) {
        REQUIRE(game->seats[who->seat].entity == index);
    }
}

void fixture_check(const fixture *world)
{
    const caves *game = fixture_game(world);
    const cave *map = &game->map;
    uint8_t *seen = calloc(map->width, map->height);
    REQUIRE(seen != NULL);
    uint32_t of_kind[KIND_COUNT] = {0}, taken = 0;
    for (uint32_t i = 0; i < game->entities.count; i++) {
        check_entity(world, i, seen);
        of_kind[game->entities.all[i].kind]++;
    }
    REQUIRE(memcmp(of_kind, game->entities.of_kind, sizeof of_kind) == 0);
    for (size_t i = 0; i < cave_words(map); i++) {
        taken += (uint32_t)__builtin_popcountll(map->taken[i]);
    }
    REQUIRE(taken == game->entities.count);
    cave counted = *map;
    REQUIRE(cave_count(&counted));
    REQUIRE(counted.floors == map->floors);
    free(seen);
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
