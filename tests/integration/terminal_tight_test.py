"""hunt in a terminal of 80 by 24: where every column of the screen stands, which is where BSD's hunt(6) has it. In
larger windows the usual layout."""

import unittest

from daemon import BUILD, SOURCE, messages
from screens import PLAIN, WARREN, Screens, picture
from terminal import Terminal, wait_until

PANEL = 60  # the column in which it begins

# The panel of an 80 by 24 screen, from column 60 on: titles at 60, numbers to 76, a gauge's slash in 76, scores from 61
# to 65, the sign of the player's state in 66, names from 67 on, the team in 78.
PANEL_OF_ONE = """\
Ammo:          25
Gun:           ok
Damage:        0/10
Kills:          0

Player:
  0.00+one
  0.00+two
  0.00+longest-of 3












Monitor:
       eye
""".split("\n")


class Tight(Screens):
    def setUp(self):
        super().setUp()
        self.client("maker").create("hunt", name="h", seed=5, spectator_delay=0, nshots=5, reflect="no", boots="no")

    def start(self):
        """A player's terminal, with two others in the world and one who watches; the watcher and its view."""
        one = self.warren("-w", "h", "-p", "one", *PLAIN)
        one.wait_for("Ammo:")
        for player in ("two", "longest-of-names/3"):
            self.client(player).join("h")
        eye = self.client("eye")
        return one, eye, eye.watch("h")

    def lines(self, terminal):
        lines = terminal.screen().split("\n")
        return [line.ljust(80) for line in lines[:24]]

    def wait_for_panel(self, terminal, panel):
        wait_until(lambda: [line[PANEL:].rstrip() for line in self.lines(terminal)[:23]] == panel[:23],
                   lambda: "the panel on the screen:\n{}".format(terminal.screen()))
        self.assertEqual({line[51:60] for line in self.lines(terminal)[:23]}, {" " * 9})

    def test_the_panel_stands_in_the_columns_of_the_original(self):
        one, _, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        self.assertRegex(self.lines(one)[23], "^ F1 help")  # until there is a message

    def test_the_heading_of_who_watches_stands_there_also_when_nobody_does(self):
        one, eye, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        eye.request(goodbye=messages.Goodbye())
        self.wait_for_panel(one, PANEL_OF_ONE[:22] + [""])

    def test_the_map_begins_in_the_corner(self):
        _, eye, view = self.start()
        watcher = self.warren("-w", "h", "--watch", "-p", "eye", *PLAIN)
        wait_until(lambda: sorted(line[PANEL:].rstrip() for line in self.lines(watcher)[20:23]) ==
                   ["       eye", "       eye-2", "Monitor:"], watcher.screen)
        self.assertEqual([line[PANEL:].rstrip() for line in self.lines(watcher)[:4]],
                         ["Ammo:", "Gun:", "Damage:", "Kills:"])
        eye.wait(lambda: view.width == 51, "the maze")
        eye.drain(view)
        self.assertEqual([line[:51] for line in self.lines(watcher)[:23]], picture(view))

    def test_the_last_row_has_the_newest_message_until_another_comes(self):
        one, eye, view = self.start()
        eye.request(say=messages.Say(world=view.joined.world, text="behind you"))
        wait_until(lambda: self.lines(one)[23].rstrip() == "eye: behind you", one.screen)
        one.send("F3")
        self.wait_for_line(one, r"^ Say: *$")
        one.type("where?")
        one.send("Enter")
        wait_until(lambda: self.lines(one)[23].rstrip() == "one: where?", one.screen)

    def test_the_end_is_told_in_the_middle_of_the_map_and_the_question_in_the_last_row(self):
        one, _, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        one.send("q")
        one.wait_for("Re-enter game [ynwo]?")
        lines = self.lines(one)
        self.assertEqual([line[21:29] for line in lines[10:13]], ["+------+", "| Quit |", "+------+"])
        self.assertEqual(lines[23].rstrip(), "Re-enter game [ynwo]?  y again, n leave, w write, o other way")
        self.assertEqual([line[PANEL:].rstrip() for line in lines[:4]], PANEL_OF_ONE[:4])  # as it was
        one.send("Escape")
        self.wait_for_line(one, r"^Re-enter game \[ynwo\]\?  Esc shows it again$")
        one.send("F1")
        one.wait_for("Out of the game")
        for key, text in (("y", "enter again, in the same way"), ("n", "leave this world"), ("w", "write a message"),
                          ("o", "choose another way")):
            self.assertRegex(one.screen(), rf"\| {key} +{text}")
        one.send("Escape")
        self.wait_without(one, "Out of the game")
        one.send("f")
        wait_until(lambda: "  0.00&one" in one.screen(), one.screen)

    def test_the_scores_of_all_worlds_are_a_key_from_those_of_this_one(self):
        one, eye, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        one.send("q")
        one.wait_for("Re-enter game")
        one.send("y")
        playing = messages.ListPlayers()
        wait_until(lambda: "one" in [p.player for p in eye.request(list_players=playing).players.players], one.screen)
        wait_until(lambda: "Re-enter" not in one.screen(), one.screen)
        self.wait_for_panel(one, PANEL_OF_ONE)  # and watches no more
        one.send("F5")
        one.wait_for("a: all worlds, Esc closes")
        one.send("a")
        one.wait_for("Best of all worlds of Hunt")
        self.assertRegex(one.wait_for("| Score"), r"\|   1  one +0\.00 ")
        one.send("a")
        one.wait_for("a: all worlds, Esc closes")

    def test_a_larger_window_has_the_usual_layout_with_who_watches(self):
        one, _, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        one.resize(120, 40)
        self.wait_for_line(one, r"^ h  Hunt +one")
        self.wait_for_line(one, r"\| Monitor\n.*\| eye\n F1 help")
        one.resize(80, 24)
        self.wait_for_panel(one, PANEL_OF_ONE)

    def test_a_lost_server_is_told_of_and_the_question_outlives_it(self):
        one, _, _ = self.start()
        self.wait_for_panel(one, PANEL_OF_ONE)
        one.send("q")
        one.wait_for("Re-enter game [ynwo]?")
        self.daemon.stop()
        wait_until(lambda: "waiting for it" in self.lines(one)[23], one.screen)
        self.daemon.start()
        one.wait_for("Re-enter game [ynwo]?")
        one.send("y")
        wait_until(lambda: "  0.00+one" in one.screen(), one.screen)


class Replayed(unittest.TestCase):
    def test_a_recording_has_the_whole_maze_and_tells_the_turn_in_the_last_line(self):
        terminal = Terminal([WARREN, "--replay", f"{SOURCE}/tests/recordings/hunt-crowd.warren", "--mode-path",
                             f"{BUILD}/modes", *PLAIN])
        self.addCleanup(terminal.close)
        terminal.wait_for("spectators  0/")
        wall = r"\+[-+]{49}\+"
        self.assertRegex(terminal.screen().split("\n")[0], rf"^{wall} +Ammo:")
        self.assertRegex(terminal.screen().split("\n")[22], rf"^{wall}$")
        terminal.send("g")
        terminal.wait_for("Go to turn (0-")
        terminal.type("40")
        terminal.send("Enter")
        terminal.wait_for("spectators  40/")
        terminal.send("?")
        terminal.wait_for("arrows scroll, Esc closes")
        terminal.send("Escape", "q")
        self.assertEqual(terminal.wait_for_end(), 0)


if __name__ == "__main__":
    unittest.main()
