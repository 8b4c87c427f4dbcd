"""Settings of a world that there is: what they do, who may change them, and which are fixed."""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from daemon import BUILD, SOURCE, Client, Daemon, Refused, hex_of, key_pair, messages, wait_for

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}
USAGE, REFUSED = 64, 1


def when_there_is_time(ask):
    """On a slow machine a player who asks for many changes in a row is told to try again."""
    def answered():
        try:
            return ask()
        except Refused as refused:
            if refused.code != messages.ERROR_UNAVAILABLE:
                raise
            return None
    return wait_for(answered, "time for a change")


class Base(unittest.TestCase):
    settings, modes, environment = (), None, None

    def setUp(self):
        self.daemon = Daemon([f"daemon.bot_program={BUILD}/bin/warren-bot", "limits.bots_per_player=3", *self.settings],
                             keys=True, modes=self.modes, environment=self.environment).start()
        self.addCleanup(self.daemon.__exit__)
        self.keys = {}

    def player(self, name):
        """The one of that name, over tcp, with the same key each time."""
        pair = self.keys.setdefault(name, key_pair())
        client = Client(None, name, **self.daemon.keyed(pair))
        self.addCleanup(client.close)
        return client

    def admin(self):
        client = Client(self.daemon)
        self.addCleanup(client.close)
        return client

    def refused(self, request, code, *words):
        with self.assertRaises(Refused) as refused:
            request()
        self.assertEqual(refused.exception.code, code, refused.exception)
        for word in words:
            self.assertIn(word, str(refused.exception))
        return refused.exception.error

    def change(self, client, world, **settings):
        """What it has then, of what differs from the defaults."""
        values = [messages.SettingValue(name=name, value=str(value)) for name, value in settings.items()]
        info = client.request(change=messages.ChangeWorld(world=world, settings=values)).world
        return {setting.name: setting.value for setting in info.settings if setting.name not in SMALL}

    def invite(self, owner, name, world, role=messages.ROLE_PLAYER):
        owner.request(grant=messages.Grant(who=hex_of(self.keys[name]), role=role, world=world))

    def worlds(self, client):
        return {world.name for world in client.request(list_worlds=messages.ListWorlds()).worlds.worlds}


class Changes(Base):
    def test_what_was_changed_outlasts_the_daemon(self):
        ann = self.player("ann")
        ann.create(name="hers", title="Once", **SMALL)
        self.assertEqual(self.change(ann, "hers", title="Friday's round", join="INVITED", listed="off"),
                         {"title": "Friday's round", "join": "invited", "listed": "no"})
        self.daemon.restart(signal.SIGKILL)
        ann = self.player("ann")
        self.assertEqual(self.change(ann, "hers"), {"title": "Friday's round", "join": "invited", "listed": "no"})
        self.assertEqual(self.change(ann, "hers", title="", join="anyone", listed="yes"), {})

    def test_what_a_world_was_made_with_stays_and_the_refusal_says_what_can_be_changed(self):
        ann = self.player("ann")
        ann.create(name="hers", **SMALL)
        error = self.refused(lambda: self.change(ann, "hers", title="new", lichens=3), messages.ERROR_BAD_SETTING,
                             "make a new world", "bots, title, join, watch, listed")
        self.assertEqual(error.field, "lichens")
        self.refused(lambda: self.change(ann, "hers", colour="red"), messages.ERROR_BAD_SETTING, "no setting named")
        self.refused(lambda: self.change(ann, "hers", join="nobody"), messages.ERROR_BAD_SETTING, "anyone, invited")
        self.refused(lambda: self.change(ann, "hers", title="x" * 61), messages.ERROR_BAD_SETTING, "60 bytes")
        twice = [messages.SettingValue(name="title", value=value) for value in "ab"]
        self.refused(lambda: ann.request(change=messages.ChangeWorld(world="hers", settings=twice)),
                     messages.ERROR_BAD_SETTING, "twice")
        self.refused(lambda: self.change(ann, "nowhere", title="x"), messages.ERROR_NOT_FOUND)
        self.assertEqual(self.change(ann, "hers"), {})  # nor was the title, which came before what was refused

    def test_a_title_has_no_characters_that_are_not_seen(self):
        ann = self.player("ann")
        ann.create(name="hers", **SMALL)
        for title in ("\u200b", "a\u202eb", "a\u2028b", "\u2066x"):
            self.refused(lambda title=title: self.change(ann, "hers", title=title), messages.ERROR_BAD_SETTING,
                         "invisible")
            self.refused(lambda title=title: ann.create(name="other", title=title), messages.ERROR_BAD_SETTING)
        self.assertEqual(self.change(ann, "hers", title="\u00fc \U0001f407")["title"], "\u00fc \U0001f407")

    def test_a_mode_tells_which_can_be_changed(self):
        modes = self.player("ann").request(list_modes=messages.ListModes()).modes.modes
        for mode in modes:
            self.assertEqual([setting.name for setting in mode.settings if setting.changeable],
                             ["bots", "title", "join", "watch", "listed"], mode.name)

    def test_its_owner_its_hosts_and_administrators_may_change_it_and_it_is_written_down(self):
        ann, host, bob = self.player("ann"), self.player("host"), self.player("bob")
        ann.create(name="hers", **SMALL)
        self.invite(ann, "host", "hers", messages.ROLE_HOST)
        self.invite(ann, "bob", "hers")
        self.refused(lambda: self.change(bob, "hers", title="mine"), messages.ERROR_NOT_ALLOWED, "owns or hosts hers")
        self.change(host, "hers", title="ours")
        self.assertEqual(self.change(self.admin(), "hers", watch="invited"), {"title": "ours", "watch": "invited"})

        def written():
            with open(f"{self.daemon.directory}/state/audit.log", encoding="utf-8") as file:
                lines = [line.split(" ", 3)[3].strip() for line in file if " change " in line]
            return lines if len(lines) == 3 else None
        self.assertEqual(wait_for(written, "the lines"),
                         ["refused change world=hers title=mine", "done change world=hers title=ours",
                          "done change world=hers watch=invited"])

    def test_a_world_that_is_parked_can_be_changed(self):
        admin = self.admin()
        admin.create(name="hers", **SMALL)
        admin.request(park=messages.ParkWorld(world="hers"))
        self.change(admin, "hers", join="invited")
        admin.request(unpark=messages.UnparkWorld(world="hers"))
        self.refused(lambda: self.player("bob").join("hers"), messages.ERROR_NOT_ALLOWED)

    def test_a_world_from_before_there_were_such_settings_has_the_defaults_until_it_is_changed(self):
        self.player("ann").create(name="hers", **SMALL)
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            gone = store.execute("DELETE FROM setting WHERE name IN ('bots', 'title', 'join', 'watch', 'listed')")
            self.assertEqual(gone.rowcount, 5)
        self.daemon.start()
        ann = self.player("ann")
        self.assertEqual(self.change(ann, "hers"), {})
        ann.join("hers")
        changed = {"title": "old", "watch": "invited"}
        self.assertEqual(self.change(ann, "hers", **changed), changed)
        self.daemon.restart(signal.SIGKILL)
        self.assertEqual(self.change(self.player("ann"), "hers", title="older"), {"title": "older", "watch": "invited"})
        self.refused(lambda: self.player("bob").watch("hers"), messages.ERROR_NOT_ALLOWED)

    def test_a_recording_has_nothing_of_it(self):
        ann = self.player("ann")
        ann.create(name="hers", title="secret", **SMALL)
        self.change(ann, "hers", join="invited")
        header = ann.request(export=messages.ExportWorld(world="hers")).export.header
        self.assertFalse({setting.name for setting in header.settings} & {"title", "join", "watch", "listed", "bots"})


class Doors(Base):
    def test_only_who_was_invited_may_join(self):
        ann, bob, cid = self.player("ann"), self.player("bob"), self.player("cid")
        ann.create(name="hers", join="invited", **SMALL)
        ann.join("hers")
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED, "ask ann", "grant key:", " player hers")
        bob.watch("hers")
        self.invite(ann, "bob", "hers")
        self.invite(ann, "cid", "hers", messages.ROLE_SPECTATOR)
        bob.join("hers")
        self.refused(lambda: cid.join("hers"), messages.ERROR_NOT_ALLOWED)
        self.admin().join("hers")

    def test_who_plays_goes_on_when_the_door_is_shut_and_finds_the_seat_after_a_restart(self):
        ann, bob = self.player("ann"), self.player("bob")
        ann.create(name="hers", **SMALL)
        view = bob.join("hers")
        self.change(ann, "hers", join="invited", watch="invited")
        bob.play(view, 1)
        self.daemon.restart(signal.SIGKILL)
        back = Client(None, "bob", session=bob.welcome.session, **self.daemon.keyed(self.keys["bob"]))
        self.addCleanup(back.close)
        self.assertEqual([joined.name for joined in back.welcome.seats], ["hers"])
        back.join("hers")

    def test_who_was_not_invited_stops_watching_and_hears_nothing_more(self):
        ann, bob, cid = self.player("ann"), self.player("bob"), self.player("cid")
        ann.create(name="hers", **SMALL)
        self.invite(ann, "bob", "hers", messages.ROLE_SPECTATOR)
        seen, theirs = bob.watch("hers"), cid.watch("hers")
        cid.wait(lambda: theirs.sequence is not None, "the keyframe")
        self.change(ann, "hers", watch="invited")
        self.assertIn("Only who was invited", cid.wait_notice(messages.NOTICE_SEAT_ENDED, "the end").text)
        self.refused(lambda: cid.watch("hers"), messages.ERROR_NOT_ALLOWED, " spectator hers")
        bob.request(say=messages.Say(world=seen.joined.world, text="hello"))
        bob.wait(lambda: "hello" in seen.texts(), "the message")
        self.assertEqual((cid.take_updates(), cid.stray), (0, []))
        ann.request(revoke=messages.Revoke(who=hex_of(self.keys["bob"]), world="hers"))
        bob.wait_notice(messages.NOTICE_SEAT_ENDED, "the end for who is not invited any more")

    def test_a_world_that_is_not_listed_is_shown_to_who_has_to_do_with_it(self):
        ann, bob, cid = self.player("ann"), self.player("bob"), self.player("cid")
        ann.create(name="hers", listed="no", **SMALL)
        ann.create(name="open", **SMALL)
        ann.join("hers")
        ann.watch("hers")
        for client, expected in ((ann, {"hers", "open"}), (bob, {"open"}), (self.admin(), {"hers", "open"})):
            self.assertEqual(self.worlds(client), expected)
        listed = bob.request(list_players=messages.ListPlayers()).players
        self.assertEqual((len(listed.players), len(listed.watchers)), (0, 0))
        named = {"list_players": messages.ListPlayers(world="hers")}
        self.refused(lambda: bob.request(**named), messages.ERROR_NOT_ALLOWED, "who plays and watches in hers")
        self.assertEqual(len(self.admin().request(**named).players.players), 1)
        self.invite(ann, "cid", "hers", messages.ROLE_SPECTATOR)
        self.assertEqual(self.worlds(cid), {"hers", "open"})
        self.assertEqual(len(cid.request(**named).players.players), 1)
        bob.join("hers")  # who knows its name may, as long as anyone may join
        self.assertEqual(self.worlds(bob), {"hers", "open"})

    def test_a_closed_world_is_closed_after_a_restart_as_well(self):
        ann = self.player("ann")
        ann.create(name="hers", join="invited", watch="invited", listed="no", **SMALL)
        self.daemon.restart(signal.SIGKILL)
        bob = self.player("bob")
        self.assertEqual(self.worlds(bob), set())
        self.refused(lambda: bob.watch("hers"), messages.ERROR_NOT_ALLOWED)
        self.refused(lambda: bob.join("hers"), messages.ERROR_NOT_ALLOWED)


class Bots(Base):
    settings = ("limits.requests_per_second=1000", "limits.requests_per_player=1000",
                "limits.requests_per_address=1000")

    def seated(self, client, world="hers"):
        return client.request(list_players=messages.ListPlayers(world=world)).players.players

    def test_bots_come_and_leave_while_the_world_goes_on(self):
        ann = self.player("ann")
        ann.create(name="hers", join="invited", **SMALL)
        ann.join("hers")
        for bots in (2, 3, 1, 0, 2):
            self.change(ann, "hers", bots=bots)
            wait_for(lambda: len(self.seated(ann)) == bots + 1, f"{bots} bots")
        self.assertIn("ann", {player.player for player in self.seated(ann)})

    def test_a_host_s_bots_are_counted_for_the_owner(self):
        ann, host = self.player("ann"), self.player("host")
        ann.create(name="hers", bots=2, **SMALL)
        ann.create(name="other", **SMALL)
        self.invite(ann, "host", "other", messages.ROLE_HOST)
        self.assertEqual(self.refused(lambda: self.change(host, "other", bots=2), messages.ERROR_LIMIT).field,
                         "bots_per_player")
        self.change(host, "other", bots=1)
        self.change(self.admin(), "other", bots=4)
        self.change(host, "other", bots=3)  # fewer is always possible

    def started(self):
        return self.daemon.log().count("bots: started")

    def test_whatever_is_changed_they_are_started_once_a_second_at_most(self):
        ann = self.player("ann")
        ann.create(name="hers", **SMALL)
        ann.join("hers")
        began = time.monotonic()
        for _ in range(30):
            for bots in (1, 0, 2, 0):
                when_there_is_time(lambda bots=bots: self.change(ann, "hers", bots=bots) or True)
        self.assertLessEqual(self.started(), 2 + (time.monotonic() - began))
        self.change(ann, "hers", bots=2)
        wait_for(lambda: len(self.seated(ann)) == 3, "2 bots")

    def test_worlds_that_are_made_and_closed_again_start_few(self):
        ann = self.player("ann")
        began = time.monotonic()

        def make():
            when_there_is_time(lambda: ann.create(name="hers", bots=3, **SMALL))
        for _ in range(30):
            make()
            when_there_is_time(lambda: ann.request(close=messages.CloseWorld(world="hers")))
        self.assertLessEqual(self.started(), 4 + 3 * (time.monotonic() - began))
        make()
        wait_for(lambda: len(self.seated(ann)) == 3, "3 bots")

    def test_a_daemon_that_stops_starts_none(self):
        ann = self.player("ann")
        ann.create(name="hers", bots=1, **SMALL)
        wait_for(lambda: len(self.seated(ann)) == 1, "a bot")
        self.change(ann, "hers", bots=3)
        self.daemon.stop(signal.SIGTERM)
        self.assertNotIn("bots: started", self.daemon.log().split("stopping")[-1])


class RestartedBots(Base):
    """Seats of bots whose process is gone are free at once: nobody will come back to them."""

    settings = ("network.grace_ms=3600000",)

    def start(self):
        admin = self.admin()
        for world, bots in (("one", 2), ("two", 3)):
            admin.create("hunt", name=world, bots=bots)
        self.whole()

    def whole(self):
        """Waits until all that there are to be are there, and nobody else."""
        admin = self.admin()

        def settled():
            seats = {"one": 0, "two": 0}
            players = admin.request(list_players=messages.ListPlayers()).players.players
            for player in players:
                seats[player.world] += 1
            return all(player.connected for player in players) and seats == {"one": 2, "two": 3}
        wait_for(settled, "the bots of both worlds, and no others")

    def processes(self):
        return [int(pid) for pid in re.findall(r"bots: started count=\d+ pid=(\d+)", self.daemon.log())]

    def test_when_the_daemon_was_killed_or_stopped(self):
        self.start()
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            self.daemon.restart(how)
            self.whole()

    def test_when_they_were_killed(self):
        self.start()
        for pid in self.processes()[-2:]:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: self.daemon.log().count("the bots have ended") == 2, "the daemon to notice")
        self.whole()

    def test_a_bot_of_before_that_had_no_seat_any_more_takes_none_from_who_has_its_name(self):
        self.admin().create(name="hers", **SMALL)
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            world, = store.execute("SELECT id FROM world").fetchone()
            columns = {"token": os.urandom(16), "player": "ann", "named": 2, "identity": f"uid:{os.geteuid()}",
                       "watches": bytes((world | 0x80, 0x80, 0x80, 0x80, 0x08))}  # a varint: it has a seat there
            store.execute(f"INSERT INTO session ({', '.join(columns)}) VALUES (?, ?, ?, ?, ?)",
                          tuple(columns.values()))
        self.daemon.start()
        admin, ann = self.admin(), self.player("ann")
        ann.join("hers")
        for request in ({"save": messages.SaveWorlds(world="hers")}, {"park": messages.ParkWorld(world="hers")},
                        {"recover": messages.RecoverWorld(world="hers", how=messages.RECOVER_SNAPSHOT)}):
            admin.request(**request)
        self.player("bob").join("hers")  # a leave would have come before
        self.assertEqual({one.player for one in admin.request(list_players=messages.ListPlayers()).players.players},
                         {"ann", "bob"})

    def test_a_player_s_seat_waits_as_ever(self):
        self.start()
        ann = self.player("ann")
        ann.join("one")
        self.daemon.restart(signal.SIGKILL)
        back = Client(None, "ann", session=ann.welcome.session, **self.daemon.keyed(self.keys["ann"]))
        self.addCleanup(back.close)
        self.assertEqual([joined.name for joined in back.welcome.seats], ["one"])


class Namesakes(Base):
    """Settings of a mode that are called like the server's: they are the mode's, and its worlds are without those."""

    settings, modes = (f"daemon.host_program={SOURCE}/tests/integration/liar.py",), f"{BUILD}/namesake-modes"
    environment = {"LIE": "changeable"}

    def test_what_a_mode_says_can_be_changed_is_not_believed(self):
        ann = self.player("ann")
        mode, = ann.request(list_modes=messages.ListModes()).modes.modes
        self.assertEqual([setting.name for setting in mode.settings if setting.changeable],
                         ["title", "watch", "listed"])
        ann.create("namesake", name="hers")
        own = {"join": "right", "bots": 5, "one": "x", "two": "x", "three": "x", "four": "x"}
        self.refused(lambda: self.change(ann, "hers", **own), messages.ERROR_BAD_SETTING, "was made with its join",
                     "can be changed: title, watch, listed")
        self.refused(lambda: self.change(ann, "hers", title="x", **own), messages.ERROR_BAD_SETTING)
        self.assertEqual(self.change(ann, "hers", title="new"), {"title": "new"})
        self.assertIn("without these settings of the server's: bots, join; ", self.daemon.log())

    def test_a_mode_s_own_join_shuts_no_door_and_its_own_bots_are_none(self):
        ann = self.player("ann")
        ann.create("namesake", name="hers", join="right", bots=4)
        self.player("bob").join("hers")
        self.assertEqual(self.daemon.status().seats, 1)


class GoneNamesakes(Base):
    def setUp(self):
        self.modes = tempfile.mkdtemp(prefix="warren-modes-")
        self.addCleanup(shutil.rmtree, self.modes)
        for mode in ("namesake-modes/namesake.so", "modes/caves.so"):
            os.symlink(f"{BUILD}/{mode}", f"{self.modes}/{os.path.basename(mode)}")
        super().setUp()

    def test_of_a_mode_that_is_gone_no_bots_are_counted(self):
        self.admin().create("namesake", name="hers")
        self.daemon.stop()
        os.remove(f"{self.modes}/namesake.so")
        self.daemon.start()
        self.player("ann").create(name="other", bots=3, **SMALL)


class Tool(Base):
    def ctl(self, *arguments):
        return subprocess.run([f"{BUILD}/bin/warrenctl", "-s", f"{self.daemon.directory}/run", *arguments],
                              capture_output=True, text=True, timeout=60, check=False)

    def test_from_a_shell(self):
        self.assertEqual(self.ctl("create", "caves", "hers", "join=invited", "width=16", "height=16").returncode, 0)
        changed = self.ctl("--json", "change", "hers", "title=Friday, all welcome", "join=anyone")
        self.assertEqual((changed.returncode, changed.stderr), (0, ""))
        self.assertEqual(json.loads(changed.stdout)["settings"]["title"], "Friday, all welcome")
        self.assertIn("Friday, all welcome", self.ctl("worlds").stdout)
        fixed = self.ctl("change", "hers", "width=20")
        self.assertEqual((fixed.returncode, fixed.stdout), (REFUSED, ""))
        self.assertIn("make a new world", fixed.stderr)
        for wrong in (("hers",), ("hers", "title"), ("hers", "=x")):
            self.assertEqual(self.ctl("change", *wrong).returncode, USAGE, wrong)


if __name__ == "__main__":
    unittest.main()
