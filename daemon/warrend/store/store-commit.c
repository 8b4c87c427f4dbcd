/* store-commit.c: what is gathered between two commits, and the commit: journal entries (which store-journal.c writes),
 * sessions, scores, whose name is whose.
 */
#include "store/store-internal.h"

#include <string.h>

#include "pb.h"

/* Texts and bytes stand in wn_store.texts, from `..._at`. */
typedef struct gathered_session {
    size_t token_at, player_at, identity_at, watches_at, watches_size;
    bool put; /* else: delete */
    bool named, bot;
} gathered_session;

enum { NAMED = 1, BOT = 2 }; /* bits of the column `named` */
enum { SCORE_TEXTS = 4 };    /* mode, list, player, detail */

typedef struct gathered_score {
    size_t text_at[SCORE_TEXTS];
    uint32_t world;
    int64_t value, when;
} gathered_score;

typedef struct gathered_claim {
    size_t name_at, identity_at;
    bool put; /* else: delete */
    int64_t used;
} gathered_claim;

/* gathering */

static size_t gather(wn_store *store, const void *bytes, size_t size)
{
    size_t at = store->texts.size;
    wn_buffer_append(&store->texts, bytes, size);
    return at;
}

static size_t gather_text(wn_store *store, const char *text)
{
    return text == NULL ? gather(store, "", 1) : gather(store, text, strlen(text) + 1);
}

void wn_store_append(wn_store *store, uint32_t world, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    wn_pb_raw(&store->batch, world);
    wn_record_put(&store->batch, &(wn_record){.turn = turn, .hash = hash, .bytes = bytes, .size = size});
    store->entry_count++;
}

void wn_store_put_session(wn_store *store, const wn_stored_session *session)
{
    gathered_session gathered = {.put = true, .named = session->named, .bot = session->bot};
    gathered.token_at = gather(store, session->token, WN_KEY_BYTES);
    gathered.player_at = gather_text(store, session->player);
    gathered.identity_at = gather_text(store, session->identity);
    gathered.watches_at = store->texts.size;
    for (size_t i = 0; i < session->watch_count; i++) {
        wn_pb_raw(&store->texts, session->watches[i]);
    }
    gathered.watches_size = store->texts.size - gathered.watches_at;
    wn_buffer_append(&store->sessions, &gathered, sizeof gathered);
}

void wn_store_delete_session(wn_store *store, const uint8_t *token)
{
    gathered_session gathered = {.token_at = gather(store, token, WN_KEY_BYTES)};
    wn_buffer_append(&store->sessions, &gathered, sizeof gathered);
}

void wn_store_put_score(wn_store *store, const char *mode, const char *table, const char *player, uint32_t world,
                        int64_t value, const char *detail, int64_t when)
{
    gathered_score score = {.world = world, .value = value, .when = when};
    const char *texts[SCORE_TEXTS] = {mode, table, player, detail};
    for (size_t i = 0; i < SCORE_TEXTS; i++) {
        score.text_at[i] = gather_text(store, texts[i]);
    }
    wn_buffer_append(&store->scores, &score, sizeof score);
}

void wn_store_put_claim(wn_store *store, const wn_stored_claim *claim)
{
    gathered_claim gathered = {.put = true, .used = claim->used};
    gathered.name_at = gather_text(store, claim->name);
    gathered.identity_at = gather_text(store, claim->identity);
    wn_buffer_append(&store->claims, &gathered, sizeof gathered);
}

void wn_store_delete_claim(wn_store *store, const char *name)
{
    const gathered_claim gathered = {.name_at = gather_text(store, name)};
    wn_buffer_append(&store->claims, &gathered, sizeof gathered);
}

size_t wn_store_gathered(const wn_store *store)
{
    return store->entry_count + store->sessions.size / sizeof(gathered_session) +
           store->scores.size / sizeof(gathered_score) + store->claims.size / sizeof(gathered_claim);
}

/* writing */

static bool write_sessions(wn_store *store)
{
    const gathered_session *sessions = (const gathered_session *)(const void *)store->sessions.data;
    const uint8_t *texts = store->texts.data;
    bool good = true;
    for (size_t i = 0; good && i < store->sessions.size / sizeof *sessions; i++) {
        const gathered_session *session = &sessions[i];
        wn_statement which = session->put ? WN_SQL_PUT_SESSION : WN_SQL_DELETE_SESSION;
        wn_sql_bind_bytes(store, which, 1, texts + session->token_at, WN_KEY_BYTES);
        if (session->put) {
            wn_sql_bind_text(store, which, 2, (const char *)texts + session->player_at);
            wn_sql_bind_number(store, which, 3, (session->named ? NAMED : 0) | (session->bot ? BOT : 0));
            wn_sql_bind_bytes(store, which, 4, texts + session->watches_at, session->watches_size);
            wn_sql_bind_text(store, which, 5, (const char *)texts + session->identity_at);
        }
        good = wn_sql_run(store, which);
    }
    return good;
}

static bool write_scores(wn_store *store)
{
    const gathered_score *scores = (const gathered_score *)(const void *)store->scores.data;
    const char *texts = (const char *)store->texts.data;
    bool good = true;
    for (size_t i = 0; good && i < store->scores.size / sizeof *scores; i++) {
        const gathered_score *score = &scores[i];
        good = wn_scores_write(store, &(wn_new_score){.mode = texts + score->text_at[0],
                                                      .table = texts + score->text_at[1],
                                                      .player = texts + score->text_at[2],
                                                      .detail = texts + score->text_at[3],
                                                      .world = score->world,
                                                      .value = score->value,
                                                      .when = score->when});
    }
    return good;
}

static bool write_claims(wn_store *store)
{
    const gathered_claim *claims = (const gathered_claim *)(const void *)store->claims.data;
    const char *texts = (const char *)store->texts.data;
    bool good = true;
    for (size_t i = 0; good && i < store->claims.size / sizeof *claims; i++) {
        const wn_statement which = claims[i].put ? WN_SQL_PUT_CLAIM : WN_SQL_DELETE_CLAIM;
        wn_sql_bind_text(store, which, 1, texts + claims[i].name_at);
        if (claims[i].put) {
            wn_sql_bind_text(store, which, 2, texts + claims[i].identity_at);
            wn_sql_bind_number(store, which, 3, claims[i].used);
        }
        good = wn_sql_run(store, which);
    }
    return good;
}

/* commit */

bool wn_store_commit_gathered(wn_store *store, wn_error *error)
{
    static const char what[] = "write what was played to";
    if (wn_store_gathered(store) == 0) {
        return true;
    }
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    bool good = (wn_journal_write(store) && write_sessions(store) && write_scores(store) && write_claims(store)) ||
                wn_sql_fail(store, what, error);
    good = wn_sql_end(store, good, what, error);
    wn_journal_ended(store, good, true);
    if (good) {
        store->sessions.size = store->scores.size = store->claims.size = store->texts.size = 0;
    } else {
        wn_scores_undone(store);
    }
    return good;
}

void wn_store_commit(wn_store *store, wn_store_done *done, void *context)
{
    wn_error error = {0};
    bool good = wn_store_commit_gathered(store, &error);
    done(context, good ? NULL : &error);
}

/* reading */

static bool read_session(wn_store *store, sqlite3_stmt *query, wn_stored_session *session, wn_error *error)
{
    const int size = sqlite3_column_bytes(query, 3);
    const uint8_t *at = sqlite3_column_blob(query, 3), *end = size > 0 ? at + size : at; /* NULL if there are none */
    uint32_t world;
    store->watches.size = 0;
    while (at < end && wn_record_world(&at, end, &world)) {
        wn_buffer_append(&store->watches, &world, sizeof world);
    }
    if (at < end || sqlite3_column_bytes(query, 0) != WN_KEY_BYTES) {
        return wn_store_fail_damaged(store, "a session cannot be read", error);
    }
    session->token = sqlite3_column_blob(query, 0);
    session->player = wn_sql_column_text(query, 1);
    session->named = (sqlite3_column_int(query, 2) & NAMED) != 0;
    session->bot = (sqlite3_column_int(query, 2) & BOT) != 0;
    session->identity = wn_sql_column_text(query, 4);
    session->watches = (const uint32_t *)(const void *)store->watches.data;
    session->watch_count = store->watches.size / sizeof world;
    return true;
}

bool wn_store_list_sessions(wn_store *store, bool (*each)(void *context, const wn_stored_session *session),
                            void *context, wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_SESSIONS];
    wn_stored_session session;
    int result;
    bool good = true, more = true;
    while (good && more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        good = read_session(store, query, &session, error);
        more = good && each(context, &session);
    }
    if (good && more && result != SQLITE_DONE) {
        good = wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    return good;
}
