"""What is checked of every view of the page, whatever it shows."""

from urllib.parse import urlsplit

from book import expect

# Reads the page as it stands: contrast of each text, sizes of targets, headings and landmarks.
READ_PAGE = r"""
const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
};
const light = ({ rgb }) => {
    const [r, g, b] = rgb.map((n) => n / 255)
        .map((n) => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const over = (top, under) => ({
    rgb: top.rgb.map((n, i) => n * top.alpha + under.rgb[i] * (1 - top.alpha)), alpha: 1 });
const paper = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
        const colour = parse(getComputedStyle(one).backgroundColor);
        if (colour.alpha > 0) layers.push(colour);
        if (colour.alpha === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), parse('rgb(255, 255, 255)'));
};
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest('.unseen, .skip:not(:focus), noscript')
    && [...element.getClientRects()].some((box) => box.width > 1 && box.height > 1);
const said = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') || ''} ` +
    JSON.stringify(element.textContent.trim().slice(0, 40));
const contrast = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    // A sign that stands on the map also stands in a table; contrast of signs need only be 3.
    if (!walker.currentNode.textContent.trim() || !isSeen(element)) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ink = parse(element instanceof SVGElement ? style.fill : style.color);
    const under = paper(element);
    const found = ratio(over(ink, under), under);
    const least = isLarge || element.closest('.mark') ? 3 : 4.5;
    if (found < least) contrast.add(`${said(element)} has ${found.toFixed(2)}`);
}
const small = new Set();
const targets = 'button, summary, input, select, textarea, a, [role=button]';
for (const element of document.querySelectorAll(targets)) {
    const isInText = element.tagName === 'A' && getComputedStyle(element).display === 'inline';
    if (!isSeen(element) || isInText) continue;
    // A control in a label is pressed by its label.
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    if (box.width < 24 || box.height < 24) small.add(`${said(element)} is ${box.width} by ${box.height}`);
}
const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
// Numbers of a column stand below one another: what is a number, with a unit or without, is to the right.
const isNumber = (text) => /^-?\d[\d,.]*( (km|mi|m|km\/h|mph|hr|min|sec|%))?$/.test(text);
const ragged = [];
for (const table of document.querySelectorAll('main table, dialog table')) {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter(isSeen);
    for (let column = 1; column < (rows[0]?.cells.length ?? 0); column += 1) {
        const cells = rows.map(({ cells: all }) => all[column])
            .filter((cell) => cell && !/^[–-]?$/.test(cell.textContent));
        const isRight = cells.every((cell) => ['right', 'end'].includes(getComputedStyle(cell).textAlign));
        if (cells.length > 0 && cells.every((cell) => isNumber(cell.textContent.trim())) && !isRight) {
            ragged.push(`${table.caption?.textContent}, column ${column + 1}`);
        }
    }
}
return {
    contrast: [...contrast], small: [...small], ragged,
    twice: ids.filter((id, index) => ids.indexOf(id) !== index),
    headings: document.querySelectorAll('h1').length,
    mains: document.querySelectorAll('main').length,
    navigations: document.querySelectorAll('nav[aria-label]').length,
    language: document.documentElement.lang,
    // A telephone makes its window as wide as what stands in it; the layout stays as wide as the screen.
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    styled: document.querySelectorAll('main [style*="color"]').length,
    violations: window.policyViolations ?? [],
};
"""

# Where the focus is, and whether it can be seen.
READ_FOCUS = r"""
const element = document.activeElement;
if (!element || element === document.body) return null;
element.mark ??= (window.marks = (window.marks ?? 0) + 1);
const style = getComputedStyle(element);
const box = element.getBoundingClientRect();
return {
    mark: element.mark,
    text: `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 30)}`,
    isSeen: box.width > 0 && box.height > 0,
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
};
"""

def check_page(browser, place):
    """Checks what can be read of a view as it stands."""
    read = browser.execute_script(READ_PAGE)
    for kind, sentence in (
            ("contrast", "contrast"), ("small", "a target below 24 px"), ("twice", "an id twice"),
            ("violations", "the policy was violated"), ("ragged", "numbers are not below one another")):
        expect(not read[kind], f"{place}: {sentence}: {'; '.join(map(str, read[kind][:5]))}")
    expect(read["headings"] == 1, f"{place}: {read['headings']} main headings")
    expect(read["mains"] == 1 and read["navigations"] == 1, f"{place}: landmarks are missing")
    expect(read["language"] != "", f"{place}: the document has no language")
    expect(read["overflow"] <= 0, f"{place}: {read['overflow']} px wider than the screen")
    check_names(browser, place)


def check_names(browser, place):
    """Checks that what can be used or found has a name, as the browser or the page computes it."""
    for sentence in browser.unnamed():
        expect(False, f"{place}: {sentence}")


def check_focus(browser, place, most=60, least=8):
    """Goes through a view with the tab key: the focus is never lost, and always to be seen."""
    from selenium.webdriver import ActionChains, Keys
    browser.enter()
    browser.execute_script("document.activeElement.blur(); document.getElementById('skip').focus()")
    seen = []
    for _ in range(most):
        focus = browser.execute_script(READ_FOCUS)
        if focus is None:
            break
        expect(focus["isSeen"], f"{place}: the focus is on what cannot be seen: {focus['text']}")
        if seen:
            expect(focus["isMarked"], f"{place}: the focus is not marked on {focus['text']}")
        # A date is a single element with several stops.
        if focus["mark"] in seen[:-1]:
            expect(focus["mark"] == seen[0], f"{place}: the tab key is caught at {focus['text']}")
            break
        if focus["mark"] not in seen:
            seen.append(focus["mark"])
        ActionChains(browser).send_keys(Keys.TAB).perform()
    # The last of them may have led to the browser's own buttons.
    browser.enter()
    expect(len(seen) >= least, f"{place}: only {len(seen)} places for the focus")


def check_console(browser, place):
    """Checks that the browser complained of nothing since the last time."""
    for _, message in browser.complaints():
        expect(False, f"{place}: the console says {message[:300]}")


def check_requests(browser, origin, place):
    """Checks that nothing was asked of another place since the last time."""
    for url in browser.asked():
        parts = urlsplit(url)
        if parts.scheme in ("data", "chrome", "about", "devtools", "blob"):
            continue
        expect(f"{parts.scheme}://{parts.netloc}" == origin, f"{place}: asked for {url}")
