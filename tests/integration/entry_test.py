"""What a newcomer does first: the two commands of the README. Not how the game looks or plays."""

import os
import pathlib
import shutil
import signal
import stat
import subprocess
import tempfile
import unittest

from terminal import Terminal, wait_until

SOURCE = pathlib.Path(os.environ.get("WARREN_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("WARREN_BUILD", SOURCE / "build/dev"))
PLAY = SOURCE / "frontends/play"
SCRIPTS = [PLAY, SOURCE / "tests/run", SOURCE / ".ci/run", SOURCE / "tests/checkout.sh"]


def run(*command, **options):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False, **options)


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def processes_naming(text):
    """The processes whose command line names the text."""
    found = []
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (directory / "cmdline").read_bytes():
                found.append(int(directory.name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


class WithoutATerminal(unittest.TestCase):
    def test_play_says_that_it_needs_a_terminal_and_exits_64(self):
        result = run(PLAY)
        self.assertEqual((result.returncode, result.stdout), (64, ""))
        self.assertIn("a terminal is needed", result.stderr)

    def test_help_and_version_need_no_terminal(self):
        for script in (PLAY, SOURCE / "tests/run"):
            result = run(script, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(f"Usage: {script.relative_to(SOURCE)}", result.stdout)
            self.assertRegex(run(script, "--version").stdout, r"^warren \d+\.\d+\.\d+\n$")

    def test_wrong_usage_exits_64_and_names_what_is_wrong(self):
        for arguments, named in ((["--fast"], "--fast"), (["--data"], "--data"), (["caves", "hunt"], "hunt"),
                                 (["--data", "/tmp", "--join"], "--join")):
            result = run(PLAY, *arguments)
            self.assertEqual(result.returncode, 64, arguments)
            self.assertIn(named, result.stderr)

    def test_the_scripts_pass_shellcheck(self):
        result = run("shellcheck", "-x", "-s", "bash", *SCRIPTS, cwd=SOURCE)
        self.assertEqual(result.returncode, 0, result.stdout)


class Packages(unittest.TestCase):
    """Against stand-ins for the programs that say what is installed, who we are, and that install."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="warren-entry-"))
        self.addCleanup(shutil.rmtree, self.directory)
        for name in ("awk", "bash", "comm", "cut", "dirname", "env", "flock", "sed", "sha256sum", "sort"):
            (self.directory / name).symlink_to(shutil.which(name))
        wanted = [line for line in (SOURCE / "tests/packages").read_text().split("\n") if line and line[0] not in "#["]
        self.wanted = sorted(wanted)

    def stand_in(self, name, script):
        path = self.directory / name
        path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        path.chmod(stat.S_IRWXU)

    def stand_ins(self, installed, user):
        self.stand_in("dpkg-query", "printf '%s\\n' " + " ".join(f"'ii {name}'" for name in installed))
        self.stand_in("id", f"echo {user}")
        self.stand_in("apt-get", f'echo "called: $*" >> {self.directory}/asked; exit 100')

    def run_tests_run(self):
        return run(shutil.which("bash"), SOURCE / "tests/run",
                   env={"PATH": str(self.directory), "HOME": "/nonexistent"})

    def test_without_root_and_sudo_the_exact_command_is_printed(self):
        self.stand_ins(installed=self.wanted[2:], user=1000)
        result = self.run_tests_run()
        self.assertEqual(result.returncode, 69, result.stderr)
        self.assertIn("apt-get update && apt-get install --no-install-recommends " + " ".join(self.wanted[:2]) + "\n",
                      result.stderr)
        self.assertFalse((self.directory / "asked").exists(), "it called apt-get all the same")

    def test_root_installs_what_is_missing_and_nothing_else(self):
        self.stand_ins(installed=self.wanted[:-1], user=0)
        result = self.run_tests_run()
        self.assertEqual(result.returncode, 69, result.stderr)
        asked = (self.directory / "asked").read_text().splitlines()
        self.assertRegex(asked[0], r" update$")
        self.assertRegex(asked[1], r" install --no-install-recommends " + self.wanted[-1] + "$")

    def test_sudo_is_used_where_there_is_one_and_never_asks_without_a_terminal(self):
        self.stand_ins(installed=self.wanted[1:], user=1000)
        self.stand_in("sudo", f'echo "called: $*" >> {self.directory}/sudo-asked; exit 1')
        result = self.run_tests_run()
        self.assertEqual(result.returncode, 69, result.stderr)
        for line in (self.directory / "sudo-asked").read_text().splitlines():
            self.assertRegex(line, "^called: -n env DEBIAN_FRONTEND=noninteractive apt-get ")


class InATerminal(unittest.TestCase):
    def setUp(self):
        self.sessions = pathlib.Path(tempfile.mkdtemp(prefix="warren-entry-"))
        self.addCleanup(shutil.rmtree, self.sessions)

    def play(self, *arguments):
        """A terminal in which frontends/play runs; its sessions are in a place of this test's own."""
        terminal = Terminal([PLAY, "--build", BUILD, *arguments], environment={"TMPDIR": str(self.sessions)})
        self.addCleanup(terminal.close)
        return terminal

    def wait_for_map(self, terminal):
        """Waits for the mode's greeting, hides it, and returns the screen when the player stands on the map."""
        terminal.wait_for("Esc hides this")
        terminal.send("Escape")
        return terminal.wait_for("@")

    def assert_nothing_left(self):
        wait_until(lambda: not list(self.sessions.glob("*")), "the session's directory to be removed")
        wait_until(lambda: not processes_naming(str(self.sessions)),
                   lambda: f"the session's processes to end: {processes_naming(str(self.sessions))}")

    def test_a_map_with_the_player_appears(self):
        terminal = self.play()
        self.wait_for_map(terminal)
        self.assertEqual(len(list(self.sessions.glob("warren-play-*/control"))), 1)

    def test_every_way_to_end_it_leaves_nothing_behind_and_the_terminal_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(signal=number.name):
                terminal = self.play()
                self.wait_for_map(terminal)
                os.kill(children(terminal.process())[0], number)
                self.assertEqual(terminal.wait_for_end(), 128 + number)
                self.assert_nothing_left()
                self.assertFalse(terminal.alternate_screen())
                self.assertTrue(terminal.cursor_visible())

    def test_a_closed_terminal_window_leaves_nothing_behind(self):
        terminal = self.play()
        self.wait_for_map(terminal)
        terminal.close()
        self.assert_nothing_left()

    def test_the_daemon_ends_even_when_play_is_killed(self):
        terminal = self.play()
        self.wait_for_map(terminal)
        os.kill(children(terminal.process())[0], signal.SIGKILL)
        wait_until(lambda: not [pid for pid in processes_naming("bin/warrend") if pid in
                                processes_naming(str(self.sessions))], "the daemon to end")

    def test_a_second_player_joins_the_game_without_naming_it(self):
        first = self.play()
        self.wait_for_map(first)
        second = self.play("--join")
        self.wait_for_map(second)
        self.assertIn("caves-1", second.screen())

    def leave(self, terminal):
        """By the keys that a player uses: out of the world, then out of the list of worlds."""
        terminal.send("F10")
        terminal.wait_for("Leave this world?")
        terminal.send("y")
        terminal.wait_for("q quit")
        terminal.send("q")

    def test_a_player_who_leaves_ends_the_game_with_status_0(self):
        terminal = self.play()
        self.wait_for_map(terminal)
        self.leave(terminal)
        self.assertEqual(terminal.wait_for_end(), 0)
        self.assert_nothing_left()

    def test_the_game_goes_on_for_the_others_until_they_leave(self):
        first = self.play()
        self.wait_for_map(first)
        second = self.play("--join")
        self.wait_for_map(second)
        self.leave(first)
        first.wait_for("others are still playing")
        self.leave(second)
        self.assertEqual((second.wait_for_end(), first.wait_for_end()), (0, 0))
        self.assert_nothing_left()

    def test_two_games_run_side_by_side_and_join_asks_which(self):
        for terminal in [self.play(), self.play()]:
            self.wait_for_map(terminal)
        self.assertEqual(len(list(self.sessions.glob("warren-play-*/control"))), 2)
        undecided = self.play("--join")
        self.assertEqual(undecided.wait_for_end(), 64)
        self.assertIn("which one?", undecided.screen())

    def test_kept_data_stays_and_is_offered_the_next_time(self):
        data = pathlib.Path(tempfile.mkdtemp(prefix="warren-kept-"))
        self.addCleanup(shutil.rmtree, data)
        first = self.play("--data", data)
        self.wait_for_map(first)
        os.kill(children(first.process())[0], signal.SIGTERM)
        first.wait_for_end()
        self.assert_nothing_left()
        self.assertTrue(list(data.iterdir()))
        second = self.play("--data", data)
        second.wait_for("caves")

    def test_a_mode_that_is_not_there_is_named(self):
        terminal = self.play("nosuchmode")
        terminal.wait_for("nosuchmode")


if __name__ == "__main__":
    unittest.main()
