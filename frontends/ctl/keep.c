/* keep.c: copies of what a server keeps, and what becomes of worlds whose mode is another build. See keep.h.
 */
#include "keep.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

/* copies */

static void show_copy(const char *directory, const Warren__Done *done, bool json)
{
    if (!json) {
        printf("%s:", directory);
        for (size_t i = 0; i < done->n_files; i++) {
            printf("%s %s", i > 0 ? "," : "", done->files[i]);
        }
        puts(done->n_files > 1 ? ". Not in it: the configuration, audit.log."
                               : ". Not in it: the server's key, the configuration, audit.log.");
        return;
    }
    wn_json out;
    wn_json_start(&out, stdout);
    wn_json_object(&out, NULL);
    wn_json_string(&out, "backed_up", directory);
    wn_json_array(&out, "files");
    for (size_t i = 0; i < done->n_files; i++) {
        wn_json_string(&out, NULL, done->files[i]);
    }
    wn_json_end(&out);
    wn_json_end(&out);
}

int wn_ctl_backup(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    char here[PATH_MAX] = "", directory[2 * PATH_MAX];
    const bool absolute = arguments[0][0] == '/';
    if (!absolute && getcwd(here, sizeof here) == NULL) {
        fprintf(stderr, "warrenctl: backup %s: the directory that this is in has no name. Give an absolute one.\n",
                arguments[0]);
        return WN_EXIT_USAGE;
    }
    const bool apart = !absolute && strcmp(here, "/") != 0;
    snprintf(directory, sizeof directory, "%s%s%s", absolute ? "" : here, apart ? "/" : "", arguments[0]);
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_backup(ctl->session.client, directory), WARREN__REPLY__BODY_DONE);
    if (reply != NULL) {
        show_copy(directory, reply->done, ctl->options->json);
    }
    return ctl->session.status;
}

/* worlds whose last turns were played by another build */

static const char *const ways[] = {
    [WARREN__RECOVER_HOW__RECOVER_REPLAY] = "replay", [WARREN__RECOVER_HOW__RECOVER_SNAPSHOT] = "snapshot"};
enum { WAYS = sizeof ways / sizeof *ways };

static bool recover(wn_ctl *ctl, const char *world, size_t how)
{
    return wn_session_answer(&ctl->session, wn_client_recover(ctl->session.client, world, (Warren__RecoverHow)how),
                             WARREN__REPLY__BODY_DONE) != NULL;
}

static void add_names(wn_json *json, const char *key, char *const *names, size_t first, size_t end)
{
    wn_json_array(json, key);
    for (size_t i = first; i < end; i++) {
        wn_json_string(json, NULL, names[i]);
    }
    wn_json_end(json);
}

/* Those that are served again, then those that are not. */
static void show_recovered(char *const *names, size_t served, size_t count, size_t how)
{
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    add_names(&json, "recovered", names, 0, served);
    add_names(&json, "left_out", names, served, count);
    wn_json_string(&json, "how", ways[how]);
    wn_json_end(&json);
}

/* One after the other, so that one that cannot be served again does not keep the others from it. */
static int recover_all(wn_ctl *ctl, size_t how)
{
    Warren__WorldList *worlds = wn_ctl_worlds(ctl);
    if (worlds == NULL) {
        return ctl->session.status;
    }
    char **names = wn_ctl_allocate(worlds->n_worlds, sizeof *names);
    size_t count = 0, served = 0;
    int status = WN_EXIT_DONE;
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        if (worlds->worlds[i]->awaits_recovery) {
            names[count++] = worlds->worlds[i]->name;
        }
    }
    for (size_t i = 0; i < count && status != WN_EXIT_UNAVAILABLE; i++) {
        ctl->session.status = WN_EXIT_DONE;
        wn_session_pace(&ctl->session);
        if (recover(ctl, names[i], how)) {
            char *waits = names[served];
            names[served++] = names[i];
            names[i] = waits;
        } else {
            status = ctl->session.status;
        }
    }
    if (served < count) {
        fprintf(stderr, "warrenctl: %zu of %zu worlds are not served again.\n", count - served, count);
    }
    if (ctl->options->json) {
        show_recovered(names, served, count, how);
    }
    free(names);
    warren__world_list__free_unpacked(worlds, NULL);
    return status;
}

int wn_ctl_recover(wn_ctl *ctl, int count, char **arguments)
{
    const bool all = (ctl->options->given & WN_CTL_ALL) != 0;
    const char *said = arguments[count - 1];
    size_t how = 0;
    while (how < WAYS && strcmp(ways[how], said) != 0) {
        how++;
    }
    if (how == WAYS || all == (count == 2)) {
        fputs("warrenctl: recover takes the name of a world, or --all, and \"replay\" to play the last turns with the "
              "build that is here, or \"snapshot\" to go back to the last snapshot and forget them.\n",
              stderr);
        return WN_EXIT_USAGE;
    }
    if (all) {
        return recover_all(ctl, how);
    }
    if (recover(ctl, arguments[0], how) && ctl->options->json) {
        show_recovered(arguments, 1, 1, how);
    }
    return ctl->session.status;
}
