"""The terminal frontend and kill -9: the next one has the seat of the one before it, by itself, and nobody else's."""

import os
import pathlib
import signal
import unittest

from daemon import messages
from screens import PLAIN, Screens, warren_of
from terminal import wait_until

KEPT = "The server kept your seat since this program was killed"


class Sessions(Screens):
    def files(self):
        """What is kept, by name."""
        folder = pathlib.Path(self.daemon.directory, "user/warren/sessions")
        return {path.name: path.stat().st_mode & 0o7777 for path in folder.iterdir()} if folder.exists() else {}

    def players(self):
        players = self.client().request(list_players=messages.ListPlayers()).players.players
        return sorted((p.player, p.world, p.seat) for p in players)

    def kill(self, terminal):
        os.kill(warren_of(terminal), signal.SIGKILL)
        self.assertEqual(terminal.wait_for_end(), 128 + signal.SIGKILL)

    def start_again(self, *arguments, player="ann"):
        """Another one, as the one before was started or not; it is to be in the world at once."""
        terminal = self.warren("-p", player, *PLAIN, *arguments)
        self.wait_for_text(terminal, KEPT)
        return terminal

    def quit(self, terminal):
        terminal.send("F10")
        terminal.wait_for("Leave this world?")
        terminal.send("y")
        terminal.wait_for("Enter join")
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 0)


class Killed(Sessions):
    def test_the_next_one_is_in_the_same_seat_at_once_and_plays_on(self):
        world = self.world()
        client, view = self.spectator(world)
        self.play(world, "zed")  # ann's seat is not the first
        terminal = self.play(world)
        self.do(terminal, client, world, *"hjkl..")
        before = self.players()
        self.assertEqual([player for player, *_ in before], ["ann", "zed"])
        for arguments in ((), ("-w", world), ("-c", "caves", "--name", world), ("-c", "caves")):
            with self.subTest(arguments=arguments):
                turn = self.turn(client, world)
                self.kill(terminal)
                terminal = self.start_again(*arguments)
                self.wait_for_line(terminal, rf"^ {world}  Caves +ann")
                self.assertEqual(self.players(), before)
                self.assertEqual(self.turn(client, world), turn)
                self.hide_greeting_if_any(terminal)
                self.wait_for_map(terminal, client, view)
                self.do(terminal, client, world, *"h.l")
                self.wait_for_map(terminal, client, view)
        self.assertEqual(len(self.client().request(list_worlds=messages.ListWorlds()).worlds.worlds), 1)

    def hide_greeting_if_any(self, terminal):
        if "Esc hides this" in terminal.screen():
            terminal.send("Escape")
            self.wait_without(terminal, "Esc hides this")

    def test_commands_that_were_on_their_way_are_run_once_at_most_and_the_next_ones_too(self):
        world = self.world()
        client, view = self.spectator(world)
        terminal = self.play(world)
        for _ in range(5):
            turn = self.turn(client, world)
            terminal.send(*"........")
            self.kill(terminal)
            terminal = self.start_again()
            after = self.turn(client, world)
            self.assertLessEqual(after, turn + 8)
            self.do(terminal, client, world, *"...")
            self.assertEqual(self.turn(client, world), after + 3)
        self.wait_for_map(terminal, client, view)

    def test_also_when_the_server_was_killed_in_between(self):
        world = self.world()
        client, _ = self.spectator(world)
        terminal = self.play(world)
        self.do(terminal, client, world, *"hj..")
        before, turn = self.players(), self.turn(client, world)
        self.kill(terminal)
        self.daemon.restart(signal.SIGKILL)
        terminal = self.start_again()
        self.assertEqual(self.players(), before)
        client, view = self.spectator(world)
        self.assertEqual(self.turn(client, world), turn)
        self.do(terminal, client, world, *"h..")
        self.wait_for_map(terminal, client, view)
        self.daemon.stop(signal.SIGKILL)  # the other way round: it starts first and waits for the server
        self.kill(terminal)
        terminal = self.warren("-p", "ann", *PLAIN)
        self.wait_for_text(terminal, "its daemon has ended.")
        self.daemon.start()
        self.wait_for_text(terminal, KEPT)
        self.assertEqual(self.players(), before)
        self.do(terminal, self.client(), world, ".")

    def test_a_spectator_watches_on(self):
        world = self.world()
        terminal = self.warren("-w", world, "--watch", "-p", "wat", *PLAIN)
        terminal.wait_for("(watching)")
        self.kill(terminal)
        terminal = self.warren("-p", "wat", *PLAIN)
        self.wait_for_text(terminal, "The server kept you as a spectator since this program was killed")
        self.wait_for_line(terminal, rf"^ {world}  Caves  \(watching\)")
        self.assertEqual(self.players(), [])

    def test_who_was_at_the_list_is_there_again_under_the_same_name(self):
        terminal = self.warren("-p", "ann", *PLAIN)
        self.wait_for_line(terminal, r"^ Warren .* ann")
        self.kill(terminal)
        terminal = self.warren("-p", "ann", *PLAIN)
        terminal.wait_for("Enter join")
        self.wait_for_line(terminal, r"^ Warren .* ann(  |$)")

    def test_a_session_that_the_server_has_forgotten_is_followed_by_a_new_one(self):
        self.daemon.settings += ["network.grace_ms=1000", "network.heartbeat_ms=500"]
        self.daemon.restart()
        world = self.world()
        terminal = self.play(world)
        self.kill(terminal)
        wait_until(lambda: not self.players(), "the seat to be free")
        terminal = self.play(world)
        self.assertEqual([player for player, *_ in self.players()], ["ann"])
        self.assertNotIn("kept", terminal.screen())
        self.kill(terminal)
        self.start_again()


class Wanted(Sessions):
    def test_a_new_session_is_begun_when_asked_for_and_the_kept_one_stays(self):
        world = self.world()
        self.kill(self.play(world))
        other = self.play(world, "ann", "--new-session")
        self.wait_for_line(other, rf"^ {world}  Caves +ann-2")
        self.quit(other)
        self.assertEqual(self.files(), {"session-1": 0o600})
        self.start_again()
        self.assertEqual([player for player, *_ in self.players()], ["ann"])

    def test_who_names_another_world_gets_that_one_and_the_old_seat_is_free(self):
        first, second = self.world(), self.world()
        self.kill(self.play(first))
        self.play(second)
        wait_until(lambda: [p[:2] for p in self.players()] == [("ann", second)], self.players)

    def test_another_name_gets_nothing_of_it(self):
        world = self.world()
        self.kill(self.play(world))
        bob = self.warren("-p", "bob", *PLAIN)
        bob.wait_for("Enter join")
        self.wait_for_line(bob, r"^ Warren .* bob")
        self.assertEqual([player for player, *_ in self.players()], ["ann"])


class AtTheSameTime(Sessions):
    def test_two_of_one_user_do_not_steal_from_each_other_and_both_come_back(self):
        world = self.world()
        first, second = self.play(world), self.play(world)
        before = self.players()
        self.assertEqual([player for player, *_ in before], ["ann", "ann-2"])
        self.assertEqual(self.files(), {"session-1": 0o600, "session-2": 0o600})
        self.kill(second)
        second = self.start_again()
        self.wait_for_line(second, r"^ \S+  Caves +ann-2")
        self.wait_for_line(first, r"^ \S+  Caves +ann( |$)")
        self.assertEqual(self.players(), before)
        for terminal in (first, second):
            self.kill(terminal)
        for _ in range(2):
            self.start_again()
        self.assertEqual(self.players(), before)


class Ended(Sessions):
    def test_after_a_clean_quit_nothing_is_kept(self):
        world = self.world()
        terminal = self.play(world)
        self.assertEqual(self.files(), {"session-1": 0o600})
        self.quit(terminal)
        self.assertEqual(self.files(), {})
        terminal = self.play(world)
        os.kill(warren_of(terminal), signal.SIGTERM)
        terminal.wait_for_end()
        self.assertEqual(self.files(), {})
        terminal = self.warren("-p", "ann", *PLAIN)
        terminal.wait_for("Enter join")
        self.assertEqual(self.players(), [])

    def test_who_quits_while_the_server_is_away_finds_the_seat_when_both_are_back(self):
        world = self.world()
        terminal = self.play(world)
        before = self.players()
        self.daemon.stop(signal.SIGKILL)
        self.wait_for_line(terminal, r"^ connection lost, retrying")
        os.kill(warren_of(terminal), signal.SIGTERM)
        terminal.wait_for_end()
        self.daemon.start()
        self.start_again()
        self.assertEqual(self.players(), before)

    def test_where_nothing_can_be_kept_that_is_said_in_the_game_which_goes_on(self):
        pathlib.Path(self.daemon.directory, "user").write_text("in the way")
        world = self.world()
        terminal = self.play(world)
        terminal.send("F2")
        terminal.wait_for(f"Cannot keep sessions in {self.daemon.directory}/user/warren/sessions:")
        terminal.wait_for("Not a directory. If this program is killed, the next one will not find")
        terminal.send("Escape")
        self.wait_without(terminal, "PgUp PgDn scroll")
        self.do(terminal, self.client(), world, ".")


if __name__ == "__main__":
    unittest.main()
