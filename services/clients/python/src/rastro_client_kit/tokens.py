"""The token that every call uses."""

import base64
import json
import random
import threading
import time
from dataclasses import dataclass

from .decide import Done, Refused, Tries, Wait, decide_next
from .errors import SenderClosed, TokenRefused
from .wire import Wire

SPARE = 0.05
"""The last part of its life, in which a token is replaced although it still holds."""


@dataclass(frozen=True)
class _Token:
    text: str
    renew_at: float


class Tokens:
    """Asks when there is no token, or when the one there is ends soon: one request at a time."""

    def __init__(
        self, wire: Wire, credentials: tuple[str, str], audience: str, stop: threading.Event,
    ) -> None:
        self._wire = wire
        # Id and secret go in the header alone (interface, Authentication).
        basic = base64.b64encode(":".join(credentials).encode()).decode()
        self._headers = {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}
        self._body = json.dumps({"audience": audience, "grant_type": "client_credentials"}).encode()
        self._stop = stop
        self._lock = threading.Lock()
        self._token: _Token | None = None

    def current(self) -> str:
        """The present token, or the next one: asked for once, however many calls wait for it."""
        with self._lock:
            token = self._token
            if token is None or time.monotonic() >= token.renew_at:
                token = self._token = self._ask()
            return token.text

    def discard(self, text: str) -> None:
        """The gateway did not take this one; a newer one is left alone."""
        with self._lock:
            if self._token is not None and self._token.text == text:
                self._token = None

    def _ask(self) -> _Token:
        failures = 0
        while not self._stop.is_set():
            answer = self._wire.send("POST", "/oauth/token", self._headers, self._body)
            found = decide_next(answer, Tries(
                failures, is_renewed=True, good=range(200, 201), random=random.random(),
                wall=time.time(),
            ))
            if isinstance(found, Refused):
                raise TokenRefused(found.status, found.problem)
            token = _token_of(found.answer.text) if isinstance(found, Done) else None
            if token is not None:
                return token
            failures += 1
            self._stop.wait(found.seconds if isinstance(found, Wait) else 1.0)
        raise SenderClosed("The sender has ended.")


def _token_of(text: str) -> _Token | None:
    try:
        value = json.loads(text)
        seconds = float(value["expires_in"])
        return _Token(str(value["access_token"]), time.monotonic() + seconds * (1 - SPARE))
    except (ValueError, TypeError, KeyError):
        return None
