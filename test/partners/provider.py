"""A tracking provider written from docs/interface.md alone, with Python's standard library.

It takes the platform's commands (endpoint 5). With an address of the platform it also drives:
start_tracking registers and starts a device and sends its locations (endpoints 6, 7 and 9),
stop_tracking stops it (endpoint 8), process_telemetry_events is answered later (endpoint 11).
Settings: PORT, COMMAND_TOKEN; to drive also RTT_URL, BASE_URL, CLIENT_ID, CLIENT_SECRET, PROVIDER.
"""
import base64
import binascii
import json
import os
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMAND_TOKEN = os.environ["COMMAND_TOKEN"]
RTT_URL = os.environ.get("RTT_URL")


class Invalid(Exception):
    """What is wrong with a body, in one sentence."""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_text(value):
    return isinstance(value, str)


def is_date(value):
    """ISO 8601, in UTC with Z or in local time with an offset."""
    if not isinstance(value, str):
        return False
    text = value[:-1] + "+00:00" if value.endswith("Z") else value
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def is_base64(value):
    try:
        return isinstance(value, str) and bool(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        return False


def need(parent, name, is_right, path):
    """The member of this name; raises when it is missing or of another type."""
    value = parent.get(name) if isinstance(parent, dict) else None
    if not is_right(value):
        raise Invalid("%s is missing or not valid" % path)
    return value


def need_object(parent, name, path):
    return need(parent, name, lambda value: isinstance(value, dict), path)


def need_list(parent, name, path):
    return need(parent, name, lambda value: isinstance(value, list), path)


def check_transport(body):
    transport = need_object(body, "transport", "transport")
    need(transport, "id", is_number, "transport.id")
    need(transport, "license_plate", is_text, "transport.license_plate")
    need(transport, "country_id", is_text, "transport.country_id")
    return transport


ROUTE_DATES = (
    "estimated_start_date", "estimated_end_date",
    "estimated_start_monitoring_date", "estimated_end_monitoring_date",
)
ADDRESS_TEXTS = (
    "country_name", "state_name", "neighborhood_name", "street_name", "street_number", "zip_code",
)


def check_routes(body):
    for route in need_list(body, "planned_routes", "planned_routes"):
        for name in ("route_id", "rostering_id"):
            need(route, name, is_number, name)
        for name in ROUTE_DATES:
            need(route, name, is_date, name)
        need(route, "country_id", is_text, "country_id")
        carrier = need_object(route, "carrier", "carrier")
        need(carrier, "id", is_number, "carrier.id")
        need(carrier, "name", is_text, "carrier.name")
        for vehicle in need_list(route, "vehicles", "vehicles"):
            need(vehicle, "is_tractor", lambda value: isinstance(value, bool), "is_tractor")
            need(vehicle, "type", is_text, "vehicles.type")
            need(vehicle, "license_plate", is_text, "vehicles.license_plate")
        for stop in need_list(route, "stops", "stops"):
            check_stop(stop)


def check_stop(stop):
    need(stop, "order", is_number, "stops.order")
    need(stop, "estimated_time_departure", is_date, "stops.estimated_time_departure")
    need(stop, "estimated_time_arrival", is_date, "stops.estimated_time_arrival")
    facility = need_object(stop, "facility", "stops.facility")
    need(facility, "id", is_text, "stops.facility.id")
    address = need_object(facility, "address", "stops.facility.address")
    for name in ADDRESS_TEXTS:
        need(address, name, is_text, "stops.facility.address." + name)
    geolocation = need_object(address, "geolocation", "stops.facility.address.geolocation")
    need(geolocation, "latitude", is_number, "geolocation.latitude")
    need(geolocation, "longitude", is_number, "geolocation.longitude")


def check_events(body):
    need(body, "id", is_base64, "id")
    check_transport(body)
    travel = need_object(body, "travel", "travel")
    need(travel, "init_date", is_date, "travel.init_date")
    need(travel, "end_date", is_date, "travel.end_date")


CHECKS = {
    "check_planned_routes": check_routes,
    "cancel_planned_routes": check_routes,
    "start_tracking": check_transport,
    "stop_tracking": check_transport,
    "process_telemetry_events": check_events,
}


def post(url, body, headers):
    """One call: 400 and 403 are never repeated, 500 and no answer are, for ever."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        request = urllib.request.Request(url, data=data, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                return error.code, None
            time.sleep(300 if error.code == 429 else 1)
        except OSError:
            time.sleep(1)


class Fleet:
    """The devices of the transports that the platform monitors, one for each."""

    def __init__(self):
        self.lock = threading.Lock()
        self.devices = {}
        self.tokens = {}

    def headers(self):
        with self.lock:
            token, ends = self.tokens.get("rtt", (None, 0))
            if time.time() > ends - 60:
                secret = "%s:%s" % (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
                basic = base64.b64encode(secret.encode()).decode()
                _, answer = post(
                    os.environ["BASE_URL"] + "/oauth/token",
                    {"audience": "rtt", "grant_type": "client_credentials"},
                    {"Authorization": "Basic " + basic, "Content-Type": "application/json"},
                )
                token, ends = answer["access_token"], time.time() + answer["expires_in"]
                self.tokens["rtt"] = (token, ends)
        return {"Authorization": "Bearer " + token, "Content-Type": "application/json"}

    def call(self, path, country, body=None):
        url = "%s/shipping/rtt/%s?country_id=%s" % (RTT_URL, path, country)
        return post(url, body, self.headers())

    def start(self, transport):
        number, country = transport["id"], transport["country_id"]
        entity = {"entity_id": "unit-%s" % number, "entity_type": "unit"}
        status, device = self.call("devices", country, {
            "external_entity": entity, "transport": {"id": number},
        })
        if status not in (201, 208):
            return
        self.devices[number] = device["id"]
        self.call("devices/%s/start_tracking" % device["id"], country)
        now = int(time.time())
        self.call("georeceiver/%s/locations" % os.environ["PROVIDER"], country, {
            "device_id": device["id"], "post_timestamp": now, "locations": [
                {"timestamp": now - age, "country_id": country, "latitude": -34.9,
                 "longitude": -56.16 - age / 1000} for age in (3, 2, 1)
            ],
        })

    def stop(self, transport):
        device = self.devices.pop(transport["id"], None)
        if device is not None:
            self.call("devices/%s/stop_tracking" % device, transport["country_id"])

    def answer(self, body):
        transport = body["transport"]
        path = "georeceiver/%s/telemetry/events/deferred" % os.environ["PROVIDER"]
        self.call(path, transport["country_id"], {
            "id": body["id"], "route_distance": 12.5, "transport_id": transport["id"],
            "post_timestamp": int(time.time()), "events": [],
        })

    def obey(self, body):
        command = body["command"]
        if command == "start_tracking":
            self.start(body["transport"])
        elif command == "stop_tracking":
            self.stop(body["transport"])
        elif command == "process_telemetry_events":
            self.answer(body)


FLEET = Fleet()


class Commands(BaseHTTPRequestHandler):
    """Endpoint 5."""

    protocol_version = "HTTP/1.1"
    # Head and body of an answer in one write.
    wbufsize = -1

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/rtt/commands":
            return self.say(404, "no such endpoint")
        if self.headers.get("Authorization") != "Bearer " + COMMAND_TOKEN:
            return self.say(403, "client has no permission")
        try:
            body = json.loads(text)
            command = need(body, "command", lambda value: value in CHECKS, "command")
            CHECKS[command](body)
        except (ValueError, TypeError, Invalid) as error:
            return self.say(400, str(error))
        if RTT_URL is not None:
            threading.Thread(target=FLEET.obey, args=(body,), daemon=True).start()
        return self.say(200, "success")

    def say(self, status, message):
        data = json.dumps({"status": status, "message": message}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Quiet: whoever runs it sees the answers."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Commands)
    print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()
