"""The gym as an environment of SkyRL-Gym 0.4 (`pip install skyrl-gym`).

    from skyrl_gym.envs import register

    register(id="microremed", entry_point="microremed.gym.skyrl:MicroRemedEnv")

A row of the data set has `env_class: "microremed"`, and in `case` what a reset takes (docs/gym.md). Its prompt may be
empty, or have a system message: the problem, the tools and how they are called come from the gym.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput, ConversationType

from .client import Gym
from .text_env import TextEnv


class MicroRemedEnv(BaseTextEnv):
    """One episode. `env_config` may name the gym (`url`), `extras["case"]` the case."""

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        url = (env_config or {}).get("url")
        self._env = TextEnv(Gym(url), (extras or {}).get("case"))
        self._metrics: dict[str, Any] = {}

    def init(self, prompt: ConversationType) -> tuple[ConversationType, dict[str, Any]]:
        words, info = self._env.begin(seed=None, options=None)
        self.max_turns = int(info["max_steps"])
        return [*(one for one in prompt if one["content"]), {"role": "user", "content": words}], info

    def step(self, action: str) -> BaseTextEnvStepOutput:
        self.turns += 1
        text, reward, terminated, truncated, info = self._env.act(action)
        over = terminated or truncated
        if over:
            self._metrics = {**info.get("reward_parts", {}), "harness_failed": float(truncated)}
        return BaseTextEnvStepOutput(
            observations=[] if over else [{"role": "user", "content": text}], reward=reward, done=over, metadata=info
        )

    def get_metrics(self) -> dict[str, Any]:
        """The parts of the reward."""
        return {name: float(value) for name, value in self._metrics.items() if value is not None}

    def close(self) -> None:
        self._env.end()
