"""Trains a tiny model with TRL's GRPOTrainer in a gym (MICROREMED_GYM_URL), on a CPU. `--text`: by a rollout
function in the place of an environment factory."""

import argparse
import tempfile

from datasets import Dataset
from gym_tiny_model import model_of, tokenizer_of, warm_up
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from microremed.gym import Curriculum, Gym, opening
from microremed.gym.trl import Rollouts

TOOLS = ["exec_shell", "submit"]
COMMANDS = ["kubectl delete podchaos --all", "kubectl delete stresschaos --all", "kubectl get pods"]

arguments = argparse.ArgumentParser()
arguments.add_argument("--steps", type=int, default=10)
arguments.add_argument("--text", action="store_true")
chosen = arguments.parse_args()


def called(name, **given):
    return {"type": "function", "function": {"name": name, "arguments": given}}


gym = Gym()
curriculum = Curriculum([{"fault": "pod-fail"}, {"fault": "cpu-stress"}, {"fault": "none"}], size=4, courses=1)
rollouts = Rollouts(gym, curriculum, tools=TOOLS)
environment = rollouts.environment()
with gym.reset(**curriculum.cases[0]) as episode:
    shown = [tool for tool in episode.tools if tool["name"] in TOOLS]
    words = opening(episode.last, shown) if chosen.text else episode.text
    tools = None if chosen.text else [get_json_schema(getattr(environment, name)) for name in TOOLS]
tokenizer = tokenizer_of([words, str(tools), *COMMANDS] * 4)
asked = {"role": "user", "content": words}


def conversation(command):
    """A call of the shell, and that it is done: of a model that is given tools, or writes them."""
    first, last = called("exec_shell", command=command), called("submit")
    if not chosen.text:
        return [
            asked,
            {"role": "assistant", "content": "", "tool_calls": [first]},
            {"role": "tool", "name": "exec_shell", "content": "exit code 0"},
            {"role": "assistant", "content": "", "tool_calls": [last]},
        ]
    written = tokenizer.apply_chat_template(
        [asked, {"role": "assistant", "content": "", "tool_calls": [first]}], tokenize=False
    )
    call = written.rsplit("<|im_start|>assistant\n", 1)[1].split("<|im_end|>")[0]
    submit = '<tool_call>\n{"name": "submit", "arguments": {}}\n</tool_call>'
    return [
        asked,
        {"role": "assistant", "content": call},
        {"role": "user", "content": "exit code 0"},
        {"role": "assistant", "content": submit},
    ]


model = model_of(tokenizer)
print("loss after the warm-up:", warm_up(model, tokenizer, [conversation(one) for one in COMMANDS], tools))
with tempfile.TemporaryDirectory() as folder:
    trainer = GRPOTrainer(
        model,
        reward_funcs=rollouts.rewards,
        processing_class=tokenizer,
        environment_factory=None if chosen.text else environment,
        rollout_func=rollouts.rollout() if chosen.text else None,
        train_dataset=Dataset.from_dict({"prompt": [[{"role": "user", "content": ""}]] * 2}) if chosen.text else None,
        args=GRPOConfig(
            output_dir=folder,
            max_steps=chosen.steps,
            per_device_train_batch_size=8,
            num_generations=curriculum.size,
            max_completion_length=2_048,
            max_tool_calling_iterations=4,
            learning_rate=1e-3,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            bf16=False,
        ),
    )
    trainer.train()
for entry in trainer.state.log_history:
    print({name: value for name, value in entry.items() if name.startswith("gym/") or name in ("reward", "reward_std")})
print(f"{'case':<12} {'episodes':>8} {'passed':>6} {'rate':>5} {'weight':>6}")
for row in curriculum.table():
    rate = "" if row.pass_rate is None else f"{row.pass_rate:.2f}"
    print(f"{row.case:<12} {row.episodes:>8} {row.passed:>6} {rate:>5} {row.weight:>6.2f}")
