/* form.h: the description of a new world as a form to fill in, made from a mode's settings. What is allowed is the
 * server's business; what it objects to goes to the field it names. It draws nothing. */
#ifndef WARREN_CLIENT_FORM_H
#define WARREN_CLIENT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "edit.h"

/* The world's name is the first; then comes what anyone may want in any mode (bots, a title), the seed, what is the
 * mode's own, and the rest of what the server has for each world. */
typedef struct wn_form_field {
    const Warren__Setting *setting; /* NULL: name or seed */
    const char *label, *help;
    wn_edit value;
    char error[WN_TEXT_BYTES + 1];
} wn_form_field;

typedef struct wn_form {
    const Warren__Mode *mode; /* NULL: none yet; it has to outlive the form */
    wn_form_field *fields;
    size_t count, selected;
    size_t seed;                     /* which of them that is */
    bool fresh;                      /* the field has just been reached: what is typed replaces its number */
    char trouble[WN_TEXT_BYTES + 1]; /* what is wrong with no field in particular */
} wn_form;

void wn_form_start(wn_form *form, const Warren__Mode *mode);
void wn_form_free(wn_form *form);
void wn_form_move(wn_form *form, long by);
/* A key for the selected field: typed text, or Space, arrows, + and - where something is chosen. Space in a number that
 * can be a word as well ("off") is that word. Ctrl-R: its default. */
void wn_form_key(wn_form *form, uint32_t key);
/* Is its value one of a few (yes and no, names, files that are there)? */
bool wn_form_chooses(const wn_form_field *field);
/* Can any letter be meant for it? */
bool wn_form_takes_text(const wn_form_field *field);
void wn_form_choose(wn_form *form, int by); /* the next one of them, or the one before */
const char *wn_form_standard(const wn_form_field *field);
/* "16 to 1024", "off, or 1 to 100", "yes or no", "small, large": what can be given; "" */
void wn_form_range(const wn_form_field *field, char *text, size_t size);
/* What it is for, with range and default. */
void wn_form_help(const wn_form_field *field, char *text, size_t size);
/* Asks for the world. 0: it did not, and the selected field says why. */
uint32_t wn_form_submit(wn_form *form, wn_client *client);
/* At the field that the server names, else in `trouble`. */
void wn_form_fail(wn_form *form, const wn_error *error);

#endif
