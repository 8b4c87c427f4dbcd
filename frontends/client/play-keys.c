/* play-keys.c: what keys mean to somebody who plays or watches. See play.h; which key does what is in bindings.h. */
#include "play.h"

#include <stdio.h>
#include <string.h>

#include "key.h"

static const wn_play_answer stays = {.wish = WN_PLAY_STAYS};

/* what has the focus */

void wn_play_open(wn_play *play, wn_play_focus focus)
{
    play->focus = focus;
    play->opened++;
}

void wn_play_close(wn_play *play)
{
    play->cursor = WN_NO_FOCUS;
    wn_play_open(play, play->again.stage != WN_REENTRY_OFF ? WN_ASKED_AGAIN
                       : play->ended && !play->returning   ? WN_IN_RESULT
                                                           : WN_PLAYING);
}

/* actions */

wn_play_answer wn_play_send(wn_play *play, uint32_t action_index, uint32_t argument)
{
    const wn_replica *replica = wn_play_replica(play);
    if (replica == NULL || action_index >= replica->mode->n_actions) {
        return stays;
    }
    if (wn_client_command(play->client, play->world, replica->mode->actions[action_index]->id, argument) == 0) {
        wn_log_add(play->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   "That was not sent: the server has not answered your last commands yet.");
    } else {
        play->log->read_number = play->log->last_number;
    }
    return (wn_play_answer){.wish = WN_PLAY_SENT};
}

void wn_play_aim(wn_play *play, uint32_t action_index, uint32_t cell)
{
    const wn_replica *replica = wn_play_replica(play);
    if (replica == NULL || !replica->ready) {
        return;
    }
    wn_play_open(play, WN_AIMING);
    play->asked_action = action_index;
    play->cursor = cell != WN_NO_FOCUS             ? cell
                   : replica->focus != WN_NO_FOCUS ? replica->focus
                                                   : replica->height / 2 * replica->width + replica->width / 2;
}

static wn_play_answer act(wn_play *play, const wn_binding *binding)
{
    const wn_replica *replica = wn_play_replica(play);
    if (play->watching || replica == NULL) {
        return stays;
    }
    if (binding->argument != WN_ASK) {
        return wn_play_send(play, binding->target, (uint32_t)binding->argument);
    }
    if (replica->mode->actions[binding->target]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
        wn_play_aim(play, binding->target, WN_NO_FOCUS);
        return stays;
    }
    wn_play_open(play, WN_DIRECTING);
    play->asked_action = binding->target;
    return stays;
}

/* the frontend's commands */

/* Nobody has to be asked who gives nothing up. */
static bool gives_nothing_up(const wn_play *play)
{
    return play->watching || play->ended || play->world_over;
}

wn_play_answer wn_play_leave(wn_play *play)
{
    if (play->again.stage != WN_REENTRY_OFF) {
        wn_reentry_end(&play->again, true);
    } else if (wn_play_replica(play) != NULL || play->returning) {
        wn_client_leave(play->client, play->world);
    }
    snprintf(play->link->last_world, sizeof play->link->last_world, "%s", play->name);
    return (wn_play_answer){.wish = WN_PLAY_LEAVES};
}

/* A mode without a scoreboard may still have scores. */
static void open_scores(wn_play *play)
{
    const wn_replica *replica = wn_play_replica(play);
    wn_play_show_all_scores(play, replica != NULL && replica->mode->n_board == 0);
    wn_play_open(play, WN_IN_SCORES);
}

bool wn_play_may_have_another(const wn_play *play)
{
    return play->world_over && !play->ended;
}

static void make_another(wn_play *play)
{
    wn_play_open(play, WN_IN_RESULT);
    wn_another_begin(&play->another, play->client, play->name, play->way);
}

wn_play_answer wn_play_run(wn_play *play, uint32_t command)
{
    switch (command) {
    case WN_DO_HELP:
        wn_play_open(play, WN_IN_HELP);
        return stays;
    case WN_DO_MESSAGES:
        wn_play_open(play, WN_IN_MESSAGES);
        return stays;
    case WN_DO_SCORES:
        open_scores(play);
        return stays;
    case WN_DO_PREFERENCES:
        wn_play_open(play, WN_IN_PREFERENCES);
        return stays;
    case WN_DO_CHAT:
        wn_play_open(play, WN_IN_CHAT);
        wn_edit_start(&play->chat, "", wn_client_chat_bytes(play->client));
        return stays;
    case WN_DO_LEAVE:
        if (gives_nothing_up(play)) {
            return wn_play_leave(play);
        }
        wn_play_open(play, WN_CONFIRMING_LEAVE);
        return stays;
    default:
        return (wn_play_answer){.wish = WN_PLAY_RUNS, .what = command};
    }
}

/* the menu */

const wn_menu_entry *wn_play_menu(const wn_play *play, size_t index)
{
    enum { TERMINAL = 1, WINDOW = 2, BOTH = TERMINAL | WINDOW };
    static const struct {
        unsigned where;
        wn_menu_entry entry;
    } entries[] = {
        {BOTH, {"Go on", WN_MENU_RESUME}},
        {BOTH, {"Another world like it", WN_MENU_ANOTHER}}, /* when it is over */
        {BOTH, {"Help", WN_DO_HELP}},
        {BOTH, {"Messages", WN_DO_MESSAGES}},
        {BOTH, {"Say something", WN_DO_CHAT}},
        {TERMINAL, {"Names on the map", WN_DO_NAMES}},
        {BOTH, {"Scoreboard", WN_DO_SCORES}},
        {WINDOW, {"First person, or from above", WN_DO_VIEW}},
        {BOTH, {"A part of the map", WN_DO_REGION}},
        {WINDOW, {"Preferences", WN_DO_PREFERENCES}},
        {WINDOW, {"Keys", WN_MENU_KEYS}},
        {WINDOW, {"Save a picture", WN_DO_PICTURE}},
        {WINDOW, {"Record moving pictures", WN_DO_RECORD}},
        {TERMINAL, {"Draw the screen anew", WN_DO_REDRAW}},
        {BOTH, {"Leave this world", WN_DO_LEAVE}},
        {BOTH, {"Quit Warren", WN_MENU_QUIT}},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].entry.pick == WN_MENU_ANOTHER && !wn_play_may_have_another(play)) {
            continue;
        }
        if ((entries[i].where & (play->bindings.window ? WINDOW : TERMINAL)) != 0 && index-- == 0) {
            return &entries[i].entry;
        }
    }
    return NULL;
}

wn_play_answer wn_play_choose(wn_play *play, uint32_t pick)
{
    wn_play_close(play);
    if (pick < WN_FRONTEND_COMMANDS) {
        return wn_play_run(play, pick);
    }
    if (pick == WN_MENU_ANOTHER) {
        make_another(play);
    }
    if (pick == WN_MENU_KEYS) {
        wn_play_open(play, WN_IN_KEYS);
    }
    if (pick != WN_MENU_QUIT) {
        return stays;
    }
    if (gives_nothing_up(play)) {
        return (wn_play_answer){.wish = WN_PLAY_QUITS};
    }
    wn_play_open(play, WN_CONFIRMING_QUIT);
    return stays;
}

/* keys, by who takes them */

void wn_play_first_key(const wn_play *play, wn_frontend_command command, char *text, size_t size)
{
    wn_bindings_keys(&play->bindings, true, command, 0, true, text, size);
    text[strcspn(text, " ")] = '\0';
}

static void tell_unknown(wn_play *play, uint32_t key)
{
    char name[WN_KEY_NAME_BYTES], help[64];
    wn_key_name(name, sizeof name, key, true);
    wn_play_first_key(play, WN_DO_HELP, help, sizeof help);
    wn_log_format(play->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, "%s does nothing here; %s shows the keys.", name,
                  help[0] == '\0' ? "the menu (Esc)" : help);
}

static wn_play_answer pan(uint32_t key)
{
    const int direction = wn_key_direction(key);
    return direction < 0 ? stays : (wn_play_answer){.wish = WN_PLAY_PANS, .what = (uint32_t)direction};
}

static wn_play_answer playing_key(wn_play *play, uint32_t key)
{
    const wn_binding *binding = wn_bindings_find(&play->bindings, key);
    if (binding != NULL && binding->frontend) {
        return wn_play_run(play, binding->target);
    }
    if (play->watching && wn_key_direction(key) >= 0) {
        return pan(key);
    }
    if (binding != NULL) {
        return act(play, binding);
    }
    if (!play->watching && key < WN_KEY_MOUSE) {
        tell_unknown(play, key);
    }
    return stays;
}

/* One cell on, as far as the view goes. */
static uint32_t moved(const wn_replica *replica, uint32_t cell, int direction)
{
    const wn_step step = wn_direction_step((uint32_t)direction);
    const int y = (int)(cell / replica->width) + step.down, x = (int)(cell % replica->width) + step.right;
    if (y < 0 || x < 0 || y >= (int)replica->height || x >= (int)replica->width) {
        return cell;
    }
    return (uint32_t)y * replica->width + (uint32_t)x;
}

static wn_play_answer aiming_key(wn_play *play, uint32_t key)
{
    const wn_replica *replica = wn_play_replica(play);
    const int direction = wn_key_direction(key);
    const uint32_t cell = play->cursor;
    if (replica == NULL || key == WN_KEY_ESCAPE) {
        wn_play_close(play);
    } else if (key == WN_KEY_ENTER || direction == WN_NOWHERE) {
        wn_play_close(play);
        return wn_play_send(play, play->asked_action, cell);
    } else if (direction >= 0) {
        play->cursor = moved(replica, cell, direction);
    }
    return stays;
}

static wn_play_answer directing_key(wn_play *play, uint32_t key)
{
    const int direction = wn_key_direction(key);
    if (direction < 0 && key != WN_KEY_ESCAPE) {
        return stays;
    }
    wn_play_close(play);
    return direction < 0 ? stays : wn_play_send(play, play->asked_action, (uint32_t)direction);
}

static wn_play_answer chat_key(wn_play *play, uint32_t key)
{
    if (key != WN_KEY_ENTER && key != WN_KEY_ESCAPE) {
        wn_edit_key(&play->chat, key);
        return stays;
    }
    if (key == WN_KEY_ENTER && play->chat.length > 0) {
        wn_client_say(play->client, play->world, play->chat.text);
    }
    wn_play_close(play);
    return stays;
}

/* The keys that stand beside the menu's lines work in it as well, and what opened a box closes it. Those that scroll
 * and choose in it do that. */
static wn_play_answer box_key(wn_play *play, uint32_t key)
{
    static const int openers[WN_LAST_BOX + 1] = {[WN_IN_HELP] = WN_DO_HELP,     [WN_IN_MESSAGES] = WN_DO_MESSAGES,
                                                 [WN_IN_SCORES] = WN_DO_SCORES, [WN_IN_PREFERENCES] = WN_DO_PREFERENCES,
                                                 [WN_IN_MENU] = WN_DO_MENU,     [WN_IN_KEYS] = WN_DO_MENU};
    const bool reads = play->focus == WN_IN_HELP || play->focus == WN_IN_MESSAGES || play->focus == WN_IN_SCORES;
    const wn_binding *binding = wn_bindings_find(&play->bindings, key);
    const bool commands = binding != NULL && binding->frontend && key != WN_KEY_ENTER && key != WN_KEY_PAGE_UP;
    if (commands && play->focus == WN_IN_MENU && key != WN_KEY_ESCAPE) {
        return wn_play_choose(play, binding->target);
    }
    if (key != WN_KEY_ESCAPE && !(reads && key == WN_KEY_ENTER) &&
        !((reads || play->focus == WN_IN_MENU) && key == 'q') &&
        !(commands && (int)binding->target == openers[play->focus])) {
        return (wn_play_answer){.wish = WN_PLAY_IN_BOX};
    }
    wn_play_close(play);
    return stays;
}

/* Any key may be the new one. */
static wn_play_answer new_key(wn_play *play, uint32_t key)
{
    (void)play;
    (void)key;
    return (wn_play_answer){.wish = WN_PLAY_IN_BOX};
}

static wn_play_answer confirming_key(wn_play *play, uint32_t key)
{
    if (key == 'y' || key == 'Y') {
        return play->focus == WN_CONFIRMING_QUIT ? (wn_play_answer){.wish = WN_PLAY_QUITS} : wn_play_leave(play);
    }
    if (key != 'n' && key != 'N' && key != WN_KEY_ESCAPE) {
        return (wn_play_answer){.wish = WN_PLAY_IN_BOX};
    }
    wn_play_close(play);
    return stays;
}

static wn_play_answer scores_key(wn_play *play, uint32_t key)
{
    if (key != 'a' || !wn_play_has_all_scores(play) || wn_play_replica(play)->mode->n_board == 0) {
        return box_key(play, key);
    }
    wn_play_show_all_scores(play, !play->scores.shown);
    wn_play_open(play, WN_IN_SCORES);
    return stays;
}

static wn_play_answer result_key(wn_play *play, uint32_t key)
{
    if (wn_another_busy(&play->another)) { /* whoever left now would be in two worlds */
        return stays;
    }
    if ((key == 'n' || key == 'N') && wn_play_may_have_another(play)) {
        make_another(play);
        return stays;
    }
    if (key == WN_KEY_ESCAPE && play->ended && play->calm_until != 0) {
        return stays;
    }
    if (key == WN_KEY_ENTER || key == WN_KEY_F1 + 9 || (key == WN_KEY_ESCAPE && play->ended)) {
        return wn_play_leave(play);
    }
    if (key == 'q' && play->ended) {
        return (wn_play_answer){.wish = WN_PLAY_QUITS};
    }
    if (key != WN_KEY_ESCAPE) {
        return (wn_play_answer){.wish = WN_PLAY_IN_BOX};
    }
    wn_play_close(play);
    return (wn_play_answer){.wish = WN_PLAY_REVEALS};
}

static wn_play_answer again_key(wn_play *play, uint32_t key)
{
    const wn_reentry_stage stage = play->again.stage;
    if (stage == WN_REENTRY_ENDED) {
        return stays;
    }
    const wn_reentry_news news = wn_reentry_key(&play->again, key);
    const wn_binding *binding = wn_bindings_find(&play->bindings, key);
    if (news == WN_REENTRY_LEAVES) {
        return wn_play_leave(play);
    }
    if (news != WN_REENTRY_NOTHING) {
        play->hides_again = false;
        play->opened += play->again.stage != stage;
        return stays;
    }
    if (key == WN_KEY_ESCAPE) {
        play->hides_again = !play->hides_again;
        return stays;
    }
    if (binding != NULL && binding->frontend && binding->target != WN_DO_CHAT) { /* w is for that */
        return wn_play_run(play, binding->target);
    }
    return play->hides_again ? pan(key) : (wn_play_answer){.wish = WN_PLAY_IN_BOX};
}

wn_play_answer wn_play_key(wn_play *play, uint32_t key)
{
    static wn_play_answer (*const takers[])(wn_play *, uint32_t) = {
        [WN_PLAYING] = playing_key,
        [WN_IN_HELP] = box_key,
        [WN_IN_MESSAGES] = box_key,
        [WN_IN_SCORES] = scores_key,
        [WN_IN_MENU] = box_key,
        [WN_IN_PREFERENCES] = box_key,
        [WN_IN_KEYS] = box_key,
        [WN_IN_NEW_KEY] = new_key,
        [WN_CONFIRMING_LEAVE] = confirming_key,
        [WN_CONFIRMING_QUIT] = confirming_key,
        [WN_IN_RESULT] = result_key,
        [WN_ASKED_AGAIN] = again_key,
        [WN_IN_CHAT] = chat_key,
        [WN_AIMING] = aiming_key,
        [WN_DIRECTING] = directing_key,
    };
    return takers[play->focus](play, key);
}
