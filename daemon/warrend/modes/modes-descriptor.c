/* modes-descriptor.c: what a mode says of itself, and what of it the daemon does not take. See modes.h.
 */
#include "modes/modes.h"

#include "modes/mode-files.h"
#include "modes/settings.h"
#include "worlds/own-settings.h"

enum { DESCRIPTOR_BYTES = 1 << 20 }; /* it is sent to whoever joins, and those of all modes in one list */

static void log_missing_settings(const wn_installed_mode *mode)
{
    char missing[WN_TEXT_BYTES];
    wn_own_name_missing(mode->own_settings, missing, sizeof missing);
    if (missing[0] != '\0') {
        wn_log_line(WN_LEVEL_WARNING, "host",
                    "its worlds are without these settings of the server's: %s; it has its own by those names, or so "
                    "many that there is no room mode=%s",
                    missing, mode->name);
    }
}

/* What the daemon relies on beyond the rules of the wire: warren-host holds its mode to the same, but it may be the
 * mode that speaks. */
static bool is_sound(const Warren__Mode *mode, wn_error *error)
{
    const size_t size = warren__mode__get_packed_size(mode);
    if (!mode->has_max_seats) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "max_seats", 0,
                            "it does not say how many can play in a world (max_seats)");
    }
    if (size > DESCRIPTOR_BYTES) {
        return wn_fail_with(
            error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "mode", DESCRIPTOR_BYTES,
            "its descriptor has %zu bytes when sent, of %d that it may: have fewer tiles, or shorter texts", size,
            DESCRIPTOR_BYTES);
    }
    return wn_settings_sound(mode, error);
}

/* A copy of it, to be freed. NULL: no memory. */
static Warren__Mode *copy(const Warren__Mode *descriptor)
{
    wn_buffer encoded = {0};
    wn_encode(&encoded, &descriptor->base);
    Warren__Mode *copied = warren__mode__unpack(NULL, encoded.size, encoded.data);
    wn_buffer_free(&encoded);
    return copied;
}

bool wn_mode_describe(wn_installed_mode *mode, const Warren__Host__Ready *ready)
{
    wn_arena *arena = mode->daemon->host_arena;
    wn_error error;
    if (mode->descriptor != NULL && strcmp(mode->build, ready->build) == 0) {
        return true;
    }
    if (!is_sound(ready->mode, &error)) {
        wn_mode_give_up(mode, error.text);
        return false;
    }
    wn_mode_files_list(mode, ready->mode, arena);
    mode->own_settings = wn_own_add(ready->mode, arena);
    log_missing_settings(mode);
    Warren__Mode *descriptor = copy(ready->mode);
    if (descriptor == NULL) {
        wn_mode_give_up(mode, "out of memory for its description");
        return false;
    }
    if (mode->descriptor != NULL) {
        warren__mode__free_unpacked(mode->descriptor, NULL);
    }
    mode->descriptor = descriptor;
    snprintf(mode->build, sizeof mode->build, "%s", ready->build);
    return true;
}
