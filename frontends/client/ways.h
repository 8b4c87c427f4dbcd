/* ways.h: the ways to enter a world of a mode: their names, their keys, and how they are listed. Asking for one of them
 * is entry.h's and reentry.h's part. */
#ifndef WARREN_CLIENT_WAYS_H
#define WARREN_CLIENT_WAYS_H

#include <stddef.h>
#include <stdint.h>

#include "client.h"

enum { WN_NO_WAY = -1 };

/* The way of that name, or WN_NO_WAY; then the error has the sentence that names those there are. */
int wn_way_by_name(const Warren__Mode *mode, const char *name, wn_error *error);
/* The way whose key it is, or WN_NO_WAY. A way without a key has its number: 1 is the first. */
int wn_way_by_key(const Warren__Mode *mode, uint32_t key);
uint32_t wn_way_key(const Warren__Mode *mode, size_t way);
/* "cloaked: Hidden from scanners". */
void wn_way_text(const Warren__Mode *mode, size_t way, char *text, size_t size);

#endif
