/* load.c: players at a steady rate, eight to a world, each connection with one seat in every world. It measures
 * nothing. */
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include "measure.h"

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

enum { PLAYERS_A_WORLD = 8 };

typedef struct crowd {
    wn_peer *peers[PLAYERS_A_WORLD];
    uint32_t peer_count, seat_count;
    uint64_t chance;
    _Atomic uint64_t *sent;
} crowd;

/* Player number n sits in world n / 8 by way of connection n % 8. */
static bool gather(crowd *all, const wn_server *server, const wn_load_plan *plan, wn_error *error)
{
    void *context = zmq_ctx_new();
    char world[WN_NAME_BYTES + 1] = "";
    for (uint32_t i = 0; i < plan->players; i++) {
        const uint32_t at = i % PLAYERS_A_WORLD;
        if (all->peers[at] == NULL) {
            all->peers[at] = calloc(1, sizeof *all->peers[at]);
            all->peer_count++;
            if (all->peers[at] == NULL || !wn_peer_open(all->peers[at], context, server, WN_IPC, error)) {
                return false;
            }
        }
        if ((at == 0 && !wn_peer_create(all->peers[0], &plan->game, i, world, error)) ||
            wn_peer_join(all->peers[at], world, plan->game.action, error) == NULL) {
            return false;
        }
        all->seat_count++;
    }
    return true;
}

static void hear_all(crowd *all, double until)
{
    zmq_pollitem_t items[PLAYERS_A_WORLD];
    for (uint32_t i = 0; i < all->peer_count; i++) {
        items[i] = (zmq_pollitem_t){all->peers[i]->updates, 0, ZMQ_POLLIN, 0};
    }
    for (double left; (left = until - wn_clock_us()) > 0;) {
        zmq_poll(items, (int)all->peer_count, (long)(left / 1000) + 1);
        for (uint32_t i = 0; i < all->peer_count; i++) {
            while (wn_peer_hear(all->peers[i], false) != NULL) {
                continue;
            }
        }
    }
}

/* Sends one command for each player in turn, spread evenly over time. One that has not been executed yet is waited
 * for: a player is not faster than the server. */
static void play(crowd *all, uint32_t rate)
{
    const double period = 1e6 / ((double)rate * all->seat_count);
    double due = wn_clock_us();
    for (uint64_t i = 0;; i++) {
        wn_peer *peer = all->peers[i % all->peer_count];
        wn_peer_seat *seat = &peer->seats[i / all->peer_count % peer->seat_count];
        if (seat->executed + 1 == seat->next) {
            wn_peer_command(peer, seat, &all->chance);
            atomic_fetch_add_explicit(all->sent, 1, memory_order_relaxed);
        } else if (!wn_peer_mend(peer, NULL)) {
            return;
        }
        due += period;
        hear_all(all, due);
    }
}

static void become_load(const wn_load *load, const wn_server *server, const wn_load_plan *plan, int ready)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    wn_error error = {0};
    crowd all = {.chance = plan->players, .sent = load->sent};
    if (!gather(&all, server, plan, &error)) {
        fprintf(stderr, "load: %s\n", error.text);
        _exit(1);
    }
    if (write(ready, "", 1) == 1) {
        play(&all, plan->rate);
    }
    _exit(1);
}

bool wn_load_start(wn_load *load, const wn_server *server, const wn_load_plan *plan, wn_error *error)
{
    *load = (wn_load){0};
    if (plan->players == 0) {
        return true;
    }
    int ready[2];
    void *shared = mmap(NULL, sizeof *load->sent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || pipe(ready) != 0) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "No memory or descriptors for the load.");
    }
    load->sent = shared;
    fflush(NULL);
    load->process = fork();
    if (load->process == 0) {
        close(ready[0]);
        become_load(load, server, plan, ready[1]);
    }
    close(ready[1]);
    char byte;
    const bool started = load->process > 0 && read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    return started || wn_fail_with(error, UNAVAILABLE, NULL, 0, "The other players could not join.");
}

uint64_t wn_load_sent(const wn_load *load)
{
    return load->sent != NULL ? atomic_load_explicit(load->sent, memory_order_relaxed) : 0;
}

void wn_load_stop(wn_load *load)
{
    if (load->process > 0) {
        kill(load->process, SIGKILL);
        waitpid(load->process, NULL, 0);
    }
    if (load->sent != NULL) {
        munmap((void *)load->sent, sizeof *load->sent);
    }
    *load = (wn_load){0};
}
