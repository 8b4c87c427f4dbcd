/* link.h: a frontend's link to its server, from the first connection to the last word: the client with its kept
 * session, and what there is to say about how it stands. It draws nothing; a frontend asks for the texts.
 */
#ifndef WARREN_CLIENT_LINK_H
#define WARREN_CLIENT_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "command-line.h"
#include "log.h"
#include "session-file.h"

typedef struct wn_link {
    wn_client *client;           /* NULL: not open; a recording is played */
    const wn_command_line *line; /* who asks, under which name */
    const char *software;        /* "warren 0.1.0" */
    wn_address address;          /* of the server */
    char shown_address[256];
    char before[256];        /* the server that was left for it, to go back to while it does not answer; "": none */
    wn_session_file session; /* kept for who comes after a kill -9 */
    wn_error problem;        /* why it is not kept, until wn_link_tell_problem(); text "": it is */
    bool started;            /* the first connection has stood */
    bool asked;              /* what the command line asks for has been asked for */
    bool told_name;          /* that the wanted name is another's has been told in a game */
    char last_world[WN_NAME_BYTES + 1]; /* where one comes from: it is selected in the list of worlds; "" */
    bool stopping;                      /* the daemon said that it stops, and has not been heard of since */
    int64_t back_until;                 /* "connected again" is said until then */
    uint32_t shown_delay; /* microseconds; it changes with every command, and is shown anew now and then */
    int64_t delay_until;
    char refusal[WN_TEXT_BYTES + 1]; /* why the daemon will not talk to us */
} wn_link;

/* Starts connecting to the server that the command line names. `line` and `software` have to outlive the link. false
 * with a sentence: nothing is open. */
bool wn_link_open(wn_link *link, const wn_command_line *line, const char *software, wn_error *error);
/* A session that has been said goodbye to is over; one that only could not be reached is kept. Not open: does nothing.
 */
void wn_link_close(wn_link *link);

/* Leaves the server for another one: `shown` is that address as it was typed. Nothing of the old client may be in use
 * any more. false with a sentence: the link is closed. */
bool wn_link_move(wn_link *link, const wn_address *address, const char *shown, wn_error *error);

/* To be given every event first. true: the first connection stands, so the worlds can be asked for. What happens to the
 * connection later goes into the log. */
bool wn_link_take(wn_link *link, const wn_event *event, wn_log *log, int64_t now);

/* How it stands, where that is to be told before anything else. */
typedef enum wn_link_state { WN_LINK_STANDS, WN_LINK_REFUSED, WN_LINK_AWAY, WN_LINK_BACK } wn_link_state;
wn_link_state wn_link_get_state(const wn_link *link, int64_t now);
/* "connection lost, retrying"; of STANDS "". Of AWAY it goes on: dots may follow. */
const char *wn_link_text(const wn_link *link, int64_t now);
/* "<1 ms", "12 ms", "". */
void wn_link_delay(wn_link *link, int64_t now, char *text, size_t size);
/* What the server calls itself, else its address. */
const char *wn_link_server(const wn_link *link);
/* "The name ann is somebody else's here: you are ann-2.", or that it is not kept. false: neither, or none was asked
 * for. */
bool wn_link_name_taken(const wn_link *link, char *text, size_t size);
/* Once a game begins: why the session is not kept, and that of the name, unless it has been said. */
void wn_link_tell_problem(wn_link *link, wn_log *log);

#endif
