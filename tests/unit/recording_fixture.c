/* recording_fixture.c: see recording_fixture.h. */
#include "recording_fixture.h"
#include "recording_made.h"

#include <check.h>
#include <stdio.h>

static void add_input(live *game, Warren__Host__Input__BodyCase body_case, ProtobufCMessage *body)
{
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    Warren__Host__Input *list = &input;
    Warren__Host__Inputs inputs = WARREN__HOST__INPUTS__INIT;
    input.body_case = body_case;
    input.join = (Warren__Host__SeatJoins *)body; /* a union of pointers to messages */
    inputs.n_input = 1;
    inputs.input = &list;
    wn_encode(&game->inputs, &inputs.base); /* repeated fields of messages behind each other are one list */
}

void live_join(live *game, uint32_t seat, const char *player)
{
    Warren__Host__SeatJoins join = WARREN__HOST__SEAT_JOINS__INIT;
    join.seat = seat;
    join.player = (char *)player;
    add_input(game, WARREN__HOST__INPUT__BODY_JOIN, &join.base);
}

void live_leave(live *game, uint32_t seat)
{
    Warren__Host__SeatLeaves leave = WARREN__HOST__SEAT_LEAVES__INIT;
    leave.seat = seat;
    add_input(game, WARREN__HOST__INPUT__BODY_LEAVE, &leave.base);
}

void live_command(live *game, uint32_t seat, uint32_t number, uint32_t action, int64_t argument)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    command.seat = seat;
    command.number = number;
    command.action = action;
    command.has_argument = argument >= 0;
    command.argument = argument >= 0 ? (uint32_t)argument : 0;
    add_input(game, WARREN__HOST__INPUT__BODY_COMMAND, &command.base);
}

void live_chat(live *game, const char *from, const char *text)
{
    Warren__Host__Chat chat = WARREN__HOST__CHAT__INIT;
    chat.from = (char *)from;
    chat.text = (char *)text;
    add_input(game, WARREN__HOST__INPUT__BODY_CHAT, &chat.base);
}

void live_wake(live *game)
{
    Warren__Host__Wake wake = WARREN__HOST__WAKE__INIT;
    add_input(game, WARREN__HOST__INPUT__BODY_WAKE, &wake.base);
}

void live_open(live *game, const char *mode, const setting_text *settings, uint64_t seed)
{
    wn_error error = {0};
    game->plugin = wn_plugin_open(mode, &error);
    ck_assert_msg(game->plugin != NULL, "%s", error.text);
    for (; settings != NULL && settings->name != NULL; settings++) {
        Warren__SettingValue *value = &game->values[game->setting_count];
        *value = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
        value->name = (char *)settings->name;
        value->value = (char *)settings->value;
        game->settings[game->setting_count++] = value;
    }
    const wn_world_options options = {.id = 1,
                                      .seed = seed,
                                      .settings = (const Warren__SettingValue *const *)game->settings,
                                      .setting_count = game->setting_count};
    game->world = wn_hosted_new(game->plugin, &options, &error);
    ck_assert_msg(game->world != NULL, "%s", error.text);
}

void live_record(live *game, const char *path, uint64_t seed)
{
    wn_error error = {0};
    const wn_mode_descriptor *mode = wn_plugin_descriptor(game->plugin);
    Warren__RecordingHeader header = WARREN__RECORDING_HEADER__INIT;
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    header.world = "w1";
    header.mode = (char *)mode->name;
    header.mode_version = (char *)(game->version != NULL ? game->version : mode->version);
    header.build = (char *)(game->build != NULL ? game->build : wn_plugin_build(game->plugin));
    header.seed = seed;
    header.settings = game->settings;
    header.n_settings = game->setting_count;
    part.header = &header;
    game->writer = wn_recording_create(path, &error);
    ck_assert_msg(game->writer != NULL, "%s", error.text);
    ck_assert_msg(wn_recording_add(game->writer, &part, &error), "%s", error.text);
}

static void record_turn(live *game)
{
    wn_error error = {0};
    const uint64_t turn = wn_hosted_turn_number(game->world);
    Warren__RecordedTurn recorded = WARREN__RECORDED_TURN__INIT;
    Warren__RecordedTurn *list = &recorded;
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    recorded.turn = turn;
    recorded.inputs = (ProtobufCBinaryData){game->inputs.size, game->inputs.data};
    recorded.has_hash = game->hash_every > 0 && turn % game->hash_every == 0;
    recorded.hash = recorded.has_hash ? wn_hosted_hash(game->world) : 0;
    if (turn == game->wrong_hash) {
        recorded.has_hash = true;
        recorded.hash = 1;
    }
    part.turns = &list;
    part.n_turns = 1;
    ck_assert_msg(wn_recording_add(game->writer, &part, &error), "%s", error.text);
}

void live_turn(live *game)
{
    wn_error error = {0};
    game->out.size = 0;
    ck_assert_msg(wn_hosted_turn(game->world, wn_hosted_turn_number(game->world) + 1, game->inputs.data,
                                 game->inputs.size, &game->out, &error),
                  "%s", error.text);
    if (game->writer != NULL) {
        record_turn(game);
    }
    game->inputs.size = 0;
}

void live_close(live *game)
{
    wn_error error = {0};
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    part.has_last = part.last = true;
    if (game->writer != NULL) {
        ck_assert_msg(wn_recording_add(game->writer, &part, &error), "%s", error.text);
        ck_assert_msg(wn_recording_finish(game->writer, &error), "%s", error.text);
    }
    wn_hosted_free(game->world);
    wn_plugin_close(game->plugin);
    wn_buffer_free(&game->inputs);
    wn_buffer_free(&game->out);
}

uint32_t live_chance(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

void live_caves(live *game, const char *mode, const char *path, uint64_t seed, uint32_t turns)
{
    static const setting_text settings[] = {{"width", "40"},  {"height", "20"},         {"lichens", "40"},
                                            {"bunnies", "5"}, {"silverfish", "3"},      {"mortal", "yes"},
                                            {"pvp", "yes"},   {"growth_permille", "3"}, {NULL, NULL}};
    enum { PLAYERS = 3, STEP = 1 };
    uint32_t numbers[PLAYERS] = {0};
    uint64_t state = seed;
    live_open(game, mode, settings, seed);
    live_record(game, path, seed);
    for (uint32_t i = 0; i < turns; i++) {
        for (uint32_t seat = 0; seat < PLAYERS; seat++) {
            char name[16];
            snprintf(name, sizeof name, "player%u", seat);
            const bool there = wn_seat_name(wn_hosted_handle(game->world), seat) != NULL;
            if (!there && live_chance(&state, 20) == 0) {
                live_join(game, seat, name);
                numbers[seat] = 0;
            } else if (there && live_chance(&state, 150) == 0) {
                live_leave(game, seat);
            } else if (there && live_chance(&state, 3) > 0) {
                live_command(game, seat, ++numbers[seat], STEP, live_chance(&state, 8));
            }
        }
        if (live_chance(&state, 40) == 0) {
            char text[32];
            snprintf(text, sizeof text, "turn %u it is", i + 1);
            live_chat(game, live_chance(&state, 2) == 0 ? "player1" : NULL, text);
        }
        if (wn_hosted_wake_ms(game->world) > 0 && live_chance(&state, 2) == 0) {
            live_wake(game);
        }
        live_turn(game);
    }
    live_close(game);
}

void make_caves_recording(const char *mode, const char *path, uint64_t seed, uint32_t turns)
{
    live game = {0};
    live_caves(&game, mode, path, seed, turns);
}
