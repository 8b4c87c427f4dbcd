/* bots.c: see bots.h. */
#include "worlds/bots.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/admission.h"
#include "memory.h"
#include "modes/child.h"
#include "sessions/sessions.h"
#include "worlds/own-settings.h"

enum {
    FIRST_WAIT_MS = 1000, /* before they are started again; doubled each time in a row that they have failed */
    AT_ONCE = 2,          /* processes a second that are started without a wait, over all worlds */
    LONGEST_WAIT_MS = 60000,
    GOOD_MS = 60000, /* who played so long has not failed */
    LEAVE_MS = 2000  /* for leaving, then they are killed */
};

typedef struct wn_bots wn_bots;
struct wn_bots {
    wn_game *game; /* NULL: the world is gone, and the process is on its way out */
    wn_bots *next; /* of those */
    wn_daemon *daemon;
    char name[WN_NAME_BYTES + 1]; /* of the world */
    uint32_t count;
    pid_t pid; /* 0: none */
    int leash; /* a socket that is the process's standard input: closed on one side, it is noticed on the other */
    wn_watch *watch;
    wn_timer *timer; /* to start again, or to kill */
    uint64_t started_ms, wait_ms;
    bool changing; /* it is on its way out, and as many as are wanted now come after it */
};

/* the process */

/* Its standard input is the leash. 0 or an errno. */
static int spawn(wn_bots *bots, int end)
{
    const wn_config *config = bots->daemon->config;
    char count[16], server[256];
    snprintf(count, sizeof count, "%u", bots->count);
    snprintf(server, sizeof server, "ipc://%s/control", config->runtime_dir);
    char *const arguments[] = {(char *)"warren-bot",
                               (char *)"--server",
                               server,
                               (char *)"--world",
                               bots->name,
                               (char *)"--brain",
                               (char *)"auto",
                               (char *)"--count",
                               count,
                               (char *)"--company",
                               (char *)"--leash",
                               (char *)"--print",
                               (char *)"none",
                               NULL};
    const wn_child_descriptor input = {end, STDIN_FILENO};
    return wn_child_start(&bots->pid, config->bot_program, arguments, &input, 1);
}

static void forget_left(wn_bots *bots)
{
    wn_bots **at = &bots->daemon->bots_left;
    while (*at != NULL && *at != bots) {
        at = &(*at)->next;
    }
    *at = *at != NULL ? bots->next : NULL;
}

static void bots_free(wn_bots *bots)
{
    forget_left(bots);
    bots->daemon->bots -= bots->count;
    bots->daemon->bots_leaving -= bots->game == NULL ? bots->count : 0;
    wn_timer_free(bots->timer);
    free(bots);
}

static void again_later(wn_bots *bots)
{
    const bool good = wn_loop_now_ms(bots->daemon->loop) - bots->started_ms >= GOOD_MS;
    bots->wait_ms = good || bots->wait_ms == 0        ? FIRST_WAIT_MS
                    : bots->wait_ms < LONGEST_WAIT_MS ? 2 * bots->wait_ms
                                                      : LONGEST_WAIT_MS;
    wn_timer_set(bots->timer, bots->wait_ms);
}

static void start(wn_bots *bots);

static uint64_t wait_for_start(wn_bots *bots)
{
    wn_daemon *daemon = bots->daemon;
    const uint64_t now = wn_loop_now_ms(daemon->loop), since = now - bots->game->bots_ms;
    if (bots->game->bots_ms != 0 && since < FIRST_WAIT_MS) {
        return FIRST_WAIT_MS - since;
    }
    return wn_allowance_take(&daemon->bots_at_once, AT_ONCE, now) ? 0 : FIRST_WAIT_MS;
}

/* At most one process a second for each world, whatever its owner changes. Worlds that are made and closed again are
 * many: but for a few they wait that second before the first one, too. */
static void start_soon(wn_bots *bots)
{
    const uint64_t wait = wait_for_start(bots);
    if (wait == 0) {
        start(bots);
    } else {
        wn_timer_set(bots->timer, wait);
    }
}

/* Its end of the leash is closed: it has ended, or will at once. */
static void ended(void *context, uint32_t events)
{
    wn_bots *bots = context;
    int status = 0;
    (void)events;
    wn_loop_remove_fd(bots->daemon->loop, bots->watch);
    bots->watch = NULL;
    close(bots->leash);
    kill(bots->pid, SIGKILL);
    while (waitpid(bots->pid, &status, 0) < 0 && errno == EINTR) {
    }
    wn_sessions_end_bots(bots->daemon, bots->pid);
    bots->pid = 0;
    wn_timer_stop(bots->timer);
    if (bots->game == NULL) {
        bots_free(bots);
        return;
    }
    if (bots->daemon->stopping) {
        return;
    }
    if (bots->changing) {
        bots->changing = false;
        start_soon(bots);
        return;
    }
    wn_log_line(WN_LEVEL_WARNING, "bots", "the bots have ended (%s %d) and are started again world=%s",
                WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), bots->name);
    again_later(bots);
}

static void start(wn_bots *bots)
{
    int ends[2];
    bots->started_ms = bots->game->bots_ms = wn_loop_now_ms(bots->daemon->loop);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        again_later(bots);
        return;
    }
    const int failure = spawn(bots, ends[1]);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        wn_log_line(WN_LEVEL_ERROR, "bots", "cannot start %s: %s (daemon.bot_program names it) world=%s",
                    bots->daemon->config->bot_program, strerror(failure), bots->name);
        again_later(bots);
        return;
    }
    bots->leash = ends[0];
    bots->watch = wn_loop_add_fd(bots->daemon->loop, bots->leash, EPOLLIN, ended, bots);
    wn_log_line(WN_LEVEL_INFO, "bots", "started count=%u pid=%d world=%s", bots->count, (int)bots->pid, bots->name);
}

static void timer_comes(void *context)
{
    wn_bots *bots = context;
    if (bots->game == NULL || bots->changing) {
        kill(bots->pid, SIGKILL); /* it was to leave by now */
    } else if (!bots->daemon->stopping) {
        start(bots);
    }
}

/* worlds */

static uint32_t wanted(const wn_game *game)
{
    return wn_own_number(game, WN_OWN_BOTS);
}

static bool has_same_owner(const wn_game *one, const wn_game *other)
{
    const bool named = strcmp(one->owner, other->owner) == 0;
    const bool known = one->owner_identity[0] != '\0' && strcmp(one->owner_identity, WN_NOBODY) != 0;
    return strcmp(one->owner_identity, other->owner_identity) == 0 && (known || named);
}

bool wn_bots_allowed(wn_daemon *daemon, const wn_peer *peer, const wn_game *for_game, uint32_t count, wn_error *error)
{
    const wn_config *config = daemon->config;
    uint64_t all = daemon->bots_leaving, owned = 0;
    if (count == 0) {
        return true;
    }
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        const uint32_t has = game->state != WN_GAME_OVER && game != for_game ? wanted(game) : 0;
        const bool theirs = has == 0           ? false
                            : for_game != NULL ? has_same_owner(game, for_game)
                                               : wn_session_owns(daemon, peer->session, game);
        all += has;
        owned += theirs ? has : 0;
    }
    if (!peer->admin && owned + count > config->bots_per_player) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "bots_per_player", config->bots_per_player,
                            "%s worlds have %" PRIu64 " bots and may have %u: ask for fewer, or close one first",
                            for_game != NULL ? "the other" : "your", owned, config->bots_per_player);
    }
    return all + count <= config->bots ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "bots", config->bots,
                        "the server's worlds have %" PRIu64 " bots and may have %u: ask for fewer, or try again later",
                        all, config->bots);
}

bool wn_bots_is_process(wn_daemon *daemon, pid_t process)
{
    if (process == 0 || daemon->bots == 0) {
        return false;
    }
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (game->bots != NULL && game->bots->pid == process) {
            return true;
        }
    }
    return false;
}

void wn_bots_start(wn_game *game)
{
    const uint32_t count = wanted(game);
    wn_daemon *daemon = game->daemon;
    if (count == 0 || game->bots != NULL || game->state != WN_GAME_RUNNING || daemon->stopping || daemon->draining) {
        return;
    }
    if (daemon->bots + count > daemon->config->bots) { /* the limit was higher when the world was made */
        wn_log_line(WN_LEVEL_WARNING, "bots", "none, since there may be no more than limits.bots = %u world=%s",
                    daemon->config->bots, game->name);
        return;
    }
    wn_bots *bots = wn_must_zero(1, sizeof *bots);
    bots->game = game;
    bots->daemon = daemon;
    bots->count = count;
    daemon->bots += count;
    bots->timer = wn_timer_new(daemon->loop, timer_comes, bots);
    snprintf(bots->name, sizeof bots->name, "%s", game->name);
    game->bots = bots;
    start_soon(bots);
}

void wn_bots_change(wn_game *game)
{
    wn_bots *bots = game->bots;
    const uint32_t count = wanted(game);
    if (bots == NULL) {
        wn_bots_start(game);
        return;
    }
    if (count == bots->count) {
        return;
    }
    if (count == 0) {
        wn_bots_stop(game);
        return;
    }
    game->daemon->bots += count;
    game->daemon->bots -= bots->count;
    bots->count = count;
    if (bots->pid != 0) {
        bots->changing = true;
        shutdown(bots->leash, SHUT_WR);
        wn_timer_set(bots->timer, LEAVE_MS);
    }
}

void wn_bots_stop(wn_game *game)
{
    wn_bots *bots = game->bots;
    if (bots == NULL) {
        return;
    }
    game->bots = NULL;
    bots->game = NULL;
    bots->daemon->bots_leaving += bots->count;
    if (bots->pid == 0) {
        bots_free(bots);
        return;
    }
    bots->next = bots->daemon->bots_left;
    bots->daemon->bots_left = bots;
    shutdown(bots->leash, SHUT_WR);
    wn_timer_set(bots->timer, LEAVE_MS);
}

void wn_bots_close(wn_daemon *daemon)
{
    while (daemon->bots_left != NULL) {
        wn_bots *bots = daemon->bots_left;
        wn_loop_remove_fd(daemon->loop, bots->watch);
        close(bots->leash);
        bots_free(bots);
    }
}
