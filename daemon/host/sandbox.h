/* sandbox.h: what the process around a mode can still ask of the kernel, which is next to nothing. It closes in two
 * steps, since loading a shared object needs files and runs the object's constructors.
 *
 *   loading: no network, no other processes, no files but those of the system's libraries and of the mode's directory,
 *            to read; limits on memory, descriptors and processes
 *   running: memory, the descriptors that are open, time, and its own end
 *
 * A system call beyond that ends the process at once; its number is left in the page that warrend shares.
 */
#ifndef WARREN_HOST_SANDBOX_H
#define WARREN_HOST_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#include "blame.h"

/* Both return what cannot be had here, as bits of wn_lacking; the rest is in force. */

/* `mode`: the path of its file. `memory`: bytes of writable memory, 0 for no limit. `blame` may be NULL. */
uint32_t wn_sandbox_load(const char *mode, size_t memory, wn_blame *blame);
uint32_t wn_sandbox_run(void);

#endif
