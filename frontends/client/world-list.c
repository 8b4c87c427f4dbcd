/* world-list.c: the worlds of a server as a list to choose from. See world-list.h. */
#include "world-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "key.h"
#include "own-settings.h"
#include "text.h"

void wn_world_list_init(wn_world_list *worlds)
{
    *worlds = (wn_world_list){0};
    wn_edit_start(&worlds->filter, "", WN_NAME_BYTES);
}

void wn_world_list_free(wn_world_list *worlds)
{
    if (worlds->list != NULL) {
        warren__world_list__free_unpacked(worlds->list, NULL);
    }
    if (worlds->modes != NULL) {
        warren__mode_list__free_unpacked(worlds->modes, NULL);
    }
    free(worlds->rows);
    wn_world_list_init(worlds);
}

/* the rows */

static bool passes(const wn_world_list *worlds, const Warren__WorldInfo *world)
{
    const char *filter = worlds->filter.text;
    return filter[0] == '\0' || strcasestr(world->name, filter) != NULL || strcasestr(world->mode, filter) != NULL ||
           (world->owner != NULL && strcasestr(world->owner, filter) != NULL) ||
           strcasestr(wn_world_title(worlds, world), filter) != NULL;
}

/* Worlds that can be played first, then by name, so that the list stays as it is while one looks at it. */
static int compare(const void *first, const void *second)
{
    const Warren__WorldInfo *a = *(Warren__WorldInfo *const *)first, *b = *(Warren__WorldInfo *const *)second;
    const bool ended_a = wn_world_ended(a), ended_b = wn_world_ended(b);
    return ended_a != ended_b ? (ended_a ? 1 : -1) : strverscmp(a->name, b->name);
}

static void name_selected(const wn_world_list *worlds, char *name, size_t size)
{
    const Warren__WorldInfo *selected = wn_world_list_selected(worlds);
    snprintf(name, size, "%s", worlds->wanted[0] != '\0' ? worlds->wanted : selected == NULL ? "" : selected->name);
}

/* The rows anew, with the world of that name selected, if it is among them. */
static void choose_rows(wn_world_list *worlds, const char *selected)
{
    worlds->row_count = 0;
    for (size_t i = 0; worlds->list != NULL && i < worlds->list->n_worlds; i++) {
        if (passes(worlds, worlds->list->worlds[i])) {
            worlds->rows[worlds->row_count++] = worlds->list->worlds[i];
        }
    }
    if (worlds->row_count > 0) {
        qsort(worlds->rows, worlds->row_count, sizeof *worlds->rows, compare);
    }
    for (size_t i = 0; i < worlds->row_count; i++) {
        if (strcmp(worlds->rows[i]->name, selected) == 0) {
            worlds->selected = i;
        }
    }
    if (worlds->list != NULL) {
        worlds->wanted[0] = '\0';
    }
    if (worlds->selected >= worlds->row_count) {
        worlds->selected = worlds->row_count == 0 ? 0 : worlds->row_count - 1;
    }
}

void wn_world_list_take(wn_world_list *worlds, const Warren__WorldList *list)
{
    Warren__WorldList *copy = (Warren__WorldList *)wn_message_copy(&list->base);
    Warren__WorldInfo **rows = calloc(list->n_worlds + 1, sizeof *rows);
    if (copy == NULL || rows == NULL) {
        if (copy != NULL) {
            warren__world_list__free_unpacked(copy, NULL);
        }
        free(rows);
        return;
    }
    char selected[WN_NAME_BYTES + 1];
    name_selected(worlds, selected, sizeof selected);
    if (worlds->list != NULL) {
        warren__world_list__free_unpacked(worlds->list, NULL);
    }
    free(worlds->rows);
    worlds->list = copy;
    worlds->rows = rows;
    choose_rows(worlds, selected);
}

void wn_world_list_take_modes(wn_world_list *worlds, const Warren__ModeList *modes)
{
    char selected[WN_NAME_BYTES + 1];
    Warren__ModeList *copy = (Warren__ModeList *)wn_message_copy(&modes->base);
    if (copy == NULL) {
        return;
    }
    if (worlds->modes != NULL) {
        warren__mode_list__free_unpacked(worlds->modes, NULL);
    }
    worlds->modes = copy;
    name_selected(worlds, selected, sizeof selected);
    choose_rows(worlds, selected); /* a title may have been filtered for */
}

void wn_world_list_filter(wn_world_list *worlds, uint32_t key)
{
    char selected[WN_NAME_BYTES + 1];
    name_selected(worlds, selected, sizeof selected);
    if (key == WN_KEY_ESCAPE) {
        wn_edit_start(&worlds->filter, "", WN_NAME_BYTES);
    } else {
        wn_edit_key(&worlds->filter, key);
    }
    choose_rows(worlds, selected);
}

void wn_world_list_want(wn_world_list *worlds, const char *name)
{
    snprintf(worlds->wanted, sizeof worlds->wanted, "%s", name);
}

void wn_world_list_move(wn_world_list *worlds, long by)
{
    const long wanted = (long)worlds->selected + by, last = (long)worlds->row_count - 1;
    worlds->selected = wanted < 0 || last < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
}

const Warren__WorldInfo *wn_world_list_selected(const wn_world_list *worlds)
{
    return worlds->selected < worlds->row_count ? worlds->rows[worlds->selected] : NULL;
}

/* what stands in a row */

bool wn_world_ended(const Warren__WorldInfo *world)
{
    return world->state >= WARREN__WORLD_STATE__WORLD_OVER;
}

const char *wn_world_title(const wn_world_list *worlds, const Warren__WorldInfo *world)
{
    const char *title = wn_world_own_setting(world, worlds->modes, "title");
    return title == NULL ? "" : title;
}

static const char *state_name(const wn_world_list *worlds, const Warren__WorldInfo *world)
{
    static const char *const names[] = {"running", "starting", "over", "parked"};
    const char *join = wn_world_own_setting(world, worlds->modes, "join");
    if (world->state == WARREN__WORLD_STATE__WORLD_RUNNING && join != NULL && strcmp(join, "invited") == 0) {
        return "invited"; /* only who is may join */
    }
    if (world->state == WARREN__WORLD_STATE__WORLD_RUNNING && world->max_players > 0 &&
        world->players >= world->max_players) {
        return "full";
    }
    return (unsigned)world->state < 4 ? names[world->state] : "";
}

const char *wn_world_column_title(wn_world_column column)
{
    static const char *const titles[WN_WORLD_COLUMNS] = {
        [WN_WORLD_NAME] = "World",        [WN_WORLD_MODE] = "Mode", [WN_WORLD_PLAYERS] = "Players",
        [WN_WORLD_WATCHERS] = "Watching", [WN_WORLD_AGE] = "Age",   [WN_WORLD_STATE] = "State",
        [WN_WORLD_OWNER] = "Created by",
    };
    return titles[column];
}

void wn_world_column_text(const wn_world_list *worlds, const Warren__WorldInfo *world, wn_world_column column,
                          char *text, size_t size)
{
    const char *title = wn_world_title(worlds, world);
    switch (column) {
    case WN_WORLD_NAME:
        snprintf(text, size, "%s%s%s", world->name, title[0] == '\0' ? "" : "  ", title);
        return;
    case WN_WORLD_MODE:
        snprintf(text, size, "%s", world->mode);
        return;
    case WN_WORLD_PLAYERS:
        snprintf(text, size, world->max_players > 0 ? "%u/%u" : "%u", world->players, world->max_players);
        return;
    case WN_WORLD_WATCHERS:
        snprintf(text, size, "%u", world->watchers);
        return;
    case WN_WORLD_AGE:
        wn_text_age(text, size, world->has_created ? (int64_t)time(NULL) - world->created : 0);
        return;
    case WN_WORLD_STATE:
        snprintf(text, size, "%s", state_name(worlds, world));
        return;
    default:
        snprintf(text, size, "%s", world->owner == NULL ? "" : world->owner);
    }
}
