/* key_file.c: a player's key file. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "key-file.h"

void fuzz_start(void)
{
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_key_file file = {0};
    char *text = malloc(size + 1); /* fmemopen() takes no const */
    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    FILE *stream = fmemopen(text, size, "r");
    FUZZ_REQUIRE(stream != NULL);
    wn_key_file_read_stream(&file, "keys.conf", stream);
    fclose(stream);
    for (size_t i = 0; i < file.count; i++) {
        FUZZ_REQUIRE(file.entries[i].key_count <= WN_KEYS_OF_ENTRY);
    }
    FUZZ_REQUIRE(file.problem_count <= WN_KEY_PROBLEMS);
    wn_key_file_free(&file);
    free(text);
}
