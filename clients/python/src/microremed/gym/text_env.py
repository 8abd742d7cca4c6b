"""An environment in the manner of Gymnasium: text in, text out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .client import Episode, Gym
from .words import opening

LONGEST = 262_144
"""Most characters of a text, both ways; the gym's own limit for what an agent says."""

SEEDS = 2**31
"""Seeds are below it."""

OWN = frozenset({"episode_id"})
"""Of an observation, what is another each time; the rest is the same for the same seed and actions."""


class TextEnv:
    """What Gymnasium's `reset` and `step` give. An observation is what the agent is given; the first one has the tools,
    too. An action is what the model wrote, with a call in it.

    `terminated`: the verdict is there. `truncated`: the harness failed, so that the episode says nothing of the agent;
    its reward is 0 and `info["error"]` says why. `case`: what a reset takes, see docs/gym.md; `options` of a reset are
    put over it. `readable` changes texts before they are given to the agent.
    """

    def __init__(
        self, gym: Gym | None = None, case: Mapping[str, Any] | None = None, readable: Callable[[str], str] = str
    ) -> None:
        self._gym = gym or Gym()
        self._case = dict(case or {})
        self._readable = readable
        self._seed = int(self._case.pop("seed", 0))
        self._episode: Episode | None = None

    def begin(self, *, seed: int | None, options: Mapping[str, Any] | None) -> tuple[str, dict[str, Any]]:
        """A new episode. Without a seed it is that after the last one."""
        self.end()
        self._seed = self._seed if seed is None else seed % SEEDS
        episode = self._gym.reset(**{**self._case, "seed": self._seed, **(options or {})})
        self._seed = (self._seed + 1) % SEEDS
        self._episode = episode
        return self._given(opening(episode.last, episode.tools)), _info(episode)

    def act(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """One answer of the agent."""
        if self._episode is None:
            raise RuntimeError("there is no episode: call reset first")
        result = self._episode.say(action[:LONGEST])
        terminated = result.done and result.reward is not None
        return (
            self._given(result.text),
            result.reward or 0.0,
            terminated,
            result.done and not terminated,
            _info(self._episode),
        )

    def end(self) -> None:
        """Forgets the episode, if there is one."""
        episode, self._episode = self._episode, None
        if episode is not None:
            episode.close()

    def _given(self, text: str) -> str:
        return self._readable(text)[:LONGEST]


def _info(episode: Episode) -> dict[str, Any]:
    return {name: value for name, value in episode.last.observation.items() if name not in OWN and name != "text"}
