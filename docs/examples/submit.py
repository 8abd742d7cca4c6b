#!/usr/bin/env python3
"""Submits an experiment and waits for its end, with nothing but Python's standard library and NATS' text protocol.

    NATS_URL=nats://nats:4222 NATS_USER=client NATS_PASSWORD=... python3 submit.py request.json

Prints one JSON line with the scheduler's answer, one whenever more episodes are done, and the experiment at the end. A client library does the same in fewer lines: see submit_nats_py.py.
"""

import json
import os
import socket
import ssl
import sys
import time
import uuid
from urllib.parse import urlparse

DEADLINE_SECONDS = 3600
CONNECT_SECONDS = 30
ANSWER_SECONDS = 10


class Nats:
    """As much of a NATS client as this takes: publish with headers, request, one inbox."""

    def __init__(self, url, user, password, ca_file=None):
        where = urlparse(url)
        self.socket = socket.create_connection((where.hostname, where.port or 4222), timeout=60)
        self.reader = self.socket.makefile("rb")
        info = json.loads(self._line().split(b" ", 1)[1])
        if where.scheme == "tls" or info.get("tls_required"):
            context = ssl.create_default_context(cafile=ca_file)
            self.socket = context.wrap_socket(self.socket, server_hostname=where.hostname)
            self.reader = self.socket.makefile("rb")
        login = {"verbose": False, "pedantic": False, "headers": True, "lang": "python", "version": "1",
                 "user": user, "pass": password, "name": "submit.py"}
        self.inbox = "_INBOX." + uuid.uuid4().hex
        self._send(f"CONNECT {json.dumps(login)}\r\nSUB {self.inbox} 1\r\nPING\r\n".encode())
        self._until_pong()

    def publish(self, subject, body, headers=None, reply=""):
        data = json.dumps(body).encode()
        if headers:
            head = "NATS/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
            self._send(f"HPUB {subject} {reply} {len(head)} {len(head) + len(data)}\r\n{head}".encode() + data + b"\r\n")
        else:
            self._send(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")

    def answer(self):
        """The next message in the inbox."""
        while True:
            words = self._line().split()
            if words[0] == b"PING":
                self._send(b"PONG\r\n")
            elif words[0] == b"-ERR":
                sys.exit(refused(b" ".join(words).decode()))
            elif words[0] in (b"MSG", b"HMSG"):
                data = self.reader.read(int(words[-1]) + 2)[:-2]
                return json.loads(data[int(words[-2]):] if words[0] == b"HMSG" else data)

    def request(self, subject, body):
        self.publish(subject, body, reply=self.inbox)
        return self.answer()

    def _send(self, data):
        self.socket.sendall(data)

    def _line(self):
        line = self.reader.readline()
        if not line:
            raise ConnectionError("the server closed the connection")
        return line.strip()

    def _until_pong(self):
        while (line := self._line()) != b"PONG":
            if line.startswith(b"-ERR"):
                sys.exit(refused(line.decode()))


def refused(error):
    return f"NATS refuses the user {os.environ['NATS_USER']}: {error}; check NATS_USER and NATS_PASSWORD"


def show(value):
    print(json.dumps(value), flush=True)


def new_connection():
    """Waits for a port-forward that was started a moment ago, or that is started again."""
    deadline = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            return Nats(os.environ["NATS_URL"], os.environ["NATS_USER"], os.environ["NATS_PASSWORD"],
                        os.environ.get("NATS_CA_FILE"))
        except ConnectionError as error:
            if time.monotonic() > deadline:
                sys.exit(f"{os.environ['NATS_URL']}: {error}; a port-forward ends with its pod: start it again. "
                         "An experiment that was accepted goes on")
            time.sleep(0.2)


def main():
    missing = [name for name in ("NATS_URL", "NATS_USER", "NATS_PASSWORD") if name not in os.environ]
    if missing or len(sys.argv) != 2:
        sys.exit(f"{__doc__}\nnot set: {', '.join(missing) or 'the file of the request'}")
    try:
        with open(sys.argv[1], encoding="utf8") as file:
            request = json.load(file)
    except OSError as error:
        sys.exit(f"the request cannot be read: {error}")
    except ValueError as error:
        sys.exit(f"{sys.argv[1]} is not JSON: {error}")
    nats = new_connection()

    # The request is stored by JetStream; the scheduler answers to the inbox that this header names.
    nats.publish("microremed.experiments.submit", request, {"Microremed-Reply-To": nats.inbox})
    answer = nats.answer()
    show(answer)
    if answer["status"] != "accepted":
        sys.exit(2)

    done, deadline = -1, time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        try:
            nats.socket.settimeout(ANSWER_SECONDS)
            experiment, states = progress(nats, answer["experimentId"])
        except (socket.timeout, ConnectionError):
            # The scheduler or the server has just been replaced: the question is asked again.
            nats = new_connection()
            continue
        if states.count("done") != done:
            done = states.count("done")
            show({"done": done, "episodes": len(states)})
        if experiment["status"] != "running":
            show(experiment)
            print(f"outcomes: microremed report {experiment['id']}", file=sys.stderr)
            return
        time.sleep(0.5)
    sys.exit("the experiment did not end in time")


def progress(nats, experiment_id):
    """The experiment, and the state of each of its episodes."""
    states, start = [], 0
    while start is not None:
        page = nats.request("microremed.rpc.experiments", {"experimentId": experiment_id, "from": start})
        states += [episode["state"] for episode in page["episodes"]]
        start = page["next"]
    return page["experiment"], states


main()
