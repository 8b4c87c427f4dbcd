/* complete.c: what may come next on a command line. See complete.h. The arguments that a command takes stand in the
 * table as help shows them, and that is read here: WORLD is one of the server's worlds, a|b|c is one of these words. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_MS = 1000, SHORT_OPTIONS = 4 };

/* A command line, taken apart. `last` is the word that is being typed. */
typedef struct line {
    const wn_ctl_option *options;
    size_t option_count;
    const char *server, *last;
    const wn_ctl_command *command; /* NULL: none was typed yet */
    const wn_ctl_option *pending;  /* the option whose value is being typed; NULL */
    int argument;                  /* which of the command's arguments is being typed, from 0 */
    unsigned unknown;              /* a command was typed that there is not */
} line;

static void offer(const line *at, const char *word)
{
    if (strncmp(word, at->last, strlen(at->last)) == 0) {
        puts(word);
    }
}

/* the words that came before */

static const wn_ctl_option *find_option(const line *at, const char *word)
{
    static const struct {
        const char *letter, *name;
    } shorts[SHORT_OPTIONS] = {{"-s", "server"}, {"-p", "player"}, {"-j", "json"}, {"-t", "timeout"}};
    const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : "";
    for (size_t i = 0; i < SHORT_OPTIONS; i++) {
        name = strcmp(shorts[i].letter, word) == 0 ? shorts[i].name : name;
    }
    for (size_t i = 0; i < at->option_count; i++) {
        if (strcmp(at->options[i].name, name) == 0) {
            return &at->options[i];
        }
    }
    return NULL; /* or with its value behind a "=" */
}

static void take_word(line *at, char *word)
{
    if (at->pending != NULL) {
        at->server = strcmp(at->pending->name, "server") == 0 ? word : at->server;
        at->pending = NULL;
    } else if (strncmp(word, "--server=", 9) == 0) {
        at->server = word + 9;
    } else if (word[0] == '-') {
        const wn_ctl_option *option = find_option(at, word);
        at->pending = option != NULL && option->has_value ? option : NULL;
    } else if (at->command == NULL && !at->unknown) {
        at->command = wn_ctl_find(word);
        at->unknown = at->command == NULL;
    } else {
        at->argument++;
    }
}

/* what the server has */

static void offer_worlds(const line *at, wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_worlds(session->client), WARREN__REPLY__BODY_WORLDS);
    for (size_t i = 0; reply != NULL && i < reply->worlds->n_worlds; i++) {
        offer(at, reply->worlds->worlds[i]->name);
    }
}

static void offer_players(const line *at, wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_players(session->client, NULL), WARREN__REPLY__BODY_PLAYERS);
    for (size_t i = 0; reply != NULL && i < reply->players->n_players; i++) {
        offer(at, reply->players->players[i]->player);
    }
    for (size_t i = 0; reply != NULL && i < reply->players->n_watchers; i++) {
        offer(at, reply->players->watchers[i]->player);
    }
}

static void offer_modes(const line *at, wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_modes(session->client), WARREN__REPLY__BODY_MODES);
    for (size_t i = 0; reply != NULL && i < reply->modes->n_modes; i++) {
        offer(at, reply->modes->modes[i]->name);
    }
}

/* true: the word of the help stands for something that the server has. */
static bool offer_known(const line *at, const char *word, size_t length)
{
    static const struct {
        const char *word;
        void (*offer)(const line *at, wn_session *session);
    } known[] = {{"WORLD", offer_worlds}, {"PLAYER", offer_players}, {"WHO", offer_players}, {"MODE", offer_modes}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].word) == length && strncmp(known[i].word, word, length) == 0) {
            wn_session session;
            if (wn_session_open(&session, at->server, NULL, TIMEOUT_MS)) {
                known[i].offer(at, &session);
            }
            wn_session_close(&session);
            return true;
        }
    }
    return false;
}

/* what fits here */

/* One argument as help shows it, without brackets: "WORLD|--all", "spectator|player|admin". */
static void offer_argument(const line *at, const char *text, size_t length)
{
    while (length > 0) {
        const char *bar = memchr(text, '|', length);
        const size_t part = bar != NULL ? (size_t)(bar - text) : length;
        const bool literal = text[0] >= 'a' && text[0] <= 'z';
        if (literal) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)part, text);
            offer(at, word);
        } else {
            offer_known(at, text, part);
        }
        length -= bar != NULL ? part + 1 : part;
        text += bar != NULL ? part + 1 : part;
    }
}

/* The arguments of a command are separated by spaces; options among them are passed over, with their values. What ends
 * in "..." may come again and again. Behind ", or" is another way to give all of them. */
static void offer_arguments(const line *at)
{
    int number = 0;
    const char *next = at->command->arguments;
    while (*next != '\0') {
        next += strspn(next, " [],");
        const size_t length = strcspn(next, " ],");
        const bool is_option = strncmp(next, "--", 2) == 0;
        const bool again = length >= 3 && strncmp(next + length - 3, "...", 3) == 0;
        if (length == 2 && strncmp(next, "or", 2) == 0) {
            number = 0;
        } else if (is_option) {
            next += next[length] == ' ' ? length + 1 + strcspn(next + length + 1, " ]") : length;
            continue;
        } else {
            if (number == at->argument || (number < at->argument && again)) {
                offer_argument(at, next, again ? length - 3 : length);
            }
            number++;
        }
        next += length;
    }
}

static void offer_options(const line *at)
{
    const unsigned takes = at->command != NULL ? at->command->takes : 0;
    for (size_t i = 0; i < at->option_count; i++) {
        char word[64];
        if (at->options[i].bit == 0 || (at->options[i].bit & takes) != 0) {
            snprintf(word, sizeof word, "--%s", at->options[i].name);
            offer(at, word);
        }
    }
}

static void offer_command(void *context, const wn_ctl_command *command)
{
    offer(context, command->name);
}

void wn_ctl_complete(const wn_ctl_option *options, size_t option_count, int count, char **words)
{
    line at = {.options = options, .option_count = option_count, .last = count > 0 ? words[count - 1] : ""};
    for (int i = 0; i + 1 < count; i++) {
        take_word(&at, words[i]);
    }
    if (at.pending != NULL || at.unknown) {
        return;
    }
    if (at.last[0] == '-') {
        offer_options(&at);
    } else if (at.command != NULL) {
        offer_arguments(&at);
    } else {
        wn_ctl_each(offer_command, &at);
        offer(&at, "help");
    }
}
