/* main.c: the terminal frontend, `warren`: options, the key file, and what to run. */
#include <locale.h>

#include "app.h"
#include "options.h"
#include "plain.h"

int main(int argc, char **argv)
{
    wn_options options;
    wn_key_file key_file = {0};
    int signal_number = 0;
    setlocale(LC_ALL, "");
    int status = wn_options_parse(&options, argc, argv);
    if (status >= 0) {
        return status;
    }
    status = wn_command_line_read_keys(&options.line, "warren", &key_file);
    if (status < 0) {
        status = options.list                  ? wn_plain_list(&options)
                 : options.print_keys != NULL  ? wn_plain_keys(&options, &key_file)
                 : options.line.replay != NULL ? wn_app_replay(&options, &signal_number)
                                               : wn_app_run(&options, &key_file, &signal_number);
    }
    wn_key_file_free(&key_file);
    wn_die_of_signal(signal_number);
    return status;
}
