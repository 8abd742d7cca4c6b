"""A problem's turn, as an agent has it: words, tools, limits, and calls."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from ._http import Json, expect
from .errors import NoAnswer, TurnOver

if TYPE_CHECKING:
    from .session import Session


LEAVE_SECONDS = 10.0
"""How long one request waits for the end of a problem that is left."""

LONGEST_NAME = 100
"""Of a tool, characters; the gateway takes no longer ones."""


class Tool(TypedDict):
    """What an agent may call. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came of a call. `str(answer)` is its text, as a model gets it."""

    text: str
    ran: bool
    """False: the tool was not run, and the text says why: wrong arguments, a limit, an unknown tool."""
    ended: bool
    """The turn is over: it was submitted, or a limit is reached."""
    milliseconds: float | None = None
    """That the tool took; None: it was not run."""

    def __str__(self) -> str:
        return self.text


class Problem:
    """A turn of a problem: its first attempt, a further attempt, or the next task of a cycle.

    Call its tools, then `submit`. A problem that was handed in wrong comes again, with `attempt` 2 and what
    came of the first in `words`, as long as its limits allow.
    """

    def __init__(self, session: Session, given: Json, turn: int, row: Json) -> None:
        self._session = session
        self._row = row
        self.name: str = given["problem"]
        """Of this problem in this session; it says nothing else."""
        self.attempt: int = given["attempt"]
        self.task: str = given["task"]
        """`detection`, `localization`, `analysis`, `mitigation`; a watch asks for detection again and again."""
        self.may_act: bool = given["mayAct"]
        """Something may be changed."""
        self.words: str = given["words"]
        """The report and the question, or what came of the attempt before. Give them to the model as they
        are."""
        self.tools: list[Tool] = given["tools"]
        self.limits: dict[str, Any] = given["limits"]
        self.turn = turn
        """1 in the problem's first turn of this session, then 2 and so on: an agent begins its history when
        it is 1."""
        self.ended = False
        # What is meant for this turn is done in no other: after a lost arena the same attempt is another turn.
        self._named: Json = {"turn": given["turn"]} if "turn" in given else {}
        self._spent: Json = {}
        self._thinks_since = time.monotonic()

    def __repr__(self) -> str:
        return f"<Problem {self.name} {self.task} attempt {self.attempt}{' ended' if self.ended else ''}>"

    @property
    def asks(self) -> dict[str, Any] | None:
        """JSON schema of the answer that `submit` takes; None: the system is to be repaired, and `submit`
        takes nothing."""
        schema: dict[str, Any] = next((tool["parameters"] for tool in self.tools if tool["name"] == "submit"), {})
        return schema if schema.get("properties") else None

    def openai_tools(self) -> list[dict[str, Any]]:
        """The tools as OpenAI's chat completions take them."""
        return [{"type": "function", "function": dict(tool)} for tool in self.tools]

    def spend(
        self,
        *,
        prompt_tokens: int | None = None,
        completion_tokens: int | None = None,
        cost: float | None = None,
        seconds: float | None = None,
    ) -> None:
        """Adds to what the agent has used up; it is sent with the next call, and stored as the agent's own
        word.

        Say the cost of every answer of the model, or none: after the first, calls without one cost nothing.
        `cost`: US dollars. `seconds` that it thought, on its own clock; the range measures the time between
        an answer and the next call in any case.
        """
        given = {
            "promptTokens": prompt_tokens,
            "completionTokens": completion_tokens,
            "cost": cost,
            "seconds": seconds,
        }
        for field, value in given.items():
            if value is None:
                continue
            if not 0 <= value < float("inf"):
                raise ValueError(f"{field} is {value!r}; expected a number of at least 0")
            self._spent[field] = self._spent.get(field, 0) + value
        self._session.says_cost = self._session.says_cost or cost is not None

    def call(self, tool: str, /, **arguments: Any) -> Answer:
        """Calls a tool and waits for its answer, at most the session's `call_seconds`.

        A call is made once, also if the network breaks meanwhile. Mistakes in the arguments are an answer
        with `ran` False, for the model to read. Raises `TurnOver` when the turn is over already, `NoAnswer`
        at the deadline, `TypeError` and `ValueError` for arguments that are no JSON.
        """
        return self._make(tool, arguments)

    def call_as_said(self, tool: str, arguments: str | Mapping[str, Any] | None) -> Answer:
        """Makes a call as a model has written it, arguments as JSON text or as an object.

        For whatever a model may say there is an answer: arguments that are no JSON object, and a turn that is over
        since an earlier call of the same message, are answers with `ran` False.
        """
        if self.ended:
            return Answer("The turn is over.", ran=False, ended=True)
        try:
            given = json.loads(arguments or "{}") if isinstance(arguments, str | None) else arguments
            # A round trip, so that what cannot be sent is found here.
            json.dumps(given, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            given = None
        if not isinstance(given, Mapping) or not 0 < len(tool) <= LONGEST_NAME:
            return Answer("The tool was not run: its arguments must be a JSON object.", ran=False, ended=False)
        return self._make(tool, given)

    def submit(self, **answer: Any) -> Answer:
        """Hands in the answer, by the schema in `asks`, or says that the system is repaired. An answer of the
        wrong form is not taken: `ran` is False, the text says why, and the turn goes on."""
        return self._make("submit", answer)

    def leave(self, reason: str = "") -> None:
        """Gives the problem up: a question has no answer then; what was changed in the system is measured as it
        is. Nothing happens if the turn is over.

        Waits until the range says that the turn has ended. Raises `NoAnswer` when it has not within the session's
        `call_seconds`.
        """
        if self.ended:
            return
        spent = self._note_spent()
        body: Json = {"reason": reason[:500], **self._named, **({"spent": spent} if spent else {})}
        try:
            self._until_left(body)
        except TurnOver:
            pass
        else:
            self._row["error"] = self._row["error"] or reason[:500] or "given up"
        self.ended = True

    def _until_left(self, body: Json) -> None:
        """The same again while the range has not said that the turn has ended: it may not have got it."""
        session = self._session
        deadline = time.monotonic() + session.call_seconds
        while True:
            wait = max(0.0, min(LEAVE_SECONDS, deadline - time.monotonic()))
            left = session.ask("POST", f"/problems/{self.name}/leave", {**body, "waitSeconds": wait}, waits=wait)
            if left.get("status") != "pending":
                return
            if time.monotonic() >= deadline:
                raise NoAnswer(
                    f"{self!r} was left, and the range has not ended it for {session.call_seconds:g} s (call_seconds). "
                    "Leave it again, or close the session"
                )

    def note_error(self, text: str) -> None:
        """What went wrong in the agent, for the problem's row."""
        self._row["error"] = text

    def _make(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        if self.ended:
            raise TurnOver("the turn is over; ask for the next problem", code="turn-over", status=409)
        body: Json = {"id": uuid.uuid4().hex, "tool": tool, "arguments": dict(arguments), **self._named}
        if spent := self._note_spent():
            body["spent"] = spent
        result = self._until_answered(body)
        self._thinks_since = time.monotonic()
        self._row["calls"] += 1
        if result["status"] == "ended":
            self.ended = True
            taken = tool == "submit" and result.get("how", "submitted") == "submitted"
            self._row["answer"] = dict(arguments) if taken else None
            return Answer(result.get("reason") or "The turn is over.", ran=True, ended=True)
        self._row["refused"] += 0 if result["ran"] else 1
        self._row["tool_seconds"] += (result["milliseconds"] or 0) / 1000
        return Answer(result["text"], ran=result["ran"], ended=False, milliseconds=result["milliseconds"])

    def _until_answered(self, body: Json) -> Json:
        """The same request with the same id until there is an answer: so the call is made once."""
        session = self._session
        deadline = time.monotonic() + session.call_seconds
        while True:
            wait = max(0.0, min(50.0, deadline - time.monotonic()))
            try:
                path = f"/problems/{self.name}/calls"
                result = expect(session.ask("POST", path, {**body, "waitSeconds": wait}, waits=wait), "status")
            except TurnOver:
                self.ended = True
                raise
            if result["status"] == "ended":
                return result
            if result["status"] == "answered":
                return expect(result, "text", "ran", "milliseconds")
            if time.monotonic() >= deadline:
                raise NoAnswer(
                    f"{body['tool']} has not answered for {session.call_seconds:g} s (call_seconds); what it does is "
                    "not known. Leave the problem, or open the session with a longer call_seconds"
                )

    def _note_spent(self) -> Json:
        """What was used up since the last call; it goes into the row too."""
        spent, row = self._spent, self._row
        if self._session.says_cost:
            # To the range a call without a cost is one whose cost is not known, and with it that of the whole problem.
            spent.setdefault("cost", 0)
        row["think_seconds"] += time.monotonic() - self._thinks_since
        row["prompt_tokens"] += spent.get("promptTokens", 0)
        row["completion_tokens"] += spent.get("completionTokens", 0)
        if "cost" in spent:
            row["cost"] = (row["cost"] or 0) + spent["cost"]
        self._spent = {}
        return spent
