/* store-access.c: whose name is whose, and who may do what: as rows.
 */
#include "store/store-internal.h"

/* claims */

bool wn_store_list_claims(wn_store *store, bool (*each)(void *context, const wn_stored_claim *claim), void *context,
                          wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_CLAIMS];
    int result;
    bool more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const wn_stored_claim claim = {.name = wn_sql_column_text(query, 0),
                                       .identity = wn_sql_column_text(query, 1),
                                       .used = sqlite3_column_int64(query, 2)};
        more = each(context, &claim);
    }
    const bool good = !more || result == SQLITE_DONE || wn_sql_fail(store, "read", error);
    sqlite3_reset(query);
    return good;
}

/* rules */

bool wn_store_put_rule(wn_store *store, const wn_stored_rule *rule, wn_error *error)
{
    const wn_statement put = WN_SQL_PUT_RULE;
    wn_sql_bind_text(store, put, 1, rule->subject);
    wn_sql_bind_text(store, put, 2, rule->role);
    wn_sql_bind_number(store, put, 3, rule->world);
    wn_sql_bind_text(store, put, 4, rule->reason);
    wn_sql_bind_text(store, put, 5, rule->author);
    wn_sql_bind_number(store, put, 6, rule->at);
    wn_sql_bind_number(store, put, 7, rule->until);
    return wn_sql_run(store, put) || wn_sql_fail(store, "write", error);
}

bool wn_store_delete_rule(wn_store *store, const char *subject, const char *role, uint32_t world, wn_error *error)
{
    wn_sql_bind_text(store, WN_SQL_DELETE_RULE, 1, subject);
    wn_sql_bind_text(store, WN_SQL_DELETE_RULE, 2, role);
    wn_sql_bind_number(store, WN_SQL_DELETE_RULE, 3, world);
    return wn_sql_run(store, WN_SQL_DELETE_RULE) || wn_sql_fail(store, "write", error);
}

bool wn_store_delete_old_rules(wn_store *store, int64_t now, wn_error *error)
{
    wn_sql_bind_number(store, WN_SQL_DELETE_OLD_RULES, 1, now);
    return wn_sql_run(store, WN_SQL_DELETE_OLD_RULES) || wn_sql_fail(store, "write", error);
}

bool wn_store_delete_rules_of_world(wn_store *store, uint32_t world, wn_error *error)
{
    return wn_sql_run_on_world(store, WN_SQL_DELETE_RULES_OF_WORLD, world) || wn_sql_fail(store, "write", error);
}

bool wn_store_list_rules(wn_store *store, bool (*each)(void *context, const wn_stored_rule *rule), void *context,
                         wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_RULES];
    int result;
    bool more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const wn_stored_rule rule = {
            .subject = wn_sql_column_text(query, 0),
            .role = wn_sql_column_text(query, 1),
            .world = (uint32_t)sqlite3_column_int64(query, 2),
            .reason = wn_sql_column_text(query, 3),
            .author = wn_sql_column_text(query, 4),
            .at = sqlite3_column_int64(query, 5),
            .until = sqlite3_column_int64(query, 6),
        };
        more = each(context, &rule);
    }
    const bool good = !more || result == SQLITE_DONE || wn_sql_fail(store, "read", error);
    sqlite3_reset(query);
    return good;
}
