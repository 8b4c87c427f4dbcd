/* host_plugin.c: what becomes of files that are no good mode, the rules for a descriptor one by one, and its
 * description on the wire.
 */
#include "host_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"

static void path_of(char path[1024], const char *mode)
{
    snprintf(path, 1024, "%s/%s.so", TEST_MODES, mode);
}

static void expect_refusal(const char *path, const char *says, const char *and_says)
{
    wn_error error = {0};
    ck_assert_ptr_null(wn_plugin_open(path, &error));
    ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, and_says) != NULL, "%s", error.text);
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_MODE_FAILED);
}

START_TEST(a_file_that_is_no_mode_is_refused_with_a_sentence_that_names_it)
{
    char path[1024];
    expect_refusal("/nonexistent/mode.so", "No such file", "cannot be opened");
    expect_refusal(TEST_MODES, "cannot be", "");
    char text[] = "/tmp/warren-host-XXXXXX";
    const int file = mkstemp(text);
    ck_assert_int_eq(write(file, "not a mode", 10), 10);
    close(file);
    expect_refusal(text, "cannot be loaded", "");
    unlink(text);
    path_of(path, "nameless");
    expect_refusal(path, "wn_mode()", "not a mode");
    path_of(path, "newer");
    expect_refusal(path, "version 7", "version 1");
    path_of(path, "wide");
    expect_refusal(path, "tile 2 (player)", "one character");
}
END_TEST

START_TEST(the_build_changes_with_the_file_and_only_with_it)
{
    wn_plugin *dice = fixture_plugin("dice");
    wn_plugin *again = fixture_plugin("dice");
    wn_plugin *other = fixture_plugin("puppet");
    ck_assert_str_eq(wn_plugin_build(dice), wn_plugin_build(again));
    ck_assert_str_ne(wn_plugin_build(dice), wn_plugin_build(other));
    wn_plugin_close(dice);
    wn_plugin_close(again);
    wn_plugin_close(other);
}
END_TEST

START_TEST(the_description_holds_what_the_descriptor_says)
{
    wn_plugin *plugin = fixture_plugin("puppet");
    wn_buffer buffer = {0};
    wn_plugin_describe(plugin, &buffer);
    Warren__Mode *mode = warren__mode__unpack(NULL, buffer.size, buffer.data);
    ck_assert_ptr_nonnull(mode);
    ck_assert_str_eq(mode->name, "puppet");
    ck_assert_uint_eq(mode->max_seats, PUPPET_SEATS);
    ck_assert_uint_eq(mode->n_tiles, PUPPET_TILES);
    ck_assert(mode->tiles[99]->foreground == 0x010203 && !mode->tiles[99]->has_background);
    ck_assert_uint_eq(mode->n_actions, 3);
    ck_assert_int_eq(mode->actions[1]->argument, WARREN__ARGUMENT_KIND__ARGUMENT_POSITION);
    ck_assert_int_eq(mode->actions[0]->purpose, WARREN__PURPOSE__PURPOSE_STEP);
    ck_assert_int_eq(mode->actions[1]->purpose, WARREN__PURPOSE__PURPOSE_GO);
    ck_assert_uint_eq(mode->actions[0]->n_keys, 3);
    ck_assert_str_eq(mode->actions[0]->keys[2]->key, "right");
    ck_assert_uint_eq(mode->actions[0]->keys[2]->argument, WN_EAST);
    ck_assert_uint_eq(mode->n_settings, 5);
    ck_assert(mode->settings[0]->minimum == -5 && mode->settings[0]->maximum == 10);
    ck_assert_str_eq(mode->settings[0]->standard, "7");
    ck_assert_uint_eq(mode->settings[2]->n_choices, 2);
    ck_assert_int_eq(mode->status[1]->kind, WARREN__STATUS_KIND__STATUS_GAUGE);
    ck_assert(mode->n_board == 2 && mode->board[1]->right);
    warren__mode__free_unpacked(mode, NULL);
    wn_buffer_free(&buffer);
    wn_plugin_close(plugin);
}
END_TEST

/* A descriptor whose tables can be changed. */
typedef struct draft {
    wn_mode_descriptor mode;
    wn_tile tiles[2];
    wn_key keys[3];
    wn_action actions[2];
    const char *choices[3];
    wn_setting settings[2];
    wn_status status[2];
    wn_column columns[1];
    wn_entry entries[2];
    wn_score_table tables[2];
} draft;

static void make_draft(draft *made, const wn_plugin *plugin)
{
    const wn_mode_descriptor *good = wn_plugin_descriptor(plugin);
    *made = (draft){.mode = *good};
    memcpy(made->tiles, good->tiles, sizeof made->tiles);
    memcpy(made->actions, good->actions, sizeof made->actions);
    memcpy(made->status, good->status, sizeof made->status);
    memcpy(made->columns, good->columns, sizeof made->columns);
    made->keys[0] = (wn_key){"q", 0};
    made->keys[1] = (wn_key){"f12", 0};
    made->choices[0] = "slow";
    made->choices[1] = "fast";
    made->settings[0] = (wn_setting){"size", WN_SETTING_INTEGER, 1, 5, "3", NULL, "Size"};
    made->settings[1] = (wn_setting){"pace", WN_SETTING_CHOICE, 0, 0, "slow", made->choices, "Pace"};
    made->actions[1].keys = made->keys;
    made->mode.tiles = made->tiles;
    made->mode.actions = made->actions;
    made->mode.settings = made->settings;
    made->mode.status = made->status;
    made->mode.columns = made->columns;
    made->mode.tile_count = 2;
    made->mode.action_count = 2;
    made->mode.setting_count = 2;
    made->mode.status_count = 2;
    made->mode.column_count = 1;
    made->entries[0] = (wn_entry){"walking", "On foot", "w"};
    made->entries[1] = (wn_entry){"flying", "By air", "f"};
    made->tables[0] = (wn_score_table){"score", "Score", WN_SCORE_RATING, 2};
    made->tables[1] = (wn_score_table){"best *", "Best", WN_SCORE_LOWEST, 0};
    made->mode.entries = made->entries;
    made->mode.entry_count = 2;
    made->mode.tables = made->tables;
    made->mode.table_count = 2;
    made->mode.players_title = "Player";
}

/* Each breaks one rule in a good descriptor. */
#define BREAK(change, says)                                                                                            \
    do {                                                                                                               \
        draft broken;                                                                                                  \
        wn_error error = {0};                                                                                          \
        make_draft(&broken, plugin);                                                                                   \
        ck_assert_msg(wn_descriptor_check(&broken.mode, &error), "%s", error.text);                                    \
        broken.change;                                                                                                 \
        ck_assert_msg(!wn_descriptor_check(&broken.mode, &error), "%s", #change);                                      \
        ck_assert_msg(strstr(error.text, says) != NULL, "%s: %s", #change, error.text);                                \
    } while (0)

static const char *const made_words[] = {"off", "on", NULL};

static size_t no_work(const void *question, size_t size, void *answer, size_t room)
{
    (void)question;
    (void)answer;
    return size < room ? 0 : room;
}

START_TEST(every_rule_for_a_descriptor_is_checked)
{
    wn_plugin *plugin = fixture_plugin("puppet");
    BREAK(mode.name = "Puppet", "name");
    BREAK(mode.name = NULL, "name");
    BREAK(mode.title = NULL, "title");
    BREAK(mode.summary = "two\nlines", "summary");
    BREAK(mode.licence = "\xff", "licence");
    BREAK(mode.max_seats = 0, "max_seats");
    BREAK(mode.max_seats = WN_MAX_SEATS + 1, "max_seats");
    BREAK(mode.turn = NULL, "turn");
    BREAK(mode.load = NULL, "load");
    BREAK(mode.tile_count = 0, "tiles");
    BREAK(mode.tile_count = WN_MAX_TILES + 1, "4096");
    BREAK(mode.actions = NULL, "actions");
    BREAK(mode.status_count = WN_MAX_STATUS + 1, "status fields");
    BREAK(tiles[1].name = "", "tile 1");
    BREAK(tiles[1].name = "a name that is longer than thirty-two bytes", "32");
    BREAK(tiles[1].glyph = "", "glyph");
    BREAK(tiles[1].glyph = "ab", "glyph");
    BREAK(tiles[1].glyph = "\t", "glyph");
    BREAK(tiles[1].glyph = "\xe4\xba\xba", "one column");
    BREAK(tiles[1].glyph = "\xcc\x81", "one column");
    BREAK(tiles[1].ascii = "\xc2\xb7", "ascii");
    BREAK(tiles[1].ascii = NULL, "ascii");
    BREAK(tiles[1].foreground = -2, "colour");
    BREAK(tiles[1].background = 0x1000000, "colour");
    BREAK(tiles[1].flags = 32, "flags");
    BREAK(actions[1].name = "two words", "action 1");
    BREAK(actions[1].name = "step", "unique");
    BREAK(actions[1].id = PUPPET_STEP, "unique");
    BREAK(actions[1].help = NULL, "help");
    BREAK(actions[1].argument = (wn_argument)3, "argument");
    BREAK(keys[0].key = "escape", "not a key");
    BREAK(keys[0].key = " ", "not a key");
    BREAK(keys[0].key = "up", "both step and look");
    BREAK(keys[0].argument = 1, "above 0");
    BREAK(settings[0].name = "Size", "name");
    BREAK(settings[1].name = "size", "unique");
    BREAK(settings[0].type = (wn_setting_type)5, "type");
    BREAK(settings[0].minimum = 6, "minimum");
    BREAK(settings[0].standard = "6", "default");
    BREAK(settings[0].standard = NULL, "default");
    BREAK(settings[0].help = NULL, "help");
    BREAK(settings[1].choices = NULL, "choices");
    BREAK(choices[1] = "two words", "choice");
    BREAK(settings[1].standard = "medium", "one of slow, fast");
    BREAK(status[1].name = "score", "unique");
    BREAK(status[1].title = NULL, "title");
    BREAK(status[1].kind = (wn_status_kind)4, "kind");
    BREAK(columns[0].title = NULL, "column 0");
    BREAK(actions[1].purpose = WN_PURPOSE_STEP, "purpose");
    BREAK(actions[0].purpose = WN_PURPOSE_FORWARD, "purpose");
    BREAK(actions[1].purpose = (wn_purpose)11, "purpose");
    BREAK(settings[0].choices = made_words, "one word");
    BREAK(settings[0].type = WN_SETTING_TEXT; broken.settings[0].choices = made_words, "only a choice");
    BREAK(mode.players_title = "two\nlines", "title");
    BREAK(mode.spectators_title = "a name that is longer than thirty-two bytes", "title");
    BREAK(mode.entry_count = WN_MAX_ENTRIES + 1, "entries");
    BREAK(entries[1].name = "walking", "unique");
    BREAK(entries[1].key = "w", "unique");
    BREAK(entries[1].key = "escape", "not a key");
    BREAK(entries[1].help = NULL, "help");
    BREAK(entries[1].name = "two words", "one word");
    BREAK(mode.table_count = WN_MAX_TABLES + 1, "score tables");
    BREAK(tables[1].name = "score", "unique");
    BREAK(tables[1].title = NULL, "title");
    BREAK(tables[1].kind = (wn_score_kind)4, "kind");
    BREAK(tables[1].decimals = 7, "decimals");
    BREAK(mode.work = no_work, "both or neither");
    wn_plugin_close(plugin);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        a_file_that_is_no_mode_is_refused_with_a_sentence_that_names_it,
        the_build_changes_with_the_file_and_only_with_it,
        the_description_holds_what_the_descriptor_says,
        every_rule_for_a_descriptor_is_checked,
    };
    return run_cases("host_plugin", cases, sizeof cases / sizeof cases[0]);
}
