"""Nothing is lost, and nobody notices more than a pause: sessions that outlive the daemon, builds of a mode that
change, copies of the store, stores that are damaged, states that are not what they were."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from daemon import BUILD, DEADLINE, Client, Daemon, Refused, free_ports, messages, sanitized, wait_for

STEP, REST = 1, 2
COUNT, ALARM_SET, FICKLE = 1, 8, 10
ALL, MINE = 0, 1
SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "growth_permille": 0, "overrun": 100}


def ctl(daemon, *arguments, expect=0):
    """What warrenctl does with these arguments, which has to end with that status."""
    done = subprocess.run([f"{BUILD}/bin/warrenctl", "--server", f"{daemon.directory}/run", *arguments],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, text=True, check=False)
    if done.returncode != expect:
        raise AssertionError(f"{arguments}: exit status {done.returncode}: {done.stderr}")
    return done


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

    def world(self, name):
        with Client(self.daemon) as client:
            worlds = client.request(list_worlds=messages.ListWorlds()).worlds.worlds
            return next((world for world in worlds if world.name == name), None)

    def refused(self, function, *arguments, **keywords):
        with self.assertRaises(Refused) as caught:
            function(*arguments, **keywords)
        return caught.exception


class Sessions(Base):
    def test_a_session_is_resumed_by_its_token_after_the_daemon_was_killed(self):
        self.start()
        ann, wat = self.client("ann"), self.client("wat")
        world = ann.create(name="home", **SMALL)
        view, seen = self.enter(ann, "home"), wat.watch("home")
        for direction in range(7):
            ann.play(view, STEP, direction)
        self.daemon.restart(signal.SIGKILL)
        again = self.client("ann")
        self.assertTrue(again.welcome.resumed)
        self.assertEqual(again.welcome.session, ann.welcome.session)
        held = again.welcome.seats
        self.assertEqual([(s.world, s.name, s.seat, s.next_command) for s in held], [(world.id, "home", 0, 8)])
        self.assertNotEqual(held[0].view_key, view.joined.view_key)
        watcher = self.client("wat").welcome
        self.assertEqual([(s.world, s.HasField("seat")) for s in watcher.seats], [(world.id, False)])
        self.assertNotEqual(watcher.seats[0].view_key, seen.joined.view_key)
        self.assertEqual(self.world("home").players, 1)

    def test_a_command_sent_twice_over_a_restart_is_executed_once(self):
        self.start(modes=f"{BUILD}/fragile-modes")
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        for _ in range(5):
            ann.play(view, COUNT)
        self.daemon.restart(signal.SIGKILL)
        again = self.client("ann")
        seat = self.enter(again, "home")
        for number in (4, 5, 6, 7):
            again.send(command=messages.Command(world=seat.joined.world, number=number, action=COUNT))
        again.wait(lambda: seat.executed == 7, "the commands")
        self.assertEqual(seat.fields[MINE].number, 7)

    def test_nobody_else_gets_the_name_or_the_seat_while_its_session_may_come_back(self):
        self.start()
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        self.enter(ann, "home")
        self.daemon.restart(signal.SIGKILL)
        token = self.daemon.resumable.pop("ann")
        other = self.client("ann")
        self.assertEqual((other.welcome.player, other.welcome.resumed), ("ann-2", False))
        self.assertEqual(other.join("home").joined.seat, 1)
        self.assertEqual(self.client("ann", session=token).welcome.seats[0].seat, 0)

    def test_a_session_that_does_not_come_back_gives_up_its_seat(self):
        self.start("network.grace_ms=1000", "network.heartbeat_ms=300")
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        self.enter(ann, "home")
        self.daemon.restart(signal.SIGKILL)
        wait_for(lambda: self.world("home").players == 0, "the seat to be given up")
        self.assertFalse(self.client("ann").welcome.resumed)

    def test_goodbye_is_for_good(self):
        self.start()
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        self.enter(ann, "home")
        ann.request(goodbye=messages.Goodbye())
        self.daemon.restart(signal.SIGTERM)
        self.assertFalse(self.client("ann").welcome.resumed)


class Builds(Base):
    """The mode's file changes under a journal."""

    def modes(self):
        folder = tempfile.mkdtemp(prefix="warren-modes-")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(f"{BUILD}/modes/caves.so", folder)
        return folder

    def played(self, *settings):
        self.folder = self.modes()
        self.start(*settings, modes=self.folder)
        self.ann = self.client("ann")
        self.ann.create(name="home", **SMALL)
        self.view = self.enter(self.ann, "home")
        for direction in range(5):
            self.ann.play(self.view, STEP, direction)
        self.daemon.restart(signal.SIGTERM)  # leaves a snapshot
        self.snapshot = self.world("home").turn
        ann = self.client("ann")
        view = self.enter(ann, "home")
        for direction in range(4):
            ann.play(view, STEP, direction)
        ann.drain(view)
        self.picture, self.turn = view.picture(), self.world("home").turn
        self.daemon.stop(signal.SIGKILL)
        with open(f"{self.folder}/caves.so", "ab") as file:
            file.write(b"another build")
        self.daemon.start()

    def test_another_build_does_not_play_the_journal_unasked(self):
        self.played()
        world = self.world("home")
        self.assertEqual(world.state, messages.WORLD_PARKED)
        for part in ("another build", "warrenctl recover home replay", f"turn {self.snapshot}"):
            self.assertIn(part, world.outcome)
        error = self.refused(self.client("bob").join, "home")
        self.assertEqual(error.code, messages.ERROR_MODE_FAILED)

    def test_the_new_build_plays_it_when_told_to(self):
        self.played()
        with Client(self.daemon) as admin:
            admin.request(recover=messages.RecoverWorld(world="home", how=messages.RECOVER_REPLAY))
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.turn))
        wat = self.client("wat")
        view = wat.watch("home")
        wat.wait(lambda: view.sequence is not None, "the view")
        self.assertEqual(view.picture()[:3], self.picture[:3])
        self.daemon.restart(signal.SIGKILL)
        self.assertEqual(self.world("home").state, messages.WORLD_RUNNING)

    def test_or_the_world_goes_back_to_its_snapshot(self):
        self.played()
        with Client(self.daemon) as admin:
            admin.request(recover=messages.RecoverWorld(world="home", how=messages.RECOVER_SNAPSHOT))
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.snapshot))
        self.daemon.restart(signal.SIGKILL)
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.snapshot))

    def test_the_configuration_can_say_it_beforehand(self):
        self.played("hosts.on_upgrade=replay")
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.turn))

    def test_the_configuration_can_say_to_go_back(self):
        self.played("hosts.on_upgrade=snapshot")
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.snapshot))
        self.assertIn("are forgotten", self.daemon.log())

    def test_after_a_clean_stop_there_is_nothing_to_ask(self):
        self.folder = self.modes()
        self.start(modes=self.folder)
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        ann.play(view, STEP, 1)
        turn = self.world("home").turn
        self.daemon.stop(signal.SIGTERM)
        with open(f"{self.folder}/caves.so", "ab") as file:
            file.write(b"another build")
        self.daemon.start()
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, turn))

    def test_what_an_administrator_has_parked_asks_nothing_of_another_build(self):
        self.folder = self.modes()
        self.start(modes=self.folder)
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        ann.play(view, STEP, 1)
        turn = self.world("home").turn
        with Client(self.daemon) as admin:
            admin.request(park=messages.ParkWorld(world="home"))
        self.daemon.stop(signal.SIGKILL)
        with open(f"{self.folder}/caves.so", "ab") as file:
            file.write(b"another build")
        self.daemon.start()
        world = self.world("home")
        self.assertEqual((world.state, world.awaits_recovery), (messages.WORLD_PARKED, False))
        with Client(self.daemon) as admin:
            admin.request(unpark=messages.UnparkWorld(world="home"))
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, turn))

    def test_all_that_wait_for_it_are_recovered_together(self):
        self.played()
        for name in ("kept", "fresh"):
            with Client(self.daemon) as admin:
                admin.create(name=name, **SMALL)
                admin.request(park=messages.ParkWorld(world=name))
        self.assertEqual([self.world(name).awaits_recovery for name in ("home", "kept", "fresh")], [True, False, False])
        done = ctl(self.daemon, "--json", "recover", "--all", "snapshot")
        self.assertEqual(json.loads(done.stdout), {"recovered": ["home"], "left_out": [], "how": "snapshot"})
        self.assertEqual((self.world("home").state, self.world("home").turn), (messages.WORLD_RUNNING, self.snapshot))
        self.assertFalse(self.world("home").awaits_recovery)
        self.assertEqual(self.world("kept").state, messages.WORLD_PARKED)
        done = ctl(self.daemon, "--json", "recover", "--all", "replay")
        self.assertEqual(json.loads(done.stdout)["recovered"], [])
        for words in (["recover", "--all"], ["recover", "--all", "home", "replay"], ["recover", "home"]):
            self.assertEqual(ctl(self.daemon, *words, expect=64).stdout, "")

    def test_recovering_is_for_administrators_and_parked_worlds(self):
        self.played()
        self.daemon.stop(signal.SIGTERM)
        self.daemon.tcp = None
        self.daemon.start()
        with Client(self.daemon) as admin:
            how = messages.RECOVER_REPLAY
            error = self.refused(admin.request, recover=messages.RecoverWorld(world="nosuch", how=how))
            self.assertEqual(error.code, messages.ERROR_NOT_FOUND)
            admin.request(recover=messages.RecoverWorld(world="home", how=how))
            error = self.refused(admin.request, recover=messages.RecoverWorld(world="home", how=how))
            self.assertIn("not parked", str(error))


class Hashes(Base):
    def test_a_state_that_is_not_what_it_was_is_told_with_its_turn(self):
        self.start("store.hash_turns=4", modes=f"{BUILD}/fragile-modes")
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        for action in (COUNT, COUNT, COUNT, COUNT, FICKLE, COUNT, COUNT, COUNT, COUNT, COUNT):
            ann.play(view, action)
        self.daemon.restart(signal.SIGKILL)
        self.assertIn("after turn 8 its state is not what it was", self.daemon.log())
        self.assertIn("world=home", self.daemon.log())

    def test_a_mode_that_keeps_its_promises_has_the_same_hashes(self):
        self.start("store.hash_turns=1")
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        for direction in range(24):
            ann.play(view, STEP, direction % 8)
        ann.request(say=messages.Say(world=view.joined.world, text="a word"))
        ann.wait(lambda: "a word" in view.texts(), "the word")
        self.daemon.restart(signal.SIGKILL)
        self.assertNotIn("is not what it was", self.daemon.log())
        self.assertEqual(self.world("home").turn, 26)


class Copies(Base):
    def backup(self, directory):
        with Client(self.daemon) as admin:
            return admin.request(backup=messages.Backup(directory=directory))

    def test_a_copy_made_while_everything_runs_is_a_store_of_its_own(self):
        self.start()
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        for direction in range(8):
            ann.play(view, STEP, direction)
        copy = f"{self.daemon.directory}/copy"
        self.backup(copy)
        ann.drain(view)
        picture, turn = view.picture(), self.world("home").turn
        ann.play(view, STEP, 3)
        self.daemon.stop(signal.SIGTERM)
        shutil.rmtree(f"{self.daemon.directory}/state")
        os.rename(copy, f"{self.daemon.directory}/state")  # as the README says to restore one
        self.daemon.start()
        self.assertEqual(self.world("home").turn, turn)
        again = self.client("ann")
        self.assertEqual(self.enter(again, "home").picture()[:4], picture[:4])

    def test_a_copy_is_refused_where_one_is_and_where_it_cannot_be(self):
        self.start()
        copy = f"{self.daemon.directory}/copy"
        self.backup(copy)
        for directory, part in ((copy, "a store in it"), ("relative", "absolute"), ("/proc/nowhere", "/proc/nowhere")):
            self.assertIn(part, str(self.refused(self.backup, directory)), directory)

    def test_a_damaged_store_is_kept_aside_and_never_overwritten(self):
        self.start()
        ann = self.client("ann")
        for number in range(20):
            ann.create(name=f"w{number}", **SMALL)
        self.daemon.stop(signal.SIGTERM)
        path = f"{self.daemon.directory}/state/warren.db"
        with open(path, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(4096)
            file.write(os.urandom(size - 4096))
        with open(path, "rb") as file:
            damaged = file.read()
        self.daemon.tokens.clear()
        self.daemon.start()
        kept = [name for name in os.listdir(f"{self.daemon.directory}/state") if name.startswith("warren.db.damaged")]
        self.assertEqual(len(kept), 1)
        self.assertIn(kept[0], self.daemon.log())
        with open(f"{self.daemon.directory}/state/{kept[0]}", "rb") as file:
            self.assertEqual(file.read(), damaged)
        self.assertIsNone(self.world("w0"))
        self.client("ann").create(name="w0", **SMALL)


class Recordings(Base):
    def export(self, client, world):
        header, turns, after = None, [], 0
        while True:
            part = client.request(export=messages.ExportWorld(world=world, after=after)).export
            header = header or part.header
            turns += part.turns
            if part.last:
                return header, turns
            after = turns[-1].turn

    def test_a_recording_has_every_turn_and_what_it_begins_with(self):
        self.start("store.hash_turns=4")
        ann = self.client("ann")
        ann.create(name="home", seed=99, **SMALL)
        view = self.enter(ann, "home")
        for direction in range(15):
            ann.play(view, STEP, direction % 8)
        header, turns = self.export(ann, "home")
        self.assertEqual((header.world, header.mode, header.seed, header.turn), ("home", "caves", 99, 0))
        self.assertIn(("width", "20"), [(s.name, s.value) for s in header.settings])
        self.assertEqual([turn.turn for turn in turns], list(range(1, 17)))
        self.assertEqual([turn.turn for turn in turns if turn.HasField("hash")], [4, 8, 12, 16])

    def test_after_a_snapshot_it_begins_there_unless_history_is_kept(self):
        for keep, first in (("no", 6), ("yes", 1)):
            with self.subTest(keep=keep):
                self.start(f"store.keep_history={keep}")
                ann = self.client("ann")
                ann.create(name="home", **SMALL)
                view = self.enter(ann, "home")
                for direction in range(4):
                    ann.play(view, STEP, direction)
                self.daemon.restart(signal.SIGTERM)
                ann = self.client("ann")
                view = self.enter(ann, "home")
                ann.play(view, STEP, 3)
                header, turns = self.export(ann, "home")
                self.assertEqual((turns[0].turn, header.HasField("snapshot")), (first, keep == "no"))

    def test_a_long_one_comes_in_parts_without_gaps(self):
        self.start("store.keep_history=yes")
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        for _ in range(280):
            numbers = [ann.command(view, REST) for _ in range(32)]
            ann.wait(lambda numbers=numbers: view.executed >= numbers[-1], "the commands")
        _, turns = self.export(ann, "home")
        self.assertTrue(all(turn.turn == number for number, turn in enumerate(turns, 1)))
        self.assertGreater(len(turns), 8192)

    def test_only_its_owner_and_administrators_may_have_it(self):
        ports = free_ports(2)
        self.start(tcp=ports)
        stranger = self.client("ann", address=f"tcp://127.0.0.1:{ports[0]}", updates=f"tcp://127.0.0.1:{ports[1]}")
        other = self.client("bob", address=f"tcp://127.0.0.1:{ports[0]}", updates=f"tcp://127.0.0.1:{ports[1]}")
        stranger.create(name="home", **SMALL)
        self.assertEqual(self.export(stranger, "home")[0].world, "home")
        self.assertEqual(self.refused(self.export, other, "home").code, messages.ERROR_NOT_ALLOWED)
        self.assertEqual(self.export(self.client("admin"), "home")[0].world, "home")
        self.assertEqual(self.refused(self.export, stranger, "nosuch").code, messages.ERROR_NOT_FOUND)
        for body in ({"backup": messages.Backup(directory="/tmp/nowhere")},
                     {"recover": messages.RecoverWorld(world="home", how=messages.RECOVER_REPLAY)}):
            self.assertEqual(self.refused(other.request, **body).code, messages.ERROR_NOT_ALLOWED)


class Hardship(Base):
    """A library preloaded into the daemon makes its clock jump and its disk slow."""

    def hardship(self, **variables):
        if sanitized():
            self.skipTest("a sanitizer's library has to be the first")
        return dict(variables, LD_PRELOAD=f"{BUILD}/preload/hardship.so")

    def play(self, count):
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        numbers = [ann.command(view, COUNT) for _ in range(count)]
        ann.wait(lambda: view.executed >= numbers[-1], "the commands")
        self.assertEqual(view.fields[MINE].number, count)
        return ann, view

    def test_a_wall_clock_that_jumps_changes_nothing(self):
        self.start("network.heartbeat_ms=300", "network.grace_ms=1000", modes=f"{BUILD}/fragile-modes",
                   environment=self.hardship(WARREN_TEST_CLOCK_JUMPS="1"))
        ann, view = self.play(30)
        ann.play(view, ALARM_SET)  # asks to be woken in 30 ms
        wait_for(lambda: "died" in self.daemon.log(), "the wake-up, which crashes the mode")
        ann.play(view, COUNT)
        self.daemon.restart(signal.SIGKILL)
        again = self.client("ann")
        self.assertTrue(again.welcome.resumed)
        self.assertEqual(self.enter(again, "home").joined.next_command, 33)

    def test_a_disk_slower_than_the_game_holds_it_up_and_loses_nothing(self):
        self.start("limits.queued_commands=4", modes=f"{BUILD}/fragile-modes",
                   environment=self.hardship(WARREN_TEST_SLOW_WRITES_MS="10"))
        ann, view = self.client("ann"), None
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        for _ in range(40):
            ann.command(view, COUNT)
        ann.wait(lambda: view.executed + len(ann.command_errors()) >= 40 or view.executed == 40, "an answer to each")
        refused = ann.command_errors()
        self.assertTrue(all(error.code == messages.ERROR_LIMIT for error in refused.values()))
        ann.play(view, COUNT)
        self.assertEqual(view.fields[MINE].number, 41 - len(ann.command_errors()))
        self.daemon.restart(signal.SIGKILL)
        again = self.client("ann")
        seat = self.enter(again, "home")
        self.assertEqual(seat.fields[MINE].number, 41 - len(refused))


if __name__ == "__main__":
    unittest.main()
