"""The browser that the page is tried in, one of three engines, and the environment that has its driver.

What is done in the page is described once, in selenium's words: find, click, type, execute a script. What
selenium has no words for is a method of `Engine`: the size of the window's content and light or dark, scripts
before those of a page, complaints of the console, requests, prints, a finger, the network, the device's
position. An engine that cannot do one of them says why, where it is asked.
"""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from book import REPOSITORY

PYTHON = REPOSITORY / ".build" / "acceptance-python" / "bin" / "python3"
ENGINES = ("chromium", "firefox", "webkit")

# Notes violations of the policy before anything of a page can cause one.
NOTE_VIOLATIONS = """
    window.policyViolations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
        window.policyViolations.push(`${event.violatedDirective} ${event.blockedURI}`);
    });"""

chosen = "chromium"
skipped = set()


def choose(engine):
    """Has `browser` start an engine from now on."""
    global chosen
    chosen = engine


def enter_environment():
    """Goes on in the environment that has the browser's driver."""
    if Path(sys.prefix) == PYTHON.parents[1]:
        return
    subprocess.run([REPOSITORY / "tools" / "acceptance" / "setup", "page"], check=True)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


class Engine:
    """What every browser does beside selenium's commands; an engine's own class says how."""

    engine = ""
    # Whether light turns to dark in a browser that runs.
    turns_dark = True
    # What an engine cannot do, with the sentence that says why.
    lacks = {}

    def enter(self):
        """Gives the page the keyboard, where the tab key has left it for what is around it."""

    def can(self, ability, place):
        """Whether the engine does something; where it does not, it is said that a place is skipped, and why."""
        if ability not in self.lacks:
            return True
        if (ability, place) not in skipped:
            skipped.add((ability, place))
            print(f"skipped in {self.engine}: {place}: {self.lacks[ability]}", flush=True)
        return False


@contextmanager
def browser(is_dark=False, zone=None):
    """A browser without a window, whose complaints and requests are kept; dark, or with the clock of a zone from
    its start, where it can become neither later."""
    if chosen == "chromium":
        from page_chromium import Chromium
        made = Chromium()
    elif chosen == "firefox":
        from page_firefox import Firefox
        made = Firefox()
    else:
        from page_webkit import WebKit
        made = WebKit(is_dark, zone)
    try:
        yield made
    finally:
        made.quit()
