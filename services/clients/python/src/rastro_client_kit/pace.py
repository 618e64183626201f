"""How fast calls of a client begin."""

import threading
import time

from .options import Rates


class Pace:
    """Calls begin one after the other, each as much later as the one before takes of the rates."""

    def __init__(self, rates: Rates, stop: threading.Event) -> None:
        self._rates = rates
        self._stop = stop
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self, items: int, size: int) -> None:
        """Ends when the call may begin."""
        rates = self._rates
        takes = max(
            1 / rates.calls_per_second, items / rates.items_per_second,
            size / rates.bytes_per_second,
        )
        with self._lock:
            now = time.monotonic()
            begin = max(now, self._next)
            self._next = begin + takes
        if begin > now:
            self._stop.wait(begin - now)
