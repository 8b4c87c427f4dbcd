/* settings.c: checks settings against a mode's table. See settings.h.
 */
#include "modes/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef bool check_function(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error);

static bool refuse(wn_error *error, const Warren__Setting *setting, const char *value, const char *allowed)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting->name, 0,
                        "%s = \"%.64s\" is not possible: it takes %s", setting->name, value, allowed);
}

static bool check_integer(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    char *end = NULL;
    if (setting->n_choices > 0 && strcasecmp(value, setting->choices[0]) == 0) {
        snprintf(canonical, WN_TEXT_BYTES + 1, "%" PRId64, setting->minimum);
        return true;
    }
    errno = 0;
    const long long number = strtoll(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || number < setting->minimum || number > setting->maximum) {
        char allowed[128];
        snprintf(allowed, sizeof allowed, "a whole number from %" PRId64 " to %" PRId64 "%s%s", setting->minimum,
                 setting->maximum, setting->n_choices > 0 ? " or " : "",
                 setting->n_choices > 0 ? setting->choices[0] : "");
        return refuse(error, setting, value, allowed);
    }
    snprintf(canonical, WN_TEXT_BYTES + 1, "%lld", number);
    return true;
}

static bool check_boolean(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    static const struct {
        const char *word, *canonical;
    } words[] = {{"yes", "yes"}, {"no", "no"},  {"true", "yes"}, {"false", "no"},
                 {"on", "yes"},  {"off", "no"}, {"1", "yes"},    {"0", "no"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(value, words[i].word) == 0) {
            strcpy(canonical, words[i].canonical);
            return true;
        }
    }
    return refuse(error, setting, value, "yes or no");
}

static bool check_choice(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    char allowed[WN_TEXT_BYTES / 2] = "one of";
    for (size_t i = 0; i < setting->n_choices; i++) {
        if (strcasecmp(value, setting->choices[i]) == 0) {
            snprintf(canonical, WN_TEXT_BYTES + 1, "%s", setting->choices[i]);
            return true;
        }
        const size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s %s", i > 0 ? "," : "", setting->choices[i]);
    }
    return refuse(error, setting, value, allowed);
}

static bool check_text(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    const size_t length = strlen(value);
    const int64_t most = setting->maximum < WN_TEXT_BYTES ? setting->maximum : WN_TEXT_BYTES;
    if ((int64_t)length < setting->minimum || (int64_t)length > most || !wn_text_valid(value, WN_TEXT_BYTES, false) ||
        !wn_text_seen(value)) {
        char allowed[128];
        snprintf(allowed, sizeof allowed,
                 "UTF-8 text of %" PRId64 " to %" PRId64 " bytes, without invisible characters", setting->minimum,
                 most);
        return refuse(error, setting, value, allowed);
    }
    memcpy(canonical, value, length + 1);
    return true;
}

/* A name without a way in it, so that only a mode's files can be meant; or none at all. Whether it is there is found
 * when it is read. */
static bool check_file(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    if (value[0] != '\0' && !wn_name_valid(value)) {
        return refuse(error, setting, value, "the name of a file of the mode's, without a directory");
    }
    snprintf(canonical, WN_TEXT_BYTES + 1, "%s", value);
    return true;
}

static check_function *const checks[] = {
    [WARREN__SETTING_TYPE__SETTING_INTEGER] = check_integer, [WARREN__SETTING_TYPE__SETTING_BOOLEAN] = check_boolean,
    [WARREN__SETTING_TYPE__SETTING_CHOICE] = check_choice,   [WARREN__SETTING_TYPE__SETTING_TEXT] = check_text,
    [WARREN__SETTING_TYPE__SETTING_FILE] = check_file,
};

bool wn_setting_check(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error)
{
    return checks[setting->type](setting, value, canonical, error);
}

size_t wn_setting_find(const Warren__Mode *mode, const char *name)
{
    size_t i = 0;
    while (i < mode->n_settings && strcmp(mode->settings[i]->name, name) != 0) {
        i++;
    }
    return i;
}

static bool is_sound(const Warren__Mode *mode, const Warren__Setting *setting, wn_error *error)
{
    char canonical[WN_TEXT_BYTES + 1];
    wn_error why;
    if (mode->settings[wn_setting_find(mode, setting->name)] != setting) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, setting->name, 0,
                            "two of its settings are named %s", setting->name);
    }
    return setting->standard == NULL || wn_setting_check(setting, setting->standard, canonical, &why) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, setting->name, 0,
                        "the default of its setting %s cannot be: %.400s", setting->name, why.text);
}

bool wn_settings_sound(const Warren__Mode *mode, wn_error *error)
{
    for (size_t i = 0; i < mode->n_settings; i++) {
        if (!is_sound(mode, mode->settings[i], error)) {
            return false;
        }
    }
    return true;
}

static bool take_given(const Warren__Mode *mode, const Warren__SettingValue *given, char **values, wn_error *error)
{
    const size_t i = wn_setting_find(mode, given->name);
    if (i == mode->n_settings) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, given->name, 0,
                            "%s has no setting named %s; its settings are listed by \"warrenctl modes\"", mode->name,
                            given->name);
    }
    if (values[i] != NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, given->name, 0, "%s is given twice",
                            given->name);
    }
    char canonical[WN_TEXT_BYTES + 1];
    if (!wn_setting_check(mode->settings[i], given->value, canonical, error)) {
        return false;
    }
    values[i] = strdup(canonical);
    return values[i] != NULL;
}

char **wn_settings_resolve(const Warren__Mode *mode, Warren__SettingValue *const *given, size_t count, wn_error *error)
{
    char **values = calloc(mode->n_settings + 1, sizeof *values);
    if (values == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_given(mode, given[i], values, error)) {
            wn_settings_free(values, mode->n_settings);
            return NULL;
        }
    }
    for (size_t i = 0; i < mode->n_settings; i++) {
        if (values[i] == NULL) {
            values[i] = strdup(mode->settings[i]->standard != NULL ? mode->settings[i]->standard : "");
        }
    }
    return values;
}

void wn_settings_free(char **values, size_t count)
{
    if (values == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        free(values[i]);
    }
    free(values);
}
