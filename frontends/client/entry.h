/* entry.h: the way into a world: the one that the command line asks for, a new one, the one that a kept session still
 * holds, or one that was chosen from the list. It ends in a world to open or in a sentence that says what went wrong.
 */
#ifndef WARREN_CLIENT_ENTRY_H
#define WARREN_CLIENT_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "command-line.h"

typedef struct wn_entry {
    wn_client *client;
    uint32_t join_request, create_request;
    char joined_name[WN_NAME_BYTES + 1]; /* the world that `join_request` is for, */
    uint32_t joined_way;                 /* and how */
    bool joined_watch;
    const wn_command_line *line; /* while the way to enter that it names is looked for */
    uint32_t modes_request, worlds_request;
    char mode[WN_NAME_BYTES + 1];  /* of the world to enter, as soon as that is known */
    uint32_t way;                  /* index into Mode.entries */
    uint32_t kept_world;           /* of a session that was kept: on its way; 0: none */
    char busy[WN_NAME_BYTES + 32]; /* what is being waited for: "joining caves-1"; "" */
    char trouble[WN_TEXT_BYTES + 1];
} wn_entry;

typedef struct wn_entered {
    uint32_t world; /* 0: not yet */
    uint32_t way;   /* it was entered by */
    bool went_back; /* the server had kept it since this program was killed */
    bool watching;
} wn_entered;

/* Once, when the connection stands for the first time: what the command line, or a kept session, asks for. */
void wn_entry_begin(wn_entry *entry, const wn_command_line *line);
/* To watch the world, or to play in it: then `entry->way` says how it is entered. What else is on its way is given up;
 * the same once more changes nothing. */
void wn_entry_join(wn_entry *entry, const char *world, bool watch);
/* Gives up what is on its way: if that has been entered by now, it is left. */
void wn_entry_abandon(wn_entry *entry);
/* What an event means for it. Errors of other requests are none of its own. */
wn_entered wn_entry_take(wn_entry *entry, const wn_event *event);
/* What to tell a player who `went_back`. */
const char *wn_entry_greeting(const wn_entered *entered);

#endif
