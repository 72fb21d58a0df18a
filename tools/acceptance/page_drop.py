"""A file is dropped on the page, looked at, added and voided; a table has its columns asked for; a trip and
an expense are entered by hand, and expenses listed; and trips are had as files again."""

from datetime import datetime, timedelta, timezone

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from book import expect
from page_checks import check_page
from page_desk import FOUND

START = datetime(2019, 5, 6, 8, tzinfo=timezone.utc)
SECONDS_BETWEEN = 5
METERS_PER_SECOND = 16
METERS_PER_DEGREE = 111_195
DRIVES = 2
TABLE = "Begin;How far;What for\n14.03.2018 09:30;12,5;Visit\n15.03.2018 10:00;7,5;Depot\n"

# Lets go of a file over the middle of the page, as a mouse does.
DROP = """const [name, text] = arguments;
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ['dragover', 'drop']) {
        document.querySelector('main').dispatchEvent(
            new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
# The next file that is sent is refused once, as where another one is in the way.
REFUSE = """const Real = window.XMLHttpRequest;
    window.XMLHttpRequest = class {
        constructor() {
            window.XMLHttpRequest = Real;
            Object.assign(this, { upload: {}, status: 503, responseText: '{"type":"urn:ledger:busy"}' });
        }
        open() {}
        setRequestHeader() {}
        getResponseHeader() { return '5'; }
        send() { setTimeout(() => this.onload()); }
    };"""
COUNT = """const [query, done] = arguments;
    fetch(`/v1/trips?limit=500&${query}`).then((answer) => answer.json()).then(({ items }) => done(items.length))"""
LINKS = "return [...document.querySelectorAll('dialog .exports a')].map((link) => link.href)"
SOURCE = "return fetch('/v1/trips?limit=1').then((answer) => answer.json()).then(({ items }) => items[0].source)"
SIZE = """const [url, done] = arguments;
    fetch(url).then(async (answer) => done([answer.status, (await answer.text()).length]))"""


def track():
    """A GPX file with two drives, an hour apart."""
    segments = []
    for drive in range(DRIVES):
        start = START + timedelta(hours=drive)
        points = []
        for second in range(0, 900, SECONDS_BETWEEN):
            way = second if drive % 2 == 0 else 900 - second
            latitude = 48.1 + way * METERS_PER_SECOND / METERS_PER_DEGREE
            time = (start + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")
            points.append(f'<trkpt lat="{latitude:.6f}" lon="11.5"><time>{time}</time></trkpt>')
        segments.append(f"<trkseg>{''.join(points)}</trkseg>")
    return ('<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">'
            f"<trk>{''.join(segments)}</trk></gpx>")


def trips(page, query):
    return page.browser.execute_async_script(COUNT, query)


def look(page, name, text):
    """Drops a file, and waits until it was looked at."""
    page.script(DROP, name, text)
    page.until(lambda: page.script("return document.querySelector('.drop-looked h2')?.textContent") == name,
               f"{name} was not looked at")


def check_file(page):
    """A track is dropped on the list of trips: nothing is stored before the button, and undo voids its trips."""
    of_year = "from=2019-01-01&to=2019-12-31"
    page.go("trips", ".trip-row")
    look(page, "drives.gpx", track())
    expect("#/add" in page.browser.current_url, "a dropped file does not open its view")
    expect(trips(page, of_year) == 0, "a file that was only looked at is stored")
    years = page.script("return [...document.querySelectorAll('.drop-looked tbody tr')].map((row) => row.textContent)")
    expect(len(years) == 1 and years[0].startswith("2019"), f"the years of the file: {years}")
    page.until(lambda: page.script("return document.querySelectorAll('.drop-looked path.road').length") > 0,
               "the ways of the file are on no map")
    page.browser.refresh()
    page.wait("add", ".drop-looked button.add-file")
    page.press(".drop-looked button.add-file")
    page.until(lambda: page.script("return document.querySelector('.drop-added') !== null"), "the file is not added")
    added = trips(page, of_year)
    expect(added >= 1, f"{added} trips were added")
    page.press(".drop-added button.undo")
    page.find("dialog input").send_keys("Not my drives")
    page.press("dialog button.danger")
    page.until(lambda: page.script("return document.querySelector('.drop-target') !== null"), "the undo does not end")
    expect(trips(page, of_year) == 0, "trips that were voided count")
    expect(trips(page, of_year + "&all=yes") >= added, "voided trips are gone")
    look(page, "drives.gpx", track())
    expect(page.script("return document.querySelector('.drop-looked button.add-file')") is None,
           "a file that is there already can be added")
    page.press(".drop-looked button.give-up")
    page.until(lambda: page.script("return document.querySelector('.drop-target') !== null"),
               "a file cannot be given up")


def check_table(page):
    """A table of no known app has its columns asked for, as they are proposed."""
    look(page, "book.csv", TABLE)
    form = page.find(".column-map")
    labels = [label.text for label in form.find_elements(By.TAG_NAME, "label")]
    for name, column in (("Start", "Begin"), ("Distance", "How far"), ("Purpose", "What for")):
        expect(name in labels, f"the table has no field {name}: {labels}")
        control = form.find_element(By.XPATH, f".//label[.='{name}']/following-sibling::select")
        Select(control).select_by_visible_text(column)
    written = form.find_element(By.XPATH, ".//input[@spellcheck='false']")
    written.clear()
    written.send_keys("dd.MM.yyyy HH:mm")
    page.press(".column-map button.main")
    page.until(lambda: page.script("""return document.querySelector(".drop-looked > .column-map") === null
        && document.querySelector('.drop-looked tbody th')?.textContent === '2018'"""), "the table is not read")
    expect(trips(page, "from=2018-01-01&to=2018-12-31") == 0, "a table that was only looked at is stored")
    page.press(".drop-looked button.give-up")
    page.until(lambda: page.script("return document.querySelector('.drop-target') !== null"),
               "a table cannot be given up")


def check_waiting(page):
    """A file that another one keeps out stays in hand, also while its view is left, and is sent again."""
    page.go("add", ".drop-target")
    page.script(REFUSE)
    page.script(DROP, "late.csv", TABLE)
    page.until(lambda: page.script("return document.querySelector('.drop-waits h2')?.textContent") == "late.csv",
               "a file that waits is not told")
    page.go("totals")
    page.go("add", ".drop")
    page.until(lambda: page.script("return document.querySelector('.drop-looked h2')?.textContent") == "late.csv",
               "a file that waited is not sent again")
    page.press(".drop-looked button.give-up")
    page.until(lambda: page.script("return document.querySelector('.drop-target') !== null"),
               "a file that waited cannot be given up")
    page.go("totals")
    page.go("add", ".drop-target")
    page.script(REFUSE)
    page.script(DROP, "late.csv", TABLE)
    page.press(".drop-waits button.give-up")
    page.until(lambda: page.script("return document.querySelector('.drop-target') !== null"),
               "a file that waits cannot be given up")


PAID = """return fetch('/v1/expenses?limit=500').then((answer) => answer.json())
    .then(({ items }) => items.length)"""

# Loses the answer to the next decision, and keeps the keys of all.
LOSE_ANSWER = """const { fetch: real } = window; window.realFetch ??= real; window.keys = [];
    window.fetch = async (address, options) => {
        const answer = await window.realFetch(address, options);
        if (!String(address).startsWith('/v1/decisions')) return answer;
        window.keys.push(options.headers['Idempotency-Key'] ?? null);
        if (window.keys.length === 1) throw new TypeError('the answer is lost');
        return answer; }"""


def check_by_hand(page):
    """A trip and an expense are entered by hand, and taken back."""
    page.go("add", ".by-hand.expense")
    page.press(".by-hand.trip summary")
    before = trips(page, "")
    number = page.find(".by-hand.trip input[type=number]")
    number.send_keys("12.5")
    page.press(".by-hand.trip button.main")
    page.until(lambda: page.script("return document.querySelector('.toast button') !== null"), "a trip is not stored")
    today = page.script("return document.querySelector('.by-hand.trip input[type=datetime-local]').value.slice(0, 10)")
    expect(trips(page, f"from={today}&to={today}") >= 1, "a trip by hand is in no list")
    page.press(".toast button")
    page.until(lambda: trips(page, "") == before, "a trip by hand cannot be taken back")
    page.press(".by-hand.expense summary")
    page.find(".by-hand.expense input[type=number]").send_keys("3.20")
    currency = page.find(".by-hand.expense input[pattern]")
    currency.clear()
    currency.send_keys("eur")
    paid = page.script(PAID)
    page.script(LOSE_ANSWER)
    page.press(".by-hand.expense button.main")
    page.until(lambda: page.script("return window.keys.length") == 1, "an expense is not sent")
    page.until(lambda: page.script("return document.querySelector('.toast') !== null"),
               "an answer that is lost is not told")
    page.press(".by-hand.expense button.main")
    page.until(lambda: page.find(".by-hand.expense input[type=number]").get_attribute("value") == "",
               "an expense is not stored")
    keys = page.script("return window.keys")
    expect(len(keys) == 2 and keys[0] and keys[0] == keys[1], f"a second press has another key: {keys}")
    expect(page.script(PAID) == paid + 1, "an expense of which the answer was lost is stored twice")
    page.press(".toast button")
    page.until(lambda: page.script(PAID) == paid, "an expense of which the answer was lost cannot be taken back")
    page.script("window.fetch = window.realFetch")


def check_exports(page):
    """Lists, days and trips are had as files that are not empty."""
    for view, ready in (("trips?from=2025-06-01&to=2025-06-30", ".trip-row"), ("day/2025-06-12", ".strip")):
        page.go(view, ready)
        page.press("button.export")
        links = page.script(LINKS)
        expect(len(links) == 6, f"{view}: {len(links)} forms of files")
        get_all(page, links)
        page.press("dialog .buttons button")
    # An order is no filter, and a file can be of a device and of a state.
    source = page.script(SOURCE)
    page.go(f"trips?order=longest&todo=1&status=completed&source={source}", ".trip-row")
    page.press("button.export")
    links = page.script(LINKS)
    expect(all(f"source={source}" in link and "status=completed" in link and "order" not in link for link in links),
           f"the files of a device are {links[:1]}")
    get_all(page, links[:2])
    page.press("dialog .buttons button")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    page.go(f"trip/{trip}", "button.export")
    page.press("button.export")
    links = page.script(LINKS)
    for form in ("excel", "ics"):
        expect(any(f"form={form}" in link for link in links), f"a trip has no {form}")
    get_all(page, links)
    page.press("dialog .buttons button")


def get_all(page, links):
    for link in links:
        status, size = page.browser.execute_async_script(SIZE, link)
        expect(status == 200 and size > 100, f"{link}: {status}, {size} characters")


def check_expenses(page):
    """What was paid is listed, of days and of a trip; each is corrected, taken back and brought back, with undo."""
    trip = page.script("return fetch('/v1/trips?limit=1').then((answer) => answer.json())"
                       ".then(({ items }) => items[0].id)")
    page.go(f"trip/{trip}", ".details form")
    page.press(f"a[href='#/expenses?trip={trip}']")
    page.wait("expenses", ".by-hand.expense")
    page.press(".by-hand.expense summary")
    page.find(".by-hand.expense input[type=number]").send_keys("3.20")
    currency = page.find(".by-hand.expense input[pattern]")
    currency.clear()
    currency.send_keys("eur")
    page.browser.find_elements(By.CSS_SELECTOR, ".by-hand.expense input[maxlength='1000']")[0].send_keys("Receipt 17")
    page.press(".by-hand.expense button.main")
    row = "main .sheet tbody tr"
    page.until(lambda: "3.20" in page.find(row).text, "an expense of a trip is not listed")
    expect(page.find(".expense-sum").text == "1 expense · €3.20", f"the sum is {page.find('.expense-sum').text}")
    check_page(page.browser, "expenses of a trip")
    page.script("document.activeElement.blur()")
    page.keys("/")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog input[type=search]"), "nothing is searched")
    page.find("dialog input[type=search]").send_keys("parking")
    page.until(lambda: any("€3.20" in found for found in page.script(FOUND)), "the search finds no expense")
    page.keys(Keys.ESCAPE)
    page.press(f"{row} button.correct")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog form'))"), "nothing is asked")
    check_page(page.browser, "an expense is corrected")
    amount = page.find("dialog input[type=number]")
    expect(amount.get_attribute("value") == "3.2", "a correction begins otherwise")
    amount.clear()
    amount.send_keys("4.10")
    page.press("dialog button.main")
    page.until(lambda: "4.10" in page.find(row).text, "an expense is not corrected")
    page.until(lambda: page.script("return Boolean(document.querySelector('.toast button'))"),
               "a correction has no Undo")
    page.press(".toast button")
    page.until(lambda: "3.20" in page.find(row).text, "Undo does not take a correction back")
    page.press(f"{row} button.void")
    page.find("dialog input").send_keys("Twice")
    page.press("dialog .danger")
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, row), "an expense that was none is listed")
    page.press("main form .check input")
    page.until(lambda: "Twice" in page.find(row).text, "an expense that was none is in no list")
    page.press(f"{row} button.restore")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, f"{row} button.correct"), "it does not come back")
    expect("Twice" not in page.find(row).text, "why it was none is a note of it now")
    expect("Receipt 17" in page.find(row).text, "an expense comes back without its notes")
    page.press(f"{row} button.void")
    page.find("dialog input").send_keys("Tried")
    page.press("dialog .danger")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, f"{row} button.restore"), "an expense stays")


# Answers with seven pages of a thousand expenses.
MANY = """window.realFetch ??= window.fetch; window.fetch = async (address, options) => {
    if (!String(address).startsWith('/v1/expenses')) return window.realFetch(address, options);
    const page = Number(new URL(address, location.origin).searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: 1000 }, (_, n) => ({
        expense: String(page * 1000 + n).padStart(32, '0'), day: '2025-03-01', kind: 'toll', amount: 1,
        currency: 'EUR' }));
    const next = page < 6 ? String(page + 1) : null;
    return new Response(JSON.stringify({ items, has_more: next !== null, next_cursor: next }), { status: 200 }); }"""
SAID = "return document.querySelector('dialog [role=status]')?.textContent ?? ''"


def check_many_expenses(page):
    """A sum is of all expenses, and a search that shows some of them says so."""
    page.go("totals")
    page.script(MANY)
    page.go("expenses", ".expense-sum")
    page.until(lambda: page.find(".expense-sum").text == "7,000 expenses · €7,000.00",
               f"the sum of 7,000 expenses is {page.find('.expense-sum').text}")
    page.script("document.activeElement.blur()")
    page.keys("/")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog input[type=search]"), "nothing is searched")
    page.find("dialog input[type=search]").send_keys("toll")
    page.until(lambda: page.script(SAID).startswith("At least "), "a search does not say that there is more")
    page.keys(Keys.ESCAPE)
    page.script("window.fetch = window.realFetch")


def check_drop(page):
    page.shape(1280, 800, False)
    check_file(page)
    check_table(page)
    check_waiting(page)
    check_by_hand(page)
    check_expenses(page)
    check_many_expenses(page)
    check_exports(page)
