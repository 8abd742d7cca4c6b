"""Says that an agent is alive while its model thinks."""

from __future__ import annotations

import logging
import threading
import time

from ._http import Http
from .errors import MicroRemedError, Refused

log = logging.getLogger("microremed")

ANSWER_SECONDS = 10.0
"""Until a heartbeat counts as lost."""

LONGEST_INTERVAL = 60.0
"""Seconds."""


class Heartbeat:
    """Sends heartbeats of a session in a thread of its own, a few within the time after which silence counts
    as death.

    It stops by itself when the agent has not asked anything for `longest_think` seconds: an agent that hangs
    is to be lost.
    """

    def __init__(self, http: Http, session: str, silence: float, longest_think: float) -> None:
        self._http = http
        self._path = f"/sessions/{session}/heartbeat"
        self._interval = min(LONGEST_INTERVAL, silence / 4)
        self._longest_think = longest_think
        self._last_sign = time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat of {session}", daemon=True)
        self._thread.start()

    def note_sign_of_life(self) -> None:
        """The agent asks something at this moment."""
        self._last_sign = time.monotonic()

    def stop(self) -> None:
        self._stopped.set()

    def _beat(self) -> None:
        while not self._stopped.wait(self._interval):
            if time.monotonic() - self._last_sign > self._longest_think:
                continue
            try:
                self._http.ask("POST", self._path, {}, within=ANSWER_SECONDS, stop=self._stopped)
            except Refused as refused:
                if refused.code == "unknown-session":
                    return
                log.warning("a heartbeat was refused: %s", refused)
            except MicroRemedError as error:
                log.warning("a heartbeat did not arrive: %s", error)
