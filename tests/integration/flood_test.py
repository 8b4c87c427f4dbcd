"""Peers that speak ZeroMQ's protocol and nothing else of ours: messages without an end, more subscriptions than
anyone needs, replies that nobody reads. Each costs the daemon a bounded amount of memory, then its connection."""

import re
import socket
import struct
import unittest

import zmq
import zmq.utils.z85

from daemon import Client, Daemon, key_pair, messages, wait_for

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}
KERNEL = 8 << 20  # what may be on its way between two sockets
GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL" + b"\0" * 48


class Wire:
    """A connection in the words of ZMTP 3.0 (rfc.zeromq.org/spec/23)."""

    def __init__(self, address, kind):
        self.socket = socket.create_connection(address) if isinstance(address, tuple) else socket.socket(socket.AF_UNIX)
        if not isinstance(address, tuple):
            self.socket.connect(address)
        self.socket.settimeout(30)
        self.socket.sendall(GREETING)
        self.socket.sendall(self.frame(b"\5READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind, 4))
        self.receive(len(GREETING))
        flags, size = self.receive(2)
        self.ready = flags == 4 and self.receive(size).startswith(b"\5READY")

    def receive(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionResetError
            data += more
        return data

    @staticmethod
    def frame(body, flags=0):
        if len(body) > 255:
            return bytes([flags | 2]) + struct.pack(">Q", len(body)) + body
        return bytes([flags, len(body)]) + body

    def send_until_closed(self, data, most):
        """How many bytes it took. Reads nothing."""
        sent = 0
        try:
            while sent < most:
                self.socket.sendall(data)
                sent += len(data)
        except (BrokenPipeError, ConnectionError):
            pass
        return sent


class Base(unittest.TestCase):
    def setUp(self):
        settings = ["network.heartbeat_ms=60000", "network.grace_ms=120000", *self.settings]
        self.daemon = Daemon(settings, keys=self.keys).start()
        self.addCleanup(self.daemon.__exit__)
        self.ann = Client(self.daemon, "ann")
        self.addCleanup(self.ann.close)

    keys = False
    settings = ()

    def wire(self, address, kind):
        wire = Wire(address, kind)
        self.addCleanup(wire.socket.close)
        self.assertTrue(wire.ready)
        return wire

    def local(self, name):
        return f"{self.daemon.directory}/run/{name}"

    def memory(self):
        with open(f"/proc/{self.daemon.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) << 10


class Endless(Base):
    MORE = 1
    keys = True

    def check(self, address, kind, size):
        before = self.memory()
        data = Wire.frame(b"x" * size, self.MORE) * (65536 // size)
        self.assertLess(self.wire(address, kind).send_until_closed(data, 256 << 20), KERNEL)
        wait_for(lambda: "a connection is closed: it sent 1048576 bytes without an end" in self.daemon.log(), "the log")
        self.assertTrue(self.ann.alive())
        self.assertLess(self.memory() - before, 16 << 20)

    def test_requests(self):
        self.check(self.local("control"), b"DEALER", 60000)

    def test_subscriptions(self):
        self.check(self.local("updates"), b"SUB", 1000)

    def test_introductions(self):
        self.check(("127.0.0.1", self.daemon.tcp[2]), b"DEALER", 60)

    def test_a_peer_with_pauses_is_not_one(self):
        """What was heard is not counted any more."""
        wire = self.wire(self.local("control"), b"DEALER")
        request = Wire.frame(messages.Request(id=1, ping=messages.Ping()).SerializeToString() + b"\x7a\xe0\x7d" +
                             b"x" * 16096)  # and a field that nobody knows
        for _ in range(100):
            wire.socket.sendall(request)
            flags, size = wire.receive(2)
            self.assertTrue(messages.Reply.FromString(wire.receive(size)).HasField("error"))


class Subscriptions(Base):
    def test_more_than_anyone_needs(self):
        view = self.ann.join(self.ann.create(name="w", **SMALL).name)
        for first in (0, 1):
            with self.subTest(first=first):
                before = self.memory()
                data = Wire.frame(bytes([first]) + b"k" * 16) * 1000
                self.wire(self.local("updates"), b"SUB").send_until_closed(data, 1 << 30)
                self.assertTrue(self.ann.alive())
                self.assertLess(self.memory() - before, 64 << 20)
        wait_for(lambda: "sent more to the updates socket than it may" in self.daemon.log(), "the log")
        before = view.sequence
        self.ann.request(say=messages.Say(world=view.joined.world, text="still here"))
        self.ann.wait(lambda: view.sequence != before, "an update")

    def test_of_a_view_that_may_be_had_and_never_taken_back(self):
        """A watcher that comes and goes without unsubscribing."""
        self.ann.create(name="w", **SMALL)
        wire = self.wire(self.local("updates"), b"SUB")
        watch = messages.WatchWorld(world="w")
        world = self.ann.request(watch=watch).joined
        sent = 0
        try:
            while sent < 10000:
                wire.socket.sendall(Wire.frame(b"\1" + world.view_key))
                self.ann.request(leave=messages.LeaveWorld(world=world.world))
                world = self.ann.request(watch=watch).joined
                sent += 1
        except (BrokenPipeError, ConnectionError):
            pass
        self.assertLess(sent, 10000)
        # A subscription may come when its key is void already: of those there may be fewer.
        self.assertRegex(self.daemon.log(), "did not take back what it may not hear any more|"
                                            "a connection is closed: it asked for views it was not given")


class Unread(Base):
    def test_replies(self):
        wire = self.wire(self.local("control"), b"DEALER")
        hello = messages.Request(id=1, hello=messages.Hello(protocol_min=1, protocol_max=1)).SerializeToString()
        asking = Wire.frame(messages.Request(id=2, list_modes=messages.ListModes()).SerializeToString())
        before = self.memory()
        wire.socket.sendall(Wire.frame(hello))
        self.assertLess(wire.send_until_closed(asking, 100000 * len(asking)), 100000 * len(asking))
        wait_for(lambda: "does not read what it asked for" in self.daemon.log(), "the log")
        self.assertTrue(self.ann.alive())
        self.assertLess(self.memory() - before, 32 << 20)


class UnreadUpdates(Base):
    """libzmq bounds their number. A keyframe of a large world has most of a mebibyte."""
    keys = True
    settings = ("limits.keyframes_per_second=1000",)

    def publish(self, player, world, count):
        """Has that many more keyframes published."""
        most = self.daemon.status().keyframes + count

        def published():
            player.request(resync=messages.Resync(world=world))
            return self.daemon.status().keyframes >= most
        wait_for(published, "the keyframes")

    def has_not_grown(self, before):
        if self.daemon.memory_is_telling():
            self.assertLess(self.memory() - before, 96 << 20)

    def large_world(self):
        return self.ann.create(width=1024, height=1024, smoothing=0, lichens=0).name

    def test_of_a_connection_of_an_administrator(self):
        world = self.ann.request(watch=messages.WatchWorld(world=self.large_world())).joined
        before = self.memory()
        self.wire(self.local("updates"), b"SUB").socket.sendall(Wire.frame(b"\1" + world.view_key))
        self.publish(self.ann, world.world, 200)
        self.has_not_grown(before)

    def lazy(self, pair):
        """One that has room for one update, and reads it when it is asked to."""
        socket = self.ann.context.socket(zmq.SUB)
        self.addCleanup(socket.close)
        socket.linger, socket.rcvhwm = 0, 1
        socket.curve_publickey, socket.curve_secretkey = pair
        socket.curve_serverkey = zmq.utils.z85.encode(bytes.fromhex(self.daemon.key()))
        socket.connect(self.daemon.tcp_addresses()["updates"])
        return socket

    def test_of_a_player_over_all_connections(self):
        pair, name = key_pair(), self.large_world()
        players = [Client(self.daemon, "bob", **self.daemon.keyed(pair)) for _ in range(3)]
        readers = [self.lazy(pair) for _ in players]
        before = self.memory()
        for player, reader in zip(players, readers):
            self.addCleanup(player.close)
            world = player.request(watch=messages.WatchWorld(world=name)).joined
            reader.subscribe(world.view_key)
        self.publish(players[0], world.world, 200)
        self.has_not_grown(before)
        self.catches_up(players[0], world.world, readers[0])

    def catches_up(self, player, world, reader):
        """What was dropped is a gap, behind which there is a keyframe for who asks."""
        sequences = []
        while reader.poll(1000 if sequences else 30000):
            sequences.append(messages.Update.FromString(reader.recv_multipart()[1]).sequence)
        self.assertLess(len(sequences), sequences[-1] - sequences[0] + 1)
        player.request(resync=messages.Resync(world=world))
        self.assertTrue(reader.poll(30000))
        update = messages.Update.FromString(reader.recv_multipart()[1])
        self.assertTrue(update.HasField("keyframe"))
        self.assertGreater(update.sequence, sequences[-1])


if __name__ == "__main__":
    unittest.main()
