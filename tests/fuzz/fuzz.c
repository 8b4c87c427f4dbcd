/* fuzz.c: see fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    abort();
}

uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

const uint8_t *fuzz_piece(fuzz_input *input, size_t unit, size_t *size)
{
    const size_t wanted = fuzz_byte(input) * unit;
    const uint8_t *piece = input->data;
    *size = wanted < input->size ? wanted : input->size;
    input->data += *size;
    input->size -= *size;
    return piece;
}
