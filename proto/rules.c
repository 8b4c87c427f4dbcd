/* rules.c: what makes each message valid beyond its encoding, as one table, and the walk that holds a message against
 * it. The walk goes over the descriptors that protoc-c generates, so that a field without a rule of its own still has
 * one by its type: a string is one line of WN_TEXT_BYTES, bytes are a key, an enum is known, a list has at most MANY.
 */
#include "wire_internal.h"

#include <inttypes.h>
#include <string.h>

enum {
    MANY = 65536, /* where only the size of the message is meant to be the limit */
    SOME = 4096,
    FEW = 256,
    KEYS = 64,             /* of an action */
    HIGHEST_TILE = 0x7fff, /* a cell is tile * 2 + 1 at most and has 16 bits */
    HIGHEST_CELL = 0xffff,
    HIGHEST_COLOUR = 0xffffff,
    CURVE_KEY = 32,
    HIGHEST_PORT = 65535,
    WHO = 80, /* a key in digits, with what is before it */
    REASON = 200,
    VIEW_CELLS = WN_SIDE * WN_SIDE,
    CELL_NUMBERS = 2 * VIEW_CELLS, /* an operation and a cell each */
    DECIMALS = 6,
    MAX_RULES = 12
};

typedef enum rule_kind {
    LINE = 1, /* text without line feeds, of minimum to maximum bytes */
    LINES,    /* text with line feeds */
    NAME,     /* wn_name_valid() */
    PLAYER,   /* wn_player_valid() */
    CONTENT,  /* of a file: any characters but NUL */
    BYTES,    /* minimum to maximum of them */
    NUMBER,   /* a uint32 from minimum to maximum */
    COUNT,    /* maximum elements, which have the rule of their type */
    CODE      /* an enum whose unknown values, of a newer peer, are taken for `maximum` */
} rule_kind;

typedef struct field_rule {
    uint32_t offset; /* of the member; 0 ends the list: the message's base stands there */
    rule_kind kind;
    uint32_t minimum;
    uint32_t maximum;
    const char *limit;                    /* its name in Welcome.limits; NULL: the field's */
    const struct message_shape *elements; /* instead of that of their type */
} field_rule;

typedef struct message_shape {
    const ProtobufCMessageDescriptor *message;
    uint32_t body;                                                   /* offset of a required oneof's case; 0: none */
    bool (*whole)(const ProtobufCMessage *message, wn_error *error); /* what concerns more than one field */
    field_rule rules[MAX_RULES];
} message_shape;

/* The cell operations of warren.proto over a view of so many cells. */
static bool cells_valid(const char *name, const uint32_t *numbers, size_t count, uint64_t cells, wn_error *error)
{
    size_t at = 0;
    while (at < count) {
        const uint32_t kind = numbers[at] & 3;
        const uint32_t length = numbers[at] >> 2;
        const size_t values = kind == WN_CELLS_COPY ? length : kind == WN_CELLS_FILL;
        at++;
        if (kind > WN_CELLS_COPY || length > cells || values > count - at) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "cells", 0,
                                "%s.cells is broken at number %zu of %zu: a kind above 2, a count past the last cell "
                                "of the view or past the last number.",
                                name, at - 1, count);
        }
        cells -= length;
        for (const size_t end = at + values; at < end; at++) {
            if (numbers[at] > HIGHEST_CELL) {
                return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "cells", HIGHEST_CELL,
                                    "%s.cells has a cell of %" PRIu32 " as number %zu; the highest is %d.", name,
                                    numbers[at], at, HIGHEST_CELL);
            }
        }
    }
    return true;
}

static bool keyframe_whole(const ProtobufCMessage *message, wn_error *error)
{
    const Warren__Keyframe *keyframe = (const Warren__Keyframe *)message;
    return cells_valid("Keyframe", keyframe->cells, keyframe->n_cells, (uint64_t)keyframe->width * keyframe->height,
                       error);
}

static bool delta_whole(const ProtobufCMessage *message, wn_error *error)
{
    const Warren__Delta *delta = (const Warren__Delta *)message;
    return cells_valid("Delta", delta->cells, delta->n_cells, VIEW_CELLS, error);
}

static bool replay_whole(const ProtobufCMessage *message, wn_error *error)
{
    const Warren__Host__Replay *replay = (const Warren__Host__Replay *)message;
    return replay->n_hashes == 0 || replay->n_hashes == replay->n_inputs ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "hashes", 0,
                        "Replay.hashes has %zu elements for %zu turns; it takes one for each, or none.",
                        replay->n_hashes, replay->n_inputs);
}

/* the table */

#define AT(type, member) (uint32_t) offsetof(Warren__##type, member)
#define RULE(type, member, kind, least, most)                                                                          \
    {                                                                                                                  \
        AT(type, member), kind, least, most, NULL, NULL                                                                \
    }
#define NAMED(type, member, kind, most, limit)                                                                         \
    {                                                                                                                  \
        AT(type, member), kind, 1, most, limit, NULL                                                                   \
    }
#define NAME_OF(type, member)            NAMED(type, member, NAME, WN_NAME_BYTES, "name_bytes")
#define PLAYER_OF(type, member)          NAMED(type, member, PLAYER, WN_NAME_BYTES, "name_bytes")
#define WORD(type, member)               RULE(type, member, LINE, 1, WN_NAME_BYTES)
#define SHORT(type, member)              RULE(type, member, LINE, 0, WN_NAME_BYTES)
#define UP_TO(type, member, most)        RULE(type, member, COUNT, 0, most)
#define RANGE(type, member, least, most) RULE(type, member, NUMBER, least, most)
#define BLOB(type, member, most)         RULE(type, member, BYTES, 0, most)
#define OR_ELSE(type, member, value)     RULE(type, member, CODE, 0, WARREN__##value)

/* On its way to the host and in a recording, a setting whose type is "file" has the file's content. */
static const message_shape file_setting = {
    .message = &warren__setting_value__descriptor,
    .rules = {NAME_OF(SettingValue, name), RULE(SettingValue, value, CONTENT, 0, WN_FILE_BYTES),
              SHORT(SettingValue, file)},
};

/* Messages with rules of their own. First those that come with every command, three of which have no rules and stand
 * here to be found early. */
static const message_shape shapes[] = {
    {.message = &warren__request__descriptor, .body = AT(Request, body_case)},
    {.message = &warren__command__descriptor},
    {.message = &warren__update__descriptor},
    {.message = &warren__delta__descriptor,
     .whole = delta_whole,
     .rules = {UP_TO(Delta, cells, CELL_NUMBERS), UP_TO(Delta, sprites, WN_SPRITES), UP_TO(Delta, gone, WN_SPRITES),
               UP_TO(Delta, fields, WN_FIELDS), UP_TO(Delta, board, WN_ROWS),
               RULE(Delta, banner, LINES, 0, WN_BANNER_BYTES), UP_TO(Delta, messages, WN_MESSAGES),
               UP_TO(Delta, effects, WN_EFFECTS), RANGE(Delta, facing, 0, WN_NOWHERE),
               UP_TO(Delta, regions, WN_REGIONS)}},
    {.message = &warren__sprite__descriptor,
     .rules = {RANGE(Sprite, tile, 0, HIGHEST_TILE), RANGE(Sprite, facing, 0, WN_NOWHERE)}},
    {.message = &warren__host__to_host__descriptor, .body = AT(Host__ToHost, body_case)},
    {.message = &warren__host__from_host__descriptor, .body = AT(Host__FromHost, body_case)},
    {.message = &warren__host__turn__descriptor, .rules = {BLOB(Host__Turn, inputs, WN_FRAME_BYTES)}},
    {.message = &warren__host__turn_done__descriptor,
     .rules = {BLOB(Host__TurnDone, inputs, WN_FRAME_BYTES), UP_TO(Host__TurnDone, updates, FEW),
               UP_TO(Host__TurnDone, ended, SOME), UP_TO(Host__TurnDone, scores, SOME),
               UP_TO(Host__TurnDone, refused, SOME), UP_TO(Host__TurnDone, asked, WN_JOBS)}},
    {.message = &warren__host__view_update__descriptor, .rules = {BLOB(Host__ViewUpdate, update, WN_UPDATE_BYTES)}},
    {.message = &warren__host__input__descriptor, .body = AT(Host__Input, body_case)},
    {.message = &warren__host__seat_command__descriptor},
    {.message = &warren__field_value__descriptor, .rules = {RANGE(FieldValue, field, 0, WN_FIELDS - 1)}},
    {.message = &warren__message__descriptor,
     .rules = {RULE(Message, text, LINES, 0, WN_TEXT_BYTES), OR_ELSE(Message, kind, MESSAGE_KIND__MESSAGE_INFO),
               SHORT(Message, from)}},
    {.message = &warren__effect__descriptor,
     .rules = {OR_ELSE(Effect, kind, EFFECT_KIND__EFFECT_SOUND), RANGE(Effect, radius, 0, WN_SIDE),
               RANGE(Effect, tile, 0, HIGHEST_TILE), SHORT(Effect, cue)}},
    {.message = &warren__board_row__descriptor,
     .rules = {RANGE(BoardRow, row, 0, WN_ROWS - 1), UP_TO(BoardRow, columns, WN_COLUMNS)}},
    {.message = &warren__keyframe__descriptor,
     .whole = keyframe_whole,
     .rules = {RANGE(Keyframe, width, 1, WN_SIDE), RANGE(Keyframe, height, 1, WN_SIDE),
               UP_TO(Keyframe, cells, CELL_NUMBERS), UP_TO(Keyframe, sprites, WN_SPRITES),
               UP_TO(Keyframe, fields, WN_FIELDS), UP_TO(Keyframe, board, WN_ROWS),
               RULE(Keyframe, banner, LINES, 0, WN_BANNER_BYTES), UP_TO(Keyframe, messages, WN_MESSAGES),
               RANGE(Keyframe, facing, 0, WN_NOWHERE), UP_TO(Keyframe, regions, WN_REGIONS)}},
    {.message = &warren__region__descriptor,
     .rules = {RANGE(Region, region, 0, WN_REGIONS - 1), RANGE(Region, width, 1, WN_SIDE),
               RANGE(Region, height, 1, WN_SIDE)}},
    /* requests */
    {.message = &warren__hello__descriptor, .rules = {PLAYER_OF(Hello, player)}},
    {.message = &warren__create_world__descriptor,
     .rules = {NAME_OF(CreateWorld, mode), NAME_OF(CreateWorld, name),
               UP_TO(CreateWorld, settings, WN_CREATE_SETTINGS)}},
    {.message = &warren__change_world__descriptor,
     .rules = {NAME_OF(ChangeWorld, world), UP_TO(ChangeWorld, settings, WN_CREATE_SETTINGS)}},
    {.message = &warren__setting_value__descriptor, .rules = {NAME_OF(SettingValue, name), SHORT(SettingValue, file)}},
    {.message = &warren__join_world__descriptor,
     .rules = {NAME_OF(JoinWorld, world), RANGE(JoinWorld, entry, 0, WN_ENTRIES - 1)}},
    {.message = &warren__watch_world__descriptor, .rules = {NAME_OF(WatchWorld, world)}},
    {.message = &warren__say__descriptor, .rules = {NAMED(Say, text, LINE, WN_CHAT_BYTES, "chat_bytes")}},
    {.message = &warren__close_world__descriptor, .rules = {NAME_OF(CloseWorld, world)}},
    {.message = &warren__export_world__descriptor, .rules = {NAME_OF(ExportWorld, world)}},
    {.message = &warren__backup__descriptor, .rules = {RULE(Backup, directory, LINE, 1, WN_TEXT_BYTES)}},
    {.message = &warren__grant__descriptor, .rules = {RULE(Grant, who, LINE, 1, WHO), NAME_OF(Grant, world)}},
    {.message = &warren__revoke__descriptor, .rules = {RULE(Revoke, who, LINE, 1, WHO), NAME_OF(Revoke, world)}},
    {.message = &warren__ban__descriptor,
     .rules = {RULE(Ban, who, LINE, 1, WHO), RULE(Ban, reason, LINE, 0, REASON), NAME_OF(Ban, world)}},
    {.message = &warren__unban__descriptor, .rules = {RULE(Unban, who, LINE, 1, WHO), NAME_OF(Unban, world)}},
    {.message = &warren__kick__descriptor,
     .rules = {PLAYER_OF(Kick, player), NAME_OF(Kick, world), RULE(Kick, reason, LINE, 0, REASON)}},
    {.message = &warren__list_access__descriptor, .rules = {NAME_OF(ListAccess, world)}},
    {.message = &warren__release_name__descriptor, .rules = {PLAYER_OF(ReleaseName, player)}},
    {.message = &warren__recover_world__descriptor, .rules = {NAME_OF(RecoverWorld, world)}},
    {.message = &warren__park_world__descriptor, .rules = {NAME_OF(ParkWorld, world)}},
    {.message = &warren__unpark_world__descriptor, .rules = {NAME_OF(UnparkWorld, world)}},
    {.message = &warren__save_worlds__descriptor, .rules = {NAME_OF(SaveWorlds, world)}},
    {.message = &warren__list_players__descriptor, .rules = {NAME_OF(ListPlayers, world)}},
    {.message = &warren__list_scores__descriptor,
     .rules = {NAME_OF(ListScores, mode), NAME_OF(ListScores, world), PLAYER_OF(ListScores, player)}},
    /* replies */
    {.message = &warren__reply__descriptor, .body = AT(Reply, body_case)},
    {.message = &warren__error__descriptor,
     .rules = {OR_ELSE(Error, code, ERROR_CODE__ERROR_INTERNAL), SHORT(Error, field)}},
    {.message = &warren__welcome__descriptor,
     .rules = {PLAYER_OF(Welcome, player), OR_ELSE(Welcome, role, ROLE__ROLE_NONE), UP_TO(Welcome, seats, SOME),
               UP_TO(Welcome, updates, FEW)}},
    {.message = &warren__access_rule__descriptor,
     .rules = {OR_ELSE(AccessRule, role, ROLE__ROLE_SPECTATOR), NAME_OF(AccessRule, world), SHORT(AccessRule, author)}},
    {.message = &warren__name_owner__descriptor, .rules = {PLAYER_OF(NameOwner, player)}},
    {.message = &warren__introduction__descriptor,
     .rules = {RULE(Introduction, curve_key, BYTES, CURVE_KEY, CURVE_KEY), RANGE(Introduction, port, 1, HIGHEST_PORT)}},
    {.message = &warren__pong__descriptor, .rules = {UP_TO(Pong, views, SOME)}},
    {.message = &warren__mode_list__descriptor, .rules = {UP_TO(ModeList, modes, SOME)}},
    {.message = &warren__world_info__descriptor,
     .rules = {NAME_OF(WorldInfo, name), NAME_OF(WorldInfo, mode),
               OR_ELSE(WorldInfo, state, WORLD_STATE__WORLD_RUNNING), SHORT(WorldInfo, owner),
               UP_TO(WorldInfo, settings, WN_CREATE_SETTINGS)}},
    {.message = &warren__joined__descriptor, .rules = {NAME_OF(Joined, name)}},
    {.message = &warren__player_info__descriptor, .rules = {PLAYER_OF(PlayerInfo, player), NAME_OF(PlayerInfo, world)}},
    {.message = &warren__watcher_info__descriptor,
     .rules = {PLAYER_OF(WatcherInfo, player), NAME_OF(WatcherInfo, world)}},
    {.message = &warren__score_list__descriptor, .rules = {UP_TO(ScoreList, tables, SOME)}},
    {.message = &warren__player_scores__descriptor,
     .rules = {PLAYER_OF(PlayerScores, player), UP_TO(PlayerScores, values, SOME)}},
    {.message = &warren__score_value__descriptor, .rules = {RANGE(ScoreValue, table, 0, SOME - 1)}},
    {.message = &warren__server_status__descriptor,
     .rules = {UP_TO(ServerStatus, hosts, SOME), OR_ELSE(ServerStatus, log_level, LOG_LEVEL__LOG_INFO)}},
    {.message = &warren__session_info__descriptor,
     .rules = {PLAYER_OF(SessionInfo, player), OR_ELSE(SessionInfo, role, ROLE__ROLE_NONE)}},
    {.message = &warren__beacon__descriptor,
     .rules = {WORD(Beacon, name), RANGE(Beacon, port, 1, HIGHEST_PORT), SHORT(Beacon, software),
               RULE(Beacon, curve_key, BYTES, CURVE_KEY, CURVE_KEY)}},
    {.message = &warren__host_info__descriptor, .rules = {NAME_OF(HostInfo, mode)}},
    {.message = &warren__recording_header__descriptor,
     .rules = {NAME_OF(RecordingHeader, world),
               NAME_OF(RecordingHeader, mode),
               {AT(RecordingHeader, settings), COUNT, 0, WN_CREATE_SETTINGS, NULL, &file_setting},
               BLOB(RecordingHeader, snapshot, WN_REPLY_BYTES)}},
    {.message = &warren__recorded_turn__descriptor, .rules = {BLOB(RecordedTurn, inputs, WN_REPLY_BYTES)}},
    /* the description of a mode */
    {.message = &warren__mode__descriptor,
     .rules = {NAME_OF(Mode, name), UP_TO(Mode, tiles, WN_TILES), UP_TO(Mode, actions, WN_ACTIONS),
               UP_TO(Mode, settings, WN_SETTINGS), UP_TO(Mode, status, WN_FIELDS), UP_TO(Mode, board, WN_COLUMNS),
               UP_TO(Mode, entries, WN_ENTRIES), UP_TO(Mode, tables, WN_TABLES), SHORT(Mode, players_title),
               SHORT(Mode, spectators_title), RANGE(Mode, max_seats, 1, WN_SEATS)}},
    {.message = &warren__entry__descriptor, .rules = {WORD(Entry, name), SHORT(Entry, key)}},
    {.message = &warren__score_table__descriptor,
     .rules = {RULE(ScoreTable, name, LINE, 1, WN_TEXT_BYTES), OR_ELSE(ScoreTable, kind, SCORE_KIND__SCORE_HIGHEST),
               RANGE(ScoreTable, decimals, 0, DECIMALS)}},
    {.message = &warren__tile__descriptor,
     .rules = {WORD(Tile, name), SHORT(Tile, glyph), SHORT(Tile, ascii), RANGE(Tile, foreground, 0, HIGHEST_COLOUR),
               RANGE(Tile, background, 0, HIGHEST_COLOUR)}},
    {.message = &warren__action__descriptor,
     .rules = {WORD(Action, name), OR_ELSE(Action, argument, ARGUMENT_KIND__ARGUMENT_NONE), UP_TO(Action, keys, KEYS),
               OR_ELSE(Action, purpose, PURPOSE__PURPOSE_OTHER)}},
    {.message = &warren__key__descriptor, .rules = {WORD(Key, key)}},
    {.message = &warren__setting__descriptor,
     .rules = {NAME_OF(Setting, name), OR_ELSE(Setting, type, SETTING_TYPE__SETTING_TEXT),
               UP_TO(Setting, choices, FEW)}},
    {.message = &warren__status_field__descriptor,
     .rules = {WORD(StatusField, name), OR_ELSE(StatusField, kind, STATUS_KIND__STATUS_TEXT)}},
    /* between daemon and host */
    {.message = &warren__host__create_world__descriptor,
     .rules = {{AT(Host__CreateWorld, settings), COUNT, 0, WN_CREATE_SETTINGS, NULL, &file_setting},
               BLOB(Host__CreateWorld, snapshot, WN_FRAME_BYTES)}},
    {.message = &warren__host__replay__descriptor, .whole = replay_whole},
    {.message = &warren__host__replayed__descriptor,
     .rules = {UP_TO(Host__Replayed, seats, SOME), UP_TO(Host__Replayed, updates, FEW),
               UP_TO(Host__Replayed, asked, WN_JOBS)}},
    {.message = &warren__host__world_created__descriptor,
     .rules = {UP_TO(Host__WorldCreated, seats, SOME), UP_TO(Host__WorldCreated, asked, WN_JOBS)}},
    {.message = &warren__host__seat_joins__descriptor,
     .rules = {PLAYER_OF(Host__SeatJoins, player), RANGE(Host__SeatJoins, entry, 0, WN_ENTRIES - 1)}},
    {.message = &warren__host__answer__descriptor, .rules = {BLOB(Host__Answer, answer, WN_WORK_BYTES)}},
    {.message = &warren__host__asked__descriptor,
     .rules = {BLOB(Host__Asked, question, WN_WORK_BYTES), RANGE(Host__Asked, milliseconds, 1, WN_WORK_TIME)}},
    {.message = &warren__host__work__descriptor, .rules = {BLOB(Host__Work, question, WN_WORK_BYTES)}},
    {.message = &warren__host__worked__descriptor, .rules = {BLOB(Host__Worked, answer, WN_WORK_BYTES)}},
    {.message = &warren__host__seat_state__descriptor, .rules = {PLAYER_OF(Host__SeatState, player)}},
    {.message = &warren__host__chat__descriptor, .rules = {PLAYER_OF(Host__Chat, from)}},
    {.message = &warren__host__saved__descriptor, .rules = {BLOB(Host__Saved, snapshot, WN_FRAME_BYTES)}},
};

static const field_rule default_line = {0, LINE, 0, WN_TEXT_BYTES, NULL, NULL};
static const field_rule default_key = {0, BYTES, WN_KEY_BYTES, WN_KEY_BYTES, NULL, NULL};
static const field_rule default_count = {0, COUNT, 0, MANY, NULL, NULL};

static const message_shape *find_shape(const ProtobufCMessageDescriptor *message)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (shapes[i].message == message) {
            return &shapes[i];
        }
    }
    return NULL;
}

static const field_rule *find_rule(const message_shape *shape, unsigned offset)
{
    if (shape != NULL) {
        for (size_t i = 0; i < MAX_RULES && shape->rules[i].offset != 0; i++) {
            if (shape->rules[i].offset == offset) {
                return &shape->rules[i];
            }
        }
    }
    return NULL;
}

/* the walk */

/* Where the walk is: enough for a sentence. */
typedef struct field_place {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCFieldDescriptor *field;
} field_place;

static bool message_valid(ProtobufCMessage *message, const message_shape *shape, wn_error *error);

static bool out_of_range(const field_place *place, const field_rule *rule, const char *what, uint64_t value,
                         wn_error *error)
{
    const char *limit = rule->limit != NULL ? rule->limit : place->field->name;
    const bool above = value > rule->maximum;
    return wn_fail_with(error, above ? WARREN__ERROR_CODE__ERROR_LIMIT : WARREN__ERROR_CODE__ERROR_MALFORMED, limit,
                        above ? rule->maximum : rule->minimum,
                        "%s.%s %s %" PRIu64 "; it takes %" PRIu32 " to %" PRIu32 " (%s).", place->message->short_name,
                        place->field->name, what, value, rule->minimum, rule->maximum, limit);
}

static bool size_in_range(const field_place *place, const field_rule *rule, size_t size, wn_error *error)
{
    return (size >= rule->minimum && size <= rule->maximum) ||
           out_of_range(place, rule, "has a length in bytes of", size, error);
}

static bool string_valid(const field_place *place, const field_rule *rule, const char *text, wn_error *error)
{
    const char *wrong = NULL;
    const size_t size = wn_arena_piece_size(text) - 1;
    if (!size_in_range(place, rule, size, error)) {
        return false;
    }
    if (rule->kind == NAME) {
        if (strlen(text) == size && wn_name_valid(text)) {
            return true;
        }
        wrong = "begins with a letter or digit and goes on with letters, digits and . _ -";
    } else if (rule->kind == PLAYER) {
        if (strlen(text) == size && wn_player_valid(text)) {
            return true;
        }
        wrong = "is one line of UTF-8 without control characters and without a space at its begin and end";
    }
    if (wrong != NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_NAME, place->field->name, 0,
                            "%s.%s is not a name: a name %s.", place->message->short_name, place->field->name, wrong);
    }
    if (rule->kind == CONTENT ? strlen(text) == size : wn_text_check(text, size, rule->kind == LINES)) {
        return true;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, place->field->name, 0,
                        "%s.%s has a control character in it or is not UTF-8. Send plain text.",
                        place->message->short_name, place->field->name);
}

static bool code_valid(const field_place *place, const field_rule *rule, int *value, wn_error *error)
{
    if (protobuf_c_enum_descriptor_get_value(place->field->descriptor, *value) != NULL) {
        return true;
    }
    if (rule != NULL) {
        *value = (int)rule->maximum;
        return true;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, place->field->name, 0,
                        "%s.%s is %d, which protocol version %u does not know.", place->message->short_name,
                        place->field->name, *value, WN_PROTOCOL_MAX);
}

/* One value; `rule` may be NULL. */
static bool value_valid(const field_place *place, const field_rule *rule, void *value, wn_error *error)
{
    switch (place->field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return string_valid(place, rule == NULL ? &default_line : rule, *(char **)value, error);
    case PROTOBUF_C_TYPE_BYTES:
        return size_in_range(place, rule == NULL ? &default_key : rule, ((ProtobufCBinaryData *)value)->len, error);
    case PROTOBUF_C_TYPE_ENUM:
        return code_valid(place, rule, value, error);
    case PROTOBUF_C_TYPE_MESSAGE:
        return message_valid(*(ProtobufCMessage **)value, find_shape(place->field->descriptor), error);
    case PROTOBUF_C_TYPE_UINT32: {
        const uint32_t number = *(uint32_t *)value;
        return rule == NULL || (number >= rule->minimum && number <= rule->maximum) ||
               out_of_range(place, rule, "is", number, error);
    }
    default:
        return true;
    }
}

static bool list_valid(const field_place *place, const field_rule *rule, size_t count, void *elements, wn_error *error)
{
    if (count > rule->maximum) {
        return out_of_range(place, rule, "has a number of elements of", count, error);
    }
    if (place->field->type == PROTOBUF_C_TYPE_MESSAGE) {
        const message_shape *shape = rule->elements != NULL ? rule->elements : find_shape(place->field->descriptor);
        ProtobufCMessage **messages = elements;
        for (size_t i = 0; i < count; i++) {
            if (!message_valid(messages[i], shape, error)) {
                return false;
            }
        }
    } else if (place->field->type == PROTOBUF_C_TYPE_STRING) {
        char **texts = elements;
        for (size_t i = 0; i < count; i++) {
            if (!string_valid(place, &default_line, texts[i], error)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a field holds anything that could be wrong. */
static bool field_present(const ProtobufCFieldDescriptor *field, const void *value, const void *quantifier)
{
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        return *(const uint32_t *)quantifier == field->id;
    }
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        return *(const size_t *)quantifier > 0;
    }
    if (field->label == PROTOBUF_C_LABEL_REQUIRED) {
        return true;
    }
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE
               ? *(void *const *)value != NULL
               : *(const protobuf_c_boolean *)quantifier;
}

static bool field_valid(const field_place *place, char *base, const message_shape *shape, wn_error *error)
{
    const ProtobufCFieldDescriptor *field = place->field;
    void *value = base + field->offset;
    const void *quantifier = base + field->quantifier_offset;
    if (!field_present(field, value, quantifier)) {
        return true;
    }
    const field_rule *rule = find_rule(shape, field->offset);
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        return list_valid(place, rule == NULL ? &default_count : rule, *(const size_t *)quantifier, *(void **)value,
                          error);
    }
    return value_valid(place, rule, value, error);
}

static bool message_valid(ProtobufCMessage *message, const message_shape *shape, wn_error *error)
{
    const ProtobufCMessageDescriptor *descriptor = message->descriptor;
    if (shape != NULL && shape->body != 0 && *(const uint32_t *)((const char *)message + shape->body) == 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "body", 0,
                            "This %s has no body, or one that protocol version %u does not know.",
                            descriptor->short_name, WN_PROTOCOL_MAX);
    }
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        if (!field_valid(&(field_place){descriptor, &descriptor->fields[i]}, (char *)message, shape, error)) {
            return false;
        }
    }
    /* What this version does not know must not travel on when the message, or a part of it, is encoded again. */
    message->n_unknown_fields = 0;
    message->unknown_fields = NULL;
    return shape == NULL || shape->whole == NULL || shape->whole(message, error);
}

bool wn_message_check(ProtobufCMessage *message, wn_error *error)
{
    return message_valid(message, find_shape(message->descriptor), error);
}
