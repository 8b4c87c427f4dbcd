/* store_disk.c: see store_disk.h. */
#include "store_disk.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int disk_calls, disk_syncs;
static disk_fault next_fault;
static int fault_at;

void disk_fault_at(disk_fault fault, int call)
{
    next_fault = fault;
    fault_at = disk_calls + call;
}

/* Whether this call fails. Every second death comes after the call was done. */
static bool fails(void)
{
    disk_calls++;
    if (next_fault == DISK_DIES && disk_calls == fault_at && disk_calls % 2 == 0) {
        raise(SIGKILL);
    }
    errno = EIO;
    return next_fault == DISK_FAILS && disk_calls >= fault_at;
}

static long done(long result)
{
    if (next_fault == DISK_DIES && disk_calls == fault_at) {
        raise(SIGKILL);
    }
    return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    return fails() ? -1 : (ssize_t)done(syscall(SYS_pwrite64, fd, bytes, size, at));
}

int ftruncate64(int fd, off64_t size)
{
    return fails() ? -1 : (int)done(syscall(SYS_ftruncate, fd, size));
}

/* Nobody cuts the power during these tests: syncs need not take place. */
int fdatasync(int fd)
{
    (void)fd;
    disk_syncs++;
    return fails() ? -1 : (int)done(0);
}

int fsync(int fd)
{
    return fdatasync(fd);
}

int rename(const char *from, const char *to)
{
    return fails() ? -1 : (int)done(syscall(SYS_rename, from, to));
}

int unlink(const char *path)
{
    return fails() ? -1 : (int)done(syscall(SYS_unlink, path));
}
