/* service.c: the daemon's messages to its service manager. See service.h.
 */
#include "operation/service.h"

#include <stdlib.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "worlds/loading.h"

enum { STATUS_MS = 1000 };

/* signs of life */

/* The event loop's own timer: a loop that hangs says nothing. Twice as often as asked for. */
static void alive(void *context)
{
    wn_daemon *daemon = context;
    sd_notify(0, "WATCHDOG=1");
    wn_timer_set(daemon->service.watchdog, daemon->service.watchdog_ms);
}

void wn_service_open(wn_daemon *daemon)
{
    uint64_t limit_us = 0;
    daemon->service.present = getenv("NOTIFY_SOCKET") != NULL;
    if (sd_watchdog_enabled(0, &limit_us) > 0) {
        daemon->service.watchdog_ms = limit_us / 2000 > 0 ? limit_us / 2000 : 1;
        daemon->service.watchdog = wn_timer_new(daemon->loop, alive, daemon);
        wn_timer_set(daemon->service.watchdog, 0);
    }
}

void wn_service_close(wn_daemon *daemon)
{
    wn_timer_free(daemon->service.watchdog);
    wn_timer_free(daemon->service.status);
}

/* readiness and status */

static size_t worlds_that_start(wn_daemon *daemon)
{
    size_t count = 0;
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        count += game->state == WN_GAME_STARTING ? 1 : 0;
    }
    return count;
}

/* Of many worlds, loading may take longer than a unit is given to start. */
static void tell_progress(wn_daemon *daemon)
{
    const size_t worlds = zhashx_size(daemon->games);
    sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%d000\nSTATUS=Loading worlds: %zu of %zu", 30 * STATUS_MS,
               worlds - worlds_that_start(daemon), worlds);
}

static void tell_status(const wn_daemon *daemon)
{
    const size_t worlds = zhashx_size(daemon->games);
    const char *trouble = daemon->commit_failing ? "Worlds pause, since the journal cannot be written, see the log; "
                          : daemon->set_aside != NULL ? "The store was damaged and is set aside, see the log; "
                                                      : "";
    sd_notifyf(0, "STATUS=%s%s %zu world%s to %u player%s", trouble,
               daemon->draining     ? "Closing; serving"
               : trouble[0] != '\0' ? "serving"
                                    : "Serving",
               worlds, worlds == 1 ? "" : "s", daemon->seats_taken, daemon->seats_taken == 1 ? "" : "s");
}

/* The pass that the timer makes is what says it. */
static void status_due(void *context)
{
    (void)context;
}

static void wait_to_tell(wn_daemon *daemon, uint64_t ms)
{
    if (daemon->service.status == NULL) {
        daemon->service.status = wn_timer_new(daemon->loop, status_due, daemon);
    }
    if (!wn_timer_armed(daemon->service.status)) {
        wn_timer_set(daemon->service.status, ms);
    }
}

/* Has anything changed that the status tells? Also the time from which it may be told is looked at: a busy server does
 * not say it every turn. */
static bool status_is_news(wn_daemon *daemon)
{
    const uint64_t since = wn_loop_now_ms(daemon->loop) - daemon->service.told_ms;
    if (daemon->service.worlds == zhashx_size(daemon->games) && daemon->service.seats == daemon->seats_taken &&
        daemon->service.draining == daemon->draining) {
        return false;
    }
    if (daemon->service.told_ms != 0 && since < STATUS_MS) {
        wait_to_tell(daemon, STATUS_MS - since);
        return false;
    }
    return true;
}

static void note_told(wn_daemon *daemon)
{
    daemon->service.told_ms = wn_loop_now_ms(daemon->loop);
    daemon->service.worlds = zhashx_size(daemon->games);
    daemon->service.seats = daemon->seats_taken;
    daemon->service.draining = daemon->draining;
}

static void become_ready(wn_daemon *daemon)
{
    const bool due = wn_loop_now_ms(daemon->loop) - daemon->service.told_ms >= STATUS_MS;
    if (wn_loading_done(daemon)) {
        daemon->service.ready = true;
        sd_notify(0, "READY=1");
        tell_status(daemon);
        note_told(daemon);
        return;
    }
    if (due) {
        tell_progress(daemon);
        daemon->service.told_ms = wn_loop_now_ms(daemon->loop);
    }
    wait_to_tell(daemon, STATUS_MS);
}

void wn_service_pass(wn_daemon *daemon)
{
    if (!daemon->service.present || !daemon->ready) {
        return;
    }
    if (!daemon->service.ready) {
        become_ready(daemon);
    } else if (status_is_news(daemon)) {
        tell_status(daemon);
        note_told(daemon);
    }
}

void wn_service_journal(wn_daemon *daemon)
{
    if (daemon->service.ready) {
        tell_status(daemon);
        note_told(daemon);
    }
}

/* reload and stop */

void wn_service_stopping(void)
{
    sd_notify(0, "STOPPING=1\nSTATUS=Saving worlds");
}

void wn_service_failed(const char *why)
{
    sd_notifyf(0, "STATUS=%s", why);
}

void wn_service_reloading(const wn_daemon *daemon)
{
    struct timespec now;
    if (daemon->service.ready) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu\nSTATUS=Reading the configuration",
                   (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000);
    }
}

void wn_service_reloaded(wn_daemon *daemon, const char *failure)
{
    if (!daemon->service.ready) {
        return;
    }
    sd_notify(0, "READY=1");
    if (failure != NULL) {
        sd_notifyf(0, "STATUS=Serving with the former configuration: %s", failure);
    } else {
        tell_status(daemon);
    }
    note_told(daemon);
}
