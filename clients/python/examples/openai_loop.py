"""A language model with the tools of each problem, over any API that is compatible with OpenAI's: `pip install openai`.

OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL say which model; MICROREMED_URL and MICROREMED_TOKEN where the
range is; the first argument is the suite."""

import os
import sys

from openai import OpenAI

from microremed import Problem, Range

MODEL = os.environ.get("OPENAI_MODEL", "gpt-4.1")
SYSTEM = "You operate a system on Kubernetes. Use the tools, and end with submit."
client = OpenAI(timeout=300)


class Loop:
    def __init__(self) -> None:
        self.messages: list = [{"role": "system", "content": SYSTEM}]

    def solve(self, problem: Problem) -> None:
        self.messages.append({"role": "user", "content": problem.words})
        for _ in range(100):
            reply = client.chat.completions.create(model=MODEL, messages=self.messages, tools=problem.openai_tools())
            if usage := reply.usage:
                problem.spend(prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
            message = reply.choices[0].message
            self.messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                self.messages.append({"role": "user", "content": "Call a tool, or end with submit."})
            for call in message.tool_calls or []:
                answer = problem.call_as_said(call.function.name, call.function.arguments)
                self.messages.append({"role": "tool", "tool_call_id": call.id, "content": answer.text})
            if problem.ended:
                return
        problem.leave("100 answers without submit")


name = MODEL.rsplit("/", 1)[-1].replace(":", "-")
with Range().session(f"openai-loop@{name}", suite=sys.argv[1], parallel=3) as suite:
    suite.run(Loop, parallel=3, on_row=lambda row: print(row["problem"], row["outcome"], row["prompt_tokens"]))
print(suite.score())
