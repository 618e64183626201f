"""A provider's side of the interface, with the rules of its contract."""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, cast
from urllib.parse import quote, urlencode

from .batches import DELIVERY_LOCATIONS, EVENTS, LOCATIONS, ListCall, written
from .decide import Done, Refused
from .errors import CallRefused, SenderClosed
from .exchange import Exchange, OutgoingCall
from .gather import Gather
from .options import ClientOptions
from .outbox import MemoryOutbox, Outbox
from .pace import Pace
from .room import Room
from .sender import Sender
from .spool import Spool
from .tokens import Tokens
from .types import Delivery, DeliveryFix, LocationFix, Receipt, TelemetryEvent
from .wire import Wire

_RECEIPT_FIRST_SECONDS = 0.25
_RECEIPT_REPEAT_SECONDS_MAX = 5.0
_RECEIPT_UNKNOWN_SECONDS_MAX = 60.0
"""A 404 in the first seconds is no fault; later it is one."""


@dataclass(frozen=True)
class Reply:
    """A good answer."""

    status: int
    body: object


class TrackingClient:
    """Opens the spool, if there is one, and sends what it holds. All methods are thread-safe."""

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._stop = threading.Event()
        self._ended: SenderClosed | None = None
        self._end_lock = threading.Lock()
        wire = self._wire = Wire(options.url, options.call_seconds)
        credentials = (options.client_id, options.client_secret)
        tokens = Tokens(wire, credentials, options.audience, self._stop)
        self._exchange = Exchange(wire, tokens, Pace(options.rates, self._stop), self._stop)
        self._outbox = _outbox_of(options)
        spool = options.spool
        self._room = Room(options.buffer_bytes if spool is None else spool.bytes_max)
        self._sender = Sender(
            options, self._outbox, self._exchange, self._room.free, self._end,
        )
        for entry in self._outbox.left:
            self._room.force(entry.cost)
        self._sender.add(self._outbox.left)
        self._gather = Gather(
            options.linger_seconds, self._outbox, self._room, self._sender.add, self._end,
        )

    def send_locations(self, device_id: str, fixes: Sequence[LocationFix]) -> None:
        """Ends when the fixes are on the disk, or without a spool in the buffer."""
        self.submit_locations(device_id, fixes).result()

    def submit_locations(self, device_id: str, fixes: Sequence[LocationFix]) -> "Future[None]":
        """Waits only for room; the future ends when ``send_locations`` would."""
        return self._add(LOCATIONS, device_id, f'"device_id":{written(device_id)}', fixes)

    def send_events(self, device_id: str, events: Sequence[TelemetryEvent]) -> None:
        """As ``send_locations``."""
        self.submit_events(device_id, events).result()

    def submit_events(self, device_id: str, events: Sequence[TelemetryEvent]) -> "Future[None]":
        """As ``submit_locations``."""
        return self._add(EVENTS, device_id, f'"device_id":{written(device_id)}', events)

    def send_delivery_locations(self, delivery: Delivery, fixes: Sequence[DeliveryFix]) -> None:
        """As ``send_locations``."""
        self.submit_delivery_locations(delivery, fixes).result()

    def submit_delivery_locations(
        self, delivery: Delivery, fixes: Sequence[DeliveryFix],
    ) -> "Future[None]":
        """As ``submit_locations``."""
        device, traceables = delivery["device"], delivery["traceables"]
        head = written({"device": device, "traceables": traceables})[1:-1]
        return self._add(DELIVERY_LOCATIONS, written(device), head, fixes)

    def call(
        self, method: Literal["GET", "POST"], path: str, *,
        query: Mapping[str, str] | None = None, body: object = None,
    ) -> Reply:
        """Any other operation, until a good answer; a refusal is a ``CallRefused``."""
        address = path if not query else f"{path}?{urlencode(query)}"
        data = None if body is None else written(body).encode()
        call = OutgoingCall(method, address, data, items=0, good=range(200, 300))
        failures = 0
        while True:
            outcome = self._exchange.attempt(call, failures)
            if isinstance(outcome, Refused):
                raise CallRefused(outcome.status, outcome.problem)
            if isinstance(outcome, Done):
                text = outcome.answer.text
                return Reply(outcome.answer.status, json.loads(text) if text else None)
            failures += 1
            self._stop.wait(outcome.seconds)

    def receipt(self, ingest_id: str) -> Receipt:
        """The receipt of an accepted batch once every item has its outcome."""
        path = f"/shipping/rtt/ingest/{quote(ingest_id, safe='')}"
        began = time.monotonic()
        seconds = _RECEIPT_FIRST_SECONDS
        while True:
            try:
                reply = self.call("GET", path, query={"country_id": self._options.country_id})
                receipt = cast(Receipt, reply.body)
                if receipt["settled"]:
                    return receipt
            except CallRefused as refusal:
                is_early = time.monotonic() - began < _RECEIPT_UNKNOWN_SECONDS_MAX
                if refusal.status != 404 or not is_early:
                    raise
            self._stop.wait(seconds)
            seconds = min(seconds * 2, _RECEIPT_REPEAT_SECONDS_MAX)

    def flush(self) -> None:
        """Ends when the gateway has answered everything."""
        if self._ended is not None:
            raise self._ended
        self._gather.hurry()
        self._sender.idle()

    def close(self) -> None:
        """Ends when calls in flight have ended. What has no answer stays in the spool."""
        was_ended = self._ended
        self._end(None)
        self._gather.close()
        self._sender.stop()
        self._wire.close()
        self._outbox.close()
        if was_ended is not None and was_ended.__cause__ is not None:
            raise was_ended

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _add(
        self, call: ListCall, key: str, head: str, items: Sequence[object],
    ) -> "Future[None]":
        if self._ended is not None:
            raise self._ended
        return self._gather.add(call, key, head, items)

    def _end(self, cause: Exception | None) -> None:
        with self._end_lock:
            if self._ended is None:
                self._ended = SenderClosed(
                    "The sender has ended." if cause is None else f"The sender has ended: {cause}",
                )
                self._ended.__cause__ = cause
        self._room.fail(self._ended)
        self._stop.set()


def _outbox_of(options: ClientOptions) -> Outbox:
    if options.spool is None:
        return MemoryOutbox()
    return Spool(Path(options.spool.directory), options.spool.segment_bytes)
