/* raycast.c: the CPU time of a frame of the first-person view, median and 99th percentile, on one core: drawn scenes,
 * and one in the tiles of each mode in the build. The camera turns and sways, so that no two frames are alike.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "first-person.h"
#include "measure.h"
#include "options.h"
#include "raycast-scenes.h"
#include "warren/mode.h"

static uint32_t width = 1280, height = 720, frames = 300, seed = 7;
static const char *pictures, *modes = WARREN_BENCH_MODES;

static const wn_bench_option table[] = {
    {"width", &width, 1, 4096, NULL, "of the picture"},
    {"height", &height, 1, 4096, NULL, "of the picture"},
    {"frames", &frames, 1, 100000, NULL, "that are drawn of each scene"},
    {"seed", &seed, 0, UINT32_MAX, NULL, "of the scenes"},
    {"modes", NULL, 0, 0, &modes, "the directory with the modes"},
    {"pictures", NULL, 0, 0, &pictures, "a directory, into which each scene's first frame goes as a PNG"},
    {0},
};

static void print_row(const char *name, wn_samples *times)
{
    const double median = wn_samples_percentile(times, 50), most = wn_samples_percentile(times, 99);
    printf("%-20s %8.2f ms %8.2f ms %8.0f %8.2f\n", name, median / 1000, most / 1000, 1e6 / most,
           median * 1000 / width / height);
}

static bool keep_picture(const char *name, const uint32_t *pixels)
{
    char path[4096];
    if (!pictures) {
        return true;
    }
    snprintf(path, sizeof path, "%s/%s.png", pictures, name);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_BGRA};
    if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) {
        fprintf(stderr, "bench-raycast: %s cannot be written: %s.\n", path, image.message);
        return false;
    }
    return true;
}

/* Of this thread: what others do on the machine does not count. */
static double cpu_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool measure(const char *name, const wn_scene *scene, wn_camera camera, uint32_t *pixels)
{
    const wn_frame frame = {pixels, width, height, width};
    wn_raycaster *raycaster = wn_raycaster_new();
    wn_samples times = {0};
    const wn_camera start = camera;
    bool good = raycaster && wn_raycast(raycaster, scene, &camera, &frame) && keep_picture(name, pixels);
    for (uint32_t i = 0; i < frames && good; i++) {
        const double before = cpu_us();
        good = wn_raycast(raycaster, scene, &camera, &frame);
        wn_samples_add(&times, cpu_us() - before);
        camera.angle = start.angle + 0.4F * sinf((float)i * 0.05F);
        camera.x = start.x + 0.3F * sinf((float)i * 0.07F);
    }
    if (good) {
        print_row(name, &times);
    }
    wn_samples_free(&times);
    wn_raycaster_free(raycaster);
    return good;
}

static bool measure_scene(uint32_t number, uint32_t *pixels)
{
    wn_bench_scene made;
    if (!wn_bench_scene_make(&made, number, seed)) {
        return false;
    }
    const bool good = measure(wn_bench_scene_name(number), &made.scene, made.camera, pixels);
    wn_bench_scene_free(&made);
    return good;
}

/* What a daemon would tell of the mode's tiles. Text is the descriptor's. */
static void describe(Warren__Tile *tile, const wn_tile *from)
{
    union {
        const char *given;
        char *taken;
    } name = {from->name}, glyph = {from->glyph};
    warren__tile__init(tile);
    tile->name = name.taken;
    tile->glyph = glyph.taken;
    tile->has_foreground = from->foreground >= 0;
    tile->foreground = (uint32_t)from->foreground;
    tile->has_background = from->background >= 0;
    tile->background = (uint32_t)from->background;
    tile->flags = from->flags;
    tile->height = from->height;
}

static bool measure_view(const wn_mode_descriptor *descriptor, uint32_t *pixels)
{
    Warren__Mode mode = WARREN__MODE__INIT;
    Warren__Tile *tiles = calloc(descriptor->tile_count, sizeof *tiles);
    mode.tiles = calloc(descriptor->tile_count, sizeof *mode.tiles);
    mode.n_tiles = descriptor->tile_count;
    char name[WN_MAX_NAME + 1];
    snprintf(name, sizeof name, "%s", descriptor->name);
    mode.name = name;
    for (uint32_t i = 0; tiles && mode.tiles && i < descriptor->tile_count; i++) {
        describe(&tiles[i], &descriptor->tiles[i]);
        mode.tiles[i] = &tiles[i];
    }
    wn_bench_view shown = {0};
    wn_replica *replica = tiles && mode.tiles ? wn_replica_new(&mode) : NULL;
    wn_first_person *view = replica ? wn_first_person_new(&mode, NULL, NULL) : NULL;
    const bool good = view && wn_bench_view_make(&shown, &mode, seed) &&
                      wn_replica_apply(replica, &shown.update) == WN_APPLY_DONE &&
                      wn_first_person_see(view, replica, 0) &&
                      measure(name, wn_first_person_scene(view), wn_first_person_camera(view, 0), pixels);
    wn_bench_view_free(&shown);
    wn_first_person_free(view);
    wn_replica_free(replica);
    free(mode.tiles);
    free(tiles);
    return good;
}

static bool measure_mode(const char *file, uint32_t *pixels)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", modes, file);
    void *library = dlopen(path, RTLD_NOW);
    union {
        void *found;
        wn_mode_function *call;
    } entry = {library ? dlsym(library, "wn_mode") : NULL};
    if (!entry.found) {
        fprintf(stderr, "bench-raycast: %s\n", dlerror());
        return false;
    }
    const bool good = measure_view(entry.call(), pixels);
    dlclose(library);
    return good;
}

static int is_mode(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 3 && !strcmp(entry->d_name + length - 3, ".so");
}

static bool measure_modes(uint32_t *pixels)
{
    struct dirent **found = NULL;
    const int count = scandir(modes, &found, is_mode, alphasort);
    bool good = count >= 0;
    if (!good) {
        perror(modes);
    }
    for (int i = 0; i < count; i++) {
        good = good && measure_mode(found[i]->d_name, pixels);
        free(found[i]);
    }
    free(found);
    return good;
}

int main(int count, char **words)
{
    const int status =
        wn_bench_options_parse(table, "bench-raycast", "Measures the first-person view's frames.", count, words);
    if (status >= 0) {
        return status;
    }
    wn_bench_options_print(table, "bench-raycast");
    uint32_t *pixels = calloc((size_t)width * height, sizeof *pixels);
    bool good = pixels != NULL;
    printf("%-20s %11s %11s %8s %8s\n", "scene", "median", "99 %", "frames/s", "ns/pixel");
    for (uint32_t i = 0; i < WN_BENCH_SCENES && good; i++) {
        good = measure_scene(i, pixels);
    }
    good = good && measure_modes(pixels);
    free(pixels);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
