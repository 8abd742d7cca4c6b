"""Stage 1: supervised fine-tuning on traces of experts (`microremed traces build`, folder `openai-chat`)."""

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from recipe import adapter_of, arguments, loaded, recipe_of, rows_of, save, trainer_settings, writer_of

NOT_LEARNED = -100
"""What PyTorch's cross-entropy ignores."""

chosen = arguments(__doc__, traces="folder of `microremed traces build`")
recipe = recipe_of(chosen.recipe)
model, tokenizer = loaded(chosen.model or recipe["model"], recipe)
write = writer_of(tokenizer)


def learned(row):
    """A trace as tokens; the loss counts those that the expert wrote."""
    messages, tools = row["messages"], row.get("tools")
    tokens, labels, before = [], [], ""
    for place, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        for text, is_learned in (
            (write(messages[:place], tools, generation=True), False),
            (write(messages[: place + 1], tools), True),
        ):
            if not text.startswith(before):
                raise ValueError(f"the chat template changes earlier messages of trace {row['metadata']['id']}")
            added = tokenizer(text[len(before) :], add_special_tokens=False)["input_ids"]
            tokens += added
            labels += added if is_learned else [NOT_LEARNED] * len(added)
            before = text
    return {"input_ids": tokens, "labels": labels}


def part(name):
    rows = [learned(row) for row in rows_of(f"{chosen.traces}/openai-chat/{name}.jsonl")]
    print(f"{name}: {len(rows)} traces, {sum(len(row['input_ids']) for row in rows)} tokens")
    return Dataset.from_list(rows) if rows else None


trainer = SFTTrainer(
    model,
    args=SFTConfig(**trainer_settings(recipe, "sft", chosen.out)),
    processing_class=tokenizer,
    train_dataset=part("train"),
    eval_dataset=part("validation"),
    peft_config=adapter_of(recipe),
)
trainer.train()
if trainer.eval_dataset is not None:
    print("loss on the validation part:", round(trainer.evaluate()["eval_loss"], 4))
save(trainer, chosen.out)
