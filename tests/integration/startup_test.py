"""How warrend starts, refuses to start, and stops: exit statuses and sentences; and a store that runs out of room."""

import contextlib
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest

from daemon import BUILD, DEADLINE, Client, Daemon, Refused, free_ports, messages, stopped_output, wait_for

WARREND = f"{BUILD}/bin/warrend"
OK, USAGE, UNAVAILABLE, CONFIG = 0, 64, 69, 78
REST = 2
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 3, "growth_permille": 0}
NOBODY = 65534


class Base(unittest.TestCase):
    def directory(self):
        directory = tempfile.mkdtemp(prefix="warren-test-", dir="/tmp")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        return directory

    def daemon(self, *settings, **options):
        daemon = Daemon(list(settings), **options)
        self.addCleanup(daemon.__exit__)
        return daemon

    def fails(self, daemon, status, *parts, **options):
        """Starts a daemon that is to end by itself with that status, and to say those things."""
        got, text = stopped_output(daemon.command(), **options)
        self.assertEqual(got, status, text)
        for part in parts:
            self.assertIn(part, text)
        self.assertNotIn("ready worlds=", text)
        return text

    def check(self, *arguments):
        return stopped_output([WARREND, *arguments])


class Options(Base):
    def test_help_and_version(self):
        status, text = self.check("--version")
        self.assertEqual((status, text), (OK, "warrend 0.1.0\n"))
        status, text = self.check("--help")
        self.assertEqual(status, OK)
        for option in ("--config", "--set", "--check-config", "--print-config"):
            self.assertIn(option, text)

    def test_unknown_options_and_arguments_are_usage_errors(self):
        for arguments in (["--nonsense"], ["-x"], ["surplus"], ["--set"], ["--config"]):
            status, text = self.check(*arguments)
            self.assertEqual(status, USAGE, arguments)
            self.assertIn("--help", text)
        self.assertIn("surplus", self.check("surplus")[1])


class Configuration(Base):
    def written(self, text):
        path = f"{self.directory()}/warren.conf"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_what_is_wrong_is_named_with_file_and_line(self):
        for text, line, parts in (("[daemon]\nlog_levle = info\n", 2, ["log_levle"]),
                                  ("# a comment\n[hosts]\n\nrestarts = many\n", 4, ["restarts", "many", "0", "15"]),
                                  ("[hosts]\nrestarts = 16\n", 2, ["16", "15"]),
                                  ("[network]\ninsecure = perhaps\n", 2, ["perhaps", "yes or no"]),
                                  ("[nowhere]\nx = 1\n", 2, ["nowhere"]),
                                  ("[daemon]\nwhat is this\n", 2, []),
                                  ("[hosts]\nrestarts = 1\nrestarts = 2\n", 3, ["restarts"])):
            path = self.written(text)
            for more in ([], ["--check-config"]):
                status, said = self.check("--config", path, *more)
                self.assertEqual(status, CONFIG, said)
                self.assertIn(f"{path}:{line}", said)
                for part in parts:
                    self.assertIn(part, said)

    def test_a_file_that_is_not_there_is_named(self):
        status, text = self.check("--config", "/nonexistent/warren.conf")
        self.assertEqual(status, CONFIG)
        self.assertIn("/nonexistent/warren.conf", text)

    def test_what_is_set_wrongly_on_the_command_line_is_named(self):
        for assignment, expected, part in (("hosts.restarts=99", CONFIG, "hosts.restarts"), ("a.b=c", CONFIG, "a.b"),
                                           ("nonsense", USAGE, "SECTION.KEY=VALUE"),
                                           ("hosts.restarts", USAGE, "SECTION.KEY=VALUE")):
            status, text = self.check("--config", "/dev/null", "--set", assignment, "--check-config")
            self.assertEqual(status, expected, text)
            self.assertIn(part, text)

    def test_a_right_configuration_is_checked_in_silence_and_nothing_is_made(self):
        daemon = self.daemon()
        shutil.rmtree(f"{daemon.directory}/run", ignore_errors=True)
        status, text = stopped_output(daemon.command() + ["--check-config"])
        self.assertEqual((status, text), (OK, ""))
        self.assertFalse(os.path.exists(f"{daemon.directory}/state"))

    def test_what_is_printed_parses_back_to_the_same(self):
        daemon = self.daemon("hosts.restarts=3", "network.insecure=yes", "limits.worlds=77", "daemon.log_level=warning")
        status, text = stopped_output(daemon.command() + ["--print-config"])
        self.assertEqual(status, OK)
        for part in ("restarts = 3", "insecure = yes", "worlds = 77"):
            self.assertIn(part, text)
        status, again = self.check("--config", self.written(text), "--print-config")
        self.assertEqual((status, again), (OK, text))

    def test_insecure_serves_an_address_that_others_can_reach_without_keys(self):
        ports = free_ports(2)
        daemon = self.daemon(f"network.control=tcp://*:{ports[0]}", f"network.updates=tcp://*:{ports[1]}",
                             "network.insecure=yes").start()
        with Client(None, "ann", address=f"tcp://127.0.0.1:{ports[0]}", updates=f"tcp://127.0.0.1:{ports[1]}") as ann:
            self.assertFalse(ann.welcome.admin)
        self.assertEqual(daemon.stop(), OK)


class Places(Base):
    def test_a_second_daemon_in_the_same_runtime_directory(self):
        first = self.daemon().start()
        second = self.daemon(f"daemon.state_dir={self.directory()}/state", directory=first.directory)
        self.fails(second, UNAVAILABLE, "another warrend", f"{first.directory}/run", "daemon.runtime_dir")
        with Client(first, "ann") as ann:
            self.assertTrue(ann.alive())

    def test_a_second_daemon_on_the_same_store(self):
        first = self.daemon().start()
        with Client(first, "ann") as ann:
            ann.create(name="home", **SMALL)
        second = self.daemon(f"daemon.state_dir={first.directory}/state")
        self.fails(second, UNAVAILABLE, f"{first.directory}/state", str(first.process.pid), "state_dir")
        with Client(first, "ann") as ann:
            view = ann.join("home")
            ann.play(view, REST)

    def test_a_tcp_port_that_is_taken(self):
        for index in (0, 1):
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", 0))
                taken.listen()
                port = taken.getsockname()[1]
                ports = free_ports(2)
                ports[index] = port
                self.fails(self.daemon(tcp=ports), UNAVAILABLE, f"tcp://127.0.0.1:{port}", "choose another address")

    def test_a_state_directory_that_cannot_be_written(self):
        daemon = self.daemon()
        os.mkdir(f"{daemon.directory}/state", 0o555)
        os.chmod(daemon.directory, 0o777)
        command = daemon.command()
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        status, text = stopped_output(command)
        self.assertEqual(status, CONFIG, text)
        self.assertIn(f"{daemon.directory}/state", text)
        self.assertRegex(text.lower(), "permission denied|not permitted")

    def test_a_runtime_directory_that_cannot_be_made(self):
        daemon = self.daemon()
        with open(f"{daemon.directory}/file", "w", encoding="ascii"):
            pass
        status, text = stopped_output(daemon.command() + ["--set", f"daemon.runtime_dir={daemon.directory}/file/run"])
        self.assertIn(status, (UNAVAILABLE, CONFIG))
        self.assertIn(f"{daemon.directory}/file", text)

    def test_a_socket_path_that_is_too_long_is_told_at_once(self):
        daemon = self.daemon()
        long = f"{daemon.directory}/{'x' * 100}"
        status, text = stopped_output(daemon.command() + ["--set", f"daemon.runtime_dir={long}", "--set",
                                                          f"network.control=ipc://{long}/control"])
        self.assertEqual(status, CONFIG, text)
        self.assertIn("107", text)

    def test_a_host_program_that_is_not_there(self):
        self.fails(self.daemon("daemon.host_program=/nonexistent/warren-host"), CONFIG, "/nonexistent/warren-host")

    def test_what_is_no_database_is_refused_and_left_as_it_was(self):
        for content in (b"precious notes that are no database\n" * 100, os.urandom(8192),
                        b"SQLite format 3\0" + bytes(5000)):
            daemon = self.daemon()
            os.makedirs(f"{daemon.directory}/state")
            path = f"{daemon.directory}/state/warren.db"
            with open(path, "wb") as file:
                file.write(content)
            self.fails(daemon, UNAVAILABLE, path)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), content)

    def test_somebody_else_s_database_is_refused_and_left_as_it_was(self):
        daemon = self.daemon()
        os.makedirs(f"{daemon.directory}/state")
        path = f"{daemon.directory}/state/warren.db"
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE world (id INTEGER)")
            other.execute("INSERT INTO world VALUES (5)")
            other.commit()
        self.fails(daemon, UNAVAILABLE, path)
        with contextlib.closing(sqlite3.connect(path)) as other:
            self.assertEqual(other.execute("SELECT * FROM world").fetchall(), [(5,)])

    def test_a_damaged_store_is_set_aside_and_named_in_the_log(self):
        daemon = self.daemon().start()
        with Client(daemon, "ann") as ann:
            ann.create(name="home", **SMALL)
        daemon.stop()
        path = f"{daemon.directory}/state/warren.db"
        with open(path, "r+b") as file:
            file.seek(4096)
            file.write(b"?" * 8192)
            file.seek(0)
            content = file.read()
        daemon.start()
        aside = re.search(r"error store: .*damaged.* (\S+warren\.db\.damaged-[0-9TZ]+)", daemon.log())
        self.assertIsNotNone(aside, daemon.log())
        with open(aside[1], "rb") as file:
            self.assertEqual(file.read(), content)
        with Client(daemon, "ann") as ann:
            ann.create(name="home", **SMALL)
        self.assertEqual(daemon.stop(), OK)

    def test_a_newer_database_is_refused_by_both_versions(self):
        daemon = self.daemon().start()
        daemon.stop()
        path = f"{daemon.directory}/state/warren.db"
        with contextlib.closing(sqlite3.connect(path)) as store:
            version = store.execute("PRAGMA user_version").fetchone()[0]
            store.execute(f"PRAGMA user_version = {version + 41}")
        self.fails(daemon, UNAVAILABLE, str(version + 41), str(version))


class Modes(Base):
    def test_a_mode_path_that_is_not_there_or_has_no_mode(self):
        empty = self.directory()
        for path in ("/nonexistent/modes", empty):
            self.fails(self.daemon(modes=path), CONFIG, path, "mode_path")

    def test_a_mode_of_another_abi_alone_is_refused_with_both_versions(self):
        text = self.fails(self.daemon(modes=f"{BUILD}/wrong-modes"), CONFIG, "newer.so", "99", "no mode can be loaded")
        self.assertRegex(text, r"up to version 1\b")

    def test_a_mode_of_another_abi_beside_a_good_one_is_logged_and_the_good_one_served(self):
        daemon = self.daemon(modes=f"{BUILD}/modes:{BUILD}/wrong-modes").start()
        self.assertRegex(daemon.log(), r"(?m)^.*error.*newer.*99.*$")
        with Client(daemon, "ann") as ann:
            self.assertEqual([m.name for m in ann.request(list_modes=messages.ListModes()).modes.modes],
                             ["caves", "hunt", "maze", "polar"])
            with self.assertRaises(Refused) as refused:
                ann.create("newer")
            self.assertEqual(refused.exception.code, messages.ERROR_MODE_FAILED)
            self.assertIn("99", str(refused.exception))
            ann.create(**SMALL)
        self.assertEqual(daemon.stop(), OK)

    def test_what_is_no_shared_object_is_named_and_the_others_are_served(self):
        folder = self.directory()
        for name, content in (("text.so", b"not a shared object\n"), ("empty.so", b""), ("cut.so", None)):
            with open(f"{folder}/{name}", "wb") as file:
                if content is None:
                    with open(f"{BUILD}/modes/caves.so", "rb") as whole:
                        content = whole.read(3000)
                file.write(content)
        shutil.copy(f"{BUILD}/modes/caves.so", f"{folder}/caves.so")
        shutil.copy(f"{BUILD}/modes/caves.so", f"{folder}/renamed.so")
        daemon = self.daemon(modes=folder).start()
        for name in ("text", "empty", "cut", "renamed"):
            self.assertIn(f"given up on mode {name}: ", daemon.log())
        with Client(daemon, "ann") as ann:
            self.assertEqual([m.name for m in ann.request(list_modes=messages.ListModes()).modes.modes], ["caves"])


class Stopping(Base):
    def test_sigterm_and_sigint_end_it_with_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            daemon = self.daemon().start()
            with Client(daemon, "ann") as ann:
                ann.create(name="home", **SMALL)
                view = ann.join("home")
                for _ in range(5):
                    ann.command(view, REST)
                self.assertEqual(daemon.stop(number), OK)
            self.assertIn(f"signal={signal.Signals(number).name[3:]}", daemon.log())
            self.assertFalse(os.path.exists(f"{daemon.directory}/state/warren.db-wal"), "the store is closed cleanly")

    def test_signals_while_it_starts_end_it_too(self):
        for delay in (0.0, 0.002, 0.01, 0.03):
            daemon = self.daemon().spawn()
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.process.wait(delay)
            daemon.process.send_signal(signal.SIGTERM)
            self.assertIn(daemon.process.wait(timeout=DEADLINE), (OK, -signal.SIGTERM))

    def test_a_start_after_a_kill_takes_over_what_was_left(self):
        daemon = self.daemon(tcp=True).start()
        daemon.restart(signal.SIGKILL)
        with Client(daemon, "ann") as ann:
            self.assertTrue(ann.alive())


class NoRoom(Base):
    """The store's file may not grow: as on a full disk, but without filling one."""

    def start(self):
        def survive_the_signal():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.served = self.daemon(preexec=survive_the_signal).start()
        ann = Client(self.served, "ann")
        self.addCleanup(ann.close)
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        for _ in range(20):
            ann.play(view, REST)
        return ann, view

    def fill(self):
        pid = self.served.process.pid
        size = max(os.path.getsize(f"{self.served.directory}/state/{name}")
                   for name in os.listdir(f"{self.served.directory}/state"))
        self.soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))

    def make_room(self):
        hard = resource.prlimit(self.served.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.served.process.pid, resource.RLIMIT_FSIZE, (self.soft, hard))

    def test_worlds_pause_while_the_store_is_full_and_go_on_when_there_is_room(self):
        ann, view = self.start()
        self.fill()
        executed = view.executed
        numbers = [ann.command(view, REST) for _ in range(10)]
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        ann.alive()
        ann.take_updates()
        self.assertEqual(view.executed, executed, "nothing is shown that is not in the journal")
        bob = Client(self.served, "bob")
        self.addCleanup(bob.close)
        for request in (lambda: bob.join("home"), lambda: bob.create(name="more", **SMALL),
                        lambda: bob.request(save=messages.SaveWorlds()),
                        lambda: bob.request(save=messages.SaveWorlds(world="home"))):
            with self.assertRaises(Refused) as refused:
                request()
            self.assertEqual(refused.exception.code, messages.ERROR_UNAVAILABLE)
        self.assertTrue(bob.watch("home"))
        self.assertIn("Worlds pause: the journal cannot be written.", self.served.status().trouble)
        self.make_room()
        ann.wait(lambda: view.executed >= numbers[-1], "the commands to be executed")
        self.assertFalse(view.gap)
        self.assertEqual(ann.command_errors(), {})
        self.assertIn("worlds go on", self.served.log())
        bob.join("home")
        ann.drain(view)
        turn = {w.name: w.turn for w in ann.request(list_worlds=messages.ListWorlds()).worlds.worlds}
        self.served.restart(signal.SIGKILL)
        with Client(self.served, "ann") as again:
            self.assertEqual({w.name: w.turn for w in again.request(list_worlds=messages.ListWorlds()).worlds.worlds},
                             turn)

    def test_a_host_that_dies_while_the_store_is_full_comes_back_with_every_turn(self):
        ann, view = self.start()
        self.fill()
        numbers = [ann.command(view, REST) for _ in range(10)]
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        old = self.served.host_pid()
        os.kill(old, signal.SIGKILL)
        wait_for(lambda: self.served.host_pid() not in (0, old), "another host")
        self.make_room()
        ann.wait(lambda: view.executed >= numbers[-1], "the commands to be executed")
        self.assertEqual(ann.command_errors(), {})
        ann.play(view, REST)

    def test_pictures_asked_for_while_the_store_is_full_do_not_pile_up(self):
        ann, view = self.start()
        self.fill()
        ann.command(view, REST)
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        before = self.served.status().keyframes
        end = time.monotonic() + 2
        while time.monotonic() < end:
            ann.request(resync=messages.Resync(world=view.joined.world))
        self.assertEqual(self.served.status().keyframes, before)
        self.make_room()
        count = len(view.updates)
        ann.wait(lambda: any(u.HasField("keyframe") for u in view.updates[count:]), "the picture")

    def test_a_kill_while_the_store_is_full_loses_nothing_that_was_seen(self):
        ann, view = self.start()
        self.fill()
        for _ in range(10):
            ann.command(view, REST)
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        ann.take_updates()
        seen = view.executed
        self.served.restart(signal.SIGKILL)
        with Client(self.served, "ann") as again:
            self.assertGreater(again.join("home").joined.next_command, seen)

    def test_it_can_be_stopped_while_the_store_is_full(self):
        ann, view = self.start()
        self.fill()
        for _ in range(10):
            ann.command(view, REST)
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        self.served.process.send_signal(signal.SIGTERM)
        self.served.process.wait(timeout=DEADLINE + 15)
        self.assertIn("not saved in time", self.served.log())
        executed = view.executed
        self.served.start()
        with Client(self.served, "ann") as again:
            view = again.join("home")
            again.wait(lambda: view.sequence is not None, "the view")
            self.assertGreater(view.joined.next_command, executed)

    def test_leaving_and_closing_while_the_store_is_full_does_no_harm(self):
        ann, view = self.start()
        self.fill()
        for _ in range(10):
            ann.command(view, REST)
        wait_for(lambda: "worlds pause" in self.served.log(), "the log to say so")
        ann.request(leave=messages.LeaveWorld(world=view.joined.world))
        with contextlib.suppress(Refused):
            ann.request(close=messages.CloseWorld(world="home"))
        self.assertTrue(ann.alive())
        self.make_room()
        wait_for(lambda: "worlds go on" in self.served.log(), "worlds to go on")
        ann.create(name="after", **SMALL)
        after = ann.join("after")
        ann.play(after, REST)


class Sockets(unittest.TestCase):
    def test_everyone_on_the_machine_may_connect_and_nothing_is_left_after_a_stop(self):
        with Daemon() as daemon:
            for name in ("control", "updates"):
                self.assertEqual(os.stat(f"{daemon.directory}/run/{name}").st_mode & 0o777, 0o666)
            daemon.stop(signal.SIGTERM)
            self.assertEqual([n for n in os.listdir(f"{daemon.directory}/run") if n in ("control", "updates")], [])

    def test_a_second_daemon_that_is_refused_does_not_take_the_first_one_s_sockets_away(self):
        with Daemon() as daemon:
            status, _ = stopped_output(daemon.command())
            self.assertEqual(status, 69)
            with Client(daemon, "ann") as ann:
                self.assertEqual(ann.welcome.player, "ann")


if __name__ == "__main__":
    unittest.main()
