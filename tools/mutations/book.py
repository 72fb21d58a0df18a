"""The sound ledger and its copies, exports and proofs, of which mutations are made."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import meaning

NAME = "example.com/mutations"


class Program:
    """The `ledger` that is tested."""

    def __init__(self, path, limit, scratch):
        self.path = path
        self.limit = limit
        self.scratch = scratch

    def run(self, *arguments, home, stdin=None):
        """Returns the exit code, negative for a signal, None for a standstill; and the output."""
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=str(self.scratch),
                           HOME=str(home))
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEDGER_DIR"]:
            environment.pop(name, None)
        try:
            result = subprocess.run(
                [str(self.path), *map(str, arguments)], input=stdin, capture_output=True,
                timeout=self.limit, env=environment)
            return result.returncode, result.stdout + result.stderr
        except subprocess.TimeoutExpired:
            return None, b""

    def must(self, *arguments, home, stdin=None):
        code, output = self.run(*arguments, home=home, stdin=stdin)
        if code != 0:
            sys.exit(f"mutations: exit code {code}: ledger {' '.join(map(str, arguments))}\n"
                     + output.decode())
        return output


class Book:
    """What is damaged: folders for `ledger`, exports, `proofs`, `heads` and `bundle`, each of them
    three times.

    `older` is what there was half of the way, `fork` another continuation of that by the same owner.
    """

    EXPORTS = {"jsonl": [], "tiles": [], "withheld jsonl": ["--withhold", "personal"],
               "withheld tiles": ["--withhold", "personal"]}

    def __init__(self, program, directory, seed, is_compact=False):
        self.program = program
        self.is_compact = is_compact
        self.directory = directory
        self.base = directory / "base"
        self.older = directory / "older"
        self.fork = directory / "fork"
        self.key = directory / "owner.key"
        self.verifier = None
        self.head = None
        self.year = None
        self.make(seed)
        self.entries, _ = meaning.ledger(self.base / "ledger" / "book")

    def must(self, *arguments, case=None, stdin=None):
        """Runs a command on one of the ledgers."""
        case = (case or self.base) / "ledger"
        return self.program.must(*arguments, "--ledger", case / "book", home=case / "home",
                                 stdin=stdin)

    def append(self, lines, case=None):
        """Appends in many transactions."""
        for start in range(0, len(lines), 50):
            self.must("append", case=case, stdin=b"\n".join(lines[start:start + 50]))
        self.must("project", case=case)

    def lines(self, seed):
        """Events of two phones, late ones and named ones among them."""
        lines = self.program.must("simulate", "bulk", "--drives", 8, "--fixes", 250, "--seed",
                                  seed, home=self.directory).splitlines()
        lines = [line.replace(b'"simulated-phone"', b'"second-phone"')
                 if index // 252 % 4 == 3 else line for index, line in enumerate(lines)]
        lines[-150:] = [line[:-1] + b',"id":"n%d"}' % index
                        for index, line in enumerate(lines[-150:])]
        late = lines[100:160]
        del lines[100:160]
        return lines + late

    def make(self, seed):
        (self.base / "ledger" / "home").mkdir(parents=True)
        self.must("init")
        lines = self.lines(seed)
        half = len(lines) // 2
        self.append(lines[:half])
        self.must("vehicle", "register", "van", "--plate", "V-123-AB")
        self.must("place", "save", "Office", "--lat", "51.942", "--lon", "4.485",
                  "--radius", "150")
        key = self.must("key", "new", "--name", NAME, "-o", self.key, "--format", "json")
        self.verifier = json.loads(key)["verifier_key"]
        self.must("head", "--sign", "--key", self.key)
        shutil.copytree(self.base, self.older)
        self.decide()
        self.append(lines[half:])
        if self.is_compact:
            self.compact()
        self.must("backup", self.directory / "base.backup")
        self.must("head", "--sign", "--key", self.key)
        shutil.copytree(self.older, self.fork)
        self.append(lines[half:half + 100] + lines[half + 101:], case=self.fork)
        self.must("head", "--sign", "--key", self.key, case=self.fork)
        for case in [self.base, self.older, self.fork]:
            for name, options in self.EXPORTS.items():
                (case / name).mkdir()
                if options:
                    options = [*options, "--key", self.key]
                self.must("export", "--as", name.split()[-1], *options, case / name / "out",
                          case=case)
            self.prove(case)
            self.bundle(case)
        head = json.loads(self.must("head", "--format", "json"))
        self.head = f"{head['size']}:{head['root']}"

    def bundle(self, case):
        """Makes the bundle of the year of the first trip, without signatures."""
        trips = self.must("trips", "--all", "--format", "json", case=case).splitlines()
        self.year = min(int(json.loads(trip)["started_at"][:4]) for trip in trips)
        (case / "bundle").mkdir()
        self.must("bundle", "--year", self.year, "--jurisdiction", "us", "-o",
                  case / "bundle" / "out", case=case)

    def compact(self):
        """Compacts the ledger, and reads the same entries from it."""
        book = self.base / "ledger" / "book"
        before = meaning.ledger(book)[0]
        self.must("compact")
        if meaning.ledger(book)[0] != before:
            sys.exit("mutations: a compacted ledger has other entries than before")

    def decide(self):
        """What people say about trips, and what they have erased."""
        trips = [json.loads(line)["id"] for line in
                 self.must("trips", "--all", "--format", "json").splitlines()]
        self.must("routine", "save", "Office", "--title", "To the office", "--class", "commute")
        self.must("edit", trips[0], "--purpose", "Roof inspection", "--class", "business")
        self.must("edit", trips[1], "--class", "personal")
        self.must("adjust", trips[2], "--km", "12.3", "--why", "detour")
        self.must("erase", "20-22,30", "--why", "asked for", "--yes")
        # Its head is compared with the entries, even if those are forged.
        self.must("report", "log", "--year", 2026, "--sums", "--issue")

    def prove(self, case):
        """Proofs of three events; the newest head, an older one, and what links them."""
        (case / "proofs" / "out").mkdir(parents=True)
        for position in [0, 444, 777] if case is self.older else [0, 777, 1500]:
            folder = case / "proofs" / str(position)
            self.must("prove", position, "-o", folder, case=case)
            for file in folder.iterdir():
                shutil.move(file, case / "proofs" / "out" / file.name)
            folder.rmdir()
        out = case / "heads" / "out"
        out.mkdir(parents=True)
        notes = sorted((case / "ledger" / "book" / "heads").glob("*.note"))
        shutil.copy(notes[0], out / "old.note")
        shutil.copy(notes[-1], out / "new.note")
        proof = self.must("prove", "--consistency", out / "old.note", out / "new.note", case=case)
        (out / "consistency.proof").write_bytes(proof)

    def strange_note(self):
        """Returns the newest head as signed by another person under the owner's name."""
        case = self.directory / "stranger"
        if not case.exists():
            shutil.copytree(self.base / "ledger" / "book", case / "ledger" / "book",
                            ignore=lambda folder, names: {"heads"} & set(names))
            (case / "ledger" / "home").mkdir()
            key = self.directory / "stranger.key"
            self.must("key", "new", "--name", NAME, "-o", key, case=case)
            self.must("head", "--sign", "--key", key, case=case)
        return sorted((case / "ledger" / "book" / "heads").glob("*.note"))[-1].read_bytes()
