"""Two browsers at once: what is decided in one appears in the other, and neither overwrites the other."""

import statistics
import time

from selenium.webdriver.common.by import By

from book import expect
from page_browser import browser
from page_checks import check_page, check_requests
from page_views import DECIDE, READ, Page, check_console_of_conflict

EDITS = 7
LONGEST_SECONDS = 1.0
FIRST = "return fetch('/v1/trips?limit=1').then((answer) => answer.json()).then((page) => page.items[0].id)"


def purpose(page):
    return page.find(".details form input")


def save(page, text):
    field = purpose(page)
    field.clear()
    field.send_keys(text)
    page.press(".details form button.main")


def check_together(page, link):
    """Edits a trip in two browsers, and says how long the other one takes to show it."""
    with browser() as made:
        other = Page(made, link)
        trip = page.script(FIRST)
        for one in (page, other):
            one.shape(1280, 800, False)
            one.go(f"trip/{trip}", ".details form")
        see_edits(page, other)
        meet(page, other, trip)
        see_class_in_list(page, other, trip)
        see_in_inbox(page, other)
        see_new_in_list(page, other)
        check_console_of_conflict(other)
        check_requests(made, other.origin, "the other browser")
    page.script(DECIDE, trip, {"purpose": None})


ROWS = "return [...document.querySelectorAll('.inbox-row')].map((row) => row.dataset.trip)"
FOCUSED = """const one = document.activeElement;
    return [one.closest('.inbox-row')?.dataset.trip ?? null, one.textContent]"""
# A drive of a telephone, from GO to STOP, some minutes ago.
DRIVE = """const source = arguments[0] ?? 'other-phone';
    const at = (seconds) => new Date(Date.now() - 600000 + 1000 * seconds).toISOString();
    const event = (type, seconds, members) => ({ type, source, occurred_at: at(seconds), ...members });
    const events = [event('go_pressed', 0), ...Array.from({ length: 120 }, (_, n) => event('fix_recorded', n + 1,
        { lat: 51.9 + n * 0.00014, lon: 4.6, accuracy: 6, speed: 15 })), event('stop_pressed', 122)];
    return fetch('/v1/events', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ events }) }).then((answer) => answer.status)"""


def see_in_inbox(page, other):
    """Shows the inbox in one browser, while another one decides and drives: the list follows."""
    page.go("inbox", ".inbox-row")
    time.sleep(1)
    rows = page.script(ROWS)
    gone, kept = rows[0], rows[2]
    page.script("document.querySelectorAll('.inbox-row')[2].querySelector('.answers button').focus()")
    before = page.script(FOCUSED)
    begun = time.monotonic()
    other.script(DECIDE, gone, {"class": "personal"})
    page.until(lambda: gone not in page.script(ROWS), "a trip that another browser classes stays in the inbox", 10)
    print(f"two browsers: a class leaves the other's inbox after {time.monotonic() - begun:.2f} s")
    expect(before[0] == kept and page.script(FOCUSED) == before,
           f"the focus goes from {before} to {page.script(FOCUSED)}")
    # The row that has the focus goes: the next one has it.
    other.script(DECIDE, kept, {"class": "personal"})
    page.until(lambda: kept not in page.script(ROWS), "the row with the focus stays", 10)
    page.until(lambda: page.script(FOCUSED)[0] == rows[3], f"the focus is at {page.script(FOCUSED)}", 5)
    other.script(DECIDE, gone, {"class": "unclassified"})
    other.script(DECIDE, kept, {"class": "unclassified"})
    page.until(lambda: page.script(ROWS)[:4] == rows[:4], "what has no class again does not come back", 10)
    expect(page.script(FOCUSED)[0] == rows[3], f"news take the focus to {page.script(FOCUSED)}")
    count = len(page.script(ROWS))
    begun = time.monotonic()
    expect(other.script(DRIVE) == 200, "a drive is not taken")
    page.until(lambda: len(page.script(ROWS)) > count, "a trip that has just ended does not appear", 20)
    print(f"two browsers: a drive appears in the inbox after {time.monotonic() - begun:.2f} s")
    # The business trips without a purpose of the other browser are listed too.
    other.script(DECIDE, gone, {"class": "business"})
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, f".purpose-row[data-trip='{gone}']"),
               "a business trip of another browser does not wait for its purpose", 10)
    other.script(DECIDE, gone, {"purpose": "Roof"})
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, f".purpose-row[data-trip='{gone}']"),
               "a purpose of another browser is asked for again", 10)
    other.script(DECIDE, gone, {"class": "unclassified", "purpose": None})


LISTED = "return [...document.querySelectorAll('.trip-row')].map((row) => row.dataset.trip)"
OF_SOURCE = """return fetch(`/v1/trips?source=${arguments[0]}`).then((answer) => answer.json())
    .then(({ items }) => items[0]?.id ?? null)"""


def drive_as(other, source):
    """Drives with a telephone; returns the trip."""
    expect(other.script(DRIVE, source) == 200, "a drive is not taken")
    other.until(lambda: other.script(OF_SOURCE, source), "a drive becomes no trip")
    return other.script(OF_SOURCE, source)


def see_new_in_list(page, other):
    """Shows the list in one browser while another one drives: it offers what is new, and has it when opened again."""
    page.go("trips", ".trip-row")
    listed = page.script(LISTED)
    new = drive_as(other, "third-phone")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".news-of-list:not([hidden])"),
               "the list does not say that there is a new trip", 20)
    check_page(page.browser, "a list with news")
    expect(new not in page.script(LISTED), "a new trip moves the list that is read")
    page.press(".news-of-list button")
    page.until(lambda: new in page.script(LISTED), "the list does not show a new trip", 20)
    # The list is left for a trip, and something comes meanwhile.
    page.go(f"trip/{listed[0]}", ".details form")
    newer = drive_as(other, "fourth-phone")
    other.script(DECIDE, new, {"class": "charity"})
    page.browser.back()
    page.wait("trips", ".trip-row")
    page.until(lambda: newer in page.script(LISTED), "the list that is opened again lacks a new trip", 20)
    chip = page.find(f"[data-trip='{new}'] .chip").get_attribute("class")
    expect(chip.endswith("charity"), f"the list that is opened again shows {chip}")
    other.script(DECIDE, new, {"class": "unclassified"})


def see_edits(page, other):
    """Saves in one browser, and waits in the other, each in turn."""
    seconds = []
    for number in range(EDITS):
        writer, reader = (page, other) if number % 2 == 0 else (other, page)
        text = f"Visit {number}"
        begun = time.monotonic()
        save(writer, text)
        while purpose(reader).get_attribute("value") != text and time.monotonic() - begun < 60:
            time.sleep(0.01)
        seconds.append(time.monotonic() - begun)
    # The first follower of the stream has the server make ready what it tells from.
    usual = statistics.median(seconds[1:])
    print(f"two browsers: typed, saved and seen in the other after {usual:.2f} s (median of {EDITS - 1}; "
          f"the first {seconds[0]:.2f} s)")
    expect(usual < LONGEST_SECONDS, f"an edit appears in the other browser after {usual:.2f} s")


def meet(page, other, trip):
    """Types in one browser while the other one saves: both versions are shown, and Undo gives back."""
    field = purpose(other)
    field.clear()
    field.send_keys("Mine")
    save(page, "Theirs")
    page.until(lambda: page.script(READ, trip).get("purpose") == "Theirs", "a purpose is not saved")
    time.sleep(2)
    expect(purpose(other).get_attribute("value") == "Mine", "what is being typed is overwritten")
    other.press(".details form button.main")
    if not other.until(lambda: other.browser.find_elements(By.CSS_SELECTOR, ".versions"),
                       "a conflict of two browsers shows no versions"):
        return
    text = other.find(".versions").text
    expect("Theirs" in text and "Mine" in text, f"the versions are not both there: {text}")
    other.press(".details .warning button.main")
    page.until(lambda: purpose(page).get_attribute("value") == "Mine", "the other browser does not see the choice")
    other.until(lambda: other.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "a choice has no Undo")
    other.press(".toast button")
    page.until(lambda: purpose(page).get_attribute("value") == "Theirs", "the other browser does not see the Undo")


def see_class_in_list(page, other, trip):
    """Shows the list in one browser, while the other one gives a trip another class."""
    day = page.script(READ, trip)["started_at"][:10]
    # In the ledger's zone it may be on the next day already.
    page.go(f"trips?from={day}", f"[data-trip='{trip}']")
    time.sleep(1)
    other.script("""const select = document.querySelector('.details form select');
        select.value = 'medical';
        select.form.querySelector('button.main').click();""")
    page.until(lambda: page.find(f"[data-trip='{trip}'] .chip").get_attribute("class").endswith("medical"),
               "the list does not show another class", 10)
