/* save.c: writes a world and reads it back, believing nothing that it reads. What settings determine, and what can be
 * found again (who stands where, what rests where, what a cell looks like), is not written.
 *
 * Format 1: u32 format, width, height, volcano; u64 entries; u8 terrain and item of each cell; u32 blasts, each u32
 * cell, u8 tile, turns left; u32 opened walls, each u32 cell, u8 tile; two boots; u32 identities; the seats that are
 * not free, each after its number, then u8 255; u32 shots.
 */
#include <string.h>

#include "hunt.h"

enum { SAVE_FORMAT = 1, END_OF_SEATS = 255 };
enum { MOST_CHARGES = 1000000000, SAVED_AS_SEEN = 0x80 };

static void save_cells(const wn_world *world, wn_writer *writer)
{
    const hunt *game = hunt_of(world);
    wn_write_bytes(writer, world, game->terrain, game->cells);
    wn_write_bytes(writer, world, game->item, game->cells);
    wn_write_u32(writer, world, game->blast_count);
    for (uint32_t i = 0; i < game->blast_count; i++) {
        const cell at = game->blasts[i];
        wn_write_u32(writer, world, at);
        wn_write_u8(writer, world, game->blast[at]);
        wn_write_u8(writer, world, game->blast_left[at]);
    }
    wn_write_u32(writer, world, game->opened_count);
    for (uint32_t i = 0; i < game->opened_count; i++) {
        wn_write_u32(writer, world, game->opened[i].at);
        wn_write_u8(writer, world, game->opened[i].tile);
    }
    for (uint32_t i = 0; i < BOOTS; i++) {
        const struct boot *boot = &game->boots[i];
        wn_write_u8(writer, world, boot->flying);
        wn_write_u8(writer, world, boot->left);
        wn_write_u8(writer, world, (uint8_t)boot->fly_x);
        wn_write_u8(writer, world, (uint8_t)boot->fly_y);
        wn_write_u32(writer, world, boot->at);
    }
}

static void save_ident(const wn_world *world, wn_writer *writer, const struct ident *who)
{
    wn_write_bytes(writer, world, who->name, NAME_BYTES);
    wn_write_u8(writer, world, who->team);
    wn_write_u32(writer, world, who->entries);
    wn_write_u64(writer, world, (uint64_t)who->kills);
    wn_write_u64(writer, world, who->used);
    for (uint32_t i = 0; i < STATS; i++) {
        wn_write_u32(writer, world, who->stats[i]);
        wn_write_u32(writer, world, who->unrecorded[i]);
    }
}

static void save_player(const wn_world *world, wn_writer *writer, const struct player *who)
{
    const hunt *game = hunt_of(world);
    const uint8_t small[] = {who->state,          who->facing,         who->boots, who->flying,
                             (uint8_t)who->fly_x, (uint8_t)who->fly_y, who->fresh, who->quits};
    const uint32_t large[] = {who->at,     who->ident,    who->ammo,  who->heat,
                              who->damage, who->capacity, who->cloak, who->scan};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        wn_write_u8(writer, world, small[i]);
    }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        wn_write_u32(writer, world, large[i]);
    }
    wn_write_bytes(writer, world, who->death, sizeof who->death);
    wn_write_u64(writer, world, who->sighted);
    for (uint32_t i = 0; i < game->cells; i++) { /* a tile, and whether it is seen now */
        wn_write_u8(writer, world, (uint8_t)(known_tile(who, (cell)i) | (is_seen(who, (cell)i) ? SAVED_AS_SEEN : 0)));
    }
}

static void save_shot(const wn_world *world, wn_writer *writer, const struct shot *shot)
{
    const uint8_t small[] = {shot->kind, shot->cause, shot->direction, shot->size, shot->owner, shot->exploding};
    wn_write_u32(writer, world, shot->charge);
    wn_write_u32(writer, world, shot->at);
    wn_write_u32(writer, world, shot->credit);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        wn_write_u8(writer, world, small[i]);
    }
}

void hunt_save(wn_world *world, wn_writer *writer)
{
    const hunt *game = hunt_of(world);
    wn_write_u32(writer, world, SAVE_FORMAT);
    wn_write_u32(writer, world, (uint32_t)game->width);
    wn_write_u32(writer, world, (uint32_t)game->height);
    wn_write_u32(writer, world, game->volcano);
    wn_write_u64(writer, world, game->entries);
    save_cells(world, writer);
    wn_write_u32(writer, world, game->ident_count);
    for (uint32_t i = 0; i < game->ident_count; i++) {
        save_ident(world, writer, &game->idents[i]);
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->players[i].state != SEAT_FREE) {
            wn_write_u8(writer, world, (uint8_t)i);
            save_player(world, writer, &game->players[i]);
        }
    }
    wn_write_u8(writer, world, END_OF_SEATS);
    wn_write_u32(writer, world, game->shot_total);
    for (uint32_t i = 0; i < game->shot_total; i++) {
        save_shot(world, writer, &game->shots[i]);
    }
}

/* load */

static bool damaged(wn_world *world, const char *what)
{
    wn_fail(world, "the saved maze is damaged: %s", what);
    return false;
}

static bool is_wall(uint8_t tile)
{
    return tile >= TILE_HORIZONTAL && tile <= TILE_DOOR;
}

static bool is_inside(const hunt *game, uint32_t at)
{
    return at < game->cells && !is_border(game, (cell)at);
}

static bool load_grids(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    wn_read_bytes(reader, world, game->terrain, game->cells);
    wn_read_bytes(reader, world, game->item, game->cells);
    uint32_t boots = 0;
    for (uint32_t at = 0; at < game->cells; at++) {
        const uint8_t terrain = game->terrain[at], item = game->item[at];
        if (!is_wall(terrain) && (terrain != TILE_FLOOR || is_border(game, (cell)at))) {
            return damaged(world, "a cell of no kind, or a border that is open");
        }
        if (item != 0 &&
            (item < TILE_SMALL_MINE || item > TILE_BOOTS || (terrain != TILE_FLOOR && terrain != TILE_DOOR))) {
            return damaged(world, "a thing of no kind, or one in a wall");
        }
        boots += item == TILE_BOOTS ? 2 : item == TILE_BOOT;
    }
    return boots <= BOOTS || damaged(world, "too many boots");
}

static bool load_blasts(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    const uint32_t count = wn_read_u32(reader, world);
    if (count > game->cells) {
        return damaged(world, "too many explosions");
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = wn_read_u32(reader, world);
        const uint8_t tile = wn_read_u8(reader, world), turns = wn_read_u8(reader, world);
        if (at >= game->cells || tile == 0 || tile >= TILE_TEXT || turns == 0 || game->blast_left[at] != 0) {
            return damaged(world, "an explosion");
        }
        game->blasts[game->blast_count++] = (cell)at;
        game->blast[at] = tile;
        game->blast_left[at] = turns;
    }
    return true;
}

static bool load_opened(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    const uint32_t count = wn_read_u32(reader, world);
    if (count > (uint32_t)game->set[SETTING_MAXREMOVE]) {
        return damaged(world, "more open walls than there may be");
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = wn_read_u32(reader, world);
        const uint8_t tile = wn_read_u8(reader, world);
        if (!is_inside(game, at) || !is_wall(tile) || game->terrain[at] != TILE_FLOOR) {
            return damaged(world, "an open wall");
        }
        game->opened[game->opened_count++] = (struct opened){(cell)at, tile};
    }
    return true;
}

static bool load_boots(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    for (uint32_t i = 0; i < BOOTS; i++) {
        struct boot *boot = &game->boots[i];
        const uint8_t flying = wn_read_u8(reader, world);
        boot->flying = flying != 0;
        boot->left = wn_read_u8(reader, world);
        boot->fly_x = (int8_t)wn_read_u8(reader, world);
        boot->fly_y = (int8_t)wn_read_u8(reader, world);
        const uint32_t at = wn_read_u32(reader, world);
        boot->at = (cell)at;
        if (flying > 1 || (boot->flying ? boot->left == 0 || !is_inside(game, at) : at != 0 || boot->left != 0)) {
            return damaged(world, "a boot");
        }
    }
    return true;
}

static bool load_idents(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    const uint32_t count = wn_read_u32(reader, world);
    if (count > IDENT_LIMIT || count > wn_read_left(reader, world)) {
        return damaged(world, "too many names");
    }
    game->ident_capacity = count > 16 ? count : 16;
    game->idents = wn_alloc(world, game->ident_capacity * sizeof *game->idents);
    if (game->idents == NULL) {
        wn_fail(world, "the saved maze's names need more memory than a world may have");
        return false;
    }
    for (; game->ident_count < count; game->ident_count++) {
        struct ident *who = &game->idents[game->ident_count];
        wn_read_bytes(reader, world, who->name, NAME_BYTES);
        who->team = wn_read_u8(reader, world);
        who->entries = wn_read_u32(reader, world);
        who->kills = (int64_t)wn_read_u64(reader, world);
        who->used = wn_read_u64(reader, world);
        for (uint32_t i = 0; i < STATS; i++) {
            who->stats[i] = wn_read_u32(reader, world);
            who->unrecorded[i] = wn_read_u32(reader, world);
        }
        const bool team = who->team == ' ' || (who->team >= '0' && who->team <= '9');
        const int64_t most = (int64_t)MOST_CHARGES * KILL;
        if (!team || who->entries > (uint32_t)game->set[SETTING_SCOREDECAY] || who->kills > most ||
            who->kills < -most) {
            return damaged(world, "a name's record");
        }
    }
    return true;
}

static void load_memory(wn_world *world, wn_reader *reader, struct player *who, bool *sound)
{
    const hunt *game = hunt_of(world);
    const int32_t side = game->width > game->height ? game->width : game->height;
    wn_read_bytes(reader, world, who->known, game->cells);
    who->mark = MARK;
    for (uint32_t at = 0; at < game->cells; at++) {
        const bool seen = (who->known[at] & SAVED_AS_SEEN) != 0 && who->sees_count < 12u * (uint32_t)side + 128;
        const uint8_t tile = (uint8_t)(who->known[at] & ~SAVED_AS_SEEN);
        *sound = *sound && tile < TILE_TEXT;
        who->known[at] = (tile & KNOWN_TILE) | (seen ? MARK : 0);
        if (seen) {
            who->sees[who->sees_count++] = (cell)at;
        }
    }
}

/* What a player of the rules can be like; NULL: it can. */
static const char *flaw_of(const hunt *game, const struct player *who, uint32_t at, uint32_t ident)
{
    if (who->state == SEAT_FREE || who->state >= SEAT_STATES || who->facing >= DIRECTIONS || who->boots > BOOTS) {
        return "a seat";
    }
    if (!is_inside(game, at) || ident >= game->ident_count) {
        return "where or who a player is";
    }
    if (who->state == SEAT_PLAYING && who->flying == 0 &&
        (game->player_at[at] != 0 || (game->terrain[at] != TILE_FLOOR && game->terrain[at] != TILE_DOOR))) {
        return "a player in a wall or in another player";
    }
    if (who->ammo > MOST_CHARGES || who->damage > MOST_CHARGES || who->capacity > MOST_CHARGES ||
        who->death[sizeof who->death - 1] != '\0') {
        return "what a player has";
    }
    return NULL;
}

static bool load_player(wn_world *world, wn_reader *reader, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (!hunt_equip(world, who)) {
        wn_fail(world, "the saved maze's players need more memory than a world may have");
        return false;
    }
    uint8_t *const small[] = {&who->state, &who->facing, &who->boots, &who->flying};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        *small[i] = wn_read_u8(reader, world);
    }
    who->fly_x = (int8_t)wn_read_u8(reader, world);
    who->fly_y = (int8_t)wn_read_u8(reader, world);
    who->fresh = wn_read_u8(reader, world) != 0;
    who->quits = wn_read_u8(reader, world) != 0;
    const uint32_t at = wn_read_u32(reader, world), ident = wn_read_u32(reader, world);
    uint32_t *const large[] = {&who->ammo, &who->heat, &who->damage, &who->capacity, &who->cloak, &who->scan};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        *large[i] = wn_read_u32(reader, world);
    }
    wn_read_bytes(reader, world, who->death, sizeof who->death);
    who->sighted = wn_read_u64(reader, world);
    bool sound = true;
    load_memory(world, reader, who, &sound);
    const char *flaw = sound ? flaw_of(game, who, at, ident) : "what a player remembers";
    if (flaw != NULL) {
        return damaged(world, flaw);
    }
    who->at = (cell)at;
    who->ident = (uint16_t)ident;
    if (who->state == SEAT_PLAYING) {
        game->playing |= seat_bit(seat);
        game->flyers |= who->flying > 0 ? seat_bit(seat) : 0;
        game->player_at[at] = who->flying > 0 ? game->player_at[at] : (uint8_t)(seat + 1);
    }
    return true;
}

static bool load_players(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_of(world);
    for (uint32_t next = 0;;) {
        const uint32_t seat = wn_read_u8(reader, world);
        if (seat == END_OF_SEATS) {
            return true;
        }
        if (seat >= WN_MAX_SEATS || seat < next || !wn_read_ok(reader, world)) {
            return damaged(world, "a seat's number");
        }
        if (!load_player(world, reader, seat)) {
            return false;
        }
        next = seat + 1;
        if (game->players[seat].state == SEAT_PLAYING) {
            players_follow(world, seat);
        }
    }
}

static bool load_shot(wn_world *world, wn_reader *reader)
{
    const hunt *game = hunt_of(world);
    struct shot shot = {.charge = wn_read_u32(reader, world)};
    const uint32_t at = wn_read_u32(reader, world), credit = wn_read_u32(reader, world);
    uint8_t *const small[] = {&shot.kind, &shot.cause, &shot.direction, &shot.size, &shot.owner};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        *small[i] = wn_read_u8(reader, world);
    }
    shot.exploding = wn_read_u8(reader, world) != 0;
    const bool owned = shot.owner == NOBODY || (shot.owner < WN_MAX_SEATS && (game->playing >> shot.owner & 1) != 0);
    const bool credited = credit == NO_IDENT || credit < game->ident_count;
    if (!is_inside(game, at) || !owned || !credited || (shot.owner != NOBODY && credit == NO_IDENT) ||
        shot.kind >= SHOT_KINDS || shot.cause >= CAUSES || shot.direction >= DIRECTIONS || shot.size > BOMBS ||
        (shot.size == 0 && shot.kind <= SHOT_BOMB) || shot.charge == 0 || shot.charge > MOST_OOZE ||
        !wn_read_ok(reader, world)) {
        return damaged(world, "a shot");
    }
    shot.at = (cell)at;
    shot.credit = (uint16_t)credit;
    const uint32_t before = game->shot_total;
    shots_add(world, shot);
    return game->shot_total > before || damaged(world, "more shots than there may be");
}

bool hunt_load(wn_world *world, wn_reader *reader)
{
    hunt *game = hunt_new(world);
    if (game == NULL) {
        return false;
    }
    if (wn_read_u32(reader, world) != SAVE_FORMAT) {
        return damaged(world, "its format is another one");
    }
    if (wn_read_u32(reader, world) != (uint32_t)game->width || wn_read_u32(reader, world) != (uint32_t)game->height) {
        return damaged(world, "its size is not that of the settings");
    }
    game->volcano = wn_read_u32(reader, world);
    game->entries = wn_read_u64(reader, world);
    if (!load_grids(world, reader) || !load_blasts(world, reader) || !load_opened(world, reader) ||
        !load_boots(world, reader) || !load_idents(world, reader) || !load_players(world, reader)) {
        return false;
    }
    for (uint32_t at = 0; at < game->cells; at++) {
        maze_refresh(game, (cell)at);
    }
    const uint32_t shots = wn_read_u32(reader, world);
    for (uint32_t i = 0; i < shots; i++) {
        if (!load_shot(world, reader)) {
            return false;
        }
    }
    if (!wn_read_ok(reader, world)) {
        return damaged(world, "it ends too early");
    }
    changes_settle(&game->touched);
    return true;
}
