/* reload.c: see reload.h. Which settings can change is a column of the table in config-table.c.
 */
#include "operation/reload.h"

#include "access/access.h"
#include "modes/modes.h"
#include "network/connections.h"
#include "network/descriptors.h"
#include "operation/service.h"

static void tell(void *context, const char *section, const char *key, bool adopted)
{
    (void)context;
    if (adopted) {
        wn_log_line(WN_LEVEL_INFO, "config", "%s.%s has changed", section, key);
    } else {
        wn_log_line(WN_LEVEL_WARNING, "config", "%s.%s has changed: the next start takes it", section, key);
    }
}

static bool take(wn_daemon *daemon, wn_error *error)
{
    wn_config fresh;
    bool good = wn_config_load(&fresh, daemon->source, error) && wn_config_check(&fresh, error);
    if (good && daemon->config->file != NULL && fresh.file == NULL) { /* which, at a start, would mean all defaults */
        good =
            wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, "", 0,
                         "the configuration file that the daemon started with, %.300s, is gone: put it back, or start "
                         "the daemon again to have the defaults",
                         daemon->config->file);
    }
    if (good) {
        wn_config_adopt(daemon->config, &fresh, tell, NULL);
        wn_log_set_level(daemon->config->log_level);
        wn_modes_look_again(daemon);
        wn_access_configure(daemon);
        wn_connections_allow(daemon->config, wn_descriptors_for_connections());
    }
    wn_config_free(&fresh);
    return good;
}

bool wn_reload(wn_daemon *daemon, wn_error *error)
{
    wn_service_reloading(daemon);
    const bool good = take(daemon, error);
    if (good) {
        wn_log_line(WN_LEVEL_INFO, "config", "read again");
    } else {
        wn_log_line(WN_LEVEL_ERROR, "config", "not read again, everything stays as it is: %s", error->text);
    }
    wn_service_reloaded(daemon, good ? NULL : error->text);
    return good;
}
