#!/usr/bin/python3 -B
"""A host that lies, to be given as daemon.host_program: warren-host, but what it says is changed on its way, as LIE in
the environment names it, and for the mode alone that LIE_OF names. So could a mode: it speaks for its host as soon as
it is loaded."""

import os
import socket
import subprocess
import sys
import tempfile
import threading

DAEMON, LENGTH = 3, 4
SOURCE, BUILD = os.environ["WARREN_SOURCE"], os.environ["WARREN_BUILD"]


def load_messages():
    with tempfile.TemporaryDirectory(prefix="warren-proto-") as folder:
        subprocess.run(["protoc", "-I.", f"--python_out={folder}", "warren.proto", "host.proto"], cwd=f"{SOURCE}/proto",
                       check=True)
        sys.path.insert(0, folder)
        import host_pb2
        return host_pb2


def changeable(message):
    """Every setting of the mode is one that can be changed, which is the daemon's to say."""
    for setting in message.ready.mode.settings:
        setting.changeable = True


def elsewhere(message):
    """The default of a file is somebody else's."""
    for setting in message.ready.mode.settings:
        if setting.type == 4:
            setting.standard = "../../state/secret"


def twice(message):
    if message.ready.mode.settings:
        message.ready.mode.settings.append(message.ready.mode.settings[0])


def crowded(message):
    """More seats than anybody has memory for."""
    if message.HasField("ready"):
        message.ready.mode.max_seats = 0xffffffff


def seatless(message):
    if message.HasField("ready"):
        message.ready.mode.ClearField("max_seats")


def wordy(message):
    """A descriptor that is longer than any: a table of it is full."""
    if message.HasField("ready"):
        for number in range(50):
            message.ready.mode.settings.add(name=f"x{number}", type=2, standard="x", choices=["x"] + ["y" * 512] * 200)


def forgetful(message):
    """A turn had more inputs than it was given."""
    if message.HasField("done"):
        message.done.inputs += b"\x0a\x02\x22\x00" * 1000


def stuffed(message):
    """Fields that nobody knows, which cost much more memory than they take on the way."""
    return b"\x98\x06\x01" * (4 << 20) if message.HasField("done") else b""


def boastful(message):
    """More scores than anybody makes, each in a table of its own."""
    if message.HasField("done"):
        for number in range(4000):
            message.done.scores.add(seat=0, table=f"{message.done.turn} {number}", value=1)


def lengthy(message):
    """A descriptor as long as one may be."""
    if message.HasField("ready"):
        message.ready.mode.summary = "long"
        for number in range(7):
            message.ready.mode.settings.add(name=f"x{number}", type=2, standard="x", choices=["x"] + ["y" * 512] * 255)


def unsaving(message):
    """No world can be saved."""
    if message.HasField("saved"):
        message.saved.ClearField("snapshot")
        message.saved.error = "not today"


LIES = {lie.__name__: lie for lie in (changeable, elsewhere, twice, crowded, seatless, wordy, forgetful, stuffed,
                                    boastful, lengthy, unsaving)}


def between():
    """Starts warren-host with a socket of ours in place of the daemon's. Returns both."""
    daemon = socket.socket(fileno=os.dup(DAEMON))
    ours, theirs = socket.socketpair()
    os.dup2(theirs.fileno(), DAEMON)
    theirs.close()
    subprocess.Popen([f"{BUILD}/bin/warren-host", *sys.argv[1:]], pass_fds=(DAEMON, DAEMON + 1))
    os.close(DAEMON)
    return daemon, ours


def forward(source, sink):
    while data := source.recv(65536):
        sink.sendall(data)
    os._exit(0)


def receive(source, size):
    data = b""
    while len(data) < size:
        part = source.recv(size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


def main():
    if os.environ.get("LIE_OF", "") not in sys.argv[-1]:
        os.execv(f"{BUILD}/bin/warren-host", ["warren-host", *sys.argv[1:]])
    from_host, lie = load_messages().FromHost, LIES[os.environ["LIE"]]
    daemon, host = between()
    threading.Thread(target=forward, args=(daemon, host), daemon=True).start()
    while True:
        message = from_host.FromString(receive(host, int.from_bytes(receive(host, LENGTH), "little")))
        more = lie(message)
        frame = message.SerializeToString() + (more or b"")
        daemon.sendall(len(frame).to_bytes(LENGTH, "little") + frame)


main()
