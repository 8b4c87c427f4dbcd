/* store_model.c: whatever is done in whatever order, with the store closed, opened and killed in between, it holds what
 * a plain model holds.
 */
#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_fixture.h"

enum { WORLDS = 6, SESSIONS = 4, STEPS = 3000 };

struct model_world {
    uint32_t id;
    uint64_t first, last; /* of the entries in the file, if first <= last */
    uint64_t appended;    /* the last entry, committed or not */
    uint64_t snapshot;
    char build[16];
};

struct model {
    wn_store *store;
    unsigned seed, made;
    struct model_world worlds[WORLDS];
    char players[SESSIONS][16], committed_players[SESSIONS][16]; /* "": there is no such session */
    size_t gathered;
};

static unsigned below(struct model *model, unsigned limit)
{
    return (unsigned)rand_r(&model->seed) % limit;
}

/* acts */

static void all_committed(struct model *model)
{
    for (size_t i = 0; i < WORLDS; i++) {
        model->worlds[i].last = model->worlds[i].appended;
    }
    memcpy(model->committed_players, model->players, sizeof model->players);
    model->gathered = 0;
}

static void play(struct model *model, struct model_world *world)
{
    for (unsigned left = 1 + below(model, 40); left > 0; left--) {
        append(model->store, world->id, ++world->appended);
        model->gathered++;
    }
}

static void act_commit(struct model *model, struct model_world *world)
{
    (void)world;
    ck_assert_uint_eq(wn_store_gathered(model->store), model->gathered);
    commit(model->store);
    all_committed(model);
}

static void act_snapshot(struct model *model, struct model_world *world)
{
    if (world->last < world->first) {
        return;
    }
    uint64_t turn = world->first + below(model, (unsigned)(world->last - world->first + 1));
    if (turn < world->snapshot) {
        return;
    }
    ck_assert(wn_store_put_snapshot(model->store, world->id, turn, "1", "b", "state", 5, NULL));
    world->snapshot = turn;
    if (!options.keep_history) {
        world->first = turn + 1;
    }
}

static void act_forget(struct model *model, struct model_world *world)
{
    ck_assert(wn_store_forget_tail(model->store, world->id, NULL));
    model->gathered -= (size_t)(world->appended - world->last);
    world->last = world->appended = world->snapshot;
}

static void act_delete(struct model *model, struct model_world *world)
{
    ck_assert(wn_store_delete_world(model->store, world->id, NULL));
    model->gathered -= (size_t)(world->appended - world->last);
    *world = (struct model_world){0};
}

static void act_build(struct model *model, struct model_world *world)
{
    snprintf(world->build, sizeof world->build, "%u", below(model, 1000));
    ck_assert(wn_store_set_build(model->store, world->id, world->build, NULL));
}

static void act_session(struct model *model, struct model_world *world)
{
    unsigned which = below(model, SESSIONS);
    uint8_t token[WN_KEY_BYTES] = {(uint8_t)which};
    model->gathered++;
    if (below(model, 3) == 0) {
        wn_store_delete_session(model->store, token);
        model->players[which][0] = '\0';
        return;
    }
    snprintf(model->players[which], sizeof model->players[which], "p%u", below(model, 1000));
    wn_store_put_session(
        model->store,
        &(wn_stored_session){.token = token, .player = model->players[which], .watches = &world->id, .watch_count = 1});
}

static void act_reopen(struct model *model, struct model_world *world)
{
    (void)world;
    wn_store_close(model->store);
    all_committed(model);
    options.keep_history = below(model, 4) == 0;
    model->store = open_store();
}

/* The same acts in a child that dies with the store open: what it did not commit is lost, the rest is there. */
static void act_crash(struct model *model, struct model_world *world)
{
    wn_store_close(model->store);
    all_committed(model);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        model->store = open_store();
        play(model, world);
        act_commit(model, world);
        play(model, world);
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %x", (unsigned)status);
    unsigned seed = model->seed;
    world->appended += 1 + below(model, 40); /* what the child's first play() came to */
    model->seed = seed;
    world->last = world->appended;
    model->store = open_store();
}

/* checks */

struct listing {
    struct model *model;
    uint32_t last;
    size_t count;
};

static bool check_world(void *context, const wn_stored_world *stored)
{
    struct listing *listing = context;
    ck_assert_uint_gt(stored->id, listing->last);
    listing->last = stored->id;
    listing->count++;
    for (size_t i = 0; i < WORLDS; i++) {
        const struct model_world *world = &listing->model->worlds[i];
        if (world->id != stored->id) {
            continue;
        }
        ck_assert_str_eq(stored->build, world->build);
        ck_assert_uint_eq(stored->turn, world->last > world->snapshot ? world->last : world->snapshot);
        return true;
    }
    ck_abort_msg("world %u was deleted", stored->id);
}

static bool check_session(void *context, const wn_stored_session *session)
{
    struct listing *listing = context;
    listing->count++;
    ck_assert_str_eq(session->player, listing->model->committed_players[session->token[0]]);
    return true;
}

static void check_journal(struct model *model, const struct model_world *world)
{
    struct reading reading = read_all(model->store, world->id, 0);
    uint64_t first = 0;
    wn_snapshot snapshot;
    ck_assert_uint_eq(reading.count, world->last >= world->first ? world->last - world->first + 1 : 0);
    ck_assert(wn_store_first_turn(model->store, world->id, &first, NULL));
    ck_assert_uint_eq(first, reading.count > 0 ? world->first : 0);
    if (reading.count > 0) {
        ck_assert_uint_eq(reading.first, world->first);
    }
    if (reading.count > 1) {
        uint64_t after = world->first + below(model, (unsigned)reading.count - 1);
        reading = read_all(model->store, world->id, after);
        ck_assert_uint_eq(reading.first, after + 1);
        ck_assert_uint_eq(reading.last, world->last);
    }
    ck_assert(wn_store_get_snapshot(model->store, world->id, &snapshot, NULL));
    ck_assert_uint_eq(snapshot.turn, world->snapshot);
}

static void check(struct model *model, struct model_world *world)
{
    size_t alive = 0, sessions = 0;
    (void)world;
    for (size_t i = 0; i < WORLDS; i++) {
        if (model->worlds[i].id == 0) {
            continue;
        }
        alive++;
        check_journal(model, &model->worlds[i]);
    }
    struct listing listing = {.model = model};
    ck_assert(wn_store_list_worlds(model->store, check_world, &listing, NULL));
    ck_assert_uint_eq(listing.count, alive);
    for (size_t i = 0; i < SESSIONS; i++) {
        sessions += model->committed_players[i][0] != '\0';
    }
    listing.count = 0;
    ck_assert(wn_store_list_sessions(model->store, check_session, &listing, NULL));
    ck_assert_uint_eq(listing.count, sessions);
}

static const struct {
    unsigned often; /* of 1,000 */
    void (*act)(struct model *model, struct model_world *world);
} act_table[] = {
    {530, play},     {250, act_commit}, {60, act_snapshot}, {15, act_forget}, {10, act_delete},
    {15, act_build}, {60, act_session}, {20, act_reopen},   {10, act_crash},  {30, check},
};

START_TEST(any_sequence_of_acts_leaves_what_a_plain_model_says)
{
    struct model model = {.seed = seed_of_run(), .store = open_store()};
    for (int step = 0; step < STEPS; step++) {
        struct model_world *world = &model.worlds[below(&model, WORLDS)];
        unsigned what = below(&model, 1000), which = 0;
        if (world->id == 0) {
            char name[16];
            snprintf(name, sizeof name, "w%u", model.made++);
            *world = (struct model_world){.id = create_world(model.store, name), .first = 1};
            continue;
        }
        while (what >= act_table[which].often) {
            what -= act_table[which++].often;
        }
        act_table[which].act(&model, world);
    }
    act_reopen(&model, NULL);
    check(&model, NULL);
    wn_store_close(model.store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_model");
    TCase *tests = new_case(suite, "model");
    tcase_add_test(tests, any_sequence_of_acts_leaves_what_a_plain_model_says);
    return run_suite(suite);
}
