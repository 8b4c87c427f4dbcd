/* main.c: warrenctl: asks a daemon and tells it what to do, from a shell. Options only; commands.c has the commands. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

enum { DEFAULT_TIMEOUT_MS = 3000, LONGEST_TIMEOUT_S = 3600 };

typedef struct options {
    const char *server, *player;
    uint32_t timeout_ms;
    bool json, all, has_seed, done;
    uint64_t seed;
} options;

static void help(FILE *to)
{
    fputs("Usage: warrenctl [OPTION...] COMMAND [ARGUMENT...]\n"
          "Asks a warrend and tells it what to do.\n\nCommands:\n",
          to);
    wn_ctl_list(to);
    fputs("  help\n        this text\n\n"
          "Options:\n"
          "  -s, --server ADDRESS   warren://HOST[:PORT], tcp://HOST:PORT, ipc://PATH, or a directory with the\n"
          "                         daemon's sockets; absent: $WARREN_SERVER, else this machine's\n"
          "  -p, --player NAME      who to be; absent: a guest\n"
          "  -j, --json             print one JSON value, for programs\n"
          "  -t, --timeout SECONDS  wait so long for the server and for each answer; absent: 3\n"
          "      --seed N           create: the seed of the world\n"
          "      --all              say: in every world\n"
          "  -h, --help             this text\n"
          "  -V, --version          print the version\n\n"
          "Exit status: 0 done, 1 refused by the server, 64 wrong usage, 69 no server, 77 not allowed.\n",
          to);
}

static bool parse_seed(const char *text, options *chosen)
{
    char *end = NULL;
    errno = 0;
    chosen->seed = strtoull(text, &end, 0);
    chosen->has_seed = true;
    if (*text == '\0' || *text == '-' || *end != '\0' || errno != 0) {
        fprintf(stderr, "warrenctl: --seed %s: a seed is a number from 0 to 18446744073709551615.\n", text);
        return false;
    }
    return true;
}

static bool parse_timeout(const char *text, options *chosen)
{
    char *end = NULL;
    const double seconds = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(seconds >= 0 && seconds <= LONGEST_TIMEOUT_S)) {
        fprintf(stderr, "warrenctl: --timeout %s: a timeout is a number of seconds from 0 to %d.\n", text,
                LONGEST_TIMEOUT_S);
        return false;
    }
    chosen->timeout_ms = (uint32_t)(seconds * 1000);
    return true;
}

static bool parse_options(int count, char **words, options *chosen)
{
    enum { SEED = 256, ALL };
    static const struct option longs[] = {{"server", required_argument, NULL, 's'},
                                          {"player", required_argument, NULL, 'p'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"timeout", required_argument, NULL, 't'},
                                          {"seed", required_argument, NULL, SEED},
                                          {"all", no_argument, NULL, ALL},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {0}};
    int option;
    bool right = true;
    while (right && (option = getopt_long(count, words, "s:p:jt:hV", longs, NULL)) != -1) {
        switch (option) {
        case 's':
            chosen->server = optarg;
            break;
        case 'p':
            chosen->player = optarg;
            break;
        case 'j':
            chosen->json = true;
            break;
        case 't':
            right = parse_timeout(optarg, chosen);
            break;
        case SEED:
            right = parse_seed(optarg, chosen);
            break;
        case ALL:
            chosen->all = true;
            break;
        case 'h':
            help(stdout);
            chosen->done = true;
            return true;
        case 'V':
            puts("warrenctl " WARREN_VERSION);
            chosen->done = true;
            return true;
        default:
            right = false;
        }
    }
    return right;
}

static int run(const options *chosen, int count, char **words)
{
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
    if (!wn_ctl_fits(command, count - 1, chosen->has_seed, chosen->all)) {
        return WN_EXIT_USAGE;
    }
    wn_ctl ctl = {.json = chosen->json, .all = chosen->all, .seed = chosen->has_seed ? &chosen->seed : NULL};
    int status = WN_EXIT_UNAVAILABLE;
    if (wn_session_open(&ctl.session, chosen->server, chosen->player, chosen->timeout_ms)) {
        status = command->run(&ctl, count - 1, words + 1);
    } else {
        status = ctl.session.status;
    }
    wn_session_close(&ctl.session);
    return status;
}

int main(int count, char **words)
{
    setlocale(LC_CTYPE, "");
    options chosen = {.timeout_ms = DEFAULT_TIMEOUT_MS};
    if (!parse_options(count, words, &chosen)) {
        fputs("warrenctl: See how it is used with: warrenctl --help\n", stderr);
        return WN_EXIT_USAGE;
    }
    if (chosen.done) {
        return WN_EXIT_DONE;
    }
    const int status = run(&chosen, count - optind, words + optind);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "warrenctl: Not all of it could be printed: %s\n", strerror(errno));
        return status != WN_EXIT_DONE ? status : WN_EXIT_REFUSED;
    }
    return status;
}
