/* config.h: warren.conf, an INI file: one table (config-table.c) drives parsing, ranges, defaults and documentation.
 * Unknown sections and keys are errors.
 */
#ifndef WARREN_CONFIG_H
#define WARREN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "log.h"
#include "store/store.h"
#include "wire.h"

/* What becomes of a world whose last turns, since its snapshot, were played by another build of its mode. */
typedef enum wn_upgrade {
    WN_UPGRADE_ASK,     /* it waits for an administrator */
    WN_UPGRADE_REPLAY,  /* the new build plays them */
    WN_UPGRADE_SNAPSHOT /* they are given up */
} wn_upgrade;

/* Whether what a mode can ask of the kernel is taken from it. */
typedef enum wn_sandboxing { WN_SANDBOX_NO, WN_SANDBOX_YES, WN_SANDBOX_REQUIRE } wn_sandboxing;

/* What those may do who are on no list. */
typedef enum wn_newcomers { WN_NEWCOMERS_NONE, WN_NEWCOMERS_SPECTATOR, WN_NEWCOMERS_PLAYER } wn_newcomers;

typedef struct wn_config {
    char *file; /* that was read; NULL: there was none, and it is all defaults and assignments */
    /* [daemon] */
    char *runtime_dir; /* sockets; default $RUNTIME_DIRECTORY, /run/warren as root, $XDG_RUNTIME_DIR/warren */
    char *state_dir;   /* the store; for the defaults of both see config-defaults.c */
    char *mode_files;  /* operator's files for modes, by mode; "": none */
    char *bot_program;
    char *mode_path;    /* directories with modes, separated by ':'; default the installed one */
    char *host_program; /* warren-host; default beside warrend, else the installed one */
    wn_level log_level;
    /* [network] */
    char *control; /* endpoints, separated by spaces; default ipc://RUNTIME/control tcp://127.0.0.1:7117 */
    char *updates; /* ipc://RUNTIME/updates tcp://127.0.0.1:7118 */
    bool insecure; /* tcp without keys */
    uint32_t heartbeat_ms, grace_ms;
    bool beacon; /* answer who looks for servers */
    uint32_t beacon_port;
    uint32_t send_queue; /* updates kept for a slow subscriber before it loses some */
    /* [security] */
    char *key_file; /* default server.key in $CREDENTIALS_DIRECTORY or in the state directory */
    wn_newcomers newcomers;
    char *admins, *players, *spectators, *banned; /* see access.h; "": nobody */
    bool plain_loopback;                          /* loopback tcp without keys */
    bool introduce;                               /* tell the key to whoever asks */
    /* [store] */
    wn_durability durability;
    uint32_t snapshot_turns; /* a snapshot after so many journal entries */
    uint32_t snapshot_bytes; /* or after so many bytes of them */
    uint32_t journal_mib;    /* with more since the last one a world is parked */
    uint32_t hash_turns;     /* a hash of the state every so many turns; 0: never */
    bool keep_history;       /* snapshots do not trim the journal */
    /* [metrics] */
    char *listen; /* "/PATH" or "ADDRESS:PORT" of this machine; "": nowhere */
    /* [hosts] */
    uint32_t turn_limit_ms;              /* a turn that takes longer is given up and its host restarted */
    uint32_t restarts, restart_window_s; /* more crashes than that within the window: the mode is given up on */
    uint32_t idle_s;                     /* a host without worlds is stopped after that */
    uint32_t world_memory_mib, memory_mib;
    wn_sandboxing sandbox;
    wn_upgrade on_upgrade;
    /* [limits] */
    uint32_t request_bytes, requests_per_second, name_bytes, chat_bytes, queued_commands, worlds_per_player,
        seats_per_player, worlds, sessions, keyframes_per_second, requests_per_player, requests_per_address,
        sessions_per_player, sessions_per_address, names_per_player, names, rules, rules_per_world, bots,
        bots_per_player, scores, worlds_per_address, names_per_address;
} wn_config;

/* Defaults for this user and environment. */
bool wn_config_init(wn_config *config, wn_error *error);
/* Reads a file over it. The error names file, line, key, value and what is allowed. */
bool wn_config_read(wn_config *config, const char *path, wn_error *error);
/* One "section.key=value", as of --set. */
bool wn_config_set(wn_config *config, const char *assignment, wn_error *error);
/* Where a configuration comes from: what stands later wins. */
typedef struct wn_config_source {
    const char *file; /* NULL: warren.conf in $CONFIGURATION_DIRECTORY, else the installed one, if it is there */
    const char *const *sets;
    size_t set_count;
} wn_config_source;

/* Defaults, file and assignments. On failure there is still something to free. */
bool wn_config_load(wn_config *config, const wn_config_source *source, wn_error *error);
/* Moves the values that can change while the daemon runs from `fresh`, and tells of each that differs. */
typedef void wn_config_news(void *context, const char *section, const char *key, bool adopted);
void wn_config_adopt(wn_config *config, wn_config *fresh, wn_config_news *tell, void *context);
/* What only all of it together can tell: addresses that are none, settings that do not fit together, and so on. */
bool wn_config_check(const wn_config *config, wn_error *error);
/* Is it served with CURVE keys? All of tcp is, but for loopback if plain_loopback says so, or with `insecure`. */
bool wn_config_takes_keys(const wn_config *config, const char *endpoint);
/* The documented file, with the values of `config`; those that are defaults stand in comments. NULL: all of them do. */
bool wn_config_print(const wn_config *config, FILE *to, wn_error *error);
/* The settings as sections of warren.conf(5), in mdoc. */
void wn_config_print_page(FILE *to);
void wn_config_free(wn_config *config);

#endif
