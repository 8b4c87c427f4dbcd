"""A window outlives whatever happens to it and to the server; the files it writes are whole; and every end has a
sentence and a status."""

import os
import signal
import unittest

from daemon import BUILD, SOURCE, Client, Daemon, free_ports, messages, wait_for
from windows import Window, Windows, read_png

LOST, BACK = (0x70, 0x30, 0x2C), (0x2C, 0x5A, 0x38)


class Surviving(Windows):
    def test_a_lost_server_is_told_and_its_return(self):
        world = self.world(width=30, height=20)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        self.daemon.stop(signal.SIGKILL)
        window.wait_for_pixel(300, 4, LOST, "the bar that tells of it")
        self.daemon.start()
        window.wait_for_pixel(300, 4, BACK, "the bar that tells of the return")
        window.key("Escape", "period")
        with Client(self.daemon) as client:
            wait_for(lambda: client.request(list_worlds=messages.ListWorlds()).worlds.worlds[0].players == 1,
                     "the player to be back")

    def test_a_server_of_the_network_is_found_and_gone_to(self):
        port = free_ports(1)[0]
        other = Daemon(["network.beacon=yes", f"network.beacon_port={port}"], tcp=True)
        self.addCleanup(other.__exit__)
        window = self.play(environment={"WARREN_DISCOVERY": f"127.0.0.1:{port}"})
        worlds = window.above_the_bar(window.still())

        def height(picture):
            return sum(row != before for row, before in zip(window.above_the_bar(picture), worlds))
        window.key("s")
        alone = height(window.still())
        self.assertGreater(alone, 0)
        other.start()
        wait_for(lambda: height(window.picture()) > alone, "one more server in the list")
        window.key("Down", "Return")
        wait_for(lambda: "software=\"warren-sdl" in other.log(), "the window to be connected there")

    def test_it_takes_any_size_and_zoom(self):
        world = self.world(width=30, height=20)
        window = self.play("--world", world)
        window.still()
        window.key("Escape")
        for size in ((900, 700), (320, 240), (641, 479)):
            self.display.do("windowsize", "--sync", window.number, *size)
            wait_for(lambda: (lambda p: (p.width, p.height))(window.picture()) == size, f"a picture of {size}")
        whole = window.still()
        for key in ("minus", "plus", "numbersign", "F7", "F4", "shift+v", "shift+v", "F6", "Escape", "F1", "Escape"):
            window.key(key)
        window.key("minus", "minus", "minus")
        self.assertFalse(window.still() == whole)
        self.assertIsNone(window.process.poll())

    def test_what_happens_while_nobody_sees_it_is_shown_afterwards(self):
        world = self.world(width=30, height=20, lichens=0)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        window.key("Escape")
        before = window.still()
        self.display.do("windowunmap", "--sync", window.number)
        other = Client(self.daemon, "bob")
        self.addCleanup(other.__exit__)
        other.join(world)
        self.display.do("windowmap", "--sync", window.number)
        self.display.do("windowfocus", "--sync", window.number)
        wait_for(lambda: window.picture().rows[40:200] != before.rows[40:200], "the other player on the scoreboard")

    def test_the_accelerated_renderer_shows_the_same(self):
        world = self.world(width=30, height=20, lichens=0)
        pictures = []
        for renderer in ("software", "accelerated"):
            window = self.play("--watch", "--world", world, renderer=renderer)
            pictures.append(window.still().blocks())
            window.close()
        far = sum(abs(a - b) > 16 for one, other in zip(pictures[0].rows, pictures[1].rows) for a, b in zip(one, other))
        self.assertLess(far / (3 * pictures[0].width * pictures[0].height), 0.02)


class Files(Windows):
    def test_a_moving_picture_is_whole(self):
        world = self.world(width=30, height=20, lichens=0)
        window = self.play("--world", world)
        window.still()
        window.key("Escape", "F9")
        wait_for(lambda: any(n.endswith(".part") for n in os.listdir(window.pictures)), "the file")
        turn = self.info(world).turn
        window.key("Left", "Right", "Down")
        self.wait_for_turns(world, turn + 3)
        before = {n for n in os.listdir(window.pictures) if n.endswith(".png")}
        window.key("F9")
        film = wait_for(lambda: [n for n in os.listdir(window.pictures) if n.endswith(".png") and n not in before],
                        "the film")
        path = f"{window.pictures}/{film[0]}"
        self.assertEqual((read_png(path).width, read_png(path).height), (640, 480))
        with open(path, "rb") as file:
            data = file.read()
        self.assertGreater(data.count(b"fcTL"), 1)
        self.assertEqual(int.from_bytes(data[data.index(b"acTL") + 4:][:4], "big"), data.count(b"fcTL"))

    def test_a_recording_is_played_and_scrubbed_without_a_server(self):
        window = Window(self.display, ["--replay", f"{SOURCE}/tests/recordings/hunt-crowd.warren",
                                       "--mode-path", f"{BUILD}/modes"]).shown()
        self.addCleanup(window.close)
        first = window.still()
        window.click(500, 480 - 31 - 15)
        wait_for(lambda: window.picture().rows[4:28] != first.rows[4:28], "the number of a later turn")
        window.key("Home")
        wait_for(lambda: window.picture().rows[4:28] == first.rows[4:28], "that of the first turn again")
        window.key("q")
        self.assertEqual(window.wait(), 0)


class Endings(Windows):
    def run_to_end(self, *arguments, display=True, environment=None):
        window = Window(self.display if display else None, arguments, environment=environment)
        self.addCleanup(window.close)
        return window.wait(), window.said()

    def test_each_ends_with_a_sentence_and_a_status(self):
        gone = {"SDL_VIDEODRIVER": "x11"}
        for status, words, arguments, options in (
                (69, "no display to open a window on", (), {"display": False, "environment": gone}),
                (69, "No window could be opened", (), {"environment": {"DISPLAY": ":9999", **gone}}),
                (69, "Name another one with --font FILE", ("--font", "/etc/passwd"), {}),
                (64, "--size needs WIDTHxHEIGHT", ("--size", "big"), {}),
                (64, "--renderer needs", ("--renderer", "fast"), {}),
                (64, "--replay plays a file", ("--replay", "x", "--world", "y"), {}),
                (1, "cannot be opened", ("--replay", "/nowhere.warren"), {})):
            with self.subTest(arguments=arguments, words=words):
                ended, said = self.run_to_end(*arguments, **options)
                self.assertEqual(ended, status, said)
                self.assertIn(words, said)
                self.assertEqual(said.count("warren-sdl: "), 1, said)

    def test_it_waits_for_a_server_and_dies_of_a_signal(self):
        window = Window(self.display, ["-s", "/tmp/warren-nowhere"]).shown()
        self.addCleanup(window.close)
        window.display.do("key", "x")
        self.assertEqual(window.end(signal.SIGTERM), -signal.SIGTERM)
        window = Window(self.display, ["-s", "/tmp/warren-nowhere"]).shown()
        self.addCleanup(window.close)
        window.key("q")
        self.assertEqual(window.wait(), 69)


if __name__ == "__main__":
    unittest.main()
