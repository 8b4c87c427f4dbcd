/* synth.h: cues as text and as samples: what cues.txt says, and how it sounds. Used when Warren is built, and by tests.
 */
#ifndef WARREN_SYNTH_H
#define WARREN_SYNTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WN_SAMPLE_RATE = 22050, WN_CUES = 32, WN_CUE_LAYERS = 8, WN_CUE_NAME = 32 };

typedef enum wn_wave { WN_WAVE_SINE, WN_WAVE_TRIANGLE, WN_WAVE_SQUARE, WN_WAVE_NOISE, WN_WAVES } wn_wave;

/* Numbers as cues.txt explains them. */
typedef struct wn_layer {
    wn_wave wave;
    uint32_t from, to, at, length, volume, attack, fade;
} wn_layer;

typedef struct wn_cue {
    char name[WN_CUE_NAME + 1];
    wn_layer layers[WN_CUE_LAYERS];
    size_t count;
} wn_cue;

typedef struct wn_cues {
    wn_cue all[WN_CUES];
    size_t count;
} wn_cues;

/* false: `why` says what is wrong in which line. */
bool wn_cues_parse(wn_cues *cues, const char *text, char *why, size_t size);

size_t wn_cue_length(const wn_cue *cue); /* in samples */
/* Fills that many samples: they begin and end in silence and do not clip. */
void wn_cue_render(const wn_cue *cue, int16_t *samples);

#endif
