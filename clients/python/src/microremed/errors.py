"""What can go wrong between an agent and a range. Every message says what to do."""

from __future__ import annotations

from collections.abc import Sequence


class MicroRemedError(Exception):
    """Any error of this package. What an agent's own code raises is never one."""


class NoAnswer(MicroRemedError):
    """The range could not be reached, or did not answer within the deadline. Nothing is known of what it did."""


class Refused(MicroRemedError):
    """The range answered, and refused.

    `code` is one of the range's error codes (docs/reference/errors.md), `status` the HTTP status, and
    `issues` has a (path, message) for each wrong field of the request. `retry_after`: seconds after which the
    same may be asked again; None: it makes no sense to.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        issues: Sequence[tuple[str, str]] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.issues = tuple(issues)
        self.retry_after = retry_after


class TurnOver(Refused):
    """The turn that a call belongs to is over: it was submitted, or the problem has started again. Ask for
    the next problem."""
