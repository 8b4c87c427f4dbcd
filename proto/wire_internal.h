/* wire_internal.h: what the files of this library share. Not for anybody else: the contract is wire.h.
 */
#ifndef WARREN_WIRE_INTERNAL_H
#define WARREN_WIRE_INTERNAL_H

#include "wire.h"

/* Takes pieces from the arena for protobuf-c; giving back does nothing. It lives as long as the arena. */
ProtobufCAllocator *wn_arena_allocator(wn_arena *arena);

/* How many bytes protobuf-c asked for when it got this piece: the true length of a string with a NUL inside. */
size_t wn_arena_piece_size(const void *piece);

/* What passed the limit since the last reset; 0: nothing. */
size_t wn_arena_refused(const wn_arena *arena);
size_t wn_arena_limit(const wn_arena *arena);

/* wn_text_valid() for a text of known size, which a NUL does not end. */
bool wn_text_check(const char *text, size_t size, bool lines);

/* Holds a message that protobuf-c unpacked into an arena against the rules of rules.c, and takes out what this version
 * does not know: unknown fields, unknown enum values. */
bool wn_message_check(ProtobufCMessage *message, wn_error *error);

#endif
