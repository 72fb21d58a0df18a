"""Goes through the views of the page, and decides about trips in them."""

import time

from selenium.common.exceptions import (
    ElementNotInteractableException, StaleElementReferenceException, TimeoutException)
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from book import expect
from page_checks import check_console, check_focus, check_page, check_requests
from page_texts import check_plurals

SIZES = ((360, 740), (1280, 800))
VIEWS = ("now", "inbox", "trips", "trips?class=unclassified&from=2025-03-01&to=2025-04-30", "trip", "totals",
         "reports/summary?year=2025", "places", "vehicles", "expenses", "devices", "proof", "roads", "day/2025-06-12",
         "changes?year=2025", "add", "settings")


class Page:
    """The page in a browser."""

    def __init__(self, browser, link):
        self.browser = browser
        self.origin = "/".join(link.split("/")[:3])
        browser.get(link)
        self.wait("now", ".card")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def until(self, condition, sentence, seconds=60):
        """Waits for something; notes it if it does not come."""
        try:
            # An element that is made anew, or not yet shown, while it is read is read again.
            passing = [StaleElementReferenceException, ElementNotInteractableException]
            WebDriverWait(self.browser, seconds, 0.1, passing).until(
                lambda _: condition())
            return True
        except TimeoutException:
            expect(False, sentence)
            return False

    def wait(self, view, selector="h1"):
        """Waits until a view is complete."""
        ready = """const main = document.querySelector('main');
            return main.className === arguments[0] && !main.hasAttribute('aria-busy')
                && Boolean(main.querySelector(arguments[1]));"""
        self.until(lambda: self.script(ready, view, selector), f"the view {view} does not come")

    def go(self, address, selector="h1"):
        self.script("location.hash = arguments[0]", f"/{address}")
        self.wait(address.split("?")[0].split("/")[0], selector)

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def press(self, selector):
        """Presses a button where it is on the screen; one that is made anew meanwhile, as it is then."""
        def is_pressed():
            button = self.find(selector)
            self.script("arguments[0].scrollIntoView({ block: 'center' })", button)
            button.click()
            return True

        self.until(is_pressed, f"{selector} cannot be pressed")

    def shape(self, width, height, is_dark):
        self.browser.shape(width, height, is_dark)


def settle(page):
    """Waits until nothing is read or drawn any more."""
    page.until(lambda: page.script(
        "return ![...document.querySelectorAll('main p.faint')].some((p) => /…$/.test(p.textContent))"),
        "something is read for ever")
    time.sleep(0.6)


def visit_all(page, screenshots, schemes=(False, True)):
    """Visits every view at both sizes, light and dark."""
    with_gaps = page.script("""return fetch('/v1/trips?limit=500').then((a) => a.json())
        .then(({ items }) => (items.find((t) => t.gaps.count > 0) ?? items[0]).id)""")
    page.go("devices")
    for width, height in SIZES:
        for is_dark in schemes:
            page.shape(width, height, is_dark)
            for view in VIEWS:
                visit(page, view, with_gaps, f"{width}-{'dark' if is_dark else 'light'}", screenshots)


def visit(page, view, trip, look, screenshots):
    name = view.split("?")[0].replace("/", "-") + ("-filtered" if "?" in view else "")
    place = f"{name} {look}"
    page.go(f"trip/{trip}" if view == "trip" else view)
    expect(page.script("return document.activeElement.tagName") in ("H1", "A"),
           f"{place}: the focus is not at the heading")
    settle(page)
    shoot(page, screenshots, f"{name}-{look}")
    check_page(page.browser, place)
    if view in ("trip", "places"):
        # Folded parts count too.
        page.script("""document.querySelectorAll(arguments[0]).forEach((one) => { one.open = true; })""",
                    "main details" if view == "trip" else "main .place-row:nth-of-type(-n+2)")
        settle(page)
        shoot(page, screenshots, f"{name}-open-{look}", whole=True)
        check_page(page.browser, f"{place}, unfolded")
    check_focus(page.browser, place)
    check_console(page.browser, place)
    check_requests(page.browser, page.origin, place)


def shoot(page, screenshots, name, whole=False):
    if not screenshots:
        return
    path = str(screenshots / f"{name}.png")
    if not whole:
        page.browser.save_screenshot(path)
        return
    (screenshots / f"{name}.png").write_bytes(page.browser.whole_picture())


# Says something of a trip as another window would.
DECIDE = """return fetch('/v1/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'details_edited', trip: arguments[0], ...arguments[1] }) })
    .then((answer) => answer.status)"""
READ = "return fetch(`/v1/trips/${arguments[0]}`).then((answer) => answer.json())"


def decide(page):
    """Classes trips with keys, undoes it, and meets another decision."""
    page.shape(1280, 800, False)
    page.go("trips?from=2025-06-01&to=2025-06-30", ".trip-row")
    page.keys("j", "j")
    trip = page.script("return document.querySelector('.trip-row.current').dataset.trip")
    page.keys("b")
    page.until(lambda: page.script(READ, trip)["class"] == "business", "the key b does not class a trip")
    page.until(lambda: page.script("return Boolean(document.querySelector('.toast button'))"),
               "a decision cannot be undone")
    page.press(".toast button")
    page.until(lambda: page.script(READ, trip)["class"] == "unclassified", "Undo does not undo a class")
    page.keys("?")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog[open]'))"),
               "the key ? shows nothing")
    check_page(page.browser, "keys")
    page.keys(Keys.ESCAPE)
    page.until(lambda: page.script("return !document.querySelector('dialog')"), "Escape does not close")
    edit(page, trip)
    go_back(page, trip)
    scroll(page)
    drive(page)
    check_console_of_conflict(page)


def edit(page, trip):
    """Edits a trip, while it is edited elsewhere too."""
    page.keys("e")
    page.wait("trip", ".details form")
    fields = page.browser.find_elements(By.CSS_SELECTOR, ".details form input")
    purpose = fields[0]
    purpose.clear()
    purpose.send_keys("Visit")
    page.press(".details form button.main")
    page.until(lambda: page.script(READ, trip).get("purpose") == "Visit", "a purpose is not saved")
    purpose.clear()
    # What is typed before the other decision is known stays.
    purpose.send_keys("Mine")
    status = page.script(DECIDE, trip, {"purpose": "Other", "notes": "from elsewhere"})
    expect(status == 200, f"another decision: HTTP {status}")
    page.press(".details form button.main")
    if not page.until(lambda: page.script("return Boolean(document.querySelector('.versions'))"),
                      "a conflict shows no versions"):
        return
    text = page.find(".versions").text
    expect("Other" in text and "Mine" in text, "a conflict does not show both versions")
    check_page(page.browser, "conflict")
    page.press(".details .warning button.main")
    page.until(lambda: page.script(READ, trip).get("purpose") == "Mine", "one's own version is not saved")
    expect(page.script(READ, trip).get("notes") == "from elsewhere", "the other's notes were lost")
    chart = page.find("[role=slider]")
    before = chart.get_attribute("aria-valuetext")
    chart.send_keys(Keys.ARROW_RIGHT, Keys.PAGE_UP)
    expect(chart.get_attribute("aria-valuetext") != before, "arrow keys do not move the cursor")
    expect(page.script("return Boolean(document.querySelector('path.cursor'))"), "the map has no cursor")


def go_back(page, trip):
    """Goes back: the list is as it was, with what was changed."""
    page.browser.back()
    page.wait("trips", ".trip-row.current")
    row = page.find(".trip-row.current")
    expect(row.get_attribute("data-trip") == trip, "back does not return to the trip in the list")
    expect("Mine" in row.text, "the list does not show what was changed")
    expect("from=2025-06-01" in page.browser.current_url, "back loses the filters")


def scroll(page):
    """Scrolls through a year: the list goes on, and what is far away leaves the document."""
    page.go("trips", ".trip-row")
    seen = 0
    for _ in range(40):
        page.script("window.scrollTo(0, document.body.scrollHeight)")
        time.sleep(0.15)
        seen = max(seen, page.script("return document.querySelectorAll('.trip-row').length"))
    last = page.script("return [...document.querySelectorAll('h2.day')].at(-1).textContent")
    expect("2025" in last and "January" in last, f"the list ends at {last}")
    expect(seen <= 500, f"{seen} rows stood in the document at once")


# Delivers a position of now, as the telephone of the driver would.
DELIVER = """return fetch('/v1/events', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ events: [{ type: 'fix_recorded', source: arguments[0], lat: arguments[1],
        lon: 4.58, accuracy: 6, speed: 14, occurred_at: new Date().toISOString() }] }) })
    .then((answer) => answer.status)"""
# The mark's place on the earth: moving the map moves it on the screen alone.
HERE = """const part = document.querySelector('.mark.here')?.style.transform; const all = [...document
    .querySelectorAll('path.track')].map((path) => path.getAttribute('d')).join(' ');
    return `${part} ${all}`"""
STOP = "article.phase-{} button.stop"


def drive(page):
    """Presses GO, drives a little and presses STOP: the page shows it without being asked."""
    page.go("now", "form.go button")
    source = page.script("return document.querySelector('form.go select').value")
    page.press("form.go button")
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, STOP.format("arming")),
                      "GO starts no trip"):
        return
    page.script("document.querySelector(arguments[0]).focus()", STOP.format("arming"))
    for number in range(12):
        page.script(DELIVER, source, 51.93 + number * 0.00014)
        time.sleep(1.1)
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, STOP.format("tracking")),
               "the page does not show that the trip is under way")
    page.until(lambda: page.find("article.phase-tracking .figures strong").text not in ("", "0.0 km"),
               "the page does not show the distance of the trip that goes on")
    focused = page.script("return document.activeElement.outerHTML.slice(0, 80)")
    expect("stop" in focused, f"news take the focus away from STOP, to {focused}")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".mark.here"), "the map shows no position")
    # The position moves with each status, and the whole way is not read again for it.
    page.script("performance.clearResourceTimings()")
    for number in range(3):
        before = page.script(HERE)
        time.sleep(1.1)
        page.script(DELIVER, source, 51.93168 + number * 0.00014)
        page.until(lambda: page.script(HERE) != before, f"the position stays where it is: {before}", 20)
    read = page.script("""return performance.getEntriesByType('resource')
        .filter(({ name }) => name.includes('/track?max=600')).length""")
    expect(read <= 1, f"for three positions the way was read {read} times")
    check_page(page.browser, "driving")
    page.press(STOP.format("tracking"))
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "button.stop"), "STOP ends no trip")


def check_console_of_conflict(page):
    """The browser notes the 412 of conflicts, and the 409 of a name that was taken; nothing else."""
    for is_error, message in page.browser.complaints():
        if is_error:
            is_known = any(f"status of {code}" in message for code in (409, 412))
            expect(is_known, f"deciding: the console says {message[:300]}")


# The texts that a language lacks, or has too many of, against English.
OTHER_TEXTS = """const [code, done] = arguments;
    const base = document.querySelector('script[type=module]').src.replace('app.js', 'texts/');
    Promise.all(['en', code].map((one) => import(`${base}${one}.js`))).then(([english, other]) => {
        const keys = [english, other].map((module) => Object.keys(module.default));
        done([...keys[0].filter((key) => !keys[1].includes(key)),
              ...keys[1].filter((key) => !keys[0].includes(key))]);
    }, (error) => done([String(error)]))"""


def read_in_languages(page):
    """Shows the list in every language: no text is missing."""
    page.go("trips", ".trip-row")
    for code, word in (("nl", "Ritten"), ("de", "Fahrten"), ("fr", "Trajets"), ("en", "Trips")):
        page.script("localStorage.setItem('language', arguments[0])", code)
        page.browser.refresh()
        page.until(lambda: page.script("return document.documentElement.lang").split("-")[0] == code,
                   f"{code}: the document has another language")
        page.wait("trips", ".trip-row")
        expect(page.find("h1").text == word, f"{code}: the heading is {page.find('h1').text}")
        differing = page.browser.execute_async_script(OTHER_TEXTS, code)
        expect(not differing, f"{code}: other texts than in English: {differing}")
        check_plurals(page, code)
        check_page(page.browser, f"trips in {code}")


def sign_out(page):
    """Signs out: the page says how to get in again, and shows nothing more."""
    page.find("#navigation button").click()
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog[open]'))"), "no settings")
    check_page(page.browser, "settings")
    page.find("dialog .buttons button").click()
    page.until(lambda: page.script("return document.querySelector('main').className") == "signed-out",
               "signing out does nothing")
    expect("ledger token new browser --page" in page.find("main").text, "nothing says how to sign in again")
    check_page(page.browser, "signed out")
    page.find("main form input").send_keys("http://localhost/#login=wrong", Keys.ENTER)
    page.until(lambda: "used before" in page.find("main").text, "a link that is pasted is not tried")
    status = page.script("return fetch('/v1/status').then((answer) => answer.status)")
    expect(status == 401, f"after signing out, the status answers {status}")
