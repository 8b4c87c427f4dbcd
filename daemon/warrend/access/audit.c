/* audit.c: what administrators did. See audit.h.
 */
#include "access/audit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/accounts.h"

enum {
    LINE_BYTES = 4096,
    REFUSED_MS = 100,    /* at least, between two lines about what was refused: anybody may cause them */
    DONE_A_SECOND = 5,   /* of each player who is no administrator */
    LEFT_OUT_MS = 10000, /* between two lines about what was left out of a player's */
    REFUSED_BYTES = 300, /* of a line about what was refused, which is as long as the peer likes */
    MOST_MIB = 64,       /* then only what administrators do is added */
    FULL_S = 3600        /* between two lines in the log about that */
};

typedef struct line {
    char text[LINE_BYTES];
    size_t size;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(to->text + to->size, sizeof to->text - to->size, format, arguments);
    va_end(arguments);
    to->size += size > 0 ? (size_t)size : 0;
    to->size = to->size < sizeof to->text ? to->size : sizeof to->text - 1;
}

/* Names and reasons may have spaces: they stand in quotes then. Control characters cannot be in them. */
static void add_text(line *to, const char *text)
{
    const bool plain = text[0] != '\0' && strpbrk(text, " \"\\") == NULL;
    add(to, plain ? "%s" : "\"", text);
    for (; !plain && *text != '\0'; text++) {
        add(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    add(to, plain ? "" : "\"");
}

static void add_value(line *to, const ProtobufCFieldDescriptor *field, const void *value)
{
    const ProtobufCEnumValue *code = NULL;
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        add_text(to, *(char *const *)value);
        break;
    case PROTOBUF_C_TYPE_ENUM:
        code = protobuf_c_enum_descriptor_get_value(field->descriptor, *(const int *)value);
        add(to, "%s", code != NULL ? code->name : "?");
        break;
    case PROTOBUF_C_TYPE_UINT64:
        add(to, "%" PRIu64, *(const uint64_t *)value);
        break;
    default:
        add(to, "%u", *(const uint32_t *)value);
        break;
    }
}

static bool is_there(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    const char *at = (const char *)message;
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        return *(char *const *)(const void *)(at + field->offset) != NULL;
    }
    return field->label == PROTOBUF_C_LABEL_REQUIRED ||
           *(const protobuf_c_boolean *)(const void *)(at + field->quantifier_offset);
}

/* By their own names: "bots=3". */
static void add_settings(line *to, const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    const char *at = (const char *)message;
    const size_t count = *(const size_t *)(const void *)(at + field->quantifier_offset);
    Warren__SettingValue *const *values = *(Warren__SettingValue * *const *)(const void *)(at + field->offset);
    for (size_t i = 0; i < count; i++) {
        add(to, " %s=", values[i]->name);
        add_text(to, values[i]->value);
    }
}

static void add_fields(line *to, const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        if (field->label == PROTOBUF_C_LABEL_REPEATED && field->descriptor == &warren__setting_value__descriptor) {
            add_settings(to, message, field);
        } else if (field->label != PROTOBUF_C_LABEL_REPEATED && is_there(message, field)) {
            add(to, " %s=", field->name);
            add_value(to, field, (const char *)message + field->offset);
        }
    }
}

static void add_what(line *to, const Warren__Request *request)
{
    const ProtobufCFieldDescriptor *body =
        protobuf_c_message_descriptor_get_field(&warren__request__descriptor, request->body_case);
    add(to, "%s", body->name);
    add_fields(to, &request->hello->base); /* a union of pointers to messages */
}

/* Nobody is to push out what administrators did by filling it. */
static bool has_room(int file, const char *path, bool administrator)
{
    static wn_log_pace full;
    struct stat status;
    if (administrator || fstat(file, &status) != 0 || status.st_size < (off_t)MOST_MIB << 20) {
        return true;
    }
    if (wn_log_again(&full, FULL_S)) {
        wn_log_line(WN_LEVEL_WARNING, "audit",
                    "%s has %d MiB: only what administrators do is added until it is moved away (logrotate can)", path,
                    MOST_MIB);
    }
    return false;
}

static void append(const char *directory, const line *written, bool administrator)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/audit.log", directory);
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && !has_room(file, path, administrator)) {
        close(file);
        return;
    }
    if (file < 0 || write(file, written->text, written->size) != (ssize_t)written->size) {
        wn_log_line(WN_LEVEL_ERROR, "audit", "cannot write %s: %s", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
}

/* Returns how long it is. */
static size_t add_time(line *to)
{
    char when[32];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ ", gmtime_r(&now, &parts));
    add(to, "%s", when);
    return to->size;
}

/* Is it to be written? Else it is counted. */
static bool takes_line(const wn_context *at, bool done)
{
    wn_daemon *daemon = at->daemon;
    wn_account *account = at->peer->player;
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    bool takes = now - daemon->audit_refused_ms >= REFUSED_MS || daemon->audit_refused_ms == 0;
    if (done) {
        takes = at->peer->role == WN_ROLE_ADMIN || account == NULL ||
                wn_allowance_take(&account->audited, DONE_A_SECOND, now);
    } else if (takes) {
        daemon->audit_refused_ms = now;
    }
    if (!takes && account != NULL) {
        account->unaudited_ms = account->unaudited == 0 ? now : account->unaudited_ms;
        account->unaudited++;
    }
    return takes;
}

/* `stamp`: how much of it is the time, which the log has already. */
static void write_line(const wn_daemon *daemon, line *written, size_t stamp, bool administrator)
{
    wn_text_clean(written->text, sizeof written->text - 1, false); /* who reads it is not to be deceived */
    written->size = strlen(written->text);
    wn_log_quoted(WN_LEVEL_INFO, "audit", written->text + stamp);
    written->size = written->size < sizeof written->text - 1 ? written->size : sizeof written->text - 2;
    written->text[written->size++] = '\n';
    append(daemon->config->state_dir, written, administrator);
}

void wn_audit(const wn_context *at, const char *player, bool done)
{
    line written = {.size = 0};
    if (!takes_line(at, done)) {
        return;
    }
    const size_t stamp = add_time(&written);
    add(&written, "%s%s ", at->peer->identity[0] != '\0' ? at->peer->identity : "address:",
        at->peer->identity[0] != '\0' ? "" : at->peer->address);
    add_text(&written, player);
    add(&written, " %s ", done ? "done" : "refused");
    add_what(&written, at->request);
    if (!done && written.size > REFUSED_BYTES) {
        written.size = REFUSED_BYTES;
        add(&written, "...");
    }
    write_line(at->daemon, &written, stamp, at->peer->role == WN_ROLE_ADMIN);
}

void wn_audit_left_out(wn_daemon *daemon, bool all)
{
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    for (wn_account *account = zhashx_first(daemon->accounts); account != NULL;
         account = zhashx_next(daemon->accounts)) {
        if (account->unaudited > 0 && (all || now - account->unaudited_ms >= LEFT_OUT_MS)) {
            line written = {.size = 0};
            const size_t stamp = add_time(&written);
            add(&written, "%s left out %" PRIu32, account->name, account->unaudited);
            account->unaudited = 0;
            write_line(daemon, &written, stamp, false);
        }
        if (account->untold > 0 && (all || now - account->untold_ms >= LEFT_OUT_MS)) {
            wn_log_line(WN_LEVEL_INFO, "session", "%" PRIu32 " more sessions began account=%s", account->untold,
                        account->name);
            account->untold = 0;
        }
    }
}
