"""What a monitoring system gets: metrics, held against the reference parser of OpenMetrics, and health; and who finds
the server on the local network."""

import http.client
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import unittest

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from daemon import BUILD, DEADLINE, Client, Daemon, free_ports, messages, sanitized, stopped_output, wait_for

REST = 2
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=DEADLINE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(DEADLINE)
        self.sock.connect(self.path)


class Base(unittest.TestCase):
    def started(self, *settings, **options):
        daemon = Daemon(list(settings), **options)
        self.addCleanup(daemon.__exit__)
        return daemon.start()


class Metrics(Base):
    def setUp(self):
        self.port = free_ports(1)[0]
        self.daemon = self.started(f"metrics.listen=127.0.0.1:{self.port}")

    def get(self, path, method="GET", connection=None):
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        self.addCleanup(connection.close)
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer

    def metrics(self):
        """The families by name. The parser refuses what is not OpenMetrics."""
        status, text, answer = self.get("/metrics")
        self.assertEqual(status, 200)
        self.assertEqual(answer.getheader("Content-Type"),
                         "application/openmetrics-text; version=1.0.0; charset=utf-8")
        return {family.name: family for family in text_string_to_metric_families(text)}

    def value(self, families, sample, **labels):
        return next(one.value for family in families.values() for one in family.samples
                    if one.name == sample and one.labels == labels)

    def test_numbers_follow_what_happens(self):
        before = self.metrics()
        with Client(self.daemon, "ann") as ann:
            view = ann.join(ann.create(name="home", **SMALL).name)
            ann.create(name="parked", **SMALL)
            ann.request(park=messages.ParkWorld(world="parked"))
            for _ in range(5):
                ann.play(view, REST)
            after = self.metrics()
            turns = ann.request(get_status=messages.GetStatus()).status.turns
        for name in ("warren_turns", "warren_turn_seconds", "warren_journal_seconds", "warren_update_bytes"):
            self.assertTrue(after[name].documentation, name)
        self.assertEqual(self.value(after, "warren_worlds", state="running"), 1)
        self.assertEqual(self.value(after, "warren_worlds", state="parked"), 1)
        self.assertEqual(self.value(after, "warren_seats"), 1)
        self.assertEqual(self.value(after, "warren_turns_total"), turns)
        self.assertEqual(self.value(after, "warren_turn_seconds_count"), turns)
        self.assertEqual(self.value(after, "warren_host_turns_total", mode="caves"), turns)
        self.assertEqual(self.value(after, "warren_commands_total"), 5)
        self.assertGreater(self.value(after, "warren_turn_seconds_sum"), 0)
        self.assertGreater(self.value(after, "warren_journal_seconds_count"),
                           self.value(before, "warren_journal_seconds_count"))
        self.assertGreater(self.value(after, "warren_daemon_memory_bytes"), 1 << 20)
        self.assertGreater(self.value(after, "warren_host_memory_bytes", mode="caves"), 1 << 20)
        self.assertGreater(self.value(after, "warren_daemon_cpu_seconds_total"),
                           self.value(before, "warren_daemon_cpu_seconds_total"))

    def test_a_host_that_died_is_counted(self):
        with Client(self.daemon, "ann") as ann:
            ann.create(name="home", **SMALL)
            os.kill(self.daemon.host_pid(), signal.SIGKILL)
            wait_for(lambda: self.value(self.metrics(), "warren_host_restarts_total", mode="caves") == 1, "the restart")

    def test_other_paths_methods_and_noise(self):
        self.assertEqual(self.get("/")[0], 404)
        status, _, answer = self.get("/metrics", method="POST")
        self.assertEqual((status, answer.getheader("Allow")), (405, "GET, HEAD"))
        self.assertEqual(self.get("/metrics", method="HEAD")[:2], (200, ""))
        for noise in (b"\0" * 1000, b"GET /" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET /metrics HTTP/1.1\r\n"):
            with socket.create_connection(("127.0.0.1", self.port)) as peer:
                peer.sendall(noise)
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(10)]
        try:
            self.assertEqual(self.get("/health")[0], 200)
        finally:
            for one in silent:
                one.close()
        self.assertIn("warren_turns", self.metrics())

    def test_one_connection_asks_many_times(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        for _ in range(20):
            self.assertEqual(self.get("/metrics", connection=connection)[0], 200)
        socket = connection.sock
        for _ in range(200):  # more than a connection may send without being heard
            connection.request("GET", "/health", headers={"X-Long": "x" * 6000})
            self.assertEqual(connection.getresponse().read(), b"Serving 0 worlds; 0 seats are taken.\n")
        self.assertIs(connection.sock, socket)

    def test_health(self):
        status, text, _ = self.get("/health")
        self.assertEqual((status, text), (200, "Serving 0 worlds; 0 seats are taken.\n"))
        with Client(self.daemon, "ann") as ann:
            ann.join(ann.create(name="home", **SMALL).name)
            ann.request(drain=messages.Drain(how=messages.DRAIN_BEGIN))
            status, text, _ = self.get("/health")
            self.assertEqual(status, 503)
            self.assertIn("Nobody new", text)

    def test_a_store_that_was_set_aside_is_told_until_the_next_start(self):
        with Client(self.daemon, "ann") as ann:
            ann.create(name="home", **SMALL)
        self.daemon.stop()
        with open(f"{self.daemon.directory}/state/warren.db", "r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 4000)
        self.daemon.start()
        status, text, _ = self.get("/health")
        self.assertEqual(status, 503)
        self.assertRegex(text, r"damaged.*: an empty one is served.*warrend\(8\)")
        self.assertRegex(text, r"\n.*/state/warren\.db\.damaged-\w+\.\n")
        self.assertEqual(self.daemon.status().trouble, text.split("\n", maxsplit=1)[0])
        self.assertEqual(self.value(self.metrics(), "warren_store_set_aside"), 1)
        self.daemon.restart(signal.SIGTERM)
        self.assertEqual(self.get("/health")[0], 200)
        self.assertFalse(self.daemon.status().HasField("trouble"))
        self.assertEqual(self.value(self.metrics(), "warren_store_set_aside"), 0)

    def test_a_mode_that_was_given_up_on_is_named_and_the_others_are_served(self):
        modes = f"{self.daemon.directory}/modes"
        os.mkdir(modes)
        shutil.copy(f"{BUILD}/modes/caves.so", modes)
        shutil.copy(f"{BUILD}/wrong-modes/newer.so", modes)
        self.daemon.stop()
        self.daemon.modes = modes
        self.daemon.start()
        status, text, _ = self.get("/health")
        self.assertEqual(status, 200)
        self.assertEqual(text, "Serving 0 worlds; 0 seats are taken.\n"
                         "The mode newer was given up on: warrenctl hosts says why.\n")
        self.assertEqual(self.value(self.metrics(), "warren_host_failed", mode="newer"), 1)

    def test_every_number_stands_in_the_manual_page_of_the_daemon(self):
        with open(f"{BUILD}/man/warrend.8", encoding="utf-8") as file:
            page = re.search(r"(?ms)^\.Sh METRICS\n(.*?)^\.Sh ", file.read())[1]
        described = set(re.findall(r"(?m)^\.It Va (warren_\w+)", page))
        status, text, _ = self.get("/metrics")
        told = {name + {"counter": "_total", "info": "_info"}.get(kind, "")
                for name, kind in re.findall(r"(?m)^# TYPE (\S+) (\S+)$", text)}
        self.assertEqual((status, described), (200, told))

    @unittest.skipIf(sanitized(), "sanitizers have threads of their own")
    def test_no_thread_is_started_for_it(self):
        def threads(daemon):
            return len(os.listdir(f"/proc/{daemon.process.pid}/task"))
        self.metrics()
        self.assertEqual(threads(self.daemon), threads(self.started()))

    def test_an_idle_daemon_with_an_open_connection_sleeps(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        self.get("/metrics", connection=connection)
        def cpu():
            with open(f"/proc/{self.daemon.process.pid}/stat", encoding="ascii") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            return int(fields[11]) + int(fields[12])
        before = cpu()
        with socket.socket() as never:  # a wait that nothing ends but its time
            never.bind(("127.0.0.1", 0))
            never.listen()
            never.settimeout(0.5)
            with self.assertRaises(TimeoutError):
                never.accept()
        self.assertLess(cpu() - before, 10)


class Places(Base):
    def test_a_unix_socket_is_taken_over_from_a_daemon_that_was_killed(self):
        daemon = Daemon()
        self.addCleanup(daemon.__exit__)
        path = f"{daemon.directory}/metrics"
        daemon.settings.append(f"metrics.listen={path}")
        daemon.start()
        daemon.restart(signal.SIGKILL)
        connection = UnixConnection(path)
        self.addCleanup(connection.close)
        connection.request("GET", "/health")
        self.assertEqual(connection.getresponse().status, 200)
        daemon.stop()
        self.assertFalse(os.path.exists(path))

    def test_every_user_may_ask_there_whatever_the_umask(self):
        daemon = Daemon(preexec=lambda: os.umask(0o077))
        self.addCleanup(daemon.__exit__)
        daemon.settings.append(f"metrics.listen={daemon.directory}/metrics")
        daemon.start()
        self.assertEqual(os.stat(f"{daemon.directory}/metrics").st_mode & 0o777, 0o666)

    def test_one_that_is_in_use_is_not(self):
        first = Daemon()
        self.addCleanup(first.__exit__)
        path = f"{first.directory}/metrics"
        first.settings.append(f"metrics.listen={path}")
        first.start()
        second = Daemon([f"metrics.listen={path}"])
        self.addCleanup(second.__exit__)
        status, said = stopped_output(second.command())
        self.assertEqual(status, 69)
        self.assertIn(path, said)
        self.assertIn("metrics.listen", said)

    def test_only_places_of_this_machine_are_taken(self):
        for place in ("0.0.0.0:7120", "192.0.2.1:7120", "*:7120", "[::]:7120", "127.0.0.1", "127.0.0.1:*",
                      "localhost:7120", "/" + "x" * 108):
            with self.subTest(place):
                status, said = stopped_output(Daemon([f"metrics.listen={place}"]).command() + ["--check-config"])
                self.assertEqual(status, 78)
                self.assertIn("metrics.listen", said)
        for place in ("127.0.0.1:7120", "[::1]:7120", "/run/x"):
            with self.subTest(place):
                self.assertEqual(stopped_output(Daemon([f"metrics.listen={place}"]).command() + ["--check-config"]),
                                 (0, ""))


def free_udp_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def question(nonce, size=256, magic=b"WARREN?1"):
    return (magic + struct.pack("<Q", nonce)).ljust(size, b"\0")


class Beacon(Base):
    def setUp(self):
        self.port = free_udp_port()

    def asker(self):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(one.close)
        one.settimeout(DEADLINE)
        one.connect(("127.0.0.1", self.port))
        return one

    def found(self, **options):
        daemon = self.started("network.beacon=yes", f"network.beacon_port={self.port}", **options)
        asker = self.asker()
        asker.send(question(7))
        answer = asker.recv(1000)
        self.assertLessEqual(len(answer), 256)
        self.assertEqual(answer[:8], b"WARREN!1")
        beacon = messages.Reply.FromString(answer[8:]).beacon
        self.assertEqual((beacon.nonce, beacon.name, beacon.port), (7, socket.gethostname()[:32], daemon.tcp[0]))
        return daemon, asker, beacon

    def test_it_tells_where_it_serves(self):
        daemon, _, beacon = self.found(tcp=True)
        self.assertFalse(beacon.HasField("curve_key"))
        self.assertEqual((beacon.worlds, beacon.seats), (0, 0))

    def test_and_its_key(self):
        daemon, _, beacon = self.found(keys=True)
        self.assertEqual(beacon.curve_key.hex(), daemon.key())

    def test_what_is_no_question_is_not_answered(self):
        _, asker, _ = self.found(tcp=True)
        for wrong in (b"", question(1, 255), question(1, 257), question(1, magic=b"WARREN?2"), b"x" * 256):
            asker.send(wrong)
        asker.send(question(8))
        self.assertEqual(messages.Reply.FromString(asker.recv(1000)[8:]).beacon.nonce, 8)

    def test_a_server_without_tcp_cannot_be_found(self):
        status, said = stopped_output(Daemon(["network.beacon=yes"]).command() + ["--check-config"])
        self.assertEqual(status, 78)
        self.assertIn("network.control", said)

    def test_it_is_off_unless_it_is_asked_for(self):
        self.started(f"network.beacon_port={self.port}", tcp=True)
        asker = self.asker()
        asker.send(question(1))
        with self.assertRaises(ConnectionRefusedError):  # the kernel: nobody has that port
            asker.recv(1000)


class Found(Base):
    def setUp(self):
        self.port = free_udp_port()

    def list(self, *arguments, **environment):
        done = subprocess.run([f"{BUILD}/bin/warren", "--list", *arguments], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=DEADLINE, check=False,
                              env=dict(os.environ, WARREN_DISCOVERY=f"127.0.0.1:{self.port}", WARREN_SERVER="",
                                       LC_ALL="C.UTF-8", **environment))
        return done.returncode, done.stdout

    def test_warren_lists_what_it_finds(self):
        daemon = self.started("network.beacon=yes", f"network.beacon_port={self.port}", keys=True)
        with Client(daemon) as client:
            client.create(name="home", **SMALL)
        # The usual server is this one as well: it is the one whose sockets are in the user's runtime directory.
        os.mkdir(f"{daemon.directory}/user")
        os.symlink(f"{daemon.directory}/run", f"{daemon.directory}/user/warren")
        status, out = self.list(XDG_RUNTIME_DIR=f"{daemon.directory}/user")
        self.assertEqual(status, 0)
        self.assertIn("home", out)
        line = next(line.split() for line in out.splitlines() if "warren://" in line)
        self.assertEqual(line, [f"warren://127.0.0.1:{daemon.tcp[0]}", socket.gethostname()[:32], "1", "0"])

    def test_a_server_that_was_named_is_all_that_is_asked(self):
        daemon = self.started("network.beacon=yes", f"network.beacon_port={self.port}", tcp=True)
        status, out = self.list(f"{daemon.directory}/run")
        self.assertEqual(status, 0)
        self.assertNotIn("warren://", out)

    def test_what_is_no_answer_is_passed_over(self):
        daemon = self.started(tcp=True)
        os.mkdir(f"{daemon.directory}/user")
        os.symlink(f"{daemon.directory}/run", f"{daemon.directory}/user/warren")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as false:
            false.bind(("127.0.0.1", self.port))
            false.settimeout(DEADLINE)
            with subprocess.Popen([f"{BUILD}/bin/warren", "--list"], stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE,
                                  env=dict(os.environ, WARREN_DISCOVERY=f"127.0.0.1:{self.port}", WARREN_SERVER="",
                                           XDG_RUNTIME_DIR=f"{daemon.directory}/user")) as warren:
                asked, asker = false.recvfrom(1000)
                self.assertEqual((len(asked), asked[:8]), (256, b"WARREN?1"))
                nonce = struct.unpack("<Q", asked[8:16])[0]
                good = messages.Reply(beacon=messages.Beacon(nonce=nonce, name="good", port=7))
                guess = messages.Reply(beacon=messages.Beacon(nonce=nonce ^ 1, name="guess", port=8))
                for wrong in (b"", b"WARREN!1", b"WARREN!1\xff\xff", b"x" * 256,
                              b"WARREN!1" + guess.SerializeToString(),
                              b"WARREN!1" + messages.Reply(done=messages.Done()).SerializeToString(),
                              *[b"WARREN!1" + good.SerializeToString()] * 2):
                    false.sendto(wrong, asker)
                out, _ = warren.communicate(timeout=DEADLINE)
        self.assertEqual([line.split()[:2] for line in out.splitlines() if "warren://" in line],
                         [["warren://127.0.0.1:7", "good"]])


if __name__ == "__main__":
    unittest.main()
