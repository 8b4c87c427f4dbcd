/* log.c: what a line looks like to a person, to journald, and with hostile text in it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "suite.h"

/* stderr as a pipe in packet mode: each read gives what one write wrote. Every test runs in its own process. */
static int capture(void)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_DIRECT | O_NONBLOCK), 0);
    ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    close(ends[1]);
    return ends[0];
}

/* The next write to stderr; "" if there was none. */
static const char *next_write(int from)
{
    static char text[65536];
    ssize_t size = read(from, text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

static void name_journal(int fd)
{
    struct stat status;
    char stream[64];
    ck_assert_int_eq(fstat(fd, &status), 0);
    snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)status.st_dev, (unsigned long long)status.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);
}

static void assert_matches(const char *text, const char *pattern)
{
    regex_t regex;
    ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    ck_assert_msg(regexec(&regex, text, 0, NULL, 0) == 0, "\"%s\" does not match %s", text, pattern);
    regfree(&regex);
}

START_TEST(a_line_has_time_level_part_and_sentence_in_one_write)
{
    unsetenv("JOURNAL_STREAM");
    int from = capture();
    wn_log_open(WN_LEVEL_INFO);
    wn_log_line(WN_LEVEL_WARNING, "host", "it stopped mode=%s pid=%d", "caves", 12);
    assert_matches(next_write(from), "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z "
                                     "warning host: it stopped mode=caves pid=12\n$");
    ck_assert_str_eq(next_write(from), "");
}
END_TEST

START_TEST(journald_gets_the_priority_and_no_time)
{
    static const struct {
        wn_level level;
        const char *line;
    } expected[] = {{WN_LEVEL_ERROR, "<3>store: full\n"},
                    {WN_LEVEL_WARNING, "<4>store: full\n"},
                    {WN_LEVEL_INFO, "<6>store: full\n"},
                    {WN_LEVEL_DEBUG, "<7>store: full\n"}};
    int from = capture();
    name_journal(STDERR_FILENO);
    wn_log_open(WN_LEVEL_DEBUG);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        wn_log_line(expected[i].level, "store", "full");
        ck_assert_str_eq(next_write(from), expected[i].line);
    }
}
END_TEST

START_TEST(a_journal_that_is_not_our_stderr_does_not_count)
{
    int from = capture(), other[2];
    ck_assert_int_eq(pipe(other), 0);
    name_journal(other[0]); /* stderr was redirected since */
    wn_log_open(WN_LEVEL_INFO);
    wn_log_line(WN_LEVEL_INFO, "store", "full");
    assert_matches(next_write(from), "Z info store: full\n$");
    setenv("JOURNAL_STREAM", "nonsense", 1);
    wn_log_open(WN_LEVEL_INFO);
    wn_log_line(WN_LEVEL_INFO, "store", "full");
    assert_matches(next_write(from), "Z info store: full\n$");
}
END_TEST

START_TEST(lines_beyond_the_level_are_not_written)
{
    int from = capture();
    wn_log_open(WN_LEVEL_WARNING);
    wn_log_line(WN_LEVEL_INFO, "store", "quiet");
    ck_assert_str_eq(next_write(from), "");
    ck_assert(!wn_log_enabled(WN_LEVEL_INFO));
    wn_log_set_level(WN_LEVEL_INFO);
    ck_assert(wn_log_enabled(WN_LEVEL_INFO));
    wn_log_line(WN_LEVEL_INFO, "store", "loud");
    assert_matches(next_write(from), "loud\n$");
}
END_TEST

static void *write_lines(void *context)
{
    for (int i = 0; i < 1000; i++) {
        wn_log_line(WN_LEVEL_DEBUG, "daemon", "a line of another thread");
    }
    return context;
}

/* What is wrong here ThreadSanitizer tells. */
START_TEST(the_level_is_set_while_other_threads_write)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pthread_t writer;
    dup2(nowhere, STDERR_FILENO);
    wn_log_open(WN_LEVEL_ERROR);
    ck_assert_int_eq(pthread_create(&writer, NULL, write_lines, NULL), 0);
    for (int i = 0; i < 1000; i++) {
        wn_log_set_level(i % 2 == 0 ? WN_LEVEL_DEBUG : WN_LEVEL_ERROR);
    }
    ck_assert_int_eq(pthread_join(writer, NULL), 0);
    ck_assert(!wn_log_enabled(WN_LEVEL_DEBUG));
    close(nowhere);
}
END_TEST

START_TEST(hostile_text_stays_within_its_line_and_cannot_move_the_cursor)
{
    static const struct {
        const char *text, *written;
    } table[] = {
        {"two\nlines", "two\\nlines"},
        {"tab\tand\rreturn", "tab\\tand\\rreturn"},
        {"\x1b[2J", "\\x1b[2J"},
        {"del\x7f", "del\\x7f"},
        {"c1 \xc2\x9b[2J", "c1 \\xc2\\x9b[2J"},
        {"raw \x9b", "raw \\x9b"},
        {"cut \xe2\x82", "cut \\xe2\\x82"},
        {"back\\slash", "back\\\\slash"},
        {"right to \xe2\x80\xaetfel", "right to \\xe2\\x80\\xaetfel"},
        {"no\xe2\x80\x8bthing", "no\\xe2\\x80\\x8bthing"},
        {"\xf3\xa0\x80\xa0", "\\xf3\\xa0\\x80\\xa0"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x89", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x89"},
    };
    int from = capture();
    name_journal(STDERR_FILENO);
    wn_log_open(WN_LEVEL_INFO);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "<6>chat: %s\n", table[i].written);
        wn_log_line(WN_LEVEL_INFO, "chat", "%s", table[i].text);
        ck_assert_str_eq(next_write(from), expected);
    }
}
END_TEST

START_TEST(what_a_peer_has_chosen_cannot_look_like_other_keys)
{
    static const struct {
        const char *text, *written;
    } table[] = {
        {"ann", "player=ann"},
        {"", "player=\"\""},
        {"x identity=uid:0", "player=\"x identity=uid:0\""},
        {"x\" identity=uid:0 y=\"", "player=\"x' identity=uid:0 y='\""},
        {"x\\ y\\", "player=\"x\\\\ y\\\\\""},
    };
    int from = capture();
    name_journal(STDERR_FILENO);
    wn_log_open(WN_LEVEL_INFO);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char expected[128];
        wn_log_text value;
        snprintf(expected, sizeof expected, "<6>session: %s\n", table[i].written);
        wn_log_line(WN_LEVEL_INFO, "session", "player=%s", wn_log_value(&value, table[i].text));
        ck_assert_str_eq(next_write(from), expected);
    }
    static char text[1000];
    wn_log_text value;
    memset(text, ' ', sizeof text - 1);
    ck_assert_uint_eq(strlen(wn_log_value(&value, text)), sizeof value.text - 1);
    ck_assert_int_eq(value.text[sizeof value.text - 2], '"');
    wn_log_quoted(WN_LEVEL_INFO, "audit", "\"a \\\"\" \n");
    ck_assert_str_eq(next_write(from), "<6>audit: \"a \\\"\" \\n\n");
}
END_TEST

/* stderr as something that takes no more: from whichever end of it lines are read. */
static int stuff_pipe(void)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    close(ends[1]);
    return ends[0];
}

static int stuff_socket(void)
{
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    close(ends[1]);
    return ends[0];
}

static int stuff_terminal(void)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(master, 0);
    ck_assert(grantpt(master) == 0 && unlockpt(master) == 0);
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_eq(dup2(terminal, STDERR_FILENO), STDERR_FILENO);
    return master;
}

static int (*const stuffed[])(void) = {stuff_pipe, stuff_socket, stuff_terminal};

/* How many lines there are to be read, and how many those that tell of others say were lost. */
static void count_lines(int from, unsigned *lines, unsigned *lost)
{
    static char line[65536];
    static size_t length; /* of the one that is not whole yet */
    fcntl(from, F_SETFL, O_NONBLOCK);
    while (read(from, line + length, 1) == 1) {
        if (line[length++] != '\n') {
            continue;
        }
        line[length] = '\0';
        const char *told = strstr(line, "warning log: ");
        *lost += told != NULL ? (unsigned)strtoul(told + 13, NULL, 10) : 0;
        *lines += told == NULL && strstr(line, "info store: ") != NULL && strstr(line, "whole") != NULL ? 1 : 0;
        length = 0;
    }
}

START_TEST(who_does_not_read_the_lines_stops_nobody_and_is_told_how_many_are_lost)
{
    enum { MANY = 500 };
    unsigned lines = 0, lost = 0;
    const int from = stuffed[_i]();
    unsetenv("JOURNAL_STREAM");
    wn_log_open(WN_LEVEL_INFO);
    for (unsigned i = 0; i < MANY; i++) {
        wn_log_line(WN_LEVEL_INFO, "store", "%*s", (int)(i % 5000), "whole"); /* also beyond a pipe's PIPE_BUF */
    }
    ck_assert_int_eq(fcntl(STDERR_FILENO, F_GETFL) & O_NONBLOCK, 0); /* it is others' as well */
    while (lines + lost < MANY + 1) {
        const unsigned before = lines;
        count_lines(from, &lines, &lost);
        if (lines == before) { /* until there is room, and then once more */
            wn_log_line(WN_LEVEL_INFO, "store", "whole");
            count_lines(from, &lines, &lost);
            break;
        }
    }
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_gt(lines, 0);
    ck_assert_uint_eq(lines + lost, MANY + 1);
}
END_TEST

static void *write_whole_lines(void *context)
{
    for (int i = 0; i < 1000; i++) {
        wn_log_line(WN_LEVEL_INFO, "store", "%*s", i % 300, "whole");
    }
    return context;
}

START_TEST(lines_of_several_threads_are_read_or_counted)
{
    enum { THREADS = 4, EACH = 1000 };
    unsigned lines = 0, lost = 0;
    pthread_t writers[THREADS];
    const int from = stuff_pipe();
    unsetenv("JOURNAL_STREAM");
    wn_log_open(WN_LEVEL_INFO);
    for (size_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&writers[i], NULL, write_whole_lines, NULL), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        count_lines(from, &lines, &lost);
        ck_assert_int_eq(pthread_join(writers[i], NULL), 0);
    }
    count_lines(from, &lines, &lost);
    wn_log_line(WN_LEVEL_INFO, "store", "whole");
    count_lines(from, &lines, &lost);
    ck_assert_uint_eq(lines + lost, THREADS * EACH + 1);
}
END_TEST

START_TEST(a_sentence_that_is_too_long_is_cut_and_says_so)
{
    int from = capture();
    name_journal(STDERR_FILENO);
    wn_log_open(WN_LEVEL_INFO);
    static char text[100000];
    memset(text, '\x01', sizeof text - 1);
    wn_log_line(WN_LEVEL_INFO, "chat", "%s", text);
    char line[65536] = "";
    for (const char *part = next_write(from); part[0] != '\0'; part = next_write(from)) {
        strcat(line, part); /* a pipe gives a write of more than a page in pieces */
    }
    size_t length = strlen(line);
    ck_assert_uint_gt(length, 4095 * 4);
    ck_assert_uint_lt(length, 4096 * 4 + 64);
    ck_assert_str_eq(line + length - 8, "\\x01...\n");
}
END_TEST

START_TEST(writing_a_line_leaves_errno_alone)
{
    close(STDERR_FILENO);
    wn_log_open(WN_LEVEL_INFO);
    errno = ENOENT;
    wn_log_line(WN_LEVEL_INFO, "store", "nobody hears this");
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, a_line_has_time_level_part_and_sentence_in_one_write);
    tcase_add_test(lines, journald_gets_the_priority_and_no_time);
    tcase_add_test(lines, a_journal_that_is_not_our_stderr_does_not_count);
    tcase_add_test(lines, lines_beyond_the_level_are_not_written);
    tcase_add_test(lines, the_level_is_set_while_other_threads_write);
    tcase_add_test(lines, hostile_text_stays_within_its_line_and_cannot_move_the_cursor);
    tcase_add_test(lines, what_a_peer_has_chosen_cannot_look_like_other_keys);
    tcase_add_loop_test(lines, who_does_not_read_the_lines_stops_nobody_and_is_told_how_many_are_lost, 0,
                        sizeof stuffed / sizeof *stuffed);
    tcase_add_test(lines, lines_of_several_threads_are_read_or_counted);
    tcase_add_test(lines, a_sentence_that_is_too_long_is_cut_and_says_so);
    tcase_add_test(lines, writing_a_line_leaves_errno_alone);
    suite_add_tcase(suite, lines);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
