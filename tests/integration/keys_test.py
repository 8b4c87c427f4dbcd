"""Keys between daemon and frontends: the server's own, players', and what is said when one is not the one that was
expected."""

import os
import socket
import stat
import subprocess
import tempfile
import unittest

import zmq
import zmq.auth

from daemon import BUILD, DEADLINE, Client, Daemon, free_ports, hex_of, key_pair, messages, stopped_output
from terminal import Terminal

DONE, REFUSED, USAGE, UNAVAILABLE, NOT_ALLOWED, CONFIG = 0, 1, 64, 69, 77, 78
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Base(unittest.TestCase):
    def daemon(self, *settings, **options):
        daemon = Daemon(list(settings), **options)
        self.addCleanup(daemon.__exit__)
        return daemon

    def client(self, *arguments, **options):
        client = Client(*arguments, **options)
        self.addCleanup(client.close)
        return client

    def directory(self):
        directory = tempfile.TemporaryDirectory(prefix="warren-keys-")
        self.addCleanup(directory.cleanup)
        return directory.name

    def fails(self, daemon, expected):
        """It ends by itself; returns what it said."""
        daemon.spawn()
        self.assertEqual(daemon.process.wait(timeout=DEADLINE), expected, daemon.log())
        return daemon.log()


class ServerKey(Base):
    def test_it_is_made_once_for_the_daemon_alone_as_a_certificate_that_others_can_read(self):
        daemon = self.daemon().start()
        path = f"{daemon.directory}/state/server.key"
        self.assertEqual(mode_of(path), 0o600)
        public, secret = zmq.auth.load_certificate(path)
        self.assertEqual(hex_of((public, secret)), daemon.key())
        self.assertEqual(zmq.curve_public(secret), public)
        before = daemon.key()
        daemon.restart()
        self.assertEqual(daemon.key(), before)

    def test_one_that_czmq_made_is_taken(self):
        folder = self.directory()
        _, path = zmq.auth.create_certificates(folder, "mine")
        os.chmod(path, 0o600)
        daemon = self.daemon(f"security.key_file={path}").start()
        self.assertEqual(daemon.key(), hex_of(zmq.auth.load_certificate(path)))
        self.assertFalse(os.path.exists(f"{daemon.directory}/state/server.key"))

    def test_one_that_others_can_read_is_refused_with_what_to_do(self):
        daemon = self.daemon().start()
        daemon.stop()
        path = f"{daemon.directory}/state/server.key"
        for mode in (0o640, 0o604, 0o620):
            os.chmod(path, mode)
            said = self.fails(daemon, CONFIG)
            self.assertIn(f"(mode {mode:04o})", said)
            self.assertIn(f'say "chmod 600 {path}"', said)
        os.chmod(path, 0o400)
        daemon.start()

    def test_what_is_no_key_is_refused_and_left_as_it_was(self):
        path = f"{self.directory()}/server.key"
        with open(path, "w", encoding="ascii") as file:
            file.write('secret-key = "too short"\n')
        os.chmod(path, 0o600)
        self.assertIn("there is no key in " + path, self.fails(self.daemon(f"security.key_file={path}"), CONFIG))
        with open(path, encoding="ascii") as file:
            self.assertIn("too short", file.read())

    def test_a_credential_of_systemd_is_used_whatever_its_mode(self):
        folder = self.directory()
        _, path = zmq.auth.create_certificates(folder, "server")
        os.rename(path, f"{folder}/server.key")
        os.chmod(f"{folder}/server.key", 0o440)
        daemon = self.daemon(environment={"CREDENTIALS_DIRECTORY": folder}).start()
        self.assertEqual(daemon.key(), hex_of(zmq.auth.load_certificate(f"{folder}/server.key")))
        self.assertFalse(os.path.exists(f"{daemon.directory}/state/server.key"))

    def test_where_it_cannot_be_made_the_daemon_does_not_serve(self):
        said = self.fails(self.daemon("security.key_file=/proc/no/server.key"), CONFIG)
        self.assertIn("/proc/no/server.key", said)

    def test_a_check_of_the_configuration_reads_it_and_makes_none(self):
        directory = self.directory()
        for name, why in (("public", "is open to others"), ("empty", "there is no key in")):
            with open(f"{directory}/{name}", "w", encoding="ascii"):
                pass
            os.chmod(f"{directory}/{name}", 0o644 if name == "public" else 0o600)
            command = self.daemon(f"security.key_file={directory}/{name}").command()
            status, said = stopped_output([*command, "--check-config"])
            self.assertEqual(status, CONFIG, said)
            self.assertIn(f"{directory}/{name}", said)
            self.assertIn(why, said)
        command = self.daemon(f"security.key_file={directory}/none").command()
        status, said = stopped_output([*command, "--check-config"])
        self.assertEqual((status, said), (0, ""))
        self.assertFalse(os.path.exists(f"{directory}/none"))

    def test_where_the_disk_is_full_it_may_be_made_later(self):
        """On a small disk that is mounted for the daemon alone."""
        alone = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
        if alone.returncode != 0:
            self.skipTest(alone.stderr.decode())
        directory = self.directory()
        command = self.daemon(f"security.key_file={directory}/server.key").command()
        script = 'mount -t tmpfs -o size=4k warren "$0"; head -c 4096 /dev/zero >"$0/full"; exec "$@"'
        status, said = stopped_output(["unshare", "--mount", "sh", "-ec", script, directory, *command])
        self.assertEqual(status, UNAVAILABLE, said)
        self.assertIn(f"{directory}/server.key: No space left on device", said)


class Wire(Base):
    def server(self, *settings):
        return self.daemon(*settings, keys=True).start()

    def test_an_address_that_others_can_reach_takes_keys_and_a_loopback_one_none(self):
        ports = free_ports(4)
        daemon = self.daemon(f"network.control=tcp://127.0.0.1:{ports[0]} tcp://*:{ports[1]}",
                             f"network.updates=tcp://127.0.0.1:{ports[2]} tcp://*:{ports[3]}",
                             "security.introduce=no").start()
        addresses = [f"tcp://127.0.0.1:{port}" for port in ports]
        plain = self.client(None, "ann", address=addresses[0], updates=addresses[2])
        self.assertEqual(list(plain.welcome.updates), [addresses[2]])
        keyed = self.client(None, "bob", address=addresses[1], updates=addresses[3], pair=key_pair(),
                            server_key=bytes.fromhex(daemon.key()))
        self.assertEqual(list(keyed.welcome.updates), [f"tcp://*:{ports[3]}"])

    def test_a_game_is_played_with_keys(self):
        daemon = self.server()
        ann = self.client(None, "ann", **daemon.keyed(key_pair()))
        view = ann.join(ann.create(**SMALL).name)
        ann.wait(lambda: view.sequence is not None, "the keyframe")
        self.assertFalse(ann.welcome.admin)

    def test_who_has_no_key_or_a_wrong_one_for_the_server_is_not_heard(self):
        daemon = self.server()
        good = daemon.keyed(key_pair())
        wrong = self.client(None, "ann", hello=False, monitored=True, **dict(good, server_key=bytes(32)))
        plain = self.client(None, "ann", hello=False, monitored=True, **daemon.tcp_addresses())
        for client in (wrong, plain):
            client.send(1, hello=messages.Hello(protocol_min=1, protocol_max=1))
        for client in (wrong, plain):
            client.wait_shut_out()
        right = self.client(None, "ann", **good)
        self.assertTrue(right.alive())
        self.assertEqual(right.request(get_status=messages.GetStatus()).status.sessions, 1)

    def test_the_server_tells_its_key_to_whoever_asks_and_nothing_else(self):
        daemon = self.server()
        asker = self.client(None, hello=False, address=f"tcp://127.0.0.1:{daemon.tcp[2]}",
                            updates=f"tcp://127.0.0.1:{daemon.tcp[1]}")
        asker.send(1, list_worlds=messages.ListWorlds())
        asker.send(2, hello=messages.Hello(protocol_min=1, protocol_max=1))
        asker.control.send(b"\xff\xff")
        asker.control.send_multipart([b"a", b"b"])
        asker.send(3, introduce=messages.Introduce())
        answer = asker.receive()
        self.assertEqual((answer.id, answer.introduction.curve_key.hex()), (3, daemon.key()))
        local = self.client(daemon, hello=False)
        self.assertEqual(local.request(introduce=messages.Introduce()).introduction.curve_key.hex(), daemon.key())

    def test_it_does_not_if_it_is_told_not_to(self):
        daemon = self.server("security.introduce=no")
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", daemon.tcp[2]), timeout=DEADLINE)


class Trust(Base):
    """What warrenctl keeps about keys and what it says."""

    @classmethod
    def setUpClass(cls):
        cls.server = Daemon(keys=True).start()
        cls.addClassCleanup(cls.server.__exit__)

    def setUp(self):
        self.data = self.directory()
        self.host = f"127.0.0.1:{self.server.tcp[0]}"

    def ctl(self, *arguments, address=None, timeout=str(DEADLINE)):
        environment = dict(os.environ, XDG_DATA_HOME=self.data, LC_ALL="C.UTF-8")
        return subprocess.run([f"{BUILD}/bin/warrenctl", "--timeout", timeout, "--server",
                               address or f"warren://{self.host}", *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * DEADLINE, text=True,
                              check=False, env=environment)

    def known(self):
        try:
            with open(f"{self.data}/warren/known_servers", encoding="ascii") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def test_on_first_use_a_key_is_made_and_the_server_s_is_kept(self):
        done = self.ctl("status")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(self.known(), f"tcp://{self.host} {self.server.key()}\n")
        for name, mode in (("warren/key", 0o600), ("warren/known_servers", 0o600), ("warren", 0o700)):
            self.assertEqual(mode_of(f"{self.data}/{name}"), mode)
        own = zmq.auth.load_certificate(f"{self.data}/warren/key")
        self.assertEqual(self.ctl("status").returncode, DONE)
        self.assertEqual(zmq.auth.load_certificate(f"{self.data}/warren/key"), own)
        self.assertEqual(self.known().count("\n"), 1)

    def test_another_key_than_the_known_one_is_refused_with_an_explanation(self):
        os.mkdir(f"{self.data}/warren", 0o700)
        with open(f"{self.data}/warren/known_servers", "w", encoding="ascii") as file:
            other = "ab" * 32
            file.write(f"tcp://127.0.0.1:1 {other}\ntcp://{self.host} {other}\n")
        done = self.ctl("status")
        self.assertEqual(done.returncode, NOT_ALLOWED)
        self.assertIn(f"The key of tcp://{self.host} has changed!", done.stderr)
        self.assertIn("known_servers, line 2", done.stderr)
        self.assertIn(self.server.key(), done.stderr)
        self.assertIn("remove that line", done.stderr)

    def test_whoever_is_banned_is_not_allowed_and_told_why(self):
        own = self.ctl("key").stdout.split()[0]
        with Client(self.server) as admin:
            admin.request(ban=messages.Ban(who=own, reason="too loud"))
        done = self.ctl("status")
        self.assertEqual(done.returncode, NOT_ALLOWED, done.stderr)
        self.assertIn("you are banned from this server for good: too loud", done.stderr)

    def test_a_key_in_the_address_is_taken_and_kept(self):
        done = self.ctl("status", address=f"warren://{self.host}?key={self.server.key()}")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn(self.server.key(), self.known())

    def test_a_wrong_key_in_the_address_is_refused_and_not_kept(self):
        done = self.ctl("status", address=f"warren://{self.host}?key={'00' * 32}")
        self.assertEqual(done.returncode, NOT_ALLOWED)
        self.assertIn("is not the one in the address", done.stderr)
        self.assertNotIn("remove that line", done.stderr)
        self.assertIn(self.server.key(), done.stderr)
        self.assertEqual(self.known(), "")
        self.ctl("status")
        done = self.ctl("status", address=f"warren://{self.host}?key={'00' * 32}")
        self.assertEqual(done.returncode, NOT_ALLOWED, done.stderr)
        self.assertIn("the address says", done.stderr)

    def test_without_a_key_it_is_told_that_one_is_needed(self):
        done = self.ctl("status", address=f"warren://{self.host}?key=none")
        self.assertEqual(done.returncode, NOT_ALLOWED)
        self.assertIn("takes nobody without a key", done.stderr)
        self.assertFalse(os.path.exists(f"{self.data}/warren/key"))

    def test_a_server_that_has_lost_its_key_is_refused(self):
        plain = self.daemon(tcp=True).start()
        address = f"127.0.0.1:{plain.tcp[0]}"
        done = self.ctl("status", address=f"warren://{address}?key={plain.key()}")
        self.assertEqual(done.returncode, NOT_ALLOWED)
        self.assertIn("has no key any more", done.stderr)

    def test_a_server_of_this_machine_needs_none(self):
        plain = self.daemon(tcp=True).start()
        done = self.ctl("status", address=f"warren://127.0.0.1:{plain.tcp[0]}")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(os.listdir(self.data), [])

    def test_an_own_key_that_others_can_read_is_not_used(self):
        self.ctl("status")
        os.chmod(f"{self.data}/warren/key", 0o644)
        done = self.ctl("status")
        self.assertEqual(done.returncode, UNAVAILABLE)
        self.assertIn(f'"chmod 600 {self.data}/warren/key"', done.stderr)

    def test_of_two_that_make_the_key_at_once_both_have_the_same(self):
        environment = dict(os.environ, XDG_DATA_HOME=self.data)
        command = [f"{BUILD}/bin/warrenctl", "--server", f"warren://{self.host}", "status"]
        several = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for _ in range(8)]
        self.assertEqual([one.wait(timeout=DEADLINE) for one in several], [DONE] * 8)
        self.assertEqual(sorted(os.listdir(f"{self.data}/warren")), ["key", "known_servers"])
        self.assertEqual(self.known().count("\n"), 1)

    def warren(self, *arguments):
        terminal = Terminal([f"{BUILD}/bin/warren", "--server", f"warren://{self.host}", "--ascii", "--no-colour",
                             *arguments], width=100,
                            environment={"XDG_DATA_HOME": self.data, "XDG_RUNTIME_DIR": self.data})
        self.addCleanup(terminal.close)
        return terminal

    def test_in_a_terminal_a_name_of_somebody_else_s_is_told_and_so_is_a_changed_key(self):
        ann = self.client(None, "ann", **self.server.keyed(key_pair()))
        ann.create(name="told", **SMALL)
        terminal = self.warren("--player", "ann")
        screen = terminal.wait_for("The name ann is somebody else's here: you are ann-2.")
        self.assertIn("Enter join", screen)
        terminal.send("Down")  # whoever has read it presses a key
        terminal.wait_for("told was created by ann")
        terminal.close()
        terminal = self.warren("--player", "ann", "--world", "told")
        terminal.wait_for("The name ann is somebody else's here: you are ann-2.")
        terminal.close()
        with open(f"{self.data}/warren/known_servers", "w", encoding="ascii") as file:
            file.write(f"tcp://{self.host} {'ab' * 32}\n")
        self.warren().wait_for(f"The key of tcp://{self.host} has changed!")

    def test_it_is_told_when_the_server_s_key_cannot_be_kept(self):
        os.mkdir(f"{self.data}/warren", 0o700)
        os.symlink("nowhere/known_servers", f"{self.data}/warren/known_servers")
        done = self.ctl("status")
        self.assertEqual(done.returncode, DONE)
        self.assertIn("known_servers: No such file or directory", done.stderr)

    def test_known_servers_that_cannot_be_read_are_not_taken_for_none(self):
        os.mkdir(f"{self.data}/warren", 0o700)
        path = f"{self.data}/warren/known_servers"
        for make, why in ((os.mkdir, "Is a directory"),
                          (lambda at: os.symlink(at, at), "Too many levels of symbolic links")):
            make(path)
            done = self.ctl("status")
            self.assertEqual(done.returncode, UNAVAILABLE, done.stderr)
            self.assertIn(f"tcp://{self.host} is the server that it was cannot be told: {path}: {why}", done.stderr)
            (os.rmdir if os.path.isdir(path) else os.unlink)(path)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"tcp://{self.host} not-a-key\n")
        done = self.ctl("status")
        self.assertEqual(done.returncode, UNAVAILABLE, done.stderr)
        self.assertIn(f"{path}: line 1 has no key", done.stderr)

    def test_a_server_that_does_not_tell_its_key_has_to_be_named_with_it(self):
        silent = self.daemon("security.introduce=no", keys=True).start()
        address = f"warren://127.0.0.1:{silent.tcp[0]}"
        done = self.ctl("status", address=address, timeout="2")
        self.assertEqual(done.returncode, UNAVAILABLE)
        self.assertIn("has not told its key", done.stderr)
        self.assertEqual(self.ctl("status", address=f"{address}?key={silent.key()}").returncode, DONE)


if __name__ == "__main__":
    unittest.main()
