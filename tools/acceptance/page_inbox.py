"""Goes through the inbox of the page: by keys, with a finger, many trips at once, and back again."""

import time

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page
from page_views import DECIDE, READ

ROWS = "return [...document.querySelectorAll('.inbox-row')].map((row) => row.dataset.trip)"
LISTED = "return [...document.querySelectorAll('.trip-row')].map((row) => row.dataset.trip)"
CURRENT = "return document.querySelector('.inbox-row.current')?.dataset.trip ?? null"
SEEN = "return document.getElementById('waiting')?.textContent ?? ''"
# What the ledger itself says: the number of trips without a class.
WAITING = """return fetch('/v1/totals?by=class&limit=100').then((answer) => answer.json()).then(({ items }) =>
    items.find(({ kind, name }) => kind === 'group' && name === 'unclassified')?.trips ?? 0)"""
# Decides elsewhere and presses a key at once: a page that had heard of it would decide about what it has heard.
MEANWHILE = f"""const link = document.querySelector(`[data-trip="${{arguments[0]}}"] a`);
    link.focus();
    const decide = (...parts) => {{ {DECIDE.replace("arguments", "parts")} }};
    return decide(...arguments).then((status) => {{
        link.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'p', bubbles: true }}));
        return status;
    }})"""


def check_inbox(page):
    """Decides about trips in the inbox."""
    page.shape(1280, 800, False)
    page.go("inbox", ".inbox-row")
    before = page.script(WAITING)
    expect(len(page.script(ROWS)) <= 100, "the inbox begins with more than two pages of trips")
    decide_by_keys(page)
    take_back_what_is_named(page)
    expect(page.script(WAITING) == before, "undoing leaves another number of trips without a class")
    page.shape(360, 740, False)
    page.go("now", ".card")
    page.go("inbox", ".inbox-row")
    swipe(page)
    decide_at_once(page, before)
    page.shape(1280, 800, False)
    say_purposes(page)
    take_suggestion(page, False)
    take_suggestion(page, True)
    page.shape(1280, 800, False)


def decide_by_keys(page):
    first, second = page.script(ROWS)[:2]
    expect(page.script(CURRENT) == first, "the inbox does not begin with its first trip")
    page.keys("m")
    page.until(lambda: page.script(READ, first)["class"] == "medical", "the key m does not class a trip")
    expect(first not in page.script(ROWS), "a trip that has a class stays in the inbox")
    expect(page.script(CURRENT) == second, "the next trip does not become the current one")
    page.keys("j", "k")
    expect(page.script(CURRENT) == second, "j and k do not move there and back")
    focused = page.script("return document.activeElement.closest('.inbox-row')?.dataset.trip")
    expect(focused == second, "the keys do not take the focus along")
    page.keys("z")
    page.until(lambda: page.script(READ, first)["class"] == "unclassified", "the key z takes nothing back")
    page.until(lambda: page.script(ROWS)[0] == first, "what was taken back is not in its place again")
    # Another decision meanwhile: the trip comes back, and nothing is lost.
    status = page.script(MEANWHILE, second, {"notes": "from elsewhere"})
    expect(status == 200, f"another decision: HTTP {status}")
    page.until(lambda: "meanwhile" in page.script("return document.getElementById('toasts').textContent"),
               "nothing says that a trip was changed meanwhile")
    expect(page.script(READ, second)["class"] == "unclassified", "a decision went over another's")
    expect(second in page.script(ROWS), "a trip that was not classed has left the inbox")
    # The user then sees what was decided meanwhile, and the same key decides.
    page.until(lambda: decides_again(page, second), "a trip that was changed meanwhile cannot be decided about")
    page.keys("z")
    page.until(lambda: page.script(READ, second)["class"] == "unclassified", "that is not undone")


def decides_again(page, trip):
    page.script("document.querySelector(`.inbox-row[data-trip=\"${arguments[0]}\"] a`)?.focus()", trip)
    page.keys("p")
    time.sleep(0.5)
    return page.script(READ, trip)["class"] == "personal"


# Has every second request for decisions wait.
HOLD = """window.realFetch ??= window.fetch; let number = 0;
    window.fetch = async (address, options) => {
        if (!String(address).startsWith('/v1/decisions')) return window.realFetch(address, options);
        number += 1;
        if (number % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 3000));
        return window.realFetch(address, options); }"""
UNDO = "return [...document.querySelectorAll('.toast button')].some((one) => one.textContent === 'Undo')"


def take_back_what_is_named(page):
    """Undo of a message takes back what the message names, also while another decision is on its way."""
    first, second = page.script(ROWS)[:2]
    page.script(HOLD)
    page.script("document.querySelector(`[data-trip=\"${arguments[0]}\"] a`).focus()", first)
    page.script("document.getElementById('toasts').replaceChildren()")
    page.keys("m")
    page.until(lambda: page.script(UNDO), "a decision has no Undo")
    page.keys("p")
    page.press(".toast button")
    page.until(lambda: page.script(READ, second)["class"] == "personal", "another decision was taken back")
    page.until(lambda: page.script(READ, first)["class"] == "unclassified", "Undo does not take back what it names")
    page.until(lambda: page.script(UNDO), "the other decision has no Undo")
    page.keys("z")
    page.until(lambda: page.script(READ, second)["class"] == "unclassified", "the key z does not take back the other")
    # What is taken back before it was answered has no message that offers it once more.
    page.until(lambda: page.script(ROWS)[:2] == [first, second], "what was taken back is not in its place again")
    page.script(f"{HOLD}; number = 1")
    page.script("document.querySelector(`[data-trip=\"${arguments[0]}\"] a`).focus()", first)
    page.keys("m", "z")
    page.until(lambda: page.script(ROWS)[:1] == [first], "what was taken back at once does not come again")
    expect(page.script(READ, first)["class"] == "unclassified", "what was taken back at once is decided")
    expect(not page.script(UNDO), "a decision that was taken back can be taken back again")
    page.script("window.fetch = window.realFetch")


def swipe(page):
    """Moves a row aside with a finger."""
    trip = page.script(ROWS)[0]
    page.script("document.querySelector('.inbox-row').scrollIntoView({ block: 'center' })")
    left, top = page.script("""const { left, top, width } = document.querySelector('.inbox-row')
        .getBoundingClientRect(); return [left + width / 3, top + 20]""")
    page.browser.touch("start", left, top)
    for step in range(1, 13):
        page.browser.touch("move", left + 12 * step, top)
    expect(page.script("return document.querySelector('.inbox-row').dataset.swipe") == "right far",
           "a row does not move with the finger")
    page.browser.touch("end")
    page.until(lambda: page.script(READ, trip)["class"] == "business", "a swipe does not class a trip")
    page.press("main > .buttons button")
    page.until(lambda: page.script(READ, trip)["class"] == "unclassified", "a swipe cannot be undone")


def decide_at_once(page, before):
    """Classes all trips of one way, and takes it back."""
    page.script("document.querySelector('.alike').open = true")
    page.press(".group button")
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog button.main"),
                      "all trips of a way cannot be decided about at once"):
        return
    check_page(page.browser, "all trips of a way")
    named = int("".join(filter(str.isdigit, page.find("dialog button.main").text)))
    page.find("dialog button.main").click()
    page.until(lambda: page.script(WAITING) == before - named,
               f"{named} trips were to have a class, and {before - page.script(WAITING)} have one")
    page.press("main > .buttons button")
    page.until(lambda: page.script(WAITING) == before, "what was decided about many is not undone")
    # The navigation counts all that waits, and not only trips without a class.
    counted = page.script(COUNTED)
    expect(counted["unclassified"] == before, f"the counts are {counted}, and {before} have no class")
    expect(counted["waiting"] == counted["unclassified"] + counted["without_purpose"] + counted["twins"],
           f"the counts are {counted}: they are no sum")
    all_waiting = counted["waiting"]
    page.until(lambda: page.script(SEEN) == (f"{all_waiting}" if all_waiting < 1000 else "999+"),
               f"the navigation says that {page.script(SEEN)} trips wait, not {all_waiting}")


PURPOSES = "return [...document.querySelectorAll('.purpose-row')].map((row) => row.dataset.trip)"
COUNTED = "return fetch('/v1/inbox/count').then((answer) => answer.json())"


def say_purposes(page):
    """Makes a trip business: it waits for its purpose then, which is said beside it, and taken back."""
    page.go("now", ".card")
    page.go("inbox", ".inbox-row")
    before = page.script(COUNTED)
    trip = page.script(ROWS)[0]
    page.keys("b")
    page.until(lambda: page.script(READ, trip)["class"] == "business", "the key b does not class a trip")
    row = f".purpose-row[data-trip='{trip}']"
    page.script("document.querySelector('.purposes').open = true")
    if not page.until(lambda: trip in page.script(PURPOSES), "a business trip without a purpose is not listed"):
        return
    expect(len(page.script(PURPOSES)) == before["without_purpose"] + 1,
           f"{len(page.script(PURPOSES))} trips are listed, and {before['without_purpose'] + 1} have no purpose")
    check_page(page.browser, "business trips without a purpose")
    page.find(f"{row} input").send_keys("Roof of the school", Keys.ENTER)
    page.until(lambda: page.script(READ, trip).get("purpose") == "Roof of the school", "a purpose is not saved")
    expect(trip not in page.script(PURPOSES), "a trip that has a purpose is listed among those without")
    expect(page.script("return document.activeElement !== document.body"), "saving a purpose loses the focus")
    page.press(".toast button")
    page.until(lambda: page.script(READ, trip).get("purpose") is None, "a purpose is not taken back")
    page.until(lambda: trip in page.script(PURPOSES), "a trip that lost its purpose is not listed again")
    page.press("main > .buttons button")
    page.until(lambda: page.script(READ, trip)["class"] == "unclassified", "the class is not taken back")
    page.until(lambda: trip in page.script(ROWS) and trip not in page.script(PURPOSES),
               "what was taken back is not in its place")
    expect(page.script(COUNTED) == before, f"the counts are {page.script(COUNTED)}, not {before}")


# Saves a routine: for a way by its places, or, applied to one trip of a way, for others of it.
ROUTINE = """const [isByPlaces] = arguments;
    const decide = (decision) => fetch('/v1/decisions', { method: 'POST',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(decision) });
    const wayOf = (trip) => `${trip.start_place} ${trip.end_place}`;
    return fetch('/v1/trips?class=unclassified&limit=100').then((answer) => answer.json())
        .then(async ({ items }) => {
            // No routine is proposed for a trip that has details.
            const between = items.filter((one) => one.start_place && one.end_place
                && !one.flags.includes('edited'));
            const trip = between.find((one) => between.some((other) => one !== other
                && wayOf(one) === wayOf(other)));
            const other = between.find((one) => one !== trip && wayOf(one) === wayOf(trip));
            const routine = 'a round';
            await decide({ type: 'routine_saved', routine, title: 'Round', class: 'medical', purpose: 'Check',
                ...(isByPlaces ? { from_place: trip.start_place, to_place: trip.end_place } : {}) });
            if (!isByPlaces) await decide({ type: 'routine_applied', routine, trip: other.id });
            return [trip, other.id]; })"""
FORGET = """const [other] = arguments;
    return fetch('/v1/decisions', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ decisions: [{ type: 'routine_removed', routine: 'a round' },
            { type: 'details_edited', trip: other, class: 'unclassified', purpose: null, title: null }] }) })
        .then((answer) => answer.status)"""


def take_suggestion(page, is_by_places):
    """Takes the routine that fits a trip, and takes it back with all that it said."""
    trip, other = page.script(ROUTINE, is_by_places)
    page.browser.refresh()
    page.wait("inbox", ".inbox-row")
    row = f".inbox-row[data-trip='{trip['id']}']"
    page.until(lambda: "Round" in page.find(f"{row} .proposed").text, "the routine that fits is not proposed")
    page.script("document.querySelector(arguments[0]).focus()", f"{row} a")
    page.keys("s")
    page.until(lambda: page.script(READ, trip["id"]).get("purpose") == "Check", "a routine is not applied")
    expect(page.script(READ, trip["id"])["class"] == "medical", "a routine gives no class")
    page.keys("z")
    page.until(lambda: page.script(READ, trip["id"]).get("purpose") is None, "a routine is not taken back")
    now = page.script(READ, trip["id"])
    expect(now["class"] == "unclassified" and now.get("vehicle") == trip.get("vehicle"),
           f"taking a routine back leaves {now['class']} and {now.get('vehicle')}")
    expect(page.script(FORGET, other) == 200, "a routine is not removed")


def check_search(page, trip):
    """Finds a trip by its words, and one that was voided, which no other list shows."""
    page.script(DECIDE, trip, {"purpose": "Roof inspection", "client": "Zwaluw"})
    page.go("trips", ".trip-row")
    page.script("""const field = document.querySelector('input[type=search]'); field.value = 'zwaluw ROOF';
        field.dispatchEvent(new Event('change', { bubbles: true }))""")
    page.until(lambda: page.script(LISTED) == [trip], f"words find {page.script(LISTED)[:3]}")
    expect("text=zwaluw" in page.browser.current_url, "words do not stand in the address")
    status = page.script("""return fetch('/v1/decisions', { method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'trip_voided', trip: arguments[0], why: 'A test' }) })
        .then((answer) => answer.status)""", trip)
    expect(status == 200, f"voiding: HTTP {status}")
    page.go("trips?status=voided", ".trip-row")
    page.until(lambda: trip in page.script(LISTED), "a trip that was voided is not found")
    page.go(f"trip/{trip}", "button.restore")
    page.press("button.restore")
    page.find("dialog .buttons button").click()
    page.until(lambda: page.script(READ, trip)["status"] == "completed", "it cannot be restored from there")
