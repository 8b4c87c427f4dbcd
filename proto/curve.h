/* curve.h: CURVE key pairs: as files, and as text that people pass on. For daemon and frontends; a library of its
 * own (warren_curve), since it needs libzmq and a host must not.
 *
 * A file is what CZMQ's zcert and PyZMQ's zmq.auth call a secret certificate: both read it, and files that they made
 * are read here. People see public keys as 64 hexadecimal digits, which survive shells, addresses and configuration
 * files; Z85, which libraries print, is understood wherever a key is typed.
 */
#ifndef WARREN_CURVE_H
#define WARREN_CURVE_H

#include "wire.h"

enum { WN_CURVE_BYTES = 32, WN_CURVE_HEX = 65, WN_CURVE_Z85 = 41 }; /* texts with their NUL */

typedef struct wn_curve_pair {
    uint8_t public_key[WN_CURVE_BYTES], secret_key[WN_CURVE_BYTES];
} wn_curve_pair;

/* Reads the pair of a file; one that is not there is made, with mode 0600, if `make` is given (then *make says whether
 * it was); the directory has to exist. false with a sentence: not there, not a key, or others can read or change it.
 * `guarded`: the directory keeps others out, whatever the file's mode says (credentials that systemd passes on). */
bool wn_curve_file_open(const char *path, bool guarded, bool *make, wn_curve_pair *pair, wn_error *error);

bool wn_curve_parse(uint8_t key[WN_CURVE_BYTES], const char *text); /* 64 hexadecimal digits, or 40 characters of Z85 */
void wn_curve_hex(char hex[WN_CURVE_HEX], const uint8_t key[WN_CURVE_BYTES]);

#endif
