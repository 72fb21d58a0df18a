#!/usr/bin/env python3
"""Writes log.v1.json, the bytes of a small log, and compact-block.v2.json, compact blocks of
entries and what is none, made from Formats.md alone.

It shares no code with the program; frames are made by the command `zstd`. Run it only when
Formats.md gets a new version; the old golden files stay, because stored bytes stay.
"""
import hashlib
import json
import os
import struct
import subprocess
import tempfile

MASK = (1 << 64) - 1


def split_mix_64(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def entry(kind, source, occurred, recorded, nonce, payload, sender_id=b""):
    body = bytes([kind, 1 if sender_id else 0])
    body += source.to_bytes(3, "little")
    body += occurred.to_bytes(6, "little", signed=True)
    body += recorded.to_bytes(6, "little", signed=True)
    body += nonce.to_bytes(8, "little")
    if sender_id:
        body += bytes([len(sender_id)]) + sender_id
    body += payload
    if len(body) + 1 <= 255:
        return bytes([len(body) + 1]) + body
    return b"\0" + struct.pack("<H", len(body) + 3) + body


def sealed(first, count, version, content, times):
    rest = struct.pack("<HBBIIqQ", count, version, 0, 32 + len(content),
                       min(max(times) - min(times), 0xFFFFFFFF), min(times), first) + content
    return struct.pack("<I", crc32c(rest)) + rest


def block(first, entries, times):
    return sealed(first, len(entries), 1, b"".join(entries), times)


def columns(entries):
    """The first 64 bytes of all entries in columns, then what longer entries have more."""
    found = b"".join(bytes(entry[column] for entry in entries if column < len(entry))
                     for column in range(64))
    return found + b"".join(entry[64:] for entry in entries)


def frame(content, *options):
    # For a file, unlike for a pipe, zstd writes the size into the frame.
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return subprocess.run(["zstd", "-6", "--check", *options, "--stdout", file.name],
                              capture_output=True, check=True).stdout


def write(name, golden):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


def write_compact_blocks(made):
    """Compact blocks of the same entries, which must be decoded, and blocks that must be refused."""
    part = made[:120]
    entries, times = [e for _, e in part], [t for t, _ in part]
    whole = columns(entries)
    count = len(entries)

    def compact(content, number=count):
        return sealed(0, number, 2, content, times).hex()

    short = bytes([25]) + whole[1:]
    piped = subprocess.run(["zstd", "--check", "--stdout"], input=whole, capture_output=True,
                           check=True).stdout
    skippable = struct.pack("<II", 0x184D2A50, 4) + b"none"
    damaged = bytearray(frame(whole))
    damaged[-1] ^= 1
    write("compact-block.v2.json", {
        "entries": b"".join(entries).hex(),
        "blocks": {
            "level 6": compact(frame(whole)),
            "level 1": compact(frame(whole, "-1")),
            "level 19": compact(frame(whole, "-19")),
        },
        "refused": {
            "no checksum": compact(frame(whole, "--no-check")),
            "a wrong checksum": compact(bytes(damaged)),
            "no size": compact(piped),
            "two frames": compact(frame(whole[:1_000]) + frame(whole[1_000:])),
            "a skippable frame behind it": compact(frame(whole) + skippable),
            "a skippable frame before it": compact(skippable + frame(whole)),
            "a skippable frame alone": compact(skippable),
            "a byte behind it": compact(frame(whole) + b"\0"),
            "its last byte missing": compact(frame(whole)[:-1]),
            "no frame": compact(whole),
            "nothing": compact(b""),
            "one entry more than there are": compact(frame(whole), count + 1),
            "one entry less than there are": compact(frame(whole), count - 1),
            "more entries than bytes": compact(frame(whole), 2_520),
            "entries in rows": compact(frame(b"".join(entries))),
            "an entry that is too short": compact(frame(short)),
            "an empty content": compact(frame(b"")),
            "more than 65,536 bytes": compact(frame(bytes(65_537))),
            "a hundred megabytes": compact(frame(bytes(100_000_000))),
        },
    })


def root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + root(leaves[:k]) + root(leaves[k:])).digest()


def frontier(leaves):
    hashes = []
    start = 0
    for bit in range(63, -1, -1):
        if len(leaves) >> bit & 1:
            hashes.append(root(leaves[start:start + (1 << bit)]))
            start += 1 << bit
    return hashes


def moment(source, occurred, last):
    return struct.pack(">IQQ", source, (occurred & MASK) ^ 1 << 63, last).hex()


def indexes(events, made):
    """The tables that events are found by, rebuilt from the events alone."""
    tables = {"sources": {}, "names": {}, "times": {}, "ids": {}, "late": {}}
    states = {}
    position = 1
    for source, kind, occurred, payload, sender_id in events:
        if source not in states:
            states[source] = [len(states) + 1, None, 0, 0, 0]
            position += 1
        state = states[source]
        number = state[0]
        if sender_id:
            key = struct.pack(">I", number) + sender_id
            tables["ids"][key.hex()] = struct.pack("<Q", position).hex()
        if state[1] is None or occurred > state[1]:
            state[1:3] = [occurred, position]
            if state[4] % 64 == 0:
                tables["times"][moment(number, occurred, position)] = ""
            state[4] += 1
        else:
            named = bytes([len(sender_id)]) + sender_id if sender_id else b""
            content = bytes([kind, 1 if sender_id else 0]) + named + payload
            digest = int.from_bytes(hashlib.sha256(content).digest()[:8], "big")
            tables["late"][moment(number, occurred, digest)] = struct.pack("<Q", position).hex()
        state[3] += 1
        position += 1
    for source, (number, high, high_position, count, in_order) in states.items():
        value = struct.pack("<qQQQ", high, high_position, count, in_order) + source.encode()
        tables["sources"][struct.pack(">I", number).hex()] = value.hex()
        tables["names"][source.encode().hex()] = struct.pack("<Q", number).hex()
    assert position == len(made)
    return tables


def main():
    seed = 42
    recorded = 5_000
    events = [  # source, kind, occurred, payload, id
        ("phone", 0x12, 4_000, b"\x01", b""),
        ("phone", 0x10, 4_000, bytes(range(18)), b""),
        ("watch", 0x11, -7, b"", b"w-1"),
        ("phone", 0x10, 3_000, bytes(18), b""),
        ("phone", 0x20, 4_500, b"n" * 400, b"edit"),
        ("phone", 0x20, 3_000, bytes(18), b"late"),
    ]
    events += [("phone", 0x10, 5_000 + 1_000 * i, i.to_bytes(18, "little"), b"")
               for i in range(300)]
    events += [("logger", 0x20, 1, b"L" * 5_000, b"")]
    made = [(1_000, entry(0x01, 0, 1_000, 1_000, next(split_mix_64(seed)), b"\1\2\3"))]
    nonces = split_mix_64(seed)
    numbers = {}
    for source, kind, occurred, payload, sender_id in events:
        if source not in numbers:
            numbers[source] = len(numbers) + 1
            registered = bytes([numbers[source]]) + source.encode()
            made.append((recorded, entry(0x02, 0, recorded, recorded, next(nonces), registered)))
        made.append((occurred, entry(kind, numbers[source], occurred, recorded, next(nonces),
                                     payload, sender_id)))
    blocks = []
    start = 0
    while start < len(made):
        end = start + 1
        size = 32 + len(made[start][1])
        while end < len(made) and size + len(made[end][1]) <= 4_080:
            size += len(made[end][1])
            end += 1
        part = made[start:end]
        blocks.append((start, block(start, [e for _, e in part], [t for t, _ in part])))
        start = end
    leaves = [hashlib.sha256(b"\0" + e).digest() for _, e in made]
    state = bytes([1, 0, 0, 0]) + struct.pack("<Qq", len(made), recorded)
    state += b"".join(frontier(leaves))
    golden = {
        "seed": seed,
        "recorded_at": recorded,
        "events": [{"source": s, "kind": k, "occurred_at": o, "payload": p.hex(), "id": i.decode()}
                   for s, k, o, p, i in events],
        "blocks": {str(position): value.hex() for position, value in blocks},
        "tree": {str(n): root(leaves[256 * n:256 * n + 256]).hex()
                 for n in range(len(leaves) // 256)},
        "state": state.hex(),
        "root": root(leaves).hex(),
        **indexes(events, made),
    }
    write("log.v1.json", golden)
    write_compact_blocks(made)


if __name__ == "__main__":
    main()
