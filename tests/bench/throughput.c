/* throughput.c: bench-throughput: how many commands a second go through with many in flight, and what CPU one costs the
 * daemon and its hosts, beside a raw ZeroMQ echo with as many in flight and messages of the same size.
 *
 * Player number p of every world sits behind connection p. Blocks of the two measurements alternate.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zmq.h>

#include "measure.h"
#include "options.h"
#include "peer.h"
#include "raw.h"

enum { EXIT_UNAVAILABLE = 69, MOST_PLAYERS = 64, CHECK_EVERY = 256 };

/* What the blocks of one measurement add up to. */
typedef struct sums {
    double us, cpu_server_us, cpu_hosts_us;
    uint64_t commands;
} sums;

typedef struct bench {
    uint32_t worlds, players, window, commands, blocks, seed, tcp;
    const char *warrend;
    wn_game game;
    wn_server server;
    wn_raw raw;
    void *context;
    wn_peer *peers; /* players of them */
    uint64_t chance;
    uint32_t lost; /* commands in flight when a seat ended */
} bench;

static wn_transport transport_of(const bench *run)
{
    return run->tcp != 0 ? WN_TCP : WN_IPC;
}

/* Warren */

static bool join_all(bench *run, wn_error *error)
{
    run->peers = calloc(run->players, sizeof *run->peers);
    if (run->peers == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "No memory left.");
    }
    for (uint32_t p = 0; p < run->players; p++) {
        if (!wn_peer_open(&run->peers[p], run->context, &run->server, transport_of(run), error)) {
            return false;
        }
    }
    for (uint32_t w = 0; w < run->worlds; w++) {
        char world[WN_NAME_BYTES + 1];
        if (!wn_peer_create(&run->peers[0], &run->game, (uint64_t)run->seed + w, world, error)) {
            return false;
        }
        for (uint32_t p = 0; p < run->players; p++) {
            if (wn_peer_join(&run->peers[p], world, run->game.action, error) == NULL) {
                return false;
            }
        }
    }
    for (uint32_t p = 0; p < run->players; p++) {
        wn_peer_forget_sizes(&run->peers[p]);
    }
    return true;
}

/* Keeps `window` of the seat's commands in flight as long as there are any to send. */
static void fill(bench *run, wn_peer *peer, wn_peer_seat *seat, uint64_t *left)
{
    while (*left > 0 && seat->next - seat->executed <= run->window) {
        wn_peer_command(peer, seat, &run->chance);
        --*left;
    }
}

static uint64_t in_flight(const bench *run)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < run->players; p++) {
        for (uint32_t i = 0; i < run->peers[p].seat_count; i++) {
            sum += run->peers[p].seats[i].next - run->peers[p].seats[i].executed - 1;
        }
    }
    return sum;
}

static bool mend_all(bench *run, uint64_t *left, wn_error *error)
{
    const uint64_t before = in_flight(run);
    for (uint32_t p = 0; p < run->players; p++) {
        wn_peer *peer = &run->peers[p];
        if (!wn_peer_mend(peer, error)) {
            return false;
        }
    }
    run->lost += (uint32_t)(before - in_flight(run));
    for (uint32_t p = 0; p < run->players; p++) {
        for (uint32_t i = 0; i < run->peers[p].seat_count; i++) {
            fill(run, &run->peers[p], &run->peers[p].seats[i], left);
        }
    }
    return true;
}

/* Takes all that has come for one connection and sends what there is room for. The number of commands executed. */
static uint64_t hear(bench *run, wn_peer *peer, uint64_t *left)
{
    uint64_t executed = 0;
    for (;;) {
        const uint64_t heard_before = peer->updates_heard;
        wn_peer_seat *seat = wn_peer_hear(peer, false);
        if (seat == NULL && peer->updates_heard == heard_before) {
            return executed;
        }
        if (seat != NULL) {
            executed += peer->executed_now;
            fill(run, peer, seat, left);
        }
    }
}

static bool warren_block(bench *run, uint64_t commands, wn_error *error)
{
    zmq_pollitem_t items[MOST_PLAYERS];
    for (uint32_t p = 0; p < run->players; p++) {
        items[p] = (zmq_pollitem_t){run->peers[p].updates, 0, ZMQ_POLLIN, 0};
    }
    uint64_t left = commands;
    if (!mend_all(run, &left, error)) {
        return false;
    }
    uint64_t done = 0, checked = 0;
    int silent = 0;
    while (done < commands) {
        const int ready = zmq_poll(items, (int)run->players, 1000);
        for (uint32_t p = 0; ready > 0 && p < run->players; p++) {
            if (items[p].revents != 0) {
                done += hear(run, &run->peers[p], &left);
            }
        }
        silent = ready == 0 ? silent + 1 : 0;
        if (silent == WN_PEER_PATIENCE) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "Warren went silent.");
        }
        if (ready == 0 || done - checked >= CHECK_EVERY * (uint64_t)run->worlds) {
            const uint32_t lost_before = run->lost;
            if (!mend_all(run, &left, error)) {
                return false;
            }
            done += run->lost - lost_before;
            checked = done;
        }
    }
    return true;
}

static bool measure_warren(bench *run, sums *sum, wn_error *error)
{
    const double server = wn_cpu_us(run->server.process), hosts = wn_cpu_of_children_us(run->server.process);
    const double start = wn_clock_us();
    if (!warren_block(run, run->commands, error)) {
        return false;
    }
    sum->us += wn_clock_us() - start;
    sum->cpu_server_us += wn_cpu_us(run->server.process) - server;
    sum->cpu_hosts_us += wn_cpu_of_children_us(run->server.process) - hosts;
    sum->commands += run->commands;
    return true;
}

/* raw */

static bool measure_raw(bench *run, sums *sum, wn_error *error)
{
    const double server = wn_cpu_us(run->raw.process), start = wn_clock_us();
    if (!wn_raw_pipeline(&run->raw, run->commands, (uint64_t)run->worlds * run->players * run->window)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "The raw echo went silent.");
    }
    sum->us += wn_clock_us() - start;
    sum->cpu_server_us += wn_cpu_us(run->raw.process) - server;
    sum->commands += run->commands;
    return true;
}

/* the run */

static uint64_t updates_heard(const bench *run)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < run->players; p++) {
        sum += run->peers[p].updates_heard;
    }
    return sum;
}

static void print_row(const char *name, const sums *sum, const sums *raw)
{
    const double rate = (double)sum->commands / sum->us * 1e6, raw_rate = (double)raw->commands / raw->us * 1e6;
    const double count = (double)sum->commands;
    const double server = sum->cpu_server_us / count, hosts = sum->cpu_hosts_us / count;
    const double raw_server = raw->cpu_server_us / (double)raw->commands;
    printf("%-12s %12.0f %8.3f %12.2f %10.2f %10.2f ", name, rate, rate / raw_rate, server, hosts, server + hosts);
    if (raw_server > 0) {
        printf("%8.2f\n", (server + hosts) / raw_server);
    } else {
        printf("%8s\n", "too few");
    }
}

static bool measure_all(bench *run, wn_error *error)
{
    sums raw = {0}, warren = {0};
    const uint64_t window = (uint64_t)run->worlds * run->players * run->window;
    run->context = zmq_ctx_new();
    /* A block goes first, uncounted: it warms up and tells how large messages are. */
    if (!join_all(run, error) || !warren_block(run, run->commands, error) ||
        !wn_raw_connect(&run->raw, run->context, wn_peer_request_size(run->peers), wn_peer_update_size(run->peers),
                        error)) {
        return false;
    }
    const uint64_t updates = updates_heard(run);
    for (uint32_t i = 0; i < run->blocks; i++) {
        if (!measure_raw(run, &raw, error) || !measure_warren(run, &warren, error)) {
            return false;
        }
    }
    printf("Commands a second, %s %s, %s, %" PRIu32 " worlds of %" PRIu32 " players, %" PRIu64 " commands in flight\n",
           run->game.mode, run->game.settings, wn_transport_names[transport_of(run)], run->worlds, run->players,
           window);
    printf("%-12s %12s %8s %12s %10s %10s %8s\n", "", "commands/s", "/ raw", "server us", "hosts us", "CPU us",
           "/ raw");
    print_row("raw ZeroMQ", &raw, &raw);
    print_row("Warren", &warren, &raw);
    printf("     commands of %" PRIu32 " bytes, updates of %" PRIu32
           ", %.2f updates a command in Warren and 1 in raw\n",
           run->raw.request_bytes, run->raw.answer_bytes,
           (double)(updates_heard(run) - updates) / (double)warren.commands);
    if (run->lost > 0) {
        printf("     %" PRIu32 " commands were lost with seats that the mode ended\n", run->lost);
    }
    return true;
}

static void finish(bench *run)
{
    for (uint32_t p = 0; run->peers != NULL && p < run->players; p++) {
        wn_peer_close(&run->peers[p]);
    }
    free(run->peers);
    wn_raw_stop(&run->raw);
    if (run->context != NULL) {
        zmq_ctx_term(run->context);
    }
    wn_server_stop(&run->server);
}

int main(int count, char **words)
{
    static bench run = {
        .worlds = 64,
        .players = 8,
        .window = 1,
        .commands = 100000,
        .blocks = 5,
        .seed = 1,
        .game = {"caves", "lichens=300 growth_permille=0", "step"},
    };
    const wn_bench_option options[] = {
        {.name = "worlds", .number = &run.worlds, .least = 1, .most = WN_PEER_SEATS, .help = "worlds"},
        {.name = "players", .number = &run.players, .least = 1, .most = MOST_PLAYERS, .help = "players in each"},
        {.name = "window",
         .number = &run.window,
         .least = 1,
         .most = 4096,
         .help = "commands in flight, of each player"},
        {.name = "commands", .number = &run.commands, .least = 1, .most = 1000000000, .help = "commands in a block"},
        {.name = "blocks", .number = &run.blocks, .least = 1, .most = 10000, .help = "blocks of each measurement"},
        {.name = "tcp", .number = &run.tcp, .least = 0, .most = 1, .help = "0: over ipc, 1: over tcp"},
        {.name = "seed", .number = &run.seed, .least = 0, .most = UINT32_MAX, .help = "of worlds and choices"},
        {.name = "mode", .text = &run.game.mode, .help = "what is played"},
        {.name = "settings", .text = &run.game.settings, .help = "of the worlds: NAME=VALUE, separated by spaces"},
        {.name = "action", .text = &run.game.action, .help = "what is done all the time"},
        {.name = "warrend", .text = &run.warrend, .help = "the daemon; absent: the one beside this program"},
        {0}};
    const int status =
        wn_bench_options_parse(options, "bench-throughput",
                               "Measures commands a second with many in flight, and the CPU of one.", count, words);
    if (status >= 0) {
        return status;
    }
    wn_error error = {0};
    const bool started = wn_server_directory(&run.server, &error) &&
                         wn_raw_start(&run.raw, &run.server, transport_of(&run), &error) &&
                         wn_server_start(&run.server, run.warrend, &error);
    const bool right = started && measure_all(&run, &error);
    finish(&run);
    if (!right) {
        fprintf(stderr, "bench-throughput: %s\n", error.text);
        return started ? EXIT_FAILURE : EXIT_UNAVAILABLE;
    }
    printf("To repeat it: ");
    wn_bench_options_print(options, words[0]);
    return EXIT_SUCCESS;
}
