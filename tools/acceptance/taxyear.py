"""The reports of tax years: every report in every format for seven countries.

Formats have the same trips and the same sums; money is what an independent program makes of the CSV
of trips and of expenses (claims.py); an issued report comes again byte for byte after late data,
edits and new rates; a bundle verifies where no ledger is, and one altered byte of it is found; what
is printed is PDF/A-2b (archived.py).
"""

import csv
import io
import json
import random
import re
import shutil
import subprocess
import time
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser

import claims
from book import REPOSITORY, expect
from taxyear_book import TaxYearBook

# The tax year of each country that the book has: with the change in the middle of 2022 in us, and
# the tiers that were announced backwards in gb.
YEARS = {
    "us": ("2022-01-01", "2022-12-31"), "gb": ("2026-04-06", "2027-04-05"),
    "ca": ("2025-01-01", "2025-12-31"), "nl": ("2025-01-01", "2025-12-31"),
    "de": ("2025-01-01", "2025-12-31"), "au": ("2025-07-01", "2026-06-30"),
    "fr": ("2025-01-01", "2025-12-31"),
}
REPORTS = ("log", "summary", "claim", "changes", "reconcile", "completeness", "methods")
WITH_JURISDICTION = ("summary", "claim", "completeness", "methods")
LANGUAGES = {"nl": "nl", "de": "de", "fr": "fr"}
FORMATS = ("text", "csv", "json", "html", "pdf")
ALTERATIONS = 40

# More bytes a page mean fonts or pictures that are there twice.
MOST_BYTES_A_PAGE = 25_000


class Words(HTMLParser):
    """The text of a page, and the cells of its tables."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.texts, self.is_cell = [], [], False
        self.feed(page)
        self.text = " ".join("".join(self.texts).split())

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.is_cell = tag in ("td", "th")
        if self.is_cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.is_cell = False
        self.texts.append(" ")

    def handle_data(self, text):
        self.texts.append(text)
        if self.is_cell:
            self.rows[-1][-1] += text


class Reports:
    """Runs the reports of one country, and keeps what they print."""

    def __init__(self, ledger, book, directory):
        self.ledger, self.book, self.directory = ledger, book, directory
        self.pages = directory / "pages"
        self.pages.mkdir()
        self.times = Counter()

    def arguments(self, country, report, form):
        first, last = YEARS[country]
        words = ["report", report, "--from", first, "--to", last, "--format", form]
        if report in WITH_JURISDICTION:
            words += ["--jurisdiction", country]
        if form in ("text", "html", "pdf") and country in LANGUAGES:
            words += ["--language", LANGUAGES[country]]
        return words

    def make(self, country, report, form, *more):
        """Returns the bytes of a report."""
        path = self.pages / f"{country}-{report}.{form}"
        path.unlink(missing_ok=True)
        words = self.arguments(country, report, form)
        if form in ("html", "pdf"):
            words += ["--output", str(path)]
        started = time.monotonic()
        result = subprocess.run(
            [str(self.ledger), "--ledger", str(self.book), *words, *more], capture_output=True, timeout=600)
        self.times[form] += time.monotonic() - started
        expect(result.returncode == 0, f"{' '.join(words)}: {result.stderr[-300:]}")
        if result.returncode != 0:
            return b""
        if form not in ("html", "pdf"):
            path.write_bytes(result.stdout)
        return path.read_bytes()


def words_of_pdf(path):
    result = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True)
    expect(result.returncode == 0, f"{path.name}: pdftotext reads it")
    return result.stdout


def in_language(country, digits):
    """Returns a number as the country's language writes it, without marks between thousands."""
    return digits.replace(".", ",") if country in LANGUAGES else digits


def plain(text):
    """Returns a text without spaces of any kind, as numbers may have them between thousands."""
    return re.sub(r"[\s\u202f\u00a0]", "", text)


def check_log(country, made, path):
    """Every trip is in every format once, and the sums are the same."""
    rows = list(csv.DictReader(io.StringIO(made["csv"].decode())))
    lines = [json.loads(line) for line in made["json"].decode().splitlines()]
    total = lines[-1]
    metres = sum(Fraction(row["distance_km"]) for row in rows) * 1_000
    expect(metres == Fraction(str(total["distance_m"])), f"{country}: CSV and JSON of the log add up to the same")
    expect(len(rows) == total["trips"], f"{country}: CSV and JSON of the log have the same trips")
    ids = Counter(row["trip"][:8] for row in rows)
    texts = {"text": made["text"].decode(), "html": " ".join(cell for row in Words(made["html"].decode()).rows
                                                             for cell in row + [" "]),
             "pdf": words_of_pdf(path)}
    for form, text in texts.items():
        found = Counter(re.findall(r"\b[0-9a-f]{8}\b", text))
        missing = [name for name, count in ids.items() if found[name] < count]
        expect(not missing, f"{country}: {len(missing)} trips of the log are not in {form}, such as {missing[:3]}")
    return len(rows)


def check_claim(country, made, path):
    """The lines add up to the total, and every format has the total. Returns it in hundredths."""
    lines = [json.loads(line, parse_float=Fraction) for line in made["json"].decode().splitlines()]
    amounts = {one["currency"]: Fraction(one["amount"]) for one in lines[-1]["amounts"]}
    for name, rows in (("JSON", [line for line in lines if line["kind"] in ("line", "expense")]),
                       ("CSV", list(csv.DictReader(io.StringIO(made["csv"].decode()))))):
        sums = Counter()
        for row in rows:
            sums[row["currency"]] += Fraction(row["amount"] or 0)
        expect({c: s for c, s in sums.items() if s} == {c: a for c, a in amounts.items() if a},
               f"{country}: the lines in {name} add up to the total")
    texts = {"text": made["text"].decode(), "html": Words(made["html"].decode()).text, "pdf": words_of_pdf(path)}
    for form, text in texts.items():
        for currency, amount in amounts.items():
            digits = f"{int(amount * 100) // 100}.{int(amount * 100) % 100:02}"
            wanted = plain(f"{in_language(country, digits)} {currency}")
            # English and others may put marks between thousands.
            expect(wanted in plain(text).replace("'", ""), f"{country}: {digits} {currency} is in {form}")
    return {currency: round(amount * 100) for currency, amount in amounts.items()}


def beside(country, trips, expenses, first, last):
    """Returns what comes on top of rates, in hundredths by currency."""
    rows = claims.rows_of(country)
    by_id = {trip["id"]: trip for trip in trips}
    paid = ("flat", "marginal_tiers", "one_way_day_tiers", "cap", "whole_distance_bracket")
    sums = Counter()
    for expense in expenses:
        trip = by_id.get(expense["trip"])
        if trip is None or not first <= trip["day"] <= last:
            continue
        row = claims.holding(rows, paid, trip["day"], trip, "9999-12-31")
        if row and expense["kind"] in row.get("beside", []):
            sums[expense["currency"]] += claims.rounded(Fraction(expense["amount"]))
    return sums


def check_money(book, totals):
    """Money is what the CSV of trips and of expenses, and the tables of rates, come to."""
    trips = claims.read_trips(book.run("trips", "--all", "--format", "csv"), {})
    expenses = list(csv.DictReader(io.StringIO(book.run("expense", "list", "--format", "csv"))))
    known = set(trip["id"] for trip in trips)
    # Another rule decides about expenses whose trip has gone: only the program's claims have them.
    gone = [expense for expense in expenses if expense["trip"] and expense["trip"] not in known]
    for country, (first, last) in YEARS.items():
        currency = claims.rows_of(country)[0]["currency"]
        found = beside(country, trips, expenses, first, last)
        found[currency] += claims.claim(country, trips, first, last)
        said = Counter(totals[country])
        slack = sum(claims.rounded(Fraction(expense["amount"])) for expense in gone)
        differences = {name: said[name] - found[name] for name in said | found}
        expect(all(difference == 0 or gone and 0 < difference <= slack for difference in differences.values()),
               f"{country}: {dict(said)} in the claim is {dict(found)}")
        print(f"{country} {first} to {last}: {said[currency] / 100:,.2f} {currency}, computed again to the cent")


def check_issued(reports, book):
    """What was issued comes again after everything else has changed."""
    kept = {}
    for report in REPORTS:
        for form in FORMATS:
            kept[report, form] = reports.make("nl", report, form, "--issue")
    issued = [json.loads(line) for line in book.run("report", "issued", "--format", "json").splitlines()]
    expect(len(issued) == len(kept), f"{len(kept)} reports were issued, and {len(issued)} are listed")
    change(book)
    differ = 0
    issued.sort(key=lambda one: int(one["id"][1:]))
    for (report, form), one in zip(kept, issued):
        again = reports.directory / "again"
        result = subprocess.run(
            [str(reports.ledger), "--ledger", str(book.path), "report", "reissue", one["id"]],
            capture_output=True, timeout=600)
        again.write_bytes(result.stdout)
        expect(result.returncode == 0, f"reissue of {report} as {form}: {result.stderr[-300:]}")
        expect(result.stdout == kept[report, form], f"{report} as {form} comes again byte for byte")
        differ += reports.make("nl", report, form) != kept[report, form]
    expect(differ >= 20, f"after changes only {differ} of the reports are other ones")
    changes = book.run("changes", "--since", "2026-10-03", "--no-pager")
    expect("business" in changes, "changes lists what was said later")
    print(f"nl: {len(kept)} issued reports come again byte for byte; {differ} of them would be others today")


def change(book):
    """Later facts, decisions and rates."""
    trip = next(trip for trip in book.trips() if trip["started_at"].startswith("2025-02"))
    events = [
        {"type": "details_edited", "source": "book", "trip": trip["id"], "trip_started_at": trip["started_at"],
         "occurred_at": "2026-11-01T10:00:00Z", "class": "business", "purpose": "said later", "vehicle": "van"},
        {"type": "distance_adjusted", "source": "book", "trip": trip["id"], "trip_started_at": trip["started_at"],
         "occurred_at": "2026-11-01T10:00:01Z", "distance_m": 77_000, "why": "the odometer"},
        {"type": "trip_reported", "source": "book", "occurred_at": "2026-11-01T10:00:02Z",
         "started_at": "2025-05-05T03:00:00+02:00", "ended_at": "2025-05-05T03:30:00+02:00", "distance_m": 12_345,
         "class": "business", "vehicle": "clio", "from": "A", "to": "B"},
        {"type": "place_saved", "source": "book", "occurred_at": "2026-11-01T10:00:03Z", "place": "Late place",
         "lat": 52.0, "lon": 4.4, "radius_m": 3_000},
    ]
    book.append_events(events)
    table = {"table": "later", "rates": [{"id": "later.nl", "jurisdiction": "nl", "scheme": "onbelaste_vergoeding",
                                          "classes": ["business", "commute"], "from": "2025-01-01",
                                          "known_from": "2026-10-15", "currency": "EUR", "rate": "0.99"}]}
    path = book.path.parent / "later.json"
    path.write_text(json.dumps(table))
    book.run("rates", "load", str(path))


def check_bundle(reports, book, seed):
    """A bundle verifies against its head, as far as a program can tell, and one altered byte of any of
    its files is found."""
    chance = random.Random(seed)
    bundle = reports.directory / "bundle"
    book.run("bundle", "--year", "2025", "--jurisdiction", "nl", "-o", str(bundle))

    manifest = json.loads((bundle / "manifest.json").read_bytes())
    head = f"{manifest['size']}:{manifest['root']}"

    def verify():
        return subprocess.run([str(reports.ledger), "verify", str(bundle), head], capture_output=True, text=True,
                              cwd="/", env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}, timeout=600)

    started = time.monotonic()
    result = verify()
    seconds = time.monotonic() - started
    unknown = [line for line in result.stdout.splitlines() if line.startswith("  unknown")]
    # A rate of the owner's own was loaded: whether a claim may go by it, only a person can tell.
    expect(result.returncode == 2 and len(unknown) == 1 and "later.nl" in unknown[0],
           f"the bundle verifies: {result.stderr[-400:]}{result.stdout[:400]}")
    files = sorted(path for path in bundle.rglob("*") if path.is_file() and path.stat().st_size)
    unseen = []
    for number in range(ALTERATIONS):
        path = files[number % len(files)] if number < len(files) else chance.choice(files)
        whole = path.read_bytes()
        digits = [index for index, byte in enumerate(whole) if chr(byte).isdigit()] or range(len(whole))
        index = chance.choice(digits)
        new = ord("7") if whole[index] != ord("7") else ord("3")
        path.write_bytes(whole[:index] + bytes([new]) + whole[index + 1:])
        result = verify()
        if result.returncode != 1 or path.name not in result.stdout + result.stderr:
            unseen.append(f"{path.relative_to(bundle)} at {index}")
        path.write_bytes(whole)
    expect(not unseen, f"altered digits that verify does not name: {unseen}")
    print(f"The bundle of nl has {len(files)} files, verifies in {seconds:.1f} s, and of {ALTERATIONS} altered "
          f"digits {ALTERATIONS - len(unseen)} are named with their files")


def check_archived(pages):
    """What is printed is what archives take, and small: at most 25 kB a page."""
    paths = sorted(pages.glob("*.pdf"))
    most = 0
    for path in paths:
        text = subprocess.run(["pdfinfo", str(path)], capture_output=True, text=True, check=True).stdout
        count = int(re.search(r"^Pages: +(\d+)$", text, re.M)[1])
        # Fonts and the profile of colours are in each file once.
        most = max(most, path.stat().st_size / max(count, 2))
    expect(most <= MOST_BYTES_A_PAGE, f"{most:,.0f} bytes a page are more than {MOST_BYTES_A_PAGE:,}")
    pythons = (REPOSITORY / ".build" / "acceptance-python" / "bin" / "python3", "python3")
    for python in pythons:
        known = subprocess.run([str(python), "-c", "import fontTools, pikepdf"], capture_output=True) \
            if shutil.which(str(python)) else None
        if known and known.returncode == 0:
            break
    else:
        expect(False, "pikepdf is missing, so PDF/A-2b is not checked: tools/acceptance/setup installs it")
        return
    result = subprocess.run([str(python), str(REPOSITORY / "tools" / "acceptance" / "archived.py"), *map(str, paths)],
                            capture_output=True, text=True)
    expect(result.returncode == 0, f"PDF/A-2b: {result.stdout[-2_000:]}{result.stderr[-1_000:]}")
    print(f"{len(paths)} files are PDF/A-2b, at most {most / 1_000:,.1f} kB a page")


def check(ledger, directory, seed, keep=None):
    """Makes the book and all reports of it, and compares them."""
    print("\nTax years of seven countries\n", flush=True)
    book = TaxYearBook(ledger, directory, seed)
    reports = Reports(ledger, book.path, directory)
    totals = {}
    for country in YEARS:
        trips = 0
        for report in REPORTS:
            made = {form: reports.make(country, report, form) for form in FORMATS}
            path = reports.pages / f"{country}-{report}.pdf"
            if not all(made.values()):
                continue
            if report == "log":
                trips = check_log(country, made, path)
            elif report == "claim":
                totals[country] = check_claim(country, made, path)
        print(f"{country}: {len(REPORTS)} reports in {len(FORMATS)} formats, {trips:,} trips in the log", flush=True)
    print("Seconds for 49 reports of each format: " +
          ", ".join(f"{form} {seconds:.1f}" for form, seconds in reports.times.items()))
    if len(totals) == len(YEARS):
        check_money(book, totals)
    check_archived(reports.pages)
    check_issued(reports, book)
    check_bundle(reports, book, seed)
    if keep:
        shutil.copytree(reports.pages, keep, dirs_exist_ok=True)
