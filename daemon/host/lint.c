/* lint.c: the rules of mode.h for a descriptor, each with a sentence for the author who broke it. After it no other
 * code has to distrust the descriptor.
 */
#include "plugin.h"

#include <string.h>

#include "settings.h"

/* What a mode may show or say, a message can hold. */
_Static_assert((int)WN_MAX_NAME == (int)WN_NAME_BYTES && (int)WN_MAX_TEXT == (int)WN_TEXT_BYTES &&
                   (int)WN_MAX_BANNER == (int)WN_BANNER_BYTES && (int)WN_MAX_SIDE == (int)WN_SIDE &&
                   (int)WN_MAX_SPRITES == (int)WN_SPRITES && (int)WN_MAX_ROWS == (int)WN_ROWS &&
                   (int)WN_MAX_COLUMNS == (int)WN_COLUMNS && (int)WN_MAX_EFFECTS == (int)WN_EFFECTS &&
                   (int)WN_MAX_MESSAGES <= (int)WN_MESSAGES && (int)WN_MAX_FILE == (int)WN_FILE_BYTES &&
                   (int)WN_MAX_QUESTION == (int)WN_WORK_BYTES && (int)WN_MAX_JOB_TIME == (int)WN_WORK_TIME &&
                   (int)WN_MAX_JOBS == (int)WN_JOBS && (int)WN_MAX_TILES == (int)WN_TILES &&
                   (int)WN_MAX_ACTIONS == (int)WN_ACTIONS && (int)WN_MAX_SETTINGS == (int)WN_SETTINGS &&
                   (int)WN_MAX_STATUS == (int)WN_FIELDS && (int)WN_MAX_ENTRIES == (int)WN_ENTRIES &&
                   (int)WN_MAX_TABLES == (int)WN_TABLES && (int)WN_MAX_REGIONS == (int)WN_REGIONS &&
                   (int)WN_MAX_SEATS == (int)WN_SEATS && (int)WN_HERE == (int)WN_NOWHERE,
               "the limits of mode.h are those of the protocol");

/* A sentence about one entry of the descriptor. */
#define BROKEN(error, ...) wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, __VA_ARGS__)

static bool good_line(const char *text)
{
    return text && wn_text_valid(text, WN_MAX_TEXT, false);
}

/* [a-z][a-z0-9X]* with X the `extra` character. */
static bool good_name(const char *name, char extra)
{
    if (!name || name[0] < 'a' || name[0] > 'z' || strlen(name) > WN_NAME_BYTES) {
        return false;
    }
    for (const char *at = name; *at; at++) {
        if (!((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == extra)) {
            return false;
        }
    }
    return true;
}

static const char *shown(const char *text)
{
    return text ? text : "(NULL)";
}

static bool check_heading(const wn_mode_descriptor *mode, wn_error *error)
{
    const struct {
        const char *what, *text;
    } lines[] = {{"title", mode->title},
                 {"summary", mode->summary},
                 {"version", mode->version},
                 {"authors", mode->authors},
                 {"licence", mode->licence}};
    if (!good_name(mode->name, '-')) {
        return BROKEN(error, "the mode's name \"%.40s\" breaks the rule [a-z][a-z0-9-]*, at most %d bytes",
                      shown(mode->name), WN_NAME_BYTES);
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!good_line(lines[i].text)) {
            return BROKEN(error, "the mode's %s is missing or not one line of at most %d bytes of UTF-8", lines[i].what,
                          WN_MAX_TEXT);
        }
    }
    const char *const titles[] = {mode->players_title, mode->spectators_title};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        if (titles[i] && !wn_text_valid(titles[i], WN_NAME_BYTES, false)) {
            return BROKEN(error, "the title \"%.40s\" of players or spectators is not one line of at most %d bytes",
                          titles[i], WN_NAME_BYTES);
        }
    }
    if (mode->max_seats < 1 || mode->max_seats > WN_MAX_SEATS) {
        return BROKEN(error, "max_seats is %u: it must be from 1 to %d", mode->max_seats, WN_MAX_SEATS);
    }
    return true;
}

static bool check_callbacks(const wn_mode_descriptor *mode, wn_error *error)
{
    const struct {
        const char *name;
        bool there;
    } callbacks[] = {{"create", mode->create != NULL}, {"joined", mode->joined != NULL}, {"left", mode->left != NULL},
                     {"turn", mode->turn != NULL},     {"draw", mode->draw != NULL},     {"save", mode->save != NULL},
                     {"load", mode->load != NULL}};
    if (!mode->work != !mode->answered) {
        return BROKEN(error, "of the callbacks work and answered one is NULL: a mode has both or neither");
    }
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++) {
        if (!callbacks[i].there) {
            return BROKEN(error, "the callback %s is NULL: only destroy, work and answered may be", callbacks[i].name);
        }
    }
    return true;
}

static bool check_counts(const wn_mode_descriptor *mode, wn_error *error)
{
    const struct {
        const char *name;
        const void *table;
        uint32_t count, least, most;
    } tables[] = {{"tiles", mode->tiles, mode->tile_count, 1, WN_MAX_TILES},
                  {"actions", mode->actions, mode->action_count, 0, WN_MAX_ACTIONS},
                  {"settings", mode->settings, mode->setting_count, 0, WN_MAX_SETTINGS},
                  {"status fields", mode->status, mode->status_count, 0, WN_MAX_STATUS},
                  {"scoreboard columns", mode->columns, mode->column_count, 0, WN_MAX_COLUMNS},
                  {"entries", mode->entries, mode->entry_count, 0, WN_MAX_ENTRIES},
                  {"score tables", mode->tables, mode->table_count, 0, WN_MAX_TABLES}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (tables[i].count < tables[i].least || tables[i].count > tables[i].most) {
            return BROKEN(error, "there are %u %s: there must be from %u to %u", tables[i].count, tables[i].name,
                          tables[i].least, tables[i].most);
        }
        if (tables[i].count > 0 && !tables[i].table) {
            return BROKEN(error, "the table of %u %s is NULL", tables[i].count, tables[i].name);
        }
    }
    return true;
}

/* Code points that take two columns or none, after EastAsianWidth.txt and the combining blocks of Unicode 15, coarse:
 * whole blocks. */
static const struct {
    uint32_t first, last;
} not_one_column[] = {{0x0300, 0x036f},   {0x1100, 0x115f},   {0x200b, 0x200f},  {0x2028, 0x202e},   {0x20d0, 0x20ff},
                      {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},   {0xfe00, 0xfe0f},
                      {0xfe20, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
                      {0x1f900, 0x1faff}, {0x20000, 0x3fffd}, {0xe0000, 0xe0fff}};

/* One character that takes one column. */
static bool one_column(const char *glyph)
{
    const uint8_t *at = (const uint8_t *)glyph;
    const size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc0 ? 2 : 1;
    if (strlen(glyph) != size || !wn_text_valid(glyph, size, false)) {
        return false;
    }
    static const uint8_t lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t point = at[0] & lead[size];
    for (size_t i = 1; i < size; i++) {
        point = point << 6 | (at[i] & 0x3f);
    }
    for (size_t i = 0; i < sizeof not_one_column / sizeof not_one_column[0]; i++) {
        if (point >= not_one_column[i].first && point <= not_one_column[i].last) {
            return false;
        }
    }
    return true;
}

static bool good_colour(int32_t colour)
{
    return colour >= WN_COLOUR_NONE && colour <= 0xffffff;
}

static bool check_tiles(const wn_mode_descriptor *mode, wn_error *error)
{
    const uint32_t flags = WN_TILE_OPAQUE | WN_TILE_BLOCKS | WN_TILE_ANIMATED | WN_TILE_BOLD | WN_TILE_UNLISTED;
    for (uint32_t i = 0; i < mode->tile_count; i++) {
        const wn_tile *tile = &mode->tiles[i];
        if (!good_line(tile->name) || !tile->name[0] || strlen(tile->name) > WN_NAME_BYTES) {
            return BROKEN(error, "tile %u: its name \"%.40s\" is not one line of 1 to %d bytes of UTF-8", i,
                          shown(tile->name), WN_NAME_BYTES);
        }
        if (!tile->glyph || !one_column(tile->glyph)) {
            return BROKEN(error, "tile %u (%s): its glyph \"%.16s\" is not one character of one column", i, tile->name,
                          shown(tile->glyph));
        }
        if (!tile->ascii || tile->ascii[0] < 0x20 || tile->ascii[0] > 0x7e || tile->ascii[1]) {
            return BROKEN(error, "tile %u (%s): its ascii is not one printable ASCII character", i, tile->name);
        }
        if (!good_colour(tile->foreground) || !good_colour(tile->background)) {
            return BROKEN(error, "tile %u (%s): a colour is neither WN_COLOUR(...) nor WN_COLOUR_NONE", i, tile->name);
        }
        if (tile->flags & ~flags) {
            return BROKEN(error, "tile %u (%s): its flags %u are not a sum of wn_tile_flag", i, tile->name,
                          tile->flags);
        }
    }
    return true;
}

static bool known_key(const char *key)
{
    static const char *const names[] = {
        "up",     "down", "left", "right", "home", "end", "pageup", "pagedown", "space", "enter", "tab", "backspace",
        "delete", "f1",   "f2",   "f3",    "f4",   "f5",  "f6",     "f7",       "f8",    "f9",    "f10", "f11",
        "f12",    "kp0",  "kp1",  "kp2",   "kp3",  "kp4", "kp5",    "kp6",      "kp7",   "kp8",   "kp9"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(key, names[i]) == 0) {
            return true;
        }
    }
    return key[0] != ' ' && one_column(key);
}

/* The action before `before` that has this default key already, or NULL. */
static const wn_action *key_owner(const wn_mode_descriptor *mode, uint32_t before, const char *key)
{
    for (uint32_t i = 0; i < before; i++) {
        for (const wn_key *at = mode->actions[i].keys; at && at->key; at++) {
            if (strcmp(at->key, key) == 0) {
                return &mode->actions[i];
            }
        }
    }
    return NULL;
}

static bool check_keys(const wn_mode_descriptor *mode, uint32_t at, wn_error *error)
{
    const wn_action *action = &mode->actions[at];
    for (const wn_key *key = action->keys; key && key->key; key++) {
        const uint32_t most = action->argument == WN_ARGUMENT_DIRECTION ? WN_HERE : 0;
        if (!known_key(key->key)) {
            return BROKEN(error, "action %s: \"%.16s\" is not a key: see wn_key for their names", action->name,
                          key->key);
        }
        if (key->argument > most) {
            return BROKEN(error, "action %s, key %s: its argument %u is above %u", action->name, key->key,
                          key->argument, most);
        }
        const wn_action *owner = key_owner(mode, at, key->key);
        if (owner) {
            return BROKEN(error, "key %s is given to both %s and %s: give it to one", key->key, owner->name,
                          action->name);
        }
    }
    return true;
}

/* The argument that an action for each purpose takes. */
static bool argument_suits(const wn_action *action)
{
    switch (action->purpose) {
    case WN_PURPOSE_OTHER:
        return true;
    case WN_PURPOSE_STEP:
    case WN_PURPOSE_FACE:
        return action->argument == WN_ARGUMENT_DIRECTION;
    case WN_PURPOSE_GO:
        return action->argument == WN_ARGUMENT_POSITION;
    case WN_PURPOSE_USE:
        return action->argument != WN_ARGUMENT_POSITION;
    default:
        return action->argument == WN_ARGUMENT_NONE;
    }
}

static bool check_purpose(const wn_mode_descriptor *mode, uint32_t at, wn_error *error)
{
    const wn_action *action = &mode->actions[at];
    if ((unsigned)action->purpose > WN_PURPOSE_SIDE_RIGHT || !argument_suits(action)) {
        return BROKEN(error, "action %s: its purpose is not a wn_purpose, or goes with another argument", action->name);
    }
    for (uint32_t i = 0; i < at && action->purpose != WN_PURPOSE_OTHER; i++) {
        if (mode->actions[i].purpose == action->purpose) {
            return BROKEN(error, "actions %s and %s have one purpose: give it to one", mode->actions[i].name,
                          action->name);
        }
    }
    return true;
}

static bool check_actions(const wn_mode_descriptor *mode, wn_error *error)
{
    for (uint32_t i = 0; i < mode->action_count; i++) {
        const wn_action *action = &mode->actions[i];
        if (!action->name || !wn_name_valid(action->name)) {
            return BROKEN(error, "action %u: its name \"%.40s\" is not one word of at most %d bytes", i,
                          shown(action->name), WN_NAME_BYTES);
        }
        if (!good_line(action->help)) {
            return BROKEN(error, "action %s: its help is missing or not one line of UTF-8", action->name);
        }
        if ((unsigned)action->argument > WN_ARGUMENT_POSITION) {
            return BROKEN(error, "action %s: its argument is not a wn_argument", action->name);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (mode->actions[j].id == action->id || strcmp(mode->actions[j].name, action->name) == 0) {
                return BROKEN(error, "actions %s and %s share their id or name: both must be unique",
                              mode->actions[j].name, action->name);
            }
        }
        if (!check_keys(mode, i, error) || !check_purpose(mode, i, error)) {
            return false;
        }
    }
    return true;
}

static bool check_choices(const wn_setting *setting, wn_error *error)
{
    if (!setting->choices || !setting->choices[0]) {
        return BROKEN(error, "setting %s is a choice without choices", setting->name);
    }
    for (const char *const *choice = setting->choices; *choice; choice++) {
        if (!wn_name_valid(*choice)) {
            return BROKEN(error, "setting %s: the choice \"%.40s\" is not one word of at most %d bytes", setting->name,
                          *choice, WN_NAME_BYTES);
        }
    }
    return true;
}

/* The word for an integer's minimum. */
static bool check_word(const wn_setting *setting, wn_error *error)
{
    if (!setting->choices || !setting->choices[0]) {
        return true;
    }
    if (setting->type != WN_SETTING_INTEGER || setting->choices[1]) {
        return BROKEN(error, "setting %s: only a choice has choices, and an integer one word for its minimum",
                      setting->name);
    }
    return check_choices(setting, error);
}

static bool check_setting(const wn_setting *setting, wn_error *error)
{
    wn_error why = {0};
    int64_t number;
    if ((unsigned)setting->type > WN_SETTING_FILE) {
        return BROKEN(error, "setting %s: its type is not a wn_setting_type", setting->name);
    }
    if (setting->minimum > setting->maximum) {
        return BROKEN(error, "setting %s: its minimum is above its maximum", setting->name);
    }
    if (!good_line(setting->help) || !setting->standard) {
        return BROKEN(error, "setting %s: its help or its default is missing", setting->name);
    }
    if (setting->type == WN_SETTING_CHOICE ? !check_choices(setting, error) : !check_word(setting, error)) {
        return false;
    }
    if (!wn_setting_parse(setting, setting->standard, &number, &why)) {
        return BROKEN(error, "the default is not valid: %.300s", why.text);
    }
    if (setting->type == WN_SETTING_FILE && setting->standard[0] != '\0' && !wn_name_valid(setting->standard)) {
        return BROKEN(error, "setting %s: its default \"%.40s\" is not the name of a file without a directory",
                      setting->name, setting->standard);
    }
    return true;
}

static bool check_settings(const wn_mode_descriptor *mode, wn_error *error)
{
    for (uint32_t i = 0; i < mode->setting_count; i++) {
        const wn_setting *setting = &mode->settings[i];
        if (!good_name(setting->name, '_')) {
            return BROKEN(error, "setting %u: its name \"%.40s\" breaks the rule [a-z][a-z0-9_]*, at most %d bytes", i,
                          shown(setting->name), WN_NAME_BYTES);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(mode->settings[j].name, setting->name) == 0) {
                return BROKEN(error, "two settings are named %s: names must be unique", setting->name);
            }
        }
        if (!check_setting(setting, error)) {
            return false;
        }
    }
    return true;
}

static bool check_titles(const wn_mode_descriptor *mode, wn_error *error)
{
    for (uint32_t i = 0; i < mode->status_count; i++) {
        const wn_status *field = &mode->status[i];
        if (!field->name || !wn_name_valid(field->name) || !good_line(field->title)) {
            return BROKEN(error, "status field %u: its name is not one word or its title not one line of UTF-8", i);
        }
        if ((unsigned)field->kind > WN_STATUS_LOAD) {
            return BROKEN(error, "status field %s: its kind is not a wn_status_kind", field->name);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(mode->status[j].name, field->name) == 0) {
                return BROKEN(error, "two status fields are named %s: names must be unique", field->name);
            }
        }
    }
    for (uint32_t i = 0; i < mode->column_count; i++) {
        if (!good_line(mode->columns[i].title)) {
            return BROKEN(error, "scoreboard column %u: its title is missing or not one line of UTF-8", i);
        }
    }
    return true;
}

static bool check_entries(const wn_mode_descriptor *mode, wn_error *error)
{
    for (uint32_t i = 0; i < mode->entry_count; i++) {
        const wn_entry *entry = &mode->entries[i];
        if (!entry->name || !wn_name_valid(entry->name) || !good_line(entry->help)) {
            return BROKEN(error, "entry %u: its name is not one word or its help not one line of UTF-8", i);
        }
        if (!entry->key || !known_key(entry->key)) {
            return BROKEN(error, "entry %s: \"%.16s\" is not a key: see wn_key for their names", entry->name,
                          shown(entry->key));
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(mode->entries[j].name, entry->name) == 0 || strcmp(mode->entries[j].key, entry->key) == 0) {
                return BROKEN(error, "entries %s and %s share their name or key: both must be unique",
                              mode->entries[j].name, entry->name);
            }
        }
    }
    return true;
}

static bool check_score_tables(const wn_mode_descriptor *mode, wn_error *error)
{
    for (uint32_t i = 0; i < mode->table_count; i++) {
        const wn_score_table *table = &mode->tables[i];
        if (!good_line(table->name) || !table->name[0] || !good_line(table->title)) {
            return BROKEN(error, "score table %u: its name or its title is missing or not one line of UTF-8", i);
        }
        if ((unsigned)table->kind > WN_SCORE_RATING || table->decimals > 6) {
            return BROKEN(error, "score table %s: its kind is not a wn_score_kind, or it has more than 6 decimals",
                          table->name);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(mode->tables[j].name, table->name) == 0) {
                return BROKEN(error, "two score tables are named %s: names must be unique", table->name);
            }
        }
    }
    return true;
}

typedef bool check_part(const wn_mode_descriptor *mode, wn_error *error);

/* The counts come first: the parts behind them go through the tables. */
static check_part *const parts[] = {check_counts,   check_heading, check_callbacks, check_tiles,       check_actions,
                                    check_settings, check_titles,  check_entries,   check_score_tables};
enum { PARTS = sizeof parts / sizeof parts[0] };

bool wn_descriptor_check(const wn_mode_descriptor *mode, wn_error *error)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (!parts[i](mode, error)) {
            return false;
        }
    }
    return true;
}

void wn_descriptor_lint(const wn_mode_descriptor *mode, wn_lint_found *found, void *context)
{
    for (size_t i = 0; i < PARTS; i++) {
        wn_error error = {0};
        if (parts[i](mode, &error)) {
            continue;
        }
        found(context, error.text);
        if (parts[i] == check_counts) {
            return;
        }
    }
}
