/* print.c: see print.h. */
#include "print.h"

#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* What a square shows, before walls by their height. */
enum { LOOK_FLOOR, LOOK_OBSTACLE, LOOK_NORTH, LOOK_FINALE, LOOK_WALL, SHADES = 4, LOOKS = LOOK_WALL + SHADES };

static bool is_at(struct maze_square square, uint32_t x, uint32_t y)
{
    return square.x == (int32_t)x && square.y == (int32_t)y;
}

/* The cell whose hall a square is in; false: it is in none. */
static bool cell_at(const struct printed_maze *printed, uint32_t x, uint32_t y, uint32_t *cell)
{
    const uint32_t pitch = printed->shape.hall + printed->shape.wall, cells = printed->maze.cells;
    const uint32_t cell_x = x / pitch - 2, cell_y = y / pitch - 2; /* beyond all cells if it is less than 0 */
    *cell = cell_y * cells + cell_x;
    return cell_x < cells && cell_y < cells;
}

static uint32_t look_at(const struct printed_maze *printed, uint32_t x, uint32_t y)
{
    const struct maze *maze = &printed->maze;
    const struct maze_shape *shape = &printed->shape;
    const uint32_t height = printed->squares[(size_t)y * maze_side(maze, shape) + x];
    if (height > 0) { /* the highest is the darkest shade, whatever the number of heights */
        return LOOK_WALL + (height * SHADES - 1) / shape->heights;
    }
    if (is_at(maze_northern_feature(maze, shape), x, y)) {
        return LOOK_NORTH;
    }
    if (is_at(maze_finale(maze, shape), x, y)) {
        return LOOK_FINALE;
    }
    uint32_t cell;
    const bool obstacle = cell_at(printed, x, y, &cell) && (maze->cell[cell] & MAZE_OBSTACLE) != 0 &&
                          is_at(maze_middle(maze, shape, cell), x, y);
    return obstacle ? LOOK_OBSTACLE : LOOK_FLOOR;
}

bool print_digits(const struct printed_maze *printed, FILE *to)
{
    const size_t side = maze_side(&printed->maze, &printed->shape);
    for (size_t at = 0; at < side * side; at++) {
        putc(printed->squares[at] == 0 ? '0' : '1', to);
        if (at % side == side - 1) {
            putc('\n', to);
        }
    }
    return ferror(to) == 0;
}

bool print_glyphs(const struct printed_maze *printed, FILE *to)
{
    static const char *const glyphs[LOOKS] = {" ", "o", "⌂", "★", "░", "▒", "▓", "█"};
    const uint32_t side = maze_side(&printed->maze, &printed->shape);
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            fputs(glyphs[look_at(printed, x, y)], to);
        }
        putc('\n', to);
    }
    return ferror(to) == 0;
}

/* json */

static void print_openings(const struct printed_maze *printed, FILE *to)
{
    const uint32_t cells = printed->maze.cells;
    for (uint32_t y = 0; y < cells; y++) {
        fputs(y == 0 ? "\"" : ",\n    \"", to);
        for (uint32_t x = 0; x < cells; x++) {
            fprintf(to, "%x", printed->maze.cell[y * cells + x] & (unsigned)MAZE_OPENINGS);
        }
        putc('"', to);
    }
}

static void print_obstacles(const struct printed_maze *printed, FILE *to)
{
    bool first = true;
    for (uint32_t cell = 0; cell < printed->maze.cells * printed->maze.cells; cell++) {
        if ((printed->maze.cell[cell] & MAZE_OBSTACLE) != 0) {
            const struct maze_square at = maze_middle(&printed->maze, &printed->shape, cell);
            fprintf(to, "%s[%" PRId32 ", %" PRId32 "]", first ? "" : ", ", at.x, at.y);
            first = false;
        }
    }
}

static void print_heights(const struct printed_maze *printed, FILE *to)
{
    const size_t side = maze_side(&printed->maze, &printed->shape);
    for (size_t y = 0; y < side; y++) {
        fputs(y == 0 ? "\"" : ",\n    \"", to);
        for (size_t x = 0; x < side; x++) {
            putc('0' + printed->squares[y * side + x], to);
        }
        putc('"', to);
    }
}

bool print_json(const struct printed_maze *printed, FILE *to)
{
    const struct maze *maze = &printed->maze;
    const struct maze_shape *shape = &printed->shape;
    const struct maze_square north = maze_northern_feature(maze, shape), finale = maze_finale(maze, shape);
    fprintf(to,
            "{\"cells\": %" PRIu32 ", \"hall\": %" PRIu32 ", \"wall\": %" PRIu32 ", \"heights\": %" PRIu32
            ", \"end\": \"%s\", \"seed\": %" PRIu64 ",\n  \"side\": %" PRIu32 ", \"way\": %" PRIu32
            ", \"north\": [%" PRId32 ", %" PRId32 "], \"finale\": [%" PRId32 ", %" PRId32 "],\n  \"obstacles\": [",
            maze->cells, shape->hall, shape->wall, shape->heights, printed->end, printed->seed, maze_side(maze, shape),
            maze->length, north.x, north.y, finale.x, finale.y);
    print_obstacles(printed, to);
    fputs("],\n  \"openings\": [", to);
    print_openings(printed, to);
    fputs("],\n  \"map\": [", to);
    print_heights(printed, to);
    fputs("]}\n", to);
    return ferror(to) == 0;
}

/* png */

static png_color palette[LOOKS] = {
    {0x1b, 0x1d, 0x22}, {0xc8, 0x8a, 0x4a}, {0x5a, 0xb0, 0xe8}, {0xf2, 0xc8, 0x4b},
    {0x5f, 0x66, 0x70}, {0x87, 0x8e, 0x98}, {0xb0, 0xb6, 0xbe}, {0xdc, 0xe0, 0xe6},
};

static void write_rows(const struct printed_maze *printed, png_structp png, png_byte *row)
{
    const uint32_t side = maze_side(&printed->maze, &printed->shape), scale = printed->scale;
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            memset(row + (size_t)x * scale, (int)look_at(printed, x, y), scale);
        }
        for (uint32_t i = 0; i < scale; i++) {
            png_write_row(png, row);
        }
    }
}

bool print_png(const struct printed_maze *printed, FILE *to)
{
    const png_uint_32 pixels = maze_side(&printed->maze, &printed->shape) * printed->scale;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    png_byte *const row = malloc(pixels);
    volatile bool written = false;
    if (info != NULL && row != NULL && setjmp(png_jmpbuf(png)) == 0) { /* libpng jumps back here when it fails */
        png_init_io(png, to);
        png_set_IHDR(png, info, pixels, pixels, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_set_PLTE(png, info, palette, LOOKS);
        png_write_info(png, info);
        write_rows(printed, png, row);
        png_write_end(png, info);
        written = true;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return written && ferror(to) == 0;
}
