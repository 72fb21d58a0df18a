"""Archives as Google's Takeout makes them, of a simulated driver's years."""

import json
import random
import subprocess
import tempfile
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

HISTORY = "Takeout/Location History (Timeline)"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

# A parked phone reports where it is so often, by the networks that it sees.
PARKED_SECONDS = 220
METERS_PER_DEGREE = 111_320

ACTIVITIES = {"automotive": "IN_VEHICLE", "walking": "WALKING", "running": "RUNNING",
              "cycling": "ON_BICYCLE", "stationary": "STILL"}
CERTAINTIES = {"high": 92, "medium": 60, "low": 30}


def seconds(text):
    return (datetime.fromisoformat(text) - EPOCH).total_seconds()


def iso(since):
    return (EPOCH + timedelta(milliseconds=round(since * 1000))).isoformat(
        timespec="milliseconds").replace("+00:00", "Z")


class Month:
    """A driver's month: the events of the phone, and what really happened."""

    def __init__(self, ledger, first, person):
        self.first = first
        following = (first.replace(day=28) + timedelta(days=4)).replace(day=1)
        with tempfile.TemporaryDirectory() as directory:
            truth = Path(directory) / "truth.json"
            command = [ledger, "simulate", "--start", first.isoformat(), "--days",
                       str((following - first).days), "--person", person, "--truth", truth]
            lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
            streams = json.loads(truth.read_text())["streams"]
        self.events = [json.loads(line) for line in lines]
        self.events = [event for event in self.events
                       if event["type"] in ("fix_recorded", "motion_changed")]
        # Some of a phone's drives are uploaded late, but Google writes records in order of time.
        self.events.sort(key=lambda event: seconds(event["occurred_at"]))
        self.truth = [
            {**part, "start": seconds(part["start"]), "end": seconds(part["end"])}
            for part in next(iter(streams.values()))["truth"]]


class Archive:
    """Writes an archive month by month, and knows what should come of it."""

    def __init__(self, path, ledger, seed):
        self.ledger = ledger
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=3)
        self.chance = random.Random(seed)
        self.place = None
        self.activity = None
        self.points = 0
        # For each year, the metres and the number of ways by car.
        self.driven = {}
        self.edits = []

    def write(self, years, person):
        self.write_others()
        self.records = tempfile.TemporaryFile()
        self.records.write(b'{\n  "locations": [')
        for year in years:
            for number in range(1, 13):
                self.add(Month(self.ledger, datetime(year, number, 1).date(), person))
        self.records.write(b"]\n}\n")
        self.put_records()
        self.put(f"{HISTORY}/Timeline Edits.json", {"timelineEdits": self.edits})
        self.put(f"{HISTORY}/Settings.json", {"historyEnabled": True, "deviceSettings": [
            {"deviceTag": 1234567, "devicePrettyName": "Phone", "platformType": "ANDROID"}]})
        self.zip.close()

    def put(self, name, value):
        self.zip.writestr(name, value if isinstance(value, (bytes, str)) else json.dumps(value))

    def put_records(self):
        self.records.seek(0)
        with self.zip.open(f"{HISTORY}/Records.json", "w", force_zip64=True) as member:
            while piece := self.records.read(1 << 22):
                member.write(piece)
        self.records.close()

    def write_others(self):
        """What other products have in the same archive."""
        self.put("Takeout/archive_browser.html", "<!DOCTYPE html><html><body>Takeout</body></html>")
        self.put("Takeout/YouTube/history/watch-history.json", [
            {"header": "YouTube", "title": "Watched a film", "time": "2020-01-01T00:00:00Z"}])
        self.put("Takeout/Mail/All mail.mbox", "From 1@x Thu Jan  1 00:00:00 1970\n\nHello\n" * 1000)
        self.put("Takeout/Google Photos/2020/photo.jpg", b"\xff\xd8\xff\xe0" + self.chance.randbytes(1 << 20))
        self.put("Takeout/Google Photos/2020/photo.jpg.json", {
            "title": "photo.jpg", "geoData": {"latitude": 52.1, "longitude": 4.3}})
        self.put("Takeout/Calendar/calendar.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")

    def add(self, month):
        """Adds what a month brings: records, the file of the month, an edit."""
        events = iter(month.events)
        event = next(events, None)
        for part in month.truth:
            moments = self.parked(part) if part["mode"] == "parked" else []
            while event and seconds(event["occurred_at"]) < part["end"]:
                moments.append((seconds(event["occurred_at"]), event))
                event = next(events, None)
            for since, moment in sorted(moments, key=lambda moment: moment[0]):
                self.add_moment(since, moment)
            if part["mode"] == "car":
                year = (EPOCH + timedelta(seconds=part["start"])).year
                meters, count = self.driven.get(year, (0, 0))
                self.driven[year] = (meters + part["metres"], count + 1)
        self.put_month(month)

    def add_moment(self, since, event):
        if event["type"] == "motion_changed":
            kind = ACTIVITIES.get(event["state"], "UNKNOWN")
            self.activity = (since, kind, CERTAINTIES[event["confidence"]])
            return
        place = (event["lat"], event["lon"])
        source = event.get("network", "GPS")
        if source == "GPS":
            self.place = place
        speed = round(event["speed"]) if "speed" in event else None
        self.record(since, *place, round(event.get("accuracy", 10)), source, speed)

    def parked(self, part):
        """Returns what a phone that lies still reports: never quite the same place, at times a far
        one."""
        moments = []
        since = part["start"] + PARKED_SECONDS
        while self.place and since < part["end"]:
            is_far = self.chance.random() < 0.01
            spread = 600 if is_far else 18
            latitude, longitude = (
                angle + self.chance.gauss(0, spread) / METERS_PER_DEGREE for angle in self.place)
            accuracy = self.chance.uniform(800, 2000) if is_far else self.chance.uniform(12, 60)
            moments.append((since, {
                "type": "fix_recorded", "lat": latitude, "lon": longitude, "accuracy": accuracy,
                "network": "CELL" if is_far else "WIFI"}))
            since += PARKED_SECONDS * self.chance.uniform(0.9, 1.1)
        return moments

    def record(self, since, latitude, longitude, accuracy, source, speed):
        text = "{" if self.points == 0 else ", {"
        text += (f'\n    "latitudeE7": {round(latitude * 1e7)},\n    "longitudeE7": '
                 f'{round(longitude * 1e7)},\n    "accuracy": {accuracy},')
        if speed is not None:
            text += f'\n    "velocity": {speed},'
        if self.activity:
            time, kind, certainty = self.activity
            text += (f'\n    "activity": [{{\n      "activity": [{{\n        "type": "{kind}",\n'
                     f'        "confidence": {certainty}\n      }}],\n      "timestamp": '
                     f'"{iso(time)}"\n    }}],')
            self.activity = None
        text += (f'\n    "source": "{source}",\n    "deviceTag": 1234567,'
                 f'\n    "timestamp": "{iso(since)}"\n  }}')
        self.records.write(text.encode())
        self.points += 1

    def put_month(self, month):
        """Writes the file of a month: what Google infers, which is no measurement."""
        objects = []
        for part in month.truth:
            duration = {"startTimestamp": iso(part["start"]), "endTimestamp": iso(part["end"])}
            if part["mode"] == "parked":
                objects.append({"placeVisit": {"location": {"name": "A place"}, "duration": duration}})
            else:
                objects.append({"activitySegment": {
                    "duration": duration, "distance": round(part["metres"] * 1.04),
                    "activityType": "IN_PASSENGER_VEHICLE", "confidence": "HIGH"}})
        name = month.first.strftime("%Y_%B").upper()
        self.put(f"{HISTORY}/Semantic Location History/{month.first.year}/{name}.json",
                 {"timelineObjects": objects})
        self.edits.append({"deviceId": "1234567", "placeAggregates": {"windowSizeHrs": 720}})
