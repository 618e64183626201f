"""One try of a request, over connections that are kept, one for each thread."""

import http.client
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

from .decide import Answer, Lost

_CLOSED = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class Wire:
    """The address of a gateway. No redirect is followed: it would carry the token away."""

    def __init__(self, url: str, call_seconds: float) -> None:
        parts = urlsplit(url)
        if parts.hostname is None or parts.scheme not in ("http", "https"):
            raise ValueError(f"{url} is no address of a gateway.")
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._is_safe = parts.scheme == "https"
        self._seconds = call_seconds
        self._local = threading.local()
        self._lock = threading.Lock()
        self._kept: set[http.client.HTTPConnection] = set()

    def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None,
    ) -> Answer | Lost:
        """An answer with its whole text. What fails on the line is a lost answer."""
        kept: http.client.HTTPConnection | None = getattr(self._local, "kept", None)
        while True:
            connection = kept or self._connect()
            self._keep(connection, is_kept=False)
            try:
                connection.request(method, self._prefix + path, body=body, headers=dict(headers))
                response = connection.getresponse()
                text = response.read().decode("utf-8", "replace")
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                # A gateway closes a connection that was idle; that is no fault of it.
                if kept is not None and isinstance(error, _CLOSED):
                    kept = None
                    continue
                return Lost(repr(error))
            if response.will_close:
                connection.close()
            else:
                self._keep(connection, is_kept=True)
            names = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, names, text)

    def close(self) -> None:
        """Closes the connections of all threads."""
        with self._lock:
            for connection in self._kept:
                connection.close()
            self._kept.clear()

    def _keep(self, connection: http.client.HTTPConnection, is_kept: bool) -> None:
        self._local.kept = connection if is_kept else None
        with self._lock:
            (self._kept.add if is_kept else self._kept.discard)(connection)

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._is_safe else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._seconds)
