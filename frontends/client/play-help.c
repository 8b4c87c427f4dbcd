/* play-help.c: what the help says of a game's keys. See play.h. */
#include "play.h"

#include <stdio.h>

#include "key.h"
#include "ways.h"

enum { KEYS_BYTES = 80 };

typedef struct help {
    const wn_play *play;
    void (*add)(void *context, const wn_help_line *line);
    bool (*told)(const Warren__Action *action, uint32_t direction);
    void *context;
} help;

static void add(const help *to, wn_help_kind kind, const char *text)
{
    to->add(to->context, &(wn_help_line){.kind = kind, .keys = "", .text = text});
}

static void add_keys(const help *to, const char *keys, const char *text)
{
    to->add(to->context, &(wn_help_line){.kind = WN_HELP_KEYS, .keys = keys, .text = text});
}

/* The keys of a target; false: it has none. */
static bool add_bound(const help *to, bool frontend, uint32_t target, int32_t argument, const char *text)
{
    char keys[KEYS_BYTES];
    wn_bindings_keys(&to->play->bindings, frontend, target, argument, true, keys, sizeof keys);
    if (keys[0] != '\0') {
        add_keys(to, keys, text);
    }
    return keys[0] != '\0';
}

static void add_action(const help *to, const Warren__Action *action, uint32_t index)
{
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 32], keys[KEYS_BYTES];
    const char *what = action->help == NULL || action->help[0] == '\0' ? action->name : action->help;
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        add_bound(to, false, index, 0, what);
        return;
    }
    const bool aims = action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION;
    snprintf(text, sizeof text, "%s %s", what, aims ? "(then choose a place)" : "(then a direction)");
    add_bound(to, false, index, WN_ASK, text);
    bool headed = false;
    for (uint32_t direction = 0; !aims && direction < 9; direction++) {
        wn_bindings_keys(&to->play->bindings, false, index, (int32_t)direction, true, keys, sizeof keys);
        if (keys[0] == '\0' || (to->told != NULL && to->told(action, direction))) {
            continue;
        }
        if (!headed) {
            add(to, WN_HELP_TEXT, what);
        }
        headed = true;
        add_keys(to, keys, wn_direction_name(direction));
    }
}

/* Of somebody whose seat was ended: it is what they look for first. */
static void add_question(const help *to)
{
    const wn_reentry_answer *answer;
    add(to, WN_HELP_HEADING, "Out of the game");
    for (size_t i = 0; (answer = wn_reentry_answers(&to->play->again, i)) != NULL; i++) {
        add_keys(to, answer->key, answer->text);
    }
    add_keys(to, "Esc", "put the question away, or show it again");
    add(to, WN_HELP_GAP, "");
}

static void add_mode(const help *to, const Warren__Mode *mode)
{
    char heading[WN_TEXT_BYTES + 16], key[WN_KEY_NAME_BYTES], text[WN_TEXT_BYTES + WN_NAME_BYTES + 4];
    if (mode->summary != NULL && mode->summary[0] != '\0') {
        add(to, WN_HELP_DIM, mode->summary);
        add(to, WN_HELP_GAP, "");
    }
    snprintf(heading, sizeof heading, "%s %s", to->play->watching ? "Watching" : "In", to->play->title);
    add(to, WN_HELP_HEADING, heading);
    if (to->play->watching) {
        add_keys(to, "arrows h j k l", "look around; 5 or . goes back");
    }
    for (size_t i = 0; !to->play->watching && i < mode->n_actions; i++) {
        add_action(to, mode->actions[i], (uint32_t)i);
    }
    add(to, WN_HELP_GAP, "");
    if (mode->n_entries < 2) {
        return;
    }
    add(to, WN_HELP_HEADING, "Ways to enter, asked for after the end");
    for (size_t i = 0; i < mode->n_entries; i++) {
        wn_way_text(mode, i, text, sizeof text);
        wn_key_name(key, sizeof key, wn_way_key(mode, i), true);
        add_keys(to, key, text);
    }
    add(to, WN_HELP_GAP, "");
}

void wn_play_help(const wn_play *play, void (*add_line)(void *context, const wn_help_line *line),
                  bool (*told)(const Warren__Action *action, uint32_t direction), void *context)
{
    const help to = {play, add_line, told, context};
    const wn_replica *replica = wn_play_replica(play);
    const uint32_t commands = play->bindings.window ? WN_FRONTEND_COMMANDS : WN_TERMINAL_COMMANDS;
    if (play->again.stage != WN_REENTRY_OFF) {
        add_question(&to);
    }
    if (replica != NULL) {
        add_mode(&to, replica->mode);
    }
    add(&to, WN_HELP_HEADING, "In every game");
    for (uint32_t command = 0; command < commands; command++) {
        const char *text = wn_frontend_command_info((wn_frontend_command)command)->help;
        if (!add_bound(&to, true, command, 0, text)) {
            add_keys(&to, "(Esc: menu)", text);
        }
    }
}
