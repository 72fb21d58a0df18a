"""Events that arrive otherwise than one phone sends them: late, or from a thousand sources."""

import shutil

from measuring import expect, in_turns, median_seconds, run
from rows.replay import ledger_total
from table import Row
from workshop import EVENTS_PER_DRIVE

SOURCES = 1_000


def append_and_project(workshop, first, second):
    """Appends and projects `first`; returns what the same costs with `second`, and the total."""
    book = workshop.book_of(first)
    run([workshop.ledger, "--ledger", book, "project"])
    append = workshop.launcher.cost([workshop.ledger, "--ledger", book, "append"], stdin=second)
    project = workshop.launcher.cost([workshop.ledger, "--ledger", book, "project"])
    total = ledger_total(workshop, book)
    shutil.rmtree(book.parent)
    return append.seconds + project.seconds, append.seconds, project.seconds, total


def middle(results):
    """Returns the result in the middle, by its first part."""
    return sorted(results)[len(results) // 2]


def measure_late(workshop, table, drives):
    older = workshop.lines(drives)
    newer = workshop.later_lines(older, 2016)
    results = in_turns(min(workshop.rounds, 3), {
        "late": lambda: append_and_project(workshop, newer, older),
        "in order": lambda: append_and_project(workshop, older, newer),
    })
    late, in_order = middle(results["late"]), middle(results["in order"])
    expect(late[3] == in_order[3], "late events give the same total")
    table.add(Row(
        "late", f"{drives * EVENTS_PER_DRIVE:,} events older than as many others: append + project",
        f"{late[0]:.2f} s ({late[1]:.2f} + {late[2]:.2f})",
        f"in order: {in_order[0]:.2f} s ({in_order[1]:.2f} + {in_order[2]:.2f})",
        late[0] / in_order[0]))


def measure_sources(workshop, table, drives):
    lines = workshop.lines(drives)
    interleaved = workshop.rewritten(
        lines, "interleaved.jsonl",
        lambda number, line: line.replace(
            b'"simulated-phone"', b'"phone-%03d"' % (number % SOURCES)))

    def append(file):
        book = workshop.empty_book()
        cost = workshop.launcher.cost([workshop.ledger, "--ledger", book, "append"], stdin=file)
        shutil.rmtree(book.parent)
        return cost

    costs = in_turns(
        workshop.rounds, {"one": lambda: append(lines), "many": lambda: append(interleaved)})
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    events = drives * EVENTS_PER_DRIVE
    table.add(Row(
        "sources", f"{SOURCES:,} sources interleaved, JSON lines",
        f"{events / seconds['many']:,.0f} events/s",
        f"one source: {events / seconds['one']:,.0f}", seconds["one"] / seconds["many"]))


def measure(workshop, table):
    drives = 80 if workshop.is_quick else 800
    measure_late(workshop, table, drives)
    measure_sources(workshop, table, drives)
