"""The program on a device, as device-main.ts. PYTHONPATH names the copy of the kit."""

import json
import os
import sys
import threading
from concurrent.futures import Future

from rastro_client_kit import ClientOptions, SpoolOptions, TrackingClient

_lock = threading.Lock()


def say(line: str) -> None:
    """One line at a time, from any thread."""
    with _lock:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def report(number: int, future: "Future[None]") -> None:
    """Says whether the fixes are safe."""
    error = future.exception()
    say(f"safe {number}" if error is None else f"failed {error}")


client = TrackingClient(ClientOptions(
    url=os.environ["RASTRO_URL"], provider=os.environ["RASTRO_PROVIDER"],
    country_id=os.environ["RASTRO_COUNTRY"],
    client_id=os.environ["RASTRO_CLIENT_ID"], client_secret=os.environ["RASTRO_CLIENT_SECRET"],
    spool=SpoolOptions(os.environ["SPOOL"], segment_bytes=65_536), call_seconds=3.0,
    on_accepted=lambda _: say("accepted"),
    on_refused=lambda batch: say(f"refused {batch.problem['code']}"),
))

for line in sys.stdin:
    if line == "flush\n":
        client.flush()
        client.close()
        say("flushed")
        break
    handed = json.loads(line)
    sent = client.submit_locations(handed["device_id"], handed["fixes"])
    sent.add_done_callback(lambda future, number=handed["number"]: report(number, future))
