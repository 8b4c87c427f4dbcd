/* lobby.h: where somebody is who is in no world: the worlds of the server to choose from, the ways into one, and other
 * servers. What the command line asks for, or the world of a killed program, is on its way behind it: that ends in a
 * world that was entered, or here with a sentence that says what went wrong.
 *
 * It draws nothing: a frontend shows `list`, and over it what has the focus; it gives keys, events and time, and does
 * what a wn_lobby_wish says. */
#ifndef WARREN_CLIENT_LOBBY_H
#define WARREN_CLIENT_LOBBY_H

#include "entry.h"
#include "key.h"
#include "link.h"
#include "servers.h"
#include "world-list.h"

/* What takes the keys. */
typedef enum wn_lobby_focus {
    WN_LOBBY_LIST,
    WN_LOBBY_FILTER,  /* of the list: it is being typed */
    WN_LOBBY_HELP,    /* wn_lobby_help() */
    WN_LOBBY_WAYS,    /* those of `asked_mode`: which one? */
    WN_LOBBY_SERVERS, /* `servers` */
    WN_LOBBY_ADDRESS, /* of another server: `address` is being typed */
    WN_LOBBY_TROUBLE  /* `entry.trouble` is read, until any key */
} wn_lobby_focus;

typedef enum wn_lobby_wish {
    WN_LOBBY_STAYS,
    WN_LOBBY_UNKNOWN,  /* the key means nothing here, but perhaps to the frontend */
    WN_LOBBY_CREATES,  /* to the form for a new world */
    WN_LOBBY_CONNECTS, /* to the server at `address`; if that is none, wn_lobby_fail() */
    WN_LOBBY_QUITS
} wn_lobby_wish;

typedef struct wn_lobby {
    wn_link *link;
    wn_world_list list;
    int page;                       /* rows of it that are in sight, as the frontend has drawn it */
    wn_entry entry;                 /* the way into a world: `busy` and `trouble` */
    const Warren__Mode *asked_mode; /* of `asked_world`, in the list's modes */
    wn_servers servers;
    wn_edit address;

    wn_lobby_focus behind; /* what has the focus unless there is trouble */
    char asked_world[WN_NAME_BYTES + 1], asked_mode_name[WN_NAME_BYTES + 1];
    char list_trouble[WN_TEXT_BYTES + 1]; /* why there is no new list; "": it came, or is on its way */
    bool asks_how;                        /* `e` was pressed, and waits for the modes */
    uint32_t list_request, modes_request;
    int64_t now, next_refresh; /* as wn_lobby_tick() was told */
    int64_t about_until;       /* the line about who made the selected world stays till then; 0: it is new */
    bool said_name;            /* a key was pressed since it was said that one's name is another one */
} wn_lobby;

/* `trouble`: a sentence to begin with, or NULL. */
void wn_lobby_begin(wn_lobby *lobby, wn_link *link, const char *trouble, int64_t now);
/* What is on its way into a world is given up; one that has been entered by now is left. */
void wn_lobby_free(wn_lobby *lobby);

wn_lobby_focus wn_lobby_get_focus(const wn_lobby *lobby);
wn_lobby_wish wn_lobby_key(wn_lobby *lobby, uint32_t key);
/* Into the selected world by the usual way. */
void wn_lobby_join(wn_lobby *lobby, bool watch);
void wn_lobby_fail(wn_lobby *lobby, const char *trouble);
/* `world` is 0 while none has been entered; else the lobby is of no more use. */
wn_entered wn_lobby_take(wn_lobby *lobby, const wn_event *event);
/* What is due: the list anew, unless nobody sees it, and servers of the network. Returns when it is to be called again.
 */
int64_t wn_lobby_tick(wn_lobby *lobby, int64_t now, bool in_sight);

/* The line above the list, and what it tells. */
typedef enum wn_lobby_about {
    WN_LOBBY_ABOUT_NOTHING,
    WN_LOBBY_ABOUT_BUSY, /* "joining caves-1": it is waited for */
    WN_LOBBY_ABOUT_FILTER,
    WN_LOBBY_ABOUT_NAME, /* the wanted one is somebody else's; until a key is pressed */
    WN_LOBBY_ABOUT_WORLD /* the selected one's outcome; for some seconds after a key, who made it; else its title */
} wn_lobby_about;
wn_lobby_about wn_lobby_get_about(const wn_lobby *lobby, char *text, size_t size);
/* The help's lines from the top; NULL: there are no more. */
const wn_key_help *wn_lobby_help(size_t index);
/* What stands where the list has no rows: if none has come, why not. */
const char *wn_lobby_no_rows(const wn_lobby *lobby);

#endif
