/* top-screen.c: the terminal that `top` draws on. See top-screen.h.
 */
#include "top-screen.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 24, COLUMNS = 80 };

void wn_screen_open(wn_screen *on, bool json)
{
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    on->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    on->shown = !json && isatty(STDOUT_FILENO);
    on->keys = on->shown && tcgetattr(STDIN_FILENO, &on->former) == 0;
    if (on->keys) {
        struct termios raw = on->former;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    if (on->shown) {
        fputs("\033[H\033[2J\033[?25l", stdout);
    }
}

void wn_screen_close(wn_screen *on)
{
    if (on->keys) {
        tcsetattr(STDIN_FILENO, TCSANOW, &on->former);
    }
    if (on->shown) {
        fputs("\033[?25h", stdout);
    }
    close(on->signals);
}

void wn_screen_print(const wn_screen *on, char *text)
{
    struct winsize size = {0};
    char *rest = NULL;
    if (!on->shown) {
        fputs(text, stdout);
        fputc('\n', stdout);
        return;
    }
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const int rows = size.ws_row > 0 ? size.ws_row : ROWS;
    fputs("\033[H", stdout);
    int row = 1;
    for (char *line = text; line != NULL && row < rows; line = rest, row++) {
        rest = strchr(line, '\n');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        printf("%.*s\033[K\n", size.ws_col > 0 ? size.ws_col : COLUMNS, line);
    }
    fputs("\033[J", stdout);
}

int64_t wn_screen_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool wn_screen_wait(const wn_screen *on, wn_client *client, int64_t due)
{
    struct pollfd waits[] = {{.fd = on->signals, .events = POLLIN},
                             {.fd = wn_client_fd(client), .events = POLLIN},
                             {.fd = on->keys ? STDIN_FILENO : -1, .events = POLLIN}};
    for (int64_t left = due - wn_screen_now_ms(); left > 0; left = due - wn_screen_now_ms()) {
        char key = 0;
        wn_event event;
        if (poll(waits, sizeof waits / sizeof *waits, (int)left) <= 0) {
            continue;
        }
        if (waits[0].revents != 0) {
            return false;
        }
        if (waits[2].revents != 0 && (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q')) {
            return false;
        }
        wn_client_dispatch(client);
        while (wn_client_next(client, &event)) {
        }
    }
    return true;
}
