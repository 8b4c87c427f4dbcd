/* show.c: prints status, worlds and players. Modes, which have tables inside tables, are in show-modes.c. */
#include "show.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "own-settings.h"
#include "table.h"

static const char *state_name(const Warren__WorldInfo *world)
{
    static const char *const names[] = {
        [WARREN__WORLD_STATE__WORLD_RUNNING] = "running",
        [WARREN__WORLD_STATE__WORLD_STARTING] = "starting",
        [WARREN__WORLD_STATE__WORLD_OVER] = "over",
        [WARREN__WORLD_STATE__WORLD_PARKED] = "parked",
    };
    const size_t state = (size_t)world->state;
    return state < sizeof names / sizeof *names ? names[state] : "unknown";
}

/* "12 s", "5 min", "3 h", "4 d": one unit is enough to see what is old. */
static void add_age(wn_table *table, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (seconds >= 2 * units[i].seconds) {
            wn_table_format(table, "%" PRId64 " %s", seconds / units[i].seconds, units[i].unit);
            return;
        }
    }
    wn_table_format(table, "%" PRId64 " s", seconds > 0 ? seconds : 0);
}

/* status */

typedef struct counter {
    const char *key;   /* in JSON, as it is */
    const char *title; /* for people */
    uint64_t value;
    enum { NUMBER, SECONDS, BYTES, MICROSECONDS } unit;
} counter;

enum { COUNTERS = 14 };

static void collect(const Warren__ServerStatus *status, counter counters[COUNTERS])
{
    const counter all[COUNTERS] = {
        {"uptime_seconds", "Running for", status->uptime_seconds, SECONDS},
        {"worlds", "Worlds", status->worlds, NUMBER},
        {"sessions", "Sessions", status->sessions, NUMBER},
        {"seats", "Seats taken", status->seats, NUMBER},
        {"turns", "Turns", status->turns, NUMBER},
        {"commands", "Commands", status->commands, NUMBER},
        {"updates", "Updates sent", status->updates, NUMBER},
        {"update_bytes", "Size of updates", status->update_bytes, BYTES},
        {"keyframes", "Keyframes", status->keyframes, NUMBER},
        {"resyncs", "Keyframes asked for", status->resyncs, NUMBER},
        {"refused", "Requests refused", status->refused, NUMBER},
        {"commits", "Journal writes", status->commits, NUMBER},
        {"memory_bytes", "Memory", status->memory_bytes, BYTES},
        {"cpu_us", "CPU time", status->cpu_us, MICROSECONDS},
    };
    for (size_t i = 0; i < COUNTERS; i++) {
        counters[i] = all[i];
    }
}

/* "2 d 03:04:05", "12.5 MiB", "1.25 s". */
static void format_counter(char *text, size_t size, const counter *shown)
{
    const uint64_t value = shown->value;
    switch (shown->unit) {
    case NUMBER:
        snprintf(text, size, "%" PRIu64, value);
        break;
    case SECONDS: {
        char days[24] = "";
        if (value >= 86400) {
            snprintf(days, sizeof days, "%" PRIu64 " d ", value / 86400);
        }
        snprintf(text, size, "%s%02d:%02d:%02d", days, (int)(value / 3600 % 24), (int)(value / 60 % 60),
                 (int)(value % 60));
        break;
    }
    case BYTES:
        snprintf(text, size, "%.1f MiB", (double)value / (1 << 20));
        break;
    case MICROSECONDS:
        snprintf(text, size, "%.2f s", (double)value / 1e6);
        break;
    }
}

void wn_show_hosts_json(wn_json *json, const char *key, const Warren__ServerStatus *status)
{
    wn_json_array(json, key);
    for (size_t i = 0; i < status->n_hosts; i++) {
        const Warren__HostInfo *host = status->hosts[i];
        wn_json_object(json, NULL);
        wn_json_string(json, "mode", host->mode);
        if (host->has_pid) {
            wn_json_uint(json, "pid", host->pid);
        } else {
            wn_json_null(json, "pid");
        }
        wn_json_uint(json, "worlds", host->worlds);
        wn_json_uint(json, "turns", host->turns);
        wn_json_uint(json, "memory_bytes", host->memory_bytes);
        wn_json_uint(json, "cpu_us", host->cpu_us);
        wn_json_uint(json, "restarts", host->restarts);
        wn_json_string(json, "failure", host->failure);
        wn_json_end(json);
    }
    wn_json_end(json);
}

static const char *level_name(const Warren__ServerStatus *status)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    const size_t level = (size_t)status->log_level;
    return status->has_log_level && level < sizeof names / sizeof *names ? names[level] : NULL;
}

static void status_as_json(FILE *to, const Warren__ServerStatus *status, const counter counters[COUNTERS])
{
    wn_json json;
    wn_json_start(&json, to);
    wn_json_object(&json, NULL);
    wn_json_string(&json, "software", status->software);
    for (size_t i = 0; i < COUNTERS; i++) {
        wn_json_uint(&json, counters[i].key, counters[i].value);
    }
    wn_json_uint(&json, "subscriptions_refused", status->subscriptions_refused);
    wn_json_bool(&json, "draining", status->draining);
    wn_json_string(&json, "trouble", status->trouble);
    wn_json_string(&json, "log_level", level_name(status));
    wn_show_hosts_json(&json, "hosts", status);
    wn_json_end(&json);
}

static void add_amount(wn_table *table, bool there, double amount)
{
    if (there) {
        wn_table_format(table, "%.1f", amount);
    } else {
        wn_table_text(table, "-");
    }
}

void wn_show_hosts(FILE *to, const Warren__ServerStatus *status)
{
    static const wn_table_column columns[] = {{"HOST", false},    {"PID", true},   {"WORLDS", true},
                                              {"TURNS", true},    {"CPU S", true}, {"MEMORY MiB", true},
                                              {"RESTARTS", true}, {"STATE", false}};
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < status->n_hosts; i++) {
        const Warren__HostInfo *host = status->hosts[i];
        wn_table_text(&table, host->mode);
        if (host->has_pid) {
            wn_table_format(&table, "%" PRIu32, host->pid);
        } else {
            wn_table_text(&table, "-");
        }
        wn_table_format(&table, "%" PRIu32, host->worlds);
        wn_table_format(&table, "%" PRIu64, host->turns);
        add_amount(&table, host->has_pid, (double)host->cpu_us / 1e6);
        add_amount(&table, host->has_pid, (double)host->memory_bytes / (1 << 20));
        wn_table_format(&table, "%" PRIu32, host->restarts);
        wn_table_text(&table, host->failure != NULL ? host->failure : host->has_pid ? "running" : "not needed");
    }
    wn_table_print(&table, to, 0);
}

void wn_show_status(FILE *to, const Warren__ServerStatus *status, bool json)
{
    counter counters[COUNTERS];
    collect(status, counters);
    if (json) {
        status_as_json(to, status, counters);
        return;
    }
    fprintf(to, "%s%s\n", status->software, status->draining ? ", draining" : "");
    if (status->trouble != NULL) {
        fprintf(to, "%s\n", status->trouble);
    }
    for (size_t i = 0; i < COUNTERS; i++) {
        char value[40];
        format_counter(value, sizeof value, &counters[i]);
        fprintf(to, "%-22s%14s\n", counters[i].title, value);
    }
    fprintf(to, "%-22s%14" PRIu64 "\n", "Subscriptions refused", status->subscriptions_refused);
    if (status->n_hosts > 0) {
        fputc('\n', to);
        wn_show_hosts(to, status);
    }
}

/* worlds */

static void world_as_json(wn_json *json, const Warren__WorldInfo *world)
{
    wn_json_object(json, NULL);
    wn_json_uint(json, "id", world->id);
    wn_json_string(json, "name", world->name);
    wn_json_string(json, "mode", world->mode);
    wn_json_string(json, "state", state_name(world));
    wn_json_uint(json, "players", world->players);
    wn_json_uint(json, "max_players", world->max_players);
    wn_json_uint(json, "watchers", world->watchers);
    wn_json_uint(json, "turn", world->turn);
    wn_json_int(json, "created", world->created);
    wn_json_string(json, "owner", world->owner);
    wn_json_string(json, "outcome", world->outcome);
    wn_json_bool(json, "awaits_recovery", world->awaits_recovery);
    wn_json_object(json, "settings");
    for (size_t i = 0; i < world->n_settings; i++) {
        wn_json_string(json, world->settings[i]->name, world->settings[i]->value);
    }
    wn_json_end(json);
    /* A string: many readers of JSON round numbers above 2^53. */
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, world->seed);
    wn_json_string(json, "seed", world->has_seed ? seed : NULL);
    wn_json_end(json);
}

static void world_as_row(wn_table *table, const Warren__WorldInfo *world, const Warren__ModeList *modes, int64_t now)
{
    const char *title = wn_world_own_setting(world, modes, "title");
    wn_table_text(table, world->name);
    wn_table_text(table, world->mode);
    wn_table_text(table, state_name(world));
    wn_table_format(table, "%" PRIu32 "/%" PRIu32, world->players, world->max_players);
    wn_table_format(table, "%" PRIu32, world->watchers);
    wn_table_format(table, "%" PRIu64, world->turn);
    add_age(table, now - world->created);
    wn_table_text(table, world->owner);
    wn_table_text(table, world->outcome);
    wn_table_text(table, title == NULL ? "" : title);
}

void wn_show_worlds(FILE *to, const Warren__WorldList *worlds, const Warren__ModeList *modes, bool json)
{
    static const wn_table_column columns[] = {{"WORLD", false},   {"MODE", false}, {"STATE", false}, {"PLAYERS", true},
                                              {"WATCHERS", true}, {"TURN", true},  {"AGE", true},    {"OWNER", false},
                                              {"OUTCOME", false}, {"TITLE", false}};
    if (json) {
        wn_json writer;
        wn_json_start(&writer, to);
        wn_json_array(&writer, NULL);
        for (size_t i = 0; i < worlds->n_worlds; i++) {
            world_as_json(&writer, worlds->worlds[i]);
        }
        wn_json_end(&writer);
        return;
    }
    if (worlds->n_worlds == 0) {
        fputs("No worlds yet. Make one: warrenctl create MODE\n", to);
        return;
    }
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    const int64_t now = (int64_t)time(NULL);
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        world_as_row(&table, worlds->worlds[i], modes, now);
    }
    wn_table_print(&table, to, 0);
}

void wn_show_created(FILE *to, const Warren__WorldInfo *world, bool json)
{
    if (json) {
        wn_json writer;
        wn_json_start(&writer, to);
        world_as_json(&writer, world);
        return;
    }
    fprintf(to, "%s\n", world->name);
}

/* players */

static void players_as_json(FILE *to, const Warren__PlayerList *players)
{
    wn_json json;
    wn_json_start(&json, to);
    wn_json_array(&json, NULL);
    for (size_t i = 0; i < players->n_players; i++) {
        const Warren__PlayerInfo *player = players->players[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "player", player->player);
        wn_json_string(&json, "world", player->world);
        wn_json_uint(&json, "seat", player->seat);
        wn_json_bool(&json, "connected", player->connected);
        wn_json_end(&json);
    }
    for (size_t i = 0; i < players->n_watchers; i++) {
        wn_json_object(&json, NULL);
        wn_json_string(&json, "player", players->watchers[i]->player);
        wn_json_string(&json, "world", players->watchers[i]->world);
        wn_json_null(&json, "seat");
        wn_json_bool(&json, "connected", true);
        wn_json_end(&json);
    }
    wn_json_end(&json);
}

void wn_show_players(FILE *to, const Warren__PlayerList *players, bool json)
{
    static const wn_table_column columns[] = {{"PLAYER", false}, {"WORLD", false}, {"SEAT", true}, {"STATE", false}};
    if (json) {
        players_as_json(to, players);
        return;
    }
    if (players->n_players + players->n_watchers == 0) {
        fputs("Nobody plays.\n", to);
        return;
    }
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < players->n_players; i++) {
        const Warren__PlayerInfo *player = players->players[i];
        wn_table_text(&table, player->player);
        wn_table_text(&table, player->world);
        wn_table_format(&table, "%" PRIu32, player->seat);
        wn_table_text(&table, player->connected ? "connected" : "away");
    }
    for (size_t i = 0; i < players->n_watchers; i++) {
        wn_table_text(&table, players->watchers[i]->player);
        wn_table_text(&table, players->watchers[i]->world);
        wn_table_text(&table, "-");
        wn_table_text(&table, "watching");
    }
    wn_table_print(&table, to, 0);
}
