"""The terminal frontend in real terminals: what is on the screen is what a client of its own knows, and what players
do there happens. The list of worlds and the connection are in terminal_worlds_test.py, the terminal as such in
terminal_state_test.py."""

import re
import unittest

from daemon import Daemon, Refused, messages
from screens import LARGE, PLAIN, WINDOWS, Screens, one_line, picture, place_on_map, shown
from terminal import wait_until

SHOWN_KEYS = {"left": "Left", "right": "Right", "up": "Up", "down": "Down", "home": "Home", "end": "End",
              "pageup": "PgUp", "pagedown": "PgDn", "space": "Space"}


def lichens(view):
    return {s.id: s for s in view.sprites.values() if view.joined.mode.tiles[s.tile].name == "lichen"}


class Together(Screens):
    def test_a_lichen_that_one_kills_vanishes_from_the_screens_of_both(self):
        world = self.world()
        client, view = self.spectator(world)
        ann, bob = self.play(world, "ann"), self.play(world, "bob")
        for terminal, player in ((ann, "ann"), (bob, "bob")):
            self.wait_for_map(terminal, client, view, player=player)
        victim = min(lichens(view).values(), key=lambda s: s.id)
        key = self.go_next_to(ann, client, view, world, victim.at)
        corners = [self.wait_for_map(ann, client, view), self.wait_for_map(bob, client, view, player="bob")]
        y, x = divmod(victim.at, view.width)
        for terminal, corner in zip((ann, bob), corners):
            self.assertEqual(self.cell_at(terminal, corner, y, x), "F")
        self.do(ann, client, world, key)
        client.drain(view)
        self.assertNotIn(victim.id, view.sprites)
        for terminal, corner in zip((ann, bob), corners):
            wait_until(lambda: self.cell_at(terminal, corner, y, x) == ".", lambda: f"no lichen:\n{terminal.screen()}")
            self.wait_for_line(terminal, r"Lichens left +2$")
            self.wait_for_line(terminal, r"\| ann +1$")
        ann.wait_for("The lichen dies.")

    def cell_at(self, terminal, corner, y, x):
        window = WINDOWS[(80, 24)]
        return terminal.screen().split("\n")[window.y + y - corner[0]][window.x + x - corner[1]]

    def test_what_one_says_the_other_reads_letter_for_letter(self):
        world = self.world()
        ann, bob = self.play(world, "ann", look=()), self.play(world, "bob", look=())
        ann.send("t")
        ann.wait_for("Say:")
        ann.type("Žluťoučký kůň, γειά, 世界!")
        ann.wait_for("Say: Žluťoučký kůň, γειά, 世界!")
        ann.send("BSpace", "BSpace", "Enter")
        bob.wait_for("ann: Žluťoučký kůň, γειά, 世")
        self.assertNotIn("界", bob.screen())
        self.wait_without(ann, "Say:")
        ann.wait_for("ann: Žluťoučký kůň, γειά, 世")

    def test_a_spectator_sees_all_looks_around_and_cannot_act(self):
        world = self.world(**LARGE)
        ann = self.client("ann")
        played = ann.join(world)
        ann.wait(lambda: played.sequence is not None, "ann's view")
        wat = self.warren("-w", world, "--watch", "-p", "wat", *PLAIN)
        wat.wait_for("(watching)")
        client, view = self.spectator(world)
        before = self.wait_for_map(wat, client, view)
        turn = self.turn(client, world)
        wat.send("l", "j", ".", "Space", "R", "?")  # the mode's keys; then the help shows that they have been taken
        wat.wait_for("arrows scroll, Esc closes")
        wat.send("Escape")
        ann.play(played, 2)
        self.assertEqual(self.turn(client, world), turn + 1)
        self.assertEqual(len([s for s in view.sprites.values() if s.label]), 1)
        self.assertEqual(self.wait_for_map(wat, client, view), before)
        key, by = ("Left", -8) if before[1] >= 8 else ("Right", 8)
        wat.send(key)
        wait_until(lambda: self.corner(wat, client, view) == (before[0], before[1] + by), wat.screen)

    def corner(self, terminal, client, view):
        client.take_updates()
        return place_on_map(terminal.screen(), WINDOWS[(80, 24)], picture(view))


class Map(Screens):
    def test_the_screen_is_the_replica_at_every_size_and_after_live_resizes(self):
        world = self.world(**LARGE)
        client, view = self.spectator(world)
        for size in ((80, 24), (40, 12), (160, 50)):
            with self.subTest(started=size):
                player = f"p{size[0]}"
                terminal = self.play(world, player, size=size)
                self.wait_for_map(terminal, client, view, size, player)
                self.do(terminal, client, world, "h", "j", "h", "h", "u", "u")
                self.wait_for_map(terminal, client, view, size, player)
        for size in ((40, 12), (100, 30), (60, 20), (160, 50), (72, 40), (80, 24)):
            with self.subTest(resized=size):
                terminal.resize(*size)
                self.wait_for_map(terminal, client, view, size, player)
                self.do(terminal, client, world, "l", "l")
                self.wait_for_map(terminal, client, view, size, player)

    def test_a_world_smaller_than_the_window_stands_in_its_middle(self):
        world = self.world()
        client, view = self.spectator(world)
        terminal = self.play(world)
        self.assertEqual(self.wait_for_map(terminal, client, view), (-2, -18))

    def test_the_map_scrolls_with_the_player_and_stops_at_its_edges(self):
        world = self.world(width=80, height=40, smoothing=6)
        client, view = self.spectator(world)
        terminal = self.play(world)
        window = WINDOWS[(80, 24)]
        corners = [self.wait_for_map(terminal, client, view)]
        for key, axis, end in (("h", 1, 0), ("k", 0, 0), ("l", 1, view.width - 1), ("j", 0, view.height - 1)):
            while True:
                self.do(terminal, client, world, *[key] * 8)
                corner = self.wait_for_map(terminal, client, view)
                place = self.place_of(view, "ann")
                corners.append(corner)
                for at, first, seen, cells in zip(place, corner, (window.height, window.width), (40, 80)):
                    self.assertTrue(first >= 0 and first + seen <= cells, "nothing outside of the map is shown")
                    ahead = min(at - first if first > 0 else 6, first + seen - 1 - at if first + seen < cells else 6)
                    self.assertGreaterEqual(ahead, 6, f"the player at {place} sees too little from {corner}")
                if place[axis] == end:
                    break
        self.assertLessEqual({0, view.width - window.width}, {corner[1] for corner in corners})
        self.assertLessEqual({0, view.height - window.height}, {corner[0] for corner in corners})

    def test_a_window_that_is_too_small_says_so_until_it_is_large_enough(self):
        world = self.world()
        client, view = self.spectator(world)
        terminal = self.play(world)
        before = self.turn(client, world)
        terminal.resize(39, 12)
        self.wait_for_text(terminal, "This window has 39x12 cells; Warren needs 40x12. F10 or q quits.")
        terminal.send(*"hjkl", "F1", "F3", "x", "Enter")  # nobody sees what that would do
        terminal.resize(80, 24)
        self.wait_for_map(terminal, client, view)
        self.do(terminal, client, world, ".")
        self.assertEqual(self.turn(client, world), before + 1)
        terminal.resize(30, 10)
        self.wait_for_text(terminal, "This window has 30x10 cells")
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 0)


class Boxes(Screens):
    def test_the_help_lists_every_action_of_the_mode_with_all_its_keys(self):
        world = self.world()
        _, view = self.spectator(world)
        terminal = self.play(world, size=(90, 60))
        terminal.send("F1")
        terminal.wait_for("arrows scroll, Esc closes")
        lines = terminal.screen().split("\n")
        for action in view.joined.mode.actions:
            self.assertIn(one_line(action.help), one_line(terminal.screen()))
            by_argument = {}
            for key in action.keys:
                name = SHOWN_KEYS.get(key.key, key.key.replace("kp", "Num"))
                by_argument.setdefault(key.argument, []).append(name)
            for names in by_argument.values():
                self.assertTrue(any(set(names) <= set(line.split()) for line in lines), f"{names} in one line")
        for tile in ("lichen", "wall", "floor"):
            self.assertRegex(terminal.screen(), rf"(?m)^ *[| .#]*\| . +{tile} ")

    def test_the_help_of_a_small_window_scrolls_to_its_end_and_closes(self):
        terminal = self.play(self.world(), size=(40, 12))
        terminal.send("?")
        terminal.wait_for("Lichens spread")
        terminal.send("End")
        terminal.wait_for("| @   you")
        terminal.send("Home")
        terminal.wait_for("Lichens spread")
        terminal.send("PageDown")
        self.wait_without(terminal, "Lichens spread")
        terminal.send("Escape")
        self.wait_without(terminal, "Esc closes")

    def test_the_message_log_scrolls_back_to_the_first_and_to_the_last(self):
        world = self.world()
        terminal = self.play(world)
        client = self.client("bob")
        view = client.join(world)
        for number in range(60):
            client.request(say=messages.Say(world=view.joined.world, text=f"word {number:02}"))
        terminal.wait_for("bob: word 59")
        self.assertNotIn("word 00", terminal.screen())
        terminal.send("F2")
        terminal.wait_for("PgUp PgDn scroll")
        terminal.wait_for("| bob: word 59 ")
        terminal.send("PageUp")
        terminal.wait_for("word 30")
        self.assertNotIn("| bob: word 59 ", terminal.screen())
        terminal.send("Home")
        terminal.wait_for("bob: word 00")
        terminal.send("End")
        terminal.wait_for("| bob: word 59 ")
        terminal.send("Escape")
        self.wait_without(terminal, "PgUp PgDn scroll")


    def test_messages_that_do_not_fit_end_in_dots_and_are_counted_with_the_key_that_shows_them(self):
        world = self.world()
        terminal = self.play(world, size=(60, 20))
        client = self.client("bob")
        view = client.join(world)
        for number in range(5):
            client.request(say=messages.Say(world=view.joined.world, text=f"{number} " + "and on and on " * 14))
        self.wait_for_line(terminal, r"^ bob: 4 and on .*\.\.\. \+\d F2$")
        self.wait_for_line(terminal, r"(on|and)\.\.\.$")
        terminal.send("F2")
        terminal.wait_for("| bob: 3 and on")


    def test_a_box_stays_in_a_window_that_becomes_smaller(self):
        terminal = self.play(self.world())
        terminal.send("Escape")
        terminal.wait_for("Enter chooses, Esc closes")
        terminal.resize(40, 12)
        wait_until(lambda: re.search(r"Warren -+\+[^|]*\n.*\| +Go on +\|", terminal.screen()), terminal.screen)


class Beginnings(Screens):
    def test_the_greeting_leaves_the_player_in_sight_and_goes_with_the_first_move(self):
        terminal = self.warren("-w", self.world(**LARGE), "-p", "ann", *PLAIN)
        screen = terminal.wait_for("Esc hides this")
        self.assertIn("The cave waits for your first move.", screen)
        self.assertIn("@", screen)
        terminal.send(".")
        self.wait_without(terminal, "Esc hides this")

    def test_who_kills_the_only_lichen_wins_and_all_are_told(self):
        world = self.world(lichens=1)
        client, view = self.spectator(world)
        ann, bob = self.play(world), self.play(world, "bob")
        self.wait_for_map(ann, client, view)
        [victim] = lichens(view).values()
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, victim.at))
        screen = ann.wait_for("The cave is yours")
        self.assertIn("Your kills: 1", screen)
        self.assertIn("new ones can be made", screen)
        self.assertIn("Your kills: 0", bob.wait_for("The cave is yours"))
        ann.send("Escape")
        self.wait_without(ann, "The cave is yours")
        self.wait_for_map(ann, client, view)
        self.assertIn("(over)", ann.screen())
        bob.send("Enter")
        self.wait_for_line(bob, rf"{world} +caves .* over\b")

    def test_another_world_like_one_that_is_over_is_a_key_away(self):
        world = self.world(seed=3, width=16, lichens=1, smoothing=10)
        client, view = self.spectator(world)
        ann = self.play(world)
        self.wait_for_map(ann, client, view)
        [victim] = lichens(view).values()
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, victim.at))
        ann.wait_for("n: another")
        self.wait_for_line(ann, r"^ n another like it   Enter world list   Esc look around$")
        ann.send("n")
        self.hide_greeting(ann)
        self.wait_for_line(ann, r"^ caves-\d+  Caves +ann")
        [other] = client.request(list_players=messages.ListPlayers()).players.players
        self.assertEqual(other.player, "ann")
        worlds = {w.name: w for w in client.request(list_worlds=messages.ListWorlds()).worlds.worlds}
        self.assertEqual(len(worlds), 2)
        self.assertEqual(*({s.name: s.value for s in w.settings} for w in worlds.values()))

    def test_why_there_is_no_other_world_stands_in_the_result(self):
        self.daemon = Daemon(["limits.worlds=1"]).start()
        self.addCleanup(self.daemon.__exit__)
        world = self.world(seed=3, width=16, lichens=1, smoothing=10)
        client, view = self.spectator(world)
        ann = self.play(world)
        self.wait_for_map(ann, client, view)
        [victim] = lichens(view).values()
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, victim.at))
        ann.wait_for("n: another")
        ann.resize(40, 12)
        ann.wait_for("n: another")
        ann.send("n")
        with self.assertRaises(Refused) as refused:
            self.client("maker").create(name="other")
        self.wait_for_text(ann, str(refused.exception))
        ann.send("Enter")
        self.wait_for_line(ann, rf"^ {world} +caves ")

    def test_who_is_killed_is_told_by_whom_and_sees_how_it_ended(self):
        world = self.world(seed=3, width=16, lichens=0, smoothing=10, pvp="yes", mortal="yes", attack=40)
        client, view = self.spectator(world)
        ann, bob = self.play(world), self.play(world, "bob")
        client.wait(lambda: len(view.sprites) == 2, "both")
        y, x = self.place_of(view, "bob")
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, y * view.width + x))
        bob.wait_for("killed by ann")
        self.assertIn("Hit points: 0/40", bob.screen())
        self.wait_for_line(bob, r"\| Hit points +0/40$")
        self.wait_for_line(ann, r"\| Hit points +40/40$")
        bob.wait_for("Re-enter game [ynw]?")
        bob.send("n")
        self.wait_for_line(bob, rf"{world} +caves +1/64 ")

    def test_a_world_that_is_over_takes_the_question_back(self):
        world = self.world(seed=3, width=16, lichens=1, smoothing=10, pvp="yes", mortal="yes", attack=40)
        client, view = self.spectator(world)
        ann, bob = self.play(world), self.play(world, "bob")
        client.wait(lambda: len(view.sprites) == 3, "both and the lichen")
        y, x = self.place_of(view, "bob")
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, y * view.width + x))
        bob.wait_for("Re-enter game [ynw]?")
        client.drain(view)
        [victim] = lichens(view).values()
        self.do(ann, client, world, self.go_next_to(ann, client, view, world, victim.at))
        ann.wait_for("The cave is yours")
        self.wait_without(bob, "Re-enter")
        bob.wait_for("Enter: world list")
        bob.send("Enter")
        self.wait_for_line(bob, rf"{world} +caves .* over\b")

    def test_who_lets_the_lichens_grow_loses(self):
        world = self.world(growth_permille=1000, overrun=5)
        terminal = self.play(world)
        self.do(terminal, self.client(), world, ".")
        self.assertIn("Lichens cover more than 5% of the floor.", terminal.wait_for("The cave is lost"))


class Parts(Screens):
    def test_a_spectator_looks_at_one_board_after_the_other(self):
        self.client("maker").create("polar", name="p")
        for player in ("ann", "bob"):
            self.client(player).join("p")
        terminal = self.warren("-w", "p", "--watch", "-p", "eye", *PLAIN)
        client, view = self.spectator("p")
        whole = [row for row in picture(view) if row.strip()]
        self.wait_for_line(terminal, r"Tab part")
        self.wait_for_rows(terminal, whole)
        terminal.send("Tab")
        self.wait_for_line(terminal, r"^ p  Polar  \(watching\)  ann +eye")
        self.wait_for_rows(terminal, [row[:7] for row in whole])
        terminal.send("Tab")
        self.wait_for_line(terminal, r"^ p  Polar  \(watching\)  bob +eye")
        terminal.send("Tab")
        self.wait_for_line(terminal, r"^ p  Polar  \(watching\) +eye")
        self.wait_for_rows(terminal, whole)

    def test_a_view_without_parts_says_so(self):
        terminal = self.play(self.world())
        terminal.send("Tab")
        terminal.wait_for("This view has no parts to look at by themselves.")

    def wait_for_rows(self, terminal, rows):
        """Waits for a map of just these rows."""
        window = WINDOWS[80, 24]
        wait_until(lambda: [line.strip() for line in shown(terminal.screen(), window) if line.strip()] == rows,
                   lambda: "\n".join([*rows, "on the screen:", terminal.screen()]))


if __name__ == "__main__":
    unittest.main()
