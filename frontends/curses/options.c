/* options.c: what the command line asks for. See options.h. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static const char usage[] =
    "Usage: warren [OPTIONS] [SERVER|WORLD-URL]\n"
    "Play the worlds of a Warren daemon in a terminal.\n"
    "\n"
    "SERVER is a directory with the daemon's sockets, ipc://PATH, tcp://HOST:PORT or warren://HOST[:PORT][/WORLD].\n"
    "Without it: $WARREN_SERVER, $XDG_RUNTIME_DIR/warren, /run/warren, else this machine by tcp.\n"
    "\n"
    "What to do (by default a list of worlds is shown to choose from)\n"
    "  -s, --server=ADDRESS    the server, in one of the forms above\n"
    "  -w, --world=NAME        join this world at once\n"
    "      --watch             watch it instead of playing\n"
    "  -c, --create=MODE       create a world and join it; with\n"
    "      --set=NAME=VALUE      a setting (may be repeated)\n"
    "      --name=NAME           its name, else MODE and a number\n"
    "      --seed=NUMBER         its seed, else drawn by the server\n"
    "  -p, --player=NAME       your name (default: your login)\n"
    "      --new-session       do not go on with the session of a warren that was killed\n"
    "  -l, --list              print the worlds and exit\n"
    "      --replay=FILE       play a recording (made by: warrenctl export WORLD FILE); needs no server; with\n"
    "      --mode-path=DIRS      where its mode is (default: those of this build, or the installed ones)\n"
    "      --print-keys=MODE   print the keys of a mode as a key file and exit\n"
    "\n"
    "How it looks\n"
    "      --ascii             nothing outside of ASCII\n"
    "      --colour=DEPTH      auto, 24bit, 256, 16 or none (default auto; NO_COLOR is respected)\n"
    "      --no-colour         the same as --colour=none\n"
    "      --labels            show names on the map from the start\n"
    "      --bell              ring the bell for alerts\n"
    "      --no-mouse          leave the mouse to the terminal\n"
    "  -k, --keys=FILE         key file (default: $XDG_CONFIG_HOME/warren/keys.conf)\n"
    "\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "Exit status: 0, 1 for a recording that cannot be played, 64 for a usage error, 69 if the server (or a "
    "recording's\n"
    "mode) is not there or there is no terminal, 78 for a bad key file given with --keys.\n";

static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int complain(const char *format, ...)
{
    va_list arguments;
    fputs("warren: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry: warren --help\n", stderr);
    return EX_USAGE;
}

enum {
    OPTION_SET = 1000,
    OPTION_NAME,
    OPTION_SEED,
    OPTION_WATCH,
    OPTION_PRINT_KEYS,
    OPTION_REPLAY,
    OPTION_MODE_PATH,
    OPTION_ASCII,
    OPTION_COLOUR,
    OPTION_NO_COLOUR,
    OPTION_LABELS,
    OPTION_BELL,
    OPTION_NEW_SESSION,
    OPTION_NO_MOUSE,
    OPTION_VERSION
};

static const struct option table[] = {
    {"server", required_argument, NULL, 's'},
    {"world", required_argument, NULL, 'w'},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"create", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, OPTION_SET},
    {"name", required_argument, NULL, OPTION_NAME},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"player", required_argument, NULL, 'p'},
    {"list", no_argument, NULL, 'l'},
    {"print-keys", required_argument, NULL, OPTION_PRINT_KEYS},
    {"replay", required_argument, NULL, OPTION_REPLAY},
    {"mode-path", required_argument, NULL, OPTION_MODE_PATH},
    {"ascii", no_argument, NULL, OPTION_ASCII},
    {"colour", required_argument, NULL, OPTION_COLOUR},
    {"color", required_argument, NULL, OPTION_COLOUR},
    {"no-colour", no_argument, NULL, OPTION_NO_COLOUR},
    {"no-color", no_argument, NULL, OPTION_NO_COLOUR},
    {"labels", no_argument, NULL, OPTION_LABELS},
    {"bell", no_argument, NULL, OPTION_BELL},
    {"new-session", no_argument, NULL, OPTION_NEW_SESSION},
    {"no-mouse", no_argument, NULL, OPTION_NO_MOUSE},
    {"keys", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

typedef struct parsing {
    wn_options *options;
    const char *server, *new_name, *player;
} parsing;

static int take_setting(wn_options *options, char *text)
{
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return complain("--set needs NAME=VALUE, not \"%s\"", text);
    if (options->setting_count == WN_CREATE_SETTINGS)
        return complain("more than %d settings", WN_CREATE_SETTINGS);
    *equals = '\0';
    Warren__SettingValue *setting = &options->settings[options->setting_count++];
    warren__setting_value__init(setting);
    setting->name = text;
    setting->value = equals + 1;
    return -1;
}

static int take_seed(wn_options *options, const char *text)
{
    char *end;
    errno = 0;
    options->seed = strtoull(text, &end, 10);
    options->has_seed = true;
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-')
        return complain("--seed needs a number from 0 to 18446744073709551615, not \"%s\"", text);
    return -1;
}

static int take_depth(wn_options *options, const char *text)
{
    if (wn_depth_parse(text, &options->depth))
        return -1;
    return complain("--colour needs auto, 24bit, 256, 16 or none, not \"%s\"", text);
}

static int take_text(parsing *to, int option, char *text)
{
    switch (option) {
    case 's':
        to->server = text;
        return -1;
    case 'w':
        to->options->world = text;
        return -1;
    case 'c':
        to->options->create = text;
        return -1;
    case 'p':
        to->player = text;
        return -1;
    case 'k':
        to->options->keys = text;
        return -1;
    case OPTION_NAME:
        to->new_name = text;
        return -1;
    case OPTION_PRINT_KEYS:
        to->options->print_keys = text;
        return -1;
    case OPTION_REPLAY:
        to->options->replay = text;
        return -1;
    case OPTION_MODE_PATH:
        to->options->mode_path = text;
        return -1;
    case OPTION_SET:
        return take_setting(to->options, text);
    case OPTION_SEED:
        return take_seed(to->options, text);
    case OPTION_COLOUR:
        return take_depth(to->options, text);
    default:
        return EX_USAGE;
    }
}

static int take_option(parsing *to, int option, char *text)
{
    wn_options *options = to->options;
    bool *flag = option == 'l'                  ? &options->list
                 : option == OPTION_WATCH       ? &options->watch
                 : option == OPTION_ASCII       ? &options->ascii
                 : option == OPTION_LABELS      ? &options->names
                 : option == OPTION_BELL        ? &options->bell
                 : option == OPTION_NEW_SESSION ? &options->new_session
                 : option == OPTION_NO_MOUSE    ? &options->no_mouse
                                                : NULL;
    if (flag != NULL) {
        *flag = true;
        return -1;
    }
    if (option == 'h' || option == OPTION_VERSION) {
        fputs(option == 'h' ? usage : "warren " WARREN_VERSION "\n", stdout);
        return EX_OK;
    }
    if (option == OPTION_NO_COLOUR) {
        options->depth = WN_DEPTH_NONE;
        return -1;
    }
    if (option == '?') {
        fputs("Try: warren --help\n", stderr);
        return EX_USAGE;
    }
    return take_text(to, option, text);
}

static void find_player(wn_options *options, const char *given)
{
    const struct passwd *user;
    const char *name = given != NULL ? given : getenv("USER");
    if ((name == NULL || name[0] == '\0') && (user = getpwuid(getuid())) != NULL)
        name = user->pw_name;
    if (name != NULL && wn_player_valid(name)) /* without one the server gives a guest's */
        snprintf(options->player, sizeof options->player, "%s", name);
}

/* A directory that does not exist is where a daemon may be started later: that is no mistake on the command line. */
static bool is_not_there_yet(wn_options *options, const char *server, const wn_error *error)
{
    char path[sizeof options->address.control];
    return error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND && access(server, F_OK) != 0 &&
           snprintf(path, sizeof path, "%s/control", server) < (int)sizeof path &&
           wn_address_parse(&options->address, path, NULL);
}

static int check_replay(const parsing *to)
{
    const wn_options *options = to->options;
    if (options->replay == NULL)
        return complain("--mode-path is for recordings: it needs --replay FILE");
    if (to->server != NULL || options->world != NULL || options->create != NULL || options->watch || options->list ||
        options->print_keys != NULL)
        return complain("--replay plays a file: it cannot be combined with a server, a world or --list");
    return -1;
}

static int check(parsing *to)
{
    wn_options *options = to->options;
    wn_error error = {0};
    if (options->replay != NULL || options->mode_path != NULL)
        return check_replay(to);
    if (!wn_address_parse(&options->address, to->server, &error) && !is_not_there_yet(options, to->server, &error))
        return complain("%s", error.text);
    snprintf(options->shown_address, sizeof options->shown_address, "%s",
             to->server != NULL && to->server[0] != '\0' ? to->server : options->address.control);
    if (to->player != NULL && !wn_player_valid(to->player))
        return complain("--player needs one line of 1 to %d bytes that does not begin or end with a space, not \"%s\"",
                        WN_NAME_BYTES, to->player);
    if (options->create == NULL && (options->setting_count > 0 || to->new_name != NULL || options->has_seed))
        return complain("--set, --name and --seed describe a new world: they need --create MODE");
    if (options->create != NULL && options->world != NULL)
        return complain("--create makes a new world and --world joins one that is there: give one of them "
                        "(--name names the new one)");
    if (options->create != NULL && options->watch)
        return complain("--create joins the new world: it cannot be combined with --watch");
    if (options->create != NULL)
        options->world = to->new_name;
    else if (options->world == NULL && options->address.world[0] != '\0')
        options->world = options->address.world;
    if (to->new_name != NULL && !wn_name_valid(to->new_name))
        return complain("--name needs letters, digits, . _ and -, a letter or digit first, up to %d, not \"%s\"",
                        WN_NAME_BYTES, to->new_name);
    if (options->watch && options->world == NULL)
        return complain("--watch needs a world: --world NAME or warren://HOST/NAME");
    find_player(options, to->player);
    return -1;
}

int wn_options_parse(wn_options *options, int argc, char **argv)
{
    *options = (wn_options){.depth = WN_DEPTH_AUTO};
    parsing to = {.options = options};
    int option;
    while ((option = getopt_long(argc, argv, "s:w:c:p:lk:h", table, NULL)) != -1) {
        const int status = take_option(&to, option, optarg);
        if (status >= 0)
            return status;
    }
    if (optind < argc && to.server != NULL)
        return complain("the server is given twice: \"%s\" and \"%s\"", to.server, argv[optind]);
    if (optind < argc)
        to.server = argv[optind++];
    if (optind < argc)
        return complain("one server at most; \"%s\" is too much", argv[optind]);
    return check(&to);
}
