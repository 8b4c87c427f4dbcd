/* banner.h: what a mode shows over its map until it takes it back: whether it is to be seen, and what of it is its
 * title. Where it stands, and which keys put it away, is the screen's part. */
#ifndef WARREN_CLIENT_BANNER_H
#define WARREN_CLIENT_BANNER_H

#include "client.h"

/* All zero: nothing was put away. */
typedef struct wn_banner {
    char hidden[WN_BANNER_BYTES + 1]; /* the one that who looks has put away */
} wn_banner;

/* An update came. Once there is no banner, the next one is a new one, whatever it says. */
void wn_banner_take(wn_banner *banner, const wn_replica *replica);
/* Is there one to be seen? `replica` may be NULL. */
bool wn_banner_shows(const wn_banner *banner, const wn_replica *replica);
/* Puts it away. false: there is none to be seen. */
bool wn_banner_hide(wn_banner *banner, const wn_replica *replica);
/* Its first line is its title, an empty line below that is left out. Returns the rest. */
const char *wn_banner_split(const char *text, char *title, size_t size);

#endif
