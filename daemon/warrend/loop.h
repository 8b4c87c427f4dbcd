/* loop.h: the daemon's event loop on epoll: descriptors, timers, signals, and work at the end of each pass.
 *
 * A pass: wait, call the handlers of what is ready, run due timers, then the end-of-pass function. Everything runs in
 * one thread. Handlers may add and remove anything, themselves included.
 */
#ifndef WARREN_LOOP_H
#define WARREN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

typedef struct wn_loop wn_loop;
typedef struct wn_timer wn_timer;
typedef struct wn_watch wn_watch;

wn_loop *wn_loop_new(wn_error *error);
void wn_loop_free(wn_loop *loop);

uint64_t wn_loop_now_ms(const wn_loop *loop); /* monotonic; as of the beginning of the pass */

/* Level-triggered; events are EPOLLIN and EPOLLOUT (EPOLLHUP and EPOLLERR come unasked). */
typedef void wn_fd_handler(void *context, uint32_t events);
wn_watch *wn_loop_add_fd(wn_loop *loop, int fd, uint32_t events, wn_fd_handler *handler, void *context);
void wn_loop_change_fd(wn_loop *loop, wn_watch *watch, uint32_t events);
void wn_loop_remove_fd(wn_loop *loop, wn_watch *watch); /* does not close it */

/* A ZeroMQ socket: the handler is called while the socket is readable (ZMQ_EVENTS has ZMQ_POLLIN). ZMQ_FD is
 * edge-triggered and a send may swallow its signal, so whoever sends on the socket outside its handler says so with
 * wn_loop_socket_used(); the socket is then looked at before the next wait. */
typedef void wn_socket_handler(void *context);
bool wn_loop_add_socket(wn_loop *loop, void *socket, wn_socket_handler *handler, void *context, wn_error *error);

void wn_loop_socket_used(wn_loop *loop, const void *socket);

/* Timers live until they are freed; `set` arms once, 0 means in this pass. O(log n): thousands are fine. */
typedef void wn_timer_handler(void *context);
wn_timer *wn_timer_new(wn_loop *loop, wn_timer_handler *handler, void *context);
void wn_timer_set(wn_timer *timer, uint64_t after_ms);
void wn_timer_stop(wn_timer *timer);
bool wn_timer_armed(const wn_timer *timer);
void wn_timer_free(wn_timer *timer); /* NULL is fine */

/* Blocks the signal and delivers it as an event (signalfd). SIGCHLD too. */
typedef void wn_signal_handler(void *context, int signal);
bool wn_loop_add_signal(wn_loop *loop, int signal, wn_signal_handler *handler, void *context, wn_error *error);

/* Called once at the end of every pass in which anything was handled. Returns true if there is more to do at once:
 * then the next pass does not wait. */
typedef bool wn_pass_end(void *context);
void wn_loop_set_pass_end(wn_loop *loop, wn_pass_end *function, void *context);

void wn_loop_run(wn_loop *loop); /* until wn_loop_stop() */
void wn_loop_stop(wn_loop *loop);

#endif
