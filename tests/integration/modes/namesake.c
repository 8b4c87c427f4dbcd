/* namesake.c: a mode for tests that has settings by the names of the server's own: `join`, of another kind, and `bots`,
 * which can be below zero. Nothing happens in it.
 */
#include <warren/mode.h>

enum { SIDE = 4 };

static const wn_tile tiles[] = {{"floor", ".", ".", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0}};
static const wn_action actions[] = {{1, "wait", "Wait", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER}};
static const char *const hands[] = {"left", "right", NULL};
static const wn_setting settings[] = {
    {"join", WN_SETTING_CHOICE, 0, 0, "left", hands, "With which hand"},
    {"bots", WN_SETTING_INTEGER, -5, 5, "-3", NULL, "How many more there are than there should be"},
    {"one", WN_SETTING_TEXT, 0, 9, "", NULL, "Nothing"},
    {"two", WN_SETTING_TEXT, 0, 9, "", NULL, "Nothing"},
    {"three", WN_SETTING_TEXT, 0, 9, "", NULL, "Nothing"},
    {"four", WN_SETTING_TEXT, 0, 9, "", NULL, "Nothing"}};

static bool create(wn_world *world)
{
    (void)world;
    return true;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    (void)world, (void)seat, (void)player;
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    (void)world, (void)seat;
}

static void turn(wn_world *world, const wn_turn *turn)
{
    (void)world, (void)turn;
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    (void)seat;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, SIDE, SIDE);
    }
}

static void save(wn_world *world, wn_writer *writer)
{
    (void)world, (void)writer;
}

static bool load(wn_world *world, wn_reader *reader)
{
    (void)world, (void)reader;
    return true;
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof descriptor,
        .name = "namesake",
        .title = "Namesake",
        .summary = "Has settings like the server's",
        .version = "1",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = 2,
        .tiles = tiles,
        .tile_count = 1,
        .actions = actions,
        .action_count = 1,
        .settings = settings,
        .setting_count = sizeof settings / sizeof *settings,
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
