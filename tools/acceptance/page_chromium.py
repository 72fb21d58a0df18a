"""Chromium, by chromedriver and the protocol of its developers' tools."""

import base64
import json

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from page_browser import NOTE_VIOLATIONS, Engine

# Roles that are to have a name, as Chromium calls them.
NAMED = {
    "button", "link", "textbox", "combobox", "checkbox", "slider", "spinbutton", "img", "image", "dialog",
    "navigation", "region", "Date", "searchbox", "DisclosureTriangle",
}


class Chromium(Engine, webdriver.Chrome):
    """Chromium without a window."""

    engine = "chromium"

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--lang=en-GB"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.before(NOTE_VIOLATIONS)

    def before(self, script):
        """Has a script run before those of each page; returns what takes it away again."""
        return self.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]

    def forget(self, script):
        self.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})

    def shape(self, width, height, is_dark):
        """Gives the window a size, as a telephone has it below 500 pixels, and a colour scheme."""
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})

    def show_as(self, medium="", less_motion=False):
        """Shows the page as on a medium, or to a reader who wants no motion."""
        features = [{"name": "prefers-reduced-motion", "value": "reduce"}] if less_motion else []
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})

    def complaints(self):
        """What the console was told since the last time: whether it is an error, and the message."""
        return [(entry["level"] == "SEVERE", entry["message"]) for entry in self.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def asked(self):
        """The addresses that were asked for since the last time."""
        messages = [json.loads(entry["message"])["message"] for entry in self.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def paper(self, width=21.59, height=27.94, is_landscape=False, by_page=False):
        """Prints the page as PDF; sizes are in centimetres, and the page may choose its own."""
        made = self.execute_cdp_cmd("Page.printToPDF", {
            "paperWidth": width / 2.54, "paperHeight": height / 2.54, "landscape": is_landscape,
            "preferCSSPageSize": by_page})
        return base64.b64decode(made["data"])

    def whole_picture(self):
        """A picture of all of the page."""
        made = self.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        return base64.b64decode(made["data"])

    def touch(self, kind, x=0, y=0):
        """Puts a finger down (start), moves it, or takes it away (end)."""
        if kind == "start":
            self.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        points = [] if kind == "end" else [{"x": x, "y": y}]
        self.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": f"touch{kind.capitalize()}", "touchPoints": points})
        if kind == "end":
            self.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def cut_off(self, is_cut_off):
        """Takes the network away, or gives it back."""
        self.execute_cdp_cmd("Network.enable", {})
        self.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": is_cut_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def block(self, *ends):
        """Has no address come that ends so; without an end, all come again."""
        self.execute_cdp_cmd("Network.enable", {})
        self.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [f"*{end}" for end in ends]})

    def forget_cache(self):
        self.execute_cdp_cmd("Network.clearBrowserCache", {})

    def allow(self, origin, permission, is_allowed=True):
        """Answers for the reader whether an origin may have notifications, or the geolocation."""
        self.execute_cdp_cmd("Browser.setPermission", {
            "origin": origin, "permission": {"name": permission}, "setting": "granted" if is_allowed else "denied"})

    def put_at(self, lat, lon, accuracy, **others):
        """Says where the device is: altitude, speed and heading as the device would."""
        self.execute_cdp_cmd("Emulation.setGeolocationOverride", {
            "latitude": lat, "longitude": lon, "accuracy": accuracy, **others})

    def crash(self):
        """Has the process of the page die at once; returns whether it did."""
        try:
            self.execute_cdp_cmd("Page.crash", {})
        except WebDriverException as error:
            return "crashed" in str(error)
        return False

    def put_in_zone(self, zone):
        self.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})

    def keep_files_in(self, directory):
        """Has downloads come into a directory."""
        self.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": directory})

    def unnamed(self):
        """What can be used or found and has no name, as the browser computes it."""
        nodes = self.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return [f"a {node['role']['value']} has no name (node {node.get('backendDOMNodeId')})" for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in NAMED
                and not node.get("name", {}).get("value", "").strip()]
