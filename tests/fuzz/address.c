/* address.c: an address as a person types it. What is accepted is an endpoint that ends, and a world's name or none. */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "fuzz.h"

void fuzz_start(void)
{
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_address address;
    wn_error error = {0};
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (wn_address_parse(&address, text, &error)) {
        FUZZ_REQUIRE(memchr(address.control, '\0', sizeof address.control) != NULL);
        FUZZ_REQUIRE(address.world[0] == '\0' || wn_name_valid(address.world));
    } else {
        FUZZ_REQUIRE(error.text[0] != '\0');
    }
    free(text);
}
