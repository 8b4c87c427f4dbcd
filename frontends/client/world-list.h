/* world-list.h: the worlds of a server as a list to choose from: filtered, sorted, one of them selected. */
#ifndef WARREN_CLIENT_WORLD_LIST_H
#define WARREN_CLIENT_WORLD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "client.h"
#include "edit.h"

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

typedef struct wn_world_list {
    Warren__WorldList *list;  /* NULL: none has come yet */
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
void wn_world_column_text(const Warren__WorldInfo *world, wn_world_column column, char *text, size_t size);

/* A copy of a message that outlives its event, or NULL; free it with protobuf_c_message_free_unpacked(). */
ProtobufCMessage *wn_message_copy(const ProtobufCMessage *message);

#endif
