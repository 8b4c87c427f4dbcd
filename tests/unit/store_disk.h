/* store_disk.h: stands between SQLite, the store and the system: counts what changes the disk, and ends the process or
 * fails at a call that the test chose. Linked into a test, it takes the place of libc's functions.
 */
#ifndef WARREN_TESTS_STORE_DISK_H
#define WARREN_TESTS_STORE_DISK_H

typedef enum disk_fault {
    DISK_GOOD,
    DISK_DIES, /* the process is killed at the call, before or after what it does */
    DISK_FAILS /* this call and all later ones fail with EIO */
} disk_fault;

extern int disk_calls; /* pwrite, write to the store's files, truncate, sync, rename, unlink */
extern int disk_syncs;
void disk_fault_at(disk_fault fault, int call); /* counted from now, from 1 */

#endif
