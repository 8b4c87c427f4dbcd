/* sprites.h: the sprites of a view as they are and as they were sent. Sorted by id: found by binary search, or at once
 * when a mode draws them in order.
 */
#ifndef WARREN_HOST_SPRITES_H
#define WARREN_HOST_SPRITES_H

#include "text.h"
#include "world.h"

/* What the view remembers of a sprite beside what it shows. */
typedef struct wn_sprite_track {
    wn_kept label;
    uint32_t sent_at, sent_tile, sent_facing;
    uint32_t drawn;     /* the round in which it was drawn last */
    bool sent;          /* the readers know it */
    bool listed;        /* it stands in `changed` */
    bool label_changed; /* since it was sent */
    bool dead;          /* it goes when the draw is over, unless it is drawn again */
} wn_sprite_track;

/* A list of ids. */
typedef struct wn_ids {
    uint32_t *list;
    uint32_t count, capacity;
} wn_ids;

/* All zero is a valid empty one. */
typedef struct wn_sprites {
    wn_view_sprite *shown;
    wn_sprite_track *tracks; /* of the sprite with the same index */
    uint32_t count, capacity;
    wn_ids changed; /* may have changed since they were sent */
    wn_ids gone;    /* left since the last update, and the readers know them */
    uint32_t next;  /* where the next sprite is expected */
    uint32_t round; /* counts wn_sprites_begin() */
    uint32_t dead;
    bool sweep; /* those not drawn in this round go when the draw is over */
} wn_sprites;

/* The sprite with that id, until the next call that changes any; NULL: there is none. */
const wn_view_sprite *wn_sprites_find(const wn_sprites *sprites, uint32_t id);
/* Inside a draw. false: there are WN_MAX_SPRITES already. */
bool wn_sprites_draw(wn_sprites *sprites, const wn_view_sprite *sprite);
void wn_sprites_remove(wn_sprites *sprites, uint32_t id);
void wn_sprites_begin_round(wn_sprites *sprites);
/* The draw is over: takes away those that are gone. */
void wn_sprites_settle(wn_sprites *sprites);

/* Append what a Delta (fields `gone` and `sprites`) or a Keyframe needs; everything counts as sent afterwards. */
void wn_sprites_write_changes(wn_sprites *sprites, wn_buffer *buffer, uint32_t gone_field, uint32_t sprites_field);
void wn_sprites_write_all(wn_sprites *sprites, wn_buffer *buffer, uint32_t sprites_field);

void wn_sprites_clear(wn_sprites *sprites); /* none, and the readers know none; keeps its memory */
void wn_sprites_free(wn_sprites *sprites);

#endif
