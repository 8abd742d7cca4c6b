"""A tiny model plays episodes of the gym (MICROREMED_GYM_URL) through SkyRL-Gym's interface."""

import skyrl_gym
import torch
from gym_tiny_model import model_of, tokenizer_of
from skyrl_gym.envs import register

register(id="microremed", entry_point="microremed.gym.skyrl:MicroRemedEnv")

metrics = []
for seed in range(2):
    env = skyrl_gym.make("microremed", extras={"case": {"fault": "pod-fail", "seed": seed}})
    messages, _ = env.init([])
    tokenizer = tokenizer_of([messages[0]["content"]])
    model = model_of(tokenizer)
    done = False
    while not done:
        ids = tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=False
        )
        with torch.no_grad():
            answer = model.generate(ids, max_new_tokens=16, do_sample=True)[0, ids.shape[1] :]
        text = tokenizer.decode(answer, skip_special_tokens=True)
        output = env.step(text)
        messages = [*messages, {"role": "assistant", "content": text}, *output["observations"]]
        done = output["done"]
    print(f"seed {seed}: {env.turns} answers, reward {output['reward']:.2f}")
    metrics.append(env.get_metrics())
    env.close()
print(env.aggregate_metrics(metrics))
