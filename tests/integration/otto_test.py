"""Brains of warren-bot in the real thing: ottos hunt each other, refuse what they cannot play, and come and go."""

import contextlib
import json
import signal
import subprocess
import unittest

from daemon import BUILD, DEADLINE, Client, Daemon, Refused, messages, wait_for

SHORT, USAGE, UNAVAILABLE = 1, 64, 69
TURNS = 2000
FEWEST_DEATHS = 40  # of four in so many turns; seen: 76 to 170
LONGEST_STAND = 60  # turns in one place; flights aside there are up to 20, of which each otto acts in every second


class OttoTest(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon().start()
        self.addCleanup(self.daemon.__exit__)

    def start(self, *arguments, **options):
        bots = subprocess.Popen([f"{BUILD}/bin/warren-bot", "-s", f"{self.daemon.directory}/run", "--json",
                                 *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **options)
        self.addCleanup(lambda: (bots.kill(), bots.communicate()) if bots.poll() is None else None)
        return bots

    def end(self, bots):
        """Status, report (None if there is none) and what it complained of."""
        out, err = bots.communicate(timeout=DEADLINE)
        return bots.returncode, json.loads(out) if out else None, err

    def players(self, client):
        return [player.player for player in client.request(list_players=messages.ListPlayers()).players.players]

    def test_four_ottos_kill_each_other_and_nobody_stands_still(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=7)
            view = watcher.watch("arena")
            came = {}  # by sprite: its place, and the turn in which it came there
            longest = (0, "nobody")
            apply = view.apply

            def note(update):
                nonlocal longest
                apply(update)
                for number in came.keys() - view.sprites.keys():
                    del came[number]
                for number, sprite in view.sprites.items():
                    place = sprite.at, sprite.label
                    if number not in came or came[number][0] != place:
                        came[number] = place, update.turn
                    longest = max(longest, (update.turn - came[number][1], sprite.label))
            view.apply = note
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 4, "--rate", 0, "--turns", TURNS,
                              "--seed", 7)
            wait_for(lambda: (bots.poll() is not None, watcher.take_updates())[0], "the end of the hunt")
            status, report, err = self.end(bots)
        self.assertEqual((status, err), (0, ""))
        everyone = report["all"]
        self.assertEqual([bot["player"] for bot in report["bots"]], ["otto", "otto-2", "otto-3", "otto-4"])
        self.assertGreaterEqual(min(bot["turns"] for bot in report["bots"]), TURNS)
        self.assertGreaterEqual(view.updates[-1].turn, TURNS)
        self.assertGreaterEqual(everyone["deaths"], FEWEST_DEATHS, report)
        self.assertGreaterEqual(everyone["kills"], FEWEST_DEATHS / 2, report)
        for bot in report["bots"]:
            self.assertGreater(bot["deaths"], 0, report)
            self.assertGreater(bot["kills"], 0, report)
        self.assertLessEqual(longest[0], LONGEST_STAND, f"{longest[1]} stood there")

    def test_otto_refuses_a_mode_and_says_what_it_lacks(self):
        status, report, err = self.end(self.start("--create", "caves", "--brain", "otto"))
        self.assertEqual((status, report), (UNAVAILABLE, None))
        self.assertIn("otto cannot play caves: it has no tile \"wall -\"", err)

    def test_auto_takes_who_knows_the_mode(self):
        for mode, name in (("hunt", "otto"), ("caves", "bot")):
            status, report, err = self.end(self.start("--create", mode, "--brain", "auto", "--count", 2, "--rate", 0,
                                                      "--commands", 20))
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([bot["player"] for bot in report["bots"]], [name, f"{name}-2"])

    def test_they_rest_while_nobody_else_plays_or_watches(self):
        with Client(self.daemon) as other:
            other.create("hunt", "arena", seed=3)
            turn = lambda: other.request(list_worlds=messages.ListWorlds()).worlds.worlds[0].turn

            def rests():
                before = turn()
                return all(turn() == before for _ in range(200))
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 3, "--rate", 0, "--company")
            wait_for(lambda: len(self.players(other)) == 3, "all to join")
            wait_for(rests, "a rest")
            view = other.watch("arena")
            wait_for(lambda: not rests(), "a hunt for the watcher")
            other.request(leave=messages.LeaveWorld(world=view.joined.world))
            wait_for(rests, "another rest")
            other.join("arena")
            wait_for(lambda: not rests(), "a hunt for the player")
            bots.send_signal(signal.SIGTERM)
            self.assertEqual(self.end(bots)[0], 0)

    def test_who_finds_the_world_full_waits_for_a_seat(self):
        most = 64
        with Client(self.daemon) as other:
            other.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "otto", "--count", most, "--rate", 50)
            wait_for(lambda: len(self.players(other)) == most, "all to join")

            def came_in():
                try:
                    return other.join("arena")
                except Refused as refusal:
                    self.assertEqual(refusal.code, messages.ERROR_WORLD_FULL)
            view = wait_for(came_in, "a seat that is free for a moment")
            with contextlib.suppress(Refused):  # the ottos may have been quicker
                other.request(leave=messages.LeaveWorld(world=view.joined.world))
            seen = set()  # they die so quickly that all are hardly ever there at once

            def all_were_seen():
                seen.update(name for name in self.players(other) if name.startswith("otto"))
                return len(seen) == most
            wait_for(all_were_seen, "each otto again")
            wait_for(came_in, "a seat once more")
            bots.send_signal(signal.SIGTERM)
            self.assertEqual(self.end(bots)[0], 0)

    def test_a_signal_makes_them_leave(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "auto", "--count", 3, "--rate", 100, "--name", "rex")
            wait_for(lambda: sorted(self.players(watcher)) == ["rex", "rex-2", "rex-3"], "all to join")
            bots.send_signal(signal.SIGTERM)
            status, report, err = self.end(bots)
            self.assertEqual((status, err, report["succeeded"]), (0, "", True))
            wait_for(lambda: self.players(watcher) == [], "all to be gone")

    def test_the_end_of_the_leash_makes_them_leave(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 2, "--leash", stdin=subprocess.PIPE)
            wait_for(lambda: len(self.players(watcher)) == 2, "all to join")
            bots.stdin.write("nothing that matters\n")
            bots.stdin.flush()
            view = watcher.watch("arena")
            watcher.wait(lambda: view.updates, "the view")
            turn = view.updates[-1].turn
            watcher.wait(lambda: view.updates[-1].turn > turn + 5, "the hunt to go on")
            status, _, err = self.end(bots)  # closes its standard input
            self.assertEqual((status, err), (0, ""))
            wait_for(lambda: self.players(watcher) == [], "all to be gone")

    def test_a_world_may_ask_the_daemon_for_bots(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3, bots=2)
            wait_for(lambda: sorted(self.players(watcher)) == ["otto", "otto-2"], "the bots")
            view = watcher.watch("arena")
            watcher.wait(lambda: view.updates and view.updates[-1].turn > 8, "a hunt for the watcher")
            watcher.request(close=messages.CloseWorld(world="arena"))

    def test_a_world_that_is_closed_ends_them_well(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 4, "--rate", 0)
            wait_for(lambda: len(self.players(watcher)) == 4, "all to join")
            watcher.request(close=messages.CloseWorld(world="arena"))
            status, report, err = self.end(bots)
            self.assertEqual((status, err, report["succeeded"]), (0, "", True))

    def test_a_server_that_does_not_come_back_ends_them(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 2, "--rate", 50, "--timeout", 1)
            wait_for(lambda: len(self.players(watcher)) == 2, "all to join")
        self.daemon.stop(signal.SIGKILL)
        status, report, _ = self.end(bots)
        self.assertEqual((status, report["succeeded"]), (UNAVAILABLE, False))
        self.assertIn("has not come back within 1 s", report["bots"][0]["failure"])

    def test_a_server_that_comes_back_finds_them_there(self):
        with Client(self.daemon, "watcher") as watcher:
            watcher.create("hunt", "arena", seed=3)
            bots = self.start("--world", "arena", "--brain", "otto", "--count", 2, "--rate", 50)
            wait_for(lambda: len(self.players(watcher)) == 2, "all to join")
        self.daemon.restart()
        with Client(self.daemon, "watcher") as watcher:
            view = watcher.watch("arena")
            watcher.wait(lambda: view.updates, "the view")
            turn = view.updates[-1].turn
            watcher.wait(lambda: view.updates[-1].turn > turn + 50, "the hunt to go on")
            bots.send_signal(signal.SIGTERM)
            self.end(bots)
            wait_for(lambda: self.players(watcher) == [], "all to be gone")

    def test_brains_are_named_in_the_help_and_scripts_go_with_theirs(self):
        out = subprocess.run([f"{BUILD}/bin/warren-bot", "--help"], capture_output=True, text=True, check=True).stdout
        for name in ("otto", "random", "script", "auto"):
            self.assertIn(f" {name} ", out)
        for arguments in (["--brain", "nobody"], ["--brain", "script"], ["--brain", "otto", "--script", "/dev/null"]):
            status, _, err = self.end(self.start("--world", "arena", *arguments))
            self.assertEqual(status, USAGE, err)


if __name__ == "__main__":
    unittest.main()
