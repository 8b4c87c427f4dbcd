/* config.c: the table of settings and everything that is made from it: defaults, parsing, ranges, the documented file.
 * It opens no socket and makes no directory.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAD_SETTING WARREN__ERROR_CODE__ERROR_BAD_SETTING

/* the table */

typedef enum kind {
    KIND_PATH,
    KIND_PATHS,
    KIND_ENDPOINTS,
    KIND_PLACE,
    KIND_SUBJECTS,
    KIND_BOOL,
    KIND_NUMBER,
    KIND_LEVEL,
    KIND_DURABILITY,
    KIND_UPGRADE,
    KIND_NEWCOMERS,
    KIND_SANDBOX
} kind;

/* How a kind is written: the separator of lists (their elements may go on in indented lines), the words of choices. */
static const struct kind_entry {
    char separator;
    const char *words[5];
    const char *allowed; /* NULL: the range of the setting */
} kind_table[] = {
    [KIND_PATH] = {.allowed = "a path"},
    [KIND_PATHS] = {.separator = ':', .allowed = "directories separated by ':'"},
    [KIND_ENDPOINTS] = {.separator = ' ', .allowed = "ipc:///PATH and tcp://ADDRESS:PORT, separated by spaces"},
    [KIND_PLACE] = {.allowed = "/PATH of a socket, or ADDRESS:PORT of this machine (127.0.0.1, [::1])"},
    [KIND_SUBJECTS] = {.separator = ' ',
                       .allowed = "public keys, uid:NUMBER and ADDRESS or ADDRESS/BITS, separated by spaces"},
    [KIND_BOOL] = {.words = {"no", "yes"}, .allowed = "yes or no"},
    [KIND_NUMBER] = {.allowed = NULL},
    [KIND_LEVEL] = {.words = {"error", "warning", "info", "debug"}, .allowed = "error, warning, info or debug"},
    [KIND_DURABILITY] = {.words = {"normal", "full"}, .allowed = "normal or full"},
    [KIND_NEWCOMERS] = {.words = {"none", "spectator", "player"}, .allowed = "none, spectator or player"},
    [KIND_UPGRADE] = {.words = {"ask", "replay", "snapshot"}, .allowed = "ask, replay or snapshot"},
    [KIND_SANDBOX] = {.words = {"no", "yes", "require"}, .allowed = "no, yes or require"},
};

typedef struct setting {
    const char *section, *key;
    kind kind;
    size_t offset;
    uint32_t value, min, max; /* default and range; of choices the default's index */
    const char *found;        /* of paths and endpoints: where the default comes from */
    bool reload;              /* can change while the daemon runs */
    const char *help;         /* comment lines */
} setting;

#define SETTING(section_, key_, kind_)                                                                                 \
    .section = section_, .key = #key_, .kind = kind_, .offset = offsetof(wn_config, key_)
#define NUMBER(section_, key_, value_, min_, max_)                                                                     \
    SETTING(section_, key_, KIND_NUMBER), .value = value_, .min = min_, .max = max_

static const setting table[] = {
    {SETTING("daemon", runtime_dir, KIND_PATH),
     .found = "$RUNTIME_DIRECTORY; /run/warren as root; $XDG_RUNTIME_DIR/warren; else run/ in the state directory",
     .help = "Where the sockets are made. No spaces; at most 99 bytes, the limit of a socket's path."},
    {SETTING("daemon", state_dir, KIND_PATH),
     .found = "$STATE_DIRECTORY; /var/lib/warren as root; $XDG_STATE_HOME/warren; ~/.local/state/warren",
     .help = "Where the worlds are kept. One daemon at a time uses it."},
    {SETTING("daemon", mode_path, KIND_PATHS), .reload = true, .found = WARREN_MODE_DIR,
     .help = "Directories with modes, searched in this order. A mode runs as the daemon's user: keep them writable\n"
             "only by whom you trust."},
    {SETTING("daemon", host_program, KIND_PATH), .reload = true,
     .found = "warren-host beside warrend, else " WARREN_LIBEXEC_DIR "/warren-host",
     .help = "The program that runs modes, one process each."},
    {SETTING("daemon", mode_files, KIND_PATH), .reload = true, .found = WARREN_FILES_DIR,
     .help =
         "Directory of your own files for settings of worlds that take one, such as level packs: a mode named MODE\n"
         "finds them in MODE/ there, before its own."},
    {SETTING("daemon", bot_program, KIND_PATH), .reload = true,
     .found = "warren-bot beside warrend, else " WARREN_BIN_DIR "/warren-bot",
     .help = "The program that plays in worlds whose setting bots asks for it."},
    {SETTING("daemon", log_level, KIND_LEVEL), .reload = true, .value = WN_LEVEL_INFO,
     .help = "What is written to stderr or the journal: this level and those before it."},

    {SETTING("network", control, KIND_ENDPOINTS), .found = "ipc://RUNTIME_DIR/control tcp://127.0.0.1:7117",
     .help = "Where frontends send requests. An address is numeric, in brackets if it is IPv6, an interface's name,\n"
             "or *; a port of * takes any free one."},
    {SETTING("network", updates, KIND_ENDPOINTS), .found = "ipc://RUNTIME_DIR/updates tcp://127.0.0.1:7118",
     .help = "Where frontends subscribe to updates."},
    {SETTING("network", insecure, KIND_BOOL), .value = false,
     .help = "Serve tcp addresses without keys, those that other machines can reach as well: what is sent there is\n"
             "neither encrypted nor authenticated, and anyone on the way can read and change it."},
    {NUMBER("network", heartbeat_ms, 2000, 100, 60000),
     .help = "Milliseconds after which a silent frontend or daemon is asked for a sign of life."},
    {NUMBER("network", grace_ms, 60000, 1000, 86400000),
     .help = "Milliseconds for which a lost session keeps its seats. At least twice heartbeat_ms."},
    {SETTING("network", beacon, KIND_BOOL), .value = false,
     .help = "Answer frontends that look for servers on the local network, with this machine's name, the port and the\n"
             "public key: warren --list shows what it finds."},
    {NUMBER("network", beacon_port, WN_BEACON_PORT, 1, 65535), .help = "The UDP port that they ask on."},
    {NUMBER("network", send_queue, 1000, 10, 1000000),
     .help = "Updates kept for a subscriber that is slow to read; what is beyond is lost to it, and it asks for a\n"
             "keyframe."},

    {SETTING("security", key_file, KIND_PATH),
     .found = "$CREDENTIALS_DIRECTORY/server.key if it is there, else server.key in the state directory",
     .help =
         "The server's key, by which players know it again. It is made at the first start, with mode 0600; whoever\n"
         "has a copy can impersonate this server."},
    {SETTING("security", newcomers, KIND_NEWCOMERS), .reload = true, .value = WN_NEWCOMERS_PLAYER,
     .help = "What those may do who are on no list. player: all that players do. spectator: watch. none: nothing; the\n"
             "lists and warrenctl grant say who gets in."},
    {SETTING("security", admins, KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may do everything, besides root and the daemon's own user on this machine. These lists and what\n"
             "warrenctl grant and ban keep are one; a ban comes before anything else."},
    {SETTING("security", players, KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may play whatever newcomers says."},
    {SETTING("security", spectators, KIND_SUBJECTS), .reload = true, .found = "nobody",
     .help = "Who may only watch, whatever newcomers says."},
    {SETTING("security", banned, KIND_SUBJECTS), .reload = true, .found = "nobody", .help = "Who is turned away."},
    {SETTING("security", plain_loopback, KIND_BOOL), .value = true,
     .help = "Serve tcp addresses of this machine (127.0.0.1, [::1]) without keys: programs in any language connect\n"
             "with no further setup, and nobody is known there by more than a name."},
    {SETTING("security", introduce, KIND_BOOL), .value = true,
     .help = "Tell the server's public key to whoever asks, two ports above each control address that takes keys, so\n"
             "that players need not have it from somewhere else before they connect for the first time."},

    {SETTING("store", durability, KIND_DURABILITY), .value = WN_DURABILITY_NORMAL,
     .help = "normal: no crash of a process loses anything, a power failure at most the last moments. full: every\n"
             "turn is on the disk before anyone sees it; slower."},
    {NUMBER("store", snapshot_turns, 10000, 10, 10000000), .reload = true,
     .help = "A world is saved whole after this many turns, which bounds what a restart has to play again."},
    {NUMBER("store", snapshot_bytes, 1 << 20, 4096, 1 << 30), .reload = true,
     .help = "It is saved as well after this many bytes of journal."},
    {NUMBER("store", hash_turns, 256, 0, 10000000), .reload = true,
     .help = "Every this many turns the journal gets a hash of the world's state, so that a replay finds the turn at\n"
             "which it became another. 0: never."},
    {SETTING("store", keep_history, KIND_BOOL), .value = false,
     .help = "Keep the journal from the first turn on, so that whole games can be exported. Otherwise what a saved\n"
             "world makes superfluous is removed."},

    {SETTING("metrics", listen, KIND_PLACE), .found = "nowhere",
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
    {SETTING("hosts", sandbox, KIND_SANDBOX), .reload = true, .value = WN_SANDBOX_YES,
     .help = "Take from modes what they need not ask of the kernel: network, files, other processes. yes: as far as\n"
             "this kernel can, and the log says what it cannot; require: a mode does not run where it cannot; no: a\n"
             "mode can do what the daemon can, for debugging one."},
    {SETTING("hosts", on_upgrade, KIND_UPGRADE), .reload = true, .value = WN_UPGRADE_ASK,
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
};

enum { SETTING_COUNT = sizeof table / sizeof *table };

static char **text_of(const wn_config *config, const setting *entry)
{
    return (char **)((char *)config + entry->offset);
}

static uint32_t number_of(const wn_config *config, const setting *entry)
{
    const char *at = (const char *)config + entry->offset;
    uint32_t number;
    bool truth;
    if (entry->kind == KIND_BOOL) {
        memcpy(&truth, at, sizeof truth);
        return truth;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

static void put_number(wn_config *config, const setting *entry, uint32_t number)
{
    char *at = (char *)config + entry->offset;
    bool truth = number != 0;
    _Static_assert(sizeof(wn_level) == sizeof number && sizeof(wn_durability) == sizeof number &&
                       sizeof(wn_upgrade) == sizeof number && sizeof(wn_newcomers) == sizeof number &&
                       sizeof(wn_sandboxing) == sizeof number,
                   "choices are numbers");
    if (entry->kind == KIND_BOOL) {
        memcpy(at, &truth, sizeof truth);
    } else {
        memcpy(at, &number, sizeof number);
    }
}

static bool is_text(const setting *entry)
{
    return entry->kind <= KIND_SUBJECTS;
}

static const setting *find_setting(const char *section, const char *key)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(table[i].section, section) == 0 && strcmp(table[i].key, key) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* defaults */

static bool out_of_memory(wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the configuration");
}

__attribute__((format(printf, 1, 2))) static char *text_of_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    return text;
}

/* $name, or NULL where it is unset or no absolute path, which the XDG base directory specification says to ignore. */
static const char *directory_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] == '/' ? value : NULL;
}

static char *default_state_dir(void)
{
    const char *from;
    if ((from = directory_variable("STATE_DIRECTORY")) != NULL) {
        return strndup(from, strcspn(from, ":")); /* systemd separates several by ':' */
    }
    if (geteuid() == 0) {
        return strdup("/var/lib/warren");
    }
    if ((from = directory_variable("XDG_STATE_HOME")) != NULL) {
        return text_of_format("%s/warren", from);
    }
    if ((from = directory_variable("HOME")) != NULL) {
        return text_of_format("%s/.local/state/warren", from);
    }
    return strdup("");
}

static char *default_runtime_dir(const char *state_dir)
{
    const char *from;
    if ((from = directory_variable("RUNTIME_DIRECTORY")) != NULL) {
        return strndup(from, strcspn(from, ":"));
    }
    if (geteuid() == 0) {
        return strdup("/run/warren");
    }
    if ((from = directory_variable("XDG_RUNTIME_DIR")) != NULL) {
        return text_of_format("%s/warren", from);
    }
    return state_dir[0] == '\0' ? strdup("") : text_of_format("%s/run", state_dir);
}

/* A program beside this one, else the installed one. */
static char *default_program(const char *name, const char *installed)
{
    char self[4096];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size > 0) {
        self[size] = '\0';
        char *slash = strrchr(self, '/');
        char *beside = slash == NULL ? NULL : text_of_format("%.*s/%s", (int)(slash - self), self, name);
        if (beside != NULL && access(beside, X_OK) == 0) {
            return beside;
        }
        free(beside);
    }
    return strdup(installed);
}

static char *default_endpoints(const char *runtime_dir, const char *name, unsigned port)
{
    return text_of_format("ipc://%s/%s tcp://127.0.0.1:%u", runtime_dir, name, port);
}

/* The name that systemd's LoadCredential= gives it, or what is made at the first start. */
static char *default_key_file(const char *state_dir)
{
    const char *from = directory_variable("CREDENTIALS_DIRECTORY");
    char *credential = from == NULL ? NULL : text_of_format("%s/server.key", from);
    if (credential != NULL && access(credential, F_OK) == 0) {
        return credential;
    }
    free(credential);
    return state_dir[0] == '\0' ? strdup("") : text_of_format("%s/server.key", state_dir);
}

bool wn_config_init(wn_config *config, wn_error *error)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (!is_text(&table[i])) {
            put_number(config, &table[i], table[i].value);
        }
    }
    config->state_dir = default_state_dir();
    if (config->state_dir != NULL) {
        config->runtime_dir = default_runtime_dir(config->state_dir);
        config->key_file = default_key_file(config->state_dir);
    }
    if (config->runtime_dir != NULL) {
        config->control = default_endpoints(config->runtime_dir, "control", WN_CONTROL_PORT);
        config->updates = default_endpoints(config->runtime_dir, "updates", WN_UPDATES_PORT);
    }
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (table[i].kind == KIND_SUBJECTS || table[i].kind == KIND_PLACE) {
            *text_of(config, &table[i]) = strdup("");
        }
    }
    config->mode_path = strdup(WARREN_MODE_DIR);
    config->mode_files = strdup(WARREN_FILES_DIR);
    config->host_program = default_program("warren-host", WARREN_LIBEXEC_DIR "/warren-host");
    config->bot_program = default_program("warren-bot", WARREN_BIN_DIR "/warren-bot");
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (is_text(&table[i]) && *text_of(config, &table[i]) == NULL) {
            wn_config_free(config);
            return out_of_memory(error);
        }
    }
    return true;
}

void wn_config_free(wn_config *config)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (is_text(&table[i])) {
            free(*text_of(config, &table[i]));
        }
    }
    free(config->file);
    memset(config, 0, sizeof *config);
}

/* parsing */

/* Where a value stands, for the sentence about it. */
typedef struct place {
    const char *file; /* NULL: --set */
    int line;
} place;

static void describe_allowed(const setting *entry, char *text, size_t size)
{
    if (entry->kind == KIND_NUMBER) {
        snprintf(text, size, "a number from %u to %u", entry->min, entry->max);
    } else {
        snprintf(text, size, "%s", kind_table[entry->kind].allowed);
    }
}

static bool bad_value(const place *at, const setting *entry, const char *value, const char *why, wn_error *error)
{
    char where[512] = "--set", allowed[128];
    if (at->file != NULL) {
        snprintf(where, sizeof where, "%.400s:%d", at->file, at->line);
    }
    describe_allowed(entry, allowed, sizeof allowed);
    return wn_fail_with(error, BAD_SETTING, entry->key, 0, "%s: %s.%s = \"%.100s\"%s%s: it takes %s", where,
                        entry->section, entry->key, value, why[0] == '\0' ? "" : ": ", why, allowed);
}

/* An absolute path for one that starts at the working directory: the daemon and its hosts may leave it. */
static char *absolute_path(const char *path, size_t length)
{
    if (length > 0 && path[0] == '/') {
        return strndup(path, length);
    }
    char *here = getcwd(NULL, 0);
    char *absolute = here == NULL ? NULL : text_of_format("%s/%.*s", here, (int)length, path);
    free(here);
    return absolute;
}

/* Appends one element to a list, or begins it. Takes `element`. */
static bool join(char **list, char separator, char *element)
{
    char *joined =
        *list == NULL ? element : (element == NULL ? NULL : text_of_format("%s%c%s", *list, separator, element));
    if (joined == NULL) {
        return false;
    }
    if (joined != element) {
        free(element);
    }
    free(*list);
    *list = joined;
    return true;
}

/* The value as it is kept: lists with one separator between elements, paths absolute. NULL: no memory, or no element.
 */
static char *normal_text(const setting *entry, const char *value)
{
    if (entry->kind == KIND_PATH) {
        return absolute_path(value, strlen(value));
    }
    if (entry->kind == KIND_PLACE) {
        return strdup(value);
    }
    const char separators[] = {kind_table[entry->kind].separator, '\t', '\0'};
    char *list = NULL;
    for (value += strspn(value, separators); *value != '\0'; value += strspn(value, separators)) {
        size_t length = strcspn(value, separators);
        char *element = entry->kind == KIND_PATHS ? absolute_path(value, length) : strndup(value, length);
        if (!join(&list, separators[0], element)) {
            free(list);
            return NULL;
        }
        value += length;
    }
    return list;
}

/* Endpoints that were made from the runtime directory move with it. */
static bool move_endpoints(char **endpoints, const char *from, const char *to, const char *name, unsigned port)
{
    char *old = default_endpoints(from, name, port);
    bool follow = old != NULL && strcmp(*endpoints, old) == 0;
    free(old);
    char *moved = follow ? default_endpoints(to, name, port) : NULL;
    if (moved != NULL) {
        free(*endpoints);
        *endpoints = moved;
    }
    return !follow || moved != NULL;
}

/* So does the key with the state directory. */
static bool move_key_file(char **key_file, const char *from, const char *to)
{
    char *old = default_key_file(from);
    const bool follow = old != NULL && strcmp(*key_file, old) == 0;
    free(old);
    char *moved = follow ? default_key_file(to) : NULL;
    if (moved != NULL) {
        free(*key_file);
        *key_file = moved;
    }
    return !follow || moved != NULL;
}

static bool set_text(wn_config *config, const setting *entry, const char *value, bool more, const place *at,
                     wn_error *error)
{
    if (value[0] == '\0') {
        return bad_value(at, entry, value, "it is empty", error);
    }
    for (const char *c = value; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || (*c == ' ' && c[1] == ';')) {
            return bad_value(at, entry, value, "control characters and \" ;\" cannot stand in it", error);
        }
    }
    char *text = normal_text(entry, value);
    char **kept = text_of(config, entry);
    if (text == NULL) {
        return out_of_memory(error);
    }
    if (more) {
        return join(kept, kind_table[entry->kind].separator, text) || out_of_memory(error);
    }
    if (entry->offset == offsetof(wn_config, runtime_dir) &&
        (!move_endpoints(&config->control, *kept, text, "control", WN_CONTROL_PORT) ||
         !move_endpoints(&config->updates, *kept, text, "updates", WN_UPDATES_PORT))) {
        free(text);
        return out_of_memory(error);
    }
    if (entry->offset == offsetof(wn_config, state_dir) && !move_key_file(&config->key_file, *kept, text)) {
        free(text);
        return out_of_memory(error);
    }
    free(*kept);
    *kept = text;
    return true;
}

static bool parse_number(const setting *entry, const char *value, uint32_t *number)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 10 || value[digits] != '\0') {
        return false;
    }
    unsigned long long parsed = strtoull(value, NULL, 10);
    *number = (uint32_t)parsed;
    return parsed >= entry->min && parsed <= entry->max;
}

static bool parse_word(const setting *entry, const char *value, uint32_t *number)
{
    const char *const *words = kind_table[entry->kind].words;
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (strcasecmp(words[i], value) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

/* `more`: the value goes on with what stood in the line before. */
static bool set_value(wn_config *config, const setting *entry, const char *value, bool more, const place *at,
                      wn_error *error)
{
    if (is_text(entry)) {
        return set_text(config, entry, value, more, at, error);
    }
    uint32_t number = 0;
    bool good = entry->kind == KIND_NUMBER ? parse_number(entry, value, &number) : parse_word(entry, value, &number);
    if (!good) {
        return bad_value(at, entry, value, "", error);
    }
    put_number(config, entry, number);
    return true;
}

bool wn_config_set(wn_config *config, const char *assignment, wn_error *error)
{
    const char *dot = strchr(assignment, '.'), *equals = strchr(assignment, '=');
    if (dot == NULL || equals == NULL || dot > equals) {
        return wn_fail_with(error, BAD_SETTING, "", 0, "--set %.100s: it takes SECTION.KEY=VALUE", assignment);
    }
    char section[WN_NAME_BYTES + 1], key[WN_NAME_BYTES + 1];
    snprintf(section, sizeof section, "%.*s", (int)(dot - assignment), assignment);
    snprintf(key, sizeof key, "%.*s", (int)(equals - dot - 1), dot + 1);
    const setting *entry = find_setting(section, key);
    if (entry == NULL) {
        return wn_fail_with(error, BAD_SETTING, key, 0,
                            "--set %.100s: there is no setting %s.%s; --print-config shows all there are", assignment,
                            section, key);
    }
    return set_value(config, entry, equals + 1, false, &(place){0}, error);
}

/* the file */

typedef struct file_reading {
    wn_config *config;
    wn_error *error;
    FILE *file;
    place at;
    bool indented, failed;
    const setting *last;      /* the key that an indented line goes on with */
    int lines[SETTING_COUNT]; /* where each key stands; 0: not yet */
} file_reading;

static char *fail_line(file_reading *reading, const char *what, size_t limit)
{
    reading->failed = true;
    wn_fail_with(reading->error, BAD_SETTING, "", limit, "%.400s:%d: %s", reading->at.file, reading->at.line, what);
    return NULL;
}

/* Hands the parser one line. It would cut a line that is longer than its buffer in two, and take what follows a
 * section's name for nothing: here both are errors. */
static char *read_line(char *line, int size, void *context)
{
    file_reading *reading = context;
    if (reading->failed || fgets(line, size, reading->file) == NULL) {
        return NULL;
    }
    reading->at.line++;
    size_t length = strlen(line);
    if (length + 1 == (size_t)size && line[length - 1] != '\n') {
        return fail_line(reading, "the line is too long; lists may go on in indented lines", (size_t)size - 1);
    }
    reading->indented = line[0] == ' ' || line[0] == '\t';
    if (line[0] == '[') {
        reading->last = NULL;
        const char *end = strchr(line, ']');
        if (end == NULL) {
            return fail_line(reading, "the name of a section ends in ']'", 0);
        }
        const char *rest = end + 1 + strspn(end + 1, " \t\r\n");
        if (rest[0] != '\0' && rest[0] != ';' && rest[0] != '#') {
            return fail_line(reading, "nothing may follow [section] in its line", 0);
        }
    }
    return line;
}

static bool take_value(file_reading *reading, const char *section, const char *key, const char *value)
{
    const setting *entry = find_setting(section, key);
    const char *file = reading->at.file;
    int line = reading->at.line;
    if (entry == NULL) {
        return wn_fail_with(reading->error, BAD_SETTING, key, 0,
                            "%.400s:%d: there is no setting %.40s in [%.40s] (%.40s = \"%.60s\"); "
                            "warrend --print-config shows all there are",
                            file, line, key, section, key, value);
    }
    bool more = reading->indented && reading->last == entry;
    if (more && kind_table[entry->kind].separator == '\0') {
        return bad_value(&reading->at, entry, value, "an indented line goes on with the value before it",
                         reading->error);
    }
    int *stands = &reading->lines[entry - table];
    if (!more && *stands != 0) {
        return wn_fail_with(reading->error, BAD_SETTING, key, 0, "%.400s:%d: %s = \"%.60s\": it was set in line %d",
                            file, line, key, value, *stands);
    }
    *stands = line;
    reading->last = entry;
    return set_value(reading->config, entry, value, more, &reading->at, reading->error);
}

static int take_line(void *context, const char *section, const char *key, const char *value)
{
    file_reading *reading = context;
    if (reading->failed) {
        return 0;
    }
    char text[512];
    snprintf(text, sizeof text, "%s", value == NULL ? "" : value);
    /* The parser leaves comments in lines that go on. */
    char *comment = strstr(text, " ;");
    if (comment != NULL) {
        *comment = '\0';
    }
    reading->failed = !take_value(reading, section, key, text);
    return !reading->failed;
}

static FILE *fail_open(const char *path, const char *why, wn_error *error)
{
    wn_fail_with(error, BAD_SETTING, "", 0, "cannot read the configuration file %.400s: %s", path, why);
    return NULL;
}

/* Not what one might wait for without end, since a running daemon reads it too. /dev/null is a file without lines. */
static FILE *open_file(const char *path, wn_error *error)
{
    struct stat found;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return fail_open(path, strerror(errno), error);
    }
    const bool known = fstat(descriptor, &found) == 0;
    if (known && (S_ISREG(found.st_mode) || S_ISCHR(found.st_mode))) {
        FILE *file = fdopen(descriptor, "r");
        return file != NULL ? file : fail_open(path, strerror(errno), error);
    }
    close(descriptor);
    return fail_open(path, !known ? strerror(errno) : S_ISDIR(found.st_mode) ? "Is a directory" : "Is no file", error);
}

/* The parser takes a NUL for the end of its line, and would leave out whatever follows. */
static bool check_text(FILE *file, const char *path, wn_error *error)
{
    int character, line = 1;
    while ((character = getc(file)) != EOF && character != '\0') {
        line += character == '\n' ? 1 : 0;
    }
    if (character == '\0') {
        return wn_fail_with(error, BAD_SETTING, "", 0, "%.400s:%d: there is a NUL, so this is no text", path, line);
    }
    rewind(file);
    return true;
}

bool wn_config_read(wn_config *config, const char *path, wn_error *error)
{
    FILE *file = open_file(path, error);
    if (file == NULL) {
        return false;
    }
    if (!check_text(file, path, error)) {
        fclose(file);
        return false;
    }
    free(config->file);
    config->file = strdup(path);
    file_reading reading = {.config = config, .error = error, .file = file, .at.file = path};
    int bad_line = ini_parse_stream(read_line, &reading, take_line, &reading);
    bool broken = ferror(file) != 0;
    fclose(file);
    if (reading.failed) {
        return false;
    }
    if (broken) {
        return wn_fail_with(error, BAD_SETTING, "", 0, "cannot read the configuration file %.400s", path);
    }
    if (bad_line != 0) {
        return wn_fail_with(error, BAD_SETTING, "", 0, "%.400s:%d: it takes [section], key = value or # comment", path,
                            bad_line);
    }
    return true;
}

/* all of it */

static char *default_file(void)
{
    const char *from = directory_variable("CONFIGURATION_DIRECTORY");
    return from == NULL ? strdup(WARREN_CONFIG_FILE)
                        : text_of_format("%.*s/warren.conf", (int)strcspn(from, ":"), from);
}

bool wn_config_load(wn_config *config, const wn_config_source *source, wn_error *error)
{
    if (!wn_config_init(config, error)) {
        return false;
    }
    char *found = source->file != NULL ? strdup(source->file) : default_file();
    const bool missing = found != NULL && access(found, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
    const bool read = found != NULL && ((source->file == NULL && missing) || wn_config_read(config, found, error));
    if (found == NULL) {
        out_of_memory(error);
    }
    free(found);
    if (!read) {
        return false;
    }
    for (size_t i = 0; i < source->set_count; i++) {
        if (!wn_config_set(config, source->sets[i], error)) {
            return false;
        }
    }
    return true;
}

static bool is_same(const wn_config *one, const wn_config *other, const setting *entry)
{
    return is_text(entry) ? strcmp(*text_of(one, entry), *text_of(other, entry)) == 0
                          : number_of(one, entry) == number_of(other, entry);
}

static void move_value(wn_config *to, wn_config *from, const setting *entry)
{
    if (is_text(entry)) {
        char *former = *text_of(to, entry);
        *text_of(to, entry) = *text_of(from, entry);
        *text_of(from, entry) = former;
    } else {
        put_number(to, entry, number_of(from, entry));
    }
}

void wn_config_adopt(wn_config *config, wn_config *fresh, wn_config_news *tell, void *context)
{
    for (const setting *entry = table; entry < table + SETTING_COUNT; entry++) {
        if (is_same(config, fresh, entry)) {
            continue;
        }
        if (entry->reload) {
            move_value(config, fresh, entry);
        }
        tell(context, entry->section, entry->key, entry->reload);
    }
    char *former = config->file;
    config->file = fresh->file;
    fresh->file = former;
}

/* printing */

static void print_comment(const char *text, FILE *to)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(to, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* The default as words: of what depends on where the daemon runs, how it is found. */
static const char *standard_of(const setting *entry, char *text, size_t size)
{
    if (is_text(entry)) {
        snprintf(text, size, "%s", entry->found);
    } else if (entry->kind == KIND_NUMBER) {
        snprintf(text, size, "%u", entry->value);
    } else {
        snprintf(text, size, "%s", kind_table[entry->kind].words[entry->value]);
    }
    return text;
}

/* One element of a list in a line, for the parser's lines are short. */
static void print_text(const setting *entry, const char *value, const char *mark, FILE *to)
{
    char separator = kind_table[entry->kind].separator;
    fprintf(to, "%s%s =%s", mark, entry->key, value[0] == '\0' ? "" : " ");
    for (; *value != '\0'; value++) {
        if (*value == separator) {
            fprintf(to, "\n%s    ", mark);
        } else {
            fputc(*value, to);
        }
    }
    fputc('\n', to);
}

static void print_value(const wn_config *config, const setting *entry, const char *mark, FILE *to)
{
    char standard[256];
    if (is_text(entry)) {
        print_text(entry, config == NULL ? "" : *text_of(config, entry), mark, to);
    } else if (config == NULL) {
        fprintf(to, "%s%s = %s\n", mark, entry->key, standard_of(entry, standard, sizeof standard));
    } else if (entry->kind == KIND_NUMBER) {
        fprintf(to, "%s%s = %u\n", mark, entry->key, number_of(config, entry));
    } else {
        fprintf(to, "%s%s = %s\n", mark, entry->key, kind_table[entry->kind].words[number_of(config, entry)]);
    }
}

/* `standard` is what a reader of the file has so far, without the comments: a value that it has anyway stands in one,
 * so that a default remains one wherever the file is read. */
static bool print_setting(const wn_config *config, wn_config *standard, const setting *entry, FILE *to, wn_error *error)
{
    char allowed[128], words[256];
    const bool comment = config == NULL || is_same(config, standard, entry);
    describe_allowed(entry, allowed, sizeof allowed);
    print_comment(entry->help, to);
    fprintf(to, "# It takes %s.%sDefault: %s%s\n", allowed, is_text(entry) ? "\n# " : " ",
            standard_of(entry, words, sizeof words), entry->reload ? " (reload)" : "");
    print_value(config, entry, comment ? "# " : "", to);
    return comment || !is_text(entry) || set_text(standard, entry, *text_of(config, entry), false, &(place){0}, error);
}

bool wn_config_print(const wn_config *config, FILE *to, wn_error *error)
{
    wn_config standard;
    if (!wn_config_init(&standard, error)) {
        return false;
    }
    fputs("# warren.conf: the settings of warrend. What is not set here has its default.\n"
          "# Lines that begin with '#' or ';' are comments, and so is what follows \" ;\" in a line.\n"
          "# A change of what is marked (reload) takes effect on SIGHUP, of the rest at the next start.\n",
          to);
    const char *section = "";
    bool good = true;
    for (size_t i = 0; good && i < SETTING_COUNT; i++) {
        if (strcmp(section, table[i].section) != 0) {
            fprintf(to, "\n[%s]\n", section = table[i].section);
        }
        fputc('\n', to);
        good = print_setting(config, &standard, &table[i], to, error);
    }
    wn_config_free(&standard);
    return good;
}

/* Text of a page: a line for each sentence, none of which is taken for an instruction. */
static void print_prose(const char *text, FILE *to)
{
    for (char before = '\n'; *text != '\0'; text++) {
        const char character = *text == ' ' && before == '.' ? '\n' : *text;
        if (before == '\n' && (character == '.' || character == '\'')) {
            fputs("\\&", to);
        }
        fputc(character, to);
        if (character == '\\') {
            fputc('e', to);
        }
        before = character;
    }
    fputc('\n', to);
}

void wn_config_print_page(FILE *to)
{
    const char *section = NULL;
    for (const setting *entry = table; entry < table + SETTING_COUNT; entry++) {
        char allowed[128], standard[256];
        if (section == NULL || strcmp(section, entry->section) != 0) {
            fprintf(to, "%s.Ss \\&[%s]\n.Bl -tag -width Ds\n", section == NULL ? "" : ".El\n", entry->section);
        }
        section = entry->section;
        describe_allowed(entry, allowed, sizeof allowed);
        fprintf(to, ".It Va %s\n", entry->key);
        print_prose(entry->help, to);
        fprintf(to, "It takes %s.\n", allowed);
        fprintf(to, "Default: %s.\n%s", standard_of(entry, standard, sizeof standard),
                entry->reload ? "A change takes effect on reload.\n" : "");
    }
    fputs(".El\n", to);
}
