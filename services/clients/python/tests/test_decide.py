"""Every status has one answer, and every wait its whole length."""

import json
from typing import Any
from unittest import TestCase

from rastro_client_kit.decide import (
    Answer, Done, Lost, Refused, RenewToken, Tries, Wait, decide_next,
)

WALL = 1_767_225_600.0


def decided(status: int, text: str = "{}", *, failures: int = 0, renewed: bool = False,
            **headers: str) -> Any:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return decide_next(Answer(status, names, text), tries(failures, renewed))


def tries(failures: int = 0, renewed: bool = False) -> Tries:
    return Tries(failures, renewed, good=range(202, 203), random=0.0, wall=WALL)


class Deciding(TestCase):
    def test_only_the_good_status_ends_a_call(self) -> None:
        self.assertIsInstance(decided(202), Done)
        for status in (200, 302, 408, 500, 502, 503, 504):
            self.assertEqual(decided(status), Wait(0.25, of_client=False), status)
        self.assertEqual(decide_next(Lost("reset"), tries()), Wait(0.25, of_client=False))

    def test_repeats_wait_twice_as_long_each_time_up_to_a_minute(self) -> None:
        waits = [decided(500, failures=failures).seconds for failures in range(12)]
        self.assertEqual(waits[:4], [0.25, 0.5, 1.0, 2.0])
        self.assertEqual(waits[-1], 30.0)
        self.assertEqual(decided(500, failures=10**6).seconds, 30.0)

    def test_a_refusal_is_for_good_and_has_its_problem(self) -> None:
        for status in (400, 403, 404, 413):
            text = json.dumps({"code": "no_good", "detail": "why", "status": status, "errors": []})
            found = decided(status, text)
            self.assertIsInstance(found, Refused)
            self.assertEqual((found.status, found.problem["code"]), (status, "no_good"))
        self.assertEqual(decided(413, "<h1>no</h1>").problem, {
            "status": 413, "code": "http_413", "detail": "<h1>no</h1>", "errors": [],
        })
        self.assertEqual(decided(400, "[1]").problem["code"], "http_400")

    def test_a_limit_is_waited_for_in_full(self) -> None:
        self.assertEqual(decided(429, retry_after="7200"), Wait(7200, of_client=True))
        self.assertEqual(decided(429), Wait(300, of_client=True))
        date = "Thu, 01 Jan 2026 00:10:00 GMT"
        self.assertEqual(decided(429, retry_after=date), Wait(600, of_client=True))
        self.assertEqual(decided(429, retry_after="soon"), Wait(300, of_client=True))
        self.assertEqual(decided(500, retry_after="900"), Wait(900, of_client=False))
        limits = {"ratelimit": '"device";r=0;t=300', "retry_after": "300"}
        self.assertEqual(decided(429, **limits), Wait(300, of_client=False))
        self.assertTrue(decided(429, ratelimit='"client";r=0;t=300').of_client)

    def test_a_token_is_renewed_once(self) -> None:
        bad = {"www_authenticate": 'Bearer error="invalid_token"'}
        self.assertIsInstance(decided(401), RenewToken)
        self.assertIsInstance(decided(403, **bad), RenewToken)
        self.assertIsInstance(decided(403, renewed=True, **bad), Refused)
        scope = {"www_authenticate": 'Bearer error="insufficient_scope"'}
        self.assertIsInstance(decided(403, **scope), Refused)
