"""What is committed of a spool: the end of the last entry before which every entry is answered."""

import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(rb"((\d+) (\d+)) (\d+)\n")


@dataclass(frozen=True, order=True)
class Committed:
    """A byte of a segment."""

    segment: int
    byte: int


def read_committed(directory: Path) -> Committed:
    """A file that cannot be read commits nothing: all is sent again, none is lost."""
    try:
        text = (directory / "committed").read_bytes()
    except FileNotFoundError:
        return Committed(0, 0)
    found = _LINE.fullmatch(text)
    if found is None or int(found[4]) != zlib.crc32(found[1]):
        return Committed(0, 0)
    return Committed(int(found[2]), int(found[3]))


def write_committed(directory: Path, committed: Committed) -> None:
    """Replaces the file in one step, so that a crash leaves the former or the new one."""
    line = f"{committed.segment} {committed.byte}".encode()
    draft = directory / "committed.draft"
    with open(draft, "wb") as file:
        file.write(line + b" " + str(zlib.crc32(line)).encode() + b"\n")
        file.flush()
        os.fdatasync(file.fileno())
    draft.replace(directory / "committed")
