"""The browser that the page is tried in, and the environment that has its driver."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from book import REPOSITORY

PYTHON = REPOSITORY / ".build" / "acceptance-python" / "bin" / "python3"


def enter_environment():
    """Goes on in the environment that has the browser's driver."""
    if Path(sys.prefix) == PYTHON.parents[1]:
        return
    subprocess.run([REPOSITORY / "tools" / "acceptance" / "setup", "page"], check=True)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


@contextmanager
def browser():
    """A browser without a window, whose complaints and requests are kept."""
    from selenium import webdriver
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--lang=en-GB"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB"})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    made.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.policyViolations = [];
        document.addEventListener('securitypolicyviolation', (event) => {
            window.policyViolations.push(`${event.violatedDirective} ${event.blockedURI}`);
        });"""})
    try:
        yield made
    finally:
        made.quit()
