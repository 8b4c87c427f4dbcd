/* lint.c: the first job: can the mode be loaded, and which rules does its descriptor break? */
#include "check.h"

#include <string.h>

static void broken(void *context, const char *rule)
{
    checker *check = context;
    found(check->page, TOPIC_DESCRIPTOR, "The daemon does not load it like this: the rules stand in warren/mode.h.",
          "%s", rule);
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
