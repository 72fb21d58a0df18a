"""Phones as they are set up: seven apps with their rules of sending again, faults and changed modes,
a simulated year as each app records it, and a phone that scans its code and drives 12 km."""

import base64
import http.client
import json
import os
import random
import signal
import subprocess
import threading
import time
import urllib.parse
from datetime import datetime

from book import Book, expect
from serving import Served

# How many positions all phones deliver together.
DELIVERIES = 100_000

# How often the server is killed meanwhile.
KILLS = 20

# How many days are simulated.
DAYS = 365

# Metres of a degree of latitude.
DEGREE = 111_000


def check(served, directory, arguments):
    print("\nphones as they are set up\n", flush=True)
    year(served, directory)
    scan(served)
    faults(served, directory)


# A year, thinned as apps record it.

def significant_android(fixes):
    """Every 15 minutes at most, and after 500 m."""
    return thinned(fixes, 900, 500, both=True)


def significant_ios(fixes):
    """After 500 m, and every 5 minutes at most."""
    return thinned(fixes, 300, 500, both=True)


def move_android(fixes):
    return thinned(fixes, 5, 0)


def move_ios(fixes):
    """After 10 m or a minute."""
    return thinned(fixes, 60, 10)


HABITS = [
    ("OwnTracks for Android, Significant", significant_android, None),
    ("OwnTracks for iOS, Significant", significant_ios, None),
    ("OwnTracks for Android, as it is set up", move_android, 0.98),
    ("OwnTracks for iOS, as it is set up", move_ios, 0.98),
]


def thinned(fixes, seconds, meters, both=False):
    """Leaves fixes that come after a time or a way; after both of them if so said."""
    kept = []
    for fix in fixes:
        if kept:
            elapsed = fix["tst"] - kept[-1]["tst"]
            north = (fix["lat"] - kept[-1]["lat"]) * DEGREE
            east = (fix["lon"] - kept[-1]["lon"]) * DEGREE * 0.62
            way = (north * north + east * east) ** 0.5
            # What is looked at anew each time comes a little early or late.
            long, far = elapsed >= seconds - 0.5, way >= meters
            if not ((long and far) if both else (long or (meters > 0 and far))):
                continue
        kept.append(fix)
    return kept


def simulated_year(program, directory):
    """Returns the fixes of a driver's phone, and the metres that it recorded with its presses."""
    data = subprocess.run(
        [program, "simulate", "driver", "--days", str(DAYS), "--seed", "4"], check=True,
        capture_output=True).stdout
    whole = Book(program, directory)
    whole.append(data)
    trips = whole.run("trips", "--all", "--format", "json").stdout.splitlines()
    driven = sum(json.loads(line)["distance_m"] for line in trips)
    lines = data.splitlines()
    fixes = []
    for event in map(json.loads, lines):
        if event["type"] == "fix_recorded":
            second = datetime.fromisoformat(event["occurred_at"]).timestamp()
            fix = {"_type": "location", "tst": int(second), "lat": event["lat"], "lon": event["lon"]}
            fixes.append(fix | ({"acc": round(event["accuracy"])} if "accuracy" in event else {}))
    return fixes, driven


def trips_of(served, source):
    """Returns the trips of a source."""
    lines = served.ledger("trips", "--all", "--format", "json").splitlines()
    return [trip for trip in map(json.loads, lines) if trip["source"] == source]


def year(served, directory):
    """What of a year's kilometres is left of each way to record; no command but for the token."""
    fixes, driven = simulated_year(served.program, directory)
    print(f"a year of {driven / 1000:,.0f} km, {len(fixes):,} positions every 5 s")
    for number, (name, habit, least) in enumerate(HABITS):
        source = f"year-{number}"
        token = served.new_token(source, "ingest")
        kept = habit(fixes)
        for start in range(0, len(kept), 1000):
            status, _ = served.ask(
                f"/in/{token}/owntracks", "Content-Type: application/json", method="POST",
                body=json.dumps(kept[start:start + 1000]).encode(), token=False)
            expect(status == 200, f"{name}: a delivery is answered {status}")
        meters = sum(row["distance_m"] for row in trips_of(served, source))
        share = meters / driven
        print(f"{name:<42} {len(kept):>8,} positions {meters / 1000:>9,.0f} km {share:>7.1%}")
        expect(least is None or least <= share <= 1.02, f"{name}: {share:.1%} of the kilometres")


# A phone that scans the code.

class Scanned:
    """A phone that was set up by the link of the page, as the app reads it."""

    def __init__(self, served, name):
        self.served, self.name = served, name
        body = json.dumps({"name": name, "app": "owntracks", "url": served.url}).encode()
        status, answer = served.ask(
            "/v1/devices", "Content-Type: application/json", method="POST", body=body)
        expect(status == 200, f"a phone is set up: {status}")
        setup = json.loads(base64.b64decode(json.loads(answer)["link"].partition("inline=")[2]))
        expect(setup.get("monitoring") == 2, "it is set up to lose no kilometres")
        self.path = urllib.parse.urlsplit(setup["url"]).path
        login = f"{setup['username']}:{setup['password']}".encode()
        self.login = f"Authorization: Basic {base64.b64encode(login).decode()}"

    def deliver(self, second, meters):
        fix = {"_type": "location", "lat": 51.9 + meters / DEGREE, "lon": 4.3, "acc": 5,
               "tst": int(second), "m": 2}
        status, answer = self.served.ask(
            self.path, "Content-Type: application/json", self.login, method="POST",
            body=json.dumps(fix).encode(), token=False)
        expect((status, answer) == (200, b"[]"), f"the phone is answered {status} {answer}")

    def trip(self):
        """Returns the trip that the page shows as running, if any."""
        sources = json.loads(self.served.ask(f"/v1/status?source={self.name}")[1])["sources"]
        return sources[0]["trip"] if sources and "started_at" in sources[0] else None


def scan(served):
    """Two phones drive 12 km, one of them until now: no command is typed."""
    driving = Scanned(served, "driving")
    begin = time.time() - 860
    for second in range(0, 60, 10):
        driving.deliver(begin - 60 + second, 0)
    started = None
    for second in range(0, 860, 5):
        sent = time.monotonic()
        driving.deliver(begin + second, second * 14)
        if started is None and driving.trip():
            started = second
            expect(time.monotonic() - sent < 10, "the page shows the trip within 10 s of the fix")
    expect(started is not None and started <= 90, f"a trip runs {started} s after it began")
    expect(driving.trip(), "the page shows that it runs")
    parked = Scanned(served, "parked")
    begin -= 7200
    for second in range(0, 3600, 10):
        parked.deliver(begin + second, min(max(second - 60, 0), 857) * 14)
    expect(not parked.trip(), "the trip is over")
    trips = trips_of(served, "parked")
    meters = [trip["distance_m"] for trip in trips]
    expect(len(trips) == 1 and abs(meters[0] - 12_000) < 300, f"one trip of 12 km: {meters}")
    rest = [datetime.fromisoformat(trip["ended_at"]).timestamp() - begin - 917 for trip in trips]
    expect(all(abs(seconds) < 60 for seconds in rest), f"it ends where it parked: {rest}")
    print(f"scanned: a trip {started} s after it began; {meters} m, over {rest} s after it parked")
    items = json.loads(served.ask("/v1/devices?limit=1000")[1])["items"]
    for name in ("driving", "parked"):
        item = next(item for item in items if item["token"] == name)
        expect(item.get("adopted_preset") == "history", "the rules are the ledger's own")
        expect((item.get("recording") or {}).get("verdict") == "good", "it says that this will do")


# Seven apps with faults.

class Phone:
    """An app with a queue: what it sends, how much of it at a time, and what it takes for stored."""

    def __init__(self, name, token, door, batch, encode):
        self.name, self.token, self.door, self.batch, self.encode = name, token, door, batch, encode
        self.queue, self.recorded = [], []
        self.mode = 5
        # Long enough ago for the last of them to lie in the past: what has not happened yet is refused.
        self.clock = 1_763_623_860
        self.requests = 0

    def record(self, count, random_numbers):
        """Records some positions; now and then its mode changes, and with it how often it does."""
        for _ in range(count):
            if random_numbers.random() < 0.01:
                self.mode = random_numbers.choice((1, 5, 30, 900))
            self.clock += self.mode
            self.recorded.append(self.clock)
            self.queue.append(self.clock)

    def deliver(self, port):
        """Sends what waits, head first, and leaves it there unless it was answered 2xx.

        Returns whether nothing waits any more.
        """
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            while self.queue:
                some = self.queue[:self.batch]
                method, path, body, kind = self.encode(self, some)
                self.requests += 1
                connection.request(method, path, body, {"Content-Type": kind})
                answer = connection.getresponse()
                answer.read()
                if not 200 <= answer.status < 300:
                    time.sleep(0.05)
                    continue
                del self.queue[:len(some)]
            return True
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def place(second):
    """Every second has a place of its own."""
    return 51 + second % 90_000 / 100_000, 4.3


def owntracks(phone, some):
    messages = [{"_type": "location", "lat": place(s)[0], "lon": 4.3, "acc": 5, "tst": s} for s in some]
    return ("POST", f"/in/{phone.token}/owntracks", json.dumps(messages[0]), "application/json")


def overland(phone, some):
    features = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [4.3, place(s)[0]]},
                 "properties": {"timestamp": datetime.fromtimestamp(s).astimezone().isoformat(),
                                "motion": ["driving"]}} for s in some]
    return ("POST", f"/in/{phone.token}/overland", json.dumps({"locations": features}),
            "application/json")


def gpslogger(phone, some):
    method, _, body, kind = overland(phone, some)
    return method, f"/api/v1/overland/batches?api_key={phone.token}", body, kind


def traccar(phone, some):
    latitude, longitude = place(some[0])
    form = f"id=phone&lat={latitude}&lon={longitude}&timestamp={some[0]}&accuracy=5&speed=20"
    return ("POST", f"/in/{phone.token}/osmand", form, "application/x-www-form-urlencoded")


def osmand(phone, some):
    latitude, longitude = place(some[0])
    query = f"lat={latitude}&lon={longitude}&timestamp={some[0] * 1000}&accuracy=5"
    return ("GET", f"/in/{phone.token}/osmand?{query}", None, "text/plain")


def colota(phone, some):
    message = {"lat": place(some[0])[0], "lon": 4.3, "acc": 5, "tst": some[0], "vel": 10}
    return ("POST", f"/in/{phone.token}/colota", json.dumps(message), "application/json")


def homeassistant(phone, some):
    message = {"timestamp": some[0], "battery": {"level": 80},
               "location": {"latitude": place(some[0])[0], "longitude": 4.3, "accuracy": 5}}
    return ("POST", f"/in/{phone.token}/homeassistant", json.dumps(message), "application/json")


APPS = [
    ("owntracks", 1, owntracks), ("overland", 50, overland), ("gpslogger", 10, gpslogger),
    ("traccar", 1, traccar), ("osmand", 1, osmand), ("colota", 1, colota),
    ("homeassistant", 1, homeassistant),
]


def faults(served, directory):
    """All of them deliver while the server is killed and started again."""
    seed = random.randrange(1 << 31)
    print(f"{DELIVERIES:,} positions of {len(APPS)} apps, {KILLS} kills, seed {seed}", flush=True)
    numbers = random.Random(seed)
    book = Served.__new__(Served)
    book.__dict__.update(served.__dict__)
    book.path = os.path.join(directory, "faults")
    book.ledger("init", "--time-zone", "Europe/Amsterdam")
    phones = [Phone(name, book.new_token(name, "ingest"), name, batch, encode)
              for name, batch, encode in APPS]
    each = -(-DELIVERIES // len(phones) // (KILLS + 1))
    for round_number in range(KILLS + 1):
        is_last = round_number == KILLS
        process, port = start(book)
        threads = []
        for phone in phones:
            phone.record(each, numbers)
            threads.append(threading.Thread(target=until_done if is_last else Phone.deliver,
                                            args=(phone, port)))
        for thread in threads:
            thread.start()
        if not is_last:
            time.sleep(numbers.uniform(0.2, 3))
            process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join()
        if is_last:
            process.send_signal(signal.SIGTERM)
        process.wait()
    stored = {phone.name: [] for phone in phones}
    for event in map(json.loads, book.ledger("log", "--format", "json").splitlines()):
        if event.get("type") == "fix_recorded":
            second = datetime.fromisoformat(event["occurred_at"]).timestamp()
            stored[event["source"]].append(int(second))
    for phone in phones:
        times = stored[phone.name]
        lost = set(phone.recorded) - set(times)
        expect(not phone.queue and not lost, f"{phone.name}: {len(lost)} lost, seed {seed}")
        expect(len(times) == len(set(times)), f"{phone.name}: some are doubled, seed {seed}")
        print(f"{phone.name:<14} {len(phone.recorded):>7,} recorded {phone.requests:>7,} requests")
    sound = subprocess.run([book.program, "verify", "--ledger", book.path], capture_output=True,
                           env=book.environment)
    expect(sound.returncode == 0, "the ledger is sound after the kills")


def until_done(phone, port):
    while not phone.deliver(port):
        time.sleep(0.1)


def start(book):
    """Serves a ledger; returns the process and its port."""
    process = subprocess.Popen(
        [book.program, "--ledger", book.path, "serve", "--port", "0"], stdout=subprocess.PIPE,
        text=True, env=book.environment)
    line = process.stdout.readline()
    return process, int(line.split("127.0.0.1:")[1].split(".")[0])
