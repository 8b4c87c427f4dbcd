/* tool.h: what the subcommands of warren-polar share. Each is a row of the table in main.c. */
#ifndef POLAR_TOOL_H
#define POLAR_TOOL_H

#include "pack.h"

enum {
    EXIT_DONE = 0,
    EXIT_NOT_CLEARED = 1,
    EXIT_UNSOLVABLE = 1, /* proven */
    EXIT_UNKNOWN = 2,
    EXIT_USAGE = 64,
    EXIT_UNREADABLE = 69,
    EXIT_WRONG_PACK = 78
};

/* A file with its pack, for as long as the program runs. */
typedef struct tool_pack {
    const char *path;
    char *text;
    polar_pack pack;
} tool_pack;

/* 0, or the exit status, with a sentence printed. */
int tool_open(tool_pack *file, const char *path);
/* The level from its number, which counts from 1 as people do; 0 to count - 1. -1, with a sentence printed. */
int tool_level(const tool_pack *file, const char *number);

/* The subcommands: what follows their name; the exit status. */
int tool_show(int count, char **words);
int tool_play(int count, char **words);
int tool_solve(int count, char **words); /* in solve_tool.c */

#endif
