/* access.h: the commands about who may do what, and about keys.
 */
#ifndef WARREN_CTL_ACCESS_H
#define WARREN_CTL_ACCESS_H

#include "commands.h"

int wn_ctl_grant(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_revoke(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_ban(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_unban(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_kick(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_release(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_access(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_key(wn_ctl *ctl, int count, char **arguments);
int wn_ctl_invite(wn_ctl *ctl, int count, char **arguments);

/* "30s", "15m", "2h", "7d", or a number of seconds; false: it is none, or longer than can be told. */
bool wn_ctl_duration(const char *text, uint32_t *seconds);

#endif
