/* rtt.c: bench-rtt: how long it takes from a command to the update that shows it, beside a raw ZeroMQ echo.
 *
 * One player plays in a world of its own, one command at a time. Blocks of the three measurements alternate, so that
 * what disturbs the machine disturbs all of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zmq.h>

#include "load.h"
#include "measure.h"
#include "options.h"
#include "peer.h"
#include "player.h"
#include "raw.h"

enum { EXIT_UNAVAILABLE = 69, WARM_UP = 200 };

typedef struct bench {
    uint32_t blocks, block, load, rate, seed;
    const char *warrend;
    wn_game game;
    wn_server server;
    wn_raw raw[WN_TRANSPORTS];
    wn_load others;
    void *context;
    wn_peer peer;
    wn_peer_seat *seat;
    wn_player player;
    uint64_t peer_chance, player_chance;
    uint32_t lost; /* round trips cut short by the end of a seat */
} bench;

/* one round trip of each of the three */

static bool raw_once(bench *run, wn_transport transport, bool *counts, wn_error *error)
{
    *counts = wn_raw_round_trip(&run->raw[transport]);
    return *counts || wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "The raw echo went silent.");
}

static bool peer_once(bench *run, wn_transport transport, bool *counts, wn_error *error)
{
    (void)transport;
    wn_peer_command(&run->peer, run->seat, &run->peer_chance);
    *counts = true;
    for (int silent = 0; run->seat->executed + 1 != run->seat->next;) {
        if (wn_peer_hear(&run->peer, true) != NULL) {
            continue;
        }
        *counts = false;
        if (!wn_peer_mend(&run->peer, error)) {
            return false;
        }
        if (++silent == WN_PEER_PATIENCE) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "No effect of a command came.");
        }
    }
    return true;
}

static bool player_once(bench *run, wn_transport transport, bool *counts, wn_error *error)
{
    (void)transport;
    *counts = wn_player_round_trip(&run->player, &run->player_chance, error);
    return *counts || error->text[0] == '\0';
}

static const struct {
    const char *name;
    bool (*once)(bench *run, wn_transport transport, bool *counts, wn_error *error);
} kinds[] = {
    {"raw ZeroMQ", raw_once},
    {"Warren, bare peer", peer_once},
    {"Warren, client library", player_once},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* measuring */

static bool measure_block(bench *run, wn_transport transport, int kind, wn_samples *samples, wn_error *error)
{
    for (uint32_t i = 0; i < run->block; i++) {
        bool counts = false;
        const double start = wn_clock_us();
        if (!kinds[kind].once(run, transport, &counts, error)) {
            return false;
        }
        if (counts) {
            wn_samples_add(samples, wn_clock_us() - start);
        } else {
            run->lost++;
        }
    }
    return true;
}

static bool connect_all(bench *run, wn_transport transport, wn_error *error)
{
    char world[2][WN_NAME_BYTES + 1];
    if (!wn_peer_open(&run->peer, run->context, &run->server, transport, error) ||
        !wn_peer_create(&run->peer, &run->game, run->seed, world[0], error) ||
        !wn_peer_create(&run->peer, &run->game, run->seed, world[1], error)) {
        return false;
    }
    run->seat = wn_peer_join(&run->peer, world[0], run->game.action, error);
    if (run->seat == NULL || !wn_player_join(&run->player, run->server.control[transport].text, world[1],
                                             run->peer.mode->actions[0]->name, error)) {
        return false;
    }
    wn_peer_forget_sizes(&run->peer);
    bool counts;
    for (int i = 0; i < WARM_UP; i++) {
        if (!peer_once(run, transport, &counts, error) || !player_once(run, transport, &counts, error)) {
            return false;
        }
    }
    return wn_raw_connect(&run->raw[transport], run->context, wn_peer_request_size(&run->peer),
                          wn_peer_update_size(&run->peer), error);
}

static void print_rows(bench *run, wn_transport transport, wn_samples samples[KINDS])
{
    const double raw_median = wn_samples_percentile(&samples[0], 50), raw_p99 = wn_samples_percentile(&samples[0], 99);
    for (int i = 0; i < KINDS; i++) {
        const double median = wn_samples_percentile(&samples[i], 50), p99 = wn_samples_percentile(&samples[i], 99);
        printf("%-4s %-24s %9.1f %9.1f %9.2f %9.2f\n", wn_transport_names[transport], kinds[i].name, median, p99,
               median / raw_median, p99 / raw_p99);
    }
    printf("     commands of %" PRIu32 " bytes, updates of %" PRIu32 ", %zu samples each\n",
           run->raw[transport].request_bytes, run->raw[transport].answer_bytes, samples[0].count);
}

static bool measure(bench *run, wn_transport transport, wn_error *error)
{
    wn_samples samples[KINDS] = {0};
    bool right = connect_all(run, transport, error);
    for (uint32_t i = 0; right && i < run->blocks; i++) {
        for (int kind = 0; right && kind < KINDS; kind++) {
            right = measure_block(run, transport, kind, &samples[kind], error);
        }
    }
    if (right) {
        print_rows(run, transport, samples);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        wn_samples_free(&samples[kind]);
    }
    wn_player_leave(&run->player);
    wn_peer_close(&run->peer);
    wn_raw_disconnect(&run->raw[transport]);
    return right;
}

/* the run */

/* All that forks comes before the first ZeroMQ context of this process. */
static bool start(bench *run, wn_error *error)
{
    const wn_load_plan plan = {.game = run->game, .players = run->load, .rate = run->rate};
    bool right = wn_server_directory(&run->server, error);
    for (int i = 0; right && i < WN_TRANSPORTS; i++) {
        right = wn_raw_start(&run->raw[i], &run->server, (wn_transport)i, error);
    }
    return right && wn_server_start(&run->server, run->warrend, error) &&
           wn_load_start(&run->others, &run->server, &plan, error);
}

static bool measure_all(bench *run, wn_error *error)
{
    const uint64_t sent = wn_load_sent(&run->others);
    const double since = wn_clock_us();
    printf("Command to update, round trip in microseconds, %s %s, %" PRIu32 " other players\n", run->game.mode,
           run->game.settings, run->load);
    printf("%-29s %9s %9s %9s %9s\n", "", "median", "p99", "/ raw", "/ raw");
    run->context = zmq_ctx_new();
    bool right = true;
    for (int i = 0; right && i < WN_TRANSPORTS; i++) {
        right = measure(run, (wn_transport)i, error);
    }
    if (run->load > 0) {
        printf("     the others sent %.0f commands a second\n",
               (double)(wn_load_sent(&run->others) - sent) / (wn_clock_us() - since) * 1e6);
    }
    if (run->lost > 0) {
        printf("     %" PRIu32 " round trips were cut short, for the mode ended the seat\n", run->lost);
    }
    zmq_ctx_term(run->context);
    return right;
}

int main(int count, char **words)
{
    static bench run = {
        .blocks = 40, .block = 100, .rate = 5, .seed = 1, .game = {"caves", "lichens=300 growth_permille=0", "step"}};
    const wn_bench_option options[] = {
        {.name = "blocks", .number = &run.blocks, .least = 1, .most = 100000, .help = "blocks of each measurement"},
        {.name = "block", .number = &run.block, .least = 1, .most = 100000, .help = "round trips in a block"},
        {.name = "load", .number = &run.load, .least = 0, .most = 5000, .help = "other players, eight to a world"},
        {.name = "rate", .number = &run.rate, .least = 1, .most = 1000, .help = "commands a second of each of them"},
        {.name = "seed", .number = &run.seed, .least = 0, .most = UINT32_MAX, .help = "of worlds and choices"},
        {.name = "mode", .text = &run.game.mode, .help = "what is played"},
        {.name = "settings", .text = &run.game.settings, .help = "of the worlds: NAME=VALUE, separated by spaces"},
        {.name = "action", .text = &run.game.action, .help = "what is done all the time"},
        {.name = "warrend", .text = &run.warrend, .help = "the daemon; absent: the one beside this program"},
        {0}};
    const int status =
        wn_bench_options_parse(options, "bench-rtt", "Measures the time from a command to its update.", count, words);
    if (status >= 0) {
        return status;
    }
    wn_error error = {0};
    run.peer_chance = run.player_chance = run.seed;
    const bool started = start(&run, &error);
    const bool right = started && measure_all(&run, &error);
    wn_load_stop(&run.others);
    for (int i = 0; i < WN_TRANSPORTS; i++) {
        wn_raw_stop(&run.raw[i]);
    }
    wn_server_stop(&run.server);
    if (!right) {
        fprintf(stderr, "bench-rtt: %s\n", error.text);
        return started ? EXIT_FAILURE : EXIT_UNAVAILABLE;
    }
    printf("To repeat it: ");
    wn_bench_options_print(options, words[0]);
    return EXIT_SUCCESS;
}
