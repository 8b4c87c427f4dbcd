/* bindings.c: the table from keys to actions. See bindings.h. */
#include "bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

/* the frontend's commands */

static const wn_command_info commands[WN_FRONTEND_COMMANDS] = {
    [WN_DO_HELP] = {"help", "this help", {WN_KEY_F1, '?'}, {0}},
    [WN_DO_MESSAGES] = {"messages", "all messages, to scroll back in", {WN_KEY_F1 + 1}, {WN_KEY_PAGE_UP}},
    [WN_DO_CHAT] = {"chat", "say something to everyone here", {WN_KEY_F1 + 2}, {'t', WN_KEY_ENTER}},
    [WN_DO_NAMES] = {"names", "show names on the map, or hide them", {WN_KEY_F1 + 3}, {0}},
    [WN_DO_SCORES] = {"scores", "the scoreboard", {WN_KEY_F1 + 4}, {0}},
    [WN_DO_REGION] = {"region", "look at one part of the map, then at the next", {0}, {WN_KEY_TAB}},
    [WN_DO_REDRAW] = {"redraw", "draw the screen anew", {0}, {'l' - WN_KEY_CONTROL_BASE}},
    [WN_DO_LEAVE] = {"leave", "leave this world", {WN_KEY_F1 + 9}, {0}},
    [WN_DO_MENU] = {"menu", "the menu", {0}, {0}}, /* Escape, by rule 1 */
    [WN_DO_VIEW] = {"view", "first person, or from above", {0}, {'V'}},
    [WN_DO_ZOOM_IN] = {"zoom-in", "see it larger", {0}, {'+', '='}},
    [WN_DO_ZOOM_OUT] = {"zoom-out", "see more of it", {0}, {'-'}},
    [WN_DO_GRID] = {"grid", "lines between the cells", {0}, {'#'}},
    [WN_DO_REGIONS] = {"regions", "the game's regions, where it has some", {0}, {'%'}},
    [WN_DO_MINIMAP] = {"minimap", "the small map", {WN_KEY_F1 + 6}, {0}},
    [WN_DO_PREFERENCES] = {"preferences", "how it looks, sounds and is steered", {WN_KEY_F1 + 5}, {0}},
    [WN_DO_MUTE] = {"mute", "sound off and on", {WN_KEY_F1 + 7}, {0}},
    [WN_DO_RECORD] = {"record", "record moving pictures into a file", {WN_KEY_F1 + 8}, {0}},
    [WN_DO_FULL_SCREEN] = {"full-screen", "full screen, or a window", {WN_KEY_F1 + 10}, {0}},
    [WN_DO_PICTURE] = {"picture", "save a picture of this", {WN_KEY_F1 + 11}, {0}},
};

const wn_command_info *wn_frontend_command_info(wn_frontend_command command)
{
    return &commands[command];
}

/* bindings */

enum { RANK_ESCAPE = 1, RANK_FILE, RANK_FIRM, RANK_MODE, RANK_LOOSE };

static wn_binding *find_exact(const wn_bindings *bindings, uint32_t key)
{
    for (size_t i = 0; i < bindings->count; i++) {
        if (bindings->items[i].key == key) {
            return &bindings->items[i];
        }
    }
    return NULL;
}

static uint32_t command_count(const wn_bindings *bindings)
{
    return bindings->window ? WN_FRONTEND_COMMANDS : WN_TERMINAL_COMMANDS;
}

/* Whoever comes first has the key: callers go from the strongest to the weakest. Returns false if it was taken. */
static bool bind(wn_bindings *bindings, wn_binding binding)
{
    if (find_exact(bindings, binding.key) != NULL) {
        return false;
    }
    if (bindings->count == bindings->capacity) {
        const size_t capacity = bindings->capacity == 0 ? 64 : bindings->capacity * 2;
        wn_binding *items = realloc(bindings->items, capacity * sizeof *items);
        if (items == NULL) {
            return true; /* without memory a key is missing, which the player sees; nothing else breaks */
        }
        bindings->items = items;
        bindings->capacity = capacity;
    }
    bindings->items[bindings->count++] = binding;
    return true;
}

/* The action (and direction) that a name of a key file means: "rest", "step.north". */
static bool find_action(const Warren__Mode *mode, const char *name, uint32_t *action, int32_t *argument)
{
    const char *dot = strchr(name, '.');
    const size_t length = dot == NULL ? strlen(name) : (size_t)(dot - name);
    for (size_t i = 0; i < mode->n_actions; i++) {
        const Warren__Action *candidate = mode->actions[i];
        if (strlen(candidate->name) != length || strncmp(name, candidate->name, length) != 0) {
            continue;
        }
        *action = (uint32_t)i;
        const bool directed = candidate->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
        if (dot == NULL) {
            *argument = candidate->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE ? 0 : WN_ASK;
            return true;
        }
        for (int32_t direction = 0; directed && direction < 9; direction++) {
            if (strcmp(dot + 1, wn_direction_name((uint32_t)direction)) == 0) {
                *argument = direction;
                return true;
            }
        }
    }
    return false;
}

static int find_command(const char *name)
{
    for (int i = 0; i < WN_FRONTEND_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void complain_of_action(wn_key_file *file, const wn_key_entry *entry, const Warren__Mode *mode)
{
    char known[160] = "";
    size_t used = 0;
    for (size_t i = 0; i < mode->n_actions && used < sizeof known; i++) {
        const bool directed = mode->actions[i]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s%s", i == 0 ? "" : ", ",
                                 mode->actions[i]->name, directed ? ".north" : "");
    }
    wn_key_file_problem(file, entry->line, "%s has no action \"%s\"; expected one of: %s", mode->name, entry->name,
                        known);
}

static void bind_entry(wn_bindings *bindings, wn_key_file *file, const wn_key_entry *entry, wn_binding binding)
{
    for (uint32_t i = 0; i < entry->key_count; i++) {
        char name[WN_KEY_NAME_BYTES];
        binding.key = entry->keys[i];
        binding.rank = RANK_FILE;
        if (!bind(bindings, binding)) {
            wn_key_name(name, sizeof name, binding.key, false);
            wn_key_file_problem(file, entry->line,
                                "the key \"%s\" is given twice (or is Escape, which is the menu); "
                                "the first one holds",
                                name);
        }
    }
}

static void bind_file(wn_bindings *bindings, const Warren__Mode *mode, wn_key_file *file)
{
    for (size_t i = 0; mode != NULL && i < file->count; i++) {
        wn_binding binding = {.frontend = false};
        if (strcmp(file->entries[i].section, mode->name) != 0) {
            continue;
        }
        if (find_action(mode, file->entries[i].name, &binding.target, &binding.argument)) {
            bind_entry(bindings, file, &file->entries[i], binding);
        } else {
            complain_of_action(file, &file->entries[i], mode);
        }
    }
    for (size_t i = 0; i < file->count; i++) {
        const int command = find_command(file->entries[i].name);
        if (command >= 0 && (uint32_t)command < command_count(bindings) &&
            strcmp(file->entries[i].section, "frontend") == 0) {
            bind_entry(bindings, file, &file->entries[i], (wn_binding){.frontend = true, .target = (uint32_t)command});
        }
    }
}

/* A line of the key file replaces the default keys of what it names, also when it names none. */
static bool in_file(const wn_key_file *file, const Warren__Mode *mode, bool frontend, uint32_t target, int32_t argument)
{
    for (size_t i = 0; file != NULL && i < file->count; i++) {
        const wn_key_entry *entry = &file->entries[i];
        uint32_t action;
        int32_t wanted;
        if (frontend) {
            if (strcmp(entry->section, "frontend") == 0 && find_command(entry->name) == (int)target) {
                return true;
            }
        } else if (strcmp(entry->section, mode->name) == 0 && find_action(mode, entry->name, &action, &wanted) &&
                   action == target && wanted == argument) {
            return true;
        }
    }
    return false;
}

static void bind_commands(wn_bindings *bindings, const Warren__Mode *mode, const wn_key_file *file, uint8_t rank)
{
    for (uint32_t command = 0; command < command_count(bindings); command++) {
        if (in_file(file, mode, true, command, 0)) {
            continue;
        }
        const uint32_t *keys = rank == RANK_FIRM ? commands[command].firm : commands[command].loose;
        for (size_t i = 0; i < 2; i++) {
            if (keys[i] != WN_KEY_NONE) {
                bind(bindings, (wn_binding){.key = keys[i], .frontend = true, .rank = rank, .target = command});
            }
        }
    }
}

static void bind_mode(wn_bindings *bindings, const Warren__Mode *mode, const wn_key_file *file)
{
    for (uint32_t i = 0; i < mode->n_actions; i++) {
        const Warren__Action *action = mode->actions[i];
        for (size_t k = 0; k < action->n_keys; k++) {
            wn_binding binding = {.rank = RANK_MODE, .target = i};
            binding.key = wn_key_parse(action->keys[k]->key, strlen(action->keys[k]->key));
            if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION) {
                binding.argument = (int32_t)action->keys[k]->argument;
            } else if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
                binding.argument = WN_ASK;
            }
            if (binding.key != WN_KEY_NONE && !in_file(file, mode, false, i, binding.argument)) {
                bind(bindings, binding);
            }
        }
    }
}

void wn_bindings_make(wn_bindings *bindings, const Warren__Mode *mode, wn_key_file *file)
{
    bindings->count = 0;
    bind(bindings, (wn_binding){.key = WN_KEY_ESCAPE, .frontend = true, .rank = RANK_ESCAPE, .target = WN_DO_MENU});
    if (file != NULL) {
        bind_file(bindings, mode, file);
    }
    bind_commands(bindings, mode, file, RANK_FIRM);
    if (mode != NULL) {
        bind_mode(bindings, mode, file);
    }
    bind_commands(bindings, mode, file, RANK_LOOSE);
}

void wn_bindings_free(wn_bindings *bindings)
{
    free(bindings->items);
    *bindings = (wn_bindings){0};
}

const wn_binding *wn_bindings_find(const wn_bindings *bindings, uint32_t key)
{
    /* A keypad key: its digit, and what it is called without NumLock. Terminals differ in which of them they send. */
    static const uint32_t pads[][3] = {
        {WN_KEY_KP0, '0', WN_KEY_INSERT},    {WN_KEY_KP0 + 1, '1', WN_KEY_END},
        {WN_KEY_KP0 + 2, '2', WN_KEY_DOWN},  {WN_KEY_KP0 + 3, '3', WN_KEY_PAGE_DOWN},
        {WN_KEY_KP0 + 4, '4', WN_KEY_LEFT},  {WN_KEY_KP0 + 5, '5', WN_KEY_KP0 + 5},
        {WN_KEY_KP0 + 6, '6', WN_KEY_RIGHT}, {WN_KEY_KP0 + 7, '7', WN_KEY_HOME},
        {WN_KEY_KP0 + 8, '8', WN_KEY_UP},    {WN_KEY_KP0 + 9, '9', WN_KEY_PAGE_UP},
    };
    const wn_binding *found = find_exact(bindings, key);
    if (found != NULL && found->rank != RANK_LOOSE) {
        return found;
    }
    for (size_t i = 0; i < sizeof pads / sizeof *pads; i++) {
        if (key != pads[i][0] && key != pads[i][1] && key != pads[i][2]) {
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            const wn_binding *other = find_exact(bindings, pads[i][k]);
            if (other != NULL && other->rank != RANK_LOOSE) {
                return other;
            }
        }
    }
    return found;
}

void wn_bindings_keys(const wn_bindings *bindings, bool frontend, uint32_t target, int32_t argument, bool shown,
                      char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < bindings->count; i++) {
        const wn_binding *binding = &bindings->items[i];
        char name[WN_KEY_NAME_BYTES];
        if (binding->frontend != frontend || binding->target != target || binding->argument != argument) {
            continue;
        }
        wn_key_name(name, sizeof name, binding->key, shown);
        if (used + strlen(name) + 2 > size) {
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : " ", name);
    }
}
