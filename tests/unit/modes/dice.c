/* dice.c: a small real mode: players walk and roll dice, something moves by itself. Everything it does depends on
 * chance, so that worlds that should be equal and are not show it at once.
 *
 * Built with another ABI version, a broken descriptor or a fault in it, it is also the modes that cannot be run.
 */
#include <stdlib.h>

#include <warren/mode.h>

#ifndef DICE_ABI
#define DICE_ABI WN_ABI_VERSION
#endif
#ifndef DICE_GLYPH
#define DICE_GLYPH "@"
#endif

enum { SEATS = 3, WIDTH = 24, HEIGHT = 10, WALK = 1, CRASH = 2, END = 3 };

typedef struct walker {
    uint32_t x, y, rolled;
    uint8_t there;
} walker;

typedef struct dice {
    walker walkers[SEATS];
    walker ghost;
} dice;

static const wn_tile tiles[] = {{"floor", ".", ".", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
                                {"wall", "\xe2\x96\x88", "#", WN_COLOUR_NONE, WN_COLOUR_NONE, WN_TILE_OPAQUE, 10},
                                {"player", DICE_GLYPH, "@", WN_COLOUR(255, 255, 0), WN_COLOUR_NONE, 0, 0}};
static const wn_action actions[] = {{WALK, "walk", "Go somewhere", WN_ARGUMENT_DIRECTION, NULL, WN_PURPOSE_OTHER},
                                    {CRASH, "crash", "End this process", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
                                    {END, "end", "End the world", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER}};
static const wn_status status[] = {{"rolled", WN_STATUS_NUMBER, "Rolled"}};

static void appear(wn_world *world, walker *who)
{
    who->x = wn_random(world, WIDTH);
    who->y = wn_random(world, HEIGHT);
    who->there = 1;
}

static bool create(wn_world *world)
{
    dice *self = wn_alloc(world, sizeof *self);
    world->state = self;
    appear(world, &self->ghost);
    wn_wake(world, 250);
    return true;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    dice *self = world->state;
    appear(world, &self->walkers[seat]);
    wn_place(world, (int32_t)seat, (int32_t)self->walkers[seat].x, (int32_t)self->walkers[seat].y);
    wn_say(world, WN_EVERYONE, WN_INFO, "%s is here", player);
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    dice *self = world->state;
    self->walkers[seat] = (walker){0};
    wn_say(world, WN_EVERYONE, WN_INFO, "%s has left", wn_seat_name(world, seat));
}

static void step(walker *who, uint32_t direction)
{
    static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
    static const int dy[] = {-1, -1, 0, 1, 1, 1, 0, -1, 0};
    who->x = (who->x + WIDTH + (uint32_t)dx[direction]) % WIDTH;
    who->y = (who->y + HEIGHT + (uint32_t)dy[direction]) % HEIGHT;
}

static void turn(wn_world *world, const wn_turn *turn)
{
    dice *self = world->state;
    for (size_t i = 0; i < turn->count; i++) {
        walker *who = &self->walkers[turn->commands[i].seat];
        if (turn->commands[i].action == CRASH) {
            abort();
        }
        if (turn->commands[i].action == END) {
            wn_end_world(world, "it was ended");
            continue;
        }
        step(who, turn->commands[i].argument);
        who->rolled = 1 + wn_random(world, 6);
        wn_place(world, (int32_t)turn->commands[i].seat, (int32_t)who->x, (int32_t)who->y);
        wn_say_near(world, (int32_t)who->x, (int32_t)who->y, 5, WN_GOOD, "a %u is rolled", who->rolled);
        if (who->rolled == 6 && wn_chance(world, 1, 4)) {
            wn_record_score(world, turn->commands[i].seat, "sixes", (int64_t)turn->number, "at last");
            wn_end_seat(world, turn->commands[i].seat, "won");
        }
    }
    if (turn->woken) {
        step(&self->ghost, wn_random(world, 8));
        wn_wake(world, 250);
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const dice *self = world->state;
    (void)what;
    wn_view_size(world, view, WIDTH, HEIGHT);
    for (int32_t x = 0; x < WIDTH; x++) {
        wn_put(world, view, x, 0, WN_CELL(1));
    }
    wn_sprites_begin(world, view);
    wn_sprite(world, view, 100, (int32_t)self->ghost.x, (int32_t)self->ghost.y, 2, WN_HERE, NULL);
    for (uint32_t i = 0; i < SEATS; i++) {
        if (self->walkers[i].there) {
            wn_sprite(world, view, i, (int32_t)self->walkers[i].x, (int32_t)self->walkers[i].y, 2, WN_HERE,
                      wn_seat_name(world, i));
        }
    }
    if (seat >= 0) {
        wn_status_number(world, view, 0, self->walkers[seat].rolled);
    }
}

static void save_walker(wn_world *world, wn_writer *writer, const walker *who)
{
    wn_write_u8(writer, world, who->there);
    wn_write_u32(writer, world, who->x);
    wn_write_u32(writer, world, who->y);
    wn_write_u32(writer, world, who->rolled);
}

static void save(wn_world *world, wn_writer *writer)
{
    const dice *self = world->state;
    save_walker(world, writer, &self->ghost);
    for (uint32_t i = 0; i < SEATS; i++) {
        save_walker(world, writer, &self->walkers[i]);
    }
}

static void load_walker(wn_world *world, wn_reader *reader, walker *who)
{
    who->there = wn_read_u8(reader, world);
    who->x = wn_read_u32(reader, world) % WIDTH;
    who->y = wn_read_u32(reader, world) % HEIGHT;
    who->rolled = wn_read_u32(reader, world);
}

static bool load(wn_world *world, wn_reader *reader)
{
    dice *self = wn_alloc(world, sizeof *self);
    world->state = self;
    load_walker(world, reader, &self->ghost);
    for (uint32_t i = 0; i < SEATS; i++) {
        load_walker(world, reader, &self->walkers[i]);
    }
    return wn_read_ok(reader, world);
}

static const wn_mode_descriptor mode = {
    .abi = DICE_ABI,
    .size = sizeof(wn_mode_descriptor),
    .name = "dice",
    .title = "Dice",
    .summary = "Walk and roll",
    .version = "1",
    .authors = "Warren",
    .licence = "MIT",
    .max_seats = SEATS,
    .tiles = tiles,
    .tile_count = sizeof tiles / sizeof tiles[0],
    .actions = actions,
    .action_count = sizeof actions / sizeof actions[0],
    .status = status,
    .status_count = 1,
    .create = create,
    .joined = joined,
    .left = left,
    .turn = turn,
    .draw = draw,
    .save = save,
    .load = load,
};

#ifndef DICE_NO_SYMBOL
const wn_mode_descriptor *wn_mode(void)
{
    return &mode;
}
#else
const wn_mode_descriptor *not_wn_mode(void);
const wn_mode_descriptor *not_wn_mode(void)
{
    return &mode;
}
#endif
