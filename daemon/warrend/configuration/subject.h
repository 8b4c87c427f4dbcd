/* subject.h: whom a right or a ban is about, as people write it: a public key (64 hexadecimal digits or Z85, with or
 * without "key:"), "uid:" and a number, or a network address, with or without "/BITS".
 */
#ifndef WARREN_SUBJECT_H
#define WARREN_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WN_SUBJECT_BYTES = 80 };

/* In the one form that is kept and compared: "key:HEX", "uid:1000", "address:192.0.2.0/24". false: it is none. */
bool wn_subject_parse(char subject[WN_SUBJECT_BYTES], const char *text);
/* Before a player's name, in place of a subject: of who is known by that alone. Nobody can be granted anything by it.
 */
#define WN_SUBJECT_NAME "name:"
/* That name; NULL: it is a subject. */
const char *wn_subject_name(const char *subject);
/* Could a name be taken for one, or for what lists have in its place? Whoever bans the player means nobody else. */
bool wn_subject_written(const char *name);
/* Is a peer of that identity and address (as admission.h gives them) the one? */
bool wn_subject_is(const char *subject, const char *identity, const char *address);
/* A peer's address, as libzmq tells it, in the one form that is compared and counted: an IPv4 address within an IPv6
 * one is the IPv4 address, and the zone of a link-local one (fe80::1%eth0) is left out. */
void wn_subject_address(char *address, size_t size, const char *from);

/* Is it a network address, or a network of them, from which anyone may come? */
bool wn_subject_is_address(const char *subject);
/* An identity, as admission.h has it: that of a key, of a user of this machine; else nobody says who it is. */
bool wn_identity_is_key(const char *identity);
bool wn_identity_is_user(const char *identity);

#endif
