"""The recorder in a browser: its device and its clock, and a server that can be killed."""

import json
import re
import signal
import socket
import subprocess

from selenium.webdriver.common.by import By

from book import Book
from page_views import Page

# The clock of the page is set by hand, so that two hours pass in minutes and every fix has a time of its
# own: that of the clock when the browser hands it over, as on a device. Timers go on in real time.
CLOCK = """(() => {
    const real = Date.now;
    let at = null;
    const now = () => at ?? real();
    window.setClock = (time) => { at = time; };
    Date.now = now;
    const taken = new WeakMap();
    Object.defineProperty(GeolocationPosition.prototype, 'timestamp', { get() {
        if (!taken.has(this)) taken.set(this, now());
        return taken.get(this);
    } });
})()"""

# Sets the clock once so many positions are noted.
WHEN_NOTED = """const [count, time, done] = arguments;
    const deadline = performance.now() + 20000;
    const look = () => {
        const noted = Number(document.querySelector('.positions')?.dataset.fixes ?? -1);
        if (noted < count && performance.now() < deadline) { setTimeout(look, 1); return; }
        if (time !== null) setClock(time);
        done(noted);
    };
    look();"""


class ServedBook(Book):
    """A ledger that is served on one port, however often its server is killed."""

    def __init__(self, program, directory):
        super().__init__(program, directory)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.server = None
        self.start()

    def start(self):
        command = [self.ledger, "--ledger", self.path, "serve", "--port", str(self.port)]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.server.stdout.readline()
        if str(self.port) not in line:
            raise SystemExit(f"recorder: the server does not say where it is: {line}")

    def kill(self, number=signal.SIGKILL):
        self.server.send_signal(number)
        self.server.wait()

    def link(self, name="phone", *options):
        made = self.run("token", "new", name, "--page", "--url", self.url, *options)
        found = re.search(r"http://\S+#login=\S+", made.stdout.decode())
        if found is None:
            raise SystemExit(f"recorder: there is no link to sign in with: {made.stderr.decode()}")
        return found.group()

    def recorded(self, source):
        """Returns the log's entries of a source, in their order."""
        return [entry for entry in self.lines("log") if entry.get("source") == source]


class Recorder(Page):
    """The recorder's page in a browser."""

    def __init__(self, browser, book):
        self.browser = browser
        self.book = book
        self.origin = book.url

    def sign_in(self, *options):
        """Signs in by the page, and opens the recorder."""
        self.browser.get(self.book.link(*options))
        self.wait("now", ".card")
        self.open()

    def open(self):
        self.browser.get(f"{self.origin}/record")
        self.until(lambda: self.script("return Boolean(document.querySelector('.stage h2'))"),
                   "the recorder does not come")

    def has(self, selector):
        return bool(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def allow_location(self, is_allowed=True):
        self.browser.allow(self.origin, "geolocation", is_allowed)

    def put_at(self, lat, lon, accuracy, **others):
        """Says where the device is: altitude, speed and heading as the device would."""
        self.browser.put_at(lat, lon, accuracy, **others)

    def put_offline(self, is_offline):
        self.browser.cut_off(is_offline)

    def set_clock(self, milliseconds):
        self.script("setClock(arguments[0])", milliseconds)

    def when_noted(self, count, milliseconds=None):
        """Waits until so many positions are noted, then sets the clock; returns how many there are."""
        return self.browser.execute_async_script(WHEN_NOTED, count, milliseconds)

    def waiting(self):
        return int(self.script("return document.querySelector('[data-waiting]')?.dataset.waiting ?? -1"))

    def receipts(self):
        return int(self.script("return document.querySelector('.receipts')?.dataset.receipts ?? -1"))

    def drain(self, seconds=120):
        """Waits until nothing waits any more."""
        self.until(lambda: self.waiting() == 0, "something is never sent", seconds)

    def stored(self):
        """Returns the notes of the recorder, as they are in the browser's database."""
        return json.loads(self.browser.execute_async_script("""const [done] = arguments;
            indexedDB.open('recorder').onsuccess = ({ target: { result } }) => {
                const reading = result.transaction(['notes', 'waiting', 'refused']);
                const found = {};
                for (const name of ['numbers', 'drive', 'ended', 'settings']) {
                    reading.objectStore('notes').get(name).onsuccess =
                        ({ target }) => { found[name] = target.result ?? null; };
                }
                for (const name of ['waiting', 'refused']) {
                    reading.objectStore(name).getAll().onsuccess =
                        ({ target }) => { found[name] = target.result; };
                }
                reading.oncomplete = () => { result.close(); done(JSON.stringify(found)); };
            };"""))
