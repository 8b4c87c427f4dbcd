/* trust.h: what the client keeps about keys, in the user's data directory: the player's own pair, and the keys of
 * servers that it has met: $XDG_DATA_HOME/warren, else ~/.local/share/warren, made when it is needed. It knows no
 * sockets.
 */
#ifndef WARREN_CLIENT_TRUST_H
#define WARREN_CLIENT_TRUST_H

#include <stddef.h>

#include "curve.h"

/* The player's own pair, made on first use; `path` (may be NULL) gets where it is. */
bool wn_trust_own_pair(wn_curve_pair *pair, char *path, size_t size, wn_error *error);

/* Was the server met before, and under which key? `where` gets "FILE, line N". WN_TRUST_UNREADABLE: the file is there
 * and cannot be read, or what it says of the server is no key; the error names it. Who takes that for "never met"
 * believes whoever answers. */
typedef enum wn_trust_met { WN_TRUST_NEVER_MET, WN_TRUST_MET, WN_TRUST_UNREADABLE } wn_trust_met;
wn_trust_met wn_trust_find(const char *endpoint, uint8_t key[WN_CURVE_BYTES], char *where, size_t size,
                           wn_error *error);
bool wn_trust_remember(const char *endpoint, const uint8_t key[WN_CURVE_BYTES], wn_error *error);

/* Is it an address of this machine, by its looks? */
bool wn_trust_is_loopback(const char *endpoint);

#endif
