"""Keeps Ansible imported and forks one `ansible-playbook` per connection, in place of the connecting process.

    warm_runner.py <directory>

<directory> holds ansible.cfg (for this process), sandbox.cfg (the same, as runs must bring it) and system-calls.bpf (the
filter of a run's system calls); the socket `runner` is made in it. Says "ready" on stdout. Ends when stdin does. Why a connection was refused is a line on stderr.

A connection comes from a process inside a sandbox (the holder), on a socket that it was started with. It sends the
number of its arguments and then them, each ended by a zero byte. The answer is "started" and, in the end, the exit
code; or "plain": then nothing has been run, and the holder becomes the plain command. The kernel says who it is.

This process itself runs nothing of any playbook, reads nothing of any run and knows no secret: the fork for a
connection does, and lives as long as its run.
"""

import gc
import os
import select
import shutil
import signal
import socket
import struct
import sys
import traceback

import preload
import takeover

MAX_REQUEST_BYTES = 65_536
REQUEST_WITHIN_SECONDS = 5
# Read by Python or the C library when they start; settings of Ansible depend on the home as well.
START_UP_VARIABLES = ("PYTHON", "LD_", "LANG", "LC_", "TZ", "MALLOC_", "GCONV_")


def main(directory):
    takeover.forbid_new_privileges()
    takeover.hide_start(b"ansible-playbook\0-i\0inventory.ini\0remediation.yml")
    with open(os.path.join(directory, "sandbox.cfg"), "rb") as file:
        config = file.read()
    with open(os.path.join(directory, "system-calls.bpf"), "rb") as file:
        system_calls = file.read()
    listener = socket.socket(socket.AF_UNIX)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    listener.bind(os.path.join(directory, "runner"))
    gc.disable()  # nothing of what is imported is garbage: looking for it takes a seventh of the time
    preload.preload(directory)
    preload.fork_modules()
    gc.enable()
    sys.path[0] = "/usr/bin"  # as with ansible-playbook itself
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the forks are not waited for
    gc.collect()
    gc.freeze()
    listener.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    serve(listener, config, system_calls)


def serve(listener, config, system_calls):
    while True:
        readable, _, _ = select.select([listener, 0], [], [])
        if 0 in readable:
            return
        connection, _ = listener.accept()
        try:
            is_fork = os.fork() == 0
        except OSError as error:  # no memory, no more processes: the holder sees the end and goes on by itself
            print(f"OSError: {error}", file=sys.stderr, flush=True)
            is_fork = False
        if is_fork:
            try:
                listener.close()
                answer(connection, config, system_calls)
            finally:
                os._exit(0)
        connection.close()


def answer(connection, config, system_calls):
    """Plays one playbook for one connection. This is the fork, which dies with its run."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    started = False

    def on_start():
        nonlocal started
        connection.sendall(b"started\n")
        started = True

    try:
        holder, argv = receive(connection)
        check = lambda environment: refuse_what_differs(argv, environment, config)
        code = takeover.run_in_place_of(holder, system_calls, check, lambda: preload.play(argv), on_start)
        connection.sendall(b"%d\n" % code)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the holder has been stopped, and its run with it
    except BaseException as error:
        if not started:
            connection.sendall(b"plain\n")
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)


def receive(connection):
    """(process id of the sender, arguments) of one request."""
    connection.settimeout(REQUEST_WITHIN_SECONDS)
    request, holder = b"", 0
    while len(request) < MAX_REQUEST_BYTES:
        chunk, ancillary, _, _ = connection.recvmsg(4096, socket.CMSG_SPACE(12))
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                holder = struct.unpack("3i", data)[0]
        request += chunk
        count, *words = request.split(b"\0")
        if words and len(words) > int(count):
            connection.settimeout(None)
            return holder, [word.decode() for word in words[:-1]]
        if not chunk:
            if not request:
                raise BrokenPipeError
            break
    raise takeover.Refused("the request is not whole")


def refuse_what_differs(argv, environment, config):
    """Only what was the same when this process started is the same in its fork."""
    if argv[:1] != ["ansible-playbook"]:
        raise takeover.Refused("not ansible-playbook")
    for name in {*environment, *os.environb}:
        read_at_start = name == b"HOME" or name.decode(errors="replace").startswith(START_UP_VARIABLES)
        if read_at_start and environment.get(name) != os.environb.get(name):
            raise takeover.Refused(f"{name.decode(errors='replace')} is another one")
        if name.startswith(b"ANSIBLE_") and name != b"ANSIBLE_CONFIG" and name in environment:
            raise takeover.Refused(f"{name.decode(errors='replace')} is set")
    with open(environment.get(b"ANSIBLE_CONFIG", b""), "rb") as file:
        if file.read(MAX_REQUEST_BYTES) != config:
            raise takeover.Refused("ansible.cfg is another one")


if __name__ == "__main__":
    code = 1
    try:
        main(sys.argv[1])
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
        os._exit(code)
