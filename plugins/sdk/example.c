/* example.c: a whole mode in one file: players gather coins in a hall; the first to have enough has won. It includes
 * nothing but warren/mode.h and is built with: cc -shared -fPIC -O2 -I include example.c -o coins.so
 */
#include <warren/mode.h>

enum { WIDTH = 40, HEIGHT = 16, COINS = 12, SEATS = 8, THINGS = SEATS + COINS };
enum { TILE_FLOOR, TILE_COIN, TILE_PLAYER };
enum { FORMAT = 1 }; /* of what save() writes */

typedef struct spot {
    int32_t x, y;
} spot;

/* All state hangs on the world; the host gives zeroed memory and takes it back with the world. */
typedef struct coins {
    spot at[SEATS + COINS]; /* of each seat's player, then of the coins */
    uint32_t taken[SEATS];  /* how many coins each has */
    uint32_t seated;        /* bit set: the seat is in use */
} coins;

static const wn_tile tiles[] = {
    {"floor", "·", ".", WN_COLOUR(90, 90, 100), WN_COLOUR_NONE, 0, 0},
    {"coin", "$", "$", WN_COLOUR(240, 200, 60), WN_COLOUR_NONE, 0, 0},
    {"player", "@", "@", WN_COLOUR(255, 255, 255), WN_COLOUR_NONE, WN_TILE_ANIMATED | WN_TILE_BOLD, 0},
};
static const wn_key walk_keys[] = {
    {"up", WN_NORTH}, {"right", WN_EAST}, {"down", WN_SOUTH}, {"left", WN_WEST}, {NULL, 0}};
static const wn_action actions[] = {{1, "walk", "Walk and pick up", WN_ARGUMENT_DIRECTION, walk_keys, WN_PURPOSE_STEP}};
static const wn_setting settings[] = {{"goal", WN_SETTING_INTEGER, 1, 100, "10", NULL, "Coins to win with"}};
static const wn_status status[] = {{"coins", WN_STATUS_GAUGE, "Coins"}};

static spot random_spot(wn_world *world)
{
    const int32_t x = (int32_t)wn_random(world, WIDTH), y = (int32_t)wn_random(world, HEIGHT);
    return (spot){x, y};
}

static coins *new_game(wn_world *world)
{
    coins *game = world->state = wn_alloc(world, sizeof *game);
    if (game == NULL) {
        wn_fail(world, "there is no memory left for a hall");
    }
    return game;
}

static bool create(wn_world *world)
{
    coins *game = new_game(world);
    for (uint32_t i = SEATS; game != NULL && i < THINGS; i++) {
        game->at[i] = random_spot(world);
    }
    return game != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    coins *game = world->state;
    game->at[seat] = random_spot(world);
    game->taken[seat] = 0;
    game->seated |= 1u << seat;
    wn_place(world, (int32_t)seat, game->at[seat].x, game->at[seat].y);
    wn_say(world, WN_EVERYONE, WN_INFO, "%s comes in.", player);
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    ((coins *)world->state)->seated &= ~(1u << seat);
}

static void pick_up(wn_world *world, uint32_t seat, uint32_t coin)
{
    coins *game = world->state;
    game->at[coin] = random_spot(world);
    game->taken[seat]++;
    wn_say(world, (int32_t)seat, WN_GOOD, "A coin!");
    if (game->taken[seat] == (uint32_t)wn_setting_value(world, 0)) {
        wn_end_world(world, "%s has won", wn_seat_name(world, seat));
    }
}

static void turn(wn_world *world, const wn_turn *turn)
{
    static const spot offset[] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, 0}};
    coins *game = world->state;
    for (size_t i = 0; i < turn->count; i++) {
        const uint32_t seat = turn->commands[i].seat;
        const spot by = offset[turn->commands[i].argument];
        spot *at = &game->at[seat];
        if (at->x + by.x >= 0 && at->x + by.x < WIDTH && at->y + by.y >= 0 && at->y + by.y < HEIGHT) {
            *at = (spot){at->x + by.x, at->y + by.y};
            wn_place(world, (int32_t)seat, at->x, at->y);
        }
        for (uint32_t coin = SEATS; coin < THINGS; coin++) {
            if (game->at[coin].x == at->x && game->at[coin].y == at->y) {
                pick_up(world, seat, coin);
            }
        }
    }
}

/* It draws all its sprites each time: the host compares and sends what differs. The floor is tile 0, where nothing was
 * drawn. */
static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const coins *game = world->state;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, WIDTH, HEIGHT);
    }
    wn_sprites_begin(world, view);
    for (uint32_t i = 0; i < THINGS; i++) {
        const bool coin = i >= SEATS;
        if (coin || game->seated >> i & 1) {
            wn_sprite(world, view, i, game->at[i].x, game->at[i].y, coin ? TILE_COIN : TILE_PLAYER, WN_HERE,
                      coin ? NULL : wn_seat_name(world, i));
        }
    }
    if (seat >= 0) {
        wn_status_gauge(world, view, 0, game->taken[seat], wn_setting_value(world, 0));
    }
}

static void save(wn_world *world, wn_writer *writer)
{
    const coins *game = world->state;
    wn_write_u8(writer, world, FORMAT);
    for (uint32_t i = 0; i < THINGS; i++) {
        wn_write_u32(writer, world, (uint32_t)(game->at[i].y * WIDTH + game->at[i].x));
    }
    for (uint32_t i = 0; i < SEATS; i++) {
        wn_write_u32(writer, world, game->taken[i]);
    }
    wn_write_u32(writer, world, game->seated);
}

/* What was saved may be damaged: nothing that is read here can lead outside of the hall. */
static bool load(wn_world *world, wn_reader *reader)
{
    coins *game = new_game(world);
    if (game == NULL) {
        return false;
    }
    if (wn_read_u8(reader, world) != FORMAT) {
        wn_fail(world, "the saved hall is of another version of the mode");
        return false;
    }
    for (uint32_t i = 0; i < THINGS; i++) {
        const uint32_t cell = wn_read_u32(reader, world) % (WIDTH * HEIGHT);
        game->at[i] = (spot){(int32_t)(cell % WIDTH), (int32_t)(cell / WIDTH)};
    }
    for (uint32_t i = 0; i < SEATS; i++) {
        game->taken[i] = wn_read_u32(reader, world);
    }
    game->seated = wn_read_u32(reader, world);
    if (!wn_read_ok(reader, world)) {
        wn_fail(world, "the saved hall ends too early");
    }
    return wn_read_ok(reader, world);
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor mode = {
        .abi = WN_ABI_VERSION,
        .size = sizeof mode,
        .name = "coins",
        .title = "Coins",
        .summary = "Gather coins faster than the others",
        .version = "1",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = SEATS,
        .tiles = tiles,
        .tile_count = 3,
        .actions = actions,
        .action_count = 1,
        .settings = settings,
        .setting_count = 1,
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
    return &mode;
}
