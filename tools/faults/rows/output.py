"""Results that cannot be written: a full disk, a reader that is gone, no standard output at all."""

import json
import os
import subprocess

from ledgers import Book, Wrong
from row import Case, Row
from stage import Stage

# How each command is called so that it prints; what it needs beside the stage stands in `prepare`.
# Commands that begin with a * make or need something that others change: they get their own copy.
COMMANDS = """
append new.jsonl
append --receipts new.jsonl
convert track.csv
go
stop
fix --lat 52 --lon 4
motion walking
odometer van 100000
odometer van --list
status
watch --since 1 --once
recover abandon active
trips
trip last
explain last
visits
history VOIDED
history --all
inbox --list
changes --since 1
edit last --purpose Visit
adjust last --km 5 --why Map
void last --why Private
restore VOIDED
report-trip --from 2025-05-01T10:00:00Z --to 2025-05-01T11:00:00Z --km 20
merge TRIPS --why Petrol
split FIRST --at MIDDLE
exclude FIRST --from MIDDLE --to LATER --why Ferry
shift-clock phone --from MIDDLE --to LATER --by 1h
totals
chart
calendar
inferences --format csv
track FIRST
map last -o map.svg
report log
report log --format html
report log -o log.html
report summary
report methods --jurisdiction us --year 2025
report reconcile
report completeness
report changes
report claim --jurisdiction nl --year 2025
report log --year 2025 --issue
report issued
report request --request request.json
report reissue R1
report reissue R1 --compare
rates list
rates show nl.kilometervergoeding.business.2006-01-01
rates load table.json
rates set company --rate 0.35 --per km --currency EUR --from 2025-01-01
expense add toll 4 EUR --trip last
expense list
expense void EXPENSE --why Twice
rules show
rules preset history
rules set maximum_accuracy_m=30
field define project
field list
place save Work --lat 52 --lon 4
place list
place remove Home
vehicle register car
vehicle list
routine save Office --purpose Office
routine apply Home last
routine list
routine suggest last
routine remove Home
init --ledger other
project
log
verify
scrub
compact
backup a.backup
restore-backup first.backup --ledger other --accept-loss
rescue book --output saved
doctor
erase 5 --why private --yes
export an-export
bundle --year 2025 -o a-bundle
monthly -o kept --month 2025-03
import exported --ledger other
head
head --sign
prove 5 --output proof
key new --output another.key
key show
settings
settings --paper letter
token new tablet --scope read
token list
token show laptop
rates check
token change laptop --time-zone Europe/Paris
token revoke laptop
witness init example.com/witness --directory other-witness
witness add VKEY --directory witness
witness cosign head.note --key VKEY --directory witness
witness show --directory witness
schema event
simulate tunnel
help
"""

# Those that are tried elsewhere: they run the programs that serve, exchange and replicate, read a stream,
# or list what a server refused.
SERVED = {("serve",), ("sync",), ("refused",), ("replicate",), ("worker",)}


class Output(Row):
    name = "output"
    fault = "standard output is a full disk, a pipe that nobody reads, or closed"
    oracle = "exit 74 with a word, a quiet end by SIGPIPE; for every command; the ledger is sound"

    def prepare(self, bench):
        self.stage = Stage(bench.ledger, bench.directory / self.name, bench.seed % 1000)
        book = Book(bench.ledger, self.stage.directory)
        book.must("place", "save", "Home", "--at-trip-start", "last", "--notify-entry")
        book.must("vehicle", "register", "van")
        book.must("odometer", "van", "1000")
        book.must("routine", "save", "Home", "--purpose", "Home")
        book.must("field", "define", "billable")
        book.must("expense", "add", "parking", "4", "EUR", "--vehicle", "van")
        expense = json.loads(book.must("expense", "list", "--format", "json").output)["expense"]
        trips = [json.loads(line) for line in
                 book.must("trips", "--all", "--format", "json").output.splitlines()]
        first, voided, last = sorted(trips, key=lambda trip: trip["started_at"])
        book.must("void", voided["id"], "--why", "None")
        book.must("report", "log", "--year", "2025", "--issue")
        note = book.must("head", "--sign").output
        (book.directory / "head.note").write_bytes(note)
        bench.ledger.run(book.directory, "witness", "init", "example.com/w", "--directory",
                         "witness")
        book.must("token", "new", "laptop")
        book.must("go", "--source", "phone")
        shown = book.must("key", "show", "--format", "json").output
        self.words = {"VKEY": [json.loads(shown)["verifier_key"]], "VOIDED": [voided["id"]],
                      "EXPENSE": [expense],
                      "TRIPS": [first["id"], last["id"]], "FIRST": [first["id"]],
                      "MIDDLE": [self.middle(book, first, 30)],
                      "LATER": [self.middle(book, first, 40)]}
        (book.directory / "track.csv").write_text(
            "time,lat,lon\n2025-05-01T10:00:00Z,52.1,4.3\n")
        (book.directory / "request.json").write_text(
            '{"version":1,"report":"log","year":2025}')
        (book.directory / "table.json").write_text(
            '{"table":"own","rates":[{"id":"own.1","jurisdiction":"own","scheme":"own_rate",'
            '"classes":["business"],"from":"2025-01-01","currency":"EUR","unit":"km",'
            '"rate":"0.3"}]}')

    @staticmethod
    def middle(book, trip, index):
        """Returns a time in the middle of the first drive of a trip's source."""
        seen = [json.loads(entry) for entry in book.entries()]
        return [entry["occurred_at"] for entry in seen
                if entry["type"] == "fix_recorded" and entry["source"] == trip["source"]][index]

    def cases(self, bench, chance):
        self.expect_all(bench.ledger)
        found = []
        for line in COMMANDS.strip().splitlines():
            for kind, outlet in [("full", self.full), ("unread", self.unread),
                                 ("closed", self.closed)]:
                found.append(Case(f"{line} ({kind})", self.disturbed(bench, line, outlet)))
        return bench.sample(found, 20, chance)

    @staticmethod
    def expect_all(program):
        """Expects that the table above has every command there is."""
        known = {tuple(line.split()) for line in COMMANDS.strip().splitlines()}
        told = subprocess.run([str(program.path), "--experimental-dump-help"], check=True,
                              capture_output=True).stdout
        todo = [((), json.loads(told)["command"])]
        while todo:
            path, command = todo.pop()
            below = [each for each in command.get("subcommands", [])
                     if not each["commandName"].startswith("_")]
            todo += [((*path, each["commandName"]), each) for each in below]
            if (not below and path not in SERVED
                    and not any(words[:len(path)] == path for words in known)):
                raise Wrong(f"no case has the command {' '.join(path)}")

    def disturbed(self, bench, line, outlet):
        def check(directory, chance):
            self.stage.copy(directory)
            book = Book(bench.ledger, directory)
            words = [part for word in line.split() for part in self.words.get(word, [word])]
            outlet(book, words)
            # A restored log and an erased log differ from the first one, but they are sound.
            book.must("verify")
            return {"commands": 1}
        return check

    @staticmethod
    def start(book, words, **streams):
        named = [] if words[0] in ("convert", "simulate", "schema", "help", "witness") else [
            "--ledger", book.name] if "--ledger" not in words else []
        return book.program.run(book.directory, *named, *words, **streams)

    @classmethod
    def full(cls, book, words):
        with open("/dev/full", "wb") as full:
            run = cls.start(book, words, stdout=full)
        if run.code != 74 or b"standard output: No space left on device" not in run.errors:
            raise Wrong(f"to a full disk, {run}")

    @classmethod
    def unread(cls, book, words):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            run = cls.start(book, words, stdout=writing)
        finally:
            os.close(writing)
        if run.code not in (-13, 74) or b"rror" in run.errors:
            raise Wrong(f"to a pipe that nobody reads, {run}")

    @classmethod
    def closed(cls, book, words):
        run = cls.start(book, words, wrapped=["sh", "-c", 'exec "$@" >&-', "sh"])
        if run.code != 74 or b"standard output: Bad file descriptor" not in run.errors:
            raise Wrong(f"without standard output, {run}")

    def controls(self, bench, chance):
        def open_end(directory, chance):
            self.stage.copy(directory)
            run = self.start(Book(bench.ledger, directory), ["log"])
            if run.code != 74:
                raise Wrong(f"to a pipe that is read, {run}")
        return [Case("control: an output that works", open_end)]
