/* memory.h: small pieces of memory for the daemon's own bookkeeping. When there is none left the daemon stops with a
 * message: every executed turn is in the store by then, and limits (warren.conf) bound what peers can make it take.
 */
#ifndef WARREN_MEMORY_H
#define WARREN_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "log.h"

static inline void *wn_must(void *memory)
{
    if (memory == NULL) {
        wn_log_line(WN_LEVEL_ERROR, "daemon", "out of memory; lower [limits] in warren.conf");
        abort();
    }
    return memory;
}

static inline void *wn_must_zero(size_t count, size_t size)
{
    return wn_must(calloc(count, size));
}

static inline void *wn_must_resize(void *memory, size_t size)
{
    return wn_must(realloc(memory, size));
}

static inline char *wn_must_copy(const char *text)
{
    return wn_must(strdup(text));
}

/* Room for one more element in a growing array. */
#define WN_GROW(array, count, capacity)                                                                                \
    do {                                                                                                               \
        if ((count) == (capacity)) {                                                                                   \
            (capacity) = (capacity) == 0 ? 16 : 2 * (capacity);                                                        \
            (array) = wn_must_resize((array), (capacity) * sizeof *(array));                                           \
        }                                                                                                              \
    } while (0)

#endif
