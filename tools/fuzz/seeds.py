"""The inputs that fuzzing starts from: what the built `ledger` itself writes, nothing from outside.

The events of simulated drives and the examples of the schemas, a ledger of them with its blocks and
entries as its pages hold them, and that ledger's heads, proofs and exports.
"""

import json
import struct
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools" / "mutations"))

import import_seeds  # noqa: E402
import meaning  # noqa: E402

NAME = "example.com/fuzz"


class Seeds:
    """Makes the seeds of every target below a directory."""

    def __init__(self, ledger, directory):
        self.ledger = ledger
        self.directory = directory
        self.book = directory / "book"
        self.home = directory / "home"

    def run(self, *arguments, data=None):
        environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TZ": "UTC"}
        result = subprocess.run(
            [str(self.ledger), *map(str, arguments)], input=data, capture_output=True,
            env=environment)
        # Examples of the schemas that a ledger refuses are seeds too.
        if result.returncode not in (0, 1):
            sys.exit(f"fuzz: ledger {' '.join(map(str, arguments))}\n{result.stderr.decode()}")
        return result.stdout

    def must(self, *arguments):
        return self.run(*arguments, "--ledger", self.book)

    def put(self, target, name, data):
        folder = self.directory / "seeds" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)

    def make(self):
        self.home.mkdir(parents=True)
        self.must("init")
        lines = self.lines()
        for index, line in enumerate(lines):
            self.put("lines", f"line-{index:03}", line)
        self.put("lines", "drive", b"\n".join(lines[:12]))
        self.run("append", "--ledger", self.book, data=b"\n".join(lines))
        key = self.directory / "owner.key"
        self.must("key", "new", "--name", NAME, "-o", key)
        self.put("notes", "private-key", key.read_bytes().strip())
        self.put("notes", "verifier-key", json.loads(
            self.must("key", "show", "--key", key, "--format", "json"))["verifier_key"].encode())
        older = self.must("head", "--sign", "--key", key)
        self.must("erase", "5", "--why", "asked for", "--yes")
        newer = self.must("head", "--sign", "--key", key)
        self.notes(older, newer)
        self.blocks()
        self.exports()
        imports, archives = import_seeds.of_formats(), import_seeds.of_archives()
        imports["map"] = import_seeds.of_maps(
            REPOSITORY / "Schemas" / "examples" / "column-map" / "accepted")
        imports["recognition"] = [content for inputs in imports.values() for content in inputs]
        for group, seeds in [("imports", imports), ("archives", archives)]:
            for name, inputs in seeds.items():
                for number, content in enumerate(inputs):
                    self.put(f"{group}-{name}", f"seed-{number}", content)

    def lines(self):
        """One event of every type, and the first ones of a few drives."""
        lines = []
        for scenario in ["home-to-office", "tunnel", "late-upload"]:
            result = subprocess.run(
                [str(self.ledger), "simulate", scenario], capture_output=True)
            lines += result.stdout.splitlines()[:12]
        for file in sorted((REPOSITORY / "Schemas" / "examples" / "event").rglob("*.json")):
            # Without the line feeds that only make it easier to read.
            lines.append(b" ".join(file.read_bytes().split()))
        return lines

    def notes(self, older, newer):
        for name, note in [("older", older), ("newer", newer)]:
            self.put("notes", name, note)
            self.put("notes", name + "-text", note.split(b"\n\n")[0] + b"\n")
        files = [self.directory / "older.note", self.directory / "newer.note"]
        for file, note in zip(files, [older, newer]):
            file.write_bytes(note)
        self.put("proofs", "consistency", self.must("prove", "--consistency", *files))
        for position in [0, 3, 20]:
            folder = self.directory / f"proof-{position}"
            self.must("prove", position, "-o", folder)
            for file in folder.glob("*.tlog-proof"):
                proof = file.read_bytes()
                self.put("proofs", file.name, proof)
                self.put("proofs", f"extra-{position}", proof.replace(
                    b"\nindex ", b"\nextra AAEC\nindex ", 1))

    def blocks(self):
        found = meaning.blocks((self.book / "log" / "data.mdb").read_bytes())
        for index, block in enumerate(found):
            self.put("blocks", f"block-{index}", block)
            entries = [entry for _, entry in meaning.entries_of(block)]
            for number, entry in enumerate(entries):
                self.put("entries", f"entry-{index}-{number}", entry)
                self.put("blocks", f"single-{index}-{number}", self.block([entry], number))
            self.put("blocks", f"three-{index}", self.block(entries[:3], 0))
            for name, part in [("few", entries[:5]), ("all", entries)]:
                content = struct.pack("<H", len(part)) + meaning.columns(part)
                self.put("columns", f"{name}-{index}", content)
        self.compact_blocks()

    def compact_blocks(self):
        """Compact blocks: of one drive, and of two that were recorded at once."""
        drive = subprocess.run(
            [str(self.ledger), "simulate", "bulk", "--drives", "1", "--fixes", "120"],
            capture_output=True).stdout.splitlines()
        other = [line.replace(b"simulated-phone", b"another-phone") for line in drive]
        both = [line for pair in zip(drive, other) for line in pair]
        for name, lines in [("one", drive[:60]), ("two", both)]:
            book = self.directory / f"compact-{name}"
            self.run("--ledger", book, "init")
            # Only full blocks are compressed, and the last of these events opens another.
            self.run("--ledger", book, "append", data=b"\n".join(lines + other[100:]))
            self.run("--ledger", book, "compact")
            for index, block in enumerate(meaning.blocks((book / "log" / "data.mdb").read_bytes())):
                self.put("blocks", f"compact-{name}-{index}", block)

    @staticmethod
    def block(entries, first):
        body = b"".join(entries)
        header = struct.pack("<HBBIIqQ", len(entries), 1, 0, 32 + len(body), 0, 0, first)
        return struct.pack("<I", meaning.crc32c(header + body)) + header + body

    def exports(self):
        for name, options in [("all", []), ("withheld", ["--withhold", "personal"])]:
            for form in ["jsonl", "tiles"]:
                path = self.directory / f"{name}-{form}"
                self.must("export", "--as", form, *options, path)
            lines = (self.directory / f"{name}-jsonl" / "entries.jsonl").read_bytes()
            self.put("exports", name, lines)
            for index, line in enumerate(lines.splitlines()[:40]):
                self.put("exports", f"{name}-line-{index}", lines.split(b"\n", 1)[0] + b"\n" + line)
            self.put("tiles", name, self.tiles(self.directory / f"{name}-tiles"))
        # An export small enough that mutations find their way through it.
        self.book = self.directory / "small"
        self.must("init")
        self.run("append", "--ledger", self.book, data=b"\n".join(self.lines()[:3]))
        for form in ["jsonl", "tiles"]:
            self.must("export", "--as", form, self.directory / f"small-{form}")
        self.put("exports", "small",
                 (self.directory / "small-jsonl" / "entries.jsonl").read_bytes())
        self.put("tiles", "small", self.tiles(self.directory / "small-tiles"))

    @staticmethod
    def tiles(path):
        header = (path / "export.json").read_bytes().rstrip(b"\n")
        signed = json.loads(header)
        if "signed_head" in signed:
            # The file of the head beside it is no part of an input.
            del signed["signed_head"]
            header = json.dumps(signed, separators=(",", ":")).encode()
        tile = next((path / "tile" / "0").rglob("[0-9]*.p/*")).read_bytes()
        bundle = next((path / "tile" / "entries").rglob("[0-9]*.p/*")).read_bytes()
        count = len(tile) // 32
        return struct.pack("<BHH", count, len(header), len(tile)) + header + tile + bundle


def words():
    """Returns what JSON lines are made of, as libFuzzer's dictionaries have it."""
    schema = json.loads((REPOSITORY / "Schemas" / "event.v1.schema.json").read_bytes())
    found = set()

    def collect(value):
        if isinstance(value, dict):
            found.update(value.get("properties", {}))
            found.update(word for word in value.get("enum", []) if isinstance(word, str))
            if isinstance(value.get("const"), str):
                found.add(value["const"])
            for inner in value.values():
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)

    collect(schema)
    return "".join(f'"\\"{word}\\""\n' for word in sorted(found)
                   if word.isascii() and word.isprintable() and '"' not in word
                   and "\\" not in word)
