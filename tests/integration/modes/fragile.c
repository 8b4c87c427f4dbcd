/* fragile.c: a mode for tests that does on command what a mode must never do: crash, hang, end its player late. Its
 * view shows how many commands each seat has had executed, so that a lost or a doubled one is seen.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <warren/mode.h>

enum { COUNT = 1, CRASH, HANG, SLOW, DIE_SLOWLY, WIN, SCRIBBLE, ALARM, QUIT, FICKLE, FORGE };
enum { SEATS = 4, SLOW_MS = 150, ALARM_MS = 30, HOST_SOCKET = 3 };

typedef struct tally {
    uint32_t counts[SEATS];
    uint32_t all;
    uint32_t crashes_armed; /* the next wake-up crashes */
} tally;

static const wn_tile tiles[] = {
    {"nothing", " ", " ", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
    {"mark", "+", "+", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
};
static const wn_action actions[] = {
    {COUNT, "count", "Count", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {CRASH, "crash", "Write where nothing is", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {HANG, "hang", "Never return", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {SLOW, "slow", "Take a while, then count", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {DIE_SLOWLY, "die-slowly", "Take a while, then end the seat", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {WIN, "win", "End the world", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {SCRIBBLE, "scribble", "Write into the descriptors above the standard ones", WN_ARGUMENT_NONE, NULL,
     WN_PURPOSE_OTHER},
    {ALARM, "alarm", "Crash at the next wake-up", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {QUIT, "quit", "Call exit", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {FICKLE, "fickle", "Count what no journal holds: the number of the process", WN_ARGUMENT_NONE, NULL,
     WN_PURPOSE_OTHER},
    {FORGE, "forge", "Send the daemon updates of other modes' worlds", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
};
static const wn_setting settings[] = {
    {"crash_create", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Crash while the world is made"},
    {"hang_create", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Hang while the world is made"},
    {"crash_join", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Crash when someone joins"},
    {"crash_save", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Crash when saved"},
    {"crash_draw", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Crash when drawn"},
    {"refuse", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Let nobody in"},
    {"forge_join", WN_SETTING_BOOLEAN, 0, 0, "no", NULL,
     "Tell the daemon, at the first join, that a seat left which is none"},
};
enum { CRASH_CREATE, HANG_CREATE, CRASH_JOIN, CRASH_SAVE, CRASH_DRAW, REFUSE, FORGE_JOIN };
static const wn_status status[] = {{"all", WN_STATUS_NUMBER, "All"}, {"mine", WN_STATUS_NUMBER, "Mine"}};

static void crash(void)
{
    raise(SIGSEGV);
}

static void hang(void)
{
    for (;;) {
        pause();
    }
}

/* When the process ends, and the environment says so. */
__attribute__((destructor)) static void linger(void)
{
    if (getenv("FRAGILE_LINGERS") != NULL) {
        hang();
    }
}

static void take_a_while(void)
{
    const struct timespec length = {.tv_nsec = SLOW_MS * 1000000L};
    nanosleep(&length, NULL);
}

/* Frames as warren-host sends them: of whichever world, since a mode is not told the number of its own. */
static void send_frames(uint8_t *frame, size_t size, size_t world_at)
{
    for (uint8_t id = 1; id < 16; id++) {
        frame[world_at] = id;
        if (write(HOST_SOCKET, frame, size) < 0) {
            return;
        }
    }
}

/* FromHost{update{world, seat = 0, sequence = 99, update}} */
static void forge_updates(void)
{
    uint8_t frame[] = {12, 0, 0, 0, 0x22, 10, 0x08, 0, 0x10, 0, 0x18, 99, 0x22, 2, 0x08, 99};
    send_frames(frame, sizeof frame, 7);
}

/* FromHost{done{world, turn = 1, inputs{input{leave{seat = 77}}}}} */
static void forge_leave(void)
{
    uint8_t frame[] = {14, 0, 0, 0, 0x0a, 12, 0x08, 0, 0x10, 1, 0x1a, 6, 0x0a, 4, 0x12, 2, 0x08, 77};
    send_frames(frame, sizeof frame, 7);
}

static bool create(wn_world *world)
{
    if (wn_setting_value(world, CRASH_CREATE)) {
        crash();
    }
    if (wn_setting_value(world, HANG_CREATE)) {
        hang();
    }
    world->state = wn_alloc(world, sizeof(tally));
    return world->state != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    tally *game = world->state;
    (void)player;
    if (wn_setting_value(world, CRASH_JOIN)) {
        crash();
    }
    if (wn_setting_value(world, FORGE_JOIN)) {
        forge_leave();
    }
    if (wn_setting_value(world, REFUSE)) {
        wn_fail(world, "nobody comes in here");
        return false;
    }
    game->counts[seat] = 0;
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    tally *game = world->state;
    game->counts[seat] = 0;
}

static void scribble(void)
{
    static const char noise[64] = "this is not a frame of any protocol that anyone ever wrote down";
    for (int descriptor = 3; descriptor < 16; descriptor++) {
        if (write(descriptor, noise, sizeof noise) < 0) {
            continue;
        }
    }
}

static void obey(wn_world *world, const wn_command *command)
{
    tally *game = world->state;
    switch (command->action) {
    case CRASH:
        crash();
        break;
    case HANG:
        hang();
        break;
    case SLOW:
        take_a_while();
        break;
    case DIE_SLOWLY:
        take_a_while();
        wn_end_seat(world, command->seat, "tired of waiting");
        break;
    case WIN:
        wn_end_world(world, "won by asking");
        break;
    case SCRIBBLE:
        scribble();
        break;
    case ALARM:
        game->crashes_armed = 1;
        wn_wake(world, ALARM_MS);
        break;
    case QUIT:
        exit(0);
    case FORGE:
        forge_updates();
        break;
    case FICKLE:
        game->all += (uint32_t)getpid();
        break;
    default:
        break;
    }
    game->counts[command->seat]++;
    game->all++;
}

static void turn(wn_world *world, const wn_turn *now)
{
    const tally *game = world->state;
    if (now->woken && game->crashes_armed) {
        crash();
    }
    for (size_t i = 0; i < now->count; i++) {
        obey(world, &now->commands[i]);
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const tally *game = world->state;
    if (wn_setting_value(world, CRASH_DRAW)) {
        crash();
    }
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, 8, 8);
    }
    for (uint32_t i = 0; i < 64; i++) {
        wn_put(world, view, (int32_t)(i % 8), (int32_t)(i / 8), WN_CELL(i < game->all % 65 ? 1 : 0));
    }
    wn_status_number(world, view, 0, game->all);
    if (seat >= 0) {
        wn_status_number(world, view, 1, game->counts[seat]);
    }
}

static void save(wn_world *world, wn_writer *writer)
{
    const tally *game = world->state;
    if (wn_setting_value(world, CRASH_SAVE)) {
        crash();
    }
    for (uint32_t i = 0; i < SEATS; i++) {
        wn_write_u32(writer, world, game->counts[i]);
    }
    wn_write_u32(writer, world, game->all);
    wn_write_u32(writer, world, game->crashes_armed);
}

static bool load(wn_world *world, wn_reader *reader)
{
    tally *game = wn_alloc(world, sizeof *game);
    world->state = game;
    for (uint32_t i = 0; game != NULL && i < SEATS; i++) {
        game->counts[i] = wn_read_u32(reader, world);
    }
    if (game != NULL) {
        game->all = wn_read_u32(reader, world);
        game->crashes_armed = wn_read_u32(reader, world);
    }
    return game != NULL && wn_read_ok(reader, world);
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "fragile",
        .title = "Fragile",
        .summary = "Fails in the ways a mode can fail, when told to",
        .version = "0.1.0",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = SEATS,
        .tiles = tiles,
        .tile_count = COUNT_OF(tiles),
        .actions = actions,
        .action_count = COUNT_OF(actions),
        .settings = settings,
        .setting_count = COUNT_OF(settings),
        .status = status,
        .status_count = COUNT_OF(status),
        .create = create,
        .joined = joined,
        .left = left,
        .turn = turn,
        .draw = draw,
        .save = save,
        .load = load,
    };
    return &descriptor;
}
