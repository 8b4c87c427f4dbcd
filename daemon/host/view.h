/* view.h: a retained view: what one seat, or the spectators, can see of a world, what of that was sent already, and
 * the little that outlives its being watched. How a mode draws into it: calls.c. How it goes out: encode.c.
 */
#ifndef WARREN_HOST_VIEW_H
#define WARREN_HOST_VIEW_H

#include "cells.h"
#include "messages.h"
#include "sprites.h"

/* A status field. */
typedef struct wn_field {
    int64_t number, maximum;
    int64_t sent_number, sent_maximum;
    wn_kept text;
    bool set, sent, text_changed;
} wn_field;

/* Something that is there or not, and may change while it is. */
typedef struct wn_presence {
    bool shown, sent_shown, changed;
} wn_presence;

/* A row of the scoreboard. */
typedef struct wn_row {
    wn_presence presence;
    wn_kept columns[WN_MAX_COLUMNS];
} wn_row;

/* A region: its cells and its title. */
typedef struct wn_named {
    wn_presence presence;
    uint32_t at, width, height;
    wn_kept title;
} wn_named;

/* What a watched view shows. */
typedef struct wn_picture {
    wn_cells cells;
    wn_sprites sprites;
    wn_field *fields;                 /* one for each of the mode's table */
    uint32_t field_count, tile_count; /* in the mode's tables */
    uint32_t fields_dirty;            /* a bit for each that may have changed */
    uint32_t row_count;               /* in `rows`: as many as were ever drawn */
    wn_row *rows;
    uint64_t rows_dirty[WN_MAX_ROWS / 64];
    wn_presence banner;
    wn_kept banner_text;
    wn_named *regions;
    uint32_t region_count;      /* in `regions`: as many as were ever named */
    uint64_t regions_dirty;     /* a bit for each that may have changed */
    uint32_t focus, sent_focus; /* UINT32_MAX: none */
    uint32_t facing, sent_facing;
    uint64_t drawn;    /* the turn after which it was drawn last */
    bool keyframe_due; /* it was emptied: a delta would not do */
} wn_picture;

struct wn_view {
    struct wn_hosted *world;
    wn_picture *picture; /* NULL: nobody looks at it */
    wn_message_log messages;
    uint64_t sequence;      /* of the last update */
    uint32_t width, height; /* as last drawn; 0: never */
    int32_t x, y;           /* where its player is; -1: nowhere */
    uint32_t facing;        /* where he looks */
    uint32_t entry;         /* the way he chose to enter */
    uint32_t executed;      /* number of the seat's last executed command */
    uint32_t executed_sent;
    uint32_t message_sent; /* number of the last message in an update */
    int32_t seat;
    bool drawing; /* draw() is being called for it */
    bool probe;   /* it is not shown to anyone; only its size is wanted */
};

wn_picture *wn_picture_new(uint32_t field_count, uint32_t tile_count);
void wn_picture_free(wn_picture *picture);
/* Nothing is shown, nothing was sent; `cells` empty cells. */
void wn_picture_empty(wn_picture *picture, uint32_t cells);

/* Inside a draw; numbers are in range. */
void wn_picture_number(wn_picture *picture, uint32_t field, int64_t number, int64_t maximum);
void wn_picture_text(wn_picture *picture, uint32_t field, const char *text);
void wn_picture_row(wn_picture *picture, uint32_t row, const char *const *columns, uint32_t count); /* NULL: gone */
void wn_picture_banner(wn_picture *picture, const char *text);                                      /* NULL: none */
/* `at`: the region's first cell. */
void wn_picture_region(wn_picture *picture, uint32_t region, uint32_t at, const wn_region *area); /* NULL: gone */

/* Has it to be sent again? It counts as sent afterwards. */
bool wn_presence_flush(wn_presence *presence);

/* Calls the mode's draw() as often as it needs to show the world on a watched view. `what`: whether the view still
 * shows what was drawn last. */
void wn_view_draw(wn_view *view, wn_draw what);
/* How many cells the seat's view has now, also if it is not watched: asks the mode. */
uint32_t wn_view_measure(struct wn_hosted *world, int32_t seat);
/* Watched: an empty picture. Not watched: none. */
void wn_view_watch(wn_view *view, bool on);
/* Forgets everything of the seat's last player. */
void wn_view_vacate(wn_view *view);
void wn_view_free(wn_view *view);

/* Appends field `field`, a ViewUpdate with what changed since the last one, or with everything. false: nothing has
 * changed, nothing was appended. (encode.c) */
bool wn_view_write(wn_view *view, bool keyframe, wn_buffer *buffer, uint32_t field);
/* Appends the Update alone. 0: nothing has changed, nothing was appended; else where in the buffer the update's
 * keyframe or delta begins. */
size_t wn_view_write_bare(wn_view *view, bool keyframe, wn_buffer *buffer);
/* Appends field `field`, a ViewUpdate with a keyframe or a delta that was written before. */
void wn_view_pass_on(wn_view *view, bool keyframe, const uint8_t *body, size_t size, wn_buffer *buffer, uint32_t field);

#endif
