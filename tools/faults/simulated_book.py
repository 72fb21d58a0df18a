"""A ledger that real processes write to, and what must hold of it after everything that was done."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mutations"))

import meaning  # noqa: E402

# The types that only the ledger itself writes.
OWN = {"ledger_created", "source_registered", "entries_erased", "records_imported"}
LIMIT_SECONDS = 120


class Broken(Exception):
    """Something does not hold that must."""


def expect(holds, sentence):
    if not holds:
        raise Broken(sentence)


class Program:
    """The `ledger` that is tried out, in an environment of its own."""

    def __init__(self, path, home):
        self.path = path
        self.environment = dict(os.environ, HOME=str(home), TZ="UTC", SWIFT_BACKTRACE="enable=no")
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEDGER_DIR", "LEDGER_ACTOR"]:
            self.environment.pop(name, None)

    def start(self, *arguments, **options):
        return subprocess.Popen([str(self.path), *map(str, arguments)], env=self.environment,
                                **options)

    def run(self, *arguments, data=b""):
        return subprocess.run([str(self.path), *map(str, arguments)], input=data,
                              capture_output=True, timeout=LIMIT_SECONDS, env=self.environment)

    def must(self, *arguments, data=b"", codes=(0,)):
        result = self.run(*arguments, data=data)
        expect(result.returncode in codes,
               f"`{' '.join(map(str, arguments))}` ended with {result.returncode}: "
               + (result.stderr + result.stdout).decode("utf-8", "replace")[-600:])
        return result.stdout


def content(event):
    """Returns what was reported, as the sender wrote it, without what the ledger added."""
    return json.dumps(without_arrival(event), sort_keys=True)


def without_arrival(event):
    return {key: value for key, value in event.items() if key not in ("position", "recorded_at")}


def identity(event):
    if "id" in event:
        return json.dumps([event["source"], event["id"]])
    return content(event)


class Book:
    """A ledger, with what its writers were told: the model of it."""

    def __init__(self, program, path):
        self.program = program
        self.path = path
        self.leaves = []
        self.erased = set()
        # The acknowledged events by position: the event as it was sent, or the type of a command's.
        self.acknowledged = {}
        # The position of each of these events, by its identity.
        self.places = {}
        # Events that were sent and not answered: they may be stored or not.
        self.open = {}
        # Whether a command was killed that may have appended something of its own.
        self.killed_command = False

    def run(self, *arguments, data=b""):
        return self.program.run(*arguments, "--ledger", self.path, data=data)

    def must(self, *arguments, data=b"", codes=(0,)):
        return self.program.must(*arguments, "--ledger", self.path, data=data, codes=codes)

    def copy_model(self, path):
        """Returns the model of a copy of this ledger."""
        copy = Book(self.program, path)
        copy.leaves, copy.erased = list(self.leaves), set(self.erased)
        copy.acknowledged, copy.places = dict(self.acknowledged), dict(self.places)
        return copy

    # The ledger's answers.

    def note(self, event, receipt):
        """Takes one receipt of an event that was sent."""
        kind = receipt["receipt"]
        expect(kind in ("appended", "duplicate"), f"a good event was answered with {receipt}")
        position = receipt["position" if kind == "appended" else "of"]
        key = identity(event)
        earlier = self.acknowledged.get(position)
        if kind == "appended":
            expect(earlier is None, f"position {position} was given twice")
            known = self.places.get(key)
            expect(known is None, f"what stood at {known} was stored again at {position}")
        elif isinstance(earlier, dict):
            expect(identity(earlier) == key, f"{event} is no duplicate of {earlier}")
        if position not in self.erased:
            self.acknowledged[position] = event
            self.places[key] = position
        self.open.pop(key, None)

    def forget(self, position):
        """Takes away what is known of an entry that was erased, but for its place."""
        event = self.acknowledged.pop(position, None)
        if isinstance(event, dict):
            del self.places[identity(event)]

    # Checks of what must hold.

    def entries(self):
        """Returns the entries, read from the pages by nothing of the program."""
        blocks = meaning.blocks((self.path / "log" / "data.mdb").read_bytes())
        found = []
        for block in blocks:
            entries = [entry for _, entry in meaning.entries_of(block)]
            first = int.from_bytes(block[24:32], "little")
            expect(first == len(found), f"the block after position {len(found) - 1} is of {first}")
            expect(len(entries) == int.from_bytes(block[4:6], "little"), "a block's count is wrong")
            found += entries
        return found

    def check(self):
        """Checks all that the log's own files say, and what `log` and `head` say of them."""
        entries = self.entries()
        leaves = [meaning.leaf(entry) for entry in entries]
        expect(len(leaves) >= len(self.leaves), f"{len(self.leaves)} entries became {len(leaves)}")
        changed = [n for n, (old, new) in enumerate(zip(self.leaves, leaves)) if old != new]
        expect(not changed, f"the entries at {changed[:5]} are others than before")
        self.check_words(entries, len(self.leaves))
        head = json.loads(self.must("head", "--format", "json"))
        expect(head["size"] == len(leaves), f"`head` says {head['size']}, {len(leaves)} are stored")
        expect(head["root"] == meaning.root(leaves).hex(), "`head` says another root")
        self.leaves = leaves
        self.killed_command = False

    def check_words(self, entries, known):
        words = [json.loads(line) for line in self.must("log", "--format", "json").splitlines()]
        expect([word["position"] for word in words] == list(range(len(entries))),
               "`log` shows other positions than 0, 1, 2 …")
        seen = {}
        for position, (word, entry) in enumerate(zip(words, entries)):
            if meaning.is_tombstone(entry):
                expect(position in self.erased, f"the entry at {position} was erased by nobody")
                continue
            expect(position not in self.erased, f"what was erased at {position} is there again")
            acknowledged = self.acknowledged.get(position)
            if isinstance(acknowledged, dict):
                expect(content(word) == content(acknowledged),
                       f"acknowledged at {position} was {acknowledged}, stored is {word}")
            elif acknowledged is not None:
                expect(word["type"] == acknowledged,
                       f"acknowledged at {position} was a {acknowledged}, stored is {word}")
            elif position >= known and word["type"] not in OWN:
                is_open = self.open.pop(identity(word), None) is not None
                expect(is_open or self.killed_command, f"nobody sent what stands at {position}")
                if is_open:
                    self.note(without_arrival(word), {"receipt": "appended", "position": position})
                else:
                    self.acknowledged[position] = word["type"]
            twin = seen.setdefault(identity(word), position)
            expect(twin == position, f"the entries at {twin} and {position} are the same event")
        beyond = [position for position in self.acknowledged if position >= len(entries)]
        expect(not beyond, f"acknowledged, and not stored: {sorted(beyond)[:5]}")

    def check_views(self):
        """Checks the views against the log, and the sums against the trips."""
        self.must("project")
        difference = self.must("project", "--check")
        expect(difference == b"", f"views differ from the log: {difference[:300]}")
        trips = self.trips()
        total = json.loads(self.must("totals", "--format", "json").splitlines()[-1],
                           parse_float=Decimal)
        counted = [trip for trip in trips if trip["status"] == "completed"]
        for name, sums in [
                ("distance_m", [trip.get("adjusted_distance_m", trip["distance_m"])
                                for trip in counted]),
                ("trips", [1 for _ in counted])]:
            expect(total[name] == sum(sums),
                   f"the total of {name} is {total[name]}, that of the trips {sum(sums)}")
        return trips

    def trips(self):
        return [json.loads(line, parse_float=Decimal)
                for line in self.must("trips", "--all", "--format", "json").splitlines()]

    def check_fold(self, directory):
        """Appends the same events to a new ledger in the order in which they happened: it must have
        the same trips and totals, but for when they were recorded and that something was erased."""
        other = Book(self.program, directory / "fold")
        other.must("init", "--time-zone", "Europe/Amsterdam")
        events = []
        for line in self.must("log", "--format", "json").splitlines():
            event = json.loads(line, parse_float=Decimal, parse_int=Decimal)
            if event["type"] not in OWN and "leaf_hash" not in event:
                del event["position"], event["recorded_at"]
                events.append((event["occurred_at"], line, event))
        events.sort(key=lambda each: each[:2])
        lines = [json.dumps(event, default=Number.of) for _, _, event in events]
        answer = json.loads(other.must("append", data="\n".join(lines).encode()).splitlines()[-1])
        expect(answer["appended"] == len(lines), f"not all events can be appended anew: {answer}")
        ours, theirs = map(Counter, (map(comparable, self.trips()), map(comparable, other.trips())))
        expect(ours == theirs, "trips are not those of the same events in their order: "
               f"{list((ours - theirs).elements())[:2]} beside {list((theirs - ours).elements())[:2]}")
        for by in ["month", "class"]:
            sums = [[without_missing(json.loads(line, parse_float=Decimal)) for line in book.must(
                "totals", "--by", by, "--format", "json").splitlines()] for book in (self, other)]
            expect(sums[0] == sums[1], "totals are not those of the same events in their order")


class Number(float):
    """A number that is written as it was read."""

    @staticmethod
    def of(decimal):
        number = Number(decimal)
        number.text = str(decimal)
        return number

    def __repr__(self):
        return self.text


def without_missing(row):
    """A row of figures without what it says that its ledger lacks."""
    return {key: value for key, value in row.items() if key != "missing"}


def comparable(trip):
    trip = {key: value for key, value in without_missing(trip).items() if key != "recorded"}
    trip["flags"] = [flag for flag in trip["flags"] if flag != "erased"]
    return json.dumps(trip, sort_keys=True, default=str)


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait(LIMIT_SECONDS)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
