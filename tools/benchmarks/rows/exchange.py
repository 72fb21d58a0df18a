"""`ledger log`, `export` and `verify` of an export: what reads or writes every entry as a line."""

import json
import shutil
import statistics

from measuring import in_turns, median_seconds, peak_bytes, run
from table import Row
from workshop import EVENTS_PER_DRIVE

# 2.4 million entries.
DRIVES, QUICK_DRIVES = 1_924, 192


def measure(workshop, table):
    drives = QUICK_DRIVES if workshop.is_quick else DRIVES
    book = workshop.book_of(workshop.lines(drives))
    directory = workshop.new_directory()
    export = directory / "export"

    def ledger(*arguments):
        return workshop.launcher.cost([workshop.ledger, "--ledger", book, *arguments])

    def export_anew():
        shutil.rmtree(export, ignore_errors=True)
        return ledger("export", export)

    export_anew()
    head = json.loads(run([workshop.ledger, "--ledger", book, "head", "--format", "json"]))
    known = f"{head['size']}:{head['root']}"
    run([workshop.ledger, "verify", export, known])
    commands = {
        "log": lambda: ledger("log"),
        "log-json": lambda: ledger("log", "--format", "json"),
        "log-csv": lambda: ledger("log", "--format", "csv"),
        "export-lines": lambda: ledger("export", "-"),
        "export": export_anew,
        "verify-export": lambda: workshop.launcher.cost([workshop.ledger, "verify", export, known]),
    }
    costs = in_turns(min(workshop.rounds, 3), commands)
    entries = drives * EVENTS_PER_DRIVE
    names = {
        "log": "log, text", "log-json": "log, JSON", "log-csv": "log, CSV",
        "export-lines": "export -", "export": "export DIR", "verify-export": "verify EXPORT",
    }
    for name, of_name in costs.items():
        seconds = median_seconds(of_name)
        # Processor time, which a busy machine does not stretch.
        processor = statistics.median(cost.processor_seconds for cost in of_name)
        table.add(Row(
            name, f"{names[name]}, {entries:,} entries", f"{seconds:.2f} s",
            f"its processor time: {processor:.2f} s", entries / seconds / 1e6, " M/s"))
    peak = max(map(peak_bytes, costs.values()))
    table.add(Row(
        "memory-exchange", "peak memory, log, export and verify EXPORT", f"{peak / 1e6:.1f} MB",
        "–", peak / 1e6, " MB"))
    shutil.rmtree(book.parent)
    shutil.rmtree(directory)
