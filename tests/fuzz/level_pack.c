/* level_pack.c: a level pack of polar: read within its limits, or refused with file, line and column. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pack.h"

static polar_pack *pack;

void fuzz_start(void)
{
    pack = malloc(sizeof *pack);
    FUZZ_REQUIRE(pack != NULL);
}

void fuzz(const uint8_t *data, size_t size)
{
    char error[PACK_ERROR_SIZE];
    if (!pack_read(pack, "a.polar", (const char *)data, size, error)) {
        FUZZ_REQUIRE(strncmp(error, "a.polar:", 8) == 0);
        return;
    }
    FUZZ_REQUIRE(pack->count > 0 && pack->count <= PACK_MAX_LEVELS);
    for (uint32_t i = 0; i < pack->count; i++) {
        polar_board board;
        pack_board(pack, i, &board);
        FUZZ_REQUIRE(pack->levels[i].hearts > 0 && pack->levels[i].row < pack->levels[i].height &&
                     pack->levels[i].column < pack->levels[i].width);
    }
}
