"""Has the page tell news by notices of the system while it is not looked at."""

import time

from book import expect
from page_checks import check_page
from page_views import DELIVER

# Notices are noted instead of shown.
NOTE = """window.notices = [];
    const granted = Notification.permission;
    const Source = window.EventSource;
    window.EventSource = class extends Source { constructor(path) {
        super(path);
        this.addEventListener('open', () => { window.isListening = true; });
    } };
    window.Notification = class { static permission = granted;
        static requestPermission = async () => granted;
        constructor(title, { body }) { window.notices.push(body); } }"""
# The page is hidden without another window before it.
HIDE = """window.isAway = true;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isAway });
    document.dispatchEvent(new Event('visibilitychange'))"""
SHOW = "window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))"
PRESS = """return fetch(`/v1/${arguments[0]}`, { method: 'POST',
    headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ source: arguments[1] }) })
    .then((answer) => answer.status)"""


ROUNDS = 8


def drive(page, source, latitude):
    """Begins a trip; returns whether a notice says so, and ends it if not."""
    status = page.script(PRESS, "go", source)
    expect(status == 200, f"GO: HTTP {status}")
    for number in range(6):
        page.script(DELIVER, source, latitude + number * 0.00014)
        time.sleep(1.1)
    for _ in range(10):
        if any("started" in text for text in page.script("return window.notices")):
            return True
        time.sleep(0.5)
    page.script(PRESS, "stop", source)
    return False


def check_notices(page):
    if not page.browser.can("notices", "notices of the system"):
        return
    page.shape(1280, 800, False)
    page.go("totals")
    page.browser.allow(page.origin, "notifications")
    page.script(NOTE)
    page.find("#navigation button").click()
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog [type=checkbox]'))"),
               "the settings offer no notices")
    check_page(page.browser, "settings")
    page.find("dialog [type=checkbox]").click()
    page.until(lambda: page.script("return localStorage.getItem('notices')") == "yes",
               "the choice is not kept")
    page.find("dialog button.main").click()
    page.until(lambda: page.script("return window.isListening === true"), "notices are wanted, and no one listens")
    page.script(HIDE)
    source = page.script("""return fetch('/v1/status').then((answer) => answer.json())
        .then(({ sources }) => sources.find(({ source }) => source.startsWith('simulated')).source)""")
    # The first follower has the server read the ledger, and what happened before is no news: in a
    # debug build a year of it takes a while.
    for number in range(ROUNDS):
        if drive(page, source, 51.95 + number * 0.01):
            break
    else:
        expect(False, "no notice says that a trip has started")
    page.script(SHOW)
    page.script(PRESS, "stop", source)
    told = len(page.script("return window.notices"))
    page.script("return new Promise((done) => setTimeout(done, 2500))")
    expect(len(page.script("return window.notices")) == told, "notices come while the page is looked at")
    page.script("localStorage.setItem('notices', 'no')")
    page.browser.refresh()
    page.wait("totals")
