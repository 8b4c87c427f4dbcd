/* recovery.h: what becomes of worlds when their host dies. They are loaded again (loading.h); a world whose code ran
 * when it happened is to blame, and one that does it again and again is parked.
 */
#ifndef WARREN_RECOVERY_H
#define WARREN_RECOVERY_H

#include "daemon.h"

/* A host died while it ran a callback of world `blamed` (0: of none), perhaps its save(). Returns whether that counts
 * against its mode: not if it was making a new world, since anyone may ask for one. */
bool wn_recovery_host_died(wn_installed_mode *mode, uint32_t blamed, bool saving);
/* A mode was given up on: its host will not be started again. */
void wn_recovery_mode_given_up(wn_installed_mode *mode);
/* It will be after all: the worlds that were parked for that are loaded when it is there. */
void wn_recovery_mode_again(wn_installed_mode *mode);

#endif
