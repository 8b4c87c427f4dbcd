/* serve.h: a host's conversation with the daemon (conversation.h) over a stream socket: batches in, batches out.
 */
#ifndef WARREN_HOST_SERVE_H
#define WARREN_HOST_SERVE_H

#include <stdint.h>

#include "blame.h"
#include "world.h"

/* Exit statuses, as in sysexits.h. */
enum { WN_EXIT_USAGE = 64, WN_EXIT_SOFTWARE = 70, WN_EXIT_CONFIG = 78 };

/* Says Ready, then answers the daemon until it closes the socket or says Stop. `blame` may be NULL; `world_memory`:
 * bytes for each world's mode, 0 for the usual limit; `memory`: bytes for all, 0 for no limit. Returns the exit status.
 */
int wn_serve(wn_plugin *plugin, int socket, wn_blame *blame, size_t world_memory, size_t memory);
/* Says Refused with the sentence. Returns the exit status. */
int wn_serve_refusal(int socket, const char *sentence);

#endif
