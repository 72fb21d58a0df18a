"""Mutations of a ledger: its pages, its rows, its entries, and its place in time."""

import os
import shutil
import struct
from dataclasses import dataclass
from typing import Callable

import meaning

PAGE = meaning.PAGE
LOG_TABLES = ["blocks", "tree", "state", "sources", "names", "times", "ids", "late"]
BLOCK_FIELDS = {"checksum": (0, 4), "count": (4, 6), "version": (6, 7), "flags": (7, 8),
                "length": (8, 12), "span": (12, 16), "base time": (16, 24),
                "first position": (24, 32)}
ENTRY_FIELDS = ["length", "kind", "form", "source", "occurred_at", "recorded_at", "nonce", "id",
                "payload"]
PAGE_FIELDS = {"number": (0, 8), "flags": (10, 12), "bounds": (12, 16)}
META_FIELDS = {"magic and version": (16, 24), "map": (24, 40), "free tree": (40, 88),
               "main tree": (88, 136), "last page": (136, 144), "transaction": (144, 152)}


@dataclass
class Mutation:
    """A class of mutations of one of the things that a `Book` holds."""

    name: str
    subject: str
    # Changes what is in a folder; returns whether it could.
    change: Callable
    # The allowed exit codes; by default those that do not hide a changed meaning.
    codes: tuple = None
    # Whether the changed thing is as its owner once could have made it, and no head outside says more.
    is_unknowable: bool = False


def flip(data, start, end, chance):
    data[chance.randrange(start, end)] ^= 1 << chance.randrange(8)


def edited(file, change):
    data = bytearray(file.read_bytes())
    change(data)
    file.write_bytes(data)
    return True


def log_file(case):
    return case / "book" / "log" / "data.mdb"


class LedgerMutations:
    """All classes of mutations of a ledger."""

    def __init__(self, book):
        self.book = book
        data = log_file(book.base / "ledger").read_bytes()
        views = (book.base / "ledger" / "book" / "views" / "data.mdb").read_bytes()
        self.pages = {"log": meaning.live_pages(data), "views": meaning.live_pages(views)}
        # The offset of the current form of each block in the file.
        self.blocks = []
        self.view_tables = []
        if meaning.lmdb:
            with meaning.environment(book.base / "ledger" / "book" / "log", readonly=True,
                                     lock=False) as env:
                blocks = [value for _, value in meaning.rows(env, "blocks")[1]]
            self.blocks = [(data.find(block), block) for block in blocks]
            with meaning.environment(book.base / "ledger" / "book" / "views", readonly=True,
                                     lock=False) as env, env.begin() as transaction:
                names = [bytes(key).decode() for key, _ in transaction.cursor()]
                self.view_tables = [name for name in names if meaning.rows(env, name)[1]]

    def all(self):
        found = []

        def add(name, change, **options):
            found.append(Mutation(name, "ledger", change, **options))

        for part in ["log", "views"]:
            self.add_pages(part, add)
        self.add_whole_files(add)
        add("bit of a signed head", self.flip_head("book/heads"))
        add("bit of the signed head outside", self.flip_head("home/.local/state/ledger/heads"))
        add("head signed by another key", self.sign_strangely, codes=(1,))
        if meaning.lmdb:
            self.add_entries(add)
            for table in LOG_TABLES:
                add(f"row of {table} edited", self.edit_row(table))
                add(f"row of {table} deleted", self.delete_row(table))
                if table != "times":
                    # All that a row of `times` says is in its key.
                    add(f"rows of {table} swapped", self.swap_rows(table))
            for table in self.view_tables:
                add(f"view row of {table} edited", self.edit_view(table))
            add("view row deleted", self.delete_view)
            add("key of erased events edited", self.edit_memory(b"erasures"), codes=(1, 2))
            add("row of an erased event edited", self.edit_memory(b"erased"), codes=(1,))
            add("rows of erased events deleted", self.forget_erased, codes=(1,))
            add("a table that no log has", self.add_table, codes=(1,))
            add("forged, all made right", self.forge, codes=(1,))
            add("forged, and no head anywhere", self.forge_unseen, codes=(1, 2))
        return found

    # Pages, without a corrected checksum.

    def add_pages(self, part, add):
        file = f"book/{part}/data.mdb"

        def anywhere(case, chance):
            return edited(case / file, lambda data: flip(data, 0, len(data), chance))

        def zeroed(case, chance):
            page = chance.choice(sum(self.pages[part].values(), []))
            return edited(case / file, lambda data: data.__setitem__(
                slice(page * PAGE, page * PAGE + PAGE), bytes(PAGE)))

        def swapped(case, chance):
            a, b = chance.sample(sum(self.pages[part].values(), []), 2)

            def change(data):
                first, second = slice(a * PAGE, a * PAGE + PAGE), slice(b * PAGE, b * PAGE + PAGE)
                data[first], data[second] = data[second], data[first]
            return edited(case / file, change)

        def truncated(case, chance):
            cut = chance.randrange((case / file).stat().st_size)
            os.truncate(case / file, cut - chance.choice([0, cut % PAGE]))
            return True

        def in_page(kind, start, end):
            def change(case, chance):
                if not self.pages[part][kind]:
                    return False
                page = chance.choice(self.pages[part][kind]) * PAGE
                return edited(case / file,
                              lambda data: flip(data, page + start, page + end, chance))
            return change

        add(f"bit anywhere in {part}", anywhere)
        for name, (start, end) in META_FIELDS.items():
            add(f"bit of {part} meta page: {name}", in_page("meta", start, end))
        for kind in ["branch", "leaf", "overflow"]:
            for name, (start, end) in PAGE_FIELDS.items():
                add(f"bit of {part} {kind} page: {name}", in_page(kind, start, end))
            if kind != "overflow":
                add(f"bit of {part} {kind} page: nodes", in_page(kind, 16, 64))
        add(f"{part} page zeroed", zeroed)
        add(f"{part} pages swapped", swapped)
        add(f"{part} truncated", truncated)

    # Entries and headers, in the file as it is or with a right checksum.

    def add_entries(self, add):
        for field in ENTRY_FIELDS:
            add(f"bit of an entry: {field}", self.flip_raw(self.entry_field(field)))
            add(f"bit of an entry, sealed: {field}", self.flip_sealed(self.entry_field(field)))
        for field, place in BLOCK_FIELDS.items():
            add(f"bit of a block: {field}", self.flip_raw(lambda block, chance, p=place: p))
            if field != "checksum":
                add(f"bit of a block, sealed: {field}",
                    self.flip_sealed(lambda block, chance, p=place: p))
        add("entry made a tombstone, sealed", self.erase_unsaid)
        add("bit of a compact block", self.flip_raw(self.compact_place))
        add("bit of a compact block, sealed", self.flip_sealed(self.compact_place))
        add("bit of an entry, compressed and sealed", self.flip_compressed)

    @staticmethod
    def compact_place(block, chance):
        """Somewhere in a compact block: every other time in the first headers of its frame."""
        if not meaning.is_compact(block):
            return None
        return meaning.BLOCK_HEADER, chance.choice([len(block), meaning.BLOCK_HEADER + 16])

    def flip_compressed(self, case, chance):
        """What no checksum finds: another entry in a sound frame."""
        compact = [block for _, block in self.blocks if meaning.is_compact(block)]
        if not compact:
            return False
        block = chance.choice(compact)
        content = bytearray(meaning.columns(meaning.compact_entries(block)))
        flip(content, 0, len(content), chance)
        header = bytearray(block[:meaning.BLOCK_HEADER])
        changed = header + meaning.Zstd().compress(bytes(content))
        struct.pack_into("<I", changed, 8, len(changed))
        return self.put(case, "blocks", bytes(block[24:32])[::-1], self.sealed(changed))

    @staticmethod
    def entry_field(field):
        def place(block, chance):
            if meaning.is_compact(block):
                return None
            entries = [(start, meaning.fields_of(entry))
                       for start, entry in meaning.entries_of(block)]
            entries = [(start, fields[field]) for start, fields in entries if field in fields]
            if not entries:
                return None
            start, (first, end) = chance.choice(entries)
            return start + first, start + end
        return place

    def flip_raw(self, place):
        def change(case, chance):
            for _ in range(20):
                offset, block = chance.choice(self.blocks)
                found = place(block, chance)
                if offset >= 0 and found:
                    return edited(log_file(case), lambda data: flip(
                        data, offset + found[0], offset + found[1], chance))
            return False
        return change

    def flip_sealed(self, place):
        def change(case, chance):
            for _ in range(20):
                block = bytearray(chance.choice(self.blocks)[1])
                key = bytes(block[24:32])[::-1]
                found = place(block, chance)
                if found:
                    flip(block, *found, chance)
                    return self.put(case, "blocks", key, self.sealed(block))
            return False
        return change

    @staticmethod
    def sealed(block):
        struct.pack_into("<I", block, 0, meaning.crc32c(block[4:]))
        return bytes(block)

    @staticmethod
    def put(case, name, key, value, part="log"):
        with meaning.environment(case / "book" / part) as env:
            table = env.open_db(name.encode(), create=False)
            with env.begin(write=True, db=table) as transaction:
                if value is None:
                    transaction.delete(key)
                else:
                    transaction.put(key, value)
        return True

    def erase_unsaid(self, case, chance):
        plain = [block for _, block in self.blocks if not meaning.is_compact(block)]
        block = chance.choice(plain)
        entries = [entry for _, entry in meaning.entries_of(block)]
        index = chance.randrange(len(entries))
        entries[index] = meaning.tombstone(entries[index])
        body = b"".join(entries)
        changed = bytearray(block[:meaning.BLOCK_HEADER] + body)
        struct.pack_into("<I", changed, 8, len(changed))
        return self.put(case, "blocks", bytes(block[24:32])[::-1], self.sealed(changed))

    # Rows.

    def rows(self, case, name, part="log"):
        with meaning.environment(case / "book" / part, readonly=True, lock=False) as env:
            return meaning.rows(env, name)[1]

    def edit_row(self, name):
        def change(case, chance):
            rows = [(key, bytearray(value)) for key, value in self.rows(case, name)]
            key, value = chance.choice(rows)
            if not value:
                # The row's content is in its key.
                changed = bytearray(key)
                flip(changed, 0, len(changed), chance)
                self.put(case, name, key, None)
                return self.put(case, name, bytes(changed), b"")
            flip(value, 0, len(value), chance)
            return self.put(case, name, key,
                            self.sealed(value) if name == "blocks" else bytes(value))
        return change

    def memory(self, case, prefix):
        """Rows that recognise erased events; the row with their key begins with other letters."""
        return [(key, value) for key, value in self.rows(case, "state")
                if key.startswith(prefix)]

    def edit_memory(self, prefix):
        def change(case, chance):
            rows = self.memory(case, prefix)
            if not rows:
                return False
            key, value = chance.choice(rows)
            changed = bytearray(value)
            flip(changed, 0, len(changed), chance)
            return self.put(case, "state", key, bytes(changed))
        return change

    def forget_erased(self, case, chance):
        rows = self.memory(case, b"erased")
        if not rows:
            return False
        for key, _ in chance.sample(rows, chance.randint(1, len(rows))):
            self.put(case, "state", key, None)
        return True

    @staticmethod
    def add_table(case, chance):
        with meaning.environment(case / "book" / "log") as env:
            env.open_db(chance.choice([b"notes", b"blocks2", b"\xff"]), create=True)
        return True

    def delete_row(self, name):
        return lambda case, chance: self.put(
            case, name, chance.choice(self.rows(case, name))[0], None)

    def swap_rows(self, name):
        def change(case, chance):
            rows = self.rows(case, name)
            if len({value for _, value in rows}) < 2:
                return False
            first, second = chance.sample(rows, 2)
            self.put(case, name, first[0], second[1])
            return self.put(case, name, second[0], first[1])
        return change

    def edit_view(self, name):
        def change(case, chance):
            rows = [(key, value) for key, value in self.rows(case, name, "views")
                    if len(value) > 4]
            if not rows:
                return False
            key, value = chance.choice(rows)
            body = bytearray(value[4:])
            flip(body, 0, len(body), chance)
            value = struct.pack("<I", meaning.crc32c(body)) + bytes(body)
            return self.put(case, name, key, value, "views")
        return change

    def delete_view(self, case, chance):
        name = chance.choice(self.view_tables)
        rows = self.rows(case, name, "views")
        return self.put(case, name, chance.choice(rows)[0], None, "views")

    # Forgeries by an attacker who knows every format.

    def forge(self, case, chance):
        """Changes a fix and makes right what follows from it: checksum, tree, frontier, views."""
        rows = self.rows(case, "blocks")
        plain = [(key, block) for key, block in rows if not meaning.is_compact(block)
                 and len(meaning.entries_of(block)) > 20]
        if not plain:
            return False
        key, block = chance.choice(plain)
        block = bytearray(block)
        start, entry = chance.choice([(start, entry) for start, entry in meaning.entries_of(block)
                                      if entry[1] == 0x10 and entry[2] >> 4 & 3 == 1])
        payload = meaning.fields_of(entry)["payload"][0]
        # The lowest bits of the latitude: the fix stays where it was, within a metre.
        block[start + payload] ^= 1 << chance.randrange(6)
        self.put(case, "blocks", key, self.sealed(block))
        leaves = [meaning.leaf(entry) for _, block in self.rows(case, "blocks")
                  for _, entry in meaning.entries_of(block)]
        for first in range(0, len(leaves) - meaning.WIDTH + 1, meaning.WIDTH):
            self.put(case, "tree", struct.pack(">Q", first // meaning.WIDTH),
                     meaning.root(leaves[first:first + meaning.WIDTH]))
        state = dict(self.rows(case, "state"))[b"log"]
        self.put(case, "state", b"log", state[:20] + b"".join(meaning.frontier(leaves)))
        shutil.rmtree(case / "book" / "views")
        return True

    def forge_unseen(self, case, chance):
        self.forge(case, chance)
        self.forget(case)
        return True

    @staticmethod
    def forget(case):
        """Takes away all that is known of earlier heads, here and outside."""
        shutil.rmtree(case / "book" / "heads", ignore_errors=True)
        shutil.rmtree(case / "home", ignore_errors=True)
        (case / "home").mkdir()
        (case / "book" / "history.jsonl").unlink(missing_ok=True)

    @staticmethod
    def flip_head(folder):
        def change(case, chance):
            file = chance.choice(sorted((case / folder).glob("*.note")))
            return edited(file, lambda data: flip(data, 0, len(data), chance))
        return change

    def sign_strangely(self, case, chance):
        inside = sorted((case / "book" / "heads").glob("*.note"))[-1]
        outside = next((case / "home").rglob("heads/*.note"))
        for file in [inside, outside]:
            file.write_bytes(self.book.strange_note())
        return True

    # Older copies and other histories in the place of the ledger.

    def add_whole_files(self, add):
        older, fork = self.book.older / "ledger", self.book.fork / "ledger"

        def replace(source, parts, forgets=False):
            def change(case, chance):
                for part in parts:
                    shutil.rmtree(case / "book" / part)
                    shutil.copytree(source / "book" / part, case / "book" / part)
                return True
            return change

        def replace_all(source, with_home):
            def change(case, chance):
                for name in ["book", "home"] if with_home else ["book"]:
                    shutil.rmtree(case / name)
                    shutil.copytree(source / name, case / name)
                return True
            return change

        add("older log", replace(older, ["log"]), codes=(1,))
        add("older log and views", replace(older, ["log", "views"]), codes=(1,))
        add("older log, views and heads", replace(older, ["log", "views", "heads"]), codes=(1,))
        add("older views", replace(older, ["views"]))
        add("older ledger, a later head known", replace_all(older, False), codes=(1,))
        add("older ledger, nothing later known", replace_all(older, True), is_unknowable=True)
        add("fork by the owner's key, a head known", replace_all(fork, False), codes=(1,))
        add("fork by the owner's key, nothing known", replace_all(fork, True),
            is_unknowable=True)
