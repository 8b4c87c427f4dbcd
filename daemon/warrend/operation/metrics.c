/* metrics.c: what is told to a monitoring system, and whether all is well. The text is that of OpenMetrics 1.0
 * (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md). HTTP is in metrics-http.c.
 */
#include "operation/metrics.h"

#include <inttypes.h>
#include <unistd.h>

#include "network/connections.h"
#include "network/descriptors.h"

/* plain numbers */

typedef struct reading {
    const char *name, *help;
    bool counter; /* else a gauge */
    uint64_t value;
} reading;

static void write_head(FILE *to, const char *name, const char *type, const char *help)
{
    fprintf(to, "# TYPE warren_%s %s\n# HELP warren_%s %s\n", name, type, name, help);
}

static void write_readings(FILE *to, const reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const reading *one = &readings[i];
        write_head(to, one->name, one->counter ? "counter" : "gauge", one->help);
        fprintf(to, "warren_%s%s %" PRIu64 "\n", one->name, one->counter ? "_total" : "", one->value);
    }
}

static void write_worlds(const wn_daemon *daemon, FILE *to)
{
    static const char *const states[] = {[WN_GAME_STARTING] = "starting",
                                         [WN_GAME_RUNNING] = "running",
                                         [WN_GAME_OVER] = "over",
                                         [WN_GAME_PARKED] = "parked"};
    enum { STATES = sizeof states / sizeof *states };
    uint64_t counts[STATES] = {0};
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        counts[game->state]++;
    }
    write_head(to, "worlds", "gauge", "Worlds, by what they do.");
    for (size_t i = 0; i < STATES; i++) {
        fprintf(to, "warren_worlds{state=\"%s\"} %" PRIu64 "\n", states[i], counts[i]);
    }
}

static void write_waiting(const wn_daemon *daemon, FILE *to)
{
    uint64_t commands = 0, turns = 0, watchers = 0;
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        commands += game->commands_queued;
        turns += game->in_flight ? 1 : 0;
        watchers += game->watchers;
    }
    const reading readings[] = {
        {"seats", "Seats that are taken.", false, daemon->seats_taken},
        {"watchers", "Sessions that watch a world, for each world that they watch.", false, watchers},
        {"sessions", "Sessions, those that lost their connection included.", false, zhashx_size(daemon->sessions)},
        {"connections", "Connections of control sockets.", false, zhashx_size(daemon->peers)},
        {"commands_waiting", "Commands that wait for a turn.", false, commands},
        {"turns_in_flight", "Turns that hosts have not answered yet.", false, turns},
        {"publish_waiting", "Answers of hosts that wait for the journal before they are published.", false,
         daemon->held_count},
        {"keyframes_waiting", "Views whose keyframe waits for its rate limit.", false,
         zlistx_size(daemon->keyframes_wait)},
        {"journal_failing", "1 while the journal cannot be written and worlds pause.", false, daemon->commit_failing},
        {"store_set_aside", "1 if the store was found damaged at the start, and an empty one is served.", false,
         daemon->set_aside != NULL},
        {"draining", "1 while nobody new is let in.", false, daemon->draining},
    };
    write_readings(to, readings, sizeof readings / sizeof *readings);
}

static void write_totals(const wn_daemon *daemon, FILE *to)
{
    const wn_statistics *statistics = &daemon->statistics;
    const reading readings[] = {
        {"turns", "Turns executed.", true, statistics->turns},
        {"commands", "Commands given to turns.", true, statistics->commands},
        {"updates", "Updates published.", true, statistics->updates},
        {"update_bytes", "Bytes of updates published.", true, statistics->update_bytes},
        {"keyframes", "Keyframes asked of hosts.", true, statistics->keyframes},
        {"resyncs", "Keyframes that subscribers asked for since they had missed updates.", true, statistics->resyncs},
        {"requests_refused", "Requests answered with an error.", true, statistics->refused},
        {"subscriptions_refused", "Subscriptions to views that were not given.", true,
         statistics->subscriptions_refused},
    };
    write_readings(to, readings, sizeof readings / sizeof *readings);
}

/* histograms */

/* In seconds, exact: microseconds without zeros at the end, but with one decimal at least. */
static void write_seconds(FILE *to, uint64_t us)
{
    char decimals[8];
    snprintf(decimals, sizeof decimals, "%06" PRIu64, us % 1000000);
    size_t length = 6;
    while (length > 1 && decimals[length - 1] == '0') {
        length--;
    }
    fprintf(to, "%" PRIu64 ".%.*s", us / 1000000, (int)length, decimals);
}

static void write_histogram(FILE *to, const char *name, const char *help, const wn_histogram *histogram)
{
    uint64_t count = 0;
    fprintf(to, "# TYPE warren_%s histogram\n# UNIT warren_%s seconds\n# HELP warren_%s %s\n", name, name, name, help);
    for (size_t i = 0; i < WN_HISTOGRAM_BOUNDS; i++) {
        count += histogram->counts[i];
        fprintf(to, "warren_%s_bucket{le=\"", name);
        write_seconds(to, wn_histogram_bounds_us[i]);
        fprintf(to, "\"} %" PRIu64 "\n", count);
    }
    fprintf(to, "warren_%s_bucket{le=\"+Inf\"} %" PRIu64 "\nwarren_%s_count %" PRIu64 "\nwarren_%s_sum ", name,
            histogram->count, name, histogram->count, name);
    write_seconds(to, histogram->sum_us);
    fputc('\n', to);
}

/* processes */

static void write_descriptors(FILE *to)
{
    const reading readings[] = {
        {"descriptors", "File descriptors in use; a connection has one, a player two connections.", false,
         wn_descriptors_in_use()},
        {"descriptors_limit", "File descriptors that there may be. Connections are refused shortly before.", false,
         wn_descriptors_limit()},
        {"connections_refused", "Connections refused since nearly all file descriptors were in use.", true,
         wn_descriptors_refused()},
        {"connections_refused_of_one", "Connections refused since their user or address had as many as it may.", true,
         wn_connections_refused()},
    };
    write_readings(to, readings, sizeof readings / sizeof *readings);
}

static void write_daemon(const wn_daemon *daemon, FILE *to)
{
    write_head(to, "uptime_seconds", "gauge", "Seconds since the daemon started.");
    fprintf(to, "# UNIT warren_uptime_seconds seconds\nwarren_uptime_seconds ");
    write_seconds(to, (wn_loop_now_ms(daemon->loop) - daemon->started_ms) * 1000);
    fputc('\n', to);
    write_head(to, "daemon_memory_bytes", "gauge", "Resident memory of the daemon.");
    fprintf(to, "warren_daemon_memory_bytes %" PRIu64 "\n", wn_process_memory(getpid()));
    write_head(to, "daemon_cpu_seconds", "counter", "Processor time of the daemon.");
    fputs("warren_daemon_cpu_seconds_total ", to);
    write_seconds(to, wn_process_cpu_us(getpid()));
    fputc('\n', to);
}

typedef uint64_t host_reading(const wn_installed_mode *mode);

static uint64_t worlds_of(const wn_installed_mode *mode)
{
    return mode->game_count;
}

static uint64_t turns_of(const wn_installed_mode *mode)
{
    return mode->turns;
}

static uint64_t restarts_of(const wn_installed_mode *mode)
{
    return mode->restarts;
}

static uint64_t failed(const wn_installed_mode *mode)
{
    return mode->given_up;
}

static uint64_t memory_of(const wn_installed_mode *mode)
{
    return mode->host.process.pid != 0 ? wn_process_memory(mode->host.process.pid) : 0;
}

/* Names of modes need no escapes in labels. */
static void write_hosts(const wn_daemon *daemon, FILE *to)
{
    static const struct {
        const char *name, *help;
        bool counter;
        host_reading *read;
    } readings[] = {
        {"host_worlds", "Worlds of a mode.", false, worlds_of},
        {"host_turns", "Turns of a mode's worlds.", true, turns_of},
        {"host_restarts", "Times that the host of a mode was started again after it had failed.", true, restarts_of},
        {"host_failed", "1 if a mode was given up on.", false, failed},
        {"host_memory_bytes", "Resident memory of the host of a mode; 0 if none is needed.", false, memory_of},
    };
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        write_head(to, readings[i].name, readings[i].counter ? "counter" : "gauge", readings[i].help);
        for (size_t j = 0; j < daemon->mode_count; j++) {
            fprintf(to, "warren_%s%s{mode=\"%s\"} %" PRIu64 "\n", readings[i].name, readings[i].counter ? "_total" : "",
                    daemon->modes[j]->name, readings[i].read(daemon->modes[j]));
        }
    }
}

static void write_hosts_cpu(const wn_daemon *daemon, FILE *to)
{
    write_head(to, "host_cpu_seconds", "counter", "Processor time of the host of a mode, since it was started.");
    for (size_t i = 0; i < daemon->mode_count; i++) {
        const wn_installed_mode *mode = daemon->modes[i];
        fprintf(to, "warren_host_cpu_seconds_total{mode=\"%s\"} ", mode->name);
        write_seconds(to, mode->host.process.pid != 0 ? wn_process_cpu_us(mode->host.process.pid) : 0);
        fputc('\n', to);
    }
}

void wn_metrics_write(const wn_daemon *daemon, FILE *to)
{
    write_head(to, "build", "info", "What serves.");
    fputs("warren_build_info{version=\"" WARREN_VERSION "\"} 1\n", to);
    write_daemon(daemon, to);
    write_descriptors(to);
    write_worlds(daemon, to);
    write_waiting(daemon, to);
    write_totals(daemon, to);
    write_histogram(to, "turn_seconds", "From when a turn was given to its host until the answer came.",
                    &daemon->statistics.turn_time);
    write_histogram(to, "journal_seconds", "Writes of the journal; many turns share one.",
                    &daemon->statistics.commit_time);
    write_hosts(daemon, to);
    write_hosts_cpu(daemon, to);
    fputs("# EOF\n", to);
}

/* health */

/* The others are served: who asks whether the server is there is told, and the number to watch is host_failed. */
static void write_given_up(const wn_daemon *daemon, FILE *to)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        if (failed(daemon->modes[i])) {
            fprintf(to, "The mode %s was given up on: warrenctl hosts says why.\n", daemon->modes[i]->name);
        }
    }
}

const char *wn_health_trouble(const wn_daemon *daemon)
{
    const struct {
        bool so;
        const char *sentence;
    } ills[] = {
        {daemon->stopping, "The server is stopping."},
        {!daemon->ready, "The modes are being loaded."},
        {daemon->commit_failing,
         "Worlds pause: the journal cannot be written. The log says why; it is tried every second."},
        {daemon->draining, "Nobody new is let in, and the server stops when the last player has left."},
        {daemon->set_aside != NULL,
         "The store was damaged and is set aside: an empty one is served, without bans and rights. warrend(8) tells "
         "how to put a copy back."},
    };
    for (size_t i = 0; i < sizeof ills / sizeof *ills; i++) {
        if (ills[i].so) {
            return ills[i].sentence;
        }
    }
    return NULL;
}

bool wn_health_write(wn_daemon *daemon, FILE *to)
{
    const char *trouble = wn_health_trouble(daemon);
    if (trouble != NULL) {
        fprintf(to, "%s\n", trouble);
        if (daemon->set_aside != NULL) {
            fprintf(to, "The store that was found damaged is %s.\n", daemon->set_aside);
        }
        return false;
    }
    fprintf(to, "Serving %zu worlds; %u seats are taken.\n", zhashx_size(daemon->games), daemon->seats_taken);
    write_given_up(daemon, to);
    return true;
}
