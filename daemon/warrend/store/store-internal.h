/* store-internal.h: what the files store-*.c share: the open database, its statements, where each world's journal
 * stands. Nobody else includes it.
 */
#ifndef WARREN_STORE_INTERNAL_H
#define WARREN_STORE_INTERNAL_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdio.h>

typedef enum wn_statement {
    WN_SQL_BEGIN,
    WN_SQL_COMMIT,
    WN_SQL_ROLLBACK,
    WN_SQL_LIST_WORLDS,
    WN_SQL_LIST_SETTINGS,
    WN_SQL_INSERT_WORLD,
    WN_SQL_INSERT_SETTING,
    WN_SQL_CHANGE_SETTING,
    WN_SQL_ADD_SETTING,
    WN_SQL_SET_OUTCOME,
    WN_SQL_SET_BUILD,
    WN_SQL_DELETE_WORLD,
    WN_SQL_DELETE_SETTINGS,
    WN_SQL_DELETE_CHUNKS,
    WN_SQL_DELETE_SNAPSHOT,
    WN_SQL_PUT_SNAPSHOT,
    WN_SQL_GET_SNAPSHOT,
    WN_SQL_LIST_PLACES,
    WN_SQL_LIST_BATCHES,
    WN_SQL_PUT_BATCH,
    WN_SQL_DELETE_BATCHES,
    WN_SQL_SETTLE,
    WN_SQL_PUT_CHUNK,
    WN_SQL_DELETE_CHUNK,
    WN_SQL_READ_CHUNKS,
    WN_SQL_FIND_CHUNK,
    WN_SQL_TRIM_CHUNKS,
    WN_SQL_FORGET_CHUNKS,
    WN_SQL_FIRST_TURN,
    WN_SQL_PUT_SESSION,
    WN_SQL_DELETE_SESSION,
    WN_SQL_LIST_SESSIONS,
    WN_SQL_ADD_TO_SCORE,
    WN_SQL_PUT_SCORE,
    WN_SQL_COUNT_SCORES,
    WN_SQL_GIVE_UP_SCORES,
    WN_SQL_LIST_SCORES,
    WN_SQL_FOLD_SCORES,
    WN_SQL_DELETE_FOLDED,
    WN_SQL_FOLD_CLOSED,
    WN_SQL_DELETE_CLOSED,
    WN_SQL_PUT_CLAIM,
    WN_SQL_DELETE_CLAIM,
    WN_SQL_LIST_CLAIMS,
    WN_SQL_PUT_RULE,
    WN_SQL_DELETE_RULE,
    WN_SQL_DELETE_OLD_RULES,
    WN_SQL_DELETE_RULES_OF_WORLD,
    WN_SQL_LIST_RULES,
    WN_STATEMENT_COUNT
} wn_statement;

/* Where a world's journal stands. Its young entries are those that only batches hold, see store-journal.c. */
typedef struct wn_place {
    uint32_t id;
    uint64_t turn, snapshot;          /* of the last entry, of the snapshot */
    wn_buffer young;                  /* records, as they will stand in a chunk */
    uint64_t first;                   /* turn of the first young entry */
    int64_t settled;                  /* batches up to this one do not count for it */
    int64_t batch;                    /* that brought the first of them */
    uint64_t written;                 /* wn_store.written before that one */
    bool settling;                    /* by the transaction under way they cease to be young */
    struct wn_place *older, *younger; /* of those with young entries, by batch */
} wn_place;

struct wn_store {
    char *directory, *path;
    int lock_fd;
    bool keep_history;
    bool ours;    /* the file says that it is a store */
    bool damaged; /* something in it cannot be right */
    sqlite3 *database;
    sqlite3_stmt *statements[WN_STATEMENT_COUNT];
    int log_fd, log_begun;    /* see store-checkpoint.c */
    struct wn_backup *backup; /* the one under way */

    wn_place **places; /* of every world, by id */
    size_t place_count, place_capacity;
    wn_place *oldest, *youngest;
    wn_buffer settling;              /* of wn_place *: by the transaction under way */
    int64_t first_batch, next_batch; /* first: no lower one is in the file */
    int64_t first_after;             /* first_batch, if the transaction under way succeeds */
    uint64_t written;                /* bytes of all batches so far */

    wn_buffer batch; /* the entries gathered since the last commit, as they will stand in the file */
    size_t entry_count;
    wn_buffer sessions, scores, claims, texts;            /* gathered, see store-commit.c */
    uint32_t most_scores;                                 /* of a mode; 0: no limit */
    wn_buffer score_counts;                               /* see store-scores.c */
    wn_buffer snapshot, setting_texts, settings, watches; /* handed out by the last call */
};

/* store-sql.c: the schema, the statements, the sentences for what SQLite says. Texts and bytes that are bound are not
 * copied: they have to live until the statement has run. */
extern const char wn_sql_schema[], wn_sql_upgrade_before[], wn_sql_upgrade_after[], wn_sql_upgrade_2[],
    wn_sql_upgrade_3[], wn_sql_upgrade_4[];
bool wn_sql_prepare(wn_store *store, wn_error *error);
void wn_sql_finalize(wn_store *store);
sqlite3_stmt *wn_sql_bind_number(wn_store *store, wn_statement which, int index, int64_t number);
sqlite3_stmt *wn_sql_bind_text(wn_store *store, wn_statement which, int index, const char *text); /* NULL stays NULL */
sqlite3_stmt *wn_sql_bind_bytes(wn_store *store, wn_statement which, int index, const void *bytes, size_t size);
/* Runs a bound statement that returns no rows, and makes it ready for the next time. */
bool wn_sql_run(wn_store *store, wn_statement which);
bool wn_sql_run_on_world(wn_store *store, wn_statement which, uint32_t world);
bool wn_sql_execute(wn_store *store, const char *sql, const char *what, wn_error *error);
bool wn_sql_ask(wn_store *store, const char *question, int64_t *answer, wn_error *error);
const char *wn_sql_column_text(sqlite3_stmt *query, int column);
/* A transaction. End makes it durable if `good`, else undoes it; `error` has to be filled in before. */
bool wn_sql_begin(wn_store *store, wn_error *error);
bool wn_sql_end(wn_store *store, bool good, const char *what, wn_error *error);

/* "cannot WHAT DIR/warren.db: disk is full: free some space there" */
bool wn_sql_fail(wn_store *store, const char *what, wn_error *error);
bool wn_sql_fail_at(int result, int number, const char *reason, const char *what, const char *path, wn_error *error);
bool wn_store_fail_at(const char *what, const char *path, int number, const char *advice, wn_error *error);
bool wn_store_fail_damaged(wn_store *store, const char *found, wn_error *error);
bool wn_store_fail_memory(wn_error *error);

enum { WN_STORE_APPLICATION = 0x5752656e }; /* "WRen": file(1) and we can tell whose database it is */

/* store-worlds.c: scores of worlds that are gone, which came to the store after them, are those of no world. */
bool wn_store_fold_scores(wn_store *store, wn_error *error);

/* store-file.c: the directory, the lock, whose file it is, setting a damaged one aside. */
int wn_store_make_directory(const char *directory); /* 0, or an errno */
/* Is the directory, and all above it, ours or root's, so that nobody else can exchange what we write there by name? It
 * may be in one with the sticky bit, as /tmp, if that is not the service's own, which goes when it stops. `place`
 * (PATH_MAX) is its name without links. (store-place.c) */
bool wn_store_check_place(const wn_store *kept, const char *directory, char *place, wn_error *error);
bool wn_store_is_passing(FILE *mounts, const char *place); /* by /proc/self/mountinfo: does it go with the service? */
bool wn_store_lock(wn_store *store, wn_error *error);
void wn_store_unlock(wn_store *store);
bool wn_store_find_file(wn_store *store, char *set_aside, wn_error *error);
bool wn_store_set_aside(wn_store *store, char *set_aside, wn_error *error);
bool wn_store_sync_directory(const char *directory);

/* store-checkpoint.c */
void wn_checkpoint_open(wn_store *store);
void wn_checkpoint_close(wn_store *store);

/* store-upgrade.c */
enum { WN_STORE_VERSION = 5 };
bool wn_store_upgrade(wn_store *store, int64_t version, wn_error *error); /* from that one */

/* store-journal.c */
bool wn_journal_load(wn_store *store, wn_error *error);
void wn_journal_free(wn_store *store);
wn_place *wn_journal_place(const wn_store *store, uint32_t world); /* NULL: there is no such world */
bool wn_journal_add_world(wn_store *store, uint32_t world);
void wn_journal_remove_world(wn_store *store, uint32_t world);
/* Within a transaction: what was gathered; without the entries up to, or after, a turn. */
bool wn_journal_write(wn_store *store);
bool wn_journal_trim(wn_store *store, wn_place *place, uint64_t until);
bool wn_journal_forget(wn_store *store, wn_place *place, uint64_t after);
/* After it. `good`: it is in the file; `gathered`: and so is what was gathered. */
void wn_journal_ended(wn_store *store, bool good, bool gathered);
/* Without the gathered entries of a world after a turn. */
void wn_journal_drop_gathered(wn_store *store, uint32_t world, uint64_t after);

/* store-record.c: entries as bytes. */
typedef struct wn_record {
    uint64_t turn, hash;
    const uint8_t *bytes;
    size_t size;
} wn_record;
void wn_record_put(wn_buffer *buffer, const wn_record *record);
/* The one at *at, which moves behind it. false: what stands there is none. */
bool wn_record_next(const uint8_t **at, const uint8_t *end, wn_record *record);
bool wn_record_world(const uint8_t **at, const uint8_t *end, uint32_t *world); /* in batches, before each record */

/* store-scores.c: within a transaction, one that is gathered. It may be one too many. */
typedef struct wn_new_score {
    const char *mode, *table, *player, *detail;
    uint32_t world;
    int64_t value, when;
} wn_new_score;
bool wn_scores_write(wn_store *store, const wn_new_score *score);
void wn_scores_undone(wn_store *store); /* the transaction has failed */

/* store-commit.c */
bool wn_store_commit_gathered(wn_store *store, wn_error *error);

/* store-backup.c */
void wn_backup_abandon(struct wn_backup *backup);

#endif
