/* replica_fixture.h: a small mode, a replica of a view of it, and updates for it, made in a line each. They go through
 * the encoding and decoding of the wire library, as they do in a client. */
#ifndef WARREN_TESTS_REPLICA_FIXTURE_H
#define WARREN_TESTS_REPLICA_FIXTURE_H

#include "client.h"

enum { TILES = 6, FIELDS = 3, SKIP = 0, FILL = 1, COPY = 2 };

#define OPERATION(count, kind) ((uint32_t)(count)*4 + (kind))
#define COUNT(array)           (sizeof(array) / sizeof((array)[0]))

extern wn_arena *made; /* what the functions below make; tests may reset it */
extern wn_replica *replica;

void setup(void);
void teardown(void);
void *take(size_t size);
void append(void *array, size_t *count, void *item);
Warren__Update *update_with(uint64_t sequence);
Warren__Keyframe *keyframe(Warren__Update *update, uint32_t width, uint32_t height);
Warren__Delta *delta(Warren__Update *update);
Warren__Sprite *sprite(uint32_t id);
Warren__Sprite *whole_sprite(uint32_t id, uint32_t at, uint32_t tile);
Warren__FieldValue *field(uint32_t index);
Warren__BoardRow *row(uint32_t index, size_t columns, const char *text);
Warren__Message *message(uint32_t number, const char *text);
char *text_of(const char *format, unsigned number);
wn_apply apply(const Warren__Update *update);
wn_apply apply_raw(const Warren__Update *update);

#endif
