/* maze_fixture.h: worlds of maze, and scenes: mazes drawn by hand, with the runners in them. */
#ifndef MAZE_FIXTURE_H
#define MAZE_FIXTURE_H

#include "../../plugins/maze/game.h"
#include "mode_fixture.h" /* last: Check has a macro named fail, which would change mode.h */

game *fixture_game(const fixture *world);
struct runner *runner(const fixture *world, uint32_t seat);

/* One turn with one input. */
void walk(fixture *world, uint32_t seat, uint32_t direction); /* NORTH, EAST, SOUTH, WEST */

/* The maze becomes what is drawn, beginning in the second square of the second row, and all else wall: '#' wall, ' '
 * open, 'O' a boulder, 'M' a monster that faces east, '=' the northern feature, '*' the finale, '0' to '9' the runner
 * of that seat, who must have joined. Everyone looks anew and remembers nothing. It cannot be saved. */
void scene(fixture *world, const char *const *rows);
/* Fails with both drawings unless the truth looks so. Who has arrived is not there any more. */
void expect(const fixture *world, const char *const *rows);

uint16_t cell_shown(const fixture *world, int32_t seat, struct maze_square at);
bool fixture_shows_sprite(const fixture *world, int32_t seat, uint32_t id);

/* Fails unless the state keeps the rules' invariants and the views show what is noted for them. */
void fixture_check(const fixture *world);

#endif
