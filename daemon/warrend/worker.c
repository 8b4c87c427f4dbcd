/* worker.c: see worker.h. A worker is a host that is given no worlds. */
#include "worker.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "directory.h"
#include "host-process.h"
#include "memory.h"
#include "turns.h"

enum {
    READ_BYTES = 64 << 10,
    IDLE_MS = 30000,
    HURRY_MS = 200,   /* for an answer that nobody waits for: most are quicker than a new process */
    START_MS = 10000, /* for a worker to come up */
    ARENA_BYTES = 4 << 20
};

typedef struct question {
    uint32_t world, number, serial, milliseconds;
    uint64_t round; /* a world has one question in each: however many one asks, the others' come in between */
    size_t size;
    uint8_t *bytes;
} question;

typedef struct wn_worker {
    wn_host_process process; /* path and process only */
    wn_host_process *mode;
    question *waiting; /* the first is the one being answered, if any is */
    size_t count, capacity;
    uint32_t ticket; /* of that one */
    uint64_t round;
    bool ready, busy, unwanted; /* unwanted: nobody waits for its answer any more */
    wn_timer *deadline, *idle;
    struct {
        bool begun; /* the process was killed, and is not gone yet */
        const char *why;
        bool missed; /* somebody waits for its answer */
        uint32_t world;
        wn_timer *look;
        uint64_t look_ms;
    } end;
    wn_arena *arena;
} wn_worker;

static void go_on(wn_worker *worker);

static void remove_at(wn_worker *worker, size_t at)
{
    free(worker->waiting[at].bytes);
    worker->count--;
    memmove(&worker->waiting[at], &worker->waiting[at + 1], (worker->count - at) * sizeof *worker->waiting);
}

/* The first question has its answer, or has none. */
static void answer(wn_worker *worker, const void *bytes, size_t size)
{
    wn_game *game = wn_game_by_id(worker->mode->daemon, worker->waiting[0].world);
    if (game != NULL && !worker->unwanted) {
        wn_turns_answer_job(game, worker->waiting[0].serial, bytes, size);
    }
    remove_at(worker, 0);
    worker->busy = false;
    worker->unwanted = false;
    wn_timer_stop(worker->deadline);
}

/* the process */

static void stop_hearing(wn_worker *worker)
{
    wn_host_process *process = &worker->process;
    if (process->watch != NULL) {
        wn_loop_remove_fd(worker->mode->daemon->loop, process->watch);
        process->watch = NULL;
    }
    process->in.size = 0;
    worker->ready = false;
    wn_timer_stop(worker->idle);
    wn_timer_stop(worker->deadline);
}

static void release(wn_worker *worker)
{
    stop_hearing(worker);
    wn_host_process_release(&worker->process);
    worker->end.begun = false;
    wn_timer_stop(worker->end.look);
}

static bool is_gone(wn_worker *worker)
{
    wn_process_end end;
    if (!wn_host_process_ended(&worker->process, &end)) {
        worker->end.look_ms = wn_host_process_next_look(worker->end.look_ms);
        wn_timer_set(worker->end.look, worker->end.look_ms);
        return false;
    }
    wn_log_line(worker->end.missed ? WN_LEVEL_WARNING : WN_LEVEL_DEBUG, "worker", "ended: %s mode=%s world=%u",
                worker->end.why != NULL ? worker->end.why : end.how, worker->mode->name, worker->end.world);
    release(worker);
    return true;
}

static void look_for_end(void *context)
{
    wn_worker *worker = context;
    if (is_gone(worker)) {
        go_on(worker);
    }
}

/* Nothing waits for its end: until it is gone there is no other. */
static void end(wn_worker *worker, const char *why)
{
    worker->end.begun = true;
    worker->end.why = why;
    worker->end.missed = worker->busy && !worker->unwanted;
    worker->end.world = worker->busy ? worker->waiting[0].world : 0;
    worker->end.look_ms = 0;
    stop_hearing(worker);
    wn_host_process_kill(&worker->process);
    is_gone(worker);
}

/* It died or hangs. One that did not even come up has nothing to say to anybody. */
static void failed(wn_worker *worker, const char *why)
{
    const bool came_up = worker->ready;
    end(worker, why);
    if (worker->busy) {
        answer(worker, NULL, 0);
    }
    while (!came_up && worker->count > 0) {
        answer(worker, NULL, 0);
    }
    go_on(worker);
}

static void too_long(void *context)
{
    wn_worker *worker = context;
    failed(worker, worker->busy ? "the time for its answer is over" : "it does not come up");
}

static void idle_over(void *context)
{
    wn_worker *worker = context;
    if (worker->process.pid != 0 && !worker->end.begun && worker->count == 0) {
        end(worker, "nothing to do");
    }
}

static void take(wn_worker *worker, const Warren__Host__FromHost *message)
{
    if (message->body_case == WARREN__HOST__FROM_HOST__BODY_READY && !worker->ready) {
        worker->ready = true;
        wn_timer_stop(worker->deadline);
        go_on(worker);
    } else if (message->body_case == WARREN__HOST__FROM_HOST__BODY_WORKED && worker->busy &&
               message->worked->ticket == worker->ticket) {
        const bool there = message->worked->has_answer;
        answer(worker,
               there ? (message->worked->answer.len > 0 ? (const void *)message->worked->answer.data : "") : NULL,
               message->worked->answer.len);
        go_on(worker);
    }
}

static void take_frames(wn_worker *worker)
{
    wn_buffer *in = &worker->process.in;
    size_t offset = 0, size = 0;
    const uint8_t *bytes = NULL;
    int got = 0;
    while ((got = wn_frame_next(in, &offset, &bytes, &size)) == 1) {
        wn_error error;
        wn_arena_reset(worker->arena);
        const Warren__Host__FromHost *message = wn_from_host_decode(worker->arena, bytes, size, &error);
        if (message == NULL) {
            got = -1;
            break;
        }
        take(worker, message);
    }
    if (got < 0) {
        failed(worker, "it sent what is no message of ours");
    } else {
        memmove(in->data, in->data + offset, in->size - offset);
        in->size -= offset;
    }
}

static void readable(void *context, uint32_t events)
{
    wn_worker *worker = context;
    wn_host_process *process = &worker->process;
    (void)events;
    uint8_t *room = wn_buffer_reserve(&process->in, READ_BYTES);
    const ssize_t got = read(process->fd, room, READ_BYTES);
    if (got > 0) {
        process->in.size += (size_t)got;
        if (process->in.size > ARENA_BYTES) {
            failed(worker, "it sends more than an answer can have");
        } else {
            take_frames(worker);
        }
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        failed(worker, NULL);
    }
}

static bool start(wn_worker *worker)
{
    wn_host_process *process = &worker->process;
    if (!wn_host_process_start(process)) {
        wn_log_line(WN_LEVEL_ERROR, "worker", "cannot start %s: %s mode=%s", worker->mode->daemon->config->host_program,
                    strerror(errno), worker->mode->name);
        release(worker);
        return false;
    }
    process->watch = wn_loop_add_fd(worker->mode->daemon->loop, process->fd, EPOLLIN, readable, worker);
    wn_timer_set(worker->deadline, START_MS);
    return true;
}

/* questions */

/* A question and its frame are smaller than what the socket of a worker that waits takes at once. */
static void ask(wn_worker *worker)
{
    const question *first = &worker->waiting[0];
    Warren__Host__Work work = WARREN__HOST__WORK__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    wn_buffer out = {0};
    message.body_case = WARREN__HOST__TO_HOST__BODY_WORK;
    message.work = &work;
    work.ticket = ++worker->ticket;
    work.question.data = first->bytes;
    work.question.len = first->size;
    wn_frame_append(&out, &message.base);
    worker->busy = true;
    worker->round = first->round;
    wn_timer_set(worker->deadline, first->milliseconds);
    if (send(worker->process.fd, out.data, out.size, MSG_NOSIGNAL) != (ssize_t)out.size) {
        wn_timer_set(worker->deadline, 1); /* it is dead or dying: that is met there, and not from within a call */
    }
    wn_buffer_free(&out);
}

static void go_on(wn_worker *worker)
{
    if (worker->busy || worker->end.begun || worker->mode->daemon->stopping) {
        return;
    }
    if (worker->count == 0) {
        if (worker->process.pid != 0) {
            wn_timer_set(worker->idle, IDLE_MS);
        }
        return;
    }
    wn_timer_stop(worker->idle);
    if (worker->process.pid == 0 && !start(worker)) {
        while (worker->count > 0) {
            answer(worker, NULL, 0);
        }
    } else if (worker->ready) {
        ask(worker);
    }
}

static wn_worker *worker_new(wn_host_process *mode)
{
    wn_worker *worker = wn_must_zero(1, sizeof *worker);
    worker->mode = mode;
    worker->process.daemon = mode->daemon;
    worker->process.path = mode->path;
    worker->process.log = mode->log;
    worker->process.fd = -1;
    worker->deadline = wn_timer_new(mode->daemon->loop, too_long, worker);
    worker->idle = wn_timer_new(mode->daemon->loop, idle_over, worker);
    worker->end.look = wn_timer_new(mode->daemon->loop, look_for_end, worker);
    worker->arena = wn_must(wn_arena_new(ARENA_BYTES));
    return worker;
}

/* Nobody waits any more for the answer to the question there. */
static void drop(wn_worker *worker, size_t at)
{
    if (at > 0 || !worker->busy) {
        remove_at(worker, at);
    } else if (!worker->unwanted) {
        worker->unwanted = true;
        wn_timer_set(worker->deadline, HURRY_MS);
    }
}

/* Makes room for a question: one that it replaces is dropped. false: it waits already, or too many do. */
static bool admit(wn_worker *worker, uint32_t world, const Warren__Host__Asked *asked)
{
    size_t waiting = 0;
    for (size_t i = worker->count; i-- > 0;) {
        const question *other = &worker->waiting[i];
        if (other->world != world || (i == 0 && worker->unwanted)) {
            continue;
        }
        if (other->serial == asked->serial) {
            return false;
        }
        if (other->number == asked->job) {
            drop(worker, i);
        } else {
            waiting++;
        }
    }
    return waiting < WN_JOBS;
}

/* Behind the others of its round. */
static void add(wn_worker *worker, uint32_t world, const Warren__Host__Asked *asked)
{
    const size_t size = asked->question.len;
    question added = {world, asked->job, asked->serial, asked->milliseconds, worker->round, size, NULL};
    for (size_t i = 0; i < worker->count; i++) {
        const question *other = &worker->waiting[i];
        if (other->world == world && other->round >= added.round) {
            added.round = other->round + 1;
        }
    }
    added.bytes = memcpy(wn_must_zero(1, size + 1), asked->question.data, size);
    WN_GROW(worker->waiting, worker->count, worker->capacity);
    size_t at = worker->count++;
    for (; at > 0 && worker->waiting[at - 1].round > added.round; at--) {
        worker->waiting[at] = worker->waiting[at - 1];
    }
    worker->waiting[at] = added;
}

void wn_worker_ask(wn_game *game, Warren__Host__Asked *const *asked, size_t count)
{
    wn_host_process *mode = game->host;
    if (count == 0) {
        return;
    }
    if (mode->worker == NULL) {
        mode->worker = worker_new(mode);
    }
    for (size_t i = 0; i < count; i++) {
        if (admit(mode->worker, game->id, asked[i])) {
            add(mode->worker, game->id, asked[i]);
        }
    }
    go_on(mode->worker);
}

void wn_worker_forget(const wn_game *game)
{
    wn_worker *worker = game->host != NULL ? game->host->worker : NULL;
    for (size_t i = worker != NULL ? worker->count : 0; i-- > 0;) {
        if (worker->waiting[i].world == game->id) {
            drop(worker, i);
        }
    }
}

void wn_worker_free(wn_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    if (worker->process.pid != 0) {
        wn_host_process_kill(&worker->process);
        wn_host_process_wait(&worker->process);
        release(worker);
    }
    while (worker->count > 0) {
        remove_at(worker, worker->count - 1);
    }
    wn_timer_free(worker->deadline);
    wn_timer_free(worker->idle);
    wn_timer_free(worker->end.look);
    wn_arena_free(worker->arena);
    wn_buffer_free(&worker->process.in);
    free(worker->waiting);
    free(worker);
}
