"""A gateway of this process, on a port of its own, and a client of it."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import TestCase, mock

from rastro_client_kit import ClientOptions, LocationFix, RefusedBatch, TrackingClient

Answer = tuple[int, dict[str, str], Any]


@dataclass
class Call:
    """A call that came in."""

    at: float
    path: str
    token: str
    text: str
    body: Any


@dataclass
class Gateway:
    """What it answers, and what it saw."""

    answer: Callable[[Call, int], Answer]
    answer_token: Callable[[int], Answer]
    url: str = ""
    calls: list[Call] = field(default_factory=list)
    tokens: list[Message] = field(default_factory=list)
    refused: list[RefusedBatch] = field(default_factory=list)
    in_flight_most: int = 0
    in_flight: int = 0
    condition: threading.Condition = field(default_factory=threading.Condition)

    def open(self, **options: Any) -> TrackingClient:
        """A client of this gateway."""
        return TrackingClient(ClientOptions(**{
            "url": self.url, "provider": "acme", "country_id": "BR",
            "client_id": "100000000000042", "client_secret": "secret", "linger_seconds": 0.01,
            "on_refused": self.refused.append, **options,
        }))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Until a call makes it true."""
        with self.condition:
            if not self.condition.wait_for(condition, timeout=30):
                raise TimeoutError("The gateway did not see what was waited for.")

    def timestamps_of(self, device_id: str) -> list[int]:
        """Those that the calls of a device held, in their order."""
        return [
            fix["timestamp"] for call in self.calls if call.body.get("device_id") == device_id
            for fix in call.body["locations"]
        ]


def accepted(*_: object) -> Answer:
    """The answer to data."""
    return 202, {"Ingest-Id": "i1"}, {"status": 202, "message": "Accepted"}


def problem(status: int, code: str, **headers: str) -> Answer:
    """A refusal with a problem."""
    body = {"status": status, "code": code, "detail": f"because of {code}", "errors": []}
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


def token(number: int, seconds: float = 21_600) -> Answer:
    """A token with its number."""
    body = {"access_token": f"token-{number}", "token_type": "Bearer", "expires_in": seconds}
    return 200, {}, body


def fix(timestamp: int) -> LocationFix:
    """A fix of so many seconds."""
    return {"timestamp": timestamp, "country_id": "BR", "latitude": -23.5, "longitude": -46.6}


class GatewayTest(TestCase):
    """A test that opens gateways. Repeats begin after 10 ms in it."""

    def setUp(self) -> None:
        waits = mock.patch("rastro_client_kit.decide.FIRST_SECONDS", 0.02)
        waits.start()
        self.addCleanup(waits.stop)

    def gateway(
        self, answer: Callable[[Call, int], Answer] = accepted,
        answer_token: Callable[[int], Answer] = token,
    ) -> Gateway:
        """A gateway until the end of the test."""
        gateway = Gateway(answer, answer_token)
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(gateway))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        gateway.url = f"http://127.0.0.1:{server.server_address[1]}"

        def end() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        self.addCleanup(end)
        return gateway


def _handler_of(gateway: Gateway) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._handle()

        def do_POST(self) -> None:
            self._handle()

        def _handle(self) -> None:
            text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            if self.path == "/oauth/token":
                with gateway.condition:
                    gateway.tokens.append(self.headers)
                    number = len(gateway.tokens)
                self._answer(gateway.answer_token(number))
                return
            bearer = self.headers["Authorization"].removeprefix("Bearer ")
            call = Call(time.monotonic(), self.path, bearer, text, json.loads(text or "{}"))
            with gateway.condition:
                gateway.calls.append(call)
                number = len(gateway.calls)
                gateway.in_flight += 1
                gateway.in_flight_most = max(gateway.in_flight_most, gateway.in_flight)
                gateway.condition.notify_all()
            try:
                answer = gateway.answer(call, number)
            finally:
                with gateway.condition:
                    gateway.in_flight -= 1
            self._answer(answer)

        def _answer(self, answer: Answer) -> None:
            status, headers, body = answer
            if status == 0:
                self.close_connection = True
                return
            data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    return Handler
