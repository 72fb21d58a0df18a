"""Has the page meet what goes wrong: an absent server, another version, no map, old browsers, mistakes of its own."""

import time

from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page
from page_views import DECIDE, DELIVER, READ

MAIN = "return document.querySelector('main').innerText"
TOAST = "return document.querySelector('.toast')?.textContent ?? ''"


def check_faults(page):
    page.shape(1280, 800, False)
    go_goes_where_positions_are(page)
    print_all(page)
    say_days(page)
    be_read(page)
    say_mistakes(page)
    leave_words(page)
    look_only(page)
    go_where_nothing_is(page)
    message_goes(page)
    edit_vehicle(page)
    name_end(page)
    be_on_paper(page)
    report_rests(page)
    remember_country(page)
    be_old(page)
    be_away(page)
    be_newer(page)
    lack_parts(page)
    lack_map(page)
    be_narrow(page)
    class_after_stop(page)
    page.shape(1280, 800, False)


def reload(page, view, selector="h1"):
    """Loads the page anew at a view."""
    page.browser.execute_script("location.hash = arguments[0]", f"/{view}")
    page.browser.refresh()
    page.wait(view.split("?")[0].split("/")[0], selector)


def forget_console(page):
    """What the browser notes of a fault that was made is no other fault."""
    page.browser.complaints()


def go_goes_where_positions_are(page):
    page.go("now", "form.go button")
    sources = page.script("""return fetch('/v1/status').then((answer) => answer.json()).then(({ sources }) =>
        sources.filter((one) => one.trip || (one.last_position
            && Date.now() - Date.parse(one.latest_at) < 28 * 24 * 3600000))
            .map(({ source }) => source))""")
    offered = page.script("return [...document.querySelectorAll('form.go select')[0].options].map((o) => o.value)")
    expect(offered and set(offered) <= set(sources), f"GO is offered for {offered}, positions come from {sources}")


def print_all(page):
    """The button prints every trip of the filters, though only the first of them were read."""
    query = "from=2025-01-15&to=2025-12-15"
    number = page.script("""const read = async (cursor) => {
        const answer = await fetch(`/v1/trips?limit=500&${arguments[0]}${cursor ? `&cursor=${cursor}` : ''}`);
        const { items, next_cursor: next, has_more: more } = await answer.json();
        return items.length + (more ? await read(next) : 0); }; return read(null)""", query)
    page.go("totals")
    page.go(f"trips?{query}", ".trip-row")
    page.script("""window.printed = null; window.print = () => {
        window.printed = document.querySelectorAll('.trip-row').length; }""")
    page.script("""[...document.querySelectorAll('main .tools button')]
        .find((one) => one.textContent === 'Print').click()""")
    page.until(lambda: page.script("return window.printed") is not None, "Print prints nothing")
    printed = page.script("return window.printed")
    expect(printed == number, f"{printed} of {number} trips are printed")
    page.script("""[...document.querySelectorAll('main .tools button')]
        .find((one) => one.textContent === 'Sum').click()""")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog tfoot"), "the trips have no sum")
    check_page(page.browser, "the sum of trips")
    counted = page.find("dialog tfoot td").text.replace(",", "")
    expect(counted == str(number), f"the sum is of {counted} trips, not {number}")
    page.find("dialog button.main").click()
    page.go("totals")
    page.go("trips", ".trip-row")
    page.script("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.script("return document.querySelector('.on-paper')?.hidden") is False,
           "a print from the browser's menu does not say that trips are missing")


# Times of a trip over midnight, and of one of eleven days, in the page's words.
SAY_DAYS = """const [done] = arguments;
    const base = document.querySelector('script[type=module]').src.replace('app.js', '');
    Promise.all([import(`${base}formats.js`), import(`${base}chart.js`)]).then(([{ clocks }, { makeChart }]) => {
        const days = Array.from({ length: 60 }, (_, n) => ({
            position: [4, 52], at: Date.UTC(2025, 2, 1) / 1000 + n * 16000, along: n, speed: n % 9,
            time: new Date(Date.UTC(2025, 2, 1) + n * 16000000).toISOString(), isAfterGap: false }));
        const made = makeChart(days, () => {}, new AbortController().signal);
        const holder = document.querySelector('main');
        holder.append(made.element);
        setTimeout(() => {
            const labels = [...made.element.querySelectorAll('svg text[text-anchor=middle]')];
            const boxes = labels.map((one) => one.getBoundingClientRect());
            const isFree = boxes.every((box, n) => n === 0 || box.left > boxes[n - 1].right);
            done([clocks('2025-03-14T23:10:00+01:00', '2025-03-15T00:20:00+01:00'),
                  labels.map((one) => one.textContent), isFree]);
            made.element.remove();
        }, 500);
    }, (error) => done([String(error), [], false]))"""


def say_days(page):
    page.go("vehicles")
    over, labels, is_free = page.browser.execute_async_script(SAY_DAYS)
    expect("15 Mar" in over and "14 Mar" not in over, f"a trip over midnight has the times {over}")
    expect(len(labels) > 3 and all("Mar" in one for one in labels), f"the axis of eleven days says {labels}")
    expect(is_free, f"the days of the axis lie on each other: {labels}")


# Has one path answer late, or otherwise.
ANSWER = """const { fetch: real } = window; window.realFetch ??= real; const [path, wait, body] = arguments;
    window.fetch = async (address, options) => {
        if (!String(address).startsWith(path)) return window.realFetch(address, options);
        await new Promise((resolve) => setTimeout(resolve, wait));
        return body === null ? window.realFetch(address, options) : new Response(body, { status: 200 }); }"""
ANSWER_ALL = "window.fetch = window.realFetch"


def be_read(page):
    """A view that is slow says so."""
    page.go("vehicles")
    page.script(ANSWER, "/v1/totals", 1500, None)
    page.script("location.hash = '/totals'")
    page.until(lambda: "Reading…" in page.script(MAIN), "a slow view shows nothing while it is read", 3)
    page.wait("totals", "table")
    expect("Reading…" not in page.script(MAIN), "a view that is there is still being read")
    page.script(ANSWER_ALL)


def say_mistakes(page):
    """A mistake of the page is none of the server's."""
    reload(page, "totals")
    page.script(ANSWER, "/v1/totals", 0, '{"items":[{"kind":"group","name":null}],"has_more":false}')
    page.script("location.hash = '/vehicles'")
    page.wait("vehicles")
    page.script(ANSWER, "/v1/totals", 0, '{"has_more":false}')
    page.script("location.hash = '/totals'")
    page.until(lambda: page.script("return Boolean(document.querySelector('main [role=alert]'))"),
               "a mistake is not shown")
    text = page.script(MAIN)
    expect("mistake" in text and "cannot be reached" not in text, f"a mistake of the page is: {text}")
    page.script(ANSWER_ALL)
    forget_console(page)


def leave_words(page):
    """What was typed and not saved is told of, and there again."""
    page.go("totals")
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    page.go(f"trip/{trip}", ".details form")
    page.find(".details form input").send_keys("Not saved")
    page.go("totals")
    page.until(lambda: "not saved" in page.script(TOAST), "typed words are lost without a word")
    page.press(".toast button")
    page.wait("trip", ".details form")
    value = page.find(".details form input").get_attribute("value")
    expect(value.endswith("Not saved"), f"typed words are gone: {value}")
    page.script("""const input = document.querySelector('.details form input'); input.value = '';
        input.dispatchEvent(new Event('input', { bubbles: true }))""")
    page.go("totals")
    page.script("document.getElementById('toasts').replaceChildren()")


def look_only(page):
    """A trip that was only looked at has nothing unsaved, though a text of it has blanks at its ends."""
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    before = page.script(READ, trip).get("purpose")
    expect(page.script(DECIDE, trip, {"purpose": " spaced  "}) == 200, "a purpose with blanks is refused")
    page.go(f"trip/{trip}", ".details form")
    page.go("totals")
    # What is unsaved is told right after the view is left.
    page.until(lambda: page.script("return document.querySelectorAll('main table').length") > 0, "no totals come")
    expect("not saved" not in page.script(TOAST), "a trip that was only looked at has something unsaved")
    page.script(DECIDE, trip, {"purpose": before})


def go_where_nothing_is(page):
    """An address in which nothing can be written is an unknown one; a year without trips is shown as it is."""
    page.go("totals")
    page.script("location.hash = '/trip/%E0%A4%A'")
    page.wait("now")
    page.go("totals?year=1999", ".calendar")
    expect(page.script("return document.querySelector('main select').value") == "1999", "another year is shown")


def message_goes(page):
    """A message goes with its view."""
    page.go("trips?from=2025-04-01&to=2025-04-30", ".trip-row")
    page.keys("j", "c")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "there is no Undo")
    ActionChains(page.browser).move_to_element(page.find(".toast button")).perform()
    check_page(page.browser, "a message under the pointer")
    page.go("totals")
    expect(not page.script(TOAST), "a message stays when its view is left")
    page.browser.back()
    page.wait("trips", ".trip-row.current")
    page.keys("u")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".toast button"), "there is no Undo")
    page.script("document.getElementById('toasts').replaceChildren()")


VEHICLE = """return fetch('/v1/vehicles').then((answer) => answer.json())
    .then(({ items }) => items.find(({ vehicle }) => vehicle === arguments[0]) ?? null)"""
TYPE = """const form = document.querySelector(arguments[0]); const label = [...form.querySelectorAll('label')]
    .find((one) => one.textContent === arguments[1]); const control = document.getElementById(label.htmlFor);
    control.value = arguments[2]"""


def edit_vehicle(page):
    """A vehicle is entered, edited, and as it was."""
    # A ledger that was tried before has one of that name.
    name = f"Faults {int(time.time())}"
    page.go("vehicles")
    page.script("""const part = [...document.querySelectorAll('main > details')].at(-1); part.open = true;
        part.querySelector('form').className = 'entering'""")
    page.script(TYPE, "form.entering", "Name", name)
    page.script(TYPE, "form.entering", "Plate", "AB-12")
    page.script("document.querySelector('form.entering button').click()")
    page.until(lambda: page.script(VEHICLE, name) is not None, "a vehicle is not entered")
    card = """const card = [...document.querySelectorAll('article')].find((one) =>
        one.querySelector('h2').textContent === arguments[0]); if (!card) return false;
        const part = card.querySelector('details.edit'); part.open = true;
        part.querySelector('form').className = 'editing'; return true"""
    page.until(lambda: page.script(card, name), "a new vehicle is not shown")
    check_page(page.browser, "editing a vehicle")
    page.script(TYPE, "form.editing", "Plate", "CD-34")
    page.script("document.querySelector('form.editing button').click()")
    page.until(lambda: page.script(VEHICLE, name)["plate"] == "CD-34", "a vehicle is not edited")
    page.until(lambda: "CD-34" in page.script(MAIN), "an edited vehicle is not shown")


UNNAMED = r"""return fetch('/v1/trips?limit=500').then((answer) => answer.json()).then(({ items }) =>
    items.find(({ from, start }) => start && (!from || /^-?\d+\.\d+, /.test(from))) ?? null)"""


def name_end(page):
    """The end of a trip is named just there, in a dialog."""
    trip = page.script(UNNAMED)
    if trip is None:
        print("page: every trip begins at a place; naming one is tried with a book without places")
        return
    page.go("totals")
    page.go(f"trip/{trip['id']}", ".details form")
    page.press("main .name-place")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .place-form"), "nothing asks for a name")
    lat = page.script("""return document.querySelector("dialog input[step='0.00001']").value""")
    expect(abs(float(lat) - trip["start"]["lat"]) < 0.0001, f"the new place is at {lat}, not at {trip['start']}")
    check_page(page.browser, "naming the end of a trip")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "dialog"), "Escape does not close")


def be_on_paper(page):
    """On paper a control shows all of its text, and colours that say something stay."""
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    page.go(f"trip/{trip}", ".details form")
    words = "A long purpose that no control is wide enough for, and then some more"
    page.script("""document.querySelector('.details form input').value = arguments[0];
        window.dispatchEvent(new Event('beforeprint'))""", words)
    shown = page.script("return document.querySelector('.details form input').closest('.field').dataset.paper")
    expect(shown == words, f"a printed purpose is {shown}")
    page.script("document.querySelector('.details form input').value = ''")
    page.go("totals", ".legend")
    kept = page.script("return getComputedStyle(document.querySelector('.swatch')).printColorAdjust")
    expect(kept == "exact", "a legend loses its colours on paper")
    # The bar of the year by class, wherever there is one. WebKit forces no colours.
    forced = page.script("""const bar = document.createElement('div'); bar.className = 'shares';
        bar.append(document.createElement('span')); document.body.append(bar);
        const value = getComputedStyle(bar.firstChild).forcedColorAdjust; bar.remove(); return value ?? 'none'""")
    expect(forced == "none", "the year by class loses its colours where colours are forced")


def report_rests(page):
    """A report that is there is measured no more."""
    page.go("reports/log?year=2025", ".report-holder")
    page.until(lambda: page.script("""return document.querySelector('iframe.report')?.contentDocument
        ?.readyState === 'complete' && document.querySelector('.report-holder [role=status]').textContent === ''"""),
        "the mileage log does not come")
    time.sleep(1)
    height = "return document.querySelector('iframe.report').offsetHeight"
    first = page.script(height)
    time.sleep(1)
    expect(page.script(height) == first, "a report grows for ever")


COUNTRY = """return [...document.querySelectorAll('main form label')]
    .find((one) => one.textContent === 'Country')?.nextElementSibling"""


def remember_country(page):
    """The country of one report is that of the next."""
    page.go("reports/summary?year=2025", ".report-holder")
    page.script(f"""const control = (() => {{ {COUNTRY} }})(); control.value = 'nl';
        control.dispatchEvent(new Event('change', {{ bubbles: true }}))""")
    page.go("totals")
    page.go("reports/claim?year=2025", ".report-holder")
    country = page.script(f"return (() => {{ {COUNTRY} }})()?.value")
    expect(country == "nl", f"a claim asks for its country again: {country}")
    page.script("localStorage.removeItem('jurisdiction')")


def be_old(page):
    """The views work where newer functions are missing."""
    page.script("""delete AbortSignal.any; delete Array.prototype.toReversed; delete window.requestIdleCallback;
        delete Array.prototype.toSorted""")
    for view, selector in (("places", ".place-row"), ("totals", "table"), ("reports/log?year=2025", ".report-holder")):
        page.go(view, selector)
        expect(not page.browser.find_elements(By.CSS_SELECTOR, "main > .warning"), f"{view} fails in an old browser")
    forget_console(page)


def network(page, is_there):
    page.browser.cut_off(not is_there)


AWAY = "return document.getElementById('away').hidden === false"


def be_away(page):
    """While the server is away that is said; a view first opened meanwhile comes by itself when it is back."""
    if not page.browser.can("network", "a server that is away"):
        return
    reload(page, "vehicles")
    page.script("return new Promise((done) => setTimeout(done, 4000))")
    network(page, False)
    page.script("location.hash = '/proof'")
    page.until(lambda: page.script(AWAY), "nothing says that the server is away", 15)
    expect("since" in page.script("return document.getElementById('away').textContent"), "it is not said since when")
    page.until(lambda: page.script("return Boolean(document.querySelector('main [role=alert]'))"),
               "a view without a server says nothing")
    expect("cannot be reached" in page.script(MAIN), f"without a server a view says: {page.script(MAIN)}")
    network(page, True)
    page.until(lambda: page.script("return document.querySelectorAll('main section').length > 0"),
               "a view does not come when the server is back", 30)
    expect(not page.script(AWAY), "the server is back, and still said to be away")
    forget_console(page)


def be_newer(page):
    """A file that does not come is told from an absent server, and from another version."""
    if not page.browser.can("block", "a file of the page that does not come"):
        return
    for block, version, words in (("/proof.js", None, "could not be loaded"), ("/proof.js", "0", "newer version")):
        page.browser.block(block)
        reload(page, "vehicles")
        if version:
            page.script(ANSWER, "/", 0, f'<script type="module" src="/assets/{version}/app.js"></script>')
        page.script("location.hash = '/proof'")
        page.until(lambda: words in page.script(MAIN), f"a file that does not come: {page.script(MAIN)}", 15)
        page.browser.block()
        page.press("main button")
        page.wait("proof", "section")
    forget_console(page)


def lack_parts(page):
    """The search, or a language, that does not come says what a view says, and how it is had."""
    if not page.browser.can("block", "a part of the page that does not come"):
        return
    page.browser.block("/finder.js", "/texts/nl.js")
    reload(page, "vehicles")
    is_said = """const text = document.querySelector('.toast')?.textContent ?? '';
        return text.includes('could not be loaded') && text.includes('Load it')"""
    page.script("document.activeElement.blur()")
    page.keys("/")
    page.until(lambda: page.script(is_said), "a search that does not come is not told of", 15)
    page.script("document.getElementById('toasts').replaceChildren()")
    page.script("document.querySelector('#navigation button.rare').click()")
    page.script("""const select = [...document.querySelectorAll('dialog select')].find(({ options }) =>
        [...options].some(({ value }) => value === 'nl')); select.value = 'nl';
        select.dispatchEvent(new Event('change', { bubbles: true }))""")
    page.until(lambda: page.script(is_said), "a language that does not come is not told of", 15)
    page.browser.block()
    reload(page, "vehicles")
    expect(page.script("return document.documentElement.lang").startswith("en"), "a language that did not come is kept")
    forget_console(page)


def lack_map(page):
    """Without Leaflet, its sheet of styles too, a view shows all but its map."""
    if not page.browser.can("block", "a page without Leaflet"):
        return
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    page.browser.block("/leaflet.js", "/leaflet.css")
    reload(page, f"trip/{trip}", ".details form")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".chart"), "without a map there is no chart")
    expect("There is no map" in page.script(MAIN), "nothing says that there is no map")
    for view, selector in (("now", "form.go"), ("places", ".place-row")):
        page.go(view, selector)
        expect(not page.browser.find_elements(By.CSS_SELECTOR, "main > .warning"), f"{view} fails without a map")
    page.browser.block()
    reload(page, "now", ".leaflet-container")
    forget_console(page)


def be_narrow(page):
    """On a telephone GO is seen at once, and the bar names all that is done on the way."""
    page.shape(360, 740, False)
    page.go("totals", ".plot")
    end = page.script("""const plot = document.querySelector('.plot');
        return plot.scrollWidth <= plot.clientWidth || plot.scrollLeft > 0""")
    expect(end, "the totals of a year begin with its oldest months")
    page.go("now", "form.go button")
    low = page.script("return document.querySelector('form.go button.go').getBoundingClientRect().bottom")
    bar = page.script("return document.querySelector('.bar').getBoundingClientRect().top")
    expect(low <= bar <= 740, f"GO ends at {low}, the bar begins at {bar}")
    names = page.script("""return [...document.querySelectorAll('#navigation a, #navigation button')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right <= innerWidth)
        .map((one) => one.firstChild.textContent)""")
    expect(names == ["Home", "Record", "Inbox", "Trips", "More"], f"the bar names {names}")
    page.press("#navigation .rest")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog a"), "More shows nothing")
    check_page(page.browser, "the views behind More")
    page.find("dialog a[href='#/vehicles']").click()
    page.wait("vehicles")
    expect(not page.browser.find_elements(By.CSS_SELECTOR, "dialog"), "More stays when a view was chosen")
    have_room(page)
    page.go("reports/log?year=2025", ".report-holder")
    page.until(lambda: "sideways" in page.find(".report-holder").text, "nothing says that a report is wider")
    page.go("inbox", ".inbox-row")
    tall = page.script("return document.querySelector('.inbox-row:not(.current)').offsetHeight")
    expect(tall <= 150, f"a trip in the inbox takes {tall} pixels")


# The longest times: of two days, with their distance from UTC, on clocks of twelve hours and in other words.
LONG_TIMES = ("11:10 p.m. +02:00 – 1 Oct, 12:20 a.m. +05:30", "23:10 UTC+02:00 – 30 sept. 2026, 00:20 UTC+05:30",
              "11:10 PM +02:00 – 12:20 AM +05:30", "23:10+02:00 – 00:20+05:30")
OVERLAPS = """const row = document.querySelector('.trip-row'); const of = (one) => row.querySelector(one);
    const times = of('.times'); const before = times.textContent; times.textContent = arguments[0];
    const range = document.createRange(); range.selectNodeContents(times);
    const boxes = [range, of('.length'), of('.chip')].map((one) => one.getBoundingClientRect());
    times.textContent = before;
    return boxes.some((box, n) => box.right > innerWidth || boxes.some((other, m) => m > n && box.left < other.right
        && other.left < box.right && box.top < other.bottom && other.top < box.bottom))"""


def have_room(page):
    """The times of a trip, however long, its way and its class lie beside one another."""
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row")
    for times in LONG_TIMES:
        expect(not page.script(OVERLAPS, times), f"on a telephone the times {times} lie over something else")


def class_after_stop(page):
    """After STOP one press says what the trip was."""
    page.go("now", "form.go button")
    source = page.script("return document.querySelector('form.go select').value")
    page.press("form.go button")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "button.stop"), "GO starts no trip")
    for number in range(8):
        page.script(DELIVER, source, 51.95 + number * 0.00014)
        time.sleep(1.1)
    first = page.script("""const of = (one) => document.querySelector(one).getBoundingClientRect().top;
        return of('button.stop') < of('form.go')""")
    expect(first, "on a telephone GO stands before what goes on")
    page.press("article button.stop")
    choice = "article .choices .class-business"
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, choice), "after STOP no class is offered"):
        return
    check_page(page.browser, "after STOP")
    seen = page.script("return document.querySelector(arguments[0]).getBoundingClientRect().bottom", choice)
    expect(seen < 740 - 57, f"on a telephone the classes after STOP end at {seen}")
    trip = page.script("return document.querySelector('article a.main').hash.split('/').at(-1)")
    page.press(choice)
    page.until(lambda: page.script(READ, trip)["class"] == "business", "a press after STOP classes no trip")
    page.press(".toast button")
    page.until(lambda: page.script(READ, trip)["class"] == "unclassified", "a class after STOP is not undone")
