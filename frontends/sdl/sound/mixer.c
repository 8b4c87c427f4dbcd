/* mixer.c: see mixer.h. */
#include "mixer.h"

#include <math.h>
#include <string.h>

enum { FADE = 256, KNEE = 24000, ROOM = 32767 - KNEE };

wn_hearing wn_hear(float dx, float dy, float angle)
{
    const float away = sqrtf(dx * dx + dy * dy);
    if (!(away < 1e6F)) {
        return (wn_hearing){0, 0};
    }
    const float aside = dx * cosf(angle) + dy * sinf(angle);
    const float side = away > 0 ? aside / (away + 3) : 0; /* what is near is heard by both ears */
    const float loudness = 255.0F / (1 + away * away / 120);
    return (wn_hearing){(uint8_t)(loudness * (side > 0 ? 1 - 0.8F * side : 1)),
                        (uint8_t)(loudness * (side < 0 ? 1 + 0.8F * side : 1))};
}

void wn_mixer_set_volume(wn_mixer *mixer, uint32_t percent)
{
    /* Ears hear in steps of a ratio: squared, the middle of the range sounds like the middle. */
    const uint32_t volume = percent < 100 ? percent * percent * 256 / 10000 : 256;
    atomic_store_explicit(&mixer->volume, volume, memory_order_relaxed);
}

bool wn_mixer_play(wn_mixer *mixer, const char *cue, wn_hearing hearing)
{
    const unsigned asked = atomic_load_explicit(&mixer->asked, memory_order_relaxed);
    if (asked - atomic_load_explicit(&mixer->taken, memory_order_acquire) >= WN_MIXER_WAITING) {
        return false;
    }
    for (size_t i = 0; i < wn_sample_count; i++) {
        if (!strcmp(wn_cue_samples[i].name, cue)) {
            mixer->waiting[asked % WN_MIXER_WAITING] = (wn_mixer_request){&wn_cue_samples[i], hearing};
            atomic_store_explicit(&mixer->asked, asked + 1, memory_order_release);
            return true;
        }
    }
    return false;
}

static uint8_t louder(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* A dozen lichens that grow in one turn are one sound, and not one that is a dozen times as loud. */
static bool is_sounding(wn_mixer *mixer, const wn_mixer_request *request)
{
    for (size_t i = 0; i < WN_VOICES; i++) {
        wn_voice *voice = &mixer->voices[i];
        if (voice->sample == request->sample && voice->at < WN_MIXER_SAME) {
            if (voice->at == 0) {
                voice->hearing.left = louder(voice->hearing.left, request->hearing.left);
                voice->hearing.right = louder(voice->hearing.right, request->hearing.right);
            }
            return true;
        }
    }
    return false;
}

static size_t left_of(const wn_voice *voice)
{
    return voice->sample ? voice->sample->length - voice->at : 0;
}

static void begin(wn_mixer *mixer, const wn_mixer_request *request)
{
    if (is_sounding(mixer, request)) {
        return;
    }
    wn_voice *chosen = &mixer->voices[0];
    for (size_t i = 1; i < WN_VOICES; i++) {
        if (left_of(&mixer->voices[i]) < left_of(chosen)) {
            chosen = &mixer->voices[i];
        }
    }
    *chosen = (wn_voice){request->sample, 0, request->hearing};
}

static void take_requests(wn_mixer *mixer)
{
    const unsigned asked = atomic_load_explicit(&mixer->asked, memory_order_acquire);
    unsigned taken = atomic_load_explicit(&mixer->taken, memory_order_relaxed);
    while (taken != asked) {
        begin(mixer, &mixer->waiting[taken++ % WN_MIXER_WAITING]);
    }
    atomic_store_explicit(&mixer->taken, taken, memory_order_release);
}

/* Up to the knee as it is; above it less and less, never reaching full scale. */
static int16_t pressed(int32_t sum)
{
    const int32_t size = sum < 0 ? -sum : sum;
    if (size <= KNEE) {
        return (int16_t)sum;
    }
    const int32_t over = size - KNEE, result = KNEE + (int32_t)((int64_t)over * ROOM / (over + ROOM));
    return (int16_t)(sum < 0 ? -result : result);
}

static void mix_one(wn_mixer *mixer, int32_t *left, int32_t *right)
{
    for (size_t i = 0; i < WN_VOICES; i++) {
        wn_voice *voice = &mixer->voices[i];
        if (!voice->sample) {
            continue;
        }
        const int32_t sample = voice->sample->samples[voice->at++];
        *left += sample * voice->hearing.left / 255;
        *right += sample * voice->hearing.right / 255;
        if (voice->at == voice->sample->length) {
            voice->sample = NULL;
        }
    }
}

void wn_mixer_mix(wn_mixer *mixer, int16_t *pairs, size_t count)
{
    const uint32_t wanted = atomic_load_explicit(&mixer->volume, memory_order_relaxed) * FADE;
    take_requests(mixer);
    for (size_t i = 0; i < count; i++) {
        int32_t left = 0, right = 0;
        mix_one(mixer, &left, &right);
        /* In 1/86 of a second from one end to the other: a volume that jumps clicks. */
        const uint32_t step = FADE;
        if (mixer->level < wanted) {
            mixer->level += wanted - mixer->level < step ? wanted - mixer->level : step;
        } else {
            mixer->level -= mixer->level - wanted < step ? mixer->level - wanted : step;
        }
        pairs[i * 2] = pressed((int32_t)((int64_t)left * mixer->level / (256 * FADE)));
        pairs[i * 2 + 1] = pressed((int32_t)((int64_t)right * mixer->level / (256 * FADE)));
    }
}
