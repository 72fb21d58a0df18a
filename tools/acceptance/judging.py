"""How trips are judged against what people said they did.

The rules are those that `score.py` of the shared data states; it is called, not copied. What comes
in addition is by the `mode` of a trip, which that program does not know.
"""

import importlib.util
import json
from bisect import bisect_right

from book import SHARED

LABELLED = SHARED / "labelled"

# The modes of trips that count by default; a row without a mode is a car's.
COUNTED_MODES = {"car", "bus", "unsure"}
TRANSIT = {"bus", "train"}
TRANSIT_NAMES = {"rail", "bus", "unsure"}
NEVER_DRIVEN = ("walk", "bike", "parked")
CLOSE_SECONDS = 120


def load_scorer():
    """Returns the scorer of the shared data as a module, or None without shared data."""
    path = LABELLED / "score.py"
    if not path.is_file():
        return None
    specification = importlib.util.spec_from_file_location("score", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def judge(scorer, stream, fixes, rows):
    """Returns the scorer's figures for a stream, with those by mode added."""
    last = fixes[-1][0]
    booked = [
        (scorer.ts(row["started_at"]), scorer.ts(row["ended_at"]) if row["ended_at"] else last,
         row.get("adjusted_distance_m", row.get("distance_m")), row.get("mode") or "car")
        for row in rows
        if row.get("started_at") and (
            row["status"] in ("completed", "active") or row.get("abandoned") == "not_by_car")
    ]
    booked.sort(key=lambda trip: trip[:2])
    counted = [trip[:3] for trip in booked if trip[3] in COUNTED_MODES]
    figures = scorer.one(stream, fixes, counted)
    figures["streams"] = 1
    figures["booked_as"] = meters_by_mode(scorer, stream, fixes, booked)
    figures["invented_unsure"] = sum(
        trip[3] == "unsure" and kind.split()[-1] in NEVER_DRIVEN
        for kind, span, _ in figures["cases"] if kind.startswith("invented")
        for trip in booked if trip[:2] == span)
    return figures


def meters_by_mode(scorer, stream, fixes, booked):
    """Returns the metres of each true mode inside trips, by what the trip is named."""
    known = sorted(
        (scorer.ts(part["start"]), scorer.ts(part["end"]),
         "car" if part["mode"] in scorer.CAR else part["mode"])
        for part in stream["truth"] if part["mode"] != "unknown" and not part.get("doubt"))
    starts = [part[0] for part in known]
    sums = {}
    for time, meters in scorer.steps(fixes):
        # The first that holds an instant names it, as in the scorer: the last may begin there.
        place = bisect_right(starts, time) - 1
        while place > 0 and known[place - 1][1] >= time:
            place -= 1
        if place < 0 or time > known[place][1]:
            continue
        for start, end, _, name in booked:
            if start < time <= end:
                key = f"{known[place][2]} as {name}"
                sums[key] = sums.get(key, 0) + meters
                break
    return sums


def summed(scorer, results):
    """Adds up the figures of streams, each result a pair of the stream's name and its figures."""
    total = nothing()
    for name, figures in results:
        named = {**figures, "cases": [(name, *case) for case in figures["cases"]]}
        scorer.add(total, named)
    return total


def nothing():
    """Returns a sum of no figures: the scorer leaves out what is empty in all of them."""
    return {
        "invented": {}, "false_m": {}, "other_m": {}, "booked_as": {}, "start_err": [],
        "end_err": [], "car_m": 0,
    }


def by_stream(total):
    """Returns a pair of name and figures for each stream, only with the cases of a sum."""
    cases = {}
    for name, *case in total.get("cases", []):
        cases.setdefault(name, []).append(tuple(case))
    return [(name, {"cases": own}) for name, own in sorted(cases.items())]


def booked_as(figures, truths, names=None):
    """Returns the metres of some true modes that are inside trips with some names."""
    return sum(
        meters for key, meters in figures["booked_as"].items()
        for truth, name in [key.split(" as ")]
        if truth in truths and (names is None or name in names))


def share(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def kilometers(meters):
    return f"{meters / 1000:.1f}"


def within(errors):
    return share(sum(abs(error) <= CLOSE_SECONDS for error in errors), len(errors))


def not_car(figures):
    """Returns the metres of true car trips that are named something else."""
    return booked_as(figures, {"car"}) - booked_as(figures, {"car"}, {"car"})


def invented(figures, modes):
    return sum(count for mode, count in figures["invented"].items() if mode in modes)


# Title, width, and the figure; a title of two parts is written on two lines.
COLUMNS = [
    ("streams", 8, lambda f: f["streams"]),
    ("car trips", 10, lambda f: f["true"]),
    ("found", 6, lambda f: f["found"]),
    ("strict", 7, lambda f: f["strict"]),
    ("merged", 7, lambda f: f["merged"]),
    ("split", 6, lambda f: f["split"]),
    ("missed", 7, lambda f: f["missed"]),
    ("dirty", 6, lambda f: f["dirty"]),
    ("car km", 9, lambda f: kilometers(f["car_m"])),
    ("in trips %", 11, lambda f: share(f["car_cov_m"], f["car_m"])),
    ("not car %", 10, lambda f: share(not_car(f), f["car_m"])),
    ("invented", 9, lambda f: invented(f, NEVER_DRIVEN)),
    ("unsure", 7, lambda f: f["invented_unsure"]),
    ("their km", 9, lambda f: kilometers(sum(f["false_m"].get(m, 0) for m in NEVER_DRIVEN))),
    ("rail+bus", 9, lambda f: invented(f, TRANSIT)),
    ("their km", 9, lambda f: kilometers(booked_as(f, TRANSIT))),
    ("named %", 8, lambda f: share(
        booked_as(f, TRANSIT, TRANSIT_NAMES), booked_as(f, TRANSIT))),
    ("starts %", 9, lambda f: within(f["start_err"])),
    ("ends %", 7, lambda f: within(f["end_err"])),
]

def named_as(figures, truths, names):
    """Returns what per cent of the kilometres of some true modes are in trips with some names."""
    whole = figures["car_m"] if truths == {"car"} else sum(
        figures["other_m"].get(mode, 0) for mode in truths)
    return share(booked_as(figures, truths, names), whole)


def left_out(figures, truths):
    """Returns what per cent of the kilometres of some true modes are in no trip that counts."""
    whole = sum(figures["other_m"].get(mode, 0) for mode in truths)
    return share(whole - booked_as(figures, truths, COUNTED_MODES), whole)


# How trips are named, in per cent of all kilometres of the true mode.
NAMING = [
    ("car km car", 12, lambda f: named_as(f, {"car"}, {"car"})),
    ("unsure", 8, lambda f: named_as(f, {"car"}, {"unsure"})),
    ("bicycle", 9, lambda f: named_as(f, {"car"}, {"bicycle"})),
    ("bus+rail km bus", 17, lambda f: named_as(f, TRANSIT, {"bus"})),
    ("rail", 7, lambda f: named_as(f, TRANSIT, {"rail"})),
    ("unsure", 8, lambda f: named_as(f, TRANSIT, {"unsure"})),
    ("car", 7, lambda f: named_as(f, TRANSIT, {"car"})),
    ("left out", 10, lambda f: left_out(f, TRANSIT)),
    ("bus km car", 12, lambda f: named_as(f, {"bus"}, {"car"})),
    ("bicycle km car", 16, lambda f: named_as(f, {"bike"}, {"car"})),
]

# The bars for these titles.
AIMS_OF_NAMING = [">=95", "", "", "", "", "", "<=25", "", "", ""]

# The bars for the total, under the same titles.
AIMS = [
    "53", "41", ">=41", ">=37", "", "", "", "", "", ">=99", "<=5", "<=5", "", "", "", "",
    "", ">=90", ">=97",
]

# The values reached with the motion sensor, which must not be lost again.
REACHED = [
    "53", "41", ">=41", ">=37", "<=0", "<=0", "<=0", "<=0", "", ">=98.8", "<=1.0", "<=3", "",
    "<=35.0", "", "", ">=80.0", ">=92.0", ">=97.0",
]

# The bars for simulated days, where only shares can be asked for.
AIMS_OF_DAYS = [
    "", "", "", "", "", "", "", "", "", ">=98", "<=3", "", "", "", "", "", "", ">=90", "",
]

LEGEND = """\
Trips count that are completed or active and whose mode is car, bus, unsure or not said.
- found, strict, merged, split, missed, dirty, in trips %, invented: as score.py states them.
- not car %: of the car's kilometres, those in trips of another mode, whether they count or not.
- invented: counted trips that were on foot, by bicycle or parked (unsure: of these, so named);
  their km: kilometres of these modes in counted trips.
- rail+bus: counted trips that were by train or bus; their km: in trips of any mode;
  named %: of these kilometres, those in trips named rail, bus or unsure.
- starts %, ends %: of the found trips, those that start and end within 120 s of the truth."""


def table(rows, columns=COLUMNS):
    """Returns lines of text for pairs of a name and its figures (or a list of texts)."""
    width = max(len(name) for name, _ in rows) + 1
    lines = ["".ljust(width) + "".join(title.rjust(size) for title, size, _ in columns)]
    for name, figures in rows:
        cells = figures if isinstance(figures, list) else [f(figures) for _, _, f in columns]
        lines.append(name.ljust(width) + "".join(
            str(cell).rjust(size) for cell, (_, size, _) in zip(cells, columns)))
    return lines


def clock(time):
    """Returns a time of the scorer as a time of the day, in hours and minutes."""
    minutes = int(time // 60) % 1440
    return f"{minutes // 60:02}:{minutes % 60:02}"


def fallen_short(figures, bars, columns=COLUMNS):
    """Returns a sentence for each figure that is on the wrong side of its bar."""
    for (title, _, figure), bar in zip(columns, bars):
        value = figure(figures)
        if bar.startswith(">=") and float(value) < float(bar[2:]):
            yield f"{title}: {value} instead of at least {bar[2:]}"
        elif bar.startswith("<=") and float(value) > float(bar[2:]):
            yield f"{title}: {value} instead of at most {bar[2:]}"


def misses(results, is_long):
    """Returns a line for each stream in which something is not as people said.

    A long one tells the times (UTC) of each: of the truth, or of the trip if that is invented, then
    those of the trips that share it.
    """
    for name, figures in results:
        kinds = {}
        for kind, span, trips in figures["cases"]:
            said = clock(span[0]) + "-" + clock(span[1])
            found = ["" if trip[:2] == span else clock(trip[0]) + "-" + clock(trip[1])
                     for trip in trips]
            kinds.setdefault(kind, []).append(" ".join([said, *filter(None, found)]))
        if not kinds:
            continue
        yield f"{name}: " + "; ".join(
            f"{kind} {', '.join(f'({span})' for span in spans)}" if is_long
            else f"{kind} {len(spans)}" for kind, spans in sorted(kinds.items()))


def load_truth(path):
    return json.loads(path.read_text())["streams"]
