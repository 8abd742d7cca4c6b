"""A gateway for tests: answers requests as a test says, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "mr_test_secret"


@dataclass
class Asked:
    """A request that arrived."""

    method: str
    path: str
    body: Any
    token: str | None


@dataclass
class Reply:
    """An answer; `send` replaces it with whatever it writes to the connection."""

    body: Any = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    send: Callable[[BaseHTTPRequestHandler], None] | None = None


def error(status: int, code: str, message: str = "no", headers: tuple[tuple[str, str], ...] = (), **more: Any) -> Reply:
    """A refusal as the gateway words it."""
    return Reply({"error": {"code": code, "message": message, **more}}, status, headers)


def broken() -> Reply:
    """The connection breaks before an answer."""
    return Reply(send=lambda handler: handler.connection.close())


class StubGateway:
    """Answers `<method> <path below /v1>` with what `on` has said, in order, the last one again and again."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._replies: defaultdict[str, deque[Reply]] = defaultdict(deque)
        self._arrived = threading.Condition()
        self.stopped = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                stub._answer(self)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def on(self, request: str, *replies: Reply | dict[str, Any]) -> None:
        """What it answers from now on."""
        found = [one if isinstance(one, Reply) else Reply(one) for one in replies]
        with self._arrived:
            self._replies[request] = deque(found)

    def requests(self, request: str) -> list[Asked]:
        """Those that arrived, e.g. `POST /sessions`."""
        method, path = request.split(" ", 1)
        with self._arrived:
            return [one for one in self.asked if (one.method, one.path) == (method, path)]

    def wait_for(self, request: str, count: int) -> list[Asked]:
        """Waits until so many have arrived."""
        with self._arrived:
            method, path = request.split(" ", 1)
            found = self._arrived.wait_for(
                lambda: (
                    [one for one in self.asked if (one.method, one.path) == (method, path)][:count].__len__() == count
                ),
                120,
            )
            assert found, f"{request} did not arrive {count} times"
        return self.requests(request)

    def close(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        body = json.loads(handler.rfile.read(length)) if length else None
        method, path = handler.command, handler.path.removeprefix("/v1")
        with self._arrived:
            self.asked.append(Asked(method, path, body, handler.headers.get("Authorization")))
            self._arrived.notify_all()
            replies = self._replies[f"{method} {path}"]
            reply = (
                replies.popleft()
                if len(replies) > 1
                else replies[0]
                if replies
                else error(404, "invalid-request", f"no {path}")
            )
        if reply.send is not None:
            handler.close_connection = True
            reply.send(handler)
            return
        data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        handler.send_response(reply.status)
        for name, value in reply.headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)


SUBMIT = {"name": "submit", "description": "Hand in.", "parameters": {"type": "object", "properties": {}}}
ANSWER = {
    "name": "submit",
    "description": "Hand in your answer.",
    "parameters": {
        "type": "object",
        "properties": {"anomaly": {"type": "boolean", "description": "true: something is wrong"}},
        "required": ["anomaly"],
    },
}
SHELL = {
    "name": "exec_shell",
    "description": "Run one shell command.",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}
LOGS = {
    "name": "get_logs",
    "description": "Get the last lines.",
    "parameters": {
        "type": "object",
        "properties": {"lines": {"type": "integer"}, "of": {"type": "string", "description": "a pod"}},
        "required": ["of"],
    },
}

OPENED = {
    "id": "s1",
    "agent": "tester@1",
    "experiment": "e1",
    "openedAt": 1,
    "silenceSeconds": 600,
    "episodes": 2,
}


def turn(problem: str, attempt: int = 1, task: str = "mitigation", **more: Any) -> dict[str, Any]:
    """What `next` answers with a problem."""
    submit = SUBMIT if task == "mitigation" else ANSWER
    return {
        "status": "problem",
        "problem": problem,
        "attempt": attempt,
        "task": task,
        "mayAct": task == "mitigation",
        "words": f"words of {problem}, {attempt}",
        "tools": [SHELL, LOGS, submit],
        "limits": {"attempts": 2, "probes": 5, "silenceSeconds": 600},
        "calls": 0,
        **more,
    }


def done(**more: Any) -> dict[str, Any]:
    """What `next` answers when no problem is left."""
    return {"status": "done", "episodes": 2, "done": 2, **more}


def previous(problem: str, outcome: str | None) -> dict[str, Any]:
    """The problem before."""
    return {"previous": {"problem": problem, "outcome": outcome}}


ENDED = {"status": "ended", "id": "x", "how": "submitted", "reason": "submitted"}


def answered(text: str, ran: bool = True) -> dict[str, Any]:
    """What a call answers."""
    return {"status": "answered", "id": "x", "text": text, "ran": ran, "milliseconds": 5 if ran else None}
