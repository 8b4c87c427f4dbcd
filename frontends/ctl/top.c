/* top.c: a server watched live: what happens a second, what its processes use, which worlds are busiest. A sample is a
 * status and a list of worlds; rates are differences of two samples over the server's own time between them. */
#include "operation.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "table.h"

enum { INTERVAL_MS = 1000, BUSIEST = 10, ROWS = 24, COLUMNS = 80 };

/* samples */

typedef struct process {
    char name[WN_NAME_BYTES + 1];
    bool runs;
    uint32_t pid, worlds, restarts;
    uint64_t memory, cpu_us, turns;
} process;

typedef struct world {
    uint32_t id, players, max_players;
    char name[WN_NAME_BYTES + 1], mode[WN_NAME_BYTES + 1];
    uint64_t turn;
    double rate; /* turns a second; NAN: there was no sample of it before */
} world;

typedef struct sample {
    char software[WN_NAME_BYTES + 1];
    bool draining;
    uint64_t uptime_ms, turns, turn_us, commands, updates, update_bytes, keyframes, resyncs, refused, commits,
        commit_us;
    uint32_t world_total, sessions, seats;
    process *processes; /* the daemon first */
    size_t process_count;
    world *worlds; /* by number */
    size_t world_count;
} sample;

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fputs("warrenctl: No memory left.\n", stderr);
        abort();
    }
    return memory;
}

static void sample_free(sample *taken)
{
    free(taken->processes);
    free(taken->worlds);
    *taken = (sample){0};
}

static void take_status(sample *taken, const Warren__ServerStatus *status)
{
    *taken = (sample){.draining = status->draining,
                      .uptime_ms = status->uptime_ms,
                      .turns = status->turns,
                      .turn_us = status->turn_us,
                      .commands = status->commands,
                      .updates = status->updates,
                      .update_bytes = status->update_bytes,
                      .keyframes = status->keyframes,
                      .resyncs = status->resyncs,
                      .refused = status->refused,
                      .commits = status->commits,
                      .commit_us = status->commit_us,
                      .world_total = status->worlds,
                      .sessions = status->sessions,
                      .seats = status->seats,
                      .process_count = 1 + status->n_hosts,
                      .processes = allocate(1 + status->n_hosts, sizeof *taken->processes)};
    snprintf(taken->software, sizeof taken->software, "%s", status->software);
    taken->processes[0] = (process){.name = "warrend",
                                    .runs = true,
                                    .worlds = status->worlds,
                                    .memory = status->memory_bytes,
                                    .cpu_us = status->cpu_us,
                                    .turns = status->turns};
    for (size_t i = 0; i < status->n_hosts; i++) {
        const Warren__HostInfo *host = status->hosts[i];
        process *to = &taken->processes[i + 1];
        snprintf(to->name, sizeof to->name, "%s", host->mode);
        to->runs = host->has_pid;
        to->pid = host->pid;
        to->worlds = host->worlds;
        to->restarts = host->restarts;
        to->memory = host->memory_bytes;
        to->cpu_us = host->cpu_us;
        to->turns = host->turns;
    }
}

static int by_id(const void *one, const void *other)
{
    const world *a = one, *b = other;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_rate(const void *one, const void *other)
{
    const world *a = one, *b = other;
    const double first = isnan(a->rate) ? 0 : a->rate, second = isnan(b->rate) ? 0 : b->rate;
    if (first != second) {
        return first > second ? -1 : 1;
    }
    return a->players != b->players ? (a->players > b->players ? -1 : 1) : by_id(one, other);
}

static double per_second(uint64_t now, uint64_t before, uint64_t ms)
{
    return ms > 0 && now >= before ? (double)(now - before) * 1000 / (double)ms : NAN;
}

static uint64_t elapsed_ms(const sample *now, const sample *before)
{
    return now->uptime_ms > before->uptime_ms ? now->uptime_ms - before->uptime_ms : 0;
}

static void take_worlds(sample *taken, const sample *before, const Warren__WorldList *list)
{
    taken->worlds = allocate(list->n_worlds, sizeof *taken->worlds);
    taken->world_count = list->n_worlds;
    for (size_t i = 0; i < list->n_worlds; i++) {
        const Warren__WorldInfo *info = list->worlds[i];
        world *to = &taken->worlds[i];
        *to = (world){.id = info->id,
                      .players = info->players,
                      .max_players = info->max_players,
                      .turn = info->turn,
                      .rate = NAN};
        snprintf(to->name, sizeof to->name, "%s", info->name);
        snprintf(to->mode, sizeof to->mode, "%s", info->mode);
        const world *was =
            before->world_count > 0 ? bsearch(to, before->worlds, before->world_count, sizeof *to, by_id) : NULL;
        if (was != NULL) {
            to->rate = per_second(to->turn, was->turn, elapsed_ms(taken, before));
        }
    }
    if (taken->world_count > 0) {
        qsort(taken->worlds, taken->world_count, sizeof *taken->worlds, by_id);
    }
}

static bool take_sample(wn_ctl *ctl, const sample *before, sample *taken)
{
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_status(ctl->session.client), WARREN__REPLY__BODY_STATUS);
    if (reply == NULL) {
        return false;
    }
    take_status(taken, reply->status);
    reply = wn_session_answer(&ctl->session, wn_client_list_worlds(ctl->session.client), WARREN__REPLY__BODY_WORLDS);
    if (reply != NULL) {
        take_worlds(taken, before, reply->worlds);
    }
    return reply != NULL;
}

/* The busiest first; free it. */
static world *sorted_worlds(const sample *now)
{
    world *sorted = allocate(now->world_count, sizeof *sorted);
    if (now->world_count > 0) {
        memcpy(sorted, now->worlds, now->world_count * sizeof *sorted);
        qsort(sorted, now->world_count, sizeof *sorted, by_rate);
    }
    return sorted;
}

/* Of the same process: one that was started again begins at 0. */
static double cpu_percent(const sample *now, const sample *before, size_t index)
{
    const process *of = &now->processes[index];
    const process *was = index < before->process_count ? &before->processes[index] : NULL;
    const bool same = was != NULL && was->pid == of->pid && strcmp(was->name, of->name) == 0;
    return !of->runs || (before->process_count > 0 && !same)
               ? NAN
               : per_second(of->cpu_us, same ? was->cpu_us : 0, elapsed_ms(now, before)) / 10000;
}

static double turns_of(const sample *now, const sample *before, size_t index)
{
    const uint64_t was = index < before->process_count ? before->processes[index].turns : 0;
    return per_second(now->processes[index].turns, was, elapsed_ms(now, before));
}

/* Milliseconds of one, of those since the sample before. */
static double mean_ms(uint64_t us, uint64_t us_before, uint64_t count, uint64_t count_before)
{
    return count > count_before ? (double)(us - us_before) / 1000 / (double)(count - count_before) : NAN;
}

/* What happened a second, as people and programs are told. */
enum { RATES = 7 };
typedef struct rate {
    const char *key, *title;
    double value;
} rate;

static void find_rates(const sample *now, const sample *before, rate rates[RATES])
{
    const uint64_t ms = elapsed_ms(now, before);
    const rate all[RATES] = {
        {"turns", "turns", per_second(now->turns, before->turns, ms)},
        {"commands", "commands", per_second(now->commands, before->commands, ms)},
        {"updates", "updates", per_second(now->updates, before->updates, ms)},
        {"update_bytes", "bytes", per_second(now->update_bytes, before->update_bytes, ms)},
        {"keyframes", "keyframes", per_second(now->keyframes, before->keyframes, ms)},
        {"resyncs", "resyncs", per_second(now->resyncs, before->resyncs, ms)},
        {"refused", "refused", per_second(now->refused, before->refused, ms)},
    };
    memcpy(rates, all, sizeof all);
}

/* as JSON */

static void sample_as_json(const sample *now, const sample *before)
{
    rate rates[RATES];
    wn_json json;
    find_rates(now, before, rates);
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_int(&json, "time", (int64_t)time(NULL));
    wn_json_real(&json, "seconds", (double)elapsed_ms(now, before) / 1000);
    wn_json_uint(&json, "worlds", now->world_total);
    wn_json_uint(&json, "sessions", now->sessions);
    wn_json_uint(&json, "seats", now->seats);
    wn_json_bool(&json, "draining", now->draining);
    wn_json_object(&json, "per_second");
    for (size_t i = 0; i < RATES; i++) {
        wn_json_real(&json, rates[i].key, rates[i].value);
    }
    wn_json_end(&json);
    wn_json_real(&json, "turn_ms", mean_ms(now->turn_us, before->turn_us, now->turns, before->turns));
    wn_json_real(&json, "journal_ms", mean_ms(now->commit_us, before->commit_us, now->commits, before->commits));
    wn_json_array(&json, "processes");
    for (size_t i = 0; i < now->process_count; i++) {
        const process *one = &now->processes[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "name", one->name);
        wn_json_bool(&json, "running", one->runs);
        wn_json_real(&json, "cpu_percent", cpu_percent(now, before, i));
        wn_json_uint(&json, "memory_bytes", one->memory);
        wn_json_uint(&json, "worlds", one->worlds);
        wn_json_real(&json, "turns_per_second", turns_of(now, before, i));
        wn_json_uint(&json, "restarts", one->restarts);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    world *sorted = sorted_worlds(now);
    wn_json_array(&json, "busiest");
    for (size_t i = 0; i < now->world_count && i < BUSIEST; i++) {
        wn_json_object(&json, NULL);
        wn_json_string(&json, "name", sorted[i].name);
        wn_json_string(&json, "mode", sorted[i].mode);
        wn_json_uint(&json, "players", sorted[i].players);
        wn_json_uint(&json, "turn", sorted[i].turn);
        wn_json_real(&json, "turns_per_second", sorted[i].rate);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    wn_json_end(&json);
    free(sorted);
}

/* for people */

static void add_real(wn_table *table, double value, int decimals)
{
    if (isnan(value)) {
        wn_table_text(table, "-");
    } else {
        wn_table_format(table, "%.*f", decimals, value);
    }
}

static void print_mean(FILE *to, const char *what, double ms)
{
    if (isnan(ms)) {
        fprintf(to, "%s -", what);
    } else {
        fprintf(to, "%s %.2f ms", what, ms);
    }
}

static void print_head(FILE *to, const sample *now, const sample *before)
{
    const uint64_t seconds = now->uptime_ms / 1000;
    rate rates[RATES];
    find_rates(now, before, rates);
    fprintf(to, "%s, running %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ": %u worlds, %u sessions, %u seats taken%s\n",
            now->software, seconds / 3600, seconds / 60 % 60, seconds % 60, now->world_total, now->sessions, now->seats,
            now->draining ? ", draining" : "");
    for (size_t i = 0; i < RATES; i++) {
        static const char *const before_rate[RATES] = {"A second:   ", "  ", "  ", "  ", "\n            ", "  ", "  "};
        fprintf(to, "%s%s %.0f", before_rate[i], rates[i].title, isnan(rates[i].value) ? 0 : rates[i].value);
    }
    fputs("\nOn average: ", to);
    print_mean(to, "a turn", mean_ms(now->turn_us, before->turn_us, now->turns, before->turns));
    fputs("  ", to);
    print_mean(to, "a write of the journal", mean_ms(now->commit_us, before->commit_us, now->commits, before->commits));
    fputs("\n\n", to);
}

static void print_processes(FILE *to, const sample *now, const sample *before)
{
    static const wn_table_column columns[] = {{"PROCESS", false}, {"CPU %", true},   {"MEMORY MiB", true},
                                              {"WORLDS", true},   {"TURNS/S", true}, {"RESTARTS", true}};
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < now->process_count; i++) {
        const process *one = &now->processes[i];
        wn_table_text(&table, one->name);
        add_real(&table, cpu_percent(now, before, i), 1);
        add_real(&table, one->runs ? (double)one->memory / (1 << 20) : NAN, 1);
        wn_table_format(&table, "%" PRIu32, one->worlds);
        add_real(&table, turns_of(now, before, i), 1);
        if (i == 0) {
            wn_table_text(&table, "");
        } else {
            wn_table_format(&table, "%" PRIu32, one->restarts);
        }
    }
    wn_table_print(&table, to, 0);
    fputc('\n', to);
}

static void print_worlds(FILE *to, const sample *now)
{
    static const wn_table_column columns[] = {
        {"WORLD", false}, {"MODE", false}, {"PLAYERS", true}, {"TURNS/S", true}, {"TURN", true}};
    wn_table table;
    world *sorted = sorted_worlds(now);
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < now->world_count && i < 200; i++) {
        wn_table_text(&table, sorted[i].name);
        wn_table_text(&table, sorted[i].mode);
        wn_table_format(&table, "%" PRIu32 "/%" PRIu32, sorted[i].players, sorted[i].max_players);
        add_real(&table, sorted[i].rate, 1);
        wn_table_format(&table, "%" PRIu64, sorted[i].turn);
    }
    wn_table_print(&table, to, 0);
    free(sorted);
}

/* the terminal */

typedef struct screen {
    bool shown, keys; /* standard output is a terminal; so is standard input */
    struct termios former;
    int signals;
} screen;

/* Signals are read like keys, so that the terminal is left as it was found. */
static void screen_open(screen *on, bool json)
{
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    on->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    on->shown = !json && isatty(STDOUT_FILENO);
    on->keys = on->shown && tcgetattr(STDIN_FILENO, &on->former) == 0;
    if (on->keys) {
        struct termios raw = on->former;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    if (on->shown) {
        fputs("\033[H\033[2J\033[?25l", stdout);
    }
}

static void screen_close(screen *on)
{
    if (on->keys) {
        tcsetattr(STDIN_FILENO, TCSANOW, &on->former);
    }
    if (on->shown) {
        fputs("\033[?25h", stdout);
    }
    close(on->signals);
}

/* As much of the text as fits: on a terminal over what stood there, elsewhere all of it. */
static void screen_print(const screen *on, char *text)
{
    struct winsize size = {0};
    char *rest = NULL;
    if (!on->shown) {
        fputs(text, stdout);
        fputc('\n', stdout);
        return;
    }
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const int rows = size.ws_row > 0 ? size.ws_row : ROWS;
    fputs("\033[H", stdout);
    int row = 1;
    for (char *line = text; line != NULL && row < rows; line = rest, row++) {
        rest = strchr(line, '\n');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        printf("%.*s\033[K\n", size.ws_col > 0 ? size.ws_col : COLUMNS, line);
    }
    fputs("\033[J", stdout);
}

static void sample_for_people(const screen *on, const sample *now, const sample *before)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    if (page == NULL) {
        return;
    }
    print_head(page, now, before);
    print_processes(page, now, before);
    print_worlds(page, now);
    if (fclose(page) == 0) {
        screen_print(on, text);
    }
    free(text);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until the next sample is due. false: a signal or a q came, or there is nobody left to type one. */
static bool wait_for_next(const screen *on, wn_client *client, int64_t due)
{
    struct pollfd waits[] = {{.fd = on->signals, .events = POLLIN},
                             {.fd = wn_client_fd(client), .events = POLLIN},
                             {.fd = on->keys ? STDIN_FILENO : -1, .events = POLLIN}};
    for (int64_t left = due - now_ms(); left > 0; left = due - now_ms()) {
        char key = 0;
        wn_event event;
        if (poll(waits, sizeof waits / sizeof *waits, (int)left) <= 0) {
            continue;
        }
        if (waits[0].revents != 0) {
            return false;
        }
        if (waits[2].revents != 0 && (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q')) {
            return false;
        }
        wn_client_dispatch(client);
        while (wn_client_next(client, &event)) {
        }
    }
    return true;
}

int wn_ctl_top(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const uint64_t most = ctl->options->given & WN_CTL_COUNT ? ctl->options->samples : UINT64_MAX;
    sample before = {0}, now = {0};
    screen on = {0};
    screen_open(&on, ctl->options->json);
    for (uint64_t i = 0; i < most; i++) {
        const int64_t began = now_ms();
        if (!take_sample(ctl, &before, &now)) {
            break;
        }
        if (ctl->options->json) {
            sample_as_json(&now, &before);
        } else {
            sample_for_people(&on, &now, &before);
        }
        sample_free(&before);
        before = now;
        now = (sample){0};
        if (fflush(stdout) != 0 || i + 1 == most || !wait_for_next(&on, ctl->session.client, began + INTERVAL_MS)) {
            break;
        }
    }
    sample_free(&before);
    sample_free(&now);
    screen_close(&on);
    return ctl->session.status;
}
