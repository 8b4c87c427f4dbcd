/* config-internal.h: what the files of the configuration know of each other.
 *
 *   config-table.c     the settings there are, and their values in a wn_config
 *   config-defaults.c  what they are where nobody sets them
 *   config-values.c    what they are set to: parsing, ranges, --set
 *   config-file.c      warren.conf: reading it
 *   config-print.c     warren.conf and its manual page: writing them
 *   config-check.c     what only all of it together can tell
 *   config.c           all of it: defaults, file and assignments, and what of it can change later
 */
#ifndef WARREN_CONFIG_INTERNAL_H
#define WARREN_CONFIG_INTERNAL_H

#include <stddef.h>

#include "configuration/config.h"

/* the table */

typedef enum wn_config_kind {
    WN_KIND_PATH,
    WN_KIND_PATHS,
    WN_KIND_ENDPOINTS,
    WN_KIND_PLACE,
    WN_KIND_SUBJECTS,
    WN_KIND_BOOL,
    WN_KIND_NUMBER,
    WN_KIND_LEVEL,
    WN_KIND_DURABILITY,
    WN_KIND_UPGRADE,
    WN_KIND_NEWCOMERS,
    WN_KIND_SANDBOX
} wn_config_kind;

/* How a kind is written: the separator of lists (their elements may go on in indented lines), the words of choices. */
typedef struct wn_config_writing {
    char separator;
    const char *words[5];
    const char *allowed; /* NULL: the range of the setting */
} wn_config_writing;

extern const wn_config_writing wn_config_kinds[]; /* by kind */

typedef struct wn_config_setting {
    const char *section, *key;
    wn_config_kind kind;
    size_t offset;
    uint32_t value, min, max; /* default and range; of choices the default's index */
    const char *found;        /* of paths and endpoints: where the default comes from */
    bool reload;              /* can change while the daemon runs */
    const char *help;         /* comment lines */
} wn_config_setting;

enum { WN_CONFIG_MOST = 96 }; /* settings that there can be */

extern const wn_config_setting wn_config_table[];
extern const size_t wn_config_count;

bool wn_config_has_section(const char *section);
const wn_config_setting *wn_config_find(const char *section, const char *key); /* NULL: there is none */
/* "a number from 1 to 5": what it takes. */
void wn_config_describe_allowed(const wn_config_setting *entry, char *text, size_t size);

/* The values in a configuration: each is a text, or a number: choices by their index. */
bool wn_config_is_text(const wn_config_setting *entry);
char **wn_config_text(const wn_config *config, const wn_config_setting *entry);
uint32_t wn_config_number(const wn_config *config, const wn_config_setting *entry);
void wn_config_put_number(wn_config *config, const wn_config_setting *entry, uint32_t number);
bool wn_config_is_same(const wn_config *one, const wn_config *other, const wn_config_setting *entry);

/* defaults; allocated, NULL: no memory */

char *wn_config_default_file(void);
char *wn_config_default_endpoints(const char *runtime_dir, const char *name, unsigned port);
char *wn_config_default_key_file(const char *state_dir);

/* values */

/* Where a value stands, for the sentence about it. */
typedef struct wn_config_place {
    const char *file; /* NULL: --set */
    int line;
} wn_config_place;

/* `more`: the value goes on with what stood in the line before. */
bool wn_config_set_value(wn_config *config, const wn_config_setting *entry, const char *value, bool more,
                         const wn_config_place *at, wn_error *error);
/* Fills in the error: what is wrong (`why`, or "") and what it takes. Returns false. */
bool wn_config_bad_value(const wn_config_place *at, const wn_config_setting *entry, const char *value, const char *why,
                         wn_error *error);

/* memory */

/* A text, allocated; NULL: no memory. */
__attribute__((format(printf, 1, 2))) char *wn_config_format(const char *format, ...);
bool wn_config_no_memory(wn_error *error); /* fills it in; false */

#endif
