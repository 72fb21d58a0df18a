"""Mutations of what is handed over: exports, proofs and heads."""

import base64
import json
import shutil
import struct

import meaning
from ledgers import Mutation, edited, flip


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def path(level, index, width):
    name = f"{index % 1000:03}" if index < 1000 else f"x{index // 1000:03}/{index % 1000:03}"
    return f"tile/{level}/{name}" + ("" if width == meaning.WIDTH else f".p/{width}")


class ExportMutations:
    """All classes of mutations of exports, proofs and heads."""

    def __init__(self, book):
        self.book = book

    def all(self):
        found = []
        for kind in self.book.EXPORTS:
            def add(name, change, kind=kind, **options):
                found.append(Mutation(f"{kind}: {name}", kind, change, **options))
            self.add_lines(add) if "jsonl" in kind else self.add_tiles(add)
            self.add_replaced(kind, add)
        for kind in ["proofs", "heads"]:
            self.add_files(kind, found)
        return found

    # Lines.

    def add_lines(self, add):
        def on_lines(change):
            def run(case, chance):
                file = case / "out" / "entries.jsonl"
                lines = file.read_bytes().splitlines(keepends=True)
                if change(lines, chance) is False:
                    return False
                file.write_bytes(b"".join(lines))
                return True
            return run

        def bit(first, last, begins=b"", ends=None):
            def change(lines, chance):
                index = chance.randrange(first, last or len(lines))
                line = bytearray(lines[index])
                start = line.find(begins)
                end = line.find(ends) if ends else len(line)
                if start < 0 or end <= start:
                    return False
                flip(line, start, end, chance)
                lines[index] = bytes(line)
            return change

        def swap(lines, chance):
            a, b = chance.sample(range(1, len(lines)), 2)
            lines[a], lines[b] = lines[b], lines[a]

        def reword(lines, chance):
            """Changes a word without the bytes that it stands for."""
            index = chance.randrange(1, len(lines))
            said = json.loads(lines[index])
            name = chance.choice([name for name in said if name != "entry"])
            said[name] = f"{said[name]}1" if isinstance(said[name], str) else 7
            lines[index] = compact(said) + b"\n"

        def respell(lines, chance):
            """Writes the same words in another way."""
            index = chance.randrange(len(lines))
            lines[index] = json.dumps(json.loads(lines[index])).encode() + b"\n"

        def truncate(lines, chance):
            data = b"".join(lines)
            lines[:] = [data[:chance.randrange(len(data))]]

        def cut(lines, chance):
            del lines[chance.randrange(1, len(lines)):]

        add("bit of the header", on_lines(bit(0, 1)))
        add("bit of the signed head", on_lines(bit(0, 1, b'"signed_head"')))
        add("bit of the words", on_lines(bit(1, None, b"{", b'"entry"')))
        add("bit of an entry", on_lines(bit(1, None, b'"entry"')))
        add("lines swapped", on_lines(swap))
        add("line deleted", on_lines(lambda lines, chance: lines.pop(
            chance.randrange(len(lines)))))
        add("line twice", on_lines(lambda lines, chance: lines.insert(
            chance.randrange(1, len(lines)), chance.choice(lines))))
        add("truncated", on_lines(truncate))
        add("cut after a line", on_lines(cut))
        add("line emptied", on_lines(lambda lines, chance: lines.__setitem__(
            chance.randrange(len(lines)), b"\n")))
        add("words changed", on_lines(reword))
        add("words spelt otherwise", on_lines(respell))
        add("an entry forged, and the root", on_lines(self.forge_line), codes=(1,))
        add("an entry forged, the root, and no signed head",
            on_lines(lambda lines, chance: self.forge_line(lines, chance, False)), codes=(1, 2))
        add("an entry made a tombstone", on_lines(self.erase_line), codes=(1,))
        add("an entry withheld afterwards", on_lines(self.withhold_line), codes=(1,))
        add("an entry withheld afterwards, and said so",
            on_lines(lambda lines, chance: self.withhold_line(lines, chance, True)),
            codes=(1, 2))
        add("no list of withheld entries", on_lines(self.unsign_withheld), codes=(2,))
        add("list of withheld entries of another export", on_lines(self.swap_withheld),
            codes=(1,))
        add("a strange file beside it", self.add_stranger, codes=(2,))
        add("head signed by another key", on_lines(self.sign_lines_strangely), codes=(1,))
        add("no signed head", on_lines(lambda lines, chance: self.edit_header(
            lines, lambda header: header.pop("signed_head"))), codes=(2,))

    @staticmethod
    def edit_header(lines, change):
        header = json.loads(lines[0])
        change(header)
        lines[0] = compact(header) + b"\n"

    @staticmethod
    def leaves(lines):
        parsed = [json.loads(line) for line in lines[1:]]
        return [meaning.leaf(base64.b64decode(line["entry"])) if "entry" in line
                else bytes.fromhex(line["leaf_hash"]) for line in parsed]

    @staticmethod
    def pick(lines, chance):
        """Returns a line of a fix, its words and its entry."""
        indexes = [index for index, line in enumerate(lines)
                   if b'"fix_recorded"' in line and b'"erased"' not in line
                   and b'"entry"' in line]
        index = chance.choice(indexes)
        said = json.loads(lines[index])
        return index, said, bytearray(base64.b64decode(said["entry"]))

    def forge_line(self, lines, chance, keeps_head=True):
        """Changes a latitude in words and bytes, and the root with it."""
        index, said, entry = self.pick(lines, chance)
        start = meaning.fields_of(entry)["payload"][0]
        latitude = struct.unpack_from("<i", entry, start)[0] + 10_000_000
        struct.pack_into("<i", entry, start, latitude)
        before = json.loads(lines[index], parse_float=str)["lat"]
        digits = f"{latitude / 10_000_000:.7f}".rstrip("0").rstrip(".")
        line = lines[index].replace(f'"lat":{before}'.encode(), f'"lat":{digits}'.encode())
        lines[index] = line.replace(said["entry"].encode(), base64.b64encode(entry))
        root = meaning.root(self.leaves(lines)).hex()

        def change(header):
            header["root"] = root
            if not keeps_head:
                header.pop("signed_head")
        self.edit_header(lines, change)

    def erase_line(self, lines, chance):
        erased = [line for line in lines if b'"erased"' in line]
        index, said, entry = self.pick(lines, chance)
        if not erased:
            return False
        # The words are those that a tombstone's line has.
        words = json.loads(erased[0])
        stone = meaning.tombstone(bytes(entry))
        for name in ["position", "recorded_at", "source"]:
            words[name] = said[name]
        words["occurred_at"] = said["recorded_at"]
        words["leaf_hash"] = meaning.leaf(bytes(entry)).hex()
        words["entry"] = base64.b64encode(stone).decode()
        lines[index] = compact(words) + b"\n"

    def withhold_line(self, lines, chance, says_so=False):
        """Withholds an entry, as any holder of the export can."""
        index, said, entry = self.pick(lines, chance)
        lines[index] = compact({"position": said["position"], "type": "withheld",
                                "leaf_hash": meaning.leaf(bytes(entry)).hex()}) + b"\n"
        if says_so:
            self.edit_header(lines, lambda header: header.__setitem__(
                "withheld", header["withheld"] + 1))

    def unsign_withheld(self, lines, chance):
        if b'"signed_withheld"' not in lines[0]:
            return False
        self.edit_header(lines, lambda header: header.pop("signed_withheld"))

    def swap_withheld(self, lines, chance):
        if b'"signed_withheld"' not in lines[0]:
            return False
        other = self.book.directory / "other-list"
        if not other.exists():
            self.book.must("export", "--withhold", "personal", "--withhold", "unclassified",
                           "--key", self.book.key, other)
        first = (other / "entries.jsonl").read_bytes().split(b"\n", 1)[0]
        note = json.loads(first)["signed_withheld"]
        self.edit_header(lines, lambda header: header.__setitem__("signed_withheld", note))

    @staticmethod
    def add_stranger(case, chance):
        name = chance.choice(["checkpoint", "tile/0/999", "entries.jsonl.old", "export.json"])
        file = case / "out" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            return False
        file.write_bytes(chance.randbytes(64))
        return True

    def sign_lines_strangely(self, lines, chance):
        note = self.book.strange_note().decode()
        self.edit_header(lines, lambda header: header.__setitem__("signed_head", note))

    # Tiles.

    def add_tiles(self, add):
        def files(case, pattern):
            return sorted(file for file in (case / "out").glob(pattern) if file.is_file())

        def on_file(pattern, change):
            def run(case, chance):
                found = files(case, pattern)
                return bool(found) and change(chance.choice(found), chance) is not False
            return run

        def bit(file, chance):
            edited(file, lambda data: flip(data, 0, len(data), chance))

        def zero(file, chance):
            edited(file, lambda data: data.__setitem__(slice(None), bytes(len(data))))

        def truncate(file, chance):
            data = file.read_bytes()
            file.write_bytes(data[:chance.randrange(len(data))])

        def longer(file, chance):
            file.write_bytes(file.read_bytes() + bytes(32))

        def swap(pattern):
            def run(case, chance):
                found = files(case, pattern)
                if len(found) < 2:
                    return False
                first, second = chance.sample(found, 2)
                a, b = first.read_bytes(), second.read_bytes()
                first.write_bytes(b)
                second.write_bytes(a)
                return a != b
            return run

        def hashes(file, chance):
            """Swaps two hashes of a tile, or its two halves."""
            data = file.read_bytes()
            a, b = sorted(chance.sample(range(len(data) // 32), 2))
            parts = [data[32 * i:32 * i + 32] for i in range(len(data) // 32)]
            parts[a], parts[b] = parts[b], parts[a]
            file.write_bytes(b"".join(parts))

        for name, pattern in [("tile of level 0", "tile/0/**/*"), ("tile of level 1", "tile/1/**/*"),
                              ("bundle", "tile/entries/**/*"), ("partial tile", "tile/0/*.p/*"),
                              ("header", "export.json"), ("checkpoint", "checkpoint")]:
            add(f"bit of {name}", on_file(pattern, bit))
            add(f"{name} zeroed", on_file(pattern, zero))
            add(f"{name} truncated", on_file(pattern, truncate))
            add(f"{name} longer", on_file(pattern, longer))
            if name != "header":
                add(f"{name} deleted", on_file(pattern, lambda file, chance: file.unlink()))
        add("tiles swapped", swap("tile/[01]/**/*"))
        add("bundles swapped", swap("tile/entries/*"))
        add("hashes of a tile swapped", on_file("tile/[01]/**/*", hashes))
        add("an entry forged, its tiles and the root", self.forge_tiles, codes=(1,))
        add("an entry made a tombstone", self.erase_tile, codes=(1,))
        add("an entry withheld afterwards", self.withhold_tile, codes=(1,))
        add("an entry withheld afterwards, and said so",
            lambda case, chance: self.withhold_tile(case, chance, True), codes=(1, 2))
        add("a strange file beside it", self.add_stranger, codes=(2,))
        add("head signed by another key", self.sign_tiles_strangely, codes=(1,))

    @staticmethod
    def bundle_of(case, chance):
        """Returns a bundle's file, its entries and the index of a fix that it shows."""
        files = sorted(f for f in (case / "out/tile/entries").rglob("*") if f.is_file())
        for _ in range(50):
            file = chance.choice(files)
            tile = case / "out" / str(file.relative_to(case / "out")).replace("entries", "0")
            entries = [bytes.fromhex(held) if kind == "entry" else b""
                       for kind, held in meaning.bundle(file.read_bytes(), tile.read_bytes())]
            index = chance.randrange(len(entries))
            if entries[index] and entries[index][1] == 0x10 and entries[index][2] >> 4 & 3 == 1:
                return file, tile, entries, index
        return None

    @staticmethod
    def write_bundle(file, entries):
        file.write_bytes(b"".join(len(e).to_bytes(2, "big") + e for e in entries))

    def forge_tiles(self, case, chance):
        found = self.bundle_of(case, chance)
        if not found:
            return False
        file, tile, entries, index = found
        entry = bytearray(entries[index])
        entry[meaning.fields_of(entry)["payload"][0]] ^= 1
        entries[index] = bytes(entry)
        self.write_bundle(file, entries)
        hashes = bytearray(tile.read_bytes())
        hashes[32 * index:32 * index + 32] = meaning.leaf(bytes(entry))
        tile.write_bytes(hashes)
        header = json.loads((case / "out/export.json").read_bytes())
        leaves = []
        for n in range((header["size"] + 255) // 256):
            name = path(0, n, min(256, header["size"] - 256 * n))
            data = (case / "out" / name).read_bytes()
            leaves += [data[i:i + 32] for i in range(0, len(data), 32)]
        level = [meaning.root(leaves[i:i + 256]) for i in range(0, len(leaves) - 255, 256)]
        (case / "out" / path(1, 0, len(level))).write_bytes(b"".join(level))
        header["root"] = meaning.root(leaves).hex()
        (case / "out/export.json").write_bytes(compact(header) + b"\n")
        return True

    def erase_tile(self, case, chance):
        found = self.bundle_of(case, chance)
        if not found:
            return False
        file, _, entries, index = found
        entries[index] = meaning.tombstone(entries[index])
        self.write_bundle(file, entries)
        return True

    def withhold_tile(self, case, chance, says_so=False):
        found = self.bundle_of(case, chance)
        if not found:
            return False
        file, _, entries, index = found
        entries[index] = b""
        self.write_bundle(file, entries)
        if says_so:
            lines = [(case / "out/export.json").read_bytes()]
            self.edit_header(lines, lambda header: header.__setitem__(
                "withheld", header["withheld"] + 1))
            (case / "out/export.json").write_bytes(lines[0])
        return True

    def sign_tiles_strangely(self, case, chance):
        note = self.book.strange_note()
        lines = [(case / "out/export.json").read_bytes()]
        self.sign_lines_strangely(lines, chance)
        (case / "out/export.json").write_bytes(lines[0])
        (case / "out/checkpoint").write_bytes(note)
        return True

    # Whole exports, proofs and heads of another history.

    def add_replaced(self, kind, add):
        def replace(source):
            def change(case, chance):
                shutil.rmtree(case / "out")
                shutil.copytree(source / kind / "out", case / "out")
                return True
            return change
        add("an older one", replace(self.book.older), is_unknowable=True)
        add("of a fork by the owner's key", replace(self.book.fork), is_unknowable=True)

    def add_files(self, kind, found):
        def add(name, change, **options):
            found.append(Mutation(f"{kind}: {name}", kind, change, **options))

        def on_file(change, pattern="*"):
            def run(case, chance):
                file = chance.choice(sorted((case / "out").glob(pattern)))
                return change(file, chance) is not False
            return run

        def swap(case, chance):
            first, second = chance.sample(sorted((case / "out").iterdir()), 2)
            a, b = first.read_bytes(), second.read_bytes()
            first.write_bytes(b)
            second.write_bytes(a)
            return a != b

        patterns = {"proofs": ["*.tlog-proof", "*.entry", "*.json"],
                    "heads": ["new.note", "old.note", "consistency.proof"]}[kind]
        for pattern in patterns:
            name = pattern.removeprefix("*.")
            add(f"bit of {name}", on_file(lambda file, chance: edited(
                file, lambda data: flip(data, 0, len(data), chance)), pattern))
            add(f"{name} truncated", on_file(lambda file, chance: file.write_bytes(
                file.read_bytes()[:chance.randrange(file.stat().st_size)]), pattern))
            add(f"{name} zeroed", on_file(lambda file, chance: file.write_bytes(
                bytes(file.stat().st_size)), pattern))
        add("files swapped", swap)

        def from_fork(*names):
            def change(case, chance):
                for name in names:
                    shutil.copy(self.book.fork / kind / "out" / name, case / "out" / name)
                return True
            return change

        if kind == "heads":
            add("of a fork by the owner's key", from_fork("new.note"), codes=(1,))
            add("of a fork, with its proof", from_fork("new.note", "consistency.proof"),
                is_unknowable=True)
            add("signed by another key", lambda case, chance: bool((
                case / "out" / "new.note").write_bytes(self.book.strange_note())), codes=(1,))
        else:
            add("of a fork by the owner's key", from_fork("1500.entry"), codes=(1,))
