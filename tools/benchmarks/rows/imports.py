"""What other apps recorded, as lines of events and to a durable log; beside gpsbabel and gpxpy.

Rates are those of processor time, which a busy machine changes less: a run takes minutes, and each of
these programs has one thread.
"""

import shutil
import statistics
import subprocess

import recordings
from measuring import expect, in_turns, peak_bytes
from table import Row
from workshop import FIXES_PER_DRIVE, Missing

# The names in gpsbabel of the measured formats.
GPSBABEL = {"gpx": "gpx", "csv": "unicsv", "nmea": "nmea", "fit": "garmin_fit", "google": "googletakeout"}


def gpsbabel(form, path):
    """Returns the command with which gpsbabel makes a table of a file."""
    program = shutil.which("gpsbabel")
    if not program:
        raise Missing("gpsbabel is missing; tools/benchmarks/setup installs it")
    known = subprocess.run([program, "-^3"], stdout=subprocess.PIPE).stdout.decode()
    if f"\t{GPSBABEL[form]}\t" not in known:
        raise Missing(f"this gpsbabel does not know {GPSBABEL[form]}")
    # It makes waypoints of a table, and points of tracks of everything else.
    what = "-w" if form == "csv" else "-t"
    return [program, what, "-i", GPSBABEL[form], "-f", path, "-o", "unicsv", "-F", "/dev/null"]


def processor_seconds(costs):
    return statistics.median(cost.processor_seconds for cost in costs)


def append_once(workshop, path):
    book = workshop.empty_book()
    cost = workshop.launcher.cost([workshop.ledger, "--ledger", book, "append", path])
    shutil.rmtree(book.parent)
    return cost


def check_gpsbabel(command, form, count):
    """Expects that the rival reads every point: it leaves out what it was not asked for."""
    table = subprocess.run([*command[:-1], "-"], stdout=subprocess.PIPE).stdout
    found = table.count(b"\n") - 1
    expect(found == count, f"{form}: gpsbabel reads {found:,} of {count:,} points")


def check_count(workshop, form, path, count):
    """Expects as many events as there are points."""
    lines = workshop.directory / "converted.jsonl"
    with open(lines, "wb") as output:
        subprocess.run([workshop.ledger, "convert", path], stdout=output, stderr=subprocess.DEVNULL)
    with open(lines, "rb") as source:
        found = sum(line.startswith(b'{"type":"fix_recorded"') for line in source)
    lines.unlink()
    expect(found == count, f"{form}: {found:,} events of {count:,} points")


def measure_form(workshop, table, form, path, count):
    check_count(workshop, form, path, count)
    launch = workshop.launcher.cost
    runs = {
        "convert": lambda: launch([workshop.ledger, "convert", path]),
        "append": lambda: append_once(workshop, path),
    }
    try:
        rival = gpsbabel(form, path)
        if workshop.is_quick:
            check_gpsbabel(rival, form, count)
        runs["gpsbabel"] = lambda: launch(rival)
    except Missing as missing:
        table.skip(f"gpsbabel, {form}", missing)
    results = in_turns(1 if workshop.is_quick else min(3, workshop.rounds), runs)
    rates = {name: count / processor_seconds(costs) for name, costs in results.items()}
    peaks = {name: peak_bytes(costs) / 1e6 for name, costs in results.items()}
    what = f"{count:,} points of {form}"
    if "gpsbabel" in rates:
        table.add(Row(
            f"import-{form}-gpsbabel", f"{what} to lines", f"{rates['convert']:,.0f} points/s",
            f"gpsbabel to CSV: {rates['gpsbabel']:,.0f} ({peaks['gpsbabel']:,.0f} MB)",
            rates["convert"] / rates["gpsbabel"]))
    else:
        table.add(Row(
            f"import-{form}", f"{what} to lines", f"{rates['convert']:,.0f} points/s", "–",
            rates["convert"] / 1e6, " M/s"))
    table.add(Row(
        f"append-{form}", f"{what} to a durable log", f"{rates['append']:,.0f} points/s", "–",
        rates["append"] / 1e6, " M/s"))
    peak = max(peaks["convert"], peaks["append"])
    table.add(Row(f"memory-import-{form}", f"peak memory, {what}", f"{peak:.1f} MB", "–", peak, " MB"))
    return rates["convert"]


def measure_gpxpy(workshop, table, path, count, rate):
    """gpxpy once: it takes minutes, and gigabytes of memory."""
    cost = workshop.launcher.cost([*workshop.python_rival("read_gpx", "gpxpy"), path])
    other = count / cost.processor_seconds
    table.add(Row(
        "import-gpx-gpxpy", f"{count:,} points of gpx to lines", f"{rate:,.0f} points/s",
        f"gpxpy, only read: {other:,.0f} ({cost.peak_bytes / 1e6:,.0f} MB)", rate / other))


def measure(workshop, table):
    drives = 40 if workshop.is_quick else 1_600
    count, files = recordings.write(workshop.lines(drives), workshop.directory / "recordings")
    expect(count == drives * FIXES_PER_DRIVE, "every fix is written in every format")
    rates = {form: measure_form(workshop, table, form, path, count) for form, path in files.items()}
    measure_gpxpy(workshop, table, files["gpx"], count, rates["gpx"])
    shutil.rmtree(workshop.directory / "recordings")
