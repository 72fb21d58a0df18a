"""From JSON lines to a durable log, tree included; what it takes on disk and in memory."""

import os
import shutil

from measuring import in_turns, median_seconds, peak_bytes
from table import Row
from workshop import EVENTS_PER_DRIVE, FIXES_PER_DRIVE


def append_once(workshop, lines, is_piped=False):
    """Appends a file to a new ledger; returns what it cost and the bytes of the log."""
    book = workshop.empty_book()
    append = [workshop.ledger, "--ledger", book, "append"]
    if is_piped:
        cost = workshop.launcher.cost(
            ["sh", "-c", 'lines=$1; shift; cat "$lines" | "$@"', "sh", lines, *append])
    else:
        cost = workshop.launcher.cost(append, stdin=lines)
    size = os.stat(book / "log" / "data.mdb").st_size
    shutil.rmtree(book.parent)
    return cost, size


def python_once(workshop, lines):
    directory = workshop.new_directory()
    cost = workshop.launcher.cost(
        [*workshop.python_rival("json_sqlite"), directory / "rival.db"], stdin=lines)
    shutil.rmtree(directory)
    return cost


def measure(workshop, table):
    drives = 80 if workshop.is_quick else 800
    lines, events = workshop.lines(drives), drives * EVENTS_PER_DRIVE
    results = in_turns(workshop.rounds, {
        "file": lambda: append_once(workshop, lines),
        "pipe": lambda: append_once(workshop, lines, is_piped=True),
        "python": lambda: python_once(workshop, lines),
    })
    costs = {
        "file": [cost for cost, _ in results["file"]],
        "pipe": [cost for cost, _ in results["pipe"]],
        "python": results["python"],
    }
    rates = {name: events / median_seconds(of_name) for name, of_name in costs.items()}
    what = f"{events:,} JSON lines to a durable log"
    table.add(Row(
        "lines-python", f"{what}, from a file", f"{rates['file']:,.0f} events/s",
        f"Python json + SQLite: {rates['python']:,.0f}", rates["file"] / rates["python"]))
    if not workshop.is_quick:
        table.add(Row(
            "lines-file", f"{what}, from a file", f"{rates['file']:,.0f} events/s", "–",
            rates["file"] / 1e6, " M/s"))
        table.add(Row(
            "lines-pipe", f"{what}, from a pipe", f"{rates['pipe']:,.0f} events/s", "–",
            rates["pipe"] / 1e6, " M/s"))
    size = results["file"][0][1]
    table.add(Row(
        "disk-bytes", f"disk, {drives * FIXES_PER_DRIVE:,} fixes", f"{size:,} bytes", "–",
        size / (drives * FIXES_PER_DRIVE), " bytes/fix"))
    peak = peak_bytes(costs["file"])
    table.add(Row(
        "memory-append-lines", f"peak memory, {events:,} lines", f"{peak / 1e6:.1f} MB", "–",
        peak / 1e6, " MB"))
