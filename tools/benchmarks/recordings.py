"""Simulated fixes as other apps write them: Records.json, GPX, CSV, FIT and NMEA 0183."""

import json
import struct
from datetime import datetime

# FIT counts seconds from 1989-12-31, and angles in semicircles.
FIT_EPOCH = 631_065_600
SEMICIRCLES = (1 << 31) / 180

KNOT = 1_852 / 3_600


def of_lines(lines):
    """Yields the fixes of a file of events, as dictionaries with the time in whole seconds."""
    with open(lines, "rb") as source:
        for line in source:
            event = json.loads(line)
            if event["type"] == "fix_recorded":
                time = datetime.fromisoformat(event["occurred_at"])
                event["seconds"] = int(time.timestamp())
                event["utc"] = event["occurred_at"][:19] + "Z"
                yield event


def write(lines, directory):
    """Writes the fixes of a file of events in every format; returns their count and the files.

    Times have whole seconds, as most of these formats have them.
    """
    directory.mkdir()
    writers = [kind(directory) for kind in (Records, GPX, Table, NMEA, FIT)]
    count = 0
    for fix in of_lines(lines):
        count += 1
        for writer in writers:
            writer.add(fix)
    for writer in writers:
        writer.end()
    return count, {writer.form: writer.path for writer in writers}


class Records:
    """Google's location history."""

    form = "google"

    def __init__(self, directory):
        self.path = directory / "Records.json"
        self.file = open(self.path, "w")
        self.file.write('{\n  "locations": [{')
        self.is_first = True

    def add(self, fix):
        if not self.is_first:
            self.file.write("}, {")
        self.is_first = False
        self.file.write(
            f'\n    "latitudeE7": {round(fix["lat"] * 1e7)},'
            f'\n    "longitudeE7": {round(fix["lon"] * 1e7)},'
            f'\n    "accuracy": {round(fix["accuracy"])},'
            f'\n    "velocity": {round(fix["speed"])},'
            f'\n    "source": "GPS",\n    "deviceTag": 1234567,'
            f'\n    "timestamp": "{fix["utc"]}"\n  ')

    def end(self):
        self.file.write("}]\n}\n")
        self.file.close()


class GPX:
    """GPX 1.1, with the speed in an extension."""

    form = "gpx"

    def __init__(self, directory):
        self.path = directory / "track.gpx"
        self.file = open(self.path, "w")
        self.file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<gpx version="1.1" creator="simulation" xmlns="http://www.topografix.com/GPX/1/1" '
            'xmlns:x="urn:x">\n<trk><trkseg>\n')

    def add(self, fix):
        self.file.write(
            f'<trkpt lat="{fix["lat"]:.7f}" lon="{fix["lon"]:.7f}"><time>{fix["utc"]}</time>'
            f'<extensions><x:speed>{fix["speed"]:.2f}</x:speed></extensions></trkpt>\n')

    def end(self):
        self.file.write("</trkseg></trk>\n</gpx>\n")
        self.file.close()


class Table:
    """CSV, with names of columns that gpsbabel knows too."""

    form = "csv"

    def __init__(self, directory):
        self.path = directory / "fixes.csv"
        self.file = open(self.path, "w")
        self.file.write("time,latitude,longitude,speed,accuracy\n")

    def add(self, fix):
        self.file.write(
            f'{fix["utc"]},{fix["lat"]:.7f},{fix["lon"]:.7f},{fix["speed"]:.2f},'
            f'{fix["accuracy"]}\n')

    def end(self):
        self.file.close()


class NMEA:
    """A pair of sentences for each fix."""

    form = "nmea"

    def __init__(self, directory):
        self.path = directory / "track.nmea"
        self.file = open(self.path, "w", newline="")

    def add(self, fix):
        utc = fix["utc"]
        time = utc[11:13] + utc[14:16] + utc[17:19]
        place = (
            f'{self.minutes(fix["lat"], 2)},{"N" if fix["lat"] >= 0 else "S"},'
            f'{self.minutes(fix["lon"], 3)},{"E" if fix["lon"] >= 0 else "W"}')
        date = utc[8:10] + utc[5:7] + utc[2:4]
        self.write(f"GPGGA,{time},{place},1,08,0.9,,M,,M,,")
        self.write(f'GPRMC,{time},A,{place},{fix["speed"] / KNOT:.2f},,{date},,,A')

    @staticmethod
    def minutes(degrees, width):
        units = round(abs(degrees) * 60 * 100_000)
        whole, rest = divmod(units, 60 * 100_000)
        return f"{whole:0{width}d}{rest / 100_000:08.5f}"

    def write(self, content):
        total = 0
        for byte in content.encode():
            total ^= byte
        self.file.write(f"${content}*{total:02X}\r\n")

    def end(self):
        self.file.close()


class FIT:
    """A FIT file: one definition, and a record message for each fix."""

    form = "fit"

    def __init__(self, directory):
        self.path = directory / "track.fit"
        # File id (type 4 is an activity), then what a record has: time, place, speed.
        self.messages = bytearray(
            bytes([0x40, 0, 0, 0, 0, 1, 0, 1, 0x00, 0x00, 4])
            + bytes([0x41, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 6, 2, 0x84]))

    def add(self, fix):
        self.messages += struct.pack(
            "<BIiiH", 1, fix["seconds"] - FIT_EPOCH, round(fix["lat"] * SEMICIRCLES),
            round(fix["lon"] * SEMICIRCLES), round(fix["speed"] * 1_000))

    def end(self):
        header = struct.pack("<BBHI4s", 12, 0x10, 100, len(self.messages), b".FIT")
        content = header + bytes(self.messages)
        self.path.write_bytes(content + struct.pack("<H", self.checksum(content)))

    @staticmethod
    def checksum(content):
        """CRC-16/ARC."""
        steps = []
        for value in range(256):
            for _ in range(8):
                value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
            steps.append(value)
        total = 0
        for byte in content:
            total = total >> 8 ^ steps[(total ^ byte) & 0xFF]
        return total
