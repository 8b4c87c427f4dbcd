"""The terminal frontend and the terminal as such: colours, character sets, key files, how little is written, and that
the terminal is given back whatever ends the program."""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from daemon import stopped_output
from screens import LARGE, PLAIN, WARREN, Screens, one_line, warren_of
from terminal import Terminal, wait_until


def colours(screen):
    """The kinds of colour sequences on a screen: "24bit", "256", "16"."""
    kinds = set()
    for parameters in re.findall(r"\033\[([0-9;]*)m", screen):
        numbers = [int(n or 0) for n in parameters.split(";")]
        while numbers:
            first = numbers.pop(0)
            if first in (38, 48):
                kinds.add("24bit" if numbers[0] == 2 else "256")
                del numbers[:4 if numbers[0] == 2 else 2]
            elif first in (*range(30, 38), *range(40, 48), *range(90, 98), *range(100, 108)):
                kinds.add("16")
    return kinds


class Looks(Screens):
    def colours_with(self, *arguments, **variables):
        settings = {"TERM": "xterm-256color", **variables}
        terminal = self.warren("-w", self.world(), "-p", "ann", *arguments,
                               before=("env", "-u", "COLORTERM", *(f"{k}={v}" for k, v in settings.items())))
        self.hide_greeting(terminal)
        terminal.wait_for("@")
        return colours(terminal.screen(colours=True))

    def test_the_depth_of_colour_is_what_is_asked_for_or_what_the_terminal_has(self):
        for arguments, variables, kinds in (
                ((), {}, {"256"}),
                ((), {"TERM": "screen"}, {"16"}),
                ((), {"COLORTERM": "truecolor"}, {"24bit"}),
                (("--colour=24bit",), {}, {"24bit"}),
                (("--colour=16",), {}, {"16"}),
                (("--colour=256",), {"COLORTERM": "truecolor"}, {"256"}),
                (("--colour=256",), {"NO_COLOR": "1"}, {"256"}),
                ((), {"NO_COLOR": ""}, {"256"})):
            with self.subTest(arguments=arguments, variables=variables):
                self.assertEqual(self.colours_with(*arguments, **variables), kinds)

    def test_no_colour_means_no_colour_sequence_at_all(self):
        for arguments, variables in (((), {"NO_COLOR": "1"}), (("--colour", "none"), {}), (("--no-colour",), {}),
                                     ((), {"TERM": "vt220"})):
            with self.subTest(arguments=arguments, variables=variables):
                self.assertEqual(self.colours_with(*arguments, **variables), set())

    def test_frames_and_texts_are_ascii_in_a_locale_without_unicode(self):
        world = self.world()
        for arguments, variables, plain in (((), (), False), (("--ascii",), (), True),
                                            ((), ("LC_ALL=C",), True)):
            with self.subTest(arguments=arguments, variables=variables):
                terminal = self.warren("-w", world, *arguments, before=("env", *variables))
                screen = terminal.wait_for("Esc hides this")
                self.assertEqual(screen.isascii(), plain, screen)
                self.assertIn("+- Caves -" if plain else "╭─ Caves ─", screen)
                terminal.send("F3")
                terminal.wait_for("Say:")
                terminal.type("abc")
                terminal.send("Enter")
                self.assertEqual(terminal.wait_for(": abc").isascii(), plain)

    def test_names_stand_on_the_map_when_asked_for(self):
        world = self.world(width=40)
        client, view = self.spectator(world)
        terminal, _ = self.play(world), self.play(world, "bob")
        terminal.wait_for("bob ")
        self.assertNotIn("@bob", terminal.screen())
        terminal.send("F4")
        terminal.wait_for("@bob")
        self.assertNotIn("@ann", terminal.screen())
        terminal.send("F4")
        self.wait_without(terminal, "@bob")
        self.wait_for_map(terminal, client, view)


class Keys(Screens):
    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="warren-keys-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.file = self.directory / "warren/keys.conf"
        self.file.parent.mkdir()

    def test_a_key_file_changes_what_keys_do_and_what_the_help_says(self):
        self.file.write_text("[caves]\nstep.north = w\nstep.south = s kp2\nrest =\n[frontend]\nchat = c\n")
        world = self.world(smoothing=10)
        client, view = self.spectator(world)
        terminal = self.play(world, "ann", "--keys", self.file)
        self.wait_for_map(terminal, client, view)
        y, x = self.place_of(view, "ann")
        self.do(terminal, client, world, "w", "w")  # digs, if it has to, and goes
        client.drain(view)
        self.assertEqual(self.place_of(view, "ann")[1], x)
        self.assertLess(self.place_of(view, "ann")[0], y)
        self.do(terminal, client, world, "s")
        turn = self.turn(client, world)
        for key in ("k", "Space"):
            terminal.send(key)
            self.wait_for_text(terminal, f"{key} does nothing here; F1 shows the keys.")
        self.assertEqual(self.turn(client, world), turn)
        terminal.send("F1")
        self.wait_for_line(terminal, r"\| w +north +\|")
        self.wait_for_line(terminal, r"\| s Num2 +south +\|")
        terminal.send("Escape")
        self.wait_without(terminal, "Esc closes")
        terminal.send("c")
        terminal.wait_for("Say:")

    def test_a_broken_file_that_was_asked_for_is_a_configuration_error_with_file_and_line(self):
        self.file.write_text("[caves]\nstep.north = w\n\nstep.south = hyper-x\n[frontend]\nfly = f\n")
        terminal = self.warren("--keys", self.file)
        self.assertEqual(terminal.wait_for_end(), 78)
        said = terminal.screen().replace("\n", "")
        self.assertIn(f'{self.file}:4: "hyper-x" is no key', said)
        self.assertIn(f'{self.file}:6: [frontend] has no "fly"', said)
        missing = self.warren("--keys", self.directory / "nothing")
        self.assertEqual(missing.wait_for_end(), 78)
        self.assertIn(f"{self.directory}/nothing cannot be read: No such file", missing.screen().replace("\n", ""))

    def test_a_broken_usual_file_is_reported_in_the_game_which_goes_on(self):
        self.file.write_text("[caves]\njump = j\nstep.north = w\n")
        world = self.world()
        terminal = self.warren("-w", world, "-p", "ann", *PLAIN, before=("env", f"XDG_CONFIG_HOME={self.directory}"))
        self.hide_greeting(terminal)
        terminal.send("F2")
        terminal.wait_for("PgUp PgDn scroll")
        self.wait_for_text(terminal, f'{self.file}:2: caves has no action "jump"')
        terminal.send("Escape")
        self.wait_without(terminal, "PgUp PgDn scroll")
        self.do(terminal, self.client(), world, "w")

    def test_the_printed_keys_are_a_key_file_that_changes_nothing(self):
        status, text = stopped_output([WARREN, "--server", f"{self.daemon.directory}/run", "--print-keys", "caves"])
        self.assertEqual(status, 0)
        self.assertIn("[caves]", text)
        self.file.write_text(text)
        world = self.world()
        terminal = self.play(world, "ann", "--keys", self.file)
        self.do(terminal, self.client(), world, *"hjkl.")


class GivenBack(Screens):
    """In a shell's terminal: what is on the screen, and how the terminal is set, before and after."""

    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="warren-stty-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def play_in_shell(self, after=":"):
        """The player in a shell, which goes on with the commands `after` when the game ends or is suspended."""
        game = shlex.join([WARREN, "--server", f"{self.daemon.directory}/run", "-w", self.world(), "-p", "ann"])
        terminal = Terminal(["sh", "-c", "trap : INT; set -m; echo before the game; "
                             f"stty -a >{self.directory}/before; {game}; status=$?; {after}; "
                             f"stty -a >{self.directory}/after; echo after the game; exit $status"])
        self.addCleanup(terminal.close)
        self.hide_greeting(terminal)
        self.assertTrue(terminal.alternate_screen())
        self.assertFalse(terminal.cursor_visible())
        self.assertTrue(terminal.flag("mouse_any_flag"))
        self.assertNotIn("before the game", terminal.screen())
        return terminal

    def assert_given_back(self, terminal, status):
        self.assertEqual(terminal.wait_for_end(), status, terminal.screen())
        lines = terminal.screen().split("\n")
        self.assertEqual((lines[0], "after the game" in lines), ("before the game", True), terminal.screen())
        self.assertNotIn("F1 help", terminal.screen())
        self.assertEqual(terminal.screen().count("@"), 0)
        self.assertFalse(terminal.alternate_screen())
        self.assertTrue(terminal.cursor_visible())
        for flag in ("mouse_any_flag", "mouse_sgr_flag", "keypad_flag", "keypad_cursor_flag"):
            self.assertFalse(terminal.flag(flag), flag)
        self.assertEqual(self.settings("after"), self.settings("before"))

    def settings(self, when):
        """What stty said; the size is nobody's setting."""
        return re.sub("rows [0-9]+; columns [0-9]+; ", "", (self.directory / when).read_text())

    def test_after_quitting(self):
        terminal = self.play_in_shell()
        terminal.send("F10")
        terminal.wait_for("Leave this world?")
        terminal.send("y")
        terminal.wait_for("Enter join")
        terminal.send("q")
        self.assert_given_back(terminal, 0)

    def test_after_a_signal_that_ends_it_and_its_seat_is_free(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            with self.subTest(signal=number.name):
                terminal = self.play_in_shell()
                os.kill(warren_of(terminal), number)
                self.assert_given_back(terminal, 128 + number)
                wait_until(lambda: self.daemon.status().seats == 0, "the seat to be free")

    def test_after_a_crash_which_is_told(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS, signal.SIGILL):
            with self.subTest(signal=number.name):
                terminal = self.play_in_shell()
                os.kill(warren_of(terminal), number)
                self.assert_given_back(terminal, 128 + number)
                self.assertIn("warren: crashed; the terminal has been restored", terminal.screen())

    def test_after_a_suspension_and_in_the_game_again(self):
        terminal = self.play_in_shell(after=f"stty -a >{self.directory}/between; echo in between; read -r _; "
                                      "fg >/dev/null; status=$?")
        terminal.send("C-z")
        terminal.wait_for("in between")
        self.assertIn("before the game", terminal.screen())
        self.assertEqual((terminal.alternate_screen(), terminal.cursor_visible()), (False, True))
        self.assertFalse(terminal.flag("mouse_any_flag"))
        self.assertEqual(self.settings("between"), self.settings("before"))
        terminal.resize(100, 30)
        terminal.send("Enter")
        terminal.wait_for("F1 help")
        self.assertTrue(terminal.alternate_screen())
        self.assertIn("F1 help", terminal.screen().split("\n")[29])
        os.kill(warren_of(terminal), signal.SIGTERM)
        self.assert_given_back(terminal, 128 + signal.SIGTERM)

    def test_a_closed_window_ends_the_game_and_frees_the_seat(self):
        terminal = self.play_in_shell()
        process = warren_of(terminal)
        terminal.close()
        wait_until(lambda: self.daemon.status().seats == 0, "the seat to be free")
        wait_until(lambda: not pathlib.Path(f"/proc/{process}").exists(), "the frontend to end")

    def test_a_terminal_that_cannot_show_it_is_left_alone(self):
        for name, said in (("dumb", "cannot show a full screen"), ("no-such-terminal", "is not known here")):
            with self.subTest(TERM=name):
                terminal = self.warren(before=("env", f"TERM={name}"))
                self.assertEqual(terminal.wait_for_end(), 69)
                self.assertIn(said, one_line(terminal.screen()))
        status, said = stopped_output([WARREN])
        self.assertEqual(status, 69)
        self.assertIn("standard input and output must be a terminal", said)


class Line:
    """The other end of a terminal: what the frontend writes, as it is."""

    def __init__(self, command, columns, rows):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        variables = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        for name in ("LC_ALL", "NO_COLOR", "COLORTERM"):
            variables.pop(name, None)
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=variables,
                                        start_new_session=True)
        os.close(slave)
        self.written = b""

    def type(self, keys):
        os.write(self.master, keys)

    def read(self):
        while select.select([self.master], [], [], 0)[0]:
            self.written += os.read(self.master, 65536)
        return self.written

    def wait_for(self, text, after=0):
        wait_until(lambda: text in self.read()[after:], lambda: f"{text!r} in {self.written[after:][-2000:]!r}")

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        with contextlib.suppress(OSError):  # what it writes to the end has to go somewhere
            while os.read(self.master, 65536):
                pass
        self.process.wait()
        os.close(self.master)


class Written(Screens):
    STEPS = 40

    def line(self, world):
        """A player whose greeting has been hidden, and all of that written."""
        line = Line([WARREN, "--server", f"{self.daemon.directory}/run", "-w", world, "-p", "ann"], 160, 50)
        self.addCleanup(line.close)
        line.wait_for(b"Esc hides this")
        for key, answer in ((b"\033", b"#"), (b"t", b"Say:"), (b"\033", b"messages")):
            before = len(line.read())
            line.type(key)
            line.wait_for(answer, before)
        return line

    def bytes_of(self, line, client, world, keys):
        """What is written for each of the keys; a key is typed when the turn before it is over and shown."""
        written = []
        for key in keys:
            before, turn = len(line.read()), self.turn(client, world)
            line.type(key)
            wait_until(lambda: self.turn(client, world) > turn, "the turn")
            line.wait_for(b"\033", before)
            written.append(len(line.read()) - before)
        return written

    def test_steps_are_written_as_what_changes(self):
        for settings in ({**LARGE, "width": 100, "height": 40}, {**LARGE, "width": 400, "height": 100}):
            with self.subTest(width=settings["width"]):
                world, client = self.world(smoothing=6, **settings), self.client()
                line = self.line(world)
                first = len(line.read())
                self.assertGreater(first, 10000, "the whole screen once")
                way = [b"h"] * (self.STEPS * 2 // 3) + [b"k"] * (self.STEPS // 3)
                written = self.bytes_of(line, client, world, way)
                self.assertLess(sum(written) / len(written), 1500, written)
                self.assertLess(sorted(written)[len(written) // 2], 400, written)

    def test_what_changes_nothing_writes_next_to_nothing(self):
        world, client = self.world(**LARGE), self.client()
        line = self.line(world)
        before = len(line.read())
        for _ in range(10):
            turn = self.turn(client, world)
            line.type(b".")
            wait_until(lambda: self.turn(client, world) > turn, "the turn")
        line.type(b"t")
        line.wait_for(b"Say:", before)
        self.assertLess(len(line.written) - before, 600, line.written[before:])


if __name__ == "__main__":
    unittest.main()
