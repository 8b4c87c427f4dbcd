/* maze_fixture.c: see maze_fixture.h. */
#include "maze_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct fixture_mode fixture_mode = {.path = MAZE_MODE, .seed = 19970401, .settings = ""};

game *fixture_game(const fixture *world)
{
    return fixture_state(world);
}

struct runner *runner(const fixture *world, uint32_t seat)
{
    return &fixture_game(world)->runners[seat];
}

/* turns */

void walk(fixture *world, uint32_t seat, uint32_t direction)
{
    fixture_add(world, seat, ACTION_STEP, direction * 2);
    fixture_turn(world);
}

/* scenes */

static void clear(game *state)
{
    memset(state->squares, 1, (size_t)state->side * (size_t)state->side);
    memset(state->boulders, 0, state->words * sizeof *state->boulders);
    state->monster_count = 0;
}

static void paint(game *state, struct maze_square at, char sign)
{
    uint8_t *square = &state->squares[at.y * state->side + at.x];
    *square = sign == '#' ? 1 : 0;
    if (sign == 'O') {
        flip_bit(state, state->boulders, at);
    } else if (sign == 'M') {
        state->monsters[state->monster_count++] = (struct monster){.at = at, .lair = at, .facing = EAST};
    } else if (sign >= '0' && sign <= '9') {
        REQUIRE(state->runners[sign - '0'].taken);
        state->runners[sign - '0'].at = at;
    }
}

static void find_features(game *state, const char *const *rows)
{
    state->north = state->finale = (struct maze_square){0, 0}; /* in the wall, unless they are drawn */
    for (int32_t y = 0; rows[y] != NULL; y++) {
        const char *north = strchr(rows[y], '='), *finale = strchr(rows[y], '*');
        if (north != NULL) {
            state->north = (struct maze_square){(int32_t)(north - rows[y]) + 1, y + 1};
        }
        if (finale != NULL) {
            state->finale = (struct maze_square){(int32_t)(finale - rows[y]) + 1, y + 1};
        }
    }
    state->sanctuary = (struct box){state->north.x, state->north.y, state->north.x, state->north.y};
}

void scene(fixture *world, const char *const *rows)
{
    game *state = fixture_game(world);
    clear(state);
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            REQUIRE(x + 2 < state->side && y + 2 < state->side);
            paint(state, (struct maze_square){x + 1, y + 1}, rows[y][x]);
        }
    }
    game_survey(state);
    find_features(state, rows);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        if (state->runners[seat].taken) {
            look_forget(state, seat);
            look_around(state, seat);
        }
    }
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i]) {
            fixture_watch(world, i - 1, false);
            fixture_watch(world, i - 1, true);
        }
    }
}

/* What stands in a square of the truth. */
static char sign_at(const game *state, struct maze_square at)
{
    for (uint32_t seat = 0; seat < 10; seat++) {
        if (state->runners[seat].taken && !state->runners[seat].arrived && is_same(state->runners[seat].at, at)) {
            return (char)('0' + seat);
        }
    }
    for (uint32_t i = 0; i < state->monster_count; i++) {
        if (is_same(state->monsters[i].at, at)) {
            return 'M';
        }
    }
    if (height_at(state, at) > 0) {
        return '#';
    }
    if (bit_of(state, state->boulders, at)) {
        return 'O';
    }
    return is_same(at, state->finale) ? '*' : is_same(at, state->north) ? '=' : ' ';
}

void expect(const fixture *world, const char *const *rows)
{
    const game *state = fixture_game(world);
    char text[4096];
    size_t size = 0;
    bool same = true;
    for (int32_t y = 0; rows[y] != NULL; y++) {
        for (int32_t x = 0; rows[y][x] != '\0'; x++) {
            text[size] = sign_at(state, (struct maze_square){x + 1, y + 1});
            same = same && text[size] == rows[y][x];
            size++;
        }
        size += (size_t)snprintf(text + size, 64, "    %.50s\n", rows[y]);
    }
    ck_assert_msg(same, "is, and should be:\n%.*s", (int)size, text);
}

/* views */

uint16_t cell_shown(const fixture *world, int32_t seat, struct maze_square at)
{
    return fixture_cell(world, seat, (uint32_t)at.x, (uint32_t)at.y);
}

bool fixture_shows_sprite(const fixture *world, int32_t seat, uint32_t id)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        if (view.sprites[i].id == id) {
            return true;
        }
    }
    return false;
}

/* invariants */

/* Which squares can be walked to from the northern feature, if boulders are walls. */
static void flood(const game *state, uint8_t *reached, struct maze_square *queue)
{
    uint32_t head = 0, tail = 0;
    memset(reached, 0, (size_t)state->side * (size_t)state->side);
    queue[tail++] = state->north;
    reached[state->north.y * state->side + state->north.x] = 1;
    while (head < tail) {
        const struct maze_square at = queue[head++];
        for (uint32_t i = 0; i < DIRECTIONS; i++) {
            const struct maze_square to = next_to(at, i);
            uint8_t *mark = &reached[to.y * state->side + to.x];
            if (*mark == 0 && is_free(state, to)) {
                *mark = 1;
                queue[tail++] = to;
            }
        }
    }
}

/* No boulder keeps anybody from the finale, nor where halls are wide from anything. */
static void check_ways(const game *state)
{
    const size_t squares = (size_t)state->side * (size_t)state->side;
    uint8_t *reached = malloc(squares);
    struct maze_square *queue = malloc(squares * sizeof *queue), at;
    REQUIRE(reached != NULL && queue != NULL);
    flood(state, reached, queue);
    REQUIRE(reached[state->finale.y * state->side + state->finale.x]);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        const struct runner *who = &state->runners[seat];
        REQUIRE(!who->taken || who->arrived || reached[who->at.y * state->side + who->at.x]);
    }
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < state->side; at.x++) {
            const bool boulder = bit_of(state, state->boulders, at), wall = height_at(state, at) > 0;
            REQUIRE(!(boulder && wall));
            REQUIRE(is_free(state, at) == !(boulder || wall));
            REQUIRE(state->shape.hall == 1 || !is_free(state, at) || reached[at.y * state->side + at.x]);
        }
    }
    free(queue);
    free(reached);
}

static void check_runner(const game *state, uint32_t seat)
{
    const struct runner *who = &state->runners[seat];
    struct wn_sight fresh = {.width = (uint32_t)state->side, .height = (uint32_t)state->side, .stride = state->stride};
    uint64_t *visible = calloc(state->words, sizeof *visible);
    REQUIRE(visible != NULL);
    fresh.opaque = state->opaque;
    fresh.visible = visible;
    wn_sight_look(&fresh, who->at.x, who->at.y, 0);
    REQUIRE(is_free(state, who->at));
    REQUIRE(who->arrived || !is_same(who->at, state->finale));
    REQUIRE(!(who->running && who->arrived));
    REQUIRE(who->arrived || memcmp(visible, who->sight.visible, state->words * sizeof *visible) == 0);
    for (uint32_t word = 0; word < state->words && !who->arrived; word++) {
        REQUIRE((visible[word] & ~who->known[word]) == 0);
        REQUIRE(((state->boulders[word] ^ who->boulders[word]) & visible[word]) == 0);
        REQUIRE((who->boulders[word] & ~who->known[word]) == 0);
    }
    free(visible);
}

static uint32_t tile_of(const game *state, struct maze_square at, bool boulder)
{
    if (height_at(state, at) > 0) {
        return TILE_WALL + height_at(state, at) - 1u;
    }
    return boulder                      ? TILE_BOULDER
           : is_same(at, state->finale) ? TILE_FINALE
           : is_same(at, state->north)  ? TILE_NORTH
                                        : TILE_FLOOR;
}

/* A watched view shows what its seat has seen, as it saw it, and nobody whom it does not see now. */
static void check_view(const fixture *world, int32_t seat)
{
    const game *state = fixture_game(world);
    const struct runner *who = seat >= 0 && !state->runners[seat].arrived ? &state->runners[seat] : NULL;
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    struct maze_square at;
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < state->side; at.x++) {
            uint16_t is = WN_CELL(tile_of(state, at, bit_of(state, state->boulders, at)));
            if (who != NULL && !bit_of(state, who->known, at)) {
                is = WN_CELL(TILE_UNKNOWN);
            } else if (who != NULL && !wn_sight_sees(&who->sight, at.x, at.y)) {
                is = WN_REMEMBERED(tile_of(state, at, bit_of(state, who->boulders, at)));
            }
            REQUIRE(view.cells[at.y * state->side + at.x] == is);
        }
    }
    uint32_t sprites = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS + state->monster_count; i++) {
        const bool there = i >= WN_MAX_SEATS || (state->runners[i].taken && !state->runners[i].arrived);
        at = i < WN_MAX_SEATS ? state->runners[i].at : state->monsters[i - WN_MAX_SEATS].at;
        sprites += there && (who == NULL || wn_sight_sees(&who->sight, at.x, at.y));
    }
    REQUIRE(view.sprite_count == sprites);
}

void fixture_check(const fixture *world)
{
    const game *state = fixture_game(world);
    uint32_t arrived = 0;
    if (state->north.x > 0 && state->finale.x > 0) { /* a scene may have drawn none */
        check_ways(state);
    }
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        if (state->runners[seat].taken) {
            check_runner(state, seat);
            arrived += state->runners[seat].arrived;
        }
    }
    REQUIRE(arrived <= state->arrived);
    for (uint32_t i = 0; i < state->monster_count; i++) {
        REQUIRE(is_free(state, state->monsters[i].at));
        REQUIRE(!is_in(&state->sanctuary, state->monsters[i].at));
        REQUIRE(!is_same(state->monsters[i].at, state->finale));
        for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
            const struct runner *who = &state->runners[seat];
            REQUIRE(!who->taken || who->arrived || !is_same(who->at, state->monsters[i].at));
        }
    }
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i] && (i == 0 || state->runners[i - 1].taken)) {
            check_view(world, i - 1);
        }
    }
}
