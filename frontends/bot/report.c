/* report.c: what a crowd has seen, for people and for programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "json.h"
#include "picture.h"
#include "table.h"

static bool bot_succeeded(const wn_bot *bot)
{
    const wn_bot_counts *counts = &bot->counts;
    return bot->state == WN_BOT_DONE && counts->seats > 0 && counts->refused == 0 &&
           counts->executed + counts->dropped == counts->sent;
}

bool wn_crowd_succeeded(const wn_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        if (!bot_succeeded(&crowd->bots[i])) {
            return false;
        }
    }
    return crowd->count > 0;
}

/* delays */

typedef struct delays {
    uint32_t *sorted;
    size_t count;
} delays;

static int compare(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The delays of `count` bots, sorted. Free `sorted`. */
static delays collect_delays(const wn_bot *bots, uint32_t count)
{
    delays all = {0};
    for (uint32_t i = 0; i < count; i++) {
        all.count += bots[i].delay_count;
    }
    all.sorted = all.count > 0 ? malloc(all.count * sizeof *all.sorted) : NULL;
    if (all.sorted == NULL) {
        return (delays){0};
    }
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bots[i].delay_count > 0) {
            memcpy(all.sorted + at, bots[i].delays, bots[i].delay_count * sizeof *all.sorted);
            at += bots[i].delay_count;
        }
    }
    qsort(all.sorted, all.count, sizeof *all.sorted, compare);
    return all;
}

/* The smallest delay that so many of a hundred do not pass; 0 if there are none. */
static uint32_t percentile(const delays *all, size_t percent)
{
    if (all->count == 0) {
        return 0;
    }
    const size_t rank = (all->count * percent + 99) / 100;
    return all->sorted[rank > 0 ? rank - 1 : 0];
}

/* columns */

/* What is counted of each bot, in the order in which it is printed. */
static const struct {
    const char *key, *title;
    size_t offset;
} counted[] = {
    {"sent", "SENT", offsetof(wn_bot_counts, sent)},
    {"executed", "EXECUTED", offsetof(wn_bot_counts, executed)},
    {"refused", "REFUSED", offsetof(wn_bot_counts, refused)},
    {"dropped", "DROPPED", offsetof(wn_bot_counts, dropped)},
    {"seats", "SEATS", offsetof(wn_bot_counts, seats)},
    {"updates", "UPDATES", offsetof(wn_bot_counts, updates)},
    {"keyframes", "KEYFRAMES", offsetof(wn_bot_counts, keyframes)},
    {"resyncs", "RESYNCS", offsetof(wn_bot_counts, resyncs)},
    {"bytes", "BYTES", offsetof(wn_bot_counts, bytes)},
    {"losses", "LOSSES", offsetof(wn_bot_counts, losses)},
    {"kills", "KILLS", offsetof(wn_bot_counts, kills)},
    {"deaths", "DEATHS", offsetof(wn_bot_counts, deaths)},
    {"turns", "TURNS", offsetof(wn_bot_counts, turns)},
};
enum { COUNTED = sizeof counted / sizeof *counted };

static uint64_t count_of(const wn_bot_counts *counts, size_t which)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + counted[which].offset, sizeof value);
    return value;
}

static wn_bot_counts total(const wn_crowd *crowd)
{
    uint64_t sums[COUNTED] = {0};
    wn_bot_counts counts = {0};
    for (size_t which = 0; which < COUNTED; which++) {
        for (uint32_t i = 0; i < crowd->count; i++) {
            sums[which] += count_of(&crowd->bots[i].counts, which);
        }
        memcpy((char *)&counts + counted[which].offset, &sums[which], sizeof sums[which]);
    }
    return counts;
}

static const char *given_name(const wn_bot *bot)
{
    const char *given = wn_client_player(bot->client);
    return *given != '\0' ? given : bot->name;
}

static void add_row(wn_table *table, const char *name, const wn_bot_counts *counts, const wn_bot *bots, uint32_t count)
{
    wn_table_text(table, name);
    for (size_t which = 0; which < COUNTED; which++) {
        wn_table_format(table, "%" PRIu64, count_of(counts, which));
    }
    delays all = collect_delays(bots, count);
    wn_table_format(table, "%" PRIu32, percentile(&all, 50));
    wn_table_format(table, "%" PRIu32, percentile(&all, 99));
    free(all.sorted);
}

static const char *verdict(const wn_bot *bot)
{
    if (bot->failure.text[0] != '\0') {
        return bot->failure.text;
    }
    return bot_succeeded(bot) ? NULL : "Not everything that was sent has been executed.";
}

void wn_crowd_summary(const wn_crowd *crowd, FILE *to)
{
    wn_table_column columns[COUNTED + 3] = {{"BOT", false}};
    for (size_t which = 0; which < COUNTED; which++) {
        columns[which + 1] = (wn_table_column){counted[which].title, true};
    }
    columns[COUNTED + 1] = (wn_table_column){"MEDIAN us", true};
    columns[COUNTED + 2] = (wn_table_column){"P99 us", true};
    wn_table table;
    wn_table_start(&table, columns, COUNTED + 3);
    for (uint32_t i = 0; i < crowd->count; i++) {
        const wn_bot *bot = &crowd->bots[i];
        add_row(&table, given_name(bot), &bot->counts, bot, 1);
    }
    if (crowd->count > 1) {
        const wn_bot_counts all = total(crowd);
        add_row(&table, "all", &all, crowd->bots, crowd->count);
    }
    wn_table_print(&table, to, 0);
    fprintf(to, "World %s, the bots' seed %" PRIu64 ", %.3f s.\n", crowd->plan.world, crowd->seed,
            (double)crowd->lasted_us / 1e6);
    for (uint32_t i = 0; i < crowd->count; i++) {
        const char *text = verdict(&crowd->bots[i]);
        if (text != NULL) {
            fprintf(to, "%s: %s\n", given_name(&crowd->bots[i]), text);
        }
    }
}

/* JSON */

static void counts_as_json(wn_json *json, const wn_bot_counts *counts, const wn_bot *bots, uint32_t count)
{
    for (size_t which = 0; which < COUNTED; which++) {
        wn_json_uint(json, counted[which].key, count_of(counts, which));
    }
    delays all = collect_delays(bots, count);
    wn_json_uint(json, "delay_median_us", percentile(&all, 50));
    wn_json_uint(json, "delay_p99_us", percentile(&all, 99));
    free(all.sorted);
}

void wn_crowd_json(const wn_crowd *crowd, FILE *to)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, crowd->seed);
    wn_json json;
    wn_json_start(&json, to);
    wn_json_object(&json, NULL);
    wn_json_bool(&json, "succeeded", wn_crowd_succeeded(crowd));
    wn_json_string(&json, "world", crowd->plan.world);
    wn_json_string(&json, "seed", seed);
    wn_json_int(&json, "lasted_us", crowd->lasted_us);
    const wn_bot_counts all = total(crowd);
    wn_json_object(&json, "all");
    counts_as_json(&json, &all, crowd->bots, crowd->count);
    wn_json_end(&json);
    wn_json_array(&json, "bots");
    for (uint32_t i = 0; i < crowd->count; i++) {
        const wn_bot *bot = &crowd->bots[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "player", given_name(bot));
        wn_json_bool(&json, "succeeded", bot_succeeded(bot));
        wn_json_string(&json, "failure", verdict(bot));
        counts_as_json(&json, &bot->counts, bot, 1);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    wn_json_end(&json);
}

/* views */

void wn_crowd_views(const wn_crowd *crowd, FILE *to)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        const wn_bot *bot = &crowd->bots[i];
        const wn_replica *replica = bot->world != 0 ? wn_client_replica(bot->client, bot->world) : NULL;
        if (replica != NULL && replica->ready) {
            fprintf(to, "%s in %s, turn %" PRIu64 "\n", given_name(bot), replica->name, replica->turn);
            wn_picture_print(to, replica);
        }
    }
}
