"""The terminal frontend when a seat is ended: why, how the world goes on, and the way back into it. And the ways to
enter a world for the first time. The mode is offers.c."""

import unittest

from daemon import BUILD, messages
from screens import PLAIN, Screens, picture
from terminal import wait_until

MARK = 1
QUESTION = "Re-enter game [ynwo]?"


class Offers(Screens):
    modes = f"{BUILD}/offers-modes"

    def setUp(self):
        super().setUp()
        self.maker = self.client("maker")
        self.maker.create("offers", name="w")
        self.keys = f"{self.daemon.directory}/keys.conf"
        with open(self.keys, "w", encoding="ascii") as file:
            file.write("[offers]\nmark = m\ndie = x\n")

    def enter(self, *arguments, player="ann", size=(80, 24)):
        terminal = self.warren("-w", "w", "-p", player, "--keys", self.keys, *PLAIN, *arguments, size=size)
        self.wait_for_line(terminal, r"Marks +\d+$")
        return terminal

    def out(self, *arguments, **options):
        """A player whom the question is put to."""
        terminal = self.enter(*arguments, **options)
        terminal.send("x")
        terminal.wait_for(QUESTION)
        return terminal

    def entry(self, terminal, number):
        """Waits until the player is in, by that way."""
        self.wait_without(terminal, "Re-enter")
        self.wait_without(terminal, "(watching)")
        self.wait_for_line(terminal, rf"Entry +{number}$")

    def players(self):
        return [(p.player, p.world) for p in self.maker.request(list_players=messages.ListPlayers()).players.players]

    def watchers(self):
        return [p.player for p in self.maker.request(list_players=messages.ListPlayers()).players.watchers]


class Again(Offers):
    def test_who_is_out_sees_why_watches_on_and_is_asked(self):
        terminal = self.out()
        screen = terminal.screen()
        for text in ("Out of the game", "fell over mark 1", "Marks: 1", "y again, n leave, w write, o other way"):
            self.assertIn(text, screen)
        self.assertEqual(screen.split("\n")[23], f" {QUESTION}")
        self.assertEqual(self.watchers(), ["ann"])
        bob = self.client("bob")
        view = bob.join("w")
        bob.play(view, MARK)
        bob.wait(lambda: view.fields[0].number == 2, "another mark")
        self.assertEqual(picture(view)[0].strip(), "+")
        terminal.send("Escape")  # puts the box away
        self.wait_without(terminal, "fell over")
        wait_until(lambda: "    +  " in terminal.screen().split("\n")[12] + terminal.screen().split("\n")[13],
                   lambda: f"the walker:\n{terminal.screen()}")
        self.assertIn(QUESTION, terminal.screen())
        self.assertRegex(terminal.screen(), r"(?m)Marks +1$")  # the seat's status, as it ended
        terminal.send("Escape")
        terminal.wait_for("fell over mark 1")

    def test_yes_enters_as_last_time(self):
        terminal = self.out("--enter", "hidden")
        terminal.send("y")
        self.entry(terminal, 1)
        self.assertEqual((self.players(), self.watchers()), ([("ann", "w")], []))
        terminal.send("m")
        self.wait_for_line(terminal, r"Marks +2$")

    def test_the_other_ways_are_listed_and_their_keys_enter(self):
        terminal = self.out()
        terminal.send("o")
        screen = terminal.wait_for("In which way?")
        self.assertRegex(screen, r"(?m)p +plainly: As you are")
        self.assertRegex(screen, r"(?m)h +hidden: In a cloak")
        terminal.send("Escape")
        terminal.wait_for(QUESTION)
        self.wait_without(terminal, "In a cloak")
        terminal.send("o", "h")
        self.entry(terminal, 1)
        terminal.send("x")
        terminal.wait_for(QUESTION)
        terminal.send("p")  # straight
        self.entry(terminal, 0)
        terminal.send("x")
        terminal.wait_for(QUESTION)
        terminal.send("y")
        self.entry(terminal, 0)

    def test_a_word_can_be_said_first(self):
        terminal = self.out()
        bob = self.client("bob")
        view = bob.watch("w")
        terminal.send("w")
        terminal.wait_for("Message:")
        terminal.type("no y or n")
        terminal.send("Enter")
        bob.wait(lambda: "no y or n" in "".join(view.texts()), "the message")
        terminal.wait_for(QUESTION)
        terminal.send("w")
        terminal.type("not this")
        terminal.send("Escape")
        terminal.wait_for(QUESTION)
        terminal.send("y")
        self.entry(terminal, 0)
        bob.drain(view)
        self.assertNotIn("not this", "".join(view.texts()))

    def test_no_leads_to_the_list_and_nobody_is_left_behind(self):
        terminal = self.out()
        terminal.send("n")
        terminal.wait_for("Enter join")
        self.wait_for_line(terminal, r"^ w +offers +0/4 +0 ")

    def wait_for_seats(self, taken):
        def are_taken():
            worlds = self.client().request(list_worlds=messages.ListWorlds()).worlds.worlds
            return [world.players for world in worlds if world.name == "w"] == [taken]
        wait_until(are_taken, f"{taken} seats taken")

    def test_a_refusal_is_said_and_the_question_stands(self):
        terminal = self.out()
        others = [self.client(f"other-{i}") for i in range(4)]
        views = [other.join("w") for other in others]
        terminal.send("y")
        self.wait_for_text(terminal, "all 4 seats of w are taken; it can be watched")
        terminal.wait_for(QUESTION)
        wait_until(lambda: self.watchers() == ["ann"], "watching on")
        others[0].request(leave=messages.LeaveWorld(world=views[0].joined.world))
        self.wait_for_seats(3)  # the answer may come before the mode has heard of it
        terminal.send("y")
        self.entry(terminal, 0)

    def test_a_world_that_is_closed_offers_no_way_back(self):
        terminal = self.out()
        self.maker.request(close=messages.CloseWorld(world="w"))
        screen = terminal.wait_for("It is over")
        self.assertNotIn("Re-enter", screen)
        terminal.send("Enter")
        terminal.wait_for("no worlds yet")

    def test_keys_that_were_meant_for_the_game_answer_nothing(self):
        terminal = self.enter()
        terminal.send("x", "n", "n")
        terminal.wait_for(QUESTION)


class FirstTime(Offers):
    def test_the_way_can_be_named_and_a_wrong_one_names_those_there_are(self):
        self.entry(self.enter("--enter", "hidden"), 1)
        terminal = self.warren("-w", "w", "--enter", "sideways", *PLAIN)
        self.wait_for_text(terminal, 'offers has no way to enter that is called "sideways"; those there are: plainly, '
                                     "hidden.")
        terminal = self.warren("--create", "offers", "--name", "new", "-p", "cat", "--enter", "hidden", *PLAIN)
        self.entry(terminal, 1)

    def test_a_way_needs_a_world_to_play_in(self):
        for arguments in (["--enter", "hidden"], ["--enter", "hidden", "-w", "w", "--watch"]):
            terminal = self.warren(*arguments)
            self.assertEqual(terminal.wait_for_end(), 64)
            self.wait_for_text(terminal, "--enter says how to play")

    def test_the_help_has_them(self):
        terminal = self.enter(size=(80, 40))
        terminal.send("F1")
        self.assertRegex(terminal.wait_for("Ways to enter"), r"(?m)h +hidden: In a cloak")

    def test_the_list_asks_how_if_that_is_wanted(self):
        terminal = self.warren("-p", "ann", *PLAIN)
        self.wait_for_line(terminal, "^ w +offers")
        terminal.send("e")
        self.assertRegex(terminal.wait_for("How to enter"), r"(?m)h +hidden: In a cloak")
        terminal.send("Escape")
        self.wait_without(terminal, "How to enter")
        terminal.send("e")
        terminal.wait_for("How to enter")
        terminal.send("h")
        self.entry(terminal, 1)


if __name__ == "__main__":
    unittest.main()
