"""The client kit of the tracking interface: what a package exports."""

from .client import Reply, TrackingClient
from .errors import (
    CallRefused, ItemTooLarge, SenderClosed, SpoolDamaged, SpoolInUse, TokenRefused,
)
from .options import AcceptedBatch, ClientOptions, Rates, RefusedBatch, SpoolOptions
from .types import (
    Delivery, DeliveryFix, KeyValue, LocationFix, Problem, Receipt, Telemetry, TelemetryEvent,
)

__all__ = [
    "AcceptedBatch", "CallRefused", "ClientOptions", "Delivery", "DeliveryFix", "ItemTooLarge",
    "KeyValue", "LocationFix", "Problem", "Rates", "Receipt", "RefusedBatch", "Reply",
    "SenderClosed", "SpoolDamaged", "SpoolInUse", "SpoolOptions", "Telemetry", "TelemetryEvent",
    "TokenRefused", "TrackingClient",
]
