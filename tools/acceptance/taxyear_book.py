"""A book for tax years: three vehicles, thousands of trips, every class, and what happens to books.

Two simulated drivers record two years each; a third vehicle gets some of their trips. Trips are
classified, some late and some twice; merged, adjusted and voided; reported across midnights, years
and clock changes; tolls, parking and fuel are paid; and a week of fixes comes after all of that.
"""

import json
import random
import subprocess
from datetime import datetime, timedelta

from claims import VEHICLES

# Who drives what from when on, and for how many days.
DRIVERS = (("anna", "clio", "2022-01-01", 365), ("anna", "clio", "2025-01-01", 365),
           ("ben", "van", "2025-01-01", 365), ("ben", "van", "2026-01-01", 270))
LATE_SOURCE, LATE_DAYS = "ben-phone", ("2025-06-02", "2025-06-09")

PURPOSES = (
    "Visit", 'Kundenbesuch "Müller & Söhne" <A>', "زيارة العميل", "客户拜访", "=1+1", "bezoek; levering, twee keer",
    "📦 delivery", "A rather long purpose that goes on about what was agreed and with whom, for a second line",
)
CLIENTS = ("ACME", "Café de Haven", "Ørsted", None)

# Start and end of trips that a person reports, at the edges of days, years and clocks.
EDGES = (
    ("2022-06-30T23:50:00+02:00", "2022-07-01T00:20:00+02:00"),
    ("2022-12-31T23:50:00+01:00", "2023-01-01T00:20:00+01:00"),
    ("2025-03-30T01:50:00+01:00", "2025-03-30T03:10:00+02:00"),
    ("2025-06-30T23:50:00+02:00", "2025-07-01T00:20:00+02:00"),
    ("2025-10-26T02:50:00+02:00", "2025-10-26T02:10:00+01:00"),
    ("2025-12-31T23:50:00+01:00", "2026-01-01T00:20:00+01:00"),
    ("2026-04-05T23:50:00+02:00", "2026-04-06T00:20:00+02:00"),
)
ONE_RECORDER = 24 * 3600


class TaxYearBook:
    """A ledger, and what was put into it."""

    def __init__(self, ledger, directory, seed):
        self.ledger = ledger
        self.path = directory / "tax-year"
        self.chance = random.Random(seed)
        self.late = []
        self.run("init", "--time-zone", "Europe/Amsterdam")
        self.record()
        self.report_edges()
        self.decide()
        self.pay()
        self.append(self.late)

    def run(self, *arguments, text=None):
        return subprocess.run(
            [str(self.ledger), "--ledger", str(self.path), *arguments], input=text,
            capture_output=True, text=True, check=True, timeout=600).stdout

    def append(self, lines):
        self.run("append", text="".join(line + "\n" for line in lines))

    def append_events(self, events):
        self.append([json.dumps(event, ensure_ascii=False) for event in events])

    def trips(self):
        """The trips that count, in order of their starts."""
        rows = [json.loads(line) for line in self.run("trips", "--format", "json").splitlines()]
        return sorted((row for row in rows if row["status"] == "completed"),
                      key=lambda row: (datetime.fromisoformat(row["started_at"]), row["id"]))

    def record(self):
        self.append_events(
            {"type": "vehicle_registered", "source": "book", "vehicle": name, "plate": f"{name.upper()}-1",
             "make": "Simulated", "model": name, "in_service_since": "2021-12-01",
             "occurred_at": "2021-12-01T00:00:00Z", **VEHICLES[name]} for name in ("clio", "van", "moto"))
        for person, vehicle, start, days in DRIVERS:
            lines = subprocess.run(
                [str(self.ledger), "simulate", "--person", person, "--vehicle", vehicle, "--start", start,
                 "--days", str(days), "--places"],
                capture_output=True, text=True, check=True).stdout.splitlines()
            kept = []
            for line in lines:
                (self.late if self.is_late(line) else kept).append(line)
            # Repeated data change nothing.
            self.append(kept + kept[:500])

    @staticmethod
    def is_late(line):
        if LATE_SOURCE not in line:
            return False
        event = json.loads(line)
        first, last = LATE_DAYS
        return event["source"] == LATE_SOURCE and first <= event["occurred_at"][:10] < last

    def report_edges(self):
        self.append_events(
            {"type": "trip_reported", "source": "book", "id": f"edge {number}",
             "occurred_at": "2026-10-01T10:00:00+02:00", "started_at": start, "ended_at": end,
             "from": "Home", "to": "Away", "distance_m": 31_000 + number, "class": "business",
             "vehicle": "clio", "purpose": "over the edge"}
            for number, (start, end) in enumerate(EDGES))

    def class_of(self, trip):
        ends = f"{trip.get('from')} {trip.get('to')}"
        if "client" in ends:
            return "business"
        if "office" in ends and self.chance.random() < 0.9:
            return "commute"
        return self.chance.choice(("personal", "personal", "personal", "business", "medical", "charity", "moving",
                                   "mixed", None))

    def details(self, trip, days):
        ended = datetime.fromisoformat(trip["ended_at"])
        details = {"type": "details_edited", "source": "book", "actor": "anna", "trip": trip["id"],
                   "trip_started_at": trip["started_at"],
                   "occurred_at": (ended + timedelta(days=days, minutes=7)).isoformat()}
        trip_class = self.class_of(trip)
        if trip_class:
            details["class"] = trip_class
        if trip_class == "business":
            details["purpose"] = self.chance.choice(PURPOSES)
            details["client"] = self.chance.choice(CLIENTS)
        if self.chance.random() < 0.08:
            details["vehicle"] = "moto"
        return {name: value for name, value in details.items() if value is not None}

    def decide(self):
        trips = [trip for trip in self.trips() if trip["source"] != "book"]
        self.append_events(self.details(trip, self.chance.choice((0, 0, 0, 1, 3, 20))) for trip in trips)
        # Some say something else later.
        self.append_events(self.details(trip, 40) for trip in self.chance.sample(trips, 40))
        chosen = self.chance.sample(range(1, len(trips)), 60)
        for number, index in enumerate(chosen):
            trip, before = trips[index], trips[index - 1]
            told = {"source": "book", "actor": "anna", "occurred_at": "2026-10-02T10:00:00+02:00",
                    "id": f"decision {number}", "why": "as it was"}
            if number < 20:
                self.append_events([{"type": "distance_adjusted", "trip": trip["id"],
                                     "trip_started_at": trip["started_at"],
                                     "distance_m": self.chance.randrange(1_000, 90_000_000) / 1_000, **told}])
            elif number < 30:
                self.append_events([{"type": "trip_voided", "trip": trip["id"],
                                     "trip_started_at": trip["started_at"], **told}])
            elif self.fit(before, trip):
                self.append_events([{"type": "trips_merged", "trips": [before["id"], trip["id"]], **told}])

    @staticmethod
    def fit(first, second):
        gap = datetime.fromisoformat(second["started_at"]) - datetime.fromisoformat(first["ended_at"])
        return first["source"] == second["source"] and 0 <= gap.total_seconds() < ONE_RECORDER / 4

    def pay(self):
        trips = self.trips()
        for number, trip in enumerate(self.chance.sample(trips, 80)):
            self.append_events([{
                "type": "expense_recorded", "source": "book", "id": f"toll {number}",
                "occurred_at": trip["ended_at"], "kind": self.chance.choice(("toll", "parking")),
                "amount": self.chance.randrange(50, 4_000) / 100, "currency": self.chance.choice(("EUR", "USD")),
                "vehicle": trip.get("vehicle"), "trip": trip["id"], "trip_started_at": trip["started_at"]}])
        for number, trip in enumerate(self.chance.sample(trips, 60)):
            self.append_events([{
                "type": "expense_recorded", "source": "book", "id": f"fuel {number}",
                "occurred_at": trip["ended_at"], "kind": "fuel", "amount": self.chance.randrange(2_000, 9_000) / 100,
                "currency": "EUR", "vehicle": trip.get("vehicle")}])
