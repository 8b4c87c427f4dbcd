"""What a service manager sees of warrend: readiness, status, signs of life, reloading and stopping, on a socket as
systemd makes one."""

import fcntl
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from daemon import BUILD, DEADLINE, Client, Daemon, Refused, free_ports, messages, wait_for

SLOW, REST = 4, 2
SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "bunnies": 3, "silverfish": 2, "overrun": 100}


class Manager:
    """The end of NOTIFY_SOCKET that a service manager listens on."""

    def __init__(self, directory):
        self.path = f"{directory}/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.heard = []  # assignments, in order
        self.store = {}  # descriptors, by name
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        while True:
            message, fds, _, _ = socket.recv_fds(self.socket, 65536, 4)
            lines = message.decode().splitlines()
            values = dict(line.partition("=")[::2] for line in lines)
            if values.get("FDSTORE"):
                self.store[values["FDNAME"]] = fds.pop()
            if values.get("FDSTOREREMOVE"):
                os.close(self.store.pop(values["FDNAME"]))
            for fd in fds:  # that of BARRIER=1: closing it is the answer
                os.close(fd)
            self.heard = self.heard + lines
            if message == b"END":
                return

    def wait(self, text, count=1):
        """Waits for that assignment, or one that begins with it, the count-th of them; returns its place."""
        def places():
            return [place for place, heard in enumerate(self.heard) if heard.startswith(text)]
        wait_for(lambda: len(places()) >= count, f"{text!r}, the {count}th")
        return places()[count - 1]

    def forget(self):
        self.heard = []

    def close(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
            own.sendto(b"END", self.path)
        self.thread.join()
        self.socket.close()
        for fd in self.store.values():
            os.close(fd)


class Base(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="warren-test-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.manager = Manager(self.directory)
        self.addCleanup(self.manager.close)

    def start(self, *settings, environment=None, **options):
        environment = {"NOTIFY_SOCKET": self.manager.path, **(environment or {})}
        self.daemon = Configured(list(settings), directory=self.directory, environment=environment, **options)
        self.addCleanup(self.daemon.__exit__)
        return self.daemon.start()

    def client(self, player):
        client = Client(self.daemon, player)
        self.addCleanup(client.close)
        return client


class Configured(Daemon):
    """A daemon that reads a file, if there is one."""

    def command(self):
        path = f"{self.directory}/warren.conf"
        return [path if part == "/dev/null" and os.path.exists(path) else part for part in super().command()]

    def configure(self, text):
        with open(f"{self.directory}/warren.conf", "w", encoding="utf-8") as file:
            file.write(text)


class Notification(Base):
    def test_it_is_ready_when_worlds_are_served_and_tells_how_far_it_is_before(self):
        self.start(modes=f"{BUILD}/fragile-modes")
        ann = self.client("ann")
        ann.create("fragile", name="slow")
        view = ann.join("slow")
        for _ in range(4):
            ann.play(view, SLOW)
        self.daemon.stop(signal.SIGKILL)
        self.manager.forget()
        self.daemon.spawn()
        loading, ready = self.manager.wait("STATUS=Loading worlds: 0 of 1"), self.manager.wait("READY=1")
        self.assertLess(loading, ready)
        self.assertIn("served world=slow", self.daemon.log().rsplit("ready worlds=", 1)[1])
        self.assertTrue(any(heard.startswith("EXTEND_TIMEOUT_USEC=") for heard in self.manager.heard[:ready]))

    def test_its_status_tells_worlds_and_players(self):
        self.start()
        self.manager.wait("READY=1")
        self.manager.wait("STATUS=Serving 0 worlds to 0 players")
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="one", **SMALL)
        ann.create(name="two", **SMALL)
        view = ann.join("one")
        self.manager.wait("STATUS=Serving 2 worlds to 1 player")
        bob.join("one")
        self.manager.wait("STATUS=Serving 2 worlds to 2 players")
        ann.request(leave=messages.LeaveWorld(world=view.joined.world))
        self.manager.wait("STATUS=Serving 2 worlds to 1 player", 2)

    def test_its_status_tells_of_a_store_that_was_set_aside(self):
        self.start()
        self.manager.wait("READY=1")
        self.daemon.stop()
        with open(f"{self.directory}/state/warren.db", "r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 4000)
        self.manager.forget()
        self.daemon.start()
        self.manager.wait("STATUS=The store was damaged and is set aside, see the log; serving 0 worlds to 0 players")

    def test_its_status_tells_that_worlds_pause_and_go_on(self):
        self.start(preexec=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        for _ in range(20):
            ann.play(view, REST)
        self.manager.wait("STATUS=Serving 1 world to 1 player")
        pid = self.daemon.process.pid
        soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        size = max(os.path.getsize(entry) for entry in os.scandir(f"{self.directory}/state"))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
        numbers = [ann.command(view, REST) for _ in range(10)]
        self.manager.wait("STATUS=Worlds pause, since the journal cannot be written, see the log; "
                          "serving 1 world to 1 player")
        self.manager.forget()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
        self.manager.wait("STATUS=Serving 1 world to 1 player")
        ann.wait(lambda: view.executed >= numbers[-1], "the commands to be executed")

    def test_its_loop_gives_signs_of_life_when_the_manager_asks_for_them(self):
        self.start(environment={"WATCHDOG_USEC": "100000"})
        self.manager.wait("WATCHDOG=1", 5)
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)

    def test_it_says_that_it_stops_before_it_does(self):
        self.start()
        ready = self.manager.wait("READY=1")
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)
        self.assertLess(ready, self.manager.wait("STOPPING=1"))

    def test_its_status_tells_why_it_does_not_start(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
            endpoints = [f"network.control=ipc://{self.directory}/run/control {address}",
                         f"network.updates=ipc://{self.directory}/run/updates tcp://127.0.0.1:*"]
            for setting, status, why in ((endpoints, 69, f"cannot serve on {address}: Address already in use"),
                                         (["security.key_file=/dev/null/x"], 78, "cannot read the key file /dev"),
                                         (["metrics.listen=192.0.2.1:1"], 78, 'metrics.listen: "192.0.2.1:1" is not'),
                                         (["limits.worlds=none"], 78, "--set: limits.worlds = ")):
                self.manager.forget()
                daemon = Configured(setting, directory=self.directory, environment={"NOTIFY_SOCKET": self.manager.path})
                daemon.spawn()
                self.assertEqual(daemon.process.wait(timeout=DEADLINE), status, daemon.log())
                self.manager.wait(f"STATUS={why}")

    def test_without_a_manager_it_says_nothing_and_serves(self):
        daemon = Daemon()
        daemon.environment.pop("NOTIFY_SOCKET", None)
        with daemon, Client(daemon, "ann") as ann:
            self.assertTrue(ann.alive())


class Reload(Base):
    def reload(self, text=None):
        if text is not None:
            self.daemon.configure(text)
        before = len(re.findall(r"config: (not )?read again", self.daemon.log()))
        os.kill(self.daemon.process.pid, signal.SIGHUP)
        wait_for(lambda: len(re.findall(r"config: (not )?read again", self.daemon.log())) > before, "a reload")

    def start_with(self, text, *settings, **options):
        with open(f"{self.directory}/warren.conf", "w", encoding="utf-8") as file:
            file.write(text)
        return self.start(*settings, **options)

    def test_the_manager_hears_of_it_with_the_time_and_when_it_is_done(self):
        self.start()
        self.manager.wait("READY=1")
        self.manager.forget()
        before = time.monotonic_ns() // 1000
        self.reload()
        reloading, ready = self.manager.wait("RELOADING=1"), self.manager.wait("READY=1")
        at = self.manager.wait("MONOTONIC_USEC=")
        self.assertLess(reloading, ready)
        self.assertLessEqual(before, int(self.manager.heard[at].partition("=")[2]))
        self.manager.wait("STATUS=Serving 0 worlds")

    def test_limits_and_the_log_s_level_change_and_what_needs_a_start_is_named(self):
        self.start_with("[limits]\nworlds = 1\n")
        ann = self.client("ann")
        ann.create(name="one", **SMALL)
        with self.assertRaises(Refused):
            ann.create(name="two", **SMALL)
        self.reload("[limits]\nworlds = 2\nqueued_commands = 5\n[network]\ngrace_ms = 70000\n")
        self.assertIn("limits.worlds has changed\n", self.daemon.log())
        for setting in ("limits.queued_commands", "network.grace_ms"):
            self.assertIn(f"warning config: {setting} has changed: the next start takes it", self.daemon.log())
        ann.create(name="two", **SMALL)

    def test_what_is_set_on_the_command_line_still_wins(self):
        self.start_with("", "limits.worlds=1")
        self.reload("[limits]\nworlds = 5\n")
        self.assertNotIn("has changed", self.daemon.log())

    def test_a_mistake_leaves_everything_as_it_was_and_is_told(self):
        self.start_with("[limits]\nworlds = 1\n")
        self.manager.wait("READY=1")
        self.manager.forget()
        self.reload("[limits]\nworlds = 9\nworlsd = 3\n")
        self.assertRegex(self.daemon.log(), r"error config: not read again, everything stays as it is: .*warren.conf:3")
        ready, told = self.manager.wait("READY=1"), self.manager.wait("STATUS=Serving with the former configuration: ")
        self.assertLess(ready, told)
        ann = self.client("ann")
        ann.create(name="one", **SMALL)
        with self.assertRaises(Refused):
            ann.create(name="two", **SMALL)

    def test_a_mode_that_came_since_is_served_and_one_that_was_given_up_on_is_tried_again(self):
        modes = f"{self.directory}/modes"
        os.mkdir(modes)
        shutil.copy(f"{BUILD}/modes/caves.so", modes)
        shutil.copy(f"{BUILD}/wrong-modes/newer.so", f"{modes}/hunt.so")
        self.start(modes=modes)
        self.assertIn("given up on mode hunt", self.daemon.log())
        os.unlink(f"{modes}/hunt.so")
        shutil.copy(f"{BUILD}/modes/hunt.so", modes)
        shutil.copy(f"{BUILD}/fragile-modes/fragile.so", modes)
        self.reload()
        ann = self.client("ann")
        wait_for(lambda: {m.name for m in ann.request(list_modes=messages.ListModes()).modes.modes} ==
                 {"caves", "hunt", "fragile"}, "all modes")
        for mode in ("hunt", "fragile"):
            ann.create(mode, name=mode)
            view = ann.join(mode)
            ann.wait(lambda view=view: view.sequence is not None, "the first update")

    def test_worlds_and_players_do_not_notice(self):
        self.start()
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.play(view, REST)
        pid = self.daemon.host_pid()
        for _ in range(3):
            self.reload()
            ann.play(view, REST)
        self.assertEqual(self.daemon.host_pid(), pid)
        self.assertFalse(view.gap)


class Activated(Configured):
    """A daemon that is handed descriptors, as systemd does it: by name."""

    handed = {}

    def spawn(self):
        numbers = range(3, 3 + len(self.handed))

        def hand_over():
            high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 50) for fd in self.handed.values()]
            for number, fd in zip(numbers, high):
                os.dup2(fd, number, inheritable=True)
        command = ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *self.command()]
        environment = dict(self.environment, LISTEN_FDS=str(len(numbers)), LISTEN_FDNAMES=":".join(self.handed))
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=environment, pass_fds=numbers, preexec_fn=hand_over)
        return self


class Activation(Base):
    def listeners(self):
        """The four that a daemon with tcp has."""
        os.makedirs(f"{self.directory}/run", exist_ok=True)
        made = []
        for name in ("control", "updates"):
            one = socket.socket(socket.AF_UNIX)
            one.bind(f"{self.directory}/run/{name}")
            made.append(one)
        for port in self.ports:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", port))
            made.append(one)
        for one in made:
            one.listen()
            self.addCleanup(one.close)
        self.sockets = made
        return made

    def activated(self, tcp=True, handed=True):
        self.ports = free_ports(2)
        self.daemon = Activated([], directory=self.directory, tcp=self.ports if tcp else None,
                                environment={"NOTIFY_SOCKET": self.manager.path})
        if handed:
            self.daemon.handed = {f"warrend.socket{number}": one.fileno()
                                  for number, one in enumerate(self.listeners())}
        self.addCleanup(self.daemon.__exit__)
        return self.daemon.start()

    def test_it_serves_on_sockets_that_it_was_handed_and_leaves_them_there(self):
        self.activated()
        for where in ({}, self.daemon.tcp_addresses()):
            with Client(self.daemon, **where) as client:
                client.play(client.join(client.create(**SMALL).name), REST)
        self.assertEqual(self.daemon.log().count("the service manager's socket serves"), 4)
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)
        self.assertLessEqual({"control", "updates"}, set(os.listdir(f"{self.directory}/run")))

    def test_whoever_connects_while_it_starts_again_is_not_refused(self):
        self.activated()
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.play(view, REST)
        for how in (signal.SIGTERM, signal.SIGKILL):
            self.daemon.stop(how)
            with socket.socket() as raw:
                raw.connect(("127.0.0.1", self.ports[0]))
            with socket.socket(socket.AF_UNIX) as raw:
                raw.connect(f"{self.directory}/run/control")
            bob = Client(self.daemon, hello=False)
            bob.send(1, hello=messages.Hello(protocol_min=1, protocol_max=1, software="test", player="bob"))
            self.daemon.start()
            self.assertTrue(bob.reply_to(1).HasField("welcome"))
            bob.next_id = 2
            bob.play(bob.join("home"), REST)
            bob.close()

    def test_a_socket_unit_that_was_stopped_leaves_the_daemon_within_reach(self):
        self.activated(tcp=False)
        for one in self.sockets:  # what systemd does, since the unit has no RemoveOnStop=
            one.close()
        with Client(self.daemon, "ann") as ann:
            ann.request(drain=messages.Drain(how=messages.DRAIN_BEGIN))
        self.assertEqual(self.daemon.process.wait(timeout=DEADLINE), 0)
        with socket.socket(socket.AF_UNIX) as raw, self.assertRaises(ConnectionRefusedError):
            raw.connect(f"{self.directory}/run/control")
        done = subprocess.run([f"{BUILD}/bin/warrenctl", "--server", f"{self.directory}/run", "status"], text=True,
                              capture_output=True, timeout=DEADLINE, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("its daemon has ended", done.stderr)
        self.daemon.handed = {}
        self.daemon.start()
        with Client(self.daemon, "bob") as bob:
            self.assertTrue(bob.alive())

    def test_a_socket_that_no_setting_names_is_told(self):
        self.activated(tcp=False)
        for port in self.ports:
            self.assertIn(f"listens on tcp://127.0.0.1:{port} and nobody answers there", self.daemon.log())

    def test_tcp_sockets_of_its_own_are_kept_by_the_manager_from_one_start_to_the_next(self):
        self.activated(handed=False)
        wait_for(lambda: len(self.manager.store) == 2, "two sockets to be kept")
        for how in (signal.SIGTERM, signal.SIGKILL):
            self.daemon.stop(how)
            bob = Client(self.daemon, hello=False, **self.daemon.tcp_addresses())
            bob.send(1, hello=messages.Hello(protocol_min=1, protocol_max=1, software="test", player="bob"))
            with socket.socket() as raw:
                raw.connect(("127.0.0.1", self.ports[0]))
            self.manager.forget()
            self.daemon.handed = dict(self.manager.store)
            self.daemon.start()
            self.assertTrue(bob.reply_to(1).HasField("welcome"))
            bob.close()
            self.manager.wait("READY=1")
            self.assertNotIn("FDSTORE=1", self.manager.heard)

    def test_a_kept_socket_that_no_setting_names_any_more_is_given_up_and_its_port_is_free(self):
        self.activated(handed=False)
        wait_for(lambda: len(self.manager.store) == 2, "two sockets to be kept")
        names = set(self.manager.store)
        self.daemon.stop()
        self.daemon.handed = dict(self.manager.store)
        addresses = self.daemon.tcp_addresses()
        self.daemon.tcp = None
        other = free_ports(1)[0]
        self.daemon.settings = ["network.insecure=yes", f"network.control=ipc://{self.directory}/run/control "
                                f"tcp://*:{self.ports[0]}", f"network.updates=ipc://{self.directory}/run/updates "
                                f"tcp://*:{other}"]
        self.daemon.start()
        self.assertEqual(set(self.manager.store), {f"kept-tcp_//*_{self.ports[0]}", f"kept-tcp_//*_{other}"})
        self.assertNotIn(f"kept-tcp_//*_{self.ports[0]}", names)
        with Client(self.daemon, "ann", address=addresses["address"]) as ann:
            self.assertTrue(ann.alive())
        with self.assertRaises(ConnectionRefusedError), socket.socket() as raw:
            raw.connect(("127.0.0.1", self.ports[1]))

    def test_systemd_socket_activate_starts_it_at_the_first_connection(self):
        self.ports = free_ports(2)
        self.daemon = Configured([], directory=self.directory, tcp=self.ports)
        self.addCleanup(self.daemon.__exit__)
        os.mkdir(f"{self.directory}/run")
        places = [f"{self.directory}/run/control", f"{self.directory}/run/updates",
                  *(f"127.0.0.1:{port}" for port in self.ports)]
        activate = ["systemd-socket-activate", *(f"--listen={place}" for place in places)]
        activate += [f"--setenv={name}" for name in os.environ if name.endswith("SAN_OPTIONS")]
        command = self.daemon.command()
        self.daemon.command = lambda: activate + command
        self.daemon.spawn()
        wait_for(lambda: self.daemon.log().count("Listening on") == len(places), "systemd-socket-activate to listen")
        self.assertNotIn("ready worlds=", self.daemon.log())
        with Client(self.daemon, "ann", **self.daemon.tcp_addresses()) as ann:
            ann.create(name="home", **SMALL)
            ann.play(ann.join("home"), REST)
        self.assertEqual(self.daemon.log().count("the service manager's socket serves"), len(places))


if __name__ == "__main__":
    unittest.main()
