/* options.c: what the command line asks for. See options.h; most of it is command-line.h's. */
#include "options.h"

static const char usage[] =
    "Usage: warren [OPTIONS] [SERVER|WORLD-URL]\n"
    "Play the worlds of a Warren daemon in a terminal.\n"
    "\n" WN_COMMAND_LINE_SERVER "\n"
    "What to do (by default a list of worlds is shown to choose from)\n" WN_COMMAND_LINE_WHAT
    "      --new-session       do not go on with the session of a warren that was killed\n"
    "  -l, --list              print the worlds and exit; if no server is named, also servers that are found on this\n"
    "                          network\n" WN_COMMAND_LINE_REPLAY
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

enum {
    OPTION_PRINT_KEYS = WN_OWN_OPTION,
    OPTION_ASCII,
    OPTION_COLOUR,
    OPTION_NO_COLOUR,
    OPTION_LABELS,
    OPTION_BELL,
    OPTION_NO_MOUSE
};

static const struct option table[] = {
    {"list", no_argument, NULL, 'l'},
    {"print-keys", required_argument, NULL, OPTION_PRINT_KEYS},
    {"ascii", no_argument, NULL, OPTION_ASCII},
    {"colour", required_argument, NULL, OPTION_COLOUR},
    {"color", required_argument, NULL, OPTION_COLOUR},
    {"no-colour", no_argument, NULL, OPTION_NO_COLOUR},
    {"no-color", no_argument, NULL, OPTION_NO_COLOUR},
    {"labels", no_argument, NULL, OPTION_LABELS},
    {"bell", no_argument, NULL, OPTION_BELL},
    {"no-mouse", no_argument, NULL, OPTION_NO_MOUSE},
    {NULL, 0, NULL, 0},
};

static int take_depth(wn_options *options, const char *text)
{
    if (wn_depth_parse(text, &options->depth)) {
        return -1;
    }
    return wn_command_line_complain("warren", "--colour needs auto, 24bit, 256, 16 or none, not \"%s\"", text);
}

static int take(void *context, int option, char *text)
{
    wn_options *options = context;
    switch (option) {
    case OPTION_COLOUR:
        return take_depth(options, text);
    case OPTION_NO_COLOUR:
        options->depth = WN_DEPTH_NONE;
        return -1;
    case OPTION_PRINT_KEYS:
        options->print_keys = text;
        options->line.elsewhere = true;
        return -1;
    case 'l':
        options->list = options->line.elsewhere = true;
        return -1;
    default:
        break;
    }
    bool *flag = option == OPTION_ASCII    ? &options->ascii
                 : option == OPTION_LABELS ? &options->names
                 : option == OPTION_BELL   ? &options->bell
                                           : &options->no_mouse;
    *flag = true;
    return -1;
}

int wn_options_parse(wn_options *options, int argc, char **argv)
{
    *options = (wn_options){.depth = WN_DEPTH_AUTO};
    const wn_own_options own = {
        .program = "warren", .usage = usage, .letters = "l", .table = table, .take = take, .context = options};
    return wn_command_line_parse(&options->line, argc, argv, &own);
}
