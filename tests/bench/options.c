/* options.c: command lines of the bench programs. It knows no option but --help and --version by name. */
#include "options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_USAGE = 64, FIRST = 256 };

static void help(const wn_bench_option *table, const char *program, const char *summary)
{
    printf("Usage: %s [OPTION...]\n%s\n\n", program, summary);
    for (const wn_bench_option *option = table; option->name != NULL; option++) {
        if (option->number != NULL) {
            printf("  --%s N\n        %s; %" PRIu32 " to %" PRIu32 ", absent: %" PRIu32 "\n", option->name,
                   option->help, option->least, option->most, *option->number);
        } else {
            printf("  --%s TEXT\n        %s%s%s\n", option->name, option->help,
                   *option->text != NULL ? "; absent: " : "", *option->text != NULL ? *option->text : "");
        }
    }
    puts("  --help\n        this text\n  --version\n        print the version\n\n"
         "Exit status: 0 measured, 1 something failed on the way, 64 wrong usage, 69 warrend could not be started.");
}

static bool take(const wn_bench_option *option, const char *program, const char *text)
{
    if (option->text != NULL) {
        *option->text = text;
        return true;
    }
    char *end = NULL;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || number < option->least || number > option->most) {
        fprintf(stderr, "%s: --%s %s: expected a number from %" PRIu32 " to %" PRIu32 ".\n", program, option->name,
                text, option->least, option->most);
        return false;
    }
    *option->number = (uint32_t)number;
    return true;
}

int wn_bench_options_parse(const wn_bench_option *table, const char *program, const char *summary, int count,
                           char **words)
{
    struct option longs[WN_BENCH_OPTIONS + 3] = {{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}};
    for (int i = 0; table[i].name != NULL; i++) {
        longs[i + 2] = (struct option){table[i].name, required_argument, NULL, FIRST + i};
    }
    int found;
    while ((found = getopt_long(count, words, "hV", longs, NULL)) != -1) {
        if (found == 'h') {
            help(table, program, summary);
            return EXIT_SUCCESS;
        }
        if (found == 'V') {
            printf("%s " WARREN_VERSION "\n", program);
            return EXIT_SUCCESS;
        }
        if (found < FIRST || !take(&table[found - FIRST], program, optarg)) {
            fprintf(stderr, "%s: See how it is used with: %s --help\n", program, program);
            return EXIT_USAGE;
        }
    }
    if (optind < count) {
        fprintf(stderr, "%s: \"%s\" does not belong to any option.\n", program, words[optind]);
        return EXIT_USAGE;
    }
    return -1;
}

void wn_bench_options_print(const wn_bench_option *table, const char *program)
{
    printf("%s", program);
    for (const wn_bench_option *option = table; option->name != NULL; option++) {
        if (option->number != NULL) {
            printf(" --%s %" PRIu32, option->name, *option->number);
        } else if (*option->text != NULL) {
            printf(" --%s '%s'", option->name, *option->text);
        }
    }
    putchar('\n');
}
