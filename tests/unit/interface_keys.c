/* Keys: their names, and who has which when mode, frontend and key file want the same. */
#include <stdlib.h>
#include <string.h>

#include "bindings.h"
#include "key.h"
#include "key_file_fixture.h"
#include "suite.h"

enum { STEP, REST, FIRE, AIM, ACTIONS };

/* A mode that wants keys of the frontend as well: t, f1 and page up. */
static const Warren__Mode *mode(void)
{
    static Warren__Key step_keys[3], rest_keys[3], fire_keys[2], aim_keys[1];
    static Warren__Key *step_list[3], *rest_list[3], *fire_list[2], *aim_list[1];
    static Warren__Action actions[ACTIONS];
    static Warren__Action *action_list[ACTIONS];
    static Warren__Mode mode;
    static const struct {
        Warren__Key *keys, **list;
        size_t count;
        const char *name;
        Warren__ArgumentKind argument;
        const char *texts[3];
    } table[ACTIONS] = {
        {step_keys, step_list, 3, "step", WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION, {"k", "kp8", "pageup"}},
        {rest_keys, rest_list, 3, "rest", WARREN__ARGUMENT_KIND__ARGUMENT_NONE, {"t", "f1", "."}},
        {fire_keys, fire_list, 2, "fire", WARREN__ARGUMENT_KIND__ARGUMENT_NONE, {"f", "f12"}},
        {aim_keys, aim_list, 1, "aim", WARREN__ARGUMENT_KIND__ARGUMENT_POSITION, {"a"}},
    };
    warren__mode__init(&mode);
    for (size_t i = 0; i < ACTIONS; i++) {
        warren__action__init(&actions[i]);
        actions[i].id = (uint32_t)i + 1;
        actions[i].name = (char *)table[i].name;
        actions[i].argument = table[i].argument;
        actions[i].n_keys = table[i].count;
        actions[i].keys = table[i].list;
        action_list[i] = &actions[i];
        for (size_t k = 0; k < table[i].count; k++) {
            warren__key__init(&table[i].keys[k]);
            table[i].keys[k].key = (char *)table[i].texts[k];
            table[i].list[k] = &table[i].keys[k];
        }
    }
    mode.name = (char *)"testing";
    mode.n_actions = ACTIONS;
    mode.actions = action_list;
    return &mode;
}

static const wn_binding *action_of(const wn_bindings *bindings, uint32_t key, uint32_t action)
{
    const wn_binding *found = wn_bindings_find(bindings, key);
    ck_assert_ptr_nonnull(found);
    ck_assert(!found->frontend);
    ck_assert_uint_eq(found->target, action);
    return found;
}

static void assert_command(const wn_bindings *bindings, uint32_t key, wn_frontend_command command)
{
    const wn_binding *found = wn_bindings_find(bindings, key);
    ck_assert_ptr_nonnull(found);
    ck_assert(found->frontend);
    ck_assert_uint_eq(found->target, command);
}

START_TEST(every_named_key_is_read_back_from_its_name)
{
    static const uint32_t more[] = {' ', ';', 'k', 'A', '=', 0xfc, 0x6d1e, 1, 12, 26};
    char name[WN_KEY_NAME_BYTES];
    for (uint32_t key = WN_KEY_UP; key <= WN_KEY_KP9; key++) {
        wn_key_name(name, sizeof name, key, false);
        ck_assert_uint_eq(wn_key_parse(name, strlen(name)), key);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        wn_key_name(name, sizeof name, more[i], false);
        ck_assert_uint_eq(wn_key_parse(name, strlen(name)), more[i]);
    }
}
END_TEST

START_TEST(what_is_no_key_is_not_read_as_one)
{
    static const char *const wrong[] = {"",       "upp",     "f0", "f13", "f01", "kp",   "kp10", "ctrl-",
                                        "ctrl-A", "ctrl-aa", "Up", "ab",  "\t",  "\x7f", "\xff", "f1x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(wn_key_parse(wrong[i], strlen(wrong[i])) == WN_KEY_NONE, "\"%s\"", wrong[i]);
    }
}
END_TEST

START_TEST(directions_are_the_same_on_arrows_keypad_and_letters)
{
    static const uint32_t norths[] = {WN_KEY_UP, WN_KEY_KP0 + 8, 'k', '8'};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(wn_key_direction(norths[i]), 0);
    }
    ck_assert_int_eq(wn_key_direction('n'), 3);
    ck_assert_int_eq(wn_key_direction('.'), 8);
    ck_assert_int_eq(wn_key_direction('x'), -1);
}
END_TEST

START_TEST(mode_keys_win_over_loose_keys_and_lose_to_firm_ones)
{
    wn_bindings bindings = {0};
    wn_bindings_make(&bindings, mode(), NULL);
    action_of(&bindings, 't', REST);                     /* else: chat */
    action_of(&bindings, WN_KEY_PAGE_UP, STEP);          /* else: messages */
    assert_command(&bindings, WN_KEY_F1, WN_DO_HELP);    /* the mode wants it in vain */
    assert_command(&bindings, WN_KEY_ENTER, WN_DO_CHAT); /* nobody else wants it */
    action_of(&bindings, WN_KEY_F1 + 11, FIRE);
    ck_assert_int_eq(action_of(&bindings, 'a', AIM)->argument, WN_ASK);
    ck_assert_int_eq(action_of(&bindings, 'k', STEP)->argument, 0);
    wn_bindings_free(&bindings);
}
END_TEST

START_TEST(escape_is_the_menu_whatever_the_file_says)
{
    wn_bindings bindings = {0};
    wn_key_file file;
    read_keys(&file, "k", "[testing]\nrest = escape\n[frontend]\nmenu = q\n");
    wn_bindings_make(&bindings, mode(), &file);
    assert_command(&bindings, WN_KEY_ESCAPE, WN_DO_MENU);
    ck_assert_uint_eq(file.problem_count, 1);
    ck_assert_ptr_nonnull(strstr(file.problems[0], "k:2:"));
    wn_bindings_free(&bindings);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(the_file_wins_over_firm_keys_and_replaces_defaults)
{
    wn_bindings bindings = {0};
    wn_key_file file;
    read_keys(&file, "k", "[testing]\nrest = f1 z\nstep.north = w\nfire =\nstep = s\n[frontend]\nhelp = h\n");
    wn_bindings_make(&bindings, mode(), &file);
    ck_assert_uint_eq(file.problem_count, 0);
    action_of(&bindings, WN_KEY_F1, REST);
    action_of(&bindings, 'z', REST);
    assert_command(&bindings, 't', WN_DO_CHAT); /* free again */
    assert_command(&bindings, 'h', WN_DO_HELP);
    ck_assert_ptr_null(wn_bindings_find(&bindings, '?'));
    action_of(&bindings, 'w', STEP);
    ck_assert_int_eq(action_of(&bindings, 's', STEP)->argument, WN_ASK);
    ck_assert_ptr_null(wn_bindings_find(&bindings, 'k'));
    ck_assert_ptr_null(wn_bindings_find(&bindings, 'f'));
    wn_bindings_free(&bindings);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(a_key_given_twice_keeps_its_first_meaning_and_is_complained_of)
{
    wn_bindings bindings = {0};
    wn_key_file file;
    read_keys(&file, "k", "[testing]\nrest = z\nfire = z\n[frontend]\nchat = z\n");
    wn_bindings_make(&bindings, mode(), &file);
    action_of(&bindings, 'z', REST);
    ck_assert_uint_eq(file.problem_count, 2);
    wn_bindings_make(&bindings, mode(), &file);
    ck_assert_uint_eq(file.problem_count, 2); /* not once more for every world */
    wn_bindings_free(&bindings);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(an_action_the_mode_does_not_have_is_named_with_those_it_has)
{
    static const char *const wrong[] = {"[testing]\nstp = z\n", "[testing]\nstep.up = z\n",
                                        "[testing]\nrest.north = z\n"};
    for (size_t i = 0; i < 3; i++) {
        wn_bindings bindings = {0};
        wn_key_file file;
        read_keys(&file, "k", wrong[i]);
        wn_bindings_make(&bindings, mode(), &file);
        ck_assert_uint_eq(file.problem_count, 1);
        ck_assert_ptr_nonnull(strstr(file.problems[0], "k:2: testing has no action"));
        ck_assert_ptr_nonnull(strstr(file.problems[0], "step.north, rest, fire, aim"));
        wn_bindings_free(&bindings);
        wn_key_file_free(&file);
    }
}
END_TEST

START_TEST(sections_of_other_modes_do_not_matter)
{
    wn_bindings bindings = {0};
    wn_key_file file;
    read_keys(&file, "k", "[hunt]\nwhatever = t\n");
    wn_bindings_make(&bindings, mode(), &file);
    ck_assert_uint_eq(file.problem_count, 0);
    action_of(&bindings, 't', REST);
    wn_bindings_free(&bindings);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(a_keypad_key_works_with_and_without_numlock)
{
    wn_bindings bindings = {0};
    wn_bindings_make(&bindings, mode(), NULL);
    action_of(&bindings, WN_KEY_KP0 + 8, STEP);
    action_of(&bindings, WN_KEY_UP, STEP); /* what the key sends without NumLock */
    action_of(&bindings, '8', STEP);       /* what many terminals send with it */
    wn_bindings_free(&bindings);
}
END_TEST

START_TEST(every_command_can_be_reached_in_every_mode)
{
    wn_bindings bindings = {.window = true};
    wn_bindings_make(&bindings, mode(), NULL);
    for (uint32_t command = 0; command < WN_FRONTEND_COMMANDS; command++) {
        char keys[64];
        wn_bindings_keys(&bindings, true, command, 0, true, keys, sizeof keys);
        ck_assert_str_ne(keys, "");
    }
    wn_bindings_free(&bindings);
}
END_TEST

START_TEST(a_terminal_leaves_the_keys_of_a_window_alone)
{
    wn_key_file file;
    read_keys(&file, "keys.conf", "[frontend]\nzoom-in = z\n");
    wn_bindings bindings = {0};
    wn_bindings_make(&bindings, mode(), &file);
    ck_assert_ptr_null(wn_bindings_find(&bindings, WN_KEY_F1 + 8));
    ck_assert_ptr_null(wn_bindings_find(&bindings, 'z'));
    ck_assert_uint_eq(file.problem_count, 0); /* it is meant for the other frontend */
    bindings.window = true;
    wn_bindings_make(&bindings, mode(), &file);
    assert_command(&bindings, WN_KEY_F1 + 8, WN_DO_RECORD);
    assert_command(&bindings, 'z', WN_DO_ZOOM_IN);
    wn_bindings_free(&bindings);
    wn_key_file_free(&file);
}
END_TEST

RUN("interface keys", every_named_key_is_read_back_from_its_name, what_is_no_key_is_not_read_as_one,
    directions_are_the_same_on_arrows_keypad_and_letters, mode_keys_win_over_loose_keys_and_lose_to_firm_ones,
    escape_is_the_menu_whatever_the_file_says, the_file_wins_over_firm_keys_and_replaces_defaults,
    a_key_given_twice_keeps_its_first_meaning_and_is_complained_of,
    an_action_the_mode_does_not_have_is_named_with_those_it_has, sections_of_other_modes_do_not_matter,
    a_keypad_key_works_with_and_without_numlock, every_command_can_be_reached_in_every_mode,
    a_terminal_leaves_the_keys_of_a_window_alone)
