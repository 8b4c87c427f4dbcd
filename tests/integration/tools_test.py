"""warrenctl and warren-bot against a daemon: what they print, as text and as JSON, and their exit statuses."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

import zmq

import json_keys
from daemon import BUILD, DEADLINE, Client, Daemon, free_ports, hex_of, key_pair, messages, wait_for

DONE, REFUSED, USAGE, UNAVAILABLE, NOT_ALLOWED = 0, 1, 64, 69, 77
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 3, "growth_permille": 0}
SMALL_WORDS = [f"{name}={value}" for name, value in SMALL.items()]


class Base(unittest.TestCase):
    tool = None

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(tcp=True).start()
        cls.addClassCleanup(cls.daemon.__exit__)

    def setUp(self):
        self.addCleanup(self.close_worlds)

    def close_worlds(self):
        with Client(self.daemon) as client:
            for world in client.request(list_worlds=messages.ListWorlds()).worlds.worlds:
                client.request(close=messages.CloseWorld(world=world.name))

    def server(self):
        return f"{self.daemon.directory}/run"

    def run_tool(self, *arguments, server=None, environment=None):
        done = subprocess.run([f"{BUILD}/bin/{self.tool}", "--server", server or self.server(), *map(str, arguments)],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, text=True, check=False,
                              env=dict(os.environ, LC_ALL="C.UTF-8", **(environment or {})))
        return done.returncode, done.stdout, done.stderr

    def done(self, *arguments, **options):
        """What it prints when all goes well: nothing on stderr."""
        status, out, err = self.run_tool(*arguments, **options)
        self.assertEqual((status, err), (DONE, ""))
        return out

    def json(self, *arguments):
        out = self.done("--json", *arguments)
        self.assertEqual(out.count("\n"), 1)
        self.assertTrue(out.endswith("\n"))
        value = json.loads(out)
        if self.tool == "warrenctl":
            self.assertEqual(json_keys.undocumented(arguments[0], value), set(), arguments)
        return value

    def fails(self, expected, *arguments, **options):
        """What it says when it fails: one sentence on stderr, nothing on stdout, with --json either."""
        for more in ([], ["--json"]):
            status, out, err = self.run_tool(*more, *arguments, **options)
            self.assertEqual((status, out), (expected, ""), err)
            self.assertTrue(err.startswith(f"{self.tool}: "), err)
        return err


class Ctl(Base):
    tool = "warrenctl"

    def test_status(self):
        self.assertIn("caves", self.done("status"))
        status = self.json("status")
        self.assertEqual(set(status), {"software", "uptime_seconds", "worlds", "sessions", "seats", "turns", "commands",
                                       "updates", "update_bytes", "keyframes", "resyncs", "refused",
                                       "subscriptions_refused", "commits", "memory_bytes", "cpu_us", "draining",
                                       "trouble", "log_level", "hosts"})
        self.assertIsNone(status["trouble"])
        self.assertEqual(status["software"], "warrend 0.1.0")
        host = status["hosts"][0]
        self.assertEqual((host["mode"], host["failure"], host["restarts"]), ("caves", None, 0))

    def test_create_lists_and_closes_worlds(self):
        self.assertEqual(self.json("worlds"), [])
        self.done("worlds")
        out = self.done("create", "caves", "home", *SMALL_WORDS, "--seed", "42")
        self.assertIn("home", out)
        made = self.json("create", "caves", *SMALL_WORDS, "--seed", str(2 ** 64 - 1))
        self.assertEqual((made["seed"], made["mode"], made["state"], made["players"], made["outcome"]),
                         (str(2 ** 64 - 1), "caves", "running", 0, None))
        self.assertRegex(made["name"], r"^caves-\d+$")
        worlds = {world["name"]: world for world in self.json("worlds")}
        self.assertEqual(set(worlds), {"home", made["name"]})
        home = worlds["home"]
        self.assertEqual((home["mode"], home["max_players"], home["watchers"], home["turn"]), ("caves", 64, 0, 0))
        self.assertLess(abs(time.time() - home["created"]), 60)
        table = self.done("worlds")
        for name in worlds:
            self.assertIn(name, table)
        self.done("close", "home")
        self.assertEqual(self.json("close", made["name"]), {"closed": made["name"]})
        self.assertEqual(self.json("worlds"), [])

    def test_settings_and_seed_are_listed(self):
        made = self.json("create", "caves", "home", "width=40", "height=50", "--seed", "7")
        self.assertEqual((made["settings"], made["seed"]), ({"width": "40"}, "7"))
        listed = self.json("worlds")[0]
        self.assertEqual((listed["settings"], listed["seed"]), ({"width": "40"}, "7"))

    def test_players(self):
        self.assertEqual(self.json("players"), [])
        with Client(self.daemon, "änn") as ann:
            ann.create(name="home", **SMALL)
            ann.create(name="other", **SMALL)
            ann.join("home")
            expected = [{"player": ann.welcome.player, "world": "home", "seat": 0, "connected": True}]
            self.assertEqual(self.json("players"), expected)
            self.assertEqual(self.json("players", "home"), expected)
            self.assertEqual(self.json("players", "other"), [])
            self.assertIn(ann.welcome.player, self.done("players"))
            self.assertIn("nowhere", self.fails(REFUSED, "players", "nowhere"))
            ann.request(goodbye=messages.Goodbye())

    def test_modes(self):
        self.assertIn("caves", self.done("modes"))
        self.assertIn("width", self.done("modes", "caves"))
        modes = self.json("modes")
        self.assertEqual([mode["name"] for mode in modes], ["caves", "hunt", "maze", "polar"])
        width = next(s for s in modes[0]["settings"] if s["name"] == "width")
        self.assertEqual((width["type"], width["minimum"], width["maximum"], width["default"]),
                         ("integer", 16, 1024, "160"))
        self.assertEqual(self.json("modes", "caves"), modes[:1])
        self.assertIn("nosuch", self.fails(REFUSED, "modes", "nosuch"))

    def test_say(self):
        with Client(self.daemon, "listener") as ann:
            for name in ("home", "other"):
                ann.create(name=name, **SMALL)
            views = [ann.join(name) for name in ("home", "other")]
            self.done("say", "home", "two", "words")
            ann.wait(lambda: "two words" in views[0].texts(), "the words")
            self.assertNotIn("two words", views[1].texts())
            self.assertEqual(self.json("say", "other", "größe"), {"said": ["other"], "left_out": []})
            ann.wait(lambda: "größe" in views[1].texts(), "the words")
            ann.create(name="parked", **SMALL)
            self.assertEqual(self.json("park", "parked"), {"parked": "parked"})
            said = self.json("say", "--all", "to", "all")
            self.assertEqual((set(said["said"]), said["left_out"]), ({"home", "other"}, []))
            for view in views:
                ann.wait(lambda view=view: "to all" in view.texts(), "the words")
            ann.request(goodbye=messages.Goodbye())
        self.fails(REFUSED, "say", "nowhere", "hello")

    def test_refusals_are_the_server_s_sentence(self):
        self.assertIn("nosuch", self.fails(REFUSED, "create", "nosuch"))
        error = self.fails(REFUSED, "create", "caves", "width=5")
        for part in ("width", "5", "16", "1024"):
            self.assertIn(part, error)
        self.assertIn("depth", self.fails(REFUSED, "create", "caves", "depth=5"))
        self.assertIn("nowhere", self.fails(REFUSED, "close", "nowhere"))
        self.done("create", "caves", "home")
        self.assertIn("home", self.fails(REFUSED, "create", "caves", "home"))

    def test_worlds_are_listed_with_their_titles(self):
        self.done("create", "caves", "home", "title=Friday's round", *SMALL_WORDS)
        self.assertRegex(self.done("worlds"), r"(?m)^home +caves .* Friday's round$")

    def test_who_may_not_is_told_by_77(self):
        self.done("create", "caves", "home", *SMALL_WORDS)
        tcp = f"tcp://127.0.0.1:{self.daemon.tcp[0]}"
        self.fails(NOT_ALLOWED, "close", "home", server=tcp)
        self.assertEqual(len(self.json("worlds")), 1)

    def test_every_form_of_address_works(self):
        port = self.daemon.tcp[0]
        servers = [self.server(), f"ipc://{self.server()}/control", f"tcp://127.0.0.1:{port}",
                   f"warren://127.0.0.1:{port}"]
        with contextlib.suppress(socket.gaierror):  # a root without /etc/hosts knows no localhost
            socket.gethostbyname("localhost")
            servers.append(f"warren://localhost:{port}")
        for server in servers:
            self.assertIn("caves", self.done("modes", server=server))
        done = subprocess.run([f"{BUILD}/bin/warrenctl", "modes"], capture_output=True, text=True, check=False,
                              timeout=20, env=dict(os.environ, WARREN_SERVER=self.server()))
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_wrong_usage(self):
        for arguments in ([], ["nonsense"], ["close"], ["close", "a", "b"], ["create"], ["say", "home"],
                          ["status", "x"],
                          ["--nonsense"], ["create", "caves", "a", "b"], ["create", "caves", "--seed", "x"],
                          ["create", "caves", "--seed", str(2 ** 64)], ["worlds", "--seed", "1"],
                          ["--timeout", "x", "status"], ["close", "--all"]):
            status, out, err = self.run_tool(*arguments)
            self.assertEqual((status, out), (USAGE, ""), arguments)
            self.assertTrue(err, arguments)

    def told_why(self, why, *command, server):
        """Without an answer it says why, if it may wait for as long as this machine needs to find out."""
        for timeout in (0.2, 1, 5, 20):
            error = self.fails(UNAVAILABLE, "--timeout", timeout, *command, server=server)
            if why in error:
                return
        self.fail(f"{why!r} is not in {error!r}")

    def test_without_a_server_it_says_so_with_69(self):
        with tempfile.TemporaryDirectory(prefix="warren-test-") as empty:
            for server, why in ((empty, "There is no socket"), (f"ipc://{empty}/control", "There is no socket"),
                                (f"ipc://{empty}/x/control", "There is no directory"),
                                ("tcp://127.0.0.1:9", "nothing listens on port 9")):
                self.told_why(why, "status", server=server)
            for command in (["worlds"], ["players"], ["modes"], ["create", "caves"], ["close", "x"], ["say", "x", "y"]):
                self.told_why("There is no socket", *command, server=empty)

    def test_a_server_that_does_not_answer_is_69_after_the_timeout(self):
        os.kill(self.daemon.process.pid, signal.SIGSTOP)
        try:
            started = time.monotonic()
            self.fails(UNAVAILABLE, "--timeout", "0.3", "status")
            self.assertLess(time.monotonic() - started, 5)
        finally:
            os.kill(self.daemon.process.pid, signal.SIGCONT)
        self.done("status")

    def test_output_that_cannot_be_written_is_not_success(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([f"{BUILD}/bin/warrenctl", "--server", self.server(), "status"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=20)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("No space left", done.stderr)

    def test_help_and_version(self):
        self.assertEqual(self.done("--version"), "warrenctl 0.1.0\n")
        for form in ("--help", "help"):
            text = self.done(form)
            for command in ("status", "worlds", "players", "modes", "create", "close", "say"):
                self.assertRegex(text, rf"(?m)^  {command}( |$)")

    def test_sessions_do_not_pile_up(self):
        before = self.json("status")["sessions"]
        for _ in range(5):
            self.done("worlds")
        self.assertLessEqual(self.json("status")["sessions"], before + 1)


class Access(unittest.TestCase):
    """The commands about rights and keys."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(keys=True).start()
        cls.addClassCleanup(cls.daemon.__exit__)

    tool, server = "warrenctl", Base.server
    run_tool, done, json, fails = Base.run_tool, Base.done, Base.json, Base.fails

    def player(self, name, pair):
        client = Client(None, name, **self.daemon.keyed(pair))
        self.addCleanup(client.close)
        return client

    def test_rights_are_granted_listed_and_revoked(self):
        pair = key_pair()
        key = hex_of(pair)
        self.assertEqual(self.json("grant", key, "admin"), {"granted": "admin", "who": key})
        rule = next(one for one in self.json("access")["rules"] if one["who"] == f"key:{key}")
        self.assertEqual((rule["may"], rule["world"], rule["until"], rule["configured"]), ("admin", None, None, False))
        self.assertTrue(self.player("boss", pair).welcome.admin)
        self.assertEqual(self.json("access")["names"]["boss"], f"key:{key}")
        shown = self.done("access")
        self.assertRegex(shown, rf"admin +key:{key}")
        self.assertRegex(shown, rf"boss +key:{key}")
        self.done("revoke", "boss")
        self.assertNotIn(f"key:{key}", [one["who"] for one in self.json("access")["rules"]])
        self.assertIn("no such right", self.fails(REFUSED, "revoke", "boss"))

    def test_a_host_is_one_of_a_world(self):
        self.done("create", "caves", "hosted", *SMALL_WORDS)
        self.done("grant", "uid:4711", "host", "hosted")
        rule = next(one for one in self.json("access")["rules"] if one["who"] == "uid:4711")
        self.assertEqual((rule["may"], rule["world"]), ("host", "hosted"))
        self.done("grant", "uid:4712", "player", "hosted")
        self.assertEqual(sorted((one["may"], one["who"]) for one in self.json("access", "hosted")["rules"]),
                         [("host", "uid:4711"), ("player", "uid:4712")])
        for words in (("host",), ("admin", "hosted"), ("king",)):
            self.assertIn("A right is", self.fails(USAGE, "grant", "uid:4711", *words))
        self.done("close", "hosted")

    def test_bans_have_a_reason_and_an_end(self):
        before = time.time()
        self.assertEqual(self.json("ban", "10.1.2.3/8", "--for", "2h", "--reason", "too loud"),
                         {"banned": "10.1.2.3/8", "reason": "too loud"})
        rule = next(one for one in self.json("access")["rules"] if one["may"] == "banned")
        self.assertEqual((rule["who"], rule["reason"], rule["by"]),
                         ("address:10.0.0.0/8", "too loud", f"uid:{os.geteuid()}"))
        self.assertTrue(before + 7199 <= rule["until"] <= time.time() + 7201)
        self.assertRegex(self.done("access"), r"banned +address:10\.0\.0\.0/8 .*too loud")
        self.done("unban", "10.0.0.0/8")
        self.assertIn("is not banned", self.fails(REFUSED, "unban", "10.0.0.0/8"))
        for wrong in ("0", "2w", "-1", "h", "99999999999d"):
            self.assertIn("expected a time", self.fails(USAGE, "ban", "uid:1", f"--for={wrong}"))

    def test_a_player_is_put_out_and_a_name_released(self):
        ann = self.player("ann", key_pair())
        ann.join(ann.create(name="kicked", **SMALL).name)
        self.done("kick", "ann", "kicked", "--reason", "enough")
        self.assertEqual(ann.wait_notice(messages.NOTICE_SEAT_ENDED, "the end").text,
                         "You were put out by an administrator: enough")
        self.assertRegex(self.done("access", "kicked"), r"banned +key:[0-9a-f]+ +kicked .*enough")
        self.done("unban", "ann", "kicked")
        ann.join("kicked")
        self.done("kick", "ann", "kicked", "--for", "2h")
        ends = [one["until"] for one in self.json("access", "kicked")["rules"]]
        self.assertGreater(ends[0], time.time() + 7000)
        self.done("kick", "ann")
        self.assertIn("nobody named ann", self.fails(REFUSED, "kick", "ann"))
        self.done("close", "kicked")
        self.done("release", "ann")
        self.assertIn("belongs to nobody", self.fails(REFUSED, "release", "ann"))

    def test_an_invitation_leads_to_the_server(self):
        host = f"127.0.0.1:{self.daemon.tcp[0]}"
        address = self.done("invite", host, "den").strip()
        self.assertEqual(address, f"warren://{host}/den?key={self.daemon.key()}")
        self.assertEqual(self.json("invite", host), {"address": f"warren://{host}/?key={self.daemon.key()}",
                                                     "key": self.daemon.key()})
        with tempfile.TemporaryDirectory() as data:
            self.done("status", server=address, environment={"XDG_DATA_HOME": data})
        self.assertIn("valid host", self.fails(USAGE, "invite", "a b"))

    def test_an_invitation_has_the_server_s_port_and_says_if_others_do_not_reach_it(self):
        status, out, err = self.run_tool("invite", "example.net")
        self.assertEqual((status, out), (0, f"warren://example.net/?key={self.daemon.key()}\n"))
        self.assertIn("Other machines do not reach this server", err)
        ports = free_ports(2)
        with Daemon([f"network.control=ipc://{self.daemon.directory}/other tcp://127.0.0.1:* tcp://*:{ports[0]}",
                     f"network.updates=ipc://{self.daemon.directory}/u tcp://127.0.0.1:* tcp://*:{ports[1]}",
                     "security.introduce=no"]) as other:
            for host, printed in (("example.net", f"example.net:{ports[0]}"), ("[2001:db8::1]:1", "[2001:db8::1]:1"),
                                  ("[2001:db8::1]", f"[2001:db8::1]:{ports[0]}"), ("192.0.2.1:7117", "192.0.2.1:7117")):
                self.assertEqual(self.done("invite", host, server=f"ipc://{self.daemon.directory}/other"),
                                 f"warren://{printed}/?key={other.key()}\n")

    def test_the_own_key_is_printed_and_needs_no_server(self):
        with tempfile.TemporaryDirectory() as data:
            environment = {"XDG_DATA_HOME": data}
            status, out, err = self.run_tool("key", server="/nowhere", environment=environment)
            self.assertEqual((status, err), (DONE, ""))
            key, path = out.splitlines()
            self.assertRegex(key, "^[0-9a-f]{64}$")
            self.assertEqual(path, f"{data}/warren/key")
            again = self.done("--json", "key", server="/nowhere", environment=environment)
            self.assertEqual(json.loads(again), {"key": key, "file": path})
        status, out, err = self.run_tool("key", environment={"XDG_DATA_HOME": "", "HOME": ""})
        self.assertEqual((status, out), (REFUSED, ""))
        self.assertIn("no place for your key", err)


class LongList(unittest.TestCase):
    tool, server = "warrenctl", Base.server
    run_tool = Base.run_tool

    def test_names_that_do_not_fit_into_an_answer_are_counted(self):
        names, identity = 60000, f"key:{'0' * 64}"
        self.daemon = Daemon().start()
        self.addCleanup(self.daemon.__exit__)
        self.assertEqual(self.run_tool("grant", "uid:4711", "player")[0], DONE)
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as database, database:
            database.executemany("INSERT INTO claim VALUES (?, ?, 1)",
                                 ((f"somebody-with-a-name-{number}", identity) for number in range(names)))
        self.daemon.start()
        status, out, err = self.run_tool("--json", "access")
        self.assertEqual(status, DONE, err)
        access = json.loads(out)
        self.assertEqual(json_keys.undocumented("access", access), set())
        self.assertGreater(access["left_out"], 0)
        self.assertEqual(len(access["names"]) + access["left_out"], names)
        self.assertIn("uid:4711", [rule["who"] for rule in access["rules"]])
        self.assertIn(f"{access['left_out']} more were left out", err)


class Strange(unittest.TestCase):
    """What warrenctl makes of a server that answers nonsense, or not at all."""

    tool, run_tool, fails = "warrenctl", Base.run_tool, Base.fails

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="warren-test-")
        self.addCleanup(shutil.rmtree, self.directory)
        context = zmq.Context()
        self.control, self.updates, self.stop = context.socket(zmq.ROUTER), context.socket(zmq.XPUB), threading.Event()
        self.control.bind(f"ipc://{self.directory}/control")
        self.updates.bind(f"ipc://{self.directory}/updates")
        self.control.rcvtimeo = 20
        self.addCleanup(context.destroy, 0)
        served = threading.Thread(target=self.serve)
        served.start()
        self.addCleanup(served.join)
        self.addCleanup(self.stop.set)

    def server(self):
        return self.directory

    def answer(self, request):
        if request.HasField("hello"):
            return messages.Reply(welcome=messages.Welcome(
                protocol=1, software="warrend 0", session=bytes(16), player="ann", resumed=False, heartbeat_ms=10000,
                grace_ms=60000, limits=messages.Limits(), updates=[f"ipc://{self.directory}/updates"]))
        if request.HasField("list_scores"):
            player = messages.PlayerScores(player="ann", values=[messages.ScoreValue(table=3, value=1)])
            return messages.Reply(scores=messages.ScoreList(players=[player]))
        return None

    def serve(self):
        while not self.stop.is_set():
            with contextlib.suppress(zmq.Again):
                peer, data = self.control.recv_multipart()
                request = messages.Request.FromString(data)
                reply = self.answer(request)
                if reply is not None:
                    reply.id = request.id
                    self.control.send_multipart([peer, reply.SerializeToString()])

    def test_scores_that_make_no_sense_are_no_answer(self):
        self.assertIn("did not describe", self.fails(UNAVAILABLE, "scores", "caves"))

    def test_what_goes_on_without_an_answer_is_told(self):
        for command, said in ((("backup", "/tmp/x"), "goes on with the copy: its log"), (("park", "x"), "goes on"),
                              (("recover", "x", "replay"), "goes on"), (("snapshot", "--all"), "goes on")):
            error = self.fails(UNAVAILABLE, "--timeout", 0.3, *command)
            self.assertIn("gave no answer within 0.3 s", error)
            self.assertIn(said, error)
        self.assertNotIn("goes on", self.fails(UNAVAILABLE, "--timeout", 0.3, "status"))


class Bot(Base):
    tool = "warren-bot"

    def script(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".txt", prefix="warren-test-", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(text)
        return file.name

    def test_a_script_is_played_and_counted(self):
        with Client(self.daemon, "watcher") as wat:
            wat.create(name="home", seed=5, **SMALL)
            view = wat.watch("home")
            script = self.script("# a walk\nstep north\nstep 2\nrepeat 3\n  rest\n  repeat 2\n    step here\n  end\n"
                                 "end\n"
                                 "say I was here\npause 10\ndo step south-west # the last\n")
            report = self.json("--world", "home", "--script", script, "--rate", 0, "--name", "walker")
            self.assertEqual((report["succeeded"], report["world"]), (True, "home"))
            everyone = report["all"]
            self.assertEqual((everyone["sent"], everyone["executed"], everyone["refused"], everyone["dropped"]),
                             (12, 12, 0, 0))
            self.assertEqual(report["bots"][0]["player"], "walker")
            wat.wait(lambda: "I was here" in view.texts(), "what the bot said")
            message = next(m for m in view.messages.values() if m.text == "I was here")
            self.assertEqual(getattr(message, "from"), "walker")

    def test_many_bots_by_chance_all_succeed(self):
        report = self.json("--create", "caves", "--set", "width=30", "--set", "height=20", "--set", "lichens=5",
                           "--count", 6,
                           "--rate", 0, "--window", 8, "--commands", 40, "--seed", 3)
        self.assertTrue(report["succeeded"])
        self.assertEqual((len(report["bots"]), report["seed"]), (6, "3"))
        for bot in report["bots"]:
            self.assertEqual(bot["sent"], bot["executed"] + bot["refused"] + bot["dropped"])
            self.assertEqual((bot["succeeded"], bot["failure"], bot["losses"]), (True, None, 0))

    def test_the_view_is_printed(self):
        out = self.done("--create", "caves", "--set", "width=20", "--set", "height=16", "--commands", 3, "--rate", 0,
                        "--print", "view")
        self.assertIn("@", out)
        self.assertIn("#", out)
        self.assertTrue(self.done("--create", "caves", "--commands", 3, "--rate", 0, "--print", "updates"))
        self.assertEqual(self.done("--create", "caves", "--commands", 3, "--rate", 0, "--print", "none"), "")

    def test_the_same_seed_and_options_show_the_same(self):
        outs = [self.done("--create", "caves", "--set", "width=24", "--set", "height=16", "--set", "bunnies=5",
                          "--commands", 30, "--rate", 0, "--seed", 11, "--print", "view") for _ in range(2)]
        pictures = [[line for line in out.splitlines() if set(line.strip()) & set("#.")][:16] for out in outs]
        self.assertEqual(pictures[0], pictures[1])

    def test_watching_bots_do_not_play(self):
        with Client(self.daemon, "maker") as maker:
            maker.create(name="home", **SMALL)
        report = self.json("--world", "home", "--watch", "--seconds", 0.3, "--count", 2)
        self.assertEqual((report["all"]["sent"], report["succeeded"]), (0, True))

    def test_a_bot_survives_a_host_that_is_killed(self):
        with Client(self.daemon, "maker") as maker:
            maker.create(name="home", **SMALL)
        bot = subprocess.Popen([f"{BUILD}/bin/warren-bot", "-s", self.server(), "-w", "home", "--commands", "200",
                                "--rate", "200", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        turn = lambda: next(w["turn"] for w in json.loads(subprocess.run(
            [f"{BUILD}/bin/warrenctl", "-s", self.server(), "-j", "worlds"], capture_output=True, check=True).stdout))
        wait_for(lambda: turn() > 20, "some turns")
        pid = self.daemon.host_pid()
        if pid:
            os.kill(pid, signal.SIGKILL)
        out, err = bot.communicate(timeout=DEADLINE)
        report = json.loads(out)
        self.assertEqual((bot.returncode, err), (0, ""))
        self.assertEqual((report["all"]["executed"], report["all"]["losses"]), (200, 0))

    def test_wrong_scripts_are_named_by_file_and_line(self):
        with Client(self.daemon, "maker") as maker:
            maker.create(name="home", **SMALL)
        for text, line in (("repeat 2\nrest\n", None), ("rest\nend\n", 2), ("rest\npause x\n", 2), ("fly north\n", 1),
                           ("rest\n\nstep nowhere\n", 3), ("step\n", 1)):
            script = self.script(text)
            status, out, err = self.run_tool("--world", "home", "--script", script, "--rate", 0)
            self.assertIn(status, (USAGE, REFUSED), text)
            self.assertIn(f"{script}:{line}" if line else script, out + err, text)

    def test_failures_have_their_statuses(self):
        self.assertEqual(self.run_tool("--world", "nowhere", "--commands", 1)[0], REFUSED)
        self.assertEqual(self.run_tool("--create", "nosuch", "--commands", 1)[0], REFUSED)
        self.assertEqual(self.run_tool("--create", "caves", "--set", "width=1", "--commands", 1)[0], REFUSED)
        for arguments in ([], ["--nonsense"], ["--world", "a", "--create", "b"], ["--world", "a b"], ["surplus"],
                          ["--world", "a", "--count", 0], ["--world", "a", "--script", "/nonexistent"]):
            status, out, err = self.run_tool(*arguments)
            self.assertEqual((status, out), (USAGE, ""), arguments)
            self.assertTrue(err)
        with tempfile.TemporaryDirectory(prefix="warren-test-") as empty:
            for arguments in (["--world", "home", "--commands", 1], ["--create", "caves", "--commands", 1]):
                status, _, err = self.run_tool(*arguments, "--timeout", "0.3", server=empty)
                self.assertEqual(status, UNAVAILABLE, err)

    def test_help_and_version(self):
        self.assertEqual(self.done("--version"), "warren-bot 0.1.0\n")
        self.assertIn("--script", self.done("--help"))


if __name__ == "__main__":
    unittest.main()
