/* plugin.c: loads a mode and checks that it can be run. What a good descriptor is stands in lint.c.
 */
#include "plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "world.h"

/* FNV-1a, 64 bits, of the file's content, in hexadecimal (http://www.isthe.com/chongo/tech/comp/fnv/). */
static bool hash_file(const char *path, char build[17], wn_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, "%s cannot be opened: %s", path,
                            strerror(errno));
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    uint8_t block[16384];
    ssize_t got;
    while ((got = read(file, block, sizeof block)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            hash = (hash ^ block[i]) * UINT64_C(0x100000001b3);
        }
    }
    const int cause = errno;
    close(file);
    if (got < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, "%s cannot be read: %s", path,
                            strerror(cause));
    }
    snprintf(build, 17, "%016" PRIx64, hash);
    return true;
}

/* dlopen() looks for names without a slash among the system's libraries. */
static void *load_library(const char *path)
{
    char local[4096];
    if (!strchr(path, '/')) {
        snprintf(local, sizeof local, "./%s", path);
        path = local;
    }
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool check_version(const char *path, const wn_mode_descriptor *mode, wn_error *error)
{
    if (!mode) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "%s: wn_mode() returned NULL: it must return the mode's descriptor", path);
    }
    if (mode->abi > WN_ABI_VERSION) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "%s was built for version %u of the mode ABI and this warren-host (%s) runs up to version "
                            "%u: install a newer Warren, or build the mode against its mode.h",
                            path, mode->abi, WARREN_VERSION, WN_ABI_VERSION);
    }
    if (mode->abi == 0 || mode->size < sizeof *mode) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "%s: its descriptor says ABI version %u and %u bytes, which no version of mode.h has "
                            "(version %u has %zu): set .abi = WN_ABI_VERSION and .size = sizeof(wn_mode_descriptor)",
                            path, mode->abi, mode->size, WN_ABI_VERSION, sizeof *mode);
    }
    return true;
}

static const wn_mode_descriptor *find_descriptor(void *library, const char *path, wn_error *error)
{
    /* ISO C has no cast from an object to a function pointer; POSIX guarantees the representation. */
    wn_mode_function *mode_function = NULL;
    void *symbol = dlsym(library, "wn_mode");
    if (!symbol) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                     "%s is not a mode: it exports no function wn_mode()", path);
        return NULL;
    }
    memcpy(&mode_function, &symbol, sizeof symbol);
    const wn_mode_descriptor *mode = mode_function();
    return check_version(path, mode, error) ? mode : NULL;
}

/* Loads the mode; what is wrong with its descriptor, beside its version, does not matter yet. */
static wn_plugin *load(const char *path, wn_error *error)
{
    wn_plugin *plugin = wn_must_allocate(sizeof *plugin);
    if (!hash_file(path, plugin->build, error)) {
        free(plugin);
        return NULL;
    }
    plugin->library = load_library(path);
    if (!plugin->library) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, "%s cannot be loaded: %s", path, dlerror());
        free(plugin);
        return NULL;
    }
    plugin->mode = find_descriptor(plugin->library, path, error);
    plugin->scratch.arena = wn_arena_new(WN_ARENA_FRAME);
    wn_generator_seed(&plugin->scratch.stray, 0);
    if (!plugin->mode || !plugin->scratch.arena) {
        wn_plugin_close(plugin);
        return NULL;
    }
    return plugin;
}

wn_plugin *wn_plugin_open(const char *path, wn_error *error)
{
    wn_plugin *plugin = load(path, error);
    wn_error rule = {0};
    if (plugin && !wn_descriptor_check(plugin->mode, &rule)) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, "%s: %.400s", path, rule.text);
        wn_plugin_close(plugin);
        return NULL;
    }
    return plugin;
}

bool wn_plugin_lint(const char *path, wn_lint_found *found, void *context, wn_error *error)
{
    wn_plugin *plugin = load(path, error);
    if (plugin) {
        wn_descriptor_lint(plugin->mode, found, context);
    }
    wn_plugin_close(plugin);
    return plugin != NULL;
}

void wn_plugin_replace(wn_plugin *plugin, const wn_mode_descriptor *mode)
{
    plugin->mode = mode;
}

const wn_mode_descriptor *wn_plugin_descriptor(const wn_plugin *plugin)
{
    return plugin->mode;
}

const char *wn_plugin_build(const wn_plugin *plugin)
{
    return plugin->build;
}

void wn_plugin_describe(const wn_plugin *plugin, wn_buffer *mode)
{
    wn_descriptor_describe(plugin->mode, mode);
}

void wn_plugin_close(wn_plugin *plugin)
{
    if (!plugin) {
        return;
    }
    wn_inputs_free(&plugin->scratch.inputs);
    wn_buffer_free(&plugin->scratch.events);
    wn_buffer_free(&plugin->scratch.saved);
    free(plugin->scratch.effects);
    if (plugin->scratch.arena) {
        wn_arena_free(plugin->scratch.arena);
    }
    dlclose(plugin->library);
    free(plugin);
}
