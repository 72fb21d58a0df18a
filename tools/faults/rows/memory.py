"""Too little memory."""

import contextlib
import os
import time
from pathlib import Path

from ledgers import Book, Skipped, Wrong, expect_sound, expect_stored, has, receipts
from row import Case, Row

GROUPS = [Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")]
LIMIT_FILES = ["memory.limit_in_bytes", "memory.max"]
LARGE_BYTES = 100_000_000
LARGE_LIMIT = 48 << 20
EVENTS_PER_DRIVE = 3600


@contextlib.contextmanager
def limited(byte_count):
    """Makes a control group with so much memory; returns the arguments that run in it."""
    for group in GROUPS:
        place = group / f"ledger-faults-{os.getpid()}-{time.monotonic_ns()}"
        try:
            place.mkdir()
        except OSError:
            continue
        try:
            for name in LIMIT_FILES:
                if (place / name).exists():
                    (place / name).write_text(str(byte_count))
                    yield ["sh", "-c", f'echo $$ > {place}/cgroup.procs; exec "$@"', "sh"]
                    return
        except PermissionError:
            pass
        finally:
            for _ in range(50):
                with contextlib.suppress(OSError):
                    place.rmdir()
                    break
                time.sleep(0.1)
    raise Skipped("no control group for memory can be made here")


class Memory(Row):
    name = "memory"
    fault = "little memory: prlimit on data, and a control group"
    oracle = "a word or a crash, and then all is there by replay; 100 MB work in 48 MB"
    jobs = 1

    def cases(self, bench, chance):
        has("prlimit")
        limits = 1 if bench.is_quick else 40
        found = [Case(f"data limit {number}", lambda directory, chance: self.starve(
            Book(bench.ledger, directory), chance)) for number in range(limits)]
        found.append(Case("a ledger in 48 MB", lambda directory, chance: self.large(
            Book(bench.ledger, directory), *((1_000_000, 5) if bench.is_quick
                                             else (LARGE_BYTES, 50)))))
        return found

    @staticmethod
    def starve(book, chance):
        """Runs commands with less and less data memory, until even the start fails."""
        book.must("init")
        lines = book.simulate("phone", 1, drives=4, fixes=500)
        book.append(lines[:500])
        before, acknowledged, crashes, counts = book.entries(), {}, 0, {}
        for kilobytes in sorted((chance.randrange(200, 12_000) for _ in range(6)), reverse=True):
            limit = ["prlimit", f"--data={kilobytes * 1024}"]
            run = book.run("append", "--receipts", data=b"\n".join(lines) + b"\n", wrapped=limit)
            acknowledged |= receipts(run.output)
            others = [book.run(*arguments, wrapped=limit)
                      for arguments in [["project", "--rebuild"], ["trips"], ["verify"]]]
            for other in [run, *others]:
                crashes += other.code < 0 or other.code > 128
                if other.code == 0:
                    counts["done"] = counts.get("done", 0) + 1
        book.append(lines)
        entries = expect_sound(book, before)
        expect_stored(entries, lines, acknowledged)
        return counts | {"crashed": crashes}

    @staticmethod
    def large(book, byte_count, drives):
        """Does everything with a ledger of so many bytes, made some drives at a time, in 48 MB."""
        book.must("init")
        with limited(LARGE_LIMIT) as wrapped:
            number = 0
            while book.data_file.stat().st_size < byte_count:
                number += 1
                # The events go from program to program, not through this one.
                run = book.program.run(
                    book.directory, "simulate", "bulk", "--drives", drives, "--fixes",
                    EVENTS_PER_DRIVE, "--seed", number, "--source", f"phone-{number}",
                    wrapped=["sh", "-c", '"$@" > drives.jsonl', "sh"])
                book.must("append", "drives.jsonl", wrapped=wrapped)
            (book.directory / "drives.jsonl").unlink()
            for arguments in [["project"], ["trips"], ["verify"], ["project", "--check"],
                              ["project", "--rebuild"], ["go"], ["backup", "a.backup"],
                              ["export", "an-export"], ["totals"]]:
                run = book.run(*arguments, wrapped=wrapped)
                if run.code != 0:
                    raise Wrong(f"with {LARGE_LIMIT >> 20} MB of memory, {run}")
        return {"MB in 48 MB": book.data_file.stat().st_size // 1_000_000}

    def controls(self, bench, chance):
        def too_little(directory, chance):
            book = Book(bench.ledger, directory)
            book.must("init")
            with limited(1 << 18) as wrapped:
                book.must("append", data=b"\n".join(book.simulate("phone", 1)), wrapped=wrapped)
        return [Case("control: a quarter of a MB is too little", too_little)]
