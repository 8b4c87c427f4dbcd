/* search.h: the pushes that clear a board, fewest first, or that there are none. It tells boards apart by what is on
 * them and by where the penguin can get without pushing, so walking costs it nothing.
 */
#ifndef POLAR_SEARCH_H
#define POLAR_SEARCH_H

#include "board.h"

/* The cell of the thing that is pushed, and where to. */
typedef struct polar_push {
    uint16_t cell;
    uint8_t heading;
} polar_push;

typedef enum search_result {
    SEARCH_CLEARED,    /* the pushes were found */
    SEARCH_UNSOLVABLE, /* all boards that can be reached, and from which no heart is lost, were looked at */
    SEARCH_GAVE_UP     /* there was no memory for more */
} search_result;

/* Breadth first, with about `memory` bytes from malloc(). Fills in how many pushes it takes, none for a board without
 * hearts, and as many of them as there is room for. */
search_result board_search(const polar_board *board, size_t memory, polar_push *pushes, uint32_t room, uint32_t *count);

#endif
