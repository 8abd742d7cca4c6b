from __future__ import annotations

import os
import socket
import unittest
from http.server import BaseHTTPRequestHandler
from unittest import mock

from microremed import MicroRemedError, NoAnswer, Range, Refused, TurnOver, _http

from .stub_gateway import OPENED, TOKEN, Reply, StubGateway, broken, error


class HttpTest(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = StubGateway()
        self.addCleanup(self.gateway.close)
        self.range = Range(self.gateway.url, TOKEN)

    def test_address_and_token_come_from_the_environment(self) -> None:
        self.gateway.on("GET /token", {"version": "1"})
        with mock.patch.dict(os.environ, {"MICROREMED_URL": f"{self.gateway.url}/", "MICROREMED_TOKEN": f"{TOKEN}\n"}):
            self.assertEqual(Range().token(), {"version": "1"})
        self.assertEqual(self.gateway.asked[0].token, f"Bearer {TOKEN}")

    def test_wrong_addresses_and_tokens_are_refused_before_anything_is_sent(self) -> None:
        for url in ("localhost:7070", "ftp://a", "http://", "http://a?b=1", "http://user:pass@a"):
            with self.subTest(url), self.assertRaisesRegex(MicroRemedError, "MICROREMED_"):
                Range(url, TOKEN)
        none = mock.patch.dict(os.environ, {"MICROREMED_TOKEN": ""})
        with none, self.assertRaisesRegex(MicroRemedError, "microremed tokens create"):
            Range(self.gateway.url)
        with self.assertRaisesRegex(MicroRemedError, "characters"):
            Range(self.gateway.url, "mr_a\nX-Other: b")

    def test_a_refusal_has_code_status_issues_and_what_to_do(self) -> None:
        issues = [{"path": "parallel", "message": "at most 16"}]
        self.gateway.on("POST /sessions", error(400, "invalid-request", "parallel: at most 16", issues=issues))
        with self.assertRaises(Refused) as caught:
            self.range.session("a", suite="easy@1", parallel=99)
        self.assertEqual(
            (caught.exception.code, caught.exception.status, caught.exception.issues),
            ("invalid-request", 400, (("parallel", "at most 16"),)),
        )
        self.gateway.on("GET /suites", error(401, "unauthorized"))
        with self.assertRaisesRegex(Refused, "MICROREMED_TOKEN"):
            self.range.suites()
        self.gateway.on("GET /suites", error(403, "forbidden"))
        with self.assertRaisesRegex(Refused, "tokens create"):
            self.range.suites()

    def test_what_is_no_gateway_is_named_as_such(self) -> None:
        self.gateway.on("GET /token", Reply(b"<html>hello</html>"))
        with self.assertRaisesRegex(MicroRemedError, "no JSON object of a gateway"):
            self.range.token()
        self.gateway.on("GET /token", Reply(b"<html>gone</html>", 404))
        with self.assertRaisesRegex(Refused, "not from a gateway"):
            self.range.token()
        self.gateway.on("GET /token", Reply([1]))
        with self.assertRaises(MicroRemedError):
            self.range.token()

    def test_a_redirect_is_not_followed_the_token_stays(self) -> None:
        other = StubGateway()
        self.addCleanup(other.close)
        self.gateway.on("GET /token", Reply({}, 307, (("Location", f"{other.url}/v1/token"),)))
        with self.assertRaisesRegex(Refused, "307"):
            self.range.token()
        self.assertEqual(other.asked, [])

    def test_busy_and_broken_connections_are_asked_again(self) -> None:
        busy = error(429, "too-many-requests", headers=(("Retry-After", "0"),))
        self.gateway.on("GET /token", busy, broken(), error(503, "bus-unreachable"), {"version": "1"})
        self.assertEqual(self.range.token(), {"version": "1"})
        self.assertEqual(len(self.gateway.asked), 4)

    def test_a_wait_beyond_the_deadline_is_the_callers(self) -> None:
        self.gateway.on("GET /token", error(429, "too-many-requests", headers=(("Retry-After", "3600"),)))
        with self.assertRaises(Refused) as caught:
            self.range.token()
        self.assertEqual((len(self.gateway.asked), caught.exception.retry_after), (1, 3600))

    def test_a_session_is_not_opened_twice(self) -> None:
        self.gateway.on("POST /sessions", broken(), OPENED)
        with self.assertRaises(NoAnswer):
            self.range.session("tester@1", suite="easy@1")
        self.assertEqual(len(self.gateway.asked), 1)
        self.gateway.on("POST /sessions", error(429, "too-many-requests", headers=(("Retry-After", "0"),)), OPENED)
        self.gateway.on("DELETE /sessions/s1", {"id": "s1"})
        self.range.session("tester@1", suite="easy@1").close()

    def test_a_server_that_does_not_answer_or_never_ends_is_left_at_the_deadline(self) -> None:
        def silent(_: BaseHTTPRequestHandler) -> None:
            self.gateway.stopped.wait(60)

        def endless(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while not self.gateway.stopped.wait(0.02):
                try:
                    handler.wfile.write(b" ")
                    handler.wfile.flush()
                except OSError:
                    return

        for send in (silent, endless):
            self.gateway.on("GET /token", Reply(send=send))
            with (
                self.subTest(send.__name__),
                mock.patch("microremed.range.SECONDS", 0.5),
                self.assertRaises(NoAnswer),
            ):
                self.range.token()

    def test_on_its_way_to_this_machine_a_token_goes_through_no_proxy(self) -> None:
        proxy = StubGateway()
        self.addCleanup(proxy.close)
        self.gateway.on("GET /token", {"version": "1"})
        with mock.patch.dict(os.environ, {"http_proxy": proxy.url, "no_proxy": ""}):
            for url in (self.gateway.url, self.gateway.url.replace("127.0.0.1", "localhost")):
                self.assertEqual(Range(url, TOKEN).token(), {"version": "1"})
            with self.assertRaises(Refused):
                Range("http://gateway.example", TOKEN).token()
        self.assertEqual([one.path for one in proxy.asked], ["http://gateway.example/v1/token"])

    def test_an_answer_without_what_was_asked_for_names_what_it_lacks(self) -> None:
        self.gateway.on("POST /sessions", {"id": "s1"})
        with self.assertRaisesRegex(MicroRemedError, "lacks agent, experiment, episodes, silenceSeconds"):
            self.range.session("a", suite="easy@1")

    def test_an_answer_larger_than_any_is_not_read_to_its_end(self) -> None:
        self.gateway.on("GET /token", {"version": "x" * 5_000})
        with (
            mock.patch.object(_http, "MOST_BYTES", 1_000),
            self.assertRaisesRegex(MicroRemedError, "more than 1000 bytes"),
        ):
            self.range.token()

    def test_where_nothing_listens_the_error_says_how_to_start_a_range(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with self.assertRaisesRegex(NoAnswer, "microremed up --gateway"):
            Range(url, TOKEN).token()

    def test_errors_of_this_package_have_one_base(self) -> None:
        for kind in (NoAnswer, Refused, TurnOver):
            self.assertTrue(issubclass(kind, MicroRemedError))
