"""Changes the version of the page under the recorder's worker."""

import http.server
import re
import threading
import urllib.error
import urllib.request

from book import expect
from recorder_pages import Recorder

NEW = "f" * 16
KEPT = "caches.keys().then((names) => arguments[0](names.filter((name) => name.startsWith('recorder '))))"
SCRIPT = "return document.querySelector('script[type=module]').src"


class Renamed:
    """The server by way of one that gives the page's files a newer version's addresses, when told to."""

    def __init__(self, url):
        with urllib.request.urlopen(f"{url}/record") as answer:
            self.old = re.search(r"/assets/([0-9a-f]{16})/", answer.read().decode()).group(1)
        self.upstream = url
        self.is_new = False
        renamed = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                renamed.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler):
        path = handler.path
        # Only the version's own files are there.
        if self.is_new:
            path = path.replace(self.old, "0" * 16).replace(NEW, self.old)
        try:
            with urllib.request.urlopen(self.upstream + path) as answer:
                status, head, body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, head, body = error.code, error.headers, error.read()
        if self.is_new:
            body = body.replace(self.old.encode(), NEW.encode())
        handler.send_response(status)
        for name in ("Content-Type", "Cache-Control", "Content-Security-Policy", "Service-Worker-Allowed"):
            if name in head:
                handler.send_header(name, head[name])
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def check(browser, book):
    """A newer version is there at the next load, and is what is kept from then on."""
    if not browser.can("workers", "a newer version of what the worker keeps"):
        return
    renamed = Renamed(book.url)
    page = Recorder(browser, book)
    page.origin = renamed.url
    page.open()
    browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    browser.refresh()
    expect(renamed.old in page.script(SCRIPT), "the old version is not there")
    renamed.is_new = True
    page.open()
    expect(NEW in page.script(SCRIPT), "a newer version is not there at the next load")
    new = [f"recorder /assets/{NEW}"]
    page.until(lambda: browser.execute_async_script(KEPT) == new,
               "a newer version is not kept in place of the old")
    renamed.end()
    page.open()
    expect(NEW in page.script(SCRIPT) and page.has(".stage"),
           "without a network the newer version does not open")
