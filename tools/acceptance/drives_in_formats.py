"""The shared drives in the formats of others: what becomes of their records, and their distances.

A format loses something of a drive, and each loss is known (formats/README in the data). So there
are two bars: the distance is that of the drive's ledger form with the same losses; and it is that of
the ledger form itself, as far as the format allows.
"""

import json
import math
import subprocess

from book import SHARED, Book, expect

FORMATS = SHARED / "formats"

# The most metres by which a distance may differ from that of the drive's ledger form. A format
# without an entry may differ by what it loses: Records.json has speeds in whole metres per second,
# and GPX neither speeds nor accuracies, by which a standing car is told from a slow one.
BARS = {"csv": 0, "overland": 0, "rec": 2, "nmea": 0.05}

# The most metres that the same losses leave: none, but where a position was rounded that the ledger
# form has rounded before, the last digit of some is another one: 1 cm for 10⁻⁷ degrees.
REMAINDERS = {"google": 0.02, "nmea": 0.02}


def form_of(path):
    """Returns the format of a file: the ending of its name, for the tool is no importer."""
    name = path.name.split(".", 1)[1]
    if name.startswith("overland"):
        return "overland"
    return {"records.json": "google"}.get(name, name)


def rounded(number, digits=0):
    return round(number, digits) if number is not None else None


def coarser(event, form):
    """Returns a fix with what a format loses."""
    event = dict(event)
    speed, accuracy = event.pop("speed", None), event.pop("accuracy", None)
    if form == "rec":
        event["occurred_at"] = event["occurred_at"][:19] + "Z"
        # Whole kilometres per hour, in metres per second with two decimals.
        speed = rounded(rounded(speed * 3.6) / 3.6, 2) if speed is not None else None
        accuracy = rounded(accuracy)
    elif form == "google":
        event["lat"], event["lon"] = rounded(event["lat"], 7), rounded(event["lon"], 7)
        speed = rounded(speed)
    elif form == "nmea":
        event["lat"], event["lon"] = minutes(event["lat"]), minutes(event["lon"])
        speed = rounded(rounded(speed * 3600 / 1852, 2) * 1852 / 3600, 3) if speed else speed
        accuracy = None
    elif form == "gpx":
        speed = accuracy = None
    if speed is not None:
        event["speed"] = speed
    if accuracy is not None:
        event["accuracy"] = accuracy
    return event


def minutes(degrees):
    """Rounds an angle to hundred-thousandths of a minute."""
    return math.copysign(round(round(abs(degrees) * 60, 5) / 60, 7), degrees)


def trip_of(book, presses, data=None, path=None, name=None):
    """Returns the balance of the input, and the one trip between the presses."""
    book.append(presses)
    arguments = ["append", "--source", name, *([path] if path else [])]
    balance = json.loads(book.run(*arguments, data=data or b"").stdout.splitlines()[-1])
    trips = book.rows()
    expect(len(trips) == 1, f"{path or name}: {len(trips)} trips instead of one")
    return balance, trips[0]


def encoded(events):
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def check_again(book, path, name, balance):
    again = json.loads(book.run("append", "--source", name, path).stdout.splitlines()[-1])
    expect(
        again["appended"] == 0 and again["duplicate"] == balance["appended"],
        f"{path.name}: importing again appends nothing")


def drives():
    """Yields each drive's name, its files and the events of its ledger form, if there is one."""
    names = sorted({path.name.split(".", 1)[0] for path in FORMATS.glob("*.*")})
    for name in names:
        trace = SHARED / "traces" / f"{name}.jsonl"
        lines = trace.read_bytes().splitlines() if trace.exists() else None
        yield name, sorted(FORMATS.glob(f"{name}.*")), lines and [json.loads(line) for line in lines]


def converted(ledger, path, name):
    """Returns the events of a file, which stand in for those of a drive without a ledger form."""
    result = subprocess.run([ledger, "convert", "--source", name, path], capture_output=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def check(ledger, directory):
    print("\nDrives in the formats of others, beside their ledger form (metres)\n")
    print(f"{'file':<42}{'read':>6}{'appended':>9}{'rejected':>9}{'ignored':>8}{'distance':>12}"
          f"{'ledger form':>12}{'difference':>11}{'with losses':>12}")
    for name, files, events in drives():
        if events is None:
            # No events of the drive itself are shared: its table loses least.
            table = FORMATS / f"{name}.csv"
            events = converted(ledger, table, name)
            ends = [dict(events[0], type="go_pressed"), dict(events[-1], type="stop_pressed")]
            keep = ("type", "source", "occurred_at")
            events += [{key: end[key] for key in keep} for end in ends]
            print(f"{name} has no ledger form: its table stands in for it")
        presses = encoded(event for event in events if event["type"] != "fix_recorded")
        fixes = [event for event in events if event["type"] == "fix_recorded"]
        for path in files:
            check_file(ledger, directory, name, path, presses, fixes)


def check_file(ledger, directory, name, path, presses, fixes):
    form = form_of(path)
    book = Book(ledger, directory)
    balance, trip = trip_of(book, presses, path=path, name=name)
    check_again(book, path, name, balance)
    _, own = trip_of(Book(ledger, directory), presses, encoded(fixes), name=name)
    same = encoded(coarser(fix, form) for fix in fixes)
    _, coarse = trip_of(Book(ledger, directory), presses, same, name=name)
    read, ignored = balance["read"], balance.get("ignored", 0)
    parts = balance["appended"] + balance["duplicate"] + balance["rejected"] + ignored
    expect(read == parts, f"{path.name}: the balance: {read} read, {parts} accounted for")
    expect(balance["appended"] == len(fixes), f"{path.name}: {len(fixes)} fixes")
    difference = trip["distance_m"] - own["distance_m"]
    remainder = trip["distance_m"] - coarse["distance_m"]
    print(f"{path.name:<42}{read:>6}{balance['appended']:>9}{balance['rejected']:>9}{ignored:>8}"
          f"{trip['distance_m']:>12.3f}{own['distance_m']:>12.3f}{difference:>11.3f}"
          f"{remainder:>12.3f}")
    bar = BARS.get(form, math.inf)
    expect(abs(difference) <= bar + 0.0005, f"{path.name}: {difference:.3f} m, more than {bar} m")
    most = REMAINDERS.get(form, 0)
    expect(abs(remainder) <= most + 0.0005, f"{path.name}: {remainder:.3f} m that no loss explains")
