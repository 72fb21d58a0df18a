#!/usr/bin/env python3
"""Appends fixes as blobs to SQLite from Python: WAL, synchronous=FULL, one transaction a batch.

    append_sqlite.py FILE BATCH BATCHES
"""

import sqlite3
import struct
import sys
import time

FIRST_FIX_AT = 1_420_070_400_000


def blob(index):
    """What an entry says of a fix, as the other rivals write it."""
    step = index % 100_000
    occurred_at = (FIRST_FIX_AT + 1000 * (index + 1)).to_bytes(6, "little")
    return (
        b"\x2c\x10\x10\x01\x00\x00" + occurred_at + occurred_at + bytes(8)
        + struct.pack("<ii", 519_000_000 + 1100 * step, 44_000_000 + 1300 * step)
        + (index % 500).to_bytes(3, "little")
        + struct.pack("<HHHB", 30 + index % 90, 1000 + index % 1500, index * 7 % 36_000, 1))


def main(path, batch, batches):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, entry BLOB NOT NULL)")
    blobs = [(blob(index),) for index in range(batch * batches)]
    start = time.perf_counter()
    for number in range(batches):
        database.execute("BEGIN IMMEDIATE")
        database.executemany(
            "INSERT INTO events (entry) VALUES (?)", blobs[number * batch:(number + 1) * batch])
        database.execute("COMMIT")
    print(f"{time.perf_counter() - start:.6f}")


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
