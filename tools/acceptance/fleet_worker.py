"""Fleets, parts 5 and 7: streams of segments, `ledger worker`, and rules that were never adopted."""

import hashlib
import json
import random
import shutil
import subprocess
import time

import fleet_shards
from fleet_shards import AS_OF

SHARDS, DRIVERS, DAYS = 8, 2, 30
MUTATIONS = 40
CODES = {"bad_frame", "gap", "wrong_root", "truncated", "unknown_version"}


def work(ledger, stream, *options):
    return subprocess.run([ledger, "worker", "--as-of", AS_OF, *map(str, options)], input=stream,
                          capture_output=True)


def rows_and_ends(output):
    """Returns the rows as `trips` prints them, by ledger, and the ends."""
    rows, ends, digests, current = {}, [], [], hashlib.sha256()
    for line in output.splitlines(keepends=True):
        said = json.loads(line)
        if said["kind"] == "end":
            ends.append(said)
            digests.append(current.hexdigest())
            current = hashlib.sha256()
            rows.setdefault(said["ledger"], b"")
            continue
        current.update(line)
        start = line.index(b'"row":') + len(b'"row":')
        rows[said["ledger"]] = rows.get(said["ledger"], b"") + line[start:-2] + b"\n"
    assert [end.get("sha256") for end in ends] == digests, "an end names other rows"
    return rows, ends


def mutated(stream, chance):
    """Returns a stream with one thing wrong: a bit, a cut, or a piece that is gone or doubled."""
    place = chance.randrange(len(stream))
    kind = chance.randrange(4)
    if kind == 0:
        changed = stream[place] ^ 1 << chance.randrange(8)
        return stream[:place] + bytes([changed]) + stream[place + 1:]
    if kind == 1:
        return stream[:place]
    length = chance.randrange(1, 100)
    if kind == 2:
        return stream[:place] + stream[place + length:]
    return stream[:place + length] + stream[place:]


def check_mutations(ledger, stream, seed):
    chance = random.Random(seed)
    for number in range(MUTATIONS):
        damaged = mutated(stream, chance)
        said = work(ledger, damaged, "--scratch", "/dev/shm")
        assert said.returncode == 65, f"seed {seed}, mutation {number}: exit {said.returncode}"
        assert b'"kind":"end"' not in said.stdout, f"seed {seed}, mutation {number}: it has an end"
        result = subprocess.run(
            [ledger, "--format", "json", "--ledger", f"/dev/shm/none-{seed}", "import", "-"],
            input=damaged, capture_output=True)
        code = json.loads(result.stderr)["code"]
        assert result.returncode == 65 and code in CODES, f"seed {seed}, mutation {number}: {code}"


def check_lists(ledger, book, stream):
    """Each list of `--emit` is that of its command."""
    said = work(ledger, stream.read_bytes(), "--emit", "vehicles,totals,visits,trips")
    assert said.returncode == 0, said.stderr.decode()
    found = {}
    for line in said.stdout.splitlines():
        kind = json.loads(line)["kind"]
        found.setdefault(kind, []).append(line[line.index(b'"row":') + len(b'"row":'):-1]
                                          if kind != "end" else line)
    lists = {"trip": ("trips", "--all", "--as-of", AS_OF), "visit": ("visits",),
             "total": ("totals", "--as-of", AS_OF), "vehicle": ("vehicle", "list")}
    for kind, words in lists.items():
        expected = fleet_shards.output_of(ledger, "--ledger", book, *words, "--format", "json")
        assert found.get(kind, []) == expected.splitlines(), f"{kind}: rows are not those of {words[0]}"
    assert json.loads(found["end"][0])["rows"] == sum(map(len, found.values())) - 1


def check_rules(ledger, book, stream, scratch):
    """Part 7: rules that a worker is given are as if they had been adopted."""
    copy = scratch / "adopted"
    with open(stream, "rb") as file:
        fleet_shards.output_of(ledger, "--ledger", copy, "import", "-", stdin=file)
    fleet_shards.output_of(ledger, "--ledger", copy, "rules", "set", "silence_seconds=120",
                           "--from", "2000-01-01T00:00:00Z")
    log = fleet_shards.output_of(ledger, "--ledger", copy, "log", "--format", "json")
    adopted = [line for line in log.splitlines(keepends=True)
               if json.loads(line).get("type") == "rules_adopted"]
    rules = scratch / "rules.jsonl"
    rules.write_bytes(b"".join(adopted[-1:]))
    said = work(ledger, stream.read_bytes(), "--rules", rules)
    assert said.returncode == 0, said.stderr.decode()
    (rows,) = rows_and_ends(said.stdout)[0].values()
    assert rows == fleet_shards.trips_of(ledger, copy), "rules in a file are not those adopted"
    assert rows != fleet_shards.trips_of(ledger, book), "control: the rules change nothing"


def run(programs, scratch):
    """Runs both parts with the program `programs["ledger"]`; prints figures."""
    ledger = programs["ledger"]
    directory = scratch / "worker"
    directory.mkdir()
    books = fleet_shards.make(ledger, directory, SHARDS, DRIVERS, DAYS)
    streams = [fleet_shards.stream_of(ledger, book) for book in books]
    whole = b"".join(stream.read_bytes() for stream in streams)
    start = time.monotonic()
    said = work(ledger, whole)
    seconds = time.monotonic() - start
    assert said.returncode == 0, said.stderr.decode()
    rows, ends = rows_and_ends(said.stdout)
    expected = [fleet_shards.trips_of(ledger, book) for book in books]
    assert list(rows.values()) == expected, "a worker's rows are not those of `ledger trips`"
    entries = sum(end["size"] for end in ends)
    print(f"worker: {SHARDS} shards, {entries:,} entries, {seconds:.2f} s, "
          f"{entries / seconds / 1e6:.2f} M/s")
    again = work(ledger, whole, "--scratch", directory, "--memory", "1M")
    assert again.stdout == said.stdout, "another place or memory makes other bytes"
    seed = random.randrange(1 << 32)
    check_mutations(ledger, streams[0].read_bytes(), seed)
    print(f"worker: {MUTATIONS} mutations refused (seed {seed})")
    check_lists(ledger, books[0], streams[0])
    check_rules(ledger, books[0], streams[0], directory)
    print("worker: rules in a file make the trips of rules that were adopted")
    shutil.rmtree(directory)
