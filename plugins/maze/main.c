/* main.c: warren-maze: prints a maze, for people who want just the generator. With a world's seed and settings it is
 * that world's first maze.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "print.h"

enum { EXIT_USAGE = 64, EXIT_UNAVAILABLE = 69, MOST_SCALE = 32 };

typedef struct options {
    uint32_t cells, hall, wall, heights, obstacles, scale;
    uint64_t seed;
    bool has_seed, done;
    uint32_t end, format;
    const char *output;
} options;

static const char *const ends[] = {"bottom", "side", "farthest"}; /* as maze_end */

static const struct {
    const char *name;
    bool (*print)(const struct printed_maze *printed, FILE *to);
} formats[] = {{"digits", print_digits}, {"glyphs", print_glyphs}, {"json", print_json}, {"png", print_png}};
enum { FORMATS = sizeof formats / sizeof formats[0], ENDS = sizeof ends / sizeof ends[0], PNG = FORMATS - 1 };

static void help(void)
{
    fputs(
        "Usage: warren-maze [OPTION...]\n"
        "Prints a maze. With a world's seed and settings: that world's first one.\n\n"
        "  -c, --cells N         cells of a side, 2 to 256; default: 10\n"
        "      --hall N          squares that a hall is wide, 1 to 8; default: 1\n"
        "      --wall N          squares that a wall is thick, 1 to 8; default: 1\n"
        "      --heights N       heights of walls, 1 to 9; default: 3\n"
        "      --obstacles N     percent of the cells off the way that hold a boulder; default: 5\n"
        "      --end WHERE       where the end is: bottom, side or farthest; default: bottom\n"
        "  -s, --seed N          of all chance; default: another each time, printed on standard error\n"
        "  -f, --format FORMAT   digits (rows of 0 open, 1 wall), glyphs, json or png; default: digits\n"
        "      --scale N         png: pixels that a square takes, 1 to 32; default: 8\n"
        "  -o, --output FILE     default: standard output\n"
        "  -h, --help            this text\n"
        "  -V, --version         print the version\n\n"
        "In json, an opening digit is the sum of 1 north, 2 east, 4 south, 8 west; a map digit is 0 where it is open,\n"
        "else the height of the wall; places are [x, y] in squares from the north-west.\n\n"
        "Exit status: 0 printed, 64 wrong usage, 69 it could not be written.\n",
        stdout);
}

static bool wrong(const char *option, const char *text, const char *expected)
{
    fprintf(stderr, "warren-maze: --%s %s: expected %s. See warren-maze --help.\n", option, text, expected);
    return false;
}

/* Digits only: no sign, no space. */
static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

static const struct {
    const char *name;
    size_t offset;
    uint32_t least, most;
} numbers[] = {
    {"cells", offsetof(options, cells), MAZE_MIN_CELLS, MAZE_MAX_CELLS},
    {"hall", offsetof(options, hall), 1, MAZE_MAX_WIDTH},
    {"wall", offsetof(options, wall), 1, MAZE_MAX_WIDTH},
    {"heights", offsetof(options, heights), 1, MAZE_MAX_HEIGHTS},
    {"obstacles", offsetof(options, obstacles), 0, 100},
    {"scale", offsetof(options, scale), 1, MOST_SCALE},
};

static bool take_number(options *chosen, const char *name, const char *text)
{
    size_t i = 0;
    while (strcmp(numbers[i].name, name) != 0) {
        i++;
    }
    uint64_t number;
    if (!parse_number(text, numbers[i].most, &number) || number < numbers[i].least) {
        char range[64];
        snprintf(range, sizeof range, "a whole number from %" PRIu32 " to %" PRIu32, numbers[i].least, numbers[i].most);
        return wrong(name, text, range);
    }
    const uint32_t value = (uint32_t)number;
    memcpy((char *)chosen + numbers[i].offset, &value, sizeof value);
    return true;
}

static bool take_seed(options *chosen, const char *name, const char *text)
{
    chosen->has_seed = true;
    return parse_number(text, UINT64_MAX, &chosen->seed) ||
           wrong(name, text, "a whole number from 0 to 18446744073709551615");
}

static bool take_end(options *chosen, const char *name, const char *text)
{
    for (uint32_t i = 0; i < ENDS; i++) {
        if (strcmp(ends[i], text) == 0) {
            chosen->end = i;
            return true;
        }
    }
    return wrong(name, text, "bottom, side or farthest");
}

static bool take_format(options *chosen, const char *name, const char *text)
{
    for (uint32_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i].name, text) == 0) {
            chosen->format = i;
            return true;
        }
    }
    return wrong(name, text, "digits, glyphs, json or png");
}

static bool take_output(options *chosen, const char *name, const char *text)
{
    (void)name;
    chosen->output = text;
    return true;
}

static bool take_help(options *chosen, const char *name, const char *text)
{
    (void)name, (void)text;
    help();
    return chosen->done = true;
}

static bool take_version(options *chosen, const char *name, const char *text)
{
    (void)name, (void)text;
    puts("warren-maze " WARREN_VERSION);
    return chosen->done = true;
}

static const struct option longs[] = {
    {"cells", required_argument, NULL, 'c'},
    {"hall", required_argument, NULL, 1},
    {"wall", required_argument, NULL, 2},
    {"heights", required_argument, NULL, 3},
    {"obstacles", required_argument, NULL, 4},
    {"scale", required_argument, NULL, 5},
    {"end", required_argument, NULL, 6},
    {"seed", required_argument, NULL, 's'},
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};
/* In the same order. */
static bool (*const takers[])(options *chosen, const char *name, const char *text) = {
    take_number, take_number, take_number, take_number, take_number, take_number,
    take_end,    take_seed,   take_format, take_output, take_help,   take_version,
};

static bool parse_options(int count, char **words, options *chosen)
{
    int option;
    while (!chosen->done && (option = getopt_long(count, words, "c:s:f:o:hV", longs, NULL)) != -1) {
        size_t i = 0;
        while (longs[i].name != NULL && longs[i].val != option) {
            i++;
        }
        if (longs[i].name == NULL) {
            fputs("warren-maze: See how it is used with: warren-maze --help\n", stderr);
            return false;
        }
        if (!takers[i](chosen, longs[i].name, optarg)) {
            return false;
        }
    }
    if (!chosen->done && optind < count) {
        fprintf(stderr, "warren-maze: \"%s\" does not belong to any option. See warren-maze --help.\n", words[optind]);
        return false;
    }
    return true;
}

/* chance: xoshiro256** 1.0 (Blackman and Vigna, https://prng.di.unimi.it/), seeded by splitmix64, as worlds have it. */

struct generator {
    uint64_t s[4];
};

static void seed_generator(struct generator *generator, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t mixed = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
        generator->s[i] = mixed ^ mixed >> 31;
    }
}

static uint64_t next_random(void *context)
{
    uint64_t *s = ((struct generator *)context)->s;
    const uint64_t five = s[1] * 5, result = (five << 7 | five >> 57) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* the maze */

static int print(const options *chosen, const struct printed_maze *printed, FILE *to)
{
    const bool printing = formats[chosen->format].print(printed, to);
    if (!printing || fflush(to) != 0) {
        fprintf(stderr, "warren-maze: %s cannot be written: %s.\n",
                chosen->output != NULL ? chosen->output : "standard output", strerror(errno));
        return EXIT_UNAVAILABLE;
    }
    return EXIT_SUCCESS;
}

static int write_maze(const options *chosen, const struct printed_maze *printed)
{
    if (chosen->output == NULL) {
        if (chosen->format == PNG && isatty(STDOUT_FILENO)) {
            fputs("warren-maze: A picture is not for a terminal: say where it goes with --output FILE.\n", stderr);
            return EXIT_USAGE;
        }
        return print(chosen, printed, stdout);
    }
    FILE *to = fopen(chosen->output, "we");
    if (to == NULL) {
        fprintf(stderr, "warren-maze: %s cannot be written: %s.\n", chosen->output, strerror(errno));
        return EXIT_UNAVAILABLE;
    }
    const int status = print(chosen, printed, to);
    fclose(to);
    return status;
}

int main(int count, char **words)
{
    options chosen = {.cells = 10, .hall = 1, .wall = 1, .heights = 3, .obstacles = 5, .scale = 8};
    if (!parse_options(count, words, &chosen)) {
        return EXIT_USAGE;
    }
    if (chosen.done) {
        return EXIT_SUCCESS;
    }
    if (!chosen.has_seed) {
        if (getrandom(&chosen.seed, sizeof chosen.seed, 0) != sizeof chosen.seed) {
            fputs("warren-maze: The system has no random numbers: give a --seed.\n", stderr);
            return EXIT_UNAVAILABLE;
        }
        fprintf(stderr, "warren-maze: seed %" PRIu64 "\n", chosen.seed);
    }
    static uint16_t cell[MAZE_MAX_CELLS * MAZE_MAX_CELLS];
    struct generator generator;
    seed_generator(&generator, chosen.seed);
    const struct maze_chance chance = {next_random, &generator};
    struct printed_maze printed = {.maze = {.cells = chosen.cells, .cell = cell},
                                   .shape = {chosen.hall, chosen.wall, chosen.heights},
                                   .end = ends[chosen.end],
                                   .seed = chosen.seed,
                                   .scale = chosen.scale};
    const size_t side = maze_side(&printed.maze, &printed.shape);
    uint8_t *squares = malloc(side * side);
    if (squares == NULL) {
        fputs("warren-maze: There is no memory for a maze of that size.\n", stderr);
        return EXIT_UNAVAILABLE;
    }
    maze_carve(&printed.maze, (maze_end)chosen.end, &chance);
    maze_place_obstacles(&printed.maze, chosen.obstacles, &chance);
    maze_draw(&printed.maze, &printed.shape, squares, &chance);
    printed.squares = squares;
    const int status = write_maze(&chosen, &printed);
    free(squares);
    return status;
}
