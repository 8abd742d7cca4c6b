"""The gym as an agent loop of verl 0.9 (`pip install verl`).

    # agent_loops.yaml, named by actor_rollout_ref.rollout.agent.agent_loop_config_path
    - name: microremed
      _target_: microremed.gym.verl.GymAgentLoop

A row of the data set has `agent_name: microremed`, any prompt, and in `extra_info.case` what a reset takes
(docs/gym.md). Rows of one case and seed begin at the same moment, so rollouts of one prompt are comparable; the gym
makes its start once. The episode's reward is the reward of the trajectory.
"""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput, register

from .client import Gym
from .words import opening


@register("microremed")
class GymAgentLoop(AgentLoopBase):
    """One trajectory: the model writes its calls as text."""

    def __init__(self, *args: Any, url: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gym = Gym(url)

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        case = (row.get("extra_info") or {}).get("case") or {}
        episode = await asyncio.to_thread(self._gym.reset, **case)
        try:
            return await self._play(episode, sampling_params)
        finally:
            await asyncio.to_thread(episode.close)

    async def _play(self, episode: Any, sampling_params: dict[str, Any]) -> AgentLoopOutput:
        messages = [{"role": "user", "content": opening(episode.last, episode.tools)}]
        tokens = await self.ct_build_initial_tokens(messages)
        first = len(tokens)
        mask: list[int] = []
        logprobs: list[float] | None = None
        most = self.rollout_config.response_length
        request, turns = uuid4().hex, 0
        while not episode.done and len(mask) < most:
            answer = await self.server_manager.generate(
                request_id=request, prompt_ids=tokens, sampling_params=sampling_params
            )
            turns += 1
            logprobs = [] if logprobs is None and answer.log_probs else logprobs
            merged, mask, logprobs = await self.ct_merge_assistant_token(
                tokens, answer.token_ids, mask, logprobs, assistant_logprobs=answer.log_probs or None
            )
            tokens = merged.token_ids
            said = self.tokenizer.decode(answer.token_ids, skip_special_tokens=True)
            result = await asyncio.to_thread(episode.say, said)
            if result.done:
                break
            before = [*messages, {"role": "assistant", "content": said}]
            messages = [*before, {"role": "user", "content": result.text}]
            merged, mask, logprobs = await self.ct_merge_context_msg(before, messages, tokens, mask, logprobs)
            tokens = merged.token_ids
        await asyncio.to_thread(episode.finish)
        reward = episode.reward
        output = AgentLoopOutput(
            prompt_ids=tokens[:first],
            response_ids=tokens[first:][:most],
            response_mask=mask[:most],
            response_logprobs=None if logprobs is None else logprobs[:most],
            # verl has no reward that is none: a failure of the harness is 0, and `harness_failed` says so.
            reward_score=reward or 0.0,
            num_turns=1 + 2 * turns,
            metrics=AgentLoopMetrics(),
        )
        output.extra_fields.update({"turn_scores": [], "tool_rewards": [], "harness_failed": reward is None})
        return output
