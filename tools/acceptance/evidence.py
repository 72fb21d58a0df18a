"""Real drives, appended twice, and in any order of arrival."""

import json
import random

from book import Book, SHARED, expect, join, simulate

# The drives that have to be as long as an independent program says, less what is a gap.
MEASURED = {
    "nds_10", "comma2k19_ex1", "smartloc_Berlin_Potsdamer_Platz", "rsk_T3_04_22_2021_1",
}
MOST_DEVIATION = 0.002


def is_acceptable(event):
    """Whether the ledger may take a line of the shared drives."""
    return (
        "occurred_at" in event
        and abs(event.get("lat", 0)) <= 90
        and abs(event.get("lon", 0)) <= 180
    )


def append_twice(book, name, data):
    """Appends a drive twice and expects the right answer to every line; returns the lines."""
    lines = data.splitlines()
    events = [json.loads(line) for line in lines]
    refused = [number for number, event in enumerate(events, 1) if not is_acceptable(event)]
    stored = {line for line, event in zip(lines, events) if is_acceptable(event)}
    answers = [
        json.loads(line)
        for line in book.run("append", "--receipts", data=data).stdout.splitlines()[:-1]
    ]
    rejected = [answer["line"] for answer in answers if answer["receipt"] == "rejected"]
    appended = sum(answer["receipt"] == "appended" for answer in answers)
    expect(rejected == refused, f"{name}: lines {refused} and no others are rejected")
    expect(appended == len(stored), f"{name}: the first run appends")
    second = book.append(data)
    expect(
        second["duplicate"] == len(lines) - len(refused) and second["appended"] == 0,
        f"{name}: the second run finds duplicates only")
    expect(second["size"] == len(stored) + 2, f"{name}: the size stays")
    return appended, len(refused)


def check_drives(ledger, directory):
    print("\nReal drives, appended twice (metres)\n")
    print(
        f"{'drive':<34}{'events':>7}{'refused':>8}{'measured':>12}{'gaps':>10}{'sum':>12}"
        f"{'oracle':>12}{'less gaps':>12}{'deviation':>10}")
    index = json.loads((SHARED / "traces" / "index.json").read_text())
    for trace in sorted(index, key=lambda trace: trace["id"]):
        if trace["id"] != "nds_history":
            check_drive(Book(ledger, directory), trace)
    history = Book(ledger, directory)
    history.append((SHARED / "traces" / "nds_history.jsonl").read_bytes())
    count = len(history.trips().splitlines())
    print(f"\nnds_history has no presses, and gives {count} trips.")
    history.expect_views_confirmed("nds_history")


def check_drive(book, trace):
    name = trace["id"]
    appended, refused = append_twice(book, name, (SHARED / trace["file"]).read_bytes())
    expect(book.run("project").returncode == 0, f"{name}: project")
    trips = [json.loads(line) for line in book.trips().splitlines()]
    book.expect_views_confirmed(name)
    expect(len(trips) == 1, f"{name}: {len(trips)} trips instead of one")
    if len(trips) != 1:
        return
    measured, gaps = trips[0]["distance_m"], trips[0]["gaps"]["meters"]
    oracle = trace["oracle_m"]["seed_rules_anchor_holds"]
    deviation = measured / (oracle - gaps) - 1
    mark = "*" if name in MEASURED else ""
    print(
        f"{name + mark:<34}{appended:>7}{refused:>8}{measured:>12.3f}{gaps:>10.3f}"
        f"{measured + gaps:>12.3f}{oracle:>12.3f}{oracle - gaps:>12.3f}{deviation:>10.3%}")
    if name in MEASURED:
        expect(abs(deviation) <= MOST_DEVIATION, f"{name}: {deviation:.3%} off")


def mixed_lines(ledger, seed):
    """Returns the lines of some scenarios and longer drives, in order of time."""
    lines = []
    scenarios = ("tunnel", "battery-death", "double-go", "forgotten-stop", "walking-away")
    for scenario in scenarios:
        lines += simulate(ledger, scenario, "--seed", str(seed), "--source", scenario)
    lines += simulate(ledger, "bulk", "--drives", "5", "--seed", str(seed))
    return sorted(lines, key=lambda line: json.loads(line)["occurred_at"])


def check_arrivals(ledger, directory, first_seed, count):
    print(f"\nShuffled, doubled, in ten appends in any order: seeds {first_seed} to "
          f"{first_seed + count - 1}, and {len(MEASURED)} real drives\n")
    for seed in range(first_seed, first_seed + count):
        check_arrival(ledger, directory, f"seed {seed}", mixed_lines(ledger, seed), seed)
    for name in sorted(MEASURED):
        lines = (SHARED / "traces" / f"{name}.jsonl").read_bytes().splitlines()
        check_arrival(ledger, directory, name, lines, first_seed)
    print("The trips are the same, byte for byte but for `recorded`.")


def check_arrival(ledger, directory, name, lines, seed):
    in_order = Book(ledger, directory)
    expected = in_order.append(join(lines))["appended"]
    chance = random.Random(seed)
    arrivals = lines + lines
    chance.shuffle(arrivals)
    cuts = sorted(chance.randrange(len(arrivals) + 1) for _ in range(9))
    pieces = [arrivals[a:b] for a, b in zip([0] + cuts, cuts + [len(arrivals)])]
    chance.shuffle(pieces)
    book = Book(ledger, directory)
    appended = 0
    for piece in pieces:
        appended += book.append(join(piece))["appended"]
        if chance.random() < 0.5:
            book.run("project")
    trips = book.trips_without_arrival()
    expect(appended == expected, f"{name}: as many events")
    expect(trips != b"", f"{name}: there are trips")
    expect(trips == in_order.trips_without_arrival(), f"{name}: the same trips")
    book.expect_views_confirmed(name)
