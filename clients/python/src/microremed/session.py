"""A session: an agent's connection to the problems of an experiment."""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from . import rows as rows_of
from ._heartbeat import Heartbeat
from ._http import Http, Json, expect
from .errors import MicroRemedError, NoAnswer, Refused
from .problem import Problem
from .rows import Row, Score
from .run import run_workers

if TYPE_CHECKING:
    from .agent import Solver

log = logging.getLogger("microremed")

NEXT_SECONDS = 50.0
"""How long one request waits for a problem: many proxies end it after a minute."""

OUTCOME_SECONDS = 120.0
"""Longest that is waited for what a problem came to, when its loop is left."""

ANSWER_SECONDS = 40.0
"""For an answer that needs no wait, and beyond the wait of one that does, until it counts as lost."""


class Session:
    """Problems one after the other: `for problem in session: agent.solve(problem)`, or several at once with
    `run`.

    Made by `Range.session`. Close it, or use it as a context manager: it leaves what is left of an
    experiment that it has started, which counts as not solved. It says by itself that the agent is alive,
    for at most `longest_think_seconds` without a call.
    """

    def __init__(
        self,
        http: Http,
        opened: Mapping[str, Any],
        *,
        call_seconds: float,
        wait_seconds: float,
        longest_think_seconds: float,
    ) -> None:
        self._http = http
        expect(dict(opened), "id", "agent", "experiment", "episodes", "silenceSeconds")
        self.id: str = opened["id"]
        self.agent: str = opened["agent"]
        self.experiment: str = opened["experiment"]
        self.episodes: int = opened["episodes"]
        """Problems of the experiment, repeats included."""
        self.call_seconds = call_seconds
        """Longest that a call waits for its answer."""
        self.wait_seconds = wait_seconds
        """Longest that a worker waits for a problem."""
        self.says_cost = False
        """The agent says what it costs; set by `Problem.spend`."""
        self._rows: dict[str, Json] = {}
        self._over: set[str] = set()
        self._turns: dict[str, list[tuple[str, int]]] = {}
        self._latest: dict[str, Problem] = {}
        self._on_row: Callable[[Row], None] | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._heartbeat = Heartbeat(http, self.id, float(opened["silenceSeconds"]), longest_think_seconds)
        weakref.finalize(self, self._heartbeat.stop)

    def __repr__(self) -> str:
        return f"<Session {self.id} of {self.agent}: {self.experiment}>"

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if error is None:
                self.close()
            else:
                # An error is not kept waiting for an outcome.
                self._end()
        except MicroRemedError as failed:
            if error is None:
                raise
            log.warning("the session %s was not closed, and ends by its silence: %s", self.id, failed)

    def close(self) -> None:
        """Ends the session. It leaves the experiment that it has started, unless that has ended."""
        if self._closed.is_set():
            return
        try:
            for problem in list(self._latest.values()):
                self._settle(problem)
        except MicroRemedError as error:
            log.warning("the outcome of a problem is not known: %s", error)
        self._end()

    def _end(self) -> None:
        if self._closed.is_set():
            return
        self._closed.set()
        self._heartbeat.stop()
        try:
            self._http.ask("DELETE", f"/sessions/{self.id}", within=ANSWER_SECONDS)
        except Refused as refused:
            # It was silent for too long, or the answer to a first request was lost.
            if refused.code != "unknown-session":
                raise

    def __iter__(self) -> Iterator[Problem]:
        return self.worker("main")

    def worker(self, name: str) -> Iterator[Problem]:
        """The turns of one worker, until no problem is left. Workers of different names have different
        problems.

        A turn that is not over when the next one is asked for is given up. A loop that is left after `submit` waits
        for the problem's outcome.
        """
        while (problem := self.next(name)) is not None:
            try:
                yield problem
            except GeneratorExit:
                try:
                    self._settle(problem)
                except MicroRemedError as error:
                    log.warning("the outcome of %r is not known: %s", problem, error)
                raise
            if not problem.ended:
                log.warning("%r was not submitted, and is given up", problem)
                problem.leave("the agent went on without an answer")

    def next(self, worker: str = "main") -> Problem | None:
        """The turn that comes next; None: no problem is left. Asked again before the turn is over, it gives
        the same one.

        Raises `NoAnswer` when none has come for `wait_seconds`.
        """
        deadline = time.monotonic() + self.wait_seconds
        while True:
            wait = max(0.0, min(NEXT_SECONDS, deadline - time.monotonic()))
            given = expect(self.ask("POST", "/next", {"worker": worker, "waitSeconds": wait}, waits=wait), "status")
            self._note(given.get("previous"))
            if given["status"] == "problem":
                expect(given, "problem", "attempt", "task", "mayAct", "words", "tools", "limits")
                problem = self._latest[worker] = self._begun(given)
                return problem
            if given["status"] == "done":
                self._latest.pop(worker, None)
                return None
            if time.monotonic() >= deadline:
                raise NoAnswer(
                    f"no problem has come for {self.wait_seconds:g} s (wait_seconds). Every arena is taken, or none "
                    "can be made: `npx microremed clusters list` shows them, `npx microremed list` the experiments"
                )

    def run(
        self,
        make_agent: Callable[[], Solver],
        *,
        parallel: int = 1,
        stop_at_error: bool = False,
        on_row: Callable[[Row], None] | None = None,
    ) -> list[Row]:
        """Solves all problems, `parallel` at once in threads, and gives their rows.

        `make_agent` makes an agent for each problem, e.g. the agent's class; it has the problem's further
        attempts too. Open the session with the same `parallel`. What an agent raises is logged, ends its
        problem unsolved, and is in the row's `error`; with `stop_at_error` it ends the run. Errors of the
        range end it in any case. `on_row` gets each row when its problem is over, in the worker's thread.
        """
        self._on_row = on_row
        try:
            run_workers(self, make_agent, parallel=parallel, stop_at_error=stop_at_error)
        finally:
            self._on_row = None
        return self.rows()

    def rows(self) -> list[Row]:
        """What is known of each problem that has begun, in the order in which they began."""
        with self._lock:
            return [cast(Row, dict(row)) for row in self._rows.values()]

    def score(self) -> Score:
        """The share of the problems so far that were passed."""
        return rows_of.score(self.rows())

    def show(self) -> Json:
        """How far the experiment is, and what each worker has."""
        return self.ask("GET", "")

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, waits: float = 0.0) -> Json:
        """A request of this session, with `waits` seconds of it for what is asked for. Raises `Refused`,
        `NoAnswer`."""
        if self._closed.is_set():
            raise Refused("the session is closed", code="unknown-session", status=404)
        self._heartbeat.note_sign_of_life()
        try:
            return self._http.ask(
                method, f"/sessions/{self.id}{path}", body, within=waits + ANSWER_SECONDS, stop=self._closed
            )
        except Refused as refused:
            if refused.code != "unknown-session":
                raise
            self._heartbeat.stop()
            raise Refused(
                f"the session {self.id} is over: it was closed, its experiment was cancelled or has ended, or it was "
                "silent for longer than silence_seconds. Open another one",
                code=refused.code,
                status=refused.status,
            ) from None

    def _begun(self, given: Json) -> Problem:
        name, task = given["problem"], given["task"]
        with self._lock:
            row = self._rows.setdefault(name, rows_of.new_row(self.id, self.experiment, self.agent, name))
            turns = self._turns[name] = _with_turn(self._turns.get(name, []), (task, given["attempt"]))
            row["attempts"] = max(row["attempts"], given["attempt"])
            row["task"] = "+".join(dict.fromkeys(task for task, _ in turns))
            return Problem(self, given, len(turns), row)

    def _settle(self, problem: Problem) -> None:
        """Waits until a problem that was handed in has its outcome, or comes again."""
        if not problem.ended or self._closed.is_set() or problem not in self._latest.values():
            return
        if self._rows[problem.name]["outcome"] is not None:
            return
        deadline = time.monotonic() + min(OUTCOME_SECONDS, self.wait_seconds)
        pause = 0.05
        while time.monotonic() < deadline:
            workers = expect(self.show(), "workers")["workers"]
            at = next((one for one in workers if one["problem"] == problem.name), None)
            if at is None or at.get("again", True):
                return
            if at["over"]:
                self._note({"problem": problem.name, "outcome": at["outcome"]})
                return
            time.sleep(pause)
            pause = min(1.0, 2 * pause)

    def _note(self, previous: Json | None) -> None:
        if previous is None:
            return
        with self._lock:
            row = self._rows.get(previous["problem"])
            # Said again until the worker has called a tool in its next problem.
            if row is None or row["outcome"] is not None or previous["problem"] in self._over:
                return
            self._over.add(previous["problem"])
            row["outcome"] = previous["outcome"]
            row["passed"] = rows_of.passed_of(previous["outcome"])
            over = cast(Row, dict(row))
        if self._on_row is not None:
            self._on_row(over)


def _with_turn(turns: list[tuple[str, int]], turn: tuple[str, int]) -> list[tuple[str, int]]:
    """A turn that was there before: it was asked for again, or the problem has started again from it."""
    return turns[: turns.index(turn) + 1] if turn in turns else [*turns, turn]
