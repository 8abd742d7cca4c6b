"""AIOpsLab's agents on a range: their loop with another import, or their agents in `Session.run`.

    from microremed.aiopslab import Orchestrator, ProblemRegistry

in the place of `aiopslab.orchestrator` and `aiopslab.orchestrator.problems.registry` runs a loop of AIOpsLab as it is.
`adapt` makes an agent of theirs one for `Session.run`, which tries several problems at once. An agent may be
anything with `get_action(state)`, `async` or not, and perhaps `init_context(problem_desc, instructions, apis)`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import pathlib
import re
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from .actions import document, instructions
from .agent import FIRST_STATE, GetsAction, hand_in_unfinished, solve_by_actions, take_action
from .errors import MicroRemedError
from .problem import Problem
from .range import Range
from .session import Session

TASKS = ("detection", "localization", "analysis", "mitigation")
"""That AIOpsLab has."""

LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(@[A-Za-z0-9][A-Za-z0-9._-]*)?")
"""An agent's name in reports, perhaps with a version."""


class ProblemRegistry:
    """The problems of a suite that can be run here, by their names without the suite's.

    `suite`: default MICROREMED_SUITE, or `aiopslab@1`, which has AIOpsLab's own names. `most`: as many of them,
    evenly spread over the suite; default MICROREMED_PROBLEMS, or all. The gateway lists problems for a researcher's
    token.
    """

    def __init__(self, suite: str | None = None, most: int | None = None, on: Range | None = None) -> None:
        self.range = on or Range()
        self.suite = suite or os.environ.get("MICROREMED_SUITE") or "aiopslab@1"
        if most is None and (wanted := os.environ.get("MICROREMED_PROBLEMS")):
            if not wanted.isdecimal():
                raise MicroRemedError(f"MICROREMED_PROBLEMS is {wanted!r}; expected how many problems to run, e.g. 20")
            most = int(wanted)
        names = {
            _name(one["id"], task, one["tasks"]): (one["id"], task)
            for one in self.range.problems(self.suite)
            for task in one["tasks"]
            if task in TASKS
        }
        if not names:
            raise MicroRemedError(
                f"no problem of {self.suite} can be run here; `npx microremed problems list {self.suite}` says why"
            )
        self.PROBLEM_REGISTRY: dict[str, tuple[str, str]] = {name: names[name] for name in _spread(list(names), most)}

    def get_problem_ids(self, task_type: str | None = None) -> list[str]:
        """The names of the problems of one task, or of all."""
        return [name for name, (_, task) in self.PROBLEM_REGISTRY.items() if task_type in (None, task)]

    def get_problem_count(self, task_type: str | None = None) -> int:
        """How many `get_problem_ids` gives."""
        return len(self.get_problem_ids(task_type))


def _name(problem: str, task: str, tasks: list[str]) -> str:
    name = problem.split("/", 1)[-1]
    return name if len(tasks) == 1 else f"{name}-{task}"


def _spread(names: list[str], most: int | None) -> list[str]:
    if most is None or most >= len(names):
        return names
    return [names[index * len(names) // most] for index in range(most)]


class Orchestrator:
    """One problem at a time for one agent, with the methods that AIOpsLab's loops use.

    Each problem is a session of its own, with one attempt. Environment, fault and verdict are the range's. What came
    of a problem is printed, and written as JSON into `results_dir` if there is one.
    """

    def __init__(self, results_dir: str | os.PathLike[str] | None = None, on: Range | None = None) -> None:
        self.range = on or Range()
        self.results_dir = None if results_dir is None else pathlib.Path(results_dir)
        self.agent: GetsAction | None = None
        self.agent_name = "agent"
        self.probs: ProblemRegistry | None = None
        self._id = ""
        self._session: Session | None = None
        self._problem: Problem | None = None
        self._began = time.monotonic()

    def register_agent(self, agent: GetsAction, name: str = "agent") -> None:
        """Whose actions the next problem takes. Reports have it under its name."""
        self.agent = agent
        self.agent_name = (
            name if LABEL.fullmatch(name) else re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60] or "agent"
        )

    def init_problem(self, problem_id: str) -> tuple[str, str, dict[str, str]]:
        """Prepares a problem, by its name in `ProblemRegistry` or by its full id. Gives its words, how to
        answer, and the actions."""
        self.close()
        self._began = time.monotonic()
        self._id = problem_id
        problem, task = self._found(problem_id)
        self._session = self.range.session(self.agent_name, problem=problem, task=task, max_attempts=1)
        try:
            self._problem = self._session.next()
            if self._problem is None:
                raise MicroRemedError(
                    f"{problem_id} came to nothing before its agent was asked: {self._session.show()}"
                )
        except BaseException:
            self.close()
            raise
        return self._problem.words, instructions(self._problem), document(self._problem)

    async def start_problem(self, max_steps: int) -> dict[str, Any]:
        """Asks the agent for actions until it submits, or `max_steps` times. Gives the history, what came of
        it, and results.

        What the agent raises ends the problem unsolved, and is raised again.
        """
        session, problem, agent = self._session, self._problem, self.agent
        if session is None or problem is None or agent is None:
            raise MicroRemedError("call register_agent and init_problem first")
        history: list[dict[str, str]] = []
        try:
            began = time.monotonic()
            steps = await _act(agent, problem, max_steps, history)
            seconds = time.monotonic() - began
            await asyncio.to_thread(session.next)
        except BaseException as error:
            if not problem.ended and not isinstance(error, MicroRemedError):
                await asyncio.to_thread(problem.leave, repr(error))
            raise
        finally:
            await asyncio.to_thread(self.close)
        row = session.rows()[0]
        results = {
            "success": row["passed"],
            "outcome": row["outcome"],
            "steps": steps,
            "seconds": seconds,
            **row,
        }
        output = {
            "history": history,
            "final_state": history[-1]["content"] if history else "",
            "results": results,
            "framework_overhead": time.monotonic() - self._began - seconds,
        }
        self._report(session.id, output)
        return output

    def _report(self, session: str, output: dict[str, Any]) -> None:
        results = output["results"]
        print(f"{self._id}: {results['outcome']} after {results['steps']} actions", flush=True)
        if self.results_dir is not None:
            self.results_dir.mkdir(parents=True, exist_ok=True)
            record = {"agent": self.agent_name, "session_id": session, "problem_id": self._id, **output}
            (self.results_dir / f"{session}.json").write_text(json.dumps(record, indent=2))

    def close(self) -> None:
        """Gives up what is under way."""
        session, self._session, self._problem = self._session, None, None
        if session is not None:
            session.close()

    def _found(self, problem_id: str) -> tuple[str, str | None]:
        if "/" in problem_id:
            return problem_id, None
        self.probs = self.probs or ProblemRegistry(on=self.range)
        if problem_id not in self.probs.PROBLEM_REGISTRY:
            raise ValueError(f"Problem ID {problem_id} not found in registry.")
        return self.probs.PROBLEM_REGISTRY[problem_id]


async def _act(agent: GetsAction, problem: Problem, max_steps: int, history: list[dict[str, str]]) -> int:
    """How many actions it took."""
    state = FIRST_STATE
    for step in range(1, max_steps + 1):
        given = agent.get_action(state)
        text = str(await given if inspect.isawaitable(given) else given)
        history.append({"role": "assistant", "content": text})
        answer = await asyncio.to_thread(take_action, problem, text)
        history.append({"role": "env", "content": answer.text})
        if answer.ended:
            return step
        state = f"{answer.text}\n{FIRST_STATE}"
    await asyncio.to_thread(hand_in_unfinished, problem, max_steps)
    return max_steps


class Adapted:
    """An agent of AIOpsLab's for `Session.run`, made again for each problem."""

    def __init__(self, make_agent: Callable[[], GetsAction], max_steps: int) -> None:
        self._make_agent = make_agent
        self._max_steps = max_steps
        self._agent: GetsAction | None = None

    def solve(self, problem: Problem) -> None:
        """Works on one turn of a problem."""
        if self._agent is None or problem.turn == 1:
            self._agent = self._make_agent()
        solve_by_actions(self._agent, problem, self._max_steps)


def adapt(make_agent: Callable[[], GetsAction], max_steps: int = 30) -> Callable[[], Adapted]:
    """What `Session.run` takes, of a class of AIOpsLab's agents: `session.run(adapt(GPTAgent), parallel=3)`."""
    return lambda: Adapted(make_agent, max_steps)


def replace_aiopslab() -> None:
    """From now on `aiopslab.orchestrator` is this module: files of AIOpsLab that import it run unchanged,
    without AIOpsLab's own requirements for clusters. Raises `MicroRemedError` when AIOpsLab's own is
    imported already."""
    names = [
        "aiopslab",
        "aiopslab.orchestrator",
        "aiopslab.orchestrator.problems",
        "aiopslab.orchestrator.problems.registry",
    ]
    if any(name in sys.modules and not hasattr(sys.modules[name], "__microremed__") for name in names):
        raise MicroRemedError("aiopslab is imported already; call replace_aiopslab before anything that imports it")
    for name in names:
        module = types.ModuleType(name)
        module.__dict__.update(
            __microremed__=True, __path__=[], Orchestrator=Orchestrator, ProblemRegistry=ProblemRegistry
        )
        sys.modules[name] = module
