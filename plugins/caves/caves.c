/* caves.c: worlds and seats: making one, joining, leaving, and keeping account of what changed. What happens in a turn
 * is in turn.c.
 */
#include "caves.h"

static bool hop(const cave *map, wn_world *world, position at, position *to)
{
    return cave_empty_neighbour(map, world, at, to);
}

/* Through rock as well, so it may choose a cell where it cannot go: then it stays. */
static bool swim(const cave *map, wn_world *world, position at, position *to)
{
    *to = cave_neighbour(at, wn_random(world, 8));
    return cave_is_inside(map, *to) && !cave_is_taken(map, *to);
}

/* The creatures of the series' last part; what settings change is filled in by caves_new(). */
static const struct kind standard_kinds[KIND_COUNT] = {
    [KIND_PLAYER] = {"someone", "Someone", TILE_PLAYER,
                     ASPECT_ATTACKER | ASPECT_MOBILE | ASPECT_DIGGER | ASPECT_RECEIVER, 0, NULL},
    [KIND_LICHEN] = {"the lichen", "The lichen", TILE_LICHEN, ASPECT_DESTRUCTIBLE | ASPECT_GROWER, 1, NULL},
    [KIND_BUNNY] = {"the bunny", "The bunny", TILE_BUNNY, ASPECT_DESTRUCTIBLE | ASPECT_MOBILE, BUNNY_HIT_POINTS, hop},
    [KIND_SILVERFISH] = {"the silverfish", "The silverfish", TILE_SILVERFISH, ASPECT_DESTRUCTIBLE | ASPECT_MOBILE,
                         SILVERFISH_HIT_POINTS, swim},
};

static uint32_t setting(const wn_world *world, uint32_t index)
{
    return (uint32_t)wn_setting_value(world, index);
}

caves *caves_new(wn_world *world)
{
    caves *game = wn_alloc(world, sizeof *game);
    if (game == NULL || !cave_make(&game->map, world, setting(world, SETTING_WIDTH), setting(world, SETTING_HEIGHT))) {
        wn_fail(world, "a cave of %u by %u cells needs more memory than a world may have: lower width or height",
                setting(world, SETTING_WIDTH), setting(world, SETTING_HEIGHT));
        return NULL;
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        game->kinds[i] = standard_kinds[i];
    }
    game->kinds[KIND_LICHEN].hit_points = setting(world, SETTING_LICHEN_HP);
    if (setting(world, SETTING_MORTAL)) {
        game->kinds[KIND_PLAYER].hit_points = PLAYER_HIT_POINTS;
    }
    if (setting(world, SETTING_PVP)) {
        game->kinds[KIND_PLAYER].aspects |= ASPECT_DESTRUCTIBLE;
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        game->seats[i].entity = NOBODY;
    }
    game->growth_permille = setting(world, SETTING_GROWTH);
    game->attack = setting(world, SETTING_ATTACK);
    game->defence = setting(world, SETTING_DEFENCE);
    game->wait_ms = setting(world, SETTING_WAIT);
    game->overrun = setting(world, SETTING_OVERRUN);
    game->sight = setting(world, SETTING_SIGHT);
    if (!vision_make(game, world)) {
        wn_fail(world, "sight needs more memory than a world may have: lower width or height, or turn sight off");
        return NULL;
    }
    game->started_with_lichens = setting(world, SETTING_LICHENS) > 0;
    world->state = game;
    return game;
}

/* changes */

void changes_add(caves *game, change_kind what, uint32_t value)
{
    struct changes *changes = &game->changes;
    if (changes->count == CHANGE_LIMIT) {
        changes->overflow = true;
        changes->late_overflow = true;
        return;
    }
    changes->list[changes->count++] = (struct change){what, value};
}

void changes_add_cell(caves *game, position at)
{
    changes_add(game, CHANGE_CELL, (uint32_t)at.x | (uint32_t)at.y << 16);
}

/* At the beginning of turn(). Joins and leaves of the same turn came before, and they do not know whether turn() ran
 * since: so only what the last turn() listed is dropped here, and what came after it stays. */
void changes_begin(caves *game)
{
    struct changes *changes = &game->changes;
    const uint32_t fresh = changes->count - changes->settled;
    for (uint32_t i = 0; i < fresh; i++) {
        changes->list[i] = changes->list[changes->settled + i];
    }
    changes->count = fresh;
    changes->settled = 0;
    changes->overflow = changes->late_overflow;
}

void changes_settle(caves *game)
{
    game->changes.settled = game->changes.count;
    game->changes.late_overflow = false;
}

/* seats */

/* Spectators look at the first seat's player. */
void caves_follow_first(wn_world *world)
{
    const caves *game = caves_of(world);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].entity != NOBODY) {
            const entity *who = &game->entities.all[game->seats[i].entity];
            wn_place(world, WN_SPECTATORS, who->x, who->y);
            return;
        }
    }
}

void caves_follow(wn_world *world, uint32_t seat_number)
{
    const caves *game = caves_of(world);
    const entity *who = &game->entities.all[game->seats[seat_number].entity];
    wn_place(world, (int32_t)seat_number, who->x, who->y);
    caves_follow_first(world);
}

static bool joined(wn_world *world, uint32_t seat_number, const char *player)
{
    caves *game = caves_of(world);
    position at;
    if (!cave_random_empty(&game->map, world, &at)) {
        wn_fail(world, "there is no empty cell left in this cave for %s: join another world", player);
        return false;
    }
    entity *who = vision_begin(game, world, seat_number) ? caves_spawn(world, KIND_PLAYER, at) : NULL;
    if (who == NULL) {
        wn_fail(world, "this cave has no memory left for one more player: join another world");
        return false;
    }
    who->seat = (uint8_t)seat_number;
    game->seats[seat_number] = (struct seat){.taken = true, .entity = game->entities.count - 1};
    changes_add(game, CHANGE_SEAT, seat_number);
    vision_look(game, seat_number);
    caves_follow(world, seat_number);
    return true;
}

void caves_record_kills(wn_world *world, uint32_t seat_number)
{
    const struct seat *seat = &caves_of(world)->seats[seat_number];
    if (seat->kills > 0) {
        wn_record_score(world, seat_number, "kills", seat->kills, "");
    }
}

static void left(wn_world *world, uint32_t seat_number)
{
    caves *game = caves_of(world);
    if (game->outcome == OUTCOME_OPEN) {
        caves_record_kills(world, seat_number);
    }
    if (game->seats[seat_number].entity != NOBODY) {
        caves_remove(world, game->seats[seat_number].entity);
    }
    caves_show_regions(world, seat_number, false);
    game->seats[seat_number] = (struct seat){.entity = NOBODY};
    changes_add(game, CHANGE_SEAT, seat_number);
    if (game->wait_ms > 0 && caves_all_have_acted(game)) {
        wn_wake(world, 1); /* the others waited for this one */
    }
}

/* worlds */

static bool spawn(wn_world *world, kind_id what, position at)
{
    if (caves_spawn(world, what, at) != NULL) {
        return true;
    }
    wn_fail(world, "a %s more needs more memory than a world may have: ask for fewer creatures",
            caves_of(world)->kinds[what].name);
    return false;
}

/* So many that drawing a cell again and again would take long: their cells are drawn all at once. */
static bool populate_densely(wn_world *world, kind_id what, uint32_t count)
{
    position *cells = cave_random_empties(&caves_of(world)->map, world, count);
    if (cells == NULL) {
        wn_fail(world,
                "%u times %s: there is no empty cell, or no memory, for that many: ask for fewer creatures or a "
                "larger cave",
                count, caves_of(world)->kinds[what].name);
        return false;
    }
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        good = spawn(world, what, cells[i]);
    }
    wn_release(world, cells);
    return good;
}

static bool populate(wn_world *world, kind_id what, uint32_t count)
{
    enum { SHARE = 8 };
    const caves *game = caves_of(world);
    if (count > game->map.floors / SHARE) {
        return populate_densely(world, what, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        position at;
        if (!cave_random_empty(&game->map, world, &at)) {
            wn_fail(world, "%s number %u of %u finds no empty cell: ask for fewer creatures or a larger cave",
                    game->kinds[what].name, i + 1, count);
            return false;
        }
        if (!spawn(world, what, at)) {
            return false;
        }
    }
    return true;
}

enum { DRAWINGS = 16 };

/* A small cave that is smoothed much may be all rock, one in a hundred of 16 by 16 cells after ten passes: it is drawn
 * again. So is one with too little floor for its creatures. */
static bool draw_cave(wn_world *world, uint64_t creatures)
{
    cave *map = &caves_of(world)->map;
    for (int i = 0; i < DRAWINGS && (map->floors == 0 || map->floors < creatures); i++) {
        if (!cave_generate(map, world, setting(world, SETTING_SMOOTHING))) {
            wn_fail(world,
                    "making a cave of %u by %u cells needs more memory than a world may have: lower width or height",
                    map->width, map->height);
            return false;
        }
    }
    return true;
}

static bool create(wn_world *world)
{
    caves *game = caves_new(world);
    if (game == NULL) {
        return false;
    }
    const uint64_t creatures = (uint64_t)setting(world, SETTING_LICHENS) + setting(world, SETTING_BUNNIES) +
                               setting(world, SETTING_SILVERFISH);
    if (!draw_cave(world, creatures)) {
        return false;
    }
    vision_survey(game);
    if (game->map.floors == 0) {
        wn_fail(world, "each of %d caves drawn is all rock: ask for less smoothing or a larger cave", DRAWINGS);
        return false;
    }
    if (creatures > game->map.floors) { /* told at once: looking for cells for most of them could take long */
        wn_fail(world,
                "%llu creatures find no empty cell each: the last of %d caves drawn has %u of floor; ask for fewer "
                "creatures or a larger cave",
                (unsigned long long)creatures, DRAWINGS, game->map.floors);
        return false;
    }
    wn_place(world, WN_SPECTATORS, (int32_t)game->map.width / 2, (int32_t)game->map.height / 2);
    return populate(world, KIND_LICHEN, setting(world, SETTING_LICHENS)) &&
           populate(world, KIND_BUNNY, setting(world, SETTING_BUNNIES)) &&
           populate(world, KIND_SILVERFISH, setting(world, SETTING_SILVERFISH));
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "caves",
        .title = "Caves",
        .summary = "Lichens spread through a cave: clear it before they cover the floor",
        .version = "0.1.0",
        .authors = "The Warren authors, after Steve Losh's \"The Caves of Clojure\"",
        .licence = "MIT",
        .max_seats = WN_MAX_SEATS,
        .tiles = caves_tiles,
        .tile_count = TILE_COUNT,
        .actions = caves_actions,
        .action_count = CAVES_ACTION_COUNT,
        .settings = caves_settings,
        .setting_count = SETTING_COUNT,
        .status = caves_status,
        .status_count = STATUS_COUNT,
        .columns = caves_columns,
        .column_count = CAVES_COLUMN_COUNT,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = caves_take_turn,
        .draw = caves_draw,
        .save = caves_save,
        .load = caves_load,
    };
    return &descriptor;
}
