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
ROUNDS = 3


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


def frames_of(stream):
    """Returns the kind and the payload of each frame."""
    frames, place = [], 0
    while place < len(stream):
        end = place + 5 + int.from_bytes(stream[place + 1:place + 5], "big")
        frames.append((stream[place:place + 1], stream[place + 5:end]))
        place = end
    return frames


def bytes_of(frames):
    return b"".join(kind + len(payload).to_bytes(4, "big") + payload for kind, payload in frames)


def flipped(text, place, chance):
    """Returns bytes with one bit of a byte changed."""
    return text[:place] + bytes([text[place] ^ 1 << chance.randrange(8)]) + text[place + 1:]


def some(frames, chance):
    """Returns the number of a segment, what stands before and after it, and its payload."""
    number = chance.choice([number for number, (kind, _) in enumerate(frames) if kind == b"S"])
    return frames[:number], frames[number][1], frames[number + 1:]


def with_end(frames, payload):
    return bytes_of(frames[:-1] + [(b"E", payload)])


def with_header(frames, member, change):
    """Returns the stream with another value of a member of what begins it."""
    header = json.loads(frames[0][1])
    header[member] = change(header[member])
    return bytes_of([(b"H", json.dumps(header, separators=(",", ":")).encode())] + frames[1:])


def unknown_kind(frames, chance):
    before, payload, after = some(frames, chance)
    return bytes_of(before + [(b"X", payload)] + after)


def too_long(frames, chance):
    before, payload, after = some(frames, chance)
    length = chance.randrange((16 << 20) + 1, 1 << 32).to_bytes(4, "big")
    return bytes_of(before) + b"S" + length + payload + bytes_of(after)


def left_out(frames, chance):
    before, _, after = some(frames, chance)
    return bytes_of(before + after)


def doubled(frames, chance):
    before, payload, after = some(frames, chance)
    return bytes_of(before + [(b"S", payload)] * 2 + after)


def moved(frames, chance):
    before, payload, after = some(frames, chance)
    first = int.from_bytes(payload[:8], "big") + 1
    return bytes_of(before + [(b"S", first.to_bytes(8, "big") + payload[8:])] + after)


def other_root(frames, chance):
    before, payload, after = some(frames, chance)
    return bytes_of(before + [(b"S", flipped(payload, chance.randrange(16, 48), chance))] + after)


def other_entry(frames, chance):
    before, payload, after = some(frames, chance)
    ends, place = [], 48
    while place < len(payload):
        place += 2 + int.from_bytes(payload[place:place + 2], "big")
        ends.append(place)
    # The last byte belongs to what happened; the first entry names the ledger.
    return bytes_of(before + [(b"S", flipped(payload, chance.choice(ends[1:]) - 1, chance))] + after)


def shorter_entries(frames, chance):
    before, payload, after = some(frames, chance)
    return bytes_of(before + [(b"S", payload[:-chance.randrange(1, 40)])] + after)


# What is done to a stream, and the code with which it is refused.
MUTATIONS = {
    "a frame of an unknown kind": ("bad_frame", unknown_kind),
    "a length over the limit": ("bad_frame", too_long),
    "a segment that is cut short": ("bad_frame", shorter_entries),
    "an end that holds something": ("bad_frame", lambda frames, _: with_end(frames, b"more")),
    "a frame after the end": ("bad_frame", lambda frames, _: bytes_of(frames + frames[-1:])),
    "a segment that is left out": ("gap", left_out),
    "a segment twice": ("gap", doubled),
    "a segment that says another position": ("gap", moved),
    "a header with another size": (
        "gap", lambda frames, chance: with_header(frames, "size", lambda size: size + chance.choice([-1, 1]))),
    "a segment with another root": ("wrong_root", other_root),
    "an entry with another bit": ("wrong_root", other_entry),
    "a header with another root": (
        "wrong_root", lambda frames, _: with_header(frames, "root", lambda root: root[::-1])),
    "no end": ("truncated", lambda frames, _: bytes_of(frames[:-1])),
    "a cut": ("truncated", lambda frames, chance: bytes_of(frames)[:chance.randrange(
        1, len(bytes_of(frames)))]),
    "another version": (
        "unknown_version", lambda frames, _: with_header(frames, "format", lambda name: name[:-1] + "2")),
}


def check_mutations(ledger, stream, seed):
    """Damage is refused by its own code, by the worker and by import, and makes no end."""
    chance, frames = random.Random(seed), frames_of(stream)
    assert bytes_of(frames) == stream and with_header(frames, "size", int) == stream
    for what, (code, change) in MUTATIONS.items():
        for _ in range(ROUNDS):
            damaged = change(frames, chance)
            said = work(ledger, damaged, "--scratch", "/dev/shm")
            assert b'"kind":"end"' not in said.stdout, f"seed {seed}, {what}: it has an end"
            imported = subprocess.run(
                [ledger, "--format", "json", "--ledger", f"/dev/shm/none-{seed}", "import", "-"],
                input=damaged, capture_output=True)
            for name, result in (("worker", said), ("import", imported)):
                given = json.loads(result.stderr)["code"]
                assert result.returncode == 65 and given == code, (
                    f"seed {seed}, {what}: {name} ends with {result.returncode} and {given}, not {code}")


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
    print(f"worker: {ROUNDS * len(MUTATIONS)} mutations refused by their codes (seed {seed})")
    check_lists(ledger, books[0], streams[0])
    check_rules(ledger, books[0], streams[0], directory)
    print("worker: rules in a file make the trips of rules that were adopted")
    shutil.rmtree(directory)
