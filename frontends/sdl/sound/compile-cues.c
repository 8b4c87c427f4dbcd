/* compile-cues.c: makes a C file with the samples of all cues from cues.txt, while Warren is built:
 *     compile-cues cues.txt samples.c
 * or, to listen to, a WAVE file with one of them: compile-cues cues.txt dig dig.wav
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth.h"

enum { EXIT_USAGE = 64, TEXT_MOST = 65536 };

static bool read_cues(wn_cues *cues, const char *path)
{
    static char text[TEXT_MOST];
    char why[320];
    FILE *from = fopen(path, "r");
    const size_t size = from ? fread(text, 1, sizeof text - 1, from) : 0;
    if (!from || ferror(from) || size == sizeof text - 1) {
        fprintf(stderr, "compile-cues: %s cannot be read, or is longer than %d bytes.\n", path, TEXT_MOST - 2);
        if (from) {
            fclose(from);
        }
        return false;
    }
    fclose(from);
    text[size] = '\0';
    if (!wn_cues_parse(cues, text, why, sizeof why)) {
        fprintf(stderr, "compile-cues: %s, %s\n", path, why);
        return false;
    }
    return true;
}

static void write_samples(FILE *to, size_t number, const int16_t *samples, size_t length)
{
    fprintf(to, "static const int16_t cue_%zu[] = {", number);
    for (size_t i = 0; i < length; i++) {
        fprintf(to, "%s%" PRId16 ",", i % 24 ? "" : "\n", samples[i]);
    }
    fputs("\n};\n", to);
}

static bool write_source(const wn_cues *cues, FILE *to)
{
    fputs("/* Made from cues.txt. */\n#include \"mixer.h\"\n", to);
    for (size_t i = 0; i < cues->count; i++) {
        const size_t length = wn_cue_length(&cues->all[i]);
        int16_t *samples = malloc(length * sizeof *samples);
        if (!samples) {
            return false;
        }
        wn_cue_render(&cues->all[i], samples);
        write_samples(to, i, samples, length);
        free(samples);
    }
    fputs("const wn_sample wn_cue_samples[] = {\n", to);
    for (size_t i = 0; i < cues->count; i++) {
        fprintf(to, "    {\"%s\", cue_%zu, %zu},\n", cues->all[i].name, i, wn_cue_length(&cues->all[i]));
    }
    fprintf(to, "};\nconst size_t wn_sample_count = %zu;\n", cues->count);
    return true;
}

static void put_number(FILE *to, uint32_t number, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        putc((int)(number >> (8 * i) & 0xff), to);
    }
}

/* One channel of 16 bits: RIFF, fmt and data. */
static bool write_wave(const wn_cues *cues, const char *name, FILE *to)
{
    for (size_t i = 0; i < cues->count; i++) {
        const size_t length = wn_cue_length(&cues->all[i]);
        int16_t *samples = strcmp(cues->all[i].name, name) ? NULL : malloc(length * sizeof *samples);
        if (!samples) {
            continue;
        }
        wn_cue_render(&cues->all[i], samples);
        fputs("RIFF", to);
        put_number(to, (uint32_t)(36 + length * 2), 4);
        fputs("WAVEfmt ", to);
        static const struct {
            uint32_t number, bytes;
        } format[] = {{16, 4}, {1, 2}, {1, 2}, {WN_SAMPLE_RATE, 4}, {WN_SAMPLE_RATE * 2, 4}, {2, 2}, {16, 2}};
        for (size_t field = 0; field < sizeof format / sizeof *format; field++) {
            put_number(to, format[field].number, format[field].bytes);
        }
        fputs("data", to);
        put_number(to, (uint32_t)(length * 2), 4);
        for (size_t sample = 0; sample < length; sample++) {
            put_number(to, (uint16_t)samples[sample], 2);
        }
        free(samples);
        return true;
    }
    fprintf(stderr, "compile-cues: there is no cue %s.\n", name);
    return false;
}

int main(int count, char **words)
{
    static wn_cues cues;
    if (count != 3 && count != 4) {
        fputs("Usage: compile-cues CUES.txt OUT.c\n       compile-cues CUES.txt CUE OUT.wav\n", stderr);
        return EXIT_USAGE;
    }
    if (!read_cues(&cues, words[1])) {
        return EXIT_FAILURE;
    }
    const char *path = words[count - 1];
    FILE *to = fopen(path, "wb");
    if (!to) {
        perror(path);
        return EXIT_FAILURE;
    }
    const bool made = count == 3 ? write_source(&cues, to) : write_wave(&cues, words[2], to);
    const bool written = fclose(to) == 0;
    if (!made || !written) {
        remove(path);
        fprintf(stderr, "compile-cues: %s could not be written.\n", path);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
