"""`ledger compact`: what real fixes take on disk after it, and how fast its blocks are read."""

import json
import os
import shutil
import subprocess

from measuring import expect, in_turns, median_seconds, run
from table import Row
from workshop import SHARED


def is_there(workshop):
    result = subprocess.run(
        [workshop.ledger, "compact", "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # A program without it shows the help of all commands.
    return result.returncode == 0 and b"USAGE: ledger compact" in result.stdout


def log_bytes(book):
    return os.stat(book / "log" / "data.mdb").st_size


def head(workshop, book):
    return run([workshop.ledger, "--ledger", book, "head", "--format", "json"])


def compact(workshop, book):
    """Compacts a ledger, which must not change what commits to its entries."""
    before = head(workshop, book)
    run([workshop.ledger, "--ledger", book, "compact"])
    expect(head(workshop, book) == before, "the head is the same after compact")


def book_of_traces(workshop):
    """Returns a ledger of all real drives, and how many fixes they have."""
    book, fixes = workshop.empty_book(), 0
    for trace in sorted((SHARED / "traces").glob("*.jsonl")):
        with open(trace, "rb") as lines:
            output = subprocess.run(
                [workshop.ledger, "--ledger", book, "append", "--receipts"], stdin=lines,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        with open(trace, "rb") as lines:
            is_fix = [b'"fix_recorded"' in line for line in lines]
        *receipts, _ = map(json.loads, output.splitlines())
        fixes += sum(
            receipt["receipt"] == "appended" and is_fix[receipt["line"] - 1]
            for receipt in receipts)
    return book, fixes


def measure_size(workshop, table):
    if not (SHARED / "traces").is_dir():
        table.skip("compact, real fixes", "there is no shared data (LEDGER_SHARED_DATA)")
        return
    book, fixes = book_of_traces(workshop)
    plain = log_bytes(book)
    compact(workshop, book)
    expect(b"SOUND" in run([workshop.ledger, "verify", book]), "a compacted ledger verifies")
    size = log_bytes(book)
    table.add(Row(
        "compact-bytes", f"disk, {fixes:,} real fixes, compacted", f"{size:,} bytes",
        f"before: {plain / fixes:.2f} bytes/fix", size / fixes, " bytes/fix"))
    shutil.rmtree(book.parent)


def measure_speed(workshop, table):
    plain = workshop.book_of(workshop.lines(80 if workshop.is_quick else 800))
    compacted = workshop.new_directory() / "book"
    shutil.copytree(plain, compacted)
    compact(workshop, compacted)

    def replay(book):
        return workshop.launcher.cost(
            [workshop.ledger, "--ledger", book, "project", "--rebuild"])

    costs = in_turns(
        workshop.rounds, {"plain": lambda: replay(plain), "compact": lambda: replay(compacted)})
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    table.add(Row(
        "compact-replay", "replay of a compacted log", f"{seconds['compact']:.3f} s",
        f"not compacted: {seconds['plain']:.3f} s", seconds["plain"] / seconds["compact"]))
    for book in (plain, compacted):
        shutil.rmtree(book.parent)


def measure(workshop, table):
    if not is_there(workshop):
        table.skip("compact", "this program has no `compact`")
        return
    measure_size(workshop, table)
    measure_speed(workshop, table)
