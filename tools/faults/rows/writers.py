"""Several processes write to one ledger at once, and a stopped one holds the others up."""

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
import time

from ledgers import (
    Book, Skipped, Wrong, expect_dense, expect_sound, expect_stored, has, receipts)
from row import Case, Row

PATIENCE_SECONDS = 20


class Writers(Row):
    name = "writers"
    fault = "several writing processes, retries, one that is stopped, equal pids in containers"
    oracle = "positions dense, nothing lost or twice; who holds the others up is named"
    jobs = 1

    def cases(self, bench, chance):
        rounds = 2 if bench.is_quick else 12
        return [
            Case("many writers", lambda directory, chance: self.many(
                Book(bench.ledger, directory), chance, rounds)),
            Case("the same events from two writers", lambda directory, chance: self.same(
                Book(bench.ledger, directory), chance)),
            Case("a stopped writer", lambda directory, chance: self.stopped(
                Book(bench.ledger, directory))),
            Case("equal pids in containers", lambda directory, chance: self.contained(
                Book(bench.ledger, directory))),
        ]

    @staticmethod
    def together(book, batches):
        """Appends batches at the same time; returns the receipts of each."""
        answers = [None] * len(batches)

        def append(number):
            answers[number] = book.run(
                "append", "--receipts", data=b"".join(line + b"\n" for line in batches[number]))

        threads = [threading.Thread(target=append, args=[number])
                   for number in range(len(batches))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for answer in answers:
            if answer is None or answer.code != 0:
                raise Wrong(f"a writer among others: {answer}")
        return [receipts(answer.output) for answer in answers]

    def many(self, book, chance, rounds):
        """Five writers at a time; of what one has sent before, some is sent again."""
        book.must("init")
        lines = {f"source {number}": [] for number in range(5)}
        places = {source: {} for source in lines}
        for turn in range(rounds):
            first, batches = {}, []
            for source in lines:
                new = book.simulate(f"{source} {turn}", chance.randrange(1 << 20), fixes=40)
                again = chance.randrange(len(lines[source]) + 1)
                first[source] = again
                lines[source] += new
                batches.append(lines[source][again:])
            for source, found in zip(lines, self.together(book, batches)):
                for index, position in found.items():
                    old = places[source].setdefault(first[source] + index, position)
                    if old != position:
                        raise Wrong(f"stored at {old}, and again at {position}")
        entries = expect_sound(book)
        for source in lines:
            expect_stored(entries, lines[source], places[source])
        return {"events": sum(map(len, lines.values()))}

    def same(self, book, chance):
        """Two processes send the same events under the same ids, in different orders."""
        book.must("init")
        lines = []
        for number in range(300):
            event = {"type": "motion_changed", "source": "phone", "state": "walking",
                     "confidence": "high", "occurred_at": 1_700_000_000_000 + number * 1000,
                     "id": f"event {number}"}
            lines.append(json.dumps(event).encode())
        orders = [list(range(300)) for _ in range(3)]
        for order in orders:
            chance.shuffle(order)
        found = self.together(book, [[lines[index] for index in order] for order in orders])
        places = [{order[index]: position for index, position in each.items()}
                  for order, each in zip(orders, found)]
        if any(each != places[0] for each in places):
            raise Wrong("the same event was given two positions")
        expect_sound(book)
        return {"events": 900}

    @staticmethod
    def stopped(book):
        """A writer that is stopped within a transaction is named to those who wait for it."""
        has("strace")
        book.must("init")
        line = book.simulate("phone", 1)[0]
        # strace stops it where its pages are flushed, before the commit.
        holder = book.program.start(
            book.directory, "--ledger", book.name, "append", "--receipts",
            wrapped=["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                     "inject=fdatasync:signal=STOP:when=1"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        holder.stdin.write(line + b"\n")
        holder.stdin.close()
        pid = Writers.stopped_process(book.path)
        waiting = book.program.start(
            book.directory, "--ledger", book.name, "go", stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        # Waiting for a silent process has an end.
        patience = threading.Timer(PATIENCE_SECONDS, os.kill, [pid, signal.SIGCONT])
        patience.start()
        # Who it is, and that it was stopped.
        said = (waiting.stderr.readline() + waiting.stderr.readline()).decode()
        patience.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
        _, rest = waiting.communicate(timeout=60)
        holder.wait(timeout=60)
        if not re.search(rf"\b{pid}\b", said) or "stopped" not in said:
            raise Wrong(f"process {pid} is stopped, and those who wait are told: {said!r}")
        if waiting.returncode != 0:
            raise Wrong(f"the one that waited exits {waiting.returncode}: {rest.decode()}")
        expect_sound(book)
        return {"waited for a stopped process": 1}

    @staticmethod
    def stopped_process(path):
        """Waits until a process with a file of a ledger open is stopped; returns its pid."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    names = [os.readlink(f"/proc/{pid}/fd/{number}")
                             for number in os.listdir(f"/proc/{pid}/fd")]
                    with open(f"/proc/{pid}/stat") as stat:
                        state = stat.read().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                if state in "Tt" and any(name.startswith(str(path)) for name in names):
                    return int(pid)
            time.sleep(0.05)
        raise Wrong("the writer did not stop where it was to")

    @staticmethod
    def contained(book):
        """Two processes that are both number 1 of their container write and read at once."""
        has("unshare")
        contained = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*contained, "true"], capture_output=True).returncode != 0:
            raise Skipped("this user may not make pid namespaces")
        book.must("init")
        lines = book.simulate("phone", 1)
        # The first one holds its reader's place while the second one comes.
        first = book.program.start(
            book.directory, "--ledger", book.name, "append", "--receipts", wrapped=contained,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        first.stdin.write(lines[0] + b"\n")
        first.stdin.flush()
        first.stdout.readline()
        refused = 0
        for arguments in [["log"], ["trips"], ["go"], ["verify"]]:
            run = book.run(*arguments, wrapped=contained)
            if run.code != 0:
                refused += 1
                if run.code not in (2, 74) or "container" not in run.said:
                    raise Wrong(f"with an equal pid, {run}")
        first.stdin.close()
        first.wait()
        expect_sound(book)
        return {"commands beside an equal pid": 4, "refused and told why": refused}

    def controls(self, bench, chance):
        def twice(directory, chance):
            book = Book(bench.ledger, directory)
            book.must("init")
            lines = book.simulate("phone", 1)
            book.append(lines)
            # The same drive from another source, then read as if it were the same one.
            book.append([line.replace(b'"phone"', b'"other"') for line in lines])
            expect_dense([entry.replace(b'"other"', b'"phone"') for entry in book.entries()])
        return [Case("control: every event twice", twice)]
