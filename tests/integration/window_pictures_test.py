"""What each mode looks like in a window, from above and through a player's eyes: compared with pictures that were
looked at, block by block, with room for other versions of fonts and libraries. With WARREN_NEW_GOLDENS=1 the pictures
are taken anew: look at them before keeping them."""

import os
import unittest

from daemon import BUILD, Client, Daemon
from windows import FEW, GOLDEN, Display, Picture, Window, difference, read_png, write_png

WORLDS = {"caves": {"width": 40, "height": 30, "lichens": 40, "bunnies": 6},
          "hunt": {"width": 31, "height": 21},
          "maze": {"cells": 5},
          "polar": {}}
# What puts away what the mode shows first.
KEYS = {"caves": ["Escape"], "hunt": ["Escape"], "maze": ["Escape"], "polar": ["Escape", "space"]}


def setUpModule():
    global DISPLAY, DAEMON
    DISPLAY = Display()
    DAEMON = Daemon().start()


def tearDownModule():
    DAEMON.__exit__()
    DISPLAY.close()


def without_bars(picture):
    return Picture(picture.width, picture.height - 64, picture.rows[32:-32])


class Pictures(unittest.TestCase):
    def show(self, mode):
        with Client(DAEMON, "maker") as client:
            client.create(mode, f"the-{mode}", 11, **WORLDS[mode])
        window = Window(DISPLAY, ["-s", f"{DAEMON.directory}/run", "-p", "ann", "--world", f"the-{mode}"]).shown()
        self.addCleanup(window.close)
        window.still()
        return window

    def check(self, name, picture):
        path, seen = f"{GOLDEN}/{name}.png", without_bars(picture).blocks()
        if os.environ.get("WARREN_NEW_GOLDENS"):
            os.makedirs(GOLDEN, exist_ok=True)
            write_png(path, seen)
        part = difference(read_png(path), seen)
        if part > FEW:
            write_png(f"{BUILD}/{name}-seen.png", seen)
        self.assertLessEqual(part, FEW, f"{name}: what was seen is in {BUILD}/{name}-seen.png")

    def both_views(self, mode, first, second):
        window = self.show(mode)
        for key in KEYS[mode]:
            window.key(key)
        self.check(f"{mode}-{first}", window.still())
        window.key("shift+v")
        self.check(f"{mode}-{second}", window.still())

    def test_caves(self):
        self.both_views("caves", "above", "inside")

    def test_hunt(self):
        self.both_views("hunt", "above", "inside")

    def test_maze(self):
        self.both_views("maze", "inside", "above")

    def test_polar(self):
        self.both_views("polar", "above", "inside")


if __name__ == "__main__":
    unittest.main()
