"""A ledger under test: how its program is run, and what must be true of it whatever happened."""

import collections
import json
import os
import re
import shutil
import signal
import subprocess

# How long a command may take that has little to do: one that takes longer hangs.
LIMIT_SECONDS = 120
STATE = re.compile(rb'^\{"position":\d+,"recorded_at":"[^"]*",')


class Wrong(Exception):
    """Something that must not be, whatever the fault."""


class Skipped(Exception):
    """The machine does not allow a fault: why."""


class Run:
    """How a command ended: its exit code, negative for a signal, and what it said."""

    def __init__(self, arguments, code, output, errors):
        self.arguments, self.code, self.output, self.errors = arguments, code, output, errors

    @property
    def said(self):
        return (self.output + self.errors).decode(errors="replace").strip()[:600]

    def __str__(self):
        command = " ".join(map(str, self.arguments))
        return f"ledger {command} exits {self.code}: {self.said}"


class Program:
    """The `ledger` that is tested; `wrapped` are the arguments of programs in front of it."""

    def __init__(self, path):
        self.path = path

    def environment(self, home, variables=None):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("LEDGER", "XDG", "LD_PRELOAD"))}
        return kept | {"HOME": str(home), "TZ": "UTC", "LEDGER_ACTOR": "tester",
                       "SWIFT_BACKTRACE": "enable=no"} | (variables or {})

    def start(self, directory, *arguments, wrapped=(), variables=None, **streams):
        """Starts a command in a directory; the caller ends it."""
        return subprocess.Popen(
            [*map(str, wrapped), str(self.path), *map(str, arguments)], cwd=directory,
            env=self.environment(directory / "home", variables), start_new_session=True,
            **streams)

    def run(self, directory, *arguments, data=b"", limit=LIMIT_SECONDS, **options):
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE} | options
        process = self.start(directory, *arguments, **streams)
        try:
            output, errors = process.communicate(data, timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Wrong(f"ledger {' '.join(map(str, arguments))} stands still") from None
        return Run(arguments, process.returncode, output or b"", errors or b"")


class Book:
    """A ledger in a directory, with the user's own directory `home` beside it."""

    def __init__(self, program, directory, name="book"):
        self.program, self.directory, self.name = program, directory, name
        (directory / "home").mkdir(exist_ok=True)

    @property
    def path(self):
        return self.directory / self.name

    @property
    def data_file(self):
        return self.path / "log" / "data.mdb"

    def run(self, *arguments, **options):
        return self.program.run(
            self.directory, "--ledger", self.name, *arguments, **options)

    def must(self, *arguments, code=0, **options):
        """Runs a command that has to exit with 0, or with `code`."""
        run = self.run(*arguments, **options)
        if run.code != code:
            raise Wrong(str(run))
        return run

    def entries(self):
        """Returns the log, a line of JSON for each entry."""
        return self.must("log", "--format", "json").output.splitlines()

    def append(self, lines):
        return self.must("append", "--receipts", data=b"".join(line + b"\n" for line in lines))

    def simulate(self, source, seed, drives=1, fixes=60):
        """Returns lines with the events of simulated drives."""
        return self.must(
            "simulate", "bulk", "--drives", drives, "--fixes", fixes, "--seed", seed,
            "--source", source).output.splitlines()


def receipts(output, first=0):
    """Returns the positions that receipts name, by the index of the line."""
    found = {}
    # Text after the last line feed was cut off.
    for line in output[:output.rfind(b"\n") + 1].splitlines():
        answer = json.loads(line) if line.startswith(b"{") else {}
        if "receipt" in answer:
            position = answer.get("position", answer.get("of"))
            if position is None:
                raise Wrong(f"a receipt names no position: {line.decode()}")
            found[first + answer["line"] - 1] = position
    return found


def expect_stored(entries, lines, acknowledged):
    """Expects each acknowledged line at the position that its receipt named."""
    lost = [index for index, position in acknowledged.items()
            if position >= len(entries) or not entries[position].endswith(lines[index][1:])]
    if lost:
        raise Wrong(f"{len(lost)} of {len(acknowledged)} acknowledged lines are not there: "
                    f"the first is line {lost[0] + 1}, position {acknowledged[lost[0]]}")


def expect_dense(entries):
    """Expects positions without gaps, and no event twice."""
    for position, entry in enumerate(entries):
        if not entry.startswith(b'{"position":%d,' % position):
            raise Wrong(f"at position {position} stands {entry[:80].decode()}")
    contents = collections.Counter(STATE.sub(b"", entry) for entry in entries
                                   if b'"type":"erased"' not in entry)
    for content, count in contents.items():
        if count > 1:
            raise Wrong(f"stored {count} times: {content.decode()}")


def expect_beginning(entries, before):
    """Expects that the log still begins with what was there before."""
    if entries[:len(before)] != before:
        raise Wrong(f"the first {len(before)} of {len(entries)} entries are not what they were")


def expect_work_goes_on(book, tag):
    """Expects a ledger that verifies, takes another event, and shows what follows from its log."""
    book.must("verify")
    event = {"type": "motion_changed", "source": f"after {tag}", "state": "walking",
             "confidence": "high", "occurred_at": "2026-01-01T00:00:00Z"}
    size = len(book.entries())
    book.append([json.dumps(event).encode()])
    book.must("project")
    book.must("project", "--check")
    book.must("verify")
    if len(book.entries()) <= size:
        raise Wrong("an event was accepted and is not there")


def expect_sound(book, before=(), lines=(), acknowledged=None, tag="the fault"):
    """The oracle for a ledger that has had a fault; returns its entries."""
    entries = book.entries()
    expect_dense(entries)
    expect_beginning(entries, list(before))
    expect_stored(entries, lines, acknowledged or {})
    expect_work_goes_on(book, tag)
    return entries


def has(program):
    """Skips a row if a program is missing."""
    if not shutil.which(program):
        raise Skipped(f"{program} is not installed (`tools/faults/setup` installs it)")
