"""Items of one device, put into the body of a call."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .entry import Draft, EntryHead
from .errors import ItemTooLarge
from .options import BODY_BYTES_MAX

_RECEIVER = "/shipping/rtt/georeceiver"
_FRAME_BYTES = 100
"""``post_timestamp`` and the marks of the list take less than this."""


@dataclass(frozen=True)
class ListCall:
    """A call that takes a list: its path, the member of the list, and how many go at once."""

    name: str
    path: str
    member: str
    items_max: int


LOCATIONS = ListCall("locations", _RECEIVER + "/{provider}/locations", "locations", 1000)
EVENTS = ListCall("events", _RECEIVER + "/{provider}/telemetry/events", "events", 500)
DELIVERY_LOCATIONS = ListCall(
    "delivery-locations", _RECEIVER + "/proximity/{provider}/locations", "locations", 1000,
)
LIST_CALLS = {each.name: each for each in (LOCATIONS, EVENTS, DELIVERY_LOCATIONS)}


@dataclass(eq=False)
class OpenBatch:
    """``head`` holds the members of the body before the list, as JSON without its braces."""

    call: ListCall
    key: str
    head: str
    items: list[str] = field(default_factory=list)
    size: int = 0

    def has_room(self, more: int) -> bool:
        """True when one more item of this size goes into the batch."""
        return (
            len(self.items) < self.call.items_max
            and self.size + more <= item_bytes_max(self.head)
        )

    def close(self, wall: float) -> Draft:
        """The body, written once: repeats send these bytes, which the platform knows again."""
        items = ",".join(self.items)
        text = f'{{{self.head},"post_timestamp":{int(wall)},"{self.call.member}":[{items}]}}'
        return Draft(EntryHead(self.call.name, self.key, len(self.items)), text.encode())


def item_bytes_max(head: str) -> int:
    """Bytes that are free for items in the body of a call."""
    return BODY_BYTES_MAX - len(head.encode()) - _FRAME_BYTES


def written(value: object) -> str:
    """JSON without spaces. A number that JSON does not have is a ``ValueError``."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def encode_items(items: Iterable[object], head: str) -> Sequence[tuple[str, int]]:
    """Items as JSON, each with its size; raises when one alone is larger than a call may be."""
    encoded: list[tuple[str, int]] = []
    for item in items:
        text = written(item)
        size = len(text.encode()) + 1
        if size > item_bytes_max(head):
            raise ItemTooLarge(f"An item has {size} bytes; a call has at most {BODY_BYTES_MAX}.")
        encoded.append((text, size))
    return encoded
