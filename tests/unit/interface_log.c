/* The message log: what it takes from a world, what it collapses, and what it forgets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "suite.h"

static void add(wn_log *log, const char *text)
{
    wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_INFO, NULL, text);
}

static void assert_text(const wn_log *log, size_t back, const char *expected)
{
    char text[256];
    const wn_log_entry *entry = wn_log_entry_at(log, back);
    ck_assert_ptr_nonnull(entry);
    wn_log_entry_text(entry, text, sizeof text);
    ck_assert_str_eq(text, expected);
}

static wn_log *log_new(void)
{
    wn_log *log = calloc(1, sizeof *log);
    ck_assert_ptr_nonnull(log);
    return log;
}

static void log_free(wn_log *log)
{
    wn_log_clear(log);
    free(log);
}

START_TEST(the_same_message_in_a_row_is_counted)
{
    wn_log *log = log_new();
    add(log, "Zing!");
    add(log, "Zing!");
    add(log, "Zing!");
    assert_text(log, 0, "Zing! (x3)");
    ck_assert_ptr_null(wn_log_entry_at(log, 1));
    log_free(log);
}
END_TEST

START_TEST(what_was_read_is_not_counted_on)
{
    wn_log *log = log_new();
    add(log, "Zing!");
    log->read_number = log->last_number;
    add(log, "Zing!");
    assert_text(log, 0, "Zing!");
    assert_text(log, 1, "Zing!");
    log_free(log);
}
END_TEST

START_TEST(chat_says_who_and_is_never_collapsed)
{
    wn_log *log = log_new();
    wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_CHAT, "ann", "hi");
    wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_CHAT, "ann", "hi");
    assert_text(log, 0, "ann: hi");
    assert_text(log, 1, "ann: hi");
    log_free(log);
}
END_TEST

START_TEST(only_the_last_thousand_are_kept_in_order)
{
    wn_log *log = log_new();
    for (int i = 0; i < 2500; i++) {
        wn_log_format(log, WARREN__MESSAGE_KIND__MESSAGE_INFO, "message %d", i);
    }
    ck_assert_uint_eq(log->count, WN_LOG_ENTRIES);
    assert_text(log, 0, "message 2499");
    assert_text(log, 999, "message 1500");
    ck_assert_ptr_null(wn_log_entry_at(log, 1000));
    log_free(log);
}
END_TEST

static void fill(wn_message_state *messages, uint32_t first, uint32_t count, Warren__MessageKind kind)
{
    for (uint32_t i = 0; i < count; i++) {
        messages[i] = (wn_message_state){.number = first + i, .kind = kind};
        snprintf(messages[i].text, sizeof messages[i].text, "m%u", first + i);
    }
}

START_TEST(messages_of_a_world_are_taken_once_and_anew_after_a_rejoin)
{
    static wn_message_state messages[3];
    wn_replica replica = {.messages = messages, .message_count = 3};
    wn_log *log = log_new();
    fill(messages, 5, 3, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    ck_assert(!wn_log_take(log, &replica));
    wn_log_take(log, &replica);
    ck_assert_uint_eq(log->count, 3);
    fill(messages, 7, 3, WARREN__MESSAGE_KIND__MESSAGE_ALERT);
    ck_assert(wn_log_take(log, &replica)); /* 8 and 9 are new, and alerts */
    ck_assert_uint_eq(log->count, 5);
    fill(messages, 1, 3, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    wn_log_take(log, &replica);
    ck_assert_uint_eq(log->count, 8);
    assert_text(log, 0, "m3");
    log_free(log);
}
END_TEST

START_TEST(messages_that_a_world_joined_anew_remembers_are_not_told_twice)
{
    static wn_message_state messages[5];
    wn_replica replica = {.messages = messages, .message_count = 3};
    wn_log *log = log_new();
    fill(messages, 1, 3, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    wn_log_take(log, &replica);
    add(log, "The connection was lost.");
    fill(messages, 1, 5, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    replica.message_count = 5;
    wn_log_take(log, &replica); /* 4 and 5 are new */
    ck_assert_uint_eq(log->count, 6);
    assert_text(log, 1, "m4");
    fill(messages, 1, 5, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    snprintf(messages[4].text, sizeof messages[4].text, "of another life");
    wn_log_take(log, &replica); /* the same numbers, but other messages */
    ck_assert_uint_eq(log->count, 11);
    log_free(log);
}
END_TEST

START_TEST(what_another_view_of_the_world_has_told_already_is_skipped)
{
    static wn_message_state messages[4];
    wn_replica replica = {.messages = messages, .message_count = 3};
    wn_log *log = log_new();
    fill(messages, 11, 3, WARREN__MESSAGE_KIND__MESSAGE_ALERT);
    wn_log_skip(log, &replica);
    ck_assert(!wn_log_take(log, &replica));
    ck_assert_uint_eq(log->count, 0);
    fill(messages, 11, 4, WARREN__MESSAGE_KIND__MESSAGE_INFO);
    replica.message_count = 4;
    wn_log_take(log, &replica);
    ck_assert_uint_eq(log->count, 1);
    assert_text(log, 0, "m14");
    replica.message_count = 0;
    wn_log_skip(log, &replica);
    ck_assert_uint_eq(log->taken, 0);
    log_free(log);
}
END_TEST

RUN("interface log", the_same_message_in_a_row_is_counted, what_was_read_is_not_counted_on,
    chat_says_who_and_is_never_collapsed, only_the_last_thousand_are_kept_in_order,
    messages_of_a_world_are_taken_once_and_anew_after_a_rejoin,
    messages_that_a_world_joined_anew_remembers_are_not_told_twice,
    what_another_view_of_the_world_has_told_already_is_skipped)
