/* sound.h: cues on SDL's audio device. Where there is none all of it works, and is silent.
 */
#ifndef WARREN_SOUND_H
#define WARREN_SOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "mixer.h"

typedef struct wn_sound wn_sound;

/* Opens the device (SDL's audio is begun if it was not); volume 0 to 100. NULL: no memory. */
wn_sound *wn_sound_new(uint32_t volume);
void wn_sound_free(wn_sound *sound); /* NULL is fine */

/* Why nothing can be heard, a sentence to say once to who wants to know; NULL: it can. */
const char *wn_sound_why_silent(const wn_sound *sound);

void wn_sound_set_volume(wn_sound *sound, uint32_t volume); /* 0 to 100 */

/* A cue of warren.proto, as heard from that place (wn_hear() in mixer.h). Unknown ones are not heard. */
void wn_sound_play(wn_sound *sound, const char *cue, wn_hearing hearing);

#endif
