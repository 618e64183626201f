"""One try of a call with a token."""

import random
import threading
import time
from dataclasses import dataclass

from .decide import Done, Refused, RenewToken, Tries, Wait, decide_next
from .errors import SenderClosed
from .pace import Pace
from .tokens import Tokens
from .wire import Wire


@dataclass(frozen=True)
class OutgoingCall:
    """A call as it goes out, each time the same. ``good`` holds the statuses that end it."""

    method: str
    path: str
    body: bytes | None
    items: int
    good: range


class Exchange:
    """Calls of one client; a limit of the client holds all of them back for the whole wait."""

    def __init__(self, wire: Wire, tokens: Tokens, pace: Pace, stop: threading.Event) -> None:
        self._wire = wire
        self._tokens = tokens
        self._pace = pace
        self._stop = stop
        self._lock = threading.Lock()
        self._open_at = 0.0

    def attempt(self, call: OutgoingCall, failures: int) -> Done | Refused | Wait:
        """A final answer, or how long the device of the call waits before its next try."""
        is_renewed = False
        while True:
            self._until_open()
            token = self._tokens.current()
            self._pace.wait(call.items, len(call.body or b""))
            # Another call may have met the limit meanwhile.
            self._until_open()
            headers = {"Authorization": f"Bearer {token}"}
            if call.body is not None:
                headers["Content-Type"] = "application/json"
            answer = self._wire.send(call.method, call.path, headers, call.body)
            found = decide_next(answer, Tries(
                failures, is_renewed, call.good, random=random.random(), wall=time.time(),
            ))
            if isinstance(found, RenewToken):
                is_renewed = True
                self._tokens.discard(token)
            elif isinstance(found, Wait) and found.of_client:
                with self._lock:
                    self._open_at = max(self._open_at, time.monotonic() + found.seconds)
            else:
                return found

    def _until_open(self) -> None:
        while True:
            if self._stop.is_set():
                raise SenderClosed("The sender has ended.")
            left = self._open_at - time.monotonic()
            if left <= 0:
                return
            self._stop.wait(left)
