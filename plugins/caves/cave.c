/* cave.c: the map as rows of bits: generation, digging, and finding empty cells. Nothing of what moves in it but the
 * bits that say where somebody stands.
 */
#include "caves.h"

const position cave_offset[8] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};

/* With a word before it: the neighbour to the north-west of the first cell is looked for there. */
static uint64_t *grid_new(const cave *map, wn_world *world)
{
    uint64_t *words = wn_alloc(world, (cave_words(map) + 1) * sizeof *words);
    return words != NULL ? words + 1 : NULL;
}

bool cave_make(cave *map, wn_world *world, uint32_t width, uint32_t height)
{
    *map = (cave){.width = width, .height = height, .stride = width / 64 + 1};
    map->floor = grid_new(map, world);
    map->taken = grid_new(map, world);
    return map->floor != NULL && map->taken != NULL;
}

/* The bits of a row's last word that are cells. */
static uint64_t last_word_mask(const cave *map)
{
    return (UINT64_C(1) << map->width % 64) - 1;
}

static void clear_spare_bits(cave *map)
{
    const uint64_t mask = last_word_mask(map);
    for (uint32_t y = 0; y < map->height; y++) {
        map->floor[(size_t)map->stride * (y + 2) - 1] &= mask;
    }
}

/* Of three bits each at 64 places: their sum's low and high bit. A full adder. */
#define SUM_LOW(a, b, c)  ((a) ^ (b) ^ (c))
#define SUM_HIGH(a, b, c) (((a) & (b)) | ((c) & ((a) ^ (b))))

/* The floor cells among each cell and those above and below it: `ones` + 2 * `twos`. */
static void add_columns(const uint64_t *restrict floor, uint64_t *restrict ones, uint64_t *restrict twos, size_t stride,
                        size_t end)
{
    for (size_t i = stride; i < end; i++) {
        const uint64_t above = floor[i - stride], here = floor[i], below = floor[i + stride];
        ones[i] = SUM_LOW(above, here, below);
        twos[i] = SUM_HIGH(above, here, below);
    }
}

/* Adds each column's sum to those of its left and right neighbour and keeps where the block of nine has at least five
 * floor cells. The bits shifted in at a row's ends are spare ones, 0. */
static void keep_majorities(uint64_t *restrict floor, const uint64_t *restrict ones, const uint64_t *restrict twos,
                            size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const uint64_t ones_west = ones[i] << 1 | ones[i - 1] >> 63, ones_east = ones[i] >> 1 | ones[i + 1] << 63;
        const uint64_t twos_west = twos[i] << 1 | twos[i - 1] >> 63, twos_east = twos[i] >> 1 | twos[i + 1] << 63;
        const uint64_t one = SUM_LOW(ones_west, ones[i], ones_east);
        const uint64_t two_carried = SUM_HIGH(ones_west, ones[i], ones_east);
        const uint64_t two_summed = SUM_LOW(twos_west, twos[i], twos_east);
        const uint64_t four_summed = SUM_HIGH(twos_west, twos[i], twos_east);
        const uint64_t two = two_carried ^ two_summed, four_carried = two_carried & two_summed;
        const uint64_t four = four_carried ^ four_summed, eight = four_carried & four_summed;
        floor[i] = eight | (four & (two | one));
    }
}

/* Counts 64 cells at a time by bit-sliced addition, over the whole grid as if it were one row: a spare bit stands
 * between any two rows. Sums into it are wrong and cleared. */
bool cave_generate(cave *map, wn_world *world, uint32_t passes)
{
    const size_t begin = map->stride, end = (size_t)map->stride * (map->height + 1);
    for (size_t i = begin; i < end; i++) {
        map->floor[i] = wn_random_bits(world);
    }
    clear_spare_bits(map);
    if (passes > 0) {
        const size_t words = cave_words(map);
        uint64_t *sums = wn_alloc(world, 2 * words * sizeof *sums);
        if (sums == NULL) {
            return false;
        }
        for (uint32_t pass = 0; pass < passes; pass++) {
            add_columns(map->floor, sums, sums + words, map->stride, end);
            keep_majorities(map->floor, sums, sums + words, begin, end);
            clear_spare_bits(map);
        }
        wn_release(world, sums);
    }
    return cave_count(map);
}

bool cave_count(cave *map)
{
    uint64_t spare = 0;
    map->floors = 0;
    for (uint32_t y = 0; y < map->height; y++) {
        const uint64_t *row = map->floor + (size_t)map->stride * (y + 1);
        for (uint32_t i = 0; i < map->stride; i++) {
            map->floors += (uint32_t)__builtin_popcountll(row[i]);
        }
        spare |= row[map->stride - 1] & ~last_word_mask(map);
    }
    return spare == 0;
}

void cave_dig(cave *map, position at)
{
    map->floor[cave_word(map, at)] |= cave_bit(at);
    map->floors++;
}

/* The number of the set bit of `word` that has `rank` set bits below it. */
static uint32_t nth_bit(uint64_t word, uint32_t rank)
{
    while (rank > 0) {
        word &= word - 1;
        rank--;
    }
    return (uint32_t)__builtin_ctzll(word);
}

/* Counts all empty cells, then walks to the one drawn. */
static bool random_empty_by_count(const cave *map, wn_world *world, position *found)
{
    const size_t words = cave_words(map);
    uint32_t empty = 0;
    for (size_t i = 0; i < words; i++) {
        empty += (uint32_t)__builtin_popcountll(map->floor[i] & ~map->taken[i]);
    }
    if (empty == 0) {
        return false;
    }
    uint32_t rank = wn_random(world, empty);
    for (size_t i = map->stride;; i++) {
        const uint64_t word = map->floor[i] & ~map->taken[i];
        const uint32_t here = (uint32_t)__builtin_popcountll(word);
        if (rank < here) {
            found->x = (int32_t)(i % map->stride * 64 + nth_bit(word, rank));
            found->y = (int32_t)(i / map->stride - 1);
            return true;
        }
        rank -= here;
    }
}

/* Draws cells until one is empty, which is quick in a usual cave, and counts when it is not. Both ways are uniform, and
 * which one is taken does not depend on the cell, so the whole is. */
bool cave_random_empty(const cave *map, wn_world *world, position *found)
{
    enum { TRIES = 32 };
    for (int try = 0; try < TRIES; try++) {
        const position at = {(int32_t)wn_random(world, map->width), (int32_t)wn_random(world, map->height)};
        if (cave_is_empty(map, at)) {
            *found = at;
            return true;
        }
    }
    return random_empty_by_count(map, world, found);
}

static uint32_t list_empties(const cave *map, position *list)
{
    uint32_t count = 0;
    for (size_t i = map->stride; i < cave_words(map); i++) {
        for (uint64_t word = map->floor[i] & ~map->taken[i]; word != 0; word &= word - 1) {
            list[count++] = (position){(int32_t)(i % map->stride * 64 + (uint32_t)__builtin_ctzll(word)),
                                       (int32_t)(i / map->stride - 1)};
        }
    }
    return count;
}

/* The beginning of a shuffle: Fisher and Yates, as Knuth has it (The Art of Computer Programming 2, algorithm P). */
position *cave_random_empties(const cave *map, wn_world *world, uint32_t count)
{
    position *list = wn_alloc(world, ((size_t)map->floors + 1) * sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    const uint32_t empty = list_empties(map, list);
    if (empty < count) {
        wn_release(world, list);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = i + wn_random(world, empty - i);
        const position drawn = list[other];
        list[other] = list[i];
        list[i] = drawn;
    }
    return list;
}

bool cave_empty_neighbour(const cave *map, wn_world *world, position at, position *found)
{
    position empty[8];
    uint32_t count = 0;
    for (uint32_t direction = 0; direction < 8; direction++) {
        empty[count] = cave_neighbour(at, direction);
        count += cave_is_empty(map, empty[count]);
    }
    if (count == 0) {
        return false;
    }
    *found = empty[wn_random(world, count)];
    return true;
}
