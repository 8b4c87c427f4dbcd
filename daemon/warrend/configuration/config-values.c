/* config-values.c: what a setting is set to, in warren.conf or with --set: parsed, held to its range, kept in one form.
 * See config-internal.h.
 */
#include "configuration/config-internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define BAD_SETTING WARREN__ERROR_CODE__ERROR_BAD_SETTING

bool wn_config_bad_value(const wn_config_place *at, const wn_config_setting *entry, const char *value, const char *why,
                         wn_error *error)
{
    char where[512] = "--set", allowed[128];
    if (at->file != NULL) {
        snprintf(where, sizeof where, "%.400s:%d", at->file, at->line);
    }
    wn_config_describe_allowed(entry, allowed, sizeof allowed);
    return wn_fail_with(error, BAD_SETTING, entry->key, 0, "%s: %s.%s = \"%.100s\"%s%s: it takes %s", where,
                        entry->section, entry->key, value, why[0] == '\0' ? "" : ": ", why, allowed);
}

/* An absolute path for one that starts at the working directory: the daemon and its hosts may leave it. */
static char *absolute_path(const char *path, size_t length)
{
    if (length > 0 && path[0] == '/') {
        return strndup(path, length);
    }
    char *here = getcwd(NULL, 0);
    char *absolute = here == NULL ? NULL : wn_config_format("%s/%.*s", here, (int)length, path);
    free(here);
    return absolute;
}

/* Appends one element to a list, or begins it. Takes `element`. */
static bool join(char **list, char separator, char *element)
{
    char *joined =
        *list == NULL ? element : (element == NULL ? NULL : wn_config_format("%s%c%s", *list, separator, element));
    if (joined == NULL) {
        return false;
    }
    if (joined != element) {
        free(element);
    }
    free(*list);
    *list = joined;
    return true;
}

/* The value as it is kept: lists with one separator between elements, paths absolute. NULL: no memory, or no element.
 */
static char *normal_text(const wn_config_setting *entry, const char *value)
{
    if (entry->kind == WN_KIND_PATH) {
        return absolute_path(value, strlen(value));
    }
    if (entry->kind == WN_KIND_PLACE) {
        return strdup(value);
    }
    const char separators[] = {wn_config_kinds[entry->kind].separator, '\t', '\0'};
    char *list = NULL;
    for (value += strspn(value, separators); *value != '\0'; value += strspn(value, separators)) {
        size_t length = strcspn(value, separators);
        char *element = entry->kind == WN_KIND_PATHS ? absolute_path(value, length) : strndup(value, length);
        if (!join(&list, separators[0], element)) {
            free(list);
            return NULL;
        }
        value += length;
    }
    return list;
}

/* Endpoints that were made from the runtime directory move with it. */
static bool move_endpoints(char **endpoints, const char *from, const char *to, const char *name, unsigned port)
{
    char *old = wn_config_default_endpoints(from, name, port);
    bool follow = old != NULL && strcmp(*endpoints, old) == 0;
    free(old);
    char *moved = follow ? wn_config_default_endpoints(to, name, port) : NULL;
    if (moved != NULL) {
        free(*endpoints);
        *endpoints = moved;
    }
    return !follow || moved != NULL;
}

/* So does the key with the state directory. */
static bool move_key_file(char **key_file, const char *from, const char *to)
{
    char *old = wn_config_default_key_file(from);
    const bool follow = old != NULL && strcmp(*key_file, old) == 0;
    free(old);
    char *moved = follow ? wn_config_default_key_file(to) : NULL;
    if (moved != NULL) {
        free(*key_file);
        *key_file = moved;
    }
    return !follow || moved != NULL;
}

static bool set_text(wn_config *config, const wn_config_setting *entry, const char *value, bool more,
                     const wn_config_place *at, wn_error *error)
{
    if (value[0] == '\0') {
        return wn_config_bad_value(at, entry, value, "it is empty", error);
    }
    for (const char *c = value; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || (*c == ' ' && c[1] == ';')) {
            return wn_config_bad_value(at, entry, value, "control characters and \" ;\" cannot stand in it", error);
        }
    }
    char *text = normal_text(entry, value);
    char **kept = wn_config_text(config, entry);
    if (text == NULL) {
        return wn_config_no_memory(error);
    }
    if (more) {
        return join(kept, wn_config_kinds[entry->kind].separator, text) || wn_config_no_memory(error);
    }
    if (entry->offset == offsetof(wn_config, runtime_dir) &&
        (!move_endpoints(&config->control, *kept, text, "control", WN_CONTROL_PORT) ||
         !move_endpoints(&config->updates, *kept, text, "updates", WN_UPDATES_PORT))) {
        free(text);
        return wn_config_no_memory(error);
    }
    if (entry->offset == offsetof(wn_config, state_dir) && !move_key_file(&config->key_file, *kept, text)) {
        free(text);
        return wn_config_no_memory(error);
    }
    free(*kept);
    *kept = text;
    return true;
}

static bool parse_number(const wn_config_setting *entry, const char *value, uint32_t *number)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 10 || value[digits] != '\0') {
        return false;
    }
    unsigned long long parsed = strtoull(value, NULL, 10);
    *number = (uint32_t)parsed;
    return parsed >= entry->min && parsed <= entry->max;
}

static bool parse_word(const wn_config_setting *entry, const char *value, uint32_t *number)
{
    const char *const *words = wn_config_kinds[entry->kind].words;
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (strcasecmp(words[i], value) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

bool wn_config_set_value(wn_config *config, const wn_config_setting *entry, const char *value, bool more,
                         const wn_config_place *at, wn_error *error)
{
    if (wn_config_is_text(entry)) {
        return set_text(config, entry, value, more, at, error);
    }
    uint32_t number = 0;
    bool good = entry->kind == WN_KIND_NUMBER ? parse_number(entry, value, &number) : parse_word(entry, value, &number);
    if (!good) {
        return wn_config_bad_value(at, entry, value, "", error);
    }
    wn_config_put_number(config, entry, number);
    return true;
}

bool wn_config_set(wn_config *config, const char *assignment, wn_error *error)
{
    const char *dot = strchr(assignment, '.'), *equals = strchr(assignment, '=');
    if (dot == NULL || equals == NULL || dot > equals) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0,
                            "--set %.100s: it takes SECTION.KEY=VALUE", assignment);
    }
    char section[WN_NAME_BYTES + 1], key[WN_NAME_BYTES + 1];
    snprintf(section, sizeof section, "%.*s", (int)(dot - assignment), assignment);
    snprintf(key, sizeof key, "%.*s", (int)(equals - dot - 1), dot + 1);
    const wn_config_setting *entry = wn_config_find(section, key);
    if (entry == NULL) {
        return wn_fail_with(error, BAD_SETTING, key, 0,
                            "--set %.100s: there is no setting %s.%s; --print-config shows all there are", assignment,
                            section, key);
    }
    return wn_config_set_value(config, entry, equals + 1, false, &(wn_config_place){0}, error);
}
