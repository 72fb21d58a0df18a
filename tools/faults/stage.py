"""A ledger that has lived a little, and the commands that are disturbed on copies of it."""

import json
import shutil

from ledgers import Book, Wrong, expect_stored, receipts

SECRET = b"an-appointment-that-is-nobodys-business"


class Stage:
    """A sound ledger, its key, a backup, an export and lines to append, made once and copied."""

    def __init__(self, program, directory, seed):
        self.directory = directory
        directory.mkdir(parents=True)
        book = Book(program, directory)
        book.must("init", "--time-zone", "Etc/UTC")
        book.append(book.simulate("phone", seed, drives=2))
        book.must("key", "new")
        book.must("head", "--sign")
        book.must("edit", "last", "--notes", SECRET.decode())
        self.secret = len(book.entries()) - 1
        book.must("backup", "first.backup")
        self.backed_up = book.entries()
        book.append(book.simulate("logger", seed + 1))
        book.must("edit", "last", "--purpose", "Client visit", "--class", "business")
        book.must("export", "exported")
        book.must("project")
        self.lines = book.simulate("tablet", seed + 2, fixes=150)
        (directory / "new.jsonl").write_bytes(b"".join(line + b"\n" for line in self.lines))
        self.entries = book.entries()

    def copy(self, directory):
        shutil.copytree(self.directory, directory, dirs_exist_ok=True)


class Scene:
    """A command that is disturbed."""

    def __init__(self, name, *arguments, book="book"):
        self.name, self.arguments, self.book = name, arguments, book

    def start(self, stage, directory, program):
        """Makes what the command needs; returns the ledger that it is about."""
        stage.copy(directory)
        return Book(program, directory, self.book)

    def again(self, stage, book):
        """Returns the arguments with which the command is repeated."""
        return self.arguments

    def is_done(self, stage, book):
        """Returns whether what the command is for has happened, all of it."""
        return True

    def expect(self, stage, book, run):
        """Raises `Wrong` if the log is neither what it was, nor what the command makes of it."""
        main = Book(book.program, book.directory)
        entries = main.entries()
        if entries[:len(stage.entries)] != stage.entries:
            raise Wrong(f"the first {len(stage.entries)} of {len(entries)} entries are not "
                        "what they were")


class Append(Scene):
    def is_done(self, stage, book):
        entries = book.entries()
        first = len(entries) - len(stage.lines)
        try:
            expect_stored(entries, stage.lines,
                          {index: first + index for index in range(len(stage.lines))})
        except Wrong:
            return False
        return True

    def expect(self, stage, book, run):
        super().expect(stage, book, run)
        expect_stored(book.entries(), stage.lines, receipts(run.output))


class Press(Scene):
    def is_done(self, stage, book):
        return sum(b'"id":"press-1"' in entry for entry in book.entries()) == 1


class Made(Scene):
    """A command that makes a ledger, with all the entries that `expected` names."""

    def __init__(self, name, *arguments, book, expected=None):
        super().__init__(name, *arguments, book=book)
        self.expected = expected

    def is_done(self, stage, book):
        # Without a log, there is only a directory in which a ledger can be made.
        if not (book.path / "log").exists():
            return False
        entries = book.entries()
        return not self.expected or entries == getattr(stage, self.expected)


class Project(Scene):
    def start(self, stage, directory, program):
        book = super().start(stage, directory, program)
        if "--rebuild" not in self.arguments:
            shutil.rmtree(book.path / "views")
        return book

    def is_done(self, stage, book):
        check = book.run("project", "--check")
        return check.code == 0 and b"Nothing was compared" not in check.errors


class Backup(Scene):
    def is_done(self, stage, book):
        if not (book.directory / "new.backup").exists():
            return False
        book.must("restore-backup", "new.backup", "--ledger", "again/book")
        copy = Book(book.program, book.directory, "again/book")
        is_same = copy.entries() == stage.entries
        shutil.rmtree(copy.path.parent)
        return is_same


class Export(Scene):
    def is_done(self, stage, book):
        return ((book.directory / "new-export").exists()
                and b"CONSISTENT" in book.program.run(
                    book.directory, "verify", "new-export").output)


class Erase(Scene):
    def start(self, stage, directory, program):
        self.arguments = ("erase", str(stage.secret), "--why", "private", "--yes")
        return super().start(stage, directory, program)

    @staticmethod
    def is_gone(stage, entries):
        return SECRET not in entries[stage.secret]

    def again(self, stage, book):
        return ("erase", "--sweep") if self.is_gone(stage, book.entries()) else self.arguments

    def expect(self, stage, book, run):
        entries = book.entries()
        changed = [position for position, entry in enumerate(stage.entries)
                   if position >= len(entries) or entries[position] != entry]
        if changed not in ([], [stage.secret]):
            raise Wrong(f"entries are not what they were, at {changed[:5]}")
        if bool(changed) != (len(entries) > len(stage.entries)):
            raise Wrong("an entry is erased and no event says so, or the other way round")

    def is_done(self, stage, book):
        if not self.is_gone(stage, book.entries()):
            return False
        left = [file for folder in ["log", "views"]
                for file in (book.path / folder).rglob("*")
                if file.is_file() and SECRET in file.read_bytes()]
        return not left


class Restore(Scene):
    def expect(self, stage, book, run):
        if book.entries() not in (stage.entries, stage.backed_up):
            raise Wrong("the log is neither the old one nor that of the backup")

    def is_done(self, stage, book):
        return book.entries() == stage.backed_up


class NewKey(Scene):
    def start(self, stage, directory, program):
        book = super().start(stage, directory, program)
        shutil.rmtree(directory / "home" / ".config")
        shutil.rmtree(directory / "home" / ".local" / "state" / "ledger" / "heads")
        shutil.rmtree(book.path / "heads")
        return book

    def is_done(self, stage, book):
        return book.run("key", "show").code == 0 and book.run("head", "--sign").code == 0


class Sign(Scene):
    def is_done(self, stage, book):
        signed = book.run("head", "--signed", "--format", "json")
        return signed.code == 0 and json.loads(signed.output)["size"] == len(stage.entries)


class Rescue(Scene):
    def again(self, stage, book):
        # The next one does not touch what one that was cut off has left behind.
        shutil.rmtree(book.directory / "saved", ignore_errors=True)
        return self.arguments

    def is_done(self, stage, book):
        saved = Book(book.program, book.directory, "saved")
        return (saved.path / "log").exists() and saved.entries() == stage.entries


SCENES = [
    Append("append", "append", "--receipts", "new.jsonl"),
    Press("go", "go", "--id", "press-1", "--source", "hand"),
    Made("init", "init", "--time-zone", "Etc/UTC", book="fresh"),
    Project("project", "project"),
    Project("project --rebuild", "project", "--rebuild"),
    Backup("backup", "backup", "new.backup"),
    Export("export", "export", "new-export"),
    Made("import", "import", "exported", book="imported", expected="entries"),
    Erase("erase"),
    Made("restore-backup, a new ledger", "restore-backup", "first.backup", book="restored",
         expected="backed_up"),
    Restore("restore-backup, in place", "restore-backup", "first.backup", "--accept-loss"),
    NewKey("key new", "key", "new"),
    Sign("head --sign", "head", "--sign"),
    Rescue("rescue", "rescue", "book", "-o", "saved"),
    Scene("scrub", "scrub"),
    Scene("verify", "verify"),
]
