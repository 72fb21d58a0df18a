"""Shows maps with the tiles of a server on another port: what is asked of whom, and without that server."""

import base64
import json
import re
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from selenium.webdriver.common.by import By

from book import Book, expect, simulate
from page_checks import check_console, check_page
from page_views import DELIVER, Page, shoot

# A tile of squares, 256 pixels wide: what any server of tiles answers.
TILE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAABlBMVEXM3sLi7Nz+BKZkAAAAS0lEQVR42u3WMQoAIAwEwXu6P1ew"
    "17QhjI2CkzZsdnGyktzH6wYAYCr4fqaaBgBgMrAnAQDQDwAA6AcAAPQDAAD6AQAA/QAAQDNwAFd8QGFrAUTgAAAAAElFTkSuQmCC")
WORDS = "© Example & <makers> https://example.org/copyright"
SHOWN = """return [...document.querySelectorAll('.tiles img')]
    .filter((one) => one.complete && one.naturalWidth === 256).length"""
LIVE = "return document.querySelectorAll('#way .tiles image').length"
FILTER = "return getComputedStyle(document.querySelector('.tiles')).filter"


class TileServer:
    """A server of tiles, which notes what it is asked for."""

    def __init__(self):
        asked = self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, self.headers.get("Referer"), self.headers.get("Cookie")))
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.send_header("Content-Length", str(len(TILE)))
                # The page does not ask a server on its own host with cookies, so this has to be there.
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                # A browser that needs a tile no more goes away.
                with suppress(ConnectionError):
                    self.wfile.write(TILE)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def served(program, directory, tiles):
    """Serves some days with tiles; gives a link that signs in."""
    book = Book(program, directory)
    book.append(b"\n".join(simulate(program, "--days", "3", "--places")) + b"\n")
    book.be_in_use("simulated-phone")
    command = [program, "--ledger", book.path, "serve", "--port", "0",
               "--tiles", f"{tiles.origin}/{{z}}/{{x}}/{{y}}.png?key=a&b", "--attribution", WORDS]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline()).group()
        made = book.run("token", "new", "browser", "--page", "--url", address)
        yield re.search(r"http://\S+#login=\S+", made.stdout.decode()).group()
    finally:
        server.terminate()
        server.wait()


def origins(browser):
    """Returns whom the browser has asked since the last time."""
    found = set()
    for parts in map(urlsplit, browser.asked()):
        if parts.scheme.startswith("http"):
            found.add(f"{parts.scheme}://{parts.netloc}")
    return found


def check_tiles(browser, program, directory, screenshots):
    """Checks the maps of the page, and the one of a link."""
    tiles = TileServer()
    with served(program, directory, tiles) as link:
        page = Page(browser, link)
        for is_dark in (False, True):
            if is_dark and not browser.can("colours", "tiles in the dark"):
                continue
            page.shape(1280, 800, is_dark)
            check_views(page, screenshots, "dark" if is_dark else "light")
        asked = origins(browser)
        expect(asked == {page.origin, tiles.origin}, f"with tiles, {asked} were asked")
        expect(all(re.fullmatch(r"/\d+/\d+/\d+\.png\?key=a&b", path) for path, _, _ in tiles.asked),
               f"tiles were asked for as {tiles.asked[:2]}")
        expect(not any(path.startswith("/4/") for path, _, _ in tiles.asked), "tiles of all Europe are asked for first")
        told = {referrer for _, referrer, _ in tiles.asked}
        expect(told == {f"{page.origin}/"}, f"the server of tiles is told {told}")
        expect({cookie for _, _, cookie in tiles.asked} == {None}, "the server of tiles gets the cookie")
        check_link(page, tiles, screenshots)
        tiles.close()
        check_without(page)
    print(f"tiles: {len(tiles.asked)} requests, each with the origin alone as referrer")


def check_views(page, screenshots, look):
    for view in ("now", "places", "trips"):
        page.go(view)
        if view == "trips":
            page.press(".trip-row a")
            page.wait("trip", ".map")
            view = "trip"
        page.until(lambda: page.script(SHOWN) > 2, f"{view} shows no tiles")
        time.sleep(0.5)
        shoot(page, screenshots, f"tiles-{view}-{look}")
        words = page.find(".attribution")
        expect("© Example & <makers> example.org/copyright" == words.text, f"{view}: {words.text}")
        target = words.find_element(By.CSS_SELECTOR, "a").get_attribute("href")
        expect(target == "https://example.org/copyright", f"the makers' link leads to {target}")
        expect(not page.browser.find_elements(By.CSS_SELECTOR, ".graticule"), f"{view}: lines on tiles")
        is_dimmed = page.script(FILTER) != "none"
        expect(is_dimmed == (look == "dark"), f"{view} {look}: dimmed is {is_dimmed}")
        check_page(page.browser, f"{view} with tiles, {look}")
        check_console(page.browser, f"{view} with tiles, {look}")


def check_link(page, tiles, screenshots):
    """Opens the link of a trip that goes on: its picture has tiles too."""
    page.go("now", "form.go button")
    source = page.script("return document.querySelector('form.go select').value")
    page.press("form.go button")
    for number in range(6):
        page.script(DELIVER, source, 51.93 + number * 0.0002)
        time.sleep(1.1)
    made = page.script("""return fetch('/v1/shares', { method: 'POST', body: '{"trip":"active"}',
        headers: { 'Content-Type': 'application/json' } }).then((answer) => answer.json())""")
    before = len(tiles.asked)
    address = made.get("url") or made.get("path") or made.get("link") or ""
    page.browser.get(address if address.startswith("http") else f"{page.origin}{address}")
    if not page.until(lambda: page.script(LIVE) > 2, f"the link {sorted(made)} shows no tiles"):
        return
    page.until(lambda: len(tiles.asked) > before + 2, "the link asks for no tiles")
    time.sleep(0.5)
    shoot(page, screenshots, "tiles-link")
    told = {referrer for _, referrer, _ in tiles.asked[before:]}
    expect(told == {f"{page.origin}/"}, f"the server of tiles is told the link: {told}")
    expect("makers" in page.find("#attribution").text, "the link's picture does not say whose tiles it has")
    expect(page.script("return window.policyViolations") == [], "the link violates its policy")
    check_console(page.browser, "the link with tiles")
    asked = origins(page.browser)
    expect(asked == {page.origin, tiles.origin}, f"with the link's tiles, {asked} were asked")


def check_without(page):
    """The server of tiles is away: the map is as if there were none, and says so."""
    page.browser.forget_cache()
    page.browser.get(f"{page.origin}/#/trips")
    page.wait("trips", ".trip-row")
    page.press(".trip-row a")
    page.wait("trip", ".map")
    page.until(lambda: "not available" in page.find(".attribution").text, "nothing says that tiles are away")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".graticule"), "there are no lines instead")
    expect(page.browser.find_elements(By.CSS_SELECTOR, "path.track"), "without tiles the way is not shown")
    check_page(page.browser, "a trip, its tiles away")
