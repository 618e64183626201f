"""Sends the entries of an outbox, those of one device one after the other."""

import heapq
import itertools
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from .batches import LIST_CALLS
from .decide import Done, Refused, Wait
from .errors import SenderClosed
from .exchange import Exchange, OutgoingCall
from .options import AcceptedBatch, ClientOptions, RefusedBatch
from .outbox import Entry, Outbox

_ACCEPTED = range(202, 203)
"""Only 202 is an acceptance: something between us and the gateway may answer 200."""


@dataclass(eq=False)
class _Device:
    key: str
    queue: deque[Entry] = field(default_factory=deque)
    failures: int = 0


class Sender:
    """Devices side by side, up to a bound; one that waits for its next try takes none of it."""

    def __init__(
        self, options: ClientOptions, outbox: Outbox, exchange: Exchange,
        on_freed: Callable[[int], None], on_failed: Callable[[Exception], None],
    ) -> None:
        self._options = options
        self._outbox = outbox
        self._exchange = exchange
        self._on_freed = on_freed
        self._on_failed = on_failed
        self._condition = threading.Condition()
        self._devices: dict[str, _Device] = {}
        self._ready: deque[_Device] = deque()
        self._resting: list[tuple[float, int, _Device]] = []
        self._numbers = itertools.count()
        self._unfinished = 0
        self._failure: Exception | None = None
        self._threads = [
            threading.Thread(target=self._run, name=f"kit-sender-{number}", daemon=True)
            for number in range(options.calls_max)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, entries: Sequence[Entry]) -> None:
        """They are sent after those that were added before."""
        with self._condition:
            self._unfinished += len(entries)
            for entry in entries:
                key = entry.head.key
                device = self._devices.get(key)
                if device is None:
                    device = self._devices[key] = _Device(key)
                    self._ready.append(device)
                device.queue.append(entry)
            self._condition.notify_all()

    def idle(self) -> None:
        """Ends when every entry has its answer."""
        with self._condition:
            self._condition.wait_for(lambda: self._failure is not None or self._unfinished == 0)
            if self._failure is not None:
                raise self._failure

    def stop(self) -> None:
        """Begins no further call; ends when those in flight have ended."""
        with self._condition:
            self._failure = self._failure or SenderClosed("The sender has ended.")
            self._condition.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while (device := self._next_device()) is not None:
            try:
                self._send_first(device)
            except Exception as error:
                self._fail(error)

    def _next_device(self) -> _Device | None:
        with self._condition:
            while self._failure is None:
                now = time.monotonic()
                while self._resting and self._resting[0][0] <= now:
                    self._wake(heapq.heappop(self._resting)[2])
                if self._ready:
                    return self._ready.popleft()
                self._condition.wait(self._resting[0][0] - now if self._resting else None)
            return None

    def _wake(self, device: _Device) -> None:
        if device.queue:
            self._ready.append(device)
        else:
            del self._devices[device.key]

    def _send_first(self, device: _Device) -> None:
        entry = device.queue[0]
        began = time.monotonic()
        body = self._outbox.read(entry)
        outcome = self._exchange.attempt(self._call_of(entry, body), device.failures)
        if isinstance(outcome, Wait):
            device.failures += 1
            self._rest(device, time.monotonic() + outcome.seconds)
            return
        device.failures = 0
        self._report(entry, body, outcome)
        self._on_freed(self._outbox.finish(entry))
        with self._condition:
            device.queue.popleft()
            self._unfinished -= 1
        self._rest(device, began + 1 / self._options.rates.device_calls_per_second)

    def _report(self, entry: Entry, body: bytes, outcome: Done | Refused) -> None:
        head = entry.head
        if isinstance(outcome, Done):
            ingest_id = outcome.answer.headers.get("ingest-id", "")
            self._options.on_accepted(AcceptedBatch(head.call, head.key, head.items, ingest_id))
            return
        items = json.loads(body)[LIST_CALLS[head.call].member]
        self._options.on_refused(RefusedBatch(
            head.call, head.key, outcome.status, outcome.problem, items, body,
        ))

    def _rest(self, device: _Device, until: float) -> None:
        """A device is not called again before its time, if it has something to send or not."""
        with self._condition:
            heapq.heappush(self._resting, (until, next(self._numbers), device))
            self._condition.notify_all()

    def _fail(self, error: Exception) -> None:
        with self._condition:
            if self._failure is not None:
                return
            self._failure = error
            self._condition.notify_all()
        self._on_failed(error)

    def _call_of(self, entry: Entry, body: bytes) -> OutgoingCall:
        options = self._options
        path = LIST_CALLS[entry.head.call].path.format(provider=quote(options.provider, safe=""))
        query = f"?country_id={quote(options.country_id, safe='')}"
        return OutgoingCall("POST", path + query, body, entry.head.items, _ACCEPTED)
