"""Bounds what waits."""

import threading
from collections import deque


class Room:
    """Who wants to add waits until there is room, first come, first served."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._used = 0
        self._waiting: deque[object] = deque()
        self._condition = threading.Condition()
        self._failure: Exception | None = None

    def take(self, size: int) -> None:
        """More than there is in all fits only when nothing else is there."""
        ticket = object()
        with self._condition:
            self._waiting.append(ticket)
            try:
                self._condition.wait_for(lambda: self._failure is not None or (
                    self._waiting[0] is ticket
                    and (self._used == 0 or self._used + size <= self._bytes_max)
                ))
                if self._failure is not None:
                    raise self._failure
                self._used += size
            finally:
                self._waiting.remove(ticket)
                self._condition.notify_all()

    def force(self, size: int) -> None:
        """Takes without waiting: what is there already."""
        with self._condition:
            self._used += size

    def free(self, size: int) -> None:
        """Gives room back."""
        with self._condition:
            self._used -= size
            self._condition.notify_all()

    def fail(self, error: Exception) -> None:
        """Every caller that waits, and every later one, gets this error."""
        with self._condition:
            self._failure = error
            self._condition.notify_all()
