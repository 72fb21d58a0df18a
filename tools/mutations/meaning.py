#!/usr/bin/env python3
"""Reads ledgers and exports with nothing of the program that is tested, by what Formats says.

As a program, prints what a ledger's files say, in a process of its own because damaged pages can
keep their reader from an end: `meaning.py LEDGER`. Versions of LMDB differ in which unused
bytes they mind, so that its pages are read here by nothing but their layout.
"""

import base64
import ctypes
import hashlib
import json
import struct
import sys
from pathlib import Path

try:
    import lmdb
except ImportError:
    lmdb = None

PAGE = 4096
NO_PAGE = 2**64 - 1
BLOCK_HEADER = 32
TOMBSTONE = 0
COMPACT = 2
COLUMNS = 64
WIDTH = 256


def sha(data):
    return hashlib.sha256(data).digest()


def crc32c(data, table=[]):
    if not table:
        for byte in range(256):
            value = byte
            for _ in range(8):
                value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
            table.append(value)
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ table[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def environment(path, size=64 << 20, **options):
    return lmdb.open(str(path), max_dbs=32, map_size=size, **options)


def rows(env, name):
    """Returns a table and all its rows."""
    table = env.open_db(name.encode(), create=False)
    with env.begin(db=table) as transaction:
        return table, [(bytes(k), bytes(v)) for k, v in transaction.cursor()]


def live_pages(data):
    """Returns the numbers of the pages that the newer snapshot of a data file uses, by kind."""
    newer = max((0, PAGE), key=lambda page: struct.unpack_from("<Q", data, page + 144)[0])
    found = {"meta": [0, 1], "branch": [], "leaf": [], "overflow": []}
    waiting = [struct.unpack_from("<Q", data, newer + root)[0] for root in (80, 128)]
    while waiting:
        page = waiting.pop()
        if page == NO_PAGE:
            continue
        start = page * PAGE
        flags, lower = struct.unpack_from("<HH", data, start + 10)
        found["branch" if flags & 1 else "leaf"].append(page)
        for index in range((lower - 16) // 2):
            node = start + struct.unpack_from("<H", data, start + 16 + 2 * index)[0]
            low, high, node_flags, key = struct.unpack_from("<HHHH", data, node)
            value = node + 8 + key
            if flags & 1:
                waiting.append(low | high << 16 | node_flags << 32)
            elif node_flags & 1:
                first = struct.unpack_from("<Q", data, value)[0]
                count = struct.unpack_from("<I", data, first * PAGE + 12)[0]
                found["overflow"] += range(first, first + count)
            elif node_flags & 2:
                waiting.append(struct.unpack_from("<Q", data, value + 40)[0])
    return found


def nodes(data, page):
    """Yields the nodes below a page, in order: key, flags and value."""
    start = page * PAGE
    flags, lower = struct.unpack_from("<HH", data, start + 10)
    for index in range((lower - 16) // 2):
        node = start + struct.unpack_from("<H", data, start + 16 + 2 * index)[0]
        low, high, node_flags, key = struct.unpack_from("<HHHH", data, node)
        value = node + 8 + key
        if flags & 1:
            yield from nodes(data, low | high << 16 | node_flags << 32)
            continue
        if node_flags & 1:
            value = struct.unpack_from("<Q", data, value)[0] * PAGE + 16
        yield data[node + 8:node + 8 + key], node_flags, data[value:value + (low | high << 16)]


def blocks(data):
    """Returns the blocks of a log's data file, read page by page as the newer snapshot has them."""
    newer = max((0, PAGE), key=lambda page: struct.unpack_from("<Q", data, page + 144)[0])
    tables = {key: value for key, _, value in
              nodes(data, struct.unpack_from("<Q", data, newer + 128)[0])}
    return [value for _, _, value in nodes(data, struct.unpack_from("<Q", tables[b"blocks"], 40)[0])]


def is_compact(block):
    return block[6] == COMPACT


class Zstd:
    """The library that other programs use for this format, without a wrapper."""

    CHECKSUM = 201  # ZSTD_c_checksumFlag

    def __init__(self):
        self.library = ctypes.CDLL("libzstd.so.1")
        for name in ["ZSTD_compressBound", "ZSTD_compress2", "ZSTD_decompress"]:
            getattr(self.library, name).restype = ctypes.c_size_t
        self.library.ZSTD_createCCtx.restype = ctypes.c_void_p

    def compress(self, content):
        """Returns a frame with a checksum."""
        context = ctypes.c_void_p(self.library.ZSTD_createCCtx())
        self.library.ZSTD_CCtx_setParameter(context, self.CHECKSUM, 1)
        room = self.library.ZSTD_compressBound(ctypes.c_size_t(len(content)))
        frame = ctypes.create_string_buffer(room)
        size = self.library.ZSTD_compress2(
            context, frame, ctypes.c_size_t(room), content, ctypes.c_size_t(len(content)))
        self.library.ZSTD_freeCCtx(context)
        return frame.raw[:size]

    def decompress(self, frame, limit=65_536):
        content = ctypes.create_string_buffer(limit)
        size = self.library.ZSTD_decompress(
            content, ctypes.c_size_t(limit), frame, ctypes.c_size_t(len(frame)))
        if size > limit:
            raise ValueError("a compact block holds no frame")
        return content.raw[:size]


def columns(entries):
    """Returns the bytes of entries as a compact block has them."""
    return (b"".join(bytes(entry[column] for entry in entries if column < len(entry))
                     for column in range(COLUMNS))
            + b"".join(entry[COLUMNS:] for entry in entries))


def compact_entries(block):
    """Returns the entries of a compact block."""
    count = struct.unpack_from("<H", block, 4)[0]
    content = Zstd().decompress(bytes(block[BLOCK_HEADER:]))
    lengths = [content[index] or content[count + index] | content[2 * count + index] << 8
               for index in range(count)]
    found, start = [bytearray() for _ in lengths], 0
    for column in range(COLUMNS):
        for entry, length in zip(found, lengths):
            if column < length:
                entry.append(content[start])
                start += 1
    for entry, length in zip(found, lengths):
        rest = max(0, length - COLUMNS)
        entry += content[start:start + rest]
        start += rest
    return [bytes(entry) for entry in found]


def entries_of(block):
    """Returns the entries of a block, each with where it begins; in a compact one, nowhere."""
    if is_compact(block):
        return [(None, entry) for entry in compact_entries(block)]
    found = []
    start = BLOCK_HEADER
    length = struct.unpack_from("<I", block, 8)[0]
    while start < length:
        size = block[start] or struct.unpack_from("<H", block, start + 1)[0]
        found.append((start, block[start:start + size]))
        start += max(size, 1)
    return found


def fields_of(entry):
    """Returns the parts of an entry, each a name with where it begins and ends."""
    first = 1 if entry[0] else 3
    if entry[first] == TOMBSTONE:
        ends = [("length", first), ("kind", first + 1), ("erased kind", first + 2),
                ("source", first + 5), ("recorded_at", first + 11), ("leaf hash", len(entry))]
    else:
        ends = [("length", first), ("kind", first + 1), ("form", first + 2),
                ("source", first + 5), ("occurred_at", first + 11), ("recorded_at", first + 17),
                ("nonce", first + 25)]
        if entry[first + 1] & 1:
            ends.append(("id", first + 26 + entry[first + 25]))
        ends.append(("payload", len(entry)))
    fields, start = {}, 0
    for name, end in ends:
        if end > start:
            fields[name] = (start, end)
        start = end
    return fields


def is_tombstone(entry):
    return entry[1 if entry[0] else 3] == TOMBSTONE


def leaf(entry):
    return entry[-32:] if is_tombstone(entry) else sha(b"\0" + entry)


def tombstone(entry):
    first = 1 if entry[0] else 3
    return (bytes([44, TOMBSTONE, entry[first]]) + entry[first + 2:first + 5]
            + entry[first + 11:first + 17] + leaf(entry))


def root(hashes):
    if not hashes:
        return sha(b"")
    if len(hashes) == 1:
        return hashes[0]
    width = 1
    while width * 2 < len(hashes):
        width *= 2
    return sha(b"\1" + root(hashes[:width]) + root(hashes[width:]))


def frontier(hashes):
    roots, start = [], 0
    for bit in reversed(range(len(hashes).bit_length())):
        if len(hashes) >> bit & 1:
            roots.append(root(hashes[start:start + (1 << bit)]))
            start += 1 << bit
    return roots


def ledger(path):
    """Returns what the files of a ledger say: its entries in order, and the heads inside."""
    found = [entry for block in blocks((path / "log" / "data.mdb").read_bytes())
             for _, entry in entries_of(block)]
    heads = {file.name: file.read_text("utf-8", "replace")
             for file in sorted((path / "heads").glob("*.note"))}
    return found, heads


def bundle(data, leaves):
    """Returns the entries of a bundle, a bare hash for one that is withheld."""
    found, start = [], 0
    while start < len(data):
        size = int.from_bytes(data[start:start + 2], "big")
        entry = data[start + 2:start + 2 + size]
        if len(entry) != size:
            raise ValueError("cut short")
        found.append(["entry", entry.hex()] if size else
                     ["withheld", leaves[32 * len(found):32 * len(found) + 32].hex()])
        start += 2 + size
    return found


def strict(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)


def export(path):
    """Returns what an export says: its header, its entries, and all else that is in it."""
    lines = path / "entries.jsonl"
    if lines.exists():
        parsed = [json.loads(line, object_pairs_hook=strict)
                  for line in lines.read_bytes().splitlines()]
        held = [base64.b64decode(line["entry"], validate=True).hex() if "entry" in line else None
                for line in parsed[1:]]
        return [parsed, held]
    said = {}
    for file in sorted(path.rglob("*")):
        if file.is_file():
            name = str(file.relative_to(path))
            data = file.read_bytes()
            if name == "export.json":
                said[name] = json.loads(data, object_pairs_hook=strict)
            elif name.startswith("tile/entries/"):
                tile = path / name.replace("tile/entries/", "tile/0/")
                said[name] = bundle(data, tile.read_bytes())
            else:
                said[name] = data.hex()
    return said


def main():
    found, heads = ledger(Path(sys.argv[1]))
    digest = hashlib.sha256(b"".join(found)).hexdigest()
    json.dump({"entries": digest, "root": root([leaf(entry) for entry in found]).hex(),
               "heads": heads}, sys.stdout)


if __name__ == "__main__":
    main()
