/* reload.h: the configuration, read again while everything runs.
 */
#ifndef WARREN_RELOAD_H
#define WARREN_RELOAD_H

#include "daemon.h"

/* Reads the file and the options of the command line again. Settings that can change are in force when it returns; the
 * log names them, and those that the next start takes. Modes that were not there, or were given up on, are started.
 * false: the configuration has a mistake, which the error names, and nothing has changed. */
bool wn_reload(wn_daemon *daemon, wn_error *error);

#endif
