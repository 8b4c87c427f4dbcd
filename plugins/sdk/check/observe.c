/* observe.c: see observe.h. The callbacks of a mode bring nothing along by which they could find the observer, so it is
 * the one global variable of this program; the process runs one mode.
 */
#include "observe.h"

#include <time.h>

typedef struct observer {
    check_page *page;
    const wn_mode_descriptor *mode;
    wn_mode_descriptor between;
    const wn_host *host; /* the host's calls */
    wn_host calls;       /* and ours */
    observation seen;
} observer;

static observer one;

/* times */

static uint32_t step_of(uint64_t value)
{
    const uint32_t power = value < 8 ? 3 : 63 - (uint32_t)__builtin_clzll(value);
    return power * 8 + (uint32_t)(value >> (power - 3) & 7);
}

void times_add(time_steps *times, uint64_t nanoseconds)
{
    times->steps[step_of(nanoseconds)]++;
    times->count++;
    if (nanoseconds > times->longest) {
        times->longest = nanoseconds;
    }
}

uint64_t times_quantile(const time_steps *times, double part)
{
    double left = times->count * part;
    for (uint32_t i = 0; i < sizeof times->steps / sizeof times->steps[0]; i++) {
        left -= times->steps[i];
        if (left < 0 && times->steps[i] > 0) {
            const uint64_t value = (uint64_t)(8 + i % 8) << (i / 8 - 3);
            return value < times->longest ? value : times->longest;
        }
    }
    return times->longest;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Begins and ends a callback, which may run within another: draw() while the host gathers the commands. */
static uint64_t enter(const char *callback)
{
    one.page->callback = callback;
    atomic_fetch_add_explicit(&one.page->beats, 1, memory_order_relaxed);
    return now();
}

static void leave(time_steps *times, uint64_t since)
{
    one.page->callback = NULL;
    if (times) {
        times_add(times, now() - since);
    }
}

/* what the mode calls */

static void *alloc(wn_world *world, size_t bytes)
{
    one.seen.allocations++;
    return one.host->alloc(world, bytes);
}

static void *resize(wn_world *world, void *memory, size_t bytes)
{
    one.seen.allocations++;
    return one.host->resize(world, memory, bytes);
}

static void write_bytes(wn_writer *writer, const void *bytes, size_t size)
{
    one.seen.saved += size;
    one.host->write(writer, bytes, size);
}

static void delay_spectators(wn_world *world, uint32_t turns)
{
    one.seen.late = turns > 0;
    one.host->delay_spectators(world, turns);
}

static void effect(wn_world *world, int32_t seat, const wn_effect *shown)
{
    one.seen.showing =
        shown->tile < one.mode->tile_count && (unsigned)shown->kind <= WN_SOUND && shown->radius <= WN_MAX_SIDE;
    one.host->effect(world, seat, shown);
    one.seen.showing = false;
}

static void write_log(wn_world *world, wn_log_level level, const char *text)
{
    one.seen.logging = true;
    one.host->log(world, level, text);
    one.seen.logging = false;
}

static void listen(wn_world *world)
{
    if (!one.host) {
        one.host = world->host;
        one.calls = *world->host;
        one.calls.alloc = alloc;
        one.calls.resize = resize;
        one.calls.write = write_bytes;
        one.calls.delay_spectators = delay_spectators;
        one.calls.effect = effect;
        one.calls.log = write_log;
    }
    world->host = &one.calls;
}

/* what the host calls */

static bool create(wn_world *world)
{
    listen(world);
    const uint64_t since = enter("create()");
    const bool made = one.mode->create(world);
    leave(NULL, since);
    return made;
}

static void destroy(wn_world *world)
{
    const uint64_t since = enter("destroy()");
    one.mode->destroy(world);
    leave(NULL, since);
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    const uint64_t since = enter("joined()");
    const bool welcome = one.mode->joined(world, seat, player);
    leave(NULL, since);
    return welcome;
}

static void left(wn_world *world, uint32_t seat)
{
    const uint64_t since = enter("left()");
    one.mode->left(world, seat);
    leave(NULL, since);
}

static void turn(wn_world *world, const wn_turn *turn)
{
    const uint64_t before = one.seen.allocations;
    const uint64_t since = enter("turn()");
    one.mode->turn(world, turn);
    leave(&one.seen.turn, since);
    one.seen.turns += one.seen.counting;
    one.seen.allocating += one.seen.counting && one.seen.allocations != before;
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const uint64_t since = enter("draw()");
    one.mode->draw(world, view, seat, what);
    leave(&one.seen.draw, since);
}

static void save(wn_world *world, wn_writer *writer)
{
    one.seen.saved = 0;
    const uint64_t since = enter("save()");
    one.mode->save(world, writer);
    leave(&one.seen.save, since);
}

static bool load(wn_world *world, wn_reader *reader)
{
    listen(world);
    const uint64_t since = enter("load()");
    const bool made = one.mode->load(world, reader);
    leave(&one.seen.load, since);
    return made;
}

static void answered(wn_world *world, uint32_t number, const void *answer, size_t size)
{
    const uint64_t since = enter("answered()");
    one.mode->answered(world, number, answer, size);
    leave(NULL, since);
}

observation *observe(checker *check)
{
    one.page = check->page;
    one.mode = check->mode;
    one.between = *check->mode;
    one.between.create = create;
    one.between.destroy = check->mode->destroy ? destroy : NULL;
    one.between.joined = joined;
    one.between.left = left;
    one.between.turn = turn;
    one.between.draw = draw;
    one.between.save = save;
    one.between.load = load;
    one.between.answered = check->mode->answered ? answered : NULL;
    wn_plugin_replace(check->plugin, &one.between);
    return &one.seen;
}
