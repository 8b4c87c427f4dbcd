/* child.h: starts a program of Warren's as a child process of the daemon. Nothing is waited for here. */
#ifndef WARREN_CHILD_H
#define WARREN_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/* A descriptor of the daemon and its number in the child. No `from` may be the `to` of another. */
typedef struct wn_child_descriptor {
    int from, to;
} wn_child_descriptor;

/* Runs the file `path`, with its name as it stands in arguments[0], and no descriptors but those given, an empty
 * standard input and the daemon's log as output and errors where none is given for those; no signal is blocked or
 * ignored in it. 0, and whose id the child has; or an errno, and *pid is 0. The daemon has to wait for its end. */
int wn_child_start(pid_t *pid, const char *path, char *const arguments[], const wn_child_descriptor *given,
                   size_t count);

#endif
