# shellcheck shell=bash
# checkout.sh: what frontends/play and tests/run both do before they can start: install the packages that are missing
# and find, lock and configure a build directory. To be sourced by bash, with `warren_root` and `warren_name` (of the
# script, for its messages) set. It builds nothing and starts nothing.
: "${warren_root:?}" "${warren_name:?}"

# say SENTENCE...: a line for the person. fail STATUS SENTENCE...: the last one.
say() {
    printf '%s: %s\n' "$warren_name" "$*" >&2
}

fail() {
    local status=$1
    shift
    say "$@"
    exit "$status"
}

# version: prints that of this checkout.
version() {
    sed -n 's/^project(warren VERSION \([0-9.]*\).*/warren \1/p' "$warren_root/CMakeLists.txt"
}

# run COMMAND...: runs a program in such a way that a signal for the script is acted on at once, not when the program has
# ended. It keeps the terminal, and Ctrl-C reaches it, which bash takes from a program in the background by default.
exec {warren_stdin}<&0
warren_child=

run() {
    env --default-signal=INT,QUIT "$@" <&"$warren_stdin" &
    warren_child=$!
    local status=0
    wait "$warren_child" || status=$?
    warren_child=
    return "$status"
}

# is_ours PID: that process is still there and was started by this script.
is_ours() {
    [ -n "$1" ] && grep -qsx "PPid:[[:space:]]*$$" "/proc/$1/status"
}

# end_process PID: asks a process of ours to end, and after five seconds no longer asks.
end_process() {
    local try
    is_ours "$1" || return 0
    kill -TERM "$1" 2>/dev/null
    for ((try = 0; try < 100; try++)); do
        is_ours "$1" || return 0
        sleep 0.05
    done
    kill -KILL "$1" 2>/dev/null
}

# end_on_signals: from here on a signal ends the program that run() is waiting for, then the script, by way of its EXIT
# trap.
end_on_signals() {
    trap 'end_on_signal 1' HUP
    trap 'end_on_signal 2' INT
    trap 'end_on_signal 15' TERM
}

end_on_signal() {
    trap '' HUP INT TERM
    end_process "$warren_child"
    exit $((128 + $1))
}

# packages_missing SECTION...: the packages of those sections of tests/packages that are not installed, one a line.
packages_missing() {
    local wanted
    wanted=$(awk -v sections=" $* " '
        /^\[/ { section = substr($1, 2, length($1) - 2); next }
        /^[^#]/ && index(sections, " " section " ") { print $1 }' "$warren_root/tests/packages" | sort -u)
    # Virtual or unknown names are not listed at all, so compare instead of asking for the status of each.
    # shellcheck disable=SC2086 # package names, one a word
    comm -23 <(echo "$wanted") \
        <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null | sed -n 's/^.i //p' | sort -u)
}

# packages_install NAME...: installs them, by way of sudo if need be. Only one of our scripts at a time: apt waits for
# another's dpkg, but not for another's update of the lists.
packages_install() {
    local as_root=(env) command="apt-get install --no-install-recommends $*"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            fail 69 "only root can install them, and there is no sudo here. As root, run:
  apt-get update && $command"
        # Without a terminal there is nobody to type a password.
        if [ -t 0 ]; then as_root=(sudo env); else as_root=(sudo -n env); fi
    fi
    say "installing them"
    as_root+=(DEBIAN_FRONTEND=noninteractive)

    local apt=(apt-get -q -y -o DPkg::Lock::Timeout=120)
    "${as_root[@]}" "${apt[@]}" update >&2 || say "the package lists could not be brought up to date; trying with those here"
    "${as_root[@]}" "${apt[@]}" install --no-install-recommends "$@" >&2 ||
        fail 69 "installing failed; the reason is above. To try by hand, as root:
  apt-get update && $command"
}

# packages_need SECTION...: installs what is missing of those sections, and says so before it does.
packages_need() {
    local lock missing
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "no apt here, so nothing is installed; tests/packages lists what is needed, by Debian's names"
        return
    fi
    missing=$(packages_missing "$@")
    [ -n "$missing" ] || return 0

    exec {lock}</var/lib/dpkg
    if ! flock -n "$lock"; then
        say "another copy is installing packages; waiting for it"
        flock "$lock"
    fi
    mapfile -t missing < <(packages_missing "$@") # another copy may have installed them meanwhile
    if [ "${#missing[@]}" -gt 0 ]; then
        say "these packages are missing:"
        printf '  %s\n' "${missing[@]}" >&2
        packages_install "${missing[@]}"
    fi
    exec {lock}<&-
}

# make_directory DIRECTORY: makes it if need be and prints its full path; fails if it cannot be written.
make_directory() {
    mkdir -p -- "$1" && CDPATH='' cd -- "$1" && [ -w . ] && pwd -P
}

# build_directory NAME: prints build/NAME of the checkout, or, if that cannot be written, a place in the user's cache.
build_directory() {
    local cached=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/warren
    cached+=/$1-$(printf '%s' "$warren_root" | sha256sum | cut -c 1-12)
    make_directory "$warren_root/build/$1" 2>/dev/null || make_directory "$cached" 2>/dev/null ||
        fail 69 "neither $warren_root/build/$1 nor $cached can be written; XDG_CACHE_HOME may name another place"
}

# take_lock DIRECTORY WORK: waits until no other copy of our scripts does that work (build, test) there; release_lock lets
# the next one in. One lock at a time.
take_lock() {
    exec {warren_lock}>"$1/.$2-lock"
    if ! flock -n "$warren_lock"; then
        say "another copy is at work in $1; waiting for it"
        run flock "$warren_lock"
    fi
}

release_lock() {
    exec {warren_lock}>&-
}

# build_configure DIRECTORY PRESET [CMAKE ARGUMENT...]: unless that was done already for this very checkout.
build_configure() {
    local directory=$1 preset=$2
    shift 2
    if [ -f "$directory/build.ninja" ] &&
        grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$warren_root" "$directory/CMakeCache.txt" &&
        grep -qsxF "CMAKE_CACHEFILE_DIR:INTERNAL=$directory" "$directory/CMakeCache.txt"; then
        return 0
    fi
    run cmake -S "$warren_root" --preset "$preset" -B "$directory" --fresh "$@" >"$directory/configure.log" 2>&1 || {
        cat "$directory/configure.log" >&2
        return 1
    }
}
