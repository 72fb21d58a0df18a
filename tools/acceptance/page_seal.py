"""Proof made visible: a trip's proof as a file, a report that is handed out by a link that checks itself, and the
page that opens without its server."""

import tempfile
import time

from selenium.webdriver.common.by import By

from book import Book, expect, simulate
from page_browser import browser
from page_checks import READ_PAGE, check_console, check_page
from page_heads import Signers
from page_served import serve
from page_views import Page

# What the page hands to the browser to be kept as a file.
CATCH = """window.kept = null; URL.createObjectURL = (blob) => {
    blob.text().then((text) => { window.kept = text; }); return 'data:text/plain,'; };
    HTMLAnchorElement.prototype.click = () => {}"""
# A trip of which everything stands under the signed head.
PROVED = """const [done] = arguments;
    fetch('/v1/trips?to=2025-01-31&limit=50').then((answer) => answer.json()).then(async ({ items }) => {
        for (const { id } of items) if ((await fetch(`/v1/trips/${id}/proof`)).ok) { done(id); return; }
        done(null);
    })"""
# How many entries of a proof are in the log, by the page's own module.
COUNT = """const [text, done] = arguments;
    const base = document.querySelector('script[type=module]').src.replace('app.js', '');
    import(`${base}entryproof.js`).then(async ({ readProof, checkEntry }) => {
        const lines = text.split('\\n').filter(Boolean).map((line) => JSON.parse(line));
        const proofs = lines.filter(({ proof }) => proof).map((line) => readProof([line]));
        const found = await Promise.all(proofs.map((one) => checkEntry(one, '00'.repeat(32))));
        done([proofs.length, found.filter(({ isIncluded }) => isIncluded).length, 'head' in lines[0]]);
    }, (error) => done([String(error), 0, false]))"""
VERDICT = "return document.querySelector('.verdict')?.dataset.state ?? null"
# One byte of the report becomes another on its way.
FAULT = """const real = window.fetch; window.fetch = async (path, options) => {
    const answer = await real(path, options); if (!String(path).endsWith('/file')) return answer;
    const bytes = new Uint8Array(await answer.arrayBuffer()); bytes[bytes.length >> 1] ^= 1;
    return new Response(bytes, { status: 200 }); }"""


def check_file(page):
    """The proof of a trip is a file, and the page's own verifier finds every entry of it in the log."""
    trip = page.browser.execute_async_script(PROVED)
    if trip is None:
        print("page: no head is signed here; proofs of trips were not tried")
        return
    page.go(f"trip/{trip}", "button.proof-file")
    page.script(CATCH)
    page.press("button.proof-file")
    page.until(lambda: page.script("return window.kept") is not None, "a trip's proof is no file")
    number, included, has_head = page.browser.execute_async_script(COUNT, page.script("return window.kept"))
    expect(has_head and isinstance(number, int) and number > 2 and number == included,
           f"of {number} entries of a trip's proof {included} are in the log")
    page.browser.refresh()
    page.wait("trip", "button.proof-file")


def check_seen(page, place):
    """The page of a link has enough contrast, large targets, and no complaint."""
    read = page.script(READ_PAGE)
    for kind in ("contrast", "small", "twice", "violations"):
        expect(not read[kind], f"{place}: {kind}: {'; '.join(map(str, read[kind][:5]))}")
    expect(read["headings"] == 1 and read["overflow"] <= 0, f"{place}: {read['headings']} headings, too wide by "
           f"{read['overflow']}")
    check_console(page.browser, place)


def hand_out(page):
    """Hands the mileage log out, and returns the link that is made of it."""
    page.shape(1280, 800, False)
    page.go("reports/log?year=2025", "button.hand-out")
    page.press("main button.hand-out")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog button.hand-out"), "nothing is asked")
    check_page(page.browser, "handing a report out")
    page.find("dialog button.hand-out").click()
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog button.make-link"),
                      "a report is not handed out", 180):
        return None
    page.find("dialog button.make-link").click()
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog pre"), "no link is made")
    page.until(lambda: page.script("return document.querySelector('dialog img.code')?.naturalWidth > 0"),
               "the link has no code to scan")
    check_page(page.browser, "a link of a report")
    return page.find("dialog pre").text


def verdict(page, wanted, sentence):
    page.until(lambda: page.script(VERDICT) is not None, f"{sentence}: the link's page checks nothing")
    found = page.script(VERDICT)
    expect(found == wanted, f"{sentence}: {found}: {page.find('main').text[:600]}")


def check_link(page, sign):
    """A link checks itself: what is not signed, what is right, and what was changed on the way."""
    link = hand_out(page)
    if link is None:
        return
    expect("/reports/" in link and "#" in link, f"the link brings no key: {link}")
    here = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(link)
    verdict(page, "open", "a report that no signed head covers")
    # That there is no proof yet is answered as such.
    page.browser.complaints()
    sign()
    for width, height in ((360, 740), (1280, 800)):
        page.shape(width, height, width < 500)
        page.browser.get("about:blank")
        page.browser.get(link)
        verdict(page, "good", "a report under a signed head")
        page.until(lambda: page.script("return document.querySelector('iframe.report')?.contentDocument?.readyState")
                   == "complete", "the report is not shown")
        time.sleep(0.5)
        verdict(page, "good", "a report that is shown")
        check_seen(page, f"the page of a link, {width} px")
    if page.browser.can("before", "a report of which a byte was changed"):
        made = page.browser.before(FAULT)
        page.browser.get("about:blank")
        page.browser.get(link)
        verdict(page, "bad", "a report of which a byte was changed")
        page.browser.forget(made)
    page.browser.switch_to.window(here)
    page.press("dialog li button")
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "dialog li"), "the link does not end")
    page.browser.switch_to.window([one for one in page.browser.window_handles if one != here][0])
    page.browser.get("about:blank")
    page.browser.get(link)
    page.until(lambda: "no longer valid" in page.find("main").text, "a link that was ended shows a report")
    page.browser.complaints()
    page.browser.close()
    page.browser.switch_to.window(here)
    page.find("dialog > .buttons:last-child button").click()
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "dialog"), "the dialog stays")


ROWS = """const [done] = arguments; caches.has('rows').then(async (isThere) =>
    done(isThere ? (await (await caches.open('rows')).keys()).length : 0))"""
FILES = """const [done] = arguments; navigator.serviceWorker.ready.then(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('page '));
    done(names.length === 1 ? (await (await caches.open(names[0])).keys()).length : 0); })"""


def keep(page):
    """Switches reading without a network on, as the settings do, and reads some views."""
    page.go("now", ".card")
    page.script("document.querySelector('#navigation button.rare').click()")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .offline input"),
               "the settings say nothing of reading without a network")
    check_page(page.browser, "settings")
    page.script("document.querySelector('dialog .offline input').click()")
    page.find("dialog button.main").click()
    page.browser.refresh()
    page.wait("now", ".card")
    for view, selector in (("trips", ".trip-row"), ("totals", "table"), ("places", ".place-row")):
        page.go(view, selector)
    page.go("trips", ".trip-row")
    trip = page.script("return document.querySelector('.trip-row').dataset.trip")
    page.go(f"trip/{trip}", ".details form")
    time.sleep(1)
    return trip


def check_kept(page, served):
    """Without its server the page opens, with what was read, and says as of when that is."""
    trip = keep(page)
    kept, files = (page.browser.execute_async_script(one) for one in (ROWS, FILES))
    expect(kept > 5 and files > 60, f"{kept} answers and {files} files are kept")
    served.process.terminate()
    served.process.wait()
    for view, selector in (("trips", ".trip-row"), (f"trip/{trip}", ".details form"), ("totals", "table")):
        page.script("location.hash = arguments[0]", f"/{view}")
        page.browser.refresh()
        page.wait(view.split("/")[0], selector)
    page.until(lambda: "as of" in page.find("#away").text, f"it is not said as of when: {page.find('#away').text}")
    check_page(page.browser, "without a server")
    page.browser.complaints()


def check_not_kept(page, served):
    """Nothing is kept when the session is left, and for a session that sees a part."""
    keep(page)
    page.script("document.querySelector('#navigation button.rare').click()")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .buttons button"), "there are no settings")
    page.script("document.querySelector('dialog .buttons button:not(.main)').click()")
    page.wait("signed-out")
    page.until(lambda: page.browser.execute_async_script(ROWS) == 0, "what was read stays when the session is left")
    made = served.book.run("token", "new", "part", "--page", "--scope", "read", "--source", "phone", "--url",
                           served.origin)
    link = next(word for word in made.stdout.decode().split() if "#login=" in word)
    # The page that was left lets the next one in. It begins anew: what it has in memory is not theirs.
    page.script("window.wasBefore = true")
    page.browser.get(link)
    # The view that was left is asked for again, and this session sees nothing of its trip.
    page.wait("trip", "[role=alert]")
    expect(not page.script("return window.wasBefore"), "the page goes on with what another session has read")
    page.go("trips")
    time.sleep(1)
    expect(page.browser.execute_async_script(ROWS) == 0, "what a session reads of a part is kept")
    page.browser.complaints()


def check_offline(program):
    """The page that is kept, on a server of its own."""
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        lines = simulate(program, "--start", "2025-01-01", "--days", "7", "--places")
        book.append(b"\n".join(lines) + b"\n")
        for check in (check_not_kept, check_kept):
            with serve(book) as served, browser() as made:
                if made.can("workers", "the page without its server"):
                    check(Page(made, served.link("browser")), served)


def check_proofs(page, sign):
    """What is proved where it is seen; `sign` signs the head of the ledger that is served."""
    check_file(page)
    check_link(page, sign)


def check_seal(program):
    """All of it, on ledgers of its own."""
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        lines = simulate(program, "--start", "2025-01-01", "--days", "60", "--places")
        book.append(b"\n".join(lines) + b"\n")
        signers = Signers(program, book, directory)
        signers.sign()
        with serve(book) as served, browser() as made:
            page = Page(made, served.link("browser"))
            page.script("localStorage.setItem('verifier-keys', arguments[0])", signers.verifiers[0])
            check_proofs(page, signers.sign)
    check_offline(program)
