"""Games are exported while they run, and played, verified and looked at without a daemon. Whatever is wrong with a file
or with the mode that plays it is said."""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

import json_keys
from daemon import BUILD, DEADLINE, Client, Daemon, messages
from screens import Window, place_on_map
from terminal import Terminal, wait_until

DONE, FAILED, USAGE, UNAVAILABLE, NOT_ALLOWED = 0, 1, 64, 69, 77
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8")
ENVIRONMENT.pop("WARREN_SERVER", None)


def run(*command):
    """Status, what it printed, what it complained of."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=DEADLINE, check=False, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


def offline(*arguments):
    """warrenctl, which needs no server for this: there is none under that name."""
    return run(f"{BUILD}/bin/warrenctl", "--server", "/nowhere/at/all", *arguments)


class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="warren-recording-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.daemon = Daemon(settings=["store.keep_history=yes", "store.hash_turns=10"], tcp=True).start()
        cls.addClassCleanup(cls.daemon.__exit__)

    def ctl(self, *arguments):
        return run(f"{BUILD}/bin/warrenctl", "--server", f"{self.daemon.directory}/run", *arguments)

    def play(self, world, count=3, commands=60, seed=5):
        """Bots that do what chance tells them, then leave."""
        status, _, err = run(f"{BUILD}/bin/warren-bot", "-s", f"{self.daemon.directory}/run", "-w", world, "-n", count,
                             "--commands", commands, "--rate", 0, "--seed", seed, "--name", f"{world}-")
        self.assertEqual((status, err), (DONE, ""))

    def record(self, world, **settings):
        """A game of three bots; the path of its recording."""
        words = [f"{name}={value}" for name, value in
                 {"width": 30, "height": 20, "lichens": 10, "overrun": 100, "growth_permille": 2, **settings}.items()]
        self.assertEqual(self.ctl("create", "caves", world, *words, "--seed", 9)[0], DONE)
        self.play(world)
        path = f"{self.directory}/{world}.warren"
        status, out, err = self.ctl("export", world, path)
        self.assertEqual((status, err), (DONE, ""))
        self.assertIn("turns 1 to ", out)
        return path


class Recordings(Base):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls.record(cls("test_an_exported_game_verifies"), "home")

    def last_turn(self):
        return json.loads(offline("-j", "verify", self.path)[1])[0]["last"]

    def changed(self, name, change):
        """A copy of the recording whose bytes were changed."""
        with open(self.path, "rb") as file:
            content = bytearray(file.read())
        change(content)
        path = f"{self.directory}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        return path

    def other_build(self):
        """A directory with the mode as another build, which does the same."""
        folder = f"{self.directory}/modes"
        os.makedirs(folder, exist_ok=True)
        shutil.copy(f"{BUILD}/modes/caves.so", folder)
        with open(f"{folder}/caves.so", "ab") as file:
            file.write(b"x")
        return folder

    def test_an_exported_game_verifies(self):
        status, out, err = offline("verify", self.path)
        self.assertEqual((status, err), (DONE, ""))
        self.assertRegex(out, r"home\.warren: ok, \d+ turns of caves 0\.1\.0, \d+ hashes agree\n$")
        report, = json.loads(offline("-j", "verify", self.path)[1])
        self.assertEqual(json_keys.undocumented("verify", report), set())
        self.assertEqual((report["result"], report["first"], report["diverged_turn"], report["difference"]),
                         ("ok", 0, None, None))
        self.assertGreaterEqual(report["compared"], 5)
        self.assertEqual(report["compared"], report["last"] // 10)

    def test_the_recording_ends_as_the_world_stands(self):
        with Client(self.daemon) as client:
            view = client.watch("home")
            client.wait(lambda: view.width > 0, "the keyframe")
            client.drain(view)
            tiles = view.joined.mode.tiles
        cells = [tiles[cell // 2].ascii for cell in view.cells]
        for sprite in view.sprites.values():
            cells[sprite.at] = tiles[sprite.tile].ascii
        live = ["".join(cells[y * view.width:(y + 1) * view.width]) for y in range(view.height)]
        status, out, _ = offline("-j", "replay", self.path)
        shown = json.loads(out)
        self.assertEqual(json_keys.undocumented("replay", shown), set())
        self.assertEqual((status, shown["turn"], shown["map"]), (DONE, view.updates[-1].turn or shown["turn"], live))
        self.assertEqual([m["text"] for m in shown["messages"]][-10:], view.texts()[-10:])

    def test_a_world_can_be_exported_again_and_again_while_it_is_played(self):
        path = self.record("lively")
        before = json.loads(offline("-j", "verify", path)[1])[0]["last"]
        self.play("lively", seed=6)
        self.assertEqual(self.ctl("export", "lively", path)[0], DONE)
        after, = json.loads(offline("-j", "verify", path)[1])
        self.assertEqual(after["result"], "ok")
        self.assertGreater(after["last"], before)
        self.assertEqual([name for name in os.listdir(self.directory) if "tmp" in name], [])

    def test_a_recording_that_begins_with_a_snapshot_verifies(self):
        with Daemon(settings=["store.snapshot_turns=30", "store.hash_turns=7"]) as daemon:
            server = f"{daemon.directory}/run"
            status, _, err = run(f"{BUILD}/bin/warren-bot", "-s", server, "-c", "caves", "-n", 2, "--commands", 100,
                                 "--rate", 50, "--set", "overrun=100", "--seed", 3, "--set", "width=30", "--set",
                                 "height=20", "--set", "growth_permille=0")
            self.assertEqual((status, err), (DONE, ""))
            path = f"{self.directory}/late.warren"
            self.assertEqual(run(f"{BUILD}/bin/warrenctl", "-s", server, "export", "caves-1", path)[0], DONE)
        report, = json.loads(offline("-j", "verify", path)[1])
        self.assertEqual(report["result"], "ok", report)
        self.assertGreater(report["first"], 0)
        self.assertEqual(json.loads(offline("-j", "replay", path, "--turn", report["first"])[1])["turn"],
                         report["first"])

    def test_a_changed_byte_is_told(self):
        def flip(content):
            content[len(content) // 2] ^= 0x10
        status, out, err = offline("verify", self.changed("flipped.warren", flip))
        self.assertEqual((status, out), (FAILED, ""))
        self.assertRegex(err, r"flipped\.warren (is damaged at byte \d+|is no whole recording|has a gap)")

    def test_a_cut_file_is_told(self):
        path = self.changed("cut.warren", lambda content: content.__delitem__(slice(len(content) - 20, None)))
        for command in (("verify", path), ("replay", path)):
            status, out, err = offline(*command)
            self.assertEqual((status, out), (FAILED, ""))
            self.assertIn("cut.warren is cut off at byte", err)

    def test_several_files_are_verified_and_the_worst_counts(self):
        path = self.changed("odd.warren", lambda content: content.append(0))
        status, out, err = offline("verify", self.path, path, self.path)
        self.assertEqual((status, out.count(": ok, ")), (FAILED, 2))
        self.assertIn("odd.warren goes on behind its end", err)
        status, out, _ = offline("-j", "verify", self.path, path)
        self.assertEqual((status, [report["result"] for report in json.loads(out)]), (FAILED, ["ok", "failed"]))

    def test_another_build_is_told_and_may_agree(self):
        status, out, err = offline("verify", self.path, "--mode-path", self.other_build())
        self.assertEqual((status, err), (DONE, ""))
        self.assertIn("home.warren: ok", out)
        self.assertIn("It was recorded with build ", out)
        status, out, err = offline("replay", self.path, "--turn", 3, "--mode-path", self.other_build())
        self.assertEqual(status, DONE)
        self.assertIn("It was recorded with build ", err)

    def test_a_mode_that_is_not_here_is_told(self):
        for command in ("verify", "replay"):
            status, _, err = offline(command, self.path, "--mode-path", self.directory)
            self.assertEqual(status, UNAVAILABLE)
            self.assertIn("caves.so", err)

    def test_any_turn_can_be_printed_as_any_view(self):
        last = self.last_turn()
        status, out, err = offline("replay", self.path, "--turn", 5)
        self.assertEqual((status, err), (DONE, ""))
        self.assertTrue(out.startswith(f"turn 5 of {last}, as a spectator\n"), out)
        self.assertIn("Lichens left: ", out)
        seat = json.loads(offline("-j", "replay", self.path, "--turn", 20)[1])["players"][0]
        status, out, _ = offline("replay", self.path, "--turn", 20, "--seat", seat["seat"])
        self.assertTrue(out.startswith(f"turn 20 of {last}, as {seat['player']} (seat {seat['seat']})\n"), out)
        status, out, _ = offline("replay", self.path, "--turn", 0, "--seat", seat["seat"])
        self.assertEqual((status, out), (DONE, f"turn 0 of {last}, seat {seat['seat']} is free\n"))

    def test_turn_by_turn_prints_every_turn(self):
        last = self.last_turn()
        status, out, _ = offline("replay", self.path, "--speed", "max", "--turn", 10)
        turns = [line.split()[1] for line in out.splitlines() if line.startswith("turn ")]
        self.assertEqual((status, turns), (DONE, [str(turn) for turn in range(10, last + 1)]))

    def test_wrong_usage(self):
        for words in (["replay"], ["replay", self.path, self.path], ["verify"], ["export", "home"], ["backup"],
                      ["recover", "home"], ["recover", "home", "somehow"], ["verify", self.path, "--turn", "3"],
                      ["replay", self.path, "--speed", "0"], ["replay", self.path, "--speed", "fast"],
                      ["replay", self.path, "--seat", "64"], ["replay", self.path, "--turn", "-1"],
                      ["replay", self.path, "--seat", "1", "--spectator"], ["status", "--seat", "1"],
                      ["-j", "replay", self.path, "--speed", "2"]):
            with self.subTest(words=words):
                status, out, err = self.ctl(*words)
                self.assertEqual((status, out), (USAGE, ""))
                self.assertTrue(err.startswith("warrenctl: "), err)

    def test_a_turn_or_seat_that_is_not_there_is_refused(self):
        status, _, err = offline("replay", self.path, "--turn", 999999)
        self.assertEqual(status, FAILED)
        self.assertIn(f"the turns 0 to {self.last_turn()}", err)

    def test_export_leaves_the_file_alone_when_it_fails(self):
        path = f"{self.directory}/kept.warren"
        shutil.copy(self.path, path)
        status, out, err = self.ctl("export", "no-such-world", path)
        self.assertEqual((status, out), (FAILED, ""))
        self.assertIn("no-such-world", err)
        self.assertEqual(offline("verify", path)[0], DONE)
        status, _, err = self.ctl("export", "home", f"{self.directory}/none/x.warren")
        self.assertEqual(status, FAILED)
        self.assertIn("cannot be written", err)

    def test_only_the_owner_and_administrators_may_export(self):
        address = self.daemon.tcp_addresses()["address"]
        status, _, err = run(f"{BUILD}/bin/warrenctl", "-s", address, "-p", "eve", "export", "home",
                             f"{self.directory}/stolen.warren")
        self.assertEqual(status, NOT_ALLOWED, err)
        self.assertFalse(os.path.exists(f"{self.directory}/stolen.warren"))

    def test_a_daemon_that_dies_meanwhile_leaves_no_half_file(self):
        with Daemon(settings=["store.keep_history=yes"]) as daemon:
            server = f"{daemon.directory}/run"
            self.assertEqual(run(f"{BUILD}/bin/warrenctl", "-s", server, "create", "caves", "gone")[0], DONE)
            daemon.process.kill()
            daemon.process.wait()
            status, _, _ = run(f"{BUILD}/bin/warrenctl", "-s", server, "-t", 0.3, "export", "gone",
                               f"{self.directory}/half.warren")
        self.assertEqual(status, UNAVAILABLE)
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("half")], [])

    def test_backup_and_recover_ask_the_server(self):
        copy = f"{self.directory}/copy"
        status, out, err = self.ctl("-j", "backup", copy)
        self.assertEqual((status, err, json.loads(out)),
                         (DONE, "", {"backed_up": copy, "files": ["warren.db", "server.key"]}))
        self.assertEqual(json_keys.undocumented("backup", json.loads(out)), set())
        with open(f"{copy}/server.key", "rb") as key, open(f"{self.daemon.directory}/state/server.key", "rb") as own:
            self.assertEqual(key.read(), own.read())
        self.assertEqual(os.stat(f"{copy}/server.key").st_mode & 0o777, 0o600)
        status, out, _ = self.ctl("backup", f"{self.directory}/second")
        self.assertEqual((status, out), (DONE, f"{self.directory}/second: warren.db, server.key. Not in it: the "
                                               "configuration, audit.log.\n"))
        with sqlite3.connect(f"{copy}/warren.db") as database:
            self.assertEqual(database.execute("pragma integrity_check").fetchone(), ("ok",))
        self.assertEqual(self.ctl("backup", copy)[0], FAILED)
        status, out, err = self.ctl("recover", "home", "replay")
        self.assertEqual(status, FAILED)
        self.assertIn("home", err)


class Screen(Base):
    """`warren --replay` in a real terminal."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls.record(cls("test_a_recording_that_is_none_is_told_before_the_screen_changes"), "seen")
        cls.last = json.loads(offline("-j", "verify", cls.path)[1])[0]["last"]

    def open(self, *arguments, **options):
        terminal = Terminal([f"{BUILD}/bin/warren", "--replay", self.path, "--ascii", "--no-colour", *arguments],
                            **options)
        self.addCleanup(terminal.close)
        return terminal

    def wait_title(self, terminal, *texts):
        wait_until(lambda: all(text in terminal.screen().split("\n")[0] for text in texts),
                   lambda: f"{texts} in the title of\n{terminal.screen()}")

    def wait_map(self, terminal, turn, *arguments):
        """Until the map of this turn stands on the screen, row for row."""
        rows = json.loads(offline("-j", "replay", self.path, "--turn", turn, *arguments)[1])["map"]
        window = Window(3, 0, 26, 73)
        wait_until(lambda: place_on_map(terminal.screen(), window, rows) is not None,
                   lambda: "\n".join([f"turn {turn}:", *rows, "on", terminal.screen()]))

    def test_steps_jumps_and_views(self):
        terminal = self.open(width=100, height=30)
        self.wait_title(terminal, "seen  Caves  spectators", f"turn 0/{self.last}", "1x", "paused")
        self.wait_map(terminal, 0)
        terminal.send("Right", "Right", "Right")
        self.wait_title(terminal, f"turn 3/{self.last}")
        self.wait_map(terminal, 3)
        terminal.send("Left")
        self.wait_title(terminal, f"turn 2/{self.last}")
        self.wait_map(terminal, 2)
        terminal.send("End")
        self.wait_title(terminal, f"turn {self.last}/", "end")
        self.wait_map(terminal, self.last)
        terminal.send("Home")
        self.wait_title(terminal, f"turn 0/{self.last}")
        terminal.send("g")
        terminal.type("30")
        terminal.send("Enter")
        self.wait_title(terminal, f"turn 30/{self.last}")
        self.wait_map(terminal, 30)
        terminal.send("g")
        terminal.type("-5")
        terminal.send("Enter")
        self.wait_title(terminal, f"turn 25/{self.last}")
        seats = json.loads(offline("-j", "replay", self.path, "--turn", 25)[1])["players"]
        for seat in seats:
            terminal.send("Tab")
            self.wait_title(terminal, f"{seat['player']} (seat {seat['seat']})")
            self.wait_map(terminal, 25, "--seat", seat["seat"])
        terminal.send("Tab")
        self.wait_title(terminal, "spectators")
        terminal.send("BTab")
        self.wait_title(terminal, f"(seat {seats[-1]['seat']})")
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_it_plays_to_the_end_and_again(self):
        terminal = self.open(width=60, height=16)
        self.wait_title(terminal, f"0/{self.last}", "paused")
        terminal.send("+", "+", "+", "+", "+", "+")
        self.wait_title(terminal, "64x")
        terminal.send("Space")
        self.wait_title(terminal, f"{self.last}/{self.last}", "end")
        terminal.send("-", "-", "-", "-", "-", "-", "-", "-", "-")
        self.wait_title(terminal, "0.25x")
        terminal.send("Space")
        self.wait_title(terminal, "playing")
        terminal.send("Space")
        self.wait_title(terminal, "paused")
        terminal.send("q")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_help_says_the_keys_and_other_builds_are_told(self):
        folder = f"{self.directory}/other"
        os.makedirs(folder)
        shutil.copy(f"{BUILD}/modes/caves.so", folder)
        with open(f"{folder}/caves.so", "ab") as file:
            file.write(b"x")
        terminal = self.open("--mode-path", folder, width=80, height=40)
        self.wait_title(terminal, "(other build)", f"turn 0/{self.last}")
        terminal.send("?")
        terminal.wait_for("go to a turn")
        terminal.wait_for("It was recorded with build")
        terminal.send("Escape", "q")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_a_recording_that_is_none_is_told_before_the_screen_changes(self):
        path = f"{self.directory}/none.warren"
        with open(path, "w", encoding="utf-8") as file:
            file.write("no recording\n")
        status, out, err = run(f"{BUILD}/bin/warren", "--replay", path)
        self.assertEqual((status, out), (FAILED, ""))
        self.assertIn("none.warren is not a recording", err)
        for words in (["--replay", path, "--watch"], ["--replay", path, "-w", "x"], ["--mode-path", "/tmp"],
                      ["--replay", path, "/tmp"]):
            self.assertEqual(run(f"{BUILD}/bin/warren", *words)[0], USAGE)


if __name__ == "__main__":
    unittest.main()
