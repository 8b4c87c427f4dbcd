/* hash.h: XXH64, the hash of a world's state (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). Against
 * chance, not against forgery: whoever can write a recording can also write its hashes.
 */
#ifndef WARREN_HOST_HASH_H
#define WARREN_HOST_HASH_H

#include <stddef.h>
#include <stdint.h>

/* With seed 0. The same on machines of either byte order. */
uint64_t wn_hash(const void *bytes, size_t size);

#endif
