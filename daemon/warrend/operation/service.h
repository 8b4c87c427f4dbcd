/* service.h: what a service manager hears of the daemon (sd_notify(3)): that it serves, how many worlds and players,
 * that it reloads or stops, and signs of life from the event loop. Where there is none ($NOTIFY_SOCKET) nothing is
 * said.
 */
#ifndef WARREN_SERVICE_H
#define WARREN_SERVICE_H

#include "daemon.h"

void wn_service_open(wn_daemon *daemon);
void wn_service_close(wn_daemon *daemon);

/* At the end of each pass: says READY once every world is served or parked, and the status if it has changed, at most
 * once a second. */
void wn_service_pass(wn_daemon *daemon);
/* The journal cannot be written, or can be again: that is told at once. */
void wn_service_journal(wn_daemon *daemon);
void wn_service_stopping(void);
/* It ends by itself, and why: the status of the unit, which stays until it starts again. */
void wn_service_failed(const char *why);
/* Around a reload; `failure` NULL: it went well. */
void wn_service_reloading(const wn_daemon *daemon);
void wn_service_reloaded(wn_daemon *daemon, const char *failure);

#endif
