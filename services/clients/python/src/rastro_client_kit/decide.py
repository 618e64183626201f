"""What is done after a try, decided by the status code alone."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, cast

from .types import Problem

FIRST_SECONDS = 0.5
REPEAT_SECONDS_MAX = 60.0
LIMITED_SECONDS = 300.0
"""The interface: after a 429 try again after five minutes."""


@dataclass(frozen=True)
class Lost:
    """No answer came."""

    reason: str


@dataclass(frozen=True)
class Answer:
    """An answer; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True)
class Done:
    """The answer that was wanted."""

    answer: Answer


@dataclass(frozen=True)
class Refused:
    """A refusal for good."""

    status: int
    problem: Problem


@dataclass(frozen=True)
class RenewToken:
    """The token is no longer taken."""


@dataclass(frozen=True)
class Wait:
    """The limit of one device holds back no other; that of the client holds back all."""

    seconds: float
    of_client: bool


@dataclass(frozen=True)
class Tries:
    """What happened to a call before this try."""

    failures: int
    is_renewed: bool
    good: range
    random: float
    wall: float


def decide_next(answer: Answer | Lost, tries: Tries) -> Done | Refused | RenewToken | Wait:
    """400 and 403 are never repeated, 429 waits, 500 and a lost answer repeat without end.

    A token that ran out is renewed once, for the call is another one then.
    """
    if isinstance(answer, Lost):
        return Wait(_back_off(tries), of_client=False)
    status, headers = answer.status, answer.headers
    if status in tries.good:
        return Done(answer)
    asked = _retry_after(headers.get("retry-after"), tries.wall)
    if status == 429:
        seconds = LIMITED_SECONDS if asked is None else asked
        return Wait(seconds, of_client=not headers.get("ratelimit", "").startswith('"device"'))
    if _is_bad_token(status, headers) and not tries.is_renewed:
        return RenewToken()
    if 400 <= status < 500 and status != 408:
        return Refused(status, _problem_of(answer))
    # A 2xx or 3xx that the operation does not have is of something between us and the gateway.
    return Wait(max(asked or 0.0, _back_off(tries)), of_client=False)


def _is_bad_token(status: int, headers: Mapping[str, str]) -> bool:
    """RTT calls answer 403 where other operations answer 401; the header names the reason."""
    reason = headers.get("www-authenticate", "")
    return status == 401 or (status == 403 and re.search(r"\binvalid_token\b", reason) is not None)


def _back_off(tries: Tries) -> float:
    """Doubles up to a minute; the upper half is random."""
    full = min(REPEAT_SECONDS_MAX, FIRST_SECONDS * 2 ** min(tries.failures, 20))
    return float(full / 2 + full / 2 * tries.random)


def _retry_after(header: str | None, wall: float) -> float | None:
    """The whole wait that was asked for: in seconds, or until a date."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    known = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max(0.0, known.timestamp() - wall)


def _problem_of(answer: Answer) -> Problem:
    """The problem of a refusal; another text, of a proxy for example, becomes its detail."""
    plain: dict[str, Any] = {
        "status": answer.status, "code": f"http_{answer.status}",
        "detail": answer.text[:2048], "errors": [],
    }
    try:
        value = json.loads(answer.text)
    except ValueError:
        value = None
    return cast(Problem, {**plain, **value} if isinstance(value, dict) else plain)
