"""What comes back after something died: hosts, the daemon, modes that crash or hang when told to. Nothing that anyone
has seen executed is lost, and who is not to blame does not notice."""

import contextlib
import os
import shutil
import signal
import sqlite3
import tempfile
import time
import unittest

from daemon import BUILD, Client, Daemon, Refused, messages, wait_for

STEP, REST = 1, 2
COUNT, CRASH, HANG, SLOW, DIE_SLOWLY, WIN, SCRIBBLE, ALARM, QUIT, FICKLE, FORGE = range(1, 12)
ALL, MINE = 0, 1
SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "bunnies": 3, "silverfish": 2, "overrun": 100}
FRAGILE = f"{BUILD}/fragile-modes"


def ended(pid):
    """That process is gone, or only waits for its parent to notice."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Base(unittest.TestCase):
    def start(self, *settings, modes=None, **options):
        self.daemon = Daemon(list(settings), modes=modes, **options).start()
        self.addCleanup(self.daemon.__exit__)
        return self.daemon

    def client(self, player=None, **options):
        client = Client(self.daemon, player, **options)
        self.addCleanup(client.close)
        return client

    def enter(self, client, world):
        view = client.join(world)
        client.wait(lambda: view.sequence is not None, "the first update")
        return view

    def worlds(self):
        with Client(self.daemon) as client:
            return {w.name: w for w in client.request(list_worlds=messages.ListWorlds()).worlds.worlds}

    def new_host(self, old, mode="caves"):
        def different():
            pid = self.daemon.host_pid(mode)
            return pid if pid not in (0, old) else None
        return wait_for(different, "another host")


class HostDies(Base):
    def test_a_killed_host_s_worlds_come_back_at_the_same_turn_and_players_go_on(self):
        self.start()
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="one", **SMALL)
        ann.create(name="two", **SMALL)
        one, two = self.enter(ann, "one"), self.enter(bob, "two")
        for direction in range(16):
            ann.play(one, STEP, direction % 8)
            bob.play(two, STEP, direction % 8)
        ann.drain(one)
        bob.drain(two)
        before, pictures = self.worlds(), (one.picture(), two.picture())
        updates = len(one.updates)
        pid = self.daemon.host_pid()
        os.kill(pid, signal.SIGKILL)
        self.new_host(pid)
        for client, view, picture in ((ann, one, pictures[0]), (bob, two, pictures[1])):
            client.wait(lambda view=view: len(view.updates) > updates, "what the new host shows")
            self.assertTrue(view.updates[updates].HasField("keyframe"))
            self.assertEqual(view.picture(), picture)
        after = self.worlds()
        for name in ("one", "two"):
            self.assertEqual((after[name].turn, after[name].state), (before[name].turn, messages.WORLD_RUNNING))
        for client, view in ((ann, one), (bob, two)):
            client.play(view, REST)
            self.assertEqual(client.command_errors(), {})

    def test_commands_on_their_way_when_an_innocent_host_is_killed_are_executed_once(self):
        self.start("hosts.restarts=15", modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="busy")
        view = self.enter(ann, "busy")
        last = pid = 0
        for _ in range(4):
            pid = self.new_host(pid, "fragile")
            for _ in range(30):
                last = ann.command(view, COUNT)
            os.kill(pid, signal.SIGKILL)
            ann.wait(lambda last=last: max([view.executed, *ann.command_errors()]) >= last, "the commands")
        ann.drain(view)
        refused = ann.command_errors()
        self.assertEqual(view.fields[MINE].number, last - len(refused))
        self.assertEqual({e.code for e in refused.values()} - {messages.ERROR_TURN_FAILED}, set())

    def test_joining_and_creating_while_the_host_comes_back_works(self):
        self.start("hosts.restarts=15")
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        self.enter(ann, "home")
        for number in range(4):
            pid = self.daemon.host_pid()
            os.kill(pid, signal.SIGKILL)
            bob = self.client(f"bob{number}")
            made = bob.create(name=f"new{number}", **SMALL)
            view, other = self.enter(bob, "home"), self.enter(bob, made.name)
            bob.play(view, REST)
            bob.play(other, REST)
            self.new_host(pid)

    def test_six_deaths_in_a_row_make_the_daemon_give_up_on_the_mode_and_serve_on(self):
        self.start(modes=f"{BUILD}/modes:{FRAGILE}")
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="caves", **SMALL)
        ann.create("fragile", name="other")
        view, other = self.enter(ann, "caves"), self.enter(bob, "other")
        last = 0
        for _ in range(6):
            pid = self.new_host(last)
            os.kill(pid, signal.SIGKILL)
            last = pid
        host = wait_for(lambda: next((h for h in self.daemon.status().hosts if h.mode == "caves" and h.failure), None),
                        "the daemon to give up")
        self.assertIn("5 times", host.failure)
        self.assertFalse(host.pid)
        self.assertIn("given up on mode caves", self.daemon.log())
        self.assertEqual(ann.wait_notice(messages.NOTICE_WORLD_OVER, "the news").world, view.joined.world)
        for refused in (lambda: bob.join("caves"), lambda: bob.create(**SMALL)):
            with self.assertRaises(Refused) as error:
                refused()
            self.assertEqual(error.exception.code, messages.ERROR_MODE_FAILED)
            self.assertIn("died", str(error.exception))
        number = ann.command(view, REST)
        error = ann.wait_news(lambda n: n.HasField("error") and n.error.command == number, "the error").error
        self.assertEqual(error.code, messages.ERROR_MODE_FAILED)
        self.assertEqual(self.worlds()["caves"].state, messages.WORLD_PARKED)
        bob.play(other, COUNT)
        self.daemon.restart(signal.SIGTERM)
        self.assertEqual(self.worlds()["caves"].state, messages.WORLD_RUNNING, "a new start is a new chance")

    def test_a_host_killed_while_it_replays_is_forgiven(self):
        self.start("hosts.restarts=15", modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        for _ in range(4):
            ann.play(view, SLOW)
        pid = 0
        for _ in range(2):
            pid = self.new_host(pid, "fragile")
            os.kill(pid, signal.SIGKILL)
        ann.play(view, COUNT)
        ann.drain(view)
        self.assertEqual((view.fields[MINE].number, self.worlds()["home"].state), (5, messages.WORLD_RUNNING))

    def test_a_stopped_host_is_replaced_and_its_command_executed(self):
        self.start("hosts.turn_limit_ms=300", modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        ann.play(view, COUNT)
        pid = self.daemon.host_pid("fragile")
        os.kill(pid, signal.SIGSTOP)
        ann.play(view, COUNT)
        self.assertNotEqual(self.daemon.host_pid("fragile"), pid)
        ann.drain(view)
        self.assertEqual(view.fields[MINE].number, 2)
        self.assertEqual(ann.command_errors(), {})
        self.assertIn("hosts.turn_limit_ms", self.daemon.log())


    def test_an_idle_host_that_does_not_end_when_asked_is_replaced_when_a_world_is_made(self):
        self.start("hosts.idle_s=0", "hosts.turn_limit_ms=500", modes=FRAGILE, environment={"FRAGILE_LINGERS": "1"})
        ann = self.client("ann")
        ann.create("fragile", name="home")
        ann.play(self.enter(ann, "home"), COUNT)


class DaemonDies(Base):
    def played(self, *settings):
        self.start(*settings)
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="home", seed=3, **SMALL)
        ann.create(name="idle", **SMALL)
        self.view, other = self.enter(ann, "home"), self.enter(bob, "home")
        for direction in range(40):
            ann.play(self.view, STEP, direction % 8)
            bob.play(other, STEP, (direction * 3) % 8)
        ann.request(say=messages.Say(world=self.view.joined.world, text="before the end"))
        ann.wait(lambda: "before the end" in self.view.texts(), "the words")
        ann.drain(self.view)
        self.before = self.worlds()
        return ann

    def assert_back(self):
        after = self.worlds()
        for name, world in self.before.items():
            self.assertEqual((after[name].id, after[name].turn, after[name].owner, after[name].created,
                              after[name].players, after[name].state),
                             (world.id, world.turn, world.owner, world.created, world.players, world.state))
        ann = self.client("ann")
        again = ann.join("home")
        self.assertEqual((again.joined.seat, again.joined.next_command), (self.view.joined.seat, 41))
        ann.wait(lambda: again.sequence is not None, "the view")
        self.assertEqual(again.picture(), self.view.picture())
        self.assertEqual(again.focus, self.view.focus)
        self.assertIn("before the end", again.texts())
        ann.play(again, STEP, 3)
        return ann

    def test_after_kill_the_worlds_the_seats_and_the_pictures_are_back(self):
        self.played()
        self.daemon.restart(signal.SIGKILL)
        self.assert_back()

    def test_after_sigterm_there_is_a_snapshot_and_all_is_back(self):
        self.played()
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)
        with sqlite3.connect(f"{self.daemon.directory}/state/warren.db") as store:
            snapshots = dict(store.execute("SELECT world, turn FROM snapshot"))
            left = store.execute("SELECT count(*) FROM journal").fetchone()[0]
        store.close()
        self.assertEqual(snapshots[self.view.joined.world], self.before["home"].turn)
        self.assertEqual(left, 0)
        self.daemon.start()
        self.assert_back()

    def test_kill_after_snapshots_in_mid_game_plays_only_the_rest_again(self):
        self.played("store.snapshot_turns=10")

        def snapshot():
            """Out of a copy: the daemon lets nobody else into its store. One copied in mid-write is no use."""
            copy = f"{self.daemon.directory}/copy"
            os.makedirs(copy, exist_ok=True)
            for name in ("warren.db", "warren.db-wal"):
                shutil.copy(f"{self.daemon.directory}/state/{name}", f"{copy}/{name}")
            try:
                with contextlib.closing(sqlite3.connect(f"{copy}/warren.db")) as store:
                    return store.execute("SELECT turn FROM snapshot WHERE world = ?",
                                         (self.view.joined.world,)).fetchone()
            except sqlite3.DatabaseError:
                return None
        wait_for(lambda: (snapshot() or [0])[0] >= self.before["home"].turn - 20, "a snapshot")
        self.daemon.restart(signal.SIGKILL)
        self.assert_back()

    def test_nothing_that_was_seen_executed_is_lost_however_often_it_is_killed(self):
        self.start("store.snapshot_turns=25", modes=FRAGILE)
        with Client(self.daemon, "maker") as ann:
            ann.create("fragile", name="home")
        seen = 0
        for _ in range(5):
            with Client(self.daemon, "ann") as ann:
                view = self.enter(ann, "home")
                self.assertGreaterEqual(view.joined.next_command, seen + 1)
                self.assertEqual(view.fields[MINE].number, view.joined.next_command - 1)
                for _ in range(60):
                    ann.command(view, COUNT)
                ann.wait(lambda: view.executed >= view.joined.next_command + 20, "some")
                self.daemon.process.kill()
                self.daemon.process.wait()
                ann.take_updates()
                seen = view.executed
            self.daemon.start()

    def test_a_world_that_is_over_is_over_after_a_restart(self):
        self.start(modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="end")
        ann.play(self.enter(ann, "end"), WIN)
        ann.wait_notice(messages.NOTICE_WORLD_OVER, "the end")
        for how in (signal.SIGKILL, signal.SIGTERM):
            self.daemon.restart(how)
            world = self.worlds()["end"]
            self.assertEqual((world.state, world.outcome), (messages.WORLD_OVER, "won by asking"))
            wat = self.client("wat")
            view = wat.watch("end")
            wat.wait(lambda view=view, wat=wat: view.sequence is not None, "the last picture")
            self.assertEqual(view.fields[ALL].number, 1)

    def test_seats_that_nobody_comes_back_for_are_given_up(self):
        self.start("network.grace_ms=1000", "network.heartbeat_ms=100")
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        self.enter(ann, "home")
        self.daemon.restart()
        self.assertEqual(self.worlds()["home"].players, 1)
        wait_for(lambda: self.worlds()["home"].players == 0, "the seat to be given up")

    def test_seats_that_nobody_comes_back_for_are_given_up_though_the_host_was_away(self):
        self.start("network.grace_ms=4000", "network.heartbeat_ms=100", "hosts.restarts=15", modes=FRAGILE)
        with Client(self.daemon, "ann") as ann:
            ann.create("fragile", name="home")
            self.enter(ann, "home")
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            store.execute("DELETE FROM session")
        self.daemon.tokens.clear()
        self.daemon.start().served()
        pid = 0
        for _ in range(6):  # the last time it stays away for longer than seats are looked after
            pid = self.new_host(pid, "fragile")
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: self.worlds()["home"].players == 0, "the seat to be given up")

    def test_a_world_whose_mode_is_gone_is_parked_and_back_when_the_mode_is(self):
        self.start(modes=f"{BUILD}/modes:{FRAGILE}")
        with Client(self.daemon, "ann") as ann:
            ann.create("fragile", name="home")
            ann.play(self.enter(ann, "home"), COUNT)
        self.daemon.modes = f"{BUILD}/modes"
        self.daemon.restart(signal.SIGTERM)
        world = self.worlds()["home"]
        self.assertEqual(world.state, messages.WORLD_PARKED)
        self.assertIn("fragile", world.outcome)
        with Client(self.daemon, "bob") as bob:
            for request in (lambda: bob.join("home"), lambda: bob.watch("home")):
                with self.assertRaises(Refused) as refused:
                    request()
                self.assertEqual(refused.exception.code, messages.ERROR_MODE_FAILED)
        self.daemon.modes = f"{BUILD}/modes:{FRAGILE}"
        self.daemon.restart(signal.SIGKILL)
        with Client(self.daemon, "ann") as ann:
            self.assertEqual(self.enter(ann, "home").fields[MINE].number, 1)

    def test_a_client_that_stays_hears_that_the_daemon_stops(self):
        self.start()
        ann = self.client("ann")
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)
        self.assertTrue(ann.wait_notice(messages.NOTICE_STOPPING, "the notice"))

    def test_no_process_is_left_behind(self):
        for how in (signal.SIGKILL, signal.SIGTERM):
            self.start(modes=FRAGILE)
            with Client(self.daemon, "ann") as ann:
                ann.create("fragile", name="home")
                view = self.enter(ann, "home")
                host = self.daemon.host_pid("fragile")
                ann.command(view, SLOW)
            self.daemon.stop(how)
            wait_for(lambda host=host: ended(host), "the host to end")


class BadTurns(Base):
    """A mode that fails on a command."""

    def two(self, *settings):
        self.start("hosts.turn_limit_ms=300", "hosts.restarts=15", *settings, modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="bad")
        bob.create("fragile", name="good")
        return ann, bob, self.enter(ann, "bad"), self.enter(bob, "good")

    def assert_dropped(self, action):
        ann, bob, bad, good = self.two()
        for _ in range(3):
            ann.play(bad, COUNT)
        failed = ann.command(bad, action)
        for _ in range(3):
            ann.command(bad, COUNT)
        last = [bob.command(good, COUNT) for _ in range(20)][-1]
        error = ann.wait_news(lambda n: n.HasField("error"), "the error").error
        self.assertEqual((error.code, error.world, error.command),
                         (messages.ERROR_TURN_FAILED, bad.joined.world, failed))
        ann.wait(lambda: bad.executed >= failed + 3, "the commands after it")
        bob.wait(lambda: good.executed >= last, "the other world's commands")
        ann.drain(bad)
        bob.drain(good)
        self.assertEqual((bad.fields[MINE].number, good.fields[MINE].number), (6, 20))
        self.assertEqual((list(ann.command_errors()), bob.command_errors()), ([failed], {}))
        self.daemon.restart(signal.SIGKILL)
        with Client(self.daemon, "ann") as again:
            self.assertEqual(self.enter(again, "bad").fields[MINE].number, 6)

    def test_a_command_that_crashes_the_mode_is_dropped_and_the_rest_survives(self):
        self.assert_dropped(CRASH)

    def test_a_command_that_hangs_the_mode_is_dropped_and_the_rest_survives(self):
        self.assert_dropped(HANG)

    def test_a_command_that_ends_the_host_is_dropped_and_the_rest_survives(self):
        self.assert_dropped(QUIT)

    def test_others_in_the_same_world_have_every_command_executed_or_refused(self):
        self.start("hosts.restarts=15", modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="bad")
        first, second = self.enter(ann, "bad"), self.enter(bob, "bad")
        ann.command(first, SLOW)
        last = [bob.command(second, COUNT) for _ in range(10)][-1]
        ann.command(first, CRASH)
        for _ in range(4):
            last = bob.command(second, COUNT)
        bob.wait(lambda: max([second.executed, *bob.command_errors()]) >= last, "bob's commands")
        bob.drain(second)
        errors = bob.command_errors()
        self.assertEqual(second.fields[MINE].number, last - len(errors))
        self.assertLessEqual(len(errors), 1, "only what stood in the failed turn may be lost")

    def assert_parked(self, ann, bob, bad, good, word="times in a row"):
        notice = ann.wait_notice(messages.NOTICE_WORLD_OVER, "the world to be parked")
        self.assertEqual(notice.world, bad.joined.world)
        self.assertIn(word, notice.text)
        wait_for(lambda: self.worlds()["good"].state == messages.WORLD_RUNNING, "the good world to be back")
        self.assertEqual(self.worlds()["bad"].state, messages.WORLD_PARKED)
        self.assertIn("parked", self.daemon.log())
        with self.assertRaises(Refused) as refused:
            bob.join("bad")
        self.assertEqual(refused.exception.code, messages.ERROR_MODE_FAILED)
        bob.play(good, COUNT)
        bob.drain(good)
        self.assertEqual(bob.command_errors(), {})

    def test_three_crashes_in_a_row_park_the_world_and_no_other(self):
        ann, bob, bad, good = self.two()
        for _ in range(3):
            ann.command(bad, CRASH)
        self.assert_parked(ann, bob, bad, good)
        ann.alive()
        self.assertEqual([e.code for e in ann.command_errors().values()], [messages.ERROR_TURN_FAILED] * 3)

    def test_crashes_with_good_turns_between_them_do_not_park(self):
        ann, _, bad, _ = self.two()
        for count in range(1, 5):
            number = ann.command(bad, CRASH)
            ann.wait_news(lambda n, number=number: n.HasField("error") and n.error.command == number, "the error")
            ann.play(bad, COUNT)
            self.assertEqual(bad.fields[MINE].number, count)
        self.assertEqual(self.worlds()["bad"].state, messages.WORLD_RUNNING)

    def test_a_wake_up_that_crashes_every_time_parks(self):
        ann, bob, bad, good = self.two()
        ann.play(bad, ALARM)
        self.assert_parked(ann, bob, bad, good)

    def test_a_world_that_crashes_when_it_is_drawn_is_parked(self):
        self.start("hosts.restarts=15", modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        bob.create("fragile", name="good")
        good = self.enter(bob, "good")
        ann.create("fragile", name="bad", crash_draw="yes")
        self.assert_parked(ann, bob, ann.watch("bad"), good)

    def test_a_world_that_crashes_when_it_is_saved_does_not_take_the_mode_down(self):
        self.start("store.snapshot_turns=10", modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="bad", crash_save="yes")
        bob.create("fragile", name="good")
        bad, good = self.enter(ann, "bad"), self.enter(bob, "good")
        for _ in range(60):
            number = ann.command(bad, COUNT)
            bob.play(good, COUNT)
            ann.wait(lambda number=number: max([bad.executed, *ann.command_errors()]) >= number, "the command")
        self.assertFalse(self.daemon.host("fragile").failure)
        self.assertEqual(self.worlds()["good"].state, messages.WORLD_RUNNING)
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)

    def test_a_host_that_dies_while_the_daemon_stops_does_not_keep_it(self):
        self.start(modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="bad", crash_save="yes")
        ann.play(self.enter(ann, "bad"), COUNT)
        started = time.monotonic()
        self.assertEqual(self.daemon.stop(signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - started, 5)
        self.daemon.start()
        with Client(self.daemon, "ann") as again:
            self.assertEqual(self.enter(again, "bad").fields[MINE].number, 1)

    def test_a_world_that_cannot_be_made_is_refused_and_forgotten(self):
        self.start("hosts.turn_limit_ms=300", "hosts.restarts=15", modes=FRAGILE)
        bob = self.client("bob")
        bob.create("fragile", name="good")
        good = self.enter(bob, "good")
        for setting in ("crash_create", "hang_create"):
            with self.assertRaises(Refused) as refused:
                bob.create("fragile", name="bad", **{setting: "yes"})
            self.assertTrue(str(refused.exception))
            self.assertEqual(list(self.worlds()), ["good"])
            bob.play(good, COUNT)
        self.daemon.restart()
        self.assertEqual(list(self.worlds()), ["good"])

    def test_who_watches_or_joins_a_world_that_cannot_be_made_hears_that_it_is_gone(self):
        self.start("hosts.turn_limit_ms=500", "hosts.restarts=15", modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        create = messages.CreateWorld(mode="fragile", name="bad")
        create.settings.add(name="hang_create", value="yes")
        ann.send(901, create=create)
        ann.alive()
        watched = bob.watch("bad")
        bob.send(901, join=messages.JoinWorld(world="bad"))
        with self.assertRaises(Refused):
            ann.reply_to(901)
        with self.assertRaises(Refused):
            bob.reply_to(901)
        self.assertEqual(bob.wait_notice(messages.NOTICE_WORLD_CLOSED, "the news").world, watched.joined.world)
        self.assertEqual(list(bob.request(ping=messages.Ping()).pong.views), [])
        ann.create("fragile", name="bad")
        bob.watch("bad")

    def test_a_world_is_refused_when_its_host_cannot_be_started(self):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(f"{BUILD}/bin/warren-host", f"{folder}/warren-host")
            self.start(f"daemon.host_program={program}", "hosts.idle_s=0", modes=f"{BUILD}/modes:{FRAGILE}")
            wait_for(lambda: not self.daemon.host_pid("fragile"), "the idle host to stop")
            os.unlink(program)
            ann = self.client("ann")
            with self.assertRaises(Refused) as refused:
                ann.create("fragile", name="home")
            self.assertIn("daemon.host_program", str(refused.exception))
            self.assertEqual(self.worlds(), {})

    def test_who_joins_a_world_that_crashes_on_it_hears_so(self):
        self.start("hosts.restarts=15", modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="bad", crash_join="yes")
        for code in (messages.ERROR_TURN_FAILED,) * 2:
            with self.assertRaises(Refused) as refused:
                ann.join("bad")
            self.assertEqual(refused.exception.code, code)
        self.assertEqual(self.worlds()["bad"].players, 0)
        with self.assertRaises(Refused):
            ann.join("bad")
        self.assertEqual(self.worlds()["bad"].state, messages.WORLD_PARKED)

    def test_a_host_that_writes_rubbish_to_the_daemon_harms_only_its_mode(self):
        self.start(modes=f"{BUILD}/modes:{FRAGILE}")
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="bad")
        bob.create(name="good", **SMALL)
        bad, good = self.enter(ann, "bad"), self.enter(bob, "good")
        number = ann.command(bad, SCRIBBLE)
        for _ in range(50):
            bob.play(good, REST)
        ann.wait_news(lambda n: n.HasField("error") and n.error.command == number or n.HasField("notice"),
                      "some answer")
        bob.play(good, REST)
        self.assertEqual(bob.command_errors(), {})

    def test_a_host_has_no_say_about_worlds_of_other_modes(self):
        self.start(modes=f"{BUILD}/modes:{FRAGILE}")
        ann, bob = self.client("ann"), self.client("bob")
        bob.create(name="good", **SMALL)
        ann.create("fragile", name="bad")
        good, bad = self.enter(bob, "good"), self.enter(ann, "bad")
        ann.play(bad, FORGE)
        for _ in range(10):
            bob.play(good, REST)
        bob.drain(good)
        self.assertFalse(good.gap)
        self.assertNotIn(99, [update.sequence for update in good.updates])

    def test_a_host_that_tells_of_seats_that_are_none_does_no_harm(self):
        self.start("hosts.restarts=1", modes=FRAGILE)
        ann = self.client("ann")
        ann.create("fragile", name="bad", forge_join="yes")
        ann.send(901, join=messages.JoinWorld(world="bad"))
        with self.assertRaises(Refused):
            ann.reply_to(901)
        self.assertIn("died: it says that turn 1 of bad had other inputs than it was given", self.daemon.log())
        self.assertTrue(ann.alive())

    def test_a_parked_world_that_goes_back_to_its_snapshot_has_the_seats_of_then(self):
        self.start("store.snapshot_turns=10", "hosts.restarts=15", modes=FRAGILE)
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        for _ in range(12):
            ann.play(view, COUNT)
        self.enter(bob, "home")
        for _ in range(3):
            ann.command(view, CRASH)
        wait_for(lambda: self.worlds()["home"].state == messages.WORLD_PARKED, "the world to be parked")
        ann.request(recover=messages.RecoverWorld(world="home", how=messages.RECOVER_SNAPSHOT))
        for client in (ann, bob):
            client.wait_notice(messages.NOTICE_SEAT_ENDED, "the news")
        turn = self.worlds()["home"].turn
        self.assertGreaterEqual(turn, 10)
        again, other = self.enter(ann, "home"), self.enter(bob, "home")
        self.assertEqual(again.joined.next_command, again.fields[MINE].number + 1)
        self.assertEqual((other.joined.next_command, other.fields[MINE].number), (1, 0))
        ann.play(again, COUNT)
        bob.play(other, COUNT)

    def test_a_mode_that_was_parked_can_be_closed(self):
        ann, bob, bad, good = self.two()
        for _ in range(3):
            ann.command(bad, CRASH)
        self.assert_parked(ann, bob, bad, good)
        ann.request(close=messages.CloseWorld(world="bad"))
        self.assertEqual(list(self.worlds()), ["good"])
        bob.play(good, COUNT)


class Interleavings(Base):
    """Requests that meet a turn that is on its way."""

    def setUp(self):
        self.start("hosts.restarts=15", modes=FRAGILE)

    def test_a_world_is_closed_while_its_turn_is_in_flight(self):
        ann, bob = self.client("ann"), self.client("bob")
        bob.create("fragile", name="good")
        good = self.enter(bob, "good")
        for number in range(5):
            ann.create("fragile", name="brief")
            view = self.enter(ann, "brief")
            for _ in range(3):
                ann.command(view, SLOW)
            if number % 2:
                ann.request(resync=messages.Resync(world=view.joined.world))
            ann.request(close=messages.CloseWorld(world="brief"))
            ann.wait_news(lambda n, view=view: n.HasField("notice") and n.notice.world == view.joined.world,
                          "the notice")
            bob.play(good, COUNT)
        bob.drain(good)
        self.assertEqual((good.fields[MINE].number, bob.command_errors()), (5, {}))
        self.daemon.restart()
        self.assertEqual({name: w.turn for name, w in self.worlds().items()}, {"good": 6})

    def test_joining_and_leaving_at_once_answers_both(self):
        ann, bob = self.client("ann"), self.client("bob")
        world = ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        ann.command(view, SLOW)
        bob.send(901, join=messages.JoinWorld(world="home"))
        bob.send(902, leave=messages.LeaveWorld(world=world.id))
        self.assertTrue(bob.reply_to(902).HasField("done"))
        ann.play(view, COUNT)
        bob.alive()
        self.assertIn(901, [n.id for n in bob.take_news()], "the join is answered, one way or the other")
        self.assertEqual(self.worlds()["home"].players, 1)
        self.enter(bob, "home")

    def test_a_session_that_ends_while_it_joins_leaves_no_player_behind(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        ann.command(view, SLOW)
        bob.send(901, join=messages.JoinWorld(world="home"))
        bob.send(902, goodbye=messages.Goodbye())
        self.assertTrue(bob.reply_to(902).HasField("done"))
        ann.play(view, COUNT)
        ann.play(view, COUNT)
        self.assertEqual(self.worlds()["home"].players, 1)

    def test_a_seat_that_ends_while_its_player_leaves_can_be_taken_by_the_next(self):
        ann, bob, cyd = self.client("ann"), self.client("bob"), self.client("cyd")
        world = bob.create("fragile", name="home")
        first, second = self.enter(ann, "home"), self.enter(bob, "home")
        ann.command(first, DIE_SLOWLY)
        ann.request(leave=messages.LeaveWorld(world=world.id))
        bob.command(second, SLOW)
        seen = second.fields[ALL].number
        bob.wait(lambda: second.fields[ALL].number > seen, "the turn that ended the seat")
        view = cyd.join("home")
        cyd.wait(lambda: view.sequence is not None, "cyd's view")
        cyd.play(view, COUNT)
        players = bob.request(list_players=messages.ListPlayers(world="home")).players.players
        self.assertEqual({p.player for p in players}, {"bob", "cyd"})

    def test_who_left_while_joining_in_a_turn_that_crashed_is_not_in_the_way_of_the_next(self):
        ann, bob = self.client("ann"), self.client("bob")
        world = ann.create("fragile", name="home")
        first, second = self.enter(ann, "home"), self.enter(bob, "home")

        def refused(client, number):
            client.wait_news(lambda n: n.HasField("error") and n.error.command == number, "the crash")
        for _ in range(3):  # so that the host stays away for a while
            refused(bob, bob.command(second, CRASH))
            ann.play(first, COUNT)
        for number in range(3):
            cyd, dan = self.client(f"cyd{number}"), self.client(f"dan{number}")
            slow = ann.command(first, SLOW)
            ann.command(first, SLOW)
            ann.alive()
            crash = bob.command(second, CRASH)
            bob.alive()
            cyd.send(901, join=messages.JoinWorld(world="home"))
            cyd.alive()
            ann.wait(lambda slow=slow: first.executed >= slow or slow in ann.command_errors(), "the first slow turn")
            cyd.send(902, leave=messages.LeaveWorld(world=world.id))
            refused(bob, crash)
            view = self.enter(dan, "home")
            dan.play(view, COUNT)
            dan.request(goodbye=messages.Goodbye())
            ann.play(first, COUNT)
        self.assertEqual(self.worlds()["home"].players, 2)

    def test_a_player_whose_seat_ends_hears_why_and_can_join_again(self):
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        last = [ann.command(view, action) for action in (COUNT, DIE_SLOWLY, COUNT, COUNT)][-1]
        notice = ann.wait_notice(messages.NOTICE_SEAT_ENDED, "the end of the seat")
        self.assertEqual((notice.world, notice.text), (view.joined.world, "tired of waiting"))
        ann.command(view, COUNT)
        ann.wait_news(lambda n: n.HasField("error") and n.error.command == last + 1, "an error")
        again = self.enter(ann, "home")
        self.assertEqual((again.joined.next_command, again.fields[MINE].number), (1, 0))
        ann.play(again, COUNT)

    def test_many_worlds_made_played_and_closed_at_once(self):
        clients = [self.client(f"p{number}") for number in range(4)]
        for turn in range(6):
            for number, client in enumerate(clients):
                client.send(900, create=messages.CreateWorld(mode="fragile", name=f"w{number}"))
            for client in clients:
                client.reply_to(900)
            for number, client in enumerate(clients):
                client.send(901, join=messages.JoinWorld(world=f"w{(number + 1) % 4}"))
            views = [client._enter(client.reply_to(901).joined) for client in clients]
            for client, view in zip(clients, views):
                for _ in range(5):
                    client.command(view, COUNT)
            if turn % 2 == 0:
                for client, view in zip(clients, views):
                    client.wait(lambda view=view: view.executed >= 5, "the commands")
            for number, client in enumerate(clients):
                client.send(902, close=messages.CloseWorld(world=f"w{number}"))
            for client in clients:
                client.reply_to(902)
        self.assertEqual(self.worlds(), {})

    def test_chat_to_a_host_that_does_not_answer_is_limited_and_the_world_goes_on_after_it(self):
        self.daemon.stop()
        self.daemon.settings += ["hosts.turn_limit_ms=600000", "limits.requests_per_second=1000000"]
        self.daemon.start()
        ann = self.client("ann")
        world = ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        host = self.daemon.host_pid("fragile")
        os.kill(host, signal.SIGSTOP)
        try:
            for number in range(20000):
                ann.send(10000 + number, say=messages.Say(world=world.id, text=f"{number} " + "x" * 200))
                if number % 500 == 0:
                    ann.alive()
            ann.alive()
        finally:
            os.kill(host, signal.SIGCONT)
        refused = [n.error for n in ann.take_news() if n.HasField("error")]
        ann.play(view, COUNT)
        self.assertEqual(self.worlds()["home"].state, messages.WORLD_RUNNING)
        self.assertTrue(refused, "20,000 messages wait for a host that does not answer, and nothing limits them")


if __name__ == "__main__":
    unittest.main()
