"""The files of a ledger are deleted, moved or replaced while a writer has them open."""

import shutil
import subprocess
import threading

from ledgers import Book, Wrong, expect_sound, expect_stored, receipts
from row import Case, Row

PATIENCE_SECONDS = 60


class Sender:
    """A process that is sent lines and answers each; the lines are sent one by one."""

    def __init__(self, book, lines):
        self.book, self.lines, self.sent, self.output = book, lines, 0, b""
        self.process = book.program.start(
            book.directory, "--ledger", book.name, "append", "--receipts",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def send(self, count):
        """Sends lines and waits for their answers; returns whether they came."""
        for _ in range(count):
            try:
                self.process.stdin.write(self.lines[self.sent] + b"\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                return False
            self.sent += 1
            answer = self.process.stdout.readline()
            if not answer:
                return False
            self.output += answer
        return True

    def end(self):
        """Ends the input; returns the exit code and what was said."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Wrong("the writer stands still") from None
        self.output += self.process.stdout.read()
        return self.process.returncode, self.process.stderr.read().decode()

    @property
    def acknowledged(self):
        """Positions by the index of the line."""
        return receipts(self.output)


def delete_directory(book, older):
    shutil.rmtree(book.path)


def delete_log(book, older):
    shutil.rmtree(book.path / "log")


def replace_log(book, older):
    (book.path / "log").rename(book.path / "log.old")
    shutil.copytree(older / "log", book.path / "log")


def replace_file(book, older):
    shutil.copy(older / "log" / "data.mdb", book.directory / "passing")
    (book.directory / "passing").rename(book.data_file)


def overwrite(book, older):
    for name in ["data.mdb", "lock.mdb"]:
        with open(book.path / "log" / name, "r+b") as file:
            file.write((older / "log" / name).read_bytes())


def rename(book, older):
    book.path.rename(book.directory / "elsewhere")


def make_anew(book, older):
    shutil.rmtree(book.path)
    book.must("init")


def delete_lock(book, older):
    (book.path / "log" / "lock.mdb").unlink()


def replace_lock(book, older):
    delete_lock(book, older)
    shutil.copy(older / "log" / "lock.mdb", book.path / "log" / "lock.mdb")


CHANGES = [delete_directory, delete_log, replace_log, replace_file, overwrite, rename, make_anew,
           delete_lock, replace_lock]


class Displaced(Row):
    name = "displaced"
    fault = "the directory, the log or the lock file is deleted, moved, replaced under a writer"
    oracle = "what is acknowledged after that is at the path; else exit 74, and no receipt"

    def prepare(self, bench):
        self.stage = bench.directory / self.name
        self.stage.mkdir()
        book = Book(bench.ledger, self.stage)
        book.must("init")
        book.append(book.simulate("earlier", 1, fixes=5))
        # An older copy, as a user makes one.
        shutil.copytree(book.path, self.stage / "older")
        book.append(book.simulate("later", 2, fixes=5))
        self.lines = book.simulate("phone", 3, fixes=300)
        self.others = book.simulate("logger", 4, fixes=300)

    def cases(self, bench, chance):
        rounds = 2 if bench.is_quick else 200
        found = [Case(f"{change.__name__.replace('_', ' ')} {number}", self.changed(bench, change))
                 for change in CHANGES for number in range(rounds)]
        return found + [Case(f"a second writer without the lock file {number}", self.second(bench))
                        for number in range(rounds)]

    def book(self, bench, directory):
        shutil.copytree(self.stage / "book", directory / "book")
        return Book(bench.ledger, directory)

    def changed(self, bench, change):
        def check(directory, chance):
            book = self.book(bench, directory)
            sender = Sender(book, self.lines)
            sender.send(chance.randrange(1, 6))
            before = sender.acknowledged
            change(book, self.stage / "older")
            sender.send(chance.randrange(1, 6))
            code, said = sender.end()
            self.judge(book, sender, before, code, said)
            return {"changes": 1, "acknowledged before": len(before)}
        return check

    def judge(self, book, sender, before, code, said):
        """Expects what was acknowledged since the change at the path, or that it is refused."""
        since = {index: position for index, position in sender.acknowledged.items()
                 if index not in before}
        if since:
            entries = book.entries() if (book.path / "log").exists() else []
            expect_stored(entries, self.lines, since)
        elif code != 74 or not ("while it was in use" in said or "loses writes" in said):
            raise Wrong(f"the writer exits {code}: {said}")

    def second(self, bench):
        """Two writers at a time; the lock file is deleted at any moment between their commits."""
        def check(directory, chance):
            book = self.book(bench, directory)
            first = Sender(book, self.lines)
            first.send(1)
            at_work = threading.Thread(target=first.send, args=[chance.choice([0, 10, 60])])
            at_work.start()
            first_part = chance.randrange(0, 20) / 1000
            at_work.join(first_part)
            (book.path / "log" / "lock.mdb").unlink()
            acknowledged, refused = {}, 0
            second = Sender(book, self.others)
            if not second.send(30):
                refused = 1
            second.end()
            at_work.join()
            first.send(5)
            first.end()
            expect_sound(book, lines=self.lines, acknowledged=first.acknowledged)
            expect_stored(book.entries(), self.others, second.acknowledged)
            return {"two writers": 1, "seconds refused": refused,
                    "acknowledged": len(first.acknowledged) + len(second.acknowledged)}
        return check

    def controls(self, bench, chance):
        def gone(directory, chance):
            """Events acknowledged before the change are judged as if they were acknowledged since."""
            book = self.book(bench, directory)
            sender = Sender(book, self.lines)
            sender.send(3)
            replace_log(book, self.stage / "older")
            code, said = sender.end()
            self.judge(book, sender, {}, code, said)

        def silent(directory, chance):
            """A writer that is told nothing more ends as if all were well."""
            book = self.book(bench, directory)
            sender = Sender(book, self.lines)
            sender.send(3)
            before = sender.acknowledged
            rename(book, self.stage / "older")
            code, said = sender.end()
            self.judge(book, sender, before, code, said)

        def apart(directory, chance):
            """Two writers that know nothing of each other, each with its own copy."""
            book = self.book(bench, directory)
            shutil.copytree(book.path, directory / "copy")
            found = [book.append(self.lines[:9]),
                     Book(bench.ledger, directory, "copy").append(self.others[:9])]
            expect_stored(book.entries(), self.lines, receipts(found[0].output))
            expect_stored(book.entries(), self.others, receipts(found[1].output))
        return [Case("control: a log that went back", gone),
                Case("control: an exit as if all were well", silent),
                Case("control: two writers apart", apart)]
