"""warren-maze: what it prints and refuses."""

import json
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

from daemon import BUILD, DEADLINE

TOOL = f"{BUILD}/bin/warren-maze"
OK, USAGE, UNAVAILABLE = 0, 64, 69
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8


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
                done = subprocess.run([TOOL, "-s", "1", "-f", name], stdout=full, stderr=subprocess.PIPE, timeout=DEADLINE,
                                      check=False)
            self.assertEqual(done.returncode, UNAVAILABLE)
            self.assertIn(b"standard output cannot be written: No space left", done.stderr)
        self.refused(UNAVAILABLE, ["-o", "/nonexistent/maze"], "/nonexistent/maze")


if __name__ == "__main__":
    unittest.main()
