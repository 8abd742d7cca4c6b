"""Against a range: MICROREMED_URL, and tokens in MICROREMED_TOKEN (an agent's) and
MICROREMED_RESEARCHER_TOKEN."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import tempfile
import threading
import unittest
from typing import Any

from microremed import Agent, Problem, Range, Refused, score
from microremed.aiopslab import Orchestrator, ProblemRegistry, adapt

DETECTION = "range@1/simple-micro-pod-config-error-hello-service-detection"
MITIGATION = "microremed@1/simple-micro-easy-01"


class RemovesFaults:
    """Solves what a chaos object has caused."""

    def solve(self, problem: Problem) -> None:
        problem.spend(prompt_tokens=100, completion_tokens=10, cost=0.01)
        problem.call("exec_shell", command="kubectl delete stresschaos,networkchaos --all")
        problem.submit()


class Scripted:
    """An agent with AIOpsLab's interface; `texts` are its answers."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.states: list[str] = []

    def init_context(self, problem_desc: str, instructions: str, apis: dict[str, str]) -> None:
        self.context = (problem_desc, instructions, apis)

    async def get_action(self, input: str) -> str:
        self.states.append(input)
        return self.texts.pop(0)


def block(call: str) -> str:
    return f"Action:\n```\n{call}\n```"


@unittest.skipUnless(
    os.environ.get("MICROREMED_RESEARCHER_TOKEN"), "MICROREMED_RESEARCHER_TOKEN is not set: there is no range"
)
class RangeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.agents = Range()
        self.researchers = Range(token=os.environ["MICROREMED_RESEARCHER_TOKEN"])

    def test_problems_are_rows_for_researchers_only(self) -> None:
        problems = self.researchers.problems("range@3", environment="simple-micro", task="detection")
        self.assertEqual(len(problems), 24)
        self.assertEqual({one["suite"] for one in problems}, {"range@3"})
        runnable = self.researchers.problems("aiopslab@1")
        self.assertEqual([one for one in runnable if one["missing"]], [])
        self.assertGreater(len(self.researchers.problems("aiopslab@1", runnable=False)), len(runnable))
        self.assertIn("range@3", [one["name"] for one in self.researchers.suites()])
        with self.assertRaisesRegex(Refused, "scope researcher"):
            self.agents.problems()

    def test_problems_one_after_the_other(self) -> None:
        with self.agents.session("tester@1", problem=[DETECTION, MITIGATION]) as suite:
            for problem in suite:
                if problem.asks is None:
                    RemovesFaults().solve(problem)
                else:
                    wrong = problem.submit(answer="perhaps")
                    self.assertFalse(wrong.ended or wrong.ran)
                    self.assertIn("anomaly", wrong.text)
                    problem.submit(anomaly=True)
        self.assertEqual(
            {row["task"]: row["outcome"] for row in suite.rows()},
            {"detection": "solved", "mitigation": "remediated"},
        )

    def test_three_at_once_and_what_the_range_measured(self) -> None:
        options: dict[str, Any] = {"problem": MITIGATION, "repeats": 3, "parallel": 3}
        three = threading.Barrier(3)

        class Together(RemovesFaults):
            def solve(self, problem: Problem) -> None:
                three.wait(300)
                super().solve(problem)

        with self.agents.session("tester@2", **options) as suite:
            self.assertEqual(suite.episodes, 3)
            rows = suite.run(Together, parallel=3)
        self.assertEqual([row["outcome"] for row in rows], ["remediated"] * 3)
        measured = self.researchers.rows(suite.experiment)
        self.assertEqual(score(measured)["passed"], 3)
        self.assertEqual(
            [(row["model"], row["tokens"], row["cost"]) for row in measured],
            [("session/tester@2", 110, 0.01)] * 3,
        )
        self.assertEqual(self.researchers.experiment(suite.experiment)["status"], "completed")

    def test_three_sessions_share_an_experiment(self) -> None:
        with self.agents.session("tester@3", problem=MITIGATION, repeats=3, parallel=3) as first:
            others = [self.agents.session("tester@3", experiment=first.experiment) for _ in range(2)]
            found = [session.next() for session in (first, *others)]
            names = {problem.name for problem in found if problem}
            self.assertEqual(len(names), 3)
            for problem in found:
                if problem:
                    RemovesFaults().solve(problem)
            self.assertEqual([session.next() for session in (first, *others)], [None] * 3)
            self.assertEqual({row["outcome"] for session in (first, *others) for row in session.rows()}, {"remediated"})
            for session in others:
                session.close()

    def test_agents_that_answer_in_text(self) -> None:
        class Texts(Agent):
            def get_action(self, state: str, /) -> str:
                return (
                    block("submit(anomaly=True)")
                    if "hello-service" in state
                    else block('exec_shell("kubectl get pods")')
                )

        with self.agents.session("texts@1", problem=DETECTION) as suite:
            for problem in suite:
                Texts().solve(problem)
        self.assertEqual(suite.rows()[0]["outcome"], "solved")

    def test_aiopslabs_loop(self) -> None:
        registry = ProblemRegistry(on=self.researchers)
        self.assertIn("k8s_target_port-misconfig-detection-1", registry.PROBLEM_REGISTRY)
        self.assertEqual(len(ProblemRegistry(most=2, on=self.researchers).PROBLEM_REGISTRY), 2)
        for problem, texts, outcome in (
            (DETECTION, [block('exec_shell("kubectl get pods")'), block('submit("Yes")')], "solved"),
            (
                MITIGATION,
                [block("exec_shell('kubectl delete stresschaos,networkchaos --all')"), block("submit()")],
                "remediated",
            ),
        ):
            agent = Scripted(*texts)
            folder = self.enterContext(tempfile.TemporaryDirectory())
            orchestrator = Orchestrator(folder, on=self.researchers)
            orchestrator.register_agent(agent, name="gpt w/ shell")
            agent.init_context(*orchestrator.init_problem(problem))
            self.assertTrue({"exec_shell", "submit"} <= set(agent.context[2]))
            output = asyncio.run(orchestrator.start_problem(max_steps=30))
            self.assertEqual((output["results"]["outcome"], output["results"]["success"]), (outcome, True))
            self.assertEqual((output["results"]["agent"], output["results"]["steps"]), ("gpt-w-shell", 2))
            self.assertEqual(agent.states[0], "Please take the next action")
            (record,) = (json.loads(file.read_text()) for file in pathlib.Path(folder).glob("*.json"))
            self.assertEqual((record["problem_id"], record["results"]), (problem, output["results"]))

    def test_aiopslabs_agents_in_parallel(self) -> None:
        agent = adapt(
            lambda: Scripted(block("exec_shell('kubectl delete stresschaos,networkchaos --all')"), block("submit()"))
        )
        with self.agents.session("texts@2", problem=MITIGATION, repeats=2, parallel=2) as suite:
            rows = suite.run(agent, parallel=2)
        self.assertEqual([row["outcome"] for row in rows], ["remediated"] * 2)

    def test_a_watch_asks_window_by_window(self) -> None:
        problem = self.researchers.problems("range@3", environment="simple-micro", task="monitoring")[0]["id"]
        with self.agents.session("watcher@1", problem=problem) as suite:
            windows = []
            for turn in suite:
                windows.append(turn.turn)
                turn.submit(anomaly=len(windows) == 3)
        self.assertEqual(windows, [1, 2, 3])
        self.assertEqual(suite.rows()[0]["attempts"], 3)
