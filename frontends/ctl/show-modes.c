/* show-modes.c: prints modes with their settings: types, ranges, defaults, help. */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "show.h"
#include "table.h"

static const char *type_name(Warren__SettingType type)
{
    static const char *const names[] = {
        [WARREN__SETTING_TYPE__SETTING_INTEGER] = "integer", [WARREN__SETTING_TYPE__SETTING_BOOLEAN] = "boolean",
        [WARREN__SETTING_TYPE__SETTING_CHOICE] = "choice",   [WARREN__SETTING_TYPE__SETTING_TEXT] = "text",
        [WARREN__SETTING_TYPE__SETTING_FILE] = "file",
    };
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

/* JSON */

static void setting_as_json(wn_json *json, const Warren__Setting *setting)
{
    wn_json_object(json, NULL);
    wn_json_string(json, "name", setting->name);
    wn_json_string(json, "type", type_name(setting->type));
    if (setting->has_minimum) {
        wn_json_int(json, "minimum", setting->minimum);
    } else {
        wn_json_null(json, "minimum");
    }
    if (setting->has_maximum) {
        wn_json_int(json, "maximum", setting->maximum);
    } else {
        wn_json_null(json, "maximum");
    }
    wn_json_string(json, "default", setting->standard);
    wn_json_array(json, "choices");
    for (size_t i = 0; i < setting->n_choices; i++) {
        wn_json_string(json, NULL, setting->choices[i]);
    }
    wn_json_end(json);
    wn_json_string(json, "help", setting->help);
    wn_json_bool(json, "changeable", setting->changeable);
    wn_json_end(json);
}

static void mode_as_json(wn_json *json, const Warren__Mode *mode)
{
    wn_json_object(json, NULL);
    wn_json_string(json, "name", mode->name);
    wn_json_string(json, "title", mode->title);
    wn_json_string(json, "summary", mode->summary);
    wn_json_string(json, "version", mode->version);
    wn_json_string(json, "authors", mode->authors);
    wn_json_string(json, "licence", mode->licence);
    wn_json_uint(json, "max_players", mode->max_seats);
    wn_json_array(json, "settings");
    for (size_t i = 0; i < mode->n_settings; i++) {
        setting_as_json(json, mode->settings[i]);
    }
    wn_json_end(json);
    wn_json_end(json);
}

/* for people */

static void add_choices(wn_table *table, const Warren__Setting *setting)
{
    char text[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < setting->n_choices && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : " ", setting->choices[i]);
    }
    wn_table_text(table, text);
}

static void add_range(wn_table *table, const Warren__Setting *setting)
{
    switch (setting->type) {
    case WARREN__SETTING_TYPE__SETTING_INTEGER:
        wn_table_format(table, "%" PRId64 " to %" PRId64, setting->minimum, setting->maximum);
        return;
    case WARREN__SETTING_TYPE__SETTING_TEXT:
        wn_table_format(table, "%" PRId64 " to %" PRId64 " bytes", setting->minimum, setting->maximum);
        return;
    case WARREN__SETTING_TYPE__SETTING_BOOLEAN:
        wn_table_text(table, "yes no");
        return;
    case WARREN__SETTING_TYPE__SETTING_CHOICE:
        add_choices(table, setting);
        return;
    default:
        wn_table_text(table, "a file of the server");
    }
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void mode_for_people(FILE *to, const Warren__Mode *mode)
{
    static const wn_table_column columns[] = {{"SETTING", false}, {"TYPE", false},       {"DEFAULT", true},
                                              {"ALLOWED", false}, {"CHANGEABLE", false}, {"HELP", false}};
    fprintf(to, "%s %s: %s\n", mode->name, or_empty(mode->version),
            mode->summary != NULL ? mode->summary : or_empty(mode->title));
    fprintf(to, "  up to %" PRIu32 " player%s a world\n", mode->max_seats, mode->max_seats == 1 ? "" : "s");
    if (mode->n_settings == 0) {
        return;
    }
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < mode->n_settings; i++) {
        const Warren__Setting *setting = mode->settings[i];
        wn_table_text(&table, setting->name);
        wn_table_text(&table, type_name(setting->type));
        wn_table_text(&table, setting->standard);
        add_range(&table, setting);
        wn_table_text(&table, setting->changeable ? "yes" : "");
        wn_table_text(&table, setting->help);
    }
    wn_table_print(&table, to, 2);
}

static bool wanted(const Warren__Mode *mode, const char *only)
{
    return only == NULL || strcmp(mode->name, only) == 0;
}

static bool any_wanted(const Warren__ModeList *modes, const char *only)
{
    for (size_t i = 0; i < modes->n_modes; i++) {
        if (wanted(modes->modes[i], only)) {
            return true;
        }
    }
    return only == NULL;
}

bool wn_show_modes(FILE *to, const Warren__ModeList *modes, const char *only, bool json)
{
    if (!any_wanted(modes, only)) {
        return false;
    }
    wn_json writer;
    wn_json_start(&writer, to);
    if (json) {
        wn_json_array(&writer, NULL);
    } else if (modes->n_modes == 0) {
        fputs("The server has no modes. Its mode_path names the directories that it looks in.\n", to);
    }
    bool first = true;
    for (size_t i = 0; i < modes->n_modes; i++) {
        if (!wanted(modes->modes[i], only)) {
            continue;
        }
        if (json) {
            mode_as_json(&writer, modes->modes[i]);
        } else {
            fputs(first ? "" : "\n", to);
            mode_for_people(to, modes->modes[i]);
        }
        first = false;
    }
    if (json) {
        wn_json_end(&writer);
    }
    return true;
}
