"""The story of test/clients/README.md, by the client kit as it is installed from its wheel."""

import os
import time
from typing import cast

from rastro_client_kit import (
    AcceptedBatch, CallRefused, ClientOptions, LocationFix, RefusedBatch, SpoolOptions,
    TrackingClient,
)

country = os.environ["RASTRO_COUNTRY"]
transport = int(os.environ["RASTRO_TRANSPORT"])
now = int(time.time())
accepted: list[AcceptedBatch] = []
refused: list[RefusedBatch] = []


def fix(seconds: int) -> LocationFix:
    return {
        "timestamp": now - seconds, "country_id": country, "latitude": 40.7 + seconds / 1e5,
        "longitude": -74.0, "accuracy": 5.0,
    }


with TrackingClient(ClientOptions(
    url=os.environ["RASTRO_URL"], provider=os.environ["RASTRO_PROVIDER"], country_id=country,
    client_id=os.environ["RASTRO_CLIENT_ID"], client_secret=os.environ["RASTRO_CLIENT_SECRET"],
    spool=SpoolOptions("spool"), on_accepted=accepted.append, on_refused=refused.append,
)) as client:
    query = {"country_id": country}
    registered = client.call("POST", "/shipping/rtt/devices", query=query, body={
        "external_entity": {"entity_id": f"kit-py-{transport}", "entity_type": "story_truck"},
        "transport": {"id": transport},
    })
    device = cast(dict[str, str], registered.body)["id"]
    client.call("POST", f"/shipping/rtt/devices/{device}/start_tracking", query=query)

    futures = [client.submit_locations(device, [fix(seconds)]) for seconds in (20, 10)]
    for future in futures:
        future.result()
    client.flush()
    receipt = client.receipt(accepted[0].ingest_id)
    assert receipt["outcomes"]["stored"] == 2, receipt

    client.send_locations(device, [fix(20), fix(10)])
    client.flush()
    again = client.receipt(accepted[1].ingest_id)
    assert again["outcomes"]["duplicate"] == 2, again

    client.send_locations(device, [{**fix(5), "latitude": 91.0}])
    client.flush()
    assert [(each.problem["code"], len(each.items)) for each in refused] == [
        ("validation_failed", 1),
    ], refused

    try:
        client.call("GET", "/shipping/rtt/devices/no-such-device", query=query)
    except CallRefused as refusal:
        assert refusal.problem["code"] == "device_not_found", refusal
    else:
        raise AssertionError("A device that is none was found.")

stored, known = receipt["outcomes"]["stored"], again["outcomes"]["duplicate"]
print(f"story: {stored} stored, {known} known already, 1 refused")
