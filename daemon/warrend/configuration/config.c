/* config.c: a configuration as a whole: loaded from where it comes, what of another can be taken over, freed. It opens
 * no socket and makes no directory. See config.h.
 */
#include "configuration/config-internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool wn_config_no_memory(wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the configuration");
}

char *wn_config_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    return text;
}

bool wn_config_load(wn_config *config, const wn_config_source *source, wn_error *error)
{
    if (!wn_config_init(config, error)) {
        return false;
    }
    char *found = source->file != NULL ? strdup(source->file) : wn_config_default_file();
    const bool missing = found != NULL && access(found, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
    const bool read = found != NULL && ((source->file == NULL && missing) || wn_config_read(config, found, error));
    if (found == NULL) {
        wn_config_no_memory(error);
    }
    free(found);
    if (!read) {
        return false;
    }
    for (size_t i = 0; i < source->set_count; i++) {
        if (!wn_config_set(config, source->sets[i], error)) {
            return false;
        }
    }
    return true;
}

static void move_value(wn_config *to, wn_config *from, const wn_config_setting *entry)
{
    if (wn_config_is_text(entry)) {
        char *former = *wn_config_text(to, entry);
        *wn_config_text(to, entry) = *wn_config_text(from, entry);
        *wn_config_text(from, entry) = former;
    } else {
        wn_config_put_number(to, entry, wn_config_number(from, entry));
    }
}

void wn_config_adopt(wn_config *config, wn_config *fresh, wn_config_news *tell, void *context)
{
    for (const wn_config_setting *entry = wn_config_table; entry < wn_config_table + wn_config_count; entry++) {
        if (wn_config_is_same(config, fresh, entry)) {
            continue;
        }
        if (entry->reload) {
            move_value(config, fresh, entry);
        }
        tell(context, entry->section, entry->key, entry->reload);
    }
    char *former = config->file;
    config->file = fresh->file;
    fresh->file = former;
}

void wn_config_free(wn_config *config)
{
    for (size_t i = 0; i < wn_config_count; i++) {
        if (wn_config_is_text(&wn_config_table[i])) {
            free(*wn_config_text(config, &wn_config_table[i]));
        }
    }
    free(config->file);
    memset(config, 0, sizeof *config);
}
