/* access.c: who may do what, and keys, from a shell. See access.h.
 */
#include "access.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "table.h"

/* By Role. */
static const char *const role_words[] = {"banned", "spectator", "player", "host", "admin"};
enum { ROLES = sizeof role_words / sizeof *role_words };

static const char *word_of(Warren__Role role)
{
    return (unsigned)role < ROLES ? role_words[role] : "?";
}

bool wn_ctl_duration(const char *text, uint32_t *seconds)
{
    static const struct {
        char unit;
        uint32_t seconds;
    } units[] = {{'\0', 1}, {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char *end = NULL;
    const unsigned long number = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (number == 0 || number > UINT32_MAX) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (*end == units[i].unit && (*end == '\0' || end[1] == '\0') && number <= UINT32_MAX / units[i].seconds) {
            *seconds = (uint32_t)number * units[i].seconds;
            return true;
        }
    }
    return false;
}

int wn_ctl_grant(wn_ctl *ctl, int count, char **arguments)
{
    const char *world = count > 2 ? arguments[2] : NULL;
    int role = 1;
    while (role < ROLES && strcmp(role_words[role], arguments[1]) != 0) {
        role++;
    }
    if (role == ROLES || (role == WARREN__ROLE__ROLE_HOST && world == NULL) ||
        (role == WARREN__ROLE__ROLE_ADMIN && world != NULL)) {
        fputs("warrenctl: A right is spectator, player or admin, or spectator, player or host and a world.\n", stderr);
        return WN_EXIT_USAGE;
    }
    return wn_ctl_done(ctl, wn_client_grant(ctl->session.client, arguments[0], (Warren__Role)role, world),
                       (const char *const[]){"granted", arguments[1], "who", arguments[0], "world", world, NULL});
}

int wn_ctl_revoke(wn_ctl *ctl, int count, char **arguments)
{
    const char *world = count > 1 ? arguments[1] : NULL;
    return wn_ctl_done(ctl, wn_client_revoke(ctl->session.client, arguments[0], world),
                       (const char *const[]){"revoked", arguments[0], "world", world, NULL});
}

/* What --for says; NULL: nothing. */
static const uint32_t *time_given(const wn_ctl_options *options)
{
    return (options->given & WN_CTL_FOR) != 0 ? &options->seconds : NULL;
}

int wn_ctl_ban(wn_ctl *ctl, int count, char **arguments)
{
    const wn_ctl_options *options = ctl->options;
    const char *world = count > 1 ? arguments[1] : NULL;
    return wn_ctl_done(ctl,
                       wn_client_ban(ctl->session.client, arguments[0], world, options->reason, time_given(options)),
                       (const char *const[]){"banned", arguments[0], "world", world, "reason", options->reason, NULL});
}

int wn_ctl_unban(wn_ctl *ctl, int count, char **arguments)
{
    const char *world = count > 1 ? arguments[1] : NULL;
    return wn_ctl_done(ctl, wn_client_unban(ctl->session.client, arguments[0], world),
                       (const char *const[]){"unbanned", arguments[0], "world", world, NULL});
}

int wn_ctl_kick(wn_ctl *ctl, int count, char **arguments)
{
    const wn_ctl_options *options = ctl->options;
    const char *world = count > 1 ? arguments[1] : NULL;
    return wn_ctl_done(
        ctl, wn_client_kick_player(ctl->session.client, arguments[0], world, options->reason, time_given(options)),
        (const char *const[]){"kicked", arguments[0], "world", world, "reason", options->reason, NULL});
}

int wn_ctl_release(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    return wn_ctl_done(ctl, wn_client_release_name(ctl->session.client, arguments[0]),
                       (const char *const[]){"released", arguments[0], NULL});
}

/* the list */

static void write_time(wn_table *table, bool there, int64_t when)
{
    const time_t seconds = (time_t)when;
    struct tm parts;
    char text[32] = "";
    if (there && gmtime_r(&seconds, &parts) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    }
    wn_table_text(table, text);
}

static void print_rules(const Warren__AccessList *list)
{
    static const wn_table_column columns[] = {{"MAY", false},         {"WHO", false}, {"WORLD", false},
                                              {"UNTIL (UTC)", false}, {"BY", false},  {"REASON", false}};
    wn_table table;
    if (list->n_rules == 0) {
        fputs("Nobody has been granted or forbidden anything.\n", stdout);
        return;
    }
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < list->n_rules; i++) {
        const Warren__AccessRule *rule = list->rules[i];
        wn_table_text(&table, word_of(rule->role));
        wn_table_text(&table, rule->who);
        wn_table_text(&table, rule->world);
        write_time(&table, rule->has_until, rule->until);
        wn_table_text(&table, rule->configured ? "warren.conf" : rule->author);
        wn_table_text(&table, rule->reason);
    }
    wn_table_print(&table, stdout, 0);
}

static void print_names(const Warren__AccessList *list)
{
    static const wn_table_column columns[] = {{"NAME", false}, {"BELONGS TO", false}};
    wn_table table;
    if (list->n_names == 0) {
        return;
    }
    fputc('\n', stdout);
    wn_table_start(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < list->n_names; i++) {
        wn_table_text(&table, list->names[i]->player);
        wn_table_text(&table, list->names[i]->who);
    }
    wn_table_print(&table, stdout, 0);
}

static void optional_time(wn_json *json, const char *key, bool there, int64_t when)
{
    if (there) {
        wn_json_int(json, key, when);
    } else {
        wn_json_null(json, key);
    }
}

static void rule_as_json(wn_json *json, const Warren__AccessRule *rule)
{
    wn_json_object(json, NULL);
    wn_json_string(json, "may", word_of(rule->role));
    wn_json_string(json, "who", rule->who);
    wn_json_string(json, "world", rule->world);
    wn_json_string(json, "reason", rule->reason);
    wn_json_string(json, "by", rule->author);
    optional_time(json, "since", rule->has_since, rule->since);
    optional_time(json, "until", rule->has_until, rule->until);
    wn_json_bool(json, "configured", rule->configured);
    wn_json_end(json);
}

static void list_as_json(const Warren__AccessList *list)
{
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_array(&json, "rules");
    for (size_t i = 0; i < list->n_rules; i++) {
        rule_as_json(&json, list->rules[i]);
    }
    wn_json_end(&json);
    wn_json_object(&json, "names");
    for (size_t i = 0; i < list->n_names; i++) {
        wn_json_string(&json, list->names[i]->player, list->names[i]->who);
    }
    wn_json_end(&json);
    wn_json_uint(&json, "left_out", list->left_out);
    wn_json_end(&json);
}

int wn_ctl_access(wn_ctl *ctl, int count, char **arguments)
{
    const char *world = count > 0 ? arguments[0] : NULL;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_list_access(ctl->session.client, world), WARREN__REPLY__BODY_ACCESS);
    if (reply != NULL && ctl->options->json) {
        list_as_json(reply->access);
    } else if (reply != NULL) {
        print_rules(reply->access);
        print_names(reply->access);
    }
    if (reply != NULL && reply->access->left_out > 0) {
        fprintf(stderr, "warrenctl: %" PRIu32 " more were left out: the list is longer than an answer may be.%s\n",
                reply->access->left_out, world == NULL ? " Those of one world: warrenctl access WORLD" : "");
    }
    return ctl->session.status;
}

/* keys */

static bool has_port(const char *host)
{
    const char *colon = strrchr(host, ':');
    return colon != NULL && (host[0] != '[' || colon[-1] == ']');
}

/* The port that stands behind `host`: none if it names one, or if it is the one that is taken anyway. */
static void name_port(char port[static 8], const char *host, const Warren__Introduction *introduction)
{
    port[0] = '\0';
    if (has_port(host)) {
        return;
    }
    if (!introduction->has_port) {
        fputs("warrenctl: Other machines do not reach this server with a key: give it addresses for them "
              "(network.control and network.updates, see warren.conf(5)).\n",
              stderr);
    } else if (introduction->port != WN_CONTROL_PORT) {
        snprintf(port, 8, ":%" PRIu32, introduction->port);
    }
}

/* An address to pass on: with it nobody has to believe whoever answers the first time. */
int wn_ctl_invite(wn_ctl *ctl, int count, char **arguments)
{
    char text[512], hex[WN_CURVE_HEX], port[8];
    wn_address address;
    wn_error error;
    const Warren__Reply *reply =
        wn_session_answer(&ctl->session, wn_client_introduce(ctl->session.client), WARREN__REPLY__BODY_INTRODUCTION);
    if (reply == NULL) {
        return ctl->session.status;
    }
    wn_curve_hex(hex, reply->introduction->curve_key.data);
    name_port(port, arguments[0], reply->introduction);
    snprintf(text, sizeof text, "warren://%.250s%s/%.100s?key=%s", arguments[0], port, count > 1 ? arguments[1] : "",
             hex);
    if (!wn_address_parse(&address, text, &error)) {
        fprintf(stderr, "warrenctl: %s\n", error.text);
        return WN_EXIT_USAGE;
    }
    if (!ctl->options->json) {
        puts(text);
        return WN_EXIT_DONE;
    }
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_string(&json, "address", text);
    wn_json_string(&json, "key", hex);
    wn_json_end(&json);
    return WN_EXIT_DONE;
}

int wn_ctl_key(wn_ctl *ctl, int count, char **arguments)
{
    (void)count, (void)arguments;
    char hex[WN_CURVE_HEX], path[PATH_MAX];
    wn_error error;
    if (!wn_client_own_key(hex, path, sizeof path, &error)) {
        fprintf(stderr, "warrenctl: %s\n", error.text);
        return WN_EXIT_REFUSED;
    }
    if (!ctl->options->json) {
        printf("%s\n%s\n", hex, path);
        return WN_EXIT_DONE;
    }
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_string(&json, "key", hex);
    wn_json_string(&json, "file", path);
    wn_json_end(&json);
    return WN_EXIT_DONE;
}
