/* synth.c: reads cues.txt and adds up waves. See synth.h. */
#include "synth.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float loudest = 0.8F; /* of full scale: several cues sound at once */

/* reading */

static const char *const waves[WN_WAVES] = {"sine", "triangle", "square", "noise"};

static const struct word {
    const char *name;
    size_t offset;
    uint32_t least, most;
} words[] = {
    {"from", offsetof(wn_layer, from), 20, 10000},  {"to", offsetof(wn_layer, to), 20, 10000},
    {"at", offsetof(wn_layer, at), 0, 3000},        {"for", offsetof(wn_layer, length), 5, 3000},
    {"volume", offsetof(wn_layer, volume), 1, 100}, {"attack", offsetof(wn_layer, attack), 1, 1000},
    {"fade", offsetof(wn_layer, fade), 10, 100},
};

struct reading {
    wn_cues *cues;
    uint32_t line;
    char *why;
    size_t size;
};

static bool fail(const struct reading *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const struct reading *at, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(at->why, at->size, "line %u: %s", at->line, text);
    return false;
}

static bool begin_cue(const struct reading *at, const char *name)
{
    wn_cues *cues = at->cues;
    if (!name || strlen(name) > WN_CUE_NAME) {
        return fail(at, "a cue needs a name of at most %d letters.", WN_CUE_NAME);
    }
    for (size_t i = 0; i < cues->count; i++) {
        if (!strcmp(cues->all[i].name, name)) {
            return fail(at, "there is a cue %s already.", name);
        }
    }
    if (cues->count == WN_CUES) {
        return fail(at, "there can be %d cues.", WN_CUES);
    }
    wn_cue *cue = &cues->all[cues->count++];
    *cue = (wn_cue){0};
    memcpy(cue->name, name, strlen(name) + 1);
    return true;
}

static bool take_number(const struct reading *at, wn_layer *layer, const char *name, const char *number)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, name) != 0) {
            continue;
        }
        char *end = NULL;
        const unsigned long value = number ? strtoul(number, &end, 10) : 0;
        if (!number || *end || value < words[i].least || value > words[i].most) {
            return fail(at, "%s needs a number from %u to %u.", name, words[i].least, words[i].most);
        }
        const uint32_t found = (uint32_t)value;
        memcpy((char *)layer + words[i].offset, &found, sizeof found);
        return true;
    }
    return fail(at, "\"%s\" is none of from, to, at, for, volume, attack, fade.", name);
}

static bool take_layer(const struct reading *at, const char *wave, char **rest)
{
    wn_layer layer = {.wave = WN_WAVES, .volume = 50, .attack = 3, .fade = 20};
    for (size_t i = 0; i < WN_WAVES; i++) {
        if (!strcmp(waves[i], wave)) {
            layer.wave = (wn_wave)i;
        }
    }
    if (layer.wave == WN_WAVES) {
        return fail(at, "\"%s\" is neither cue nor a wave: sine, triangle, square, noise.", wave);
    }
    for (const char *name; (name = strtok_r(NULL, " \t", rest));) {
        if (!take_number(at, &layer, name, strtok_r(NULL, " \t", rest))) {
            return false;
        }
    }
    if (layer.from == 0 || layer.length == 0) {
        return fail(at, "a layer needs from and for.");
    }
    layer.to = layer.to ? layer.to : layer.from;
    wn_cue *cue = at->cues->count > 0 ? &at->cues->all[at->cues->count - 1] : NULL;
    if (!cue || cue->count == WN_CUE_LAYERS) {
        return cue ? fail(at, "a cue can have %d layers.", WN_CUE_LAYERS)
                   : fail(at, "a line \"cue NAME\" comes first.");
    }
    cue->layers[cue->count++] = layer;
    return true;
}

static bool take_line(const struct reading *at, char *line)
{
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    const char *first = strtok_r(line, " \t", &rest);
    if (!first) {
        return true;
    }
    if (strcmp(first, "cue") != 0) {
        return take_layer(at, first, &rest);
    }
    if (at->cues->count > 0 && at->cues->all[at->cues->count - 1].count == 0) {
        return fail(at, "the cue %s has no layers.", at->cues->all[at->cues->count - 1].name);
    }
    return begin_cue(at, strtok_r(NULL, " \t", &rest));
}

bool wn_cues_parse(wn_cues *cues, const char *text, char *why, size_t size)
{
    struct reading at = {cues, 0, why, size};
    cues->count = 0;
    while (*text) {
        char line[512];
        const size_t length = strcspn(text, "\n");
        at.line++;
        if (length >= sizeof line) {
            return fail(&at, "a line can have %zu bytes.", sizeof line - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        if (!take_line(&at, line)) {
            return false;
        }
        text += length + (text[length] == '\n');
    }
    if (cues->count == 0 || cues->all[cues->count - 1].count == 0) {
        return fail(&at, "the last cue has no layers.");
    }
    return true;
}

/* sounding */

static size_t samples_in(uint32_t milliseconds)
{
    return (size_t)milliseconds * WN_SAMPLE_RATE / 1000;
}

size_t wn_cue_length(const wn_cue *cue)
{
    size_t longest = 0;
    for (size_t i = 0; i < cue->count; i++) {
        const size_t end = samples_in(cue->layers[i].at) + samples_in(cue->layers[i].length);
        longest = end > longest ? end : longest;
    }
    return longest;
}

/* The wave at a phase of 0 to 1; each begins at 0 but the square, which the attack lifts. */
static float wave_at(wn_wave wave, float phase)
{
    switch (wave) {
    case WN_WAVE_SINE:
        return sinf(phase * 6.28318531F);
    case WN_WAVE_TRIANGLE:
        return phase < 0.25F ? phase * 4 : phase < 0.75F ? 2 - phase * 4 : phase * 4 - 4;
    case WN_WAVE_SQUARE:
        return phase < 0.5F ? 0.8F : -0.8F;
    default:
        return 0;
    }
}

/* White noise through two low passes of one pole each, made as loud again as it was. */
struct noise {
    uint32_t state;
    float first, second;
};

static float noise_at(struct noise *noise, float cutoff)
{
    const float part = 1 - expf(-6.28318531F * cutoff / WN_SAMPLE_RATE);
    noise->state = noise->state * 1664525u + 1013904223u;
    const float white = (float)(noise->state >> 8) / 8388608.0F - 1;
    noise->first += part * (white - noise->first);
    noise->second += part * (noise->first - noise->second);
    return noise->second / sqrtf(part) * 0.8F;
}

static void add_layer(float *sum, const wn_layer *layer)
{
    const size_t length = samples_in(layer->length);
    const float attack = (float)samples_in(layer->attack);
    struct noise noise = {.state = layer->from * 7919 + layer->length};
    float phase = 0;
    sum += samples_in(layer->at);
    for (size_t i = 0; i < length; i++) {
        const float progress = (float)i / (float)length;
        const float pitch = (float)layer->from * powf((float)layer->to / (float)layer->from, progress);
        const float swell = fminf((float)i / attack, 1);
        const float level = swell * powf(1 - progress, (float)layer->fade / 10) * (float)layer->volume / 100;
        sum[i] += level * (layer->wave == WN_WAVE_NOISE ? noise_at(&noise, pitch) : wave_at(layer->wave, phase));
        phase += pitch / WN_SAMPLE_RATE;
        phase -= floorf(phase);
    }
}

void wn_cue_render(const wn_cue *cue, int16_t *samples)
{
    const size_t length = wn_cue_length(cue);
    float *sum = calloc(length, sizeof *sum);
    memset(samples, 0, length * sizeof *samples);
    if (!sum) {
        return;
    }
    float peak = loudest;
    for (size_t i = 0; i < cue->count; i++) {
        add_layer(sum, &cue->layers[i]);
    }
    for (size_t i = 0; i < length; i++) {
        peak = fmaxf(peak, fabsf(sum[i]));
    }
    for (size_t i = 0; i < length; i++) {
        samples[i] = (int16_t)(sum[i] * loudest / peak * 32767);
    }
    free(sum);
}
