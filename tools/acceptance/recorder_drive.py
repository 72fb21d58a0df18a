"""A drive of two hours that the page records through losses, a reload, a crash and a killed server."""

import json
import re
import time
from datetime import datetime
from zoneinfo import ZoneInfo

from book import Book, expect, join, simulate
from recorder_pages import CLOCK, Recorder

FIXES = 7200

# When the network goes and comes back, in fixes.
LOSSES = ((900, 1500), (2600, 3100), (4400, 4700))
RELOAD = 3400
CRASH = 5600
SERVER_DIES, SERVER_RETURNS = 3300, 3700


def drive_fixes(program):
    """Returns what a device tells at 1 Hz on a drive of two hours, as numbers of the browser."""
    lines = simulate(program, "bulk", "--drives", "1", "--fixes", str(FIXES), "--seed", "7")
    return [fix for fix in map(json.loads, lines) if fix["type"] == "fix_recorded"]


# The zone of the device's clock: behind the meridian, and by half an hour.
ZONE = "America/St_Johns"


def text_of(milliseconds):
    moment = datetime.fromtimestamp(milliseconds / 1000, ZoneInfo(ZONE))
    return moment.isoformat(timespec="milliseconds")


def prepare(browser):
    """Gives a tab the clock and the zone of the device."""
    browser.before(CLOCK)
    browser.put_in_zone(ZONE)


class Drive:
    """The drive, fed to the page fix by fix."""

    def __init__(self, page, fixes):
        self.page = page
        self.fixes = fixes
        # Ends before now: the server takes nothing of the future.
        self.start = int(time.time()) * 1000 - (FIXES + 600) * 1000

    def at(self, number):
        return self.start + (number + 1) * 1000

    def feed(self, first, last):
        """Tells the page fixes, each when the one before is noted in its database."""
        for number in range(first, last):
            noted = self.page.when_noted(number, self.at(number))
            if noted != number:
                expect(False, f"the page has noted {noted} of {number} positions")
                raise SystemExit("recorder: the drive cannot go on")
            self.tell(number)
        self.page.when_noted(last)

    def tell(self, number):
        fix = self.fixes[number]
        self.page.put_at(fix["lat"], fix["lon"], fix["accuracy"], altitude=fix["altitude"],
                         speed=fix["speed"], heading=fix["course"])

    def go(self):
        self.page.set_clock(self.start)
        self.page.find("button.start").click()
        self.page.until(lambda: self.page.has("button.end"), "GO begins no recording")

    def go_on(self, number):
        """Goes on with a drive whose page died after so many fixes."""
        if not self.page.until(lambda: self.page.has(".stage button.danger"),
                               "nothing asks what becomes of the drive"):
            raise SystemExit("recorder: the drive cannot go on")
        # The device tells its last position again: it is the same fix.
        self.page.set_clock(self.at(number - 1))
        self.tell(number - 1)
        self.page.find("button.start").click()
        self.page.until(lambda: self.page.has("button.end"), "the recording does not go on")
        self.page.when_noted(number)


def crash(page):
    """Has the process of the page die at once, as by a fault of the browser; returns a new tab's page."""
    browser = page.browser
    old = browser.current_window_handle
    browser.switch_to.new_window("tab")
    new = browser.current_window_handle
    browser.switch_to.window(old)
    expect(browser.crash(), "the page does not crash")
    browser.switch_to.window(new)
    prepare(browser)
    page = Recorder(browser, page.book)
    page.open()
    return page


def happenings_in(browser):
    """What happens to the drive, and after how many fixes, as far as the engine can have it happen."""
    found = [(SERVER_DIES, "kill"), (SERVER_RETURNS, "start")]
    if browser.can("network", "a drive that loses its network"):
        found += [*((first, "lose") for first, _ in LOSSES), *((last, "find") for _, last in LOSSES)]
    if browser.can("workers", "a reload while the server is away"):
        found.append((RELOAD, "reload"))
    else:
        # The server is there again.
        found.append((SERVER_RETURNS + 300, "reload"))
    if browser.can("crash", "a crash on the way"):
        found.append((CRASH, "crash"))
    return found


def record(browser, book, program, count):
    """Records the drive, with all that happens to it; returns it."""
    page = Recorder(browser, book)
    prepare(browser)
    page.allow_location()
    page.sign_in()
    drive = Drive(page, drive_fixes(program)[:count])
    happens = happenings_in(browser)
    share = count / FIXES
    happenings = sorted(
        (int(number * share), what) for number, what in happens)
    drive.go()
    done, found_at, receipts = 0, None, 0
    for number, what in [*happenings, (count, "end")]:
        drive.feed(done, number)
        done = number
        if found_at and number - found_at > 500:
            expect(drive.page.receipts() > receipts, f"with its network back at {found_at}, nothing was sent")
        found_at, receipts = (number if what == "find" else None), drive.page.receipts()
        print(f"{number} positions, {drive.page.receipts()} receipts, {drive.page.waiting()} waiting: {what}",
              flush=True)
        if what in ("lose", "find"):
            drive.page.put_offline(what == "lose")
        elif what == "kill":
            book.kill()
        elif what == "start":
            book.start()
        elif what == "reload":
            # The server is away: the worker has the page.
            browser.refresh()
            drive.go_on(number)
        elif what == "crash":
            drive.page = crash(drive.page)
            drive.go_on(number)
    drive.page.set_clock(drive.at(count))
    drive.page.find("button.end").click()
    drive.page.until(lambda: drive.page.has(".describe form"), "STOP asks for nothing")
    drive.page.drain()
    return drive


def strip(trips):
    """Everything about trips but when and where they were stored."""
    return re.sub(rb',"recorded":\{[^{}]*\}', b"", trips)


def compare(drive, book, program, directory):
    """Compares what the page recorded with the same fixes given to `ledger append`."""
    stored = drive.page.stored()
    numbers, source = stored["numbers"], stored["settings"]["source"]
    logged = book.recorded(source)
    fixes = [entry for entry in logged if entry["type"] == "fix_recorded"]
    told = [(text_of(drive.at(number)), fix["lat"], fix["lon"], fix["accuracy"])
            for number, fix in enumerate(drive.fixes)]
    found = [(fix["occurred_at"], fix["lat"], fix["lon"], fix["accuracy"]) for fix in fixes]
    expect(found == told, f"the ledger has {len(found)} fixes of {len(told)}, or others")
    ids = [entry["id"] for entry in logged]
    expect(len(set(ids)) == len(ids), "an id is in the ledger twice")
    sequences = [entry["sequence"] for entry in logged]
    expect(sequences == list(range(1, numbers["next"])), "the ledger has not every number once, in order")
    expect(numbers["stored"] == len(logged), f"{numbers['stored']} receipts for {len(logged)} events")
    expect(not stored["waiting"] and not stored["refused"], "something waits, or was refused")
    expect(stored["drive"] is None, "a drive goes on")
    other = Book(program, directory)
    lines = [{"type": "go_pressed", "source": source, "occurred_at": text_of(drive.start),
              "id": f"recorder:{numbers['device']}:1"}]
    for number, fix in enumerate(drive.fixes):
        lines.append({**fix, "source": source, "occurred_at": text_of(drive.at(number))})
        del lines[-1]["provider"]
    end = drive.at(len(drive.fixes))
    lines.append({"type": "stop_pressed", "source": source, "occurred_at": text_of(end)})
    other.append(join(json.dumps(line).encode() for line in lines))
    trips = [strip(one.trips()) for one in (book, other)]
    expect(trips[0].count(b"\n") == 1, f"there are {len(trips[0].splitlines())} trips")
    expect(trips[0] == trips[1], f"the trips differ:\n{trips[0].decode()}\n{trips[1].decode()}")
    book.expect_views_confirmed("recorded by the page")
    trip = json.loads(trips[0].splitlines()[0])
    others = [entry["type"] for entry in logged if entry["type"] != "fix_recorded"]
    print(f"{len(found)} fixes, each once; {numbers['stored']} receipts for {len(logged)} events "
          f"({', '.join(f'{name} {others.count(name)}' for name in dict.fromkeys(others))}); "
          f"trip {trip['id']}, {trip['distance_m'] / 1000:.3f} km as by `ledger append`")
    return trip
