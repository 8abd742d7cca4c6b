"""Which case is tried next, and what became of those before."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Case = Mapping[str, Any]
"""What a reset takes, such as `{"fault": "pod-fail"}` or `{"suite": "easy@1", "case": 3}`."""


@dataclass
class _Record:
    """What episodes of one case earned: the last ones, and how many there were."""

    rewards: deque[float]
    episodes: int = 0
    passed: int = 0


@dataclass(frozen=True)
class Row:
    """A case in the table. `pass_rate` and `reward` are those of the last episodes, None where there are none."""

    case: str
    episodes: int
    passed: int
    pass_rate: float | None
    reward: float | None
    weight: float


@dataclass
class Curriculum:
    """Draws cases by their pass rate.

    Where the advantage of a rollout is its reward less its group's mean, a group that all pass or all fail teaches
    nothing. So a case is drawn by the probability that of a group of `size` some pass and some do not, at the rate at
    which its last `window` episodes passed, and with one pass and one failure more, so that a new case is tried. No
    case is drawn less than `least` as often as the best one: what a model could not do it may have learned.

    A case without a seed gets one of `courses` (the gym's --variants): each is a start of its own, which the gym keeps.
    `passes`: the reward above which an episode has passed. Not for several threads at once.
    """

    cases: Sequence[Case]
    size: int = 8
    window: int = 32
    least: float = 0.05
    passes: float = 0.5
    courses: int = 4
    seed: int = 0
    clock: Callable[[], float] = time.monotonic
    _random: random.Random = field(init=False, repr=False)
    _records: dict[str, _Record] = field(init=False, repr=False)
    _spreads: deque[float] = field(init=False, repr=False)
    _begun: float | None = field(init=False, default=None, repr=False)
    _failed: int = field(init=False, default=0, repr=False)

    def __post_init__(self) -> None:
        if not self.cases:
            raise ValueError("cases: at least one")
        if self.size < 2:
            raise ValueError(f"size: a group of at least 2, not {self.size}")
        if self.window < 1 or self.courses < 1 or not 0 <= self.least <= 1:
            raise ValueError("window and courses: at least 1; least: from 0 to 1")
        self._random = random.Random(self.seed)
        self._records = {name_of(case): _Record(deque(maxlen=self.window)) for case in self.cases}
        if len(self._records) < len(self.cases):
            raise ValueError("cases: one of them is there twice")
        self._spreads = deque(maxlen=self.window)

    def draw(self) -> dict[str, Any]:
        """The case of the next group, with a seed."""
        if self._begun is None:
            self._begun = self.clock()
        weights = [self.weight(case) for case in self.cases]
        (case,) = self._random.choices(self.cases, weights)
        return {"seed": self._random.randrange(self.courses), **case}

    def weight(self, case: Case) -> float:
        """How often it is drawn, from `least` to 1."""
        rewards = self._record(case).rewards
        rate = (sum(one > self.passes for one in rewards) + 1) / (len(rewards) + 2)
        mixed = 1 - rate**self.size - (1 - rate) ** self.size
        return max(self.least, mixed)

    def record(self, case: Case, rewards: Sequence[float | None]) -> None:
        """What the episodes of one group of this case earned; None, where the harness failed, counts in no rate."""
        known = [one for one in rewards if one is not None]
        record = self._record(case)
        record.rewards.extend(known)
        record.episodes += len(known)
        record.passed += sum(one > self.passes for one in known)
        self._failed += len(rewards) - len(known)
        if len(known) > 1:
            self._spreads.append(statistics.pstdev(known))

    def table(self) -> list[Row]:
        """A row for each case, in the order of the cases."""
        return [self._row(case) for case in self.cases]

    def summary(self) -> dict[str, float]:
        """Over the last groups: pass rate, reward, its spread within a group, share of groups that teach something;
        and since the first draw: episodes, episodes a second, and those that the harness failed."""
        rewards = [one for record in self._records.values() for one in record.rewards]
        episodes = sum(record.episodes for record in self._records.values())
        seconds = 0.0 if self._begun is None else self.clock() - self._begun
        return {
            "pass_rate": _mean([float(one > self.passes) for one in rewards]),
            "reward": _mean(rewards),
            "reward_spread": _mean(list(self._spreads)),
            "groups_with_spread": _mean([float(one > 0) for one in self._spreads]),
            "episodes": float(episodes),
            "episodes_per_second": episodes / seconds if seconds > 0 else 0.0,
            "harness_failures": float(self._failed),
        }

    def case_of(self, drawn: Case) -> Case:
        """The one of `cases` that was drawn: the seed may be the curriculum's."""
        for case in (drawn, _without_seed(drawn)):
            if name_of(case) in self._records:
                return case
        raise ValueError(f"{name_of(drawn)} is none of the curriculum's cases")

    def _record(self, case: Case) -> _Record:
        return self._records[name_of(self.case_of(case))]

    def _row(self, case: Case) -> Row:
        record = self._record(case)
        last = list(record.rewards)
        rate = _mean([float(one > self.passes) for one in last]) if last else None
        return Row(
            name_of(case), record.episodes, record.passed, rate, _mean(last) if last else None, self.weight(case)
        )


def name_of(case: Case) -> str:
    """A case in one line, for tables and logs."""
    match dict(case):
        case {"fault": str(fault), **rest} if not rest:
            return fault
        case {"suite": str(suite), "case": int(number), **rest} if not rest:
            return f"{suite}#{number}"
        case whole:
            return json.dumps(whole, sort_keys=True)


def _without_seed(case: Case) -> Case:
    return {name: value for name, value in case.items() if name != "seed"}


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0
