"""What the ledger writes, as other programs read it: journals, schemas, tables, and the way back."""

import importlib.util
import json
import re
import subprocess
from decimal import Decimal
from pathlib import Path

import duckdb

from book import Book, expect

HERE = Path(__file__).resolve().parent
GPX_SCHEMA = HERE / "schemas" / "gpx-1.1.xsd"

# OGC's schema of KML 2.2, with Google's extensions, as fastkml brings it.
KML_SCHEMA = Path(importlib.util.find_spec("fastkml").origin).parent / "schema" / "ogckml22.xsd"

YEAR = "2025"


def program(*command, data=None):
    result = subprocess.run([str(part) for part in command], input=data, capture_output=True)
    expect(result.returncode == 0, f"{command[0]}: {result.stderr.decode().strip()}")
    return result.stdout.decode()


def driver_lines(ledger):
    command = [ledger, "simulate", "--start", "2025-03-01", "--days", "28", "--places"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def driver_book(ledger, directory):
    """Returns a ledger of a simulated driver's month, with trips of several classes."""
    book = Book(ledger, directory)
    book.append(driver_lines(ledger))
    for options in (["--from-place", "home", "--to-place", "office", "--class", "commute"],
                    ["--to-place", "client-1", "--to-place", "client-2", "--class", "business"]):
        book.run("edit", *options, "--year", YEAR, "--yes")
    return book


# Journals

def class_sums(book):
    """Returns the sums of the mileage log as it is printed: of lines that are rounded."""
    text = book.run("report", "log", "--year", YEAR, "--draft").stdout.decode()
    table = text.split("\nCLASS ", 1)[1].split("\n\n", 1)[0]
    rows = re.findall(r"^(\w+) +(\d+) +([\d.]+) ", table, re.MULTILINE)
    return {name: (int(count), Decimal(sum_)) for name, count, sum_ in rows}


def numbers_of(text, kind):
    """Returns the sums of accounts, by the last part of their names."""
    pattern = {
        "hledger": r'^"(?:\w+:)*(\w+)","([\d.]+) km"', "ledger-cli": r"^(?:\w+:)*(\w+)\t([\d.]+) km",
        "beancount": r"^(?:\w+:)*(\w+) +([\d.]+) KM"}[kind]
    return {name.lower(): Decimal(number)
            for name, number in re.findall(pattern, text, re.MULTILINE)}


def check_journals(book, directory):
    expected = {name: total for name, (_, total) in class_sums(book).items()
                if name != "total" and total}
    totals = {row["name"]: row for row in book.lines("totals", "--by", "class", "--year", YEAR)}
    readers = {
        "hledger": ["hledger", "-f", "{}", "balance", "mileage", "--flat", "-N", "-O", "csv"],
        "ledger-cli": ["ledger", "-f", "{}", "balance", "mileage", "--flat", "--no-total",
                       "--balance-format", "%(account)\t%(display_total)\n"],
        "beancount": ["bean-query", "{}",
                      "SELECT account, sum(position) WHERE account ~ 'Mileage' GROUP BY account"],
    }
    for kind, command in readers.items():
        path = Path(directory) / f"trips.{kind}"
        path.write_bytes(book.run("trips", "--format", kind, "--year", YEAR).stdout)
        if kind == "beancount":
            program("bean-check", path)
        text = program(*[part.format(path) for part in command])
        found = numbers_of(text, kind)
        expect(found == expected, f"{kind}: {found} instead of {expected}")
        for name, total in found.items():
            row = totals[name]
            apart = abs(total - Decimal(str(row["distance_m"])) / 1000)
            most = Decimal("0.005") * row["trips"]
            expect(apart <= most, f"{kind}: {name} is {apart} km from the exact total")
        shown = ", ".join(f"{name} {total} km" for name, total in sorted(found.items()))
        print(f"{command[0]} reads our {kind} journal: {shown}, as the mileage log has it")


# Schemas

def is_valid(path, schema):
    command = ["xmllint", "--nonet", "--noout", "--schema", schema, path]
    return subprocess.run(command, capture_output=True).returncode == 0


def check_schemas(book, directory):
    for form, schema, element in (("gpx", GPX_SCHEMA, "trkseg"), ("kml", KML_SCHEMA, "Placemark")):
        path = Path(directory) / f"all.{form}"
        path.write_bytes(book.run("track", "--all", "--format", form).stdout)
        expect(is_valid(path, schema), f"{form}: valid")
        # A schema that lets everything pass would prove nothing.
        wrong = Path(directory) / f"wrong.{form}"
        wrong.write_text(path.read_text().replace(f"<{element}>", f"<{element}><surprise/>", 1))
        expect(not is_valid(wrong, schema), f"{form}: an element that is none is refused")
        print(f"xmllint: {form} is valid by {schema.name}, and with an element too many it is not")


# Tables

def check_tables(book, directory):
    base = Path(directory)
    for name, command in (
            ("trips", ["trips", "--year", YEAR]), ("track", ["track", "--all", "--year", YEAR])):
        for form, ending in (("csv", "csv"), ("json", "jsonl")):
            (base / f"{name}.{ending}").write_bytes(book.run(*command, "--format", form).stdout)

    def one(query):
        return duckdb.sql(query.format(base)).fetchall()[0]

    total = book.lines("totals", "--by", "class", "--year", YEAR)[-1]
    exact = (total["trips"], Decimal(str(total["distance_m"])))
    # The table has all trips, also those that count nowhere; so have the lines.
    lines = one("SELECT count(*), sum(CAST(distance_m AS DECIMAL(18, 3))) FROM '{}/trips.jsonl'")
    table = one("SELECT count(*), sum(CAST(distance_m AS DECIMAL(18, 3))) FROM '{}/trips.csv'")
    expect(lines == exact, f"DuckDB: lines of trips {lines} instead of {exact}")
    expect(table == exact, f"DuckDB: table of trips {table} instead of {exact}")
    fixes = ("SELECT count(*), sum(CAST(lat AS DECIMAL(18, 9))), sum(CAST(lon AS DECIMAL(18, 9))), "
             "min(CAST(occurred_at AS TIMESTAMPTZ)), max(CAST(occurred_at AS TIMESTAMPTZ)) FROM ")
    found = one(fixes + "'{}/track.jsonl'")
    expect(found == one(fixes + "'{}/track.csv'"), "DuckDB: the same fixes in table and lines")
    duckdb.sql(f"COPY (FROM '{base}/trips.jsonl') TO '{base}/trips.parquet' (FORMAT parquet)")
    parquet = one("SELECT count(*), sum(CAST(distance_m AS DECIMAL(18, 3))) FROM '{}/trips.parquet'")
    expect(parquet == exact, f"DuckDB: Parquet of trips {parquet} instead of {exact}")
    print(f"DuckDB: {exact[0]} trips, {exact[1]} m in table, lines, Parquet and `ledger totals`; "
          f"{found[0]} fixes in table and lines")


# The way back

def distances(book):
    return {trip["id"]: trip["distance_m"] for trip in book.rows()}


def check_round_trips(ledger, book, directory):
    """A ledger made of all fixes that were written has the same distances, to the millimetre."""
    expected = distances(book)
    lines = driver_lines(ledger).splitlines(keepends=True)
    others = b"".join(line for line in lines if b'"type":"fix_recorded"' not in line)
    sources = {json.loads(line)["source"] for line in lines if b'"type":"fix_recorded"' in line}
    for form in ("gpx", "geojson", "csv"):
        other = Book(ledger, directory)
        other.append(others)
        for source in sources:
            path = Path(directory) / f"{source}.{form}"
            path.write_bytes(
                book.run("track", "--all", "--source", source, "--format", form).stdout)
            other.run("append", path, "--source", source)
        found = distances(other)
        apart = {name: (found.get(name), expected.get(name))
                 for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)}
        expect(not apart, f"{form}: other distances than before: {apart}")
        print(f"{form} and back: {len(found)} trips, {sum(found.values()):.3f} m, "
              f"of {sum(expected.values()):.3f} m")


def check(ledger, directory):
    print("\nWhat the ledger writes, as other programs read it\n")
    book = driver_book(ledger, directory)
    check_journals(book, directory)
    check_schemas(book, directory)
    check_tables(book, directory)
    check_round_trips(ledger, book, directory)
