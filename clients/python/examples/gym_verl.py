"""verl's agent loop of the gym (MICROREMED_GYM_URL) with a tiny model in the place of verl's inference servers,
which need a GPU: two trajectories, as verl's workers ask for them."""

import asyncio
from types import SimpleNamespace

import torch
from gym_tiny_model import model_of, tokenizer_of
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import DictConfigWrap
from verl.workers.rollout.replica import TokenOutput

from microremed.gym import Gym, opening
from microremed.gym.verl import GymAgentLoop

case = {"fault": "pod-fail", "seed": 1}
with Gym().reset(**case) as episode:
    tokenizer = tokenizer_of([opening(episode.last, episode.tools)])
model = model_of(tokenizer)


class Server:
    """What verl's client of its inference servers answers."""

    async def generate(self, request_id, *, prompt_ids, sampling_params, **_):
        ids = torch.tensor([prompt_ids])
        with torch.no_grad():
            answer = model.generate(ids, do_sample=True, **sampling_params)[0, len(prompt_ids) :].tolist()
        return TokenOutput(token_ids=answer, log_probs=[0.0] * len(answer))


async def main():
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": {"prompt_length": 8192, "response_length": 512}}})
    loop = GymAgentLoop(
        trainer_config=DictConfigWrap(config),
        server_manager=Server(),
        tokenizer=tokenizer,
        processor=None,
        dataset_cls=SimpleNamespace,
        data_config=DictConfigWrap(OmegaConf.create({})),
        hf_model_type="qwen2",
    )
    row = {"raw_prompt": [], "extra_info": {"case": case}}
    for output in await asyncio.gather(*(loop.run({"max_new_tokens": 16}, **row) for _ in range(2))):
        assert len(output.response_ids) == len(output.response_mask)
        own = sum(output.response_mask)
        whole = len(output.response_ids)
        print(f"reward {output.reward_score:.2f}, {output.num_turns} turns, {own} of {whole} tokens its own")


asyncio.run(main())
