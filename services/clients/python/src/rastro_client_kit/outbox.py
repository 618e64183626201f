"""Where batches wait until the gateway has answered them: the memory or a spool on a disk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .entry import Draft, EntryHead

ENTRY_COST = 256
"""What an entry costs besides its body: its place in lists."""


@dataclass(eq=False)
class Entry:
    """A batch that waits in an outbox, and what it takes of its room."""

    head: EntryHead
    cost: int


class Outbox(Protocol):
    """Both kinds are called by several threads."""

    @property
    def left(self) -> Sequence[Entry]:
        """What was there at the start, in its order: batches that an earlier process left."""

    def append(self, drafts: Sequence[Draft]) -> Sequence[Entry]:
        """Gives the entries once they are as safe as this outbox makes them."""

    def read(self, entry: Entry) -> bytes:
        """The body, as it was appended."""

    def finish(self, entry: Entry) -> int:
        """The entry has its answer. Gives the room that is free again because of it."""

    def close(self) -> None:
        """Releases what it holds."""


@dataclass(eq=False)
class _MemoryEntry(Entry):
    body: bytes


class MemoryOutbox:
    """Batches in memory: they are gone with the process."""

    left: Sequence[Entry] = ()

    def append(self, drafts: Sequence[Draft]) -> Sequence[Entry]:
        """Nothing is safer than memory here."""
        return [
            _MemoryEntry(head=each.head, cost=len(each.body) + ENTRY_COST, body=each.body)
            for each in drafts
        ]

    def read(self, entry: Entry) -> bytes:
        """The body."""
        assert isinstance(entry, _MemoryEntry)
        return entry.body

    def finish(self, entry: Entry) -> int:
        """All of it is free at once."""
        return entry.cost

    def close(self) -> None:
        """Holds nothing."""
