/* terminal.c: the terminal itself. See terminal.h. The signals that this program handles are blocked and read from a
 * descriptor, so that nothing happens in a handler except giving the terminal back after a crash. */
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>

#include "direct-colour.h"
#include "key.h"
#include "sequence.h"

enum { ESCAPE_MS = 25, KEYPAD_CODES = 3000 };

struct wn_term {
    SCREEN *screen;
    wn_depth depth;
    bool mouse;
    int signals;
    int ended_by;
    bool held; /* what was read to see whether a sequence goes on, and is a key by itself */
    int held_kind;
    wint_t held_code;
    sigset_t before; /* the signal mask as it was */
};

/* What a crash handler needs. It has to be here: a signal handler gets no argument of ours. Written before the
 * handlers are set, and read only by them and by restore(). */
static struct {
    volatile sig_atomic_t active;
    struct termios modes;
    char bytes[512];
    size_t size;
} given_back;

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof *crash_signals };

/* giving it back */

static void write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR) {
            return;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

/* Async-signal-safe. */
static void restore(void)
{
    if (!given_back.active) {
        return;
    }
    given_back.active = 0;
    write_all(STDOUT_FILENO, given_back.bytes, given_back.size);
    tcsetattr(STDOUT_FILENO, TCSANOW, &given_back.modes);
}

static void crashed(int number)
{
    static const char sentence[] = "warren: crashed; the terminal has been restored\n";
    const int kept = errno;
    if (given_back.active) {
        restore();
        write_all(STDERR_FILENO, sentence, sizeof sentence - 1);
    }
    errno = kept;
    signal(number, SIG_DFL);
    raise(number);
}

static int remember(int byte)
{
    if (given_back.size < sizeof given_back.bytes) {
        given_back.bytes[given_back.size++] = (char)byte;
    }
    return byte;
}

/* NULL: the terminal has none. */
static const char *capability(const char *name)
{
    const char *value = tigetstr(name);
    return value == (char *)-1 ? NULL : value;
}

/* Without a second screen to go back from, it would show the game's last lines around the prompt. */
static const char *leaving(void)
{
    return capability("rmcup") != NULL ? "rmcup" : "clear";
}

static void remember_capability(const char *name)
{
    const char *value = capability(name);
    if (value != NULL) {
        tputs(value, 1, remember);
    }
}

static void prepare_restoring(bool mouse)
{
    static const char mouse_off[] = "\033[?1006l\033[?1000l";
    const char *const names[] = {"rmkx", "sgr0", "op", "cnorm", leaving()};
    given_back.size = 0;
    for (size_t i = 0; mouse && i < sizeof mouse_off - 1; i++) {
        remember(mouse_off[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        remember_capability(names[i]);
    }
    given_back.active = 1;
}

/* On a stack of its own: a stack that overflowed is a crash, too. */
static bool handle_crashes(void)
{
    static char stack[65536];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&alternate, NULL) != 0) {
        return false;
    }
    for (size_t i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &action, NULL);
    }
    return true;
}

/* starting */

static bool take_signals(wn_term *term)
{
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaddset(&set, numbers[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &term->before);
    term->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return term->signals >= 0;
}

static bool find_depth(wn_term *term, wn_depth wanted, char *error, size_t size)
{
    int result = 0;
    const char *name = getenv("TERM");
    if (setupterm(NULL, STDOUT_FILENO, &result) != OK) {
        snprintf(error, size,
                 "the terminal type TERM=\"%s\" is not known here; set TERM, for example to xterm-256color",
                 name == NULL ? "" : name);
        return false;
    }
    const char *move = tigetstr("cup");
    if (move == NULL || move == (char *)-1) {
        snprintf(error, size, "a terminal of type TERM=\"%s\" cannot show a full screen; --list works on it", name);
        return false;
    }
    const int colours = tigetnum("colors");
    /* GNU screen hands the outer terminal's COLORTERM on, but up to version 4 it does not know 24-bit colour itself. */
    const char *announced = getenv("STY") != NULL ? NULL : getenv("COLORTERM");
    term->depth = wn_depth_choose(wanted, getenv("NO_COLOR"), announced, colours);
    if (term->depth == WN_DEPTH_24BIT && colours <= 0x10000 && !wn_direct_colour_enable(name)) {
        term->depth = WN_DEPTH_256;
    }
    del_curterm(cur_term);
    return true;
}

/* Asked for more colours than the terminal has, ncurses could not show them: go down to what it has. */
static void start_colours(wn_term *term)
{
    if (term->depth == WN_DEPTH_NONE) {
        return;
    }
    if (!has_colors() || start_color() == ERR) {
        term->depth = WN_DEPTH_NONE;
        return;
    }
    use_default_colors();
    if (term->depth == WN_DEPTH_24BIT && COLORS < 0x1000000) {
        term->depth = WN_DEPTH_256;
    }
    if (term->depth == WN_DEPTH_256 && COLORS < 256) {
        term->depth = WN_DEPTH_16;
    }
}

/* Keypads in application mode: ESC O p to ESC O y are the digits, and ESC O j to o the signs. Terminfo names some of
 * them, differently from entry to entry; they mean the same. */
static void define_keypad(void)
{
    static const char signs[] = "*+,-./";
    char sequence[] = "\033Op";
    for (int i = 0; i < 10; i++) {
        sequence[2] = (char)('p' + i);
        define_key(sequence, KEYPAD_CODES + i);
    }
    for (int i = 0; signs[i] != '\0'; i++) {
        sequence[2] = (char)('j' + i);
        define_key(sequence, KEYPAD_CODES + signs[i]);
    }
}

/* Arrows and Back Tab, as most terminals send them: some entries have another key for these. */
static void define_arrows(void)
{
    static const char *const sequences[][2] = {
        {"\033[A", "\033OA"}, {"\033[B", "\033OB"}, {"\033[C", "\033OC"}, {"\033[D", "\033OD"}, {"\033[Z", "\033OZ"}};
    static const int codes[] = {KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_BTAB};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        define_key(sequences[i][0], codes[i]);
        define_key(sequences[i][1], codes[i]);
    }
}

static void set_modes(wn_term *term)
{
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    define_keypad();
    define_arrows();
    if (term->mouse) {
        mouseinterval(0);
        mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    }
    struct termios modes;
    if (tcgetattr(STDIN_FILENO, &modes) == 0) {
        modes.c_iflag &= ~(tcflag_t)IXON; /* Ctrl-S must not freeze a game */
        tcsetattr(STDIN_FILENO, TCSANOW, &modes);
        def_prog_mode();
    }
}

static bool start_screen(wn_term *term, char *error, size_t size)
{
    term->screen = newterm(NULL, stdout, stdin);
    if (term->screen == NULL && term->depth == WN_DEPTH_24BIT) {
        unsetenv("TERMINFO"); /* the entry of direct-colour.c was not liked */
        term->depth = WN_DEPTH_256;
        term->screen = newterm(NULL, stdout, stdin);
    }
    if (term->screen == NULL) {
        snprintf(error, size, "this terminal cannot be used for a full screen; try another TERM");
        return false;
    }
    start_colours(term);
    set_modes(term);
    prepare_restoring(term->mouse && capability("kmous") != NULL);
    atexit(restore);
    return handle_crashes();
}

wn_term *wn_term_start(const wn_term_options *options, char *error, size_t size)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDOUT_FILENO, &given_back.modes) != 0) {
        snprintf(error, size, "standard input and output must be a terminal; --list works without one");
        return NULL;
    }
    wn_term *term = calloc(1, sizeof *term);
    if (term == NULL) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    term->signals = -1;
    term->mouse = options->mouse;
    use_tioctl(TRUE);
    if (!find_depth(term, options->depth, error, size) || !take_signals(term) || !start_screen(term, error, size)) {
        wn_term_stop(term);
        return NULL;
    }
    return term;
}

static void end_screen(void)
{
    const char *clear = capability("clear");
    endwin();
    if (capability("rmcup") == NULL && clear != NULL) {
        putp(clear);
    }
    fflush(stdout);
}

void wn_term_stop(wn_term *term)
{
    if (term == NULL) {
        return;
    }
    if (term->screen != NULL) {
        given_back.active = 0;
        end_screen();
        tcsetattr(STDOUT_FILENO, TCSADRAIN, &given_back.modes);
        delscreen(term->screen);
        for (size_t i = 0; i < CRASH_SIGNALS; i++) {
            signal(crash_signals[i], SIG_DFL);
        }
    }
    if (term->signals >= 0) {
        close(term->signals);
    }
    free(term);
}

wn_depth wn_term_depth(const wn_term *term)
{
    return term->depth;
}

/* signals */

int wn_term_signal_fd(const wn_term *term)
{
    return term->signals;
}

static void resume(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0 && window.ws_col > 0) {
        resizeterm(window.ws_row, window.ws_col);
    }
    clearok(curscr, TRUE);
}

static void suspend(void)
{
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    end_screen();
    given_back.active = 0;
    signal(SIGTSTP, SIG_DFL);
    kill(getpid(), SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, NULL); /* here it stops, and from here it goes on */
    sigprocmask(SIG_BLOCK, &stop, NULL);
    given_back.active = 1;
}

wn_term_signal wn_term_take_signal(wn_term *term)
{
    struct signalfd_siginfo info;
    wn_term_signal result = WN_SIGNAL_NONE;
    while (read(term->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        const int number = (int)info.ssi_signo;
        if (number == SIGTSTP) {
            suspend();
        }
        if (number == SIGTSTP || number == SIGCONT) {
            reset_prog_mode();
        }
        if (number == SIGTSTP || number == SIGCONT || number == SIGWINCH) {
            resume();
            result = WN_SIGNAL_REDRAW;
            continue;
        }
        term->ended_by = number;
        return WN_SIGNAL_END;
    }
    return result;
}

int wn_term_ended_by(const wn_term *term)
{
    return term->ended_by;
}

/* reading */

static uint32_t key_of_code(wint_t code)
{
    static const struct {
        int code;
        uint32_t key;
    } keys[] = {
        {KEY_UP, WN_KEY_UP},
        {KEY_DOWN, WN_KEY_DOWN},
        {KEY_LEFT, WN_KEY_LEFT},
        {KEY_RIGHT, WN_KEY_RIGHT},
        {KEY_HOME, WN_KEY_HOME},
        {KEY_END, WN_KEY_END},
        {KEY_FIND, WN_KEY_HOME},
        {KEY_SELECT, WN_KEY_END},
        {KEY_PPAGE, WN_KEY_PAGE_UP},
        {KEY_NPAGE, WN_KEY_PAGE_DOWN},
        {KEY_ENTER, WN_KEY_ENTER},
        {KEY_BTAB, WN_KEY_BACK_TAB},
        {KEY_BACKSPACE, WN_KEY_BACKSPACE},
        {KEY_DC, WN_KEY_DELETE},
        {KEY_IC, WN_KEY_INSERT},
        {KEY_A1, WN_KEY_KP0 + 7},
        {KEY_A3, WN_KEY_KP0 + 9},
        {KEY_B2, WN_KEY_KP0 + 5},
        {KEY_C1, WN_KEY_KP0 + 1},
        {KEY_C3, WN_KEY_KP0 + 3},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((wint_t)keys[i].code == code) {
            return keys[i].key;
        }
    }
    if (code >= KEY_F(1) && code <= KEY_F(12)) {
        return WN_KEY_F1 + (uint32_t)(code - KEY_F(1));
    }
    if (code >= KEYPAD_CODES && code < KEYPAD_CODES + 10) {
        return WN_KEY_KP0 + (uint32_t)(code - KEYPAD_CODES);
    }
    return code > KEYPAD_CODES && code < KEYPAD_CODES + 128 ? (uint32_t)(code - KEYPAD_CODES) : WN_KEY_NONE;
}

static uint32_t key_of_character(wint_t character)
{
    switch (character) {
    case '\r':
    case '\n':
        return WN_KEY_ENTER;
    case '\t':
        return WN_KEY_TAB;
    case '\033':
        return WN_KEY_ESCAPE;
    case '\b':
    case 0x7f:
        return WN_KEY_BACKSPACE;
    default:
        return (uint32_t)character;
    }
}

static bool take_mouse(wn_input *input)
{
    MEVENT event;
    if (getmouse(&event) != OK) {
        return false;
    }
    input->y = event.y;
    input->x = event.x;
    input->key = (event.bstate & BUTTON4_PRESSED) != 0   ? WN_KEY_WHEEL_UP
                 : (event.bstate & BUTTON5_PRESSED) != 0 ? WN_KEY_WHEEL_DOWN
                                                         : WN_KEY_MOUSE;
    return true;
}

static int next_code(wn_term *term, wint_t *code)
{
    if (!term->held) {
        return get_wch(code);
    }
    term->held = false;
    *code = term->held_code;
    return term->held_kind;
}

static void hold(wn_term *term, int kind, wint_t code)
{
    term->held = kind != ERR;
    term->held_kind = kind;
    term->held_code = code;
}

/* After an Escape that terminfo knows no key for: the key of the sequence that it begins, WN_KEY_NONE if nobody knows
 * that one, or Escape itself. Nothing of a sequence is left to be taken for letters. */
static uint32_t key_after_escape(wn_term *term)
{
    wn_sequence sequence = {0};
    wint_t first, code;
    int kind = get_wch(&first); /* ncurses has waited for it already */
    if (kind != OK || !wn_sequence_begins(first)) {
        hold(term, kind, first);
        return WN_KEY_ESCAPE;
    }
    timeout(ESCAPE_MS);
    bool more = wn_sequence_take(&sequence, first);
    while (more && (kind = get_wch(&code)) == OK && code >= ' ' && code != 0x7f) {
        more = wn_sequence_take(&sequence, code);
    }
    timeout(0);
    if (more) {
        hold(term, kind, code); /* it was cut short by another key, or ends here */
    }
    if (sequence.count > 1) {
        return more ? WN_KEY_NONE : wn_sequence_key(&sequence);
    }
    if (kind == ERR) {
        hold(term, OK, first); /* Escape, and then that letter */
    }
    return WN_KEY_ESCAPE;
}

bool wn_term_read(wn_term *term, wn_input *input)
{
    wint_t code;
    *input = (wn_input){0};
    for (;;) {
        const int kind = next_code(term, &code);
        if (kind == ERR) {
            return false;
        }
        if (kind == KEY_CODE_YES && code == KEY_MOUSE && take_mouse(input)) {
            return true;
        }
        input->key = kind == KEY_CODE_YES ? key_of_code(code)
                     : code == '\033'     ? key_after_escape(term)
                                          : key_of_character(code);
        if (input->key != WN_KEY_NONE) {
            return true;
        }
    }
}
