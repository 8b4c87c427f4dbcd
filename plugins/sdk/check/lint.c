/* lint.c: the first job: can the mode be loaded, and which rules does its descriptor break? */
#include "check.h"

#include <string.h>

static void broken(void *context, const char *rule)
{
    checker *check = context;
    found(check->page, TOPIC_DESCRIPTOR, "The daemon does not load it like this: the rules stand in warren/mode.h.",
          "%s", rule);
}

/* Those that the server adds to every world: the names stand with wn_setting in warren/mode.h. */
static void look_at_settings(check_page *page, const wn_mode_descriptor *mode)
{
    static const char *const servers[] = {"bots", "title", "join", "watch", "listed"};
    enum { SERVERS = sizeof servers / sizeof *servers };
    uint32_t taken = 0;
    for (uint32_t i = 0; i < mode->setting_count; i++) {
        for (size_t j = 0; j < SERVERS; j++) {
            if (strcmp(mode->settings[i].name, servers[j]) == 0) {
                taken++;
                found(page, TOPIC_DESCRIPTOR, "Give the setting another name.",
                      "the setting %s has the name of one of the server's, which the mode's worlds are without",
                      servers[j]);
            }
        }
    }
    if (mode->setting_count + SERVERS - taken > WN_MAX_SETTINGS) {
        found(page, TOPIC_DESCRIPTOR, "Leave the server room for its own settings.",
              "it has %u settings: with the server's %d that is more than %d, and its worlds are without the last",
              mode->setting_count, SERVERS, WN_MAX_SETTINGS);
    }
}

static void look_at(checker *check, const wn_mode_descriptor *mode)
{
    check_page *page = check->page;
    char file[WN_MAX_NAME + 4];
    const char *slash = strrchr(check->options->path, '/');
    const char *base = slash ? slash + 1 : check->options->path;
    snprintf(page->name, sizeof page->name, "%s", mode->name);
    snprintf(page->title, sizeof page->title, "%s", mode->title);
    snprintf(page->version, sizeof page->version, "%s", mode->version);
    snprintf(file, sizeof file, "%s.so", mode->name);
    if (strcmp(base, file) != 0) {
        found(page, TOPIC_DESCRIPTOR, "The daemon finds a mode by its file: give the file the mode's name.",
              "the mode is named %s, but its file %s", mode->name, base);
    }
    look_at_settings(page, mode);
    note(page, TOPIC_DESCRIPTOR, "tiles", "", mode->tile_count);
    note(page, TOPIC_DESCRIPTOR, "actions", "", mode->action_count);
    note(page, TOPIC_DESCRIPTOR, "settings", "", mode->setting_count);
    note(page, TOPIC_DESCRIPTOR, "status fields", "", mode->status_count);
    note(page, TOPIC_DESCRIPTOR, "seats", "", mode->max_seats);
}

void job_descriptor(checker *check)
{
    wn_error error = {0};
    check_page *page = check->page;
    page->topic = TOPIC_DESCRIPTOR;
    begin_doing(page, TOPIC_DESCRIPTOR, "loading the mode");
    if (!wn_plugin_lint(check->options->path, broken, check, &error)) {
        snprintf(page->trouble, sizeof page->trouble, "%s", error.text);
        return;
    }
    if (page->finding_count == 0) {
        wn_plugin *plugin = wn_plugin_open(check->options->path, &error);
        if (plugin) {
            look_at(check, wn_plugin_descriptor(plugin));
            page->playable = true;
        }
        wn_plugin_close(plugin);
    }
}
