/* configuration.c: a warren.conf: read, or refused with a sentence that names the file. */
#include "configuration/config.h"
#include "fuzz.h"

void fuzz_start(void)
{
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_config config;
    wn_error error = {0};
    fuzz_file_set(data, size);
    FUZZ_REQUIRE(wn_config_init(&config, &error));
    if (!wn_config_read(&config, fuzz_file_path(), &error)) {
        FUZZ_REQUIRE(error.text[0] != '\0');
    }
    wn_config_free(&config);
}
