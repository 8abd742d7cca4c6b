"""AIOpsLab's GPT-with-shell agent, its file clients/gpt.py untouched, on the problems of a suite, three at once.

The arguments are a clone of AIOpsLab and the suite. It needs what clients/gpt.py imports (openai, groq, azure-identity,
python-dotenv, pyyaml, tiktoken, wandb) and nothing of AIOpsLab's own requirements for clusters. OPENAI_API_KEY and
OPENAI_BASE_URL say which model, MICROREMED_URL and MICROREMED_TOKEN where the range is."""

import sys

from microremed import Range
from microremed.aiopslab import adapt, replace_aiopslab

checkout, suite = sys.argv[1:]
sys.path.insert(0, checkout)
replace_aiopslab()  # clients/gpt.py imports aiopslab.orchestrator, which is microremed.aiopslab from here on

from clients.gpt import GPTAgent  # noqa: E402


def make_agent() -> GPTAgent:
    agent = GPTAgent()
    agent.llm.cache = None  # a file that only one agent at a time can write
    return agent


with Range().session("gpt-w-shell", suite=suite, parallel=3, max_attempts=1) as session:
    session.run(
        adapt(make_agent, max_steps=30),
        parallel=3,
        on_row=lambda row: print(row["problem"], row["task"], row["outcome"]),
    )
print(session.score())
