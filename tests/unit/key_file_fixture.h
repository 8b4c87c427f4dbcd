/* key_file_fixture.h: key files as tests write them down. */
#ifndef WARREN_TESTS_KEY_FILE_FIXTURE_H
#define WARREN_TESTS_KEY_FILE_FIXTURE_H

#include <check.h>
#include <string.h>

#include "key-file.h"

/* Reads `text`, which is not empty, as the file of that name. */
static inline void read_keys(wn_key_file *file, const char *name, const char *text)
{
    char copy[4096];
    const size_t length = strlen(text);
    ck_assert_uint_lt(length, sizeof copy);
    memcpy(copy, text, length + 1);
    FILE *stream = fmemopen(copy, length, "r");
    ck_assert_ptr_nonnull(stream);
    wn_key_file_read_stream(file, name, stream);
    fclose(stream);
}

#endif
