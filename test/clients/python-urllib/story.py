"""The story of test/clients/README.md, by the Python client of openapi-generator."""

import base64
import datetime
import os
import time
from collections.abc import Callable
from typing import TypeVar

from rastro_generated import ApiClient, Configuration
from rastro_generated.api.commands_api import CommandsApi
from rastro_generated.api.devices_api import DevicesApi
from rastro_generated.api.locations_api import LocationsApi
from rastro_generated.api.queries_api import QueriesApi
from rastro_generated.api.tokens_api import TokensApi
from rastro_generated.exceptions import NotFoundException, ServiceException
from rastro_generated.models.audience import Audience
from rastro_generated.models.command_resource import CommandResource
from rastro_generated.models.command_transport import CommandTransport
from rastro_generated.models.device_specs import DeviceSpecs
from rastro_generated.models.device_type import DeviceType
from rastro_generated.models.external_entity import ExternalEntity
from rastro_generated.models.ingest_resource import IngestResource
from rastro_generated.models.location_fix import LocationFix
from rastro_generated.models.locations_body import LocationsBody
from rastro_generated.models.long_id import LongId
from rastro_generated.models.problem_details import ProblemDetails
from rastro_generated.models.process_telemetry_events_command import ProcessTelemetryEventsCommand
from rastro_generated.models.provider_command_body import ProviderCommandBody
from rastro_generated.models.register_device_body import RegisterDeviceBody
from rastro_generated.models.token_request import TokenRequest
from rastro_generated.models.transport_reference import TransportReference
from rastro_generated.models.travel_window import TravelWindow

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


def shown(query: Callable[[], Answer]) -> Answer | None:
    """What a query shows; none while it is not known yet, or cannot be asked."""
    try:
        return query()
    except (NotFoundException, ServiceException):
        return None


def fix(seconds: int) -> LocationFix:
    return LocationFix(
        timestamp=now - seconds, country_id=country, latitude=40.7 + seconds / 1e5,
        longitude=-74.0, accuracy=5.0, altitude=None,
    )


as_client = ApiClient(Configuration(
    host=url, username=os.environ["RASTRO_CLIENT_ID"], password=os.environ["RASTRO_CLIENT_SECRET"],
))
token = TokensApi(as_client).issue_token(
    TokenRequest(audience=Audience.RTT, grant_type="client_credentials"),
)
rtt = ApiClient(Configuration(host=url, access_token=token.access_token))

devices = DevicesApi(rtt)
device = devices.register_device(country, RegisterDeviceBody(
    external_entity=ExternalEntity(entity_id=f"pu-{transport}", entity_type="story_truck"),
    transport=TransportReference(id=LongId(transport)),
    device_specs=DeviceSpecs(device_type=DeviceType.GPS),
))
devices.start_device_tracking(device.id, country)

sent = LocationsApi(rtt).send_locations_with_http_info(
    provider, country,
    LocationsBody(device_id=device.id, post_timestamp=now, locations=[fix(20), fix(10)]),
)
assert sent.headers is not None
ingest_id = sent.headers["Ingest-Id"]
queries = QueriesApi(rtt)


def settled() -> IngestResource | None:
    seen = shown(lambda: queries.show_ingest(ingest_id, country))
    return seen if seen is not None and seen.settled else None


receipt = until("The receipt", settled)
assert receipt.outcomes.stored == 2, receipt

commands = CommandsApi(rtt)
command = ProcessTelemetryEventsCommand(
    command="process_telemetry_events",
    id=base64.b64encode(f"python-urllib-{transport}".encode()).decode(),
    transport=CommandTransport(id=LongId(transport), license_plate="ABC1D23", country_id=country),
    travel=TravelWindow(
        init_date=datetime.datetime.fromtimestamp(now - 3600, datetime.UTC),
        end_date=datetime.datetime.fromtimestamp(now, datetime.UTC),
    ),
)
command_id = commands.send_command(provider, country, ProviderCommandBody(command)).command_id


def answered() -> CommandResource | None:
    seen = shown(lambda: commands.show_command(provider, command_id, country))
    return seen if seen is not None and seen.deferred_answer is not None else None


result = until("The deferred answer", answered)
assert result.state == "done", result

try:
    queries.show_device("no-such-device", country)
    raise AssertionError("a device that is none was shown")
except NotFoundException as refusal:
    problem = ProblemDetails.from_json(str(refusal.body))
    assert problem is not None and problem.code == "device_not_found", problem
print(f"story: {receipt.outcomes.stored} stored, command {result.state}")
