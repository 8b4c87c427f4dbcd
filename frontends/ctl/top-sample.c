/* top-sample.c: a server at one moment, and what happened between two. See top-sample.h.
 */
#include "top-sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wn_sample_free(wn_sample *taken)
{
    free(taken->processes);
    free(taken->worlds);
    *taken = (wn_sample){0};
}

static void take_status(wn_sample *taken, const Warren__ServerStatus *status)
{
    *taken = (wn_sample){.draining = status->draining,
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
                         .processes = wn_ctl_allocate(1 + status->n_hosts, sizeof *taken->processes)};
    snprintf(taken->software, sizeof taken->software, "%s", status->software);
    taken->processes[0] = (wn_sample_process){.name = "warrend",
                                              .runs = true,
                                              .worlds = status->worlds,
                                              .memory = status->memory_bytes,
                                              .cpu_us = status->cpu_us,
                                              .turns = status->turns};
    for (size_t i = 0; i < status->n_hosts; i++) {
        const Warren__HostInfo *host = status->hosts[i];
        wn_sample_process *to = &taken->processes[i + 1];
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
    const wn_sample_world *a = one, *b = other;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_rate(const void *one, const void *other)
{
    const wn_sample_world *a = one, *b = other;
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

uint64_t wn_sample_elapsed_ms(const wn_sample *now, const wn_sample *before)
{
    return now->uptime_ms > before->uptime_ms ? now->uptime_ms - before->uptime_ms : 0;
}

static void take_worlds(wn_sample *taken, const wn_sample *before, const Warren__WorldList *list)
{
    taken->worlds = wn_ctl_allocate(list->n_worlds, sizeof *taken->worlds);
    taken->world_count = list->n_worlds;
    for (size_t i = 0; i < list->n_worlds; i++) {
        const Warren__WorldInfo *info = list->worlds[i];
        wn_sample_world *to = &taken->worlds[i];
        *to = (wn_sample_world){.id = info->id,
                                .players = info->players,
                                .max_players = info->max_players,
                                .turn = info->turn,
                                .rate = NAN};
        snprintf(to->name, sizeof to->name, "%s", info->name);
        snprintf(to->mode, sizeof to->mode, "%s", info->mode);
        const wn_sample_world *was =
            before->world_count > 0 ? bsearch(to, before->worlds, before->world_count, sizeof *to, by_id) : NULL;
        if (was != NULL) {
            to->rate = per_second(to->turn, was->turn, wn_sample_elapsed_ms(taken, before));
        }
    }
    if (taken->world_count > 0) {
        qsort(taken->worlds, taken->world_count, sizeof *taken->worlds, by_id);
    }
}

bool wn_sample_take(wn_ctl *ctl, const wn_sample *before, wn_sample *taken)
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

wn_sample_world *wn_sample_sorted(const wn_sample *now)
{
    wn_sample_world *sorted = wn_ctl_allocate(now->world_count, sizeof *sorted);
    if (now->world_count > 0) {
        memcpy(sorted, now->worlds, now->world_count * sizeof *sorted);
        qsort(sorted, now->world_count, sizeof *sorted, by_rate);
    }
    return sorted;
}

/* Of the same process: one that was started again begins at 0. */
double wn_sample_cpu_percent(const wn_sample *now, const wn_sample *before, size_t index)
{
    const wn_sample_process *of = &now->processes[index];
    const wn_sample_process *was = index < before->process_count ? &before->processes[index] : NULL;
    const bool same = was != NULL && was->pid == of->pid && strcmp(was->name, of->name) == 0;
    return !of->runs || (before->process_count > 0 && !same)
               ? NAN
               : per_second(of->cpu_us, same ? was->cpu_us : 0, wn_sample_elapsed_ms(now, before)) / 10000;
}

double wn_sample_turns(const wn_sample *now, const wn_sample *before, size_t index)
{
    const uint64_t was = index < before->process_count ? before->processes[index].turns : 0;
    return per_second(now->processes[index].turns, was, wn_sample_elapsed_ms(now, before));
}

/* Milliseconds of one, of those since the wn_sample before. */
double wn_sample_mean_ms(uint64_t us, uint64_t us_before, uint64_t count, uint64_t count_before)
{
    return count > count_before ? (double)(us - us_before) / 1000 / (double)(count - count_before) : NAN;
}

void wn_sample_rates(const wn_sample *now, const wn_sample *before, wn_sample_rate rates[WN_SAMPLE_RATES])
{
    const uint64_t ms = wn_sample_elapsed_ms(now, before);
    const wn_sample_rate all[WN_SAMPLE_RATES] = {
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
