"""The bodies of the interface, as far as the kit sends and reads them."""

from typing import Literal, NotRequired, TypedDict


class KeyValue(TypedDict):
    """A pair of texts."""

    name: str
    value: str


class Telemetry(TypedDict):
    """What the vehicle measured at a fix; the units are those of the interface."""

    timestamp: float
    ignition: NotRequired[bool]
    odometer: NotRequired[float]
    speed: NotRequired[float]
    speed_accuracy: NotRequired[float]
    engine_rpm: NotRequired[float]
    engine_temperature: NotRequired[float]
    air_temperature: NotRequired[float]
    acceleration_longitudinal: NotRequired[float]
    acceleration_lateral: NotRequired[float]
    direction: NotRequired[str]
    fuel_quantity: NotRequired[float]
    fuel_level: NotRequired[float]
    fuel_consumption: NotRequired[float]
    battery_level: NotRequired[float]
    battery_consumption: NotRequired[float]
    battery_health: NotRequired[float]
    battery_temperature: NotRequired[float]
    battery_remaining: NotRequired[float]
    others: NotRequired[list[KeyValue]]


class DeliveryFix(TypedDict):
    """Where a traceable was (endpoint 12)."""

    timestamp: int
    latitude: float
    longitude: float
    altitude: NotRequired[float]
    accuracy: NotRequired[float]
    bearing: NotRequired[float]
    bearing_accuracy: NotRequired[float]
    metadata: NotRequired[list[KeyValue]]


class LocationFix(DeliveryFix):
    """One GPS fix of a device (endpoint 9)."""

    country_id: str
    telemetry: NotRequired[Telemetry]


class TelemetryEvent(TypedDict):
    """A telemetry event of a device (endpoint 10)."""

    name: Literal[
        "harsh_braking", "harsh_acceleration", "unfastened_seatbelt", "sharp_turn",
        "speeding_route", "speeding_ops",
    ]
    start_date: str
    end_date: str
    distance: NotRequired[float]
    latitude: NotRequired[float]
    longitude: NotRequired[float]
    external_id: NotRequired[str]
    last_updated_date: NotRequired[str]
    status: NotRequired[float]
    metadata: NotRequired[list[KeyValue]]


class DriverDevice(TypedDict):
    """The driver of delivery locations."""

    external_id: str
    external_type: str


class Traceable(TypedDict):
    """What a driver carries."""

    id: str
    type: str


class Delivery(TypedDict):
    """The driver and what is carried."""

    device: DriverDevice
    traceables: list[Traceable]


class ProblemError(TypedDict):
    """What is wrong with one field."""

    pointer: str
    code: str
    message: str


class Problem(TypedDict):
    """The error body of RFC 9457; ``code`` is stable, texts are not."""

    status: int
    code: str
    detail: str
    errors: list[ProblemError]
    type: NotRequired[str]
    title: NotRequired[str]
    request_id: NotRequired[str]


class Outcomes(TypedDict):
    """How many items of a call ended in which way."""

    stored: int
    duplicate: int
    outlier: int
    dead_lettered: int


class Receipt(TypedDict):
    """The outcome of every item of an accepted call; ``settled`` once each item has one."""

    ingest_id: str
    received_at: str
    items: int
    settled: bool
    waiting: int
    outcomes: Outcomes
    records: list[dict[str, object]]
