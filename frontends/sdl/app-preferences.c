/* app-preferences.c: what the player has chosen takes effect: the window's size, colours, text and sound. See app.h. */
#include "app-parts.h"

enum { SOUND_MS = 20000 };

void wn_app_keep_preferences(wn_app *app)
{
    wn_error error;
    if (app->preferences_path[0] != '\0' && !wn_preferences_write(&app->preferences, app->preferences_path, &error)) {
        wn_app_note(app, "%s", error.text);
    }
}

void wn_app_set_full(wn_app *app, bool full)
{
    wn_window_set_full(&app->window, full);
    app->preferences.full_screen = app->window.full;
    wn_app_keep_preferences(app);
}

void wn_app_restyle(wn_app *app)
{
    app->ink.scale = wn_window_display_scale(&app->window) * (float)app->preferences.text_size / 100;
    app->ink.palette = (wn_palette)app->preferences.palette;
    if (app->screen != NULL && app->screen->forget != NULL) {
        app->screen->forget(app);
    }
    app->dirty = true;
}

/* sound */

/* An open device costs a little all the time, also while it is silent: it is opened for a cue, and closed when there
 * was none for a while. */
void wn_app_hear(wn_app *app, const char *cue, wn_hearing hearing)
{
    if (app->preferences.mute || app->preferences.volume == 0) {
        return;
    }
    if (app->sound == NULL) {
        app->sound = wn_sound_new((uint32_t)app->preferences.volume);
    }
    if (app->sound == NULL) {
        return;
    }
    const char *why = wn_sound_why_silent(app->sound);
    if (why != NULL && !app->told_silent) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, why);
    }
    app->told_silent = app->told_silent || why != NULL;
    wn_sound_set_volume(app->sound, (uint32_t)app->preferences.volume);
    wn_sound_play(app->sound, cue, hearing);
    app->sound_until = app->now + SOUND_MS;
}

void wn_app_close_sound(wn_app *app)
{
    if (app->sound != NULL && (app->now >= app->sound_until || app->preferences.mute)) {
        wn_sound_free(app->sound);
        app->sound = NULL;
    }
    wn_app_wake_at(app, app->sound == NULL ? 0 : app->sound_until);
}
