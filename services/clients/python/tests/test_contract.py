"""A client against a gateway on the line."""

import base64
import socket
import threading

from rastro_client_kit import CallRefused, ItemTooLarge, Rates, SenderClosed, TokenRefused

from .gateway import Answer, Call, GatewayTest, accepted, fix, problem, token


class Batches(GatewayTest):
    def test_fixes_of_a_device_go_together_in_their_order(self) -> None:
        gateway = self.gateway()
        with gateway.open(linger_seconds=0.2) as client:
            futures = [client.submit_locations("d1", [fix(time)]) for time in range(50)]
            for future in futures:
                future.result()
            client.flush()
        self.assertEqual([len(call.body["locations"]) for call in gateway.calls], [50])
        self.assertEqual(gateway.timestamps_of("d1"), list(range(50)))

    def test_a_call_has_at_most_1000_items_and_the_bytes_of_a_body(self) -> None:
        gateway = self.gateway()
        with gateway.open() as client:
            client.send_locations("d1", [fix(time) for time in range(1000)])
            client.send_locations("d2", [fix(time) for time in range(1001)])
            large = [
                {**fix(time), "metadata": [{"name": "n", "value": "é" * 20_000}]}
                for time in range(60)
            ]
            client.send_locations("d3", large)  # type: ignore[arg-type]
            client.flush()
        sizes = {
            device: [len(each.body["locations"]) for each in gateway.calls
                     if each.body["device_id"] == device] for device in ("d1", "d2")
        }
        self.assertEqual(sizes, {"d1": [1000], "d2": [1000, 1]})
        self.assertEqual(gateway.timestamps_of("d3"), list(range(60)))
        lengths = [len(call.text.encode()) for call in gateway.calls]
        self.assertLessEqual(max(lengths), 1_048_576)
        self.assertGreater(max(lengths), 1_000_000)

    def test_an_item_that_is_too_large_or_no_json_is_refused_at_once(self) -> None:
        gateway = self.gateway()
        with gateway.open() as client:
            with self.assertRaises(ItemTooLarge):
                client.send_locations("d1", [{**fix(1), "country_id": "x" * 1_048_576}])
            with self.assertRaises(ValueError):
                client.send_locations("d1", [{**fix(1), "latitude": float("nan")}])
            client.flush()
        self.assertEqual(gateway.calls, [])

    def test_events_and_delivery_locations_have_their_addresses(self) -> None:
        gateway = self.gateway()
        with gateway.open() as client:
            client.send_events("d1", [{
                "name": "sharp_turn", "start_date": "2026-01-01T00:00:00Z",
                "end_date": "2026-01-01T00:00:01Z",
            }])
            client.flush()
            for parcel in ("t1", "t2"):
                client.submit_delivery_locations({
                    "device": {"external_id": "e1", "external_type": "driver"},
                    "traceables": [{"id": parcel, "type": "parcel"}],
                }, [{"timestamp": 1, "latitude": 1.0, "longitude": 2.0}])
            client.flush()
        self.assertEqual([call.path for call in gateway.calls], [
            "/shipping/rtt/georeceiver/acme/telemetry/events?country_id=BR",
            "/shipping/rtt/georeceiver/proximity/acme/locations?country_id=BR",
            "/shipping/rtt/georeceiver/proximity/acme/locations?country_id=BR",
        ])
        parcels = [call.body["traceables"][0]["id"] for call in gateway.calls[1:]]
        self.assertEqual(parcels, ["t1", "t2"])


class Repeats(GatewayTest):
    def test_the_same_bytes_are_sent_until_they_are_accepted(self) -> None:
        answers: list[Answer] = [
            problem(500, "internal"), (0, {}, ""), problem(503, "busy"), (200, {}, "hello"),
            problem(408, "late"),
        ]
        gateway = self.gateway(
            lambda _, nth: answers[nth - 1] if nth <= len(answers) else accepted(),
        )
        with gateway.open() as client:
            client.send_locations("d1", [fix(1), fix(2)])
            client.flush()
        self.assertEqual(len(gateway.calls), 6)
        self.assertEqual(len({call.text for call in gateway.calls}), 1)
        self.assertEqual(gateway.refused, [])

    def test_they_go_on_while_nothing_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        gateway = self.gateway()
        with gateway.open(url=f"http://127.0.0.1:{port}") as client:
            client.send_locations("d1", [fix(1)])
        self.assertEqual(gateway.calls, [])

    def test_a_refused_batch_is_given_to_on_refused_and_never_sent_again(self) -> None:
        gateway = self.gateway(lambda _, nth: problem(400, "no") if nth == 1 else accepted())
        with gateway.open() as client:
            client.send_locations("d1", [fix(1), fix(2)])
            client.send_locations("d1", [fix(3)])
            client.flush()
        self.assertEqual(gateway.timestamps_of("d1"), [1, 2, 3])
        [refused] = gateway.refused
        self.assertEqual((refused.status, refused.problem["code"]), (400, "no"))
        self.assertEqual(refused.items, [fix(1), fix(2)])
        self.assertEqual(refused.body.decode(), gateway.calls[0].text)

    def test_a_failed_on_refused_ends_the_sender(self) -> None:
        def full(_: object) -> None:
            raise OSError("disk full")

        gateway = self.gateway(lambda *_: problem(400, "no"))
        client = gateway.open(on_refused=full)
        client.send_locations("d1", [fix(1)])
        with self.assertRaisesRegex(OSError, "disk full"):
            client.flush()
        with self.assertRaisesRegex(SenderClosed, "disk full"):
            client.send_locations("d1", [fix(2)])
        with self.assertRaises(SenderClosed):
            client.close()

    def test_a_limit_of_the_client_holds_all_back_and_one_of_a_device_only_it(self) -> None:
        for limit, others in (("client", 1.0), ("device", 0.0)):
            def answer(call: Call, nth: int, limit: str = limit) -> Answer:
                if nth > 1:
                    return accepted()
                return problem(429, "limit", Retry_After="1", RateLimit=f'"{limit}";r=0;t=1')

            gateway = self.gateway(answer)
            with gateway.open(calls_max=1) as client:
                client.send_locations("d1", [fix(1)])
                gateway.wait_for(lambda gateway=gateway: len(gateway.calls) == 1)
                client.send_locations("d2", [fix(1)])
                client.flush()
            gaps = {call.body["device_id"]: call.at - gateway.calls[0].at
                    for call in gateway.calls[1:]}
            self.assertGreaterEqual(gaps["d1"], 0.99)
            self.assertGreaterEqual(gaps["d2"], others * 0.99)
            if limit == "device":
                self.assertLess(gaps["d2"], gaps["d1"])


class Devices(GatewayTest):
    def test_each_has_one_call_in_progress(self) -> None:
        lock = threading.Lock()
        progress: dict[str, int] = {}
        most = 0

        def answer(call: Call, nth: int) -> Answer:
            nonlocal most
            device = call.body["device_id"]
            with lock:
                progress[device] = progress.get(device, 0) + 1
                most = max(most, progress[device])
            with lock:
                progress[device] -= 1
            return problem(500, "internal") if nth % 3 == 0 else accepted()

        gateway = self.gateway(answer)
        with gateway.open(rates=Rates(device_calls_per_second=1000)) as client:
            for time in range(20):
                for device in ("d1", "d2", "d3"):
                    client.submit_locations(device, [fix(time)])
            client.flush()
        self.assertEqual(most, 1)
        for device in ("d1", "d2", "d3"):
            self.assertEqual(list(dict.fromkeys(gateway.timestamps_of(device))), list(range(20)))

    def test_they_are_served_side_by_side_up_to_calls_max(self) -> None:
        gateway = self.gateway()

        def together(call: Call, nth: int) -> Answer:
            # The first three are answered once all three are here.
            if nth <= 3:
                gateway.wait_for(lambda: len(gateway.calls) >= 3)
            return accepted()

        gateway.answer = together
        with gateway.open(calls_max=3) as client:
            for number in range(9):
                client.submit_locations(f"d{number}", [fix(1)])
            client.flush()
        self.assertEqual(len(gateway.calls), 9)
        self.assertEqual(gateway.in_flight_most, 3)

    def test_the_rates_of_the_client_are_kept(self) -> None:
        gateway = self.gateway()
        with gateway.open(rates=Rates(calls_per_second=20)) as client:
            for number in range(11):
                client.submit_locations(f"d{number}", [fix(1)])
            client.flush()
        self.assertGreaterEqual(gateway.calls[-1].at - gateway.calls[0].at, 0.45)


class TokensTest(GatewayTest):
    def test_one_is_asked_for_with_the_credentials_in_the_header(self) -> None:
        gateway = self.gateway()
        with gateway.open() as client:
            for number in range(20):
                client.submit_locations(f"d{number}", [fix(1)])
            client.flush()
        [headers] = gateway.tokens
        basic = base64.b64encode(b"100000000000042:secret").decode()
        self.assertEqual(headers["Authorization"], f"Basic {basic}")

    def test_it_is_renewed_once_for_all_that_had_the_old_one(self) -> None:
        gateway = self.gateway(
            lambda call, _: problem(401, "bad") if call.token == "token-1" else accepted(),
        )
        with gateway.open() as client:
            for number in range(8):
                client.submit_locations(f"d{number}", [fix(1)])
            client.flush()
        self.assertEqual(len(gateway.tokens), 2)
        self.assertEqual(gateway.refused, [])

    def test_it_is_renewed_before_it_ends(self) -> None:
        gateway = self.gateway(answer_token=lambda number: token(number, 0))
        with gateway.open() as client:
            for time in (1, 2):
                client.send_locations("d1", [fix(time)])
                client.flush()
        self.assertEqual([call.token for call in gateway.calls], ["token-1", "token-2"])

    def test_a_refusal_ends_the_sender_and_refuses_no_batch(self) -> None:
        gateway = self.gateway(answer_token=lambda _: problem(401, "invalid_client"))
        client = gateway.open(calls_max=1)
        client.send_locations("d1", [fix(1)])
        with self.assertRaises(TokenRefused):
            client.flush()
        self.assertEqual((len(gateway.tokens), gateway.refused), (1, []))
        with self.assertRaises(SenderClosed):
            client.close()


class Buffer(GatewayTest):
    def test_that_is_full_holds_the_caller_back_until_batches_are_accepted(self) -> None:
        is_open = threading.Event()
        gateway = self.gateway(
            lambda *_: accepted() if is_open.is_set() else problem(500, "internal"),
        )
        with gateway.open(buffer_bytes=1000) as client:
            done: list[int] = []

            def send() -> None:
                for time in range(10):
                    client.send_locations("d1", [fix(time)] * 3)
                    done.append(time)

            thread = threading.Thread(target=send)
            thread.start()
            gateway.wait_for(lambda: len(gateway.calls) >= 5)
            self.assertLess(len(done), 5)
            is_open.set()
            thread.join()
            client.flush()
        self.assertEqual(list(dict.fromkeys(gateway.timestamps_of("d1"))), list(range(10)))

    def test_lets_a_waiting_caller_go_when_the_client_is_closed(self) -> None:
        gateway = self.gateway(lambda *_: problem(500, "internal"))
        client = gateway.open(buffer_bytes=100)
        client.send_locations("d1", [fix(1)])
        errors: list[BaseException] = []

        def send() -> None:
            try:
                client.send_locations("d1", [fix(2)])
            except SenderClosed as error:
                errors.append(error)

        thread = threading.Thread(target=send)
        thread.start()
        gateway.wait_for(lambda: len(gateway.calls) >= 2)
        client.close()
        thread.join()
        self.assertEqual(len(errors), 1)
        with self.assertRaises(SenderClosed):
            client.send_locations("d1", [fix(3)])


class OtherCalls(GatewayTest):
    def test_end_with_a_good_answer_or_the_problem(self) -> None:
        gateway = self.gateway(lambda _, nth: [
            problem(500, "internal"), (208, {}, {"id": "d1"}), problem(404, "device_not_found"),
        ][nth - 1])
        with gateway.open() as client:
            reply = client.call("POST", "/shipping/rtt/devices", query={"country_id": "BR"}, body={})
            self.assertEqual((reply.status, reply.body), (208, {"id": "d1"}))
            with self.assertRaises(CallRefused) as caught:
                client.call("GET", "/shipping/rtt/devices/none")
        self.assertEqual(caught.exception.problem["code"], "device_not_found")
        self.assertEqual(gateway.calls[0].path, "/shipping/rtt/devices?country_id=BR")

    def test_a_receipt_is_waited_for_until_it_is_settled(self) -> None:
        gateway = self.gateway(lambda _, nth: (
            problem(404, "ingest_not_found") if nth == 1 else (200, {}, {"settled": nth > 2})
        ))
        with gateway.open() as client:
            self.assertTrue(client.receipt("i1")["settled"])
        self.assertEqual(len(gateway.calls), 3)
        self.assertEqual(gateway.calls[0].path, "/shipping/rtt/ingest/i1?country_id=BR")
