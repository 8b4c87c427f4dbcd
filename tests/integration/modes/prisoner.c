/* prisoner.c: a mode for tests that tries what a mode may not do: each action asks the kernel for one thing, and counts
 * if it got away with it. PRISONER_TRIES in the environment has it try one while it is loaded.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <warren/mode.h>

static void do_nothing(void)
{
}

static void open_a_socket(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}

static void read_a_file(void)
{
    char line[64];
    const int file = open("/etc/passwd", O_RDONLY);
    if (file >= 0 && read(file, line, sizeof line) > 0) {
        abort();
    }
}

static void write_a_file(void)
{
    const int file = open("/tmp/warren-prisoner", O_WRONLY | O_CREAT, 0600);
    if (file >= 0) {
        abort();
    }
}

static void fork_a_process(void)
{
    if (fork() == 0) {
        _exit(0);
    }
}

static void *idle(void *nothing)
{
    return nothing;
}

static void start_a_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
}

static void run_a_program(void)
{
    execl("/bin/true", "true", (char *)NULL);
}

/* Signal 0 harms nobody should it come through. */
static void send_a_signal(void)
{
    kill(1, 0);
}

static void look_into_a_process(void)
{
    char byte;
    const struct iovec here = {&byte, 1}, there = {&byte, 1};
    process_vm_readv(1, &here, 1, &there, 1, 0);
}

static void make_code(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void share_memory(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* Memory of a kind that limits on data do not count. Ends by itself, too. */
static void grow_a_stack(void)
{
    const size_t size = (size_t)4 << 30;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
    if (stack != MAP_FAILED) {
        abort();
    }
}

/* To ask harms nobody should it come through. */
static void limit_a_process(void)
{
    struct rlimit limit;
    prlimit(1, RLIMIT_CORE, NULL, &limit);
}

static void limit_itself(void)
{
    struct rlimit limit = {0, 0};
    setrlimit(RLIMIT_CORE, &limit);
}

static void outlive_the_daemon(void)
{
    prctl(PR_SET_PDEATHSIG, 0);
}

/* As a terminal would be. It fails and does no harm. */
static void ask_a_device(void)
{
    int waiting;
    if (ioctl(STDERR_FILENO, FIONREAD, &waiting) == 0 || ioctl(STDOUT_FILENO, FIONREAD, &waiting) == 0) {
        abort();
    }
}

/* The page that tells whom to blame, as a file. It is closed. */
static void use_the_page(void)
{
    enum { PAGE = 4 };
    char byte = 1;
    if (lseek(PAGE, 0, SEEK_SET) == 0 || write(PAGE, &byte, 1) == 1) {
        abort();
    }
}

/* Without a limit this would take the machine with it, so it ends by itself after 4 GiB. */
static void eat_memory(void)
{
    enum { BITE = 16 << 20, BITES = 256 };
    for (int i = 0; i < BITES; i++) {
        memset(malloc(BITE), i, BITE);
    }
}

static int compare(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(uint32_t));
}

/* What a mode may do, and what a library may ask the kernel for on its behalf. */
static void be_good(void)
{
    enum { COUNT = 1 << 20 };
    uint32_t *numbers = calloc(COUNT, sizeof *numbers);
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = i * 2654435761u;
    }
    qsort(numbers, COUNT, sizeof *numbers, compare);
    numbers = realloc(numbers, 2 * COUNT * sizeof *numbers);
    free(numbers);
    printf("a mode may print\n");
    fprintf(stderr, "to both,\t\033[31mand how\n");
}

/* Much at once, on each way to the log: more than it takes. */
static void be_talkative(void)
{
    enum { LINES = 20000 };
    for (int i = 0; i < LINES; i++) {
        printf("printed %d\n", i);
    }
}

static void quit(void)
{
    abort();
}

/* The conversation with the daemon ends, and the process does not. */
static void hang_up(void)
{
    enum { CONVERSATION = 3 };
    close(CONVERSATION);
    for (;;) {
        pause();
    }
}

static const struct deed {
    const char *name;
    void (*act)(void);
} deeds[] = {
    {"nothing", do_nothing},
    {"socket", open_a_socket},
    {"read", read_a_file},
    {"write", write_a_file},
    {"fork", fork_a_process},
    {"thread", start_a_thread},
    {"exec", run_a_program},
    {"kill", send_a_signal},
    {"look", look_into_a_process},
    {"code", make_code},
    {"share", share_memory},
    {"eat", eat_memory},
    {"good", be_good},
    {"abort", quit},
    {"hangup", hang_up},
    {"stack", grow_a_stack},
    {"limit", limit_a_process},
    {"own", limit_itself},
    {"outlive", outlive_the_daemon},
    {"device", ask_a_device},
    {"page", use_the_page},
    {"talk", be_talkative},
};

/* One more action has the mode's worker open a socket; that it gave no answer counts as a hundred. */
enum { DEEDS = sizeof deeds / sizeof *deeds, DELEGATE = DEEDS + 1, NO_ANSWER = 100 };

__attribute__((constructor)) static void while_loaded(void)
{
    const char *name = getenv("PRISONER_TRIES");
    for (size_t i = 0; name != NULL && i < DEEDS; i++) {
        if (strcmp(deeds[i].name, name) == 0) {
            deeds[i].act();
        }
    }
}

static bool create(wn_world *world)
{
    world->state = wn_alloc(world, sizeof(uint32_t));
    return world->state != NULL;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    (void)world;
    (void)seat;
    (void)player;
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    (void)world;
    (void)seat;
}

static void turn(wn_world *world, const wn_turn *now)
{
    uint32_t *done = world->state;
    for (size_t i = 0; i < now->count; i++) {
        if (now->commands[i].action == DELEGATE) {
            wn_ask(world, 1, NULL, 0, 5000);
        } else {
            const struct deed *deed = &deeds[now->commands[i].action - 1];
            deed->act();
            for (int line = 0; deed->act == be_talkative && line < 20000; line++) {
                wn_log(world, WN_LOG_INFO, "logged %d", line);
            }
        }
        (*done)++;
    }
}

static size_t work(const void *question, size_t size, void *answer, size_t room)
{
    (void)question;
    (void)size;
    (void)answer;
    (void)room;
    open_a_socket();
    return 0;
}

static void answered(wn_world *world, uint32_t job, const void *answer, size_t size)
{
    uint32_t *done = world->state;
    (void)job;
    (void)size;
    *done += answer == NULL ? NO_ANSWER : 0;
}

static void draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const uint32_t *done = world->state;
    (void)seat;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, 1, 1);
    }
    wn_status_number(world, view, 0, *done);
}

static void save(wn_world *world, wn_writer *writer)
{
    wn_write_u32(writer, world, *(const uint32_t *)world->state);
}

static bool load(wn_world *world, wn_reader *reader)
{
    uint32_t *done = wn_alloc(world, sizeof *done);
    world->state = done;
    if (done != NULL) {
        *done = wn_read_u32(reader, world);
    }
    return done != NULL && wn_read_ok(reader, world);
}

WN_EXPORT const wn_mode_descriptor *wn_mode(void)
{
    static const wn_tile tiles[] = {{"nothing", " ", " ", WN_COLOUR_NONE, WN_COLOUR_NONE, 0, 0}};
    static const wn_status status[] = {{"done", WN_STATUS_NUMBER, "Done"}};
    static wn_action actions[DELEGATE];
    for (uint32_t i = 0; i < DELEGATE; i++) {
        const char *name = i < DEEDS ? deeds[i].name : "delegate";
        actions[i] = (wn_action){i + 1, name, name, WN_ARGUMENT_NONE, NULL, WN_PURPOSE_OTHER};
    }
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "prisoner",
        .title = "Prisoner",
        .summary = "Tries what a mode may not do",
        .version = "0.1.0",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = 4,
        .tiles = tiles,
        .tile_count = 1,
        .actions = actions,
        .action_count = DELEGATE,
        .status = status,
        .status_count = 1,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = turn,
        .draw = draw,
        .save = save,
        .load = load,
        .work = work,
        .answered = answered,
    };
    return &descriptor;
}
