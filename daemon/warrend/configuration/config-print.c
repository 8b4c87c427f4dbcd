/* config-print.c: the settings, written: as a documented warren.conf, and as sections of its manual page. See
 * config-internal.h.
 */
#include "configuration/config-internal.h"

#include <string.h>

static void print_comment(const char *text, FILE *to)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(to, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* The default as words: of what depends on where the daemon runs, how it is found. */
static const char *standard_of(const wn_config_setting *entry, char *text, size_t size)
{
    if (wn_config_is_text(entry)) {
        snprintf(text, size, "%s", entry->found);
    } else if (entry->kind == WN_KIND_NUMBER) {
        snprintf(text, size, "%u", entry->value);
    } else {
        snprintf(text, size, "%s", wn_config_kinds[entry->kind].words[entry->value]);
    }
    return text;
}

/* One element of a list in a line, for the parser's lines are short. */
static void print_text(const wn_config_setting *entry, const char *value, const char *mark, FILE *to)
{
    char separator = wn_config_kinds[entry->kind].separator;
    fprintf(to, "%s%s =%s", mark, entry->key, value[0] == '\0' ? "" : " ");
    for (; *value != '\0'; value++) {
        if (*value == separator) {
            fprintf(to, "\n%s    ", mark);
        } else {
            fputc(*value, to);
        }
    }
    fputc('\n', to);
}

static void print_value(const wn_config *config, const wn_config_setting *entry, const char *mark, FILE *to)
{
    char standard[256];
    if (wn_config_is_text(entry)) {
        print_text(entry, config == NULL ? "" : *wn_config_text(config, entry), mark, to);
    } else if (config == NULL) {
        fprintf(to, "%s%s = %s\n", mark, entry->key, standard_of(entry, standard, sizeof standard));
    } else if (entry->kind == WN_KIND_NUMBER) {
        fprintf(to, "%s%s = %u\n", mark, entry->key, wn_config_number(config, entry));
    } else {
        fprintf(to, "%s%s = %s\n", mark, entry->key,
                wn_config_kinds[entry->kind].words[wn_config_number(config, entry)]);
    }
}

/* `standard` is what a reader of the file has so far, without the comments: a value that it has anyway stands in one,
 * so that a default remains one wherever the file is read. */
static bool print_setting(const wn_config *config, wn_config *standard, const wn_config_setting *entry, FILE *to,
                          wn_error *error)
{
    char allowed[128], words[256];
    const bool comment = config == NULL || wn_config_is_same(config, standard, entry);
    wn_config_describe_allowed(entry, allowed, sizeof allowed);
    print_comment(entry->help, to);
    fprintf(to, "# It takes %s.%sDefault: %s%s\n", allowed, wn_config_is_text(entry) ? "\n# " : " ",
            standard_of(entry, words, sizeof words), entry->reload ? " (reload)" : "");
    print_value(config, entry, comment ? "# " : "", to);
    return comment || !wn_config_is_text(entry) ||
           wn_config_set_value(standard, entry, *wn_config_text(config, entry), false, &(wn_config_place){0}, error);
}

bool wn_config_print(const wn_config *config, FILE *to, wn_error *error)
{
    wn_config standard;
    if (!wn_config_init(&standard, error)) {
        return false;
    }
    fputs("# warren.conf: the settings of warrend. What is not set here has its default.\n"
          "# Lines that begin with '#' or ';' are comments, and so is what follows \" ;\" in a line.\n"
          "# A change of what is marked (reload) takes effect on SIGHUP, of the rest at the next start.\n",
          to);
    const char *section = "";
    bool good = true;
    for (size_t i = 0; good && i < wn_config_count; i++) {
        if (strcmp(section, wn_config_table[i].section) != 0) {
            fprintf(to, "\n[%s]\n", section = wn_config_table[i].section);
        }
        fputc('\n', to);
        good = print_setting(config, &standard, &wn_config_table[i], to, error);
    }
    wn_config_free(&standard);
    return good;
}

/* Text of a page: a line for each sentence, none of which is taken for an instruction. */
static void print_prose(const char *text, FILE *to)
{
    for (char before = '\n'; *text != '\0'; text++) {
        const char character = *text == ' ' && before == '.' ? '\n' : *text;
        if (before == '\n' && (character == '.' || character == '\'')) {
            fputs("\\&", to);
        }
        fputc(character, to);
        if (character == '\\') {
            fputc('e', to);
        }
        before = character;
    }
    fputc('\n', to);
}

void wn_config_print_page(FILE *to)
{
    const char *section = NULL;
    for (const wn_config_setting *entry = wn_config_table; entry < wn_config_table + wn_config_count; entry++) {
        char allowed[128], standard[256];
        if (section == NULL || strcmp(section, entry->section) != 0) {
            fprintf(to, "%s.Ss \\&[%s]\n.Bl -tag -width Ds\n", section == NULL ? "" : ".El\n", entry->section);
        }
        section = entry->section;
        wn_config_describe_allowed(entry, allowed, sizeof allowed);
        fprintf(to, ".It Va %s\n", entry->key);
        print_prose(entry->help, to);
        fprintf(to, "It takes %s.\n", allowed);
        fprintf(to, "Default: %s.\n%s", standard_of(entry, standard, sizeof standard),
                entry->reload ? "A change takes effect on reload.\n" : "");
    }
    fputs(".El\n", to);
}
