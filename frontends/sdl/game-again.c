/* game-again.c: the box over the game after the player's seat was ended: why, and the question whether to enter again.
 * See game.h; the dialogue itself is reentry.h's part.
 */
#include <stdio.h>

#include "game.h"
#include "key.h"

/* Picks are the keys that mean the same. */
static void add_answer(wn_sheet *sheet, uint32_t key, const char *text)
{
    char name[WN_KEY_NAME_BYTES];
    wn_key_name(name, sizeof name, key, true);
    wn_sheet_add_pick(sheet, (int)key, text, name);
}

static void add_answers(const wn_reentry *again, wn_sheet *sheet)
{
    wn_sheet_gap(sheet);
    if (again->stage == WN_REENTRY_ASKING) {
        add_answer(sheet, 'y', "Enter again");
        if (wn_reentry_has_ways(again)) {
            add_answer(sheet, 'o', "Enter in another way");
        }
        add_answer(sheet, 'w', "Write a message");
        add_answer(sheet, 'n', "Leave this world");
    } else if (again->stage == WN_REENTRY_CHOOSING) {
        for (size_t i = 0; i < again->mode->n_entries; i++) {
            wn_sheet_add_way(sheet, again->mode, i);
        }
    } else if (again->stage == WN_REENTRY_ENTERING) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_KEY, "Entering\xe2\x80\xa6");
    }
}

void wn_game_fill_again(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_game_add_result(game, sheet);
    if (game->play.again.trouble[0] != '\0') {
        wn_sheet_gap(sheet);
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_BAD, "%s", game->play.again.trouble);
    }
    add_answers(&game->play.again, sheet);
    snprintf(sheet->footer, sizeof sheet->footer, "%s",
             game->play.again.stage == WN_REENTRY_CHOOSING ? "Enter chooses, Esc: back"
             : game->play.again.stage == WN_REENTRY_ASKING ? "Enter chooses, Esc: look around"
                                                           : "");
}
