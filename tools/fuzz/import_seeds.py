"""The inputs of formats of others that fuzzing starts from: a record or two of each, of our own making."""

import gzip
import io
import struct
import tarfile
import zipfile

TEXTS = {
    "cloudevents": [
        '{"specversion":"1.0","id":"7","source":"urn:ledger:source:a","type":"ledger.fix_recorded","time":'
        '"2024-03-01T07:00:00Z","data":{"lat":52.1,"lon":4.3}}\n[{"specversion":"1.0","data":{"type":"x"}}]',
    ],
    "owntracks": [
        '2024-03-01T07:00:00Z\t*                 \t{"_type":"location","tid":"jo","tst":1709276400,'
        '"lat":52.1,"lon":4.3,"acc":12,"vel":36,"cog":90,"motionactivities":["walking"]}\n'
        '2024-03-01T07:00:05Z\tlwt\t{"_type":"lwt"}\n',
    ],
    "overland": [
        '{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},'
        '"properties":{"timestamp":"2024-03-01T07:00:00-0700","speed":-1,"motion":["driving"],'
        '"device_id":"a"}},{"properties":{"type":"trip","mode":"car","start":"2024-03-01T07:00:00Z",'
        '"end":"2024-03-01T08:00:00Z"}}],"current":{}}',
    ],
    "google": [
        '{"locations":[{"timestampMs":"1709276400123","latitudeE7":521000000,"longitudeE7":4294967246,'
        '"activity":[{"timestamp":"2024-03-01T07:00:04Z","activity":[{"type":"STILL",'
        '"confidence":20}]}],"source":"GPS"}]}',
        '{"rawSignals":[{"position":{"LatLng":"52.1°, 4.3°","accuracyMeters":9,"timestamp":'
        '"2024-03-01T07:00:00Z"}},{"activityRecord":{"probableActivities":[{"type":"STILL","confidence":'
        '0.9}],"timestamp":"2024-03-01T07:00:01Z"}}],"timelineEdits":[{"deviceId":"7","rawSignal":{'
        '"signal":{"position":{"point":{"latE7":521,"lngE7":-43},"accuracyMm":9}}}}]}',
    ],
    "geojson": [
        '{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[4.3,52.1,7]},'
        '"properties":{"time":1709276400,"speed_kmh":36}},{"geometry":{"type":"LineString","coordinates":'
        '[[4.3,52.1]]},"properties":{"coordTimes":["2024-03-01T07:00:00Z"],"speed":[1]}}]}',
    ],
    "gpx": [
        '<?xml version="1.0"?><gpx><wpt lat="1" lon="1"/><trk><trkseg><trkpt lat="52.1" lon="+.3">'
        '<ele>3</ele><time>2024-03-01T07:00:00.5Z</time><x:speed>1</x:speed></trkpt></trkseg></trk></gpx>',
    ],
    "kml": [
        '<kml><Placemark><TimeStamp><when>2024-03-01T07:00:00Z</when></TimeStamp><Point><coordinates>'
        '4.3,52.1,7</coordinates></Point></Placemark><gx:Track><when>2024-03-01T07:00:01Z</when><when/>'
        '<gx:coord>4.3 52.1 7</gx:coord><gx:coord/></gx:Track><LineString/></kml>',
    ],
    "tcx": [
        '<TrainingCenterDatabase><Courses><Trackpoint/></Courses><Trackpoint><Time>2024-03-01T07:00:00Z'
        '</Time><Position><LatitudeDegrees>52.1</LatitudeDegrees><LongitudeDegrees>4.3</LongitudeDegrees>'
        '</Position><Speed>3</Speed></Trackpoint></TrainingCenterDatabase>',
    ],
    "nmea": [
        '$GPGGA,235958.50,5206.000,N,00418.000,E,1,08,1.0,3.5,M,,M,,\n'
        '$GPRMC,000001,A,5206.000,N,00418.000,E,019.44,359.9,010324,,,A*00\n$GPZDA,000002,02,03,2024,,\n',
    ],
    "traccar": [
        '[{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","valid":true,"latitude":52.1,"longitude":4.3,'
        '"speed":10.8,"accuracy":0.0,"attributes":{"ignition":true}},{"deviceId":3,"outdated":true}]',
        'id,deviceId,protocol,fixTime,valid,latitude,longitude,speed,address,accuracy,ignition\n'
        '1,3,h02,2024-03-01T07:00:00Z,true,52.1,4.3,10.8,1 High Street, Town,0.0,true\n',
    ],
    "osmand": [
        'GET /?id=a%20b&timestamp=1709276400&lat=52.1&lon=4.3&speed=10.8&bearing=90 HTTP/1.1\n'
        '?deviceid=b&location=52.2,4.4&timestamp=1709276405000&valid=false\n',
        '{"location":{"timestamp":1709276400000,"coords":{"latitude":52.1,"longitude":4.3,"speed":-1},'
        '"mock":true,"activity":{"type":"in_vehicle"}},"device_id":"a"}',
    ],
    "mileiq": [
        'Totals,,1\nSTART_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,PARKING,TOLLS,VEHICLE,PURPOSE,NOTES\n'
        '01/31/2024 08:05,1/31/2024 8:45 AM,Business,"Main St, Town",\'=B,12.5,$2.50,0,Van,Visit,"a ""b"""\n'
        'Totals,,,,,=SUM(F2:F3)\n',
    ],
    "everlance": [
        'Miles,From,To,Date,Purpose,Time Started,Time Ended,Time Zone\n'
        '3.5,A,B,2024-01-31,Work,08:57 AM,09:10 PM,Pacific Time (US & Canada)\n1,A,B,2024-01-31,,,,\n',
    ],
    "driversnote": [
        'Driversnote\nDate;Start time;End time;From;Distance (km)\n31.1.2024;08:05;08:45;A;3,5\n',
        'driversnote\nDate,Start time,Miles\n2/3/2024,08:00,1\n',
        'Driversnote report\nDate;Start time;End time;From;Distance (km)\n'
        '2024-01-31;08:05;08:45;Main St;12,5\n',
    ],
    "teslamate": [
        'id,start_date,end_date,start_km,end_km,distance,car_id\n'
        '1,2024-03-01 07:00:00.5,2024-03-01 07:30:00,12345.6,12367.1,21.5,1\n2,2024-03-01 08:00:00,,,,,1\n',
        'date,latitude,longitude,elevation,speed,car_id\n2024-03-01 07:00:00,52.1,4.3,3,36,1\n',
        'id,date,latitude,longitude,speed,power,odometer,car_id,drive_id,elevation\n'
        '7,2024-03-01 07:00:00.000000,52.1,4.3,36.0,,12345.6,1,3,\n',
        'id,start_date,end_date,start_km,end_km,distance,duration_min,start_address,end_address\n'
        '7,2024-03-01 07:00:00,2024-03-01 08:00:00,100.5,142.75,42.25,60,Main St,High St\n',
    ],
    "dawarich": [
        '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":'
        '["4.3","52.1"]},"properties":{"tracker_id":"a","timestamp":1709276400,"velocity":"1.5","accuracy":8}}]}',
        '{"counts":{"points":1},"areas":[{}],"points":[{"timestamp":1709276400,"lonlat":"POINT(4.3 52.1)"}]}',
        '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":'
        '[4.3,52.1]},"properties":{"tracker_id":"van","velocity":"10","timestamp":1709276400,"accuracy":9,'
        '"altitude":null,"inrids":[]}}]}',
    ],
    "csv": [
        'time;lat;lon;speed_kmh;accuracy\n2024-03-01 07:00:00,5 +0100;52,1;4,3;36;"8"\n1709276400;1;2;;\n',
    ],
    "gpsd": [
        '{"class":"VERSION","release":"3.22"}\n{"class":"DEVICE","path":"/dev/ttyUSB0"}\n'
        '{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,'
        '"altHAE":43.1,"track":90.5,"speed":10.8,"eph":8.2}\n{"class":"TPV","mode":1}\n{"class":"SKY"}\n',
    ],
    "homeassistant": [
        '[[{"entity_id":"device_tracker.phone","state":"not_home","attributes":{"latitude":52.1,"longitude":4.3,'
        '"gps_accuracy":8,"altitude":3.5,"speed":10,"course":90},"last_changed":"2024-03-01T07:00:00.123456+00:00",'
        '"last_updated":"2024-03-01T07:00:00+00:00"},{"state":"home","last_changed":"2024-03-01T07:05:00+00:00"}]]',
        '{"entity_id":"person.anna","s":"home","a":{"latitude":1,"longitude":2},"lc":1709276400.5,"lu":1709276460}',
    ],
    "gpslogger": [
        'time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop\n'
        '2024-03-01T07:00:00.000Z,52.1,4.3,3.5,8.0,90.1,10.0,7,gps,0.9\n2024-03-01T07:00:05Z,1,2,,,,,,,\n',
    ],
}

# A FIT file: a definition of a record with a timestamp, a position and a speed, and two of them; the second
# has a short time.
MESSAGES = (bytes([0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 6, 2, 0x84])
            + b"\x00" + struct.pack("<IiiH", 1_078_210_800, 0x20000000, -0x40000000, 1_234)
            + b"\x85" + struct.pack("<IiiH", 0xFFFFFFFF, 0x20000000, -0x40000000, 0xFFFF))
FIT = struct.pack("<BBHI4s", 12, 16, 100, len(MESSAGES), b".FIT") + MESSAGES + b"\0\0"

# The files in these containers.
FILES = {"d/track.gpx": b"<gpx><trk/></gpx>" * 4, "empty": b"", "\u00e9.json": b'{"locations":[]}'}


def of_formats():
    """Returns the seeds of each format."""
    texts = {name: [text.encode() for text in of_name] for name, of_name in TEXTS.items()}
    return {**texts, "fit": [FIT, FIT + FIT]}


def of_maps(folder):
    """Returns maps of columns, each with a table: between them is a zero byte."""
    tables = [text.encode() for name in ("csv", "mileiq", "teslamate") for text in TEXTS[name]]
    tables.append(b"240131\t080500\t52.1\tN\t4.3\tE\n")
    maps = [path.read_bytes() for path in sorted(folder.glob("*.json"))]
    return [column_map + b"\0" + table for column_map in maps for table in tables]


def of_archives():
    """Returns the seeds of each form of containers."""
    members = [gzip.compress(content, mtime=0) for content in FILES.values()]
    return {
        "gzip": [*members, b"".join(members)],
        "zip": [zipped(zipfile.ZIP_STORED), zipped(zipfile.ZIP_DEFLATED), streamed_zip()],
        "tar": [tarred(tarfile.USTAR_FORMAT), tarred(tarfile.PAX_FORMAT), tarred(tarfile.GNU_FORMAT)],
    }


def zipped(method):
    buffer = io.BytesIO()
    write_zip(buffer, method)
    return buffer.getvalue()


class Pipe(io.RawIOBase):
    """A stream that cannot go back, so that sizes stand behind the files."""

    def __init__(self):
        self.bytes = b""

    def writable(self):
        return True

    def write(self, content):
        self.bytes += bytes(content)
        return len(content)


def streamed_zip():
    pipe = Pipe()
    write_zip(pipe, zipfile.ZIP_DEFLATED)
    return pipe.bytes


def write_zip(output, method):
    with zipfile.ZipFile(output, "w", method) as archive:
        for name, content in FILES.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)


def tarred(form):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, content in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    # Leaves out the filling of the last record: two blocks of zeros are the end.
    blocks = -(-len(buffer.getvalue().rstrip(b"\0")) // tarfile.BLOCKSIZE)
    return buffer.getvalue()[:(blocks + 2) * tarfile.BLOCKSIZE]
