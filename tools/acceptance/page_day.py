"""Names places where their names are missed, makes a routine of a decision, and goes through days.

The ledger has no places: every trip goes from one position to another. The stops that come most often are
named from their list, an end of a trip in its view, a stay in its day. What was said about one trip holds for
all of its way then; the inbox says which those are, and takes it back. Days are reached from the heat map by
keys; one is driven again with the pointer, left for its neighbours and printed. On a telephone a trip that
waits takes 90 pixels.
"""

import tempfile

from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from book import Book, expect, simulate
import page_prints
from page_browser import browser
from page_checks import check_console, check_page, check_requests
from page_inbox import COUNTED, ROWS
from page_places import READ as PLACE
from page_served import serve
from page_views import READ, Page

FIRST_DAY, DAYS = "2025-03-01", "40"
PLACES = """return fetch('/v1/places?limit=500').then((answer) => answer.json())
    .then(({ items }) => items.map(({ place }) => place))"""
STOPS = "return fetch('/v1/stops?limit=500').then((answer) => answer.json()).then(({ items }) => items)"
TRIPS = """const [query] = arguments; return fetch(`/v1/trips?limit=500${query}`)
    .then((answer) => answer.json()).then(({ items }) => items)"""
DECISION = """return fetch('/v1/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(arguments[0]) }).then((answer) => answer.status)"""
# One drive, as the telephones of two people in one car record it.
TWINS = """const at = (seconds) => new Date(Date.parse('2025-05-06T09:00:00Z') + 1000 * seconds).toISOString();
    const events = ['one-phone', 'other-phone'].flatMap((source) => {
        const event = (type, seconds, members) => ({ type, source, occurred_at: at(seconds), ...members });
        return [event('go_pressed', 0, { vehicle: 'Shared car' }), ...Array.from({ length: 120 }, (_, n) =>
            event('fix_recorded', n + 1, { lat: 51.9 + n * 0.00014, lon: 4.6, accuracy: 6, speed: 15 })),
            event('stop_pressed', 122)];
    });
    return fetch('/v1/events', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ events }) }).then((answer) => answer.status)"""
TWIN_DAY = "2025-05-06"
# A drive of forty minutes in the hour that comes twice: it ends at an earlier hour of the clock than it began.
TURNED = """const at = (seconds) => new Date(Date.parse('2025-10-26T00:40:00Z') + 1000 * seconds).toISOString();
    const event = (type, seconds, members) => ({ type, source: 'night-phone', occurred_at: at(seconds), ...members });
    const events = [event('go_pressed', 0), ...Array.from({ length: 239 }, (_, n) =>
        event('fix_recorded', 10 * (n + 1), { lat: 51.9 + n * 0.0014, lon: 4.6, accuracy: 6, speed: 15 })),
        event('stop_pressed', 2400)];
    return fetch('/v1/events', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ events }) }).then((answer) => answer.status)"""
PIECE = """const { left, width } = document.querySelector('.strip .drive').style;
    return [parseFloat(left), parseFloat(width), document.querySelector('.strip').getAttribute('aria-valuemax')]"""
STOP_ROWS = "return document.querySelectorAll('.stop-row').length"
LISTED = """return [...document.querySelectorAll('.day-list .of-trip a')]
    .map((link) => link.getAttribute('href').split('/').at(-1))"""
CURSOR = "return document.querySelector('path.cursor')?.getAttribute('d') ?? ''"
HEIGHTS = "return [...document.querySelectorAll('.inbox-row .card')].map((card) => card.offsetHeight)"
UNDER = """const under = getComputedStyle(document.querySelector('.inbox-row[data-swipe] .under.right'));
    const probe = document.createElement('span'); probe.className = 'swatch class-business';
    document.querySelector('main').append(probe);
    const colours = [under.display, under.backgroundColor, getComputedStyle(probe).backgroundColor];
    probe.remove(); return colours"""


def check_days(program):
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        book.append(b"\n".join(simulate(program, "--start", FIRST_DAY, "--days", DAYS)) + b"\n")
        with serve(book) as served, browser() as made:
            page = Page(made, served.link("browser"))
            page.shape(1280, 800, False)
            name_stops(page)
            name_end(page)
            repeat(page)
            see_what_was_decided(page)
            reach_days(page)
            drive_day(page)
            pass_midnight(page)
            print_day(page)
            be_narrow(page)
            count_once(page)
            turn_clocks_back(page)
            check_console(made, "days")
            check_requests(made, page.origin, "days")


def text(page, selector):
    """What stands in an element; nothing while it is not there."""
    return page.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def is_open(page):
    return page.browser.find_elements(By.CSS_SELECTOR, "dialog[open]")


def name_it(page, name):
    """Types a name into the dialog that asks for one."""
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .place-form"),
                      f"nothing asks for the name {name}"):
        return
    page.until(lambda: page.script("return document.activeElement.matches('dialog .place-form input')"),
               "the name has not the focus")
    page.keys(name, Keys.ENTER)


def name_stops(page):
    """The stop that comes most often is the first of the list, and is none any more when it has a name."""
    stops = page.script(STOPS)
    expect(len(stops) > 2 and stops[0]["trips"] >= stops[1]["trips"], f"stops are {stops[:3]}")
    page.go("places", ".stops:not([hidden]) .stop-row")
    check_page(page.browser, "unnamed stops")
    expect(f"{stops[0]['trips']} trips" in text(page, ".stop-row"), f"the first stop is {text(page, '.stop-row')}")
    page.press(".stop-row .name-place")
    page.until(lambda: is_open(page), "a stop cannot be named")
    check_page(page.browser, "naming a stop")
    name_it(page, "Home")
    page.until(lambda: "Home" in page.script(PLACES), "a stop does not become a place")
    page.until(lambda: not is_open(page), "the dialog stays when the place has its name")
    left = page.script(STOPS)
    expect(all(abs(one["lat"] - stops[0]["lat"]) > 0.0005 or abs(one["lon"] - stops[0]["lon"]) > 0.0005
               for one in left), "a stop that has a name is listed as one without")
    # The name of a place that there is would move that one.
    page.until(lambda: f"{left[0]['trips']} trips" in text(page, ".stop-row"), "the list stays as it was")
    page.press(".stop-row .name-place")
    name_it(page, "Home")
    expect(is_open(page), "a second place of one name is saved")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not is_open(page), "Escape does not close")
    page.press(".stop-row .name-place")
    name_it(page, "Work")
    page.until(lambda: "Work" in page.script(PLACES), "a second stop does not become a place")
    # What was named by mistake is taken back.
    page.until(lambda: f"{left[1]['trips']} trips" in text(page, ".stop-row"), "the third stop is not the first now")
    page.press(".stop-row .name-place")
    name_it(page, "Mistake")
    page.until(lambda: "Mistake" in page.script(PLACES), "a third stop does not become a place")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "a name cannot be taken back")
    page.press(".toast button")
    page.until(lambda: page.script(PLACE, "Mistake") is None, "a name is not taken back")


def unnamed(trip):
    return trip["start"] and trip["start_place"] is None


def name_end(page):
    """An end without a name is named in the view of its trip, which is called so at once."""
    trip = next(one for one in page.script(TRIPS, "") if unnamed(one))
    page.go(f"trip/{trip['id']}", ".details form")
    page.press("main .name-place")
    name_it(page, "Third place")
    page.until(lambda: "Third place" in text(page, "h1"), f"the trip is still called {text(page, 'h1')}")
    expect(page.script(READ, trip["id"])["start_place"] == "Third place", "the trip begins at no place")


def open_always(page, code):
    """Fills in what is to hold for all trips of the way, and saves it."""
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog form select"), "nothing asks which trips")
    check_page(page.browser, "always like this")
    page.script("""const [way, days, since, code] = document.querySelectorAll('dialog select');
        way.value = 'both'; days.value = 'all'; since.value = 'all'; code.value = arguments[0]""", code)
    page.press("dialog form button.main")


def repeat(page):
    """What is said about a trip becomes a routine for its way, and is taken back with all that it decided."""
    ways = [one for one in page.script(TRIPS, "&class=unclassified")
            if {one["start_place"], one["end_place"]} == {"Home", "Work"}]
    if not expect_some(ways, "no trip goes between the two places of most trips"):
        return
    trip = ways[0]
    page.go("inbox", ".inbox-row")
    row = f".inbox-row[data-trip='{trip['id']}']"
    page.until(lambda: scroll_to(page, row), "a trip that waits is not in the inbox")
    before = page.script(COUNTED)["waiting"]
    page.script("document.querySelector(arguments[0]).focus({ preventScroll: true })", f"{row} a")
    page.keys("p")
    page.until(lambda: page.script(READ, trip["id"])["class"] == "personal", "the key p does not class a trip")
    page.until(lambda: len(page.browser.find_elements(By.CSS_SELECTOR, ".toast button")) == 2,
               "a decision does not offer to decide always so")
    page.press(".toast button:last-of-type")
    open_always(page, "personal")
    decided = before - len(ways)
    page.until(lambda: page.script(COUNTED)["waiting"] == decided,
               f"{page.script(COUNTED)['waiting']} wait, not {decided}")
    page.until(lambda: str(len(ways) - 1) in text(page, ".toast"),
               f"the message does not say that {len(ways) - 1} were decided: {text(page, '.toast')}")
    page.press(".toast button")
    page.until(lambda: page.script(COUNTED)["waiting"] == before - 1, "a routine is not taken back with its trips")
    page.script("document.activeElement.blur()")
    page.keys("a")
    open_always(page, "personal")
    page.until(lambda: page.script(COUNTED)["waiting"] == decided, "the key a makes no routine")


def expect_some(found, sentence):
    expect(bool(found), sentence)
    return bool(found)


def scroll_to(page, selector):
    """Scrolls until an element is there: a list is read on when its end is seen."""
    if page.browser.find_elements(By.CSS_SELECTOR, selector):
        return True
    page.script("window.scrollTo(0, document.body.scrollHeight)")
    return False


def see_what_was_decided(page):
    """The inbox lists what routines decided; one of these is taken back, and that is undone."""
    page.go("now", ".tile")
    page.go("inbox", ".by-rule:not([hidden])")
    page.script("document.querySelector('.by-rule').open = true")
    check_page(page.browser, "what was decided by itself")
    trip = page.script("return document.querySelector('.by-rule-row').dataset.trip")
    expect("by_rule" in page.script(READ, trip)["flags"], "a trip that a person decided is listed as a routine's")
    page.press(".by-rule-row button")
    page.until(lambda: page.script(READ, trip)["class"] == "unclassified", "a routine's decision is not taken back")
    page.until(lambda: trip in page.script(ROWS), "the trip does not wait in the inbox")
    page.until(lambda: page.script("return !document.querySelector(`.by-rule-row[data-trip='${arguments[0]}']`)", trip),
               "it is still listed as decided")
    page.press("main > .buttons button")
    page.until(lambda: page.script(READ, trip)["class"] == "personal", "taking it back is not undone")


def reach_days(page):
    """The heat map is one stop of the tab key; arrows go through its days, and Enter opens one."""
    page.go("totals", ".calendar")
    page.script("document.querySelector('.calendar').focus()")
    said = "return document.querySelector('.calendar').closest('section').querySelector('output').textContent"
    first = page.script(said)
    page.keys(Keys.ARROW_UP)
    expect(page.script(said) != first, f"the arrow keys do not move in the heat map: {first}")
    active = page.script("""const picture = document.querySelector('.calendar');
        const day = document.getElementById(picture.getAttribute('aria-activedescendant'));
        return [day.dataset.day, day.getAttribute('aria-selected')]""")
    expect(active[1] == "true", "the day that the keys are at is not the selected one")
    check_page(page.browser, "the heat map")
    page.keys(Keys.ENTER)
    page.wait("day")
    expect(page.browser.current_url.endswith(f"day/{active[0]}"), f"Enter leads to {page.browser.current_url}")


def busy_day(page):
    """A day on which most was driven, with a stay at a place without a name."""
    days = {}
    for trip in page.script(TRIPS, ""):
        days.setdefault(trip["started_at"][:10], []).append(trip)
    named = {day: trips for day, trips in days.items() if any(one["end_place"] is None for one in trips[1:])}
    return max((named or days).items(), key=lambda item: len(item[1]))


def drive_day(page):
    """Trips and stays of a day are listed; the pointer drives it again, and a stay gets its name there."""
    day, trips = busy_day(page)
    page.go(f"day/{day}", ".day-list li")
    listed = page.script(LISTED)
    expect({one["id"] for one in trips} <= set(listed), f"{day}: {listed} are listed of {len(trips)}")
    expect(page.browser.find_elements(By.CSS_SELECTOR, ".day-list .of-stay"), f"{day}: no stay is listed")
    check_page(page.browser, "a day")
    strip = page.find(".strip")
    before = (text(page, "output.reading"), page.script(CURSOR))
    half = strip.size["width"] / 2
    drag = ActionChains(page.browser).move_to_element_with_offset(strip, int(-0.4 * half), 0).click_and_hold()
    drag.move_by_offset(int(0.1 * half), 0).move_by_offset(int(0.35 * half), 0).release().perform()
    after = (text(page, "output.reading"), page.script(CURSOR))
    expect(before[0] != after[0], "dragging does not move the time")
    expect(before[1] != after[1], "dragging moves nothing on the map")
    buttons = page.browser.find_elements(By.CSS_SELECTOR, ".day-list .name-place")
    if expect_some(buttons, f"{day}: no stay can be named"):
        page.press(".day-list .name-place")
        name_it(page, "Customer")
        page.until(lambda: "Customer" in text(page, ".day-list"), "a stay is not called as it was named")
        expect(page.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "naming a stay cannot be taken back")
    page.script("document.activeElement.blur()")
    page.keys(Keys.ARROW_LEFT)
    page.until(lambda: f"day/{day}" not in page.browser.current_url, "← does not lead to the day before")
    page.wait("day")
    page.keys(Keys.ARROW_RIGHT)
    page.until(lambda: f"day/{day}" in page.browser.current_url, "→ does not lead to the day after")


def pass_midnight(page):
    """A trip over midnight is on both days, a longer one on all of its days; each counts on its first."""
    status = page.script(DECISION, {
        "type": "trip_reported", "started_at": "2025-05-10T23:40:00+02:00",
        "ended_at": "2025-05-11T00:25:00+02:00", "distance_m": 40000, "from": "Airport", "to": "Hotel"})
    expect(status == 200, f"a trip cannot be reported: HTTP {status}")
    for day, driven in (("2025-05-10", "40.0 km"), ("2025-05-11", "0.0 km")):
        page.go(f"day/{day}", ".day-list .of-trip")
        expect("Airport → Hotel" in text(page, ".day-list"), f"{day}: the trip over midnight is not there")
        expect(text(page, ".figures strong") == driven, f"{day}: {text(page, '.figures strong')}, not {driven}")
        expect("…" in text(page, ".day-list .times"), f"{day}: nothing says that it goes beyond the day")
    status = page.script(DECISION, {
        "type": "trip_reported", "started_at": "2025-05-20T20:00:00+02:00",
        "ended_at": "2025-05-24T06:00:00+02:00", "distance_m": 900000, "from": "Harbour", "to": "Cabin"})
    expect(status == 200, f"a trip of days cannot be reported: HTTP {status}")
    for day in ("2025-05-20", "2025-05-22", "2025-05-23", "2025-05-24"):
        page.go(f"day/{day}", ".day-list .of-trip")
        expect("Harbour → Cabin" in text(page, ".day-list"), f"{day}: the trip of days is not there")


def print_day(page):
    """A day fits on two sheets, with its list."""
    day, _ = busy_day(page)
    page.go(f"day/{day}", ".day-list li")
    page.until(lambda: page.script("return document.querySelectorAll('main path.track').length") > 0, "no way is drawn")
    if not page.browser.can("paper", "a day on paper"):
        return
    sheets = len(page_prints.sheets(page.browser.paper(21, 29.7)))
    expect(1 <= sheets <= 2, f"a day takes {sheets} sheets")


def be_narrow(page):
    """On a telephone a card is 90 pixels tall, and what a swipe does is told in the colour of the class."""
    page.shape(360, 740, False)
    page.go("now", ".tile")
    page.go("inbox", ".inbox-row")
    heights = page.script(HEIGHTS)
    expect(heights and max(heights) <= 90, f"cards are {sorted(set(heights))} px tall")
    check_page(page.browser, "the inbox on a telephone")
    seen = page.script("return [...document.querySelectorAll('.inbox-row kbd')].filter((one) => one.offsetWidth).length")
    expect(seen == 0, f"{seen} names of keys are shown on a telephone")
    page.script("document.querySelector('.inbox-row').scrollIntoView({ block: 'center' })")
    left, top = page.script("""const { left, top, width } = document.querySelector('.inbox-row')
        .getBoundingClientRect(); return [left + width / 3, top + 20]""")
    page.browser.touch("start", left, top)
    for step in range(1, 6):
        page.browser.touch("move", left + 12 * step, top)
    display, under, colour = page.script(UNDER)
    expect(display == "flex" and under == colour, f"below the row is {under}, the class is {colour}")
    for step in range(4, -1, -1):
        page.browser.touch("move", left + 12 * step, top)
    page.browser.touch("end")
    expect(page.script("return !document.querySelector('.inbox-row[data-swipe]')"), "a row that goes back stays aside")
    page.shape(1280, 800, False)


def turn_clocks_back(page):
    """The day on which clocks are set back has 25 hours, and a drive in the hour that comes twice its length."""
    status = page.script(TURNED)
    expect(status == 200, f"a drive at night: HTTP {status}")
    page.go("day/2025-10-26", ".strip .drive")
    left, width, length = page.script(PIECE)
    expect(length == "90000", f"the day on which clocks are set back has {length} seconds")
    expect(abs(left - 9600 / 900) < 0.2 and abs(width - 2400 / 900) < 0.2,
           f"a drive from second 9600 on, of 2400, stands at {left} % and is {width} % wide")
    said = text(page, "output.reading")
    expect(said.startswith(("2:40:", "02:40:")) and "+02:00" in said and "not recorded" not in said,
           f"the drive begins with: {said}")


def count_once(page):
    """A drive that two telephones recorded counts once: in its day, in the sum of the list, and on paper."""
    page.shape(1280, 800, False)
    expect(page.script(TWINS) == 200, "a drive of two telephones is not taken")
    period = f"from={TWIN_DAY}&to={TWIN_DAY}"
    page.until(lambda: [trip.get("left_out") for trip in page.script(TRIPS, f"&{period}")].count(True) == 1,
               "of two records of a drive not one is left out")
    page.go(f"day/{TWIN_DAY}", ".figures .uncounted")
    figures = page.script("return [...document.querySelectorAll('.figures strong')].map((one) => one.textContent)")
    expect(figures[1] == "1", f"a drive that was recorded twice counts in its day as {figures}")
    page.go(f"trips?{period}", ".trip-row")
    page.press("button.of-sum")
    page.until(lambda: text(page, "dialog tfoot td") == "1", "a drive that was recorded twice counts twice")
    expect(text(page, "dialog .uncounted").startswith("1 of these trips"), "what does not count is not said")
    expect(text(page, "dialog tfoot td:last-child") == figures[0], "the sum of the list is not that of its day")
    check_page(page.browser, "the sum of a drive that was recorded twice")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not is_open(page), "the sum stays")
