/* creation.h: a new world: a mode is chosen, then its form is filled in, and then the world is entered. It draws
 * nothing: a frontend shows the modes or the form, with what is said beside them, and gives keys and events. */
#ifndef WARREN_CLIENT_CREATION_H
#define WARREN_CLIENT_CREATION_H

#include "form.h"
#include "key.h"

typedef struct wn_creation {
    wn_client *client;
    Warren__ModeList *modes; /* NULL: not yet here */
    size_t mode;             /* the selected one */
    wn_form form;            /* without a mode while that is being chosen */
    bool busy;               /* the world is on its way */
    bool helps;              /* the help stands over it: wn_creation_help() */
    uint32_t modes_request, create_request, join_request;
} wn_creation;

void wn_creation_begin(wn_creation *creation, wn_client *client);
/* What is on its way is given up, as by Escape: a world may still be made, but it is not entered. */
void wn_creation_free(wn_creation *creation);

/* The rows there are, modes or fields of the form, and which of them is selected. */
size_t wn_creation_rows(const wn_creation *creation);
size_t wn_creation_selected(const wn_creation *creation);
void wn_creation_move(wn_creation *creation, long by);
/* A click on a row: the mode is chosen, or the field selected. */
void wn_creation_pick(wn_creation *creation, size_t row);
/* false: it leads back to where one came from. */
bool wn_creation_key(wn_creation *creation, uint32_t key);
/* The world that was made and entered, or 0: not yet. */
uint32_t wn_creation_take(wn_creation *creation, const wn_event *event);

/* What stands in place of the modes; NULL: they are there. */
const char *wn_creation_no_modes(const wn_creation *creation);
/* The help's lines from the top; NULL: there are no more. */
const wn_key_help *wn_creation_help(const wn_creation *creation, size_t index);
/* What is said of the selected row: a mode's summary, a field's help, or what is wrong. Returns whether that is it. */
bool wn_creation_about(const wn_creation *creation, char *text, size_t size);

#endif
