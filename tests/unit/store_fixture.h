/* store_fixture.h: what the tests of the store share: a directory of their own, entries that can be told apart, a look
 * at the file behind the store's back.
 */
#ifndef WARREN_TESTS_STORE_FIXTURE_H
#define WARREN_TESTS_STORE_FIXTURE_H

#include <check.h>

#include "store/store.h"

extern char directory[96];       /* of the test that runs; each has its own process */
extern wn_store_options options; /* open_store() opens with these, in `directory` */

struct commit_result {
    int calls;
    bool good;
    wn_error error;
};

/* Counts entries and checks that they follow each other without a gap and hold what entry_of() says. */
struct reading {
    uint32_t world;
    uint64_t first, last, stop_at;
    size_t count;
    bool good;
};

/* A player of one world, who has come to `turn`. */
struct chain {
    wn_store *store;
    uint32_t world;
    uint64_t turn;
};

void make_directory(void); /* these two by new_case() */
void remove_directory(void);
const char *path_of(const char *name);
unsigned seed_of_run(void);
wn_store *open_store(void);
uint32_t create_world(wn_store *store, const char *name);
/* The callback, and a commit that has to succeed. */
void committed(void *context, const wn_error *error);
void commit(wn_store *store);
/* The bytes that stand for a turn of a world, and the hash of its state; some turns have none. */
size_t entry_of(uint32_t world, uint64_t turn, uint8_t bytes[64]);
uint64_t hash_of(uint32_t world, uint64_t turn);
bool read_entry(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash);
struct reading read_all(wn_store *store, uint32_t world, uint64_t after);
void append(wn_store *store, uint32_t world, uint64_t turn);
/* SQL past the store. */
int64_t ask(const char *question);
void change(const char *sql);
void set_file_limit(uint64_t bytes); /* that a file of ours may have: then the disk is full; UINT64_MAX: no limit */
/* Opening fails with a sentence that has both words and the directory in it. */
void assert_refused(const char *first, const char *second);
TCase *new_case(Suite *suite, const char *name); /* its tests have a directory */
int run_suite(Suite *suite);

#endif
