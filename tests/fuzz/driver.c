/* driver.c: runs a target over the files of its corpus and over mutations of them. Without libFuzzer's feedback, so it
 * finds less; but every build and every compiler has it.
 *
 * What fails is what was tried last: its bytes are printed by the handler of the signal that ends it.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

enum { FILES = 4096, LARGEST = 1 << 20, MUTATIONS = 3000, MOST_CHANGES = 8 };

typedef struct sample {
    uint8_t *data;
    size_t size;
} sample;

static sample samples[FILES];
static size_t sample_count;
static struct {
    const uint8_t *data;
    size_t size;
} tried;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t limit)
{
    return limit == 0 ? 0 : (size_t)(draw(state) % limit);
}

/* The input that ends the program, in hexadecimal: `xxd -r -p` makes a file of it. */
static void say_what_failed(int number)
{
    static const char digits[] = "0123456789abcdef";
    char line[65];
    for (size_t at = 0; at < tried.size;) {
        size_t used = 0;
        for (; used < 64 && at < tried.size; at++) {
            line[used++] = digits[tried.data[at] >> 4];
            line[used++] = digits[tried.data[at] & 15];
        }
        line[used++] = '\n';
        if (write(STDERR_FILENO, line, used) < 0) {
            break;
        }
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void try_input(const uint8_t *data, size_t size)
{
    /* A block of exactly that size, so that tools see a read past its end. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, data, size);
    tried.data = copy;
    tried.size = size;
    fuzz(copy, size);
    tried.size = 0;
    free(copy);
}

static void read_sample(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > LARGEST ||
        sample_count == FILES) {
        if (file != NULL) {
            fclose(file);
        }
        return;
    }
    sample *added = &samples[sample_count++];
    added->size = (size_t)status.st_size;
    added->data = malloc(added->size + 1);
    if (added->data == NULL || fread(added->data, 1, added->size, file) != added->size) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    fclose(file);
}

static int compare(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name); /* alphasort() asks the locale */
}

static void read_corpus(const char *directory)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, NULL, compare);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        read_sample(path);
        free(entries[i]);
    }
    free(entries);
}

/* A part of another sample over or into this one, a byte changed, a piece taken out or doubled. */
static size_t change(uint64_t *chance, uint8_t *data, size_t size, size_t room)
{
    const sample *other = &samples[below(chance, sample_count)];
    const size_t at = below(chance, size + 1), length = below(chance, 16) + 1;
    switch (below(chance, 6)) {
    case 0:
        if (at < size) {
            data[at] = (uint8_t)draw(chance);
        }
        return size;
    case 1:
        if (at < size) {
            data[at] ^= (uint8_t)(1u << below(chance, 8));
        }
        return size;
    case 2:
        return at;
    case 3: {
        const size_t gone = length < size - at ? length : size - at;
        memmove(data + at, data + at + gone, size - at - gone);
        return size - gone;
    }
    case 4: {
        const size_t from = below(chance, other->size), most = other->size - from;
        const size_t more = length < most ? length : most;
        if (size + more > room) {
            return size;
        }
        memmove(data + at + more, data + at, size - at);
        memcpy(data + at, other->data + from, more);
        return size + more;
    }
    default: {
        const size_t from = below(chance, other->size), most = other->size - from, left = size - at;
        size_t copied = below(chance, 64) + 1;
        copied = copied < most ? copied : most;
        memcpy(data + at, other->data + from, copied < left ? copied : left);
        return size;
    }
    }
}

static void mutate(uint64_t *chance)
{
    const sample *from = &samples[below(chance, sample_count)];
    const size_t room = from->size + MOST_CHANGES * 16;
    uint8_t *data = malloc(room + 1);
    if (data == NULL) {
        abort();
    }
    memcpy(data, from->data, from->size);
    size_t size = from->size;
    for (size_t left = below(chance, MOST_CHANGES) + 1; left > 0; left--) {
        size = change(chance, data, size, room);
    }
    try_input(data, size);
    free(data);
}

int main(int count, char **arguments)
{
    const char *given = getenv("WARREN_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    const unsigned long mutations = count == 3 ? strtoul(arguments[2], NULL, 10) : MUTATIONS;
    if (count < 2 || count > 3 || mutations == 0) {
        fprintf(stderr,
                "Usage: %s CORPUS [N]\nRuns the target over the files in CORPUS and over N mutations of them; "
                "absent: %d.\n",
                arguments[0], MUTATIONS);
        return 64;
    }
    printf("WARREN_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    read_corpus(arguments[1]);
    if (sample_count == 0) {
        fprintf(stderr, "%s holds no samples\n", arguments[1]);
        return 66;
    }
    const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], say_what_failed);
    }
    fuzz_start();
    for (size_t i = 0; i < sample_count; i++) {
        try_input(samples[i].data, samples[i].size);
    }
    for (unsigned long i = 0; i < mutations; i++) {
        mutate(&seed);
    }
    printf("%zu samples, %lu mutations\n", sample_count, mutations);
    for (size_t i = 0; i < sample_count; i++) {
        free(samples[i].data);
    }
    return 0;
}
