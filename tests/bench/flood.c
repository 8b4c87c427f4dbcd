/* flood.c: bench-flood: what a peer that sends as many requests as it can costs another: the time from a command to its
 * update in blocks with the flood, beside blocks with a process that is only as busy, and blocks with neither.
 *
 * The player keeps within the limits that a daemon has by default; the flood, in a process of its own, does not. When
 * its connection is closed it makes a new one.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "measure.h"
#include "options.h"
#include "peer.h"

enum {
    EXIT_UNAVAILABLE = 69,
    BURST = 256,
    PAUSE_NS = 8000000,
    SETTLE_NS = 100000000,
    IDLE_NS = 1000000,
    NOBODY = 65534
};

typedef struct flood {
    pid_t process;
    _Atomic uint64_t *sent; /* two numbers: what was sent, and what is to be done; shared with the process */
} flood;

typedef enum doing { NOTHING, TURNING, FLOODING, DOINGS } doing;

typedef struct bench {
    uint32_t blocks, block, tcp, seed;
    const char *warrend;
    wn_game game;
    wn_server server;
    flood flood;
    wn_peer peer;
    wn_peer_seat *seat;
    uint64_t chance;
} bench;

static void rest(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* the flood */

static void *connect_flood(void *context, const char *endpoint)
{
    void *socket = zmq_socket(context, ZMQ_DEALER);
    const int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_connect(socket, endpoint);
    return socket;
}

/* A flood keeps two threads busy, its own and libzmq's: so does what is only busy. */
static void *be_busy(void *context)
{
    _Atomic uint64_t *sent = context;
    for (;;) {
        if (atomic_load(&sent[1]) != TURNING) {
            rest(IDLE_NS);
        }
    }
    return NULL;
}

static void pour(const char *endpoint, _Atomic uint64_t *sent)
{
    pthread_t second;
    if (pthread_create(&second, NULL, be_busy, sent) != 0) {
        return;
    }
    static const uint8_t ping[] = {0x08, 0x07, 0x22, 0x00}; /* Request{id = 7, ping} */
    void *socket = connect_flood(zmq_ctx_new(), endpoint);
    uint8_t answer[4096];
    for (;;) {
        if (atomic_load(&sent[1]) == NOTHING) {
            rest(IDLE_NS);
        }
        if (atomic_load(&sent[1]) != FLOODING) {
            continue;
        }
        for (int i = 0; i < BURST && zmq_send(socket, ping, sizeof ping, ZMQ_DONTWAIT) >= 0; i++) {
            atomic_fetch_add_explicit(&sent[0], 1, memory_order_relaxed);
        }
        while (zmq_recv(socket, answer, sizeof answer, ZMQ_DONTWAIT) >= 0) {
            continue;
        }
    }
}

/* Before this process has any ZeroMQ context, for it forks. */
static bool start_flood(bench *run, wn_error *error)
{
    void *shared = mmap(NULL, 2 * sizeof *run->flood.sent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    run->flood.sent = shared != MAP_FAILED ? shared : NULL;
    run->flood.process = run->flood.sent != NULL ? fork() : -1;
    if (run->flood.process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (geteuid() == 0 && setuid(NOBODY) != 0) { /* the daemon's own user is an administrator */
            _exit(EXIT_UNAVAILABLE);
        }
        pour(run->server.control[run->tcp != 0 ? WN_TCP : WN_IPC].text, run->flood.sent);
    }
    return run->flood.process > 0 ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "No process can be started.");
}

static void stop_flood(flood *all)
{
    if (all->process > 0) {
        kill(all->process, SIGKILL);
        waitpid(all->process, NULL, 0);
    }
}

/* the player */

static bool play_once(bench *run, double *took, wn_error *error)
{
    const double start = wn_clock_us();
    wn_peer_command(&run->peer, run->seat, &run->chance);
    for (int silent = 0; run->seat->executed + 1 != run->seat->next;) {
        if (wn_peer_hear(&run->peer, true) == NULL &&
            (!wn_peer_mend(&run->peer, error) || ++silent == WN_PEER_PATIENCE)) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "No effect of a command came.");
        }
    }
    *took = wn_clock_us() - start;
    return true;
}

static bool play_block(bench *run, doing what, wn_samples *samples, wn_error *error)
{
    atomic_store(&run->flood.sent[1], what);
    rest(SETTLE_NS);
    for (uint32_t i = 0; i < run->block; i++) {
        double took = 0;
        if (!play_once(run, &took, error)) {
            return false;
        }
        wn_samples_add(samples, took);
        rest(PAUSE_NS);
    }
    return true;
}

static bool measure(bench *run, wn_error *error)
{
    static const char *const names[DOINGS] = {"alone", "beside a busy loop", "beside a flood"};
    const wn_transport transport = run->tcp != 0 ? WN_TCP : WN_IPC;
    char world[WN_NAME_BYTES + 1];
    wn_samples samples[DOINGS] = {0};
    if (!wn_peer_open(&run->peer, zmq_ctx_new(), &run->server, transport, error) ||
        !wn_peer_create(&run->peer, &run->game, run->seed, world, error) ||
        (run->seat = wn_peer_join(&run->peer, world, run->game.action, error)) == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < DOINGS * run->blocks; i++) {
        if (!play_block(run, (doing)(i % DOINGS), &samples[i % DOINGS], error)) {
            return false;
        }
    }
    const double median = wn_samples_percentile(&samples[0], 50), p99 = wn_samples_percentile(&samples[0], 99);
    printf("Command to update, round trip in microseconds, over %s, %zu samples each\n", wn_transport_names[transport],
           samples[0].count);
    printf("%-20s %9s %9s %9s %9s\n", "", "median", "p99", "ratio", "ratio");
    for (int i = 0; i < DOINGS; i++) {
        const double here = wn_samples_percentile(&samples[i], 50), late = wn_samples_percentile(&samples[i], 99);
        printf("%-20s %9.1f %9.1f %9.2f %9.2f\n", names[i], here, late, here / median, late / p99);
    }
    printf("%-20s %" PRIu64 " requests were sent\n", "", atomic_load(&run->flood.sent[0]));
    return true;
}

int main(int count, char **words)
{
    static bench run = {
        .blocks = 10, .block = 100, .seed = 1, .game = {"caves", "lichens=300 growth_permille=0", "step"}};
    const wn_bench_option options[] = {
        {.name = "blocks", .number = &run.blocks, .least = 1, .most = 10000, .help = "blocks of each measurement"},
        {.name = "block", .number = &run.block, .least = 1, .most = 100000, .help = "round trips in a block"},
        {.name = "tcp", .number = &run.tcp, .least = 0, .most = 1, .help = "1: over tcp; else over ipc"},
        {.name = "seed", .number = &run.seed, .least = 0, .most = UINT32_MAX, .help = "of the world and of choices"},
        {.name = "warrend", .text = &run.warrend, .help = "the daemon; absent: the one beside this program"},
        {0}};
    const int status = wn_bench_options_parse(options, "bench-flood",
                                              "Measures what a flood of requests costs another player.", count, words);
    if (status >= 0) {
        return status;
    }
    wn_error error = {0};
    run.server.limited = true;
    run.chance = run.seed;
    const bool started = wn_server_directory(&run.server, &error) && chmod(run.server.directory, 0711) == 0 &&
                         wn_server_start(&run.server, run.warrend, &error) && start_flood(&run, &error);
    const bool right = started && measure(&run, &error);
    stop_flood(&run.flood);
    wn_server_stop(&run.server);
    if (!right) {
        fprintf(stderr, "bench-flood: %s\n", error.text);
        return started ? EXIT_FAILURE : EXIT_UNAVAILABLE;
    }
    printf("To repeat it: ");
    wn_bench_options_print(options, words[0]);
    return EXIT_SUCCESS;
}
