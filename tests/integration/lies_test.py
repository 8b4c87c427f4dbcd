"""What a mode says is held against what it may say, for it can speak for its host: a lie costs it its worlds, and
nobody else anything."""

import os
import re
import shutil
import tempfile
import unittest

from daemon import BUILD, DEADLINE, SOURCE, Client, Daemon, Refused, messages, wait_for

REST = 2
SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "bunnies": 3, "silverfish": 2, "overrun": 100}


class Base(unittest.TestCase):
    def liar(self, lie, *modes, settings=(), of=None):
        """A daemon whose hosts tell that lie: of the first mode, or those whose files have that in their names."""
        directory = tempfile.mkdtemp(prefix="warren-modes-")
        self.addCleanup(shutil.rmtree, directory)
        for mode in modes:
            os.symlink(f"{BUILD}/{mode}", f"{directory}/{os.path.basename(mode)}")
        daemon = Daemon([f"daemon.host_program={SOURCE}/tests/integration/liar.py", "hosts.turn_limit_ms=30000",
                         *settings], modes=directory,
                        environment={"LIE": lie, "LIE_OF": of or os.path.basename(modes[0])})
        self.addCleanup(daemon.__exit__)
        return daemon

    def client(self, daemon, player):
        client = Client(daemon, player)
        self.addCleanup(client.close)
        return client


class Descriptors(Base):
    def given_up(self, lie, why):
        """The mode is out of order, and the daemon says why and ends as it does where there is no mode."""
        daemon = self.liar(lie, "modes/polar.so", settings=["hosts.restarts=1"])
        daemon.spawn()
        self.assertEqual(daemon.process.wait(DEADLINE), 78, daemon.log())
        self.assertRegex(daemon.log(), f"given up on mode polar: (its host died .*the last time: )?{re.escape(why)}")

    def test_a_default_is_no_way_to_files_of_others(self):
        self.given_up("elsewhere", "the default of its setting pack cannot be: "
                                   "pack = \"../../state/secret\" is not possible")

    def test_no_two_settings_have_one_name(self):
        self.given_up("twice", "two of its settings are named ")

    def test_there_are_no_more_seats_than_there_can_be(self):
        self.given_up("crowded", "it sent what is no message of ours: Mode.max_seats is 4294967295; it takes 1 to 64")

    def test_there_are_seats(self):
        self.given_up("seatless", "it does not say how many can play in a world (max_seats)")

    def test_it_is_not_longer_than_what_can_be_sent_to_everybody(self):
        self.given_up("wordy", "its descriptor has ")


class Lists(Base):
    REPLY_BYTES = 4 << 20

    def test_descriptors_that_fit_into_no_list_together_are_left_out_one_by_one(self):
        long = [f"modes/{mode}.so" for mode in ("caves", "hunt", "maze", "polar")]
        daemon = self.liar("lengthy", *long, "flawed-modes/flawed.so", "fragile-modes/fragile.so", of=".so").start()
        modes = self.client(daemon, "ann").request(list_modes=messages.ListModes()).modes
        self.assertLessEqual(modes.ByteSize(), self.REPLY_BYTES)
        self.assertEqual(len(modes.modes), 4)
        self.assertRegex(daemon.log(), "the list of modes has no room for all: .* is left out")


class Turns(Base):
    """A mode that lies about its turns, beside one that does not."""

    def start(self, lie, *settings):
        self.daemon = self.liar(lie, "fragile-modes/fragile.so", "modes/caves.so",
                                settings=["hosts.restarts=2", *settings]).start()
        self.ann, self.bob = self.client(self.daemon, "ann"), self.client(self.daemon, "bob")
        self.bob.create(name="home", **SMALL)
        self.home = self.bob.join("home")
        self.pid = self.daemon.host_pid("caves")
        self.ann.create("fragile", name="lies")

    def nobody_else_notices(self):
        self.bob.play(self.home, REST)
        self.assertEqual(self.bob.command_errors(), {})
        self.assertEqual(self.daemon.host_pid("caves"), self.pid)

    def is_ended(self, why):
        """Its host is, each time, when somebody joins."""
        with self.assertRaises(Refused):
            self.ann.join("lies")
        self.assertRegex(self.daemon.log(), f"died: {why}.* mode=fragile")
        self.nobody_else_notices()

    def test_inputs_are_those_that_were_given_out(self):
        self.start("forgetful")
        self.is_ended("it says that turn 1 of lies had other inputs than it was given")

    def test_what_nobody_knows_takes_no_memory(self):
        self.start("stuffed")
        before = self.daemon.memory()
        self.is_ended("it sent what is no message of ours: A FromHost has a field 99")
        if self.daemon.memory_is_telling():
            self.assertLess(self.daemon.memory() - before, 100 << 20)

    def test_scores_have_a_rate(self):
        self.start("boastful")
        self.ann.join("lies")
        wait_for(lambda: "scores are not kept: the mode records too many at once mode=fragile" in self.daemon.log(),
                 "the news of that")
        scores = self.ann.request(list_scores=messages.ListScores(mode="fragile")).scores
        self.assertGreater(len(scores.tables), 0)
        self.assertLess(len(scores.tables), 3900)
        self.nobody_else_notices()

    def test_scores_have_an_end(self):
        self.start("boastful", "limits.scores=100")
        view = self.ann.join("lies")
        self.ann.request(say=messages.Say(world=view.joined.world, text="again"))
        wait_for(lambda: self.daemon.log().count("scores are not kept") > 1, "the second turn")
        self.daemon.restart()
        scores = self.client(self.daemon, "ann").request(list_scores=messages.ListScores(mode="fragile")).scores
        self.assertGreater(len(scores.tables), 90)
        self.assertLessEqual(len(scores.tables), 100)

    def test_a_world_that_is_not_saved_is_parked_before_its_journal_fills_the_disk(self):
        self.start("unsaving", "store.snapshot_turns=10", "store.journal_mib=1", "network.heartbeat_ms=10000",
                   "network.grace_ms=60000")
        view = self.ann.join("lies")

        def parked():
            for _ in range(256):
                self.ann.send(say=messages.Say(world=view.joined.world, text="x" * 256))
            self.ann.request(ping=messages.Ping())
            return "its mode does not save it: the journal since it was saved last has 1 MiB" in self.daemon.log()
        wait_for(parked, "the end of that")
        self.assertEqual(self.daemon.log().count("no snapshot: not today"), 1)
        self.nobody_else_notices()


if __name__ == "__main__":
    unittest.main()
