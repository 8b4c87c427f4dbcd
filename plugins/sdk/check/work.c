/* work.c: runs a mode's work() as the daemon does, in a process that holds no world, and again with less room and with
 * an inaccessible page behind question and answer, so that what reads or writes on is seen.
 */
#include "game.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A check does not wait longer for one answer, whatever the mode asked for: so much work, or so long for one that waits
 * for something. */
enum { WORK_MS = 300, WAIT_MS = 5000 };

/* Shared with the process that works. */
typedef struct work_bench {
    size_t room;    /* that it has now */
    size_t size;    /* of the answer that it gave with all room */
    bool whole;     /* there is that answer */
    bool checked;   /* and the others were no worse */
    size_t claimed; /* more than the room: what it said it had written */
    bool differed;
    uint8_t answer[WN_MAX_QUESTION];
} work_bench;

/* Memory of that size that ends where an inaccessible page begins. NULL: none is to be had. */
static uint8_t *edge(size_t size)
{
    const size_t unit = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (size + unit - 1) / unit * unit;
    uint8_t *memory = mmap(NULL, whole + unit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + whole, unit, PROT_NONE) != 0) {
        return NULL;
    }
    return memory + whole - size;
}

/* Answers with that much room, and compares with the first answer where there is room for it. */
static void answer_with(const wn_mode_descriptor *mode, const uint8_t *question, size_t size, size_t room,
                        work_bench *bench)
{
    uint8_t *answer = edge(room);
    if (!answer) {
        return;
    }
    bench->room = room;
    memset(answer, bench->whole ? 0x55 : 0xaa, room);
    const size_t given = mode->work(question, size, answer, room);
    if (given > room) {
        bench->claimed = given;
    } else if (!bench->whole) {
        memcpy(bench->answer, answer, given);
        bench->size = given;
        bench->whole = true;
    } else if (room >= bench->size) {
        bench->differed = given != bench->size || memcmp(answer, bench->answer, given) != 0;
    }
}

static struct itimerval after(int milliseconds)
{
    return (struct itimerval){.it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}};
}

static void labour(const wn_mode_descriptor *mode, const Warren__Host__Asked *asked, work_bench *bench)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct itimerval work = after(WORK_MS), wait = after(WAIT_MS);
    signal(SIGPROF, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_PROF, &work, NULL);
    setitimer(ITIMER_REAL, &wait, NULL);
    const size_t size = asked->question.len;
    uint8_t *question = edge(size);
    if (!question) {
        _exit(EXIT_FAILURE);
    }
    if (size > 0) {
        memcpy(question, asked->question.data, size);
    }
    answer_with(mode, question, size, WN_MAX_QUESTION, bench);
    if (bench->whole) {
        answer_with(mode, question, size, bench->size, bench);
        answer_with(mode, question, size, bench->size / 2, bench);
        answer_with(mode, question, size, 0, bench);
    }
    bench->checked = true;
    _exit(EXIT_SUCCESS);
}

static void judge(check_page *page, const work_bench *bench, int status)
{
    static const char advice[] = "Ask for `room` before each write; what has no room is left out.";
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF)) {
        count(page, TOPIC_WORK, "not answered in time", 1);
    } else if (WIFSIGNALED(status) && bench->whole) {
        found(page, TOPIC_WORK, advice, "work() writes past its room: with %zu bytes it ended by signal %d (%s)",
              bench->room, WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WIFSIGNALED(status)) {
        found(page, TOPIC_WORK, "It may rest on the question alone, and read and write no further than it is told.",
              "work() crashed: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (!bench->checked) {
        found(page, TOPIC_WORK, "It has to return.", "work() ended its process");
    }
    if (bench->claimed > 0) {
        found(page, TOPIC_WORK, advice, "work() says that it wrote %zu bytes, with room for %zu", bench->claimed,
              bench->room);
    }
    if (bench->differed) {
        found(page, TOPIC_WORK, "Answers go by the question alone: no clock, no addresses, no memory left unset.",
              "work() gave two answers to one question");
    }
}

bool work_run(checker *check, const Warren__Host__Asked *asked, uint8_t *answer, size_t *size)
{
    work_bench *bench = mmap(NULL, sizeof *bench, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bench == MAP_FAILED) {
        return false;
    }
    fflush(NULL);
    const pid_t worker = fork();
    if (worker == 0) {
        labour(check->mode, asked, bench);
    }
    int status = 0;
    const bool ran = worker > 0 && waitpid(worker, &status, 0) == worker;
    count(check->page, TOPIC_WORK, "questions", 1);
    if (ran) {
        judge(check->page, bench, status);
    }
    const bool whole = ran && bench->whole;
    *size = whole ? bench->size : 0;
    memcpy(answer, bench->answer, *size);
    munmap(bench, sizeof *bench);
    return whole;
}
