"""Shows every report in the page, chooses, prints and downloads."""

from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page

FRAME = "return document.querySelector('iframe.report')?.contentDocument?.body?.textContent ?? ''"
IS_READY = """const words = document.querySelector('.report-holder [role=status]');
    return Boolean(document.querySelector('iframe.report')?.contentDocument) && words?.textContent === ''"""
# The server's own answer at the address of the frame, and whether it is the same.
SAME = r"""const [done] = arguments; const frame = document.querySelector('iframe.report');
    fetch(frame.src).then((answer) => answer.text()).then((text) => done(
        // A document that is made here is under the page's policy, which has no styles in it.
        new DOMParser().parseFromString(text.replace(/<style[^]*?<\/style>/g, ''), 'text/html')
            .body.textContent.trim()
            === frame.contentDocument.body.textContent.trim()))"""
LINKS = "return [...document.querySelectorAll('.report-holder a[download]')].map(({ href }) => href)"
DOWNLOAD = """return fetch(arguments[0]).then((answer) => [answer.status,
    answer.headers.get('content-disposition') ?? '', answer.headers.get('content-type') ?? ''])"""
PRINTED = """return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map((one) => one.textContent.trim())"""


def check_reports(page):
    """Goes through all reports of a year."""
    page.shape(1280, 800, False)
    names = page.script("""return fetch('/v1/reports').then((answer) => answer.json())
        .then(({ items }) => items.map(({ report }) => report))""")
    expect("log" in names and "claim" in names, f"the reports are {names}")
    for name in names:
        country = "&jurisdiction=nl" if name in ("claim", "methods", "summary") else ""
        page.go(f"reports/{name}?year=2025{country}", ".report-holder")
        if not page.until(lambda: page.script(IS_READY), f"the report {name} does not come"):
            continue
        check_page(page.browser, f"the report {name}")
        expect(page.browser.execute_async_script(SAME), f"the frame shows another report than {name}")
        for link in page.script(LINKS):
            status, disposition, media = page.script(DOWNLOAD, link)
            expect(status == 200 and "attachment" in disposition, f"{link}: {status} {disposition} {media}")
    choose(page)
    leave_out(page)
    claim_by_own_rate(page)
    print_alone(page)


COUNTRIES = """return [...document.querySelectorAll('main form select')].map((select) =>
    [...select.options].map(({ value }) => value)).find((values) => values.includes('gb')) ?? []"""
SET_RATE = """return fetch('/v1/rates', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(arguments[0]) }).then((answer) => answer.status)"""


def claim_by_own_rate(page):
    """A claim can be made by the ledger's own rate; a report that knows no Austria does not ask for it."""
    status = page.script(SET_RATE, {
        "name": "club", "rate": "0.35", "per": "km", "currency": "EUR", "from": "2025-01-01", "class": "business"})
    expect(status == 200, f"a rate of one's own cannot be set: HTTP {status}")
    page.go("reports/claim?year=2025&jurisdiction=club", ".report-holder")
    page.until(lambda: page.script(IS_READY), "the claim by a rate of one's own does not come")
    countries = page.script(COUNTRIES)
    expect("club" in countries and "at" in countries, f"a claim goes by one of {countries}")
    page.go("reports/summary?year=2025&jurisdiction=at", ".report-holder")
    page.until(lambda: page.script(IS_READY), "a summary is asked for the rules of Austria")
    countries = page.script(COUNTRIES)
    expect("nl" in countries and "at" not in countries, f"a summary is by the rules of one of {countries}")


def choose(page):
    """The choices stand in the address, and in the report."""
    page.go("reports/log?year=2025", ".report-holder")
    page.until(lambda: page.script(IS_READY), "the mileage log does not come")
    before = page.script(FRAME)
    page.script("""const control = [...document.querySelectorAll('main form label')]
        .find((one) => one.textContent === 'Class').nextElementSibling; control.value = 'medical';
        control.dispatchEvent(new Event('change', { bubbles: true }))""")
    expect("class=medical" in page.browser.current_url, "a choice does not stand in the address")
    page.until(lambda: page.script(IS_READY) and 0 < len(page.script(FRAME)) < len(before),
               "a choice changes nothing in the report")
    page.browser.refresh()
    page.wait("reports", ".report-holder")
    value = page.script("""return [...document.querySelectorAll('main form label')]
        .find((one) => one.textContent === 'Class').nextElementSibling.value""")
    expect(value == "medical", "an address with a choice does not show it")
    page.script("""const of = (text) => [...document.querySelectorAll('main form label')]
        .find((one) => one.textContent === text).nextElementSibling; const month = of('Month');
        month.value = '2025-03'; month.dispatchEvent(new Event('change', { bubbles: true }))""")
    expect("month=2025-03" in page.browser.current_url and "year=" not in page.browser.current_url,
           "a month leaves the year chosen beside it")


def leave_out(page):
    """A claim without a country, where the ledger has none either, says what is missing, and where to set it."""
    page.script("localStorage.removeItem('jurisdiction')")
    page.go("reports/claim?year=2025", ".report-holder")
    page.until(lambda: "Choose first: Country" in page.find(".report-holder").text,
               "nothing says that a claim needs a country")
    expect(page.browser.find_elements(By.CSS_SELECTOR, ".report-holder a[href='#/settings']"),
           "nothing leads to where a country is set")


def print_alone(page):
    page.go("reports/summary?year=2025", ".report-holder")
    page.until(lambda: page.script(IS_READY), "the summary does not come")
    if not page.browser.can("medium", "what is printed beside a report"):
        return
    page.browser.show_as("print")
    seen = page.script(PRINTED)
    is_there = page.script("return document.querySelector('iframe.report').checkVisibility()")
    page.browser.show_as()
    expect(is_there, "the report itself is not printed")
    expect(not seen, f"beside the report {seen[:3]} is printed")
