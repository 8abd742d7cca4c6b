"""Stage 2: reinforcement by GRPO in the gym (`microremed gym serve`; MICROREMED_GYM_URL, MICROREMED_GYM_TOKEN)."""

import sys

from microremed.gym import Curriculum, Gym
from microremed.gym.trl import Rollouts
from trl import GRPOConfig, GRPOTrainer

from recipe import adapter_of, arguments, loaded, recipe_of, save, trainer_settings

chosen = arguments(__doc__)
recipe = recipe_of(chosen.recipe)
settings = trainer_settings(recipe, "grpo", chosen.out)
gym = Gym()


def cases_of(named):
    """The requests of the recipe; a suite alone means all of its cases."""
    for one in named:
        if "suite" in one and "case" not in one:
            yield from ({**one, "case": number} for number in range(gym.cases(one["suite"])))
        else:
            yield one


cases = list(cases_of(recipe["grpo"].get("cases", [])))
if not cases:
    sys.exit(f"{chosen.recipe}: grpo.cases names no case of the gym")
curriculum = Curriculum(cases, size=settings["num_generations"])
rollouts = Rollouts(gym, curriculum)
model, tokenizer = loaded(chosen.model or recipe["model"], recipe)
trainer = GRPOTrainer(
    model,
    reward_funcs=rollouts.rewards,
    args=GRPOConfig(**settings),
    processing_class=tokenizer,
    environment_factory=rollouts.environment(),
    peft_config=adapter_of(recipe),
)
trainer.train()
print(f"{'case':<40} {'episodes':>8} {'passed':>6} {'rate':>5}")
for row in curriculum.table():
    rate = "" if row.pass_rate is None else f"{row.pass_rate:.2f}"
    print(f"{row.case:<40} {row.episodes:>8} {row.passed:>6} {rate:>5}")
save(trainer, chosen.out)
