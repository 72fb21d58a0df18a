"""Fleets, parts 4 and 13: groups mean the same in any layout of shards, and leave without a trace in others."""

import hashlib
import json
import os
import random
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

DRIVERS, DAYS = 64, 3
LAYOUTS = (1, 4, 8)
MANY = 200
PROVEN = 12
AS_OF = "2100-01-01T00:00:00Z"
OF_LEDGER = {"ledger_created", "source_registered", "records_imported", "events_received"}


class Shard:
    """A ledger in a directory of its own."""

    def __init__(self, ledger, path):
        self.ledger = str(ledger)
        self.path = path
        # Keys are kept there, not among the user's.
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(path.parent / "configuration")}
        self.run("init", "--time-zone", "Europe/Amsterdam")

    def run(self, *words, stdin=None, codes=(0,)):
        said = subprocess.run([self.ledger, "--ledger", str(self.path), *map(str, words)], input=stdin,
                              capture_output=True, env=self.environment)
        assert said.returncode in codes, f"{words}: {said.stderr.decode().strip()}"
        return said.stdout

    def lines(self, *words):
        return [json.loads(line) for line in self.run(*words, "--format", "json").splitlines()]

    def rows(self):
        """Returns the rows of each group, without when they were recorded."""
        found = {}
        lists = (("trips", "--all", "--as-of", AS_OF), ("visits",),
                 ("totals", "--by", "group", "--as-of", AS_OF))
        for words in lists:
            for row in self.lines(*words):
                # When it was stored, and how many entries the ledger lacks, is of the ledger.
                row.pop("recorded", None), row.pop("missing", None)
                if words[0] == "totals" and row["kind"] == "total":
                    continue
                group = row.get("group") or (row.get("name") if words[0] == "totals" else None) or ""
                found.setdefault(group, []).append(f"{words[0]} {json.dumps(row, sort_keys=True)}")
        return {group: sorted(rows) for group, rows in found.items()}


def recordings(ledger, number):
    """Returns what the phone and the box of a driver recorded, and what the driver said by hand."""
    made = subprocess.run([ledger, "simulate", "driver", "--person", f"v{number:04d}", "--vehicle",
                           "car", "--days", str(DAYS)], capture_output=True, check=True).stdout
    made = made.replace(b'"source":"manual"', b'"source":"%d-manual"' % number)
    phone = f'"source":"v{number:04d}-phone"'.encode()
    # The box records every other fix of the same drives.
    box = [line.replace(phone, b'"source":"%d-box"' % number)
           for line in made.splitlines(keepends=True)[::2] if phone in line]
    return made + b"".join(box)


def decide(shard, number, chance):
    """Decides things of a group, under names that all groups use."""
    group = str(number)
    trips = shard.lines("trips", "--group", group)
    shard.run("place", "save", "home", "--at-trip-start", trips[-1]["id"], "--group", group)
    shard.run("place", "save", "office", "--at-trip-end", trips[-1]["id"], "--group", group)
    shard.run("vehicle", "register", "car", "--plate", f"X-{number}", "--group", group)
    shard.run("odometer", "car", 300_000 + number, "--group", group)
    for trip in chance.sample(trips, min(2, len(trips))):
        shard.run("edit", trip["id"], "--purpose", f"visit {number}", "--class", "business", "-y")
    same = [trip for trip in trips if trip["source"] == trips[0]["source"]]
    if len(same) > 1:
        shard.run("merge", same[0]["id"], same[1]["id"], "--why", "one way", codes=(0, 1, 65))


def origin_of(ledger, directory, seed):
    """Makes the one ledger from whose lines all layouts are made."""
    shard = Shard(ledger, directory / "origin")
    for number in range(DRIVERS):
        shard.run("append", "--group", number, stdin=recordings(ledger, number))
        decide(shard, number, random.Random(seed + number))
    shard.run("place", "save", "depot", "--lat", "52", "--lon", "4.4", "--radius", "5000")
    return shard


def home_of(group, count):
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8], "big") % count


def laid_out(ledger, directory, lines, count, seed, has_groups=True):
    """Appends lines to so many shards, shuffled and doubled; returns the rows of all groups."""
    chance = random.Random(seed)
    of_shard = [[] for _ in range(count)]
    for line in lines:
        event = json.loads(line)
        group = event.get("group")
        if not has_groups:
            event.pop("group", None)
        text = json.dumps(event).encode() + b"\n"
        # What the owner has set holds in every shard.
        for index in range(count) if group is None else [home_of(group, count)]:
            of_shard[index] += [text, text]
    name = f"{'of' if has_groups else 'without'}-{count}"

    def append(index):
        chosen = of_shard[index]
        shard = Shard(ledger, directory / f"{name}-{index}")
        shard.run("append", "-", stdin=b"".join(chosen))
        rows = shard.rows()
        shutil.rmtree(shard.path)
        return rows

    for chosen in of_shard:
        chance.shuffle(chosen)
    with ThreadPoolExecutor(2) as pool:
        found = {}
        for rows in pool.map(append, range(count)):
            for group, of_group in rows.items():
                found.setdefault(group, []).extend(of_group)
    return {group: sorted(rows) for group, rows in found.items()}


def check_layouts(ledger, directory, seed):
    origin = origin_of(ledger, directory, seed)
    log = origin.run("log", "--format", "json").splitlines()
    lines = [line for line in log if json.loads(line).get("type") not in OF_LEDGER]
    expected = {group: rows for group, rows in origin.rows().items() if group}
    count = sum(map(len, expected.values()))
    for shards in LAYOUTS:
        found = laid_out(ledger, directory, lines, shards, seed)
        different = [group for group, rows in expected.items() if found.get(group) != rows]
        assert not different, f"seed {seed}, {shards} shards: groups {different[:5]} have other rows"
    alone, apart = (
        sum(laid_out(ledger, directory, lines, shards, seed, has_groups=False).values(), [])
        for shards in (1, 8))
    differing = len(set(alone) ^ set(apart))
    assert differing, "control: without groups the layouts make the same rows"
    print(f"groups: {DRIVERS} drivers, {len(lines):,} lines, shuffled and doubled: {count:,} rows are "
          f"equal in {', '.join(map(str, LAYOUTS))} shards; without groups {differing:,} differ "
          f"(seed {seed})")


def check_leaving(ledger, directory, seed):
    """Part 13: one group of many is exported and erased."""
    chance = random.Random(seed)
    shard = Shard(ledger, directory / "many")
    drive = subprocess.run([ledger, "simulate", "tunnel"], capture_output=True, check=True).stdout
    lines = []
    for number in range(MANY):
        for line in drive.splitlines():
            event = json.loads(line)
            event.update(source=f"{number}-phone", group=str(number))
            lines.append(json.dumps(event).encode() + b"\n")
    shard.run("append", "-", stdin=b"".join(lines))
    key = shard.lines("key", "new")[0]["verifier_key"]
    shard.run("head", "--sign")
    before = shard.rows()
    leaving = str(chance.randrange(MANY))
    others = [group for group in before if group != leaving]
    proofs = []
    for group in chance.sample(others, PROVEN):
        trip = shard.lines("trips", "--group", group)[0]["id"]
        proofs.append(directory / f"proof-{group}")
        shard.run("prove", trip, "--output", proofs[-1])
    other = Shard(ledger, directory / "other")
    told = shard.run("export", "--group", leaving, "-")
    other.run("append", "-", stdin=told)
    assert other.rows().get(leaving) == before[leaving], f"seed {seed}: the group is not what it was"
    shard.run("erase", "--group", leaving, "--why", "moved", "--yes")
    after = shard.rows()
    assert leaving not in after, f"seed {seed}: the group is still there"
    different = [group for group in others if after.get(group) != before[group]]
    assert not different, f"seed {seed}: groups {different[:5]} have other rows"
    shard.run("verify")
    for proof in proofs:
        said = subprocess.run([ledger, "verify", proof, "--key", key], capture_output=True)
        assert said.returncode == 0, f"seed {seed}: {proof}: {said.stdout.decode()}"
    print(f"groups: 1 of {MANY} moved to another ledger and was erased; the rows of the others are "
          f"equal, and {len(proofs)} proofs verify (seed {seed})")


def run(programs, scratch):
    """Runs both parts with the program `programs["ledger"]`; prints figures."""
    directory = scratch / "groups"
    directory.mkdir()
    seed = random.randrange(1 << 32)
    check_layouts(str(programs["ledger"]), directory, seed)
    check_leaving(str(programs["ledger"]), directory, seed)
    shutil.rmtree(directory)
