"""What a new user does in the page: records a trip, describes it, finds it and prints the log."""

import base64
import json
import subprocess
import time

from book import expect
from page_checks import check_console, check_requests
from page_views import shoot
from recorder_drive import Drive, drive_fixes, prepare
from recorder_pages import Recorder

PURPOSE = "Client visit"
VEHICLE = "Van"
PAINT = """return performance.getEntriesByType('paint')
    .find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null"""
IS_PRINTABLE = """const frame = document.querySelector('iframe.report');
    return Boolean(frame?.contentDocument)
        && document.querySelector('.report-holder [role=status]')?.textContent === ''"""


class Served:
    """What the recorder's page is told of the server: where it is."""

    def __init__(self, url):
        self.url = url


class Walk:
    """A walk through the page, from the link on the terminal to the log on paper."""

    def __init__(self, browser, terminal, steps, screenshots):
        self.browser = browser
        self.terminal = terminal
        self.steps = steps
        self.screenshots = screenshots
        self.page = None
        self.trip = None

    def enter(self, url, link):
        """Opens the link that was printed."""
        self.steps.note("browser started")
        expect(link.startswith(f"{url}/"), f"the link {link} is not of {url}")
        self.page = Recorder(self.browser, Served(url))
        self.page.shape(390, 844, False)
        prepare(self.browser)
        began = time.monotonic()
        self.browser.get(link)
        self.page.until(lambda: self.page.script(PAINT) is not None, "nothing is painted")
        self.steps.note("page: first paint", self.page.script(PAINT) / 1000)
        self.page.wait("now", ".welcome")
        self.steps.note("page: signed in, Home is there", time.monotonic() - began)
        self.shoot("now-empty")
        # With nothing recorded yet, Now has to say how to begin.
        self.page.press("main a[href='/record']")
        self.page.until(lambda: self.page.has("button.start"), "Record does not lead to the recorder")
        self.steps.note("recorder: GO is there")
        self.shoot("recorder")

    def record(self, count):
        """Drives with GO and STOP, and says what it was for."""
        page = self.page
        page.allow_location()
        fixes = drive_fixes(self.terminal.ledger)[:count]
        drive = Drive(page, fixes)
        # It ended a minute ago.
        drive.start = int(time.time()) * 1000 - (count + 60) * 1000
        began = time.monotonic()
        drive.go()
        drive.feed(0, 1)
        page.until(lambda: "1 position" in page.find(".positions").text, "the first position is not shown")
        self.steps.note("recorder: first position is shown", time.monotonic() - began)
        drive.feed(1, count)
        self.shoot("recording")
        page.set_clock(drive.at(count))
        page.press("button.end")
        page.until(lambda: page.has(".describe form"), "STOP asks for nothing")
        self.steps.note(f"recorder: {count} s driven, STOP")
        self.shoot("describe")
        purpose, vehicle = (page.find(f".describe form input{kind}") for kind in (":not([list])", "[list]"))
        purpose.send_keys(PURPOSE)
        page.script("""const [kind] = arguments; kind.value = 'business';
            kind.dispatchEvent(new Event('change', { bubbles: true }))""", page.find(".describe form select"))
        vehicle.send_keys(VEHICLE)
        page.press(".describe button.main")
        page.until(lambda: not page.has(".describe form"), "what the trip was for is not taken")
        page.drain()
        self.steps.note("recorder: described, all is stored")
        check_console(self.browser, "recording")
        self.judge(drive)

    def judge(self, drive):
        """Compares the trip with what was driven."""
        rows = [json.loads(row) for row in self.terminal.trips()]
        expect(len(rows) == 1, f"there are {len(rows)} trips")
        self.trip = rows[0]
        said = [self.trip.get(name) for name in ("purpose", "class", "vehicle")]
        expect(said == [PURPOSE, "business", VEHICLE], f"the trip says {said}")
        fixes = sum(self.trip["fixes"].values())
        expect(fixes == len(drive.fixes), f"the trip has {fixes} positions of {len(drive.fixes)}")

    def look(self):
        """Finds the trip in the list."""
        page = self.page
        page.press("nav a[href='/']")
        page.wait("now", ".card")
        page.press("nav a[href='#/trips']")
        began = time.monotonic()
        page.wait("trips", ".trip-row")
        row = page.find(".trip-row").text
        expect(PURPOSE in row and self.kilometers(1) in row, f"the list shows {row!r}")
        self.steps.note("page: the trip is in the list", time.monotonic() - began)
        self.shoot("trips")
        page.press(".trip-row a")
        page.wait("trip", ".map")
        self.steps.note("page: the trip is shown")
        self.shoot("trip")

    def kilometers(self, digits):
        return f"{self.trip['distance_m'] / 1000:.{digits}f}"

    def print_log(self):
        """Prints the mileage log, which is the first report."""
        page = self.page
        # On a telephone's screen it stands behind one button with others.
        page.press("#navigation button.rest")
        page.press("dialog a[href='#/reports']")
        began = time.monotonic()
        page.wait("reports", ".report-holder")
        page.until(lambda: page.script(IS_PRINTABLE), "the mileage log does not come")
        self.steps.note("page: the mileage log is shown", time.monotonic() - began)
        self.shoot("report")
        for link in page.browser.find_elements("css selector", ".report-holder a[download]"):
            status = page.script("return fetch(arguments[0]).then(({ status }) => status)",
                                 link.get_attribute("href"))
            expect(status == 200, f"{link.text} of the log is offered, and answers {status}")
        made = page.browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        document = base64.b64decode(made["data"])
        if self.screenshots:
            (self.screenshots / "log.pdf").write_bytes(document)
        text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, check=True,
                              capture_output=True).stdout.decode()
        wanted = (PURPOSE, self.kilometers(2), VEHICLE)
        missing = [words for words in wanted if words not in text]
        expect(not missing, f"the printed log has no {missing}:\n{text[:3000]}")
        self.steps.note("log printed")
        check_console(self.browser, "looking")
        check_requests(self.browser, page.origin, "looking")

    def shoot(self, name):
        shoot(self.page, self.screenshots, f"walk-{name}")
