/* sdk_example.c: the SDK's promise: its example builds outside of the tree with one compiler call and one header, and
 * the host runs what comes out.
 */
#include "world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const char *command)
{
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Copies header and example to a folder of their own and builds there. */
static void build(const char *folder)
{
    char command[2048];
    snprintf(command, sizeof command,
             "cd '%s' && mkdir warren && cp '%s/include/warren/mode.h' warren && cp '%s/example.c' . && "
             "'%s' -shared -fPIC -O2 -I . example.c -o coins.so",
             folder, SDK_FOLDER, SDK_FOLDER, C_COMPILER);
    ck_assert_msg(run(command) == 0, "failed: %s", command);
}

static void take_turn(wn_hosted *world, Warren__Host__Input *input)
{
    wn_buffer encoded = {0}, out = {0};
    wn_error error = {0};
    Warren__Host__Inputs inputs = WARREN__HOST__INPUTS__INIT;
    inputs.n_input = 1;
    inputs.input = &input;
    wn_encode(&encoded, &inputs.base);
    const bool done = wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, encoded.data, encoded.size, &out, &error);
    ck_assert_msg(done, "%s", error.text);
    wn_buffer_free(&encoded);
    wn_buffer_free(&out);
}

static void join(wn_hosted *world)
{
    char name[] = "ann";
    Warren__Host__SeatJoins join = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    join.player = name;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &join;
    take_turn(world, &input);
}

static void walk(wn_hosted *world, uint32_t number, uint32_t direction)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    command.number = number;
    command.action = 1;
    command.has_argument = true;
    command.argument = direction;
    input.body_case = WARREN__HOST__INPUT__BODY_COMMAND;
    input.command = &command;
    take_turn(world, &input);
}

/* Walks over the whole hall, as a loom goes; a saved copy must end where the world does. */
static void play(wn_plugin *plugin)
{
    wn_error error = {0};
    wn_world_options options = {.id = 1, .seed = 7};
    wn_hosted *world = wn_hosted_new(plugin, &options, &error);
    ck_assert_msg(world != NULL, "%s", error.text);
    wn_buffer snapshot = {0}, keyframe = {0};
    join(world);
    wn_hosted_watch(world, 0, true, &keyframe);
    wn_hosted_save(world, &snapshot);
    options.snapshot = snapshot.data;
    options.snapshot_size = snapshot.size;
    options.snapshot_turn = 1;
    wn_hosted *copy = wn_hosted_new(plugin, &options, &error);
    ck_assert_msg(copy != NULL, "%s", error.text);
    for (uint32_t i = 1; i < 1000; i++) {
        const uint32_t direction = i % 40 == 0 ? WN_SOUTH : i / 40 % 2 == 0 ? WN_EAST : WN_WEST;
        walk(world, i, i < 20 ? WN_NORTH_WEST : direction);
        walk(copy, i, i < 20 ? WN_NORTH_WEST : direction);
        ck_assert_uint_eq(wn_hosted_hash(world), wn_hosted_hash(copy));
    }
    int64_t coins = 0, goal = 0;
    ck_assert(wn_hosted_status(world, 0, 0, &coins, &goal, NULL));
    ck_assert_int_eq(goal, 10);
    ck_assert_int_gt(coins, 0);
    wn_buffer_free(&snapshot);
    wn_buffer_free(&keyframe);
    wn_hosted_free(copy);
    wn_hosted_free(world);
}

START_TEST(the_example_builds_from_the_header_alone_and_runs)
{
    char folder[] = "/tmp/warren-sdk-XXXXXX", path[64], command[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    build(folder);
    wn_error error = {0};
    snprintf(path, sizeof path, "%s/coins.so", folder);
    wn_plugin *plugin = wn_plugin_open(path, &error);
    ck_assert_msg(plugin != NULL, "%s", error.text);
    ck_assert_str_eq(wn_plugin_descriptor(plugin)->name, "coins");
    play(plugin);
    wn_plugin_close(plugin);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(run(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdk");
    TCase *all = tcase_create("example");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, the_example_builds_from_the_header_alone_and_runs);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
