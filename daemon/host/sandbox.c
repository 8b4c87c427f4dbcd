/* sandbox.c: the two steps of sandbox.h, with seccomp, Landlock and resource limits: a table of system calls, a list of
 * paths, a table of limits. None of it needs a privilege.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "serve.h"

/* The run-time libraries of sanitizers map terabytes, start processes and read files, so with them there are neither
 * filters nor most limits. valgrind does the same by itself: it can be told by what it preloads. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define INSTRUMENTED true
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED false
#endif

static bool is_instrumented(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return INSTRUMENTED || (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL);
}

/* limits */

enum { DESCRIPTORS = 32 };

static void set_limit(__rlimit_resource_t resource, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_max > value) {
        limit.rlim_cur = limit.rlim_max = value;
        setrlimit(resource, &limit);
    }
}

/* Data, not address space: the latter counts what is only reserved. What data does not count, shared memory, is not to
 * be had: see narrowed[]. */
static void set_limits(size_t memory)
{
    set_limit(RLIMIT_CORE, 0);
    if (is_instrumented()) {
        return;
    }
    set_limit(RLIMIT_NOFILE, DESCRIPTORS);
    set_limit(RLIMIT_NPROC, 0);
    set_limit(RLIMIT_MEMLOCK, 0);
    set_limit(RLIMIT_MSGQUEUE, 0);
    set_limit(RLIMIT_FSIZE, 0);
    if (memory > 0) {
        set_limit(RLIMIT_DATA, memory);
    }
}

/* When the machine runs out of memory, a host is to be ended before the daemon. */
static void offer_to_die_first(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        dprintf(file, "500");
        close(file);
    }
}

/* files: Landlock */

/* How many kinds of access each version of Landlock's interface handles: see Documentation/userspace-api/landlock.rst
 * in the kernel. Those that are not handled are not restricted; the filter of system calls is. */
static uint64_t handled_accesses(long version)
{
    static const uint8_t kinds[] = {0, 13, 14, 15, 15, 16};
    const long newest = (long)(sizeof kinds / sizeof *kinds) - 1;
    return (UINT64_C(1) << kinds[version < newest ? version : newest]) - 1;
}

static void allow_reading(int rules, const char *path)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
                                                 .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (beneath.parent_fd >= 0) { /* what is not there need not be read */
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
        close(beneath.parent_fd);
    }
}

/* From now on only these can be opened, and only to read. Returns what is lacking. */
static uint32_t restrict_files(const char *const *paths, size_t count)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version <= 0) {
        return WN_LACKING_LANDLOCK;
    }
    const struct landlock_ruleset_attr handled = {.handled_access_fs = handled_accesses(version)};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0) {
        return WN_LACKING_LANDLOCK;
    }
    for (size_t i = 0; i < count; i++) {
        allow_reading(rules, paths[i]);
    }
    const bool done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done ? 0 : WN_LACKING_LANDLOCK;
}

/* system calls: seccomp */

/* The one thing here that outlives a call: a signal's handler is given nothing else to find the page by. */
static wn_blame *shared_page;

/* The filter has the kernel send SIGSYS instead of doing the call. Nothing that is not safe in a handler is done. */
static void forbidden(int signal, siginfo_t *information, void *context)
{
    (void)signal;
    (void)context;
    if (shared_page != NULL) {
        atomic_store(&shared_page->forbidden, (uint32_t)information->si_syscall + 1);
    }
    _exit(WN_EXIT_SOFTWARE);
}

static void handle_forbidden(void)
{
    struct sigaction action = {.sa_sigaction = forbidden, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigset_t none;
    sigemptyset(&none);
    sigemptyset(&action.sa_mask);
    sigaction(SIGSYS, &action, NULL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

enum { LOADING = 1, RUNNING = 2, BOTH = 3 };

/* What may be asked of the kernel, and when. A mode's constructors run under the first step's rules, and nothing makes
 * them return: what LOADING allows is what a hostile mode has for good. */
static const struct allowed {
    int call;
    int when;
} allowed[] = {
    /* the conversation, and what a mode prints while it is being made */
    {SCMP_SYS(read), BOTH},
    {SCMP_SYS(readv), BOTH},
    {SCMP_SYS(write), BOTH},
    {SCMP_SYS(writev), BOTH},
    {SCMP_SYS(poll), BOTH},
    {SCMP_SYS(ppoll), BOTH},
    {SCMP_SYS(lseek), BOTH},
    {SCMP_SYS(fstat), BOTH},
    {SCMP_SYS(close), BOTH},
    /* memory */
    {SCMP_SYS(brk), BOTH},
    {SCMP_SYS(munmap), BOTH},
    {SCMP_SYS(mremap), BOTH},
    {SCMP_SYS(madvise), BOTH},
    {SCMP_SYS(mprotect), LOADING},
    {SCMP_SYS(sysinfo), BOTH}, /* qsort() sizes its memory by it */
    {SCMP_SYS(sched_getaffinity), BOTH},
    {SCMP_SYS(getrandom), BOTH},
    {SCMP_SYS(futex), BOTH},
    /* time: a mode has no use for it, but waiting harms nobody, and a turn that takes too long is ended */
    {SCMP_SYS(clock_gettime), BOTH},
    {SCMP_SYS(clock_getres), BOTH},
    {SCMP_SYS(gettimeofday), BOTH},
    {SCMP_SYS(time), BOTH},
    {SCMP_SYS(nanosleep), BOTH},
    {SCMP_SYS(clock_nanosleep), BOTH},
    {SCMP_SYS(pause), BOTH},
    {SCMP_SYS(restart_syscall), BOTH},
    {SCMP_SYS(sched_yield), BOTH},
    /* its end */
    {SCMP_SYS(exit), BOTH},
    {SCMP_SYS(exit_group), BOTH},
    {SCMP_SYS(getpid), BOTH},
    {SCMP_SYS(gettid), BOTH},
    {SCMP_SYS(rt_sigprocmask), BOTH},
    {SCMP_SYS(rt_sigreturn), BOTH},
    /* loading shared objects; which files can be opened, Landlock says */
    {SCMP_SYS(access), LOADING},
    {SCMP_SYS(faccessat), LOADING},
    {SCMP_SYS(faccessat2), LOADING},
    {SCMP_SYS(stat), LOADING},
    {SCMP_SYS(newfstatat), LOADING},
    {SCMP_SYS(statx), LOADING},
    {SCMP_SYS(pread64), LOADING},
    {SCMP_SYS(getcwd), LOADING},
    {SCMP_SYS(readlink), LOADING},
    {SCMP_SYS(readlinkat), LOADING},
    {SCMP_SYS(getrlimit), LOADING},
    {SCMP_SYS(rt_sigaction), LOADING},
    /* the second step */
    {SCMP_SYS(seccomp), LOADING},
    {SCMP_SYS(landlock_create_ruleset), LOADING},
    {SCMP_SYS(landlock_add_rule), LOADING},
    {SCMP_SYS(landlock_restrict_self), LOADING},
};

static int allow(scmp_filter_ctx filter, int when)
{
    int failure = 0;
    for (size_t i = 0; failure == 0 && i < sizeof allowed / sizeof *allowed; i++) {
        if ((allowed[i].when & when) != 0) {
            failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i].call, 0);
        }
    }
    /* raise() and abort(); no signal to anybody else */
    const struct scmp_arg_cmp ours = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = (scmp_datum_t)getpid()};
    return failure != 0 ? failure : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, ours);
}

#define ALL_OF(argument, mask, value)                                                                                  \
    {                                                                                                                  \
        .arg = (argument), .op = SCMP_CMP_MASKED_EQ, .datum_a = (mask), .datum_b = (value)                             \
    }
#define IS(argument, value)                                                                                            \
    {                                                                                                                  \
        .arg = (argument), .op = SCMP_CMP_EQ, .datum_a = (value)                                                       \
    }

/* What may be asked of the kernel with some arguments only. Numbers are compared whole, so that none hides in bits that
 * the kernel does not look at.
 *
 * Memory: loaded code is all the code there is, none can be executed that was not when the mode was loaded. None is
 * shared or grows like a stack, which the limit on data would not count. Files are opened to read: without Landlock,
 * nothing else sees to that. A limit can be asked for, of this process; setting one, of any process of the daemon's
 * user, would be the end of that. Nothing clears the signal that comes when the daemon dies. A stdio stream asks what
 * its descriptor is before it first writes: that fails and does it no harm, where an answer would be a way into the
 * terminal of whoever started the daemon. */
static const struct narrowed {
    int call;
    int when;
    uint32_t action;
    unsigned count;
    struct scmp_arg_cmp conditions[2];
} narrowed[] = {
    {SCMP_SYS(mmap), LOADING, SCMP_ACT_ALLOW, 1, {ALL_OF(3, MAP_SHARED | MAP_GROWSDOWN, 0)}},
    {SCMP_SYS(mmap), RUNNING, SCMP_ACT_ALLOW, 2, {ALL_OF(2, PROT_EXEC, 0), ALL_OF(3, MAP_SHARED | MAP_GROWSDOWN, 0)}},
    {SCMP_SYS(mprotect), RUNNING, SCMP_ACT_ALLOW, 1, {ALL_OF(2, PROT_EXEC, 0)}},
    {SCMP_SYS(newfstatat), RUNNING, SCMP_ACT_ERRNO(EPERM), 0, {{0}}},
    {SCMP_SYS(ioctl), BOTH, SCMP_ACT_ERRNO(ENOTTY), 0, {{0}}},
    {SCMP_SYS(open), LOADING, SCMP_ACT_ALLOW, 1, {ALL_OF(1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY)}},
    {SCMP_SYS(openat), LOADING, SCMP_ACT_ALLOW, 1, {ALL_OF(2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY)}},
    {SCMP_SYS(prlimit64), LOADING, SCMP_ACT_ALLOW, 2, {IS(0, 0), IS(2, 0)}},
    {SCMP_SYS(prctl), LOADING, SCMP_ACT_ALLOW, 1, {IS(0, PR_SET_NO_NEW_PRIVS)}},
    {SCMP_SYS(prctl), LOADING, SCMP_ACT_ALLOW, 1, {IS(0, PR_SET_SECCOMP)}},
    {SCMP_SYS(prctl), LOADING, SCMP_ACT_ALLOW, 1, {IS(0, PR_GET_SECCOMP)}},
};

static int allow_some(scmp_filter_ctx filter, int when)
{
    int failure = 0;
    for (size_t i = 0; failure == 0 && i < sizeof narrowed / sizeof *narrowed; i++) {
        const struct narrowed *rule = &narrowed[i];
        if ((rule->when & when) != 0) {
            failure = seccomp_rule_add_array(filter, rule->action, rule->call, rule->count, rule->conditions);
        }
    }
    return failure;
}

/* Everything else is answered with SIGSYS. Returns what is lacking. */
static uint32_t restrict_calls(int when)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (filter == NULL) {
        return WN_LACKING_SECCOMP;
    }
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree: every turn passes through it */
    const bool done = allow(filter, when) == 0 && allow_some(filter, when) == 0 && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return done ? 0 : WN_LACKING_SECCOMP;
}

/* the steps */

uint32_t wn_sandbox_load(const char *mode, size_t memory, wn_blame *blame)
{
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s", mode);
    const char *const readable[] = {mode, dirname(directory), "/usr", "/lib", "/lib64", "/etc/ld.so.cache"};
    shared_page = blame;
    offer_to_die_first();
    set_limits(memory);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (is_instrumented()) {
        return WN_LACKING_UNINSTRUMENTED;
    }
    handle_forbidden();
    return restrict_files(readable, sizeof readable / sizeof *readable) | restrict_calls(LOADING);
}

uint32_t wn_sandbox_run(void)
{
    if (is_instrumented()) {
        return WN_LACKING_UNINSTRUMENTED;
    }
    handle_forbidden(); /* the mode's constructors may have put another in its place */
    return restrict_files(NULL, 0) | restrict_calls(RUNNING);
}
