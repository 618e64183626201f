"""An entry of a segment: length, CRC-32, a line of JSON with the head, and the body."""

import json
import struct
import zlib
from dataclasses import dataclass

PREFIX = struct.Struct("<II")


@dataclass(frozen=True)
class EntryHead:
    """A batch without its body. Those with one key are sent in their order, one at a time."""

    call: str
    key: str
    items: int


@dataclass(frozen=True)
class Draft:
    """A batch as it is kept and sent: the same bytes each time."""

    head: EntryHead
    body: bytes


@dataclass(frozen=True)
class FoundEntry:
    """An entry of a segment file, and where it is there."""

    head: EntryHead
    start: int
    end: int


def encode_entry(draft: Draft) -> bytes:
    """The bytes of an entry."""
    head = {"call": draft.head.call, "key": draft.head.key, "items": draft.head.items}
    line = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    payload = line + b"\n" + draft.body
    return PREFIX.pack(len(payload), zlib.crc32(payload)) + payload


def decode_entry(data: bytes) -> Draft | None:
    """Head and body of one entry, or ``None`` when its bytes are not what was written."""
    payload = _payload_at(data, 0)
    return None if payload is None else _split(payload)


def whole_entries(data: bytes) -> list[FoundEntry]:
    """The whole entries of a segment, up to the first that is cut off or damaged."""
    found: list[FoundEntry] = []
    start = 0
    while (payload := _payload_at(data, start)) is not None:
        end = start + PREFIX.size + len(payload)
        found.append(FoundEntry(_split(payload).head, start, end))
        start = end
    return found


def _payload_at(data: bytes, start: int) -> bytes | None:
    """Zeros, which a file system may leave after a crash, are no entry: none is empty."""
    if start + PREFIX.size > len(data):
        return None
    length, checksum = PREFIX.unpack_from(data, start)
    begin = start + PREFIX.size
    if length == 0 or begin + length > len(data):
        return None
    payload = data[begin:begin + length]
    return payload if zlib.crc32(payload) == checksum else None


def _split(payload: bytes) -> Draft:
    line, _, body = payload.partition(b"\n")
    head = json.loads(line)
    return Draft(EntryHead(head["call"], head["key"], head["items"]), body)
