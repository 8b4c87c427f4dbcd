/* hosts.c: modes and their host processes. See hosts.h. What their answers mean is turns.c's and loading.c's part.
 */
#include "hosts.h"

#include <dirent.h>
#include <errno.h>

#include "loading.h"
#include "memory.h"
#include "mode-files.h"
#include "mode-log.h"
#include "own-settings.h"
#include "recovery.h"
#include "settings.h"
#include "turns.h"
#include "worker.h"

enum {
    READ_BYTES = 256 << 10,
    ARENA_BYTES = 2 * WN_ARENA_FRAME, /* of a host's answers in a pass: whoever says more is at fault, nobody else */
    MODE_BYTES = 1 << 20, /* of a description: it is sent to whoever joins, and those of all modes in one list */
    RESTART_MS = 100      /* before the second restart in a row; doubled for each further one */
};

/* finding */

static void watchdog_bites(void *context);
static void restart_due(void *context);
static void idle_over(void *context);

static bool take_message(void *context, Warren__Host__FromHost *message);
static void process_failed(void *context, const char *what, const char *detail);
static void process_gone(void *context, const wn_process_end *end);

/* Answers are held until they are in the store. */
static const wn_process_use use = {.read_bytes = READ_BYTES,
                                   .arena_bytes = ARENA_BYTES,
                                   .keeps = true,
                                   .take = take_message,
                                   .failed = process_failed,
                                   .gone = process_gone};

static wn_installed_mode *host_new(wn_daemon *daemon, const char *name, const char *path)
{
    wn_installed_mode *host = wn_must_zero(1, sizeof *host);
    host->daemon = daemon;
    snprintf(host->name, sizeof host->name, "%s", name);
    host->path = wn_must_copy(path);
    host->log = wn_mode_log_new(daemon, host->name);
    wn_host_process_init(&host->process, daemon, host->path, host->log, &use, host);
    host->scores = wn_allowance_whole(wn_loop_now_ms(daemon->loop));
    host->watchdog = wn_timer_new(daemon->loop, watchdog_bites, host);
    host->restart = wn_timer_new(daemon->loop, restart_due, host);
    host->idle = wn_timer_new(daemon->loop, idle_over, host);
    return host;
}

static void add_host(wn_daemon *daemon, wn_installed_mode *host)
{
    daemon->hosts = wn_must_resize(daemon->hosts, (daemon->host_count + 1) * sizeof *daemon->hosts);
    daemon->hosts[daemon->host_count++] = host;
}

static void find_in(wn_daemon *daemon, const char *directory)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char name[WN_NAME_BYTES + 1];
        const char *file = entries[i]->d_name;
        const size_t length = strlen(file);
        if (length > 3 && length - 3 < sizeof name && strcmp(file + length - 3, ".so") == 0) {
            memcpy(name, file, length - 3);
            name[length - 3] = '\0';
            char *path = NULL;
            if (wn_hosts_lookup(daemon, name) == NULL && asprintf(&path, "%s/%s", directory, file) >= 0) {
                add_host(daemon, host_new(daemon, name, path));
            }
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void find_all(wn_daemon *daemon)
{
    char *directories = strdup(daemon->config->mode_path);
    char *rest = NULL;
    for (char *directory = strtok_r(directories, ":", &rest); directory != NULL;
         directory = strtok_r(NULL, ":", &rest)) {
        find_in(daemon, directory);
    }
    free(directories);
}

bool wn_hosts_find(wn_daemon *daemon, wn_error *error)
{
    find_all(daemon);
    if (daemon->host_count == 0) {
        return wn_fail_with(
            error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "hosts.mode_path", 0,
            "no mode found: there is no .so file in %.300s; install modes there or set daemon.mode_path",
            daemon->config->mode_path);
    }
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        wn_host_start(host);
    }
    return true;
}

wn_installed_mode *wn_hosts_lookup(wn_daemon *daemon, const char *mode)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        if (strcmp(host->name, mode) == 0) {
            return host;
        }
    }
    return NULL;
}

bool wn_hosts_settled(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        if (host->mode == NULL && host->state != WN_HOST_FAILED) {
            return false;
        }
    }
    return true;
}

/* giving up on it */

static void end_process(wn_installed_mode *host, const char *why);

static void give_up(wn_installed_mode *host, const char *reason)
{
    host->state = WN_HOST_FAILED;
    snprintf(host->failure, sizeof host->failure, "%s", reason);
    wn_timer_stop(host->restart);
    if (host->process.pid != 0) {
        end_process(host, NULL);
    }
    wn_log_line(WN_LEVEL_ERROR, "host", "given up on mode %s: %s", host->name, reason);
    wn_recovery_host_failed(host);
}

/* More crashes within the window than allowed? */
static bool crashes_too_often(wn_installed_mode *host)
{
    const wn_config *config = host->daemon->config;
    const uint64_t now = wn_loop_now_ms(host->daemon->loop);
    memmove(host->crashes_ms + 1, host->crashes_ms, sizeof host->crashes_ms - sizeof host->crashes_ms[0]);
    host->crashes_ms[0] = now;
    const uint32_t allowed = config->restarts < WN_CRASHES_KEPT ? config->restarts : WN_CRASHES_KEPT - 1;
    const uint64_t earlier = host->crashes_ms[allowed];
    return allowed == 0 || (earlier != 0 && now - earlier < 1000ull * config->restart_window_s);
}

static uint64_t restart_delay(const wn_installed_mode *host)
{
    uint64_t delay = 0;
    for (size_t i = 1; i < WN_CRASHES_KEPT && host->crashes_ms[i] != 0 &&
                       host->crashes_ms[0] - host->crashes_ms[i] < 1000ull * host->daemon->config->restart_window_s;
         i++) {
        delay = delay == 0 ? RESTART_MS : delay * 2;
    }
    return delay < 10000 ? delay : 10000;
}

/* the process is gone */

static void start_anew(wn_installed_mode *host)
{
    host->again = false;
    host->state = WN_HOST_STOPPED;
    memset(host->crashes_ms, 0, sizeof host->crashes_ms);
    wn_recovery_host_again(host);
    wn_host_start(host);
}

/* As it was asked to, or after it was given up on. */
static void ended_as_expected(wn_installed_mode *host, pid_t pid)
{
    host->stopping = false;
    wn_log_line(WN_LEVEL_DEBUG, "host", "stopped mode=%s pid=%d", host->name, (int)pid);
    if (host->state == WN_HOST_FAILED) {
        if (host->again) {
            start_anew(host);
        }
        return;
    }
    host->state = WN_HOST_STOPPED;
    if (host->game_count > 0 && !host->daemon->stopping) {
        wn_recovery_host_died(host, 0, false); /* worlds were made while it was on its way out */
        wn_host_start(host);
    }
}

static void stop_timers(wn_installed_mode *host)
{
    wn_timer_stop(host->watchdog);
    wn_timer_stop(host->idle);
}

static void process_gone(void *context, const wn_process_end *end)
{
    wn_installed_mode *host = context;
    stop_timers(host);
    host->outstanding = 0;
    if (host->stopping || host->state == WN_HOST_FAILED) {
        ended_as_expected(host, end->pid);
        return;
    }
    wn_log_line(WN_LEVEL_WARNING, "host", "died: %s mode=%s pid=%d world=%u", end->why, host->name, (int)end->pid,
                end->world);
    host->state = WN_HOST_STOPPED;
    host->restarts++;
    if (end->forbidden && host->mode == NULL) {
        give_up(host, end->why); /* it will not load the next time either */
    } else if (wn_recovery_host_died(host, end->world, end->saving) && crashes_too_often(host)) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "its host died more than %u times in %u seconds (the last time: %.400s)",
                 host->daemon->config->restarts, host->daemon->config->restart_window_s, end->why);
        give_up(host, reason);
    } else if (host->game_count > 0 || host->mode == NULL) {
        wn_timer_set(host->restart, restart_delay(host));
    }
}

/* After its socket closed, or it was found hanging. What is to be done then is done when it is gone. */
static void end_process(wn_installed_mode *host, const char *why)
{
    stop_timers(host);
    wn_host_process_end(&host->process, why);
}

static void process_failed(void *context, const char *what, const char *detail)
{
    char why[WN_TEXT_BYTES];
    if (what != NULL) {
        snprintf(why, sizeof why, "%s: %.300s", what, detail);
    }
    end_process(context, what != NULL ? why : NULL);
}

static void restart_due(void *context)
{
    wn_installed_mode *host = context;
    if (host->state == WN_HOST_STOPPED && !host->daemon->stopping) {
        wn_host_start(host);
    }
}

static void watchdog_bites(void *context)
{
    wn_installed_mode *host = context;
    const uint64_t now = wn_loop_now_ms(host->daemon->loop);
    const uint64_t limit = host->daemon->config->turn_limit_ms;
    if (host->outstanding == 0 || host->process.pid == 0 || host->process.end.begun) {
        return;
    }
    if (now - host->progress_ms >= limit) {
        char why[96];
        snprintf(why, sizeof why, "no answer for %llu ms (hosts.turn_limit_ms)", (unsigned long long)limit);
        end_process(host, why);
        return;
    }
    wn_timer_set(host->watchdog, limit - (now - host->progress_ms));
}

/* Its end is the answer: one that does not come to it is killed like any that hangs. */
static void ask_to_stop(wn_installed_mode *host)
{
    Warren__Host__Stop stop = WARREN__HOST__STOP__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_STOP;
    message.stop = &stop;
    host->stopping = true;
    wn_host_send(host, &message, true);
}

static void idle_over(void *context)
{
    wn_installed_mode *host = context;
    if (host->game_count == 0 && host->state == WN_HOST_READY && !host->process.end.begun) {
        ask_to_stop(host);
    }
}

/* talking */

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

static void log_missing_settings(const wn_installed_mode *host)
{
    char missing[WN_TEXT_BYTES];
    wn_own_name_missing(host->own_settings, missing, sizeof missing);
    if (missing[0] != '\0') {
        wn_log_line(WN_LEVEL_WARNING, "host",
                    "its worlds are without these settings of the server's: %s; it has its own by those names, or so "
                    "many that there is no room mode=%s",
                    missing, host->name);
    }
}

/* What the daemon relies on beyond the rules of the wire: warren-host holds its mode to the same, but it may be the
 * mode that speaks. */
static bool is_sound(const Warren__Mode *mode, wn_error *error)
{
    const size_t size = warren__mode__get_packed_size(mode);
    if (!mode->has_max_seats) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "max_seats", 0,
                            "it does not say how many can play in a world (max_seats)");
    }
    if (size > MODE_BYTES) {
        return wn_fail_with(
            error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "mode", MODE_BYTES,
            "its descriptor has %zu bytes when sent, of %d that it may: have fewer tiles, or shorter texts", size,
            MODE_BYTES);
    }
    return wn_settings_sound(mode, error);
}

static void take_ready(wn_installed_mode *host, const Warren__Host__Ready *ready)
{
    host->outstanding--;
    host->progress_ms = wn_loop_now_ms(host->daemon->loop);
    if (host->mode == NULL || strcmp(host->build, ready->build) != 0) {
        wn_error error;
        if (!is_sound(ready->mode, &error)) {
            give_up(host, error.text);
            return;
        }
        host->mode_encoded.size = 0;
        wn_mode_files_list(host, ready->mode, host->daemon->host_arena);
        host->own_settings = wn_own_add(ready->mode, host->daemon->host_arena);
        log_missing_settings(host);
        wn_encode(&host->mode_encoded, &ready->mode->base);
        Warren__Mode *mode = warren__mode__unpack(NULL, host->mode_encoded.size, host->mode_encoded.data);
        if (mode == NULL) {
            give_up(host, "out of memory for its description");
            return;
        }
        if (host->mode != NULL) {
            warren__mode__free_unpacked(host->mode, NULL);
        }
        host->mode = mode;
        snprintf(host->build, sizeof host->build, "%s", ready->build);
    }
    log_lacking(host->daemon, host->process.blame);
    if (strcmp(host->mode->name, host->name) != 0) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "%.200s holds a mode named %s; name the file %s.so", host->path,
                 host->mode->name, host->mode->name);
        give_up(host, reason);
        return;
    }
    host->state = WN_HOST_READY;
    wn_log_line(WN_LEVEL_INFO, "host", "ready mode=%s version=%s pid=%d", host->name,
                host->mode->version != NULL ? host->mode->version : "?", (int)host->process.pid);
    if (host->game_count == 0) {
        wn_timer_set(host->idle, 1000ull * host->daemon->config->idle_s);
    }
    wn_loading_go_on(host);
}

static void take_log(const wn_installed_mode *host, const Warren__Host__LogLine *line)
{
    static const wn_level levels[] = {WN_LEVEL_ERROR, WN_LEVEL_WARNING, WN_LEVEL_INFO, WN_LEVEL_DEBUG};
    wn_mode_log_line(host->log, levels[line->level], line->text, line->world);
}

static bool take_answer(wn_installed_mode *host, Warren__Host__FromHost *message)
{
    wn_error error;
    if (wn_turns_answer(host, message, &error)) {
        return true;
    }
    end_process(host, error.text);
    return false;
}

/* One message of a host. false: the host is no longer to be heard. */
static bool take_message(void *context, Warren__Host__FromHost *message)
{
    wn_installed_mode *host = context;
    switch (message->body_case) {
    case WARREN__HOST__FROM_HOST__BODY_READY:
        if (host->state != WN_HOST_STARTING) {
            return true; /* said once */
        }
        take_ready(host, message->ready);
        return host->state == WN_HOST_READY;
    case WARREN__HOST__FROM_HOST__BODY_REFUSED:
        give_up(host, message->refused->text);
        return false;
    case WARREN__HOST__FROM_HOST__BODY_LOG:
        take_log(host, message->log);
        return true;
    case WARREN__HOST__FROM_HOST__BODY_UPDATE:
        return take_answer(host, message);
    default:
        if (host->state != WN_HOST_READY) {
            return true; /* nothing was asked: what is awaited is its Ready */
        }
        if (host->outstanding > 0) {
            host->outstanding--;
        }
        host->progress_ms = wn_loop_now_ms(host->daemon->loop);
        return take_answer(host, message);
    }
}

void wn_hosts_forget_answers(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_host_process_forget(&daemon->hosts[i]->process);
    }
}

void wn_hosts_flush(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_host_process *process = &daemon->hosts[i]->process;
        if (process->out.size > 0 && !process->writing) {
            wn_host_process_flush(process);
        }
    }
}

/* The watchdog is set once a busy time and looks at the progress when it comes, so that a turn costs it nothing. */
static void expect_answer(wn_installed_mode *host)
{
    if (host->outstanding++ == 0) {
        host->progress_ms = wn_loop_now_ms(host->daemon->loop);
        if (!wn_timer_armed(host->watchdog)) {
            wn_timer_set(host->watchdog, host->daemon->config->turn_limit_ms);
        }
    }
}

void wn_host_send(wn_installed_mode *host, const Warren__Host__ToHost *message, bool answered)
{
    if (host->process.pid == 0) {
        return;
    }
    wn_frame_append(&host->process.out, &message->base);
    if (answered) {
        expect_answer(host);
    }
}

wn_buffer *wn_host_begin(wn_installed_mode *host)
{
    host->frame = wn_frame_begin(&host->process.out);
    return &host->process.out;
}

void wn_host_end(wn_installed_mode *host)
{
    wn_frame_end(&host->process.out, host->frame);
    expect_answer(host);
}

/* starting and stopping */

void wn_host_start(wn_installed_mode *host)
{
    if (host->state == WN_HOST_STARTING || host->state == WN_HOST_READY || host->state == WN_HOST_FAILED) {
        return;
    }
    host->stopping = false;
    host->state = WN_HOST_STARTING;
    if (!wn_host_process_start(&host->process)) {
        char reason[WN_TEXT_BYTES];
        snprintf(reason, sizeof reason, "cannot start %.300s: %s (daemon.host_program names it)",
                 host->daemon->config->host_program, strerror(errno));
        give_up(host, reason);
        return;
    }
    expect_answer(host);
    wn_log_line(WN_LEVEL_DEBUG, "host", "started mode=%s pid=%d", host->name, (int)host->process.pid);
}

void wn_hosts_look_again(wn_daemon *daemon)
{
    const size_t known = daemon->host_count;
    find_all(daemon);
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        if (i < known && host->state != WN_HOST_FAILED) {
            continue;
        }
        if (host->process.pid != 0) {
            host->again = true; /* it was killed when it was given up on */
        } else {
            start_anew(host);
        }
    }
}

void wn_host_add_game(wn_installed_mode *host, wn_game *game)
{
    WN_GROW(host->games, host->game_count, host->game_capacity);
    game->host_index = host->game_count;
    host->games[host->game_count++] = game;
    wn_timer_stop(host->idle);
}

void wn_host_remove_game(wn_installed_mode *host, wn_game *game)
{
    wn_game *last = host->games[--host->game_count];
    host->games[game->host_index] = last;
    last->host_index = game->host_index;
    if (game->host_index < host->load_next) {
        host->load_next = game->host_index;
    }
    if (host->game_count == 0) {
        wn_timer_set(host->idle, 1000ull * host->daemon->config->idle_s);
    }
}

void wn_hosts_stop(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        if (host->process.pid != 0 && !host->stopping) {
            ask_to_stop(host);
        }
    }
    wn_hosts_flush(daemon);
}

bool wn_hosts_stopped(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        if (host->process.pid != 0) {
            return false;
        }
    }
    return true;
}

void wn_hosts_kill(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        stop_timers(host);
        host->outstanding = 0;
        wn_host_process_kill(&host->process);
    }
}

void wn_hosts_free(wn_daemon *daemon)
{
    wn_hosts_kill(daemon);
    for (size_t i = 0; i < daemon->host_count; i++) {
        wn_installed_mode *host = daemon->hosts[i];
        wn_worker_free(host->worker);
        wn_timer_free(host->watchdog);
        wn_timer_free(host->restart);
        wn_timer_free(host->idle);
        wn_host_process_free(&host->process);
        wn_mode_log_free(host->log);
        free(host->games);
        free(host->wanted);
        if (host->mode != NULL) {
            warren__mode__free_unpacked(host->mode, NULL);
        }
        wn_buffer_free(&host->mode_encoded);
        free(host->path);
        free(host);
    }
    free(daemon->hosts);
    daemon->hosts = NULL;
    daemon->host_count = 0;
}
