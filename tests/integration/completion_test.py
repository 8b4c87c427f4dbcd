"""Completion in bash and zsh: every command and option that warrenctl --help tells of, and what the server has."""

import os
import re
import shutil
import subprocess
import unittest

from daemon import BUILD, DEADLINE, SOURCE, Client, Daemon, messages

SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 0}
FOLDER = f"{SOURCE}/frontends/ctl/completion"

BASH = """
source "$1/warrenctl.bash"
compopt() { [ "$2" = nospace ] || echo "<$2>"; }
COMP_LINE=$2 COMP_POINT=${#2}
_warrenctl
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""

# What the completion system of zsh has around a completion, as far as this one uses it.
ZSH = """
fpath=("$1")
autoload -Uz _warrenctl
compadd() { print -rl -- "${(@P)@[-1]}" }
compset() { }
_files() { print '<default>' }
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
            for name in ("home", "hunters", "lake", "pond"):
                client.create(name=name, **SMALL)
            client.request(park=messages.ParkWorld(world="pond"))
        with Client(cls.daemon, "boss"):
            pass
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
        for words in ("--timeout ", "-t ", "--player a", "create caves --seed ", "kick ann --for ", "replay x --turn "):
            self.both(words, [])
        self.both("replay x --speed ", ["max"])
        self.assertEqual((self.complete("replay x --speed=m"), self.complete("replay x --speed=m", "zsh")),
                         (["max"], ["--speed=max"]))

    def test_worlds_players_and_modes_are_the_server_s(self):
        self.both("close h", ["home", "hunters"])
        self.both("kick a", ["ann"])
        self.both("kick ann l", ["lake"])
        self.both("create c", ["caves"])
        self.both(f"-s {self.server} park la", ["lake"])
        self.both("grant a", ["ann"])
        self.both("grant ann ", ["spectator", "player", "admin", "host"])
        self.both("grant ann host l", ["lake"])
        self.both("say ", ["home", "hunters", "lake", "pond", "--all"])
        self.both("say home he", [])
        self.both("snapshot --all ", [])

    def test_settings_are_those_of_the_mode_and_what_can_be_changed(self):
        own = ["bots=", "title=", "join=", "watch=", "listed="]
        self.both("change home ", own)
        self.both("change home title=x b", ["bots="])
        self.both("change nosuch ", [])
        self.both("create caves den wid", ["width="])
        self.both("create caves wid", ["width="])
        self.assertTrue({"width=", "lichens=", *own} <= set(self.complete("create caves den ")))
        self.both("create caves den width=", [])
        # bash completes what stands behind the "=" alone; zsh the whole word.
        for typed, values in (("join=", ["anyone", "invited"]), ("listed=", ["yes", "no"])):
            self.assertEqual(sorted(self.complete(f"change home {typed}")), sorted(values))
            self.assertEqual(sorted(self.complete(f"change home {typed}", "zsh")),
                             sorted(typed + value for value in values))

    def test_where_only_parked_worlds_fit_no_others_are_offered(self):
        for command in ("unpark ", "recover "):
            self.assertEqual(set(self.complete(command)) - {"--all"}, {"pond"}, command)
        self.both("recover p", ["pond"])
        self.both("recover --all ", ["replay", "snapshot"])

    def test_rules_and_names_are_those_of_the_list(self):
        owner = f"uid:{os.geteuid()}"
        self.both("release ", ["ann", "boss"])
        self.assertEqual(self.complete("revoke ", "zsh"), [])
        with Client(self.daemon) as client:
            client.request(ban=messages.Ban(who="uid:4711"))
            client.request(ban=messages.Ban(who="192.0.2.0/24", world="lake"))
            client.request(grant=messages.Grant(who="uid:4712", role=messages.ROLE_PLAYER))
            client.request(grant=messages.Grant(who=owner, role=messages.ROLE_HOST, world="lake"))
        self.assertEqual(sorted(self.complete("unban ", "zsh")), ["address:192.0.2.0/24", "uid:4711"])
        self.assertEqual(sorted(self.complete("revoke ", "zsh")), sorted(["ann", "boss", owner, "uid:4712"]))
        # To bash a ":" begins a new word.
        self.assertEqual(self.complete("unban uid:4"), ["4711"])
        self.assertEqual(self.complete("unban address:"), ["192.0.2.0/24"])

    def test_files_are_left_to_the_shell_where_they_fit_and_nowhere_else(self):
        for words in ("verify ", "backup /tm", "export home ", "verify x --mode-path ", "-s ", "--mode-path="):
            self.both(words, ["<default>"])
        for words in ("change home ti", "kick ann --reason ", "log-level x", "status ", "change home title=x zzz"):
            for shell in ("bash", "zsh"):
                self.assertNotIn("<default>", self.complete(words, shell), words)

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
