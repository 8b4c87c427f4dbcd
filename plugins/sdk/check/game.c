/* game.c: see game.h. Worlds and settings; inputs are in inputs.c, pictures in pictures.c. */
#include "game.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* chance */

uint64_t chance_bits(uint64_t *chance)
{
    uint64_t z = *chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t chance_below(uint64_t *chance, uint32_t below)
{
    return (uint32_t)((chance_bits(chance) >> 32) * below >> 32);
}

bool chance_once_in(uint64_t *chance, uint32_t of)
{
    return chance_below(chance, of) == 0;
}

/* settings */

static char *random_content(uint64_t seed)
{
    const uint32_t size = chance_below(&seed, 2000);
    char *content = wn_must_allocate(size + 1);
    for (uint32_t i = 0; i < size; i++) {
        content[i] = (char)(1 + chance_below(&seed, chance_once_in(&seed, 9) ? 255 : 126));
    }
    return content;
}

static char *read_content(const char *path)
{
    FILE *file = fopen(path, "re");
    char *content = file ? wn_must_allocate(WN_MAX_FILE + 1) : NULL;
    if (file) {
        content[fread(content, 1, WN_MAX_FILE, file)] = '\0';
        fclose(file);
    }
    return content;
}

/* The content that a file setting's value stands for, allocated; NULL: there is none. */
static char *content_of(const checker *check, const char *value)
{
    static const char random[] = "@random:";
    if (strncmp(value, random, sizeof random - 1) == 0) {
        return random_content(strtoull(value + sizeof random - 1, NULL, 10));
    }
    if (strchr(value, '/')) {
        return read_content(value);
    }
    const char *slash = strrchr(check->options->path, '/');
    const int length = slash ? (int)(slash - check->options->path) : 1;
    char path[4096];
    snprintf(path, sizeof path, "%.*s/%s/%s", length, slash ? check->options->path : ".", check->mode->name, value);
    return read_content(path);
}

static const wn_setting *setting_named(const wn_mode_descriptor *mode, const char *name)
{
    for (uint32_t i = 0; i < mode->setting_count; i++) {
        if (strcmp(mode->settings[i].name, name) == 0) {
            return &mode->settings[i];
        }
    }
    return NULL;
}

static bool take(setting_values *values, const checker *check, char *name, char *value, wn_error *error)
{
    const wn_setting *setting = setting_named(check->mode, name);
    if (values->count == WN_MAX_SETTINGS) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, "", 0, "there are too many settings");
    }
    Warren__SettingValue *taken = &values->list[values->count];
    *taken = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
    taken->name = name;
    taken->value = value;
    if (setting && setting->type == WN_SETTING_FILE) {
        taken->file = strchr(value, '/') ? strrchr(value, '/') + 1 : value;
        taken->value = values->files[values->count] = content_of(check, value);
        if (!taken->value) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, "", 0,
                                "setting \"%s\": there is no file \"%.80s\" in the folder %s beside the mode", name,
                                value, check->mode->name);
        }
    }
    values->pointers[values->count++] = taken;
    return true;
}

bool values_read(setting_values *values, const checker *check, const char *text, wn_error *error)
{
    static char standard[WN_MAX_SETTINGS][WN_MAX_TEXT + 1]; /* of files that are not given */
    *values = (setting_values){0};
    snprintf(values->text, sizeof values->text, "%s", text);
    char *rest = values->text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *equals = strchr(line, '=');
        if (equals) {
            *equals = '\0';
            if (!take(values, check, line, equals + 1, error)) {
                return false;
            }
        }
    }
    const size_t given = values->count;
    for (uint32_t i = 0; i < check->mode->setting_count; i++) {
        const wn_setting *setting = &check->mode->settings[i];
        bool there = setting->type != WN_SETTING_FILE;
        for (size_t j = 0; j < given && !there; j++) {
            there = strcmp(values->list[j].name, setting->name) == 0;
        }
        snprintf(standard[i], sizeof standard[i], "%s", setting->standard);
        if (!there && !take(values, check, (char *)(uintptr_t)setting->name, standard[i], error)) {
            return false;
        }
    }
    return true;
}

void values_free(setting_values *values)
{
    for (size_t i = 0; i < WN_MAX_SETTINGS; i++) {
        free(values->files[i]);
    }
}

/* complaints of the host */

static const struct {
    const char *part; /* of what the host logs */
    check_topic topic;
    const char *advice;
} complaints[] = {
    {"callback where it may not", TOPIC_PLAY, "mode.h says with each call where it may be made."},
    {"outside of draw()", TOPIC_DRAWING, "Draw only in draw(), and only on the view that it was given."},
    {"was drawn in a view", TOPIC_DRAWING, "Clip what you draw to the size that you said with wn_view_size()."},
    {"leaves a view", TOPIC_DRAWING, "Clip what you draw to the size that you said with wn_view_size()."},
    {"a view cannot have", TOPIC_DRAWING, "wn_view_size() takes from 1 to WN_MAX_SIDE cells each way."},
    {"did not say the view's size", TOPIC_DRAWING, "With WN_DRAW_ALL call wn_view_size() before anything else."},
    {"an effect was", TOPIC_PLAY, "The limits of effects stand with wn_show_effect() and wn_effect."},
    {"tile", TOPIC_DRAWING, "A tile's number is its index in the descriptor's table; wn_put() takes WN_CELL(tile)."},
    {"a view has at most", TOPIC_DRAWING, "Draw what has no room as a sprite as a cell."},
    {"status field", TOPIC_DRAWING, "Use the call for the field's kind, with its index in the descriptor's table."},
    {"scoreboard row", TOPIC_DRAWING, "Rows count from 0 to WN_MAX_ROWS - 1, and the descriptor needs columns."},
    {"region", TOPIC_DRAWING, "A region is not empty and lies in the view."},
    {"face", TOPIC_DRAWING, "Directions are WN_NORTH to WN_NORTH_WEST, or WN_HERE."},
    {"cannot be placed", TOPIC_PLAY, "wn_place() takes cells from 0 to WN_MAX_SIDE - 1."},
    {"is free or none", TOPIC_PLAY, "Only taken seats can be named: see joined() and left(), and WN_SPECTATORS."},
    {"there is no setting", TOPIC_PLAY, "Settings go by their index in the descriptor's table."},
    {"are not to be had", TOPIC_MEMORY, "Take less, and check wn_alloc() for NULL."},
    {"load() left", TOPIC_SAVES, "Read the same things in the order in which save() wrote them."},
    {"spectators cannot be", TOPIC_PLAY, "wn_delay_spectators() takes up to WN_MAX_DELAY turns."},
    {"wn_ask()", TOPIC_WORK, "The descriptor needs work() and answered(); the limits stand with wn_ask()."},
};

typedef struct complaint_box {
    check_page *page;
    const observation *seen;
} complaint_box;

/* The mode's own warnings are its own affair. */
static void hear(void *context, uint32_t world, wn_log_level level, const char *text)
{
    const complaint_box *listener = context;
    (void)world;
    if (level != WN_LOG_WARNING || listener->seen->logging) {
        return;
    }
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++) {
        if (strstr(text, complaints[i].part) && strcmp(complaints[i].part, "an effect was") == 0 &&
            listener->seen->showing) {
            return; /* there were more than are shown, which is no promise broken */
        }
        if (strstr(text, complaints[i].part)) {
            found(listener->page, complaints[i].topic, complaints[i].advice, "the host complains: %s", text);
            return;
        }
    }
    found(listener->page, TOPIC_PLAY, NULL, "the host complains: %s", text);
}

/* worlds */

wn_hosted *world_make(checker *check, const world_wish *wish, wn_error *error)
{
    static complaint_box listener; /* lives as long as any world */
    listener.page = check->page;
    listener.seen = observe(check);
    const wn_world_options options = {
        .id = 1, /* of all of them, so that equal worlds send equal bytes */
        .seed = wish->seed,
        .settings = wish->values->pointers,
        .setting_count = wish->values->count,
        .memory_limit = wish->memory,
        .snapshot = wish->saved ? wish->saved->data : NULL,
        .snapshot_size = wish->saved ? wish->saved->size : 0,
        .snapshot_turn = wish->turn,
        .log = wish->quiet ? NULL : hear,
        .log_context = &listener,
    };
    return wn_hosted_new(check->plugin, &options, error);
}

void world_turn(wn_hosted *world, const wn_buffer *inputs, wn_buffer *out)
{
    wn_error error = {0};
    out->size = 0;
    if (!wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, inputs->data, inputs->size, out, &error)) {
        fprintf(stderr, "warren-mode-check: %s\n", error.text); /* a mistake of this program */
        abort();
    }
}

static const Warren__Host__FromHost *decode(wn_arena *arena, const wn_buffer *out)
{
    wn_error error = {0};
    const uint8_t *bytes;
    size_t offset = 0, size;
    const Warren__Host__FromHost *message =
        wn_frame_next(out, &offset, &bytes, &size) == 1 ? wn_from_host_decode(arena, bytes, size, &error) : NULL;
    if (!message) {
        fprintf(stderr, "warren-mode-check: what the host wrote does not decode: %s\n", error.text);
        abort();
    }
    return message;
}

const Warren__Host__TurnDone *world_answer(wn_arena *arena, const wn_buffer *out)
{
    return decode(arena, out)->done;
}

const Warren__Keyframe *world_keyframe(wn_hosted *world, int32_t seat, wn_arena *arena, wn_buffer *out)
{
    wn_error error = {0};
    out->size = 0;
    wn_hosted_watch(world, seat, true, out);
    if (out->size == 0) {
        return NULL;
    }
    const ProtobufCBinaryData bytes = decode(arena, out)->update->update;
    const Warren__Update *update = wn_update_decode(arena, bytes.data, bytes.len, &error);
    return update ? update->keyframe : NULL;
}
