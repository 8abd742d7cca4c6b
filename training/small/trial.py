"""Tries networks and the experts on what no stage has seen, in the gym: recovered and clean with 95 % intervals, reward."""

import argparse
import json
import math
from pathlib import Path

import torch
from cases import Experts, Trials, cases_of, recipe_of
from microremed.gym import Gym
from network import write
from playbook import playbook_of, report_of
from store import load

EXPERTS = ("reference/noop", "reference/random", "reference/restart", "reference/runbook")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("recipe")
parser.add_argument("--models", help="address that `microremed reference-models` prints; absent: no experts")
parser.add_argument("--model", action="append", default=[], help="folder of a stage; may be repeated")
parser.add_argument("--n", type=int, default=80, help="cases of each part")
parser.add_argument("--out", required=True, help="file of JSON lines, an episode each; is added to")
chosen = parser.parse_args()
torch.set_num_threads(1)
networks = {Path(folder).name: load(folder) for folder in chosen.model}
experts = Experts(chosen.models) if chosen.models else None
trials = Trials(Gym())


def interval(passed, number):
    """Wilson's interval of 95 %."""
    z = 1.959964
    rate, more = passed / number, z * z / number
    middle = (rate + more / 2) / (1 + more)
    half = z / (1 + more) * math.sqrt(rate * (1 - rate) / number + more / 4 / number)
    return middle - half, middle + half


def parts():
    """Held-out workloads of systems that are trained on, and a system of which nothing is."""
    recipe = recipe_of(chosen.recipe)
    cases = cases_of(recipe, "held_out", 3)
    known = {name for name, of in recipe["systems"].items() if of.get("train")}
    yield "targets", [case for case in cases if case.environment in known]
    yield "system", [case for case in cases if case.environment not in known]


def playbooks(text, number):
    """Each model's playbook for the words of a case."""
    for expert in EXPERTS if experts else ():
        yield expert, experts.playbook(expert, text, number)
    for name, (network, tokens) in networks.items():
        (written,) = write(network, tokens.prompt(report_of(text)))
        yield name, playbook_of(tokens.text(written))


rows = []
with open(chosen.out, "a", encoding="utf-8") as out:
    for part, cases in parts():
        begun = 0
        for number, case in enumerate(cases):
            if begun == chosen.n:
                break
            start = trials.begin(case)
            if start is None:
                continue
            begun += 1
            with start:
                for model, playbook in playbooks(start.text, number):
                    row = {"part": part, "model": model, **case.__dict__, "earned": trials.play(start, case, playbook)}
                    rows.append(row)
                    out.write(json.dumps({**row, "playbook": playbook}) + "\n")
                    out.flush()
for part in ("targets", "system"):
    for model in dict.fromkeys(row["model"] for row in rows):
        of = [row["earned"] for row in rows if row["part"] == part and row["model"] == model and row["earned"]]
        if not of:
            continue
        words = []
        for name in ("recovered", "clean"):
            passed = sum(one[name] for one in of)
            low, high = interval(passed, len(of))
            words.append(f"{name} {passed / len(of):.0%} [{low * 100:.0f}, {high * 100:.0f}]")
        mean = sum(one["reward"] for one in of) / len(of)
        print(f"{part:<8} {model:<20} {len(of):>4} episodes  {'  '.join(words)}  reward {mean:.3f}")
