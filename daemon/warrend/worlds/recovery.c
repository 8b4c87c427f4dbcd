/* recovery.c: what becomes of worlds when their host dies. See recovery.h.
 */
#include "worlds/recovery.h"

#include <inttypes.h>

#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

enum { CRASHES_BEFORE_PARKING = 3 };

static void take_blame(wn_game *game, bool saving)
{
    char outcome[WN_TEXT_BYTES];
    if (saving) {
        game->unsavable = true;
        wn_log_line(WN_LEVEL_ERROR, "world",
                    "its mode crashed or hung while it saved it: it goes on with its journal alone world=%s mode=%s",
                    game->name, game->mode->name);
        return;
    }
    if (game->asked == WN_ASKED_CREATE) {
        wn_loading_failed(game, "the mode crashed, or took too long, while it made the world with these settings");
        return;
    }
    game->crashes++;
    wn_turns_drop_flight(game, "the mode crashed or took too long");
    if (game->crashes >= CRASHES_BEFORE_PARKING) {
        snprintf(outcome, sizeof outcome,
                 "its mode crashed or hung %u times in a row in it, the last time after turn %" PRIu64
                 "; \"warrenctl export %s FILE\" keeps its journal for the mode's author",
                 game->crashes, game->turn, game->name);
        wn_loading_park(game, outcome);
    }
}

bool wn_recovery_host_died(wn_installed_mode *mode, uint32_t blamed, bool saving)
{
    wn_game *guilty = blamed != 0 ? wn_game_by_id(mode->daemon, blamed) : NULL;
    guilty = guilty != NULL && guilty->mode == mode ? guilty : NULL;
    const bool created = guilty != NULL && guilty->asked == WN_ASKED_CREATE;
    for (size_t i = 0; i < mode->game_count; i++) {
        wn_game *game = mode->games[i];
        game->saving = false;
        game->spectators->watched = false;
        for (uint32_t seat = 0; seat < game->seat_count; seat++) {
            if (game->seats[seat].view != NULL) {
                game->seats[seat].view->watched = false;
            }
        }
    }
    if (guilty != NULL) {
        take_blame(guilty, saving);
    }
    for (size_t i = 0; i < mode->game_count; i++) {
        wn_game *game = mode->games[i];
        if (wn_game_is_served(game)) {
            game->state = WN_GAME_STARTING;
        }
    }
    wn_loading_start_over(mode);
    return !created;
}

void wn_recovery_mode_given_up(wn_installed_mode *mode)
{
    size_t i = 0;
    while (i < mode->game_count) {
        wn_game *game = mode->games[i];
        const size_t before = mode->game_count;
        if (game->asked == WN_ASKED_CREATE) {
            wn_loading_failed(game, mode->failure);
        } else if (game->state != WN_GAME_PARKED) {
            wn_loading_park(game, mode->failure);
        }
        i += mode->game_count == before ? 1 : 0;
    }
}

void wn_recovery_mode_again(wn_installed_mode *mode)
{
    for (size_t i = 0; i < mode->game_count; i++) {
        wn_game *game = mode->games[i];
        if (game->state == WN_GAME_PARKED && game->outcome != NULL && strcmp(game->outcome, mode->failure) == 0) {
            free(game->outcome);
            game->outcome = NULL;
            game->crashes = 0;
            game->state = WN_GAME_STARTING;
        }
    }
    wn_loading_start_over(mode);
}
