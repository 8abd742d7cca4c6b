"""The gym's client, groups, curriculum and adapters, against a stub; with MICROREMED_GYM_URL also against a gym."""

from __future__ import annotations

import inspect
import os
import unittest
from typing import Any
from unittest import mock

from microremed import MicroRemedError, NoAnswer, Refused
from microremed.gym import Curriculum, Groups, Gym, TextEnv
from microremed.gym.trl import OVER, Rollouts

from .stub_gateway import ANSWER, SHELL, SUBMIT, Reply, StubGateway, broken


def given(text: str = "words", reward: float | None = None, done: bool = False, id: str = "e1", **more: Any) -> Any:
    """What the gym answers to a reset or a step."""
    return {"observation": {"episode_id": id, "text": text, **more}, "reward": reward, "done": done}


BEGUN = given(tools=[SHELL, SUBMIT], max_steps=16)


def ended(reward: float | None) -> Any:
    return given(
        "received", reward, done=True, **({"error": "lost"} if reward is None else {"reward_parts": {"clean": 1}})
    )


class GymTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = StubGateway()
        self.addCleanup(self.server.close)
        self.gym = Gym(self.server.url)
        self.server.on("DELETE /episodes/e1", {"closed": True})

    def bodies(self, request: str) -> list[Any]:
        return [one.body for one in self.server.requests(request)]


class ClientTest(GymTest):
    def test_an_episode_is_begun_worked_on_forked_and_forgotten(self) -> None:
        self.server.on("POST /reset", BEGUN)
        self.server.on("POST /step", given("pods"), given("", 0.9, done=True, tools=[SUBMIT]))
        self.server.on("POST /fork", {"forks": [given(id="e2"), given(id="e3", tools=[SHELL])]})
        self.server.on("GET /state?episode_id=e1", {"step_count": 1})
        with self.gym.reset(fault="pod-fail", seed=1) as episode:
            self.assertEqual((episode.id, episode.text, episode.done), ("e1", "words", False))
            self.assertEqual(episode.call("exec_shell", command="kubectl get pods").text, "pods")
            forks = episode.fork(2)
            self.assertEqual([(one.id, len(one.tools)) for one in forks], [("e2", 2), ("e3", 1)])
            self.assertEqual(episode.state(), {"step_count": 1})
            self.assertEqual(episode.say("done").reward, 0.9)
            self.assertEqual(episode.tools, [SUBMIT])
        self.assertEqual(self.bodies("POST /reset"), [{"fault": "pod-fail", "seed": 1}])
        actions = [one["action"] for one in self.bodies("POST /step")]
        call = {"tool": "exec_shell", "arguments": {"command": "kubectl get pods"}}
        self.assertEqual(actions, [call, {"text": "done"}])
        self.assertEqual(len(self.server.requests("DELETE /episodes/e1")), 1)

    def test_the_reward_of_an_episode_is_the_sum_of_its_steps(self) -> None:
        self.server.on("POST /reset", BEGUN)
        shaped = (given("pods", 0.25), given("more", -0.5), given("", 0.75, done=True))
        self.server.on("POST /step", *shaped, given("", 0.5, done=True))
        self.server.on("POST /fork", {"forks": [given(id="e2", reward=0.25)]})
        episode = self.gym.reset()
        self.assertIsNone(episode.reward)
        episode.say("one")
        (fork,) = episode.fork(1)
        episode.say("two")
        episode.say("three")
        fork.say("end")
        self.assertEqual((episode.reward, fork.reward), (0.5, 0.75))

    def test_address_and_token_come_from_the_environment_and_a_local_gym_needs_none(self) -> None:
        self.server.on("GET /health", {"status": "healthy"})
        self.gym.health()
        with mock.patch.dict(os.environ, {"MICROREMED_GYM_URL": self.server.url, "MICROREMED_GYM_TOKEN": "secret"}):
            Gym().health()
        self.assertEqual([one.token for one in self.server.asked], [None, "Bearer secret"])
        with self.assertRaisesRegex(MicroRemedError, "MICROREMED_GYM_URL"):
            Gym("localhost:8000")
        with self.assertRaises(ValueError):
            Gym(self.server.url, seconds=0)

    def test_a_refusal_has_the_gyms_words_code_and_issues(self) -> None:
        issues = [{"path": "fautl", "message": "unknown"}]
        refusal = Reply({"detail": "reset: fautl: unknown", "code": "invalid-request", "issues": issues}, 422)
        self.server.on("POST /reset", refusal)
        with self.assertRaisesRegex(Refused, "POST /reset: reset: fautl: unknown$") as caught:
            self.gym.reset(fautl="pod-fail")
        found = caught.exception
        self.assertEqual((found.code, found.status, found.issues), ("invalid-request", 422, (("fautl", "unknown"),)))
        self.server.on("GET /cases?suite=easy%401", {"count": 3})
        with self.assertRaisesRegex(MicroRemedError, "lacks cases"):
            self.gym.cases("easy@1")
        self.server.on("POST /reset", Reply(b"<html>", 404))
        with self.assertRaisesRegex(Refused, "not from a gym"):
            self.gym.reset()

    def test_a_reset_is_asked_again_and_a_step_that_may_have_been_done_is_not(self) -> None:
        full = Reply({"detail": "full", "code": "too-many-requests"}, 503)
        self.server.on("POST /reset", broken(), full, BEGUN)
        episode = self.gym.reset()
        self.assertEqual(len(self.server.requests("POST /reset")), 3)
        self.server.on("POST /step", broken(), given("pods"))
        with self.assertRaises(NoAnswer):
            episode.call("exec_shell", command="kubectl get pods")
        self.assertEqual(len(self.server.requests("POST /step")), 1)

    def test_where_no_gym_is_it_is_said_how_to_start_one(self) -> None:
        url = self.server.url
        self.server.close()
        with self.assertRaisesRegex(NoAnswer, "npx microremed gym serve"):
            Gym(url).health()

    def test_finish_submits_or_says_nothing_until_the_end(self) -> None:
        self.server.on("POST /reset", BEGUN)
        self.server.on("POST /step", given("again"), ended(0.5))
        self.assertEqual(self.gym.reset().finish().reward, 0.5)
        self.server.on("POST /reset", given(tools=[SHELL, ANSWER]))
        self.server.on("POST /step", ended(-0.2))
        self.assertEqual(self.gym.reset().finish().reward, -0.2)
        submit = {"tool": "submit", "arguments": {}}
        self.assertEqual([one["action"] for one in self.bodies("POST /step")], [submit, submit, {"text": ""}])
        self.server.on("POST /step", given("again"))
        with self.assertRaisesRegex(MicroRemedError, "did not end"):
            self.gym.reset().finish()


class TextEnvTest(GymTest):
    def test_results_are_gymnasiums_and_the_same_for_the_same_seed(self) -> None:
        env = TextEnv(self.gym, {"fault": "pod-fail"})
        with self.assertRaisesRegex(RuntimeError, "call reset first"):
            env.act("hello")
        self.server.on("POST /reset", BEGUN)
        text, info = env.begin(seed=7, options={"acting": "playbook"})
        self.assertIn('"exec_shell"', text)
        self.assertNotIn("episode_id", info)
        self.server.on("POST /step", given("pods"), ended(0.25))
        self.assertEqual(env.act("a")[:4], ("pods", 0.0, False, False))
        self.assertEqual(env.act("b")[1:4], (0.25, True, False))
        env.begin(seed=None, options=None)
        self.server.on("POST /step", ended(None))
        _, reward, terminated, truncated, info = env.act("c")
        self.assertEqual((reward, terminated, truncated, info["error"]), (0.0, False, True, "lost"))
        env.end()
        env.end()
        asked = [{"fault": "pod-fail", "seed": 7, "acting": "playbook"}, {"fault": "pod-fail", "seed": 8}]
        self.assertEqual(self.bodies("POST /reset"), asked)
        self.assertEqual(len(self.server.requests("DELETE /episodes/e1")), 2)


class CurriculumTest(unittest.TestCase):
    cases = ({"fault": "easy"}, {"fault": "hard"}, {"fault": "mixed"}, {"fault": "new"})

    def test_what_always_or_never_passes_is_drawn_least(self) -> None:
        curriculum = Curriculum(self.cases, size=4, window=20)
        for _ in range(10):
            curriculum.record({"fault": "easy"}, [1.0] * 4)
            curriculum.record({"fault": "hard"}, [0.0] * 4)
            curriculum.record({"fault": "mixed"}, [1.0, 0.0, 0.9, -0.1])
        easy, hard, mixed, new = (curriculum.weight(case) for case in self.cases)
        # One more pass and failure than were seen: 21 of 22, and 1 of 22.
        self.assertAlmostEqual(easy, 1 - (21 / 22) ** 4 - (1 / 22) ** 4)
        self.assertAlmostEqual(easy, hard)
        self.assertEqual(mixed, new)
        self.assertAlmostEqual(mixed, 1 - 2 * 0.5**4)
        drawn = [curriculum.draw()["fault"] for _ in range(2_000)]
        self.assertLess(drawn.count("easy"), drawn.count("mixed") / 2)
        self.assertGreater(drawn.count("hard"), 0)
        # What a model has learned to do meanwhile.
        for _ in range(3):
            curriculum.record({"fault": "hard"}, [1.0, 1.0, 1.0, 0.0])
        self.assertGreater(curriculum.weight({"fault": "hard"}), 0.8)

    def test_no_case_is_given_up(self) -> None:
        curriculum = Curriculum(self.cases, size=2, window=10_000, least=0.2)
        curriculum.record({"fault": "hard"}, [0.0] * 5_000)
        self.assertEqual(curriculum.weight({"fault": "hard"}), 0.2)

    def test_draws_follow_the_seed_and_a_case_keeps_its_own(self) -> None:
        cases = [{"fault": "a"}, {"fault": "b", "seed": 9}]
        first, second = (Curriculum(cases, courses=3, seed=5) for _ in range(2))
        drawn = [first.draw() for _ in range(50)]
        self.assertEqual(drawn, [second.draw() for _ in range(50)])
        self.assertEqual({one["seed"] for one in drawn if one["fault"] == "a"}, {0, 1, 2})
        self.assertEqual({one["seed"] for one in drawn if one["fault"] == "b"}, {9})
        for case in drawn:
            self.assertIn(first.case_of(case), cases)
        with self.assertRaisesRegex(ValueError, "none of the curriculum's cases"):
            first.record({"fault": "c"}, [1.0])

    def test_table_and_summary_leave_out_what_the_harness_failed(self) -> None:
        now = iter([0.0, 10.0])
        curriculum = Curriculum(self.cases, size=2, clock=lambda: next(now))
        curriculum.draw()
        curriculum.record({"fault": "mixed", "seed": 3}, [1.0, 0.0, None])
        curriculum.record({"fault": "easy", "seed": 0}, [0.8, 0.8])
        summary = curriculum.summary()
        expected = {
            "pass_rate": 0.75,
            "reward": 0.65,
            "reward_spread": 0.25,
            "groups_with_spread": 0.5,
            "episodes": 4.0,
            "episodes_per_second": 0.4,
            "harness_failures": 1.0,
        }
        self.assertEqual(summary.keys(), expected.keys())
        for name, value in expected.items():
            self.assertAlmostEqual(summary[name], value, msg=name)
        rows = {row.case: (row.episodes, row.passed, row.pass_rate) for row in curriculum.table()}
        self.assertEqual(rows, {"easy": (2, 2, 1.0), "hard": (0, 0, None), "mixed": (2, 1, 0.5), "new": (0, 0, None)})

    def test_what_makes_no_sense_is_refused(self) -> None:
        for wrong in ({"cases": []}, {"size": 1}, {"window": 0}, {"least": 2}, {"cases": [{"fault": "a"}] * 2}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                Curriculum(**{"cases": self.cases, **wrong})  # type: ignore[arg-type]


class RolloutsTest(GymTest):
    """TRL's side is played by the test: what it calls is in TRL's documentation."""

    def setUp(self) -> None:
        super().setUp()
        self.server.on("POST /reset", BEGUN)
        self.server.on("POST /fork", {"forks": [given(id="e1"), given(id="e1")]})
        self.curriculum = Curriculum([{"fault": "pod-fail"}], size=3, courses=1)
        self.rollouts = Rollouts(self.gym, self.curriculum)

    def test_a_group_is_one_start_and_its_forks(self) -> None:
        groups = Groups(self.gym, self.curriculum)
        taken = [groups.take() for _ in range(6)]
        self.assertEqual(len({id(group) for group, _ in taken}), 2)
        self.assertEqual(len({id(episode) for _, episode in taken}), 6)
        self.assertEqual(self.bodies("POST /reset"), [{"fault": "pod-fail", "seed": 0}] * 2)
        self.assertEqual([one["n"] for one in self.bodies("POST /fork")], [2, 2])

    def test_tools_are_methods_with_what_a_schema_is_made_from(self) -> None:
        environment = self.rollouts.environment()
        public = [name for name, _ in inspect.getmembers(environment, inspect.isfunction) if not name.startswith("_")]
        self.assertEqual(sorted(public), ["exec_shell", "reset", "submit"])
        shell = environment.exec_shell  # type: ignore[attr-defined]
        self.assertEqual(str(inspect.signature(shell)), "(self, command: str) -> str")
        self.assertEqual(shell.__doc__, "Run one shell command.\n\nArgs:\n    command: command")
        self.assertEqual(inspect.get_annotations(shell), {"command": str, "return": str})

    def test_a_model_may_be_shown_some_tools_only(self) -> None:
        shown = Rollouts(self.gym, self.curriculum, tools=["submit"]).environment()
        self.assertFalse(hasattr(shown, "exec_shell"))
        with self.assertRaisesRegex(ValueError, "the gym offers exec_shell, submit"):
            Rollouts(self.gym, self.curriculum, tools=["exec_shel"]).environment()

    def test_an_environment_plays_and_rewards_come_by_group(self) -> None:
        members = [self.rollouts.environment()() for _ in range(3)]
        self.assertEqual([one.reset(prompt=[]) for one in members], ["words"] * 3)
        self.server.on("POST /step", given("pods"), ended(0.9), ended(None), ended(0.1))
        first: Any = members[0]
        self.assertEqual(first.exec_shell(command="kubectl get pods"), "pods")
        self.assertEqual(first.submit(), "received")
        self.assertEqual(first.submit(), OVER)
        with self.assertRaises(TypeError):
            first.exec_shell(comand="typo")
        logged: dict[str, float] = {}
        # The one that the harness failed is no better and no worse than its group.
        rewards = self.rollouts.rewards(["", "", ""], environments=members, log_metric=logged.__setitem__)
        self.assertEqual(rewards, [0.9, 0.0, 0.1])
        self.assertEqual((logged["gym/pass_rate/pod-fail"], logged["gym/episodes"]), (0.5, 2.0))
        self.assertEqual(len(self.server.requests("POST /step")), 4)

    def test_rewards_of_a_broken_group_are_refused(self) -> None:
        members = [self.rollouts.environment()() for _ in range(2)]
        with self.assertRaisesRegex(ValueError, "of no episodes"):
            self.rollouts.rewards(["", ""], environments=members)
        for one in members:
            one.reset()
        self.server.on("POST /step", ended(0.9))
        with self.assertRaisesRegex(ValueError, "num_generations"):
            self.rollouts.rewards(["", ""], environments=members)


@unittest.skipUnless(os.environ.get("MICROREMED_GYM_URL"), "MICROREMED_GYM_URL is not set: there is no gym")
class RealGymTest(unittest.TestCase):
    case = {"fault": "pod-fail", "environment": "simple-micro"}  # noqa: RUF012

    def test_forks_of_a_group_earn_what_they_did(self) -> None:
        gym = Gym()
        self.assertEqual(gym.cases("easy@1"), 23)
        repaired, idle, asked = gym.group(3, **self.case)
        self.assertEqual(repaired.text, asked.text)
        repaired.call("exec_shell", command="kubectl delete podchaos --all")
        self.assertGreater(repaired.finish().reward or 0, 0.9)
        self.assertLessEqual(idle.finish().reward or 0, 0)
        written = '<tool_call>{"name": "exec_shell", "arguments": {"command": "kubectl get pods"}}</tool_call>'
        self.assertIn("time-service", asked.say(written).text)
        for one in (repaired, idle, asked):
            one.close()
        with self.assertRaisesRegex(Refused, "there is no episode"):
            asked.state()

    def test_the_same_seed_and_answers_give_the_same(self) -> None:
        seen = []
        for _ in range(2):
            env = TextEnv(Gym(), self.case)
            seen.append([env.begin(seed=2, options=None), env.act("no call"), env.act("no call either")])
            env.end()
        self.assertEqual(seen[0], seen[1])

    def test_a_curriculum_trains_on_groups_of_forks(self) -> None:
        curriculum = Curriculum([self.case], size=2, courses=1)
        rollouts = Rollouts(Gym(), curriculum)
        members: list[Any] = [rollouts.environment()() for _ in range(2)]
        for one in members:
            one.reset()
        members[0].exec_shell(command="kubectl delete podchaos --all")
        good, bad = rollouts.rewards(["", ""], environments=members)
        self.assertGreater(good, 0.9)
        self.assertLessEqual(bad, 0)
        self.assertEqual([(row.episodes, row.passed) for row in curriculum.table()], [(2, 1)])
