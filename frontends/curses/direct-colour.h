/* direct-colour.h: makes ncurses speak 24-bit colour to a terminal whose terminfo entry does not know that it can.
 *
 * Terminals announce 24-bit colour in COLORTERM while TERM stays xterm-256color, and the entries that would help
 * (xterm-direct and its like) are in a package that is often missing and describe other terminals in everything else.
 * So the terminal's own entry is read, its colours are replaced, and the result is handed to ncurses in $TERMINFO, in
 * the form "hex:..." that ncurses reads since 6.1. No file is written.
 */
#ifndef WARREN_CURSES_DIRECT_COLOUR_H
#define WARREN_CURSES_DIRECT_COLOUR_H

#include <stdbool.h>

/* Call after setupterm() and before newterm(). Sets TERMINFO. false: no memory, or no terminal is set up. */
bool wn_direct_colour_enable(const char *term);

#endif
