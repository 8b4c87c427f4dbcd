/* offers.c: a mode for tests that uses what most modes do without: ways to enter, a file, a word for a number,
 * questions to work(), tables of scores, late spectators, a region, a player who looks somewhere.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <warren/mode.h>

enum { MARK = 1, ASK, ASK_LONG, ASK_CRASH, SCORE, DIE, ASK_FOREVER, ASK_MANY, SCORE_MUCH };
enum { SEATS = 4, WIDTH = 8, LONG_MS = 60000, SHORT_MS = 200 };
enum { PACK, DELAY };

typedef struct state {
    uint32_t marks;          /* commands of all seats */
    uint32_t answers[SEATS]; /* the last answer of each seat's; UINT32_MAX: none was to be had */
} state;

static const wn_tile tiles[] = {
    {"nothing", " ", " ", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
    {"mark", "+", "+", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0},
};
static const wn_action actions[] = {
    {MARK, "mark", "Make a mark", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_USE},
    {ASK, "ask", "Ask how long the pack is", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {ASK_LONG, "ask-long", "Ask what takes for ever", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {ASK_CRASH, "ask-crash", "Ask what nobody survives", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {SCORE, "score", "Get three scores", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {DIE, "die", "End the seat", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {ASK_FOREVER, "ask-forever", "Ask the same, and wait for it", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {ASK_MANY, "ask-many", "Ask again and again", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
    {SCORE_MUCH, "score-much", "Get more than half of what numbers hold", WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER},
};
static const char *const off[] = {"off", NULL};
static const wn_setting settings[] = {
    [PACK] = {"pack", WN_SETTING_FILE, 0, 0, "", NULL, "A pack"},
    [DELAY] = {"delay", WN_SETTING_INTEGER, 0, 100, "off", off, "Turns that spectators are late"},
};
static const wn_status status[] = {{"marks", WN_STATUS_NUMBER, "Marks"},
                                   {"answer", WN_STATUS_NUMBER, "Answer"},
                                   {"entry", WN_STATUS_NUMBER, "Entry"},
                                   {"file", WN_STATUS_TEXT, "File"}};
static const wn_entry entries[] = {{"plainly", "As you are", "p"}, {"hidden", "In a cloak", "h"}};
static const wn_score_table tables[] = {{"sum", "Sum", WN_SCORE_SUM, 0},
                                        {"rating", "Rating", WN_SCORE_RATING, 2},
                                        {"best *", "Best", WN_SCORE_LOWEST, 0},
                                        {"debts", "Debts", WN_SCORE_SUM, 0}};

static bool create(wn_world *world)
{
    if (strstr(wn_setting_string(world, PACK), "wrong")) {
        wn_fail(world, "%s:1:7: expected a right word", wn_setting_file(world, PACK));
        return false;
    }
    world->state = wn_alloc(world, sizeof(state));
    wn_delay_spectators(world, (uint32_t)wn_setting_value(world, DELAY));
    return world->state != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    (void)player;
    wn_place(world, (int32_t)seat, (int32_t)seat, 0);
    wn_face(world, (int32_t)seat, WN_EAST);
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    state *at = world->state;
    at->answers[seat] = 0;
}

/* A question is the time to spend in milliseconds, then the text whose length is asked. */
static void ask(wn_world *world, uint32_t seat, uint32_t spend, uint32_t limit)
{
    const char *pack = wn_setting_string(world, PACK);
    const size_t length = strlen(pack);
    uint8_t question[256];
    memcpy(question, &spend, sizeof spend);
    memcpy(question + sizeof spend, pack, length);
    wn_ask(world, seat, question, sizeof spend + length, limit);
}

static size_t work(const void *question, size_t size, void *answer, size_t room)
{
    uint32_t spend;
    memcpy(&spend, question, sizeof spend);
    if (spend == UINT32_MAX) {
        abort();
    }
    const time_t end = time(NULL) + spend / 1000;
    while (spend >= 1000 && time(NULL) < end) {
    }
    const uint32_t length = (uint32_t)(size - sizeof spend);
    memcpy(answer, &length, room < sizeof length ? room : sizeof length);
    return sizeof length;
}

static void answered(wn_world *world, uint32_t job, const void *answer, size_t size)
{
    state *at = world->state;
    at->answers[job] = UINT32_MAX;
    if (answer && size == sizeof at->answers[job]) {
        memcpy(&at->answers[job], answer, size);
    }
    wn_say(world, WN_EVERYONE, WN_INFO, "answered %u", job);
}

static void score(wn_world *world, uint32_t seat, uint32_t marks)
{
    wn_record_score(world, seat, "rating", marks * 100, NULL);
    wn_record_score(world, seat, "sum", 2, NULL);
    wn_record_score(world, seat, "best hole 1", marks, "with a detail");
    wn_record_score(world, seat, "unheard of", -5, NULL);
}

static void turn(wn_world *world, const wn_turn *now)
{
    state *at = world->state;
    for (size_t i = 0; i < now->count; i++) {
        const wn_command *command = &now->commands[i];
        at->marks++;
        switch (command->action) {
        case ASK:
            ask(world, command->seat, 0, LONG_MS);
            break;
        case ASK_LONG:
            ask(world, command->seat, LONG_MS, SHORT_MS);
            break;
        case ASK_FOREVER:
            ask(world, command->seat, LONG_MS, LONG_MS);
            break;
        case ASK_MANY:
            for (uint32_t j = 0; j <= WN_MAX_JOBS; j++) {
                ask(world, command->seat, j < WN_MAX_JOBS ? LONG_MS : 0, LONG_MS);
            }
            break;
        case ASK_CRASH:
            ask(world, command->seat, UINT32_MAX, LONG_MS);
            break;
        case SCORE:
            score(world, command->seat, at->marks);
            break;
        case SCORE_MUCH:
            wn_record_score(world, command->seat, "sum", INT64_MAX / 4 * 3, NULL);
            wn_record_score(world, command->seat, "debts", INT64_MIN / 4 * 3, NULL);
            break;
        case DIE:
            wn_end_seat(world, command->seat, "fell over mark %u", at->marks);
            break;
        default:
            wn_show_effect(world, WN_EVERYONE, &(wn_effect){.kind = WN_FLASH, .x = (int32_t)(at->marks % WIDTH)});
            break;
        }
    }
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const state *at = world->state;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, WIDTH, 2);
    }
    wn_name_region(world, view, 0, &(wn_region){at->marks % 4, 0, 2, 2, "the marked"});
    wn_name_region(world, view, 1, at->marks % 2 ? &(wn_region){0, 1, WIDTH, 1, "below"} : NULL);
    for (uint32_t x = 0; x < WIDTH; x++) {
        wn_put(world, view, (int32_t)x, 0, WN_CELL(at->marks >> x & 1));
    }
    wn_sprite(world, view, 1, (int32_t)(at->marks % WIDTH), 1, 1, WN_HERE, "walker");
    wn_status_number(world, view, 0, at->marks);
    if (seat >= 0) {
        wn_status_number(world, view, 1, at->answers[seat]);
        wn_status_number(world, view, 2, wn_seat_entry(world, (uint32_t)seat));
    }
    wn_status_text(world, view, 3, wn_setting_file(world, PACK));
}

static void save(wn_world *world, wn_writer *writer)
{
    const state *at = world->state;
    wn_write_u32(writer, world, at->marks);
    for (uint32_t i = 0; i < SEATS; i++) {
        wn_write_u32(writer, world, at->answers[i]);
    }
}

static bool load(wn_world *world, wn_reader *reader)
{
    state *at = world->state = wn_alloc(world, sizeof *at);
    if (!at) {
        return false;
    }
    at->marks = wn_read_u32(reader, world);
    for (uint32_t i = 0; i < SEATS; i++) {
        at->answers[i] = wn_read_u32(reader, world);
    }
    wn_delay_spectators(world, (uint32_t)wn_setting_value(world, DELAY));
    return wn_read_ok(reader, world);
}

WN_EXPORT const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "offers",
        .title = "Offers",
        .summary = "Uses what most modes do without",
        .version = "0.1.0",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = SEATS,
        .tiles = tiles,
        .tile_count = sizeof tiles / sizeof *tiles,
        .actions = actions,
        .action_count = sizeof actions / sizeof *actions,
        .settings = settings,
        .setting_count = sizeof settings / sizeof *settings,
        .status = status,
        .status_count = sizeof status / sizeof *status,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = turn,
        .draw = draw,
        .save = save,
        .load = load,
        .entries = entries,
        .entry_count = sizeof entries / sizeof *entries,
        .tables = tables,
        .table_count = sizeof tables / sizeof *tables,
        .type_ahead = 3,
        .work = work,
        .answered = answered,
    };
    return &descriptor;
}
