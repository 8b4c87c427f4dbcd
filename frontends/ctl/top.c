/* top.c: a server watched live: what happens a second, what its processes use, which worlds are busiest. What it
 * prints; samples are taken in top-sample.c, the terminal is in top-screen.c. */
#include "operation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "table.h"
#include "top-sample.h"
#include "top-screen.h"

enum {
    INTERVAL_MS = 1000,
    BUSIEST = 10, /* worlds, for programs */
    LISTED = 200  /* for people: more rows than any terminal has */
};

/* as JSON */

static void sample_as_json(const wn_sample *now, const wn_sample *before)
{
    wn_sample_rate rates[WN_SAMPLE_RATES];
    wn_json json;
    wn_sample_rates(now, before, rates);
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_int(&json, "time", (int64_t)time(NULL));
    wn_json_real(&json, "seconds", (double)wn_sample_elapsed_ms(now, before) / 1000);
    wn_json_uint(&json, "worlds", now->world_total);
    wn_json_uint(&json, "sessions", now->sessions);
    wn_json_uint(&json, "seats", now->seats);
    wn_json_bool(&json, "draining", now->draining);
    wn_json_object(&json, "per_second");
    for (size_t i = 0; i < WN_SAMPLE_RATES; i++) {
        wn_json_real(&json, rates[i].key, rates[i].value);
    }
    wn_json_end(&json);
    wn_json_real(&json, "turn_ms", wn_sample_mean_ms(now->turn_us, before->turn_us, now->turns, before->turns));
    wn_json_real(&json, "journal_ms",
                 wn_sample_mean_ms(now->commit_us, before->commit_us, now->commits, before->commits));
    wn_json_array(&json, "processes");
    for (size_t i = 0; i < now->process_count; i++) {
        const wn_sample_process *one = &now->processes[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "name", one->name);
        wn_json_bool(&json, "running", one->runs);
        wn_json_real(&json, "cpu_percent", wn_sample_cpu_percent(now, before, i));
        wn_json_uint(&json, "memory_bytes", one->memory);
        wn_json_uint(&json, "worlds", one->worlds);
        wn_json_real(&json, "turns_per_second", wn_sample_turns(now, before, i));
        wn_json_uint(&json, "restarts", one->restarts);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    wn_sample_world *sorted = wn_sample_sorted(now);
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

static void print_head(FILE *to, const wn_sample *now, const wn_sample *before)
{
    const uint64_t seconds = now->uptime_ms / 1000;
    wn_sample_rate rates[WN_SAMPLE_RATES];
    wn_sample_rates(now, before, rates);
    fprintf(to, "%s, running %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ": %u worlds, %u sessions, %u seats taken%s\n",
            now->software, seconds / 3600, seconds / 60 % 60, seconds % 60, now->world_total, now->sessions, now->seats,
            now->draining ? ", draining" : "");
    for (size_t i = 0; i < WN_SAMPLE_RATES; i++) {
        static const char *const before_rate[WN_SAMPLE_RATES] = {"A second:   ",   "  ", "  ", "  ",
                                                                 "\n            ", "  ", "  "};
        fprintf(to, "%s%s %.0f", before_rate[i], rates[i].title, isnan(rates[i].value) ? 0 : rates[i].value);
    }
    fputs("\nOn average: ", to);
    print_mean(to, "a turn", wn_sample_mean_ms(now->turn_us, before->turn_us, now->turns, before->turns));
    fputs("  ", to);
    print_mean(to, "a write of the journal",
               wn_sample_mean_ms(now->commit_us, before->commit_us, now->commits, before->commits));
    fputs("\n\n", to);
}

static void print_processes(FILE *to, const wn_sample *now, const wn_sample *before)
{
    static const wn_table_column columns[] = {{"PROCESS", false}, {"CPU %", true},   {"MEMORY MiB", true},
                                              {"WORLDS", true},   {"TURNS/S", true}, {"RESTARTS", true}};
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < now->process_count; i++) {
        const wn_sample_process *one = &now->processes[i];
        wn_table_text(&table, one->name);
        add_real(&table, wn_sample_cpu_percent(now, before, i), 1);
        add_real(&table, one->runs ? (double)one->memory / (1 << 20) : NAN, 1);
        wn_table_format(&table, "%" PRIu32, one->worlds);
        add_real(&table, wn_sample_turns(now, before, i), 1);
        if (i == 0) {
            wn_table_text(&table, "");
        } else {
            wn_table_format(&table, "%" PRIu32, one->restarts);
        }
    }
    wn_table_print(&table, to, 0);
    fputc('\n', to);
}

static void print_worlds(FILE *to, const wn_sample *now)
{
    static const wn_table_column columns[] = {
        {"WORLD", false}, {"MODE", false}, {"PLAYERS", true}, {"TURNS/S", true}, {"TURN", true}};
    wn_table table;
    wn_sample_world *sorted = wn_sample_sorted(now);
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < now->world_count && i < LISTED; i++) {
        wn_table_text(&table, sorted[i].name);
        wn_table_text(&table, sorted[i].mode);
        wn_table_format(&table, "%" PRIu32 "/%" PRIu32, sorted[i].players, sorted[i].max_players);
        add_real(&table, sorted[i].rate, 1);
        wn_table_format(&table, "%" PRIu64, sorted[i].turn);
    }
    wn_table_print(&table, to, 0);
    free(sorted);
}

static void sample_for_people(const wn_screen *on, const wn_sample *now, const wn_sample *before)
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
        wn_screen_print(on, text);
    }
    free(text);
}

int wn_ctl_top(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const uint64_t most = ctl->options->given & WN_CTL_COUNT ? ctl->options->samples : UINT64_MAX;
    wn_sample before = {0}, now = {0};
    wn_screen on = {0};
    wn_screen_open(&on, ctl->options->json);
    for (uint64_t i = 0; i < most; i++) {
        const int64_t began = wn_screen_now_ms();
        if (!wn_sample_take(ctl, &before, &now)) {
            break;
        }
        if (ctl->options->json) {
            sample_as_json(&now, &before);
        } else {
            sample_for_people(&on, &now, &before);
        }
        wn_sample_free(&before);
        before = now;
        now = (wn_sample){0};
        if (fflush(stdout) != 0 || i + 1 == most || !wn_screen_wait(&on, ctl->session.client, began + INTERVAL_MS)) {
            break;
        }
    }
    wn_sample_free(&before);
    wn_sample_free(&now);
    wn_screen_close(&on);
    return ctl->session.status;
}
