/* playback-host.h: a warren-host of a player's own: started, asked, ended. What is asked, and why, is player.c's part.
 */
#ifndef WARREN_PLAYBACK_HOST_H
#define WARREN_PLAYBACK_HOST_H

#include "wire.h"

typedef struct wn_playback_host wn_playback_host;

typedef struct wn_playback_options {
    const char *program, *mode; /* the paths of warren-host and of the mode's file */
    uint32_t answer_ms;         /* most that an answer may take */
    bool quiet;                 /* what it prints is dropped */
    void (*log)(void *context, Warren__Host__LogLevel level, const char *text); /* may be NULL */
    void *log_context;
} wn_playback_options;

/* Starts it and waits for its Ready, which `ready` gets; it lives until the first question. NULL: it could not be
 * started, or refused the mode; the sentence says why. */
wn_playback_host *wn_playback_start(const wn_playback_options *options, const Warren__Host__Ready **ready,
                                    wn_error *error);
/* Sends a message that has no answer; it goes with the next question. */
void wn_playback_tell(wn_playback_host *host, const Warren__Host__ToHost *message);
/* Sends a message and waits for the answer that has the body `wanted`. It lives until the next question. NULL: the host
 * is of no use any more; the error's text goes on where "the host" leaves off: "was killed by signal 11 (...)". */
const Warren__Host__FromHost *wn_playback_ask(wn_playback_host *host, const Warren__Host__ToHost *message,
                                              Warren__Host__FromHost__BodyCase wanted, wn_error *error);
void wn_playback_end(wn_playback_host *host); /* NULL is fine */

#endif
