"""What a mode says is held against what it may say, for it can speak for its host: a lie costs it its worlds, and nobody
else anything."""

import os
import re
import shutil
import tempfile
import unittest

from daemon import BUILD, DEADLINE, SOURCE, Client, Daemon

SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "bunnies": 3, "silverfish": 2, "overrun": 100}


class Base(unittest.TestCase):
    def liar(self, lie, *modes, settings=()):
        """A daemon whose hosts tell that lie."""
        directory = tempfile.mkdtemp(prefix="warren-modes-")
        self.addCleanup(shutil.rmtree, directory)
        for mode in modes:
            os.symlink(f"{BUILD}/{mode}", f"{directory}/{os.path.basename(mode)}")
        daemon = Daemon([f"daemon.host_program={SOURCE}/tests/integration/liar.py", *settings], modes=directory,
                        environment={"LIE": lie})
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


if __name__ == "__main__":
    unittest.main()
