"""A display and windows for a test: an X server of its own, warren-sdl on it, keys and clicks as from a person, and
pictures of what it shows. Pictures are the frontend's own (F12), read here by a reader of PNG of our own."""

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

from daemon import BUILD, DEADLINE, Client, Daemon, messages, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = f"{HERE}/golden"
LEAKS = f"{HERE}/leaks"     # of others, in a build with AddressSanitizer
BLOCK = 8       # pixels of a side that are averaged before pictures are compared
NEAR = 24       # of 255: what blocks may differ by
FEW = 0.02      # of the blocks: so many may differ by more


class Display:
    """An X server that nobody sees."""

    def __init__(self, width=1024, height=768):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24",
                                         "-nolisten", "tcp", "-noreset"], pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as file:
            self.name = ":" + file.readline().strip()

    def do(self, *arguments):
        """xdotool: real events, by way of the X server."""
        return subprocess.run(["xdotool", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "DISPLAY": self.name}).stdout

    def close(self):
        self.process.terminate()
        self.process.wait()


class Picture:
    """Pixels, row by row, three bytes each."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def at(self, x, y):
        return tuple(self.rows[y][3 * x:3 * x + 3])

    def __eq__(self, other):
        return self.rows == other.rows

    def blocks(self):
        """The same, smaller: averages of blocks."""
        wide, high = self.width // BLOCK, self.height // BLOCK
        rows = []
        for y in range(high):
            sums = [0] * (3 * wide)
            for row in self.rows[y * BLOCK:(y + 1) * BLOCK]:
                for part in range(BLOCK):
                    for channel in range(3):
                        sums[channel::3] = map(int.__add__, sums[channel::3],
                                               row[3 * part + channel:3 * BLOCK * wide:3 * BLOCK])
            rows.append(bytes(value // (BLOCK * BLOCK) for value in sums))
        return Picture(wide, high, rows)


def read_png(path):
    """Of eight bits of red, green and blue, with the filters "none" and "up"."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + chunk), path
        if name == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", chunk[:10])
            assert (depth, colours) == (8, 2), path
        if name == b"IDAT":
            packed += chunk
        at += 12 + length
    raw, rows, above = zlib.decompress(packed), [], 0
    # Whole rows are added at once, byte by byte, as large numbers: the low seven bits, then the highest without
    # a carry.
    low, high = (int.from_bytes(bytes([bits]) * 3 * width, "big") for bits in (0x7F, 0x80))
    for y in range(height):
        row = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        assert row[0] in (0, 2), path
        this = int.from_bytes(row[1:], "big")
        above = this if row[0] == 0 else ((this & low) + (above & low)) ^ ((this ^ above) & high)
        rows.append(above.to_bytes(3 * width, "big"))
    return Picture(width, height, rows)


def write_png(path, picture):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    raw = b"".join(b"\0" + row for row in picture.rows)
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9))
                   + chunk(b"IEND", b""))


def difference(one, other):
    """The part of the blocks that differ by more than is near."""
    if (one.width, one.height) != (other.width, other.height):
        return 1.0
    far = sum(any(abs(a - b) > NEAR for a, b in zip(row[3 * x:3 * x + 3], twin[3 * x:3 * x + 3]))
              for row, twin in zip(one.rows, other.rows) for x in range(one.width))
    return far / (one.width * one.height)


class Window:
    """warren-sdl, with a home directory of its own."""

    def __init__(self, display, arguments, size="640x480", renderer="software", environment=None):
        self.display = display
        self.directory = tempfile.mkdtemp(prefix="warren-window-", dir="/tmp")
        self.pictures = f"{self.directory}/pictures"
        os.mkdir(self.pictures)
        self.environment = {**os.environ, "DISPLAY": display.name if display else "", "SDL_AUDIODRIVER": "dummy",
                            "LANG": "C.UTF-8", "HOME": self.directory,
                            "XDG_CONFIG_HOME": f"{self.directory}/config",
                            "XDG_RUNTIME_DIR": self.directory, "XDG_DATA_HOME": f"{self.directory}/data",
                            "XDG_STATE_HOME": f"{self.directory}/state", "XDG_PICTURES_DIR": self.pictures,
                            "LSAN_OPTIONS": f"suppressions='{LEAKS}':print_suppressions=0", **(environment or {})}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.command = [f"{BUILD}/bin/warren-sdl", f"--size={size}", f"--renderer={renderer}", *arguments]
        self.errors = open(f"{self.directory}/errors", "w+b")
        self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.DEVNULL,
                                        stderr=self.errors)
        self.number = None

    def shown(self):
        """Waits for the window."""
        def find():
            self.must_run()
            with contextlib.suppress(subprocess.CalledProcessError): # it cannot have the focus before it is mapped
                number = self.display.do("search", "--onlyvisible", "--pid", self.process.pid).split()[-1]
                self.display.do("windowfocus", number, "mousemove", "--window", number, 4, 4)
                return number
        self.number = wait_for(find, "the window")
        return self

    def must_run(self):
        if self.process.poll() is not None:
            raise AssertionError(f"warren-sdl ended with {self.process.returncode}: {self.said()}")

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def key(self, *names):
        self.display.do("key", *names)

    def type(self, text):
        self.display.do("type", text)

    def click(self, x, y, button=1):
        self.display.do("mousemove", "--window", self.number, x, y, "click", button)

    def picture(self):
        """What it shows now."""
        before = set(os.listdir(self.pictures))
        asked = []
        def taken():
            self.must_run()
            if not asked or time.monotonic() > asked[-1] + 1: # what shows no game yet may not have listened
                self.key("F12")
                asked.append(time.monotonic())
            return sorted(n for n in set(os.listdir(self.pictures)) - before if n.endswith(".png"))
        return read_png(f"{self.pictures}/{wait_for(taken, 'a picture')[-1]}")

    def still(self):
        """What it shows once nothing moves any more."""
        pictures = [self.picture()]
        def settled():
            pictures.append(self.picture())
            return self.above_the_bar(pictures[-1]) == self.above_the_bar(pictures[-2])
        wait_for(settled, "what moves to stand still")
        return pictures[-1]

    @staticmethod
    def above_the_bar(picture):
        """Without the bars: one tells the delay, the other where the last picture is."""
        return picture.rows[34:-34]

    def wait_for_pixel(self, x, y, colour, what):
        def right():
            return all(abs(a - b) <= 3 for a, b in zip(self.picture().at(x, y), colour))
        wait_for(right, what)

    def wait(self):
        return self.process.wait(timeout=DEADLINE)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.errors.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class Windows(unittest.TestCase):
    """A display and, for each test, a daemon."""

    modes = None

    @classmethod
    def setUpClass(cls):
        cls.display = Display()
        cls.addClassCleanup(cls.display.close)

    def setUp(self):
        self.daemon = Daemon(modes=self.modes).start()
        self.addCleanup(self.daemon.__exit__)
        self.client = Client(self.daemon, "watcher")
        self.addCleanup(self.client.__exit__)

    def world(self, mode="caves", **settings):
        return self.client.create(mode, seed=5, **settings).name

    def play(self, *arguments, **options):
        arguments = ["-s", f"{self.daemon.directory}/run", "-p", "ann", *arguments]
        window = Window(self.display, arguments, **options).shown()
        self.addCleanup(window.close)
        return window

    def info(self, world):
        worlds = self.client.request(list_worlds=messages.ListWorlds()).worlds.worlds
        return next(w for w in worlds if w.name == world)

    def wait_for_player(self, world, count=1):
        wait_for(lambda: self.info(world).players == count, "the player to be in the world")

    def wait_for_turns(self, world, count):
        wait_for(lambda: self.info(world).turn >= count, f"turn {count}")
