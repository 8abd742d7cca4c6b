"""A range, as its gateway shows it."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ._http import Http, Json
from .errors import NoAnswer
from .session import Session

SECONDS = 60.0
"""Within which the range answers what it does not have to wait for."""


class Range:
    """A range: `Range(url, token)`, or `Range()` with MICROREMED_URL (default http://127.0.0.1:7070) and
    MICROREMED_TOKEN.

    An agent's token opens `session`, nothing else; a researcher's opens everything here. Errors are
    `MicroRemedError`.
    """

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        self._http = Http(url, token)
        self.url = self._http.url

    def __repr__(self) -> str:
        return f"<Range {self.url}>"

    def token(self) -> Json:
        """What the token is: its scope, holder, limits; and the range's version."""
        return self._get("/token")

    def suites(self) -> list[Json]:
        """The suites of problems: name, how many problems, how many of them can be run here, environments,
        tasks."""
        return list(self._get("/suites")["suites"])

    def problems(
        self,
        suite: str | None = None,
        *,
        environment: str | None = None,
        task: str | None = None,
        runnable: bool = True,
    ) -> list[Json]:
        """The problems of one suite, or of all, with their solutions: rows for pandas. With `runnable`, those
        that can be run here.

        Suites of faults alone, such as `easy@1`, have none: their cases are drawn when a session is opened.
        """
        names = [suite] if suite is not None else [one["name"] for one in self.suites()]
        found = [one for name in names for one in self._get(f"/suites/{_quoted(name)}/problems")["problems"]]
        return [
            one
            for one in found
            if (environment is None or one["environment"] == environment)
            and (task is None or task in one["tasks"])
            and not (runnable and one["missing"])
        ]

    def session(
        self,
        agent: str,
        *,
        suite: str | None = None,
        problem: str | Sequence[str] | None = None,
        experiment: str | None = None,
        environment: str | None = None,
        task: str | Sequence[str] | None = None,
        seed: int | None = None,
        repeats: int | None = None,
        parallel: int | None = None,
        max_attempts: int | None = None,
        max_probes: int | None = None,
        budgets: Mapping[str, Any] | None = None,
        feedback: str | None = None,
        think_time: str | None = None,
        reveal: Literal["nothing", "outcome"] = "outcome",
        silence_seconds: int | None = None,
        call_seconds: float = 600.0,
        wait_seconds: float = 1800.0,
        longest_think_seconds: float = 3600.0,
    ) -> Session:
        """Opens a session of the agent (`name@version`, as reports have it) on a suite, on problems by their
        ids, or on an experiment that names the agent.

        The options are those of `POST /v1/sessions` (docs/sessions.md), but that outcomes are revealed unless
        `reveal` says `nothing`. `call_seconds`: longest that a call waits for its answer; `wait_seconds`: for
        a problem; `longest_think_seconds`: how long heartbeats go on without a call.
        """
        own = {
            "suite": suite,
            "problem": problem if problem is None or isinstance(problem, str) else list(problem),
            "environment": environment,
            "task": task if task is None or isinstance(task, str) else list(task),
            "seed": seed,
            "repeats": repeats,
            "parallel": parallel,
            "maxAttempts": max_attempts,
            "maxProbes": max_probes,
            "budgets": None if budgets is None else dict(budgets),
            "feedback": feedback,
            "thinkTime": think_time,
            "silenceSeconds": silence_seconds,
        }
        request = {"agent": agent, "experiment": experiment, "reveal": reveal, **own}
        body = {name: value for name, value in request.items() if value is not None}
        opened = self._http.ask("POST", "/sessions", body, within=SECONDS, again=False)
        return Session(
            self._http,
            opened,
            call_seconds=call_seconds,
            wait_seconds=wait_seconds,
            longest_think_seconds=longest_think_seconds,
        )

    def submit(self, request: Mapping[str, Any]) -> str:
        """Submits an experiment (docs/reference/messages.md#experimentrequest) and gives its id. With an `id`
        of your own, the same request twice is one experiment."""
        accepted = self._http.ask("POST", "/experiments", request, within=SECONDS, again="id" in request)
        return str(accepted["experimentId"])

    def experiment(self, experiment: str) -> Json:
        """The record of an experiment: its request, status, how many episodes there are, and how many are
        done."""
        return self._get(f"/experiments/{_quoted(experiment)}")

    def wait(self, experiment: str, *, seconds: float = 86_400.0, every: float = 2.0) -> Json:
        """Waits until an experiment has ended, and gives its record. Raises `NoAnswer` if it has not within
        `seconds`."""
        deadline = time.monotonic() + seconds
        while (record := self.experiment(experiment))["status"] == "running":
            if time.monotonic() >= deadline:
                done = f"{record.get('done')} of {record.get('episodes')} are done"
                raise NoAnswer(f"{experiment} has not ended within {seconds:g} s: {done}")
            time.sleep(every)
        return record

    def episodes(self, experiment: str) -> Iterator[Json]:
        """The records of an experiment's episodes, as the range has them."""
        start: int | None = 0
        while start is not None:
            page = self._get(f"/experiments/{_quoted(experiment)}/episodes?from={start}&limit=100")
            yield from page["episodes"]
            start = page["next"]

    def rows(self, experiment: str) -> list[Json]:
        """An experiment's episodes as rows for pandas: what the range measured, of built-in and of outside
        agents."""
        return list(self.report(experiment)["episodes"])

    def report(self, experiment: str) -> Json:
        """The report of an experiment: rates with intervals, by task, model and method."""
        return self._get(f"/experiments/{_quoted(experiment)}/report")

    def _get(self, path: str) -> Json:
        return self._http.ask("GET", path, within=SECONDS)


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="@")
