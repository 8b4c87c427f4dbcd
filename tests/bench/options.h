/* options.h: command lines of the bench programs: one table drives parsing, ranges and --help.
 */
#ifndef WARREN_BENCH_OPTIONS_H
#define WARREN_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wn_bench_option {
    const char *name;
    uint32_t *number; /* either a number from least to most ... */
    uint32_t least, most;
    const char **text; /* ... or a text */
    const char *help;
} wn_bench_option;

enum { WN_BENCH_OPTIONS = 16 };

/* What it has found goes where the table points to; what stands there before is the default. -1: go on. Otherwise end
 * with that status: help or version were asked for, or the line was wrong, which has been said. `table` ends with an
 * entry without name and has at most WN_BENCH_OPTIONS entries before it. */
int wn_bench_options_parse(const wn_bench_option *table, const char *program, const char *summary, int count,
                           char **words);
/* The command line that repeats the run, with the values as they are. */
void wn_bench_options_print(const wn_bench_option *table, const char *program);

#endif
