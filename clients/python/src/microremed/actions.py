"""Actions in text, as AIOpsLab's agents write them: one call in a fenced block."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from .problem import Problem, Tool

FENCE = re.compile(r"```[ \t]*[A-Za-z0-9_+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
"""With or without the name of a language, which models like to write."""


DEEPEST = 20
"""How deep schemas are described, in levels or in spaces of indentation; an answer has three levels."""


@dataclass(frozen=True)
class Action:
    """A call that a text asks for."""

    tool: str
    arguments: dict[str, Any]


class ActionError(ValueError):
    """The text has no action that can be made; the message is for the model."""


EXAMPLE = '```\nexec_shell("kubectl get pods")\n```'


def read_action(text: str, problem: Problem) -> Action:
    """The one call in a text, its positional arguments by the order of the tool's parameters. Throws
    `ActionError`."""
    blocks = [block for block in FENCE.findall(text) if block.strip()]
    if len(blocks) != 1:
        raise ActionError(
            f"Expected one action in one block of three backticks, and found {len(blocks)} blocks. Example:\n{EXAMPLE}"
        )
    block = blocks[0].strip()
    call = _shell_call(block) or _parsed_call(block)
    return _bound(call, problem)


@dataclass(frozen=True)
class _Call:
    name: str
    positional: list[Any]
    named: dict[str, Any]


def _shell_call(block: str) -> _Call | None:
    """A command in quotes is taken between the outermost ones: models seldom escape the quotes inside."""
    match = re.fullmatch(
        r"exec_shell\(\s*(?:command\s*=\s*)?([\"'])(.*)\1\s*(?:,\s*timeout\s*=\s*\d+\s*)?,?\s*\)",
        block,
        re.DOTALL,
    )
    if match is None:
        return None
    try:
        return _parsed_call(block)
    except ActionError:
        quote, command = match.groups()
        return _Call("exec_shell", [command.replace(f"\\{quote}", quote)], {})


def _parsed_call(block: str) -> _Call:
    try:
        node = ast.parse(block, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ActionError(f"This is no call in Python's syntax: {block[:200]}\nExample:\n{EXAMPLE}") from None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ActionError(f"Expected one call of an action, not: {block[:200]}\nExample:\n{EXAMPLE}")
    try:
        positional = [_value(one) for one in node.args]
        named = {one.arg: _value(one.value) for one in node.keywords if one.arg is not None}
    except (ValueError, RecursionError):
        raise ActionError("Arguments are strings, numbers, lists and dictionaries, written out.") from None
    return _Call(node.func.id, positional, named)


def _value(node: ast.expr) -> Any:
    """Also `true`, `false` and `null`, as models write them."""
    if isinstance(node, ast.Name) and node.id in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[node.id]
    return _as_json(ast.literal_eval(node))


def _as_json(value: Any) -> Any:
    """Tuples are lists; what JSON does not have is refused."""
    if isinstance(value, (list, tuple)):
        return [_as_json(one) for one in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _as_json(one) for key, one in value.items()}
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    raise ValueError


def _bound(call: _Call, problem: Problem) -> Action:
    tool = next((one for one in problem.tools if one["name"] == call.name), None)
    if tool is None:
        names = ", ".join(one["name"] for one in problem.tools)
        raise ActionError(f"There is no action {call.name}. Actions: {names}.")
    parameters = _parameters(tool["parameters"])
    if len(call.positional) > len(parameters):
        raise ActionError(
            f"{call.name} takes {len(parameters)} arguments, not {len(call.positional)}: {_signature(tool)}"
        )
    arguments = dict(zip(parameters, call.positional, strict=False))
    twice = sorted(arguments.keys() & call.named.keys())
    if twice:
        raise ActionError(f"{call.name}: {', '.join(twice)} is given twice.")
    properties: dict[str, Any] = tool["parameters"].get("properties", {})
    given = arguments | call.named
    return Action(call.name, {name: _fitting(value, properties.get(name, {})) for name, value in given.items()})


def _fitting(value: Any, schema: dict[str, Any]) -> Any:
    """AIOpsLab's agents say "Yes" and "No"."""
    if schema.get("type") == "boolean" and isinstance(value, str):
        return {"yes": True, "true": True, "no": False, "false": False}.get(value.strip().lower(), value)
    return value


def _parameters(schema: dict[str, Any]) -> list[str]:
    """Those that are required first, as in Python."""
    properties: dict[str, Any] = schema.get("properties", {})
    required = [name for name in schema.get("required", []) if name in properties]
    return required + [name for name in properties if name not in required]


def document(problem: Problem) -> dict[str, str]:
    """Each action's description by its name, in the style of a docstring."""
    return {tool["name"]: _docstring(tool) for tool in problem.tools}


def _docstring(tool: Tool) -> str:
    arguments = _arguments(tool["parameters"], "    ")
    return "\n".join([_signature(tool), tool["description"], *(["", "Args:", *arguments] if arguments else [])])


def _arguments(schema: dict[str, Any], indent: str) -> list[str]:
    """A line for each property, and below it those of what it is made of."""
    lines: list[str] = []
    properties: dict[str, Any] = schema.get("properties", {})
    for name in _parameters(schema):
        one = properties[name]
        inner = one.get("items", one)
        text = one.get("description", "")
        lines.append(f"{indent}{name} ({_kind(one)}){f': {text}' if text else ''}")
        lines += _arguments(inner, f"{indent}    ") if len(indent) < DEEPEST else []
    return lines


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type") or "/".join(str(one.get("type", "any")) for one in schema.get("anyOf", [])) or "any"
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return "dictionary" if kind == "object" else str(kind)


def _signature(tool: Tool) -> str:
    schema = tool["parameters"]
    required = set(schema.get("required", []))
    names = [name if name in required else f"{name}=None" for name in _parameters(schema)]
    return f"{tool['name']}({', '.join(names)})"


def instructions(problem: Problem) -> str:
    """How to answer, with an example of the answer that the problem asks for."""
    end = "When you have done all that you will do" if problem.asks is None else "When you know the answer"
    return "\n".join(
        [
            "Answer with one of the actions above, as a call in Python's syntax, alone in one block of three "
            "backticks. For example:",
            "",
            EXAMPLE,
            "",
            f"{end}, end with a block such as:",
            "",
            f"```\nsubmit({_example_arguments(problem.asks or {})})\n```",
        ]
    )


def _example_arguments(schema: dict[str, Any]) -> str:
    properties: dict[str, Any] = schema.get("properties", {})
    return ", ".join(
        f"{name}={_example(properties[name])!r}" for name in schema.get("required", []) if name in properties
    )


def _example(schema: dict[str, Any], depth: int = 0) -> Any:
    """Of the right form, with values that suggest no answer."""
    if "enum" in schema or depth >= DEEPEST:
        return "..."
    match schema.get("type"):
        case "boolean":
            return "true or false"
        case "integer" | "number":
            return 1
        case "array":
            return [_example(schema.get("items", {}), depth + 1)]
        case "object":
            properties: dict[str, Any] = schema.get("properties", {})
            named = [name for name in schema.get("required", []) if name in properties]
            return {name: _example(properties[name], depth + 1) for name in named}
        case _:
            return "..."
