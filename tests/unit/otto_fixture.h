/* otto_fixture.h: mazes drawn as text, shown to otto as a mode's view. A picture has a line for each row, in the glyphs
 * of hunt: ^ > v < is otto, i } ! { are others, 7 is a team mate; - | + walls, / \ mirrors, # a door; ; g mines, b B
 * boots; : o O @ missiles, $ slime, * an explosion. A % is a cell that nobody has seen, a space is floor.
 */
#ifndef WARREN_TESTS_OTTO_FIXTURE_H
#define WARREN_TESTS_OTTO_FIXTURE_H

#include "otto.h"

/* A mode as otto wants it. Its ways to enter: 0 swimming, 1 flying, 2 scanning, 3 cloaked. */
const Warren__Mode *otto_mode(void);
/* The same without one of its tiles, actions or status fields. */
const Warren__Mode *otto_mode_without(const char *name);

typedef struct otto_state {
    int64_t ammo, damage; /* of 10 */
    bool hot;
} otto_state;

/* Shows him a picture, one turn after the one before. */
void otto_shown(wn_otto *otto, const char *picture, otto_state state);
/* Another life, with dice that fall so. */
void otto_born(wn_otto *otto, uint64_t chance);
/* "walk north", "face east", "bullet", "scan" ... */
const char *otto_says(const wn_option *option);
/* The cell of column x and row y. */
uint32_t otto_cell(const wn_otto *otto, uint32_t x, uint32_t y);
/* From WARREN_SEED, or another one each time; printed. */
uint64_t otto_seed(void);

#endif
