"""Adds, moves, widens and removes places in the page, with the pointer and by keys."""

from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from book import expect
from page_checks import check_page

READ = """return fetch('/v1/places?limit=500').then((answer) => answer.json())
    .then(({ items }) => items.find(({ place }) => place === arguments[0]) ?? null)"""
METERS = "return Number(document.querySelector('.place-form input[step=\"1\"]').value)"
NAME = "Café \u201cOver the hills\u201d <b>"


def check_places(page):
    page.shape(1280, 800, False)
    page.go("places", ".place-row")
    add(page)
    widen(page)
    remove(page)


def saved(page, condition, sentence):
    return page.until(lambda: (found := page.script(READ, NAME)) is not None and condition(found), sentence)


def add(page):
    """Adds a place by keys alone; its name is no markup."""
    page.find(".new-place button").send_keys(Keys.ENTER)
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".place-form"), "no new place is offered")
    check_page(page.browser, "a new place")
    page.keys(NAME, Keys.ENTER)
    saved(page, lambda place: place["radius_m"] == 150, "a place is not added")
    shown = "return document.querySelector('.place-row[open] .name')?.textContent"
    page.until(lambda: page.script(shown) == NAME, "a new place is not the one that is shown")
    expect(not page.browser.find_elements(By.CSS_SELECTOR, ".place-row b"), "a name became markup")


def widen(page):
    """Drags the edge and the middle, and does the same in the fields."""
    before = page.script(READ, NAME)
    handles = page.browser.find_elements(By.CSS_SELECTOR, ".mark.handle")
    expect(len(handles) == 2, f"{len(handles)} handles are on the map")
    ActionChains(page.browser).drag_and_drop_by_offset(handles[1], 40, 0).perform()
    page.until(lambda: page.script(METERS) > 150, "dragging the edge does not widen a place")
    ActionChains(page.browser).drag_and_drop_by_offset(handles[0], 0, 30).perform()
    wide = page.script(METERS)
    page.press(".place-form button.main")
    saved(page, lambda place: place["radius_m"] == wide and place["lat"] < before["lat"] - 0.0001,
          "what was dragged is not saved")
    page.press(".toast button")
    saved(page, lambda place: place["radius_m"] == 150 and abs(place["lat"] - before["lat"]) < 0.0001,
          "moving a place is not undone")
    # A place that was taken back is drawn anew.
    page.until(lambda: type_radius(page, "320"), "no form")
    saved(page, lambda place: place["radius_m"] == 320, "a radius that is typed is not saved")


def type_radius(page, text):
    field = page.find(".place-row[open] .place-form input[step='1']")
    if not field.is_displayed():
        return False
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text, Keys.ENTER)
    return True


def remove(page):
    page.script("document.getElementById('toasts').replaceChildren()")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, ".place-row[open] .danger"), "no form")
    page.press(".place-row[open] .danger")
    page.until(lambda: page.browser.find_elements(By.CSS_SELECTOR, "dialog .danger"), "nothing is asked")
    check_page(page.browser, "removing a place")
    page.find("dialog .danger").click()
    page.until(lambda: page.script(READ, NAME) is None, "a place is not removed")
    page.press(".toast button")
    saved(page, lambda place: place["radius_m"] == 320, "removing a place is not undone")
