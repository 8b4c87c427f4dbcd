"""Many connections: spectators in numbers, more than there are file descriptors for, and those on the port that tells
the server's key, which anybody may use."""

import os
import resource
import signal
import socket
import unittest

import zmq

from daemon import Client, Daemon, Refused, key_pair, messages, wait_for

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}
FEW = 160
GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f"  # how a connection of ZeroMQ begins
SAID = "connections are refused: nearly all of the 160 file descriptors are in use"


def hello(**body):
    return messages.Request(id=1, hello=messages.Hello(protocol_min=1, protocol_max=1)).SerializeToString()


def connect_from(address, port):
    """All of 127.0.0.0/8 is here; but for 127.0.0.1, each address counts as one from elsewhere."""
    return socket.create_connection(("127.0.0.1", port), source_address=(address, 0))


def is_let_in(connection):
    """ZeroMQ greets whom it has accepted; whom it has not hears the end."""
    connection.settimeout(30)
    try:
        return connection.recv(1) != b""
    except ConnectionError:
        return False


# So that nobody counts as lost while a slow machine makes all these connections.
PATIENT = ["network.heartbeat_ms=60000", "network.grace_ms=120000"]


class Base(unittest.TestCase):
    def started(self, *settings, most=None, least=None, **options):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (least or most, most))
        daemon = Daemon(PATIENT + list(settings), preexec=limit if most else None, **options).start()
        self.addCleanup(daemon.__exit__)
        return daemon

    def client(self, *arguments, **options):
        client = Client(*arguments, **options)
        self.addCleanup(client.close)
        return client

    def socket(self, kind, address):
        """Of a context of the test's own, which may have many."""
        if not hasattr(self, "context"):
            self.context = zmq.Context()
            self.context.set(zmq.MAX_SOCKETS, 4000)
            self.addCleanup(self.context.term)
        made = self.context.socket(kind)
        self.addCleanup(made.close, 0)
        made.connect(address)
        return made

    def descriptors(self, daemon):
        return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))


class Descriptors(Base):
    """What comes when there are none left for connections."""

    def fill(self, connect, count=FEW):
        connections = []
        for _ in range(count):
            try:
                connection = connect()
                connection.sendall(GREETING)
                connections.append(connection)
            except (BrokenPipeError, ConnectionError):
                pass
        self.addCleanup(lambda: [connection.close() for connection in connections])
        return connections

    def check(self, daemon, ann, connect):
        connections = self.fill(connect)
        wait_for(lambda: SAID in daemon.log(), "the log to tell")
        self.assertIsNone(daemon.process.poll())
        # For a moment there is one more: it is refused when it is there.
        wait_for(lambda: self.descriptors(daemon) <= FEW - FEW // 4, "no more than may be")
        self.assertTrue(ann.alive())
        ann.create(name="another", **SMALL)  # for which the daemon may need some itself
        for connection in connections:
            connection.close()
        wait_for(lambda: self.descriptors(daemon) < FEW // 2, "those to be gone")
        self.assertTrue(self.client(daemon, "bob").alive())
        self.assertEqual(daemon.log().count("connections are refused"), 1)

    def test_of_the_machine_s_users(self):
        daemon = self.started(most=FEW)

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(f"{daemon.directory}/run/control")
            return connection
        self.check(daemon, self.client(daemon, "ann"), connect)

    def test_of_the_network(self):
        for port in range(3):
            with self.subTest(port=port):
                daemon = self.started("limits.sessions_per_address=100", most=FEW, keys=True)
                self.check(daemon, self.client(None, "ann", **daemon.keyed(key_pair())),
                           lambda: connect_from("127.0.0.2", daemon.tcp[port]))

    def test_both(self):
        """When the network has taken all, somebody of this machine comes."""
        daemon = self.started("limits.sessions_per_address=100", most=FEW, keys=True)
        ann = self.client(None, "ann", **daemon.keyed(key_pair()))
        self.fill(lambda: connect_from("127.0.0.2", daemon.tcp[0]))
        local = socket.socket(socket.AF_UNIX)
        self.addCleanup(local.close)
        local.connect(f"{daemon.directory}/run/updates")
        local.settimeout(30)
        while local.recv(64):  # its greeting perhaps, then the end
            pass
        self.assertTrue(ann.alive())

    def test_too_few_for_all_sessions_is_said_at_the_start_and_as_many_are_taken_as_may_be(self):
        daemon = self.started("limits.sessions=100", least=90, most=FEW)
        self.assertRegex(daemon.log(), r"160 file descriptors are enough for 60 players .* to 264, or lower limits")
        with open(f"/proc/{daemon.process.pid}/limits", encoding="ascii") as file:
            self.assertRegex(file.read(), r"Max open files +160 +160")

    def test_what_is_not_given_to_connections_counts_among_what_is_too_few(self):
        self.assertRegex(self.started("limits.sessions=61", most=FEW).log(), r"enough for 60 players .* to 186, or")
        self.assertNotIn("enough for", self.started("limits.sessions=60", most=FEW).log())


class Silent(Base):
    """Connections that never say anything are counted, too."""

    def connected(self, connect, count):
        connections = [connect() for _ in range(count)]
        self.addCleanup(lambda: [connection.close() for connection in connections])
        return connections

    def test_of_one_address(self):
        daemon = self.started("limits.sessions_per_address=2", keys=True)
        for port in range(3):
            connections = self.connected(lambda: connect_from("127.0.0.2", daemon.tcp[port]), 3)
            # With the two ports before, eight is reached by the second here.
            self.assertEqual([is_let_in(connection) for connection in connections], [True, True, port < 2])
        self.assertIn("connections from 127.0.0.2 are refused: there are 8, as many as may be. It is four for each "
                      "session that limits.sessions_per_address allows", daemon.log())
        for address in ("127.0.0.1", "127.0.0.3"):
            self.assertTrue(is_let_in(*self.connected(lambda: connect_from(address, daemon.tcp[0]), 1)))
        connections[0].close()
        wait_for(lambda: is_let_in(*self.connected(lambda: connect_from("127.0.0.2", daemon.tcp[0]), 1)),
                 "the place of one that is gone")

    def test_a_limit_that_is_read_again_counts_from_then_on(self):
        daemon = Daemon(tcp=True)
        self.addCleanup(daemon.__exit__)
        command, path = daemon.command(), f"{daemon.directory}/warren.conf"
        command[command.index("/dev/null")] = path
        daemon.command = lambda: command
        for sessions in (1, 2):
            with open(path, "w", encoding="ascii") as file:
                file.write(f"[limits]\nsessions_per_address = {sessions}\n")
            if sessions == 1:
                daemon.start()
            else:
                daemon.process.send_signal(signal.SIGHUP)
                wait_for(lambda: "config: read again" in daemon.log(), "the file to be read again")
            connections = self.connected(lambda: connect_from("127.0.0.2", daemon.tcp[0]), 5)
            self.assertEqual([is_let_in(connection) for connection in connections], [True] * 4 + [False])

    def test_of_this_machine_by_tcp(self):
        daemon = self.started(most=400, tcp=True)  # of which 336 are for connections
        connections = self.connected(lambda: connect_from("127.0.0.1", daemon.tcp[0]), 280)
        self.assertEqual([is_let_in(connection) for connection in connections].count(True), 252)
        self.assertIn("connections from this machine's own addresses are refused: there are 252", daemon.log())
        self.assertTrue(self.client(daemon, "ann").alive())
        self.assertTrue(is_let_in(*self.connected(lambda: connect_from("127.0.0.2", daemon.tcp[0]), 1)))

    @unittest.skipUnless(os.geteuid() == 0, "to be somebody else on this machine one has to be root")
    def test_of_one_user(self):
        daemon = self.started("limits.sessions_per_player=2")
        os.chmod(daemon.directory, 0o711)
        os.chmod(f"{daemon.directory}/run", 0o711)
        os.seteuid(65534)
        try:
            connections = self.connected(lambda: self.local(daemon), 9)
        finally:
            os.seteuid(0)
        self.assertEqual([is_let_in(connection) for connection in connections], [True] * 8 + [False])
        self.assertIn("connections from user 65534 are refused: there are 8", daemon.log())
        self.assertTrue(is_let_in(*self.connected(lambda: self.local(daemon), 1)))

    def local(self, daemon):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(f"{daemon.directory}/run/control")
        return connection


class Sessions(Base):
    def test_nobody_takes_all_from_everybody(self):
        """limits.sessions has a quarter for those who are not on this machine by tcp, and some more for
        administrators."""
        daemon = self.started("limits.sessions=8", tcp=True)

        def come(source):
            return self.client(None, **{name: f"tcp://{source}:0;{address.removeprefix('tcp://')}"
                                        for name, address in daemon.tcp_addresses().items()})

        def refused(source, most):
            with self.assertRaises(Refused) as error:
                come(source)
            self.assertEqual((error.exception.error.field, error.exception.error.limit), ("sessions", most))
        here = [come("127.0.0.1") for _ in range(6)]
        refused("127.0.0.1", 6)
        elsewhere = [come("127.0.0.2") for _ in range(2)]
        refused("127.0.0.2", 8)
        administrators = [self.client(daemon) for _ in range(16)]
        with self.assertRaises(Refused):
            self.client(daemon)
        self.assertTrue(all(client.alive() for client in here + elsewhere + administrators))


class Spectators(Base):
    COUNT = 300

    def test_hundreds_watch_one_world(self):
        daemon = self.started()
        ann = self.client(daemon, "ann")
        view = ann.join(ann.create(name="w", **SMALL).name)
        watch = messages.Request(id=2, watch=messages.WatchWorld(world="w")).SerializeToString()
        asking, waiting = [], zmq.Poller()
        for _ in range(self.COUNT):
            control = self.socket(zmq.DEALER, f"ipc://{daemon.directory}/run/control")
            control.send(hello())
            control.send(watch)
            asking.append(control)
        behind = set()
        for control in asking:
            reply = messages.Reply()
            while not reply.HasField("joined"):
                self.assertTrue(control.poll(30000))
                reply = messages.Reply.FromString(control.recv())
            updates = self.socket(zmq.SUB, f"ipc://{daemon.directory}/run/updates")
            updates.subscribe(reply.joined.view_key)
            waiting.register(updates, zmq.POLLIN)
            behind.add(updates)

        def heard(done):
            for updates, _ in waiting.poll(100):
                update = messages.Update.FromString(updates.recv_multipart()[1])
                if done(update):
                    behind.discard(updates)
            return not behind
        everybody = set(behind)
        wait_for(lambda: heard(lambda update: update.HasField("keyframe")), "everybody's keyframe")
        behind |= everybody
        ann.request(say=messages.Say(world=view.joined.world, text="to all"))
        wait_for(lambda: heard(lambda update: any(message.text == "to all" for message in update.delta.messages)),
                 "the message to reach everybody")
        self.assertEqual(ann.request(get_status=messages.GetStatus()).status.sessions, self.COUNT + 1)


class Introductions(Base):
    """The port that tells the server's key."""

    def setUp(self):
        self.daemon = self.started(keys=True)
        self.port = self.daemon.tcp[2]

    def asker(self):
        return self.socket(zmq.DEALER, f"tcp://127.0.0.1:{self.port}")

    def ask(self, asker):
        asker.send(messages.Request(id=7, introduce=messages.Introduce()).SerializeToString())

    def told(self, asker):
        self.assertTrue(asker.poll(30000), "no answer")
        reply = messages.Reply.FromString(asker.recv())
        self.assertEqual((reply.id, reply.introduction.curve_key.hex()), (7, self.daemon.key()))

    def test_what_is_no_question_is_passed_over_and_a_question_after_it_is_answered(self):
        for parts in ([b""], [b"\xff" * 20], [hello()], [b"x" * 64], [b"x" * 65], [b"x" * 1000000], [b"a", b"b", b"c"],
                      [b"", messages.Request(id=1, introduce=messages.Introduce()).SerializeToString()]):
            asker = self.asker()
            asker.send_multipart(parts)

            def answered():
                self.ask(asker)  # lost with the connection, if that is closed for what came before
                return asker.poll(100)
            wait_for(answered, "an answer")
            self.told(asker)

    def test_what_is_not_zeromq_and_what_never_goes_on_is_in_nobody_s_way(self):
        web = socket.create_connection(("127.0.0.1", self.port))
        self.addCleanup(web.close)
        web.settimeout(30)
        web.sendall(b"GET / HTTP/1.0\r\n\r\n")
        try:
            while web.recv(1000):
                pass
        except ConnectionResetError:
            pass
        for data in (b"", GREETING):
            for _ in range(100):
                slow = socket.create_connection(("127.0.0.1", self.port))
                self.addCleanup(slow.close)
                slow.sendall(data)
        asker = self.asker()
        self.ask(asker)
        self.told(asker)

    def test_a_crowd_is_answered_and_a_player_does_not_notice(self):
        ann = self.client(None, "ann", **self.daemon.keyed(key_pair()))
        askers = [self.asker() for _ in range(100)]
        for asker in askers:
            for _ in range(20):
                self.ask(asker)
        self.assertTrue(ann.alive())
        for asker in askers:
            for _ in range(20):
                self.told(asker)

    def test_it_is_said_where_the_key_is_told(self):
        self.assertIn(f"tells its key to whoever asks on tcp://127.0.0.1:{self.port}", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
