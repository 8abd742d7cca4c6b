"""Results as rows: plain dictionaries, which `pandas.DataFrame(rows)` takes as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, cast

from ._http import Json

PASSED = frozenset({"remediated", "solved"})
FAILED = frozenset({"not-remediated", "not-solved"})


class Row(TypedDict):
    """One problem of one session, as the agent's side knows it."""

    session: str
    experiment: str
    agent: str
    problem: str
    task: str
    """Of a cycle, its tasks in order, with + between them."""
    attempts: int
    outcome: str | None
    """None: the problem is not over, or the session withholds it (`reveal="nothing"`)."""
    passed: bool | None
    """None: the outcome is not known, or says nothing of the agent, such as a harness error."""
    calls: int
    refused: int
    """Calls that were not run: wrong arguments, a limit, an unknown tool."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """US dollars, as the agent said; None: it did not."""
    think_seconds: float
    """Between an answer and the next call, on the agent's machine."""
    tool_seconds: float
    answer: dict[str, Any] | None
    """That was handed in last."""
    error: str | None
    """What ended the agent's work on the problem before it had submitted."""


class Score(TypedDict):
    """How many problems were passed, with a 95 % interval (Wilson). Outcomes that say nothing of the agent
    are in neither number."""

    problems: int
    passed: int
    rate: float | None
    """None: no problem has an outcome that counts."""
    low: float | None
    high: float | None
    not_counted: int
    """Harness errors, cancelled, withheld."""


def score(rows: Iterable[Mapping[str, Any]]) -> Score:
    """The share of rows that were passed. Takes the rows of sessions and of `Range.rows`."""
    known = [passed_of(row["outcome"]) for row in rows]
    counted = [passed for passed in known if passed is not None]
    n, passed = len(counted), sum(counted)
    low, high = _wilson(passed, n) if n else (None, None)
    return Score(
        problems=n,
        passed=passed,
        rate=passed / n if n else None,
        low=low,
        high=high,
        not_counted=len(known) - n,
    )


def passed_of(outcome: str | None) -> bool | None:
    """None: it says nothing of the agent."""
    if outcome in PASSED:
        return True
    return False if outcome in FAILED else None


def new_row(session: str, experiment: str, agent: str, problem: str) -> Json:
    """Of a problem that has begun."""
    row = Row(
        session=session,
        experiment=experiment,
        agent=agent,
        problem=problem,
        task="",
        attempts=0,
        outcome=None,
        passed=None,
        calls=0,
        refused=0,
        prompt_tokens=0,
        completion_tokens=0,
        cost=None,
        think_seconds=0.0,
        tool_seconds=0.0,
        answer=None,
        error=None,
    )
    return cast(Json, row)


def _wilson(passed: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    rate = passed / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Without the rest of a division: of all passed the upper bound is 1.
    return max(0.0, round(middle - half, 12)), min(1.0, round(middle + half, 12))
