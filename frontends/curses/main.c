/* main.c: the terminal frontend, `warren`: options, the key file, and what to run. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "app.h"
#include "key-file.h"
#include "options.h"
#include "plain.h"
#include "terminal.h"

/* A file that was asked for has to be right. The usual one may be missing, and what is wrong in it is shown in the
 * game. Returns -1 to go on, or an exit status. */
static int read_keys(const wn_options *options, wn_key_file *file)
{
    char path[4096];
    if (options->line.keys == NULL) {
        if (wn_configuration_file(path, sizeof path, "keys.conf") && !wn_key_file_read(file, path) && errno != ENOENT)
            fprintf(stderr, "warren: %s cannot be read (%s): the usual keys hold\n", path, strerror(errno));
        return -1;
    }
    if (!wn_key_file_read(file, options->line.keys)) {
        fprintf(stderr, "warren: the key file %s cannot be read: %s\n", options->line.keys, strerror(errno));
        return EX_CONFIG;
    }
    for (size_t i = 0; i < file->problem_count; i++)
        fprintf(stderr, "warren: %s\n", file->problems[i]);
    return file->problem_count > 0 ? EX_CONFIG : -1;
}

int main(int argc, char **argv)
{
    wn_options options;
    wn_key_file key_file = {0};
    int signal_number = 0;
    setlocale(LC_ALL, "");
    int status = wn_options_parse(&options, argc, argv);
    if (status >= 0)
        return status;
    status = read_keys(&options, &key_file);
    if (status < 0)
        status = options.list                  ? wn_plain_list(&options)
                 : options.print_keys != NULL  ? wn_plain_keys(&options, &key_file)
                 : options.line.replay != NULL ? wn_app_replay(&options, &signal_number)
                                               : wn_app_run(&options, &key_file, &signal_number);
    wn_key_file_free(&key_file);
    wn_term_end_by_signal(signal_number);
    return status;
}
