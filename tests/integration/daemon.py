"""A private daemon for a test, and a client of its protocol written from proto/warren.proto alone: none of the
project's own client code is in it, so that the two check each other."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import zmq
import zmq.utils.monitor
import zmq.utils.z85

SOURCE = os.environ["WARREN_SOURCE"]
BUILD = os.environ["WARREN_BUILD"]
DEADLINE = float(os.environ.get("WARREN_TEST_DEADLINE", "30"))


def _load_messages():
    """Generates the Python messages from the .proto file, once for each test process."""
    folder = tempfile.mkdtemp(prefix="warren-proto-")
    try:
        subprocess.run(["protoc", "-I.", f"--python_out={folder}", "warren.proto"], cwd=f"{SOURCE}/proto", check=True)
        sys.path.insert(0, folder)
        import warren_pb2
        return warren_pb2
    finally:
        sys.path.remove(folder)
        shutil.rmtree(folder)


messages = _load_messages()


def wait_for(condition, what, deadline=DEADLINE):
    """Waits until the condition holds and returns what it returned."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {deadline} s in vain for {what}")
        time.sleep(0.005)


def free_row(count):
    """So many TCP ports in a row that nobody serves on. Not of those that the system gives to connections, which other
    tests have open by the hundred: one could have it by the time it is wanted."""
    while True:
        first = random.randrange(10000, 32000)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return list(range(first, first + count))


def free_ports(count):
    """TCP ports that nobody serves on."""
    ports = set()
    while len(ports) < count:
        ports.update(free_row(1))
    return list(ports)


def free_neighbours():
    """Three in a row: control, updates, and where a server tells its key."""
    return free_row(3)


def sanitized():
    """Was the build made with a sanitizer?"""
    with open(f"{BUILD}/CMakeCache.txt", encoding="utf-8") as cache:
        return any(line.startswith("WARREN_SANITIZE:") and line.rstrip()[-1] != "=" for line in cache)


class Daemon:
    """warrend with ipc sockets and a store in a temporary directory of its own; tcp=True adds two tcp ports, keys=True
    two that take keys, and the one where its own is told."""

    def __init__(self, settings=(), modes=None, directory=None, tcp=None, environment=None, preexec=None, keys=False):
        self.owns_directory = directory is None
        self.directory = directory or tempfile.mkdtemp(prefix="warren-test-", dir="/tmp")
        self.modes = modes or f"{BUILD}/modes"
        self.settings = list(settings)
        self.tcp = free_neighbours() if keys else free_ports(2) if tcp is True else tcp
        self.settings += ["security.plain_loopback=no"] if keys else []
        self.preexec = preexec
        self.environment = dict(os.environ, **(environment or {}))
        self.log_path = f"{self.directory}/log"
        self.process = None
        self.tokens = {}     # of the sessions of players, to resume them after a restart
        self.resumable = {}

    def command(self):
        endpoints = {"control": f"ipc://{self.directory}/run/control", "updates": f"ipc://{self.directory}/run/updates"}
        if self.tcp:
            endpoints["control"] += f" tcp://127.0.0.1:{self.tcp[0]}"
            endpoints["updates"] += f" tcp://127.0.0.1:{self.tcp[1]}"
        values = [f"daemon.runtime_dir={self.directory}/run", f"daemon.state_dir={self.directory}/state",
                  f"daemon.mode_path={self.modes}", f"daemon.host_program={BUILD}/bin/warren-host",
                  f"network.control={endpoints['control']}", f"network.updates={endpoints['updates']}",
                  "daemon.log_level=debug", "limits.requests_per_second=100000"] + self.settings
        arguments = [f"{BUILD}/bin/warrend", "--config", "/dev/null"]
        for value in values:
            arguments += ["--set", value]
        return arguments

    def spawn(self):
        log = open(self.log_path, "ab")
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        env=self.environment, preexec_fn=self.preexec)
        log.close()
        return self

    def start(self):
        before = len(self.log())
        self.spawn()
        wait_for(lambda: "ready worlds=" in self.log()[before:] or self.process.poll() is not None, "the daemon")
        if self.process.poll() is not None:
            raise AssertionError(f"warrend exited with {self.process.returncode}:\n{self.log()}")
        self.resumable = dict(self.tokens)
        return self.served() if self.resumable else self

    def log(self):
        try:
            with open(self.log_path, encoding="utf-8", errors="replace") as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def stop(self, how=signal.SIGTERM):
        """Ends it and returns its exit status."""
        self.process.send_signal(how)
        return self.process.wait(timeout=DEADLINE)

    def restart(self, how=signal.SIGKILL):
        self.stop(how)
        return self.start()

    def served(self):
        """Waits until no world is being loaded any more."""
        def settled():
            with Client(self) as client:
                worlds = client.request(list_worlds=messages.ListWorlds()).worlds.worlds
                return all(world.state != messages.WORLD_STARTING for world in worlds)
        wait_for(settled, "all worlds to be served")
        return self

    def status(self):
        with Client(self) as client:
            return client.request(get_status=messages.GetStatus()).status

    def host(self, mode="caves"):
        return next(host for host in self.status().hosts if host.mode == mode)

    def host_pid(self, mode="caves"):
        return self.host(mode).pid

    def memory(self):
        """Bytes that are resident."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def memory_is_telling(self):
        """Not under a sanitizer, which keeps what was freed."""
        with open(f"/proc/{self.process.pid}/maps", encoding="ascii") as file:
            maps = file.read()
        return not sanitized() and "valgrind" not in maps

    def key(self):
        """Its public key, as people pass it on."""
        return self.log().rsplit(" key=", 1)[1].split()[0]

    def keyed(self, pair):
        """As arguments of Client: over tcp, with a key pair."""
        return dict(self.tcp_addresses(), pair=pair, server_key=bytes.fromhex(self.key()))

    def tcp_addresses(self):
        """As arguments of Client: there, nobody is an administrator."""
        return {"address": f"tcp://127.0.0.1:{self.tcp[0]}", "updates": f"tcp://127.0.0.1:{self.tcp[1]}"}

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.owns_directory:
            shutil.rmtree(self.directory, ignore_errors=True)


class Refused(Exception):
    """An Error that answered a request."""

    def __init__(self, error):
        super().__init__(error.text)
        self.error = error
        self.code = error.code


class View:
    """A replica, as warren.proto describes how to keep one."""

    def __init__(self, joined):
        self.joined = joined
        self.sequence = None
        self.executed = 0
        self.width = self.height = 0
        self.cells = []
        self.sprites = {}
        self.fields = {}
        self.board = {}
        self.focus = None
        self.banner = ""
        self.messages = {}
        self.updates = []
        self.gap = False

    def apply(self, update):
        self.updates.append(update)
        if update.HasField("keyframe"):
            self._keyframe(update.keyframe)
        elif self.sequence is None or update.sequence != self.sequence + 1:
            self.gap = True
            return
        elif update.HasField("delta"):
            self._delta(update.delta)
        self.sequence = update.sequence
        if update.HasField("executed"):
            self.executed = update.executed

    def _put_cells(self, numbers):
        at = position = 0
        while position < len(numbers):
            count, kind = numbers[position] >> 2, numbers[position] & 3
            position += 1
            if kind == 1:
                self.cells[at:at + count] = [numbers[position]] * count
                position += 1
            elif kind == 2:
                self.cells[at:at + count] = numbers[position:position + count]
                position += count
            at += count

    def _put_shared(self, part):
        for sprite in part.sprites:
            self.sprites.setdefault(sprite.id, messages.Sprite(id=sprite.id)).MergeFrom(sprite)
        for field in part.fields:
            self.fields[field.field] = field
        for row in part.board:
            self.board[row.row] = list(row.columns)
        if part.HasField("focus"):
            self.focus = part.focus
        if part.HasField("banner"):
            self.banner = part.banner
        for message in part.messages:
            self.messages[message.number] = message

    def _keyframe(self, frame):
        self.gap = False
        self.width, self.height = frame.width, frame.height
        self.cells = [0] * (frame.width * frame.height)
        self.sprites, self.fields, self.board, self.focus, self.banner = {}, {}, {}, None, ""
        self._put_cells(frame.cells)
        self._put_shared(frame)

    def _delta(self, delta):
        self._put_cells(delta.cells)
        for sprite in delta.gone:
            self.sprites.pop(sprite, None)
        self._put_shared(delta)

    def picture(self):
        """What is to be seen, for comparing two replicas."""
        sprites = {number: (s.at, s.tile, s.facing, s.label) for number, s in self.sprites.items()}
        fields = {number: (f.number, f.maximum, f.text) for number, f in self.fields.items()}
        return self.width, self.height, list(self.cells), sprites, fields, {r: c for r, c in self.board.items() if c}

    def texts(self):
        return [message.text for message in self.messages.values()]


def key_pair():
    """A new pair, as libzmq writes it."""
    return zmq.curve_keypair()


def hex_of(pair):
    """Its public part, as people pass it on."""
    return zmq.utils.z85.decode(pair[0]).hex()


class Client:
    """One session."""

    def __init__(self, daemon, player=None, address=None, updates=None, session=None, hello=True,
                 routing_id=None, pair=None, server_key=None, monitored=False):
        directory = getattr(daemon, "directory", None)
        self.context = zmq.Context()
        self.control = self.context.socket(zmq.DEALER)
        self.control.linger = 0
        self.updates = self.context.socket(zmq.SUB)
        self.updates.linger = 0
        if routing_id:
            self.control.routing_id = routing_id
        if pair:
            for one in (self.control, self.updates):
                one.curve_publickey, one.curve_secretkey = pair
                one.curve_serverkey = zmq.utils.z85.encode(server_key)
        self.monitor = self.control.get_monitor_socket() if monitored else None
        self.control.connect(address or f"ipc://{directory}/run/control")
        self.updates.rcvhwm = 100000
        self.updates.connect(updates or f"ipc://{directory}/run/updates")
        self.next_id = 1
        self.news = []
        self.views = {}
        self.keys = {}
        self.stray = []
        self.numbers = {}
        self.welcome = None
        if hello:
            message = messages.Hello(protocol_min=1, protocol_max=1, software="test")
            if player:
                message.player = player
            session = session or getattr(daemon, "resumable", {}).pop(player, None)
            if session:
                message.session = session
            self.welcome = self.request(hello=message).welcome
            if player and hasattr(daemon, "tokens"):
                daemon.tokens[player] = self.welcome.session

    def send(self, identity=0, **body):
        request = messages.Request(**body)
        if identity:
            request.id = identity
        self.control.send(request.SerializeToString())

    def receive(self, deadline=DEADLINE):
        """The next Reply, or None."""
        if not self.control.poll(deadline * 1000):
            return None
        return messages.Reply.FromString(self.control.recv())

    def wait_shut_out(self):
        """Waits until a connection of this monitored client has come to its end before it was one."""
        ended = (zmq.EVENT_DISCONNECTED, zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
                 zmq.EVENT_HANDSHAKE_FAILED_AUTH)
        while self.monitor.poll(DEADLINE * 1000):
            event = zmq.utils.monitor.recv_monitor_message(self.monitor)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                raise AssertionError("the server let in whom it was to shut out")
            if event in ended:
                return
        raise AssertionError(f"waited {DEADLINE} s in vain for the end of a connection")

    def reply_to(self, identity, deadline=DEADLINE):
        end = time.monotonic() + deadline
        while time.monotonic() < end:
            reply = self.receive(max(0.001, end - time.monotonic()))
            if reply is None:
                break
            if reply.id == identity:
                if reply.HasField("error"):
                    raise Refused(reply.error)
                return reply
            self.news.append(reply)
        raise AssertionError(f"no reply to request {identity}")

    def request(self, **body):
        identity = self.next_id
        self.next_id += 1
        self.send(identity, **body)
        return self.reply_to(identity)

    def create(self, mode="caves", name=None, seed=None, **settings):
        message = messages.CreateWorld(mode=mode)
        if name:
            message.name = name
        if seed is not None:
            message.seed = seed
        for setting, value in settings.items():
            message.settings.add(name=setting, value=str(value))
        return self.request(create=message).world

    def _enter(self, joined):
        view = View(joined)
        self.views[joined.world] = view
        self.keys[joined.view_key] = view
        self.numbers[joined.world] = joined.next_command
        self.updates.subscribe(joined.view_key)
        return view

    def join(self, world):
        return self._enter(self.request(join=messages.JoinWorld(world=world)).joined)

    def watch(self, world):
        return self._enter(self.request(watch=messages.WatchWorld(world=world)).joined)

    def command(self, view, action, argument=0):
        world = view.joined.world
        number = self.numbers[world]
        self.numbers[world] += 1
        self.send(command=messages.Command(world=world, number=number, action=action, argument=argument))
        return number

    def take_updates(self, drop=lambda: False):
        """Applies what has come, but for what is dropped. Returns how many updates that were."""
        count = 0
        with contextlib.suppress(zmq.Again):
            while True:
                key, body = self.updates.recv_multipart(zmq.NOBLOCK)
                count += 1
                if key not in self.keys:
                    self.stray.append((key, body))
                elif not drop():
                    self.keys[key].apply(messages.Update.FromString(body))
        return count

    def wait(self, condition, what):
        def check():
            self.take_updates()
            return condition()
        return wait_for(check, what)

    def play(self, view, action, argument=0):
        """One command, executed and seen."""
        number = self.command(view, action, argument)
        self.wait(lambda: view.executed >= number, f"command {number}")

    def take_news(self, deadline=0.0):
        while True:
            reply = self.receive(deadline)
            if reply is None:
                return self.news
            self.news.append(reply)

    def command_errors(self):
        """Numbers of commands that were refused, with the error."""
        errors = [n.error for n in self.take_news() if n.HasField("error")]
        return {error.command: error for error in errors if error.HasField("command")}

    def drain(self, view):
        """Takes updates until the view has come as far as the daemon says it is."""
        def arrived():
            pong = self.request(ping=messages.Ping()).pong
            sequence = next(p.sequence for p in pong.views if p.world == view.joined.world)
            self.take_updates()
            return view.sequence is not None and view.sequence >= sequence
        wait_for(arrived, "the view's last update")

    def notices(self, kind):
        return [n.notice for n in self.take_news() if n.HasField("notice") and n.notice.kind == kind]

    def wait_notice(self, kind, what):
        return self.wait_news(lambda n: n.HasField("notice") and n.notice.kind == kind, what).notice

    def alive(self):
        """Whether the daemon answers: what came before on this connection has been handled by then."""
        return self.request(ping=messages.Ping()).HasField("pong")

    def wait_news(self, condition, what):
        """The first news, of those that came before too, that the condition holds for."""
        return wait_for(lambda: next((n for n in self.take_news(0.01) if condition(n)), None), what)

    def close(self):
        if self.monitor:
            self.control.disable_monitor()
            self.monitor.close(0)
        self.control.close()
        self.updates.close()
        self.context.term()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def stopped_output(arguments, environment=None):
    """Runs a program that is to end by itself; returns its exit status and what it said."""
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=DEADLINE, text=True, check=False, env=environment)
    return done.returncode, done.stdout
