"""The gym as an environment of Gymnasium (`pip install gymnasium`)."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import gymnasium

from .client import Gym
from .text_env import LONGEST, TextEnv

ASCII = string.printable
"""Of the texts of both spaces; other characters of an observation are escaped as in Python, such as \\u2014."""

_ALLOWED = frozenset(ASCII)


class MicroRemedEnv(gymnasium.Env[str, str]):
    """An episode a reset; see `TextEnv`: `MicroRemedEnv(case={"fault": "pod-fail"})`."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 Gymnasium's own form

    def __init__(self, gym: Gym | None = None, case: Mapping[str, Any] | None = None) -> None:
        self._env = TextEnv(gym, case, _escaped)
        self.observation_space = gymnasium.spaces.Text(LONGEST, min_length=0, charset=ASCII)
        self.action_space = gymnasium.spaces.Text(LONGEST, min_length=0, charset=ASCII)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        return self._env.begin(seed=seed, options=options)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        return self._env.act(action)

    def close(self) -> None:
        self._env.end()


def _escaped(text: str) -> str:
    return "".join(one if one in _ALLOWED else one.encode("unicode_escape").decode() for one in text)
