/* main.c: the picture frontend, `warren-sdl`: options, the key file, and what to run. */
#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "app.h"

/* A file that was asked for has to be right. The usual one may be missing, and what is wrong in it is shown in the
 * game. Returns -1 to go on, or an exit status. */
static int read_keys(const wn_options *options, wn_key_file *file)
{
    char path[sizeof file->path];
    if (options->line.keys == NULL) {
        if (wn_configuration_file(path, sizeof path, "keys.conf") && !wn_key_file_read(file, path) && errno != ENOENT)
            fprintf(stderr, "warren-sdl: %s cannot be read (%s): the usual keys hold\n", path, strerror(errno));
        return -1;
    }
    if (!wn_key_file_read(file, options->line.keys)) {
        fprintf(stderr, "warren-sdl: the key file %s cannot be read: %s\n", options->line.keys, strerror(errno));
        return EX_CONFIG;
    }
    for (size_t i = 0; i < file->problem_count; i++)
        fprintf(stderr, "warren-sdl: %s\n", file->problems[i]);
    return file->problem_count > 0 ? EX_CONFIG : -1;
}

/* As if the signal had not been caught. */
static void die_of(int signal_number)
{
    sigset_t set;
    if (signal_number == 0)
        return;
    signal(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
    wn_options options;
    wn_key_file key_file = {0};
    int signal_number = 0;
    setlocale(LC_ALL, "");
    SDL_SetMainReady();
    int status = wn_options_parse(&options, argc, argv);
    if (status >= 0)
        return status;
    status = read_keys(&options, &key_file);
    if (status < 0)
        status = wn_app_run(&options, &key_file, &signal_number);
    wn_key_file_free(&key_file);
    die_of(signal_number);
    return status;
}
