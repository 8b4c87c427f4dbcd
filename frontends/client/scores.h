/* scores.h: scores as the server lists them (ScoreList): in order, and as text. */
#ifndef WARREN_CLIENT_SCORES_H
#define WARREN_CLIENT_SCORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"

/* Is each value of a table that came with it? If not, nothing else here may be asked. */
bool wn_scores_whole(const Warren__ScoreList *scores);
/* The players anew: by that table, the best first; those without a score in it last, by name. */
void wn_scores_order(Warren__ScoreList *scores, uint32_t table);
/* The table's title, or its name. */
const char *wn_score_title(const Warren__ScoreTable *table);
/* What the player has in the table, or NULL. */
const Warren__ScoreValue *wn_score_of(const Warren__PlayerScores *player, uint32_t table);
/* "150", "-1.50". */
void wn_score_text(const Warren__ScoreTable *table, int64_t value, char *text, size_t size);

#endif
