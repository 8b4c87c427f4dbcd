#!/usr/bin/python3 -B
"""A host that lies, to be given as daemon.host_program: warren-host, but in its Ready every setting of the mode is one
that can be changed, which is the daemon's to say."""

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


def main():
    host_messages = load_messages()
    daemon, host = between()
    threading.Thread(target=forward, args=(daemon, host), daemon=True).start()
    size = int.from_bytes(host.recv(LENGTH, socket.MSG_WAITALL), "little")
    message = host_messages.FromHost.FromString(host.recv(size, socket.MSG_WAITALL))
    for setting in message.ready.mode.settings:
        setting.changeable = True
    frame = message.SerializeToString()
    daemon.sendall(len(frame).to_bytes(LENGTH, "little") + frame)
    forward(host, daemon)


main()
