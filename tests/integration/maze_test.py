"""warren-maze: what it prints and refuses; and races in the mode, along the ways that its mazes have."""

import collections
import json
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

from daemon import BUILD, DEADLINE, Client, Daemon

TOOL = f"{BUILD}/bin/warren-maze"
OK, USAGE, UNAVAILABLE = 0, 64, 69
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
STEPS = {0: (0, -1), 2: (1, 0), 4: (0, 1), 6: (-1, 0)}  # by direction, as commands have it


def run(*arguments, **options):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, timeout=DEADLINE, check=False, **options)


def printed(*arguments):
    done = run(*arguments)
    assert done.returncode == OK, done.stderr
    return done.stdout


def in_json(*arguments):
    return json.loads(printed("--format", "json", *arguments))


def png_rows(data):
    """The colour numbers of a picture's pixels, unpacked by the book: chunks, zlib, one filter byte a row."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width = 8, b"", 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour, width) == (8, 3, height)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    rows = zlib.decompress(packed)
    assert len(rows) == (width + 1) * width and not any(rows[::width + 1])
    return [rows[y * (width + 1) + 1:(y + 1) * (width + 1)] for y in range(width)]


class Prints(unittest.TestCase):
    def test_every_format_shows_the_same_maze(self):
        for options in ((), ("--cells", 2), ("--cells", 23, "--hall", 3, "--wall", 2, "--obstacles", 40),
                        ("-c", 6, "--end", "side", "--heights", 9), ("-c", 6, "--end", "farthest", "--heights", 1)):
            options = ("--seed", 7, *options)
            maze = in_json(*options)
            digits = printed(*options, "-f", "digits").decode().splitlines()
            glyphs = printed(*options, "-f", "glyphs").decode().splitlines()
            pixels = png_rows(printed(*options, "-f", "png", "--scale", 3))
            self.assertEqual(maze["side"], (maze["cells"] + 3) * (maze["hall"] + maze["wall"]))
            self.assertEqual([len(digits), len(glyphs), len(pixels)], [maze["side"], maze["side"], 3 * maze["side"]])
            things = {tuple(maze["north"]): "⌂", tuple(maze["finale"]): "★", **{tuple(at): "o" for at in
                                                                            maze["obstacles"]}}
            looks = {}
            for y, row in enumerate(maze["map"]):
                self.assertEqual(digits[y], re.sub("[1-9]", "1", row))
                for x, height in enumerate(row):
                    glyph = glyphs[y][x]
                    self.assertEqual(glyph, things.get((x, y), " ") if height == "0" else glyph)
                    self.assertEqual(height == "0", glyph not in "░▒▓█")
                    self.assertLessEqual(int(height), maze["heights"])
                    colours = {pixels[3 * y + i][3 * x + j] for i in range(3) for j in range(3)}
                    self.assertEqual(len(colours), 1)
                    self.assertEqual(looks.setdefault(glyph, colours), colours)

    def test_openings_agree_with_the_map(self):
        maze = in_json("--seed", 3, "--cells", 12, "--hall", 2, "--wall", 3)
        for y, row in enumerate(maze["openings"]):
            for x, digit in enumerate(row):
                left, top = (x + 2) * 5, (y + 2) * 5
                open_to = {EAST: maze["map"][top][left + 2] == "0", SOUTH: maze["map"][top + 2][left] == "0"}
                if [left, top + 4] == maze["finale"]:
                    open_to[SOUTH] = False
                for opening, is_open in open_to.items():
                    self.assertEqual(bool(int(digit, 16) & opening), is_open, (x, y))

    def test_the_same_seed_is_the_same_maze_and_a_seed_that_was_not_given_is_said(self):
        self.assertEqual(printed("--seed", 5), printed("-s", "5"))
        self.assertNotEqual(printed("--seed", 5), printed("--seed", 6))
        done = run()
        seed = re.fullmatch(r"warren-maze: seed (\d+)\n", done.stderr.decode()).group(1)
        self.assertEqual(done.stdout, printed("--seed", seed))
        self.assertNotEqual(done.stdout, run().stdout)

    def test_output_into_a_file(self):
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(printed("--seed", 5, "--output", f"{directory}/maze"), b"")
            with open(f"{directory}/maze", "rb") as file:
                self.assertEqual(file.read(), printed("--seed", 5))

    def test_help_and_version(self):
        self.assertEqual(printed("--version"), b"warren-maze 0.1.0\n")
        text = printed("--help").decode()
        for option in ("cells", "hall", "wall", "heights", "obstacles", "end", "seed", "format", "scale", "output"):
            self.assertIn(f"--{option} ", text)


class Refuses(unittest.TestCase):
    def refused(self, status, arguments, *parts, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, status, arguments)
        for part in parts:
            self.assertIn(part, done.stderr.decode())

    def test_what_is_out_of_range_with_the_range(self):
        for option, least, most in (("cells", 2, 256), ("hall", 1, 8), ("wall", 1, 8), ("heights", 1, 9),
                                    ("obstacles", 0, 100), ("scale", 1, 32)):
            for value in (least - 1, most + 1, "", "x", f"{least}x", f" {least}", 2**64):
                self.refused(USAGE, [f"--{option}", value], f"--{option}", f"from {least} to {most}")
            for value in (least, most):
                printed("--seed", 1, f"--{option}", value)
        for value in ("", "-1", 2**64, "0x5"):
            self.refused(USAGE, ["--seed", value], "--seed")

    def test_words_it_does_not_know(self):
        self.refused(USAGE, ["--format", "jpeg"], "jpeg", "digits, glyphs, json or png")
        self.refused(USAGE, ["--end", "top"], "top", "bottom, side or farthest")
        self.refused(USAGE, ["surplus"], "surplus", "--help")
        self.refused(USAGE, ["--nonsense"], "--help")

    def test_what_cannot_be_written(self):
        for name in ("digits", "glyphs", "json", "png"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TOOL, "-s", "1", "-f", name], stdout=full, stderr=subprocess.PIPE,
                                      timeout=DEADLINE, check=False)
            self.assertEqual(done.returncode, UNAVAILABLE)
            self.assertIn(b"standard output cannot be written: No space left", done.stderr)
        self.refused(UNAVAILABLE, ["-o", "/nonexistent/maze"], "/nonexistent/maze")


def way(maze):
    """The directions of the steps that lead from the northern feature to the finale."""
    start, finale = tuple(maze["north"]), tuple(maze["finale"])
    came, queue = {start: None}, collections.deque([start])
    while queue:
        x, y = queue.popleft()
        for direction, (dx, dy) in STEPS.items():
            to = (x + dx, y + dy)
            if to not in came and maze["map"][to[1]][to[0]] == "0":
                came[to] = ((x, y), direction)
                queue.append(to)
    directions = []
    while came[finale]:
        finale, direction = came[finale]
        directions.insert(0, direction)
    return directions


class Races(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__)
        self.daemon.start()

    def client(self, name):
        client = Client(self.daemon, name)
        self.addCleanup(client.close)
        return client

    def actions(self, view):
        return {action.name: action.id for action in view.joined.mode.actions}

    def place(self, view):
        return view.focus % view.width, view.focus // view.width

    def test_a_world_begins_with_the_maze_that_the_tool_prints_for_its_seed(self):
        ann = self.client("ann")
        ann.create("maze", "home", seed=77, cells=9, hall=2, wall=1, obstacles=40, end="side")
        view = ann.watch("home")
        ann.wait(lambda: view.cells, "the first picture")
        maze = in_json("--seed", 77, "--cells", 9, "--hall", 2, "--wall", 1, "--obstacles", 40, "--end", "side")
        tiles = view.joined.mode.tiles
        things = {tuple(maze["north"]): "gate", tuple(maze["finale"]): "finale",
                  **{tuple(at): "boulder" for at in maze["obstacles"]}}
        self.assertEqual((view.width, view.height), (maze["side"], maze["side"]))
        self.assertTrue(maze["obstacles"])
        for at, cell in enumerate(view.cells):
            x, y = at % view.width, at // view.width
            tile, height = tiles[cell >> 1], int(maze["map"][y][x])
            self.assertEqual(tile.name, "wall" if height else things.get((x, y), "floor"))
            self.assertEqual(tile.height, 10 * height if height else tile.height)

    def test_two_players_race_and_then_there_is_a_new_maze(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create("maze", "home", seed=5, monsters=0, obstacles=0)
        one, two = ann.join("home"), bob.join("home")
        maze = in_json("--seed", 5, "--obstacles", 0)
        steps = way(maze)
        actions = self.actions(one)
        ann.wait(lambda: one.cells, "the first picture")
        self.assertIn("Find the finale", one.banner)
        self.assertTrue(one.banner.isascii(), "a sign that a plain terminal, or a window with pictures, does not show")
        for direction in steps[:-1]:
            ann.play(one, actions["step"], direction)
        bob.play(two, actions["step"], steps[0])
        bob.drain(two)
        tiles = two.joined.mode.tiles
        names = collections.Counter(tiles[cell >> 1].name for cell in two.cells)
        self.assertNotIn("finale", names)
        self.assertGreater(names["unknown"], len(two.cells) // 2)
        self.assertEqual([sprite.label for sprite in two.sprites.values()], ["bob"])
        ann.play(one, actions["step"], steps[-1])
        self.assertIn(f"You win: {len(steps)} turns.", one.banner)
        self.assertNotIn("unknown", {tiles[cell >> 1].name for cell in one.cells})
        self.assertEqual(one.board[0][:2], ["ann", str(len(steps))])
        bob.wait(lambda: f"ann reaches the finale after {len(steps)} turns, and wins." in two.texts(), "the news")
        ann.play(one, actions["new-maze"])
        bob.wait(lambda: "ann would like a new maze; asked for once more, it comes." in two.texts(), "the wish")
        ann.play(one, actions["new-maze"])
        bob.wait(lambda: "A new maze, the world's number 2." in two.texts(), "a new maze")
        ann.drain(one)
        self.assertEqual(self.place(one), self.place(two))
        self.assertEqual(one.board[0], ["ann", "", str(len(steps)), "1/1"])


if __name__ == "__main__":
    unittest.main()
