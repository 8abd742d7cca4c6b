from __future__ import annotations

import threading
import unittest
from typing import Any

from microremed import Agent, NoAnswer, Problem, Range, Refused, Row, Session, TurnOver

from .stub_gateway import (
    ENDED,
    OPENED,
    TOKEN,
    Reply,
    StubGateway,
    answered,
    broken,
    done,
    error,
    previous,
    turn,
)

CALLS = "POST /sessions/s1/problems/p1/calls"
NEXT = "POST /sessions/s1/next"


class WithSession(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = StubGateway()
        self.addCleanup(self.gateway.close)
        self.gateway.on("POST /sessions", OPENED)
        self.gateway.on("DELETE /sessions/s1", {"id": "s1"})
        self.gateway.on("GET /sessions/s1", {"workers": []})
        self.gateway.on("POST /sessions/s1/heartbeat", {"turns": 1})
        for problem in ("p1", "p2"):
            self.gateway.on(f"POST /sessions/s1/problems/{problem}/leave", {"problem": problem})
            self.gateway.on(f"POST /sessions/s1/problems/{problem}/calls", ENDED)

    def open(self, **options: Any) -> Session:
        session = Range(self.gateway.url, TOKEN).session("tester@1", suite="easy@1", **options)
        self.addCleanup(session.close)
        return session

    def first(self, **options: Any) -> Problem:
        self.gateway.on(NEXT, turn("p1"))
        problem = self.open(**options).next()
        assert problem is not None
        return problem


class SessionTest(WithSession):
    def test_options_are_sent_under_the_gateways_names(self) -> None:
        self.open(task=["detection"], max_attempts=1, think_time="zero", budgets={"seconds": 60}, silence_seconds=30)
        self.assertEqual(
            self.gateway.requests("POST /sessions")[0].body,
            {
                "agent": "tester@1",
                "suite": "easy@1",
                "task": ["detection"],
                "maxAttempts": 1,
                "thinkTime": "zero",
                "budgets": {"seconds": 60},
                "silenceSeconds": 30,
                "reveal": "outcome",
            },
        )

    def test_problems_come_one_after_the_other_and_rows_say_what_came_of_them(self) -> None:
        self.gateway.on(
            NEXT,
            {"status": "waiting"},
            turn("p1"),
            turn("p1", attempt=2),
            turn("p2", task="detection", **previous("p1", "not-remediated")),
            done(**previous("p2", "solved")),
        )
        self.gateway.on(CALLS, answered("fine"), answered("no such tool", ran=False), ENDED)
        seen = []
        with self.open() as session:
            for problem in session:
                seen.append((problem.name, problem.attempt, problem.turn, problem.asks is None))
                if problem.turn == 1 and problem.name == "p1":
                    problem.spend(prompt_tokens=100, completion_tokens=5, cost=0.5)
                    self.assertEqual(str(problem.call("get_logs", of="pod/a")), "fine")
                    self.assertFalse(problem.call("get_loggs").ran)
                self.assertTrue(problem.submit(**({} if problem.asks is None else {"anomaly": True})).ended)
            rows = session.rows()
            self.assertEqual(session.score()["rate"], 0.5)
        self.assertEqual(seen, [("p1", 1, 1, True), ("p1", 2, 2, True), ("p2", 1, 1, False)])
        self.assertEqual(
            [(row["problem"], row["task"], row["attempts"], row["outcome"], row["passed"]) for row in rows],
            [("p1", "mitigation", 2, "not-remediated", False), ("p2", "detection", 1, "solved", True)],
        )
        self.assertEqual(
            [(row["calls"], row["refused"], row["prompt_tokens"], row["cost"], row["answer"]) for row in rows],
            [(4, 1, 100, 0.5, {}), (1, 0, 0, 0, {"anomaly": True})],
        )
        self.assertEqual(len(self.gateway.requests("DELETE /sessions/s1")), 1)

    def test_a_loop_that_is_left_after_submit_has_the_outcome(self) -> None:
        self.gateway.on(NEXT, turn("p1"))
        at = {"worker": "main", "problem": "p1", "attempt": 1, "over": False, "again": False, "outcome": None}
        self.gateway.on("GET /sessions/s1", {"workers": [at]}, {"workers": [{**at, "over": True, "outcome": "solved"}]})
        session = self.open()
        for problem in session:
            problem.submit()
            break
        self.assertEqual([row["passed"] for row in session.rows()], [True])
        # And so has one that was closed without a loop.
        self.gateway.on("GET /sessions/s1", {"workers": [{**at, "over": True, "outcome": "not-solved"}]})
        with self.open() as other:
            problem = other.next()
            assert problem is not None
            problem.submit()
        self.assertEqual([row["outcome"] for row in other.rows()], ["not-solved"])

    def test_a_problem_that_comes_again_has_no_outcome_yet(self) -> None:
        self.gateway.on(NEXT, turn("p1"))
        at = {"worker": "main", "problem": "p1", "attempt": 1, "over": False, "again": True, "outcome": None}
        self.gateway.on("GET /sessions/s1", {"workers": [at]})
        session = self.open()
        for problem in session:
            problem.submit()
            break
        self.assertEqual([row["outcome"] for row in session.rows()], [None])

    def test_what_is_sent_names_its_turn(self) -> None:
        self.gateway.on(NEXT, turn("p1", turn="2.1"))
        self.gateway.on(CALLS, answered("pods"))
        problem = self.open().next()
        assert problem is not None
        problem.spend(prompt_tokens=5)
        problem.leave()
        problem.ended = False
        problem.call("exec_shell", command="ls")
        left = self.gateway.requests("POST /sessions/s1/problems/p1/leave")[0].body
        spent = {"promptTokens": 5}
        self.assertEqual(left, {"reason": "", "turn": "2.1", "spent": spent, "waitSeconds": 10})
        self.assertEqual(self.gateway.requests(CALLS)[0].body["turn"], "2.1")

    def test_a_problem_is_left_when_the_range_says_so_not_when_it_has_not_got_it(self) -> None:
        problem = self.first()
        leave = "POST /sessions/s1/problems/p1/leave"
        pending = Reply({"status": "pending", "problem": "p1"}, 202)
        self.gateway.on(leave, pending, pending, {"status": "ended", "how": "over", "reason": "it left"})
        problem.spend(prompt_tokens=5)
        problem.leave("no idea")
        self.assertTrue(problem.ended)
        bodies = [one.body for one in self.gateway.requests(leave)]
        self.assertEqual([(one["reason"], one["spent"]) for one in bodies], [("no idea", {"promptTokens": 5})] * 3)

    def test_a_problem_whose_end_never_comes_is_not_said_to_be_left(self) -> None:
        problem = self.first(call_seconds=0.01)
        self.gateway.on("POST /sessions/s1/problems/p1/leave", Reply({"status": "pending", "problem": "p1"}, 202))
        with self.assertRaisesRegex(NoAnswer, "has not ended it for 0.01 s"):
            problem.leave()
        self.assertFalse(problem.ended)

    def test_what_was_spent_is_sent_once_with_the_next_call(self) -> None:
        problem = self.first()
        self.gateway.on(CALLS, answered("fine"))
        problem.spend(prompt_tokens=10, cost=0.25)
        problem.spend(prompt_tokens=5, completion_tokens=None, seconds=1.5)
        problem.call("get_logs", of="a")
        problem.call("get_logs", of="a")
        bodies = [one.body for one in self.gateway.requests(CALLS)]
        self.assertEqual(bodies[0]["spent"], {"promptTokens": 15, "cost": 0.25, "seconds": 1.5})
        self.assertEqual(bodies[1]["spent"], {"cost": 0})
        for wrong in ({"prompt_tokens": -1}, {"cost": float("nan")}, {"seconds": float("inf")}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                problem.spend(**wrong)

    def test_an_agent_that_says_nothing_of_what_it_spends_sends_nothing(self) -> None:
        problem = self.first()
        problem.submit()
        self.assertNotIn("spent", self.gateway.requests(CALLS)[0].body)

    def test_a_call_is_repeated_with_the_same_id_until_it_is_answered(self) -> None:
        problem = self.first()
        self.gateway.on(CALLS, broken(), Reply({"status": "pending", "id": "x"}, 202), answered("fine"))
        self.assertEqual(problem.call("exec_shell", command="ls").text, "fine")
        ids = [one.body["id"] for one in self.gateway.requests(CALLS)]
        self.assertEqual((len(ids), len(set(ids))), (3, 1))
        problem.call("exec_shell", command="ls")
        self.assertEqual(len({one.body["id"] for one in self.gateway.requests(CALLS)}), 2)

    def test_a_call_ends_at_its_deadline(self) -> None:
        problem = self.first(call_seconds=0.2)
        self.gateway.on(CALLS, Reply({"status": "pending", "id": "x"}, 202))
        with self.assertRaisesRegex(NoAnswer, "call_seconds"):
            problem.call("exec_shell", command="sleep 1000")

    def test_a_worker_waits_for_a_problem_until_its_deadline(self) -> None:
        self.gateway.on(NEXT, {"status": "waiting"})
        with self.assertRaisesRegex(NoAnswer, "clusters list"):
            self.open(wait_seconds=0.2).next()

    def test_a_turn_that_is_over_takes_no_calls(self) -> None:
        problem = self.first()
        problem.submit()
        with self.assertRaises(TurnOver):
            problem.call("exec_shell", command="ls")
        self.assertEqual(len(self.gateway.requests(CALLS)), 1)
        problem.leave()
        self.assertEqual(self.gateway.requests("POST /sessions/s1/problems/p1/leave"), [])

    def test_arguments_that_are_no_json_are_refused_before_anything_is_sent(self) -> None:
        problem = self.first()
        for wrong, kind in (({"of": {1}}, TypeError), ({"of": float("nan")}, ValueError)):
            with self.subTest(wrong), self.assertRaises(kind):
                problem.call("get_logs", **wrong)
        self.assertEqual(self.gateway.requests(CALLS), [])

    def test_whatever_a_model_says_has_an_answer(self) -> None:
        problem = self.first()
        self.gateway.on(CALLS, answered("fine"), answered("fine"), ENDED)
        self.assertEqual(problem.call_as_said("get_logs", '{"of": "pod/a"}').text, "fine")
        self.assertEqual(problem.call_as_said("get_logs", {"of": "pod/a"}).text, "fine")
        wrong: list[Any] = ["{no", "[]", "1", '{"of": NaN}', {"of": {1}}, [], 7, "[" * 100_000]
        for arguments in wrong:
            with self.subTest(str(arguments)[:20]):
                self.assertFalse(problem.call_as_said("get_logs", arguments).ran)
        for name in ("", "x" * 101):
            self.assertFalse(problem.call_as_said(name, "{}").ran)
        self.assertTrue(problem.call_as_said("submit", None).ended)
        self.assertTrue(problem.call_as_said("submit", None).ended)
        bodies = [one.body for one in self.gateway.requests(CALLS)]
        self.assertEqual([(body["tool"], body["arguments"]) for body in bodies], [
            ("get_logs", {"of": "pod/a"}), ("get_logs", {"of": "pod/a"}), ("submit", {}),
        ])  # fmt: skip

    def test_a_problem_that_starts_again_is_a_first_turn(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p1"), turn("p1", 2), turn("p1"), done())
        session = self.open()
        turns = [problem.turn for _ in range(4) if (problem := session.next())]
        self.assertEqual(turns, [1, 1, 2, 1])

    def test_a_turn_without_an_answer_is_given_up(self) -> None:
        self.gateway.on(NEXT, turn("p1"), done(**previous("p1", "not-remediated")))
        with self.open() as session, self.assertLogs("microremed", "WARNING"):
            for _ in session:
                pass
        self.assertEqual(len(self.gateway.requests("POST /sessions/s1/problems/p1/leave")), 1)

    def test_a_session_that_is_over_says_so(self) -> None:
        problem = self.first()
        self.gateway.on(CALLS, error(404, "unknown-session"))
        with self.assertRaisesRegex(Refused, "silence_seconds"):
            problem.call("exec_shell", command="ls")
        self.gateway.on("DELETE /sessions/s1", error(404, "unknown-session"))
        problem._session.close()
        with self.assertRaisesRegex(Refused, "closed"):
            problem.call("exec_shell", command="ls")

    def test_heartbeats_are_sent_while_the_agent_thinks_and_end_with_the_session(self) -> None:
        self.gateway.on("POST /sessions", {**OPENED, "silenceSeconds": 0.04})
        session = self.open()
        self.gateway.wait_for("POST /sessions/s1/heartbeat", 3)
        session.close()
        session._heartbeat._thread.join(60)
        self.assertFalse(session._heartbeat._thread.is_alive())

    def test_heartbeats_do_not_keep_an_agent_that_hangs(self) -> None:
        self.gateway.on("POST /sessions", {**OPENED, "silenceSeconds": 0.04})
        session = self.open(longest_think_seconds=0.0)
        # The thread goes round and sends nothing.
        self.assertFalse(session._closed.wait(0.2))
        self.assertEqual(self.gateway.requests("POST /sessions/s1/heartbeat"), [])

    def test_a_heartbeat_that_fails_is_logged_and_sent_again(self) -> None:
        self.gateway.on("POST /sessions", {**OPENED, "silenceSeconds": 0.04})
        self.gateway.on("POST /sessions/s1/heartbeat", error(500, "internal"), {"turns": 1})
        with self.assertLogs("microremed", "WARNING"):
            self.open()
            self.gateway.wait_for("POST /sessions/s1/heartbeat", 2)

    def test_the_error_of_a_with_block_is_not_hidden_by_that_of_closing(self) -> None:
        self.gateway.on("DELETE /sessions/s1", error(500, "internal"))
        with self.assertRaises(KeyError), self.assertLogs("microremed", "WARNING"), self.open():
            raise KeyError("own")


class RunTest(WithSession):
    def test_workers_have_problems_of_their_own_at_the_same_time(self) -> None:
        said_again = previous("p1", "remediated")
        self.gateway.on(NEXT, turn("p1"), turn("p2"), done(**said_again), done(**said_again))
        both = threading.Barrier(2)

        class Solver:
            def solve(self, problem: Problem) -> None:
                both.wait(60)
                problem.submit()

        over: list[Row] = []
        rows = self.open(parallel=2).run(Solver, parallel=2, on_row=over.append)
        self.assertEqual({row["problem"] for row in rows}, {"p1", "p2"})
        self.assertEqual([row["problem"] for row in over], ["p1"])
        self.assertEqual({one.body["worker"] for one in self.gateway.requests(NEXT)}, {"w1", "w2"})

    def test_an_agent_has_all_turns_of_a_problem_and_the_next_problem_has_another(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p1", 2), turn("p2"), done())
        agents: list[list[int]] = []

        class Solver:
            def __init__(self) -> None:
                self.attempts: list[int] = []
                agents.append(self.attempts)

            def solve(self, problem: Problem) -> None:
                self.attempts.append(problem.attempt)
                problem.submit()

        self.open().run(Solver)
        self.assertEqual(agents, [[1, 2], [1]])

    def test_what_an_agent_raises_ends_its_problem_and_not_the_run(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p2"), done())

        class Solver:
            def solve(self, problem: Problem) -> None:
                if problem.name == "p1":
                    raise KeyError("oops")
                problem.submit()

        with self.assertLogs("microremed", "ERROR"):
            rows = self.open().run(Solver)
        self.assertEqual([row["error"] for row in rows], ["KeyError: 'oops'", None])
        left = self.gateway.requests("POST /sessions/s1/problems/p1/leave")
        self.assertEqual([one.body["reason"] for one in left], ["KeyError: 'oops'"])

    def test_a_run_may_stop_at_the_first_error(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p2"), done())

        class Solver:
            def solve(self, problem: Problem) -> None:
                raise KeyError(problem.name)

        with self.assertLogs("microremed", "ERROR"), self.assertRaises(KeyError):
            self.open().run(Solver, stop_at_error=True)
        self.assertEqual(len(self.gateway.requests(NEXT)), 1)

    def test_an_error_ends_the_run_while_another_worker_waits(self) -> None:
        def wait(_: object) -> None:
            self.gateway.stopped.wait(60)

        self.gateway.on(NEXT, turn("p1"), Reply(send=wait))

        class Solver:
            def solve(self, problem: Problem) -> None:
                raise KeyError(problem.name)

        with self.assertLogs("microremed", "ERROR"), self.assertRaises(KeyError):
            self.open().run(Solver, parallel=2, stop_at_error=True)

    def test_an_error_of_the_range_ends_the_run(self) -> None:
        self.gateway.on(NEXT, turn("p1"))
        self.gateway.on(CALLS, error(404, "unknown-session"))

        class Solver:
            def solve(self, problem: Problem) -> None:
                problem.submit()

        with self.assertRaises(Refused):
            self.open().run(Solver)
        with self.assertRaises(ValueError):
            self.open().run(Solver, parallel=0)

    def test_a_call_without_an_answer_ends_its_problem_and_not_the_run(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p2"), done())
        self.gateway.on(CALLS, Reply({"status": "pending", "id": "x"}, 202))

        class Solver:
            def solve(self, problem: Problem) -> None:
                problem.submit()

        with self.assertLogs("microremed", "WARNING"):
            rows = self.open(call_seconds=0.2).run(Solver)
        self.assertEqual([(row["problem"], row["error"] is None) for row in rows], [("p1", False), ("p2", True)])
        self.assertEqual(len(self.gateway.requests("POST /sessions/s1/problems/p1/leave")), 1)

    def test_a_turn_that_is_over_meanwhile_is_followed_by_the_next(self) -> None:
        self.gateway.on(NEXT, turn("p1"), turn("p2"), done())
        self.gateway.on(CALLS, error(409, "turn-over"))

        class Solver:
            def solve(self, problem: Problem) -> None:
                problem.submit()

        rows = self.open().run(Solver)
        self.assertEqual([row["problem"] for row in rows], ["p1", "p2"])


class AgentTest(WithSession):
    def solve(self, agent: Agent, *turns: dict[str, Any]) -> None:
        self.gateway.on(NEXT, *turns, done())
        with self.open() as session:
            for problem in session:
                agent.solve(problem)

    def test_an_agent_answers_in_text(self) -> None:
        self.gateway.on(CALLS, answered("pods"), answered("wrong", ran=False), ENDED)
        states: list[str] = []

        class Texts(Agent):
            def get_action(self, state: str, /) -> str:
                states.append(state)
                texts = [
                    '```\nexec_shell("kubectl get pods")\n```',
                    "I do not know",
                    "```\nsubmit(self=1)\n```",
                    "```\nsubmit()\n```",
                ]
                return texts[len(states) - 1]

        agent = Texts()
        self.solve(agent, turn("p1"))
        self.assertIn("words of p1", agent.context)
        self.assertIn("exec_shell(command)", agent.context)
        self.assertEqual(states[0], "Please take the next action")
        self.assertEqual(states[1], "pods\nPlease take the next action")
        self.assertIn("found 0 blocks", states[2])
        self.assertEqual([one.body["arguments"] for one in self.gateway.requests(CALLS)], [
            {"command": "kubectl get pods"}, {"self": 1}, {},
        ])  # fmt: skip

    def test_get_action_may_be_async_and_keeps_its_loop(self) -> None:
        import asyncio

        loops = set()

        class Async(Agent):
            async def get_action(self, state: str, /) -> str:
                loops.add(asyncio.get_running_loop())
                await asyncio.sleep(0)
                return "```\nsubmit()\n```" if len(loops) > 5 else '```\nexec_shell("ls")\n```'

            max_steps = 3

        self.gateway.on(CALLS, answered("a"), answered("b"), answered("c"), ENDED)
        self.solve(Async(), turn("p1"))
        self.assertEqual(len(loops), 1)

        async def notebook() -> None:
            self.gateway.on(CALLS, ENDED)
            self.solve(Async(), turn("p1"))

        asyncio.run(notebook())
        self.assertEqual(len(loops), 2)

    def test_after_the_steps_a_repair_is_measured_and_a_question_is_given_up(self) -> None:
        class Idle(Agent):
            max_steps = 2

            def get_action(self, state: str, /) -> str:
                return "hm"

        self.solve(Idle(), turn("p1"))
        self.assertEqual([one.body["tool"] for one in self.gateway.requests(CALLS)], ["submit"])
        self.solve(Idle(), turn("p2", task="detection"))
        left = self.gateway.requests("POST /sessions/s1/problems/p2/leave")
        self.assertEqual([one.body["reason"] for one in left], ["no answer after 2 steps"])

    def test_a_further_attempt_begins_with_what_came_of_the_one_before(self) -> None:
        states: list[str] = []

        class Once(Agent):
            begun = 0

            def init_context(self, problem_desc: str, instructions: str, apis: dict[str, str]) -> None:
                self.begun += 1

            def get_action(self, state: str, /) -> str:
                states.append(state)
                return "```\nsubmit()\n```"

        agent = Once()
        self.solve(agent, turn("p1"), turn("p1", attempt=2))
        self.assertEqual(agent.begun, 1)
        self.assertTrue(states[1].startswith("words of p1, 2\n\nsubmit()\nHand in."), states[1])

    def test_an_agent_without_either_method_says_what_is_missing(self) -> None:
        with self.assertRaisesRegex(NotImplementedError, "get_action"):
            self.solve(Agent(), turn("p1"))
