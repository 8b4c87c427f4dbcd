/* play.c: a game: worlds that have to stay equal, side by side, turn by turn.
 *
 *   first      watched by chance
 *   twin       the same in everything: what it sends must be the same bytes
 *   unseen     watched by nobody but for a look: its state must be the same
 *   copy       loaded in every turn from what the first one saved
 *   lasting    loaded now and then, and kept for a while
 */
#include "game.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, TWIN, UNSEEN, COPY, LASTING, SIDES };
enum { WINDOWS = 8, WINDOW_TURNS = 32, LASTING_TURNS = 40, QUESTIONS = 4, WAITING = 8, DAMAGED_TURNS = 80 };
enum { SLOW_NS = 500000000, TURN_LIMIT_MS = 2000 };

/* An answer on its way. */
typedef struct coming_answer {
    uint32_t serial;
    uint64_t due;
    bool whole;
    size_t size;
    uint8_t answer[WN_MAX_QUESTION];
} coming_answer;

typedef struct played {
    checker *check;
    const game_plan *plan;
    observation *seen;
    setting_values values;
    uint64_t chance;
    wn_hosted *worlds[SIDES]; /* NULL: there is none at the moment */
    wn_buffer outs[SIDES];
    wn_buffer inputs, saved, damaged, frame;
    wn_arena *arena;
    bool watched[WN_MAX_SEATS + 1];
    uint32_t numbers[WN_MAX_SEATS];
    uint64_t kept_from; /* the turn that `lasting` was saved after */
    size_t least[WINDOWS];
    coming_answer *waiting; /* WAITING of them; serial 0: free */
    uint32_t players;
    bool views_differ; /* it was found: nothing is gained by looking again */
    bool joined;       /* somebody was let in */
} played;

static const char *const keep_to_the_state =
    "What decides must come from the world's state, its settings and wn_random(): look for globals, addresses, memory "
    "that was never set.";

/* making worlds */

static wn_hosted *make(played *game, const wn_buffer *saved, bool quiet, wn_error *error)
{
    const world_wish wish = {.values = &game->values,
                             .seed = game->plan->seed,
                             .memory = game->plan->memory,
                             .saved = saved,
                             .turn = saved ? wn_hosted_turn_number(game->worlds[FIRST]) : 0,
                             .quiet = quiet || game->plan->quiet};
    return world_make(game->check, &wish, error);
}

static void end_world(played *game, int side)
{
    wn_hosted_free(game->worlds[side]);
    game->worlds[side] = NULL;
}

static bool open_worlds(played *game, wn_error *error)
{
    for (int side = FIRST; side <= (game->plan->alone ? FIRST : UNSEEN); side++) {
        game->worlds[side] = make(game, NULL, false, error);
        if (!game->worlds[side]) {
            return false;
        }
    }
    return true;
}

/* watching */

static bool can_be_watched(const played *game, int32_t seat)
{
    return seat == WN_SPECTATORS || wn_hosted_seat(game->worlds[FIRST], (uint32_t)seat, NULL) != NULL;
}

static void change_watches(played *game)
{
    const int32_t seat = (int32_t)chance_below(&game->chance, game->players + 1) - 1;
    if (!chance_once_in(&game->chance, 8) || !can_be_watched(game, seat)) {
        return;
    }
    game->watched[seat + 1] = !chance_once_in(&game->chance, 4);
    for (int side = FIRST; side <= TWIN; side++) {
        if (game->worlds[side]) {
            game->frame.size = 0;
            wn_hosted_watch(game->worlds[side], seat, game->watched[seat + 1], &game->frame);
        }
    }
}

/* Compares the view of a watched seat with what a world draws anew. */
static void compare_views(played *game, int32_t seat, const Warren__Keyframe *kept, int side)
{
    char words[CHECK_TEXT];
    const uint64_t before = wn_hosted_hash(game->worlds[side]);
    const Warren__Keyframe *fresh = world_keyframe(game->worlds[side], seat, game->arena, &game->frame);
    const char *whose = seat == WN_SPECTATORS ? "the spectators' view" : "a seat's view";
    if (wn_hosted_hash(game->worlds[side]) != before) {
        found(game->check->page, TOPIC_DRAWING, "draw() may change nothing but the view: who looks must not matter.",
              "draw() changes the world: its hash is another after %s was drawn", whose);
    }
    if (fresh &&
        pictures_differ(game->check->mode, seat, game->worlds[FIRST], kept, game->worlds[side], fresh, words)) {
        game->views_differ = true;
        if (side == UNSEEN) {
            found(game->check->page, TOPIC_DRAWING,
                  "Draw with WN_DRAW_CHANGES all that has changed, also what goes away.",
                  "%s, kept up by WN_DRAW_CHANGES (one), is not what WN_DRAW_ALL draws (the other): %s", whose, words);
        } else {
            found(game->check->page, TOPIC_SAVES,
                  "save() forgets something that draw() shows, or load() sets it otherwise.",
                  "%s of the world (one) is not that of its copy, loaded after turn %" PRIu64 " (the other): %s", whose,
                  side == LASTING ? game->kept_from : game->check->page->turn, words);
        }
    }
    game->frame.size = 0;
    wn_hosted_watch(game->worlds[side], seat, false, &game->frame);
}

static void look(played *game)
{
    const int32_t seat = (int32_t)chance_below(&game->chance, game->players + 1) - 1;
    if (game->plan->alone || game->views_differ || !game->watched[seat + 1] || !can_be_watched(game, seat)) {
        return;
    }
    begin_doing(game->check->page, TOPIC_DRAWING, "drawing a view anew");
    wn_arena_reset(game->arena);
    const Warren__Keyframe *kept = world_keyframe(game->worlds[FIRST], seat, game->arena, &game->frame);
    highest(game->check->page, TOPIC_DRAWING, "largest keyframe", "B", game->frame.size);
    world_keyframe(game->worlds[TWIN], seat, game->arena, &game->frame);
    if (kept) {
        /* What waits for late spectators is not saved: they see a copy otherwise for a while. */
        const bool comparable = seat != WN_SPECTATORS || !game->seen->late;
        compare_views(game, seat, kept, UNSEEN);
        for (int side = COPY; side <= LASTING && comparable && !game->views_differ; side++) {
            compare_views(game, seat, kept, side);
        }
        count(game->check->page, TOPIC_DRAWING, "views compared", 1);
    }
    game->check->page->doing = NULL;
}

/* saves */

/* What was written by the mode, damaged by chance, must be refused or do no harm. */
static void damage(played *game)
{
    check_page *page = game->check->page;
    const size_t own = game->saved.size - game->seen->saved;
    if (game->seen->saved == 0) {
        return;
    }
    game->damaged.size = 0;
    wn_buffer_append(&game->damaged, game->saved.data, game->saved.size);
    if (chance_once_in(&game->chance, 3)) {
        game->damaged.size = own + chance_below(&game->chance, (uint32_t)game->seen->saved);
    }
    for (uint32_t flips = chance_below(&game->chance, 5); flips > 0 && game->damaged.size > own; flips--) {
        const uint32_t at = chance_below(&game->chance, (uint32_t)(game->damaged.size - own));
        game->damaged.data[own + at] = chance_once_in(&game->chance, 2) ? 0xff : (uint8_t)chance_bits(&game->chance);
    }
    wn_error error = {0};
    begin_doing(page, TOPIC_SAVES, "loading a damaged save");
    wn_hosted *world = make(game, &game->damaged, true, &error);
    count(page, TOPIC_SAVES, "damaged", 1);
    count(page, TOPIC_SAVES, "of them refused", !world);
    begin_doing(page, TOPIC_SAVES, "playing on from a damaged save");
    for (int turn = 0; world && turn < 3; turn++) {
        game->frame.size = 0;
        wn_hosted_watch(world, turn - 1, true, &game->frame);
        game->inputs.size = 0;
        inputs_add(&(inputs_wish){world, game->check->mode, game->players, game->numbers}, &game->chance,
                   &game->inputs);
        world_turn(world, &game->inputs, &game->frame);
        wn_hosted_hash(world);
    }
    wn_hosted_free(world);
    page->doing = NULL;
}

static bool reload(played *game, int side)
{
    check_page *page = game->check->page;
    wn_error error = {0};
    end_world(game, side);
    begin_doing(page, TOPIC_SAVES, "loading a save");
    game->worlds[side] = make(game, &game->saved, false, &error);
    page->doing = NULL;
    if (!game->worlds[side]) {
        found(page, TOPIC_SAVES, "load() must take what save() wrote, at every turn.",
              "what was saved is not loaded: %s", error.text);
        return false;
    }
    count(page, TOPIC_SAVES, "loaded", 1);
    if (wn_hosted_hash(game->worlds[side]) != wn_hosted_hash(game->worlds[FIRST])) {
        found(page, TOPIC_SAVES, "Equal worlds must write equal bytes: no addresses, no padding, no order by chance.",
              "a world that was just loaded saves other bytes than the one it was loaded from");
        return false;
    }
    return true;
}

static bool save_and_load(played *game)
{
    const uint64_t turn = wn_hosted_turn_number(game->worlds[FIRST]);
    if (game->plan->alone && !game->plan->damaged) {
        return true;
    }
    game->saved.size = 0;
    wn_hosted_save(game->worlds[FIRST], &game->saved);
    highest(game->check->page, TOPIC_SAVES, "largest", "B", game->seen->saved);
    if (game->plan->damaged) {
        damage(game);
        return true;
    }
    if (!game->worlds[LASTING] || turn - game->kept_from >= LASTING_TURNS) {
        game->kept_from = turn;
        if (!reload(game, LASTING)) {
            return false;
        }
    }
    return reload(game, COPY);
}

/* turns */

static bool equal(const wn_buffer *one, const wn_buffer *other)
{
    return one->size == other->size && memcmp(one->data, other->data, one->size) == 0;
}

/* Are the worlds still the same? What differs first is found; after that nothing can be compared. */
static bool compare_worlds(played *game, uint64_t hash)
{
    check_page *page = game->check->page;
    if (game->plan->alone) {
        return true;
    }
    if (wn_hosted_hash(game->worlds[TWIN]) != hash) {
        found(page, TOPIC_DETERMINISM, keep_to_the_state,
              "two worlds with the same seed, settings, inputs and watched views are no longer the same");
        return false;
    }
    if (!equal(&game->outs[FIRST], &game->outs[TWIN])) {
        found(page, TOPIC_DETERMINISM, keep_to_the_state,
              "two worlds with the same state do not show, say or record the same");
        return false;
    }
    if (wn_hosted_hash(game->worlds[UNSEEN]) != hash) {
        found(page, TOPIC_DRAWING, "draw() may change nothing but the view: who looks must not matter.",
              "draw() changes the world: one that is watched is no longer the same as one that is not");
        return false;
    }
    if ((game->worlds[COPY] && wn_hosted_hash(game->worlds[COPY]) != hash) ||
        (game->worlds[LASTING] && wn_hosted_hash(game->worlds[LASTING]) != hash)) {
        found(page, TOPIC_SAVES, "save() forgets something that turns go by, or load() sets it otherwise.",
              "a copy that was saved and loaded after turn %" PRIu64 " does not go on like the world it was saved from",
              wn_hosted_hash(game->worlds[LASTING]) != hash ? game->kept_from : page->turn - 1);
        return false;
    }
    count(page, TOPIC_DETERMINISM, "turns compared", 1);
    return true;
}

static void take_question(played *game, const Warren__Host__Asked *asked)
{
    coming_answer *free_place = NULL;
    for (int i = 0; i < WAITING && !free_place; i++) {
        free_place = game->waiting[i].serial == 0 ? &game->waiting[i] : NULL;
    }
    if (!free_place) {
        return;
    }
    free_place->serial = asked->serial;
    free_place->due = wn_hosted_turn_number(game->worlds[FIRST]) + 1 + chance_below(&game->chance, 8);
    free_place->whole = false;
    uint64_t asked_before = 0;
    for (uint32_t i = 0; i < game->check->page->measure_count; i++) {
        const check_measure *measure = &game->check->page->measures[i];
        asked_before += measure->topic == TOPIC_WORK && strcmp(measure->name, "questions") == 0 ? measure->value : 0;
    }
    if (asked_before < QUESTIONS && !game->plan->alone) {
        free_place->whole = work_run(game->check, asked, free_place->answer, &free_place->size);
    }
}

static void give_answers(played *game, uint64_t turn)
{
    for (int i = 0; i < WAITING; i++) {
        coming_answer *waiting = &game->waiting[i];
        if (waiting->serial != 0 && waiting->due <= turn) {
            inputs_add_answer(&game->inputs, waiting->serial, waiting->whole ? waiting->answer : NULL, waiting->size);
            waiting->serial = 0;
        }
    }
}

static void read_answer(played *game)
{
    check_page *page = game->check->page;
    wn_arena_reset(game->arena);
    const Warren__Host__TurnDone *done = world_answer(game->arena, &game->outs[FIRST]);
    for (size_t i = 0; i < done->n_updates; i++) {
        count(page, TOPIC_DRAWING, "updates", 1);
        highest(page, TOPIC_DRAWING, "largest update", "B", done->updates[i]->update.len);
        count(page, TOPIC_DRAWING, "bytes in all", done->updates[i]->update.len);
    }
    for (size_t i = 0; i < done->n_asked; i++) {
        take_question(game, done->asked[i]);
    }
    count(page, TOPIC_PLAY, "seats ended", done->n_ended);
    count(page, TOPIC_PLAY, "joins refused", done->n_refused);
}

static void write_record(played *game, uint64_t hash)
{
    const uint64_t head[2] = {game->inputs.size, hash};
    if (game->plan->record) {
        fwrite(head, sizeof head, 1, game->check->record);
        if (game->inputs.size > 0) { /* else there are no data */
            fwrite(game->inputs.data, 1, game->inputs.size, game->check->record);
        }
    }
}

/* The least that the world held in each of the last spans of turns: if it grew from each to the next, it grows on. */
static void watch_memory(played *game, uint64_t turn)
{
    check_page *page = game->check->page;
    const size_t used = wn_hosted_memory(game->worlds[FIRST]);
    size_t *last = &game->least[WINDOWS - 1];
    highest(page, TOPIC_MEMORY, "most used", "B", used);
    *last = used < *last ? used : *last;
    if (turn % WINDOW_TURNS != 0) {
        return;
    }
    bool grows = turn >= 2 * WINDOWS * WINDOW_TURNS;
    for (int i = 1; i < WINDOWS; i++) {
        grows = grows && game->least[i - 1] < game->least[i];
    }
    if (grows) {
        found(page, TOPIC_MEMORY, "Give back what is not needed any more (wn_release()), or use it again.",
              "a world grows on and on: from %zu to %zu bytes in the last %d turns", game->least[0], *last,
              WINDOWS * WINDOW_TURNS);
    }
    memmove(game->least, game->least + 1, (WINDOWS - 1) * sizeof *game->least);
    *last = SIZE_MAX;
}

/* One turn of all worlds. false: they are not the same any more. */
static bool take_turn(played *game)
{
    check_page *page = game->check->page;
    static const char *const doings[SIDES] = {
        [COPY] = "playing a world that was just loaded", [LASTING] = "playing a loaded world"};
    const uint64_t turn = page->turn = wn_hosted_turn_number(game->worlds[FIRST]) + 1;
    change_watches(game);
    game->inputs.size = 0;
    give_answers(game, turn);
    inputs_add(&(inputs_wish){game->worlds[FIRST], game->check->mode, game->players, game->numbers}, &game->chance,
               &game->inputs);
    for (int side = FIRST; side < SIDES; side++) {
        begin_doing(page, TOPIC_SAVES, doings[side]);
        game->seen->counting = side == FIRST && turn > game->plan->turns / 2; /* warm by then */
        if (game->worlds[side]) {
            world_turn(game->worlds[side], &game->inputs, &game->outs[side]);
        }
    }
    begin_doing(page, TOPIC_SAVES, "saving");
    const uint64_t hash = wn_hosted_hash(game->worlds[FIRST]);
    write_record(game, hash);
    const bool same = compare_worlds(game, hash);
    page->doing = NULL;
    read_answer(game);
    watch_memory(game, turn);
    for (uint32_t seat = 0; !game->joined && seat < game->players; seat++) {
        game->joined = wn_hosted_seat(game->worlds[FIRST], seat, NULL) != NULL;
    }
    return same;
}

/* Plays until the plan's turns are over, the world is, or its copies go another way. */
static uint32_t take_turns(played *game)
{
    uint32_t turns = 0, after = 0;
    bool going = save_and_load(game);
    while (going && turns < game->plan->turns && after < 4) {
        going = take_turn(game);
        turns++;
        if (going && (going = save_and_load(game))) {
            look(game);
        }
        after += wn_hosted_outcome(game->worlds[FIRST]) != NULL; /* it can still be left and talked in */
    }
    count(game->check->page, TOPIC_PLAY, "won or lost", after > 0);
    return turns;
}

uint32_t game_play(checker *check, const game_plan *plan, wn_error *refusal)
{
    wn_error error = {0};
    uint32_t turns = 0;
    played *game = calloc(1, sizeof *game);
    game->check = check;
    game->plan = plan;
    game->seen = observe(check);
    game->seen->late = false;
    game->chance = plan->seed;
    game->arena = wn_arena_new(WN_ARENA_FRAME);
    game->waiting = calloc(WAITING, sizeof *game->waiting);
    game->players = check->options->players < check->mode->max_seats ? check->options->players : check->mode->max_seats;
    memset(game->least, 0xff, sizeof game->least);
    check->page->seed = plan->seed;
    check->page->turn = 0;
    snprintf(check->page->settings, sizeof check->page->settings, "%s", plan->settings);
    if (values_read(&game->values, check, plan->settings, &error) && open_worlds(game, &error)) {
        turns = take_turns(game);
    }
    if (refusal) {
        *refusal = error;
    }
    if (turns > 60 && !game->joined) {
        found(check->page, TOPIC_PLAY, "joined() returns true for players who may come in.",
              "in %u turns nobody was let in: nothing could be played", turns);
    }
    for (int side = FIRST; side < SIDES; side++) {
        end_world(game, side);
        wn_buffer_free(&game->outs[side]);
    }
    values_free(&game->values);
    wn_arena_free(game->arena);
    wn_buffer_free(&game->inputs);
    wn_buffer_free(&game->saved);
    wn_buffer_free(&game->damaged);
    wn_buffer_free(&game->frame);
    free(game->waiting);
    free(game);
    return turns;
}

/* the jobs */

static void note_times(check_page *page, const char *const names[3], const time_steps *times)
{
    note(page, TOPIC_TIME, names[0], "ns", times_quantile(times, 0.5));
    note(page, TOPIC_TIME, names[1], "ns", times_quantile(times, 0.99));
    note(page, TOPIC_TIME, names[2], "ns", times->longest);
}

static void judge_times(checker *check, const observation *seen)
{
    static const char *const turn[] = {"turn() median", "99th", "longest"};
    static const char *const draw[] = {"draw() median", "draw() 99th", "draw() longest"};
    note_times(check->page, turn, &seen->turn);
    note_times(check->page, draw, &seen->draw);
    note(check->page, TOPIC_TIME, "save() longest", "ns", seen->save.longest);
    note(check->page, TOPIC_TIME, "load() longest", "ns", seen->load.longest);
    const uint64_t longest = seen->turn.longest > seen->draw.longest ? seen->turn.longest : seen->draw.longest;
    if (longest > SLOW_NS) {
        found(check->page, TOPIC_TIME, "Work that takes long belongs into work(): see wn_ask().",
              "a turn() or draw() took %" PRIu64 " ms of the processor; the daemon ends a host that does not answer "
              "for %d ms (hosts.turn_limit_ms)",
              longest / 1000000, TURN_LIMIT_MS);
    }
    note(check->page, TOPIC_MEMORY, "late turns that allocate", "", seen->allocating);
    if (seen->turns >= 64 && seen->allocating * 4 > seen->turns) {
        found(check->page, TOPIC_MEMORY, "Grow rarely, keep what you have: wn_alloc() in every turn is slow.",
              "of %" PRIu64 " turns after the first half %" PRIu64 " called wn_alloc() or wn_resize()", seen->turns,
              seen->allocating);
    }
}

/* Games with one seed after the other, until there were enough turns: a short world does not make a short check. */
void job_play(checker *check)
{
    const uint32_t wanted = check->options->turns;
    observation *seen = observe(check);
    char settings[CHECK_SETTINGS];
    memcpy(settings, check->page->settings, sizeof settings);
    uint32_t turns = 0, games = 0;
    for (; turns < wanted && games < 32; games++) {
        wn_error refusal = {0};
        const uint64_t seed = check->options->seed + games;
        const game_plan plan = {.settings = settings, .seed = seed, .turns = wanted - turns, .record = true};
        fwrite(&(uint64_t[2]){UINT64_MAX, seed}, 2 * sizeof(uint64_t), 1, check->record);
        const uint32_t lasted = game_play(check, &plan, &refusal);
        turns += lasted;
        if (refusal.text[0]) {
            found(check->page, TOPIC_PLAY, "With the default settings a world can always be made.", "%s", refusal.text);
            break;
        }
        note(check->page, TOPIC_PLAY, "turns", "", turns);
        note(check->page, TOPIC_PLAY, "worlds", "", games + 1);
    }
    judge_times(check, seen);
    fflush(check->record);
}

/* A crash is one of a damaged save here: games went well before. With a seed of its own, each step damages others. */
void job_damage(checker *check)
{
    char settings[CHECK_SETTINGS];
    memcpy(settings, check->page->settings, sizeof settings);
    for (; check->page->step < 2; check->page->step++) {
        const game_plan plan = {.settings = settings,
                                .seed = check->options->seed + check->page->step,
                                .turns = DAMAGED_TURNS,
                                .alone = true,
                                .damaged = true};
        game_play(check, &plan, NULL);
    }
}

/* Plays one recorded game. false: the record is over. `next` is the head that was read last. */
static bool play_again(checker *check, const setting_values *values, uint64_t next[2])
{
    check_page *page = check->page;
    wn_error error = {0};
    wn_buffer inputs = {0}, out = {0};
    const world_wish wish = {.values = values, .seed = next[1], .quiet = true};
    page->seed = next[1];
    page->turn = 0;
    wn_hosted *world = world_make(check, &wish, &error);
    bool same = true, more;
    for (int32_t seat = WN_SPECTATORS; world && seat < (int32_t)check->options->players; seat++) {
        wn_hosted_watch(world, seat, true, &out);
    }
    while ((more = fread(next, sizeof(uint64_t), 2, check->record) == 2) && next[0] != UINT64_MAX) {
        inputs.size = 0;
        wn_buffer_reserve(&inputs, next[0]);
        inputs.size = fread(inputs.data, 1, next[0], check->record);
        if (world && same) {
            page->turn++;
            world_turn(world, &inputs, &out);
            same = wn_hosted_hash(world) == next[1];
            count(page, TOPIC_DETERMINISM, "turns in another process", same);
        }
    }
    if (!same) {
        found(page, TOPIC_DETERMINISM,
              "Something from outside decides: a clock, rand(), the number of the process, an address, memory that was "
              "never set.",
              "the same world in another process does not go the same way");
    }
    wn_hosted_free(world);
    wn_buffer_free(&inputs);
    wn_buffer_free(&out);
    return more;
}

void job_again(checker *check)
{
    wn_error error = {0};
    uint64_t next[2];
    setting_values values;
    mallopt(M_PERTURB, 0x5a); /* memory from malloc() is not zero by chance */
    rewind(check->record);
    bool more = fread(next, sizeof(uint64_t), 2, check->record) == 2 &&
                values_read(&values, check, check->page->settings, &error);
    while (more) {
        more = play_again(check, &values, next);
    }
}
