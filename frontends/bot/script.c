/* script.c: parses and steps through what a bot is told to do. It knows a mode's legend, but no connection. */
#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const directions[] = {"north",      "north-east", "east",       "south-east", "south",
                                         "south-west", "west",       "north-west", "here"};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

#define ARGUMENTS "a direction (north, north-east, ... north-west, here), a number or a place X,Y"

/* A line being parsed: `at` moves from word to word. */
typedef struct line {
    const wn_script *script;
    uint32_t number;
    char *at;
} line;

/* The next word, ended in place, or NULL. */
static char *next_word(line *read)
{
    char *word = read->at + strspn(read->at, " \t\r\n");
    if (*word == '\0' || *word == '#') {
        return NULL;
    }
    char *end = word + strcspn(word, " \t\r\n");
    read->at = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

static bool expect(const line *read, wn_error *error, const char *what, const char *found)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, NULL, 0, "%s:%u: expected %s, found %s%s%s.",
                        read->script->name, read->number, what, found != NULL ? "\"" : "",
                        found != NULL ? found : "the end of the line", found != NULL ? "\"" : "");
}

static bool parse_number(const char *text, uint32_t *number, const char **rest)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || value > WN_SCRIPT_NUMBER) {
        return false;
    }
    *number = (uint32_t)value;
    *rest = end;
    return true;
}

static bool parse_count(line *read, wn_script_step *step, const char *what, wn_error *error)
{
    const char *word = next_word(read);
    const char *rest = "";
    if (word == NULL || !parse_number(word, &step->number, &rest) || *rest != '\0') {
        return expect(read, error, what, word);
    }
    return true;
}

static bool parse_argument(const char *word, wn_script_step *step)
{
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (strcmp(word, directions[i]) == 0) {
            step->given = WN_GIVEN_DIRECTION;
            step->number = i;
            return true;
        }
    }
    const char *rest = NULL;
    if (!parse_number(word, &step->number, &rest)) {
        return false;
    }
    if (*rest == '\0') {
        step->given = WN_GIVEN_NUMBER;
        return true;
    }
    step->given = WN_GIVEN_PLACE;
    step->x = step->number;
    return *rest == ',' && parse_number(rest + 1, &step->y, &rest) && *rest == '\0';
}

/* one function per word */

static bool parse_act(line *read, const char *name, wn_script_step *step, wn_error *error)
{
    if (name == NULL || strlen(name) > WN_NAME_BYTES) {
        return expect(read, error, "the name of an action", name);
    }
    step->kind = WN_STEP_ACT;
    memcpy(step->word, name, strlen(name) + 1);
    const char *argument = next_word(read);
    if (argument != NULL && !parse_argument(argument, step)) {
        return expect(read, error, ARGUMENTS, argument);
    }
    return true;
}

static bool parse_do(line *read, wn_script_step *step, wn_error *error)
{
    return parse_act(read, next_word(read), step, error);
}

static bool parse_pause(line *read, wn_script_step *step, wn_error *error)
{
    step->kind = WN_STEP_PAUSE;
    return parse_count(read, step, "a number of milliseconds", error);
}

static bool parse_say(line *read, wn_script_step *step, wn_error *error)
{
    step->kind = WN_STEP_SAY;
    char *text = read->at + strspn(read->at, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    if (!wn_text_valid(text, WN_CHAT_BYTES, false) || length == 0) {
        return expect(read, error, "a text of 1 to 256 bytes of UTF-8", length == 0 ? NULL : text);
    }
    memcpy(step->text, text, length + 1);
    read->at = text + length;
    return true;
}

static bool parse_repeat(line *read, wn_script_step *step, wn_error *error)
{
    step->kind = WN_STEP_REPEAT;
    return parse_count(read, step, "how many times", error);
}

static bool parse_end(line *read, wn_script_step *step, wn_error *error)
{
    (void)read, (void)error;
    step->kind = WN_STEP_END;
    return true;
}

static const struct {
    const char *word;
    bool (*parse)(line *read, wn_script_step *step, wn_error *error);
} words[] = {
    {"do", parse_do}, {"pause", parse_pause}, {"say", parse_say}, {"repeat", parse_repeat}, {"end", parse_end},
};

static bool parse_line(line *read, wn_script_step *step, wn_error *error)
{
    const char *word = next_word(read);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) == 0) {
            return words[i].parse(read, step, error);
        }
    }
    return parse_act(read, word, step, error);
}

/* the whole file */

/* The open repeats, innermost last. */
typedef struct nesting {
    uint32_t open[WN_SCRIPT_DEPTH];
    uint32_t depth;
} nesting;

static bool nest(nesting *repeats, line *read, uint32_t index, wn_script_step *step, wn_error *error)
{
    if (step->kind == WN_STEP_REPEAT) {
        if (repeats->depth == WN_SCRIPT_DEPTH) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, WN_SCRIPT_DEPTH,
                                "%s:%u: repeats may be nested %d deep, not deeper.", read->script->name, read->number,
                                WN_SCRIPT_DEPTH);
        }
        repeats->open[repeats->depth++] = index;
    } else if (step->kind == WN_STEP_END) {
        if (repeats->depth == 0) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, NULL, 0,
                                "%s:%u: this end has no repeat before it.", read->script->name, read->number);
        }
        step->number = repeats->open[--repeats->depth];
    }
    return true;
}

static bool add_step(wn_script *script, const wn_script_step *step, wn_error *error)
{
    if (script->step_count == WN_SCRIPT_STEPS) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, WN_SCRIPT_STEPS,
                            "%s:%u: a script may have %d steps; use repeat.", script->name, step->line,
                            WN_SCRIPT_STEPS);
    }
    if (script->step_count == script->capacity) {
        const uint32_t capacity = script->capacity == 0 ? 64 : script->capacity * 2;
        wn_script_step *steps = realloc(script->steps, capacity * sizeof *steps);
        if (steps == NULL) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "%s: no memory left.",
                                script->name);
        }
        script->steps = steps;
        script->capacity = capacity;
    }
    script->steps[script->step_count++] = *step;
    return true;
}

static bool take_line(wn_script *script, nesting *repeats, line *read, wn_error *error)
{
    const char *start = read->at + strspn(read->at, " \t\r\n");
    if (*start == '\0' || *start == '#') {
        return true;
    }
    wn_script_step step = {.line = read->number};
    if (!parse_line(read, &step, error)) {
        return false;
    }
    const char *extra = next_word(read);
    if (extra != NULL) {
        return expect(read, error, "the end of the line", extra);
    }
    return nest(repeats, read, script->step_count, &step, error) && add_step(script, &step, error);
}

bool wn_script_read(wn_script *script, const char *name, FILE *from, wn_error *error)
{
    *script = (wn_script){.name = name};
    nesting repeats = {0};
    char text[WN_SCRIPT_LINE + 2];
    uint32_t number = 0;
    while (fgets(text, sizeof text, from) != NULL) {
        number++;
        if (strlen(text) > WN_SCRIPT_LINE && text[WN_SCRIPT_LINE] != '\n') {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, WN_SCRIPT_LINE,
                                "%s:%u: a line may have %d bytes.", name, number, WN_SCRIPT_LINE);
        }
        if (!take_line(script, &repeats, &(line){.script = script, .number = number, .at = text}, error)) {
            return false;
        }
    }
    if (ferror(from)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "%s: reading failed: %s.", name,
                            strerror(errno));
    }
    if (repeats.depth > 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, NULL, 0, "%s:%u: this repeat has no end.", name,
                            script->steps[repeats.open[repeats.depth - 1]].line);
    }
    return true;
}

/* meeting the legend */

static const Warren__Action *find_action(const Warren__Mode *mode, const char *name)
{
    for (size_t i = 0; i < mode->n_actions; i++) {
        if (strcmp(mode->actions[i]->name, name) == 0) {
            return mode->actions[i];
        }
    }
    return NULL;
}

static bool argument_fits(const Warren__Action *action, const wn_script_step *step)
{
    switch (action->argument) {
    case WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION:
        return step->given == WN_GIVEN_DIRECTION || (step->given == WN_GIVEN_NUMBER && step->number < DIRECTIONS);
    case WARREN__ARGUMENT_KIND__ARGUMENT_POSITION:
        return step->given == WN_GIVEN_PLACE || step->given == WN_GIVEN_NUMBER;
    default:
        return step->given == WN_GIVEN_NOTHING;
    }
}

static bool resolve_step(const wn_script *script, wn_script_step *step, const Warren__Mode *mode, wn_error *error)
{
    static const char *const wanted[] = {"no argument", "a direction (north, north-east, ... north-west, here)",
                                         "a place (X,Y) or a cell number"};
    const Warren__Action *action = find_action(mode, step->word);
    if (action == NULL) {
        char names[256] = "";
        size_t used = 0;
        for (size_t i = 0; i < mode->n_actions && used < sizeof names; i++) {
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", mode->actions[i]->name);
        }
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_ACTION, NULL, 0,
                            "%s:%u: %s has no action \"%s\"; it has:%s.", script->name, step->line, mode->name,
                            step->word, names);
    }
    if (!argument_fits(action, step)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_ACTION, NULL, 0, "%s:%u: the action %s takes %s.",
                            script->name, step->line, step->word, wanted[action->argument]);
    }
    step->action = action->id;
    return true;
}

bool wn_script_resolve(wn_script *script, const Warren__Mode *mode, wn_error *error)
{
    for (uint32_t i = 0; i < script->step_count && !script->resolved; i++) {
        if (script->steps[i].kind == WN_STEP_ACT && !resolve_step(script, &script->steps[i], mode, error)) {
            return false;
        }
    }
    script->resolved = true;
    return true;
}

void wn_script_free(wn_script *script)
{
    free(script->steps);
    *script = (wn_script){0};
}

/* stepping */

/* Jumps over a repeat that is to be done 0 times. */
static uint32_t past_end(const wn_script *script, uint32_t repeat)
{
    uint32_t at = repeat + 1;
    while (script->steps[at].kind != WN_STEP_END || script->steps[at].number != repeat) {
        at++;
    }
    return at + 1;
}

const wn_script_step *wn_script_next(const wn_script *script, wn_cursor *cursor)
{
    while (cursor->at < script->step_count) {
        const wn_script_step *step = &script->steps[cursor->at];
        if (step->kind == WN_STEP_REPEAT && step->number == 0) {
            cursor->at = past_end(script, cursor->at);
        } else if (step->kind == WN_STEP_REPEAT) {
            cursor->left[cursor->depth++] = step->number - 1;
            cursor->at++;
        } else if (step->kind == WN_STEP_END && cursor->left[cursor->depth - 1] > 0) {
            cursor->left[cursor->depth - 1]--;
            cursor->at = step->number + 1;
        } else if (step->kind == WN_STEP_END) {
            cursor->depth--;
            cursor->at++;
        } else {
            cursor->at++;
            return step;
        }
    }
    return NULL;
}
