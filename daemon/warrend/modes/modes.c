/* modes.c: the modes there are: found, looked up, freed, and which worlds are theirs. See modes.h.
 */
#include "modes/modes.h"

#include <dirent.h>

#include "memory.h"
#include "modes/hosts.h"
#include "modes/mode-log.h"
#include "modes/worker.h"

/* finding */

static wn_installed_mode *mode_new(wn_daemon *daemon, const char *name, const char *path)
{
    wn_installed_mode *mode = wn_must_zero(1, sizeof *mode);
    mode->daemon = daemon;
    snprintf(mode->name, sizeof mode->name, "%s", name);
    mode->path = wn_must_copy(path);
    mode->log = wn_mode_log_new(daemon, mode->name);
    mode->scores = wn_allowance_whole(wn_loop_now_ms(daemon->loop));
    mode->restart = wn_timer_new(daemon->loop, wn_mode_restart_due, mode);
    wn_host_init(mode);
    return mode;
}

static void add_mode(wn_daemon *daemon, wn_installed_mode *mode)
{
    daemon->modes = wn_must_resize(daemon->modes, (daemon->mode_count + 1) * sizeof *daemon->modes);
    daemon->modes[daemon->mode_count++] = mode;
}

static void find_in(wn_daemon *daemon, const char *directory)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char name[WN_NAME_BYTES + 1];
        const char *file = entries[i]->d_name;
        const size_t length = strlen(file);
        if (length > 3 && length - 3 < sizeof name && strcmp(file + length - 3, ".so") == 0) {
            memcpy(name, file, length - 3);
            name[length - 3] = '\0';
            char *path = NULL;
            if (wn_modes_lookup(daemon, name) == NULL && asprintf(&path, "%s/%s", directory, file) >= 0) {
                add_mode(daemon, mode_new(daemon, name, path));
            }
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void find_all(wn_daemon *daemon)
{
    char *directories = strdup(daemon->config->mode_path);
    char *rest = NULL;
    for (char *directory = strtok_r(directories, ":", &rest); directory != NULL;
         directory = strtok_r(NULL, ":", &rest)) {
        find_in(daemon, directory);
    }
    free(directories);
}

bool wn_modes_find(wn_daemon *daemon, wn_error *error)
{
    find_all(daemon);
    if (daemon->mode_count == 0) {
        return wn_fail_with(
            error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "hosts.mode_path", 0,
            "no mode found: there is no .so file in %.300s; install modes there or set daemon.mode_path",
            daemon->config->mode_path);
    }
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_installed_mode *mode = daemon->modes[i];
        wn_host_start(mode);
    }
    return true;
}

wn_installed_mode *wn_modes_lookup(wn_daemon *daemon, const char *name)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_installed_mode *mode = daemon->modes[i];
        if (strcmp(mode->name, name) == 0) {
            return mode;
        }
    }
    return NULL;
}

bool wn_modes_settled(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        const wn_installed_mode *mode = daemon->modes[i];
        if (mode->descriptor == NULL && !mode->given_up) {
            return false;
        }
    }
    return true;
}

void wn_modes_look_again(wn_daemon *daemon)
{
    const size_t known = daemon->mode_count;
    find_all(daemon);
    for (size_t i = 0; i < daemon->mode_count; i++) {
        if (i >= known || daemon->modes[i]->given_up) {
            wn_mode_try_again(daemon->modes[i]);
        }
    }
}

/* worlds */

void wn_mode_add_game(wn_installed_mode *mode, wn_game *game)
{
    WN_GROW(mode->games, mode->game_count, mode->game_capacity);
    game->mode_index = mode->game_count;
    mode->games[mode->game_count++] = game;
    wn_host_set_idle(mode, false);
}

void wn_mode_remove_game(wn_installed_mode *mode, wn_game *game)
{
    wn_game *last = mode->games[--mode->game_count];
    mode->games[game->mode_index] = last;
    last->mode_index = game->mode_index;
    if (game->mode_index < mode->load_next) {
        mode->load_next = game->mode_index;
    }
    if (mode->game_count == 0) {
        wn_host_set_idle(mode, true);
    }
}

/* the end */

static void mode_free(wn_installed_mode *mode)
{
    wn_worker_free(mode->worker);
    wn_host_free(mode);
    wn_timer_free(mode->restart);
    wn_mode_log_free(mode->log);
    free(mode->games);
    free(mode->wanted);
    if (mode->descriptor != NULL) {
        warren__mode__free_unpacked(mode->descriptor, NULL);
    }
    free(mode->path);
    free(mode);
}

void wn_modes_free(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        wn_host_kill(daemon->modes[i]);
    }
    for (size_t i = 0; i < daemon->mode_count; i++) {
        mode_free(daemon->modes[i]);
    }
    free(daemon->modes);
    daemon->modes = NULL;
    daemon->mode_count = 0;
}
