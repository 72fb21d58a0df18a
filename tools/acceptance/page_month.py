"""Works a month in the page twice: by the keyboard alone, and by the accessibility tree alone.

Both class every trip of a month in the inbox, say more of one, split one, merge two, class what
splitting left without a class, choose the month in the reports and print its mileage log. What came of
it is read from the command line, and the print is held against the command's log, trip by trip.

The keyboard has no pointer and sets nothing by script: keys go to the browser, whatever has the focus
there, and after each of them something has it. The page is looked at only to know what a reader sees.
"""

import json
import tempfile

from selenium.webdriver import Keys

from book import Book, expect, simulate
import page_prints
from page_browser import browser
from page_keyboard import Keyboard
from page_served import serve
from page_tree import Tree
from page_views import Page

FIRST_DAY, DAYS = "2025-03-01", "61"
KEYS = ("b", "c", "p", "m")
CLASSES = ("business", "commute", "personal", "medical")
# A report prints from its frame: what would go to the printer is noted instead.
NOTE_PRINTS = """window.print = () => {
    // A row of the table is a line, though some of its cells have several.
    const rows = [...document.querySelectorAll('tr')].map((row) => row.innerText.replace(/\\s+/g, ' '));
    top.printed = [...(top.printed ?? []), [document.documentElement.innerText, ...rows].join('\\n')];
}"""
# Whether the browser knows fields for months; in others they are fields for text.
HAS_MONTHS = "return Object.assign(document.createElement('input'), { type: 'month' }).type === 'month'"
PURPOSE, NOTES, WHY = "Roof", "Two visits in one day", "Two errands"


def check_month(program):
    """Serves two months of drives, and works each in its own way."""
    with tempfile.TemporaryDirectory() as directory:
        book = Book(program, directory)
        book.append(b"\n".join(simulate(program, "--start", FIRST_DAY, "--days", DAYS, "--places")) + b"\n")
        with serve(book) as served:
            for name, month, work in (("keyboard", "2025-04", by_keys), ("tree", "2025-03", by_tree)):
                with browser() as made:
                    if not made.can(name, f"a month by the {name}"):
                        continue
                    made.before(NOTE_PRINTS)
                    page = Page(made, served.link(name))
                    page.shape(1280, 800, False)
                    check_worked(page, book, month, name, work(page, book, month))


def trips_of(book, month):
    """The trips of a month that count, as the command lists them, newest first."""
    return [trip for trip in book.rows()
            if trip["started_at"].startswith(month) and trip["status"] == "completed"]


def splittable(trips):
    """Picks from trips, newest first: one to split, and two that follow each other to merge, all others."""
    split = next(trip for trip in trips[2:] if trip["distance_m"] > 8000 and trip["gaps"]["count"] == 0)
    later, first = next(
        (later, first) for later, first in zip(trips[5:], trips[6:])
        if split not in (later, first) and later["started_at"][:10] == first["started_at"][:10])
    return split, first, later


def by_keys(page, book, month):
    """Works a month by the keyboard; returns what is to be true of the ledger."""
    keys = Keyboard(page)
    trips = trips_of(book, month)
    split, first, later = splittable(trips)
    wanted = {}
    keys.view("Inbox", ".inbox-row")
    class_by_keys(keys, book, month, wanted)
    edited = next(trip for trip in trips if trip not in (split, first, later))
    open_by_keys(keys, edited, trips)
    keys.press("e")
    keys.tab_to("Purpose")
    keys.type(PURPOSE)
    keys.tab_to("Vehicle")
    keys.type("van")
    keys.tab_to("Notes")
    keys.type(NOTES)
    keys.tab_to("Save")
    keys.act("Enter", "Saved")
    open_by_keys(keys, split, trips)
    keys.tab_to("Speed over time", begins=True)
    keys.press(*["PageUp"] * 5)
    keys.tab_to("Correct, split, merge or void")
    keys.press("Enter")
    keys.tab_to("Split the trip here…")
    keys.press("Enter")
    keys.tab_to("Why")
    keys.type(WHY)
    keys.act("Enter", "Split the trip here: Saved")
    open_by_keys(keys, first, trips)
    keys.tab_to("Correct, split, merge or void")
    keys.press("Enter")
    keys.tab_to("Merge with another trip")
    keys.press("Enter")
    keys.wait_for_control("Merge with this one after…")
    keys.tab_to("Merge with this one after…")
    keys.press("Enter")
    keys.tab_to("Merge the trips")
    keys.act("Enter", "Merge the trips: Saved")
    keys.view("Inbox", ".inbox-row")
    class_by_keys(keys, book, month, wanted)
    keys.view("Reports", ".report-holder")
    keys.tab_to("Mileage log")
    keys.press("Enter")
    keys.ready("reports", "iframe.report")
    keys.tab_to("More choices")
    keys.press("Enter")
    keys.tab_to("Month")
    if page.script(HAS_MONTHS):
        keys.type(month[5:])
        keys.press("Tab")
        keys.type(month[:4])
    else:
        keys.type(month)
    # Chromium says with each key what a field has come to, others when it is left.
    keys.press("Tab")
    page.until(lambda: f"month={month}" in page.browser.current_url, "keys choose no month")
    keys.wait_for_control("Print")
    note_prints(page)
    keys.tab_to("Print", backwards=None)
    keys.press("Enter")
    return {"classes": wanted, "edited": edited, "split": split, "first": first, "later": later}


def note_prints(page):
    """Notes what the report would print, where no script runs in its frame before its own."""
    if "before" in page.browser.lacks:
        page.browser.switch_to.frame(page.find("iframe.report"))
        page.script(NOTE_PRINTS)
        page.browser.switch_to.default_content()


def class_by_keys(keys, book, month, wanted):
    """Classes what waits in the inbox of a month, each by one key; one of them by its buttons."""
    known = {trip["id"] for trip in trips_of(book, month)}
    for number in range(len(known)):
        current = keys.current_row()
        if current not in known:
            break
        if number == 3:
            keys.press("j", "k")
            keys.tab_to("Other…", begins=True)
            keys.press("Enter")
            keys.tab_to("Charity")
            keys.act("Enter", "Charity", current)
            wanted[current] = "charity"
            continue
        keys.act(KEYS[number % 4], CLASSES[number % 4].capitalize(), current)
        wanted[current] = CLASSES[number % 4]


def open_by_keys(keys, trip, trips):
    """Goes to a trip in the list, row by row, and opens it."""
    keys.view("Trips", ".trip-row")
    for _ in range(len(trips) + 10):
        keys.press("j")
        if keys.current_row() == trip["id"]:
            break
    keys.press("Enter")
    keys.ready("trip", ".details form")


def by_tree(page, book, month):
    """Works a month by what the accessibility tree says; returns what is to be true of the ledger."""
    tree = Tree(page)
    trips = trips_of(book, month)
    split, first, later = splittable(trips)
    edited = next(trip for trip in trips if trip not in (split, first, later))
    wanted = {}
    open_in_inbox(tree, edited)
    tree.type(tree.wait("textbox", "Purpose"), PURPOSE)
    tree.type(tree.wait("combobox", "Vehicle"), "van")
    tree.type(tree.wait("textbox", "Notes"), NOTES)
    tree.act(tree.wait("button", "Save"), "Saved")
    open_in_inbox(tree, split)
    tree.press(tree.wait("slider", "Speed over time", begins=True), *["PageUp"] * 5)
    tree.do(tree.wait("DisclosureTriangle", "Correct, split, merge or void"))
    tree.do(tree.wait("button", "Split the trip here…"))
    dialog = tree.wait("dialog", "Split the trip here")
    tree.type(tree.wait("textbox", "Why", within=dialog), WHY)
    tree.act(tree.wait("button", "Split the trip here", within=dialog), "Split the trip here: Saved")
    open_in_inbox(tree, first)
    tree.do(tree.wait("DisclosureTriangle", "Correct, split, merge or void"))
    tree.do(tree.wait("DisclosureTriangle", "Merge with another trip"))
    tree.do(tree.wait("button", "Merge with this one after…"))
    dialog = tree.wait("dialog", "Merge the trips")
    tree.act(tree.wait("button", "Merge the trips", within=dialog), "Merge the trips: Saved")
    view(tree, "Inbox")
    class_by_tree(tree, month, {moment_of(trip): trip["id"] for trip in trips_of(book, month)}, wanted)
    view(tree, "Reports")
    tree.do(tree.wait("link", "Mileage log"))
    tree.wait("heading", "Reports: Mileage log")
    tree.do(tree.wait("DisclosureTriangle", "More choices"))
    tree.type(tree.wait("DateTime", "Month"), f"{month[5:]}{Keys.TAB}{month[:4]}", replaces=False)
    page.until(lambda: f"month={month}" in page.browser.current_url, "no month can be chosen by the tree")
    tree.wait_text(lambda text: f"{month}-01 to {month}-" in text, "the report of the month is not in the tree",
                   in_frame=True)
    tree.do(tree.wait("button", "Print"))
    return {"classes": wanted, "edited": edited, "split": split, "first": first, "later": later}


def view(tree, name):
    tree.do(tree.wait("link", name, begins=True))
    tree.wait("heading", name, begins=True)


def moment_of(trip):
    """When a trip began, as the inbox writes it in English: 9 Mar 2025, 08:12."""
    date, _, clock = trip["started_at"].partition("T")
    year, month, day = date.split("-")
    name = {"03": "Mar", "04": "Apr"}[month]
    return f"{int(day)} {name} {year}, {clock[:5]}"


def open_in_inbox(tree, trip):
    """Opens a trip from the inbox, wherever its list has it."""
    view(tree, "Inbox")
    tree.do(tree.wait("link", moment_of(trip), begins=True, more="More"))
    tree.wait("button", "Save")


def class_by_tree(tree, month, moments, wanted):
    """Presses the button of a class of each trip of a month that waits."""
    for number in range(len(moments) + 5):
        rows = [link for link in tree.all("link") if tree.name(link)[:20].strip() and any(
            tree.name(link).startswith(moment) for moment in moments)]
        if not rows:
            break
        name = tree.name(rows[0])
        moment = next(one for one in moments if name.startswith(one))
        code = CLASSES[number % 4]
        row = tree.parent(rows[0], "listitem")
        tree.act(tree.wait("button", f"{code.capitalize()}: ", begins=True, within=row), code.capitalize(),
                 gone=name)
        wanted[moments[moment]] = code


def check_worked(page, book, month, name, done):
    """Holds what the ledger says against what was meant."""
    trips = {trip["id"]: trip for trip in book.rows()}
    counted = trips_of(book, month)
    left = [trip["id"] for trip in counted if trip["class"] == "unclassified"]
    expect(counted and not left, f"{name}: of {len(counted)} trips these have no class: {left}")
    wrong = {one: (trips[one]["class"], code) for one, code in done["classes"].items()
             if trips[one]["class"] != code and trips[one]["status"] == "completed"}
    expect(not wrong, f"{name}: classes that were not given: {wrong}")
    edited = trips[done["edited"]["id"]]
    said = (edited.get("purpose"), edited.get("notes"), edited.get("vehicle"))
    expect(said == (PURPOSE, NOTES, "van"), f"{name}: the details are {said}")
    whole, first = done["split"], trips[done["split"]["id"]]
    second = next((trip for trip in counted if trip["started_by"] == "split"), None)
    expect(first["ended_by"] == "split" and second is not None, f"{name}: no trip is split")
    if second:
        length = first["distance_m"] + second["distance_m"]
        expect(abs(length - whole["distance_m"]) < 1, f"{name}: the parts have {length} m of {whole['distance_m']}")
    parts = trips[done["first"]["id"]].get("parts")
    expect(parts == [done["first"]["id"], done["later"]["id"]], f"{name}: what is merged is {parts}")
    check_print(page, book, month, name)


def check_print(page, book, month, name):
    """Holds the printed log against the command's, trip by trip."""
    printed = page.script("return window.printed ?? []")
    expect(len(printed) == 1, f"{name}: Print was pressed once, and printed {len(printed)} times")
    prints = [("the printer", "".join(printed))]
    if page.browser.can("paper", "the mileage log on paper"):
        prints.append(("paper", "\n".join(page_prints.sheets(page.browser.paper(is_landscape=True), in_rows=True))))
    result = book.run("report", "log", "--month", month, "--format", "json")
    lines = [line for line in map(json.loads, result.stdout.splitlines()) if line["kind"] == "trip"]
    expect(len(lines) == len(trips_of(book, month)), f"{name}: the log has {len(lines)} trips")
    others = [trip["id"][:8] for trip in book.rows() if not trip["started_at"].startswith(month)]
    for where, content in prints:
        rows = content.splitlines()
        missing = [line["trip"] for line in lines if not any(
            line["date"] in row and line["class"] in row and line["trip"][:8] in row for row in rows)]
        expect(not missing, f"{name}: of {len(lines)} trips these are not on {where}: {missing[:5]}")
        added = [one for one in others if one in content]
        expect(not added, f"{name}: trips of other months are on {where}: {added[:5]}")
        expect(PURPOSE in content, f"{name}: the purpose is not on {where}")
    print(f"{name}: {month} is worked; {len(lines)} trips are on the printed log")
