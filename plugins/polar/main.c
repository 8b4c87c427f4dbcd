/* main.c: warren-polar: looks at level packs of the mode polar, plays moves and solves levels, without a daemon. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name, *arguments, *help;
    int (*run)(int count, char **words);
} commands[] = {
    {"show", "PACK [LEVEL]", "list the levels of a pack, or print one", tool_show},
    {"play", "PACK LEVEL MOVES...", "play moves and print the board after them", tool_play},
    {"solve", "[--best] [--memory MIB] [--seconds N] [--width N] PACK [LEVEL]",
     "print moves that clear a level, or each level of a pack, with as few pushes as are found", tool_solve},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(FILE *to)
{
    fputs("Usage: warren-polar COMMAND ARGUMENT...\n"
          "Looks at level packs of the mode polar, without a daemon.\n\nCommands:\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %s %s\n        %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    }
    fputs(
        "\nPACK is a file, LEVEL a number from 1. MOVES are written as \"E3 S2 W2\": three times east, twice south,\n"
        "twice west, where a turn is a move as well; \"-\" reads them from standard input. Moves after the last\n"
        "heart are not played.\n\n"
        "Solving goes on until it is proven that fewer pushes cannot do it or that nothing can, but once there is a\n"
        "solution for at most 10 seconds: --seconds N changes that, --best lifts it. It takes up to 512 MiB of memory\n"
        "(--memory) and looks for a solution among the 1024 most promising boards of each push at first (--width),\n"
        "then among ever more. Ctrl-C ends it with what it knows.\n\n"
        "Options:\n"
        "  -h, --help     this text\n"
        "  -V, --version  print the version\n\n"
        "Exit status: 0 done, 1 not cleared, or proven that it cannot be, 2 solve does not know, 64 wrong usage,\n"
        "69 a file cannot be read, 78 there is a mistake in the pack.\n",
        to);
    return to == stdout ? EXIT_DONE : EXIT_USAGE;
}

int main(int count, char **words)
{
    const char *word = count > 1 ? words[1] : "";
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        return help(stdout);
    }
    if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
        puts("warren-polar " WARREN_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(word, commands[i].name) == 0) {
            return commands[i].run(count - 2, words + 2);
        }
    }
    if (*word != '\0') {
        fprintf(stderr, "warren-polar: there is no command %s; warren-polar --help lists them.\n", word);
        return EXIT_USAGE;
    }
    return help(stderr);
}
