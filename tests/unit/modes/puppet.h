/* puppet.h: the state of the puppet mode, whose callbacks a test provides. Not an example of a mode: no real one could
 * have pointers into a test.
 */
#ifndef WARREN_TEST_PUPPET_H
#define WARREN_TEST_PUPPET_H

#include <warren/mode.h>

enum { PUPPET_STEP = 1, PUPPET_LOOK = 2, PUPPET_WAIT = 3 };       /* actions */
enum { PUPPET_SCORE, PUPPET_HEALTH, PUPPET_MOOD, PUPPET_FIELDS }; /* status fields */
/* settings; a world of a size below 0 is seen that many turns late by spectators */
enum { PUPPET_SIZE, PUPPET_HARD, PUPPET_PACE, PUPPET_MOTTO, PUPPET_MAP };
enum { PUPPET_SEATS = 4, PUPPET_TILES = 100, PUPPET_COLUMNS = 2 };

typedef struct puppet {
    /* Any may be NULL. */
    bool (*joined)(wn_world *world, uint32_t seat, void *context);
    void (*left)(wn_world *world, uint32_t seat, void *context);
    void (*turn)(wn_world *world, const wn_turn *turn, void *context);
    void (*draw)(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context);
    void (*save)(wn_world *world, wn_writer *writer, void *context);
    void *context;
    uint32_t turns, draws;                 /* how often they were called */
    wn_command commands[PUPPET_SEATS * 2]; /* of the last turn */
    size_t command_count;
    bool woken;
} puppet;

#endif
