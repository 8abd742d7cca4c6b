"""Agents: what a session needs of one, and those that answer in text, one action at a time."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar, runtime_checkable

from .actions import ActionError, document, instructions, read_action
from .problem import Answer, Problem

T = TypeVar("T")


class Solver(Protocol):
    """What `Session.run` needs: works on one turn of a problem, until it is submitted or left."""

    def solve(self, problem: Problem) -> object: ...


@runtime_checkable
class GetsAction(Protocol):
    """An agent as AIOpsLab has it: gets a text, answers with a text that has one action in it. `get_action`
    may be `async`."""

    def get_action(self, state: str, /) -> str | Awaitable[str]: ...


class Agent:
    """An agent that answers in text: derive from it and write `get_action`.

    `get_action(state)` gets the result of the action before, and returns a text with one action in a fenced block:

        ```
        exec_shell("kubectl get pods")
        ```

    For an agent that calls tools by itself, write `solve` instead. `problem` is the turn that it works on.
    """

    max_steps = 30
    """Actions in one turn. After them a repair is handed in as it is, and a question is given up."""

    problem: Problem

    def init_context(self, problem_desc: str, instructions: str, apis: dict[str, str]) -> None:
        """Called before a problem's first action: its words, how to answer, and each action's description by
        its name."""
        self.context = "\n\n".join([problem_desc, *(f"{name}\n{text}" for name, text in apis.items()), instructions])

    def get_action(self, state: str, /) -> str | Awaitable[str]:
        """The next action, in a text. `state`: what came of the one before."""
        raise NotImplementedError(f"{type(self).__name__} has neither get_action nor a solve of its own")

    def solve(self, problem: Problem) -> None:
        """Works on one turn of a problem, until it is over."""
        self.problem = problem
        solve_by_actions(self, problem, self.max_steps)


FIRST_STATE = "Please take the next action"
"""As AIOpsLab words it."""


def solve_by_actions(agent: GetsAction, problem: Problem, max_steps: int = 30) -> None:
    """Works on one turn with an agent that answers in text.

    In a problem's first turn the agent's `init_context` is called, if it has one. A further one begins with
    what came of the one before, or the next question, and with how to answer.
    """
    in_own_loop(lambda: _solve(agent, problem, max_steps))


async def _solve(agent: GetsAction, problem: Problem, max_steps: int) -> None:
    state = FIRST_STATE
    if problem.turn == 1:
        begin = getattr(agent, "init_context", None)
        if begin is not None:
            begin(problem.words, instructions(problem), document(problem))
        else:
            state = "\n\n".join([problem.words, *document(problem).values(), instructions(problem)])
    else:
        # The next task of a cycle asks for another answer.
        state = "\n\n".join([problem.words, document(problem)["submit"], instructions(problem)])
    for _ in range(max_steps):
        given = agent.get_action(state)
        text = await given if inspect.isawaitable(given) else given
        answer = take_action(problem, str(text))
        if answer.ended:
            return
        state = f"{answer.text}\n{FIRST_STATE}"
    hand_in_unfinished(problem, max_steps)


def take_action(problem: Problem, text: str) -> Answer:
    """Makes the call that a text has. A text without one is answered with what is wrong with it."""
    try:
        action = read_action(text, problem)
    except ActionError as error:
        return Answer(str(error), ran=False, ended=False)
    return problem.call_as_said(action.tool, action.arguments)


def hand_in_unfinished(problem: Problem, steps: int) -> None:
    """At the end of the steps a repair is measured as it is; a question has no answer."""
    if problem.asks is None:
        problem.submit()
    else:
        problem.leave(f"no answer after {steps} steps")


def in_own_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs a coroutine to its end, also in a notebook, where a loop is running in this thread already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="agent")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
