/* show-scores.c: prints scores: a row for each player and a column for each table while they fit side by side, else a
 * row for each score.
 */
#include "show.h"

#include <inttypes.h>

#include "json.h"
#include "scores.h"
#include "table.h"

static const char *kind_name(Warren__ScoreKind kind)
{
    static const char *const names[] = {[WARREN__SCORE_KIND__SCORE_HIGHEST] = "highest",
                                        [WARREN__SCORE_KIND__SCORE_LOWEST] = "lowest",
                                        [WARREN__SCORE_KIND__SCORE_SUM] = "sum",
                                        [WARREN__SCORE_KIND__SCORE_RATING] = "rating"};
    const size_t at = (size_t)kind;
    return at < sizeof names / sizeof *names ? names[at] : "highest";
}

static void add_value(wn_table *cells, const Warren__ScoreTable *table, const Warren__ScoreValue *value)
{
    char text[32] = "-";
    if (value != NULL) {
        wn_score_text(table, value->value, text, sizeof text);
    }
    wn_table_text(cells, text);
}

static void side_by_side(FILE *to, const Warren__ScoreList *scores)
{
    wn_table_column columns[WN_TABLE_COLUMNS] = {{"PLAYER", false}};
    wn_table cells;
    for (size_t i = 0; i < scores->n_tables; i++) {
        columns[i + 1] = (wn_table_column){wn_score_title(scores->tables[i]), true};
    }
    wn_table_start(&cells, columns, scores->n_tables + 1);
    for (size_t i = 0; i < scores->n_players; i++) {
        wn_table_text(&cells, scores->players[i]->player);
        for (uint32_t j = 0; j < scores->n_tables; j++) {
            add_value(&cells, scores->tables[j], wn_score_of(scores->players[i], j));
        }
    }
    wn_table_print(&cells, to, 0);
}

static void one_by_one(FILE *to, const Warren__ScoreList *scores)
{
    static const wn_table_column columns[] = {
        {"TABLE", false}, {"PLAYER", false}, {"SCORE", true}, {"TIMES", true}, {"", false}};
    wn_table cells;
    wn_table_start(&cells, columns, sizeof columns / sizeof *columns);
    for (uint32_t j = 0; j < scores->n_tables; j++) {
        for (size_t i = 0; i < scores->n_players; i++) {
            const Warren__ScoreValue *value = wn_score_of(scores->players[i], j);
            if (value == NULL) {
                continue;
            }
            wn_table_text(&cells, wn_score_title(scores->tables[j]));
            wn_table_text(&cells, scores->players[i]->player);
            add_value(&cells, scores->tables[j], value);
            wn_table_format(&cells, "%" PRIu32, value->count);
            wn_table_text(&cells, value->detail);
        }
    }
    wn_table_print(&cells, to, 0);
}

static void as_json(FILE *to, const Warren__ScoreList *scores)
{
    wn_json json;
    wn_json_start(&json, to);
    wn_json_object(&json, NULL);
    wn_json_array(&json, "tables");
    for (size_t i = 0; i < scores->n_tables; i++) {
        const Warren__ScoreTable *table = scores->tables[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "name", table->name);
        wn_json_string(&json, "title", wn_score_title(table));
        wn_json_string(&json, "kind", kind_name(table->kind));
        wn_json_uint(&json, "decimals", table->decimals);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    wn_json_array(&json, "players");
    for (size_t i = 0; i < scores->n_players; i++) {
        wn_json_object(&json, NULL);
        wn_json_string(&json, "player", scores->players[i]->player);
        wn_json_array(&json, "scores");
        for (size_t j = 0; j < scores->players[i]->n_values; j++) {
            const Warren__ScoreValue *value = scores->players[i]->values[j];
            wn_json_object(&json, NULL);
            wn_json_string(&json, "table", scores->tables[value->table]->name);
            wn_json_int(&json, "value", value->value);
            wn_json_uint(&json, "count", value->count);
            wn_json_string(&json, "detail", value->detail);
            wn_json_end(&json);
        }
        wn_json_end(&json);
        wn_json_end(&json);
    }
    wn_json_end(&json);
    wn_json_end(&json);
}

bool wn_show_scores(FILE *to, Warren__ScoreList *scores, bool json)
{
    if (!wn_scores_whole(scores)) {
        return false;
    }
    wn_scores_order(scores, 0);
    if (json) {
        as_json(to, scores);
    } else if (scores->n_tables == 0) {
        fputs("There are no scores yet.\n", to);
    } else if (scores->n_tables < WN_TABLE_COLUMNS) {
        side_by_side(to, scores);
    } else {
        one_by_one(to, scores);
    }
    return true;
}
