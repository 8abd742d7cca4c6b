"""Stage 3: preferences by DPO, from `microremed preferences export --format dpo --by automatic`."""

import argparse
import copy
import json
import random
from pathlib import Path

import torch
from cases import recipe_of
from names import renamed, words_of
from network import chances
from playbook import report_of, script_of
from store import load, save
from torch.nn import functional

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("recipe")
parser.add_argument("--model", required=True, help="folder of stage 2")
parser.add_argument("--pairs", action="append", required=True, help="file of JSON lines; may be repeated")
parser.add_argument("--out", required=True)
chosen = parser.parse_args()
torch.set_num_threads(1)
drawn = random.Random(3)
recipe = recipe_of(chosen.recipe)
settings = recipe["stage3"]
network, tokens = load(chosen.model)
before = copy.deepcopy(network).requires_grad_(False)
BETWEEN = "\0"


def script_in(messages):
    """The script of the playbook that was handed in; None: it was none of one shell task."""
    for message in messages:
        for call in message.get("tool_calls") or []:
            playbook = json.loads(call["function"]["arguments"]).get("playbook", "")
            if "ansible.builtin.shell: |\n" in playbook:
                return script_of(playbook)
    return None


def pairs_of(path):
    """Pairs as one text, so that both sides get the same names. Those of held-out workloads are left out."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        report = report_of("\n".join(message["content"] or "" for message in row["prompt"]))
        sides = [script_in(row[side]) for side in ("chosen", "rejected")]
        if report["target"] in trained(row) and report["fault"] in recipe["faults"] and None not in sides:
            yield {"report": report, "script": BETWEEN.join(sides)}


def trained(row):
    return recipe["systems"].get(row["metadata"]["environment"], {}).get("train", [])


pairs = [pair for path in chosen.pairs for pair in pairs_of(path)]
words = words_of(pairs)
print(f"{len(pairs)} pairs for training")
optimizer = torch.optim.AdamW(network.parameters(), lr=settings["rate"], betas=(0.9, 0.98), weight_decay=0.0)
for step in range(settings["steps"]):
    prompts, answers = [], []
    for _ in range(settings["batch"]):
        pair = drawn.choice(pairs)
        pair = renamed(pair, drawn, words) if drawn.random() < settings["renamed"] else pair
        for script in pair["script"].split(BETWEEN):
            prompts.append(tokens.prompt(pair["report"]))
            answers.append(tokens.script(pair["report"], script))
    optimizer.zero_grad()
    with torch.no_grad():
        was, _ = chances(before, prompts, answers)
    now, number = chances(network, prompts, answers)
    gained = now - was
    better, worse = gained[0::2], gained[1::2]
    margin = settings["beta"] * (better - worse)
    # What was chosen is to stay likely too: DPO alone may make both sides rarer.
    loss = -functional.logsigmoid(margin).mean() - settings["keep"] * (now[0::2] / number[0::2]).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    if step % 5 == 4:
        right = float((margin > 0).float().mean())
        print(f"step {step + 1}, loss {float(loss.detach()):.4f}, {right:.0%} of the pairs moved the right way", flush=True)
save(network, tokens, chosen.out)
