/* turn.c: bench-turn: the CPU that one turn costs a host: reading its inputs, the mode's rules, drawing the views,
 * finding what changed in them and encoding it. The host's core runs in this program: no process, no socket.
 *
 * A game is played once to write down its inputs, then again and again from those: without views and with all of them
 * watched, in alternation. What else the machine does only adds to a round, so the cheapest one of each counts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "measure.h"
#include "options.h"
#include "pb.h"
#include "world.h"

enum { EXIT_UNAVAILABLE = 69, WARM_UP = 50, MOST_SETTINGS = 64, MOST_ACTIONS = 64 };

/* The inputs of all turns, one behind the other. */
typedef struct script {
    wn_buffer bytes;
    size_t *ends; /* of each turn */
    uint64_t hash;
} script;

typedef struct bench {
    uint32_t turns, rounds, players, commands, seed;
    const char *mode, *settings, *action_names;
    const wn_action *actions[MOST_ACTIONS];
    uint32_t action_count;
    wn_plugin *plugin;
    script game;
    wn_buffer out;
} bench;

/* What a way of playing cost, at its cheapest, and what it wrote. */
typedef struct cost {
    double us;
    uint64_t updates, bytes;
} cost;

/* worlds */

static wn_hosted *open_world(bench *run, wn_error *error)
{
    Warren__SettingValue values[MOST_SETTINGS];
    const Warren__SettingValue *pointers[MOST_SETTINGS];
    char *text = strdup(run->settings), *rest = text;
    wn_world_options options = {.id = 1, .seed = run->seed, .settings = pointers};
    for (char *word = strtok_r(text, " ", &rest); word != NULL && options.setting_count < MOST_SETTINGS;
         word = strtok_r(NULL, " ", &rest)) {
        Warren__SettingValue *value = &values[options.setting_count];
        warren__setting_value__init(value);
        char *equals = strchr(word, '=');
        value->name = word;
        value->value = equals != NULL ? equals + 1 : "";
        if (equals != NULL) {
            *equals = '\0';
        }
        pointers[options.setting_count++] = value;
    }
    wn_hosted *world = wn_hosted_new(run->plugin, &options, error);
    free(text);
    return world;
}

static const uint8_t *inputs_of(const script *game, uint32_t turn, size_t *size)
{
    const size_t begin = turn > 0 ? game->ends[turn - 1] : 0;
    *size = game->ends[turn] - begin;
    return game->bytes.data + begin;
}

/* Plays turns of the game; false, with the error, if one does not go. */
static bool play(bench *run, wn_hosted *world, uint32_t from, uint32_t to, wn_error *error)
{
    bool right = true;
    for (uint32_t turn = from; right && turn < to; turn++) {
        size_t size;
        const uint8_t *inputs = inputs_of(&run->game, turn, &size);
        run->out.size = 0;
        right = wn_hosted_turn(world, turn + 1, inputs, size, &run->out, error);
    }
    return right;
}

/* the game */

/* Inputs { input = 1 { join = 1 { seat = 1, player = 2 } } } */
static void add_join(wn_buffer *inputs, uint32_t seat)
{
    char name[WN_NAME_BYTES + 1];
    snprintf(name, sizeof name, "player%" PRIu32, seat);
    const size_t input = wn_pb_begin(inputs, 1), join = wn_pb_begin(inputs, 1);
    wn_pb_varint(inputs, 1, seat);
    wn_pb_string(inputs, 2, name);
    wn_pb_end(inputs, join);
    wn_pb_end(inputs, input);
}

/* Inputs { input = 1 { command = 3 { seat = 1, number = 2, action = 3, argument = 4 if it takes one } } } */
static void add_command(const bench *run, wn_buffer *inputs, uint32_t seat, uint32_t number, uint64_t *chance)
{
    const wn_action *action = run->actions[wn_chance_below(chance, run->action_count)];
    const size_t input = wn_pb_begin(inputs, 1), command = wn_pb_begin(inputs, 3);
    wn_pb_varint(inputs, 1, seat);
    wn_pb_varint(inputs, 2, number);
    wn_pb_varint(inputs, 3, action->id);
    if (action->argument != WN_ARGUMENT_NONE) {
        wn_pb_varint(inputs, 4, 2 * wn_chance_below(chance, 4)); /* north, east, south or west */
    }
    wn_pb_end(inputs, command);
    wn_pb_end(inputs, input);
}

/* Players whose seats are free come; of the others as many as there are commands in a turn do something, by turns. */
static void make_turn(bench *run, const wn_hosted *world, uint32_t turn, uint64_t *chance)
{
    for (uint32_t seat = 0; seat < run->players; seat++) {
        if (wn_hosted_seat(world, seat, NULL) == NULL) {
            add_join(&run->game.bytes, seat);
        }
    }
    for (uint32_t i = 0; i < run->commands && i < run->players; i++) {
        const uint32_t seat = (turn * run->commands + i) % run->players;
        if (wn_hosted_seat(world, seat, NULL) != NULL) {
            add_command(run, &run->game.bytes, seat, turn + 1, chance);
        }
    }
}

static bool make_game(bench *run, wn_error *error)
{
    uint64_t chance = run->seed;
    run->game.ends = calloc(run->turns, sizeof *run->game.ends);
    wn_hosted *world = run->game.ends != NULL ? open_world(run, error) : NULL;
    bool right = world != NULL;
    for (uint32_t turn = 0; right && turn < run->turns; turn++) {
        make_turn(run, world, turn, &chance);
        run->game.ends[turn] = run->game.bytes.size;
        right = play(run, world, turn, turn + 1, error);
    }
    if (world != NULL) {
        run->game.hash = wn_hosted_hash(world);
        wn_hosted_free(world);
    }
    return right;
}

/* measuring */

/* The updates of the last turn: FromHost { done = 1 { updates = 4 } }. */
static bool count_updates(const wn_buffer *out, wn_arena *arena, cost *spent, wn_error *error)
{
    size_t offset = 0, size;
    const uint8_t *bytes;
    wn_arena_reset(arena);
    if (wn_frame_next(out, &offset, &bytes, &size) != 1) {
        return false;
    }
    const Warren__Host__FromHost *message = wn_from_host_decode(arena, bytes, size, error);
    for (size_t i = 0; message != NULL && i < message->done->n_updates; i++) {
        spent->updates++;
        spent->bytes += message->done->updates[i]->update.len;
    }
    return message != NULL;
}

/* A world after the first turns, in which everybody came. */
static wn_hosted *begin(bench *run, bool watched, wn_error *error)
{
    wn_hosted *world = open_world(run, error);
    if (world == NULL || !play(run, world, 0, WARM_UP, error)) {
        return NULL;
    }
    for (int32_t seat = WN_SPECTATORS; watched && seat < (int32_t)run->players; seat++) {
        wn_hosted_watch(world, seat, true, &run->out);
    }
    return world;
}

static bool measure(bench *run, bool watched, cost *spent, wn_error *error)
{
    wn_hosted *world = begin(run, watched, error);
    if (world == NULL) {
        return false;
    }
    const double since = wn_cpu_us(0);
    const bool right = play(run, world, WARM_UP, run->turns, error);
    const double us = (wn_cpu_us(0) - since) / (run->turns - WARM_UP);
    if (spent->us <= 0 || us < spent->us) {
        spent->us = us;
    }
    if (right && wn_hosted_hash(world) != run->game.hash) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "The game did not go the way it went before.");
        spent->us = 0;
    }
    wn_hosted_free(world);
    return right && spent->us > 0;
}

/* What the updates hold is counted in a round of its own. */
static bool count(bench *run, cost *spent, wn_error *error)
{
    wn_arena *arena = wn_arena_new(WN_ARENA_FRAME);
    wn_hosted *world = arena != NULL ? begin(run, true, error) : NULL;
    bool right = world != NULL;
    for (uint32_t turn = WARM_UP; right && turn < run->turns; turn++) {
        right = play(run, world, turn, turn + 1, error) && count_updates(&run->out, arena, spent, error);
    }
    if (world != NULL) {
        wn_hosted_free(world);
    }
    wn_arena_free(arena);
    return right;
}

static bool measure_all(bench *run, wn_error *error)
{
    cost alone = {0}, watched = {0};
    bool right = count(run, &watched, error);
    for (uint32_t i = 0; right && i < run->rounds; i++) {
        right = measure(run, false, &alone, error) && measure(run, true, &watched, error);
    }
    if (!right) {
        return false;
    }
    const double turns = run->turns - WARM_UP, views = run->players + 1;
    printf("%s %s: %" PRIu32 " players, %" PRIu32 " commands a turn, %.0f views, %.0f turns\n", run->mode,
           run->settings, run->players, run->commands, views, turns);
    printf("a turn with all views %8.2f us of CPU\n", watched.us);
    printf("a turn without views  %8.2f us\n", alone.us);
    printf("a view                %8.3f us a turn\n", (watched.us - alone.us) / views);
    printf("updates               %8.2f a turn, of %.1f bytes\n", (double)watched.updates / turns,
           watched.updates > 0 ? (double)watched.bytes / (double)watched.updates : 0.0);
    printf("the state's hash      %016" PRIx64 "\n", run->game.hash);
    return true;
}

/* the run */

static const wn_action *find_action(const wn_mode_descriptor *mode, const char *name)
{
    for (uint32_t i = 0; i < mode->action_count; i++) {
        if (strcmp(mode->actions[i].name, name) == 0) {
            return &mode->actions[i];
        }
    }
    return NULL;
}

static bool find_actions(bench *run, wn_error *error)
{
    char *text = strdup(run->action_names), *rest = text;
    bool right = true;
    for (char *name = strtok_r(text, " ", &rest); right && name != NULL; name = strtok_r(NULL, " ", &rest)) {
        const wn_action *action = find_action(wn_plugin_descriptor(run->plugin), name);
        right = action != NULL && run->action_count < MOST_ACTIONS;
        if (right) {
            run->actions[run->action_count++] = action;
        } else {
            wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, NULL, 0,
                         "The mode has no action %s, or there are more than %d.", name, MOST_ACTIONS);
        }
    }
    free(text);
    return right && (run->action_count > 0 ||
                     wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, NULL, 0, "No action was given."));
}

int main(int count, char **words)
{
    static bench run = {
        .turns = 4050,
        .rounds = 5,
        .players = 16,
        .commands = 16,
        .seed = 1,
        .mode = BENCH_MODE,
        .settings = "maxdam=10000 ishots=10000 maxncshot=1000",
        .action_names = "move move move face bullet",
    };
    const wn_bench_option options[] = {
        {.name = "turns", .number = &run.turns, .least = WARM_UP + 1, .most = 1000000, .help = "of a round"},
        {.name = "rounds", .number = &run.rounds, .least = 1, .most = 1000, .help = "of each measurement"},
        {.name = "players", .number = &run.players, .least = 1, .most = WN_MAX_SEATS, .help = "all in one world"},
        {.name = "commands", .number = &run.commands, .least = 0, .most = WN_MAX_SEATS, .help = "of them in a turn"},
        {.name = "seed", .number = &run.seed, .least = 0, .most = UINT32_MAX, .help = "of world and choices"},
        {.name = "mode", .text = &run.mode, .help = "the mode's file"},
        {.name = "settings", .text = &run.settings, .help = "of the world: NAME=VALUE, separated by spaces"},
        {.name = "actions", .text = &run.action_names, .help = "any of these, by chance; twice is twice as likely"},
        {0}};
    const int status =
        wn_bench_options_parse(options, "bench-turn", "Measures what a turn costs a host.", count, words);
    if (status >= 0) {
        return status;
    }
    wn_error error = {0};
    run.plugin = wn_plugin_open(run.mode, &error);
    const bool started = run.plugin != NULL && find_actions(&run, &error);
    const bool right = started && make_game(&run, &error) && measure_all(&run, &error);
    wn_buffer_free(&run.game.bytes);
    wn_buffer_free(&run.out);
    free(run.game.ends);
    if (run.plugin != NULL) {
        wn_plugin_close(run.plugin);
    }
    if (!right) {
        fprintf(stderr, "bench-turn: %s\n", error.text);
        return started ? EXIT_FAILURE : EXIT_UNAVAILABLE;
    }
    printf("To repeat it: ");
    wn_bench_options_print(options, words[0]);
    return EXIT_SUCCESS;
}
