/* configuration.c: a warren.conf: read, or refused with a sentence that names the file. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "fuzz.h"

static char path[64];
static FILE *file;

void fuzz_start(void)
{
    file = tmpfile();
    FUZZ_REQUIRE(file != NULL);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_config config;
    wn_error error = {0};
    FUZZ_REQUIRE(ftruncate(fileno(file), 0) == 0 && pwrite(fileno(file), data, size, 0) == (ssize_t)size);
    FUZZ_REQUIRE(wn_config_init(&config, &error));
    if (!wn_config_read(&config, path, &error)) {
        FUZZ_REQUIRE(error.text[0] != '\0');
    }
    wn_config_free(&config);
}
