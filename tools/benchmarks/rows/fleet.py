"""One ledger with the sources of a fleet: interleaved, sent again, and late (three bars); and a worker."""

import itertools
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from measuring import expect, in_turns, peak_bytes, run
from table import Row
from workshop import EVENTS_PER_DRIVE

EVENTS_PER_SOURCE = 300
FEW = 100
SENT_AGAIN = 20_000
SHARDS = 8
LINES_PER_TURN = 20


def interleaved(workshop, sources):
    """Returns a file in which sources report the events of one drive in turn."""
    path = workshop.directory / f"interleaved-{sources}.jsonl"
    with open(workshop.lines(1), "rb") as drive, open(path, "wb") as output:
        for line in itertools.islice(drive, EVENTS_PER_SOURCE):
            before, after = line.split(b'"simulated-phone"')
            output.writelines(
                b'%s"phone-%05d"%s' % (before, number, after) for number in range(sources))
    return path


def rebuild(workshop, book):
    return workshop.launcher.cost(
        [workshop.ledger, "--ledger", book, "project", "--rebuild"])


def measure_interleaved(workshop, table):
    """F1: what an event costs does not grow with the sources."""
    counts = [FEW, 1_000] if workshop.is_quick else [FEW, 1_000, 5_000]
    books = {}
    for count in counts:
        lines = interleaved(workshop, count)
        books[count] = workshop.book_of(lines)
        lines.unlink()
    costs = in_turns(min(workshop.rounds, 3), {
        count: lambda book=book: rebuild(workshop, book) for count, book in books.items()})
    each = {
        count: min(cost.processor_seconds for cost in of_count) / count / EVENTS_PER_SOURCE * 1e6
        for count, of_count in costs.items()}
    for count in counts[1:]:
        table.add(Row(
            f"sources-project-{count}",
            f"{count:,} sources interleaved, {EVENTS_PER_SOURCE} events each: project",
            f"{each[count]:.2f} µs an event", f"{FEW} sources: {each[FEW]:.2f}",
            each[count] / each[FEW]))
    peak = peak_bytes(costs[counts[-1]]) / 1e6
    table.add(Row(
        "memory-sources", f"peak memory, project of {counts[-1]:,} sources interleaved",
        f"{peak:.1f} MB", "–", peak, " MB"))
    for book in books.values():
        shutil.rmtree(book.parent)


def measure_sent_again(workshop, table):
    """F2: the newest events of 2,000 sources are recognised when they come again."""
    sources = 1_000 if workshop.is_quick else 2_000
    lines = interleaved(workshop, sources)
    book = workshop.book_of(lines)
    again = workshop.directory / "again.jsonl"
    with open(again, "wb") as output:
        subprocess.run(["tail", "-n", str(SENT_AGAIN), lines], check=True, stdout=output)
    size = run([workshop.ledger, "--ledger", book, "head"])
    costs = [
        workshop.launcher.cost([workshop.ledger, "--ledger", book, "append"], stdin=again)
        for _ in range(min(workshop.rounds, 3))]
    expect(run([workshop.ledger, "--ledger", book, "head"]) == size, "repeats are not stored")
    each = min(cost.processor_seconds for cost in costs) / SENT_AGAIN * 1e6
    table.add(Row(
        "sources-again", f"{SENT_AGAIN:,} events of {sources:,} sources sent again, JSON lines",
        f"{each:.2f} µs an event", "–", each, " µs"))
    shutil.rmtree(book.parent)
    lines.unlink()


def book_of_woven(workshop, files):
    """Returns a ledger of files that take turns, some lines at a time."""
    path = workshop.directory / "woven.jsonl"
    with ExitStack() as stack:
        output = stack.enter_context(open(path, "wb"))
        rest = [stack.enter_context(open(file, "rb")) for file in files]
        while rest:
            going_on = []
            for source in rest:
                lines = list(itertools.islice(source, LINES_PER_TURN))
                output.writelines(lines)
                if len(lines) == LINES_PER_TURN:
                    going_on.append(source)
            rest = going_on
    book = workshop.book_of(path)
    path.unlink()
    return book


def measure_late(workshop, table):
    """F3: drivers, many of whom send late, cost no more in one ledger than in eight."""
    drivers, days = (40, 30) if workshop.is_quick else (160, 60)

    def simulate(number):
        path = workshop.directory / f"driver-{number}.jsonl"
        name = f"w{number:04d}"
        with open(path, "wb") as output:
            subprocess.run(
                [workshop.ledger, "simulate", "driver", "--person", name, "--vehicle",
                 f"{name}-car", "--days", str(days)], check=True, stdout=output)
        return path

    with ThreadPoolExecutor(2) as pool:
        files = list(pool.map(simulate, range(1, drivers + 1)))
    whole = book_of_woven(workshop, files)
    shards = [book_of_woven(workshop, files[number::SHARDS]) for number in range(SHARDS)]
    for file in files:
        file.unlink()

    def cost_of(books):
        return sum(rebuild(workshop, book).processor_seconds for book in books)

    costs = in_turns(min(workshop.rounds, 2), {
        "whole": lambda: cost_of([whole]), "shards": lambda: cost_of(shards)})
    ours, rival = min(costs["whole"]), min(costs["shards"])
    table.add(Row(
        "sources-late", f"{drivers} drivers interleaved, many late: project",
        f"{ours:.2f} s of processor", f"in {SHARDS} ledgers: {rival:.2f} s", ours / rival))
    for book in [whole, *shards]:
        shutil.rmtree(book.parent)


def measure_worker(workshop, table):
    """A worker makes the trips of a ledger of which it has nothing but the bytes."""
    drives = 200 if workshop.is_quick else 2_000
    book = workshop.book_of(workshop.lines(drives))
    stream = workshop.directory / "worker.segments"
    with open(stream, "wb") as output:
        subprocess.run([workshop.ledger, "--ledger", book, "export", "--as", "segments", "-"],
                       check=True, stdout=output)
    costs = [
        workshop.launcher.cost(
            [workshop.ledger, "worker", "--as-of", "2027-01-01T00:00:00Z"], stdin=stream)
        for _ in range(min(workshop.rounds, 3))]
    entries = drives * EVENTS_PER_DRIVE
    seconds = min(cost.processor_seconds for cost in costs)
    table.add(Row(
        "worker", f"worker, {entries:,} entries of drives", f"{seconds:.2f} s of processor", "–",
        entries / seconds / 1e6, " M/s"))
    peak = peak_bytes(costs) / 1e6
    table.add(Row("memory-worker", "peak memory, worker", f"{peak:.1f} MB", "–", peak, " MB"))
    stream.unlink()
    shutil.rmtree(book.parent)


def measure(workshop, table):
    measure_worker(workshop, table)
    measure_interleaved(workshop, table)
    measure_sent_again(workshop, table)
    measure_late(workshop, table)
