"""What a killed process leaves, at every byte."""

import shutil
import tempfile
from pathlib import Path
from random import Random
from unittest import TestCase

from rastro_client_kit import SpoolDamaged, SpoolInUse, SpoolOptions
from rastro_client_kit.entry import Draft, EntryHead
from rastro_client_kit.outbox import Entry
from rastro_client_kit.spool import Spool

from .gateway import Answer, Call, GatewayTest, accepted, fix, problem

FIRST = "000000000001.segment"


def draft(number: int) -> Draft:
    body = f"body {number} " + "é\n" * (number % 20)
    return Draft(EntryHead("locations", f"d{number % 3}", 1), body.encode())


def drafts(first: int, end: int) -> list[Draft]:
    return [draft(number) for number in range(first, end)]


def bodies_of(spool: Spool) -> list[bytes]:
    return [spool.read(entry) for entry in spool.left]


class SpoolTest(TestCase):
    def setUp(self) -> None:
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)
        self.directory = self.home / "spool"

    def open(self, directory: Path | None = None, segment_bytes: int = 10**6) -> Spool:
        return Spool(directory or self.directory, segment_bytes)

    def test_a_kill_at_any_byte_of_a_write_leaves_what_was_safe_and_nothing_half(self) -> None:
        spool = self.open()
        ends = []
        for each in drafts(0, 6):
            spool.append([each])
            ends.append((self.directory / FIRST).stat().st_size)
        spool.close()
        copy = self.home / "copy"
        for size in range(ends[-1] + 1):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.directory, copy)
            with open(copy / FIRST, "r+b") as segment:
                segment.truncate(size)
            again = self.open(copy)
            whole = [each.body for each in drafts(0, sum(end <= size for end in ends))]
            self.assertEqual(bodies_of(again), whole, f"cut at byte {size}")
            again.append([draft(100)])
            again.close()
            third = self.open(copy)
            self.assertEqual(bodies_of(third), [*whole, draft(100).body], f"after byte {size}")
            third.close()

    def test_a_damaged_committed_file_sends_more_again_and_never_less(self) -> None:
        spool = self.open()
        for entry in spool.append(drafts(0, 6))[:4]:
            spool.finish(entry)
        spool.close()
        file = self.directory / "committed"
        whole = file.read_bytes()
        everything = [each.body for each in drafts(0, 6)]
        cut = [whole[:size] for size in range(len(whole))]
        turned = [
            bytes(byte ^ (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(whole))
            for bit in range(len(whole) * 8)
        ]
        for damaged in [*cut, *turned]:
            file.write_bytes(damaged)
            again = self.open()
            self.assertEqual(bodies_of(again), everything, damaged)
            again.close()
        file.write_bytes(whole)
        again = self.open()
        self.assertEqual(bodies_of(again), everything[4:])
        again.close()

    def test_zeros_and_other_bytes_after_the_end_are_cut_off(self) -> None:
        for garbage in (bytes(4096), b"xyz" * 5, b"\xff" * 40):
            shutil.rmtree(self.directory, ignore_errors=True)
            spool = self.open()
            spool.append(drafts(0, 2))
            spool.close()
            with open(self.directory / FIRST, "ab") as segment:
                segment.write(garbage)
            again = self.open()
            self.assertEqual(bodies_of(again), [each.body for each in drafts(0, 2)])
            again.close()
            self.assertLess((self.directory / FIRST).stat().st_size, 200)

    def test_any_life_loses_nothing_keeps_the_order_and_frees_what_it_took(self) -> None:
        for seed in range(20):
            with self.subTest(seed=seed):
                shutil.rmtree(self.directory, ignore_errors=True)
                self._live(Random(seed))

    def _live(self, dice: Random) -> None:
        spool = self.open(segment_bytes=150)
        waiting: list[tuple[bytes, Entry]] = []
        count = used = 0
        for _ in range(25):
            step = dice.choice(["append", "finish", "finish", "crash"])
            if step == "append":
                added = drafts(count, count + dice.randint(1, 5))
                count += len(added)
                entries = spool.append(added)
                used += sum(entry.cost for entry in entries)
                waiting += zip((each.body for each in added), entries, strict=True)
            elif step == "finish" and waiting:
                used -= spool.finish(waiting.pop(dice.randrange(len(waiting)))[1])
            elif step == "crash":
                spool.close()
                files = sorted(self.directory.glob("*.segment"))
                if files:
                    with open(files[-1], "ab") as segment:
                        segment.write(b"\7" * dice.randint(0, 30))
                spool = self.open(segment_bytes=150)
                found = bodies_of(spool)
                kept = [body for body, _ in waiting]
                self.assertEqual([body for body in found if body in kept], kept)
                numbers = [int(body.split()[1]) for body in found]
                self.assertEqual(numbers, sorted(numbers))
                self.assertEqual(found[:1], kept[:1] if kept else [])
                waiting = list(zip(found, spool.left, strict=True))
                used = sum(entry.cost for entry in spool.left)
            if not waiting:
                self.assertEqual(used, 0)
        for _, entry in waiting:
            used -= spool.finish(entry)
        self.assertEqual(used, 0)
        spool.close()
        self.assertLessEqual(len(list(self.directory.glob("*.segment"))), 1)

    def test_it_has_one_owner_and_a_dead_one_is_none(self) -> None:
        spool = self.open()
        with self.assertRaises(SpoolInUse):
            self.open()
        owner = self.directory / "owner"
        pid, start, boot = owner.read_text().split(" ")
        spool.close()
        for dead in (f"{pid} {int(start) + 1} {boot}", f"{pid} {start} other", "999999999 1 x", ""):
            owner.write_text(dead)
            self.open().close()

    def test_damage_before_later_segments_is_reported_and_nothing_is_cut_off(self) -> None:
        spool = self.open(segment_bytes=1)
        for each in drafts(1, 3):
            spool.append([each])
        spool.close()
        file = self.directory / FIRST
        data = bytearray(file.read_bytes())
        data[12] ^= 1
        file.write_bytes(data)
        with self.assertRaises(SpoolDamaged):
            self.open()
        self.assertEqual(file.read_bytes(), data)

    def test_no_number_of_a_segment_is_given_again(self) -> None:
        spool = self.open(segment_bytes=1)
        for each in drafts(0, 3):
            for entry in spool.append([each]):
                spool.finish(entry)
        spool.close()
        for file in self.directory.glob("*.segment"):
            file.unlink()
        again = self.open()
        again.append([draft(9)])
        again.close()
        third = self.open()
        self.assertEqual(bodies_of(third), [draft(9).body])
        third.close()

    def test_it_takes_nothing_more_after_a_write_that_failed(self) -> None:
        spool = self.open(segment_bytes=1)
        spool.append([draft(1)])
        (self.directory / "000000000002.segment").touch()
        for _ in range(2):
            with self.assertRaises(FileExistsError):
                spool.append([draft(2)])
        (self.directory / "000000000003.segment").touch()
        with self.assertRaises(FileExistsError):
            spool.append([draft(3)])
        spool.close()


class Restarts(GatewayTest):
    def setUp(self) -> None:
        super().setUp()
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)

    def killed(self) -> SpoolOptions:
        """What a process that is killed at this moment leaves."""
        copy = Path(tempfile.mkdtemp(dir=self.home)) / "spool"
        shutil.copytree(self.home / "spool", copy, ignore=shutil.ignore_patterns("owner"))
        return SpoolOptions(copy)

    def test_fixes_are_on_the_disk_when_send_ends(self) -> None:
        away = self.gateway(lambda *_: problem(500, "internal"))
        client = away.open(spool=SpoolOptions(self.home / "spool"))
        client.send_locations("d1", [fix(1), fix(2)])
        client.send_locations("d2", [fix(3)])
        left = self.killed()
        client.close()
        gateway = self.gateway()
        with gateway.open(spool=left) as again:
            again.flush()
        self.assertEqual(gateway.timestamps_of("d1"), [1, 2])
        self.assertEqual(gateway.timestamps_of("d2"), [3])

    def test_a_kill_before_the_answer_sends_the_same_bytes_again(self) -> None:
        left: list[SpoolOptions] = []

        def answer(_: Call, __: int) -> Answer:
            left.append(self.killed())
            return accepted()

        first = self.gateway(answer)
        with first.open(spool=SpoolOptions(self.home / "spool")) as client:
            client.send_locations("d1", [fix(1), fix(2)])
            client.flush()
        second = self.gateway()
        with second.open(spool=left[0]) as again:
            again.flush()
        self.assertEqual([call.text for call in second.calls], [call.text for call in first.calls])
        third = self.gateway()
        with third.open(spool=SpoolOptions(self.home / "spool")) as again:
            again.flush()
        self.assertEqual(third.calls, [])

    def test_a_refused_batch_is_kept_until_on_refused_has_returned(self) -> None:
        left: list[SpoolOptions] = []
        first = self.gateway(lambda *_: problem(400, "no"))
        spool = SpoolOptions(self.home / "spool")
        with first.open(spool=spool, on_refused=lambda _: left.append(self.killed())) as client:
            client.send_locations("d1", [fix(1)])
            client.flush()
        second = self.gateway(lambda *_: problem(400, "no"))
        with second.open(spool=left[0]) as again:
            again.flush()
        self.assertEqual(len(second.refused), 1)

    def test_what_waits_for_others_is_written_when_the_client_is_closed(self) -> None:
        away = self.gateway(lambda *_: problem(500, "internal"))
        spool = SpoolOptions(self.home / "spool")
        client = away.open(spool=spool, linger_seconds=3600)
        future = client.submit_locations("d1", [fix(1)])
        client.close()
        future.result()
        gateway = self.gateway()
        with gateway.open(spool=spool) as again:
            again.flush()
        self.assertEqual(gateway.timestamps_of("d1"), [1])
