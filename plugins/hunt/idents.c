/* idents.c: whom a world remembers: entries, kills, the statistics of the original. A name that ends in "/3" is of
 * team 3.
 */
#include <string.h>

#include "hunt.h"

/* What a player is called, to 20 characters, and the team. */
static void parse_name(const char *player, struct ident *who)
{
    size_t size = strlen(player);
    who->team = ' ';
    if (size > 2 && player[size - 2] == '/' && player[size - 1] >= '0' && player[size - 1] <= '9') {
        who->team = (uint8_t)player[size - 1];
        size -= 2;
    }
    size_t kept = 0, characters = 0;
    for (; kept < size && kept < NAME_BYTES; kept++) {
        const bool begins = ((unsigned char)player[kept] & 0xc0) != 0x80;
        if (begins && characters++ == NAME_CHARACTERS) {
            break;
        }
        who->name[kept] = player[kept];
    }
    who->name[kept] = '\0';
}

static bool is_needed(const hunt *game, uint32_t index)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->players[i].state != SEAT_FREE && game->players[i].ident == index) {
            return true;
        }
    }
    for (uint32_t i = 0; i < game->shot_total; i++) {
        if (game->shots[i].credit == index) {
            return true;
        }
    }
    return false;
}

/* The one that nobody needs and that entered longest ago. */
static uint32_t oldest(const hunt *game)
{
    uint32_t found = NO_IDENT;
    for (uint32_t i = 0; i < game->ident_count; i++) {
        if (!is_needed(game, i) && (found == NO_IDENT || game->idents[i].used < game->idents[found].used)) {
            found = i;
        }
    }
    return found;
}

static uint32_t room(wn_world *world)
{
    hunt *game = hunt_of(world);
    if (game->ident_count == IDENT_LIMIT) {
        return oldest(game);
    }
    if (game->ident_count == game->ident_capacity) {
        const uint32_t capacity = game->ident_capacity > 0 ? game->ident_capacity * 2 : 16;
        struct ident *grown = wn_resize(world, game->idents, capacity * sizeof *grown);
        if (grown == NULL) {
            return oldest(game);
        }
        game->idents = grown;
        game->ident_capacity = capacity;
    }
    return game->ident_count++;
}

uint32_t idents_find(wn_world *world, const char *player)
{
    hunt *game = hunt_of(world);
    struct ident wanted = {0};
    parse_name(player, &wanted);
    for (uint32_t i = 0; i < game->ident_count; i++) {
        if (strcmp(game->idents[i].name, wanted.name) == 0 && game->idents[i].team == wanted.team) {
            return i;
        }
    }
    const uint32_t index = room(world);
    if (index != NO_IDENT) {
        game->idents[index] = wanted;
    }
    return index;
}

/* From the scoredecay-th entry on the kills decay and the entries stand. */
void idents_enter(hunt *game, uint32_t index)
{
    struct ident *who = &game->idents[index];
    const uint32_t decay = (uint32_t)game->set[SETTING_SCOREDECAY];
    if (who->entries < decay) {
        who->entries++;
    } else {
        who->kills = who->kills * (int64_t)(decay - 1) / (int64_t)decay;
    }
    who->used = ++game->entries;
}

void idents_count(hunt *game, uint32_t index, stat what, uint32_t amount)
{
    if (index != NO_IDENT) {
        game->idents[index].stats[what] += amount;
        game->idents[index].unrecorded[what] += amount;
    }
}

int64_t idents_score(const struct ident *who)
{
    if (who->entries == 0) {
        return 0;
    }
    const int64_t part = (int64_t)who->entries * (KILL / 100);
    return (who->kills + (who->kills < 0 ? -part : part) / 2) / part;
}

void idents_record(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct ident *who = &game->idents[game->players[seat].ident];
    char detail[64];
    snprintf(detail, sizeof detail, "entries %u, team %c", who->entries, who->team);
    wn_record_score(world, seat, hunt_tables[0].name, idents_score(who), detail);
    for (uint32_t i = 0; i < STATS; i++) {
        if (who->unrecorded[i] > 0) {
            wn_record_score(world, seat, hunt_tables[1 + i].name, who->unrecorded[i], "");
            who->unrecorded[i] = 0;
        }
    }
}
