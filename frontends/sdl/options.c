/* options.c: what the command line asks for. See options.h; most of it is command-line.h's. */
#include "options.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: warren-sdl [OPTIONS] [SERVER|WORLD-URL]\n"
    "Play the worlds of a Warren daemon in a window.\n"
    "\n" WN_COMMAND_LINE_SERVER "\n"
    "What to do (by default a list of worlds is shown to choose from)\n" WN_COMMAND_LINE_WHAT
    "      --new-session       do not go on with the session of a warren that was killed\n" WN_COMMAND_LINE_REPLAY "\n"
    "How it looks\n"
    "      --size=WIDTHxHEIGHT the window's size (default: as it was last time)\n"
    "      --full-screen       without a window\n"
    "      --font=FILE         write with this font (default: DejaVu, or what fontconfig has)\n"
    "      --tiles=DIR         tiles to use before all others: *.tiles files\n"
    "      --renderer=KIND     auto, accelerated or software (default auto)\n"
    "      --mute              no sound\n"
    "  -k, --keys=FILE         key file (default: $XDG_CONFIG_HOME/warren/keys.conf)\n"
    "\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "Exit status: 0, 1 for a recording that cannot be played, 64 for a usage error, 69 if the server (or a "
    "recording's\n"
    "mode) is not there or there is no display or font, 78 for a bad key file given with --keys.\n";

enum {
    OPTION_SIZE = WN_OWN_OPTION,
    OPTION_FULL_SCREEN,
    OPTION_FONT,
    OPTION_TILES,
    OPTION_RENDERER,
    OPTION_MUTE,
};

static const struct option table[] = {
    {"size", required_argument, NULL, OPTION_SIZE},
    {"full-screen", no_argument, NULL, OPTION_FULL_SCREEN},
    {"font", required_argument, NULL, OPTION_FONT},
    {"tiles", required_argument, NULL, OPTION_TILES},
    {"renderer", required_argument, NULL, OPTION_RENDERER},
    {"mute", no_argument, NULL, OPTION_MUTE},
    {NULL, 0, NULL, 0},
};

static int take_size(wn_options *options, const char *text)
{
    char end;
    if (sscanf(text, "%5dx%5d%c", &options->width, &options->height, &end) == 2 &&
        options->width >= WN_WINDOW_LEAST_WIDTH && options->height >= WN_WINDOW_LEAST_HEIGHT &&
        options->width <= WN_WINDOW_MOST && options->height <= WN_WINDOW_MOST) {
        return -1;
    }
    return wn_command_line_complain("warren-sdl", "--size needs WIDTHxHEIGHT, from %dx%d to %dx%d, not \"%s\"",
                                    WN_WINDOW_LEAST_WIDTH, WN_WINDOW_LEAST_HEIGHT, WN_WINDOW_MOST, WN_WINDOW_MOST,
                                    text);
}

static int take_rendering(wn_options *options, const char *text)
{
    static const char *const names[] = {
        [WN_RENDERING_ANY] = "auto", [WN_RENDERING_ACCELERATED] = "accelerated", [WN_RENDERING_SOFTWARE] = "software"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            options->rendering = (wn_rendering)i;
            return -1;
        }
    }
    return wn_command_line_complain("warren-sdl", "--renderer needs auto, accelerated or software, not \"%s\"", text);
}

static int take(void *context, int option, char *text)
{
    wn_options *options = context;
    switch (option) {
    case OPTION_SIZE:
        return take_size(options, text);
    case OPTION_RENDERER:
        return take_rendering(options, text);
    case OPTION_FONT:
        options->font = text;
        return -1;
    case OPTION_TILES:
        options->tiles = text;
        return -1;
    case OPTION_FULL_SCREEN:
        options->full_screen = true;
        return -1;
    default:
        options->mute = true;
        return -1;
    }
}

int wn_options_parse(wn_options *options, int argc, char **argv)
{
    *options = (wn_options){0};
    const wn_own_options own = {
        .program = "warren-sdl", .usage = usage, .letters = "", .table = table, .take = take, .context = options};
    return wn_command_line_parse(&options->line, argc, argv, &own);
}
