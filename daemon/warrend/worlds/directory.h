/* directory.h: the worlds there are: find, make, close, describe. What happens in them is turns.h's part.
 */
#ifndef WARREN_DIRECTORY_H
#define WARREN_DIRECTORY_H

#include "daemon.h"

void wn_directory_open(wn_daemon *daemon);
void wn_directory_close(wn_daemon *daemon);

wn_game *wn_game_by_id(wn_daemon *daemon, uint32_t id);
wn_game *wn_game_by_name(wn_daemon *daemon, const char *name);
/* Is it in a host that has it, running or over? Elsewhere nothing can be asked about it. */
bool wn_game_is_served(const wn_game *game);
uint32_t wn_games_owned(wn_daemon *daemon, const wn_session *session);

/* Takes a world into the directory as the store has it; it is STARTING until loading.c has it in its host.
 * `mode` NULL: its mode is not here, so it is PARKED. */
wn_game *wn_game_new(wn_daemon *daemon, const wn_stored_world *stored, wn_installed_mode *mode);
/* Frees it and all its seats and views, here and in its host. Sessions must have been told before. */
void wn_game_free(wn_game *game);

/* Its settings as its host and recordings have them: without the daemon's own. Taken from the arena, strings stay the
 * game's. */
Warren__SettingValue **wn_game_host_settings(const wn_game *game, wn_arena *arena, size_t *count);

/* Its host, if it runs, forgets it. */
void wn_game_destroy_in_host(const wn_game *game);

/* Fills in what WorldInfo tells; `secrets`: the seed too. Lists are taken from the arena, strings stay the game's. */
void wn_game_describe(const wn_game *game, bool secrets, wn_arena *arena, Warren__WorldInfo *info);
/* No turn comes any more; everyone there gets a Notice. `stored`: write it down too. */
void wn_game_set_over(wn_game *game, wn_game_state state, const char *outcome, bool stored);

/* A seat becomes free; its view's key is void. */
void wn_seat_free(wn_game *game, uint32_t seat);
/* The seat's table, allocated with the first need of it. */
wn_seat *wn_seat_at(wn_game *game, uint32_t seat);

#endif
