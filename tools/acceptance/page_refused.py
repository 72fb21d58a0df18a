"""Asks in the page for what the command refuses: the page says so in the same words, and nothing is stored."""

import re

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from book import Book, expect, join, simulate
from page_browser import browser
from page_checks import check_page
from page_served import serve
from page_trip import answer, button, show
from page_views import Page

# A custom field that the ledger does not have, as in a tab that was opened on another one.
OTHER_FIELD = """const real = window.fetch;
    window.fetch = async (path, ...others) => {
        const answer = await real(path, ...others);
        if (!String(path).startsWith('/v1/fields')) return answer;
        const page = await answer.json();
        page.items.push({ key: 'nothing', label: 'Nothing', value_type: 'text', options: null });
        return new Response(JSON.stringify(page), { status: answer.status, headers: answer.headers });
    };"""
TYPE = """const label = [...document.querySelectorAll('.details label')]
        .find(({ textContent }) => textContent === 'Nothing');
    document.getElementById(label.htmlFor).value = 'x';"""
FIRST_FIX = """return fetch(`/v1/trips/${arguments[0]}/track`).then((answer) => answer.json())
    .then(({ properties }) => properties.times[0])"""
TOAST = "return document.querySelector('#toasts .toast span')?.textContent ?? ''"
MERGE_AFTER = "Merge with this one after"


class Refusals:
    """Three trips of a morning, and the page that decides about them."""

    def __init__(self, book, page):
        self.book = book
        self.page = page
        self.trips = [row["id"] for row in sorted(book.rows(), key=lambda row: row["started_at"])]
        self.size = 0

    def note_size(self):
        self.size = len(self.book.lines("log"))

    def expect_refused(self, place, *command):
        """The page says what the command says, and neither stores anything."""
        page = self.page
        if not page.until(lambda: page.script(TOAST), f"{place}: the page says nothing"):
            return
        said = page.script(TOAST)
        check_page(page.browser, place)
        result = self.book.run(*command)
        expect(result.returncode in (1, 65), f"{place}: the command takes it")
        # The command names the ledger that it was given in what is to be typed next.
        words = " ".join(result.stderr.decode().split()).replace(f" --ledger {self.book.path}", "")
        for part in re.split(r"[.:] ", said.rstrip(".")):
            # A sentence of the command may begin with what it is about.
            expect(part.lower() in words.lower(), f"{place}: the page says “{said}”, the command “{words}”")
        size = len(self.book.lines("log"))
        expect(size == self.size, f"{place}: {size - self.size} entries were stored")
        print(f"{place}: {said}")

    def merge(self, place, change):
        """Asks to merge two trips, one of which becomes another while the page asks why."""
        page, (first, second, _) = self.page, self.trips
        show(page, first)
        offered = ".corrections details li button"
        page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, offered),
                   f"{place}: it is not offered")
        button(page, MERGE_AFTER)
        page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog form"),
                   f"{place}: nothing is asked")
        changed = self.book.run(*change)
        expect(changed.returncode == 0, f"{place}: {changed.stderr.decode()}")
        self.note_size()
        answer(page, place)
        self.expect_refused(place, "merge", first, second)

    def merge_with_voided(self):
        self.merge("merging with a voided trip", ("void", self.trips[1], "--why", "Ferry"))
        self.book.run("restore", self.trips[1])

    def merge_vehicles(self):
        self.book.run("edit", self.trips[0], "--vehicle", "van")
        self.merge("merging trips of two vehicles", ("edit", self.trips[1], "--vehicle", "golf"))
        # The page explains a refusal that it can foresee, instead of offering the decision.
        show(self.page, self.trips[0])
        refusal = ".corrections .refusal"
        if self.page.until(lambda: self.page.browser.find_elements(By.CSS_SELECTOR, refusal),
                           "a trip of another vehicle is offered"):
            expect("vehicle" in self.page.find(refusal).text, f"it says {self.page.find(refusal).text}")

    def split_outside(self):
        page, trip = self.page, self.trips[2]
        place = "splitting outside the trip"
        show(page, trip)
        page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".corrections .moment"),
                   f"{place}: it is not offered")
        page.find("[role=slider].chart").send_keys(Keys.HOME)
        button(page, "Split the trip here")
        self.note_size()
        answer(page, place)
        self.expect_refused(place, "split", trip, "--at", page.script(FIRST_FIX, trip))

    def undefined_field(self):
        page, trip = self.page, self.trips[2]
        if not page.browser.can("before", "a custom field that the ledger does not have"):
            return
        made = page.browser.before(OTHER_FIELD)
        page.browser.refresh()
        page.wait("trip", ".details form")
        page.script(TYPE)
        self.note_size()
        page.press(".details form button.main")
        self.expect_refused("an undefined custom field", "edit", trip, "--field", "nothing=x")
        page.browser.forget(made)


def check_refused(program, directory):
    """Asks for each of them."""
    book = Book(program, directory)
    lines = simulate(program, "tunnel", "--source", "car")
    for hour in (b"T08:", b"T10:", b"T12:"):
        book.append(join(line.replace(b"T08:", hour) for line in lines))
    with serve(book) as served, browser() as made:
        page = Page(made, served.link("browser"))
        page.shape(1280, 800, False)
        refusals = Refusals(book, page)
        expect(len(refusals.trips) == 3, f"there are {len(refusals.trips)} trips")
        refusals.merge_with_voided()
        refusals.merge_vehicles()
        refusals.split_outside()
        refusals.undefined_field()
        for is_error, message in made.complaints():
            expect("status of 422" in message or not is_error, f"the console says {message[:300]}")
    book.expect_views_confirmed("refused in the page")
