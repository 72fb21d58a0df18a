"""Drives a trip again on the map, and keeps its picture."""

import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from selenium.webdriver import Keys

from book import expect
from page_checks import check_page

TIME = "return Number(document.querySelector('.replay input').value)"
PLACE = "return document.querySelector('path.cursor')?.getAttribute('d') ?? ''"


def check_replay(page, trip):
    """Plays, pauses, moves and finishes; with and without motion."""
    page.shape(1280, 800, False)
    page.go(f"trip/{trip}", ".replay")
    page.script("""const speed = document.querySelector('.replay select'); speed.value = '64';
        speed.dispatchEvent(new Event('change'))""")
    end = page.script("return Number(document.querySelector('.replay input').max)")
    play(page)
    slider = page.find(".replay input")
    slider.send_keys(Keys.END)
    expect(page.script(TIME) == end, "the slider does not go to the end")
    reading = page.find(".reading").text
    slider.send_keys(Keys.HOME)
    expect(page.find(".reading").text != reading, "the slider does not move the cursor of the chart")
    chart = page.find("[role=slider].chart")
    chart.send_keys(Keys.PAGE_UP, Keys.PAGE_UP)
    expect(page.script(TIME) > 0, "the cursor of the chart does not move the slider")
    check_page(page.browser, "driving again")
    # Near its end it stops by itself.
    slider.send_keys(Keys.END, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.press(".play")
    page.until(lambda: "Play" in page.find(".play").text and page.script(TIME) == end, "it does not end")
    without_motion(page)
    keep_picture(page)


def play(page):
    before = page.script(PLACE)
    page.press(".play")
    page.until(lambda: page.script(TIME) > 60, "time does not pass on the map")
    expect(page.script(PLACE) != before, "nothing moves on the map")
    page.press(".play")
    paused = page.script(TIME)
    time.sleep(0.5)
    expect(page.script(TIME) == paused, "a pause does not hold")


def without_motion(page):
    """A reader who wants no motion sees a position a second."""
    if not page.browser.can("medium", "a replay without motion"):
        return
    page.browser.show_as(less_motion=True)
    page.find(".replay input").send_keys(Keys.HOME)
    page.script("""window.moves = 0; new MutationObserver(() => { window.moves += 1; })
        .observe(document.querySelector('path.cursor'), { attributeFilter: ['d'] })""")
    page.press(".play")
    time.sleep(2.6)
    page.press(".play")
    moves = page.script("return window.moves")
    expect(1 <= moves <= 4, f"without motion the position changes {moves} times in 2.6 s")
    page.shape(1280, 800, False)


def keep_picture(page):
    if not page.browser.can("downloads", "the picture of a trip"):
        return
    with tempfile.TemporaryDirectory() as directory:
        page.browser.keep_files_in(directory)
        page.script("""[...document.querySelectorAll('main button')]
            .find((one) => one.textContent === 'Picture (SVG)').click()""")
        kept = []
        # A file that is there may still be written.
        page.until(lambda: kept.extend(one for one in Path(directory).glob("*.svg")
                                       if one.read_text().rstrip().endswith("</svg>")) or kept, "no picture is kept")
        if not kept:
            return
        picture = ElementTree.parse(kept[0]).getroot()
        names = [one.tag.rpartition("}")[2] for one in picture.iter()]
        expect(names.count("path") == 2 and "script" not in names, f"the picture has {sorted(set(names))}")
        expect("→" in picture[0].text and "km" in picture[0].text, f"the picture says {picture[0].text}")
