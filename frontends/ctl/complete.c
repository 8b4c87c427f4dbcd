/* complete.c: what may come next on a command line. See complete.h. The arguments that a command takes stand in the
 * table as help shows them, and that is read here: WORLD is one of the server's worlds, a|b|c is one of these words. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

#include "complete-offers.h"

enum { SHORT_OPTIONS = 4 };

/* A command line, taken apart. */
typedef struct line {
    const wn_ctl_option *options;
    size_t option_count;
    wn_offers at;                  /* the word that is being typed */
    const wn_ctl_command *command; /* NULL: none was typed yet */
    const wn_ctl_option *pending;  /* the option whose value is being typed; NULL */
    unsigned given;                /* options of certain commands, as bits */
    unsigned unknown;              /* a command was typed that there is not */
} line;

/* No word of a command line: shells offer files. */
static void offer_files(void)
{
    puts("/");
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
        at->at.server = strcmp(at->pending->name, "server") == 0 ? word : at->at.server;
        at->pending = NULL;
    } else if (strncmp(word, "--server=", 9) == 0) {
        at->at.server = word + 9;
    } else if (word[0] == '-') {
        const wn_ctl_option *option = find_option(at, word);
        at->pending = option != NULL && option->has_value ? option : NULL;
        at->given |= option != NULL ? option->bit : 0;
    } else if (at->command == NULL && !at->unknown) {
        at->command = wn_ctl_find(word);
        at->unknown = at->command == NULL;
    } else {
        at->at.words[at->at.word_count++] = word;
    }
}

/* what fits here */

static bool is_file(const char *word, size_t length)
{
    return (length == 4 && strncmp(word, "FILE", length) == 0) || (length == 3 && strncmp(word, "DIR", length) == 0);
}

/* One argument as help shows it, without brackets: "WORLD|--all", "spectator|player|admin". */
static void offer_argument(const line *at, const char *text, size_t length)
{
    while (length > 0) {
        const char *bar = memchr(text, '|', length);
        const size_t part = bar != NULL ? (size_t)(bar - text) : length;
        const bool literal = (text[0] >= 'a' && text[0] <= 'z') || text[0] == '-';
        if (literal) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)part, text);
            wn_offer(&at->at, word);
        } else if (is_file(text, part)) {
            offer_files();
        } else {
            wn_offer_known(&at->at, text, part);
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
    const int argument = at->at.word_count + ((at->given & WN_CTL_ALL) != 0 ? 1 : 0); /* --all is in place of a WORLD */
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
            if (number == argument || (number < argument && again)) {
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
            wn_offer(&at->at, word);
        }
    }
}

/* Of most options only whoever types knows the value. `before` is what stands before it in the same word. */
static void offer_option_value(const line *at, const char *option, const char *before)
{
    char word[80];
    if (strcmp(option, "server") == 0 || strcmp(option, "mode-path") == 0) {
        offer_files();
    } else if (strcmp(option, "speed") == 0) {
        snprintf(word, sizeof word, "%smax", before);
        wn_offer(&at->at, word);
    }
}

/* "--speed=m" */
static void offer_in_option(const line *at)
{
    char name[64], before[64];
    const size_t length = strcspn(at->at.last, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, at->at.last);
    snprintf(before, sizeof before, "%.*s=", (int)length, at->at.last);
    const wn_ctl_option *option = find_option(at, name);
    if (option != NULL && option->has_value) {
        offer_option_value(at, option->name, before);
    }
}

static void offer_command(void *context, const wn_ctl_command *command)
{
    wn_offer(context, command->name);
}

void wn_ctl_complete(const wn_ctl_option *options, size_t option_count, int count, char **words)
{
    line at = {.options = options, .option_count = option_count};
    at.at.last = count > 0 ? words[count - 1] : "";
    at.at.words = wn_ctl_allocate((size_t)count, sizeof *words);
    for (int i = 0; i + 1 < count; i++) {
        take_word(&at, words[i]);
    }
    at.at.command = at.command != NULL ? at.command->name : "";
    if (at.pending != NULL) {
        offer_option_value(&at, at.pending->name, "");
    } else if (at.unknown) {
        /* whatever it is, it is none of ours */
    } else if (at.at.last[0] == '-') {
        if (strchr(at.at.last, '=') != NULL) {
            offer_in_option(&at);
        } else {
            offer_options(&at);
        }
    } else if (at.command != NULL) {
        offer_arguments(&at);
    } else {
        wn_ctl_each(offer_command, &at.at);
        wn_offer(&at.at, "help");
    }
    free(at.at.words);
}
