#!/usr/bin/env python3
"""Appends fixes as events with Python's `eventsourcing` and SQLite: one save a batch.

    append_eventsourcing.py FILE BATCH BATCHES
"""

import os
import sys
import time

os.environ["PERSISTENCE_MODULE"] = "eventsourcing.sqlite"
os.environ["SQLITE_DBNAME"] = sys.argv[1]

from eventsourcing.application import Application  # noqa: E402: it reads the environment
from eventsourcing.domain import Aggregate, event  # noqa: E402

FIRST_FIX_AT = 1_420_070_400_000


class Drive(Aggregate):
    @event("FixRecorded")
    def record(self, occurred_at, latitude, longitude, altitude, accuracy, speed, course):
        pass


def main(batch, batches):
    application = Application()
    drive = Drive()
    application.save(drive)
    index = 0
    start = time.perf_counter()
    for _ in range(batches):
        for _ in range(batch):
            step = index % 100_000
            drive.record(
                FIRST_FIX_AT + 1000 * (index + 1), 519_000_000 + 1100 * step,
                44_000_000 + 1300 * step, index % 500, 30 + index % 90, 1000 + index % 1500,
                index * 7 % 36_000)
            index += 1
        application.save(drive)
    print(f"{time.perf_counter() - start:.6f}")


main(int(sys.argv[2]), int(sys.argv[3]))
