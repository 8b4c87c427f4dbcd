/* metrics.h: how the daemon does, for a monitoring system: GET /metrics is OpenMetrics text, GET /health is 200 or 503
 * and a sentence. HTTP on an address of this machine or a unix socket, in the daemon's own loop; off unless
 * metrics.listen says where.
 */
#ifndef WARREN_METRICS_H
#define WARREN_METRICS_H

#include "daemon.h"

/* true as well if there is nothing to open. */
bool wn_metrics_open(wn_daemon *daemon, wn_error *error);
void wn_metrics_close(wn_daemon *daemon);

/* All of it, as OpenMetrics text. */
void wn_metrics_write(const wn_daemon *daemon, FILE *to);
/* What is wrong, as a sentence; NULL: the daemon is as it should be. */
const char *wn_health_trouble(const wn_daemon *daemon);
/* Is it as it should be? What it is is written, in lines of a sentence each. */
bool wn_health_write(wn_daemon *daemon, FILE *to);

#endif
