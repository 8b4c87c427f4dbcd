"""The terminal frontend before and around the game: the list of worlds, the form for a new one, a server that is not
there, that stops, and that comes back."""

import os
import pathlib
import signal
import unittest
from unittest import mock

from daemon import Client, Daemon, Refused, free_ports, messages
from screens import LARGE, PLAIN, SMALL, Screens, warren_of
from terminal import wait_until


class Worlds(Screens):
    def list(self, *arguments, size=(80, 24)):
        terminal = self.warren("-p", "wat", *PLAIN, *arguments, size=size)
        terminal.wait_for("Enter join")
        return terminal

    def test_the_list_shows_mode_players_watchers_age_and_follows_what_happens(self):
        world = self.world()
        terminal = self.list()
        self.wait_for_line(terminal, rf"^ {world} was created by maker$")
        self.wait_for_line(terminal, rf"^ {world} +caves +0/64 +0 +\d+s +running$")
        self.client("ann").join(world)
        self.client("bob").watch(world)
        self.wait_for_line(terminal, rf"^ {world} +caves +1/64 +1 +\d+s +running$")
        other = self.world()
        self.wait_for_line(terminal, rf"^ {other} +caves +0/64 ")

    def test_a_filter_shows_only_the_worlds_that_match(self):
        worlds = [self.world() for _ in range(3)]
        terminal = self.list()
        for world in worlds:
            terminal.wait_for(world)
        terminal.send("/")
        terminal.wait_for("Show only:")
        terminal.type(worlds[1][-2:])
        self.wait_without(terminal, f" {worlds[0]} ")
        self.assertIn(worlds[1], terminal.screen())
        self.assertNotIn(worlds[2], terminal.screen())
        terminal.type("nothing")
        terminal.wait_for("no world matches")
        terminal.send("Escape")
        for world in worlds:
            terminal.wait_for(world)
        terminal.send("/")
        terminal.type("MAKER")  # who created it counts as well, and case does not
        terminal.send("Enter")
        terminal.wait_for('only those with "MAKER"')
        self.assertIn(worlds[2], terminal.screen())

    def test_a_world_is_chosen_joined_left_and_watched(self):
        first, second = self.world(), self.world()
        terminal = self.list()
        terminal.wait_for(second)
        terminal.send("Down", "Enter")
        self.hide_greeting(terminal)
        self.wait_for_line(terminal, rf"^ {second}  Caves +wat")
        terminal.send("F10")
        terminal.wait_for("Leave this world?")
        terminal.send("n")
        self.wait_without(terminal, "Leave this world?")
        terminal.send("F10")
        terminal.wait_for("Leave this world?")
        terminal.send("y")
        terminal.wait_for("Enter join")
        self.wait_for_line(terminal, rf"^ {second} +caves +0/64 +0 ")
        self.wait_for_line(terminal, rf"^ {second} was created by maker$")  # the one that was left is selected
        terminal.send("Up", "w")
        self.wait_for_line(terminal, rf"^ {first}  Caves  \(watching\)")

    def test_another_server_is_found_or_typed_and_gone_to(self):
        port = free_ports(1)[0]
        other = Daemon(["network.beacon=yes", f"network.beacon_port={port}"], tcp=True).start()
        self.addCleanup(other.__exit__)
        with Client(other) as client:
            client.create(name="elsewhere", **SMALL)
        self.world()
        with mock.patch.dict(os.environ, WARREN_DISCOVERY=f"127.0.0.1:{port}", XDG_CONFIG_HOME=self.daemon.directory):
            terminal = self.list()
        terminal.send("s")
        self.wait_for_line(terminal, rf"warren://127.0.0.1:{other.tcp[0]} +on this network: .*, 1 world")
        terminal.send("Down", "f")
        self.wait_for_line(terminal, rf"warren://127.0.0.1:{other.tcp[0]} +favourite")
        terminal.send("Enter")
        self.wait_for_line(terminal, "^ elsewhere +caves +0/64")
        terminal.send("s")
        self.wait_for_line(terminal, rf"warren://127.0.0.1:{other.tcp[0]} +here, favourite")
        terminal.send("End", "Enter")
        terminal.wait_for("Go to: warren://")
        terminal.type("nowhere:port")
        terminal.send("Enter")
        self.wait_for_text(terminal, "has a port that is not a number")
        terminal.send("x")
        terminal.wait_for("Go to: warren://nowhere:port")
        terminal.send(*["BSpace"] * len("warren://nowhere:port"))
        terminal.type(f"{self.daemon.directory}/run")
        terminal.send("Enter")
        self.wait_for_line(terminal, "^ world-1 +caves +0/64")
        terminal.send("s", "End", "Enter")
        terminal.type("127.0.0.1:1")  # nobody answers there
        terminal.send("Enter")
        terminal.wait_for("waiting for warren://127.0.0.1:1")
        terminal.send("Escape")
        self.wait_for_line(terminal, "^ world-1 +caves +0/64")

    def test_what_the_server_refuses_is_said_in_its_words(self):
        terminal = self.warren("-w", "nowhere", *PLAIN)
        terminal.wait_for("That was not possible")
        with self.assertRaises(Refused) as refused:
            self.client().join("nowhere")
        self.wait_for_text(terminal, str(refused.exception))
        terminal.send("x")
        self.wait_without(terminal, "That was not possible")
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_the_list_and_the_form_explain_their_keys(self):
        terminal = self.list(size=(40, 12))
        terminal.send("F1")
        terminal.wait_for("| Enter        play in it")
        self.assertNotIn("quit |", terminal.screen())
        terminal.send("PageDown", "PageDown")
        terminal.wait_for("| q F10        quit")
        terminal.send("Escape")
        self.wait_without(terminal, "| q F10 ")
        terminal.resize(80, 24)
        terminal.wait_for("F1 help")
        terminal.send("?")
        terminal.wait_for("| w            watch it")
        terminal.send("q", "c")
        terminal.wait_for("which mode?")
        terminal.send("?")
        terminal.wait_for("go on to its settings")
        terminal.send("Escape", "Enter", "F1")
        terminal.wait_for("create the world and enter it")
        terminal.send("F1")
        self.wait_without(terminal, "create the world and enter it")
        self.wait_for_line(terminal, r"^ > name$")

    def test_a_list_longer_than_the_window_scrolls(self):
        worlds = [self.world(lichens=0) for _ in range(12)]
        terminal = self.list(size=(40, 12))
        terminal.wait_for(worlds[0])
        self.assertNotIn(worlds[11], terminal.screen())
        terminal.send("End")
        terminal.wait_for(worlds[11])
        self.assertNotIn(f" {worlds[0]} ", terminal.screen())
        terminal.send("Enter")
        self.wait_for_line(terminal, rf"^ {worlds[11]}  Caves")

    def test_a_screen_on_which_nothing_happens_costs_nothing(self):
        world = self.world()
        idle = self.play(world)
        ticks = self.ticks(idle)
        terminal = self.list()
        self.wait_for_line(terminal, rf"^ {world} +caves .* [3-9]s ")  # for as long as it takes the list to get there
        self.assertLessEqual(self.ticks(idle) - ticks, 15)

    def ticks(self, terminal):
        """User and system time of the frontend in that terminal."""
        fields = pathlib.Path(f"/proc/{warren_of(terminal)}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


class NewWorld(Screens):
    def form(self, size=(80, 24)):
        terminal = self.warren("-p", "ann", *PLAIN, size=size)
        terminal.wait_for("no worlds yet; press c to create one")
        terminal.send("c")
        terminal.wait_for("which mode?")
        self.wait_for_line(terminal, r"^ caves +Lichens spread")
        terminal.send("Enter")
        terminal.wait_for("A new world of Caves")
        return terminal

    def go_to(self, terminal, label):
        while (field := self.wait_for_line(terminal, r"^ > (\S+)")[1]) != label:
            terminal.send("Down")
            self.wait_for_line(terminal, rf"^ > (?!{field}\b)")

    def test_the_form_has_every_setting_with_its_default_and_its_help(self):
        terminal = self.form(size=(100, 40))
        [caves] = [mode for mode in self.client().request(list_modes=messages.ListModes()).modes.modes
                   if mode.name == "caves"]
        self.assertGreater(len(caves.settings), 10)
        for setting in caves.settings:
            self.assertRegex(terminal.screen(), rf"(?m)^[ >]+{setting.name} +{setting.standard} ")
        self.go_to(terminal, "growth_permille")
        self.wait_for_text(terminal, "Chance of a lichen to spread in a turn, in thousandths; alone, 5 is a fair game "
                                     "(0 to 1000; default 10)")

    def test_a_form_longer_than_the_window_tells_where_one_is(self):
        modes = self.client().request(list_modes=messages.ListModes()).modes.modes
        [hunt] = [mode for mode in modes if mode.name == "hunt"]
        count = len(hunt.settings) + 2
        terminal = self.warren("-p", "ann", *PLAIN)
        terminal.wait_for("no worlds yet; press c to create one")
        terminal.send("c")
        self.wait_for_line(terminal, "^ hunt ")
        terminal.send(*["Down"] * [mode.name for mode in modes].index("hunt"), "Enter")
        self.wait_for_line(terminal, rf"^ A new world of Hunt +1 of {count} *$")
        self.wait_for_line(terminal, rf"^ +v {count - 16} more$")
        self.assertNotRegex(terminal.screen(), r"(?m)^ +\^ ")
        self.assertRegex(terminal.screen(), r"(?m)^ > name.*\n +bots +0 .*\n +title ")
        terminal.send("Up")
        self.wait_for_line(terminal, rf"^ A new world of Hunt +{count} of {count} *$")
        self.wait_for_line(terminal, r"^ > listed ")
        self.wait_for_line(terminal, rf"^ +\^ {count - 16} more$")
        self.assertNotRegex(terminal.screen(), r"(?m)^ +v \d")
        terminal.send("Down")
        self.wait_for_line(terminal, r"^ > name\b")

    def test_files_are_chosen_from_those_there_are_and_numbers_can_be_words(self):
        client = self.client()
        modes = [mode.name for mode in client.request(list_modes=messages.ListModes()).modes.modes]
        for mode, key, field, shown, value in (("hunt", "Space", "spectator_delay", "off", "0"),
                                               ("polar", "Right", "pack", "< original.polar >", "original.polar")):
            terminal = self.warren("-p", "ann", *PLAIN, size=(100, 50))
            terminal.wait_for("Enter join")
            terminal.send("c")
            self.wait_for_line(terminal, rf"^ {mode} ")
            terminal.send(*["Down"] * modes.index(mode), "Enter")
            terminal.wait_for(f"A new world of {mode.title()}")
            self.go_to(terminal, field)
            terminal.send(key)
            self.wait_for_line(terminal, rf"> {field} +{shown}")
            terminal.send("Enter")
            self.wait_without(terminal, "A new world")
            [world] = [world for world in client.request(list_worlds=messages.ListWorlds()).worlds.worlds
                       if world.mode == mode]
            self.assertEqual([(s.name, s.value) for s in world.settings], [(field, value)])

    def test_a_wrong_value_is_explained_at_its_field_and_a_right_one_plays(self):
        for size in ((80, 24), (40, 12)):
            with self.subTest(size=size):
                self.doCleanups()
                self.setUp()
                terminal = self.form(size)
                self.go_to(terminal, "width")
                terminal.type("5")
                self.go_to(terminal, "height")
                terminal.type("20")
                terminal.send("Enter")
                with self.assertRaises(Refused) as refused:
                    self.client("maker").create(width=5)
                self.assertEqual(refused.exception.error.field, "width")
                self.wait_for_text(terminal, str(refused.exception))
                self.wait_for_line(terminal, r"> width +5")
                terminal.type("30")
                terminal.send("Enter")
                self.hide_greeting(terminal)
                [world] = self.client().request(list_worlds=messages.ListWorlds()).worlds.worlds
                self.assertEqual({s.name: s.value for s in world.settings}, {"width": "30", "height": "20"})
                self.assertEqual((world.owner, world.players), ("ann", 1))
                client, view = self.spectator(world.name)
                self.wait_for_map(terminal, client, view, size)

    def test_a_name_that_is_taken_and_a_seed_that_is_none_are_explained(self):
        terminal = self.form()
        taken = self.world()
        terminal.type(taken)
        self.go_to(terminal, "seed")
        terminal.type("12x")
        terminal.send("Enter")
        self.wait_for_text(terminal, '"12x" is no number from 0 to 18446744073709551615')
        terminal.send("BSpace", "Enter")
        with self.assertRaises(Refused) as refused:
            self.client("maker").create(name=taken)
        self.wait_for_text(terminal, str(refused.exception))
        self.wait_for_line(terminal, rf"> name +{taken}")
        terminal.type("b")
        terminal.send("Enter")
        self.hide_greeting(terminal)
        self.wait_for_line(terminal, rf"^ {taken}b  Caves +ann")

    def test_the_command_line_creates_a_world_with_settings_and_joins_it(self):
        terminal = self.warren("-c", "caves", "--name", "mine", "--seed", "5", "--set", "width=33", "-p", "ann", *PLAIN)
        self.hide_greeting(terminal)
        [world] = self.client("ann").request(list_worlds=messages.ListWorlds()).worlds.worlds
        self.assertEqual([(s.name, s.value) for s in world.settings], [("width", "33")])
        self.assertEqual(world.name, "mine")


class Connection(Screens):
    def test_a_killed_server_is_told_of_and_back_it_has_everything_as_it_was(self):
        world = self.world(**LARGE)
        client, view = self.spectator(world)
        terminal = self.play(world)
        self.do(terminal, client, world, *"hjhjuull")
        speaker = self.client("bob")
        speaker.request(say=messages.Say(world=speaker.join(world).joined.world, text="only once"))
        terminal.wait_for("bob: only once")
        self.wait_for_map(terminal, client, view)
        rows, turn = terminal.screen().split("\n")[3:23], self.turn(client, world)
        [seat] = [p.seat for p in self.players(client) if p.player == "ann"]
        self.daemon.stop(signal.SIGKILL)
        self.wait_for_line(terminal, r"^ connection lost, retrying")
        self.assertEqual(terminal.screen().split("\n")[3:23], rows, "the map stays in sight")
        self.daemon.start()
        self.wait_for_line(terminal, r"^ connected again")
        client, view = self.spectator(world)
        self.assertEqual(self.turn(client, world), turn)
        self.wait_for_map(terminal, client, view)
        self.assertEqual([p.seat for p in self.players(client) if p.player == "ann"], [seat])
        self.do(terminal, client, world, *"hh..")
        self.wait_for_map(terminal, client, view)
        terminal.send("F2")
        terminal.wait_for("Connected again.")
        self.assertEqual(terminal.screen().count("bob: only once"), 1, terminal.screen())
        self.assertNotIn("forgotten", terminal.screen())

    def test_what_is_typed_while_the_server_is_away_is_done_once_when_it_is_back(self):
        world = self.world()
        client, view = self.spectator(world)
        terminal = self.play(world)
        self.wait_for_map(terminal, client, view)
        turn = self.turn(client, world)
        self.daemon.stop(signal.SIGKILL)
        self.wait_for_line(terminal, r"^ connection lost, retrying")
        terminal.send(".", "h", "j", "F3")
        terminal.wait_for("Say:")  # so the keys before that have been taken
        self.daemon.start()
        self.wait_for_line(terminal, r"^ connected again")
        client, view = self.spectator(world)
        wait_until(lambda: self.turn(client, world) >= turn + 3, "the turns of the three keys")
        terminal.send("Escape")
        self.do(terminal, client, world, ".")
        self.assertEqual(self.turn(client, world), turn + 4)
        self.wait_for_map(terminal, client, view)

    def players(self, client):
        return client.request(list_players=messages.ListPlayers()).players.players

    def test_in_the_list_a_lost_server_is_told_of_in_one_line(self):
        world = self.world()
        terminal = self.warren("-p", "wat", *PLAIN)
        self.wait_for_line(terminal, rf"^ {world} +caves ")
        self.daemon.stop(signal.SIGKILL)
        screen = self.wait_for_line(terminal, r"^ connection lost, retrying").string
        self.daemon.start()
        self.wait_for_line(terminal, r"^ connected again")
        self.assertNotIn("not possible", screen + terminal.screen())

    def test_a_server_that_stops_says_so_and_may_come_back(self):
        terminal = self.play(self.world())
        self.assertEqual(self.daemon.stop(), 0)
        self.wait_for_line(terminal, r"^ the server has stopped, waiting for it")
        self.daemon.start()
        self.wait_for_line(terminal, r"^ connected again")
        self.wait_for_line(terminal, r"^ \S+  Caves +ann")
        client = self.client()
        [world] = client.request(list_worlds=messages.ListWorlds()).worlds.worlds
        self.do(terminal, client, world.name, ".")

    def test_a_world_that_is_closed_ends_the_game_with_a_sentence(self):
        world = self.world()
        terminal = self.play(world)
        self.client("maker").request(close=messages.CloseWorld(world=world))
        terminal.wait_for("It is over")
        self.assertIn("Lichens left: 3", terminal.screen())
        terminal.wait_for("Enter or Esc: world list")
        self.wait_for_line(terminal, r"^ Enter world list   q quit$")  # there is no menu any more
        def left():
            terminal.send("Escape")  # at first it may have been meant for the game
            return "no worlds yet" in terminal.screen()
        wait_until(left, terminal.screen)


class WithoutAServer(Screens):
    started = False

    def test_it_waits_for_a_server_and_can_be_left(self):
        terminal = self.warren(*PLAIN)
        self.assertIn(f"waiting for {self.daemon.directory}/run", terminal.wait_for("waiting for"))
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 69)

    def test_it_goes_on_by_itself_when_the_server_comes(self):
        terminal = self.warren("-c", "caves", *PLAIN)
        terminal.wait_for("waiting for")
        self.daemon.start()
        self.hide_greeting(terminal)


if __name__ == "__main__":
    unittest.main()
