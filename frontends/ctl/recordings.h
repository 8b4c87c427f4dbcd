/* recordings.h: the commands of warrenctl that have to do with recorded games. As in commands.h, each returns the exit
 * status.
 */
#ifndef WARREN_CTL_RECORDINGS_H
#define WARREN_CTL_RECORDINGS_H

#include "commands.h"

int wn_ctl_export(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_verify(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_replay(wn_ctl *ctl, int count, char **arguments);

#endif
