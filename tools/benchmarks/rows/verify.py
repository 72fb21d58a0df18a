"""`ledger verify` beside a C program that checks the same blocks and makes the same hashes."""

from measuring import expect, in_turns, median_seconds, peak_bytes, run
from table import Row
from workshop import EVENTS_PER_DRIVE


def measure(workshop, table):
    book = workshop.large_book
    program = workshop.rival("verify_log")
    root = run([program, book / "log"]).split()[1]
    expect(root in run([workshop.ledger, "verify", book]), "both find the same root")
    rounds = min(workshop.rounds, 3)
    costs = in_turns(rounds, {
        "ledger": lambda: workshop.launcher.cost([workshop.ledger, "verify", book]),
        "c": lambda: workshop.launcher.cost([program, book / "log"]),
    })
    seconds = {name: median_seconds(of_name) for name, of_name in costs.items()}
    what = f"verify of {workshop.drives * EVENTS_PER_DRIVE:,} entries, indexes and views too"
    table.add(Row(
        "verify-c", what, f"{seconds['ledger']:.2f} s",
        f"C + OpenSSL, the log alone: {seconds['c']:.2f} s", seconds["c"] / seconds["ledger"]))
    peak = peak_bytes(costs["ledger"])
    table.add(Row(
        "memory-verify", "peak memory, verify", f"{peak / 1e6:.1f} MB", "–", peak / 1e6, " MB"))
