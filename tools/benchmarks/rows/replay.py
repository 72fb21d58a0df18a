"""Replay into all four views: whole process, beside the same fold in C, and from a cold disk.

The fold in C also says whether the ledger is right: each trip has to have the same millimetres.
"""

import json
import os
import shutil
import subprocess
from datetime import datetime, timezone
from decimal import Decimal

from measuring import expect, in_turns, median_seconds, peak_bytes, run
from table import Row
from workshop import EVENTS_PER_DRIVE, FIXES_PER_DRIVE, Missing

VERDICTS = (
    "accepted", "jitter", "poor_accuracy", "stale", "impossible_speed", "spike", "after_gap",
    "null_coordinate", "mock")


def rebuild(workshop, book):
    return workshop.launcher.cost([workshop.ledger, "--ledger", book, "project", "--rebuild"])


def fold_in_c(workshop, program, source):
    views = workshop.new_directory()
    cost = workshop.launcher.cost([program, source, views])
    shutil.rmtree(views)
    return cost


def milliseconds(time):
    moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86_400 + since.seconds) * 1_000 + since.microseconds // 1_000


def thousandths(number):
    return int(number * 1_000)


def ledger_trips(workshop, book):
    """Returns the ledger's trips as the program in C prints them."""
    output = run([workshop.ledger, "--ledger", book, "trips", "--format", "json"])
    for line in output.splitlines():
        trip = json.loads(line, parse_float=Decimal)
        yield " ".join(map(str, [
            trip["id"], int(trip["start"] is not None), milliseconds(trip["started_at"]),
            milliseconds(trip["ended_at"]), thousandths(trip["distance_m"]),
            thousandths(trip["gaps"]["meters"]), thousandths(trip["moving_s"]),
            *(trip["fixes"][verdict] for verdict in VERDICTS)]))


def ledger_total(workshop, book):
    output = run([workshop.ledger, "--ledger", book, "totals", "--by", "year", "--format", "json"])
    groups = [json.loads(line, parse_float=Decimal) for line in output.splitlines()]
    return sum(
        thousandths(group["measured_distance_m"]) for group in groups if group["kind"] == "group")


def compare_with_fold(workshop, book, program):
    """Expects the ledger's trips to be those that the program in C makes of the same log."""
    views = workshop.new_directory()
    *trips, summary = run([program, book / "log", views, "--trips"]).decode().splitlines()
    shutil.rmtree(views)
    ours = sorted(ledger_trips(workshop, book))
    expect(sorted(trips) == ours, "every trip is as the fold in C has it")
    expect(int(summary.split()[4]) == ledger_total(workshop, book),
           "`ledger totals` says as many millimetres as the fold in C")
    print(f"{len(trips):,} trips are as the fold in C has them: {summary}", flush=True)


def measure_warm(workshop, table):
    book = workshop.large_book
    fold = workshop.rival("fold_log")
    runs = {
        "ledger": lambda: rebuild(workshop, book),
        "fold": lambda: fold_in_c(workshop, fold, book / "log"),
    }
    try:
        fold_sqlite = workshop.rival("fold_sqlite")
        database = workshop.new_directory() / "events.db"
        run([fold_sqlite, "--copy", book / "log", database])
        runs["sqlite"] = lambda: fold_in_c(workshop, fold_sqlite, database)
    except Missing as missing:
        table.skip("replay from SQLite", missing)
    for once in runs.values():
        once()
    costs = in_turns(workshop.rounds, runs)
    if "sqlite" in runs:
        shutil.rmtree(database.parent)
    compare_with_fold(workshop, book, fold)
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    fixes = workshop.drives * FIXES_PER_DRIVE
    what = f"replay of {fixes:,} fixes into all views, warm"
    ours = f"{seconds['ledger']:.3f} s"
    table.add(Row(
        "replay-c", what, ours, f"the same fold in C: {seconds['fold']:.3f} s",
        seconds["ledger"] / seconds["fold"]))
    if not workshop.is_quick:
        table.add(Row("replay-seconds", what, ours, "–", seconds["ledger"], " s"))
    if "sqlite" in seconds:
        table.add(Row(
            "replay-sqlite", what, ours, f"SQLite blob, the fold in C: {seconds['sqlite']:.3f} s",
            seconds["sqlite"] / seconds["ledger"]))
    peak = peak_bytes(costs["ledger"])
    table.add(Row(
        "memory-replay", f"peak memory, replay of {fixes:,} fixes", f"{peak / 1e6:.1f} MB",
        f"the fold in C: {peak_bytes(costs['fold']) / 1e6:.1f} MB", peak / 1e6, " MB"))
    if not workshop.is_quick:
        measure_small_memory(workshop, table)
    return seconds["ledger"]


def measure_small_memory(workshop, table):
    """The same at a tenth of the size: memory must not grow with the log."""
    drives = workshop.drives // 10
    book = workshop.book_of(workshop.lines(drives))
    peak = rebuild(workshop, book).peak_bytes
    shutil.rmtree(book.parent)
    table.add(Row(
        "memory-replay-small", f"peak memory, replay of {drives * FIXES_PER_DRIVE:,} fixes",
        f"{peak / 1e6:.1f} MB", "–", peak / 1e6, " MB"))


def evict(path):
    """Has the system forget a file's pages; returns the bytes that it still remembers."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if not shutil.which("fincore"):
        raise Missing("without fincore nobody can tell whether the disk is cold")
    return int(run(["fincore", "--bytes", "--noheadings", "--output", "RES", path]).split()[0])


def measure_cold(workshop, table, warm_seconds):
    book = workshop.large_book
    data = book / "log" / "data.mdb"

    def cold(command):
        rest = evict(data)
        if rest > os.stat(data).st_size / 100:
            raise Missing(f"the system keeps {rest:,} bytes of the log in memory")
        return workshop.launcher.cost(command)

    try:
        costs = in_turns(workshop.rounds, {
            "ledger": lambda: cold(
                [workshop.ledger, "--ledger", book, "project", "--rebuild"]),
            "read": lambda: cold(["dd", f"if={data}", "of=/dev/null", "bs=1M", "status=none"]),
        })
    except Missing as missing:
        table.skip("cold replay", missing)
        return
    seconds, read = median_seconds(costs["ledger"]), median_seconds(costs["read"])
    table.add(Row(
        "replay-cold", "replay, cold", f"{seconds:.3f} s",
        f"dd of the log {read:.3f} s + warm replay {warm_seconds:.3f} s",
        seconds / (read + warm_seconds)))
    # The system now has the log in large folios, which come whole when a page is touched.
    peak = peak_bytes(costs["ledger"])
    table.add(Row(
        "memory-replay-cold", "peak memory, cold replay", f"{peak / 1e6:.1f} MB", "–", peak / 1e6,
        " MB"))


def new_events(workshop, round_number):
    """A drive of 1,000 fixes, each time a month later than the last."""
    lines = workshop.directory / "thousand.jsonl"
    if not lines.exists():
        with open(lines, "wb") as output:
            subprocess.run(
                [workshop.ledger, "simulate", "bulk", "--drives", "1", "--fixes", "998",
                 "--seed", "7"], check=True, stdout=output)
    return workshop.later_lines(lines, 2016 + round_number // 12, round_number % 12 + 1)


def measure_incremental(workshop, table):
    book = workshop.large_book
    costs = []
    for round_number in range(workshop.rounds + 2):
        with open(new_events(workshop, round_number), "rb") as lines:
            run([workshop.ledger, "--ledger", book, "append"], stdin=lines)
        costs.append(workshop.launcher.cost([workshop.ledger, "--ledger", book, "project"]))
    # The first one finds nothing of it in memory.
    seconds = median_seconds(costs[1:])
    events = workshop.drives * EVENTS_PER_DRIVE
    table.add(Row(
        "project-thousand", f"project after 1,000 new events in a log of {events:,}",
        f"{seconds * 1e3:.1f} ms", "–", seconds * 1e3, " ms"))


def measure(workshop, table):
    warm_seconds = measure_warm(workshop, table)
    if not workshop.is_quick:
        measure_cold(workshop, table, warm_seconds)
    measure_incremental(workshop, table)
