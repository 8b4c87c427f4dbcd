/* modes.h: the modes that were found on disk: what each says of itself, its worlds, when its host is started again, and
 * when it is given up on. The hosts themselves are hosts.h's part.
 */
#ifndef WARREN_MODES_H
#define WARREN_MODES_H

#include "daemon.h"

/* Looks for NAME.so in the directories of mode_path (the first of a name wins) and starts a host for each, to learn
 * what it is. false: no directory holds a mode; the sentence names them. */
bool wn_modes_find(wn_daemon *daemon, wn_error *error);
/* Starts hosts for modes that have come since, and once more for those that were given up on. */
void wn_modes_look_again(wn_daemon *daemon);
/* Ends their processes, and waits for that. */
void wn_modes_free(wn_daemon *daemon);

/* The mode of that name, whatever its state; NULL: there is none. */
wn_installed_mode *wn_modes_lookup(wn_daemon *daemon, const char *name);
/* true when every mode has said what it is, or was given up on. */
bool wn_modes_settled(const wn_daemon *daemon);

/* A world more or less: without any, the host is stopped after a while. */
void wn_mode_add_game(wn_installed_mode *mode, wn_game *game);
void wn_mode_remove_game(wn_installed_mode *mode, wn_game *game);

/* Takes what it says of itself, unless this build has said it before. false: it was given up on for that. */
bool wn_mode_describe(wn_installed_mode *mode, const Warren__Host__Ready *ready);

/* Ends its host and starts none any more, until somebody asks for that; `reason` is a sentence. */
void wn_mode_give_up(wn_installed_mode *mode, const char *reason);
/* To be tried once more, though it was given up on: as soon as its process is gone. */
void wn_mode_try_again(wn_installed_mode *mode);
/* Handler of its timer `restart`. */
void wn_mode_restart_due(void *context);
/* Its host is gone: as it was asked to, or after the mode was given up on; or else. */
void wn_mode_host_stopped(wn_installed_mode *mode);
void wn_mode_host_died(wn_installed_mode *mode, const wn_host_process_ending *end);

#endif
