/* recording_fixture.h: makes recordings by running a mode in the test's own process, turn by turn, and keeps what the
 * views showed, so that a player can be held against it.
 */
#ifndef WARREN_TEST_RECORDING_FIXTURE_H
#define WARREN_TEST_RECORDING_FIXTURE_H

#include "recording.h"
#include "world.h"

typedef struct setting_text {
    const char *name, *value;
} setting_text;

/* A world that is played and recorded. */
typedef struct live {
    wn_plugin *plugin;
    wn_hosted *world;
    wn_recording_writer *writer;
    Warren__SettingValue values[16], *settings[16];
    size_t setting_count;
    wn_buffer inputs; /* of the next turn */
    wn_buffer out;
    uint64_t hash_every; /* turns; 0: never */
    uint64_t wrong_hash; /* a turn whose hash is written wrong; 0: none */
    const char *build;   /* in the header; NULL: the true one */
    const char *version;
} live;

/* `path` of the file that the recording becomes; `mode`: the path of a mode. All after these are set by the caller. */
void live_open(live *game, const char *mode, const setting_text *settings, uint64_t seed);
void live_record(live *game, const char *path, uint64_t seed);
void live_join(live *game, uint32_t seat, const char *player);
void live_leave(live *game, uint32_t seat);
void live_command(live *game, uint32_t seat, uint32_t number, uint32_t action, int64_t argument); /* -1: none */
void live_chat(live *game, const char *from, const char *text);
void live_wake(live *game);
void live_turn(live *game);
void live_close(live *game); /* the recording is whole */

/* So many turns of three players who come, go, walk, dig, fight and talk in small caves. */
void live_caves(live *game, const char *mode, const char *path, uint64_t seed, uint32_t turns);

uint32_t live_chance(uint64_t *state, uint32_t below);

#endif
