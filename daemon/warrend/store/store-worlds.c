/* store-worlds.c: worlds, their settings, outcomes and snapshots, as rows.
 */
#include "store/store-internal.h"

#include <stdio.h>
#include <string.h>

static bool no_world(uint32_t world, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "there is no world %u in the store",
                        world);
}

/* listing */

static bool load_settings(wn_store *store, wn_stored_world *world, wn_error *error)
{
    sqlite3_stmt *query = wn_sql_bind_number(store, WN_SQL_LIST_SETTINGS, 1, world->id);
    store->setting_texts.size = store->settings.size = 0;
    int result;
    while ((result = sqlite3_step(query)) == SQLITE_ROW) {
        for (int column = 0; column < 3; column++) {
            wn_buffer_append(&store->setting_texts, wn_sql_column_text(query, column),
                             (size_t)sqlite3_column_bytes(query, column) + 1);
        }
        wn_buffer_append(&store->settings, &(wn_stored_setting){0}, sizeof(wn_stored_setting));
    }
    sqlite3_reset(query);
    if (result != SQLITE_DONE) {
        return wn_sql_fail(store, "read", error);
    }
    /* Only now do the texts stay where they are. */
    wn_stored_setting *settings = (wn_stored_setting *)(void *)store->settings.data;
    const char *text = (const char *)store->setting_texts.data;
    world->settings = settings;
    world->setting_count = store->settings.size / sizeof *settings;
    for (size_t i = 0; i < world->setting_count; i++) {
        settings[i].name = text;
        settings[i].value = settings[i].name + strlen(settings[i].name) + 1;
        settings[i].file = settings[i].value + strlen(settings[i].value) + 1;
        text = settings[i].file + strlen(settings[i].file) + 1;
    }
    return true;
}

bool wn_store_list_worlds(wn_store *store, bool (*each)(void *context, const wn_stored_world *world), void *context,
                          wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_WORLDS];
    int result;
    bool good = true, more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        wn_stored_world world = {
            .id = (uint32_t)sqlite3_column_int64(query, 0),
            .name = wn_sql_column_text(query, 1),
            .mode = wn_sql_column_text(query, 2),
            .owner = wn_sql_column_text(query, 3),
            .seed = (uint64_t)sqlite3_column_int64(query, 4),
            .created = sqlite3_column_int64(query, 5),
            .outcome = wn_sql_column_text(query, 6),
            .parked = sqlite3_column_int(query, 7) != 0,
            .build = wn_sql_column_text(query, 8),
        };
        const wn_place *place = wn_journal_place(store, world.id);
        world.turn = place->turn > place->snapshot ? place->turn : place->snapshot;
        good = load_settings(store, &world, error);
        more = good && each(context, &world);
    }
    if (more && result != SQLITE_DONE) {
        good = wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    return good;
}

/* changing */

static bool insert_settings(wn_store *store, const wn_stored_world *world)
{
    for (size_t i = 0; i < world->setting_count; i++) {
        wn_sql_bind_number(store, WN_SQL_INSERT_SETTING, 2, (int64_t)i);
        wn_sql_bind_text(store, WN_SQL_INSERT_SETTING, 3, world->settings[i].name);
        wn_sql_bind_text(store, WN_SQL_INSERT_SETTING, 4, world->settings[i].value);
        wn_sql_bind_text(store, WN_SQL_INSERT_SETTING, 5,
                         world->settings[i].file != NULL ? world->settings[i].file : "");
        if (!wn_sql_run_on_world(store, WN_SQL_INSERT_SETTING, world->id)) {
            return false;
        }
    }
    return true;
}

static bool insert_world(wn_store *store, wn_stored_world *world, wn_error *error)
{
    const wn_statement insert = WN_SQL_INSERT_WORLD;
    wn_sql_bind_text(store, insert, 1, world->name);
    wn_sql_bind_text(store, insert, 2, world->mode);
    wn_sql_bind_text(store, insert, 3, world->owner);
    wn_sql_bind_number(store, insert, 4, (int64_t)world->seed);
    wn_sql_bind_number(store, insert, 5, world->created);
    wn_sql_bind_text(store, insert, 6, world->outcome);
    wn_sql_bind_number(store, insert, 7, world->parked);
    wn_sql_bind_text(store, insert, 8, world->build != NULL ? world->build : "");
    if (!wn_sql_run(store, insert)) {
        if (sqlite3_extended_errcode(store->database) == SQLITE_CONSTRAINT_UNIQUE) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NAME_TAKEN, "name", 0,
                                "there is a world named %.64s: choose another name", world->name);
        }
        return wn_sql_fail(store, "write", error);
    }
    world->id = (uint32_t)sqlite3_last_insert_rowid(store->database);
    return insert_settings(store, world) || wn_sql_fail(store, "write", error);
}

bool wn_store_create_world(wn_store *store, wn_stored_world *world, wn_error *error)
{
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    bool good = insert_world(store, world, error);
    bool placed = good && wn_journal_add_world(store, world->id);
    if (good && !placed) {
        good = wn_store_fail_memory(error);
    }
    good = wn_sql_end(store, good, "write", error);
    if (!good && placed) {
        wn_journal_remove_world(store, world->id);
    }
    return good;
}

static bool change_setting(wn_store *store, uint32_t world, const wn_stored_setting *setting)
{
    for (wn_statement which = WN_SQL_CHANGE_SETTING; which <= WN_SQL_ADD_SETTING; which++) {
        wn_sql_bind_text(store, which, 2, setting->name);
        wn_sql_bind_text(store, which, 3, setting->value);
        if (!wn_sql_run_on_world(store, which, world)) {
            return false;
        }
        if (sqlite3_changes(store->database) > 0) {
            break; /* it was there */
        }
    }
    return true;
}

bool wn_store_change_settings(wn_store *store, uint32_t world, const wn_stored_setting *settings, size_t count,
                              wn_error *error)
{
    if (wn_journal_place(store, world) == NULL) {
        return no_world(world, error);
    }
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = change_setting(store, world, &settings[i]) || wn_sql_fail(store, "write", error);
    }
    return wn_sql_end(store, good, "write", error);
}

bool wn_store_set_outcome(wn_store *store, uint32_t world, const char *outcome, bool parked, wn_error *error)
{
    wn_sql_bind_text(store, WN_SQL_SET_OUTCOME, 2, outcome);
    wn_sql_bind_number(store, WN_SQL_SET_OUTCOME, 3, parked);
    if (!wn_sql_run_on_world(store, WN_SQL_SET_OUTCOME, world)) {
        return wn_sql_fail(store, "write", error);
    }
    return sqlite3_changes(store->database) == 1 || no_world(world, error);
}

bool wn_store_set_build(wn_store *store, uint32_t world, const char *build, wn_error *error)
{
    wn_sql_bind_text(store, WN_SQL_SET_BUILD, 2, build);
    if (!wn_sql_run_on_world(store, WN_SQL_SET_BUILD, world)) {
        return wn_sql_fail(store, "write", error);
    }
    return sqlite3_changes(store->database) == 1 || no_world(world, error);
}

bool wn_store_delete_world(wn_store *store, uint32_t world, wn_error *error)
{
    static const wn_statement parts[] = {WN_SQL_DELETE_SETTINGS, WN_SQL_DELETE_CHUNKS, WN_SQL_DELETE_SNAPSHOT,
                                         WN_SQL_DELETE_WORLD,    WN_SQL_FOLD_SCORES,   WN_SQL_DELETE_FOLDED};
    if (wn_journal_place(store, world) == NULL) {
        return no_world(world, error);
    }
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < sizeof parts / sizeof *parts; i++) {
        good = wn_sql_run_on_world(store, parts[i], world) || wn_sql_fail(store, "write", error);
    }
    if (!wn_sql_end(store, good, "write", error)) {
        return false;
    }
    wn_journal_drop_gathered(store, world, 0);
    wn_journal_remove_world(store, world);
    return true;
}

bool wn_store_fold_scores(wn_store *store, wn_error *error)
{
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    const bool good = (wn_sql_run(store, WN_SQL_FOLD_CLOSED) && wn_sql_run(store, WN_SQL_DELETE_CLOSED)) ||
                      wn_sql_fail(store, "write", error);
    return wn_sql_end(store, good, "write", error);
}

/* snapshots */

bool wn_store_put_snapshot(wn_store *store, uint32_t world, uint64_t turn, const char *mode_version, const char *build,
                           const void *bytes, size_t size, wn_error *error)
{
    wn_place *place = wn_journal_place(store, world);
    if (place == NULL) {
        return no_world(world, error);
    }
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    wn_sql_bind_number(store, WN_SQL_PUT_SNAPSHOT, 2, (int64_t)turn);
    wn_sql_bind_text(store, WN_SQL_PUT_SNAPSHOT, 3, mode_version);
    wn_sql_bind_text(store, WN_SQL_PUT_SNAPSHOT, 4, build);
    wn_sql_bind_bytes(store, WN_SQL_PUT_SNAPSHOT, 5, bytes, size);
    bool good = (wn_sql_run_on_world(store, WN_SQL_PUT_SNAPSHOT, world) &&
                 (store->keep_history || wn_journal_trim(store, place, turn))) ||
                wn_sql_fail(store, "write", error);
    good = wn_sql_end(store, good, "write", error);
    wn_journal_ended(store, good, false);
    if (good) {
        place->snapshot = turn;
    }
    return good;
}

bool wn_store_get_snapshot(wn_store *store, uint32_t world, wn_snapshot *snapshot, wn_error *error)
{
    sqlite3_stmt *query = wn_sql_bind_number(store, WN_SQL_GET_SNAPSHOT, 1, world);
    memset(snapshot, 0, sizeof *snapshot);
    store->snapshot.size = 0;
    int result = sqlite3_step(query);
    if (result == SQLITE_ROW) {
        snapshot->turn = (uint64_t)sqlite3_column_int64(query, 0);
        snprintf(snapshot->mode_version, sizeof snapshot->mode_version, "%s", wn_sql_column_text(query, 1));
        snprintf(snapshot->build, sizeof snapshot->build, "%s", wn_sql_column_text(query, 2));
        /* Copied, because a row that is held keeps the write-ahead log from being emptied. */
        const void *state = sqlite3_column_blob(query, 3);
        wn_buffer_append(&store->snapshot, state, (size_t)sqlite3_column_bytes(query, 3));
        snapshot->bytes = store->snapshot.data;
        snapshot->size = store->snapshot.size;
    }
    sqlite3_reset(query);
    return result == SQLITE_ROW || result == SQLITE_DONE || wn_sql_fail(store, "read", error);
}

bool wn_store_forget_tail(wn_store *store, uint32_t world, wn_error *error)
{
    wn_place *place = wn_journal_place(store, world);
    if (place == NULL) {
        return no_world(world, error);
    }
    if (!wn_sql_begin(store, error)) {
        return false;
    }
    bool good = wn_journal_forget(store, place, place->snapshot) || wn_sql_fail(store, "write", error);
    good = wn_sql_end(store, good, "write", error);
    wn_journal_ended(store, good, false);
    if (!good) {
        return false;
    }
    wn_journal_drop_gathered(store, world, place->snapshot);
    if (place->turn > place->snapshot) {
        place->turn = place->snapshot;
    }
    return true;
}
