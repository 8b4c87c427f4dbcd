/* mode-log.h: what modes have to say, in the daemon's log: lines that they log, and what they print, which their
 * processes write into a pipe. So many lines a second for each mode: of more it is said how many were left out.
 */
#ifndef WARREN_MODE_LOG_H
#define WARREN_MODE_LOG_H

#include "daemon.h"

/* `mode` is its name, which lives as long. */
struct wn_mode_log *wn_mode_log_new(wn_daemon *daemon, const char *mode);
void wn_mode_log_free(struct wn_mode_log *log); /* NULL is fine */

/* `world` 0: of none. */
void wn_mode_log_line(struct wn_mode_log *log, wn_level level, const char *text, uint32_t world);

/* Logs what comes through the pipe `fd`, and closes it when that ends. NULL: it cannot be heard, and is closed. */
struct wn_printed *wn_mode_log_hear(struct wn_mode_log *log, int fd);
/* Its process has ended: logs what is left in the pipe. NULL is fine. */
void wn_mode_log_hear_out(struct wn_printed *printed);

#endif
