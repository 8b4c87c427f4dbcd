/* operation.c: what an operator asks and tells a server. See operation.h; `top` is in top.c. */
#include "operation.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "show.h"
#include "table.h"

/* sessions */

static const char *role_of(const Warren__SessionInfo *session)
{
    static const char *const words[] = {"none", "spectator", "player", "host", "admin"};
    const size_t role = (size_t)session->role;
    return session->has_role && role < sizeof words / sizeof *words ? words[role] : NULL;
}

static void sessions_as_json(const Warren__SessionList *list)
{
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_array(&json, NULL);
    for (size_t i = 0; i < list->n_sessions; i++) {
        const Warren__SessionInfo *session = list->sessions[i];
        wn_json_object(&json, NULL);
        wn_json_string(&json, "player", session->player);
        wn_json_string(&json, "identity", session->identity);
        wn_json_string(&json, "address", session->address);
        wn_json_bool(&json, "connected", session->connected);
        wn_json_string(&json, "may", role_of(session));
        wn_json_uint(&json, "seats", session->seats);
        wn_json_uint(&json, "watches", session->watches);
        wn_json_uint(&json, "silent_ms", session->silent_ms);
        wn_json_end(&json);
    }
    wn_json_end(&json);
}

static void sessions_as_table(const Warren__SessionList *list)
{
    static const wn_table_column columns[] = {{"PLAYER", false}, {"STATE", false},   {"MAY", false},
                                              {"SEATS", true},   {"WATCHES", true},  {"SILENT", true},
                                              {"FROM", false},   {"IDENTITY", false}};
    wn_table table;
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < list->n_sessions; i++) {
        const Warren__SessionInfo *session = list->sessions[i];
        wn_table_text(&table, session->player);
        wn_table_text(&table, session->connected ? "connected" : "away");
        wn_table_text(&table, role_of(session));
        wn_table_format(&table, "%" PRIu32, session->seats);
        wn_table_format(&table, "%" PRIu32, session->watches);
        wn_table_format(&table, "%" PRIu64 " s", session->silent_ms / 1000);
        wn_table_text(&table, session->address != NULL ? session->address : session->connected ? "this machine" : "");
        wn_table_text(&table, session->identity);
    }
    wn_table_print(&table, stdout, 0);
}

int wn_ctl_sessions(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_list_sessions(ctl->session.client), WARREN__REPLY__BODY_SESSIONS);
    if (reply != NULL && ctl->options->json) {
        sessions_as_json(reply->sessions);
    } else if (reply != NULL) {
        sessions_as_table(reply->sessions);
    }
    return ctl->session.status;
}

/* hosts */

int wn_ctl_hosts(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_status(ctl->session.client), WARREN__REPLY__BODY_STATUS);
    if (reply != NULL && ctl->options->json) {
        wn_json json;
        wn_json_start(&json, stdout);
        wn_show_hosts_json(&json, NULL, reply->status);
    } else if (reply != NULL) {
        wn_show_hosts(stdout, reply->status);
    }
    return ctl->session.status;
}

/* what is done to worlds and to the daemon */

int wn_ctl_park(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    return wn_ctl_done(ctl, wn_client_park(ctl->session.client, arguments[0]),
                       (const char *const[]){"parked", arguments[0], NULL});
}

int wn_ctl_unpark(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    return wn_ctl_done(ctl, wn_client_unpark(ctl->session.client, arguments[0]),
                       (const char *const[]){"unparked", arguments[0], NULL});
}

int wn_ctl_snapshot(wn_ctl *ctl, int count, char **arguments)
{
    const bool all = (ctl->options->given & WN_CTL_ALL) != 0;
    if (all == (count == 1)) {
        fputs("warrenctl: snapshot takes the name of a world, or --all.\n", stderr);
        return WN_EXIT_USAGE;
    }
    const char *world = all ? NULL : arguments[0];
    const uint32_t asked = wn_client_save(ctl->session.client, world);
    if (wn_session_answer(&ctl->session, asked, WARREN__REPLY__BODY_DONE) != NULL && ctl->options->json) {
        wn_json json;
        wn_json_start(&json, stdout);
        wn_json_object(&json, NULL);
        wn_json_string(&json, "saved", world);
        wn_json_bool(&json, "all", all);
        wn_json_end(&json);
    }
    return ctl->session.status;
}

int wn_ctl_reload(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const uint32_t asked = wn_client_reload(ctl->session.client);
    if (wn_session_answer(&ctl->session, asked, WARREN__REPLY__BODY_DONE) != NULL && ctl->options->json) {
        wn_json json;
        wn_json_start(&json, stdout);
        wn_json_object(&json, NULL);
        wn_json_bool(&json, "reloaded", true);
        wn_json_end(&json);
    }
    return ctl->session.status;
}

/* As `status` has it: who drains or stops lets nobody new in. */
static int end_is(wn_ctl *ctl, uint32_t request, bool draining, bool stopping)
{
    if (wn_session_answer(&ctl->session, request, WARREN__REPLY__BODY_DONE) != NULL && ctl->options->json) {
        wn_json json;
        wn_json_start(&json, stdout);
        wn_json_object(&json, NULL);
        wn_json_bool(&json, "draining", draining);
        wn_json_bool(&json, "stopping", stopping);
        wn_json_end(&json);
    }
    return ctl->session.status;
}

int wn_ctl_drain(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    const bool undo = (ctl->options->given & WN_CTL_UNDO) != 0;
    if ((ctl->options->given & WN_CTL_NOW) != 0) {
        if (undo) {
            fputs("warrenctl: drain takes --now or --undo, not both.\n", stderr);
            return WN_EXIT_USAGE;
        }
        return wn_ctl_stop(ctl, 0, NULL);
    }
    const uint32_t request =
        wn_client_drain(ctl->session.client, undo ? WARREN__DRAIN_HOW__DRAIN_UNDO : WARREN__DRAIN_HOW__DRAIN_BEGIN);
    return end_is(ctl, request, !undo, false);
}

int wn_ctl_log_level(wn_ctl *ctl, int count, char **arguments)
{
    static const char *const levels[] = {
        [WARREN__LOG_LEVEL__LOG_ERROR] = "error",
        [WARREN__LOG_LEVEL__LOG_WARNING] = "warning",
        [WARREN__LOG_LEVEL__LOG_INFO] = "info",
        [WARREN__LOG_LEVEL__LOG_DEBUG] = "debug",
    };
    (void)count;
    size_t level = 0;
    while (level < sizeof levels / sizeof *levels && strcmp(levels[level], arguments[0]) != 0) {
        level++;
    }
    if (level == sizeof levels / sizeof *levels) {
        fprintf(stderr, "warrenctl: log-level %s: it takes error, warning, info or debug.\n", arguments[0]);
        return WN_EXIT_USAGE;
    }
    return wn_ctl_done(ctl, wn_client_log_level(ctl->session.client, (Warren__LogLevel)level),
                       (const char *const[]){"log_level", levels[level], NULL});
}

int wn_ctl_stop(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    return end_is(ctl, wn_client_stop(ctl->session.client), true, true);
}
