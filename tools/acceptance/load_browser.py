"""Many pages in one Chromium, each as alone as in a browser of its own, spoken to by its own protocol."""

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from websocket import create_connection

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--remote-debugging-port=0", "--remote-allow-origins=*", "--hide-scrollbars", "--lang=en-GB",
    # A page that no window covers is as awake as one that is looked at.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--disable-features=SpareRendererForSitePerProcess",
    # A page has a process of its own, however many there are.
    "--renderer-process-limit=200", "--js-flags=--expose-gc",
)


class Chromium:
    """A browser without a window."""

    def __init__(self):
        # Its helpers may still write there when it has ended.
        self.directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["/usr/bin/chromium", f"--user-data-dir={self.directory.name}", *FLAGS, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = Path(self.directory.name) / "DevToolsActivePort"
        while not (told.exists() and len(told.read_text().split()) == 2):
            time.sleep(0.05)
        port, path = told.read_text().split()
        self.socket = create_connection(f"ws://127.0.0.1:{port}{path}", timeout=120)
        self.sent = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.directory.cleanup()

    def call(self, method, session=None, heard=None, **parameters):
        """Has something done; what is told meanwhile goes to `heard`."""
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") != self.sent:
                if heard:
                    heard(answer)
                continue
            if "error" in answer:
                raise SystemExit(f"load: {method}: {answer['error']['message']}")
            return answer["result"]

    def open(self, address, script):
        """Opens a page with cookies, connections and storage of its own; a script runs before its own."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context, width=1280,
                           height=800, newWindow=True)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.call("Page.enable")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.call("Page.navigate", url=address)
        page.call("Page.disable")
        return page

    def processes(self, kind):
        """The numbers of its processes of a kind."""
        told = self.call("SystemInfo.getProcessInfo")["processInfo"]
        return [one["id"] for one in told if one["type"] == kind]


class Page:
    """A page of it."""

    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def script(self, text):
        answer = self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"load: {text[:80]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, text, what, seconds=120):
        end = time.monotonic() + seconds
        while not self.script(text):
            if time.monotonic() > end:
                raise SystemExit(f"load: {what} does not come")
            time.sleep(0.1)

    def heap(self):
        """What its scripts and its document hold, after all that is not needed was let go.

        Bytes of objects, bytes of what the browser compiled of the scripts, and both as the browser counts
        them; nodes and listeners of the document.
        """
        self.call("HeapProfiler.enable")
        for _ in range(3):
            self.call("HeapProfiler.collectGarbage")
        objects, code = self.sizes()
        self.call("HeapProfiler.disable")
        self.call("Performance.enable")
        told = {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}
        self.call("Performance.disable")
        return {"objects": objects, "code": code, "heap": int(told["JSHeapUsedSize"]),
                "nodes": int(told["Nodes"]), "listeners": int(told["JSEventListeners"])}

    def sizes(self):
        """The bytes of all objects, and those of compiled code, by a snapshot of the heap."""
        chunks = []
        self.call("HeapProfiler.takeHeapSnapshot", reportProgress=False,
                  heard=lambda message: chunks.append(message["params"]["chunk"])
                  if message.get("method") == "HeapProfiler.addHeapSnapshotChunk" else None)
        read = json.loads("".join(chunks))
        meta, nodes = read["snapshot"]["meta"], read["nodes"]
        width, size = len(meta["node_fields"]), meta["node_fields"].index("self_size")
        code = meta["node_types"][0].index("code")
        sums = [0, 0]
        for at in range(0, len(nodes), width):
            sums[nodes[at] == code] += nodes[at + size]
        return sums


def cpu_seconds(process):
    """How long a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory(process):
    """What a process holds in memory, and what of it no file holds, in bytes."""
    text = Path(f"/proc/{process}/status").read_text()
    return tuple(int(re.search(rf"^{name}:\s+(\d+) kB$", text, re.M).group(1)) << 10
                 for name in ("VmRSS", "RssAnon"))
