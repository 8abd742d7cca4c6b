"""The cases of the recipe, the experts that are asked, and what a playbook earns in the gym."""

import json
import random
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[2] / "clients/python/src"))
from microremed import MicroRemedError

COURSES = 4
"""Courses of a case: --variants of the gym."""


@dataclass(frozen=True)
class Case:
    """A fault on a workload of a system."""

    environment: str
    fault: str
    target: str
    seed: int

    @property
    def request(self):
        return {
            "environment": self.environment,
            "fault": self.fault,
            "target": self.target,
            "seed": self.seed,
            "acting": "playbook",
            "max_attempts": 1,
        }

    @property
    def name(self):
        return f"{self.environment}/{self.target}/{self.fault}/{self.seed}"


def recipe_of(path):
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def cases_of(recipe, part, seed):
    """All cases of a part, `train` or `held_out`, in an order that the seed draws."""
    drawn = random.Random(f"{part} {seed}")
    cases = [
        Case(environment, fault, target, drawn.randrange(COURSES))
        for environment, parts in recipe["systems"].items()
        for target in parts.get(part, [])
        for fault in recipe["faults"]
    ]
    drawn.shuffle(cases)
    return cases


class Experts:
    """The scripted experts, served by `microremed reference-models`."""

    def __init__(self, url):
        self._url = f"{url}/chat/completions"

    def playbook(self, model, text, seed=0):
        """What a model hands in that is given the words of a case, and can do nothing else."""
        tools = [{"type": "function", "function": {"name": "print_playbook"}}]
        body = {"model": model, "messages": [{"role": "user", "content": text}], "tools": tools, "seed": seed}
        request = urllib.request.Request(
            self._url, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            (choice,) = json.load(answer)["choices"]
        return json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"])["playbook"]


class Trials:
    """Episodes of the gym. One playbook is played once for each case: the same bytes come of it every time."""

    def __init__(self, gym):
        self._gym = gym
        self._earned = {}
        self.played = 0

    def begin(self, case):
        """The first moment of a case; None: it cannot be begun there, and why is printed."""
        try:
            return self._gym.reset(**case.request)
        except MicroRemedError as error:
            print(f"left out {case.name}: {str(error)[:150]}", flush=True)
            return None

    def play(self, start, case, playbook):
        """Reward and its parts of a playbook, on a fork of the start; None: the harness failed."""
        key = (case, playbook)
        if key not in self._earned:
            self.played += 1
            (fork,) = start.fork(1)
            with fork:
                result = fork.call("print_playbook", playbook=playbook)
                result = result if result.done else fork.finish()
                parts = result.observation.get("reward_parts")
                self._earned[key] = None if result.reward is None else {"reward": result.reward, **parts}
        return self._earned[key]
