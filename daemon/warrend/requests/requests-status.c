/* requests-status.c: who plays, and how the daemon does.
 */
#include "requests/request.h"

#include <unistd.h>

#include "access/access.h"
#include "memory.h"
#include "network/control.h"
#include "operation/metrics.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"

static size_t fill_players(const wn_game *game, Warren__PlayerInfo *infos, Warren__PlayerInfo **list)
{
    size_t count = 0;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const wn_seat *seat = &game->seats[i];
        if (seat->state == WN_SEAT_FREE) {
            continue;
        }
        warren__player_info__init(&infos[count]);
        infos[count].player = (char *)(uintptr_t)seat->player;
        infos[count].world = (char *)(uintptr_t)game->name;
        infos[count].seat = i;
        infos[count].has_connected = true;
        infos[count].connected = seat->session != NULL && seat->session->peer != NULL;
        list[count] = &infos[count];
        count++;
    }
    return count;
}

/* Is the world the one that is asked for? Of all it is, unless it is not shown to the peer. */
static bool fits(const wn_context *at, const wn_game *game, const char *wanted)
{
    return wanted != NULL ? strcmp(wanted, game->name) == 0 : wn_access_sees(at->daemon, at->peer, game);
}

/* Whom each watching session belongs to, of one world or of all. */
static size_t fill_watchers(const wn_context *at, const char *wanted, Warren__WatcherInfo *infos,
                            Warren__WatcherInfo **list)
{
    const wn_daemon *daemon = at->daemon;
    size_t count = 0;
    for (const wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        for (size_t i = 0; i < session->watch_count; i++) {
            const wn_game *game = session->watches[i].game;
            if (fits(at, game, wanted)) {
                warren__watcher_info__init(&infos[count]);
                infos[count].player = (char *)(uintptr_t)session->player;
                infos[count].world = (char *)(uintptr_t)game->name;
                list[count] = &infos[count];
                count++;
            }
        }
    }
    return count;
}

static size_t count_watchers(const wn_daemon *daemon)
{
    size_t count = 0;
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        count += game->watchers;
    }
    return count;
}

bool wn_request_list_players(wn_context *at)
{
    Warren__PlayerList players = WARREN__PLAYER_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    const char *wanted = at->request->list_players->world;
    const size_t count = at->daemon->seats_taken;
    if (wanted != NULL) {
        const wn_game *game = wn_request_game(at, wanted);
        if (game == NULL) {
            return false;
        }
        if (!wn_access_sees(at->daemon, at->peer, game)) {
            return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                                "who plays and watches in %s is shown to those who were invited or are there", wanted);
        }
    }
    Warren__PlayerInfo *infos = wn_must_zero(count + 1, sizeof *infos);
    Warren__PlayerInfo **list = wn_must_zero(count + 1, sizeof *list);
    for (const wn_game *game = zhashx_first(at->daemon->games); game != NULL; game = zhashx_next(at->daemon->games)) {
        if (fits(at, game, wanted)) {
            players.n_players += fill_players(game, infos + players.n_players, list + players.n_players);
        }
    }
    players.players = list;
    const size_t watching = count_watchers(at->daemon);
    Warren__WatcherInfo *watchers = wn_must_zero(watching + 1, sizeof *watchers);
    players.watchers = wn_must_zero(watching + 1, sizeof *players.watchers);
    players.n_watchers = fill_watchers(at, wanted, watchers, players.watchers);
    message.body_case = WARREN__REPLY__BODY_PLAYERS;
    message.players = &players;
    players.left_out = wn_request_cut(&message, &players.n_watchers);
    players.left_out += wn_request_cut(&message, &players.n_players);
    players.has_left_out = players.left_out > 0;
    wn_request_reply(at, &message);
    free(players.watchers);
    free(watchers);
    free(list);
    free(infos);
    return true;
}

static void fill_host(const wn_installed_mode *mode, Warren__HostInfo *info)
{
    warren__host_info__init(info);
    info->mode = (char *)(uintptr_t)mode->name;
    info->has_pid = mode->host.process.pid != 0;
    info->pid = (uint32_t)mode->host.process.pid;
    info->has_worlds = true;
    info->worlds = (uint32_t)mode->game_count;
    info->has_restarts = true;
    info->restarts = mode->restarts;
    info->has_turns = true;
    info->turns = mode->turns;
    info->has_memory_bytes = info->has_cpu_us = mode->host.process.pid != 0;
    info->memory_bytes = mode->host.process.pid != 0 ? wn_process_memory(mode->host.process.pid) : 0;
    info->cpu_us = mode->host.process.pid != 0 ? wn_process_cpu_us(mode->host.process.pid) : 0;
    info->failure = mode->given_up ? (char *)(uintptr_t)mode->failure : NULL;
}

bool wn_request_get_status(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    const wn_statistics *statistics = &daemon->statistics;
    Warren__ServerStatus status = WARREN__SERVER_STATUS__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__HostInfo *infos = wn_must_zero(daemon->mode_count + 1, sizeof *infos);
    Warren__HostInfo **hosts = wn_must_zero(daemon->mode_count + 1, sizeof *hosts);
    for (size_t i = 0; i < daemon->mode_count; i++) {
        fill_host(daemon->modes[i], &infos[i]);
        hosts[i] = &infos[i];
    }
    status.software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    status.n_hosts = daemon->mode_count;
    status.hosts = hosts;
#define FILL(field, value) (status.has_##field = true, status.field = (value))
    FILL(uptime_ms, wn_loop_now_ms(daemon->loop) - daemon->started_ms);
    FILL(uptime_seconds, status.uptime_ms / 1000);
    FILL(worlds, (uint32_t)zhashx_size(daemon->games));
    FILL(sessions, (uint32_t)zhashx_size(daemon->sessions));
    FILL(seats, daemon->seats_taken);
    FILL(turns, statistics->turns);
    FILL(commands, statistics->commands);
    FILL(updates, statistics->updates);
    FILL(update_bytes, statistics->update_bytes);
    FILL(keyframes, statistics->keyframes);
    FILL(refused, statistics->refused);
    FILL(subscriptions_refused, statistics->subscriptions_refused);
    FILL(memory_bytes, wn_process_memory(getpid()));
    FILL(cpu_us, wn_process_cpu_us(getpid()));
    FILL(turn_us, statistics->turn_time.sum_us);
    FILL(commits, statistics->commit_time.count);
    FILL(commit_us, statistics->commit_time.sum_us);
    FILL(resyncs, statistics->resyncs);
    FILL(draining, daemon->draining);
    FILL(log_level, (Warren__LogLevel)daemon->config->log_level);
#undef FILL
    status.trouble = (char *)(uintptr_t)wn_health_trouble(daemon);
    message.body_case = WARREN__REPLY__BODY_STATUS;
    message.status = &status;
    wn_request_reply(at, &message);
    free(hosts);
    free(infos);
    return true;
}
