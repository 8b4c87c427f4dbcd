/* main.c: warren-host, the process in which a mode runs: options and what a process must arrange. The conversation
 * with the daemon is in serve.c.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox.h"
#include "serve.h"

enum { SANDBOX_NO, SANDBOX_YES, SANDBOX_REQUIRE };

typedef struct options {
    int socket;
    int page;         /* -1: none */
    int world_memory; /* MiB; 0: the usual limit */
    int memory;       /* MiB of the process; 0: no limit */
    int sandbox;
    const char *mode;
} options;

static const char usage[] =
    "Usage: warren-host --fd N [OPTION]... MODE.so\n"
    "Runs the worlds of one game mode for warrend, which starts it; there is no reason to start it by hand.\n"
    "\n"
    "      --fd N              the stream socket to warrend, an open file descriptor\n"
    "      --page N            a memory file shared with warrend: its first 4 bytes name the world being worked on\n"
    "      --world-memory MIB  what the mode may take for a world, in MiB (64)\n"
    "      --memory MIB        what the process may take in all, in MiB; 0: no limit (0)\n"
    "      --sandbox HOW       yes: take from the mode what the kernel can take; require: refuse to run where it\n"
    "                          cannot take all of it; no: leave the mode what warrend may do (yes)\n"
    "  -h, --help              show this and exit\n"
    "  -V, --version           show the version and exit\n";

static int refuse(const char *sentence)
{
    fprintf(stderr, "warren-host: %s\nTry 'warren-host --help'.\n", sentence);
    return WN_EXIT_USAGE;
}

static bool parse_number(const char *text, int *chosen)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *chosen = (int)number;
    return end != text && *end == '\0' && errno == 0 && number >= 0 && number <= 1 << 20;
}

/* Where the number that an option takes belongs; NULL: it takes none. */
static int *number_of(int option, options *chosen)
{
    return option == 'f'   ? &chosen->socket
           : option == 'p' ? &chosen->page
           : option == 'm' ? &chosen->world_memory
           : option == 'l' ? &chosen->memory
                           : NULL;
}

static bool parse_sandbox(const char *text, int *chosen)
{
    static const char *const words[] = {[SANDBOX_NO] = "no", [SANDBOX_YES] = "yes", [SANDBOX_REQUIRE] = "require"};
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
        if (strcmp(words[i], text) == 0) {
            *chosen = i;
            return true;
        }
    }
    return false;
}

/* -1: go on; else the exit status. */
static int parse_options(int count, char **arguments, options *chosen)
{
    static const struct option known[] = {{"fd", required_argument, NULL, 'f'},
                                          {"page", required_argument, NULL, 'p'},
                                          {"world-memory", required_argument, NULL, 'm'},
                                          {"memory", required_argument, NULL, 'l'},
                                          {"sandbox", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "hV", known, NULL)) != -1) {
        int *number = number_of(option, chosen);
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (option == 'V') {
            puts("warren-host " WARREN_VERSION);
            return 0;
        }
        if (!number && option != 's') {
            return refuse("that option is not known, or lacks its value");
        }
        if (number && !parse_number(optarg, number)) {
            return refuse("--fd, --page, --world-memory and --memory take a whole number from 0 to 1048576");
        }
        if (!number && !parse_sandbox(optarg, &chosen->sandbox)) {
            return refuse("--sandbox takes yes, no or require");
        }
    }
    if (chosen->socket < 0) {
        return refuse("this is the part of warrend that runs a game mode, and warrend starts it by itself: start "
                      "warrend instead, or warren-mode-check to try a mode");
    }
    if (count - optind != 1) {
        return refuse("exactly one mode is needed, as the path of its .so file");
    }
    chosen->mode = arguments[optind];
    return -1;
}

/* No host outlives its daemon, and a ^C in the daemon's terminal is the daemon's to handle. What a mode prints is read
 * line by line. */
static void arrange_process(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static wn_blame *map_page(int page)
{
    void *mapped = mmap(NULL, sizeof(wn_blame), PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (mapped == MAP_FAILED) {
        fprintf(stderr, "warren-host: --page %d cannot be mapped: %s\n", page, strerror(errno));
        return NULL;
    }
    close(page); /* the mode is not to write to it as to a file */
    return mapped;
}

/* Loads the mode, in its sandbox. NULL: the sentence says why not. */
static wn_plugin *open_plugin(const options *chosen, wn_blame *page, wn_error *error)
{
    if (chosen->sandbox == SANDBOX_NO) {
        return wn_plugin_open(chosen->mode, error);
    }
    uint32_t lacking = wn_sandbox_load(chosen->mode, (size_t)chosen->memory << 20, page);
    const bool enough = chosen->sandbox != SANDBOX_REQUIRE || lacking == 0;
    wn_plugin *plugin = enough ? wn_plugin_open(chosen->mode, error) : NULL;
    if (plugin) {
        lacking |= wn_sandbox_run();
    }
    if (chosen->sandbox == SANDBOX_REQUIRE && lacking != 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "sandbox", 0,
                     "its sandbox is required and cannot be had here: %s (hosts.sandbox)", wn_lacking_text(lacking));
        wn_plugin_close(plugin);
        return NULL;
    }
    if (page) {
        atomic_store(&page->lacking, lacking);
    }
    return plugin;
}

int main(int count, char **arguments)
{
    options chosen = {.socket = -1, .page = -1, .sandbox = SANDBOX_YES};
    const int early = parse_options(count, arguments, &chosen);
    if (early >= 0) {
        return early;
    }
    arrange_process();
    wn_blame *page = NULL;
    if (chosen.page >= 0 && !(page = map_page(chosen.page))) {
        return WN_EXIT_USAGE;
    }
    wn_error error = {0};
    wn_plugin *plugin = open_plugin(&chosen, page, &error);
    if (!plugin) {
        return wn_serve_refusal(chosen.socket, error.text);
    }
    const int status =
        wn_serve(plugin, chosen.socket, page, (size_t)chosen.world_memory << 20, (size_t)chosen.memory << 20);
    wn_plugin_close(plugin);
    return status;
}
