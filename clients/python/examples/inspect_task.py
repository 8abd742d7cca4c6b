"""A task of Inspect (`pip install inspect_ai openai`) whose samples are the problems of a suite:

    inspect eval inspect_task.py --model openai/gpt-4.1 -T suite=range@3 -T task_name=detection --limit 20

MICROREMED_URL and MICROREMED_TOKEN (a researcher's: it lists problems) say where the range is."""

from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, accuracy, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import ToolDef, ToolParams

from microremed import Problem, Range


# A sample waits in a thread for its arena. Those of asyncio are so few that samples that wait would stop those that work.
THREADS = ThreadPoolExecutor(max_workers=1000)


def to_thread(work, *args, **named):
    return get_running_loop().run_in_executor(THREADS, partial(work, *args, **named))


def tool_of(problem: Problem, name: str, description: str, parameters: dict) -> ToolDef:
    async def execute(**arguments) -> str:
        return (await to_thread(problem.call_as_said, name, arguments)).text

    properties = {field: {"description": field, **schema} for field, schema in parameters["properties"].items()}
    fields = ToolParams.model_validate({"properties": properties, "required": parameters.get("required", [])})
    return ToolDef(execute, name, description, fields)


@solver
def in_a_session(the_range: Range):
    async def solve(state, generate):
        with await to_thread(the_range.session, "inspect@1", problem=str(state.sample_id)) as session:
            while problem := await to_thread(session.next):
                state.messages.append(ChatMessageUser(content=problem.words))
                state.tools = [tool_of(problem, **offered).as_tool() for offered in problem.tools]
                while not (problem.ended or state.completed):
                    state = await generate(state, tool_calls="single")
                    if usage := state.output.usage:
                        problem.spend(prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens)
                await to_thread(problem.leave, "the message limit")
            # The range may have lost the problem before its first turn.
            state.metadata["row"] = next(iter(session.rows()), None)
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def by_outcome():
    async def score(state, _target):
        row = state.metadata.get("row") or {"passed": None, "outcome": "no outcome"}
        value = NOANSWER if row["passed"] is None else CORRECT if row["passed"] else INCORRECT
        return Score(value=value, explanation=row["outcome"], metadata=row)

    return score


@task
def microremed(suite: str = "range@3", task_name: str | None = None, environment: str | None = None) -> Task:
    problems = Range().problems(suite, environment=environment, task=task_name)
    samples = [Sample(input=one["id"], id=one["id"], metadata={"tasks": one["tasks"]}) for one in problems]
    return Task(dataset=samples, solver=in_a_session(Range()), scorer=by_outcome(), message_limit=200)
