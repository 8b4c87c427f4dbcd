"""warren-polar: what it prints and its exit statuses. And the mode on a daemon: packs from files, hints from a
worker."""

import os
import subprocess
import tempfile
import unittest

from daemon import BUILD, DEADLINE, Client, Daemon, Refused, messages

LEVELS = f"{os.environ['WARREN_SOURCE']}/plugins/polar/levels"
ORIGINAL = f"{LEVELS}/original.polar"
SOLUTION = ("E4 S2 W2 N2 W3 S2 E20 S2 E3 N2 W2 S4 W7 N3 W15 N2 W3 S2 E2 N3 E8 S2 E3 S2 W2 N2 W3 S2 W3 S3 E14 N2 W11 N2 "
            "W2 S2 W3 S3 E3 W2 N3 E2 S2 W2 S3 E2")
CLEARED = """\
tre__________________________________________treice_____________________
tre_________mtn_______________________________________tre______tre______
tre____________________________________________________________hou______
tretre____________treice________________________________________________
cleared: 173 moves, 14 pushes.
"""
DONE, NOT_CLEARED, USAGE, UNREADABLE, WRONG_PACK = 0, 1, 64, 69, 78


def run(*words, given=""):
    done = subprocess.run([f"{BUILD}/bin/warren-polar", *words], input=given, capture_output=True, timeout=DEADLINE,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Tool(unittest.TestCase):
    def fails(self, status, sentence, *words):
        self.assertEqual(run(*words), (status, "", sentence + "\n"))

    def test_moves_clear_the_original_s_first_level_and_the_board_is_that_of_the_articles(self):
        self.assertEqual(run("play", ORIGINAL, "1", SOLUTION), (DONE, CLEARED, ""))
        self.assertEqual(run("play", ORIGINAL, "1", *SOLUTION.split()), (DONE, CLEARED, ""))
        moves = SOLUTION.lower().replace(" ", "\n")
        self.assertEqual(run("play", ORIGINAL, "1", "-", given=moves), (DONE, CLEARED, ""))
        self.assertEqual(run("play", ORIGINAL, "1", SOLUTION + " N5 S5"), (DONE, CLEARED, ""))

    def test_what_is_not_cleared_says_what_is_left(self):
        status, out, err = run("play", ORIGINAL, "1")
        self.assertEqual((status, err), (NOT_CLEARED, ""))
        self.assertTrue(out.endswith("\nnot cleared: 0 moves, 0 pushes, 3 hearts left.\n"))
        status, out, err = run("play", ORIGINAL, "1", "N2", "E1")
        self.assertTrue(out.endswith("\nnot cleared: 2 moves, 0 pushes, 3 hearts left, 1 more did nothing.\n"))

    def test_levels_are_shown(self):
        self.assertEqual(run("show", ORIGINAL), (DONE, "  1  24x4    3 hearts  Polar, level 1\n", ""))
        status, out, err = run("show", ORIGINAL, "1")
        self.assertEqual((status, err), (DONE, ""))
        self.assertTrue(out.startswith("title: Polar, level 1\nauthor: Go Endo\nstart: 0 0 south\ntre______"))
        self.assertEqual(out.count("\n"), 7)

    def test_wrong_usage_is_told_in_a_sentence(self):
        self.fails(USAGE, "warren-polar: there is no command dance; warren-polar --help lists them.", "dance")
        self.fails(USAGE, "warren-polar: show takes a PACK, and perhaps the number of a LEVEL.", "show")
        self.fails(USAGE, "warren-polar: play takes a PACK, the number of a LEVEL, and moves like E3 S2.", "play", "x")
        for level in ("0", "2", "x", "", "1x", "99999999999999999999"):
            self.fails(USAGE, f"warren-polar: level {level}: {ORIGINAL} has levels 1 to 1.", "show", ORIGINAL, level)
            self.fails(USAGE, f"warren-polar: level {level}: {ORIGINAL} has levels 1 to 1.", "play", ORIGINAL, level)
        self.fails(USAGE, "warren-polar: moves:1:4: expected N, E, S or W.", "play", ORIGINAL, "1", "E2", "Q")
        self.fails(USAGE, "warren-polar: moves:1:2: expected a number from 1 to 1000000.", "play", ORIGINAL, "1", "E0")

    def test_help_and_version(self):
        status, out, err = run("--help")
        self.assertEqual((status, err), (DONE, ""))
        for word in ("show", "play", "--version", "Exit status"):
            self.assertIn(word, out)
        self.assertEqual(run("-h"), (DONE, out, ""))
        self.assertEqual(run(), (USAGE, "", out))
        self.assertRegex(run("--version")[1], r"^warren-polar \d+\.\d+\.\d+\n$")
        self.assertEqual(run("-V"), run("--version"))

    def test_files_that_cannot_be_read_and_packs_with_a_mistake_are_named(self):
        self.fails(UNREADABLE, "warren-polar: /nowhere/x.polar cannot be read: No such file or directory.",
                   "show", "/nowhere/x.polar")
        self.fails(UNREADABLE, "warren-polar: / cannot be read: Is a directory.", "show", "/")
        with tempfile.NamedTemporaryFile("w", suffix=".polar") as file:
            file.write("title: One\n000\n0x0\n")
            file.flush()
            self.fails(WRONG_PACK, f"{file.name}:3:2: expected a digit from 0 to 6, found 'x'", "show", file.name)
            file.truncate(0)
            file.seek(0)
            file.write(";" * (4 << 20))
            file.write(";")
            file.flush()
            self.fails(UNREADABLE, f"warren-polar: {file.name} cannot be read: File too large.", "show", file.name)


class OnADaemon(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.files.cleanup)
        os.mkdir(f"{cls.files.name}/polar")
        for name, row in (("mine", "053"), ("wrong", "0x3")):
            with open(f"{cls.files.name}/polar/{name}.polar", "w", encoding="utf-8") as file:
                file.write(f"title: Mine\nstart: 1 0 east\n000\n{row}\n000\n")
        cls.daemon = Daemon([f"daemon.mode_files={cls.files.name}"]).start()
        cls.addClassCleanup(cls.daemon.__exit__)

    def actions(self, client):
        mode = next(m for m in client.request(list_modes=messages.ListModes()).modes.modes if m.name == "polar")
        return {action.name: action.id for action in mode.actions}

    def test_the_pack_is_floe_unless_another_is_named(self):
        with Client(self.daemon, "ann") as ann:
            ann.create("polar", "ice")
            ann.create("polar", "old", pack="original.polar")
            ann.create("polar", "mine", pack="mine.polar")
            for world, told in (("ice", "Level 1 of 29: Home"), ("old", "Level 1 of 1: Polar, level 1, by Go Endo"),
                                ("mine", "Level 1 of 1: Mine")):
                view = ann.join(world)
                ann.wait(lambda view=view, told=told: told in view.texts(), told)

    def test_what_is_wrong_in_a_pack_is_told_to_who_asks_for_the_world(self):
        with Client(self.daemon, "ann") as ann:
            with self.assertRaisesRegex(Refused, "wrong[.]polar:4:2: expected a digit from 0 to 6, found 'x'"):
                ann.create("polar", "bad", pack="wrong.polar")

    def test_a_hint_comes_from_a_worker(self):
        with Client(self.daemon, "ann") as ann:
            ann.create("polar", "hints", open="yes")
            view, actions = ann.join("hints"), self.actions(ann)
            ann.play(view, actions["next"])
            ann.command(view, actions["hint"])
            ann.wait(lambda: "Push the heart to the west: 1 push to go." in view.texts(), "the hint")


if __name__ == "__main__":
    unittest.main()
