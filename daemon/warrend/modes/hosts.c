/* hosts.c: the processes that run the worlds of modes: started, heard, written to, watched, stopped. See hosts.h. What
 * their answers mean is turns.c's and loading.c's part; when one is started again is modes-restarts.c's.
 */
#include "modes/hosts.h"

#include <errno.h>

#include "modes/mode-log.h"
#include "modes/modes.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

enum {
    READ_BYTES = 256 << 10,
    ARENA_BYTES = 2 * WN_ARENA_FRAME /* of a host's answers in a pass: whoever says more is at fault, nobody else */
};

/* its end */

static void stop_timers(wn_mode_host *host)
{
    wn_timer_stop(host->watchdog);
    wn_timer_stop(host->idle);
}

/* After its socket closed, or it was found hanging. What is to be done then is done when it is gone. */
static void end_process(wn_installed_mode *mode, const char *why)
{
    stop_timers(&mode->host);
    wn_host_process_end(&mode->host.process, why);
}

static void process_failed(void *context, const char *what, const char *detail)
{
    char why[WN_TEXT_BYTES];
    if (what != NULL) {
        snprintf(why, sizeof why, "%s: %.300s", what, detail);
    }
    end_process(context, what != NULL ? why : NULL);
}

static void process_gone(void *context, const wn_host_process_ending *end)
{
    wn_installed_mode *mode = context;
    wn_mode_host *host = &mode->host;
    const bool expected = host->stopping || mode->given_up;
    stop_timers(host);
    host->outstanding = 0;
    host->stopping = false;
    host->state = WN_HOST_STOPPED;
    if (expected) {
        wn_log_line(WN_LEVEL_DEBUG, "host", "stopped mode=%s pid=%d", mode->name, (int)end->pid);
        wn_mode_host_stopped(mode);
    } else {
        wn_log_line(WN_LEVEL_WARNING, "host", "died: %s mode=%s pid=%d world=%u", end->why, mode->name, (int)end->pid,
                    end->world);
        wn_mode_host_died(mode, end);
    }
}

void wn_host_abandon(wn_installed_mode *mode)
{
    mode->host.state = WN_HOST_STOPPED;
    if (mode->host.process.pid != 0) {
        end_process(mode, NULL);
    }
}

void wn_host_kill(wn_installed_mode *mode)
{
    stop_timers(&mode->host);
    mode->host.outstanding = 0;
    wn_host_process_kill(&mode->host.process);
}

/* watching */

static void watchdog_bites(void *context)
{
    wn_installed_mode *mode = context;
    const wn_mode_host *host = &mode->host;
    const uint64_t now = wn_loop_now_ms(mode->daemon->loop);
    const uint64_t limit = mode->daemon->config->turn_limit_ms;
    if (host->outstanding == 0 || host->process.pid == 0 || host->process.end.begun) {
        return;
    }
    if (now - host->progress_ms >= limit) {
        char why[96];
        snprintf(why, sizeof why, "no answer for %llu ms (hosts.turn_limit_ms)", (unsigned long long)limit);
        end_process(mode, why);
        return;
    }
    wn_timer_set(host->watchdog, limit - (now - host->progress_ms));
}

/* Its end is the answer: one that does not come to it is killed like any that hangs. */
static void ask_to_stop(wn_installed_mode *mode)
{
    Warren__Host__Stop stop = WARREN__HOST__STOP__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_STOP;
    message.stop = &stop;
    mode->host.stopping = true;
    wn_host_send(mode, &message, true);
}

static void idle_over(void *context)
{
    wn_installed_mode *mode = context;
    if (mode->game_count == 0 && mode->host.state == WN_HOST_READY && !mode->host.process.end.begun) {
        ask_to_stop(mode);
    }
}

/* hearing */

/* Once for each thing, not for each host. */
static void log_lacking(wn_daemon *daemon, wn_blame *blame)
{
    static const wn_lacking all[] = {WN_LACKING_SECCOMP, WN_LACKING_LANDLOCK, WN_LACKING_UNINSTRUMENTED};
    const uint32_t news = atomic_load(&blame->lacking) & ~daemon->sandbox_lacks;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if ((news & all[i]) != 0) {
            wn_log_line(WN_LEVEL_WARNING, "host",
                        "the sandbox of modes is not whole: %s; hosts.sandbox = require "
                        "does without modes instead",
                        wn_lacking_text(all[i]));
        }
    }
    daemon->sandbox_lacks |= news;
}

static void take_ready(wn_installed_mode *mode, const Warren__Host__Ready *ready)
{
    wn_mode_host *host = &mode->host;
    host->outstanding--;
    host->progress_ms = wn_loop_now_ms(mode->daemon->loop);
    if (!wn_mode_describe(mode, ready)) {
        return;
    }
    log_lacking(mode->daemon, host->process.blame);
    if (strcmp(mode->descriptor->name, mode->name) != 0) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "%.200s holds a mode named %s; name the file %s.so", mode->path,
                 mode->descriptor->name, mode->descriptor->name);
        wn_mode_give_up(mode, reason);
        return;
    }
    host->state = WN_HOST_READY;
    wn_log_line(WN_LEVEL_INFO, "host", "ready mode=%s version=%s pid=%d", mode->name,
                mode->descriptor->version != NULL ? mode->descriptor->version : "?", (int)host->process.pid);
    if (mode->game_count == 0) {
        wn_host_set_idle(mode, true);
    }
    wn_loading_go_on(mode);
}

static void take_log(const wn_installed_mode *mode, const Warren__Host__LogLine *line)
{
    static const wn_level levels[] = {WN_LEVEL_ERROR, WN_LEVEL_WARNING, WN_LEVEL_INFO, WN_LEVEL_DEBUG};
    wn_mode_log_line(mode->log, levels[line->level], line->text, line->world);
}

static bool take_answer(wn_installed_mode *mode, Warren__Host__FromHost *message)
{
    wn_error error;
    if (wn_turns_answer(mode, message, &error)) {
        return true;
    }
    end_process(mode, error.text);
    return false;
}

/* One message of a host. false: the host is no longer to be heard. */
static bool take_message(void *context, Warren__Host__FromHost *message)
{
    wn_installed_mode *mode = context;
    switch (message->body_case) {
    case WARREN__HOST__FROM_HOST__BODY_READY:
        if (mode->host.state != WN_HOST_STARTING) {
            return true; /* said once */
        }
        take_ready(mode, message->ready);
        return mode->host.state == WN_HOST_READY;
    case WARREN__HOST__FROM_HOST__BODY_REFUSED:
        wn_mode_give_up(mode, message->refused->text);
        return false;
    case WARREN__HOST__FROM_HOST__BODY_LOG:
        take_log(mode, message->log);
        return true;
    case WARREN__HOST__FROM_HOST__BODY_UPDATE:
        return take_answer(mode, message);
    default:
        if (mode->host.state != WN_HOST_READY) {
            return true; /* nothing was asked: what is awaited is its Ready */
        }
        if (mode->host.outstanding > 0) {
            mode->host.outstanding--;
        }
        mode->host.progress_ms = wn_loop_now_ms(mode->daemon->loop);
        return take_answer(mode, message);
    }
}

/* writing */

void wn_hosts_forget_answers(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_host_process_forget(&daemon->modes[i]->host.process);
    }
}

void wn_hosts_flush(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_host_process *process = &daemon->modes[i]->host.process;
        if (process->out.size > 0 && !process->writing) {
            wn_host_process_flush(process);
        }
    }
}

/* The watchdog is set once a busy time and looks at the progress when it comes, so that a turn costs it nothing. */
static void expect_answer(wn_installed_mode *mode)
{
    wn_mode_host *host = &mode->host;
    if (host->outstanding++ == 0) {
        host->progress_ms = wn_loop_now_ms(mode->daemon->loop);
        if (!wn_timer_armed(host->watchdog)) {
            wn_timer_set(host->watchdog, mode->daemon->config->turn_limit_ms);
        }
    }
}

void wn_host_send(wn_installed_mode *mode, const Warren__Host__ToHost *message, bool answered)
{
    if (mode->host.process.pid == 0) {
        return;
    }
    wn_frame_append(&mode->host.process.out, &message->base);
    if (answered) {
        expect_answer(mode);
    }
}

wn_buffer *wn_host_begin(wn_installed_mode *mode)
{
    mode->host.frame = wn_frame_begin(&mode->host.process.out);
    return &mode->host.process.out;
}

void wn_host_end(wn_installed_mode *mode)
{
    wn_frame_end(&mode->host.process.out, mode->host.frame);
    expect_answer(mode);
}

/* starting and stopping */

/* Answers are held until they are in the store. */
static const wn_host_process_handlers handlers = {.read_bytes = READ_BYTES,
                                                  .arena_bytes = ARENA_BYTES,
                                                  .keeps = true,
                                                  .take = take_message,
                                                  .failed = process_failed,
                                                  .gone = process_gone};

void wn_host_init(wn_installed_mode *mode)
{
    wn_loop *loop = mode->daemon->loop;
    wn_host_process_init(&mode->host.process, mode->daemon, mode->path, mode->log, &handlers, mode);
    mode->host.watchdog = wn_timer_new(loop, watchdog_bites, mode);
    mode->host.idle = wn_timer_new(loop, idle_over, mode);
}

void wn_host_free(wn_installed_mode *mode)
{
    wn_host_process_free(&mode->host.process);
    wn_timer_free(mode->host.watchdog);
    wn_timer_free(mode->host.idle);
}

void wn_host_start(wn_installed_mode *mode)
{
    wn_mode_host *host = &mode->host;
    if (host->state != WN_HOST_STOPPED || mode->given_up) {
        return;
    }
    host->stopping = false;
    host->state = WN_HOST_STARTING;
    if (!wn_host_process_start(&host->process)) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "cannot start %.300s: %s (daemon.host_program names it)",
                 mode->daemon->config->host_program, strerror(errno));
        wn_mode_give_up(mode, reason);
        return;
    }
    expect_answer(mode);
    wn_log_line(WN_LEVEL_DEBUG, "host", "started mode=%s pid=%d", mode->name, (int)host->process.pid);
}

void wn_host_set_idle(wn_installed_mode *mode, bool idle)
{
    if (idle) {
        wn_timer_set(mode->host.idle, 1000ull * mode->daemon->config->idle_s);
    } else {
        wn_timer_stop(mode->host.idle);
    }
}

void wn_hosts_stop(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_installed_mode *mode = daemon->modes[i];
        if (mode->host.process.pid != 0 && !mode->host.stopping) {
            ask_to_stop(mode);
        }
    }
    wn_hosts_flush(daemon);
}

bool wn_hosts_stopped(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        if (daemon->modes[i]->host.process.pid != 0) {
            return false;
        }
    }
    return true;
}
