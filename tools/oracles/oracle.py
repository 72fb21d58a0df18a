#!/usr/bin/env python3
"""Compares a ledger's roots and proofs with those of pymerkle."""

import json
import sys
from pathlib import Path

from pymerkle import InmemoryTree, verify_consistency


def entries(path):
    data = path.read_bytes()
    start = 0
    while start < len(data):
        end = start + 2 + int.from_bytes(data[start:start + 2], "big")
        yield data[start + 2:end]
        start = end


def siblings(proof):
    """The hashes of an inclusion proof without the leaf's own, which pymerkle puts first."""
    return proof.serialize()["path"][1:]


def main():
    folder = Path(sys.argv[1])
    answers = sorted(
        map(json.loads, (folder / "answers.jsonl").open()), key=lambda answer: answer["size"])
    tree = InmemoryTree(algorithm="sha256")
    rest = entries(folder / "entries")
    for answer in answers:
        while tree.get_size() < answer["size"]:
            tree.append_entry(next(rest))
        if tree.get_root().hex() != answer["root"]:
            sys.exit(f"pymerkle: another root of size {answer['size']}")
        proof = tree.prove_inclusion(answer["index"] + 1)
        if siblings(proof) != answer["inclusion"]:
            sys.exit(f"pymerkle: another inclusion proof at size {answer['size']}")
        # Its consistency proofs are not those of RFC 6962, so that only their ends can be compared.
        verify_consistency(
            bytes.fromhex(answer["olderRoot"]), bytes.fromhex(answer["root"]),
            tree.prove_consistency(answer["older"]))
    print(f"pymerkle: {len(answers)} roots and inclusion proofs are equal, and roots consistent")
    check_tiles(folder / "tiles")


def check_tiles(folder):
    """Adds up the entries of every export in tiles."""
    sizes = sorted(int(export.name) for export in folder.iterdir())
    for size in sizes:
        export = folder / str(size)
        tree = InmemoryTree(algorithm="sha256")
        # Bundles are in order of their names, for there are fewer than 1,000.
        for bundle in sorted(p for p in (export / "tile" / "entries").rglob("*") if p.is_file()):
            for entry in entries(bundle):
                tree.append_entry(entry)
        header = json.loads((export / "export.json").read_text())
        if tree.get_size() != size or tree.get_root().hex() != header["root"]:
            sys.exit(f"pymerkle: another root of the export of {size} entries")
    print(f"pymerkle: the roots of exports in tiles of {sizes} entries are equal")


main()
