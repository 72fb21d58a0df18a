"""Files that are cut, zeroed or mixed up on the disk."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ledgers import Book, Wrong, expect_beginning, expect_dense
from row import Case, Row
from stage import Stage

PAGE = 4096
MUTATIONS = Path(__file__).resolve().parents[2] / "mutations" / "run"


def shown(book):
    """Returns what a ledger says of itself: its log, trips and totals."""
    return [book.must(*arguments, "--format", "json").output
            for arguments in [["log"], ["trips", "--all"], ["totals"]]]


class Damage(Row):
    name = "damage"
    fault = "a log cut at each page, pages zeroed and swapped, and the classes of tools/mutations"
    oracle = "verify never exits 0 on another meaning; rescue saves what it can and proves it"

    def prepare(self, bench):
        self.stage = Stage(bench.ledger, bench.directory / self.name, bench.seed % 1000)
        self.book = Book(bench.ledger, self.stage.directory)
        self.book.must("head", "--sign")
        self.sound = shown(self.book)

    def cases(self, bench, chance):
        pages = self.book.data_file.stat().st_size // PAGE
        found = []
        for page in range(pages):
            cut = page * PAGE + chance.choice([0, chance.randrange(PAGE)])
            found.append(Case(f"cut at byte {cut}", self.damage(
                bench, lambda data, cut=cut: data[:cut])))
            found.append(Case(f"page {page} zeroed", self.damage(
                bench, lambda data, page=page: self.put(data, {page: bytes(PAGE)}))))
            other = (page + chance.randrange(1, pages)) % pages
            found.append(Case(f"pages {page} and {other} swapped", self.damage(
                bench, lambda data, a=page, b=other: self.put(
                    data, {a: self.page(data, b), b: self.page(data, a)}))))
        # In short, tools/check runs tools/mutations by itself.
        if not bench.is_quick:
            found.append(Case("mutations", self.mutations(bench, 500)))
        return bench.sample(found, 4, chance)

    @staticmethod
    def page(data, number):
        return data[number * PAGE:(number + 1) * PAGE]

    @classmethod
    def put(cls, data, pages):
        changed = bytearray(data)
        for number, content in pages.items():
            changed[number * PAGE:(number + 1) * PAGE] = content
        return bytes(changed)

    def damage(self, bench, change):
        def check(directory, chance):
            self.stage.copy(directory)
            book = Book(bench.ledger, directory)
            data = book.data_file.read_bytes()
            book.data_file.write_bytes(change(data))
            is_same = book.data_file.read_bytes() == data
            return self.judge(book, is_same)
        return check

    def judge(self, book, is_same=False):
        verdict = book.run("verify")
        if verdict.code not in (0, 1, 2):
            raise Wrong(f"damaged, and {verdict}")
        if verdict.code == 0 and shown(book) != self.sound:
            raise Wrong("verify exits 0, and the ledger says something else than before")
        if verdict.code != 0 and is_same:
            raise Wrong(f"nothing was changed, and {verdict}")
        return {f"verify exit {verdict.code}": 1} | self.rescue(book)

    def rescue(self, book):
        """Rescues into a new ledger, which must be a true beginning of the old one."""
        run = book.run("rescue", book.name, "-o", "saved", "--format", "json")
        if run.code not in (0, 1, 2):
            raise Wrong(f"damaged, and {run}")
        if run.code == 2:
            return {"nothing to rescue": 1}
        report = json.loads(run.output)
        saved = Book(book.program, book.directory, "saved")
        if not (saved.path / "log").exists():
            if report["size"]:
                raise Wrong(f"rescue says {report['size']} entries, and there is no ledger")
            return {"nothing to rescue": 1}
        entries = saved.entries()
        expect_dense(entries)
        if len(entries) != report["size"]:
            raise Wrong(f"rescue says {report['size']} entries, and there are {len(entries)}")
        expect_beginning(self.stage.entries, entries)
        if run.code == 0 and len(entries) != len(self.stage.entries):
            raise Wrong("rescue exits 0, and entries are missing")
        return {"rescued entries": len(entries), "rescues": 1,
                "rescued all": len(entries) == len(self.stage.entries)}

    def mutations(self, bench, count):
        def check(directory, chance):
            seed = chance.randrange(1 << 20)
            done = subprocess.run(
                [sys.executable, MUTATIONS, "--ledger", bench.ledger.path, "--count", str(count),
                 "--seed", str(seed), "--jobs", "1"], capture_output=True, text=True)
            if done.returncode != 0:
                raise Wrong(f"tools/mutations/run --seed {seed} --count {count}: "
                            + (done.stdout + done.stderr)[-2000:])
            skipped = re.findall(r"^skipped: (.*)$", done.stdout, re.MULTILINE)
            return {"mutations": count} | {f"skipped {why}": 1 for why in skipped}
        return check

    def controls(self, bench, chance):
        def other(directory, chance):
            # Another sound log in the place of this one, and no known head.
            self.stage.copy(directory)
            book = Book(bench.ledger, directory)
            shutil.rmtree(book.path)
            shutil.rmtree(directory / "home")
            book = Book(bench.ledger, directory)
            book.must("init")
            self.judge(book)
        return [Case("control: another ledger", other)]
