/* subject.h: whom a right or a ban is about, as people write it: a public key (64 hexadecimal digits or Z85, with or
 * without "key:"), "uid:" and a number, or a network address, with or without "/BITS".
 */
#ifndef WARREN_SUBJECT_H
#define WARREN_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_SUBJECT_BYTES = 80 };

/* In the one form that is kept and compared: "key:HEX", "uid:1000", "address:192.0.2.0/24". false: it is none. */
bool wn_subject_parse(char subject[WN_SUBJECT_BYTES], const char *text);
/* Is a peer of that identity and address (as admission.h gives them) the one? */
bool wn_subject_is(const char *subject, const char *identity, const char *address);

#endif
