/* puppet.c: a mode that does what a test tells it to: see puppet.h. */
#include "puppet.h"

#define TILE                                                                                                           \
    {                                                                                                                  \
        .name = "tile", .glyph = "\xc2\xb7", .ascii = ".", .foreground = WN_COLOUR(1, 2, 3),                           \
        .background = WN_COLOUR_NONE                                                                                   \
    }
#define TEN_TILES TILE, TILE, TILE, TILE, TILE, TILE, TILE, TILE, TILE, TILE

static const wn_tile tiles[PUPPET_TILES] = {TEN_TILES, TEN_TILES, TEN_TILES, TEN_TILES, TEN_TILES,
                                            TEN_TILES, TEN_TILES, TEN_TILES, TEN_TILES, TEN_TILES};
static const wn_key step_keys[] = {{"up", WN_NORTH}, {"k", WN_NORTH}, {"right", WN_EAST}, {0}};
static const wn_action actions[] = {
    {PUPPET_STEP, "step", "Go one cell", WN_ARGUMENT_DIRECTION, step_keys, WN_PURPOSE_STEP},
    {PUPPET_LOOK, "look", "Look at a cell", WN_ARGUMENT_POSITION, NULL, WN_PURPOSE_GO},
    {PUPPET_WAIT, "wait", "Do nothing", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
};
static const char *const paces[] = {"slow", "fast", NULL};
static const wn_setting settings[] = {
    [PUPPET_SIZE] = {"size", WN_SETTING_INTEGER, -5, 10, "7", NULL, "How large"},
    [PUPPET_HARD] = {"hard", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Whether it is hard"},
    [PUPPET_PACE] = {"pace", WN_SETTING_CHOICE, 0, 0, "fast", paces, "How fast"},
    [PUPPET_MOTTO] = {"motto", WN_SETTING_TEXT, 2, 8, "hello", NULL, "What to say"},
    [PUPPET_MAP] = {"map", WN_SETTING_FILE, 0, 0, "", NULL, "A map"},
};
static const wn_status status[PUPPET_FIELDS] = {
    {"score", WN_STATUS_NUMBER, "Score"}, {"health", WN_STATUS_GAUGE, "Health"}, {"mood", WN_STATUS_TEXT, "Mood"}};
static const wn_column columns[PUPPET_COLUMNS] = {{"Who", false}, {"Points", true}};

static bool create(wn_world *world)
{
    if (wn_setting_value(world, PUPPET_SIZE) == -5) {
        wn_fail(world, "a size of -5 is %s", "unlucky");
        return false;
    }
    if (wn_setting_value(world, PUPPET_SIZE) < 0) {
        wn_delay_spectators(world, (uint32_t)-wn_setting_value(world, PUPPET_SIZE));
    }
    world->state = wn_alloc(world, sizeof(puppet));
    return world->state != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    puppet *self = world->state;
    (void)player;
    return !self->joined || self->joined(world, seat, self->context);
}

static void left(wn_world *world, uint32_t seat)
{
    puppet *self = world->state;
    if (self->left) {
        self->left(world, seat, self->context);
    }
}

static void turn(wn_world *world, const wn_turn *turn)
{
    puppet *self = world->state;
    self->turns++;
    self->woken = turn->woken;
    self->command_count = turn->count;
    for (size_t i = 0; i < turn->count; i++) {
        self->commands[i] = turn->commands[i];
    }
    if (self->turn) {
        self->turn(world, turn, self->context);
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    puppet *self = world->state;
    self->draws++;
    if (self->draw) {
        self->draw(world, view, seat, what, self->context);
    } else {
        wn_view_size(world, view, 4, 3);
    }
}

static void save(wn_world *world, wn_writer *writer)
{
    puppet *self = world->state;
    wn_write_u32(writer, world, self->turns);
    if (self->save) {
        self->save(world, writer, self->context);
    }
}

static bool load(wn_world *world, wn_reader *reader)
{
    puppet *self = wn_alloc(world, sizeof *self);
    world->state = self;
    self->turns = wn_read_u32(reader, world);
    return true;
}

static const wn_mode_descriptor mode = {
    .abi = WN_ABI_VERSION,
    .size = sizeof(wn_mode_descriptor),
    .name = "puppet",
    .title = "Puppet",
    .summary = "Does what a test says",
    .version = "1",
    .authors = "Warren",
    .licence = "MIT",
    .max_seats = PUPPET_SEATS,
    .tiles = tiles,
    .tile_count = PUPPET_TILES,
    .actions = actions,
    .action_count = sizeof actions / sizeof actions[0],
    .settings = settings,
    .setting_count = sizeof settings / sizeof settings[0],
    .status = status,
    .status_count = PUPPET_FIELDS,
    .columns = columns,
    .column_count = PUPPET_COLUMNS,
    .create = create,
    .joined = joined,
    .left = left,
    .turn = turn,
    .draw = draw,
    .save = save,
    .load = load,
};

const wn_mode_descriptor *wn_mode(void)
{
    return &mode;
}
