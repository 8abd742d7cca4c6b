"""Stage 2: reinforcement in the gym. Scripts of a group are tried on forks of one moment; better ones than the group's mean get likelier."""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import torch
from cases import Case, Trials, cases_of, recipe_of
from microremed.gym import Curriculum, Gym
from network import chances, write
from playbook import playbook_of, report_of
from store import load, save

LEAST_SPREAD = 0.05
"""Rewards of a group that differ by less are no reason for a whole step: a few requests more or less do that."""

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("recipe")
parser.add_argument("--model", required=True, help="folder of stage 1")
parser.add_argument("--out", required=True)
chosen = parser.parse_args()
torch.set_num_threads(1)
generator = torch.Generator().manual_seed(2)
recipe = recipe_of(chosen.recipe)
settings = recipe["stage2"]
network, tokens = load(chosen.model)
trials = Trials(Gym())
cases = cases_of(recipe, "train", 1)[: settings["cases"]]
curriculum = Curriculum([case.__dict__ for case in cases], size=settings["group"], seed=2)
optimizer = torch.optim.AdamW(network.parameters(), lr=settings["rate"], betas=(0.9, 0.98), weight_decay=0.0)


def begun(drawn):
    case = Case(**drawn)
    start = trials.begin(case)
    return None if start is None else (case, start)


def group_of(case, start, written):
    """What each script of a group earned, as the gym says; each different one is played once."""
    with start:
        playbooks = [playbook_of(tokens.text(answer)) for answer in written]
        return [trials.play(start, case, playbook) for playbook in playbooks]


at = time.monotonic()
for step in range(settings["steps"]):
    with ThreadPoolExecutor(settings["groups"]) as threads:
        starts = [one for one in threads.map(begun, [curriculum.draw() for _ in range(settings["groups"])]) if one]
        prompts = [tokens.prompt(report_of(start.text)) for _, start in starts]
        network.eval()
        said = [write(network, prompt, settings["group"], temperature=1.0, generator=generator) for prompt in prompts]
        played = list(threads.map(lambda one: group_of(*one[0], one[1]), zip(starts, said)))
    rows = []
    everything = []
    for (case, _), prompt, answers, earned in zip(starts, prompts, said, played):
        rewards = [None if one is None else one["reward"] for one in earned]
        curriculum.record(case.__dict__, rewards)
        known = [reward for reward in rewards if reward is not None]
        everything += known
        if len(known) < 2:
            continue
        mean, spread = statistics.mean(known), max(LEAST_SPREAD, statistics.pstdev(known))
        counted = {}
        for answer, reward in zip(answers, rewards):
            if reward is not None:
                counted[tuple(answer)] = counted.get(tuple(answer), 0.0) + (reward - mean) / spread
        rows += [(prompt, list(answer), gain) for answer, gain in counted.items() if abs(gain) > 1e-6]
    if rows:
        optimizer.zero_grad()
        prompts, answers, gains = zip(*rows)
        said, number = chances(network, prompts, answers)
        loss = -(torch.tensor(gains) * said / number.mean()).sum() / settings["group"] / settings["groups"]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    mean = statistics.mean(everything) if everything else float("nan")
    print(
        f"step {step + 1}, reward {mean:.3f}, {len(rows)} scripts with a gain, {trials.played} played, "
        f"{time.monotonic() - at:.0f} s, {time.process_time():.0f} s of CPU here",
        flush=True,
    )
print({name: round(value, 3) for name, value in curriculum.summary().items()})
save(network, tokens, chosen.out)
