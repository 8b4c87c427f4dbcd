/* command-line.h: what the command lines of all frontends for people have in common: which server, which world or new
 * one, under which name. What only one of them knows it says in a wn_own_options. */
#ifndef WARREN_CLIENT_COMMAND_LINE_H
#define WARREN_CLIENT_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "key-file.h"

typedef struct wn_command_line {
    wn_address address;
    char shown_address[256]; /* as it was given, or what was found */
    char player[WN_NAME_BYTES + 1];
    const char *world;     /* to join at once, or the name of the one to create; NULL */
    const char *create;    /* a mode; NULL */
    const char *enter;     /* the way to enter, by its name; NULL: the usual one */
    const char *replay;    /* a recording; NULL */
    const char *mode_path; /* where the mode of a recording is sought; NULL: the usual places */
    const char *keys;      /* a key file; NULL: the usual one, if there is one */
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t setting_count;
    bool has_seed;
    uint64_t seed;
    bool new_session; /* a kept one is left alone */
    bool watch;
    bool server_named; /* on the command line or by $WARREN_SERVER */
    bool elsewhere; /* one of the frontend's own options asks for something that has no server or world of this one */
} wn_command_line;

typedef struct wn_own_options {
    const char *program;        /* "warren" */
    const char *usage;          /* all of it */
    const char *letters;        /* of the short options, as getopt has them; may be "" */
    const struct option *table; /* ends with zeros; values above WN_OWN_OPTION, or a letter */
    /* Returns -1 to go on, or an exit status. */
    int (*take)(void *context, int option, char *text);
    void *context;
} wn_own_options;

enum { WN_OWN_OPTION = 2000 };

/* For usage texts: the part that is the same. */
#define WN_COMMAND_LINE_WHAT                                                                                           \
    "  -s, --server=ADDRESS    the server, in one of the forms above\n"                                                \
    "  -w, --world=NAME        join this world at once\n"                                                              \
    "      --watch             watch it instead of playing\n"                                                          \
    "      --enter=WAY         how to enter, where the mode has ways to choose from: cloaked\n"                        \
    "  -c, --create=MODE       create a world and join it; with\n"                                                     \
    "      --set=NAME=VALUE      a setting (may be repeated)\n"                                                        \
    "      --name=NAME           its name, else MODE and a number\n"                                                   \
    "      --seed=NUMBER         its seed, else drawn by the server\n"                                                 \
    "  -p, --player=NAME       your name (default: your login)\n"
#define WN_COMMAND_LINE_REPLAY                                                                                         \
    "      --replay=FILE       play a recording (made by: warrenctl export WORLD FILE); needs no server; with\n"       \
    "      --mode-path=DIRS      where its mode is (default: those of this build, or the installed ones)\n"
#define WN_COMMAND_LINE_SERVER                                                                                         \
    "SERVER is a directory with the daemon's sockets, ipc://PATH, tcp://HOST:PORT or warren://HOST[:PORT][/WORLD]; "   \
    "the\n"                                                                                                            \
    "last two may end in ?key=KEY, the server's public key. Without it, the server is asked on the first time.\n"      \
    "Without SERVER: $WARREN_SERVER, $XDG_RUNTIME_DIR/warren, /run/warren, else this machine by tcp.\n"

/* Returns -1 to go on, or the exit status to end with; then what there is to say has been printed. What is found points
 * into argv. */
int wn_command_line_parse(wn_command_line *line, int argc, char **argv, const wn_own_options *own);
/* Prints "program: " and the sentence, and where help is. Returns the status for a usage error. */
int wn_command_line_complain(const char *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The key file that it names, or the usual one. One that is named has to be right; the usual one may be missing, and
 * what is wrong in it is told in the game. Returns -1 to go on, or the exit status. */
int wn_command_line_read_keys(const wn_command_line *line, const char *program, wn_key_file *file);
/* Dies of the signal that asked for the end, so that the shell sees what happened. 0: there was none, and it returns.
 */
void wn_die_of_signal(int signal_number);

/* $XDG_CONFIG_HOME/warren/NAME, else ~/.config/warren/NAME. false: neither can be named. */
bool wn_configuration_file(char *path, size_t size, const char *name);

#endif
