"""Who may do what: whose name, session, world and view is whose; rights, bans, kicks; what is written down about it."""

import contextlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import unittest

from daemon import BUILD, Client, Daemon, Refused, hex_of, key_pair, messages, wait_for

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}


class Base(unittest.TestCase):
    settings = ()

    def setUp(self):
        self.daemon = self.started(*self.settings)

    def started(self, *settings):
        daemon = Daemon(list(settings), keys=True).start()
        self.addCleanup(daemon.__exit__)
        return daemon

    def client(self, *arguments, **options):
        client = Client(*arguments, **options)
        self.addCleanup(client.close)
        return client

    def player(self, name, pair=None, daemon=None, **options):
        """One over tcp, with a key."""
        return self.client(None, name, **dict((daemon or self.daemon).keyed(pair or key_pair()), **options))

    def admin(self, daemon=None):
        """One over ipc, where the kernel says who it is."""
        return self.client(daemon or self.daemon)

    def refused(self, request, code, *words):
        with self.assertRaises(Refused) as refused:
            request()
        self.assertEqual(refused.exception.code, code, refused.exception)
        for word in words:
            self.assertIn(word, str(refused.exception))
        return refused.exception.error

    def coming_from(self, address, name, pair=None):
        """A player of another address of this machine."""
        place = self.daemon.keyed(pair or key_pair())
        return self.client(None, name, **dict(place, **{
            key: place[key].replace("//", f"//{address}:0;") for key in ("address", "updates")}))

    def wait_not_let_in(self, pair, address):
        """Waits until a connection with that key, from there, has met a closed door."""
        who = f"who=key:{hex_of(pair)} address={address}"
        wait_for(lambda: any("a connection is not let in" in line and who in line
                             for line in self.daemon.log().splitlines()), f"a refused connection from {address}")

    @contextlib.contextmanager
    def stopped(self):
        """The daemon's store, while it is not running."""
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            yield store
        self.daemon.start()

    def silent(self, hearer, other, view):
        """What happens in the view does not come to the hearer. `other` is one to whom it does."""
        other.drain(view)
        self.assertEqual((hearer.take_updates(), hearer.stray), (0, []))


def say(client, view, text="hello"):
    client.request(say=messages.Say(world=view.joined.world, text=text))


class Names(Base):
    def test_a_name_belongs_to_the_first_key_that_plays_under_it(self):
        ann, other = key_pair(), key_pair()
        with Client(None, "ann", **self.daemon.keyed(ann)) as client:
            self.assertEqual(client.welcome.identity, "key:" + hex_of(ann))
            client.request(goodbye=messages.Goodbye())
        thief = self.player("ann", other)
        self.assertEqual((thief.welcome.player, thief.welcome.name_taken), ("ann-2", True))
        self.assertEqual(self.player("ann", ann).welcome.player, "ann")
        again = self.player("ann", ann)
        self.assertEqual((again.welcome.player, again.welcome.name_taken), ("ann-3", False))
        user = self.client(self.daemon, "ann")
        self.assertEqual((user.welcome.player, user.welcome.identity), ("ann-4", f"uid:{os.geteuid()}"))

    def test_a_restart_forgets_no_name(self):
        ann = key_pair()
        with Client(None, "ann", **self.daemon.keyed(ann)) as client:
            client.request(goodbye=messages.Goodbye())
        self.daemon.restart() # after a kill a session that has just ended may be there again, so no name is compared
        self.assertTrue(self.player("ann").welcome.name_taken)
        self.assertFalse(self.player("ann", ann).welcome.name_taken)

    def test_a_name_has_no_characters_that_are_not_seen(self):
        for name in ("\u200b", "ann\u200b", "nna\u202e", "\u2066ann", "a\u2028b", "a\u00adnn", "\U000e0061nn"):
            self.refused(lambda name=name: self.player(name), messages.ERROR_BAD_NAME, "invisible")
        for name in ("ann\u00a0", "\u2003ann", "a\u3000b", "ann\u2800", "a\u202fb"):
            self.refused(lambda name=name: self.player(name), messages.ERROR_BAD_NAME, "no blanks but spaces")
        self.assertEqual(self.player("gr\u00fc\u00df \U0001f407").welcome.player, "gr\u00fc\u00df \U0001f407")

    def test_a_name_is_not_what_a_ban_could_take_for_an_address(self):
        for name in ("0.0.0.0/0", "192.0.2.1", "::1", "uid:0", "key:ann", "address:10.0.0.0/8", "name:bob"):
            self.refused(lambda name=name: self.player(name), messages.ERROR_BAD_NAME, "choose another name")
        self.assertEqual(self.player("10 little: uid").welcome.player, "10 little: uid")

    def test_whoever_comes_without_a_key_only_borrows_names(self):
        daemon = Daemon(tcp=True).start()
        self.addCleanup(daemon.__exit__)
        with Client(None, "ann", **daemon.tcp_addresses()) as client:
            self.assertFalse(client.welcome.HasField("identity"))
            client.request(goodbye=messages.Goodbye())
        self.assertEqual(self.client(daemon, "ann").welcome.player, "ann")
        late = self.client(None, "ann", **daemon.tcp_addresses())
        self.assertEqual((late.welcome.player, late.welcome.name_taken), ("ann-2", True))

    def test_an_administrator_releases_a_name(self):
        with Client(None, "ann", **self.daemon.keyed(key_pair())) as client:
            client.request(goodbye=messages.Goodbye())
        admin = self.admin()
        self.assertIn("ann", [one.player for one in admin.request(list_access=messages.ListAccess()).access.names])
        admin.request(release_name=messages.ReleaseName(player="ann"))
        self.refused(lambda: admin.request(release_name=messages.ReleaseName(player="ann")), messages.ERROR_NOT_FOUND)
        self.assertEqual(self.player("ann").welcome.player, "ann")

    def test_so_many_names_belong_to_one_key_and_not_more(self):
        daemon = self.started("limits.names_per_player=2")
        collector = key_pair()
        for name in ("one", "two", "three"):
            with Client(None, name, **daemon.keyed(collector)) as client:
                self.assertEqual(client.welcome.player, name)
                self.assertEqual(client.welcome.limits.names_per_player, 2)
                self.assertEqual(client.welcome.name_borrowed, name == "three")
                client.request(goodbye=messages.Goodbye())
        self.assertEqual(self.player("two", daemon=daemon).welcome.player, "two-2")
        self.assertEqual(self.player("three", daemon=daemon).welcome.player, "three")

    def test_when_there_are_as_many_as_may_be_those_that_nobody_uses_are_given_away(self):
        daemon = self.daemon = self.started("limits.names=3")
        pairs = {name: key_pair() for name in ("ann", "bob", "eve", "joe")}

        def come(name, pair=None):
            with Client(None, name, **daemon.keyed(pair or pairs[name])) as client:
                client.request(goodbye=messages.Goodbye())
                return client.welcome

        self.assertEqual([come(name).name_borrowed for name in pairs], [False] * 3 + [True])
        wait_for(lambda: "3 names belong to somebody, as many as may" in daemon.log(), "a warning")
        with self.stopped() as store:
            for name, days in (("ann", 100), ("bob", 89), ("eve", 200)):
                store.execute("UPDATE claim SET at = at - ? WHERE name = ?", (days * 86400, name))
        self.assertFalse(come("eve").name_borrowed)  # it is used again
        self.assertFalse(come("joe").name_borrowed)
        self.assertIn("name given away, unused for 100 days player=ann", daemon.log())
        other = come("ann", key_pair())
        self.assertEqual((other.player, other.name_taken, other.name_borrowed), ("ann", False, True))
        with self.stopped() as store:
            self.assertEqual(sorted(row[0] for row in store.execute("SELECT name FROM claim")), ["bob", "eve", "joe"])
        self.assertEqual(come("joe", key_pair()).player, "joe-2")

    def test_whoever_has_all_names_that_come_in_order_makes_no_hello_long(self):
        with self.stopped() as store:
            names = ["v"] + [f"v-{number}" for number in range(2, 20000)]
            store.executemany("INSERT INTO claim VALUES (?, 'key:00', 4000000000)", ((name,) for name in names))
        name = self.player("v").welcome.player
        self.assertRegex(name, r"^v-\d+$")
        self.assertNotIn(name, [*names, "v-20000"])


class Sessions(Base):
    settings = ("limits.names_per_player=1",)

    def test_a_token_is_worth_nothing_with_another_key(self):
        owner = key_pair()
        ann = self.player("ann", owner)
        ann.join(ann.create(**SMALL).name)
        thief = self.player("mallory", session=ann.welcome.session)
        self.assertFalse(thief.welcome.resumed)
        self.assertEqual((thief.welcome.player, len(thief.welcome.seats)), ("mallory", 0))
        ann.close()
        back = self.player("ann", owner, session=ann.welcome.session)
        self.assertTrue(back.welcome.resumed)
        self.assertEqual(len(back.welcome.seats), 1)

    def test_a_token_is_worth_nothing_with_another_key_after_a_restart_either(self):
        owner = key_pair()
        ann = self.player("ann", owner)
        ann.join(ann.create(**SMALL).name)
        self.daemon.restart(signal.SIGKILL)
        self.assertFalse(self.player("mallory", session=ann.welcome.session).welcome.resumed)
        back = self.player("ann", owner, session=ann.welcome.session)
        self.assertEqual((back.welcome.resumed, len(back.welcome.seats)), (True, 1))


    def seat_after_a_loss(self, name, before, after):
        """Where somebody of that name is, and where after a crash with which the session was lost."""
        ann = self.player(name, before)
        world = ann.create(**SMALL).name
        seat = ann.join(world).joined.seat
        self.daemon.stop(signal.SIGKILL)
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            store.execute("DELETE FROM session")
        self.daemon.start()
        return seat, self.player(name, after).join(world).joined.seat

    def test_a_seat_without_a_session_is_for_whom_the_name_belongs_to(self):
        pair = key_pair()
        seat, again = self.seat_after_a_loss("ann", pair, pair)
        self.assertEqual(again, seat)

    def test_a_seat_without_a_session_is_not_for_another_who_borrows_the_name(self):
        collector = key_pair()
        with Client(None, "first", **self.daemon.keyed(collector)) as client:
            client.request(goodbye=messages.Goodbye())
        other = key_pair()
        with Client(None, "second", **self.daemon.keyed(other)) as client:
            client.request(goodbye=messages.Goodbye())
        seat, others = self.seat_after_a_loss("ann", collector, other)
        self.assertNotEqual(others, seat)


class Worlds(Base):
    def test_a_world_is_its_maker_s_by_key_and_not_by_name(self):
        maker = key_pair()
        ann = self.player("ann", maker)
        world = ann.create(name="hers", seed=7, **SMALL)
        self.assertEqual(world.seed, 7)
        bob = self.player("bob")
        close = {"close": messages.CloseWorld(world="hers")}
        self.refused(lambda: bob.request(**close), messages.ERROR_NOT_ALLOWED, "ann")
        shown = bob.request(list_worlds=messages.ListWorlds()).worlds.worlds[0]
        self.assertFalse(shown.HasField("seed"))
        self.daemon.restart(signal.SIGKILL)
        self.player("else", maker).request(**close)

    def test_a_guest_with_a_key_owns_worlds(self):
        guest = key_pair()
        self.player(None, guest).create(name="mine", **SMALL)
        self.refused(lambda: self.player(None).request(close=messages.CloseWorld(world="mine")),
                     messages.ERROR_NOT_ALLOWED, "only who owns mine, its hosts")
        self.player(None, guest).request(close=messages.CloseWorld(world="mine"))

    def test_a_host_may_close_and_put_out_but_only_there(self):
        friend = key_pair()
        ann, host, bob = self.player("ann"), self.player("host", friend), self.player("bob")
        for name in ("one", "two"):
            ann.create(name=name, **SMALL)
        self.refused(lambda: host.request(grant=messages.Grant(who="host", role=messages.ROLE_HOST, world="one")),
                     messages.ERROR_NOT_ALLOWED)
        ann.request(grant=messages.Grant(who="host", role=messages.ROLE_HOST, world="one"))
        view = bob.join("one")
        host.request(kick=messages.Kick(player="bob", world="one", reason="enough"))
        notice = bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of the seat")
        self.assertEqual((notice.world, notice.text), (view.joined.world, "You were put out by host: enough"))
        self.refused(lambda: bob.join("one"), messages.ERROR_NOT_ALLOWED, "put out of one")
        self.refused(lambda: bob.watch("one"), messages.ERROR_NOT_ALLOWED)
        bob.join("two")
        self.refused(lambda: host.request(kick=messages.Kick(player="bob", world="two")), messages.ERROR_NOT_ALLOWED)
        self.refused(lambda: host.request(kick=messages.Kick(player="bob")), messages.ERROR_NOT_ALLOWED)
        ann.request(revoke=messages.Revoke(who="host", world="one"))
        self.refused(lambda: host.request(close=messages.CloseWorld(world="one")), messages.ERROR_NOT_ALLOWED)
        ann.request(grant=messages.Grant(who=hex_of(friend), role=messages.ROLE_HOST, world="one"))
        host.request(close=messages.CloseWorld(world="one"))
        rules = self.admin().request(list_access=messages.ListAccess()).access.rules
        self.assertEqual(list(rules), [])


class PutOut(Base):
    """Out of one world: by a kick, or by a ban from it. Both stand in the list of the world."""

    def world(self, name="hers"):
        ann, bob = self.player("ann"), self.player("bob", self.bob)
        ann.create(name=name, **SMALL)
        return ann, bob

    def setUp(self):
        super().setUp()
        self.bob = key_pair()

    def listed(self, client, world="hers"):
        rules = client.request(list_access=messages.ListAccess(world=world)).access.rules
        return [(rule.who, rule.role, rule.world) for rule in rules]

    def test_a_kick_outlasts_the_daemon_and_is_taken_back(self):
        pair = key_pair()
        ann, bob = self.player("ann", pair), self.player("bob", self.bob)
        ann.create(name="hers", **SMALL)
        bob.join("hers")
        ann.request(kick=messages.Kick(player="bob", world="hers", reason="too loud"))
        self.daemon.restart(signal.SIGKILL)
        ann, bob = self.player("ann", pair), self.player("bob", self.bob)
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED, "put out of hers", " s: too loud")
        self.assertEqual(self.listed(ann), [("key:" + hex_of(self.bob), messages.ROLE_NONE, "hers")])
        ann.request(unban=messages.Unban(who="bob", world="hers"))
        self.assertEqual(self.listed(ann), [])
        bob.join("hers")

    def test_a_kick_is_as_long_as_was_asked_for(self):
        ann, bob = self.world()
        bob.watch("hers")
        ann.request(kick=messages.Kick(player="bob", world="hers", seconds=86400))
        self.assertGreater(self.refused(lambda: bob.watch("hers"), messages.ERROR_NOT_ALLOWED, "UTC").limit, 86000)
        ann.request(unban=messages.Unban(who=hex_of(self.bob), world="hers"))
        bob.watch("hers")
        ann.request(kick=messages.Kick(player="bob", world="hers", seconds=1))

        def is_back():
            try:
                return bob.watch("hers")
            except Refused:
                return None
        wait_for(is_back, "the end of the kick")
        self.assertEqual(self.listed(ann), [])

    def test_who_is_not_there_is_kept_out_of_a_world_and_of_no_other(self):
        ann, bob = self.world()
        ann.create(name="other", **SMALL)
        ann.request(ban=messages.Ban(who="bob", world="hers", reason="cheats"))
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED, "for good: cheats")
        bob.join("other")
        ann.request(unban=messages.Unban(who="bob", world="hers"))
        bob.join("hers")
        self.admin().request(ban=messages.Ban(who="127.0.0.0/8", world="other"))
        self.assertEqual(bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of the seat").text,
                         "You were put out by an administrator.")
        self.refused(lambda: bob.watch("other"), messages.ERROR_NOT_ALLOWED, "for good")
        self.assertEqual(bob.request(list_players=messages.ListPlayers()).players.players[0].world, "hers")

    def test_who_has_no_key_is_known_by_name(self):
        daemon = Daemon(tcp=True).start()
        self.addCleanup(daemon.__exit__)
        ann, bob = (self.client(None, name, **daemon.tcp_addresses()) for name in ("ann", "bob"))
        ann.create(name="hers", **SMALL)
        bob.join("hers")
        ann.request(kick=messages.Kick(player="bob", world="hers"))
        self.assertEqual(self.listed(ann), [("name:bob", messages.ROLE_NONE, "hers")])
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED)
        ann.request(unban=messages.Unban(who="bob", world="hers"))
        bob.join("hers")

    def test_a_host_cannot_put_out_the_owner_or_look_at_other_lists(self):
        friend = key_pair()
        ann, _ = self.world()
        host = self.player("host", friend)
        ann.request(grant=messages.Grant(who="host", role=messages.ROLE_HOST, world="hers"))
        ann.join("hers")
        for request in ({"kick": messages.Kick(player="ann", world="hers")},
                        {"ban": messages.Ban(who="ann", world="hers")}):
            self.refused(lambda: host.request(**request), messages.ERROR_NOT_ALLOWED, "who owns hers")
        self.assertEqual(len(self.listed(host)), 1)
        self.player("cid").create(name="his", **SMALL)
        for request in ({"list_access": messages.ListAccess(world="his")}, {"list_access": messages.ListAccess()},
                        {"ban": messages.Ban(who="ann", world="his")}, {"ban": messages.Ban(who="ann")},
                        {"unban": messages.Unban(who="ann", world="his")}, {"unban": messages.Unban(who="ann")}):
            self.refused(lambda: host.request(**request), messages.ERROR_NOT_ALLOWED)

    def guarded(self):
        """ann's world, a host of it, and an administrator, all from 127.0.0.64/28, as bob."""
        pairs = {name: key_pair() for name in ("ann", "boss")}
        admin, host = self.admin(), self.player("host")
        ann, boss = (self.coming_from(f"127.0.0.7{at}", name, pair) for at, (name, pair) in enumerate(pairs.items()))
        admin.request(grant=messages.Grant(who=hex_of(pairs["boss"]), role=messages.ROLE_ADMIN))
        ann.create(name="hers", **SMALL)
        ann.request(grant=messages.Grant(who="host", role=messages.ROLE_HOST, world="hers"))
        return ann, boss, host, pairs

    def test_the_bans_of_a_host_put_out_no_owner_and_no_administrator(self):
        ann, boss, host, _ = self.guarded()
        bob, local = self.coming_from("127.0.0.75", "bob"), self.admin()
        for client in (ann, boss, bob, local):
            client.join("hers")
        for who in ("127.0.0.64/28", f"uid:{os.geteuid()}", "boss"):
            host.request(ban=messages.Ban(who=who, world="hers"))
        bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of the seat")
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED, "put out of hers")
        for client in (ann, boss, local):
            client.alive()
            self.assertEqual(client.notices(messages.NOTICE_SEAT_ENDED), [])
            client.watch("hers")
        boss.close()
        self.refused(lambda: host.request(kick=messages.Kick(player="boss", world="hers")),
                     messages.ERROR_NOT_ALLOWED, "an administrator")

    def test_the_bans_of_administrators_put_out_an_owner_over_restarts_too(self):
        ann, _, host, pairs = self.guarded()
        ann.watch("hers")
        self.admin().request(ban=messages.Ban(who="127.0.0.64/28", world="hers"))
        ann.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of watching")
        self.refused(lambda: ann.join("hers"), messages.ERROR_NOT_ALLOWED, "put out of hers")
        self.assertEqual(len(self.listed(host)), 2)
        for client in (ann, host):
            self.refused(lambda: client.request(unban=messages.Unban(who="127.0.0.64/28", world="hers")),
                         messages.ERROR_NOT_ALLOWED, "an administrator put")
        self.refused(lambda: host.request(ban=messages.Ban(who="127.0.0.64/28", world="hers", seconds=1)),
                     messages.ERROR_NOT_ALLOWED, "an administrator put")
        self.daemon.restart(signal.SIGKILL)
        ann = self.coming_from("127.0.0.70", "ann", pairs["ann"])
        self.refused(lambda: ann.join("hers"), messages.ERROR_NOT_ALLOWED, "put out of hers")
        self.admin().request(unban=messages.Unban(who="127.0.0.64/28", world="hers"))
        self.daemon.restart(signal.SIGKILL)
        self.coming_from("127.0.0.70", "ann", pairs["ann"]).join("hers")

    def test_bans_put_out_none_of_the_server_s_own_bots_nor_do_hosts_kick_them(self):
        daemon = self.started(f"daemon.bot_program={BUILD}/bin/warren-bot")
        ann, boss = self.player("ann", daemon=daemon), key_pair()
        self.admin(daemon).request(grant=messages.Grant(who=hex_of(boss), role=messages.ROLE_ADMIN))
        boss = self.player("boss", boss, daemon)
        ann.create(name="hers", bots=1, **SMALL)

        def seated():
            return [one.player for one in boss.request(list_players=messages.ListPlayers(world="hers")).players.players]
        bot, = wait_for(seated, "the bot")
        for client in (ann, boss):
            client.request(ban=messages.Ban(who=f"uid:{os.geteuid()}", world="hers"))
            self.assertEqual(seated(), [bot])
        self.refused(lambda: ann.request(kick=messages.Kick(player=bot, world="hers")), messages.ERROR_NOT_ALLOWED,
                     "setting bots")
        self.assertNotIn("the bots have ended", daemon.log())

    def test_a_full_list_does_not_stop_an_administrator(self):
        daemon = self.started("limits.rules_per_world=1")
        ann = self.player("ann", daemon=daemon)
        bob, cid = self.player("bob", self.bob, daemon), self.player("cid", daemon=daemon)
        for world in ("one", "two"):
            ann.create(name=world, **SMALL)
            ann.request(ban=messages.Ban(who="uid:1", world=world))
            cid.join(world)
        bob.join("one")
        self.refused(lambda: ann.request(kick=messages.Kick(player="bob", world="one")), messages.ERROR_LIMIT)
        self.admin(daemon).request(kick=messages.Kick(player="bob", world="one"))
        bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of the seat")
        self.refused(lambda: bob.join("one"), messages.ERROR_NOT_ALLOWED, "put out of one")
        self.admin(daemon).request(kick=messages.Kick(player="cid"))
        self.refused(cid.alive, messages.ERROR_NO_SESSION)
        self.assertEqual([len(self.listed(ann, world)) for world in ("one", "two")], [3, 2])

    def test_a_kick_whose_end_a_crash_has_undone_holds_all_the_same(self):
        """The rule is in the store at once, what follows from it in the world is not."""
        ann, bob = self.world()
        cid = key_pair()
        watching, playing = bob, self.player("cid", cid)
        watching.watch("hers")
        playing.join("hers")
        with self.stopped() as store:
            for pair in (self.bob, cid):
                store.execute("INSERT INTO rule SELECT ?, 'banned', id, '', '', 1, 0 FROM world",
                              (f"key:{hex_of(pair)}",))
        self.daemon.served()
        for pair, before in ((self.bob, watching), (cid, playing)):
            back = self.player(None, pair, session=before.welcome.session)
            self.assertEqual((back.welcome.resumed, list(back.welcome.seats)), (True, []))
        players = self.admin().request(list_players=messages.ListPlayers()).players
        self.assertEqual(list(players.watchers), [])
        wait_for(lambda: not self.admin().request(list_players=messages.ListPlayers()).players.players, "the leave")

    def test_who_watched_is_asked_about_again_after_a_restart(self):
        invited, other = key_pair(), key_pair()
        ann = self.player("ann")
        ann.create(name="hers", **SMALL)
        ann.request(grant=messages.Grant(who="127.0.0.64/28", role=messages.ROLE_SPECTATOR, world="hers"))
        near, far = self.coming_from("127.0.0.70", "near", invited), self.player("far", other)
        for client in (near, far):
            client.watch("hers")
        with self.stopped() as store:
            store.execute("UPDATE setting SET value = 'invited' WHERE name = 'watch'")
        place = dict(self.daemon.keyed(invited), session=near.welcome.session)
        place["address"] = place["address"].replace("//", "//127.0.0.70:0;")
        for place, watched in ((place, ["hers"]), (dict(self.daemon.keyed(other), session=far.welcome.session), [])):
            self.daemon.served()
            back = self.client(None, None, **place)
            self.assertEqual((back.welcome.resumed, [one.name for one in back.welcome.seats]), (True, watched))

    def test_the_list_of_a_world_is_bounded_and_fills_no_other(self):
        daemon = self.started("limits.rules_per_world=2", "limits.rules=1")
        ann = self.player("ann", daemon=daemon)
        ann.create(name="hers", **SMALL)
        ann.create(name="other", **SMALL)
        for user in (1, 2, 1):
            ann.request(ban=messages.Ban(who=f"uid:{user}", world="hers"))
        self.assertEqual(self.refused(lambda: ann.request(ban=messages.Ban(who="uid:3", world="hers")),
                                      messages.ERROR_LIMIT, "take some back").limit, 2)
        ann.request(ban=messages.Ban(who="uid:3", world="other"))
        admin = self.admin(daemon)
        admin.request(ban=messages.Ban(who="uid:3"))
        self.refused(lambda: admin.request(ban=messages.Ban(who="uid:4")), messages.ERROR_LIMIT, "of the server")


class Views(Base):
    def test_the_key_of_a_seat_s_view_is_accepted_from_its_player_alone(self):
        ann, mallory = self.player("ann"), self.player("mallory")
        view = ann.join(ann.create(name="hers", **SMALL).name)
        mallory.join("hers")
        mallory.updates.subscribe(view.joined.view_key)
        self.assertTrue(wait_for(lambda: ann.request(get_status=messages.GetStatus()).status.subscriptions_refused,
                                 "the refusal"))
        say(ann, view)
        ann.wait(lambda: "hello" in view.texts(), "the message")
        mallory.drain(next(iter(mallory.views.values())))
        self.assertEqual(mallory.stray, [])

    def test_the_key_of_the_spectators_view_is_accepted_from_who_watches_alone(self):
        ann, mallory = self.player("ann"), self.player("mallory")
        ann.create(name="hers", **SMALL)
        view = ann.watch("hers")
        mallory.updates.subscribe(view.joined.view_key)
        wait_for(lambda: ann.request(get_status=messages.GetStatus()).status.subscriptions_refused, "the refusal")
        say(ann, view)
        ann.wait(lambda: "hello" in view.texts(), "the message")
        self.silent(mallory, ann, view)

    def test_another_connection_of_the_same_player_may_hear_it(self):
        pair = key_pair()
        ann, again = self.player("ann", pair), self.player("ann", pair)
        view = ann.join(ann.create(**SMALL).name)
        again.keys[view.joined.view_key] = second = type(view)(view.joined)
        again.updates.subscribe(view.joined.view_key)
        again.wait(lambda: second.sequence is not None, "the keyframe")

    def test_who_was_put_out_as_a_watcher_hears_nothing_more(self):
        ann, bob, other = self.player("ann"), self.player("bob"), self.player("other")
        ann.create(name="hers", **SMALL)
        view, theirs = other.watch("hers"), bob.watch("hers")
        bob.wait(lambda: theirs.sequence is not None, "the keyframe")
        ann.request(kick=messages.Kick(player="bob", world="hers"))
        bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of watching")
        say(other, view)
        other.wait(lambda: "hello" in view.texts(), "the message")
        self.silent(bob, other, view)


@unittest.skipUnless(os.geteuid() == 0, "only root can be two users")
class Users(Base):
    """On ipc the kernel says who somebody is."""

    def test_two_users_of_the_machine_are_two_players(self):
        for path in (self.daemon.directory, f"{self.daemon.directory}/run"):
            os.chmod(path, 0o755)
        ann = self.client(self.daemon, "ann")
        view = ann.join(ann.create(name="hers", **SMALL).name)
        key, token = view.joined.view_key.hex(), ann.welcome.session.hex()
        program = f"""
import os, sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
from daemon import *
os.setuid(65534) # only now: the checkout may be where others cannot read
class Place:
    directory = {self.daemon.directory!r}
thief = Client(Place, "ann", session=bytes.fromhex({token!r}))
print(thief.welcome.identity, thief.welcome.player, thief.welcome.resumed, thief.welcome.admin)
try:
    thief.request(close=messages.CloseWorld(world="hers"))
except Refused as refused:
    print(refused.code)
view = thief.watch("hers")
thief.updates.subscribe(bytes.fromhex({key!r}))
thief.wait(lambda: view.sequence is not None, "the keyframe")
sys.stdin.readline()
thief.drain(view)
print(len(thief.stray))
thief.close()
"""
        other = subprocess.Popen([sys.executable, "-Bu", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 text=True)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.addCleanup(other.stdout.close)
        self.assertEqual(other.stdout.readline(), "uid:65534 ann-2 False False\n")
        self.assertEqual(other.stdout.readline(), f"{messages.ERROR_NOT_ALLOWED}\n")
        wait_for(lambda: self.daemon.status().subscriptions_refused, "the refusal")
        say(ann, view)
        ann.wait(lambda: "hello" in view.texts(), "the message")
        other.stdin.write("go on\n")
        other.stdin.close()
        self.assertEqual(other.stdout.readline(), "0\n")


class Rights(Base):
    settings = ("security.newcomers=none",)

    def test_who_is_on_no_list_is_told_which_key_to_ask_for(self):
        pair = key_pair()
        self.refused(lambda: self.player("ann", pair), messages.ERROR_NOT_ALLOWED,
                     f"warrenctl grant key:{hex_of(pair)} player")
        admin = self.admin()
        admin.request(grant=messages.Grant(who=hex_of(pair), role=messages.ROLE_PLAYER))
        ann = self.player("ann", pair)
        self.assertEqual(ann.welcome.role, messages.ROLE_PLAYER)
        view = ann.join(ann.create(**SMALL).name)
        admin.request(revoke=messages.Revoke(who="ann"))
        news = ann.wait_news(lambda n: n.HasField("error"), "being turned out")
        self.assertEqual(news.error.code, messages.ERROR_NOT_ALLOWED)
        self.refused(ann.alive, messages.ERROR_NO_SESSION)
        self.refused(lambda: self.player("ann", pair), messages.ERROR_NOT_ALLOWED)
        self.assertEqual(view.joined.name, "caves-1")

    def test_a_spectator_watches_and_does_not_play(self):
        pair = key_pair()
        admin = self.admin()
        admin.request(grant=messages.Grant(who=hex_of(pair), role=messages.ROLE_SPECTATOR))
        admin.create(name="here", **SMALL)
        ann = self.player("ann", pair)
        view = ann.watch("here")
        ann.wait(lambda: view.sequence is not None, "the keyframe")
        for request in (lambda: ann.join("here"), lambda: ann.create(**SMALL), lambda: say(ann, view)):
            self.refused(request, messages.ERROR_NOT_ALLOWED, "only watch")
        admin.request(grant=messages.Grant(who="ann", role=messages.ROLE_PLAYER))
        ann.join("here")
        rules = admin.request(list_access=messages.ListAccess()).access.rules
        self.assertEqual([(rule.who, rule.role, rule.author) for rule in rules],
                         [("key:" + hex_of(pair), messages.ROLE_PLAYER, f"uid:{os.geteuid()}")])

    def test_who_is_no_administrator_any_more_watches_no_world_that_is_for_others(self):
        pairs = {name: key_pair() for name in ("boss", "ann")}
        admin = self.admin()
        for name, pair in pairs.items():
            admin.request(grant=messages.Grant(who=hex_of(pair), role=messages.ROLE_PLAYER))
        admin.request(grant=messages.Grant(who=hex_of(pairs["boss"]), role=messages.ROLE_ADMIN))
        ann, boss = (self.player(name, pairs[name]) for name in ("ann", "boss"))
        ann.create(name="hers", watch="invited", **SMALL)
        ann.create(name="open", **SMALL)
        seen = boss.watch("hers")
        boss.watch("open")
        admin.request(grant=messages.Grant(who="boss", role=messages.ROLE_PLAYER))
        self.assertEqual(boss.wait_notice(messages.NOTICE_SEAT_ENDED, "the end").world, seen.joined.world)
        watchers = ann.request(list_players=messages.ListPlayers()).players.watchers
        self.assertEqual([(one.player, one.world) for one in watchers], [("boss", "open")])

    def test_rights_outlive_the_process(self):
        boss = key_pair()
        self.admin().request(grant=messages.Grant(who=hex_of(boss), role=messages.ROLE_ADMIN))
        self.daemon.restart(signal.SIGKILL)
        self.assertTrue(self.player("boss", boss).welcome.admin)

    def test_the_configuration_grants_and_bans_and_is_read_again(self):
        boss, ann = key_pair(), key_pair()
        path = f"{self.daemon.directory}/warren.conf"
        daemon = self.daemon
        daemon.stop()

        def write(*lines):
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(("[security]", "newcomers = none", *lines)) + "\n")

        command = daemon.command()
        command[command.index("/dev/null")] = path
        at = command.index("security.newcomers=none")
        del command[at - 1:at + 1]
        daemon.command = lambda: command
        write(f"admins = {hex_of(boss)}")
        daemon.start()
        admin = self.player("boss", boss)
        self.assertTrue(admin.welcome.admin)
        rules = admin.request(list_access=messages.ListAccess()).access.rules
        self.assertEqual([(rule.who, rule.role, rule.configured) for rule in rules],
                         [("key:" + hex_of(boss), messages.ROLE_ADMIN, True)])
        self.refused(lambda: admin.request(revoke=messages.Revoke(who=hex_of(boss))), messages.ERROR_NOT_FOUND,
                     "warren.conf")
        self.refused(lambda: self.player("ann", ann), messages.ERROR_NOT_ALLOWED)
        write(f"players = {hex_of(ann)}", f"banned = {hex_of(boss)}")
        daemon.process.send_signal(signal.SIGHUP)
        news = admin.wait_news(lambda n: n.HasField("error"), "being turned out")
        self.assertEqual(news.error.code, messages.ERROR_BANNED)
        self.player("ann", ann)

    def test_a_player_can_do_nothing_of_what_administrators_do(self):
        pair = key_pair()
        self.admin().request(grant=messages.Grant(who=hex_of(pair), role=messages.ROLE_PLAYER))
        ann = self.player("ann", pair)
        for request in ({"grant": messages.Grant(who="ann", role=messages.ROLE_ADMIN)},
                        {"revoke": messages.Revoke(who="ann")}, {"ban": messages.Ban(who="uid:1")},
                        {"unban": messages.Unban(who="uid:1")}, {"kick": messages.Kick(player="guest")},
                        {"list_access": messages.ListAccess()}, {"release_name": messages.ReleaseName(player="ann")},
                        {"backup": messages.Backup(directory="/tmp/x")},
                        {"recover": messages.RecoverWorld(world="x", how=messages.RECOVER_REPLAY)}):
            with self.assertRaises(Refused) as refused:
                ann.request(**request)
            self.assertIn(refused.exception.code, (messages.ERROR_NOT_ALLOWED, messages.ERROR_NOT_FOUND), request)


class Bans(Base):
    def test_a_banned_key_has_to_go_is_told_why_and_may_come_back_when_it_is_over(self):
        pair = key_pair()
        admin, ann = self.admin(), self.player("ann", pair)
        ann.join(ann.create(**SMALL).name)
        admin.request(ban=messages.Ban(who="ann", reason="cheating", seconds=86400))
        news = ann.wait_news(lambda n: n.HasField("error"), "being turned out")
        self.assertEqual(news.error.code, messages.ERROR_BANNED)
        self.assertRegex(news.error.text, r"banned .* until 20\d\d-\d\d-\d\d \d\d:\d\d UTC: cheating")
        self.refused(lambda: self.player("other", pair), messages.ERROR_BANNED, "cheating")
        self.assertEqual(admin.request(list_players=messages.ListPlayers()).players.players[:], [])
        self.daemon.restart(signal.SIGKILL)
        self.refused(lambda: self.player("other", pair), messages.ERROR_BANNED, "cheating")
        self.player("bob")
        self.admin().request(unban=messages.Unban(who=hex_of(pair)))
        self.player("ann", pair)

    def test_a_ban_ends_by_itself(self):
        pair = key_pair()
        self.admin().request(ban=messages.Ban(who=hex_of(pair), seconds=1))
        self.refused(lambda: self.player("ann", pair), messages.ERROR_BANNED)

        def let_in():
            try:
                return self.player("ann", pair)
            except Refused:
                return None
        wait_for(let_in, "the end of the ban")

    def test_from_a_banned_address_there_is_no_connection(self):
        admin = self.admin()
        pair = key_pair()
        place = self.daemon.keyed(pair)

        def coming_from(address):
            return dict(place, address=place["address"].replace("//", f"//{address}:0;"),
                        updates=place["updates"].replace("//", f"//{address}:0;"))
        hello = {"hello": messages.Hello(protocol_min=1, protocol_max=1)}
        before = self.client(None, "ann", **coming_from("127.0.0.77"))
        admin.request(ban=messages.Ban(who="127.0.0.64/28"))
        self.assertEqual(before.wait_news(lambda n: n.HasField("error"), "the end").error.code, messages.ERROR_BANNED)
        shut_out = self.client(None, hello=False, **dict(coming_from("127.0.0.78"), updates=place["updates"]))
        shut_out.send(1, **hello)
        self.wait_not_let_in(pair, "127.0.0.78")
        self.client(None, "bob", **coming_from("127.0.0.80"))
        self.client(None, "cid", **place)
        self.assertIsNone(shut_out.receive(0))
        admin.request(unban=messages.Unban(who="127.0.0.70/28"))
        self.client(None, "ann", **coming_from("127.0.0.78"))

    def test_an_administrator_cannot_shut_out_himself(self):
        boss = key_pair()
        self.admin().request(grant=messages.Grant(who=hex_of(boss), role=messages.ROLE_ADMIN))
        admin = self.player("boss", boss)
        for who in ("boss", hex_of(boss), "127.0.0.0/8"):
            self.refused(lambda: admin.request(ban=messages.Ban(who=who)), messages.ERROR_NOT_ALLOWED, "is you")

    def test_who_is_meant_has_to_be_somebody(self):
        admin = self.admin()
        for who in ("nobody here", "uid:", "uid:-1", "key:12", "10.0.0.0/33", "::/129", "g" * 64):
            self.refused(lambda: admin.request(ban=messages.Ban(who=who)), messages.ERROR_NOT_FOUND)

    def test_a_session_is_ended_by_a_kick_from_everywhere(self):
        ann = self.player("ann")
        view = ann.join(ann.create(**SMALL).name)
        self.admin().request(kick=messages.Kick(player="ann"))
        self.assertEqual(ann.wait_notice(messages.NOTICE_SEAT_ENDED, "the end").world, view.joined.world)
        self.refused(ann.alive, messages.ERROR_NO_SESSION)


class Audit(Base):
    def lines(self):
        with open(f"{self.daemon.directory}/state/audit.log", encoding="utf-8") as file:
            return file.read().splitlines()

    def test_what_was_done_and_what_was_refused_is_written_down(self):
        pair = key_pair()
        ann, admin = self.player("ann", pair), self.admin()
        self.refused(lambda: ann.request(ban=messages.Ban(who="uid:1", reason='he said "hi"')),
                     messages.ERROR_NOT_ALLOWED)
        admin.request(grant=messages.Grant(who=hex_of(pair), role=messages.ROLE_ADMIN))
        ann.request(ban=messages.Ban(who="10.0.0.0/8", reason="much too loud", seconds=60))
        me = f"uid:{os.geteuid()} {admin.welcome.player}"
        expected = [f'key:{hex_of(pair)} ann refused ban who=uid:1 reason="he said \\"hi\\""',
                    f"{me} done grant who={hex_of(pair)} role=ROLE_ADMIN",
                    f'key:{hex_of(pair)} ann done ban who=10.0.0.0/8 reason="much too loud" seconds=60']
        wait_for(lambda: len(self.lines()) >= len(expected), "the last line")
        lines = self.lines()
        self.assertEqual([line.split(" ", 1)[1] for line in lines], expected)
        for line in lines:
            self.assertRegex(line, r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ ")
        for line in expected[1:]:
            self.assertIn(f"audit: {line}", self.daemon.log())
        path = f"{self.daemon.directory}/state/audit.log"
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        os.rename(path, path + ".1")
        admin.request(unban=messages.Unban(who="10.0.0.0/8"))
        wait_for(lambda: os.path.exists(path) and len(self.lines()) == 1, "a new file")

    def test_what_changes_nothing_is_not_written_down_and_of_very_much_a_number(self):
        self.daemon = self.started("limits.requests_per_second=1000", "limits.requests_per_player=1000",
                                   "limits.requests_per_address=1000")
        pair = key_pair()
        ann = self.player("ann", pair)
        ann.create(name="hers", **SMALL)

        def change(**settings):
            ann.request(change=messages.ChangeWorld(world="hers", settings=[
                messages.SettingValue(name=name, value=value) for name, value in settings.items()]))
        change(title="a")
        for _ in range(20):
            change()
            change(title="a", listed="yes")
        changes = 300
        for number in range(changes):
            change(title=f"title {number}")
        self.daemon.stop(signal.SIGTERM)
        lines = self.lines()
        done = [line for line in lines if " done change " in line]
        left_out = [int(line.rsplit(" ", 1)[1]) for line in lines if f" key:{hex_of(pair)} left out " in line]
        self.assertEqual(len(done) + sum(left_out), 1 + changes)
        self.assertLess(len(done), 1 + changes)
        self.assertNotIn("listed", " ".join(lines))

    def test_a_line_about_what_was_refused_is_short(self):
        ann = self.player("ann")
        self.refused(lambda: ann.request(ban=messages.Ban(who="uid:1", reason='"' * 200)), messages.ERROR_NOT_ALLOWED)
        wait_for(self.lines, "the line")
        self.assertLess(len(self.lines()[0]), 320)
        self.assertTrue(self.lines()[0].endswith("..."))

    def test_of_a_file_that_is_full_administrators_are_the_only_writers(self):
        ann, admin = self.player("ann"), self.admin()
        path = f"{self.daemon.directory}/state/audit.log"
        with open(path, "w", encoding="ascii") as file:
            file.truncate(64 << 20)
        for who in ("uid:1", "uid:2"):
            self.refused(lambda who=who: ann.request(ban=messages.Ban(who=who)), messages.ERROR_NOT_ALLOWED)
        wait_for(lambda: "has 64 MiB" in self.daemon.log(), "a line in the log")
        self.assertEqual(os.path.getsize(path), 64 << 20)
        admin.request(ban=messages.Ban(who="uid:1"))
        wait_for(lambda: os.path.getsize(path) > 64 << 20, "what the administrator did")
        os.rename(path, path + ".1")
        self.refused(lambda: ann.request(ban=messages.Ban(who="uid:3")), messages.ERROR_NOT_ALLOWED)
        wait_for(lambda: os.path.exists(path) and self.lines(), "a new file")


class Log(Base):
    def sessions(self):
        return [line for line in self.daemon.log().splitlines() if " session: connected player=" in line]

    def test_what_a_player_says_of_himself_cannot_look_like_what_the_daemon_knows(self):
        client = self.client(None, hello=False, **self.daemon.keyed(key_pair()))
        client.request(hello=messages.Hello(protocol_min=1, protocol_max=1, player='x" identity=uid:0',
                                            software="y identity=uid:0 \u202ez"))
        wait_for(self.sessions, "the line")
        self.assertIn("connected player=\"x' identity=uid:0\" software=\"y identity=uid:0 \\xe2\\x80\\xaez\" "
                      "identity=key:", self.sessions()[0])

    def test_of_very_many_sessions_a_number_is_written_down(self):
        many = 60
        daemon = self.daemon = self.started("limits.requests_per_second=1000", "limits.requests_per_player=1000",
                                            "limits.requests_per_address=1000")
        client = self.client(None, hello=False, **daemon.keyed(key_pair()))
        for _ in range(many):
            client.request(hello=messages.Hello(protocol_min=1, protocol_max=1, player="ann"))
        daemon.stop(signal.SIGTERM)
        self.assertLess(len(self.sessions()), many)
        more = [line.split(" session: ", 1)[1] for line in daemon.log().splitlines() if "more sessions began" in line]
        self.assertEqual(sum(int(line.split(" ", 1)[0]) for line in more) + len(self.sessions()), many)
        self.assertIn("account=address:127.0.0.1", more[0])


class Limits(Base):
    settings = ("limits.requests_per_player=10", "limits.sessions_per_player=2", "limits.requests_per_address=20",
                "limits.sessions_per_address=4", "limits.worlds_per_address=8", "limits.names_per_address=3")

    def counted(self, *clients, each=30):
        """How many of so many pings are answered, and the limits that the rest is told."""
        for client in clients:
            for number in range(1000, 1000 + each):
                client.send(number, ping=messages.Ping())
        answered, limits = 0, set()
        for client in clients:
            for _ in range(each):
                reply = client.receive()
                answered += reply.HasField("pong")
                if reply.HasField("error"):
                    self.assertEqual(reply.error.code, messages.ERROR_LIMIT)
                    limits.add((reply.error.field, reply.error.limit))
        return answered, limits

    def test_requests_of_all_connections_of_a_key_are_counted_together(self):
        pair = key_pair()
        answered, limits = self.counted(self.player("ann", pair), self.player("ann", pair))
        self.assertEqual(limits, {("requests_per_player", 10)})
        self.assertLess(answered, 60)
        self.assertTrue(self.player("bob").alive())

    def test_sessions_of_a_key_are_counted_those_that_were_lost_too(self):
        pair = key_pair()
        first = self.player("ann", pair)
        self.player("ann", pair).close()
        error = self.refused(lambda: self.player("ann", pair), messages.ERROR_LIMIT, "your key")
        self.assertEqual((error.field, error.limit), ("sessions_per_player", 2))
        first.request(goodbye=messages.Goodbye())
        self.player("ann", pair)

    def from_address(self, address, pair=None):
        place = self.daemon.keyed(pair or key_pair())
        return self.player("ann", pair, address=place["address"].replace("//", f"//{address}:0;"))

    def test_requests_and_sessions_from_an_address_are_counted_whatever_the_key(self):
        clients = [self.from_address("127.0.0.9") for _ in range(4)]
        error = self.refused(lambda: self.from_address("127.0.0.9"), messages.ERROR_LIMIT, "your address")
        self.assertEqual((error.field, error.limit), ("sessions_per_address", 4))
        self.from_address("127.0.0.10")
        answered, limits = self.counted(*clients)
        self.assertIn(("requests_per_address", 20), limits)
        self.assertLess(answered, 120)

    def test_what_is_kept_is_counted_by_address_whatever_the_key(self):
        """Worlds and names, or whoever makes one key after the other has soon got all there can be."""
        made, names, here = 0, 0, "127.0.0.11"
        with self.assertRaises(Refused) as refused:
            while made < 20:
                client = self.from_address(here)
                names += not client.welcome.name_borrowed
                for _ in range(2):
                    client.create(**SMALL)
                    made += 1
                client.request(goodbye=messages.Goodbye())
                client.close()
        self.assertEqual((refused.exception.code, refused.exception.error.field, refused.exception.error.limit),
                         (messages.ERROR_LIMIT, "worlds_per_address", 8))
        self.assertEqual((made, names), (8, 3))
        other = self.from_address("127.0.0.12")
        self.assertFalse(other.welcome.name_borrowed)
        other.create(**SMALL)

    def test_a_connection_that_goes_on_beyond_its_allowance_is_closed_and_its_player_not_let_in_at_once(self):
        pair = key_pair()
        flood = self.player("flood", pair)
        for _ in range(1100):
            flood.send(7, ping=messages.Ping())
        wait_for(lambda: "a connection is closed: it sent more than it may" in self.daemon.log(), "the end of it")
        place = self.daemon.keyed(pair) # from another address: the first connection tries again, too
        place["address"] = place["address"].replace("//", "//127.0.0.31:0;")
        again = self.client(None, hello=False, **place)
        again.send(1, hello=messages.Hello(protocol_min=1, protocol_max=1))
        self.wait_not_let_in(pair, "127.0.0.31")
        self.assertTrue(self.player("bob").alive())
        self.assertIsNone(again.receive(0))

    def test_an_address_from_which_one_key_after_the_other_floods_is_not_let_in_either(self):
        ended = "a connection is closed: it sent more than it may"

        def let_in():
            try:
                return self.from_address("127.0.0.9")
            except Refused: # the allowance of the address is spent
                return None
        for count in range(1, 5):
            flood = wait_for(let_in, "the next key")
            for _ in range(1100):
                flood.send(7, ping=messages.Ping())
            wait_for(lambda expected=count: self.daemon.log().count(ended) == expected, "the end of it")
            flood.close()
        pair = key_pair()
        place = self.daemon.keyed(pair)
        place["address"] = place["address"].replace("//", "//127.0.0.9:0;")
        another = self.client(None, hello=False, **place)
        another.send(1, hello=messages.Hello(protocol_min=1, protocol_max=1))
        self.wait_not_let_in(pair, "127.0.0.9")
        self.assertTrue(self.player("bob").alive())
        self.assertIsNone(another.receive(0))

    def test_the_limits_are_told(self):
        limits = self.player("ann").welcome.limits
        self.assertEqual((limits.requests_per_player, limits.sessions_per_player, limits.requests_per_address,
                          limits.sessions_per_address), (10, 2, 20, 4))

    def test_connections_that_say_nothing_more_are_counted_too(self):
        pair = key_pair()
        place = self.daemon.keyed(pair)
        clients = [self.client(None, hello=False, **place) for _ in range(5)]
        for client in clients:
            client.send(1, ping=messages.Ping())
        errors = [client.receive().error for client in clients]
        self.assertEqual(sorted(error.code for error in errors),
                         4 * [messages.ERROR_NO_SESSION] + [messages.ERROR_LIMIT])
        self.assertEqual([error.field for error in errors if error.field], ["sessions_per_player"])


if __name__ == "__main__":
    unittest.main()
