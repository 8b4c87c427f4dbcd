/* The terminal of the terminal frontend, on a pseudo-terminal: that it is given back as it was however the program
 * ends, that keys are understood, and that 24-bit colour is really spoken. */
#include <check.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

#include "command-line.h"
#include "key.h"
#include "paint.h"
#include "terminal.h"

enum { OUTPUT_BYTES = 65536, DEADLINE_MS = 20000 };

typedef struct pseudo_terminal {
    int master, slave;
    struct termios before;
    pid_t child;
    char output[OUTPUT_BYTES + 1];
    size_t size;
} pseudo_terminal;

typedef void child_function(wn_term *term);

static const char *terminal_type = "xterm-256color"; /* for the child */

static void be_child(pseudo_terminal *tty, wn_depth depth, child_function *run)
{
    char error[256];
    const wn_term_options options = {.depth = depth, .mouse = true};
    setsid();
    ioctl(tty->slave, TIOCSCTTY, 0);
    dup2(tty->slave, STDIN_FILENO);
    dup2(tty->slave, STDOUT_FILENO);
    setenv("TERM", terminal_type, 1);
    unsetenv("TERMINFO");
    wn_term *term = wn_term_start(&options, error, sizeof error);
    if (term == NULL) {
        fprintf(stderr, "%s\n", error);
        _exit(99);
    }
    run(term);
    _exit(98);
}

static void start(pseudo_terminal *tty, wn_depth depth, child_function *run)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    *tty = (pseudo_terminal){.master = posix_openpt(O_RDWR | O_NOCTTY)};
    ck_assert_int_ge(tty->master, 0);
    ck_assert_int_eq(grantpt(tty->master), 0);
    ck_assert_int_eq(unlockpt(tty->master), 0);
    tty->slave = open(ptsname(tty->master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(tty->slave, 0);
    ioctl(tty->slave, TIOCSWINSZ, &size);
    ck_assert_int_eq(tcgetattr(tty->slave, &tty->before), 0);
    tty->child = fork();
    ck_assert_int_ge(tty->child, 0);
    if (tty->child == 0) {
        be_child(tty, depth, run);
    }
}

/* Reads what comes until `text` is among it. */
static bool await(pseudo_terminal *tty, const char *text)
{
    struct pollfd fd = {.fd = tty->master, .events = POLLIN};
    while (strstr(tty->output, text) == NULL) {
        if (tty->size == OUTPUT_BYTES || poll(&fd, 1, DEADLINE_MS) <= 0) {
            return false;
        }
        const ssize_t got = read(tty->master, tty->output + tty->size, OUTPUT_BYTES - tty->size);
        if (got <= 0) {
            return false;
        }
        tty->size += (size_t)got;
        tty->output[tty->size] = '\0';
    }
    return true;
}

/* How the child ended; then everything it wrote has been read. */
static int finish(pseudo_terminal *tty)
{
    int status;
    struct pollfd fd = {.fd = tty->master, .events = POLLIN};
    ck_assert_int_eq(waitpid(tty->child, &status, 0), tty->child);
    while (tty->size < OUTPUT_BYTES && poll(&fd, 1, 0) > 0 && (fd.revents & POLLIN) != 0) {
        const ssize_t got = read(tty->master, tty->output + tty->size, OUTPUT_BYTES - tty->size);
        if (got <= 0) {
            break;
        }
        tty->size += (size_t)got;
        tty->output[tty->size] = '\0';
    }
    return status;
}

static const char *last_of(const char *text, const char *part)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        found = at;
    }
    return found;
}

static void assert_given_back(pseudo_terminal *tty)
{
    static const char *const pairs[][2] = {{"\033[?1049h", "\033[?1049l"},
                                           {"\033[?1h", "\033[?1l"},
                                           {"\033[?25l", "\033[?25h"},
                                           {"\033[?1006;1000h", NULL}};
    struct termios after;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *set = last_of(tty->output, pairs[i][0]);
        ck_assert_msg(set != NULL, "never set: %s", pairs[i][0] + 1);
        if (pairs[i][1] != NULL) {
            ck_assert_msg(last_of(set, pairs[i][1]) != NULL, "not reset: %s", pairs[i][0] + 1);
        }
    }
    ck_assert(last_of(tty->output, "\033[?1006;1000l") != NULL || last_of(tty->output, "\033[?1000l") != NULL);
    ck_assert_int_eq(tcgetattr(tty->slave, &after), 0);
    ck_assert_uint_eq(after.c_lflag, tty->before.c_lflag);
    ck_assert_uint_eq(after.c_iflag, tty->before.c_iflag);
    ck_assert_uint_eq(after.c_oflag, tty->before.c_oflag);
    close(tty->slave);
    close(tty->master);
}

static void show(const char *text)
{
    mvaddstr(0, 0, text);
    curs_set(0);
    refresh();
}

/* Dies of the signal that was sent when "ready" was seen, in the way of the program or of a crash. */
static void wait_for_signals(wn_term *term)
{
    struct pollfd fd = {.fd = wn_term_signal_fd(term), .events = POLLIN};
    show("ready");
    while (poll(&fd, 1, DEADLINE_MS) > 0) {
        if (wn_term_take_signal(term) != WN_SIGNAL_END) {
            continue;
        }
        const int number = wn_term_ended_by(term);
        wn_term_stop(term);
        wn_die_of_signal(number);
    }
}

static void assert_ended_by(pseudo_terminal *tty, int number)
{
    const int status = finish(tty);
    ck_assert_msg(WIFSIGNALED(status), "signal %d ended it with the status %d", number, WEXITSTATUS(status));
    ck_assert_int_eq(WTERMSIG(status), number);
    assert_given_back(tty);
}

static const int endings[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
static const int crashes[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
static int crash; /* for the child */

START_TEST(the_terminal_is_given_back_after_signals_that_end_it)
{
    static pseudo_terminal tty;
    start(&tty, WN_DEPTH_256, wait_for_signals);
    ck_assert(await(&tty, "ready"));
    ck_assert_int_eq(kill(tty.child, endings[_i]), 0);
    assert_ended_by(&tty, endings[_i]);
}
END_TEST

static void crash_itself(wn_term *term)
{
    (void)term;
    show("ready");
    raise(crash);
}

START_TEST(the_terminal_is_given_back_after_crashes)
{
    static pseudo_terminal tty;
    crash = crashes[_i];
    start(&tty, WN_DEPTH_256, crash_itself);
    assert_ended_by(&tty, crash);
}
END_TEST

static void end_well(wn_term *term)
{
    show("ready");
    wn_term_stop(term);
    _exit(0);
}

START_TEST(the_terminal_is_given_back_at_the_end)
{
    static pseudo_terminal tty;
    start(&tty, WN_DEPTH_256, end_well);
    ck_assert_int_eq(finish(&tty), 0);
    assert_given_back(&tty);
}
END_TEST

static void crash_at_once(wn_term *term)
{
    (void)term;
    show("ready");
    raise(SIGSEGV);
}

START_TEST(a_terminal_without_a_second_screen_is_left_empty)
{
    static child_function *const ways[] = {end_well, crash_at_once};
    static pseudo_terminal tty;
    terminal_type = "vt100";
    start(&tty, WN_DEPTH_NONE, ways[_i]);
    finish(&tty);
    const char *text = last_of(tty.output, "ready"), *cleared = last_of(tty.output, "\033[H\033[J");
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(cleared);
    ck_assert(text < cleared);
    close(tty.slave);
    close(tty.master);
}
END_TEST

/* More stack than any limit allows, long before it would end. */
static int overflow(int depth)
{
    volatile char much[4096];
    much[depth % 4096] = 1;
    return depth == 0 ? 0 : overflow(depth - 1) + much[depth % 4096];
}

static void overflow_stack(wn_term *term)
{
    const struct rlimit small = {1 << 20, 1 << 20};
    (void)term;
    setrlimit(RLIMIT_STACK, &small);
    show("ready");
    _exit(overflow(1 << 20) & 1);
}

START_TEST(the_terminal_is_given_back_when_the_stack_overflows)
{
    static pseudo_terminal tty;
    start(&tty, WN_DEPTH_256, overflow_stack);
    assert_ended_by(&tty, SIGSEGV);
}
END_TEST

/* Writes the names of the keys it reads, until q. */
static void name_keys(wn_term *term)
{
    char line[512] = "";
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    show("ready");
    while (poll(&fd, 1, DEADLINE_MS) > 0) {
        wn_input input;
        while (wn_term_read(term, &input)) {
            char name[WN_KEY_NAME_BYTES];
            if (input.key == 'q') {
                strcat(line, " end");
                show(line);
                wn_term_stop(term);
                _exit(0);
            }
            if (input.key == WN_KEY_MOUSE) {
                snprintf(name, sizeof name, "click%d,%d", input.x, input.y);
            } else {
                wn_key_name(name, sizeof name, input.key, false);
            }
            snprintf(line + strlen(line), sizeof line - strlen(line) - 8, " %s", name);
        }
    }
}

START_TEST(keys_and_clicks_are_understood)
{
    static const char typed[] = "k\033OA\033[5~\033OP\033[15~\033Ox\033Ow\r\t\x7f\x0c\xc3\xbc\033[<0;11;6Mq";
    static pseudo_terminal tty;
    start(&tty, WN_DEPTH_256, name_keys);
    ck_assert(await(&tty, "ready"));
    ck_assert_int_eq((int)write(tty.master, typed, sizeof typed - 1), (int)sizeof typed - 1);
    ck_assert(await(&tty, "end"));
    ck_assert_int_eq(finish(&tty), 0);
    ck_assert_msg(strstr(tty.output, "k up pageup f1 f5 kp8 kp7 enter tab backspace ctrl-l \xc3\xbc click10,5 end") !=
                      NULL,
                  "%s", last_of(tty.output, " k "));
    assert_given_back(&tty);
}
END_TEST

/* The bytes that terminals send for keys, whatever TERM says of them, each between an x and a y. */
static const struct {
    const char *bytes, *key; /* "": nothing at all */
} sequences[] = {
    {"\033OP", "f1"},
    {"\033[11~", "f1"},
    {"\033[[A", "f1"},
    {"\033[[E", "f5"},
    {"\033OS", "f4"},
    {"\033[14~", "f4"},
    {"\033[15~", "f5"},
    {"\033[17~", "f6"},
    {"\033[21~", "f10"},
    {"\033[23~", "f11"},
    {"\033[24~", "f12"},
    {"\033OH", "home"},
    {"\033[H", "home"},
    {"\033[1~", "home"},
    {"\033[7~", "home"},
    {"\033OF", "end"},
    {"\033[F", "end"},
    {"\033[4~", "end"},
    {"\033[8~", "end"},
    {"\033[2~", "insert"},
    {"\033[3~", "delete"},
    {"\033[5~", "pageup"},
    {"\033[6~", "pagedown"},
    {"\033OA", "up"},
    {"\033[A", "up"},
    {"\033[D", "left"},
    {"\033[1;129A", "up"},
    {"\033[Z", "backtab"},
    {"\033[E", "kp5"},
    {"\033[G", "kp5"},
    {"\033Ox", "kp8"},
    {"\033Oq", "kp1"},
    {"\033Ok", "+"},
    {"\033OM", "enter"},
    {"\033[1;6P", ""},
    {"\033[25~", ""},
    {"\033[3;2~", ""},
    {"\033[7$", ""},
    {"\033[8^", ""},
    {"\033Oa", ""},
    {"\033O5R", ""},
    {"\033[200~", ""},
    {"\033[24;80R", ""},
    {"\033[?64;1;2c", ""},
    {"\033[I", ""},
    {"\033[97;5u", ""},
    {"\033[27;5;9~", ""},
    {"\033[[Z", ""},
    {"\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15~", ""},
    {"\033\033[A", "escape up"},
    {"\033k", "escape k"},
    {"\033[1;2\033OA", "up"},
    {"\033[1\r", "enter"},
};
static const char *const terminal_types[] = {"xterm-256color", "linux", "vt100", "tmux", "rxvt", "screen", "ansi"};

static int told[2]; /* a pipe: what the child read */

static void tell_keys(wn_term *term)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    show("ready");
    while (poll(&fd, 1, DEADLINE_MS) > 0) {
        wn_input input;
        while (wn_term_read(term, &input)) {
            char name[WN_KEY_NAME_BYTES];
            wn_key_name(name, sizeof name, input.key, false);
            if (dprintf(told[1], "%s%s", name, input.key == 'y' || input.key == 'q' ? "\n" : " ") < 0) {
                _exit(97);
            }
            if (input.key == 'q') {
                wn_term_stop(term);
                _exit(0);
            }
        }
    }
}

START_TEST(sequences_of_any_terminal_are_one_key_or_nothing)
{
    static pseudo_terminal tty;
    char line[80], wanted[80];
    terminal_type = terminal_types[_i];
    ck_assert_int_eq(pipe(told), 0);
    start(&tty, WN_DEPTH_NONE, tell_keys);
    ck_assert(await(&tty, "ready"));
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        ck_assert_int_gt(dprintf(tty.master, "x%sy", sequences[i].bytes), 0);
    }
    ck_assert_int_eq((int)write(tty.master, "q", 1), 1);
    FILE *file = fdopen(told[0], "r");
    ck_assert_int_eq(finish(&tty), 0);
    close(told[1]);
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        snprintf(wanted, sizeof wanted, "x %s%sy\n", sequences[i].key, sequences[i].key[0] == '\0' ? "" : " ");
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        ck_assert_msg(strcmp(line, wanted) == 0, "%s: ESC %s is %s", terminal_type, sequences[i].bytes + 1, line);
    }
    fclose(file);
    close(tty.slave);
    close(tty.master);
}
END_TEST

static void show_colours(wn_term *term)
{
    const wn_paint paint = {.depth = wn_term_depth(term), .unicode = true};
    wn_paint_look(&paint, stdscr, 1, 1, &(wn_look){.glyph = 'A', .foreground = 0x123456, .background = 0xff8001});
    wn_paint_look(&paint, stdscr, 1, 3, &(wn_look){.glyph = 'B', .foreground = 0x000003, .background = WN_COLOUR_OWN});
    refresh();
    wn_term_stop(term);
    _exit(0);
}

START_TEST(colours_are_spoken_at_the_depth_that_was_chosen)
{
    static const struct {
        wn_depth depth;
        const char *said[3];
    } cases[] = {
        {WN_DEPTH_24BIT, {"38;2;18;52;86", "48;2;255;128;1", "38;2;0;0;3"}},
        {WN_DEPTH_256, {"38;5;", "48;5;208", "38;5;16"}},
        {WN_DEPTH_16, {"[3", "[4", "[3"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static pseudo_terminal tty;
        start(&tty, cases[i].depth, show_colours);
        ck_assert_int_eq(finish(&tty), 0);
        for (size_t k = 0; k < 3; k++) {
            ck_assert_msg(strstr(tty.output, cases[i].said[k]) != NULL, "depth %d never says %s", cases[i].depth,
                          cases[i].said[k]);
        }
        if (cases[i].depth == WN_DEPTH_16) {
            ck_assert_ptr_null(strstr(tty.output, "8;5;"));
        }
        close(tty.slave);
        close(tty.master);
    }
}
END_TEST

START_TEST(without_colours_none_are_spoken)
{
    static pseudo_terminal tty;
    start(&tty, WN_DEPTH_NONE, show_colours);
    ck_assert_int_eq(finish(&tty), 0);
    static const char *const colours[] = {"38;", "48;", "[31m", "[32m", "[33m", "[37m", "[40m"};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        ck_assert_ptr_null(strstr(tty.output, colours[i]));
    }
    close(tty.slave);
    close(tty.master);
}
END_TEST

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    Suite *suite = suite_create("curses terminal");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, the_terminal_is_given_back_after_signals_that_end_it, 0,
                        (int)(sizeof endings / sizeof *endings));
    tcase_add_loop_test(tests, the_terminal_is_given_back_after_crashes, 0, (int)(sizeof crashes / sizeof *crashes));
    tcase_add_test(tests, the_terminal_is_given_back_at_the_end);
    tcase_add_test(tests, the_terminal_is_given_back_when_the_stack_overflows);
    tcase_add_loop_test(tests, a_terminal_without_a_second_screen_is_left_empty, 0, 2);
    tcase_add_test(tests, keys_and_clicks_are_understood);
    tcase_add_loop_test(tests, sequences_of_any_terminal_are_one_key_or_nothing, 0,
                        (int)(sizeof terminal_types / sizeof *terminal_types));
    tcase_add_test(tests, colours_are_spoken_at_the_depth_that_was_chosen);
    tcase_add_test(tests, without_colours_none_are_spoken);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
