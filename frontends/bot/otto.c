/* otto.c: otto's thoughts. Each function below offers what it would like to do, with what it expects of it; the best
 * offer is done. The amounts are tenths of a point of damage, done or avoided.
 */
#include "otto.h"

#include <string.h>

#include "choose.h"

/* The original's prices. A slime's 10 charges cover 30 cells. */
static const struct {
    wn_move move;
    uint32_t price, size;
} weapons[] = {
    {WN_MOVE_BULLET, 1, 1},
    {WN_MOVE_GRENADE, 9, 2},
    {WN_MOVE_SATCHEL, 25, 3},
    {WN_MOVE_BOMB, 49, 4},
};
enum { WEAPONS = sizeof weapons / sizeof *weapons };

enum {
    STEP = 6,          /* worth of a step that brings a goal nearer */
    TURN = 4,          /* of facing where the way goes before going there */
    STAGGER = 3,       /* cost of going back where he came from, more each time */
    BOREDOM = 5,       /* of doing something at all, for each act that was nothing */
    COOLING = 8,       /* of a step while the gun is hot */
    LOOK_BACK = 14,    /* of seeing what is behind */
    SENSE = 13,        /* of a scan or a cloak when nobody is near */
    ENOUGH = 150,      /* damage beyond which more of it is not worth more: it kills */
    FACED = 85,        /* percent of a shot's damage when it is faced */
    WORTH_IT = 10,     /* what a shot must promise */
    CHARGE = 100,      /* cost of a charge, divided by how many there are */
    MEMORY = 60,       /* turns for which a player who is out of sight is sought */
    LOOK_EVERY = 25,   /* acts between two looks back */
    SENSE_LASTS = 20,  /* rounds that a scan or a cloak lasts */
    SENSE_CHARGES = 6, /* he keeps as many for shooting */
    DIG_CHARGES = 16,  /* from then on he shoots his way through walls */
    DIG_COST = 9,
    GUESS_COST = 4, /* of a cell that nobody has seen: a way or a wall */
    OLD = 40        /* turns after which a place is worth seeing again */
};

/* One decision. */
typedef struct thoughts {
    wn_otto *otto;
    const wn_otto_scene *scene;
    uint32_t ahead; /* the way that leads nearer to a goal, or WN_NO_WAY */
    uint32_t run;   /* steps that it goes straight on */
    wn_option best;
} thoughts;

static void offer(thoughts *mind, wn_move move, uint32_t way, int score)
{
    score += (int)wn_chance_below(&mind->otto->chance, 3); /* nobody should know him by heart */
    if (score > mind->best.score) {
        mind->best = (wn_option){.move = move, .way = way, .score = score};
    }
}

static int limit(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* danger */

/* What being there may cost. What may kill counts more. */
static int danger_at(const thoughts *mind, uint32_t at)
{
    const wn_otto_scene *scene = mind->scene;
    const int hurt = mind->otto->threats.hurt[at];
    const bool deadly = scene->damage + hurt / 10 > scene->capacity;
    return limit(deadly ? hurt * 3 / 2 : hurt, 0, 600);
}

static int danger_here(const thoughts *mind, uint32_t facing)
{
    const uint8_t from = mind->otto->threats.from[mind->scene->at];
    const int danger = danger_at(mind, mind->scene->at);
    return from == facing ? danger * FACED / 100 : danger;
}

/* Who faces a shot may catch it. */
static void think_of_catching(thoughts *mind)
{
    const uint32_t from = mind->otto->threats.from[mind->scene->at];
    if (from != WN_NO_WAY && from != mind->scene->facing) {
        offer(mind, WN_MOVE_FACE, from, -danger_here(mind, from));
    }
}

/* shooting */

/* In percent: that he is still there when the shot is. */
static int certainty(const wn_otto_scene *scene, const wn_aim *aim, const wn_foe *foe)
{
    if (!foe->fresh) {
        return scene->turn - foe->seen <= 3 ? 25 : 0;
    }
    if (foe != aim->foe) {
        return 35; /* the explosion has to reach him: he may be out of it by then */
    }
    return aim->steps <= WN_SHOT_SPEED ? 90 : aim->steps <= 2 * WN_SHOT_SPEED ? 55 : 30;
}

/* What a shot does to others and to otto. */
static int worth_of_shot(const thoughts *mind, const wn_aim *aim, uint32_t size, uint32_t price)
{
    const wn_otto_scene *scene = mind->scene;
    int worth = 0;
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const wn_foe *foe = &scene->foes[i];
        const uint32_t distance = wn_otto_scene_distance(scene, foe->at, aim->at);
        if (foe->flies || (!foe->noticed && !foe->friendly) || distance >= size) {
            continue;
        }
        const int hurt = limit((int)(size - distance) * WN_BULLET_HURTS, 0, ENOUGH);
        worth += (foe->friendly ? -2 : 1) * hurt * certainty(scene, aim, foe) / 100;
    }
    /* It may go off a step sooner than it should. */
    const uint32_t distance = wn_otto_scene_distance(scene, scene->at, aim->at);
    if (size > 1 && distance < size + 1) {
        const int hurt = (int)(size + 1 - distance) * WN_BULLET_HURTS;
        worth -= scene->damage + hurt / 10 > scene->capacity ? 3 * hurt : 3 * hurt / 2;
    }
    return worth - (int)((int64_t)price * CHARGE / (scene->ammo > 0 ? scene->ammo : 1));
}

/* Slime goes its own way, and back to otto if it can. */
static int worth_of_slime(const thoughts *mind, const wn_aim *aim)
{
    const wn_otto_scene *scene = mind->scene;
    if (aim->foe == NULL || aim->foe->friendly || !aim->foe->noticed || (scene->boots < 2 && aim->steps < 8)) {
        return 0;
    }
    return 80 * (aim->steps <= WN_SHOT_SPEED ? 90 : 60) / 100 - (int)(10 * CHARGE / scene->ammo);
}

static void think_of_shooting(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    for (uint32_t way = 0; way < WN_WAYS; way++) {
        const wn_aim aim = wn_aim_from(scene, way);
        if (!aim.sure || aim.returns) {
            continue;
        }
        int best = 0;
        for (uint32_t i = 0; i < WEAPONS; i++) {
            const int worth = worth_of_shot(mind, &aim, weapons[i].size, weapons[i].price);
            if (scene->ammo < weapons[i].price) {
                continue;
            }
            best = worth > best ? worth : best;
            if (way == scene->facing && scene->gun_cool && worth >= WORTH_IT) {
                offer(mind, weapons[i].move, way, worth - danger_here(mind, way));
            }
        }
        if (scene->ammo >= 10 && way == scene->facing && scene->gun_cool && worth_of_slime(mind, &aim) > 0) {
            offer(mind, WN_MOVE_SLIME, way, worth_of_slime(mind, &aim) - danger_here(mind, way));
        }
        const bool beside = aim.foe != NULL && aim.steps == 1 && !aim.foe->friendly;
        best = beside && best < WN_STAB_HURTS ? WN_STAB_HURTS : best;
        if (way != scene->facing && best >= WORTH_IT) {
            offer(mind, WN_MOVE_FACE, way, best * (scene->gun_cool ? 60 : 30) / 100 - danger_here(mind, way));
        }
    }
}

/* walking */

static int worth_of_mine(const wn_otto_scene *scene, wn_thing thing, uint32_t way)
{
    const int hurts = thing == WN_THING_SMALL_MINE ? WN_BULLET_HURTS : 2 * WN_BULLET_HURTS;
    const int percent = way == scene->facing ? 2 : way == wn_way_back(scene->facing) ? 95 : 50;
    return -hurts * percent / 100;
}

/* How much nearer to a goal a step leads. */
static int progress(const thoughts *mind, uint32_t to)
{
    const uint16_t *value = mind->otto->paths.value;
    if (value[to] == WN_FAR || value[mind->scene->at] == WN_FAR) {
        return 0;
    }
    return limit((int)value[mind->scene->at] - (int)value[to], -2, 2);
}

static bool is_back(const wn_otto *otto, uint32_t way)
{
    return otto->walked != WN_NO_WAY && way == wn_way_back(otto->walked);
}

static bool missile_at(const wn_otto_scene *scene, uint32_t at)
{
    for (uint32_t i = 0; i < scene->missile_count; i++) {
        if (scene->missiles[i].at == at) {
            return true;
        }
    }
    return false;
}

static void think_of_walking(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    for (uint32_t way = 0; way < WN_WAYS; way++) {
        const uint32_t to = wn_otto_scene_next(scene, scene->at, way);
        const wn_foe *foe = wn_otto_scene_foe_at(scene, to);
        if (foe != NULL) {
            if (way == scene->facing && !foe->friendly) {
                offer(mind, WN_MOVE_WALK, way, WN_STAB_HURTS - danger_here(mind, way));
            }
            continue;
        }
        if (wn_otto_scene_on_border(scene, to) || !wn_otto_scene_open(scene, to) || missile_at(scene, to)) {
            continue;
        }
        int score = progress(mind, to) * STEP - danger_at(mind, to) + (scene->gun_cool ? 0 : COOLING);
        score += limit((int)mind->otto->bored - 2, 0, 20) * BOREDOM;
        const wn_thing thing = scene->things[to];
        if (thing == WN_THING_SMALL_MINE || thing == WN_THING_LARGE_MINE) {
            score += worth_of_mine(scene, thing, way);
        }
        if (is_back(mind->otto, way)) {
            score -= STAGGER * (1 + limit((int)mind->otto->dances, 0, 5));
        }
        offer(mind, WN_MOVE_WALK, way, score);
    }
}

/* Turns to where the way goes on if that is more than a step, or if a mine or a wall is there. */
static void think_of_turning(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    if (mind->ahead == WN_NO_WAY) {
        return;
    }
    const uint32_t to = wn_otto_scene_next(scene, scene->at, mind->ahead);
    const wn_thing thing = scene->things[to];
    const bool wall = thing == WN_THING_WALL;
    const bool mine = thing == WN_THING_SMALL_MINE || thing == WN_THING_LARGE_MINE;
    const int worth = limit(progress(mind, to), 1, 2) * STEP + TURN;
    if (mind->ahead != scene->facing && (wall || mine || mind->run > 2)) {
        offer(mind, WN_MOVE_FACE, mind->ahead, worth - danger_here(mind, mind->ahead));
    } else if (mind->ahead == scene->facing && wall && scene->gun_cool && scene->ammo > 0) {
        offer(mind, WN_MOVE_BULLET, mind->ahead, worth - danger_here(mind, mind->ahead));
    }
}

/* senses */

static bool somebody_is_near(const wn_otto_scene *scene)
{
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const wn_foe *foe = &scene->foes[i];
        if (!foe->friendly && scene->turn - foe->seen <= 4) {
            return true;
        }
    }
    return false;
}

/* Behind him he sees nothing. */
static void think_of_looking_back(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    const uint32_t back = wn_way_back(scene->facing);
    wn_ray ray = {.at = scene->at, .way = back};
    if (!wn_ray_step(scene, &ray)) {
        return;
    }
    bool sought = mind->otto->acts - mind->otto->looked_back > LOOK_EVERY && !somebody_is_near(scene);
    for (bool on = true; on && !sought; on = wn_ray_step(scene, &ray)) {
        for (uint32_t i = 0; i < scene->foe_count; i++) {
            const wn_foe *foe = &scene->foes[i];
            sought |= foe->at == ray.at && !foe->fresh && !foe->friendly && scene->turn - foe->seen < MEMORY;
        }
        if (ray.at == scene->at) {
            break;
        }
    }
    if (sought) {
        offer(mind, WN_MOVE_FACE, back, LOOK_BACK - danger_here(mind, back));
    }
}

static void think_of_senses(thoughts *mind)
{
    wn_otto *otto = mind->otto;
    const wn_otto_scene *scene = mind->scene;
    if (scene->ammo <= SENSE_CHARGES || somebody_is_near(scene) || danger_here(mind, scene->facing) > SENSE) {
        return;
    }
    const int worth = SENSE + STEP - danger_here(mind, scene->facing);
    if (otto->entrance == WN_ENTER_CLOAKED && scene->damage > 0 && scene->boots == 0 &&
        otto->acts >= otto->hides_until) {
        offer(mind, WN_MOVE_CLOAK, WN_NO_WAY, worth);
    } else if (otto->acts >= otto->hides_until && otto->acts >= otto->scans_until) {
        offer(mind, WN_MOVE_SCAN, WN_NO_WAY, worth);
    }
}

/* goals: the less their value, the better, in steps that he would go for it */

static void set_costs(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    uint8_t *cost = mind->otto->paths.cost;
    for (uint32_t at = 0; at < scene->cells; at++) {
        const wn_thing thing = scene->things[at];
        const uint32_t danger = mind->otto->threats.hurt[at];
        cost[at] = WN_NO_ENTRY;
        if (wn_otto_scene_on_border(scene, at)) {
            continue;
        }
        if (wn_otto_scene_open(scene, at)) {
            const uint32_t mine = thing == WN_THING_SMALL_MINE || thing == WN_THING_LARGE_MINE ? 2 : 0;
            cost[at] = (uint8_t)(1 + mine + (danger < 160 ? danger / 20 : 8));
        } else if (thing == WN_THING_WALL && scene->ammo >= DIG_CHARGES) {
            cost[at] = DIG_COST;
        } else if (thing == WN_THING_UNKNOWN) {
            cost[at] = GUESS_COST;
        }
    }
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        if (scene->foes[i].fresh && !scene->foes[i].flies) {
            cost[scene->foes[i].at] = WN_NO_ENTRY;
        }
    }
}

static void set_goal(thoughts *mind, uint32_t at, uint32_t value)
{
    if (at != mind->scene->at) {
        wn_paths_goal(&mind->otto->paths, at, value);
    }
}

/* Places in line with a player, best a few steps away and behind him. */
static void seek_player(thoughts *mind, const wn_foe *foe)
{
    static const uint8_t by_steps[] = {4, 2, 1, 0, 1, 3, 5, 7};
    const wn_otto_scene *scene = mind->scene;
    const uint32_t age = (uint32_t)(scene->turn - foe->seen), base = age / 3 + (scene->ammo > 0 ? 0 : 20);
    for (uint32_t way = 0; way < WN_WAYS; way++) {
        wn_ray ray = {.at = foe->at, .way = way};
        const uint32_t side = foe->facing == way ? 4 : foe->facing == wn_way_back(way) ? 0 : 1;
        for (uint32_t i = 0; i < sizeof by_steps && wn_ray_step(scene, &ray); i++) {
            if (wn_otto_scene_open(scene, ray.at)) {
                set_goal(mind, ray.at, base + by_steps[i] + side);
            }
        }
    }
    if (!foe->fresh) {
        set_goal(mind, foe->at, base + 2);
    }
}

/* What lies about, and what has not been seen for long. */
static void seek_things(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    const bool poor = scene->ammo < 10;
    for (uint32_t at = scene->width; at < scene->cells - scene->width; at++) {
        if (wn_otto_scene_on_border(scene, at) || !wn_otto_scene_open(scene, at)) {
            continue;
        }
        const wn_thing thing = scene->things[at];
        const uint64_t age = scene->turn - scene->seen[at];
        bool edge = false;
        for (uint32_t way = 0; way < WN_WAYS; way++) {
            edge |= scene->things[wn_otto_scene_next(scene, at, way)] == WN_THING_UNKNOWN;
        }
        if (thing == WN_THING_LARGE_MINE) {
            set_goal(mind, at, poor ? 4 : 12);
        } else if (thing == WN_THING_SMALL_MINE) {
            set_goal(mind, at, poor ? 10 : 40);
        } else if (thing == WN_THING_BOOT || thing == WN_THING_BOOTS) {
            set_goal(mind, at, 8);
        } else if (edge) {
            set_goal(mind, at, 60);
        } else if (!scene->fresh[at] && age > OLD) {
            set_goal(mind, at, age < 360 ? 110 - (uint32_t)age / 8 : 65);
        }
    }
}

/* Where something goes off, there is somebody. */
static void seek_noise(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    const uint64_t age = scene->turn - scene->noise_turn;
    const bool heard = scene->noise_turn != 0 && age < MEMORY && !wn_otto_scene_on_border(scene, scene->noise);
    if (heard && !scene->fresh[scene->noise]) {
        set_goal(mind, scene->noise, 10 + (uint32_t)age / 3);
    }
}

static void set_goals(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    wn_paths_clear(&mind->otto->paths);
    for (uint32_t i = 0; i < scene->foe_count; i++) {
        const wn_foe *foe = &scene->foes[i];
        if (!foe->friendly && !foe->flies && scene->turn - foe->seen < MEMORY) {
            seek_player(mind, foe);
        }
    }
    seek_things(mind);
    seek_noise(mind);
    wn_paths_spread(&mind->otto->paths);
}

/* Which way to go, and how far it goes straight on. */
static void find_way(thoughts *mind)
{
    const wn_otto_scene *scene = mind->scene;
    const wn_paths *paths = &mind->otto->paths;
    uint32_t least = paths->value[scene->at];
    mind->ahead = WN_NO_WAY;
    for (uint32_t way = 0; way < WN_WAYS; way++) {
        const uint32_t to = wn_otto_scene_next(scene, scene->at, way);
        if (paths->cost[to] != WN_NO_ENTRY &&
            (paths->value[to] < least ||
             (paths->value[to] == least && way == scene->facing && least < WN_FAR && mind->ahead != WN_NO_WAY))) {
            least = paths->value[to];
            mind->ahead = way;
        }
    }
    mind->run = 0;
    for (uint32_t at = scene->at; mind->ahead != WN_NO_WAY && !wn_otto_scene_on_border(scene, at); mind->run++) {
        const uint32_t to = wn_otto_scene_next(scene, at, mind->ahead);
        if (paths->cost[to] == WN_NO_ENTRY || paths->value[to] >= paths->value[at]) {
            break;
        }
        at = to;
    }
}

/* otto */

static void remember(wn_otto *otto, const wn_option *done)
{
    otto->acts++;
    for (uint32_t i = 0; i < otto->scene.foe_count; i++) {
        otto->scene.foes[i].noticed |= otto->scene.foes[i].fresh;
    }
    const bool stirs = done->move == WN_MOVE_WALK || (done->move >= WN_MOVE_BULLET && done->move <= WN_MOVE_SLIME);
    otto->bored = stirs ? 0 : otto->bored + 1;
    if (done->move == WN_MOVE_WALK) {
        otto->dances = is_back(otto, done->way) ? otto->dances + 1 : 0;
        otto->walked = done->way;
    }
    if (done->move == WN_MOVE_SCAN) {
        otto->scans_until = otto->acts + SENSE_LASTS;
    } else if (done->move == WN_MOVE_CLOAK) {
        otto->hides_until = otto->acts + SENSE_LASTS;
    } else if (done->move == WN_MOVE_FACE && done->way == wn_way_back(otto->scene.facing)) {
        otto->looked_back = otto->acts;
    }
}

wn_option wn_otto_decide(wn_otto *otto)
{
    thoughts mind = {.otto = otto, .scene = &otto->scene};
    mind.best = (wn_option){.move = WN_MOVE_FACE, .way = otto->scene.facing, .score = -1000};
    if (!otto->scene.stands) {
        return mind.best; /* he flies: nothing can be done, but time goes on */
    }
    mind.best.score = -danger_here(&mind, otto->scene.facing) - 1;
    set_costs(&mind);
    set_goals(&mind);
    find_way(&mind);
    think_of_catching(&mind);
    think_of_shooting(&mind);
    think_of_walking(&mind);
    think_of_turning(&mind);
    think_of_looking_back(&mind);
    think_of_senses(&mind);
    remember(otto, &mind.best);
    return mind.best;
}

uint32_t wn_otto_way_in(wn_otto *otto)
{
    /* In tenths. Flying is for the fun of it: he cannot do anything until he has landed. */
    static const uint8_t choices[] = {WN_ENTER_CLOAKED,  WN_ENTER_CLOAKED,  WN_ENTER_CLOAKED,  WN_ENTER_CLOAKED,
                                      WN_ENTER_SCANNING, WN_ENTER_SCANNING, WN_ENTER_SCANNING, WN_ENTER_SCANNING,
                                      WN_ENTER_SCANNING, WN_ENTER_FLYING};
    const wn_entrance wanted = choices[wn_chance_below(&otto->chance, sizeof choices)];
    const bool known = otto->legend.thing_of != NULL && otto->legend.entry_of[wanted] != WN_NO_ENTRANCE;
    otto->entrance = known ? wanted : WN_ENTER_CLOAKED;
    return known ? otto->legend.entry_of[wanted] : 0;
}

bool wn_otto_enter(wn_otto *otto, const Warren__Mode *mode, wn_error *error)
{
    wn_otto_legend_free(&otto->legend);
    wn_otto_scene_forget(&otto->scene);
    otto->bored = otto->dances = 0;
    otto->acts = otto->looked_back = 0;
    otto->hides_until = otto->entrance == WN_ENTER_CLOAKED ? SENSE_LASTS / 2 : 0;
    otto->scans_until = otto->entrance == WN_ENTER_SCANNING ? SENSE_LASTS : 0;
    otto->walked = WN_NO_WAY;
    return wn_otto_legend_read(&otto->legend, mode, error);
}

bool wn_otto_see(wn_otto *otto, const wn_replica *replica)
{
    if (!wn_otto_scene_take(&otto->scene, &otto->legend, replica) ||
        !wn_threats_fit(&otto->threats, otto->scene.cells) ||
        !wn_paths_fit(&otto->paths, replica->width, replica->height)) {
        return false;
    }
    wn_threats_find(&otto->threats, &otto->scene);
    return true;
}

void wn_otto_free(wn_otto *otto)
{
    wn_otto_legend_free(&otto->legend);
    wn_otto_scene_free(&otto->scene);
    wn_threats_free(&otto->threats);
    wn_paths_free(&otto->paths);
}
