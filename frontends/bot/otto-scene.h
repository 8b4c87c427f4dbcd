/* otto-scene.h: what otto knows of the maze: his view as it stands, and what he remembers of how it was. It judges
 * nothing: dangers are in otto-threat.h, ways in otto-paths.h.
 */
#ifndef WARREN_BOT_OTTO_SCENE_H
#define WARREN_BOT_OTTO_SCENE_H

#include "client.h"
#include "otto-legend.h"

/* Ways are north, east, south, west; a set of them is a sum of bits 1 << way. */
enum { WN_WAYS = 4, WN_NO_WAY = 4, WN_ALL_WAYS = 15, WN_SCENE_FOES = 64, WN_SCENE_MISSILES = 256 };
/* The original's numbers, which worlds may change a little: cells that a shot flies in a turn. */
enum { WN_SHOT_SPEED = 5 };

static inline uint32_t wn_way_back(uint32_t way)
{
    return (way + 2) % WN_WAYS;
}

typedef struct wn_foe {
    uint32_t id;     /* of its sprite */
    uint32_t at;     /* where it was seen last */
    uint32_t facing; /* a way, or WN_NO_WAY */
    uint64_t seen;   /* in that turn */
    bool fresh;      /* it is seen now */
    bool noticed;    /* otto has acted since it came into sight: he needs that moment before he can aim */
    bool friendly, flies;
} wn_foe;

typedef struct wn_missile {
    uint32_t at;
    wn_thing thing;
    uint32_t ways; /* in which it may be flying */
} wn_missile;

typedef struct wn_otto_scene {
    uint32_t width, height, cells;
    uint64_t turn;
    uint8_t *things;   /* terrain and what lies there, a wn_thing each; no players, missiles or blasts */
    bool *fresh;       /* it is seen now */
    uint64_t *seen;    /* the turn in which it was seen last; 0: it never was, or it is worth another look */
    uint64_t *oozed;   /* the turn in which slime or lava came here, while it shows; 0: none */
    bool *burns;       /* an explosion shows there */
    uint8_t *launched; /* scratch: the ways in which something may have flown off there */
    bool stands;       /* `at` and `facing` are right: otto is on the ground */
    uint32_t at, facing;
    wn_foe foes[WN_SCENE_FOES];
    uint32_t foe_count;
    wn_missile missiles[WN_SCENE_MISSILES];
    uint32_t missile_count;
    uint32_t noise;      /* where the last explosion far away was */
    uint64_t noise_turn; /* when it was; 0: there was none */
    int64_t ammo, damage, capacity;
    bool gun_cool;
    uint32_t boots;
} wn_otto_scene;

/* Takes over what the view shows now. false: no memory. The first time, and after wn_otto_scene_forget(), it begins
 * anew. */
bool wn_otto_scene_take(wn_otto_scene *scene, const wn_otto_legend *legend, const wn_replica *replica);
/* For another life. */
void wn_otto_scene_forget(wn_otto_scene *scene);
void wn_otto_scene_free(wn_otto_scene *scene);

/* The cell next to it. `at` is not on the border, or the way leads inwards. */
uint32_t wn_otto_scene_next(const wn_otto_scene *scene, uint32_t at, uint32_t way);
bool wn_otto_scene_on_border(const wn_otto_scene *scene, uint32_t at);
/* The larger of the differences in rows and in columns: explosions are squares. */
uint32_t wn_otto_scene_distance(const wn_otto_scene *scene, uint32_t one, uint32_t other);
/* One can walk there, as far as is known. Nobody may be standing there. */
bool wn_otto_scene_open(const wn_otto_scene *scene, uint32_t at);
/* Who is seen there now, or NULL. */
const wn_foe *wn_otto_scene_foe_at(const wn_otto_scene *scene, uint32_t at);

/* Something that flies: where it is and which way it goes. */
typedef struct wn_ray {
    uint32_t at, way;
} wn_ray;
/* One cell on; reflecting walls turn it. false: it is now in a wall, a door or what nobody has seen, and ends there. */
bool wn_ray_step(const wn_otto_scene *scene, wn_ray *ray);

#endif
