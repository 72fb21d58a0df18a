"""The inputs that fuzzing starts from: what the built `ledger` itself writes, nothing from outside.

The events of simulated drives and the examples of the schemas, a ledger of them with its blocks and
entries as its pages hold them, and that ledger's heads, proofs and exports.
"""

import json
import struct
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools" / "mutations"))

import meaning  # noqa: E402

NAME = "example.com/fuzz"

# A record or two of each format that the importers read.
IMPORTS = [
    '{"specversion":"1.0","id":"7","source":"urn:ledger:source:a","type":"ledger.fix_recorded","time":'
    '"2024-03-01T07:00:00Z","data":{"lat":52.1,"lon":4.3}}\n[{"specversion":"1.0","data":{"type":"x"}}]',
    '2024-03-01T07:00:00Z\t*                 \t{"_type":"location","tid":"jo","tst":1709276400,'
    '"lat":52.1,"lon":4.3,"acc":12,"vel":36,"cog":90,"motionactivities":["walking"]}\n'
    '2024-03-01T07:00:05Z\tlwt\t{"_type":"lwt"}\n',
    '{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},'
    '"properties":{"timestamp":"2024-03-01T07:00:00-0700","speed":-1,"motion":["driving"],'
    '"device_id":"a"}},{"properties":{"type":"trip","mode":"car","start":"2024-03-01T07:00:00Z",'
    '"end":"2024-03-01T08:00:00Z"}}],"current":{}}',
    '{"locations":[{"timestampMs":"1709276400123","latitudeE7":521000000,"longitudeE7":4294967246,'
    '"activity":[{"timestamp":"2024-03-01T07:00:04Z","activity":[{"type":"STILL",'
    '"confidence":20}]}],"source":"GPS"}]}',
    '{"rawSignals":[{"position":{"LatLng":"52.1°, 4.3°","accuracyMeters":9,"timestamp":'
    '"2024-03-01T07:00:00Z"}},{"activityRecord":{"probableActivities":[{"type":"STILL","confidence":'
    '0.9}],"timestamp":"2024-03-01T07:00:01Z"}}],"timelineEdits":[{"deviceId":"7","rawSignal":{'
    '"signal":{"position":{"point":{"latE7":521,"lngE7":-43},"accuracyMm":9}}}}]}',
    '{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[4.3,52.1,7]},'
    '"properties":{"time":1709276400,"speed_kmh":36}},{"geometry":{"type":"LineString","coordinates":'
    '[[4.3,52.1]]},"properties":{"coordTimes":["2024-03-01T07:00:00Z"],"speed":[1]}}]}',
    '<?xml version="1.0"?><gpx><wpt lat="1" lon="1"/><trk><trkseg><trkpt lat="52.1" lon="+.3">'
    '<ele>3</ele><time>2024-03-01T07:00:00.5Z</time><x:speed>1</x:speed></trkpt></trkseg></trk></gpx>',
    '<kml><Placemark><TimeStamp><when>2024-03-01T07:00:00Z</when></TimeStamp><Point><coordinates>'
    '4.3,52.1,7</coordinates></Point></Placemark><gx:Track><when>2024-03-01T07:00:01Z</when><when/>'
    '<gx:coord>4.3 52.1 7</gx:coord><gx:coord/></gx:Track><LineString/></kml>',
    '<TrainingCenterDatabase><Courses><Trackpoint/></Courses><Trackpoint><Time>2024-03-01T07:00:00Z'
    '</Time><Position><LatitudeDegrees>52.1</LatitudeDegrees><LongitudeDegrees>4.3</LongitudeDegrees>'
    '</Position><Speed>3</Speed></Trackpoint></TrainingCenterDatabase>',
    '$GPGGA,235958.50,5206.000,N,00418.000,E,1,08,1.0,3.5,M,,M,,\n'
    '$GPRMC,000001,A,5206.000,N,00418.000,E,019.44,359.9,010324,,,A*00\n$GPZDA,000002,02,03,2024,,\n',
    '[{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","valid":true,"latitude":52.1,"longitude":4.3,'
    '"speed":10.8,"accuracy":0.0,"attributes":{"ignition":true}},{"deviceId":3,"outdated":true}]',
    'id,deviceId,protocol,fixTime,valid,latitude,longitude,speed,address,accuracy,ignition\n'
    '1,3,h02,2024-03-01T07:00:00Z,true,52.1,4.3,10.8,1 High Street, Town,0.0,true\n',
    'GET /?id=a%20b&timestamp=1709276400&lat=52.1&lon=4.3&speed=10.8&bearing=90 HTTP/1.1\n'
    '?deviceid=b&location=52.2,4.4&timestamp=1709276405000&valid=false\n',
    '{"location":{"timestamp":1709276400000,"coords":{"latitude":52.1,"longitude":4.3,"speed":-1},'
    '"mock":true,"activity":{"type":"in_vehicle"}},"device_id":"a"}',
    'Totals,,1\nSTART_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,PARKING,TOLLS,VEHICLE,PURPOSE,NOTES\n'
    '01/31/2024 08:05,1/31/2024 8:45 AM,Business,"Main St, Town",\'=B,12.5,$2.50,0,Van,Visit,"a ""b"""\n'
    'Totals,,,,,=SUM(F2:F3)\n',
    'Miles,From,To,Date,Purpose,Time Started,Time Ended,Time Zone\n'
    '3.5,A,B,2024-01-31,Work,08:57 AM,09:10 PM,Pacific Time (US & Canada)\n1,A,B,2024-01-31,,,,\n',
    'time;lat;lon;speed_kmh;accuracy\n2024-03-01 07:00:00,5 +0100;52,1;4,3;36;"8"\n1709276400;1;2;;\n',
]

# A FIT file: a definition of a record with a timestamp, a position and a speed, and two of them; the second
# has a short time.
MESSAGES = (bytes([0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 6, 2, 0x84])
            + b"\x00" + struct.pack("<IiiH", 1_078_210_800, 0x20000000, -0x40000000, 1_234)
            + b"\x85" + struct.pack("<IiiH", 0xFFFFFFFF, 0x20000000, -0x40000000, 0xFFFF))
FIT = struct.pack("<BBHI4s", 12, 16, 100, len(MESSAGES), b".FIT") + MESSAGES + b"\0\0"


class Seeds:
    """Makes the seeds of every target below a directory."""

    def __init__(self, ledger, directory):
        self.ledger = ledger
        self.directory = directory
        self.book = directory / "book"
        self.home = directory / "home"

    def run(self, *arguments, data=None):
        environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TZ": "UTC"}
        result = subprocess.run(
            [str(self.ledger), *map(str, arguments)], input=data, capture_output=True,
            env=environment)
        # Examples of the schemas that a ledger refuses are seeds too.
        if result.returncode not in (0, 1):
            sys.exit(f"fuzz: ledger {' '.join(map(str, arguments))}\n{result.stderr.decode()}")
        return result.stdout

    def must(self, *arguments):
        return self.run(*arguments, "--ledger", self.book)

    def put(self, target, name, data):
        folder = self.directory / "seeds" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)

    def make(self):
        self.home.mkdir(parents=True)
        self.must("init")
        lines = self.lines()
        for index, line in enumerate(lines):
            self.put("lines", f"line-{index:03}", line)
        self.put("lines", "drive", b"\n".join(lines[:12]))
        self.run("append", "--ledger", self.book, data=b"\n".join(lines))
        key = self.directory / "owner.key"
        self.must("key", "new", "--name", NAME, "-o", key)
        self.put("notes", "private-key", key.read_bytes().strip())
        self.put("notes", "verifier-key", json.loads(
            self.must("key", "show", "--key", key, "--format", "json"))["verifier_key"].encode())
        older = self.must("head", "--sign", "--key", key)
        self.must("erase", "5", "--why", "asked for", "--yes")
        newer = self.must("head", "--sign", "--key", key)
        self.notes(older, newer)
        self.blocks()
        self.exports()
        for number, text in enumerate([text.encode() for text in IMPORTS] + [FIT]):
            for first in range(16):
                self.put("imports", f"format-{first}-{number}", bytes([first]) + text)

    def lines(self):
        """One event of every type, and the first ones of a few drives."""
        lines = []
        for scenario in ["home-to-office", "tunnel", "late-upload"]:
            result = subprocess.run(
                [str(self.ledger), "simulate", scenario], capture_output=True)
            lines += result.stdout.splitlines()[:12]
        for file in sorted((REPOSITORY / "Schemas" / "examples" / "event").rglob("*.json")):
            # Without the line feeds that only make it easier to read.
            lines.append(b" ".join(file.read_bytes().split()))
        return lines

    def notes(self, older, newer):
        for name, note in [("older", older), ("newer", newer)]:
            self.put("notes", name, note)
            self.put("notes", name + "-text", note.split(b"\n\n")[0] + b"\n")
        files = [self.directory / "older.note", self.directory / "newer.note"]
        for file, note in zip(files, [older, newer]):
            file.write_bytes(note)
        self.put("proofs", "consistency", self.must("prove", "--consistency", *files))
        for position in [0, 3, 20]:
            folder = self.directory / f"proof-{position}"
            self.must("prove", position, "-o", folder)
            for file in folder.glob("*.tlog-proof"):
                proof = file.read_bytes()
                self.put("proofs", file.name, proof)
                self.put("proofs", f"extra-{position}", proof.replace(
                    b"\nindex ", b"\nextra AAEC\nindex ", 1))

    def blocks(self):
        found = meaning.blocks((self.book / "log" / "data.mdb").read_bytes())
        for index, block in enumerate(found):
            self.put("blocks", f"block-{index}", block)
            entries = [entry for _, entry in meaning.entries_of(block)]
            for number, entry in enumerate(entries):
                self.put("entries", f"entry-{index}-{number}", entry)
                self.put("blocks", f"single-{index}-{number}", self.block([entry], number))
            self.put("blocks", f"three-{index}", self.block(entries[:3], 0))
            for name, part in [("few", entries[:5]), ("all", entries)]:
                content = struct.pack("<H", len(part)) + meaning.columns(part)
                self.put("columns", f"{name}-{index}", content)
        self.compact_blocks()

    def compact_blocks(self):
        """Compact blocks: of one drive, and of two that were recorded at once."""
        drive = subprocess.run(
            [str(self.ledger), "simulate", "bulk", "--drives", "1", "--fixes", "120"],
            capture_output=True).stdout.splitlines()
        other = [line.replace(b"simulated-phone", b"another-phone") for line in drive]
        both = [line for pair in zip(drive, other) for line in pair]
        for name, lines in [("one", drive[:60]), ("two", both)]:
            book = self.directory / f"compact-{name}"
            self.run("--ledger", book, "init")
            # Only full blocks are compressed, and the last of these events opens another.
            self.run("--ledger", book, "append", data=b"\n".join(lines + other[100:]))
            self.run("--ledger", book, "compact")
            for index, block in enumerate(meaning.blocks((book / "log" / "data.mdb").read_bytes())):
                self.put("blocks", f"compact-{name}-{index}", block)

    @staticmethod
    def block(entries, first):
        body = b"".join(entries)
        header = struct.pack("<HBBIIqQ", len(entries), 1, 0, 32 + len(body), 0, 0, first)
        return struct.pack("<I", meaning.crc32c(header + body)) + header + body

    def exports(self):
        for name, options in [("all", []), ("withheld", ["--withhold", "personal"])]:
            for form in ["jsonl", "tiles"]:
                path = self.directory / f"{name}-{form}"
                self.must("export", "--as", form, *options, path)
            lines = (self.directory / f"{name}-jsonl" / "entries.jsonl").read_bytes()
            self.put("exports", name, lines)
            for index, line in enumerate(lines.splitlines()[:40]):
                self.put("exports", f"{name}-line-{index}", lines.split(b"\n", 1)[0] + b"\n" + line)
            self.put("tiles", name, self.tiles(self.directory / f"{name}-tiles"))
        # An export small enough that mutations find their way through it.
        self.book = self.directory / "small"
        self.must("init")
        self.run("append", "--ledger", self.book, data=b"\n".join(self.lines()[:3]))
        for form in ["jsonl", "tiles"]:
            self.must("export", "--as", form, self.directory / f"small-{form}")
        self.put("exports", "small",
                 (self.directory / "small-jsonl" / "entries.jsonl").read_bytes())
        self.put("tiles", "small", self.tiles(self.directory / "small-tiles"))

    @staticmethod
    def tiles(path):
        header = (path / "export.json").read_bytes().rstrip(b"\n")
        signed = json.loads(header)
        if "signed_head" in signed:
            # The file of the head beside it is no part of an input.
            del signed["signed_head"]
            header = json.dumps(signed, separators=(",", ":")).encode()
        tile = next((path / "tile" / "0").rglob("[0-9]*.p/*")).read_bytes()
        bundle = next((path / "tile" / "entries").rglob("[0-9]*.p/*")).read_bytes()
        count = len(tile) // 32
        return struct.pack("<BHH", count, len(header), len(tile)) + header + tile + bundle


def words():
    """Returns what JSON lines are made of, as libFuzzer's dictionaries have it."""
    schema = json.loads((REPOSITORY / "Schemas" / "event.v1.schema.json").read_bytes())
    found = set()

    def collect(value):
        if isinstance(value, dict):
            found.update(value.get("properties", {}))
            found.update(word for word in value.get("enum", []) if isinstance(word, str))
            if isinstance(value.get("const"), str):
                found.add(value["const"])
            for inner in value.values():
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)

    collect(schema)
    return "".join(f'"\\"{word}\\""\n' for word in sorted(found)
                   if word.isascii() and word.isprintable() and '"' not in word
                   and "\\" not in word)
