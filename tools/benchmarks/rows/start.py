"""Whole processes that do little: what it takes to start, and to append one event."""

import shutil
import statistics

from measuring import peak_bytes, run
from table import Row

RUNS_IN_A_ROW = 10
EVENT = (
    '{"type":"fix_recorded","source":"phone","occurred_at":"2015-01-01T%02d:%02d:00Z",'
    '"lat":51.9,"lon":4.4,"accuracy":5}\n')


class Starts:
    """The commands that are compared, each run ten times in a row."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.directory = workshop.new_directory()
        self.book = workshop.empty_book()
        self.appended = 0
        self.append_event(10)
        self.database = self.directory / "rival.db"
        if self.has_sqlite:
            run(["sqlite3", self.database,
                 "PRAGMA journal_mode=WAL; CREATE TABLE events (position INTEGER PRIMARY KEY,"
                 " source TEXT, occurred_at INTEGER, lat REAL, lon REAL, accuracy REAL)"])

    @property
    def has_sqlite(self):
        return shutil.which("sqlite3") is not None

    def append_event(self, runs=RUNS_IN_A_ROW):
        """Appends one event a run, each another one."""
        files = self.directory / f"{self.appended}"
        files.mkdir()
        for number in range(runs):
            hour, minute = divmod(self.appended + number, 60)
            (files / f"{number}.jsonl").write_text(EVENT % (hour, minute))
        self.appended += runs
        return self.workshop.launcher.costs(
            [self.workshop.ledger, "--ledger", self.book, "append"], runs=runs,
            stdin=f"{files}/%d.jsonl")

    def show_version(self):
        return self.workshop.launcher.costs(
            [self.workshop.ledger, "--version"], runs=RUNS_IN_A_ROW)

    def insert(self):
        return self.workshop.launcher.costs(
            ["sqlite3", self.database,
             "PRAGMA synchronous=FULL; INSERT INTO events (source, occurred_at, lat, lon, accuracy)"
             " VALUES ('phone', 1420070400000 + %d, 51.9, 4.4, 5)"], runs=RUNS_IN_A_ROW)


def measure(workshop, table):
    starts = Starts(workshop)
    costs = {"version": [], "append": [], "sqlite": []}
    for _ in range(5 if workshop.is_quick else 10):
        costs["version"] += starts.show_version()
        costs["append"] += starts.append_event()
        if starts.has_sqlite:
            costs["sqlite"] += starts.insert()
    median = {
        name: statistics.median(cost.seconds for cost in of_name) * 1e3
        for name, of_name in costs.items() if of_name
    }
    table.add(Row(
        "start-version", "start-up: --version", f"{median['version']:.2f} ms", "–",
        median["version"], " ms"))
    table.add(Row(
        "start-append", "start-up: one durable append", f"{median['append']:.2f} ms", "–",
        median["append"], " ms"))
    if "sqlite" in median:
        table.add(Row(
            "start-append-sqlite", "start-up: one durable append", f"{median['append']:.2f} ms",
            f"sqlite3 command line, one insert: {median['sqlite']:.2f} ms",
            median["append"] / median["sqlite"]))
    else:
        table.skip("sqlite3 command line", "it is not installed; tools/benchmarks/setup does it")
    peak = peak_bytes(costs["append"])
    table.add(Row(
        "memory-one-append", "peak memory, one append", f"{peak / 1e6:.1f} MB", "–", peak / 1e6,
        " MB"))
