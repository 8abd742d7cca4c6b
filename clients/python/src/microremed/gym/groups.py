"""Groups of episodes that begin at the same moment, as GRPO compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .client import Episode, Gym
from .curriculum import Curriculum


@dataclass
class Group:
    """Episodes of one case, forks of one moment."""

    case: dict[str, Any]
    episodes: list[Episode]
    _given: int = field(default=0, repr=False)

    @property
    def used_up(self) -> bool:
        return self._given == len(self.episodes)

    def take(self) -> Episode:
        """The next of them."""
        self._given += 1
        return self.episodes[self._given - 1]

    def finish(self) -> list[float | None]:
        """Ends those that are not over, forgets all, and gives their rewards."""
        for one in self.episodes:
            one.finish()
        rewards = [one.reward for one in self.episodes]
        self.close()
        return rewards

    def close(self) -> None:
        for one in self.episodes:
            one.close()


class Groups:
    """Hands out episodes one by one: `size` of one case, then as many of the next, which the curriculum draws.

    Trainers that compare groups ask for the episodes of a group one after the other.
    """

    def __init__(self, gym: Gym, curriculum: Curriculum) -> None:
        self._gym = gym
        self.curriculum = curriculum
        self._current: Group | None = None

    def take(self) -> tuple[Group, Episode]:
        """The next episode, and the group that it is of."""
        if self._current is None or self._current.used_up:
            case = self.curriculum.draw()
            self._current = Group(case, self._gym.group(self.curriculum.size, **case))
        return self._current, self._current.take()

    def finish(self, groups: Sequence[Group]) -> list[list[float]]:
        """The rewards of these groups, which the curriculum keeps. An episode that ended without a reward has the
        least of its group, and 0 at most: no policy gains by ending one so."""
        found = []
        for group in groups:
            rewards = group.finish()
            self.curriculum.record(group.case, rewards)
            known = [one for one in rewards if one is not None]
            least = min([0.0, *known])
            found.append([least if one is None else one for one in rewards])
            if group is self._current:
                self._current = None
        return found
