/* commands.c: what each command of warrenctl asks the daemon. How answers look is in show.c and show-modes.c; what has
 * to do with recordings is in recordings.c. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "json.h"
#include "keep.h"
#include "message-copy.h"
#include "operation.h"
#include "recordings.h"
#include "show.h"

static int run_status(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_status(ctl->session.client), WARREN__REPLY__BODY_STATUS);
    if (reply != NULL) {
        wn_show_status(stdout, reply->status, ctl->options->json);
    }
    return ctl->session.status;
}

static int run_worlds(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    Warren__ModeList *modes = NULL;
    const Warren__Reply *reply;
    if (!ctl->options->json) {
        reply = wn_session_answer(&ctl->session, wn_client_list_modes(ctl->session.client), WARREN__REPLY__BODY_MODES);
        if (reply == NULL) {
            return ctl->session.status;
        }
        modes = (Warren__ModeList *)wn_message_copy(&reply->modes->base);
    }
    reply = wn_session_answer(&ctl->session, wn_client_list_worlds(ctl->session.client), WARREN__REPLY__BODY_WORLDS);
    if (reply != NULL) {
        wn_show_worlds(stdout, reply->worlds, modes, ctl->options->json);
    }
    if (modes != NULL) {
        warren__mode_list__free_unpacked(modes, NULL);
    }
    return ctl->session.status;
}

static int run_players(wn_ctl *ctl, int count, char **arguments)
{
    const char *world = count > 0 ? arguments[0] : NULL;
    const Warren__Reply *reply = wn_session_answer(&ctl->session, wn_client_list_players(ctl->session.client, world),
                                                   WARREN__REPLY__BODY_PLAYERS);
    if (reply != NULL) {
        wn_show_players(stdout, reply->players, ctl->options->json);
    }
    return ctl->session.status;
}

static int run_scores(wn_ctl *ctl, int count, char **arguments)
{
    const uint32_t asked =
        wn_client_list_scores(ctl->session.client, arguments[0], count > 1 ? arguments[1] : NULL, NULL);
    const Warren__Reply *reply = wn_session_answer(&ctl->session, asked, WARREN__REPLY__BODY_SCORES);
    if (reply != NULL && !wn_show_scores(stdout, reply->scores, ctl->options->json)) {
        fprintf(stderr, "warrenctl: The server at %s sent scores of tables that it did not describe.\n",
                ctl->session.address.control);
        return WN_EXIT_UNAVAILABLE;
    }
    return ctl->session.status;
}

static int run_modes(wn_ctl *ctl, int count, char **arguments)
{
    const char *only = count > 0 ? arguments[0] : NULL;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_list_modes(ctl->session.client), WARREN__REPLY__BODY_MODES);
    if (reply != NULL && !wn_show_modes(stdout, reply->modes, only, ctl->options->json)) {
        fprintf(stderr, "warrenctl: The server has no mode \"%s\". See those it has with: warrenctl modes\n", only);
        return WN_EXIT_REFUSED;
    }
    return ctl->session.status;
}

/* NAME=VALUE, taken apart in place. Says what is wrong and returns false. */
static bool take_setting(char *argument, Warren__SettingValue *settings, size_t *count)
{
    char *equals = strchr(argument, '=');
    if (equals == NULL || equals == argument || *count == WN_CREATE_SETTINGS) {
        fprintf(stderr, "warrenctl: \"%s\" is not a setting. Write NAME=VALUE, at most %d of them.\n", argument,
                WN_CREATE_SETTINGS);
        return false;
    }
    *equals = '\0';
    settings[*count] = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
    settings[*count].name = argument;
    settings[*count].value = equals + 1;
    ++*count;
    return true;
}

static int run_create(wn_ctl *ctl, int count, char **arguments)
{
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t setting_count = 0;
    const char *name = count > 1 && strchr(arguments[1], '=') == NULL ? arguments[1] : NULL;
    for (int i = name != NULL ? 2 : 1; i < count; i++) {
        if (!take_setting(arguments[i], settings, &setting_count)) {
            return WN_EXIT_USAGE;
        }
    }
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session,
                          wn_client_create(ctl->session.client, arguments[0], name, settings, setting_count,
                                           ctl->options->given & WN_CTL_SEED ? &ctl->options->seed : NULL),
                          WARREN__REPLY__BODY_WORLD);
    if (reply != NULL) {
        wn_show_created(stdout, reply->world, ctl->options->json);
    }
    return ctl->session.status;
}

/* For people nothing is printed, as by all commands that change something. */
static int run_change(wn_ctl *ctl, int count, char **arguments)
{
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t setting_count = 0;
    for (int i = 1; i < count; i++) {
        if (!take_setting(arguments[i], settings, &setting_count)) {
            return WN_EXIT_USAGE;
        }
    }
    const uint32_t asked = wn_client_change_world(ctl->session.client, arguments[0], settings, setting_count);
    const Warren__Reply *reply = wn_session_answer(&ctl->session, asked, WARREN__REPLY__BODY_WORLD);
    if (reply != NULL && ctl->options->json) {
        wn_show_created(stdout, reply->world, true);
    }
    return ctl->session.status;
}

static int run_close(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    return wn_ctl_done(ctl, wn_client_close_world(ctl->session.client, arguments[0]),
                       (const char *const[]){"closed", arguments[0], NULL});
}

/* say */

static const Warren__WorldInfo *find_world(const Warren__WorldList *worlds, const char *name)
{
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        if (strcmp(worlds->worlds[i]->name, name) == 0) {
            return worlds->worlds[i];
        }
    }
    return NULL;
}

static bool join_words(char *text, size_t room, int count, char **words)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s%s", i == 0 ? "" : " ", words[i]);
        if (used >= room) {
            return false;
        }
    }
    return true;
}

/* The names from `first` on, before `end`. */
static void add_names(wn_json *json, const char *key, Warren__WorldInfo *const *worlds, size_t first, size_t end)
{
    wn_json_array(json, key);
    for (size_t i = first; i < end; i++) {
        wn_json_string(json, NULL, worlds[i]->name);
    }
    wn_json_end(json);
}

/* Those that heard it, then those that did not. */
static void show_said(Warren__WorldInfo *const *worlds, size_t heard, size_t count)
{
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    add_names(&json, "said", worlds, 0, heard);
    add_names(&json, "left_out", worlds, heard, count);
    wn_json_end(&json);
}

/* Says it in one world. Only an administrator may do so from outside; anyone else looks in to be heard. */
static bool say_in(wn_ctl *ctl, const Warren__WorldInfo *world, const char *text)
{
    wn_client *client = ctl->session.client;
    const Warren__Welcome *welcome = wn_client_welcome(client);
    const bool outside = welcome == NULL || !welcome->admin;
    if (outside &&
        wn_session_answer(&ctl->session, wn_client_watch(client, world->name), WARREN__REPLY__BODY_JOINED) == NULL) {
        return false;
    }
    const bool said =
        wn_session_answer(&ctl->session, wn_client_say(client, world->id, text), WARREN__REPLY__BODY_DONE) != NULL;
    if (outside && ctl->session.status != WN_EXIT_UNAVAILABLE) {
        wn_client_leave(client, world->id); /* there are only so many that one may watch at once */
    }
    return said;
}

/* In each of these worlds but those that are parked, where nobody is. What one of them refuses does not keep it from
 * the others. */
static int say_in_all(wn_ctl *ctl, Warren__WorldInfo **worlds, size_t count, const char *text)
{
    size_t served = 0, heard = 0;
    int status = WN_EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        if (worlds[i]->state != WARREN__WORLD_STATE__WORLD_PARKED) {
            Warren__WorldInfo *parked = worlds[served];
            worlds[served++] = worlds[i];
            worlds[i] = parked;
        }
    }
    for (size_t i = 0; i < served && status != WN_EXIT_UNAVAILABLE; i++) {
        ctl->session.status = WN_EXIT_DONE;
        wn_session_pace(&ctl->session);
        if (say_in(ctl, worlds[i], text)) {
            Warren__WorldInfo *deaf = worlds[heard];
            worlds[heard++] = worlds[i];
            worlds[i] = deaf;
        } else {
            status = ctl->session.status;
        }
    }
    if (heard < served) {
        fprintf(stderr, "warrenctl: %zu of %zu worlds did not hear it.\n", served - heard, served);
    }
    if (ctl->options->json) {
        show_said(worlds, heard, served);
    }
    return status;
}

static int say_in_one(wn_ctl *ctl, Warren__WorldInfo *world, const char *text)
{
    if (say_in(ctl, world, text) && ctl->options->json) {
        show_said(&world, 1, 1);
    }
    return ctl->session.status;
}

static int run_say(wn_ctl *ctl, int count, char **arguments)
{
    const bool all = (ctl->options->given & WN_CTL_ALL) != 0;
    const int skipped = all ? 0 : 1;
    char text[WN_CHAT_BYTES + 1];
    if (count <= skipped || !join_words(text, sizeof text, count - skipped, arguments + skipped)) {
        fprintf(stderr, "warrenctl: say takes a text of 1 to %d bytes after the world.\n", WN_CHAT_BYTES);
        return WN_EXIT_USAGE;
    }
    Warren__WorldList *worlds = wn_ctl_worlds(ctl);
    if (worlds == NULL) {
        return ctl->session.status;
    }
    int status = WN_EXIT_REFUSED;
    const Warren__WorldInfo *one = all ? NULL : find_world(worlds, arguments[0]);
    if (all) {
        status = say_in_all(ctl, worlds->worlds, worlds->n_worlds, text);
    } else if (one == NULL) {
        fprintf(stderr, "warrenctl: There is no world \"%s\". See those there are with: warrenctl worlds\n",
                arguments[0]);
    } else {
        status = say_in_one(ctl, (Warren__WorldInfo *)(uintptr_t)one, text);
    }
    warren__world_list__free_unpacked(worlds, NULL);
    return status;
}

/* administering */

void *wn_ctl_allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fputs("warrenctl: No memory left.\n", stderr);
        abort();
    }
    return memory;
}

Warren__WorldList *wn_ctl_worlds(wn_ctl *ctl)
{
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_list_worlds(ctl->session.client), WARREN__REPLY__BODY_WORLDS);
    return reply != NULL ? (Warren__WorldList *)wn_message_copy(&reply->worlds->base) : NULL;
}

int wn_ctl_done(wn_ctl *ctl, uint32_t request, const char *const *pairs)
{
    if (wn_session_answer(&ctl->session, request, WARREN__REPLY__BODY_DONE) == NULL || !ctl->options->json) {
        return ctl->session.status;
    }
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    for (; pairs[0] != NULL; pairs += 2) {
        if (pairs[1] != NULL) {
            wn_json_string(&json, pairs[0], pairs[1]);
        }
    }
    wn_json_end(&json);
    return ctl->session.status;
}

/* the table */

static const wn_ctl_command commands[] = {
    {.name = "status", .arguments = "", .help = "how the server and its hosts are doing", .run = run_status},
    {.name = "top",
     .arguments = "[--count N]",
     .help = "watch the server: what it does each second, what it uses, the busiest worlds; ends with q or Ctrl-C",
     .takes = WN_CTL_COUNT,
     .run = wn_ctl_top},
    {.name = "hosts", .arguments = "", .help = "the processes that run modes, and what they use", .run = wn_ctl_hosts},
    {.name = "sessions", .arguments = "", .help = "who is connected, from where, as whom", .run = wn_ctl_sessions},
    {.name = "worlds", .arguments = "", .help = "the worlds there are", .run = run_worlds},
    {.name = "players",
     .arguments = "[WORLD]",
     .help = "who plays and watches, in one world or in all",
     .most = 1,
     .run = run_players},
    {.name = "scores",
     .arguments = "MODE [WORLD]",
     .help = "the scores of a mode's players, in one world or over all",
     .least = 1,
     .most = 2,
     .run = run_scores},
    {.name = "modes",
     .arguments = "[MODE]",
     .help = "the modes there are, and what can be set in each",
     .most = 1,
     .run = run_modes},
    {.name = "create",
     .arguments = "MODE [NAME] [SETTING=VALUE...] [--seed N]",
     .help = "make a world; prints its name",
     .least = 1,
     .most = -1,
     .takes = WN_CTL_SEED,
     .run = run_create},
    {.name = "change",
     .arguments = "WORLD SETTING=VALUE...",
     .help = "change settings of a world while it is played: bots, title, and who may join, watch and find it",
     .least = 2,
     .most = -1,
     .run = run_change},
    {.name = "close",
     .arguments = "WORLD",
     .help = "end a world for good and forget it",
     .least = 1,
     .most = 1,
     .run = run_close},
    {.name = "say",
     .arguments = "WORLD|--all TEXT...",
     .help = "say something to everyone in a world, or in all",
     .least = 1,
     .most = -1,
     .takes = WN_CTL_ALL,
     .run = run_say},
    {.name = "export",
     .arguments = "WORLD FILE",
     .help = "write a world's recording: its seed, its settings and every turn",
     .least = 2,
     .most = 2,
     .slow = true,
     .run = wn_ctl_export},
    {.name = "verify",
     .arguments = "FILE... [--mode-path DIRS]",
     .help = "play recordings and compare the state with the recorded one; needs no server",
     .least = 1,
     .most = -1,
     .takes = WN_CTL_MODE_PATH,
     .local = true,
     .run = wn_ctl_verify},
    {.name = "replay",
     .arguments = "FILE [--turn N] [--speed X] [--seat N|--spectator] [--mode-path DIRS]",
     .help = "print what a recording shows, at one turn or turn by turn; needs no server",
     .least = 1,
     .most = 1,
     .takes = WN_CTL_MODE_PATH | WN_CTL_TURN | WN_CTL_SPEED | WN_CTL_SEAT | WN_CTL_SPECTATOR,
     .local = true,
     .run = wn_ctl_replay},
    {.name = "grant",
     .arguments = "WHO spectator|player|admin, or WHO spectator|player|host WORLD",
     .help = "give a right, or one of a world; WHO is a public key, uid:NUMBER, ADDRESS[/BITS] or the name of a player "
             "with a key",
     .least = 2,
     .most = 3,
     .run = wn_ctl_grant},
    {.name = "revoke",
     .arguments = "WHO [WORLD]",
     .help = "take a right back: the one for the whole server, or the one for a world",
     .least = 1,
     .most = 2,
     .run = wn_ctl_revoke},
    {.name = "ban",
     .arguments = "WHO [WORLD] [--for TIME] [--reason TEXT]",
     .help = "disconnect somebody and keep them out, of a world or of the server",
     .least = 1,
     .most = 2,
     .takes = WN_CTL_FOR | WN_CTL_REASON,
     .run = wn_ctl_ban},
    {.name = "unban",
     .arguments = "WHO [WORLD]",
     .help = "let somebody in again who was banned or put out of a world",
     .least = 1,
     .most = 2,
     .run = wn_ctl_unban},
    {.name = "kick",
     .arguments = "PLAYER [WORLD] [--for TIME] [--reason TEXT]",
     .help = "put a player out of a world, for five minutes or the time given; or end the player's session",
     .least = 1,
     .most = 2,
     .takes = WN_CTL_FOR | WN_CTL_REASON,
     .run = wn_ctl_kick},
    {.name = "access",
     .arguments = "[WORLD]",
     .help = "rights, bans, and whose name is whose; or the list of a world: hosts, who was invited, who was put out",
     .most = 1,
     .run = wn_ctl_access},
    {.name = "release",
     .arguments = "NAME",
     .help = "free a player's name",
     .least = 1,
     .most = 1,
     .run = wn_ctl_release},
    {.name = "invite",
     .arguments = "HOST[:PORT] [WORLD]",
     .help = "print the server's address with its public key, to pass on; HOST is the name by which others reach it",
     .least = 1,
     .most = 2,
     .run = wn_ctl_invite},
    {.name = "key",
     .arguments = "",
     .help = "print your own public key, and where the key is kept; needs no server",
     .local = true,
     .run = wn_ctl_key},
    {.name = "backup",
     .arguments = "DIR",
     .help = "copy the worlds, rights and scores, and the server's key, into a new directory, while it runs",
     .least = 1,
     .most = 1,
     .slow = true,
     .goes_on = "It goes on with the copy: its log says when that is made, or why not.",
     .run = wn_ctl_backup},
    {.name = "recover",
     .arguments = "WORLD|--all replay|snapshot",
     .help = "serve a parked world again, or all whose mode is another build: play its last turns, or forget them",
     .least = 1,
     .most = 2,
     .takes = WN_CTL_ALL,
     .slow = true,
     .goes_on = "It goes on with that: \"warrenctl worlds\" shows when the world is served.",
     .run = wn_ctl_recover},
    {.name = "park",
     .arguments = "WORLD",
     .help = "save a world, stop its turns and keep it, across restarts too",
     .least = 1,
     .most = 1,
     .slow = true,
     .goes_on = "It goes on with that: \"warrenctl worlds\" shows when the world is parked.",
     .run = wn_ctl_park},
    {.name = "unpark",
     .arguments = "WORLD",
     .help = "serve a parked world again",
     .least = 1,
     .most = 1,
     .slow = true,
     .goes_on = "It goes on with that: \"warrenctl worlds\" shows when the world is served.",
     .run = wn_ctl_unpark},
    {.name = "snapshot",
     .arguments = "WORLD|--all",
     .help = "save a world whole, or all: a restart has less to play again",
     .most = 1,
     .takes = WN_CTL_ALL,
     .slow = true,
     .goes_on = "It goes on with that: its log says what could not be saved.",
     .run = wn_ctl_snapshot},
    {.name = "reload",
     .arguments = "",
     .help = "read the configuration again and look for new modes; players notice nothing",
     .run = wn_ctl_reload},
    {.name = "log-level",
     .arguments = "error|warning|info|debug",
     .help = "what is logged, until the configuration is read again",
     .least = 1,
     .most = 1,
     .run = wn_ctl_log_level},
    {.name = "drain",
     .arguments = "[--now|--undo]",
     .help = "let nobody new in and stop when the last player has left, or at once; or stay open after all",
     .takes = WN_CTL_NOW | WN_CTL_UNDO,
     .run = wn_ctl_drain},
    {.name = "stop", .arguments = "", .help = "save all worlds and stop the server", .run = wn_ctl_stop},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const wn_ctl_command *wn_ctl_find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

bool wn_ctl_fits(const wn_ctl_command *command, int count, unsigned given)
{
    if (count >= command->least && (command->most < 0 || count <= command->most) && (given & ~command->takes) == 0) {
        return true;
    }
    fprintf(stderr, "warrenctl: That does not fit the command, which is: warrenctl %s%s%s\n", command->name,
            *command->arguments != '\0' ? " " : "", command->arguments);
    return false;
}

void wn_ctl_list(FILE *to)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %s%s%s\n        %s\n", commands[i].name, commands[i].arguments[0] == '\0' ? "" : " ",
                commands[i].arguments, commands[i].help);
    }
}

void wn_ctl_each(void (*take)(void *context, const wn_ctl_command *command), void *context)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        take(context, &commands[i]);
    }
}
