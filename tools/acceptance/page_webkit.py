"""WebKitGTK, by its MiniBrowser and WebKitWebDriver."""

import json
import os
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.webkitgtk.service import Service

from book import REPOSITORY
from page_browser import NOTE_VIOLATIONS, Engine
from page_device import DEVICE
from page_names import UNNAMED

BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
# setup makes the locale there: the page speaks as the system does.
LOCALES = REPOSITORY / ".build" / "locales"
SCREEN = "1600x1400x24"
# The driver lets no script run before a page's own, and tells nothing of the console: this is put into
# each document as soon as it is there. What violated the policy before is told after.
WATCH = """if (!window.complaints) {
    window.complaints = [];
    for (const [name, isError] of [['error', true], ['warn', false]]) {
        const real = console[name];
        console[name] = (...parts) => { window.complaints.push([isError, parts.join(' ')]); real(...parts); };
    }
    window.addEventListener('error', (event) => window.complaints.push([true, event.message]));
    window.addEventListener('unhandledrejection', (event) =>
        window.complaints.push([true, `unhandled: ${event.reason}`]));
    const real = window.fetch;
    window.fetch = (...parts) => {
        const asked = real(...parts);
        asked.then(({ status, url }) => { if (status >= 400) window.complaints.push(
            [true, `${url}: the server responded with a status of ${status}`]); }, () => {});
        return asked;
    };
    performance.setResourceTimingBufferSize(20000);
    %s
    new ReportingObserver((reports) => { for (const { body } of reports)
        window.policyViolations.push(`${body.effectiveDirective} ${body.blockedURL}`);
    }, { types: ['csp-violation'], buffered: true }).observe();
}""" % NOTE_VIOLATIONS
COMPLAINTS = "const all = window.complaints ?? []; window.complaints = []; return all"
ASKED = """const all = performance.getEntriesByType('resource').map(({ name }) => name);
    const from = window.askedBefore ?? 0; window.askedBefore = all.length; return all.slice(from)"""
# A finger, as the events that one makes; the capture of a pointer that no device has is refused.
TOUCH = """const [kind, x, y] = arguments;
    Element.prototype.setPointerCapture = () => {};
    if (kind === 'pointerdown') window.touched = document.elementFromPoint(x, y);
    window.touched.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: y, pointerId: 77, isPrimary: true,
        pointerType: 'touch', bubbles: true, cancelable: true }))"""


SOON = 10


def start_screen():
    """Starts a screen in memory; returns its process, and its name."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    if not number:
        process.wait()
        raise SystemExit("page: Xvfb does not start; `tools/acceptance/setup page` installs it")
    return process, f":{number}"


class WebKit(Engine, webdriver.WebKitGTK):
    """WebKitGTK on a screen that only memory has."""

    engine = "webkit"
    turns_dark = False
    lacks = {
        "before": "WebKitGTK's driver lets no script run before those of a page",
        "colours": "WebKitGTK turns dark when it starts, not later",
        "tree": "WebKitGTK's driver tells no accessibility tree",
        "network": "WebKitGTK's driver cannot take the network away",
        "workers": "WebKitGTK's driver gives sessions that keep nothing, and these have no service workers",
        "block": "WebKitGTK's driver cannot keep a file from coming",
        "medium": "WebKitGTK's driver shows no page as on paper, or without motion",
        "paper": "WebKitGTK's driver does not print",
        "downloads": "WebKitGTK's driver cannot say where files are kept",
        "notices": "WebKitGTK's driver cannot allow notifications",
        "crash": "no driver has a process of WebKitGTK's page die",
        "manifest": "WebKitGTK installs no pages, and judges no manifest",
    }

    def __init__(self, is_dark, zone):
        self.screen, display = start_screen()
        options = webdriver.WebKitGTKOptions()
        options.binary_location = BROWSER
        for argument in ["--automation", *(["--dark-mode"] if is_dark else [])]:
            options.add_argument(argument)
        self.is_dark = is_dark
        self.first = [WATCH]
        self.device = {"isAllowed": True, "position": None}
        self.has_device = False
        service = Service("/usr/bin/WebKitWebDriver", env={
            **os.environ, "DISPLAY": display, "LOCPATH": str(LOCALES), "LC_ALL": "en_GB.UTF-8",
            **({"TZ": zone} if zone else {})})
        try:
            super().__init__(options, service)
        except Exception:
            self.screen.terminate()
            raise

    def quit(self):
        try:
            super().quit()
        finally:
            self.screen.terminate()
            self.screen.wait()

    def prepared(self, script):
        """A script after those that each document gets as soon as it is there."""
        device = [DEVICE % json.dumps(self.device)] if self.has_device else []
        return "\n".join([*self.first, *device, script])

    def execute_script(self, script, *arguments):
        return super().execute_script(self.prepared(script), *arguments)

    def execute_async_script(self, script, *arguments):
        return super().execute_async_script(self.prepared(script), *arguments)

    def before(self, script):
        """Has a script run in each page, soon after it comes; returns what takes it away again."""
        name = f"isRun{len(self.first)}"
        self.first.append(f"if (!window.{name}) {{ window.{name} = true; {script} }}")
        return self.first[-1]

    def forget(self, script):
        self.first.remove(script)

    def shape(self, width, height, is_dark):
        """Gives what the window shows a size: at least 447 pixels, the least that its bar takes."""
        if is_dark != self.is_dark:
            self.can("colours", "dark pages" if is_dark else "light pages")
        size = "return [innerWidth, innerHeight]"
        bar = self.get_window_size()["height"] - self.execute_script(size)[1]
        # Without a manager of windows, the window that has the pointer has the keyboard: it is in the middle.
        across, down = (int(one) // 2 for one in SCREEN.split("x")[:2])
        self.set_window_rect(across - max(width, 447) // 2, down - height // 2, width, height + bar)
        end = time.monotonic() + SOON
        while self.execute_script(size) != [max(width, 447), height] and time.monotonic() < end:
            time.sleep(0.05)

    def complaints(self):
        """What the console was told since the last time: whether it is an error, and the message."""
        return [tuple(one) for one in self.execute_script(COMPLAINTS)]

    def asked(self):
        """The addresses that the page asked for since the last time."""
        return self.execute_script(ASKED)

    def whole_picture(self):
        """A picture of what the window shows: the driver makes no other."""
        return self.get_screenshot_as_png()

    def touch(self, kind, x=0, y=0):
        """Puts a finger down (start), moves it, or takes it away (end)."""
        self.execute_script(TOUCH, {"start": "pointerdown", "move": "pointermove", "end": "pointerup"}[kind], x, y)

    def forget_cache(self):
        """Has nothing to forget: the driver's sessions keep nothing."""

    def allow(self, origin, permission, is_allowed=True):
        """Answers for the reader whether the page may have the geolocation."""
        self.device["isAllowed"] = is_allowed
        self.tell_device()

    def put_at(self, lat, lon, accuracy, **others):
        """Says where the device is: altitude, speed and heading as the device would."""
        self.device["position"] = {"latitude": lat, "longitude": lon, "accuracy": accuracy, **others}
        self.tell_device()

    def put_in_zone(self, zone):
        """Has the zone that the environment of the browser gave it when it started."""

    def tell_device(self):
        self.has_device = True
        self.execute_script("window.putDevice(arguments[0])", self.device)

    def unnamed(self):
        """What can be used or found and has no name."""
        return self.execute_script(UNNAMED)
