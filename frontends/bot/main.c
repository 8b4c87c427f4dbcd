/* main.c: warren-bot: plays as many players that nobody sits at. Options, and the world they play in. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "crowd.h"
#include "place.h"

enum { EXIT_SHORT = 1, EXIT_USAGE = 64, EXIT_UNAVAILABLE = 69 };
enum { MOST_BOTS = 10000 };

typedef enum print { PRINT_NONE, PRINT_SUMMARY, PRINT_VIEW, PRINT_UPDATES } print;

typedef struct options {
    const char *server, *world, *create, *player, *script;
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t setting_count;
    const wn_brain *brain; /* NULL: which one is not known yet */
    double count, rate, commands, turns, seconds, window, timeout;
    uint64_t seed;
    bool has_seed, brain_named, company, leash, watch, json, done;
    print print;
} options;

static void help(FILE *to)
{
    fputs("Usage: warren-bot [OPTION...]\n"
          "Joins a world as players that nobody sits at, and says what they saw.\n\n"
          "Where\n"
          "  -s, --server ADDRESS   as for warren; default: $WARREN_SERVER, else this machine's\n"
          "  -w, --world WORLD      play in that world (or name it at the end of ADDRESS)\n"
          "  -c, --create MODE      make a world and play in it\n"
          "      --set NAME=VALUE   a setting of the world that is made; may be given again\n"
          "Who\n"
          "  -n, --count N          this many players; default: 1\n"
          "      --name NAME        they are called NAME, NAME-2, NAME-3, ...; default: bot, or as the brain is\n"
          "      --brain BRAIN      who decides what they do; default: random, or script with --script\n",
          to);
    for (size_t i = 0; wn_brain_at(i) != NULL; i++) {
        fprintf(to, "                           %-6s  %s\n", wn_brain_at(i)->name, wn_brain_at(i)->summary);
    }
    fputs("                           auto    the one that knows the world's mode, else random\n"
          "      --company          play only while somebody else plays or watches\n"
          "      --watch            look, do not play\n"
          "What\n"
          "  -r, --rate R           commands a second, each; 0: as fast as --window lets it; default: 5\n"
          "      --commands N       stop after N commands each\n"
          "      --turns N          stop when the world has gone on by N turns\n"
          "      --seconds S        stop after S seconds\n"
          "      --script FILE      do what the file says (README.md has the words)\n"
          "      --window N         commands in flight, each; default: 1, and always 1 for otto, who looks first\n"
          "      --seed N           of all chance, the made world's too; default: another each time\n"
          "      --leash            leave when standard input ends: whoever started them is gone\n"
          "      --timeout SECONDS  for all to join, and for a lost connection to come back; default: 10\n"
          "Output\n"
          "      --print WHAT       none, summary, view (and the summary) or updates (and the summary)\n"
          "  -j, --json             the summary as one JSON value\n"
          "  -h, --help             this text\n"
          "  -V, --version          print the version\n\n"
          "SIGTERM and SIGINT end it: they leave the world.\n\n"
          "Exit status: 0 all joined and all they sent was executed (also if the world ended or was closed),\n"
          "1 not so, 64 wrong usage, 69 no server, its connection is gone, or the brain does not know the mode.\n",
          to);
}

static bool wrong(const char *option, const char *text, const char *expected)
{
    fprintf(stderr, "warren-bot: --%s %s: expected %s. See warren-bot --help.\n", option, text, expected);
    return false;
}

/* options */

/* Options that take a number: where it goes, and its range. */
static const struct {
    const char *name;
    size_t offset;
    double least, most;
} numbers[] = {
    {"count", offsetof(options, count), 1, MOST_BOTS},    {"rate", offsetof(options, rate), 0, 1e6},
    {"commands", offsetof(options, commands), 1, 1e15},   {"turns", offsetof(options, turns), 1, 1e15},
    {"seconds", offsetof(options, seconds), 0.001, 1e6},  {"window", offsetof(options, window), 1, WN_BOT_WINDOW},
    {"timeout", offsetof(options, timeout), 0.001, 3600},
};

static bool take_number(options *chosen, const char *name, char *text)
{
    size_t i = 0;
    while (strcmp(numbers[i].name, name) != 0) {
        i++;
    }
    char *end = NULL;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value >= numbers[i].least && value <= numbers[i].most)) {
        char range[64];
        snprintf(range, sizeof range, "a number from %g to %g", numbers[i].least, numbers[i].most);
        return wrong(name, text, range);
    }
    memcpy((char *)chosen + numbers[i].offset, &value, sizeof value);
    return true;
}

/* Options that take a text, kept as it is. */
static const struct {
    const char *name;
    size_t offset;
} texts[] = {
    {"server", offsetof(options, server)},
    {"world", offsetof(options, world)},
    {"create", offsetof(options, create)},
    {"script", offsetof(options, script)},
};

static bool take_text(options *chosen, const char *name, char *text)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i].name, name) == 0) {
            memcpy((char *)chosen + texts[i].offset, &text, sizeof text);
        }
    }
    return true;
}

static bool take_seed(options *chosen, const char *name, char *text)
{
    char *end = NULL;
    errno = 0;
    chosen->seed = strtoull(text, &end, 0);
    chosen->has_seed = true;
    return (*text != '\0' && *text != '-' && *end == '\0' && errno == 0) ||
           wrong(name, text, "a number from 0 to 18446744073709551615");
}

static bool take_setting(options *chosen, const char *name, char *text)
{
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || chosen->setting_count == WN_CREATE_SETTINGS) {
        return wrong(name, text, "NAME=VALUE, at most 64 times");
    }
    *equals = '\0';
    Warren__SettingValue *setting = &chosen->settings[chosen->setting_count++];
    *setting = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
    setting->name = text;
    setting->value = equals + 1;
    return true;
}

static bool take_print(options *chosen, const char *name, char *text)
{
    static const char *const names[] = {"none", "summary", "view", "updates"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            chosen->print = (print)i;
            return true;
        }
    }
    return wrong(name, text, "none, summary, view or updates");
}

static bool take_player(options *chosen, const char *name, char *text)
{
    chosen->player = text;
    /* The highest number has to fit behind it. */
    return (wn_player_valid(text) && strlen(text) <= WN_NAME_BYTES - 6) ||
           wrong(name, text, "1 to 26 bytes that do not begin or end with a space");
}

static bool take_brain(options *chosen, const char *name, char *text)
{
    chosen->brain = wn_brain_find(text);
    chosen->brain_named = true;
    return chosen->brain != NULL || strcmp(text, "auto") == 0 || wrong(name, text, "otto, random, script or auto");
}

static bool take_company(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    chosen->company = true;
    return true;
}

static bool take_leash(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    chosen->leash = true;
    return true;
}

static bool take_watch(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    chosen->watch = true;
    return true;
}

static bool take_json(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    chosen->json = true;
    return true;
}

static bool take_help(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    help(stdout);
    return chosen->done = true;
}

static bool take_version(options *chosen, const char *name, char *text)
{
    (void)name, (void)text;
    puts("warren-bot " WARREN_VERSION);
    return chosen->done = true;
}

static const struct {
    const char *name;
    int letter; /* 0: none */
    int argument;
    bool (*take)(options *chosen, const char *name, char *text);
} table[] = {
    {"server", 's', required_argument, take_text},   {"world", 'w', required_argument, take_text},
    {"create", 'c', required_argument, take_text},   {"set", 0, required_argument, take_setting},
    {"count", 'n', required_argument, take_number},  {"name", 0, required_argument, take_player},
    {"brain", 0, required_argument, take_brain},     {"turns", 0, required_argument, take_number},
    {"company", 0, no_argument, take_company},       {"leash", 0, no_argument, take_leash},
    {"watch", 0, no_argument, take_watch},           {"rate", 'r', required_argument, take_number},
    {"commands", 0, required_argument, take_number}, {"seconds", 0, required_argument, take_number},
    {"script", 0, required_argument, take_text},     {"window", 0, required_argument, take_number},
    {"seed", 0, required_argument, take_seed},       {"timeout", 0, required_argument, take_number},
    {"print", 0, required_argument, take_print},     {"json", 'j', no_argument, take_json},
    {"help", 'h', no_argument, take_help},           {"version", 'V', no_argument, take_version},
};
enum { OPTIONS = sizeof table / sizeof *table, LONG_ONLY = 256 };

static bool parse_options(int count, char **words, options *chosen)
{
    struct option longs[OPTIONS + 1] = {0};
    char letters[2 * OPTIONS + 1] = "";
    size_t used = 0;
    for (int i = 0; i < OPTIONS; i++) {
        longs[i] = (struct option){table[i].name, table[i].argument, NULL, LONG_ONLY + i};
        if (table[i].letter != 0) {
            letters[used++] = (char)table[i].letter;
        }
        if (table[i].letter != 0 && table[i].argument == required_argument) {
            letters[used++] = ':';
        }
    }
    int option;
    while (!chosen->done && (option = getopt_long(count, words, letters, longs, NULL)) != -1) {
        int i = 0;
        while (i < OPTIONS && option != LONG_ONLY + i && option != table[i].letter) {
            i++;
        }
        if (i == OPTIONS) {
            fputs("warren-bot: See how it is used with: warren-bot --help\n", stderr);
            return false;
        }
        if (!table[i].take(chosen, table[i].name, optarg)) {
            return false;
        }
    }
    if (!chosen->done && optind < count) {
        fprintf(stderr, "warren-bot: \"%s\" does not belong to any option. See warren-bot --help.\n", words[optind]);
        return false;
    }
    return true;
}

/* preparations */

static int complain(const wn_error *error, int status)
{
    fprintf(stderr, "warren-bot: %s\n", error->text);
    return status;
}

static int read_script(const char *name, wn_script *script)
{
    wn_error error = {0};
    FILE *from = fopen(name, "re");
    if (from == NULL) {
        fprintf(stderr, "warren-bot: The script %s cannot be opened: %s.\n", name, strerror(errno));
        return EXIT_USAGE;
    }
    const bool right = wn_script_read(script, name, from, &error);
    fclose(from);
    return right ? 0 : complain(&error, EXIT_USAGE);
}

static int find_world(const options *chosen, wn_address *address, char *world)
{
    wn_error error = {0};
    if (!wn_address_parse(address, chosen->server, &error)) {
        return complain(&error, error.code == WARREN__ERROR_CODE__ERROR_NOT_FOUND ? EXIT_UNAVAILABLE : EXIT_USAGE);
    }
    const char *named = chosen->world != NULL ? chosen->world : address->world;
    if ((chosen->create != NULL) == (*named != '\0')) {
        fputs("warren-bot: Say where to play: either --world WORLD or --create MODE.\n", stderr);
        return EXIT_USAGE;
    }
    if (chosen->create == NULL && !wn_name_valid(named)) {
        fprintf(stderr, "warren-bot: \"%s\" cannot be the name of a world.\n", named);
        return EXIT_USAGE;
    }
    snprintf(world, WN_NAME_BYTES + 1, "%s", named);
    return 0;
}

/* Makes the world if there is none to play in, and finds out who can play it. */
static int prepare(options *chosen, const wn_address *address, char *world)
{
    const bool asks = chosen->brain == NULL || chosen->brain->fits != NULL;
    if (chosen->create == NULL && !asks) {
        return 0;
    }
    wn_error error = {0};
    wn_visit visit;
    const bool right =
        wn_visit_start(&visit, address, chosen->timeout, &error) &&
        (chosen->create == NULL || wn_visit_make_world(&visit, chosen->create, chosen->settings, chosen->setting_count,
                                                       chosen->seed, world, &error)) &&
        (!asks || wn_visit_choose_brain(&visit, world, &chosen->brain, &error));
    wn_visit_end(&visit);
    const bool unfit = error.code == WARREN__ERROR_CODE__ERROR_BAD_ACTION;
    const bool unavailable = unfit || error.code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    return right ? 0 : complain(&error, unavailable ? EXIT_UNAVAILABLE : EXIT_SHORT);
}

/* play */

static void report(const options *chosen, const wn_crowd *crowd)
{
    if (chosen->print == PRINT_VIEW && !chosen->json) {
        wn_crowd_views(crowd, stdout);
    }
    if (chosen->json) {
        wn_crowd_json(crowd, stdout);
    } else if (chosen->print != PRINT_NONE) {
        wn_crowd_summary(crowd, stdout);
    }
}

static int exit_status(const wn_crowd *crowd)
{
    if (wn_crowd_succeeded(crowd)) {
        return 0;
    }
    for (uint32_t i = 0; i < crowd->count; i++) {
        const wn_client_state state = wn_client_get_state(crowd->bots[i].client);
        if (state != WN_CLIENT_CONNECTING && state != WN_CLIENT_LOST) {
            return EXIT_SHORT;
        }
    }
    return EXIT_UNAVAILABLE;
}

static int play(const options *chosen, const wn_address *address, wn_crowd *crowd)
{
    wn_error error = {0};
    const char *player = chosen->player != NULL ? chosen->player : chosen->brain->player;
    if (!wn_crowd_start(crowd, address, player, (uint32_t)chosen->count, &error) || !wn_crowd_run(crowd, &error)) {
        return complain(&error, EXIT_UNAVAILABLE);
    }
    report(chosen, crowd);
    return exit_status(crowd);
}

static int run(options *chosen)
{
    if (!chosen->has_seed && getrandom(&chosen->seed, sizeof chosen->seed, 0) != sizeof chosen->seed) {
        chosen->seed = (uint64_t)wn_now_us();
    }
    wn_script script = {0};
    wn_address address;
    char world[WN_NAME_BYTES + 1] = "";
    int status = chosen->script != NULL ? read_script(chosen->script, &script) : 0;
    status = status == 0 ? find_world(chosen, &address, world) : status;
    status = status == 0 ? prepare(chosen, &address, world) : status;
    wn_crowd crowd = {.seed = chosen->seed,
                      .leash = chosen->leash ? STDIN_FILENO : -1,
                      .company = chosen->company,
                      .run_us = (int64_t)(chosen->seconds * 1e6),
                      .timeout_us = (int64_t)(chosen->timeout * 1e6)};
    crowd.plan = (wn_plan){.watch = chosen->watch,
                           .print_updates = chosen->print == PRINT_UPDATES && !chosen->json,
                           .window = (uint32_t)chosen->window,
                           .period_us = chosen->rate > 0 ? (int64_t)(1e6 / chosen->rate) : 0,
                           .patience_us = crowd.timeout_us,
                           .commands = (uint64_t)chosen->commands,
                           .turns = (uint64_t)chosen->turns,
                           .brain = chosen->brain,
                           .script = chosen->script != NULL ? &script : NULL};
    memcpy(crowd.plan.world, world, sizeof world);
    status = status == 0 ? play(chosen, &address, &crowd) : status;
    wn_crowd_free(&crowd);
    wn_script_free(&script);
    return status;
}

int main(int count, char **words)
{
    options chosen = {.count = 1, .rate = 5, .window = 1, .timeout = 10, .print = PRINT_SUMMARY};
    if (!parse_options(count, words, &chosen)) {
        return EXIT_USAGE;
    }
    if (chosen.done) {
        return 0;
    }
    if (!chosen.brain_named) {
        chosen.brain = chosen.script != NULL ? &wn_brain_script : &wn_brain_random;
    }
    if ((chosen.brain == &wn_brain_script) != (chosen.script != NULL)) {
        fputs("warren-bot: --script FILE and --brain script go together. See warren-bot --help.\n", stderr);
        return EXIT_USAGE;
    }
    const int status = run(&chosen);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "warren-bot: Not all of it could be printed: %s.\n", strerror(errno));
        return EXIT_SHORT;
    }
    return status;
}
