"""A spool: append-only segments, and a file with what is committed.

What a killed process left half written is cut off; it was never reported as safe. An entry is
finished only once the gateway answered it, so after a crash some are sent twice, and none is lost.
"""

import os
import re
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .committed import Committed, read_committed, write_committed
from .entry import PREFIX, Draft, EntryHead, decode_entry, encode_entry, whole_entries
from .errors import SpoolDamaged
from .outbox import ENTRY_COST, Entry
from .owner import take_ownership

_SEGMENT = re.compile(r"(\d{12})\.segment")


@dataclass(eq=False)
class _SpoolEntry(Entry):
    segment: int
    start: int
    end: int
    is_finished: bool = False


class Spool:
    """The outbox on a disk. One process has it at a time."""

    def __init__(self, directory: Path, segment_bytes: int) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._segment_bytes = segment_bytes
        self._owner = take_ownership(directory)
        try:
            entries, self._segment = _recover(directory)
        except BaseException:
            self._owner.unlink(missing_ok=True)
            raise
        self.left: Sequence[Entry] = tuple(entries)
        self._pending = deque(entries)
        self._length = 0
        # The next append begins a new file: an old one is never written again.
        self._file: BinaryIO | None = None
        self._failure: OSError | None = None
        self._reached: Committed | None = None
        self._written: Committed | None = None
        self._write_lock = threading.Lock()
        self._pending_lock = threading.Lock()
        self._commit_lock = threading.Lock()

    def append(self, drafts: Sequence[Draft]) -> Sequence[Entry]:
        """Ends when the drafts are on the disk."""
        with self._write_lock:
            if self._failure is not None:
                raise self._failure
            try:
                added = self._write(drafts)
            except OSError as error:
                # What the disk holds after a failed write or sync is not known: the next start
                # reads it.
                self._failure = error
                raise
            with self._pending_lock:
                self._pending.extend(added)
            return added

    def read(self, entry: Entry) -> bytes:
        """The body, checked again."""
        assert isinstance(entry, _SpoolEntry)
        file = _file_of(self._directory, entry.segment)
        with open(file, "rb") as segment:
            segment.seek(entry.start)
            draft = decode_entry(segment.read(entry.end - entry.start))
        if draft is None:
            raise SpoolDamaged(f"{file} is damaged at byte {entry.start}.")
        return draft.body

    def finish(self, entry: Entry) -> int:
        """Commits up to the first entry without an answer, and frees what is before it."""
        assert isinstance(entry, _SpoolEntry)
        freed = 0
        with self._pending_lock:
            entry.is_finished = True
            while self._pending and self._pending[0].is_finished:
                first = self._pending.popleft()
                self._reached = Committed(first.segment, first.end)
                freed += first.cost
        if freed > 0 and self._commit_lock.acquire(blocking=False):
            try:
                self._commit()
            finally:
                self._commit_lock.release()
        return freed

    def close(self) -> None:
        """Writes what is reached, and releases the spool."""
        with self._write_lock, self._commit_lock:
            try:
                if self._failure is None:
                    self._commit()
                if self._file is not None:
                    self._file.close()
            finally:
                self._owner.unlink(missing_ok=True)

    def _write(self, drafts: Sequence[Draft]) -> list[_SpoolEntry]:
        if self._file is None or self._length >= self._segment_bytes:
            self._next_segment()
        assert self._file is not None
        encoded = [encode_entry(each) for each in drafts]
        left = memoryview(b"".join(encoded))
        while left:
            left = left[self._file.write(left):]
        os.fdatasync(self._file.fileno())
        added: list[_SpoolEntry] = []
        for draft, data in zip(drafts, encoded, strict=True):
            start, self._length = self._length, self._length + len(data)
            added.append(_entry(draft.head, self._segment, start, self._length))
        return added

    def _next_segment(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._segment += 1
        self._length = 0
        self._file = open(_file_of(self._directory, self._segment), "xb", buffering=0)
        _sync_folder(self._directory)

    def _commit(self) -> None:
        """Another thread that finishes meanwhile leaves its part to this one."""
        while (reached := self._reached) is not None and reached != self._written:
            write_committed(self._directory, reached)
            self._written = reached
            for number in _segments_of(self._directory):
                if number < reached.segment:
                    _file_of(self._directory, number).unlink(missing_ok=True)


def _recover(directory: Path) -> tuple[list[_SpoolEntry], int]:
    """Entries without an answer, and the highest number that a segment ever had."""
    numbers = _segments_of(directory)
    committed = read_committed(directory)
    entries: list[_SpoolEntry] = []
    for number in numbers:
        file = _file_of(directory, number)
        data = file.read_bytes()
        found = whole_entries(data)
        whole = found[-1].end if found else 0
        if whole < len(data):
            if number != numbers[-1]:
                raise SpoolDamaged(f"{file} is damaged at byte {whole}, and later segments follow.")
            _cut_off(file, whole)
        entries.extend(
            _entry(each.head, number, each.start, each.end)
            for each in found if Committed(number, each.end) > committed
        )
    # A number that is committed is not given again, or new entries would count as answered.
    return entries, max([committed.segment, *numbers])


def _entry(head: EntryHead, segment: int, start: int, end: int) -> _SpoolEntry:
    cost = end - start - PREFIX.size + ENTRY_COST
    return _SpoolEntry(head=head, cost=cost, segment=segment, start=start, end=end)


def _segments_of(directory: Path) -> list[int]:
    names = (_SEGMENT.fullmatch(each.name) for each in directory.iterdir())
    return sorted(int(each[1]) for each in names if each is not None)


def _file_of(directory: Path, number: int) -> Path:
    return directory / f"{number:012}.segment"


def _cut_off(file: Path, length: int) -> None:
    with open(file, "r+b") as segment:
        segment.truncate(length)
        os.fsync(segment.fileno())


def _sync_folder(directory: Path) -> None:
    """A file is there after a crash only once its folder is written too."""
    folder = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
