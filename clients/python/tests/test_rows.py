from __future__ import annotations

import unittest

from microremed import score


class ScoreTest(unittest.TestCase):
    def test_only_outcomes_of_the_agent_count(self) -> None:
        outcomes = [
            "remediated",
            "solved",
            "not-solved",
            "not-remediated",
            "harness-error",
            "cancelled",
            None,
        ]
        found = score([{"outcome": outcome} for outcome in outcomes])
        self.assertEqual((found["problems"], found["passed"], found["rate"], found["not_counted"]), (4, 2, 0.5, 3))

    def test_the_interval_is_wilsons(self) -> None:
        found = score([{"outcome": "solved"}] * 7)
        # Of the demo's table: 7 of 7 is [65, 100].
        self.assertEqual((round(found["low"] or 0, 2), found["high"]), (0.65, 1.0))

    def test_without_outcomes_there_is_no_rate(self) -> None:
        self.assertEqual(
            score([]), {"problems": 0, "passed": 0, "rate": None, "low": None, "high": None, "not_counted": 0}
        )
