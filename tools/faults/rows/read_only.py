"""File systems that cannot be written, and directories that another user owns."""

from ledgers import Book, Program, Wrong, expect_sound
from places import another_user, read_only
from row import Case, Row
from stage import Stage

READING = [["log"], ["status"], ["trips", "--all"], ["trip", "last"], ["explain", "last"],
           ["totals"], ["report", "log", "--format", "csv"], ["head"], ["history", "last"],
           ["verify"], ["doctor"]]
WRITING = [["append", "new.jsonl"], ["go"], ["edit", "last", "--purpose", "Visit"],
           ["project", "--rebuild"], ["backup", "book/in.backup"],
           ["erase", "5", "--why", "private", "--yes"], ["head", "--sign"]]


class ReadOnly(Row):
    name = "read-only"
    fault = "a read-only file system; a directory without the right to write, or to read"
    oracle = "reading works where it can, the rest is refused and the reason named"
    jobs = 1

    def prepare(self, bench):
        self.stage = Stage(bench.ledger, bench.directory / self.name, bench.seed % 1000)

    def cases(self, bench, chance):
        return [
            Case("read-only file system", lambda directory, chance: self.mounted(
                bench, directory, has_views=True)),
            Case("read-only file system, views behind", lambda directory, chance: self.mounted(
                bench, directory, has_views=False)),
            Case("a directory of somebody else", lambda directory, chance: self.owned(
                bench, directory, 0o055)),
            Case("a directory that may not be read", lambda directory, chance: self.owned(
                bench, directory, 0)),
        ]

    def mounted(self, bench, directory, has_views):
        self.stage.copy(directory)
        book = Book(bench.ledger, directory)
        if not has_views:
            book.append(book.simulate("late", 9))
        with read_only(book.path):
            counts = self.look(book, READING, "read-only")
        expect_sound(book, self.stage.entries)
        return counts

    def owned(self, bench, directory, mode):
        self.stage.copy(directory)
        wrapped, path = another_user(directory, bench.ledger)
        (directory / "home").chmod(0o777)
        for place in [directory / "book", *(directory / "book").rglob("*")]:
            rights = place.stat().st_mode & 0o700
            place.chmod((rights | rights >> 3 | rights >> 6) & (0o700 | mode) & ~0o022)
        book = Book(Program(path), directory)
        # Without the right to write, a reader could not hold its place against writers.
        counts = self.look(book, [], "permission denied", wrapped)
        run = book.run("log", wrapped=wrapped)
        if run.code != 74 or "Permission denied" not in run.said:
            raise Wrong(f"a directory of somebody else, and {run}")
        expect_sound(Book(bench.ledger, directory), self.stage.entries)
        return counts

    @staticmethod
    def look(book, reading, reason, wrapped=()):
        for arguments in reading:
            run = book.run(*arguments, wrapped=wrapped)
            # `verify` may not be able to tell what it cannot reach, and has to say so.
            if run.code != 0 and not (arguments == ["verify"] and run.code == 2):
                raise Wrong(f"where nothing can be written, {run}")
        for arguments in WRITING:
            run = book.run(*arguments, wrapped=wrapped)
            if run.code != 74 or reason not in run.said.lower():
                raise Wrong(f"where nothing can be written, {run}")
        return {"read": len(reading), "refused": len(WRITING)}

    def controls(self, bench, chance):
        def writable(directory, chance):
            self.stage.copy(directory)
            self.look(Book(bench.ledger, directory), READING, "read-only")
        return [Case("control: a directory that can be written", writable)]
