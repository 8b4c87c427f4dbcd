/* settings.c: short games: with each setting at its limits, with little memory, and one like the other to see what they
 * leave behind.
 */
#include "game.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { BY_CHANCE = 12, SHORT_TURNS = 12, SCARCE_STEPS = 24, LEAK_GAMES = 10, LEAK_TURNS = 40 };

/* a setting's values */

/* How many values of a setting are tried. */
static uint32_t value_count(const wn_setting *setting)
{
    uint32_t counted = 0;
    switch (setting->type) {
    case WN_SETTING_CHOICE:
        while (setting->choices[counted]) {
            counted++;
        }
        return counted;
    case WN_SETTING_FILE:
        return 3; /* the default, and two that are nonsense */
    default:
        return 2; /* no and yes, or the limits */
    }
}

static int64_t number_by_chance(uint64_t *chance, int64_t least, int64_t most)
{
    const uint64_t range = (uint64_t)most - (uint64_t)least;
    return (int64_t)((uint64_t)least + (range == UINT64_MAX ? chance_bits(chance) : chance_bits(chance) % (range + 1)));
}

static void print_text(char *text, size_t room, int64_t size)
{
    size_t used = 0;
    for (int64_t i = 0; i < size && used + 1 < room; i++) {
        text[used++] = (char)('a' + i % 26);
    }
    text[used] = '\0';
}

/* One of its values as text. */
static void print_value(const wn_setting *setting, uint32_t which, char *text, size_t room)
{
    switch (setting->type) {
    case WN_SETTING_INTEGER:
        snprintf(text, room, "%" PRId64, which == 0 ? setting->minimum : setting->maximum);
        break;
    case WN_SETTING_BOOLEAN:
        snprintf(text, room, "%s", which == 0 ? "no" : "yes");
        break;
    case WN_SETTING_CHOICE:
        snprintf(text, room, "%s", setting->choices[which]);
        break;
    case WN_SETTING_TEXT:
        print_text(text, room, which == 0 ? setting->minimum : setting->maximum);
        break;
    case WN_SETTING_FILE:
        if (which == 0) {
            snprintf(text, room, "%s", setting->standard);
        } else {
            snprintf(text, room, "@random:%u", which);
        }
        break;
    }
}

static void print_chance(const wn_setting *setting, uint64_t *chance, char *text, size_t room)
{
    if (setting->type == WN_SETTING_INTEGER && !chance_once_in(chance, 4)) {
        snprintf(text, room, "%" PRId64, number_by_chance(chance, setting->minimum, setting->maximum));
    } else if (setting->type == WN_SETTING_FILE) {
        snprintf(text, room, "%s", setting->standard);
    } else {
        print_value(setting, chance_below(chance, value_count(setting)), text, room);
    }
}

static bool is_given(const checker *check, const char *name)
{
    const size_t size = strlen(name);
    for (uint32_t i = 0; i < check->options->given_count; i++) {
        if (strncmp(check->options->given[i], name, size) == 0 && check->options->given[i][size] == '=') {
            return true;
        }
    }
    return false;
}

static void add_line(char settings[CHECK_SETTINGS], const char *name, const char *value)
{
    const size_t used = strlen(settings);
    snprintf(settings + used, CHECK_SETTINGS - used, "%s%s=%s", used > 0 ? "\n" : "", name, value);
}

/* Adds to what was given on the command line: one setting at one of its limits, then several by chance. false: there
 * is no such step. */
static bool settings_of_step(const checker *check, uint32_t step, char settings[CHECK_SETTINGS])
{
    char value[WN_MAX_TEXT + 1];
    uint32_t before = 0;
    for (uint32_t i = 0; i < check->mode->setting_count; i++) {
        const wn_setting *setting = &check->mode->settings[i];
        const uint32_t values = is_given(check, setting->name) ? 0 : value_count(setting);
        if (step < before + values) {
            print_value(setting, step - before, value, sizeof value);
            add_line(settings, setting->name, value);
            return true;
        }
        before += values;
    }
    uint64_t chance = check->options->seed + step;
    for (uint32_t i = 0; i < check->mode->setting_count; i++) {
        const wn_setting *setting = &check->mode->settings[i];
        if (!is_given(check, setting->name) && chance_once_in(&chance, 2)) {
            print_chance(setting, &chance, value, sizeof value);
            add_line(settings, setting->name, value);
        }
    }
    return check->mode->setting_count > 0 && step < before + BY_CHANCE;
}

/* A world that cannot be made may be refused, with a reason. */
static void judge_refusal(checker *check, const wn_error *refusal)
{
    if (refusal->text[0] == '\0') {
        return;
    }
    count(check->page, TOPIC_SETTINGS, "of them refused", 1);
    if (strstr(refusal->text, "it did not say why")) {
        found(check->page, TOPIC_SETTINGS, "Call wn_fail() before create() returns false.", "%s", refusal->text);
    }
}

void job_settings(checker *check)
{
    check_page *page = check->page;
    char given[CHECK_SETTINGS];
    memcpy(given, page->settings, sizeof given);
    page->topic = TOPIC_SETTINGS;
    for (;; page->step++) {
        char settings[CHECK_SETTINGS];
        memcpy(settings, given, sizeof settings);
        if (!settings_of_step(check, page->step, settings)) {
            break;
        }
        wn_error refusal = {0};
        const game_plan plan = {.settings = settings, .seed = check->options->seed, .turns = SHORT_TURNS};
        game_play(check, &plan, &refusal);
        count(page, TOPIC_SETTINGS, "worlds", 1);
        judge_refusal(check, &refusal);
    }
}

/* memory */

void job_scarce(checker *check)
{
    check_page *page = check->page;
    char settings[CHECK_SETTINGS];
    uint64_t most = 0;
    memcpy(settings, page->settings, sizeof settings);
    for (uint32_t i = 0; i < page->measure_count; i++) {
        if (page->measures[i].topic == TOPIC_MEMORY && strcmp(page->measures[i].name, "most used") == 0) {
            most = page->measures[i].value;
        }
    }
    page->topic = TOPIC_MEMORY;
    for (; page->step < SCARCE_STEPS; page->step++) {
        const game_plan plan = {.settings = settings,
                                .seed = check->options->seed,
                                .turns = LEAK_TURNS,
                                .memory = 1 + most * page->step / SCARCE_STEPS,
                                .alone = true,
                                .quiet = true};
        wn_error refusal;
        game_play(check, &plan, &refusal);
    }
}

/* What malloc() has given and not got back. */
static size_t held(void)
{
    const struct mallinfo2 state = mallinfo2();
    return state.uordblks + state.hblkhd;
}

void job_leaks(checker *check)
{
    char settings[CHECK_SETTINGS];
    memcpy(settings, check->page->settings, sizeof settings);
    check->page->topic = TOPIC_MEMORY;
    size_t before = 0, first = 0;
    uint32_t grown = 0;
    for (int i = 0; i < LEAK_GAMES; i++) {
        const game_plan plan = {
            .settings = settings, .seed = check->options->seed, .turns = LEAK_TURNS, .alone = true, .quiet = true};
        wn_error refusal;
        game_play(check, &plan, &refusal);
        grown = held() > before ? grown + 1 : 0;
        before = held();
        first = i == LEAK_GAMES / 2 ? before : first;
    }
    if (grown >= LEAK_GAMES / 2) {
        found(check->page, TOPIC_MEMORY,
              "Take memory by wn_alloc(), which ends with the world, or release it in destroy().",
              "every world leaves %zu bytes of malloc() behind after %d turns", (before - first) / (LEAK_GAMES / 2 - 1),
              LEAK_TURNS);
    }
}
