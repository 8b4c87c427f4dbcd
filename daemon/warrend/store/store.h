/* store.h: where worlds live when no process remembers them. One narrow interface, read in one screenful; behind it
 * one implementation on SQLite in WAL mode (store-*.c). SQL, paths and locking stay behind it.
 *
 * Appends are batched: append and put only gather, commit makes all of it durable at once and calls back. The caller
 * publishes a turn's updates from the callback, never before: an implementation may complete later than it was asked.
 */
#ifndef WARREN_STORE_H
#define WARREN_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

typedef struct wn_store wn_store;

typedef enum wn_durability {
    WN_DURABILITY_NORMAL, /* survives any crash of processes; power loss costs at most the last moments */
    WN_DURABILITY_FULL    /* synced before publishing */
} wn_durability;

typedef struct wn_stored_setting {
    const char *name, *value;
    const char *file; /* the name of the file that `value` is the content of; "" or NULL: of none */
} wn_stored_setting;

typedef struct wn_stored_world {
    uint32_t id; /* never used twice; wn_store_create_world() sets it */
    const char *name, *mode, *owner;
    uint64_t seed;
    int64_t created;                   /* seconds since 1970 */
    const char *outcome;               /* NULL: running */
    bool parked;                       /* outcome says why */
    const wn_stored_setting *settings; /* all of them, in the mode's order */
    size_t setting_count;
    uint64_t turn;     /* of the last journal entry or snapshot */
    const char *build; /* of the mode that made the journal's last entries; "" before the first */
} wn_stored_world;

typedef struct wn_store_options {
    const char *directory;
    wn_durability durability;
    bool keep_history; /* snapshots do not trim the journal */
    uint32_t scores;   /* rows of a mode: of a player in a table and a world. 0: no limit */
} wn_store_options;

/* Opens or makes the store; one of an older version is converted. NULL with a sentence: not writable, in use by another
 * daemon or program, not a store, of a newer version; then it was not touched. One that is damaged is set aside, with a
 * name that has the time in it, and a new one is begun; `set_aside` (may be NULL; PATH_MAX bytes) gets its new path, or
 * "", also when there was no room for the new one and NULL is returned. While it is open no other program gets at the
 * file: wn_backup makes copies.
 *
 * Damaged is: what says that it is a store, and has pages that SQLite finds to be wrong (files under 64 MiB are checked
 * as a whole, of larger ones the tables of worlds and of the newest entries), or newest entries that cannot be read.
 * What is found later, in an older part, is an error of the call that reads it. */
wn_store *wn_store_open(const wn_store_options *options, char *set_aside, wn_error *error);
/* Commits what was gathered, without calling back. */
void wn_store_close(wn_store *store);

/* Every world, in order of id. What `world` points to lives until `each` returns. `each` returns false to stop. */
bool wn_store_list_worlds(wn_store *store, bool (*each)(void *context, const wn_stored_world *world), void *context,
                          wn_error *error);
/* These are durable when they return. A new world's build may be NULL: "". */
bool wn_store_create_world(wn_store *store, wn_stored_world *world, wn_error *error);
bool wn_store_set_outcome(wn_store *store, uint32_t world, const char *outcome, bool parked, wn_error *error);
/* All of them or none; those that the world has not got are added to its settings. */
bool wn_store_change_settings(wn_store *store, uint32_t world, const wn_stored_setting *settings, size_t count,
                              wn_error *error);
bool wn_store_delete_world(wn_store *store, uint32_t world, wn_error *error);
bool wn_store_put_snapshot(wn_store *store, uint32_t world, uint64_t turn, const char *mode_version, const char *build,
                           const void *bytes, size_t size, wn_error *error); /* replaces the last, trims the journal */

/* The build of the mode that makes the entries from now on. */
bool wn_store_set_build(wn_store *store, uint32_t world, const char *build, wn_error *error);
/* Forgets what came after the last snapshot (everything, if there is none), and what is gathered. The build stays. */
bool wn_store_forget_tail(wn_store *store, uint32_t world, wn_error *error);

typedef struct wn_snapshot {
    uint64_t turn; /* 0: there is none */
    char mode_version[WN_NAME_BYTES + 1];
    char build[WN_TEXT_BYTES + 1];
    const uint8_t *bytes; /* lives until the next call of the store */
    size_t size;
} wn_snapshot;
bool wn_store_get_snapshot(wn_store *store, uint32_t world, wn_snapshot *snapshot, wn_error *error);
/* Turn of the first entry the journal still has, 0: none. With keep_history it is 1. */
bool wn_store_first_turn(wn_store *store, uint32_t world, uint64_t *turn, wn_error *error);
/* Journal entries after `turn`, in order. `hash`: of the state after the turn, 0: not known. */
typedef bool wn_entry_function(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash);
bool wn_store_read_journal(wn_store *store, uint32_t world, uint64_t after, wn_entry_function *each, void *context,
                           wn_error *error);

/* Gathers one turn's journal entry (copied) until the next commit. `hash` 0: none. A world's turns come in order; those
 * of a world that is not there are dropped. */
void wn_store_append(wn_store *store, uint32_t world, uint64_t turn, const void *bytes, size_t size, uint64_t hash);

/* Sessions, so that they outlive the process. Put and delete gather. */
typedef struct wn_stored_session {
    const uint8_t *token; /* WN_KEY_BYTES */
    const char *player;
    const char *identity;    /* whose it is; NULL: "" */
    bool named, bot;         /* bot: of a process that the daemon has started */
    const uint32_t *watches; /* worlds */
    size_t watch_count;
} wn_stored_session;
void wn_store_put_session(wn_store *store, const wn_stored_session *session); /* replaces one of the same token */
void wn_store_delete_session(wn_store *store, const uint8_t *token);
bool wn_store_list_sessions(wn_store *store, bool (*each)(void *context, const wn_stored_session *session),
                            void *context, wn_error *error);
/* Gathers a score. Where its mode has as many as it may, room is made for that of a new row: those go first to which
 * nothing was added for long, of players whose name belongs to nobody, or for 90 days. If none are left it is lost. */
void wn_store_put_score(wn_store *store, const char *mode, const char *table, const char *player, uint32_t world,
                        int64_t value, const char *detail, int64_t when);
/* What was given to a player in a table of a mode's, in one world. */
typedef struct wn_stored_score {
    const char *table, *player;
    int64_t highest, lowest, newest, total;
    const char *highest_detail, *lowest_detail, *newest_detail;
    uint32_t count;
    uint32_t worlds; /* that were closed; else 1 */
    int64_t ratings; /* the sum of their newest */
} wn_stored_score;
enum { WN_STORE_SCORES = 100000 }; /* that are listed at most */
/* By table, player and time, as far as they are committed; those of worlds that were closed as one, unless a world is
 * asked for. `world` 0: of all; `player` NULL: of all. `each` returns false to stop. */
bool wn_store_list_scores(wn_store *store, const char *mode, uint32_t world, const char *player,
                          bool (*each)(void *context, const wn_stored_score *score), void *context, wn_error *error);
size_t wn_store_gathered(const wn_store *store); /* things not committed yet */

/* Makes everything gathered durable, then calls `done` (perhaps before commit returns) with NULL, or with what went
 * wrong: then nothing of it was kept by the store, it stays gathered, and commit may be called again. */
typedef void wn_store_done(void *context, const wn_error *error);
void wn_store_commit(wn_store *store, wn_store_done *done, void *context);

/* Whose name is whose, and when it was used last. Put and delete gather. */
typedef struct wn_stored_claim {
    const char *name, *identity;
    int64_t used;
} wn_stored_claim;
void wn_store_put_claim(wn_store *store, const wn_stored_claim *claim); /* replaces one of the same name */
void wn_store_delete_claim(wn_store *store, const char *name);
/* The one that was not used for the longest time first. */
bool wn_store_list_claims(wn_store *store, bool (*each)(void *context, const wn_stored_claim *claim), void *context,
                          wn_error *error);
/* What somebody may do or not: a role, for a world or (0) for all of it, until a time or (0) for ever; since when, why
 * and by whom. One of the same subject, role and world is replaced. */
typedef struct wn_stored_rule {
    const char *subject, *role, *reason, *author;
    uint32_t world;
    int64_t at, until;
} wn_stored_rule;
bool wn_store_put_rule(wn_store *store, const wn_stored_rule *rule, wn_error *error);
bool wn_store_delete_rule(wn_store *store, const char *subject, const char *role, uint32_t world, wn_error *error);
bool wn_store_delete_old_rules(wn_store *store, int64_t now, wn_error *error); /* whose `until` has come */
bool wn_store_delete_rules_of_world(wn_store *store, uint32_t world, wn_error *error);
bool wn_store_list_rules(wn_store *store, bool (*each)(void *context, const wn_stored_rule *rule), void *context,
                         wn_error *error);

/* A consistent copy in another directory, which is made if it is missing, while everything goes on: of the moment of
 * the last step. Begin checks and opens; each step copies a bit (`pages`, 4 KiB each) and says whether there is more;
 * the copy is warren.db there, and can be opened as a store, when a step returned WN_BACKUP_DONE. One at a time;
 * nothing is written over; closing the store gives it up. A directory that another user could exchange it in is
 * refused. `key_file` (NULL: none): the server's key, which is copied beside it under the same name if it is there,
 * before warren.db has its name. */
typedef struct wn_backup wn_backup;
typedef enum wn_backup_state { WN_BACKUP_MORE, WN_BACKUP_DONE, WN_BACKUP_FAILED } wn_backup_state;
wn_backup *wn_backup_begin(wn_store *store, const char *directory, const char *key_file, wn_error *error);
const char *wn_backup_directory(const wn_backup *backup);
const char *wn_backup_key(const wn_backup *backup); /* the name of the key in it; NULL: it has none */
wn_backup_state wn_backup_step(wn_backup *backup, int pages, wn_error *error);
void wn_backup_free(wn_backup *backup); /* an unfinished copy is removed; NULL is fine */

#endif
