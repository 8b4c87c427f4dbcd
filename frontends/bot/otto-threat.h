/* otto-threat.h: what may hit whom where: the damage that each cell may take in the next turns, and where a shot of
 * otto's own would end. Amounts are in tenths of a point of damage, weighed with their chance.
 */
#ifndef WARREN_BOT_OTTO_THREAT_H
#define WARREN_BOT_OTTO_THREAT_H

#include "otto-scene.h"

/* The original's numbers, in tenths. */
enum { WN_BULLET_HURTS = 50, WN_STAB_HURTS = 20 };

typedef struct wn_threats {
    uint16_t *hurt; /* by cell */
    uint8_t *from;  /* by cell: the way to face to meet the worst of it; WN_NO_WAY: none */
    uint32_t *queue;
    uint32_t cells;
} wn_threats;

/* false: no memory. Free it in any case. */
bool wn_threats_fit(wn_threats *threats, uint32_t cells);
void wn_threats_free(wn_threats *threats);
/* Works the dangers out anew. */
void wn_threats_find(wn_threats *threats, const wn_otto_scene *scene);

/* How a shot of otto's ends. */
typedef struct wn_aim {
    uint32_t at;    /* there */
    uint32_t steps; /* cells from otto to there */
    bool sure;      /* false: at a door or in the unknown, where it may go anywhere */
    const wn_foe *foe;
    bool returns; /* a mirror sends it back to otto */
} wn_aim;
/* A shot fired this way from where otto stands. Players that are not seen now do not stop it. */
wn_aim wn_aim_from(const wn_otto_scene *scene, uint32_t way);

#endif
