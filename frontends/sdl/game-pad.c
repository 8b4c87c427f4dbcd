/* game-pad.c: what a gamepad does in the game. See game.h. */
#include "game.h"
#include "key.h"

enum { HELD_MOST = 1 };

static bool go(wn_app *app, uint32_t direction)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (game->play.watching || replica == NULL) {
        return false; /* arrow keys look around */
    }
    if (game->view.first_person) {
        wn_game_walk(app, wn_walk_of_step(direction));
        return true;
    }
    const int step = wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_STEP);
    if (step < 0 || replica->mode->actions[step]->argument != WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION) {
        return false;
    }
    if (direction % 2 == 0 || wn_game_has_diagonals(replica->mode->actions[step])) {
        wn_game_obey(app, wn_play_send(&game->play, (uint32_t)step, direction));
    }
    return true;
}

/* The main thing to do, where the figure faces. */
static bool use(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    const int action = replica == NULL ? -1 : wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_USE);
    if (action < 0) {
        return false;
    }
    const bool directed = replica->mode->actions[action]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
    const uint32_t argument = directed && replica->facing < WN_DIRECTIONS ? replica->facing : 0;
    wn_game_obey(app, wn_play_send(&game->play, (uint32_t)action, argument));
    return true;
}

bool wn_game_pad(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated)
{
    wn_game *game = app->state;
    if (game->play.focus != WN_PLAYING) {
        return false;
    }
    if (repeated && wn_client_pending(app->link.client, game->play.world) > HELD_MOST) {
        return true;
    }
    switch (meaning) {
    case WN_PAD_DIRECTION:
        return go(app, value);
    case WN_PAD_USE:
        return use(app);
    case WN_PAD_COMMAND:
        wn_game_obey(app, wn_play_run(&game->play, value));
        return true;
    case WN_PAD_SIDE:
        if (game->view.first_person) {
            wn_game_walk(app, value == 0 ? WN_WALK_SIDE_LEFT : WN_WALK_SIDE_RIGHT);
        }
        return true;
    default:
        return false;
    }
}
