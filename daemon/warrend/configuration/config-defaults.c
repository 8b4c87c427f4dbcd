/* config-defaults.c: what the settings are where nobody sets them, as far as that depends on the user and the
 * environment; else it stands in the table. See config-internal.h.
 */
#include "configuration/config-internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM_STATE_DIR "/var/lib/warren"

/* each */

/* $name, or NULL where it is unset or no absolute path, which the XDG base directory specification says to ignore. */
static const char *directory_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] == '/' ? value : NULL;
}

/* The service's user as well as root: of the packages, the directory is that user's. */
static bool is_for_the_system(void)
{
    struct stat found;
    return geteuid() == 0 || (stat(SYSTEM_STATE_DIR, &found) == 0 && found.st_uid == geteuid());
}

static char *default_state_dir(void)
{
    const char *from;
    if ((from = directory_variable("STATE_DIRECTORY")) != NULL) {
        return strndup(from, strcspn(from, ":")); /* systemd separates several by ':' */
    }
    if (is_for_the_system()) {
        return strdup(SYSTEM_STATE_DIR);
    }
    if ((from = directory_variable("XDG_STATE_HOME")) != NULL) {
        return wn_config_format("%s/warren", from);
    }
    if ((from = directory_variable("HOME")) != NULL) {
        return wn_config_format("%s/.local/state/warren", from);
    }
    return strdup("");
}

static char *default_runtime_dir(const char *state_dir)
{
    const char *from;
    if ((from = directory_variable("RUNTIME_DIRECTORY")) != NULL) {
        return strndup(from, strcspn(from, ":"));
    }
    if (is_for_the_system()) {
        return strdup("/run/warren");
    }
    if ((from = directory_variable("XDG_RUNTIME_DIR")) != NULL) {
        return wn_config_format("%s/warren", from);
    }
    return state_dir[0] == '\0' ? strdup("") : wn_config_format("%s/run", state_dir);
}

/* A program beside this one, else the installed one. */
static char *default_program(const char *name, const char *installed)
{
    char self[4096];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size > 0) {
        self[size] = '\0';
        char *slash = strrchr(self, '/');
        char *beside = slash == NULL ? NULL : wn_config_format("%.*s/%s", (int)(slash - self), self, name);
        if (beside != NULL && access(beside, X_OK) == 0) {
            return beside;
        }
        free(beside);
    }
    return strdup(installed);
}

char *wn_config_default_endpoints(const char *runtime_dir, const char *name, unsigned port)
{
    return wn_config_format("ipc://%s/%s tcp://127.0.0.1:%u", runtime_dir, name, port);
}

/* The name that systemd's LoadCredential= gives it, or what is made at the first start. */
char *wn_config_default_key_file(const char *state_dir)
{
    const char *from = directory_variable("CREDENTIALS_DIRECTORY");
    char *credential = from == NULL ? NULL : wn_config_format("%s/server.key", from);
    if (credential != NULL && access(credential, F_OK) == 0) {
        return credential;
    }
    free(credential);
    return state_dir[0] == '\0' ? strdup("") : wn_config_format("%s/server.key", state_dir);
}

char *wn_config_default_file(void)
{
    const char *from = directory_variable("CONFIGURATION_DIRECTORY");
    return from == NULL ? strdup(WARREN_CONFIG_FILE)
                        : wn_config_format("%.*s/warren.conf", (int)strcspn(from, ":"), from);
}

/* all */

bool wn_config_init(wn_config *config, wn_error *error)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < wn_config_count; i++) {
        if (!wn_config_is_text(&wn_config_table[i])) {
            wn_config_put_number(config, &wn_config_table[i], wn_config_table[i].value);
        }
    }
    config->state_dir = default_state_dir();
    if (config->state_dir != NULL) {
        config->runtime_dir = default_runtime_dir(config->state_dir);
        config->key_file = wn_config_default_key_file(config->state_dir);
    }
    if (config->runtime_dir != NULL) {
        config->control = wn_config_default_endpoints(config->runtime_dir, "control", WN_CONTROL_PORT);
        config->updates = wn_config_default_endpoints(config->runtime_dir, "updates", WN_UPDATES_PORT);
    }
    for (size_t i = 0; i < wn_config_count; i++) {
        if (wn_config_table[i].kind == WN_KIND_SUBJECTS || wn_config_table[i].kind == WN_KIND_PLACE) {
            *wn_config_text(config, &wn_config_table[i]) = strdup("");
        }
    }
    config->mode_path = strdup(WARREN_MODE_DIR);
    config->mode_files = strdup(WARREN_FILES_DIR);
    config->host_program = default_program("warren-host", WARREN_LIBEXEC_DIR "/warren-host");
    config->bot_program = default_program("warren-bot", WARREN_BIN_DIR "/warren-bot");
    for (size_t i = 0; i < wn_config_count; i++) {
        if (wn_config_is_text(&wn_config_table[i]) && *wn_config_text(config, &wn_config_table[i]) == NULL) {
            wn_config_free(config);
            return wn_config_no_memory(error);
        }
    }
    return true;
}
