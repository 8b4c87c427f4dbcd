/* commands.c: what each command of warrenctl asks the daemon. How answers look is in show.c and show-modes.c; what has
 * to do with recordings is in recordings.c. */
#include "commands.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "access.h"
#include "json.h"
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
    if (reply != NULL) {
        wn_show_scores(stdout, reply->scores, ctl->options->json);
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

typedef struct listener {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
} listener;

enum { LISTENERS = 4096 };

/* Worlds to talk to: the one of that name, or with NULL all. They are copied, for the answer dies with the next one. */
static size_t find_listeners(const Warren__WorldList *worlds, const char *name, listener *found)
{
    size_t count = 0;
    for (size_t i = 0; i < worlds->n_worlds && count < LISTENERS; i++) {
        if (name == NULL || strcmp(worlds->worlds[i]->name, name) == 0) {
            found[count].world = worlds->worlds[i]->id;
            snprintf(found[count].name, sizeof found[count].name, "%s", worlds->worlds[i]->name);
            count++;
        }
    }
    return count;
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

static void show_said(const wn_ctl *ctl, const listener *listeners, size_t count)
{
    if (!ctl->options->json) {
        return;
    }
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_array(&json, "said");
    for (size_t i = 0; i < count; i++) {
        wn_json_string(&json, NULL, listeners[i].name);
    }
    wn_json_end(&json);
    wn_json_end(&json);
}

/* Says it in one world. Only an administrator may do so from outside; anyone else looks in to be heard. */
static bool say_in(wn_ctl *ctl, uint32_t world, const char *name, const char *text)
{
    wn_client *client = ctl->session.client;
    const Warren__Welcome *welcome = wn_client_welcome(client);
    const bool outside = welcome == NULL || !welcome->admin;
    if (outside &&
        wn_session_answer(&ctl->session, wn_client_watch(client, name), WARREN__REPLY__BODY_JOINED) == NULL) {
        return false;
    }
    return wn_session_answer(&ctl->session, wn_client_say(client, world, text), WARREN__REPLY__BODY_DONE) != NULL;
}

static int run_say(wn_ctl *ctl, int count, char **arguments)
{
    const bool all = (ctl->options->given & WN_CTL_ALL) != 0;
    const char *world = all ? NULL : arguments[0];
    const int skipped = all ? 0 : 1;
    char text[WN_CHAT_BYTES + 1];
    if (count <= skipped || !join_words(text, sizeof text, count - skipped, arguments + skipped)) {
        fprintf(stderr, "warrenctl: say takes a text of 1 to %d bytes after the world.\n", WN_CHAT_BYTES);
        return WN_EXIT_USAGE;
    }
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_list_worlds(ctl->session.client), WARREN__REPLY__BODY_WORLDS);
    if (reply == NULL) {
        return ctl->session.status;
    }
    static listener listeners[LISTENERS];
    const size_t found = find_listeners(reply->worlds, world, listeners);
    if (found == 0 && world != NULL) {
        fprintf(stderr, "warrenctl: There is no world \"%s\". See those there are with: warrenctl worlds\n", world);
        return WN_EXIT_REFUSED;
    }
    for (size_t i = 0; i < found; i++) {
        if (!say_in(ctl, listeners[i].world, listeners[i].name, text)) {
            return ctl->session.status;
        }
    }
    show_said(ctl, listeners, found);
    return ctl->session.status;
}

/* administering */

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

static int run_backup(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    char here[PATH_MAX], directory[2 * PATH_MAX];
    const bool absolute = arguments[0][0] == '/';
    if (!absolute && getcwd(here, sizeof here) == NULL) {
        fprintf(stderr, "warrenctl: backup %s: the directory that this is in has no name. Give an absolute one.\n",
                arguments[0]);
        return WN_EXIT_USAGE;
    }
    snprintf(directory, sizeof directory, "%s%s%s", absolute ? "" : here, absolute ? "" : "/", arguments[0]);
    return wn_ctl_done(ctl, wn_client_backup(ctl->session.client, directory),
                       (const char *const[]){"backed_up", directory, NULL});
}

static int run_recover(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    static const char *const ways[] = {
        [WARREN__RECOVER_HOW__RECOVER_REPLAY] = "replay", [WARREN__RECOVER_HOW__RECOVER_SNAPSHOT] = "snapshot"};
    size_t how = 0;
    while (how < sizeof ways / sizeof *ways && strcmp(ways[how], arguments[1]) != 0) {
        how++;
    }
    if (how == sizeof ways / sizeof *ways) {
        fprintf(stderr,
                "warrenctl: recover %s %s: say \"replay\" to play its last turns with the build that is here, or "
                "\"snapshot\" to go back to the last snapshot and forget them.\n",
                arguments[0], arguments[1]);
        return WN_EXIT_USAGE;
    }
    return wn_ctl_done(ctl, wn_client_recover(ctl->session.client, arguments[0], (Warren__RecoverHow)how),
                       (const char *const[]){"recovered", arguments[0], "how", ways[how], NULL});
}

/* the table */

static const wn_ctl_command commands[] = {
    {.name = "status", .arguments = "", .help = "how the server and its hosts are doing", .run = run_status},
    {.name = "top",
     .arguments = "[--count N]",
     .help = "watch the server: what it does a second, what it uses, the busiest worlds; ends with q or Ctrl-C",
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
     .help = "change what can be changed of a world: bots, title, and who may join, watch and find it",
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
     .help = "take a right back: that of everywhere, or that of a world",
     .least = 1,
     .most = 2,
     .run = wn_ctl_revoke},
    {.name = "ban",
     .arguments = "WHO [WORLD] [--for TIME] [--reason TEXT]",
     .help = "turn somebody out and away, from a world or from the server",
     .least = 1,
     .most = 2,
     .takes = WN_CTL_FOR | WN_CTL_REASON,
     .run = wn_ctl_ban},
    {.name = "unban",
     .arguments = "WHO [WORLD]",
     .help = "let somebody in again, who was banned or put out of a world",
     .least = 1,
     .most = 2,
     .run = wn_ctl_unban},
    {.name = "kick",
     .arguments = "PLAYER [WORLD] [--for TIME] [--reason TEXT]",
     .help = "put a player out of a world for five minutes, or so long; or of all, and end the session",
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
     .help = "have a player's name belong to nobody again",
     .least = 1,
     .most = 1,
     .run = wn_ctl_release},
    {.name = "invite",
     .arguments = "HOST[:PORT] [WORLD]",
     .help = "print the server's address with its public key, to pass on; HOST is what others call its machine",
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
     .help = "copy everything the server keeps into a new directory, while it runs",
     .least = 1,
     .most = 1,
     .slow = true,
     .run = run_backup},
    {.name = "recover",
     .arguments = "WORLD replay|snapshot",
     .help = "serve a parked world again: play its last turns, or forget them",
     .least = 2,
     .most = 2,
     .slow = true,
     .run = run_recover},
    {.name = "park",
     .arguments = "WORLD",
     .help = "stop a world's turns and keep it, over restarts too",
     .least = 1,
     .most = 1,
     .run = wn_ctl_park},
    {.name = "unpark",
     .arguments = "WORLD",
     .help = "serve a parked world again",
     .least = 1,
     .most = 1,
     .slow = true,
     .run = wn_ctl_unpark},
    {.name = "snapshot",
     .arguments = "WORLD|--all",
     .help = "save a world whole, or all: a restart has less to play again",
     .most = 1,
     .takes = WN_CTL_ALL,
     .slow = true,
     .run = wn_ctl_snapshot},
    {.name = "reload",
     .arguments = "",
     .help = "read the configuration again and look for new modes; nobody notices",
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
    fprintf(stderr, "warrenctl: That does not fit the command. It is: warrenctl %s%s%s\n", command->name,
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
