"""Recordings as other programs read them; runs in the environment that tools/acceptance/setup makes.

Each reader returns the fixes of a file in their order, as tuples of milliseconds since 1970, latitude
and longitude in degrees. The readers of Python packages work in this process; gpsbabel makes GPX of
what it reads, which is read without any package.
"""

import csv
import json
import subprocess
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone

import fastkml
import fitdecode
import gpxpy
import pynmea2


def milliseconds(time):
    """Returns the milliseconds since 1970 of a time, or of the text of one."""
    if isinstance(time, str):
        time = datetime.fromisoformat(time)
    if time.tzinfo is None:
        time = time.replace(tzinfo=timezone.utc)
    whole = int(time.replace(microsecond=0).timestamp())
    return whole * 1000 + time.microsecond // 1000


def ours(ledger, path):
    """As `ledger convert` reads it."""
    result = subprocess.run([ledger, "convert", path], capture_output=True)
    events = map(json.loads, result.stdout.splitlines())
    return [
        (milliseconds(event["occurred_at"]), event["lat"], event["lon"])
        for event in events if event["type"] == "fix_recorded"]


# Packages of Python

def gpxpy_reads(path):
    with open(path) as file:
        points = gpxpy.parse(file).walk(only_points=True)
        return [(milliseconds(point.time), point.latitude, point.longitude) for point in points]


def fitdecode_reads(path):
    fixes = []
    with fitdecode.FitReader(path) as reader:
        for frame in reader:
            is_record = isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record"
            if is_record and frame.has_field("position_lat"):
                fixes.append((
                    milliseconds(frame.get_value("timestamp")),
                    frame.get_value("position_lat") * 180 / 2**31,
                    frame.get_value("position_long") * 180 / 2**31))
    return fixes


def pynmea2_reads(path):
    """The valid RMC sentences: pynmea2 reads sentences one by one, and joins none."""
    fixes = []
    with open(path) as lines:
        for line in lines:
            sentence = pynmea2.parse(line.strip(), check=True)
            if sentence.sentence_type == "RMC" and sentence.status == "A":
                fixes.append((
                    milliseconds(datetime.combine(sentence.datestamp, sentence.timestamp)),
                    sentence.latitude, sentence.longitude))
    return fixes


def fastkml_reads(path):
    fixes = []
    for track in tracks_of(fastkml.KML.parse(path, strict=False)):
        for item in track.track_items:
            place = item.coord
            fixes.append((milliseconds(item.when.dt), place.y, place.x))
    return fixes


def tracks_of(feature):
    """Yields the tracks of a feature and of all that it holds."""
    geometry = getattr(feature, "kml_geometry", None)
    if isinstance(geometry, fastkml.gx.MultiTrack):
        yield from geometry.tracks
    elif isinstance(geometry, fastkml.gx.Track):
        yield geometry
    for child in getattr(feature, "features", []):
        yield from tracks_of(child)


# gpsbabel

# Stands for the time of a point without one.
NO_TIME = "1970-01-01T00:00:00Z"

GPSBABEL_FORMS = {"gpx": "gpx", "kml": "kml", "nmea": "nmea", "fit": "garmin_fit", "csv": "unicsv"}


def gpsbabel_reads(path, form):
    """gpsbabel makes waypoints of a table, and points of tracks of everything else here.

    Of KML it makes both, which are the same.
    """
    name = GPSBABEL_FORMS[form]
    result = subprocess.run(
        ["gpsbabel", "-i", name, "-f", path, "-o", "gpx,gpxver=1.1", "-F", "-"], capture_output=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.decode().strip())
    kind = "wpt" if form == "csv" else "trkpt"
    space = "{http://www.topografix.com/GPX/1/1}"
    return [
        (milliseconds(point.findtext(f"{space}time") or NO_TIME), float(point.get("lat")),
         float(point.get("lon")))
        for point in ElementTree.fromstring(result.stdout).iter(space + kind)]


# What stands in the files, taken literally: these formats have no reader of another's

def json_reads(path, form):
    read = {"rec": rec_reads, "overland": overland_reads, "google": google_reads,
            "geojson": geojson_reads}[form]
    return list(read(path))


def rec_reads(path):
    for line in path.read_text().splitlines():
        message = json.loads(line.split("\t", 2)[2])
        if message["_type"] == "location":
            yield message["tst"] * 1000, message["lat"], message["lon"]


def overland_reads(path):
    text = path.read_text()
    batches = text.splitlines() if path.suffix == ".jsonl" else [text]
    for batch in map(json.loads, batches):
        for feature in batch["locations"]:
            longitude, latitude = feature["geometry"]["coordinates"][:2]
            yield milliseconds(feature["properties"]["timestamp"]), latitude, longitude


def google_reads(path):
    for location in json.loads(path.read_text())["locations"]:
        yield (milliseconds(location["timestamp"]), location["latitudeE7"] / 1e7,
               location["longitudeE7"] / 1e7)


def geojson_reads(path):
    for feature in json.loads(path.read_text())["features"]:
        longitude, latitude = feature["geometry"]["coordinates"][:2]
        yield milliseconds(feature["properties"]["time"]), latitude, longitude


def table_reads(path):
    """A table as Python's csv reads it."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            time = row.get("occurred_at") or row.get("time") or row["timestamp"]
            yield (milliseconds(time), float(row.get("lat") or row["latitude"]),
                   float(row.get("lon") or row["longitude"]))


def readers_of(form):
    """Returns the readers of a format, by name."""
    packages = {
        "gpx": {"gpxpy": gpxpy_reads}, "kml": {"fastkml": fastkml_reads},
        "nmea": {"pynmea2": pynmea2_reads}, "fit": {"fitdecode": fitdecode_reads},
        "csv": {"Python's csv": lambda path: list(table_reads(path))},
    }
    if form not in packages:
        return {"Python's json": lambda path: json_reads(path, form)}
    return {**packages[form], "gpsbabel": lambda path: gpsbabel_reads(path, form)}
