/* modes-restarts.c: when the host of a mode is started again, after a growing pause, and when the mode is given up on.
 * See modes.h. What becomes of its worlds is recovery.h's part.
 */
#include "modes/modes.h"

#include "modes/hosts.h"
#include "worlds/recovery.h"

enum { RESTART_MS = 100 }; /* before the second restart in a row; doubled for each further one */

/* giving up */

void wn_mode_give_up(wn_installed_mode *mode, const char *reason)
{
    mode->given_up = true;
    snprintf(mode->failure, sizeof mode->failure, "%s", reason);
    wn_timer_stop(mode->restart);
    wn_host_abandon(mode);
    wn_log_line(WN_LEVEL_ERROR, "host", "given up on mode %s: %s", mode->name, reason);
    wn_recovery_mode_given_up(mode);
}

static void start_anew(wn_installed_mode *mode)
{
    mode->again = false;
    mode->given_up = false;
    memset(mode->crashes_ms, 0, sizeof mode->crashes_ms);
    wn_recovery_mode_again(mode);
    wn_host_start(mode);
}

void wn_mode_try_again(wn_installed_mode *mode)
{
    if (mode->host.process.pid != 0) {
        mode->again = true; /* it was killed when it was given up on */
    } else {
        start_anew(mode);
    }
}

/* restarts */

/* More crashes within the window than allowed? */
static bool crashes_too_often(wn_installed_mode *mode)
{
    const wn_config *config = mode->daemon->config;
    const uint64_t now = wn_loop_now_ms(mode->daemon->loop);
    memmove(mode->crashes_ms + 1, mode->crashes_ms, sizeof mode->crashes_ms - sizeof mode->crashes_ms[0]);
    mode->crashes_ms[0] = now;
    const uint32_t allowed = config->restarts < WN_CRASHES_KEPT ? config->restarts : WN_CRASHES_KEPT - 1;
    const uint64_t earlier = mode->crashes_ms[allowed];
    return allowed == 0 || (earlier != 0 && now - earlier < 1000ull * config->restart_window_s);
}

static uint64_t restart_delay(const wn_installed_mode *mode)
{
    uint64_t delay = 0;
    for (size_t i = 1; i < WN_CRASHES_KEPT && mode->crashes_ms[i] != 0 &&
                       mode->crashes_ms[0] - mode->crashes_ms[i] < 1000ull * mode->daemon->config->restart_window_s;
         i++) {
        delay = delay == 0 ? RESTART_MS : delay * 2;
    }
    return delay < 10000 ? delay : 10000;
}

void wn_mode_restart_due(void *context)
{
    wn_installed_mode *mode = context;
    if (mode->host.state == WN_HOST_STOPPED && !mode->daemon->stopping) {
        wn_host_start(mode);
    }
}

void wn_mode_host_stopped(wn_installed_mode *mode)
{
    if (mode->given_up) {
        if (mode->again) {
            start_anew(mode);
        }
        return;
    }
    if (mode->game_count > 0 && !mode->daemon->stopping) {
        wn_recovery_host_died(mode, 0, false); /* worlds were made while it was on its way out */
        wn_host_start(mode);
    }
}

void wn_mode_host_died(wn_installed_mode *mode, const wn_host_process_ending *end)
{
    mode->restarts++;
    if (end->forbidden && mode->descriptor == NULL) {
        wn_mode_give_up(mode, end->why); /* it will not load the next time either */
    } else if (wn_recovery_host_died(mode, end->world, end->saving) && crashes_too_often(mode)) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "its host died more than %u times in %u seconds (the last time: %.400s)",
                 mode->daemon->config->restarts, mode->daemon->config->restart_window_s, end->why);
        wn_mode_give_up(mode, reason);
    } else if (mode->game_count > 0 || mode->descriptor == NULL) {
        wn_timer_set(mode->restart, restart_delay(mode));
    }
}
