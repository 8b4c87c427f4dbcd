/* lobby.c: where somebody is who is in no world. See lobby.h. */
#include "lobby.h"

#include <stdio.h>
#include <string.h>

#include "key.h"
#include "ways.h"

enum { REFRESH_MS = 3000, SOON_MS = 400, MAKER_MS = 10000, PAGE = 10 };

void wn_lobby_begin(wn_lobby *lobby, wn_link *link, const char *trouble, int64_t now)
{
    *lobby = (wn_lobby){.link = link, .page = PAGE, .entry.client = link->client};
    wn_world_list_init(&lobby->list);
    wn_world_list_want(&lobby->list, link->last_world);
    link->last_world[0] = '\0';
    lobby->said_name = link->told_name;
    if (trouble != NULL) {
        wn_lobby_fail(lobby, trouble);
    }
    if (!link->asked) {
        wn_entry_begin(&lobby->entry, link->line);
    }
    link->asked = true;
    lobby->list_request = wn_client_list_worlds(link->client);
    lobby->modes_request = wn_client_list_modes(link->client);
    lobby->next_refresh = now + SOON_MS; /* a world that was just left still counts us in its last turn */
}

void wn_lobby_free(wn_lobby *lobby)
{
    wn_servers_stop(&lobby->servers);
    wn_entry_abandon(&lobby->entry);
    wn_client_forget(lobby->entry.client, lobby->list_request);
    wn_client_forget(lobby->entry.client, lobby->modes_request);
    wn_world_list_free(&lobby->list);
    *lobby = (wn_lobby){0};
}

wn_lobby_focus wn_lobby_get_focus(const wn_lobby *lobby)
{
    return lobby->entry.trouble[0] != '\0' ? WN_LOBBY_TROUBLE : lobby->behind;
}

void wn_lobby_fail(wn_lobby *lobby, const char *trouble)
{
    snprintf(lobby->entry.trouble, sizeof lobby->entry.trouble, "%s", trouble);
}

/* entering */

static void join(wn_lobby *lobby, const char *world, bool watch, uint32_t way)
{
    lobby->entry.way = way;
    lobby->asks_how = false;
    wn_entry_join(&lobby->entry, world, watch);
}

void wn_lobby_join(wn_lobby *lobby, bool watch)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&lobby->list);
    if (world != NULL) {
        join(lobby, world->name, watch, 0);
    }
}

/* The ways into the world that was asked about, or straight into it if there is nothing to choose. */
static void offer_ways(wn_lobby *lobby)
{
    const Warren__ModeList *modes = lobby->list.modes;
    size_t i = 0;
    while (i < modes->n_modes && strcmp(modes->modes[i]->name, lobby->asked_mode_name) != 0) {
        i++;
    }
    lobby->asks_how = false;
    if (i == modes->n_modes || modes->modes[i]->n_entries < 2) {
        join(lobby, lobby->asked_world, false, 0);
        return;
    }
    lobby->asked_mode = modes->modes[i];
    lobby->behind = WN_LOBBY_WAYS;
}

/* Asks, as soon as the modes are known, if there is anything to choose. */
static void ask_how(wn_lobby *lobby)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&lobby->list);
    if (world == NULL) {
        return;
    }
    snprintf(lobby->asked_world, sizeof lobby->asked_world, "%s", world->name);
    snprintf(lobby->asked_mode_name, sizeof lobby->asked_mode_name, "%s", world->mode);
    lobby->asks_how = true;
    if (lobby->list.modes != NULL) {
        offer_ways(lobby);
    } else if (lobby->modes_request == 0) {
        lobby->modes_request = wn_client_list_modes(lobby->link->client);
    }
}

/* keys, by who takes them */

/* How far a key goes in a list; 0: it does not. */
static long move_of_key(uint32_t key, int page)
{
    switch (key) {
    case WN_KEY_UP:
    case WN_KEY_WHEEL_UP:
    case WN_KEY_KP0 + 8:
    case 'k':
        return -1;
    case WN_KEY_DOWN:
    case WN_KEY_WHEEL_DOWN:
    case WN_KEY_KP0 + 2:
    case 'j':
        return 1;
    case WN_KEY_PAGE_UP:
        return -page;
    case WN_KEY_PAGE_DOWN:
        return page;
    case WN_KEY_HOME:
        return -WN_REPLY_BYTES;
    case WN_KEY_END:
        return WN_REPLY_BYTES;
    default:
        return 0;
    }
}

static wn_lobby_wish filter_key(wn_lobby *lobby, uint32_t key)
{
    if (key == WN_KEY_ENTER || key == WN_KEY_ESCAPE) {
        lobby->behind = WN_LOBBY_LIST;
    }
    if (key != WN_KEY_ENTER) {
        wn_world_list_filter(&lobby->list, key);
    }
    return WN_LOBBY_STAYS;
}

static wn_lobby_wish ways_key(wn_lobby *lobby, uint32_t key)
{
    const int way = wn_way_by_key(lobby->asked_mode, key);
    if (way == WN_NO_WAY && key != WN_KEY_ESCAPE) {
        return WN_LOBBY_UNKNOWN;
    }
    lobby->behind = WN_LOBBY_LIST;
    if (way == WN_NO_WAY) {
        return WN_LOBBY_STAYS;
    }
    join(lobby, lobby->asked_world, false, (uint32_t)way);
    return WN_LOBBY_STAYS;
}

static wn_lobby_wish pick_server(wn_lobby *lobby)
{
    const wn_servers *servers = &lobby->servers;
    const bool known = servers->selected < servers->count;
    wn_edit_start(&lobby->address, known ? servers->items[servers->selected].address : "warren://",
                  WN_SERVER_ADDRESS_BYTES - 1);
    if (known) {
        return WN_LOBBY_CONNECTS;
    }
    lobby->behind = WN_LOBBY_ADDRESS;
    return WN_LOBBY_STAYS;
}

static void open_servers(wn_lobby *lobby)
{
    wn_favourites favourites = {0};
    wn_error error;
    char path[512];
    if (wn_configuration_file(path, sizeof path, "servers.conf") && !wn_favourites_read(&favourites, path, &error)) {
        wn_lobby_fail(lobby, error.text);
    }
    wn_servers_begin(&lobby->servers, lobby->link->shown_address, &favourites);
    lobby->behind = WN_LOBBY_SERVERS;
}

/* The selected server is a favourite, or none any more. */
static void favour(wn_lobby *lobby)
{
    wn_server *server = &lobby->servers.items[lobby->servers.selected];
    wn_favourites favourites;
    wn_error error = {.text = "Favourites have no place to be kept: neither XDG_CONFIG_HOME nor HOME is set."};
    char path[512];
    if (wn_configuration_file(path, sizeof path, "servers.conf") && wn_favourites_read(&favourites, path, &error) &&
        wn_favourites_turn(&favourites, server->address, &error) && wn_favourites_write(&favourites, path, &error)) {
        server->favourite = wn_favourites_has(&favourites, server->address);
    } else {
        wn_lobby_fail(lobby, error.text);
    }
}

static wn_lobby_wish servers_key(wn_lobby *lobby, uint32_t key)
{
    const long by = move_of_key(key, PAGE);
    wn_servers_move(&lobby->servers, by);
    if (by != 0) {
        return WN_LOBBY_STAYS;
    }
    if (key == WN_KEY_ENTER || key == ' ') {
        return pick_server(lobby);
    }
    if (key == 'f' && lobby->servers.selected < lobby->servers.count) {
        favour(lobby);
    } else if (key == WN_KEY_ESCAPE || key == 'q') {
        lobby->behind = WN_LOBBY_LIST;
    } else {
        return WN_LOBBY_UNKNOWN;
    }
    return WN_LOBBY_STAYS;
}

static wn_lobby_wish address_key(wn_lobby *lobby, uint32_t key)
{
    if (key == WN_KEY_ENTER) {
        return WN_LOBBY_CONNECTS;
    }
    if (key == WN_KEY_ESCAPE) {
        lobby->behind = WN_LOBBY_SERVERS;
    } else if (!wn_edit_key(&lobby->address, key)) {
        return WN_LOBBY_UNKNOWN;
    }
    return WN_LOBBY_STAYS;
}

static wn_lobby_wish help_key(wn_lobby *lobby, uint32_t key)
{
    if (key != WN_KEY_ESCAPE && key != WN_KEY_ENTER && key != 'q' && key != '?' && key != WN_KEY_F1) {
        return WN_LOBBY_UNKNOWN;
    }
    lobby->behind = WN_LOBBY_LIST;
    return WN_LOBBY_STAYS;
}

static wn_lobby_wish list_key(wn_lobby *lobby, uint32_t key)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&lobby->list);
    const long by = move_of_key(key, lobby->page);
    wn_world_list_move(&lobby->list, by);
    if (by != 0) {
        return WN_LOBBY_STAYS;
    }
    switch (key) {
    case WN_KEY_ENTER:
    case 'w':
        wn_lobby_join(lobby, key == 'w');
        return WN_LOBBY_STAYS;
    case 'e':
        ask_how(lobby);
        return WN_LOBBY_STAYS;
    case '/':
        lobby->behind = WN_LOBBY_FILTER;
        return WN_LOBBY_STAYS;
    case 'r':
        lobby->next_refresh = 0;
        return WN_LOBBY_STAYS;
    case '?':
    case WN_KEY_F1:
        lobby->behind = WN_LOBBY_HELP;
        return WN_LOBBY_STAYS;
    case 's':
        open_servers(lobby);
        return WN_LOBBY_STAYS;
    case 'c':
        if (world != NULL) {
            snprintf(lobby->link->last_world, sizeof lobby->link->last_world, "%s", world->name);
        }
        return WN_LOBBY_CREATES;
    case WN_KEY_ESCAPE:
        return filter_key(lobby, key);
    case 'q':
    case WN_KEY_F1 + 9:
        return WN_LOBBY_QUITS;
    default:
        return WN_LOBBY_UNKNOWN;
    }
}

wn_lobby_wish wn_lobby_key(wn_lobby *lobby, uint32_t key)
{
    static wn_lobby_wish (*const takers[])(wn_lobby *, uint32_t) = {
        [WN_LOBBY_LIST] = list_key, [WN_LOBBY_FILTER] = filter_key,   [WN_LOBBY_HELP] = help_key,
        [WN_LOBBY_WAYS] = ways_key, [WN_LOBBY_SERVERS] = servers_key, [WN_LOBBY_ADDRESS] = address_key,
    };
    lobby->about_until = 0;
    lobby->said_name = true;
    if (wn_lobby_get_focus(lobby) != WN_LOBBY_TROUBLE) {
        return takers[lobby->behind](lobby, key);
    }
    lobby->entry.trouble[0] = '\0';
    return WN_LOBBY_STAYS;
}

/* events and time */

/* It is asked for again and again, so that an error needs no key to be put away. */
static void take_worlds(wn_lobby *lobby, const wn_event *event)
{
    lobby->list_trouble[0] = '\0';
    if (event->kind == WN_EVENT_ERROR) {
        snprintf(lobby->list_trouble, sizeof lobby->list_trouble, "%s", event->error.text);
    } else if (event->reply->body_case == WARREN__REPLY__BODY_WORLDS) {
        wn_world_list_take(&lobby->list, event->reply->worlds);
    }
}

static void take_modes(wn_lobby *lobby, const wn_event *event)
{
    lobby->modes_request = 0;
    if (event->kind == WN_EVENT_ERROR && lobby->asks_how) {
        wn_lobby_fail(lobby, event->error.text);
    } else if (event->kind == WN_EVENT_REPLY && event->reply->body_case == WARREN__REPLY__BODY_MODES) {
        wn_world_list_take_modes(&lobby->list, event->reply->modes);
    }
    if (lobby->asks_how && lobby->list.modes != NULL && lobby->behind == WN_LOBBY_LIST) {
        offer_ways(lobby);
    }
    lobby->asks_how = false;
}

wn_entered wn_lobby_take(wn_lobby *lobby, const wn_event *event)
{
    if (event->request != 0 && event->request == lobby->list_request) {
        take_worlds(lobby, event);
    } else if (event->request != 0 && event->request == lobby->modes_request) {
        take_modes(lobby, event);
    } else {
        return wn_entry_take(&lobby->entry, event);
    }
    return (wn_entered){0};
}

static void refresh(wn_lobby *lobby)
{
    lobby->list_request = wn_client_list_worlds(lobby->link->client);
    if (lobby->list.modes == NULL && lobby->modes_request == 0) {
        lobby->modes_request = wn_client_list_modes(lobby->link->client);
    }
}

int64_t wn_lobby_tick(wn_lobby *lobby, int64_t now, bool in_sight)
{
    lobby->now = now;
    if (lobby->about_until == 0 && lobby->list.list != NULL) {
        lobby->about_until = now + MAKER_MS;
    }
    if (now >= lobby->next_refresh) {
        if (in_sight && wn_client_get_state(lobby->link->client) == WN_CLIENT_CONNECTED) {
            refresh(lobby);
        }
        lobby->next_refresh = now + REFRESH_MS;
    }
    if (lobby->behind != WN_LOBBY_SERVERS) {
        wn_servers_stop(&lobby->servers); /* at other times the network hears nothing */
        return lobby->next_refresh;
    }
    const int64_t listen = wn_servers_listen(&lobby->servers, now);
    return listen < lobby->next_refresh ? listen : lobby->next_refresh;
}

/* what there is to say */

wn_lobby_about wn_lobby_get_about(const wn_lobby *lobby, char *text, size_t size)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&lobby->list);
    const char *title = world == NULL ? "" : wn_world_title(&lobby->list, world);
    text[0] = '\0';
    if (lobby->entry.busy[0] != '\0') {
        snprintf(text, size, "%s", lobby->entry.busy);
        return WN_LOBBY_ABOUT_BUSY;
    }
    if (lobby->list.filter.length > 0) {
        snprintf(text, size, "only those with \"%s\" (/ changes it)", lobby->list.filter.text);
        return WN_LOBBY_ABOUT_FILTER;
    }
    if (!lobby->said_name && wn_link_name_taken(lobby->link, text, size)) {
        return WN_LOBBY_ABOUT_NAME;
    }
    if (world != NULL && world->outcome != NULL && world->outcome[0] != '\0') {
        snprintf(text, size, "%s: %s", world->name, world->outcome);
    } else if (world != NULL && world->owner != NULL && world->owner[0] != '\0' &&
               (lobby->about_until == 0 || lobby->now < lobby->about_until)) {
        snprintf(text, size, "%s was created by %s", world->name, world->owner);
    } else if (title[0] != '\0') {
        snprintf(text, size, "%s: %s", world->name, title); /* the list may have had no room for all of it */
    }
    return text[0] == '\0' ? WN_LOBBY_ABOUT_NOTHING : WN_LOBBY_ABOUT_WORLD;
}

const wn_key_help *wn_lobby_help(size_t index)
{
    static const wn_key_help lines[] = {
        {"Up Down j k", "choose a world; Page Up, Page Down, Home and End as well"},
        {"Enter", "play in it"},
        {"w", "watch it"},
        {"e", "play in it, and choose how to enter"},
        {"c", "create a new world"},
        {"/", "show only worlds with some text in name, title, mode or maker; Esc shows all"},
        {"s", "other servers, and favourites"},
        {"r", "ask for the list anew; it is asked for every few seconds anyway"},
        {"F1 ?", "this help"},
        {"q F10", "quit"},
    };
    return index < sizeof lines / sizeof *lines ? &lines[index] : NULL;
}

const char *wn_lobby_no_rows(const wn_lobby *lobby)
{
    return lobby->list.list == NULL ? (lobby->list_trouble[0] == '\0' ? "asking for the worlds" : lobby->list_trouble)
           : lobby->list.filter.length > 0 ? "no world matches; Esc shows all"
                                           : "no worlds yet; press c to create one";
}
