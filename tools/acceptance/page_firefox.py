"""Firefox, by Marionette and WebDriver BiDi."""

import base64
import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.command import Command

from page_browser import NOTE_VIOLATIONS, Engine
from page_device import DEVICE
from page_marionette import Marionette, News
from page_names import UNNAMED

STARTS_WITHIN_SECONDS = 120
SCRIPT_ENDS_WITHIN_SECONDS = 600
PREFERENCES = {
    # The system gives it a port that is free, and the profile says which.
    "marionette.port": 0,
    "remote.active-protocols": 1,
    "intl.accept_languages": "en-GB",
    "intl.locale.requested": "en-GB",
    # A finger is one where the screen is none.
    "dom.w3c_touch_events.enabled": 1,
    # A window without a screen is the active one.
    "focusmanager.testmode": True,
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True,
    "browser.download.alwaysOpenPanel": False,
    "browser.helperApps.neverAsk.saveToDisk": "image/svg+xml",
    # It asks no one but the page's server.
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "extensions.update.enabled": False,
    "services.settings.server": "data:,",
    "ui.prefersReducedMotion": 0,
}
# Runs with the browser's own rights: the colours, the medium and the motion that a page is told of.
SHOW = """const [scheme, medium] = arguments;
    const { top } = gBrowser.selectedBrowser.browsingContext;
    if (scheme !== null) top.prefersColorSchemeOverride = scheme;
    if (medium !== null) top.mediumOverride = medium;"""
# Runs a script among the page's own, with its arguments and the function that it calls with what it found.
IN_PAGE = """(given) => new Promise((resolve) => {
    const run = function run() { %s };
    run(...JSON.parse(given), (found) => resolve(JSON.stringify(found ?? null))); })"""
PROCESS = "return gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.osPid"
MOTION = "Services.prefs.setIntPref('ui.prefersReducedMotion', arguments[0] ? 1 : 0)"


class Firefox(Engine, webdriver.Remote):
    """Firefox without a window."""

    engine = "firefox"
    lacks = {
        "tree": "Firefox tells its accessibility tree to no driver",
        "manifest": "Firefox on a desktop installs no pages, and judges no manifest",
    }

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        (Path(self.profile.name) / "user.js").write_text("".join(lines))
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--marionette", "--remote-debugging-port", "0",
             "--remote-allow-system-access", "--profile", self.profile.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.noted = []
        self.urls = []
        self.blocked = ()
        self.device = {"isAllowed": True, "position": None}
        self.device_script = None
        self.intercept = None
        options = webdriver.FirefoxOptions()
        options.set_capability("webSocketUrl", True)
        options.set_capability("unhandledPromptBehavior", "ignore")
        super().__init__(command_executor=self.connect(), options=options)
        self.news = News(self.caps["webSocketUrl"])
        self.news.hear("log.entryAdded", self.note_entry)
        self.news.hear("network.beforeRequestSent", self.note_request)
        self.news.hear("network.responseCompleted", self.note_answer)
        self.before(NOTE_VIOLATIONS)

    def connect(self):
        """Connects to Firefox once it listens: its profile has the port then."""
        told = Path(self.profile.name) / "MarionetteActivePort"
        end = time.monotonic() + STARTS_WITHIN_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(OSError, ValueError):
                return Marionette(int(told.read_text()))
            time.sleep(0.1)
        self.process.kill()
        raise SystemExit("page: Firefox does not start; `firefox-esr --headless --marionette` says why")

    def quit(self):
        try:
            self.news.close()
            super().quit()
        finally:
            self.process.terminate()
            self.process.wait()
            self.profile.cleanup()

    def note_entry(self, entry):
        if entry["level"] in ("error", "warn"):
            self.noted.append((entry["level"] == "error", str(entry.get("text"))))

    def note_request(self, event):
        url, number = event["request"]["url"], event["request"]["request"]
        self.urls.append(url)
        if event.get("isBlocked"):
            is_refused = any(url.split("?")[0].endswith(end) for end in self.blocked)
            self.news.tell("network.failRequest" if is_refused else "network.continueRequest", request=number)

    def note_answer(self, event):
        """Notes an answer that is an error, which Firefox's console does not."""
        status = event["response"]["status"]
        if status >= 400:
            self.noted.append((True, f"{event['request']['url']}: the server responded with a status of {status}"))

    def with_rights(self, script, *arguments):
        """Executes a script with the browser's own rights, in its window; returns what it returns."""
        for context, name, parameters in (
                ("chrome", "WebDriver:ExecuteScript", {"script": script, "args": arguments}), ("content", None, None)):
            self.command_executor.ask("Marionette:SetContext", {"value": context})
            if name:
                error, result = self.command_executor.ask(name, parameters)
        if error:
            raise RuntimeError(f"Firefox refuses a script: {error['message']}")
        return result["value"]

    def execute_async_script(self, script, *arguments):
        """Runs a script among those of the page, whose modules Marionette would load once more for it."""
        made = self.news.ask(
            "script.callFunction", SCRIPT_ENDS_WITHIN_SECONDS, functionDeclaration=IN_PAGE % script,
            arguments=[{"type": "string", "value": json.dumps(arguments)}], awaitPromise=True,
            target={"context": self.current_window_handle})
        if made["type"] != "success":
            raise RuntimeError(f"Firefox refuses a script: {made['exceptionDetails']['text']}")
        return json.loads(made["result"]["value"])

    def refresh(self):
        """Loads the page anew as a reader does: Marionette's own refresh goes past service workers."""
        self.news.ask("browsingContext.reload", context=self.current_window_handle, wait="complete")

    def enter(self):
        """Gives the page the keyboard: the tab key leaves it for the browser's own buttons."""
        self.with_rights("gBrowser.selectedBrowser.focus()")

    def before(self, script):
        """Has a script run before those of each page; returns what takes it away again."""
        return self.news.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")["script"]

    def forget(self, script):
        self.news.ask("script.removePreloadScript", script=script)

    def shape(self, width, height, is_dark):
        """Gives what the window shows a size, and a colour scheme."""
        self.news.ask("browsingContext.setViewport", userContexts=["default"],
                      viewport={"width": width, "height": height})
        self.with_rights(SHOW, "dark" if is_dark else "light", "")
        self.with_rights(MOTION, False)

    def show_as(self, medium="", less_motion=False):
        """Shows the page as on a medium, or to a reader who wants no motion."""
        self.with_rights(SHOW, None, medium)
        self.with_rights(MOTION, less_motion)

    def complaints(self):
        """What the console was told since the last time: whether it is an error, and the message."""
        noted, self.noted = self.noted, []
        return noted

    def asked(self):
        """The addresses that were asked for since the last time."""
        urls, self.urls = self.urls, []
        return urls

    def paper(self, width=21.59, height=27.94, is_landscape=False):
        """Prints the page as PDF; sizes are in centimetres."""
        error, made = self.command_executor.ask("WebDriver:Print", {
            "orientation": "landscape" if is_landscape else "portrait", "background": True,
            "page": {"width": width, "height": height}})
        if error:
            raise RuntimeError(f"Firefox prints nothing: {error['message']}")
        return base64.b64decode(made["value"])

    def whole_picture(self):
        """A picture of all of the page."""
        _, made = self.command_executor.ask("WebDriver:TakeScreenshot", {"full": True})
        return base64.b64decode(made["value"])

    def touch(self, kind, x=0, y=0):
        """Puts a finger down (start), moves it, or takes it away (end)."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        actions = {"start": [move, {"type": "pointerDown", "button": 0}], "move": [move],
                   "end": [{"type": "pointerUp", "button": 0}]}[kind]
        self.execute(Command.W3C_ACTIONS, {"actions": [
            {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions}]})

    def cut_off(self, is_cut_off):
        """Takes the network away, or gives it back."""
        self.news.ask("emulation.setNetworkConditions", userContexts=["default"],
                      networkConditions={"type": "offline"} if is_cut_off else None)

    def block(self, *ends):
        """Has no address come that ends so; without an end, all come again."""
        self.blocked = ends
        if ends and self.intercept is None:
            self.intercept = self.news.ask("network.addIntercept", phases=["beforeRequestSent"])["intercept"]
        elif not ends and self.intercept is not None:
            self.news.ask("network.removeIntercept", intercept=self.intercept)
            self.intercept = None

    def forget_cache(self):
        self.with_rights("Services.cache2.clear()")

    def allow(self, origin, permission, is_allowed=True):
        """Answers for the reader whether an origin may have notifications, or the geolocation."""
        if permission == "geolocation":
            self.device["isAllowed"] = is_allowed
            self.tell_device()
            return
        self.news.ask("permissions.setPermission", descriptor={"name": permission}, origin=origin,
                      state="granted" if is_allowed else "denied")

    def put_at(self, lat, lon, accuracy, **others):
        """Says where the device is: altitude, speed and heading as the device would."""
        self.device["position"] = {"latitude": lat, "longitude": lon, "accuracy": accuracy, **others}
        self.tell_device()

    def tell_device(self):
        """Tells the page where the device is, and each page that comes after it."""
        if self.device_script:
            self.forget(self.device_script)
        device = DEVICE % json.dumps(self.device)
        self.device_script = self.before(device)
        self.execute_script(f"{device} window.putDevice(arguments[0])", self.device)

    def crash(self):
        """Has the process of the page die at once; returns whether it did."""
        os.kill(self.with_rights(PROCESS), signal.SIGKILL)
        return True

    def put_in_zone(self, zone):
        self.news.ask("emulation.setTimezoneOverride", userContexts=["default"], timezone=zone)

    def keep_files_in(self, directory):
        """Has downloads come into a directory."""
        self.with_rights("Services.prefs.setStringPref('browser.download.dir', arguments[0])", str(directory))

    def unnamed(self):
        """What can be used or found and has no name."""
        return self.execute_script(UNNAMED)
