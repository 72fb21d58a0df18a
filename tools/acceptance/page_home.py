"""Home, the map of a year, a day, the changes and the seal, as a driver sees them."""

from selenium.webdriver import Keys

from book import expect

PERIODS = ("today", "week", "month", "year")
LAND = """return (() => {
    const canvas = document.querySelector(arguments[0]);
    if (!canvas || canvas.hidden) return null;
    const pen = canvas.getContext('2d');
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let filled = 0;
    for (let at = 3; at < data.length; at += 4 * 97) if (data[at] > 0) filled += 1;
    return filled / Math.floor(data.length / 4 / 97);
})()"""
ROADS = """return [...document.querySelectorAll('main path.road')].map((path) => ({
    wide: parseFloat(getComputedStyle(path).strokeWidth), long: path.getTotalLength() }))"""
FIGURE = "return parseFloat(document.querySelector('{}').textContent.replace(/[^0-9.]/g, ''))"


def check_figures(page):
    """The tiles say what the totals of the same days say; silent devices have lights and no cards."""
    page.go("now", ".tile[data-period=year] strong")
    page.until(lambda: "–" not in page.find(".tile[data-period=year] strong").text, "home has no figures")
    for period in PERIODS:
        tile = page.find(f".tile[data-period={period}]")
        expect(tile.get_attribute("href").split("#/")[1].startswith("day" if period == "today" else "trips"),
               f"home: the figures of {period} lead nowhere")
    said = page.script("return document.querySelector('.tile[data-period=year]').href.split('?')[1]")
    meters = page.browser.execute_async_script("""const [query, done] = arguments;
        fetch(`/v1/totals?by=class&${query}`).then((answer) => answer.json()).then(({ items }) =>
            done(items.find(({ kind }) => kind === 'total')?.distance_m ?? 0))""", said)
    shown = page.script(FIGURE.format(".tile[data-period=year] strong"))
    expect(abs(shown - meters / 1000) <= 0.5 + 0.001 * shown, f"home: {shown} km, the totals say {meters} m")
    expect(page.script("return document.querySelectorAll('article.phase-idle').length") == 0,
           "home: a device that is silent has a card")
    page.until(lambda: page.find(".keeping .lights li"), "home has no lights")


def check_ground(page):
    """Where a map is wide, it has land and water of its own; roads stand on it, the usual ones widest."""
    page.go("roads", "main path.road")
    page.until(lambda: page.script("return document.querySelector('.map-holder canvas.ground') !== null"),
               "the map has no ground")
    roads = page.script(ROADS)
    expect(len(roads) >= 2, f"only {len(roads)} kinds of roads")
    widths = [road["wide"] for road in roads]
    expect(len(set(widths)) == len(widths), f"roads are as wide as each other: {widths}")
    legend = page.script("return document.querySelectorAll('.heat-panel .legend li').length")
    expect(legend == len(roads), f"the legend has {legend} lines for {len(roads)} kinds of roads")
    whole = page.find(".heat-title span").text
    page.script("""const slider = document.querySelector('.heat-slider input');
        slider.value = '3'; slider.dispatchEvent(new Event('input'))""")
    page.until(lambda: page.find(".heat-title span").text != whole, "a month has the kilometres of the year")
    page.until(lambda: "month=3" in page.browser.current_url, "the month is not in the address")
    # Far enough away, there is both land and sea.
    page.script("for (let n = 0; n < 8; n += 1) document.querySelector('.leaflet-control-zoom-out').click()")
    page.until(lambda: 0.05 < (page.script(LAND, "canvas.ground") or 0) < 0.95, "the map has no land, or no sea")
    expect(page.script(LAND, "canvas.around") is None, "a map of countries shows the land around it")


def check_day(page):
    """A day has its trips in the list, on the strip and on the map; the strip is driven along by keys."""
    day = page.browser.execute_async_script("""const [done] = arguments;
        fetch('/v1/trips?limit=1').then((answer) => answer.json()).then(({ items }) =>
            done(items[0].started_at.slice(0, 10)))""")
    page.go(f"day/{day}", ".day-list li")
    trips = page.script("return document.querySelectorAll('.day-list .of-trip').length")
    pieces = page.script("return document.querySelectorAll('.strip .drive').length")
    expect(trips > 0 and trips == pieces, f"day: {trips} trips in the list, {pieces} on the strip")
    page.until(lambda: page.script("return document.querySelectorAll('main path.track').length") > 0,
               "day: no way on the map")
    page.script("for (let n = 0; n < 6; n += 1) document.querySelector('.leaflet-control-zoom-in').click()")
    page.until(lambda: 0.05 < (page.script(LAND, "canvas.around") or 0) < 0.95,
               "a near map does not show the land around it")
    before = page.find("output.reading").text
    page.script("document.querySelector('.strip').focus()")
    page.keys(Keys.PAGE_UP)
    page.until(lambda: page.find("output.reading").text != before, "day: keys do not move the play head")
    page.script("document.activeElement.blur()")
    page.keys(Keys.ARROW_LEFT)
    page.until(lambda: f"day/{day}" not in page.browser.current_url, "day: ← does not lead to the day before")


def check_changes(page):
    """Every decision is listed; words limit the list."""
    page.go("changes", "main .sheet [role=status]")
    page.until(lambda: page.script("return document.querySelectorAll('.change').length") > 0, "no change is listed")
    count = "return parseInt(document.querySelector('main .sheet [role=status]').textContent.replace(/\\D/g, ''))"
    everything = page.script(count)
    page.script("""const words = document.querySelector('main input[type=search]');
        words.value = 'no such word anywhere'; words.dispatchEvent(new Event('input'))""")
    page.until(lambda: page.script(count) == 0, f"the search finds all of {everything} changes")


def check_seal(page):
    """The log is hashed in the background, and the seal says how much of it."""
    page.go("now", ".tile")
    page.until(lambda: page.script("return JSON.parse(localStorage.getItem('seal'))?.isGood === true"),
               "the log was not sealed in the background", 120)
    size = page.script("return JSON.parse(localStorage.getItem('seal')).size")
    text = page.find("a.seal").text
    expect(f"{size:,}" in text, f"the seal does not say its {size} entries: {text}")


def check_home(page):
    check_figures(page)
    check_ground(page)
    check_day(page)
    check_changes(page)
    check_seal(page)
