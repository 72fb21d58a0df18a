#!/usr/bin/env python3
"""What a careful person would write in an afternoon: JSON lines from standard input into SQLite.

Rows go in 10,000 to a transaction, each of which is on disk before the next one begins (WAL,
synchronous=FULL). There is no index but the primary key, no check of the values, no hash and no
recognition of repeated events: all of that would only cost the rival more.
"""

import json
import sqlite3
import sys
from itertools import islice

ROWS_PER_TRANSACTION = 10_000

COLUMNS = (
    "type", "source", "occurred_at", "lat", "lon", "accuracy", "altitude", "speed", "course",
    "provider",
)


def main(path):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute(
        """
        CREATE TABLE events (
            position INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            source TEXT NOT NULL,
            occurred_at TEXT NOT NULL,
            lat REAL, lon REAL, accuracy REAL, altitude REAL, speed REAL, course REAL,
            provider TEXT
        )
        """
    )
    names = ", ".join(COLUMNS)
    marks = ", ".join("?" for _ in COLUMNS)
    insert = f"INSERT INTO events ({names}) VALUES ({marks})"
    events = map(json.loads, sys.stdin.buffer)
    rows = (tuple(map(event.get, COLUMNS)) for event in events)
    count = 0
    while batch := list(islice(rows, ROWS_PER_TRANSACTION)):
        database.execute("BEGIN IMMEDIATE")
        database.executemany(insert, batch)
        database.execute("COMMIT")
        count += len(batch)
    print(count)


main(sys.argv[1])
