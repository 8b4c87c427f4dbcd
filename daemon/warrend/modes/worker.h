/* worker.h: answers to what worlds ask their mode's work(), in a process of its own for each mode: what it computes
 * holds up no turn, and what it does too long is ended with the process. Answers come back to a world as inputs.
 */
#ifndef WARREN_WORKER_H
#define WARREN_WORKER_H

#include "daemon.h"

/* Takes a world's questions. One that waits already is asked once. */
void wn_worker_ask(wn_game *game, Warren__Host__Asked *const *asked, size_t count);
/* The world goes: so do its questions. */
void wn_worker_forget(const wn_game *game);
/* Ends the process, and with it all that is asked. NULL is fine. */
void wn_worker_free(struct wn_worker *worker);

#endif
