"""Settings of a client."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .types import Problem

BODY_BYTES_MAX = 1_048_576
"""Bytes of the body of a call, by docs/reference/limits.md of the platform."""


@dataclass(frozen=True)
class AcceptedBatch:
    """A batch that the gateway accepted. ``ingest_id`` names it for ``receipt``."""

    call: str
    key: str
    items: int
    ingest_id: str


@dataclass(frozen=True)
class RefusedBatch:
    """A batch that the gateway refused for good, and the body as it was sent."""

    call: str
    key: str
    status: int
    problem: Problem
    items: list[object]
    body: bytes


@dataclass(frozen=True)
class Rates:
    """How fast a client sends at most; below its limits, or everything waits five minutes.

    The defaults are nine tenths of the limits that a client has by default.
    """

    calls_per_second: float = 180
    items_per_second: float = 18_000
    bytes_per_second: float = 18_874_368
    device_calls_per_second: float = 18


@dataclass(frozen=True)
class SpoolOptions:
    """Where a spool is, and how large it may become."""

    directory: Path | str
    bytes_max: int = 268_435_456
    segment_bytes: int = 8_388_608


def _nothing(_: AcceptedBatch) -> None:
    """The default: the caller asks for no receipts."""


@dataclass(frozen=True)
class ClientOptions:
    """``on_refused`` decides about a refused batch, which is forgotten once it has returned.

    Both callbacks run in threads of the kit.
    """

    url: str
    provider: str
    country_id: str
    client_id: str
    client_secret: str = field(repr=False)
    on_refused: Callable[[RefusedBatch], None]
    on_accepted: Callable[[AcceptedBatch], None] = _nothing
    audience: str = "rtt"
    spool: SpoolOptions | None = None
    buffer_bytes: int = 16_777_216
    linger_seconds: float = 0.2
    calls_max: int = 8
    call_seconds: float = 30.0
    rates: Rates = field(default_factory=Rates)
