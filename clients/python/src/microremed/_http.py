"""Requests to a server of MicroRemed: JSON in, JSON out, each with a deadline."""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import random
import socket
import ssl
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import MicroRemedError, NoAnswer, Refused, TurnOver

Json = dict[str, Any]

MOST_BYTES = 256 * 2**20
"""Of an answer; what is larger is no answer of MicroRemed."""

BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may be sent again: the server has not carried it out."""

LONGEST_PAUSE = 10.0
"""Between two tries where the server does not say how long, seconds."""


@dataclass(frozen=True)
class Service:
    """A kind of server of MicroRemed: where it is, and how errors speak of it."""

    name: str
    variable: str
    """With its address; that with `_URL` replaced by `_TOKEN` has its token."""
    address: str
    prefix: str
    start: str
    no_token: str | None
    """What is said where there is no token; None: it needs none."""

    @property
    def token_variable(self) -> str:
        return self.variable.replace("_URL", "_TOKEN")


GATEWAY = Service(
    "gateway",
    "MICROREMED_URL",
    "http://127.0.0.1:7070",
    "/v1",
    "Start a range with `npx microremed up --gateway`, or say where one is by MICROREMED_URL",
    "no token: pass one as Range(url, token), or set MICROREMED_TOKEN; a local range writes "
    ".microremed/agent.token and .microremed/researcher.token, `npx microremed tokens create` makes others",
)
GYM = Service(
    "gym",
    "MICROREMED_GYM_URL",
    "http://127.0.0.1:8000",
    "",
    "Start one with `npx microremed gym serve`, or say where it is by MICROREMED_GYM_URL",
    None,
)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Http:
    """Asks one server with one token. Any number of threads may share it."""

    def __init__(self, url: str | None, token: str | None, service: Service = GATEWAY) -> None:
        self._service = service
        self.url = _checked_url(url or os.environ.get(service.variable) or service.address, service)
        self._token = _checked_token(token or os.environ.get(service.token_variable) or "", service)
        self._opener = _opener_for(self.url)
        self._has_answered = False

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        within: float,
        again: bool = True,
        stop: threading.Event | None = None,
    ) -> Json:
        """The answer to a request; of a gateway the path is below `/v1`.

        `within`: seconds until it must be there, all tries included. A request is sent again after an error
        of the network, but not with `again=False`, which is for requests that do something each time that
        they arrive. `stop` ends the wait between two tries.
        """
        deadline = time.monotonic() + within
        tries = 0
        last: MicroRemedError
        while True:
            tries += 1
            try:
                return self._once(method, path, body, deadline)
            except Refused as refused:
                if refused.status not in BUSY:
                    raise
                pause, last = _pause(tries, refused.retry_after), refused
            except _Broken as broken:
                pause, last = _pause(tries), NoAnswer(self._no_answer(method, path, broken))
                if not self._may_repeat(broken, again):
                    raise last from broken
            left = deadline - time.monotonic()
            if left <= pause:
                raise last
            if stop is None:
                time.sleep(pause)
            elif stop.wait(pause):
                raise last

    def _once(self, method: str, path: str, body: Mapping[str, Any] | None, deadline: float) -> Json:
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._where(path), data, headers, method=method)
        try:
            with self._opener.open(request, timeout=_left(deadline)) as reply:
                answer = _object(_read(reply, deadline), self._service)
                self._has_answered = True
                return answer
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(f"{method} {self._service.prefix}{path}", error, deadline, self._service) from None
        except (OSError, http.client.HTTPException) as error:
            raise _Broken(error) from error

    def _where(self, path: str) -> str:
        return f"{self.url}{self._service.prefix}{path}"

    def _may_repeat(self, broken: _Broken, again: bool) -> bool:
        """A server that was there may come back, or another replica; where none ever was, the address is
        wrong."""
        if broken.nothing_arrived:
            return self._has_answered
        return again

    def _no_answer(self, method: str, path: str, broken: _Broken) -> str:
        what = f"{method} {self._where(path)} got no answer: {broken}"
        if broken.nothing_arrived:
            return f"{what}. {self._service.start}"
        return f"{what}. Is {self.url} the address of a {self._service.name}, and can this machine reach it?"


def expect(answer: Json, *fields: str) -> Json:
    """The answer, if it has all of these fields. Raises `MicroRemedError` that names those that it lacks."""
    missing = [field for field in fields if field not in answer]
    if missing:
        raise MicroRemedError(
            f"the answer lacks {', '.join(missing)}: it comes from no server of MicroRemed, or from one of another "
            f"version than this package; it has {', '.join(map(str, answer))[:200] or 'nothing'}"
        )
    return answer


class _Broken(Exception):
    """A connection that was not made, or broke."""

    def __init__(self, error: BaseException) -> None:
        reason = getattr(error, "reason", error)
        super().__init__(str(reason) or type(reason).__name__)
        self.nothing_arrived = isinstance(
            reason, (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
        )
        """No server has got the request."""


def _checked_url(url: str, service: Service) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise MicroRemedError(
            f"{url!r} is no address of a {service.name}; expected e.g. {service.address} ({service.variable})"
        )
    if parts.username or parts.password:
        raise MicroRemedError(
            f"the address of a {service.name} has no user and password; give the token apart ({service.token_variable})"
        )
    return url.rstrip("/").removesuffix(service.prefix)


def _opener_for(url: str) -> urllib.request.OpenerDirector:
    """Proxies of the environment are for other machines: on its way to this one a token goes through none."""
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        is_own = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = False
    return urllib.request.build_opener(_NoRedirects(), *([urllib.request.ProxyHandler({})] if is_own else []))


def _checked_token(token: str, service: Service) -> str:
    token = token.strip()
    if not token and service.no_token is not None:
        raise MicroRemedError(service.no_token)
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise MicroRemedError(f"the token has characters that no token has; it is one word ({service.token_variable})")
    return token


def _left(deadline: float) -> float:
    return max(0.1, deadline - time.monotonic())


def _pause(tries: int, wanted: float | None = None) -> float:
    """Seconds; where the server says how long, not less: what lasts beyond a request's deadline is not waited for."""
    if wanted is not None:
        return wanted
    return random.uniform(0.5, 1.0) * float(min(LONGEST_PAUSE, 0.1 * 2 ** min(tries, 10)))


def _read(reply: http.client.HTTPResponse | urllib.error.HTTPError, deadline: float) -> bytes:
    """All of it; a server that sends byte by byte is cut off at the deadline too."""
    parts: list[bytes] = []
    size = 0
    while part := reply.read1(2**16):
        size += len(part)
        if size > MOST_BYTES:
            raise MicroRemedError(f"an answer of more than {MOST_BYTES} bytes, which no server of MicroRemed gives")
        if time.monotonic() > deadline:
            raise TimeoutError("the answer is not complete at the deadline")
        parts.append(part)
    return b"".join(parts)


def _object(data: bytes, service: Service) -> Json:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise MicroRemedError(
            f"the answer is no JSON object of a {service.name}: {data[:100]!r}; check {service.variable}"
        )
    return value


def _refusal(what: str, error: urllib.error.HTTPError, deadline: float, service: Service) -> Refused:
    try:
        said = _said(json.loads(_read(error, deadline)))
    except (OSError, http.client.HTTPException, ValueError):
        said = {}
    code = str(said.get("code") or ("redirect" if 300 <= error.code < 400 else f"no-{service.name}"))
    message = str(said.get("message") or error.reason)
    issues = said.get("issues")
    listed = [issue for issue in issues if isinstance(issue, dict)] if isinstance(issues, list) else []
    wait = error.headers.get("Retry-After", "")
    return (TurnOver if code == "turn-over" else Refused)(
        f"{what}: {message}{_advice(code, error.code, service)}",
        code=code,
        status=error.code,
        issues=[(str(issue.get("path", "")), str(issue.get("message", ""))) for issue in listed],
        retry_after=float(wait) if wait.isdecimal() and len(wait) < 7 else None,
    )


def _said(body: Any) -> Json:
    """A gateway's `error`, or a gym's `detail` with its code beside it."""
    if not isinstance(body, dict):
        return {}
    found = body.get("error", body)
    return {"message": found.get("detail"), **found} if isinstance(found, dict) else {}


def _advice(code: str, status: int, service: Service) -> str:
    if code in ("redirect", f"no-{service.name}"):
        return f" ({status}, not from a {service.name} of MicroRemed). Check {service.variable}, and proxies on the way"
    if service is not GATEWAY:
        return ""
    if status == 401:
        return ". Tokens of a local range end with it: read .microremed/*.token again, or set MICROREMED_TOKEN"
    if code == "forbidden" and status == 403:
        return ". `GET /v1/token` shows what the token is; `npx microremed tokens create` makes another one"
    return ""
