/* solve_tool.c: warren-polar solve: looks for solutions, says how far it is, and stops on Ctrl-C with what it knows. */
#include "moves.h"
#include "solve.h"
#include "tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_MEMORY = 512, /* MiB */
    MAX_MEMORY = 1 << 20,
    DEFAULT_SECONDS = 10, /* for better solutions, once there is one */
    MAX_SECONDS = 1000000,
    MAX_WIDTH = 1 << 30,
    TERMINAL_INTERVAL = 500, /* milliseconds between two lines of progress */
    FILE_INTERVAL = 10000,
    MAX_MOVES = 100000
};

struct job {
    uint32_t level; /* from 1 */
    bool many;      /* levels are solved: each is printed with its number */
    bool best;      /* go on until nothing can be better */
    uint64_t seconds;
    size_t memory;
    uint32_t width;
    bool terminal;                  /* progress is one line that is written over */
    uint64_t started, solved, told; /* milliseconds */
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static const char *plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* progress */

static sigset_t stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

/* They are held back and looked for: what is known is always whole when the work ends. */
static bool was_interrupted(void)
{
    sigset_t set;
    return sigpending(&set) == 0 && (sigismember(&set, SIGINT) || sigismember(&set, SIGTERM));
}

static void tell(const struct job *job, const solve_progress *progress, uint64_t time)
{
    const uint64_t elapsed = time > job->started ? time - job->started : 1;
    fprintf(stderr, "%slevel %u: %" PRIu64 " positions, %" PRIu64 " a second, %u pushes deep, width %u, %zu of %zu MiB",
            job->terminal ? "\r" : "", job->level, progress->positions, progress->positions * 1000 / elapsed,
            progress->pushes, progress->width, progress->memory >> 20, job->memory >> 20);
    if (progress->best > 0) {
        fprintf(stderr, ", best %u pushes", progress->best);
    }
    fputs(job->terminal ? "\033[K" : "\n", stderr);
}

static bool go_on(void *context, const solve_progress *progress)
{
    struct job *job = context;
    const uint64_t time = now();
    if (job->solved == 0 && progress->best > 0) {
        job->solved = time;
    }
    if (time - job->told >= (job->terminal ? TERMINAL_INTERVAL : FILE_INTERVAL)) {
        tell(job, progress, time);
        job->told = time;
    }
    return !was_interrupted() && (job->best || progress->best == 0 || time - job->solved < job->seconds * 1000);
}

/* the result */

/* The moves to standard output, as `play` takes them. Returns how many; 0: they do not clear the board after all. */
static size_t print_moves(const struct job *job, const polar_board *board, const polar_solution *solution)
{
    static uint8_t headings[MAX_MOVES];
    static char text[MAX_MOVES * 4];
    polar_board after = *board;
    const size_t count = solution_moves(board, solution->pushes, solution->count, headings, MAX_MOVES);
    if (count > MAX_MOVES) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        board_move(&after, (polar_heading)headings[i]);
    }
    moves_write(headings, count, text, sizeof text);
    if (job->many) {
        printf("%u: ", job->level);
    }
    puts(text);
    fflush(stdout);
    return after.hearts == 0 ? count : 0;
}

static int report(const struct job *job, const polar_board *board, const polar_solution *solution,
                  const solve_progress *progress)
{
    const uint64_t elapsed = now() - job->started;
    int status = EXIT_UNKNOWN;
    if (job->terminal) {
        fputs("\r\033[K", stderr);
    }
    if (solution->result == SOLVE_CLEARED) {
        const size_t moves = print_moves(job, board, solution);
        status = moves > 0 ? EXIT_DONE : EXIT_UNKNOWN;
        fprintf(stderr, "level %u: %u %s, %zu %s; %s", job->level, solution->count,
                plural(solution->count, "push", "pushes"), moves, plural(moves, "move", "moves"),
                solution->fewest ? "there are none with fewer pushes" : "there may be some with fewer pushes");
    } else if (solution->result == SOLVE_UNSOLVABLE) {
        status = EXIT_UNSOLVABLE;
        fprintf(stderr, "level %u: it cannot be cleared", job->level);
    } else {
        fprintf(stderr, "level %u: not known whether it can be cleared", job->level);
    }
    fprintf(stderr, "%s (%" PRIu64 " positions in %" PRIu64 ".%03" PRIu64 " s, %zu MiB).\n",
            solution->full ? "; --memory lets it look further" : "", progress->positions, elapsed / 1000,
            elapsed % 1000, progress->memory >> 20);
    return status;
}

static int solve(struct job *job, const polar_pack *pack, uint32_t level)
{
    static polar_solution solution;
    solve_progress progress;
    polar_board board;
    pack_board(pack, level, &board);
    job->level = level + 1;
    job->started = job->told = now();
    job->solved = 0;
    const solve_limits limits = {.memory = job->memory, .width = job->width, .go_on = go_on, .context = job};
    board_solve(&board, &limits, &solution, &progress);
    return report(job, &board, &solution, &progress);
}

/* All levels: cleared is what all have to be; what cannot be cleared weighs more than what is not known. */
static int solve_all(struct job *job, const polar_pack *pack)
{
    bool found[EXIT_UNKNOWN + 1] = {false};
    job->many = true;
    for (uint32_t level = 0; level < pack->count; level++) {
        if (was_interrupted()) {
            found[EXIT_UNKNOWN] = true;
            break;
        }
        found[solve(job, pack, level)] = true;
    }
    return found[EXIT_UNSOLVABLE] ? EXIT_UNSOLVABLE : found[EXIT_UNKNOWN] ? EXIT_UNKNOWN : EXIT_DONE;
}

/* the command line */

static bool read_number(const char *option, const char *text, long most, long *number)
{
    char *end = NULL;
    *number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || *number < 1 || *number > most) {
        fprintf(stderr, "warren-polar: --%s takes a number from 1 to %ld, not %s.\n", option, most, text);
        return false;
    }
    return true;
}

static bool read_options(int count, char **words, struct job *job)
{
    static const struct option longs[] = {{"best", no_argument, NULL, 'b'},
                                          {"memory", required_argument, NULL, 'm'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"width", required_argument, NULL, 'w'},
                                          {NULL, 0, NULL, 0}};
    long memory = DEFAULT_MEMORY, seconds = DEFAULT_SECONDS, width = 0;
    bool good = true;
    for (int option; good && (option = getopt_long(count, words, "bm:s:w:", longs, NULL)) != -1;) {
        job->best |= option == 'b';
        good = option != '?' && (option != 'm' || read_number("memory", optarg, MAX_MEMORY, &memory)) &&
               (option != 's' || read_number("seconds", optarg, MAX_SECONDS, &seconds)) &&
               (option != 'w' || read_number("width", optarg, MAX_WIDTH, &width));
    }
    job->memory = (size_t)memory << 20;
    job->seconds = (uint64_t)seconds;
    job->width = (uint32_t)width;
    return good;
}

int tool_solve(int count, char **words)
{
    static tool_pack file;
    struct job job = {.terminal = isatty(STDERR_FILENO)};
    /* getopt() passes over a first word: the name of the subcommand, which is before these. */
    if (!read_options(count + 1, words - 1, &job)) {
        return EXIT_USAGE;
    }
    words += optind - 1;
    count -= optind - 1;
    if (count < 1 || count > 2) {
        fputs("warren-polar: solve takes a PACK, and perhaps the number of a LEVEL.\n", stderr);
        return EXIT_USAGE;
    }
    const int status = tool_open(&file, words[0]);
    if (status != EXIT_DONE) {
        return status;
    }
    const int level = count == 2 ? tool_level(&file, words[1]) : 0;
    const sigset_t stop = stop_signals();
    sigprocmask(SIG_BLOCK, &stop, NULL);
    const int result = level < 0    ? EXIT_USAGE
                       : count == 2 ? solve(&job, &file.pack, (uint32_t)level)
                                    : solve_all(&job, &file.pack);
    free(file.text);
    return result;
}
