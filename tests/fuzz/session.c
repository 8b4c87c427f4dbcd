/* session.c: requests of three connections, in any order, against the daemon's control logic, its directory of worlds,
 * its store, and the hosts of all modes, whose worlds are truly played. The input is a row of steps: a byte that says
 * whose it is (0 to 2), or that the hosts answer (3), then a request of up to 255 * 4 bytes. What is between is left
 * out: sockets, processes, and time.
 *
 * Not tried: Backup, which would write where the input says, and Reload, which would read what this machine has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/access.h"
#include "access/accounts.h"
#include "access/admission.h"
#include "access/names.h"
#include "conversation.h"
#include "fuzz.h"
#include "memory.h"
#include "modes/hosts.h"
#include "modes/mode-log.h"
#include "network/control.h"
#include "network/peers.h"
#include "network/publish.h"
#include "requests/requests.h"
#include "sessions/sessions.h"
#include "sessions/watchers.h"
#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

enum { PEERS = 3, HOSTS_ANSWER = 3 };

static wn_config config;
static wn_daemon served;
static char folder[64];

/* A host: what the daemon has of it, and what would be its process. */
static const char *const mode_paths[] = {FUZZ_MODE_DIR "/caves.so", FUZZ_MODE_DIR "/hunt.so", FUZZ_MODE_DIR "/maze.so",
                                         FUZZ_MODE_DIR "/polar.so"};
enum { HOSTS = sizeof mode_paths / sizeof mode_paths[0] };
static struct {
    wn_installed_mode mode;
    wn_plugin *plugin;
    wn_conversation conversation;
    wn_arena *kept; /* what the mode says of itself */
} hosts[HOSTS];

static void nothing(void *context)
{
    (void)context;
}

static void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) {
        fprintf(stderr, "%s stays\n", folder);
    }
}

static void open_store(void)
{
    wn_error error;
    strcpy(folder, "/dev/shm/warren-fuzz-XXXXXX");
    FUZZ_REQUIRE(mkdtemp(folder) != NULL);
    atexit(remove_folder);
    free(config.state_dir);
    config.state_dir = wn_must_copy(folder);
    served.store = wn_store_open(&(wn_store_options){.directory = folder}, NULL, &error);
    FUZZ_REQUIRE(served.store != NULL);
}

/* Next message that a host has written; NULL: there is none. */
static Warren__Host__FromHost *next_answer(const wn_buffer *out, size_t *offset, wn_arena *arena)
{
    const uint8_t *bytes;
    size_t size;
    wn_error error;
    if (wn_frame_next(out, offset, &bytes, &size) != 1) {
        return NULL;
    }
    Warren__Host__FromHost *message = wn_from_host_decode(arena, bytes, size, &error);
    FUZZ_REQUIRE(message != NULL);
    return message;
}

static void begin_conversation(unsigned i)
{
    FUZZ_REQUIRE(wn_conversation_begin(&hosts[i].conversation, hosts[i].plugin, NULL));
    hosts[i].conversation.world_memory = 8 << 20;
}

static void open_host(unsigned i)
{
    wn_installed_mode *mode = &hosts[i].mode;
    wn_error error = {0};
    size_t offset = 0;
    hosts[i].plugin = wn_plugin_open(mode_paths[i], &error);
    hosts[i].kept = wn_arena_new(WN_ARENA_FRAME);
    FUZZ_REQUIRE(hosts[i].plugin != NULL && hosts[i].kept != NULL);
    begin_conversation(i);
    mode->daemon = &served;
    mode->host.process.arena = wn_arena_new(WN_ARENA_FRAME);
    FUZZ_REQUIRE(mode->host.process.arena != NULL);
    mode->descriptor = next_answer(&hosts[i].conversation.out, &offset, hosts[i].kept)->ready->mode;
    mode->host.state = WN_HOST_READY;
    mode->host.process.pid = 1; /* never signalled: it is not this file that does so */
    mode->host.process.fd = -1;
    mode->path = (char *)(uintptr_t)mode_paths[i];
    snprintf(mode->name, sizeof mode->name, "%s", mode->descriptor->name);
    mode->log = wn_mode_log_new(&served, mode->name);
    mode->scores = wn_allowance_whole(wn_loop_now_ms(served.loop));
    mode->host.process.end.look = wn_timer_new(served.loop, nothing, mode);
    mode->host.watchdog = wn_timer_new(served.loop, nothing, mode);
    mode->restart = wn_timer_new(served.loop, nothing, mode);
    mode->host.idle = wn_timer_new(served.loop, nothing, mode);
}

static void open_hosts(void)
{
    static wn_installed_mode *list[HOSTS];
    for (unsigned i = 0; i < HOSTS; i++) {
        open_host(i);
        list[i] = &hosts[i].mode;
    }
    served.modes = list;
    served.mode_count = HOSTS;
}

void fuzz_start(void)
{
    wn_error error = {0};
    FUZZ_REQUIRE(wn_config_init(&config, &error));
    config.requests_per_second = 1000000;
    config.requests_per_player = config.requests_per_address = 1000000;
    wn_log_open(WN_LEVEL_ERROR);
    served.config = &config;
    served.request_arena = wn_arena_new(WN_ARENA_REQUEST);
    served.host_arena = wn_arena_new(WN_ARENA_FRAME);
    served.zmq = zmq_ctx_new();
    served.loop = wn_loop_new(&error);
    FUZZ_REQUIRE(served.loop != NULL);
    served.commit_timer = wn_timer_new(served.loop, nothing, &served);
    served.stop_timer = wn_timer_new(served.loop, nothing, &served);
    wn_directory_open(&served);
    wn_sessions_open(&served);
    wn_watchers_open(&served);
    open_store();
    FUZZ_REQUIRE(wn_publish_open(&served, &error) && wn_control_open(&served, &error));
    FUZZ_REQUIRE(wn_names_open(&served, &error) && wn_access_open(&served, &error));
    open_hosts();
    served.ready = true;
}

/* the hosts */

/* What the daemon has asked is done; it says nothing that a host would not take. */
static void run_host(unsigned i)
{
    wn_buffer *asked = &hosts[i].mode.host.process.out;
    size_t offset = 0, size;
    const uint8_t *bytes;
    while (wn_frame_next(asked, &offset, &bytes, &size) == 1) {
        FUZZ_REQUIRE(wn_conversation_take(&hosts[i].conversation, bytes, size));
    }
    asked->size = 0;
    hosts[i].mode.host.outstanding = 0;
}

static void hear_host(unsigned i)
{
    wn_buffer *answers = &hosts[i].conversation.out;
    size_t offset = 0;
    Warren__Host__FromHost *message;
    while ((message = next_answer(answers, &offset, hosts[i].mode.host.process.arena)) != NULL) {
        wn_error error;
        FUZZ_REQUIRE(wn_turns_answer(&hosts[i].mode, message, &error));
    }
    answers->size = 0;
}

static void let_hosts_answer(void)
{
    wn_turns_dispatch(&served);
    for (unsigned i = 0; i < HOSTS; i++) {
        run_host(i);
    }
    for (unsigned i = 0; i < HOSTS; i++) {
        hear_host(i);
    }
    wn_turns_commit(&served);
}

/* the peers */

static wn_peer *peer_at(uint8_t number)
{
    const uint8_t name[5] = {0, 1, 2, 3, number};
    zmq_msg_t id, message;
    wn_error error;
    zmq_msg_init_size(&id, sizeof name);
    memcpy(zmq_msg_data(&id), name, sizeof name);
    zmq_msg_init(&message);
    wn_peer *peer = wn_peer_of(&served, 1, &id, &message, &error);
    zmq_msg_close(&message);
    zmq_msg_close(&id);
    FUZZ_REQUIRE(peer != NULL);
    return peer;
}

/* Numbers of worlds go up for ever: the input counts from those that are made while it is gone through. */
static uint32_t worlds_before;

static void shift_world(const Warren__Request *request)
{
    switch (request->body_case) {
    case WARREN__REQUEST__BODY_COMMAND:
        request->command->world += worlds_before;
        break;
    case WARREN__REQUEST__BODY_LEAVE:
        request->leave->world += worlds_before;
        break;
    case WARREN__REQUEST__BODY_SAY:
        request->say->world += worlds_before;
        break;
    case WARREN__REQUEST__BODY_RESYNC:
        request->resync->world += worlds_before;
        break;
    default:
        break;
    }
}

static void send_request(uint8_t number, const uint8_t *bytes, size_t size)
{
    wn_error error;
    wn_peer *peer = peer_at(number);
    peer->admin = number == 0;
    peer->role = number == 0 ? WN_ROLE_ADMIN : peer->role;
    wn_arena_reset(served.request_arena);
    const Warren__Request *request = wn_request_decode(served.request_arena, bytes, size, &error);
    if (request != NULL && request->body_case != WARREN__REQUEST__BODY_BACKUP &&
        request->body_case != WARREN__REQUEST__BODY_RELOAD) {
        shift_world(request);
        wn_requests_handle(&served, peer, request);
    }
}

/* Nobody may do or is refused anything special any more, but in a world, whose list goes with it. */
static void clear_rules(void)
{
    for (wn_rule *rule; (rule = zlistx_first(served.rules)) != NULL;) {
        const wn_rule pattern = *rule;
        wn_error error;
        FUZZ_REQUIRE(wn_access_remove(&served, &pattern, &error));
    }
}

/* Everyone goes, and every world. */
static void clear(void)
{
    wn_log_open(WN_LEVEL_ERROR);
    served.draining = false;
    served.stopping = false;
    clear_rules();
    wn_session *session;
    wn_game *game;
    while ((session = zhashx_first(served.sessions)) != NULL) {
        wn_session_end(&served, session);
    }
    while ((game = zhashx_first(served.games)) != NULL) {
        wn_error error;
        worlds_before = game->id > worlds_before ? game->id : worlds_before;
        FUZZ_REQUIRE(wn_store_delete_world(served.store, game->id, &error));
        wn_access_forget_world(&served, game);
        wn_game_free(game);
    }
    FUZZ_REQUIRE(served.seats_taken == 0 && zhashx_size(served.players) == 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        wn_installed_mode *mode = &hosts[i].mode;
        FUZZ_REQUIRE(mode->game_count == 0);
        mode->host.process.out.size = 0;
        mode->wanted_count = 0;
        mode->load_next = 0;
        mode->loading = 0;
        if (hosts[i].conversation.worlds.count > 0) {
            wn_conversation_end(&hosts[i].conversation);
            begin_conversation(i);
        }
        hosts[i].conversation.out.size = 0;
    }
    wn_turns_commit(&served);
}

void fuzz(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    while (input.size > 0) {
        const uint8_t who = fuzz_byte(&input) % (PEERS + 1);
        if (who == HOSTS_ANSWER) {
            let_hosts_answer();
            continue;
        }
        size_t length;
        const uint8_t *request = fuzz_piece(&input, 4, &length);
        send_request(who, request, length);
    }
    let_hosts_answer();
    clear();
}
