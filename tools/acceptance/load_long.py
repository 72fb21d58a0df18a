"""One trip of very many positions: how soon the server tells of it, and how soon the page shows it."""

import http.client
import json
import math
import tempfile
import time
from contextlib import contextmanager
from urllib.parse import urlparse

from book import Book, expect
from page_served import serve

SOURCE, START = "long", 1_741_000_000
# Seconds for what is shown first, and for what was made already.
MOST_FIRST, MOST_AGAIN = 0.5, 0.3
# The server makes the line of a long trip by itself, soon after it has begun.
SECONDS_TO_PREPARE = 10
# Degrees, and metres a second.
RADIUS, SPEED, DEGREE = 0.3, 15, 111_195
CARD = "document.querySelector('.summary .figures') !== null"
WAY = "document.querySelector('.chart') !== null"


def drive(count):
    """A drive in circles, from GO to STOP, with a position each second."""
    def line(members, second):
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + second))
        return f'{{{members},"source":"{SOURCE}","occurred_at":"{at}"}}\n'

    yield line('"type":"go_pressed"', 0)
    for second in range(1, count + 1):
        angle = second * SPEED / (RADIUS * DEGREE)
        latitude = 52 + RADIUS * math.sin(angle)
        longitude = 5 + RADIUS * math.cos(angle) / math.cos(math.radians(52))
        yield line(f'"type":"fix_recorded","lat":{latitude:.7f},"lon":{longitude:.7f},"accuracy":6,"speed":{SPEED}',
                   second)
    yield line('"type":"stop_pressed"', count + 1)


@contextmanager
def one_long_trip(program, count):
    """Serves a ledger with one trip; gives the server and the trip."""
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        told = book.append("".join(drive(count)).encode())
        expect(told["appended"] == count + 2, f"of {count + 2} events {told['appended']} were taken")
        trips = book.rows()
        expect(len(trips) == 1, f"the drive is {len(trips)} trips")
        with serve(book, "--reads-per-minute", "0") as served:
            yield served, trips[0]["id"]


class Reader:
    """A program that reads from the server."""

    def __init__(self, served):
        made = served.book.run("token", "new", "reader", "--scope", "read", "--format", "json")
        self.headers = {"Authorization": f"Bearer {json.loads(made.stdout)['token']}"}
        self.place = urlparse(served.origin)

    def get(self, path):
        """Returns the answer, and how many seconds it took."""
        connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=600)
        begun = time.monotonic()
        connection.request("GET", path, headers=self.headers)
        answer = connection.getresponse()
        body = answer.read()
        seconds = time.monotonic() - begun
        connection.close()
        expect(answer.status == 200, f"{path}: {answer.status}")
        return body, seconds


def tell(what, seconds, most=None):
    print(f"  {what}: {seconds:.3f} s", flush=True)
    if most is not None:
        expect(seconds <= most, f"{what} takes {seconds:.3f} s, and may take {most} s")


def check_server(served, trip):
    """What the page asks for: at once, when the line was made, and again."""
    reader = Reader(served)
    path = f"/v1/trips/{trip}"
    first, seconds = reader.get(f"{path}/track?max=2000")
    tell("the way before the server has made it", seconds)
    tell("the trip", reader.get(path)[1], MOST_FIRST)
    time.sleep(SECONDS_TO_PREPARE)
    again, seconds = reader.get(f"{path}/track?max=2000")
    tell("the way again", seconds, MOST_AGAIN)
    expect(again == first, "the way is another one the second time")
    anew, seconds = reader.get(f"{path}/track?max=2001")
    tell("the way with a point more, which nothing is kept of", seconds)
    counts = [json.loads(line)["properties"]["point_count"] for line in (again, anew)]
    expect(counts[0] == counts[1], f"the way has {counts[0]} points, and anew {counts[1]}")
    tell("what can be decided", reader.get(f"{path}/options")[1])
    tell("what can be decided, again", reader.get(f"{path}/options")[1], MOST_AGAIN)
    tell("the roads", reader.get("/v1/roads")[1])


def check_page(browser, served, trip):
    """From the press on the trip to its card, and to its way."""
    page = browser.open(served.link("browser"), "")
    page.until("document.querySelector('main')?.childElementCount > 0", "the first view")
    time.sleep(2)
    script = f"""new Promise((resolve) => {{
        const begun = performance.now();
        const told = {{}};
        const look = () => {{
            if (!told.card && {CARD}) told.card = performance.now() - begun;
            if (!told.way && {WAY}) told.way = performance.now() - begun;
            if (told.card && told.way || performance.now() - begun > 60000) resolve(told);
            else requestAnimationFrame(look);
        }};
        location.hash = '#/trip/{trip}';
        look();
    }})"""
    told = page.script(script)
    for part in ("card", "way"):
        expect(part in told, f"the page does not show the {part} of the trip")
        tell(f"the page shows the {part}", told.get(part, 60_000) / 1000, MOST_FIRST)


def check_long(browser, program, count):
    with one_long_trip(program, count) as (served, trip):
        check_server(served, trip)
        check_page(browser, served, trip)
