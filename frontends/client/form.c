/* form.c: the description of a new world as a form. See form.h. */
#include "form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

enum { SEED_BYTES = 20, NAME = 0, NO_SETTINGS = 2 };

/* Of the server's settings, which are those that stay changeable: they stand before the mode's. */
static const char *const firsts[] = {"bots", "title"};
enum { FIRSTS = sizeof firsts / sizeof *firsts };

/* In which part of the form a setting stands: one each for `firsts`, the mode's, the rest. */
static size_t part_of(const Warren__Setting *setting)
{
    if (!setting->changeable) {
        return FIRSTS;
    }
    for (size_t i = 0; i < FIRSTS; i++) {
        if (strcmp(setting->name, firsts[i]) == 0) {
            return i;
        }
    }
    return FIRSTS + 1;
}

static void add_field(wn_form *form, const Warren__Setting *setting, const char *label, const char *help, size_t most)
{
    wn_form_field *field = &form->fields[form->count++];
    *field = (wn_form_field){.setting = setting, .label = label, .help = help};
    wn_edit_start(&field->value, wn_form_standard(field), most);
}

static void add_part(wn_form *form, size_t part)
{
    for (size_t i = 0; i < form->mode->n_settings; i++) {
        const Warren__Setting *setting = form->mode->settings[i];
        if (part_of(setting) == part) {
            add_field(form, setting, setting->name, setting->help, WN_EDIT_BYTES);
        }
    }
}

void wn_form_start(wn_form *form, const Warren__Mode *mode)
{
    wn_form_field *fields = calloc(mode->n_settings + NO_SETTINGS, sizeof *fields);
    if (fields == NULL) {
        return;
    }
    free(form->fields);
    *form = (wn_form){.mode = mode, .fields = fields, .fresh = true};
    add_field(form, NULL, "name", "What the world is called. Empty: the server finds a name.", WN_NAME_BYTES);
    for (size_t part = 0; part < FIRSTS; part++) {
        add_part(form, part);
    }
    form->seed = form->count;
    add_field(form, NULL, "seed", "The number that chance starts from. Empty: the server draws one.", SEED_BYTES);
    add_part(form, FIRSTS);
    add_part(form, FIRSTS + 1);
}

void wn_form_free(wn_form *form)
{
    free(form->fields);
    *form = (wn_form){0};
}

/* what a field can hold */

bool wn_form_chooses(const wn_form_field *field)
{
    const Warren__Setting *setting = field->setting;
    if (setting == NULL) {
        return false;
    }
    return setting->type == WARREN__SETTING_TYPE__SETTING_BOOLEAN ||
           setting->type == WARREN__SETTING_TYPE__SETTING_CHOICE ||
           (setting->type == WARREN__SETTING_TYPE__SETTING_FILE && setting->n_choices > 0);
}

bool wn_form_takes_text(const wn_form_field *field)
{
    const bool is_number = field->setting != NULL && field->setting->type == WARREN__SETTING_TYPE__SETTING_INTEGER;
    return !is_number && !wn_form_chooses(field);
}

/* Of a number: the word for its minimum, or NULL. */
static const char *word_of(const Warren__Setting *setting)
{
    return setting != NULL && setting->type == WARREN__SETTING_TYPE__SETTING_INTEGER && setting->n_choices > 0
               ? setting->choices[0]
               : NULL;
}

const char *wn_form_standard(const wn_form_field *field)
{
    return field->setting == NULL || field->setting->standard == NULL ? "" : field->setting->standard;
}

void wn_form_range(const wn_form_field *field, char *text, size_t size)
{
    const Warren__Setting *setting = field->setting;
    text[0] = '\0';
    if (setting == NULL) {
        return;
    }
    size_t used = 0;
    switch (setting->type) {
    case WARREN__SETTING_TYPE__SETTING_INTEGER:
        if (word_of(setting) != NULL) {
            snprintf(text, size, "%s, or %lld to %lld", word_of(setting), (long long)setting->minimum + 1,
                     (long long)setting->maximum);
        } else {
            snprintf(text, size, "%lld to %lld", (long long)setting->minimum, (long long)setting->maximum);
        }
        return;
    case WARREN__SETTING_TYPE__SETTING_BOOLEAN:
        snprintf(text, size, "yes or no");
        return;
    case WARREN__SETTING_TYPE__SETTING_CHOICE:
    case WARREN__SETTING_TYPE__SETTING_FILE:
        for (size_t i = 0; i < setting->n_choices && used < size; i++) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", setting->choices[i]);
        }
        return;
    default:
        if (setting->maximum > 0) {
            snprintf(text, size, "up to %lld bytes", (long long)setting->maximum);
        }
    }
}

void wn_form_help(const wn_form_field *field, char *text, size_t size)
{
    char range[160];
    const char *help = field->help == NULL ? "" : field->help, *standard = wn_form_standard(field);
    wn_form_range(field, range, sizeof range);
    if (field->setting == NULL) {
        snprintf(text, size, "%s", help);
    } else {
        snprintf(text, size, "%s (%s%sdefault %s)", help, range, range[0] == '\0' ? "" : "; ",
                 standard[0] == '\0' ? "empty" : standard);
    }
}

/* keys */

void wn_form_move(wn_form *form, long by)
{
    const long wanted = (long)form->selected + by, last = (long)form->count - 1;
    form->selected = wanted < 0 || last < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
    form->fresh = true;
}

/* One after the other; the default last, if it is none of the files there are ("": no file). NULL: no more. */
static const char *choice(const wn_form_field *field, size_t index)
{
    const Warren__Setting *setting = field->setting;
    if (index < setting->n_choices) {
        return setting->choices[index];
    }
    for (size_t i = 0; i < setting->n_choices; i++) {
        if (strcmp(setting->choices[i], wn_form_standard(field)) == 0) {
            return NULL;
        }
    }
    return index == setting->n_choices ? wn_form_standard(field) : NULL;
}

void wn_form_choose(wn_form *form, int by)
{
    wn_form_field *field = &form->fields[form->selected];
    const Warren__Setting *setting = field->setting;
    if (setting->type == WARREN__SETTING_TYPE__SETTING_BOOLEAN) {
        wn_edit_start(&field->value, strcmp(field->value.text, "yes") == 0 ? "no" : "yes", WN_EDIT_BYTES);
        return;
    }
    size_t count = 0, at = 0;
    const char *value;
    while ((value = choice(field, count)) != NULL) {
        at = strcmp(value, field->value.text) == 0 ? count : at;
        count++;
    }
    if (count > 0) {
        wn_edit_start(&field->value, choice(field, (at + count + (size_t)by) % count), WN_EDIT_BYTES);
    }
}

void wn_form_key(wn_form *form, uint32_t key)
{
    wn_form_field *field = &form->fields[form->selected];
    if (key == 'r' - WN_KEY_CONTROL_BASE) {
        wn_edit_start(&field->value, wn_form_standard(field), field->value.limit);
        return;
    }
    field->error[0] = '\0';
    if (wn_form_chooses(field)) {
        if (key == ' ' || key == WN_KEY_RIGHT || key == '+') {
            wn_form_choose(form, 1);
        } else if (key == WN_KEY_LEFT || key == '-') {
            wn_form_choose(form, -1);
        }
        return;
    }
    if (key == ' ' && word_of(field->setting) != NULL) {
        wn_edit_start(&field->value, word_of(field->setting), WN_EDIT_BYTES);
        form->fresh = true;
        return;
    }
    const bool is_number = field->setting != NULL && field->setting->type == WARREN__SETTING_TYPE__SETTING_INTEGER;
    const bool types = key < WN_KEY_UP || (key >= WN_KEY_KP0 && key <= WN_KEY_KP9);
    if (form->fresh && is_number && types && key >= ' ') {
        wn_edit_start(&field->value, "", WN_EDIT_BYTES);
    }
    form->fresh = false;
    wn_edit_key(&field->value, key);
}

/* asking for it */

static uint32_t refuse(wn_form *form, size_t field, const char *text)
{
    snprintf(form->fields[field].error, sizeof form->fields[field].error, "%s", text);
    form->selected = field;
    return 0;
}

static bool parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && text[0] != '-';
}

uint32_t wn_form_submit(wn_form *form, wn_client *client)
{
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    const char *name = form->fields[NAME].value.text, *seed_text = form->fields[form->seed].value.text;
    size_t count = 0;
    uint64_t seed;
    for (size_t i = 0; i < form->count; i++) {
        form->fields[i].error[0] = '\0';
    }
    form->trouble[0] = '\0';
    if (!parse_seed(seed_text, &seed)) {
        char text[96];
        snprintf(text, sizeof text, "\"%.20s\" is no number from 0 to 18446744073709551615", seed_text);
        return refuse(form, form->seed, text);
    }
    if (name[0] != '\0' && !wn_name_valid(name)) {
        return refuse(form, NAME, "a name begins with a letter or a digit and goes on with those and . _ -");
    }
    for (size_t i = 0; i < form->count && count < WN_CREATE_SETTINGS; i++) {
        wn_form_field *field = &form->fields[i];
        if (field->setting == NULL || strcmp(field->value.text, wn_form_standard(field)) == 0) {
            continue;
        }
        warren__setting_value__init(&settings[count]);
        settings[count].name = field->setting->name;
        settings[count++].value = field->value.text;
    }
    const uint32_t request = wn_client_create(client, form->mode->name, name[0] == '\0' ? NULL : name, settings, count,
                                              seed_text[0] == '\0' ? NULL : &seed);
    if (request == 0) {
        snprintf(form->trouble, sizeof form->trouble,
                 "That was not sent: the server has not answered your last requests yet.");
    }
    return request;
}

void wn_form_fail(wn_form *form, const wn_error *error)
{
    for (size_t i = 0; i < form->count; i++) {
        if (error->field[0] != '\0' && strcmp(form->fields[i].label, error->field) == 0) {
            refuse(form, i, error->text);
            form->fresh = true;
            return;
        }
    }
    snprintf(form->trouble, sizeof form->trouble, "%s", error->text);
}
