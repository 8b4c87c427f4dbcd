/* scores.c: scores as the server lists them. See scores.h.
 */
#include "scores.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wn_scores_whole(const Warren__ScoreList *scores)
{
    for (size_t i = 0; i < scores->n_players; i++) {
        for (size_t j = 0; j < scores->players[i]->n_values; j++) {
            if (scores->players[i]->values[j]->table >= scores->n_tables) {
                return false;
            }
        }
    }
    return true;
}

typedef struct order {
    uint32_t table;
    bool low; /* the lowest is the best */
} order;

static int compare(const void *left, const void *right, void *context)
{
    const order *by = context;
    const Warren__PlayerScores *one = *(Warren__PlayerScores *const *)left;
    const Warren__PlayerScores *other = *(Warren__PlayerScores *const *)right;
    const Warren__ScoreValue *first = wn_score_of(one, by->table), *second = wn_score_of(other, by->table);
    if (first == NULL || second == NULL || first->value == second->value) {
        const int missing = (first == NULL) - (second == NULL);
        return missing != 0 ? missing : strcmp(one->player, other->player);
    }
    return (first->value < second->value) == by->low ? -1 : 1;
}

void wn_scores_order(Warren__ScoreList *scores, uint32_t table)
{
    if (table >= scores->n_tables || scores->n_players == 0) {
        return;
    }
    order by = {table, scores->tables[table]->kind == WARREN__SCORE_KIND__SCORE_LOWEST};
    qsort_r(scores->players, scores->n_players, sizeof *scores->players, compare, &by);
}

const char *wn_score_title(const Warren__ScoreTable *table)
{
    return table->title != NULL && table->title[0] != '\0' ? table->title : table->name;
}

const Warren__ScoreValue *wn_score_of(const Warren__PlayerScores *player, uint32_t table)
{
    for (size_t i = 0; i < player->n_values; i++) {
        if (player->values[i]->table == table) {
            return player->values[i];
        }
    }
    return NULL;
}

void wn_score_text(const Warren__ScoreTable *table, int64_t value, char *text, size_t size)
{
    const uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : "";
    uint64_t unit = 1;
    for (uint32_t i = 0; i < table->decimals; i++) {
        unit *= 10;
    }
    if (table->decimals == 0) {
        snprintf(text, size, "%s%" PRIu64, sign, magnitude);
    } else {
        snprintf(text, size, "%s%" PRIu64 ".%0*" PRIu64, sign, magnitude / unit, (int)table->decimals,
                 magnitude % unit);
    }
}
