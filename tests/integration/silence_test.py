"""Who has left a world, was put out of it or may not watch it any more hears nothing of it, whatever connections were
opened for it before; and nobody else loses theirs. Who is lost, or not in yet,
is put out like others."""

import os
import signal
import unittest

import zmq

from daemon import Client, Daemon, Refused, View, hex_of, key_pair, messages, wait_for

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}


class Silence(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(keys=True).start()
        self.addCleanup(self.daemon.__exit__)
        self.keys = {}
        self.ann, self.bob, self.cid = self.player("ann"), self.player("bob"), self.player("cid")
        self.ann.create(name="hers", **SMALL)
        self.ann.create(name="open", **SMALL)
        self.hers = self.ann.join("hers")
        self.grant("cid", messages.ROLE_SPECTATOR)
        self.cids = self.cid.watch("hers")  # who stays, so that the view is drawn on
        self.cid.wait(lambda: self.cids.sequence is not None, "the keyframe")

    def player(self, name, **options):
        pair = self.keys.setdefault(name, key_pair())
        client = Client(None, name, **self.daemon.keyed(pair), **options)
        self.addCleanup(client.close)
        return client

    def admin(self):
        client = Client(self.daemon)
        self.addCleanup(client.close)
        return client

    def grant(self, name, role):
        self.ann.request(grant=messages.Grant(who=hex_of(self.keys[name]), role=role, world="hers"))

    def close_to_the_uninvited(self):
        self.ann.request(change=messages.ChangeWorld(world="hers", settings=[
            messages.SettingValue(name="watch", value="invited"), messages.SettingValue(name="listed", value="no")]))

    def second_connection(self, client, view):
        """Another socket that hears the same view."""
        place = self.daemon.keyed(self.keys[client.welcome.player])
        socket = client.context.socket(zmq.SUB)
        self.addCleanup(socket.close)
        socket.linger = 0
        socket.curve_publickey, socket.curve_secretkey = place["pair"]
        socket.curve_serverkey = zmq.utils.z85.encode(place["server_key"])
        socket.connect(place["updates"])
        socket.subscribe(view.joined.view_key)
        self.assertTrue(socket.poll(10000), "the second connection hears the view")
        return socket

    def watching(self, world="hers"):
        view = self.bob.watch(world)
        self.bob.wait(lambda: view.sequence is not None, "the keyframe")
        return view

    def assert_hears_nothing(self, hearer, key, *sockets):
        """What is said comes to who stays. A view of another world that hearer and sockets get afterwards, over the
        same connections, is the mark: what could have come to them of this one has come before."""
        heard = len(self.cids.texts())
        self.bob.take_updates()
        for socket in sockets:
            while socket.poll(0):
                socket.recv_multipart()
        self.ann.request(say=messages.Say(world=self.hers.joined.world, text="between us"))
        self.cid.wait(lambda: len(self.cids.texts()) > heard, "the message")
        mark = hearer.request(watch=messages.WatchWorld(world="open")).joined
        for socket in (self.bob.updates, *sockets):
            socket.subscribe(mark.view_key)
            frames = [b""]
            while frames[0] != mark.view_key:
                self.assertTrue(socket.poll(10000), "the mark")
                frames = socket.recv_multipart()
                self.assertNotEqual(frames[0], key)

    def test_of_a_world_that_was_closed_after_one_left(self):
        view = self.watching()
        self.bob.request(leave=messages.LeaveWorld(world=view.joined.world))
        self.close_to_the_uninvited()
        self.assert_hears_nothing(self.bob, view.joined.view_key)

    def test_of_a_world_whose_session_is_over(self):
        view = self.watching()
        self.bob.request(goodbye=messages.Goodbye())
        self.close_to_the_uninvited()
        self.assert_hears_nothing(self.player("bob"), view.joined.view_key)

    def test_over_any_connection_when_a_world_is_closed(self):
        view = self.watching()
        socket = self.second_connection(self.bob, view)
        self.close_to_the_uninvited()
        self.assert_hears_nothing(self.bob, view.joined.view_key, socket)

    def test_over_any_connection_after_a_kick_and_after_a_ban(self):
        for how in ({"kick": messages.Kick(player="bob", world="hers")},
                    {"ban": messages.Ban(who=hex_of(self.keys["bob"]), world="hers")}):
            with self.subTest(how=next(iter(how))):
                view = self.watching()
                socket = self.second_connection(self.bob, view)
                self.ann.request(**how)
                self.assert_hears_nothing(self.bob, view.joined.view_key, socket)
                self.bob.request(leave=messages.LeaveWorld(world=next(iter(self.watched("open")))))
                self.ann.request(unban=messages.Unban(who=hex_of(self.keys["bob"]), world="hers"))

    def watched(self, name):
        return {world.id for world in self.ann.request(list_worlds=messages.ListWorlds()).worlds.worlds
                if world.name == name}

    def test_of_a_seat_that_was_left_or_lost(self):
        for how in ("leave", "kick"):
            with self.subTest(how=how):
                view = self.bob.join("hers")
                self.bob.wait(lambda view=view: view.sequence is not None, "the keyframe")
                socket = self.second_connection(self.bob, view)
                if how == "leave":
                    self.bob.request(leave=messages.LeaveWorld(world=view.joined.world))
                else:
                    self.ann.request(kick=messages.Kick(player="bob", world="hers"))
                self.assert_hears_nothing(self.bob, view.joined.view_key, socket)
                self.bob.request(leave=messages.LeaveWorld(world=next(iter(self.watched("open")))))

    def test_of_a_server_that_banned_who_had_left(self):
        view = self.watching()
        socket = self.second_connection(self.bob, view)
        self.bob.request(goodbye=messages.Goodbye())
        other = self.player("dan")
        self.admin().request(ban=messages.Ban(who=hex_of(self.keys["bob"])))
        heard = len(self.cids.texts())
        self.ann.request(say=messages.Say(world=self.hers.joined.world, text="between us"))
        self.cid.wait(lambda: len(self.cids.texts()) > heard, "the message")
        seen = other.watch("hers")
        other.wait(lambda: seen.sequence is not None, "what is said is said to others")
        self.assertEqual([], [texts for texts in self.messages_of(view, self.bob.updates, socket) if texts])

    def messages_of(self, view, *sockets):
        for socket in sockets:
            replica = View(view.joined)
            while socket.poll(0):
                replica.apply(messages.Update.FromString(socket.recv_multipart()[1]))
            yield replica.texts()

    def test_watching_again_and_again_closes_nobody_s_connection(self):
        """The number of a connection that was closed goes to the next that comes, which is somebody else's."""
        view = self.watching()
        self.bob.updates.close()
        victims = [self.player(f"victim-{i}") for i in range(4)]
        seen = [victim.watch("open") for victim in victims]
        for victim, their in zip(victims, seen):
            victim.wait(lambda their=their: their.sequence is not None, "the keyframe")
        monitors = [victim.updates.get_monitor_socket(zmq.EVENT_DISCONNECTED) for victim in victims]
        for _ in range(3):
            for value in ("invited", "anyone"):
                self.ann.request(change=messages.ChangeWorld(world="hers", settings=[
                    messages.SettingValue(name="watch", value=value)]))
            self.bob.request(watch=messages.WatchWorld(world="hers"))
        self.ann.request(kick=messages.Kick(player="bob", world="hers"))
        before = [their.sequence for their in seen]
        speaker = self.ann.join("open")
        self.ann.request(say=messages.Say(world=speaker.joined.world, text="still there"))
        for victim, their, monitor, sequence in zip(victims, seen, monitors, before):
            victim.wait(lambda their=their: "still there" in their.texts(), "the message")
            self.assertGreater(their.sequence, sequence)
            self.assertFalse(monitor.poll(0), "the connection was closed")
            victim.updates.disable_monitor()
            monitor.close()
        self.assertNotEqual(view.joined.view_key, self.bob_key())
        self.bob.updates = self.bob.context.socket(zmq.SUB)

    def bob_key(self):
        self.ann.request(unban=messages.Unban(who=hex_of(self.keys["bob"]), world="hers"))
        return self.bob.request(watch=messages.WatchWorld(world="hers")).joined.view_key


class Refusals(unittest.TestCase):
    def test_who_comes_after_a_refused_one_begins_with_none(self):
        """A connection is closed when it has asked for 256 views it was not given; those of the one whose number it has
        got do not count."""
        with Daemon() as daemon, Client(daemon, "ann") as ann:
            refused = 0
            for _ in range(3):
                with Client(daemon, "bob") as bob:
                    monitor = bob.updates.get_monitor_socket(zmq.EVENT_DISCONNECTED)
                    for number in range(200):
                        bob.updates.subscribe(number.to_bytes(16, "little"))
                    refused += 200
                    wait_for(lambda least=refused: ann.request(
                        get_status=messages.GetStatus()).status.subscriptions_refused >= least, "the refusals")
                    self.assertFalse(monitor.poll(0), "the connection was closed")
                    bob.updates.disable_monitor()
                    monitor.close()


class Lost(unittest.TestCase):
    """Sessions whose connection has said nothing for a while: what is decided about their player holds for them too."""

    def setUp(self):
        self.daemon = Daemon(["network.heartbeat_ms=100"], keys=True).start()
        self.addCleanup(self.daemon.__exit__)
        self.pair = key_pair()
        self.ann = Client(None, "ann", **self.daemon.keyed(key_pair()))
        self.addCleanup(self.ann.close)
        self.ann.create(name="hers", **SMALL)

    def bob(self, address, session=None):
        place = self.daemon.keyed(self.pair)
        for socket in ("address", "updates"):
            place[socket] = place[socket].replace("//", f"//{address}:0;")
        return Client(None, "bob", session=session, **place)

    def lost_after_joining(self, address):
        def losses():
            return self.daemon.log().count("session: lost player=bob")
        before = losses()
        with self.bob(address) as bob:
            bob.join("hers")
            self.stay(lambda: losses() > before, "bob to be lost")
            return bob.welcome.session

    def stay(self, condition, what):
        return wait_for(lambda: self.ann.alive() and condition(), what)

    def players(self):
        return [player.player for player in self.ann.request(
            list_players=messages.ListPlayers(world="hers")).players.players]

    def ban(self, who, world=None):
        if world is None:
            with Client(self.daemon) as admin:
                admin.request(ban=messages.Ban(who=who))
        else:
            self.ann.request(ban=messages.Ban(who=who, world=world))

    def test_a_ban_of_the_address_from_a_world_takes_the_seat(self):
        self.lost_after_joining("127.0.0.77")
        self.assertEqual(self.players(), ["bob"])
        self.ban("127.0.0.64/28", "hers")
        self.stay(lambda: self.players() == [], "the seat to be given up")

    def test_who_comes_back_from_a_banned_address_has_no_seat_there_any_more(self):
        session = self.lost_after_joining("127.0.0.99")
        self.ban("127.0.0.64/28", "hers")
        self.assertEqual(self.players(), ["bob"])
        with self.bob("127.0.0.77", session) as back:
            self.assertEqual((back.welcome.resumed, list(back.welcome.seats)), (True, []))
            with self.assertRaises(Refused) as refused:
                back.join("hers")
            self.assertEqual(refused.exception.code, messages.ERROR_NOT_ALLOWED)
        self.stay(lambda: self.players() == [], "the seat to be given up")

    def test_a_ban_from_the_server_ends_it(self):
        for who in (hex_of(self.pair), "127.0.0.64/28"):
            with self.subTest(who=who):
                self.lost_after_joining("127.0.0.77")
                self.ban(who)
                self.stay(lambda: self.players() == [], "the seat to be given up")
                with Client(self.daemon) as admin:
                    admin.request(unban=messages.Unban(who=who))
                self.daemon.restart(signal.SIGKILL)
                self.ann = Client(None, "ann", **self.daemon.keyed(key_pair()))
                self.addCleanup(self.ann.close)


class JoinsInFlight(unittest.TestCase):
    def test_one_whose_player_is_put_out_meanwhile_is_answered(self):
        for how in ("kick", "ban", "server", "goodbye"):
            with self.subTest(how=how), Daemon(keys=True) as daemon:
                pair = key_pair()
                with Client(daemon) as admin, Client(None, "bob", **daemon.keyed(pair)) as bob:
                    admin.create(name="hers", **SMALL)
                    admin.join("hers")
                    host = next(h.pid for h in admin.request(get_status=messages.GetStatus()).status.hosts if h.pid)
                    os.kill(host, signal.SIGSTOP)
                    bob.send(500, join=messages.JoinWorld(world="hers"))
                    bob.alive()
                    if how == "kick":
                        admin.request(kick=messages.Kick(player="bob", world="hers"))
                    elif how == "goodbye":
                        bob.send(501, goodbye=messages.Goodbye())
                    else:
                        admin.request(ban=messages.Ban(who=hex_of(pair), world="hers" if how == "ban" else None))
                    with self.assertRaises(Refused) as refused:
                        bob.reply_to(500)
                    self.assertEqual(refused.exception.code, messages.ERROR_NOT_ALLOWED if how in ("kick", "ban")
                                     else messages.ERROR_NO_SESSION)
                    os.kill(host, signal.SIGCONT)


if __name__ == "__main__":
    unittest.main()
