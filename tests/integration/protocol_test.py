"""The control socket: what is wrong gets an error that says so, limits hold from both sides, sessions resume; and
whoever sends rubbish harms nobody: in every test someone plays on meanwhile."""

import os
import random
import socket
import time
import unittest

import zmq

from daemon import BUILD, Client, Daemon, Refused, messages, wait_for

SEED = int(os.environ.get("WARREN_SEED") or random.SystemRandom().randrange(2 ** 32))
STEP, REST = 1, 2
SMALL = {"width": 16, "height": 16, "smoothing": 0, "lichens": 3, "growth_permille": 0}
FRAGILE = f"{BUILD}/fragile-modes"
COUNT, SLOW = 1, 4


def varint(number):
    out = b""
    while number > 0x7f:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field by hand: numbers as varints, bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


class Base(unittest.TestCase):
    settings = []
    modes = None

    def setUp(self):
        self.daemon = Daemon(self.settings, modes=self.modes, tcp=True).start()
        self.addCleanup(self.daemon.__exit__)

    def client(self, player=None, **options):
        client = Client(self.daemon, player, **options)
        self.addCleanup(client.close)
        return client

    def stranger(self, player=None, **options):
        """A client that is no administrator."""
        return self.client(player, **options, **self.daemon.tcp_addresses())

    def refused(self, function, *arguments, **options):
        with self.assertRaises(Refused) as refused:
            function(*arguments, **options)
        self.assertTrue(refused.exception.error.text)
        return refused.exception

    def assert_limit(self, error, name, value):
        self.assertEqual((error.code, error.error.field, error.error.limit), (messages.ERROR_LIMIT, name, value))
        self.assertIn(str(value), str(error))

    def enter(self, client, world):
        view = client.join(world)
        client.wait(lambda: view.sequence is not None, "the first update")
        return view

    def command_error(self, client, number):
        return client.wait_news(lambda n: n.HasField("error") and n.error.command == number, "the error").error


class Rubbish(Base):
    def setUp(self):
        super().setUp()
        self.ann = self.client("ann")
        self.ann.create(name="home", **SMALL)
        self.view = self.enter(self.ann, "home")
        self.addCleanup(self.assert_unharmed)

    def assert_unharmed(self):
        for direction in range(8):
            self.ann.play(self.view, STEP, direction)
        self.assertFalse(self.view.gap)
        news = [n for n in self.ann.take_news() if n.notice.kind != messages.NOTICE_WATCHERS]
        self.assertEqual(news, [])
        self.assertIsNone(self.daemon.process.poll())

    def answers(self, client, frames_list):
        """What comes back for each message, in order. A ping after each tells where its answers end."""
        answers = []
        for number, frames in enumerate(frames_list):
            client.control.send_multipart(frames)
            client.send(100000 + number, ping=messages.Ping())
            got = []
            while not got or got[-1].id != 100000 + number:
                got.append(client.receive())
                self.assertIsNotNone(got[-1], f"no answer to {frames!r}")
            answers.append(got[:-1])
        return answers

    def assert_refused(self, client, frames_list, codes=(messages.ERROR_MALFORMED,)):
        for frames, answers in zip(frames_list, self.answers(client, frames_list)):
            self.assertEqual(len(answers), 1, frames)
            self.assertTrue(answers[0].HasField("error"), frames)
            self.assertIn(answers[0].error.code, codes, frames)
            self.assertTrue(answers[0].error.text)

    def test_malformed_messages_are_answered_with_an_error(self):
        bob = self.client("bob")
        hello = messages.Request(id=5, hello=messages.Hello(protocol_min=1, protocol_max=1, player="x"))
        good = hello.SerializeToString()
        self.assert_refused(bob, [[b""], [b"\0"], [b"\xff" * 30], [b"hello"], [varint(2 ** 63)], [good[:-1]],
                                  [good[:5]],
                                  [good, b""], [good, good], [b"", good], [b"", b"", b""], [b"a"] * 20])

    def test_a_body_that_is_not_known_is_refused_with_its_id(self):
        bob = self.client("bob")
        frames = [[messages.Request(id=77).SerializeToString()], [field(1, 77) + field(500, b"new")]]
        self.assert_refused(bob, frames)
        for answers in self.answers(bob, frames):
            self.assertEqual(answers[0].id, 77)

    def test_a_request_that_breaks_a_rule_is_refused_with_its_id(self):
        bob = self.client("bob")
        for body in ({"join": messages.JoinWorld(world="no name")}, {"create": messages.CreateWorld(mode="a b")},
                     {"say": messages.Say(world=1, text="bell\a")}, {"watch": messages.WatchWorld(world="")}):
            bob.send(78, **body)
            reply = bob.receive()
            self.assertTrue(reply.HasField("error"), body)
            self.assertEqual(reply.id, 78, body)

    def test_fields_that_are_not_known_are_ignored(self):
        bob = self.client("bob")
        bob.control.send(field(1, 9) + field(1000, b"what is to come") + field(4, b"") + field(2000, 5))
        self.assertTrue(bob.reply_to(9).HasField("pong"))

    def test_missing_required_fields_huge_numbers_and_lengths_that_lie_are_refused(self):
        bob = self.client("bob")
        liar = varint(3 << 3 | 2) + varint(2 ** 31) + b"x"
        deep = b""
        for _ in range(200):
            deep = field(7, deep)
        self.assert_refused(bob, [[field(3, b"")], [field(8, b"")], [field(11, field(1, 1))], [liar], [field(2, b"")],
                                  [b"\x1a" + b"\xff" * 9 + b"\x01"], [deep], [field(7, field(3, b""))],
                                  [b"\x1b\x1c"], [b"\x0f"]])

    def test_huge_varints_do_no_harm(self):
        bob = self.client("bob")
        for command in (field(1, 2 ** 64 - 1) + field(2, 2 ** 64 - 1) + field(3, 2 ** 64 - 1),
                        field(1, 2 ** 32 - 1) + field(2, 2 ** 32 - 1) + field(3, 2 ** 32 - 1) + field(4, 2 ** 32 - 1)):
            bob.control.send(field(3, command))
            self.assertTrue(bob.receive().HasField("error"))
        view = self.enter(bob, "home")
        for argument in (9, 255, 256, 2 ** 31, 2 ** 32 - 1):
            error = self.command_error(bob, bob.command(view, STEP, argument))
            self.assertEqual(error.code, messages.ERROR_BAD_ACTION)

    def test_many_repeated_fields_are_refused_not_swallowed(self):
        bob = self.client("bob")
        setting = field(3, field(1, b"width") + field(2, b"20"))
        for count in (65, 700):
            bob.control.send(field(1, 50) + field(7, field(1, b"caves") + setting * count))
            reply = bob.receive()
            self.assertTrue(reply.HasField("error"))
        many = field(4, b"") * 4000
        bob.control.send(field(1, 51) + many)
        self.assertIn(bob.receive().WhichOneof("body"), ("pong", "error"))

    def test_nul_bytes_control_characters_and_bad_utf8_are_refused_wherever_text_is(self):
        for text in (b"a\0b", b"\0", b"a\x1b[2J", b"a\nb", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"a\x7f",
                     b"\xc2\x80"):
            bob = self.client("bob")
            bodies = [field(2, field(1, 1) + field(2, 1) + field(4, text)), field(7, field(1, text)),
                      field(7, field(1, b"caves") + field(2, text)), field(8, field(1, text)), field(9, field(1, text)),
                      field(11, field(1, self.view.joined.world) + field(2, text)), field(13, field(1, text)),
                      field(14, field(1, text)),
                      field(7, field(1, b"caves") + field(3, field(1, text) + field(2, b"1"))),
                      field(7, field(1, b"caves") + field(3, field(1, b"width") + field(2, text)))]
            for body in bodies:
                bob.control.send(field(1, 60) + body)
                reply = bob.receive()
                self.assertTrue(reply.HasField("error"), (text, body))
        self.assertEqual(len(self.ann.request(list_worlds=messages.ListWorlds()).worlds.worlds), 1)

    def test_worlds_that_cannot_be_are_not_found(self):
        bob = self.client("bob")
        for world in (0, 1 << 31, (1 << 32) - 1):
            for body in ({"leave": messages.LeaveWorld(world=world)}, {"resync": messages.Resync(world=world)},
                         {"say": messages.Say(world=world, text="x")}):
                self.assertEqual(self.refused(bob.request, **body).code, messages.ERROR_NOT_FOUND, (world, body))
            bob.send(command=messages.Command(world=world, number=1, action=STEP, argument=0))
            self.assertEqual(bob.wait_news(lambda n: n.HasField("error"), "the error").error.code,
                             messages.ERROR_NOT_FOUND)
            bob.news.clear()

    def test_random_bytes_and_mutated_requests_do_no_harm(self):
        print(f"WARREN_SEED={SEED}", flush=True)
        chance = random.Random(SEED)
        world = self.view.joined.world
        samples = [messages.Request(id=1, **body).SerializeToString() for body in (
            {"hello": messages.Hello(protocol_min=1, protocol_max=1, software="x", player="mut", session=bytes(16))},
            {"command": messages.Command(world=world, number=1, action=1, argument=2)}, {"ping": messages.Ping()},
            {"join": messages.JoinWorld(world="home")}, {"watch": messages.WatchWorld(world="home")},
            {"say": messages.Say(world=world, text="mutant")}, {"resync": messages.Resync(world=world)},
            {"list_players": messages.ListPlayers()}, {"leave": messages.LeaveWorld(world=world)},
            {"list_modes": messages.ListModes()}, {"get_status": messages.GetStatus()})]
        bob = self.stranger("mut")
        for _ in range(3000):
            bytes_ = bytearray(chance.choice(samples))
            for _ in range(chance.randrange(1, 4)):
                roll, at = chance.randrange(4), chance.randrange(len(bytes_) + 1)
                if roll == 0:
                    bytes_[at:at] = bytes([chance.randrange(256)])
                elif roll == 1:
                    del bytes_[at:at + 1]
                elif roll == 2 and bytes_:
                    bytes_[at % len(bytes_)] = chance.randrange(256)
                else:
                    bytes_[at:] = chance.randbytes(chance.randrange(20))
            bob.control.send(bytes(bytes_))
        for _ in range(300):
            bob.control.send_multipart([chance.randbytes(chance.randrange(40)) for _ in range(chance.randrange(1, 4))])
        fresh = self.client("fresh")
        self.assertTrue(fresh.alive())

    def test_rubbish_instead_of_zeromq_harms_nobody(self):
        for rubbish in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, bytes(1000), os.urandom(5000)):
            with socket.socket(socket.AF_UNIX) as raw:
                raw.connect(f"{self.daemon.directory}/run/control")
                raw.sendall(rubbish)
            with socket.create_connection(("127.0.0.1", self.daemon.tcp[0])) as raw:
                raw.sendall(rubbish)

    def test_other_socket_types_harm_nobody(self):
        context = zmq.Context()
        for kind in (zmq.REQ, zmq.ROUTER, zmq.PUB, zmq.PAIR, zmq.PUSH, zmq.XPUB):
            one = context.socket(kind)
            one.linger = 0
            one.connect(f"ipc://{self.daemon.directory}/run/control")
            try:
                one.send(b"x", zmq.NOBLOCK)
            except zmq.ZMQError:
                pass
            one.close()
        context.term()

    def test_requests_before_hello_are_refused(self):
        stranger = self.client(hello=False)
        for body in ({"ping": messages.Ping()}, {"list_worlds": messages.ListWorlds()},
                     {"join": messages.JoinWorld(world="home")}, {"get_status": messages.GetStatus()},
                     {"close": messages.CloseWorld(world="home")}, {"create": messages.CreateWorld(mode="caves")},
                     {"say": messages.Say(world=1, text="x")}, {"goodbye": messages.Goodbye()}):
            self.assertEqual(self.refused(stranger.request, **body).code, messages.ERROR_NO_SESSION)
        stranger.send(command=messages.Command(world=1, number=1, action=1))
        self.assertEqual(stranger.receive().error.code, messages.ERROR_NO_SESSION)

    def test_other_protocol_versions_are_refused_and_both_are_named(self):
        for low, high in ((2, 3), (7, 7), (2, 2 ** 32 - 1)):
            bob = self.client(hello=False)
            error = self.refused(bob.request, hello=messages.Hello(protocol_min=low, protocol_max=high))
            self.assertEqual(error.code, messages.ERROR_VERSION)
            for number in (1, low, high):
                self.assertIn(str(number), str(error))
        bob = self.client(hello=False)
        self.assertEqual(bob.request(hello=messages.Hello(protocol_min=1, protocol_max=9)).welcome.protocol, 1)
        error = self.refused(bob.request, hello=messages.Hello(protocol_min=3, protocol_max=1))
        self.assertIn(error.code, (messages.ERROR_VERSION, messages.ERROR_MALFORMED))

    def test_what_is_not_news_has_an_id_and_no_id_is_made_up(self):
        bob = self.client("bob")
        bob.send(create=messages.CreateWorld(mode="caves", name="unasked"))
        bob.alive()
        self.assertEqual([n.id for n in bob.take_news() if n.id], [])


class Commands(Base):
    def setUp(self):
        super().setUp()
        self.ann = self.client("ann")
        self.ann.create(name="home", **SMALL)
        self.view = self.enter(self.ann, "home")
        self.world = self.view.joined.world

    def send(self, number, action=REST, argument=None, world=None):
        command = messages.Command(world=world or self.world, number=number, action=action)
        if argument is not None:
            command.argument = argument
        self.ann.send(command=command)

    def test_commands_for_worlds_not_joined_are_refused(self):
        bob = self.client("bob")
        for world in (self.world, 12345, 2 ** 32 - 1):
            bob.send(command=messages.Command(world=world, number=1, action=REST))
            error = bob.wait_news(lambda n, world=world: n.error.world == world, "the error").error
            self.assertEqual((error.code, error.command), (messages.ERROR_NOT_FOUND, 1))
        bob.watch("home")
        bob.send(command=messages.Command(world=self.world, number=7, action=REST))
        self.assertEqual(self.command_error(bob, 7).code, messages.ERROR_NOT_FOUND)

    def test_a_number_seen_already_is_ignored_and_a_gap_is_refused(self):
        self.ann.play(self.view, REST)
        for number in (1, 0):
            self.send(number)
        for number in (3, 100, 2 ** 32 - 1):
            self.send(number)
            error = self.command_error(self.ann, number)
            self.assertEqual((error.code, error.field, error.limit), (messages.ERROR_MALFORMED, "number", 2))
        self.assertEqual(self.daemon.status().commands, 1)
        self.ann.play(self.view, REST)
        self.assertEqual(self.view.executed, 2)
        self.assertEqual(len(self.ann.command_errors()), 3)

    def test_bad_actions_and_arguments_are_refused_and_count_as_executed(self):
        for action, argument, name in ((0, None, "action"), (99, None, "action"), (2 ** 32 - 1, 1, "action"),
                                       (STEP, None, "argument"), (STEP, 9, "argument"),
                                       (STEP, 2 ** 32 - 1, "argument")):
            number = self.ann.numbers[self.world]
            self.ann.numbers[self.world] += 1
            self.send(number, action, argument)
            error = self.command_error(self.ann, number)
            self.assertEqual((error.code, error.field, error.world), (messages.ERROR_BAD_ACTION, name, self.world))
        self.ann.play(self.view, STEP, 8)
        self.ann.play(self.view, STEP, 0)

    def test_a_burst_is_executed_in_order_one_a_turn(self):
        before = self.daemon.status().turns
        last = [self.ann.command(self.view, REST) for _ in range(50)][-1]
        self.ann.wait(lambda: self.view.executed >= last, "the commands")
        executed = [u.executed for u in self.view.updates if u.HasField("executed")]
        self.assertEqual(executed, sorted(executed))
        self.assertEqual(self.daemon.status().turns - before, 50)

    def test_commands_of_others_do_not_move_my_executed(self):
        bob = self.client("bob")
        other = self.enter(bob, "home")
        for _ in range(5):
            self.ann.play(self.view, REST)
        bob.drain(other)
        self.assertEqual(other.executed, 0)


class Limits(Base):
    settings = ["limits.name_bytes=8", "limits.chat_bytes=10", "limits.queued_commands=4", "limits.worlds_per_player=2",
                "limits.seats_per_player=2", "limits.worlds=5", "limits.sessions=20", "limits.request_bytes=600"]

    def test_welcome_says_the_limits_that_are_set(self):
        limits = self.client().welcome.limits
        self.assertEqual((limits.name_bytes, limits.chat_bytes, limits.queued_commands, limits.worlds_per_player,
                          limits.seats_per_player, limits.worlds, limits.sessions, limits.message_bytes),
                         (8, 10, 4, 2, 2, 5, 20, 600))

    def test_names_of_players(self):
        self.assertEqual(self.client("x" * 8).welcome.player, "x" * 8)
        for name in ("x" * 9, "ü" * 5, "x" * 33, "x" * 500):
            error = self.refused(self.client, name)
            self.assertIn(error.code, (messages.ERROR_BAD_NAME, messages.ERROR_LIMIT))
            self.assertIn(error.error.field, ("player", "name_bytes"))
            if len(name.encode()) < 33:
                self.assertEqual(error.error.limit, 8)
        for name in ("", " x", "x "):
            error = self.refused(Client(self.daemon, hello=False).request,
                                 hello=messages.Hello(protocol_min=1, protocol_max=1, player=name))
            self.assertIn(error.error.field, ("player", "name_bytes"))

    def test_names_of_worlds(self):
        ann = self.client("ann")
        self.assertEqual(ann.create(name="w" * 8, **SMALL).name, "w" * 8)
        error = self.refused(ann.create, name="w" * 9, **SMALL)
        self.assert_limit(error, "name_bytes", 8)

    def test_chat(self):
        ann = self.client("ann")
        world = ann.create(**SMALL)
        view = self.enter(ann, world.name)
        for text in ("x" * 10, "ü" * 5):
            ann.request(say=messages.Say(world=world.id, text=text))
            ann.wait(lambda text=text: text in view.texts(), text)
        for text in ("x" * 11, "ü" * 6, "x" * 257):
            error = self.refused(ann.request, say=messages.Say(world=world.id, text=text))
            self.assertEqual(error.code, messages.ERROR_LIMIT)
            if len(text) < 257:
                self.assert_limit(error, "chat_bytes", 10)
        self.refused(ann.request, say=messages.Say(world=world.id, text=""))

    def test_worlds_of_a_player(self):
        ann = self.stranger("ann")
        names = [ann.create(**SMALL).name for _ in range(2)]
        self.assert_limit(self.refused(ann.create, **SMALL), "worlds_per_player", 2)
        ann.request(close=messages.CloseWorld(world=names[0]))
        ann.create(**SMALL)
        self.assert_limit(self.refused(ann.create, **SMALL), "worlds_per_player", 2)

    def test_worlds_that_are_being_made_count(self):
        ann = self.stranger("ann")
        for number in range(6):
            ann.send(900 + number, create=messages.CreateWorld(mode="caves"))
        ann.alive()
        wait_for(lambda: len([n for n in ann.take_news(0.01) if n.id >= 900]) == 6, "all answers")
        self.assertEqual(len([n for n in ann.news if n.HasField("world")]), 2)

    def test_worlds_in_all(self):
        admin = self.client("adm")
        names = [admin.create(**SMALL).name for _ in range(5)]
        self.assert_limit(self.refused(admin.create, **SMALL), "worlds", 5)
        admin.request(close=messages.CloseWorld(world=names[2]))
        admin.create(**SMALL)

    def test_seats_of_a_player(self):
        ann = self.client("ann")
        names = [ann.create(**SMALL).name for _ in range(3)]
        views = [ann.join(name) for name in names[:2]]
        self.assert_limit(self.refused(ann.join, names[2]), "seats_per_player", 2)
        self.assertEqual(ann.join(names[0]).joined.seat, views[0].joined.seat)
        ann.request(leave=messages.LeaveWorld(world=views[0].joined.world))
        ann.join(names[2])
        self.assert_limit(self.refused(ann.join, names[0]), "seats_per_player", 2)

    def test_sessions(self):
        clients = [self.client(f"p{number}") for number in range(20 + 16)]  # administrators have some more
        error = self.refused(self.client, "more")
        self.assert_limit(error, "sessions", 20)
        clients[0].request(goodbye=messages.Goodbye())
        self.client("more")
        self.assertTrue(clients[1].alive())

    def test_connections_that_never_say_hello(self):
        """Four for each session, and some more of administrators, as all here are."""
        ann = self.client("ann")
        silent = [self.client(hello=False) for _ in range(200)]
        for one in silent:
            one.send(1, ping=messages.Ping())
        wait_for(lambda: "connections are ignored" in self.daemon.log(), "the first that is ignored")
        heard = set()

        def answered():
            heard.update(number for number, one in enumerate(silent) if one.receive(0))
            return len(heard)
        wait_for(lambda: answered() >= 79 + 64, "answers to all but ann of those that may be")
        self.assertTrue(ann.alive())
        self.assertEqual(answered(), 79 + 64)

    def test_bytes_of_a_request(self):
        ann = self.client("ann")
        ping = messages.Request(id=7, ping=messages.Ping()).SerializeToString()

        def padded(size):
            padding = size - len(ping) - len(field(900, b"x" * 200)) + 200
            bytes_ = ping + field(900, b"x" * padding)
            self.assertEqual(len(bytes_), size)
            return bytes_
        ann.control.send(padded(600))
        self.assertTrue(ann.reply_to(7).HasField("pong"))
        ann.control.send(padded(601))
        reply = ann.receive(5)
        self.assertIsNotNone(reply, "a request that is a byte too long gets an error")
        self.assertEqual((reply.error.code, reply.error.limit), (messages.ERROR_LIMIT, 600))
        self.assertTrue(ann.alive(), "and nothing is closed")

    def test_a_request_of_megabytes_harms_only_who_sent_it(self):
        ann, bob = self.client("ann"), self.client("bob")
        world = ann.create(**SMALL)
        view = self.enter(ann, world.name)
        bob.control.send(bytes(50 << 20))
        for _ in range(10):
            ann.play(view, REST)
        again = self.client(session=bob.welcome.session)
        self.assertTrue(again.welcome.resumed)
        if self.daemon.memory_is_telling():
            self.assertLess(self.daemon.memory(), 100 << 20)


class Watches(Base):
    def test_watches_of_a_session(self):
        admin = self.client("adm")
        names = [admin.create(**SMALL).name for _ in range(65)]
        for name in names[:64]:
            admin.request(watch=messages.WatchWorld(world=name))
        self.assert_limit(self.refused(admin.watch, names[64]), "watches", 64)
        admin.request(watch=messages.WatchWorld(world=names[0]))
        first = admin.request(list_worlds=messages.ListWorlds()).worlds.worlds
        identity = next(w.id for w in first if w.name == names[0])
        admin.request(leave=messages.LeaveWorld(world=identity))
        admin.watch(names[64])


class Queue(Base):
    settings = ["limits.queued_commands=4"]
    modes = FRAGILE

    def test_commands_that_wait(self):
        ann = self.client("ann")
        ann.create("fragile", name="home")
        view = self.enter(ann, "home")
        ann.command(view, SLOW)
        before = ann.command_errors()
        numbers = [ann.command(view, COUNT) for _ in range(10)]
        ann.alive()
        errors = {number: error for number, error in ann.command_errors().items() if number not in before}
        # Four may wait: the slow one is at the host or still among them, and so may be the first that counts.
        self.assertIn(len(errors), (5, 6, 7))
        for error in errors.values():
            self.assertEqual((error.code, error.field, error.limit), (messages.ERROR_LIMIT, "queued_commands", 4))
        accepted = [number for number in numbers if number not in errors]
        ann.wait(lambda: view.executed >= accepted[-1], "those that were taken")
        ann.play(view, COUNT)
        self.assertEqual(view.executed, numbers[-1] + 1)


class Rate(Base):
    settings = ["limits.requests_per_second=20"]

    def test_requests_of_a_second(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        started = time.monotonic()
        for number in range(200):
            bob.send(1000 + number, ping=messages.Ping())
        news = wait_for(lambda: (lambda n: n if len([x for x in n if x.id >= 1000]) == 200 else None)(
            bob.take_news(0.01)), "every request to be answered")
        allowed = [n for n in news if n.HasField("pong")]
        errors = [n.error for n in news if n.HasField("error")]
        lasted = time.monotonic() - started
        self.assertGreaterEqual(len(allowed), 38)
        self.assertLessEqual(len(allowed), 40 + 20 * lasted + 1)
        for error in errors:
            self.assertEqual((error.code, error.field, error.limit), (messages.ERROR_LIMIT, "requests_per_second", 20))
        ann.play(view, REST)

        def again():
            try:
                return bob.alive()
            except Refused:
                return False
        wait_for(again, "bob to be heard again")

    def test_commands_beyond_the_rate_count_as_executed_and_the_next_is_in_order(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = self.enter(ann, "home")
        numbers = [ann.command(view, REST) for _ in range(100)]
        wait_for(lambda: (ann.take_updates(), len(ann.command_errors()) + view.executed >= 100 or
                          max([view.executed, *ann.command_errors()]) >= numbers[-1])[1], "all to be settled")

        def one_more():
            number = ann.command(view, REST)
            return wait_for(lambda: (ann.take_updates(), number in ann.command_errors() or view.executed >= number)[1],
                            "one more") and view.executed >= number
        wait_for(one_more, "a command to be executed again")
        self.assertEqual({e.code for e in ann.command_errors().values()}, {messages.ERROR_LIMIT})


class Sessions(Base):
    settings = ["network.grace_ms=1000", "network.heartbeat_ms=100"]

    def setUp(self):
        super().setUp()
        self.admin = self.client("adm")
        self.admin.create(name="home", **SMALL)

    def players(self):
        with Client(self.daemon) as client:
            return {p.player: p.connected for p in
                    client.request(list_players=messages.ListPlayers()).players.players}

    def test_a_session_resumes_with_its_seat_and_its_watches_on_another_connection(self):
        ann = self.client("ann")
        view = self.enter(ann, "home")
        ann.play(view, REST)
        ann.drain(view)
        again = self.client("whoever", session=ann.welcome.session)
        self.assertEqual((again.welcome.resumed, again.welcome.player, again.welcome.session),
                         (True, "ann", ann.welcome.session))
        self.assertEqual(len(again.welcome.seats), 1)
        joined = again.welcome.seats[0]
        self.assertEqual((joined.world, joined.name, joined.seat, joined.next_command),
                         (view.joined.world, "home", view.joined.seat, 2))
        resumed = again._enter(joined)
        again.wait(lambda: resumed.sequence is not None, "the view")
        self.assertEqual(resumed.picture(), view.picture())
        again.play(resumed, REST)
        self.assertEqual(self.refused(ann.request, ping=messages.Ping()).code, messages.ERROR_NO_SESSION)

    def test_a_token_that_is_not_right_begins_a_new_session(self):
        ann = self.client("ann")
        self.enter(ann, "home")
        for wrong in (bytes(16), os.urandom(16), ann.welcome.session[:15] + b"x"):
            other = self.client("ann", session=wrong)
            self.assertEqual((other.welcome.resumed, len(other.welcome.seats)), (False, 0))
            self.assertNotEqual(other.welcome.player, "ann")
        for length in (0, 1, 15, 17, 100):
            other = self.client(hello=False)
            token = ann.welcome.session[:length].ljust(length, b"x")
            error = self.refused(other.request,
                                 hello=messages.Hello(protocol_min=1, protocol_max=1, session=token))
            self.assertIn(error.code, (messages.ERROR_MALFORMED, messages.ERROR_LIMIT))
        self.assertTrue(ann.alive())

    def test_a_second_hello_begins_anew_and_gives_the_seats_up(self):
        ann = self.client("ann")
        self.enter(ann, "home")
        welcome = ann.request(hello=messages.Hello(protocol_min=1, protocol_max=1, player="ann")).welcome
        self.assertEqual((welcome.resumed, len(welcome.seats), welcome.player), (False, 0, "ann"))
        self.assertNotEqual(welcome.session, ann.welcome.session)
        wait_for(lambda: "ann" not in self.players(), "the seat to be given up")

    def test_a_second_hello_with_its_own_token_changes_nothing(self):
        ann = self.client("ann")
        view = self.enter(ann, "home")
        welcome = ann.request(hello=messages.Hello(protocol_min=1, protocol_max=1, session=ann.welcome.session)).welcome
        self.assertTrue(welcome.resumed)
        self.assertEqual(welcome.seats[0].view_key, view.joined.view_key)
        ann.play(view, REST)

    def test_two_connections_that_fight_over_a_session_harm_nobody(self):
        ann = self.client("ann")
        self.enter(ann, "home")
        rival = self.client(hello=False)
        hello = messages.Hello(protocol_min=1, protocol_max=1, session=ann.welcome.session)
        for _ in range(20):
            self.assertTrue(rival.request(hello=hello).welcome.resumed)
            self.assertTrue(ann.request(hello=hello).welcome.resumed)
        self.assertTrue(ann.alive())

    def test_a_silent_session_is_shown_as_lost_and_then_gives_its_seats_up(self):
        ann = self.client("ann")
        self.enter(ann, "home")
        wait_for(lambda: self.players().get("ann") is False, "ann to be lost")
        wait_for(lambda: "ann" not in self.players(), "the seat to be given up")
        self.assertEqual(self.refused(ann.request, ping=messages.Ping()).code, messages.ERROR_NO_SESSION)
        late = self.client("ann", session=ann.welcome.session)
        self.assertFalse(late.welcome.resumed)

    def test_a_session_that_pings_stays(self):
        ann = self.client("ann")
        self.enter(ann, "home")
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            ann.alive()
            ann.updates.poll(50)
        self.assertEqual(self.players().get("ann"), True)

    def test_a_lost_session_keeps_its_name_until_its_time_is_over(self):
        ann = self.client("ann")
        ann.control.close()
        self.assertEqual(self.client("ann").welcome.player, "ann-2")
        ann.control = ann.context.socket(zmq.DEALER)

    def test_a_connection_that_chooses_its_routing_id_is_refused(self):
        for chosen in (b"ann's own", b"x", b"x" * 5, b"x" * 64, b"x" * 255):
            client = self.client(hello=False, routing_id=chosen)
            client.send(7, hello=messages.Hello(protocol_min=1, protocol_max=1))
            if len(chosen) > 64:
                continue
            reply = client.receive()
            self.assertEqual((reply.id, reply.error.code), (7, messages.ERROR_NOT_ALLOWED), chosen)
            self.assertIn("ZMQ_ROUTING_ID", reply.error.text)
        self.assertEqual(self.client("ann").welcome.player, "ann")


class Rights(Base):
    def test_administrators_are_only_on_ipc(self):
        admin, stranger = self.client("adm"), self.stranger("str")
        self.assertEqual((admin.welcome.admin, stranger.welcome.admin), (True, False))
        world = admin.create(name="home", **SMALL)
        for body in ({"close": messages.CloseWorld(world="home")},):
            self.assertEqual(self.refused(stranger.request, **body).code, messages.ERROR_NOT_ALLOWED)
        error = self.refused(stranger.request, say=messages.Say(world=world.id, text="hear me"))
        self.assertIn(error.code, (messages.ERROR_NOT_FOUND, messages.ERROR_NOT_ALLOWED))
        own = stranger.create(name="mine", **SMALL)
        admin.request(say=messages.Say(world=own.id, text="hear me"))
        admin.request(close=messages.CloseWorld(world="mine"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_another_user_on_ipc_is_no_administrator(self):
        os.chmod(self.daemon.directory, 0o755)
        for name in ("run", "run/control", "run/updates"):
            os.chmod(f"{self.daemon.directory}/{name}", 0o777)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setuid(65534)
                with Client(self.daemon, "nobody") as client:
                    os.write(writing, b"yes" if client.welcome.admin else b"no")
            finally:
                os._exit(0)
        os.close(writing)
        self.addCleanup(os.close, reading)
        self.assertEqual(os.read(reading, 10), b"no")
        os.waitpid(child, 0)


class Crowds(Base):
    def test_a_thousand_clients_at_once_are_all_welcome(self):
        context = zmq.Context()
        context.max_sockets = 2000
        sockets = []
        for number in range(1000):
            one = context.socket(zmq.DEALER)
            one.linger = 0
            one.connect(f"ipc://{self.daemon.directory}/run/control")
            one.send(messages.Request(id=1, hello=messages.Hello(protocol_min=1, protocol_max=1,
                                                                 player=f"p{number}")).SerializeToString())
            sockets.append(one)
        names = set()
        for one in sockets:
            self.assertTrue(one.poll(20000))
            names.add(messages.Reply.FromString(one.recv()).welcome.player)
        self.assertEqual(len(names), 1000)
        self.assertTrue(self.client("late").alive())
        for one in sockets:
            one.close()
        context.term()


if __name__ == "__main__":
    unittest.main()
