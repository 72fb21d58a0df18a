"""A device that says that it has written what it has not, or something else."""

import json
import shutil

import preloading
from ledgers import Book, Wrong, expect_sound, expect_stored, receipts
from row import Case, Row
from stage import Stage

LINES_PER_COMMIT = 25


def append_in_pieces(book, lines, variables):
    """Appends in one process with many commits; returns how it ended."""
    run = book.run(
        "append", "--receipts", *[f"piece-{number}" for number in range(pieces(lines))],
        variables=variables)
    return run


def pieces(lines):
    return (len(lines) + LINES_PER_COMMIT - 1) // LINES_PER_COMMIT


def write_pieces(directory, lines):
    for number in range(pieces(lines)):
        part = lines[number * LINES_PER_COMMIT:(number + 1) * LINES_PER_COMMIT]
        (directory / f"piece-{number}").write_bytes(b"".join(line + b"\n" for line in part))


def acknowledged(run):
    """Returns the positions that the receipts of all pieces name, by line of all of them."""
    found = {}
    for line in run.output[:run.output.rfind(b"\n") + 1].splitlines():
        answer = json.loads(line)
        if "receipt" in answer:
            number = int(answer["file"].rpartition("-")[2])
            found.update(receipts(line + b"\n", number * LINES_PER_COMMIT))
    return found


def expect_seen(book, before, lines, positions):
    """Expects that `verify` finds what is not as it was acknowledged; returns its exit code."""
    verdict = book.run("verify")
    if verdict.code == 0:
        entries = book.entries()
        if entries[:len(before)] != before:
            raise Wrong("verify exits 0, and old entries are not what they were")
        expect_stored(entries, lines, positions)
        book.must("trips", "--all")
    elif verdict.code not in (1, 2):
        raise Wrong(f"a damaged log, and {verdict}")
    return verdict.code


def expect_explained(book):
    """Expects that `verify` finds nothing, or what LMDB left of a transaction that was broken off.

    It puts a number back, and leaves tables that say more than the present ones. A bit that flips
    in that number does the same to a log, so `verify` names both causes; the next append ends it.
    """
    verdict = book.run("verify")
    if verdict.code != 0 and b"unless an append was broken off" not in verdict.output:
        raise Wrong(f"after a short write, {verdict}")


class LyingDevice(Row):
    name = "lying-device"
    fault = "the Nth write of the log is dropped, has a flipped bit, or is short"
    oracle = "the append, verify or a kept head tells of a loss; a short write loses nothing"

    def prepare(self, bench):
        program = bench.preloadable()
        self.stage = Stage(program, bench.directory / self.name, bench.seed % 1000)
        write_pieces(self.stage.directory, self.stage.lines)
        self.library = preloading.build(bench.directory)

    def cases(self, bench, chance):
        writes = 2 * pieces(self.stage.lines)
        found = []
        for number in range(1, writes + 1):
            for kind in ["drop", "short"]:
                found.append(Case(f"{kind}:{number}", self.lie(bench, f"{kind}:{number}")))
            for _ in range(2 if bench.is_quick else 4):
                fault = f"flip:{number}:{chance.randrange(1 << 17)}"
                found.append(Case(fault, self.lie(bench, fault)))
        return bench.sample(found, 6, chance)

    def lie(self, bench, fault):
        def check(directory, chance):
            self.stage.copy(directory)
            book = Book(bench.dynamic, directory)
            run = append_in_pieces(
                book, self.stage.lines, preloading.variables(self.library, fault))
            positions = acknowledged(run)
            if fault.startswith("short"):
                if run.code not in (0, 74):
                    raise Wrong(f"after a short write, {run}")
                if run.code == 74:
                    expect_explained(book)
                    positions.update(acknowledged(append_in_pieces(book, self.stage.lines, None)))
                expect_sound(book, self.stage.entries, self.stage.lines, positions)
                return {f"short, exit {run.code}": 1}
            return self.judge(book, run, positions)
        return check

    def judge(self, book, run, positions):
        try:
            code = expect_seen(book, self.stage.entries, self.stage.lines, positions)
            return {"seen by verify" if code else "harmless": 1}
        except Wrong as wrong:
            # The log went back as a whole, as if it had been copied back: a holder of the head that
            # the append ended with can tell.
            if run.code != 0 or not self.is_told_by_head(book, run):
                raise wrong
            return {"seen by who has the head": 1}

    @staticmethod
    def is_told_by_head(book, run):
        summary = json.loads(run.output.splitlines()[-1])
        exported = book.run("export", "later")
        verdict = book.program.run(
            book.directory, "verify", "later", f"{summary['size']}:{summary['root']}")
        return exported.code == 0 and verdict.code == 1

    def controls(self, bench, chance):
        def older(directory, chance):
            # An older log as a whole, and no known head of the newer one.
            self.stage.copy(directory)
            book = Book(bench.dynamic, directory)
            run = append_in_pieces(book, self.stage.lines, None)
            shutil.rmtree(book.path)
            shutil.copytree(self.stage.directory / "book", book.path)
            expect_seen(book, self.stage.entries, self.stage.lines, acknowledged(run))
        return [Case("control: an older log, unknown to anybody", older)]
