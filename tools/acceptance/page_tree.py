"""The page as assistive technology has it: roles, names and values, and what it does with them."""

import time

from selenium.webdriver import ActionChains, Keys

from book import expect
from page_keyboard import NAMES

PATIENCE_SECONDS = 60


class Tree:
    """Finds by role and name, reads by the tree, and acts as a screen reader does."""

    def __init__(self, page):
        self.page = page
        self.nodes = []
        self.by_id = {}

    def call(self, method, **parameters):
        return self.page.browser.execute_cdp_cmd(method, parameters)

    def read(self, frame=None):
        """Reads the tree anew, in the order of the document."""
        options = {"frameId": frame} if frame else {}
        self.by_id = {node["nodeId"]: node for node in self.call("Accessibility.getFullAXTree", **options)["nodes"]}
        roots = [node for node in self.by_id.values() if node.get("parentId") not in self.by_id]
        self.nodes = []
        waiting = roots[::-1]
        while waiting:
            node = waiting.pop()
            if not node.get("ignored"):
                self.nodes.append(node)
            waiting.extend(self.by_id[child] for child in reversed(node.get("childIds", [])) if child in self.by_id)

    @staticmethod
    def name(node):
        return node.get("name", {}).get("value", "").strip()

    @staticmethod
    def role(node):
        return node.get("role", {}).get("value", "")

    def has_above(self, node, above):
        while node is not None:
            if node.get("backendDOMNodeId") == above.get("backendDOMNodeId"):
                return True
            node = self.by_id.get(node.get("parentId"))
        return False

    def parent(self, node, role):
        while node is not None and self.role(node) != role:
            node = self.by_id.get(node.get("parentId"))
        return node

    def find(self, role=None, name=None, begins=False, within=None):
        """The parts of the tree read last that have a role, and a name or its beginning."""
        return [node for node in self.nodes
                if (role is None or self.role(node) == role)
                and (name is None or self.name(node) == name or begins and self.name(node).startswith(name))
                and (within is None or self.has_above(node, within))]

    def all(self, role):
        self.read()
        return self.find(role)

    def wait(self, role, name, begins=False, within=None, more=None):
        """Waits for something; presses the button that shows more of a list, if it may be there."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            self.read()
            found = self.find(role, name, begins, within)
            if found:
                return found[0]
            for button in self.find("button", more) if more else []:
                self.do(button)
            time.sleep(0.1)
        expect(False, f"the tree has no {role} {name}")
        raise SystemExit(f"page: without {role} {name} nothing goes on")

    def do(self, node):
        """Does what a node is for, as a screen reader does when it is chosen."""
        held = self.call("DOM.resolveNode", backendNodeId=node["backendDOMNodeId"])["object"]["objectId"]
        self.call("Runtime.callFunctionOn", objectId=held, functionDeclaration="function () { this.click(); }")

    def press(self, node, *keys):
        self.call("DOM.focus", backendNodeId=node["backendDOMNodeId"])
        ActionChains(self.page.browser, duration=0).send_keys(*[NAMES.get(key, key) for key in keys]).perform()

    def type(self, node, text, replaces=True):
        self.call("DOM.focus", backendNodeId=node["backendDOMNodeId"])
        chain = ActionChains(self.page.browser, duration=0)
        if replaces:
            chain.key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL)
        chain.send_keys(text).perform()

    def act(self, node, said, gone=None):
        """Does something; the page says so, and the focus is not lost."""
        self.do(node)
        end = time.monotonic() + PATIENCE_SECONDS
        spoken = None
        while time.monotonic() < end:
            self.read()
            status = self.find("status")
            spoken = " ".join(self.name(node) for node in self.nodes
                              if self.role(node) == "StaticText" and any(self.has_above(node, one) for one in status))
            if said in spoken and not (gone and self.find("link", gone)):
                break
            time.sleep(0.05)
        else:
            expect(False, f"the tree does not say {said}, but {spoken}")
        focused = [node for node in self.nodes if any(
            one["name"] == "focused" and one["value"].get("value") for one in node.get("properties", []))]
        places = [self.role(node) for node in focused if self.role(node) != "RootWebArea"]
        expect(places, f"after {said} nothing has the focus")

    def wait_text(self, is_right, sentence, in_frame=False):
        """Waits until the tree, or that of the frame in it, says something."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            frames = self.call("Page.getFrameTree")["frameTree"].get("childFrames", [])
            for frame in [one["frame"]["id"] for one in frames] if in_frame else [None]:
                self.read(frame)
                if is_right(" ".join(self.name(node) for node in self.nodes if self.role(node) == "StaticText")):
                    return
            time.sleep(0.2)
        expect(False, sentence)
