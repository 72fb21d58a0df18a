"""Durable append by batch: each batch is safe on disk before the next one begins."""

import shutil
import statistics

from measuring import expect, in_turns, run
from table import Row
from workshop import Missing

# Batches by their size: enough for a tenth of a second and more of each.
BATCHES = {1: 300, 10: 300, 100: 300, 1_000: 100, 10_000: 20}
QUICK_BATCHES = {1: 100, 10: 100, 100: 100, 1_000: 30, 10_000: 6}

FIRST_FIX = (
    b'{"type":"fix_recorded","source":"benchmark","occurred_at":"2015-01-01T00:00:00Z",'
    b'"lat":51.9,"lon":4.4}\n')

RIVALS = {
    "lmdb": "C over LMDB, packed, tree",
    "sqlite": "SQLite FULL, C",
    "rocksdb": "RocksDB, sync",
}


class Appenders:
    """Every program that appends, each as a function of the size and number of batches."""

    def __init__(self, workshop, table):
        self.workshop = workshop
        self.seed = workshop.empty_book()
        run([workshop.ledger, "--ledger", self.seed, "append"], input=FIRST_FIX)
        self.programs = {}
        for name, make in {
            "ledger": self.ledger, "lmdb": self.lmdb, "sqlite": self.sqlite,
            "rocksdb": self.rocksdb,
        }.items():
            if workshop.is_quick and name == "rocksdb":
                continue
            try:
                self.programs[name] = make()
            except Missing as missing:
                if name == "ledger":
                    raise
                table.skip(f"append: {RIVALS[name]}", missing)

    def copied_seed(self):
        book = self.workshop.new_directory() / "book"
        shutil.copytree(self.seed, book)
        return book

    def on_copy(self, command, is_checked=False):
        """Appends to a copy of a ledger that knows the source already."""

        def append(batch, batches):
            book = self.copied_seed()
            seconds = float(run([*command(book), batch, batches]))
            if is_checked:
                verified = run([self.workshop.ledger, "verify", book])
                expect(b"SOUND" in verified, "the ledger verifies what the C program wrote")
            shutil.rmtree(book.parent)
            return seconds

        return append

    def on_new_file(self, command):
        def append(batch, batches):
            directory = self.workshop.new_directory()
            seconds = float(run([*command, directory / "store", batch, batches]))
            shutil.rmtree(directory)
            return seconds

        return append

    def ledger(self):
        program = self.workshop.library_program
        return self.on_copy(lambda book: [program, book])

    def lmdb(self):
        program = self.workshop.rival("append_lmdb")
        return self.on_copy(lambda book: [program, book / "log"], is_checked=True)

    def sqlite(self):
        return self.on_new_file([self.workshop.rival("append_sqlite")])

    def rocksdb(self):
        return self.on_new_file([self.workshop.rival("append_rocksdb")])


def rates_of(appenders, rounds, batch, batches):
    """Returns each program's median rate in events a second."""

    def rate(name):
        return batch * batches / appenders.programs[name](batch, batches)

    results = in_turns(rounds, {name: lambda name=name: rate(name) for name in appenders.programs})
    return {name: statistics.median(rates) for name, rates in results.items()}


def measure(workshop, table):
    appenders = Appenders(workshop, table)
    sizes = QUICK_BATCHES if workshop.is_quick else BATCHES
    for batch, batches in sizes.items():
        rates = rates_of(appenders, workshop.rounds, batch, batches)
        ours = rates.pop("ledger")
        for name, rate in rates.items():
            table.add(Row(
                f"append-{batch}-{name}", f"durable append, {batch:,} a batch",
                f"{ours:,.0f} events/s", f"{RIVALS[name]}: {rate:,.0f}", ours / rate))
