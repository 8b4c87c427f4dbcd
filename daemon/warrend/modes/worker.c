/* worker.c: see worker.h. A worker is a host that is given no worlds. */
#include "modes/worker.h"

#include <errno.h>

#include "memory.h"
#include "worlds/directory.h"
#include "worlds/turns.h"

enum {
    READ_BYTES = 64 << 10,
    IDLE_MS = 30000,
    HURRY_MS = 200,      /* for an answer that nobody waits for: most are quicker than a new process */
    START_MS = 10000,    /* for a worker to come up */
    STARTS_A_SECOND = 2, /* and as many at once after a pause: a mode can have one crash with each question */
    ARENA_BYTES = 4 << 20
};

typedef struct question {
    uint32_t world, number, serial, milliseconds;
    uint64_t round; /* a world has one question in each: however many one asks, the others' come in between */
    size_t size;
    uint8_t *bytes;
} question;

typedef struct wn_worker {
    wn_host_process process;
    wn_installed_mode *mode;
    question *waiting; /* the first is the one being answered, if any is */
    size_t count, capacity;
    uint32_t ticket; /* of that one */
    uint64_t round;
    bool ready, busy, unwanted; /* unwanted: nobody waits for its answer any more */
    wn_timer *deadline, *idle;
    bool missed;          /* somebody waited for the answer of a process that was ended */
    uint32_t ended_world; /* whose question it had; 0: none's */
    wn_allowance starts;
    wn_timer *again; /* when there is one of those */
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

/* Until it is gone there is no other. */
static void end(wn_worker *worker, const char *why)
{
    worker->ready = false;
    wn_timer_stop(worker->idle);
    wn_timer_stop(worker->deadline);
    wn_host_process_end(&worker->process, why);
}

static void process_gone(void *context, const wn_host_process_ending *end)
{
    wn_worker *worker = context;
    wn_log_line(worker->missed ? WN_LEVEL_WARNING : WN_LEVEL_DEBUG, "worker", "ended: %s mode=%s world=%u", end->why,
                worker->mode->name, worker->ended_world);
    go_on(worker);
}

/* It died or hangs. One that did not even come up has nothing to say to anybody. */
static void failed(wn_worker *worker, const char *why)
{
    const bool came_up = worker->ready;
    worker->missed = worker->busy && !worker->unwanted;
    worker->ended_world = worker->busy ? worker->waiting[0].world : 0;
    if (worker->busy) {
        answer(worker, NULL, 0);
    }
    while (!came_up && worker->count > 0) {
        answer(worker, NULL, 0);
    }
    end(worker, why);
}

static void process_failed(void *context, const char *what, const char *detail)
{
    (void)detail;
    failed(context, what);
}

static void too_long(void *context)
{
    wn_worker *worker = context;
    failed(worker, worker->busy ? "the time for its answer is over" : "it does not come up");
}

static void idle_over(void *context)
{
    wn_worker *worker = context;
    if (worker->process.pid != 0 && !worker->process.end.begun && worker->count == 0) {
        worker->missed = false;
        worker->ended_world = 0;
        end(worker, "nothing to do");
    }
}

static bool take(void *context, Warren__Host__FromHost *message)
{
    wn_worker *worker = context;
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
    return true;
}

static bool start(wn_worker *worker)
{
    if (!wn_host_process_start(&worker->process)) {
        wn_log_line(WN_LEVEL_ERROR, "worker", "cannot start %s: %s mode=%s", worker->mode->daemon->config->host_program,
                    strerror(errno), worker->mode->name);
        return false;
    }
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
    message.body_case = WARREN__HOST__TO_HOST__BODY_WORK;
    message.work = &work;
    work.ticket = ++worker->ticket;
    work.question.data = first->bytes;
    work.question.len = first->size;
    wn_frame_append(&worker->process.out, &message.base);
    worker->busy = true;
    worker->round = first->round;
    wn_timer_set(worker->deadline, first->milliseconds);
    wn_host_process_flush(&worker->process);
    if (worker->process.out.size > 0) {
        wn_timer_set(worker->deadline, 1); /* it is dead or dying: that is met there, and not from within a call */
    }
}

static void may_start_again(void *context)
{
    go_on(context);
}

static bool may_start(wn_worker *worker)
{
    if (wn_timer_armed(worker->again)) {
        return false;
    }
    if (!wn_allowance_take(&worker->starts, STARTS_A_SECOND, wn_loop_now_ms(worker->mode->daemon->loop))) {
        wn_timer_set(worker->again, 1000 / STARTS_A_SECOND);
        return false;
    }
    return true;
}

static void go_on(wn_worker *worker)
{
    if (worker->busy || worker->process.end.begun || worker->mode->daemon->stopping) {
        return;
    }
    if (worker->count == 0) {
        if (worker->process.pid != 0) {
            wn_timer_set(worker->idle, IDLE_MS);
        }
        return;
    }
    wn_timer_stop(worker->idle);
    if (worker->process.pid == 0 && !may_start(worker)) {
        return;
    }
    if (worker->process.pid == 0 && !start(worker)) {
        while (worker->count > 0) {
            answer(worker, NULL, 0);
        }
    } else if (worker->ready) {
        ask(worker);
    }
}

static const wn_host_process_handlers handlers = {.read_bytes = READ_BYTES,
                                                  .unread_bytes = ARENA_BYTES,
                                                  .arena_bytes = ARENA_BYTES,
                                                  .take = take,
                                                  .failed = process_failed,
                                                  .gone = process_gone};

static wn_worker *worker_new(wn_installed_mode *mode)
{
    wn_worker *worker = wn_must_zero(1, sizeof *worker);
    worker->mode = mode;
    wn_host_process_init(&worker->process, mode->daemon, mode->path, mode->log, &handlers, worker);
    worker->deadline = wn_timer_new(mode->daemon->loop, too_long, worker);
    worker->idle = wn_timer_new(mode->daemon->loop, idle_over, worker);
    worker->starts = wn_allowance_whole(wn_loop_now_ms(mode->daemon->loop));
    worker->again = wn_timer_new(mode->daemon->loop, may_start_again, worker);
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
    wn_installed_mode *mode = game->mode;
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
    wn_worker *worker = game->mode != NULL ? game->mode->worker : NULL;
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
    wn_host_process_free(&worker->process);
    while (worker->count > 0) {
        remove_at(worker, worker->count - 1);
    }
    wn_timer_free(worker->deadline);
    wn_timer_free(worker->idle);
    wn_timer_free(worker->again);
    free(worker->waiting);
    free(worker);
}
