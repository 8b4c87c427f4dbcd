/* recording_made.h: a recording of small caves for tests of who watches it, and no more than that: recording_fixture.h
 * brings the host's headers along, which have names of their own for what frontends call a log.
 */
#ifndef WARREN_TEST_RECORDING_MADE_H
#define WARREN_TEST_RECORDING_MADE_H

#include <stdint.h>

void make_caves_recording(const char *mode, const char *path, uint64_t seed, uint32_t turns);

#endif
