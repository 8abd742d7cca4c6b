"""The gym as a taskset and an environment of verifiers 0.4 (`pip install verifiers`).

verifiers finds both by the name of a module at the top level, so make one:

    # microremed_gym.py
    from microremed.gym.verifiers import GymEnv, GymTaskset

    __all__ = ["GymEnv", "GymTaskset"]

and name it: `vf-eval microremed-gym --env.taskset.suite easy@1 --env.player.harness.id null`, or `uv run eval` of
prime-rl. The player needs no tools of its own: it is given the problem, the tools and how they are called as messages,
and the gym reads its answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from .client import Gym
from .words import opening


class GymData(vf.TaskData):
    """A case: what a reset takes."""

    url: str | None = None
    case: dict[str, Any] = Field(default_factory=dict)


class GymConfig(vf.TasksetConfig):
    """Which cases are tried, in which gym: every case of `suite`, or those of `cases`."""

    url: str | None = None
    """Default: MICROREMED_GYM_URL."""
    suite: str | None = None
    cases: list[dict[str, Any]] = Field(default_factory=list)
    seed: int = 0


class GymTask(vf.Task[GymData]):
    """A case."""


class GymTaskset(vf.Taskset[GymTask, GymConfig]):
    """A task for each case."""

    def load(self) -> Iterator[GymTask]:
        config = self.config
        cases = list(config.cases)
        if config.suite is not None:
            count = Gym(config.url).cases(config.suite)
            cases += [{"suite": config.suite, "case": number} for number in range(count)]
        if not cases:
            raise ValueError("name a suite or cases: --env.taskset.suite easy@1")
        for case in cases:
            name = " ".join(str(value) for value in case.values())
            data = GymData(name=name, prompt=None, url=config.url, case={"seed": config.seed, **case})
            yield GymTask(data, config.task)


class GymEnvConfig(vf.EnvConfig):
    """One agent, the player."""

    player: vf.AgentConfig = vf.AgentConfig()


class GymEnv(vf.Env[GymEnvConfig]):
    """The gym speaks as the user: each answer of the player is a step."""

    async def run(self, task: GymTask, agents: Any) -> None:
        data = task.data
        episode = await asyncio.to_thread(Gym(data.url).reset, **data.case)
        try:
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(opening(episode.last, episode.tools))
                while not segment.terminated and not episode.done:
                    result = await asyncio.to_thread(episode.say, segment.last_reply)
                    if not result.done:
                        segment = await interaction.turn(result.text)
            result = await asyncio.to_thread(episode.finish)
            reward = episode.reward
            if reward is None:
                raise RuntimeError(f"the harness failed, so the episode says nothing of the player: {result.error}")
            interaction.trace.record_reward("microremed", reward)
            parts = result.observation["reward_parts"].items()
            interaction.trace.record_metrics({name: float(value) for name, value in parts if value is not None})
        finally:
            await asyncio.to_thread(episode.close)
