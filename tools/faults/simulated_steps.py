"""What happens to a simulated ledger: one function for each kind of step, chosen by chance."""

import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

from simulated_book import Book, Broken, expect, identity, kill, meaning

SOURCES = ["phone", "tablet", "van"]
NONSENSE = [b'{"type":"fix_recorded"', b" ", b"\xff\xfe", b'{"type":"flown","source":"a"}',
            b'{"type":"go_pressed","source":"phone","occurred_at":"1970-01-01T00:00:00Z"}',
            b'{"type":"fix_recorded","source":"phone","occurred_at":"2025-01-01T00:00:00Z",'
            b'"lat":91,"lon":4}', b"[]", b"null"]


class Steps:
    """A ledger and the chance that decides what is done to it."""

    def __init__(self, program, directory, chance):
        self.program = program
        self.directory = directory
        self.chance = chance
        self.book = Book(program, directory / "book")
        self.book.must("init", "--time-zone", "Europe/Amsterdam")
        self.key = directory / "owner.key"
        self.name = "example.com/simulation"
        key = self.book.must("key", "new", "--name", self.name, "-o", self.key, "--format", "json")
        self.verifier = json.loads(key)["verifier_key"]
        self.backups = []
        self.unsent = self.drives()
        self.sent = []
        self.number = 0

    def drives(self):
        """Returns events of several sources, in an order in which they might arrive."""
        events = []
        for source in SOURCES:
            lines = self.program.must(
                "simulate", "bulk", "--drives", 6, "--fixes", 40, "--seed",
                self.chance.randrange(1, 1000), "--source", source).splitlines()
            named = self.chance.random() < 0.5
            for number, line in enumerate(lines):
                event = json.loads(line)
                if named and self.chance.random() < 0.7:
                    event["id"] = f"{source}-{number}"
                events.append(event)
        events.sort(key=lambda event: event["occurred_at"])
        # Some of it comes late, and some far too late.
        for _ in range(len(events) // 5):
            events.insert(self.chance.randrange(len(events)),
                          events.pop(self.chance.randrange(len(events))))
        return events

    def fresh(self, name):
        """Returns a path at which nothing is."""
        self.number += 1
        return self.directory / f"{name}-{self.number}"

    def take(self, most):
        count = min(len(self.unsent), self.chance.randrange(1, most))
        events, self.unsent = self.unsent[:count], self.unsent[count:]
        if self.chance.random() < 0.3:
            self.chance.shuffle(events)
        # Events that were not answered are sent again, and so are some that were.
        again = list(self.book.open.values())
        if self.sent:
            again += self.chance.choices(self.sent, k=self.chance.randrange(5))
        self.chance.shuffle(again)
        self.sent += events
        return again + events

    # Appending.

    def append(self, most=120):
        events = self.take(most)
        lines = [(event, json.dumps(event, separators=(",", ":")).encode()) for event in events]
        for _ in range(self.chance.randrange(4)):
            lines.insert(self.chance.randrange(len(lines) + 1),
                         (None, self.chance.choice(NONSENSE)))
        result = self.book.run("append", "--receipts", data=b"".join(line + b"\n" for _, line in lines))
        blank = sum(1 for event, line in lines if event is None and not line.strip())
        bad = sum(1 for event, _ in lines if event is None) - blank
        expect(result.returncode == (1 if bad else 0),
               f"`append` ended with {result.returncode}: {result.stderr.decode()[-300:]}")
        self.note(lines, result.stdout)
        summary = json.loads(result.stdout.splitlines()[-1])
        expect((summary["rejected"], summary.get("blank", 0)) == (bad, blank),
               f"{bad} lines are nonsense and {blank} blank, and `append` says {summary}")

    def note(self, lines, output):
        """Takes the receipts; returns how many there are."""
        count = 0
        for line in output.split(b"\n")[:-1]:
            receipt = json.loads(line)
            if "receipt" not in receipt:
                continue
            event = lines[receipt["line"] - 1][0]
            if event is None:
                expect(receipt["receipt"] == "rejected", f"nonsense was answered with {receipt}")
            else:
                self.book.note(event, receipt)
            count += 1
        return count

    def append_and_kill(self):
        self.append_pieces(kill_it=True)

    def append_pieces(self, kill_it=False):
        """Appends through a pipe in pieces, as many transactions; ends it at any moment."""
        events = self.take(150)
        lines = [(event, json.dumps(event).encode() + b"\n") for event in events]
        self.book.open.update({identity(event): event for event in events
                               if not self.is_known(event)})
        output = self.fresh("receipts")
        with open(output, "wb") as receipts:
            process = self.program.start("append", "--receipts", "--ledger", self.book.path,
                                         stdin=subprocess.PIPE, stdout=receipts,
                                         stderr=subprocess.DEVNULL)
            last = self.chance.randrange(len(lines) + 1) if kill_it else len(lines)
            try:
                for start in range(0, last, 7):
                    process.stdin.write(b"".join(line for _, line in lines[start:start + 7]))
                    process.stdin.flush()
                    if self.chance.random() < 0.3:
                        time.sleep(self.chance.random() / 100)
                if kill_it:
                    time.sleep(self.chance.random() / 50)
                    kill(process)
                process.stdin.close()
            except BrokenPipeError as error:
                raise Broken("`append` ended by itself") from error
            process.wait()
        count = self.note(lines, output.read_bytes())
        expect(kill_it or count == len(lines), f"{len(lines)} were sent, {count} answered")
        output.unlink()

    def is_known(self, event):
        return identity(event) in self.book.places

    def append_by_two(self):
        """Two processes append at the same time, partly the same events."""
        events = self.take(100)
        parts = [[event for event in events if self.chance.random() < 0.7] for _ in range(2)]
        outputs = [b"", b""]

        def write(index):
            lines = b"\n".join(json.dumps(event).encode() for event in parts[index])
            outputs[index] = self.book.run("append", "--receipts", data=lines).stdout

        threads = [threading.Thread(target=write, args=(index,)) for index in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # A duplicate may be answered before its original is noted.
        answers = [(parts[index][receipt["line"] - 1], receipt) for index in range(2)
                   for receipt in map(json.loads, outputs[index].splitlines())
                   if "receipt" in receipt]
        answers.sort(key=lambda answer: answer[1]["receipt"])
        expect(len(answers) == sum(map(len, parts)), "two writers were not both answered")
        for event, receipt in answers:
            self.book.note(event, receipt)
        self.unsent = [event for event in events
                       if event not in parts[0] and event not in parts[1]] + self.unsent

    # Decisions of people.

    def decide(self, and_kill=False):
        command = self.decision()
        if not and_kill:
            result = self.book.run(*command, "--format", "json")
            # A decision that is impossible, such as merging trips at the same time, is refused.
            if result.returncode in (64, 65):
                return
            expect(result.returncode in (0, 1), f"`{' '.join(command)}`: {result.stderr.decode()}")
            for receipt in map(json.loads, result.stdout.splitlines()):
                if receipt.get("receipt") == "appended":
                    self.acknowledge(receipt["position"])
            return
        self.book.killed_command = True
        self.kill_soon(command)

    def acknowledge(self, position):
        word = json.loads(self.book.must("log", "--format", "json").splitlines()[position])
        self.book.acknowledged[position] = word["type"]

    def decision(self):
        trips = [trip["id"] for trip in self.book.trips()]
        chance = self.chance
        free = [["go", "--source", chance.choice(SOURCES + ["driver"])],
                ["stop", "--source", chance.choice(SOURCES + ["driver"])],
                ["fix", "--lat", "51.9", "--lon", "4.4", "--source", "driver"],
                ["motion", "automotive", "--confidence", "high", "--source", "driver"],
                ["routine", "save", "Office", "--title", f"Office {chance.randrange(9)}"],
                ["routine", "remove", "Office"],
                ["place", "save", f"Place {chance.randrange(5)}", "--lat", "51.93",
                 "--lon", f"4.{chance.randrange(300, 500)}", "--radius", "150"],
                ["vehicle", "register", "van", "--plate", f"V-{chance.randrange(100)}"],
                ["odometer", "van", str(chance.randrange(1000, 9000))],
                ["rules", "preset", chance.choice(["phone", "history", "logger"])],
                ["report-trip", "--km", "12.5", "--from", f"2025-03-{chance.randrange(10, 28)}"
                 "T09:00:00+01:00", "--to", "2025-03-28T09:30:00+01:00"]]
        if len(trips) < 2:
            return chance.choice(free)
        trip, other = chance.sample(trips, 2)
        started = next(t["started_at"] for t in self.book.trips() if t["id"] == trip)
        about = [["edit", trip, "--purpose", f"Visit {chance.randrange(50)}", "--class",
                  chance.choice(["business", "personal", "commute"])],
                 ["adjust", trip, "--km", str(chance.randrange(1, 90)), "--why", "odometer"],
                 ["void", trip, "--why", "no trip"], ["restore", trip],
                 ["merge", trip, other, "--why", "petrol"],
                 ["split", trip, "--at", started.replace(":00:", ":01:"), "--why", "school"],
                 ["routine", "apply", trip, "Office"], ["recover", "save", trip]]
        return chance.choice(about if chance.random() < 0.7 else free)

    # Keeping.

    def kill_soon(self, command):
        process = self.program.start(*command, "--ledger", self.book.path,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
        time.sleep(self.chance.random() ** 2 / 10)
        kill(process)

    def decide_and_kill(self):
        self.decide(and_kill=True)

    def kill_upkeep(self):
        """Kills what reads the log, writes views, or writes somewhere else."""
        path = self.fresh("killed")
        self.kill_soon(self.chance.choice([
            ["project"], ["project", "--rebuild"], ["project", "--check"], ["backup", path],
            ["export", path], ["head", "--sign", "--key", self.key], ["verify"], ["scrub"],
            ["erase", "--sweep", "--yes"]]))
        self.remove(path)

    def views(self):
        """Does something to the views, which are nothing that the log does not say."""
        deed = self.chance.randrange(4)
        if deed == 0:
            self.book.must("project", "--rebuild")
        elif deed == 1:
            shutil.rmtree(self.book.path / "views", ignore_errors=True)
        elif deed == 2:
            self.book.must("project")
        else:
            self.damage_views()

    def damage_views(self):
        """Flips a bit of the views: `--check` may say so, and a rebuild makes it good."""
        file = self.book.path / "views" / "data.mdb"
        if not file.exists():
            return
        data = bytearray(file.read_bytes())
        data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
        file.write_bytes(data)
        self.book.must("project", "--check", codes=(0, 1))
        self.book.must("project", "--rebuild")

    def erase(self, and_kill=False):
        words = [json.loads(line) for line in
                 self.book.must("log", "--format", "json").splitlines()]
        fixes = [word["position"] for word in words if word["type"] == "fix_recorded"]
        if not fixes:
            return
        first = self.chance.choice(fixes)
        last = first
        while last + 1 in fixes and self.chance.random() < 0.5:
            last += 1
        positions = range(first, last + 1)
        listed = f"{first}-{last}" if last > first else str(first)
        command = ["erase", listed, "--why", "asked for", "--yes"]
        if and_kill:
            self.kill_soon(command)
            if meaning.is_tombstone(self.book.entries()[first]):
                self.book.erased.update(positions)
            self.book.must("erase", "--sweep", "--yes", codes=(0, 1, 64))
        else:
            self.book.must(*command)
            self.book.erased.update(positions)
        for position in positions:
            if position in self.book.erased:
                self.book.forget(position)

    def erase_and_kill(self):
        self.erase(and_kill=True)

    def back_up(self):
        path = self.fresh("backup")
        self.book.must("backup", path)
        self.backups.append((path, self.book.copy_model(self.book.path), list(self.book.leaves)))

    def restore(self):
        """Makes a ledger of a backup beside this one, or puts it in the place of this one."""
        if not self.backups:
            return self.back_up()
        path, model, _ = self.chance.choice(self.backups)
        if self.chance.random() < 0.6:
            copy = model.copy_model(self.fresh("restored"))
            if self.signed_size() > len(model.leaves):
                return self.refuse_to_restore(path, copy)
            copy.must("restore-backup", path)
            copy.check()
            copy.check_views()
            return self.remove(copy.path)
        lost = self.book
        self.book.must("restore-backup", path, "--accept-loss")
        self.book = model.copy_model(lost.path)
        # A sender with receipts for what is lost now sends it again.
        for position, event in lost.acknowledged.items():
            if isinstance(event, dict) and position >= len(model.leaves):
                self.unsent.append(event)
        self.unsent += [event for event in lost.open.values()]
        # Copies made since are of another history.
        self.backups = [each for each in self.backups if len(each[2]) <= len(model.leaves)]
        for left in self.directory.glob("book.*"):
            self.remove(left)
        return None

    def refuse_to_restore(self, path, copy):
        """Checks that an older state is restored only on request when a signed head tells of more."""
        result = copy.run("restore-backup", path)
        expect(result.returncode == 1 and b"is known to have had" in result.stderr,
               f"an older state was restored in silence: {result.stderr.decode()}")
        expect(not copy.path.exists(), "a refused restore left something")

    def signed_size(self):
        """Returns how many entries the owner's signed head says that there are."""
        notes = (self.directory / "home" / ".local/state/ledger/heads").glob("*.note")
        return max((int(note.read_text().splitlines()[1]) for note in notes), default=0)

    # Proving.

    def prove(self):
        self.book.must("head", "--sign", "--key", self.key)
        folder = self.fresh("proof")
        known = [p for p in range(len(self.book.leaves)) if p not in self.book.erased]
        self.book.must("prove", self.chance.choice(known), "-o", folder)
        self.program.must("verify", folder, "--key", self.verifier)
        self.book.must("verify", "--key", self.verifier)
        self.remove(folder)

    def copy_by_export(self):
        form = self.chance.choice(["jsonl", "tiles"])
        path = self.fresh("export")
        self.book.must("export", "--as", form, path)
        head = json.loads(self.book.must("head", "--format", "json"))
        self.program.must("verify", path, f"{head['size']}:{head['root']}")
        copy = self.book.copy_model(self.fresh("imported"))
        copy.must("import", path)
        copy.check()
        expect(comparable_trips(copy) == comparable_trips(self.book), "a copy has other trips")
        self.remove(path)
        self.remove(copy.path)

    def rescue(self):
        """Rescues a copy of the log in which a page was zeroed: what comes back is a beginning.

        More than the log comes back where an append was killed before its commit: pages that only
        a commit's last page was to name look the same when that page was lost after the commit.
        """
        damaged, saved = self.fresh("damaged"), self.fresh("saved")
        shutil.copytree(self.book.path, damaged)
        file = damaged / "log" / "data.mdb"
        data = bytearray(file.read_bytes())
        page = self.chance.randrange(len(data) // 4096) * 4096
        data[page:page + 4096] = bytes(4096)
        file.write_bytes(data)
        result = self.program.run("rescue", damaged, "-o", saved)
        expect(result.returncode in (0, 1, 2),
               f"`rescue` ended with {result.returncode}: {result.stderr.decode()[-300:]}")
        if (saved / "log").exists():
            copy = Book(self.program, saved)
            leaves = [meaning.leaf(entry) for entry in copy.entries()]
            stored = self.book.leaves
            expect(leaves[:len(stored)] == stored[:len(leaves)],
                   "what was rescued is something else")
            expect(result.returncode == 1 or len(leaves) == len(stored),
                   "`rescue` does not say that there are fewer or more entries than there were")
            self.check_sent(copy, len(stored))
            copy.check_views()
        self.remove(damaged)
        self.remove(saved)

    def check_sent(self, copy, first):
        """Checks that the fixes from a position on were sent by this simulation."""
        words = [json.loads(line) for line in
                 copy.must("log", "--format", "json").splitlines()[first:]]
        sent = {identity(event) for event in self.sent}
        unknown = [word["position"] for word in words
                   if word["type"] == "fix_recorded" and word["source"] in SOURCES
                   and identity(word) not in sent]
        expect(not unknown, f"nobody sent what was rescued at {unknown[:5]}")

    def compact(self):
        self.book.must("compact")

    @staticmethod
    def remove(path):
        if Path(path).is_dir():
            shutil.rmtree(path)
        else:
            Path(path).unlink(missing_ok=True)


def comparable_trips(book):
    return [trip for trip in book.trips()]


# How often each happens, in relation to the others.
WEIGHTS = {
    "append": 6, "append_pieces": 3, "append_and_kill": 6, "append_by_two": 3, "decide": 8,
    "decide_and_kill": 3, "kill_upkeep": 4, "views": 3, "erase": 2, "erase_and_kill": 2,
    "back_up": 2, "restore": 2, "prove": 2, "copy_by_export": 2, "rescue": 2, "compact": 2}
