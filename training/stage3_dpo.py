"""Stage 3: preferences by DPO (`microremed preferences export --format dpo`)."""

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from recipe import adapter_of, arguments, loaded, recipe_of, rows_of, save, trainer_settings, writer_of

chosen = arguments(__doc__, pairs="file of `microremed preferences export --format dpo`")
recipe = recipe_of(chosen.recipe)
model, tokenizer = loaded(chosen.model or recipe["model"], recipe)
write = writer_of(tokenizer)


def compared(row):
    """A pair as texts: what both models were given, and what each of them said."""
    prompt, tools = row["prompt"], row.get("tools")
    given = write(prompt, tools, generation=True)
    said = {side: write(prompt + row[side], tools) for side in ("chosen", "rejected")}
    for side, text in said.items():
        if not text.startswith(given):
            raise ValueError(f"the chat template changes the prompt of pair {row['metadata']['pair']} ({side})")
    return {"prompt": given, **{side: text[len(given) :] for side, text in said.items()}}


pairs = Dataset.from_list([compared(row) for row in rows_of(chosen.pairs)])
print(f"{len(pairs)} pairs")
trainer = DPOTrainer(
    model,
    args=DPOConfig(**trainer_settings(recipe, "dpo", chosen.out)),
    processing_class=tokenizer,
    train_dataset=pairs,
    peft_config=adapter_of(recipe),
)
trainer.train()
save(trainer, chosen.out)
