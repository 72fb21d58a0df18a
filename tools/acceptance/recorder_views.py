"""Visits every state of the recorder's page, and does in it what a driver does."""

import gzip
import json
import re
import time
import urllib.request

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from book import REPOSITORY, expect
from page_checks import check_console, check_focus, check_page, check_requests
from page_texts import shared_words
from page_views import SIZES, shoot
from recorder_pages import Recorder

MOST_KILOBYTES = 60
BIG = "return [...document.querySelectorAll('main button, main select, main input, main summary')]" \
    ".filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())" \
    ".filter(({ width, height }) => width < 44 || height < 44).length"

EVENTS = [
    {"type": "vehicle_registered", "source": "manual", "occurred_at": "2026-01-01T00:00:00Z",
     "vehicle": "van", "plate": "AB-123-C"},
    {"type": "routine_saved", "source": "manual", "occurred_at": "2026-01-01T00:00:00Z",
     "routine": "To the depot", "purpose": "Depot", "class": "business"},
]

# Puts events into the queue as an older page might have left them.
LEAVE = """const [events, done] = arguments;
    indexedDB.open('recorder').onsuccess = ({ target: { result } }) => {
        const writing = result.transaction(['notes', 'waiting'], 'readwrite');
        writing.objectStore('notes').get('numbers').onsuccess = ({ target: { result: numbers } }) => {
            const { device, next } = numbers;
            writing.objectStore('notes').put({ ...numbers, next: next + events.length }, 'numbers');
            events.forEach((event, index) => {
                const sequence = next + index;
                writing.objectStore('waiting').add({
                    sequence, event: { ...event, sequence, id: `recorder:${device}:${sequence}` },
                });
            });
        };
        writing.oncomplete = () => { result.close(); done(); };
    };"""
# A malformed event.
SPOILT = {"type": "fix_recorded", "source": "x", "occurred_at": "2026-01-01T10:00:00Z", "lat": 91, "lon": 4}
NO_TRIP = "0123456789abcdef0123456789abcdef"


class Visit:
    """A visit to all states, in one look."""

    def __init__(self, page, book, screenshots):
        self.page = page
        self.book = book
        self.screenshots = screenshots
        self.look = ""

    def shape(self, width, height, is_dark):
        self.page.shape(width, height, is_dark)
        self.look = f"{width}-{'dark' if is_dark else 'light'}"

    def check(self, name):
        """Checks the page as it stands."""
        place = f"recorder, {name} {self.look}"
        time.sleep(0.3)
        shoot(self.page, self.screenshots, f"recorder-{name}-{self.look}", whole=True)
        check_page(self.page.browser, place)
        expect(self.page.script(BIG) == 0, f"{place}: something to press is below 44 px")

    def signed_out(self):
        """Comes without a session: it says so, and lets in."""
        page = self.page
        page.browser.delete_all_cookies()
        page.open()
        page.until(lambda: page.has(".signing form"), "nothing says that the page is signed out")
        self.check("signed-out")
        page.find(".signing input").send_keys("nonsense")
        page.find(".signing button").click()
        page.until(lambda: "too old" in page.find(".signing form").text, "a wrong code is not told")
        self.sign_in()
        drop_refusals(page, "signing in")

    def sign_in(self, *scopes):
        field = self.page.find(".signing input")
        field.clear()
        # No recorder needs more.
        options = [f"--scope={scope}" for scope in scopes or ("ingest", "edit", "read")]
        field.send_keys(self.book.link("phone", *options))
        self.page.press(".signing button")
        signed_out = "return document.querySelector('.signing')?.textContent.includes('signed out')"
        self.page.until(lambda: not self.page.script(signed_out), "a link does not sign in")

    def idle(self):
        page = self.page
        page.until(lambda: "van" in page.find(".stage").text, "the vehicles of the ledger are not there")
        self.check("idle")
        check_focus(page.browser, f"recorder, idle {self.look}", least=6)
        page.press("summary")
        self.check("settings")
        page.press("summary")

    def refusal(self):
        """Presses GO where the location is refused: it is said what to do."""
        page = self.page
        page.allow_location(False)
        page.press("button.start")
        page.until(lambda: "Allow" in page.find(".notices").text, "a refusal is not explained")
        self.check("refused-location")
        page.allow_location()
        page.put_at(52.1, 4.3, 7)
        page.until(lambda: page.when_noted(1) >= 1, "nothing goes on when the location is allowed after all")
        page.until(lambda: not page.has(".notices .warning"), "the refusal is still told")
        self.stop()
        page.press(".describe button:not(.main)")

    def nothing(self):
        """A drive without a position is no trip to be asked about."""
        page = self.page
        page.allow_location(False)
        page.press("button.start")
        page.until(lambda: page.has("button.end"), "GO starts nothing")
        page.press("button.end")
        page.until(lambda: page.has("button.start"), "STOP ends nothing")
        expect(not page.has(".describe"), "a drive without a position is asked about")
        expect("no trip" in page.find("#toasts").text, "nothing says that there was no trip")
        page.allow_location()

    def driving(self):
        """Records a few positions, good and bad ones."""
        page = self.page
        page.script("const s = document.querySelector('.choices-of-drive select'); s.value = 'van';")
        page.press("button.start")
        # The device's last position comes at once.
        page.when_noted(1)
        for number in range(1, 7):
            page.put_at(52.1 + number / 4000, 4.3, 6, speed=13.9, heading=0, altitude=2)
            page.when_noted(number + 1)
        self.check("driving")
        expect("km/h" in page.find(".live").text, "no speed is shown")
        page.put_at(52.102, 4.3, 800)
        page.until(lambda: "only to" in page.find(".stage").text, "an inaccurate position is not told")
        self.check("inaccurate")

    def rest(self):
        """Rests on the way: no position is taken, a reload changes nothing, and the way goes on after it."""
        page = self.page
        expect(page.has(".sketch path.way"), "the way of the drive is not drawn")
        page.press("button.pause")
        page.until(lambda: "Paused since" in page.find(".stage").text, "a drive does not pause")
        before = page.stored()["drive"]
        page.put_at(52.3, 4.3, 6, speed=13.9, heading=0, altitude=2)
        self.check("paused")
        expect(page.stored()["drive"]["fixes"] == before["fixes"], "a drive that pauses takes a position")
        page.browser.refresh()
        page.until(lambda: "Paused since" in page.find(".stage").text, "a reload ends the pause")
        page.put_at(52.1025, 4.3, 6, speed=13.9, heading=0, altitude=2)
        page.press("button.start")
        page.until(lambda: page.has("button.end"), "a drive does not go on after a pause")
        page.when_noted(before["fixes"] + 1)
        now = page.stored()["drive"]
        expect(now["distance"] == before["distance"], "what lies in a pause adds distance")
        expect(None in now["way"], "the way leads on through the pause")

    def second_tab(self):
        """Opens a second tab: it does not record too."""
        page = self.page
        first = page.browser.current_window_handle
        page.browser.switch_to.new_window("tab")
        page.open()
        page.until(lambda: "Another tab" in page.find(".stage").text, "a second tab does not see the first")
        expect(not page.has("button.press"), "a second tab can press GO or STOP")
        page.browser.close()
        page.browser.switch_to.window(first)

    def session_ends(self):
        """Ends the session on the way: the recording goes on, and says so."""
        page = self.page
        page.drain()
        self.book.run("token", "revoke", "phone")
        noted = page.when_noted(0)
        page.put_at(52.103, 4.3, 6, speed=13.9, heading=0, altitude=2)
        page.until(lambda: page.has(".signing form"), "nothing says that the session is over")
        page.put_at(52.1035, 4.3, 6, speed=13.9, heading=0, altitude=2)
        page.until(lambda: page.when_noted(noted + 2) >= noted + 2, "without a session nothing is recorded")
        expect(page.waiting() > 0, "without a session nothing waits")
        self.check("session-over")
        self.sign_in("read")
        page.until(lambda: "may not record" in page.find(".notices").text,
                   "nothing says that it may not record")
        page.until(lambda: page.has(".signing form"), "one that may not record cannot sign in as another")
        expect(page.waiting() > 0, "what may not be recorded is away")
        self.check("barred")
        self.sign_in()
        page.until(lambda: not page.has(".signing form"), "a link that may record does not let it record")
        page.drain()
        expect(not page.stored()["refused"], "what a session may not record is refused for good")
        drop_refusals(page, "a session that ends")

    def recovery(self):
        page = self.page
        page.browser.refresh()
        page.until(lambda: page.has(".stage button.danger"), "nothing asks what becomes of the drive")
        self.check("recovery")
        last = page.stored()["drive"]["last"]["at"]
        page.press(".stage button.danger")
        page.until(lambda: page.has(".describe form"), "a drive that was ended is not asked about")
        expect(page.stored()["ended"][0]["endedAt"] == last, "it does not end at the last position")

    def stop(self):
        self.page.press("button.end")
        self.page.until(lambda: self.page.has(".describe form"), "STOP asks for nothing")

    def describe(self):
        """Says what it was for, and reads the odometer."""
        page = self.page
        source = page.stored()["settings"]["source"]
        self.check("describe")
        purpose, _, reading = page.browser.find_elements(By.CSS_SELECTOR, ".describe input")
        purpose.send_keys("Visit")
        page.script("document.querySelector('.describe select').value = 'business'")
        reading.send_keys("12345")
        reading.send_keys(Keys.ENTER)
        page.until(lambda: not page.has(".describe"), "what was said is not taken")
        page.drain()
        own = [trip for trip in self.book.rows() if trip["source"] == source]
        trip = max(own, key=lambda trip: trip["started_at"])
        said = (trip.get("purpose"), trip["class"], trip.get("vehicle"))
        expect(said == ("Visit", "business", "van"), f"the trip says {said}")
        read = [entry for entry in self.book.recorded(source) if entry["type"] == "odometer_read"]
        expect([(one["value"], one["vehicle"]) for one in read[-1:]] == [(12345, "van")],
               "the odometer is not read")

    def spoilt(self):
        """Has an event that the ledger refuses: it is shown, and goes only when asked to."""
        page = self.page
        self.leave(SPOILT)
        self.check("refused")
        page.press(".refused > button")
        time.sleep(1)
        page.until(lambda: page.waiting() == 0 and page.has(".refused"), "what is sent again is lost")
        self.remove_refused()

    def leave(self, *events):
        """Has an older page have left events of which one is refused."""
        self.page.browser.execute_async_script(LEAVE, events)
        self.page.browser.refresh()
        self.page.until(lambda: self.page.has(".refused"), "what was refused is not shown")

    def remove_refused(self):
        page = self.page
        page.press(".refused li button")
        page.browser.switch_to.alert.accept()
        page.until(lambda: not page.has(".refused"), "what was refused cannot be removed")

    def older_decisions(self):
        """Has decisions that an older page left as events: they are asked for, and one is refused."""
        page = self.page
        trip = max(self.book.rows(), key=lambda row: row["started_at"])["id"]
        notes = f"from an older page, {self.look}"
        begun = {"type": "details_edited", "occurred_at": "2026-01-01T10:00:00+01:00",
                 "trip_started_at": "2026-01-01T09:00:00+01:00"}
        self.leave({**begun, "trip": NO_TRIP, "notes": "none"}, {**begun, "trip": trip, "notes": notes})
        page.drain()
        said = page.find(".refused li span").text
        words = " ".join(self.book.run("edit", NO_TRIP, "--notes", "none").stderr.decode().split())
        cause = said.split(": ", 1)[1].split(". ")[0]
        expect(cause.lower() in words.lower(), f"the recorder says “{said}”, the command “{words}”")
        row = next(row for row in self.book.rows() if row["id"] == trip)
        expect(row.get("notes") == notes, f"a decision of an older page is lost: {row.get('notes')}")
        self.remove_refused()
        drop_refusals(page, "decisions of an older page")


def drop_refusals(page, place):
    """Reads the console, where the browser notes each 401, 403 and 422."""
    for is_error, message in page.browser.complaints():
        if is_error:
            is_known = any(f"status of {code}" in message for code in (401, 403, 422))
            expect(is_known, f"{place}: the console says {message[:300]}")


def check_texts():
    """Checks that every text that the modules name is there, and that every text is named."""
    directory = REPOSITORY / "Sources" / "Programs" / "LedgerServer" / "Page" / "web"
    code = "".join(path.read_text() for path in sorted((directory / "record").glob("*.js")))
    texts = [set(re.findall(r"(?:^ {4}|, )'?([a-z][\w.-]*)'?: '", (directory / path).read_text(), re.M))
             for path in ("record/texts/en.js", "texts/en.js")]
    named = set(re.findall(r"'([a-z][\w.]*)'", code))
    missing = set(re.findall(r"\bsay\('([\w.-]+)'", code)) - texts[0] - texts[1] - set(shared_words())
    expect(not missing, f"texts that are named and not there: {sorted(missing)}")
    unused = {text for text in texts[0] - named if not re.match(r"(?:fail|help|code)\.", text)}
    expect(not unused, f"texts that nothing names: {sorted(unused)}")
    languages = list((directory / "record" / "texts").glob("*.js"))
    expect(len(languages) == 4 and len(texts[0]) > 60, "there are other languages than four, or few texts")


def read_in_languages(visit):
    """Shows the page in every language: no text is missing."""
    page = visit.page
    differing = """const [code, done] = arguments;
        const base = document.querySelector('script[type=module]').src.replace('record.js', 'texts/');
        Promise.all(['en', code].map((one) => import(`${base}${one}.js`))).then(([english, other]) => {
            const keys = [english, other].map((module) => Object.keys(module.default));
            done([...keys[0].filter((key) => !keys[1].includes(key)),
                  ...keys[1].filter((key) => !keys[0].includes(key))]);
        }, (error) => done([String(error)]))"""
    for code, word in (("nl", "Opnemen"), ("de", "Aufzeichnen"), ("fr", "Enregistrer"), ("en", "Record")):
        page.script("""document.querySelector('details').open = true;
            const chosen = document.querySelector('details select');
            chosen.value = arguments[0];
            chosen.dispatchEvent(new Event('change'))""", code)
        page.until(lambda: page.find("h1").text == word, f"{code}: the heading is {page.find('h1').text}")
        page.until(lambda: page.script("return document.documentElement.lang").split("-")[0] == code,
                   f"{code}: the document has another language")
        found = page.browser.execute_async_script(differing, code)
        expect(not found, f"{code}: other texts than in English: {found}")
        visit.check(f"language-{code}")


def check_weight(page):
    """Weighs what the page loads, compressed."""
    page.browser.get("about:blank")
    page.browser.forget_cache()
    page.open()
    time.sleep(2)
    loaded = page.script("return performance.getEntriesByType('resource').map(({ name }) => name)")
    files = {name for name in loaded if "/v1/" not in name} | {f"{page.origin}/record",
                                                               f"{page.origin}/record/worker.js"}
    size = 0
    for name in files:
        with urllib.request.urlopen(name) as answer:
            size += len(gzip.compress(answer.read()))
    expect(len(files) > 15 and size <= MOST_KILOBYTES << 10,
           f"/record loads {size} bytes in {len(files)} files")
    print(f"/record loads {size / 1024:.1f} kB gzipped in {len(files)} files")


def check_worker(page, book):
    """The worker has the recorder alone, and opens it without a network."""
    if not page.browser.can("workers", "the recorder's worker"):
        return
    controlled = "return navigator.serviceWorker.controller?.scriptURL ?? null"
    page.browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    page.open()
    expect(page.script(controlled) == f"{page.origin}/record/worker.js", "the recorder has no worker")
    scopes = page.browser.execute_async_script("""const [done] = arguments;
        navigator.serviceWorker.getRegistrations().then((all) => done(all.map(({ scope }) => scope)))""")
    expect(scopes == [f"{page.origin}/record"], f"there are workers for {scopes}")
    if page.browser.can("manifest", "the recorder as an app"):
        problems = page.browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
        expect(not problems, f"it cannot be installed: {problems}")
        manifest = page.browser.execute_cdp_cmd("Page.getAppManifest", {})
        expect(manifest["url"].endswith("/record/manifest.webmanifest") and not manifest["errors"],
               f"the manifest: {manifest['errors']}")
    # Stored content is not shown if the network has something newer.
    page.browser.execute_async_script("""const [done] = arguments;
        caches.keys().then(async (names) => {
            for (const name of names) {
                await (await caches.open(name)).put('/record', new Response('<h2>Stale</h2>',
                    { headers: { 'Content-Type': 'text/html' } }));
            }
        }).then(done)""")
    page.open()
    expect("Stale" not in page.find("body").text, "the worker serves what is stale")
    page.browser.execute_async_script("""const [done] = arguments;
        caches.keys().then((names) => Promise.all(names.map(async (name) =>
            (await caches.open(name)).put('/record', await fetch('/record'))))).then(done)""")
    page.browser.get(f"{page.origin}/")
    page.until(lambda: page.has("#navigation a[href='/record']"), "nothing leads to the recorder")
    expect(page.script(controlled) is None, "the worker has other pages too")
    check_console(page.browser, "worker")
    book.kill()
    page.open()
    page.until(lambda: page.has("button.start"), "without a server the recorder does not open")
    expect("van" in page.find(".stage").text, "without a server the vehicles are not known")
    book.start()


def visit(browser, book, screenshots):
    """Visits all states."""
    expect(b'"rejected":0' in book.run("append", data=b"\n".join(
        json.dumps(event).encode() for event in EVENTS) + b"\n").stdout.replace(b" ", b""), "no vehicle")
    page = Recorder(browser, book)
    visit = Visit(page, book, screenshots)
    for width, height in SIZES:
        for is_dark in (False, True):
            visit.shape(width, height, is_dark)
            visit.signed_out()
            visit.idle()
            visit.refusal()
            visit.nothing()
            visit.driving()
            visit.rest()
            visit.second_tab()
            visit.session_ends()
            visit.recovery()
            visit.describe()
            visit.spoilt()
            visit.older_decisions()
            check_console(browser, visit.look)
            check_requests(browser, page.origin, visit.look)
    check_texts()
    read_in_languages(visit)
    check_worker(page, book)
    check_weight(page)
