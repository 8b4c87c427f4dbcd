/* colour.h: which colours a terminal gets: how many it has, and the nearest it has to the one wanted. Only arithmetic;
 * what talks to the terminal is paint.h. */
#ifndef WARREN_CURSES_COLOUR_H
#define WARREN_CURSES_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wn_depth { WN_DEPTH_NONE, WN_DEPTH_16, WN_DEPTH_256, WN_DEPTH_24BIT, WN_DEPTH_AUTO } wn_depth;

enum { WN_COLOUR_OWN = -1 }; /* the terminal's own */

/* "auto", "24bit", "256", "16", "none". */
bool wn_depth_parse(const char *text, wn_depth *depth);
/* What to use. A depth asked for wins over everything; then NO_COLOR (https://no-color.org: set and not empty), then
 * COLORTERM (truecolor or 24bit), then the colours terminfo says the terminal has. */
wn_depth wn_depth_choose(wn_depth wanted, const char *no_color, const char *colorterm, int terminfo_colours);

/* The nearest of the palette that all terminals with 256 colours share: the 6x6x6 cube and the greys. */
int wn_colour_256(int32_t rgb);
/* The nearest of the 16 ANSI colours, by the values xterm gives them. */
int wn_colour_16(int32_t rgb);
/* The number to give to terminfo's setaf and setab at a depth; WN_COLOUR_OWN stays what it is. */
int wn_colour_number(int32_t rgb, wn_depth depth);
/* A darker one, for what is only remembered. */
int32_t wn_colour_dim(int32_t rgb);

#endif
