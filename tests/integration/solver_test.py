"""warren-polar solve: what it prints, its exit statuses, its limits, and how it stops."""

import os
import pty
import re
import resource
import signal
import subprocess
import tempfile
import unittest

from daemon import BUILD, DEADLINE, sanitized
from terminal import wait_until

LEVELS = f"{os.environ['WARREN_SOURCE']}/plugins/polar/levels"
ORIGINAL = f"{LEVELS}/original.polar"
TOOL = f"{BUILD}/bin/warren-polar"
SOLVED, UNSOLVABLE, UNKNOWN, USAGE, UNREADABLE, WRONG_PACK = 0, 1, 2, 64, 69, 78

EASY = "title: Easy\nstart: 1 0 east\n000\n053\n000\n"
LOST = "title: Lost\nstart: 1 0 east\n005\n030\n000\n"
HARD = """title: Hard
start: 2 1 south
100100010400440204004000
000500000260640600500051
004005315024005505020060
000000021020240000201014
"""


def run(*words, **options):
    done = subprocess.run([TOOL, *words], capture_output=True, timeout=DEADLINE, text=True, check=False, **options)
    return done.returncode, done.stdout, done.stderr


class Solver(unittest.TestCase):
    def pack(self, *levels):
        file = tempfile.NamedTemporaryFile("w", suffix=".polar", encoding="ascii")
        self.addCleanup(file.close)
        file.write("\n".join(levels))
        file.flush()
        return file.name

    def test_moves_are_such_that_play_clears_the_level_with_them(self):
        status, moves, told = run("solve", ORIGINAL, "1")
        self.assertEqual(status, SOLVED)
        self.assertRegex(told, r"^level 1: 14 pushes, \d+ moves; there are none with fewer pushes \(\d+ positions in ")
        count = re.search(r", (\d+) moves", told)[1]
        status, board, told = run("play", ORIGINAL, "1", moves)
        self.assertEqual((status, told), (SOLVED, ""))
        self.assertTrue(board.endswith(f"\ncleared: {count} moves, 14 pushes.\n"), board)

    def test_a_pack_is_solved_level_by_level_and_the_status_is_that_of_the_worst(self):
        status, out, told = run("solve", self.pack(EASY, EASY))
        self.assertEqual((status, out), (SOLVED, "1: E1\n2: E1\n"))
        self.assertEqual(told.count("\n"), 2)
        status, out, told = run("solve", self.pack(EASY, LOST, EASY))
        self.assertEqual((status, out), (UNSOLVABLE, "1: E1\n3: E1\n"))
        self.assertIn("level 2: it cannot be cleared (1 positions in ", told)
        status, out, told = run("solve", self.pack(EASY, LOST), "2")
        self.assertEqual((status, out), (UNSOLVABLE, ""))

    def test_wrong_usage_is_told_in_a_sentence(self):
        takes = "warren-polar: solve takes a PACK, and perhaps the number of a LEVEL.\n"
        self.assertEqual(run("solve"), (USAGE, "", takes))
        self.assertEqual(run("solve", ORIGINAL, "1", "2"), (USAGE, "", takes))
        self.assertEqual(run("solve", ORIGINAL, "2"),
                         (USAGE, "", f"warren-polar: level 2: {ORIGINAL} has levels 1 to 1.\n"))
        for number in ("0", "x", "1x", "", "-1", "9999999999999999999999"):
            self.assertEqual(run("solve", "--seconds", number, ORIGINAL), (
                USAGE, "", f"warren-polar: --seconds takes a number from 1 to 1000000, not {number}.\n"))
            self.assertEqual(run("solve", "--memory", number, ORIGINAL), (
                USAGE, "", f"warren-polar: --memory takes a number from 1 to 1048576, not {number}.\n"))
        self.assertEqual(run("solve", "--nonsense", ORIGINAL)[:2], (USAGE, ""))
        self.assertEqual(run("solve", "/nowhere/x.polar")[:2], (UNREADABLE, ""))
        self.assertEqual(run("solve", self.pack("title: x\n0\n"))[:2], (WRONG_PACK, ""))

    @unittest.skipIf(sanitized(), "a sanitizer maps terabytes")
    def test_with_little_memory_it_stops_and_says_so(self):
        memory = 2
        limit = 40 << 20  # of the whole process, as the system counts it

        def confine():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        status, out, told = run("solve", "--memory", str(memory), self.pack(HARD), "1", preexec_fn=confine)
        self.assertEqual((status, out), (UNKNOWN, ""))
        self.assertRegex(told, r"^level 1: not known whether it can be cleared; --memory lets it look further \(")
        self.assertLessEqual(int(re.search(r", (\d+) MiB\)", told)[1]), memory)
        status, out, told = run("solve", "--memory", "100", self.pack(HARD), "1", preexec_fn=confine)
        self.assertEqual((status, out), (UNKNOWN, ""))
        self.assertIn("level 1: not known whether it can be cleared; ", told)

    def start(self, *words):
        """Solves, with a terminal to tell how far it is. Returns the process and what it has told."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([TOOL, "solve", *words], stdout=subprocess.PIPE, stderr=slave, text=True)
        os.close(slave)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.set_blocking(master, False)
        told = []

        def read():
            try:
                told.append(os.read(master, 65536).decode())
            except (BlockingIOError, OSError):
                pass  # nothing yet; or it has ended, and there will be nothing more
            return "".join(told)

        return process, read

    def test_on_a_terminal_it_tells_how_far_it_is_and_stops_when_interrupted(self):
        process, told = self.start("--best", "--memory", "64", self.pack(HARD), "1")
        self.addCleanup(process.wait)
        wait_until(lambda: re.search(r"\rlevel 1: [1-9]\d* positions, \d+ a second, \d+ pushes deep, width \d+, "
                                     r"\d+ of 64 MiB(, best \d+ pushes)?\x1b\[K", told()), told)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=DEADLINE)
        wait_until(lambda: told().endswith(" MiB).\r\n"), told)
        # A fast machine may have found a way by then, though not that there is none with fewer pushes.
        self.assertEqual(process.returncode, SOLVED if out else UNKNOWN)
        self.assertRegex(told(), "there may be some with fewer pushes [(]" if out else
                         r"\x1b\[Klevel 1: not known whether it can be cleared [(]")

    def test_interrupted_it_prints_the_best_that_it_has_found(self):
        pack = self.pack(HARD, EASY)
        process, told = self.start("--best", "--memory", "64", pack)
        wait_until(lambda: re.search(r", best \d+ pushes\x1b", told()), told)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, UNKNOWN)  # of level 2
        self.assertRegex(out, r"^1: ([NESW]\d+ ?)+\n$")
        self.assertEqual(run("play", pack, "1", out[3:])[0], SOLVED)
        wait_until(lambda: "; there may be some with fewer pushes (" in told(), told)


if __name__ == "__main__":
    unittest.main()
