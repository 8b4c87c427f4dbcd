/* worlds.c: see worlds.h. */
#include "worlds.h"

#include "fuzz.h"

static const struct {
    const char *path;
    const char *settings[8]; /* name, value, ..., NULL */
} modes[FUZZ_MODES] = {
    {FUZZ_MODE_DIR "/caves.so", {"width", "24", "height", "16", "lichens", "5"}},
    {FUZZ_MODE_DIR "/hunt.so", {"width", "15", "height", "9"}},
    {FUZZ_MODE_DIR "/maze.so", {"cells", "5"}},
    {FUZZ_MODE_DIR "/polar.so", {"pack", "title: One\n00000\n00503\n00000\n\ntitle: Two\n0400\n0053\n0000\n"}},
};
static wn_plugin *plugins[FUZZ_MODES];

void worlds_open(void)
{
    for (unsigned i = 0; i < FUZZ_MODES; i++) {
        wn_error error = {0};
        plugins[i] = wn_plugin_open(modes[i].path, &error);
        FUZZ_REQUIRE(plugins[i] != NULL);
    }
}

wn_hosted *worlds_make(unsigned mode, uint64_t turn, const void *snapshot, size_t size)
{
    Warren__SettingValue values[4];
    const Warren__SettingValue *settings[4];
    wn_error error = {0};
    wn_world_options options = {.id = 1,
                                .seed = 7,
                                .settings = settings,
                                .memory_limit = 8 << 20,
                                .snapshot = snapshot,
                                .snapshot_size = size,
                                .snapshot_turn = turn};
    for (const char *const *at = modes[mode].settings; *at != NULL; at += 2) {
        Warren__SettingValue *value = &values[options.setting_count];
        warren__setting_value__init(value);
        value->name = (char *)(uintptr_t)at[0];
        value->value = (char *)(uintptr_t)at[1];
        settings[options.setting_count++] = value;
    }
    return wn_hosted_new(plugins[mode], &options, &error);
}
