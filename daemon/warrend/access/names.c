/* names.c: whose name is whose. See names.h.
 */
#include "access/names.h"

#include <inttypes.h>
#include <sys/random.h>
#include <time.h>

#include "memory.h"

enum {
    IN_ORDER = 9,        /* NAME-2, NAME-3, ... so far; then any number */
    NUMBERS = 100000000, /* of eight digits */
    DAY_S = 86400,       /* so often, at most, the store gets when a name was used */
    KEEP_S = WN_NAME_KEEP_DAYS * DAY_S,
    GIVEN_AWAY_AT_ONCE = 16, /* where `names` was made smaller */
    FULL_S = 3600            /* between two lines in the log about that */
};

static void free_claim(void **item)
{
    free(*item);
    *item = NULL;
}

/* how many an identity has */

static uintptr_t count_names(wn_daemon *daemon, const char *identity)
{
    return (uintptr_t)zhashx_lookup(daemon->claimants, identity);
}

static void set_count(wn_daemon *daemon, const char *identity, uintptr_t count)
{
    if (count > 0) {
        zhashx_update(daemon->claimants, identity, (void *)count);
    } else {
        zhashx_delete(daemon->claimants, identity);
    }
}

/* claims */

static void keep(wn_daemon *daemon, const wn_stored_claim *stored)
{
    wn_claim *claim = wn_must_zero(1, sizeof *claim);
    snprintf(claim->name, sizeof claim->name, "%s", stored->name);
    snprintf(claim->identity, sizeof claim->identity, "%s", stored->identity);
    claim->used = stored->used;
    claim->by_use = wn_must(zlistx_add_end(daemon->claims_by_use, claim));
    zhashx_insert(daemon->claims, claim->name, claim);
    set_count(daemon, claim->identity, count_names(daemon, claim->identity) + 1);
}

static void drop(wn_daemon *daemon, wn_claim *claim)
{
    wn_store_delete_claim(daemon->store, claim->name);
    set_count(daemon, claim->identity, count_names(daemon, claim->identity) - 1);
    zlistx_delete(daemon->claims_by_use, claim->by_use);
    zhashx_delete(daemon->claims, claim->name);
}

static bool take_stored(void *context, const wn_stored_claim *claim)
{
    keep(context, claim);
    return true;
}

bool wn_names_open(wn_daemon *daemon, wn_error *error)
{
    daemon->claims = zhashx_new();
    daemon->claims_by_use = zlistx_new();
    daemon->claimants = zhashx_new();
    zhashx_set_destructor(daemon->claims, free_claim);
    return wn_store_list_claims(daemon->store, take_stored, daemon, error);
}

void wn_names_close(wn_daemon *daemon)
{
    zhashx_destroy(&daemon->claimants);
    zlistx_destroy(&daemon->claims_by_use);
    zhashx_destroy(&daemon->claims);
}

const char *wn_name_owner(wn_daemon *daemon, const char *name)
{
    const wn_claim *claim = zhashx_lookup(daemon->claims, name);
    return claim != NULL ? claim->identity : NULL;
}

/* choosing */

static bool is_anothers(wn_daemon *daemon, const char *name, const char *identity)
{
    const char *owner = wn_name_owner(daemon, name);
    return owner != NULL && strcmp(owner, identity) != 0;
}

static void append_number(char *name, const char *base, uint32_t number)
{
    char tail[16];
    const int length = snprintf(tail, sizeof tail, "-%" PRIu32, number);
    size_t keep_bytes = WN_NAME_BYTES - (size_t)length;
    keep_bytes = strlen(base) < keep_bytes ? strlen(base) : keep_bytes;
    while (keep_bytes > 0 && ((uint8_t)base[keep_bytes] & 0xc0) == 0x80) {
        keep_bytes--; /* not within a character */
    }
    snprintf(name, WN_NAME_BYTES + 1, "%.*s%s", (int)keep_bytes, base, tail);
}

bool wn_name_choose(wn_daemon *daemon, const char *wanted, const char *identity, char *name)
{
    const char *base = wanted != NULL ? wanted : "guest";
    snprintf(name, WN_NAME_BYTES + 1, "%s", base);
    for (uint32_t number = 2; zhashx_lookup(daemon->players, name) != NULL || is_anothers(daemon, name, identity);
         number++) {
        uint32_t chance = number;
        if (number > IN_ORDER && getrandom(&chance, sizeof chance, 0) == (ssize_t)sizeof chance) {
            chance %= NUMBERS; /* whoever has taken all that come in order is not to make each Hello long */
        }
        append_number(name, base, chance);
    }
    return wanted != NULL && is_anothers(daemon, wanted, identity);
}

/* claiming */

static void use(wn_daemon *daemon, wn_claim *claim, int64_t now)
{
    if (now - claim->used < DAY_S) {
        return;
    }
    claim->used = now;
    zlistx_move_end(daemon->claims_by_use, claim->by_use);
    wn_store_put_claim(daemon->store, &(wn_stored_claim){claim->name, claim->identity, now});
}

/* Gives away what was not used for long, if that makes room for another. */
static bool make_room(wn_daemon *daemon, int64_t now)
{
    static wn_log_pace full;
    const uint32_t most = daemon->config->names;
    for (int i = 0; i < GIVEN_AWAY_AT_ONCE && zhashx_size(daemon->claims) >= most; i++) {
        wn_claim *oldest = zlistx_first(daemon->claims_by_use);
        wn_log_text name;
        if (oldest == NULL || now - oldest->used < KEEP_S) {
            break;
        }
        if (zhashx_lookup(daemon->players, oldest->name) != NULL) {
            use(daemon, oldest, now);
            continue;
        }
        wn_log_line(WN_LEVEL_INFO, "session", "name given away, unused for %" PRId64 " days player=%s identity=%s",
                    (now - oldest->used) / DAY_S, wn_log_value(&name, oldest->name), oldest->identity);
        drop(daemon, oldest);
    }
    if (zhashx_size(daemon->claims) < most) {
        return true;
    }
    if (wn_log_again(&full, FULL_S)) {
        wn_log_line(WN_LEVEL_WARNING, "session",
                    "%zu names belong to somebody, as many as may (limits.names), and all were used in the last %d "
                    "days: new ones belong to nobody",
                    zhashx_size(daemon->claims), WN_NAME_KEEP_DAYS);
    }
    return false;
}

bool wn_name_claim(wn_daemon *daemon, const char *name, const char *identity)
{
    const int64_t now = (int64_t)time(NULL);
    wn_claim *claim = zhashx_lookup(daemon->claims, name);
    wn_log_text shown;
    if (claim != NULL) {
        use(daemon, claim, now);
        return true;
    }
    if (count_names(daemon, identity) >= daemon->config->names_per_player || !make_room(daemon, now)) {
        return false;
    }
    const wn_stored_claim stored = {name, identity, now};
    wn_store_put_claim(daemon->store, &stored);
    keep(daemon, &stored);
    wn_log_line(WN_LEVEL_INFO, "session", "name taken player=%s identity=%s", wn_log_value(&shown, name), identity);
    return true;
}

bool wn_name_release(wn_daemon *daemon, const char *name, wn_error *error)
{
    wn_claim *claim = zhashx_lookup(daemon->claims, name);
    if (claim == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "player", 0, "the name %s belongs to nobody",
                            name);
    }
    drop(daemon, claim);
    return true;
}
