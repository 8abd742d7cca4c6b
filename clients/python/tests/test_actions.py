from __future__ import annotations

import unittest
from types import SimpleNamespace
from typing import Any, cast

from microremed.actions import ActionError, document, instructions, read_action
from microremed.problem import Problem

from .stub_gateway import ANSWER, LOGS, SHELL, SUBMIT


def problem(submit: dict[str, Any] = ANSWER) -> Problem:
    asks = submit["parameters"] if submit is ANSWER else None
    return cast(Problem, SimpleNamespace(tools=[SHELL, LOGS, submit], asks=asks))


def read(text: str) -> tuple[str, dict[str, Any]]:
    action = read_action(text, problem())
    return action.tool, action.arguments


class ReadActionTest(unittest.TestCase):
    def test_calls_as_models_write_them(self) -> None:
        for text, expected in {
            '```\nexec_shell("kubectl get pods")\n```': ("exec_shell", {"command": "kubectl get pods"}),
            'Thought: x\nAction:\n```python\nexec_shell(command="ls")\n```\nDone.': (
                "exec_shell",
                {"command": "ls"},
            ),
            "```\nexec_shell('ls', timeout=5)\n```": ("exec_shell", {"command": "ls", "timeout": 5}),
            '```\nget_logs("pod/a", 20)\n```': ("get_logs", {"of": "pod/a", "lines": 20}),
            '```\nget_logs(lines=20, of="pod/a")\n```': ("get_logs", {"of": "pod/a", "lines": 20}),
            "```\nsubmit(anomaly=true)\n```": ("submit", {"anomaly": True}),
            '```\nsubmit("Yes")\n```': ("submit", {"anomaly": True}),
            '```\nsubmit("no")\n```': ("submit", {"anomaly": False}),
            '```\nsubmit("perhaps")\n```': ("submit", {"anomaly": "perhaps"}),
            "```\nsubmit()\n```": ("submit", {}),
            '```\nget_logs({"a": (1, [None])})\n```': ("get_logs", {"of": {"a": [1, [None]]}}),
        }.items():
            with self.subTest(text):
                self.assertEqual(read(text), expected)

    def test_a_command_may_have_quotes_that_are_not_escaped(self) -> None:
        for inside in ("""kubectl patch x -p '{"spec": {"a": 1}}'""", """echo "a" | grep "b" """, "a\nb 'c'"):
            with self.subTest(inside):
                self.assertEqual(read(f'```\nexec_shell("{inside}")\n```'), ("exec_shell", {"command": inside}))
        self.assertEqual(
            read(r"```" + "\n" + r'exec_shell("a \"b\" c")' + "\n```"), ("exec_shell", {"command": 'a "b" c'})
        )

    def test_what_is_no_action_is_answered_with_what_is_wrong(self) -> None:
        for text, message in {
            "no block": "found 0 blocks",
            "```\nsubmit()\n```\n```\nsubmit()\n```": "found 2 blocks",
            "```\nkubectl get pods\n```": "no call in Python's syntax",
            "```\nsubmit\n```": "Expected one call",
            "```\n__import__('os').system('x')\n```": "Expected one call",
            "```\ndrop_all()\n```": "There is no action drop_all",
            "```\nget_logs(1, 2, 3)\n```": "takes 2 arguments, not 3",
            '```\nget_logs("a", of="b")\n```': "given twice",
            "```\nget_logs(open('x'))\n```": "written out",
            "```\nget_logs(1e999)\n```": "written out",
            "```\nget_logs({1: 2})\n```": "written out",
            "```\n" + "(" * 100_000 + "\n```": "no call",
        }.items():
            with self.subTest(text[:40]), self.assertRaisesRegex(ActionError, message):
                read(text)

    def test_a_long_text_without_an_end_is_read_at_once(self) -> None:
        with self.assertRaises(ActionError):
            read("```\n" + "exec_shell(" * 200_000)

    def test_tools_are_described_as_functions(self) -> None:
        documents = document(problem())
        self.assertEqual(list(documents), ["exec_shell", "get_logs", "submit"])
        self.assertEqual(
            documents["get_logs"],
            "get_logs(of, lines=None)\nGet the last lines.\n\nArgs:\n    of (string): a pod\n    lines (integer)",
        )
        self.assertTrue(instructions(problem()).endswith("```\nsubmit(anomaly='true or false')\n```"))
        self.assertTrue(instructions(problem(SUBMIT)).endswith("```\nsubmit()\n```"))

    def test_answers_that_are_objects_are_described_to_their_depth_with_an_example(self) -> None:
        kind = {"type": "string", "enum": ["Deployment", "Service"]}
        cause = {"type": "object", "properties": {"more": {"type": "number"}, "kind": kind}, "required": ["kind"]}
        schema = {"type": "object", "properties": {"causes": {"type": "array", "items": cause}}, "required": ["causes"]}
        tool = {"name": "submit", "description": "Hand in.", "parameters": schema}
        asked = cast(Problem, SimpleNamespace(tools=[tool], asks=schema))
        self.assertEqual(
            document(asked)["submit"].splitlines()[3:],
            [
                "Args:",
                "    causes (list of dictionary)",
                "        kind (one of Deployment, Service)",
                "        more (number)",
            ],
        )
        example = instructions(asked).split("such as:\n\n")[1]
        self.assertEqual(example, "```\nsubmit(causes=[{'kind': '...'}])\n```")
        self.assertEqual(read_action(example, asked).arguments, {"causes": [{"kind": "..."}]})
        loop: dict[str, Any] = {"type": "object", "properties": {}, "required": ["again"]}
        loop["properties"]["again"] = loop
        deep = cast(Problem, SimpleNamespace(tools=[{**tool, "parameters": loop}], asks=loop))
        self.assertLess(len(document(deep)["submit"] + instructions(deep)), 10_000)
