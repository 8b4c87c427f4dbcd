"""A real terminal for a test to type into and to read: a tmux server of its own. It knows no program of ours."""

import os
import shlex
import shutil
import subprocess
import tempfile
import time


def wait_until(condition, what, seconds=20):
    """Polls until condition() holds and returns what it returned; fails with `what`, which may be a function."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.02)


class Terminal:
    """Runs a command and keeps its last screen, and its status, when it has ended."""

    def __init__(self, command, width=80, height=24, environment=None):
        self.directory = tempfile.mkdtemp(prefix="warren-terminal-")
        self.status_file = os.path.join(self.directory, "status")
        script = (f"trap : INT; {shlex.join(map(str, command))}; echo $? > {self.status_file}.new; "
                  f"mv {self.status_file}.new {self.status_file}; read -r _")
        variables = {**os.environ, "LANG": "C.UTF-8", "TERM": "xterm-256color", **(environment or {})}
        for name in ("TMUX", "LC_ALL", "NO_COLOR"):
            variables.pop(name, None)
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), "--", "sh", "-c",
                   script, env=variables)

    def _tmux(self, *arguments, **options):
        return subprocess.run(["tmux", "-u", "-S", os.path.join(self.directory, "tmux"), *arguments], check=True,
                              stdout=subprocess.PIPE, text=True, **options).stdout

    def send(self, *keys):
        """Types keys by tmux's names for them: "a", "Enter", "C-c"."""
        self._tmux("send-keys", *keys)

    def type(self, text):
        """Types a text, letter for letter."""
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def screen(self, colours=False):
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def cursor_visible(self):
        return self.flag("cursor_flag")

    def alternate_screen(self):
        return self.flag("alternate_on")

    def flag(self, name):
        """What tmux knows of the terminal's state: "keypad_flag", "mouse_any_flag"..."""
        return self._tmux("display-message", "-p", "#{" + name + "}").strip() == "1"

    def process(self):
        """The shell around the command; the command is its child."""
        return int(self._tmux("display-message", "-p", "#{pane_pid}"))

    def wait_for(self, text, seconds=20):
        """Waits until the text stands on the screen, and returns the screen."""
        return wait_until(lambda: (lambda screen: screen if text in screen else None)(self.screen()),
                          lambda: f"{text!r} on the screen:\n{self.screen()}", seconds)

    def wait_for_end(self, seconds=20):
        """Waits until the command has ended, and returns its status."""
        wait_until(lambda: os.path.exists(self.status_file), lambda: f"the end of it:\n{self.screen()}", seconds)
        with open(self.status_file, encoding="ascii") as file:
            return int(file.read())

    def close(self):
        """Hangs up, as a terminal window does that is closed."""
        subprocess.run(["tmux", "-S", os.path.join(self.directory, "tmux"), "kill-server"], check=False,
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(self.directory, ignore_errors=True)
