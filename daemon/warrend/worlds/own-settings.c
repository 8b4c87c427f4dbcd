/* own-settings.c: see own-settings.h.
 */
#include "worlds/own-settings.h"

#include "memory.h"
#include "modes/settings.h"

enum { TITLE_BYTES = 60 };

static const char *const doors[] = {"anyone", "invited"};

static const struct own {
    const char *name, *standard, *help;
    Warren__SettingType type;
} table[WN_OWN_SETTINGS] = {
    [WN_OWN_BOTS] = {"bots", "0", "Seats that the server fills with players that play by themselves",
                     WARREN__SETTING_TYPE__SETTING_INTEGER},
    [WN_OWN_TITLE] = {"title", "", "What lists of worlds say of it", WARREN__SETTING_TYPE__SETTING_TEXT},
    [WN_OWN_JOIN] = {"join", "anyone", "Who may join: anyone, or only who was invited",
                     WARREN__SETTING_TYPE__SETTING_CHOICE},
    [WN_OWN_WATCH] = {"watch", "anyone", "Who may watch: anyone, or only who was invited",
                      WARREN__SETTING_TYPE__SETTING_CHOICE},
    [WN_OWN_LISTED] = {"listed", "yes", "Lists of worlds show it to everyone, not only to who was invited",
                       WARREN__SETTING_TYPE__SETTING_BOOLEAN},
};

/* protobuf-c has no const; nothing writes through these. */
static char *borrowed(const char *text)
{
    return (char *)(uintptr_t)text;
}

static Warren__Setting *describe(wn_own which, uint32_t seats, wn_arena *arena)
{
    Warren__Setting *setting = wn_must(wn_arena_take(arena, sizeof *setting));
    const struct own *own = &table[which];
    warren__setting__init(setting);
    setting->name = borrowed(own->name);
    setting->standard = borrowed(own->standard);
    setting->help = borrowed(own->help);
    setting->type = own->type;
    setting->has_changeable = setting->changeable = true;
    setting->has_minimum = setting->has_maximum = which == WN_OWN_BOTS || which == WN_OWN_TITLE;
    setting->maximum = which == WN_OWN_BOTS ? seats : TITLE_BYTES;
    if (own->type == WARREN__SETTING_TYPE__SETTING_CHOICE) {
        setting->n_choices = sizeof doors / sizeof *doors;
        setting->choices = wn_must(wn_arena_take(arena, sizeof(char *) * setting->n_choices));
        for (size_t i = 0; i < setting->n_choices; i++) {
            setting->choices[i] = borrowed(doors[i]);
        }
    }
    return setting;
}

uint32_t wn_own_add(Warren__Mode *mode, wn_arena *arena)
{
    Warren__Setting **settings = wn_must(wn_arena_take(arena, (mode->n_settings + WN_OWN_SETTINGS) * sizeof *settings));
    uint32_t added = 0;
    if (mode->n_settings > 0) { /* else there is no list */
        memcpy(settings, mode->settings, mode->n_settings * sizeof(Warren__Setting *));
    }
    mode->settings = settings;
    for (size_t i = 0; i < mode->n_settings; i++) { /* whatever the host says: the mode's are not */
        settings[i]->has_changeable = settings[i]->changeable = false;
    }
    for (wn_own which = 0; which < WN_OWN_SETTINGS && mode->n_settings < WN_CREATE_SETTINGS; which++) {
        if (wn_setting_find(mode, table[which].name) == mode->n_settings) {
            settings[mode->n_settings++] = describe(which, mode->max_seats, arena);
            added |= UINT32_C(1) << which;
        }
    }
    return added;
}

void wn_own_name_missing(uint32_t added, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (wn_own which = 0; which < WN_OWN_SETTINGS && used < size; which++) {
        if ((added & UINT32_C(1) << which) == 0) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", table[which].name);
        }
    }
}

wn_own wn_own_find(const wn_installed_mode *mode, const char *name)
{
    wn_own which = 0;
    while (which < WN_OWN_SETTINGS && strcmp(table[which].name, name) != 0) {
        which++;
    }
    return mode != NULL && (mode->own_settings & UINT32_C(1) << which) != 0 ? which : WN_OWN_SETTINGS;
}

/* Of a mode that is not here yet nothing is known: the setting may be the mode's own, of whatever kind. */
const char *wn_own_text(const wn_game *game, wn_own which)
{
    if (!wn_game_knows_mode(game) || /* then a world is rather closed than open */
        wn_own_find(game->mode, table[which].name) == which) {
        for (size_t i = 0; i < game->setting_count; i++) {
            if (strcmp(game->settings[i].name, table[which].name) == 0) {
                return game->settings[i].value;
            }
        }
    }
    return table[which].standard;
}

uint32_t wn_own_number(const wn_game *game, wn_own which)
{
    return wn_game_knows_mode(game) ? (uint32_t)strtoul(wn_own_text(game, which), NULL, 10) : 0;
}

bool wn_own_is(const wn_game *game, wn_own which, const char *value)
{
    return strcmp(wn_own_text(game, which), value) == 0;
}

bool wn_own_by_invitation(const wn_game *game, wn_own which)
{
    return !wn_own_is(game, which, doors[0]);
}
