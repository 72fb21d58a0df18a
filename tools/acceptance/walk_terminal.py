"""The terminal of a new user: what is run there, and what it prints, line by line."""

import os
import pty
import re
import select
import signal
import subprocess
import time

from book import REPOSITORY, expect

# The first build of all: what a shared machine takes at most, in seconds.
PATIENCE = 2 * 3600


class Steps:
    """When each step was reached, from the start."""

    def __init__(self):
        self.start = time.monotonic()
        self.reached = []

    def note(self, name, seconds=None):
        """Notes that a step is done; how long it took is told if it did not begin with the one before."""
        now = time.monotonic() - self.start
        before = self.reached[-1][1] if self.reached else 0
        self.reached.append((name, now, now - before if seconds is None else seconds))
        print(f"{now:9.1f} s  {name}", flush=True)

    def print(self):
        """Prints the table."""
        print(f"\n{'STEP':44} {'FROM START s':>12} {'TOOK s':>8}")
        for name, at, took in self.reached:
            print(f"{name:44} {at:12.1f} {took:8.2f}")


class Terminal:
    """A terminal in a home without anything, in which the quickstart runs."""

    def __init__(self, directory, steps):
        self.directory = directory
        self.steps = steps
        self.process = None
        self.screen = None
        self.waiting = b""
        self.printed = []
        home = directory / "home"
        home.mkdir()
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("XDG_", "LEDGER_")) and name != "VIRTUAL_ENV"}
        self.environment = {**kept, "HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8"}
        for name in ("config", "cache", "data", "state"):
            (directory / name).mkdir()
            self.environment[f"XDG_{name.upper()}_HOME"] = str(directory / name)
        self.ledger = None

    def begin(self, repository, skips_clone):
        """Clones, and runs the quickstart until it serves."""
        place = repository
        if not skips_clone:
            place = self.directory / "trip-ledger"
            command = ["git", "clone", "--quiet", "--no-local", repository, place]
            subprocess.run(command, check=True, env=self.environment)
            self.steps.note("cloned")
        self.ledger = place / ".build" / "ledger"
        self.run(["tools/quickstart", "--serve"], place)
        self.until(r"^Building \.build/ledger ", "set up, map fetched")
        self.until(r"^Building \.build/ledger-serve ", "ledger built, its packages fetched")
        self.until(r"^\$ .*ledger init", "ledger-serve built")
        self.until(r"^Made a ledger in ", "ledger made")

    def begin_with(self, program):
        """Makes and serves a ledger with a program that is there."""
        self.ledger = program
        subprocess.run([program, "init"], check=True, env=self.environment, stdout=subprocess.DEVNULL)
        self.steps.note("ledger made")
        self.run([program, "serve", "--port", "0"], self.directory)

    def address(self):
        """Reads where it serves, and the link that lets a browser in, as they are printed."""
        served = self.until(r"on (http://127\.0\.0\.1:\d+)\.", "server started")
        link = self.until(r"(http://\S+/#login=\S+)", "link printed")
        return served.group(1), link.group(1)

    def run(self, command, place):
        self.screen, other = pty.openpty()
        self.process = subprocess.Popen(
            command, cwd=place, env=self.environment, stdin=other, stdout=other, stderr=other,
            start_new_session=True)
        os.close(other)

    def line(self, patience):
        """Returns the next line; `None` at the end, or if none comes."""
        deadline = time.monotonic() + patience
        while b"\n" not in self.waiting:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.screen], [], [], left)[0]:
                return None
            try:
                piece = os.read(self.screen, 1 << 16)
            except OSError:
                piece = b""
            if not piece:
                return None
            self.waiting += piece
        line, _, self.waiting = self.waiting.partition(b"\n")
        # Only the text that was written last at a place is to be read.
        text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.decode(errors="replace"))
        return text.rstrip("\r").rpartition("\r")[2]

    def until(self, pattern, name):
        """Reads until a line that a step ends with."""
        while True:
            line = self.line(PATIENCE)
            if line is None:
                print("\n".join(self.printed[-40:]))
                raise SystemExit(f"walk: the terminal ends before this: {name}")
            self.printed.append(line)
            found = re.search(pattern, line)
            if found:
                self.steps.note(name)
                return found

    def trips(self):
        """Returns the trips of the ledger, as the command prints them."""
        result = subprocess.run([self.ledger, "trips", "--format", "json"], env=self.environment,
                                cwd=REPOSITORY, check=True, capture_output=True)
        return result.stdout.splitlines()

    def end(self):
        """Presses Ctrl-C, which ends all that was begun."""
        os.killpg(self.process.pid, signal.SIGINT)
        status = self.process.wait(60)
        expect(status == 0, f"after Ctrl-C the server ends with {status}")
        self.steps.note("ended by Ctrl-C")

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.screen is not None:
            os.close(self.screen)
