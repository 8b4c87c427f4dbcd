/* session.c: requests of three connections, in any order, against the daemon's control logic, its directory of worlds
 * and its store. The input is a row of steps: a byte that says whose it is (0 to 2), or that the host answers (3), then
 * a request of up to 255 * 4 bytes. The host is one that says yes to everything and runs nothing, so what is tried is
 * the daemon alone.
 *
 * Not tried: Backup, which would write where the input says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access.h"
#include "accounts.h"
#include "admission.h"
#include "control.h"
#include "directory.h"
#include "fuzz.h"
#include "hosts.h"
#include "loading.h"
#include "memory.h"
#include "names.h"
#include "publish.h"
#include "requests.h"
#include "sessions.h"
#include "turns.h"
#include "watchers.h"

enum { PEERS = 3, HOST_ANSWERS = 3 };

static wn_config config;
static wn_daemon served;
static wn_host_process host;
static char folder[64];

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
    served.store = wn_store_open(&(wn_store_options){folder, WN_DURABILITY_NORMAL, false}, NULL, &error);
    FUZZ_REQUIRE(served.store != NULL);
}

/* A mode with an action of each kind, and a setting. */
static Warren__Mode *make_mode(void)
{
    static Warren__Mode mode = WARREN__MODE__INIT;
    static Warren__Tile tile = WARREN__TILE__INIT;
    static Warren__Action step = WARREN__ACTION__INIT, rest = WARREN__ACTION__INIT, look = WARREN__ACTION__INIT;
    static Warren__Setting width = WARREN__SETTING__INIT;
    static Warren__Entry usual = WARREN__ENTRY__INIT, other = WARREN__ENTRY__INIT;
    static Warren__Tile *tiles[] = {&tile};
    static Warren__Action *actions[] = {&step, &rest, &look};
    static Warren__Setting *settings[] = {&width};
    static Warren__Entry *entries[] = {&usual, &other};
    tile.name = "floor";
    step = (Warren__Action){.base = step.base, .id = 1, .name = "step", .argument = 1};
    rest = (Warren__Action){.base = rest.base, .id = 2, .name = "rest"};
    look = (Warren__Action){.base = look.base, .id = 3, .name = "look", .argument = 2};
    width.name = "width";
    width.minimum = 16;
    width.maximum = 1024;
    width.standard = "160";
    usual.name = "usual";
    other.name = "other";
    mode.name = "caves";
    mode.max_seats = 3;
    mode.tiles = tiles;
    mode.n_tiles = 1;
    mode.actions = actions;
    mode.n_actions = 3;
    mode.settings = settings;
    mode.n_settings = 1;
    mode.entries = entries;
    mode.n_entries = 2;
    mode.type_ahead = 2;
    return &mode;
}

static void open_host(void)
{
    static wn_host_process *hosts[] = {&host};
    host.daemon = &served;
    host.mode = make_mode();
    wn_encode(&host.mode_encoded, &host.mode->base);
    host.state = WN_HOST_READY;
    host.pid = 1; /* never signalled: it is not this file that does so */
    host.fd = -1;
    host.path = (char *)(uintptr_t) "/nowhere/caves.so";
    snprintf(host.name, sizeof host.name, "caves");
    host.watchdog = wn_timer_new(served.loop, nothing, &host);
    host.restart = wn_timer_new(served.loop, nothing, &host);
    host.idle = wn_timer_new(served.loop, nothing, &host);
    served.hosts = hosts;
    served.host_count = 1;
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
    wn_directory_open(&served);
    wn_sessions_open(&served);
    wn_watchers_open(&served);
    open_store();
    FUZZ_REQUIRE(wn_publish_open(&served, &error) && wn_control_open(&served, &error));
    FUZZ_REQUIRE(wn_names_open(&served, &error) && wn_access_open(&served, &error));
    open_host();
    served.ready = true;
}

/* the host */

static void answer(const Warren__Host__ToHost *asked)
{
    Warren__Host__FromHost message = WARREN__HOST__FROM_HOST__INIT;
    Warren__Host__TurnDone done = WARREN__HOST__TURN_DONE__INIT;
    Warren__Host__WorldCreated created = WARREN__HOST__WORLD_CREATED__INIT;
    Warren__Host__Saved saved = WARREN__HOST__SAVED__INIT;
    if (asked->body_case == WARREN__HOST__TO_HOST__BODY_CREATE) {
        message.body_case = WARREN__HOST__FROM_HOST__BODY_CREATED;
        message.created = &created;
        created.world = asked->create->world;
    } else if (asked->body_case == WARREN__HOST__TO_HOST__BODY_TURN) {
        message.body_case = WARREN__HOST__FROM_HOST__BODY_DONE;
        message.done = &done;
        done.world = asked->turn->world;
        done.turn = asked->turn->turn;
        done.has_inputs = true;
        done.inputs = asked->turn->inputs;
    } else if (asked->body_case == WARREN__HOST__TO_HOST__BODY_SAVE) {
        message.body_case = WARREN__HOST__FROM_HOST__BODY_SAVED;
        message.saved = &saved;
        saved.world = asked->save->world;
        saved.error = (char *)(uintptr_t) "it saves nothing";
    } else {
        return;
    }
    /* As it would come: decoded, in the arena that lasts until the commit. */
    wn_buffer bytes = {0};
    wn_error error;
    wn_encode(&bytes, &message.base);
    Warren__Host__FromHost *decoded = wn_from_host_decode(served.host_arena, bytes.data, bytes.size, &error);
    FUZZ_REQUIRE(decoded != NULL);
    wn_turns_answer(&host, decoded);
    wn_buffer_free(&bytes);
}

static void let_host_answer(void)
{
    wn_turns_dispatch(&served);
    wn_arena *arena = wn_arena_new(WN_ARENA_FRAME);
    wn_buffer asked = host.out;
    size_t offset = 0, size;
    const uint8_t *bytes;
    host.out = (wn_buffer){0};
    while (wn_frame_next(&asked, &offset, &bytes, &size) == 1) {
        wn_error error;
        wn_arena_reset(arena);
        const Warren__Host__ToHost *message = wn_to_host_decode(arena, bytes, size, &error);
        FUZZ_REQUIRE(message != NULL);
        answer(message);
    }
    host.outstanding = 0;
    wn_buffer_free(&asked);
    wn_arena_free(arena);
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

static void send_request(uint8_t number, const uint8_t *bytes, size_t size)
{
    wn_error error;
    wn_peer *peer = peer_at(number);
    peer->admin = number == 0;
    peer->role = number == 0 ? WN_ROLE_ADMIN : peer->role;
    wn_arena_reset(served.request_arena);
    const Warren__Request *request = wn_request_decode(served.request_arena, bytes, size, &error);
    if (request != NULL && request->body_case != WARREN__REQUEST__BODY_BACKUP) {
        wn_requests_handle(&served, peer, request);
    }
}

/* Everyone goes, and every world. */
static void clear(void)
{
    wn_session *session;
    wn_game *game;
    while ((session = zhashx_first(served.sessions)) != NULL) {
        wn_session_end(&served, session);
    }
    while ((game = zhashx_first(served.games)) != NULL) {
        wn_error error;
        FUZZ_REQUIRE(wn_store_delete_world(served.store, game->id, &error));
        wn_game_free(game);
    }
    FUZZ_REQUIRE(served.seats_taken == 0 && host.game_count == 0 && zhashx_size(served.players) == 0);
    host.out.size = 0;
    host.wanted_count = 0;
    host.load_next = 0;
    host.loading = 0;
    wn_turns_commit(&served);
}

void fuzz(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    while (input.size > 0) {
        const uint8_t who = fuzz_byte(&input) % (PEERS + 1);
        if (who == HOST_ANSWERS) {
            let_host_answer();
            continue;
        }
        size_t length;
        const uint8_t *request = fuzz_piece(&input, 4, &length);
        send_request(who, request, length);
    }
    let_host_answer();
    clear();
}
