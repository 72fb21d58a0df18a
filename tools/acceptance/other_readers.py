"""The same recordings as the ledger reads them and as other programs do: counts, times, positions."""

import subprocess
import sys
from pathlib import Path

import readers
from book import REPOSITORY, SHARED, Book, expect
from drives_in_formats import FORMATS, form_of

sys.path.insert(0, str(REPOSITORY / "tools" / "benchmarks"))

import recordings  # noqa: E402

# Half a unit of seven decimals: so many degrees apart may be what one of two has rounded.
MOST_DEGREES = 0.51e-7

# Differences of other readers, and why: the time of a table, or how far apart positions may be.
EXPLAINED = {
    ("track.csv", "gpsbabel"): "it does not know occurred_at as the name of a time",
}


def simulated(ledger, directory):
    """Returns a simulated driver's track in each format that `ledger track` writes, and simulated
    fixes in formats that other apps write."""
    book = Book(ledger, directory)
    driver = [ledger, "simulate", "--start", "2025-03-01", "--days", "20", "--places"]
    book.append(subprocess.run(driver, check=True, capture_output=True).stdout)
    files = []
    for form in ("gpx", "kml", "csv", "geojson"):
        path = Path(directory) / f"track.{form}"
        path.write_bytes(book.run("track", "--month", "2025-03", "--format", form).stdout)
        files.append((path.name, form, path))
    lines = Path(directory) / "bulk.jsonl"
    bulk = [ledger, "simulate", "bulk", "--drives", "4", "--seed", "16"]
    lines.write_bytes(subprocess.run(bulk, check=True, capture_output=True).stdout)
    _, written = recordings.write(lines, Path(directory) / "recordings")
    return files + [(f"recordings/{path.name}", form, path) for form, path in written.items()]


def check(ledger, directory):
    print("\nRecordings as other programs read them\n")
    print(f"{'file':<42}{'reader':<15}{'fixes':>7}{'theirs':>7}{'other times':>12}"
          f"{'apart (degrees)':>17}")
    files = [(path.name, form_of(path), path) for path in sorted(FORMATS.glob("*.*"))]
    if not SHARED.is_dir():
        print("skipped: the shared drives are not here")
    for name, form, path in files + simulated(ledger, directory):
        fixes = readers.ours(ledger, path)
        for reader, read in readers.readers_of(form).items():
            compare(name, reader, fixes, read(path))


def compare(name, reader, fixes, others):
    why = EXPLAINED.get((name, reader))
    pairs = list(zip(fixes, others))
    times = sum(fix[0] != other[0] for fix, other in pairs)
    apart = max((max(abs(fix[1] - other[1]), abs(fix[2] - other[2])) for fix, other in pairs),
                default=0)
    note = f"  {why}" if why else ""
    print(f"{name:<42}{reader:<15}{len(fixes):>7}{len(others):>7}{times:>12}{apart:>17.1e}{note}")
    expect(len(fixes) > 0 and len(fixes) == len(others), f"{name}: {reader} reads {len(others)}")
    expect(times == 0 or why, f"{name}: {times} times that {reader} reads are others")
    expect(apart <= MOST_DEGREES, f"{name}: positions that {reader} reads are {apart} degrees apart")
