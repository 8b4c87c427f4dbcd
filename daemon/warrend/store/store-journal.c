/* store-journal.c: where the entries of a world's journal are: first in batches, then in chunks. What an entry is made
 * of: store-record.c.
 *
 * A batch is what one commit brought, of all worlds: one row at the end of one table, so that a commit costs the same
 * whether one world played or a hundred. A chunk is a run of entries of one world, so that reading and trimming a world
 * touch only its own rows. Entries that only batches hold are young; each world's are kept in memory as well, in the
 * form of the chunk that they become when there are enough of them, or when their batches reach too far back. Then the
 * world is settled: its row says that batches up to the last one do not count for it any more. A batch goes when it
 * counts for no world. A snapshot settles its world as well, and so does whatever else takes entries away.
 *
 * When the store is opened the batches are read, at most about OLD_BYTES of them. This is a log-structured merge, with
 * two levels: O'Neil and others, "The log-structured merge-tree", Acta Informatica 33, 1996.
 */
#include "store/store-internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES = 8 << 10,    /* young entries of a world that become a chunk */
    OLD_BYTES = 4 << 20,      /* a batch that lies so far back makes its worlds settle */
    SETTLED_BYTES = 16 << 10, /* a commit moves so much, and twice what it brings: no pass of the loop waits long */
    SMALLEST_MOVE = 1 << 10,  /* what the smallest chunk counts for in that */
    DELETED_BATCHES = 256,
    FIRST_DELETED_BATCHES = 64 /* batches that are deleted at once: at most, at least */
};

/* places */

/* Where the world's place is in the list, or has to be put. */
static size_t find_slot(const wn_store *store, uint32_t world)
{
    size_t low = 0, high = store->place_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (store->places[middle]->id < world) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

wn_place *wn_journal_place(const wn_store *store, uint32_t world)
{
    size_t slot = find_slot(store, world);
    return slot < store->place_count && store->places[slot]->id == world ? store->places[slot] : NULL;
}

static wn_place *add_place(wn_store *store, uint32_t world)
{
    wn_place *place = calloc(1, sizeof *place);
    if (place == NULL) {
        return NULL;
    }
    if (store->place_count == store->place_capacity) {
        size_t capacity = store->place_capacity == 0 ? 64 : 2 * store->place_capacity;
        wn_place **places = reallocarray(store->places, capacity, sizeof(wn_place *));
        if (places == NULL) {
            free(place);
            return NULL;
        }
        store->places = places;
        store->place_capacity = capacity;
    }
    size_t slot = find_slot(store, world);
    memmove(&store->places[slot + 1], &store->places[slot], (store->place_count - slot) * sizeof(wn_place *));
    store->places[slot] = place;
    store->place_count++;
    place->id = world;
    return place;
}

bool wn_journal_add_world(wn_store *store, uint32_t world)
{
    return add_place(store, world) != NULL;
}

static void link_youngest(wn_store *store, wn_place *place)
{
    place->younger = NULL;
    place->older = store->youngest;
    *(store->youngest == NULL ? &store->oldest : &store->youngest->younger) = place;
    store->youngest = place;
}

/* It has no young entries any more. The memory of a busy world is kept for the next ones. */
static void empty(wn_store *store, wn_place *place)
{
    if (place->young.size == 0) {
        return;
    }
    *(place->older == NULL ? &store->oldest : &place->older->younger) = place->younger;
    *(place->younger == NULL ? &store->youngest : &place->younger->older) = place->older;
    if (place->young.size < CHUNK_BYTES) {
        wn_buffer_free(&place->young);
    }
    place->young.size = 0;
}

static void free_place(wn_store *store, wn_place *place)
{
    empty(store, place);
    wn_buffer_free(&place->young);
    free(place);
}

void wn_journal_remove_world(wn_store *store, uint32_t world)
{
    wn_place *place = wn_journal_place(store, world);
    size_t slot = find_slot(store, world);
    if (place == NULL) {
        return;
    }
    store->place_count--;
    memmove(&store->places[slot], &store->places[slot + 1], (store->place_count - slot) * sizeof(wn_place *));
    free_place(store, place);
}

void wn_journal_free(wn_store *store)
{
    for (size_t i = 0; i < store->place_count; i++) {
        free_place(store, store->places[i]);
    }
    free(store->places);
    store->places = NULL;
    store->place_count = store->place_capacity = 0;
}

/* records */

/* Records that follow each other, and their turns. */
typedef struct span {
    const uint8_t *bytes;
    size_t size;
    uint64_t first, last;
} span;

/* Those after turn `after`, up to `until`. false: these are no records. */
static bool cut(const uint8_t *bytes, size_t size, uint64_t after, uint64_t until, span *found)
{
    const uint8_t *at = bytes, *end = bytes + size;
    wn_record record;
    *found = (span){.bytes = bytes};
    while (at < end) {
        const uint8_t *start = at;
        if (!wn_record_next(&at, end, &record)) {
            return false;
        }
        if (record.turn <= after || record.turn > until) {
            continue;
        }
        if (found->size == 0) {
            *found = (span){.bytes = start, .first = record.turn};
        }
        found->last = record.turn;
        found->size = (size_t)(at - found->bytes);
    }
    return true;
}

static void add_young(wn_store *store, wn_place *place, int64_t batch, uint64_t turn, const uint8_t *bytes, size_t size)
{
    if (place->young.size == 0) {
        link_youngest(store, place);
        place->first = turn;
        place->batch = batch;
        place->written = store->written;
    }
    place->turn = turn;
    wn_buffer_append(&place->young, bytes, size);
}

/* A batch that is in the file, into memory. Worlds that were deleted have no place. */
static bool take_batch(wn_store *store, int64_t batch, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint32_t world;
    wn_record record;
    while (at < end) {
        if (!wn_record_world(&at, end, &world)) {
            return false;
        }
        const uint8_t *start = at;
        if (!wn_record_next(&at, end, &record)) {
            return false;
        }
        wn_place *place = wn_journal_place(store, world);
        if (place != NULL && place->settled < batch) {
            add_young(store, place, batch, record.turn, start, (size_t)(at - start));
        }
    }
    store->written += size;
    return true;
}

/* loading */

static bool load_places(wn_store *store, wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_PLACES];
    int result;
    bool good = true;
    while (good && (result = sqlite3_step(query)) == SQLITE_ROW) {
        wn_place *place = add_place(store, (uint32_t)sqlite3_column_int64(query, 0));
        good = place != NULL || wn_store_fail_memory(error);
        if (good) {
            place->settled = sqlite3_column_int64(query, 1);
            place->turn = (uint64_t)sqlite3_column_int64(query, 2);
            place->snapshot = (uint64_t)sqlite3_column_int64(query, 3);
            if (place->settled >= store->next_batch) {
                store->next_batch = place->settled + 1;
            }
        }
    }
    if (good && result != SQLITE_DONE) {
        good = wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    return good;
}

static bool load_batches(wn_store *store, wn_error *error)
{
    sqlite3_stmt *query = store->statements[WN_SQL_LIST_BATCHES];
    int result;
    bool good = true;
    while (good && (result = sqlite3_step(query)) == SQLITE_ROW) {
        int64_t batch = sqlite3_column_int64(query, 0);
        const uint8_t *bytes = sqlite3_column_blob(query, 1);
        good = take_batch(store, batch, bytes, (size_t)sqlite3_column_bytes(query, 1)) ||
               wn_store_fail_damaged(store, "a batch of its journal cannot be read", error);
        if (store->first_batch == 0) {
            store->first_batch = batch;
        }
        if (batch >= store->next_batch) {
            store->next_batch = batch + 1;
        }
    }
    if (good && result != SQLITE_DONE) {
        good = wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    return good;
}

bool wn_journal_load(wn_store *store, wn_error *error)
{
    store->first_batch = 0;
    store->next_batch = 1;
    store->written = 0;
    if (!load_places(store, error) || !load_batches(store, error)) {
        return false;
    }
    if (store->first_batch == 0) {
        store->first_batch = store->next_batch;
    }
    store->first_after = store->first_batch;
    return true;
}

/* writing */

static bool put_chunk(wn_store *store, uint32_t world, const span *records)
{
    if (records->size == 0) {
        return true;
    }
    wn_sql_bind_number(store, WN_SQL_PUT_CHUNK, 1, world);
    wn_sql_bind_number(store, WN_SQL_PUT_CHUNK, 2, (int64_t)records->first);
    wn_sql_bind_number(store, WN_SQL_PUT_CHUNK, 3, (int64_t)records->last);
    wn_sql_bind_bytes(store, WN_SQL_PUT_CHUNK, 4, records->bytes, records->size);
    return wn_sql_run(store, WN_SQL_PUT_CHUNK);
}

/* The young entries after turn `after`, up to `until`, become a chunk; there will be no others. */
static bool settle(wn_store *store, wn_place *place, uint64_t after, uint64_t until)
{
    span records;
    if (place->young.size == 0) {
        return true;
    }
    if (!place->settling) {
        wn_buffer_append(&store->settling, &place, sizeof(wn_place *));
    }
    place->settling = true;
    wn_sql_bind_number(store, WN_SQL_SETTLE, 1, place->id);
    wn_sql_bind_number(store, WN_SQL_SETTLE, 2, store->next_batch - 1);
    return cut(place->young.data, place->young.size, after, until, &records) && wn_sql_run(store, WN_SQL_SETTLE) &&
           put_chunk(store, place->id, &records);
}

static bool settle_within(wn_store *store, wn_place *place, size_t *allowance)
{
    size_t cost = place->young.size < SMALLEST_MOVE ? SMALLEST_MOVE : place->young.size;
    *allowance -= cost < *allowance ? cost : *allowance;
    return settle(store, place, 0, UINT64_MAX);
}

/* Worlds that play and have enough for a chunk. */
static bool settle_full(wn_store *store, size_t *allowance)
{
    const uint8_t *at = store->batch.data, *end = at + store->batch.size;
    uint32_t world;
    wn_record record;
    bool good = true;
    while (good && *allowance > 0 && at < end) {
        good = wn_record_world(&at, end, &world) && wn_record_next(&at, end, &record);
        wn_place *place = wn_journal_place(store, world);
        if (good && place != NULL && !place->settling && place->young.size >= CHUNK_BYTES) {
            good = settle_within(store, place, allowance);
        }
    }
    return good;
}

/* Worlds that began to be young so long ago that the batches since then take up too much. */
static bool settle_old(wn_store *store, size_t *allowance)
{
    bool good = true;
    wn_place *place = store->oldest;
    for (; good && *allowance > 0 && place != NULL && store->written - place->written > OLD_BYTES;
         place = place->younger) {
        if (!place->settling) {
            good = settle_within(store, place, allowance);
        }
    }
    return good;
}

/* Those that count for no world, many at a time. */
static bool delete_batches(wn_store *store)
{
    int64_t first = store->oldest == NULL ? store->next_batch : store->oldest->batch;
    if (first - store->first_batch < FIRST_DELETED_BATCHES) {
        return true;
    }
    if (first - store->first_batch > DELETED_BATCHES) {
        first = store->first_batch + DELETED_BATCHES;
    }
    store->first_after = first;
    wn_sql_bind_number(store, WN_SQL_DELETE_BATCHES, 1, first);
    return wn_sql_run(store, WN_SQL_DELETE_BATCHES);
}

bool wn_journal_write(wn_store *store)
{
    if (store->batch.size == 0) {
        return true;
    }
    size_t allowance = SETTLED_BYTES + 2 * store->batch.size;
    wn_sql_bind_number(store, WN_SQL_PUT_BATCH, 1, store->next_batch);
    wn_sql_bind_bytes(store, WN_SQL_PUT_BATCH, 2, store->batch.data, store->batch.size);
    return wn_sql_run(store, WN_SQL_PUT_BATCH) && settle_full(store, &allowance) && settle_old(store, &allowance) &&
           delete_batches(store);
}

/* The chunk with entries up to `turn` and after it, if there is one, keeps one of the two parts. */
static bool split_chunk(wn_store *store, uint32_t world, uint64_t turn, bool keep_later)
{
    wn_sql_bind_number(store, WN_SQL_FIND_CHUNK, 1, world);
    sqlite3_stmt *query = wn_sql_bind_number(store, WN_SQL_FIND_CHUNK, 2, (int64_t)turn);
    int result = sqlite3_step(query);
    wn_buffer bytes = {0};
    span kept;
    bool good = result == SQLITE_ROW;
    if (good) {
        wn_sql_bind_number(store, WN_SQL_DELETE_CHUNK, 2, sqlite3_column_int64(query, 0));
        wn_buffer_append(&bytes, sqlite3_column_blob(query, 1), (size_t)sqlite3_column_bytes(query, 1));
        good = cut(bytes.data, bytes.size, keep_later ? turn : 0, keep_later ? UINT64_MAX : turn, &kept);
    }
    sqlite3_reset(query);
    good = good && wn_sql_run_on_world(store, WN_SQL_DELETE_CHUNK, world) && put_chunk(store, world, &kept);
    wn_buffer_free(&bytes);
    return good || result == SQLITE_DONE;
}

bool wn_journal_trim(wn_store *store, wn_place *place, uint64_t until)
{
    wn_sql_bind_number(store, WN_SQL_TRIM_CHUNKS, 2, (int64_t)until);
    return settle(store, place, until, UINT64_MAX) && wn_sql_run_on_world(store, WN_SQL_TRIM_CHUNKS, place->id) &&
           split_chunk(store, place->id, until, true);
}

bool wn_journal_forget(wn_store *store, wn_place *place, uint64_t after)
{
    wn_sql_bind_number(store, WN_SQL_FORGET_CHUNKS, 2, (int64_t)after);
    return settle(store, place, 0, after) && wn_sql_run_on_world(store, WN_SQL_FORGET_CHUNKS, place->id) &&
           split_chunk(store, place->id, after, false);
}

void wn_journal_ended(wn_store *store, bool good, bool gathered)
{
    wn_place *const *settling = (wn_place *const *)(const void *)store->settling.data;
    for (size_t i = 0; i < store->settling.size / sizeof(wn_place *); i++) {
        settling[i]->settling = false;
        if (good) {
            settling[i]->settled = store->next_batch - 1;
            empty(store, settling[i]);
        }
    }
    store->settling.size = 0;
    *(good ? &store->first_batch : &store->first_after) = good ? store->first_after : store->first_batch;
    if (!good || !gathered || store->batch.size == 0) {
        return;
    }
    take_batch(store, store->next_batch++, store->batch.data, store->batch.size);
    store->batch.size = store->entry_count = 0;
}

void wn_journal_drop_gathered(wn_store *store, uint32_t world, uint64_t after)
{
    uint8_t *to = store->batch.data;
    const uint8_t *at = to, *end = at + store->batch.size;
    uint32_t whose;
    wn_record record;
    while (at < end) {
        const uint8_t *start = at;
        if (!wn_record_world(&at, end, &whose) || !wn_record_next(&at, end, &record)) {
            break; /* it cannot be: we wrote them */
        }
        if (whose == world && record.turn > after) {
            store->entry_count--;
            continue;
        }
        memmove(to, start, (size_t)(at - start));
        to += at - start;
    }
    store->batch.size = (size_t)(to - store->batch.data);
}

/* reading */

/* Hands out what comes after `after`, until that is enough. */
static bool hand_out(const uint8_t *bytes, size_t size, uint64_t after, wn_entry_function *each, void *context,
                     bool *more)
{
    const uint8_t *at = bytes, *end = size > 0 ? bytes + size : bytes; /* of no bytes it may be NULL */
    wn_record record;
    while (*more && at < end) {
        if (!wn_record_next(&at, end, &record)) {
            return false;
        }
        if (record.turn > after) {
            *more = each(context, record.turn, record.bytes, record.size, record.hash);
        }
    }
    return true;
}

bool wn_store_read_journal(wn_store *store, uint32_t world, uint64_t after, wn_entry_function *each, void *context,
                           wn_error *error)
{
    static const char unreadable[] = "an entry of a journal cannot be read";
    wn_sql_bind_number(store, WN_SQL_READ_CHUNKS, 1, world);
    sqlite3_stmt *query = wn_sql_bind_number(store, WN_SQL_READ_CHUNKS, 2, (int64_t)after);
    const wn_place *place = wn_journal_place(store, world);
    int result;
    bool good = true, more = true;
    while (good && more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const uint8_t *bytes = sqlite3_column_blob(query, 0);
        good = hand_out(bytes, (size_t)sqlite3_column_bytes(query, 0), after, each, context, &more) ||
               wn_store_fail_damaged(store, unreadable, error);
    }
    if (good && more && result != SQLITE_DONE) {
        good = wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    if (good && more && place != NULL) {
        good = hand_out(place->young.data, place->young.size, after, each, context, &more) ||
               wn_store_fail_damaged(store, unreadable, error);
    }
    return good;
}

bool wn_store_first_turn(wn_store *store, uint32_t world, uint64_t *turn, wn_error *error)
{
    sqlite3_stmt *query = wn_sql_bind_number(store, WN_SQL_FIRST_TURN, 1, world);
    const wn_place *place = wn_journal_place(store, world);
    bool good = sqlite3_step(query) == SQLITE_ROW;
    if (good) {
        *turn = (uint64_t)sqlite3_column_int64(query, 0);
    } else {
        wn_sql_fail(store, "read", error);
    }
    sqlite3_reset(query);
    if (good && *turn == 0 && place != NULL && place->young.size > 0) {
        *turn = place->first;
    }
    return good;
}
