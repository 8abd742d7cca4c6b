"""Stage 1: the network learns from scratch to write what the experts wrote."""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from cases import recipe_of
from names import renamed, words_of
from network import Network, chances
from store import load, save
from tokens import learn_tokens

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("recipe")
parser.add_argument("--examples", required=True, help="file that collect.py wrote")
parser.add_argument("--out", required=True)
parser.add_argument("--model", help="folder of a network that has gone through the rounds before --round")
parser.add_argument("--round", type=int, default=1, help="round to begin with")
chosen = parser.parse_args()
torch.set_num_threads(1)
torch.manual_seed(1)
recipe = recipe_of(chosen.recipe)
examples = [json.loads(line) for line in Path(chosen.examples).read_text(encoding="utf-8").splitlines()]
words = words_of(examples)
if chosen.model:
    network, tokens = load(chosen.model)
else:
    tokens = learn_tokens(examples)
    network = Network(len(tokens.texts), **recipe["network"])
print(f"{len(examples)} examples, {len(tokens.texts)} tokens, {sum(p.numel() for p in network.parameters())} weights")


def batch(settings, drawn, most):
    """Examples, most of them with made-up names, and at most so many tokens of each script."""
    for _ in range(settings["batch"]):
        example = drawn.choice(examples)
        other = renamed(example, drawn, words) if drawn.random() < settings["renamed"] else example
        yield tokens.prompt(other["report"]), tokens.script(other["report"], other["script"])[:most]


def most_tokens(short, step):
    """The first lines have the names already: to copy them is learned sooner where little else is to be written."""
    return short["tokens"] if step < short["steps"] or (short.get("every") and step % short["every"] == 0) else None


def learn(settings, drawn):
    """One round: the learning rate rises and falls once."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings["rate"], betas=(0.9, 0.98), weight_decay=0.01)
    begun, seen = time.process_time(), 0
    for step in range(settings["steps"]):
        down = (1 + math.cos(math.pi * step / settings["steps"])) / 2
        for group in optimizer.param_groups:
            group["lr"] = settings["rate"] * min(1, (step + 1) / settings["warmup"]) * (0.05 + 0.95 * down)
        pairs = sorted(batch(settings, drawn, most_tokens(settings["short"], step)), key=lambda pair: sum(map(len, pair)))
        optimizer.zero_grad()
        total = 0.0
        # In parts of like lengths, so that little is filled up.
        size = settings["batch"] // 2
        for at in range(0, len(pairs), size):
            prompts, answers = zip(*pairs[at : at + size])
            with torch.autocast("cpu", torch.bfloat16):
                said, number = chances(network, prompts, answers)
            loss = -said.sum() / number.sum() / 2
            loss.backward()
            total += float(loss.detach())
            seen += int(number.sum())
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 19:
            spent = time.process_time() - begun
            print(f"step {step + 1}, loss {total:.4f}, {seen} tokens written, {spent:.0f} s of CPU", flush=True)


for number, settings in enumerate(recipe["stage1"], 1):
    if number >= chosen.round:
        learn(settings, random.Random(number))
save(network, tokens, chosen.out)
