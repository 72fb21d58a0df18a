"""Clocks that jump: the ledger's own, and those of devices."""

import json
import re
import time

import preloading
from ledgers import Book, Wrong, expect_sound
from row import Case, Row

RECORDED = re.compile(rb'"recorded_at":"([^"]+)"')
DAY = 86_400


def expect_ascending(entries):
    """Expects that `recorded_at` never decreases; the form of the times sorts as they do."""
    times = [RECORDED.search(entry)[1] for entry in entries]
    for position, (earlier, later) in enumerate(zip(times, times[1:])):
        if later < earlier:
            raise Wrong(f"recorded_at goes back at position {position + 1}: {later.decode()} "
                        f"after {earlier.decode()}")


def press(number, at):
    return json.dumps({"type": "go_pressed", "source": "phone", "id": f"press {number}",
                       "occurred_at": int(at * 1000)}).encode()


class Clock(Row):
    name = "clock"
    fault = "the clock jumps back and far ahead; devices are days ahead"
    oracle = "recorded_at never decreases; what is more than a day ahead is rejected"

    def prepare(self, bench):
        bench.preloadable()
        self.library = preloading.build(bench.directory)

    def cases(self, bench, chance):
        jumps = 1 if bench.is_quick else 8
        return [Case(f"jumps {number}", lambda directory, chance: self.jump(
            Book(bench.dynamic, directory), chance)) for number in range(jumps)] + [
            Case("devices ahead", lambda directory, chance: self.ahead(
                Book(bench.dynamic, directory)))]

    def jump(self, book, chance):
        shifted = [preloading.variables(self.library, seconds=seconds)
                   for seconds in [0, 30 * DAY, -30 * DAY, 3650 * DAY, -3650 * DAY, 3600, -3600]]
        book.must("init", variables=shifted[0])
        for number in range(12):
            book.must("append", data=press(number, 1_400_000_000 + number) + b"\n",
                      variables=chance.choice(shifted))
        for variables in shifted:
            for arguments in [["status"], ["trips"], ["verify"], ["project", "--check"]]:
                book.must(*arguments, variables=variables)
        expect_ascending(book.entries())
        entries = expect_sound(book)
        expect_ascending(book.entries())
        return {"appended at jumping times": len(entries) - 2}

    def ahead(self, book):
        book.must("init")
        now = time.time()
        counts = {}
        for hours, is_accepted in [(23, True), (25, False), (24 * 365, False), (24 * 36500, False)]:
            run = book.run("append", "--receipts", data=press(hours, now + hours * 3600) + b"\n")
            if is_accepted != (run.code == 0) or run.code not in (0, 1):
                raise Wrong(f"a device {hours} hours ahead: {run}")
            if not is_accepted and b'"receipt":"rejected"' not in run.output:
                raise Wrong(f"a device {hours} hours ahead is not rejected: {run}")
            counts["rejected" if run.code else "accepted"] = 1
        if len(book.entries()) != 3:
            raise Wrong("what was rejected is in the log")
        expect_sound(book)
        return {"devices ahead": 4}

    def controls(self, bench, chance):
        def reversed_times(directory, chance):
            book = Book(bench.dynamic, directory)
            book.must("init")
            time.sleep(0.01)
            book.must("append", data=press(1, 1_400_000_000) + b"\n")
            expect_ascending(book.entries()[::-1])
        return [Case("control: a log backwards", reversed_times)]
