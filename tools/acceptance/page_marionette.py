"""Firefox for selenium without a driver between them: WebDriver's commands go to Marionette, news come by BiDi.

Debian has no geckodriver, which does little more than this. Marionette takes the commands of WebDriver as lines
of JSON over TCP; what WebDriver lacks (scripts before a page's own, requests, the console, the size of the
window's content) is asked of WebDriver BiDi, over a web socket of the same session.
"""

import json
import socket
import threading
from urllib.parse import urlsplit

from selenium.webdriver.remote.command import Command

# WebDriver's names of commands, by selenium's. Its parameters are the same but for the few below.
COMMANDS = {
    Command.NEW_SESSION: "NewSession", Command.QUIT: "DeleteSession", Command.GET: "Navigate",
    Command.GO_BACK: "Back", Command.GO_FORWARD: "Forward", Command.REFRESH: "Refresh",
    Command.GET_CURRENT_URL: "GetCurrentURL", Command.GET_TITLE: "GetTitle",
    Command.GET_PAGE_SOURCE: "GetPageSource", Command.CLOSE: "CloseWindow", Command.NEW_WINDOW: "NewWindow",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "GetWindowHandle",
    Command.W3C_GET_WINDOW_HANDLES: "GetWindowHandles", Command.SWITCH_TO_WINDOW: "SwitchToWindow",
    Command.SWITCH_TO_FRAME: "SwitchToFrame", Command.SWITCH_TO_PARENT_FRAME: "SwitchToParentFrame",
    Command.GET_WINDOW_RECT: "GetWindowRect", Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.FIND_ELEMENT: "FindElement", Command.FIND_ELEMENTS: "FindElements",
    Command.FIND_CHILD_ELEMENT: "FindElement", Command.FIND_CHILD_ELEMENTS: "FindElements",
    Command.W3C_GET_ACTIVE_ELEMENT: "GetActiveElement", Command.CLICK_ELEMENT: "ElementClick",
    Command.CLEAR_ELEMENT: "ElementClear", Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.GET_ELEMENT_TEXT: "GetElementText", Command.GET_ELEMENT_TAG_NAME: "GetElementTagName",
    Command.GET_ELEMENT_RECT: "GetElementRect", Command.GET_ELEMENT_PROPERTY: "GetElementProperty",
    Command.GET_ELEMENT_ATTRIBUTE: "GetElementAttribute",
    Command.GET_ELEMENT_VALUE_OF_CSS_PROPERTY: "GetElementCSSValue",
    Command.IS_ELEMENT_ENABLED: "IsElementEnabled", Command.IS_ELEMENT_SELECTED: "IsElementSelected",
    Command.GET_ELEMENT_ARIA_LABEL: "GetComputedLabel", Command.GET_ELEMENT_ARIA_ROLE: "GetComputedRole",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript", Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
    Command.W3C_ACTIONS: "PerformActions", Command.W3C_CLEAR_ACTIONS: "ReleaseActions",
    Command.SCREENSHOT: "TakeScreenshot", Command.PRINT_PAGE: "Print", Command.SET_TIMEOUTS: "SetTimeouts",
    Command.DELETE_ALL_COOKIES: "DeleteAllCookies", Command.GET_ALL_COOKIES: "GetCookies",
    Command.W3C_ACCEPT_ALERT: "AcceptAlert", Command.W3C_DISMISS_ALERT: "DismissAlert",
    Command.W3C_GET_ALERT_TEXT: "GetAlertText",
}
# Commands whose answer is the value itself, not an object that has it.
BARE = {"NewSession", "GetWindowHandles", "FindElements", "GetElementRect", "GetWindowRect", "SetWindowRect",
        "NewWindow", "GetCookies", "CloseWindow", "DeleteSession"}


class Marionette:
    """The connection that selenium sends its commands by."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=600)
        self.stream = self.socket.makefile("rb")
        self.number = 0
        self.read()

    def read(self):
        """Reads a message: its length in bytes, a colon, and JSON."""
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox has ended")
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def ask(self, name, parameters):
        """Sends a command; returns its error, or None, and its result."""
        self.number += 1
        data = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        while (answer := self.read())[1] != self.number:
            pass
        return answer[2], answer[3]

    def execute(self, command, parameters):
        """Executes a command of selenium as selenium's own connection does."""
        name = COMMANDS.get(command)
        if name is None:
            raise NotImplementedError(f"Firefox is not driven to {command}")
        given = {key: value for key, value in (parameters or {}).items() if key != "sessionId"}
        if command == Command.NEW_SESSION:
            wanted = given["capabilities"]["alwaysMatch"]
            # What is meant for a driver, Marionette does not know.
            given = {key: value for key, value in wanted.items() if not key.startswith("moz:")}
        elif command in (Command.FIND_CHILD_ELEMENT, Command.FIND_CHILD_ELEMENTS):
            given["element"] = given.pop("id")
        elif command == Command.SWITCH_TO_FRAME and isinstance(given.get("id"), dict):
            given = {"element": next(iter(given["id"].values()))}
        elif command == Command.SCREENSHOT:
            given["full"] = False
        elif command in (Command.W3C_EXECUTE_SCRIPT, Command.W3C_EXECUTE_SCRIPT_ASYNC):
            # The page's own window, not one of the driver's, has what scripts leave for later ones.
            given |= {"sandbox": None, "newSandbox": False}
        error, result = self.ask(f"WebDriver:{name}", given)
        if error is not None:
            return {"status": error["error"], "message": error["message"], "value": error}
        is_bare = name in BARE or not isinstance(result, dict) or "value" not in result
        return {"status": 0, "value": result if is_bare else result["value"]}

    def close(self):
        self.socket.close()


class News:
    """The same session by WebDriver BiDi: asks, and hands events to those who want them."""

    def __init__(self, url):
        import websocket
        self.port = urlsplit(url).port
        # Firefox answers no one who comes from a page.
        self.socket = websocket.create_connection(url, timeout=60, suppress_origin=True)
        self.socket.settimeout(None)
        self.number = 0
        self.answers = {}
        self.heard = {}
        self.news = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        """Reads until the connection ends: answers to who asked, events to who hears."""
        while True:
            try:
                text = self.socket.recv()
            except Exception:
                text = ""
            if not text:
                return
            message = json.loads(text)
            if "id" in message:
                with self.news:
                    self.answers[message["id"]] = message
                    self.news.notify_all()
            elif message.get("method") in self.heard:
                self.heard[message["method"]](message["params"])

    def tell(self, method, **parameters):
        """Sends a command, and does not wait; returns its number."""
        with self.news:
            self.number += 1
            number = self.number
            self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        return number

    def ask(self, method, within_seconds=60, **parameters):
        """Sends a command; returns its result."""
        number = self.tell(method, **parameters)
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, within_seconds):
                raise TimeoutError(f"Firefox does not answer {method}")
            answer = self.answers.pop(number)
        if answer["type"] == "error":
            raise RuntimeError(f"Firefox refuses {method}: {answer['error']}: {answer['message'][:300]}")
        return answer["result"]

    def hear(self, method, function):
        """Has a function called with each event of a kind, in the thread that reads."""
        self.heard[method] = function
        self.ask("session.subscribe", events=[method])

    def close(self):
        self.socket.close()
