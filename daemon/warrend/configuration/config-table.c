/* config-table.c: the settings of warren.conf: one table, from which all is made that the other files have of them; and
 * their values in a wn_config. See config-internal.h.
 */
#include "configuration/config-internal.h"

#include <string.h>

const wn_config_writing wn_config_kinds[] = {
    [WN_KIND_PATH] = {.allowed = "a path"},
    [WN_KIND_PATHS] = {.separator = ':', .allowed = "directories separated by ':'"},
    [WN_KIND_ENDPOINTS] = {.separator = ' ', .allowed = "ipc:///PATH and tcp://ADDRESS:PORT, separated by spaces"},
    [WN_KIND_PLACE] = {.allowed = "/PATH of a socket, or ADDRESS:PORT of this machine (127.0.0.1, [::1])"},
    [WN_KIND_SUBJECTS] = {.separator = ' ',
                          .allowed = "public keys, uid:NUMBER and ADDRESS or ADDRESS/BITS, separated by spaces"},
    [WN_KIND_BOOL] = {.words = {"no", "yes"}, .allowed = "yes or no"},
    [WN_KIND_NUMBER] = {.allowed = NULL},
    [WN_KIND_LEVEL] = {.words = {"error", "warning", "info", "debug"}, .allowed = "error, warning, info or debug"},
    [WN_KIND_DURABILITY] = {.words = {"normal", "full"}, .allowed = "normal or full"},
    [WN_KIND_NEWCOMERS] = {.words = {"none", "spectator", "player"}, .allowed = "none, spectator or player"},
    [WN_KIND_UPGRADE] = {.words = {"ask", "replay", "snapshot"}, .allowed = "ask, replay or snapshot"},
    [WN_KIND_SANDBOX] = {.words = {"no", "yes", "require"}, .allowed = "no, yes or require"},
};

#define SETTING(section_, key_, kind_)                                                                                 \
    .section = section_, .key = #key_, .kind = kind_, .offset = offsetof(wn_config, key_)
#define NUMBER(section_, key_, value_, min_, max_)                                                                     \
    SETTING(section_, key_, WN_KIND_NUMBER), .value = value_, .min = min_, .max = max_

const wn_config_setting wn_config_table[] = {
    {SETTING("daemon", runtime_dir, WN_KIND_PATH),
     .found =
         "$RUNTIME_DIRECTORY; /run/warren as root or warren; $XDG_RUNTIME_DIR/warren; else run/ in the state directory",
     .help = "Where the sockets are made. No spaces; at most 99 bytes, the limit of a socket's path."},
    {SETTING("daemon", state_dir, WN_KIND_PATH),
     .found = "$STATE_DIRECTORY; /var/lib/warren as root or its owner; $XDG_STATE_HOME/warren; ~/.local/state/warren",
     .help = "Where the worlds are kept. One daemon at a time uses it."},
    {SETTING("daemon", mode_path, WN_KIND_PATHS), .reload = true, .found = WARREN_MODE_DIR,
     .help = "Directories with modes, searched in this order. A mode runs as the daemon's user: keep them writable\n"
             "only by whom you trust."},
    {SETTING("daemon", host_program, WN_KIND_PATH), .reload = true,
     .found = "warren-host beside warrend, else " WARREN_LIBEXEC_DIR "/warren-host",
     .help = "The program that runs modes, one process each."},
    {SETTING("daemon", mode_files, WN_KIND_PATH), .reload = true, .found = WARREN_FILES_DIR,
     .help =
         "Directory of your own files for settings of worlds that take one, such as level packs: a mode named MODE\n"
         "finds them in MODE/ there, before its own."},
    {SETTING("daemon", bot_program, WN_KIND_PATH), .reload = true,
     .found = "warren-bot beside warrend, else " WARREN_BIN_DIR "/warren-bot",
     .help = "The program that plays in worlds whose setting bots asks for it."},
    {SETTING("daemon", log_level, WN_KIND_LEVEL), .reload = true, .value = WN_LEVEL_INFO,
     .help = "What is written to stderr or the journal: this level and those before it."},

    {SETTING("network", control, WN_KIND_ENDPOINTS), .found = "ipc://RUNTIME_DIR/control tcp://127.0.0.1:7117",
     .help = "Where frontends send requests. An address is numeric, in brackets if it is IPv6, an interface's name,\n"
             "or *; a port of * takes any free one."},
    {SETTING("network", updates, WN_KIND_ENDPOINTS), .found = "ipc://RUNTIME_DIR/updates tcp://127.0.0.1:7118",
     .help = "Where frontends subscribe to updates."},
    {SETTING("network", insecure, WN_KIND_BOOL), .value = false,
     .help = "Serve tcp addresses without keys, those that other machines can reach as well: what is sent there is\n"
             "neither encrypted nor authenticated, and anyone on the way can read and change it."},
    {NUMBER("network", heartbeat_ms, 2000, 100, 60000),
     .help = "Milliseconds after which a silent frontend or daemon is asked for a sign of life."},
    {NUMBER("network", grace_ms, 60000, 1000, 86400000),
     .help = "Milliseconds for which a lost session keeps its seats. At least twice heartbeat_ms."},
    {SETTING("network", beacon, WN_KIND_BOOL), .value = false,
     .help = "Answer frontends that look for servers on the local network, with this machine's name, the port and the\n"
             "public key: warren --list shows what it finds."},
    {NUMBER("network", beacon_port, WN_BEACON_PORT, 1, 65535), .help = "The UDP port that they ask on."},
    {NUMBER("network", send_queue, 1000, 10, 1000000),
     .help = "Updates kept for a subscriber that is slow to read, and not more than 16 MiB of large ones; what is\n"
             "beyond is lost to it, and it asks for a keyframe."},

    {SETTING("security", key_file, WN_KIND_PATH),
     .found = "$CREDENTIALS_DIRECTORY/server.key if it is there, else server.key in the state directory",
     .help =
         "The server's key, by which players know it again. It is made at the first start, with mode 0600; whoever\n"
         "has a copy can impersonate this server."},
    {SETTING("security", newcomers, WN_KIND_NEWCOMERS), .reload = true, .value = WN_NEWCOMERS_PLAYER,
     .help = "What those may do who are on no list. player: all that players do. spectator: watch. none: nothing; the\n"
             "lists and warrenctl grant say who gets in."},
    {SETTING("security", admins, WN_KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may do everything, besides root and the daemon's own user on this machine. These lists and what\n"
             "warrenctl grant and ban keep are one; a ban comes before anything else."},
    {SETTING("security", players, WN_KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may play whatever newcomers says."},
    {SETTING("security", spectators, WN_KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may only watch, whatever newcomers says."},
    {SETTING("security", banned, WN_KIND_SUBJECTS), .reload = true, .found = "nobody", .help = "Who is turned away."},
    {SETTING("security", plain_loopback, WN_KIND_BOOL), .value = true,
     .help = "Serve tcp addresses of this machine (127.0.0.1, [::1]) without keys: programs in any language connect\n"
             "with no further setup, and nobody is known there by more than a name."},
    {SETTING("security", introduce, WN_KIND_BOOL), .value = true,
     .help = "Tell the server's public key to whoever asks, two ports above each control address that takes keys, so\n"
             "that players need not have it from somewhere else before they connect for the first time."},

    {SETTING("store", durability, WN_KIND_DURABILITY), .value = WN_DURABILITY_NORMAL,
     .help = "normal: no crash of a process loses anything, a power failure at most the last moments. full: every\n"
             "turn is on the disk before anyone sees it; slower."},
    {NUMBER("store", snapshot_turns, 10000, 10, 10000000), .reload = true,
     .help = "A world is saved whole after this many turns, which bounds what a restart has to play again."},
    {NUMBER("store", snapshot_bytes, 1 << 20, 4096, 1 << 30), .reload = true,
     .help = "It is saved as well after this many bytes of journal."},
    {NUMBER("store", journal_mib, 64, 1, 1048576), .reload = true,
     .help =
         "MiB of journal that a world may have since it was saved whole the last time. It is saved at half of that at\n"
         "the latest; one that its mode does not save is parked, so that no mode fills the disk."},
    {NUMBER("store", hash_turns, 256, 0, 10000000), .reload = true,
     .help = "Every this many turns the journal gets a hash of the world's state, so that a replay finds the turn at\n"
             "which it became another. 0: never."},
    {SETTING("store", keep_history, WN_KIND_BOOL), .value = false,
     .help = "Keep the journal from the first turn on, so that whole games can be exported. Otherwise what a saved\n"
             "world makes superfluous is removed."},

    {SETTING("metrics", listen, WN_KIND_PLACE), .found = "nowhere",
     .help =
         "Where a monitoring system of this machine gets numbers by HTTP: /metrics in the text of OpenMetrics, and\n"
         "/health, which is 200 or 503 with a sentence; warrend(8) tells of both. Nobody is asked there who they are."},

    {NUMBER("hosts", turn_limit_ms, 2000, 10, 600000), .reload = true,
     .help = "Milliseconds a turn may take. A longer one is given up and its host is started again."},
    {NUMBER("hosts", restarts, 5, 0, 15), .reload = true,
     .help = "A mode whose host crashes more often than this within restart_window_s is given up on."},
    {NUMBER("hosts", restart_window_s, 60, 1, 86400), .reload = true,
     .help = "Seconds over which crashes are counted."},
    {NUMBER("hosts", idle_s, 60, 0, 86400), .reload = true,
     .help = "Seconds after which a host without worlds is stopped."},
    {NUMBER("hosts", world_memory_mib, 64, 1, 65536), .reload = true,
     .help = "MiB of memory that the mode may take for one world."},
    {NUMBER("hosts", memory_mib, 4096, 0, 1048576), .reload = true,
     .help = "MiB of memory that the host of a mode may take for all its worlds, and for itself. A mode refused\n"
             "more memory counts as crashed, so from three quarters of it on no world is made. 0: no limit."},
    {SETTING("hosts", sandbox, WN_KIND_SANDBOX), .reload = true, .value = WN_SANDBOX_YES,
     .help = "Take from modes what they need not ask of the kernel: network, files, other processes. yes: as far as\n"
             "this kernel can, and the log says what it cannot; require: a mode does not run where it cannot; no: a\n"
             "mode can do what the daemon can, for debugging one."},
    {SETTING("hosts", on_upgrade, WN_KIND_UPGRADE), .reload = true, .value = WN_UPGRADE_ASK,
     .help = "What to do with a world whose last turns were played by another build of its mode and not saved whole.\n"
             "ask: it waits for warrenctl recover. replay: this build plays them again. snapshot: it goes on from the\n"
             "last saved state, and those turns are lost."},

    {NUMBER("limits", request_bytes, 16384, 512, WN_REQUEST_BYTES), .reload = true, .help = "Bytes of one request."},
    {NUMBER("limits", requests_per_second, 200, 1, 1000000), .reload = true,
     .help = "Requests of one connection per second; commands are requests. Twice as many may come at once."},
    {NUMBER("limits", name_bytes, WN_NAME_BYTES, 1, WN_NAME_BYTES), .reload = true,
     .help = "Bytes of a player's or a world's name."},
    {NUMBER("limits", chat_bytes, WN_CHAT_BYTES, 1, WN_CHAT_BYTES), .reload = true,
     .help = "Bytes of one chat message."},
    {NUMBER("limits", queued_commands, 64, 1, 4096), .help = "Commands of one seat that wait for their turn."},
    {NUMBER("limits", worlds_per_player, 16, 1, 1000000), .reload = true,
     .help = "Worlds that one player has made and not closed."},
    {NUMBER("limits", seats_per_player, 8, 1, 1024), .help = "Seats that one player holds at a time."},
    {NUMBER("limits", worlds, 20000, 1, 10000000), .reload = true, .help = "Worlds in all."},
    {NUMBER("limits", bots_per_player, 64, 0, 1000000), .reload = true,
     .help = "Seats that bots fill in the worlds of one player, by their setting bots."},
    {NUMBER("limits", bots, 256, 0, 1000000), .reload = true,
     .help = "Seats that bots fill in all worlds. Each world with bots has a process for them."},
    {NUMBER("limits", sessions, 10000, 1, 1000000), .reload = true,
     .help = "Sessions in all, those within their grace time included. Each that is connected takes two file\n"
             "descriptors: see warrend(8)."},
    {NUMBER("limits", keyframes_per_second, 10, 1, 1000), .reload = true,
     .help = "Keyframes of one view that may be asked for per second."},
    {NUMBER("limits", requests_per_player, 1000, 1, 1000000), .reload = true,
     .help = "Requests per second of all connections of one key, or of one user of this machine."},
    {NUMBER("limits", requests_per_address, 2000, 1, 1000000), .reload = true,
     .help = "Requests per second of all connections from one network address; from 64 bits of an IPv6 one. This\n"
             "machine's own addresses have no such limit: everyone on it shares them."},
    {NUMBER("limits", sessions_per_player, 16, 1, 1000000), .reload = true,
     .help =
         "Sessions of one key, or of one user of this machine. Twice as many connections may send requests, and of\n"
         "one user four times as many may be open, whatever they do."},
    {NUMBER("limits", sessions_per_address, 64, 1, 1000000), .reload = true,
     .help = "Sessions from one network address, likewise: four times as many connections may be open. This machine's\n"
             "own addresses have three quarters of all sessions and of all file descriptors together."},
    {NUMBER("limits", names_per_player, 16, 1, 1000000), .reload = true,
     .help = "Names that belong to one key or user. What it calls itself beyond that is its own only while it plays."},
    {NUMBER("limits", names, 100000, 1, 10000000), .reload = true,
     .help = "Names in all that belong to somebody. When there are so many, those that nobody has played under for 90\n"
             "days make room for others."},
    {NUMBER("limits", rules, 10000, 1, 1000000), .reload = true,
     .help = "Rights and bans that are about the whole server."},
    {NUMBER("limits", rules_per_world, 100, 1, 10000), .reload = true,
     .help = "Rights of one world, invitations to it, and players put out of it."},
    {NUMBER("limits", worlds_per_address, 500, 1, 1000000), .reload = true,
     .help = "Worlds that are made from one network address in a day, whatever the number of keys; from 64 bits of an\n"
             "IPv6 one. Not those of administrators, nor of this machine's own addresses."},
    {NUMBER("limits", names_per_address, 500, 1, 1000000), .reload = true,
     .help =
         "Names that somebody gets for good from one network address in a day, likewise. Those beyond are their own\n"
         "only while they play."},
    {NUMBER("limits", scores, 100000, 100, 1000000),
     .help =
         "Scores of one mode that are kept: of each player one for each table and world, of all worlds that were\n"
         "closed one for each table. When there are so many, those that nobody has added to for 90 days, and before\n"
         "that those of names that belong to nobody, make room for others."},
};

const size_t wn_config_count = sizeof wn_config_table / sizeof *wn_config_table;
_Static_assert(sizeof wn_config_table / sizeof *wn_config_table <= WN_CONFIG_MOST, "raise WN_CONFIG_MOST");

bool wn_config_has_section(const char *section)
{
    for (size_t i = 0; i < wn_config_count; i++) {
        if (strcmp(wn_config_table[i].section, section) == 0) {
            return true;
        }
    }
    return false;
}

const wn_config_setting *wn_config_find(const char *section, const char *key)
{
    for (size_t i = 0; i < wn_config_count; i++) {
        if (strcmp(wn_config_table[i].section, section) == 0 && strcmp(wn_config_table[i].key, key) == 0) {
            return &wn_config_table[i];
        }
    }
    return NULL;
}

void wn_config_describe_allowed(const wn_config_setting *entry, char *text, size_t size)
{
    if (entry->kind == WN_KIND_NUMBER) {
        snprintf(text, size, "a number from %u to %u", entry->min, entry->max);
    } else {
        snprintf(text, size, "%s", wn_config_kinds[entry->kind].allowed);
    }
}

/* values */

bool wn_config_is_text(const wn_config_setting *entry)
{
    return entry->kind <= WN_KIND_SUBJECTS;
}

char **wn_config_text(const wn_config *config, const wn_config_setting *entry)
{
    return (char **)((char *)config + entry->offset);
}

uint32_t wn_config_number(const wn_config *config, const wn_config_setting *entry)
{
    const char *at = (const char *)config + entry->offset;
    uint32_t number;
    bool truth;
    if (entry->kind == WN_KIND_BOOL) {
        memcpy(&truth, at, sizeof truth);
        return truth;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

void wn_config_put_number(wn_config *config, const wn_config_setting *entry, uint32_t number)
{
    char *at = (char *)config + entry->offset;
    bool truth = number != 0;
    _Static_assert(sizeof(wn_level) == sizeof number && sizeof(wn_durability) == sizeof number &&
                       sizeof(wn_upgrade) == sizeof number && sizeof(wn_newcomers) == sizeof number &&
                       sizeof(wn_sandboxing) == sizeof number,
                   "choices are numbers");
    if (entry->kind == WN_KIND_BOOL) {
        memcpy(at, &truth, sizeof truth);
    } else {
        memcpy(at, &number, sizeof number);
    }
}

bool wn_config_is_same(const wn_config *one, const wn_config *other, const wn_config_setting *entry)
{
    return wn_config_is_text(entry) ? strcmp(*wn_config_text(one, entry), *wn_config_text(other, entry)) == 0
                                    : wn_config_number(one, entry) == wn_config_number(other, entry);
}
