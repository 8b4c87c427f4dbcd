/* keep.h: the commands about what a server keeps: copies of it, and parked worlds that wait for what becomes of their
 * last turns.
 */
#ifndef WARREN_CTL_KEEP_H
#define WARREN_CTL_KEEP_H

#include "commands.h"

int wn_ctl_backup(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_recover(wn_ctl *ctl, int count, char **arguments);

#endif
