"""The manual pages: mandoc finds nothing to say against them, and they name what there is: the options, commands and
exit statuses that programs tell of themselves, the settings, the calls of the header for modes."""

import glob
import os
import re
import subprocess
import unittest

from daemon import BUILD, SOURCE

PAGES = {os.path.basename(path): path for path in glob.glob(f"{BUILD}/man/*.[1-9]")}
PROGRAMS = {name.rsplit(".", 1)[0]: name for name in PAGES if os.path.exists(f"{BUILD}/bin/{name.rsplit('.', 1)[0]}")}
NOT_FOR_PEOPLE = {"warren-host"}  # libexec: the daemon starts it


def source(page):
    with open(PAGES[page], encoding="utf-8") as file:
        return file.read()


def said(*command, **environment):
    """What a program prints, with all of it on standard output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{command}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def part(page, title):
    return re.search(rf"(?ms)^\.Sh {title}\n(.*?)(?=^\.Sh |\Z)", source(page))[1]


class Pages(unittest.TestCase):
    def test_mandoc_has_nothing_to_say_against_them(self):
        self.assertGreater(len(PAGES), 5)
        done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *PAGES.values()], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout + done.stderr, done.returncode), ("", 0))

    def test_each_has_the_parts_that_readers_look_for(self):
        for page in PAGES:
            wanted = {"NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"}
            if page.rsplit(".", 1)[0] in PROGRAMS:
                wanted |= {"SYNOPSIS", "EXIT STATUS"}
            with self.subTest(page):
                self.assertEqual(wanted - set(re.findall(r"(?m)^\.Sh (.*)$", source(page))), set())
                self.assertNotRegex(source(page), r"@[A-Z_]+@")

    def test_references_lead_to_pages_that_are_there(self):
        elsewhere = {"logrotate.8", "systemd.1"}
        for page in PAGES:
            for name, section in re.findall(r"(?m)^\.Xr (\S+) (\d)", source(page)):
                self.assertIn(f"{name}.{section}", PAGES.keys() | elsewhere, page)

    def test_every_installed_program_has_one(self):
        installed = set()
        for script in glob.glob(f"{BUILD}/*/**/cmake_install.cmake", recursive=True):
            with open(script, encoding="utf-8") as file:
                installed |= set(re.findall(r'FILES "[^"]*/bin/([^"/]+)"\)', file.read()))
        self.assertIn("warrend", installed)
        self.assertEqual(installed - NOT_FOR_PEOPLE, set(PROGRAMS))

    def test_units_name_pages_that_are_there(self):
        for path in glob.glob(f"{BUILD}/systemd/**/*.s*[te]", recursive=True):
            with open(path, encoding="utf-8") as file:
                named = re.findall(r"man:(\S+)\((\d)\)", "".join(re.findall(r"(?m)^Documentation=(.*)$", file.read())))
            self.assertTrue(named, path)
            for name, section in named:
                self.assertIn(f"{name}.{section}", PAGES, path)


class Programs(unittest.TestCase):
    """Pages against --help, each way."""

    def each(self):
        self.assertGreater(len(PROGRAMS), 4)
        for program, page in PROGRAMS.items():
            yield page, said(f"{BUILD}/bin/{program}", "--help", LC_ALL="C.UTF-8")

    def test_options(self):
        for page, text in self.each():
            told = set(re.findall(r"--[a-z][a-z-]*", text)) | set(re.findall(r"(?m)^ +(-\w), --", text))
            described = {f"-{option}" for line in re.findall(r"(?m)^\.It Fl .*$", source(page))
                         for option in re.findall(r"Fl (\S+)", line)}
            self.assertEqual(described, told, page)

    def test_commands(self):
        for page, text in self.each():
            if "Commands:" in text:
                told = set(re.findall(r"(?m)^  ([a-z]+)\b", text.split("Commands:")[1].split("Options:")[0]))
                described = set(re.findall(r"(?m)^\.It Ic (\w+)", source(page)))
                self.assertEqual(described, told, page)

    def test_exit_statuses(self):
        for page, text in self.each():
            told = set(re.findall(r"(?<![\w/])\d+(?= |,)", text[text.index("Exit status:"):]))
            described = set(re.findall(r"(?m)^\.It (\d+)$", part(page, "EXIT STATUS")))
            self.assertEqual(described, told, page)


class References(unittest.TestCase):
    def test_every_setting_stands_in_warren_conf(self):
        def settings(text, section, key):
            found, where = set(), ""
            for line in text.splitlines():
                if match := re.fullmatch(section, line):
                    where = match[1]
                elif match := re.match(key, line):
                    found.add((where, match[1]))
            return found
        printed = said(f"{BUILD}/bin/warrend", "--config", "/dev/null", "--print-config")
        told = settings(printed, r"\[(\w+)\]", r"(?:# )?([a-z_]+) =")
        self.assertGreater(len(told), 40)
        self.assertEqual(settings(part("warren.conf.5", "SETTINGS"), r"\.Ss .*\[(\w+)\]", r"\.It Va (\w+)"), told)
        with open(f"{BUILD}/daemon/warrend/warren.conf", encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(settings(text, r"\[(\w+)\]", r"# ([a-z_]+) ="), told)

    def test_the_file_of_the_package_sets_nothing(self):
        arguments = [f"{BUILD}/bin/warrend", "--print-config", "--config"]
        self.assertEqual(said(*arguments, f"{BUILD}/daemon/warrend/warren.conf"), said(*arguments, "/dev/null"))

    def test_every_call_of_a_mode_stands_in_warren_mode(self):
        with open(f"{SOURCE}/plugins/sdk/include/warren/mode.h", encoding="utf-8") as file:
            calls = set(re.findall(r"(?m)^static inline .*?\b(wn_\w+)\(", file.read()))
        named = set(re.findall(r"\.Fn (wn_\w+)", source("warren-mode.7"))) - {"wn_mode"}
        self.assertEqual(named, calls)

    def test_every_callback_of_a_mode_stands_in_warren_mode(self):
        with open(f"{SOURCE}/plugins/sdk/include/warren/mode.h", encoding="utf-8") as file:
            descriptor = re.search(r"(?s)typedef struct wn_mode_descriptor \{(.*?)\n\} wn_mode_descriptor;",
                                   file.read())
        callbacks = set(re.findall(r"\(\*(\w+)\)", descriptor[1]))
        self.assertEqual(set(re.findall(r"(?m)^\.It Fn (\w+)", source("warren-mode.7"))), callbacks)


if __name__ == "__main__":
    unittest.main()
