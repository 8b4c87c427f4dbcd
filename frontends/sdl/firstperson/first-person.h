/* first-person.h: a replica as its player sees it: makes a scene for raycast.h out of any mode's view, and draws it. It
 * knows no mode, only what the legend says.
 *
 *     view = wn_first_person_new(replica->mode, picture, user);
 *     on every update of the replica:  wn_first_person_see(view, replica, now);
 *     for every frame:                 wn_first_person_draw(view, &frame, now);
 *                                      another frame is needed soon if wn_first_person_moves(view, now)
 *
 * What is what
 *   - a tile with a height is a wall of that height; an opaque one without is a wall of WN_WALL_HEIGHT;
 *   - one that is neither, but blocks or is animated, and is not tile 0, stands upright in its square, on its
 * neighbours' floor;
 *   - a blank tile (a space for a glyph, without colours) is nothing: haze;
 *   - every other tile is floor, with its picture on it;
 *   - sprites stand upright, and walk from square to square; an opaque tile that does not block (a door) is open while
 *     a sprite stands in it;
 *   - the sprite at the focus is the eye's own and is not drawn.
 */
#ifndef WARREN_FIRST_PERSON_H
#define WARREN_FIRST_PERSON_H

#include "camera.h"
#include "client.h"
#include "raycast.h"

enum { WN_WALL_HEIGHT = 12, WN_STEP_MS = 160, WN_TURN_MS = 200, WN_GLOW_MS = 320 };

/* The picture of a tile for one use: side * side pixels 0xAARRGGBB, row by row, transparent where the tile's background
 * shows; side 1 to 256. It is copied. NULL: none; then bricks, flagstones or a figure are made in the tile's colours.
 * Asked once for each tile and use, when it first comes into the view. */
typedef enum wn_picture_use { WN_PICTURE_WALL, WN_PICTURE_FLOOR, WN_PICTURE_UPRIGHT } wn_picture_use;
typedef const uint32_t *wn_picture_of(void *user, const Warren__Tile *tile, wn_picture_use use, uint32_t *side);

typedef struct wn_first_person wn_first_person;

/* `mode` must outlive it. `picture` may be NULL. NULL: no memory. */
wn_first_person *wn_first_person_new(const Warren__Mode *mode, wn_picture_of *picture, void *user);
void wn_first_person_free(wn_first_person *view);

/* Can this mode be shown so? It needs walls: a tile that is opaque or has a height. */
bool wn_first_person_suits(const Warren__Mode *mode);

/* Whether steps and turns take their time (they do at first) or are jumps. */
void wn_first_person_set_smooth(wn_first_person *view, bool smooth);

/* Takes over what the replica shows. The eye goes to the focus (it stays if there is none), and turns when the view's
 * facing changes, or where the view has none, that of the sprite at the focus. false: no memory; the view stays as it
 * was. */
bool wn_first_person_see(wn_first_person *view, const wn_replica *replica, int64_t now);
/* Looks in a direction 0 to 7: where the mode has no way to turn, and the window turns by itself. */
void wn_first_person_face(wn_first_person *view, uint32_t direction, int64_t now);
uint32_t wn_first_person_facing(const wn_first_person *view); /* where it looks, or is turning to: 0 to 7 */

/* Something that is seen for a moment: a glow in its tile's colours where it happens, or that flies there. */
void wn_first_person_effect(wn_first_person *view, const Warren__Effect *effect, int64_t now);

bool wn_first_person_draw(wn_first_person *view, const wn_frame *frame, int64_t now);
bool wn_first_person_moves(const wn_first_person *view, int64_t now);

/* Where the eye is, and where it looks. */
wn_camera wn_first_person_camera(const wn_first_person *view, int64_t now);
/* What it draws, for tests and benchmarks only. Lives until the next wn_first_person_see() or _draw(). */
const wn_scene *wn_first_person_scene(const wn_first_person *view);

#endif
