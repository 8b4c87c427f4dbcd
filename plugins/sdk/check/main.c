/* main.c: warren-mode-check: options, and the processes in which a mode is tried: watched, and told apart from their
 * end by what they have left in the page.
 */
#include "check.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* As sysexits.h has them. */
enum { CLEAN, FINDINGS, USAGE = 64, NO_INPUT = 66, UNAVAILABLE = 69, SYSTEM = 71 };
enum { MOST_CRASHES = 5 }; /* of one job */

static const char usage[] =
    "Usage: warren-mode-check [OPTION]... MODE.so\n"
    "Plays a game mode by itself and reports what breaks the promises of warren/mode.h.\n"
    "\n"
    "      --turns N         how many turns to play (600)\n"
    "      --seed N          of the first world, and of what its players do (1)\n"
    "      --players N       how many seats are played at most (6)\n"
    "      --set NAME=VALUE  a setting of the worlds, as often as needed. For a file: its name in the folder beside "
    "the\n"
    "                        mode, a path with a slash, or @random:N for nonsense\n"
    "      --patience N      seconds without a sign of life after which the mode hangs (10)\n"
    "      --json            the report for a program\n"
    "  -h, --help            show this and exit\n"
    "  -V, --version         show the version and exit\n"
    "\n"
    "Exit status: 0 nothing wrong was found, 1 there are findings, 64 wrong usage, 66 there is no such file, 69 it\n"
    "cannot be loaded, 71 the system gave no memory or no process.\n";

static int refuse(const char *sentence)
{
    fprintf(stderr, "warren-mode-check: %s\nTry 'warren-mode-check --help'.\n", sentence);
    return USAGE;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

static bool parse_count(const char *text, uint32_t most, uint32_t *number)
{
    uint64_t parsed;
    const bool good = parse_number(text, most, &parsed) && parsed > 0;
    *number = good ? (uint32_t)parsed : 0;
    return good;
}

static bool take_setting(check_options *chosen, const char *text)
{
    if (!strchr(text, '=') || strchr(text, '\n') || chosen->given_count == WN_MAX_SETTINGS) {
        return false;
    }
    chosen->given[chosen->given_count++] = text;
    return true;
}

static bool take(check_options *chosen, int option, const char *value)
{
    switch (option) {
    case 't':
        return parse_count(value, 10000000, &chosen->turns);
    case 's':
        return parse_number(value, UINT64_MAX, &chosen->seed);
    case 'p':
        return parse_count(value, WN_MAX_SEATS, &chosen->players);
    case 'w':
        return parse_count(value, 3600, &chosen->patience);
    case 'x':
        return take_setting(chosen, value);
    default:
        chosen->json = true;
        return option == 'j';
    }
}

/* -1: go on; else the exit status. */
static int parse_options(int count, char **arguments, check_options *chosen)
{
    static const struct option known[] = {{"turns", required_argument, NULL, 't'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"players", required_argument, NULL, 'p'},
                                          {"set", required_argument, NULL, 'x'},
                                          {"patience", required_argument, NULL, 'w'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "hV", known, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return CLEAN;
        }
        if (option == 'V') {
            puts("warren-mode-check " WARREN_VERSION);
            return CLEAN;
        }
        if (!take(chosen, option, optarg)) {
            return refuse("that option is not known, or its value is missing or out of range");
        }
    }
    if (count - optind != 1) {
        return refuse("exactly one mode is needed, as the path of its .so file");
    }
    chosen->path = arguments[optind];
    return -1;
}

/* children */

/* The child's part: loads the mode and does the job. */
static _Noreturn void serve(checker *check, job *work)
{
    wn_error error = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (work != job_descriptor) {
        begin_doing(check->page, TOPIC_DESCRIPTOR, "loading the mode");
        check->plugin = wn_plugin_open(check->options->path, &error);
        if (!check->plugin) {
            snprintf(check->page->trouble, sizeof check->page->trouble, "%s", error.text);
            _exit(EXIT_FAILURE);
        }
        check->mode = wn_plugin_descriptor(check->plugin);
        check->page->doing = NULL;
    }
    work(check);
    check->page->finished = true;
    _exit(EXIT_SUCCESS);
}

/* Waits until nobody holds the other end of `life` any more; a child that shows no sign of life is ended. true: it
 * hung. */
static bool await(check_page *page, pid_t child, int life, uint32_t patience, int *status)
{
    struct pollfd end = {.fd = life, .events = POLLIN};
    unsigned long beats = atomic_load(&page->beats);
    bool hung = false;
    while (!hung && poll(&end, 1, (int)patience * 1000) == 0) {
        const unsigned long now = atomic_load(&page->beats);
        hung = now == beats;
        beats = now;
    }
    if (hung) {
        kill(child, SIGKILL);
    }
    waitpid(child, status, 0);
    return hung;
}

/* What the mode was at when its process came to an untimely end. */
static void blame(check_page *page, bool hung, int status, uint32_t patience)
{
    char what[160];
    if (hung) {
        snprintf(what, sizeof what, "hangs: no sign of life for %u s", patience);
    } else if (WIFSIGNALED(status)) {
        snprintf(what, sizeof what, "crashed: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(what, sizeof what, "ended its process, with exit status %d", WEXITSTATUS(status));
    }
    found(page, page->doing ? page->doing_topic : page->topic,
          hung ? "A debugger shows where: gdb --args, with `set follow-fork-mode child`."
               : "A build with -g -fsanitize=address, or gdb with `set follow-fork-mode child`, "
                 "shows where.",
          "the mode %s, in %s%s%s", what, page->callback ? page->callback : "no callback",
          page->doing ? ", while " : "", page->doing ? page->doing : "");
}

/* true: the child came to the end of the job. */
static bool run(checker *check, job *work)
{
    check_page *page = check->page;
    int status = 0;
    page->finished = false;
    page->callback = NULL;
    page->doing = NULL;
    int life[2];
    fflush(NULL);
    const pid_t child = pipe(life) == 0 ? fork() : -1;
    if (child == 0) {
        close(life[0]);
        serve(check, work);
    }
    if (child < 0) {
        fprintf(stderr, "warren-mode-check: no process can be started: %s\n", strerror(errno));
        exit(SYSTEM);
    }
    close(life[1]);
    const bool hung = await(page, child, life[0], check->options->patience, &status);
    close(life[0]);
    if (!page->finished) {
        blame(page, hung, status, check->options->patience);
    }
    return page->finished;
}

static void give_settings(checker *check)
{
    char *text = check->page->settings;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < check->options->given_count && used < CHECK_SETTINGS; i++) {
        used +=
            (size_t)snprintf(text + used, CHECK_SETTINGS - used, "%s%s", i > 0 ? "\n" : "", check->options->given[i]);
    }
}

/* A job with steps goes on behind one that crashed. */
static bool run_steps(checker *check, check_topic topic, job *work)
{
    check->page->step = 0;
    for (int crashes = 0; crashes < MOST_CRASHES; crashes++) {
        check->page->topic = topic;
        give_settings(check);
        if (run(check, work)) {
            return crashes == 0;
        }
        check->page->step++;
    }
    return false;
}

static void run_all(checker *check)
{
    static const struct {
        check_topic topic;
        job *work;
    } rest[] = {{TOPIC_DETERMINISM, job_again},
                {TOPIC_SAVES, job_damage},
                {TOPIC_SETTINGS, job_settings},
                {TOPIC_MEMORY, job_scarce},
                {TOPIC_MEMORY, job_leaks}};
    check->page->topic = TOPIC_PLAY;
    give_settings(check);
    const bool played = run(check, job_play);
    check->page->checked[TOPIC_PLAY] = check->page->checked[TOPIC_DRAWING] = played;
    check->page->checked[TOPIC_TIME] = check->page->checked[TOPIC_WORK] = played;
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        /* Where play crashed, the same would crash again, but for other settings. */
        if (played || rest[i].topic == TOPIC_SETTINGS) {
            check->page->checked[rest[i].topic] = run_steps(check, rest[i].topic, rest[i].work);
        }
    }
}

/* What glibc keeps at hand for a thread counts as in use, and would look like a leak. */
static void begin_without_thread_cache(char **arguments)
{
    static const char name[] = "GLIBC_TUNABLES";
    if (!getenv(name)) {
        setenv(name, "glibc.malloc.tcache_count=0", 1);
        execv("/proc/self/exe", arguments);
    }
}

int main(int count, char **arguments)
{
    begin_without_thread_cache(arguments);
    check_options chosen = {.seed = 1, .turns = 600, .players = 6, .patience = 10};
    const int early = parse_options(count, arguments, &chosen);
    if (early >= 0) {
        return early;
    }
    if (access(chosen.path, R_OK) != 0) {
        fprintf(stderr, "warren-mode-check: %s cannot be read: %s\n", chosen.path, strerror(errno));
        return NO_INPUT;
    }
    checker check = {.options = &chosen, .record = tmpfile()};
    check.page = mmap(NULL, sizeof *check.page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (check.page == MAP_FAILED || !check.record) {
        fprintf(stderr, "warren-mode-check: no memory or temporary file to be had: %s\n", strerror(errno));
        return SYSTEM;
    }
    run(&check, job_descriptor);
    if (check.page->trouble[0]) {
        fprintf(stderr, "warren-mode-check: %s\n", check.page->trouble);
        return UNAVAILABLE;
    }
    check.page->checked[TOPIC_DESCRIPTOR] = check.page->finished;
    if (check.page->playable) {
        run_all(&check);
    }
    (chosen.json ? report_json : report_text)(&chosen, check.page);
    return check.page->finding_count > 0 ? FINDINGS : CLEAN;
}
