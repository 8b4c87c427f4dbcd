/* blame.h: what a host and warrend share besides their socket: a page of memory in which the host says whose callback
 * it is about to run, so that after a crash the daemon knows whom to blame, and for what.
 */
#ifndef WARREN_BLAME_H
#define WARREN_BLAME_H

#include <stdatomic.h>
#include <stdint.h>

/* What the host's sandbox lacks on this machine. */
typedef enum wn_lacking {
    WN_LACKING_SECCOMP = 1,       /* the kernel filters no system calls */
    WN_LACKING_LANDLOCK = 2,      /* the kernel has no Landlock: files are kept from a mode by the filter alone */
    WN_LACKING_UNINSTRUMENTED = 4 /* the host runs with a sanitizer or in valgrind, which need what is forbidden */
} wn_lacking;

/* One of them in words: the first that is set. */
static inline const char *wn_lacking_text(uint32_t lacking)
{
    return (lacking & WN_LACKING_SECCOMP) != 0    ? "the kernel does not filter system calls (seccomp)"
           : (lacking & WN_LACKING_LANDLOCK) != 0 ? "the kernel does not restrict files (Landlock)"
           : lacking != 0                         ? "warren-host runs with a sanitizer or in valgrind"
                                                  : "nothing";
}

typedef struct wn_blame {
    _Atomic uint32_t world;     /* whose callbacks are running; 0: none */
    _Atomic uint32_t saving;    /* 1 while the world's snapshot is made, which no turn is to blame for */
    _Atomic uint32_t forbidden; /* the number of the system call that the sandbox ended it for, plus 1; 0: none */
    _Atomic uint32_t lacking;   /* bits of wn_lacking, set before Ready */
} wn_blame;

#endif
