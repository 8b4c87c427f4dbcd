/* main.c: warrenctl: asks a daemon and tells it what to do, from a shell. Options only; commands.c has the commands. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "commands.h"
#include "complete.h"

enum { DEFAULT_TIMEOUT_MS = 3000, PATIENT_TIMEOUT_MS = 60000, LONGEST_TIMEOUT_S = 3600, SEATS = 64 };

static void help(FILE *to)
{
    fputs("Usage: warrenctl [OPTION...] COMMAND [ARGUMENT...]\n"
          "Asks a warrend and tells it what to do.\n\nCommands:\n",
          to);
    wn_ctl_list(to);
    fputs("  help\n        this text\n\n"
          "Options:\n"
          "  -s, --server ADDRESS   warren://HOST[:PORT][?key=KEY], tcp://HOST:PORT, ipc://PATH, or a directory with "
          "the\n"
          "                         daemon's sockets; default: $WARREN_SERVER, or else this machine's\n"
          "  -p, --player NAME      who to be; default: a guest\n"
          "  -j, --json             print one JSON value, for programs\n"
          "  -t, --timeout SECONDS  wait this long for the server and for each answer; default: 3, and 60 for\n"
          "                         answers to commands that may take long\n"
          "      --seed N           create: the seed of the world\n"
          "      --all              say: in every world; snapshot: of every world; recover: every world that waits\n"
          "                         for it\n"
          "      --for TIME         ban, kick: this long, as 30s, 15m, 2h or 7d; default: a ban is for good\n"
          "      --reason TEXT      ban, kick: why; the player is told\n"
          "      --mode-path DIRS   replay, verify: directories with modes, separated by colons; default: those of\n"
          "                         this build, or the installed ones\n"
          "      --turn N           replay: the turn to print, or with --speed to begin with\n"
          "      --speed X          replay: turn by turn, 8 * X a second (0.01 to 1000), or \"max\"; default: 1\n"
          "      --seat N           replay: what that seat saw\n"
          "      --spectator        replay: what spectators saw, which is the default\n"
          "      --count N          top: this many samples, a second apart\n"
          "      --now              drain: do not wait for players to leave\n"
          "      --undo             drain: stay open after all\n"
          "  -h, --help             this text\n"
          "  -V, --version          print the version\n\n"
          "Exit status: 0 done, 1 refused (verify, replay: damaged, diverged or failed), 64 usage error, 69 no\n"
          "server or no answer (verify, replay: no such mode), 75 refused for now: try again later, 77 not\n"
          "allowed.\n",
          to);
}

static bool wrong(const char *option, const char *text, const char *expected)
{
    fprintf(stderr, "warrenctl: --%s %s: expected %s.\n", option, text, expected);
    return false;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return *text != '\0' && *text != '-' && *end == '\0' && errno == 0 && *number <= most;
}

static bool parse_seed(const char *text, wn_ctl_options *chosen)
{
    return parse_number(text, UINT64_MAX, &chosen->seed) ||
           wrong("seed", text, "a number from 0 to 18446744073709551615");
}

static bool parse_turn(const char *text, wn_ctl_options *chosen)
{
    return parse_number(text, UINT64_MAX, &chosen->turn) || wrong("turn", text, "the number of a turn");
}

static bool parse_count(const char *text, wn_ctl_options *chosen)
{
    return (parse_number(text, UINT32_MAX, &chosen->samples) && chosen->samples > 0) ||
           wrong("count", text, "a number from 1 on");
}

static bool parse_seat(const char *text, wn_ctl_options *chosen)
{
    uint64_t seat;
    if (!parse_number(text, SEATS - 1, &seat)) {
        return wrong("seat", text, "the number of a seat, from 0 to 63");
    }
    chosen->seat = (uint32_t)seat;
    return true;
}

static bool parse_seconds(const char *text, double least, double most, double *number)
{
    char *end = NULL;
    *number = strtod(text, &end);
    return *text != '\0' && *end == '\0' && *number >= least && *number <= most;
}

static bool parse_speed(const char *text, wn_ctl_options *chosen)
{
    if (strcmp(text, "max") == 0) {
        chosen->speed = HUGE_VAL;
        return true;
    }
    return parse_seconds(text, 0.01, 1000, &chosen->speed) ||
           wrong("speed", text, "a number from 0.01 to 1000, or max");
}

static bool parse_timeout(const char *text, wn_ctl_options *chosen)
{
    double seconds;
    if (!parse_seconds(text, 0, LONGEST_TIMEOUT_S, &seconds)) {
        return wrong("timeout", text, "a number of seconds from 0 to 3600");
    }
    chosen->timeout_ms = (uint32_t)(seconds * 1000);
    chosen->has_timeout = true;
    return true;
}

static bool parse_mode_path(const char *text, wn_ctl_options *chosen)
{
    chosen->mode_path = text;
    return true;
}

static bool parse_for(const char *text, wn_ctl_options *chosen)
{
    return wn_ctl_duration(text, &chosen->seconds) || wrong("for", text, "a time like 30s, 15m, 2h or 7d");
}

static bool parse_reason(const char *text, wn_ctl_options *chosen)
{
    chosen->reason = text;
    return true;
}

/* Options that belong to certain commands. `parse` NULL: it takes no value. */
static const struct {
    const char *name;
    unsigned bit;
    bool (*parse)(const char *text, wn_ctl_options *chosen);
} special[] = {
    {"seed", WN_CTL_SEED, parse_seed},
    {"all", WN_CTL_ALL, NULL},
    {"mode-path", WN_CTL_MODE_PATH, parse_mode_path},
    {"turn", WN_CTL_TURN, parse_turn},
    {"speed", WN_CTL_SPEED, parse_speed},
    {"seat", WN_CTL_SEAT, parse_seat},
    {"spectator", WN_CTL_SPECTATOR, NULL},
    {"for", WN_CTL_FOR, parse_for},
    {"reason", WN_CTL_REASON, parse_reason},
    {"now", WN_CTL_NOW, NULL},
    {"undo", WN_CTL_UNDO, NULL},
    {"count", WN_CTL_COUNT, parse_count},
};
enum { SPECIAL = sizeof special / sizeof *special, GENERAL = 6, COMPLETE = 256, FIRST_SPECIAL };

/* Those of every command. --complete is not told: it is for the files in completion/. */
static const struct option general[GENERAL + 1] = {
    {"server", required_argument, NULL, 's'}, {"player", required_argument, NULL, 'p'},
    {"json", no_argument, NULL, 'j'},         {"timeout", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},         {"version", no_argument, NULL, 'V'},
    {"complete", no_argument, NULL, COMPLETE}};

static bool take_special(size_t which, const char *text, wn_ctl_options *chosen)
{
    chosen->given |= special[which].bit;
    return special[which].parse == NULL || special[which].parse(text, chosen);
}

static bool take_option(int option, const char *text, wn_ctl_options *chosen, bool *done)
{
    switch (option) {
    case 's':
        chosen->server = text;
        return true;
    case 'p':
        chosen->player = text;
        return true;
    case 'j':
        chosen->json = true;
        return true;
    case 't':
        return parse_timeout(text, chosen);
    case 'h':
        help(stdout);
        *done = true;
        return true;
    case 'V':
        puts("warrenctl " WARREN_VERSION);
        *done = true;
        return true;
    case COMPLETE:
        chosen->complete = true;
        return true;
    default:
        return option >= FIRST_SPECIAL && take_special((size_t)(option - FIRST_SPECIAL), text, chosen);
    }
}

static bool parse_options(int count, char **words, wn_ctl_options *chosen, bool *done)
{
    struct option longs[GENERAL + 1 + SPECIAL + 1] = {0};
    memcpy(longs, general, sizeof general);
    for (int i = 0; i < SPECIAL; i++) {
        longs[GENERAL + 1 + i] = (struct option){
            special[i].name, special[i].parse != NULL ? required_argument : no_argument, NULL, FIRST_SPECIAL + i};
    }
    int option;
    bool right = true;
    while (right && !*done && (option = getopt_long(count, words, "s:p:jt:hV", longs, NULL)) != -1) {
        right = take_option(option, optarg, chosen, done);
    }
    return right;
}

static int ask(const wn_ctl_command *command, wn_ctl *ctl, int count, char **words)
{
    const wn_ctl_options *options = ctl->options;
    int status = WN_EXIT_UNAVAILABLE;
    if (wn_session_open(&ctl->session, options->server, options->player, options->timeout_ms)) {
        ctl->session.timeout_ms = command->slow && !options->has_timeout ? PATIENT_TIMEOUT_MS : options->timeout_ms;
        ctl->session.goes_on = command->goes_on;
        status = command->run(ctl, count, words);
    } else {
        status = ctl->session.status;
    }
    wn_session_close(&ctl->session);
    return status;
}

static void complete(int count, char **words)
{
    wn_ctl_option all[GENERAL + SPECIAL];
    for (size_t i = 0; i < GENERAL; i++) {
        all[i] = (wn_ctl_option){general[i].name, 0, general[i].has_arg == required_argument};
    }
    for (size_t i = 0; i < SPECIAL; i++) {
        all[GENERAL + i] = (wn_ctl_option){special[i].name, special[i].bit, special[i].parse != NULL};
    }
    wn_ctl_complete(all, GENERAL + SPECIAL, count, words);
}

static int run(const wn_ctl_options *options, int count, char **words)
{
    if (options->complete) {
        complete(count, words);
        return WN_EXIT_DONE;
    }
    if (count == 0) {
        help(stderr);
        return WN_EXIT_USAGE;
    }
    if (strcmp(words[0], "help") == 0) {
        help(stdout);
        return WN_EXIT_DONE;
    }
    const wn_ctl_command *command = wn_ctl_find(words[0]);
    if (command == NULL) {
        fprintf(stderr, "warrenctl: There is no command \"%s\". See all with: warrenctl help\n", words[0]);
        return WN_EXIT_USAGE;
    }
    if (!wn_ctl_fits(command, count - 1, options->given)) {
        return WN_EXIT_USAGE;
    }
    wn_ctl ctl = {.options = options};
    return command->local ? command->run(&ctl, count - 1, words + 1) : ask(command, &ctl, count - 1, words + 1);
}

int main(int count, char **words)
{
    setlocale(LC_CTYPE, "");
    wn_ctl_options chosen = {.timeout_ms = DEFAULT_TIMEOUT_MS, .speed = 1};
    bool done = false;
    if (!parse_options(count, words, &chosen, &done)) {
        fputs("warrenctl: See how it is used with: warrenctl --help\n", stderr);
        return WN_EXIT_USAGE;
    }
    if (done) {
        return WN_EXIT_DONE;
    }
    const int status = run(&chosen, count - optind, words + optind);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "warrenctl: Not all of it could be printed: %s\n", strerror(errno));
        return status != WN_EXIT_DONE ? status : WN_EXIT_REFUSED;
    }
    return status;
}
