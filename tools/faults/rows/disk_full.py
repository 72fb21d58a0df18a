"""A disk that is full, and has room again."""

import shutil

from ledgers import (
    Book, Wrong, expect_beginning, expect_dense, expect_sound, expect_stored, receipts)
from places import fill, memory_disk, small_disk
from row import Case, Row

KILOBYTES = 12_000
READING = [["log"], ["trips", "--all"], ["status"], ["totals"], ["head"], ["explain", "last"]]
WRITING = [["backup", "a.backup"], ["export", "an-export"], ["project", "--rebuild"],
           ["edit", "last", "--purpose", "Visit"], ["key", "new"], ["verify"], ["scrub"],
           ["erase", "20-30", "--why", "private", "--yes"]]


class DiskFull(Row):
    name = "disk-full"
    fault = "a full tmpfs and a full ext4, with 0 to 100 KB to spare"
    oracle = "appends are refused (74), reading works, appends go on when there is room"
    jobs = 1

    def cases(self, bench, chance):
        spares = [4] if bench.is_quick else [0, 4, 8, 12, 20, 40, 64, 100]
        return bench.sample(
            [Case(f"{disk.__name__} with {spare} KB", self.full(bench, disk, spare))
             for spare in spares for disk in [memory_disk, small_disk]], 1, chance) + [
                 Case("a backup with little room", lambda directory, chance: self.backups(
                     Book(bench.ledger, directory)))]

    def full(self, bench, disk, spare):
        def check(directory, chance):
            with disk(directory / "disk", KILOBYTES) as place:
                return self.live(Book(bench.ledger, place), spare)
        return check

    @staticmethod
    def backups(book):
        """Backs up to disks of sizes at which the copy, or what reads it back, has no room."""
        book.must("init")
        book.append(book.simulate("phone", 1))
        size = book.data_file.stat().st_size // 1024
        refused = 0
        for kilobytes in range(size - 8, size + 24, 4):
            with memory_disk(book.directory / "small", kilobytes):
                run = book.run("backup", "small/a.backup")
                if run.code not in (0, 74) or list((book.directory / "small").glob("*.new")):
                    raise Wrong(f"with {kilobytes} KB for a backup of {size} KB, {run}")
            (book.directory / "small").rmdir()
            refused += run.code == 74
        if not 0 < refused < 8:
            raise Wrong(f"{refused} of 8 backups were refused")
        return {"backups refused": refused}

    def live(self, book, spare):
        book.must("init", "--time-zone", "Etc/UTC")
        before = book.simulate("phone", 1, fixes=120)
        book.append(before)
        book.must("project")
        lines = book.simulate("logger", 2, drives=12, fixes=200)
        # A reader now finds views that do not know all of the log, and has to write.
        book.append(book.simulate("tablet", 3, fixes=40))
        entries = book.entries()
        filler = fill(book.directory, spare)
        refused, acknowledged = 0, {}
        for first in range(0, len(lines), 100):
            run = book.run("append", "--receipts", data=b"".join(
                line + b"\n" for line in lines[first:first + 100]))
            acknowledged |= receipts(run.output, first)
            if run.code == 0:
                continue
            refused += 1
            # Receipts of what was stored before may come first.
            said = run.errors.decode(errors="replace")
            if run.code != 74 or "No space left on device" not in said:
                raise Wrong(f"on a full disk, {run}")
        if not refused:
            raise Wrong("the disk was not full")
        found = book.entries()
        expect_dense(found)
        expect_beginning(found, entries)
        expect_stored(found, lines, acknowledged)
        for arguments in READING:
            # Neither the ledger's disk nor the usual place for temporary files has room.
            book.must(*arguments, variables={"TMPDIR": str(book.directory)})
        for arguments in WRITING:
            run = book.run(*arguments)
            if run.code not in (0, 2, 74):
                raise Wrong(f"on a full disk, {run}")
            for name in ["a.backup", "an-export"]:
                path = book.directory / name
                path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)
        filler.unlink()
        book.append(lines)
        expect_sound(book)
        expect_stored(book.entries(), lines, {
            index: position for index, position in acknowledged.items()
            if not 20 <= position <= 30})
        return {"appends refused": refused}

    def controls(self, bench, chance):
        def roomy(directory, chance):
            # A filler that leaves all of the disk's room fills nothing.
            self.live(Book(bench.ledger, directory), 1 << 40)
        return [Case("control: a disk with room", roomy)]
