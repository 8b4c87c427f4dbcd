/* host_process.c: warren-host as a process over a socket pair: batches, frames in pieces, its ends, and whom the shared
 * page blames.
 */
#include "host_fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hash.h"
#include "pb.h"

enum { DEADLINE_MS = 20000, MEMORY = 64 << 20 };

typedef struct running {
    pid_t pid;
    int socket;
    uint32_t *page;
    wn_buffer in;
    size_t offset;
    wn_arena *arena;
    scene inputs; /* only its inputs are used */
} running;

/* In the child: the socket is descriptor 3, the page 4; errors go to `errors`. */
static void become_host(const char *mode, int socket, int page, int errors)
{
    char path[1024];
    const struct rlimit no_core = {0, 0};
    snprintf(path, sizeof path, "%s/%s.so", TEST_MODES, mode);
    setrlimit(RLIMIT_CORE, &no_core);
    const int high_socket = fcntl(socket, F_DUPFD, 10);
    const int high_page = fcntl(page, F_DUPFD, 10);
    dup2(errors, STDERR_FILENO);
    dup2(high_socket, 3);
    dup2(high_page, 4);
    close(high_socket);
    close(high_page);
    execl(WARREN_HOST, "warren-host", "--fd", "3", "--page", "4", "--world-memory", "8", path, (char *)NULL);
    _exit(127);
}

static void start(running *process, const char *mode)
{
    int ends[2];
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int page = memfd_create("page", MFD_CLOEXEC);
    memset(process, 0, sizeof *process);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ck_assert_int_eq(ftruncate(page, 4096), 0);
    process->page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, page, 0);
    ck_assert_ptr_ne(process->page, MAP_FAILED);
    process->pid = fork();
    if (process->pid == 0) {
        become_host(mode, ends[1], page, null);
    }
    close(ends[1]);
    close(page);
    close(null);
    process->socket = ends[0];
    process->arena = wn_arena_new(MEMORY);
}

/* Waits for its end. Returns the exit status, or minus the signal. */
static int finish(running *process)
{
    int status;
    if (process->socket >= 0) {
        close(process->socket);
    }
    ck_assert_int_eq(waitpid(process->pid, &status, 0), process->pid);
    munmap(process->page, 4096);
    wn_buffer_free(&process->in);
    wn_buffer_free(&process->inputs.inputs);
    wn_arena_free(process->arena);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* More bytes from the host. false: it has closed its end. */
static bool receive(running *process)
{
    struct pollfd waiting = {.fd = process->socket, .events = POLLIN};
    ck_assert_int_eq(poll(&waiting, 1, DEADLINE_MS), 1);
    const ssize_t got = read(process->socket, wn_buffer_reserve(&process->in, 65536), 65536);
    process->in.size += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* The next message, or NULL at the end. It lives until the next call. */
static const Warren__Host__FromHost *next(running *process)
{
    const uint8_t *bytes;
    size_t size;
    wn_error error = {0};
    while (wn_frame_next(&process->in, &process->offset, &bytes, &size) == 0) {
        if (!receive(process)) {
            return NULL;
        }
    }
    wn_arena_reset(process->arena);
    const Warren__Host__FromHost *message = wn_from_host_decode(process->arena, bytes, size, &error);
    ck_assert_msg(message != NULL, "%s", error.text);
    return message;
}

static void send_bytes(running *process, const void *bytes, size_t size)
{
    ck_assert_int_eq(send(process->socket, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

/* ToHost { FIELD: { world = 1, ... } } is open between these two. */
static size_t begin_message(wn_buffer *batch, uint32_t field, uint32_t world, size_t *frame)
{
    *frame = wn_frame_begin(batch);
    const size_t mark = wn_pb_begin(batch, field);
    wn_pb_varint(batch, 1, world);
    return mark;
}

static void end_message(wn_buffer *batch, size_t mark, size_t frame)
{
    wn_pb_end(batch, mark);
    wn_frame_end(batch, frame);
}

static void add_create(wn_buffer *batch, uint32_t world)
{
    size_t frame;
    const size_t mark = begin_message(batch, 2, world, &frame);
    wn_pb_varint(batch, 2, 42);
    end_message(batch, mark, frame);
}

static void add_turn(running *process, wn_buffer *batch, uint32_t world, uint64_t turn)
{
    size_t frame;
    const size_t mark = begin_message(batch, 1, world, &frame);
    wn_pb_varint(batch, 2, turn);
    wn_pb_bytes(batch, 3, process->inputs.inputs.data, process->inputs.inputs.size);
    end_message(batch, mark, frame);
    process->inputs.inputs.size = 0;
}

/* The inputs gathered as one turn of a replay that is open. */
static void add_replayed(running *process, wn_buffer *batch)
{
    wn_pb_bytes(batch, 3, process->inputs.inputs.data, process->inputs.inputs.size);
    process->inputs.inputs.size = 0;
}

/* A replay of `count` turns from `first` on, in each of which seat 0 walks; `crash`: the one in which the mode crashes.
 */
static void add_replay(running *process, wn_buffer *batch, uint32_t world, uint64_t first, uint64_t count,
                       uint64_t crash)
{
    size_t frame;
    const size_t mark = begin_message(batch, 7, world, &frame);
    wn_pb_varint(batch, 2, first);
    for (uint64_t turn = first; turn < first + count; turn++) {
        if (turn % 50 == 1) {
            input_join(&process->inputs, 0, "ann"); /* again: dice lets players win now and then */
        }
        input_command(&process->inputs, 0, (uint32_t)turn, turn == crash ? 2 : 1, turn == crash ? -1 : WN_EAST);
        add_replayed(process, batch);
    }
    wn_pb_varint(batch, 6, 1);
    end_message(batch, mark, frame);
}

static void add_watch(wn_buffer *batch, uint32_t world, bool on)
{
    size_t frame;
    const size_t mark = begin_message(batch, 4, world, &frame);
    wn_pb_varint(batch, 3, on);
    end_message(batch, mark, frame);
}

static void add_simple(wn_buffer *batch, uint32_t field, uint32_t world)
{
    size_t frame;
    const size_t mark = begin_message(batch, field, world, &frame);
    end_message(batch, mark, frame);
}

static void expect_ready(running *process, const char *mode)
{
    const Warren__Host__FromHost *message = next(process);
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_READY);
    ck_assert_str_eq(message->ready->mode->name, mode);
    ck_assert_uint_eq(strlen(message->ready->build), 16);
}

/* Two worlds, joined, watched, played, saved; one destroyed. */
static void add_play(running *process, wn_buffer *batch)
{
    add_create(batch, 1);
    add_create(batch, 2);
    for (uint32_t world = 1; world <= 2; world++) {
        input_join(&process->inputs, 0, "ann");
        add_turn(process, batch, world, 1);
    }
    add_watch(batch, 2, true);
    input_command(&process->inputs, 0, 1, 1, WN_EAST);
    add_turn(process, batch, 2, 2);
    add_simple(batch, 5, 2);
    add_simple(batch, 3, 1);
    add_simple(batch, 5, 1);
}

static void expect_play(running *process)
{
    const Warren__Host__FromHost *message;
    for (uint32_t world = 1; world <= 2; world++) {
        message = next(process);
        ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_CREATED);
        ck_assert(message->created->world == world && !message->created->error && message->created->wake_ms == 250);
    }
    for (uint32_t world = 1; world <= 2; world++) {
        message = next(process);
        ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_DONE);
        ck_assert(message->done->world == world && message->done->turn == 1 && message->done->n_updates == 0);
    }
    message = next(process);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_UPDATE);
    ck_assert(message->update->keyframe && !message->update->has_seat);
    message = next(process);
    ck_assert_uint_eq(message->done->n_updates, 1);
    ck_assert_uint_eq(message->done->updates[0]->sequence, 2);
    message = next(process);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_SAVED);
    ck_assert(message->saved->turn == 2 && message->saved->snapshot.len > 0 && !message->saved->error);
    message = next(process);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_SAVED);
    ck_assert(message->saved->world == 1 && message->saved->error);
}

START_TEST(a_batch_is_answered_in_order_and_the_end_of_the_socket_ends_the_host)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_play(&process, &batch);
    send_bytes(&process, batch.data, batch.size);
    expect_play(&process);
    ck_assert_uint_eq(*process.page, 0);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(frames_may_come_in_any_pieces)
{
    running process;
    wn_buffer batch = {0};
    uint64_t chance = property_seed("host_process", 77);
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_play(&process, &batch);
    for (size_t at = 0; at < batch.size;) {
        const size_t left = batch.size - at;
        const size_t piece = 1 + pick(&chance, 9);
        send_bytes(&process, batch.data + at, piece < left ? piece : left);
        at += piece < left ? piece : left;
    }
    expect_play(&process);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(stop_ends_the_host_after_what_came_before)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    kill(process.pid, SIGINT); /* which is the daemon's to handle */
    add_create(&batch, 1);
    const size_t frame = wn_frame_begin(&batch);
    wn_pb_end(&batch, wn_pb_begin(&batch, 6));
    wn_frame_end(&batch, frame);
    send_bytes(&process, batch.data, batch.size);
    ck_assert_int_eq(next(&process)->body_case, WARREN__HOST__FROM_HOST__BODY_CREATED);
    ck_assert_ptr_null(next(&process));
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_crash_leaves_the_world_in_the_page)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 5);
    add_create(&batch, 6);
    input_join(&process.inputs, 0, "ann");
    add_turn(&process, &batch, 5, 1);
    input_join(&process.inputs, 0, "ann");
    input_command(&process.inputs, 0, 1, 2, -1);
    add_turn(&process, &batch, 6, 1);
    send_bytes(&process, batch.data, batch.size);
    while (next(&process)) {
    }
    ck_assert_uint_eq(*process.page, 6);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), -SIGABRT);
}
END_TEST

START_TEST(worlds_replayed_in_chunks_are_those_replayed_at_once)
{
    enum { TURNS = 1000, CHUNK = 64 };
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 1);
    add_create(&batch, 2);
    add_replay(&process, &batch, 1, 1, TURNS, 0);
    for (uint64_t first = 1; first <= TURNS; first += CHUNK) {
        add_replay(&process, &batch, 2, first, TURNS + 1 - first < CHUNK ? TURNS + 1 - first : CHUNK, 0);
    }
    add_simple(&batch, 5, 1);
    add_simple(&batch, 5, 2);
    send_bytes(&process, batch.data, batch.size);
    next(&process);
    next(&process);
    const Warren__Host__Replayed *done = next(&process)->replayed;
    ck_assert(done->world == 1 && done->turn == TURNS && !done->error && done->has_wake_ms);
    for (uint64_t turn = 0; turn < TURNS; turn = done->turn) {
        done = next(&process)->replayed;
        ck_assert(done->world == 2 && done->turn > turn && done->turn <= turn + CHUNK && !done->error);
    }
    wn_buffer first = {0};
    const Warren__Host__Saved *saved = next(&process)->saved;
    wn_buffer_append(&first, saved->snapshot.data, saved->snapshot.len);
    saved = next(&process)->saved;
    ck_assert_uint_eq(saved->snapshot.len, first.size);
    ck_assert_mem_eq(saved->snapshot.data, first.data, first.size);
    wn_buffer_free(&first);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_replay_that_does_not_fit_is_answered_and_harms_nobody)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 1);
    add_replay(&process, &batch, 1, 2, 5, 0);  /* not the next turn */
    add_replay(&process, &batch, 77, 1, 5, 0); /* no such world */
    add_replay(&process, &batch, 1, 1, 5, 0);
    send_bytes(&process, batch.data, batch.size);
    next(&process);
    const Warren__Host__Replayed *done = next(&process)->replayed;
    ck_assert(done->world == 1 && done->turn == 0);
    ck_assert_ptr_nonnull(strstr(done->error, "turn 2"));
    const Warren__Host__FromHost *message = next(&process);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_LOG);
    ck_assert_ptr_nonnull(strstr(message->log->text, "a replay is ignored"));
    done = next(&process)->replayed;
    ck_assert(done->world == 1 && done->turn == 5 && !done->error);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_crash_in_the_middle_of_a_replay_leaves_its_world_in_the_page_and_the_answers_before_it)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 5);
    add_create(&batch, 6);
    send_bytes(&process, batch.data, batch.size);
    next(&process);
    next(&process);
    batch.size = 0;
    add_replay(&process, &batch, 5, 1, 100, 0);
    send_bytes(&process, batch.data, batch.size);
    ck_assert_uint_eq(next(&process)->replayed->turn, 100);
    ck_assert_uint_eq(*process.page, 0);
    batch.size = 0;
    add_replay(&process, &batch, 6, 1, 1000, 501);
    add_replay(&process, &batch, 5, 101, 100, 0);
    send_bytes(&process, batch.data, batch.size);
    ck_assert_ptr_null(next(&process));
    ck_assert_uint_eq(*process.page, 6);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), -SIGABRT);
}
END_TEST

START_TEST(the_snapshot_of_an_ended_world_is_loaded_with_its_outcome)
{
    running process;
    wn_buffer batch = {0}, snapshot = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 1);
    input_join(&process.inputs, 0, "ann");
    input_command(&process.inputs, 0, 1, 3, -1);
    add_turn(&process, &batch, 1, 1);
    add_simple(&batch, 5, 1);
    send_bytes(&process, batch.data, batch.size);
    ck_assert_ptr_null(next(&process)->created->over);
    ck_assert_str_eq(next(&process)->done->over->outcome, "it was ended");
    const Warren__Host__Saved *saved = next(&process)->saved;
    wn_buffer_append(&snapshot, saved->snapshot.data, saved->snapshot.len);
    batch.size = 0;
    size_t frame;
    const size_t mark = begin_message(&batch, 2, 2, &frame);
    wn_pb_varint(&batch, 2, 42);
    wn_pb_varint(&batch, 4, 1);
    wn_pb_bytes(&batch, 5, snapshot.data, snapshot.size);
    end_message(&batch, mark, frame);
    send_bytes(&process, batch.data, batch.size);
    const Warren__Host__WorldCreated *created = next(&process)->created;
    ck_assert(created->world == 2 && !created->error && created->n_seats == 1);
    ck_assert_str_eq(created->over->outcome, "it was ended");
    wn_buffer_free(&snapshot);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_turn_is_answered_with_its_hash_if_that_is_asked_for)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_create(&batch, 1);
    add_turn(&process, &batch, 1, 1);
    size_t frame;
    const size_t mark = begin_message(&batch, 1, 1, &frame);
    wn_pb_varint(&batch, 2, 2);
    wn_pb_bytes(&batch, 3, "", 0);
    wn_pb_varint(&batch, 4, 1);
    end_message(&batch, mark, frame);
    add_simple(&batch, 5, 1);
    send_bytes(&process, batch.data, batch.size);
    next(&process);
    ck_assert(!next(&process)->done->has_hash);
    const Warren__Host__TurnDone *done = next(&process)->done;
    ck_assert(done->has_hash);
    const uint64_t hash = done->hash;
    const Warren__Host__Saved *saved = next(&process)->saved;
    ck_assert_uint_eq(hash, wn_hash(saved->snapshot.data, saved->snapshot.len));
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_mode_that_cannot_be_loaded_is_refused_and_the_status_is_78)
{
    running process;
    start(&process, "newer");
    const Warren__Host__FromHost *message = next(&process);
    ck_assert_int_eq(message->body_case, WARREN__HOST__FROM_HOST__BODY_REFUSED);
    ck_assert_ptr_nonnull(strstr(message->refused->text, "version 7"));
    ck_assert_ptr_null(next(&process));
    ck_assert_int_eq(finish(&process), 78);
}
END_TEST

START_TEST(a_message_that_is_not_valid_ends_the_host_with_70)
{
    static const struct {
        const char *bytes;
        size_t size;
    } broken[] = {{"\x02\0\0\0\xff\xff", 6}, {"\0\0\0\0", 4}, {"\xff\xff\xff\xff", 4}};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        running process;
        start(&process, "dice");
        expect_ready(&process, "dice");
        send_bytes(&process, broken[i].bytes, broken[i].size);
        ck_assert_ptr_null(next(&process));
        ck_assert_int_eq(finish(&process), 70);
    }
}
END_TEST

START_TEST(what_is_meant_for_a_world_that_was_not_made_harms_nobody)
{
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    add_turn(&process, &batch, 3, 1);
    add_watch(&batch, 3, true);
    add_simple(&batch, 3, 3);
    add_create(&batch, 3);
    add_create(&batch, 3);
    send_bytes(&process, batch.data, batch.size);
    ck_assert_int_eq(next(&process)->body_case, WARREN__HOST__FROM_HOST__BODY_LOG);
    ck_assert_int_eq(next(&process)->body_case, WARREN__HOST__FROM_HOST__BODY_LOG);
    ck_assert_ptr_null(next(&process)->created->error);
    ck_assert_ptr_nonnull(next(&process)->created->error);
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

START_TEST(a_thousand_worlds_come_and_go_in_any_order)
{
    enum { WORLDS = 1000 };
    running process;
    wn_buffer batch = {0};
    start(&process, "dice");
    expect_ready(&process, "dice");
    for (uint32_t i = 0; i < WORLDS; i++) {
        add_create(&batch, i * 16 + 1);
    }
    for (uint32_t i = 0; i < WORLDS; i += 2) {
        add_simple(&batch, 3, i * 16 + 1);
    }
    for (uint32_t i = 0; i < WORLDS; i++) {
        add_turn(&process, &batch, i * 16 + 1, 1);
    }
    send_bytes(&process, batch.data, batch.size);
    for (uint32_t i = 0; i < WORLDS; i++) {
        ck_assert_uint_eq(next(&process)->created->world, i * 16 + 1);
    }
    for (uint32_t i = 0; i < WORLDS; i++) {
        ck_assert_int_eq(next(&process)->body_case,
                         i % 2 ? WARREN__HOST__FROM_HOST__BODY_DONE : WARREN__HOST__FROM_HOST__BODY_LOG);
    }
    wn_buffer_free(&batch);
    ck_assert_int_eq(finish(&process), 0);
}
END_TEST

/* What it prints by hand, and its status. */
static int run_by_hand(const char *option, char output[2048])
{
    char command[1200];
    snprintf(command, sizeof command, "'%s' %s 2>&1", WARREN_HOST, option);
    FILE *run = popen(command, "r");
    ck_assert_ptr_nonnull(run);
    output[fread(output, 1, 2047, run)] = '\0';
    return WEXITSTATUS(pclose(run));
}

START_TEST(by_hand_it_explains_itself)
{
    char output[2048];
    ck_assert_int_eq(run_by_hand("--help", output), 0);
    ck_assert_ptr_nonnull(strstr(output, "--world-memory"));
    ck_assert_int_eq(run_by_hand("--version", output), 0);
    ck_assert_str_eq(output, "warren-host " WARREN_VERSION "\n");
    ck_assert_int_eq(run_by_hand("mode.so", output), 64);
    ck_assert_ptr_nonnull(strstr(output, "warrend starts it"));
    ck_assert_int_eq(run_by_hand("--fd 1", output), 64);
    ck_assert_ptr_nonnull(strstr(output, "one mode"));
    ck_assert_int_eq(run_by_hand("--fd x mode.so", output), 64);
    ck_assert_ptr_nonnull(strstr(output, "whole number"));
    ck_assert_int_eq(run_by_hand("--nonsense", output), 64);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        a_batch_is_answered_in_order_and_the_end_of_the_socket_ends_the_host,
        frames_may_come_in_any_pieces,
        stop_ends_the_host_after_what_came_before,
        a_crash_leaves_the_world_in_the_page,
        worlds_replayed_in_chunks_are_those_replayed_at_once,
        a_replay_that_does_not_fit_is_answered_and_harms_nobody,
        a_crash_in_the_middle_of_a_replay_leaves_its_world_in_the_page_and_the_answers_before_it,
        the_snapshot_of_an_ended_world_is_loaded_with_its_outcome,
        a_turn_is_answered_with_its_hash_if_that_is_asked_for,
        a_mode_that_cannot_be_loaded_is_refused_and_the_status_is_78,
        a_message_that_is_not_valid_ends_the_host_with_70,
        what_is_meant_for_a_world_that_was_not_made_harms_nobody,
        a_thousand_worlds_come_and_go_in_any_order,
        by_hand_it_explains_itself,
    };
    return run_cases("host_process", cases, sizeof cases / sizeof cases[0]);
}
