/* store-scores.c: scores as rows, and how many of them a mode has at most. What a mode records is its own affair, and
 * so may be under how many names one player comes: neither is to fill the disk.
 *
 * How many rows there are is not counted each time. `rows` is never less than that: closing a world makes fewer of
 * them, which is noticed when there seem to be too many.
 */
#include "store/store-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "log.h"

enum {
    GIVEN_UP_OF = 16,    /* at once, one row of so many */
    GIVEN_UP = 20000,    /* at once, at most: tried with a million rows, 900 ms. The limit may have been lowered */
    KEEP_S = 90 * 86400, /* of a player whose name is owned, since it was added to */
    LOOK_S = 60,         /* at least, between two searches for rows to give up, if the first found too few; else 1 */
    FULL_S = 3600        /* between two lines in the log about that */
};

typedef struct score_count {
    char mode[WN_NAME_BYTES + 1];
    uint64_t rows; /* at most; UINT64_MAX: not known */
    int64_t look;  /* not before */
} score_count;

static score_count *count_of(wn_store *store, const char *mode)
{
    score_count *counts = (score_count *)(void *)store->score_counts.data;
    const size_t count = store->score_counts.size / sizeof *counts;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counts[i].mode, mode) == 0) {
            return &counts[i];
        }
    }
    score_count added = {.rows = UINT64_MAX, .look = 0};
    snprintf(added.mode, sizeof added.mode, "%s", mode);
    wn_buffer_append(&store->score_counts, &added, sizeof added);
    return (score_count *)(void *)store->score_counts.data + count;
}

void wn_scores_undone(wn_store *store)
{
    score_count *counts = (score_count *)(void *)store->score_counts.data;
    for (size_t i = 0; i < store->score_counts.size / sizeof *counts; i++) {
        counts[i].rows = UINT64_MAX;
    }
}

static bool count_rows(wn_store *store, score_count *of)
{
    sqlite3_stmt *query = wn_sql_bind_text(store, WN_SQL_COUNT_SCORES, 1, of->mode);
    const bool good = sqlite3_step(query) == SQLITE_ROW;
    of->rows = good ? (uint64_t)sqlite3_column_int64(query, 0) : UINT64_MAX;
    sqlite3_reset(query);
    return good;
}

static void tell_full(const wn_store *store, const score_count *of)
{
    static wn_log_pace full;
    if (of->rows >= store->most_scores && wn_log_again(&full, FULL_S)) {
        wn_log_line(WN_LEVEL_WARNING, "store",
                    "mode %s has %" PRIu64 " scores, as many as may be kept (limits.scores), and all are of players "
                    "whose name is theirs, and new: those that others get are not kept",
                    of->mode, of->rows);
    }
}

static bool give_up_some(wn_store *store, score_count *of, int64_t now)
{
    const uint64_t most = store->most_scores, wanted = of->rows - most + most / GIVEN_UP_OF + 1;
    const uint64_t asked = wanted < GIVEN_UP ? wanted : GIVEN_UP;
    wn_sql_bind_text(store, WN_SQL_GIVE_UP_SCORES, 1, of->mode);
    wn_sql_bind_number(store, WN_SQL_GIVE_UP_SCORES, 2, now - KEEP_S);
    wn_sql_bind_number(store, WN_SQL_GIVE_UP_SCORES, 3, (int64_t)asked);
    if (!wn_sql_run(store, WN_SQL_GIVE_UP_SCORES)) {
        return false;
    }
    const uint64_t gone = (uint64_t)sqlite3_changes(store->database);
    of->rows -= gone;
    of->look = now + (gone < asked ? LOOK_S : 1);
    if (gone < asked) {
        tell_full(store, of);
    }
    return true;
}

/* false: something is wrong with the file. */
static bool make_room(wn_store *store, score_count *of, int64_t now)
{
    const bool too_early = now < of->look && of->look - now <= LOOK_S; /* else the clock was put back */
    if (of->rows < store->most_scores || (of->rows != UINT64_MAX && too_early)) {
        return true;
    }
    return count_rows(store, of) && (of->rows < store->most_scores || give_up_some(store, of, now));
}

static void bind(wn_store *store, wn_statement which, const wn_new_score *score)
{
    wn_sql_bind_text(store, which, 1, score->mode);
    wn_sql_bind_text(store, which, 2, score->table);
    wn_sql_bind_text(store, which, 3, score->player);
    wn_sql_bind_number(store, which, 4, score->world);
    wn_sql_bind_number(store, which, 5, score->value);
    wn_sql_bind_text(store, which, 6, score->detail);
    wn_sql_bind_number(store, which, 7, score->when);
}

bool wn_scores_write(wn_store *store, const wn_new_score *score)
{
    bind(store, WN_SQL_ADD_TO_SCORE, score);
    if (!wn_sql_run(store, WN_SQL_ADD_TO_SCORE)) {
        return false;
    }
    if (sqlite3_changes(store->database) > 0) {
        return true;
    }
    score_count *of = count_of(store, score->mode);
    if (store->most_scores > 0 && !make_room(store, of, score->when)) {
        return false;
    }
    if (store->most_scores > 0 && of->rows >= store->most_scores) {
        return true; /* it is not kept */
    }
    bind(store, WN_SQL_PUT_SCORE, score);
    of->rows += of->rows != UINT64_MAX ? 1 : 0;
    return wn_sql_run(store, WN_SQL_PUT_SCORE);
}

/* reading */

bool wn_store_list_scores(wn_store *store, const char *mode, uint32_t world, const char *player,
                          bool (*each)(void *context, const wn_stored_score *score), void *context, wn_error *error)
{
    wn_sql_bind_text(store, WN_SQL_LIST_SCORES, 1, mode);
    wn_sql_bind_number(store, WN_SQL_LIST_SCORES, 2, world);
    wn_sql_bind_number(store, WN_SQL_LIST_SCORES, 4, WN_STORE_SCORES);
    sqlite3_stmt *query = wn_sql_bind_text(store, WN_SQL_LIST_SCORES, 3, player);
    int result;
    bool more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const wn_stored_score score = {
            .table = wn_sql_column_text(query, 0),
            .player = wn_sql_column_text(query, 1),
            .highest = sqlite3_column_int64(query, 2),
            .highest_detail = wn_sql_column_text(query, 3),
            .lowest = sqlite3_column_int64(query, 4),
            .lowest_detail = wn_sql_column_text(query, 5),
            .newest = sqlite3_column_int64(query, 6),
            .newest_detail = wn_sql_column_text(query, 7),
            .total = sqlite3_column_int64(query, 8),
            .count = (uint32_t)sqlite3_column_int64(query, 9),
            .worlds = (uint32_t)sqlite3_column_int64(query, 10),
            .ratings = sqlite3_column_int64(query, 11),
        };
        more = each(context, &score);
    }
    const bool good = !more || result == SQLITE_DONE || wn_sql_fail(store, "read", error);
    sqlite3_reset(query);
    return good;
}
