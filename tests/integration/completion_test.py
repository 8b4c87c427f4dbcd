"""Completion in bash and zsh: every command and option that warrenctl --help tells of, and what the server has."""

import os
import re
import shutil
import subprocess
import unittest

from daemon import BUILD, DEADLINE, SOURCE, Client, Daemon

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}
FOLDER = f"{SOURCE}/frontends/ctl/completion"

BASH = """
source "$1/warrenctl.bash"
COMP_LINE=$2 COMP_POINT=${#2}
_warrenctl
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""

# What the completion system of zsh has around a completion, as far as this one uses it.
ZSH = """
fpath=("$1")
autoload -Uz _warrenctl
compadd() { print -rl -- "${(@P)2}" }
_files() { }
words=("${(@s: :)2}")
CURRENT=$#words
_warrenctl
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon().start()
        cls.addClassCleanup(cls.daemon.__exit__)
        cls.server = f"{cls.daemon.directory}/run"
        with Client(cls.daemon) as client:
            for name in ("home", "hunters", "lake"):
                client.create(name=name, **SMALL)
        cls.ann = Client(cls.daemon, "ann")
        cls.addClassCleanup(cls.ann.close)
        cls.ann.join("home")

    def complete(self, line, shell="bash"):
        """What may stand in place of the line's last word."""
        command = {"bash": ["bash", "--norc", "-c", BASH, "bash"], "zsh": ["zsh", "-f", "-c", ZSH, "zsh"]}[shell]
        done = subprocess.run(command + [FOLDER, f"warrenctl {line}"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=DEADLINE, check=False,
                              env=dict(os.environ, LC_ALL="C.UTF-8", WARREN_SERVER=self.server,
                                       PATH=f"{BUILD}/bin:{os.environ['PATH']}"))
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def both(self, line, expected):
        for shell in ("bash", "zsh"):
            with self.subTest(shell, line=line):
                self.assertEqual(sorted(set(self.complete(line, shell))), sorted(expected))

    def help(self):
        return subprocess.run([f"{BUILD}/bin/warrenctl", "--help"], capture_output=True, text=True, check=True).stdout

    def test_every_command_is_known(self):
        commands = re.findall(r"(?m)^  ([a-z-]+)\b", self.help().split("Commands:")[1].split("Options:")[0])
        self.assertGreater(len(commands), 30)
        self.both("", commands)

    def test_every_option_is_known_to_its_commands(self):
        text = self.help().split("Options:")[1]
        options = re.findall(r"(?m)^ +(?:-\w, )?--([a-z-]+)(?: \w+)? +(?:([a-z, -]+): )?", text)
        self.assertGreater(len(options), 15)
        for option, commands in options:
            for command in re.findall(r"[a-z-]+", commands) or ["", "status"]:
                self.assertIn(f"--{option}", self.complete(f"{command} --".lstrip()), command)
        self.assertNotIn("--seed", self.complete("status --"))
        self.both("kick ann --r", ["--reason"])

    def test_words_are_completed_from_what_was_typed(self):
        self.both("unb", ["unban"])
        self.both("nosuch ", [])
        self.both("log-level ", ["error", "warning", "info", "debug"])
        self.both("recover lake s", ["snapshot"])
        self.both("-j --timeout 3 sta", ["status"])
        self.both("--timeout ", [])

    def test_worlds_players_and_modes_are_the_server_s(self):
        self.both("close h", ["home", "hunters"])
        self.both("kick a", ["ann"])
        self.both("kick ann l", ["lake"])
        self.both("create c", ["caves"])
        self.both(f"-s {self.server} park la", ["lake"])
        self.both("grant a", ["ann"])
        self.both("grant ann ", ["spectator", "player", "admin", "host"])
        self.both("grant ann host l", ["lake"])

    def test_files_are_left_to_the_shell(self):
        self.both("verify ", [])
        self.both("backup /tm", [])

    def test_without_a_server_nothing_is_said(self):
        self.both("-s ipc:///nowhere/control close ", [])

    def test_they_are_installed_where_shells_look(self):
        folder = f"{self.daemon.directory}/installed"
        subprocess.run(["cmake", "--install", f"{BUILD}/frontends/ctl", "--prefix", folder], check=True,
                       stdout=subprocess.DEVNULL)
        self.addCleanup(shutil.rmtree, folder)
        for path in ("bash-completion/completions/warrenctl", "zsh/site-functions/_warrenctl"):
            self.assertTrue(os.path.exists(f"{folder}/share/{path}"), path)


if __name__ == "__main__":
    unittest.main()
