"""Words for a model that is given no tools beside its messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..problem import Tool
from .client import Result

CALL = '<tool_call>\n{"name": "exec_shell", "arguments": {"command": "kubectl get pods"}}\n</tool_call>'
"""A call as the gym reads it in text."""


def opening(first: Result, tools: Sequence[Tool]) -> str:
    """The first message: the problem, the tools and how they are called."""
    listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    return f"{first.text}\n\n# Tools\n\n{listed}\n\nCall one tool in each answer, such as:\n\n{CALL}"
