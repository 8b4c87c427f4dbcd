/* requests-scores.c: scores, added up as the mode's tables say.
 */
#include "requests/request.h"

#include "memory.h"
#include "modes/modes.h"
#include "worlds/directory.h"

enum { MOST_PLAYERS = 1000, MOST_TABLES = 256 };

/* What a player has in one table so far. */
typedef struct tally {
    bool any;
    int64_t value, worlds; /* worlds: whose ratings were added up */
    uint32_t count;
    char *detail;
} tally;

typedef struct player_tallies {
    char *name;
    tally *tallies; /* by table, as far as there are any */
    size_t capacity;
} player_tallies;

typedef struct score_sheet {
    const Warren__Mode *mode;
    char *tables[MOST_TABLES];
    size_t table_count;
    zhashx_t *by_name; /* index into `players`, plus 1 */
    player_tallies *players;
    size_t player_count, player_capacity;
} score_sheet;

/* The mode's description of a table, by its name or by what it begins with. NULL: there is none. */
static const Warren__ScoreTable *describe(const Warren__Mode *mode, const char *table)
{
    for (size_t i = 0; i < mode->n_tables; i++) {
        const char *name = mode->tables[i]->name;
        const size_t length = strlen(name);
        const bool prefix = length > 0 && name[length - 1] == '*';
        if (prefix ? strncmp(name, table, length - 1) == 0 : strcmp(name, table) == 0) {
            return mode->tables[i];
        }
    }
    return NULL;
}

static size_t find_table(score_sheet *sheet, const char *name)
{
    size_t i = 0;
    while (i < sheet->table_count && strcmp(sheet->tables[i], name) != 0) {
        i++;
    }
    if (i == sheet->table_count && i < MOST_TABLES) {
        sheet->tables[sheet->table_count++] = wn_must_copy(name);
    }
    return i;
}

static player_tallies *find_player(score_sheet *sheet, const char *name)
{
    const uintptr_t known = (uintptr_t)zhashx_lookup(sheet->by_name, name);
    if (known > 0) {
        return &sheet->players[known - 1];
    }
    if (sheet->player_count == MOST_PLAYERS) {
        return NULL;
    }
    WN_GROW(sheet->players, sheet->player_count, sheet->player_capacity);
    player_tallies *player = &sheet->players[sheet->player_count++];
    *player = (player_tallies){.name = wn_must_copy(name)};
    zhashx_insert(sheet->by_name, name, (void *)(uintptr_t)sheet->player_count);
    return player;
}

static tally *find_tally(player_tallies *player, size_t table)
{
    while (table >= player->capacity) {
        const size_t before = player->capacity;
        WN_GROW(player->tallies, before, player->capacity);
        memset(&player->tallies[before], 0, (player->capacity - before) * sizeof *player->tallies);
    }
    return &player->tallies[table];
}

static int64_t add_saturated(int64_t left, int64_t right)
{
    int64_t sum;
    if (!__builtin_add_overflow(left, right, &sum)) {
        return sum;
    }
    return right > 0 ? INT64_MAX : INT64_MIN;
}

static void set(tally *kept, int64_t value, const char *detail)
{
    kept->value = value;
    free(kept->detail);
    kept->detail = wn_must_copy(detail);
}

/* The part of one world, or of those that were closed. */
static void add(tally *kept, Warren__ScoreKind kind, const wn_stored_score *score)
{
    const bool first = !kept->any;
    kept->any = true;
    kept->count += score->count;
    switch (kind) {
    case WARREN__SCORE_KIND__SCORE_LOWEST:
        if (first || score->lowest < kept->value) {
            set(kept, score->lowest, score->lowest_detail);
        }
        break;
    case WARREN__SCORE_KIND__SCORE_SUM:
        kept->value = add_saturated(kept->value, score->total);
        break;
    case WARREN__SCORE_KIND__SCORE_RATING:
        set(kept, add_saturated(kept->value, score->ratings), score->newest_detail);
        kept->worlds += score->worlds;
        break;
    default:
        if (first || score->highest > kept->value) {
            set(kept, score->highest, score->highest_detail);
        }
        break;
    }
}

static bool take(void *context, const wn_stored_score *score)
{
    score_sheet *sheet = context;
    const Warren__ScoreTable *table = describe(sheet->mode, score->table);
    const size_t at = find_table(sheet, score->table);
    player_tallies *player = at < MOST_TABLES ? find_player(sheet, score->player) : NULL;
    if (player != NULL) {
        add(find_tally(player, at), table != NULL ? table->kind : WARREN__SCORE_KIND__SCORE_HIGHEST, score);
    }
    return true;
}

/* answering */

/* Where the mode's table lists it; those that it does not list come behind, by name. */
static size_t rank(const Warren__Mode *mode, const char *table)
{
    const Warren__ScoreTable *described = describe(mode, table);
    size_t i = 0;
    while (i < mode->n_tables && mode->tables[i] != described) {
        i++;
    }
    return i;
}

/* Indices of the sheet's tables, in the order of the answer. */
static void order_tables(const score_sheet *sheet, size_t order[MOST_TABLES])
{
    for (size_t i = 0; i < sheet->table_count; i++) {
        size_t at = i;
        const size_t mine = rank(sheet->mode, sheet->tables[i]);
        for (; at > 0; at--) {
            const size_t before = rank(sheet->mode, sheet->tables[order[at - 1]]);
            if (before < mine || (before == mine && strcmp(sheet->tables[order[at - 1]], sheet->tables[i]) <= 0)) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static Warren__ScoreTable *answer_table(const score_sheet *sheet, size_t at, wn_arena *arena)
{
    Warren__ScoreTable *table = wn_must(wn_arena_take(arena, sizeof *table));
    const Warren__ScoreTable *described = describe(sheet->mode, sheet->tables[at]);
    warren__score_table__init(table);
    if (described != NULL) {
        *table = *described;
        const bool prefix = described->name[strlen(described->name) - 1] == '*';
        table->title = prefix ? sheet->tables[at] : described->title;
    }
    table->name = sheet->tables[at];
    return table;
}

static Warren__PlayerScores *answer_player(const score_sheet *sheet, const player_tallies *player,
                                           const size_t order[MOST_TABLES], wn_arena *arena)
{
    Warren__PlayerScores *scores = wn_must(wn_arena_take(arena, sizeof *scores));
    warren__player_scores__init(scores);
    scores->player = player->name;
    scores->values = wn_must(wn_arena_take(arena, (sheet->table_count + 1) * sizeof(Warren__ScoreValue *)));
    for (size_t i = 0; i < sheet->table_count; i++) {
        const tally *kept = order[i] < player->capacity ? &player->tallies[order[i]] : NULL;
        if (kept == NULL || !kept->any) {
            continue;
        }
        Warren__ScoreValue *value = wn_must(wn_arena_take(arena, sizeof *value));
        warren__score_value__init(value);
        value->table = (uint32_t)i;
        value->value = kept->worlds > 1 ? kept->value / kept->worlds : kept->value;
        value->detail = kept->detail != NULL && kept->detail[0] != '\0' ? kept->detail : NULL;
        value->has_count = true;
        value->count = kept->count;
        scores->values[scores->n_values++] = value;
    }
    return scores;
}

static void answer(wn_context *at, const score_sheet *sheet)
{
    Warren__ScoreList list = WARREN__SCORE_LIST__INIT;
    Warren__Reply reply = WARREN__REPLY__INIT;
    size_t order[MOST_TABLES];
    wn_arena *arena = wn_must(wn_arena_new(WN_ARENA_REPLY));
    order_tables(sheet, order);
    list.tables = wn_must(wn_arena_take(arena, (sheet->table_count + 1) * sizeof(Warren__ScoreTable *)));
    list.players = wn_must(wn_arena_take(arena, (sheet->player_count + 1) * sizeof(Warren__PlayerScores *)));
    for (size_t i = 0; i < sheet->table_count; i++) {
        list.tables[list.n_tables++] = answer_table(sheet, order[i], arena);
    }
    for (size_t i = 0; i < sheet->player_count; i++) {
        list.players[list.n_players++] = answer_player(sheet, &sheet->players[i], order, arena);
    }
    reply.body_case = WARREN__REPLY__BODY_SCORES;
    reply.scores = &list;
    wn_request_cut(&reply, &list.n_players);
    wn_request_reply(at, &reply);
    wn_arena_free(arena);
}

static void free_sheet(score_sheet *sheet)
{
    for (size_t i = 0; i < sheet->player_count; i++) {
        for (size_t j = 0; j < sheet->players[i].capacity; j++) {
            free(sheet->players[i].tallies[j].detail);
        }
        free(sheet->players[i].tallies);
        free(sheet->players[i].name);
    }
    for (size_t i = 0; i < sheet->table_count; i++) {
        free(sheet->tables[i]);
    }
    free(sheet->players);
    zhashx_destroy(&sheet->by_name);
}

bool wn_request_list_scores(wn_context *at)
{
    const Warren__ListScores *asked = at->request->list_scores;
    const wn_installed_mode *mode = wn_modes_lookup(at->daemon, asked->mode);
    if (mode == NULL || mode->descriptor == NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "mode", 0,
                            "there is no mode named %s; \"warrenctl modes\" lists those there are", asked->mode);
    }
    const wn_game *game = asked->world != NULL ? wn_request_game(at, asked->world) : NULL;
    if (asked->world != NULL && game == NULL) {
        return false;
    }
    if (game != NULL && game->mode != mode) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "%s is no world of mode %s",
                            game->name, asked->mode);
    }
    score_sheet sheet = {.mode = mode->descriptor, .by_name = zhashx_new()};
    const bool good = wn_store_list_scores(at->daemon->store, mode->name, game != NULL ? game->id : 0, asked->player,
                                           take, &sheet, &at->error);
    if (good) {
        answer(at, &sheet);
    }
    free_sheet(&sheet);
    return good;
}
