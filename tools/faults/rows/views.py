"""Pages of the views that are not what was written."""

import json
import shutil

from ledgers import Book, Wrong
from row import Case, Row

PAGE = 4096
# How many damaged files a case looks at.
FILES = 25
QUESTIONS = [
    ["trips", "--all"], ["trips", "--limit", "3"], ["totals", "--by", "month"], ["report", "log"],
    ["history", "last"], ["trip", "last"],
]


def reported(number):
    """Returns a trip that a driver wrote down, 10 hours after the one before it."""
    days, hours = divmod(10 * number, 24)
    month, day = divmod(days, 28)
    start = f"2025-{month % 12 + 1:02}-{day + 1:02}T{hours:02}"
    return json.dumps({
        "type": "trip_reported", "source": "paper", "occurred_at": "2026-01-02T00:00:00Z",
        "id": str(number), "started_at": f"{start}:05:00Z", "ended_at": f"{start}:25:00Z",
        "distance_m": 1_000 + number}).encode()


class Views(Row):
    name = "views"
    fault = "one page of the views zeroed, garbled, an older copy of itself or another page"
    oracle = "no figure changes with exit 0, also after an append, and no crash repeats"

    def prepare(self, bench):
        self.directory = bench.directory / self.name
        self.directory.mkdir(parents=True)
        book = Book(bench.ledger, self.directory)
        book.must("init", "--time-zone", "Etc/UTC")
        book.append([reported(number) for number in range(700)])
        book.append(book.simulate("phone", bench.seed % 1000, drives=6))
        book.must("place", "save", "Home", "--lat", "52.0", "--lon", "4.36", "--radius", "150")
        book.must("project")
        files = [self.views(book).read_bytes()]
        book.append(book.simulate("logger", bench.seed % 1000 + 1, drives=6))
        book.must("edit", "last", "--purpose", "Client visit", "--class", "business")
        book.must("adjust", "last", "--km", "35.5", "--why", "odometer")
        book.must("project")
        files.append(self.views(book).read_bytes())
        # Views that have not read all of the log are written to before they answer.
        book.append([reported(701)])
        book.must("project")
        files.append(self.views(book).read_bytes())
        self.files = list(zip(files, files[1:]))
        self.expected = [book.must(*question).output for question in QUESTIONS]
        shutil.rmtree(book.path / "views")
        self.book = book

    @staticmethod
    def views(book):
        return book.path / "views" / "data.mdb"

    def cases(self, bench, chance):
        count = 4 if bench.is_quick else 400
        return [Case(f"{FILES} files, {number}", self.damage) for number in range(count)]

    def damage(self, directory, chance):
        shutil.copytree(self.directory, directory, dirs_exist_ok=True)
        book = Book(self.book.program, directory)
        counts = {"damaged files": 0, "commands that crashed": 0, "views made anew": 0}
        for _ in range(FILES):
            self.judge(book, self.damaged(chance), chance, counts)
        return counts

    def damaged(self, chance):
        """Returns the views' file with one page that is not what was written."""
        older, newer = chance.choice(self.files)
        data = bytearray(newer)
        place = PAGE * chance.randrange(len(data) // PAGE)
        page = slice(place, place + PAGE)
        kind = chance.choice(["zeros", "noise", "bits", "number", "older", "other", "cut"])
        if kind == "zeros":
            data[page] = bytes(PAGE)
        elif kind == "noise":
            data[page] = chance.randbytes(PAGE)
        elif kind == "bits":
            for _ in range(chance.choice([1, 1, 3])):
                data[place + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)
        elif kind == "number":
            # The bytes near the beginning say how the page is divided.
            at = place + 2 * chance.randrange(8, 40)
            data[at:at + 2] = chance.randrange(1 << 12).to_bytes(2, "little")
        elif kind == "older":
            data[page] = older[page] if place < len(older) else bytes(PAGE)
        elif kind == "other":
            other = PAGE * chance.randrange(len(data) // PAGE)
            data[page] = data[other:other + PAGE]
        else:
            del data[place:]
        return bytes(data)

    def judge(self, book, data, chance, counts):
        views = self.views(book)
        shutil.rmtree(views.parent, ignore_errors=True)
        views.parent.mkdir()
        views.write_bytes(data)
        counts["damaged files"] += 1
        number = chance.randrange(len(QUESTIONS))
        for attempt in range(3):
            run = book.run(*QUESTIONS[number])
            if run.code == 0:
                if run.output != self.expected[number]:
                    raise Wrong(f"damaged views, and {run}")
                break
            if run.code not in (74, -6, -7, -11):
                raise Wrong(f"damaged views, and {run}")
            counts["commands that crashed"] += 1
            if attempt > 0:
                raise Wrong(f"it crashes again: {run}")
        counts["views made anew"] += views.read_bytes() != data

    def controls(self, bench, chance):
        def unnoticed(directory, chance):
            # Other trips under sound sums.
            shutil.copytree(self.directory, directory, dirs_exist_ok=True)
            book = Book(self.book.program, directory)
            book.append([reported(702)])
            book.must("project")
            for _ in QUESTIONS:
                self.judge(book, self.views(book).read_bytes(), chance,
                           {"damaged files": 0, "commands that crashed": 0, "views made anew": 0})
        return [Case("control: other trips", unnoticed)]
