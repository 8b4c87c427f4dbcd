"""warren-mode-check: modes that keep their promises pass, one that breaks a promise is told which, in words."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE, BUILD = os.environ["WARREN_SOURCE"], os.environ["WARREN_BUILD"]
CHECK = os.path.join(BUILD, "bin", "warren-mode-check")
FLAWED = os.path.join(BUILD, "flawed-modes", "flawed.so")
NAMESAKE = os.path.join(BUILD, "namesake-modes", "namesake.so")
FRAGILE = os.path.join(BUILD, "fragile-modes", "fragile.so")


def run(*arguments):
    return subprocess.run([CHECK, *arguments], capture_output=True, text=True, timeout=100)


def findings(*arguments):
    """The findings by section: {"saves": ["...", ...]}. The exit status has to fit."""
    done = run("--json", *arguments)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{done.args}: status {done.returncode}: {done.stderr}")
    report = json.loads(done.stdout)
    found = {section["name"]: section["findings"] for section in report["sections"] if section["findings"]}
    assert report["findings"] == sum(map(len, found.values())) and done.returncode == bool(found), report
    return found


class Flaws(unittest.TestCase):
    def expect(self, flaw, section, words, *arguments):
        """The flaw is found in that section, in those words."""
        found = findings("--set", f"flaw={flaw}", "--set", "far=3", *arguments, FLAWED)
        texts = [finding["text"] for finding in found.get(section, [])]
        self.assertTrue(any(words in text for text in texts), f"{flaw}: {found}")
        return found

    def test_without_a_flaw_nothing_is_found(self):
        self.assertEqual(findings("--set", "flaw=none", "--set", "far=3", FLAWED), {})

    def test_state_that_depends_on_an_address(self):
        self.expect("address", "determinism", "are no longer the same")

    def test_state_that_depends_on_a_global(self):
        self.expect("global", "determinism", "are no longer the same")

    def test_state_that_depends_on_the_process(self):
        self.expect("outsider", "determinism", "in another process")

    def test_a_save_that_forgets_what_turns_go_by(self):
        self.expect("forgetful", "saves", "saved and loaded", "--turns", "200")

    def test_a_save_that_forgets_what_is_shown(self):
        self.expect("forgets-shown", "saves", "status field pushes differs", "--turns", "200")

    def test_a_load_that_believes_everything(self):
        self.expect("gullible", "saves", "load(), while loading a damaged save")

    def test_a_load_that_refuses_what_was_saved(self):
        self.expect("picky", "saves", "that is too much for me")

    def test_drawing_outside_of_the_view(self):
        self.expect("outside", "drawing", "was drawn in a view of 16 by 4 cells")

    def test_a_draw_that_changes_the_world(self):
        self.expect("painter", "drawing", "draw() changes the world")

    def test_a_draw_that_leaves_what_is_gone(self):
        self.expect("stale", "drawing", "kept up by WN_DRAW_CHANGES")

    def test_memory_that_grows_turn_by_turn(self):
        self.expect("leak", "memory", "grows on and on")

    def test_memory_that_is_taken_in_every_turn(self):
        self.expect("waste", "memory", "called wn_alloc()")

    def test_memory_that_is_not_there(self):
        self.expect("greedy", "memory", "in create()")

    def test_a_crash_tells_its_turn_and_goes_on_from_there(self):
        found = self.expect("crash", "play", "in turn()")
        crash = found["play"][0]
        self.assertGreater(crash["turn"], 5)
        again = findings("--seed", crash["seed"], "--set", "flaw=crash", "--set", "far=3", FLAWED)
        self.assertEqual(again["play"][0]["turn"], crash["turn"])

    def test_a_hang(self):
        found = self.expect("hang", "play", "hangs: no sign of life for 1 s", "--patience", "1")
        self.assertIn("in turn()", found["play"][0]["text"])

    def test_the_end_of_the_process(self):
        self.expect("quit", "play", "ended its process, with exit status 0, in turn()")

    def test_work_that_writes_past_its_room(self):
        self.expect("overwrite", "work", "")

    def test_work_that_says_it_wrote_more_than_there_was_room_for(self):
        self.expect("boastful", "work", "with room for")

    def test_work_that_gives_two_answers(self):
        self.expect("fickle", "work", "two answers to one question")

    def test_nobody_is_let_in(self):
        self.expect("unfriendly", "play", "nobody was let in")

    def test_a_setting_that_crashes_at_its_limit_is_named(self):
        found = findings("--set", "flaw=none", "--turns", "50", FLAWED)
        self.assertEqual(list(found), ["settings"])
        self.assertIn("far=1000", found["settings"][0]["settings"])

    def test_a_refusal_without_a_reason(self):
        found = findings("--set", "flaw=silent", "--turns", "50", FLAWED)
        self.assertIn("did not say why", found["settings"][0]["text"])


class Reports(unittest.TestCase):
    def test_the_mode_of_the_other_tests_is_seen_through(self):
        found = findings("--patience", "1", FRAGILE)
        self.assertIn("play", found)

    def test_a_descriptor_that_breaks_rules(self):
        done = run(os.path.join(BUILD, "test-modes", "wide.so"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not one character of one column", done.stdout)
        self.assertRegex(done.stdout, r"descriptor +WRONG")
        self.assertRegex(done.stdout, r"play +not checked")

    def test_a_file_of_another_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "renamed.so")
            shutil.copy(FLAWED, path)
            found = findings("--set", "flaw=none", "--set", "far=3", "--turns", "20", path)
            self.assertIn("its file renamed.so", found["descriptor"][0]["text"])

    def test_settings_that_are_called_like_the_server_s(self):
        texts = [finding["text"] for finding in findings("--turns", "20", NAMESAKE)["descriptor"]]
        self.assertEqual(len(texts), 2, texts)
        for name, text in zip(("join", "bots"), texts):
            self.assertIn(f"the setting {name} has the name of one of the server's", text)

    def test_so_many_settings_that_those_of_the_server_have_no_room(self):
        with open(f"{SOURCE}/tests/integration/modes/namesake.c", encoding="utf-8") as file:
            source = file.read().replace('.name = "namesake"', '.name = "crowded"')
        for count, expected in ((59, {}), (60, {"descriptor": 1})):
            rows = ", ".join(f'{{"s{i}", WN_SETTING_BOOLEAN, 0, 0, "no", NULL, "Nothing"}}' for i in range(count))
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/crowded.c", "w", encoding="utf-8") as file:
                    file.write(re.sub(r"settings\[\] = {.*?};", f"settings[] = {{{rows}}};", source, flags=re.DOTALL))
                subprocess.run(["cc", "-shared", "-fPIC", f"-I{SOURCE}/plugins/sdk/include", f"{folder}/crowded.c",
                                "-o", f"{folder}/crowded.so"], check=True)
                found = findings("--turns", "20", f"{folder}/crowded.so")
                self.assertEqual({name: len(those) for name, those in found.items()}, expected, count)

    def test_what_cannot_be_checked(self):
        for status, words, arguments in (
            (64, "exactly one mode", ()),
            (64, "out of range", ("--turns", "0", FLAWED)),
            (66, "cannot be read", ("/nowhere/at-all.so",)),
            (69, "exports no function wn_mode()", (os.path.join(BUILD, "test-modes", "nameless.so"),)),
            (69, "version 7 of the mode ABI", (os.path.join(BUILD, "test-modes", "newer.so"),)),
        ):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
            self.assertIn(words, done.stderr)

    def test_a_setting_that_there_is_not(self):
        done = run("--set", "colour=red", FLAWED)
        self.assertEqual(done.returncode, 1)
        self.assertIn('has no setting "colour"', done.stdout)

    def test_the_report_says_how_to_see_it_again(self):
        done = run("--set", "flaw=outside", "--set", "far=3", "--turns", "50", FLAWED)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Clip what you draw", done.stdout)
        self.assertIn("warren-mode-check --seed 1 --players 6 --set flaw=outside --set far=3", done.stdout)


if __name__ == "__main__":
    unittest.main()
