/* main.c: warrend: options, start, the end of each pass, stop. The parts it joins are listed in daemon.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "access/access.h"
#include "access/admission.h"
#include "access/names.h"
#include "daemon.h"
#include "memory.h"
#include "modes/hosts.h"
#include "modes/modes.h"
#include "network/activation.h"
#include "network/beacon.h"
#include "network/connections.h"
#include "network/control.h"
#include "network/descriptors.h"
#include "network/introduce.h"
#include "network/publish.h"
#include "operation/metrics.h"
#include "operation/reload.h"
#include "operation/service.h"
#include "operation/stop.h"
#include "requests/request.h"
#include "sessions/sessions.h"
#include "sessions/watchers.h"
#include "worlds/bots.h"
#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

enum { HOST_ARENA_BYTES = 512 << 20 /* inputs and answers to requests of a pass, as they are needed */ };

static const char usage[] =
    "usage: warrend [OPTION]...\n"
    "Hosts game worlds: loads modes, runs their worlds, publishes what changes.\n"
    "\n"
    "  -c, --config FILE        read FILE instead of " WARREN_CONFIG_FILE "\n"
    "                           ($CONFIGURATION_DIRECTORY/warren.conf if that variable is set)\n"
    "  -s, --set SECTION.KEY=VALUE\n"
    "                           set one key, over the file; may be repeated\n"
    "      --check-config       check the configuration and exit\n"
    "      --print-config       print the configuration in force, with every setting explained, and exit;\n"
    "                           defaults stand in comments\n"
    "  -h, --help               show this and exit\n"
    "  -V, --version            show the version and exit\n"
    "\n"
    "It stays in the foreground, logs to standard error, and stops cleanly on SIGTERM and SIGINT. SIGHUP has it read\n"
    "the configuration again: what --print-config marks (reload) takes effect, the rest at the next start.\n"
    "Exit status: 0 stopped as asked, 64 usage, 69 an address, the store or the disk is not available,\n"
    "78 the configuration or the server's key is wrong.\n";

/* options */

typedef struct options {
    const char *sets[64];
    wn_config_source source;
    bool check, print;
} options;

enum { OPTION_CHECK = 256, OPTION_PRINT };

/* Returns an exit status, or -1 to go on. */
static int parse_options(int count, char **arguments, options *given)
{
    static const struct option table[] = {
        {"config", required_argument, NULL, 'c'},
        {"set", required_argument, NULL, 's'},
        {"check-config", no_argument, NULL, OPTION_CHECK},
        {"print-config", no_argument, NULL, OPTION_PRINT},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    int option = 0;
    while ((option = getopt_long(count, arguments, "c:s:hV", table, NULL)) >= 0) {
        switch (option) {
        case 'c':
            given->source.file = optarg;
            break;
        case 's':
            if (given->source.set_count == sizeof given->sets / sizeof given->sets[0]) {
                fprintf(stderr, "warrend: --set can be given at most %zu times; use a configuration file\n",
                        given->source.set_count);
                return EX_USAGE;
            }
            given->sets[given->source.set_count++] = optarg;
            break;
        case OPTION_CHECK:
            given->check = true;
            break;
        case OPTION_PRINT:
            given->print = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return EX_OK;
        case 'V':
            puts("warrend " WARREN_VERSION);
            return EX_OK;
        default:
            fputs("Try \"warrend --help\".\n", stderr);
            return EX_USAGE;
        }
    }
    if (optind < count) {
        fprintf(stderr, "warrend: unexpected argument \"%s\"\nTry \"warrend --help\".\n", arguments[optind]);
        return EX_USAGE;
    }
    return -1;
}

/* signals */

static void stop(void *context, int signal)
{
    char why[32];
    snprintf(why, sizeof why, "signal=%s", sigabbrev_np(signal));
    wn_stop_begin(context, why);
}

static void reload(void *context, int signal)
{
    wn_daemon *daemon = context;
    wn_error error;
    (void)signal;
    if (!daemon->stopping) {
        wn_reload(daemon, &error);
    }
}

/* each pass */

static void fail(wn_daemon *daemon, int status, const char *text)
{
    wn_log_line(WN_LEVEL_ERROR, "daemon", "%s", text);
    wn_service_failed(text);
    daemon->exit_status = status;
    wn_loop_stop(daemon->loop);
}

static bool any_mode(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        if (!daemon->modes[i]->given_up) {
            return true;
        }
    }
    return false;
}

/* Serves as soon as every mode has said what it is; worlds come back one after the other, those first that somebody
 * waits for. */
static void maybe_ready(wn_daemon *daemon)
{
    wn_error error;
    if (!wn_modes_settled(daemon)) {
        return;
    }
    if (!any_mode(daemon)) {
        fail(daemon, EX_CONFIG, "no mode can be loaded; see the messages above");
        return;
    }
    if (!wn_control_bind(daemon, &error) || !wn_beacon_open(daemon, &error)) {
        fail(daemon, EX_UNAVAILABLE, error.text);
        return;
    }
    daemon->ready = true;
    wn_log_line(WN_LEVEL_INFO, "daemon", "ready worlds=%zu control=%s updates=%s", zhashx_size(daemon->games),
                daemon->config->control, daemon->config->updates);
}

/* Turns first, so that hosts work while the store writes; what the answers set free goes out in the same pass. */
static bool end_of_pass(void *context)
{
    wn_daemon *daemon = context;
    if (!daemon->stopping) {
        wn_turns_dispatch(daemon);
        wn_hosts_flush(daemon);
    }
    wn_turns_commit(daemon);
    if (daemon->stopping) {
        wn_stop_go_on(daemon);
        return false;
    }
    if (!daemon->ready) {
        maybe_ready(daemon);
    }
    wn_turns_dispatch(daemon);
    wn_hosts_flush(daemon);
    wn_request_save_pass(daemon);
    wn_drain_pass(daemon);
    wn_service_pass(daemon);
    return false;
}

/* The pass that the timer makes is what tries again. */
static void try_commit_again(void *context)
{
    (void)context;
}

/* start */

static bool make_directory(const char *path, wn_error *error)
{
    char *copy = wn_must_copy(path);
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); made; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) {
            *slash = '\0';
        }
        if (mkdir(copy, 0755) != 0 && errno != EEXIST) {
            made = wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "daemon", 0,
                                "cannot make the directory %.300s: %s; make it, or choose another (daemon.runtime_dir)",
                                copy, strerror(errno));
        }
        if (slash == NULL) {
            break;
        }
        *slash = '/';
    }
    free(copy);
    return made;
}

/* ZeroMQ takes an ipc address over from whoever serves there, so a lock tells whether someone does. It is held until
 * the process ends. */
static bool lock_runtime(const char *directory, wn_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/warrend.lock", directory);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "daemon", 0,
                            "cannot write in %.300s: %s; make it writable, or choose another (daemon.runtime_dir)",
                            directory, strerror(errno));
    }
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "daemon", 0,
                            "another warrend serves in %.300s: stop it, or choose another directory "
                            "(daemon.runtime_dir)",
                            directory);
    }
    return true;
}

static bool open_store(wn_daemon *daemon, wn_error *error)
{
    const wn_config *config = daemon->config;
    const wn_store_options how = {config->state_dir, config->durability, config->keep_history, config->scores};
    char set_aside[PATH_MAX] = "";
    daemon->store = wn_store_open(&how, set_aside, error);
    if (set_aside[0] != '\0') {
        daemon->set_aside = wn_must_copy(set_aside);
        wn_log_line(WN_LEVEL_ERROR, "store",
                    "the store was damaged and is kept as %s: an empty one is served, without bans and rights; "
                    "put a copy in its place to have them and the worlds again, see warrend(8)",
                    set_aside);
    }
    return daemon->store != NULL;
}

static bool open_parts(wn_daemon *daemon, wn_error *error)
{
    const wn_config *config = daemon->config;
    daemon->request_arena = wn_must(wn_arena_new(WN_ARENA_REQUEST));
    daemon->host_arena = wn_must(wn_arena_new(HOST_ARENA_BYTES));
    daemon->zmq = wn_must(zmq_ctx_new());
    zmq_ctx_set(daemon->zmq, ZMQ_MAX_SOCKETS, 64);
    daemon->loop = wn_loop_new(error);
    if (daemon->loop == NULL) {
        return false;
    }
    daemon->started_ms = wn_loop_now_ms(daemon->loop);
    daemon->commit_timer = wn_timer_new(daemon->loop, try_commit_again, daemon);
    daemon->backup.step = wn_timer_new(daemon->loop, wn_request_backup_step, daemon);
    wn_stop_open(daemon);
    wn_service_open(daemon);
    wn_activation_open(daemon);
    wn_directory_open(daemon);
    wn_sessions_open(daemon);
    wn_watchers_open(daemon);
    if (!make_directory(config->runtime_dir, error) || !lock_runtime(config->runtime_dir, error)) {
        return false;
    }
    if (!open_store(daemon, error)) {
        return false;
    }
    return wn_metrics_open(daemon, error) && wn_admission_open(daemon, error) && wn_introduce_open(daemon, error) &&
           wn_publish_open(daemon, error) && wn_control_open(daemon, error) &&
           wn_loop_add_signal(daemon->loop, SIGTERM, stop, daemon, error) &&
           wn_loop_add_signal(daemon->loop, SIGINT, stop, daemon, error) &&
           wn_loop_add_signal(daemon->loop, SIGHUP, reload, daemon, error);
}

static void close_parts(wn_daemon *daemon)
{
    wn_beacon_close(daemon);
    wn_metrics_close(daemon);
    wn_watchers_close(daemon);
    wn_sessions_close(daemon);
    wn_access_close(daemon);
    wn_names_close(daemon);
    wn_directory_close(daemon);
    wn_bots_close(daemon);
    wn_modes_free(daemon);
    wn_publish_close(daemon);
    wn_control_close(daemon);
    wn_activation_close(daemon);
    wn_introduce_close(daemon);
    wn_admission_close(daemon);
    wn_backup_free(daemon->backup.copy);
    wn_store_close(daemon->store);
    wn_service_close(daemon);
    wn_timer_free(daemon->commit_timer);
    wn_stop_close(daemon);
    wn_timer_free(daemon->backup.step);
    wn_loop_free(daemon->loop);
    zmq_ctx_term(daemon->zmq);
    wn_arena_free(daemon->request_arena);
    wn_arena_free(daemon->host_arena);
    wn_buffer_free(&daemon->reply);
    free(daemon->held);
    free(daemon->saving.waits);
    free(daemon->set_aside);
    free(daemon->parking);
}

static int run(wn_config *config, const wn_config_source *source)
{
    wn_daemon daemon = {.config = config, .source = source, .exit_status = EX_OK};
    wn_error error;
    wn_descriptors_open(config->sessions);
    wn_connections_open(wn_descriptors_limit());
    wn_connections_allow(config, wn_descriptors_for_connections());
    if (!open_parts(&daemon, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "daemon", "%s", error.text);
        wn_service_failed(error.text);
        close_parts(&daemon);
        return EX_UNAVAILABLE;
    }
    if (!wn_admission_key(&daemon, &error) || !wn_modes_find(&daemon, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "daemon", "%s", error.text);
        wn_service_failed(error.text);
        close_parts(&daemon);
        return error.code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE ? EX_UNAVAILABLE : EX_CONFIG;
    }
    if (!wn_loading_read_store(&daemon, &error) || !wn_names_open(&daemon, &error) ||
        !wn_access_open(&daemon, &error) || !wn_sessions_restore(&daemon, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "%s", error.text);
        wn_service_failed(error.text);
        close_parts(&daemon);
        return EX_UNAVAILABLE;
    }
    wn_loop_set_pass_end(daemon.loop, end_of_pass, &daemon);
    wn_hosts_flush(&daemon);
    wn_loop_run(daemon.loop);
    wn_log_line(WN_LEVEL_INFO, "daemon", "stopped");
    close_parts(&daemon);
    return daemon.exit_status;
}

static int print_config(const wn_config *config)
{
    wn_error error;
    if (!wn_config_print(config, stdout, &error)) {
        fprintf(stderr, "warrend: %s\n", error.text);
        return EX_UNAVAILABLE;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "warrend: cannot print the configuration: %s\n", strerror(errno));
        return EX_UNAVAILABLE;
    }
    return EX_OK;
}

int main(int count, char **arguments)
{
    options given = {.source.sets = given.sets};
    wn_config config;
    wn_error error;
    const int status = parse_options(count, arguments, &given);
    if (status >= 0) {
        return status;
    }
    if (!wn_config_load(&config, &given.source, &error) || (!given.print && !wn_config_check(&config, &error)) ||
        (given.check && !wn_admission_check_key(&config, &error))) {
        fprintf(stderr, "warrend: %s\n", error.text);
        if (!given.print && !given.check) {
            wn_service_failed(error.text);
        }
        wn_config_free(&config);
        return error.code == WARREN__ERROR_CODE__ERROR_MALFORMED ? EX_USAGE : EX_CONFIG;
    }
    int result = EX_OK;
    if (given.print) {
        result = print_config(&config);
    } else if (!given.check) {
        signal(SIGPIPE, SIG_IGN);
        wn_log_open(config.log_level);
        result = run(&config, &given.source);
    }
    wn_config_free(&config);
    return result;
}
