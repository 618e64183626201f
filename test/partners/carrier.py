"""A carrier written from docs/interface.md alone, with Python's standard library.

It authorizes shipments (endpoint 1) and, at the same base address, issues and revokes the tokens
that it asks for (endpoints 2 and 3). Settings: PORT, CLIENT_ID, CLIENT_SECRET.
"""
import base64
import binascii
import json
import os
import re
import secrets
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

AUDIENCES = (
    "authorizations", "tracking-pull", "agencies", "booking", "logistic-feed", "handling-unit",
    "rtt", "fiscal-info", "revoke", "coverage",
)
TOKEN_SECONDS = 21600
STORED_MAX = 255
ZIP_COUNTRIES = ("AR", "BR", "MX", "PE", "ARG", "BRA", "MEX", "PER")
GEOLOCATION_TYPES = (
    "APPROXIMATE", "GEOMETRIC_CENTER", "RANGE_INTERPOLATED", "ROOFTOP", "UNKNOWN",
)


class Invalid(Exception):
    """A request that is refused: its error code and a sentence."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def is_text(value):
    return isinstance(value, str)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_object(value):
    return isinstance(value, dict)


def is_id(value):
    return isinstance(value, str) and value != "" or isinstance(value, int)


def is_date(value):
    if not isinstance(value, str) or "T" not in value:
        return False
    text = value[:-1] + "+00:00" if value.endswith("Z") else value
    try:
        return datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def need(parent, name, is_right, code):
    value = parent.get(name) if isinstance(parent, dict) else None
    if not is_right(value):
        raise Invalid(code, "%s is missing or not valid" % name)
    return value


def may(parent, name, is_right, code):
    value = parent.get(name)
    if value is not None and not is_right(value):
        raise Invalid(code, "%s is not valid" % name)
    return value


def check_geolocation(geolocation, code):
    need(geolocation, "geolocation_type", lambda value: value in GEOLOCATION_TYPES, code)
    need(geolocation, "latitude", is_number, code)
    need(geolocation, "longitude", is_number, code)


def check_user(user, code):
    for name in ("full_name", "first_name", "last_name"):
        need(user, name, is_text, code)
    phone = need(user, "phone", is_object, code)
    need(phone, "number", lambda value: is_text(value) and re.fullmatch("[0-9]+", value), code)
    address = need(user, "address", is_object, code)
    need(address, "address_line", is_text, code)
    for name in ("city", "state", "country"):
        need(address, name, is_object, code)
    if str(address["country"].get("id", "")).upper() in ZIP_COUNTRIES:
        need(address, "zip_code", is_text, code)
    geolocation = may(address, "geolocation", is_object, code)
    if geolocation is not None:
        check_geolocation(geolocation, code)


def check_package(package):
    code = "invalid_package_information"
    for item in need(package, "items", lambda value: isinstance(value, list), code):
        need(item, "item_id", is_text, code)
        need(item, "description", is_text, code)
        need(item, "quantity", lambda value: isinstance(value, int), code)
    dimensions = need(package, "dimensions", is_object, code)
    for name in ("height", "width", "length", "weight"):
        need(dimensions, name, is_number, code)
    need(package, "amount", is_number, code)


def check_requirements(requirements):
    code = "invalid_requirements"
    for part in ("pickup", "delivery"):
        schedule = (may(requirements, part, is_object, code) or {}).get("schedule") or {}
        for end in ("from", "to"):
            may(schedule, end, is_date, code)


def check_authorization(body):
    """The tables of the authorization request, row by row."""
    code = "invalid_shipment"
    if not is_object(body):
        raise Invalid(code, "the body is no object")
    need(body, "id", is_id, code)
    need(body, "transport_order_id", is_text, code)
    may(body, "direction", lambda value: value in ("forward", "return"), code)
    may(body, "test", lambda value: isinstance(value, bool), code)
    shipment = may(body, "shipment_information", is_object, code)
    if shipment is not None:
        receiver = need(shipment, "receiver", is_object, "invalid_user_information.buyer")
        check_user(receiver, "invalid_user_information.buyer")
        sender = need(shipment, "sender", is_object, "invalid_sender")
        check_user(sender, "invalid_sender")
        check_package(need(shipment, "package", is_object, "invalid_package_information"))
    check_requirements(may(body, "requirements", is_object, code) or {})


class Tokens:
    """Opaque tokens, one audience each, for six hours."""

    def __init__(self):
        self.ends = {}

    def issue(self, audience):
        token = secrets.token_urlsafe(32)
        self.ends[token] = (audience, time.time() + TOKEN_SECONDS)
        return token

    def is_good(self, header, audience):
        kind, _, token = (header or "").partition(" ")
        known, end = self.ends.get(token, (None, 0))
        return kind == "Bearer" and known == audience and time.time() < end

    def revoke(self, token):
        self.ends.pop(token, None)


class Orders:
    """What was authorized, by transport order: the same order keeps its tracking number."""

    def __init__(self):
        self.lock = threading.Lock()
        self.answers = {}

    def authorize(self, body):
        with self.lock:
            order = body["transport_order_id"]
            if order not in self.answers:
                self.answers[order] = {
                    "id": str(body["id"]),
                    "status": "AUTHORIZED",
                    "status_message": "The shipment is authorized.",
                    "tracking_number": "PY%012d" % (len(self.answers) + 1),
                    "authorization_information": {
                        "date": datetime.now(timezone.utc).isoformat(), "custom_data": {},
                    },
                    "comment": cut(body),
                }
            return {key: value for key, value in self.answers[order].items() if key != "comment"}


def cut(body):
    """Texts may be of any length; what is kept of them is not."""
    receiver = ((body.get("shipment_information") or {}).get("receiver") or {})
    return str((receiver.get("address") or {}).get("comment", ""))[:STORED_MAX]


TOKENS = Tokens()
ORDERS = Orders()


class Carrier(BaseHTTPRequestHandler):
    """Endpoints 1, 2 and 3."""

    protocol_version = "HTTP/1.1"
    # Head and body of an answer in one write.
    wbufsize = -1

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/oauth/token":
            return self.issue(text)
        if self.path == "/oauth/revoke":
            return self.revoke(text)
        if re.fullmatch("/shipments/[^/]+/authorization", self.path):
            return self.authorize(text)
        return self.say(404, {"message": "no such endpoint"})

    def authorize(self, text):
        if not TOKENS.is_good(self.headers.get("Authorization"), "authorizations"):
            return self.say(401, failed("invalid_token", "a good token is needed"))
        try:
            body = json.loads(text)
            check_authorization(body)
        except Invalid as error:
            return self.say(400, failed(error.code, str(error)))
        except ValueError:
            return self.say(400, failed("invalid_json", "the body is not JSON"))
        return self.say(200, ORDERS.authorize(body))

    def issue(self, text):
        if not self.is_client():
            return self.say(401, {"message": "the credentials are not valid"})
        try:
            body = json.loads(text)
            audience, grant = body["audience"], body["grant_type"]
        except (ValueError, KeyError, TypeError):
            return self.say(400, {"message": "audience and grant_type are needed"})
        if audience not in AUDIENCES or grant != "client_credentials":
            return self.say(400, {"message": "audience or grant_type is not known"})
        return self.say(200, {
            "access_token": TOKENS.issue(audience), "token_type": "Bearer",
            "expires_in": TOKEN_SECONDS,
        })

    def is_client(self):
        kind, _, encoded = (self.headers.get("Authorization") or "").partition(" ")
        try:
            given = base64.b64decode(encoded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return False
        wanted = "%s:%s" % (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
        return kind == "Basic" and secrets.compare_digest(given.encode(), wanted.encode())

    def revoke(self, text):
        header = self.headers.get("Authorization") or ""
        token = (parse_qs(text.decode("latin-1")).get("token") or [""])[0]
        if not TOKENS.is_good(header, "revoke"):
            return self.say(400, {"status": "FAILED", "message": "a token of revoke is needed"})
        if token == "" or header == "Bearer " + token:
            return self.say(400, {"status": "FAILED", "message": "another token is needed"})
        TOKENS.revoke(token)
        return self.say(200, {"status": "OK"})

    def say(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Quiet: whoever runs it sees the answers."""


def failed(code, message):
    return {"error_code": code, "status_message": message, "status": "FAILED"}


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Carrier)
    print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()
