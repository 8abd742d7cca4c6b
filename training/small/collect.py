"""Stage 1, the examples: scripted experts repair the cases for training, and what left a clean system is kept."""

import argparse
import json
import re
import time

from cases import Experts, Trials, cases_of, recipe_of
from microremed.gym import Gym
from playbook import report_of, script_of

EXPERTS = ("reference/runbook", "reference/restart")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("recipe")
parser.add_argument("--models", required=True, help="address that `microremed reference-models` prints")
parser.add_argument("--n", type=int, default=200, help="cases")
parser.add_argument("--out", required=True, help="file of JSON lines")
chosen = parser.parse_args()
experts, trials = Experts(chosen.models), Trials(Gym())
counts = {}
begun = time.monotonic()
with open(chosen.out, "w", encoding="utf-8") as out:
    for number, case in enumerate(cases_of(recipe_of(chosen.recipe), "train", 1)[: chosen.n]):
        start = trials.begin(case)
        if start is None:
            continue
        with start:
            for expert in EXPERTS:
                playbook = experts.playbook(expert, start.text)
                earned = trials.play(start, case, playbook)
                is_kept = earned is not None and earned["clean"] == 1
                counts[expert, is_kept] = counts.get((expert, is_kept), 0) + 1
                row = {**case.__dict__, "expert": expert, "report": report_of(start.text), "earned": earned}
                if is_kept:
                    out.write(json.dumps({**row, "script": script_of(playbook)}) + "\n")
                    out.flush()
        if number % 10 == 9:
            print(f"{number + 1} cases, {time.monotonic() - begun:.0f} s", counts, flush=True)
