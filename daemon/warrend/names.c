/* names.c: whose name is whose. See names.h.
 */
#include "names.h"

#include <time.h>

#include "memory.h"

static void free_claim(void **item)
{
    free(*item);
    *item = NULL;
}

static wn_claim *keep(wn_daemon *daemon, const char *name, const char *identity)
{
    wn_claim *claim = wn_must_zero(1, sizeof *claim);
    snprintf(claim->name, sizeof claim->name, "%s", name);
    snprintf(claim->identity, sizeof claim->identity, "%s", identity);
    zhashx_update(daemon->claims, claim->name, claim);
    return claim;
}

static bool take_stored(void *context, const char *name, const char *identity)
{
    keep(context, name, identity);
    return true;
}

bool wn_names_open(wn_daemon *daemon, wn_error *error)
{
    daemon->claims = zhashx_new();
    zhashx_set_destructor(daemon->claims, free_claim);
    return wn_store_list_claims(daemon->store, take_stored, daemon, error);
}

void wn_names_close(wn_daemon *daemon)
{
    zhashx_destroy(&daemon->claims);
}

const char *wn_name_owner(wn_daemon *daemon, const char *name)
{
    const wn_claim *claim = zhashx_lookup(daemon->claims, name);
    return claim != NULL ? claim->identity : NULL;
}

static bool is_anothers(wn_daemon *daemon, const char *name, const char *identity)
{
    const char *owner = wn_name_owner(daemon, name);
    return owner != NULL && strcmp(owner, identity) != 0;
}

bool wn_name_choose(wn_daemon *daemon, const char *wanted, const char *identity, char *name)
{
    const char *base = wanted != NULL ? wanted : "guest";
    snprintf(name, WN_NAME_BYTES + 1, "%s", base);
    for (unsigned number = 2; zhashx_lookup(daemon->players, name) != NULL || is_anothers(daemon, name, identity);
         number++) {
        char tail[16];
        const int length = snprintf(tail, sizeof tail, "-%u", number);
        size_t keep_bytes = WN_NAME_BYTES - (size_t)length;
        keep_bytes = strlen(base) < keep_bytes ? strlen(base) : keep_bytes;
        while (keep_bytes > 0 && ((uint8_t)base[keep_bytes] & 0xc0) == 0x80) {
            keep_bytes--; /* not within a character */
        }
        snprintf(name, WN_NAME_BYTES + 1, "%.*s%s", (int)keep_bytes, base, tail);
    }
    return wanted != NULL && is_anothers(daemon, wanted, identity);
}

static uint32_t count_names(wn_daemon *daemon, const char *identity)
{
    uint32_t count = 0;
    for (const wn_claim *claim = zhashx_first(daemon->claims); claim != NULL; claim = zhashx_next(daemon->claims)) {
        count += strcmp(claim->identity, identity) == 0 ? 1 : 0;
    }
    return count;
}

void wn_name_claim(wn_daemon *daemon, const char *name, const char *identity)
{
    const wn_config *config = daemon->config;
    wn_log_text shown;
    wn_error error;
    if (identity[0] == '\0' || wn_name_owner(daemon, name) != NULL || zhashx_size(daemon->claims) >= config->names ||
        count_names(daemon, identity) >= config->names_per_player) {
        return;
    }
    if (!wn_store_put_claim(daemon->store, name, identity, (int64_t)time(NULL), &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "%s cannot be kept for %s: %s", name, identity, error.text);
    }
    keep(daemon, name, identity);
    wn_log_line(WN_LEVEL_INFO, "session", "name taken player=%s identity=%s", wn_log_value(&shown, name), identity);
}

bool wn_name_release(wn_daemon *daemon, const char *name, wn_error *error)
{
    if (wn_name_owner(daemon, name) == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "player", 0, "the name %s belongs to nobody",
                            name);
    }
    if (!wn_store_delete_claim(daemon->store, name, error)) {
        return false;
    }
    zhashx_delete(daemon->claims, name);
    return true;
}
