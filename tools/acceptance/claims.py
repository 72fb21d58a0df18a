"""Computes claims again, from the CSV of trips and the tables of rates alone, in exact fractions.

It shares nothing with the program but these two files and the rules that Rates.md states: a trip
counts on the local day of its start; thresholds are counted over the tax year in order of starts;
a line is rounded once, half away from zero; of a part of a year, it is what the year comes to until
then less what it came to before. A way to work that is alone on its day is half a day, if it was
reported, or the car was seen to stay; what ways by anything but cars come to in a year is limited,
by bus or bicycle with whatever vehicle; ways by rail are in no line; text that is a number counts as one.
"""

import csv
import io
import json
import math
import random
import re
import subprocess
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction

from book import REPOSITORY, SHARED, expect

TABLES = REPOSITORY / "Sources" / "Ledger" / "Rates" / "Tables"
MILLIMETRES = {"km": 1_000_000, "mi": 1_609_344}

# A car that is further from where it stopped was moved unseen (Rules).
SEEN_METRES = 200

VEHICLES = {
    "clio": {"vehicle_kind": "car", "fiscal_power": 5},
    "zoe": {"vehicle_kind": "car", "fiscal_power": 3, "electric": True},
    "megane": {"vehicle_kind": "car", "fiscal_power": 5, "electric": True},
    "van": {"vehicle_kind": "van", "fiscal_power": 9},
    "moto": {"vehicle_kind": "motorcycle", "fiscal_power": 4},
    "bike": {"vehicle_kind": "bicycle"},
}
PASSENGERS = ("passengers", "Passengers", "passenger", "Mitfahrer", "passagiers", "Passagers")
CLASSES = ("business", "commute", "personal", "medical", "charity", "moving", "mixed", None)


def lines(seed, count):
    """Returns the events of a book: vehicles, and trips of six years, a third with an offset."""
    chance = random.Random(seed)
    told = datetime(2026, 11, 20, tzinfo=timezone.utc)
    for name, kind in VEHICLES.items():
        yield {"type": "vehicle_registered", "source": "book", "vehicle": name,
               "occurred_at": "2020-12-01T00:00:00Z", **kind}
    start = datetime(2021, 1, 1, tzinfo=timezone.utc)
    minutes = int((datetime(2026, 11, 1, tzinfo=timezone.utc) - start) / timedelta(minutes=1))
    # Minutes apart, so that no two trips overlap.
    for number, minute in enumerate(chance.sample(range(0, minutes, 3), count)):
        begin = start + timedelta(minutes=minute)
        zone = timezone(timedelta(hours=chance.choice((-8, 0, 1, 10))))
        trip_class = "business" if chance.random() < 0.6 else chance.choice(CLASSES)
        trip = {
            "type": "trip_reported", "source": "book", "id": f"trip {number}",
            "occurred_at": told.isoformat(),
            "started_at": begin.astimezone(zone).isoformat(),
            "ended_at": (begin + timedelta(minutes=1)).astimezone(zone).isoformat(),
            "distance_m": chance.randrange(1, 300_000_000) / 1_000,
            "vehicle": chance.choice((*VEHICLES, *VEHICLES, "unknown")),
        }
        if trip_class:
            trip["class"] = trip_class
        if trip_class == "commute" and chance.random() < 0.5:
            trip["mode"] = chance.choice(("car", "bus", "bicycle", "rail"))
        if chance.random() < 0.1:
            count = chance.randrange(1, 4)
            trip["fields"] = {chance.choice(PASSENGERS): chance.choice((count, str(count)))}
        yield trip


def rows_of(country, scheme=None):
    """Returns the rows of a country's table, each with its defaults; of a scheme, or what needs no name."""
    table = json.loads((TABLES / f"{country}.json").read_text(encoding="utf-8"))
    rows = [{"shape": "flat", "vehicles": [], "year_begins": "01-01", **table["defaults"], **row}
            for row in table["rates"]]
    region = next((row["region"] for row in rows if "region" in row), None)
    if scheme:
        return [row for row in rows if row["scheme"] == scheme]
    return [row for row in rows
            if not row.get("by_name_only") and row.get("region", region) == region]


def holding(rows, shapes, day, trip, known_on):
    """Returns the row that holds for a trip, or None."""
    vehicle = VEHICLES.get(trip["vehicle"], {})
    found = None
    for row in rows:
        power = vehicle.get("fiscal_power")
        bounds = (row.get("power_from"), row.get("power_to"))
        fits = (row["shape"] in shapes and trip["class"] in row["classes"]
                and (not row["vehicles"] or vehicle.get("vehicle_kind", "car") in row["vehicles"])
                and (bounds == (None, None) or power is not None
                     and (bounds[0] or 1) <= power <= (bounds[1] or 999))
                and row["from"] <= day <= row.get("to", "9999-12-31")
                and row.get("known_from", row["from"]) <= known_on)
        if fits and (found is None or row.get("known_from", row["from"]) >
                     found.get("known_from", found["from"])):
            found = row
    return found


def year_of(row, day):
    """Returns the year in which a row counts a day against thresholds."""
    return int(day[:4]) - (day[5:] < row["year_begins"])


def rounded(money):
    """Returns money in hundredths, rounded half up; it is never negative."""
    return (money * 100 + Fraction(1, 2)).__floor__()


def bracket(row, units):
    """Returns what the distance of a whole year comes to."""
    if units == 0:
        return Fraction(0)
    tier = next(tier for tier in row["tiers"] if units <= tier.get("up_to", units))
    return units * Fraction(tier["rate"]) + Fraction(tier.get("plus", "0"))


def slices(row, before, units):
    """Divides a distance among tiers: pairs of a tier and units."""
    tiers = row.get("tiers") or [{"rate": row["rate"], "up_to": row.get("limit")}]
    bottom = Fraction(0)
    for index, tier in enumerate(tiers):
        top = before + units if tier.get("up_to") is None else Fraction(tier["up_to"])
        part = max(Fraction(0), min(top, before + units) - max(bottom, before))
        if part:
            yield index, Fraction(tier["rate"]), part
        bottom = top


def apart(one, other):
    """Returns how many metres lie between two places, on a sphere."""
    (north, east), (to_north, to_east) = (map(math.radians, place) for place in (one, other))
    part = (math.sin((to_north - north) / 2) ** 2
            + math.cos(north) * math.cos(to_north) * math.sin((to_east - east) / 2) ** 2)
    return 2 * 6_371_008.8 * math.asin(math.sqrt(part))


def staying(trips):
    """Returns the measured ways to work after which nothing is missing on their day: the car went on
    each time from where it stood, and on a later day from where it had stopped."""
    found, lines = set(), {}
    for trip in trips:
        if "measured" not in trip or not trip["counts"]:
            continue
        name = trip["vehicle"] or ("of", trip["source"])
        line = lines.get(name)
        place = line and line["end"]
        is_near = None if not place or not trip["from"] else apart(place, trip["from"]) <= SEEN_METRES
        if line is None or line["day"] != trip["day"]:
            if line and is_near and not line["was_moved"]:
                found |= line["ways"]
            line = lines[name] = {"day": trip["day"], "was_moved": False, "ways": set()}
        line["was_moved"] |= is_near is False
        if trip["measured"] and trip["class"] == "commute":
            line["ways"].add(trip["id"])
        line["end"] = trip["to"]
    return found


def claim(country, trips, first, last, known_on="9999-12-31", scheme=None):
    """Returns what trips come to, in hundredths."""
    rows = rows_of(country, scheme)
    # (row, year, class, vehicle, tier, multiplier): [units before the first day, units on the days]
    sums = defaultdict(lambda: [Fraction(0), Fraction(0)])
    prices, counted, ways = {}, defaultdict(Fraction), {}
    paid = ("flat", "marginal_tiers", "one_way_day_tiers", "cap", "whole_distance_bracket")

    def add(row, day, trip, tier, rate, units):
        electric = VEHICLES.get(trip["vehicle"], {}).get("electric")
        times = holding(rows, ("multiplier",), day, trip, known_on) if electric else None
        mode = trip.get("mode") if "most_a_year" in row else None
        key = (row["id"], year_of(row, day), trip["class"], trip["vehicle"], tier, mode)
        prices[key] = (row, rate, Fraction(times["rate"]) if times else Fraction(1))
        if day <= last:
            sums[key][day >= first] += units

    for trip in trips:
        day = trip["day"]
        row = holding(rows, paid, day, trip, known_on)
        if row is None or not trip.get("counts", True) and row["shape"] != "one_way_day_tiers":
            continue
        units = Fraction(trip["millimetres"], MILLIMETRES[row["unit"]])
        extra = holding(rows, ("per_passenger",), day, trip, known_on)
        if extra and trip["passengers"]:
            add(extra, day, trip, 0, Fraction(extra["rate"]), units * trip["passengers"])
        if row["shape"] == "one_way_day_tiers":
            best = ways.get((row["id"], day))
            count = best[2] if best else 0
            if best is None or trip["millimetres"] > best[1]["millimetres"]:
                best = (row, trip, 0)
            ways[row["id"], day] = (*best[:2], count + 1)
        elif row["shape"] == "whole_distance_bracket":
            add(row, day, trip, 0, None, units)
        elif row["shape"] == "flat":
            add(row, day, trip, 0, Fraction(row["rate"]), units)
        else:
            owner = trip["vehicle"] if row["per"] == "vehicle" else None
            key = (row["scheme"], tuple(row["vehicles"]), year_of(row, day), owner)
            for tier, rate, part in slices(row, counted[key], units):
                add(row, day, trip, tier, rate, part)
            counted[key] += units
    stayed = staying(trips)
    for row, trip, count in ways.values():
        full = Fraction(trip["millimetres"] // MILLIMETRES[row["unit"]])
        # What was reported is all that was driven: one way alone is half a day.
        is_whole = count > 1 or trip.get("measured") and trip["id"] not in stayed
        share = Fraction(1) if is_whole else Fraction(1, 2)
        for tier, rate, part in slices(row, Fraction(0), full):
            add(row, trip["day"], trip, tier, rate, part * share)
    total = 0
    # (scheme, year): [hundredths before the first day, hundredths on the days]
    limited = defaultdict(lambda: [0, 0, 0])
    for key, (before, units) in sums.items():
        row, rate, times = prices[key]
        worth = (lambda x: bracket(row, x)) if rate is None else (lambda x: x * rate)
        earlier = rounded(worth(before) * times)
        money = rounded(worth(before + units) * times) - earlier
        total += money
        kind = key[5] or VEHICLES.get(key[3], {}).get("vehicle_kind", "car")
        if "most_a_year" in row and kind not in row["most_not_for"]:
            sum_of_year = limited[row["scheme"], key[1]]
            sum_of_year[0] += earlier
            sum_of_year[1] += money
            sum_of_year[2] = int(Fraction(row["most_a_year"]) * 100)
    for earlier, money, most in limited.values():
        total -= max(0, money - max(0, most - earlier))
    return total


def vectors():
    """Returns the vectors of the shared collection that trips alone decide, with the money.

    A vector is a name, a country, trips, the first and the last day, hundredths, and what else is asked.
    """
    def trip(day, units, unit, trip_class="business", vehicle="clio", passengers=0, mode=None):
        return {"day": day, "class": trip_class, "vehicle": vehicle, "passengers": passengers,
                "mode": mode, "millimetres": round(Fraction(units) * MILLIMETRES[unit])}

    def ways(year, count, units, vehicle="clio", mode=None):
        days = (str(date(year, 1, 2) + timedelta(days=day)) for day in range(count) for _ in range(2))
        return [trip(day, units, "km", "commute", vehicle, mode=mode) for day in days]

    def year(number):
        return f"{number}-01-01", f"{number}-12-31"

    tax_2025, tax_2026 = ("2025-04-06", "2026-04-05"), ("2026-04-06", "2027-04-05")
    half = [trip(f"2024-02-{day:02}", "40", "km", "commute") for day in range(1, 21)]
    april = [trip("2026-04-20", "100", "mi")]
    simplified = {"scheme": "simplified_expenses"}
    return [
        ("us-2022-split", "us", [trip("2022-06-30", "1000", "mi"), trip("2022-07-01", "1000", "mi")],
         *year(2022), 121_000, {}),
        ("us-2026", "us", [trip("2026-03-01", "100", "mi"), trip("2026-03-01", "10", "mi", "medical"),
                           trip("2026-03-01", "10", "mi", "charity")], *year(2026), 7_595, {}),
        ("gb-2025-26", "gb", [trip("2025-05-01", "5500", "mi"), trip("2026-03-31", "5500", "mi")],
         *tax_2025, 475_000, {}),
        ("gb-2026-27", "gb", [trip("2026-06-01", "5750", "mi"), trip("2026-09-01", "5750", "mi")],
         *tax_2026, 587_500, {}),
        ("gb-asof, before", "gb", april, *tax_2026, 4_500, {"known_on": "2026-05-01"}),
        ("gb-asof, after", "gb", april, *tax_2026, 5_500, {"known_on": "2026-06-01"}),
        ("gb-two-cars", "gb", [trip("2026-05-01", "4000", "mi"), trip("2026-06-01", "9000", "mi", vehicle="van")],
         *tax_2026, 625_000, {}),
        ("gb-simplified-2026", "gb", [trip("2026-05-01", "120", "mi")], *tax_2026, 6_600, simplified),
        ("gb-simplified-edge-2026", "gb", [trip("2026-04-05", "100", "mi"), trip("2026-04-06", "100", "mi")],
         "2026-04-05", "2026-04-06", 10_000, simplified),
        ("ca-2025", "ca", [trip("2025-03-01", "3000", "km"), trip("2025-09-01", "3000", "km")],
         *year(2025), 426_000, {}),
        ("au-cap", "au", [trip("2024-08-01", "5085", "km")], "2024-07-01", "2025-06-30", 440_000, {}),
        ("de-commute, 2025", "de", ways(2025, 200, "30"), *year(2025), 196_000, {}),
        ("de-commute, 2026", "de", ways(2026, 200, "30"), *year(2026), 228_000, {}),
        ("de-half-days", "de", half, *year(2024), 13_600, {}),
        ("de-cap", "de", ways(2024, 220, "110", "moto"), *year(2024), 450_000, {}),
        ("de-cap, by bus", "de", ways(2024, 220, "110", None, "bus"), *year(2024), 450_000, {}),
        ("de-cap, by bus, and a car is named", "de", ways(2024, 220, "110", "clio", "bus"), *year(2024),
         450_000, {}),
        ("de-cap, by bicycle", "de", ways(2024, 220, "110", None, "bicycle"), *year(2024), 450_000, {}),
        ("de, two ways by bicycle", "de", ways(2024, 1, "10", None, "bicycle"), *year(2024), 300, {}),
        ("de-cap, by car", "de", ways(2024, 220, "110"), *year(2024), 884_400, {}),
        ("fr-5cv", "fr", [trip("2025-03-01", "12000", "km")], *year(2025), 567_900, {}),
        ("fr-5cv, electric", "fr", [trip("2025-03-01", "12000", "km", vehicle="megane")],
         *year(2025), 681_480, {}),
        ("fr-step, below", "fr", [trip("2025-03-01", "20000", "km")], *year(2025), 853_500, {}),
        ("fr-step, above", "fr", [trip("2025-03-01", "20001", "km")], *year(2025), 854_043, {}),
        ("nl-2023-24", "nl", [trip("2023-12-31", "100", "km"), trip("2024-01-01", "100", "km")],
         "2023-12-31", "2024-01-01", 4_400, {}),
        ("at-2026", "at", [trip("2026-03-01", "30100", "km")], *year(2026), 1_500_000, {}),
        ("at-passenger", "at", [trip("2026-03-01", "100", "km", passengers=1)], *year(2026), 6_500, {}),
        ("one-drive-twice", "us", [trip("2025-03-11", "7.45", "mi"), trip("2025-03-11", "7.5", "mi")],
         *year(2025), 1_047, {}),
    ]


def events_of(trips):
    """Returns the events of a book that has the trips of a vector, some minutes apart on each day."""
    count = defaultdict(int)
    for name, kind in VEHICLES.items():
        yield {"type": "vehicle_registered", "source": "book", "vehicle": name,
               "occurred_at": "2020-12-01T00:00:00Z", **kind}
    for number, trip in enumerate(trips):
        count[trip["day"]] += 1
        minutes = 10 * count[trip["day"]]
        event = {"type": "trip_reported", "source": "book", "id": f"trip {number}",
                 "occurred_at": f"{trip['day']}T20:00:00Z", "started_at": f"{trip['day']}T08:{minutes}:00Z",
                 "ended_at": f"{trip['day']}T08:{minutes + 5}:00Z",
                 "distance_m": trip["millimetres"] / 1_000, "class": trip["class"]}
        if trip["passengers"]:
            event["fields"] = {"passengers": trip["passengers"]}
        event |= {name: trip[name] for name in ("vehicle", "mode") if trip[name]}
        yield event


def check_vectors(ledger, directory):
    """Compares this computation, and the program's claims, with the figures that the shared collection names."""
    known = vectors()
    for number, (name, country, trips, first, last, money, asked) in enumerate(known):
        found = claim(country, trips, first, last, **asked)
        expect(found == money, f"{name}: {found} is {money}")
        book = directory / f"vector-{number}"

        def run(*arguments, text=None):
            return subprocess.run([str(ledger), "--ledger", str(book), *arguments], input=text,
                                  capture_output=True, text=True, check=True).stdout

        run("init", "--time-zone", "UTC")
        run("append", text="".join(json.dumps(event) + "\n" for event in events_of(trips)))
        options = [word for key, value in asked.items()
                   for word in ({"known_on": "--rates-as-known-on", "scheme": "--scheme"}[key], value)]
        answer = run("report", "claim", "--draft", "--jurisdiction", country, "--from", first, "--to", last,
                     "--format", "json", *options).splitlines()
        said = round(sum(Fraction(str(one["amount"])) for one in json.loads(answer[-1])["amounts"]) * 100)
        expect(said == money, f"{name}: the program claims {said}, and {money} is due")
    print(f"{len(known)} vectors, computed and claimed to the cent")


def check_energy(ledger, directory):
    """Fuel of company cars, and what is charged at home, are paid by the shared collection's rates."""
    rows = [row for row in json.loads((SHARED / "rates.json").read_text(encoding="utf-8"))["rates"]
            if row["scheme"] == "advisory_fuel"]
    book = directory / "energy"

    def run(*arguments, text=None):
        return subprocess.run([str(ledger), "--ledger", str(book), *arguments], input=text,
                              capture_output=True, text=True, check=True).stdout

    def claimed(country, scheme, vehicle):
        answer = run("report", "claim", "--draft", "--jurisdiction", country, "--scheme", scheme,
                     "--vehicle", vehicle, "--year", "2026", "--format", "json").splitlines()
        return round(sum(Fraction(str(one["amount"])) for one in json.loads(answer[-1])["amounts"]) * 100)

    events = [{"type": "place_saved", "source": "book", "place": "home", "lat": 52, "lon": 13,
               "radius_m": 100, "occurred_at": "2026-01-01T00:00:00Z"},
              {"type": "expense_recorded", "source": "book", "kind": "charging", "amount": 30,
               "currency": "EUR", "vehicle": "car 0", "quantity": 100, "quantity_unit": "kWh",
               "place": "home", "occurred_at": "2026-02-10T08:00:00Z"}]
    for number, row in enumerate([{"fuel": "electric"}, *rows]):
        vehicle = {"vehicle_kind": "car", "fuel": row["fuel"]}
        if "engine_cc" in row:
            # At the edge of the row's sizes.
            sign, size = row["engine_cc"][0], int(re.findall(r"\d+", row["engine_cc"])[-1])
            vehicle["engine_cc"] = size + 1 if sign == ">" else size
        if row["fuel"] == "electric":
            vehicle["electric"] = True
        events.append({"type": "vehicle_registered", "source": "book", "vehicle": f"car {number}",
                       "occurred_at": "2026-01-01T00:00:00Z", **vehicle})
        if number:
            hour = f"2026-07-{number:02}T08"
            events.append({"type": "trip_reported", "source": "book", "vehicle": f"car {number}",
                           "occurred_at": f"{hour}:50:00Z", "started_at": f"{hour}:00:00Z",
                           "ended_at": f"{hour}:40:00Z", "distance_m": 160_934.4, "class": "business"})
    run("init", "--time-zone", "Europe/London")
    run("append", text="".join(json.dumps(event) + "\n" for event in events))
    expect(claimed("de", "home_charging", "car 0") == 3_400, "100 kWh at home are 34.00 EUR")
    for number, row in enumerate(rows, 1):
        scheme = "advisory_fuel_public" if row.get("charged") == "public" else "advisory_fuel"
        found = claimed("gb", scheme, f"car {number}")
        expect(found == Fraction(row["rate"]) * 10_000, f"{row['id']}: 100 mi are {found} hundredths")
    expect(len(rows) == 11, f"11 advisory rates are shared, and {len(rows)} were found")
    print(f"{len(rows)} advisory rates and charging at home claimed to the cent")


def read_trips(text, passengers):
    """Reads the CSV of trips, in order of their starts."""
    def place(row, side):
        words = row[f"{side}_lat"], row[f"{side}_lon"]
        return tuple(map(float, words)) if all(words) else None

    trips = []
    for row in csv.DictReader(io.StringIO(text)):
        # Ways to work by bicycle count nowhere else.
        is_ridden = (row["abandoned"], row["class"], row["mode"]) == ("not_by_car", "commute", "bicycle")
        if row["status"] != "completed" and not is_ridden:
            continue
        # What the rules derive holds against no vehicle that is named.
        is_known = row["measured_mode"] or not row["vehicle"] or is_ridden
        mode = row["mode"] if is_known and row["mode"] not in ("car", "unsure") else None
        start = datetime.fromisoformat(row["started_at"])
        # A distance that a person set replaces the measured one.
        metres, _, thousandths = (row["adjusted_distance_m"] or row["distance_m"]).partition(".")
        trips.append({
            "start": start, "id": row["id"], "day": start.date().isoformat(),
            "class": row["class"], "vehicle": row["vehicle"],
            "millimetres": int(metres) * 1_000 + int(thousandths.ljust(3, "0")),
            "passengers": passengers.get(row["id"], 0), "source": row["source"],
            "measured": row["measured"] == "true", "mode": mode, "counts": not is_ridden,
            "from": place(row, "start"), "to": place(row, "end"),
        })
    return sorted(trips, key=lambda trip: (trip["start"], trip["id"]))


def check(ledger, directory, seed, count=2_000):
    """Compares the money of all countries, of whole years and of parts of them."""
    print("\nClaims, computed again in Python\n", flush=True)
    check_vectors(ledger, directory)
    if SHARED.is_dir():
        check_energy(ledger, directory)
    book = directory / "claims"

    def run(*arguments, text=None):
        result = subprocess.run(
            [str(ledger), "--ledger", str(book), *arguments], input=text, capture_output=True,
            text=True, check=True)
        return result.stdout

    run("init", "--time-zone", "Europe/Amsterdam")
    events = list(lines(seed, count))
    run("append", text="".join(json.dumps(line) + "\n" for line in events))
    rows = [json.loads(line) for line in run("trips", "--all", "--format", "json").splitlines()]
    passengers = {row["id"]: int(value) for row in rows for name, value in (row.get("fields") or {}).items()
                  if name in PASSENGERS}
    trips = read_trips(run("trips", "--all", "--format", "csv"), passengers)
    count -= sum(event.get("mode") == "rail" for event in events)
    expect(len(trips) == count, f"{count} trips are in the CSV")
    chance = random.Random(seed)
    questions = 0
    for country in ("at", "au", "ca", "de", "fr", "gb", "nl", "us"):
        total = 0
        spans = [(f"{year}-01-01", f"{year}-12-31", None) for year in range(2021, 2027)]
        for _ in range(8):
            days = sorted(date(2021, 1, 1) + timedelta(days=chance.randrange(2_130))
                          for _ in range(2))
            spans.append((*map(str, days), chance.choice((None, "2024-06-30", "2026-05-01"))))
        for first, last, known in spans:
            options = ["--rates-as-known-on", known] if known else []
            answer = run("report", "claim", "--draft", "--jurisdiction", country, "--from", first,
                         "--to", last, "--format", "json", *options).splitlines()
            amounts = json.loads(answer[-1])["amounts"]
            said = round(sum(Fraction(str(one["amount"])) for one in amounts) * 100)
            found = claim(country, trips, first, last, known or "9999-12-31")
            expect(said == found, f"{country} {first} to {last}, known on {known}: {said} is "
                   f"{found}, seed {seed}")
            questions += 1
            total += said
        print(f"{country}: {len(spans)} claims agree to the cent, {total / 100:,.2f} in all")
    expect(questions == 112, "all questions were asked")
