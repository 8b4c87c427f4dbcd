/* compile-tiles.c: a program of the build: checks *.tiles files and makes a C file with what they hold, which is how
 * the drawn tiles get into the frontend. Usage: compile-tiles OUTPUT FILE... */
#include <stdio.h>

#include "art.h"

static void write_tile(FILE *file, const wn_art_tile *tile)
{
    fprintf(file, "    {\"");
    for (const char *at = tile->name; *at != '\0'; at++) {
        fprintf(file, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    }
    fprintf(file, "\", %d, {", (int)tile->kind);
    for (int i = 0; i < WN_ART_PIXELS; i++) {
        fprintf(file, "%s0x%xu,", i % WN_ART_SIDE == 0 ? "\n     " : "", tile->pixels[i]);
    }
    fprintf(file, "}},\n");
}

int main(int argc, char **argv)
{
    wn_art art = {0};
    wn_error error;
    for (int i = 2; i < argc; i++) {
        if (!wn_art_read(&art, argv[i], &error)) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    }
    FILE *file = argc < 3 ? NULL : fopen(argv[1], "w");
    if (file == NULL) {
        fprintf(stderr, "usage: compile-tiles OUTPUT FILE...; or OUTPUT cannot be written\n");
        return 1;
    }
    fprintf(
        file,
        "/* Made by compile-tiles from tiles/. */\n#include \"art.h\"\n\nconst wn_art_tile wn_art_built_in[] = {\n");
    for (size_t i = 0; i < art.count; i++) {
        write_tile(file, &art.tiles[i]);
    }
    fprintf(file, "};\nconst size_t wn_art_built_in_count = %zu;\n", art.count);
    wn_art_free(&art);
    return fclose(file) == 0 ? 0 : 1;
}
