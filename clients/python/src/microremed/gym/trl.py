"""The gym for TRL's GRPOTrainer, as TRL 1.16 defines environments, rewards and rollouts (`pip install trl`).

    gym = Gym()
    curriculum = Curriculum([{"fault": "pod-fail"}, {"fault": "cpu-stress"}], size=8)
    rollouts = Rollouts(gym, curriculum)
    GRPOTrainer(model, rollouts.rewards, args, environment_factory=rollouts.environment(), ...)

`size` must be the trainer's `num_generations`, and each process must generate whole groups
(`per_device_train_batch_size * steps_per_generation` a multiple of it): the episodes of a group are forks of one
moment. There is no data set: the problems come from the gym, so `max_steps` says how long the training is. The logs
have the curriculum's summary and the pass rates of the cases that were tried, each below `gym/`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..problem import Tool
from .client import Episode, Gym
from .curriculum import Curriculum, name_of
from .groups import Group, Groups
from .words import opening

OVER = "The episode is over."
"""Every call after its end is answered so: TRL goes on as long as the model calls."""

TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}

Generate = Callable[[list[list[int]]], tuple[list[list[int]], list[list[float]] | None]]
"""Answers to prompts, each as tokens, and the log-probability of each token or None."""


class Rollouts:
    """Episodes for one trainer: an environment factory or a rollout function, and the rewards for either.

    `tools`: names of those that the model is shown; default: all that the gym offers. Fewer make shorter prompts.
    """

    def __init__(self, gym: Gym, curriculum: Curriculum, *, tools: Collection[str] | None = None) -> None:
        self._gym = gym
        self._groups = Groups(gym, curriculum)
        self._named = tools
        self.curriculum = curriculum

    def environment(self) -> type[_Environment]:
        """The class for `environment_factory`: its methods are the tools of the curriculum's first case, so all cases
        must have the same (one task, one `acting`)."""
        with self._gym.reset(**self.curriculum.cases[0]) as episode:
            methods = {tool["name"]: _method(tool) for tool in self._shown(episode.tools)}
        return type("Environment", (_Environment,), {**methods, "_groups": self._groups})

    def rollout(self, generate: Generate | None = None, *, most_turns: int = 16) -> Callable[..., dict[str, Any]]:
        """A function for `rollout_func`: the model writes its calls as text. One completion for each prompt that it is
        given; what the prompts say is not used. `generate`: default, as the trainer itself does."""

        def run(prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
            taken = [self._groups.take() for _ in prompts]
            talks = [_Talk(trainer, group, one, opening(one.last, self._shown(one.tools))) for group, one in taken]
            model = generate or _generating(trainer)
            for _ in range(most_turns):
                asking = [talk for talk in talks if not talk.over]
                if not asking:
                    break
                answers, known = model([talk.prompt + talk.completion for talk in asking])
                for number, talk in enumerate(asking):
                    talk.answer(answers[number], None if known is None else known[number])
            logprobs = [talk.logprobs for talk in talks if talk.logprobs is not None]
            return {
                "prompt_ids": [talk.prompt for talk in talks],
                "completion_ids": [talk.completion for talk in talks],
                "logprobs": logprobs if len(logprobs) == len(talks) else None,
                "env_mask": [talk.mask for talk in talks],
                "microremed_group": [talk.group for talk in talks],
            }

        return run

    def rewards(
        self,
        completions: Sequence[Any],
        environments: Sequence[_Environment] | None = None,
        microremed_group: Sequence[Group] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **_: Any,
    ) -> list[float]:
        """The function for `reward_funcs`. It ends the episodes that are not over."""
        groups: Sequence[Group | None] = microremed_group or [one._group for one in environments or ()]
        whole = list({id(group): group for group in groups if group is not None}.values())
        if len(groups) != len(completions) or None in groups:
            raise ValueError(
                "these completions are of no episodes: give the trainer this object's environment or rollout"
            )
        found = [reward for rewards in self._groups.finish(whole) for reward in rewards]
        if len(found) != len(completions):
            raise ValueError(
                f"{len(completions)} completions of groups of {self.curriculum.size}: num_generations must be the "
                "curriculum's size, and per_device_train_batch_size * steps_per_generation a multiple of it"
            )
        self._log(log_metric, whole)
        return found

    def _shown(self, tools: Sequence[Tool]) -> list[Tool]:
        shown = [tool for tool in tools if self._named is None or tool["name"] in self._named]
        if self._named is not None and len(shown) < len(set(self._named)):
            names = ", ".join(tool["name"] for tool in tools)
            raise ValueError(f"tools: {', '.join(self._named)} are not all there; the gym offers {names}")
        return shown

    def _log(self, log_metric: Callable[[str, float], None] | None, groups: Sequence[Group]) -> None:
        if log_metric is None:
            return
        for name, value in self.curriculum.summary().items():
            log_metric(f"gym/{name}", value)
        tried = {name_of(self.curriculum.case_of(group.case)) for group in groups}
        for row in self.curriculum.table():
            if row.case in tried and row.pass_rate is not None:
                log_metric(f"gym/pass_rate/{row.case}", row.pass_rate)


class _Environment:
    """One rollout at a time. Public methods but `reset` are the model's tools, so there are no others here."""

    _groups: Groups
    _group: Group | None = None
    _episode: Episode | None = None

    def reset(self, **_: Any) -> str:
        """Begins the next episode; its words go to the end of the prompt."""
        self._group, self._episode = self._groups.take()
        return self._episode.text

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        if self._episode is None or self._episode.done:
            return OVER
        given = {name: value for name, value in arguments.items() if value is not None}
        return self._episode.call(tool, **given).text


def _method(tool: Tool) -> Callable[..., str]:
    """A method with the signature, the types and the docstring from which transformers makes the tool's schema."""
    properties: dict[str, Any] = tool["parameters"].get("properties", {})
    required = [name for name in tool["parameters"].get("required", []) if name in properties]

    def method(self: _Environment, *given: Any, **named: Any) -> str:
        arguments = signature.bind(self, *given, **named).arguments
        return self._call(tool["name"], {name: value for name, value in arguments.items() if name != "self"})

    names = [*required, *(name for name in properties if name not in required)]
    kinds = {name: _type_of(properties[name], name in required) for name in names}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] + [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if name in required else None,
            annotation=kinds[name],
        )
        for name in names
    ]
    signature = inspect.Signature(parameters, return_annotation=str)
    described = [f"    {name}: {_line(properties[name].get('description', name))}" for name in names]
    method.__name__ = method.__qualname__ = tool["name"]
    method.__doc__ = "\n".join([_line(tool["description"]), *(["", "Args:", *described] if described else [])])
    method.__annotations__ = {**kinds, "return": str}
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _type_of(schema: Mapping[str, Any], is_required: bool) -> Any:
    found: Any = TYPES.get(str(schema.get("type")), str)
    return found if is_required else found | None


def _line(text: str) -> str:
    """Docstrings are read line by line."""
    return " ".join(str(text).split())


class _Talk:
    """One episode as tokens: the model's own have the mask 1, what the gym says 0."""

    def __init__(self, trainer: Any, group: Group, episode: Episode, words: str) -> None:
        self._trainer = trainer
        self._tokenizer = trainer.processing_class
        self._episode = episode
        self.group = group
        self.prompt = self._tokens([{"role": "user", "content": words}])
        self.completion: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = []
        self.over = False

    def answer(self, ids: list[int], logprobs: list[float] | None) -> None:
        """The model's answer, and what the gym says to it unless there is no room for that."""
        room = self._trainer.max_completion_length - len(self.completion)
        self._add(ids[:room], logprobs and logprobs[:room], 1)
        result = self._episode.say(self._tokenizer.decode(ids, skip_special_tokens=True))
        said = [] if result.done else self._following(result.text)
        self.over = result.done or len(ids) + len(said) >= room
        if not self.over:
            self._add(said, [0.0] * len(said) if logprobs is not None else None, 0)

    def _add(self, ids: list[int], logprobs: list[float] | None, mask: int) -> None:
        self.completion += ids
        self.mask += [mask] * len(ids)
        self.logprobs = None if logprobs is None or self.logprobs is None else self.logprobs + logprobs

    def _following(self, text: str) -> list[int]:
        """The tokens of a user's message after an answer, without those of what was before."""
        before = [{"role": "user", "content": "-"}, {"role": "assistant", "content": "-"}]
        known = self._tokens(before, generation=False)
        # A template may end an answer with more than its last token, which the model has written.
        ends = [place for place, one in enumerate(known) if one == self._tokenizer.eos_token_id]
        known = known[: ends[-1] + 1] if ends else known
        whole = self._tokens([*before, {"role": "user", "content": text}])
        if whole[: len(known)] != known:
            raise ValueError("the chat template changes earlier messages with each one: use environment_factory")
        return whole[len(known) :]

    def _tokens(self, messages: list[dict[str, str]], generation: bool = True) -> list[int]:
        return list(
            self._tokenizer.apply_chat_template(
                messages,
                add_generation_prompt=generation,
                tokenize=True,
                return_dict=False,
                chat_template=self._trainer.chat_template,
                **self._trainer.chat_template_kwargs,
            )
        )


def _generating(trainer: Any) -> Generate:
    """TRL has no public way to generate from tokens; this one serves vLLM and transformers alike."""

    def generate(prompts: list[list[int]]) -> tuple[list[list[int]], list[list[float]] | None]:
        answers, logprobs = trainer._generate_single_turn(prompts, None, {}, num_generations=1)
        return answers, logprobs

    return generate
