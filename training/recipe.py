"""What all stages have in common: the recipe, the model with its adapter, and messages as a trainer needs them."""

import argparse
import json
import sys
from pathlib import Path

import yaml

STAGES = ("sft", "grpo", "dpo")
FIELDS = {"model", "lora", "precision", *STAGES}


def arguments(description, **also):
    """The command line of a stage: recipe, model, output folder, and what `also` names with its help."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("recipe", help="file of recipes/")
    parser.add_argument("--model", help="folder or name of a model, in the place of the recipe's")
    parser.add_argument("--out", required=True, help="folder for the model after this stage, which must not exist yet")
    for name, text in also.items():
        parser.add_argument(f"--{name}", required=True, help=text)
    chosen = parser.parse_args()
    if Path(chosen.out).exists():
        parser.error(f"{chosen.out} exists and is not overwritten; name another folder with --out")
    return chosen


def recipe_of(path):
    """The recipe in a file. Ends the program with the reason where it is none."""
    try:
        recipe = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        sys.exit(f"{path}: {error}")
    if not isinstance(recipe, dict):
        sys.exit(f"{path} is no recipe; one has the fields {', '.join(sorted(FIELDS))}")
    if unknown := set(recipe) - FIELDS:
        sys.exit(f"{path} has unknown fields: {', '.join(sorted(unknown))}; a recipe has {', '.join(sorted(FIELDS))}")
    if missing := {"model", "precision"} - set(recipe):
        sys.exit(f"{path} lacks {', '.join(sorted(missing))}")
    return recipe


def trainer_settings(recipe, stage, out):
    """The arguments of TRL's config of a stage: what the recipe says, and what all stages need."""
    is_cpu = recipe["precision"] == "fp32"
    return {
        "output_dir": f"{out}.checkpoints",
        "bf16": not is_cpu,
        "use_cpu": is_cpu,
        "report_to": "none",
        "logging_steps": 1,
        "seed": 1,
        **{name: value for name, value in recipe.get(stage, {}).items() if name != "cases"},
    }


def adapter_of(recipe):
    """LoRA as the recipe has it; None: all weights are trained."""
    from peft import LoraConfig

    return LoraConfig(task_type="CAUSAL_LM", **recipe["lora"]) if recipe.get("lora") else None


def loaded(name, recipe):
    """Model and tokenizer of a folder or a name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    kind = torch.float32 if recipe["precision"] == "fp32" else torch.bfloat16
    return AutoModelForCausalLM.from_pretrained(name, dtype=kind), AutoTokenizer.from_pretrained(name)


def save(trainer, out):
    """The model with its adapter merged in, so that the next stage and every server load it as any other."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    model = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
    if trainer.accelerator.is_main_process:
        model.save_pretrained(out)
        trainer.processing_class.save_pretrained(out)
        print(f"the model is in {out}")


def rows_of(path):
    """The rows of a file of JSON lines."""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            sys.exit(f"{path}, line {number}: {error}")


def messages_of(messages):
    """Messages with the arguments of calls as objects: chat templates write them as JSON themselves."""

    def call(one):
        function = one["function"]
        given = function["arguments"]
        return {**one, "function": {**function, "arguments": json.loads(given) if isinstance(given, str) else given}}

    return [
        {**message, "tool_calls": [call(one) for one in message["tool_calls"]]}
        if message.get("tool_calls")
        else message
        for message in messages
    ]


def writer_of(tokenizer):
    """A function that writes messages as the model reads them, earlier ones the same whatever follows."""
    from trl.chat_template_utils import get_training_chat_template, is_chat_template_prefix_preserving

    template = None if is_chat_template_prefix_preserving(tokenizer) else get_training_chat_template(tokenizer)

    def write(messages, tools, generation=False):
        return tokenizer.apply_chat_template(
            messages_of(messages),
            tools=tools or None,
            add_generation_prompt=generation,
            tokenize=False,
            chat_template=template,
        )

    return write
