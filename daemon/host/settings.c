/* settings.c: see settings.h. */
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

typedef bool check_value(const wn_setting *setting, const char *value, int64_t *number, wn_error *error);

static bool check_integer(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    char *end;
    if (setting->choices && setting->choices[0] && strcmp(value, setting->choices[0]) == 0) {
        *number = setting->minimum;
        return true;
    }
    errno = 0;
    const long long parsed = strtoll(value, &end, 10);
    const bool whole = (isdigit((unsigned char)value[0]) || value[0] == '-') && *end == '\0' && errno == 0;
    if (!whole || parsed < setting->minimum || parsed > setting->maximum) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                            "setting \"%s\" cannot be \"%.80s\": it takes a whole number from %" PRId64 " to %" PRId64,
                            setting->name, value, setting->minimum, setting->maximum);
    }
    *number = parsed;
    return true;
}

static bool check_boolean(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    *number = strcmp(value, "yes") == 0;
    if (*number == 0 && strcmp(value, "no") != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                            "setting \"%s\" cannot be \"%.80s\": it takes yes or no", setting->name, value);
    }
    return true;
}

static bool check_choice(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    char all[WN_TEXT_BYTES / 2] = "";
    size_t used = 0;
    for (int64_t i = 0; setting->choices[i]; i++) {
        if (strcmp(setting->choices[i], value) == 0) {
            *number = i;
            return true;
        }
        const int more = snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", setting->choices[i]);
        used = used + (size_t)more < sizeof all ? used + (size_t)more : sizeof all - 1;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                        "setting \"%s\" cannot be \"%.80s\": it takes one of %s", setting->name, value, all);
}

static bool check_text(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    const size_t size = strlen(value);
    *number = 0;
    if (!wn_text_valid(value, size, false)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                            "setting \"%s\" is not valid: it takes UTF-8 text without control characters",
                            setting->name);
    }
    if ((int64_t)size < setting->minimum || (int64_t)size > setting->maximum) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                            "setting \"%s\" cannot be \"%.80s\": it takes text of %" PRId64 " to %" PRId64
                            " bytes and this has %zu",
                            setting->name, value, setting->minimum, setting->maximum, size);
    }
    return true;
}

/* A file's content may be anything; the daemon bounded its size. */
static bool check_file(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    (void)setting;
    (void)value;
    (void)error;
    *number = 0;
    return true;
}

bool wn_setting_parse(const wn_setting *setting, const char *value, int64_t *number, wn_error *error)
{
    static check_value *const checks[] = {
        [WN_SETTING_INTEGER] = check_integer, [WN_SETTING_BOOLEAN] = check_boolean, [WN_SETTING_CHOICE] = check_choice,
        [WN_SETTING_TEXT] = check_text,       [WN_SETTING_FILE] = check_file,
    };
    return checks[setting->type](setting, value, number, error);
}

static int64_t find(const wn_mode_descriptor *mode, const char *name)
{
    for (uint32_t i = 0; i < mode->setting_count; i++) {
        if (strcmp(mode->settings[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Checks one given value and keeps it. */
static bool take(const wn_mode_descriptor *mode, wn_setting_state *settings, const char *name, const char *value,
                 const char *file, wn_error *error)
{
    const int64_t at = find(mode, name);
    if (at < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, name, 0,
                            "mode %s has no setting \"%.32s\": see its list of settings", mode->name, name);
    }
    if (settings[at].text) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, name, 0,
                            "setting \"%s\" is given twice: give it once", name);
    }
    if (!wn_setting_parse(&mode->settings[at], value, &settings[at].number, error)) {
        return false;
    }
    const size_t size = strlen(value) + 1;
    settings[at].text = memcpy(wn_must_allocate(size), value, size);
    wn_text_copy(settings[at].file, WN_NAME_BYTES, file, false);
    return true;
}

wn_setting_state *wn_setting_states_new(const wn_mode_descriptor *mode, const Warren__SettingValue *const *given,
                                        size_t count, wn_error *error)
{
    wn_setting_state *settings = wn_must_allocate(mode->setting_count * sizeof *settings);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = take(mode, settings, given[i]->name, given[i]->value, given[i]->file, error);
    }
    for (uint32_t i = 0; i < mode->setting_count && good; i++) {
        if (!settings[i].text) {
            good = take(mode, settings, mode->settings[i].name, mode->settings[i].standard, NULL, error);
        }
    }
    if (!good) {
        wn_setting_states_free(settings, mode->setting_count);
        return NULL;
    }
    return settings;
}

void wn_setting_states_free(wn_setting_state *settings, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(settings[i].text);
    }
    free(settings);
}
