/* hunt_fixture.c: see hunt_fixture.h. */
#include "hunt_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* chance */

static uint64_t given_seed(void)
{
    const char *given = getenv("WARREN_SEED");
    return given != NULL ? strtoull(given, NULL, 0) : 19851026;
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
    /* Tests look at what spectators see at once, unless they say otherwise. */
    const bool late = strstr(settings, "spectator_delay=") != NULL;
    const int length =
        snprintf(world->settings, sizeof world->settings, "%s%s", late ? "" : "spectator_delay=0 ", settings);
    REQUIRE(length > 0 && (size_t)length < sizeof world->settings);
    world->seed = seed;
    world->arena = wn_arena_new(64 << 20);
    world->borrowed = like != NULL;
    world->plugin = like != NULL ? like->plugin : wn_plugin_open(HUNT_MODE, error);
    ck_assert_msg(world->plugin != NULL, "%s", error->text);
    world->hosted = host_world(world, snapshot, like != NULL ? wn_hosted_turn_number(like->hosted) : 0, error);
    if (world->hosted == NULL) {
        fixture_close(world);
        return NULL;
    }
    return world;
}

fixture *fixture_open(uint64_t seed, const char *settings)
{
    wn_error error = {0};
    fixture *world = make(NULL, seed, settings, NULL, &error);
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

hunt *fixture_game(const fixture *world)
{
    return wn_hosted_handle(world->hosted)->state;
}

wn_world *fixture_world(const fixture *world)
{
    return wn_hosted_handle(world->hosted);
}

struct player *player(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->players[seat];
}

struct ident *ident(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->idents[player(world, seat)->ident];
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

void fixture_add_join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry)
{
    char text[WN_NAME_BYTES + 1];
    snprintf(text, sizeof text, "%s", name);
    Warren__Host__SeatJoins input_join = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    input_join.seat = seat;
    input_join.player = text;
    input_join.has_entry = true;
    input_join.entry = entry;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &input_join;
    add_input(world, &input);
}

void fixture_add_join(fixture *world, uint32_t seat, const char *name)
{
    fixture_add_join_as(world, seat, name, ENTER_CLOAKED);
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
    command.has_argument = action == ACTION_MOVE || action == ACTION_FACE;
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

void join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry)
{
    fixture_add_join_as(world, seat, name, entry);
    fixture_turn(world);
}

void join(fixture *world, uint32_t seat, const char *name)
{
    join_as(world, seat, name, ENTER_CLOAKED);
}

void act(fixture *world, uint32_t seat, uint32_t action)
{
    fixture_add(world, seat, action, 0);
    fixture_turn(world);
}

void walk(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_MOVE, direction * 2);
    fixture_turn(world);
}

void face(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_FACE, direction * 2);
    fixture_turn(world);
}

void pass(fixture *world, uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        fixture_add_wake(world);
        fixture_turn(world);
    }
}

/* scenes */

/* Nothing that a scene does not ask for. */
static const char no_chance[] = "boots=no mines=0 pmiss=0 pgren_catch=0 pshot_coll=0 pgren_coll=0 ptrip_face=0 "
                                "ptrip_side=0 ptrip_back=0 pdrone=0 prandom=0 preflect=0 volcano_max=100000";

static void clear(hunt *game)
{
    memset(game->item, 0, game->cells);
    memset(game->player_at, 0, game->cells);
    game->opened_count = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        struct player *who = &game->players[i];
        who->cloak = 0;
        who->scan = 0;
        who->ammo = (uint32_t)game->set[SETTING_ISHOTS];
    }
}

static void paint_cell(hunt *game, cell at, char sign, uint32_t *others)
{
    static const char terrain[] = " -|+/\\#", items[] = ";gbB", you[] = "^>v<", other[] = "i}!{";
    const char *found = strchr(terrain, sign);
    game->terrain[at] = found != NULL ? (uint8_t)(TILE_FLOOR + (found - terrain)) : TILE_FLOOR;
    if ((found = strchr(items, sign)) != NULL) {
        game->item[at] = (uint8_t)(TILE_SMALL_MINE + (found - items));
    }
    const char *mine = strchr(you, sign), *theirs = strchr(other, sign);
    if (mine == NULL && theirs == NULL) {
        return;
    }
    const uint32_t seat = mine != NULL ? 0 : ++*others;
    struct player *who = &game->players[seat];
    REQUIRE(who->state == SEAT_PLAYING);
    who->facing = (uint8_t)(mine != NULL ? mine - you : theirs - other);
    who->at = at;
    game->player_at[at] = (uint8_t)(seat + 1);
}

static uint32_t count_signs(const char *const *rows, const char *signs)
{
    uint32_t count = 0;
    for (; *rows != NULL; rows++) {
        for (const char *sign = *rows; *sign != '\0'; sign++) {
            count += strchr(signs, *sign) != NULL;
        }
    }
    return count;
}

void scene_fly(fixture *world, uint32_t seat, uint32_t turns, int32_t fly_x, int32_t fly_y)
{
    hunt *game = fixture_game(world);
    struct player *who = &game->players[seat];
    game->player_at[who->at] = 0;
    game->flyers |= seat_bit(seat);
    who->flying = (uint8_t)turns;
    who->fly_x = (int8_t)fly_x;
    who->fly_y = (int8_t)fly_y;
}

void scene_look_anew(fixture *world)
{
    hunt *game = fixture_game(world);
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        sight_begin(game, seat);
        sight_look(game, seat);
    }
}

void scene_settle(fixture *world)
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

fixture *scene_named(const char *const *names, const char *settings, const char *const *rows)
{
    char text[512];
    int height = 0;
    while (rows[height] != NULL) {
        height++;
    }
    snprintf(text, sizeof text, "width=%zu height=%d %s %s", strlen(rows[0]), height, no_chance, settings);
    fixture *world = fixture_open(given_seed(), text);
    const uint32_t others = count_signs(rows, "i}!{"), you = count_signs(rows, "^>v<");
    for (uint32_t seat = you > 0 ? 0 : 1; seat <= others && names[seat] != NULL; seat++) {
        join(world, seat, names[seat]);
    }
    hunt *game = fixture_game(world);
    clear(game);
    uint32_t painted = 0;
    for (int32_t y = 0; y < height; y++) {
        REQUIRE((int32_t)strlen(rows[y]) == game->width);
        for (int32_t x = 0; x < game->width; x++) {
            paint_cell(game, cell_at(game, x, y), rows[y][x], &painted);
        }
    }
    for (uint32_t at = 0; at < game->cells; at++) {
        maze_refresh(game, (cell)at);
    }
    scene_look_anew(world);
    for (int32_t seat = you > 0 ? 0 : 1; seat <= (int32_t)others; seat++) {
        world->watched[seat + 1] = true;
    }
    world->watched[0] = true;
    scene_settle(world);
    return world;
}

fixture *scene(const char *settings, const char *const *rows)
{
    static const char *const names[] = {"ann", "bob", "cid", "dan", "eve", NULL};
    return scene_named(names, settings, rows);
}

/* views */

void fixture_watch(fixture *world, int32_t seat, bool on)
{
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, seat, on, &keyframe);
    world->watched[seat + 1] = on;
    wn_buffer_free(&keyframe);
}

char glyph(const fixture *world, int32_t x, int32_t y)
{
    const hunt *game = fixture_game(world);
    return hunt_tiles[game->truth[cell_at(game, x, y)]].ascii[0];
}

char view_glyph(const fixture *world, int32_t seat, int32_t x, int32_t y)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    const uint32_t at = (uint32_t)y * view.width + (uint32_t)x;
    REQUIRE(at < view.width * view.height);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        if (view.sprites[i].at == at) {
            return hunt_tiles[view.sprites[i].tile].ascii[0];
        }
    }
    return hunt_tiles[view.cells[at] >> 1].ascii[0];
}

typedef char reader(const fixture *world, int32_t seat, int32_t x, int32_t y);

static void expect(const fixture *world, reader *read, int32_t seat, const char *const *rows)
{
    const hunt *game = fixture_game(world);
    bool same = true;
    char text[8192];
    size_t size = 0;
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            const char is = read(world, seat, x, y);
            same = same && (rows[y][x] == '?' || rows[y][x] == is);
            text[size++] = is;
        }
        size += (size_t)snprintf(text + size, 64, "    %.50s\n", rows[y]);
    }
    ck_assert_msg(same, "view %d: is, and should be:\n%.*s", seat, (int)size, text);
}

static char maze_reader(const fixture *world, int32_t seat, int32_t x, int32_t y)
{
    (void)seat;
    return glyph(world, x, y);
}

void expect_view(const fixture *world, int32_t seat, const char *const *rows)
{
    expect(world, view_glyph, seat, rows);
}

void expect_maze(const fixture *world, const char *const *rows)
{
    expect(world, maze_reader, 0, rows);
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

const char *ended(const fixture *world, uint32_t seat)
{
    for (size_t i = 0; i < world->done->n_ended; i++) {
        if (world->done->ended[i]->seat == seat) {
            return world->done->ended[i]->text;
        }
    }
    return NULL;
}

/* invariants */

static void check_players(const hunt *game)
{
    uint32_t standing = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const struct player *who = &game->players[i];
        REQUIRE((who->state == SEAT_PLAYING) == (game->playing >> i & 1));
        if (who->state != SEAT_PLAYING) {
            continue;
        }
        REQUIRE(!is_border(game, who->at));
        REQUIRE(who->damage <= who->capacity);
        REQUIRE((who->flying > 0) == (game->flyers >> i & 1));
        REQUIRE(who->cloak == 0 || who->scan == 0);
        if (who->flying == 0) {
            REQUIRE(game->player_at[who->at] == i + 1);
            REQUIRE(game->terrain[who->at] == TILE_FLOOR || game->terrain[who->at] == TILE_DOOR);
            REQUIRE(game->item[who->at] == 0);
            standing++;
        }
    }
    for (uint32_t at = 0; at < game->cells; at++) {
        standing -= game->player_at[at] != 0;
    }
    REQUIRE(standing == 0);
}

static void check_things(const hunt *game)
{
    uint32_t boots = (uint32_t)game->boots[0].flying + game->boots[1].flying, resting = 0, blasts = 0;
    for (uint32_t at = 0; at < game->cells; at++) {
        boots += game->item[at] == TILE_BOOTS ? 2 : game->item[at] == TILE_BOOT;
        resting += game->shot_count[at];
        blasts += game->blast_left[at] > 0;
        REQUIRE((game->shot_count[at] > 0) == (game->shot_tile[at] != 0));
        REQUIRE((game->blast_left[at] > 0) == (game->blast[at] != 0));
        REQUIRE(game->terrain[at] != TILE_FLOOR || !is_border(game, (cell)at));
    }
    for (uint64_t left = game->playing; left != 0;) {
        boots += game->players[next_seat(&left)].boots;
    }
    REQUIRE(boots == (game->set[SETTING_BOOTS] ? BOOTS : 0));
    REQUIRE(resting == game->shot_total);
    REQUIRE(blasts == game->blast_count);
    REQUIRE(game->opened_count <= (uint32_t)game->set[SETTING_MAXREMOVE]);
    for (uint32_t i = 0; i < game->opened_count; i++) {
        REQUIRE(game->terrain[game->opened[i].at] == TILE_FLOOR);
    }
}

/* A watched view shows what drawing it anew shows. */
static void check_view(const fixture *world, int32_t seat)
{
    const hunt *game = fixture_game(world);
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    const struct player *who = seat >= 0 ? &game->players[seat] : NULL;
    for (uint32_t at = 0; at < game->cells; at++) {
        uint16_t is = WN_CELL(game->truth[at]);
        if (game->blast[at] != 0) {
            is = WN_CELL(game->blast[at]);
        } else if (who != NULL && is_seen(who, (cell)at)) {
            is = WN_CELL(known_tile(who, (cell)at) >= TILE_YOU ? game->terrain[at] : known_tile(who, (cell)at));
        } else if (who != NULL && known_tile(who, (cell)at) != TILE_UNKNOWN && !is_border(game, (cell)at)) {
            is = WN_REMEMBERED(known_tile(who, (cell)at));
        } else if (who != NULL) {
            is = WN_CELL(known_tile(who, (cell)at));
        }
        REQUIRE(view.cells[at] == is);
    }
    const uint64_t seats = who != NULL ? who->sighted : game->playing;
    REQUIRE(view.sprite_count == (uint32_t)__builtin_popcountll(seats));
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        REQUIRE(seats >> (view.sprites[i].id - 1) & 1);
        REQUIRE(view.sprites[i].at == game->players[view.sprites[i].id - 1].at);
    }
}

void fixture_check(const fixture *world)
{
    const hunt *game = fixture_game(world);
    check_players(game);
    check_things(game);
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i] && (i == 0 || game->players[i - 1].state == SEAT_PLAYING)) {
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
