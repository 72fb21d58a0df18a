"""Settings, what lets in, buttons, many trips at once and the search for everything, as a driver uses them."""

from selenium.webdriver import ActionChains, Keys

from book import expect
from page_checks import check_page
from page_views import DECIDE

ASK = """const [path, done] = arguments;
    fetch(path).then((answer) => answer.json()).then(done, (error) => done(String(error)))"""
JUNE = "trips?from=2025-06-01&to=2025-06-30"
SELECTED = "return document.querySelectorAll('.trip-row.selected').length"
CLASSES = """return [...document.querySelectorAll('.trip-row')].slice(0, arguments[0])
    .map((row) => [...row.querySelector('.chip').classList].find((one) => one.startsWith('class-')))"""
VALUE = "document.querySelector('.ledger-settings select').value = arguments[0]"
# Another one decides just before the next decision of this browser arrives.
MEANWHILE = """const real = window.fetch;
    window.fetch = async (path, options) => {
        if (path === '/v1/decisions') {
            window.fetch = real;
            await real(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body:
                JSON.stringify({ type: 'details_edited', trip: arguments[0], class: 'charity' }) });
        }
        return real(path, options);
    }"""
# A day as the page writes it in English.
DAY = """return new Intl.DateTimeFormat(navigator.languages.find((one) => one.split('-')[0] === 'en') ?? 'en',
    { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${arguments[0]}T00:00Z`))"""
FOUND = "return [...document.querySelectorAll('.found a')].map((link) => link.textContent)"


def ask(page, path):
    return page.browser.execute_async_script(ASK, path)


def setting(page, name):
    return next(item["value"] for item in ask(page, "/v1/settings")["items"] if item["setting"] == name)


def length(trip):
    """The metres of a trip that count: what a person set, else what was measured."""
    return trip.get("adjusted_distance_m") or trip["distance_m"]


def check_desk(page):
    """Everything of the desk, on a large screen; the views are looked at on a telephone's too."""
    page.shape(1280, 800, False)
    check_ledger_settings(page)
    check_rates(page)
    check_access(page)
    check_backup(page)
    check_theme(page)
    check_button(page)
    check_selection(page)
    check_vehicle_of_many(page)
    check_meanwhile(page)
    check_log(page)
    check_order(page)
    check_saved(page)
    check_finder(page)
    for view in ("settings", JUNE):
        page.shape(360, 740, True)
        page.go(view, ".card, .trip-row")
        page.until(lambda: page.script("return document.querySelectorAll('main section .warning').length") == 0,
                   f"{view}: a part cannot be read")
        check_page(page.browser, f"{view} on a telephone")
    page.shape(1280, 800, False)


def check_ledger_settings(page):
    """Units and country are changed on the page, with undo; Austria is there."""
    page.go("settings", ".ledger-settings button.main")
    page.until(lambda: page.script("return document.querySelectorAll('main section table').length") >= 2,
               "the settings have no rules and no tokens")
    check_page(page.browser, "settings of the ledger")
    countries = page.script("""return [...document.querySelectorAll('.ledger-settings select')]
        .flatMap((select) => [...select.options].map((option) => option.value))""")
    expect("at" in countries, f"Austria is no country: {countries}")
    before = setting(page, "units")
    other = "mi" if before == "km" else "km"
    page.script(VALUE, other)
    page.press(".ledger-settings button.main")
    page.until(lambda: setting(page, "units") == other, "the units are not changed")
    page.until(lambda: page.script("return Boolean(document.querySelector('.toast button'))"),
               "the units cannot be changed back")
    page.press(".toast button")
    page.until(lambda: setting(page, "units") == before, "Undo does not take the units back")


def check_rates(page):
    """A rate of one's own is set, listed, ended and replaced; each is taken back."""
    page.go("totals")
    page.go("settings", ".settings-rates form")
    page.script("document.querySelector('.settings-rates details').open = true")
    for name, value in (("company", "input[placeholder=company]"), ("0.35", "input[type=number]"),
                        ("EUR", "input[placeholder=EUR]")):
        page.find(f".settings-rates {value}").send_keys(name)
    page.press(".settings-rates form button.main")
    row = ".settings-rates tr:has(button.end-rate)"
    page.until(lambda: "company" in page.find(row).text, "a rate that was set is not listed")
    check_page(page.browser, "rates of one's own")
    open_end = page.find(row).text
    page.press(f"{row} button.end-rate")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog input[type=date]'))"),
               "nothing is asked")
    year = page.script("return new Date().getFullYear()")
    page.script("document.querySelector('dialog input[type=date]').value = arguments[0]", f"{year}-12-30")
    page.press("dialog button.main")
    page.until(lambda: page.script(DAY, f"{year}-12-30") in page.find(row).text, "a rate is not ended")
    take_back(page, lambda: page.find(row).text == open_end, "the end of a rate is not taken back")
    page.press(f"{row} button.replace-rate")
    rate = page.find(".settings-rates form input[type=number]")
    expect(rate.get_attribute("value") == "0.35", "another rate does not begin as the one before")
    rate.clear()
    rate.send_keys("0.5")
    page.script("document.querySelector('.settings-rates form input[type=date]').value = arguments[0]",
                f"{year + 1}-01-01")
    page.press(".settings-rates form button.main")
    page.until(lambda: len(page.browser.find_elements("css selector", row)) == 2, "a rate to come is not listed")
    take_back(page, lambda: len(page.browser.find_elements("css selector", row)) == 1
              and page.find(row).text == open_end, "another rate is not taken back")


def take_back(page, is_back, sentence):
    """Presses Undo, and waits until all is as it was."""
    page.until(lambda: page.script("return Boolean(document.querySelector('.toast button'))"), f"{sentence}: no Undo")
    page.press(".toast button")
    page.until(is_back, sentence)


def check_access(page):
    """The page makes the next link, and ends what lets in."""
    page.script("document.querySelector('.next-link').open = true")
    page.find(".next-link input").send_keys("guest")
    page.script("document.querySelector('.next-link select').value = 'read'")
    page.press(".next-link button.main")
    if not page.until(lambda: page.script("return document.querySelector('.next-link pre')?.textContent ?? ''")
                      .startswith(f"{page.origin}/#login="), "the page makes no link"):
        return
    check_page(page.browser, "a link for another browser")
    expect(page.script("return document.querySelector('.next-link img').naturalWidth") > 20,
           "the link has no code")
    revoke = "button[aria-label*=': guest,']"
    page.until(lambda: page.script(f"return Boolean(document.querySelector(\"{revoke}\"))"),
               "a link is not listed")
    page.press(revoke)
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog .danger'))"), "nothing is asked")
    page.find("dialog .danger").click()
    page.until(lambda: not page.script(f"return Boolean(document.querySelector(\"{revoke}\"))"),
               "what was revoked is still let in")
    expect(all(item["state"] != "valid" for item in ask(page, "/v1/tokens")["items"] if item["name"] == "guest"),
           "the revoked link is valid")


def check_backup(page):
    """A backup is made now, and the page says when it is there."""
    page.press(".settings-safe button.backup")
    page.until(lambda: ask(page, "/v1/safekeeping")["backup_at"] is not None, "no backup is made", 120)
    page.until(lambda: page.script("return document.querySelector('.settings-safe button.backup')?.disabled") is False,
               "the backup is made for ever", 120)
    expect(page.script("return document.querySelectorAll('.settings-safe .warning').length") == 0,
           "the backup has a problem")


def check_theme(page):
    """A chosen theme holds whatever the system says, and is remembered."""
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page.script(paper)
    page.find("#navigation button").click()
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog[open]'))"), "no settings")
    page.script("""const select = [...document.querySelectorAll('dialog select')]
        .find((one) => [...one.options].some((option) => option.value === 'dark'));
        select.value = 'dark'; select.dispatchEvent(new Event('change'))""")
    page.until(lambda: page.script(paper) != light, "the dark theme is not dark")
    check_page(page.browser, "settings in a dark theme")
    page.keys(Keys.ESCAPE)
    page.browser.refresh()
    page.wait("settings", ".ledger-settings")
    page.until(lambda: page.script(paper) != light, "the theme is not remembered")
    page.script("localStorage.setItem('theme', 'system')")
    page.browser.refresh()
    page.wait("settings", ".ledger-settings")
    page.until(lambda: page.script(paper) == light, "the system's theme does not come back")


def check_button(page):
    """A button for automations is made with its steps, and listed among the devices."""
    page.go("devices", ".new-button")
    page.script("document.querySelector('.new-button').open = true")
    page.find(".new-button input").send_keys("car button")
    page.press(".new-button button.main")
    page.until(lambda: page.script("return document.querySelectorAll('.new-button .setup pre').length") == 2,
               "a button has no two addresses")
    check_page(page.browser, "a button is set up")
    expect(page.script("return document.querySelectorAll('.new-button .setup li').length") > 1,
           "the steps of automations are not said")
    go = page.find(".new-button .setup pre").text
    expect(go.startswith(f"{page.origin}/press/") and go.endswith("/go"), f"the address is {go}")
    button = "main table button[aria-label$='car button']"
    page.until(lambda: page.script(f"return Boolean(document.querySelector(\"{button}\"))"),
               "a button is not listed")
    page.press(button)
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog .danger'))"), "nothing is asked")
    page.find("dialog .danger").click()
    page.until(lambda: not page.script(f"return Boolean(document.querySelector(\"{button}\"))"),
               "a button that was revoked is still listed")


def check_selection(page):
    """Trips are selected by keys and with shift, added up, and classed at once, with undo."""
    page.go(JUNE, ".trip-row .pick")
    page.keys("j", "x")
    page.until(lambda: page.script(SELECTED) == 1, "the key x selects nothing")
    ActionChains(page.browser).key_down(Keys.SHIFT).send_keys("jj").key_up(Keys.SHIFT).perform()
    page.until(lambda: page.script(SELECTED) == 3, "shift and j do not select the next trips")
    expect(page.find(".desk-sum").text.startswith("3 trips selected"),
           f"the selection is said as {page.find('.desk-sum').text}")
    check_page(page.browser, "trips are selected")
    before = page.script(CLASSES, 3)
    page.press(".desk [data-does=sums]")
    page.until(lambda: page.script("return document.querySelector('dialog tfoot td')?.textContent") == "3",
               "the sums are not those of the selection")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.script("return Boolean(document.querySelector('dialog'))"), "the sums stay")
    page.script("document.activeElement.blur()")
    page.keys("m")
    page.until(lambda: page.script(CLASSES, 3) == ["class-medical"] * 3, "a class is not given to the selection")
    page.until(lambda: page.script("return Boolean(document.querySelector('.toast button'))"),
               "many decisions cannot be undone")
    page.press(".toast button")
    page.until(lambda: page.script(CLASSES, 3) == before, "Undo does not undo them all")
    # With a pointer: from the first box to the fifth with shift.
    page.script("document.activeElement.blur()")
    page.keys(Keys.ESCAPE)
    page.until(lambda: page.script(SELECTED) == 0, "Escape keeps the selection")
    page.press(".trip-row .pick")
    boxes = page.browser.find_elements("css selector", ".trip-row .pick")
    ActionChains(page.browser).key_down(Keys.SHIFT).click(boxes[4]).key_up(Keys.SHIFT).perform()
    page.until(lambda: page.script(SELECTED) == 5, "shift and a click do not select a range")
    page.press(".desk [data-does=none]")
    page.until(lambda: page.script(SELECTED) == 0, "the selection does not end")


def check_vehicle_of_many(page):
    """Many trips are given a vehicle at once, and what they had before by Undo."""
    page.go("trips?from=2025-04-01&to=2025-04-30", ".trip-row .pick")
    page.script("document.activeElement.blur()")
    page.keys("j", "x")
    ActionChains(page.browser).key_down(Keys.SHIFT).send_keys("j").key_up(Keys.SHIFT).perform()
    page.until(lambda: page.script(SELECTED) == 2, "two trips are not selected")
    ids = page.script("return [...document.querySelectorAll('.trip-row.selected')].map((row) => row.dataset.trip)")

    def vehicles():
        return [ask(page, f"/v1/trips/{trip}")["vehicle"] for trip in ids]

    before = vehicles()
    page.press(".desk [data-does=details]")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog input[list]'))"),
               "many trips cannot be given a vehicle")
    check_page(page.browser, "details of many trips")
    page.find("dialog input[list]").send_keys("Rental")
    page.press("dialog button.main")
    page.until(lambda: vehicles() == ["Rental", "Rental"], "a vehicle is not given to the selection")
    take_back(page, lambda: vehicles() == before, "Undo does not take the vehicle back")
    page.script("document.activeElement.blur()")
    page.keys(Keys.ESCAPE)


def check_meanwhile(page):
    """What another one decides while many trips are decided about is shown, and not overwritten."""
    page.go("trips?from=2025-05-01&to=2025-05-31", ".trip-row .pick")
    page.script("document.activeElement.blur()")
    page.keys("j", "x")
    ActionChains(page.browser).key_down(Keys.SHIFT).send_keys("jj").key_up(Keys.SHIFT).perform()
    page.until(lambda: page.script(SELECTED) == 3, "three trips are not selected")
    before = page.script(CLASSES, 3)
    ids = page.script("return [...document.querySelectorAll('.trip-row.selected')].map((row) => row.dataset.trip)")
    page.script(MEANWHILE, ids[1])
    page.script("document.activeElement.blur()")
    page.keys("m")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog .versions'))"),
               "what was changed meanwhile is overwritten without a word")
    expect(page.script("return document.querySelectorAll('dialog .versions tbody tr').length") == 1,
           "other trips are said to be changed")
    expect("Charity" in page.find("dialog .versions").text, "the class that is stored now is not shown")
    check_page(page.browser, "trips that were changed meanwhile")
    page.press("dialog button.main")
    wanted = ["class-medical", "class-charity", "class-medical"]
    page.until(lambda: page.script(CLASSES, 3) == wanted, "the other trips are not decided about")
    expect(ask(page, f"/v1/trips/{ids[1]}")["class"] == "charity", "what was stored meanwhile is overwritten")
    take_back(page, lambda: page.script(CLASSES, 3) == [before[0], "class-charity", before[2]],
              "Undo does not undo the others")
    page.script(DECIDE, ids[1], {"class": before[1].removeprefix("class-")})
    page.until(lambda: page.script(CLASSES, 3) == before, "the class is not as before")
    page.script("document.activeElement.blur()")
    page.keys(Keys.ESCAPE)


def check_log(page):
    """The mileage log has the days and filters of the list, and says which of them it has not."""
    page.go(f"{JUNE}&class=unclassified&status=completed", ".trip-row")
    page.press("button.of-log")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog .log-forms'))"), "no log is offered")
    expect("State" in page.find("dialog .warning").text, "a filter that the log lacks is not named")
    links = page.script("return [...document.querySelectorAll('dialog .log-forms a')].map(({ href }) => href)")
    for link in links:
        for part in ("from=2025-06-01", "to=2025-06-30", "class=unclassified"):
            expect(part in link, f"{link} lacks {part}")
    expect(any("format=html" in link for link in links), f"there is no HTML among {links}")
    check_page(page.browser, "the mileage log of a list")
    page.press("dialog .log-forms a")
    page.wait("reports", "iframe.report")


def check_order(page):
    """The longest way stands first, and the order is in the address."""
    page.go(f"{JUNE}&order=longest", ".trip-row")
    listed = ask(page, "/v1/trips?from=2025-06-01&to=2025-06-30&limit=1000")["items"]
    longest = max(length(trip) for trip in listed)
    first = page.script("return document.querySelector('.trip-row').dataset.trip")
    trip = ask(page, f"/v1/trips/{first}")
    expect(length(trip) == longest, "the longest way is not first")
    expect(page.script("return document.querySelectorAll('h2.day').length") == 0, "days part another order")


def check_saved(page):
    """Filters are saved by a name, and chosen again."""
    page.go(JUNE, ".save-filter")
    page.press(".save-filter")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog input'))"), "no name is asked for")
    page.find("dialog input").send_keys("In June", Keys.ENTER)
    page.until(lambda: page.script("return Boolean(document.querySelector('.saved-filter'))"),
               "filters are not saved")
    page.go("trips", ".saved-filter")
    page.press(".saved-filter")
    page.until(lambda: "from=2025-06-01" in page.browser.current_url, "saved filters are not chosen")
    page.wait("trips", ".saved-filters .quiet")
    page.press(".saved-filters .quiet[aria-label]")
    page.until(lambda: page.script("return Boolean(document.querySelector('dialog button.main'))"), "nothing is asked")
    page.find("dialog button.main").click()
    page.until(lambda: not page.script("return Boolean(document.querySelector('.saved-filter'))"),
               "saved filters stay")


def check_finder(page):
    """The key / searches trips, places, vehicles and views."""
    page.go("now", ".tile")
    page.script("document.activeElement.blur()")
    page.keys("/")
    if not page.until(lambda: page.script("return Boolean(document.querySelector('dialog input[type=search]'))"),
                      "the key / searches nothing"):
        return
    page.find("dialog input[type=search]").send_keys("settings")
    page.until(lambda: any("Settings" in text for text in page.script(FOUND)), "the search finds no view")
    check_page(page.browser, "the search")
    for text in ("16.6.2025", "2025-06-16", "16-06-2025", "6/16/2025", "16/6/2025"):
        words = page.find("dialog input[type=search]")
        words.clear()
        words.send_keys(text)
        page.until(lambda: any("16" in found and "June" in found and found.startswith("Day")
                               for found in page.script(FOUND)),
                   f"the search finds no day {text}")
    words = page.find("dialog input[type=search]")
    words.clear()
    # A place at which a trip starts: one that was just saved has none.
    trips = ask(page, "/v1/trips?limit=200")["items"]
    name = next(trip["start_place"] for trip in trips if trip.get("start_place"))
    words.send_keys(name)
    page.until(lambda: any(name in text for text in page.script(FOUND)), f"the search finds no place {name}")
    page.keys(Keys.ARROW_DOWN, Keys.ENTER)
    page.until(lambda: not page.script("return Boolean(document.querySelector('dialog'))"), "nothing is opened")
    page.wait("trips", ".trip-row")
