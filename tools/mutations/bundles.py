"""Mutations of an auditor's bundle, as its owner can make them: hashes are made right again."""

import hashlib
import json
import shutil

from ledgers import Mutation, edited, flip

UNLISTED = ["manifest.json", "SHA256SUMS", "manifest.note"]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def listed(out, file):
    data = file.read_bytes()
    return {"path": str(file.relative_to(out)), "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}


def seal(out, change=None, left_out=()):
    """Makes the manifest name all files but some, and the list of hashes, after another change."""
    manifest = json.loads((out / "manifest.json").read_bytes())
    files = [listed(out, file) for file in sorted(out.rglob("*")) if file.is_file()]
    manifest["files"] = [file for file in files if file["path"] not in [*UNLISTED, *left_out]]
    if change:
        change(manifest)
    data = compact(manifest) + b"\n"
    (out / "manifest.json").write_bytes(data)
    lines = [(hashlib.sha256(data).hexdigest(), "manifest.json")]
    lines += [(file["sha256"], file["path"]) for file in manifest["files"]]
    (out / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for digest, name in lines))
    return True


class BundleMutations:
    """All classes of mutations of a bundle without signatures, whose head is known."""

    def __init__(self, book):
        self.book = book

    def all(self):
        found = []

        def add(name, change, **options):
            found.append(Mutation(
                f"bundle: {name}", "bundle",
                lambda case, chance: change(case / "out", chance) is not False, **options))

        # The control: hashes that were made again, and nothing else, are no forgery.
        add("files listed in another order", lambda out, chance: seal(
            out, lambda manifest: chance.shuffle(manifest["files"])), codes=(0,),
            is_unknowable=True)
        add("a print beside the reports", self.add_print, codes=(0,), is_unknowable=True)
        add("bit of a file", self.flip_bit)
        add("file deleted", lambda out, chance: chance.choice(
            [file for file in out.rglob("*") if file.is_file()]).unlink())
        add("digit of a report", self.change_digit("reports/*"), codes=(1,))
        add("digit of README.txt", self.change_digit("README.txt"), codes=(1,))
        add("report left out of the list, and forged", self.leave_out, codes=(1,))
        add("report taken away", self.take_away, codes=(1,))
        add("reports exchanged", self.exchange, codes=(1,))
        add("a file that is none of a bundle's", self.add_stranger, codes=(2,))
        add("rate by which the claim goes", self.change_rate, codes=(1,))
        add("row by which the claim goes deleted", self.delete_row, codes=(1, 2))
        add("row by which no figure goes", self.change_other_row, codes=(0,), is_unknowable=True)
        add("what it was made for", self.change_question, codes=(1, 2))
        add("line of the evidence dropped", self.drop_line, codes=(1,))
        add("of a fork", self.replace, codes=(1,))
        return found

    @staticmethod
    def flip_bit(out, chance):
        file = chance.choice(sorted(file for file in out.rglob("*") if file.is_file()))
        return edited(file, lambda data: flip(data, 0, len(data), chance))

    @staticmethod
    def change_digit(pattern):
        def change(out, chance):
            file = chance.choice(sorted(out.glob(pattern)))

            def digit(data):
                place = chance.choice([n for n, byte in enumerate(data) if 0x30 <= byte <= 0x39])
                data[place] = 0x30 + (data[place] - 0x30 + chance.randrange(1, 10)) % 10
            edited(file, digit)
            return seal(out)
        return change

    @staticmethod
    def leave_out(out, chance):
        file = chance.choice(sorted(out.glob("reports/*")))
        file.write_bytes(b"0 km, nothing to pay\n")
        return seal(out, left_out=[str(file.relative_to(out))])

    @staticmethod
    def take_away(out, chance):
        chance.choice(sorted(out.glob("reports/*"))).unlink()
        return seal(out)

    @staticmethod
    def exchange(out, chance):
        first, second = chance.sample(sorted(out.glob("reports/*")), 2)
        one, other = first.read_bytes(), second.read_bytes()
        first.write_bytes(other)
        second.write_bytes(one)
        return seal(out)

    @staticmethod
    def add_stranger(out, chance):
        name = chance.choice(["reports/paid.txt", "receipt.pdf", "prints/log.txt", "rates/own.jsonl"])
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(chance.randbytes(64))
        return seal(out) if chance.random() < 0.5 else True

    @staticmethod
    def add_print(out, chance):
        (out / "prints").mkdir(exist_ok=True)
        name = chance.choice(["index.html", "log.pdf", "claim.pdf"])
        (out / "prints" / name).write_bytes(chance.randbytes(64))
        return seal(out)

    # Rates.

    def edit_rows(self, out, change):
        """Changes the rows of rates, and the hash of the table in the claims that name it."""
        file = out / "rates" / "us.jsonl"
        old = file.read_bytes()
        rows = change(old.splitlines(keepends=True))
        if not rows:
            return False
        new = b"".join(rows)
        file.write_bytes(new)
        digests = [hashlib.sha256(data).hexdigest().encode() for data in (old, new)]
        for claim in out.glob("reports/claim.*"):
            claim.write_bytes(claim.read_bytes().replace(*digests))
        return seal(out)

    def is_used(self, row):
        said = json.loads(row)
        return (said["from"] <= f"{self.book.year}-12-31" and "business" in said["classes"]
                and said.get("to", "9999") >= f"{self.book.year}-01-01")

    def change_rate(self, out, chance):
        def change(rows):
            def raised(row):
                rate = json.loads(row)["rate"]
                return row.replace(f'"rate":"{rate}"'.encode(), f'"rate":"1{rate}"'.encode())
            return [raised(row) if self.is_used(row) else row for row in rows]
        return self.edit_rows(out, change)

    def delete_row(self, out, chance):
        return self.edit_rows(out, lambda rows: [row for row in rows if not self.is_used(row)])

    def change_other_row(self, out, chance):
        def change(rows):
            others = [n for n, row in enumerate(rows)
                      if b'"rate":"0' in row and not self.is_used(row)]
            place = chance.choice(others)
            rows[place] = rows[place].replace(b'"rate":"0', b'"rate":"1')
            return rows
        return self.edit_rows(out, change)

    # What it was made for and from.

    def change_question(self, out, chance):
        name, value = chance.choice([
            ("year", self.book.year - 1), ("vehicle", "none"), ("language", "nl"), ("bundle", 2),
            ("last_day", f"{self.book.year}-06-30"), ("ledger", "made-up"), ("size", 10),
            ("jurisdiction", "nl"), ("program_version", "9.9.9"), ("root", "0" * 64),
            ("table", "nl")])
        return seal(out, lambda manifest: manifest.__setitem__(name, value))

    @staticmethod
    def drop_line(out, chance):
        file = out / "evidence" / "entries.jsonl"
        lines = file.read_bytes().splitlines(keepends=True)
        del lines[chance.randrange(1, len(lines))]
        file.write_bytes(b"".join(lines))
        return seal(out)

    def replace(self, out, chance):
        shutil.rmtree(out)
        shutil.copytree(self.book.fork / "bundle" / "out", out)
        return True
