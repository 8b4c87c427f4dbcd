/* hunt_fixture.h: worlds of hunt, and scenes: mazes drawn as the game draws them, with the players in them, so that a
 * test reads like the rule book.
 */
#ifndef HUNT_FIXTURE_H
#define HUNT_FIXTURE_H

#include "../../plugins/hunt/hunt.h"
#include "mode_fixture.h" /* last: Check has a macro named fail, which would change mode.h */

hunt *fixture_game(const fixture *world);

/* A world of the drawing's size without chance that the scene does not want: '>', '<', '^', 'v' is ann, seat 0; '}',
 * '{', 'i', '!' are bob, cid, dan, eve (seats 1 to 4) as they are read; floor is ' '. Everyone has 15 charges, neither
 * cloak nor scan, nothing flies, and all views are watched. `settings` may be "". */
fixture *scene(const char *settings, const char *const *rows);
/* The same with names of one's own ("ann/1", ...); NULL ends the list. */
fixture *scene_named(const char *const *names, const char *settings, const char *const *rows);
/* A player is in the air for so many turns, at that speed. */
void scene_fly(fixture *world, uint32_t seat, uint32_t turns, int32_t fly_x, int32_t fly_y);
/* Makes every seat forget the map and look again. */
void scene_look_anew(fixture *world);

/* One turn with one input. */
void join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry); /* ENTER_...; join() enters cloaked */
void walk(fixture *world, uint32_t seat, uint32_t direction);                  /* NORTH, EAST, SOUTH, WEST */
void face(fixture *world, uint32_t seat, uint32_t direction);
void pass(fixture *world, uint32_t turns); /* nobody does anything, time goes on */

struct player *player(const fixture *world, uint32_t seat);
struct ident *ident(const fixture *world, uint32_t seat);
/* Glyphs: of the maze (terrain, items and shots), and of a watched view with its sprites. */
char glyph(const fixture *world, int32_t x, int32_t y);
char view_glyph(const fixture *world, int32_t seat, int32_t x, int32_t y);
/* Fails with both drawings unless the view looks like `rows`; '?' in them stands for anything. */
void expect_view(const fixture *world, int32_t seat, const char *const *rows);
void expect_maze(const fixture *world, const char *const *rows);

/* What ended the seat in the last turn; NULL: nothing did. */
const char *ended(const fixture *world, uint32_t seat);

/* Fails unless the state keeps the rules' invariants and the views show what the notes say. */
void fixture_check(const fixture *world);

#endif
