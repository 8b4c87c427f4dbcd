"""A kernel that knows fewer system calls than this one, for the processes of a test: functions for subprocess's
preexec_fn, made with libseccomp."""

import ctypes
import os
import subprocess

# <seccomp.h>
ALLOW, ERRNO, EQUAL = 0x7FFF0000, 0x00050000, 4
EPERM, ENOSYS = 1, 38


class Comparison(ctypes.Structure):
    """struct scmp_arg_cmp"""
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("value", ctypes.c_uint64),
                ("other", ctypes.c_uint64)]


def _library():
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint,
                                               ctypes.c_void_p]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    return library


def _filter(otherwise, actions):
    """Calls that are named get their action, the rest the other. One with a number is meant with that as its first
    argument."""
    library = _library()
    rules = []
    for call, action in actions.items():
        name, _, argument = call.partition(" ")
        number = library.seccomp_syscall_resolve_name(name.encode())
        comparisons = [Comparison(0, EQUAL, int(argument), 0)] if argument else []
        if number != -1:  # else it is one of other machines
            rules.append((action, number, len(comparisons), (Comparison * len(comparisons))(*comparisons)))

    def load():
        kernel = library.seccomp_init(otherwise)
        for rule in rules:
            if library.seccomp_rule_add_array(kernel, *rule) != 0:
                os._exit(99)
        if library.seccomp_load(kernel) != 0:
            os._exit(99)
    return load


def without(*calls):
    """It does not know these."""
    return _filter(ALLOW, dict.fromkeys(calls, ERRNO | ENOSYS))


def as_in(lines):
    """The kernel that a unit's lines of SystemCallFilter= leave, the first of which names what is allowed."""
    allowed = set()
    for line in lines:
        calls = _calls_of(line.lstrip("~").split())
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    return _filter(ERRNO | EPERM, dict.fromkeys(allowed, ALLOW))


def _calls_of(words):
    """Names of calls, for names of calls and of sets."""
    calls = set()
    for word in words:
        if not word.startswith("@"):
            calls.add(word)
            continue
        text = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True,
                              check=True).stdout
        calls |= _calls_of(line.strip() for line in text.splitlines()[1:] if line.strip() and "#" not in line)
    return calls
