"""Kills two writers, a reader and a projection at random moments."""

import os
import signal
import subprocess
import time

from ledgers import Book, Wrong, expect_sound, expect_stored, receipts
from row import Case, Row

LINES_PER_BATCH = 400
READING = [["log", "--format", "json"], ["trips", "--format", "json"], ["verify"]]


class Writer:
    """A sender that sends again whatever was not acknowledged."""

    def __init__(self, book, source, seed):
        self.book, self.source = book, source
        self.lines = book.simulate(source, seed, drives=8, fixes=400)
        self.acknowledged, self.first, self.process = {}, 0, None
        self.answers = book.directory / f"{source}.answers"
        self.unheard = 0

    def start(self):
        while self.first in self.acknowledged:
            self.first += 1
        batch = self.lines[self.first:self.first + LINES_PER_BATCH]
        sent = self.book.directory / f"{self.source}.jsonl"
        sent.write_bytes(b"".join(line + b"\n" for line in batch))
        # Through a pipe, and in small pieces: many transactions, each with its answers.
        with self.answers.open("wb") as answers:
            self.process = self.book.program.start(
                self.book.directory, "--ledger", self.book.name, "append", "--receipts",
                wrapped=["sh", "-c", f"dd if={sent.name} bs=3000 status=none | exec \"$@\"", "sh"],
                stdout=answers, stderr=subprocess.DEVNULL)

    def finish(self):
        """Waits for the process to end, and takes down what it acknowledged."""
        self.process.wait()
        output = self.answers.read_bytes()
        for index, position in receipts(output, self.first).items():
            self.acknowledged[index] = position
        self.unheard += output.count(b'"receipt":"duplicate"')
        if self.process.returncode not in (0, -signal.SIGKILL, 128 + signal.SIGKILL):
            raise Wrong(f"a writer exits {self.process.returncode}")
        self.process = None

    def is_complete(self):
        return len(self.acknowledged) == len(self.lines)


class Kills(Row):
    name = "kills"
    fault = "kill -9 at random: 2 writers, a reader, a projection"
    oracle = "acknowledged is stored at its place, nothing twice, positions dense, views equal"
    jobs = 1

    def cases(self, bench, chance):
        kills = 20 if bench.is_quick else 500
        return [Case(f"{kills} kills", lambda directory, chance: self.kill(
            Book(bench.ledger, directory), chance, kills))]

    def kill(self, book, chance, kills):
        book.must("init", "--time-zone", "Etc/UTC")
        writers = [Writer(book, source, chance.randrange(1 << 20)) for source in ["phone", "obd"]]
        others, killed, number = [], 0, 0
        while killed < kills:
            for writer in writers:
                if writer.process is None or writer.process.poll() is not None:
                    if writer.process:
                        writer.finish()
                    if writer.is_complete():
                        self.renew(writer, number := number + 1)
                    writer.start()
            others = [other for other in others if other.poll() is None]
            for arguments in [chance.choice(READING), ["project"]][len(others):]:
                others.append(book.program.start(
                    book.directory, "--ledger", book.name, *arguments,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            time.sleep(chance.random() * chance.choice([0.001, 0.01, 0.05]))
            victim = chance.choice([writers[0].process, writers[1].process, *others])
            if victim.poll() is None:
                self.end(victim)
                killed += 1
        for process in others:
            self.end(process)
        return self.judge(book, writers, killed)

    @staticmethod
    def renew(writer, number):
        """Gives a writer that is done more to send."""
        writer.lines += writer.book.simulate(
            f"{writer.source} {number}", number, drives=8, fixes=400)

    @staticmethod
    def end(process):
        # The whole group: a pipe's writer goes with its reader.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    @staticmethod
    def judge(book, writers, killed):
        for writer in writers:
            if writer.process:
                Kills.end(writer.process)
                writer.finish()
            while not writer.is_complete():
                writer.start()
                writer.finish()
        entries = expect_sound(book)
        for writer in writers:
            expect_stored(entries, writer.lines, writer.acknowledged)
        sent = sum(len(writer.lines) for writer in writers)
        own = sum(b'"source":""' in entry[:200] for entry in entries)
        if len(entries) != sent + own:
            raise Wrong(f"{len(entries)} entries of {sent} events and {own} of the ledger's own")
        return {"killed": killed, "events": sent,
                "stored and not acknowledged": sum(writer.unheard for writer in writers)}

    def controls(self, bench, chance):
        def control(directory, chance):
            book = Book(bench.ledger, directory)
            book.must("init")
            lines = book.simulate("phone", 1)
            acknowledged = receipts(book.append(lines[:-1]).output)
            acknowledged[len(lines) - 1] = len(lines) + 1
            expect_sound(book, lines=lines, acknowledged=acknowledged)
        return [Case("control: one line acknowledged and not sent", control)]
