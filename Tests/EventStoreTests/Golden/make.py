#!/usr/bin/env python3
"""Writes log.v1.json: the bytes of a small log, made from Formats.md alone.

It shares no code with the program. Run it only when Formats.md gets a new version; the old golden
file stays, because stored bytes stay.
"""
import hashlib
import json
import os
import struct

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


def block(first, entries, times):
    head = struct.pack("<HBBIIqQ", len(entries), 1, 0, 32 + sum(map(len, entries)),
                       min(max(times) - min(times), 0xFFFFFFFF), min(times), first)
    rest = head + b"".join(entries)
    return struct.pack("<I", crc32c(rest)) + rest


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
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "log.v1.json")
    with open(path, "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
