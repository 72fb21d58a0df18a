"""Shares a trip that goes on by a link, and ends the link."""

import time
import urllib.error
import urllib.request

from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page
from page_home import LAND
from page_views import DELIVER

LINK = "return document.querySelector('dialog pre')?.textContent ?? ''"
SOURCE = """return fetch('/v1/status').then((answer) => answer.json())
    .then(({ sources }) => sources.find(({ source }) => source.startsWith('simulated')).source)"""
SHARE = "main article button.share"


def status_of(link):
    try:
        with urllib.request.urlopen(link, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


OFFERED = "return fetch('/openapi.json').then((a) => a.json()).then(({ paths }) => '/v1/shares' in paths)"


def show_around(page, link):
    """A link shows where on the earth its trip is, and not a dot in nothing."""
    here = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(link)
    page.until(lambda: 0.05 < (page.script(LAND, "canvas.around") or 0) < 0.95,
               "a link shows no land around the trip")
    page.browser.close()
    page.browser.switch_to.window(here)


def check_shares(page):
    """Makes a link, opens it, and ends it: where the server makes links."""
    if not page.script(OFFERED):
        print("page: this server makes no links to trips; that was not tried")
        return
    page.shape(360, 740, False)
    page.go("now", "form.go button")
    source = page.script(SOURCE)
    page.script("document.querySelector('form.go select').value = arguments[0]", source)
    page.press("form.go button")
    for number in range(8):
        page.script(DELIVER, source, 51.97 + number * 0.00014)
        time.sleep(1.1)
    shown = "return document.querySelector(arguments[0])?.hidden === false"
    if not page.until(lambda: page.script(shown, SHARE), "a trip that goes on cannot be shared"):
        return
    page.press(SHARE)
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog button.main"), "nothing is asked")
    page.find("dialog > .buttons button.main").click()
    page.until(lambda: "/live/" in page.script(LINK), "no link is made")
    check_page(page.browser, "sharing a trip")
    link = page.script(LINK)
    expect(link.startswith(page.origin), f"the link leads elsewhere: {link}")
    status = status_of(link)
    expect(status == 200, f"the link shows nothing: HTTP {status}")
    show_around(page, link)
    if not page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog li"),
                      "the links that let in are not listed"):
        return
    valid = len(page.browser.find_elements(By.CSS_SELECTOR, "dialog li"))
    page.press("dialog li:last-child button")
    page.until(lambda: len(page.browser.find_elements(By.CSS_SELECTOR, "dialog li")) < valid,
               "a link does not end")
    expect(status_of(f"{link}/stream") != 200, "a link that was ended still shows where the trip is")
    page.find("dialog > .buttons button:last-child").click()
    page.press("article button.stop")
    page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "button.stop"), "STOP ends no trip")
