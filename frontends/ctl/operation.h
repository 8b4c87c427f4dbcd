/* operation.h: the commands of who runs a server: who is there, worlds parked and saved, the configuration read again,
 * the end.
 */
#ifndef WARREN_CTL_OPERATION_H
#define WARREN_CTL_OPERATION_H

#include "commands.h"

int wn_ctl_sessions(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_hosts(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_park(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_unpark(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_snapshot(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_reload(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_drain(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_log_level(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_stop(wn_ctl *ctl, int count, char **arguments);
/* top.c */
int wn_ctl_top(wn_ctl *ctl, int count, char **arguments);

#endif
