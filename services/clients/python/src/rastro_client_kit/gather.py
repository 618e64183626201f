"""Puts items of a device with others of it into batches, and batches into the outbox."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from .batches import ListCall, OpenBatch, encode_items
from .errors import SenderClosed
from .outbox import Entry, Outbox
from .room import Room


class _Waiter:
    """The future of one ``add``: done when all its batches are written."""

    def __init__(self, batches: int) -> None:
        self.future: Future[None] = Future()
        self._left = batches

    def written(self) -> None:
        """One batch is written. Only the writer calls it."""
        self._left -= 1
        if self._left == 0:
            self.future.set_result(None)

    def failed(self, error: Exception) -> None:
        """One batch cannot be written."""
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(eq=False)
class _Gathering(OpenBatch):
    waiters: list[_Waiter] = field(default_factory=list)


class Gather:
    """A thread writes: one write at a time, with the batches of all devices in it."""

    def __init__(
        self, linger_seconds: float, outbox: Outbox, room: Room,
        on_entries: Callable[[Sequence[Entry]], None], on_failed: Callable[[Exception], None],
    ) -> None:
        self._linger = linger_seconds
        self._outbox = outbox
        self._room = room
        self._on_entries = on_entries
        self._on_failed = on_failed
        self._condition = threading.Condition()
        self._open: list[_Gathering] = []
        self._newest: dict[tuple[str, str], _Gathering] = {}
        self._is_writing = False
        self._is_hurried = False
        self._is_ending = False
        self._thread = threading.Thread(target=self._run, name="kit-writer", daemon=True)
        self._thread.start()

    def add(
        self, call: ListCall, key: str, head: str, items: Sequence[object],
    ) -> "Future[None]":
        """Waits for room. The future ends when the items are as safe as the outbox makes them."""
        encoded = encode_items(items, head)
        if not encoded:
            future: Future[None] = Future()
            future.set_result(None)
            return future
        self._room.take(sum(size for _, size in encoded))
        with self._condition:
            if self._is_ending:
                raise SenderClosed("The sender has ended.")
            touched: list[_Gathering] = []
            for text, size in encoded:
                batch = self._batch_for(call, key, head, size)
                batch.items.append(text)
                batch.size += size
                if not touched or touched[-1] is not batch:
                    touched.append(batch)
            waiter = _Waiter(len(touched))
            for batch in touched:
                batch.waiters.append(waiter)
            self._condition.notify_all()
        return waiter.future

    def hurry(self) -> None:
        """Writes what is there without waiting for more; ends when it is written."""
        with self._condition:
            while self._open or self._is_writing:
                self._is_hurried = True
                self._condition.notify_all()
                self._condition.wait()

    def close(self) -> None:
        """Writes what is there, and ends the thread."""
        with self._condition:
            self._is_ending = True
            self._condition.notify_all()
        self._thread.join()

    def _batch_for(self, call: ListCall, key: str, head: str, size: int) -> _Gathering:
        present = self._newest.get((call.name, key))
        is_same = present is not None and present.head == head
        if present is not None and is_same and present.has_room(size):
            return present
        # A full batch gains nothing by waiting.
        self._is_hurried = self._is_hurried or is_same
        batch = _Gathering(call, key, head)
        self._newest[(call.name, key)] = batch
        self._open.append(batch)
        return batch

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: bool(self._open) or self._is_ending)
                if not self._open:
                    return
                self._condition.wait_for(
                    lambda: self._is_hurried or self._is_ending, timeout=self._linger,
                )
                batches, self._open = self._open, []
                self._newest.clear()
                self._is_hurried = False
                self._is_writing = True
            self._write(batches)
            with self._condition:
                self._is_writing = False
                self._condition.notify_all()

    def _write(self, batches: Sequence[_Gathering]) -> None:
        wall = time.time()
        try:
            entries = self._outbox.append([each.close(wall) for each in batches])
        except Exception as error:
            for batch in batches:
                for waiter in batch.waiters:
                    waiter.failed(error)
            self._on_failed(error)
            return
        for entry, batch in zip(entries, batches, strict=True):
            self._room.force(entry.cost - batch.size)
        self._on_entries(entries)
        for batch in batches:
            for waiter in batch.waiters:
                waiter.written()
