"""Who hears a view: its owner, and nobody who does not know the whole key. What subscribers do to each other, and to
the daemon."""

import contextlib
import os
import socket
import struct
import time
import unittest

import zmq

from daemon import Client, Daemon, View, messages, wait_for

REST = 2
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 3, "growth_permille": 0}


class Listener:
    """A bare SUB or XSUB socket with its own context, so that nothing is shared with another."""

    def __init__(self, daemon, kind=zmq.SUB):
        self.context = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.linger = 0
        self.socket.connect(f"ipc://{daemon.directory}/run/updates")

    def heard(self):
        frames = []
        with contextlib.suppress(zmq.Again):
            while True:
                frames.append(self.socket.recv_multipart(zmq.NOBLOCK))
        return frames

    def close(self):
        self.socket.close()
        self.context.term()


class RawSubscriber:
    """ZMTP 3.0 by hand (https://rfc.zeromq.org/spec/23/): it sends what no library would."""

    def __init__(self, daemon):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(f"{daemon.directory}/run/updates")
        self.socket.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31))
        self._read(64)
        ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 3) + b"SUB"
        self.socket.sendall(b"\x04" + bytes([len(ready)]) + ready)
        self._read(self._read(2)[1])

    def _read(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        return data

    def send(self, frame, more=False):
        self.socket.sendall(bytes([1 if more else 0, len(frame)]) + frame)

    def close(self):
        self.socket.close()


class Home(unittest.TestCase):
    """A world with one player in it, whose view is what others want to hear."""

    def setUp(self):
        self.daemon = Daemon().start()
        self.addCleanup(self.daemon.__exit__)
        self.ann = self.client("ann")
        self.ann.create(name="home", **SMALL)
        self.view = self.ann.join("home")
        self.ann.wait(lambda: self.view.sequence is not None, "the first update")

    def client(self, player):
        client = Client(self.daemon, player)
        self.addCleanup(client.close)
        return client

    def listener(self, kind=zmq.SUB):
        listener = Listener(self.daemon, kind)
        self.addCleanup(listener.close)
        return listener

    def refusals(self):
        return self.daemon.status().subscriptions_refused


class Subscriptions(Home):
    def subscribe_refused(self, subscriptions):
        """A listener whose every subscription the daemon has seen and refused."""
        before = self.refusals()
        listener = self.listener()
        for subscription in subscriptions:
            listener.socket.subscribe(subscription)
        wait_for(lambda: self.refusals() >= before + len(subscriptions), "the refusals to be counted")
        return listener

    def assert_silent(self, listener):
        """Its owner hears the view; what could have come to the listener has come by the time the mark has: a view that
        both hear, in the same socket after the others."""
        for _ in range(10):
            self.ann.play(self.view, REST)
        watched = self.ann.request(watch=messages.WatchWorld(world="home")).joined
        listener.socket.subscribe(watched.view_key)
        heard = wait_for(listener.heard, "the mark")
        self.assertEqual({frames[0] for frames in heard}, {watched.view_key})
        self.assertTrue(messages.Update.FromString(heard[0][1]).HasField("keyframe"))

    def test_subscribing_to_everything_is_silent(self):
        self.assert_silent(self.subscribe_refused([b""]))

    def test_no_prefix_of_a_key_hears_anything(self):
        key = self.view.joined.view_key
        self.assert_silent(self.subscribe_refused([key[:size] for size in range(1, 16)]))

    def test_a_guessed_key_is_silent(self):
        key = self.view.joined.view_key
        guesses = [bytes(16), os.urandom(16), key[::-1], key[:15] + bytes([key[15] ^ 1]),
                   bytes([key[0] ^ 128]) + key[1:]]
        self.assert_silent(self.subscribe_refused(guesses))

    def test_a_key_with_something_after_it_is_silent(self):
        key = self.view.joined.view_key
        self.assert_silent(self.subscribe_refused([key + b"\0", key + b"x", key + key, key + bytes(30)]))

    def test_an_overlong_subscription_harms_nobody(self):
        listener = self.listener()
        listener.socket.subscribe(self.view.joined.view_key + bytes(100000))
        for _ in range(10):
            self.ann.play(self.view, REST)
        self.assertEqual(listener.heard(), [])

    def test_a_key_works_for_whoever_knows_it(self):
        listener = self.listener()
        listener.socket.subscribe(self.view.joined.view_key)
        heard = wait_for(listener.heard, "the keyframe")
        self.assertEqual(heard[0][0], self.view.joined.view_key)
        self.assertTrue(messages.Update.FromString(heard[0][1]).HasField("keyframe"))

    def test_the_key_of_a_seat_that_was_left_is_void(self):
        bob = self.client("bob")
        view = bob.join("home")
        bob.wait(lambda: view.sequence is not None, "bob's view")
        bob.request(leave=messages.LeaveWorld(world=view.joined.world))
        again = bob.join("home")
        bob.wait(lambda: again.sequence is not None, "bob's new view")
        self.assertNotEqual(again.joined.view_key, view.joined.view_key)
        heard = len(view.updates)
        for _ in range(5):
            bob.play(again, REST)
        self.assertEqual(len(view.updates), heard)
        self.assert_silent(self.subscribe_refused([view.joined.view_key]))

    def test_the_keys_of_a_closed_world_are_void(self):
        bob = self.client("bob")
        bob.create(name="gone", **SMALL)
        view = bob.join("gone")
        bob.wait(lambda: view.sequence is not None, "bob's view")
        bob.request(close=messages.CloseWorld(world="gone"))
        self.assert_silent(self.subscribe_refused([view.joined.view_key]))

    def test_keys_are_made_anew_at_every_start(self):
        self.daemon.restart()
        with Client(self.daemon, "ann") as ann:
            again = ann.join("home")
            self.assertEqual(again.joined.seat, self.view.joined.seat)
            self.assertNotEqual(again.joined.view_key, self.view.joined.view_key)

    def test_keyframes_that_are_asked_for_are_limited(self):
        before, start = self.daemon.status().keyframes, time.monotonic()
        for _ in range(500):
            self.ann.request(resync=messages.Resync(world=self.view.joined.world))
        after, lasted = self.daemon.status().keyframes, time.monotonic() - start
        self.assertLessEqual(after - before, 10 * lasted + 2)
        fresh = self.ann.keys[self.view.joined.view_key] = View(self.view.joined)
        self.ann.request(resync=messages.Resync(world=self.view.joined.world))
        self.ann.wait(lambda: fresh.sequence is not None, "the keyframe that was put off")

    def test_keyframes_for_many_who_arrive_at_once_are_coalesced(self):
        watched = self.ann.watch("home")
        self.ann.wait(lambda: watched.sequence is not None, "the view")
        before, start = self.daemon.status().keyframes, time.monotonic()
        listeners = [self.listener() for _ in range(30)]
        for listener in listeners:
            listener.socket.subscribe(watched.joined.view_key)
        for listener in listeners:
            heard = wait_for(listener.heard, "a keyframe")
            self.assertTrue(any(messages.Update.FromString(body).HasField("keyframe") for _, body in heard))
        after, lasted = self.daemon.status().keyframes, time.monotonic() - start
        self.assertLessEqual(after - before, 10 * lasted + 2)


class AmongSubscribers(Home):
    """What one subscriber does to the others."""

    def watchers(self):
        return self.ann.request(list_worlds=messages.ListWorlds()).worlds.worlds[0].watchers

    def watched(self):
        """Someone who watches, and hears the view."""
        wat = self.client("wat")
        view = wat.watch("home")
        wat.wait(lambda: view.sequence is not None, "the watched view")
        return wat, view

    def assert_heard(self, wat, view):
        before = view.sequence
        self.ann.play(self.view, REST)
        self.ann.request(say=messages.Say(world=self.view.joined.world, text=f"after {before}"))
        wat.wait(lambda: f"after {before}" in view.texts(), "what was said")

    def assert_grown_less(self, before, most):
        if self.daemon.memory_is_telling():
            self.assertLess(self.daemon.memory() - before, most)

    def drawn(self):
        """How many updates a word to all is published as: one for each view that somebody looks at."""
        before = self.daemon.status().updates
        self.ann.request(say=messages.Say(world=self.view.joined.world, text=f"word {before}"))
        self.ann.wait(lambda: f"word {before}" in self.view.texts(), "the word")
        return self.daemon.status().updates - before

    def watch_key(self):
        return self.ann.request(watch=messages.WatchWorld(world="home")).joined.view_key

    def test_watchers_are_counted_while_they_watch(self):
        clients = [self.client(f"w{number}") for number in range(5)]
        for client in clients:
            client.watch("home")
        wait_for(lambda: self.watchers() == 5, "five watchers")
        clients[0].request(leave=messages.LeaveWorld(world=self.view.joined.world))
        wait_for(lambda: self.watchers() == 4, "four watchers")
        for client in clients:
            client.request(goodbye=messages.Goodbye())
        wait_for(lambda: self.watchers() == 0, "no watcher")

    def test_a_view_is_drawn_from_its_first_subscription_until_nobody_holds_it(self):
        self.assertEqual(self.drawn(), 1)
        holder = self.client("holder")
        key = holder.request(watch=messages.WatchWorld(world="home")).joined.view_key
        self.assertEqual(self.drawn(), 1)
        listeners = [Listener(self.daemon) for _ in range(3)]
        for listener in listeners:
            for _ in range(3):
                listener.socket.subscribe(key)
            wait_for(listener.heard, "the keyframe")
        self.assertEqual(self.drawn(), 2)
        for listener in listeners:
            listener.close()
        holder.request(leave=messages.LeaveWorld(world=self.view.joined.world))
        self.assertEqual(self.drawn(), 1)

    def test_the_key_is_another_when_the_last_watcher_has_left(self):
        listener = Listener(self.daemon)
        holder = self.client("holder")
        key = holder.request(watch=messages.WatchWorld(world="home")).joined.view_key
        listener.socket.subscribe(key)
        wait_for(listener.heard, "the keyframe")
        holder.request(leave=messages.LeaveWorld(world=self.view.joined.world))
        wat, view = self.watched()
        self.assertNotEqual(view.joined.view_key, key)
        listener.heard()
        self.assert_heard(wat, view)
        self.assertFalse(listener.heard())

    def test_watchers_that_come_and_go_quickly_take_nothing_from_who_stays(self):
        wat, view = self.watched()
        for _ in range(60):
            flock = []
            for _ in range(4):
                raw = RawSubscriber(self.daemon)
                raw.send(b"\1" + view.joined.view_key)
                raw.close()
                flock.append(RawSubscriber(self.daemon))
                flock[-1].send(b"\1" + view.joined.view_key)
            for raw in flock:
                raw.close()
        self.assert_heard(wat, view)
        last = RawSubscriber(self.daemon)
        last.send(b"\1" + view.joined.view_key)
        last.close()
        mark = self.refusals()
        self.listener().socket.subscribe(b"mark")
        wait_for(lambda: self.refusals() > mark, "the mark")
        for _ in range(5):
            self.assert_heard(wat, view)

    def test_who_stopped_watching_hears_nothing_of_those_who_watch_later(self):
        wat, view = self.watched()
        wat.request(leave=messages.LeaveWorld(world=view.joined.world))
        bob = self.client("bob")
        later = bob.watch("home")
        bob.wait(lambda: later.sequence is not None, "bob's view")
        wat.take_updates()
        heard = len(view.updates)
        self.assertNotEqual(later.joined.view_key, view.joined.view_key)
        self.assert_heard(bob, later)
        self.assertEqual((wat.take_updates(), len(view.updates)), (0, heard))

    def test_unsubscribing_more_often_than_subscribing_takes_nothing_from_others(self):
        wat, view = self.watched()
        raw = RawSubscriber(self.daemon)
        self.addCleanup(raw.close)
        for _ in range(5):
            raw.send(b"\0" + view.joined.view_key)
        mark = self.refusals()
        raw.send(b"\1mark")
        wait_for(lambda: self.refusals() > mark, "the mark")
        self.assert_heard(wat, view)

    def test_a_second_frame_cannot_unsubscribe_somebody_else(self):
        wat, view = self.watched()
        raw = RawSubscriber(self.daemon)
        self.addCleanup(raw.close)
        for _ in range(3):
            raw.send(b"x", more=True)
            raw.send(b"\0" + view.joined.view_key)
        mark = self.refusals()
        raw.send(b"\1mark")
        wait_for(lambda: self.refusals() > mark, "the mark")
        self.assert_heard(wat, view)

    def test_a_second_frame_cannot_subscribe_somebody_else(self):
        wat = self.client("wat")
        key = self.ann.request(watch=messages.WatchWorld(world="home")).joined.view_key
        mark = self.refusals()
        wat.updates.subscribe(b"mark")
        wait_for(lambda: self.refusals() > mark, "wat to have subscribed last")
        sender = self.listener(zmq.XSUB)
        sender.socket.send_multipart([b"x", b"\1" + key])
        for _ in range(5):
            self.ann.play(self.view, REST)
        self.daemon.status()
        self.assertEqual(wat.take_updates(), 0)

    def test_raw_rubbish_on_the_update_socket_harms_nobody(self):
        wat, view = self.watched()
        path = f"{self.daemon.directory}/run/updates"
        for rubbish in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, bytes(1000), os.urandom(4096)):
            with socket.socket(socket.AF_UNIX) as raw:
                raw.connect(path)
                raw.sendall(rubbish)
        for frame in (b"", b"\1", b"\0", b"\2" + bytes(16), b"\1" + bytes(63), bytes(200)):
            raw = RawSubscriber(self.daemon)
            with contextlib.suppress(OSError):
                raw.send(frame)
            raw.close()
        self.assert_heard(wat, view)

    def test_a_reader_that_does_not_read_costs_only_itself(self):
        lazy = Listener(self.daemon)
        lazy.socket.rcvhwm = 1
        lazy.socket.subscribe(self.view.joined.view_key)
        last = 0
        for _ in range(40):
            for _ in range(50):
                last = self.ann.command(self.view, REST)
            self.ann.wait(lambda last=last: self.view.executed >= last, "the commands")
        self.assertFalse(self.view.gap)
        lazy.close()

    def test_thousands_of_refused_subscriptions_do_not_make_the_daemon_grow(self):
        before, refused, count = self.daemon.memory(), self.refusals(), 40000
        sent = 0
        while sent < count:
            with contextlib.suppress(OSError):
                raw = RawSubscriber(self.daemon)
                for _ in range(count):
                    raw.send(b"\1" + os.urandom(16))
                    sent += 1
            raw.close()
        wait_for(lambda: self.refusals() > refused + 200, "many to be refused")
        self.assert_grown_less(before, 16 << 20)
        for _ in range(10):
            self.ann.play(self.view, REST)

    def test_thousands_of_views_one_after_the_other_on_one_connection_do_not_make_the_daemon_grow(self):
        wat = self.client("wat")
        for number in range(3000):
            view = wat.join("home")
            if number == 500:
                before = self.daemon.memory()
            wat.request(leave=messages.LeaveWorld(world=view.joined.world))
            wat.updates.unsubscribe(view.joined.view_key)
            wat.take_updates()
        self.assert_grown_less(before, 4 << 20)


if __name__ == "__main__":
    unittest.main()
