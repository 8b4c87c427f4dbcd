"""What a mode cannot do: one that tries to reach the network, files, other processes or more memory than it is allowed
is stopped, its world goes on without that turn, and nobody else notices. And what is said where the kernel lacks a part
of the sandbox."""

import os
import re
import time
import unittest

import kernel
from daemon import BUILD, Client, Daemon, sanitized, wait_for

MODES = f"{BUILD}/modes:{BUILD}/prisoner-modes"
DEEDS = ["nothing", "socket", "read", "write", "fork", "thread", "exec", "kill", "look", "code", "share", "eat", "good",
         "abort", "hangup", "stack", "limit", "own", "outlive", "device", "page", "talk", "delegate"]
NOTHING, DONE, REST = 1, 0, 2
SMALL = {"width": 20, "height": 16, "smoothing": 0, "lichens": 5, "bunnies": 3, "silverfish": 2, "overrun": 100}
CALLS = {"socket": "socket", "read": "openat", "write": "openat", "fork": "clone",
         "thread": "rt_sigaction|clone3|clone", "exec": "execve", "kill": "kill", "look": "process_vm_readv",
         "code": "mmap", "share": "mmap",
         "stack": "mmap", "limit": "prlimit64", "own": "prlimit64", "outlive": "prctl"}
CONFIG = 78


class Base(unittest.TestCase):
    def start(self, *settings, **options):
        self.daemon = Daemon(["hosts.restarts=15", "hosts.restart_window_s=1", *settings], modes=MODES,
                             **options).start()
        self.addCleanup(self.daemon.__exit__)

    def client(self, player):
        client = Client(self.daemon, player)
        self.addCleanup(client.close)
        return client

    def prison(self):
        ann = self.client("ann")
        ann.create("prisoner", name="prison")
        view = ann.join("prison")
        ann.wait(lambda: view.sequence is not None, "the first update")
        return ann, view

    def attempt(self, ann, view, deed):
        """Asks for the deed; returns whether its turn was executed."""
        number = ann.command(view, 1 + DEEDS.index(deed))
        refused = ann.command_errors()
        ann.wait(lambda: view.executed >= number or refused.update(ann.command_errors()) or number in refused,
                 f"an answer to {deed}")
        return number not in refused


@unittest.skipIf(sanitized(), "a sanitizer needs what the sandbox forbids, so there is none")
class Prison(Base):
    def test_what_a_mode_may_not_do_ends_its_turn_and_nothing_else(self):
        self.start()
        bob = self.client("bob")
        bob.create(name="home", **SMALL)
        home = bob.join("home")
        bob.play(home, REST)
        caves = self.daemon.host_pid("caves")
        ann, view = self.prison()
        done = 0
        for deed, call in CALLS.items():
            with self.subTest(deed=deed):
                before = len(self.daemon.log())
                self.assertFalse(self.attempt(ann, view, deed))
                self.assertRegex(self.daemon.log()[before:],
                                 rf"a mode may not do \(system call \d+, ({call})\) mode=prisoner")
                ann.play(view, NOTHING)
                done += 1
                ann.drain(view)
                self.assertEqual(view.fields[DONE].number, done)
                bob.play(home, REST)
        self.assertEqual(self.daemon.host_pid("caves"), caves)
        self.assertEqual(bob.command_errors(), {})
        self.assertFalse(os.path.exists("/tmp/warren-prisoner"))

    def test_a_mode_that_eats_memory_is_stopped_at_the_limit(self):
        self.start("hosts.memory_mib=128")
        ann, view = self.prison()
        self.assertFalse(self.attempt(ann, view, "eat"))
        ann.play(view, NOTHING)

    def test_what_a_mode_may_do_works(self):
        self.start()
        ann, view = self.prison()
        pid = self.daemon.host_pid("prisoner")
        for deed in ("good", "device", "page"):
            self.assertTrue(self.attempt(ann, view, deed), deed)
        self.assertEqual(self.daemon.host_pid("prisoner"), pid)
        for printed in ("a mode may print", r"to both,\t\x1b[31mand how"):
            wait_for(lambda line=printed: f" info mode: {line} mode=prisoner world=0\n" in self.daemon.log(), printed)

    def test_a_mode_that_says_very_much_is_not_written_down_whole(self):
        self.start()
        ann, view = self.prison()
        before = len(self.daemon.log())
        for _ in range(3):
            self.assertTrue(self.attempt(ann, view, "talk"))
        left_out = wait_for(lambda: re.findall(r" left out (\d+) lines: it says more than 50 a second mode=prisoner",
                                               self.daemon.log()), "what was left out")
        self.assertLess(self.daemon.log()[before:].count(" mode=prisoner"), 600)
        self.assertGreater(sum(map(int, left_out)), 10000)

    def test_a_mode_s_worker_is_confined_like_its_host(self):
        self.start()
        ann, view = self.prison()
        pid = self.daemon.host_pid("prisoner")
        self.assertTrue(self.attempt(ann, view, "delegate"))
        ann.wait(lambda: view.fields[DONE].number > 100, "the news that there is no answer")
        wait_for(lambda: re.search(r"worker: .*may not do \(system call \d+, socket\) mode=prisoner", self.daemon.log()),
                 "the log to tell how it ended")
        self.assertEqual(self.daemon.host_pid("prisoner"), pid)

    def test_a_worker_that_ends_with_each_question_is_not_started_for_each(self):
        self.start()
        ann, view = self.prison()
        begun = time.monotonic()
        for count in range(1, 9):
            self.assertTrue(self.attempt(ann, view, "delegate"))
            ann.wait(lambda count=count: view.fields[DONE].number > 100 * count, "the news that there is no answer")
        self.assertGreater(time.monotonic() - begun, 1.5)

    def test_a_mode_that_aborts_is_said_to_have_been_killed_by_that_signal(self):
        self.start()
        ann, view = self.prison()
        self.assertFalse(self.attempt(ann, view, "abort"))
        self.assertIn("killed by signal 6", self.daemon.log())

    def test_one_that_closes_its_conversation_and_goes_on_is_ended_and_holds_nobody_up(self):
        self.start()
        pid = self.daemon.host_pid("prisoner")
        ann, view = self.prison()
        self.assertFalse(self.attempt(ann, view, "hangup"))
        self.assertRegex(self.daemon.log(), r"died: killed by signal 9 \(Killed\) mode=prisoner")
        ann.play(view, NOTHING)
        self.assertNotEqual(self.daemon.host_pid("prisoner"), pid)

    def test_one_that_closes_its_conversation_while_it_is_loaded_is_given_up_on(self):
        with Daemon(["hosts.restarts=1"], modes=MODES, environment={"PRISONER_TRIES": "hangup"}) as daemon:
            self.assertIn("given up on mode prisoner: its host died more than 1 times", daemon.log())

    def test_a_mode_that_tries_it_while_it_is_loaded_is_not_served(self):
        for deed in ("socket", "write", "fork", "exec", "share", "stack", "limit", "own", "outlive"):
            with self.subTest(deed=deed), Daemon(modes=MODES, environment={"PRISONER_TRIES": deed}) as daemon:
                self.assertRegex(daemon.log(), "given up on mode prisoner: the mode tried something a mode may not do "
                                               rf"\(system call \d+, ({CALLS[deed]})\)")
                with Client(daemon, "ann") as ann:
                    ann.create(name="home", **SMALL)

    def test_while_it_is_loaded_a_mode_reads_no_file_but_what_loading_needs(self):
        for deed in ("read", "device", "page"):
            with self.subTest(deed=deed), Daemon(modes=MODES, environment={"PRISONER_TRIES": deed}) as daemon:
                self.assertEqual(daemon.host("prisoner").failure, "")
                self.assertIn("ready mode=prisoner", daemon.log())

    def test_limits_of_the_process(self):
        self.start("hosts.memory_mib=512")
        with open(f"/proc/{self.daemon.host_pid('caves')}/limits", encoding="ascii") as file:
            limits = {line[:26].strip(): line[26:].split()[:2] for line in file}
        for name, most in (("Max core file size", 0), ("Max processes", 0), ("Max data size", 512 << 20),
                           ("Max open files", 32), ("Max file size", 0)):
            self.assertEqual(limits[name], [str(most)] * 2, name)
        with open(f"/proc/{self.daemon.host_pid('caves')}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))


class Degraded(Base):
    @unittest.skipIf(sanitized(), "a sanitizer needs what the sandbox forbids, so there is none")
    def test_what_the_kernel_lacks_is_said_once_and_worlds_are_served(self):
        for calls, what in ((("landlock_create_ruleset",), "Landlock"), (("seccomp", "prctl 22"), "seccomp")):
            with self.subTest(what=what):
                self.start(preexec=kernel.without(*calls))
                self.assertEqual(self.daemon.log().count("the sandbox of modes is not whole"), 1)
                self.assertIn(what, self.daemon.log())
                ann, view = self.prison()
                ann.play(view, NOTHING)
                self.attempt(ann, view, "read")
                self.assertNotIn("killed by signal", self.daemon.log())
                self.daemon.__exit__()

    @unittest.skipIf(sanitized(), "a sanitizer needs what the sandbox forbids, so there is none")
    def test_one_that_is_required_and_cannot_be_had_keeps_modes_from_running(self):
        daemon = Daemon(["hosts.sandbox=require"])
        self.addCleanup(daemon.__exit__)
        daemon.preexec = kernel.without("landlock_create_ruleset")
        daemon.spawn()
        self.assertEqual(daemon.process.wait(), CONFIG)
        self.assertIn("its sandbox is required and cannot be had here: the kernel does not restrict files",
                      daemon.log())

    def test_one_that_is_required_and_can_be_had_is_used(self):
        if sanitized():
            self.skipTest("a sanitizer needs what the sandbox forbids, so there is none")
        self.start("hosts.sandbox=require")
        self.assertNotIn("not whole", self.daemon.log())

    def test_without_a_sandbox_a_mode_does_what_the_daemon_could(self):
        self.start("hosts.sandbox=no")
        ann, view = self.prison()
        self.assertTrue(self.attempt(ann, view, "socket"))
        self.assertNotIn("not whole", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
