/* sound.c: see sound.h. The device's thread calls wn_mixer_mix() and nothing else. */
#include "sound.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "synth.h"

struct wn_sound {
    wn_mixer mixer;
    SDL_AudioDeviceID device; /* 0: none */
    uint32_t volume;
    char why[320];
};

static void fill(void *user, Uint8 *bytes, int size)
{
    wn_sound *sound = user;
    union {
        Uint8 *bytes;
        int16_t *pairs; /* SDL's buffers fit every type */
    } buffer = {bytes};
    wn_mixer_mix(&sound->mixer, buffer.pairs, (size_t)size / 4);
}

static void open_device(wn_sound *sound)
{
    const SDL_AudioSpec wanted = {.freq = WN_SAMPLE_RATE,
                                  .format = AUDIO_S16SYS,
                                  .channels = 2,
                                  .samples = 512, /* 23 ms: a step is heard when it is seen */
                                  .callback = fill,
                                  .userdata = sound};
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        snprintf(sound->why, sizeof sound->why, "No sound: %s.", SDL_GetError());
        return;
    }
    sound->device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    if (sound->device == 0) {
        snprintf(sound->why, sizeof sound->why, "No sound: %s.", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return;
    }
    SDL_PauseAudioDevice(sound->device, 0);
}

wn_sound *wn_sound_new(uint32_t volume)
{
    wn_sound *sound = calloc(1, sizeof *sound);
    if (sound) {
        wn_sound_set_volume(sound, volume);
        open_device(sound);
    }
    return sound;
}

void wn_sound_free(wn_sound *sound)
{
    if (!sound) {
        return;
    }
    if (sound->device != 0) {
        SDL_CloseAudioDevice(sound->device);
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
    }
    free(sound);
}

const char *wn_sound_why_silent(const wn_sound *sound)
{
    return sound->device == 0 ? sound->why : NULL;
}

void wn_sound_set_volume(wn_sound *sound, uint32_t volume)
{
    sound->volume = volume < 100 ? volume : 100;
    wn_mixer_set_volume(&sound->mixer, sound->volume);
}

void wn_sound_play(wn_sound *sound, const char *cue, wn_hearing hearing)
{
    if (sound->device != 0 && sound->volume > 0) {
        wn_mixer_play(&sound->mixer, cue, hearing);
    }
}
