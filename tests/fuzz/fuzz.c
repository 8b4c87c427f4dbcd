/* fuzz.c: see fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Opening the path opens the memory anew, at its begin. */
static int fuzz_file(void)
{
    static int file = -1;
    if (file < 0) {
        file = memfd_create("warren-fuzz", MFD_CLOEXEC);
        FUZZ_REQUIRE(file >= 0);
    }
    return file;
}

const char *fuzz_file_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file());
    return path;
}

void fuzz_file_set(const void *data, size_t size)
{
    FUZZ_REQUIRE(pwrite(fuzz_file(), data, size, 0) == (ssize_t)size && ftruncate(fuzz_file(), (off_t)size) == 0);
}
