"""Trips as drivers live them: every scenario, a car's record without presses, a parked phone."""

import json
import random
from datetime import datetime

from book import Book, SHARED, expect, join, simulate

# The results that TRACKING's scenarios must give: status, start, end, seconds, metres, tolerance,
# gap metres, flags. The metres are Vincenty's along the way points, by another program.
SCENARIOS = {
    "home-to-office": ("completed", "press", "press", 305, 8629.7, 0.1, 0.0, []),
    "stationary": ("abandoned", "motion", "walking", 60, 0.0, 0.1, 0.0, []),
    "skip-location": ("completed", "press", "press", 365, 8629.7, 0.1, 0.0, []),
    "tunnel": ("completed", "press", "press", 545, 6539.6, 0.1, 2090.1, []),
    "traffic-jam": ("completed", "press", "press", 1505, 8632.0, 8.0, 0.0, []),
    "parked-drift": ("completed", "press", "press", 305, 8629.7, 0.1, 0.0, []),
    "battery-death": ("completed", "press", "press", 1505, 6539.6, 0.1, 2090.1, ["recovered"]),
    "forgotten-stop": (
        "completed", "press", "no_movement", 300, 8629.7, 0.1, 0.0, ["auto_stopped"]),
    "double-go": ("completed", "press", "press", 305, 8629.7, 0.1, 0.0, []),
    "walking-away": ("completed", "motion", "walking", 300, 8629.7, 0.1, 0.0, []),
    "low-confidence-motion": None,
    "late-upload": ("completed", "press", "press", 305, 8629.7, 0.1, 0.0, []),
    "shuffled-upload": ("completed", "press", "press", 305, 8629.7, 0.1, 0.0, []),
    "clock-jump": ("completed", "press", "press", 305, 8629.4, 0.1, 0.0, []),
}

# A phone that lies still drifts by this much an hour (TRACKING section 5).
RAW_DRIFT_METERS_PER_HOUR = (116, 178)


def check_scenarios(ledger, directory, seed):
    print(
        "\nEvery scenario, and the same shuffled, doubled, and with the process killed after "
        f"each event (seed {seed})\n")
    print(
        f"{'scenario':<22}{'status':<11}{'from':<8}{'to':<12}{'s':>5}{'metres':>11}"
        f"{'expected':>10}{'gaps':>10}  flags; shuffled, doubled, killed")
    for name, expected in SCENARIOS.items():
        check_scenario(ledger, directory, name, expected, seed)


def check_scenario(ledger, directory, name, expected, seed):
    lines = simulate(ledger, name)
    # A walk ends a trip once it has lasted a minute, which is seen in what is reported after it.
    last = max((json.loads(line) for line in lines), key=lambda event: event["occurred_at"])
    later = {
        "type": "location_failed", "source": last["source"], "error": "no signal yet",
        "occurred_at": milliseconds(last["occurred_at"]) + 600_000,
    }
    lines = list(lines) + [json.dumps(later).encode()]
    book = Book(ledger, directory)
    book.append(join(lines))
    rows = book.rows()
    book.expect_views_confirmed(name)
    said = "no trip"
    if expected is None:
        expect(rows == [], f"{name}: no trip")
    else:
        expect(len(rows) == 1, f"{name}: one trip")
        said = expect_row(name, rows[0], expected)
    same = [
        arrives_the_same(Book(ledger, directory), name, arrival, book, kills)
        for arrival, kills in arrivals(lines, seed)
    ]
    print(f"{name:<22}{said}; {', '.join(same)}")


def expect_row(name, row, expected):
    status, started_by, ended_by, seconds, meters, tolerance, gap_meters, flags = expected
    lasted = milliseconds(row["ended_at"]) - milliseconds(row["started_at"])
    expect(row["status"] == status, f"{name}: {row['status']}")
    expect((row["started_by"], row["ended_by"]) == (started_by, ended_by), f"{name}: causes")
    expect(lasted == seconds * 1000, f"{name}: {lasted} ms long")
    expect(abs(row["distance_m"] - meters) <= tolerance, f"{name}: {row['distance_m']} m")
    expect(abs(row["gaps"]["meters"] - gap_meters) <= 0.1, f"{name}: {row['gaps']} of gaps")
    expect(row["flags"] == flags, f"{name}: flags {row['flags']}")
    return (
        f"{row['status']:<11}{row['started_by']:<8}{row['ended_by']:<12}{lasted // 1000:>5}"
        f"{row['distance_m']:>11.3f}{meters:>10.1f}{row['gaps']['meters']:>10.3f}"
        f"  {' '.join(row['flags']) or '-'}")


def arrivals(lines, seed):
    shuffled = list(lines)
    random.Random(seed).shuffle(shuffled)
    yield shuffled, False
    yield lines + lines[::-1], False
    yield lines, True


def arrives_the_same(book, name, lines, plain, is_killed):
    if is_killed:
        for line in lines:
            receipt = book.append_and_die(line)
            expect(receipt["receipt"] == "appended", f"{name}: {receipt}")
            book.run("project")
    else:
        book.append(join(lines))
    is_same = book.trips_without_arrival() == plain.trips_without_arrival()
    expect(is_same, f"{name}: the same trips in another order")
    book.expect_views_confirmed(name)
    return "same" if is_same else "DIFFERENT"


def check_history(ledger, directory):
    """A car's record without presses, against the drives themselves."""
    print("\nnds_history.jsonl with the preset logger, against the 23 true drives (metres)\n")
    book = Book(ledger, directory)
    index = json.loads((SHARED / "traces" / "index.json").read_text())
    drives = sorted(
        (true_drive(trace) for trace in index
         if trace["id"].startswith("nds_") and trace["id"] != "nds_history"),
        key=lambda drive: drive["id"])
    lines = (SHARED / "traces" / "nds_history.jsonl").read_bytes().splitlines()
    source = json.loads(lines[0])["source"]
    book.run("rules", "preset", "logger", "--source", source)
    # A trip ends through what is reported after it: here the recorder starts again a day later.
    restart = {
        "type": "location_failed", "source": source, "error": "no signal yet",
        "occurred_at": milliseconds(json.loads(lines[-1])["occurred_at"]) + 86_400_000,
    }
    book.append(join(lines + [json.dumps(restart).encode()]))
    trips = [row for row in book.rows() if row["status"] == "completed"]
    for trip in trips:
        trip["span"] = (milliseconds(trip["started_at"]), milliseconds(trip["ended_at"]))
    print(f"{'drive':<8}{'own metres':>12}{'trips':>6}{'measured':>12}{'gaps':>10}{'off':>8}")
    matches = {drive["id"]: [trip for trip in trips if overlap(drive, trip)] for drive in drives}
    for drive in drives:
        found = matches[drive["id"]]
        measured = sum(trip["distance_m"] for trip in found)
        gaps = sum(trip["gaps"]["meters"] for trip in found)
        print(
            f"{drive['id']:<8}{drive['meters']:>12.3f}{len(found):>6}{measured:>12.3f}"
            f"{gaps:>10.3f}{(measured + gaps) / drive['meters'] - 1:>8.2%}")
    hosts = [sum(overlap(drive, trip) for drive in drives) for trip in trips]
    one_to_one = sum(
        len(found) == 1 and sum(overlap(drive, found[0]) for drive in drives) == 1
        for found in matches.values())
    merged = sum(count > 1 for count in hosts)
    print(
        f"\n{len(drives)} drives: {one_to_one} one to one, {merged} merged, "
        f"{sum(len(found) > 1 for found in matches.values())} split, "
        f"{sum(not found for found in matches.values())} missed, "
        f"{sum(count == 0 for count in hosts)} extra")
    expect(one_to_one >= 22, "nds_history: at least 22 drives are found one to one")
    expect(merged == 0, "nds_history: no two drives are merged")
    book.expect_views_confirmed("nds_history")


def true_drive(trace):
    lines = (SHARED / trace["file"]).read_bytes().splitlines()
    times = [milliseconds(json.loads(line)["occurred_at"]) for line in lines
             if json.loads(line)["type"] == "fix_recorded"]
    return {
        "id": trace["id"],
        "span": (min(times), max(times)),
        "meters": trace["oracle_m"]["seed_rules_anchor_holds"],
    }


def overlap(drive, trip):
    return trip["span"][0] <= drive["span"][1] and trip["span"][1] >= drive["span"][0]


def check_parked_phone(ledger, directory, seed):
    """34 hours of a phone that lies still and drifts as real ones do, with every preset."""
    print(f"\nA parked phone drifts for 34 hours (seed {seed})\n")
    lines, raw = drift(random.Random(seed))
    least, most = RAW_DRIFT_METERS_PER_HOUR
    expect(least <= raw <= most, f"the drift is as real ones are: {raw:.0f} m an hour")
    for preset in ("phone", "history", "logger"):
        book = Book(ledger, directory)
        book.run("rules", "preset", preset, "--source", "phone")
        book.append(join(lines))
        totals = book.run("totals", "--by", "day", "--format", "json")
        meters = sum(
            json.loads(line)["distance_m"] for line in totals.stdout.splitlines())
        expect(totals.returncode == 0 and meters == 0, f"{preset}: {meters} m in totals")
        print(f"{preset:<8} {len(lines)} fixes, {raw:.0f} m an hour raw: {meters} m in totals")


def drift(chance):
    """Returns the fixes of 34 hours, one every ten seconds, and the raw metres an hour."""
    offset, meters, lines = 0.0, 0.0, []
    for step in range(34 * 360):
        moved = 0.985 * offset + chance.uniform(-0.8, 0.8)
        meters += abs(moved - offset)
        offset = moved
        lines.append(json.dumps({
            "type": "fix_recorded", "source": "phone",
            "occurred_at": 1_740_985_200_000 + step * 10_000,
            "lat": round(51.927 + offset * 90e-7, 7), "lon": 4.362, "accuracy": 12,
        }).encode())
    return lines, meters / 34


def milliseconds(time):
    """Returns a time of the ledger in milliseconds since 1970."""

    if isinstance(time, int):
        return time
    moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
    return round(moment.timestamp() * 1000)
