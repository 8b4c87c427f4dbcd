/* plain.h: what `warren` does without a full screen: --list and --print-keys. */
#ifndef WARREN_CURSES_PLAIN_H
#define WARREN_CURSES_PLAIN_H

#include "key-file.h"
#include "options.h"

/* Both print to standard output and return the exit status. */
int wn_plain_list(const wn_options *options);
int wn_plain_keys(const wn_options *options, wn_key_file *key_file);

#endif
