"""Running a server: worlds parked and saved, the configuration read again, the end after the last player, who is
there."""

import contextlib
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import unittest

import json_keys
from daemon import BUILD, DEADLINE, Client, Daemon, Refused, hex_of, key_pair, messages, wait_for

DONE, REFUSED, USAGE, UNAVAILABLE, LATER, NOT_ALLOWED = 0, 1, 64, 69, 75, 77
REST = 2
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}


class Base(unittest.TestCase):
    settings = ()
    options = {}

    def setUp(self):
        self.daemon = Daemon(list(self.settings), **self.options).start()
        self.addCleanup(self.daemon.__exit__)

    def client(self, player=None, **options):
        client = Client(self.daemon, player, **options)
        self.addCleanup(client.close)
        return client

    def ctl(self, *arguments, expect=DONE, server=None):
        """What warrenctl prints; as a value with --json. What it says when it fails."""
        done = subprocess.run([f"{BUILD}/bin/warrenctl", "--server", server or f"{self.daemon.directory}/run",
                               *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE,
                              text=True, check=False, env=dict(os.environ, LC_ALL="C.UTF-8"))
        self.assertEqual(done.returncode, expect, done.stderr)
        if expect != DONE:
            return done.stderr
        self.assertEqual(done.stderr, "")
        if "--json" not in arguments:
            return done.stdout
        value = json.loads(done.stdout)
        command = next(word for word in arguments if not word.startswith("--"))
        self.assertEqual(json_keys.undocumented(command, value), set(), arguments)
        return value

    def world(self, name):
        with Client(self.daemon) as client:
            return next(world for world in client.request(list_worlds=messages.ListWorlds()).worlds.worlds
                        if world.name == name)

    def audit(self):
        with contextlib.suppress(FileNotFoundError), \
             open(f"{self.daemon.directory}/state/audit.log", encoding="utf-8") as log:
            return log.read()
        return ""


class Park(Base):
    def test_a_parked_world_stands_still_and_goes_on_where_it_was(self):
        ann = self.client("ann")
        ann.create(name="home", seed=7, **SMALL)
        view = ann.join("home")
        ann.play(view, REST)
        turn, picture = self.world("home").turn, view.picture()
        self.assertGreater(turn, 0)
        self.assertEqual(self.ctl("--json", "park", "home"), {"parked": "home"})
        self.assertIn("unpark home", ann.wait_notice(messages.NOTICE_WORLD_OVER, "the notice").text)
        self.assertEqual(self.world("home").state, messages.WORLD_PARKED)
        self.assertIn("parked", self.ctl("park", "home", expect=REFUSED))
        with self.assertRaises(Refused):
            self.client("bob").join("home")
        self.assertEqual(self.ctl("--json", "unpark", "home"), {"unparked": "home"})
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, turn))
        again = ann.join("home")
        ann.drain(again)
        self.assertEqual(again.picture(), picture)
        ann.play(again, REST)
        self.assertIn("not parked", self.ctl("unpark", "home", expect=REFUSED))
        # What is refused is not written down each time.
        self.assertEqual([line.split(" ", 3)[3] for line in self.audit().splitlines()][:3],
                         ["done park world=home", "refused park world=home", "done unpark world=home"])

    def test_it_stays_parked_over_a_restart(self):
        with Client(self.daemon) as ann:
            ann.create(name="home", **SMALL)
        self.ctl("park", "home")
        self.daemon.restart(signal.SIGKILL)
        self.assertEqual(self.world("home").state, messages.WORLD_PARKED)
        self.ctl("unpark", "home")
        self.daemon.restart(signal.SIGKILL)
        self.daemon.served()
        self.assertEqual(self.world("home").state, messages.WORLD_RUNNING)

    def test_it_is_saved_first_so_that_there_is_nothing_to_play_again(self):
        ann = self.client("ann")
        for name in ("home", "idle"):
            ann.create(name=name, **SMALL)
        view = ann.join("home")
        for _ in range(3):
            ann.play(view, REST)
        self.ctl("park", "home")
        self.ctl("park", "idle")
        header = ann.request(export=messages.ExportWorld(world="home")).export.header
        self.assertEqual((header.turn, self.world("home").turn), (4, 4))
        self.assertEqual(self.world("idle").state, messages.WORLD_PARKED)

    def test_a_busy_world_is_parked_with_its_last_turn_saved(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.drain(view)
        for _ in range(8):
            ann.command(view, REST)
        with Client(self.daemon) as admin:
            admin.request(park=messages.ParkWorld(world="home"))
        self.assertEqual(self.world("home").state, messages.WORLD_PARKED)
        turn = self.world("home").turn
        self.assertEqual(ann.request(export=messages.ExportWorld(world="home")).export.header.turn, turn)
        self.assertEqual(self.world("home").turn, turn)

    def test_commands_that_wait_are_refused_and_not_lost_silently(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.drain(view)
        self.ctl("park", "home")
        number = ann.command(view, REST)
        error = wait_for(lambda: ann.command_errors().get(number), "the refusal")
        self.assertIn("by its administrator", error.text)


class Snapshot(Base):
    def test_a_snapshot_is_there_when_it_is_answered(self):
        ann = self.client("ann")
        for name in ("one", "two", "idle"):
            ann.create(name=name, **SMALL)
        for name in ("one", "two"):
            ann.play(ann.join(name), REST)
        self.assertEqual(self.ctl("--json", "snapshot", "one"), {"saved": "one", "all": False})
        self.assertEqual(self.ctl("--json", "snapshot", "--all"), {"saved": None, "all": True})
        self.ctl("snapshot", "idle")
        # With everything saved, a recording begins with a snapshot of the last turn: nothing is left to play again.
        for name in ("one", "two"):
            header = ann.request(export=messages.ExportWorld(world=name)).export.header
            self.assertEqual(header.turn, self.world(name).turn)

    def test_what_cannot_be_saved_is_said(self):
        self.ctl("create", "caves", "home")
        self.ctl("park", "home")
        self.assertIn("parked", self.ctl("snapshot", "home", expect=REFUSED))
        self.assertIn("no world", self.ctl("snapshot", "nowhere", expect=REFUSED))
        self.assertIn("--all", self.ctl("snapshot", expect=USAGE))
        self.ctl("snapshot", "--all")


class Drain(Base):
    def test_it_stops_when_the_last_player_has_left(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        ann.create(name="other", **SMALL)
        view = ann.join("home")
        self.assertEqual(self.ctl("--json", "drain"), {"draining": True, "stopping": False})
        ann.wait(lambda: any("closing" in text for text in view.texts()), "what players are told")
        self.assertTrue(self.ctl("--json", "status")["draining"])
        for request in (lambda: ann.create(**SMALL), lambda: ann.join("other")):
            with self.assertRaises(Refused) as refused:
                request()
            self.assertEqual(refused.exception.code, messages.ERROR_UNAVAILABLE)
        self.assertIn("try again later", self.ctl("create", "caves", expect=LATER))
        ann.play(view, REST)
        ann.request(leave=messages.LeaveWorld(world=view.joined.world))
        self.assertEqual(self.daemon.process.wait(DEADLINE), 0)
        self.assertIn("stopping drained", self.daemon.log())

    def test_nobody_new_is_let_in_but_who_was_there_comes_back(self):
        daemon = Daemon(keys=True).start()
        self.addCleanup(daemon.__exit__)
        pair = key_pair()
        ann = Client(None, "ann", **daemon.keyed(pair))
        ann.create(name="home", **SMALL)
        ann.join("home")
        self.ctl("drain", server=f"{daemon.directory}/run")
        bob = Client(None, hello=False, **daemon.keyed(key_pair()))
        self.addCleanup(bob.close)
        hello = messages.Hello(protocol_min=1, protocol_max=1, player="bob")
        with self.assertRaises(Refused) as refused:
            bob.request(hello=hello)
        self.assertEqual(refused.exception.code, messages.ERROR_NOT_ALLOWED)
        self.assertIn("closing", str(refused.exception))
        ann.close()
        back = Client(None, "ann", session=ann.welcome.session, **daemon.keyed(pair))
        self.addCleanup(back.close)
        self.assertTrue(back.welcome.resumed)
        self.assertEqual(len(back.welcome.seats), 1)
        self.assertEqual(self.ctl("--json", "drain", "--undo", server=f"{daemon.directory}/run"),
                         {"draining": False, "stopping": False})
        self.assertEqual(bob.request(hello=hello).welcome.player, "bob")
        back.request(goodbye=messages.Goodbye())
        self.assertIsNone(daemon.process.poll())

    def test_the_server_s_own_bots_leave(self):
        with Client(self.daemon, "ann") as ann:
            ann.create(mode="caves", name="home", bots=2, **SMALL)
            wait_for(lambda: self.world("home").players == 2, "the bots")
        self.ctl("drain")
        self.assertEqual(self.daemon.process.wait(DEADLINE), 0)

    def test_now_is_at_once(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        ann.join("home")
        self.assertEqual(self.ctl("--json", "drain", "--now"), {"draining": True, "stopping": True})
        self.assertTrue(ann.wait_notice(messages.NOTICE_STOPPING, "the notice"))
        self.assertEqual(self.daemon.process.wait(DEADLINE), 0)

    def test_stop(self):
        self.assertIn("not both", self.ctl("drain", "--now", "--undo", expect=USAGE))
        self.ctl("stop")
        self.assertEqual(self.daemon.process.wait(DEADLINE), 0)
        self.assertIn("done stop", self.audit())


class Configuration(Base):
    def setUp(self):
        super().setUp()
        self.file = f"{self.daemon.directory}/warren.conf"

    def configured(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)

    def started_with(self, text, named=True):
        """The daemon, anew, with that file: as the command line names it, or where it looks without."""
        self.daemon.stop()
        self.configured(text)
        arguments = self.daemon.command()
        at = arguments.index("--config")
        arguments[at:at + 2] = ["--config", self.file] if named else []
        self.daemon.command = lambda: arguments
        return self.daemon.start()

    def test_reload_takes_what_has_changed_and_says_what_is_wrong(self):
        daemon = self.started_with("[limits]\nworlds = 5\n")
        ann = self.client("ann")
        view = ann.join(ann.create(**SMALL).name)
        self.configured("[limits]\nworlds = 1\n")
        self.assertEqual(self.ctl("--json", "reload"), {"reloaded": True})
        self.assertIn("limits.worlds has changed", daemon.log())
        with self.assertRaises(Refused):
            ann.create(**SMALL)
        for text, said in ((b"[limits]\nworlds = 9\nworlsd = 3\n", (":3: ", "no setting worlsd in [limits]")),
                           (b"[limitz]\nworlds = 9\n", (":2: ", "[limitz]")),
                           (b"[limits]\n\nworlds = 0\n", (":3: ", "limits.worlds", "1 to 10000000")),
                           (b"[limits]\nworlds = 99999999999\n", (":2: ", "limits.worlds", "1 to 10000000")),
                           (b"[limits]\nworlds = many\n", (":2: ", "limits.worlds", "a number")),
                           (b"[limits]\nworlds\n", (":2: ", "key = value")),
                           (b"[limits\n", (":1: ", "']'")),
                           (b"[limits]\nworlds = 8\nworlds = 9\n", (":3: ", "it was set in line 2")),
                           (b"[limits]\nworlds = 9 # " + b"x" * 100000, (":2: ", "too long")),
                           (b"[limits]\nworlds = 9\n\0[[[", (":3: ", "NUL")),
                           (b"\x7fELF\0\0\0", (":1: ", "NUL")),
                           (b"[network]\nheartbeat_ms = 50000\n", ("grace_ms", "twice heartbeat_ms"))):
            with open(self.file, "wb") as file:
                file.write(text)
            error = self.ctl("reload", expect=REFUSED)
            for part in said:
                self.assertIn(part, error)
            self.assertIn("not read again, everything stays as it is", daemon.log())
            with self.assertRaises(Refused):  # still one world and no more
                ann.create(**SMALL)
            ann.play(view, REST)

    def test_reload_of_what_is_no_file_leaves_everything_as_it_is(self):
        self.started_with("[limits]\nworlds = 1\n")
        ann = self.client("ann")
        view = ann.join(ann.create(**SMALL).name)

        def unreadable(path):
            os.close(os.open(path, os.O_CREAT, 0))
        ways = [(os.mkdir, os.rmdir, "Is a directory"), (os.mkfifo, os.unlink, "Is no file"),
                (lambda path: os.symlink(path, path), os.unlink, "Too many levels"),
                (lambda path: None, lambda path: None, "No such file")]
        ways += [(unreadable, os.unlink, "Permission denied")] if os.geteuid() != 0 else []
        os.unlink(self.file)
        for make, unmake, said in ways:
            make(self.file)
            error = self.ctl("reload", expect=REFUSED)
            self.assertIn(f"cannot read the configuration file {self.file}: {said}", error)
            unmake(self.file)
            with self.assertRaises(Refused):
                ann.create(**SMALL)
            ann.play(view, REST)
        self.configured("[limits]\nworlds = 2\n")
        self.ctl("reload")
        ann.create(**SMALL)

    def test_reload_without_the_file_that_was_there_does_not_fall_back_to_the_defaults(self):
        self.daemon.environment["CONFIGURATION_DIRECTORY"] = self.daemon.directory
        self.started_with("[limits]\nworlds = 1\n", named=False)
        ann = self.client("ann")
        ann.create(**SMALL)
        os.unlink(self.file)
        self.assertIn(f"{self.file}, is gone: put it back", self.ctl("reload", expect=REFUSED))
        with self.assertRaises(Refused):
            ann.create(**SMALL)

    def test_the_log_level_until_then(self):
        self.assertEqual(self.ctl("--json", "log-level", "error"), {"log_level": "error"})
        self.assertEqual(self.ctl("--json", "status")["log_level"], "error")
        before = self.daemon.log()
        self.ctl("create", "caves", "quiet")
        self.assertEqual(self.daemon.log(), before)
        self.ctl("reload")
        self.assertEqual(self.ctl("--json", "status")["log_level"], "debug")
        self.assertIn("loud", self.ctl("log-level", "loud", expect=USAGE))


class BrokenModes(Base):
    """Files of modes that are none, when modes are looked for again."""

    def setUp(self):
        directory = tempfile.mkdtemp(prefix="warren-test-", dir="/tmp")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.modes = f"{directory}/modes"
        os.mkdir(self.modes)
        shutil.copy(f"{BUILD}/modes/caves.so", self.modes)
        self.daemon = Daemon(modes=self.modes).start()
        self.addCleanup(self.daemon.__exit__)

    def put(self, file, name):
        """As a package manager does it: what was there stays for who has it open."""
        shutil.copy(file, f"{self.modes}/new")
        os.rename(f"{self.modes}/new", f"{self.modes}/{name}")

    def failure(self, mode):
        return next((host["failure"] for host in self.ctl("--json", "hosts") if host["mode"] == mode), None)

    def test_those_that_cannot_be_loaded_are_told_of_and_in_nobody_s_way(self):
        ann = self.client("ann")
        view = ann.join(ann.create(**SMALL).name)
        with open(f"{self.modes}/text.so", "w", encoding="utf-8") as file:
            file.write("not a library")
        os.close(os.open(f"{self.modes}/empty.so", os.O_CREAT))
        os.symlink("/proc/nowhere", f"{self.modes}/gone.so")
        os.mkdir(f"{self.modes}/folder.so")
        self.put(f"{BUILD}/wrong-modes/newer.so", "newer.so")
        self.put(f"{BUILD}/preload/hardship.so", "other.so")
        self.put(f"{BUILD}/modes/hunt.so", "hunt.so")
        pid = self.daemon.host_pid()
        self.ctl("reload")
        for mode in ("text", "empty", "gone", "folder", "newer", "other"):
            wait_for(lambda mode=mode: self.failure(mode), f"what is wrong with {mode}")
            self.assertIn(f"given up on mode {mode}", self.daemon.log())
        self.assertRegex(self.failure("newer"), "version")
        wait_for(lambda: "ready mode=hunt" in self.daemon.log(), "the good one")
        ann.play(view, REST)
        self.assertEqual((self.daemon.host_pid(), view.gap), (pid, False))

    def test_one_that_is_replaced_while_it_is_played_is_noticed_when_it_is_started_again(self):
        ann = self.client("ann")
        view = ann.join(ann.create(name="home", **SMALL).name)
        self.put(f"{BUILD}/wrong-modes/newer.so", "caves.so")
        self.ctl("reload")
        ann.play(view, REST)
        os.kill(self.daemon.host_pid(), signal.SIGKILL)
        wait_for(lambda: self.failure("caves"), "what is wrong with it")
        self.assertTrue(ann.alive())
        self.put(f"{BUILD}/modes/caves.so", "caves.so")
        self.ctl("reload")
        wait_for(lambda: self.world("home").state == messages.WORLD_RUNNING, "the world to be served again")
        self.assertTrue(ann.alive())


class WhoIsThere(Base):
    options = {"keys": True}

    def test_sessions(self):
        pair = key_pair()
        ann = Client(None, "ann", **self.daemon.keyed(pair))
        self.addCleanup(ann.close)
        ann.join(ann.create(**SMALL).name)
        sessions = {one["player"]: one for one in self.ctl("--json", "sessions")}
        self.assertEqual((sessions["ann"]["identity"], sessions["ann"]["address"], sessions["ann"]["seats"],
                          sessions["ann"]["may"], sessions["ann"]["connected"]),
                         ("key:" + hex_of(pair), "127.0.0.1", 1, "player", True))
        self.assertIn("ann", self.ctl("sessions"))

    def test_only_administrators_operate(self):
        ann = Client(None, "ann", **self.daemon.keyed(key_pair()))
        self.addCleanup(ann.close)
        world = ann.create(**SMALL).name
        requests = {"list_sessions": messages.ListSessions(), "park": messages.ParkWorld(world=world),
                    "unpark": messages.UnparkWorld(world=world), "save": messages.SaveWorlds(),
                    "reload": messages.Reload(), "drain": messages.Drain(how=messages.DRAIN_BEGIN),
                    "log_level": messages.SetLogLevel(level=messages.LOG_DEBUG), "stop": messages.Stop()}
        for name, request in requests.items():
            with self.subTest(name), self.assertRaises(Refused) as refused:
                ann.request(**{name: request})
            self.assertEqual(refused.exception.code, messages.ERROR_NOT_ALLOWED)
        self.assertIn("refused park", self.audit())

    def test_hosts(self):
        self.ctl("create", "caves", "home")
        hosts = {host["mode"]: host for host in self.ctl("--json", "hosts")}
        self.assertEqual(hosts["caves"]["worlds"], 1)
        self.assertGreater(hosts["caves"]["memory_bytes"], 1 << 20)
        self.assertGreater(hosts["caves"]["cpu_us"], 0)
        self.assertIn("caves", self.ctl("hosts"))


class Top(Base):
    def test_samples_for_programs(self):
        ann = self.client("ann")
        view = ann.join(ann.create(name="home", **SMALL).name)
        command = [f"{BUILD}/bin/warrenctl", "--server", f"{self.daemon.directory}/run", "--json", "top", "--count",
                   "2"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as top:
            first = json.loads(top.stdout.readline())
            turn = self.world("home").turn
            ann.play(view, REST)
            second = json.loads(top.stdout.readline())
            self.assertEqual((top.stdout.read(), top.wait(DEADLINE)), ("", 0))
        self.assertEqual(json_keys.undocumented("top", [first, second]), set())
        played = self.world("home").turn - turn
        self.assertEqual((first["worlds"], first["seats"]), (1, 1))
        self.assertIsNone(first["busiest"][0]["turns_per_second"])
        self.assertAlmostEqual(second["busiest"][0]["turns_per_second"] * second["seconds"], played, places=1)
        self.assertAlmostEqual(second["per_second"]["turns"] * second["seconds"], played, places=1)
        self.assertEqual([one["name"] for one in second["processes"]], ["warrend", "caves", "hunt", "maze", "polar"])
        self.assertGreater(second["turn_ms"], 0)

    def test_a_terminal_is_left_as_it_was_found(self):
        own, its = pty.openpty()
        self.addCleanup(os.close, own)
        with subprocess.Popen([f"{BUILD}/bin/warrenctl", "--server", f"{self.daemon.directory}/run", "top"], stdin=its,
                              stdout=its, stderr=its) as top:
            os.close(its)
            shown = b""

            def read():
                nonlocal shown
                if select.select([own], [], [], 0)[0]:
                    with contextlib.suppress(OSError):  # so Linux says that nobody has the other end
                        shown += os.read(own, 65536)
                return shown

            wait_for(lambda: b"PROCESS" in read(), "the picture")
            os.write(own, b"q")
            wait_for(lambda: read().rstrip().endswith(b"\033[?25h"), "the end of it")
            self.assertEqual(top.wait(DEADLINE), 0)
        self.assertIn(b"\033[?25l", shown)


if __name__ == "__main__":
    unittest.main()
