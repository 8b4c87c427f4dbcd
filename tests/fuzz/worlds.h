/* worlds.h: small worlds of the modes that the build has, for targets that play or load them.
 */
#ifndef WARREN_FUZZ_WORLDS_H
#define WARREN_FUZZ_WORLDS_H

#include "world.h"

enum { FUZZ_MODES = 4 };

void worlds_open(void);
/* `mode` below FUZZ_MODES. With a snapshot: NULL if it is refused. */
wn_hosted *worlds_make(unsigned mode, uint64_t turn, const void *snapshot, size_t size);

#endif
