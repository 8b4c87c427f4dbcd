/* world-list.h: the worlds of a server as a list to choose from: filtered, sorted, one of them selected. */
#ifndef WARREN_CLIENT_WORLD_LIST_H
#define WARREN_CLIENT_WORLD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "client.h"
#include "edit.h"
#include "message-copy.h"

typedef enum wn_world_column {
    WN_WORLD_NAME,
    WN_WORLD_MODE,
    WN_WORLD_PLAYERS,
    WN_WORLD_WATCHERS,
    WN_WORLD_AGE,
    WN_WORLD_STATE,
    WN_WORLD_OWNER,
    WN_WORLD_COLUMNS
} wn_world_column;
enum { WN_WORLD_COLUMN_BYTES = WN_NAME_BYTES + WN_TEXT_BYTES + 3 };

typedef struct wn_world_list {
    Warren__WorldList *list;  /* NULL: none has come yet */
    Warren__ModeList *modes;  /* NULL: likewise; they tell which settings of a world are the server's own */
    Warren__WorldInfo **rows; /* those that pass the filter, into `list` */
    size_t row_count;
    size_t selected;
    char wanted[WN_NAME_BYTES + 1]; /* to be selected as soon as it is in the list; "" */
    wn_edit filter;
} wn_world_list;

void wn_world_list_init(wn_world_list *worlds);
void wn_world_list_free(wn_world_list *worlds);
/* Takes a list that the server sent. What was selected stays so, if it is still there. */
void wn_world_list_take(wn_world_list *worlds, const Warren__WorldList *list);
void wn_world_list_take_modes(wn_world_list *worlds, const Warren__ModeList *modes);
/* A key for the filter; Escape empties it. */
void wn_world_list_filter(wn_world_list *worlds, uint32_t key);
/* Selects the world of that name, once it is there. */
void wn_world_list_want(wn_world_list *worlds, const char *name);
void wn_world_list_move(wn_world_list *worlds, long by);
/* The selected one, or NULL. */
const Warren__WorldInfo *wn_world_list_selected(const wn_world_list *worlds);

/* It can be looked at, not played. */
bool wn_world_ended(const Warren__WorldInfo *world);
const char *wn_world_column_title(wn_world_column column);
/* A name is followed by the world's title, if it has one. */
void wn_world_column_text(const wn_world_list *worlds, const Warren__WorldInfo *world, wn_world_column column,
                          char *text, size_t size);
/* What its owner calls it; "": nothing, or the modes have not come. */
const char *wn_world_title(const wn_world_list *worlds, const Warren__WorldInfo *world);

#endif
