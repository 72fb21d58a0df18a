"""Decides in the page what trips are: two, parts of one, shorter, or none; and takes it back."""

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page
from page_views import DECIDE, READ

LISTED = """return fetch('/v1/trips?from=2025-07-01&to=2025-07-14&limit=100').then((answer) => answer.json())
    .then(({ items }) => items.filter(({ status }) => status === 'completed'))"""


def check_decisions(page):
    """Splits, merges, shortens and voids a trip, each with what it says first; returns the trip."""
    page.shape(1280, 800, False)
    trips = page.script(LISTED)
    trip = next(one["id"] for one in trips[2:] if one["distance_m"] > 8000 and one["gaps"]["count"] == 0)
    void(page, trip)
    split(page, trip)
    exclude(page, trip)
    merge(page, trip)
    undo_in_history(page, trip)
    meet_another(page, trip)
    return trip


def show(page, trip):
    page.go("totals")
    page.go(f"trip/{trip}", ".details form")
    page.script("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")


FOUND = """return [...document.querySelectorAll('.corrections button')]
    .some((one) => one.textContent.startsWith(arguments[0]))"""


# A button, once it stays where it is: a click goes to a place on the screen.
RESTING = """const found = () => [...document.querySelectorAll('.corrections button')]
        .find((one) => one.textContent.startsWith(arguments[0]));
    found()?.scrollIntoView({ block: 'center' });
    const [one, { top }] = [found(), found()?.getBoundingClientRect() ?? {}];
    return new Promise((resolve) => { setTimeout(() => resolve(
        one && one === found() && one.getBoundingClientRect().top === top ? one : null), 150); })"""


def button(page, text):
    """Presses the button of the corrections that begins with a text; what is drawn anew is found anew."""
    # The page asks the ledger for the possible decisions when the part is opened.
    page.until(lambda: page.script(FOUND, text), f"the button {text} does not come", 20)
    page.until(lambda: press(page, text), f"the button {text} cannot be pressed")


def press(page, text):
    found = page.script(RESTING, text)
    if found:
        found.click()
    return bool(found)


def answer(page, place, why="A test"):
    """Confirms what is asked, after a look at it; returns what it says."""
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog form"),
                      f"{place}: nothing is asked"):
        return ""
    check_page(page.browser, place)
    asked = page.find("dialog")
    text = asked.text
    fields = page.browser.find_elements(By.CSS_SELECTOR, "dialog input")
    if fields and why:
        fields[0].send_keys(why)
    page.script("document.getElementById('toasts').replaceChildren()")
    page.find("dialog .buttons button").click()
    # What is asked next may come at once.
    page.until(lambda: is_gone(page, asked), f"{place}: it stays")
    return text


def is_gone(page, element):
    """Whether an element is no longer in the page."""
    try:
        return not page.script("return arguments[0].isConnected", element)
    except StaleElementReferenceException:
        return True


def undo(page):
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "there is no Undo")
    page.press(".toast button")


def void(page, trip):
    show(page, trip)
    button(page, "It was not a trip")
    text = answer(page, "voiding")
    expect("km" in text and "restored" in text, f"voiding does not say what happens: {text}")
    page.until(lambda: page.script(READ, trip)["status"] == "voided", "a trip is not voided")
    undo(page)
    page.until(lambda: page.script(READ, trip)["status"] == "completed", "a trip is not restored")


# The time of the end of the way that chart and replay show.
COURSE = """return document.querySelector('.replay input[type=range]')?.max ?? ''"""


# The kilometres that the chart says at its end.
WHOLE = """const chart = document.querySelector('[role=slider].chart');
    chart?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
    return parseFloat(chart?.getAttribute('aria-valuetext')?.split(' · ').at(-1))"""


def split(page, trip):
    """Splits where the cursor of the chart is, which keys have moved."""
    show(page, trip)
    before = page.script(READ, trip)
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".corrections .moment"), "it cannot be split")
    page.find("[role=slider].chart").send_keys(*[Keys.PAGE_UP] * 5)
    at = page.find(".corrections .moment").text
    course = page.script(COURSE)
    button(page, "Split the trip here")
    text = answer(page, "splitting")
    expect(at.split(",")[0] in text, f"splitting does not say when: {at} is not in {text}")
    page.until(lambda: page.script(READ, trip)["ended_by"] == "split", "a trip is not split")
    first = page.script(READ, trip)
    page.until(lambda: page.script(COURSE) not in ("", course), "the way of a trip that was split is not drawn anew")
    second = next((one for one in page.script(LISTED) if one["started_by"] == "split"), None)
    expect(second is not None, "the second part is in no list")
    if second:
        whole = first["distance_m"] + second["distance_m"]
        expect(abs(whole - before["distance_m"]) < 1, f"the parts have {whole} m, not {before['distance_m']}")
        link = f".sheet a[href='#/trip/{second['id']}']"
        page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, link), "nothing leads to the other half")
    undo(page)
    page.until(lambda: page.script(READ, trip)["ended_at"] == before["ended_at"], "a trip is not whole again")
    page.until(lambda: page.script(COURSE) == course, "the way of a trip that is whole again is not drawn so")


def exclude(page, trip):
    show(page, trip)
    before = page.script(READ, trip)["distance_m"]
    page.find("[role=slider].chart").send_keys(Keys.HOME, *[Keys.PAGE_UP] * 2)
    button(page, "From the cursor")
    page.find("[role=slider].chart").send_keys(*[Keys.PAGE_UP] * 3)
    button(page, "To the cursor")
    button(page, "Leave the stretch out")
    answer(page, "leaving a stretch out", "Ferry")
    page.until(lambda: page.script(READ, trip).get("excluded_distance_m", 0) > 0, "no stretch is left out")
    read = page.script(READ, trip)
    expect(abs(read["distance_m"] + read["excluded_distance_m"] - before) < 1, "metres were lost")
    page.until(lambda: abs((page.script(WHOLE) or 0) * 1000 - read["distance_m"]) < 300,
               f"the chart counts what was left out: {page.script(WHOLE)} km of {read['distance_m']} m")
    button(page, "Restore")
    text = answer(page, "restoring")
    expect("left out" in text, f"restoring does not say what it takes back: {text}")
    page.until(lambda: page.script(READ, trip)["distance_m"] == before, "the stretch is not there again")


def merge(page, trip):
    show(page, trip)
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".corrections details li button"),
                      "no trip before or after is offered"):
        return
    before = page.script(READ, trip)
    button(page, "Merge with this one after")
    text = answer(page, "merging")
    expect("gap" in text, f"merging does not say what becomes of the time between: {text}")
    expect("Jul 2025" in text, f"merging does not say on which days: {text}")
    if not page.until(lambda: len(page.script(READ, trip).get("parts", [])) == 2, "trips are not merged"):
        return
    other = page.script(READ, trip)["parts"][1]
    show(page, other)
    link = f"details[open] a[href='#/trip/{trip}']"
    expect(page.browser.find_elements(By.CSS_SELECTOR, link), "a part does not lead to the whole")
    show(page, trip)
    button(page, "Keep the trips apart")
    answer(page, "keeping trips apart")
    page.until(lambda: page.script(READ, trip)["ended_at"] == before["ended_at"], "trips are not kept apart")
    expect(page.script(READ, other)["status"] == "completed", "the other trip does not count again")


HISTORY = "return document.querySelectorAll('main details table button').length"


def undo_in_history(page, trip):
    """Takes back in the history what was said of a trip."""
    page.script(DECIDE, trip, {"client": "ACME"})
    show(page, trip)
    page.until(lambda: page.script(HISTORY) > 0, "the history has no Undo")
    check_page(page.browser, "history")
    page.script("""[...document.querySelectorAll('main details table button')]
        .find((one) => one.getAttribute('aria-label') === 'Undo: Client').click()""")
    page.until(lambda: page.script(READ, trip).get("client") is None, "the history undoes nothing")


def meet_another(page, trip):
    """Voids a trip of which something was said meanwhile: both versions are shown."""
    show(page, trip)
    button(page, "It was not a trip")
    # While something is asked, the page does not follow what others decide.
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog form"), "nothing is asked")
    page.script(DECIDE, trip, {"class": "charity"})
    answer(page, "voiding what was changed")
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .versions"),
                      "a conflict shows no versions"):
        return
    check_page(page.browser, "a conflict of decisions")
    text = page.find("dialog .versions").text
    expect("Charity" in text and "Unclassified" in text, f"the versions are not both there: {text}")
    page.find("dialog .buttons button").click()
    expect(page.script(READ, trip)["status"] == "completed", "it was decided all the same")
