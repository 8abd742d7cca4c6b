"""Several problems at once: a thread for each worker of a session."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from .agent import Solver
from .errors import MicroRemedError, NoAnswer, TurnOver
from .problem import Problem

if TYPE_CHECKING:
    from .session import Session

log = logging.getLogger("microremed")


def run_workers(
    session: Session,
    make_agent: Callable[[], Solver],
    *,
    parallel: int,
    stop_at_error: bool,
) -> None:
    """Returns when no problem is left; raises the first error that ends the run. See `Session.run`."""
    if parallel < 1:
        raise ValueError(f"parallel is {parallel}; expected at least 1")
    stop = threading.Event()
    errors: list[BaseException] = []

    def work(name: str) -> None:
        try:
            _solve_all(session, name, make_agent, stop, stop_at_error)
        except BaseException as error:
            errors.append(error)
            stop.set()

    threads = [
        threading.Thread(target=work, args=(f"w{n}",), name=f"worker {n}", daemon=True) for n in range(1, parallel + 1)
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            # In short waits: an error of another worker ends it, and Ctrl-C on every system.
            while thread.is_alive() and not errors:
                thread.join(0.1)
    except BaseException:
        stop.set()
        raise
    if errors:
        raise errors[0]


def _solve_all(
    session: Session,
    worker: str,
    make_agent: Callable[[], Solver],
    stop: threading.Event,
    stop_at_error: bool,
) -> None:
    agent: Solver | None = None
    for problem in session.worker(worker):
        if stop.is_set():
            return
        try:
            if agent is None or problem.turn == 1:
                agent = make_agent()
            agent.solve(problem)
        except TurnOver as over:
            log.info("%r: %s", problem, over)
            problem.ended = True
        except NoAnswer as error:
            # Of one call; if the range is gone, giving the problem up fails too.
            log.warning("%r: %s", problem, error)
            _note_error(problem, error)
        except MicroRemedError:
            raise
        except Exception as error:
            log.exception("the agent failed in %r", problem)
            _note_error(problem, error)
            if stop_at_error:
                raise


def _note_error(problem: Problem, error: Exception) -> None:
    text = "".join(traceback.format_exception_only(error)).strip()[:500]
    problem.note_error(text)
    problem.leave(text)
