/* flawed.c: a mode for tests that breaks the promises of mode.h, one at a time: its setting says which. Without a flaw
 * it is a small good mode: players push a stone along a row, and ask for an opinion about it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <warren/mode.h>

enum { SEATS = 3, WIDTH = 16, HEIGHT = 4, PUSH = 1, ASK = 2, SOON = 30, OPINION = 40 };

enum flaw {
    NONE,
    ADDRESS,
    GLOBAL,
    OUTSIDER,
    FORGETFUL,
    FORGETS_SHOWN,
    GULLIBLE,
    PICKY,
    OUTSIDE,
    PAINTER,
    STALE,
    LEAK,
    WASTE,
    GREEDY,
    CRASH,
    HANG,
    QUIT,
    OVERWRITE,
    BOASTFUL,
    FICKLE,
    UNFRIENDLY,
    SILENT
};
static const char *const flaws[] = {"none",     "address", "global",     "outsider", "forgetful", "forgets-shown",
                                    "gullible", "picky",   "outside",    "painter",  "stale",     "leak",
                                    "waste",    "greedy",  "crash",      "hang",     "quit",      "overwrite",
                                    "boastful", "fickle",  "unfriendly", "silent",   NULL};

typedef struct stone {
    uint32_t at, before, pushes, shown, opinions;
    uint32_t list[4], listed;
} stone;

static uint32_t global;

static const wn_tile tiles[] = {{"floor", ".", ".", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
                                {"stone", "o", "o", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0}};
static const wn_action actions[] = {{PUSH, "push", "Push the stone", WN_ARGUMENT_DIRECTION, NULL, WN_PURPOSE_STEP},
                                    {ASK, "ask", "Ask about it", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER}};
static const wn_setting settings[] = {
    {"flaw", WN_SETTING_CHOICE, 0, 0, "none", flaws, "What is wrong with this mode"},
    {"far", WN_SETTING_INTEGER, 1, 1000, "1", NULL, "How far a push goes; 1000 crashes soon"}};
static const wn_status status[] = {{"pushes", WN_STATUS_NUMBER, "Pushes"}};

static bool has(const wn_world *world, enum flaw flaw)
{
    return wn_setting_value(world, 0) == flaw;
}

static void crash(void)
{
    abort();
}

static bool create(wn_world *world)
{
    if (has(world, SILENT) && wn_setting_value(world, 1) == 1000) {
        return false;
    }
    stone *state = world->state = wn_alloc(world, sizeof *state);
    if (state == NULL && has(world, GREEDY)) {
        crash();
    }
    if (state == NULL) {
        wn_fail(world, "there is no memory for a stone");
    }
    return state != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    (void)player;
    if (has(world, UNFRIENDLY)) {
        wn_fail(world, "seat %u is not for you", seat);
    }
    return !has(world, UNFRIENDLY);
}

static void left(wn_world *world, uint32_t seat)
{
    (void)world;
    (void)seat;
}

static void push(wn_world *world, stone *state, uint32_t direction)
{
    const uint32_t by = direction <= WN_HERE ? direction : 0;
    state->before = state->at;
    state->at = (state->at + by * (uint32_t)wn_setting_value(world, 1)) % WIDTH;
    state->shown = state->pushes % 7;
    state->pushes++;
    state->list[state->listed++ % 4] = state->at;
    state->listed %= 4;
}

static void misbehave(wn_world *world, stone *state)
{
    static void *volatile kept;
    if (has(world, ADDRESS)) {
        state->at = (uint32_t)((uintptr_t)state >> 4) % WIDTH;
    } else if (has(world, GLOBAL)) {
        state->at = ++global % WIDTH;
    } else if (has(world, OUTSIDER)) {
        state->pushes += (uint32_t)getpid();
    } else if (has(world, LEAK)) {
        wn_alloc(world, 24);
    } else if (has(world, WASTE)) {
        wn_release(world, wn_alloc(world, 24));
    } else if (has(world, CRASH) && state->pushes > SOON) {
        crash();
    } else if (has(world, HANG) && state->pushes > SOON) {
        pause();
    } else if (has(world, QUIT) && state->pushes > SOON) {
        exit(0);
    }
    kept = state;
    (void)kept;
}

static void turn(wn_world *world, const wn_turn *turn)
{
    stone *state = world->state;
    for (size_t i = 0; i < turn->count; i++) {
        if (turn->commands[i].action == PUSH) {
            push(world, state, turn->commands[i].argument);
        } else {
            const uint8_t question = (uint8_t)wn_setting_value(world, 0);
            wn_ask(world, turn->commands[i].seat, &question, sizeof question, 100);
        }
    }
    misbehave(world, state);
    if (state->pushes > 4 && wn_setting_value(world, 1) == 1000 && has(world, NONE)) {
        crash();
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    stone *state = world->state;
    (void)seat;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, WIDTH, HEIGHT);
    }
    if (!has(world, STALE)) {
        for (int32_t x = 0; x < WIDTH; x++) {
            wn_put(world, view, x, 1, WN_CELL(0));
        }
    }
    wn_put(world, view, (int32_t)state->at, has(world, OUTSIDE) ? HEIGHT : 1, WN_CELL(1));
    wn_status_number(world, view, 0, state->shown);
    if (has(world, PAINTER)) {
        state->opinions++;
    }
}

static void save(wn_world *world, wn_writer *writer)
{
    const stone *state = world->state;
    wn_write_u32(writer, world, state->at);
    wn_write_u32(writer, world, state->before);
    wn_write_u32(writer, world, has(world, FORGETFUL) ? state->pushes / 8 * 8 : state->pushes);
    wn_write_u32(writer, world, state->opinions);
    wn_write_u32(writer, world, state->listed);
    wn_write_bytes(writer, world, state->list, sizeof state->list);
    if (!has(world, FORGETS_SHOWN)) {
        wn_write_u32(writer, world, state->shown);
    }
}

/* No stone lies in a wall, whatever the save says. */
static bool load(wn_world *world, wn_reader *reader)
{
    if (!create(world)) {
        return false;
    }
    stone *state = world->state;
    state->at = wn_read_u32(reader, world) % WIDTH;
    state->before = wn_read_u32(reader, world);
    state->pushes = wn_read_u32(reader, world);
    state->opinions = wn_read_u32(reader, world);
    state->listed = wn_read_u32(reader, world);
    wn_read_bytes(reader, world, state->list, sizeof state->list);
    state->shown = has(world, FORGETS_SHOWN) ? 0 : wn_read_u32(reader, world);
    if (has(world, GULLIBLE) && state->listed >= 4) {
        crash();
    }
    state->listed %= 4;
    if (has(world, PICKY) && state->pushes > SOON) {
        wn_fail(world, "that is too much for me");
        return false;
    }
    return wn_read_ok(reader, world);
}

/* Knows no world, so the question says which flaw it has. */
static size_t work(const void *question, size_t size, void *answer, size_t room)
{
    static uint8_t times;
    const uint8_t flaw = size > 0 ? *(const uint8_t *)question : NONE;
    const size_t length = room < OPINION && flaw != OVERWRITE ? room : OPINION;
    if (length > 0) {
        memset(answer, flaw == FICKLE ? ++times : 'a', length);
    }
    return flaw == BOASTFUL ? OPINION : length;
}

static void answered(wn_world *world, uint32_t job, const void *answer, size_t size)
{
    stone *state = world->state;
    (void)job;
    state->opinions += answer != NULL ? (uint32_t)size : 1;
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof descriptor,
        .name = "flawed",
        .title = "Flawed",
        .summary = "Breaks one promise",
        .version = "1",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = SEATS,
        .tiles = tiles,
        .tile_count = 2,
        .actions = actions,
        .action_count = 2,
        .settings = settings,
        .setting_count = 2,
        .status = status,
        .status_count = 1,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = turn,
        .draw = draw,
        .save = save,
        .load = load,
        .work = work,
        .answered = answered,
    };
    return &descriptor;
}
