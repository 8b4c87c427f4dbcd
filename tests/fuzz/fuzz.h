/* fuzz.h: what a target provides, and what it may use. A program of it is either libFuzzer's (clang) or driver.c's,
 * which needs nothing but a compiler.
 */
#ifndef WARREN_FUZZ_H
#define WARREN_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Once, before anything else. */
void fuzz_start(void);
/* Must return, and leave nothing behind. */
void fuzz(const uint8_t *data, size_t size);

/* Ends the program as a finding, with a sentence. */
#define FUZZ_REQUIRE(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fuzz_fail(__FILE__, __LINE__, #condition);                                                                 \
        }                                                                                                              \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *what);

/* The next piece of the input: one byte says how long it is, in units of `unit` bytes, cut at the end. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;
uint8_t fuzz_byte(fuzz_input *input); /* 0 when there is none left */
const uint8_t *fuzz_piece(fuzz_input *input, size_t unit, size_t *size);

/* For readers that want a path: that of a file which is only in memory, and what it is to hold. */
const char *fuzz_file_path(void);
void fuzz_file_set(const void *data, size_t size);

#endif
