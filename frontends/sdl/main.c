/* main.c: the picture frontend, `warren-sdl`: options, the key file, and what to run. */
#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <locale.h>

#include "app.h"

int main(int argc, char **argv)
{
    wn_options options;
    wn_key_file key_file = {0};
    int signal_number = 0;
    setlocale(LC_ALL, "");
    SDL_SetMainReady();
    int status = wn_options_parse(&options, argc, argv);
    if (status >= 0) {
        return status;
    }
    status = wn_command_line_read_keys(&options.line, "warren-sdl", &key_file);
    if (status < 0) {
        status = wn_app_run(&options, &key_file, &signal_number);
    }
    wn_key_file_free(&key_file);
    wn_die_of_signal(signal_number);
    return status;
}
