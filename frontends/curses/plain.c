/* plain.c: --list and --print-keys. See plain.h. */
#include "plain.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "bindings.h"
#include "discovery.h"
#include "key.h"
#include "text.h"

enum { WAIT_MS = 3000, DISCOVERY_MS = 1000 };

static int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the reply to a request. 0: `event` has it; else the exit status, and it has been said why. */
static int await(wn_client *client, const wn_options *options, uint32_t request, wn_event *event)
{
    const int64_t until = clock_now() + WAIT_MS;
    for (int64_t left = WAIT_MS; left > 0; left = until - clock_now()) {
        wn_client_wait(client, (int)left);
        while (wn_client_next(client, event)) {
            const bool refused = event->kind == WN_EVENT_STATE && wn_client_get_state(client) == WN_CLIENT_REFUSED;
            if (event->kind == WN_EVENT_REPLY && event->request == request) {
                return 0;
            }
            if (refused || (event->kind == WN_EVENT_ERROR && event->request == request)) {
                fprintf(stderr, "warren: %s\n", event->error.text);
                return EX_UNAVAILABLE;
            }
        }
    }
    const char *trouble = wn_client_trouble(client);
    fprintf(stderr,
            "warren: no Warren daemon answers at %s. %s%sStart one with: systemctl start warrend, "
            "or name another with --server\n",
            options->line.shown_address, trouble, trouble[0] == '\0' ? "" : " ");
    return EX_UNAVAILABLE;
}

static wn_client *connect_to(const wn_options *options)
{
    wn_error error = {0};
    const wn_client_options wanted = {.address = &options->line.address,
                                      .player = options->line.player[0] == '\0' ? NULL : options->line.player,
                                      .software = "warren " WARREN_VERSION};
    wn_client *client = wn_client_new(&wanted, &error);
    if (client == NULL) {
        fprintf(stderr, "warren: %s\n", error.text);
    }
    return client;
}

static void print_world(const Warren__WorldInfo *world)
{
    static const char *const states[] = {"running", "starting", "over", "parked"};
    char players[32], age[32];
    snprintf(players, sizeof players, "%u/%u", world->players, world->max_players);
    wn_text_age(age, sizeof age, world->has_created ? (int64_t)time(NULL) - world->created : 0);
    printf("%-24s %-10s %8s %8u %6s  %s\n", world->name, world->mode, players, world->watchers, age,
           (unsigned)world->state < 4 ? states[world->state] : "");
}

static int list_worlds(const wn_options *options)
{
    wn_event event;
    wn_client *client = connect_to(options);
    if (client == NULL) {
        return EX_UNAVAILABLE;
    }
    const int status = await(client, options, wn_client_list_worlds(client), &event);
    if (status == 0 && event.reply->body_case == WARREN__REPLY__BODY_WORLDS) {
        printf("%-24s %-10s %8s %8s %6s  %s\n", "WORLD", "MODE", "PLAYERS", "WATCHING", "AGE", "STATE");
        for (size_t i = 0; i < event.reply->worlds->n_worlds; i++) {
            print_world(event.reply->worlds->worlds[i]);
        }
    }
    wn_client_free(client);
    return status;
}

/* What answers until `until`. Returns how many servers that were. */
static int list_servers(wn_discovery *discovery, int64_t until)
{
    wn_found_server found;
    int count = 0;
    for (;;) {
        while (wn_discovery_next(discovery, &found)) {
            if (count++ == 0) {
                printf("\n%-32s %-24s %6s %8s\n", "SERVERS ON THIS NETWORK", "MACHINE", "WORLDS", "PLAYERS");
            }
            printf("%-32s %-24s %6u %8u\n", found.address, found.name, found.worlds, found.seats);
        }
        const int64_t left = until - clock_now();
        if (left <= 0) {
            return count;
        }
        struct pollfd answers = {.fd = wn_discovery_fd(discovery), .events = POLLIN};
        poll(&answers, 1, (int)left);
    }
}

/* While the worlds are asked for, servers of the network answer: they are waited for only if none was named. */
int wn_plain_list(const wn_options *options)
{
    wn_error error = {0};
    const int64_t until = clock_now() + DISCOVERY_MS;
    wn_discovery *discovery = options->line.server_named ? NULL : wn_discovery_new(&error);
    const int status = list_worlds(options);
    const int found = discovery != NULL ? list_servers(discovery, until) : 0;
    wn_discovery_free(discovery);
    return found > 0 ? EX_OK : status;
}

/* keys */

static void print_binding(const wn_bindings *bindings, bool frontend, uint32_t target, int32_t argument,
                          const char *name, const char *help)
{
    char keys[256];
    wn_bindings_keys(bindings, frontend, target, argument, false, keys, sizeof keys);
    if (help != NULL && help[0] != '\0') {
        printf("# %s\n", help);
    }
    printf("%s%s = %s\n", keys[0] == '\0' ? "# " : "", name, keys);
}

static void print_action(const wn_bindings *bindings, const Warren__Action *action, uint32_t index)
{
    char name[2 * WN_NAME_BYTES];
    if (action->argument != WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION) {
        print_binding(bindings, false, index, action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE ? 0 : WN_ASK,
                      action->name, action->help);
        return;
    }
    for (int32_t direction = 0; direction < 9; direction++) {
        snprintf(name, sizeof name, "%s.%s", action->name, wn_direction_name((uint32_t)direction));
        print_binding(bindings, false, index, direction, name, direction == 0 ? action->help : NULL);
    }
}

static void print_keys(const Warren__Mode *mode, wn_key_file *key_file)
{
    wn_bindings bindings = {0};
    wn_bindings_make(&bindings, mode, key_file);
    printf("[%s]\n", mode->name);
    for (size_t i = 0; i < mode->n_actions; i++) {
        print_action(&bindings, mode->actions[i], (uint32_t)i);
    }
    printf("\n[frontend]\n");
    for (uint32_t i = 0; i < WN_DO_MENU; i++) {
        const wn_command_info *command = wn_frontend_command_info((wn_frontend_command)i);
        print_binding(&bindings, true, i, 0, command->name, command->help);
    }
    wn_bindings_free(&bindings);
}

int wn_plain_keys(const wn_options *options, wn_key_file *key_file)
{
    wn_event event;
    wn_client *client = connect_to(options);
    if (client == NULL) {
        return EX_UNAVAILABLE;
    }
    int status = await(client, options, wn_client_list_modes(client), &event);
    if (status == 0) {
        status = EX_USAGE;
        for (size_t i = 0; i < event.reply->modes->n_modes; i++) {
            if (strcmp(event.reply->modes->modes[i]->name, options->print_keys) != 0) {
                continue;
            }
            print_keys(event.reply->modes->modes[i], key_file);
            status = EX_OK;
        }
        if (status != EX_OK) {
            fprintf(stderr, "warren: this server has no mode \"%s\"\n", options->print_keys);
        }
    }
    wn_client_free(client);
    return status;
}
