"""Episodes of a gym, over HTTP."""

from __future__ import annotations

import urllib.parse
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from .._http import GYM, Http, Json, expect
from ..errors import MicroRemedError
from ..problem import Tool

SPARE = 60.0
"""Beyond a step's own deadline, seconds: the gym says itself that it is over."""

MOST_ENDS = 100
"""Times that `finish` hands something in: an episode has at most 20 attempts for each of its tasks."""


@dataclass(frozen=True)
class Result:
    """What came of a reset or a step."""

    text: str
    """For the agent: the problem's words, the tool's answer, or what came of the attempt."""
    reward: float | None
    """None: there is none yet, or the harness failed and the episode says nothing of the agent."""
    done: bool
    observation: Json
    """All of it, as docs/gym.md describes it; of an episode that is over with `reward_parts`, or `error`."""

    @property
    def error(self) -> str | None:
        """Why the episode is over without a reward: leave it out."""
        found = self.observation.get("error")
        return None if found is None else str(found)


class Gym:
    """A gym: `Gym(url, token)`, or `Gym()` with MICROREMED_GYM_URL (default http://127.0.0.1:8000) and
    MICROREMED_GYM_TOKEN, which a gym that serves this machine alone does not need.

    Errors are `MicroRemedError`. Any number of threads may share it. `seconds`: of one reset or step.
    """

    def __init__(self, url: str | None = None, token: str | None = None, *, seconds: float = 600.0) -> None:
        if not 0 < seconds <= 3_600:
            raise ValueError(f"seconds: more than 0, at most 3600, not {seconds}")
        self._http = Http(url, token, GYM)
        self._seconds = seconds
        self.url = self._http.url

    def __repr__(self) -> str:
        return f"<Gym {self.url}>"

    def health(self) -> Json:
        """Its status, and how many episodes are open of how many."""
        return self._http.ask("GET", "/health", within=SPARE)

    def cases(self, suite: str) -> int:
        """How many cases a suite has; `reset(suite=suite, case=number)` begins one of them, from 0."""
        query = urllib.parse.urlencode({"suite": suite})
        return int(expect(self._http.ask("GET", f"/cases?{query}", within=self._seconds), "cases")["cases"])

    def reset(self, **case: Any) -> Episode:
        """Begins an episode; `case` is what docs/gym.md lists for a reset. The same case and seed: the same bytes."""
        answer = self._http.ask("POST", "/reset", case, within=self._seconds + SPARE, again="episode_id" not in case)
        return Episode(self, result_of(answer))

    def group(self, size: int, **case: Any) -> list[Episode]:
        """So many episodes that go on from one moment: the start is made once, and forked."""
        first = self.reset(**case)
        try:
            return [first, *(first.fork(size - 1) if size > 1 else [])]
        except BaseException:
            first.close()
            raise

    def _step(self, episode: str, action: Json) -> Result:
        body = {"episode_id": episode, "action": action, "timeout_s": self._seconds}
        # Not again after a broken connection: the step may have been done.
        return result_of(self._http.ask("POST", "/step", body, within=self._seconds + SPARE, again=False))

    def _fork(self, episode: str, n: int) -> list[Episode]:
        body = {"episode_id": episode, "n": n}
        answer = expect(self._http.ask("POST", "/fork", body, within=self._seconds, again=False), "forks")
        return [Episode(self, result_of(one)) for one in answer["forks"]]

    def _state(self, episode: str) -> Json:
        query = urllib.parse.urlencode({"episode_id": episode})
        return self._http.ask("GET", f"/state?{query}", within=self._seconds)

    def _close(self, episode: str) -> None:
        self._http.ask("DELETE", f"/episodes/{urllib.parse.quote(episode, safe='')}", within=SPARE)


class Episode:
    """One episode, and what came of it last. `with` closes it at the end."""

    def __init__(self, gym: Gym, first: Result) -> None:
        self._gym = gym
        self.id = str(expect(first.observation, "episode_id")["episode_id"])
        self.last = first
        self._earned = 0.0
        self.tools: list[Tool] = list(first.observation.get("tools", []))
        """What may be called now, each with the JSON schema of its arguments."""

    def __repr__(self) -> str:
        return f"<Episode {self.id}>"

    def __enter__(self) -> Episode:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def text(self) -> str:
        """What the agent was given last."""
        return self.last.text

    @property
    def done(self) -> bool:
        return self.last.done

    @property
    def reward(self) -> float | None:
        """The sum of all steps so far: of an episode that is over, its whole reward. None: it began just now, or the
        harness failed and the episode says nothing of the agent."""
        return None if self.last.reward is None else self._earned

    def call(self, tool: str, /, **arguments: Any) -> Result:
        """Calls a tool."""
        return self._step({"tool": tool, "arguments": arguments})

    def say(self, text: str) -> Result:
        """What a model wrote; a call in it is found as in a range. Text without one gets a reminder."""
        return self._step({"text": text})

    def finish(self) -> Result:
        """Hands in what there is, until the episode is over: for an agent that stopped before."""
        for _ in range(MOST_ENDS):
            if self.done:
                return self.last
            submit = next((one for one in self.tools if one["name"] == "submit"), None)
            if submit is None or submit["parameters"].get("required"):
                self.say("")
            else:
                self.call("submit")
        raise MicroRemedError(f"episode {self.id} did not end after {MOST_ENDS} ends of an attempt")

    def fork(self, n: int) -> list[Episode]:
        """Episodes that go on from where this one is."""
        forks = self._gym._fork(self.id, n)
        for one in forks:
            one.tools = one.tools or self.tools
            one._earned = self._earned
        return forks

    def state(self) -> Json:
        """How far it is; with the trainer's token also what is wrong, and what was measured."""
        return self._gym._state(self.id)

    def close(self) -> None:
        """Forgets it; once more is no error."""
        self._gym._close(self.id)

    def _step(self, action: Json) -> Result:
        self.last = self._gym._step(self.id, action)
        self._earned += self.last.reward or 0.0
        self.tools = self.last.observation.get("tools", self.tools)
        return self.last


def result_of(answer: Json) -> Result:
    """An answer of the gym. Raises `MicroRemedError` where it is none."""
    observation = expect(answer, "observation", "reward", "done")["observation"]
    reward = answer["reward"]
    if not isinstance(observation, dict):
        raise MicroRemedError(f"the observation is {type(observation).__name__}, not an object of a gym")
    text = str(expect(observation, "text")["text"])
    return Result(text, None if reward is None else float(reward), bool(answer["done"]), observation)
