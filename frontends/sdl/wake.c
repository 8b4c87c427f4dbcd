/* wake.c: a thread that wakes the window's loop. See wake.h. */
#include "wake.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct wn_wake {
    SDL_Thread *thread;
    int fds[2];
    int told; /* an eventfd: look again, or end */
    uint32_t event;
    SDL_atomic_t ending;
};

static int take(int descriptor)
{
    uint64_t count;
    return (int)read(descriptor, &count, sizeof count);
}

static int run(void *data)
{
    wn_wake *wake = data;
    while (!SDL_AtomicGet(&wake->ending)) {
        struct pollfd fds[] = {{.fd = wake->fds[0], .events = POLLIN},
                               {.fd = wake->fds[1], .events = POLLIN},
                               {.fd = wake->told, .events = POLLIN}};
        if (poll(fds, 3, -1) < 0) {
            continue;
        }
        if (fds[2].revents != 0) {
            take(wake->told);
        }
        const int which = (fds[0].revents != 0 ? 1 : 0) + (fds[1].revents != 0 ? 2 : 0);
        if (which == 0 || SDL_AtomicGet(&wake->ending)) {
            continue;
        }
        SDL_Event event = {.user = {.type = wake->event, .code = which}};
        SDL_PushEvent(&event);
        struct pollfd told = {.fd = wake->told, .events = POLLIN}; /* until the loop has had its turn */
        while (poll(&told, 1, -1) < 0)
            ;
        take(wake->told);
    }
    return 0;
}

wn_wake *wn_wake_new(int first, int second, uint32_t event)
{
    wn_wake *wake = calloc(1, sizeof *wake);
    if (wake == NULL) {
        return NULL;
    }
    *wake = (wn_wake){.fds = {first, second}, .event = event, .told = eventfd(0, EFD_CLOEXEC)};
    if (wake->told >= 0) {
        wake->thread = SDL_CreateThread(run, "wake", wake);
    }
    if (wake->thread == NULL) {
        wn_wake_free(wake);
        return NULL;
    }
    return wake;
}

void wn_wake_again(wn_wake *wake)
{
    const uint64_t one = 1;
    if (write(wake->told, &one, sizeof one) < 0) {
        return; /* it is full of such tellings already */
    }
}

void wn_wake_free(wn_wake *wake)
{
    if (wake == NULL) {
        return;
    }
    SDL_AtomicSet(&wake->ending, 1);
    if (wake->thread != NULL) {
        wn_wake_again(wake);
        SDL_WaitThread(wake->thread, NULL);
    }
    if (wake->told >= 0) {
        close(wake->told);
    }
    free(wake);
}
