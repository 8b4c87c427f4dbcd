/* report.c: findings and numbers as they are gathered, and as a person or a program reads them. */
#include "check.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const char *const names[TOPICS] = {
    [TOPIC_DESCRIPTOR] = "descriptor",
    [TOPIC_PLAY] = "play",
    [TOPIC_DETERMINISM] = "determinism",
    [TOPIC_SAVES] = "saves",
    [TOPIC_DRAWING] = "drawing",
    [TOPIC_MEMORY] = "memory",
    [TOPIC_TIME] = "time",
    [TOPIC_WORK] = "work",
    [TOPIC_SETTINGS] = "settings",
};

/* gathering */

static bool same_but_for_numbers(const char *one, const char *other)
{
    while (*one && *other) {
        if (isdigit((unsigned char)*one) && isdigit((unsigned char)*other)) {
            one += strspn(one, "0123456789");
            other += strspn(other, "0123456789");
        } else if (*one++ != *other++) {
            return false;
        }
    }
    return *one == *other;
}

void found(check_page *page, check_topic topic, const char *advice, const char *format, ...)
{
    char text[CHECK_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wn_text_clean(text, sizeof text - 1, false);
    for (uint32_t i = 0; i < page->finding_count; i++) {
        if (page->findings[i].topic == topic && same_but_for_numbers(page->findings[i].text, text)) {
            return;
        }
    }
    if (page->finding_count == CHECK_FINDINGS) {
        return;
    }
    check_finding *kept = &page->findings[page->finding_count];
    *kept = (check_finding){.topic = topic, .advice = advice, .seed = page->seed, .turn = page->turn};
    kept->played = topic != TOPIC_DESCRIPTOR;
    memcpy(kept->text, text, sizeof text);
    memcpy(kept->settings, page->settings, sizeof page->settings);
    page->finding_count++;
}

static check_measure *measure_of(check_page *page, check_topic topic, const char *name, const char *unit)
{
    for (uint32_t i = 0; i < page->measure_count; i++) {
        if (page->measures[i].topic == topic && strcmp(page->measures[i].name, name) == 0) {
            return &page->measures[i];
        }
    }
    check_measure *added =
        &page->measures[page->measure_count < CHECK_MEASURES ? page->measure_count++ : CHECK_MEASURES - 1];
    *added = (check_measure){topic, name, unit, 0};
    return added;
}

void note(check_page *page, check_topic topic, const char *name, const char *unit, uint64_t value)
{
    measure_of(page, topic, name, unit)->value = value;
}

void count(check_page *page, check_topic topic, const char *name, uint64_t more)
{
    measure_of(page, topic, name, "")->value += more;
}

void highest(check_page *page, check_topic topic, const char *name, const char *unit, uint64_t value)
{
    check_measure *kept = measure_of(page, topic, name, unit);
    kept->value = kept->value > value ? kept->value : value;
}

/* for people */

static uint32_t findings_of(const check_page *page, check_topic topic)
{
    uint32_t counted = 0;
    for (uint32_t i = 0; i < page->finding_count; i++) {
        counted += page->findings[i].topic == topic;
    }
    return counted;
}

static void print_value(const check_measure *value)
{
    if (strcmp(value->unit, "ns") == 0) {
        printf("%s %.*f us", value->name, value->value < 100000, (double)value->value / 1000);
    } else {
        printf("%s %" PRIu64 "%s%s", value->name, value->value, value->unit[0] ? " " : "", value->unit);
    }
}

static void print_measures(const check_page *page, check_topic topic)
{
    const char *between = "  ";
    for (uint32_t i = 0; i < page->measure_count; i++) {
        if (page->measures[i].topic == topic) {
            fputs(between, stdout);
            print_value(&page->measures[i]);
            between = ", ";
        }
    }
    putchar('\n');
}

/* In quotes, if a shell needs them. */
static void print_word(const char *word)
{
    const bool plain = word[0] != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                            "0123456789._-=/+,:@%")] == '\0';
    if (plain) {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, stdout);
    }
    putchar('\'');
}

/* The settings are one a line. */
static void print_command(const check_options *options, const check_finding *finding)
{
    char settings[CHECK_SETTINGS], *rest = settings;
    memcpy(settings, finding->settings, sizeof settings);
    printf("warren-mode-check --seed %" PRIu64 " --players %u", finding->seed, options->players);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (line[0] != '\0') {
            fputs(" --set ", stdout);
            print_word(line);
        }
    }
    if (finding->turn > options->turns) {
        printf(" --turns %" PRIu64, finding->turn);
    }
    putchar(' ');
    print_word(options->path);
}

static void print_finding(const check_options *options, const check_finding *finding)
{
    printf("  - %s\n", finding->text);
    if (finding->advice) {
        printf("      %s\n", finding->advice);
    }
    if (finding->played) {
        printf("      at turn %" PRIu64 " of the world with seed %" PRIu64 "; again:\n        ", finding->turn,
               finding->seed);
        print_command(options, finding);
        putchar('\n');
    }
}

static void print_head(const check_options *options, const check_page *page)
{
    if (page->playable) {
        printf("%s %s (%s): %s\n", page->name, page->version, options->path, page->title);
    } else {
        printf("%s\n", options->path);
    }
    printf("ABI %u, seed %" PRIu64 ", %u turns, %u players\n\n", WN_ABI_VERSION, options->seed, options->turns,
           options->players);
}

void report_text(const check_options *options, const check_page *page)
{
    print_head(options, page);
    for (check_topic topic = 0; topic < TOPICS; topic++) {
        const uint32_t wrong = findings_of(page, topic);
        printf("%-12s %-11s", names[topic], wrong > 0 ? "WRONG" : page->checked[topic] ? "ok" : "not checked");
        print_measures(page, topic);
        for (uint32_t i = 0; i < page->finding_count; i++) {
            if (page->findings[i].topic == topic) {
                print_finding(options, &page->findings[i]);
            }
        }
    }
    if (page->finding_count == 0) {
        puts("\nNothing wrong was found.");
    } else {
        printf("\n%u finding%s.%s\n", page->finding_count, page->finding_count == 1 ? "" : "s",
               page->finding_count == CHECK_FINDINGS ? " There may be more." : "");
    }
}

/* for programs */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            printf("\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            printf("\\u%04x", (unsigned char)*text);
        } else {
            putchar(*text);
        }
    }
    putchar('"');
}

static void print_pair(const char *name, const char *value)
{
    print_string(name);
    fputs(": ", stdout);
    print_string(value);
}

static void print_findings(const check_page *page, check_topic topic)
{
    const char *between = "";
    for (uint32_t i = 0; i < page->finding_count; i++) {
        const check_finding *finding = &page->findings[i];
        if (finding->topic != topic) {
            continue;
        }
        printf("%s{", between);
        print_pair("text", finding->text);
        fputs(", ", stdout);
        print_pair("advice", finding->advice ? finding->advice : "");
        if (finding->played) {
            printf(", \"seed\": \"%" PRIu64 "\", \"turn\": %" PRIu64 ", ", finding->seed, finding->turn);
            print_pair("settings", finding->settings);
        }
        putchar('}');
        between = ", ";
    }
}

void report_json(const check_options *options, const check_page *page)
{
    fputs("{", stdout);
    print_pair("mode", page->name);
    fputs(", ", stdout);
    print_pair("version", page->version);
    fputs(", ", stdout);
    print_pair("file", options->path);
    printf(", \"abi\": %u, \"seed\": \"%" PRIu64 "\", \"turns\": %u, \"players\": %u, \"sections\": [", WN_ABI_VERSION,
           options->seed, options->turns, options->players);
    for (check_topic topic = 0; topic < TOPICS; topic++) {
        const char *between = "";
        printf("%s{", topic > 0 ? ", " : "");
        print_pair("name", names[topic]);
        printf(", \"checked\": %s, \"ok\": %s, \"findings\": [", page->checked[topic] ? "true" : "false",
               findings_of(page, topic) == 0 && page->checked[topic] ? "true" : "false");
        print_findings(page, topic);
        fputs("], \"measures\": {", stdout);
        for (uint32_t i = 0; i < page->measure_count; i++) {
            const check_measure *measure = &page->measures[i];
            if (measure->topic == topic) {
                fputs(between, stdout);
                printf("\"%s%s%s\": %" PRIu64, measure->name, measure->unit[0] ? " " : "", measure->unit,
                       measure->value);
                between = ", ";
            }
        }
        fputs("}}", stdout);
    }
    printf("], \"findings\": %u}\n", page->finding_count);
}
