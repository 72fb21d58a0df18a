"""Two drivers' years as other apps keep them: an Android phone's Timeline and an OwnTracks recorder in
Germany, MileIQ's table in the United States. They are drives between known places, so that every figure
is known."""

import json
import math
from datetime import datetime, timedelta, timezone

PLACES = {
    "Zuhause": (49.4780, 10.9890), "Büro": (49.4520, 11.0770), "Kunde A": (49.5970, 11.0040),
    "Kunde B": (49.3060, 11.0220), "Kunde C": (49.4410, 10.8610), "Supermarkt": (49.4690, 10.9990),
    "Sport": (49.4600, 10.9700), "Eltern": (49.5330, 10.9200),
}
PRIVATE = ("Supermarkt", "Sport", "Eltern")
METERS_PER_DEGREE = 111_320
SPEED = 12


def meters(one, other):
    north = (other[0] - one[0]) * METERS_PER_DEGREE
    east = (other[1] - one[1]) * METERS_PER_DEGREE * math.cos(math.radians(one[0]))
    return math.hypot(north, east)


def german_days():
    """Yields the drives of a year: their start in UTC, and the places."""
    day = datetime(2025, 1, 2, tzinfo=timezone.utc)
    customers = ["Kunde A", "Kunde B", "Kunde C"]
    number = 0
    while day.year == 2025:
        morning, noon, evening = (day.replace(hour=hour) for hour in (7, 12, 17))
        if day.weekday() < 5:
            yield morning, "Zuhause", "Büro"
            if day.weekday() in (1, 3):
                customer = customers[number % 3]
                number += 1
                yield noon, "Büro", customer
                yield noon + timedelta(hours=2), customer, "Büro"
            yield evening, "Büro", "Zuhause"
        elif day.weekday() == 5:
            place = PRIVATE[day.day % 3]
            yield noon, "Zuhause", place
            yield noon + timedelta(hours=2), place, "Zuhause"
        day += timedelta(days=2)


def write_timeline(path, drives):
    """Writes what an Android phone keeps of a year: ways and stays, and positions of neither."""
    segments = []
    for start, origin, destination in drives:
        ends = [PLACES[origin], PLACES[destination]]
        length = meters(*ends)
        end = start + timedelta(seconds=length / SPEED)
        points = [f"{place[0]:.7f}°, {place[1]:.7f}°" for place in ends]
        times = {"startTime": start.isoformat(), "endTime": end.isoformat()}
        segments.append({**times, "activity": {
            "start": {"latLng": points[0]}, "end": {"latLng": points[1]},
            "distanceMeters": round(length, 1),
            "topCandidate": {"type": "IN_PASSENGER_VEHICLE", "probability": 0.9}}})
        segments.append({**times, "timelinePath": [{"point": points[0], "time": start.isoformat()}]})
    path.write_text(json.dumps({"semanticSegments": segments}))


def write_recorder(path, drives):
    """Writes drives as OwnTracks' recorder does: a position every ten seconds, and one at rest."""
    lines = []
    for start, origin, destination in drives:
        one, other = PLACES[origin], PLACES[destination]
        count = int(meters(one, other) / SPEED / 10)
        for number in range(-30, count + 60):
            share = min(1, max(0, number / count))
            time = start + timedelta(seconds=10 * number)
            message = {
                "_type": "location", "tst": int(time.timestamp()), "acc": 8,
                "lat": round(one[0] + share * (other[0] - one[0]), 7),
                "lon": round(one[1] + share * (other[1] - one[1]), 7),
                "vel": round(SPEED * 3.6) if 0 < share < 1 else 0,
                "topic": "owntracks/erika/pixel"}
            lines.append(f"{time:%Y-%m-%dT%H:%M:%SZ}\t*                 \t{json.dumps(message)}")
    path.write_text("".join(line + "\n" for line in lines))


def write_mileiq(path):
    """Writes a year of MileIQ's table; returns the miles on business, and what was paid."""
    lines = ["START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,MILES_VALUE,PARKING,TOLLS,TOTAL,"
             "VEHICLE,PURPOSE,NOTES"]
    miles, paid = 0, 0
    for number in range(300):
        start = datetime(2025, 1, 2, 8) + timedelta(hours=29 * number)
        end = start + timedelta(minutes=25)
        is_business = number % 3 != 0
        parking, toll = (8.5 if number % 10 == 1 else 0), (2.25 if number % 6 == 2 else 0)
        vehicle = "Honda" if number % 2 else "Ford"
        lines.append(
            f"{start:%m/%d/%Y %H:%M},{end:%m/%d/%Y %H:%M},{'Business' if is_business else 'Personal'},"
            f"Home,Client {number % 7},12.5,8.75,{parking or ''},{toll or ''},,{vehicle},"
            f"{'Customer visit' if is_business else ''},")
        miles += 12.5 * is_business
        paid += parking + toll
    path.write_text("".join(line + "\n" for line in lines))
    return miles, paid
