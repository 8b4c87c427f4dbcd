/* update.c: updates on their way into a replica: what does not fit changes nothing, what fits leaves it whole. The
 * input is a row of pieces of up to 255 * 8 bytes.
 */
#include "client.h"
#include "fuzz.h"

static Warren__Tile tile = WARREN__TILE__INIT;
static Warren__StatusField number = WARREN__STATUS_FIELD__INIT, text = WARREN__STATUS_FIELD__INIT;
static Warren__BoardColumn column = WARREN__BOARD_COLUMN__INIT;
static Warren__Mode mode = WARREN__MODE__INIT;
static wn_arena *arena;

void fuzz_start(void)
{
    static Warren__Tile *tiles[8];
    static Warren__StatusField *status[] = {&number, &text};
    static Warren__BoardColumn *board[] = {&column};
    for (size_t i = 0; i < 8; i++) {
        tiles[i] = &tile;
    }
    text.kind = WARREN__STATUS_KIND__STATUS_TEXT;
    mode.tiles = tiles;
    mode.n_tiles = 8;
    mode.status = status;
    mode.n_status = 2;
    mode.board = board;
    mode.n_board = 1;
    arena = wn_arena_new(WN_ARENA_UPDATE);
}

static void check(const wn_replica *replica)
{
    const uint32_t cells = replica->width * replica->height;
    if (!replica->ready) {
        return;
    }
    for (uint32_t i = 0; i < cells; i++) {
        FUZZ_REQUIRE((replica->cells[i] >> 1) < mode.n_tiles);
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        FUZZ_REQUIRE(replica->sprites[i].at < cells && replica->sprites[i].tile < mode.n_tiles &&
                     replica->sprites[i].facing <= 8);
        FUZZ_REQUIRE(i == 0 || replica->sprites[i - 1].id < replica->sprites[i].id);
    }
    for (uint32_t i = 0; i < replica->region_count; i++) {
        const wn_region_state *region = &replica->regions[i];
        FUZZ_REQUIRE(region->width == 0 || (region->at % replica->width + region->width <= replica->width &&
                                            region->at / replica->width + region->height <= replica->height));
    }
    FUZZ_REQUIRE(replica->focus < cells || replica->focus == WN_NO_FOCUS);
    FUZZ_REQUIRE(replica->facing <= 8 && replica->message_count <= WN_CLIENT_MESSAGES);
}

void fuzz(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    wn_replica *replica = wn_replica_new(&mode);
    while (input.size > 0) {
        size_t length;
        wn_error error;
        const uint8_t *piece = fuzz_piece(&input, 8, &length);
        wn_arena_reset(arena);
        const Warren__Update *update = wn_update_decode(arena, piece, length, &error);
        /* Large views cost time and show nothing that small ones do not. */
        if (update != NULL && !(update->body_case == WARREN__UPDATE__BODY_KEYFRAME &&
                                (uint64_t)update->keyframe->width * update->keyframe->height > 4096)) {
            const uint64_t before = replica->sequence;
            const bool done = wn_replica_apply(replica, update) == WN_APPLY_DONE;
            FUZZ_REQUIRE(done || replica->sequence == before);
        }
    }
    check(replica);
    wn_replica_free(replica);
}
