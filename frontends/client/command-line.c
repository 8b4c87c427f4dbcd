/* command-line.c: what the command lines of all frontends for people have in common. See command-line.h. */
#include "command-line.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "places.h"

enum {
    OPTION_SET = 1000,
    OPTION_NAME,
    OPTION_SEED,
    OPTION_WATCH,
    OPTION_ENTER,
    OPTION_REPLAY,
    OPTION_MODE_PATH,
    OPTION_NEW_SESSION,
    OPTION_VERSION,
    MOST_OPTIONS = 64
};

static const struct option common[] = {
    {"server", required_argument, NULL, 's'},
    {"world", required_argument, NULL, 'w'},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"enter", required_argument, NULL, OPTION_ENTER},
    {"create", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, OPTION_SET},
    {"name", required_argument, NULL, OPTION_NAME},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"player", required_argument, NULL, 'p'},
    {"replay", required_argument, NULL, OPTION_REPLAY},
    {"mode-path", required_argument, NULL, OPTION_MODE_PATH},
    {"new-session", no_argument, NULL, OPTION_NEW_SESSION},
    {"keys", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
};
enum { COMMON = sizeof common / sizeof *common };

typedef struct parsing {
    wn_command_line *line;
    const wn_own_options *own;
    const char *server, *new_name, *player;
} parsing;

#define complain(to, ...) wn_command_line_complain((to)->own->program, __VA_ARGS__)

int wn_command_line_complain(const char *program, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s: ", program);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry: %s --help\n", program);
    return EX_USAGE;
}

static int take_setting(const parsing *to, char *text)
{
    wn_command_line *line = to->line;
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return complain(to, "--set needs NAME=VALUE, not \"%s\"", text);
    }
    if (line->setting_count == WN_CREATE_SETTINGS) {
        return complain(to, "more than %d settings", WN_CREATE_SETTINGS);
    }
    *equals = '\0';
    Warren__SettingValue *setting = &line->settings[line->setting_count++];
    warren__setting_value__init(setting);
    setting->name = text;
    setting->value = equals + 1;
    return -1;
}

static int take_seed(const parsing *to, const char *text)
{
    char *end;
    errno = 0;
    to->line->seed = strtoull(text, &end, 10);
    to->line->has_seed = true;
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-') {
        return complain(to, "--seed needs a number from 0 to 18446744073709551615, not \"%s\"", text);
    }
    return -1;
}

static const char **place_of_text(parsing *to, int option)
{
    switch (option) {
    case 's':
        return &to->server;
    case 'w':
        return &to->line->world;
    case 'c':
        return &to->line->create;
    case 'p':
        return &to->player;
    case 'k':
        return &to->line->keys;
    case OPTION_ENTER:
        return &to->line->enter;
    case OPTION_NAME:
        return &to->new_name;
    case OPTION_REPLAY:
        return &to->line->replay;
    case OPTION_MODE_PATH:
        return &to->line->mode_path;
    default:
        return NULL;
    }
}

static int take_option(parsing *to, int option, char *text)
{
    const char **place = place_of_text(to, option);
    if (place != NULL) {
        *place = text;
        return -1;
    }
    switch (option) {
    case OPTION_SET:
        return take_setting(to, text);
    case OPTION_SEED:
        return take_seed(to, text);
    case OPTION_WATCH:
        to->line->watch = true;
        return -1;
    case OPTION_NEW_SESSION:
        to->line->new_session = true;
        return -1;
    case 'h':
        fputs(to->own->usage, stdout);
        return EX_OK;
    case OPTION_VERSION:
        printf("%s " WARREN_VERSION "\n", to->own->program);
        return EX_OK;
    case '?':
        fprintf(stderr, "Try: %s --help\n", to->own->program);
        return EX_USAGE;
    default:
        return to->own->take(to->own->context, option, text);
    }
}

/* checking */

static void find_player(wn_command_line *line, const char *given)
{
    const struct passwd *user;
    const char *name = given != NULL ? given : getenv("USER");
    if ((name == NULL || name[0] == '\0') && (user = getpwuid(getuid())) != NULL) {
        name = user->pw_name;
    }
    if (name != NULL && wn_player_valid(name)) { /* without one the server gives a guest's */
        snprintf(line->player, sizeof line->player, "%s", name);
    }
}

/* A directory that does not exist is where a daemon may be started later: that is no mistake on the command line. */
static bool is_not_there_yet(wn_command_line *line, const char *server, const wn_error *error)
{
    char path[sizeof line->address.control];
    return error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND && access(server, F_OK) != 0 &&
           snprintf(path, sizeof path, "%s/control", server) < (int)sizeof path &&
           wn_address_parse(&line->address, path, NULL);
}

static int check_replay(const parsing *to)
{
    const wn_command_line *line = to->line;
    if (line->replay == NULL) {
        return complain(to, "--mode-path is for recordings: it needs --replay FILE");
    }
    if (to->server != NULL || line->world != NULL || line->create != NULL || line->enter != NULL || line->watch ||
        line->elsewhere) {
        return complain(to, "--replay plays a file: it cannot be combined with a server, a world or --list");
    }
    return -1;
}

static int check_new_world(const parsing *to)
{
    const wn_command_line *line = to->line;
    if (line->create == NULL && (line->setting_count > 0 || to->new_name != NULL || line->has_seed)) {
        return complain(to, "--set, --name and --seed describe a new world: they need --create MODE");
    }
    if (line->create != NULL && line->world != NULL) {
        return complain(to, "--create makes a new world and --world joins one that is there: give one of them "
                            "(--name names the new one)");
    }
    if (line->create != NULL && line->watch) {
        return complain(to, "--create joins the new world: it cannot be combined with --watch");
    }
    if (to->new_name != NULL && !wn_name_valid(to->new_name)) {
        return complain(to, "--name needs letters, digits, . _ and -, a letter or digit first, up to %d, not \"%s\"",
                        WN_NAME_BYTES, to->new_name);
    }
    return -1;
}

static int check(const parsing *to)
{
    wn_command_line *line = to->line;
    wn_error error = {0};
    if (line->replay != NULL || line->mode_path != NULL) {
        return check_replay(to);
    }
    if (!wn_address_parse(&line->address, to->server, &error) && !is_not_there_yet(line, to->server, &error)) {
        return complain(to, "%s", error.text);
    }
    const char *usual = getenv("WARREN_SERVER");
    line->server_named = to->server != NULL || (usual != NULL && usual[0] != '\0');
    snprintf(line->shown_address, sizeof line->shown_address, "%s",
             to->server != NULL && to->server[0] != '\0' ? to->server : line->address.control);
    if (to->player != NULL && !wn_player_valid(to->player)) {
        return complain(to,
                        "--player needs one line of 1 to %d bytes that does not begin or end with a space, not \"%s\"",
                        WN_NAME_BYTES, to->player);
    }
    const int status = check_new_world(to);
    if (status >= 0) {
        return status;
    }
    if (line->create != NULL) {
        line->world = to->new_name;
    } else if (line->world == NULL && line->address.world[0] != '\0') {
        line->world = line->address.world;
    }
    if (line->watch && line->world == NULL) {
        return complain(to, "--watch needs a world: --world NAME or warren://HOST/NAME");
    }
    if (line->enter != NULL && (line->watch || (line->world == NULL && line->create == NULL))) {
        return complain(to, "--enter says how to play: it needs a world to join, by --world, --create or "
                            "warren://HOST/NAME, and no --watch");
    }
    find_player(line, to->player);
    return -1;
}

int wn_command_line_parse(wn_command_line *line, int argc, char **argv, const wn_own_options *own)
{
    struct option table[MOST_OPTIONS] = {0};
    char letters[64];
    size_t count = 0;
    *line = (wn_command_line){0};
    parsing to = {.line = line, .own = own};
    for (; own->table[count].name != NULL && count < MOST_OPTIONS - COMMON - 1; count++) {
        table[count] = own->table[count];
    }
    memcpy(table + count, common, sizeof common);
    snprintf(letters, sizeof letters, "s:w:c:p:k:h%s", own->letters);
    int option;
    while ((option = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        const int status = take_option(&to, option, optarg);
        if (status >= 0) {
            return status;
        }
    }
    if (optind < argc && to.server != NULL) {
        return complain(&to, "the server is given twice: \"%s\" and \"%s\"", to.server, argv[optind]);
    }
    if (optind < argc) {
        to.server = argv[optind++];
    }
    if (optind < argc) {
        return complain(&to, "one server at most; \"%s\" is too much", argv[optind]);
    }
    return check(&to);
}

bool wn_configuration_file(char *path, size_t size, const char *name)
{
    char folder[PATH_MAX];
    return wn_place_find(WN_PLACE_CONFIGURATION, folder, sizeof folder) &&
           snprintf(path, size, "%s/%s", folder, name) < (int)size;
}

int wn_command_line_read_keys(const wn_command_line *line, const char *program, wn_key_file *file)
{
    char path[PATH_MAX];
    if (line->keys == NULL) {
        if (wn_configuration_file(path, sizeof path, "keys.conf") && !wn_key_file_read(file, path) && errno != ENOENT) {
            fprintf(stderr, "%s: %s cannot be read (%s): the usual keys hold\n", program, path, strerror(errno));
        }
        return -1;
    }
    if (!wn_key_file_read(file, line->keys)) {
        fprintf(stderr, "%s: the key file %s cannot be read: %s\n", program, line->keys, strerror(errno));
        return EX_CONFIG;
    }
    for (size_t i = 0; i < file->problem_count; i++) {
        fprintf(stderr, "%s: %s\n", program, file->problems[i]);
    }
    return file->problem_count > 0 ? EX_CONFIG : -1;
}

void wn_die_of_signal(int signal_number)
{
    sigset_t set;
    if (signal_number == 0) {
        return;
    }
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}
