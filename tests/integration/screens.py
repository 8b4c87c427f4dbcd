"""What the tests of the terminal frontend share: a daemon, `warren` in real terminals, and what a screen is to show
according to a client that has none of the frontend's code. No tests."""

import collections
import itertools
import os
import pathlib
import re
import unittest
from unittest import mock

from daemon import BUILD, Client, Daemon, messages
from terminal import Terminal, wait_until

WARREN = f"{BUILD}/bin/warren"
PLAIN = ("--ascii", "--no-colour")
STILL = {"growth_permille": 0}
SMALL = {"width": 20, "height": 16, "lichens": 3, **STILL}
LARGE = {"width": 160, "height": 50, **STILL}
DIRECTIONS = {(0, -1): "k", (1, -1): "u", (1, 0): "l", (1, 1): "n", (0, 1): "j", (-1, 1): "b", (-1, 0): "h",
              (-1, -1): "y"}

Window = collections.namedtuple("Window", "y x height width")
# Where the map stands in windows of these sizes, columns by rows, in a world of caves: the rest are title, messages,
# a panel of 22 to 34 columns beside the map or some rows below it, and the keys.
WINDOWS = {(80, 24): Window(3, 0, 20, 56), (40, 12): Window(2, 0, 7, 40), (160, 50): Window(4, 0, 45, 124),
           (100, 30): Window(3, 0, 26, 73), (60, 20): Window(3, 0, 13, 60), (72, 40): Window(4, 0, 35, 48)}


def one_line(text):
    """Without the line ends, frames and indents that wrapping puts into a text."""
    return " ".join(re.sub(r"[|│]", " ", text).split())


def picture(view):
    """The map as rows of ASCII, by the mode's own legend."""
    tiles = view.joined.mode.tiles
    cells = [tiles[cell // 2].ascii for cell in view.cells]
    for sprite in view.sprites.values():
        cells[sprite.at] = tiles[sprite.tile].ascii
    return ["".join(cells[y * view.width:(y + 1) * view.width]) for y in range(view.height)]


def shown(screen, window):
    """What a screen shows of the map."""
    lines = screen.split("\n")[window.y:window.y + window.height]
    return [line[window.x:].ljust(window.width)[:window.width] for line in lines]


def find_part(rows, part):
    """Where, row and column, the part lies in the picture; None: nowhere."""
    for y in range(len(rows) - len(part) + 1):
        for x in range(len(rows[0]) - len(part[0]) + 1):
            if all(row.startswith(line, x) for row, line in zip(rows[y:], part)):
                return y, x
    return None


def place_on_map(screen, window, rows):
    """Row and column of the map's cell in the window's corner (negative where the map is smaller than the window and
    stands in its middle), if the window shows a part of this picture, cell for cell; else None."""
    above, beside = max(0, window.height - len(rows)) // 2, max(0, window.width - len(rows[0])) // 2
    part = shown(screen, window)
    inner = [line[beside:beside + min(window.width, len(rows[0]))] for line in part[above:above + len(rows)]]
    outer = "".join(line[:beside] + line[beside + len(rows[0]):] for line in part) + "".join(
        part[:above] + part[above + len(rows):])
    found = find_part(rows, inner)
    return (found[0] - above, found[1] - beside) if found and not outer.strip() else None


def warren_of(terminal):
    """The process of the frontend that runs in a terminal, by itself or under shells."""
    def below(process):
        for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split():
            yield int(child)
            yield from below(int(child))
    return wait_until(lambda: next((p for p in below(terminal.process()) if pathlib.Path(f"/proc/{p}/comm").read_text(
        encoding="ascii") == "warren\n"), None), "a frontend in the terminal")


class Screens(unittest.TestCase):
    started = True
    modes = None  # a directory: other modes than the usual ones

    def setUp(self):
        self.numbers = itertools.count(1)
        self.daemon = Daemon(modes=self.modes)
        self.addCleanup(self.daemon.__exit__)
        kept = mock.patch.dict(os.environ, XDG_RUNTIME_DIR=f"{self.daemon.directory}/user")  # no session from outside
        kept.start()
        self.addCleanup(kept.stop)
        if self.started:
            self.daemon.start()

    def client(self, player=None):
        client = Client(self.daemon, player)
        self.addCleanup(client.close)
        return client

    def world(self, seed=7, **settings):
        """A new world of caves, by a client that stays out of it. Returns its name."""
        maker = self.client("maker")
        name = f"world-{next(self.numbers)}"
        maker.create(name=name, seed=seed, **{**SMALL, **settings})
        maker.request(goodbye=messages.Goodbye())
        return name

    def spectator(self, world):
        """A client that watches, and its view."""
        client = self.client()
        view = client.watch(world)
        client.wait(lambda: view.sequence is not None, "the first picture")
        return client, view

    def warren(self, *arguments, size=(80, 24), before=()):
        """`warren` with arguments in a terminal; `before` stands before it, "env" and variables, say."""
        terminal = Terminal([*before, WARREN, "--server", f"{self.daemon.directory}/run", *arguments], *size)
        self.addCleanup(terminal.close)
        return terminal

    def play(self, world, player="ann", *arguments, size=(80, 24), look=PLAIN):
        """A player in a world, whose greeting has been hidden."""
        terminal = self.warren("-w", world, "-p", player, *look, *arguments, size=size)
        self.hide_greeting(terminal)
        return terminal

    def hide_greeting(self, terminal):
        terminal.wait_for("Esc hides this")
        terminal.send("Escape")
        self.wait_without(terminal, "Esc hides this")

    def wait_without(self, terminal, text):
        return wait_until(lambda: (lambda screen: screen if text not in screen else None)(terminal.screen()),
                          lambda: f"a screen without {text!r}:\n{terminal.screen()}")

    def wait_for_line(self, terminal, pattern):
        """Waits for a line of the screen that the pattern is found in, and returns the match."""
        return wait_until(lambda: re.search(pattern, terminal.screen(), re.MULTILINE),
                          lambda: f"{pattern!r} on the screen:\n{terminal.screen()}")

    def wait_for_text(self, terminal, text):
        """Waits for a text that may be wrapped."""
        return wait_until(lambda: (lambda screen: screen if one_line(text) in one_line(screen) else None)(
            terminal.screen()), lambda: f"{text!r} on the screen:\n{terminal.screen()}")

    def wait_for_map(self, terminal, client, view, size=(80, 24), player="ann"):
        """Waits until the screen shows, cell for cell, what the client knows, with the player in sight. Returns the
        map's row and column in the window's corner."""
        window = WINDOWS[size]
        last = []
        client.drain(view)

        def agrees():
            client.take_updates()
            last[:] = [terminal.screen()]
            corner = place_on_map(last[0], window, picture(view))
            return (corner,) if corner and self.in_sight(corner, window, view, player) else None
        return wait_until(agrees, lambda: "the screen and the view to agree:\n{}\n{}".format(
            last[0], "\n".join(picture(view))))[0]

    def in_sight(self, corner, window, view, player):
        y, x = self.place_of(view, player)
        return corner[0] <= y < corner[0] + window.height and corner[1] <= x < corner[1] + window.width

    def place_of(self, view, player):
        """Row and column of a player."""
        return divmod(next(s.at for s in view.sprites.values() if s.label == player), view.width)

    def turn(self, client, world):
        return next(w.turn for w in client.request(list_worlds=messages.ListWorlds()).worlds.worlds if w.name == world)

    def do(self, terminal, client, world, *keys):
        """Presses keys that take a turn each and waits until those turns are over."""
        for first in range(0, len(keys), 8):
            some = keys[first:first + 8]
            before = self.turn(client, world)
            terminal.send(*some)
            wait_until(lambda: self.turn(client, world) >= before + len(some), lambda: f"{some} to take a turn each:\n"
                       f"{terminal.screen()}")

    def go_next_to(self, terminal, client, view, world, cell, player="ann"):
        """Walks and digs until the player stands beside the cell. Returns the key that leads into it."""
        for _ in range(4 * (view.width + view.height)):
            client.drain(view)
            y, x = self.place_of(view, player)
            away = cell % view.width - x, cell // view.width - y
            key = DIRECTIONS[tuple((n > 0) - (n < 0) for n in away)]
            if max(map(abs, away)) == 1:
                return key
            self.do(terminal, client, world, key)
        raise AssertionError(f"{player} does not get there")
