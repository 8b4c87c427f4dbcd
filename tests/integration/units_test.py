"""The units, as installed: systemd finds nothing to say against them and rates them well, and the daemon can do its work
with the system calls that they leave it."""

import configparser
import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import kernel
from daemon import BUILD, SOURCE, Client, Daemon, messages, sanitized, stopped_output

UNITS = f"{BUILD}/systemd"
SERVICES = [f"{UNITS}/warrend.service", f"{UNITS}/warrend@.service", f"{UNITS}/user/warrend.service"]
WORST = 1.5
REST = 2


class Unit(configparser.RawConfigParser):
    """A unit's file: settings may stand there several times."""

    def __init__(self, path):
        super().__init__(strict=False)
        self.optionxform = str
        with open(path, encoding="utf-8") as file:
            self.text = file.read()

    def all(self, key):
        return re.findall(rf"(?m)^{key}=(.*)$", self.text)


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze, of the package systemd, is not here")
class Units(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="warren-test-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": self.directory, "SYSTEMD_UNIT_PATH": f"{self.directory}:"}

    def analyze(self, *arguments):
        return stopped_output(["systemd-analyze", *arguments], self.environment)

    def test_every_service_is_rated_well(self):
        for path in SERVICES:
            user = ["--user"] if "/user/" in path else []
            status, text = self.analyze(*user, "security", "--offline=yes", path)
            rating = re.search(r"exposure level for .*: ([0-9.]+)", text)
            self.assertEqual((status, rating is None), (0, False), text)
            self.assertLessEqual(float(rating[1]), WORST, text)

    def copy_units(self, folder):
        """Units that start the daemon that was built, since the installed one is not there."""
        for path in glob.glob(f"{folder}/warrend*.s*"):
            with open(path, encoding="utf-8") as file:
                text = re.sub(r"(?m)^(Exec\w+)=\S+/warrend", rf'\1="{BUILD}/bin/warrend"', file.read())
            with open(f"{self.directory}/{os.path.basename(path)}", "w", encoding="utf-8") as file:
                file.write(text)

    def test_systemd_has_nothing_to_say_against_them(self):
        # Their pages are not installed here; pages_test.py looks whether they are there.
        self.copy_units(UNITS)
        for name in ("warrend.service", "warrend.socket", "warrend@one.service", "warrend@one.socket"):
            self.assertEqual(self.analyze("verify", "--man=no", f"{self.directory}/{name}"), (0, ""), name)
        self.copy_units(f"{UNITS}/user")
        for name in ("warrend.service", "warrend.socket"):
            self.assertEqual(self.analyze("--user", "verify", "--man=no", f"{self.directory}/{name}"), (0, ""), name)

    @unittest.skipIf(sanitized(), "a sanitizer makes system calls of its own")
    def test_the_system_calls_that_are_left_are_enough(self):
        for path in SERVICES:
            filters = Unit(path).all("SystemCallFilter")
            with self.subTest(path), Daemon(["hosts.sandbox=require"], tcp=True,
                                            preexec=kernel.as_in(filters)) as daemon:
                for where in ({}, daemon.tcp_addresses()):
                    with Client(daemon, "ann", **where) as ann:
                        world = ann.create(width=20, height=16, lichens=3)
                        ann.play(ann.join(world.name), REST)
                os.kill(daemon.host_pid(), 9)
                with Client(daemon, "bob") as bob:
                    bob.play(bob.join(world.name), REST)
                    bob.request(backup=messages.Backup(directory=f"{daemon.directory}/copy"))
                self.assertEqual(daemon.stop(15), 0)
                self.assertNotIn("sandbox of modes is not whole", daemon.log())
                self.assertNotRegex(daemon.log(), r"(?i)not permitted")

    def test_the_socket_unit_listens_where_the_daemon_serves(self):
        status, text = stopped_output([f"{BUILD}/bin/warrend", "--config", "/dev/null", "--print-config"],
                                      {**os.environ, "RUNTIME_DIRECTORY": "/run/warren"})
        self.assertEqual(status, 0, text)
        serves = set(re.findall(r"(?m)^# (?:control|updates) = ipc://(/\S+)", text))
        listens = {place.replace("%t", "/run") for place in Unit(f"{UNITS}/warrend.socket").all("ListenStream")}
        self.assertEqual(serves, listens)

    def test_stopping_the_socket_unit_leaves_the_sockets_of_a_daemon_that_runs(self):
        for folder in (UNITS, f"{UNITS}/user"):
            self.assertEqual(Unit(f"{folder}/warrend.socket").all("RemoveOnStop"), [])

    def test_a_reload_begins_with_a_check_of_what_the_daemon_would_read(self):
        for path in SERVICES:
            unit = Unit(path)
            unit.text = unit.text.replace("\\\n", "")
            check, hang_up = unit.all("ExecReload")
            self.assertEqual(check, f"{unit.all('ExecStart')[0]} --check-config", path)
            self.assertEqual(hang_up, "/bin/kill -HUP $MAINPID")

    def test_a_configuration_that_is_there_is_kept_by_another_install(self):
        install = ["cmake", "--install", f"{BUILD}/daemon/warrend", "--prefix", self.directory]
        path = f"{self.directory}/etc/warren/warren.conf"
        self.assertEqual(stopped_output(install)[0], 0)
        with open(path, encoding="utf-8") as file:
            self.assertIn("[daemon]", file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write("# mine\n")
        self.assertEqual(stopped_output(install)[0], 0)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "# mine\n")

    def test_it_is_tried_again_without_end(self):
        for path in SERVICES:
            unit = Unit(path)
            seconds, burst, wait = (int(unit.all(key)[0]) for key in ("StartLimitIntervalSec", "StartLimitBurst",
                                                                      "RestartSec"))
            self.assertLess(seconds / wait + 1, burst, path)

    def test_the_scripts_of_the_package_pass_shellcheck(self):
        scripts = [f"{SOURCE}/systemd/debian/{name}" for name in ("postinst", "prerm", "postrm")]
        self.assertEqual(stopped_output(["shellcheck", "-s", "sh", *scripts], os.environ), (0, ""))

    def test_user_and_directory_are_made_as_described(self):
        os.mkdir(f"{self.directory}/etc")
        for tool, file in (("systemd-sysusers", "sysusers.conf"), ("systemd-tmpfiles", "tmpfiles.conf")):
            more = ["--create"] if tool == "systemd-tmpfiles" else []
            if os.geteuid() != 0:
                self.skipTest("only root can make users, even in a directory")
            status, text = stopped_output([tool, *more, f"--root={self.directory}", f"{SOURCE}/systemd/{file}"])
            self.assertEqual(status, 0, text)
        with open(f"{self.directory}/etc/passwd", encoding="utf-8") as passwd:
            user = re.search(r"(?m)^warren:[^:]*:(\d+):(\d+):[^:]*:/var/lib/warren:\S*nologin$", passwd.read())
        made = os.stat(f"{self.directory}/run/warren")
        self.assertEqual((made.st_uid, made.st_gid, made.st_mode & 0o777), (int(user[1]), int(user[2]), 0o755))
        self.assertEqual(os.stat(f"{self.directory}/etc/warren").st_uid, 0)


if __name__ == "__main__":
    unittest.main()
