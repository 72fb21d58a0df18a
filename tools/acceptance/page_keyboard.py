"""A keyboard in front of the page: no pointer, and nothing that a script sets."""

from selenium.webdriver import ActionChains, Keys

from book import expect

NAMES = {"Enter": Keys.ENTER, "Tab": Keys.TAB, "PageUp": Keys.PAGE_UP, "Escape": Keys.ESCAPE}

# The focused element, in the words that a reader knows it by.
WHERE = r"""
const one = document.activeElement;
const copy = (one.labels?.[0] ?? one).cloneNode(true);
// Parts that are hidden from listeners, such as the key of a class, do not belong to a name.
copy.querySelectorAll?.('[aria-hidden=true]').forEach((part) => part.remove());
return { tag: one.tagName, name: (one.getAttribute('aria-label') ?? copy.textContent).trim() };
"""
SAID = "return document.getElementById('announcer').textContent"
CURRENT = "return document.querySelector('main li.current')?.dataset.trip ?? null"
CONTROLS = """return [...document.querySelectorAll('button:enabled, summary, a, input')]
    .map((one) => (one.getAttribute('aria-label') ?? one.textContent).trim())"""
MOST_TABS = 600


class Keyboard:
    """Presses keys, and minds that the focus is never lost."""

    def __init__(self, page):
        self.page = page
        self.pressed = 0

    def press(self, *keys):
        for key in keys:
            self.send(NAMES.get(key, key))
            self.check_focus(f"the key {key}")

    def send(self, key, shift=False):
        chain = ActionChains(self.page.browser, duration=0)
        if shift:
            chain.key_down(Keys.SHIFT)
        chain.send_keys(key)
        if shift:
            chain.key_up(Keys.SHIFT)
        chain.perform()
        self.pressed += 1

    def where(self):
        return self.page.script(WHERE)

    def check_focus(self, after):
        """Something has the focus: at once, or when what is being read is there."""
        self.page.until(lambda: self.where()["tag"] != "BODY", f"after {after} nothing has the focus", 5)

    def tab_to(self, name, begins=False, backwards=False):
        """Goes on with the tab key until something of a name has the focus; None: whichever way is nearer."""
        visited = []
        for _ in range(MOST_TABS):
            there = self.where()
            if there["tag"] == "BODY":
                self.page.browser.enter()
            found = there["name"]
            if found == name or begins and found.startswith(name):
                return True
            visited.append(found[:25])
            self.send(Keys.TAB, shift=bool(backwards))
        expect(False, f"the tab key does not lead to {name}, but to {visited[:20]}")
        return False

    def type(self, text):
        for letter in text:
            self.send(letter)

    def act(self, key, said, row=None):
        """Presses a key that does something: the row is done, the page says so, and something has the focus."""
        self.press(key)
        page = self.page
        page.until(lambda: page.script(SAID).startswith(said), f"after {key} the page does not say {said}, "
                   f"but {page.script(SAID)}")
        if row:
            page.until(lambda: self.current_row() != row, f"{key} leaves a trip in the inbox")
        self.check_focus(f"{key}, which did {said}")

    def current_row(self):
        return self.page.script(CURRENT)

    def view(self, name, selector):
        """Goes to a view by the navigation, which stands before what is read."""
        self.tab_to(name, begins=True, backwards=True)
        self.send(Keys.ENTER)
        self.ready(name.lower(), selector)
        # A list that is shown again has it where it was left.
        expect(self.where()["tag"] in ("H1", "A"), f"in {name} the focus is at {self.where()}")

    def ready(self, view, selector):
        self.page.wait(view, selector)

    def wait_for_control(self, name):
        self.page.until(lambda: name in self.page.script(CONTROLS), f"there is no {name}")
