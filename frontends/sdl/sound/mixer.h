/* mixer.h: plays cues together. It knows no audio device: it is asked for samples, by one thread, while another asks
 * for cues. Neither waits for the other, nothing allocates.
 */
#ifndef WARREN_MIXER_H
#define WARREN_MIXER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is built in, made from cues.txt: WN_SAMPLE_RATE (synth.h) a second. */
typedef struct wn_sample {
    const char *name;
    const int16_t *samples;
    size_t length;
} wn_sample;
extern const wn_sample wn_cue_samples[];
extern const size_t wn_sample_count;

enum {
    WN_VOICES = 16, /* that sound at once; when all do, a new one takes the place of the one nearest to its end */
    WN_MIXER_WAITING = 32, /* cues asked for since the last samples were; what is more is not heard */
    WN_MIXER_SAME = 550    /* samples: a cue that began less long ago is not begun again, but was meant by this one */
};

/* How a place is heard. */
typedef struct wn_hearing {
    uint8_t left, right; /* loudness, 0 to 255 */
} wn_hearing;

/* Of what is `dx` squares to the east and `dy` to the south of an ear that looks at `angle` (radians, clockwise from
 * north: 0 for a view from above). */
wn_hearing wn_hear(float dx, float dy, float angle);

typedef struct wn_voice {
    const wn_sample *sample; /* NULL: free */
    size_t at;
    wn_hearing hearing;
} wn_voice;

typedef struct wn_mixer_request {
    const wn_sample *sample;
    wn_hearing hearing;
} wn_mixer_request;

/* All zero is a mixer that is turned down. The first members are shared by both threads, the others are the mixing
 * one's.
 */
typedef struct wn_mixer {
    wn_mixer_request waiting[WN_MIXER_WAITING];
    atomic_uint asked, taken;
    atomic_uint volume; /* 0 to 256 */
    uint32_t level;     /* the volume as it is now: it glides, in 256ths */
    wn_voice voices[WN_VOICES];
} wn_mixer;

/* By the thread that plays. */
void wn_mixer_set_volume(wn_mixer *mixer, uint32_t percent); /* 0 to 100 */
/* false: there is no such cue, or too much waits. */
bool wn_mixer_play(wn_mixer *mixer, const char *cue, wn_hearing hearing);

/* By the thread that mixes: so many pairs of a left and a right sample. What is too loud together is pressed together,
 * not cut. */
void wn_mixer_mix(wn_mixer *mixer, int16_t *pairs, size_t count);

#endif
