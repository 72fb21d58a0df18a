"""Sets a phone up in the page, delivers with its token, and lets it in no more."""

import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from urllib.parse import unquote

from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page

CODE = "return document.querySelector('.setup img')?.src ?? ''"
STEPS = "return document.querySelectorAll('.setup ol li').length"
VALUES = "return document.querySelectorAll('.setup .values dd code').length"
WAITING = "return document.querySelector('.setup .check')?.textContent ?? ''"
HREF = "return document.querySelector('.setup a.setup-link')?.getAttribute('href') ?? ''"
LINK = "return document.querySelector('.setup pre')?.textContent ?? ''"


def check_devices(page):
    page.shape(360, 740, False)
    page.go("devices", ".new-device")
    page.script("document.querySelector('.new-device').open = true")
    page.find(".new-device input").send_keys("car phone")
    page.script("document.querySelector('.new-device select').value = 'osmand'")
    page.press(".new-device button.main")
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".setup img"), "no code is shown"):
        return
    check_page(page.browser, "a phone is set up")
    picture = ElementTree.fromstring(unquote(page.script(CODE).partition(",")[2]))
    expect(picture.tag.endswith("svg"), "the code is no picture")
    width = page.script("return document.querySelector('.setup img').naturalWidth")
    expect(width > 20, "the code is not drawn")
    expect("car phone" in page.find(".setup h3").text, "it does not say what it is for")
    link = page.script(LINK)
    expect(page.origin in link, f"the link leads elsewhere: {link}")
    expect(page.script(STEPS) > 1, "the steps are not said")
    expect(page.script(VALUES) > 0, "there are no values to type")
    deliver(page, link)
    again(page)
    revoke(page, link)
    never(page)


def address(link):
    """What OsmAnd asks for: the link with the numbers of a position in place of its braces."""
    for number, value in enumerate(("51.93", "4.58", str(int(time.time()) * 1000), "5", "0", "0", "90")):
        link = link.replace(f"{{{number}}}", value)
    return link


def status_of(link):
    try:
        with urllib.request.urlopen(address(link), timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def deliver(page, link):
    waiting = page.script(WAITING)
    expect(waiting != "", "it does not say that it waits for a position")
    status = status_of(link)
    expect(status == 200, f"what the link says delivers nothing: HTTP {status}")
    page.until(lambda: page.script(WAITING) != waiting, "it does not say that a position has arrived")
    page.go("totals")
    page.go("devices", ".new-device")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "main table button"),
               "what has delivered is not listed")
    check_page(page.browser, "devices that have delivered")


def again(page):
    """The same name again is refused in words."""
    page.script("document.querySelector('.new-device').open = true")
    page.find(".new-device input").send_keys("car phone")
    page.press(".new-device button.main")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".new-device .warning"),
               "a name that is taken is not refused")


def revoke(page, link):
    page.press("main table button[aria-label$='car phone']")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .danger"), "nothing is asked")
    page.find("dialog .danger").click()
    page.until(lambda: status_of(link) == 503, "a token that was revoked lets in")


def never(page):
    """On the phone itself the link is one; what never delivered is listed, and can be revoked."""
    page.go("totals")
    page.go("devices", ".new-device")
    page.script("document.querySelector('.new-device').open = true")
    page.find(".new-device input").send_keys("other phone")
    page.script("document.querySelector('.new-device select').value = 'owntracks'")
    page.press(".new-device button.main")
    page.until(lambda: page.script(HREF).startswith("owntracks:///config?inline="), "the link is none")
    button = "main table button[aria-label$='other phone']"
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, button),
               "what never delivered is not listed")
    page.press(button)
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .danger"), "nothing is asked")
    page.find("dialog .danger").click()
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, button),
               "a token that was revoked is still listed")
