"""Prints Trips, Trip, Totals and Day as PDF, and reads them sheet by sheet."""

import subprocess
import tempfile
from pathlib import Path

from book import expect
from page_desk import DAY
from page_views import READ

QUERY = "from=2025-02-01&to=2025-04-30"
TIMES = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
# Nothing goes to a printer: what would go there is noted, and printed to a file. The list keeps its rows for the
# print alone.
NO_PRINTER = """window.print = () => { window.printed =
    [...document.querySelectorAll('.trip-row .times')].map((one) => one.innerText); }"""
PRESS_PRINT = """[...document.querySelectorAll('main .tools button')]
    .find((one) => one.textContent === 'Print').click()"""
LISTED = f"return fetch('/v1/trips?limit=1000&{QUERY}').then((answer) => answer.json()).then(({{ items }}) => items)"
UNITS = "return fetch('/v1/status').then((answer) => answer.json()).then(({ units }) => units)"
BUTTONS = ("Split the trip here", "Undo", "Open the settings")


def sheets(document, in_rows=False):
    """The text of each sheet of a PDF document: block by block, or row by row as it lies on paper."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "printed.pdf"
        path.write_bytes(document)
        command = ["pdftotext", *(["-layout"] if in_rows else []), path, "-"]
        text = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    # Each sheet ends with a form feed.
    return text.split("\f")[:-1]


def tight(text):
    """A text without its white space: paper breaks lines elsewhere."""
    return "".join(text.split())


def printed(page, name, directory):
    """Prints the view that is shown on A4; returns its sheets, none of which is blank."""
    document = page.browser.paper(21, 29.7)
    if directory:
        (directory / f"{name}-{page.browser.engine}.pdf").write_bytes(document)
    found = sheets(document)
    blank = [number for number, text in enumerate(found, 1) if not text.strip()]
    expect(found and not blank, f"{name} on paper: of {len(found)} sheets these are blank: {blank}")
    for number, text in enumerate(found, 1):
        seen = [word for word in BUTTONS if word in text]
        expect(not seen, f"{name} on paper: sheet {number} has the buttons {seen}")
    print(f"{page.browser.engine}: {name} on {len(found)} sheets of A4")
    return found


def check_prints(page, directory=None):
    if not page.browser.can("paper", "prints of Trips, Trip, Totals and Day"):
        return
    page.shape(1280, 800, False)
    print_trips(page, directory)
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    print_trip(page, trip, directory)
    print_totals(page, directory)
    print_day(page, trip, directory)


def print_trips(page, directory):
    """Every trip of the filters is on paper once, though the list shows the first of them only."""
    page.go(f"trips?{QUERY}", ".trip-row")
    page.script(NO_PRINTER)
    page.script(PRESS_PRINT)
    page.until(lambda: page.script("return Boolean(window.printed)"), "Print prints nothing")
    wanted = [tight(one) for one in page.script("return window.printed ?? []")]
    found = [tight(text) for text in printed(page, "Trips", directory)]
    whole = "".join(found)
    missing = [one for one in set(wanted) if whole.count(one) < wanted.count(one)]
    expect(len(wanted) > 100 and not missing,
           f"Trips on paper: of {len(wanted)} trips these are missing: {missing[:5]}")
    # Above them stands which they are, and what they add up to.
    listed = page.script(LISTED)
    meters = sum(trip.get("adjusted_distance_m") or trip["distance_m"] for trip in listed)
    unit = 1000 if page.script(UNITS) == "km" else 1609.344
    days = " – ".join(page.script(DAY, day) for day in ("2025-02-01", "2025-04-30"))
    for words in ("Period", days, "All", f"{len(listed):,}", f"{meters / unit:,.0f}"):
        expect(tight(words) in found[0], f"Trips on paper: the first sheet does not say {words}")
    for number, text in enumerate(found, 1):
        expect(any(one in text for one in wanted), f"Trips on paper: sheet {number} has no trip")


def print_trip(page, trip, directory):
    """A trip has its words on paper, the whole of a long purpose among them."""
    page.go(f"trip/{trip}", ".details form")
    words = "A purpose that no control is wide enough for, though paper has the room for all of its words"
    page.script("""const input = document.querySelector('.details form input'); input.value = arguments[0];
        window.dispatchEvent(new Event('beforeprint'))""", words)
    found = printed(page, "Trip", directory)
    expect(tight(words) in tight("".join(found)), "Trip on paper: its purpose is cut")
    expect(len(found) <= 4, f"a trip takes {len(found)} sheets")
    page.script("document.querySelector('.details form input').value = ''")


def print_totals(page, directory):
    """Each line of the table of totals is on paper."""
    page.go("totals", "table")
    rows = page.script("""return [...document.querySelectorAll('main table tbody th, main table tbody td:first-child')]
        .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())""")
    text = tight("".join(printed(page, "Totals", directory)))
    missing = [row for row in rows if tight(row) not in text]
    expect(rows and not missing, f"Totals on paper: these lines are missing: {missing[:5]}")


def print_day(page, trip, directory):
    """A day has all of its trips on two sheets at most."""
    day = page.script(READ, trip)["started_at"][:10]
    page.go(f"day/{day}", ".day-list li")
    times = page.script(TIMES, ".day-list .of-trip .times")
    found = printed(page, "Day", directory)
    missing = [one for one in times if tight(one) not in tight("".join(found))]
    expect(times and not missing, f"Day on paper: these trips are missing: {missing}")
    expect(len(found) <= 2, f"a day takes {len(found)} sheets")
