"""The Debian packages: lintian accepts them, and in a fresh root they install, run, keep what an administrator edited
when they are upgraded, and leave nothing when they are purged. Long: it builds Warren once more, and a Debian."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from daemon import BUILD, SOURCE

MIRROR = os.environ.get("WARREN_DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITE = "bookworm"
CONTENTS = {
    "warren-dev": {"mode.h", "sight.h", "example.c", "warren.proto", "warren-mode.pc", "warren-mode.7.gz"},
    "warren-frontends": {"warren", "warren-sdl"},
    "warren-modes": {"caves.so", "hunt.so", "maze.so", "polar.so", "original.polar", "warren-maze", "warren-polar"},
    "warrend": {"warrend", "warren-host", "warrenctl", "warren-bot", "warrend.service", "warrend.socket",
                "warrend@.service", "warrend@.socket", "warren.conf", "warren.conf.5.gz", "README.md", "SECURITY.md",
                "daemon.md"},
}
NAMES = sorted(CONTENTS)
EDITED = "\n[limits]\nworlds = 7\n"


def run(*command, **options):
    """What it prints; a failure shows all of it."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def setUpModule():
    """Builds them, in a build of their own that stays; optimized further than the tests: gcc warns of more."""
    run("cmake", "-S", SOURCE, "--preset", "package", "-DWARREN_WERROR=ON", "-B", f"{BUILD}/package")
    run("ninja", "-C", f"{BUILD}/package")
    for old in glob.glob(f"{BUILD}/package/*.deb"):
        os.remove(old)
    run("cpack", "--config", f"{BUILD}/package/CPackConfig.cmake", cwd=f"{BUILD}/package")


def packages():
    return sorted(glob.glob(f"{BUILD}/package/*.deb"))


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


class Packages(unittest.TestCase):
    def test_they_are_those_that_the_readme_tells_of(self):
        self.assertEqual([field(package, "Package") for package in packages()], NAMES)

    def test_each_has_what_the_readme_says(self):
        for package in packages():
            name = field(package, "Package")
            found = {os.path.basename(line.split()[-1]) for line in run("dpkg-deb", "--contents", package).splitlines()}
            self.assertEqual(CONTENTS[name] - found, set(), name)

    def test_completions_are_where_debian_s_shells_look(self):
        package = next(package for package in packages() if field(package, "Package") == "warrend")
        found = {line.split()[-1] for line in run("dpkg-deb", "--contents", package).splitlines()}
        self.assertEqual({"./usr/share/bash-completion/completions/warrenctl",
                          "./usr/share/zsh/vendor-completions/_warrenctl"} - found, set())

    def test_lintian_has_nothing_to_say_against_them(self):
        self.assertEqual(run("lintian", "--allow-root", "--fail-on", "error,warning", *packages()), "")


@unittest.skipUnless(os.geteuid() == 0, "only root can make a root directory")
class Life(unittest.TestCase):
    """One life in a fresh root, since making that takes longest."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="warren-root-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.root = f"{self.directory}/root"
        wanted = set()
        for package in packages():
            for choice in field(package, "Depends").split(","):
                name = re.split(r"[ |(]", choice.strip())[0]
                wanted |= {name} - {"", *NAMES}
        run("debootstrap", "--variant=minbase", f"--include={','.join(sorted(wanted))}", SUITE, self.root, MIRROR)

    def inside(self, command):
        """A command of the root's shell. What is mounted for it is gone when it ends, and so is what it started."""
        script = 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" sh -ec "$1"'
        return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script, self.root, command,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                        "DEBIAN_FRONTEND": "noninteractive"})

    def files(self):
        """All there is, but for what dpkg and the base system note for themselves."""
        found = run("find", self.root, "-xdev", "-printf", "%P %U\\n").splitlines()
        own = (r"(var/lib/(dpkg|systemd|apt)/|var/(log|cache)/|"
               r"etc/(passwd|group|shadow|gshadow|subuid|subgid)-? |etc/\.pwd)")
        return {line for line in found if not re.match(own, line)}

    def install(self, files):
        for file in files:
            shutil.copy(file, f"{self.root}/tmp")
        text = self.inside("dpkg --install " + " ".join(f"/tmp/{os.path.basename(file)}" for file in files))
        for file in files:
            os.remove(f"{self.root}/tmp/{os.path.basename(file)}")
        return text

    def upgraded(self):
        """The same as of a later version."""
        for package in packages():
            tree = f"{self.directory}/{field(package, 'Package')}"
            run("dpkg-deb", "--raw-extract", package, tree)
            with open(f"{tree}/DEBIAN/control", encoding="utf-8") as file:
                text = re.sub(r"(?m)(?<=-)1$|(?<=-)1(?=\))", "2", file.read())
            with open(f"{tree}/DEBIAN/control", "w", encoding="utf-8") as file:
                file.write(text)
            run("dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, f"{tree}.deb")
            yield f"{tree}.deb"

    def play(self):
        """A daemon as the unit would run it: every mode that is installed has a world."""
        return self.inside("""
            as_service="setpriv --reuid warren --regid warren --init-groups env RUNTIME_DIRECTORY=/run/warren"
            install -d -m 700 -o warren -g warren /var/lib/warren
            STATE_DIRECTORY=/var/lib/warren $as_service warrend 2>/tmp/log & daemon=$!
            export WARREN_SERVER=/run/warren
            tries=0
            until warrenctl status >/dev/null 2>&1; do
                tries=$((tries + 1)); [ $tries -lt 100 ] || { cat /tmp/log; exit 1; }; sleep 0.1
            done
            for mode in caves hunt maze polar; do warrenctl create $mode; done
            warren-bot --world caves-1 --commands 3 --rate 0 --print none
            kill $daemon; wait $daemon
            rm /tmp/log
            warrenctl --version; warren --version; warren-maze --version; warren-polar --version
            """)

    def test_from_installing_to_purging(self):
        before = self.files()
        self.install(packages())
        enabled = os.listdir(f"{self.root}/etc/systemd/system/multi-user.target.wants")
        self.assertIn("warrend.service", enabled)
        self.assertIn("warrend.socket", os.listdir(f"{self.root}/etc/systemd/system/sockets.target.wants"))
        self.inside("warrend --check-config")
        self.assertTrue(os.path.exists(f"{self.root}/etc/logrotate.d/warrend"))
        self.assertIn("polar-1", self.play())
        self.assertTrue(os.path.exists(f"{self.root}/var/lib/warren/warren.db"))
        pages = glob.glob(f"{self.root}/usr/share/man/man*/warren*")
        self.assertIn("warrend.8.gz", map(os.path.basename, pages))
        self.assertEqual([page for page in pages if page[-3:] != ".gz"], [])

        config = f"{self.root}/etc/warren/warren.conf"
        with open(config, "a", encoding="utf-8") as file:
            file.write(EDITED)
        self.inside("systemctl disable warrend.service")
        self.install(list(self.upgraded()))
        with open(config, encoding="utf-8") as file:
            self.assertIn(EDITED, file.read())
        self.assertEqual(self.inside("dpkg-query --show --showformat '${Version}' warrend"), "0.1.0-2")
        self.assertFalse(os.path.exists(f"{self.root}/etc/systemd/system/multi-user.target.wants/warrend.service"))

        self.inside("systemctl enable warrend@second.service")
        names = " ".join(NAMES)
        self.inside(f"dpkg --remove {names}")
        self.assertTrue(os.path.exists(config))
        self.assertTrue(os.path.exists(f"{self.root}/var/lib/warren/warren.db"))
        # Worlds on a disk of their own: the disk is emptied, and nothing else is in the way.
        self.assertEqual(self.inside("""
            mount -t tmpfs warren /var/lib/warren; touch /var/lib/warren/warren.db
            sh /var/lib/dpkg/info/warrend.postrm purge 2>/dev/null
            ls -A /var/lib/warren
            """), "")
        self.inside(f"dpkg --purge {names}")
        self.assertEqual(self.files() ^ before, set())
        self.assertNotIn("warren", self.inside("getent passwd; getent group; dpkg-query --show"))


if __name__ == "__main__":
    unittest.main()
