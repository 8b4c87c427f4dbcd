/* check.h: the parts of warren-mode-check and what they tell each other. The mode runs only in child processes; what a
 * child finds and where it stands it writes into a page that it shares with its parent, which is there afterwards even
 * if the mode has crashed.
 */
#ifndef WARREN_CHECK_H
#define WARREN_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "world.h"

enum { CHECK_FINDINGS = 64, CHECK_MEASURES = 48, CHECK_TEXT = 640, CHECK_SETTINGS = 4096 };

/* The sections of the report. */
typedef enum check_topic {
    TOPIC_DESCRIPTOR,
    TOPIC_PLAY,
    TOPIC_DETERMINISM,
    TOPIC_SAVES,
    TOPIC_DRAWING,
    TOPIC_MEMORY,
    TOPIC_TIME,
    TOPIC_WORK,
    TOPIC_SETTINGS,
    TOPICS
} check_topic;

typedef struct check_finding {
    check_topic topic;
    char text[CHECK_TEXT];
    const char *advice;
    uint64_t seed, turn; /* of the world; turn 0: it is about none, or about its making */
    bool played;         /* seed, turn and settings say how to see it again */
    char settings[CHECK_SETTINGS];
} check_finding;

typedef struct check_measure {
    check_topic topic;
    const char *name, *unit; /* unit: "", "B", "ns" */
    uint64_t value;
} check_measure;

/* Shared with the child. Its texts that are pointers are literals of this program, which a forked child has in the same
 * place. */
typedef struct check_page {
    atomic_ulong beats; /* counts what the child has done: while it grows, nothing hangs */
    check_topic topic;  /* what is being checked */
    const char *doing;  /* "loading a damaged save", which belongs to another topic; NULL: playing */
    check_topic doing_topic;
    const char *callback; /* of the mode, that is running: "turn()"; NULL: none */
    uint64_t seed, turn;
    char settings[CHECK_SETTINGS]; /* "width=3 pvp=yes" */
    uint32_t step;                 /* of a job that goes on behind a step that crashed */
    bool finished;                 /* the child came to its end */
    bool checked[TOPICS];          /* to the end */
    bool playable;                 /* its descriptor keeps the rules: name, title and version are its own */
    char name[WN_MAX_NAME + 1], title[WN_MAX_TEXT + 1], version[WN_MAX_TEXT + 1];
    char trouble[WN_TEXT_BYTES + 1]; /* why it cannot be loaded */
    uint32_t finding_count, measure_count;
    check_finding findings[CHECK_FINDINGS];
    check_measure measures[CHECK_MEASURES];
} check_page;

typedef struct check_options {
    const char *path;
    uint64_t seed;
    uint32_t turns, players;
    uint32_t patience;                  /* seconds without a sign of life after which the mode hangs */
    const char *given[WN_MAX_SETTINGS]; /* NAME=VALUE */
    uint32_t given_count;
    bool json;
} check_options;

/* What a child works with. */
typedef struct checker {
    const check_options *options;
    check_page *page;
    wn_plugin *plugin;
    const wn_mode_descriptor *mode; /* the mode's own */
    FILE *record;                   /* the inputs of the games that were played, for another process */
} checker;

/* Notes a finding, with where the page says that the check stands. One that differs from another only in its numbers
 * is left out. `advice`: a literal, what to do. */
void found(check_page *page, check_topic topic, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* What the child does now, for whom it concerns if it crashes. `what`: a literal; NULL: it plays. */
static inline void begin_doing(check_page *page, check_topic topic, const char *what)
{
    page->doing = what;
    page->doing_topic = topic;
}
/* Notes a number for the report; the same again replaces it. `name` and `unit`: literals. */
void note(check_page *page, check_topic topic, const char *name, const char *unit, uint64_t value);
/* Adds to one. */
void count(check_page *page, check_topic topic, const char *name, uint64_t more);
/* Takes the higher one. */
void highest(check_page *page, check_topic topic, const char *name, const char *unit, uint64_t value);

/* The report on stdout. (report.c) */
void report_text(const check_options *options, const check_page *page);
void report_json(const check_options *options, const check_page *page);

/* Jobs: each in a process of its own, with the mode loaded but for the first. */
typedef void job(checker *check);
job job_descriptor; /* lint.c */
job job_play;       /* play.c: games of twins, copies and views */
job job_again;      /* play.c: the same games in another process */
job job_damage;     /* play.c: games that go on from damaged saves. Has steps */
job job_settings;   /* settings.c: a short game with each setting at its limits. Has steps */
job job_scarce;     /* settings.c: short games with little memory. Has steps */
job job_leaks;      /* settings.c: many short games one after the other */

#endif
