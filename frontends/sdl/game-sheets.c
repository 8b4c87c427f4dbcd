/* game-sheets.c: what stands over the game: help, menu, messages, scores, preferences, keys, questions, the result. See
 * game.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "game.h"
#include "key.h"

enum { KEYS_BYTES = 80 };

/* help */

static void add_help(void *context, const wn_help_line *line)
{
    wn_sheet *sheet = context;
    if (line->kind == WN_HELP_KEYS) {
        wn_sheet_add_key(sheet, line->keys, line->text);
    } else if (line->kind == WN_HELP_GAP) {
        wn_sheet_gap(sheet);
    } else if (line->kind == WN_HELP_HEADING) {
        wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "%s", line->text);
    } else {
        wn_sheet_add(sheet, WN_STYLE_BODY, line->kind == WN_HELP_DIM ? WN_INK_DIM : WN_INK_TEXT, "%s", line->text);
    }
}

static bool is_walk(const Warren__Action *action, uint32_t direction)
{
    return wn_walk_of_action(action, (int32_t)direction) != WN_WALK_NONE;
}

/* All keys that mean this from inside; those that an action of the mode has for itself stand with that action. */
static void add_walk(wn_sheet *sheet, const wn_game *game, const Warren__Mode *mode, wn_walk walk, const char *text)
{
    char keys[KEYS_BYTES], all[2 * KEYS_BYTES] = "";
    for (uint32_t i = 0; i < mode->n_actions; i++) {
        for (uint32_t direction = 0; direction < WN_DIRECTIONS; direction++) {
            const size_t used = strlen(all);
            if (wn_walk_of_action(mode->actions[i], (int32_t)direction) != walk) {
                continue;
            }
            wn_bindings_keys(&game->play.bindings, false, i, (int32_t)direction, true, keys, sizeof keys);
            snprintf(all + used, sizeof all - used, "%s%s", used > 0 && keys[0] != '\0' ? " " : "", keys);
        }
    }
    if (all[0] != '\0' && (wn_walk_ask(mode, walk, 0).send || wn_walk_ask(mode, walk, 0).turn)) {
        wn_sheet_add_key(sheet, all, text);
    }
}

/* What is steered differently when it is seen through the player's eyes. */
static void add_inside(wn_sheet *sheet, const wn_game *game, const Warren__Mode *mode)
{
    static const struct {
        wn_walk walk;
        const char *text;
    } walks[] = {{WN_WALK_FORWARD, "go ahead"},
                 {WN_WALK_BACK, "go back, without turning"},
                 {WN_WALK_TURN_LEFT, "turn left"},
                 {WN_WALK_TURN_RIGHT, "turn right"},
                 {WN_WALK_SIDE_LEFT, "step aside to the left"},
                 {WN_WALK_SIDE_RIGHT, "step aside to the right"}};
    char key[KEYS_BYTES];
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "Through your eyes");
    for (size_t i = 0; !game->play.watching && i < sizeof walks / sizeof *walks; i++) {
        add_walk(sheet, game, mode, walks[i].walk, walks[i].text);
    }
    if (game->play.watching) {
        wn_sheet_add_key(sheet, "Left Right", "turn");
    } else if (wn_walk_ask(mode, WN_WALK_SIDE_LEFT, 0).send) {
        wn_sheet_add_key(sheet, "Shift Left Right", "step aside; with Ctrl as well");
    }
    wn_play_first_key(&game->play, WN_DO_VIEW, key, sizeof key);
    if (key[0] != '\0') {
        wn_sheet_add_key(sheet, key, "the view from above, and back");
    }
    wn_sheet_gap(sheet);
}

static void fill_help(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    const bool inside = game->view.first_person && replica != NULL;
    if (inside) {
        add_inside(sheet, game, replica->mode);
    }
    wn_play_help(&game->play, add_help, inside ? is_walk : NULL, sheet);
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "With the mouse");
    wn_sheet_add_key(sheet, "click", "step there; the right button: face there");
    wn_sheet_add_key(sheet, "drag", "look around; the next command goes back");
    wn_sheet_add_key(sheet, "wheel", "zoom");
    wn_sheet_add_key(sheet, "point", "tells what is there");
    if (replica == NULL) {
        return;
    }
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "On the map");
    wn_scene_legend(replica->mode, sheet);
}

/* the menu */

static void fill_menu(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_menu_entry *entry;
    for (size_t i = 0; (entry = wn_play_menu(&game->play, i)) != NULL; i++) {
        char keys[KEYS_BYTES] = "";
        if (entry->pick < WN_FRONTEND_COMMANDS) {
            wn_play_first_key(&game->play, (wn_frontend_command)entry->pick, keys, sizeof keys);
        }
        wn_sheet_add_pick(sheet, entry->pick, entry->text, keys);
    }
}

/* preferences */

typedef enum preference_pick {
    PICK_TEXT_SIZE,
    PICK_PALETTE,
    PICK_VOLUME,
    PICK_MUTE,
    PICK_MOTION,
    PICK_NAMES,
    PICK_GRID,
    PICK_REGIONS,
    PICK_MINIMAP,
    PICK_FULL_SCREEN,
    PICK_KEYS
} preference_pick;

static bool *switch_of(wn_preferences *preferences, int pick)
{
    switch (pick) {
    case PICK_MUTE:
        return &preferences->mute;
    case PICK_MOTION:
        return &preferences->motion;
    case PICK_NAMES:
        return &preferences->names;
    case PICK_GRID:
        return &preferences->grid;
    case PICK_REGIONS:
        return &preferences->regions;
    case PICK_MINIMAP:
        return &preferences->minimap;
    default:
        return NULL;
    }
}

static void fill_preferences(wn_app *app, wn_sheet *sheet)
{
    static const char *const switches[] = {
        [PICK_MUTE] = "Silence", [PICK_MOTION] = "Smooth motion", [PICK_NAMES] = "Names on the map",
        [PICK_GRID] = "Grid",    [PICK_REGIONS] = "Regions",      [PICK_MINIMAP] = "Small map"};
    wn_preferences *preferences = &app->preferences;
    char text[32];
    snprintf(text, sizeof text, "%d %%", preferences->text_size);
    wn_sheet_add_pick(sheet, PICK_TEXT_SIZE, "Size of text", text);
    wn_sheet_add_pick(sheet, PICK_PALETTE, "Colours", wn_palette_title((wn_palette)preferences->palette));
    snprintf(text, sizeof text, "%d %%", preferences->volume);
    wn_sheet_add_pick(sheet, PICK_VOLUME, "Volume", text);
    for (int pick = PICK_MUTE; pick <= PICK_MINIMAP; pick++) {
        wn_sheet_add_pick(sheet, pick, switches[pick], *switch_of(preferences, pick) ? "on" : "off");
    }
    wn_sheet_add_pick(sheet, PICK_FULL_SCREEN, "Full screen", app->window.full ? "on" : "off");
    wn_sheet_add_pick(sheet, PICK_KEYS, "Keys\xe2\x80\xa6", "");
}

static int stepped(int value, int by, int least, int most)
{
    value += by;
    return value < least ? least : value > most ? most : value;
}

static void change_preference(wn_app *app, int pick, int by)
{
    wn_game *game = app->state;
    wn_preferences *preferences = &app->preferences;
    bool *on = switch_of(preferences, pick);
    if (on != NULL) {
        *on = !*on;
    }
    if (pick == PICK_TEXT_SIZE) {
        preferences->text_size = stepped(preferences->text_size, 10 * by, WN_TEXT_SIZE_LEAST, WN_TEXT_SIZE_MOST);
    }
    if (pick == PICK_VOLUME) {
        preferences->volume = stepped(preferences->volume, 10 * by, 0, WN_VOLUME_MOST);
    }
    if (pick == PICK_PALETTE) {
        preferences->palette = (preferences->palette + WN_PALETTES + by) % WN_PALETTES;
    }
    if (pick == PICK_TEXT_SIZE || pick == PICK_PALETTE) {
        wn_app_restyle(app);
    }
    if (pick == PICK_FULL_SCREEN) {
        wn_app_set_full(app, !app->window.full);
    }
    if (pick == PICK_KEYS) {
        wn_play_open(&game->play, WN_IN_KEYS);
    } else {
        wn_app_keep_preferences(app);
    }
}

/* keys */

enum { KEYS_OF_FRONTEND = 1 << 20, DIRECTIONS = 16 };

/* Picks: an action's index * DIRECTIONS + 1 + direction (0: without one); the frontend's commands above those. */
static void add_bindable(wn_sheet *sheet, const wn_game *game, int pick, const char *text, bool frontend,
                         uint32_t target, int32_t argument)
{
    char keys[KEYS_BYTES];
    wn_bindings_keys(&game->play.bindings, frontend, target, argument, true, keys, sizeof keys);
    wn_sheet_add_pick(sheet, pick, text, keys[0] == '\0' ? "\xe2\x80\x94" : keys);
}

/* What an action is for, as the help has it; `way`: a direction, -1: none. */
static void words_of(const Warren__Action *action, int way, char *text, size_t size)
{
    const char *help = action->help == NULL || action->help[0] == '\0' ? action->name : action->help;
    snprintf(text, size, "%s%s%s", help, way >= 0 ? ": " : "", way >= 0 ? wn_direction_name((uint32_t)way) : "");
}

static void fill_keys(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    char text[WN_TEXT_BYTES + 32];
    if (replica != NULL) {
        wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "In %s", game->play.title);
    }
    for (uint32_t i = 0; replica != NULL && i < replica->mode->n_actions; i++) {
        const Warren__Action *action = replica->mode->actions[i];
        const int32_t asked = action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE ? 0 : WN_ASK;
        words_of(action, -1, text, sizeof text);
        add_bindable(sheet, game, (int)i * DIRECTIONS, text, false, i, asked);
        for (int32_t way = 0; action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION && way < WN_DIRECTIONS;
             way++) {
            snprintf(text, sizeof text, "\xe2\x80\x93 %s", wn_direction_name((uint32_t)way)); /* of the line above */
            add_bindable(sheet, game, (int)i * DIRECTIONS + 1 + way, text, false, i, way);
        }
    }
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "In every game");
    for (uint32_t i = 0; i < WN_FRONTEND_COMMANDS; i++) {
        if (i != WN_DO_MENU && i != WN_TERMINAL_COMMANDS - 1) {
            add_bindable(sheet, game, KEYS_OF_FRONTEND + (int)i, wn_frontend_command_info((wn_frontend_command)i)->help,
                         true, i, 0);
        }
    }
}

static void keys_pick(wn_app *app, int pick)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (pick >= KEYS_OF_FRONTEND) {
        const wn_command_info *info = wn_frontend_command_info((wn_frontend_command)(pick - KEYS_OF_FRONTEND));
        snprintf(game->binding_section, sizeof game->binding_section, "frontend");
        snprintf(game->binding_name, sizeof game->binding_name, "%s", info->name);
        snprintf(game->binding_words, sizeof game->binding_words, "%s", info->help);
    } else if (replica != NULL) {
        const int way = pick % DIRECTIONS - 1;
        words_of(replica->mode->actions[pick / DIRECTIONS], way, game->binding_words, sizeof game->binding_words);
        snprintf(game->binding_section, sizeof game->binding_section, "%s", replica->mode->name);
        snprintf(game->binding_name, sizeof game->binding_name, "%s%s%s",
                 replica->mode->actions[pick / DIRECTIONS]->name, way >= 0 ? "." : "",
                 way >= 0 ? wn_direction_name((uint32_t)way) : "");
    } else {
        return;
    }
    game->play.focus = WN_IN_NEW_KEY; /* not opened anew: the list stays where it is scrolled to */
}

/* The key goes into the player's key file, which is read again. */
static void take_new_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    char path[512], name[WN_KEY_NAME_BYTES];
    wn_error error;
    const char *given = app->options->line.keys;
    game->play.focus = WN_IN_KEYS;
    if (key == WN_KEY_ESCAPE || key >= WN_KEY_MOUSE) {
        return;
    }
    if (given != NULL) {
        snprintf(path, sizeof path, "%s", given);
    } else if (!wn_configuration_file(path, sizeof path, "keys.conf")) {
        return;
    }
    wn_key_name(name, sizeof name, key, false);
    if (!wn_key_file_change(path, game->binding_section, game->binding_name,
                            key == WN_KEY_DELETE || key == WN_KEY_BACKSPACE ? "" : name, &error)) {
        wn_app_note(app, "%s", error.text);
        return;
    }
    wn_key_file_free(app->key_file);
    wn_key_file_read(app->key_file, path);
    wn_play_bind(&game->play);
}

/* the rest */

static void fill_confirm(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "Your place in this world is given up.");
    wn_sheet_gap(sheet);
    wn_sheet_add_pick(sheet, 'y', game->play.focus == WN_CONFIRMING_QUIT ? "Quit Warren" : "Leave this world", "y");
    wn_sheet_add_pick(sheet, 'n', "Stay", "n");
}

static void add_score(void *context, const wn_score_line *line)
{
    wn_sheet *sheet = context;
    const bool own = line->kind == WN_SCORES_OWN;
    char value[WN_TEXT_BYTES + 40];
    if (line->kind == WN_SCORES_NOTE) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM, "%s", line->text);
        return;
    }
    if (line->kind == WN_SCORES_TITLE) {
        if (sheet->count > 0) {
            wn_sheet_gap(sheet);
        }
        wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "%s", line->text);
        return;
    }
    wn_sheet_line *row = wn_sheet_add(sheet, own ? WN_STYLE_BOLD : WN_STYLE_BODY, own ? WN_INK_KEY : WN_INK_TEXT,
                                      "%zu  %s", line->rank, line->text);
    snprintf(value, sizeof value, "%s%s%s", line->detail, line->detail[0] == '\0' ? "" : "   ", line->value);
    if (row != NULL) {
        row->value = strdup(value);
    }
}

static void fill_scores(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (game->play.scores.shown) {
        wn_play_all_scores(&game->play, add_score, sheet);
        return;
    }
    if (replica == NULL || replica->mode->n_board == 0) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM, "this game keeps no scores");
        return;
    }
    wn_sheet_add_space(sheet, wn_panel_board_height(&app->ink, replica)); /* the table is drawn there */
}

/* Lines of text; `heads`: the first of them is a heading. */
static void add_lines(wn_sheet *sheet, const char *text, bool heads)
{
    char *copy = text == NULL ? NULL : strdup(text), *rest = copy;
    for (const char *line; rest != NULL && (line = strsep(&rest, "\n")) != NULL; heads = false) {
        wn_sheet_add(sheet, heads ? WN_STYLE_BOLD : WN_STYLE_BODY, heads ? WN_INK_TITLE : WN_INK_TEXT, "%s", line);
    }
    free(copy);
}

void wn_game_add_result(const wn_game *game, wn_sheet *sheet)
{
    add_lines(sheet, game->play.reason, true);
    add_lines(sheet, game->play.status, false);
}

static void fill_result(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_another *another = &game->play.another;
    if (wn_another_busy(another)) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_SYSTEM, "creating another world\xe2\x80\xa6");
    } else if (wn_another_speaks(another)) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_BAD, "%s", another->trouble);
    }
    if (wn_another_speaks(another)) {
        wn_sheet_gap(sheet);
    }
    wn_game_add_result(game, sheet);
    wn_sheet_gap(sheet);
    wn_sheet_add_pick(sheet, WN_KEY_ENTER, "World list", "Enter");
    if (!wn_another_busy(another) && wn_play_may_have_another(&game->play)) {
        wn_sheet_add_pick(sheet, 'n', "Another world like it", "n");
    }
}

static void fill_messages(wn_app *app, wn_sheet *sheet)
{
    wn_scene_messages(app, sheet);
}

static void fill_new_key(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "Press the new key for this:");
    wn_sheet_add(sheet, WN_STYLE_BOLD, WN_INK_TITLE, "%s", game->binding_words);
}

static const struct {
    const char *title, *footer;
    void (*fill)(wn_app *app, wn_sheet *sheet);
    int width;
    bool centred;
    const char *footer_while_shown; /* while the world can still be looked at */
} sheets[] = {
    [WN_IN_HELP] = {"Keys", "arrows scroll, Esc closes", fill_help, 640, false, NULL},
    [WN_IN_MESSAGES] = {"Messages", "PgUp PgDn scroll, Esc closes", fill_messages, 720, false, NULL},
    [WN_IN_SCORES] = {"Scores", "arrows scroll, Esc closes", fill_scores, 420, false, NULL},
    [WN_IN_MENU] = {"Warren", "Enter chooses, Esc closes", fill_menu, 360, false, NULL},
    [WN_IN_PREFERENCES] = {"Preferences", "Left and Right change, Esc closes", fill_preferences, 480, false, NULL},
    [WN_IN_KEYS] = {"Keys", "Enter gives a new key, Esc closes", fill_keys, 520, false, NULL},
    [WN_IN_NEW_KEY] = {"A new key", "Backspace: no key at all; Esc: as it was", fill_new_key, 400, true, NULL},
    [WN_CONFIRMING_LEAVE] = {"Leave this world?", "y leaves, n stays", fill_confirm, 360, false, NULL},
    [WN_CONFIRMING_QUIT] = {"Quit Warren?", "y quits, n stays", fill_confirm, 360, false, NULL},
    [WN_IN_RESULT] = {"It is over", "Enter or Esc: world list", fill_result, 440, true,
                      "n: another like it   Enter: world list   Esc: look around"},
    [WN_ASKED_AGAIN] = {"Out of the game", "", wn_game_fill_again, 440, true, NULL},
};

bool wn_game_has_sheet(const wn_game *game)
{
    const wn_play *play = &game->play;
    const bool hides = play->focus == WN_ASKED_AGAIN && (play->hides_again || play->again.stage == WN_REENTRY_WRITING);
    return play->focus != WN_PLAYING && play->focus <= WN_LAST_BOX && !hides;
}

/* The other scores there are can be looked at as well. */
static void name_scores(wn_game *game)
{
    const wn_replica *replica = wn_play_replica(&game->play);
    const bool all = game->play.scores.shown;
    if (all) {
        snprintf(game->sheet.title, sizeof game->sheet.title, "Best of all worlds of %.80s", game->play.title);
    }
    if (wn_play_has_all_scores(&game->play) && replica->mode->n_board > 0) {
        snprintf(game->sheet.footer, sizeof game->sheet.footer, "a: %s, Esc closes", all ? "this world" : "all worlds");
    }
}

void wn_game_open_sheet(wn_app *app)
{
    wn_game *game = app->state;
    const wn_play_focus which = game->play.focus;
    if (game->opened == game->play.opened) {
        return;
    }
    game->opened = game->play.opened;
    if (which == WN_PLAYING || which > WN_LAST_BOX) {
        return;
    }
    game->pressed = game->dragged = false;
    wn_sheet_open(&game->sheet, sheets[which].title, sheets[which].footer, sheets[which].width);
    game->sheet.centred = sheets[which].centred;
    game->sheet.to_end = which == WN_IN_MESSAGES;
    if (which == WN_IN_SCORES) {
        name_scores(game);
    }
    if (which == WN_IN_RESULT && !game->play.ended) {
        snprintf(game->sheet.footer, sizeof game->sheet.footer, "%s", sheets[which].footer_while_shown);
    }
    wn_sheet_clear(&game->sheet);
    sheets[which].fill(app, &game->sheet); /* keys may come before it is drawn */
}

void wn_game_draw_sheet(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    const wn_play_focus focus = game->play.focus;
    wn_game_open_sheet(app);
    if (!wn_game_has_sheet(game)) {
        return;
    }
    if (focus == WN_IN_RESULT && game->view.banner_shown) {
        return; /* the mode says it in its own words */
    }
    wn_scene_pictures pictures = {&game->view, app, replica == NULL ? NULL : replica->mode};
    wn_sheet_clear(&game->sheet);
    sheets[focus].fill(app, &game->sheet);
    wn_sheet_draw(&game->sheet, &app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height},
                  replica == NULL ? NULL : wn_scene_picture, &pictures);
    if (focus != WN_IN_SCORES || game->play.scores.shown || replica == NULL || replica->mode->n_board == 0) {
        return;
    }
    wn_ink_clip(&app->ink, &game->sheet.inner);
    wn_panel_board(&app->ink, replica, wn_sheet_first(&game->sheet));
    wn_ink_clip(&app->ink, NULL);
}

/* choosing */

void wn_game_pick(wn_app *app, int pick)
{
    wn_game *game = app->state;
    if (pick < 0) {
        return;
    }
    if (game->play.focus == WN_IN_MENU) {
        wn_game_obey(app, wn_play_choose(&game->play, (uint32_t)pick));
    } else if (game->play.focus == WN_IN_PREFERENCES) {
        change_preference(app, pick, 1);
    } else if (game->play.focus == WN_IN_KEYS) {
        keys_pick(app, pick);
    } else { /* the line stands for a key */
        wn_game_obey(app, wn_play_key(&game->play, (uint32_t)pick));
    }
}

void wn_game_sheet_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    if (game->play.focus == WN_IN_NEW_KEY) {
        take_new_key(app, key);
    } else if (game->play.focus == WN_IN_PREFERENCES && (key == WN_KEY_LEFT || key == WN_KEY_RIGHT)) {
        change_preference(app, wn_sheet_selected(&game->sheet), key == WN_KEY_LEFT ? -1 : 1);
    } else {
        wn_game_pick(app, wn_sheet_key(&game->sheet, key));
    }
}
