"""A ledger that only files told of anything is no device's: Home goes on to say how to begin, until one delivers."""

import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from book import Book, expect
from page_browser import browser
from page_checks import check_page
from page_served import serve
from page_views import Page

TRACK = """<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
<trk><trkseg>{}</trkseg></trk></gpx>"""
POINT = '<trkpt lat="{:.5f}" lon="4.58"><time>{}</time></trkpt>'
OFFERED = "return [...document.querySelector('form.go select')?.options ?? []].map(({ value }) => value)"


def track(start):
    """A GPX file of a drive of twenty minutes."""
    points = (POINT.format(51.9 + n * 0.001, (start + timedelta(seconds=n * 10)).strftime("%Y-%m-%dT%H:%M:%SZ"))
              for n in range(120))
    return TRACK.format("".join(points)).encode()


def check_without_trips(program):
    """What was decided and paid is listed, and can be reported on, also where there are no trips."""
    with tempfile.TemporaryDirectory() as directory, browser() as made:
        book = Book(program, directory)
        book.run("expense", "add", "toll", "3.20", "EUR", "--day", "2019-05-01")
        with serve(book) as served:
            page = Page(made, served.link("browser"))
            page.go("changes", "main .sheet [role=status]")
            page.until(lambda: page.script("return document.querySelectorAll('.change').length") > 0,
                       "without trips no change is listed")
            years = sorted({"2019", str(datetime.now(timezone.utc).year)}, reverse=True)
            chosen = "return [...document.querySelector('main select').options].map(({ value }) => value)"
            expect(page.script(chosen) == years, f"changes can be read of {page.script(chosen)}, not of {years}")
            page.script("localStorage.setItem('language', 'de')")
            made.refresh()
            page.wait("changes", ".change")
            listed = page.script("return document.querySelector('main').innerText")
            expect(all(word in listed for word in ("Ausgabe ", "Betrag", "Währung", "Maut")),
                   f"in German the changes are {listed[:300]}")
            page.script("localStorage.setItem('language', 'en')")
            made.refresh()
            page.wait("changes", ".change")
            page.go("reports", ".report-holder")
            offered = """return [...document.querySelectorAll('main form select')]
                .map((one) => [...one.options].map(({ value }) => value)).find((all) => all.includes('2019')) ?? null"""
            expect(page.script(offered) is not None, "no report can be made of a year with expenses alone")


def check_welcome(program):
    """Files of years ago and of yesterday leave the welcome; what a phone says is a device."""
    check_without_trips(program)
    now = datetime.now(timezone.utc)
    with tempfile.TemporaryDirectory() as directory, browser() as made:
        book = Book(program, directory)
        for name, start in (("old.gpx", now - timedelta(days=900)), ("new.gpx", now - timedelta(days=1))):
            file = Path(directory) / name
            file.write_bytes(track(start))
            book.run("append", file)
        expect(len(book.rows()) == 2, "the files have no trips")
        with serve(book) as served:
            page = Page(made, served.link("browser"))
            page.shape(360, 740, False)
            page.until(lambda: page.script("return Boolean(document.querySelector('main .welcome'))"),
                       "after a file was added the welcome goes away")
            expect(not page.script("return Boolean(document.querySelector('form.go'))"),
                   "GO is offered for a source that only files told of")
            check_page(made, "Home without a device")
            book.run("go", "--source", "phone")
            book.be_in_use("phone")
            book.run("stop", "--source", "phone")
            page.go("trips", ".trip-row")
            page.go("now", "form.go")
            page.until(lambda: page.script(OFFERED) == ["phone"], "GO is not offered for the phone alone")
            expect(not page.script("return Boolean(document.querySelector('.welcome'))"),
                   "the welcome stays although a device has delivered")
