"""The story of test/clients/README.md, by the client of openapi-python-client."""

import base64
import datetime
import os
import time
from collections.abc import Callable
from typing import TypeVar

from rastro_client.api.commands import send_command, show_command
from rastro_client.api.devices import register_device, start_device_tracking
from rastro_client.api.locations import send_locations
from rastro_client.api.queries import show_device, show_ingest
from rastro_client.api.tokens import issue_token
from rastro_client.client import AuthenticatedClient
from rastro_client.models.audience import Audience
from rastro_client.models.command_accepted_response import CommandAcceptedResponse
from rastro_client.models.command_resource import CommandResource
from rastro_client.models.command_transport import CommandTransport
from rastro_client.models.device_resource import DeviceResource
from rastro_client.models.device_specs import DeviceSpecs
from rastro_client.models.device_type import DeviceType
from rastro_client.models.external_entity import ExternalEntity
from rastro_client.models.ingest_resource import IngestResource
from rastro_client.models.location_fix import LocationFix
from rastro_client.models.locations_body import LocationsBody
from rastro_client.models.problem_details import ProblemDetails
from rastro_client.models.process_telemetry_events_command import ProcessTelemetryEventsCommand
from rastro_client.models.process_telemetry_events_command_command import (
    ProcessTelemetryEventsCommandCommand,
)
from rastro_client.models.register_device_body import RegisterDeviceBody
from rastro_client.models.token_request import TokenRequest
from rastro_client.models.token_request_grant_type import TokenRequestGrantType
from rastro_client.models.token_response import TokenResponse
from rastro_client.models.transport_reference import TransportReference
from rastro_client.models.travel_window import TravelWindow
from rastro_client.types import Unset

Answer = TypeVar("Answer")

url = os.environ["RASTRO_URL"]
provider = os.environ["RASTRO_PROVIDER"]
country = os.environ["RASTRO_COUNTRY"]
transport = int(os.environ["RASTRO_TRANSPORT"])
now = int(time.time())


def until(what: str, ask: Callable[[], Answer | None]) -> Answer:
    """Asks until there is an answer, at most a minute."""
    for _ in range(240):
        answer = ask()
        if answer is not None:
            return answer
        time.sleep(0.25)
    raise TimeoutError(f"{what} did not come within a minute.")


def fix(seconds: int) -> LocationFix:
    return LocationFix(
        timestamp=now - seconds, country_id=country, latitude=40.7 + seconds / 1e5,
        longitude=-74.0, accuracy=5.0, altitude=None,
    )


secret = f"{os.environ['RASTRO_CLIENT_ID']}:{os.environ['RASTRO_CLIENT_SECRET']}"
basic = base64.b64encode(secret.encode()).decode()
token = issue_token.sync(
    client=AuthenticatedClient(base_url=url, token=basic, prefix="Basic"),
    body=TokenRequest(audience=Audience.RTT, grant_type=TokenRequestGrantType.CLIENT_CREDENTIALS),
)
assert isinstance(token, TokenResponse), token
rtt = AuthenticatedClient(base_url=url, token=token.access_token, raise_on_unexpected_status=True)

device = register_device.sync(
    client=rtt, country_id=country,
    body=RegisterDeviceBody(
        external_entity=ExternalEntity(entity_id=f"py-{transport}", entity_type="story_truck"),
        transport=TransportReference(id=transport),
        device_specs=DeviceSpecs(device_type=DeviceType.GPS),
    ),
)
assert isinstance(device, DeviceResource), device
started = start_device_tracking.sync(device.id, client=rtt, country_id=country)
assert isinstance(started, DeviceResource), started

sent = send_locations.sync_detailed(
    provider, client=rtt, country_id=country,
    body=LocationsBody(device_id=device.id, post_timestamp=now, locations=[fix(20), fix(10)]),
)
assert sent.status_code == 202, sent.parsed
ingest_id = sent.headers["Ingest-Id"]


def settled() -> IngestResource | None:
    receipt = show_ingest.sync(ingest_id, client=rtt, country_id=country)
    return receipt if isinstance(receipt, IngestResource) and receipt.settled else None


receipt = until("The receipt", settled)
assert receipt.outcomes.stored == 2, receipt

command = send_command.sync(
    provider, client=rtt, country_id=country,
    body=ProcessTelemetryEventsCommand(
        command=ProcessTelemetryEventsCommandCommand.PROCESS_TELEMETRY_EVENTS,
        id=base64.b64encode(f"python-{transport}".encode()).decode(),
        transport=CommandTransport(id=transport, license_plate="ABC1D23", country_id=country),
        travel=TravelWindow(
            init_date=datetime.datetime.fromtimestamp(now - 3600, datetime.UTC),
            end_date=datetime.datetime.fromtimestamp(now, datetime.UTC),
        ),
    ),
)
assert isinstance(command, CommandAcceptedResponse), command
command_id = command.command_id


def answered() -> CommandResource | None:
    result = show_command.sync(provider, command_id, client=rtt, country_id=country)
    if not isinstance(result, CommandResource) or isinstance(result.deferred_answer, Unset):
        return None
    return result


result = until("The deferred answer", answered)
assert result.state.value == "done", result

refused = show_device.sync("no-such-device", client=rtt, country_id=country)
assert isinstance(refused, ProblemDetails) and refused.code == "device_not_found", refused
print(f"story: {receipt.outcomes.stored} stored, command {result.state.value}")
